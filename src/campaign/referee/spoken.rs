//! What a program of the jury said, in one judgement.

use super::program::{FEEDBACK, SCORE, Said};
use crate::campaign::bench::outcome_words;
use crate::run::{Exit, Outcome};
use rebut_checkers::{Convention, Judgement, Mismatch};
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

/// What a program said that gave points by its exit status, as those of testlib do: `points 0.5 some words`. None are given
/// for what is wrong. None if it said something else.
pub(super) fn points(convention: Convention, outcome: &Outcome) -> Option<Said> {
    match (outcome.limit, outcome.exit) {
        (None, Exit::Code(code)) if convention.gives_points(code) => {}
        _ => return None,
    }
    let message = message(outcome);
    let mut words = message.split_whitespace().skip_while(|word| *word == "points");
    let given = words.next().unwrap_or_default().to_owned();
    let (judgement, feedback) = match given.parse::<f64>() {
        Ok(0.0) => (Judgement::Wrong(Mismatch { message, ..Mismatch::default() }), Vec::new()),
        Ok(points) if points > 0.0 && points.is_finite() => {
            (Judgement::Accepted, vec![(SCORE.to_owned(), given.into_bytes())])
        }
        _ => {
            (Judgement::Failed(format!("the checker gives points, and not a number of them: `{message}`")), Vec::new())
        }
    };
    Some(Said { judgement, feedback })
}

/// What it wrote: into its file, or else to its streams.
fn message(outcome: &Outcome) -> String {
    let file = outcome.files.get(&Path::new(FEEDBACK).join(MESSAGE)).map(Vec::as_slice);
    let texts = [file.unwrap_or_default(), &outcome.stderr, &outcome.output];
    let texts = texts.map(|text| String::from_utf8_lossy(&text[..text.len().min(LONGEST_BYTES)]).trim().to_owned());
    texts.into_iter().find(|text| !text.is_empty()).unwrap_or_default()
}
