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

/// A random subset of the shapes of each family, never empty.
#[derive(Debug, Clone)]
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
    /// A random subset of every family, small ones as likely as large ones.
    pub fn draw(c: &mut Choices) -> Swarm {
        Swarm {
            numbers: subset(c, NUMBER_SHAPES),
            texts: subset(c, TEXT_SHAPES),
            boards: subset(c, BOARD_SHAPES),
            budgets: subset(c, BUDGET_SHAPES),
            graphs: subset(c, GRAPH_SHAPES),
            factors: subset(c, FACTOR_SHAPES),
            weights: subset(c, WEIGHT_SHAPES),
            intervals: subset(c, INTERVAL_SHAPES),
        }
    }

    /// Every shape of every family, or, in each family that knows `name`, that one alone.
    #[must_use]
    pub fn only(name: &str) -> Swarm {
        let all = Swarm {
            numbers: NUMBER_SHAPES.iter().collect(),
            texts: TEXT_SHAPES.iter().collect(),
            boards: BOARD_SHAPES.iter().collect(),
            budgets: BUDGET_SHAPES.iter().collect(),
            graphs: GRAPH_SHAPES.iter().collect(),
            factors: FACTOR_SHAPES.iter().collect(),
            weights: WEIGHT_SHAPES.iter().collect(),
            intervals: INTERVAL_SHAPES.iter().collect(),
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
    pub fn numbers(&self, c: &mut Choices) -> &'static NumberShape {
        self.numbers[c.index(self.numbers.len())]
    }

    /// One of the shapes of texts in play.
    #[inline]
    pub fn texts(&self, c: &mut Choices) -> &'static TextShape {
        self.texts[c.index(self.texts.len())]
    }

    /// One of the shapes of boards in play.
    pub fn boards(&self, c: &mut Choices) -> &'static BoardShape {
        self.boards[c.index(self.boards.len())]
    }

    /// One of the ways of splitting a total in play.
    pub fn budgets(&self, c: &mut Choices) -> &'static BudgetShape {
        self.budgets[c.index(self.budgets.len())]
    }

    /// One of the shapes of graphs in play.
    pub fn graphs(&self, c: &mut Choices) -> &'static GraphShape {
        self.graphs[c.index(self.graphs.len())]
    }

    /// One of the shapes of two factors in play.
    pub fn factors(&self, c: &mut Choices) -> &'static FactorShape {
        self.factors[c.index(self.factors.len())]
    }

    /// One of the shapes of edge weights in play.
    pub fn weights(&self, c: &mut Choices) -> &'static WeightShape {
        self.weights[c.index(self.weights.len())]
    }

    /// One of the shapes of intervals in play.
    pub fn intervals(&self, c: &mut Choices) -> &'static IntervalShape {
        self.intervals[c.index(self.intervals.len())]
    }
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
