//! Formats of published problems and the invariants that hold for each of them; broken formats and damaged inputs with
//! their messages. The expected messages are files next to the broken formats: `REBUT_UPDATE_GOLDEN=1` regenerates
//! them, to be reviewed in the change.

use rebut_diagnostics::{Diagnostic, SourceText};
use rebut_format::generate::{Extreme, GenerationPlan, GenerationSettings, generate_value};
use rebut_format::language::Format;
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::validate::{explain_violation, find_violation};
use rebut_generators::Choices;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Number of inputs that are generated from each format, while growth goes from 0 to 100.
const SEEDS: u64 = 60;

/// Maximum size of an input that the test generates, in numbers and characters.
const MAX_ELEMENTS: usize = 3_000_000;

/// Formats with largest inputs that take long to generate: they have an ignored test of their own.
const LARGE: &[&str] = &[
    "atcoder-abc278d-all-assign-point-add",
    "atcoder-practice2a-disjoint-set-union",
    "atcoder-practice2b-fenwick-tree",
    "atcoder-practice2g-scc",
    "atcoder-practice2k-range-affine-range-sum",
    "codeforces-1167c-news-distribution",
    "codeforces-1385e-directing-edges",
    "codeforces-1676e-eating-queries",
    "codeforces-427c-checkposts",
    "codeforces-919d-substring",
    "cses-1069-repetitions",
    "cses-1137-subtree-queries",
    "cses-1194-monsters",
    "cses-1648-dynamic-range-sum-queries",
    "cses-1652-forest-queries",
    "cses-1671-shortest-routes-i",
    "cses-1753-string-matching",
    "cses-2189-point-location-test",
    "ioi-2009-mecho",
    "ioi-2011-race",
    "kattis-10kindsofpeople-10-kinds-of-people",
    "kattis-shortestpath1-single-source",
    "kattis-unionfind-union-find",
    "poj-2299-ultra-quicksort",
    "spoj-aggrcow-aggressive-cows",
    "spoj-horrible-horrible-queries",
    "uva-929-number-maze",
];

/// Formats with largest inputs above `MAX_ELEMENTS`: only the smallest are generated.
const TOO_LARGE: &[&str] =
    &["kattis-cd-cd", "kattis-fenwick-fenwick-tree", "poj-2406-power-strings", "spoj-buglife-a-bugs-life"];

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the files with an extension below a folder of `testdata`, sorted.
pub(crate) fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = walkdir::WalkDir::new(root().join("testdata").join(folder))
        .into_iter()
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.extension().is_some_and(|e| e == ending))
        .collect();
    found.sort();
    found
}

/// Returns a source under its file name, so that messages do not depend on the place of the repository.
pub(crate) fn source(path: &Path) -> SourceText {
    SourceText::new(path.file_name().unwrap().to_string_lossy(), std::fs::read(path).unwrap())
}

pub(crate) fn rendered(problems: &[Diagnostic], source: &SourceText) -> String {
    problems.iter().map(|p| p.render_text(source)).collect::<Vec<_>>().join("\n")
}

/// Parses a format without diagnostics.
fn parse(path: &Path) -> Format {
    let source = source(path);
    let (format, warnings) = Format::parse(&source).unwrap_or_else(|p| panic!("{}", rendered(&p, &source)));
    // Some statements have bounds that no input can reach, and the warning about it is right.
    let warnings: Vec<Diagnostic> = warnings.into_iter().filter(|w| w.code != "unreachable-bound").collect();
    assert!(warnings.is_empty(), "{}", rendered(&warnings, &source));
    format
}

/// Returns the formats of all published problems with their names.
pub(crate) fn published() -> Vec<(String, Format)> {
    let name = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    files("formats/valid", "format").iter().map(|path| (name(path), parse(path))).collect()
}

/// Returns the bytes of a generated input after checking that it is valid and reads back as the same value.
#[track_caller]
fn generate_checked(plan: &GenerationPlan<'_>, seed: u64, settings: &GenerationSettings) -> Vec<u8> {
    let format = plan.format;
    let place = || format!("{}, seed {seed}, growth {}", format.source.name, settings.growth);
    let value = generate_value(plan, &mut Choices::from_seed(seed, 0), settings)
        .unwrap_or_else(|f| panic!("{}\n{}", place(), f.to_diagnostic().render_text(&format.source)))
        .value;
    let bytes = print_value(format, &value);
    let input = SourceText::new("input", bytes);
    let shown = || format!("{}\n{}", place(), String::from_utf8_lossy(&input.text[..input.text.len().min(400)]));
    if let Some(broken) = find_violation(format, &value) {
        panic!("{}\n{}", shown(), explain_violation(format, &value, &broken).render_text(&input));
    }
    let again = read_input(format, &input.text).unwrap_or_else(|p| panic!("{}\n{}", shown(), p.render_text(&input)));
    assert!(again == value, "it is read as another value: {}", shown());
    assert!(print_value(format, &again) == input.text, "it is printed as other bytes: {}", shown());
    input.text
}

#[test]
fn formats_of_many_judges_are_present() {
    let published = published();
    let judges: BTreeSet<&str> = published.iter().filter_map(|(name, _)| name.split('-').next()).collect();
    assert!(published.len() >= 60 && judges.len() >= 10, "{} formats of {judges:?}", published.len());
    for (name, format) in &published {
        assert!(format.source.text.starts_with(b"# "), "{name} does not start with the problem's name");
    }
}

#[test]
fn generated_inputs_are_valid_and_reproducible() {
    for (_, format) in published() {
        let plan = GenerationPlan::new(&format);
        for seed in 0..SEEDS {
            let growth = u32::try_from(seed * 100 / (SEEDS - 1)).unwrap();
            let settings = GenerationSettings { growth, max_elements: 2000, ..GenerationSettings::default() };
            let bytes = generate_checked(&plan, seed, &settings);
            if seed % 10 == 0 {
                let again = generate_value(&plan, &mut Choices::from_seed(seed, 0), &settings).unwrap().value;
                assert!(
                    print_value(&format, &again) == bytes,
                    "{}, seed {seed} repeats itself not",
                    format.source.name
                );
            }
        }
    }
}

/// Formats that `scripts/hacked-pairs` searches: they generate valid inputs, tiny and larger ones.
#[test]
fn formats_of_hacked_pairs_generate_valid_inputs() {
    for path in files("hacked_pairs", "format") {
        let format = parse(&path);
        let plan = GenerationPlan::new(&format);
        for growth in [0, 10, 40] {
            let settings = GenerationSettings { growth, max_elements: 300, ..GenerationSettings::default() };
            generate_checked(&plan, 1, &settings);
        }
    }
}

fn extreme(extreme: Extreme) -> GenerationSettings {
    GenerationSettings { extreme: Some(extreme), ..GenerationSettings::default() }
}

/// Generates the largest input of a format.
fn make_largest(name: &str, format: &Format) {
    let bytes = generate_checked(&GenerationPlan::new(format), 1, &extreme(Extreme::Max));
    let elements = read_input(format, &bytes).unwrap().element_count();
    assert!(elements <= MAX_ELEMENTS, "{name} has {elements} elements at most: it belongs to TOO_LARGE");
}

#[test]
fn smallest_inputs_are_valid() {
    for (_, format) in published() {
        generate_checked(&GenerationPlan::new(&format), 1, &extreme(Extreme::Min));
    }
}

#[test]
fn largest_inputs_are_valid() {
    let named = |name: &String, list: &[&str]| list.contains(&name.as_str());
    for (name, format) in published().iter().filter(|(name, _)| !named(name, LARGE) && !named(name, TOO_LARGE)) {
        make_largest(name, format);
    }
}

#[test]
#[ignore = "nightly: it takes a minute"]
fn largest_inputs_of_large_formats_are_valid() {
    for (name, format) in published().iter().filter(|(name, _)| LARGE.contains(&name.as_str())) {
        make_largest(name, format);
    }
}

#[test]
fn lists_of_large_formats_name_formats() {
    let names: BTreeSet<String> = published().into_iter().map(|(name, _)| name).collect();
    for name in LARGE.iter().chain(TOO_LARGE) {
        assert!(names.contains(*name), "there is no format {name}");
    }
}

/// Compares messages with the `.txt` file next to `path` and returns their difference.
fn difference(path: &Path, messages: &str) -> Option<String> {
    let path = path.with_extension("txt");
    if std::env::var_os("REBUT_UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, messages).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    (expected != messages).then(|| format!("{} should be\n{messages}", path.display()))
}

#[track_caller]
fn require_same(differences: &[String]) {
    let all = differences.join("\n");
    assert!(all.is_empty(), "messages differ; REBUT_UPDATE_GOLDEN=1 writes them anew\n{all}");
}

/// Returns the diagnostics of a format.
fn problems(source: &SourceText) -> Vec<Diagnostic> {
    match Format::parse(source) {
        Ok((_, warnings)) => warnings,
        Err(problems) => problems,
    }
}

#[test]
fn messages_about_broken_formats_match_their_files() {
    let broken = files("formats/invalid", "format");
    assert!(broken.len() >= 60, "{} broken formats", broken.len());
    let mut differences = Vec::new();
    for path in &broken {
        let source = source(path);
        let problems = problems(&source);
        let named = problems.iter().any(|p| source.name.starts_with(p.code));
        assert!(named, "{} does not start with the code of any of its problems: {problems:?}", source.name);
        differences.extend(difference(path, &rendered(&problems, &source)));
    }
    require_same(&differences);
}

/// Returns the codes of the messages in a source file.
fn codes(text: &str) -> Vec<&str> {
    let made = ["Diagnostic::error(", "Diagnostic::warning("].into_iter().flat_map(|call| text.split(call).skip(1));
    made.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next()).collect()
}

/// Returns all files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// Codes with an example in unit tests, because the formats are too long for a file.
const SHOWN_ELSEWHERE: [&str; 2] = ["too-long", "too-many-fields"];

#[test]
fn messages_about_formats_have_an_example() {
    let shown: BTreeSet<&str> =
        files("formats/invalid", "format").iter().flat_map(|path| problems(&source(path))).map(|p| p.code).collect();
    let mut missing = BTreeSet::new();
    for path in sources(&root().join("crates/format/src/language")) {
        let text = std::fs::read_to_string(path).unwrap();
        let is_missing = |code: &&str| !shown.contains(code) && !SHOWN_ELSEWHERE.contains(code);
        missing.extend(codes(&text).into_iter().filter(is_missing).map(str::to_owned));
    }
    assert!(missing.is_empty(), "no broken format shows {missing:?}");
}

#[test]
fn messages_about_damaged_inputs_match_their_files() {
    let damaged = files("inputs/invalid", "in");
    assert!(damaged.len() >= 25, "{} damaged inputs", damaged.len());
    let mut differences = Vec::new();
    for path in &damaged {
        let folder = path.parent().unwrap().file_name().unwrap();
        let format = parse(&root().join("testdata/formats/valid").join(folder).with_extension("format"));
        let input = source(path);
        let problem = match read_input(&format, &input.text) {
            Err(problem) => problem,
            Ok(value) => {
                let broken = find_violation(&format, &value).unwrap_or_else(|| panic!("{} is valid", path.display()));
                explain_violation(&format, &value, &broken)
            }
        };
        differences.extend(difference(path, &problem.render_text(&input)));
    }
    require_same(&differences);
}
