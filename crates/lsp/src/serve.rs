//! Connects the server to two streams.

use crate::protocol::SessionEnd;
use crate::server::LanguageServer;
use lsp_server::{ErrorCode, Message};
use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Read, Write};

/// Answers the messages of a client until it ends the session. The answer to anything else is an error.
///
/// # Errors
/// Returns an error if a stream cannot be read or written.
pub fn serve_stream(input: impl Read, output: &mut impl Write) -> io::Result<SessionEnd> {
    let mut input = BufReader::new(input);
    let mut server = LanguageServer::new();
    loop {
        let answers = match read_frame(&mut input)? {
            Frame::End => return Ok(SessionEnd::Closed),
            Frame::Malformed(reason) => vec![error_without_id(ErrorCode::ParseError, reason)],
            Frame::Content(content) => answer_content(&mut server, &content),
        };
        write_all(output, answers)?;
        if let Some(end) = server.session_end() {
            return Ok(end);
        }
        // While more was typed already, the problems of the text before are of no interest.
        if input.buffer().is_empty() {
            write_all(output, server.take_diagnostics().into_iter().map(to_value))?;
        }
    }
}

fn answer_content(server: &mut LanguageServer, content: &[u8]) -> Vec<Value> {
    let Ok(value) = serde_json::from_slice::<Value>(content) else {
        return vec![error_without_id(ErrorCode::ParseError, "the message is not JSON")];
    };
    let has_id = value.get("id").is_some();
    match serde_json::from_value::<Message>(value) {
        // An identifier that is no whole number and no text makes a request look like a notification.
        Ok(message) if !(has_id && matches!(message, Message::Notification(_))) => {
            server.handle_message(message).into_iter().map(to_value).collect()
        }
        _ => {
            vec![error_without_id(ErrorCode::InvalidRequest, "the message is no request, response or notification")]
        }
    }
}

/// Returns the error for something that cannot be attributed to a request.
fn error_without_id(code: ErrorCode, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code as i32, "message": message } })
}

fn to_value(message: Message) -> Value {
    let mut value = serde_json::to_value(message).unwrap_or_default();
    value["jsonrpc"] = Value::from("2.0");
    value
}

fn write_all(output: &mut impl Write, messages: impl IntoIterator<Item = Value>) -> io::Result<()> {
    messages.into_iter().try_for_each(|message| write_frame(output, &message.to_string()))
}

// The frames of the protocol: a header with a length, an empty line, and as many bytes of JSON.

/// Maximum length of a message in bytes. No format or recipe is nearly as long.
const MAX_MESSAGE_BYTES: u64 = 64 << 20;

/// Maximum length of a line of a header in bytes.
const MAX_HEADER_BYTES: u64 = 4 << 10;

/// The result of reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// The content of a message.
    Content(Vec<u8>),
    /// Something that is no message, with the reason. The next message can still be read.
    Malformed(&'static str),
    /// The end of the stream.
    End,
}

/// Reads the next frame.
///
/// # Errors
/// Returns an error if the stream cannot be read.
pub(crate) fn read_frame(input: &mut impl BufRead) -> io::Result<Frame> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(MAX_HEADER_BYTES).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(Frame::End);
        }
        let line = line.trim_ascii();
        if line.is_empty() {
            break;
        }
        length = content_length(line).or(length);
    }
    match length {
        None => Ok(Frame::Malformed("a message begins with `Content-Length: ` and its length in bytes")),
        Some(length) if length > MAX_MESSAGE_BYTES => {
            io::copy(&mut input.take(length), &mut io::sink())?;
            Ok(Frame::Malformed("the message is too long"))
        }
        Some(length) => {
            let mut content = Vec::new();
            let read = input.take(length).read_to_end(&mut content)?;
            // A stream that ends within a message has no message any more.
            Ok(if u64::try_from(read) == Ok(length) { Frame::Content(content) } else { Frame::End })
        }
    }
}

/// Returns the length that a line of a header states.
fn content_length(line: &[u8]) -> Option<u64> {
    let (name, value) = std::str::from_utf8(line).ok()?.split_once(':')?;
    name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
}

/// Writes a frame.
///
/// # Errors
/// Returns an error if the stream cannot be written.
pub(crate) fn write_frame(output: &mut impl Write, content: &str) -> io::Result<()> {
    write!(output, "Content-Length: {}\r\n\r\n{content}", content.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used, reason = "tests")]

    use super::*;

    /// Returns the messages of the server to those of a client.
    fn talk(messages: &[&str]) -> (SessionEnd, Vec<Value>) {
        let mut input = Vec::new();
        messages.iter().for_each(|message| write_frame(&mut input, message).expect("written"));
        let mut output = Vec::new();
        let end = serve_stream(&input[..], &mut output).expect("slices can be read");
        let mut rest = &output[..];
        let mut found = Vec::new();
        while let Frame::Content(content) = read_frame(&mut rest).expect("a slice can be read") {
            found.push(serde_json::from_slice(&content).expect("JSON"));
        }
        (end, found)
    }

    #[test]
    fn what_is_no_message_is_answered_and_survived() {
        let (end, found) = talk(&[
            "{",
            "[]",
            r#"{"id":1.5,"method":"x"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#,
            r#"{"jsonrpc":"2.0","method":"exit"}"#,
        ]);
        let codes: Vec<_> = found.iter().map(|message| message["error"]["code"].as_i64()).collect();
        assert_eq!(codes, [Some(-32700), Some(-32600), Some(-32600), None, None]);
        assert_eq!((found[4]["id"].as_i64(), found[4]["jsonrpc"].as_str()), (Some(2), Some("2.0")));
        assert_eq!(end, SessionEnd::Clean);
    }

    #[test]
    fn closed_stream_ends_the_session() {
        assert_eq!(talk(&[]), (SessionEnd::Closed, Vec::new()));
        assert_eq!(talk(&[r#"{"method":"exit"}"#]).0, SessionEnd::Abrupt);
    }

    #[test]
    fn problems_are_reported_once_for_several_changes_that_wait() {
        let open = r#"{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.format",
            "languageId":"x","version":1,"text":"n"}}}"#;
        let change = r#"{"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a.format",
            "version":2},"contentChanges":[{"text":"n where 1<=n<=2"}]}}"#;
        let (_, found) = talk(&[r#"{"id":1,"method":"initialize","params":{"capabilities":{}}}"#, open, change]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[1]["params"]["diagnostics"], json!([]));
        assert_eq!(found[1]["params"]["version"], json!(2));
    }

    fn frames(mut bytes: &[u8]) -> Vec<Frame> {
        let mut found = Vec::new();
        while found.last() != Some(&Frame::End) {
            found.push(read_frame(&mut bytes).expect("a slice can be read"));
        }
        found
    }

    #[test]
    fn written_frames_are_read_again() {
        let mut stream = Vec::new();
        write_frame(&mut stream, "{\"a\":\"é\"}").expect("written");
        write_frame(&mut stream, "").expect("written");
        let content = |text: &str| Frame::Content(text.as_bytes().to_vec());
        assert_eq!(frames(&stream), [content("{\"a\":\"é\"}"), content(""), Frame::End]);
    }

    #[test]
    fn messages_behind_malformed_ones_are_read() {
        let stream =
            b"hello\r\nworld: 1\r\n\r\ncontent-length:2\r\nContent-Type: x\r\n\r\n{}Content-Length: -1\r\n\r\n";
        let found = frames(stream);
        assert!(matches!(
            &found[..],
            [Frame::Malformed(_), Frame::Content(content), Frame::Malformed(_), Frame::End] if content == b"{}"
        ));
    }

    #[test]
    fn length_is_no_promise() {
        assert_eq!(frames(b"Content-Length: 99\r\n\r\n{}"), [Frame::End]);
        assert_eq!(frames(b"Content-Length: 18446744073709551615\r\n\r\n{}").len(), 2);
        assert_eq!(frames(b"Content-Length: 99"), [Frame::End]);
    }
}
