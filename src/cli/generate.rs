//! `rebut generate`: valid inputs from a format.

use super::args::{Generate, InputArgs};
use super::desk::Desk;
use super::exit::Status;
use super::setup::{self, Problem};
use super::{stress, validate};
use crate::campaign::Inputs;
use crate::corpus::write_file;
use crate::diagnostic::{Error, Result};
use crate::format::{FieldId, Format};
use crate::generate::{Extreme, Settings};
use crate::run::Limits;

pub(super) fn run(args: &Generate, desk: &mut Desk) -> Result<Status> {
    stress::known_shape(args.shape.as_deref())?;
    let from = args.target.as_deref().map(validate::target).unwrap_or_default();
    let given = InputArgs { input: args.input.clone(), constraints: args.constraints.clone(), ..from };
    let problem = Problem::load(&given, None, desk)?;
    let Some(format) = &problem.format else {
        return Err(Error::usage("the problem has no `input.format` to generate from"));
    };
    let settings = settings(args, format)?;
    let inputs = setup::inputs(&given, &problem, settings, &Limits::with_cpu_time_ms(10_000), desk)?;
    for index in 0..args.count {
        let bytes = one(&inputs, args, index)?;
        match &args.out {
            Some(folder) => write_file(&folder.join(format!("{}.in", index + 1)), &bytes)?,
            None => desk.data(&bytes)?,
        }
    }
    Ok(Status::Fine)
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

fn settings(args: &Generate, format: &Format) -> Result<Settings> {
    let extreme = match (args.min, args.max) {
        (true, _) => Some(Extreme::Min),
        (_, true) => Some(Extreme::Max),
        _ => None,
    };
    let fixed = args.lets.iter().map(|l| given(l, format)).collect::<Result<Vec<_>>>()?;
    Ok(Settings { shape: args.shape.clone(), extreme, fixed, ..Settings::default() })
}

/// `n=100` as a field and its value.
fn given(text: &str, format: &Format) -> Result<(FieldId, i128)> {
    let wrong = |why: &str| Error::usage(format!("`--let {text}`: {why}"));
    let (name, value) = text.split_once('=').ok_or_else(|| wrong("expected NAME=VALUE"))?;
    let id = format.field_named(name.trim()).ok_or_else(|| wrong("there is no such field in the format"))?;
    let field = format.field(id);
    if !field.is_scalar() {
        return Err(wrong("only single numbers can be given a value"));
    }
    let value = value.trim().parse().map_err(|_| wrong("the value is not a whole number"))?;
    if !field.range.contains(value) {
        return Err(wrong(&format!("the format allows {}..{}", field.range.lo, field.range.hi)));
    }
    Ok((id, value))
}
