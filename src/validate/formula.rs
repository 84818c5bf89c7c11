//! Comparisons with `and`, `or`, `forall` and `exists` between them.

use super::Sides;
use super::compare::compare;
use crate::format::{Comparison, Formula, Quantified};
use crate::value::{self, Scope, Unknown};

/// Where a formula is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault<'f> {
    /// A comparison that would have to hold; none where any of many would do.
    pub comparison: Option<&'f Comparison>,
    /// What the quantifiers around it count.
    pub variables: Vec<i128>,
    /// Why it is false.
    pub sides: Sides<'f>,
}

/// Maximum number of steps (comparisons, and turns of quantifiers) for one formula: beyond it the wait is too long.
const MOST_STEPS: u64 = 400_000_000;

/// Number of steps between two looks at the format's token.
const STEPS_PER_LOOK: u64 = 4096;

/// The first place where a formula is false in a scope; none if it holds.
///
/// # Errors
/// See [`Unknown`]; `Undefined` also if it would take too long, or if the format's token stops it.
pub fn fault<'f>(formula: &'f Formula, scope: &Scope<'_>) -> Result<Option<Fault<'f>>, Unknown> {
    Walk { steps: 0 }.fault(formula, scope, &mut scope.variables.to_vec())
}

struct Walk {
    steps: u64,
}

impl Walk {
    /// Counts a step. Returns an error if there are too many, or if the work is to end.
    fn step(&mut self, scope: &Scope<'_>) -> Result<(), Unknown> {
        self.steps += 1;
        let is_stopped = self.steps.is_multiple_of(STEPS_PER_LOOK) && scope.format.stop.spend(STEPS_PER_LOOK);
        if is_stopped {
            // Whatever is walked through besides ends as soon.
            self.steps = MOST_STEPS;
        }
        if self.steps > MOST_STEPS || is_stopped { Err(Unknown::Undefined) } else { Ok(()) }
    }

    fn fault<'f>(
        &mut self,
        formula: &'f Formula,
        scope: &Scope<'_>,
        variables: &mut Vec<i128>,
    ) -> Result<Option<Fault<'f>>, Unknown> {
        match formula {
            Formula::Compare(comparison) => self.comparison(comparison, scope, variables),
            Formula::All(parts) => {
                for part in parts {
                    if let Some(fault) = self.fault(part, scope, variables)? {
                        return Ok(Some(fault));
                    }
                }
                Ok(None)
            }
            Formula::Any(parts) => self.any(parts, scope, variables),
            Formula::Each(quantified) => {
                for number in range(quantified, scope, variables)? {
                    self.step(scope)?;
                    variables.push(number);
                    let found = self.fault(&quantified.body, scope, variables);
                    variables.pop();
                    if let Some(mut fault) = found? {
                        fault.sides = Sides::At(&quantified.name, number, Box::new(fault.sides));
                        return Ok(Some(fault));
                    }
                }
                Ok(None)
            }
            Formula::Some(quantified) => self.exists(quantified, scope, variables),
        }
    }

    fn comparison<'f>(
        &mut self,
        comparison: &'f Comparison,
        scope: &Scope<'_>,
        variables: &[i128],
    ) -> Result<Option<Fault<'f>>, Unknown> {
        self.step(scope)?;
        match compare(comparison, &scope.with(variables)) {
            Ok(None) | Err(Unknown::Empty) => Ok(None),
            Ok(Some((_, sides))) => {
                Ok(Some(Fault { comparison: Some(comparison), variables: variables.to_vec(), sides }))
            }
            Err(unknown) => Err(unknown),
        }
    }

    /// Holds if one part does, whatever cannot be computed in the others. The fault is that of the last part, which in
    /// `A => B` is B.
    fn any<'f>(
        &mut self,
        parts: &'f [Formula],
        scope: &Scope<'_>,
        variables: &mut Vec<i128>,
    ) -> Result<Option<Fault<'f>>, Unknown> {
        let mut last = Ok(None);
        for part in parts {
            match self.fault(part, scope, variables) {
                Ok(None) => return Ok(None),
                Err(unknown) => last = Err(unknown),
                Ok(fault) if last.is_ok() => last = Ok(fault),
                Ok(_) => {}
            }
        }
        last
    }

    fn exists<'f>(
        &mut self,
        quantified: &'f Quantified,
        scope: &Scope<'_>,
        variables: &mut Vec<i128>,
    ) -> Result<Option<Fault<'f>>, Unknown> {
        let range = range(quantified, scope, variables)?;
        let mut unknown = None;
        for number in range.clone() {
            self.step(scope)?;
            variables.push(number);
            let found = self.fault(&quantified.body, scope, variables);
            variables.pop();
            match found {
                Ok(None) => return Ok(None),
                Ok(Some(_)) => {}
                Err(why) => unknown = Some(why),
            }
        }
        match unknown {
            Some(why) => Err(why),
            None => {
                let sides = Sides::Nowhere(&quantified.name, *range.start(), *range.end());
                Ok(Some(Fault { comparison: None, variables: variables.clone(), sides }))
            }
        }
    }
}

fn range(
    quantified: &Quantified,
    scope: &Scope<'_>,
    variables: &[i128],
) -> Result<std::ops::RangeInclusive<i128>, Unknown> {
    let scope = scope.with(variables);
    Ok(value::number(&quantified.range.0, &scope)?..=value::number(&quantified.range.1, &scope)?)
}
