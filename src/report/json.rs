//! Events for programs: one JSON object a line.

use super::pen::Pen;
use crate::campaign::{EVENT_VERSION, Event, Sink};
use crate::diagnostic::to_json;
use std::io::{self, Write};

/// Progress is written once in so many milliseconds.
const PROGRESS_EVERY_MS: u64 = 1000;

/// Writes every event as one JSON object on a line of its own, with the version of the contract; progress at most
/// once a second. Each line is flushed, so that a reader can follow.
#[derive(Debug)]
pub struct Json<W: Write> {
    pen: Pen<W>,
    next_progress_ms: u64,
}

impl<W: Write> Json<W> {
    /// A report that is written to `stream`.
    pub fn new(stream: W) -> Self {
        Json { pen: Pen::new(stream, false, usize::MAX), next_progress_ms: 0 }
    }

    /// The first failure to write, if there was one.
    pub fn write_error(&self) -> Option<&io::Error> {
        self.pen.failure()
    }

    /// The stream, to look at what was written.
    pub fn into_inner(self) -> W {
        self.pen.into_inner()
    }

    fn is_due(&mut self, event: &Event) -> bool {
        let elapsed_ms = match event {
            Event::Progress(progress) => progress.elapsed_ms,
            Event::Building(building) => building.elapsed_ms,
            _ => return true,
        };
        let due = elapsed_ms >= self.next_progress_ms;
        if due {
            self.next_progress_ms = elapsed_ms + PROGRESS_EVERY_MS;
        }
        due
    }
}

impl<W: Write> Sink for Json<W> {
    fn take(&mut self, event: &Event) {
        if self.is_due(event) {
            self.pen.raw(object(event).as_bytes());
        }
    }
}

/// The line of one event. The version comes first, so that a reader can refuse what it does not know.
fn object(event: &Event) -> String {
    let Ok(text) = to_json(event) else { return String::new() };
    let fields = text.strip_prefix('{').unwrap_or(&text);
    format!("{{\"version\":{EVENT_VERSION},{fields}\n")
}
