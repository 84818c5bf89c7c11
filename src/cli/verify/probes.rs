//! The probes of `rebut verify`: are the test cases valid, do validators refuse invalid inputs, and does the checker
//! refuse junk and accept harmless variants of the answer?

use super::super::args::DEFAULT_KILL_DEPTH;
use super::super::compile_programs::ChecktestdataValidators;
use super::super::exit_status::ExitStatus;
use super::super::files_beside::FORMAT_FILE;
use super::super::finding_tools;
use super::super::groups::{TestGroup, find_groups};
use super::super::judges::validation_limits;
use super::super::problem_setup::ProblemContext;
use super::super::session::Session;
use super::small_outputs;
use rebut_diagnostics::{Error, Result, SourceText, list_and};
use rebut_engine::event::{Event, EventSink, ProbeSummary, SubmissionMutants, ValidatorExposure};
use rebut_engine::probes::{
    ANSWER_PROBE_NAME, InputProbe, JudgeOpinion, OpinionCache, OutputProbe, ValidatorQuery, collect_input_opinions,
    collect_output_opinions, damage_input, harmless_variants, huge_number_output, junk_outputs, merge_exposures,
    mutated_outputs, stated_line,
};
use rebut_engine::verify::{VerifiedCase, VerifyPlan, VerifyResult};
use rebut_engine::{InputValidator, Judge, JudgeProgram, StrengthPlan, digest_tests, measure_strength};
use rebut_format::invalid::{self, BrokenRule, InvalidInput, Leniency};
use rebut_format::language::{Expr, Format};
use rebut_packages::{Package, ResultCache, SHOWN_OUTPUT_SUFFIX, ValidatorProbe, digest_parts, read_file};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Maximum number of elements in an invalid input, since each is validated many times.
const MAX_ELEMENTS: usize = 20_000;

/// Number of test cases with answers that are used to probe the checker.
const MAX_PROBED_CASES: usize = 3;

/// Maximum size in bytes of a test case that is damaged; a fault that only shows on larger ones is not expected.
const MAX_DAMAGED_BYTES: usize = 1 << 20;

/// Maximum size in bytes of an answer that is mutated.
const MAX_MUTATED_BYTES: usize = 1 << 16;

const VALID_INPUT: &str = "it is in the package's valid inputs";

const INVALID_INPUT: &str = "it is in the package's invalid inputs";

/// Names of damaged or invalid inputs that a validator accepts for the same reason.
const INPUTS_OF_ONE_CAUSE: [&[&str]; 3] = [
    &["trailing-garbage", "nul", "not-utf8", "text-after-end"],
    &["cut", "missing-last-line"],
    &["empty", "empty-file"],
];

/// The result cache, as a cache of judge opinions.
pub(in crate::cli) struct StoredOpinions<'s>(pub(in crate::cli) Option<&'s ResultCache>);

impl OpinionCache for StoredOpinions<'_> {
    fn get_opinion(&self, parts: &[&[u8]]) -> Option<Value> {
        self.0?.get(&digest_parts(parts))
    }

    fn store_opinion(&self, parts: &[&[u8]], opinion: Value) {
        if let Some(store) = self.0 {
            store.insert(&digest_parts(parts), opinion);
        }
    }
}

/// Runs all probes and reports the faulty validators. Returns their number and the resulting exit status. Lenient ones
/// count only if `is_strict`.
///
/// # Errors
/// Returns an error if a file cannot be read, if a program cannot be run at all, or if the user interrupted.
pub(in crate::cli) fn probe_package(
    problem: &ProblemContext,
    plan: &VerifyPlan<'_>,
    store: Option<&ResultCache>,
    is_strict: bool,
    session: &mut Session,
) -> Result<(usize, ExitStatus)> {
    let package = problem.require_package()?;
    let cache = StoredOpinions(store);
    let (paths, validators): (Vec<PathBuf>, Vec<InputValidator>) =
        problem.compile_package_validators(&|_| true, session)?.into_iter().unzip();
    let scripts = ChecktestdataValidators::read(package, session)?;
    // A package without `input.format` has its only script as its format.
    let own = problem.format.iter().filter(|_| package.format.is_some()).map(|format| (FORMAT_FILE, format));
    let formats: Vec<(&str, &Format)> =
        own.chain(scripts.formats.iter().map(|(name, format)| (name.as_str(), format))).collect();
    let lacks = report_lacks(package, formats.is_empty() && validators.is_empty(), is_strict, session)?;
    let mut exposed = Vec::new();
    let groups = find_groups(problem)?;
    for (name, format) in &formats {
        exposed.extend(expose_refused_test_cases(name, format, &groups, plan)?);
    }
    let are_alone = validators.is_empty() && !formats.is_empty();
    // A validator that cannot be run may refuse what the others accept.
    let is_certain = !scripts.has_unsupported && package.input_validators.len() == scripts.formats.len();
    let own_probes = package.probes.iter().filter(|probe| probe.output.is_none());
    for probe in own_probes.clone() {
        exposed.extend(expose_formats_on(probe, &formats, are_alone, is_certain)?);
    }
    let inputs = build_input_probes(package, problem.format.as_ref(), plan, &paths, session)?;
    if !validators.is_empty() {
        let (limits, jobs, cancel) = (validation_limits(package), session.jobs, session.cancel.clone());
        let query = ValidatorQuery { validators: &validators, limits, jobs, cache: &cache, cancel };
        let opinions = collect_input_opinions(&query, &inputs)?;
        exposed.extend(inputs.iter().zip(&opinions).flat_map(|(probe, opinions)| {
            let acceptance = Acceptance::of_probe(probe, &scripts);
            input_exposures(probe, opinions, &validators, acceptance)
        }));
    }
    let small = small_outputs::prove_checker(problem.format.as_ref(), plan, &validators, &cache, session)?;
    let answers = super::super::build::answers::probe_answers(package, plan, &small.accepted, &cache, session)?;
    exposed.extend(answers.exposures);
    let outputs = build_output_probes(package, plan, &answers.refused_probes)?;
    let opinions = collect_output_opinions(&outputs, session.jobs, &cache, &session.cancel)?;
    exposed.extend(outputs.iter().zip(&opinions).filter_map(|(probe, opinion)| output_exposure(probe, opinion)));
    exposed.extend(small.exposures);
    if is_strict {
        exposed.iter_mut().for_each(|(_, exposed)| exposed.is_lenient = false);
    }
    let exposed = merge_exposures(exposed);
    let has_failed = exposed.iter().any(|e| e.failure.is_some() && !e.is_lenient);
    for exposed in &exposed {
        session.take_event(&Event::Exposed(exposed.clone()));
    }
    let lenient = exposed.iter().filter(|exposed| exposed.is_lenient).count();
    let count = exposed.len() - lenient;
    let inputs = if are_alone { own_probes.count() } else { inputs.len() };
    let (answers, outputs, small_outputs) = (answers.answer_count, outputs.len(), small.summary);
    let summary = ProbeSummary { inputs, answers, outputs, small_outputs, exposed: count, lenient };
    session.take_event(&Event::Probed(summary));
    let count = count + lacks;
    let status = match (count, has_failed) {
        (0, _) => ExitStatus::Success,
        (_, true) => ExitStatus::Judge,
        (_, false) => ExitStatus::Found,
    };
    Ok((count, status))
}

/// Returns the test cases that a format refuses, by itself or with the restrictions of their group.
fn expose_refused_test_cases(
    name: &str,
    format: &Format,
    groups: &[TestGroup],
    plan: &VerifyPlan<'_>,
) -> Result<Vec<(String, ValidatorExposure)>> {
    let mut exposed = Vec::new();
    // Groups restrict the format of the problem, not scripts.
    let groups = if name == FORMAT_FILE { groups } else { &[] };
    for case in plan.cases.iter().filter(|case| case.examiner.is_none()) {
        let input = read_file(&case.input)?;
        let group = groups.iter().find(|group| Path::new(&case.name).parent() == Some(Path::new(&group.folder)));
        let narrowed = group.and_then(|group| Some((format!(" of `{}`", group.name), group.format.as_ref()?)));
        let formats = [(String::new(), format)].into_iter().chain(narrowed);
        let mut refusals = formats.filter_map(|(of, format)| Some((of, invalid::find_refusal(format, &input)?)));
        if let Some((of, problem)) = refusals.next() {
            let what = format!("refused, though it is a test case{of}: {}", problem.message);
            let exposed_format = ValidatorExposure::new(name, &case.name, &what);
            exposed.push((what, ValidatorExposure { is_refused: true, ..exposed_format }));
        }
    }
    Ok(exposed)
}

/// Returns the formats that one of the package's own inputs exposes: each must accept a valid one, and if there are no
/// other validators, one must refuse an invalid one.
fn expose_formats_on(
    probe: &ValidatorProbe,
    formats: &[(&str, &Format)],
    are_alone: bool,
    is_certain: bool,
) -> Result<Vec<(String, ValidatorExposure)>> {
    let bytes = read_file(&probe.input)?;
    let refusals: Vec<_> = formats.iter().map(|(_, format)| invalid::find_refusal(format, &bytes)).collect();
    if !probe.is_valid {
        if !are_alone || refusals.iter().any(Option::is_some) {
            return Ok(Vec::new());
        }
        let names: Vec<&str> = formats.iter().map(|(name, _)| *name).collect();
        let exposed = ValidatorExposure::new(list_and(&names), &probe.name, INVALID_INPUT);
        return Ok(vec![(probe.name.clone(), ValidatorExposure { is_lenient: !is_certain, ..exposed })]);
    }
    let refused = formats.iter().zip(refusals).filter_map(|((name, _), refusal)| {
        let what = format!("refused, though {VALID_INPUT}: {}", refusal?.message);
        let exposed = ValidatorExposure::new(*name, &probe.name, &what);
        Some((what, ValidatorExposure { is_refused: true, ..exposed }))
    });
    Ok(refused.collect())
}

/// Tells from the bytes whether an input has a property.
type PropertyTest = fn(&[u8]) -> bool;

/// Unusual properties of inputs.
const UNUSUAL_BYTES: [(&str, PropertyTest); 7] = [
    ("no bytes", |bytes| bytes.is_empty()),
    ("carriage returns", |bytes| bytes.contains(&b'\r')),
    ("blanks at line ends", |bytes| bytes.split(|byte| *byte == b'\n').any(|line| line.ends_with(b" "))),
    ("double spaces", |bytes| bytes.windows(2).any(|pair| pair == b"  ")),
    ("an empty line at the end", |bytes| bytes.ends_with(b"\n\n") || bytes.ends_with(b"\n\r\n")),
    ("no newline at the end", |bytes| !bytes.is_empty() && !bytes.ends_with(b"\n")),
    ("characters other than printable ASCII", |bytes| {
        bytes.iter().any(|byte| !matches!(byte, b' '..=b'~' | b'\n' | b'\r'))
    }),
];

/// Reports the lack of secret tests, and of anything that validates inputs: a verification means little without them.
/// Returns the number of errors.
fn report_lacks(package: &Package, is_unvalidated: bool, is_strict: bool, session: &mut Session) -> Result<usize> {
    let mut lacks = Vec::new();
    // The notes on the package already name the origin of the tests.
    let is_new = is_strict || package.data_origin.is_none();
    if is_new && !package.test_cases.is_empty() && package.test_cases.iter().all(|case| case.is_sample) {
        let message = format!("{}: there are no secret test cases, so only the samples are used", package.id);
        lacks.push((message, "they are in `data/secret/`"));
    }
    if is_unvalidated {
        let help = "describe them in `input.format`, or put a program into `input_validators/`";
        lacks.push((describe_unvalidated_inputs(package)?, help));
    }
    let count = if is_strict { lacks.len() } else { 0 };
    for (message, help) in lacks {
        match is_strict {
            true => session.show_error(&Error::usage_error(message).with_help(help)),
            false => session.warn_with_help(message, help),
        }
    }
    Ok(count)
}

/// Returns the message that nothing validates the inputs, with what is unusual about them.
fn describe_unvalidated_inputs(package: &Package) -> Result<String> {
    let mut unusual: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for case in &package.test_cases {
        let bytes = read_file(&case.input)?;
        let kinds = UNUSUAL_BYTES.iter().enumerate().filter(|(_, (_, is_so))| is_so(&bytes));
        kinds.for_each(|(kind, _)| unusual.entry(kind).or_default().push(&case.name));
    }
    let describe = |(kind, names): (&usize, &Vec<&str>)| {
        let more = if names.len() > 1 { format!(" and {} more", names.len() - 1) } else { String::new() };
        format!("{} in `{}`{more}", UNUSUAL_BYTES[*kind].0, names[0])
    };
    let found: Vec<String> = unusual.iter().map(describe).collect();
    let found = if found.is_empty() { String::new() } else { format!("; there are {}", list_and(&found)) };
    Ok(format!("{}: nothing validates the inputs{found}", package.id))
}

/// Builds the probes of input validators: the test cases, damaged versions of one, inputs that break the format, and
/// the package's own.
fn build_input_probes(
    package: &Package,
    format: Option<&Format>,
    plan: &VerifyPlan<'_>,
    validators: &[PathBuf],
    session: &Session,
) -> Result<Vec<InputProbe>> {
    if validators.is_empty() {
        return Ok(Vec::new());
    }
    let words = |arguments: &[String]| arguments.iter().map(OsString::from).collect::<Vec<_>>();
    let mut probes = Vec::new();
    for (case, known) in plan.cases.iter().zip(&package.test_cases) {
        let arguments = validators.iter().map(|path| words(known.input_arguments.arguments_for(path))).collect();
        let (name, what) = (case.name.clone(), "it is a test case".to_owned());
        let (bytes, cause) = (read_file(&case.input)?, String::new());
        let (is_valid, is_lenient, wrong_line, files) = (true, false, None, known.files.clone());
        probes.push(InputProbe { name, what, bytes, is_valid, cause, is_lenient, wrong_line, arguments, files });
    }
    for probe in package.probes.iter().filter(|probe| probe.output.is_none()) {
        let arguments = validators.iter().map(|path| words(probe.arguments.arguments_for(path))).collect();
        let what = if probe.is_valid { VALID_INPUT } else { INVALID_INPUT };
        let (name, bytes, what) = (probe.name.clone(), read_file(&probe.input)?, what.to_owned());
        let (is_valid, cause, is_lenient, files) = (probe.is_valid, name.clone(), false, probe.files.clone());
        let wrong_line = None;
        probes.push(InputProbe { name, what, bytes, is_valid, cause, is_lenient, wrong_line, arguments, files });
    }
    let Some(smallest) = probes.iter().filter(|p| p.is_valid).min_by_key(|p| p.bytes.len()) else { return Ok(probes) };
    let (valid, arguments, files) = (smallest.bytes.clone(), smallest.arguments.clone(), smallest.files.clone());
    let broken = |kind: &str, name: &str, what: &str, bytes: Vec<u8>, leniency: Option<Leniency>| InputProbe {
        name: format!("{kind}/{name}"),
        what: what.to_owned(),
        bytes,
        is_valid: false,
        cause: leniency.map_or_else(|| cause_of_acceptance(name, what), |leniency| leniency.description().to_owned()),
        is_lenient: leniency.is_some(),
        wrong_line: None,
        arguments: arguments.clone(),
        files: files.clone(),
    };
    if valid.len() <= MAX_DAMAGED_BYTES {
        // An input that the format still accepts is not damaged: an empty input can be valid.
        let is_damage = |bytes: &[u8]| format.is_none_or(|format| invalid::find_refusal(format, bytes).is_some());
        let damaged = damage_input(&valid).into_iter().filter(|(_, _, bytes)| is_damage(bytes));
        probes.extend(
            damaged.map(|(name, what, bytes)| broken("damaged", name, what, bytes, Leniency::from_input_name(name))),
        );
    }
    if let Some(format) = format
        && let Ok(generated) =
            invalid::generate_invalid_inputs(format, 1, MAX_ELEMENTS, &|| session.cancel.is_cancelled())
    {
        for input in generated.inputs {
            let leniency = input.leniency();
            let wrong_line = line_of_wrong_number(format, &input);
            let probe = broken("invalid", &input.name, &input.description, input.bytes, leniency);
            let cause = match input.broken_rule {
                BrokenRule::Constraint { constraint, .. } | BrokenRule::AnnouncedSize(constraint) => {
                    format.source_text(format.constraints[constraint].span)
                }
                BrokenRule::Layout => probe.cause.clone(),
            };
            probes.push(InputProbe { cause, wrong_line, ..probe });
        }
    }
    Ok(probes)
}

/// Returns the line of the number of an invalid input that is outside of its bounds, if nothing else is wrong with it.
/// A validator that checks numbers when all is read refuses in the last line, so that line is left out.
fn line_of_wrong_number(format: &Format, input: &InvalidInput) -> Option<usize> {
    let BrokenRule::Constraint { constraint, also_broken } = &input.broken_rule else { return None };
    let comparison = format.constraints[*constraint].rule.comparison().filter(|_| also_broken.is_empty())?;
    let sides = || comparison.left.iter().chain(&comparison.right);
    let is_constant = |expr: &&Expr| matches!(expr, Expr::Constant(_));
    let is_bound = sides().filter(is_constant).count() == 1 && sides().count() == 2;
    let place = invalid::find_refusal(format, &input.bytes).filter(|_| is_bound)?.span;
    let (line, _) = SourceText::new("input", input.bytes.clone()).line_column(place.start);
    (line < input.bytes.split(|byte| *byte == b'\n').count() - 1).then_some(line)
}

/// Returns the mistake that a validator makes if it accepts the input of this name and description.
fn cause_of_acceptance(name: &str, what: &str) -> String {
    let same = INPUTS_OF_ONE_CAUSE.iter().find(|names| names.contains(&name));
    same.map_or(what, |names| names[0]).to_owned()
}

/// The meaning of an invalid input that every validator program accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Acceptance {
    /// The package accepts it.
    Complete,
    /// The package refuses it: a checktestdata script does.
    RefusedByScript,
    /// Unknown: a script that cannot be run may refuse it.
    Unknown,
}

impl Acceptance {
    fn of_probe(probe: &InputProbe, scripts: &ChecktestdataValidators) -> Acceptance {
        if scripts.refuses_input(&probe.bytes) {
            Acceptance::RefusedByScript
        } else if scripts.has_unsupported {
            Acceptance::Unknown
        } else {
            Acceptance::Complete
        }
    }
}

/// Returns the validators that the opinions on an input expose. An invalid input need only be refused by one of a
/// package's validators; a valid one must be accepted by all.
fn input_exposures(
    probe: &InputProbe,
    opinions: &[JudgeOpinion],
    validators: &[InputValidator],
    acceptance: Acceptance,
) -> Vec<(String, ValidatorExposure)> {
    let name = |number: usize| validators[number].program.file_name();
    let exposed = |validator: String, what: String, failure: Option<String>| {
        // If a valid input is refused, the stated reason is the cause.
        let cause = if probe.is_valid { what.clone() } else { probe.cause.clone() };
        let is_lenient = match &failure {
            // Judges take a failed assertion or an uncaught exception for a refusal, too. The package's own invalid inputs
            // are there to be refused, not to crash a validator.
            Some(how) => {
                let is_own = probe.cause == probe.name;
                !probe.is_valid && !is_own && (how.contains("SIGABRT") || how.contains("exited with status 1 "))
            }
            None => probe.is_lenient,
        };
        let is_refused = probe.is_valid;
        let exposed = ValidatorExposure::new(validator, &probe.name, what);
        (cause, ValidatorExposure { failure, is_refused, is_lenient, ..exposed })
    };
    let mut found = Vec::new();
    for (number, opinion) in opinions.iter().enumerate() {
        match opinion {
            JudgeOpinion::Failed(how) => found.push(exposed(name(number), probe.what.clone(), Some(how.clone()))),
            JudgeOpinion::Refused(why) if probe.is_valid => {
                let why = why.lines().next().unwrap_or_default();
                found.push(exposed(name(number), format!("refused, though {}: {why}", probe.what), None));
            }
            _ => {}
        }
    }
    found.extend(misplaced_refusal(probe, opinions, validators));
    let is_accepted = !probe.is_valid && opinions.iter().all(|opinion| *opinion == JudgeOpinion::Accepted);
    if is_accepted && acceptance != Acceptance::RefusedByScript {
        let names: Vec<String> = (0..opinions.len()).map(name).collect();
        let (cause, mut exposed) = exposed(list_and(&names), probe.what.clone(), None);
        exposed.is_lenient |= acceptance == Acceptance::Unknown;
        found.push((cause, exposed));
    }
    found
}

/// Returns the exposure of validators that refuse a wrong number, but in another line than its own: not because of the
/// number, it seems. One that refuses it in its line, or does not name a line, is enough.
fn misplaced_refusal(
    probe: &InputProbe,
    opinions: &[JudgeOpinion],
    validators: &[InputValidator],
) -> Option<(String, ValidatorExposure)> {
    let wrong = probe.wrong_line?;
    let last = probe.bytes.split(|byte| *byte == b'\n').count() - 1;
    let mut elsewhere = None;
    for (validator, opinion) in validators.iter().zip(opinions) {
        let JudgeOpinion::Refused(why) = opinion else { continue };
        let line = stated_line(why).filter(|line| *line != wrong && *line < last)?;
        elsewhere = elsewhere.or(Some((validator, line, why.lines().next().unwrap_or_default())));
    }
    let (validator, line, why) = elsewhere?;
    let what = format!("refused in line {line}, though only line {wrong} is wrong ({}): {why}", probe.what);
    let exposed = ValidatorExposure::new(validator.program.file_name(), &probe.name, what);
    Some((probe.cause.clone(), ValidatorExposure { is_refused: true, is_lenient: true, ..exposed }))
}

/// Builds the probes of the checker: junk and harmless variants of some answers, and the package's own.
fn build_output_probes(
    package: &Package,
    plan: &VerifyPlan<'_>,
    refused: &BTreeSet<String>,
) -> Result<Vec<OutputProbe>> {
    let is_probed = |case: &&VerifiedCase| case.examiner.is_none() && !case.judge.holds_conversation();
    let judged = plan.cases.iter().filter(is_probed);
    let mut cases: Vec<&VerifiedCase> = judged.collect();
    cases.sort_by_key(|case| std::fs::metadata(&case.answer).map_or(u64::MAX, |file| file.len()));
    let mut probes = Vec::new();
    let multi_pass = package.problem_type.multi_pass;
    for case in cases.into_iter().take(if multi_pass { 0 } else { MAX_PROBED_CASES }) {
        let files = Arc::new((read_file(&case.input)?, read_file(&case.answer)?));
        let is_blank = files.1.iter().all(u8::is_ascii_whitespace);
        let mut add = |name: &str, what: &str, output: Vec<u8>, is_valid: Option<bool>| {
            // Harmless variants of an answer differ only in white space; an empty answer is a placeholder.
            let is_lenient = is_valid == Some(true) && (name != ANSWER_PROBE_NAME || is_blank);
            let (cause, name) = (name.to_owned(), format!("{} on {}", name, case.name));
            let (what, judge) = (what.to_owned(), case.judge.clone());
            probes.push(OutputProbe {
                name,
                what,
                case: Arc::clone(&files),
                output,
                is_valid,
                cause,
                is_lenient,
                judge,
            });
        };
        junk_outputs(&files.1).into_iter().for_each(|(name, what, output)| add(name, what, output, Some(false)));
        add("huge-number", "a number of 400 digits", huge_number_output(), None);
        let is_program = matches!(case.judge, Judge::Program(_));
        let mutated =
            if is_program && files.1.len() <= MAX_MUTATED_BYTES { mutated_outputs(&files.1) } else { Vec::new() };
        mutated.into_iter().for_each(|(name, what, output)| add(&name, &what, output, None));
        let variants = harmless_variants(&files.1).into_iter();
        let is_strict = package.output_validator.arguments.iter().any(|word| word == "space_change_sensitive");
        variants
            .take(if is_strict { 1 } else { usize::MAX })
            .for_each(|(name, what, output)| add(name, what, output, Some(true)));
    }
    let judge = plan.cases.iter().find(is_probed).map(|case| &case.judge);
    for probe in package.probes.iter().filter(|probe| !refused.contains(&probe.name)) {
        let (Some((answer, output)), Some(judge)) = (&probe.output, judge) else { continue };
        let case = Arc::new((read_file(&probe.input)?, read_file(answer)?));
        let what = match (probe.is_valid, probe.name.ends_with(SHOWN_OUTPUT_SUFFIX)) {
            (true, true) => "the output that the statement shows",
            (true, false) => "in the package's valid outputs",
            (false, _) => "it is in the package's invalid outputs",
        };
        let (name, output) = (probe.name.clone(), read_file(output)?);
        let (what, judge) = (what.to_owned(), judge_with_arguments(judge, package, &probe.arguments.common)?);
        let (is_valid, cause, is_lenient) = (Some(probe.is_valid), name.clone(), false);
        probes.push(OutputProbe { name, what, case, output, is_valid, cause, is_lenient, judge });
    }
    Ok(probes)
}

/// Returns the same judge with other arguments.
fn judge_with_arguments(judge: &Judge, package: &Package, arguments: &[String]) -> Result<Judge> {
    Ok(match judge {
        Judge::Checker(_) | Judge::Finder(_) => Judge::Checker(package.checker_for_arguments(arguments)?),
        Judge::Program(program) => {
            Judge::Program(Arc::new(JudgeProgram { arguments: arguments.to_vec(), ..JudgeProgram::clone(program) }))
        }
    })
}

/// Returns the exposure of the checker by an opinion on an output, if any.
fn output_exposure(probe: &OutputProbe, opinion: &JudgeOpinion) -> Option<(String, ValidatorExposure)> {
    let exposed = |what: String, failure: Option<String>| {
        let cause = if probe.is_lenient { Leniency::WhiteSpace.description().to_owned() } else { probe.cause.clone() };
        let is_lenient = probe.is_lenient && failure.is_none();
        let is_refused = probe.is_valid == Some(true);
        let exposed = ValidatorExposure::new(probe.judge.display_title(), &probe.name, what);
        (cause, ValidatorExposure { failure, is_refused, is_lenient, ..exposed })
    };
    match opinion {
        JudgeOpinion::Failed(how) => Some(exposed(probe.what.clone(), Some(how.clone()))),
        JudgeOpinion::Accepted if probe.is_valid == Some(false) => Some(exposed(probe.what.clone(), None)),
        JudgeOpinion::Refused(why) if probe.is_valid == Some(true) => {
            Some(exposed(format!("refused, though it is {}: {why}", probe.what), None))
        }
        _ => None,
    }
}

// Tells pages of `rebut verify` and `rebut build` how strong the test set is: by the verdict table, and by the mutants
// that `rebut strength` ran on the same tests before.

/// Part of every cache key, since another version can have other mutants.
const CACHE_KEY_VERSION: &str = concat!("rebut ", env!("CARGO_PKG_VERSION"), " remembered mutants 2");

/// Emits how strong the test set is, if a report shows it and if the verdict table is complete.
///
/// # Errors
/// Returns an error if a file cannot be read, if a checker cannot be started, or if the work was cancelled.
pub(in crate::cli) fn emit_appraisal(
    problem: &ProblemContext,
    plan: &VerifyPlan<'_>,
    verified: &VerifyResult,
    store: Option<&ResultCache>,
    session: &mut Session,
) -> Result<()> {
    if !session.shows_counterexamples() || plan.stop_when_decided {
        return Ok(());
    }
    let strength = measure_strength(&StrengthPlan {
        package: plan,
        verified,
        format: problem.format.as_ref(),
        depth: usize::from(DEFAULT_KILL_DEPTH),
        min_percent: None,
        mutation: recall_mutants(problem.require_package()?, plan, store)?,
        opinions: &StoredOpinions(store),
    })?;
    let strength = finding_tools::draw_killing_inputs(problem.require_package()?, strength, session)?;
    session.take_event(&Event::Appraised(Box::new(strength)));
    Ok(())
}

/// Stores the mutants of all submissions. Pages that are written later show them.
///
/// # Errors
/// Returns an error if a test cannot be read.
pub(in crate::cli) fn remember_mutants(
    plan: &VerifyPlan<'_>,
    mutation: &[SubmissionMutants],
    store: Option<&ResultCache>,
) -> Result<()> {
    if let (Some(store), Some(key), Ok(value)) = (store, mutants_key(plan)?, serde_json::to_value(mutation)) {
        store.insert(&key, value);
    }
    Ok(())
}

/// Returns the mutants that were stored for the same tests, limits and submissions, or none.
fn recall_mutants(
    package: &Package,
    plan: &VerifyPlan<'_>,
    store: Option<&ResultCache>,
) -> Result<Vec<SubmissionMutants>> {
    let Some(store) = store else { return Ok(Vec::new()) };
    let stored = mutants_key(plan)?.and_then(|key| store.get(&key));
    let stored = stored.and_then(|value| serde_json::from_value(value).ok());
    let mut mutation: Vec<SubmissionMutants> = stored.unwrap_or_default();
    for mutants in &mut mutation {
        let submission = package.submissions.iter().find(|submission| submission.name == mutants.submission);
        if let Some(submission) = submission {
            mutants.source = String::from_utf8_lossy(&read_file(&submission.path)?).into_owned();
        }
    }
    Ok(mutation)
}

/// Returns the key of the mutants of a package, or `None` if a program has no identity.
fn mutants_key(plan: &VerifyPlan<'_>) -> Result<Option<String>> {
    let accepted = plan.submissions.iter().filter(|submission| submission.expected.expectation.is_accepted());
    let identities: Option<Vec<String>> =
        accepted.map(|submission| Some(format!("{} {}", submission.name, submission.identity.as_deref()?))).collect();
    let (Some(identities), Some(tests)) = (identities, digest_tests(plan)?) else { return Ok(None) };
    Ok(Some(digest_parts(&[CACHE_KEY_VERSION.to_owned(), format!("{:?}", plan.limits), tests, identities.join("\n")])))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn inputs_that_one_mistake_lets_pass_have_one_cause() {
        for names in INPUTS_OF_ONE_CAUSE {
            for name in names {
                assert_eq!(cause_of_acceptance(name, "what"), names[0]);
            }
        }
        assert_eq!(cause_of_acceptance("no such input", "what"), "what");
    }
}
