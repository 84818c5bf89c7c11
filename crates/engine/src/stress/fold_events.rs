//! The events of what a search finds, in the order of its inputs.

use super::search_fold::FoldNews;
use super::search_warnings::{chance_failure_warning, fork_server_failure_warning};
use super::stress_plan::StressPlan;
use crate::event::{Event, SubmissionFailed};

/// Returns the event of what is new after an input.
pub(super) fn fold_news_event(plan: &StressPlan<'_>, news: &FoldNews) -> Event {
    let name = |submission: Option<usize>| {
        submission.map_or(plan.judge_setup.reference.display_name(), |i| plan.submissions[i].name.as_str())
    };
    match news {
        FoldNews::Failed(folded) => Event::Failed(SubmissionFailed {
            submission: name(folded.failure.submission).to_owned(),
            verdict: folded.failure.kind.verdict(),
            case: folded.failure.index + 1,
            shape: folded.failure.shape.clone(),
            elapsed_ms: folded.elapsed_ms,
        }),
        FoldNews::Unconfirmed(unconfirmed) => {
            let warning = if unconfirmed.in_fork { fork_server_failure_warning } else { chance_failure_warning };
            Event::Warning(warning(name(Some(unconfirmed.submission)), unconfirmed.index))
        }
    }
}
