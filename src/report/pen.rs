//! A writer whose failure is remembered instead of returned.

use super::line::Line;
use std::io::{self, Write};

/// Writes lines to a stream until that fails; from then on it writes nothing.
///
/// A report is not what a search is run for. If its reader has gone (`rebut … | head`), the findings are saved all
/// the same, and the command line asks for the failure at the end.
#[derive(Debug)]
pub(crate) struct Pen<W> {
    stream: W,
    colour: bool,
    width: usize,
    failure: Option<io::Error>,
}

impl<W: Write> Pen<W> {
    /// A pen that cuts lines at `width` columns.
    pub(crate) fn new(stream: W, colour: bool, width: usize) -> Self {
        Pen { stream, colour, width, failure: None }
    }

    /// Writes lines, as one write so that they stay together.
    pub(crate) fn lines(&mut self, lines: impl IntoIterator<Item = Line>) {
        let mut text = String::new();
        for line in lines {
            text.push_str(&line.cut(self.width).render(self.colour));
            text.push('\n');
        }
        self.raw(text.as_bytes());
    }

    /// Writes one line.
    pub(crate) fn line(&mut self, line: Line) {
        self.lines([line]);
    }

    /// Writes bytes that are known to be safe.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        if self.failure.is_none() && !bytes.is_empty() {
            self.failure = self.stream.write_all(bytes).and_then(|()| self.stream.flush()).err();
        }
    }

    /// The first failure.
    pub(crate) fn failure(&self) -> Option<&io::Error> {
        self.failure.as_ref()
    }

    /// Ends with the first failure, if there was one.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.failure.map_or(Ok(()), Err)
    }

    /// The stream.
    pub(crate) fn into_inner(self) -> W {
        self.stream
    }
}
