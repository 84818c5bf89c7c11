//! `rebut check`: one output against one answer.

use super::args::Check;
use super::desk::Desk;
use super::exit::Status;
use crate::corpus::read_file;
use crate::diagnostic::{Error, Result};
use rebut_checkers::{Checker, Judgement};

pub(super) fn run(args: &Check, desk: &mut Desk) -> Result<Status> {
    let checker = Checker::parse(&args.checker).map_err(Error::usage)?;
    let (input, output, answer) = (read_file(&args.input)?, read_file(&args.output)?, read_file(&args.answer)?);
    match checker.check(&input, &answer, &output) {
        Judgement::Accepted => {
            desk.data(b"accepted\n")?;
            Ok(Status::Fine)
        }
        Judgement::Wrong(mismatch) => {
            desk.data(format!("wrong answer: {}\n", mismatch.message).as_bytes())?;
            Ok(Status::Found)
        }
        Judgement::Failed(why) => Err(Error::judge(format!("the checker could not judge: {why}"))),
    }
}
