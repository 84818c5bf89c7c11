//! The seed corpus: every format and input in `testdata`, and small inputs generated from the formats.

use crate::environment::home;
use rebut_diagnostics::SourceText;
use rebut_format::generate::{GenerationPlan, GenerationSettings, generate_value};
use rebut_format::language::Format;
use rebut_format::print::print_value;
use rebut_generators::Choices;
use std::path::{Path, PathBuf};

/// Number of generated inputs of each format.
const INPUTS_EACH: u64 = 8;

/// Maximum length of a text in bytes: a mutation costs time in proportion to it.
const LONGEST: usize = 4_000;

/// The texts that mutations start from.
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
    let source = SourceText::new("format", std::fs::read(path).unwrap());
    let (format, _) = Format::parse(&source).unwrap();
    let plan = GenerationPlan::new(&format);
    let made = |stream: u64| {
        let growth = u32::try_from(stream * 5).unwrap();
        let settings = GenerationSettings { growth, max_elements: 300, max_cases: 4, ..GenerationSettings::default() };
        generate_value(&plan, &mut Choices::from_seed(1, stream), &settings)
            .ok()
            .map(|made| print_value(&format, &made.value))
    };
    let inputs: Vec<Vec<u8>> = (0..INPUTS_EACH).filter_map(made).filter(|bytes| bytes.len() <= LONGEST).collect();
    assert!(!inputs.is_empty(), "{} has no small input", path.display());
    drop(plan);
    (format, inputs)
}

/// Returns the files with an extension below a folder, sorted.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(home().join(folder)).sort_by_file_name();
    let paths = entries.into_iter().map(|entry| entry.unwrap().into_path());
    paths.filter(|path| path.extension().is_some_and(|e| e == ending)).collect()
}
