//! What was said, to be shown: its beginning and its end, in lines.

use super::Party;
use std::collections::VecDeque;

/// So much is kept of the beginning, and as much of the end.
const PART_BYTES: usize = 32 << 10;

/// So much is kept of a line.
const LINE_BYTES: usize = 1000;

/// Each line costs at least so much, so that empty lines are not kept without end.
const LINE_COST_BYTES: usize = 16;

/// What two programs said, in the order in which it was said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    /// The first lines.
    pub beginning: Vec<Line>,
    /// How many lines are left out between these.
    pub left_out: u64,
    /// The last lines; none if all of it is in the beginning.
    pub end: Vec<Line>,
}

impl Transcript {
    /// All lines that are kept.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.beginning.iter().chain(&self.end)
    }
}

/// A line of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Who said it.
    pub from: Party,
    /// When its first byte came, in microseconds since the programs were started.
    pub at_us: u64,
    /// What was said, without the line feed; at most 1000 bytes of it.
    pub text: Vec<u8>,
    /// How many bytes of it are left out.
    pub left_out_bytes: u64,
    /// Whether a line feed ended it. If not, the other began to speak, or all was over.
    pub is_whole: bool,
}

impl Line {
    fn cost(&self) -> usize {
        self.text.len() + LINE_COST_BYTES
    }
}

/// A transcript that is being written.
#[derive(Default)]
pub(super) struct Recorder {
    transcript: Transcript,
    beginning_bytes: usize,
    is_beginning_over: bool,
    end: VecDeque<Line>,
    end_bytes: usize,
    /// What somebody has begun to say.
    open: Option<Line>,
}

impl Recorder {
    /// Adds what a party writes, at a time in microseconds.
    pub(super) fn add(&mut self, from: Party, at_us: u64, bytes: &[u8]) {
        if self.open.as_ref().is_some_and(|open| open.from != from) {
            self.close(false);
        }
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let text = piece.strip_suffix(b"\n").unwrap_or(piece);
            let open =
                self.open.get_or_insert(Line { from, at_us, text: Vec::new(), left_out_bytes: 0, is_whole: false });
            let kept = text.len().min(LINE_BYTES - open.text.len());
            open.text.extend_from_slice(&text[..kept]);
            open.left_out_bytes += (text.len() - kept) as u64;
            if text.len() < piece.len() {
                self.close(true);
            }
        }
    }

    /// The transcript, when nobody says anything any more.
    pub(super) fn finish(mut self) -> Transcript {
        self.close(false);
        Transcript { end: self.end.into(), ..self.transcript }
    }

    fn close(&mut self, is_whole: bool) {
        let Some(line) = self.open.take() else { return };
        let line = Line { is_whole, ..line };
        self.is_beginning_over |= self.beginning_bytes + line.cost() > PART_BYTES;
        if !self.is_beginning_over {
            self.beginning_bytes += line.cost();
            self.transcript.beginning.push(line);
            return;
        }
        self.end_bytes += line.cost();
        self.end.push_back(line);
        while self.end_bytes > PART_BYTES
            && let Some(line) = self.end.pop_front()
        {
            self.end_bytes -= line.cost();
            self.transcript.left_out += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Party::{Interactor, Submission};

    fn spelt(said: &[(Party, &str)]) -> String {
        let mut recorder = Recorder::default();
        said.iter().for_each(|(from, text)| recorder.add(*from, 0, text.as_bytes()));
        let transcript = recorder.finish();
        let line = |line: &Line| {
            let mark = if line.from == Interactor { '<' } else { '>' };
            let end = if line.is_whole { "" } else { "~" };
            format!("{mark}{}{end}", String::from_utf8_lossy(&line.text))
        };
        transcript.lines().map(line).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lines_are_told_apart_by_who_said_them() {
        let said =
            [(Interactor, "1\n2\n"), (Submission, "a"), (Submission, "b\n\nc"), (Interactor, "3"), (Submission, "\n")];
        assert_eq!(spelt(&said), "<1 <2 >ab > >c~ <3~ >");
        assert_eq!(spelt(&[]), "");
    }

    #[test]
    fn of_a_long_conversation_the_beginning_and_the_end_are_kept() {
        let mut recorder = Recorder::default();
        for i in 0..100_000 {
            recorder.add(Interactor, i, format!("{i}\n").as_bytes());
        }
        let transcript = recorder.finish();
        let kept = transcript.lines().count() as u64;
        assert_eq!(kept + transcript.left_out, 100_000);
        assert!((3000..4000).contains(&kept), "{kept}");
        assert_eq!(transcript.end.last().map(|line| line.text.as_slice()), Some(&b"99999"[..]));
        assert_eq!(transcript.beginning[0].text, b"0");
        assert!(transcript.lines().all(|line| line.text == line.at_us.to_string().as_bytes()));
    }

    #[test]
    fn of_a_long_line_the_beginning_is_kept() {
        let mut recorder = Recorder::default();
        for _ in 0..100 {
            recorder.add(Submission, 0, &[b'x'; 100]);
        }
        recorder.add(Submission, 0, b"\ny");
        let lines: Vec<Line> = recorder.finish().lines().cloned().collect();
        assert_eq!((lines[0].text.len(), lines[0].left_out_bytes, lines[0].is_whole), (1000, 9000, true));
        assert_eq!((lines[1].text.as_slice(), lines[1].is_whole), (&b"y"[..], false));
    }
}
