//! The section of a package or a search: the events about it, and how they are arranged.

use super::blocks::render_page;
use super::matrix::{render_matrix, render_verdict};
use super::page::{render_message, result_mark};
use crate::report::ReportOptions;
use crate::report::page::{Block, Page};
use crate::report::views::event_page;
use crate::report::views::finding::{MAX_FIGURES, finding_document};
use crate::report::views::growth::growth_comparison;
use crate::report::views::search::search_page;
use crate::report::views::strength::StrengthView;
use crate::report::views::verification::{Verification, run_times_chart, submission_page, time_limit_page};
use maud::{Markup, html};
use rebut_diagnostics::{Error, count_with_noun};
use rebut_engine::event::{Event, Finding, JudgeKind, SubmissionAssessed, VerificationStarted};
use rebut_engine::quote_for_shell;
use rebut_format::language::Format;
use rebut_packages::verdict::Verdict;

/// Maximum number of issues of a kind that are listed.
const MAX_LISTED: usize = 8;

/// The events about a package or a search.
#[derive(Debug, Default)]
pub(super) struct Section {
    name: String,
    /// Whether a verification of the package of this name belongs to this section.
    accepts_verification: bool,
    verification: Option<Verification>,
    /// The other results, in the order in which they came.
    events: Vec<Event>,
    /// The format of the inputs, if it is known.
    format: Option<Format>,
    /// Message, and note if there is one.
    errors: Vec<(String, Option<String>)>,
}

/// Selects events of a kind.
type EventFilter = fn(&Event) -> bool;

/// The parts of a section after its submissions: heading, and which events belong to it.
const PARTS: [(&str, EventFilter); 6] = [
    ("", |event| matches!(event, Event::Compared(_) | Event::Contest(_))),
    ("Strength", |event| matches!(event, Event::Strength(_))),
    ("Growth", |event| matches!(event, Event::SlowCause(_) | Event::WorkMargins(_) | Event::Growth(_))),
    ("Search", |event| matches!(event, Event::Started(_))),
    ("Flaws of the test set", |event| matches!(event, Event::Flaw(_))),
    ("Test set", |event| matches!(event, Event::Built(_))),
];

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

    pub(super) fn add_error(&mut self, error: &Error) {
        self.errors.push((error.message().to_owned(), error.note().map(str::to_owned)));
    }

    /// Adds a result; inputs are drawn according to the format, if it is known.
    pub(super) fn take_event(&mut self, event: &Event, format: Option<&Format>) {
        match event {
            Event::Judged(_) | Event::Assessed(_) | Event::TimeLimit(_) | Event::Unfinished(_) => {
                self.verification.iter_mut().for_each(|verification| verification.take_event(event));
            }
            Event::Counterexample(_) | Event::Found(_) | Event::Strength(_) | Event::Appraised(_) => {
                self.format = format.cloned();
                if let Event::Strength(strength) = event {
                    self.name.clone_from(&strength.problem);
                }
                self.events.push(event.clone());
            }
            Event::Started(_)
            | Event::Failed(_)
            | Event::Summary(_)
            | Event::Warning(_)
            | Event::Probed(_)
            | Event::Exposed(_) => self.events.push(event.clone()),
            event if PARTS.iter().any(|(_, is_part)| is_part(event)) => self.events.push(event.clone()),
            _ => {}
        }
    }

    fn events<'a, T: 'a>(&'a self, select: impl Fn(&'a Event) -> Option<T> + 'a) -> impl Iterator<Item = T> + 'a {
        self.events.iter().filter_map(select)
    }

    fn count(&self, is_counted: EventFilter) -> usize {
        self.events.iter().filter(|event| is_counted(event)).count()
    }

    fn findings(&self) -> Vec<&Finding> {
        self.events(|event| if let Event::Found(found) = event { Some(&**found) } else { None }).collect()
    }

    fn wrong_opinions(&self) -> usize {
        self.count(|event| matches!(event, Event::Exposed(exposed) if !exposed.is_lenient))
    }

    /// Returns true for the summary of a contest, after the sections of its packages.
    pub(super) fn is_contest(&self) -> bool {
        self.count(|event| matches!(event, Event::Contest(_))) > 0
    }

    /// Returns true if something is not as it should be.
    pub(super) fn is_failed(&self) -> bool {
        let is_wrong = |event: &Event| match event {
            Event::Flaw(_) => true,
            // A search by an expression succeeds if it finds an input.
            Event::Found(found) => found.run.judged_by != JudgeKind::Expression,
            Event::Exposed(exposed) => !exposed.is_lenient,
            Event::Compared(compared) => !compared.is_unchanged(),
            Event::Contest(contest) => contest.sound_count() < contest.problems.len(),
            Event::Strength(strength) => !strength.score.is_sufficient(),
            Event::Built(built) => !built.written && !built.changes.is_empty(),
            _ => false,
        };
        !self.errors.is_empty()
            || self.verification.as_ref().is_some_and(|verification| verification.unmet_count() > 0)
            || self.events.iter().any(is_wrong)
    }

    /// Renders whether everything is as it should be.
    pub(super) fn result_badge(&self) -> Markup {
        result_mark(!self.is_failed(), &self.result_text())
    }

    fn result_text(&self) -> String {
        if !self.errors.is_empty() {
            return "stopped by an error".to_owned();
        }
        let is_verified = self.verification.is_some();
        let findings = self.findings().len();
        let counts = [
            (self.count(|event| matches!(event, Event::Flaw(_))), "flaw"),
            (self.wrong_opinions(), "wrong opinion"),
            (if is_verified { 0 } else { findings }, "finding"),
        ];
        let mut parts: Vec<String> = self.verification.iter().map(Verification::result_text).collect();
        parts.extend(counts.iter().filter(|(count, _)| *count > 0).map(|(count, noun)| count_with_noun(*count, noun)));
        parts.extend(self.events(|event| match event {
            Event::Strength(strength) => {
                let programs = count_with_noun(strength.score.programs, "wrong program");
                Some(format!("{} of {programs} killed", strength.score.killed))
            }
            Event::Started(_) if findings == 0 => Some("nothing found".to_owned()),
            Event::Compared(compared) if compared.is_unchanged() => Some("nothing changed".to_owned()),
            Event::Compared(_) => Some("changed".to_owned()),
            Event::Contest(contest) => {
                Some(format!("{} of {} as expected", contest.sound_count(), contest.problems.len()))
            }
            _ => None,
        }));
        let growths = self.count(|event| matches!(event, Event::Growth(_)));
        match (parts.is_empty(), growths) {
            (true, 0) => "nothing wrong".to_owned(),
            (true, growths) => format!("{} measured", count_with_noun(growths, "submission")),
            (false, _) => parts.join(", "),
        }
    }

    /// Renders the section. Its number makes the anchors in it unique; the only section has no title of its own.
    pub(super) fn render_section(&self, number: usize, is_only: bool, shows_times: bool) -> Markup {
        let id = format!("p{number}");
        let options = ReportOptions { all_rows: true, show_times: shows_times, ..ReportOptions::default() };
        let findings = self.findings();
        html! {
            section id=(id) {
                h2 { (if is_only || self.name.is_empty() { "Results" } else { &self.name }) }
                p.result { (self.result_badge()) }
                (self.render_errors())
                (self.render_issues(&id))
                (self.render_warnings(&options))
                @if let Some(verification) = &self.verification {
                    (render_matrix(verification, &id, shows_times))
                    @if shows_times { (render_page(&times_of(verification))) }
                    (self.render_submissions(verification, &id, &options))
                }
                (render_page(&self.appraisal(&options)))
                div id={ (id) "-opinions" } {
                    (render_page(&self.part("Validators and checker", |event| matches!(event, Event::Probed(_) | Event::Exposed(_)), &options)))
                }
                @for (heading, is_part) in PARTS { (render_page(&self.part(heading, is_part, &options))) }
                @if !findings.is_empty() {
                    h3 { (if self.verification.is_some() { "First failure" } else { "Findings" }) }
                    @for (found, number) in findings.into_iter().zip(1..) {
                        article.finding id=(format!("{id}-f{number}")) {
                            h4 {
                                code { (found.failure.submission) }
                                @if found.run.judged_by == JudgeKind::Expression { " holds" }
                                @else { ": " (found.failure.verdict) }
                                @if let Some(case) = &found.origin.test_case { " on " code { (case) } }
                            }
                            (render_page(&finding_document(found, self.format.as_ref(), usize::MAX, shows_times)))
                        }
                    }
                }
            }
        }
    }

    /// Returns the strength of the test set that was verified, with the coverage of the format unless the build shows
    /// it. Mutants are shown if they were run before.
    fn appraisal<'a>(&'a self, options: &'a ReportOptions) -> Page<'a> {
        let mut page = Page::default();
        let shows_coverage = self.count(|event| matches!(event, Event::Built(_))) == 0;
        for strength in self.events(|event| if let Event::Appraised(strength) = event { Some(strength) } else { None })
        {
            page.add_heading(3, "Strength of the test set");
            page.append_page(
                StrengthView { strength, format: self.format.as_ref(), options, shows_coverage }.to_page(),
            );
            if strength.mutation.is_empty() {
                let command = format!("`rebut strength {}`", strength.folder.display());
                let text = format!(
                    "Mutants of accepted submissions are shown here once {command} has run them on these tests."
                );
                page.add_note("".into(), text);
            }
        }
        page
    }

    /// Returns the results of a kind below their heading.
    fn part<'a>(&'a self, heading: &str, is_part: EventFilter, options: &'a ReportOptions) -> Page<'a> {
        let mut page = Page::default();
        let mut growths = Vec::new();
        for event in self.events.iter().filter(|event| is_part(event)) {
            page.append_page(match event {
                Event::Started(search) => {
                    let failed =
                        self.events(|event| if let Event::Failed(failed) = event { Some(failed) } else { None });
                    let summary =
                        self.events(|event| if let Event::Summary(summary) = event { Some(summary) } else { None });
                    search_page(search, &failed.collect::<Vec<_>>(), summary.last(), options.show_times)
                }
                Event::Strength(strength) => {
                    StrengthView { strength, format: self.format.as_ref(), options, shows_coverage: true }.to_page()
                }
                event => event_page(event, options),
            });
            growths.extend(if let Event::Growth(growth) = event { Some(growth) } else { None });
        }
        page.append_page(growth_comparison(&growths));
        if !page.is_empty() && !heading.is_empty() {
            page.blocks.insert(0, Block::Heading(3, heading.into()));
        }
        page
    }

    /// Renders each submission by itself: what is expected, which test cases reject it, and the smallest input that does.
    /// Those that are not as expected are open.
    fn render_submissions(&self, verification: &Verification, id: &str, options: &ReportOptions) -> Markup {
        html! {
            h3 { "Submissions" }
            @for (row, name) in verification.started.submissions.iter().enumerate() {
                @let assessed = verification.assessed[row].as_ref();
                details.submission open[assessed.is_some_and(|assessed| !assessed.met)] {
                    summary { code { (name) } " " @if let Some(assessed) = assessed { (render_verdict(assessed)) } }
                    div id=(format!("{id}-s{}", row + 1)) {
                        @if let Some(assessed) = assessed { (render_page(&submission_page(verification, assessed, options))) }
                        @for found in self.counterexamples(name) {
                            h4 {
                                "Smallest test case that rejects it"
                                @if let Some(case) = &found.origin.test_case { ": " code { (case) } }
                            }
                            (render_page(&finding_document(found, self.format.as_ref(), MAX_FIGURES, options.show_times)))
                        }
                    }
                }
            }
        }
    }

    fn counterexamples(&self, submission: &str) -> Vec<&Finding> {
        let found = self.events(|event| if let Event::Counterexample(found) = event { Some(&**found) } else { None });
        found.filter(|found| found.failure.submission == submission).collect()
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

    fn render_warnings(&self, options: &ReportOptions) -> Markup {
        let warnings = self.part("", |event| matches!(event, Event::Warning(_)), options);
        let count = self.count(|event| matches!(event, Event::Warning(_)));
        html! {
            @if count > 0 {
                details.notice { summary { (count_with_noun(count, "warning")) } (render_page(&warnings)) }
            }
        }
    }

    /// Renders the issues, each with its cause and a link or a command.
    fn render_issues(&self, id: &str) -> Markup {
        let (exposed, findings) = (self.wrong_opinions(), self.findings());
        let flaws = self.events(|event| match event {
            Event::Flaw(flaw) => Some(html! { "test " code { (flaw.test) } ": " (render_message(&flaw.message)) }),
            _ => None,
        });
        let finding = |(found, number): (&Finding, usize)| {
            let name = html! { code { (found.failure.submission) } };
            html! { a href=(format!("#{id}-f{number}")) { (name) } ": " (found.failure.verdict) }
        };
        let mut items = listed(flaws.collect(), "flaw");
        items.extend(self.verification.iter().flat_map(|one| listed(render_unmet(one, id), "submission")));
        if exposed > 0 {
            let link = html! { a href={ "#" (id) "-opinions" } { (count_with_noun(exposed, "wrong opinion")) } };
            items.push(html! { (link) " of validators or the checker" });
        }
        // A single finding is on the first screen itself, and that of a verification is among its submissions.
        if findings.len() > 1 && self.verification.is_none() {
            items.extend(listed(findings.into_iter().zip(1..).map(finding).collect(), "finding"));
        }
        html! { @if !items.is_empty() { ul.issues { @for item in &items { li { (item) } } } } }
    }
}

/// Returns the first items, and how many more there are.
fn listed(mut items: Vec<Markup>, noun: &str) -> Vec<Markup> {
    let rest = items.len().saturating_sub(MAX_LISTED);
    items.truncate(MAX_LISTED);
    items.extend((rest > 0).then(|| html! { (count_with_noun(rest, &format!("more {noun}"))) }));
    items
}

/// Renders each submission that is not as expected.
fn render_unmet(verification: &Verification, id: &str) -> Vec<Markup> {
    let rows = verification.started.submissions.iter().zip(&verification.assessed).zip(1..);
    let unmet = rows.filter_map(|((name, assessed), number)| {
        let assessed = assessed.as_ref().filter(|assessed| !assessed.met)?;
        let why = assessed.why.clone().unwrap_or_else(|| assessed.verdict.to_string());
        let folder = verification.started.folder.to_string_lossy();
        Some(html! {
            a href=(format!("#{id}-s{number}")) { code { (name) } } ": " (render_message(&why))
            (advise(assessed, name, &folder))
        })
    });
    unmet.collect()
}

/// Renders the command that looks for a test case on which an accepted submission is rejected, if it should be.
fn advise(assessed: &SubmissionAssessed, name: &str, folder: &str) -> Markup {
    let is_survivor = assessed.verdict == Verdict::Accepted && assessed.expected.is_rejected();
    let [name, folder] = [name, folder].map(quote_for_shell);
    html! {
        @if is_survivor {
            ". A search for a test that rejects it: "
            code.command { (format!("rebut stress {name} --problem {folder} --save")) }
        }
    }
}

/// Returns how the time limit compares with the measured times.
fn times_of(verification: &Verification) -> Page<'_> {
    let mut page = Page::default();
    if let Some(limit) = verification.limit.as_ref().filter(|_| !verification.started.submissions.is_empty()) {
        page.add_heading(3, "Time limit");
        page.append_page(time_limit_page(limit));
        run_times_chart(verification, limit).into_iter().for_each(|chart| page.push(Block::Chart(chart)));
    }
    page
}
