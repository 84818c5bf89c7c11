//! Programs that ignore the problem: they print always the same, or what they read.
//!
//! A test set whose answers are nearly all equal lets them pass. They are not compiled: what they print follows from
//! the input and the shape of the answer.

use crate::tuning::{ECHOED_TOKENS, MAX_CONSTANT_ANSWERS, MAX_CONSTANT_BYTES};
use std::collections::BTreeMap;

/// A program that ignores the problem.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TrivialProgram {
    /// Prints nothing.
    Nothing,
    /// Always prints this answer.
    Answer(Vec<u8>),
    /// Prints this line as often as the answer has lines.
    Line(Vec<u8>),
    /// Prints its input.
    Input,
    /// Prints the token of its input with this index.
    Token(usize),
}

impl TrivialProgram {
    pub(super) fn description(&self) -> String {
        let shown = |text: &[u8]| rebut_diagnostics::shorten_text(text.trim_ascii_end(), 40);
        match self {
            TrivialProgram::Nothing => "printing nothing".to_owned(),
            TrivialProgram::Answer(answer) => format!("always printing `{}`", shown(answer)),
            TrivialProgram::Line(line) => format!("printing `{}` in every line", shown(line)),
            TrivialProgram::Input => "printing the input".to_owned(),
            TrivialProgram::Token(index) => format!("printing token {} of the input", index + 1),
        }
    }

    pub(super) fn make_output(&self, input: &[u8], answer: &[u8]) -> Vec<u8> {
        let with_line_end = |text: &[u8]| [text, b"\n"].concat();
        match self {
            TrivialProgram::Nothing => Vec::new(),
            TrivialProgram::Answer(constant) => with_line_end(constant),
            TrivialProgram::Line(line) => with_line_end(line).repeat(answer_lines(answer).count()),
            TrivialProgram::Input => input.to_vec(),
            TrivialProgram::Token(index) => with_line_end(input_tokens(input).nth(*index).unwrap_or_default()),
        }
    }
}

fn answer_lines(answer: &[u8]) -> impl Iterator<Item = &[u8]> {
    answer.trim_ascii_end().split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end)
}

fn input_tokens(input: &[u8]) -> impl Iterator<Item = &[u8]> {
    input.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty())
}

/// Counts the answers of a test set, to choose the constants that programs print.
#[derive(Debug, Default)]
pub(super) struct AnswerCounts {
    /// Number of tests with each answer, without white space at its end.
    pub(super) answers: BTreeMap<Vec<u8>, u64>,
    /// Number of tests whose answer has such a line.
    lines: BTreeMap<Vec<u8>, u64>,
    has_several_lines: bool,
}

impl AnswerCounts {
    /// Counts an answer. Of long ones, only the first bytes are compared.
    pub(super) fn count_answer(&mut self, answer: &[u8]) {
        let answer = answer.trim_ascii_end();
        // One byte more than a constant can have, so that it is not taken for one.
        let kept = &answer[..answer.len().min(MAX_CONSTANT_BYTES + 1)];
        *self.answers.entry(kept.to_vec()).or_default() += 1;
        let lines: std::collections::BTreeSet<&[u8]> = answer_lines(kept).collect();
        self.has_several_lines |= answer.contains(&b'\n');
        for line in lines {
            *self.lines.entry(line.to_vec()).or_default() += 1;
        }
    }

    /// Returns the programs to try: the most frequent constants, and those that print what they read.
    pub(super) fn trivial_programs(&self) -> Vec<TrivialProgram> {
        let frequent = |counts: &BTreeMap<Vec<u8>, u64>| {
            let fits = |text: &&Vec<u8>| !text.is_empty() && text.len() <= MAX_CONSTANT_BYTES;
            let mut all: Vec<&Vec<u8>> = counts.keys().filter(fits).collect();
            all.sort_by_key(|text| std::cmp::Reverse(counts[*text]));
            all.into_iter().take(MAX_CONSTANT_ANSWERS).cloned().collect::<Vec<_>>()
        };
        let mut programs = vec![TrivialProgram::Nothing, TrivialProgram::Input];
        programs.extend((0..ECHOED_TOKENS).map(TrivialProgram::Token));
        programs.extend(frequent(&self.answers).into_iter().map(TrivialProgram::Answer));
        if self.has_several_lines {
            programs.extend(frequent(&self.lines).into_iter().map(TrivialProgram::Line));
        }
        programs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(answers: &[&str]) -> AnswerCounts {
        let mut counts = AnswerCounts::default();
        answers.iter().for_each(|answer| counts.count_answer(answer.as_bytes()));
        counts
    }

    #[test]
    fn constants_are_the_most_frequent_answers() {
        let programs = counts(&["NO\n", "YES\n", "YES", ""]).trivial_programs();
        let constants: Vec<_> = programs.iter().filter(|p| matches!(p, TrivialProgram::Answer(_))).collect();
        assert_eq!(constants, [&TrivialProgram::Answer(b"YES".to_vec()), &TrivialProgram::Answer(b"NO".to_vec())]);
        assert!(!programs.iter().any(|p| matches!(p, TrivialProgram::Line(_))), "an answer is a line");
    }

    #[test]
    fn lines_are_repeated_as_often_as_the_answer_has_lines() {
        let programs = counts(&["NO\nYES\n", "NO\nNO\n"]).trivial_programs();
        let line = programs.iter().find(|p| matches!(p, TrivialProgram::Line(_)));
        assert_eq!(line.map(|p| p.make_output(b"", b"a\nb\nc\n")), Some(b"NO\nNO\nNO\n".to_vec()));
        assert_eq!(line.map(TrivialProgram::description), Some("printing `NO` in every line".to_owned()));
    }

    #[test]
    fn echoes_print_what_they_read() {
        assert_eq!(TrivialProgram::Token(1).make_output(b"3 14\n15\n", b"x"), b"14\n");
        assert_eq!(TrivialProgram::Token(9).make_output(b"3\n", b"x"), b"\n");
        assert_eq!(TrivialProgram::Input.make_output(b"3\n", b"x"), b"3\n");
    }
}
