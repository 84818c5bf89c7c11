//! `rebut format`: commands that work on a format itself.

use super::args::{ExplainArgs, FormatCommand, FormatDescribeArgs, FormatFmtArgs, FromCtdArgs};
use super::exit_status::ExitStatus;
use super::problem_setup::ProblemContext;
use super::session::Session;
use rebut_diagnostics::{Error, Result, SourceText};
use rebut_format::describe::{Markup, describe_format as description};
use rebut_format::explain::{self, ExplainOptions};
use rebut_format::language::format_source;
use rebut_import::checktestdata;
use rebut_packages::{read_description, write_file};
use std::path::Path;

pub(super) fn run_format_command(command: &FormatCommand, session: &mut Session) -> Result<ExitStatus> {
    match command {
        FormatCommand::Describe(args) => describe_format(args, session),
        FormatCommand::Explain(args) => explain_format(args, session),
        FormatCommand::Fmt(args) => format_files(args, session),
        FormatCommand::FromCtd(args) => convert_script(args, session),
    }
}

/// `rebut format from-ctd`: converts a checktestdata script to a format. If the conversion is not lossless, the format
/// is printed anyway and the exit status is 1, so that scripts notice.
fn convert_script(args: &FromCtdArgs, session: &mut Session) -> Result<ExitStatus> {
    let source = SourceText::new(args.file.display().to_string(), read_description(&args.file)?);
    match checktestdata::convert_script(&source) {
        Ok(found) => {
            if !found.warnings.is_empty() {
                session.show_diagnostics(&found.warnings, &source);
            }
            session.write_stdout(found.text.as_bytes())?;
            Ok(if found.exact { ExitStatus::Success } else { ExitStatus::Found })
        }
        Err(problems) => Err(Error::from_diagnostics(source, problems)),
    }
}

/// `rebut format explain`: shows how a format is understood.
fn explain_format(args: &ExplainArgs, session: &mut Session) -> Result<ExitStatus> {
    let problem = ProblemContext::load_problem(&args.format.to_input_args(), None, session)?;
    let format = problem.require_format("explain")?;
    session.begin_activity("Measuring", &format.source.name);
    let text = explain::explain_format(format, ExplainOptions { seed: args.seed, ..ExplainOptions::default() });
    session.check_interrupted()?;
    session.write_stdout(text.as_bytes())?;
    Ok(ExitStatus::Success)
}

/// `rebut format describe`: prints the Input and Constraints sections of the statement.
fn describe_format(args: &FormatDescribeArgs, session: &mut Session) -> Result<ExitStatus> {
    let problem = ProblemContext::load_problem(&args.format.to_input_args(), None, session)?;
    let format = problem.require_format("describe")?;
    let markup = if args.latex { Markup::Latex } else { Markup::Markdown };
    session.write_stdout(description(format, markup).as_bytes())?;
    Ok(ExitStatus::Success)
}

/// `rebut format fmt`: rewrites formats in their normal form. A file that does not parse does not stop the others from
/// being formatted.
fn format_files(args: &FormatFmtArgs, session: &mut Session) -> Result<ExitStatus> {
    let mut status = ExitStatus::Success;
    for path in &args.files {
        let source = SourceText::new(path.display().to_string(), read_description(path)?);
        let text = match format_source(&source) {
            Ok(text) => text,
            Err(problems) => {
                session.show_diagnostics(&problems, &source);
                status = ExitStatus::Usage;
                continue;
            }
        };
        let same = text.as_bytes() == source.text;
        if args.check {
            if !same {
                session.write_stdout_text(&source.name)?;
                status = status.max(ExitStatus::Found);
            }
        } else if args.stdout || path == Path::new("-") {
            session.write_stdout(text.as_bytes())?;
        } else if !same {
            write_file(path, text.as_bytes())?;
        }
    }
    Ok(status)
}
