//! Passes the same events to several reports.

use rebut_engine::event::{Event, EventSink};

/// Passes each event to several sinks, in order. It only borrows the sinks: their owner can check them for write errors
/// afterwards.
#[derive(Default)]
pub struct EventTee<'a> {
    sinks: Vec<&'a mut (dyn EventSink + Send)>,
}

impl<'a> EventTee<'a> {
    /// Creates a tee without sinks.
    pub fn new() -> Self {
        EventTee::default()
    }

    /// Adds a sink.
    #[must_use]
    pub fn with_sink(mut self, sink: &'a mut (dyn EventSink + Send)) -> Self {
        self.sinks.push(sink);
        self
    }
}

impl EventSink for EventTee<'_> {
    fn take_event(&mut self, event: &Event) {
        for sink in &mut self.sinks {
            sink.take_event(event);
        }
    }
}
