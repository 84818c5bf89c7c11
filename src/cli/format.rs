//! `rebut format`: commands that work on a format itself.

use super::args::{
    ExplainArgs, FormatArgs, FormatCommand, FormatDescribeArgs, FormatFmtArgs, FormatReaderArgs, FromCtdArgs,
    FromSignatureArgs, FromTestlibArgs, InputArgs, ReaderLanguageArg,
};
use super::compile_programs::compile_command;
use super::exit_status::ExitStatus;
use super::problem_setup::ProblemContext;
use super::session::Session;
use rebut_codegen::{ReaderLanguage, SolutionSignature, SolutionSource, TestlibValidator};
use rebut_diagnostics::{Error, ErrorKind, Result, SourceText};
use rebut_engine::event::{EventSink, ProgramRole};
use rebut_engine::{InputValidator, ValidatorConvention};
use rebut_format::describe::{Markup, describe_format as description};
use rebut_format::explain::{self, ExplainOptions};
use rebut_format::generate::{GenerationPlan, GenerationSettings, ScratchBuffers, generate_printed};
use rebut_format::invalid;
use rebut_format::language::Format;
use rebut_format::language::format_source;
use rebut_generators::Choices;
use rebut_import::{Conversion, checktestdata, testlib};
use rebut_packages::{find_testlib_validator, read_description, read_file, write_file};
use rebut_sandbox::RunLimits;
use std::path::Path;
use std::time::Duration;

pub(super) fn run_format_command(command: &FormatCommand, session: &mut Session) -> Result<ExitStatus> {
    match command {
        FormatCommand::Describe(args) => describe_format(args, session),
        FormatCommand::Explain(args) => explain_format(args, session),
        FormatCommand::Fmt(args) => format_files(args, session),
        FormatCommand::FromCtd(args) => convert_script(args, session),
        FormatCommand::FromTestlib(args) => convert_validator(args, session),
        FormatCommand::ToTestlib(args) => print_validator(args, session),
        FormatCommand::FromSignature(args) => convert_signature(args, session),
        FormatCommand::Reader(args) => print_reader(args, session),
    }
}

/// `rebut format to-testlib`: prints a validator. If it leaves something out, the exit status is 1, so that scripts notice.
fn print_validator(args: &FormatArgs, session: &mut Session) -> Result<ExitStatus> {
    let problem = ProblemContext::load_problem(&args.to_input_args(), None, session)?;
    let format = problem.require_format("convert")?;
    let validator = generate_validator(format, session)?;
    session.write_stdout(validator.text.as_bytes())?;
    Ok(if validator.left_out.is_empty() { ExitStatus::Success } else { ExitStatus::Found })
}

/// Returns the validator of a format, written with testlib, and warns of what it does not check.
pub(super) fn generate_validator(format: &Format, session: &mut Session) -> Result<TestlibValidator> {
    let validator = rebut_codegen::generate_validator(format)
        .map_err(|problem| Error::from_diagnostics(format.source.clone(), vec![problem]))?;
    if !validator.left_out.is_empty() {
        session.show_diagnostics(&validator.left_out, &format.source);
    }
    Ok(validator)
}

/// `rebut format reader`: prints the code that reads the input.
fn print_reader(args: &FormatReaderArgs, session: &mut Session) -> Result<ExitStatus> {
    let problem = ProblemContext::load_problem(&args.format.to_input_args(), None, session)?;
    let format = problem.require_format("read")?;
    let language = match args.lang {
        ReaderLanguageArg::Cpp => ReaderLanguage::Cpp,
        ReaderLanguageArg::Py => ReaderLanguage::Python,
        ReaderLanguageArg::Java => ReaderLanguage::Java,
        ReaderLanguageArg::Rs => ReaderLanguage::Rust,
    };
    let text = match &args.call {
        None => rebut_codegen::generate_reader(format, language, args.echo),
        Some(path) => {
            let (signature, language, text) = read_solution(path)?;
            let file_name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_module = |name: &str| {
                let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
                name.chars().all(is_letter) && !name.starts_with(|letter: char| letter.is_ascii_digit())
            };
            if language == ReaderLanguage::Python && !is_module(file_name.trim_end_matches(".py")) {
                let message = format!(
                    "`{file_name}` cannot be imported: give it a name of letters and digits that begins with a letter"
                );
                return Err(Error::usage_error(message));
            }
            let is_elsewhere = path.parent().is_some_and(|folder| !folder.as_os_str().is_empty());
            if is_elsewhere && language != ReaderLanguage::Java {
                let message = format!("the program has to be in the folder of `{}`, which it includes", path.display());
                session.warn(message);
            }
            let solution = SolutionSource { signature: &signature, file_name: &file_name, text: &text };
            rebut_codegen::generate_driver(format, language, &solution)
        }
    };
    let text = text.map_err(|problem| Error::from_diagnostics(format.source.clone(), vec![problem]))?;
    session.write_stdout(text.as_bytes())?;
    Ok(ExitStatus::Success)
}

/// `rebut format from-signature`: makes a format of the parameters of a method.
fn convert_signature(args: &FromSignatureArgs, session: &mut Session) -> Result<ExitStatus> {
    let (signature, ..) = read_solution(&args.source)?;
    session.write_stdout(signature.to_format().as_bytes())?;
    Ok(ExitStatus::Success)
}

/// Reads a source with `class Solution`, and finds the method.
fn read_solution(path: &Path) -> Result<(SolutionSignature, ReaderLanguage, String)> {
    let language = match path.extension().and_then(|extension| extension.to_str()) {
        Some("cpp" | "cc" | "cxx") => ReaderLanguage::Cpp,
        Some("py") => ReaderLanguage::Python,
        Some("java") => ReaderLanguage::Java,
        _ => {
            let message = format!("`{}` is no source in C++, Python or Java", path.display());
            return Err(Error::usage_error(message));
        }
    };
    let text = String::from_utf8_lossy(&read_description(path)?).into_owned();
    let signature = SolutionSignature::find_method(&text, language)
        .map_err(|why| Error::usage_error(format!("`{}`: {why}", path.display())))?;
    Ok((signature, language, text))
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

/// `rebut format from-testlib`: converts a validator to a format, and tries both on the same inputs. If they are known to
/// differ, the exit status is 1.
fn convert_validator(args: &FromTestlibArgs, session: &mut Session) -> Result<ExitStatus> {
    let path = find_testlib_validator(&args.file, &[]).unwrap_or_else(|| args.file.clone());
    let source = SourceText::new(path.display().to_string(), read_description(&path)?);
    let found =
        testlib::convert_validator(&source).map_err(|problems| Error::from_diagnostics(source.clone(), problems))?;
    if !found.warnings.is_empty() {
        session.show_diagnostics(&found.warnings, &source);
    }
    let trial = if args.no_try { None } else { try_conversion(args, &found, session)? };
    let comment = trial.as_ref().map(|trial| format!("# {}\n", trial.summary(found.exact))).unwrap_or_default();
    session.write_stdout((comment + &found.text).as_bytes())?;
    let agrees = trial.is_none_or(|trial| trial.differences.is_empty());
    Ok(if found.exact && agrees { ExitStatus::Success } else { ExitStatus::Found })
}

/// How a validator and its format judged the same inputs.
#[derive(Debug, Default)]
struct ConversionTrial {
    /// Number of inputs of the format, and of those that the validator accepts.
    generated: (usize, usize),
    /// Number of inputs that break the format, and of those that the validator refuses.
    invalid: (usize, usize),
    /// Number of inputs at hand that the validator accepts, and of those that the format accepts.
    given: (usize, usize),
    /// The inputs that they disagree on, in words.
    differences: Vec<String>,
}

impl ConversionTrial {
    fn summary(&self, exact: bool) -> String {
        let ((drawn, accepted), (broken, refused)) = (self.generated, self.invalid);
        let known = match (exact, self.differences.is_empty()) {
            (_, false) => "differs from the validator; tried: ",
            (true, true) => "exact, as tried: ",
            (false, true) => "wider than the validator; tried: ",
        };
        let mut text = known.to_owned();
        text +=
            &format!("it accepts {accepted} of {drawn} generated inputs, refuses {refused} of {broken} invalid ones");
        let (theirs, own) = self.given;
        if theirs > 0 {
            text += &format!("; the format accepts {own} of {theirs} given ones");
        }
        text
    }
}

/// Tries a validator and its format on the same inputs. Returns `None`, after a warning, if the validator cannot be
/// compiled or the format has no inputs.
fn try_conversion(
    args: &FromTestlibArgs,
    found: &Conversion,
    session: &mut Session,
) -> Result<Option<ConversionTrial>> {
    let given = InputArgs { input: Some(found.text.clone()), ..InputArgs::default() };
    let problem = ProblemContext::load_problem(&given, None, session)?;
    let format = problem.require_format("try")?;
    let program = match compile_command(&args.file.display().to_string(), ProgramRole::Validator, session) {
        Ok(program) => program,
        Err(error) if error.kind() == ErrorKind::Interrupted => return Err(error),
        Err(error) => {
            let message = format!("the format was not tried against the validator: {}", error.message());
            session.warn_with_help(message, "`--include` names the folder of `testlib.h`; `--no-try` only converts");
            return Ok(None);
        }
    };
    let validator = InputValidator { program, convention: ValidatorConvention::Plain, identity: None };
    session.begin_activity("Trying", args.file.display().to_string());
    let mut trial = ConversionTrial::default();
    trial.try_generated(format, &validator, session)?;
    if !found.exact {
        // The validator may refuse more.
        trial.differences.clear();
    }
    trial.try_invalid(format, &validator, session)?;
    for path in &args.inputs {
        trial.try_given(path, format, &validator, session)?;
    }
    for difference in trial.differences.iter().take(MAX_SHOWN_DIFFERENCES) {
        session.warn(difference.clone());
    }
    Ok(Some(trial))
}

/// Maximum number of differences that are shown.
const MAX_SHOWN_DIFFERENCES: usize = 5;

/// Number of inputs of a format on which the validator is tried.
const TRIED_INPUTS: u64 = 120;

/// Maximum number of elements of an input on which the validator is tried.
const MAX_TRIED_ELEMENTS: usize = 20_000;

/// Time limit of the search for invalid inputs.
const INVALID_TIME: Duration = Duration::from_secs(5);

impl ConversionTrial {
    /// Tries inputs of the format, from tiny ones to larger ones.
    fn try_generated(&mut self, format: &Format, validator: &InputValidator, session: &Session) -> Result<()> {
        let plan = GenerationPlan::new(format);
        for index in 0..TRIED_INPUTS {
            session.check_interrupted()?;
            let growth = u32::try_from(index * 50 / TRIED_INPUTS).unwrap_or(0);
            let settings =
                GenerationSettings { growth, max_elements: MAX_TRIED_ELEMENTS, ..GenerationSettings::default() };
            let mut choices = Choices::from_seed(1, index);
            let drawn = generate_printed(&plan, &mut choices, &settings, &mut ScratchBuffers::default());
            let Ok(input) = drawn else { continue };
            self.generated.0 += 1;
            match refusal(validator, &input.bytes, session)? {
                None => self.generated.1 += 1,
                Some(reason) => {
                    self.note_difference(
                        &format!("the validator refuses an input of the format: {reason}"),
                        &input.bytes,
                    );
                }
            }
        }
        Ok(())
    }

    /// Tries inputs that break one constraint or one rule of the layout each.
    fn try_invalid(&mut self, format: &Format, validator: &InputValidator, session: &Session) -> Result<()> {
        let cancel = session.cancel.clone();
        let phase = session.cancel.begin_phase(INVALID_TIME);
        let found = invalid::generate_invalid_inputs(format, 1, MAX_TRIED_ELEMENTS, &|| cancel.should_stop());
        drop(phase);
        session.check_interrupted()?;
        for input in found.map(|found| found.inputs).unwrap_or_default() {
            self.invalid.0 += 1;
            match refusal(validator, &input.bytes, session)? {
                Some(_) => self.invalid.1 += 1,
                None => {
                    let words = format!("the validator accepts what the format refuses, `{}`", input.name);
                    self.note_difference(&words, &input.bytes);
                }
            }
        }
        Ok(())
    }

    /// Tries an input at hand.
    fn try_given(&mut self, path: &Path, format: &Format, validator: &InputValidator, session: &Session) -> Result<()> {
        let bytes = read_file(path)?;
        if refusal(validator, &bytes, session)?.is_some() {
            return Ok(());
        }
        self.given.0 += 1;
        match invalid::find_refusal(format, &bytes) {
            None => self.given.1 += 1,
            Some(problem) => {
                let words = format!(
                    "the format refuses `{}`, which the validator accepts: {}",
                    path.display(),
                    problem.message
                );
                self.differences.push(words);
            }
        }
        Ok(())
    }

    fn note_difference(&mut self, words: &str, input: &[u8]) {
        const MAX_SHOWN_BYTES: usize = 80;
        let shown = rebut_diagnostics::shorten_text(input, MAX_SHOWN_BYTES).replace('\n', "⏎");
        self.differences.push(format!("{words}: `{shown}`"));
    }
}

/// Returns why a validator refuses an input, or `None` if it accepts it. A crash counts as a refusal.
fn refusal(validator: &InputValidator, input: &[u8], session: &Session) -> Result<Option<String>> {
    match validator.check_input(input, &RunLimits::with_cpu_time_ms(10_000), &session.cancel) {
        Err(error) if error.kind() == ErrorKind::Judge => Ok(Some(error.message().to_owned())),
        other => other,
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
    let Some(path) = &args.into else {
        session.write_stdout(description(format, markup).as_bytes())?;
        return Ok(ExitStatus::Success);
    };
    let text = || match args.latex || args.markdown {
        true => description(format, markup),
        false => describe_for_statement(format, path),
    };
    let before = String::from_utf8_lossy(&read_description(path)?).into_owned();
    let Some(after) = replace_between_marks(&before, text) else {
        let message = format!("`{}` has no line with `{BEGIN_MARK}` and a later one with `{END_MARK}`", path.display());
        let help = "write them where the section belongs, as comments: `% rebut:begin` or `<!-- rebut:begin -->`";
        return Err(Error::usage_error(message).with_help(help));
    };
    match after == before {
        true => Ok(ExitStatus::Success),
        false if args.check => {
            session.write_stdout_text(&format!("{}: not that of the format", path.display()))?;
            Ok(ExitStatus::Found)
        }
        false => write_file(path, after.as_bytes()).map(|()| ExitStatus::Success),
    }
}

/// Returns the description of a format for a statement: LaTeX for a `.tex` file.
pub(super) fn describe_for_statement(format: &Format, statement: &Path) -> String {
    let is_tex = statement.extension().is_some_and(|kind| kind == "tex");
    description(format, if is_tex { Markup::Latex } else { Markup::Markdown })
}

/// In the line above what `rebut format describe` writes into a statement.
const BEGIN_MARK: &str = "rebut:begin";

/// In the line below it.
const END_MARK: &str = "rebut:end";

/// Returns a statement with another text between its marks, or `None` if it has none. The text is made if there are marks.
pub(super) fn replace_between_marks(statement: &str, text: impl FnOnce() -> String) -> Option<String> {
    let start = statement.find(BEGIN_MARK)?;
    let start = start + statement[start..].find('\n')? + 1;
    let end = start + statement[start..].find(END_MARK)?;
    let end = statement[..end].rfind('\n').map_or(0, |newline| newline + 1).max(start);
    Some([&statement[..start], &text(), &statement[end..]].concat())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_between_the_marks_is_replaced() {
        let replaced = |statement: &str| replace_between_marks(statement, || "new\n".to_owned());
        assert_eq!(
            replaced("a\n% rebut:begin\nold\nolder\n  % rebut:end\nb\n").as_deref(),
            Some("a\n% rebut:begin\nnew\n  % rebut:end\nb\n")
        );
        assert_eq!(
            replaced("<!-- rebut:begin -->\n<!-- rebut:end -->").as_deref(),
            Some("<!-- rebut:begin -->\nnew\n<!-- rebut:end -->")
        );
        for without in ["", "rebut:begin", "rebut:begin\nx", "rebut:end\nrebut:begin\n", "rebut:begin rebut:end\n"] {
            assert_eq!(replaced(without), None, "{without}");
        }
    }
}
