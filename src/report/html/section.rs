//! The section of a package or a search: the events about it, and how they are arranged.

use super::counterexample::{ReportedFinding, render_finding};
use super::issues::{Issues, render_issues};
use super::matrix::Verification;
use super::page::{render_message, result_mark};
use super::strength::ReportedStrength;
use super::{build, comparison, exposures, growth, matrix, search, strength, submissions, time_limit};
use maud::{Markup, html};
use rebut_diagnostics::{Error, count_with_noun};
use rebut_engine::event::{
    BuildFlaw, BuildSummary, CommandSummary, Event, GrowthReport, ProbeSummary, ReportComparison, SearchStarted,
    SlowCause, SubmissionFailed, ValidatorExposure, VerificationStarted, WarningEvent, WorkMargins,
};
use rebut_format::language::Format;

/// The events about a package or a search.
#[derive(Debug, Default)]
pub(super) struct Section {
    name: String,
    /// Whether a verification of the package of this name belongs to this section.
    accepts_verification: bool,
    verification: Option<Verification>,
    counterexamples: Vec<ReportedFinding>,
    findings: Vec<ReportedFinding>,
    exposures: Vec<ValidatorExposure>,
    probed: Option<ProbeSummary>,
    flaws: Vec<BuildFlaw>,
    built: Option<BuildSummary>,
    compared: Option<ReportComparison>,
    strength: Option<ReportedStrength>,
    /// The strength of the test set that was verified.
    appraised: Option<ReportedStrength>,
    growths: Vec<GrowthReport>,
    slow_causes: Vec<SlowCause>,
    work_margins: Option<WorkMargins>,
    search: Option<SearchStarted>,
    failed: Vec<SubmissionFailed>,
    summary: Option<CommandSummary>,
    warnings: Vec<WarningEvent>,
    /// Message, and note if there is one.
    errors: Vec<(String, Option<String>)>,
}

impl Section {
    /// Returns a section without results.
    pub(super) fn new(name: &str, accepts_verification: bool) -> Section {
        Section { name: name.to_owned(), accepts_verification, ..Section::default() }
    }

    /// Returns the name of the package or the search.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Returns true if a verification of this package belongs here.
    pub(super) fn accepts_verification(&self, problem: &str) -> bool {
        self.accepts_verification && self.name == problem && self.verification.is_none()
    }

    /// Begins the verification of the package.
    pub(super) fn begin_verification(&mut self, verifying: &VerificationStarted) {
        self.verification = Some(Verification::new(verifying));
    }

    /// Adds an error.
    pub(super) fn add_error(&mut self, error: &Error) {
        self.errors.push((error.message().to_owned(), error.note().map(str::to_owned)));
    }

    /// Adds a result; inputs are drawn according to the format, if it is known.
    pub(super) fn take_event(&mut self, event: &Event, format: Option<&Format>) {
        match event {
            Event::Judged(_) | Event::Assessed(_) | Event::TimeLimit(_) | Event::Unfinished(_) => {
                if let Some(verification) = &mut self.verification {
                    verification.take_event(event);
                }
            }
            Event::Counterexample(found) => {
                self.counterexamples.push(ReportedFinding::new(found, format).with_few_pictures());
            }
            Event::Found(found) => self.findings.push(ReportedFinding::new(found, format)),
            Event::Exposed(exposed) => self.exposures.push(exposed.clone()),
            Event::Probed(probed) => self.probed = Some(probed.clone()),
            Event::Flaw(flaw) => self.flaws.push(flaw.clone()),
            Event::Built(built) => self.built = Some(built.clone()),
            Event::Compared(compared) => self.compared = Some(compared.clone()),
            Event::Strength(strength) => {
                self.name.clone_from(&strength.problem);
                self.strength = Some(ReportedStrength::new(strength, format));
            }
            Event::Appraised(strength) => self.appraised = Some(ReportedStrength::new(strength, format)),
            Event::Growth(growth) => self.growths.push(growth.clone()),
            Event::SlowCause(cause) => self.slow_causes.push(cause.clone()),
            Event::WorkMargins(margins) => self.work_margins = Some(margins.clone()),
            Event::Started(started) => self.search = Some(started.clone()),
            Event::Failed(failed) => self.failed.push(failed.clone()),
            Event::Summary(summary) => self.summary = Some(summary.clone()),
            Event::Warning(warning) => self.warnings.push(warning.clone()),
            _ => {}
        }
    }

    /// Returns true if something is not as it should be.
    pub(super) fn is_failed(&self) -> bool {
        !self.errors.is_empty()
            || !self.flaws.is_empty()
            || !self.findings.is_empty()
            || self.exposures.iter().any(|exposed| !exposed.is_lenient)
            || self.verification.as_ref().is_some_and(|verification| verification.unmet_count() > 0)
            || self.compared.as_ref().is_some_and(|compared| !compared.is_unchanged())
            || self.strength.as_ref().is_some_and(|one| !one.strength.score.is_sufficient())
            || self.built.as_ref().is_some_and(|built| !built.written && !built.changes.is_empty())
    }

    /// Renders whether everything is as it should be.
    pub(super) fn result_badge(&self) -> Markup {
        result_mark(!self.is_failed(), &self.result_text())
    }

    fn result_text(&self) -> String {
        if !self.errors.is_empty() {
            return "stopped by an error".to_owned();
        }
        let mut parts = Vec::new();
        parts.extend(self.verification.as_ref().map(Verification::result_text));
        let exposed = self.exposures.iter().filter(|exposed| !exposed.is_lenient).count();
        if !self.flaws.is_empty() {
            parts.push(count_with_noun(self.flaws.len(), "flaw"));
        }
        if exposed > 0 {
            parts.push(count_with_noun(exposed, "wrong opinion"));
        }
        if !self.findings.is_empty() && self.verification.is_none() {
            parts.push(count_with_noun(self.findings.len(), "finding"));
        }
        if let Some(score) = self.strength.as_ref().map(|one| one.strength.score) {
            parts.push(format!("{} of {} killed", score.killed, count_with_noun(score.programs, "wrong program")));
        }
        if self.search.is_some() && self.findings.is_empty() {
            parts.push("nothing found".to_owned());
        }
        if let Some(compared) = &self.compared {
            parts.push(if compared.is_unchanged() { "nothing changed" } else { "changed" }.to_owned());
        }
        if parts.is_empty() && !self.growths.is_empty() {
            parts.push(format!("{} measured", count_with_noun(self.growths.len(), "submission")));
        }
        if parts.is_empty() { "nothing wrong".to_owned() } else { parts.join(", ") }
    }

    /// Renders the section. Its number makes the anchors in it unique; the only section has no title of its own.
    pub(super) fn render_section(&self, number: usize, is_only: bool, shows_times: bool) -> Markup {
        let id = format!("p{number}");
        let verification = self.verification.as_ref();
        let issues = Issues { verification, flaws: &self.flaws, exposures: &self.exposures, findings: &self.findings };
        html! {
            section id=(id) {
                h2 { (if is_only || self.name.is_empty() { "Results" } else { &self.name }) }
                p.result { (self.result_badge()) }
                (self.render_errors())
                (render_issues(&issues, &id))
                (self.render_warnings())
                @if let Some(verification) = verification {
                    (matrix::render_matrix(verification, &id, shows_times))
                    @if shows_times { (time_limit::render_time_limit(verification)) }
                    (submissions::render_submissions(verification, &self.counterexamples, &id, shows_times))
                }
                @if let Some(strength) = &self.appraised { (strength::render_appraisal(strength, self.built.is_none())) }
                (exposures::render_exposures(&self.exposures, self.probed.as_ref(), &id))
                @if let Some(compared) = &self.compared { (comparison::render_comparison(compared)) }
                @if let Some(strength) = &self.strength { (strength::render_strength(strength)) }
                (growth::render_growths(&self.growths, &self.slow_causes, self.work_margins.as_ref()))
                @if let Some(search) = &self.search {
                    (search::render_search(search, &self.failed, self.summary.as_ref(), shows_times))
                }
                (build::render_build(&self.flaws, self.built.as_ref()))
                @if !self.findings.is_empty() {
                    h3 { (if verification.is_some() { "First failure" } else { "Findings" }) }
                    @for (found, number) in self.findings.iter().zip(1..) {
                        article.finding id=(format!("{id}-f{number}")) { (render_finding(found, 4, shows_times)) }
                    }
                }
            }
        }
    }

    fn render_errors(&self) -> Markup {
        html! {
            @for (message, note) in &self.errors {
                div.notice.bad {
                    p { strong { "Error: " } (render_message(message)) }
                    @if let Some(note) = note { pre { (note) } }
                }
            }
        }
    }

    fn render_warnings(&self) -> Markup {
        html! {
            @if !self.warnings.is_empty() {
                details.notice {
                    summary { (count_with_noun(self.warnings.len(), "warning")) }
                    ul {
                        @for warning in &self.warnings {
                            li {
                                (render_message(&warning.message))
                                @if let Some(help) = &warning.help { br; small { (render_message(help)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}
