//! Resolution of properties of texts: `balanced(s)`, `connected(board, ".S")`.

use super::added_constraints::push_constraint_at;
use super::expressions::resolve_expr;
use super::name_scope::{NameScope, fields_named};
use crate::constraints::{PropertyMisuse, TextPropertyRef};
use crate::language::syntax::{SyntaxTerm, SyntaxTermKind};
use crate::model::{ArithmeticOperator, Comparison, ComparisonOperator, Expr, FieldDimension, FieldId, TextConstraint};
use rebut_diagnostics::{Diagnostic, Span};

/// Adds a property of the texts of a field, once for each alternative that has a field of this name.
pub(super) fn push_text_property(
    scope: &mut NameScope,
    property: TextPropertyRef,
    arguments: &[SyntaxTerm],
    span: Span,
) -> Result<(), Diagnostic> {
    let (name, letters) = match arguments {
        [name] if !property.takes_letters() => (name, Vec::new()),
        [name, letters] if property.takes_letters() => (name, property_letters(property, letters)?),
        _ => return Err(property_arguments_error(property, arguments.len(), span)),
    };
    let SyntaxTermKind::Name(field) = &name.kind else {
        return Err(no_text_error(property, name.span));
    };
    let fields = fields_named(scope, field);
    if fields.is_empty() {
        resolve_expr(scope, name, None)?;
    }
    for field in fields {
        check_property_field(scope, property, field, &letters, name.span)?;
        let rule = TextConstraint { property, field, letters: letters.clone() };
        push_constraint_at(scope, rule, scope.format.field(field).block, span)?;
        push_length_divisor(scope, property, field, span)?;
    }
    Ok(())
}

/// Adds that a length which a number announces has the divisor that the property requires, so that the number is
/// drawn, narrowed and checked accordingly. Without any text, it is free: in a list without instances, or without rows.
fn push_length_divisor(
    scope: &mut NameScope,
    property: TextPropertyRef,
    field: FieldId,
    span: Span,
) -> Result<(), Diagnostic> {
    let info = scope.format.field(field);
    let Some((FieldDimension::Size(size), outer)) = info.dimensions.split_last() else { return Ok(()) };
    let Some(alphabet) = info.alphabet() else { return Ok(()) };
    let divisor = property.length_divisor(alphabet);
    if divisor == 1 {
        return Ok(());
    }
    let mut rest = Expr::from_operands(size.clone(), ArithmeticOperator::Modulo, Expr::Constant(divisor));
    for dimension in outer {
        let FieldDimension::Size(rows) = dimension else { return Ok(()) };
        rest = Expr::from_operands(rest, ArithmeticOperator::Multiply, rows.clone());
    }
    let (comparison, home) = (Comparison::new(rest, ComparisonOperator::Equal, Expr::Constant(0)), info.block);
    push_constraint_at(scope, comparison, home, span)
}

fn check_property_field(
    scope: &NameScope,
    property: TextPropertyRef,
    field: FieldId,
    letters: &[u8],
    span: Span,
) -> Result<(), Diagnostic> {
    let info = scope.format.field(field);
    let Some(alphabet) = info.alphabet().filter(|_| info.dimensions.len() >= property.dimensions()) else {
        return Err(no_text_error(property, span));
    };
    property.check_alphabet(alphabet, letters).map_err(|PropertyMisuse { message, help }| {
        Diagnostic::error("text-property", span, format!("`{}` makes no sense here", property.name()))
            .with_caret(message)
            .with_help(help)
    })
}

/// Returns the characters of an argument: a text, or a single letter.
fn property_letters(property: TextPropertyRef, term: &SyntaxTerm) -> Result<Vec<u8>, Diagnostic> {
    match &term.kind {
        SyntaxTermKind::Text(letters) => Ok(letters.clone()),
        SyntaxTermKind::Letter(letter) => Ok(vec![*letter]),
        _ => Err(property_arguments_error(property, 2, term.span)),
    }
}

/// Returns an example of the use of a property.
fn property_usage(property: TextPropertyRef) -> String {
    let field = if property.dimensions() > 1 { "board" } else { "s" };
    let letters = if property.takes_letters() { ", \".S\"" } else { "" };
    format!("`{}({field}{letters})`", property.name())
}

fn property_arguments_error(property: TextPropertyRef, given: usize, span: Span) -> Diagnostic {
    let what = if property.takes_letters() { "a field and a text of characters" } else { "one field" };
    Diagnostic::error("arguments", span, format!("`{}` takes {what}", property.name()))
        .with_caret(format!("{given} given"))
        .with_help(format!("write {}", property_usage(property)))
}

fn no_text_error(property: TextPropertyRef, span: Span) -> Diagnostic {
    let what = if property.dimensions() > 1 { "a board of characters" } else { "a text" };
    Diagnostic::error("text-property", span, format!("`{}` is about {what}", property.name()))
        .with_caret(format!("expected the name of {what}"))
        .with_help(format!(
            "write {} for a field with an alphabet: `{}`",
            property_usage(property),
            match property.dimensions() {
                1 => "s over \"()\"",
                _ => "board over \".#S\"",
            }
        ))
}
