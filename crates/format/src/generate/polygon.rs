//! Blocks of corners: the corners of a polygon are drawn before the lines that they are in.

use super::GenerationError;
use super::budget::compare_with_constant;
use super::failure::DrawFailure;
use super::instance::InstanceGenerator;
use crate::language::{BlockId, Comparison, ComparisonOperator, Expr, FieldId, Interval};
use crate::value::ValueScope;
use rebut_generators::{Corner, POLYGON_SHAPES, PolygonProperties, PolygonRequirements};

/// The corners that become the instances of a block.
#[derive(Debug)]
pub(super) struct CornerList {
    fields: (FieldId, FieldId),
    corners: Vec<Corner>,
}

impl CornerList {
    /// Returns the required values of the `i`-th instance.
    pub(super) fn instance_limits(&self, i: usize) -> Vec<Comparison> {
        let Some((x, y)) = self.corners.get(i) else { return Vec::new() };
        let is = |field, number| compare_with_constant(&Expr::Field(field), ComparisonOperator::Equal, number);
        vec![is(self.fields.0, *x), is(self.fields.1, *y)]
    }
}

impl InstanceGenerator<'_, '_> {
    /// Draws the corners, if the instances of a block are those of a polygon. If none is found in the ranges of the
    /// coordinates, the lines are drawn without it and refused by the check.
    pub(super) fn draw_polygon(
        &mut self,
        child: BlockId,
        count: usize,
        holder: &ValueScope<'_>,
    ) -> Result<Option<CornerList>, GenerationError> {
        let Some((properties, fields)) = self.polygon_of(child) else { return Ok(None) };
        if self.plan.format.stop_token.spend_steps(count as u64) {
            return Err(GenerationError::for_stop());
        }
        let nothing = vec![None; self.plan.format.block(child).slots];
        let scope = self.scope_of_block(child, &nothing, Some(holder));
        let range = |generator: &mut Self, field| generator.remaining_range(field, &scope, &[]);
        let (x, y) = match (range(self, fields.0), range(self, fields.1)) {
            (Ok(x), Ok(y)) => (x, y),
            (Err(failure), _) | (_, Err(failure)) => {
                return Err(DrawFailure::into_error(failure, self.plan.format));
            }
        };
        // Early in a search, numbers are small, which may be too few for so many corners.
        let near = (self.grow_field_range(fields.0, x), self.grow_field_range(fields.1, y));
        let shape = self.swarm.pick_polygon_shape(self.choices);
        let whole = |range: Interval| (range.lo, range.hi);
        let draws = [(near, shape), ((x, y), shape), ((x, y), &POLYGON_SHAPES[0])];
        let drawn = draws.into_iter().find_map(|((x, y), shape)| {
            let wanted = PolygonRequirements { count, x: whole(x), y: whole(y), properties };
            Some((shape.draw_corners(self.choices, &wanted)?, shape))
        });
        let Some((corners, shape)) = drawn else { return Ok(None) };
        self.record_used_shape(shape.name);
        Ok(Some(CornerList { fields, corners }))
    }

    /// Returns the properties and the coordinates of the polygon whose corners are the instances of a block. Of several,
    /// one is constructed.
    fn polygon_of(&self, block: BlockId) -> Option<(PolygonProperties, (FieldId, FieldId))> {
        let polygons = self.plan.format.constraints.iter().filter_map(|constraint| constraint.rule.polygon());
        let polygon = polygons.into_iter().find(|polygon| polygon.block == block)?;
        Some((polygon.properties, polygon.corner_fields()?))
    }
}
