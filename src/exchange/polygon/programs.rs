//! Programs of the jury: each with all that it includes beside it, so that every judge can compile it.

use super::Package;
use super::descriptor::{Problem, Source, Trial};
use crate::exchange::flaw::{Flaw, shown};
use crate::exchange::names::{Taken, file_name, plain, stem};
use crate::exchange::sources;
use crate::exchange::target::Imported;

/// Writes checker or interactor, validators, generators, and what they are to be tried on.
pub(super) fn write(package: &Package<'_>, problem: &Problem, made: &mut Imported) -> Result<(), Flaw> {
    let program = |source: &Source, folder: &str, made: &mut Imported| {
        let whole = sources::whole(package, &source.place, &source.path)?;
        sources::write(whole, folder, &source.place, made)
    };
    if let Some(judge) = problem.interactor.as_ref().or(problem.checker.as_ref().map(|checker| &checker.source)) {
        program(judge, "output_validator", made)?;
    }
    if problem.interactor.is_some() && problem.checker.is_some() {
        made.note("the checker is left out: the interactor alone judges");
    }
    let mut taken = Taken::default();
    for validator in &problem.validators {
        let folder = taken.take(&plain(stem(&validator.source.path)));
        program(&validator.source, &format!("input_validators/{folder}"), made)?;
    }
    for source in generators(package, problem, made)? {
        program(source, "generators", made)?;
    }
    trials(package, problem, made)
}

/// The programs that tests are made by.
fn generators<'p>(package: &Package<'_>, problem: &'p Problem, made: &mut Imported) -> Result<Vec<&'p Source>, Flaw> {
    let mut done: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for test in &problem.tests {
        let Some(name) = test.command.as_deref().and_then(|command| command.split_whitespace().next()) else {
            continue;
        };
        if done.contains(&name) {
            continue;
        }
        done.push(name);
        match problem.executables.iter().find(|source| stem(&source.path) == name) {
            Some(source) => found.push(source),
            None if package.source.get(&test.input).is_some() => {
                made.note(format!("the generator `{}` is not in the package", shown(name)));
            }
            None => return Err(Flaw::at(&test.place, format!("there is no generator `{}`", shown(name)))),
        }
    }
    Ok(found)
}

/// What checkers and validators are to be tried on.
fn trials(package: &Package<'_>, problem: &Problem, made: &mut Imported) -> Result<(), Flaw> {
    let mut taken = Taken::default();
    let judges = problem.checker.iter().filter(|_| problem.interactor.is_none()).chain(&problem.validators);
    for trial in judges.flat_map(|judge| &judge.trials) {
        let Some(folder) = folder_of(trial) else {
            made.note(format!("tests with the verdict `{}` are left out", shown(&trial.verdict)));
            continue;
        };
        let name = taken.take(&format!("data/{folder}/{}", plain(file_name(&trial.input))));
        made.add(&format!("{name}.in"), package.file(&trial.place, &trial.input)?)?;
        if let Some((output, answer)) = &trial.output {
            made.add(&format!("{name}.out"), package.file(&trial.place, output)?)?;
            made.add(&format!("{name}.ans"), package.file(&trial.place, answer)?)?;
        }
    }
    Ok(())
}

/// The folder below `data/` for what is to be accepted or refused; none for other verdicts.
fn folder_of(trial: &Trial) -> Option<&'static str> {
    match (trial.verdict.as_str(), trial.output.is_some()) {
        ("ok", true) => Some("valid_output"),
        ("wrong-answer" | "presentation-error", true) => Some("invalid_output"),
        ("valid", false) => Some("valid_input"),
        ("invalid", false) => Some("invalid_input"),
        _ => None,
    }
}
