//! The sizes of an input on its way to the smallest one.

use crate::event::{Event, EventSink};

/// Maximum number of places on a path; of a longer one, some are left out.
const MAX_PLACES: usize = 200;

/// Passes events on, and records the sizes that those about shrinking name.
pub(super) struct ShrinkPathRecorder<'s> {
    sink: &'s mut dyn EventSink,
    steps: usize,
    path: Vec<(usize, usize)>,
}

impl EventSink for ShrinkPathRecorder<'_> {
    fn take_event(&mut self, event: &Event) {
        if let Event::Shrinking(progress) = event {
            if self.path.is_empty() {
                self.path.push((0, progress.size_before));
            }
            self.add_size(progress.size);
        }
        self.sink.take_event(event);
    }
}

impl<'s> ShrinkPathRecorder<'s> {
    /// Returns a recorder that passes events on.
    pub(super) fn new(sink: &'s mut dyn EventSink) -> ShrinkPathRecorder<'s> {
        ShrinkPathRecorder { sink, steps: 0, path: Vec::new() }
    }

    fn add_size(&mut self, size: usize) {
        self.steps += 1;
        // A pass that begins anew, since the earlier result did not fail again, undoes the steps before it.
        while self.path.last().is_some_and(|(_, last)| *last < size) {
            self.path.pop();
        }
        if self.path.last().is_none_or(|(_, last)| *last > size) {
            self.path.push((self.steps, size));
        }
    }

    /// Returns the number of steps and the size after each step that made the input smaller, from the first size on.
    pub(super) fn into_path(self) -> Vec<(usize, usize)> {
        let (count, every) = (self.path.len(), self.path.len().div_ceil(MAX_PLACES).max(1));
        let is_shown = |(place, _): &(usize, (usize, usize))| place % every == 0 || place + 1 == count;
        self.path.into_iter().enumerate().filter(is_shown).map(|(_, step)| step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::ShrinkProgress;

    /// A sink that ignores all events.
    struct Nothing;

    impl EventSink for Nothing {
        fn take_event(&mut self, _: &Event) {}
    }

    fn path(size_before: usize, sizes: impl IntoIterator<Item = usize>) -> Vec<(usize, usize)> {
        let mut nothing = Nothing;
        let mut recorder = ShrinkPathRecorder::new(&mut nothing);
        for size in sizes {
            let submission = "a.cpp".to_owned();
            recorder.take_event(&Event::Shrinking(ShrinkProgress { submission, size_before, size, tried: 1 }));
        }
        recorder.into_path()
    }

    #[test]
    fn path_has_the_steps_that_made_the_input_smaller() {
        assert_eq!(path(9, []), []);
        assert_eq!(path(9, [9, 7, 7, 4]), [(0, 9), (2, 7), (4, 4)]);
        assert_eq!(path(9, [5, 3, 7, 6]), [(0, 9), (3, 7), (4, 6)], "the first two did not fail again");
    }

    #[test]
    fn long_paths_keep_their_ends() {
        let long = path(5_000, (0..5_000).rev());
        assert!(long.len() <= MAX_PLACES + 1, "{}", long.len());
        assert_eq!((long.first(), long.last()), (Some(&(0, 5_000)), Some(&(5_000, 0))));
    }
}
