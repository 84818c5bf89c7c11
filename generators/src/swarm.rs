//! The selection of shapes for one file (swarm testing).
//!
//! If every file mixed all shapes evenly, no file would be all ties or all palindromes. A swarm disables most of them
//! at random, so that the remaining few dominate a whole file, and different files differ.

use crate::boards::{BOARD_SHAPES, BoardShape};
use crate::budgets::{BUDGET_SHAPES, BudgetShape};
use crate::choices::Choices;
use crate::factor_pairs::{FACTOR_SHAPES, FactorShape};
use crate::forms::{FORM_SHAPES, FormShape};
use crate::graphs::{GRAPH_SHAPES, GraphShape, WORST_CASE_GRAPH_SHAPES};
use crate::intervals::{INTERVAL_SHAPES, IntervalShape};
use crate::numbers::{NUMBER_SHAPES, NumberShape, WORST_CASE_NUMBER_SHAPES};
use crate::polygons::{POLYGON_SHAPES, PolygonShape};
use crate::shape_family::{ShapeFamily, is_shape_name, split_shape_names};
use crate::texts::{TEXT_SHAPES, TextShape, WORST_CASE_TEXT_SHAPES};
use crate::weights::{WEIGHT_SHAPES, WORST_CASE_WEIGHT_SHAPES, WeightShape};

/// A random subset of the shapes of each family, never empty once it is drawn. It is drawn when the first shape of the
/// family is requested: most inputs need one or two families, and drawing all subsets would take longer than drawing a
/// small input.
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
    polygons: Vec<&'static PolygonShape>,
    forms: Vec<&'static FormShape>,
    has_chosen_weights: bool,
}

impl Swarm {
    /// Creates a swarm with subsets that are drawn on first use, small ones as likely as large ones.
    #[must_use]
    pub fn new() -> Swarm {
        Swarm::default()
    }

    /// Creates a swarm of all shapes, restricted to the shape `name` in each family that has it.
    #[must_use]
    pub fn with_only(name: &str) -> Swarm {
        fn all_shapes_of<T>(table: &'static [T]) -> Vec<&'static T> {
            table.iter().collect()
        }
        let all = Swarm {
            numbers: all_shapes_of(NUMBER_SHAPES),
            texts: all_shapes_of(TEXT_SHAPES),
            boards: all_shapes_of(BOARD_SHAPES),
            budgets: all_shapes_of(BUDGET_SHAPES),
            graphs: all_shapes_of(GRAPH_SHAPES),
            factors: all_shapes_of(FACTOR_SHAPES),
            weights: all_shapes_of(WEIGHT_SHAPES),
            intervals: all_shapes_of(INTERVAL_SHAPES),
            polygons: all_shapes_of(POLYGON_SHAPES),
            forms: all_shapes_of(FORM_SHAPES),
            has_chosen_weights: false,
        };
        all.with_forced_shape(Some(name))
    }

    /// Creates a swarm with one worst case of each family that has any. Consecutive numbers give all of them in turn, and
    /// weights that are made for a graph go with it.
    #[must_use]
    pub fn with_worst_cases(number: usize) -> Swarm {
        fn shape_at<T>(table: &'static [T], number: usize) -> Vec<&'static T> {
            table.get(number % table.len().max(1)).into_iter().collect()
        }
        let graphs = shape_at(WORST_CASE_GRAPH_SHAPES, number);
        let is_made_for_graph = |weights: &&WeightShape| graphs.iter().any(|graph| graph.name == weights.name);
        let weights: Vec<&WeightShape> = WORST_CASE_WEIGHT_SHAPES.iter().filter(is_made_for_graph).collect();
        Swarm {
            numbers: shape_at(WORST_CASE_NUMBER_SHAPES, number),
            texts: shape_at(WORST_CASE_TEXT_SHAPES, number),
            has_chosen_weights: !weights.is_empty(),
            graphs,
            weights,
            ..Swarm::default()
        }
    }

    /// Restricts the swarm to the shape `name` in each family that has it. The name may be qualified by its family, as
    /// in `texts/palindrome`, and names of several shapes can be joined, as in `graphs/path+weights/equal`. Only by name the
    /// swarm has a worst case, such as `anti-gcd`.
    #[must_use]
    pub fn with_forced_shape(mut self, name: Option<&str>) -> Swarm {
        let Some(names) = name else { return self };
        let is_combined = split_shape_names(names).count() > 1;
        for name in split_shape_names(names) {
            self.has_chosen_weights |= is_combined && self.force_weight_shape(name);
            self.force_one_shape(name);
        }
        self
    }

    /// Returns true if a shape of weights was chosen beside shapes of other families, so that edges must have such weights.
    #[must_use]
    pub fn has_chosen_weights(&self) -> bool {
        self.has_chosen_weights
    }

    fn force_one_shape(&mut self, name: &str) {
        use ShapeFamily::{Boards, Budgets, Factors, Forms, Graphs, Intervals, Numbers, Polygons, Texts};
        let is_named = |family, own: &str| is_shape_name(family, own, name);
        force_shape(&mut self.numbers, [NUMBER_SHAPES, WORST_CASE_NUMBER_SHAPES], |s| is_named(Numbers, s.name));
        force_shape(&mut self.texts, [TEXT_SHAPES, WORST_CASE_TEXT_SHAPES], |s| is_named(Texts, s.name));
        force_shape(&mut self.boards, [BOARD_SHAPES, &[]], |s| is_named(Boards, s.name));
        force_shape(&mut self.budgets, [BUDGET_SHAPES, &[]], |s| is_named(Budgets, s.name));
        force_shape(&mut self.graphs, [GRAPH_SHAPES, WORST_CASE_GRAPH_SHAPES], |s| is_named(Graphs, s.name));
        force_shape(&mut self.factors, [FACTOR_SHAPES, &[]], |s| is_named(Factors, s.name));
        force_shape(&mut self.intervals, [INTERVAL_SHAPES, &[]], |s| is_named(Intervals, s.name));
        force_shape(&mut self.polygons, [POLYGON_SHAPES, &[]], |s| is_named(Polygons, s.name));
        force_shape(&mut self.forms, [FORM_SHAPES, &[]], |s| is_named(Forms, s.name));
        self.force_weight_shape(name);
    }

    fn force_weight_shape(&mut self, name: &str) -> bool {
        let is_named = |shape: &WeightShape| is_shape_name(ShapeFamily::Weights, shape.name, name);
        force_shape(&mut self.weights, [WEIGHT_SHAPES, WORST_CASE_WEIGHT_SHAPES], is_named)
    }

    /// Returns a random enabled shape of sequences.
    pub fn pick_number_shape(&mut self, c: &mut Choices) -> &'static NumberShape {
        pick_shape(&mut self.numbers, NUMBER_SHAPES, c)
    }

    /// Returns a random enabled shape of texts.
    #[inline]
    pub fn pick_text_shape(&mut self, c: &mut Choices) -> &'static TextShape {
        pick_shape(&mut self.texts, TEXT_SHAPES, c)
    }

    /// Returns a random enabled shape of boards.
    pub fn pick_board_shape(&mut self, c: &mut Choices) -> &'static BoardShape {
        pick_shape(&mut self.boards, BOARD_SHAPES, c)
    }

    /// Returns a random enabled way to split a total.
    pub fn pick_budget_shape(&mut self, c: &mut Choices) -> &'static BudgetShape {
        pick_shape(&mut self.budgets, BUDGET_SHAPES, c)
    }

    /// Returns a random enabled shape of graphs.
    pub fn pick_graph_shape(&mut self, c: &mut Choices) -> &'static GraphShape {
        pick_shape(&mut self.graphs, GRAPH_SHAPES, c)
    }

    /// Returns a random enabled shape of two factors.
    pub fn pick_factor_shape(&mut self, c: &mut Choices) -> &'static FactorShape {
        pick_shape(&mut self.factors, FACTOR_SHAPES, c)
    }

    /// Returns a random enabled shape of edge weights.
    pub fn pick_weight_shape(&mut self, c: &mut Choices) -> &'static WeightShape {
        pick_shape(&mut self.weights, WEIGHT_SHAPES, c)
    }

    /// Returns a random enabled shape of intervals.
    pub fn pick_interval_shape(&mut self, c: &mut Choices) -> &'static IntervalShape {
        pick_shape(&mut self.intervals, INTERVAL_SHAPES, c)
    }

    /// Returns a random enabled shape of polygons.
    pub fn pick_polygon_shape(&mut self, c: &mut Choices) -> &'static PolygonShape {
        pick_shape(&mut self.polygons, POLYGON_SHAPES, c)
    }

    /// Returns a random enabled shape of the forms of lines. In half of the files, only the ordinary one is enabled: most
    /// inputs have all forms.
    pub fn pick_form_shape(&mut self, c: &mut Choices) -> &'static FormShape {
        if self.forms.is_empty() && c.draw_chance(1, 2) {
            self.forms = vec![&FORM_SHAPES[0]];
        }
        pick_shape(&mut self.forms, FORM_SHAPES, c)
    }
}

#[inline]
fn pick_shape<T>(shapes: &mut Vec<&'static T>, table: &'static [T], c: &mut Choices) -> &'static T {
    if shapes.is_empty() {
        *shapes = random_subset(c, table);
    }
    shapes[c.draw_index(shapes.len())]
}

fn random_subset<T>(c: &mut Choices, table: &'static [T]) -> Vec<&'static T> {
    let last = table.len() as i128 - 1;
    let size = c.draw_log_range(1, last + 1) as usize;
    c.draw_distinct(size, 0, last).into_iter().map(|index| &table[index as usize]).collect()
}

/// Restricts the shapes to the wanted one. Returns true if one of the tables has it.
fn force_shape<T>(shapes: &mut Vec<&'static T>, tables: [&'static [T]; 2], wanted: impl Fn(&T) -> bool) -> bool {
    let found = tables.into_iter().flatten().find(|shape| wanted(shape));
    if let Some(shape) = found {
        *shapes = vec![shape];
    }
    found.is_some()
}
