//! `rebut generate --invalid`: inputs with one thing wrong, and the validators that do not see it.

use super::args::{Generate, InputArgs};
use super::desk::Desk;
use super::exit::Status;
use super::setup::{self, Problem};
use crate::campaign::{Event, Exposed, Sink, Validator};
use crate::corpus::write_file;
use crate::diagnostic::{Error, ErrorKind, Result, Source, numbered, to_json_pretty};
use crate::format::Format;
use crate::invalid::{self, Breaks, Invalid, Invalids};
use crate::run::Limits;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;

/// No invalid input has more numbers and characters: a bound that lies beyond is broken by its number alone.
const MOST_ELEMENTS: usize = 300_000;

/// An invalid input, and what our reader says of it.
struct Refused {
    input: Invalid,
    message: String,
}

pub(super) fn run(args: &Generate, given: &InputArgs, problem: &Problem, desk: &mut Desk) -> Result<Status> {
    let format = problem.format_to("generate from")?;
    let validators = setup::all_validators(given, problem, desk)?;
    let cancel = desk.cancel.clone();
    desk.begin("Searching", "inputs that break one constraint each");
    let made = invalid::invalids(format, args.seed, MOST_ELEMENTS, &|| cancel.cancelled());
    desk.check_interrupted()?;
    let Invalids { inputs, unbroken } = made.map_err(|failure| {
        let text = failure.diagnostic().render(&format.source);
        let (headline, place) = text.split_once('\n').unwrap_or((&text, ""));
        Error::usage(headline.trim_start_matches("error: ")).with_note(place.trim_end())
    })?;
    let inputs = inputs.into_iter().map(|input| refused(format, input)).collect::<Result<Vec<Refused>>>()?;
    let mut listing = listing(&inputs);
    if !unbroken.is_empty() {
        let _ = writeln!(listing, "\nnot broken: {}", numbered(unbroken.len(), "thing"));
        let widest = unbroken.iter().map(|u| u.name.len()).max().unwrap_or(0);
        for missing in &unbroken {
            let _ = writeln!(listing, "  {:widest$}  {}", missing.name, missing.reason);
        }
    }
    match &args.out {
        Some(folder) => write_all(folder, format, &inputs, &listing)?,
        None => desk.data(listing.as_bytes())?,
    }
    expose(&validators, &inputs, desk)
}

/// Asks our own reader: an input that it accepts is no invalid input, but a mistake of ours.
fn refused(format: &Format, input: Invalid) -> Result<Refused> {
    let source = Source::new(format!("{}.in", input.name), input.bytes.clone());
    match invalid::refusal(format, &input.bytes) {
        Some(problem) => Ok(Refused { message: problem.render(&source), input }),
        None => Err(Error::judge(format!("the reader accepts the invalid input `{}`", input.name))
            .with_note(String::from_utf8_lossy(&input.bytes).into_owned())
            .with_help("this is a mistake in rebut: please report it with the format")),
    }
}

/// Names, and what is wrong.
fn listing(inputs: &[Refused]) -> String {
    let widest = inputs.iter().map(|refused| refused.input.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for Refused { input, .. } in inputs {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{:widest$}  {}", input.name, input.what);
        if let Some(note) = &input.note {
            let _ = writeln!(text, "{:widest$}  ({note})", "");
        }
    }
    text
}

/// An entry of `index.json`.
#[derive(Serialize)]
struct Entry<'e> {
    name: &'e str,
    file: String,
    what: &'e str,
    /// The text of the constraint; none if the layout is broken.
    constraint: Option<String>,
    also: Vec<String>,
    note: Option<&'e str>,
    message: &'e str,
}

impl<'e> Entry<'e> {
    fn new(format: &Format, refused: &'e Refused) -> Entry<'e> {
        let text = |constraint: usize| format.text(format.constraints[constraint].span);
        let input = &refused.input;
        let (constraint, also) = match &input.breaks {
            Breaks::Constraint { constraint, also } => (Some(*constraint), also.clone()),
            Breaks::Announced(constraint) => (Some(*constraint), Vec::new()),
            Breaks::Layout => (None, Vec::new()),
        };
        Entry {
            name: &input.name,
            file: format!("{}.in", input.name),
            what: &input.what,
            constraint: constraint.map(text),
            also: also.into_iter().map(text).collect(),
            note: input.note.as_deref(),
            message: &refused.message,
        }
    }
}

/// One file for each input, and two that tell what they are: for people and for programs.
fn write_all(folder: &Path, format: &Format, inputs: &[Refused], listing: &str) -> Result<()> {
    for Refused { input, .. } in inputs {
        write_file(&folder.join(format!("{}.in", input.name)), &input.bytes)?;
    }
    let messages: Vec<&str> = inputs.iter().map(|refused| refused.message.as_str()).collect();
    write_file(&folder.join("index.txt"), format!("{listing}\n{}", messages.join("\n")).as_bytes())?;
    let entries: Vec<Entry<'_>> = inputs.iter().map(|refused| Entry::new(format, refused)).collect();
    let json = to_json_pretty(&entries).map_err(|e| Error::operating(format!("failed to write `index.json`: {e}")))?;
    write_file(&folder.join("index.json"), format!("{json}\n").as_bytes())
}

/// Offers every input to every validator, and tells of those that do not refuse it.
fn expose(validators: &[Validator], inputs: &[Refused], desk: &mut Desk) -> Result<Status> {
    let mut status = Status::Fine;
    for validator in validators {
        for Refused { input, .. } in inputs {
            let failure = match validator.refuses(&input.bytes, &Limits::with_cpu_time_ms(10_000), &desk.cancel) {
                Ok(Some(_)) => continue,
                Ok(None) => None,
                Err(error) if error.kind() == ErrorKind::Judge => Some(error.message().to_owned()),
                Err(error) => return Err(error),
            };
            let new = if failure.is_none() { Status::Found } else { Status::Judge };
            // What a validator accepts is what was looked for; that another input makes it crash does not hide it.
            status = if status == Status::Found { status } else { new };
            desk.take(&Event::Exposed(Exposed {
                validator: validator.program.display_name().to_owned(),
                name: input.name.clone(),
                what: input.what.clone(),
                failure,
                is_refused: false,
                is_lenient: false,
                others: Vec::new(),
            }));
        }
    }
    Ok(status)
}
