//! `rebut replay`: a finding, run again.

use super::args::{InputArgs, Narrowing, Replay};
use super::desk::Desk;
use super::exit::Status;
use super::programs;
use super::setup::{self, Problem};
use super::stress::{self, Closing};
use crate::campaign::{
    Bench, Certified, Engine, Event, Found, Proof, Replayed, Role, SearchResult, Sink, Warning, failure_hints, replay,
};
use crate::corpus::{self, Finding, Record};
use crate::diagnostic::{Error, Result, Source};
use crate::generate::Settings;
use crate::run::{CompileError, Limits, Program, SourceOptions, Standard};
use crate::verdict::Verdict;
use std::path::Path;

pub(super) fn run(args: &Replay, desk: &mut Desk) -> Result<Status> {
    let finding = corpus::load(&args.finding)?;
    let record = &finding.record;
    let source = args.submission.clone().unwrap_or_else(|| record.submission.clone());
    let reference = args.reference.clone().or_else(|| record.reference.clone());
    let Some(reference) = reference else { return Err(Error::usage("the finding names no reference")) };
    let options = source_options(record)?;
    let bench = bench(&finding, program(&reference, &options, Role::Reference, desk)?, &options, desk)?;
    let submission = match record.culprit.as_str() {
        "reference" => None,
        _ => match programs::made_with(&options, &source, Role::Submission, desk) {
            Ok((program, _)) => Some(program),
            Err(CompileError::Rejected { command, text }) => {
                let name = programs::file_name(&source);
                desk.take(&Event::Found(Box::new(Found::compile_error(&name, &command, &text))));
                return Ok(stress::finish(
                    desk,
                    None,
                    &SearchResult::default(),
                    &[Verdict::CompileError],
                    Closing::default(),
                ));
            }
            Err(CompileError::Failed(error)) => return Err(gone(error)),
        },
    };
    let replayed = replay(&bench, submission.as_ref(), &finding)?;
    let name = if submission.is_some() { programs::file_name(&source) } else { programs::file_name(&reference) };
    let mut verdicts = Vec::new();
    let mut survivors = Vec::new();
    if replayed.reproduces() {
        let proof = certified(args, &finding, &bench, submission.as_ref(), &replayed, desk)?;
        let hints = failure_hints(&bench.referee, &replayed.trial, &replayed.answer);
        let mut found = describe(&name, &args.finding, finding, replayed, submission.is_none());
        found.hints = hints;
        found.judged_by = bench.referee.kind();
        if let Some(certified) = proof {
            match certified.smaller_input() {
                // The certificate is about that input, not about the finding.
                Some(smaller) => {
                    let message = format!("a smaller input fails, too:\n{}", String::from_utf8_lossy(smaller));
                    desk.take(&Event::Warning(Warning { message, help: None }));
                }
                None => found.certificate = Some(certified.certificate),
            }
        }
        verdicts.push(found.verdict);
        desk.take(&Event::Found(Box::new(found)));
    } else {
        survivors.push(name);
    }
    Ok(stress::finish(desk, None, &SearchResult::default(), &verdicts, Closing { survivors, ..Closing::default() }))
}

/// Proves once more, if that is wanted, that the finding is the smallest.
fn certified(
    args: &Replay,
    finding: &Finding,
    bench: &Bench,
    submission: Option<&Program>,
    replayed: &Replayed,
    desk: &mut Desk,
) -> Result<Option<Certified>> {
    let record = &finding.record;
    let (Some(budget), Some(submission), Some(text)) = (args.certify, submission, &record.format) else {
        return Ok(None);
    };
    let format = setup::read_format(Source::new("the finding's format", text.as_bytes()), &Narrowing::default(), desk)?;
    let own = |validator: &&String| !format.validators.iter().any(|v| v.command == **validator);
    let validator = record.validators.iter().filter(own).cloned().collect();
    let problem = Problem { package: None, format: Some(format), folder: record.folder.clone() };
    let given = InputArgs { validator, ..InputArgs::default() };
    let inputs = setup::inputs(&given, &problem, Settings::default(), &bench.jury_limits, desk)?;
    desk.begin("Proving", programs::file_name(&record.submission));
    let quick = bench.with(Engine::Quick);
    let proof = Proof { bench: &quick, inputs: &inputs, jobs: desk.jobs, budget };
    proof.certify_submission(submission, replayed.trial.kind, &finding.input)
}

/// How the sources of a finding were compiled.
fn source_options(record: &Record) -> Result<SourceOptions> {
    let standards = record.standards.iter().map(|name| Standard::parse(name)).collect::<std::result::Result<_, _>>();
    Ok(SourceOptions { includes: record.includes.clone(), standards: standards.map_err(Error::usage)? })
}

fn program(path: &Path, options: &SourceOptions, role: Role, desk: &mut Desk) -> Result<Program> {
    programs::made_with(options, path, role, desk).map(|(program, _)| program).map_err(|error| match error {
        CompileError::Failed(error) => gone(error),
        CompileError::Rejected { command, text } => {
            Error::judge(format!("`{}` does not compile", path.display())).with_note(format!("{command}\n{text}"))
        }
    })
}

/// A finding remembers where its sources were; they may have moved.
fn gone(error: Error) -> Error {
    if error.help().is_some() {
        error
    } else {
        error.with_help("if it has moved, say where with `--submission` or `--reference`")
    }
}

fn bench(finding: &Finding, reference: Program, options: &SourceOptions, desk: &mut Desk) -> Result<Bench> {
    let record = &finding.record;
    let limits = Limits {
        memory_limit_bytes: record.memory_limit_bytes.max(1 << 20),
        ..Limits::with_cpu_time_ms(record.cpu_time_limit_ms.max(1))
    };
    let jury_limits = Limits {
        memory_limit_bytes: limits.memory_limit_bytes.max(2 << 30),
        ..Limits::with_cpu_time_ms(10_000.max(limits.cpu_time_limit_ms * 5))
    };
    let referee = super::jury::named(&record.checker, options, desk)?;
    Ok(Bench { engine: Engine::Exec, reference, referee, limits, jury_limits, cancel: desk.cancel.clone() })
}

fn describe(name: &str, folder: &Path, finding: Finding, replayed: Replayed, reference: bool) -> Found {
    let (trial, record) = (replayed.trial, finding.record);
    let answer = if reference { finding.answer } else { replayed.answer };
    let verdict = if reference { Verdict::JudgeError } else { trial.verdict };
    Found {
        verdict,
        case: record.case,
        shape: record.shape,
        seed: record.seed,
        original: finding.original,
        shrink_complete: record.shrink_complete,
        flaky: (replayed.failed < replayed.runs).then_some((replayed.failed, replayed.runs)),
        folder: Some(folder.to_owned()),
        ..Found::of_trial(name, finding.input, answer, trial, record.checker)
    }
}
