//! `rebut infer`: the format of inputs from samples.

mod clipboard;
mod proposal;
pub(in crate::cli) mod samples;

use super::args::{InferArgs, InputArgs, JudgeArgs};
use super::compile_programs::compile_command;
use super::exit_status::ExitStatus;
use super::problem_setup::ProblemContext;
use super::session::Session;
use clipboard::read_clipboard;
use proposal::{describe_proposal, propose_format};
use rebut_diagnostics::{Error, Result, count_with_noun, list_and};
use rebut_engine::event::{EventSink, ProgramRole};
use rebut_engine::{JudgeSetup, find_input_misfits};
use rebut_format::generate::{GenerationPlan, GenerationSettings, generate_value};
use rebut_format::print::print_value;
use rebut_generators::Choices;
use rebut_infer::{Inference, Question, Sample};
use rebut_packages::write_file;
use rebut_sandbox::{LimitHit, RunLimits};
use samples::{find_samples, infer_from_samples, read_samples, read_statement, samples_from_paths};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(super) fn run_infer(args: &InferArgs, session: &mut Session) -> Result<ExitStatus> {
    let files = if args.samples.is_empty() { find_samples(Path::new("")) } else { samples_from_paths(&args.samples) };
    let first = args.samples.first().map_or(Path::new(""), PathBuf::as_path);
    let folder = if first.is_dir() { first } else { first.parent().unwrap_or(first) };
    let statement = match args.clipboard {
        true => Some(read_clipboard(session)?),
        false => read_statement(args.statement.as_deref(), folder)?,
    };
    if files.is_empty() && args.generator.is_none() && statement.is_none() {
        return Err(Error::usage_error("no sample input was given or found").with_help(
            "name files of inputs, such as `1.in 2.in`, or a folder with them; or a statement with `--statement`",
        ));
    }
    let (mut samples, mut names) = read_samples(&files, statement.as_deref())?;
    let mut origin: Vec<String> = samples.iter().map(|sample| sample.name.clone()).collect();
    if let Some(command) = &args.generator {
        let outputs = run_generator(command, session)?;
        let outputs_of = format!("{} of", count_with_noun(outputs.len(), "output"));
        origin.push(format!("{outputs_of} {command}"));
        names.push(format!("{outputs_of} `{command}`"));
        samples.extend(outputs);
    }
    if let Some(path) = args.statement.as_ref().filter(|_| origin.is_empty()) {
        origin.push(path.display().to_string());
    }
    let origin = origin.join(", ");
    let inferred = infer_from_samples(&samples, &list_and(&names), statement.as_deref());
    if let Some(command) = &args.propose {
        match propose_format(command, &samples, statement.as_deref(), args.solution.as_deref(), session)? {
            Ok(proposal) => {
                let origin = format!("{command}, checked with {origin}");
                let (text, has_question) = describe_proposal(&proposal, inferred.as_ref().ok(), &origin);
                return write_format(args, &text, has_question, session);
            }
            Err(reason) => {
                session.warn(format!("the format that `{command}` proposes is not used: {reason}"));
            }
        }
    }
    let mut found = inferred?;
    if let Some(solution) = &args.solution {
        choose_by_solution(&mut found, solution, session)?;
    }
    for note in &found.notes {
        session.warn(note.clone());
    }
    let text = describe_inference(&found, &origin);
    write_format(args, &text, !found.questions.is_empty() || found.is_cut_short, session)
}

/// Writes a format to the file or the standard output. As for a conversion with losses, the status shows scripts whether
/// something is to be decided.
fn write_format(args: &InferArgs, text: &str, is_open: bool, session: &mut Session) -> Result<ExitStatus> {
    match &args.out {
        Some(path) => write_file(path, text.as_bytes())?,
        None => session.write_stdout(text.as_bytes())?,
    }
    Ok(if is_open { ExitStatus::Found } else { ExitStatus::Success })
}

/// Returns the text of a format with comments: its origin, which bounds are from the samples, and the questions.
pub(super) fn describe_inference(found: &Inference, origin: &str) -> String {
    let mut text = format!("# inferred from {}\n", origin.replace(['\n', '\r'], " "));
    text.push_str(&found.commented_text());
    for question in &found.questions {
        text.push_str(&question_comment(question));
    }
    if found.is_cut_short {
        text.push_str("# The search was cut short: other layouts may fit as well.\n");
    }
    text
}

/// Number of seeds that a generator is run with.
const GENERATOR_SEEDS: u64 = 16;
/// Maximum length in bytes of an output that is a sample: a few large inputs say no more than small ones.
const MAX_SAMPLE_BYTES: usize = 64 << 10;

/// Returns the outputs of a generator for the first seeds, as samples.
fn run_generator(command: &str, session: &mut Session) -> Result<Vec<Sample>> {
    let program = compile_command(command, ProgramRole::Generator, session)?;
    let limits = RunLimits::with_cpu_time_ms(10_000);
    let mut samples = Vec::new();
    for seed in 1..=GENERATOR_SEEDS {
        let outcome = program.run(b"", &[seed.to_string().into()], &limits, &session.cancel)?;
        if !outcome.is_success() {
            return Err(Error::judge_error(format!("the generator `{command}` fails with seed {seed}")));
        }
        if outcome.output.len() <= MAX_SAMPLE_BYTES {
            samples.push(Sample::new(format!("{command} {seed}"), &outcome.output));
        }
    }
    if samples.is_empty() {
        let message = format!("the generator `{command}` prints more than {} KiB each time", MAX_SAMPLE_BYTES >> 10);
        return Err(Error::usage_error(message).with_help("make its inputs smaller, or name sample inputs"));
    }
    Ok(samples)
}

/// Returns a question as comments, with the other format.
fn question_comment(question: &Question) -> String {
    let (best, other) = &question.lines;
    let mut text = format!("\n# Question: is it `{best}`, or `{other}`? The samples fit this format as well:\n");
    for line in question.text.lines() {
        text.push_str("#     ");
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// Number of inputs of each format that a solution is run on.
const TRIED_INPUTS: u64 = 8;
/// Size of these inputs in percent, and their maximum number of elements: a slow solution can read them.
const TRIED_SIZE: (u32, usize) = (10, 100);
/// Processor time limit of each run. A solution that exceeds it on an input of a format is not run on others of that.
const TRIED_TIME: Duration = Duration::from_secs(1);

/// Leaves out the formats with inputs that an accepted solution does not read to their ends.
pub(super) fn choose_by_solution(found: &mut Inference, solution: &Path, session: &mut Session) -> Result<()> {
    let mut texts = vec![found.text.clone()];
    texts.extend(found.questions.iter().map(|question| question.text.clone()));
    let setup = solution_setup(solution, &found.text, session)?;
    let (mut is_read, mut is_slow) = (Vec::new(), false);
    for text in &texts {
        let reads = reads_to_the_end(&load_format(text, session)?, &setup)?;
        is_slow |= reads.is_none();
        is_read.push(reads.unwrap_or(true));
    }
    let best = is_read.iter().position(|is_read| *is_read);
    let warning = match best {
        None => Some("reads the inputs of none of the formats to their ends"),
        Some(_) if is_slow => {
            Some("takes more than a second on small inputs, so it does not decide between all formats")
        }
        Some(_) => None,
    };
    if let Some(what) = warning {
        session.warn(format!("`{}` {what}", solution.display()));
    }
    let Some(best) = best else { return Ok(()) };
    let questions = std::mem::take(&mut found.questions);
    let chosen = best.checked_sub(1).map(|at| questions[at].clone());
    for (mut question, index) in questions.into_iter().zip(1..) {
        if is_read[index] && index != best {
            // The lines of questions are those that differ from the first format.
            question.lines.0 = chosen.as_ref().map_or(question.lines.0, |chosen| chosen.lines.1.clone());
            found.questions.push(question);
        }
    }
    if let Some(Question { text, sampled_rules, .. }) = chosen {
        (found.text, found.sampled_rules) = (text, sampled_rules);
    }
    Ok(())
}

/// Prepares the runs of a solution.
fn solution_setup(solution: &Path, format: &str, session: &mut Session) -> Result<JudgeSetup> {
    let judging =
        JudgeArgs { reference: Some(solution.to_owned()), reference_time: Some(TRIED_TIME), ..JudgeArgs::default() };
    let problem = load_format(format, session)?;
    Ok(problem.build_judge_setup(&judging, session)?.0)
}

/// Returns the problem that consists of a format.
fn load_format(text: &str, session: &mut Session) -> Result<ProblemContext> {
    let inputs = InputArgs { input: Some(text.to_owned()), ..InputArgs::default() };
    ProblemContext::load_problem(&inputs, None, session)
}

/// Returns true if a solution accepts some inputs of a format, and reads exactly what they hold. Returns `None` if it is too
/// slow.
fn reads_to_the_end(problem: &ProblemContext, setup: &JudgeSetup) -> Result<Option<bool>> {
    let format = problem.require_format("try")?;
    let (growth, max_elements) = TRIED_SIZE;
    let settings = GenerationSettings { growth, max_elements, ..GenerationSettings::default() };
    let plan = GenerationPlan::new(format);
    let generate = |seed| generate_value(&plan, &mut Choices::from_seed(seed, 0), &settings).ok();
    let values = (1..=TRIED_INPUTS).filter_map(generate);
    let generated: Vec<Vec<u8>> = values.map(|generated| print_value(format, &generated.value)).collect();
    for input in &generated {
        let outcome = setup.reference.run(input, &[], &setup.judge_limits, &setup.cancel)?;
        if !outcome.is_success() {
            return Ok((!matches!(outcome.limit, Some(LimitHit::CpuTime | LimitHit::WallTime))).then_some(false));
        }
    }
    Ok(Some(find_input_misfits(setup, &[], &generated)?.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;
    fn inference(text: &str, sampled_rules: usize) -> Inference {
        let questions = vec![Question {
            lines: ("a[n]".to_owned(), "a[]".to_owned()),
            text: "n\na[]\n".to_owned(),
            sampled_rules: 0,
        }];
        Inference {
            text: text.to_owned(),
            questions,
            sampled_rules,
            has_samples: true,
            is_cut_short: true,
            notes: Vec::new(),
        }
    }

    #[test]
    fn comments_mark_what_only_the_samples_support() {
        let text = describe_inference(&inference("n\na[n]\nwhere:\n    1 <= n <= 9\n    0 <= a <= 5\n", 1), "1.in");
        let lines: Vec<&str> = text.lines().collect();
        let marked = lines.iter().position(|line| line.contains("guessed from the samples"));
        assert_eq!(marked.map(|at| lines[at + 1]), Some("    # upper bounds: a?"));
        assert!(text.contains("# Question: is it `a[n]`, or `a[]`?") && text.contains("\n#     a[]\n"), "{text}");
        assert!(text.ends_with("# The search was cut short: other layouts may fit as well.\n"));
        assert!(lines.iter().filter(|line| line.starts_with("# inferred from")).count() == 1);
    }
}
