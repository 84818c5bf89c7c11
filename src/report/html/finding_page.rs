//! The page of a finding, which lies in its folder.

use super::counterexample::{ReportedFinding, render_failure};
use super::page::{PageHead, finish_page};
use maud::html;
use rebut_engine::event::{Finding, SavedFinding};
use rebut_format::language::Format;
use std::path::Path;

/// Returns the text of the `finding.html` of a finding that is saved in `folder`, with pictures if the format is known.
pub fn finding_page(found: &Finding, folder: &Path, format: Option<&Format>) -> String {
    let replay = found.saved.replay.clone().or_else(|| Some(format!("rebut replay {}", folder.display())));
    let saved = SavedFinding { replay, ..found.saved.clone() };
    let reported = ReportedFinding::new(&Finding { saved, ..found.clone() }, format);
    let title = format!("{}: {}", found.failure.submission, found.failure.verdict);
    finish_page(&PageHead { title: &title, is_failed: true }, &html! { article { (render_failure(&reported, false)) } })
}
