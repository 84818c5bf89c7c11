//! Export to Polygon: `problem.xml`, and the files that it names, as in a package that Polygon's import reads.

use super::{ExportSource, TESTLIB_HEADER, validators};
use crate::interop::imported_package::{
    ConvertedPackage, InteropError, UniqueNames, file_extension, file_name, sanitize_name, shorten_for_message,
};
use crate::interop::include_resolver::{SourceLookup, collect_program};
use crate::interop::polygon::{LANGUAGE_CODES, POLYGON_TAGS, STATEMENT_SECTIONS};
use crate::package::{PARTIAL_FOLDER, STATEMENT_FOLDERS};
use crate::score::{AggregateGroup, GroupAggregation, Scoring};
use crate::{Package, PackageSubmission, TestCase, TestGroup, ValidatorArguments};
use rebut_checkers::IcpcFlags;
use rebut_diagnostics::escape_markup;
use rebut_format::describe::{Markup, describe_format};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// Polygon's names of languages, by the extensions of sources.
const SOURCE_TYPES: [(&str, &str); 12] = [
    ("c", "c.gcc"),
    ("cc", "cpp.g++17"),
    ("cpp", "cpp.g++17"),
    ("cxx", "cpp.g++17"),
    ("cs", "csharp.mono"),
    ("go", "go"),
    ("java", "java11"),
    ("js", "js.node"),
    ("kt", "kotlin19"),
    ("pas", "pas.fpc"),
    ("py", "python.3"),
    ("rs", "rust"),
];

/// Limits of Polygon where a package states none.
const USUAL_TIME_MS: u64 = 1000;
const USUAL_MEMORY_BYTES: u64 = 256 << 20;

/// The role of interactors.
const INTERACTOR_ROLE: &str = "INTERACTOR";

/// The folder of samples below `data`.
const SAMPLE_FOLDER: &str = "sample";

/// The checker of a package without one.
const DEFAULT_CHECKER: &str = include_str!("polygon_checker.cpp");

/// A package that is being exported to Polygon.
struct PolygonExport<'a> {
    source: &'a ExportSource<'a>,
    out: ConvertedPackage,
    xml: XmlWriter,
}

/// Exports a package to Polygon. `format_validator` is the validator of its format, written with testlib.
///
/// # Errors
///
/// Returns an error if a test case has no answer or the package is too large.
pub fn export_to_polygon(
    source: &ExportSource<'_>,
    format_validator: Option<&str>,
) -> Result<ConvertedPackage, InteropError> {
    let mut export = PolygonExport { source, out: ConvertedPackage::default(), xml: XmlWriter::default() };
    let package = source.package;
    let limits = &package.limits;
    export.xml.open("problem", &[("revision", "1"), ("short-name", &package.id)]);
    write_names(&mut export);
    export.xml.open("judging", &[("input-file", ""), ("output-file", "")]);
    export.xml.open("testset", &[("name", "tests")]);
    note_usual_limits(&mut export);
    export.xml.leaf("time-limit", &limits.cpu_time_ms.unwrap_or(USUAL_TIME_MS).to_string());
    export.xml.leaf("memory-limit", &limits.memory_bytes.unwrap_or(USUAL_MEMORY_BYTES).to_string());
    write_tests(&mut export)?;
    export.xml.close("testset");
    export.xml.close("judging");
    export.xml.open("files", &[]);
    let resources_place = export.xml.text.len();
    write_generators(&mut export)?;
    export.xml.close("files");
    export.xml.open("assets", &[]);
    write_checker(&mut export)?;
    write_validators(&mut export, format_validator)?;
    write_solutions(&mut export)?;
    export.xml.close("assets");
    export.xml.close("problem");
    write_resources(&mut export, resources_place)?;
    write_statements(&mut export)?;
    if source.testlib_header().is_none() {
        export.out.add_note("`testlib.h` is not exported, since it is not part of rebut: `--include` names its folder, or Polygon has its own");
    }
    export.out.add_file("problem.xml", export.xml.text)?;
    Ok(export.out)
}

/// Notes the limits that are made up, since Polygon requires both.
fn note_usual_limits(export: &mut PolygonExport<'_>) {
    let package = export.source.package;
    if package.limits.cpu_time_ms.is_none() {
        export.out.add_note(
            "`problem.yaml` states no `time_limit`, so Polygon gets 1 s: `rebut verify --write-limit` writes what \
             the submissions require",
        );
    }
    if package.limits.memory_bytes.is_none() {
        export.out.add_note("`problem.yaml` states no `memory`, so Polygon gets 256 MiB");
    }
}

/// Writes XML with one element a line.
#[derive(Default)]
struct XmlWriter {
    text: String,
    depth: usize,
}

impl XmlWriter {
    fn line(&mut self, text: &str) {
        if self.text.is_empty() {
            self.text.push_str("<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"no\"?>\n");
        }
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(self.depth));
    }

    fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.line(&format!("<{name}{}>", attribute_text(attributes)));
        self.depth += 1;
    }

    fn close(&mut self, name: &str) {
        self.depth -= 1;
        self.line(&format!("</{name}>"));
    }

    fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.line(&format!("<{name}{}/>", attribute_text(attributes)));
    }

    fn leaf(&mut self, name: &str, text: &str) {
        self.line(&format!("<{name}>{}</{name}>", escape_markup(text)));
    }
}

fn attribute_text(attributes: &[(&str, &str)]) -> String {
    attributes.iter().map(|(name, value)| format!(" {name}=\"{}\"", escape_markup(value))).collect()
}

/// Returns Polygon's name of the language with this code.
fn language_name(code: &str) -> Option<&'static str> {
    LANGUAGE_CODES.iter().find(|(_, known)| *known == code).map(|(name, _)| *name)
}

fn write_names(export: &mut PolygonExport<'_>) {
    let package = export.source.package;
    export.xml.open("names", &[]);
    for (code, title) in &package.titles {
        if let Some(language) = language_name(code) {
            export.xml.empty("name", &[("language", language), ("value", title)]);
        }
    }
    if package.titles.keys().all(|code| language_name(code).is_none()) {
        export.xml.empty("name", &[("language", "english"), ("value", &package.id)]);
    }
    export.xml.close("names");
}

/// Returns Polygon's name of the group in a folder below `data`: what validators get after `--group`, unless other groups
/// have it as well, or the folders between `data/secret` and its files. Samples have one if a group requires them.
pub fn polygon_group_name(package: &Package, folder: &str) -> Option<String> {
    let passed = |group: &TestGroup| passed_group(&group.input_arguments).map(str::to_owned);
    let own = package.groups.iter().find(|group| group.name == folder).and_then(passed);
    let mut others = package.secret_groups().map(|(_, group)| group).filter(|group| group.name != folder);
    if own.is_some() && (folder == SAMPLE_FOLDER || others.all(|group| passed(group) != own)) {
        return own;
    }
    let is_required = |group: &AggregateGroup| group.requires.iter().any(|name| name == SAMPLE_FOLDER);
    match &package.scoring {
        Some(Scoring::Aggregates(all)) if folder == SAMPLE_FOLDER && all.groups.iter().any(is_required) => {
            Some(SAMPLE_FOLDER.to_owned())
        }
        _ => folder.strip_prefix("secret/").map(|below| below.replace('/', "-")),
    }
}

/// Returns the name of the group among the arguments of validators.
fn passed_group(arguments: &ValidatorArguments) -> Option<&str> {
    let mut words = arguments.common.iter().chain(arguments.by_name.values().flatten());
    words.find(|word| *word == "--group")?;
    words.next().map(String::as_str)
}

/// Writes the tests as files, samples first, and their groups.
fn write_tests(export: &mut PolygonExport<'_>) -> Result<(), InteropError> {
    let source = export.source;
    let package = source.package;
    let is_sample = |case: &&TestCase| case.name.starts_with("sample/");
    let (samples, secret): (Vec<_>, Vec<_>) = package.test_cases.iter().partition(is_sample);
    let width = package.test_cases.len().to_string().len().max(2);
    export.xml.leaf("test-count", &package.test_cases.len().to_string());
    export.xml.leaf("input-path-pattern", &format!("tests/%0{width}d"));
    export.xml.leaf("answer-path-pattern", &format!("tests/%0{width}d.a"));
    let groups = scored_groups(export);
    export.xml.open("tests", &[]);
    for (at, case) in samples.iter().chain(&secret).enumerate() {
        let place = format!("data/{}", case.name);
        let [input, answer] = [Some(&case.input), case.answer.as_ref()].map(|path| {
            let path = path.and_then(|path| source.relative_path(path));
            path.and_then(|path| source.files.get(&path)).ok_or_else(|| {
                InteropError::at_location(&place, "has no input or no answer")
                    .with_help("run `rebut build` to generate the tests of a package with a recipe")
            })
        });
        let name = format!("tests/{:0width$}", at + 1);
        export.out.add_file(&name, input?)?;
        export.out.add_file(&format!("{name}.a"), answer?)?;
        let mut attributes = vec![("method", "manual")];
        if at < samples.len() {
            attributes.push(("sample", "true"));
        }
        let folder = &package.groups[case.group].name;
        let group = polygon_group_name(package, folder);
        attributes.extend(group.as_deref().map(|name| ("group", name)));
        let points =
            groups.iter().find(|(_, group)| group.name == *folder).and_then(|(_, group)| points_of_test(group));
        attributes.extend(points.as_deref().map(|points| ("points", points)));
        export.xml.empty("test", &attributes);
    }
    export.xml.close("tests");
    if !groups.is_empty() {
        export.xml.open("groups", &[]);
        let of_samples = polygon_group_name(package, SAMPLE_FOLDER);
        if let Some(name) = of_samples.filter(|name| groups.iter().all(|(known, _)| known != name)) {
            export.xml.empty("group", &[("name", &name), ("points", "0"), ("points-policy", "complete-group")]);
        }
        for (name, group) in &groups {
            write_group(export, name, group);
        }
        export.xml.close("groups");
    }
    Ok(())
}

/// Returns the groups that give points, with Polygon's names.
fn scored_groups<'p>(export: &mut PolygonExport<'p>) -> Vec<(String, &'p AggregateGroup)> {
    let package = export.source.package;
    match &package.scoring {
        Some(Scoring::Aggregates(scoring)) => {
            let named = |group: &'p AggregateGroup| Some((polygon_group_name(package, &group.name)?, group));
            scoring.groups.iter().filter_map(named).collect()
        }
        Some(Scoring::Graders(_)) => {
            export.out.add_note("points are left out: Polygon has no graders");
            Vec::new()
        }
        None => Vec::new(),
    }
}

/// Returns the points of each test of a group that gives them test by test.
fn points_of_test(group: &AggregateGroup) -> Option<String> {
    let max = group.max_score.filter(|_| group.aggregation == GroupAggregation::Sum)?;
    Some((max / group.cases.len().max(1) as f64).to_string())
}

fn write_group(export: &mut PolygonExport<'_>, name: &str, group: &AggregateGroup) {
    let package = export.source.package;
    let is_each = points_of_test(group).is_some();
    let points = group.max_score.unwrap_or_default().to_string();
    let policy = if is_each { "each-test" } else { "complete-group" };
    export.xml.open("group", &[("name", name), ("points", &points), ("points-policy", policy)]);
    let requires: Vec<String> = group.requires.iter().filter_map(|name| polygon_group_name(package, name)).collect();
    if !requires.is_empty() {
        export.xml.open("dependencies", &[]);
        requires.iter().for_each(|name| export.xml.empty("dependency", &[("group", name)]));
        export.xml.close("dependencies");
    }
    export.xml.close("group");
}

/// Writes the generators.
fn write_generators(export: &mut PolygonExport<'_>) -> Result<(), InteropError> {
    let source = export.source;
    export.xml.open("executables", &[]);
    for (path, _) in source.files.files_below("generators").filter(|(path, _)| !path.contains('/')) {
        if source_type(path).is_some() {
            let bytes = with_resources(export, &format!("generators/{path}"))?;
            write_source(export, &format!("files/{path}"), &bytes, "executable", &[])?;
        }
    }
    export.xml.close("executables");
    let left = ["attachments", "include", "solution"].map(|folder| (folder, source.files.files_below(folder).count()));
    for (folder, _) in left.iter().filter(|(_, count)| *count > 0) {
        export.out.add_note(format!("`{folder}/` is left out: packages of Polygon have no such folder"));
    }
    Ok(())
}

/// Names the headers at a place in the XML: the files in `files/` that are no program.
fn write_resources(export: &mut PolygonExport<'_>, place: usize) -> Result<(), InteropError> {
    if let Some(bytes) = export.source.testlib_header() {
        export.out.add_file("files/testlib.h", bytes)?;
    }
    let rest = export.xml.text.split_off(place);
    export.xml.depth += 2;
    export.xml.open("resources", &[]);
    let names = export.out.files.files_below("files").filter(|(name, _)| !name.contains('/'));
    for path in names.map(|(name, _)| format!("files/{name}")).filter(|path| !rest.contains(&format!("\"{path}\""))) {
        export.xml.empty("file", &[("path", &path)]);
    }
    export.xml.close("resources");
    export.xml.depth -= 2;
    export.xml.text.push_str(&rest);
    Ok(())
}

/// Returns a source of the package for Polygon, where the headers that it includes are all in one folder, and adds these.
fn with_resources(export: &mut PolygonExport<'_>, path: &str) -> Result<Vec<u8>, InteropError> {
    let mut files = collect_program(export.source, path, path)?;
    let main = files.remove(&sanitize_name(file_name(path))).unwrap_or_default();
    for (name, bytes) in files.into_iter().filter(|(name, _)| name != TESTLIB_HEADER) {
        let place = format!("files/{name}");
        match export.out.files.get(&place) {
            None => export.out.add_file(&place, bytes)?,
            Some(known) if known == bytes => {}
            Some(_) => export.out.add_note(format!(
                "`{}` needs a `{}` of its own, but Polygon has one for all programs",
                shorten_for_message(path),
                shorten_for_message(&name)
            )),
        }
    }
    Ok(main)
}

impl SourceLookup for ExportSource<'_> {
    fn find_source(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        // Polygon has its own if the package has none.
        let testlib = || (path == TESTLIB_HEADER).then(|| self.testlib_header().unwrap_or_default());
        self.files.get(path).or_else(testlib).map(Cow::Borrowed)
    }

    fn include_roots(&self) -> &[&str] {
        &["include", "", "output_validator", "output_validators", "input_validators"]
    }
}

fn source_type(path: &str) -> Option<&'static str> {
    let extension = file_extension(path);
    SOURCE_TYPES.iter().find(|(known, _)| *known == extension).map(|(_, name)| *name)
}

/// Writes a source, and the element that names it.
fn write_source(
    export: &mut PolygonExport<'_>,
    path: &str,
    bytes: &[u8],
    element: &str,
    attributes: &[(&str, &str)],
) -> Result<(), InteropError> {
    export.xml.open(element, attributes);
    name_source(export, path, bytes)?;
    export.xml.close(element);
    Ok(())
}

fn name_source(export: &mut PolygonExport<'_>, path: &str, bytes: &[u8]) -> Result<(), InteropError> {
    export.xml.empty("source", &[("path", path), ("type", source_type(path).unwrap_or_default())]);
    export.out.add_file(path, bytes)
}

/// Returns the main source of a program that is written with testlib, which Polygon requires of checkers and validators. A
/// program that includes an interactor and a checker, as imports make it, has one of each.
fn testlib_source(
    export: &mut PolygonExport<'_>,
    program: &Path,
    role: &str,
) -> Result<Option<(String, Vec<u8>)>, InteropError> {
    let source = export.source;
    let plain = |path: &str| path.strip_suffix(".h").unwrap_or(path).to_owned();
    let calls = |bytes: &[u8]| match role {
        validators::VALIDATOR_ROLE => validators::is_testlib_main(bytes, role),
        INTERACTOR_ROLE => String::from_utf8_lossy(bytes).contains("registerInteraction"),
        _ => String::from_utf8_lossy(bytes).contains("registerTestlibCmd"),
    };
    let mut files = source.program_files(program);
    files.retain(|(path, bytes)| source_type(&plain(path)).is_some() && calls(bytes));
    let included = files.iter().position(|(path, _)| path.ends_with(".h")).unwrap_or_default();
    let Some((path, _)) = files.into_iter().nth(included) else { return Ok(None) };
    let bytes = with_resources(export, &path_in_package(source, program, &path))?;
    Ok(Some((plain(&path), bytes)))
}

/// Returns the path of a file of a program, as [`ExportSource::program_files`] names it.
fn path_in_package(source: &ExportSource<'_>, program: &Path, file: &str) -> String {
    let folder = program.parent().and_then(|folder| source.relative_path(folder)).unwrap_or_default();
    if folder.is_empty() { file.to_owned() } else { format!("{folder}/{file}") }
}

/// Writes the checker or the interactor, with the outputs that it is tested on.
fn write_checker(export: &mut PolygonExport<'_>) -> Result<(), InteropError> {
    let source = export.source;
    let validator = &source.package.output_validator;
    let (element, role) = match source.package.problem_type.interactive {
        true => ("interactor", INTERACTOR_ROLE),
        false => ("checker", "CHECKER"),
    };
    let Some(program) = &validator.program else {
        export.xml.open("checker", &[("type", "testlib")]);
        name_source(export, "files/check.cpp", default_checker(&validator.arguments)?.as_bytes())?;
        write_judge_tests(export, &[("valid_output", "OK"), ("invalid_output", "WRONG_ANSWER")])?;
        export.xml.close("checker");
        return Ok(());
    };
    if !validator.arguments.is_empty() {
        export.out.add_note("arguments of the output validator are left out: Polygon passes none");
    }
    let Some((path, bytes)) = testlib_source(export, program, role)? else {
        export
            .out
            .add_note(format!("the {element} is left out: it is not written with testlib, which Polygon requires"));
        return Ok(());
    };
    if element == "interactor"
        && let Some((path, bytes)) = testlib_source(export, program, "CHECKER")?
    {
        write_source(export, &format!("files/{}", file_name(&path)), &bytes, "checker", &[("type", "testlib")])?;
    }
    export.xml.open(element, &[("type", "testlib")]);
    name_source(export, &format!("files/{}", file_name(&path)), &bytes)?;
    if element == "checker" {
        write_judge_tests(export, &[("valid_output", "OK"), ("invalid_output", "WRONG_ANSWER")])?;
    }
    export.xml.close(element);
    Ok(())
}

/// Returns a checker that judges as the default output validator does with these arguments.
fn default_checker(arguments: &[String]) -> Result<String, InteropError> {
    let flags = IcpcFlags::parse_flags(arguments.iter().map(String::as_str)).map_err(InteropError::new)?;
    let has_tolerance = flags.absolute.or(flags.relative).is_some();
    Ok(DEFAULT_CHECKER
        .replace("@CASE@", &flags.case_sensitive.to_string())
        .replace("@SPACE@", &flags.space_change_sensitive.to_string())
        .replace("@TOLERANCE@", &has_tolerance.to_string())
        .replace("@ABSOLUTE@", &format!("{:?}", flags.absolute.unwrap_or_default()))
        .replace("@RELATIVE@", &format!("{:?}", flags.relative.unwrap_or_default())))
}

/// Writes the validator of the format, and those that are written with testlib.
fn write_validators(export: &mut PolygonExport<'_>, format_validator: Option<&str>) -> Result<(), InteropError> {
    let source = export.source;
    let mut sources: Vec<(String, Vec<u8>)> = Vec::new();
    sources.extend(format_validator.map(|text| ("format_validator.cpp".to_owned(), text.into())));
    for program in &source.package.input_validators {
        match testlib_source(export, program, validators::VALIDATOR_ROLE)? {
            Some(found) => sources.push(found),
            None => {
                let name = program.file_name().unwrap_or_default().to_string_lossy();
                export.out.add_note(format!(
                    "the input validator `{}` is left out: it is not written with testlib, which Polygon requires",
                    shorten_for_message(&name)
                ));
            }
        }
    }
    if !source.package.answer_validators.is_empty() {
        export.out.add_note("validators of answers are left out: Polygon has none");
    }
    let mut names = UniqueNames::default();
    export.xml.open("validators", &[]);
    for (at, (path, bytes)) in sources.iter().enumerate() {
        export.xml.open("validator", &[]);
        let name = names.claim_name(&format!("files/{}", sanitize_name(file_name(path))));
        name_source(export, &name, bytes)?;
        if at == 0 {
            write_judge_tests(export, &[("valid_input", "VALID"), ("invalid_input", "INVALID")])?;
        }
        export.xml.close("validator");
    }
    export.xml.close("validators");
    Ok(())
}

/// Writes the tests of a checker or a validator: those in these folders of `data`, with their verdicts.
fn write_judge_tests(export: &mut PolygonExport<'_>, folders: &[(&str, &'static str)]) -> Result<(), InteropError> {
    let source = export.source;
    let mut tests = Vec::new();
    for (folder, verdict) in folders {
        let below = format!("data/{folder}");
        let inputs = source.files.files_below(&below).filter(|(path, _)| path.ends_with(".in"));
        tests.extend(inputs.map(|(path, _)| (format!("{below}/{}", path.trim_end_matches(".in")), *verdict)));
    }
    let of_outputs = folders.iter().any(|(folder, _)| folder.ends_with("output"));
    let endings: &[(&str, &str, &str)] = match of_outputs {
        true => &[
            ("input-path-pattern", "", "in"),
            ("output-path-pattern", ".o", "out"),
            ("answer-path-pattern", ".a", "ans"),
        ],
        false => &[("input-path-pattern", "", "in")],
    };
    let has_all =
        |case: &str| endings.iter().all(|(.., ending)| source.files.get(&format!("{case}.{ending}")).is_some());
    tests.retain(|(case, _)| has_all(case));
    if tests.is_empty() {
        return Ok(());
    }
    let folder = if of_outputs { "files/tests/checker-tests" } else { "files/tests/validator-tests" };
    export.xml.open("testset", &[]);
    export.xml.leaf("test-count", &tests.len().to_string());
    for (pattern, suffix, ending) in endings {
        export.xml.leaf(pattern, &format!("{folder}/%03d{suffix}"));
        for (at, (case, _)) in tests.iter().enumerate() {
            let bytes = source.files.get(&format!("{case}.{ending}")).unwrap_or_default();
            export.out.add_file(&format!("{folder}/{:03}{suffix}", at + 1), bytes)?;
        }
    }
    export.xml.open("tests", &[]);
    for (case, verdict) in &tests {
        let group = group_of_probe(source.package, case).map(|group| ("group", group));
        export.xml.empty("test", &[("verdict", *verdict)].into_iter().chain(group).collect::<Vec<_>>());
    }
    export.xml.close("tests");
    export.xml.close("testset");
    Ok(())
}

/// Returns the group that is passed to validators with an input in `data/valid_input` or `data/invalid_input`.
fn group_of_probe<'p>(package: &'p Package, case: &str) -> Option<&'p str> {
    let probe = package.probes.iter().find(|probe| Some(probe.name.as_str()) == case.strip_prefix("data/"))?;
    passed_group(&probe.arguments)
}

/// Writes the submissions with their tags. The first accepted one is the model solution.
fn write_solutions(export: &mut PolygonExport<'_>) -> Result<(), InteropError> {
    let source = export.source;
    let mut names = UniqueNames::default();
    let mut has_main = false;
    export.xml.open("solutions", &[]);
    for submission in &source.package.submissions {
        let files = source.program_files(&submission.path);
        let mut sources = files.iter().filter(|(path, _)| source_type(path).is_some());
        let (Some((path, _)), None) = (sources.next(), sources.next()) else {
            let name = shorten_for_message(&submission.name);
            export
                .out
                .add_note(format!("`{name}` is left out: solutions are one source in a language that Polygon has"));
            continue;
        };
        let tag = match tag_of(submission) {
            "accepted" if !has_main => "main",
            tag => tag,
        };
        has_main |= tag == "main";
        if tag == "do-not-run" {
            let name = shorten_for_message(&submission.name);
            export.out.add_note(format!("`{name}` is tagged `do-not-run`: no tag says what is expected of it"));
        }
        if !submission.rules.is_empty() {
            export.out.add_note("expectations on single test cases are left out");
        }
        let name = names.claim_name(&format!("solutions/{}", sanitize_name(file_name(path))));
        let bytes = with_resources(export, &path_in_package(source, &submission.path, path))?;
        write_source(export, &name, &bytes, "solution", &[("tag", tag)])?;
    }
    export.xml.close("solutions");
    Ok(())
}

/// Returns the tag that means the same as the folder of a submission, or as what is expected of it.
fn tag_of(submission: &PackageSubmission) -> &'static str {
    let folder = Package::submission_folder(submission);
    // The first tag of a folder is the one that says the least, but for these.
    let fits = |name: &str| !matches!(name, "main" | "memory-limit-exceeded");
    let found = POLYGON_TAGS.iter().find(|tag| tag.folder == folder && fits(tag.name));
    match found {
        Some(tag) => tag.name,
        None if submission.expectation.is_accepted() => "accepted",
        // It fails on some tests: that it gets points has no tag.
        None if submission.expectation.is_rejected() || folder == PARTIAL_FOLDER => "rejected",
        None => "do-not-run",
    }
}

/// Writes the statements in the sections of Polygon, or the Input section of the format if there is none.
fn write_statements(export: &mut PolygonExport<'_>) -> Result<(), InteropError> {
    let source = export.source;
    let mut has_statement = false;
    for (path, bytes) in STATEMENT_FOLDERS.iter().flat_map(|folder| source.files.files_below(folder)) {
        let code = path.strip_prefix("problem.").and_then(|name| name.strip_suffix(".tex")).unwrap_or("en");
        match language_name(code).filter(|_| path.ends_with("tex") && !path.contains('/')) {
            Some(language) => {
                has_statement = true;
                write_sections(export, &String::from_utf8_lossy(bytes), language)?;
            }
            None => export.out.add_note(format!(
                "`{}` of the statement is left out: only texts in TeX are converted",
                shorten_for_message(path)
            )),
        }
    }
    if let (false, Some(format)) = (has_statement, source.format) {
        export.out.add_note("there is no statement; its Input section is generated from the format");
        write_sections(export, &describe_format(format, Markup::Latex), "english")?;
    }
    Ok(())
}

/// Splits a statement at its headings.
fn write_sections(export: &mut PolygonExport<'_>, text: &str, language: &str) -> Result<(), InteropError> {
    let package = export.source.package;
    let mut sections: BTreeMap<&str, String> = BTreeMap::from([("legend", String::new())]);
    let mut section = "legend";
    for line in text.lines().filter(|line| !line.trim_start().starts_with("\\problemname")) {
        let heading = line.trim().strip_prefix("\\section*{").and_then(|rest| rest.strip_suffix('}'));
        match STATEMENT_SECTIONS.iter().find(|(_, known)| heading == Some(*known)) {
            Some((name, _)) => section = *name,
            None => *sections.entry(section).or_default() += &format!("{line}\n"),
        }
    }
    let code = LANGUAGE_CODES.iter().find(|(name, _)| *name == language).map_or("en", |(_, code)| *code);
    let title = package.titles.get(code).unwrap_or(&package.id);
    let folder = format!("statement-sections/{language}");
    export.out.add_file(&format!("{folder}/name.tex"), title.as_str())?;
    for (name, body) in sections {
        export.out.add_file(&format!("{folder}/{name}.tex"), format!("{}\n", body.trim()))?;
    }
    Ok(())
}
