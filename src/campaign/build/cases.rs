//! Inputs that are drawn from a format.

use super::super::inputs::{Inputs, Made, Origin};
use super::flaw::FlawKind;
use super::input::{Fresh, Unmade};
use super::order::{Drawn, Order};
use crate::diagnostic::Result;
use crate::format::Format;
use crate::generate::{Plan, Settings, merge};
use crate::print::print;
use crate::run::{Cancel, Limits};
use crate::validate::{explain, violation};
use crate::value::Value;

/// So often an input, or a case, is drawn before it is given up.
const MOST_TRIES: u64 = 200;

/// The stream of random choices of an attempt at a case of an input: each its own.
fn stream(index: usize, case: usize, attempt: u64) -> u64 {
    (index as u64) << 44 | (case as u64) << 16 | attempt
}

/// The input of that number.
pub(super) fn drawn(
    order: &Order,
    drawn: &Drawn,
    index: usize,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<std::result::Result<Fresh, Unmade>> {
    let Some(format) = &order.format else {
        let message = "without a format nothing can be drawn".to_owned();
        return Ok(Err((FlawKind::Unmade, message, String::new())));
    };
    let draw = Draw { order, drawn, limits, cancel };
    match drawn.cases {
        Some(cases) => draw.put_together(format, index, cases as usize),
        None => {
            let shape = draw.shape(index);
            let made = draw.one(format, (shape, drawn.growth.0), usize::MAX, (index, 0))?;
            Ok(made.map(|made| Fresh { bytes: made.bytes, ignores_seed: false }))
        }
    }
}

/// What all attempts have in common.
struct Draw<'a> {
    order: &'a Order,
    drawn: &'a Drawn,
    limits: &'a Limits,
    cancel: &'a Cancel,
}

impl<'a> Draw<'a> {
    /// Whose turn it is.
    fn shape(&self, turn: usize) -> Option<&'a str> {
        let shapes = &self.drawn.shapes;
        (!shapes.is_empty()).then(|| shapes[turn % shapes.len()].as_str())
    }

    /// An input of the format, of that shape.
    fn one(
        &self,
        format: &Format,
        (shape, growth): (Option<&str>, u32),
        most_cases: usize,
        (index, case): (usize, usize),
    ) -> Result<std::result::Result<Made, Unmade>> {
        let shape_name = shape.map(str::to_owned);
        let settings = Settings { shape: shape_name, extreme: self.drawn.extreme, most_cases, ..Settings::default() };
        let origin = Origin::Format { plan: Plan::new(format), settings };
        let inputs = Inputs::new(origin, self.order.validators.clone(), self.limits.clone(), self.cancel.clone());
        let mut other = false;
        for attempt in 0..MOST_TRIES {
            if self.cancel.cancelled() {
                return Err(crate::diagnostic::Error::interrupted());
            }
            let Some(made) = inputs.make_of_growth(self.order.seed, stream(index, case, attempt), growth)? else {
                continue;
            };
            if shape.is_none_or(|shape| made.shape == shape) {
                return Ok(Ok(made));
            }
            other = true;
        }
        let message = match shape.filter(|_| other) {
            Some(shape) => format!("nothing in the format takes the shape `{shape}`"),
            None => format!("none of {MOST_TRIES} inputs in a row was valid"),
        };
        Ok(Err((FlawKind::Unmade, message, String::new())))
    }

    /// So many cases, drawn one by one. Where the limits on all of them together leave less room, all are made smaller.
    fn put_together(&self, format: &Format, index: usize, cases: usize) -> Result<std::result::Result<Fresh, Unmade>> {
        let Some(single) = format.with_single_case() else {
            let message = "`cases` needs a format with `cases`, and a number that counts them".to_owned();
            return Ok(Err((FlawKind::Unmade, message, String::new())));
        };
        let mut unmet = String::new();
        for percent in [100, 80, 64, 51, 41, 33, 26, 21, 17, 10, 5, 0] {
            let mut drawn = Vec::with_capacity(cases);
            for case in 0..cases {
                let growth = between(self.drawn.growth, case, cases) * percent / 100;
                let made = self.one(&single, (self.shape(case), growth), 1, (index, case))?;
                match made.map(|made| made.value) {
                    Ok(Some(value)) => drawn.push(value),
                    Ok(None) => {}
                    Err(unmade) => return Ok(Err(unmade)),
                }
            }
            match whole(format, &drawn) {
                Ok(value) => return Ok(Ok(Fresh { bytes: print(format, &value), ignores_seed: false })),
                Err(why) => unmet = why,
            }
        }
        let message = format!("{cases} such cases do not go together, however small they are");
        Ok(Err((FlawKind::Unmade, message, unmet)))
    }
}

/// The cases in one input, if that is valid.
fn whole(format: &Format, cases: &[Value]) -> std::result::Result<Value, String> {
    let Some(value) = merge(format, cases) else { return Err("the format counts no cases".to_owned()) };
    match violation(format, &value) {
        None => Ok(value),
        Some(broken) => Err(explain(format, &value, &broken).message),
    }
}

/// The size of a case between that of the first and that of the last.
fn between((first, last): (u32, u32), case: usize, cases: usize) -> u32 {
    let (case, steps) = (case as u64, (cases as u64).saturating_sub(1).max(1));
    let size = (u64::from(first) * (steps - case.min(steps)) + u64::from(last) * case) / steps;
    u32::try_from(size).unwrap_or(100).min(100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_go_evenly_from_the_first_to_the_last() {
        let sizes = |ends, cases| (0..cases).map(|case| between(ends, case, cases)).collect::<Vec<u32>>();
        assert_eq!(sizes((100, 0), 5), [100, 75, 50, 25, 0]);
        assert_eq!(sizes((0, 100), 3), [0, 50, 100]);
        assert_eq!(sizes((30, 30), 3), [30, 30, 30]);
        assert_eq!(sizes((100, 0), 1), [100]);
    }
}
