//! Structures that tests should contain because of a rule, such as a path among trees.

/// Structures that tests should contain.
#[derive(Clone, Debug)]
pub(crate) struct StructureGoals {
    /// The subject of the structures, as reports name it.
    pub(crate) subject: String,
    /// The description of each structure: `a path`.
    pub(crate) descriptions: Vec<&'static str>,
}

/// The structures in an input, by their descriptions.
#[derive(Clone, Debug, Default)]
pub(crate) struct StructureSet(Vec<&'static str>);

impl StructureSet {
    /// Returns true if the structure occurs.
    pub(crate) fn contains(&self, description: &str) -> bool {
        self.0.contains(&description)
    }

    /// Adds a structure if it occurs.
    pub(crate) fn add_if(&mut self, description: &'static str, occurs: bool) {
        if occurs && !self.contains(description) {
            self.0.push(description);
        }
    }
}

/// The freedom that a rule leaves to the elements of an array, or to the characters of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ElementFreedom {
    /// Each of them is free within bounds, regardless of the others.
    Free,
    /// They are distinct.
    Distinct,
    /// They are in order, possibly with equal ones.
    Ordered,
    /// Anything may be ruled out.
    Unknown,
}
