//! `rebut generate`: valid inputs from a format.

use super::args::{Generate, InputArgs, JudgeArgs};
use super::desk::Desk;
use super::exit::Status;
use super::setup::{self, Problem};
use super::{invalid, stress};
use crate::campaign::{Activity, Event, Inputs, Profile, Sink, Warning, profile};
use crate::corpus::write_file;
use crate::diagnostic::{Error, Result};
use crate::generate::{Extreme, Settings};
use crate::run::{Limits, use_large_pages};

pub(super) fn run(args: &Generate, desk: &mut Desk) -> Result<Status> {
    stress::known_shape(args.shape.as_deref())?;
    use_large_pages();
    let given = args.format.given();
    let problem = Problem::load(&given, None, desk)?;
    problem.format_to("generate from")?;
    if args.profile {
        return profiled(args, &given, &problem, desk);
    }
    if args.invalid {
        return invalid::run(args, &given, &problem, desk);
    }
    let settings = settings(args, &problem);
    let inputs = setup::inputs(&given, &problem, settings, &Limits::with_cpu_time_ms(10_000), desk)?;
    for index in 0..args.count {
        let (done, of) = (index, Some(args.count));
        desk.note(&Activity { done, of, noun: "inputs", ..Activity::new("Generating", "") });
        let bytes = found_in_time(&inputs, args, index, desk)?;
        match &args.out {
            Some(folder) => write_file(&folder.join(format!("{}.in", index + 1)), &bytes)?,
            None => desk.data(&bytes)?,
        }
    }
    Ok(Status::Fine)
}

/// Tells what a sample is worth, with the answers of a reference where there is one.
fn profiled(args: &Generate, given: &InputArgs, problem: &Problem, desk: &mut Desk) -> Result<Status> {
    const SAMPLE: u64 = 500;
    const MOST_ELEMENTS: usize = 2000;
    let judging = JudgeArgs { reference: args.reference.clone(), ..JudgeArgs::default() };
    let has_reference =
        args.reference.is_some() || problem.package.as_ref().is_some_and(|p| !p.references().is_empty());
    let bench = has_reference.then(|| setup::bench(&judging, problem, None, desk)).transpose()?.map(|(bench, _)| bench);
    // One case a file: the answers of a hundred cases at once are always different.
    let settings = Settings { most_cases: 1, most_elements: MOST_ELEMENTS, ..settings(args, problem) };
    let inputs = setup::inputs(given, problem, settings, &Limits::with_cpu_time_ms(10_000), desk)?;
    let count = if args.count > 1 { args.count } else { SAMPLE };
    desk.begin("Generating", format!("a sample of {count} inputs"));
    let profile = profile(&inputs, bench.as_ref(), args.seed, count, desk.jobs)?;
    let warning = only_answer(&profile);
    desk.take(&Event::Profile(profile));
    if let Some(warning) = warning {
        desk.take(&Event::Warning(warning));
    }
    Ok(Status::Fine)
}

/// A warning if all answers are the same: then a submission that just prints it passes every test made like this.
fn only_answer(profile: &Profile) -> Option<Warning> {
    /// Of fewer it may be chance.
    const MIN_ANSWERS: u64 = 5;
    let [only] = &*profile.most_common else { return None };
    (profile.different == 1 && only.inputs >= MIN_ANSWERS).then(|| Warning {
        message: format!(
            "all {} answers are the same, `{}`: a submission that always prints it passes, too",
            only.inputs, only.answer
        ),
        help: Some("make inputs with other answers likelier (`--where`, `--shape`), or add a few by hand".to_owned()),
    })
}

/// One input, if it is found in time.
fn found_in_time(inputs: &Inputs<'_>, args: &Generate, index: u64, desk: &Desk) -> Result<Vec<u8>> {
    let phase = desk.cancel.begin_phase(args.time);
    let found = one(inputs, args, index);
    let is_over = desk.cancel.is_due() && !desk.cancel.is_thrown();
    drop(phase);
    match found {
        Err(_) if is_over => Err(inputs.give_up().unwrap_or_else(|| {
            Error::usage(format!("no input was found in {} s", args.time.as_secs_f64()))
                .with_help("`--time` sets how long is searched")
        })),
        found => found,
    }
}

/// One input; those that a validator refuses are drawn again, from streams that no other input uses.
fn one(inputs: &Inputs<'_>, args: &Generate, index: u64) -> Result<Vec<u8>> {
    const MOST_TRIES: u64 = 1000;
    for attempt in 0..MOST_TRIES {
        if let Some(made) = inputs.make_of_growth(args.seed, index + (attempt << 32), args.growth)? {
            return Ok(made.bytes);
        }
    }
    Err(Error::usage(format!("the validators refused {MOST_TRIES} inputs in a row")))
}

fn settings(args: &Generate, problem: &Problem) -> Settings {
    let extreme = match (args.min, args.max) {
        (true, _) => Some(Extreme::Min),
        (_, true) => Some(Extreme::Max),
        _ => None,
    };
    let words = problem.package.as_ref().map(setup::words_of_samples).unwrap_or_default().into();
    Settings { shape: args.shape.clone(), extreme, words, ..Settings::default() }
}
