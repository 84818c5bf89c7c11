//! What `rebut verify` asks besides: are the test cases valid, do validators refuse what is broken, and does the checker
//! refuse junk and accept what is harmless?

use super::desk::Desk;
use super::exit::Status;
use super::jury::validation_limits;
use super::setup::{self, Problem};
use crate::campaign::probes::{
    Asking, InputProbe, Opinion, Opinions, OutputProbe, THE_ANSWER, damaged, harmless, huge_number, junk, merged,
    opinions, output_opinions,
};
use crate::campaign::verify::{Case, VerifyPlan};
use crate::campaign::{Event, Exposed, JudgedBy, JuryProgram, Probed, Referee, Sink, Validator};
use crate::corpus::{self, Package, Store, read_file};
use crate::diagnostic::{Result, list_and};
use crate::format::Format;
use crate::invalid::{self, Breaks, Leniency};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

/// Invalid inputs have no more numbers and characters than so: validators are asked about many.
const MOST_ELEMENTS: usize = 20_000;
/// So many test cases lend their answers to probes of the checker.
const MOST_CASES: usize = 3;
/// Larger test cases are not damaged: what is wrong with a small one is wrong with them.
const LARGE_BYTES: usize = 1 << 20;

/// The store of results, as probes ask it.
struct Remembered<'s>(Option<&'s Store>);

impl Opinions for Remembered<'_> {
    fn recall(&self, parts: &[&[u8]]) -> Option<Opinion> {
        serde_json::from_value(self.0?.get(&corpus::digest(parts))?).ok()
    }

    fn remember(&self, parts: &[&[u8]], opinion: &Opinion) {
        if let (Some(store), Ok(value)) = (self.0, serde_json::to_value(opinion)) {
            store.put(&corpus::digest(parts), value);
        }
    }
}

/// Asks everything, and tells of everybody who is exposed; how many there are, and the status that follows. Leniencies are
/// mistakes only if `is_strict`.
///
/// # Errors
/// If a file cannot be read, a program cannot be run at all, or the work was interrupted.
pub(super) fn probe(
    problem: &Problem,
    plan: &VerifyPlan<'_>,
    store: Option<&Store>,
    is_strict: bool,
    desk: &mut Desk,
) -> Result<(usize, Status)> {
    let package = problem.package()?;
    let memory = Remembered(store);
    let (paths, validators): (Vec<PathBuf>, Vec<Validator>) =
        setup::package_validators(problem, &|_| true, desk)?.into_iter().unzip();
    let mut exposed = test_cases(problem.format.as_ref(), plan)?;
    let inputs = input_probes(package, problem.format.as_ref(), plan, &paths, desk)?;
    if !validators.is_empty() {
        let (limits, jobs, cancel) = (validation_limits(package), desk.jobs, desk.cancel.clone());
        let trial = Asking { validators: &validators, limits, jobs, memory: &memory, cancel };
        let said = opinions(&trial, &inputs)?;
        exposed.extend(inputs.iter().zip(&said).flat_map(|(probe, said)| about_input(probe, said, &validators)));
    }
    let answers = super::answers::ask(package, plan, &memory, desk)?;
    exposed.extend(answers.exposed);
    let outputs = output_probes(package, plan, &answers.refused)?;
    let said = output_opinions(&outputs, desk.jobs, &memory, &desk.cancel)?;
    exposed.extend(outputs.iter().zip(&said).filter_map(|(probe, said)| about_output(probe, said)));
    if is_strict {
        exposed.iter_mut().for_each(|(_, exposed)| exposed.is_lenient = false);
    }
    let exposed = merged(exposed);
    let has_failed = exposed.iter().any(|e| e.failure.is_some());
    for exposed in &exposed {
        desk.take(&Event::Exposed(exposed.clone()));
    }
    let lenient = exposed.iter().filter(|exposed| exposed.is_lenient).count();
    let count = exposed.len() - lenient;
    let inputs = if validators.is_empty() { 0 } else { inputs.len() };
    let (answers, outputs) = (answers.count, outputs.len());
    desk.take(&Event::Probed(Probed { inputs, answers, outputs, exposed: count, lenient }));
    Ok((
        count,
        if count == 0 {
            Status::Fine
        } else if has_failed {
            Status::Judge
        } else {
            Status::Found
        },
    ))
}

/// Test cases that the format refuses.
fn test_cases(format: Option<&Format>, plan: &VerifyPlan<'_>) -> Result<Vec<(String, Exposed)>> {
    let Some(format) = format else { return Ok(Vec::new()) };
    let mut exposed = Vec::new();
    for case in plan.cases.iter().filter(|case| case.examiner.is_none()) {
        if let Some(problem) = invalid::refusal(format, &read_file(&case.input)?) {
            let what = format!("refused, though it is a test case: {}", problem.message);
            let exposed_format = Exposed {
                validator: "input.format".to_owned(),
                name: case.name.clone(),
                what: what.clone(),
                failure: None,
                is_refused: true,
                is_lenient: false,
                others: Vec::new(),
            };
            exposed.push((what, exposed_format));
        }
    }
    Ok(exposed)
}

/// What validators are asked about: the test cases, one of them damaged, what breaks the format, and the package's own.
fn input_probes(
    package: &Package,
    format: Option<&Format>,
    plan: &VerifyPlan<'_>,
    asked: &[PathBuf],
    desk: &Desk,
) -> Result<Vec<InputProbe>> {
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let words = |arguments: &[String]| arguments.iter().map(OsString::from).collect::<Vec<_>>();
    let mut probes = Vec::new();
    for (case, known) in plan.cases.iter().zip(&package.test_cases) {
        let arguments = asked.iter().map(|path| words(known.input_arguments.of(path))).collect();
        let (name, what) = (case.name.clone(), "it is a test case".to_owned());
        let (bytes, cause) = (read_file(&case.input)?, String::new());
        probes.push(InputProbe { name, what, bytes, is_valid: true, cause, is_lenient: false, arguments });
    }
    for probe in package.probes.iter().filter(|probe| probe.output.is_none()) {
        let arguments = asked.iter().map(|path| words(probe.arguments.of(path))).collect();
        let what = if probe.is_valid { "the package says that it is valid" } else { "the package says that it is not" };
        let (name, bytes, what) = (probe.name.clone(), read_file(&probe.input)?, what.to_owned());
        let (is_valid, cause, is_lenient) = (probe.is_valid, name.clone(), false);
        probes.push(InputProbe { name, what, bytes, is_valid, cause, is_lenient, arguments });
    }
    let Some(smallest) = probes.iter().filter(|p| p.is_valid).min_by_key(|p| p.bytes.len()) else { return Ok(probes) };
    let (valid, arguments) = (smallest.bytes.clone(), smallest.arguments.clone());
    let broken = |kind: &str, name: &str, what: &str, bytes: Vec<u8>, leniency: Option<Leniency>| InputProbe {
        name: format!("{kind}/{name}"),
        what: what.to_owned(),
        bytes,
        is_valid: false,
        cause: leniency.map_or_else(|| what.to_owned(), |leniency| leniency.words().to_owned()),
        is_lenient: leniency.is_some(),
        arguments: arguments.clone(),
    };
    if valid.len() <= LARGE_BYTES {
        // What the format takes for valid all the same is no damage: an empty input may be an input.
        let is_damage = |bytes: &[u8]| format.is_none_or(|format| invalid::refusal(format, bytes).is_some());
        let damaged = damaged(&valid).into_iter().filter(|(_, _, bytes)| is_damage(bytes));
        probes.extend(damaged.map(|(name, what, bytes)| broken("damaged", name, what, bytes, Leniency::of_name(name))));
    }
    if let Some(format) = format
        && let Ok(made) = invalid::invalids(format, 1, MOST_ELEMENTS, &|| desk.cancel.cancelled())
    {
        for input in made.inputs {
            let leniency = input.leniency();
            let probe = broken("invalid", &input.name, &input.what, input.bytes, leniency);
            let cause = match input.breaks {
                Breaks::Constraint { constraint, .. } | Breaks::Announced(constraint) => {
                    format.text(format.constraints[constraint].span)
                }
                Breaks::Layout => probe.cause.clone(),
            };
            probes.push(InputProbe { cause, ..probe });
        }
    }
    Ok(probes)
}

/// Whom the opinions on an input expose. It is enough if one of a package's validators refuses what is broken; all of them
/// must accept what is not.
fn about_input(probe: &InputProbe, said: &[Opinion], validators: &[Validator]) -> Vec<(String, Exposed)> {
    let name = |number: usize| validators[number].program.file_name();
    let exposed = |validator: String, what: String, failure: Option<String>| {
        // Of what is refused the reason is the cause.
        let cause = if probe.is_valid { what.clone() } else { probe.cause.clone() };
        let exposed = Exposed {
            validator,
            name: probe.name.clone(),
            what,
            is_lenient: probe.is_lenient && failure.is_none(),
            failure,
            is_refused: probe.is_valid,
            others: Vec::new(),
        };
        (cause, exposed)
    };
    let mut found = Vec::new();
    for (number, opinion) in said.iter().enumerate() {
        match opinion {
            Opinion::Failed(how) => found.push(exposed(name(number), probe.what.clone(), Some(how.clone()))),
            Opinion::Refused(why) if probe.is_valid => {
                let why = why.lines().next().unwrap_or_default();
                found.push(exposed(name(number), format!("refused, though {}: {why}", probe.what), None));
            }
            _ => {}
        }
    }
    if !probe.is_valid && said.iter().all(|opinion| *opinion == Opinion::Accepted) {
        let names: Vec<String> = (0..said.len()).map(name).collect();
        found.push(exposed(list_and(&names), probe.what.clone(), None));
    }
    found
}

/// What the checker is asked about: junk and harmless variants of some answers, and the package's own.
fn output_probes(package: &Package, plan: &VerifyPlan<'_>, refused: &BTreeSet<String>) -> Result<Vec<OutputProbe>> {
    let is_asked = |case: &&Case| case.examiner.is_none() && case.referee.kind() != JudgedBy::Conversation;
    let judged = plan.cases.iter().filter(is_asked);
    let mut cases: Vec<&Case> = judged.collect();
    cases.sort_by_key(|case| std::fs::metadata(&case.answer).map_or(u64::MAX, |file| file.len()));
    let mut probes = Vec::new();
    let multi_pass = package.judging.multi_pass;
    for case in cases.into_iter().take(if multi_pass { 0 } else { MOST_CASES }) {
        let files = Arc::new((read_file(&case.input)?, read_file(&case.answer)?));
        let mut add = |name: &str, what: &str, output: Vec<u8>, is_valid: Option<bool>| {
            // What the answer looks like is a matter of white space, but for the answer itself.
            let is_lenient = is_valid == Some(true) && name != THE_ANSWER;
            let (cause, name) = (name.to_owned(), format!("{} on {}", name, case.name));
            let (what, referee) = (what.to_owned(), case.referee.clone());
            probes.push(OutputProbe {
                name,
                what,
                case: Arc::clone(&files),
                output,
                is_valid,
                cause,
                is_lenient,
                referee,
            });
        };
        junk(&files.1).into_iter().for_each(|(name, what, output)| add(name, what, output, Some(false)));
        add("huge-number", "a number of 400 digits", huge_number(), None);
        let variants = harmless(&files.1).into_iter();
        let is_strict = package.output_validator.arguments.iter().any(|word| word == "space_change_sensitive");
        variants
            .take(if is_strict { 1 } else { usize::MAX })
            .for_each(|(name, what, output)| add(name, what, output, Some(true)));
    }
    let referee = plan.cases.iter().find(is_asked).map(|case| &case.referee);
    for probe in package.probes.iter().filter(|probe| !refused.contains(&probe.name)) {
        let (Some((answer, output)), Some(referee)) = (&probe.output, referee) else { continue };
        let case = Arc::new((read_file(&probe.input)?, read_file(answer)?));
        let what =
            if probe.is_valid { "the package says that it is right" } else { "the package says that it is wrong" };
        let (name, output) = (probe.name.clone(), read_file(output)?);
        let (what, referee) = (what.to_owned(), with_arguments(referee, package, &probe.arguments.of_all)?);
        let (is_valid, cause, is_lenient) = (Some(probe.is_valid), name.clone(), false);
        probes.push(OutputProbe { name, what, case, output, is_valid, cause, is_lenient, referee });
    }
    Ok(probes)
}

/// The same referee with other arguments.
fn with_arguments(referee: &Referee, package: &Package, arguments: &[String]) -> Result<Referee> {
    Ok(match referee {
        Referee::Checker(_) => Referee::Checker(package.checker_with(arguments)?),
        Referee::Program(jury) => {
            Referee::Program(Arc::new(JuryProgram { arguments: arguments.to_vec(), ..JuryProgram::clone(jury) }))
        }
    })
}

/// Whether the opinion on an output exposes the checker.
fn about_output(probe: &OutputProbe, said: &Opinion) -> Option<(String, Exposed)> {
    let exposed = |what: String, failure: Option<String>| {
        let cause = if probe.is_lenient { Leniency::WhiteSpace.words().to_owned() } else { probe.cause.clone() };
        let exposed = Exposed {
            validator: probe.referee.title(),
            name: probe.name.clone(),
            what,
            is_lenient: probe.is_lenient && failure.is_none(),
            failure,
            is_refused: probe.is_valid == Some(true),
            others: Vec::new(),
        };
        (cause, exposed)
    };
    match said {
        Opinion::Failed(how) => Some(exposed(probe.what.clone(), Some(how.clone()))),
        Opinion::Accepted if probe.is_valid == Some(false) => Some(exposed(probe.what.clone(), None)),
        Opinion::Refused(why) if probe.is_valid == Some(true) => {
            Some(exposed(format!("refused, though it is {}: {why}", probe.what), None))
        }
        _ => None,
    }
}
