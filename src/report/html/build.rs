//! A test set that was built.

use super::page::render_message;
use crate::report::units::format_bytes;
use maud::{Markup, html};
use rebut_diagnostics::count_with_noun;
use rebut_engine::event::{BuildFlaw, BuildSummary};

/// Renders the flaws, the tests, and the coverage goals that no test reaches.
pub(super) fn render_build(flaws: &[BuildFlaw], built: Option<&BuildSummary>) -> Markup {
    html! {
        @if !flaws.is_empty() {
            h3 { "Flaws of the test set" }
            ul.plain {
                @for flaw in flaws {
                    li {
                        span.mark.bad { "\u{2717}" } " " code { (flaw.test) } ": " (render_message(&flaw.message))
                        @if let Some(note) = &flaw.note { pre.listing { (note) } }
                    }
                }
            }
        }
        @if let Some(built) = built { (render_built(built)) }
    }
}

fn render_built(built: &BuildSummary) -> Markup {
    let missed: Vec<_> = built.goals.iter().filter(|goal| goal.inputs == 0).collect();
    let changes = built.changes.change_lines();
    html! {
        h3 { "Test set" }
        p {
            (count_with_noun(built.tests.len(), "test")) ", "
            (if built.written { "written" } else { "not written" }) "; "
            (built.goals.len() - missed.len()) " of " (count_with_noun(built.goals.len(), "coverage goal")) " reached."
        }
        @if !changes.is_empty() {
            details {
                summary { (count_with_noun(changes.len(), "change")) " of files" }
                ul.plain { @for line in &changes { li { code { (line) } } } }
            }
        }
        @if !missed.is_empty() {
            details open {
                summary { "What no test reaches" }
                ul.plain { @for goal in &missed { li { (goal.what) } } }
            }
        }
        details {
            summary { "The tests" }
            div.scroll tabindex="0" role="group" aria-label="The tests" {
                table {
                    thead { tr { th scope="col" { "Test" } th scope="col" { "Input from" } th scope="col" { "Cases" } th scope="col" { "Size" } } }
                    tbody {
                        @for test in &built.tests {
                            tr {
                                th scope="row" { code { (test.name) } }
                                td { (test.shape) }
                                td.number { (test.cases) }
                                td.number { (format_bytes(test.bytes as u64)) }
                            }
                        }
                    }
                }
            }
        }
    }
}
