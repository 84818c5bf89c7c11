//! `rebut run`: one submission on all test cases of a package, and its first failure in full.

use super::args::Run;
use super::desk::Desk;
use super::exit::Status;
use super::setup::{self, Problem};
use super::verify;
use crate::campaign::verify::first_failure;
use crate::campaign::{Event, Reason, Sink, Summary};
use crate::corpus::{Bound, Package, Submission};
use crate::diagnostic::Result;
use crate::verdict::Expectation;
use std::path::Path;

pub(super) fn run(args: &Run, desk: &mut Desk) -> Result<Status> {
    let problem = Problem::of_package(&args.problem, desk)?;
    let package = problem.package()?;
    let submission = submission(package, &args.submission, desk)?;
    verify::notes(package, desk);
    let show = verify::Show::Everything;
    let chosen = verify::Chosen { submissions: vec![&submission], are_named: true };
    let (verified, failure) = verify::whole(package, &chosen, &args.how, show, desk, |plan, verified, _, _| {
        let subjects = plan.contestants.iter().zip(&verified.rows).next();
        let subject = subjects.map(|(who, row)| first_failure(plan, who, row, verified.cpu_time_limit_ms));
        Ok(subject.transpose()?.flatten())
    })?;
    let status = verify::status_of(&verified);
    if let Some(found) = failure {
        desk.take(&Event::Found(Box::new(found)));
    }
    let (findings, exit_status) = (usize::from(status != Status::Fine), status.code());
    desk.take(&Event::Summary(Summary { reason: Reason::Done, findings, exit_status, ..Summary::default() }));
    Ok(status)
}

/// The submission that is meant, within the package or not. Whatever the package expects of it: here the question is
/// whether it is right.
fn submission(package: &Package, name: &Path, desk: &Desk) -> Result<Submission> {
    let path = setup::submission(name, Some(package), desk)?;
    let known = package.submissions.iter().find(|known| known.path == path);
    let (language, entry_point) = known.map(|k| (k.language.clone(), k.entry_point.clone())).unwrap_or_default();
    Ok(Submission {
        name: known.map_or_else(|| name.display().to_string(), |known| known.name.clone()),
        path,
        expectation: Expectation::ACCEPTED,
        rules: Vec::new(),
        times: Some(Bound::Lower),
        score: None,
        language,
        entry_point,
    })
}
