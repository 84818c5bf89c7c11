//! Probes of checkers.

use super::{JudgeOpinion, OpinionCache, ValidatorQuery, get_or_query, tokens_with_starts};
use crate::inputs::AnswerValidator;
use crate::judging::Judge;
use crate::parallel::run_in_parallel;
use crate::tuning::{FLOOD_TOKENS, MAX_SHOWN_TOKEN};
use rebut_checkers::Judgement;
use rebut_diagnostics::{Result, shorten_text};
use rebut_sandbox::CancelToken;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::sync::Arc;

/// Name of the probe with the answer itself.
pub const ANSWER_PROBE_NAME: &str = "the-answer";

/// An output for probing checkers.
pub struct OutputProbe {
    /// Name.
    pub name: String,
    /// Description.
    pub what: String,
    /// Input and answer of the test case.
    pub case: Arc<(Vec<u8>, Vec<u8>)>,
    /// The output.
    pub output: Vec<u8>,
    /// Whether the checker must accept or refuse it; `None` if it only must not fail.
    pub is_valid: Option<bool>,
    /// The mistake of a checker with a wrong opinion.
    pub cause: String,
    /// Whether refusing it only means that the checker is strict about white space.
    pub is_lenient: bool,
    /// The judge, with its arguments.
    pub judge: Judge,
}

/// Returns a number that is too large for any integer type. It can be correct, but must not make a checker fail.
pub fn huge_number_output() -> Vec<u8> {
    [vec![b'9'; 400], b"\n".to_vec()].concat()
}

/// Returns outputs that cannot be correct, each with a name and a description.
pub fn junk_outputs(answer: &[u8]) -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let all = [
        ("nothing", "nothing at all", Vec::new()),
        ("blank", "an empty line", b"\n".to_vec()),
        ("nan", "`NaN`", b"NaN\n".to_vec()),
        ("fraction", "`1/0`", b"1/0\n".to_vec()),
        ("nul", "a NUL byte", b"\0".to_vec()),
        ("not-utf8", "bytes that are not UTF-8", b"\xff\xfe\x80\n".to_vec()),
        ("flood", "a million tokens", b"1 ".repeat(FLOOD_TOKENS)),
        ("garbage-after", "the answer, and garbage after it", [answer, b"\n?garbage?\n"].concat()),
    ];
    // If the answer is empty, an empty output can be correct, and if it is a word, so can another.
    let is_blank = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_whitespace);
    let is_word = |bytes: &[u8]| !is_blank(bytes) && bytes.trim_ascii().iter().all(u8::is_ascii_alphabetic);
    let can_be_right = |bytes: &[u8]| is_blank(bytes) && is_blank(answer) || is_word(bytes) && is_word(answer);
    all.into_iter().filter(|(_, _, bytes)| !can_be_right(bytes)).collect()
}

/// Returns outputs that differ from an accepted one in one place, each with a name and a description. Whether they are
/// correct depends on the problem, but no checker may fail on them.
pub fn mutated_outputs(answer: &[u8]) -> Vec<(String, String, Vec<u8>)> {
    let tokens: Vec<(usize, &[u8])> = tokens_with_starts(answer).collect();
    let mut found: Vec<(String, String, Vec<u8>)> = Vec::new();
    // The ends, where counts and sums stand, and some between them.
    let chosen: BTreeSet<usize> = [0, 1, 2, tokens.len() / 2, tokens.len().saturating_sub(1)].into_iter().collect();
    for number in chosen {
        let Some((start, token)) = tokens.get(number).copied() else { continue };
        let mut add = |name: &str, replacement: &[u8]| {
            let output = [&answer[..start], replacement, &answer[start + token.len()..]].concat();
            let what = match replacement {
                [] => format!("the answer without token {}", number + 1),
                _ => {
                    format!("the answer with `{}` as token {}", shorten_text(replacement, MAX_SHOWN_TOKEN), number + 1)
                }
            };
            if output != answer && found.iter().all(|(_, _, known)| *known != output) {
                found.push((format!("{name}-{}", number + 1), what, output));
            }
        };
        add("removed", b"");
        add("repeated", &[token, b" ", token].concat());
        add("zero", b"0");
        if let Some(value) = std::str::from_utf8(token).ok().and_then(|token| token.parse::<i64>().ok()) {
            let others =
                [("more", value.checked_add(1)), ("less", value.checked_sub(1)), ("negated", value.checked_neg())];
            others
                .iter()
                .filter_map(|(name, value)| Some((name, (*value)?)))
                .for_each(|(name, value)| add(name, value.to_string().as_bytes()));
            add("far-above", b"1000000007");
            add("beyond-int", b"-2147483649");
        } else {
            add("reversed", &token.iter().rev().copied().collect::<Vec<u8>>());
            add("shortened", &token[..token.len() - 1]);
        }
        if let Some((_, next)) = tokens.get(number + 1) {
            add("like-the-next", next);
        }
    }
    found
}

/// Returns the answer and variants that differ only in white space, each with a name and a description.
pub fn harmless_variants(answer: &[u8]) -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let body = answer.strip_suffix(b"\n").unwrap_or(answer);
    let with_line_ends = |end: &[u8]| body.split(|byte| *byte == b'\n').collect::<Vec<_>>().join(end);
    vec![
        (ANSWER_PROBE_NAME, "the answer itself", answer.to_vec()),
        ("no-newline", "the answer without the final newline", body.to_vec()),
        ("empty-line", "the answer and an empty line", [body, b"\n\n"].concat()),
        (
            "trailing-spaces",
            "the answer with a space at the end of each line",
            [with_line_ends(b" \n"), b" \n".to_vec()].concat(),
        ),
        ("crlf", "the answer with carriage returns", [with_line_ends(b"\r\n"), b"\r\n".to_vec()].concat()),
    ]
}

/// Returns the opinion of the checker on each output.
///
/// # Errors
/// Returns an error if a program cannot be started, or if the work was cancelled.
pub fn collect_output_opinions(
    probes: &[OutputProbe],
    jobs: usize,
    cache: &dyn OpinionCache,
    cancel: &CancelToken,
) -> Result<Vec<JudgeOpinion>> {
    let judge = |number: usize| {
        let probe = &probes[number];
        let (input, answer) = (&probe.case.0, &probe.case.1);
        let identity = probe.judge.cache_identity();
        let parts = identity.as_ref().map(|name| [name.as_bytes(), input, answer, probe.output.as_slice()]);
        get_or_query(cache, parts.as_ref().map(|parts| &parts[..]), || {
            Ok(match probe.judge.judge_output(input, answer, &probe.output, cancel)? {
                Judgement::Accepted => JudgeOpinion::Accepted,
                Judgement::Wrong(mismatch) => JudgeOpinion::Refused(mismatch.message),
                Judgement::Failed(why) => JudgeOpinion::Failed(why),
            })
        })
    };
    run_in_parallel(jobs, probes.len(), judge, &mut |_| ())
}

// Runs answer validators on answers.

/// An answer to be validated.
pub struct AnswerProbe {
    /// Name in reports.
    pub name: String,
    /// Input and answer.
    pub case: Arc<(Vec<u8>, Vec<u8>)>,
    /// Whether it must be accepted by all validators, or refused by one.
    pub is_valid: bool,
    /// Whether it is an output that the checker accepts, not an answer.
    pub is_output: bool,
    /// Arguments of each validator.
    pub arguments: Vec<Vec<OsString>>,
}

/// Returns the opinion of each validator on each answer: a list per answer, in the order of the validators.
///
/// # Errors
/// Returns an error if a validator cannot be started, or if the work was cancelled.
pub fn collect_answer_opinions(
    query: &ValidatorQuery<'_, AnswerValidator>,
    probes: &[AnswerProbe],
) -> Result<Vec<Vec<JudgeOpinion>>> {
    let ask = |number: usize| {
        let probe = &probes[number];
        let each = query.validators.iter().zip(&probe.arguments);
        each.map(|(validator, arguments)| query_validator(query, validator, probe, arguments)).collect()
    };
    run_in_parallel(query.jobs, probes.len(), ask, &mut |_| ())
}

fn query_validator(
    query: &ValidatorQuery<'_, AnswerValidator>,
    validator: &AnswerValidator,
    probe: &AnswerProbe,
    arguments: &[OsString],
) -> Result<JudgeOpinion> {
    let identity = match validator {
        AnswerValidator::Program(validator) => validator.identity.as_deref(),
        // Formats are as fast as the cache.
        AnswerValidator::Format { .. } => None,
    };
    let options = format!("answer {arguments:?} {:?}", query.limits);
    let (input, answer) = (&probe.case.0[..], &probe.case.1[..]);
    let parts = identity.map(|identity| [identity.as_bytes(), options.as_bytes(), input, answer]);
    get_or_query(query.cache, parts.as_ref().map(|parts| &parts[..]), || {
        JudgeOpinion::from_answer(validator.check_answer((input, answer), arguments, &query.limits, &query.cancel))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A problem may ask for any word of some kind.
    #[test]
    fn junk_that_can_be_right_is_left_out() {
        let has = |name: &str, answer: &str| junk_outputs(answer.as_bytes()).iter().any(|(junk, _, _)| *junk == name);
        assert!(has("nan", "8\n") && has("nan", "YES 2\n") && has("nan", "") && !has("nan", "leypa\n"));
        assert!(has("blank", "8\n") && !has("blank", " \n") && !has("nothing", ""));
    }

    #[test]
    fn mutated_outputs_differ_in_one_place() {
        let texts = |answer: &str| -> Vec<String> {
            let found = mutated_outputs(answer.as_bytes()).into_iter();
            found.map(|(name, _, output)| format!("{name} {}", String::from_utf8_lossy(&output).trim_end())).collect()
        };
        assert_eq!(
            texts("YES\n"),
            ["removed-1", "repeated-1 YES YES", "zero-1 0", "reversed-1 SEY", "shortened-1 YE"]
                .map(|text| if text == "removed-1" { "removed-1 ".to_owned() } else { text.to_owned() })
        );
        let pair = texts("2\n5 7\n");
        assert!(
            pair.contains(&"more-1 3\n5 7".to_owned()) && pair.contains(&"like-the-next-2 2\n7 7".to_owned()),
            "{pair:?}"
        );
        assert!(mutated_outputs(b"").is_empty() && mutated_outputs(b" \n").is_empty());
    }
}
