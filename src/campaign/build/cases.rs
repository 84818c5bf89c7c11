//! Inputs that are drawn from a format.

use super::super::inputs::{Inputs, Made, Origin};
use super::flaw::FlawKind;
use super::input::{Fresh, Unmade};
use super::order::{Drawn, Order};
use crate::diagnostic::Result;
use crate::format::{Class, Format};
use crate::generate::{Plan, Portion, Settings, merge};
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
            let settings = Settings { shape: shape.map(str::to_owned), growth: drawn.growth.0, ..Settings::default() };
            let made = draw.one(format, settings, (index, 0))?;
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

    /// An input of the format by these settings, of their shape.
    fn one(
        &self,
        format: &Format,
        settings: Settings,
        (index, case): (usize, usize),
    ) -> Result<std::result::Result<Made, Unmade>> {
        let (shape, growth) = (settings.shape.clone(), settings.growth);
        let settings = Settings { extreme: self.drawn.extreme, ..settings };
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
            if shape.as_ref().is_none_or(|shape| made.shape == *shape) {
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

    /// So many cases, drawn one by one. Where the limits on all of them together leave less room, each gets a part of them; and
    /// where even that does not go together, all are made smaller.
    fn put_together(&self, format: &Format, index: usize, cases: usize) -> Result<std::result::Result<Fresh, Unmade>> {
        let Some(single) = format.with_single_case() else {
            let message = "`cases` needs a format with `cases`, and a number that counts them".to_owned();
            return Ok(Err((FlawKind::Unmade, message, String::new())));
        };
        let ends = self.drawn.growth;
        let growths: Vec<u32> = (0..cases).map(|case| between(ends, case, cases)).collect();
        let portions = portions(&growths);
        let alone = (ends.0 == ends.1).then_some((None, 100));
        let in_parts = [100, 80, 64, 51, 41, 33, 26, 21, 17, 10, 5, 0].map(|percent| (Some(&portions), percent));
        let mut unmet = String::new();
        for (portions, percent) in alone.into_iter().chain(in_parts) {
            let mut drawn = Vec::with_capacity(cases);
            for (case, growth) in growths.iter().enumerate() {
                let settings = Settings {
                    shape: self.shape(case).map(str::to_owned),
                    growth: growth * percent / 100,
                    most_cases: 1,
                    portion: portions.map(|portions| portions[case]),
                    ..Settings::default()
                };
                match self.one(&single, settings, (index, case))?.map(|made| made.value) {
                    Ok(Some(value)) => drawn.push(value),
                    Ok(None) => {}
                    Err(unmade) => return Ok(Err(unmade)),
                }
                // Where a few are too large already, the others need not be drawn.
                if portions.is_none() && drawn.len().is_power_of_two() && exceeds_budgets(format, &drawn) {
                    break;
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

/// What each of the cases may have of the limits on all of them: equal parts, or a third of what the larger ones leave, where
/// one is to be larger than the other.
fn portions(growths: &[u32]) -> Vec<Portion> {
    const WHOLE: u64 = 1 << 32;
    const PART_OF_REST: u64 = 3;
    let cases = u32::try_from(growths.len()).unwrap_or(u32::MAX);
    let is_filled = growths.iter().any(|growth| *growth != growths[0]);
    let equal = WHOLE / u64::from(cases.max(1));
    let mut portions = vec![Portion { cases, of_rest: equal, is_filled }; growths.len()];
    if !is_filled {
        return portions;
    }
    let mut order: Vec<usize> = (0..growths.len()).collect();
    order.sort_by_key(|case| std::cmp::Reverse(growths[*case]));
    let mut rest = WHOLE;
    for case in order {
        portions[case].of_rest = rest / PART_OF_REST;
        rest -= rest / PART_OF_REST;
    }
    portions
}

/// Returns true if some cases together break a bound on a sum over all of them.
fn exceeds_budgets(format: &Format, cases: &[Value]) -> bool {
    let broken = merge(format, cases).and_then(|value| violation(format, &value));
    broken.is_some_and(|broken| format.constraints[broken.constraint].class == Class::Budget)
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
