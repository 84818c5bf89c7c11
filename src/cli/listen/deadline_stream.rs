//! A connection that can be read until a deadline, however slowly its other end sends.

use std::io::{self, ErrorKind, Read};
use std::net::TcpStream;
use std::time::Instant;

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
