//! The block of lines that is redrawn in place on a terminal.

use super::line::Line;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Lines that are redrawn in place. What they say is made elsewhere; drawing them, not too often, and taking them
/// away again is what the library is for.
pub(crate) struct Live {
    bar: ProgressBar,
    width: usize,
    colour: bool,
}

impl Live {
    /// A block on that terminal; nothing is drawn yet.
    pub(crate) fn new(target: ProgressDrawTarget, width: usize, colour: bool) -> Self {
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{msg}") {
            bar.set_style(style);
        }
        // The last column stays free: some terminals begin a new line as soon as it is written.
        Live { bar, width: width.saturating_sub(1), colour }
    }

    /// Draws the lines in place of the last ones.
    pub(crate) fn draw(&self, lines: Vec<Line>) {
        let rendered: Vec<String> = lines.into_iter().map(|line| line.cut(self.width).render(self.colour)).collect();
        self.bar.set_message(rendered.join("\n"));
    }

    /// Takes the lines away while something else is written.
    pub(crate) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Takes the lines away for good.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// A panic or an early return leaves no half-drawn block behind.
impl Drop for Live {
    fn drop(&mut self) {
        self.clear();
    }
}
