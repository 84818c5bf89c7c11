//! Results as one HTML page that needs no other file, no network and no script: switches, folds and the order of
//! the matrix are styles.
//!
//! [`HtmlReport`] folds the events of a command, as the terminal does, and [`finding_page`] renders a single finding.
//! Elements are written by templates, which escape `<`, `>`, `&` and `"` in every text, and [`page::finish_text`] is the
//! only way from a template to the text of a page: it makes control and invisible characters visible, as on a terminal.
//! So nothing that a program prints, and no name of a file, can add an element or change the direction of the text.
//!
//! Pages have measured times only if these are asked for: without them, the same results are the same bytes.

mod blocks;
mod chart;
mod matrix;
mod page;
mod section;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;

use super::views::finding::{finding_document, finding_title, replay_command};
use blocks::render_page;
use maud::{Markup, html};
pub use page::svg_document;
use page::{PageHead, finish_page};
use rebut_diagnostics::{Error, count_with_noun};
use rebut_engine::event::{ContestVerified, Event, EventSink, Finding, ReportComparison, SavedFinding};
use rebut_format::language::Format;
use section::Section;
use std::path::Path;

/// Collects the results of a command; [`HtmlReport::to_html`] returns the page.
#[derive(Debug, Default)]
pub struct HtmlReport {
    sections: Vec<Section>,
    shows_times: bool,
    /// The format of the inputs, if it is known.
    format: Option<Format>,
}

impl EventSink for HtmlReport {
    fn take_event(&mut self, event: &Event) {
        match event {
            // A package that was just built is verified in the same section.
            Event::Verifying(verifying) => {
                if !self.sections.last().is_some_and(|section| section.accepts_verification(&verifying.problem)) {
                    self.begin_section(&verifying.problem);
                }
                self.current_section().begin_verification(verifying);
            }
            Event::Compared(ReportComparison { problem: name, .. })
            | Event::Contest(ContestVerified { contest: name, .. }) => {
                self.begin_section(name);
                self.add_to_section(event);
            }
            // A command without results, such as one that ends with an error, needs no section.
            Event::Summary(_) | Event::Activity(_) | Event::Compiled(_) if self.sections.is_empty() => {}
            _ => self.add_to_section(event),
        }
    }
}

impl HtmlReport {
    /// Makes the page include measured times and memory, which differ from run to run.
    pub fn show_times(&mut self) {
        self.shows_times = true;
    }

    /// Begins the section of a package or a search; the results that follow belong to it.
    pub fn begin_section(&mut self, name: &str) {
        self.sections.push(Section::new(name, false));
    }

    /// Begins the section of a package that is built, and then verified in the same section.
    pub fn begin_build_section(&mut self, name: &str) {
        self.sections.push(Section::new(name, true));
    }

    /// Adds an error that ended the work on a package, or the whole command.
    pub fn add_error(&mut self, error: &Error) {
        self.current_section().add_error(error);
    }

    /// Returns the page.
    pub fn to_html(&self) -> String {
        let names: Vec<&str> = self.sections.iter().filter(|one| !one.is_contest()).map(Section::name).collect();
        let title = match names.as_slice() {
            // A package that cannot be loaded has no name.
            [] | [""] => "rebut".to_owned(),
            [name] => (*name).to_owned(),
            _ => count_with_noun(names.len(), "package"),
        };
        let is_only = self.sections.len() == 1;
        let sections = self
            .sections
            .iter()
            .zip(1..)
            .map(|(section, number)| section.render_section(number, is_only, self.shows_times));
        let body = html! {
            @if self.sections.len() > 1 { (self.contents()) }
            @if self.sections.is_empty() { p { "There are no results." } }
            @for section in sections { (section) }
        };
        let is_failed = self.sections.iter().any(Section::is_failed);
        finish_page(&PageHead { title: &title, is_failed }, &body)
    }

    /// Renders the list of the sections.
    fn contents(&self) -> Markup {
        html! {
            nav aria-label="Packages" {
                ul {
                    @for (section, number) in self.sections.iter().zip(1..) {
                        li { a href=(format!("#p{number}")) { (section.name()) } " " (section.result_badge()) }
                    }
                }
            }
        }
    }

    /// Makes the report draw inputs according to this format.
    pub fn set_format(&mut self, format: &Format) {
        self.format = Some(format.clone());
    }

    fn add_to_section(&mut self, event: &Event) {
        let format = self.format.take();
        self.current_section().take_event(event, format.as_ref());
        self.format = format;
    }

    /// Returns the current section, or a new one if none has begun.
    fn current_section(&mut self) -> &mut Section {
        if self.sections.is_empty() {
            self.begin_section("");
        }
        let last = self.sections.len() - 1;
        &mut self.sections[last]
    }
}

/// Returns the text of the `finding.html` of a finding that is saved in `folder`, with pictures if the format is known.
pub fn finding_page(found: &Finding, folder: &Path, format: Option<&Format>) -> String {
    let replay = Some(replay_command(&found.saved, folder));
    let found = Finding { saved: SavedFinding { replay, ..found.saved.clone() }, ..found.clone() };
    let body = html! { article { (render_page(&finding_document(&found, format, usize::MAX, false))) } };
    finish_page(&PageHead { title: &finding_title(&found), is_failed: true }, &body)
}
