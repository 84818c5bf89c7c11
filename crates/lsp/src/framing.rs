//! The frames of the protocol: a header with a length, an empty line, and as many bytes of JSON.

use std::io::{self, BufRead, Read as _, Write};

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
