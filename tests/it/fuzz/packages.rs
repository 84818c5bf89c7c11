//! Damaged problem packages: loaded, imported and unpacked, they are understood or refused with a message.

use super::mutate::mutated;
use super::targets::{Case, Checked, Target};
use crate::environment::home;
use rebut::corpus::recipe::Recipe;
use rebut::corpus::{Bundle, Package};
use rebut::diagnostic::{Error, ErrorKind, Source};
use rebut::exchange;
use rebut_generators::Choices;
use std::path::{Component, Path};

/// Files by their paths.
type Files = Vec<(Vec<u8>, Vec<u8>)>;

/// What is damaged.
struct Material {
    /// Packages of ours.
    own: Vec<Files>,
    /// Packages of others.
    foreign: Vec<Files>,
    /// All texts.
    texts: Vec<Vec<u8>>,
}

/// What is done with a package.
const LOADED: usize = 0;
const IMPORTED: usize = 1;
const UNPACKED: usize = 2;

/// No file of the corpus is longer: a mutation costs what the text costs.
const LONGEST: usize = 4_000;

/// What the files of packages say.
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

/// Names that mean something.
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

/// The target.
pub(super) fn packages() -> Target<'static> {
    let material = Material::load();
    let make = move |choices: &mut Choices| {
        let pick = match choices.below(10) {
            0..=6 => LOADED,
            7 | 8 => IMPORTED,
            _ => UNPACKED,
        };
        let from = if pick == IMPORTED { &material.foreign } else { &material.own };
        let mut files = choices.pick(from).cloned().unwrap_or_default();
        for _ in 0..=choices.log_range(0, 4) {
            damage(choices, &mut files, &material.texts);
        }
        let mut parts: Vec<Vec<u8>> = files.into_iter().flat_map(|(name, bytes)| [name, bytes]).collect();
        if pick == UNPACKED {
            let archive = exchange::pack(&bundle(&parts)).unwrap_or_default();
            parts = vec![mutated(choices, &archive, &material.texts, &["PK\x01\x02", "PK\x03\x04", "../", "\0\0"])];
        }
        Case { pick, parts }
    };
    Target { make: Box::new(make), check: Box::new(check) }
}

fn check(case: &Case) -> Checked {
    match case.pick {
        LOADED => loaded(&case.parts),
        IMPORTED => {
            let common = Bundle::default();
            match exchange::import(&bundle(&case.parts), &common, "p") {
                Ok(_) => Ok("imported"),
                Err(flaw) => told(&flaw.into_error(Path::new("p")), "not imported"),
            }
        }
        _ => match exchange::unpack(case.parts.first().map_or(&[][..], Vec::as_slice)) {
            Ok(_) => Ok("unpacked"),
            Err(flaw) => told(&flaw.into_error(Path::new("p")), "not unpacked"),
        },
    }
}

/// Puts the files into a folder, and reads it as a package; and its recipe, if it has one.
fn loaded(parts: &[Vec<u8>]) -> Checked {
    let place = tempfile::tempdir().map_err(|e| e.to_string())?;
    let folder = place.path().join("p");
    std::fs::create_dir(&folder).map_err(|e| e.to_string())?;
    for (name, bytes) in pairs(parts) {
        let Some(path) = within(&folder, name) else { continue };
        // Where the name of a file is that of a folder already, one of them is all there can be.
        if std::fs::create_dir_all(path.parent().unwrap_or(&folder)).is_ok() {
            let _ = std::fs::write(&path, bytes);
        }
        if name == b"tests.toml" {
            let source = Source::new("tests.toml", bytes.to_vec());
            if Recipe::parse(&source).is_err_and(|problems| problems.is_empty()) {
                return Err("a recipe is refused without a word".to_owned());
            }
        }
    }
    match Package::load(&folder) {
        Ok(package) => {
            let is_consistent = package.test_cases.iter().all(|case| case.group < package.groups.len());
            if is_consistent { Ok("loaded") } else { Err("a test case is in no group".to_owned()) }
        }
        Err(error) => told(&error, "not loaded"),
    }
}

/// Whether an error says that the package is wrong, and where.
fn told(error: &Error, class: &'static str) -> Checked {
    if error.kind() != ErrorKind::Usage {
        return Err(format!("it is not said to be the package's fault: {error}"));
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

/// The files that a bundle can have.
fn bundle(parts: &[Vec<u8>]) -> Bundle {
    let mut bundle = Bundle::default();
    for (name, bytes) in pairs(parts) {
        if let Ok(name) = std::str::from_utf8(name) {
            let _ = bundle.insert(name, bytes.to_vec());
        }
    }
    bundle
}

/// A path that stays in the folder; none if the name is none that a file can have.
fn within(folder: &Path, name: &[u8]) -> Option<std::path::PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    let name = Path::new(std::ffi::OsStr::from_bytes(name));
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(part) if part.len() <= 200);
    let is_fine = !name.as_os_str().is_empty() && name.as_os_str().len() < 2_000;
    let has_nul = name.as_os_str().as_bytes().contains(&0);
    (is_fine && !has_nul && name.components().all(is_plain)).then(|| folder.join(name))
}

/// One change to the tree: what a file says, what it is called, or whether it is there.
fn damage(choices: &mut Choices, files: &mut Files, texts: &[Vec<u8>]) {
    let at = choices.index(files.len().max(1));
    let other = choices.pick(NAMES).map(|name| name.as_bytes().to_vec()).unwrap_or_default();
    match (choices.below(10), files.get_mut(at)) {
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
            let text = choices.pick(texts).cloned().unwrap_or_default();
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

/// The packages that are described in text files: of those only files with a text.
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
    let bundle = Bundle::read(folder).unwrap();
    let short = bundle.iter().filter(|(_, bytes)| bytes.len() <= LONGEST * 4);
    short.map(|(name, bytes)| (name.as_bytes().to_vec(), bytes.to_vec())).collect()
}
