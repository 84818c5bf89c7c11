//! `rebut enumerate`: every valid input of a format, the smallest first.

use super::args::Enumerate;
use super::desk::Desk;
use super::exit::Status;
use super::setup::{self, Problem};
use crate::campaign::{Activity, Enumerated, Event, Input, Sink, Validator};
use crate::corpus::write_file;
use crate::diagnostic::{Error, Result};
use crate::enumerate::{Enumerator, TooWide, count, count_in_memory, sizes};
use crate::generate::Plan;
use crate::print::print;
use crate::run::Limits;
use std::sync::atomic::{AtomicU64, Ordering};

pub(super) fn run(args: &Enumerate, desk: &mut Desk) -> Result<Status> {
    let given = args.format.given();
    let problem = Problem::load(&given, None, desk)?;
    let format = problem.format_to("enumerate")?;
    let validators = setup::validators(&given, &problem, desk)?;
    let plan = Plan::new(format);
    desk.begin("Counting", "inputs");
    let is_manageable = args.size.is_some() || args.limit.is_some() || is_manageable(&plan, args.count);
    desk.check_interrupted()?;
    if !is_manageable {
        return Err(Error::usage("there are too many inputs to enumerate them all").with_help(
            "give the most elements with `--size 6`, a further constraint with `--where 'n <= 3'`, or `--limit 100`",
        ));
    }
    let enumerated = if args.count && validators.is_empty() {
        counted(args, &plan, desk)?
    } else {
        listed(args, &plan, &validators, desk)?
    };
    desk.take(&Event::Enumerated(enumerated));
    Ok(Status::Fine)
}

/// Whether all inputs of a format can be listed, or counted, without any limit.
fn is_manageable(plan: &Plan<'_>, count_only: bool) -> bool {
    const MOST_ELEMENTS: i128 = 1000;
    const MOST_INPUTS: u128 = 1_000_000;
    const MOST_STEPS: u64 = 1_000_000;
    let most = sizes(plan).hi;
    if most > MOST_ELEMENTS || count_only {
        return most <= MOST_ELEMENTS;
    }
    let steps = AtomicU64::new(0);
    let stop = &plan.format.stop;
    let too_many_steps = || steps.fetch_add(1, Ordering::Relaxed) > MOST_STEPS || stop.is_stopped();
    count(plan, usize::MAX, &too_many_steps).is_some_and(|number| number <= MOST_INPUTS)
}

/// The number of inputs, most of them never made.
fn counted(args: &Enumerate, plan: &Plan<'_>, desk: &Desk) -> Result<Enumerated> {
    let cancel = desk.cancel.clone();
    let inputs = count_in_memory(plan, args.size.unwrap_or(usize::MAX), &|| cancel.cancelled());
    desk.check_interrupted()?;
    let inputs = inputs.map_err(|TooWide| too_wide())?;
    Ok(Enumerated { inputs, most_elements: args.size, complete: true, counted: true })
}

/// Prints the inputs that all validators accept, or only counts them.
fn listed(args: &Enumerate, plan: &Plan<'_>, validators: &[Validator], desk: &mut Desk) -> Result<Enumerated> {
    let cancel = desk.cancel.clone();
    let stop = || cancel.cancelled();
    let limit = args.limit.unwrap_or(u64::MAX);
    let mut number = 0;
    let mut complete = true;
    let mut enumerator = Enumerator::new(plan, args.size.unwrap_or(usize::MAX), &stop);
    for value in enumerator.by_ref() {
        let bytes = print(plan.format, &value);
        if refused(&bytes, validators, desk)? {
            continue;
        }
        number += 1;
        desk.note(&Activity { done: number, noun: "inputs", ..Activity::new("Enumerating", "") });
        if !args.count {
            show(args, Input { number, elements: value.elements(), text: bytes }, desk)?;
        }
        if number == limit {
            complete = false;
            break;
        }
    }
    desk.check_interrupted()?;
    if enumerator.is_cut_short() {
        return Err(too_wide());
    }
    Ok(Enumerated { inputs: Some(number.into()), most_elements: args.size, complete, counted: args.count })
}

/// Each way to go on is kept with all that is chosen up to there; where lines hold nothing, nothing tells how many they are.
fn too_wide() -> Error {
    Error::operating("there are too many ways to go on at once to find the next input in order")
        .with_help("bound the sizes, and how often lines come that hold no number and no character")
}

fn refused(bytes: &[u8], validators: &[Validator], desk: &Desk) -> Result<bool> {
    for validator in validators {
        if validator.refuses(bytes, &Limits::with_cpu_time_ms(10_000), &desk.cancel)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn show(args: &Enumerate, input: Input, desk: &mut Desk) -> Result<()> {
    match &args.out {
        Some(folder) => write_file(&folder.join(format!("{}.in", input.number)), &input.text)?,
        None if desk.tells_by_stdout() => {}
        None => desk.data(&input.text)?,
    }
    desk.take(&Event::Input(input));
    Ok(())
}
