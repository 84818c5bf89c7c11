//! What generation needs to know of a format, worked out once.

use super::arrays::sum_bound;
use super::columns::Plain;
use super::factors::speaks_of_product;
use super::letters::counts_letters;
use super::live::most_elements;
use super::occurrences::taken_together;
use super::straight::{Lines, Straight};
use crate::format::{
    BlockId, BlockKind, Comparison, Constraint, Count, Dimension, Edges, Expr, FieldId, Format, Formula, GraphRule,
    Interval, Over, Pattern, Rule, Sign, Stand, cut, factor_in, speaks_surely,
};
use crate::validate::Check;
use crate::value::{Scope, Sum};

/// A format with the tables that generation looks things up in.
#[derive(Debug)]
pub struct Plan<'a> {
    /// The format.
    pub format: &'a Format,
    /// For each field, the comparisons whose truth depends on it.
    touching: Vec<Vec<usize>>,
    /// For each block, the constraints that are at home there.
    at_home: Vec<Vec<usize>>,
    /// For each field, whether it sizes something.
    is_size: Vec<bool>,
    /// For each field, whether what it sizes is the smaller the larger it is: `l` in `c[r-l+1]`.
    is_start: Vec<bool>,
    /// For each field, whether it is at an end of its range where inputs are to be as large, or as small, as they can be, and
    /// nothing sizes anything.
    leads: Vec<bool>,
    /// For each field, whether its elements must all differ.
    distinct: Vec<bool>,
    /// For each block, how its columns are drawn, if they can be drawn by themselves.
    plain: Vec<Option<Plain>>,
    parts: Vec<Parts>,
    uses: Vec<Uses<'a>>,
    /// For each constraint, the fields directly in its home block that may be drawn again if it does not hold.
    blamed: Vec<Vec<FieldId>>,
    /// The constraints that can be looked at quickly.
    checks: Vec<Option<Check>>,
    /// For each block, how its instances are drawn, if that is understood in full.
    straight: Vec<Option<Straight>>,
    /// How the last block is written without its values, if it can be.
    lines: Option<Lines>,
}

/// What an instance of a block is drawn from.
#[derive(Debug)]
pub(super) struct Parts {
    /// Single numbers that size something, in the order of the layout.
    pub(super) sizes: Vec<FieldId>,
    /// The other single numbers.
    pub(super) others: Vec<FieldId>,
    /// Arrays and texts.
    pub(super) arrays: Vec<FieldId>,
    /// The slots of all single numbers, in the order of the layout.
    pub(super) single_slots: Vec<usize>,
    /// The only size, if nothing else decides how many elements an instance has at least.
    pub(super) lone_size: Option<FieldId>,
    /// Whether blocks are inside.
    pub(super) has_blocks: bool,
    /// Whether products of two fields are bounded here.
    pub(super) has_products: bool,
    /// Whether formulas are at home here.
    pub(super) has_formulas: bool,
    /// Whether constraints are at home here that take together what some repetitions lack.
    pub(super) has_occurrences: bool,
    /// So many elements it has at most.
    pub(super) most_elements: i128,
}

/// What is said of a field.
#[derive(Debug)]
struct Uses<'a> {
    /// The comparisons that say something of its range beyond what is stated of it.
    narrowings: Vec<Narrowing<'a>>,
    /// The bounds on the sum of its elements.
    sums: Vec<(Sign, &'a Expr)>,
    /// Whether letters in it are counted.
    counts_letters: bool,
    /// Whether it is the number of cases.
    counts_cases: bool,
}

/// A comparison that says something of a field's range.
#[derive(Debug)]
pub(super) struct Narrowing<'a> {
    /// The constraint that it is.
    pub(super) constraint: usize,
    /// The comparison.
    pub(super) comparison: &'a Comparison,
    /// How the field stands in it.
    pub(super) stand: Stand,
    /// What the field is compared with, where it stands alone on one side, and the sign if it stood on the left.
    pub(super) quick: Option<(Sign, Sum)>,
    /// Whether it is sure to be made.
    pub(super) speaks_surely: bool,
}

impl<'a> Plan<'a> {
    /// The plan of a format.
    pub fn new(format: &'a Format) -> Self {
        let fields = || (0..format.fields.len()).map(FieldId);
        let rules = || format.constraints.iter().enumerate();
        let mut touching = vec![Vec::new(); format.fields.len()];
        for (i, constraint) in rules() {
            let exprs = constraint.rule.exprs();
            let depends = |field: &FieldId| exprs.iter().any(|e| format.depends(e, *field));
            format.concerned(exprs.iter().copied()).into_iter().filter(depends).for_each(|f| touching[f.0].push(i));
        }
        let at_home = (0..format.blocks.len())
            .map(|block| rules().filter(|(_, c)| c.home == BlockId(block)).map(|(i, _)| i).collect())
            .collect();
        let announces = |field: FieldId| {
            let mut announced = format.fields.iter().filter_map(|info| info.announced.as_ref());
            format.field(field).is_scalar() && announced.any(|length| length.mentions(field))
        };
        let is_size: Vec<bool> =
            fields().map(|field| sizes(format).any(|size| size.mentions(field)) || announces(field)).collect();
        let is_start = fields().map(|field| is_start(format, field)).collect();
        let leads = leading(format, &is_size);
        let all_differ = |field| {
            rules().any(
                |(_, c)| matches!(&c.rule, Rule::Distinct(parts, Over::Elements) if parts[..] == [Expr::Field(field)]),
            )
        };
        let distinct = fields().map(all_differ).collect();
        let plain = (0..format.blocks.len()).map(|block| Plain::of(format, BlockId(block))).collect();
        let (parts, uses) = (Vec::new(), Vec::new());
        let mut plan = Plan {
            format,
            touching,
            at_home,
            is_size,
            is_start,
            leads,
            distinct,
            plain,
            parts,
            uses,
            blamed: Vec::new(),
            checks: Vec::new(),
            straight: Vec::new(),
            lines: None,
        };
        plan.parts = (0..format.blocks.len()).map(|block| plan.parts_of(BlockId(block))).collect();
        plan.uses = fields().map(|field| plan.uses_of(field)).collect();
        let is_blamed = |rule: &Rule, field: &FieldId| rule.mentions(*field) && !plan.is_size(*field);
        let blamed = |c: &'a Constraint| format.fields_of(c.home).filter(|f| is_blamed(&c.rule, f)).collect();
        plan.blamed = format.constraints.iter().map(blamed).collect();
        plan.checks = format.constraints.iter().map(|c| Check::of_rule(&c.rule, format)).collect();
        plan.straight = (0..format.blocks.len()).map(|block| Straight::of(&plan, BlockId(block))).collect();
        plan.lines = Lines::of(&plan);
        plan
    }

    /// The same plan, by which every instance is drawn in the general way.
    #[cfg(test)]
    pub(super) fn general(mut self) -> Self {
        self.straight.iter_mut().for_each(|straight| *straight = None);
        self
    }

    /// How the last block is written without its values, if it can be.
    pub(super) fn lines(&self) -> Option<&Lines> {
        self.lines.as_ref()
    }

    /// The blocks whose instances are drawn straight into their places.
    #[cfg(test)]
    pub(super) fn straight_blocks(&self) -> usize {
        self.straight.iter().flatten().count()
    }

    fn parts_of(&self, block: BlockId) -> Parts {
        let format = self.format;
        let (scalars, arrays): (Vec<FieldId>, Vec<FieldId>) =
            format.fields_of(block).partition(|f| format.field(*f).is_scalar());
        let (sizes, others): (Vec<FieldId>, Vec<FieldId>) = scalars.into_iter().partition(|f| self.is_size(*f));
        let is_formula = |c: &usize| matches!(format.constraints[*c].rule, Rule::Formula(_));
        let single = |field: &FieldId| format.field(*field).is_scalar();
        Parts {
            single_slots: format.fields_of(block).filter(single).map(|f| format.field(f).slot).collect(),
            lone_size: lone_size(format, block, &sizes),
            has_blocks: format.children(block).next().is_some(),
            has_products: self.comparisons_at_home(block).any(speaks_of_product),
            has_occurrences: self.at_home(block).iter().any(|c| taken_together(&format.constraints[*c]).is_some()),
            has_formulas: self.at_home(block).iter().any(is_formula),
            most_elements: most_elements(format, block),
            sizes,
            others,
            arrays,
        }
    }

    fn uses_of(&self, field: FieldId) -> Uses<'a> {
        let format = self.format;
        let narrowing = |(constraint, comparison): (usize, &'a Comparison)| {
            let stand = Stand::of(field, comparison, format)?;
            let speaks_surely = speaks_surely(format, Some(field), self.home(constraint), comparison);
            let says_more = !is_stated(stand, comparison, format.field(field).range);
            let quick = stand.other(comparison).and_then(|(sign, other)| Some((sign, Sum::of(other, format)?)));
            says_more.then_some(Narrowing { constraint, comparison, stand, quick, speaks_surely })
        };
        let comparisons = || self.comparisons(field).map(|(_, comparison)| comparison);
        let counted = |c: &Comparison| c.left.iter().chain(&c.right).any(|e| counts_letters(e, field));
        let counts = |count: &Count| *count == Count::Times(Expr::Field(field));
        Uses {
            narrowings: self.comparisons(field).filter_map(narrowing).collect(),
            sums: comparisons().filter_map(|c| sum_bound(field, c)).collect(),
            counts_letters: comparisons().any(counted),
            counts_cases: format.blocks.iter().any(|b| b.kind == BlockKind::Cases && counts(&b.count)),
        }
    }

    /// Whether a constraint surely holds, if that can be said quickly.
    pub(super) fn surely_holds(&self, constraint: usize, scope: &Scope<'_>) -> bool {
        self.checks[constraint].as_ref().is_some_and(|check| check.holds(scope))
    }

    /// What an instance of a block is drawn from.
    pub(super) fn parts(&self, block: BlockId) -> &Parts {
        &self.parts[block.0]
    }

    /// The comparisons that say something of a field's range beyond what is stated of it.
    pub(super) fn narrowings(&self, field: FieldId) -> &[Narrowing<'a>] {
        &self.uses[field.0].narrowings
    }

    /// The bounds on the sum of a field's elements.
    pub(super) fn sums(&self, field: FieldId) -> &[(Sign, &'a Expr)] {
        &self.uses[field.0].sums
    }

    /// Whether letters in a field are counted.
    pub(super) fn counts_letters(&self, field: FieldId) -> bool {
        self.uses[field.0].counts_letters
    }

    /// Whether a field is the number of cases.
    pub(super) fn counts_cases(&self, field: FieldId) -> bool {
        self.uses[field.0].counts_cases
    }

    /// The fields directly in the home block of a constraint that may be drawn again if it does not hold.
    pub(super) fn blamed(&self, constraint: usize) -> &[FieldId] {
        &self.blamed[constraint]
    }

    /// How the instances of a block are drawn, if that is understood in full.
    pub(super) fn straight(&self, block: BlockId) -> Option<&Straight> {
        self.straight[block.0].as_ref()
    }

    /// How many elements an input can have, or each of its cases, as far as ranges tell.
    pub fn most_elements(&self) -> i128 {
        self.parts(self.format.cases().unwrap_or(BlockId(0))).most_elements
    }

    /// How the columns of a block are drawn, if they can be drawn by themselves.
    pub fn plain(&self, block: BlockId) -> Option<&Plain> {
        self.plain[block.0].as_ref()
    }

    /// The comparisons of two numbers whose truth depends on a field.
    pub fn comparisons(&self, field: FieldId) -> impl Iterator<Item = (usize, &'a Comparison)> + '_ {
        self.touching[field.0].iter().filter_map(|i| match &self.format.constraints[*i].rule {
            Rule::Compare(comparison) => Some((*i, comparison)),
            _ => None,
        })
    }

    /// Whether the truth of a constraint depends on a field.
    pub(super) fn touches(&self, field: FieldId, constraint: usize) -> bool {
        self.touching[field.0].contains(&constraint)
    }

    /// The graph whose edges the instances of a block are, if they are.
    pub fn graph(&self, block: BlockId) -> Option<&'a GraphRule> {
        self.format.constraints.iter().find_map(|c| match &c.rule {
            Rule::Graph(rule) if rule.lines().is_some_and(|(lines, _)| lines == block) => Some(rule),
            _ => None,
        })
    }

    /// The graph in which the numbers of a field are parents, if they are.
    pub fn parents(&self, field: FieldId) -> Option<&'a GraphRule> {
        self.format.constraints.iter().find_map(|c| match &c.rule {
            Rule::Graph(rule) if matches!(rule.edges, Edges::Parents { field: f, .. } if f == field) => Some(rule),
            _ => None,
        })
    }

    /// The pattern that each text of a field matches, if one is asked for.
    pub fn pattern(&self, field: FieldId) -> Option<&'a Pattern> {
        self.format.constraints.iter().find_map(|c| match &c.rule {
            Rule::Matches(f, pattern) if *f == field => Some(pattern),
            _ => None,
        })
    }

    /// The formulas whose truth depends on a field.
    pub fn formulas(&self, field: FieldId) -> impl Iterator<Item = (usize, &'a Formula)> + '_ {
        self.touching[field.0].iter().filter_map(|i| match &self.format.constraints[*i].rule {
            Rule::Formula(formula) => Some((*i, formula)),
            _ => None,
        })
    }

    /// The order in which a field's elements must be, if one is asked for.
    pub fn order(&self, field: FieldId) -> Option<Sign> {
        self.format.constraints.iter().find_map(|c| match &c.rule {
            Rule::Ordered(expr, sign, Over::Elements) if *expr == Expr::Field(field) => Some(*sign),
            _ => None,
        })
    }

    /// The comparisons that are checked once an instance of the block is complete.
    pub(super) fn comparisons_at_home(&self, block: BlockId) -> impl Iterator<Item = &'a Comparison> + '_ {
        self.at_home(block).iter().filter_map(|constraint| match &self.format.constraints[*constraint].rule {
            Rule::Compare(comparison) => Some(comparison),
            _ => None,
        })
    }

    /// The block that a constraint is at home in.
    pub fn home(&self, constraint: usize) -> BlockId {
        self.format.constraints[constraint].home
    }

    /// The constraints that are checked once an instance of the block is complete.
    pub fn at_home(&self, block: BlockId) -> &[usize] {
        &self.at_home[block.0]
    }

    /// Whether a field sizes an array or counts the instances of a block.
    pub fn is_size(&self, field: FieldId) -> bool {
        self.is_size[field.0]
    }

    /// Whether what a number sizes is the smaller the larger it is: `l` in `c[r-l+1]`.
    pub(super) fn is_start(&self, field: FieldId) -> bool {
        self.is_start[field.0]
    }

    /// Whether a number stands for the size of inputs that have none: `N` in `N x` with `x <= N`.
    pub(super) fn leads(&self, field: FieldId) -> bool {
        self.leads[field.0]
    }

    /// Whether the elements of a field must all differ.
    pub fn is_distinct(&self, field: FieldId) -> bool {
        self.distinct[field.0]
    }
}

/// Whether a comparison with a constant is part of what is stated of a field: no range within that becomes smaller by it.
pub(super) fn is_stated(stand: Stand, comparison: &Comparison, stated: Interval) -> bool {
    let (other, sign) = match (stand, &*comparison.left, &*comparison.right) {
        (Stand::Left, _, [Expr::Constant(other)]) => (*other, comparison.sign),
        (Stand::Right, [Expr::Constant(other)], _) => (*other, comparison.sign.mirrored()),
        _ => return false,
    };
    sign != Sign::NotEqual && cut(stated, sign, Interval::point(other)) == stated
}

/// The only size of a block, if the sizes and the counts in it speak of nothing outside of it.
fn lone_size(format: &Format, block: BlockId, sizes: &[FieldId]) -> Option<FieldId> {
    let [size] = sizes else { return None };
    let mut inside = vec![block];
    let mut at = 0;
    while let Some(parent) = inside.get(at).copied() {
        inside.extend(format.children(parent));
        at += 1;
    }
    let dimensions = format.fields.iter().filter(|f| inside.contains(&f.block)).flat_map(|f| &f.dimensions);
    let of_dimensions = dimensions.filter_map(stated_size);
    let announced = format.fields.iter().filter(|f| inside.contains(&f.block)).filter_map(|f| f.announced.as_ref());
    let counts = inside
        .iter()
        .skip(1)
        .filter_map(|b| if let Count::Times(c) = &format.block(*b).count { Some(c) } else { None });
    let fields = format.concerned(of_dimensions.chain(announced).chain(counts));
    fields.iter().all(|f| inside.contains(&format.field(*f).block)).then_some(*size)
}

/// Where no field sizes anything: the single numbers that others are compared with and that stand before all of those; each
/// single number where there are none.
fn leading(format: &Format, is_size: &[bool]) -> Vec<bool> {
    let is_single = |field: FieldId| format.field(field).dimensions.is_empty() && !is_size.contains(&true);
    let compared = |field: FieldId| {
        let rules = format.constraints.iter().filter(move |c| c.rule.mentions(field));
        rules.flat_map(|c| format.concerned(c.rule.exprs())).filter(move |other| *other != field)
    };
    let is_first = |field: FieldId| compared(field).next().is_some() && compared(field).all(|other| field < other);
    let singles: Vec<bool> = (0..format.fields.len()).map(|field| is_single(FieldId(field))).collect();
    let first: Vec<bool> = (0..singles.len()).map(|field| singles[field] && is_first(FieldId(field))).collect();
    if first.contains(&true) { first } else { singles }
}

/// All expressions that size something.
fn sizes(format: &Format) -> impl Iterator<Item = &Expr> {
    let dimensions = format.fields.iter().flat_map(|f| &f.dimensions).filter_map(stated_size);
    let counts = format.blocks.iter().flat_map(|b| match &b.count {
        Count::Times(count) => vec![count],
        Count::When(comparisons) => comparisons.iter().flat_map(|c| c.left.iter().chain(&c.right)).collect(),
        Count::Chosen | Count::Until { .. } => Vec::new(),
    });
    dimensions.chain(counts)
}

/// Whether a field is only ever subtracted in what sizes something.
fn is_start(format: &Format, field: FieldId) -> bool {
    let announced = format.fields.iter().filter_map(|info| info.announced.as_ref());
    let mut factors = sizes(format)
        .chain(announced)
        .filter(|size| size.mentions(field))
        .map(|size| factor_in(size, field))
        .peekable();
    factors.peek().is_some() && factors.all(|factor| factor.is_some_and(|factor| factor < 0))
}

fn stated_size(dimension: &Dimension) -> Option<&Expr> {
    match dimension {
        Dimension::Size(size) => Some(size),
        Dimension::Free => None,
    }
}
