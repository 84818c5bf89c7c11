//! The interface of properties of texts, such as `balanced(s)`. [`crate::constraints`] implements them.

use rebut_generators::Choices;
use std::fmt;
use std::ops::{Deref, RangeInclusive};

/// A kind of constraint on a text or a board of characters.
pub trait TextProperty: Sync {
    /// Returns the name of the predicate in formats.
    fn name(&self) -> &'static str;

    /// Returns the number of dimensions that the property is about: 1 for a text, 2 for a board. A field of more
    /// dimensions has it in each text or board.
    fn dimensions(&self) -> usize;

    /// Returns true if the predicate has a second argument, the characters that it is about.
    fn takes_letters(&self) -> bool;

    /// Checks that the property makes sense for texts over an alphabet.
    ///
    /// # Errors
    /// Returns the reason if it does not.
    fn check_alphabet(&self, alphabet: &[u8], letters: &[u8]) -> Result<(), PropertyMisuse>;

    /// Returns a number that divides the length of each text with the property over this alphabet; 1 if any length is
    /// possible.
    fn length_divisor(&self, alphabet: &[u8]) -> i128 {
        let _ = alphabet;
        1
    }

    /// Returns the first fault of a complete text, or `None` if it has the property.
    fn find_fault(&self, board: &Board<'_>) -> Option<PropertyFault>;

    /// Returns true if more characters at the end can give an incomplete text the property. May err on that side.
    fn can_complete(&self, board: &Board<'_>) -> bool {
        let _ = board;
        true
    }

    /// Changes as few characters as possible for a text to have the property, if a way is found. The first of several
    /// ways is the one of choices that are all zero.
    fn repair_board(&self, rows: &mut [Vec<u8>], space: &LetterSpace<'_>, choices: &mut Choices);

    /// Returns texts without the property that are as near as possible to one that has it, the most telling ones
    /// first. Changes of single characters are tried without being listed.
    fn near_violations(&self, board: &Board<'_>) -> Vec<Vec<Vec<u8>>> {
        let _ = board;
        Vec::new()
    }

    /// Returns the end of the name of an invalid input: `not-balanced`.
    fn violation_name(&self) -> &'static str;

    /// Returns the goals of coverage that texts over an alphabet can reach if their sizes are up to these.
    fn coverage_goals(&self, space: &LetterSpace<'_>, max_sizes: (usize, usize)) -> Vec<PropertyGoal>;
}

/// A property of texts, compared by its name.
#[derive(Clone, Copy)]
pub struct TextPropertyRef(&'static dyn TextProperty);

impl TextPropertyRef {
    /// Refers to a property.
    pub const fn new(property: &'static dyn TextProperty) -> Self {
        TextPropertyRef(property)
    }
}

impl Deref for TextPropertyRef {
    type Target = dyn TextProperty;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl PartialEq for TextPropertyRef {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for TextPropertyRef {}

impl fmt::Debug for TextPropertyRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text or a board to check.
#[derive(Clone, Copy, Debug)]
pub struct Board<'a> {
    pub(crate) rows: &'a [&'a [u8]],
    pub(crate) letters: &'a [u8],
}

impl<'a> Board<'a> {
    /// Creates a board of these rows, a single one for a text, and the characters that the constraint is about.
    pub fn new(rows: &'a [&'a [u8]], letters: &'a [u8]) -> Self {
        Board { rows, letters }
    }
}

/// The texts that a field allows.
#[derive(Clone, Debug)]
pub struct LetterSpace<'a> {
    /// The alphabet, the simplest character first.
    pub alphabet: &'a [u8],
    /// The characters that the constraint is about.
    pub letters: &'a [u8],
    /// The lengths to which a row may be changed, or `None` if lengths are fixed.
    pub lengths: Option<RangeInclusive<usize>>,
}

/// A reason why a text does not have a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyFault {
    /// Row and column of the character that is wrong, or `None` for the whole text.
    pub at: Option<(usize, usize)>,
    /// Explanation, as an incomplete sentence.
    pub message: String,
}

/// A reason why a property makes no sense for a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyMisuse {
    /// The problem, as a message of a diagnostic.
    pub message: String,
    /// How to repair it.
    pub help: String,
}

/// A class of texts with a property that tests should contain.
#[derive(Clone, Copy, Debug)]
pub struct PropertyGoal {
    /// Description, after the name of the field: `nested without siblings`.
    pub description: &'static str,
    /// Returns true if a text with the property belongs to the class.
    pub is_reached: fn(&Board<'_>) -> bool,
}
