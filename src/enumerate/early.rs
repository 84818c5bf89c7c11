//! Constraints are checked as soon as what they speak of is chosen, and given up as soon as they cannot hold any more.
//!
//! All of this only saves work: whether a whole input is valid, [`crate::validate`] says. So a kind of constraint that
//! nothing here knows costs time and no correctness.

use super::folds::{FoldBound, fold_bounds};
use super::known::Known;
use super::prefix::Prefix;
use crate::format::{
    Adjective, BlockId, Comparison, Constraint, Dimension, Edges, Expr, FieldId, Format, Formula, GraphRule, Interval,
    Operator, Over, Ranges, Rule, Sign, bounds_of, instances, narrow, possible,
};
use crate::validate::{broken, edges_of, fault, graph};
use crate::value::{self, Scope, Slots};
use std::collections::HashMap;

/// When each constraint is looked at.
#[derive(Debug)]
pub(super) struct Early<'a> {
    format: &'a Format,
    /// For each field, the constraints that one of its elements can break.
    on_leaf: Vec<Vec<usize>>,
    /// For each field, those of them that speak of all its elements together.
    on_array: Vec<Vec<usize>>,
    /// For each block, the constraints that its list of instances can break.
    on_list: Vec<Vec<usize>>,
    /// For each block, the constraints at home there.
    on_instance: Vec<Vec<usize>>,
    /// For each field, the comparisons with what is chosen before it.
    narrowing: Vec<Vec<usize>>,
    /// For each field, what follows from its comparisons with numbers that are chosen after it: of `l <= r` and `r <= n`
    /// that `l <= n`.
    implied: Vec<Vec<(Comparison, BlockId)>>,
    /// The fields that one of the last two narrows, or whose length is compared.
    narrowed_fields: Vec<FieldId>,
    fold_bounds: Vec<Vec<FoldBound<'a>>>,
    /// For each array, the constraints that speak of single elements of it, or of sums of its rows.
    relating: Vec<Vec<usize>>,
    /// For each field, whether its choice makes a difference to what can be chosen later.
    has_effects: Vec<bool>,
    /// For each field, whether its choice makes a difference to how many elements follow.
    decides_size: Vec<bool>,
}

impl<'a> Early<'a> {
    pub(super) fn new(format: &'a Format) -> Self {
        let idle: Vec<bool> = format.constraints.iter().map(|c| is_idle(format, c)).collect();
        let chosen = |of: &dyn Fn(&Constraint) -> bool| -> Vec<usize> {
            let numbered = format.constraints.iter().enumerate();
            numbered.filter(|(i, c)| !idle[*i] && of(c)).map(|(i, _)| i).collect()
        };
        let fields = || (0..format.fields.len()).map(FieldId);
        let blocks = || (0..format.blocks.len()).map(BlockId);
        let narrowing: Vec<Vec<usize>> = fields().map(|f| chosen(&|c| narrows(format, c, f))).collect();
        let mut implied: Vec<_> = fields().map(|f| implied(format, f)).collect();
        for (comparison, home) in format.constraints.iter().flat_map(|c| implied_by_graph(format, c)) {
            for field in fields().filter(|f| format.field(*f).is_scalar() && comparison.mentions(*f)) {
                implied[field.0].push((comparison.clone(), home));
            }
        }
        let is_narrowed = |f: &FieldId| {
            let by_others = !narrowing[f.0].is_empty() || !implied[f.0].is_empty();
            by_others || format.field(*f).is_free() && format.constraints.iter().any(|c| compares_length(c, *f))
        };
        Early {
            narrowed_fields: fields().filter(is_narrowed).collect(),
            fold_bounds: fields().map(|f| fold_bounds(format, f)).collect(),
            relating: fields().map(|f| chosen(&|c| may_relate(format, c, f))).collect(),
            has_effects: fields().map(|f| has_effects(format, f)).collect(),
            decides_size: decide_sizes(format),
            format,
            on_leaf: fields().map(|f| chosen(&|c| touches_elements(format, &c.rule, f))).collect(),
            on_array: fields()
                .map(|f| chosen(&|c| !format.field(f).is_scalar() && touches(format, &c.rule, f)))
                .collect(),
            on_list: blocks().map(|b| chosen(&|c| speaks_of_list(format, c, b))).collect(),
            on_instance: blocks().map(|b| chosen(&|c| c.home == b)).collect(),
            narrowing,
            implied,
        }
    }

    /// Whether the leaf chosen last breaks nothing.
    pub(super) fn leaf_fits(&self, prefix: &Prefix, field: FieldId) -> bool {
        self.all_fit(&self.on_leaf[field.0], prefix)
    }

    /// The same once the last element of an array is there.
    pub(super) fn array_fits(&self, prefix: &Prefix, field: FieldId) -> bool {
        self.all_fit(&self.on_array[field.0], prefix)
    }

    /// The same once the last instance of a block is there.
    pub(super) fn list_fits(&self, prefix: &Prefix, block: BlockId) -> bool {
        self.all_fit(&self.on_list[block.0], prefix)
    }

    /// The same once the innermost instance is complete.
    pub(super) fn instance_fits(&self, prefix: &Prefix, block: BlockId) -> bool {
        self.all_fit(&self.on_instance[block.0], prefix)
    }

    fn all_fit(&self, constraints: &[usize], prefix: &Prefix) -> bool {
        constraints.is_empty()
            || prefix.with_innermost(self.format, |scope| {
                let known = Known { scope, spine: &prefix.spine };
                constraints.iter().all(|i| fits(&self.format.constraints[*i], &known))
            })
    }

    /// What is left of the range of the next number of a field.
    pub(super) fn range_left(&self, field: FieldId, known: &Known<'_, '_>) -> Interval {
        let stated = self.format.field(field).range;
        self.bounds(field).fold(stated, |range, (comparison, home)| {
            if known.speaks(comparison, home) { narrow(field, range, comparison, known) } else { range }
        })
    }

    /// The fields that are narrowed by what is chosen before them, in the order of the layout.
    pub(super) fn narrowed_fields(&self) -> &[FieldId] {
        &self.narrowed_fields
    }

    /// The comparisons that narrow a field by what is chosen before it, and the blocks that they are at home in.
    pub(super) fn bounds(&self, field: FieldId) -> impl Iterator<Item = (&Comparison, BlockId)> {
        let stated = self.narrowing[field.0].iter().filter_map(|i| match &self.format.constraints[*i] {
            Constraint { rule: Rule::Compare(comparison), home, .. } => Some((comparison, *home)),
            _ => None,
        });
        stated.chain(self.implied[field.0].iter().map(|(comparison, home)| (comparison, *home)))
    }

    /// The bounds on folds over all elements of an array.
    pub(super) fn fold_bounds(&self, field: FieldId) -> &[FoldBound<'a>] {
        &self.fold_bounds[field.0]
    }

    /// The constraints that may relate elements of an array to each other.
    pub(super) fn relating(&self, field: FieldId) -> &[usize] {
        &self.relating[field.0]
    }

    /// The constraints that a single number can break.
    pub(super) fn comparisons_on(&self, field: FieldId) -> impl Iterator<Item = (&Comparison, BlockId)> {
        self.on_leaf[field.0].iter().filter_map(|i| match &self.format.constraints[*i] {
            Constraint { rule: Rule::Compare(comparison), home, .. } => Some((comparison, *home)),
            _ => None,
        })
    }

    /// Whether the choice of a number makes a difference to how many elements follow.
    pub(super) fn decides_size(&self, field: FieldId) -> bool {
        self.decides_size[field.0]
    }

    /// Whether the choice of a number can make a difference to what can be chosen later.
    pub(super) fn has_effects(&self, field: FieldId) -> bool {
        self.has_effects[field.0]
    }

    /// Whether every number that [`range_left`](Early::range_left) leaves satisfies all constraints on the field,
    /// whatever else is chosen.
    pub(super) fn is_independent(&self, field: FieldId, known: &Known<'_, '_>) -> bool {
        self.on_leaf[field.0].iter().all(|i| {
            let Constraint { rule, home, .. } = &self.format.constraints[*i];
            let Rule::Compare(comparison) = rule else { return false };
            self.narrowing[field.0].contains(i)
                && known.speaks(comparison, *home)
                && is_exact_bound(field, comparison, *home, known)
        })
    }
}

/// Whether all fields that a rule speaks of, and when it is decided, are known here. A kind of rule of which that is not
/// so only makes counting slower.
pub(super) fn is_understood(rule: &Rule) -> bool {
    let speaks_of_occurrences = match rule {
        Rule::Distinct(_, over) | Rule::Ordered(_, _, over) => matches!(over, Over::Occurrences(_)),
        _ => false,
    };
    if speaks_of_occurrences || rule.exprs().iter().any(|expr| folds_occurrences(expr)) {
        return false;
    }
    match rule {
        Rule::Compare(_) | Rule::Distinct(..) | Rule::Ordered(..) => true,
        Rule::Graph(graph) => graph.lines().is_some(),
        Rule::Matches(..) | Rule::DistinctTexts(..) | Rule::Formula(_) => false,
    }
}

fn folds_occurrences(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Field(_) | Expr::Length(_) | Expr::Variable(_) | Expr::Letters(_) => false,
        Expr::Element(_, indices) => indices.iter().any(folds_occurrences),
        Expr::Minus(inner) | Expr::Whole(inner) => folds_occurrences(inner),
        Expr::Binary(_, left, right) => folds_occurrences(left) || folds_occurrences(right),
        Expr::Fold(_, over, inner) => matches!(over, Over::Occurrences(_)) || folds_occurrences(inner),
    }
}

/// Whether a rule can be broken by an element of the field, or by what the field sizes.
fn touches(format: &Format, rule: &Rule, field: FieldId) -> bool {
    let ends = match rule {
        Rule::Graph(graph) => graph.lines().is_some_and(|(_, ends)| ends.0 == field || ends.1 == field),
        _ => false,
    };
    ends || rule.mentions(field) || rule.exprs().iter().any(|e| format.depends(e, field))
}

/// The same, but for rules that only its length can break.
fn touches_elements(format: &Format, rule: &Rule, field: FieldId) -> bool {
    let only_length = |e: &Expr| !format.field(field).is_scalar() && !names_elements(e, field);
    touches(format, rule, field)
        && !(matches!(rule, Rule::Compare(_) | Rule::Distinct(..) | Rule::Ordered(..))
            && rule.exprs().into_iter().all(only_length))
}

fn names_elements(expr: &Expr, field: FieldId) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Length(_) | Expr::Variable(_) | Expr::Letters(_) => false,
        Expr::Field(f) => *f == field,
        Expr::Element(f, indices) => *f == field || indices.iter().any(|i| names_elements(i, field)),
        Expr::Minus(inner) | Expr::Fold(_, _, inner) | Expr::Whole(inner) => names_elements(inner, field),
        Expr::Binary(_, left, right) => names_elements(left, field) || names_elements(right, field),
    }
}

/// Whether the instances of a block are spoken of together.
fn speaks_of_list(format: &Format, constraint: &Constraint, block: BlockId) -> bool {
    let runs_over = |over: &Over| format.blocks_of(*over).any(|at| at == block);
    let over = match &constraint.rule {
        Rule::Distinct(_, over) | Rule::Ordered(_, _, over) => runs_over(over),
        Rule::DistinctTexts(_, over) => runs_over(over),
        Rule::Graph(GraphRule { edges: Edges::Lines { block: lines, .. }, .. }) => *lines == block,
        Rule::Graph(GraphRule { edges: Edges::Parents { block: parents, .. }, .. }) => *parents == Some(block),
        Rule::Compare(_) | Rule::Matches(..) | Rule::Formula(_) => false,
    };
    over || constraint.home != block
        && format.is_within(block, constraint.home)
        && constraint.rule.exprs().iter().any(|e| folds_instances(format, e, block))
}

/// Whether an expression folds over the instances of a block.
pub(super) fn folds_instances(format: &Format, expr: &Expr, block: BlockId) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Field(_) | Expr::Length(_) | Expr::Variable(_) | Expr::Letters(_) => false,
        // It may be that of any repetition.
        Expr::Element(..) => true,
        Expr::Minus(inner) | Expr::Whole(inner) => folds_instances(format, inner, block),
        Expr::Binary(_, left, right) => folds_instances(format, left, block) || folds_instances(format, right, block),
        Expr::Fold(_, over, inner) => {
            format.blocks_of(*over).any(|at| at == block) || folds_instances(format, inner, block)
        }
    }
}

/// The ranges before anything is chosen.
fn stated(format: &Format) -> Scope<'_> {
    Scope { format, block: BlockId(0), slots: Slots::Known(&[]), outer: None, variables: &[] }
}

/// Whether the ranges of all fields alone make a comparison hold.
fn is_idle(format: &Format, constraint: &Constraint) -> bool {
    let Rule::Compare(comparison) = &constraint.rule else { return false };
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return false };
    let scope = stated(format);
    let known = Known { scope: &scope, spine: &[] };
    let plain = |e: &Expr| matches!(e, Expr::Constant(_) | Expr::Field(_));
    plain(left) && plain(right) && {
        let (left, right) = (bounds_of(left, &known), bounds_of(right, &known));
        !possible(left, comparison.sign.negated(), right)
    }
}

/// Whether a comparison can leave less of a field's range than is stated: something in it is chosen earlier.
fn narrows(format: &Format, constraint: &Constraint, field: FieldId) -> bool {
    let Rule::Compare(comparison) = &constraint.rule else { return false };
    if !touches(format, &constraint.rule, field) || format.field(field).letters().is_some() {
        return false;
    }
    let mut earlier = false;
    comparison.left.iter().chain(&comparison.right).for_each(|e| e.each_field(&mut |f| earlier |= f.0 < field.0));
    earlier
}

/// Whether a comparison bounds the length of a field.
fn compares_length(constraint: &Constraint, field: FieldId) -> bool {
    let Rule::Compare(comparison) = &constraint.rule else { return false };
    comparison.left.iter().chain(&comparison.right).any(|e| *e == Expr::Length(field))
}

/// Whether a constraint may relate elements of an array to each other: see [`Relations`](super::relations::Relations).
fn may_relate(format: &Format, constraint: &Constraint, field: FieldId) -> bool {
    let info = format.field(field);
    if info.is_scalar() || info.is_free() {
        return false;
    }
    match &constraint.rule {
        Rule::Formula(_) => constraint.rule.mentions(field),
        Rule::Compare(_) => constraint.rule.exprs().iter().any(|e| e.folds(field)),
        _ => false,
    }
}

/// Whether a field has to do with others: it sizes something, or something compares it with a field.
fn has_effects(format: &Format, field: FieldId) -> bool {
    sizes_something(format, field)
        || format.constraints.iter().any(|constraint| {
            let mut others = false;
            constraint.rule.exprs().iter().for_each(|e| e.each_field(&mut |f| others |= f != field));
            touches(format, &constraint.rule, field) && (others || matches!(constraint.rule, Rule::Graph(_)))
        })
}

/// For each field, whether it sizes something, or is compared with a length or a later field that does.
fn decide_sizes(format: &Format) -> Vec<bool> {
    let mut decides: Vec<bool> = (0..format.fields.len()).map(|f| sizes_something(format, FieldId(f))).collect();
    for field in (0..format.fields.len()).rev() {
        decides[field] |= format.constraints.iter().any(|constraint| {
            let mut with_size = false;
            let mut visit = |expr: &Expr| {
                with_size |= matches!(expr, Expr::Length(_));
                expr.each_field(&mut |f| with_size |= f.0 > field && decides[f.0]);
            };
            match &constraint.rule {
                Rule::Compare(comparison) => comparison.left.iter().chain(&comparison.right).for_each(&mut visit),
                Rule::Graph(_) => implied_by_graph(format, constraint)
                    .iter()
                    .flat_map(|(c, _)| c.left.iter().chain(&c.right))
                    .for_each(&mut visit),
                _ => {}
            }
            with_size && constraint.rule.mentions(FieldId(field))
        });
    }
    decides
}

fn sizes_something(format: &Format, field: FieldId) -> bool {
    let mut dimensions = format.fields.iter().flat_map(|f| &f.dimensions);
    dimensions.any(|d| matches!(d, Dimension::Size(size) if size.mentions(field)))
        || format.blocks.iter().any(|block| block.count.mentions(field))
}

/// What a graph says of the numbers of its vertices and edges: a connected one has at most one vertex more than edges.
fn implied_by_graph(format: &Format, constraint: &Constraint) -> Vec<(Comparison, BlockId)> {
    let Rule::Graph(rule) = &constraint.rule else { return Vec::new() };
    let Some((block, _)) = rule.lines() else { return Vec::new() };
    let Some(count) = format.block(block).count.times() else { return Vec::new() };
    let (first, last) = rule.vertices.clone();
    let fewest = Expr::Binary(Operator::Minus, Box::new(last), Box::new(first));
    let mut found = Vec::new();
    if rule.is(Adjective::Connected) {
        found.push((Comparison::new(count.clone(), Sign::GreaterEqual, fewest), constraint.home));
    }
    found
}

/// What follows of comparisons with later numbers of the same block, which are there whenever this one is.
fn implied(format: &Format, field: FieldId) -> Vec<(Comparison, BlockId)> {
    let mut found = Vec::new();
    if format.field(field).letters().is_some() {
        return found;
    }
    // The signs by which the field is compared with others, itself with itself to begin with.
    let mut reached = vec![(field, Sign::Equal)];
    let mut at = 0;
    while let Some((via, sign)) = reached.get(at).copied() {
        at += 1;
        for (other, further, home) in bounds_by(format, via) {
            let Some(sign) = joined(sign, further) else { continue };
            match other {
                Expr::Field(later) if is_beside(format, field, *later) => {
                    if !reached.iter().any(|(known, by)| *known == *later && *by == sign) {
                        reached.push((*later, sign));
                    }
                }
                _ if via == field => {}
                _ => {
                    let mut earlier = true;
                    other.each_field(&mut |f| earlier &= f.0 < field.0);
                    if earlier {
                        found.push((Comparison::new(Expr::Field(field), sign, other.clone()), home));
                    }
                }
            }
        }
    }
    found
}

/// What a field alone is compared with, the sign as if the field stood on the left.
fn bounds_by(format: &Format, field: FieldId) -> impl Iterator<Item = (&Expr, Sign, BlockId)> {
    format.constraints.iter().filter_map(move |constraint| {
        let Rule::Compare(comparison) = &constraint.rule else { return None };
        let other = other_side(format, field, comparison)?;
        let on_left = matches!(&*comparison.left, [Expr::Field(left)] if *left == field);
        Some((other, if on_left { comparison.sign } else { comparison.sign.mirrored() }, constraint.home))
    })
}

/// Whether another number is chosen after a field, and is there whenever the field is.
fn is_beside(format: &Format, field: FieldId, other: FieldId) -> bool {
    let (here, there) = (format.field(field), format.field(other));
    field.0 < other.0 && here.block == there.block && here.is_scalar() && there.is_scalar()
}

/// How the first of three numbers is to the third, if signs tell.
fn joined(first: Sign, second: Sign) -> Option<Sign> {
    use Sign::{Equal, Greater, GreaterEqual, Less, LessEqual};
    match (first, second) {
        (Sign::NotEqual, _) | (_, Sign::NotEqual) => None,
        (Equal, sign) | (sign, Equal) => Some(sign),
        (Less, Less | LessEqual) | (LessEqual, Less) => Some(Less),
        (Greater, Greater | GreaterEqual) | (GreaterEqual, Greater) => Some(Greater),
        (LessEqual, LessEqual) => Some(LessEqual),
        (GreaterEqual, GreaterEqual) => Some(GreaterEqual),
        _ => None,
    }
}

/// Whether a comparison is `field sign other`, the other side being one number that is chosen already.
fn is_exact_bound(field: FieldId, comparison: &Comparison, home: BlockId, known: &Known<'_, '_>) -> bool {
    let format = known.format();
    let Some(other) = other_side(format, field, comparison) else { return false };
    let mut earlier = home == format.field(field).block && comparison.sign != Sign::NotEqual;
    other.each_field(&mut |f| earlier &= f.0 < field.0);
    earlier
        && known.is_settled(other)
        && !value::is_array(other, known.scope)
        && value::number(other, known.scope).is_ok()
}

fn other_side<'e>(format: &Format, field: FieldId, comparison: &'e Comparison) -> Option<&'e Expr> {
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let is_field = |e: &Expr| *e == Expr::Field(field);
    match (is_field(left), is_field(right)) {
        (true, false) if !format.depends(right, field) => Some(right),
        (false, true) if !format.depends(left, field) => Some(left),
        _ => None,
    }
}

/// Whether a constraint holds so far, and can hold in the end.
fn fits(constraint: &Constraint, known: &Known<'_, '_>) -> bool {
    let home = known.scope.of(constraint.home);
    match (&constraint.rule, home) {
        (Rule::Compare(comparison), home) => {
            let settled = comparison.left.iter().chain(&comparison.right).all(|e| known.is_settled(e));
            let broken = settled && home.is_some_and(|home| broken(constraint, home).is_some());
            !broken && known.could_hold(comparison, constraint.home)
        }
        (Rule::Distinct(parts, _), Some(home)) => {
            !is_lasting(parts.iter(), known) || broken(constraint, home).is_none()
        }
        (Rule::Ordered(expr, ..), Some(home)) => {
            !is_lasting(std::iter::once(expr), known) || broken(constraint, home).is_none()
        }
        (Rule::Graph(rule), Some(home)) => match rule.lines() {
            Some((block, _)) if known.is_repeating(block) => graph_so_far(rule, home, known),
            Some(_) => broken(constraint, home).is_none(),
            None => true,
        },
        (Rule::Matches(field, _), Some(home)) if !known.is_filling(*field) => broken(constraint, home).is_none(),
        (Rule::Formula(formula), Some(home)) if speaks_of_elements_only(formula) => {
            !matches!(fault(formula, home), Ok(Some(_)))
        }
        _ => true,
    }
}

/// Whether a rule about several numbers speaks in the same way of those chosen so far: a text that is not complete may
/// still become another one, and so may a fold.
fn is_lasting<'e>(mut parts: impl Iterator<Item = &'e Expr>, known: &Known<'_, '_>) -> bool {
    parts.all(|part| {
        let mut text = false;
        part.each_field(&mut |f| text |= known.format().field(f).letters().is_some() && known.is_filling(f));
        !text && known.is_settled(part)
    })
}

/// Whether what a formula says of chosen numbers stays true whatever is chosen later: lengths and folds could change.
fn speaks_of_elements_only(formula: &Formula) -> bool {
    let mut only = true;
    formula.each_expr(&mut |expr| only &= is_lasting_number(expr));
    only
}

fn is_lasting_number(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Variable(_) | Expr::Field(_) => true,
        Expr::Element(_, indices) => indices.iter().all(is_lasting_number),
        Expr::Minus(inner) => is_lasting_number(inner),
        Expr::Binary(_, left, right) => is_lasting_number(left) && is_lasting_number(right),
        Expr::Length(_) | Expr::Fold(..) | Expr::Whole(_) | Expr::Letters(_) => false,
    }
}

/// Whether some of its edges are those of a graph that further edges can complete.
fn graph_so_far(rule: &GraphRule, home: &Scope<'_>, known: &Known<'_, '_>) -> bool {
    let Some((vertices, edges)) = edges_of(rule, home) else { return true };
    let mut asked = graph(rule, vertices, edges.len());
    asked.connected = false;
    if asked.check(&edges).is_err() {
        return false;
    }
    let joins = |vertex: usize| -> usize {
        edges.iter().map(|(u, v)| usize::from(*u == vertex) + usize::from(*v == vertex)).sum()
    };
    if rule.is(Adjective::Path) && edges.iter().any(|(u, v)| joins(*u).max(joins(*v)) > 2) {
        return false;
    }
    let Some((block, _)) = rule.lines() else { return true };
    let later = instances(block, known).hi - edges.len() as i128;
    !rule.is(Adjective::Connected) || parts(vertices, &edges) as i128 - 1 <= later
}

/// In how many parts the edges leave the vertices.
fn parts(vertices: usize, edges: &[(usize, usize)]) -> usize {
    // Those that no edge reaches are parts of their own.
    let mut part: HashMap<usize, usize> = edges.iter().flat_map(|(u, v)| [(*u, *u), (*v, *v)]).collect();
    let mut count = vertices;
    for edge in edges {
        let (from, to) = (part[&edge.0], part[&edge.1]);
        if from != to {
            part.values_mut().filter(|p| **p == from).for_each(|p| *p = to);
            count -= 1;
        }
    }
    count
}
