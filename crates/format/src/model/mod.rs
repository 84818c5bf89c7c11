//! The model of a format: blocks, fields, expressions, and the rules of constraints as data.
//!
//! [`crate::language`] turns text into it, and [`crate::constraints`] has the consequences of each kind of constraint.

mod byte_writer;
mod constraint_rule;
mod expression;
mod expression_parts;
mod format;
mod ids;
mod interval;
mod linear_sum;
mod narrowing;
mod number_text;
mod stop_token;
mod text_property;
mod token_pattern;

pub use byte_writer::ByteWriter;
pub use constraint_rule::{
    Comparison, ConstraintRule, DistinctConstraint, DistinctTextsConstraint, EdgeSelection, Formula, GraphConstraint,
    GraphEdges, GraphProperty, OrderConstraint, PatternConstraint, PolygonConstraint, QuantifiedFormula,
    TextConstraint,
};
pub use expression::{
    ArithmeticOperator, ComparisonOperator, Expr, FoldKind, FoldRange, NumberFunction, OptionalBlocks, SliceFold,
    SliceReduction,
};
pub(crate) use expression_parts::is_never_empty;
pub use expression_parts::{DeclaredRanges, RangeSource, element_count_range, evaluate_range, instance_count_range};
pub use format::{
    Block, BlockKind, Class, Constraint, DecimalPlaces, ExternalProgram, Field, FieldDimension, FieldKind, Format,
    InlineGroup, InstanceCount, LayoutItem, LinePart, LineToken, Subtask,
};
pub use ids::{BlockId, FieldId};
pub use interval::{Interval, can_hold, combine_intervals, narrow_by_operator};
pub(crate) use interval::{apply_operator, fold_interval, trim_ends};
pub(crate) use linear_sum::{LinearSum, factor_of_field};
pub use narrowing::{FieldPosition, narrow_range};
pub(crate) use narrowing::{NestedNarrowing, block_always_exists, comparison_can_hold, is_always_evaluated};
pub use number_text::{format_decimal, format_range, push_number};
pub use stop_token::StopToken;
pub use text_property::{
    Board, LetterSpace, PropertyFault, PropertyGoal, PropertyMisuse, TextProperty, TextPropertyRef,
};
pub use token_pattern::TokenPattern;

/// Maximum absolute value of numbers in formats and inputs; sums and products of a few such numbers still fit `i128`.
pub const MAX_NUMBER: i128 = 10_i128.pow(36);
