//! The law of the fold: blocks that are run from a fresh state give what one search gives, wherever they are cut.

use super::block_builder::BlockBuilder;
use super::block_result::{BlockResult, BlockTimes, UnconfirmedFailure};
use super::search_fold::{FoldNews, SearchFold};
use super::search_stats::{InputReport, SearchFailure};
use crate::judge::FailureKind;
use rebut_generators::Choices;
use rebut_packages::verdict::Verdict;
use std::ops::Range;

const SUBMISSIONS: usize = 3;
const INPUTS: u64 = 60;

/// The result of each program on each input.
struct World {
    seed: u64,
    keep_going: bool,
}

impl World {
    fn draw(&self, program: u64, index: u64, bound: u64) -> u64 {
        Choices::from_seed(self.seed * 8 + program, index).draw_below(bound)
    }

    /// Returns the reports of one worker on these inputs, from a fresh state.
    fn run(&self, indices: Range<u64>) -> Vec<InputReport> {
        let (mut failed, mut reports) = ([false; SUBMISSIONS], Vec::new());
        for index in indices {
            let report = self.run_input(index, &failed);
            let has_reference_failed = report.failures.iter().any(|failure| failure.submission.is_none());
            report.failures.iter().filter_map(|failure| failure.submission).for_each(|i| failed[i] = true);
            reports.push(report);
            if has_reference_failed || !self.keep_going && failed.iter().all(|failed| *failed) {
                break;
            }
        }
        reports
    }

    fn run_input(&self, index: u64, failed: &[bool]) -> InputReport {
        let mut report = InputReport { index, was_made: true, shape: "uniform".to_owned(), ..InputReport::default() };
        match self.draw(6, index, 90) {
            0 => {
                let kind = FailureKind::from_verdict(Verdict::JudgeError);
                report.failures.push(SearchFailure { submission: None, kind, elapsed_ms: 0 });
                return report;
            }
            1..5 => return InputReport { was_made: false, is_refused: true, ..report },
            5..9 => return InputReport { too_slow: 1, ..report },
            label => report.answers.push((format!("{}", label % 12), 1)),
        }
        report.cases = 1;
        for submission in (0..SUBMISSIONS).filter(|i| self.keep_going || !failed[*i]) {
            let verdict = match self.draw(submission as u64, index, 70) {
                0 => Verdict::WrongAnswer,
                1 => Verdict::RuntimeError,
                _ => Verdict::Accepted,
            };
            report.verdicts.push((submission, verdict));
            if verdict != Verdict::Accepted {
                let kind = FailureKind::from_verdict(verdict);
                report.failures.push(SearchFailure { submission: Some(submission), kind, elapsed_ms: 0 });
            } else if self.draw(4, index, 9) == submission as u64 {
                report.unconfirmed.push(UnconfirmedFailure { submission, index, in_fork: index.is_multiple_of(2) });
            }
        }
        report
    }

    fn build_block(&self, reports: &[InputReport]) -> (BlockResult, BlockTimes) {
        let mut builder = BlockBuilder::new(SUBMISSIONS, self.keep_going);
        reports.iter().for_each(|report| builder.add_report(report));
        builder.finish_block()
    }

    /// Folds the inputs cut at these indices, each block from a fresh state.
    fn fold(&self, cuts: &[u64]) -> (SearchFold, Vec<FoldNews>) {
        let (mut fold, mut news) = (SearchFold::new(SUBMISSIONS, self.keep_going), Vec::new());
        for cut in cuts.windows(2) {
            let (block, times) = self.build_block(&self.run(cut[0]..cut[1]));
            news.extend(fold.add_block(&block, &times));
        }
        (fold, news)
    }
}

#[test]
fn blocks_give_what_one_search_gives() {
    for seed in 0..400 {
        let world = World { seed, keep_going: seed % 3 == 0 };
        // The plain search folds input by input.
        let (mut plain, mut plain_news) = (SearchFold::new(SUBMISSIONS, world.keep_going), Vec::new());
        for report in world.run(0..INPUTS) {
            let (block, times) = world.build_block(&[report]);
            plain_news.extend(plain.add_block(&block, &times));
        }
        let mut choices = Choices::from_seed(seed, 99);
        for _ in 0..4 {
            let mut cuts: Vec<u64> = (1..INPUTS).filter(|_| choices.draw_chance(1, 7)).collect();
            cuts.splice(0..0, [0]);
            cuts.push(INPUTS);
            let (fold, news) = world.fold(&cuts);
            assert_eq!(fold, plain, "seed {seed}, cuts {cuts:?}");
            assert_eq!(news, plain_news, "seed {seed}, cuts {cuts:?}");
            assert_eq!(fold.reported_failures(), plain.reported_failures());
        }
    }
}

#[test]
fn worlds_have_failures_of_all_kinds() {
    let worlds = (0..60).map(|seed| World { seed, keep_going: false });
    let folds: Vec<SearchFold> = worlds.map(|world| world.fold(&[0, 20, 40, INPUTS]).0).collect();
    assert!(folds.iter().any(SearchFold::has_reference_failed));
    assert!(folds.iter().any(|fold| fold.have_all_failed() && !fold.has_reference_failed()));
    assert!(folds.iter().any(|fold| !fold.is_settled()));
    assert!(folds.iter().any(|fold| fold.flaky_submissions().count() > 0));
}
