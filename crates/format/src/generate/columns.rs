//! Draws repeated lines column by column.
//!
//! If no number of a line depends on another one, all first numbers can be drawn as one sequence and all second numbers
//! as another. That takes a fraction of the time, and gives the columns the shapes of sequences, of intervals (`l r`
//! with `l <= r`) and of edge weights (`u v w`). Lines that are drawn one by one have properties of their own, such as
//! ties within a line, so small blocks are drawn either way at random.

use super::arrays::put_in_order;
use super::column_block::ColumnBlock;
use super::draft::DrawFailure;
use super::instance::InstanceGenerator;
use super::partial_graphs::EdgeList;
use super::{GenerationError, NumberRanges};
use crate::language::{BlockId, Comparison, ComparisonOperator, FieldId, Interval};
use crate::value::{InstanceList, Value, ValueScope};
use rebut_generators::{INTERVAL_SHAPES, SequenceRequirements};
use std::cmp::Ordering;

/// Maximum number of lines that are drawn one by one where columns are possible.
const MAX_LINES_ONE_BY_ONE: usize = 2_000;

/// A request for the columns of a block: the values around it, and the number of lines.
struct ColumnRequest<'w> {
    column_block: &'w ColumnBlock,
    scope: ValueScope<'w>,
    count: usize,
    edges: Option<&'w EdgeList>,
}

/// The columns, in the order of the fields in the line.
type LineColumns<'w> = Vec<NumberColumn<'w>>;

/// The numbers of one field. Empty or too short if they could not be drawn.
enum NumberColumn<'w> {
    Numbers(Vec<i128>),
    /// The start of each edge.
    EdgeStarts(&'w EdgeList),
    /// The end of each edge.
    EdgeEnds(&'w EdgeList),
}

impl NumberColumn<'_> {
    fn len(&self) -> usize {
        match self {
            NumberColumn::Numbers(numbers) => numbers.len(),
            NumberColumn::EdgeStarts(edges) | NumberColumn::EdgeEnds(edges) => edges.pairs.len(),
        }
    }

    fn number_at(&self, line: usize) -> i128 {
        match self {
            NumberColumn::Numbers(numbers) => numbers[line],
            NumberColumn::EdgeStarts(edges) => edges.first_vertex + edges.pairs[line].0 as i128,
            NumberColumn::EdgeEnds(edges) => edges.first_vertex + edges.pairs[line].1 as i128,
        }
    }
}

impl<'a> InstanceGenerator<'a, '_> {
    /// Draws all instances of a block by columns. Returns `None` if they are to be drawn one by one, by necessity or
    /// by choice.
    pub(super) fn draw_columns(
        &mut self,
        child: BlockId,
        count: usize,
        holder: &ValueScope<'_>,
        extra: &[Comparison],
        edges: Option<&EdgeList>,
    ) -> Result<Option<InstanceList>, DrawFailure<'a>> {
        let Some(block_columns) = self.plan.column_block(child) else { return Ok(None) };
        let has_extra_limits = extra.iter().any(|c| block_columns.fields.iter().any(|f| c.mentions_field(*f)));
        // The shapes of columns know nothing of extreme numbers in the same line, and lines that are drawn one by one have
        // no shapes.
        let is_extreme = self.settings.numbers == NumberRanges::Extreme;
        let may_be_columns = !is_extreme && (self.settings.shape.is_some() || self.choices.draw_chance(1, 2));
        if has_extra_limits || count == 0 || count <= MAX_LINES_ONE_BY_ONE && !may_be_columns {
            return Ok(None);
        }
        self.memory.reserve_slots(self.plan.format, child, count)?;
        // A column is drawn without checks of the stop token, so check it before.
        if count > MAX_LINES_ONE_BY_ONE && self.plan.format.stop_token.spend_steps(count as u64) {
            return Err(GenerationError::for_stop().into());
        }
        let presumed = match &block_columns.presumed_graph {
            Some(graph) if edges.is_none() && self.choices.draw_chance(1, 2) => {
                let is_directed = self.choices.draw_chance(1, 2);
                // Where the number of vertices is not known, the lines are no edges.
                self.draw_graph(graph, is_directed, count, holder).unwrap_or_default()
            }
            _ => None,
        };
        let edges = edges.or(presumed.as_ref());
        if edges.is_none() && block_columns.unequal.is_some() {
            return Ok(None);
        }
        // Columns without constraints on other columns come first, then pairs, then the ends of edges.
        let nothing = vec![None; block_columns.fields.len()];
        let request = ColumnRequest {
            column_block: block_columns,
            scope: self.scope_of_block(child, &nothing, Some(holder)),
            count,
            edges,
        };
        let mut columns: LineColumns<'_> =
            block_columns.fields.iter().map(|_| NumberColumn::Numbers(Vec::new())).collect();
        let is_end = |field: &FieldId| edges.is_some_and(|edges| edges.fields.0 == *field || edges.fields.1 == *field);
        for field in
            block_columns.fields.iter().filter(|field| !block_columns.is_drawn_jointly(**field) && !is_end(field))
        {
            columns[self.slot_of_field(*field)] = NumberColumn::Numbers(self.draw_column(&request, *field)?);
        }
        for pair in &block_columns.pairs {
            self.draw_interval_columns(&request, *pair, &mut columns)?;
        }
        self.fill_edge_columns(&request, &mut columns)?;
        // A column that is too short could not be drawn: drawing line by line reports the reason.
        if columns.iter().any(|column| column.len() != count) {
            return Ok(None);
        }
        // Lines that are drawn one by one avoid the earlier ones.
        if !block_columns.distinct_lines.iter().all(|fields| self.are_lines_distinct(fields, &columns, count)) {
            return Ok(None);
        }
        let mut lines = InstanceList::with_capacity(columns.len(), count);
        lines.extend((0..count).map(|i| columns.iter().map(move |column| Value::Int(column.number_at(i)))));
        Ok(Some(lines))
    }

    /// Returns true if no two lines are equal in these columns.
    fn are_lines_distinct(&self, fields: &[FieldId], columns: &LineColumns<'_>, count: usize) -> bool {
        let slots: Vec<usize> = fields.iter().map(|field| self.slot_of_field(*field)).collect();
        let compare = |one: usize, other: usize| {
            let mut orders =
                slots.iter().map(|slot| columns[*slot].number_at(one).cmp(&columns[*slot].number_at(other)));
            orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        };
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_unstable_by(|one, other| compare(*one, *other));
        order.windows(2).all(|pair| compare(pair[0], pair[1]).is_ne())
    }

    fn slot_of_field(&self, field: FieldId) -> usize {
        self.plan.format.field(field).slot
    }

    /// Draws numbers that are independent of the others in their lines. Returns too few if the range has not
    /// enough distinct ones.
    fn draw_column(&mut self, request: &ColumnRequest<'_>, field: FieldId) -> Result<Vec<i128>, DrawFailure<'a>> {
        let declared = self.remaining_range(field, &request.scope, &[])?;
        let (unit, range) = self.choose_unit(field, declared);
        let order = request.column_block.ordered.iter().find(|(f, _)| *f == field).map(|(_, sign)| *sign);
        let distinct = request.column_block.distinct.contains(&field)
            || matches!(order, Some(ComparisonOperator::Less | ComparisonOperator::Greater));
        let grown = self.grow_field_range(field, range);
        // Early in a search ranges are small. If this one has too few distinct values, the full range is used.
        let has_enough_values = |range: &Interval| !distinct || range.hi - range.lo >= request.count as i128 - 1;
        let Some(range) = [grown, range].into_iter().find(has_enough_values) else { return Ok(Vec::new()) };
        // Where the lines are edges, a column beside the ends can be their weights.
        let may_be_weights = order.is_none() && !distinct;
        let weighed_edges = request
            .edges
            .filter(|_| may_be_weights && (self.swarm.has_chosen_weights() || self.choices.draw_chance(1, 2)));
        let mut numbers = match weighed_edges {
            Some(edges) => {
                let shape = self.swarm.pick_weight_shape(self.choices);
                shape.draw_weights(self.choices, edges.vertex_count, &edges.pairs, range.lo, range.hi)
            }
            None => {
                let hints = if unit == 1 { &*self.settings.hints } else { &[] };
                let shape = self.swarm.pick_number_shape(self.choices);
                self.record_used_shape(shape.name);
                let sequence = SequenceRequirements { len: request.count, lo: range.lo, hi: range.hi, hints, distinct };
                shape.draw_sequence(self.choices, &sequence)
            }
        };
        put_in_order(&mut numbers, order);
        if unit != 1 {
            numbers.iter_mut().for_each(|number| *number *= unit);
        }
        Ok(numbers)
    }

    /// Draws two columns of which the first number is at most the second in every line.
    fn draw_interval_columns(
        &mut self,
        request: &ColumnRequest<'_>,
        (smaller, larger, differ): (FieldId, FieldId, bool),
        columns: &mut LineColumns<'_>,
    ) -> Result<(), DrawFailure<'a>> {
        let left = self.remaining_range(smaller, &request.scope, &[])?;
        let right = self.remaining_range(larger, &request.scope, &[])?;
        let gap = i128::from(differ);
        let whole = Interval::new(left.lo, right.hi - gap);
        if whole.is_empty() {
            return Ok(());
        }
        let line = self.grow_field_range(smaller, whole);
        let disjoint = request.column_block.disjoint_ends == Some((larger, smaller));
        let named = |name: &str| INTERVAL_SHAPES.iter().find(|shape| shape.name == name);
        let shape = if disjoint { named("disjoint") } else { None };
        let shape = shape.unwrap_or_else(|| self.swarm.pick_interval_shape(self.choices));
        self.record_used_shape(shape.name);
        let mut intervals = shape.draw_intervals(self.choices, request.count, line.lo, line.hi);
        if disjoint {
            intervals.sort_unstable();
        }
        let (one, other) = intervals.into_iter().map(|(l, r)| (l.min(left.hi), (r + gap).max(right.lo))).unzip();
        columns[self.slot_of_field(smaller)] = NumberColumn::Numbers(one);
        columns[self.slot_of_field(larger)] = NumberColumn::Numbers(other);
        Ok(())
    }

    /// Fills the columns of the endpoints, if the lines are edges and every vertex is allowed at both ends.
    fn fill_edge_columns<'w>(
        &mut self,
        request: &ColumnRequest<'w>,
        columns: &mut LineColumns<'w>,
    ) -> Result<(), DrawFailure<'a>> {
        let Some(edges) = request.edges else { return Ok(()) };
        let (from, to) = edges.fields;
        let vertices = Interval::new(edges.first_vertex, edges.first_vertex + edges.vertex_count as i128 - 1);
        for field in [from, to] {
            if self.remaining_range(field, &request.scope, &[])?.intersect(vertices) != vertices {
                return Ok(());
            }
        }
        columns[self.slot_of_field(from)] = NumberColumn::EdgeStarts(edges);
        columns[self.slot_of_field(to)] = NumberColumn::EdgeEnds(edges);
        Ok(())
    }
}
