//! The search: generates inputs in order and runs every submission on each, until all submissions have failed or the
//! budget is used up.
//!
//! Workers take the next index from a shared counter, so an input with a lower index is always started earlier, and
//! workers finish every input that they have started. The failure with the lowest index is therefore the same for any
//! number of workers, unless a program takes more than a second longer on an earlier input.

use super::block_builder::ReportBatcher;
use super::exhaustive_progress::ExhaustiveProgress;
use super::input_tester::{InputTester, SearchWorker};
use super::report_collector::ReportCollector;
use super::search_end::SearchEnd;
use super::search_fold::SearchFold;
use super::search_stats::SearchHits;
use super::stress_plan::{SearchHit, SearchResult, StressPlan};
use crate::event::{EndReason, EventSink, SearchProgress};
use crate::inputs::GeneratedInput;
use crate::judging::ReferenceAnswer;
use crate::tuning::{
    CLEARLY_EXPENSIVE_RUN_US, EXPENSIVE_RUN_US, MAX_FILLED_PERCENT, MAX_GUIDE_COMPILATION, MEASURING_SHARE,
    TRIED_GROWTHS,
};
use rebut_diagnostics::Result;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Runs a search to its end.
///
/// # Errors
/// Returns an error if inputs cannot be generated or programs cannot be started. An interrupt is not an error, but an
/// [`EndReason`].
pub fn run_search(plan: &StressPlan<'_>, sink: &mut dyn EventSink) -> Result<SearchResult> {
    let start = Instant::now();
    let hits = SearchHits::new(plan.submissions.len(), plan.keep_going);
    let end = SearchEnd::new(plan, &hits.frontier);
    let tester = InputTester::new(plan, &hits, &end, start);
    let (next_index, files) = (AtomicU64::new(0), Mutex::<ExhaustiveProgress>::default());
    // Runs that are still in progress when the time is up are stopped and do not count.
    let compilation = if plan.inputs.guide.is_some() { MAX_GUIDE_COMPILATION } else { Duration::ZERO };
    let budget = plan.time_budget.map(|budget| budget.saturating_add(compilation));
    let phase = budget.map(|budget| plan.judge_setup.cancel.begin_phase(budget));
    let (sender, receiver) = channel();
    let worker = SearchWorker { plan, tester: &tester, end: &end, hits: &hits, next_index: &next_index, files: &files };
    let mut collector = ReportCollector::new(plan, &end, start);
    let timed_out = std::thread::scope(|scope| {
        for number in 0..plan.jobs.max(1) {
            let (worker, sender) = (worker.clone(), sender.clone());
            scope.spawn(move || {
                plan.processors.pin_thread(number);
                let send = |block| sender.send(block).is_ok();
                let mut batcher = ReportBatcher::new(plan.submissions.len(), plan.keep_going, send);
                worker.run_worker(&mut |report| batcher.take_report(report));
                batcher.send_block();
            });
        }
        // The receiver ends with the last sender.
        drop(sender);
        // The phase ends here: failing inputs are generated once more below, which must not be cancelled.
        collector.collect_reports(&receiver, phase, sink)
    });
    let found = hits.take_hits();
    debug_assert!(found.is_sorted_by_key(|hit| hit.index), "findings are reported in the order of the inputs");
    // Failures that were found take precedence over the error that ended the search.
    if let (Some(error), true) = (end.take_error(), found.is_empty()) {
        return Err(error);
    }
    let progress = collector.final_progress();
    let fold = collector.into_fold();
    let with_value =
        |hit: SearchHit| SearchHit { input: plan.inputs.restore_value(hit.input, plan.seed, hit.index), ..hit };
    Ok(SearchResult {
        reason: end_reason(plan, &fold, &progress, timed_out),
        hits: found.into_iter().map(with_value).collect(),
        progress,
        smaller_inputs: tester.suggest_smaller_inputs(),
        exhaustive_progress: files.into_inner().unwrap_or_else(PoisonError::into_inner),
        flaky: fold.flaky_submissions().count(),
    })
}

/// Returns why a search ended that found these failures.
fn end_reason(plan: &StressPlan<'_>, fold: &SearchFold, progress: &SearchProgress, timed_out: bool) -> EndReason {
    if fold.has_reference_failed() {
        EndReason::JudgeError
    } else if plan.judge_setup.cancel.is_cancel_requested() {
        EndReason::Interrupted
    } else if timed_out {
        EndReason::Time
    } else if !fold.has_failures() && progress.skipped == 0 && plan.inputs.is_complete_after(plan.case_budget) {
        EndReason::Exhausted
    } else if fold.have_all_failed() && !plan.keep_going {
        EndReason::Done
    } else {
        EndReason::Cases
    }
}

// Measures how large the first inputs of a search should be.
//
// Where a run takes a fraction of a millisecond, a search makes thousands of inputs in a second, and begins with tiny ones.
// Where the programs set up large arrays, or a virtual machine, it makes ten, and all of them would be tiny, although larger
// ones take hardly longer. So it measures once, before it begins, up to which size they do.
//
// Input `i` of a search depends on the seed, `i` and this size alone, which is one of a few, printed, and can be stated.

/// Returns the largest of a few growths for which a run of the reference and the submissions takes hardly more processor time than
/// on the first input of the search, which is one of the smallest: 0 if that takes some milliseconds only, or if a tenth of
/// the time of the search does not suffice to tell.
///
/// # Errors
/// Returns an error if a program cannot be started.
pub fn measure_initial_growth(plan: &StressPlan<'_>) -> Result<u32> {
    let cancel = &plan.judge_setup.cancel;
    // A program may sleep on its first input.
    let _phase = plan.time_budget.map(|budget| cancel.begin_phase(budget / MEASURING_SHARE));
    let growth = std::thread::scope(|scope| {
        // Where the first worker will run, so that it finds the programs loaded.
        let measuring = scope.spawn(|| {
            plan.processors.pin_thread(0);
            measure_growth(plan)
        });
        measuring.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    if cancel.should_stop() { Ok(0) } else { growth }
}

fn measure_growth(plan: &StressPlan<'_>) -> Result<u32> {
    // If there is no input, the search reports why.
    let Ok(Some(tiny)) = plan.inputs.make_input(plan.seed, 0) else { return Ok(0) };
    let mut price_us = time_runs(plan, &tiny)?;
    if (EXPENSIVE_RUN_US..CLEARLY_EXPENSIVE_RUN_US).contains(&price_us) {
        // The first run may have started a server.
        price_us = price_us.min(time_runs(plan, &tiny)?);
    }
    if price_us < EXPENSIVE_RUN_US {
        return Ok(0);
    }
    let mut filled = 0;
    for growth in TRIED_GROWTHS {
        let Ok(Some(input)) = plan.inputs.make_input_of_growth(plan.seed, 1, growth) else { break };
        if time_runs(plan, &input)? > price_us.saturating_mul(MAX_FILLED_PERCENT) / 100 {
            break;
        }
        filled = growth;
    }
    Ok(filled)
}

/// Returns the processor time of one run of each program on an input, in microseconds: the maximum if the reference gives no
/// answer.
fn time_runs(plan: &StressPlan<'_>, input: &GeneratedInput) -> Result<u64> {
    let (answer, mut time_us) = plan.judge_setup.run_reference_timed(&input.bytes)?;
    let ReferenceAnswer::Known(answer) = answer else { return Ok(u64::MAX) };
    for submission in &plan.submissions {
        let run = plan.judge_setup.run_and_judge(&submission.program, &input.bytes, &answer)?;
        time_us = time_us.saturating_add(run.outcome.cpu_time_us);
    }
    Ok(time_us)
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test may panic")]
mod tests {
    use super::super::stress_plan::CompiledSubmission;
    use super::*;
    use crate::event::Event;
    use crate::inputs::{InputOrigin, InputSource, OperandGuide};
    use crate::judging::{Judge, JudgeSetup, RunEngine};
    use crate::tuning::GUIDED_FROM;
    use rebut_checkers::Checker;
    use rebut_diagnostics::{Error, SourceText};
    use rebut_format::generate::{GenerationPlan, GenerationSettings};
    use rebut_format::language::Format;
    use rebut_packages::verdict::Verdict;
    use rebut_sandbox::{
        CancelToken, LimitHit, ProcessExit, ProcessorSet, Program, RunJob, RunLimits, RunOutcome, Runner,
    };
    use rebut_toolchain::CompileError;
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    struct NoReport;

    impl EventSink for NoReport {
        fn take_event(&mut self, _: &Event) {}
    }

    fn outcome(output: &str, limit: Option<LimitHit>) -> Result<RunOutcome> {
        Ok(RunOutcome {
            exit: ProcessExit::Code(0),
            limit,
            cpu_time_us: 0,
            wall_time_us: 0,
            memory_peak_bytes: 0,
            output: output.as_bytes().to_vec(),
            stderr: Vec::new(),
            files: BTreeMap::new(),
        })
    }

    /// Runs a search by two workers for numbers from 1 to 1000.
    fn search(reference: Program, submission: Program, time_budget: Option<Duration>) -> SearchResult {
        search_guided(RunEngine::Exec, [reference, submission], time_budget, None, 20)
    }

    fn search_guided(
        engine: RunEngine,
        [reference, submission]: [Program; 2],
        time_budget: Option<Duration>,
        guide: Option<OperandGuide>,
        cases: u64,
    ) -> SearchResult {
        let source = SourceText::new("format", "n where 1 <= n <= 1000");
        let (format, _) = Format::parse(&source).expect("a valid format");
        let origin =
            InputOrigin::Format { plan: GenerationPlan::new(&format), settings: GenerationSettings::default() };
        let (cancel, limits) = (CancelToken::new(), RunLimits::default());
        let judge_limits = limits.clone();
        let judge = Judge::Checker(Checker::default());
        let mut plan = StressPlan {
            submissions: vec![CompiledSubmission { name: "sol".into(), source: PathBuf::new(), program: submission }],
            inputs: InputSource::new(origin, Vec::new(), limits.clone(), cancel.clone()),
            judge_setup: JudgeSetup { engine, reference, judge, limits, judge_limits, cancel },
            seed: 1,
            jobs: 2,
            processors: ProcessorSet::from_current_thread(),
            time_budget,
            case_budget: Some(cases),
            keep_going: false,
        };
        plan.inputs.guide = guide;
        run_search(&plan, &mut NoReport).expect("programs run")
    }

    fn printing(output: &'static str) -> Program {
        Program::new(output, move |_: &RunJob<'_>, _: &CancelToken| outcome(output, None))
    }

    #[test]
    fn search_ends_with_a_failure_although_the_reference_is_slow_elsewhere() {
        let is_first = AtomicBool::new(true);
        let slow_once = Program::new("reference", move |_: &RunJob<'_>, cancel: &CancelToken| {
            if is_first.swap(false, Ordering::SeqCst) {
                while !cancel.is_cancelled() {
                    std::thread::sleep(Duration::from_millis(5));
                }
                return Err(Error::interrupted());
            }
            outcome("1\n", None)
        });
        let result = search(slow_once, printing("2\n"), None);
        assert_eq!((result.hits.len(), result.reason), (1, EndReason::Done));
    }

    #[test]
    fn inputs_from_the_first_guided_one_on_wait_for_the_compiler() {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("sol.cpp");
        std::fs::write(&source, "int f(int a) { return a == 2; }\n").expect("a source");
        let is_compiled = Arc::new(AtomicBool::new(false));
        let early_runs = Arc::new(AtomicU64::new(0));
        let (compiled, runs) = (Arc::clone(&is_compiled), Arc::clone(&early_runs));
        let compile = move |_: &Path, _: &str| {
            std::thread::sleep(Duration::from_millis(200));
            compiled.store(true, Ordering::SeqCst);
            Err(CompileError::Failed(Error::interrupted()))
        };
        let submission = Program::new("sol", move |_: &RunJob<'_>, _: &CancelToken| {
            if !is_compiled.load(Ordering::SeqCst) {
                runs.fetch_add(1, Ordering::SeqCst);
            }
            outcome("1\n", None)
        });
        let guide = OperandGuide::new([&*source].into_iter(), Box::new(compile));
        let result = search_guided(RunEngine::Exec, [printing("1\n"), submission], None, Some(guide), 300);
        assert_eq!((result.hits.len(), result.progress.cases), (0, 300));
        assert!(early_runs.load(Ordering::SeqCst) <= GUIDED_FROM, "{early_runs:?}");
    }

    #[test]
    fn waiting_for_the_compiler_takes_no_time_of_the_search() {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("sol.cpp");
        std::fs::write(&source, "int f(int a) { return a == 2; }\n").expect("a source");
        let compile = |_: &Path, _: &str| {
            std::thread::sleep(Duration::from_secs(3));
            Err(CompileError::Failed(Error::interrupted()))
        };
        let guide = OperandGuide::new([&*source].into_iter(), Box::new(compile));
        let programs = [printing("1\n"), printing("1\n")];
        let result = search_guided(RunEngine::Exec, programs, Some(Duration::from_secs(2)), Some(guide), 1000);
        assert_eq!(result.progress.cases, 1000);
    }

    #[test]
    fn reference_at_any_limit_is_not_a_judge_error() {
        for limit in [LimitHit::Memory, LimitHit::Output, LimitHit::CpuTime] {
            let limited = Program::new("reference", move |job: &RunJob<'_>, _: &CancelToken| {
                outcome("1\n", (job.input.len() > 2).then_some(limit))
            });
            let result = search(limited, printing("1\n"), None);
            assert_eq!((result.hits.len(), result.reason), (0, EndReason::Cases), "{limit:?}");
            assert!(result.progress.skipped > 0 && result.progress.cases > 0, "{limit:?}");
        }
    }

    /// Counts the runs in new processes, of a program with this price.
    struct PricedProgram(u64, Arc<AtomicU64>);

    impl Runner for PricedProgram {
        fn run(&self, job: &RunJob<'_>, cancel: &CancelToken) -> Result<RunOutcome> {
            self.1.fetch_add(1, Ordering::SeqCst);
            self.run_fast(job, cancel)
        }

        fn run_fast(&self, _: &RunJob<'_>, _: &CancelToken) -> Result<RunOutcome> {
            outcome("1\n", None)
        }

        fn start_price(&self) -> u64 {
            self.0
        }
    }

    #[test]
    fn programs_run_in_new_processes_as_often_as_these_are_cheap() {
        let (compiled, interpreted) = (Arc::default(), Arc::default());
        let of = |price, runs: &Arc<AtomicU64>| Program::new("program", PricedProgram(price, Arc::clone(runs)));
        let result = search_guided(RunEngine::Quick, [of(16, &interpreted), of(1, &compiled)], None, None, 1000);
        assert_eq!(result.progress.cases, 1000);
        // One in 32 of the first 256, then one in 128.
        assert_eq!(compiled.load(Ordering::SeqCst), 8 + 6);
        assert_eq!(interpreted.load(Ordering::SeqCst), 1);
    }

    /// Prints another number in one of its runs only.
    fn printing_by_chance() -> Program {
        let runs = AtomicU64::new(0);
        Program::new("chance", move |_: &RunJob<'_>, _: &CancelToken| {
            outcome(if runs.fetch_add(1, Ordering::SeqCst) == 50 { "2\n" } else { "1\n" }, None)
        })
    }

    #[test]
    fn what_depends_on_chance_is_blamed_on_the_program_that_does() {
        let result = search_guided(RunEngine::Quick, [printing_by_chance(), printing("1\n")], None, None, 200);
        assert_eq!(result.hits.first().map(|hit| &hit.answer[..]), Some(&b"2\n"[..]), "examined with that answer");
        let result = search_guided(RunEngine::Quick, [printing("1\n"), printing_by_chance()], None, None, 200);
        assert_eq!((result.hits.len(), result.flaky), (0, 1));
    }

    #[test]
    fn a_run_that_hangs_is_waited_for() {
        let runs = AtomicU64::new(0);
        let hanging = Program::new("sol", move |_: &RunJob<'_>, cancel: &CancelToken| {
            let start = Instant::now();
            if runs.fetch_add(1, Ordering::SeqCst) < 40 {
                return outcome("1\n", None);
            }
            while start.elapsed() < Duration::from_secs(4) && !cancel.is_cancelled() {
                std::thread::sleep(Duration::from_millis(5));
            }
            if cancel.is_cancelled() { Err(Error::interrupted()) } else { outcome("", Some(LimitHit::CpuTime)) }
        });
        let budget = Some(Duration::from_secs(2));
        let result = search_guided(RunEngine::Exec, [printing("1\n"), hanging], budget, None, 1000);
        assert_eq!(result.hits.first().map(|hit| hit.run_result.verdict), Some(Verdict::TimeLimit));
    }

    #[test]
    fn first_input_is_tested_in_any_time() {
        let hanging = Program::new("sol", |_: &RunJob<'_>, _: &CancelToken| outcome("", Some(LimitHit::CpuTime)));
        let result = search(printing("1\n"), hanging, Some(Duration::ZERO));
        assert_eq!(result.hits.first().map(|hit| hit.run_result.verdict), Some(Verdict::TimeLimit));
    }
}
