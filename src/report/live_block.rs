//! A block of lines that is redrawn in place on a terminal.

use super::styled_line::StyledLine;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Lines that are redrawn in place. `indicatif` limits the redraw rate and clears the lines.
pub(crate) struct LiveBlock {
    bar: ProgressBar,
    width: usize,
    colour: bool,
}

impl LiveBlock {
    /// Creates a block on a terminal, without drawing it.
    pub(crate) fn new(target: ProgressDrawTarget, width: usize, colour: bool) -> Self {
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{msg}") {
            bar.set_style(style);
        }
        // The last column stays free: some terminals begin a new line as soon as it is written.
        LiveBlock { bar, width: width.saturating_sub(1), colour }
    }

    /// Replaces the lines.
    pub(crate) fn draw_lines(&self, lines: Vec<StyledLine>) {
        let rendered: Vec<String> =
            lines.into_iter().map(|line| line.cut_to_width(self.width).render_ansi(self.colour)).collect();
        self.bar.set_message(rendered.join("\n"));
    }

    /// Clears the lines while something else is written.
    pub(crate) fn suspend_while<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

/// Clears the lines, so that a panic or an early return leaves no half-drawn block.
impl Drop for LiveBlock {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use indicatif::TermLike;
    use std::io;
    use std::sync::{Arc, Mutex};

    /// A terminal that records its output; a cleared line is a minus.
    #[derive(Clone, Debug, Default)]
    struct TerminalRecorder(Arc<Mutex<String>>);

    impl TerminalRecorder {
        fn append_text(&self, text: &str) -> io::Result<()> {
            self.0.lock().map(|mut all| all.push_str(text)).map_err(|_| io::ErrorKind::Other.into())
        }
    }

    impl TermLike for TerminalRecorder {
        fn width(&self) -> u16 {
            40
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.append_text(text)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.append_text(text)
        }
        fn clear_line(&self) -> io::Result<()> {
            self.append_text("-")
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn live_block_is_cleared_during_other_writes_and_on_drop() {
        let screen = TerminalRecorder::default();
        let live = LiveBlock::new(ProgressDrawTarget::term_like(Box::new(screen.clone())), 40, false);
        live.draw_lines(vec![StyledLine::from_plain("one"), StyledLine::from_plain("two")]);
        live.suspend_while(|| screen.append_text("aside")).unwrap();
        drop(live);
        let text: String = screen.0.lock().unwrap().split_whitespace().collect();
        assert_eq!(text, "onetwo--asideonetwo--");
    }
}
