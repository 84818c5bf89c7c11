//! What a program of the jury said, in one judgement.

use super::program::FEEDBACK;
use crate::campaign::bench::outcome_words;
use crate::run::{Exit, Outcome};
use rebut_checkers::{Convention, Judgement};
use std::path::Path;

/// Where a program of an ICPC package writes what the jury should read.
const MESSAGE: &str = "judgemessage.txt";

/// So much of a message is kept.
const LONGEST_BYTES: usize = 4096;

/// The judgement of a program that ended so. One that crashed or broke a limit has not judged.
pub(super) fn judgement(convention: Convention, outcome: &Outcome) -> Judgement {
    let message = message(outcome);
    match (outcome.limit, outcome.exit) {
        (None, Exit::Code(code)) => convention.judgement(code, message),
        _ => Judgement::Failed(format!("it {}", outcome_words(outcome))),
    }
}

/// What it wrote: into its file, or else to its streams.
fn message(outcome: &Outcome) -> String {
    let file = outcome.files.get(&Path::new(FEEDBACK).join(MESSAGE)).map(Vec::as_slice);
    let texts = [file.unwrap_or_default(), &outcome.stderr, &outcome.output];
    let texts = texts.map(|text| String::from_utf8_lossy(&text[..text.len().min(LONGEST_BYTES)]).trim().to_owned());
    texts.into_iter().find(|text| !text.is_empty()).unwrap_or_default()
}
