//! The list of issues at the top of a section, each with its cause and a link or a command.

use super::counterexample::ReportedFinding;
use super::matrix::Verification;
use super::page::render_message;
use maud::{Markup, html};
use rebut_diagnostics::count_with_noun;
use rebut_engine::event::{BuildFlaw, SubmissionAssessed, ValidatorExposure};
use rebut_engine::quote_for_shell;
use rebut_packages::verdict::Verdict;

/// Maximum number of issues of a kind that are listed.
const MAX_LISTED: usize = 8;

/// The issues of a section, by kind.
pub(super) struct Issues<'a> {
    pub(super) verification: Option<&'a Verification>,
    pub(super) flaws: &'a [BuildFlaw],
    pub(super) exposures: &'a [ValidatorExposure],
    pub(super) findings: &'a [ReportedFinding],
}

/// Renders the issues of the section with this anchor, each with a link to its details.
pub(super) fn render_issues(issues: &Issues<'_>, id: &str) -> Markup {
    let exposed = issues.exposures.iter().filter(|exposed| !exposed.is_lenient).count();
    let items: Vec<Markup> = [
        listed(issues.flaws.iter().map(render_flaw).collect(), "flaw"),
        listed(issues.verification.map(|one| render_unmet(one, id)).unwrap_or_default(), "submission"),
        if exposed > 0 { vec![render_exposed(exposed, id)] } else { Vec::new() },
        // A single finding is on the first screen itself, and that of a verification is among its submissions.
        match issues.findings.len() {
            2.. if issues.verification.is_none() => listed(render_findings(issues.findings, id), "finding"),
            _ => Vec::new(),
        },
    ]
    .concat();
    html! { @if !items.is_empty() { ul.issues { @for item in &items { li { (item) } } } } }
}

/// Returns the first items, and how many more there are.
fn listed(mut items: Vec<Markup>, noun: &str) -> Vec<Markup> {
    let rest = items.len().saturating_sub(MAX_LISTED);
    items.truncate(MAX_LISTED);
    items.extend((rest > 0).then(|| html! { (count_with_noun(rest, &format!("more {noun}"))) }));
    items
}

fn render_flaw(flaw: &BuildFlaw) -> Markup {
    html! { "test " code { (flaw.test) } ": " (render_message(&flaw.message)) }
}

fn render_exposed(exposed: usize, id: &str) -> Markup {
    html! { a href={ "#" (id) "-opinions" } { (count_with_noun(exposed, "wrong opinion")) } " of validators or the checker" }
}

/// Renders each submission that is not as expected.
fn render_unmet(verification: &Verification, id: &str) -> Vec<Markup> {
    let rows = verification.started.submissions.iter().zip(&verification.assessed).zip(1..);
    let unmet = rows.filter_map(|((name, assessed), number)| {
        let assessed = assessed.as_ref().filter(|assessed| !assessed.met)?;
        let link = html! { a href=(format!("#{id}-s{number}")) { code { (name) } } };
        let folder = verification.started.folder.to_string_lossy();
        Some(html! { (link) ": " (explain_unmet(assessed)) (advise(assessed, name, &folder)) })
    });
    unmet.collect()
}

fn explain_unmet(assessed: &SubmissionAssessed) -> Markup {
    match &assessed.why {
        Some(why) => render_message(why),
        None => html! { (assessed.verdict) },
    }
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

fn render_findings(findings: &[ReportedFinding], id: &str) -> Vec<Markup> {
    let link = |(found, number): (&ReportedFinding, usize)| {
        html! { a href=(format!("#{id}-f{number}")) { code { (found.submission()) } } ": " (found.verdict()) }
    };
    findings.iter().zip(1..).map(link).collect()
}
