//! `rebut enumerate`: prints or counts all valid inputs of a format, smallest first.

use super::args::EnumerateArgs;
use super::exit_status::ExitStatus;
use super::problem_setup::ProblemContext;
use super::session::Session;
use rebut_diagnostics::{Error, Result};
use rebut_engine::InputValidator;
use rebut_engine::event::{ActivityEvent, EnumeratedInput, EnumerationSummary, Event, EventSink};
use rebut_format::enumerate::{Enumerator, InputTooWide, count_inputs, element_count_range, try_count_inputs};
use rebut_format::generate::GenerationPlan;
use rebut_format::print::print_value;
use rebut_packages::write_file;
use rebut_sandbox::RunLimits;
use std::sync::atomic::{AtomicU64, Ordering};

pub(super) fn run_enumerate(args: &EnumerateArgs, session: &mut Session) -> Result<ExitStatus> {
    let given = args.format.to_input_args();
    let problem = ProblemContext::load_problem(&given, None, session)?;
    let format = problem.require_format("enumerate")?;
    let validators = problem.compile_validators(&given, session)?;
    let plan = GenerationPlan::new(format);
    session.begin_activity("Counting", "inputs");
    let is_manageable = args.size.is_some() || args.limit.is_some() || is_manageable(&plan, args.count);
    session.check_interrupted()?;
    if !is_manageable {
        return Err(Error::usage_error("too many inputs to enumerate").with_help(
            "limit the elements with `--size 6`, add a constraint with `--where 'n <= 3'`, or use `--limit 100`",
        ));
    }
    let enumerated = if args.count && validators.is_empty() {
        summarize_count(args, &plan, session)?
    } else {
        list_inputs(args, &plan, &validators, session)?
    };
    session.take_event(&Event::Enumerated(enumerated));
    Ok(ExitStatus::Success)
}

/// Returns true if all inputs of a format can be listed or counted without a limit.
fn is_manageable(plan: &GenerationPlan<'_>, count_only: bool) -> bool {
    const MAX_ELEMENTS: i128 = 1000;
    const MAX_INPUTS: u128 = 1_000_000;
    const MAX_STEPS: u64 = 1_000_000;
    let most = element_count_range(plan).hi;
    if most > MAX_ELEMENTS || count_only {
        return most <= MAX_ELEMENTS;
    }
    let steps = AtomicU64::new(0);
    let stop = &plan.format.stop_token;
    let too_many_steps = || steps.fetch_add(1, Ordering::Relaxed) > MAX_STEPS || stop.is_stopped();
    count_inputs(plan, usize::MAX, &too_many_steps).is_some_and(|number| number <= MAX_INPUTS)
}

/// Counts the inputs without creating most of them.
fn summarize_count(args: &EnumerateArgs, plan: &GenerationPlan<'_>, session: &Session) -> Result<EnumerationSummary> {
    let cancel = session.cancel.clone();
    let inputs = try_count_inputs(plan, args.size.unwrap_or(usize::MAX), &|| cancel.is_cancelled());
    session.check_interrupted()?;
    let inputs = inputs.map_err(|InputTooWide| too_wide_error())?;
    Ok(EnumerationSummary { inputs, max_elements: args.size, complete: true, counted: true })
}

/// Prints, or only counts, the inputs that all validators accept.
fn list_inputs(
    args: &EnumerateArgs,
    plan: &GenerationPlan<'_>,
    validators: &[InputValidator],
    session: &mut Session,
) -> Result<EnumerationSummary> {
    let cancel = session.cancel.clone();
    let stop = || cancel.is_cancelled();
    let limit = args.limit.unwrap_or(u64::MAX);
    let mut number = 0;
    let mut complete = true;
    let mut enumerator = Enumerator::new(plan, args.size.unwrap_or(usize::MAX), &stop);
    for value in enumerator.by_ref() {
        let bytes = print_value(plan.format, &value);
        if is_refused_by_any(&bytes, validators, session)? {
            continue;
        }
        number += 1;
        session.note_activity(&ActivityEvent { done: number, noun: "inputs", ..ActivityEvent::new("Enumerating", "") });
        if !args.count {
            emit_input(args, EnumeratedInput { number, elements: value.element_count(), text: bytes }, session)?;
        }
        if number == limit {
            complete = false;
            break;
        }
    }
    session.check_interrupted()?;
    if enumerator.is_cut_short() {
        return Err(too_wide_error());
    }
    Ok(EnumerationSummary { inputs: Some(number.into()), max_elements: args.size, complete, counted: args.count })
}

/// Returns the error for an enumeration that needs too much memory: each partial input is kept until it is complete,
/// and the number of empty lines is unbounded unless the format limits it.
fn too_wide_error() -> Error {
    Error::operating_error("too many partial inputs at once to find the next input in order")
        .with_help("bound the sizes, and the number of empty lines")
}

fn is_refused_by_any(bytes: &[u8], validators: &[InputValidator], session: &Session) -> Result<bool> {
    for validator in validators {
        if validator.check_input(bytes, &RunLimits::with_cpu_time_ms(10_000), &session.cancel)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn emit_input(args: &EnumerateArgs, input: EnumeratedInput, session: &mut Session) -> Result<()> {
    match &args.out {
        Some(folder) => write_file(&folder.join(format!("{}.in", input.number)), &input.text)?,
        None if session.writes_events_to_stdout() => {}
        None => session.write_stdout(&input.text)?,
    }
    session.take_event(&Event::Input(input));
    Ok(())
}
