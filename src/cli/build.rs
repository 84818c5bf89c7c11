//! `rebut build`: the test set of a problem from its recipe.

use super::args::{Build, InputArgs, JudgeArgs, VerifyArgs};
use super::desk::Desk;
use super::exit::Status;
use super::programs::{self, compile_all};
use super::recipe::{self, Kitchen};
use super::setup::{self, Problem};
use super::verify;
use crate::campaign::verify::Verified;
use crate::campaign::{
    Accepted, Bench, Blame, BuildPlan, Engine, Event, MadeSet, Role, Sink, Summary, Validator, Warning, build,
};
use crate::corpus::recipe::{Recipe, SAMPLE, SECRET};
use crate::corpus::{Changes, Dialect, Package, TestSet, Wanted, digest, files_in, read_file};
use crate::diagnostic::{Diagnostic, Error, Result};
use crate::run::CompileError;
use std::path::{Path, PathBuf};

pub(super) fn run(args: &Build, desk: &mut Desk) -> Result<Status> {
    desk.report_to(&args.reports);
    let mut statuses = Vec::new();
    let mut flaws = 0;
    for folder in &args.problems {
        let (status, found) = one(args, folder, desk)?;
        statuses.push(status);
        flaws += found;
    }
    let status = statuses.into_iter().max().unwrap_or(Status::Fine);
    desk.take(&Event::Summary(Summary { findings: flaws, exit_status: status.code(), ..Summary::default() }));
    Ok(status)
}

/// Builds one problem's test set; how that ended, and how many flaws it has.
fn one(args: &Build, folder: &Path, desk: &mut Desk) -> Result<(Status, usize)> {
    let given = InputArgs { problem: Some(folder.to_owned()), ..InputArgs::default() };
    let name = folder.canonicalize().ok().and_then(|folder| Some(folder.file_name()?.to_string_lossy().into_owned()));
    desk.report_on(&name.unwrap_or_else(|| folder.display().to_string()), folder, true);
    let set = TestSet::open(folder, args.force)?;
    let problem = Problem::to_be_built(&given, folder, &set, desk)?;
    let recipe = recipe::load(folder, desk)?;
    check_groups(&recipe, problem.package()?, desk)?;
    let own = setup::validators(&given, &problem, desk)?;
    let own = if problem.format.is_some() { own } else { Vec::new() };
    let mut kitchen = Kitchen::new(&recipe, folder, problem.format.as_ref(), own, desk);
    let orders = kitchen.orders()?;
    let own_validators = kitchen.into_validators();
    let reference = args.reference.clone().or_else(|| recipe.reference.as_ref().map(|r| PathBuf::from(&r.text)));
    let judging = JudgeArgs { reference, checker: args.checker.clone(), ..JudgeArgs::default() };
    let (bench, source) = setup::bench(&judging, &problem, None, desk)?;
    let jury_limits = bench.jury_limits.clone();
    let plan = BuildPlan {
        orders,
        set: &set,
        format: problem.format.as_ref(),
        // Whether a submission is too slow is another question than whether it agrees.
        bench: Bench { limits: jury_limits, engine: Engine::Exec, ..bench },
        reference_key: source_digest(&source)?,
        own_validators,
        validators: other_validators(&problem, desk)?,
        answer_validators: super::answers::validators(problem.package()?, desk)?.into_iter().map(|(_, v)| v).collect(),
        accepted: accepted(&problem, &source, desk)?,
        others: scores(&recipe, problem.package()?, &set, desk),
        jobs: desk.jobs,
        anew: args.force,
    };
    desk.begin("Building", folder.display().to_string());
    desk.keep_results();
    let made = build(&plan, desk)?;
    if desk.cancel.cancelled() {
        return Err(Error::interrupted());
    }
    let written = put_down(args, &set, &made, desk)?;
    desk.take(&Event::Built(made.event(written)));
    let (status, flaws) = (status(args, &made, written), made.flaws.len());
    if status != Status::Fine || args.check || args.no_verify {
        return Ok((status, flaws));
    }
    let verified = verified(folder, desk)?;
    Ok((verify::status_of(&verified), verified.unmet()))
}

/// What every submission does on the test set as it is now: what each wrong one dies of.
fn verified(folder: &Path, desk: &mut Desk) -> Result<Verified> {
    let problem = Problem::of_package(folder, desk)?;
    let package = problem.package()?;
    let all = verify::Chosen { submissions: package.submissions.iter().collect(), are_named: false };
    verify::whole(package, &all, &VerifyArgs::default(), verify::Show::Everything, desk, |_, _, _, _| Ok(()))
        .map(|(verified, ())| verified)
}

/// Writes what was made, if that is asked for and nothing stands in the way.
fn put_down(args: &Build, set: &TestSet, made: &MadeSet, desk: &mut Desk) -> Result<bool> {
    if args.check || !made.flaws.is_empty() {
        return Ok(false);
    }
    let Changes { edited, foreign, .. } = &made.changes;
    let is_wanted = |path: &&String| made.files.iter().any(|file| file.path == **path);
    let lost: Vec<&String> = edited.iter().chain(foreign).filter(is_wanted).collect();
    let others: Vec<&String> = edited.iter().chain(foreign).filter(|path| !is_wanted(path)).collect();
    if !args.force && (!lost.is_empty() || !others.is_empty()) {
        let message = "`data/` has files that this recipe does not make: they stay, and nothing is written";
        let help = "name them in the recipe as `file`, move them away, or build with `--force`: that writes over those that \
                    are in the way, and leaves the others";
        desk.take(&Event::Warning(Warning { message: message.to_owned(), help: Some(help.to_owned()) }));
        return Ok(false);
    }
    set.write(&made.files, &made.changes)?;
    Ok(true)
}

fn status(args: &Build, made: &MadeSet, written: bool) -> Status {
    match made.flaws.iter().map(|flaw| flaw.kind.blame()).max() {
        Some(Blame::Jury) => Status::Judge,
        Some(Blame::Recipe) => Status::Usage,
        Some(Blame::Found) => Status::Found,
        None if args.check && !made.changes.is_none() => Status::Found,
        None if args.check || written => Status::Fine,
        None => Status::Usage,
    }
}

/// Returns an error, after it was shown, if a test of a scoring problem is in no group while others are.
fn check_groups(recipe: &Recipe, package: &Package, desk: &mut Desk) -> Result<()> {
    let scored = recipe.groups.iter().find(|group| group.score.is_some() && group.name != SECRET);
    let outside = recipe.groups.iter().find(|group| group.name == SECRET).and_then(|group| group.tests.first());
    let (Some(scored), Some(test), true) = (scored, outside, package.judging.scoring) else { return Ok(()) };
    let problem = Diagnostic::error("no-group", test.span, "this test is in no group, so it gives no points");
    let help = format!("say to which group it belongs, as in `group = \"{}\"`", scored.name);
    desk.show(&[problem.caret("the groups give all points").help(help)], &recipe.source);
    Err(Error::usage(""))
}

/// What tells judges how many points the groups are worth, in the dialect of the package: all of them, or none.
fn scores(recipe: &Recipe, package: &Package, set: &TestSet, desk: &mut Desk) -> Vec<Wanted> {
    let is_legacy = matches!(package.dialect, Dialect::Legacy | Dialect::LegacyIcpc);
    let scored: Vec<(String, u32)> =
        recipe.groups.iter().filter_map(|group| Some((group.folder(), group.score?))).collect();
    if scored.is_empty() {
        return Vec::new();
    }
    if !package.judging.scoring {
        let message = "groups have points, and `problem.yaml` does not say `type: scoring`".to_owned();
        desk.take(&Event::Warning(Warning { message, help: Some("without it judges give none".to_owned()) }));
    }
    let total: u64 = scored.iter().map(|(_, score)| u64::from(*score)).sum();
    let name = if is_legacy { "testdata.yaml" } else { "test_group.yaml" };
    let file = |folder: &str, text: String| {
        let key = digest(&[&text]);
        Wanted { path: format!("{folder}/{name}"), key, bytes: text.into_bytes() }
    };
    let around = around(recipe, total, is_legacy).into_iter().map(|(folder, text)| file(folder, text));
    // What somebody wrote about all groups is not to be written over.
    let around = around.filter(|file| {
        !set.is_handmade(&file.path) && !scored.iter().any(|(f, _)| file.path.starts_with(&format!("{f}/{name}")))
    });
    let of_group = |(folder, score): &(String, u32)| {
        file(
            folder,
            if is_legacy {
                format!("on_reject: break\ngrader_flags: min\naccept_score: {score}\nrange: 0 {score}\n")
            } else {
                format!("max_score: {score}\nscore_aggregation: pass-fail\n")
            },
        )
    };
    around.chain(scored.iter().map(of_group)).collect()
}

/// What has to stand around the groups, so that one which fails does not take the points of the others.
fn around(recipe: &Recipe, total: u64, is_legacy: bool) -> Vec<(&'static str, String)> {
    if !is_legacy {
        return vec![("secret", format!("max_score: {total}\n"))];
    }
    let secret = format!(
        "on_reject: continue\ngrader_flags: first_error accept_if_any_accepted\naccept_score: 0\nrange: 0 {total}\n"
    );
    let sample = "on_reject: continue\ngrader_flags: always_accept\naccept_score: 0\nrange: 0 0\n";
    let has_samples = recipe.groups.iter().any(|group| group.name == SAMPLE && !group.tests.is_empty());
    let sample = has_samples.then(|| ("sample", sample.to_owned()));
    [("secret", secret)].into_iter().chain(sample).collect()
}

/// The digest of a program's source, or of all files of its folder.
fn source_digest(source: &Path) -> Result<String> {
    let files = if source.is_dir() { files_in(source) } else { vec![source.to_owned()] };
    let texts: Vec<Vec<u8>> = files.iter().map(|file| read_file(file)).collect::<Result<_>>()?;
    Ok(digest(&texts))
}

/// The package's validators that the format does not name.
fn other_validators(problem: &Problem, desk: &mut Desk) -> Result<Vec<Validator>> {
    let named: Vec<PathBuf> = problem
        .format
        .iter()
        .flat_map(|format| &format.validators)
        .filter_map(|v| problem.folder.join(v.command.split(' ').next()?).canonicalize().ok())
        .collect();
    let is_named = |path: &Path| path.canonicalize().is_ok_and(|path| named.contains(&path));
    let found = setup::package_validators(problem, &|path| !is_named(path), desk)?;
    Ok(found.into_iter().map(|(_, validator)| validator).collect())
}

/// The accepted submissions but the reference. Without its compiler one says nothing.
fn accepted(problem: &Problem, reference: &Path, desk: &mut Desk) -> Result<Vec<Accepted>> {
    let package = problem.package.as_ref();
    let paths = package.iter().flat_map(|package| package.references()).filter(|path| path != reference);
    let named: Vec<(PathBuf, String)> = paths.map(|path| (path.clone(), programs::file_name(&path))).collect();
    let mut found = Vec::new();
    for (compiled, (_, name)) in compile_all(package, &named, Role::Submission, desk).into_iter().zip(&named) {
        match compiled {
            Ok((program, _)) => found.push(Accepted { name: name.clone(), program }),
            Err(error) if programs::leave_out(name, &error, desk) => {}
            Err(CompileError::Failed(error)) => return Err(error),
            Err(CompileError::Rejected { command, text }) => {
                return Err(Error::judge(format!("`{name}` has to be accepted, and does not compile"))
                    .with_note(format!("{command}\n{text}")));
            }
        }
    }
    Ok(found)
}
