//! The state of a search: the best so far, what was tried, and the one way to try something.

use super::ahead::{Ahead, Best, Bounds};
use super::mend::mend;
use super::values::Atom;
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

    /// How many candidates are best asked about at a time, where it is likely that none of them fails. The result is the
    /// same for any number.
    fn width(&self) -> usize {
        1
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

/// One way to make the best smaller, tried for all that it is worth.
pub(super) type Pass = fn(&mut Search<'_, '_>) -> Result<(), Stopped>;

/// Number of elements after which a batch of candidates is run before more are made: hundreds of candidates of a usual
/// input, and two or three of a million numbers, which take 32 MB each.
pub(super) const BATCH_ELEMENTS: usize = 1 << 21;

/// The same in bytes, for inputs without a format.
pub(super) const BATCH_BYTES: usize = 1 << 25;

/// Inputs of more elements are not kept from round to round: each copy takes as much memory as the best.
const KEPT_UP_TO: usize = 1 << 16;

/// A search under way.
pub(super) struct Search<'a, 'o> {
    pub(super) plan: &'a Plan<'a>,
    best: Best,
    oracle: &'o mut dyn Oracle<Value>,
    /// Fingerprints of the inputs that were asked about: many passes come to the same candidate.
    seen: HashSet<u128>,
    ahead: Ahead,
    tried: usize,
    /// The best when the round of all passes began, if it is small.
    round_start: Option<Value>,
}

impl<'a, 'o> Search<'a, 'o> {
    pub(super) fn new(plan: &'a Plan<'a>, value: Value, oracle: &'o mut dyn Oracle<Value>) -> Self {
        let measure = Measure::of(plan.format, &value);
        let best = Best { value, measure, steps: 0, bounds: Bounds::new() };
        Search { plan, best, oracle, seen: HashSet::new(), ahead: Ahead::default(), tried: 0, round_start: None }
    }

    pub(super) fn format(&self) -> &'a Format {
        self.plan.format
    }

    pub(super) fn best(&self) -> &Value {
        &self.best.value
    }

    /// A round of all passes begins.
    pub(super) fn begin_round(&mut self) {
        let is_kept = self.best.measure.elements <= KEPT_UP_TO;
        self.round_start = is_kept.then(|| self.best.value.clone());
    }

    /// Remembers that an atom fails by a bound, which this value is.
    pub(super) fn bounded(&mut self, atom: &Atom, value: i128) {
        self.best.bounds.insert((atom.path.to_vec(), atom.index), value);
    }

    /// Whether an atom is known to fail by a bound that is this value.
    pub(super) fn is_bounded(&self, atom: &Atom, value: i128) -> bool {
        !self.best.bounds.is_empty() && self.best.bounds.get(&(atom.path.to_vec(), atom.index)) == Some(&value)
    }

    /// The best when the round began; none if that was large.
    pub(super) fn round_start(&self) -> Option<&Value> {
        self.round_start.as_ref()
    }

    pub(super) fn steps(&self) -> usize {
        self.best.steps
    }

    pub(super) fn finish(self, complete: bool) -> Shrunk<Value> {
        Shrunk { value: self.best.value, steps: self.best.steps, tried: self.tried, complete }
    }

    /// Runs passes in order. Where one was told no too early, it and those behind it are run again.
    pub(super) fn run(&mut self, passes: &[Pass]) -> Result<(), Stopped> {
        let mut at = 0;
        loop {
            let done = match passes.get(at) {
                Some(pass) => self.begin(at).and_then(|()| pass(self)),
                None => self.settle(false).map(|_| ()),
            };
            match done {
                Ok(()) if at == passes.len() => return Ok(()),
                Ok(()) => at += 1,
                Err(stopped) => at = self.ahead.back().ok_or(stopped)?,
            }
        }
    }

    fn begin(&mut self, pass: usize) -> Result<(), Stopped> {
        let useful = self.oracle.width() > 1;
        if let Some(start) = self.ahead.begin(pass, || self.best.clone(), useful) {
            self.best = start;
        }
        Ok(())
    }

    /// Tries one candidate; whether it was taken.
    pub(super) fn attempt(&mut self, candidate: Value) -> Result<bool, Stopped> {
        self.attempt_any(vec![candidate])
    }

    /// Tries candidates in order of preference and takes the first that fails; whether there was one. Those that are
    /// invalid, no smaller, or known already are never run.
    pub(super) fn attempt_any(&mut self, candidates: Vec<Value>) -> Result<bool, Stopped> {
        self.attempt_each(candidates, |_, candidate| [candidate])
    }

    /// The same for the candidates that moves lead to. `make` builds the candidates of one move from the best so far, and
    /// is called no earlier than needed: a move takes a few words, and a candidate as much memory as the input.
    pub(super) fn attempt_each<M, C: IntoIterator<Item = Value>>(
        &mut self,
        moves: impl IntoIterator<Item = M>,
        make: impl Fn(&Self, M) -> C,
    ) -> Result<bool, Stopped> {
        self.check_time()?;
        if let Some(answer) = self.ahead.remembered() {
            let taken = answer.is_some();
            answer.into_iter().for_each(|value| self.take(value));
            return Ok(taken);
        }
        let (mut fit, mut elements) = (Vec::new(), 0);
        for step in moves {
            self.check_time()?;
            for candidate in make(self, step) {
                self.check_time()?;
                let admitted = self.admit(candidate);
                elements += admitted.iter().map(Value::elements).sum::<usize>();
                fit.extend(admitted);
                if elements >= BATCH_ELEMENTS && !self.ahead.is_on() {
                    if self.take_first_failing(&mut fit)? {
                        return Ok(true);
                    }
                    elements = 0;
                }
            }
        }
        if !self.ahead.is_on() {
            return self.take_first_failing(&mut fit);
        }
        self.ahead.ask(fit);
        if self.ahead.is_due(self.oracle.width()) { self.settle(true) } else { Ok(false) }
    }

    /// Returns an error if the search should end. Passes ask this in each loop that may go on for long without a question.
    pub(super) fn check_time(&self) -> Result<(), Stopped> {
        if self.oracle.is_over() { Err(Stopped) } else { Ok(()) }
    }

    /// Takes the first of a batch that fails, if one does; the batch is empty then.
    fn take_first_failing(&mut self, batch: &mut Vec<Value>) -> Result<bool, Stopped> {
        let found = self.first_failing(batch)?;
        let taken = found.map(|at| batch.swap_remove(at));
        batch.clear();
        Ok(taken.map(|value| self.take(value)).is_some())
    }

    /// Gets the answers to what was asked ahead. Whether the last question, whose pass may still be `waiting` for it, is
    /// answered with yes; stopped if one is that was asked before.
    fn settle(&mut self, waiting: bool) -> Result<bool, Stopped> {
        let mut candidates = self.ahead.candidates();
        let Some(at) = self.first_failing(&candidates)? else {
            self.ahead.all_pass();
            return Ok(false);
        };
        let taken = candidates.swap_remove(at);
        if !self.ahead.one_fails(at, &taken, waiting) {
            return Err(Stopped);
        }
        self.take(taken);
        Ok(true)
    }

    /// Asks about candidates that are fit to be run.
    fn first_failing(&mut self, fit: &[Value]) -> Result<Option<usize>, Stopped> {
        if fit.is_empty() {
            return Ok(None);
        }
        let found = self.oracle.first_failing(fit)?.filter(|i| *i < fit.len());
        self.tried += found.map_or(fit.len(), |i| i + 1);
        // Those behind the one that failed got no answer; they may be asked about again.
        for unasked in found.into_iter().flat_map(|found| &fit[found + 1..]) {
            self.seen.remove(&fingerprint(&print(self.plan.format, unasked)));
        }
        Ok(found)
    }

    fn take(&mut self, value: Value) {
        let measure = Measure::of(self.plan.format, &value);
        let mut bounds = std::mem::take(&mut self.best.bounds);
        if measure.elements != self.best.measure.elements {
            bounds.clear();
        }
        self.best = Best { value, measure, steps: self.best.steps + 1, bounds };
    }

    /// The candidate as it may be run: mended, perhaps in several ways, if that makes it valid; and only what is new and
    /// smaller.
    fn admit(&mut self, candidate: Value) -> Vec<Value> {
        let valid = violation(self.plan.format, &candidate).is_none();
        let candidates = if valid { vec![candidate] } else { mend(self.plan, &candidate) };
        candidates.into_iter().filter(|candidate| self.is_new(candidate)).collect()
    }

    fn is_new(&mut self, candidate: &Value) -> bool {
        if Measure::of(self.plan.format, candidate) >= self.best.measure {
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
pub(super) fn fingerprint(text: &[u8]) -> u128 {
    use std::hash::Hasher;
    let half = |salt: u8| {
        let mut hasher = std::hash::DefaultHasher::new();
        hasher.write_u8(salt);
        hasher.write(text);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}
