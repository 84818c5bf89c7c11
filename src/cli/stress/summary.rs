//! The summary of a search, of shrinking or of a replay: the conclusion and the exit status.

use super::super::args::{FlakyArg, StressArgs};
use super::super::exit_status::ExitStatus;
use super::super::session::Session;
use rebut_diagnostics::group_thousands;
use rebut_engine::event::{
    CommandSummary, EndReason, Event, EventSink, ExhaustiveReach, Finding, SearchConclusion, SearchProgress,
    SizeCeiling,
};
use rebut_engine::{CompiledSubmission, SearchHit, SearchResult, StressPlan, explain_inconclusive};
use rebut_packages::verdict::Verdict;

fn surviving_names(submissions: &[CompiledSubmission], hits: &[SearchHit]) -> Vec<String> {
    let failed = |i: usize| hits.iter().any(|h| h.submission == Some(i));
    submissions.iter().enumerate().filter(|(i, _)| !failed(*i)).map(|(_, s)| s.name.clone()).collect()
}

/// The contents of the summary event apart from the findings.
#[derive(Default)]
pub(in crate::cli) struct SearchClosing {
    /// Submissions without a finding.
    pub(in crate::cli) survivors: Vec<String>,
    /// The expression that was searched for.
    pub(in crate::cli) expression: Option<String>,
    pub(in crate::cli) reach: Option<ExhaustiveReach>,
    pub(in crate::cli) ceiling: Option<SizeCeiling>,
    /// Number of failures that did not occur again.
    pub(in crate::cli) unconfirmed: usize,
    /// How such failures are treated.
    pub(in crate::cli) flaky: Option<FlakyArg>,
    /// The command fails if fewer test cases were run.
    pub(in crate::cli) min_cases: Option<u64>,
    /// Maximum number of inputs given by the user.
    pub(in crate::cli) case_budget: Option<u64>,
    /// Growth up to which inputs were drawn from the first one on, unless it was 0.
    pub(in crate::cli) initial_growth: Option<u32>,
    /// Which blocks are missing from the journals, if some are.
    pub(in crate::cli) missing_blocks: Option<String>,
    /// True if the format was inferred and not checked.
    pub(in crate::cli) guessed_format: bool,
}

impl SearchClosing {
    /// Creates the summary of a search before its findings are confirmed.
    pub(in crate::cli) fn from_search(
        args: &StressArgs,
        plan: &StressPlan<'_>,
        result: &SearchResult,
        reach: Option<ExhaustiveReach>,
    ) -> SearchClosing {
        SearchClosing {
            survivors: surviving_names(&plan.submissions, &result.hits),
            expression: args.find.clone(),
            reach,
            ceiling: plan.inputs.size_ceiling(),
            unconfirmed: result.flaky,
            flaky: Some(args.finding.flaky),
            min_cases: args.min_cases,
            case_budget: args.cases,
            initial_growth: Some(plan.inputs.initial_growth).filter(|growth| *growth > 0),
            missing_blocks: None,
            guessed_format: plan.inputs.is_guessed,
        }
    }

    /// Returns the verdict of a finding, or `None` if it did not occur again, which is counted.
    pub(in crate::cli) fn count_confirmation(&mut self, found: &Finding) -> Option<Verdict> {
        if !found.is_confirmed() && found.failure.verdict.is_rejection() {
            self.unconfirmed += 1;
            return None;
        }
        Some(found.failure.verdict)
    }

    /// Returns the conclusion of a search, with the reason where it is not obvious.
    fn draw_conclusion(
        &self,
        reason: EndReason,
        findings: usize,
        progress: Option<&SearchProgress>,
    ) -> (SearchConclusion, Option<String>) {
        if reason == EndReason::Interrupted {
            return (SearchConclusion::Interrupted, None);
        }
        if reason == EndReason::JudgeError {
            return (SearchConclusion::JudgeError, None);
        }
        let too_little = progress.and_then(|progress| explain_inconclusive(progress, reason, self.case_budget));
        let unmet = self.unmet_min_cases(progress);
        match (findings, self.unconfirmed, self.missing_blocks.clone().or(unmet).or(too_little)) {
            (1.., _, _) => (SearchConclusion::Found, None),
            (_, 1.., _) => (SearchConclusion::Flaky, None),
            (_, _, Some(why)) => (SearchConclusion::Inconclusive, Some(why)),
            _ => (SearchConclusion::NothingFound, None),
        }
    }

    /// Returns a message if fewer test cases were run than `--min-cases` requires.
    fn unmet_min_cases(&self, progress: Option<&SearchProgress>) -> Option<String> {
        let tried = progress.map_or(0, |progress| progress.test_cases.max(progress.cases));
        let least = self.min_cases.filter(|least| tried < *least)?;
        let [tried, least] = [tried, least].map(|number| group_thousands(u128::from(number)));
        Some(format!("{tried} test cases were run, but --min-cases requires {least}"))
    }

    /// Returns true if the command fails for a reason other than a finding.
    fn fails_without_finding(&self, progress: Option<&SearchProgress>) -> bool {
        self.unconfirmed > 0 && self.flaky == Some(FlakyArg::Fail) || self.unmet_min_cases(progress).is_some()
    }
}

/// Emits the summary event and returns the exit status.
pub(in crate::cli) fn emit_summary(
    session: &mut Session,
    seed: Option<u64>,
    result: &SearchResult,
    verdicts: &[Verdict],
    closing: SearchClosing,
) -> ExitStatus {
    // A judge error can also occur after the search, when answers turn out to change from run to run.
    let reason = match result.reason {
        _ if session.cancel.is_cancelled() => EndReason::Interrupted,
        _ if verdicts.contains(&Verdict::JudgeError) => EndReason::JudgeError,
        reason => reason,
    };
    let progress = seed.map(|_| result.progress.clone());
    let status = match ExitStatus::from_search(reason, verdicts) {
        ExitStatus::Success if closing.fails_without_finding(progress.as_ref()) => ExitStatus::Found,
        status => status,
    };
    let is_slow = progress.as_ref().is_some_and(|progress| progress.is_reference_slow());
    let (conclusion, result_reason) = closing.draw_conclusion(reason, verdicts.len(), progress.as_ref());
    session.take_event(&Event::Summary(CommandSummary {
        reason,
        progress,
        result: Some(conclusion),
        result_reason,
        smaller_inputs: result.smaller_inputs.clone().filter(|_| is_slow),
        findings: verdicts.len(),
        unconfirmed: closing.unconfirmed,
        survivors: closing.survivors,
        expression: closing.expression,
        reach: closing.reach,
        ceiling: closing.ceiling,
        exit_status: status.exit_code(),
        seed,
        initial_growth: closing.initial_growth,
        guessed_format: closing.guessed_format,
    }));
    status
}

/// Emits the summary of one of several shards, which draws no conclusion, and returns the exit status.
pub(in crate::cli) fn emit_shard_end(seed: Option<u64>, reason: EndReason, session: &mut Session) -> ExitStatus {
    let status = ExitStatus::from_shard(reason);
    let exit_status = status.exit_code();
    session.take_event(&Event::Summary(CommandSummary { reason, exit_status, seed, ..CommandSummary::default() }));
    status
}

#[cfg(test)]
mod tests {
    use super::*;
    fn progress(cases: u64) -> SearchProgress {
        SearchProgress { cases, test_cases: cases, ..SearchProgress::default() }
    }

    #[test]
    fn conclusion_is_the_gravest_of_what_happened() {
        let conclude = |closing: &SearchClosing, reason, findings| {
            closing.draw_conclusion(reason, findings, Some(&progress(100_000))).0
        };
        let (clean, flaky) = (SearchClosing::default(), SearchClosing { unconfirmed: 1, ..SearchClosing::default() });
        assert_eq!(conclude(&clean, EndReason::Time, 0), SearchConclusion::NothingFound);
        assert_eq!(conclude(&flaky, EndReason::Time, 0), SearchConclusion::Flaky);
        assert_eq!(conclude(&flaky, EndReason::Time, 1), SearchConclusion::Found);
        assert_eq!(conclude(&flaky, EndReason::Interrupted, 1), SearchConclusion::Interrupted);
        assert_eq!(conclude(&flaky, EndReason::JudgeError, 1), SearchConclusion::JudgeError);
    }

    #[test]
    fn too_few_cases_are_inconclusive_and_fail_if_a_number_was_required() {
        let closing = SearchClosing { min_cases: Some(2_000), ..SearchClosing::default() };
        let (conclusion, why) = closing.draw_conclusion(EndReason::Time, 0, Some(&progress(1_999)));
        assert_eq!(conclusion, SearchConclusion::Inconclusive);
        assert_eq!(why.as_deref(), Some("1,999 test cases were run, but --min-cases requires 2,000"));
        assert!(closing.fails_without_finding(Some(&progress(1_999))));
        assert!(!closing.fails_without_finding(Some(&progress(2_000))));
        assert!(closing.fails_without_finding(None));
    }

    #[test]
    fn flaky_failures_fail_only_if_wanted() {
        let closing = |flaky| SearchClosing { unconfirmed: 1, flaky: Some(flaky), ..SearchClosing::default() };
        assert!(closing(FlakyArg::Fail).fails_without_finding(None));
        assert!(!closing(FlakyArg::Report).fails_without_finding(None));
    }

    #[test]
    fn unconfirmed_rejections_are_counted_and_are_no_verdicts() {
        let finding = |verdict, flaky| {
            let mut found = Finding::from_failure(rebut_engine::event::FindingFailure::new("a.cpp", verdict));
            found.failure.flaky = flaky;
            found
        };
        let mut closing = SearchClosing::default();
        assert_eq!(closing.count_confirmation(&finding(Verdict::WrongAnswer, None)), Some(Verdict::WrongAnswer));
        assert_eq!(
            closing.count_confirmation(&finding(Verdict::WrongAnswer, Some((1, 9)))),
            Some(Verdict::WrongAnswer)
        );
        assert_eq!(closing.count_confirmation(&finding(Verdict::WrongAnswer, Some((0, 9)))), None);
        assert_eq!(closing.count_confirmation(&finding(Verdict::JudgeError, Some((0, 9)))), Some(Verdict::JudgeError));
        assert_eq!(closing.unconfirmed, 1);
    }
}
