//! A test job: an entry of a recipe with everything in it resolved.

use crate::event::BuildFlawKind;
use crate::inputs::InputValidator;
use crate::judging::JudgeSetup;
use rebut_diagnostics::Error;
use rebut_format::generate::Extreme;
use rebut_format::language::Format;
use rebut_packages::digest_parts;
use rebut_sandbox::Program;
use serde::{Deserialize, Serialize};

/// An entry of a recipe with everything in it resolved.
pub struct TestJob {
    /// Folder of its tests, relative to `data/`.
    pub folder: String,
    /// Number of inputs, if it is known in advance.
    pub count: u32,
    /// Whether its inputs are candidates, of which only some become tests.
    pub is_candidate: bool,
    /// Stem of the names of its files, which are numbered if there are several.
    pub stem: String,
    /// How its inputs are made.
    pub method: InputMethod,
    /// Format of the inputs: that of the problem with the restrictions in the recipe.
    pub format: Option<Format>,
    /// Validators that the format names, which all generated inputs must pass.
    pub validators: Vec<InputValidator>,
    /// Seed of its random choices.
    pub seed: u64,
    /// Whether the recipe states the seed.
    pub has_own_seed: bool,
    /// Digest that identifies the inputs, except for their index.
    pub key: String,
    /// The answer stated in the recipe, if any.
    pub answer: Option<StatedAnswer>,
    /// The condition on drawn inputs that submissions decide, if any.
    pub finder: Option<InputFinder>,
}

/// A condition on inputs that submissions decide.
pub struct InputFinder {
    /// The program that stands for them, named after the condition.
    pub program: Program,
    /// Rejects the program on the inputs that meet the condition.
    pub judge_setup: JudgeSetup,
}

/// How inputs are made.
pub enum InputMethod {
    /// Generated from the format.
    Draw(DrawSettings),
    /// All inputs of the job's format.
    Exhaustive,
    /// Printed by a generator program.
    Program {
        /// The program.
        program: Program,
        /// Its arguments, with the placeholders `{seed}` and `{name}`.
        arguments: Vec<String>,
    },
    /// The given bytes.
    Bytes(Vec<u8>),
    /// Copied from the job with this index.
    Copy(usize),
    /// The patterns on which the submissions that must be too slow do the most work.
    Slow,
}

/// How inputs are generated from a format.
#[derive(Clone, Debug)]
pub struct DrawSettings {
    /// Shapes, which take turns; empty for any shape.
    pub shapes: Vec<String>,
    /// Number of cases in an input, if it is merged from single cases.
    pub cases: Option<u32>,
    /// Growth of the first and the last case, in percent.
    pub growth: (u32, u32),
    /// Whether all sizes are minimal or maximal.
    pub extreme: Option<Extreme>,
    /// Tokens that the reference has to print for each input, or for each case if they are drawn one by one.
    pub answer: Option<Vec<String>>,
}

/// An answer stated in a recipe or in a file.
#[derive(Clone, Debug)]
pub struct StatedAnswer {
    /// Name of the file that states it.
    pub origin: String,
    /// The answer.
    pub bytes: Vec<u8>,
}

/// A submission that must be accepted.
pub struct AcceptedSubmission {
    /// Its name.
    pub name: String,
    /// The program.
    pub program: Program,
}

impl TestJob {
    /// Returns the name shown in messages.
    pub fn display_name(&self) -> String {
        format!("{}/{}", self.folder, self.stem)
    }

    pub(super) fn input_key(&self, index: usize) -> String {
        digest_parts(&[self.key.as_bytes(), &index.to_le_bytes()])
    }

    /// Returns the shape or the source of the input with the given index, as reported.
    pub(super) fn input_shape(&self, index: usize) -> String {
        match &self.method {
            InputMethod::Draw(DrawSettings { shapes, .. }) if shapes.is_empty() => "mixture".to_owned(),
            InputMethod::Draw(DrawSettings { shapes, cases: Some(_), .. }) => shapes.join(", "),
            InputMethod::Draw(DrawSettings { shapes, .. }) => shapes[index % shapes.len()].clone(),
            InputMethod::Exhaustive => "every input".to_owned(),
            InputMethod::Program { program, .. } => program.display_name().to_owned(),
            InputMethod::Bytes(_) => "given".to_owned(),
            InputMethod::Copy(_) => "copy".to_owned(),
            InputMethod::Slow => "slow".to_owned(),
        }
    }

    /// Returns the key of the last input, if the number of inputs is not known in advance.
    pub(super) fn last_input_key(&self, index: usize) -> String {
        digest_parts(&[self.key.as_bytes(), &index.to_le_bytes(), b"last"])
    }
}

// A newly made input of a test set.

/// A newly made input.
#[derive(Clone, Debug, Default)]
pub(super) struct NewInput {
    pub(super) bytes: Vec<u8>,
    /// Whether its generator prints the same input for another seed.
    pub(super) ignores_seed: bool,
    /// The shape that formed it, if it was drawn in one piece.
    pub(super) shape: Option<String>,
}

/// Why an input could not be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct InputFailure {
    pub(super) kind: BuildFlawKind,
    pub(super) message: String,
    pub(super) note: String,
}

/// Why an input was not made.
pub(super) enum MakeError {
    /// The system failed, or the user interrupted.
    System(Error),
    /// The recipe or a judge program is to blame.
    Flaw(InputFailure),
}

impl From<Error> for MakeError {
    fn from(error: Error) -> MakeError {
        MakeError::System(error)
    }
}

impl From<InputFailure> for MakeError {
    fn from(flaw: InputFailure) -> MakeError {
        MakeError::Flaw(flaw)
    }
}

impl InputFailure {
    pub(super) fn new(kind: BuildFlawKind, message: String, note: String) -> InputFailure {
        InputFailure { kind, message, note }
    }

    pub(super) fn not_generated(message: impl Into<String>) -> InputFailure {
        InputFailure::new(BuildFlawKind::NotGenerated, message.into(), String::new())
    }
}
