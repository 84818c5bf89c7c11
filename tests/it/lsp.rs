//! `rebut lsp` over the standard streams, as an editor starts it.

use crate::environment::{Folder, home};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

/// Returns a message as it is sent.
fn frame(message: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{message}", message.len())
}

/// A running server and the editor's ends of its streams.
struct Editor {
    server: Child,
    output: BufReader<ChildStdout>,
}

impl Editor {
    fn start() -> Editor {
        let mut server = Command::new(env!("CARGO_BIN_EXE_rebut"))
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(server.stdout.take().unwrap());
        Editor { server, output }
    }

    fn send(&mut self, message: &Value) {
        let stream = self.server.stdin.as_mut().unwrap();
        stream.write_all(frame(&message.to_string()).as_bytes()).unwrap();
        stream.flush().unwrap();
    }

    /// Waits for the next message.
    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server ended");
            if line.trim().is_empty() {
                break;
            }
            length = line.trim().strip_prefix("Content-Length: ").unwrap().parse().unwrap();
        }
        let mut content = vec![0; length];
        self.output.read_exact(&mut content).unwrap();
        serde_json::from_slice(&content).unwrap()
    }

    fn request(&mut self, id: i32, method: &str, params: &Value) -> Value {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let answer = self.receive();
        assert_eq!(answer["id"], json!(id), "{answer}");
        answer["result"].clone()
    }

    fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // A process that has ended cannot be killed.
        let _ = self.server.kill();
    }
}

#[test]
fn editor_gets_problems_as_text_is_typed_and_answers_in_between() {
    let mut editor = Editor::start();
    let found = editor.request(1, "initialize", &json!({ "processId": null, "rootUri": null, "capabilities": {} }));
    assert_eq!(found["capabilities"]["hoverProvider"], json!(true));
    editor.notify("initialized", &json!({}));
    let document = json!({ "uri": "file:///p/input.format", "languageId": "rebut-format", "version": 1,
        "text": "n\na[n]\nwhere:\n    1 <= n <= 9\n    0 <= a <= b\n" });
    editor.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    let report = editor.receive();
    assert_eq!(report["method"], json!("textDocument/publishDiagnostics"));
    assert_eq!(report["params"]["diagnostics"][0]["code"], json!("unknown-name"));
    let change = json!({ "range": { "start": { "line": 4, "character": 14 }, "end": { "line": 4, "character": 15 } },
        "text": "n" });
    let document = json!({ "uri": "file:///p/input.format", "version": 2 });
    editor.notify("textDocument/didChange", &json!({ "textDocument": document, "contentChanges": [change] }));
    assert_eq!(editor.receive()["params"]["diagnostics"], json!([]));
    let place = json!({ "textDocument": document, "position": { "line": 1, "character": 0 } });
    let hover = editor.request(2, "textDocument/hover", &place);
    assert!(hover["contents"]["value"].as_str().unwrap().contains("values that all constraints leave: `0..9`"));
    assert_eq!(editor.request(3, "shutdown", &Value::Null), Value::Null);
    editor.notify("exit", &Value::Null);
    assert_eq!(editor.server.wait().unwrap().code(), Some(0));
}

#[test]
fn server_survives_what_is_no_message_and_ends_with_its_stream() {
    let folder = Folder::new();
    let input =
        ["nonsense\r\n\r\n", &frame("{"), &frame(r#"{"id":7,"method":"initialize","params":{"capabilities":{}}}"#)];
    let ran = folder.typed("lsp").input(input.concat()).run().exits(0);
    assert!(ran.stderr.is_empty(), "{ran}");
    ran.shows_all(&["-32700", r#""id":7"#]);
    folder.typed("lsp").input(frame(r#"{"method":"exit"}"#)).run().exits(1);
}

/// Returns a file of the repository as JSON.
fn read_json(path: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(home().join(path)).unwrap()).unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[test]
fn extension_names_files_that_exist() {
    let package = read_json("editors/vscode/package.json");
    let mut named = vec![package["main"].as_str().unwrap()];
    let contributed = &package["contributes"];
    for (list, key) in [("languages", "configuration"), ("grammars", "path")] {
        named.extend(contributed[list].as_array().unwrap().iter().filter_map(|entry| entry[key].as_str()));
    }
    assert_eq!(named.len(), 3, "{named:?}");
    assert!(named.iter().all(|path| home().join("editors/vscode").join(path).is_file()), "{named:?}");
    read_json("editors/vscode/language-configuration.json");
}

#[test]
fn grammar_colors_every_word_of_the_language() {
    let grammar = read_json("editors/vscode/syntaxes/rebut-format.tmLanguage.json");
    let patterns = grammar["repository"].as_object().unwrap().values();
    let text: String = patterns.filter_map(|pattern| pattern["match"].as_str()).collect();
    let colored: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    for word in rebut_format::language::vocabulary().map(|word| word.name) {
        assert!(word.split(' ').all(|part| colored.contains(&part)), "{word}");
    }
}
