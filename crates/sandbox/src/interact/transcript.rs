//! The transcript of an interaction, for display: its beginning and its end, in lines.

use super::InteractionParty;
use std::collections::VecDeque;

/// Maximum number of bytes of the beginning that are kept, and of the end.
const MAX_PART_BYTES: usize = 32 << 10;

/// Maximum number of bytes of a line that are kept.
const MAX_LINE_BYTES: usize = 1000;

/// Additional cost of each line, so that the number of empty lines is limited as well.
const LINE_OVERHEAD_BYTES: usize = 16;

/// The data exchanged by two programs, in the order in which it was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    /// The first lines.
    pub beginning: Vec<TranscriptLine>,
    /// Number of lines omitted between `beginning` and `end`.
    pub omitted_lines: u64,
    /// The last lines; empty if all lines are in `beginning`.
    pub end: Vec<TranscriptLine>,
    /// The length of the whole exchange.
    pub length: ConversationLength,
}

/// The length of a conversation. Of two, the longer one has more messages, or as many and more bytes. It does not depend
/// on how fast each party writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ConversationLength {
    /// Number of messages: the lines of each party, including an unfinished one at its end.
    pub messages: u64,
    /// Number of those that the submission wrote.
    pub questions: u64,
    /// Number of bytes, including line feeds.
    pub bytes: u64,
}

impl ConversationLength {
    /// Returns the length of this conversation and the next one together.
    #[must_use]
    pub fn followed_by(self, next: ConversationLength) -> ConversationLength {
        ConversationLength {
            messages: self.messages + next.messages,
            questions: self.questions + next.questions,
            bytes: self.bytes + next.bytes,
        }
    }
}

impl Transcript {
    /// Returns all lines that are kept.
    pub fn kept_lines(&self) -> impl Iterator<Item = &TranscriptLine> {
        self.beginning.iter().chain(&self.end)
    }
}

/// A line of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranscriptLine {
    /// The party that wrote it.
    pub from: InteractionParty,
    /// When its first byte arrived, in microseconds since the programs were started.
    pub at_us: u64,
    /// The text without the line feed, at most 1000 bytes.
    pub text: Vec<u8>,
    /// Number of bytes omitted from the text.
    pub omitted_bytes: u64,
    /// True if it ended with a line feed. Otherwise the other party wrote next, or the interaction was over.
    pub is_complete: bool,
}

impl TranscriptLine {
    fn cost_bytes(&self) -> usize {
        self.text.len() + LINE_OVERHEAD_BYTES
    }
}

/// A transcript that is being recorded.
#[derive(Default)]
pub(super) struct TranscriptRecorder {
    transcript: Transcript,
    beginning_bytes: usize,
    is_beginning_full: bool,
    end: VecDeque<TranscriptLine>,
    end_bytes: usize,
    /// A line that is not finished.
    open_line: Option<TranscriptLine>,
    /// Whether the last message of each party is unfinished.
    has_open_message: [bool; 2],
}

impl TranscriptRecorder {
    /// Adds output of a party, at a time in microseconds.
    pub(super) fn record_bytes(&mut self, from: InteractionParty, at_us: u64, bytes: &[u8]) {
        if self.open_line.as_ref().is_some_and(|open| open.from != from) {
            self.close_line(false);
        }
        self.transcript.length.bytes += bytes.len() as u64;
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let text = piece.strip_suffix(b"\n").unwrap_or(piece);
            let was_open = std::mem::replace(&mut self.has_open_message[from as usize], text.len() == piece.len());
            self.transcript.length.messages += u64::from(!was_open);
            self.transcript.length.questions += u64::from(!was_open && from == InteractionParty::Submission);
            let open = self.open_line.get_or_insert(TranscriptLine {
                from,
                at_us,
                text: Vec::new(),
                omitted_bytes: 0,
                is_complete: false,
            });
            let kept = text.len().min(MAX_LINE_BYTES - open.text.len());
            open.text.extend_from_slice(&text[..kept]);
            open.omitted_bytes += (text.len() - kept) as u64;
            if text.len() < piece.len() {
                self.close_line(true);
            }
        }
    }

    pub(super) fn finish(mut self) -> Transcript {
        self.close_line(false);
        Transcript { end: self.end.into(), ..self.transcript }
    }

    fn close_line(&mut self, is_complete: bool) {
        let Some(line) = self.open_line.take() else { return };
        let line = TranscriptLine { is_complete, ..line };
        self.is_beginning_full |= self.beginning_bytes + line.cost_bytes() > MAX_PART_BYTES;
        if !self.is_beginning_full {
            self.beginning_bytes += line.cost_bytes();
            self.transcript.beginning.push(line);
            return;
        }
        self.end_bytes += line.cost_bytes();
        self.end.push_back(line);
        while self.end_bytes > MAX_PART_BYTES
            && let Some(line) = self.end.pop_front()
        {
            self.end_bytes -= line.cost_bytes();
            self.transcript.omitted_lines += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use InteractionParty::{Interactor, Submission};

    fn transcript_text(exchanged: &[(InteractionParty, &str)]) -> String {
        let mut recorder = TranscriptRecorder::default();
        exchanged.iter().for_each(|(from, text)| recorder.record_bytes(*from, 0, text.as_bytes()));
        let transcript = recorder.finish();
        let line = |line: &TranscriptLine| {
            let mark = if line.from == Interactor { '<' } else { '>' };
            let end = if line.is_complete { "" } else { "~" };
            format!("{mark}{}{end}", String::from_utf8_lossy(&line.text))
        };
        transcript.kept_lines().map(line).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lines_are_attributed_to_their_party() {
        let exchanged =
            [(Interactor, "1\n2\n"), (Submission, "a"), (Submission, "b\n\nc"), (Interactor, "3"), (Submission, "\n")];
        assert_eq!(transcript_text(&exchanged), "<1 <2 >ab > >c~ <3~ >");
        assert_eq!(transcript_text(&[]), "");
    }

    #[test]
    fn length_does_not_depend_on_who_writes_first() {
        let length = |exchanged: &[(InteractionParty, &str)]| {
            let mut recorder = TranscriptRecorder::default();
            exchanged.iter().for_each(|(from, text)| recorder.record_bytes(*from, 0, text.as_bytes()));
            let ConversationLength { messages, bytes, .. } = recorder.finish().length;
            (messages, bytes)
        };
        assert_eq!(length(&[]), (0, 0));
        assert_eq!(length(&[(Interactor, "1\n"), (Submission, "ab\n\nc")]), (4, 7));
        assert_eq!(length(&[(Submission, "a"), (Interactor, "1"), (Submission, "b\n\nc"), (Interactor, "\n")]), (4, 7));
    }

    #[test]
    fn long_conversation_keeps_beginning_and_end() {
        let mut recorder = TranscriptRecorder::default();
        for i in 0..100_000 {
            recorder.record_bytes(Interactor, i, format!("{i}\n").as_bytes());
        }
        let transcript = recorder.finish();
        let kept = transcript.kept_lines().count() as u64;
        assert_eq!(kept + transcript.omitted_lines, 100_000);
        assert!((3000..4000).contains(&kept), "{kept}");
        assert_eq!(transcript.end.last().map(|line| line.text.as_slice()), Some(&b"99999"[..]));
        assert_eq!(transcript.beginning[0].text, b"0");
        assert!(transcript.kept_lines().all(|line| line.text == line.at_us.to_string().as_bytes()));
    }

    #[test]
    fn long_line_keeps_its_beginning() {
        let mut recorder = TranscriptRecorder::default();
        for _ in 0..100 {
            recorder.record_bytes(Submission, 0, &[b'x'; 100]);
        }
        recorder.record_bytes(Submission, 0, b"\ny");
        let lines: Vec<TranscriptLine> = recorder.finish().kept_lines().cloned().collect();
        assert_eq!((lines[0].text.len(), lines[0].omitted_bytes, lines[0].is_complete), (1000, 9000, true));
        assert_eq!((lines[1].text.as_slice(), lines[1].is_complete), (&b"y"[..], false));
    }
}
