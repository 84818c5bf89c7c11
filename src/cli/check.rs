//! `rebut check`: one output against one answer, or the list of checkers.

use super::args::Check;
use super::desk::Desk;
use super::exit::Status;
use super::jury;
use crate::campaign::Referee;
use crate::corpus::read_file;
use crate::diagnostic::{Error, Result};
use crate::run::SourceOptions;
use rebut_checkers::{CHECKERS, Judgement};
use std::fmt::Write as _;
use std::path::Path;

/// Beside a longer name there is no room for a summary, which goes below.
const NAME_COLUMNS: usize = 28;

pub(super) fn run(args: &Check, desk: &mut Desk) -> Result<Status> {
    let Some(((checker, input), (output, answer))) =
        args.checker.as_ref().zip(args.input.as_ref()).zip(args.output.as_ref().zip(args.answer.as_ref()))
    else {
        desk.data(listing().as_bytes())?;
        return Ok(Status::Fine);
    };
    let referee = jury::named(checker, &SourceOptions::default(), desk)?;
    judge(&referee, [input, output, answer], desk)
}

/// Judges an output, between its input and the answer.
fn judge(referee: &Referee, [input, output, answer]: [&Path; 3], desk: &mut Desk) -> Result<Status> {
    let (input, output, answer) = (read_file(input)?, read_file(output)?, read_file(answer)?);
    match referee.judgement(&input, &answer, &output, &desk.cancel)? {
        Judgement::Accepted => {
            desk.data(b"accepted\n")?;
            Ok(Status::Fine)
        }
        Judgement::Wrong(mismatch) => {
            desk.text(&format!("wrong answer: {}", mismatch.message))?;
            Ok(Status::Found)
        }
        Judgement::Failed(why) => Err(Error::judge(format!("the checker could not judge: {why}"))),
    }
}

/// The checkers, each with what it does.
pub(super) fn listing() -> String {
    let mut text = "Checkers:\n".to_owned();
    for checker in CHECKERS {
        let gap = if checker.name.len() > NAME_COLUMNS {
            format!("\n{:indent$}", "", indent = NAME_COLUMNS + 2)
        } else {
            String::new()
        };
        // Writing to a text cannot fail.
        let _ = writeln!(text, "  {:NAME_COLUMNS$}{gap}  {}", checker.name, checker.summary);
    }
    text.push_str(
        "\nA program judges as well, as in `--checker check.cpp`; docs/checkers.md shows how to write one.\n",
    );
    text
}
