//! What a search looks for where no submission is named: test cases that a package lacks.

use super::args::{JudgeArgs, VerifyArgs};
use super::desk::Desk;
use super::setup;
use super::verify::{self, Show};
use crate::campaign::{Event, Sink, Warning};
use crate::corpus::{Package, Submission};
use crate::diagnostic::{Error, Result, list_and, numbered};
use crate::verdict::{Verdict, Verdicts};
use std::path::PathBuf;

/// The submissions worth hunting: the accepted ones but for the reference, since two that disagree are wrong or show a
/// wrong one; and of those that must fail those that no test case kills, or all where the `smallest` counterexample of
/// each is sought. What must only be too slow is left out: no small input shows that.
///
/// # Errors
/// If there is none, or the test cases cannot be run.
pub(super) fn quarry(package: &Package, judging: &JudgeArgs, smallest: bool, desk: &mut Desk) -> Result<Vec<PathBuf>> {
    let named = judging.reference.as_deref().map(|name| setup::submission(name, Some(package), desk)).transpose()?;
    let reference = named.or_else(|| package.references().into_iter().next());
    let accepted = package.accepted().filter(|s| Some(&s.path) != reference.as_ref());
    let accepted: Vec<PathBuf> = accepted.map(|s| s.path.clone()).collect();
    let alive = if smallest { wrong(package) } else { survivors(package, desk)? };
    let names: Vec<String> = alive.iter().map(|s| format!("`{}`", s.name)).collect();
    if !names.is_empty() && !smallest {
        let message = format!("no test case kills {}", list_and(&names));
        desk.take(&Event::Warning(Warning { message, help: None }));
    }
    let quarry: Vec<PathBuf> = accepted.into_iter().chain(alive.iter().map(|s| s.path.clone())).collect();
    if quarry.is_empty() {
        let why = match wrong(package).is_empty() {
            true => "it has no wrong submission, and no second accepted one",
            false => "its test cases kill all wrong submissions, and it has no second accepted one",
        };
        let nothing = format!("`{}` has nothing to search for", package.folder.display());
        return Err(Error::usage(nothing).with_help(why));
    }
    Ok(quarry)
}

/// The submissions that must fail otherwise than by time.
fn wrong(package: &Package) -> Vec<&Submission> {
    let slow = Verdicts::of(&[Verdict::TimeLimit]);
    let can_be_shown = |s: &&Submission| s.expectation.required.iter().any(|verdict| !slow.contains(verdict));
    package.submissions.iter().filter(|s| s.expectation.is_rejected()).filter(can_be_shown).collect()
}

/// Those of them that no test case kills.
fn survivors<'p>(package: &'p Package, desk: &mut Desk) -> Result<Vec<&'p Submission>> {
    let wrong = wrong(package);
    let has_test_cases = !package.test_cases.is_empty() && package.test_cases.iter().all(|case| case.answer.is_some());
    if wrong.is_empty() || !has_test_cases {
        return Ok(wrong);
    }
    let (submissions, cases) = (wrong.len(), package.test_cases.len());
    let (submissions, cases) = (numbered(submissions, "wrong submission"), numbered(cases, "test case"));
    desk.announce("Verifying", format!("{}: {submissions} on {cases}, to find those that live", package.id));
    let how = VerifyArgs::default();
    let chosen = verify::Chosen { submissions: wrong.clone(), are_named: false };
    let (_, alive) = verify::whole(package, &chosen, &how, Show::Nothing, desk, |plan, verified, _, _| {
        let rows = plan.contestants.iter().zip(&verified.rows);
        let accepted = rows.filter(|(_, row)| row.verdict == Some(Verdict::Accepted));
        Ok(accepted.map(|(contestant, _)| contestant.name.clone()).collect::<Vec<String>>())
    })?;
    Ok(wrong.into_iter().filter(|submission| alive.contains(&submission.name)).collect())
}
