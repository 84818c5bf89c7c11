//! Small outputs of a test case: each that a checker accepts must be right as the answer, too.
//!
//! There is no description of right outputs to compare a checker with. But a right output is a right answer. So if the
//! checker refuses the answer of the package or another accepted output with it as the answer, then one of them is wrong,
//! or the checker reads one of them only in part.

use super::{OpinionCache, get_or_query, tokens_with_starts};
use crate::event::ValidatorExposure;
use crate::judging::{Judge, RunEngine};
use crate::parallel::run_in_parallel;
use crate::tuning::{MAX_OUTPUTS_OF_LENGTH, MAX_SHOWN_TOKENS, MAX_SMALL_OUTPUTS, MAX_SWAPPED_OUTPUTS};
use rebut_checkers::Judgement;
use rebut_diagnostics::{Result, shorten_text};
use rebut_sandbox::CancelToken;
use serde::{Deserialize, Serialize};

/// Integers that outputs consist of, the likely ones first.
const SMALL_INTEGERS: [&[u8]; 8] = [b"1", b"0", b"2", b"-1", b"3", b"4", b"5", b"6"];

/// A test case, beside which small outputs are tried.
pub struct SmallOutputQuery<'a> {
    /// The judge.
    pub judge: &'a Judge,
    /// The input.
    pub input: &'a [u8],
    /// The answer.
    pub answer: &'a [u8],
    /// Words of other answers.
    pub words: &'a [Vec<u8>],
    /// Number of parallel jobs.
    pub jobs: usize,
    /// Cancels the work.
    pub cancel: &'a CancelToken,
}

/// The result of trying small outputs of a test case.
#[derive(Serialize, Deserialize)]
pub struct SmallOutputTrial {
    /// Number of outputs that were tried.
    pub tried: usize,
    /// Those that were accepted, other than the answer itself.
    pub accepted: Vec<Vec<u8>>,
    /// The first output on which the checker fails or with which it contradicts itself.
    pub exposure: Option<ValidatorExposure>,
}

/// Tries the outputs of few tokens, the shortest first. Returns nothing for a test case of which this can prove nothing:
/// the checker refuses the answer itself or gives a score, or the answer has fractions, which tolerances are for.
///
/// # Errors
/// Returns an error if the checker cannot be started, or if the work was cancelled.
pub fn try_small_outputs(query: &SmallOutputQuery<'_>, cache: &dyn OpinionCache) -> Result<Option<SmallOutputTrial>> {
    let Judge::Program(checker) = query.judge else { return Ok(None) };
    let mut outputs = list_small_outputs(query.answer, query.words);
    // Checkers in Python are copied, at a fraction of the price of a new process.
    outputs.truncate(MAX_SMALL_OUTPUTS / (1 + checker.program.start_price() as usize / 8));
    let identity = query.judge.cache_identity();
    let all = outputs.concat();
    let parts = identity.as_ref().map(|name| [b"small outputs", name.as_bytes(), query.input, query.answer, &all]);
    get_or_query(cache, parts.as_ref().map(|parts| &parts[..]), || query.try_outputs(&outputs))
}

impl SmallOutputQuery<'_> {
    fn judge(&self, answer: &[u8], output: &[u8], engine: RunEngine) -> Result<Judgement> {
        Ok(self.judge.judge_with_score(self.input, answer, output, (engine, self.cancel))?.0)
    }

    fn try_outputs(&self, outputs: &[Vec<u8>]) -> Result<Option<SmallOutputTrial>> {
        let own = self.judge.judge_with_score(self.input, self.answer, self.answer, (RunEngine::Exec, self.cancel))?;
        if own != (Judgement::Accepted, false) || outputs.is_empty() {
            return Ok(None);
        }
        let tried = outputs.len();
        let judge = |number: usize| self.judge(self.answer, &outputs[number], RunEngine::Quick);
        let opinions = run_in_parallel(self.jobs, tried, judge, &mut |_| ())?;
        let judged = || outputs.iter().zip(&opinions);
        let accepted = judged().filter(|(_, opinion)| **opinion == Judgement::Accepted);
        let accepted: Vec<&Vec<u8>> = accepted.map(|(output, _)| output).collect();
        let confirm = |number: usize| self.judge(self.answer, accepted[number], RunEngine::Exec);
        let confirmed = run_in_parallel(self.jobs, accepted.len(), confirm, &mut |_| ())?;
        let confirmed = accepted.iter().zip(confirmed).filter(|(_, opinion)| *opinion == Judgement::Accepted);
        let accepted: Vec<Vec<u8>> = confirmed.map(|(output, _)| (*output).clone()).collect();
        if let Some((output, _)) = judged().find(|(_, opinion)| matches!(opinion, Judgement::Failed(_)))
            && let Judgement::Failed(how) = self.judge(self.answer, output, RunEngine::Exec)?
        {
            let what = format!("the answer is `{}`", show_tokens(self.answer));
            let exposed = ValidatorExposure::new(self.judge.display_title(), &show_tokens(output), what);
            let exposure = Some(ValidatorExposure { failure: Some(how), ..exposed });
            return Ok(Some(SmallOutputTrial { tried, accepted, exposure }));
        }
        let swapped = &accepted[..accepted.len().min(MAX_SWAPPED_OUTPUTS)];
        let next = |number: usize| &swapped[(number + 1) % swapped.len()][..];
        let swaps =
            swapped.iter().enumerate().flat_map(|(number, output)| [(output, self.answer), (output, next(number))]);
        let swaps: Vec<(&Vec<u8>, &[u8])> = swaps.collect();
        let swap = |number: usize| self.find_contradiction(swaps[number].0, swaps[number].1);
        let exposures = run_in_parallel(self.jobs, swaps.len(), swap, &mut |_| ())?;
        let exposure = exposures.into_iter().flatten().next();
        Ok(Some(SmallOutputTrial { tried, accepted, exposure }))
    }

    /// Judges an accepted output with another accepted one as the answer. A checker may demand more of answers than of outputs, and
    /// then has to refuse the other one beside itself.
    fn find_contradiction(&self, other: &[u8], output: &[u8]) -> Result<Option<ValidatorExposure>> {
        if self.judge(other, output, RunEngine::Quick)? == Judgement::Accepted {
            return Ok(None);
        }
        for output in [other, output] {
            if self.judge(output, output, RunEngine::Exec)? != Judgement::Accepted {
                return Ok(None);
            }
        }
        let why = match self.judge(other, output, RunEngine::Exec)? {
            Judgement::Accepted => return Ok(None),
            Judgement::Wrong(mismatch) => mismatch.message,
            // A checker may fail on an answer that is not the best one.
            Judgement::Failed(_) => "the checker failed".to_owned(),
        };
        let (right, refused, why) =
            (show_tokens(self.answer), show_tokens(output), why.lines().next().unwrap_or_default());
        let what =
            format!("accepted where the answer is `{right}`, but with it as the answer `{refused}` is not: {why}");
        let exposed = ValidatorExposure::new(self.judge.display_title(), &show_tokens(other), what);
        Ok(Some(ValidatorExposure { is_refused: true, is_lenient: true, ..exposed }))
    }
}

/// Returns the tokens of a text in one line, shortened.
pub fn show_tokens(text: &[u8]) -> String {
    let words: Vec<&[u8]> = tokens_with_starts(text).map(|(_, token)| token).collect();
    shorten_text(&words.join(&b' '), MAX_SHOWN_TOKENS)
}

/// Returns the outputs of few tokens in the layout of the answer, without the answer itself. For each number of tokens up to one more
/// than it has, these are all outputs of an alphabet: its tokens, `words`, and small integers if one of these is
/// an integer. The longer the outputs, the fewer tokens have a place in the alphabet.
fn list_small_outputs(answer: &[u8], words: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let tokens: Vec<(usize, &[u8])> = tokens_with_starts(answer).collect();
    let known = || tokens.iter().map(|(_, token)| *token).chain(words.iter().map(Vec::as_slice));
    if known().any(is_fraction) {
        return Vec::new();
    }
    let integers = SMALL_INTEGERS.into_iter().filter(|_| known().any(is_integer));
    let mut alphabet: Vec<&[u8]> = Vec::new();
    for token in known().chain(integers) {
        if !alphabet.contains(&token) {
            alphabet.push(token);
        }
    }
    // The white space between tokens is that of the answer, and at last repeated.
    let spaces = tokens.windows(2).map(|pair| &answer[pair[0].0 + pair[0].1.len()..pair[1].0]);
    let spaces: Vec<&[u8]> = [&b""[..]].into_iter().chain(spaces).collect();
    let more = if spaces.len() > 1 { spaces[spaces.len() - 1] } else { b" " };
    let mut outputs = Vec::new();
    for length in (1..=tokens.len() + 1).filter(|_| !tokens.is_empty()) {
        let count = |letters: usize| letters.checked_pow(length as u32).filter(|count| *count <= MAX_OUTPUTS_OF_LENGTH);
        let Some(letters) = (2..=alphabet.len()).rev().find(|letters| count(*letters).is_some()) else { break };
        for code in 0..count(letters).unwrap_or(0) {
            let token = |number: usize| alphabet[code / letters.pow((length - 1 - number) as u32) % letters];
            let pieces = (0..length).flat_map(|number| [*spaces.get(number).unwrap_or(&more), token(number)]);
            outputs.push(pieces.chain([&b"\n"[..]]).collect::<Vec<_>>().concat());
        }
    }
    outputs.retain(|output| output.trim_ascii() != answer.trim_ascii());
    outputs
}

/// Returns true if a token is an integer of a usual size.
pub fn is_integer(token: &[u8]) -> bool {
    std::str::from_utf8(token).is_ok_and(|token| token.parse::<i128>().is_ok())
}

/// Returns true if a token is a number in a form that integers do not have. Long rows of digits and words such as `inf` are none.
fn is_fraction(token: &[u8]) -> bool {
    token.iter().any(u8::is_ascii_digit)
        && token.iter().any(|byte| b".eE".contains(byte))
        && std::str::from_utf8(token).is_ok_and(|token| token.parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outputs(answer: &str, words: &[&str]) -> Vec<String> {
        let words: Vec<Vec<u8>> = words.iter().map(|word| word.as_bytes().to_vec()).collect();
        let found = list_small_outputs(answer.as_bytes(), &words).into_iter();
        found.map(|output| String::from_utf8_lossy(&output).into_owned()).collect()
    }

    #[test]
    fn small_outputs_have_the_layout_of_the_answer() {
        assert_eq!(outputs("NO\n", &["YES"]), ["YES\n", "NO NO\n", "NO YES\n", "YES NO\n", "YES YES\n"]);
        let lists = outputs("2\n1 2\n", &[]);
        assert!(
            ["2\n2 1\n", "-1\n", "1\n1 2 1\n"].iter().all(|output| lists.contains(&(*output).to_owned())),
            "{lists:?}"
        );
        assert!(!lists.contains(&"2\n1 2\n".to_owned()));
    }

    #[test]
    fn long_answers_have_few_outputs_and_fractions_none() {
        let found = outputs(&"7 8 9 ".repeat(50), &["impossible"]);
        assert!(
            found.contains(&"impossible\n".to_owned()) && found.len() < 10 * MAX_OUTPUTS_OF_LENGTH,
            "{}",
            found.len()
        );
        for (answer, words) in [("0.5\n", &["YES"][..]), ("1e9 7\n", &[]), ("7\n", &["0.5"]), ("\n", &["YES"])] {
            assert!(outputs(answer, words).is_empty(), "{answer}");
        }
    }
}
