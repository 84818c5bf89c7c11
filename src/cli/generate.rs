//! `rebut generate`: prints valid inputs of a format.

use super::args::{GenerateArgs, InputArgs, JudgeArgs};
use super::exit_status::ExitStatus;
use super::problem_setup::{self, ProblemContext};
use super::session::Session;
use super::{compile_programs, invalid, stress};
use crate::report::wrap_plain_text;
use rebut_diagnostics::{Error, Result, group_thousands, list_and};
use rebut_engine::event::{ActivityEvent, Event, EventSink, InputProfile, WarningEvent};
use rebut_engine::{InputSource, profile_inputs};
use rebut_format::generate::{Extreme, GenerationPlan, GenerationSettings, sizes_below_max};
use rebut_format::language::StopToken;
use rebut_format::read::read_input;
use rebut_generators::all_shapes;
use rebut_packages::write_file;
use rebut_sandbox::{RunLimits, use_large_pages};
use std::fmt::Write as _;
use std::time::Duration;

/// Default time limit of the search for an input. The largest inputs take ten seconds in unoptimised builds.
const DEFAULT_TIME: Duration = Duration::from_secs(20);

/// Maximum number of steps of the search for an input: a few seconds.
const MAX_STEPS: u64 = 200_000_000;

pub(super) fn run_generate(args: &GenerateArgs, session: &mut Session) -> Result<ExitStatus> {
    if let Some(folder) = &args.helpers {
        return compile_programs::write_helpers(folder).map(|()| ExitStatus::Success);
    }
    stress::require_known_shape(args.shape.as_deref())?;
    use_large_pages();
    let given = args.format.to_input_args();
    let mut problem = ProblemContext::load_problem(&given, None, session)?;
    problem.require_format("generate from")?;
    let budget = add_step_budget(&mut problem);
    if args.profile {
        return emit_profile(args, &given, &problem, session);
    }
    if args.invalid {
        return invalid::run_generate_invalid(args, &given, &problem, session);
    }
    let settings = generation_settings(args, &problem);
    let inputs =
        problem_setup::build_input_source(&given, &problem, settings, &RunLimits::with_cpu_time_ms(10_000), session)?;
    for index in 0..args.count {
        let (done, of) = (index, Some(args.count));
        session.note_activity(&ActivityEvent { done, of, noun: "inputs", ..ActivityEvent::new("Generating", "") });
        let bytes = generate_in_time(&inputs, args, index, &budget, session)?;
        if args.max && index == 0 {
            warn_of_smaller_sizes(&problem, &bytes, session);
        }
        match &args.out {
            Some(folder) => write_file(&folder.join(format!("{}.in", index + 1)), &bytes)?,
            None => session.write_stdout(&bytes)?,
        }
    }
    Ok(ExitStatus::Success)
}

/// Warns if no size of an input that should be the largest reaches its maximum. Each may be unreachable, or the
/// constraints are too hard for a larger one to be found.
fn warn_of_smaller_sizes(problem: &ProblemContext, bytes: &[u8], session: &mut Session) {
    let Some(format) = &problem.format else { return };
    let Ok(value) = read_input(format, bytes) else { return };
    let below = sizes_below_max(&GenerationPlan::new(format), &value);
    if below.is_empty() {
        return;
    }
    let sizes: Vec<String> =
        below.iter().map(|size| format!("`{} = {}` of {}", size.field, size.value, size.max)).collect();
    session.take_event(&Event::Warning(WarningEvent {
        message: format!("this is the largest input that was found, with {}", list_and(&sizes)),
        help: Some("larger ones may exist; if none does, a smaller bound in the format says so".to_owned()),
    }));
}

/// Reports statistics of a sample, including the answers if there is a reference.
fn emit_profile(
    args: &GenerateArgs,
    given: &InputArgs,
    problem: &ProblemContext,
    session: &mut Session,
) -> Result<ExitStatus> {
    const SAMPLE_INPUTS: u64 = 500;
    const MAX_ELEMENTS: usize = 2000;
    let judging = JudgeArgs { reference: args.reference.clone(), ..JudgeArgs::default() };
    let has_reference =
        args.reference.is_some() || problem.package.as_ref().is_some_and(|p| !p.reference_candidates().is_empty());
    let setup = has_reference
        .then(|| problem_setup::build_judge_setup(&judging, problem, None, session))
        .transpose()?
        .map(|(setup, _)| setup);
    // One case per file: the answers to a hundred cases together are always different.
    let settings =
        GenerationSettings { max_cases: 1, max_elements: MAX_ELEMENTS, ..generation_settings(args, problem) };
    let inputs =
        problem_setup::build_input_source(given, problem, settings, &RunLimits::with_cpu_time_ms(10_000), session)?;
    let count = if args.count > 1 { args.count } else { SAMPLE_INPUTS };
    session.begin_activity("Generating", format!("a sample of {count} inputs"));
    let profile = profile_inputs(&inputs, setup.as_ref(), args.seed, count, session.jobs)?;
    let warning = warn_of_constant_answer(&profile);
    session.take_event(&Event::Profile(profile));
    if let Some(warning) = warning {
        session.take_event(&Event::Warning(warning));
    }
    Ok(ExitStatus::Success)
}

/// Returns a warning if all answers are the same: a submission that prints that constant would pass every test
/// generated like this.
fn warn_of_constant_answer(profile: &InputProfile) -> Option<WarningEvent> {
    /// With fewer answers it can be chance.
    const MIN_ANSWERS: u64 = 5;
    let [only] = &*profile.most_common else { return None };
    (profile.different == 1 && only.inputs >= MIN_ANSWERS).then(|| WarningEvent {
        message: format!(
            "all {} answers are the same, `{}`: a submission that always prints it would pass",
            only.inputs, only.answer
        ),
        help: Some("make inputs with other answers more likely (`--where`, `--shape`), or add some by hand".to_owned()),
    })
}

/// Makes the work on the format stop at the end of a budget of steps, which is unlimited at first.
fn add_step_budget(problem: &mut ProblemContext) -> StopToken {
    let Some(format) = &mut problem.format else { return StopToken::never_stopping() };
    format.stop_token = format.stop_token.with_steps(u64::MAX);
    format.stop_token.clone()
}

/// Generates one input within the time limit and the budget of steps. The latter ends a hopeless search early; large
/// inputs take time, but few steps.
fn generate_in_time(
    inputs: &InputSource<'_>,
    args: &GenerateArgs,
    index: u64,
    budget: &StopToken,
    session: &Session,
) -> Result<Vec<u8>> {
    budget.refill_steps(MAX_STEPS);
    let time = args.time.unwrap_or(DEFAULT_TIME);
    let phase = session.cancel.begin_phase(time);
    let found = generate_one_input(inputs, args, index);
    let has_spent_steps = budget.is_stopped() && !session.cancel.is_cancelled();
    let is_over = session.cancel.should_stop() && !session.cancel.is_cancel_requested();
    drop(phase);
    let (spent, help) = match found {
        Err(_) if is_over => (format!("{} s", time.as_secs_f64()), "`--time` sets how long to try"),
        Err(_) if has_spent_steps => {
            (format!("{} steps", group_thousands(MAX_STEPS.into())), "simpler constraints take fewer steps to check")
        }
        found => return found,
    };
    // The search for the closest input has a budget of its own.
    budget.refill_steps(MAX_STEPS);
    let nothing_found = || Error::usage_error(format!("no input was found in {spent}")).with_help(help);
    Err(inputs.give_up_error().unwrap_or_else(nothing_found))
}

/// Generates one input. Inputs that a validator refuses are drawn again from streams that no other input uses.
fn generate_one_input(inputs: &InputSource<'_>, args: &GenerateArgs, index: u64) -> Result<Vec<u8>> {
    const MAX_ATTEMPTS: u64 = 1000;
    for attempt in 0..MAX_ATTEMPTS {
        if let Some(input) = inputs.make_input_of_growth(args.seed, index + (attempt << 32), args.growth)? {
            return Ok(input.bytes);
        }
    }
    Err(Error::usage_error(format!("the validators refused {MAX_ATTEMPTS} inputs in a row")))
}

fn generation_settings(args: &GenerateArgs, problem: &ProblemContext) -> GenerationSettings {
    let extreme = match (args.min, args.max) {
        (true, _) => Some(Extreme::Min),
        (_, true) => Some(Extreme::Max),
        _ => None,
    };
    let words = problem.package.as_ref().map(problem_setup::words_in_samples).unwrap_or_default().into();
    GenerationSettings { shape: args.shape.clone(), extreme, dictionary: words, ..GenerationSettings::default() }
}

pub(super) fn run_shapes(session: &mut Session) -> Result<ExitStatus> {
    let widest = all_shapes().map(|s| s.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    let mut family = None;
    for shape in all_shapes() {
        if family != Some(shape.family) {
            let gap = if family.is_some() { "\n" } else { "" };
            family = Some(shape.family);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{gap}{}", shape.family.name());
        }
        let head = format!("  {:widest$}  ", shape.name);
        text.push_str(&wrap_plain_text(&head, shape.doc, session.options.width));
    }
    session.write_stdout(text.as_bytes())?;
    Ok(ExitStatus::Success)
}
