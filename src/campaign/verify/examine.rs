//! Test cases that are no inputs: a program of the jury looks at the sources of a submission.

use super::super::bench::Trial;
use super::super::referee::JuryProgram;
use crate::diagnostic::Result;
use crate::run::Cancel;

/// A submission, as a static validator is shown it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// Its files by their names.
    pub files: Vec<(String, Vec<u8>)>,
    /// The code of its language.
    pub language: String,
    /// The file or the class that is started; empty where the language has none.
    pub entry_point: String,
}

/// What the static validator says of a submission.
pub(super) fn examined(examiner: &JuryProgram, sources: &Sources, cancel: &Cancel) -> Result<Trial> {
    examiner.examine(&sources.files, [&sources.language, &sources.entry_point], cancel)
}
