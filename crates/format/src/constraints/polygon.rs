//! `polygon (x, y): convex, counterclockwise`: lines that are the corners of a polygon in their order.

use super::{
    BreachNames, BrokenConstraint, ConstraintKind, KnownPrefix, RuleBreach, StructureGoals, StructureSet, holds_so_far,
    in_words,
};
use crate::model::{BlockId, ConstraintRule, Expr, FoldRange, Format, PolygonConstraint};
use crate::value::{self, EvalError, ValueScope, visit_occurrences};
use rebut_diagnostics::list_and;
use rebut_generators::{Corner, PolygonFault, PolygonProperties, Turning, find_polygon_fault, polygon_properties};

/// Structures that tests should contain, if the properties allow them.
const REFLEX: &str = "an angle larger than a straight one";
const STRAIGHT: &str = "a straight angle";
const CLOCKWISE: &str = "corners in clockwise order";
const COUNTERCLOCKWISE: &str = "corners in counterclockwise order";

impl ConstraintKind for PolygonConstraint {
    fn expressions(&self) -> Vec<&Expr> {
        self.coordinates.iter().collect()
    }

    fn range(&self) -> Option<FoldRange> {
        Some(FoldRange::Instances(self.block))
    }

    fn implies_bounds(&self) -> bool {
        true
    }

    fn check<'f>(&'f self, scope: &ValueScope<'_>) -> Result<BrokenConstraint<'f>, EvalError> {
        let corners = self.collect_corners(scope)?;
        // Larger coordinates violate the bounds that come with the constraint.
        let is_exact = corners.iter().all(|(x, y)| x.abs().max(y.abs()) <= PolygonConstraint::MAX_COORDINATE);
        let fault = if is_exact { find_polygon_fault(&corners, &self.properties) } else { None };
        in_words(Ok(fault.map(|fault| describe_fault(fault, corners.len()))))
    }

    fn is_countable(&self) -> bool {
        true
    }

    fn may_still_hold(&self, home: BlockId, prefix: &dyn KnownPrefix) -> bool {
        let Some(scope) = prefix.scope_of(home) else { return true };
        prefix.is_repeating(self.block) || holds_so_far(self, scope)
    }

    fn is_costly(&self) -> bool {
        true
    }

    fn is_constructed(&self) -> bool {
        true
    }

    fn structure_goals(&self, format: &Format, _: (usize, usize)) -> Option<StructureGoals> {
        let has_fields = self.corner_fields()?;
        let name = |field| format.field(field).name.clone();
        let PolygonProperties { is_convex, no_straight_angles, turning } = self.properties;
        let goals = [
            (REFLEX, !is_convex),
            (STRAIGHT, !no_straight_angles),
            (CLOCKWISE, turning.is_none()),
            (COUNTERCLOCKWISE, turning.is_none()),
        ];
        let descriptions: Vec<&str> = goals.into_iter().filter(|goal| goal.1).map(|goal| goal.0).collect();
        let subject = format!("({}, {})", name(has_fields.0), name(has_fields.1));
        (!descriptions.is_empty()).then_some(StructureGoals { subject, descriptions })
    }

    fn collect_structures(&self, scope: &ValueScope<'_>, found: &mut StructureSet) {
        let own = self.collect_corners(scope).ok().and_then(|corners| polygon_properties(&corners));
        let Some(PolygonProperties { is_convex, no_straight_angles, turning }) = own else { return };
        found.add_if(REFLEX, !is_convex);
        found.add_if(STRAIGHT, !no_straight_angles);
        found.add_if(CLOCKWISE, turning == Some(Turning::Clockwise));
        found.add_if(COUNTERCLOCKWISE, turning == Some(Turning::Counterclockwise));
    }

    fn breach_name(&self, names: &BreachNames<'_>) -> String {
        let [x, y] = self.coordinates.each_ref().map(|coordinate| names.expression_name(coordinate, 0));
        format!("polygon-{x}-{y}")
    }

    fn breaches(&self, names: &BreachNames<'_>) -> Option<Vec<RuleBreach>> {
        let polygon = |properties| ConstraintRule::from(PolygonConstraint { properties, ..self.clone() });
        let name = self.breach_name(names);
        let (all, any) = (self.properties, PolygonProperties::default());
        // Each property by itself, with the others if possible.
        let single = [
            (
                "reflex-angle",
                PolygonProperties { is_convex: true, ..any },
                PolygonProperties { is_convex: false, ..all },
            ),
            (
                "straight-angle",
                PolygonProperties { no_straight_angles: true, ..any },
                PolygonProperties { no_straight_angles: false, ..all },
            ),
            (
                "other-order",
                PolygonProperties { turning: all.turning, ..any },
                PolygonProperties { turning: None, ..all },
            ),
        ];
        let crossing = RuleBreach { name: format!("{name}-crossing"), must_break: polygon(any), may_hold: Vec::new() };
        let asked = single.into_iter().filter(|(_, broken, _)| *broken != any);
        let others = asked.map(|(way, broken, rest)| RuleBreach {
            name: format!("{name}-{way}"),
            must_break: polygon(broken),
            may_hold: vec![polygon(rest), polygon(any)],
        });
        Some(std::iter::once(crossing).chain(others).collect())
    }
}

impl PolygonConstraint {
    fn collect_corners(&self, scope: &ValueScope<'_>) -> Result<Vec<Corner>, EvalError> {
        let [x, y] = &self.coordinates;
        let mut corners = Vec::new();
        visit_occurrences(scope, FoldRange::Instances(self.block), &mut |_, scope| {
            corners.push((value::evaluate_number(x, scope)?, value::evaluate_number(y, scope)?));
            Ok(())
        })?;
        Ok(corners)
    }
}

/// Returns the corner of a fault, and the fault in words. Corners are counted from 1 there.
fn describe_fault(fault: PolygonFault, count: usize) -> (Option<usize>, String) {
    let next = |corner: usize| if corner + 1 == count { 1 } else { corner + 2 };
    let side = |side: usize| format!("the side from corner {} to {}", side + 1, next(side));
    match fault {
        PolygonFault::TooFewCorners => (None, format!("{count} corners are too few for a polygon")),
        PolygonFault::NoLength(at) => (Some(at), format!("corners {} and {} are equal", at + 1, next(at))),
        PolygonFault::CommonPoint(one, other) => (Some(other), list_and(&[side(one), side(other)]) + " meet"),
        PolygonFault::StraightAngle(at) => (Some(at), format!("the angle at corner {} is straight", at + 1)),
        PolygonFault::ReflexAngle(at) => {
            (Some(at), format!("the angle inside at corner {} is larger than a straight one", at + 1))
        }
        PolygonFault::WrongTurning => (None, "the corners are in the other order".to_owned()),
    }
}
