//! The state of a search: the best so far, what was tried, and the one way to try something.

use super::mend::mend;
use crate::format::Format;
use crate::generate::Plan;
use crate::print::print;
use crate::read::read;
use crate::validate::violation;
use crate::value::{Measure, Value};
use std::collections::HashSet;

/// The predicate of a search: it runs programs, so it takes many candidates at once and may be told to stop.
pub trait Oracle<C> {
    /// The first of the candidates that fails in the way that is sought; they are in order of preference.
    ///
    /// # Errors
    /// [`Stopped`] when the search should end with what it has.
    fn first_failing(&mut self, candidates: &[C]) -> Result<Option<usize>, Stopped>;

    /// Whether the search should end. Asked before each step, since steps whose candidates are all invalid ask nothing
    /// else.
    fn is_over(&self) -> bool {
        false
    }
}

/// The search is out of time or was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// What a search found.
#[derive(Clone, Debug)]
pub struct Shrunk<C> {
    /// The smallest that failed.
    pub value: C,
    /// How many times something smaller was found.
    pub steps: usize,
    /// How many candidates the oracle was asked about.
    pub tried: usize,
    /// Whether the search came to its end: no pass can improve the value.
    pub complete: bool,
}

/// A search under way.
pub(super) struct Search<'a, 'o> {
    pub(super) plan: &'a Plan<'a>,
    best: Value,
    measure: Measure,
    oracle: &'o mut dyn Oracle<Value>,
    /// Fingerprints of the inputs that were asked about: many passes come to the same candidate.
    seen: HashSet<u128>,
    steps: usize,
    tried: usize,
}

impl<'a, 'o> Search<'a, 'o> {
    pub(super) fn new(plan: &'a Plan<'a>, value: Value, oracle: &'o mut dyn Oracle<Value>) -> Self {
        let measure = Measure::of(plan.format, &value);
        Search { plan, best: value, measure, oracle, seen: HashSet::new(), steps: 0, tried: 0 }
    }

    pub(super) fn format(&self) -> &'a Format {
        self.plan.format
    }

    pub(super) fn best(&self) -> &Value {
        &self.best
    }

    pub(super) fn steps(&self) -> usize {
        self.steps
    }

    pub(super) fn finish(self, complete: bool) -> Shrunk<Value> {
        Shrunk { value: self.best, steps: self.steps, tried: self.tried, complete }
    }

    /// Tries one candidate; whether it was taken.
    pub(super) fn attempt(&mut self, candidate: Value) -> Result<bool, Stopped> {
        self.attempt_any(vec![candidate])
    }

    /// Tries candidates in order of preference and takes the first that fails; whether there was one. Those that are
    /// invalid, no smaller, or known already are never run.
    pub(super) fn attempt_any(&mut self, candidates: Vec<Value>) -> Result<bool, Stopped> {
        let mut fit: Vec<Value> = Vec::new();
        for candidate in candidates {
            if self.oracle.is_over() {
                return Err(Stopped);
            }
            fit.extend(self.admit(candidate));
        }
        if fit.is_empty() {
            return Ok(false);
        }
        let found = self.oracle.first_failing(&fit)?.filter(|i| *i < fit.len());
        self.tried += found.map_or(fit.len(), |i| i + 1);
        let Some(found) = found else { return Ok(false) };
        // Those behind the one that failed got no answer; they may be asked about again.
        for unasked in &fit[found + 1..] {
            self.seen.remove(&fingerprint(&print(self.plan.format, unasked)));
        }
        self.best = fit.swap_remove(found);
        self.measure = Measure::of(self.plan.format, &self.best);
        self.steps += 1;
        Ok(true)
    }

    /// The candidate as it may be run: mended, perhaps in several ways, if that makes it valid; and only what is new and
    /// smaller.
    fn admit(&mut self, candidate: Value) -> Vec<Value> {
        let valid = violation(self.plan.format, &candidate).is_none();
        let candidates = if valid { vec![candidate] } else { mend(self.plan, &candidate) };
        candidates.into_iter().filter(|candidate| self.is_new(candidate)).collect()
    }

    fn is_new(&mut self, candidate: &Value) -> bool {
        if Measure::of(self.plan.format, candidate) >= self.measure {
            return false;
        }
        let printed = print(self.plan.format, candidate);
        // What constraints do not say (a block is there when its condition holds, a repetition is within its bounds)
        // reading does.
        let whole = !self.plan.format.is_open() || read(self.plan.format, &printed).as_ref() == Ok(candidate);
        whole && self.seen.insert(fingerprint(&printed))
    }
}

/// A number by which a text is known: two different texts of one search never have the same one in practice, and the
/// texts themselves would fill the memory.
fn fingerprint(text: &[u8]) -> u128 {
    use std::hash::Hasher;
    let half = |salt: u8| {
        let mut hasher = std::hash::DefaultHasher::new();
        hasher.write_u8(salt);
        hasher.write(text);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}
