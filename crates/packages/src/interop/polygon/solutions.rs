//! Solutions and their tags. A tag holds for each test, as expectations of packages do.

use super::problem_xml::{PolygonJudge, PolygonJudgeTest, PolygonSolution, PolygonSource};
use super::{PolygonImport, language_code};
use crate::interop::imported_package::{
    ImportedSubmissions, InteropError, UniqueNames, file_extension, file_name, file_stem, sanitize_name,
    shorten_for_message,
};
use crate::interop::include_resolver;
use std::fmt::Write as _;

/// A tag with the corresponding folder of submissions, and the verdicts permitted and required on each test case.
pub(in crate::interop) struct PolygonTag {
    pub(in crate::interop) name: &'static str,
    pub(in crate::interop) folder: &'static str,
    permitted: &'static str,
    required: &'static str,
    /// Whether the folder is not part of the package format.
    is_special: bool,
}

const fn polygon_tag(
    name: &'static str,
    folder: &'static str,
    permitted: &'static str,
    required: &'static str,
) -> PolygonTag {
    PolygonTag { name, folder, permitted, required, is_special: false }
}

/// All tags except `do-not-run`.
pub(in crate::interop) const POLYGON_TAGS: [PolygonTag; 10] = [
    polygon_tag("main", "accepted", "AC", ""),
    polygon_tag("accepted", "accepted", "AC", ""),
    polygon_tag("rejected", "rejected", "AC, WA, TLE, RTE", "WA, TLE, RTE"),
    polygon_tag("wrong-answer", "wrong_answer", "AC, WA", "WA"),
    polygon_tag("presentation-error", "wrong_answer", "AC, WA", "WA"),
    polygon_tag("time-limit-exceeded", "time_limit_exceeded", "AC, TLE", "TLE"),
    polygon_tag("memory-limit-exceeded", "run_time_error", "AC, RTE", "RTE"),
    polygon_tag("failed", "run_time_error", "AC, RTE", "RTE"),
    polygon_tag("time-limit-exceeded-or-memory-limit-exceeded", "brute_force", "AC, TLE, RTE", "TLE, RTE"),
    PolygonTag {
        is_special: true,
        ..polygon_tag("time-limit-exceeded-or-accepted", "slow_or_accepted", "AC, TLE", "")
    },
];

fn find_tag(name: &str, solution: &PolygonSolution) -> Result<&'static PolygonTag, InteropError> {
    let found = POLYGON_TAGS.iter().find(|tag| tag.name == name);
    found.ok_or_else(|| {
        let error = InteropError::at_location(
            &solution.source.location,
            format!("the tag `{}` is unknown", shorten_for_message(name)),
        );
        match rebut_diagnostics::suggestion_for(name, POLYGON_TAGS.iter().map(|tag| tag.name)) {
            Some(help) => error.with_help(help),
            None => error,
        }
    })
}

/// Writes the solutions, and `submissions.yaml` for expectations that folders cannot express.
pub(super) fn write_solutions(import: &mut PolygonImport<'_>) -> Result<(), InteropError> {
    let PolygonImport { package, problem, folders, .. } = *import;
    let mut submissions = ImportedSubmissions::default();
    // The model solution goes first to keep its name, which the recipe refers to.
    let mut ordered: Vec<&PolygonSolution> = problem.solutions.iter().collect();
    ordered.sort_by_key(|solution| solution.tag != "main");
    for solution in ordered {
        let file = file_name(&solution.source.path);
        if solution.tag == "do-not-run" {
            import.out.add_note(format!("`{}` is left out: it is tagged `do-not-run`", shorten_for_message(file)));
            continue;
        }
        let tag = find_tag(&solution.tag, solution)?;
        let files = include_resolver::collect_program(package, &solution.source.location, &solution.source.path)?;
        let name = submissions.add_submission(tag.folder, file, files, &mut import.out)?;
        if tag.is_special {
            submissions.add_yaml_lines(tag.folder, &expectation_lines(tag));
        }
        if tag.name == "main" {
            submissions.add_yaml_lines(&name, &["model_solution: true".to_owned()]);
        }
        for (group, group_tag) in &solution.group_tags {
            let Some(folder) = folders.get(group) else { continue };
            let lines = expectation_lines(find_tag(group_tag, solution)?);
            submissions.add_yaml_lines(&name, &[format!("secret/{folder}: {{{}}}", lines.join(", "))]);
        }
    }
    match submissions.to_submissions_yaml() {
        Some(text) => import.out.add_file("submissions/submissions.yaml", text),
        None => Ok(()),
    }
}

fn expectation_lines(tag: &PolygonTag) -> Vec<String> {
    let mut lines = vec![format!("permitted: [{}]", tag.permitted)];
    if !tag.required.is_empty() {
        lines.push(format!("required: [{}]", tag.required));
    }
    lines
}

// Checkers, interactors, validators and generators, each with its includes in the same folder so that every judge
// can compile it.

/// Writes these programs and their tests.
pub(super) fn write_jury_programs(import: &mut PolygonImport<'_>) -> Result<(), InteropError> {
    let PolygonImport { package, problem, .. } = *import;
    let program = |import: &mut PolygonImport<'_>, source: &PolygonSource, folder: &str| {
        let files = include_resolver::collect_program(package, &source.location, &source.path)?;
        include_resolver::write_program(files, folder, &source.location, &mut import.out)
    };
    match (&problem.interactor, problem.checker.as_ref()) {
        (Some(interactor), Some(checker)) => write_interactor_and_checker(import, interactor, checker)?,
        (interactor, checker) => {
            for judge in interactor.iter().chain(checker.map(|checker| &checker.source)) {
                program(import, judge, "output_validator")?;
            }
        }
    }
    let mut unique_names = UniqueNames::default();
    for validator in &problem.validators {
        let folder = unique_names.claim_name(&sanitize_name(file_stem(&validator.source.path)));
        program(import, &validator.source, &format!("input_validators/{folder}"))?;
    }
    for source in find_generators(import)? {
        program(import, source, "generators")?;
    }
    write_judge_tests(import)
}

/// The program that runs an interactor, and the checker on what that wrote.
const INTERACTOR_AND_CHECKER: &str = include_str!("interactor_and_checker.cpp");

/// Writes an interactor and a checker as one program, since packages have one output validator.
fn write_interactor_and_checker(
    import: &mut PolygonImport<'_>,
    interactor: &PolygonSource,
    checker: &PolygonJudge,
) -> Result<(), InteropError> {
    let package = import.package;
    let collect = |source: &PolygonSource| include_resolver::collect_program(package, &source.location, &source.path);
    let (mut files, others) = (collect(interactor)?, collect(&checker.source)?);
    let names = [interactor, &checker.source].map(|source| sanitize_name(file_name(&source.path)));
    let is_cxx = names.iter().all(|name| matches!(file_extension(name), "cc" | "cpp" | "cxx"));
    let is_same = |(name, bytes): (&String, &Vec<u8>)| files.get(name).is_none_or(|known| known == bytes);
    if is_cxx && names[0] != names[1] && others.iter().all(is_same) {
        files.extend(others);
        for name in &names {
            let source = files.remove(name).unwrap_or_default();
            files.insert(format!("{name}.h"), source);
        }
        let [interactor, checker] = names.map(|name| format!("{name}.h"));
        let both = INTERACTOR_AND_CHECKER.replace("@INTERACTOR@", &interactor).replace("@CHECKER@", &checker);
        files.insert("interactor_and_checker.cpp".to_owned(), both.into_bytes());
    } else {
        import.out.add_note(
            "the checker is left out, so what the interactor alone accepts is accepted: to run both, they must be in C++ \
             and no two of their files may have the same name",
        );
    }
    if !checker.tests.is_empty() {
        import.out.add_note("the tests of the checker are left out: they have no conversation");
    }
    include_resolver::write_program(files, "output_validator", &interactor.location, &mut import.out)
}

/// Returns the programs that generate tests.
fn find_generators<'p>(import: &mut PolygonImport<'p>) -> Result<Vec<&'p PolygonSource>, InteropError> {
    let PolygonImport { package, problem, .. } = *import;
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
        match problem.executables.iter().find(|source| file_stem(&source.path) == name) {
            Some(source) => found.push(source),
            None if package.source.get(&test.input).is_some() => {
                import.out.add_note(format!("the generator `{}` is not in the package", shorten_for_message(name)));
            }
            None => {
                return Err(InteropError::at_location(
                    &test.location,
                    format!("there is no generator `{}`", shorten_for_message(name)),
                ));
            }
        }
    }
    Ok(found)
}

/// Writes the tests of checkers and validators.
fn write_judge_tests(import: &mut PolygonImport<'_>) -> Result<(), InteropError> {
    let PolygonImport { package, problem, .. } = *import;
    let mut unique_names = UniqueNames::default();
    let judges = problem.checker.iter().filter(|_| problem.interactor.is_none()).chain(&problem.validators);
    for judge_test in judges.flat_map(|judge| &judge.tests) {
        let Some(folder) = judge_test_folder(judge_test) else {
            import.out.add_note(format!(
                "tests with the verdict `{}` are left out",
                shorten_for_message(&judge_test.verdict)
            ));
            continue;
        };
        let name = unique_names.claim_name(&format!("data/{folder}/{}", sanitize_name(file_name(&judge_test.input))));
        import.out.add_file(&format!("{name}.in"), package.required_file(&judge_test.location, &judge_test.input)?)?;
        if let Some((output, answer)) = &judge_test.output {
            import.out.add_file(&format!("{name}.out"), package.required_file(&judge_test.location, output)?)?;
            import.out.add_file(&format!("{name}.ans"), package.required_file(&judge_test.location, answer)?)?;
        } else if let Some(group) = &judge_test.group {
            import.out.add_file(&format!("{name}.yaml"), super::group_arguments(group))?;
        }
    }
    Ok(())
}

/// Returns the folder below `data/` for a test with this verdict; `None` for other verdicts.
fn judge_test_folder(judge_test: &PolygonJudgeTest) -> Option<&'static str> {
    match (judge_test.verdict.as_str(), judge_test.output.is_some()) {
        ("ok", true) => Some("valid_output"),
        ("wrong-answer" | "presentation-error", true) => Some("invalid_output"),
        ("valid", false) => Some("valid_input"),
        ("invalid", false) => Some("invalid_input"),
        _ => None,
    }
}

// Statements: the sections that Polygon stores, joined in the order that judges expect.

/// Sections in order, with their headings.
pub(in crate::interop) const STATEMENT_SECTIONS: [(&str, &str); 5] =
    [("legend", ""), ("input", "Input"), ("output", "Output"), ("interaction", "Interaction"), ("notes", "Notes")];

/// Extensions of pictures in a statement.
const PICTURE_EXTENSIONS: [&str; 5] = ["png", "jpg", "jpeg", "pdf", "eps"];

/// Writes a statement for each language with a title and sections.
pub(super) fn write_statements(
    import: &mut PolygonImport<'_>,
    titles: &[(String, String)],
) -> Result<(), InteropError> {
    let PolygonImport { package, problem, .. } = *import;
    for (language, _) in &problem.titles {
        let folder = format!("statement-sections/{language}");
        let Some((_, title)) = titles.iter().find(|(known, _)| *known == language_code(language)) else { continue };
        let section = |name: &str| package.source.get(&format!("{folder}/{name}.tex"));
        if section("legend").is_none() {
            import.out.add_note(format!("there is no statement in {language}: `{folder}` has no `legend.tex`"));
            continue;
        }
        let mut text = format!("\\problemname{{{title}}}\n");
        for (name, heading) in STATEMENT_SECTIONS {
            let Some(bytes) = section(name).filter(|bytes| !bytes.trim_ascii().is_empty()) else { continue };
            let body = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
            if !heading.is_empty() {
                let _ = write!(text, "\n\\section*{{{heading}}}\n");
            }
            let _ = write!(text, "\n{}\n", body.trim());
        }
        let name = format!("statement/problem.{}.tex", language_code(language));
        if import.out.contents.files.get(&name).is_none() {
            import.out.add_file(&name, text)?;
        }
        let pictures =
            package.source.files_below(&folder).filter(|(path, _)| PICTURE_EXTENSIONS.contains(&file_extension(path)));
        for (path, bytes) in pictures.map(|(path, bytes)| (format!("statement/{}", sanitize_name(path)), bytes)) {
            if import.out.contents.files.get(&path).is_none() {
                import.out.add_file(&path, bytes)?;
            }
        }
    }
    Ok(())
}
