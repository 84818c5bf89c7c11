//! `rebut generate`: prints valid inputs of a format.

use super::args::{GenerateArgs, InputArgs, JudgeArgs};
use super::exit_status::ExitStatus;
use super::problem_setup::ProblemContext;
use super::session::Session;
use super::{compile_programs, stress};
use crate::report::wrap_plain_text;
use rebut_diagnostics::{
    Error, ErrorKind, Result, SourceText, count_with_noun, group_thousands, list_and, to_json_pretty,
};
use rebut_engine::event::{ActivityEvent, AnswerCount, Event, EventSink, InputProfile, ValidatorExposure};
use rebut_engine::{InputSource, InputValidator, profile_inputs, words_in_samples};
use rebut_format::generate::{Extreme, GenerationPlan, GenerationSettings, sizes_below_max};
use rebut_format::invalid::{self, BrokenRule, InvalidInput, InvalidInputs};
use rebut_format::language::{Format, StopToken};
use rebut_format::read::read_input;
use rebut_generators::all_shapes;
use rebut_packages::write_file;
use rebut_sandbox::{RunLimits, use_large_pages};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;
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
        return run_generate_invalid(args, &given, &problem, session);
    }
    let settings = generation_settings(args, &problem);
    let inputs = problem.build_input_source(&given, settings, &RunLimits::with_cpu_time_ms(10_000), session)?;
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
    let message = format!("this is the largest input that was found, with {}", list_and(&sizes));
    session.warn_with_help(message, "larger ones may exist; if none does, a smaller bound in the format says so");
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
    let setup =
        has_reference.then(|| problem.build_judge_setup(&judging, session)).transpose()?.map(|(setup, _)| setup);
    // One case per file: the answers to a hundred cases together are always different.
    let settings =
        GenerationSettings { max_cases: 1, max_elements: MAX_ELEMENTS, ..generation_settings(args, problem) };
    let inputs = problem.build_input_source(given, settings, &RunLimits::with_cpu_time_ms(10_000), session)?;
    let count = if args.count > 1 { args.count } else { SAMPLE_INPUTS };
    session.begin_activity("Generating", format!("a sample of {count} inputs"));
    let profile = profile_inputs(&inputs, setup.as_ref(), args.seed, count, session.jobs)?;
    session.take_event(&Event::Profile(profile.clone()));
    warn_of_constant_answer(&profile, session);
    Ok(ExitStatus::Success)
}

/// Warns if all answers are the same: a submission that prints that constant would pass every test generated like this.
fn warn_of_constant_answer(profile: &InputProfile, session: &mut Session) {
    /// With fewer answers it can be chance.
    const MIN_ANSWERS: u64 = 5;
    let [AnswerCount { answer, inputs }] = &*profile.most_common else { return };
    if profile.different == 1 && *inputs >= MIN_ANSWERS {
        let message =
            format!("all {inputs} answers are the same, `{answer}`: a submission that always prints it would pass");
        let help = "make inputs with other answers more likely (`--where`, `--shape`), or add some by hand";
        session.warn_with_help(message, help);
    }
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
    let words = problem.package.as_ref().map(words_in_samples).unwrap_or_default().into();
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

// `rebut generate --invalid`: prints inputs with one thing wrong each, and reports the validators that accept one.

/// Maximum number of elements in an invalid input. Larger sizes are only broken by the announced number.
const MAX_ELEMENTS: usize = 300_000;

/// Default time limit of the search.
const DEFAULT_INVALID_TIME: Duration = Duration::from_secs(8);

/// An invalid input with the message of the built-in reader.
struct RefusedInput {
    input: InvalidInput,
    message: String,
}

pub(super) fn run_generate_invalid(
    args: &GenerateArgs,
    given: &InputArgs,
    problem: &ProblemContext,
    session: &mut Session,
) -> Result<ExitStatus> {
    let format = problem.require_format("generate from")?;
    let validators = problem.compile_all_validators(given, session)?;
    let cancel = session.cancel.clone();
    session.begin_activity("Searching", "inputs that break one constraint each");
    let time = args.time.unwrap_or(DEFAULT_INVALID_TIME);
    let phase = session.cancel.begin_phase(time);
    let generated = invalid::generate_invalid_inputs(format, args.seed, MAX_ELEMENTS, &|| cancel.should_stop());
    drop(phase);
    session.check_interrupted()?;
    let InvalidInputs { inputs, unbroken, untried } = generated.map_err(|failure| {
        let problem = failure.to_diagnostic();
        let mut place = problem.to_styled_text(&format.source);
        place.lines.remove(0);
        Error::usage_error(problem.message).with_note(place.to_string().trim_end())
    })?;
    let inputs =
        inputs.into_iter().map(|input| require_refusal(format, input)).collect::<Result<Vec<RefusedInput>>>()?;
    let mut listing = list_invalid_inputs(&inputs);
    if !unbroken.is_empty() {
        let _ = writeln!(listing, "\nnot broken: {}", count_with_noun(unbroken.len(), "thing"));
        let widest = unbroken.iter().map(|u| u.name.len()).max().unwrap_or(0);
        for missing in &unbroken {
            let _ = writeln!(listing, "  {:widest$}  {}", missing.name, missing.reason);
        }
    }
    if untried > 0 {
        let ways = count_with_noun(untried, "way");
        let message = format!("{ways} to break a constraint were not tried within {} s", time.as_secs_f64());
        session.warn_with_help(message, "`--time` sets the time limit of the search");
    }
    match &args.out {
        Some(folder) => write_invalid_inputs(folder, format, &inputs, &listing)?,
        None => session.write_stdout(listing.as_bytes())?,
    }
    expose_validators(&validators, &inputs, session)
}

/// Checks that the built-in reader refuses an invalid input; otherwise there is a bug in rebut.
fn require_refusal(format: &Format, input: InvalidInput) -> Result<RefusedInput> {
    let source = SourceText::new(format!("{}.in", input.name), input.bytes.clone());
    match invalid::find_refusal(format, &input.bytes) {
        Some(problem) => Ok(RefusedInput { message: problem.render_text(&source), input }),
        None => Err(Error::judge_error(format!("the reader accepts the invalid input `{}`", input.name))
            .with_note(String::from_utf8_lossy(&input.bytes).into_owned())
            .with_help("this is a bug in rebut: please report it with the format")),
    }
}

/// Lists the invalid inputs: their names and what is wrong with each.
fn list_invalid_inputs(inputs: &[RefusedInput]) -> String {
    let widest = inputs.iter().map(|refused| refused.input.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for RefusedInput { input, .. } in inputs {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:widest$}  {}", input.name, input.description);
        if let Some(note) = &input.note {
            let _ = writeln!(text, "{:widest$}  ({note})", "");
        }
    }
    text
}

/// An entry of `index.json`.
#[derive(Serialize)]
struct InvalidIndexEntry<'e> {
    name: &'e str,
    file: String,
    what: &'e str,
    /// Text of the broken constraint, or `None` if the layout is broken.
    constraint: Option<String>,
    also: Vec<String>,
    note: Option<&'e str>,
    message: &'e str,
}

impl<'e> InvalidIndexEntry<'e> {
    fn new(format: &Format, refused: &'e RefusedInput) -> InvalidIndexEntry<'e> {
        let text = |constraint: usize| format.source_text(format.constraints[constraint].span);
        let input = &refused.input;
        let (constraint, also) = match &input.broken_rule {
            BrokenRule::Constraint { constraint, also_broken: also } => (Some(*constraint), also.clone()),
            BrokenRule::AnnouncedSize(constraint) => (Some(*constraint), Vec::new()),
            BrokenRule::Layout => (None, Vec::new()),
        };
        InvalidIndexEntry {
            name: &input.name,
            file: format!("{}.in", input.name),
            what: &input.description,
            constraint: constraint.map(text),
            also: also.into_iter().map(text).collect(),
            note: input.note.as_deref(),
            message: &refused.message,
        }
    }
}

/// Writes a file for each input, and two indexes: `index.txt` for people, `index.json` for programs.
fn write_invalid_inputs(folder: &Path, format: &Format, inputs: &[RefusedInput], listing: &str) -> Result<()> {
    for RefusedInput { input, .. } in inputs {
        write_file(&folder.join(format!("{}.in", input.name)), &input.bytes)?;
    }
    let messages: Vec<&str> = inputs.iter().map(|refused| refused.message.as_str()).collect();
    write_file(&folder.join("index.txt"), format!("{listing}\n{}", messages.join("\n")).as_bytes())?;
    let entries: Vec<InvalidIndexEntry<'_>> =
        inputs.iter().map(|refused| InvalidIndexEntry::new(format, refused)).collect();
    let json =
        to_json_pretty(&entries).map_err(|e| Error::operating_error(format!("failed to write `index.json`: {e}")))?;
    write_file(&folder.join("index.json"), format!("{json}\n").as_bytes())
}

/// Runs every validator on every input and reports those that do not refuse one.
fn expose_validators(
    validators: &[InputValidator],
    inputs: &[RefusedInput],
    session: &mut Session,
) -> Result<ExitStatus> {
    let mut status = ExitStatus::Success;
    for validator in validators {
        for RefusedInput { input, .. } in inputs {
            let failure =
                match validator.check_input(&input.bytes, &RunLimits::with_cpu_time_ms(10_000), &session.cancel) {
                    Ok(Some(_)) => continue,
                    Ok(None) => None,
                    Err(error) if error.kind() == ErrorKind::Judge => Some(error.message().to_owned()),
                    Err(error) => return Err(error),
                };
            let new = if failure.is_none() { ExitStatus::Found } else { ExitStatus::Judge };
            // An input that a validator accepts takes precedence over one that crashes it.
            status = if status == ExitStatus::Found { status } else { new };
            let exposed = ValidatorExposure::new(validator.program.display_name(), &input.name, &input.description);
            session.take_event(&Event::Exposed(ValidatorExposure { failure, ..exposed }));
        }
    }
    Ok(status)
}
