//! Graphs over some lines of a block: those from one number to another, or those for which comparisons hold.

use crate::constraints::check_comparison;
use crate::model::{BlockId, Comparison, EdgeSelection, GraphConstraint, GraphEdges};
use crate::value::{self, EvalError, Value, ValueScope};

impl GraphConstraint {
    /// Returns the lines that are edges, or `None` if all lines of the block are, or the edges are parents.
    pub(crate) fn selection(&self) -> Option<&EdgeSelection> {
        match &self.edges {
            GraphEdges::Lines { selection, .. } => selection.as_ref(),
            GraphEdges::Parents { .. } => None,
        }
    }

    /// Returns the graph of all lines of the block.
    pub(crate) fn without_selection(&self) -> GraphConstraint {
        let mut whole = self.clone();
        if let GraphEdges::Lines { selection, .. } = &mut whole.edges {
            *selection = None;
        }
        whole
    }
}

impl EdgeSelection {
    /// Returns the indices of the lines that are edges, or `None` if they are not known yet.
    pub(crate) fn selected_lines(&self, block: BlockId, scope: &ValueScope<'_>) -> Option<Vec<usize>> {
        let (holder, instances) = scope.instances_of(block)?;
        match self {
            EdgeSelection::Slice(first, last) => {
                let index = |expr| value::evaluate_number(expr, scope).ok();
                let first = usize::try_from((index(first)? - 1).max(0)).ok()?;
                let end = usize::try_from(index(last)?.clamp(0, instances.len() as i128)).ok()?;
                Some((first..end).collect())
            }
            EdgeSelection::When(comparisons) => {
                let mut found = Vec::new();
                for (i, instance) in instances.iter().enumerate() {
                    let line = holder.for_instance(block, instance);
                    if all_hold(comparisons, &line)? {
                        found.push(i);
                    }
                }
                Some(found)
            }
        }
    }
}

/// Returns true if all comparisons hold, as those of an `if` do, or `None` if something in them is not known yet.
fn all_hold(comparisons: &[Comparison], scope: &ValueScope<'_>) -> Option<bool> {
    let holds = |comparison: &Comparison| match check_comparison(comparison, scope) {
        Ok(broken) => Some(broken.is_none()),
        Err(EvalError::Empty | EvalError::Absent(_)) => Some(true),
        Err(EvalError::Undefined) => Some(false),
        Err(EvalError::Missing) => None,
    };
    let mut all = true;
    for comparison in comparisons {
        all &= holds(comparison)?;
    }
    Some(all)
}

/// Returns the first selected line that ends at something that is no vertex.
pub(super) fn find_outside_line(rule: &GraphConstraint, scope: &ValueScope<'_>) -> Option<usize> {
    let (block, ends) = rule.edge_lines()?;
    let vertex = |expr| value::evaluate_number(expr, scope).ok();
    let (first, last) = (vertex(&rule.vertices.0)?, vertex(&rule.vertices.1)?);
    let (_, instances) = scope.instances_of(block)?;
    let slots = [ends.0, ends.1].map(|end| scope.format.field(end).slot);
    let is_outside = |instance: &[Value]| {
        let numbers = slots.iter().filter_map(|slot| instance.get(*slot)?.as_int());
        numbers.into_iter().any(|number| number < first || number > last)
    };
    let selected = rule.selection()?.selected_lines(block, scope)?;
    selected.into_iter().find(|line| instances.get(*line).is_some_and(is_outside))
}
