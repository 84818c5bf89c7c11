//! Whole input files of the problems that are shipped.
//!
//! Some answers turn on a coincidence that no general shape would hit: two chips that meet one step from a wall, a
//! line that lacks one stone in its middle. Such an input is built on purpose, by somebody who knows the game.

use crate::choices::Choices;

/// A named kind of input file of one problem.
#[derive(Debug)]
pub struct Bespoke {
    /// What recipes call it: the problem's id, a slash, the kind.
    pub name: &'static str,
    /// What it makes, in one line.
    pub doc: &'static str,
    /// Makes one valid file with exactly one case, small at growth 0 and as large as the limits allow at 100.
    pub make: fn(&mut Choices, u32) -> String,
}

impl Bespoke {
    /// The problem's id: the name up to the slash.
    #[must_use]
    pub fn problem(&self) -> &'static str {
        self.name.split_once('/').map_or(self.name, |(problem, _)| problem)
    }

    /// One valid file with exactly one case, small at growth 0 and as large as the limits allow at 100.
    #[must_use]
    pub fn make(&self, c: &mut Choices, growth: u32) -> String {
        (self.make)(c, growth)
    }
}

/// Every bespoke kind of file.
pub const BESPOKE: &[Bespoke] = &[];
