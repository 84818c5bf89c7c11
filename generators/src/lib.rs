//! Where test data comes from: recorded random choices, and the shapes that are drawn from them.
//!
//! Everything starts at [`Choices`], a sequence of small draws that is fresh from a seed, replayed from a list, or one
//! of all that [`Exhaustive`] walks through. Shapes turn choices into values: sequences ([`NumberShape`]), texts
//! ([`TextShape`]), boards ([`BoardShape`]), graphs ([`GraphShape`]) and the weights of their edges ([`WeightShape`]), intervals
//! ([`IntervalShape`]), splits of a total ([`BudgetShape`]) and of a product ([`FactorShape`]), and whole files of
//! shipped problems ([`Bespoke`]). A [`Swarm`] decides which shapes are in play for one file, [`size`] how far it has grown.
//!
//! *Invariant:* nothing here knows formats, files, clocks, threads or the terminal, and no value depends on anything
//! but its choices. The same seed builds the same bytes on each platform, for as long as [`STREAM_VERSION`] stays.

mod boards;
mod budgets;
mod catalog;
mod choices;
mod distinct;
mod edges;
mod exhaustive;
mod graphs;
mod intervals;
mod met;
mod mix;
mod numbers;
mod primes;
mod problems;
mod products;
mod radix;
mod sizes;
mod swarm;
mod texts;
mod weights;

pub use boards::{BOARD_SHAPES, BoardShape};
pub use budgets::{BUDGET_SHAPES, BudgetShape, find_budget_shape, split, split_in_full};
pub use catalog::{Family, ShapeInfo, all_shapes, find_shape};
pub use choices::{Choices, STREAM_VERSION};
pub use exhaustive::Exhaustive;
pub use graphs::{GRAPH_SHAPES, Graph, GraphFault, GraphFaultKind, GraphShape};
pub use intervals::{INTERVAL_SHAPES, IntervalShape};
pub use met::all_differ;
pub use numbers::{NUMBER_SHAPES, NumberShape, Sequence};
pub use problems::{BESPOKE, Bespoke};
pub use products::{FACTOR_SHAPES, FactorShape, Factors};
pub use sizes::{NumberWay, SizeWay, Sizes, scalar, scalar_by, size};
pub use swarm::Swarm;
pub use texts::{TEXT_SHAPES, TextShape};
pub use weights::{WEIGHT_SHAPES, WeightShape};
