//! Probes of input validators.

use super::{JudgeOpinion, ValidatorQuery, get_or_query, tokens_with_starts};
use crate::inputs::InputValidator;
use crate::parallel::run_in_parallel;
use rebut_diagnostics::Result;
use rebut_packages::{digest_folder, read_run_files};
use rebut_sandbox::RunJob;
use std::ffi::OsString;
use std::path::PathBuf;

/// An input for probing validators.
pub struct InputProbe {
    /// Name.
    pub name: String,
    /// What is wrong with it, or where it comes from if it is valid.
    pub what: String,
    /// The input.
    pub bytes: Vec<u8>,
    /// Whether all validators must accept it; otherwise at least one must refuse it.
    pub is_valid: bool,
    /// The mistake of a validator that accepts it, such as a constraint that is not checked. Exposures with the same
    /// cause are merged.
    pub cause: String,
    /// Whether accepting it is only lenient.
    pub is_lenient: bool,
    /// The line that is wrong, from 1, if a validator that reads in order has to refuse it there.
    pub wrong_line: Option<usize>,
    /// Arguments for each validator.
    pub arguments: Vec<Vec<OsString>>,
    /// Folder with the files of its test case, if there is one.
    pub files: Option<PathBuf>,
}

/// Returns the opinions of the validators on each input, in the order of the validators.
///
/// # Errors
/// Returns an error if a validator cannot be started, or if the work was cancelled.
pub fn collect_input_opinions(
    query: &ValidatorQuery<'_, InputValidator>,
    probes: &[InputProbe],
) -> Result<Vec<Vec<JudgeOpinion>>> {
    let collect = |number: usize| {
        let probe = &probes[number];
        let validators = query.validators.iter().enumerate();
        validators
            .map(|(number, validator)| {
                let none = Vec::new();
                query_validator(query, validator, probe, probe.arguments.get(number).unwrap_or(&none))
            })
            .collect()
    };
    run_in_parallel(query.jobs, probes.len(), collect, &mut |_| ())
}

fn query_validator(
    query: &ValidatorQuery<'_, InputValidator>,
    validator: &InputValidator,
    probe: &InputProbe,
    args: &[OsString],
) -> Result<JudgeOpinion> {
    let (input, limits) = (&probe.bytes[..], &query.limits);
    let files = digest_folder(probe.files.as_deref())?;
    let words = format!("{:?} {args:?} {limits:?} {files}", validator.convention);
    let parts = validator.identity.as_ref().map(|identity| [identity.as_bytes(), words.as_bytes(), input]);
    let parts = parts.as_ref().map(|parts| &parts[..]);
    get_or_query(query.cache, parts, || {
        let files = read_run_files(probe.files.as_deref())?;
        let job = RunJob { input, args, limits, files: files.as_ref() };
        JudgeOpinion::from_answer(validator.check_job(&job, &query.cancel).map(|(refusal, _)| refusal))
    })
}

/// Returns the line that the message of a validator names: `(stdin, line 3)` of testlib, `input.in:3:5: ...` of others.
pub fn stated_line(message: &str) -> Option<usize> {
    let number = |text: &str| text[..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())].parse().ok();
    let in_words = message.rsplit_once("line ").and_then(|(_, rest)| number(rest));
    in_words.or_else(|| {
        let (name, rest) = message.split_once(':')?;
        let is_place = !name.contains(char::is_whitespace) && rest.contains(':');
        is_place.then(|| number(rest)).flatten()
    })
}

// Damaged inputs that every validator must refuse, independent of the problem.

/// Returns damaged versions of a valid input, each with a name and a description. Kinds of damage that do not change
/// the input are left out.
pub fn damage_input(valid: &[u8]) -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let is_number = |token: &[u8]| token.iter().all(u8::is_ascii_digit);
    let number = tokens_with_starts(valid).find(|(_, token)| is_number(token)).map(|(start, _)| start);
    let first = |wanted: u8| valid.iter().position(|byte| *byte == wanted);
    let all = [
        ("empty", "it is empty", Vec::new()),
        ("crlf", "its lines end in carriage returns", with_crlf_lines(valid)),
        ("leading-zero", "a number begins with a zero", insert_at(valid, number, b"0")),
        ("plus-sign", "a number begins with a plus sign", insert_at(valid, number, b"+")),
        ("extra-space", "there are two spaces where one belongs", insert_at(valid, first(b' '), b" ")),
        ("leading-space", "there is a space before the first token", [b" ", valid].concat()),
        ("trailing-space", "there is a space at the end of the first line", insert_at(valid, first(b'\n'), b" ")),
        ("no-newline", "the last line does not end", valid.strip_suffix(b"\n").unwrap_or(valid).to_vec()),
        ("empty-line", "there is an empty line at the end", [valid, b"\n"].concat()),
        ("trailing-garbage", "there is text after its end", [valid, b"garbage\n"].concat()),
        ("cut", "its last line is missing", remove_last_line(valid)),
        ("nul", "there is a NUL byte at the end", [valid, b"\0"].concat()),
        // Not 255, the end of file of testlib: every validator that is written with it accepts what follows.
        ("not-utf8", "it contains bytes that are not UTF-8", [valid, b"\xc3(\n"].concat()),
    ];
    all.into_iter().filter(|(_, _, bytes)| bytes != valid).collect()
}

fn with_crlf_lines(text: &[u8]) -> Vec<u8> {
    text.iter().flat_map(|byte| if *byte == b'\n' { b"\r\n".to_vec() } else { vec![*byte] }).collect()
}

/// Inserts text at a place, if there is such a place.
fn insert_at(text: &[u8], at: Option<usize>, what: &[u8]) -> Vec<u8> {
    let (before, after) = text.split_at(at.unwrap_or(text.len()));
    [before, if at.is_some() { what } else { b"" }, after].concat()
}

fn remove_last_line(text: &[u8]) -> Vec<u8> {
    let body = text.strip_suffix(b"\n").unwrap_or(text);
    match body.iter().rposition(|byte| *byte == b'\n') {
        Some(at) => text[..=at].to_vec(),
        None => text.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn damaged_names(valid: &str, name: &str) -> Option<String> {
        let found = damage_input(valid.as_bytes()).into_iter().find(|(known, _, _)| *known == name)?;
        Some(String::from_utf8_lossy(&found.2).into_owned())
    }

    #[test]
    fn each_damage_matches_its_name() {
        let damage = |name| damaged_names("2 x\n-3 41\n", name).unwrap_or_default();
        assert_eq!(damage("crlf"), "2 x\r\n-3 41\r\n");
        assert_eq!(damage("leading-zero"), "02 x\n-3 41\n");
        assert_eq!(damage("extra-space"), "2  x\n-3 41\n");
        assert_eq!(damage("trailing-space"), "2 x \n-3 41\n");
        assert_eq!(damage("no-newline"), "2 x\n-3 41");
        assert_eq!(damage("cut"), "2 x\n");
    }

    #[test]
    fn validators_name_lines_in_several_ways() {
        for (message, line) in [
            ("FAIL Integer parameter [name=n] equals to 0, violates the range [1, 8] (stdin, line 12)", Some(12)),
            ("input.in:3:5: expected an integer", Some(3)),
            ("error in line 7: n is 0", Some(7)),
            ("n is 0", None),
            ("FAIL: 3 is too large: wanted 2", None),
            ("the line is empty", None),
        ] {
            assert_eq!(stated_line(message), line, "{message}");
        }
    }

    #[test]
    fn damage_without_effect_is_left_out() {
        assert_eq!(damaged_names("word\n", "leading-zero"), None);
        assert_eq!(damaged_names("word\n", "extra-space"), None);
        assert_eq!(damaged_names("word\n", "cut"), None);
        assert_eq!(damaged_names("", "empty"), None);
    }
}
