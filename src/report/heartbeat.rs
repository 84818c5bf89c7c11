//! What is shown while nothing else is: what the command is doing, and how far it is.

use super::amounts;
use super::layout::flow;
use super::line::Line;
use super::tone::Tone;
use crate::campaign::Activity;
use crate::diagnostic::counted;
use std::time::{Duration, Instant};

/// Maximum time in which nothing appears.
const SILENCE: Duration = Duration::from_secs(2);

/// Time between two lines of a log about the same activity: it is read afterwards, and need not be long.
const LOG_SILENCE: Duration = Duration::from_secs(10);

/// Time between two redraws on a terminal.
const REDRAW: Duration = Duration::from_secs(1);

/// Decides when a sign of life is due, and what it says. All times are given by the caller.
#[derive(Debug)]
pub(crate) struct Heartbeat {
    activity: Activity,
    /// When the activity began.
    began: Instant,
    /// When something was shown last.
    shown: Instant,
    /// Whether that was a line about the present activity.
    is_known: bool,
}

impl Heartbeat {
    pub(crate) fn new(now: Instant) -> Self {
        Heartbeat { activity: Activity::default(), began: now, shown: now, is_known: false }
    }

    /// Notes what is done from now on, or how far it is.
    pub(crate) fn note(&mut self, activity: &Activity, now: Instant) {
        if (activity.verb, &activity.subject) != (self.activity.verb, &self.activity.subject) {
            self.began = now;
            self.is_known = false;
        }
        self.activity = activity.clone();
    }

    /// Notes that one more of what is counted is done.
    pub(crate) fn add_one(&mut self) {
        self.activity.done += 1;
    }

    /// Notes how much of the present activity is done.
    pub(crate) fn set_done(&mut self, done: u64) {
        self.activity.done = done;
    }

    /// Notes that something else was shown.
    pub(crate) fn note_shown(&mut self, now: Instant) {
        self.shown = now;
        self.is_known = false;
    }

    /// Returns the line that is due by now, if one is; it counts as shown.
    pub(crate) fn beat(&mut self, now: Instant, is_interactive: bool, width: usize) -> Option<Vec<Line>> {
        let pause = match (self.is_known, is_interactive) {
            (false, _) => SILENCE,
            (true, true) => REDRAW,
            (true, false) => LOG_SILENCE,
        };
        if now.saturating_duration_since(self.shown) < pause {
            return None;
        }
        (self.shown, self.is_known) = (now, true);
        Some(self.lines(now, width))
    }

    /// `  Verifying  different   34 of 120 runs   12.0 s`.
    fn lines(&self, now: Instant, width: usize) -> Vec<Line> {
        let Activity { verb, subject, done, of, noun } = &self.activity;
        let verb = if verb.is_empty() { "Working" } else { verb };
        let far = match of {
            _ if noun.is_empty() => Line::new(),
            Some(of) => Line::plain(format!("{} of {} {noun}", counted((*done).into()), counted((*of).into()))),
            None => Line::plain(format!("{} {noun}", counted((*done).into()))),
        };
        let elapsed = now.saturating_duration_since(self.began);
        let elapsed = amounts::duration(u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX));
        let facts = [Line::new().tone(Tone::Bold, subject), far, Line::new().tone(Tone::Dim, elapsed)];
        flow(super::terminal::verb_line(verb), facts.into_iter().filter(|fact| !fact.is_empty()), 3, width)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn text(lines: Option<Vec<Line>>) -> Option<String> {
        lines.map(|lines| lines.into_iter().map(|line| line.render(false)).collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn silence_is_broken_after_two_seconds_with_what_is_done_and_how_far() {
        let start = Instant::now();
        let after = |ms: u64| start + Duration::from_millis(ms);
        let mut heart = Heartbeat::new(start);
        heart.note(&Activity { of: Some(120), noun: "runs", ..Activity::new("Verifying", "different") }, after(500));
        heart.add_one();
        assert_eq!(text(heart.beat(after(1900), false, 80)), None);
        let line = text(heart.beat(after(2500), false, 80)).unwrap();
        assert_eq!(line.split_whitespace().collect::<Vec<_>>().join(" "), "Verifying different 1 of 120 runs 2.0 s");
    }

    #[test]
    fn log_repeats_a_known_activity_rarely_and_a_new_one_soon() {
        let start = Instant::now();
        let after = |s: u64| start + Duration::from_secs(s);
        for (is_interactive, expected) in [(false, vec![2, 12, 22]), (true, (2..26).collect())] {
            let mut heart = Heartbeat::new(start);
            heart.note(&Activity::new("Shrinking", "a.cpp"), start);
            let beats: Vec<u64> = (0..26).filter(|s| heart.beat(after(*s), is_interactive, 80).is_some()).collect();
            assert_eq!(beats, expected);
        }
        let mut heart = Heartbeat::new(start);
        heart.note(&Activity::new("Shrinking", "a.cpp"), start);
        assert!(heart.beat(after(2), false, 80).is_some());
        heart.note(&Activity::new("Proving", "a.cpp"), after(3));
        assert!(heart.beat(after(3), false, 80).is_none() && heart.beat(after(4), false, 80).is_some());
        heart.note_shown(after(5));
        assert!(heart.beat(after(6), false, 80).is_none() && heart.beat(after(7), false, 80).is_some());
    }
}
