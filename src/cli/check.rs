//! `rebut check`: judges one output against one answer, or lists the checkers.

use super::args::CheckArgs;
use super::exit_status::ExitStatus;
use super::help::list_checkers;
use super::judges;
use super::session::Session;
use rebut_checkers::Judgement;
use rebut_diagnostics::{Error, Result};
use rebut_engine::Judge;
use rebut_packages::read_file;
use rebut_toolchain::SourceOptions;
use std::path::Path;

pub(super) fn run_check(args: &CheckArgs, session: &mut Session) -> Result<ExitStatus> {
    let Some(((checker, input), (output, answer))) =
        args.checker.as_ref().zip(args.input.as_ref()).zip(args.output.as_ref().zip(args.answer.as_ref()))
    else {
        session.write_stdout(list_checkers().as_bytes())?;
        return Ok(ExitStatus::Success);
    };
    let judge = judges::judge_by_name(checker, &SourceOptions::default(), session)?;
    judge_files(&judge, [input, output, answer], session)
}

/// Judges an output, given its input and the answer.
fn judge_files(judge: &Judge, [input, output, answer]: [&Path; 3], session: &mut Session) -> Result<ExitStatus> {
    let (input, output, answer) = (read_file(input)?, read_file(output)?, read_file(answer)?);
    match judge.judge_output(&input, &answer, &output, &session.cancel)? {
        Judgement::Accepted => {
            session.write_stdout(b"accepted\n")?;
            Ok(ExitStatus::Success)
        }
        Judgement::Wrong(mismatch) => {
            session.write_stdout_text(&format!("wrong answer: {}", mismatch.message))?;
            Ok(ExitStatus::Found)
        }
        Judgement::Failed(why) => Err(Error::judge_error(format!("the checker could not judge: {why}"))),
    }
}
