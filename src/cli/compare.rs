//! `rebut compare`: compares two reports of `verify`.

use super::args::CompareArgs;
use super::exit_status::ExitStatus;
use super::session::Session;
use rebut_diagnostics::Result;
use rebut_engine::compare_reports;
use rebut_engine::event::{CommandSummary, Event, EventSink, ReportComparison};
use rebut_packages::read_file;

pub(super) fn run_compare(args: &CompareArgs, session: &mut Session) -> Result<ExitStatus> {
    session.open_html(&args.page);
    let (before, after) = (read_file(&args.before)?, read_file(&args.after)?);
    let names = (args.before.display().to_string(), args.after.display().to_string());
    let comparisons = compare_reports((&names.0, &before), (&names.1, &after))?;
    let is_unchanged = comparisons.iter().all(ReportComparison::is_unchanged);
    let findings = comparisons.iter().filter(|comparison| !comparison.is_unchanged()).count();
    for comparison in comparisons {
        session.take_event(&Event::Compared(comparison));
    }
    let status = if is_unchanged { ExitStatus::Success } else { ExitStatus::Found };
    session.take_event(&Event::Summary(CommandSummary {
        findings,
        exit_status: status.exit_code(),
        ..CommandSummary::default()
    }));
    Ok(status)
}
