//! `rebut generate --invalid`: prints inputs with one thing wrong each, and reports the validators that accept one.

use super::args::{GenerateArgs, InputArgs};
use super::exit_status::ExitStatus;
use super::problem_setup::{self, ProblemContext};
use super::session::Session;
use rebut_diagnostics::{Error, ErrorKind, Result, SourceText, count_with_noun, to_json_pretty};
use rebut_engine::InputValidator;
use rebut_engine::event::{Event, EventSink, ValidatorExposure, WarningEvent};
use rebut_format::invalid::{self, BrokenRule, InvalidInput, InvalidInputs};
use rebut_format::language::Format;
use rebut_packages::write_file;
use rebut_sandbox::RunLimits;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// Maximum number of elements in an invalid input. Larger sizes are only broken by the announced number.
const MAX_ELEMENTS: usize = 300_000;

/// Default time limit of the search.
const DEFAULT_TIME: Duration = Duration::from_secs(8);

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
    let validators = problem_setup::compile_all_validators(given, problem, session)?;
    let cancel = session.cancel.clone();
    session.begin_activity("Searching", "inputs that break one constraint each");
    let time = args.time.unwrap_or(DEFAULT_TIME);
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
        session.take_event(&Event::Warning(untried_warning(untried, time)));
    }
    match &args.out {
        Some(folder) => write_invalid_inputs(folder, format, &inputs, &listing)?,
        None => session.write_stdout(listing.as_bytes())?,
    }
    expose_validators(&validators, &inputs, session)
}

/// Returns the warning that the search ended before every constraint was tried.
fn untried_warning(untried: usize, time: Duration) -> WarningEvent {
    let ways = count_with_noun(untried, "way");
    WarningEvent {
        message: format!("{ways} to break a constraint were not tried within {} s", time.as_secs_f64()),
        help: Some("`--time` sets the time limit of the search".to_owned()),
    }
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
