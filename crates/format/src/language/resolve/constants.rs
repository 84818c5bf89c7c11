//! Named constants: `let MOD = 10^9 + 7`.

use super::expressions::resolve_expr;
use super::name_scope::{NameScope, NamedConstant};
use crate::language::syntax::{ComparisonChain, SyntaxRule, SyntaxTerm, SyntaxTermKind};
use crate::language::vocabulary::is_reserved_word;
use crate::model::Expr;
use rebut_diagnostics::{Diagnostic, Span};
use std::cell::Cell;
use std::collections::HashSet;

/// Extracts the named constants from the rules. A `let` with a field's name stays, as a constraint on that field;
/// a later `let` of the same constant replaces an earlier one.
pub(super) fn extract_constants(
    scope: &mut NameScope,
    problems: &mut Vec<Diagnostic>,
    rules: Vec<SyntaxRule>,
    fields: &HashSet<&str>,
) -> Vec<SyntaxRule> {
    let mut left = Vec::new();
    for rule in rules {
        match rule {
            SyntaxRule::Let { name, value, span } if fields.contains(name.as_str()) => {
                let field = SyntaxTerm { kind: SyntaxTermKind::Name(name), span };
                let chain = ComparisonChain { lists: vec![vec![field], vec![value]], signs: vec![("=", span)], span };
                left.push(SyntaxRule::Chain(chain));
            }
            SyntaxRule::Let { name, value, span } => {
                if let Err(problem) = define_constant(scope, &name, &value, span) {
                    problems.push(problem);
                    // The name is defined, if only with a dummy value, so that no errors follow.
                    let used = Cell::new(true);
                    scope.constants.push(NamedConstant { name, value: 1, decimals: 0, span, is_used: used });
                }
            }
            other => left.push(other),
        }
    }
    left
}

fn define_constant(scope: &mut NameScope, name: &str, value: &SyntaxTerm, span: Span) -> Result<(), Diagnostic> {
    if is_reserved_word(name) {
        return Err(Diagnostic::error("keyword", span, format!("`{name}` is a keyword"))
            .with_caret("choose another name for the constant"));
    }
    let depends = || {
        Diagnostic::error("not-constant", value.span, "a constant must consist of numbers and other constants")
            .with_caret("this depends on the input, or on something undefined")
    };
    let typed = resolve_expr(scope, value, None).map_err(|p| if p.code == "unknown-name" { depends() } else { p })?;
    let Expr::Constant(number) = typed.expr else { return Err(depends()) };
    let used = Cell::new(false);
    match scope.constants.iter_mut().find(|c| c.name == name) {
        Some(earlier) => (earlier.value, earlier.decimals) = (number, typed.decimals),
        None => scope.constants.push(NamedConstant {
            name: name.to_owned(),
            value: number,
            decimals: typed.decimals,
            span,
            is_used: used,
        }),
    }
    Ok(())
}

pub(super) fn report_unused_constants(scope: &NameScope, problems: &mut Vec<Diagnostic>) {
    for constant in scope.constants.iter().filter(|c| !c.is_used.get()) {
        problems.push(
            Diagnostic::warning("unused", constant.span, format!("`{}` is never used", constant.name))
                .with_caret("nothing refers to it"),
        );
    }
}
