//! Where a search takes its inputs from.

use super::bench::Validator;
use super::event::Ceiling;
use super::every::{Every, smallest};
use super::pack::packs;
use crate::diagnostic::{Diagnostic, Error, Result, Source, Span};
use crate::format::Format;
use crate::generate::{
    Closest, Failure, Plan, Printed, Recipe, Scrap, Settings, find_closest, generate, generate_printed, merge, recipes,
};
use crate::print::print;
use crate::read::read;
use crate::run::{Cancel, Limits, Program};
use crate::validate::{explain, violation};
use crate::value::{Instances, Value, instances_in};
use rebut_generators::Choices;
use std::ffi::OsString;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// What makes inputs.
pub enum Origin<'a> {
    /// A format.
    Format {
        /// The format's plan.
        plan: Plan<'a>,
        /// What kind of inputs; growth follows the run.
        settings: Settings,
    },
    /// Every input of a format.
    Every {
        /// The format's plan, for shrinking.
        plan: Plan<'a>,
        /// The inputs.
        every: Box<Every<'a>>,
    },
    /// A program that is given a seed as its last argument and prints an input.
    Generator(Program),
}

/// An endless supply of valid inputs, each determined by the seed and its number.
pub struct Inputs<'a> {
    /// What makes them.
    pub origin: Origin<'a>,
    /// What comes among the first: the smallest inputs.
    smallest: Vec<Made>,
    /// Programs that make some of the inputs of a format.
    pub generators: Vec<Program>,
    /// What judges them.
    pub validators: Vec<Validator>,
    /// Limits on the generator and the validators.
    pub limits: Limits,
    /// Stops whatever runs.
    pub cancel: Cancel,
    /// Inputs that the validators accepted, and refused.
    accepted: AtomicU64,
    refused: AtomicU64,
    /// Inputs that could not be made.
    failed: AtomicU64,
    /// Why the last of them could not be made.
    last_failure: Mutex<Option<Failure>>,
    /// Processor time of generators and validators, in microseconds.
    programs_us: AtomicU64,
}

/// An input.
#[derive(Clone, Debug)]
pub struct Made {
    /// The file.
    pub bytes: Vec<u8>,
    /// Its value, if there is a format.
    pub value: Option<Value>,
    /// How many test cases it has: one, unless the format has `cases`.
    pub cases: usize,
    /// The shape that made it.
    pub shape: String,
}

/// What becomes of several cases in one file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Together {
    Accepted,
    /// By a validator.
    Refused,
    /// They break the format itself.
    Invalid,
}

/// After so many dead ends without a single input, the search gives up.
const MOST_FAILED: u64 = 20;

/// After so many inputs of which the validators accepted none, the search gives up.
const MOST_REFUSED: u64 = 500;

impl<'a> Inputs<'a> {
    /// Inputs from an origin.
    pub fn new(origin: Origin<'a>, validators: Vec<Validator>, limits: Limits, cancel: Cancel) -> Self {
        Inputs {
            origin,
            smallest: Vec::new(),
            generators: Vec::new(),
            validators,
            limits,
            cancel,
            accepted: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            last_failure: Mutex::new(None),
            programs_us: AtomicU64::new(0),
        }
    }

    /// The format, if there is one.
    pub fn format(&self) -> Option<&'a Format> {
        match &self.origin {
            Origin::Format { plan, .. } | Origin::Every { plan, .. } => Some(plan.format),
            Origin::Generator(_) => None,
        }
    }

    /// Lets the smallest inputs come among the first: most mistakes show on some tiny input, and there are few of those.
    #[must_use]
    pub fn from_the_smallest(mut self) -> Self {
        /// So many files, and so much searching for them: a fraction of a second.
        const FILES: usize = 300;
        const PACKED_FILES: usize = 4;
        const STEPS: u64 = 30_000;
        if let Origin::Format { plan, settings } = &self.origin
            && settings.shape.is_none()
        {
            let files = if packs(plan.format) { PACKED_FILES } else { FILES };
            self.smallest = smallest(plan.format, files, STEPS);
        }
        self
    }

    /// These inputs in place of random ones of the same format.
    #[must_use]
    pub fn every(mut self, every: Every<'a>) -> Self {
        if let Origin::Format { plan, .. } = self.origin {
            self.origin = Origin::Every { plan, every: Box::new(every) };
        }
        self
    }

    /// Begins again with every input, where these are every input.
    pub(super) fn replace_every(&mut self, inputs: Every<'a>) {
        if let Origin::Every { every, .. } = &mut self.origin {
            **every = inputs;
        }
    }

    /// Whether they are all that there are, in order.
    pub fn is_every(&self) -> bool {
        matches!(&self.origin, Origin::Every { .. })
    }

    /// How many elements the last input of a file has that was made, where every input is.
    pub fn elements(&self, index: u64) -> Option<usize> {
        if let Origin::Every { every, .. } = &self.origin { every.elements(index) } else { None }
    }

    /// How large the inputs can become, if there are larger ones.
    pub fn ceiling(&self) -> Option<Ceiling> {
        let Origin::Format { plan, settings } = &self.origin else { return None };
        let (elements, possible) = (settings.most_elements, plan.most_elements());
        let of_case = plan.format.cases().is_some();
        (possible > elements as i128).then_some(Ceiling { elements, possible, of_case })
    }

    /// Whether there is no input of that number or a later one.
    pub fn is_over(&self, index: u64) -> bool {
        matches!(&self.origin, Origin::Every { every, .. } if every.is_over(index))
    }

    /// Whether these were all inputs that there are.
    pub fn is_complete(&self) -> bool {
        matches!(&self.origin, Origin::Every { every, .. } if every.is_complete())
    }

    /// The plan of the format, if there is one.
    pub fn plan(&self) -> Option<&Plan<'a>> {
        match &self.origin {
            Origin::Format { plan, .. } | Origin::Every { plan, .. } => Some(plan),
            Origin::Generator(_) => None,
        }
    }

    /// Number of inputs that were refused by the validators so far.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// The input of that number; none if the validators refuse it.
    ///
    /// # Errors
    /// If the format's constraints cannot be met, a program fails, or no input at all is ever accepted.
    pub fn make(&self, seed: u64, index: u64) -> Result<Option<Made>> {
        self.made(seed, index, None)
    }

    /// The same, of a given size between 0 and 100 in place of one that grows with the number.
    ///
    /// # Errors
    /// As [`make`](Inputs::make).
    pub fn make_of_growth(&self, seed: u64, index: u64, growth: u32) -> Result<Option<Made>> {
        self.made(seed, index, Some(growth))
    }

    /// The same to be run, without its value where that can be had again: values are large, and hardly one is looked at.
    ///
    /// # Errors
    /// As [`make`](Inputs::make).
    pub(super) fn make_to_run(&self, seed: u64, index: u64, scrap: &mut Scrap) -> Result<Option<Made>> {
        let Some((plan, settings)) = self.drawing_alone(seed, index) else {
            return self.make(seed, index);
        };
        let (mut choices, settings) = drawn(plan.format, settings, seed, index, None);
        let made = match generate_printed(plan, &mut choices, &settings, scrap) {
            Ok(Printed { bytes, cases, shape }) => Some(Made { bytes, value: None, cases, shape }),
            Err(failure) => self.count_failure(plan.format, &failure)?,
        };
        self.counted(made)
    }

    /// An input that was made to be run, with its value.
    pub(super) fn with_value(&self, made: Made, seed: u64, index: u64) -> Made {
        let again = match made.value {
            None if self.drawing_alone(seed, index).is_some() => self.make(seed, index).ok().flatten(),
            _ => None,
        };
        again.unwrap_or(made)
    }

    /// What the input of that number is drawn by, if the format alone makes it, and so the same whenever it is asked.
    fn drawing_alone(&self, seed: u64, index: u64) -> Option<(&Plan<'a>, &Settings)> {
        self.drawing(seed, index).filter(|_| self.validators.is_empty())
    }

    /// What the input of that number is drawn by, if it is drawn from the format.
    fn drawing(&self, seed: u64, index: u64) -> Option<(&Plan<'a>, &Settings)> {
        let Origin::Format { plan, settings } = &self.origin else { return None };
        let is_drawn = self.small(index).is_none() && !self.is_by_generator(seed, index);
        is_drawn.then_some((plan, settings))
    }

    /// How the cases of the input of that number were made; none if no bespoke shape made them.
    pub(super) fn recipes(&self, seed: u64, index: u64) -> Vec<Recipe> {
        let Some((plan, settings)) = self.drawing(seed, index) else { return Vec::new() };
        let (choices, settings) = drawn(plan.format, settings, seed, index, None);
        recipes(plan, choices, &settings)
    }

    /// The smallest input that comes at that number: one in four is, as long as there are any.
    fn small(&self, index: u64) -> Option<&Made> {
        const EVERY: u64 = 4;
        let at = usize::try_from(index / EVERY).ok()?;
        self.smallest.get(at).filter(|_| index.is_multiple_of(EVERY))
    }

    fn made(&self, seed: u64, index: u64, growth: Option<u32>) -> Result<Option<Made>> {
        if let Some(small) = self.small(index).filter(|_| growth.is_none()) {
            return self.accepted_made(small.clone());
        }
        let made = match &self.origin {
            Origin::Every { every, .. } => return every.take(index).map_or(Ok(None), |made| self.accepted_made(made)),
            Origin::Format { plan, .. } if self.is_by_generator(seed, index) => {
                Some(self.by_own_generator(plan.format, seed, index)?)
            }
            Origin::Format { plan, settings } => {
                let (mut choices, settings) = drawn(plan.format, settings, seed, index, growth);
                self.by_format(plan, &settings, &mut choices)?
            }
            Origin::Generator(program) => Some(self.by_program(program, seed, index)?),
        };
        self.counted(made)
    }

    /// Counts an input as accepted, or none as refused.
    fn counted(&self, made: Option<Made>) -> Result<Option<Made>> {
        if made.is_none() {
            return self.count_refusal();
        }
        self.accepted.fetch_add(1, Ordering::Relaxed);
        Ok(made)
    }

    /// What the validators accept of an input that is no random one, so that it proves nothing if they accept none.
    fn accepted_made(&self, made: Made) -> Result<Option<Made>> {
        let (Some(format), Some(value), false) = (self.format(), &made.value, self.validators.is_empty()) else {
            return Ok(Some(made));
        };
        if self.refusal(&made.bytes)?.is_none() {
            return Ok(Some(made));
        }
        let Some(value) = self.accepted_cases(format, value)? else { return Ok(None) };
        let cases = if packs(format) { case_count(format, &value) } else { made.cases };
        Ok(Some(Made { bytes: print(format, &value), value: Some(value), cases, shape: made.shape }))
    }

    /// A dead end now and then only costs an input; a format of which none can be made is an error.
    fn count_failure(&self, format: &Format, failure: &Failure) -> Result<Option<Made>> {
        if let Ok(mut last) = self.last_failure.lock()
            && (failure.constraint.is_some() || last.is_none())
        {
            *last = Some(failure.clone());
        }
        if self.cancel.cancelled() {
            return Err(Error::interrupted());
        }
        let failed = self.failed.fetch_add(1, Ordering::Relaxed) + 1;
        if failed < MOST_FAILED || self.accepted.load(Ordering::Relaxed) > 0 {
            return Ok(None);
        }
        Err(unmet(format, failure))
    }

    /// Returns the error of a search for a first input that is given up; None if nothing was found to be unmet.
    pub fn give_up(&self) -> Option<Error> {
        let failure = self.last_failure.lock().ok()?.clone();
        failure.zip(self.format()).map(|(failure, format)| unmet(format, &failure))
    }

    fn count_refusal(&self) -> Result<Option<Made>> {
        let refused = self.refused.fetch_add(1, Ordering::Relaxed) + 1;
        if refused < MOST_REFUSED || self.accepted.load(Ordering::Relaxed) > 0 {
            return Ok(None);
        }
        Err(Error::usage(format!("the validators refuse every input: {refused} of {refused}"))
            .with_help("state in the format what they ask for, or give a generator that makes such inputs"))
    }

    fn by_format(&self, plan: &Plan<'a>, settings: &Settings, choices: &mut Choices) -> Result<Option<Made>> {
        let made = match generate(plan, choices, settings) {
            Ok(made) => made,
            Err(failure) => return self.count_failure(plan.format, &failure),
        };
        let bytes = print(plan.format, &made.value);
        if self.refusal(&bytes)?.is_none() {
            let cases = case_count(plan.format, &made.value);
            return Ok(Some(Made { bytes, value: Some(made.value), cases, shape: made.shape }));
        }
        let Some(value) = self.accepted_cases(plan.format, &made.value)? else { return Ok(None) };
        let cases = case_count(plan.format, &value);
        Ok(Some(Made { bytes: print(plan.format, &value), value: Some(value), cases, shape: made.shape }))
    }

    /// Where validators refuse an input of several cases, those cases that are accepted alone are kept: one bad case in a
    /// hundred would otherwise cost the other ninety-nine.
    fn accepted_cases(&self, format: &Format, value: &Value) -> Result<Option<Value>> {
        let mut alone = single_cases(format, value);
        alone.retain(|case| violation(format, case).is_none());
        let refused = alone.len() == case_count(format, value);
        let mut kept: Vec<Value> = Vec::new();
        self.keep_accepted(format, &alone, refused, &mut kept)?;
        let Some(merged) = merge(format, &kept) else { return Ok(None) };
        let fine = violation(format, &merged).is_none() && self.refusal(&print(format, &merged))?.is_none();
        Ok(fine.then_some(merged).or_else(|| kept.into_iter().next()))
    }

    /// Keeps the cases that are accepted, asking about halves before singles; nothing is asked about what is known to be
    /// refused as a whole.
    fn keep_accepted(&self, format: &Format, cases: &[Value], refused: bool, kept: &mut Vec<Value>) -> Result<()> {
        let answer = if refused { Together::Refused } else { self.judge_together(format, cases)? };
        if answer == Together::Accepted {
            kept.extend_from_slice(cases);
            return Ok(());
        }
        if cases.len() < 2 {
            return Ok(());
        }
        let (left, right) = cases.split_at(cases.len() / 2);
        let before = kept.len();
        self.keep_accepted(format, left, false, kept)?;
        // Validators that refuse both together and accept the left ones refuse the right ones.
        let refused = answer == Together::Refused && kept.len() - before == left.len();
        self.keep_accepted(format, right, refused, kept)
    }

    fn judge_together(&self, format: &Format, cases: &[Value]) -> Result<Together> {
        let together = if let [one] = cases { Some(one.clone()) } else { merge(format, cases) };
        let Some(together) = together.filter(|value| violation(format, value).is_none()) else {
            return Ok(Together::Invalid);
        };
        let refusal = self.refusal(&print(format, &together))?;
        Ok(if refusal.is_none() { Together::Accepted } else { Together::Refused })
    }

    /// Whether one of the format's generators makes the input of that number: one in four, if there are any.
    fn is_by_generator(&self, seed: u64, index: u64) -> bool {
        let Origin::Format { settings, .. } = &self.origin else { return false };
        let free = settings.extreme.is_none() && settings.shape.is_none();
        free && !self.generators.is_empty() && Choices::fresh(seed, index).chance(1, 4)
    }

    fn by_own_generator(&self, format: &Format, seed: u64, index: u64) -> Result<Made> {
        let which = Choices::fresh(!seed, index).below(self.generators.len() as u64);
        let program = &self.generators[usize::try_from(which).unwrap_or(0)];
        let made = self.by_program(program, seed, index)?;
        let invalid = |problem: Diagnostic| {
            let source = Source::new("its input", made.bytes.clone());
            let name = program.display_name();
            Error::judge(format!("the generator `{name}` makes an invalid input"))
                .with_note(problem.render(&source).trim_end())
        };
        let value = read(format, &made.bytes).map_err(invalid)?;
        match violation(format, &value) {
            Some(broken) => Err(invalid(explain(format, &value, &broken))),
            None => Ok(Made { cases: case_count(format, &value), value: Some(value), ..made }),
        }
    }

    fn by_program(&self, program: &Program, seed: u64, index: u64) -> Result<Made> {
        let argument = Choices::fresh(seed, index).below(1 << 31).to_string();
        let outcome = program.run(b"", &[OsString::from(&argument)], &self.limits, &self.cancel)?;
        self.programs_us.fetch_add(outcome.cpu_time_us, Ordering::Relaxed);
        let name = program.display_name();
        if !outcome.is_success() {
            let words = super::bench::outcome_words(&outcome);
            return Err(Error::judge(format!("the generator `{name}` {words} for seed {argument}"))
                .with_note(String::from_utf8_lossy(&outcome.stderr).into_owned()));
        }
        match self.refusal(&outcome.output)? {
            None => Ok(Made { bytes: outcome.output, value: None, cases: 1, shape: name.to_owned() }),
            Some(why) => {
                Err(Error::judge(format!("the generator `{name}` makes an invalid input for seed {argument}"))
                    .with_note(why))
            }
        }
    }

    /// The first and the second half of an input's cases, as inputs of their own; none if there is only one, or a half
    /// is no valid input.
    pub fn halves(&self, made: &Made) -> Option<[Made; 2]> {
        let format = self.format()?;
        let value = made.value.as_ref()?;
        let cases = single_cases(format, value);
        let (left, right) = cases.split_at(cases.len() / 2);
        let half = |cases: &[Value]| {
            let value = merge(format, cases).filter(|value| violation(format, value).is_none())?;
            let bytes = print(format, &value);
            Some(Made { bytes, cases: case_count(format, &value), value: Some(value), shape: made.shape.clone() })
        };
        Some([half(left)?, half(right)?])
    }

    /// Why a validator refuses an input; none if all accept it.
    ///
    /// # Errors
    /// If a validator fails.
    pub fn refusal(&self, input: &[u8]) -> Result<Option<String>> {
        for validator in &self.validators {
            let (refusal, cpu_time_us) = validator.refuses_timed(input, &[], &self.limits, &self.cancel)?;
            self.programs_us.fetch_add(cpu_time_us, Ordering::Relaxed);
            if refusal.is_some() {
                return Ok(refusal);
            }
        }
        Ok(None)
    }

    /// Processor time that generators and validators took so far, in microseconds.
    pub fn programs_cpu_time_us(&self) -> u64 {
        self.programs_us.load(Ordering::Relaxed)
    }
}

/// The error where no input can be made: the constraint to blame, and the input that comes closest to it.
fn unmet(format: &Format, failure: &Failure) -> Error {
    let why = failure.diagnostic().render(&format.source);
    let (headline, place) = why.split_once('\n').unwrap_or((&why, ""));
    // Where none is to blame, the one that was added last may be.
    const MAX_TRIED: usize = 4;
    let last = format.constraints.iter().rev().map(|constraint| constraint.span).take(MAX_TRIED);
    let blamed: Vec<Span> = failure.constraint.map_or_else(|| last.collect(), |constraint| vec![constraint]);
    let closest = blamed.into_iter().find_map(|constraint| find_closest(format, constraint));
    let shown = closest.map(|closest| {
        let Closest { value, violation } = &closest;
        let broken = format.text(format.constraints[violation.constraint].span);
        let shown = beginning(&print(format, value));
        format!("\nthe closest input found; but for `{broken}` ({}) it is valid:\n{shown}", violation.sides)
    });
    Error::usage(headline.trim_start_matches("error: ")).with_note(format!(
        "{}{}",
        place.trim_end(),
        shown.unwrap_or_default()
    ))
}

/// The beginning of an input, as messages show it.
fn beginning(input: &[u8]) -> String {
    const LINES: usize = 8;
    const COLUMNS: usize = 60;
    let mut lines = input.strip_suffix(b"\n").unwrap_or(input).split(|byte| *byte == b'\n');
    let mut shown: Vec<String> =
        lines.by_ref().take(LINES).map(|line| format!("  {}", crate::diagnostic::shorten(line, COLUMNS))).collect();
    let more = lines.count();
    if more > 0 {
        shown.push(format!("  ... {more} more lines"));
    }
    shown.join("\n")
}

/// The choices of an input, and its settings with its growth.
fn drawn(format: &Format, settings: &Settings, seed: u64, index: u64, size: Option<u32>) -> (Choices, Settings) {
    let mut choices = Choices::fresh(seed, index);
    let growing = growth(&mut choices, index, packs(format));
    (choices, Settings { growth: size.unwrap_or(growing), ..settings.clone() })
}

/// How large an input may be: the first are tiny, and the longer a run lasts the larger they may become. Small ones
/// never stop: most mistakes show on small inputs, and those are cheap. A file of a thousand cases counts for more than
/// an input of one.
fn growth(choices: &mut Choices, index: u64, packed: bool) -> u32 {
    let (tiny_ones, per_step) = if packed { (10, 1) } else { (100, 5) };
    let highest = (index.saturating_sub(tiny_ones) / per_step).min(100);
    u32::try_from(choices.below(highest + 1)).unwrap_or(100)
}

/// How many test cases a value has.
fn case_count(format: &Format, value: &Value) -> usize {
    format.cases().map_or(1, |cases| instances_in(format, cases, value.slots()).len())
}

/// Each case as an input of its own; none if there is only one.
pub(super) fn single_cases(format: &Format, value: &Value) -> Vec<Value> {
    let Some(cases) = format.cases() else { return Vec::new() };
    let block = format.block(cases);
    let list = instances_in(format, cases, value.slots());
    if list.len() < 2 {
        return Vec::new();
    }
    // Everything but the cases, so that the cost of each case is its own.
    let others = value.slots().iter().enumerate().map(|(at, part)| match at == block.slot {
        true => Value::Instances(Instances::new(block.slots)),
        false => part.clone(),
    });
    let others: Vec<Value> = others.collect();
    let alone = |case: &[Value]| {
        let mut slots = others.clone();
        slots[block.slot] = Value::Instances(Instances::of(block.slots, [case.iter().cloned()]));
        merge(format, &[Value::Block(slots)])
    };
    list.iter().filter_map(alone).collect()
}
