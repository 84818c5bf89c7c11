//! What is mutated: every format and input in `testdata`, and small inputs made of the formats.

use crate::environment::home;
use rebut::diagnostic::Source;
use rebut::format::Format;
use rebut::generate::{Plan, Settings, generate};
use rebut::print::print;
use rebut_generators::Choices;
use std::path::{Path, PathBuf};

/// So many inputs of each format stand in the corpus.
const INPUTS_EACH: u64 = 8;

/// No text of the corpus is longer: a mutation costs what the text costs.
const LONGEST: usize = 4_000;

/// The texts that executions start from.
pub(super) struct Corpus {
    /// Formats, valid and broken ones.
    pub(super) texts: Vec<Vec<u8>>,
    /// Formats of published problems with valid inputs.
    pub(super) formats: Vec<(Format, Vec<Vec<u8>>)>,
    /// Valid inputs of all formats.
    pub(super) inputs: Vec<Vec<u8>>,
}

impl Corpus {
    pub(super) fn load() -> Corpus {
        let texts: Vec<Vec<u8>> = files("testdata", "format").iter().map(|path| std::fs::read(path).unwrap()).collect();
        let published = files("testdata/formats/valid", "format");
        let formats: Vec<(Format, Vec<Vec<u8>>)> = published.iter().map(|path| with_inputs(path)).collect();
        let inputs = formats.iter().flat_map(|(_, inputs)| inputs.clone()).collect();
        Corpus { texts, formats, inputs }
    }
}

fn with_inputs(path: &Path) -> (Format, Vec<Vec<u8>>) {
    let source = Source::new("format", std::fs::read(path).unwrap());
    let (format, _) = Format::parse(&source).unwrap();
    let plan = Plan::new(&format);
    let made = |stream: u64| {
        let growth = u32::try_from(stream * 5).unwrap();
        let settings = Settings { growth, most_elements: 300, most_cases: 4, ..Settings::default() };
        generate(&plan, &mut Choices::fresh(1, stream), &settings).ok().map(|made| print(&format, &made.value))
    };
    let inputs: Vec<Vec<u8>> = (0..INPUTS_EACH).filter_map(made).filter(|bytes| bytes.len() <= LONGEST).collect();
    assert!(!inputs.is_empty(), "{} has no small input", path.display());
    drop(plan);
    (format, inputs)
}

/// Files below a folder, by their ending, in order.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(home().join(folder)).sort_by_file_name();
    let paths = entries.into_iter().map(|entry| entry.unwrap().into_path());
    paths.filter(|path| path.extension().is_some_and(|e| e == ending)).collect()
}
