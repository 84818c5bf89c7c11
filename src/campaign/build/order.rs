//! What is to be made: an entry of a recipe, with everything in it looked up.

use super::super::bench::Validator;
use crate::corpus::digest;
use crate::format::Format;
use crate::generate::Extreme;
use crate::run::Program;

/// One entry of a recipe, ready to be made.
pub struct Order {
    /// The folder of its tests below `data/`.
    pub folder: String,
    /// How many inputs it makes, where that is known before.
    pub count: u32,
    /// What its files are called, but for a number where there are several.
    pub stem: String,
    /// How its inputs are made.
    pub making: Making,
    /// What its inputs follow: the problem's format and what the recipe demands.
    pub format: Option<Format>,
    /// The validators that the format names: whatever is drawn has to pass them.
    pub validators: Vec<Validator>,
    /// Where its random choices begin.
    pub seed: u64,
    /// Whether the recipe itself names the seed.
    pub has_own_seed: bool,
    /// The digest of everything that decides its inputs, but for their number.
    pub key: String,
    /// The answer that is stated for it.
    pub answer: Option<Stated>,
}

/// How inputs are made.
pub enum Making {
    /// Drawn from the format.
    Drawn(Drawn),
    /// All inputs of the order's format.
    Every,
    /// By a program.
    Program {
        /// The program.
        program: Program,
        /// Its arguments, with `{seed}` and `{name}`.
        arguments: Vec<String>,
    },
    /// These bytes.
    Bytes(Vec<u8>),
    /// As another order's.
    Copy(usize),
}

/// How inputs are drawn.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// Shapes, taken in turn; none for any.
    pub shapes: Vec<String>,
    /// How many cases an input has, if it is put together of single ones.
    pub cases: Option<u32>,
    /// How large the first case and the last one are, in percent.
    pub growth: (u32, u32),
    /// Sizes at one end of what is allowed.
    pub extreme: Option<Extreme>,
}

/// An answer that somebody stated.
#[derive(Clone, Debug)]
pub struct Stated {
    /// Where it stands.
    pub origin: String,
    /// The answer.
    pub bytes: Vec<u8>,
}

/// A submission that has to be right.
pub struct Accepted {
    /// Its name.
    pub name: String,
    /// The program.
    pub program: Program,
}

impl Order {
    /// What it is called in messages.
    pub fn title(&self) -> String {
        format!("{}/{}", self.folder, self.stem)
    }

    /// The digest of everything that decides the input of that number.
    pub(super) fn input_key(&self, index: usize) -> String {
        digest(&[self.key.as_bytes(), &index.to_le_bytes()])
    }

    /// What makes the input of that number, in a word or two.
    pub(super) fn shape(&self, index: usize) -> String {
        match &self.making {
            Making::Drawn(Drawn { shapes, .. }) if shapes.is_empty() => "mixture".to_owned(),
            Making::Drawn(Drawn { shapes, cases: Some(_), .. }) => shapes.join(", "),
            Making::Drawn(Drawn { shapes, .. }) => shapes[index % shapes.len()].clone(),
            Making::Every => "every input".to_owned(),
            Making::Program { program, .. } => program.display_name().to_owned(),
            Making::Bytes(_) => "given".to_owned(),
            Making::Copy(_) => "copy".to_owned(),
        }
    }

    /// The digest of the last input of those of which the number is not known before.
    pub(super) fn last_key(&self, index: usize) -> String {
        digest(&[self.key.as_bytes(), &index.to_le_bytes(), b"last"])
    }
}
