//! The search for all values with a given number of elements and sum of distances, in the order of their
//! distances.
//!
//! The search proceeds from leaf to leaf, nearest choice first. Decisions that no number announces (where a
//! text ends, which alternative is used) affect the order only after all distances. So their continuations are
//! followed side by side, and a node of the search is a set of prefixes with equal distances.

use super::distance_span::{DistanceSpan, letter_rank};
use super::distinct_bound::distinct_distances;
use super::fold_bounds;
use super::future_ranges::FutureRanges;
use super::layout_walker::LayoutWalker;
use super::leaf_range::{LeafKey, LeafRange, key_after};
use super::linear_relations::ArrayRelations;
use super::prefix::Prefix;
use super::prefix_ranges::PrefixRanges;
use super::remainder::{self, max_leaf_distance};
use super::remainder_bounds::RemainderBounds;
use crate::language::{FieldId, Interval, RangeSource};
use crate::tuning::{MAX_CACHED_DEPTH, MAX_CACHED_PREFIXES, MAX_FRONTIER_NODES, MAX_SEARCH_NODES};
use crate::value::{Value, visit_elements};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// A prefix with the range of its next leaf.
#[derive(Debug)]
struct SearchBranch {
    prefix: Prefix,
    leaf: LeafRange,
    /// Upper bound on the sum of the distances of all leaves after this one.
    max_distance_behind: u128,
    /// Lower keys are known to lead to no value.
    min_key: LeafKey,
    /// Bounds on the leaves outside the array, or the innermost instance, that the leaf belongs to.
    beyond: RemainderBounds,
    /// Relations between the elements of the leaf's array.
    relations: Option<Arc<ArrayRelations>>,
}

/// A prefix to continue with, and the relations of its open array, if they are known already.
pub(super) struct PrefixContinuation {
    prefix: Prefix,
    relations: Option<Arc<ArrayRelations>>,
}

impl From<Prefix> for PrefixContinuation {
    fn from(prefix: Prefix) -> PrefixContinuation {
        PrefixContinuation { prefix, relations: None }
    }
}

/// A prefix with the bounds that do not depend on the remaining distance.
#[derive(Clone, Debug)]
pub(super) struct PrefixBounds {
    pub(super) prefix: Prefix,
    pub(super) leaf: LeafRange,
    /// Bounds on the sum of the distances of the leaf and all later ones.
    min_distance: u128,
    max_distance: u128,
    /// Upper bound on the sum of the distances of all later leaves, independently of this leaf.
    max_distance_behind: u128,
    beyond: RemainderBounds,
    relations: Option<Arc<ArrayRelations>>,
}

/// Prefixes with the same distances.
#[derive(Debug)]
struct SearchNode {
    branches: Vec<SearchBranch>,
    /// The number of elements and the sum of distances that remain for the next leaf and all later ones.
    elements: i128,
    distance: u128,
    /// The next key to try.
    key: LeafKey,
    /// Number of tree nodes in its prefixes.
    tree_nodes: usize,
}

/// The search for all values with one number of elements.
#[derive(Debug)]
pub(super) struct DistanceSearch {
    /// The prefixes of all values up to their first leaf.
    roots: Vec<PrefixBounds>,
    /// Bounds of short prefixes.
    bounds_cache: HashMap<Prefix, Option<PrefixBounds>>,
    elements: i128,
    nodes: Vec<SearchNode>,
    found: VecDeque<Value>,
    /// Minimum amount by which the sum of distances must grow before another value is possible, or `None` if no
    /// further value is.
    pub(super) min_missing_distance: Option<u128>,
    /// Maximum distance of any leaf.
    max_leaf_distance: u128,
    /// Number of tree nodes in the prefixes of all search nodes.
    stack_nodes: usize,
    /// Whether there were more prefixes side by side than can be kept, so that the search is incomplete.
    pub(super) is_too_wide: bool,
}

impl DistanceSearch {
    pub(super) fn new(walker: &LayoutWalker<'_>, elements: i128) -> Self {
        let fields = walker.format.field_ids();
        let max_leaf_distance = fields.map(|f| max_leaf_distance(walker.format, f)).max().unwrap_or(0);
        let mut empty = Vec::new();
        let mut roots = Vec::new();
        for continuation in walker.advance_to_leaf(Prefix::new_empty()).into_iter().map(PrefixContinuation::from) {
            if continuation.prefix.is_complete() {
                empty.push(continuation);
            } else {
                roots.extend(PrefixBounds::for_continuation(walker, continuation, elements));
            }
        }
        let mut search = DistanceSearch {
            roots,
            bounds_cache: HashMap::new(),
            elements,
            nodes: Vec::new(),
            found: VecDeque::new(),
            min_missing_distance: None,
            max_leaf_distance,
            stack_nodes: 0,
            is_too_wide: false,
        };
        search.open_continuations(walker, empty, elements, 0);
        // The path to an input keeps at least one tree node per element.
        search.is_too_wide = walker.has_given_up() || elements > MAX_SEARCH_NODES as i128;
        search.restart_at_distance(0);
        search
    }

    /// Restarts the search for values with another sum of distances.
    pub(super) fn restart_at_distance(&mut self, distance: u128) {
        self.min_missing_distance = None;
        let roots = self.roots.clone();
        let branches = roots.into_iter().filter_map(|root| self.make_branch(root, self.elements, distance)).collect();
        self.push_node(branches, self.elements, distance);
    }

    fn push_node(&mut self, branches: Vec<SearchBranch>, elements: i128, distance: u128) {
        let width = branches.iter().map(|branch| branch.prefix.tree.node_count()).sum();
        self.stack_nodes += width;
        self.nodes.push(SearchNode { branches, elements, distance, key: (0, false), tree_nodes: width });
    }

    /// Performs one step. Returns a value if one has been found.
    ///
    /// # Errors
    /// Returns an error at the end of the search.
    pub(super) fn advance_search(&mut self, walker: &LayoutWalker<'_>) -> Result<Option<Value>, SearchEnded> {
        if let Some(value) = self.found.pop_front() {
            return Ok(Some(value));
        }
        let Some(node) = self.nodes.last_mut() else { return Err(SearchEnded) };
        let Some(key) = node.next_key() else {
            // The node is exhausted: backtrack.
            self.stack_nodes -= self.nodes.pop().map_or(0, |node| node.tree_nodes);
            debug_assert!(!self.nodes.is_empty() || self.stack_nodes == 0, "each node gives back what it keeps");
            return Ok(None);
        };
        // Choose the leaf at this key in every branch that allows it.
        node.key = key_after(key);
        let (elements, distance) = (node.elements - 1, node.distance - key.0);
        let mut continuations: Vec<PrefixContinuation> = Vec::new();
        let mut width = 0;
        let mut tried = Vec::new();
        for (i, branch) in node.branches.iter_mut().enumerate() {
            if branch.leaf.next_key(key) == Some(key) && key >= branch.min_key {
                let more = branch.choose_key(walker, key);
                width += more.iter().map(|continuation| continuation.prefix.tree.node_count()).sum::<usize>();
                continuations.extend(more);
                tried.push(i);
            }
            if width > MAX_FRONTIER_NODES || walker.has_given_up() {
                self.is_too_wide = true;
                return Err(SearchEnded);
            }
        }
        // Descend. If no prefix can be continued, look for the next key that may lead somewhere.
        if !self.open_continuations(walker, continuations, elements, distance) {
            self.skip_dead_keys(walker, &tried, key);
        }
        if self.stack_nodes > MAX_SEARCH_NODES {
            self.is_too_wide = true;
            return Err(SearchEnded);
        }
        Ok(None)
    }

    /// Pushes a node of the prefixes that this many more elements and this much more distance can complete. Returns
    /// false if no prefix qualifies and no complete value was found.
    fn open_continuations(
        &mut self,
        walker: &LayoutWalker<'_>,
        continuations: Vec<PrefixContinuation>,
        elements: i128,
        distance: u128,
    ) -> bool {
        let mut branches = Vec::new();
        let mut found = false;
        for continuation in continuations {
            if continuation.prefix.is_complete() {
                if elements == 0 && distance == 0 && walker.is_valid_input(&continuation.prefix.tree) {
                    self.found.push_back(continuation.prefix.tree);
                    found = true;
                }
            } else {
                let bounds = self.cached_bounds(walker, continuation, elements);
                branches.extend(bounds.and_then(|bounds| self.make_branch(bounds, elements, distance)));
            }
        }
        let continues = !branches.is_empty();
        if continues {
            self.push_node(branches, elements, distance);
        }
        found || continues
    }

    /// Returns the bounds of a prefix. They are cached for the first few leaves, which are the same at every
    /// sum of distances.
    fn cached_bounds(
        &mut self,
        walker: &LayoutWalker<'_>,
        continuation: PrefixContinuation,
        elements: i128,
    ) -> Option<PrefixBounds> {
        if self.elements - elements > MAX_CACHED_DEPTH {
            return PrefixBounds::for_continuation(walker, continuation, elements);
        }
        if let Some(bounds) = self.bounds_cache.get(&continuation.prefix) {
            return bounds.clone();
        }
        let prefix = continuation.prefix.clone();
        let bounds = PrefixBounds::for_continuation(walker, continuation, elements);
        if self.bounds_cache.len() < MAX_CACHED_PREFIXES {
            self.bounds_cache.insert(prefix, bounds.clone());
        }
        bounds
    }

    /// Returns a branch for a prefix, or `None` if the distance cannot be used up exactly. Then the missing
    /// distance is recorded.
    fn make_branch(&mut self, bounds: PrefixBounds, elements: i128, distance: u128) -> Option<SearchBranch> {
        let PrefixBounds { min_distance: nearest, max_distance: farthest, .. } = bounds;
        if distance < nearest {
            self.record_missing(nearest - distance);
            return None;
        }
        if distance > farthest {
            return None;
        }
        let PrefixBounds { prefix, leaf, max_distance_behind: behind, beyond, relations, .. } = bounds;
        // The later leaves can use up at most `slack`, so the leaf itself has to be at least as far as the rest.
        let most = self.max_leaf_distance.saturating_mul((elements - 1).unsigned_abs());
        let slack = farthest.saturating_sub(leaf.distance_span().min_distance()).min(behind).min(most);
        // A leaf beyond the remaining distance becomes possible once the sum of distances has grown.
        if let Some((farther, _)) = leaf.next_key((distance.saturating_add(1), false)) {
            self.record_missing(farther - distance);
        }
        leaf.next_key((distance.saturating_sub(slack), false)).filter(|key| key.0 <= distance)?;
        Some(SearchBranch { prefix, leaf, max_distance_behind: slack, min_key: (0, false), beyond, relations })
    }

    /// Advances branches in which a choice led nowhere to the next key that is not ruled out.
    fn skip_dead_keys(&mut self, walker: &LayoutWalker<'_>, tried: &[usize], key: LeafKey) {
        let Some(mut node) = self.nodes.pop() else { return };
        for i in tried {
            let Some(branch) = node.branches.get_mut(*i) else { continue };
            // If the next key is the number at the same distance below the simplest, it is tried without a search.
            let next = branch.leaf.next_key(key_after(key));
            if let Some((from, false)) = next {
                branch.min_key = self.next_possible_key(walker, branch, from, node.distance, node.elements);
            }
        }
        self.nodes.push(node);
    }

    /// Returns the first distance from `from` on at which ranges alone do not rule out a branch. It is found by
    /// doubling steps and bisection, and may still lead nowhere.
    fn next_possible_key(
        &mut self,
        walker: &LayoutWalker<'_>,
        branch: &SearchBranch,
        from: u128,
        distance: u128,
        elements: i128,
    ) -> LeafKey {
        let last = branch.leaf.distance_span().max_distance().min(distance);
        let (mut lo, mut width) = (from, 1);
        while lo <= last {
            let mut hi = last.min(lo.saturating_add(width - 1));
            if self.is_range_possible(walker, branch, (lo, hi), distance, elements) {
                // Bisect for the first distance in this window.
                while lo < hi {
                    let middle = lo + (hi - lo) / 2;
                    if self.is_range_possible(walker, branch, (lo, middle), distance, elements) {
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

    /// Returns true if a branch is not ruled out with its leaf at a distance within a range.
    fn is_range_possible(
        &mut self,
        walker: &LayoutWalker<'_>,
        branch: &SearchBranch,
        (nearest, farthest): (u128, u128),
        distance: u128,
        elements: i128,
    ) -> bool {
        [false, true].into_iter().any(|below| {
            let numbers = branch.leaf.distance_span().numbers_at_distances(nearest, farthest, below);
            let Some((least, most)) = branch.distances_behind(walker, numbers, elements) else { return false };
            let least = least.saturating_add(nearest);
            if distance < least && least < u128::MAX {
                self.record_missing(least - distance);
            }
            least <= distance && distance <= most.saturating_add(farthest)
        })
    }

    /// Records an amount by which the distance could be increased to find more values.
    fn record_missing(&mut self, distance: u128) {
        self.min_missing_distance = Some(self.min_missing_distance.map_or(distance, |least| least.min(distance)));
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SearchEnded;

impl SearchNode {
    /// Returns the next key at which some branch has a number that leaves no more distance than the later
    /// leaves can use up.
    fn next_key(&self) -> Option<LeafKey> {
        let keys = self.branches.iter().filter_map(|branch| {
            let nearest = (self.distance.saturating_sub(branch.max_distance_behind), false);
            branch.leaf.next_key(self.key.max(nearest).max(branch.min_key))
        });
        keys.min().filter(|key| key.0 <= self.distance)
    }
}

impl PrefixBounds {
    /// Returns the bounds of a prefix with this many elements left, or `None` if no input continues it.
    pub(super) fn for_continuation(
        walker: &LayoutWalker<'_>,
        continuation: PrefixContinuation,
        elements: i128,
    ) -> Option<PrefixBounds> {
        let PrefixContinuation { prefix, relations } = continuation;
        // Bounds from ranges: the rest of the field, of its instance, and of everything around that.
        let field = prefix.next?;
        let around = remainder::bound_outside(walker, &prefix);
        let own = FieldRemainder::for_field(walker, &prefix, field);
        let total = around.combined_with(own.rest_of_instance).combined_with(own.remaining);
        if !total.elements.contains_value(elements) {
            return None;
        }
        let mut leaf = LeafRange::for_prefix(walker, &prefix, elements, &around)?;
        // Must precede the narrowing by relations, which only applies to this one element.
        let distinct = distinct_distances(walker, &prefix, &leaf);
        let beyond =
            if walker.format.field(field).is_scalar() { around } else { around.combined_with(own.rest_of_instance) };
        let relations = relations.or_else(|| ArrayRelations::new(walker, &prefix, field).map(Arc::new));
        let mut nearest = total.min_distance.max(fold_bounds::min_spanning_distance(walker, &prefix));
        let others =
            own.single.repeated_by(Interval::new(own.remaining.elements.lo - 1, own.remaining.elements.hi - 1));
        let mut behind = around.combined_with(own.rest_of_instance).max_distance.saturating_add(others.max_distance);
        // Relations narrow the leaf, and bound the later elements of its array.
        if let Some(relations) = &relations {
            let left =
                own.with_chosen(&prefix, walker, |chosen| relations.bound_remaining(chosen, leaf.range, own.span))?;
            leaf.range = left.next;
            nearest = nearest.max(
                beyond
                    .min_distance
                    .saturating_add(left.min_distance)
                    .saturating_add(leaf.distance_span().min_distance()),
            );
            behind = behind.min(beyond.max_distance.saturating_add(left.max_distance));
        }
        let mut farthest = total.max_distance.min(behind.saturating_add(leaf.distance_span().max_distance()));
        // Distinct elements cannot all be near.
        if let Some((least, most)) = distinct {
            nearest = nearest.max(beyond.min_distance.saturating_add(least));
            farthest = farthest.min(beyond.max_distance.saturating_add(most));
        }
        let bounds = PrefixBounds {
            prefix,
            leaf,
            min_distance: nearest,
            max_distance: farthest,
            max_distance_behind: behind,
            beyond,
            relations,
        };
        (nearest < u128::MAX).then_some(bounds)
    }
}

/// Bounds on the rest of the next leaf's field, and on the rest of its instance.
struct FieldRemainder {
    /// All remaining elements of the field, the next one included.
    remaining: RemainderBounds,
    /// One of these elements.
    single: RemainderBounds,
    span: DistanceSpan,
    rest_of_instance: RemainderBounds,
}

impl FieldRemainder {
    fn for_field(walker: &LayoutWalker<'_>, prefix: &Prefix, field: FieldId) -> FieldRemainder {
        prefix.with_innermost(walker.format, |scope| {
            let known = PrefixRanges { scope, prefix };
            let future = FutureRanges::new(walker, &known, None);
            let info = walker.format.field(field);
            let span = DistanceSpan::for_range(walker.format, field, future.value_range(field));
            let value = scope.slot_value(info.slot).filter(|_| !info.is_scalar());
            let count =
                value.map_or(Interval::from_value(1), |value| remainder::remaining_elements(field, value, &future));
            let left = fold_bounds::bound_elements(field, count, (value, None), &future);
            let beside = remainder::bound_inside(&future, Some(field));
            FieldRemainder {
                remaining: left,
                single: RemainderBounds::of_element(span),
                span,
                rest_of_instance: beside,
            }
        })
    }

    /// Calls `f` with the chosen elements of the array.
    fn with_chosen<T>(&self, prefix: &Prefix, walker: &LayoutWalker<'_>, f: impl FnOnce(&[i128]) -> T) -> T {
        prefix.with_innermost(walker.format, |scope| {
            let mut chosen = Vec::new();
            let field = prefix.next;
            let value = field.and_then(|field| scope.slot_value(walker.format.field(field).slot));
            if let (Some(field), Some(value)) = (field, value) {
                visit_elements(value, &mut |code| chosen.push(letter_rank(walker.format, field, code)));
            }
            f(&chosen)
        })
    }
}

impl SearchBranch {
    /// Returns the continuations after a choice, which are empty if it breaks a constraint.
    fn choose_key(&mut self, walker: &LayoutWalker<'_>, key: LeafKey) -> Vec<PrefixContinuation> {
        let field = self.leaf.field;
        self.prefix.choose_leaf(walker.format, field, self.leaf.code_at_key(walker, key));
        let fits = walker.pruner.leaf_fits(&self.prefix, field);
        let continuations = if fits { walker.advance_to_leaf(self.prefix.clone()) } else { Vec::new() };
        self.prefix.undo_leaf(walker.format, field);
        let depth = self.prefix.spine.len();
        // Relations stay valid within the same array, but not in the array of the next instance.
        let is_same = |continuation: &Prefix| {
            let info = walker.format.field(field);
            let goes_on = !info.is_scalar() && continuation.next == Some(field) && continuation.spine.len() == depth;
            goes_on
                && continuation.with_innermost(walker.format, |scope| {
                    scope.slot_value(info.slot).is_some_and(|array| array.element_count() > 0)
                })
        };
        let with_relations = |prefix: Prefix| {
            let relations = if is_same(&prefix) { self.relations.clone() } else { None };
            PrefixContinuation { prefix, relations }
        };
        continuations.into_iter().map(with_relations).collect()
    }

    /// Returns bounds on the sum of the distances of the later leaves if this leaf is within a range, or `None` if
    /// they cannot be completed.
    fn distances_behind(&self, walker: &LayoutWalker<'_>, numbers: Interval, elements: i128) -> Option<(u128, u128)> {
        if numbers.is_empty() {
            return None;
        }
        let field = self.leaf.field;
        if let Some(relations) = &self.relations {
            let own = FieldRemainder::for_field(walker, &self.prefix, field);
            let left =
                own.with_chosen(&self.prefix, walker, |chosen| relations.bound_remaining(chosen, numbers, own.span))?;
            let (nearest, farthest) = (self.beyond.min_distance, self.beyond.max_distance);
            return Some((nearest.saturating_add(left.min_distance), farthest.saturating_add(left.max_distance)));
        }
        if !walker.format.field(field).is_scalar() {
            return self.distances_behind_element(walker, numbers);
        }
        if !walker.pruner.of_field(field).has_effects {
            return Some((0, u128::MAX));
        }
        self.prefix.with_innermost(walker.format, |scope| {
            let known = PrefixRanges { scope, prefix: &self.prefix };
            let future = FutureRanges::new(walker, &known, Some((field, numbers)));
            let rest = remainder::bound_inside(&future, Some(field)).combined_with(self.beyond);
            let in_size = rest.elements.contains_value(elements - 1);
            let mut comparisons = walker.pruner.comparisons_on(field);
            let can_hold = comparisons.all(|(comparison, home)| future.could_hold(comparison, home, field));
            (in_size && can_hold).then_some((rest.min_distance, rest.max_distance))
        })
    }
    /// The same for an element of an array.
    fn distances_behind_element(&self, walker: &LayoutWalker<'_>, numbers: Interval) -> Option<(u128, u128)> {
        let field = self.leaf.field;
        if walker.pruner.of_field(field).fold_comparisons.is_empty() {
            return Some((0, u128::MAX));
        }
        self.prefix.with_innermost(walker.format, |scope| {
            let known = PrefixRanges { scope, prefix: &self.prefix };
            let future = FutureRanges::new(walker, &known, None);
            let value = scope.slot_value(walker.format.field(field).slot)?;
            let left = remainder::remaining_elements(field, value, &future);
            let others = Interval::new(left.lo - 1, left.hi - 1);
            let rest = fold_bounds::bound_elements(field, others, (Some(value), Some(numbers)), &future)
                .combined_with(self.beyond);
            (rest.min_distance < u128::MAX).then_some((rest.min_distance, rest.max_distance))
        })
    }
}
