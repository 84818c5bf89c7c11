//! Outputs that checkers are tried on.

use super::{Opinion, Opinions, known_or};
use crate::campaign::Referee;
use crate::campaign::parallel::run_in_parallel;
use crate::diagnostic::Result;
use crate::run::Cancel;
use rebut_checkers::Judgement;
use std::sync::Arc;

/// How many tokens a flood of them has.
const FLOOD: usize = 1_000_000;

/// The name of the one harmless output that is the answer itself.
pub const THE_ANSWER: &str = "the-answer";

/// An output that a checker is to be asked about.
pub struct OutputProbe {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub what: String,
    /// Input and answer.
    pub case: Arc<(Vec<u8>, Vec<u8>)>,
    /// The output.
    pub output: Vec<u8>,
    /// Whether it has to be accepted, or must not be; none if all that is asked for is an opinion.
    pub is_valid: Option<bool>,
    /// What a checker with a wrong opinion overlooks.
    pub cause: String,
    /// Whether one that refuses it is only strict about white space.
    pub is_lenient: bool,
    /// Who is asked, with its arguments.
    pub referee: Referee,
}

/// A number beyond all types: it may be right, and nobody may fail of it.
pub fn huge_number() -> Vec<u8> {
    [vec![b'9'; 400], b"\n".to_vec()].concat()
}

/// Outputs that nobody can take for an answer, with a name and what they are.
pub fn junk(answer: &[u8]) -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let all = [
        ("nothing", "nothing at all", Vec::new()),
        ("blank", "an empty line", b"\n".to_vec()),
        ("nan", "`NaN`", b"NaN\n".to_vec()),
        ("fraction", "`1/0`", b"1/0\n".to_vec()),
        ("nul", "a NUL byte", b"\0".to_vec()),
        ("not-utf8", "bytes that are no text", b"\xff\xfe\x80\n".to_vec()),
        ("flood", "a million tokens", b"1 ".repeat(FLOOD)),
        ("garbage-after", "the answer, and garbage after it", [answer, b"\n?garbage?\n"].concat()),
    ];
    // Where the answer itself is empty, so may an output be.
    let is_blank = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_whitespace);
    let can_be_right = |bytes: &[u8]| is_blank(bytes) && is_blank(answer);
    all.into_iter().filter(|(_, _, bytes)| !can_be_right(bytes)).collect()
}

/// The answer with differences that mean nothing, with a name and what they are.
pub fn harmless(answer: &[u8]) -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let body = answer.strip_suffix(b"\n").unwrap_or(answer);
    let each_end = |end: &[u8]| body.split(|byte| *byte == b'\n').collect::<Vec<_>>().join(end);
    vec![
        (THE_ANSWER, "the answer itself", answer.to_vec()),
        ("no-newline", "the answer without the end of its last line", body.to_vec()),
        ("empty-line", "the answer and an empty line", [body, b"\n\n"].concat()),
        (
            "trailing-spaces",
            "the answer with a space at the end of each line",
            [each_end(b" \n"), b" \n".to_vec()].concat(),
        ),
        ("crlf", "the answer with carriage returns", [each_end(b"\r\n"), b"\r\n".to_vec()].concat()),
    ]
}

/// What is said of each output.
///
/// # Errors
/// If a program cannot be run at all, or the work was interrupted.
pub fn output_opinions(
    probes: &[OutputProbe],
    jobs: usize,
    memory: &dyn Opinions,
    cancel: &Cancel,
) -> Result<Vec<Opinion>> {
    let ask = |number: usize| {
        let probe = &probes[number];
        let (input, answer) = (&probe.case.0, &probe.case.1);
        let identity = probe.referee.identity();
        let parts = identity.as_ref().map(|name| [name.as_bytes(), input, answer, probe.output.as_slice()]);
        known_or(memory, parts.as_ref().map(|parts| &parts[..]), || {
            Ok(match probe.referee.judgement(input, answer, &probe.output, cancel)? {
                Judgement::Accepted => Opinion::Accepted,
                Judgement::Wrong(mismatch) => Opinion::Refused(mismatch.message),
                Judgement::Failed(why) => Opinion::Failed(why),
            })
        })
    };
    run_in_parallel(jobs, probes.len(), ask, &mut |_| ())
}
