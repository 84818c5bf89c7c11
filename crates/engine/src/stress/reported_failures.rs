//! Which failures of a search are reported: one rule for a search and for the merge of its blocks.

use crate::judge::FailureKind;
use crate::tuning::MAX_KINDS_PER_SUBMISSION;
use std::collections::BTreeMap;

/// The properties of a failure that decide whether it is reported. `None` as the submission is the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FailureKey {
    pub(super) submission: Option<usize>,
    pub(super) index: u64,
    pub(super) kind: FailureKind,
}

/// Returns the failures that are reported, in the order of the inputs: the first of each submission, or with
/// `keep_going` the first of each kind, up to the first failure of the reference.
pub(super) fn select_reported<T>(mut all: Vec<T>, keep_going: bool, key: impl Fn(&T) -> FailureKey) -> Vec<T> {
    all.sort_by_key(|failure| (key(failure).index, key(failure).submission));
    let references = all.iter().map(&key).filter(|failure| failure.submission.is_none());
    let beyond = references.map(|failure| failure.index).min().unwrap_or(u64::MAX);
    let mut kinds: BTreeMap<Option<usize>, Vec<FailureKind>> = BTreeMap::new();
    all.retain(|failure| {
        let FailureKey { submission, index, kind } = key(failure);
        let known = kinds.entry(submission).or_default();
        let is_new = if keep_going { !known.contains(&kind) } else { known.is_empty() };
        let is_reported = is_new && index <= beyond && (submission.is_none() || known.len() < MAX_KINDS_PER_SUBMISSION);
        if is_reported {
            known.push(kind);
        }
        is_reported
    });
    all
}
