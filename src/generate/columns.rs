//! Repeated lines drawn column by column.
//!
//! Where no number of a line depends on another one, all first numbers can be drawn as one sequence, all second numbers
//! as another: that takes a fraction of the time, and gives the columns the habits of sequences, of intervals (`l r`
//! with `l <= r`) and of the weights of edges (`u v w`). Lines drawn one by one have habits of their own, such as ties
//! within a line, so both ways are used where there is time for both.

use super::Failure;
use super::graph::Edges;
use super::instance::Maker;
use crate::format::{
    BlockId, Comparison, Count, Expr, FieldId, Format, Formula, Interval, Item, Operator, Over, Rule, Sign, Token,
};
use crate::value::{Instances, Scope, Value};
use rebut_generators::{INTERVAL_SHAPES, Sequence};

/// Blocks of more lines than this are always drawn by columns, where they can be.
const MANY: usize = 2_000;

/// A block of one line of numbers, and what these must be beside being in range.
#[derive(Debug, Default)]
pub struct Plain {
    fields: Vec<FieldId>,
    /// The smaller, the larger, and whether they must differ.
    pairs: Vec<(FieldId, FieldId, bool)>,
    distinct: Vec<FieldId>,
    ordered: Vec<(FieldId, Sign)>,
    ends: Option<(FieldId, FieldId)>,
    /// The larger number of each line is to be before the smaller one of the next.
    apart: Option<(FieldId, FieldId)>,
}

impl Plain {
    /// What is known of a block, if its columns can be drawn by themselves.
    pub(super) fn of(format: &Format, block: BlockId) -> Option<Plain> {
        let [Item::Line(parts)] = &*format.block(block).items else { return None };
        let counted = matches!(format.block(block).count, Count::Times(_) | Count::Until { sentinel: None, .. });
        let mut plain = Plain::default();
        for part in parts {
            if let Token::Field(field) = &part.token {
                plain.fields.push(*field);
            }
        }
        let scalars = plain.fields.iter().all(|f| format.field(*f).is_scalar());
        let in_order = plain.fields.iter().enumerate().all(|(slot, f)| format.field(*f).slot == slot);
        if !counted || !scalars || !in_order || plain.fields.is_empty() {
            return None;
        }
        format.constraints.iter().try_for_each(|c| plain.take(&c.rule, block))?;
        plain.is_simple().then_some(plain)
    }

    /// Notes what a rule asks of the columns; none if that cannot be met column by column.
    fn take(&mut self, rule: &Rule, block: BlockId) -> Option<()> {
        let about_edges = matches!(rule, Rule::Graph(graph) if graph.lines().is_some_and(|(at, _)| at == block));
        if !about_edges && !self.fields.iter().any(|f| rule.mentions(*f)) {
            return Some(());
        }
        match rule {
            Rule::Compare(comparison) => self.take_comparison(comparison),
            Rule::Distinct(parts, Over::Instances(at)) if *at == block => match parts[..] {
                [Expr::Field(field)] => {
                    self.distinct.push(field);
                    Some(())
                }
                _ => None,
            },
            Rule::Ordered(Expr::Field(field), sign, Over::Instances(at)) if *at == block => {
                self.ordered.push((*field, *sign));
                Some(())
            }
            Rule::Formula(formula) => {
                // What is left of it is settled afterwards.
                (self.apart.replace(before_next(formula)?).is_none()).then_some(())
            }
            Rule::Graph(rule) => {
                let (at, ends) = rule.lines()?;
                (at == block && self.ends.replace(ends).is_none()).then_some(())
            }
            _ => None,
        }
    }

    fn take_comparison(&mut self, comparison: &Comparison) -> Option<()> {
        let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
        let own = |expr: &Expr| match expr {
            Expr::Field(field) => Some(*field).filter(|f| self.fields.contains(f)),
            _ => None,
        };
        let inside = |expr: &Expr| self.fields.iter().any(|f| expr.mentions(*f));
        match (own(left), own(right)) {
            (Some(_), None) if !inside(right) => Some(()),
            (None, Some(_)) if !inside(left) => Some(()),
            (Some(left), Some(right)) => {
                let pair = match comparison.sign {
                    Sign::Less => (left, right, true),
                    Sign::LessEqual => (left, right, false),
                    Sign::Greater => (right, left, true),
                    Sign::GreaterEqual => (right, left, false),
                    Sign::Equal | Sign::NotEqual => return None,
                };
                self.pairs.push(pair);
                Some(())
            }
            _ => None,
        }
    }

    /// Whether a column is drawn together with another one.
    fn is_joint(&self, field: FieldId) -> bool {
        let paired = self.pairs.iter().any(|(l, r, _)| *l == field || *r == field);
        paired || self.ends.is_some_and(|(u, v)| u == field || v == field)
    }

    /// Whether no column is part of two things that are decided by more than itself.
    fn is_simple(&self) -> bool {
        let paired = self.pairs.iter().flat_map(|(l, r, _)| [*l, *r]);
        let ends = self.ends.iter().flat_map(|(u, v)| [*u, *v]);
        let alone = self.distinct.iter().copied().chain(self.ordered.iter().map(|(f, _)| *f));
        let shared: Vec<FieldId> = paired.chain(ends).collect();
        let once = |f: &FieldId| shared.iter().filter(|other| *other == f).count() == 1;
        let apart = self.apart.is_none_or(|(e, s)| self.pairs.iter().any(|(l, r, _)| (*r, *l) == (e, s)));
        apart && shared.iter().all(once) && alone.into_iter().all(|f| !shared.contains(&f))
    }
}

/// `forall i in ...: e[i] < s[i+1]`: the two fields, if that is what a formula says.
fn before_next(formula: &Formula) -> Option<(FieldId, FieldId)> {
    let Formula::Each(quantified) = formula else { return None };
    let Formula::Compare(comparison) = &quantified.body else { return None };
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let (early, late) = match comparison.sign {
        Sign::Less | Sign::LessEqual => (left, right),
        Sign::Greater | Sign::GreaterEqual => (right, left),
        Sign::Equal | Sign::NotEqual => return None,
    };
    let here = Expr::Variable(quantified.variable);
    let next = Expr::Binary(Operator::Plus, Box::new(here.clone()), Box::new(Expr::Constant(1)));
    match (early, late) {
        (Expr::Element(e, at), Expr::Element(s, after)) if at[..] == [here] && after[..] == [next] => Some((*e, *s)),
        _ => None,
    }
}

/// What columns are drawn from: their block, how it is built, what is known outside of it, and how many lines there are.
struct Wanted<'w> {
    plain: &'w Plain,
    scope: Scope<'w>,
    count: usize,
    edges: Option<&'w Edges>,
}

/// The numbers of each field, in the order of the line.
type Columns<'w> = Vec<Column<'w>>;

/// The numbers of one field; none yet, or too few, if they cannot be drawn like this.
enum Column<'w> {
    Numbers(Vec<i128>),
    /// Where each edge starts.
    From(&'w Edges),
    /// Where each edge ends.
    To(&'w Edges),
}

impl Column<'_> {
    fn len(&self) -> usize {
        match self {
            Column::Numbers(numbers) => numbers.len(),
            Column::From(edges) | Column::To(edges) => edges.pairs.len(),
        }
    }

    fn at(&self, line: usize) -> Value {
        Value::Int(match self {
            Column::Numbers(numbers) => numbers[line],
            Column::From(edges) => edges.first + edges.pairs[line].0 as i128,
            Column::To(edges) => edges.first + edges.pairs[line].1 as i128,
        })
    }
}

impl Maker<'_, '_> {
    /// All instances of a block by columns; none if they have to be drawn one by one, or shall be this time.
    pub(super) fn columns(
        &mut self,
        child: BlockId,
        count: usize,
        holder: &Scope<'_>,
        extra: &[Comparison],
        edges: Option<&Edges>,
    ) -> Result<Option<Instances>, Failure> {
        let Some(plain) = self.plan.plain(child) else { return Ok(None) };
        let asked_more = extra.iter().any(|c| plain.fields.iter().any(|f| c.mentions(*f)));
        if asked_more || count == 0 || count <= MANY && self.choices.chance(1, 2) {
            return Ok(None);
        }
        self.reserve_slots(child, count)?;
        // A column is drawn in one piece.
        if count > MANY && self.plan.format.stop.spend(count as u64) {
            return Err(Failure::stopped());
        }
        let nothing = vec![None; plain.fields.len()];
        let wanted = Wanted { plain, scope: self.scope(child, &nothing, Some(holder)), count, edges };
        let mut columns: Columns<'_> = plain.fields.iter().map(|_| Column::Numbers(Vec::new())).collect();
        for field in plain.fields.iter().filter(|field| !plain.is_joint(**field)) {
            columns[self.slot(*field)] = Column::Numbers(self.column(&wanted, *field)?);
        }
        for pair in &plain.pairs {
            self.pair(&wanted, *pair, &mut columns)?;
        }
        self.ends(&wanted, &mut columns)?;
        if columns.iter().any(|column| column.len() != count) {
            return Ok(None);
        }
        let mut lines = Instances::with_room(columns.len(), count);
        lines.extend((0..count).map(|i| columns.iter().map(move |column| column.at(i))));
        Ok(Some(lines))
    }

    fn slot(&self, field: FieldId) -> usize {
        self.plan.format.field(field).slot
    }

    /// Numbers that have nothing to do with others of their lines; too few if there are not so many different ones.
    fn column(&mut self, wanted: &Wanted<'_>, field: FieldId) -> Result<Vec<i128>, Failure> {
        let stated = self.range_left(field, &wanted.scope, &[])?;
        let (unit, range) = self.unit(field, stated);
        let order = wanted.plain.ordered.iter().find(|(f, _)| *f == field).map(|(_, sign)| *sign);
        let distinct = wanted.plain.distinct.contains(&field) || matches!(order, Some(Sign::Less | Sign::Greater));
        let grown = self.grown(field, range);
        let holds = |range: &Interval| !distinct || range.hi - range.lo >= wanted.count as i128 - 1;
        let Some(range) = [grown, range].into_iter().find(holds) else { return Ok(Vec::new()) };
        let weighed = wanted.edges.filter(|_| order.is_none() && !distinct && self.choices.chance(1, 2));
        let mut numbers = match weighed {
            Some(edges) => {
                let shape = self.swarm.weights(self.choices);
                shape.make(self.choices, edges.vertices, &edges.pairs, range.lo, range.hi)
            }
            None => {
                let hints = if unit == 1 { self.settings.hints.as_slice() } else { &[] };
                let shape = self.swarm.numbers(self.choices);
                self.use_shape(shape.name);
                let sequence = Sequence { len: wanted.count, lo: range.lo, hi: range.hi, hints, distinct };
                shape.make(self.choices, &sequence)
            }
        };
        match order {
            Some(Sign::Less | Sign::LessEqual) => numbers.sort_unstable(),
            Some(Sign::Greater | Sign::GreaterEqual) => numbers.sort_unstable_by(|one, other| other.cmp(one)),
            _ => {}
        }
        if unit != 1 {
            numbers.iter_mut().for_each(|number| *number *= unit);
        }
        Ok(numbers)
    }

    /// Two numbers of each line of which one is never larger than the other.
    fn pair(
        &mut self,
        wanted: &Wanted<'_>,
        (smaller, larger, differ): (FieldId, FieldId, bool),
        columns: &mut Columns<'_>,
    ) -> Result<(), Failure> {
        let left = self.range_left(smaller, &wanted.scope, &[])?;
        let right = self.range_left(larger, &wanted.scope, &[])?;
        let apart = i128::from(differ);
        let whole = Interval::new(left.lo, right.hi - apart);
        if whole.is_empty() {
            return Ok(());
        }
        let line = self.grown(smaller, whole);
        let disjoint = wanted.plain.apart == Some((larger, smaller));
        let named = |name: &str| INTERVAL_SHAPES.iter().find(|shape| shape.name == name);
        let shape = if disjoint { named("disjoint") } else { None };
        let shape = shape.unwrap_or_else(|| self.swarm.intervals(self.choices));
        self.use_shape(shape.name);
        let mut made = shape.make(self.choices, wanted.count, line.lo, line.hi);
        if disjoint {
            made.sort_unstable();
        }
        let (one, other) = made.into_iter().map(|(l, r)| (l.min(left.hi), (r + apart).max(right.lo))).unzip();
        columns[self.slot(smaller)] = Column::Numbers(one);
        columns[self.slot(larger)] = Column::Numbers(other);
        Ok(())
    }

    /// The two ends of each edge, if the lines are edges and every vertex may stand at either end.
    fn ends<'w>(&mut self, wanted: &Wanted<'w>, columns: &mut Columns<'w>) -> Result<(), Failure> {
        let (Some((from, to)), Some(edges)) = (wanted.plain.ends, wanted.edges) else { return Ok(()) };
        let vertices = Interval::new(edges.first, edges.first + edges.vertices as i128 - 1);
        for field in [from, to] {
            if self.range_left(field, &wanted.scope, &[])?.intersect(vertices) != vertices {
                return Ok(());
            }
        }
        columns[self.slot(from)] = Column::From(edges);
        columns[self.slot(to)] = Column::To(edges);
        Ok(())
    }
}
