//! Events for people.

use super::Options;
use super::pen::Pen;
use crate::campaign::{Event, Sink};
use crate::format::Format;
use std::io::{self, Write};

/// Text for people: results to one stream, everything on the way to another.
///
/// With results on the standard output and the rest on the standard error, `rebut … > report.txt` keeps what one
/// wants to keep. Where the standard output carries data, both are the standard error.
pub struct Terminal<W: Write, E: Write> {
    out: Pen<W>,
    err: Pen<E>,
    options: Options,
    format: Option<Format>,
}

impl<W: Write, E: Write> Terminal<W, E> {
    /// A report whose results go to `out`, and the rest to `err`.
    pub fn new(out: W, err: E, options: Options) -> Self {
        let width = options.width;
        Terminal {
            out: Pen::new(out, options.colour, width),
            err: Pen::new(err, options.colour_stderr, width),
            options,
            format: None,
        }
    }

    /// Reads inputs by `format`, to draw a board beside an input that has one.
    #[must_use]
    pub fn with_format(self, format: Format) -> Self {
        Terminal { format: Some(format), ..self }
    }

    /// The first failure to write results, if there was one.
    pub fn write_error(&self) -> Option<&io::Error> {
        self.out.failure()
    }
}

impl<W: Write, E: Write> Sink for Terminal<W, E> {
    fn take(&mut self, event: &Event) {
        let _ = (event, &self.options, &self.format, &mut self.err);
    }
}
