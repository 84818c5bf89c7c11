//! All values of one number of elements and one sum of distances, in the order of their distances.
//!
//! The search goes from leaf to leaf, the nearest choice first. What no number announces (where a text ends, which
//! alternative it is) adds nothing to the order until the distances of both are used up; so all ways to go on are
//! followed side by side, and a node of the search is a set of prefixes of equal distances.

use super::apart::Apart;
use super::leaf::{Key, Leaf, after};
use super::prefix::Prefix;
use super::rest::{self, reach};
use super::walk::Walk;
use crate::format::FieldId;
use crate::value::Value;
use std::collections::VecDeque;

/// A prefix, and what its next leaf can be.
#[derive(Debug)]
struct Branch {
    prefix: Prefix,
    leaf: Leaf,
    /// The largest sum of distances of all that comes behind that leaf.
    slack: u128,
}

/// Prefixes of the same distances.
#[derive(Debug)]
struct Node {
    branches: Vec<Branch>,
    /// What is left for the next leaf and all behind it.
    elements: i128,
    distance: u128,
    /// The next key to be looked at.
    key: Key,
}

/// A search for all values of one size.
#[derive(Debug)]
pub(super) struct Search {
    nodes: Vec<Node>,
    found: VecDeque<Value>,
    /// By how much the sum of distances must grow at least before there can be another value; none if there is none.
    pub(super) missing: Option<u128>,
    /// The largest distance that any leaf can have.
    reach: u128,
    /// Whether there were more ways side by side than can be kept: what is found then is not all.
    pub(super) is_too_wide: bool,
}

/// So many parts of prefixes are followed side by side; formats with many empty lines would need memory without end.
const MOST_WIDE: usize = 500_000;

impl Search {
    pub(super) fn new(walk: &Walk<'_>, elements: i128, distance: u128) -> Self {
        let fields = (0..walk.format.fields.len()).map(FieldId);
        let reach = fields.map(|f| reach(walk.format, f)).max().unwrap_or(0);
        let mut search = Search { nodes: Vec::new(), found: VecDeque::new(), missing: None, reach, is_too_wide: false };
        search.open(walk, walk.settle(Prefix::empty()), elements, distance);
        search.is_too_wide = walk.has_given_up();
        search
    }

    /// One step: a value, if one is found already.
    ///
    /// # Errors
    /// At the end.
    pub(super) fn step(&mut self, walk: &Walk<'_>) -> Result<Option<Value>, Ended> {
        if let Some(value) = self.found.pop_front() {
            return Ok(Some(value));
        }
        let Some(node) = self.nodes.last_mut() else { return Err(Ended) };
        let Some(key) = node.next_key() else {
            self.nodes.pop();
            return Ok(None);
        };
        node.key = after(key);
        let (elements, distance) = (node.elements - 1, node.distance - key.0);
        let mut ways: Vec<Prefix> = Vec::new();
        let mut width = 0;
        for branch in &mut node.branches {
            if branch.leaf.next_key(key) == Some(key) {
                let more = branch.choose(walk, key);
                width += more.iter().map(|prefix| prefix.tree.nodes()).sum::<usize>();
                ways.extend(more);
            }
            if width > MOST_WIDE || walk.has_given_up() {
                self.is_too_wide = true;
                return Err(Ended);
            }
        }
        self.open(walk, ways, elements, distance);
        Ok(None)
    }

    /// Goes on with the prefixes for which so much can be left.
    fn open(&mut self, walk: &Walk<'_>, prefixes: Vec<Prefix>, elements: i128, distance: u128) {
        let mut branches = Vec::new();
        for prefix in prefixes {
            if prefix.is_whole() {
                if elements == 0 && distance == 0 && walk.is_input(&prefix.tree) {
                    self.found.push_back(prefix.tree);
                }
            } else {
                branches.extend(self.branch(walk, prefix, elements, distance));
            }
        }
        if !branches.is_empty() {
            self.nodes.push(Node { branches, elements, distance, key: (0, false) });
        }
    }

    fn branch(&mut self, walk: &Walk<'_>, prefix: Prefix, elements: i128, distance: u128) -> Option<Branch> {
        let rest = rest::of_prefix(walk.format, &prefix);
        if !rest.elements.contains(elements) {
            return None;
        }
        let leaf = Leaf::of(walk, &prefix, elements)?;
        let saved = walk.early.saved_later(&prefix, leaf.field);
        let mut farthest = rest.farthest.saturating_sub(saved);
        if let Some(apart) = Apart::of(walk, &prefix, &leaf) {
            if distance < apart.nearest {
                if apart.nearest < u128::MAX {
                    self.miss(apart.nearest - distance);
                }
                return None;
            }
            farthest = farthest.saturating_sub(apart.saved);
        }
        if distance > farthest {
            return None;
        }
        let behind = self.reach.saturating_mul((elements - 1).unsigned_abs());
        let nearest = leaf.next_key((0, false)).map_or(0, |key| key.0);
        let unused = rest.farthest.saturating_sub(saved).saturating_sub(reach(walk.format, leaf.field));
        let slack = farthest.saturating_sub(nearest).min(unused).min(behind);
        if let Some((farther, _)) = leaf.next_key((distance.saturating_add(1), false)) {
            self.miss(farther - distance);
        }
        leaf.next_key((distance.saturating_sub(slack), false)).filter(|key| key.0 <= distance)?;
        Some(Branch { prefix, leaf, slack })
    }

    /// So much more distance may lead further.
    fn miss(&mut self, distance: u128) {
        self.missing = Some(self.missing.map_or(distance, |least| least.min(distance)));
    }
}

/// Nothing more is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ended;

impl Node {
    /// The next key at which a branch has something that leaves no more distance than can be used up behind it.
    fn next_key(&self) -> Option<Key> {
        let keys = self.branches.iter().filter_map(|branch| {
            let nearest = (self.distance.saturating_sub(branch.slack), false);
            branch.leaf.next_key(self.key.max(nearest))
        });
        keys.min().filter(|key| key.0 <= self.distance)
    }
}

impl Branch {
    /// The ways to go on after a choice; none if it breaks a constraint.
    fn choose(&mut self, walk: &Walk<'_>, key: Key) -> Vec<Prefix> {
        let field = self.leaf.field;
        self.prefix.choose(walk.format, field, self.leaf.at(walk, key));
        let fits = walk.early.leaf_fits(&self.prefix, field);
        let ways = if fits { walk.settle(self.prefix.clone()) } else { Vec::new() };
        self.prefix.undo(walk.format, field);
        ways
    }
}
