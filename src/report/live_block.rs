//! A block of lines that is redrawn in place on a terminal.

use super::styled_line::{StyledLine, TextStyle, flow_pieces};
use super::units;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rebut_diagnostics::{group_thousands, to_millis};
use rebut_engine::event::ActivityEvent;
use std::time::{Duration, Instant};

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

// Shows the current activity when nothing else has been written for a while.

/// Maximum time without any output.
const MAX_SILENCE: Duration = Duration::from_secs(2);

/// Time between two log lines about the same activity. Logs are read afterwards and should stay short.
const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// Time between two redraws on a terminal.
const REDRAW_INTERVAL: Duration = Duration::from_secs(1);

/// Decides when the current activity has to be shown, and renders it. The caller passes all times.
#[derive(Debug)]
pub(crate) struct Heartbeat {
    activity: ActivityEvent,
    activity_started_at: Instant,
    last_shown_at: Instant,
    /// Whether the last output was about the current activity.
    has_shown_activity: bool,
}

impl Heartbeat {
    pub(crate) fn new(now: Instant) -> Self {
        Heartbeat {
            activity: ActivityEvent::default(),
            activity_started_at: now,
            last_shown_at: now,
            has_shown_activity: false,
        }
    }

    /// Sets the current activity and its progress.
    pub(crate) fn set_activity(&mut self, activity: &ActivityEvent, now: Instant) {
        if (activity.verb, &activity.subject) != (self.activity.verb, &self.activity.subject) {
            self.activity_started_at = now;
            self.has_shown_activity = false;
        }
        self.activity = activity.clone();
    }

    /// Counts one more item as done.
    pub(crate) fn increment_done(&mut self) {
        self.activity.done += 1;
    }

    /// Sets the number of items that are done.
    pub(crate) fn set_done(&mut self, done: u64) {
        self.activity.done = done;
    }

    /// Records that something else was shown.
    pub(crate) fn mark_shown(&mut self, now: Instant) {
        self.last_shown_at = now;
        self.has_shown_activity = false;
    }

    /// Returns the lines to show now, if any are due, and records them as shown.
    pub(crate) fn take_due_lines(
        &mut self,
        now: Instant,
        is_interactive: bool,
        width: usize,
    ) -> Option<Vec<StyledLine>> {
        let pause = match (self.has_shown_activity, is_interactive) {
            (false, _) => MAX_SILENCE,
            (true, true) => REDRAW_INTERVAL,
            (true, false) => LOG_INTERVAL,
        };
        if now.saturating_duration_since(self.last_shown_at) < pause {
            return None;
        }
        (self.last_shown_at, self.has_shown_activity) = (now, true);
        Some(self.render_activity(now, width))
    }

    /// `  Verifying  different   34 of 120 runs   12.0 s`.
    fn render_activity(&self, now: Instant, width: usize) -> Vec<StyledLine> {
        let ActivityEvent { verb, subject, done, of, noun } = &self.activity;
        let verb = if verb.is_empty() { "Working" } else { verb };
        let count = |count: u64| group_thousands(count.into());
        let progress = match of {
            _ if noun.is_empty() => String::new(),
            Some(of) => format!("{} of {} {noun}", count(*done), count(*of)),
            None => format!("{} {noun}", count(*done)),
        };
        let elapsed = now.saturating_duration_since(self.activity_started_at);
        let elapsed = units::format_duration(to_millis(elapsed));
        let facts = [
            StyledLine::from_styled(TextStyle::Bold, subject),
            progress.into(),
            StyledLine::from_styled(TextStyle::Dim, elapsed),
        ];
        flow_pieces(StyledLine::from_verb(verb), facts, 3, width)
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

    fn rendered_text(lines: Option<Vec<StyledLine>>) -> Option<String> {
        lines.map(|lines| lines.into_iter().map(|line| line.render_ansi(false)).collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn heartbeat_appears_after_two_seconds_of_silence() {
        let start = Instant::now();
        let after = |ms: u64| start + Duration::from_millis(ms);
        let mut heartbeat = Heartbeat::new(start);
        heartbeat.set_activity(
            &ActivityEvent { of: Some(120), noun: "runs", ..ActivityEvent::new("Verifying", "different") },
            after(500),
        );
        heartbeat.increment_done();
        assert_eq!(rendered_text(heartbeat.take_due_lines(after(1900), false, 80)), None);
        let line = rendered_text(heartbeat.take_due_lines(after(2500), false, 80)).unwrap();
        assert_eq!(line.split_whitespace().collect::<Vec<_>>().join(" "), "Verifying different 1 of 120 runs 2.0 s");
    }

    #[test]
    fn log_repeats_a_known_activity_rarely_and_a_new_one_soon() {
        let start = Instant::now();
        let after = |s: u64| start + Duration::from_secs(s);
        for (is_interactive, expected) in [(false, vec![2, 12, 22]), (true, (2..26).collect())] {
            let mut heartbeat = Heartbeat::new(start);
            heartbeat.set_activity(&ActivityEvent::new("Shrinking", "a.cpp"), start);
            let shown_at: Vec<u64> =
                (0..26).filter(|s| heartbeat.take_due_lines(after(*s), is_interactive, 80).is_some()).collect();
            assert_eq!(shown_at, expected);
        }
        let mut heartbeat = Heartbeat::new(start);
        heartbeat.set_activity(&ActivityEvent::new("Shrinking", "a.cpp"), start);
        assert!(heartbeat.take_due_lines(after(2), false, 80).is_some());
        heartbeat.set_activity(&ActivityEvent::new("Proving", "a.cpp"), after(3));
        assert!(
            heartbeat.take_due_lines(after(3), false, 80).is_none()
                && heartbeat.take_due_lines(after(4), false, 80).is_some()
        );
        heartbeat.mark_shown(after(5));
        assert!(
            heartbeat.take_due_lines(after(6), false, 80).is_none()
                && heartbeat.take_due_lines(after(7), false, 80).is_some()
        );
    }
}
