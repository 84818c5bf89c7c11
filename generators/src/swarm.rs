//! Which shapes are in play for one file.
//!
//! If every file mixed all shapes evenly, no file would be all ties or all palindromes. A swarm switches most of them
//! off at random, so that the few that remain dominate a whole file, and different files are different.

use crate::boards::{BOARD_SHAPES, BoardShape};
use crate::budgets::{BUDGET_SHAPES, BudgetShape};
use crate::catalog::{Family, named};
use crate::choices::Choices;
use crate::graphs::{GRAPH_SHAPES, GraphShape};
use crate::intervals::{INTERVAL_SHAPES, IntervalShape};
use crate::numbers::{NUMBER_SHAPES, NumberShape};
use crate::products::{FACTOR_SHAPES, FactorShape};
use crate::texts::{TEXT_SHAPES, TextShape};
use crate::weights::{WEIGHT_SHAPES, WeightShape};

/// A random subset of the shapes of each family, never empty once it is drawn. That is when the first of them is asked for:
/// most inputs need one or two families, and to draw all of them would take longer than to draw a small input.
#[derive(Debug, Clone, Default)]
pub struct Swarm {
    numbers: Vec<&'static NumberShape>,
    texts: Vec<&'static TextShape>,
    boards: Vec<&'static BoardShape>,
    budgets: Vec<&'static BudgetShape>,
    graphs: Vec<&'static GraphShape>,
    factors: Vec<&'static FactorShape>,
    weights: Vec<&'static WeightShape>,
    intervals: Vec<&'static IntervalShape>,
}

impl Swarm {
    /// Subsets that are yet to be drawn, small ones as likely as large ones.
    #[must_use]
    pub fn new() -> Swarm {
        Swarm::default()
    }

    /// Every shape of every family, or, in each family that knows `name`, that one alone.
    #[must_use]
    pub fn only(name: &str) -> Swarm {
        fn all<T>(table: &'static [T]) -> Vec<&'static T> {
            table.iter().collect()
        }
        let all = Swarm {
            numbers: all(NUMBER_SHAPES),
            texts: all(TEXT_SHAPES),
            boards: all(BOARD_SHAPES),
            budgets: all(BUDGET_SHAPES),
            graphs: all(GRAPH_SHAPES),
            factors: all(FACTOR_SHAPES),
            weights: all(WEIGHT_SHAPES),
            intervals: all(INTERVAL_SHAPES),
        };
        all.with_forced(Some(name))
    }

    /// The same swarm, but with nothing except the shape called `name` in each family that knows it. The name may be
    /// qualified by its family, as in `texts/palindrome`.
    #[must_use]
    pub fn with_forced(mut self, name: Option<&str>) -> Swarm {
        let Some(name) = name else { return self };
        force(&mut self.numbers, NUMBER_SHAPES, |shape| named(Family::Numbers, shape.name, name));
        force(&mut self.texts, TEXT_SHAPES, |shape| named(Family::Texts, shape.name, name));
        force(&mut self.boards, BOARD_SHAPES, |shape| named(Family::Boards, shape.name, name));
        force(&mut self.budgets, BUDGET_SHAPES, |shape| named(Family::Budgets, shape.name, name));
        force(&mut self.graphs, GRAPH_SHAPES, |shape| named(Family::Graphs, shape.name, name));
        force(&mut self.factors, FACTOR_SHAPES, |shape| named(Family::Factors, shape.name, name));
        force(&mut self.weights, WEIGHT_SHAPES, |shape| named(Family::Weights, shape.name, name));
        force(&mut self.intervals, INTERVAL_SHAPES, |shape| named(Family::Intervals, shape.name, name));
        self
    }

    /// One of the shapes of sequences in play.
    pub fn numbers(&mut self, c: &mut Choices) -> &'static NumberShape {
        one(&mut self.numbers, NUMBER_SHAPES, c)
    }

    /// One of the shapes of texts in play.
    #[inline]
    pub fn texts(&mut self, c: &mut Choices) -> &'static TextShape {
        one(&mut self.texts, TEXT_SHAPES, c)
    }

    /// One of the shapes of boards in play.
    pub fn boards(&mut self, c: &mut Choices) -> &'static BoardShape {
        one(&mut self.boards, BOARD_SHAPES, c)
    }

    /// One of the ways of splitting a total in play.
    pub fn budgets(&mut self, c: &mut Choices) -> &'static BudgetShape {
        one(&mut self.budgets, BUDGET_SHAPES, c)
    }

    /// One of the shapes of graphs in play.
    pub fn graphs(&mut self, c: &mut Choices) -> &'static GraphShape {
        one(&mut self.graphs, GRAPH_SHAPES, c)
    }

    /// One of the shapes of two factors in play.
    pub fn factors(&mut self, c: &mut Choices) -> &'static FactorShape {
        one(&mut self.factors, FACTOR_SHAPES, c)
    }

    /// One of the shapes of edge weights in play.
    pub fn weights(&mut self, c: &mut Choices) -> &'static WeightShape {
        one(&mut self.weights, WEIGHT_SHAPES, c)
    }

    /// One of the shapes of intervals in play.
    pub fn intervals(&mut self, c: &mut Choices) -> &'static IntervalShape {
        one(&mut self.intervals, INTERVAL_SHAPES, c)
    }
}

#[inline]
fn one<T>(shapes: &mut Vec<&'static T>, table: &'static [T], c: &mut Choices) -> &'static T {
    if shapes.is_empty() {
        *shapes = subset(c, table);
    }
    shapes[c.index(shapes.len())]
}

fn subset<T>(c: &mut Choices, table: &'static [T]) -> Vec<&'static T> {
    let last = table.len() as i128 - 1;
    let size = c.log_range(1, last + 1) as usize;
    c.distinct(size, 0, last).into_iter().map(|index| &table[index as usize]).collect()
}

fn force<T>(shapes: &mut Vec<&'static T>, table: &'static [T], wanted: impl Fn(&T) -> bool) {
    if let Some(shape) = table.iter().find(|shape| wanted(shape)) {
        *shapes = vec![shape];
    }
}
