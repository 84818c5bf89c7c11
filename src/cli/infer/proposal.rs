//! `rebut infer --propose`: a program of the user's, such as a local model, writes a format from the statement and the
//! samples. It counts only if it passes the checks of an inferred one.

use super::super::compile_programs::compile_command;
use super::super::help::FORMAT_LANGUAGE;
use super::super::session::Session;
use super::{load_format, reads_to_the_end, solution_setup};
use rebut_diagnostics::{Error, Result, SourceText, shorten_text};
use rebut_engine::event::ProgramRole;
use rebut_format::language::{Format, format_source};
use rebut_format::read::read_input;
use rebut_format::validate::{explain_violation, find_violation};
use rebut_infer::{Inference, Sample};
use rebut_sandbox::RunLimits;
use std::fmt::Write as _;
use std::path::Path;

/// Processor time that the program has. A model on a small computer takes minutes.
const PROPOSAL_TIME_MS: u64 = 600_000;
/// Memory that it has: models are large.
const PROPOSAL_MEMORY: u64 = 1 << 40;
/// Maximum number of bytes of a sample in the request.
const MAX_SHOWN_SAMPLE: usize = 4 << 10;

/// Runs the program on the statement and the samples. Returns the format that it prints, in normal form, or why that is none
/// of these inputs.
///
/// # Errors
/// Returns an error if the program or the solution cannot be run.
pub(super) fn propose_format(
    command: &str,
    samples: &[Sample],
    statement: Option<&str>,
    solution: Option<&Path>,
    session: &mut Session,
) -> Result<std::result::Result<String, String>> {
    let program = compile_command(command, ProgramRole::Generator, session)?;
    session.begin_activity("Asking", command);
    let limits = RunLimits { memory_limit_bytes: PROPOSAL_MEMORY, ..RunLimits::with_cpu_time_ms(PROPOSAL_TIME_MS) };
    let outcome = program.run(request_text(samples, statement).as_bytes(), &[], &limits, &session.cancel)?;
    if !outcome.is_success() {
        let why = shorten_text(&outcome.stderr, MAX_SHOWN_SAMPLE);
        return Err(Error::operating_error(format!("`{command}` fails: {}", outcome.exit)).with_note(why));
    }
    let text = code_of(&String::from_utf8_lossy(&outcome.output)).to_owned();
    let source = SourceText::new("proposal", text.as_bytes());
    let (format, text) = match (Format::parse(&source), format_source(&source)) {
        (Ok((format, _)), Ok(text)) => (format, text),
        (Err(problems), _) | (_, Err(problems)) => {
            let problem = problems.first().map_or_else(String::new, |problem| problem.render_text(&source));
            return Ok(Err(format!("it does not parse: {}", problem.trim_end())));
        }
    };
    if let Some((name, why)) = samples.iter().find_map(|sample| Some((&sample.name, refusal_of(&format, sample)?))) {
        return Ok(Err(format!("`{name}` is no input of it: {why}")));
    }
    if let Some(solution) = solution {
        let setup = solution_setup(solution, &text, session)?;
        if reads_to_the_end(&load_format(&text, session)?, &setup)? == Some(false) {
            return Ok(Err(format!("`{}` does not read its inputs to their ends", solution.display())));
        }
    }
    Ok(Ok(text))
}

/// Returns what the program reads on its standard input.
fn request_text(samples: &[Sample], statement: Option<&str>) -> String {
    let mut text = format!(
        "Write the input format of a programming problem in the language below, and print nothing else.\n\n\
         {FORMAT_LANGUAGE}\n"
    );
    // Writing to a string cannot fail.
    if let Some(statement) = statement {
        let _ = write!(text, "\n=== statement ===\n{statement}\n");
    }
    for sample in samples {
        let input = String::from_utf8_lossy(&sample.to_bytes()).into_owned();
        let shown = input.get(..MAX_SHOWN_SAMPLE).unwrap_or(&input);
        let _ = write!(text, "\n=== input {} ===\n{shown}", sample.name);
    }
    text
}

/// Returns the text between the first two fences of Markdown, or all of it.
fn code_of(text: &str) -> &str {
    let Some((_, fenced)) = text.split_once("```") else { return text };
    let code = fenced.split_once('\n').map_or(fenced, |(_, code)| code);
    code.split_once("```").map_or(code, |(code, _)| code)
}

/// Returns why a format does not accept a sample.
fn refusal_of(format: &Format, sample: &Sample) -> Option<String> {
    match read_input(format, &sample.to_bytes()) {
        Err(problem) => Some(problem.message),
        Ok(value) => find_violation(format, &value).map(|broken| explain_violation(format, &value, &broken).message),
    }
}

/// Returns a proposal with comments: its origin, and what the inferred format has instead, apart from guesses.
pub(super) fn describe_proposal(proposal: &str, inferred: Option<&Inference>, origin: &str) -> (String, bool) {
    let mut text = format!("# proposed by {}\n{proposal}", origin.replace(['\n', '\r'], " "));
    let stated = inferred.map_or("", |found| &found.text);
    let count = stated.lines().count() - inferred.map_or(0, |found| found.sampled_rules.min(stated.lines().count()));
    let has_line = |line: &str| proposal.lines().any(|other| other.trim() == line.trim());
    let missing: Vec<&str> = stated.lines().take(count).filter(|line| !has_line(line)).collect();
    if !missing.is_empty() {
        text.push_str("\n# Question: the format that rebut inferred has instead:\n");
        missing.iter().for_each(|line| {
            let _ = writeln!(text, "#     {}", line.trim());
        });
    }
    (text, !missing.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_what_is_between_fences() {
        assert_eq!(code_of("n\n"), "n\n");
        assert_eq!(code_of("Here it is:\n```format\nn\n```\nDone."), "n\n");
        assert_eq!(code_of("```\nn\n"), "n\n");
    }
}
