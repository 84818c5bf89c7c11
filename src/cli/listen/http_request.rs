//! Requests of HTTP, as far as a listener on the loopback address needs them, and which of them are trusted.
//!
//! Every page that the user visits can send requests to this computer. A browser says which page a request comes from,
//! and the extension's requests come from none, so requests of pages are refused. So are those with a foreign name in
//! `Host`, by which a page could make the browser take the listener for its own server.

use std::io::{self, ErrorKind, Read};
use std::net::TcpStream;
use std::time::Instant;

/// Maximum length of the request line and the headers in bytes.
const MAX_HEAD_BYTES: usize = 16 << 10;

/// Maximum number of headers.
const MAX_HEADERS: usize = 64;

/// Maximum length of a body in bytes: all samples of a problem.
const MAX_BODY_BYTES: usize = 16 << 20;

/// The prefixes of the origins of extensions.
const EXTENSION_ORIGINS: [&str; 3] = ["chrome-extension://", "moz-extension://", "safari-web-extension://"];

/// The names of this computer in `Host`.
const LOOPBACK_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// The status code.
    pub(super) status: u16,
    /// The reason, in one sentence.
    pub(super) reason: &'static str,
}

const fn refusal(status: u16, reason: &'static str) -> Refusal {
    Refusal { status, reason }
}

/// What a server needs of the request line and the headers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct RequestHead {
    method: String,
    headers: Vec<(String, String)>,
}

impl RequestHead {
    /// Returns the value of a header; an error if there are several.
    fn header(&self, name: &str) -> Result<Option<&str>, Refusal> {
        let mut found = self.headers.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
        match (found.next(), found.next()) {
            (_, Some(_)) => Err(refusal(400, "a header comes twice")),
            (first, None) => Ok(first.map(|(_, value)| value.trim())),
        }
    }
}

/// Reads a request, and returns its body if it is trusted. The rest of a refused request is not read.
///
/// # Errors
/// Returns an error if the stream cannot be read.
pub(super) fn read_trusted_body(stream: &mut impl Read) -> io::Result<Result<Vec<u8>, Refusal>> {
    let (head, mut body) = match read_head(stream)? {
        Ok(read) => read,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let length = match check_head(&head) {
        Ok(length) => length,
        Err(refusal) => return Ok(Err(refusal)),
    };
    if body.len() > length {
        return Ok(Err(refusal(400, "the body is longer than its length")));
    }
    let missing = u64::try_from(length - body.len()).unwrap_or(0);
    stream.take(missing).read_to_end(&mut body)?;
    Ok(if body.len() == length { Ok(body) } else { Err(refusal(400, "the body is shorter than its length")) })
}

/// Reads a head, and returns it with the start of the body that was read with it.
fn read_head(stream: &mut impl Read) -> io::Result<Result<(RequestHead, Vec<u8>), Refusal>> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let read = stream.read(&mut chunk)?;
        bytes.extend_from_slice(&chunk[..read]);
        match parse_head(&bytes) {
            Err(refusal) => return Ok(Err(refusal)),
            Ok(Some((head, length))) => return Ok(Ok((head, bytes.split_off(length)))),
            Ok(None) if bytes.len() > MAX_HEAD_BYTES => return Ok(Err(refusal(431, "the headers are too long"))),
            Ok(None) if read == 0 => return Ok(Err(refusal(400, "the request is not complete"))),
            Ok(None) => {}
        }
    }
}

/// Parses a head, and returns it with its length; `None` if it is not complete yet.
fn parse_head(bytes: &[u8]) -> Result<Option<(RequestHead, usize)>, Refusal> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(bytes) {
        Err(httparse::Error::TooManyHeaders) => Err(refusal(431, "there are too many headers")),
        Err(_) => Err(refusal(400, "this is no request of HTTP")),
        Ok(httparse::Status::Partial) => Ok(None),
        Ok(httparse::Status::Complete(length)) if length > MAX_HEAD_BYTES => {
            Err(refusal(431, "the headers are too long"))
        }
        Ok(httparse::Status::Complete(length)) => {
            let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
            let headers = request.headers.iter().map(|header| (header.name.to_owned(), text(header.value)));
            let head =
                RequestHead { method: request.method.unwrap_or_default().to_owned(), headers: headers.collect() };
            Ok(Some((head, length)))
        }
    }
}

/// Returns the length of the body of a request that is trusted.
fn check_head(head: &RequestHead) -> Result<usize, Refusal> {
    let host = head.header("host")?.unwrap_or_default();
    let name = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()));
    let name = name.map_or(host, |(name, _)| name);
    if !LOOPBACK_NAMES.iter().any(|known| known.eq_ignore_ascii_case(name)) {
        return Err(refusal(403, "only requests to `localhost` are answered"));
    }
    let is_extension = |origin: &str| EXTENSION_ORIGINS.iter().any(|prefix| origin.starts_with(prefix));
    if head.header("origin")?.is_some_and(|origin| !is_extension(origin)) {
        return Err(refusal(403, "requests of pages are refused"));
    }
    if head.method != "POST" {
        return Err(refusal(405, "problems are sent by POST"));
    }
    let content_type = head.header("content-type")?.unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    // A page can send other types without the question that a browser asks first.
    if !media_type.eq_ignore_ascii_case("application/json") {
        return Err(refusal(415, "problems are sent as `application/json`"));
    }
    if head.header("transfer-encoding")?.is_some() {
        return Err(refusal(411, "the length of the body is missing"));
    }
    let length = head.header("content-length")?.ok_or(refusal(411, "the length of the body is missing"))?;
    let is_number = !length.is_empty() && length.bytes().all(|b| b.is_ascii_digit());
    match length.parse::<usize>() {
        Ok(length) if is_number && length <= MAX_BODY_BYTES => Ok(length),
        _ if is_number => Err(refusal(413, "the problem is too large")),
        _ => Err(refusal(400, "the length of the body is no number")),
    }
}

// A connection that can be read until a deadline, however slowly its other end sends.

/// A connection with a deadline.
pub(super) struct DeadlineStream {
    stream: TcpStream,
    deadline: Instant,
}

impl DeadlineStream {
    pub(super) fn new(stream: TcpStream, deadline: Instant) -> DeadlineStream {
        DeadlineStream { stream, deadline }
    }

    /// Reads until the other end closes the connection, or until another deadline.
    pub(super) fn discard_until(&mut self, deadline: Instant) {
        self.deadline = deadline;
        // There is nothing left to do if it fails.
        let _ = io::copy(self, &mut io::sink());
    }
}

impl Read for DeadlineStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// A stream that gives a few bytes at a time.
    struct Slowly<'b>(&'b [u8]);

    impl Read for Slowly<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.0.len().min(buffer.len()).min(7);
            buffer[..length].copy_from_slice(&self.0[..length]);
            self.0 = &self.0[length..];
            Ok(length)
        }
    }

    fn read(request: &str) -> Result<Vec<u8>, u16> {
        let slowly = read_trusted_body(&mut Slowly(request.as_bytes())).unwrap();
        let at_once = read_trusted_body(&mut request.as_bytes()).unwrap();
        assert_eq!(slowly, at_once, "{request}");
        slowly.map_err(|refusal| refusal.status)
    }

    /// A request with these headers and the length of the body.
    fn request(method: &str, headers: &[&str], body: &str) -> String {
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        format!("{method} / HTTP/1.1\r\n{headers}Content-Length: {}\r\n\r\n{body}", body.len())
    }

    const HOST: &str = "Host: localhost:10043";
    const JSON: &str = "Content-Type: application/json";

    #[test]
    fn requests_of_the_extension_are_trusted() {
        for host in ["Host: localhost:10043", "host: 127.0.0.1:1", "HOST: [::1]:10043", "Host: LOCALHOST"] {
            assert_eq!(read(&request("POST", &[host, JSON], "{}")), Ok(b"{}".to_vec()), "{host}");
        }
        for origin in ["chrome-extension://cjnmck", "moz-extension://1b4e28ba-2fa1-11d2-883f"] {
            let headers = [HOST, "Content-Type: application/json; charset=utf-8", &format!("Origin: {origin}")];
            assert_eq!(read(&request("POST", &headers, "[1]")), Ok(b"[1]".to_vec()), "{origin}");
        }
    }

    #[test]
    fn requests_of_pages_are_refused() {
        for origin in ["https://evil.example", "null", "http://localhost:3000", "https://chrome-extension://x", ""] {
            let headers = [HOST, JSON, &format!("Origin: {origin}")];
            assert_eq!(read(&request("POST", &headers, "{}")), Err(403), "{origin}");
        }
        for host in ["Host: evil.example:10043", "Host: localhost.evil.example", "Host: localhost@evil", "X: y"] {
            assert_eq!(read(&request("POST", &[host, JSON], "{}")), Err(403), "{host}");
        }
        assert_eq!(read(&request("POST", &[HOST, "Content-Type: text/plain"], "{}")), Err(415));
        assert_eq!(read(&request("OPTIONS", &[HOST, JSON], "")), Err(405));
        assert_eq!(read(&request("GET", &[HOST], "")), Err(405));
        assert_eq!(read(&request("POST", &[HOST, HOST, JSON], "{}")), Err(400));
    }

    #[test]
    fn lengths_are_bounded() {
        let with_length = |length: &str| read(&format!("POST / HTTP/1.1\r\n{HOST}\r\n{JSON}\r\n{length}\r\n\r\n{{}}"));
        assert_eq!(with_length("Content-Length: 2"), Ok(b"{}".to_vec()));
        assert_eq!(with_length("Content-Length: 1"), Err(400));
        assert_eq!(with_length("Content-Length: 3"), Err(400));
        assert_eq!(with_length("Content-Length: 99999999999999999999999"), Err(413));
        assert_eq!(with_length("Content-Length: +2"), Err(400));
        assert_eq!(with_length("X: y"), Err(411));
        assert_eq!(with_length("Transfer-Encoding: chunked\r\nContent-Length: 2"), Err(411));
        let long = format!("X: {}", "y".repeat(MAX_HEAD_BYTES));
        assert_eq!(read(&request("POST", &[HOST, JSON, &long], "{}")), Err(431));
        let many = vec!["X: y"; MAX_HEADERS + 1];
        assert_eq!(read(&request("POST", &many, "{}")), Err(431));
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for text in ["", "POST", "\0\0", "hello world\r\n\r\n", "POST / HTTP/1.1\r\nHost"] {
            assert_eq!(read(text), Err(400), "{text:?}");
        }
    }
}
