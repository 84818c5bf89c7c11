//! Tests of sessions, without streams.

#![allow(clippy::expect_used, reason = "tests")]

use crate::server::LanguageServer;
use lsp_server::{Message, Notification, Request};
use serde_json::{Value, json};

const FORMAT_URI: &str = "file:///problem/input.format";

/// A session with one client.
struct Session {
    server: LanguageServer,
    requests: i32,
}

impl Session {
    fn new() -> Session {
        let mut session = Session { server: LanguageServer::new(), requests: 0 };
        session.request("initialize", json!({ "capabilities": {} }));
        session.notify("initialized", json!({}));
        session
    }

    /// Sends a request, and returns all messages of the server.
    fn messages(&mut self, method: &str, params: Value) -> Vec<Value> {
        self.requests += 1;
        let request = Request { id: self.requests.into(), method: method.to_owned(), params };
        let answers = self.server.handle_message(Message::Request(request));
        answers.into_iter().map(|answer| serde_json::to_value(answer).expect("JSON")).collect()
    }

    /// Sends a request, and returns its result.
    fn request(&mut self, method: &str, params: Value) -> Value {
        let answer = self.messages(method, params).remove(0);
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    fn notify(&mut self, method: &str, params: Value) {
        let notification = Notification { method: method.to_owned(), params };
        assert!(self.server.handle_message(Message::Notification(notification)).is_empty());
    }

    fn open(&mut self, uri: &str, text: &str) {
        let item = json!({ "uri": uri, "languageId": "plaintext", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": item }));
    }

    /// Returns the problems of the only file that changed.
    fn problems(&mut self) -> Value {
        let reports = self.server.take_diagnostics();
        assert_eq!(reports.len(), 1);
        serde_json::to_value(&reports[0]).expect("JSON")["params"]["diagnostics"].clone()
    }

    fn at(&mut self, method: &str, line: u32, character: u32) -> Value {
        let position = json!({ "line": line, "character": character });
        self.request(method, json!({ "textDocument": { "uri": FORMAT_URI }, "position": position }))
    }

    fn about_file(&mut self, method: &str) -> Value {
        let options = json!({ "tabSize": 4, "insertSpaces": true });
        self.request(method, json!({ "textDocument": { "uri": FORMAT_URI }, "options": options }))
    }
}

#[test]
fn problems_follow_the_edits() {
    let mut session = Session::new();
    session.open(FORMAT_URI, "n\nwhere:\n    1 <= n <= m # 😀\n");
    let found = session.problems();
    assert_eq!((&found[0]["code"], &found[0]["severity"]), (&json!("unknown-name"), &json!(1)));
    assert_eq!(found[0]["range"]["start"], json!({ "line": 2, "character": 14 }));
    let range = json!({ "start": { "line": 2, "character": 14 }, "end": { "line": 2, "character": 15 } });
    session.notify(
        "textDocument/didChange",
        json!({
            "textDocument": { "uri": FORMAT_URI, "version": 2 },
            "contentChanges": [{ "range": range, "text": "9" }],
        }),
    );
    assert_eq!(session.problems(), json!([]));
    assert!(session.server.take_diagnostics().is_empty());
    session.notify("textDocument/didClose", json!({ "textDocument": { "uri": FORMAT_URI } }));
    assert_eq!(session.problems(), json!([]));
}

#[test]
fn recipes_have_problems_and_completions() {
    let mut session = Session::new();
    let uri = "file:///problem/tests.toml";
    session.open(uri, "[[test]]\nshape = \"so\"\nwhat = 1\n");
    let problems = session.problems();
    assert_eq!([&problems[0]["code"], &problems[1]["code"]], [&json!("unknown-shape"), &json!("unknown-key")]);
    let position = json!({ "line": 1, "character": 11 });
    let found =
        session.request("textDocument/completion", json!({ "textDocument": { "uri": uri }, "position": position }));
    let sorted = found.as_array().expect("a list").iter().find(|item| item["label"] == "sorted").expect("a shape");
    assert_eq!(sorted["textEdit"]["range"]["start"], json!({ "line": 1, "character": 9 }));
}

#[test]
fn places_are_answered() {
    let mut session = Session::new();
    session.open(FORMAT_URI, "n m\nwhere:\n    1 <= n, m <= 9\n    n * m <= 9 and m >= 3\n");
    let hover = session.at("textDocument/hover", 0, 0);
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("`1..3`")), "{hover}");
    let declaration = session.at("textDocument/definition", 3, 8);
    assert_eq!(declaration["range"]["start"], json!({ "line": 0, "character": 2 }));
    let found = session.at("textDocument/completion", 3, 4);
    assert!(found.as_array().is_some_and(|items| items.iter().any(|item| item["label"] == "distinct")), "{found}");
}

#[test]
fn misspelt_words_have_a_repair() {
    let mut session = Session::new();
    for (text, wrong, meant) in [
        ("count\nwhere:\n    1 <= cuont <= 9\n", "cuont", "count"),
        ("n a[n] where:\n    1 <= n, a <= 9\n    distnct(a)\n", "distnct", "distinct"),
        ("n a[n] where:\n    1 <= n, a <= 9\n    summ(a) <= 9\n", "summ", "sum"),
    ] {
        session.open(FORMAT_URI, text);
        let (line, words) = text.lines().enumerate().find(|(_, words)| words.contains(wrong)).unwrap_or_default();
        let from = words.find(wrong).unwrap_or_default();
        let place = |character: usize| json!({ "line": line, "character": character });
        let range = json!({ "start": place(from + 1), "end": place(from + 1) });
        let params = json!({ "textDocument": { "uri": FORMAT_URI }, "range": range, "context": { "diagnostics": [] } });
        let found = session.request("textDocument/codeAction", params);
        assert_eq!(found[0]["title"], json!(format!("replace by `{meant}`")), "{found}");
        let edit = &found[0]["edit"]["documentChanges"][0]["edits"][0];
        let word = json!({ "start": place(from), "end": place(from + wrong.len()) });
        assert_eq!((&edit["newText"], &edit["range"]), (&json!(meant), &word));
    }
}

#[test]
fn formatting_does_what_fmt_does() {
    let mut session = Session::new();
    session.open(FORMAT_URI, "n\na[ n ]\nwhere:\n    1<=n<=9\n    0 <= a <= 9\n");
    let edits = session.about_file("textDocument/formatting");
    let expected = json!([{
        "range": { "start": { "line": 1, "character": 0 }, "end": { "line": 4, "character": 0 } },
        "newText": "a[n]\nwhere:\n    1 <= n <= 9\n",
    }]);
    assert_eq!(edits, expected);
    session.open(FORMAT_URI, "n where n <=");
    assert_eq!(session.about_file("textDocument/formatting"), Value::Null);
}

#[test]
fn lens_shows_a_sample_and_its_command_others() {
    let mut session = Session::new();
    session.open(FORMAT_URI, "n\na[n]\nwhere:\n    3 <= n <= 9\n    0 <= a <= 9\n");
    let lens = session.about_file("textDocument/codeLens");
    let command = &lens[0]["command"];
    assert!(command["title"].as_str().is_some_and(|title| title.starts_with("sample input: ")), "{lens}");
    let run = json!({ "command": command["command"], "arguments": command["arguments"] });
    let first = session.messages("workspace/executeCommand", run.clone());
    assert_eq!(first[0]["result"]["text"], first[1]["params"]["message"]);
    let second = session.messages("workspace/executeCommand", run);
    assert_eq!((&first[0]["result"]["seed"], &second[0]["result"]["seed"]), (&json!(1), &json!(2)));
    session.open(FORMAT_URI, "n");
    assert_eq!(session.about_file("textDocument/codeLens"), json!([]));
}

#[test]
fn what_cannot_be_answered_is_an_error_or_nothing() {
    let mut session = Session { server: LanguageServer::new(), requests: 0 };
    let code = |answers: Vec<Value>| answers[0]["error"]["code"].as_i64();
    assert_eq!(code(session.messages("textDocument/hover", json!({}))), Some(-32002));
    let mut session = Session::new();
    assert_eq!(code(session.messages("textDocument/hover", json!({ "position": 1 }))), Some(-32602));
    assert_eq!(code(session.messages("textDocument/rename", json!({}))), Some(-32601));
    assert_eq!(code(session.messages("workspace/executeCommand", json!({ "command": "rm" }))), Some(-32602));
    assert_eq!(session.at("textDocument/hover", 0, 0), Value::Null);
    session.notify("textDocument/didChange", json!({ "textDocument": 1 }));
    session.notify("$/setTrace", json!({ "value": "off" }));
    session.request("shutdown", Value::Null);
    assert_eq!(code(session.messages("textDocument/hover", json!({}))), Some(-32600));
}
