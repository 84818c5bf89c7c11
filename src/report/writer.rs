//! A writer that keeps its first error instead of returning it.

use super::styled_line::StyledLine;
use std::io::{self, Write};

/// Writes lines to a stream until that fails, and nothing afterwards.
///
/// A report is not the purpose of a search: if its reader is gone (`rebut … | head`), findings are saved all the same,
/// and the command line checks for the error at the end.
#[derive(Debug)]
pub(crate) struct ReportWriter<W> {
    stream: W,
    colour: bool,
    width: usize,
    first_error: Option<io::Error>,
}

impl<W: Write> ReportWriter<W> {
    /// Creates a writer that cuts lines at `width` columns.
    pub(crate) fn new(stream: W, colour: bool, width: usize) -> Self {
        ReportWriter { stream, colour, width, first_error: None }
    }

    /// Writes lines in a single write, so that they stay together.
    pub(crate) fn write_lines(&mut self, lines: impl IntoIterator<Item = StyledLine>) {
        let mut text = String::new();
        for line in lines {
            text.push_str(&line.cut_to_width(self.width).render_ansi(self.colour));
            text.push('\n');
        }
        self.write_raw(text.as_bytes());
    }

    /// Writes bytes that are known to be safe.
    pub(crate) fn write_raw(&mut self, bytes: &[u8]) {
        if self.first_error.is_none() && !bytes.is_empty() {
            self.first_error = self.stream.write_all(bytes).and_then(|()| self.stream.flush()).err();
        }
    }

    pub(crate) fn first_error(&self) -> Option<&io::Error> {
        self.first_error.as_ref()
    }

    /// Returns the first write error, if any.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.first_error.map_or(Ok(()), Err)
    }

    /// Returns the stream.
    pub(crate) fn into_inner(self) -> W {
        self.stream
    }
}
