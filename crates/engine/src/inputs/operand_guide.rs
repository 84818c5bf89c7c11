//! Inputs that follow what a submission computes: a valid input is changed a few times, each time so that an operand of one
//! of the submission's comparisons or divisions meets the other, or so that one of its sums or products grows.
//!
//! Random numbers hardly ever meet `n == 7 * k + 3` or `x % 166080 == 0`. A build of the submission that records its
//! operands shows which number of the input is compared with which value, and the next input has that value there.
//! Conditions inside of others come after one another. The changed input is parsed and validated like any other.
//!
//! Each such input is a function of the seed and its index, as all inputs are: the changes start from an input of its own,
//! and depend on nothing that the search has seen before.

use crate::tuning::{
    GUIDED_FROM, GUIDED_INTERVAL, MAX_GROWN_PARTS, MAX_GUIDING_SOURCES, MAX_OPERAND_CHANGES, MAX_RECORDED_OPERANDS,
    MAX_TRACED_BUILDS, MAX_UNREWARDED_CHANGES, SPARSE_GUIDED_INTERVAL, SPARSELY_GUIDED_FROM,
};
use rebut_diagnostics::Result;
use rebut_format::generate::GenerationPlan;
use rebut_format::language::Interval;
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::validate::find_violation;
use rebut_format::value::{Value, ValuePath, visit_leaves};
use rebut_generators::Choices;
use rebut_mutants::{SourceLanguage, Trace, TraceKind, TraceRecord, TraceSite, read_trace, trace_source};
use rebut_packages::read_file;
use rebut_sandbox::{CancelToken, Program, RunLimits};
use rebut_toolchain::{CompileError, CompiledProgram, Language, error_lines};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Number of changes that are tried until one makes a valid input.
const MAX_CHANGES: usize = 12;

/// Compiles a changed text of a source.
pub type CompileChanged = dyn Fn(&Path, &str) -> std::result::Result<CompiledProgram, CompileError> + Send + Sync;

/// The submissions of a search, and builds of them that record their operands.
pub struct OperandGuide {
    sources: Vec<GuidingSource>,
    compile: Box<CompileChanged>,
    build_time: Mutex<BuildTime>,
}

/// When the builds were begun, and how long they took.
#[derive(Clone, Copy, Default)]
struct BuildTime {
    begun: Option<Instant>,
    took: Option<Duration>,
}

/// A source, and its build that records operands, once it was needed: none if the compiler refuses it.
struct GuidingSource {
    path: PathBuf,
    build: Mutex<Option<Option<Arc<TracedProgram>>>>,
}

struct TracedProgram {
    program: Program,
    sites: Vec<TraceSite>,
}

/// An input, and its text.
pub(super) struct PrintedValue {
    pub(super) value: Value,
    pub(super) text: Vec<u8>,
}

/// A number or a letter of an input.
struct Leaf {
    path: ValuePath,
    /// Position in a row of numbers or a text.
    index: usize,
    value: i128,
    range: Interval,
}

impl OperandGuide {
    /// Creates a guide for the first few of the submissions, which are sources in C or C++.
    pub fn new<'s>(submissions: impl Iterator<Item = &'s Path>, compile: Box<CompileChanged>) -> OperandGuide {
        let is_traced =
            |path: &&Path| Language::from_path(path).is_some_and(|language| matches!(language.name, "C" | "C++"));
        let source = |path: &Path| GuidingSource { path: path.to_owned(), build: Mutex::default() };
        let sources = submissions.filter(is_traced).take(MAX_GUIDING_SOURCES).map(source).collect();
        OperandGuide { sources, compile, build_time: Mutex::default() }
    }

    /// Returns true if an index is among the first ones of a search, of which more are guided.
    fn is_early(index: u64) -> bool {
        index < SPARSELY_GUIDED_FROM
    }

    /// Returns true if the input at an index is a guided one.
    pub(super) fn is_guided(&self, index: u64) -> bool {
        let interval = if OperandGuide::is_early(index) { GUIDED_INTERVAL } else { SPARSE_GUIDED_INTERVAL };
        index >= GUIDED_FROM && index % interval == 2 && !self.sources.is_empty()
    }

    /// Returns true if a sum or a product of the submission grows in the guided input at an index, in one of four at first.
    pub(super) fn grows_size(index: u64) -> bool {
        let (interval, share) =
            if OperandGuide::is_early(index) { (GUIDED_INTERVAL, 4) } else { (SPARSE_GUIDED_INTERVAL, 16) };
        (index / interval).is_multiple_of(share)
    }

    /// Makes all builds. They have to be there before any input from [`GUIDED_FROM`] on is run: the result of a search must not
    /// depend on how long a compiler takes.
    pub(super) fn compile_sources(&self) {
        let begun = *self.lock_time().begun.get_or_insert_with(Instant::now);
        self.sources.iter().for_each(|source| drop(self.build(source)));
        self.lock_time().took.get_or_insert_with(|| begun.elapsed());
    }

    /// Returns how long the workers of a search have waited for the builds.
    pub(super) fn compile_time(&self) -> Duration {
        let BuildTime { begun, took } = *self.lock_time();
        took.or_else(|| Some(begun?.elapsed())).unwrap_or_default()
    }

    fn lock_time(&self) -> MutexGuard<'_, BuildTime> {
        self.build_time.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the build of a source, and makes it if it is the first time: another thread that needs it waits.
    fn build(&self, source: &GuidingSource) -> Option<Arc<TracedProgram>> {
        let mut build = source.build.lock().unwrap_or_else(PoisonError::into_inner);
        build.get_or_insert_with(|| self.compile_traced(&source.path).map(Arc::new)).clone()
    }

    /// Compiles a source that records its operands. Returns `None` if that fails: the search does without.
    fn compile_traced(&self, path: &Path) -> Option<TracedProgram> {
        let source = String::from_utf8(read_file(path).ok()?).ok()?;
        let mut excluded = BTreeSet::new();
        for _ in 0..MAX_TRACED_BUILDS {
            let traced = trace_source(&source, SourceLanguage::Cpp, &excluded)?;
            match (self.compile)(path, &traced.source) {
                Ok(compiled) => return Some(TracedProgram { program: compiled.program, sites: traced.sites }),
                Err(CompileError::Rejected { text, .. }) => {
                    let before = excluded.len();
                    excluded.extend(error_lines(&text));
                    if excluded.len() == before {
                        return None;
                    }
                }
                Err(CompileError::Failed(_)) => return None,
            }
        }
        None
    }

    /// Changes an input so that a submission, which the choices select, meets what random inputs do not. Returns the input and
    /// the name of what guided it, or `None` if nothing could be changed.
    pub(super) fn change_input(
        &self,
        plan: &GenerationPlan<'_>,
        (input, grows): (PrintedValue, bool),
        choices: &mut Choices,
        (limits, cancel): (&RunLimits, &CancelToken),
    ) -> Result<Option<(PrintedValue, &'static str)>> {
        let Some(traced) = choices.pick_item(&self.sources).and_then(|s| self.build(s)) else { return Ok(None) };
        let mut walk = GuidedWalk { traced: &traced, plan, limits, cancel, recorded: 0 };
        let changed = if grows { walk.grow_size(input, choices)? } else { walk.meet_operands(input, choices)? };
        Ok(changed.map(|input| (input, if grows { "guided/sizes" } else { "guided/operands" })))
    }
}

/// The changes of one input.
struct GuidedWalk<'w> {
    traced: &'w TracedProgram,
    plan: &'w GenerationPlan<'w>,
    limits: &'w RunLimits,
    cancel: &'w CancelToken,
    /// Number of operands that were recorded in all runs so far.
    recorded: u64,
}

impl GuidedWalk<'_> {
    /// Returns what the submission records on an input, or `None` if it does not reach its end, or has recorded enough.
    fn trace(&mut self, input: &PrintedValue) -> Result<Option<Trace>> {
        if self.recorded > MAX_RECORDED_OPERANDS {
            return Ok(None);
        }
        let outcome = self.traced.program.run_fast(&input.text, &[], self.limits, self.cancel)?;
        let trace = read_trace(&self.traced.sites, &outcome.output).filter(|_| outcome.is_success());
        self.recorded += trace.as_ref().map_or(0, |trace| trace.recorded);
        Ok(trace)
    }

    /// Lets operands meet, one pair after the other, and returns the last input if there is another one.
    fn meet_operands(&mut self, mut input: PrintedValue, choices: &mut Choices) -> Result<Option<PrintedValue>> {
        let (mut reached, mut before_change) = (BTreeSet::new(), None);
        let mut unrewarded_left = 1 + choices.draw_index(MAX_UNREWARDED_CHANGES);
        for _ in 0..MAX_OPERAND_CHANGES {
            let Some(trace) = self.trace(&input)? else { break };
            let now: BTreeSet<usize> = trace.records.iter().map(|record| record.site).collect();
            if now.len() < reached.len() && choices.draw_chance(3, 4) {
                // The last change has lost what the ones before had reached.
                input = before_change.take().unwrap_or(input);
                reached = BTreeSet::new();
                continue;
            }
            let fresh: BTreeSet<usize> = if reached.is_empty() { reached } else { &now - &reached };
            unrewarded_left -= usize::from(fresh.is_empty());
            reached = now;
            let Some(changed) = self.meet_pair(&input.value, &trace, &fresh, choices) else { break };
            before_change = Some(std::mem::replace(&mut input, changed));
            if unrewarded_left == 0 {
                break;
            }
        }
        Ok(before_change.is_some().then_some(input))
    }

    /// Returns an input in which the operands of one record are equal, or nearly: mostly of one of these places, if there are
    /// any.
    fn meet_pair(
        &self,
        input: &Value,
        trace: &Trace,
        preferred: &BTreeSet<usize>,
        choices: &mut Choices,
    ) -> Option<PrintedValue> {
        let prefers = !preferred.is_empty() && choices.draw_chance(3, 4);
        let kind = |record: &TraceRecord| self.traced.sites[record.site].kind;
        let is_open =
            |record: &&TraceRecord| kind(record) != TraceKind::Size && (!prefers || preferred.contains(&record.site));
        let records: Vec<_> = trace.records.iter().filter(is_open).collect();
        // Each place is as likely as the others.
        let sites: Vec<_> = records.chunk_by(|a, b| a.site == b.site).collect();
        let leaves = self.collect_leaves(input);
        (0..MAX_CHANGES).find_map(|_| {
            let of_site = *choices.pick_item(&sites)?;
            let record = *choices.pick_item(of_site)?;
            let (at, value) = propose_change(record, kind(record), &leaves, choices)?;
            self.change_leaves(input, &[(&leaves[at], value)])
        })
    }

    /// Lets a sum or a product grow: each number in turn moves to the end of its range where that makes it larger.
    fn grow_size(&mut self, mut input: PrintedValue, choices: &mut Choices) -> Result<Option<PrintedValue>> {
        let Some(trace) = self.trace(&input)? else { return Ok(None) };
        let kind = |record: &&TraceRecord| self.traced.sites[record.site].kind;
        let sizes: Vec<_> = trace.records.iter().filter(|record| kind(record) == TraceKind::Size).collect();
        let Some(record) = choices.pick_item(&sizes).copied() else { return Ok(None) };
        let (site, mut best, mut has_grown) = (record.site, record.left, false);
        let leaves = self.collect_leaves(&input.value);
        // One after the other, or, where there are too many, neighbours together, as they are terms of the same sums.
        let together = leaves.len().div_ceil(MAX_GROWN_PARTS);
        let mut groups: Vec<&[Leaf]> = leaves.chunks(together.max(1)).collect();
        choices.shuffle(&mut groups);
        for group in groups {
            let mut ends = [|range: Interval| range.lo, |range: Interval| range.hi];
            choices.shuffle(&mut ends);
            for end in ends {
                let changes: Vec<_> = group.iter().map(|leaf| (leaf, end(leaf.range))).collect();
                let Some(changed) = self.change_leaves(&input.value, &changes) else { continue };
                let Some(trace) = self.trace(&changed)? else { return Ok(has_grown.then_some(input)) };
                let size = trace.records.iter().find(|record| record.site == site).map_or(0, |record| record.left);
                if size > best {
                    (best, input, has_grown) = (size, changed, true);
                    break;
                }
            }
        }
        Ok(has_grown.then_some(input))
    }

    /// Returns the numbers and letters of an input that can be changed: none that is the size of another part.
    fn collect_leaves(&self, input: &Value) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        let format = self.plan.format;
        visit_leaves(format, input, &mut |path, field, value| {
            if self.plan.is_size(field) {
                return;
            }
            let range = format.field(field).range;
            let mut add = |index, value, range| leaves.push(Leaf { path: path.into(), index, value, range });
            match value {
                Value::Int(number) => add(0, *number, range),
                Value::Ints(numbers) => numbers.iter().enumerate().for_each(|(at, number)| add(at, *number, range)),
                Value::Text(letters) => {
                    let range = Interval::new(0, i128::from(u8::MAX));
                    letters.iter().enumerate().for_each(|(at, letter)| add(at, i128::from(*letter), range));
                }
                Value::List(_) | Value::Instances(_) | Value::Block(_) => {}
            }
        });
        leaves
    }

    /// Returns an input with some numbers or letters changed, if it is valid and another one.
    fn change_leaves(&self, input: &Value, changes: &[(&Leaf, i128)]) -> Option<PrintedValue> {
        let mut changed = input.clone();
        for (leaf, value) in changes {
            if !leaf.range.contains_value(*value) {
                return None;
            }
            match changed.value_at_mut(&leaf.path)? {
                Value::Int(number) => *number = *value,
                Value::Ints(numbers) => *numbers.get_mut(leaf.index)? = *value,
                Value::Text(letters) => *letters.get_mut(leaf.index)? = u8::try_from(*value).ok()?,
                _ => return None,
            }
        }
        if changed == *input {
            return None;
        }
        // A number may decide what follows it.
        let format = self.plan.format;
        let text = print_value(format, &changed);
        let is_valid = read_input(format, &text).is_ok_and(|read| read == changed);
        (is_valid && find_violation(format, &changed).is_none()).then_some(PrintedValue { value: changed, text })
    }
}

/// Returns a leaf, by its number, and a value with which the operands of a record meet, or almost.
fn propose_change(
    record: &TraceRecord,
    kind: TraceKind,
    leaves: &[Leaf],
    choices: &mut Choices,
) -> Option<(usize, i128)> {
    // Programs count from zero where inputs count from one.
    let distance = [0, 0, 0, 1, -1][choices.draw_index(5)];
    let [from, to] = match kind {
        TraceKind::Division => [record.left, record.right.checked_mul(choices.draw_range(0, 3))?],
        _ if choices.draw_chance(1, 2) => [record.right, record.left],
        _ => [record.left, record.right],
    };
    let from = from.checked_sub(distance)?;
    let matching: Vec<usize> = (0..leaves.len()).filter(|at| leaves[*at].value == from).collect();
    let offset = match kind {
        TraceKind::Equality => [0, 0, 0, 0, 0, 0, 1, -1][choices.draw_index(8)],
        _ => choices.draw_range(-1, 1),
    };
    let value = to.checked_sub(distance)?.checked_add(offset)?;
    match choices.pick_item(&matching) {
        Some(at) => Some((*at, value)),
        // A divisor is of interest in any place.
        None if kind == TraceKind::Division && !leaves.is_empty() => Some((choices.draw_index(leaves.len()), value)),
        None => None,
    }
}
