//! Comparisons with `and`, `or`, `forall` and `exists` between them.

use super::Sides;
use super::compare::compare;
use crate::format::{Comparison, Formula, Quantified};
use crate::value::{self, Scope, Unknown, both};
use std::ops::RangeInclusive;

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

/// The first place where a formula is false in a scope; none if it holds, or is void as a whole.
///
/// # Errors
/// See [`Unknown`]; `Undefined` also if it would take too long, or if the format's token stops it.
pub fn fault<'f>(formula: &'f Formula, scope: &Scope<'_>) -> Result<Option<Fault<'f>>, Unknown> {
    match (Walk { steps: 0 }).judge(formula, scope, &mut scope.variables.to_vec())? {
        Truth::True | Truth::Void(_) => Ok(None),
        Truth::False(fault) => Ok(Some(fault)),
    }
}

/// What a formula comes to.
enum Truth<'f> {
    True,
    False(Fault<'f>),
    /// Neither, because of an element that is absent: with the number of the innermost quantifier that its indices count
    /// with, if there is one.
    Void(Option<usize>),
}

/// Keeps the outermost reason why parts of a formula are void.
#[derive(Default)]
struct Voids(Option<Option<usize>>);

impl Voids {
    fn add(&mut self, reason: Option<usize>) {
        self.0 = Some(self.0.map_or(reason, |known| known.min(reason)));
    }

    /// Returns what it comes to if nothing else decides.
    fn or<'f>(self, truth: Truth<'f>) -> Truth<'f> {
        self.0.map_or(truth, Truth::Void)
    }
}

type Judged<'f> = Result<Truth<'f>, Unknown>;

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

    fn judge<'f>(&mut self, formula: &'f Formula, scope: &Scope<'_>, variables: &mut Vec<i128>) -> Judged<'f> {
        match formula {
            Formula::Compare(comparison) => self.comparison(comparison, scope, variables),
            Formula::All(parts) => {
                let mut voids = Voids::default();
                for part in parts {
                    match self.judge(part, scope, variables)? {
                        Truth::True => {}
                        Truth::Void(reason) => voids.add(reason),
                        found @ Truth::False(_) => return Ok(found),
                    }
                }
                Ok(voids.or(Truth::True))
            }
            Formula::Any(parts) => self.any(parts, scope, variables),
            Formula::Each(quantified) => self.each(quantified, scope, variables),
            Formula::Some(quantified) => self.exists(quantified, scope, variables),
        }
    }

    fn comparison<'f>(&mut self, comparison: &'f Comparison, scope: &Scope<'_>, variables: &[i128]) -> Judged<'f> {
        self.step(scope)?;
        match compare(comparison, &scope.with(variables)) {
            Ok(None) | Err(Unknown::Empty) => Ok(Truth::True),
            Ok(Some((_, sides))) => {
                Ok(Truth::False(Fault { comparison: Some(comparison), variables: variables.to_vec(), sides }))
            }
            Err(Unknown::Absent(reason)) => Ok(Truth::Void(reason)),
            Err(unknown) => Err(unknown),
        }
    }

    /// Holds if one part does, whatever cannot be computed in the others. The fault is that of the last part, which in
    /// `A => B` is B.
    fn any<'f>(&mut self, parts: &'f [Formula], scope: &Scope<'_>, variables: &mut Vec<i128>) -> Judged<'f> {
        let mut last = Ok(Truth::True);
        let mut voids = Voids::default();
        for part in parts {
            match self.judge(part, scope, variables) {
                Ok(Truth::True) => return Ok(Truth::True),
                Ok(Truth::Void(reason)) => voids.add(reason),
                Err(unknown) => last = Err(unknown),
                found if last.is_ok() => last = found,
                Ok(Truth::False(_)) => {}
            }
        }
        // What cannot be computed is not true either, and does not make false what is void.
        match voids {
            Voids(Some(reason)) => Ok(Truth::Void(reason)),
            Voids(None) => last,
        }
    }

    /// Returns the range of a quantifier; `Err` with what it comes to if there is none.
    fn range<'f>(
        &self,
        quantified: &Quantified,
        scope: &Scope<'_>,
        variables: &[i128],
    ) -> Result<RangeInclusive<i128>, Judged<'f>> {
        let scope = scope.with(variables);
        let end = |expr| value::number(expr, &scope);
        match both(end(&quantified.range.0), end(&quantified.range.1)) {
            Ok((first, last)) => Ok(first..=last),
            Err(Unknown::Absent(reason)) => Err(Ok(Truth::Void(reason))),
            // Up to the smallest of nothing: no number is meant.
            Err(Unknown::Empty) => Err(Ok(Truth::Void(None))),
            Err(unknown) => Err(Err(unknown)),
        }
    }

    fn each<'f>(&mut self, quantified: &'f Quantified, scope: &Scope<'_>, variables: &mut Vec<i128>) -> Judged<'f> {
        let range = match self.range(quantified, scope, variables) {
            Ok(range) => range,
            Err(found) => return found,
        };
        let mut voids = Voids::default();
        for number in range {
            self.step(scope)?;
            variables.push(number);
            let found = self.judge(&quantified.body, scope, variables);
            variables.pop();
            match found? {
                Truth::True => {}
                // This number is passed over.
                Truth::Void(reason) if reason == Some(quantified.variable) => {}
                Truth::Void(reason) => voids.add(reason),
                Truth::False(mut fault) => {
                    fault.sides = Sides::At(&quantified.name, number, Box::new(fault.sides));
                    return Ok(Truth::False(fault));
                }
            }
        }
        Ok(voids.or(Truth::True))
    }

    fn exists<'f>(&mut self, quantified: &'f Quantified, scope: &Scope<'_>, variables: &mut Vec<i128>) -> Judged<'f> {
        let range = match self.range(quantified, scope, variables) {
            Ok(range) => range,
            Err(found) => return found,
        };
        let mut unknown = None;
        let mut voids = Voids::default();
        for number in range.clone() {
            self.step(scope)?;
            variables.push(number);
            let found = self.judge(&quantified.body, scope, variables);
            variables.pop();
            match found {
                Ok(Truth::True) => return Ok(Truth::True),
                Ok(Truth::False(_)) => {}
                // This number is passed over.
                Ok(Truth::Void(reason)) if reason == Some(quantified.variable) => {}
                Ok(Truth::Void(reason)) => voids.add(reason),
                Err(why) => unknown = Some(why),
            }
        }
        if let (Voids(None), Some(why)) = (&voids, unknown) {
            return Err(why);
        }
        let sides = Sides::Nowhere(&quantified.name, *range.start(), *range.end());
        Ok(voids.or(Truth::False(Fault { comparison: None, variables: variables.clone(), sides })))
    }
}
