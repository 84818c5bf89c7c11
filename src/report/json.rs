//! Events as JSON lines.

use super::writer::ReportWriter;
use rebut_diagnostics::to_json;
use rebut_engine::event::{EVENT_VERSION, Event, EventSink};
use std::io::{self, Write};

/// Minimum time between two progress events, in milliseconds.
const PROGRESS_INTERVAL_MS: u64 = 1000;

/// Writes every event as one JSON object per line, with the version of the schema; progress at most once a second. Each
/// line is flushed, so that a reader can follow.
#[derive(Debug)]
pub struct JsonReport<W: Write> {
    writer: ReportWriter<W>,
    next_progress_ms: u64,
}

impl<W: Write> JsonReport<W> {
    /// Creates a report that writes to `stream`.
    pub fn new(stream: W) -> Self {
        JsonReport { writer: ReportWriter::new(stream, false, usize::MAX), next_progress_ms: 0 }
    }

    /// Returns the first write error, if any.
    pub fn write_error(&self) -> Option<&io::Error> {
        self.writer.first_error()
    }

    /// Returns the stream.
    pub fn into_inner(self) -> W {
        self.writer.into_inner()
    }

    fn is_due(&mut self, event: &Event) -> bool {
        let elapsed_ms = match event {
            Event::Progress(progress) => progress.elapsed_ms,
            Event::Building(building) => building.elapsed_ms,
            _ => return true,
        };
        let due = elapsed_ms >= self.next_progress_ms;
        if due {
            self.next_progress_ms = elapsed_ms + PROGRESS_INTERVAL_MS;
        }
        due
    }
}

impl<W: Write> EventSink for JsonReport<W> {
    fn take_event(&mut self, event: &Event) {
        if self.is_due(event) {
            self.writer.write_raw(event_json_line(event).as_bytes());
        }
    }
}

/// Returns the line of one event. The version comes first, so that a reader can reject versions it does not support.
fn event_json_line(event: &Event) -> String {
    let Ok(text) = to_json(event) else { return String::new() };
    let fields = text.strip_prefix('{').unwrap_or(&text);
    format!("{{\"version\":{EVENT_VERSION},{fields}\n")
}
