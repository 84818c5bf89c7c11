//! Views: each makes the [`Page`](super::page::Page) of an event, which every back end renders.

mod board;
pub(crate) mod build;
pub(crate) mod comparison;
pub(crate) mod finding;
mod finding_notes;
pub(crate) mod growth;
pub(crate) mod probes;
pub(crate) mod profile;
pub(crate) mod search;
pub(crate) mod strength;
pub(crate) mod summary;
pub(crate) mod verification;

use super::ReportOptions;
use super::page::{Block, Page};
use super::styled_line::{StyledLine, TextStyle};
use rebut_diagnostics::DiagnosticText;
use rebut_engine::event::{Event, FileValidated, WarningEvent};

/// Returns the page of an event; empty for those that are shown together with others, or only while they last.
pub(crate) fn event_page<'a>(event: &'a Event, options: &'a ReportOptions) -> Page<'a> {
    match event {
        Event::Validated(validated) => validated_page(validated),
        Event::Profile(profile) => profile::profile_page(profile, options),
        Event::Growth(growth) => growth::growth_page(growth),
        Event::SlowCause(cause) => growth::slow_cause_page(cause),
        Event::WorkMargins(margins) => growth::work_margins_page(margins),
        Event::Exposed(exposed) => probes::exposure_page(exposed),
        Event::Probed(probed) if options.quiet && probed.exposed == 0 => Page::default(),
        Event::Probed(probed) => probes::probe_summary(probed),
        Event::Flaw(flaw) => build::flaw_page(flaw),
        Event::Built(built) => build::built_page(built, options),
        Event::Contest(contest) => verification::contest_page(contest),
        Event::Compared(comparison) => comparison::comparison_page(comparison),
        Event::Strength(strength) => {
            strength::StrengthView { strength, format: None, options, shows_coverage: true }.to_page()
        }
        Event::Shard(shard) => summary::shard_page(shard),
        Event::Warning(warning) => warning_page(warning),
        _ => Page::default(),
    }
}

fn validated_page<'a>(validated: &FileValidated) -> Page<'a> {
    let (style, word) = if validated.valid { (TextStyle::Success, "valid  ") } else { (TextStyle::Failure, "invalid") };
    let mut page = Page::default();
    page.add_line(
        StyledLine::from_label(0, style, word, "  ").add_plain(validated.file.display().to_string()).into_uncut(),
    );
    let message = validated.message.clone().and_then(DiagnosticText::trim_blank_end);
    message.into_iter().for_each(|message| page.push(Block::Diagnostic(message)));
    page
}

fn warning_page<'a>(warning: &WarningEvent) -> Page<'a> {
    let mut page = Page::default();
    page.add_note(StyledLine::from_label(0, TextStyle::Warning, "warning", ": "), &warning.message);
    if let Some(help) = &warning.help {
        page.add_note(StyledLine::from_label(3, TextStyle::Copyable, "help", ": "), help);
    }
    page
}
