//! Damaged problem packages: each is loaded, imported or unpacked, or refused with a message.

use super::mutate::mutated;
use super::targets::{Case, Checked, Target};
use crate::environment::home;
use rebut_diagnostics::{Error, ErrorKind, SourceText};
use rebut_generators::Choices;
use rebut_packages::interop;
use rebut_packages::recipe::TestSetRecipe;
use rebut_packages::{Bundle, Package};
use std::path::{Component, Path};

/// Contents of files by path.
type Files = Vec<(Vec<u8>, Vec<u8>)>;

/// The packages to damage.
struct Material {
    /// Packages in the ICPC format.
    own: Vec<Files>,
    /// Packages of other systems.
    foreign: Vec<Files>,
    /// All texts.
    texts: Vec<Vec<u8>>,
}

/// The operations on a package.
const LOADED: usize = 0;
const IMPORTED: usize = 1;
const UNPACKED: usize = 2;

/// Maximum length of a file in bytes: a mutation costs time in proportion to it.
const LONGEST: usize = 4_000;

/// The keywords of package files.
const WORDS: &[&str] = &[
    "problem_format_version: 2025-09\n",
    "problem_format_version: 2023-07-draft\n",
    "type: scoring\n",
    "type: [interactive, multi-pass]\n",
    "validation: custom score\n",
    "validator_flags: float_tolerance 1e-6\n",
    "limits:\n  time_limit: 1\n",
    "constants: {n: 5}\n",
    "{{n}}",
    "grading: custom\n",
    "grader_flags: min ignore_sample\n",
    "on_reject: continue\n",
    "range: -inf +inf\n",
    "max_score: unbounded\n",
    "score_aggregation: sum\n",
    "require_pass: [sample, secret/1]\n",
    "score: [1, 2]\n",
    "permitted: [AC, WA]\n",
    "@EXPECTED_RESULTS@: WRONG-ANSWER\n",
    "@EXPECTED_SCORE@: 5\n",
    "[[test]]\n",
    "[group.x]\nscore = 5\n",
    "count = 99\n",
    "text = '''\n",
    "<test method=\"generated\" cmd=\"gen 1\"/>",
    "<!DOCTYPE a [<!ENTITY b \"c\">]>&b;",
    "&amp;",
    "</tests>",
    "accepted/*:\n",
    "{a,{b,c}}",
    "**/*",
    "*: &a [*a]\n",
    "? : - |\n",
    "!!binary ",
    "\t",
    "\u{feff}",
];

/// File names with a meaning.
const NAMES: &[&str] = &[
    "problem.yaml",
    "data/testdata.yaml",
    "data/secret/test_group.yaml",
    "data/secret/1/test_group.yaml",
    "data/secret/1/a.in",
    "data/secret/1/a.ans",
    "data/secret/1/a.yaml",
    "data/secret/1.in",
    "data/sample/1.IN",
    "data/invalid_output/1.out",
    "graders/g.py",
    "submissions/submissions.yaml",
    "submissions/partially_accepted/x.py",
    "output_validator/v.py",
    "output_validators/v/v.cpp",
    ".timelimit",
    "domjudge-problem.ini",
    "tests.toml",
    "problem.xml",
    "info.toml",
];

/// Returns the fuzz target.
pub(super) fn packages() -> Target<'static> {
    let material = Material::load();
    let make = move |choices: &mut Choices| {
        let pick = match choices.draw_below(10) {
            0..=6 => LOADED,
            7 | 8 => IMPORTED,
            _ => UNPACKED,
        };
        let from = if pick == IMPORTED { &material.foreign } else { &material.own };
        let mut files = choices.pick_item(from).cloned().unwrap_or_default();
        for _ in 0..=choices.draw_log_range(0, 4) {
            damage(choices, &mut files, &material.texts);
        }
        let mut parts: Vec<Vec<u8>> = files.into_iter().flat_map(|(name, bytes)| [name, bytes]).collect();
        if pick == UNPACKED {
            let archive = interop::pack_archive(&bundle(&parts)).unwrap_or_default();
            parts = vec![mutated(choices, &archive, &material.texts, &["PK\x01\x02", "PK\x03\x04", "../", "\0\0"])];
        }
        Case { pick, parts }
    };
    Target { make: Box::new(make), check: Box::new(check) }
}

fn check(case: &Case) -> Checked {
    match case.pick {
        LOADED => load(&case.parts),
        IMPORTED => {
            let common = Bundle::default();
            match interop::import_package(&bundle(&case.parts), &common, "p") {
                Ok(_) => Ok("imported"),
                Err(flaw) => check_error(&flaw.into_error(Path::new("p")), "not imported"),
            }
        }
        _ => match interop::unpack_archive(case.parts.first().map_or(&[][..], Vec::as_slice)) {
            Ok(_) => Ok("unpacked"),
            Err(flaw) => check_error(&flaw.into_error(Path::new("p")), "not unpacked"),
        },
    }
}

/// Writes the files into a folder and loads it as a package, and its recipe if it has one.
fn load(parts: &[Vec<u8>]) -> Checked {
    let place = tempfile::tempdir().map_err(|e| e.to_string())?;
    let folder = place.path().join("p");
    std::fs::create_dir(&folder).map_err(|e| e.to_string())?;
    for (name, bytes) in pairs(parts) {
        let Some(path) = within(&folder, name) else { continue };
        // A file cannot have the name of a folder: one of them is dropped.
        if std::fs::create_dir_all(path.parent().unwrap_or(&folder)).is_ok() {
            let _ = std::fs::write(&path, bytes);
        }
        if name == b"tests.toml" {
            let source = SourceText::new("tests.toml", bytes.to_vec());
            if TestSetRecipe::parse(&source).is_err_and(|problems| problems.is_empty()) {
                return Err("a recipe is refused without a word".to_owned());
            }
        }
    }
    match Package::load(&folder) {
        Ok(package) => {
            let is_consistent = package.test_cases.iter().all(|case| case.group < package.groups.len());
            if is_consistent { Ok("loaded") } else { Err("a test case is in no group".to_owned()) }
        }
        Err(error) => check_error(&error, "not loaded"),
    }
}

/// Checks that an error is about the package and has a place.
fn check_error(error: &Error, class: &'static str) -> Checked {
    if error.kind() != ErrorKind::Usage {
        return Err(format!("the error is not about the package: {error}"));
    }
    let text = error.to_string();
    if !text.contains('p') || error.message().is_empty() || text.chars().any(|c| c.is_control() && c != '\n') {
        return Err(format!("the message is none to be shown: {text:?}"));
    }
    Ok(class)
}

fn pairs(parts: &[Vec<u8>]) -> impl Iterator<Item = (&[u8], &[u8])> {
    parts.chunks_exact(2).map(|pair| (pair[0].as_slice(), pair[1].as_slice()))
}

/// Returns a bundle of the files, without names that a bundle cannot have.
fn bundle(parts: &[Vec<u8>]) -> Bundle {
    let mut bundle = Bundle::default();
    for (name, bytes) in pairs(parts) {
        if let Ok(name) = std::str::from_utf8(name) {
            let _ = bundle.insert(name, bytes.to_vec());
        }
    }
    bundle
}

/// Returns a path inside the folder, or `None` if the name is not that of a file.
fn within(folder: &Path, name: &[u8]) -> Option<std::path::PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    let name = Path::new(std::ffi::OsStr::from_bytes(name));
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(part) if part.len() <= 200);
    let is_fine = !name.as_os_str().is_empty() && name.as_os_str().len() < 2_000;
    let has_nul = name.as_os_str().as_bytes().contains(&0);
    (is_fine && !has_nul && name.components().all(is_plain)).then(|| folder.join(name))
}

/// Makes one change to the tree: to the contents, the name or the existence of a file.
fn damage(choices: &mut Choices, files: &mut Files, texts: &[Vec<u8>]) {
    let at = choices.draw_index(files.len().max(1));
    let other = choices.pick_item(NAMES).map(|name| name.as_bytes().to_vec()).unwrap_or_default();
    match (choices.draw_below(10), files.get_mut(at)) {
        (0..=4, Some((_, bytes))) => *bytes = mutated(choices, bytes, texts, WORDS),
        (5, Some((name, _))) => *name = mutated(choices, name, texts, NAMES),
        (6, Some((name, _))) => *name = other,
        (7, Some(_)) => drop(files.remove(at)),
        (8, Some(_)) => {
            let mut copy = files[at].clone();
            copy.0 = other;
            files.push(copy);
        }
        _ => {
            let text = choices.pick_item(texts).cloned().unwrap_or_default();
            files.push((other, text));
        }
    }
}

impl Material {
    fn load() -> Material {
        let own: Vec<Files> = described(&home().join("testdata/packages"));
        let exchange = home().join("testdata/exchange");
        let foreign = vec![files_of(&exchange.join("polygon")), files_of(&exchange.join("library_checker/sums"))];
        let all = own.iter().chain(&foreign).flatten();
        let texts = all.map(|(_, bytes)| bytes.clone()).filter(|bytes| !bytes.is_empty()).collect();
        Material { own, foreign, texts }
    }
}

/// Returns the packages that are described in text files, without files that are not texts.
fn described(folder: &Path) -> Vec<Files> {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let package = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        let (_, sections) = text.split_once("=== ").unwrap_or_default();
        let files = sections.split("\n=== ").filter_map(|section| {
            let (name, text) = section.split_once('\n').unwrap_or((section, ""));
            let is_file = !name.contains(' ') && name != "expected" && text.len() <= LONGEST;
            is_file.then(|| (name.as_bytes().to_vec(), format!("{}\n", text.trim_end_matches('\n')).into_bytes()))
        });
        files.collect()
    };
    paths.iter().map(package).filter(|files: &Files| !files.is_empty()).collect()
}

fn files_of(folder: &Path) -> Files {
    let bundle = Bundle::read_folder(folder).unwrap();
    let short = bundle.iter().filter(|(_, bytes)| bytes.len() <= LONGEST * 4);
    short.map(|(name, bytes)| (name.as_bytes().to_vec(), bytes.to_vec())).collect()
}
