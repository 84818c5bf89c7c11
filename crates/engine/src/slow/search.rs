//! The search: compares patterns on small inputs, and runs the best ones at full size.

use super::meter::{AxisSizes, PATTERN_RUN_LIMIT_MS, PatternGrowth, PatternMeter};
use super::pattern::{PatternSpace, ShapeChoice, SlowPattern};
use crate::event::{ActivityEvent, EndReason, Event, EventSink, SearchProgress, SubmissionFailed};
use crate::growth::{MeasuredWork, WorkMeter};
use crate::inputs::{GeneratedInput, InputValidator};
use crate::judge::judge_outcome;
use crate::judging::{JudgeSetup, RunResult};
use crate::parallel::run_in_parallel;
use rebut_diagnostics::{ErrorKind, Result, to_millis};
use rebut_format::language::Format;
use rebut_generators::Choices;
use rebut_packages::verdict::Verdict;
use rebut_sandbox::Program;
use rebut_toolchain::CountedProgram;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Maximum number of patterns that are kept from round to round.
const POPULATION_SIZE: usize = 40;

/// Number of patterns whose growth is measured in a round.
const GROWTH_MEASUREMENTS: usize = 8;

/// Number of the patterns to begin with that are measured in a round.
const FIRST_PATTERNS: usize = 48;

/// Number of variations of patterns in a round.
const CHILDREN: usize = 24;

/// Number of patterns that are run at full size in a round.
const FULL_RUNS: usize = 4;

/// Number of seeds with which each worst case of an algorithm is tried: columns that are made for each other fit each
/// other with every second or fourth seed.
const WORST_CASE_SEEDS: u64 = 4;

/// A pattern with a smaller share of the time limit at full size, as predicted, is run only if nothing else is left.
const MIN_PREDICTED_SHARE: f64 = 0.25;

/// A pattern of which a variation was already run at full size is run again if it is predicted to take this many times as
/// long.
const MIN_IMPROVEMENT: f64 = 1.5;

/// Number of generations of varied patterns.
const GENERATIONS: usize = 4;

/// A pattern on which the submission does less than this many times the work of the accepted solution says nothing about
/// the submission.
const MIN_TIMES_ACCEPTED: f64 = 1.5;

/// Maximum number of patterns of which an input of full size is tried.
const MAX_TRIED_PATTERNS: usize = 8;

/// The submission to search against, and how.
pub struct SlowSearchPlan<'a> {
    /// The format of the inputs.
    pub format: &'a Format,
    /// Validators of the inputs.
    pub validators: &'a [InputValidator],
    /// Name of the submission in reports.
    pub name: &'a str,
    /// The submission as it is judged.
    pub program: &'a Program,
    /// The submission with counters.
    pub submission: &'a CountedProgram,
    /// An accepted solution with counters, for comparison.
    pub accepted: Option<&'a CountedProgram>,
    /// The judge and the limits, with the exact engine.
    pub judge_setup: &'a JudgeSetup,
    /// Restricts the inputs to these shapes.
    pub shape: Option<&'a str>,
    /// Seed of all random choices.
    pub seed: u64,
    /// Number of workers.
    pub jobs: usize,
    /// Maximum duration of the search.
    pub time_budget: Duration,
}

/// An input on which a submission fails because of its size and its pattern.
#[derive(Clone, Debug)]
pub struct SlowHit {
    /// The input.
    pub input: GeneratedInput,
    /// Number of the input in the order of the runs, from 0.
    pub index: u64,
    /// The failing run.
    pub run_result: RunResult,
    /// Time of the failure in milliseconds since the start of the search.
    pub elapsed_ms: u64,
    pub(super) pattern: SlowPattern,
    pub(super) size: i128,
}

/// The result of a search for slow inputs.
#[derive(Debug, Default)]
pub struct SlowSearchResult {
    /// The first failure, if there is one.
    pub hit: Option<SlowHit>,
    /// Final progress. Its inputs are those whose work was counted, and the verdicts those of runs at full size.
    pub progress: SearchProgress,
    /// Why the search ended.
    pub reason: EndReason,
}

/// An input of full size, with the pattern on which a submission does the most work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorstInput {
    /// The input.
    pub bytes: Vec<u8>,
    /// The shapes and sizes, which are equal if two patterns differ only in their random choices.
    pub kind: String,
}

/// Searches for inputs on which a submission is too slow.
pub struct SlowSearch<'a> {
    pub(super) plan: &'a SlowSearchPlan<'a>,
    pub(super) space: PatternSpace<'a>,
    start: Instant,
}

/// The state of a search in progress.
struct SearchRounds<'s, 'a> {
    plan: &'s SlowSearchPlan<'a>,
    search: &'s SlowSearch<'a>,
    meter: PatternMeter<'s>,
    /// The sizes of each axis; `None` if nothing grows along it.
    sizes: Vec<Option<AxisSizes>>,
    population: Population,
    /// The patterns that were run at full size, without their seeds, each with its predicted work.
    full_runs: BTreeMap<SlowPattern, f64>,
    progress: SearchProgress,
    choices: Choices,
}

impl<'a> SlowSearch<'a> {
    /// Prepares a search.
    ///
    /// # Errors
    /// Returns an error if the work was cancelled.
    pub fn new(plan: &'a SlowSearchPlan<'a>) -> Result<SlowSearch<'a>> {
        let space = PatternSpace::new(plan.format, plan.validators, plan.judge_setup, plan.shape)?;
        Ok(SlowSearch { plan, space, start: Instant::now() })
    }

    /// Returns what counts the work on inputs of patterns.
    pub(super) fn meter(&self) -> PatternMeter<'_> {
        let meter_of = |program| WorkMeter {
            program,
            cpu_time_limit_ms: PATTERN_RUN_LIMIT_MS,
            memory_limit_bytes: self.plan.judge_setup.limits.memory_limit_bytes,
            cancel: &self.plan.judge_setup.cancel,
        };
        PatternMeter {
            space: &self.space,
            submission: meter_of(self.plan.submission),
            accepted: self.plan.accepted.map(meter_of),
            jobs: self.plan.jobs,
        }
    }

    /// Searches until the submission fails on an input of full size or the time is up.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started. The end of the time and an interrupt are no errors, but an
    /// [`EndReason`].
    pub fn run(&self, sink: &mut dyn EventSink) -> Result<SlowSearchResult> {
        let phase = self.plan.judge_setup.cancel.begin_phase(self.plan.time_budget);
        let mut rounds = self.begin_rounds();
        let found = rounds.search(sink);
        drop(phase);
        let hit = match found {
            Ok(hit) => hit,
            Err(error) if error.kind() == ErrorKind::Interrupted => None,
            Err(error) => return Err(error),
        };
        let reason = match &hit {
            _ if self.plan.judge_setup.cancel.is_cancelled() => EndReason::Interrupted,
            Some(_) => EndReason::Done,
            None => EndReason::Time,
        };
        rounds.note_progress(sink);
        Ok(SlowSearchResult { hit, progress: rounds.progress, reason })
    }

    fn begin_rounds(&self) -> SearchRounds<'_, 'a> {
        SearchRounds {
            plan: self.plan,
            search: self,
            meter: self.meter(),
            sizes: Vec::new(),
            population: Population::default(),
            full_runs: BTreeMap::new(),
            progress: SearchProgress::default(),
            choices: Choices::from_seed(self.plan.seed, 0),
        }
    }

    /// Makes the input of a pattern, and runs the submission on it with the real limits. Returns `None` if there is no such
    /// input. The answer does not matter: only failures that need none are of interest.
    pub(super) fn run_at(&self, pattern: &SlowPattern, size: i128) -> Result<Option<(GeneratedInput, RunResult)>> {
        let Some(input) = self.space.make_input(pattern, size)? else { return Ok(None) };
        let run_result = self.plan.judge_setup.run_and_judge(self.plan.program, &input.bytes, &[])?;
        Ok(Some((input, run_result)))
    }

    /// Finds the pattern on which the submission is predicted to do the most work at full size, compared with an accepted
    /// solution, and makes its input. Returns `None` if there is none.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or if the work was cancelled.
    pub fn make_worst_input(&self) -> Result<Option<WorstInput>> {
        let mut rounds = self.begin_rounds();
        rounds.measure_generations(GENERATIONS)?;
        let mut ranked: Vec<(f64, &SlowPattern)> =
            rounds.population.members.iter().filter_map(|member| self.predict_excess(member)).collect();
        // Equal ones stay in order, so that the result is the same on every machine.
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, pattern) in ranked.into_iter().take(MAX_TRIED_PATTERNS) {
            let Some(sizes) = &rounds.sizes[pattern.axis] else { continue };
            let Some(input) = self.space.make_input(pattern, sizes.full)? else { continue };
            let kind = self.space.recipe_keys(&SlowPattern { seed: 0, ..pattern.clone() }, sizes.full);
            return Ok(Some(WorstInput { bytes: input.bytes, kind }));
        }
        Ok(None)
    }

    /// Returns the predicted work of a pattern, if it is much more than that of the accepted solution.
    fn predict_excess<'m>(&self, member: &'m RatedPattern) -> Option<(f64, &'m SlowPattern)> {
        let PatternGrowth { total, accepted, .. } = member.growth?;
        let is_fair = match accepted {
            Some(accepted) => total >= MIN_TIMES_ACCEPTED * accepted,
            None => self.plan.accepted.is_none(),
        };
        is_fair.then_some((total, &member.pattern))
    }
}

impl SearchRounds<'_, '_> {
    fn search(&mut self, sink: &mut dyn EventSink) -> Result<Option<SlowHit>> {
        sink.take_event(&Event::Activity(ActivityEvent::new("Measuring", self.plan.name)));
        self.choose_sizes()?;
        let mut waiting = self.first_patterns().into_iter();
        let mut candidates: Vec<SlowPattern> = waiting.by_ref().take(FIRST_PATTERNS).collect();
        while !candidates.is_empty() && !self.plan.judge_setup.cancel.should_stop() {
            self.add_measured(candidates)?;
            self.note_progress(sink);
            self.measure_growths()?;
            if let Some(hit) = self.run_best_at_full_size(sink)? {
                return Ok(Some(hit));
            }
            self.population.keep_best(POPULATION_SIZE);
            candidates = waiting.by_ref().take(FIRST_PATTERNS).collect();
            if candidates.is_empty() {
                candidates = self.draw_children();
            }
        }
        Ok(None)
    }

    fn choose_sizes(&mut self) -> Result<()> {
        let seed = self.plan.seed;
        let axes = self.meter.space.axes.len();
        self.sizes = run_in_parallel(self.plan.jobs, axes, |axis| self.meter.choose_sizes(axis, seed), &mut |_| ())?;
        Ok(())
    }

    /// Measures all patterns to begin with, and some generations of variations of the best, without any run at full size.
    fn measure_generations(&mut self, generations: usize) -> Result<()> {
        self.choose_sizes()?;
        for patterns in self.first_patterns().chunks(FIRST_PATTERNS) {
            self.measure_round(patterns.to_vec())?;
        }
        for _ in 0..generations {
            let children = self.draw_children();
            self.measure_round(children)?;
        }
        Ok(())
    }

    fn measure_round(&mut self, patterns: Vec<SlowPattern>) -> Result<()> {
        self.add_measured(patterns)?;
        self.measure_growths()?;
        self.population.keep_best(POPULATION_SIZE);
        Ok(())
    }

    /// Returns the patterns to begin with, the most promising first: ordinary ones of each axis, worst cases of known
    /// algorithms, choices of numbers, constant columns, and all other shapes.
    fn first_patterns(&self) -> Vec<SlowPattern> {
        let space = self.meter.space;
        let axes: Vec<usize> = (0..space.axes.len()).rev().filter(|axis| self.sizes[*axis].is_some()).collect();
        let ordinary = |axis: &usize| space.ordinary_pattern(*axis, self.plan.seed);
        let mut patterns: Vec<SlowPattern> = axes.iter().map(ordinary).collect();
        let (worst_cases, others): (Vec<_>, Vec<_>) =
            space.shape_choices().into_iter().partition(|choice| choice.is_worst_case);
        let with_shapes = |choices: &[ShapeChoice], seed| -> Vec<SlowPattern> {
            let of_choice = |choice: &ShapeChoice| {
                let of_axis = |axis: &usize| choice.apply_to(space.ordinary_pattern(*axis, seed));
                axes.iter().map(of_axis).collect::<Vec<_>>()
            };
            choices.iter().flat_map(of_choice).collect()
        };
        patterns.extend(with_shapes(&worst_cases, self.plan.seed));
        for axis in &axes {
            let choices = space.number_choices(*axis).iter().skip(1);
            patterns.extend(choices.map(|numbers| SlowPattern { numbers: *numbers, ..ordinary(axis) }));
        }
        for constant in (0..space.constant_columns.len()).map(Some) {
            for axis in &axes {
                let choices = space.number_choices(*axis).iter();
                patterns.extend(choices.map(|numbers| SlowPattern { constant, numbers: *numbers, ..ordinary(axis) }));
            }
        }
        patterns.extend(with_shapes(&others, self.plan.seed));
        for extra in 1..WORST_CASE_SEEDS {
            patterns.extend(with_shapes(&worst_cases, self.plan.seed.wrapping_add(extra)));
        }
        patterns
    }

    /// Measures new patterns and adds them to the population.
    fn add_measured(&mut self, patterns: Vec<SlowPattern>) -> Result<()> {
        let measured = self.meter.measure_all(&patterns, &self.sizes)?;
        for (pattern, work) in patterns.into_iter().zip(measured) {
            self.progress.cases += 1;
            let (Some(work), Some(sizes)) = (work, &self.sizes[pattern.axis]) else { continue };
            let ordinary = &sizes.ordinary[2];
            self.population.members.push(RatedPattern {
                ratio: work.total as f64 / ordinary.total.max(1) as f64,
                hottest_ratio: work.hottest as f64 / ordinary.hottest.max(1) as f64,
                pattern,
                work,
                growth: None,
            });
        }
        Ok(())
    }

    /// Measures how the work grows of those that cost the most, and of the ordinary ones.
    fn measure_growths(&mut self) -> Result<()> {
        let mut chosen = self.population.select_best(GROWTH_MEASUREMENTS, |member| member.growth.is_none());
        let is_ordinary = |member: &RatedPattern| {
            member.growth.is_none()
                && member.pattern == self.meter.space.ordinary_pattern(member.pattern.axis, self.plan.seed)
        };
        let all = 0..self.population.members.len();
        chosen.extend(all.filter(|index| is_ordinary(&self.population.members[*index])));
        chosen.sort_unstable();
        chosen.dedup();
        let measure = |place: usize| {
            let member = &self.population.members[chosen[place]];
            let Some(sizes) = &self.sizes[member.pattern.axis] else { return Ok(None) };
            self.meter.measure_growth(&member.pattern, sizes, member.work)
        };
        let growths = run_in_parallel(self.plan.jobs, chosen.len(), measure, &mut |_| ())?;
        self.progress.cases += 2 * chosen.len() as u64;
        for (index, growth) in chosen.into_iter().zip(growths) {
            self.population.members[index].growth = growth;
        }
        Ok(())
    }

    /// Runs the patterns with the largest predictions at full size, and returns the first failure.
    fn run_best_at_full_size(&mut self, sink: &mut dyn EventSink) -> Result<Option<SlowHit>> {
        let limit_ms = self.plan.judge_setup.limits.cpu_time_limit_ms as f64;
        let is_new = |member: &RatedPattern| {
            let key = SlowPattern { seed: 0, ..member.pattern.clone() };
            let before = self.full_runs.get(&key).copied();
            member.growth.is_some_and(|growth| before.is_none_or(|before| growth.total > MIN_IMPROVEMENT * before))
        };
        let is_promising = |member: &RatedPattern| {
            is_new(member) && member.growth.is_some_and(|growth| growth.ms >= MIN_PREDICTED_SHARE * limit_ms)
        };
        let mut chosen = self.population.select_best(FULL_RUNS, is_promising);
        if chosen.is_empty() {
            chosen = self.population.select_best(1, is_new);
        }
        let patterns: Vec<(SlowPattern, i128, f64)> = chosen
            .into_iter()
            .filter_map(|index| {
                let member = &self.population.members[index];
                let sizes = self.sizes[member.pattern.axis].as_ref()?;
                Some((member.pattern.clone(), sizes.full, member.growth.map_or(0.0, |growth| growth.total)))
            })
            .collect();
        let run = |place: usize| {
            let (pattern, size, _) = &patterns[place];
            self.search.run_at(pattern, *size)
        };
        let results = run_in_parallel(self.plan.jobs, patterns.len(), run, &mut |_| ())?;
        let first_index = self.progress.cases;
        for (pattern, _, predicted) in &patterns {
            self.progress.cases += 1;
            let key = SlowPattern { seed: 0, ..pattern.clone() };
            self.full_runs.insert(key, *predicted);
        }
        let mut first = None;
        for (index, (result, (pattern, size, _))) in (first_index..).zip(results.into_iter().zip(patterns)) {
            let Some((input, run_result)) = result else { continue };
            let fails = judge_outcome(&run_result.outcome).is_some();
            let code = if fails { run_result.verdict.code() } else { Verdict::Accepted.code() };
            *self.progress.verdicts.entry(code).or_default() += 1;
            if fails && first.is_none() {
                first = Some(SlowHit {
                    input,
                    index,
                    run_result,
                    elapsed_ms: to_millis(self.search.start.elapsed()),
                    pattern,
                    size,
                });
            }
        }
        if let Some(hit) = &first {
            self.announce(hit, sink);
        }
        Ok(first)
    }

    fn announce(&self, hit: &SlowHit, sink: &mut dyn EventSink) {
        let RunResult { verdict, .. } = hit.run_result;
        sink.take_event(&Event::Failed(SubmissionFailed {
            submission: self.plan.name.to_owned(),
            is_expression: false,
            verdict,
            case: hit.index + 1,
            shape: hit.input.shape.clone(),
            elapsed_ms: hit.elapsed_ms,
        }));
    }

    /// Returns variations of the best patterns that were not measured yet.
    fn draw_children(&mut self) -> Vec<SlowPattern> {
        const MAX_TRIES: usize = 8 * CHILDREN;
        let parents = self.population.select_best(POPULATION_SIZE / 2, |_| true);
        let mut children: Vec<SlowPattern> = Vec::new();
        for _ in 0..MAX_TRIES {
            if parents.is_empty() || children.len() >= CHILDREN {
                break;
            }
            // The best come first, and are chosen more often.
            let ranks = [self.choices.draw_index(parents.len()), self.choices.draw_index(parents.len())];
            let parent = &self.population.members[parents[ranks[0].min(ranks[1])]].pattern;
            let partner = &self.population.members[parents[self.choices.draw_index(parents.len())]].pattern;
            let child = self.meter.space.mutate_pattern(parent, partner, &mut self.choices);
            let is_new = !self.population.contains(&child) && !children.contains(&child);
            if is_new && self.sizes[child.axis].is_some() {
                children.push(child);
            }
        }
        children
    }

    fn note_progress(&mut self, sink: &mut dyn EventSink) {
        self.progress.elapsed_ms = to_millis(self.search.start.elapsed());
        self.progress.test_cases = self.progress.cases;
        sink.take_event(&Event::Progress(self.progress.clone()));
    }
}

// The patterns that are kept: those that are the best for any of several goals.

/// A pattern and what is known about it.
#[derive(Clone, Debug)]
pub(super) struct RatedPattern {
    pub(super) pattern: SlowPattern,
    /// The work at the largest measured size.
    pub(super) work: MeasuredWork,
    /// That work, and its hottest branch, as multiples of those of ordinary inputs of the same size.
    pub(super) ratio: f64,
    pub(super) hottest_ratio: f64,
    /// How it grows, if that was measured.
    pub(super) growth: Option<PatternGrowth>,
}

/// A goal: the larger the number, the better.
type Goal = fn(&RatedPattern) -> f64;

/// Totals have local maxima, so that several goals are followed at once.
const SCREENING_GOALS: [Goal; 2] = [|rated| rated.ratio, |rated| rated.hottest_ratio];

const GROWTH_GOALS: [Goal; 4] = [
    |rated| rated.growth.map_or(0.0, |growth| growth.total),
    |rated| rated.growth.map_or(0.0, |growth| growth.total / growth.accepted.unwrap_or(f64::INFINITY).max(1.0)),
    |rated| rated.growth.map_or(0.0, |growth| growth.hottest),
    |rated| rated.ratio,
];

/// The best patterns so far.
#[derive(Debug, Default)]
pub(super) struct Population {
    pub(super) members: Vec<RatedPattern>,
}

impl Population {
    /// Returns the indices of up to `count` members, the best of each goal in turn. Members of which the growth is known are
    /// preferred by their growth.
    pub(super) fn select_best(&self, count: usize, is_wanted: impl Fn(&RatedPattern) -> bool) -> Vec<usize> {
        let wanted: Vec<usize> = (0..self.members.len()).filter(|index| is_wanted(&self.members[*index])).collect();
        let has_growth = wanted.iter().all(|index| self.members[*index].growth.is_some());
        let goals: &[Goal] = if has_growth { &GROWTH_GOALS } else { &SCREENING_GOALS };
        let orders: Vec<Vec<usize>> = goals
            .iter()
            .map(|goal| {
                let mut order = wanted.clone();
                // Equal ones stay in order, so that the result is the same on every machine.
                order.sort_by(|a, b| goal(&self.members[*b]).total_cmp(&goal(&self.members[*a])));
                order
            })
            .collect();
        let mut chosen = Vec::new();
        for place in 0..wanted.len() {
            for order in &orders {
                if chosen.len() < count && !chosen.contains(&order[place]) {
                    chosen.push(order[place]);
                }
            }
        }
        chosen
    }

    /// Returns true if the pattern is a member.
    pub(super) fn contains(&self, pattern: &SlowPattern) -> bool {
        self.members.iter().any(|member| member.pattern == *pattern)
    }

    /// Keeps the best members only.
    pub(super) fn keep_best(&mut self, count: usize) {
        let mut kept = self.select_best(count, |_| true);
        kept.sort_unstable();
        self.members = kept.into_iter().map(|index| self.members[index].clone()).collect();
    }
}
