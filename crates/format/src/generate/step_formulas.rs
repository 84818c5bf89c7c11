//! Finds formulas about each step of a list: `forall i in 1..q: count(added[1..i-1], removed[i]) > 0`.

use crate::language::{BlockId, Expr, FieldId, Format, Formula, QuantifiedFormula, SliceFold};

/// A formula about each instance of a list and the ones before it.
#[derive(Debug)]
pub(super) struct StepFormula<'a> {
    pub(super) quantified: &'a QuantifiedFormula,
    /// The numbers of an instance that the formula counts among earlier ones, and where it does.
    pub(super) references: Vec<(FieldId, &'a SliceFold)>,
}

/// Returns the formulas about each instance of a block that fold the instances before it.
pub(super) fn find_step_formulas(format: &Format, block: BlockId) -> Vec<StepFormula<'_>> {
    let holder = format.block(block).parent;
    let own = format.constraints.iter().filter(|constraint| Some(constraint.home_block) == holder);
    let mut found = Vec::new();
    for formula in own.filter_map(|constraint| constraint.rule.formula()) {
        collect_step_formulas(format, block, formula, &mut found);
    }
    found
}

fn collect_step_formulas<'a>(
    format: &'a Format,
    block: BlockId,
    formula: &'a Formula,
    found: &mut Vec<StepFormula<'a>>,
) {
    match formula {
        Formula::All(parts) => parts.iter().for_each(|part| collect_step_formulas(format, block, part, found)),
        Formula::ForAll(quantified) => {
            let mut slices = Vec::new();
            quantified.body.visit_exprs(&mut |expr| collect_slices(expr, &mut slices));
            let is_own = |field: FieldId| format.repetition_of(format.field(field).block) == Some(block);
            let folds_list = |slice: &&SliceFold| matches!(&slice.each, Expr::Element(field, _) if is_own(*field));
            if !slices.iter().any(folds_list) {
                return;
            }
            let reference = |slice: &&'a SliceFold| match slice.wanted() {
                Some(Expr::Element(field, indices))
                    if is_own(*field)
                        && indices[..] == [Expr::Variable(quantified.variable)]
                        && format.field(*field).is_scalar() =>
                {
                    Some((*field, *slice))
                }
                _ => None,
            };
            let references = slices.iter().filter_map(reference).collect();
            found.push(StepFormula { quantified, references });
        }
        Formula::Compare(_) | Formula::Any(_) | Formula::Exists(_) => {}
    }
}

fn collect_slices<'a>(expr: &'a Expr, found: &mut Vec<&'a SliceFold>) {
    expr.visit_parts(&mut |part| {
        if let Expr::Slice(slice) = part {
            found.push(slice);
        }
        true
    });
}
