//! `rebut test`: runs a submission on the samples next to it.

use super::args::{RunArgs, TestArgs, VerifyArgs};
use super::discover::{RECORD_ORIGIN, find_submission_beside};
use super::exit_status::ExitStatus;
use super::infer::samples::{
    SampleFile, SampleTexts, find_samples, read_statement, sample_names, samples_from_paths, samples_in_statement,
};
use super::problem_setup::{self, ProblemContext};
use super::session::Session;
use super::verify;
use rebut_diagnostics::{Error, Result, list_and};
use rebut_engine::event::{Event, EventSink, ListedSample};
use rebut_engine::verify::find_first_failure;
use rebut_packages::interop::companion::ProblemRecord;
use rebut_packages::verdict::Expectation;
use rebut_packages::{Bundle, Package, PackageSubmission, TimeBound, digest_parts, read_file};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(super) fn run_test(args: &TestArgs, session: &mut Session) -> Result<ExitStatus> {
    let submission = match &args.submission {
        Some(path) => path.clone(),
        None if args.list => PathBuf::new(),
        None => find_submission_beside(Path::new(""))?,
    };
    let folder = submission.parent().unwrap_or(Path::new(""));
    if let Some(missing) = args.samples.iter().find(|path| !path.exists()) {
        return Err(Error::usage_error(format!("no file or folder `{}`", missing.display())));
    }
    let samples = if args.samples.is_empty() { find_samples(folder) } else { samples_from_paths(&args.samples) };
    let (complete, others): (Vec<SampleFile>, Vec<SampleFile>) =
        samples.into_iter().partition(|sample| sample.answer.is_some());
    let mut shown = Vec::new();
    if complete.is_empty() && others.is_empty() && args.samples.is_empty() && !args.list {
        shown = samples_in_statement(&read_statement(None, folder)?.unwrap_or_default());
        shown.retain(|sample| sample.answer.is_some());
    }
    if complete.is_empty() && shown.is_empty() {
        return Err(no_samples_error(folder, &others));
    }
    if !others.is_empty() {
        session.warn(format!("no answer beside {}: left out", list_and(&sample_names(&others))));
    }
    if args.list {
        return list_samples(complete, session);
    }
    let recorded = ProblemRecord::load(folder).and_then(|record| record.file_names());
    session.set_file_names(args.files.clone().or(recorded.map(Vec::from)));
    let texts = if complete.is_empty() { shown } else { complete.iter().map(read_texts).collect::<Result<_>>()? };
    let problem = write_sample_package(texts, args, session)?;
    let how = VerifyArgs { checker: args.checker.clone(), ..limits_beside(folder, &args.how) };
    let submission = std::path::absolute(&submission).map_err(|e| Error::io_error("find", &submission, &e))?;
    run_run(&RunArgs { submission, problem, how, page: args.page.clone() }, session)
}

/// Reads the files of a sample.
fn read_texts(SampleFile { name, input, answer }: &SampleFile) -> Result<SampleTexts> {
    let answer = answer.as_deref().map(read_file).transpose()?;
    Ok(SampleTexts { name: name.clone(), input: read_file(input)?, answer })
}

/// Prints the paths of samples and of their answers.
fn list_samples(samples: Vec<SampleFile>, session: &mut Session) -> Result<ExitStatus> {
    for SampleFile { name, input, answer } in samples {
        let answer = answer.unwrap_or_default();
        if !session.writes_events_to_stdout() {
            session.write_stdout(format!("{} {}\n", input.display(), answer.display()).as_bytes())?;
        }
        session.take_event(&Event::Sample(ListedSample { name, input, answer }));
    }
    Ok(session.emit_summary(0, ExitStatus::Success))
}

/// Processor time limit on samples if none is known, so that an endless loop ends.
const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(10);

/// Returns the options with the limits of the problem that `rebut listen` received, unless the command line has others.
fn limits_beside(folder: &Path, how: &VerifyArgs) -> VerifyArgs {
    let record = ProblemRecord::load(folder).unwrap_or_default();
    VerifyArgs {
        time_limit: how.time_limit.or(record.time_limit()).or(Some(DEFAULT_TIME_LIMIT)),
        memory_limit: how.memory_limit.or(record.memory_limit_mib()),
        memory_limit_origin: how.memory_limit.is_none().then_some(RECORD_ORIGIN),
        ..how.clone()
    }
}

/// Writes a package with the samples to the cache, and returns its folder. A folder around it is named after its contents.
fn write_sample_package(samples: Vec<SampleTexts>, args: &TestArgs, session: &Session) -> Result<PathBuf> {
    let mut bundle = Bundle::default();
    let mut description = "name: Samples\n".to_owned();
    if let Some(tolerance) = args.tolerance {
        description += &format!("validator_flags: float_tolerance {tolerance}\n");
    }
    let insert = |bundle: &mut Bundle, path: &str, bytes| bundle.insert(path, bytes).map_err(Error::usage_error);
    insert(&mut bundle, "problem.yaml", description.into_bytes())?;
    for (at, sample) in samples.into_iter().enumerate() {
        // The number keeps their order, and the names apart.
        let name = format!("data/sample/{:02}-{}", at + 1, plain_name(&sample.name));
        insert(&mut bundle, &format!("{name}.in"), sample.input)?;
        if let Some(answer) = sample.answer {
            insert(&mut bundle, &format!("{name}.ans"), answer)?;
        }
    }
    let parts: Vec<&[u8]> = bundle.iter().flat_map(|(path, bytes)| [path.as_bytes(), bytes]).collect();
    let parent = session.builder.cache_folder().join("samples").join(digest_parts(&parts));
    std::fs::create_dir_all(&parent).map_err(|e| Error::io_error("create", &parent, &e))?;
    let folder = parent.join("samples");
    match bundle.write_folder(&folder) {
        // The same samples were run before, or are run at the same time.
        Err(_) if folder.join("problem.yaml").is_file() => Ok(folder),
        Err(error) => Err(error),
        Ok(()) => Ok(folder),
    }
}

/// Returns a name with the characters that names of test cases have.
fn plain_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect()
}

fn no_samples_error(folder: &Path, inputs: &[SampleFile]) -> Error {
    let place =
        if folder.as_os_str().is_empty() { "this folder".to_owned() } else { format!("`{}`", folder.display()) };
    let message = match inputs.first() {
        Some(sample) => format!("no sample in {place} has an answer: `{}` has none beside it", sample.input.display()),
        None => format!("no samples were found in {place}"),
    };
    Error::usage_error(message).with_help(
        "samples are pairs such as `1.in` and `1.ans` (or `1.out`), beside the submission or in `tests/`, `test/` or `samples/`, or are shown in `statement.txt`",
    )
}

// `rebut run`: runs one submission on all test cases of a package, and shows its first failure in full.

pub(super) fn run_run(args: &RunArgs, session: &mut Session) -> Result<ExitStatus> {
    session.open_html(&args.page);
    let problem = ProblemContext::from_folder(&args.problem, session)?;
    let package = problem.require_package()?;
    let submission = resolve_submission(package, &args.submission, session)?;
    session.begin_page_section(&package.id);
    verify::emit_package_notes(package, session);
    let chosen = verify::ChosenSubmissions { submissions: vec![&submission], are_named: true };
    let (failure, verified) = verify::with_compiled_plan(package, &chosen, &args.how, session, |plan, _, session| {
        let verified = verify::report_table(package, &plan, session)?;
        let first = plan.submissions.iter().zip(&verified.rows).next();
        let find = |(submission, row)| find_first_failure(&plan, submission, row, verified.cpu_time_limit_ms);
        Ok((first.map_or(Ok(None), find)?, verified))
    })?;
    let status = verify::verify_status(&verified);
    if let Some(mut found) = failure {
        problem_setup::name_memory_limit(
            &mut found,
            args.how.memory_limit,
            args.how.memory_limit_origin,
            Some(package),
        );
        session.take_event(&Event::Found(Box::new(found)));
    }
    Ok(session.emit_summary(usize::from(status != ExitStatus::Success), status))
}

/// Resolves the submission, inside the package or not. The package's expectation is ignored: here the question is
/// whether it is correct.
fn resolve_submission(package: &Package, name: &Path, session: &Session) -> Result<PackageSubmission> {
    let path = problem_setup::find_submission_path(name, Some(package), session)?;
    let known = package.submissions.iter().find(|known| known.path == path);
    let (language, entry_point) = known.map(|k| (k.language.clone(), k.entry_point.clone())).unwrap_or_default();
    let name = known.map_or_else(|| name.display().to_string(), |known| known.name.clone());
    let plain = PackageSubmission::new(name, path, Expectation::ACCEPTED, Some(TimeBound::Lower));
    Ok(PackageSubmission { language, entry_point, ..plain })
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn names_of_samples_become_names_of_test_cases() {
        for (name, plain) in [("1", "1"), ("sample-02", "sample-02"), ("a b.c/d", "a_b_c_d"), ("\u{e9}", "_")] {
            assert_eq!(plain_name(name), plain);
        }
    }

    #[test]
    fn error_tells_whether_answers_or_samples_are_missing() {
        let message =
            |folder: &str, inputs: &[SampleFile]| no_samples_error(Path::new(folder), inputs).message().to_owned();
        assert_eq!(message("", &[]), "no samples were found in this folder");
        assert_eq!(message("tests", &[]), "no samples were found in `tests`");
    }
}
