//! Names shared by several alternatives of one `either`.

use super::name_scope::{
    NameScope, are_alternatives_of_one, collect_direct_names, fields_named, unchosen_alternatives,
};
use super::typed_expr::different_alternatives_error;
use crate::language::syntax::{self, SyntaxTerm};
use crate::model::{BlockId, FieldId};
use rebut_diagnostics::{Diagnostic, Span};

/// Returns the error for a name that cannot be declared again in a block, or `None` if another alternative of the
/// same `either` declares it.
pub(super) fn redeclaration_error(
    scope: &NameScope,
    written: &syntax::SyntaxField,
    before: FieldId,
    block: BlockId,
) -> Option<Diagnostic> {
    let name = &written.name;
    let copies = fields_named(scope, name);
    let exclude_each_other =
        copies.iter().all(|id| are_alternatives_of_one(scope, scope.format.field(*id).block, block));
    let earlier = scope.format.field(before);
    if !exclude_each_other {
        let problem = Diagnostic::error("declared-twice", written.span, format!("`{name}` is in the layout twice"))
            .with_caret("a second field of the same name")
            .with_label(earlier.span, "the first one");
        return Some(problem.with_help(
            "a name stands for one field of the whole format: give this one another; only in several forms of one \
             `either` the same name may stand directly",
        ));
    }
    let sizes = |text: &str| text.split_once('[').map(|(_, sizes)| sizes.replace(' ', "")).unwrap_or_default();
    let (one, other) = (sizes(&scope.format.source_text(earlier.span)), sizes(&scope.format.source_text(written.span)));
    (one != other).then(|| {
        Diagnostic::error("other-shape", written.span, format!("`{name}` has other dimensions in another alternative"))
            .with_caret("differs from the other alternative")
            .with_label(earlier.span, "the other one")
            .with_help("a name that alternatives share is one field: use the same dimensions, or rename this one")
    })
}

/// Calls a function for each alternative that has all names in some terms; once, if no name is shared by
/// alternatives.
///
/// # Errors
///
/// Returns the first error, and an error if no alternative has all names.
pub(super) fn for_each_alternative(
    scope: &mut NameScope,
    terms: &[&SyntaxTerm],
    span: Span,
    state: &mut dyn FnMut(&mut NameScope) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    let mut names = Vec::new();
    terms.iter().for_each(|term| collect_direct_names(scope, term, &mut names));
    let Some(forms) = unchosen_alternatives(scope, &names) else { return state(scope) };
    if forms.is_empty() {
        return Err(different_alternatives_error(span));
    }
    for form in forms {
        scope.chosen_alternatives.get_mut().push(form);
        let result = for_each_alternative(scope, terms, span, state);
        scope.chosen_alternatives.get_mut().pop();
        result?;
    }
    Ok(())
}
