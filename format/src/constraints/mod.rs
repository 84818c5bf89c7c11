//! The kinds of constraints, each in one file with everything that follows from it.
//!
//! A [`TextProperty`] is a condition on a text or a board of characters, such as `balanced(s)`. Its file has the check
//! and the words for a violation, the repair that makes generated and shrunk texts satisfy it, violations for invalid
//! inputs, the sentence of the statement, the check in exported validators, and the goals of coverage. Everything
//! else finds it in [`TEXT_PROPERTIES`], so a new kind is its file and a line of the table.
//!
//! ```
//! use rebut_format::constraints::{Board, find_text_property};
//!
//! let balanced = find_text_property("balanced").expect("a kind of constraint");
//! assert!(balanced.find_fault(&Board::new(&[b"(())"], b"")).is_none());
//! let fault = balanced.find_fault(&Board::new(&[b"())("], b"")).expect("a fault");
//! assert_eq!((fault.at, &*fault.message), (Some((0, 2)), "`)` closes nothing"));
//! ```

mod balanced;
mod connected;
#[cfg(test)]
mod tests;

pub use crate::model::{
    Board, LetterSpace, PropertyFault, PropertyGoal, PropertyMisuse, TextProperty, TextPropertyRef,
};

/// All kinds of properties of texts, in the order of the documentation.
pub const TEXT_PROPERTIES: &[TextPropertyRef] =
    &[TextPropertyRef::new(&balanced::Balanced), TextPropertyRef::new(&connected::Connected)];

/// Returns the property with this name in formats.
pub fn find_text_property(name: &str) -> Option<TextPropertyRef> {
    TEXT_PROPERTIES.iter().copied().find(|property| property.name() == name)
}
