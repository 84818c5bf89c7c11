//! What generation needs to know of a format, worked out once.

use super::columns::Plain;
use crate::format::{
    BlockId, Comparison, Count, Dimension, Edges, Expr, FieldId, Format, Formula, GraphRule, Over, Pattern, Rule, Sign,
};

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
    /// For each field, whether its elements must all differ.
    distinct: Vec<bool>,
    /// For each block, how its columns are drawn, if they can be drawn by themselves.
    plain: Vec<Option<Plain>>,
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
        let is_size = fields().map(|field| sizes(format).any(|size| size.mentions(field))).collect();
        let all_differ = |field| {
            rules().any(
                |(_, c)| matches!(&c.rule, Rule::Distinct(parts, Over::Elements) if parts[..] == [Expr::Field(field)]),
            )
        };
        let distinct = fields().map(all_differ).collect();
        let plain = (0..format.blocks.len()).map(|block| Plain::of(format, BlockId(block))).collect();
        Plan { format, touching, at_home, is_size, distinct, plain }
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

    /// Whether the elements of a field must all differ.
    pub fn is_distinct(&self, field: FieldId) -> bool {
        self.distinct[field.0]
    }
}

/// All expressions that size something.
fn sizes(format: &Format) -> impl Iterator<Item = &Expr> {
    let dimensions = format.fields.iter().flat_map(|f| &f.dimensions).filter_map(|d| match d {
        Dimension::Size(size) => Some(size),
        Dimension::Free => None,
    });
    let counts = format.blocks.iter().flat_map(|b| match &b.count {
        Count::Times(count) => vec![count],
        Count::When(comparisons) => comparisons.iter().flat_map(|c| c.left.iter().chain(&c.right)).collect(),
        Count::Chosen | Count::Until { .. } => Vec::new(),
    });
    dimensions.chain(counts)
}
