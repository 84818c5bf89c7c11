//! Resolution of polygons: corners on lines.

use super::added_constraints::{push_bounds, push_constraint, push_constraint_at};
use super::expressions::resolve_range;
use super::graph_constraints::unknown_property;
use super::name_scope::NameScope;
use crate::language::syntax::{SyntaxProperty, SyntaxTerm};
use crate::model::{BlockId, BlockKind, Comparison, ComparisonOperator, Expr, PolygonConstraint};
use rebut_diagnostics::{Diagnostic, Span};
use rebut_generators::{PolygonProperties, Turning};

const ANY: PolygonProperties = PolygonProperties { is_convex: false, no_straight_angles: false, turning: None };

/// The properties of polygons by their keywords.
const POLYGON_PROPERTIES: [(&str, PolygonProperties); 5] = [
    ("convex", PolygonProperties { is_convex: true, ..ANY }),
    ("strictly convex", PolygonProperties { is_convex: true, no_straight_angles: true, ..ANY }),
    ("no straight angles", PolygonProperties { no_straight_angles: true, ..ANY }),
    ("clockwise", PolygonProperties { turning: Some(Turning::Clockwise), ..ANY }),
    ("counterclockwise", PolygonProperties { turning: Some(Turning::Counterclockwise), ..ANY }),
];

/// Returns the names of all properties of polygons, such as `convex`.
pub fn polygon_property_names() -> impl Iterator<Item = &'static str> {
    POLYGON_PROPERTIES.into_iter().map(|(name, _)| name)
}

/// `polygon (x, y): convex, counterclockwise`
pub(super) fn resolve_polygon(
    scope: &mut NameScope,
    corner: &(SyntaxTerm, SyntaxTerm),
    words: &[SyntaxProperty],
    span: Span,
) -> Result<(), Diagnostic> {
    let coordinates = <[Expr; 2]>::from(resolve_range(scope, corner)?);
    let where_corners_are = corner.0.span.to(corner.1.span);
    let Some(block) = block_of_corners(scope, &coordinates) else {
        return Err(Diagnostic::error("polygon-corners", where_corners_are, "corners are the lines of a `repeat`")
            .with_caret("expected two different numbers of one repeated block that is always there")
            .with_help("give each corner a line: `repeat n:` and below it `x y`"));
    };
    let properties = parse_properties(words)?;
    let number = |number: i128| SyntaxTerm { span, ..SyntaxTerm::from_number(number) };
    let coordinate_range = (number(-PolygonConstraint::MAX_COORDINATE), number(PolygonConstraint::MAX_COORDINATE));
    push_bounds(scope, &corner.0, &coordinate_range, span)?;
    push_bounds(scope, &corner.1, &coordinate_range, span)?;
    if let Some(count) = scope.format.block(block).count.times_expr().cloned() {
        push_constraint(scope, Comparison::new(count, ComparisonOperator::GreaterEqual, Expr::Constant(3)), span)?;
    }
    let home = scope.format.block(block).parent.unwrap_or(BlockId(0));
    push_constraint_at(scope, PolygonConstraint { block, coordinates, properties }, home, span)
}

/// Returns the block of which each instance is a corner, or `None` if the fields are no corners.
fn block_of_corners(scope: &NameScope, coordinates: &[Expr; 2]) -> Option<BlockId> {
    let [Expr::Field(x), Expr::Field(y)] = *coordinates else { return None };
    let (one, other) = (scope.format.field(x), scope.format.field(y));
    let is_optional = |block: BlockId| scope.format.blocks_around(block).any(|outer| scope.format.is_optional(outer));
    let are_corners = x != y && one.is_scalar() && other.is_scalar() && one.block == other.block;
    let repeats = scope.format.block(one.block).kind == BlockKind::Repeat && !is_optional(one.block);
    (are_corners && repeats).then_some(one.block)
}

fn parse_properties(words: &[SyntaxProperty]) -> Result<PolygonProperties, Diagnostic> {
    let mut properties = ANY;
    for SyntaxProperty { word, bound, span, .. } in words {
        if bound.is_some() {
            return Err(Diagnostic::error("adjective", *span, format!("`{word}` has no bound"))
                .with_caret("a polygon has the property or not"));
        }
        let named = POLYGON_PROPERTIES.iter().find(|(name, _)| name == word);
        let Some((_, meaning)) = named else {
            let names: Vec<&str> = polygon_property_names().collect();
            return Err(unknown_property(format!("there is no property of polygons `{word}`"), word, *span, &names));
        };
        properties.is_convex |= meaning.is_convex;
        properties.no_straight_angles |= meaning.no_straight_angles;
        let turning = meaning.turning.or(properties.turning);
        if properties.turning.is_some_and(|before| Some(before) != turning) {
            return Err(Diagnostic::error("adjective", *span, "a polygon has only one order of its corners")
                .with_caret("the other order is named before"));
        }
        properties.turning = turning;
    }
    Ok(properties)
}
