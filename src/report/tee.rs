//! The same events to several reports.

use crate::campaign::{Event, Sink};

/// Gives each event to several sinks, in order. The sinks stay their owner's, who can ask them afterwards whether
/// they could write.
#[derive(Default)]
pub struct Tee<'a> {
    sinks: Vec<&'a mut (dyn Sink + Send)>,
}

impl<'a> Tee<'a> {
    /// No sinks yet.
    pub fn new() -> Self {
        Tee::default()
    }

    /// Adds a sink.
    #[must_use]
    pub fn with(mut self, sink: &'a mut (dyn Sink + Send)) -> Self {
        self.sinks.push(sink);
        self
    }
}

impl Sink for Tee<'_> {
    fn take(&mut self, event: &Event) {
        for sink in &mut self.sinks {
            sink.take(event);
        }
    }
}
