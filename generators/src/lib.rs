//! Generators of test data: recorded random choices, and the shapes that are drawn from them.
//!
//! The principal type is [`Choices`], a sequence of small draws. It is fresh from a seed, replayed from a list, or one
//! of all sequences that [`ExhaustiveChoices`] enumerates. Shapes turn choices into values: sequences
//! ([`NumberShape`]), texts ([`TextShape`]), boards ([`BoardShape`]), graphs ([`GraphShape`]) and the weights of their
//! edges ([`WeightShape`]), intervals ([`IntervalShape`]), polygons ([`PolygonShape`]), and splits of a total ([`BudgetShape`]) and of a
//! product ([`FactorShape`]). A [`Swarm`] selects the shapes for one file, and [`draw_size`] draws sizes that grow over a run.
//!
//! *Invariant:* this crate does not depend on formats, files, clocks, threads or the terminal, and a value depends on
//! its choices only. The same seed generates the same bytes on each platform as long as [`STREAM_VERSION`] is the same.
//!
//! ```
//! use rebut_generators::{Choices, find_budget_shape, split_total};
//!
//! let shape = find_budget_shape("one-big").expect("a shape of this crate");
//! let sizes = split_total(&mut Choices::from_seed(1, 0), shape, 4, 100, 1, 100);
//! assert_eq!(sizes.iter().sum::<i128>(), 100);
//! assert_eq!(sizes.iter().filter(|size| **size == 1).count(), 3);
//! ```

mod boards;
mod budgets;
mod catalog;
mod choices;
mod distinct;
mod draw_protocol;
mod edge_values;
mod exhaustive;
mod factor_pairs;
mod forms;
mod graphs;
mod hash_collisions;
mod intervals;
mod lattice;
mod notable_numbers;
mod numbers;
mod permutations;
mod polygons;
mod primes;
mod shape_family;
mod sizes;
mod swarm;
mod texts;
mod tuning;
mod weights;

pub use boards::{BOARD_SHAPES, BoardShape};
pub use budgets::{BUDGET_SHAPES, BudgetShape, find_budget_shape, split_total, split_total_fully};
pub use catalog::{ShapeInfo, all_shapes, are_shapes_known, find_shape};
pub use choices::{Choices, STREAM_VERSION};
pub use distinct::all_differ;
pub use draw_protocol::{DrawLog, DrawRequest, HELPER_FILES, HelperFile, MalformedDraw, parse_draw_log};
pub use exhaustive::ExhaustiveChoices;
pub use factor_pairs::{FACTOR_SHAPES, FactorRequirements, FactorShape};
pub use forms::{FORM_SHAPES, FormShape};
pub use graphs::{
    DegreeRule, GRAPH_SHAPES, GraphFault, GraphFaultKind, GraphRequirements, GraphShape, WORST_CASE_GRAPH_SHAPES,
};
pub use hash_collisions::{PolynomialHash, draw_colliding_texts};
pub use intervals::{INTERVAL_SHAPES, IntervalShape};
pub use notable_numbers::draw_notable_number;
pub use numbers::{NUMBER_SHAPES, NumberShape, SequenceRequirements, WORST_CASE_NUMBER_SHAPES};
pub use permutations::{change_cycles, count_inversions, find_cycles, reorder_to_inversions};
pub use polygons::{
    Corner, POLYGON_SHAPES, PolygonFault, PolygonProperties, PolygonRequirements, PolygonShape, Turning,
    find_polygon_fault, polygon_properties,
};
pub use primes::{is_prime, largest_fibonacci_pair, largest_primes};
pub use shape_family::{Shape, ShapeFamily, split_shape_names};
pub use sizes::{ScalarStrategy, SizeRange, SizeStrategy, draw_scalar, draw_scalar_with, draw_size};
pub use swarm::Swarm;
pub use texts::{TEXT_SHAPES, TextShape, WORST_CASE_TEXT_SHAPES};
pub use weights::{WEIGHT_SHAPES, WORST_CASE_WEIGHT_SHAPES, WeightShape};
