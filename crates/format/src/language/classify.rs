//! Classification of constraints for generation, computation of field ranges, and detection of contradictions.

use super::contradictions::report_impossible;
use super::range_narrowing::narrow_all_ranges;
use super::reachability::report_unreachable_bounds;
use crate::model::{Class, ComparisonOperator, ConstraintRule, Expr, FieldId, Format, LinearSum, MAX_NUMBER};
use rebut_diagnostics::Diagnostic;

/// Computes the classes of constraints and the ranges of fields and lengths, and reports contradictions and missing
/// bounds.
pub(super) fn classify_constraints(format: &mut Format, problems: &mut Vec<Diagnostic>) {
    for i in 0..format.constraints.len() {
        format.constraints[i].class = constraint_class(format, &format.constraints[i].rule);
    }
    for i in 0..format.subtasks.len() {
        for j in 0..format.subtasks[i].constraints.len() {
            let class = constraint_class(format, &format.subtasks[i].constraints[j].rule);
            format.subtasks[i].constraints[j].class = class;
        }
    }
    for i in 0..format.fields.len() {
        format.fields[i].announced_length = announced_length_of(format, FieldId(i));
    }
    let before = problems.len();
    let absent = narrow_all_ranges(format, problems);
    if problems.len() == before {
        report_missing_bounds(format, problems);
        report_impossible(format, problems);
    }
    if problems.len() == before {
        report_unreachable_bounds(format, problems);
        problems.extend(absent);
    }
}

/// Returns the expression that the length of a field equals, if a constraint gives one that is known before the field
/// is read.
fn announced_length_of(format: &Format, field: FieldId) -> Option<Expr> {
    let info = format.field(field);
    let is_known = |expr: &Expr| {
        let fields =
            LinearSum::from_expr(expr).map(|sum| sum.factors.into_keys().collect::<Vec<FieldId>>()).unwrap_or_default();
        let is_before = |other: &FieldId| *other < field && format.is_within(info.block, format.field(*other).block);
        !fields.is_empty() && fields.iter().all(is_before)
    };
    let equalities = format.comparisons().filter(|comparison| comparison.sign == ComparisonOperator::Equal);
    let mut stated = equalities.filter_map(|comparison| match (&*comparison.left, &*comparison.right) {
        ([Expr::Length(of)], [other]) | ([other], [Expr::Length(of)]) if *of == field => Some(other),
        _ => None,
    });
    stated.find(|other| info.has_free_length() && is_known(other)).cloned()
}

pub(super) fn constraint_class(format: &Format, rule: &ConstraintRule) -> Class {
    // Generation cannot plan for fields that only some alternatives have.
    if rule.expressions().iter().any(|expr| expr.contains_alternatives()) {
        return Class::Residual;
    }
    rule.kind().class(format)
}

fn report_missing_bounds(format: &Format, problems: &mut Vec<Diagnostic>) {
    for field in &format.fields {
        let name = &field.name;
        if field.has_free_length() && field.length.hi == MAX_NUMBER {
            let message = format!("the length of `{name}` has no upper bound");
            let help = format!("add `1 <= len({name}) <= 100` to the where part");
            problems.push(
                Diagnostic::error("no-bound", field.span, message).with_caret("how long can it be?").with_help(help),
            );
        }
        if field.alphabet().is_some() {
            continue;
        }
        let (which, help) = match (field.range.lo == -MAX_NUMBER, field.range.hi == MAX_NUMBER) {
            (true, true) => {
                ("bounds", format!("`1 <= {name} <= 10^9` to the where part; if it is text, `{name} over \"a-z\"`"))
            }
            (true, false) => ("lower bound", format!("`1 <= {name}` to the where part")),
            (false, true) => ("upper bound", format!("`{name} <= 10^9` to the where part")),
            (false, false) => continue,
        };
        problems.push(
            Diagnostic::error("no-bound", field.span, format!("`{name}` has no {which}"))
                .with_caret("which values can it take?")
                .with_help(format!("add {help}")),
        );
    }
}
