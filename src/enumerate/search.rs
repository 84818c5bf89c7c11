//! All values of one number of elements and one sum of distances, in the order of their distances.
//!
//! The search goes from leaf to leaf, the nearest choice first. What no number announces (where a text ends, which
//! alternative it is) adds nothing to the order until the distances of both are used up; so all ways to go on are
//! followed side by side, and a node of the search is a set of prefixes of equal distances.

use super::apart::Apart;
use super::folds;
use super::known::Known;
use super::leaf::{Key, Leaf, Span, after, rank};
use super::outlook::Outlook;
use super::prefix::Prefix;
use super::relations::Relations;
use super::rest::{self, Rest, reach};
use super::spanning;
use super::walk::Walk;
use crate::format::{FieldId, Interval, Ranges};
use crate::value::{Value, each_element};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// A prefix, and what its next leaf can be.
#[derive(Debug)]
struct Branch {
    prefix: Prefix,
    leaf: Leaf,
    /// The largest sum of distances of all that comes behind that leaf.
    slack: u128,
    /// Nothing is found at a key below this one.
    floor: Key,
    /// What comes outside of the array, or of the innermost instance, that the leaf belongs to.
    beyond: Rest,
    /// What ties the elements of the array that the leaf belongs to.
    relations: Option<Arc<Relations>>,
}

/// A prefix that goes on, and what ties the elements of its open array, if that is known already.
pub(super) struct Way {
    prefix: Prefix,
    relations: Option<Arc<Relations>>,
}

impl From<Prefix> for Way {
    fn from(prefix: Prefix) -> Way {
        Way { prefix, relations: None }
    }
}

/// A prefix, and what is known of it whatever distance is left.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    pub(super) prefix: Prefix,
    pub(super) leaf: Leaf,
    /// Bounds on the sum of distances of the leaf and all behind it.
    nearest: u128,
    farthest: u128,
    /// The largest sum of distances of all behind the leaf, as far as it does not depend on the leaf.
    behind: u128,
    beyond: Rest,
    relations: Option<Arc<Relations>>,
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
    /// How many parts its prefixes have.
    width: usize,
}

/// A search for all values of one size.
#[derive(Debug)]
pub(super) struct Search {
    /// The beginnings of all values.
    roots: Vec<Outline>,
    /// What is known of short prefixes.
    outlines: HashMap<Prefix, Option<Outline>>,
    elements: i128,
    nodes: Vec<Node>,
    found: VecDeque<Value>,
    /// By how much the sum of distances must grow at least before there can be another value; none if there is none.
    pub(super) missing: Option<u128>,
    /// The largest distance that any leaf can have.
    reach: u128,
    /// How many parts the prefixes of all nodes have.
    parts: usize,
    /// Whether there were more ways side by side than can be kept: what is found then is not all.
    pub(super) is_too_wide: bool,
}

/// So many parts of prefixes are followed side by side; formats with many empty lines would need memory without end.
const MOST_WIDE: usize = 500_000;

/// What is known of a prefix is kept if no more leaves of it are chosen, and for no more prefixes.
const MAX_DEPTH_KEPT: i128 = 2;
const MAX_KEPT: usize = 10_000;
/// Maximum number of parts of the prefixes of all nodes together. Each node on the way to an input keeps what is chosen up to
/// there, so inputs of some thousand elements come to it.
const MAX_PARTS: usize = 12_000_000;

impl Search {
    pub(super) fn new(walk: &Walk<'_>, elements: i128) -> Self {
        let fields = (0..walk.format.fields.len()).map(FieldId);
        let reach = fields.map(|f| reach(walk.format, f)).max().unwrap_or(0);
        let mut empty = Vec::new();
        let mut roots = Vec::new();
        for way in walk.settle(Prefix::empty()).into_iter().map(Way::from) {
            if way.prefix.is_whole() {
                empty.push(way);
            } else {
                roots.extend(Outline::of(walk, way, elements));
            }
        }
        let mut search = Search {
            roots,
            outlines: HashMap::new(),
            elements,
            nodes: Vec::new(),
            found: VecDeque::new(),
            missing: None,
            reach,
            parts: 0,
            is_too_wide: false,
        };
        search.open(walk, empty, elements, 0);
        // A way to an input keeps a part for each element at least.
        search.is_too_wide = walk.has_given_up() || elements > MAX_PARTS as i128;
        search.begin(0);
        search
    }

    /// Begins anew, for values of the same number of elements at another sum of distances.
    pub(super) fn begin(&mut self, distance: u128) {
        self.missing = None;
        let roots = self.roots.clone();
        let branches = roots.into_iter().filter_map(|root| self.branch(root, self.elements, distance)).collect();
        self.push_node(branches, self.elements, distance);
    }

    fn push_node(&mut self, branches: Vec<Branch>, elements: i128, distance: u128) {
        let width = branches.iter().map(|branch| branch.prefix.tree.nodes()).sum();
        self.parts += width;
        self.nodes.push(Node { branches, elements, distance, key: (0, false), width });
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
            self.parts -= self.nodes.pop().map_or(0, |node| node.width);
            return Ok(None);
        };
        node.key = after(key);
        let (elements, distance) = (node.elements - 1, node.distance - key.0);
        let mut ways: Vec<Way> = Vec::new();
        let mut width = 0;
        let mut tried = Vec::new();
        for (i, branch) in node.branches.iter_mut().enumerate() {
            if branch.leaf.next_key(key) == Some(key) && key >= branch.floor {
                let more = branch.choose(walk, key);
                width += more.iter().map(|way| way.prefix.tree.nodes()).sum::<usize>();
                ways.extend(more);
                tried.push(i);
            }
            if width > MOST_WIDE || walk.has_given_up() {
                self.is_too_wide = true;
                return Err(Ended);
            }
        }
        if !self.open(walk, ways, elements, distance) {
            self.skip(walk, &tried, key);
        }
        if self.parts > MAX_PARTS {
            self.is_too_wide = true;
            return Err(Ended);
        }
        Ok(None)
    }

    /// Goes on with the prefixes for which so much can be left. Whether there is one, or a value was found.
    fn open(&mut self, walk: &Walk<'_>, ways: Vec<Way>, elements: i128, distance: u128) -> bool {
        let mut branches = Vec::new();
        let mut found = false;
        for way in ways {
            if way.prefix.is_whole() {
                if elements == 0 && distance == 0 && walk.is_input(&way.prefix.tree) {
                    self.found.push_back(way.prefix.tree);
                    found = true;
                }
            } else {
                let outline = self.outline(walk, way, elements);
                branches.extend(outline.and_then(|outline| self.branch(outline, elements, distance)));
            }
        }
        let goes_on = !branches.is_empty();
        if goes_on {
            self.push_node(branches, elements, distance);
        }
        found || goes_on
    }

    /// What is known of a prefix. The first few leaves are the same at every sum of distances: of these it is kept.
    fn outline(&mut self, walk: &Walk<'_>, way: Way, elements: i128) -> Option<Outline> {
        if self.elements - elements > MAX_DEPTH_KEPT {
            return Outline::of(walk, way, elements);
        }
        if let Some(outline) = self.outlines.get(&way.prefix) {
            return outline.clone();
        }
        let prefix = way.prefix.clone();
        let outline = Outline::of(walk, way, elements);
        if self.outlines.len() < MAX_KEPT {
            self.outlines.insert(prefix, outline.clone());
        }
        outline
    }

    /// A prefix of which so much distance can be left; none if it cannot.
    fn branch(&mut self, outline: Outline, elements: i128, distance: u128) -> Option<Branch> {
        let Outline { nearest, farthest, .. } = outline;
        if distance < nearest {
            self.miss(nearest - distance);
            return None;
        }
        if distance > farthest {
            return None;
        }
        let Outline { prefix, leaf, behind, beyond, relations, .. } = outline;
        let most = self.reach.saturating_mul((elements - 1).unsigned_abs());
        let slack = farthest.saturating_sub(leaf.span().nearest()).min(behind).min(most);
        if let Some((farther, _)) = leaf.next_key((distance.saturating_add(1), false)) {
            self.miss(farther - distance);
        }
        leaf.next_key((distance.saturating_sub(slack), false)).filter(|key| key.0 <= distance)?;
        Some(Branch { prefix, leaf, slack, floor: (0, false), beyond, relations })
    }

    /// Moves branches of which a choice led nowhere on to the next key that may lead further.
    fn skip(&mut self, walk: &Walk<'_>, tried: &[usize], key: Key) {
        let Some(mut node) = self.nodes.pop() else { return };
        for i in tried {
            let Some(branch) = node.branches.get_mut(*i) else { continue };
            // The number of the same distance below the simplest is next.
            let next = branch.leaf.next_key(after(key));
            if let Some((from, false)) = next {
                branch.floor = self.next_possible(walk, branch, from, node.distance, node.elements);
            }
        }
        self.nodes.push(node);
    }

    /// The first distance from one on, by steps that double, at which ranges alone do not rule a branch out. It is not
    /// exact: what it leads to may still lead nowhere.
    fn next_possible(&mut self, walk: &Walk<'_>, branch: &Branch, from: u128, distance: u128, elements: i128) -> Key {
        let last = branch.leaf.span().farthest().min(distance);
        let (mut lo, mut width) = (from, 1);
        while lo <= last {
            let mut hi = last.min(lo.saturating_add(width - 1));
            if self.is_possible(walk, branch, (lo, hi), distance, elements) {
                while lo < hi {
                    let middle = lo + (hi - lo) / 2;
                    if self.is_possible(walk, branch, (lo, middle), distance, elements) {
                        hi = middle;
                    } else {
                        lo = middle + 1;
                    }
                }
                return (lo, false);
            }
            lo = hi.saturating_add(1);
            width = width.saturating_mul(2);
        }
        (distance.saturating_add(1), false)
    }

    /// Whether a branch may lead further at some distance of its leaf within a range.
    fn is_possible(
        &mut self,
        walk: &Walk<'_>,
        branch: &Branch,
        (nearest, farthest): (u128, u128),
        distance: u128,
        elements: i128,
    ) -> bool {
        [false, true].into_iter().any(|below| {
            let numbers = branch.leaf.span().at_distances(nearest, farthest, below);
            let Some((least, most)) = branch.behind(walk, numbers, elements) else { return false };
            let least = least.saturating_add(nearest);
            if distance < least && least < u128::MAX {
                self.miss(least - distance);
            }
            least <= distance && distance <= most.saturating_add(farthest)
        })
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
            branch.leaf.next_key(self.key.max(nearest).max(branch.floor))
        });
        keys.min().filter(|key| key.0 <= self.distance)
    }
}

impl Outline {
    /// What is known of a prefix with so many elements left; none if no input goes on like this.
    pub(super) fn of(walk: &Walk<'_>, way: Way, elements: i128) -> Option<Outline> {
        let Way { prefix, relations } = way;
        let field = prefix.next?;
        let around = rest::outside(walk, &prefix);
        let own = Own::of(walk, &prefix, field);
        let total = around.plus(own.beside).plus(own.left);
        if !total.elements.contains(elements) {
            return None;
        }
        let mut leaf = Leaf::of(walk, &prefix, elements, &around)?;
        // Before relations narrow the range of this one element.
        let apart = Apart::of(walk, &prefix, &leaf);
        let beyond = if walk.format.field(field).is_scalar() { around } else { around.plus(own.beside) };
        let relations = relations.or_else(|| Relations::new(walk, &prefix, field).map(Arc::new));
        let mut nearest = total.nearest.max(spanning::nearest(walk, &prefix));
        let others = own.each.times(Interval::new(own.left.elements.lo - 1, own.left.elements.hi - 1));
        let mut behind = around.plus(own.beside).farthest.saturating_add(others.farthest);
        if let Some(relations) = &relations {
            let left = own.chosen(&prefix, walk, |chosen| relations.left(chosen, leaf.range, own.span))?;
            leaf.range = left.next;
            nearest = nearest.max(beyond.nearest.saturating_add(left.nearest).saturating_add(leaf.span().nearest()));
            behind = behind.min(beyond.farthest.saturating_add(left.farthest));
        }
        let mut farthest = total.farthest.min(behind.saturating_add(leaf.span().farthest()));
        if let Some(apart) = apart {
            nearest = nearest.max(beyond.nearest.saturating_add(apart.nearest));
            farthest = farthest.min(beyond.farthest.saturating_add(apart.farthest));
        }
        let outline = Outline { prefix, leaf, nearest, farthest, behind, beyond, relations };
        (nearest < u128::MAX).then_some(outline)
    }
}

/// What is left of the field of the next leaf, and of the innermost instance beside it.
struct Own {
    /// The elements of the field, the next included.
    left: Rest,
    /// One of them.
    each: Rest,
    span: Span,
    beside: Rest,
}

impl Own {
    fn of(walk: &Walk<'_>, prefix: &Prefix, field: FieldId) -> Own {
        prefix.with_innermost(walk.format, |scope| {
            let known = Known { scope, spine: &prefix.spine };
            let outlook = Outlook::new(walk, &known, None);
            let info = walk.format.field(field);
            let span = Span::of(walk.format, field, outlook.value(field));
            let each = Rest { elements: Interval::point(1), nearest: span.nearest(), farthest: span.farthest() };
            let value = scope.slot(info.slot).filter(|_| !info.is_scalar());
            let count = value.map_or(Interval::point(1), |value| rest::elements_left(field, value, prefix, &outlook));
            let left = folds::elements(walk, field, count, (value, None), &outlook);
            let beside = rest::inside(walk, prefix, scope, &outlook, Some(field));
            Own { left, each, span, beside }
        })
    }

    /// Calls `f` with the elements of the array that are chosen.
    fn chosen<T>(&self, prefix: &Prefix, walk: &Walk<'_>, f: impl FnOnce(&[i128]) -> T) -> T {
        prefix.with_innermost(walk.format, |scope| {
            let mut chosen = Vec::new();
            let field = prefix.next;
            let value = field.and_then(|field| scope.slot(walk.format.field(field).slot));
            if let (Some(field), Some(value)) = (field, value) {
                each_element(value, &mut |code| chosen.push(rank(walk.format, field, code)));
            }
            f(&chosen)
        })
    }
}

impl Branch {
    /// The ways to go on after a choice; none if it breaks a constraint.
    fn choose(&mut self, walk: &Walk<'_>, key: Key) -> Vec<Way> {
        let field = self.leaf.field;
        self.prefix.choose(walk.format, field, self.leaf.at(walk, key));
        let fits = walk.early.leaf_fits(&self.prefix, field);
        let ways = if fits { walk.settle(self.prefix.clone()) } else { Vec::new() };
        self.prefix.undo(walk.format, field);
        let depth = self.prefix.spine.len();
        // The array goes on, and is not that of the next instance.
        let is_same = |way: &Prefix| {
            let info = walk.format.field(field);
            let goes_on = !info.is_scalar() && way.next == Some(field) && way.spine.len() == depth;
            goes_on
                && way.with_innermost(walk.format, |scope| {
                    scope.slot(info.slot).is_some_and(|array| array.elements() > 0)
                })
        };
        let with_relations = |prefix: Prefix| {
            let relations = if is_same(&prefix) { self.relations.clone() } else { None };
            Way { prefix, relations }
        };
        ways.into_iter().map(with_relations).collect()
    }

    /// Bounds on the sum of distances behind the leaf, if it is within a range; none if nothing can come.
    fn behind(&self, walk: &Walk<'_>, numbers: Interval, elements: i128) -> Option<(u128, u128)> {
        if numbers.is_empty() {
            return None;
        }
        let field = self.leaf.field;
        if let Some(relations) = &self.relations {
            let own = Own::of(walk, &self.prefix, field);
            let left = own.chosen(&self.prefix, walk, |chosen| relations.left(chosen, numbers, own.span))?;
            let (nearest, farthest) = (self.beyond.nearest, self.beyond.farthest);
            return Some((nearest.saturating_add(left.nearest), farthest.saturating_add(left.farthest)));
        }
        if !walk.format.field(field).is_scalar() {
            return self.behind_element(walk, numbers);
        }
        if !walk.early.has_effects(field) {
            return Some((0, u128::MAX));
        }
        self.prefix.with_innermost(walk.format, |scope| {
            let known = Known { scope, spine: &self.prefix.spine };
            let outlook = Outlook::new(walk, &known, Some((field, numbers)));
            let rest = rest::inside(walk, &self.prefix, scope, &outlook, Some(field)).plus(self.beyond);
            let in_size = rest.elements.contains(elements - 1);
            let mut comparisons = walk.early.comparisons_on(field);
            let can_hold = comparisons.all(|(comparison, home)| outlook.could_hold(comparison, home, field));
            (in_size && can_hold).then_some((rest.nearest, rest.farthest))
        })
    }
    /// The same for an element of an array.
    fn behind_element(&self, walk: &Walk<'_>, numbers: Interval) -> Option<(u128, u128)> {
        let field = self.leaf.field;
        if walk.early.fold_bounds(field).is_empty() {
            return Some((0, u128::MAX));
        }
        self.prefix.with_innermost(walk.format, |scope| {
            let known = Known { scope, spine: &self.prefix.spine };
            let outlook = Outlook::new(walk, &known, None);
            let value = scope.slot(walk.format.field(field).slot)?;
            let left = rest::elements_left(field, value, &self.prefix, &outlook);
            let others = Interval::new(left.lo - 1, left.hi - 1);
            let rest = folds::elements(walk, field, others, (Some(value), Some(numbers)), &outlook).plus(self.beyond);
            (rest.nearest < u128::MAX).then_some((rest.nearest, rest.farthest))
        })
    }
}
