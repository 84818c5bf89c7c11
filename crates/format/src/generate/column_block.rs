//! Blocks of lines that can be drawn column by column.

use crate::constraints::ColumnRule;
use crate::language::{
    ArithmeticOperator, BlockId, Comparison, ComparisonOperator, ConstraintRule, Expr, FieldId, Format,
    GraphConstraint, GraphEdges, GraphProperty, InstanceCount, LayoutItem,
};
use rebut_generators::DegreeRule;

/// A block of one line of numbers, with the constraints on each column.
#[derive(Debug, Default)]
pub struct ColumnBlock {
    pub(super) fields: Vec<FieldId>,
    /// The smaller field, the larger one, and whether they must differ.
    pub(super) pairs: Vec<(FieldId, FieldId, bool)>,
    pub(super) distinct: Vec<FieldId>,
    /// Columns in which no two lines are equal.
    pub(super) distinct_lines: Vec<Vec<FieldId>>,
    pub(super) ordered: Vec<(FieldId, ComparisonOperator)>,
    pub(super) edge_ends: Option<(FieldId, FieldId)>,
    /// The larger number of each line must precede the smaller one of the next.
    pub(super) disjoint_ends: Option<(FieldId, FieldId)>,
    /// Two fields that differ in each line. Only edges are drawn so.
    pub(super) unequal: Option<(FieldId, FieldId)>,
    /// The graph whose edges the lines may be without such a constraint: `u v` with `1 <= u, v <= n`.
    pub(super) presumed_graph: Option<GraphConstraint>,
}

/// Sets a value. Returns `None` if it was set before.
fn set_once<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

impl ColumnBlock {
    /// Returns the columns of a block, or `None` if they cannot be drawn separately.
    pub(super) fn for_block(format: &Format, block: BlockId) -> Option<ColumnBlock> {
        let [line @ LayoutItem::Line(_)] = &*format.block(block).items else { return None };
        let counted =
            matches!(format.block(block).count, InstanceCount::Times(_) | InstanceCount::Until { sentinel: None, .. });
        let mut block_columns = ColumnBlock { fields: line.fields().collect(), ..ColumnBlock::default() };
        let scalars = block_columns.fields.iter().all(|f| format.field(*f).is_scalar());
        let in_order = block_columns.fields.iter().enumerate().all(|(slot, f)| format.field(*f).slot == slot);
        if !counted || !scalars || !in_order || block_columns.fields.is_empty() {
            return None;
        }
        format.constraints.iter().try_for_each(|c| block_columns.add_rule(&c.rule, block))?;
        block_columns.presumed_graph = block_columns.presume_graph(format, block);
        let is_possible = block_columns.unequal.is_none() || block_columns.presumed_graph.is_some();
        (is_possible && block_columns.is_simple()).then_some(block_columns)
    }

    /// Returns the graph of the first two numbers of each line, if both are bounded like its vertices and nothing else is about
    /// them.
    fn presume_graph(&self, format: &Format, block: BlockId) -> Option<GraphConstraint> {
        let [from, to, ..] = self.fields[..] else { return None };
        let is_free = |field: &FieldId| {
            let is_distinct = self.distinct.contains(field) || self.distinct_lines.iter().any(|of| of.contains(field));
            !is_distinct && !self.is_drawn_jointly(*field) && self.ordered.iter().all(|(ordered, _)| ordered != field)
        };
        let last = |field: FieldId| {
            let bounds = format.comparisons().filter_map(Comparison::upper_bound);
            let mut bounds = bounds.filter(|(bounded, ..)| **bounded == Expr::Field(field));
            bounds.find(|(.., bound)| !matches!(bound, Expr::Constant(_))).map(|(_, sign, bound)| (sign, bound))
        };
        let ((sign, bound), range) = (last(from)?, format.field(from).range);
        let is_same = last(to) == Some((sign, bound)) && format.field(to).range == range && matches!(range.lo, 0 | 1);
        let has_other = self.unequal.is_some_and(|pair| pair != (from, to) && pair != (to, from));
        let last = match sign {
            ComparisonOperator::Less => {
                Expr::from_operands(bound.clone(), ArithmeticOperator::Subtract, Expr::Constant(1))
            }
            _ => bound.clone(),
        };
        (is_same && !has_other && self.edge_ends.is_none() && [from, to].iter().all(is_free)).then(|| GraphConstraint {
            edges: GraphEdges::Lines { block, ends: (from, to), selection: None },
            vertices: (Expr::Constant(range.lo), last),
            properties: self.unequal.map(|_| GraphProperty::Loopless).into_iter().collect(),
            drawn_degrees: DegreeRule::Any,
        })
    }

    /// Adds a rule to the columns. Returns `None` if it cannot be met column by column.
    fn add_rule(&mut self, rule: &ConstraintRule, block: BlockId) -> Option<()> {
        let about_edges = rule.graph().and_then(|graph| graph.edge_lines()).is_some_and(|(at, _)| at == block);
        if !about_edges && !self.fields.iter().any(|f| rule.mentions_field(*f)) {
            return Some(());
        }
        match rule.kind().column_rule(block)? {
            ColumnRule::Compared(comparison) => self.add_comparison(comparison)?,
            ColumnRule::Distinct(field) => self.distinct.push(field),
            ColumnRule::DistinctLines(fields) => self.distinct_lines.push(fields),
            ColumnRule::Ordered(field, sign) => self.ordered.push((field, sign)),
            ColumnRule::Disjoint(end, start) => set_once(&mut self.disjoint_ends, (end, start))?,
            ColumnRule::Repaired => {}
            ColumnRule::Edges(from, to) => set_once(&mut self.edge_ends, (from, to))?,
        }
        Some(())
    }

    fn add_comparison(&mut self, comparison: &Comparison) -> Option<()> {
        let (left, right) = comparison.single_operands()?;
        let own = |expr: &Expr| match expr {
            Expr::Field(field) => Some(*field).filter(|f| self.fields.contains(f)),
            _ => None,
        };
        let inside = |expr: &Expr| self.fields.iter().any(|f| expr.mentions_field(*f));
        match (own(left), own(right)) {
            (Some(_), None) if !inside(right) => Some(()),
            (None, Some(_)) if !inside(left) => Some(()),
            (Some(left), Some(right)) if comparison.sign == ComparisonOperator::NotEqual => {
                set_once(&mut self.unequal, (left, right))
            }
            (Some(_), Some(_)) => {
                let (smaller, sign, larger) = comparison.upper_bound()?;
                self.pairs.push((own(smaller)?, own(larger)?, sign == ComparisonOperator::Less));
                Some(())
            }
            _ => None,
        }
    }

    /// Returns true if a column is drawn together with another one.
    pub(super) fn is_drawn_jointly(&self, field: FieldId) -> bool {
        let paired = self.pairs.iter().any(|(l, r, _)| *l == field || *r == field);
        paired || self.edge_ends.is_some_and(|(u, v)| u == field || v == field)
    }

    /// Returns true if each column can be drawn by one shape: it belongs to at most one pair or edge, and a column of a
    /// pair or edge need not be distinct or ordered.
    fn is_simple(&self) -> bool {
        let paired = self.pairs.iter().flat_map(|(l, r, _)| [*l, *r]);
        let ends = self.edge_ends.iter().flat_map(|(u, v)| [*u, *v]);
        let alone = self.distinct.iter().copied().chain(self.ordered.iter().map(|(f, _)| *f));
        let shared: Vec<FieldId> = paired.chain(ends).collect();
        let once = |f: &FieldId| shared.iter().filter(|other| *other == f).count() == 1;
        let ends_are_paired =
            self.disjoint_ends.is_none_or(|(e, s)| self.pairs.iter().any(|(l, r, _)| (*r, *l) == (e, s)));
        ends_are_paired && shared.iter().all(once) && alone.into_iter().all(|f| !shared.contains(&f))
    }
}
