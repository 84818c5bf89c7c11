//! Validation: checks whether a value satisfies its format's constraints, and locates violations.
//!
//! [`find_violation`] checks a whole value in a single traversal and returns the first [`Violation`].
//! [`explain_violation`] converts that to a diagnostic about the bytes of the input. [`check_constraint`] checks one
//! constraint in one scope, also while a value is still incomplete.
//!
//! ```
//! use rebut_diagnostics::SourceText;
//! use rebut_format::language::Format;
//! use rebut_format::read::read_input;
//! use rebut_format::validate::{explain_violation, find_violation};
//!
//! let source = SourceText::new("example", "n; a[n] where 1 <= n <= 8; 0 <= a <= 9; sum(a) = 5");
//! let (format, _) = Format::parse(&source).expect("a valid format");
//! let value = read_input(&format, b"2\n3 4\n").expect("an input of the format");
//! let violation = find_violation(&format, &value).expect("a violation");
//! assert_eq!(violation.distance, Some(2));
//! assert_eq!(explain_violation(&format, &value, &violation).message, "`sum(a) = 5` does not hold");
//! ```

mod compiled_comparison;
mod validator;
mod violation_location;

pub use crate::constraints::{FormulaFault, ViolationSides, find_fault};
pub use compiled_comparison::CompiledComparison;
pub(crate) use validator::is_scope_valid;
pub use validator::{find_violation, find_violation_except};

use crate::constraints::{BrokenConstraint, check_comparison};
use crate::language::{BlockId, Comparison, Constraint, Format};
use crate::print;
use crate::value::{self, EvalError, Value, ValueScope};
use rebut_diagnostics::{Diagnostic, Span};
use violation_location::locate_violation;

/// A violated constraint and the location of the violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Index of the constraint in its format.
    pub constraint: usize,
    /// Path of the instance of the constraint's home block.
    pub path: Vec<usize>,
    /// Index of the violating element of an array.
    pub element: Option<usize>,
    /// Text of the two sides.
    pub sides: String,
    /// Difference of the sides, if they are numbers.
    pub distance: Option<u128>,
}

/// Returns a violation of one constraint, or `None` if it holds.
pub fn violation_of_constraint(format: &Format, value: &Value, constraint: usize) -> Option<Violation> {
    let wanted = &format.constraints[constraint];
    find_violation_except(format, value, &|c| !std::ptr::eq(c, wanted))
}

/// Returns true if an instance satisfies every constraint scoped to its block or to a block inside it.
pub fn is_instance_valid(format: &Format, block: BlockId, instance: &[Value], outer: &ValueScope<'_>) -> bool {
    let scope = outer.for_instance(block, instance);
    let here =
        format.constraints.iter().filter(|c| c.home_block == block).all(|c| check_constraint(c, &scope).is_none());
    here && format.child_blocks(block).all(|child| {
        value::instances_in_holder(format, child, instance)
            .iter()
            .all(|inner| is_instance_valid(format, child, inner, &scope))
    })
}

/// Returns true if a comparison holds in a scope or is void; a comparison without a value is false.
pub fn is_comparison_true(comparison: &Comparison, scope: &ValueScope<'_>) -> bool {
    matches!(check_comparison(comparison, scope), Ok(None) | Err(EvalError::Empty | EvalError::Absent(_)))
}

/// Returns how a constraint is violated in a scope: the element, and the sides. Returns `None` if it holds, or if
/// something in it is not known yet.
pub fn check_constraint<'f>(constraint: &'f Constraint, scope: &ValueScope<'_>) -> BrokenConstraint<'f> {
    constraint.rule.kind().check(scope).unwrap_or_else(unknown_value_result)
}

/// Returns the result of a constraint without a value.
fn unknown_value_result<'f>(unknown: EvalError) -> BrokenConstraint<'f> {
    match unknown {
        EvalError::Missing | EvalError::Empty | EvalError::Absent(_) => None,
        EvalError::Undefined => {
            Some((None, ViolationSides::Words("it has no value: too large, or a division by zero".to_owned())))
        }
    }
}

/// Like [`check_constraint`] for a complete value, where a comparison with something unknown is a violation.
pub(crate) fn check_complete_constraint<'f>(
    constraint: &'f Constraint,
    scope: &ValueScope<'_>,
) -> BrokenConstraint<'f> {
    let kind = constraint.rule.kind();
    kind.check(scope).unwrap_or_else(|unknown| match unknown {
        EvalError::Missing => Some((None, ViolationSides::Words(kind.missing_reason().to_owned()))),
        _ => unknown_value_result(unknown),
    })
}

/// Converts a violation to a diagnostic about the input's bytes.
pub fn explain_violation(format: &Format, value: &Value, violation: &Violation) -> Diagnostic {
    let constraint = &format.constraints[violation.constraint];
    let (path, index) = locate_violation(format, value, constraint, violation);
    let bytes = print::locate_bytes(format, value, &path, index);
    let source_line = format.source.describe_line(constraint.span.start);
    let place = value::describe_place(format, &path, index);
    let problem = Diagnostic::error(
        "constraint",
        Span::new(bytes.start, bytes.end),
        format!("`{}` does not hold", format.source_text(constraint.span)),
    );
    let note = format!("required by {source_line}");
    let note = if place.is_empty() { note } else { format!("in {place}; {note}") };
    problem.with_caret(violation.sides.clone()).with_note(note)
}
