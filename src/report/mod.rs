//! The output of rebut, and the only module that prints.
//!
//! Reports consume the events of a command. [`TerminalReport`] renders text for people, [`JsonReport`] one JSON object
//! per line for programs, [`JunitReport`] and [`GithubReport`] serve build servers, [`HtmlReport`] is one page with
//! pictures. The look of an event is decided once, in a view: it makes a `Page` of headings, sentences, tables and
//! pictures, and terminals, HTML and Markdown only render it. Before a command runs, [`print_diagnostics`] and
//! [`print_error`] print problems.
//!
//! Two rules hold for all text. It is built from `StyledLine`s, which escape every control character on construction:
//! no output of a program under test reaches the terminal unescaped. And a write error does not stop the work: it is
//! kept, and [`TerminalReport::write_error`] returns it at the end.
//!
//! ```
//! use rebut::report::escape_lines;
//!
//! assert_eq!(escape_lines("\u{1b}[31mred\n"), "␛[31mred\n");
//! ```

mod escape;
mod github;
mod html;
mod json;
mod junit;
mod lines;
mod listing;
mod live_block;
mod markdown;
mod mutation_report;
mod options;
mod output_diff;
mod page;
mod progress;
mod styled_line;
mod terminal;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
mod units;
mod verdict_matrix;
mod views;
mod writer;

pub use escape::escape_lines;
pub use github::GithubReport;
pub use html::{HtmlReport, finding_page, svg_document};
pub use json::JsonReport;
pub use junit::JunitReport;
pub use listing::HackInput;
pub(crate) use mutation_report::render_mutation_report;
pub use options::{DiffStyle, ReportOptions};
use rebut_engine::event::Finding;
use rebut_format::language::Format;
use rebut_packages::FindingPages;
use std::path::Path;
pub(crate) use styled_line::wrap_plain_text;
pub use terminal::TerminalReport;
pub use views::finding::finding_readme;
pub use writer::{print_diagnostics, print_error};

/// Returns the pages of a finding that is saved in `folder`, with pictures if the format is known.
pub fn finding_pages(found: &Finding, folder: &Path, format: Option<&Format>) -> FindingPages {
    FindingPages { readme: finding_readme(found, folder), html: finding_page(found, folder, format) }
}
