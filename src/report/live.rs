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
}

/// Takes the lines away for good: a panic or an early return leaves no half-drawn block behind.
impl Drop for Live {
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

    /// A terminal that keeps what is written to it; a cleared line is a minus.
    #[derive(Clone, Debug, Default)]
    struct Recorder(Arc<Mutex<String>>);

    impl Recorder {
        fn add(&self, text: &str) -> io::Result<()> {
            self.0.lock().map(|mut all| all.push_str(text)).map_err(|_| io::ErrorKind::Other.into())
        }
    }

    impl TermLike for Recorder {
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
            self.add(text)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.add(text)
        }
        fn clear_line(&self) -> io::Result<()> {
            self.add("-")
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_block_is_gone_while_others_write_and_at_the_end() {
        let screen = Recorder::default();
        let live = Live::new(ProgressDrawTarget::term_like(Box::new(screen.clone())), 40, false);
        live.draw(vec![Line::plain("one"), Line::plain("two")]);
        live.aside(|| screen.add("aside")).unwrap();
        drop(live);
        let text: String = screen.0.lock().unwrap().split_whitespace().collect();
        assert_eq!(text, "onetwo--asideonetwo--");
    }
}
