//! Every input in a scope, in as few files as fit.

use super::flaw::FlawKind;
use super::input::{Fresh, Unmade};
use super::order::Order;
use crate::campaign::every::Every;
use crate::campaign::pack::{pack, packs};
use crate::diagnostic::Result;
use crate::enumerate::Enumerator;
use crate::format::Format;
use crate::generate::Plan;
use crate::print::print;
use crate::run::{Cancel, Limits};
use crate::value::Value;

/// As many inputs as a scope may have.
const MOST_INPUTS: usize = 200_000;
/// As many files as they may fill.
const MOST_FILES: usize = 200;

/// All inputs of the order's format that its validators accept, the smallest first.
pub(super) fn every(
    order: &Order,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<std::result::Result<Vec<Fresh>, Unmade>> {
    let unmade = |message: String| Ok(Err((FlawKind::Unmade, message, String::new())));
    let Some(format) = &order.format else {
        return unmade("without a format nobody knows what every input is".to_owned());
    };
    let single = Every::of_one_case(format);
    let narrow = Plan::new(single.as_ref().unwrap_or(format));
    let stop = || cancel.cancelled();
    let mut values = Vec::new();
    let mut enumerator = Enumerator::new(&narrow, usize::MAX, &stop);
    for value in enumerator.by_ref() {
        if values.len() == MOST_INPUTS {
            return unmade(format!("the scope has more than {MOST_INPUTS} inputs: narrow it"));
        }
        if is_accepted(order, narrow.format, &value, limits, cancel)? {
            values.push(value);
        }
    }
    if cancel.cancelled() {
        return Err(crate::diagnostic::Error::interrupted());
    }
    if enumerator.is_cut_short() {
        return unmade(
            "the inputs of the scope cannot be listed: too many ways would have to be followed at once".to_owned(),
        );
    }
    if values.is_empty() {
        return unmade("no input is in the scope".to_owned());
    }
    match files(format, &values) {
        Some(files) => Ok(Ok(files)),
        None => {
            unmade(format!("the {} inputs of the scope need more than {MOST_FILES} files: narrow it", values.len()))
        }
    }
}

fn is_accepted(order: &Order, format: &Format, value: &Value, limits: &Limits, cancel: &Cancel) -> Result<bool> {
    for validator in &order.validators {
        if validator.refuses(&print(format, value), limits, cancel)?.is_some() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The inputs in files, each as full as it can be; none if there are too many.
fn files(format: &Format, mut values: &[Value]) -> Option<Vec<Fresh>> {
    let mut files = Vec::new();
    while !values.is_empty() {
        let (taken, value) = longest(format, values)?;
        files.push(Fresh { bytes: print(format, &value), ignores_seed: false });
        values = &values[taken..];
        if files.len() > MOST_FILES {
            return None;
        }
    }
    Some(files)
}

/// As many of the first values as go into one file, and that file: limits on all cases together only get tighter.
fn longest(format: &Format, values: &[Value]) -> Option<(usize, Value)> {
    let most = if packs(format) { values.len() } else { 1 };
    if let Some(all) = pack(format, &values[..most]) {
        return Some((most, all));
    }
    let (mut fits, mut too_many) = (1, most);
    while too_many - fits > 1 {
        let middle = usize::midpoint(fits, too_many);
        match pack(format, &values[..middle]) {
            Some(_) => fits = middle,
            None => too_many = middle,
        }
    }
    Some((fits, pack(format, &values[..fits])?))
}
