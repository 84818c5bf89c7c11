//! Names shared by several alternatives of one `either`.
//!
//! To the user, such a name is one field. In the model, each alternative has a field of its own. A constraint on the
//! name is added for each alternative that has all its fields, and folds take the field of the alternative that is
//! present.

use super::Resolver;
use super::typed_expr::TypedExpr;
use super::typed_expr::different_alternatives_error;
use crate::language::syntax::{self, SyntaxTerm, SyntaxTermKind};
use crate::model::{ArithmeticOperator, BlockId, BlockKind, Expr, FieldId, FoldKind, FoldRange, OptionalBlocks};
use rebut_diagnostics::{Diagnostic, Span};

impl Resolver<'_> {
    /// Returns the fields of a name; there are several if alternatives share the name.
    pub(super) fn fields_named(&self, name: &str) -> Vec<FieldId> {
        let named = |id: &FieldId| self.format.field(*id).name == name;
        (0..self.format.fields.len()).map(FieldId).filter(named).collect()
    }

    /// Returns the field of a name; if alternatives share the name, the field of the chosen one.
    pub(super) fn lookup_field(&self, name: &str) -> Option<FieldId> {
        let copies = self.fields_named(name);
        let chosen = self.chosen_alternatives.borrow();
        let is_chosen = |id: &&FieldId| chosen.contains(&self.format.field(**id).block);
        copies.iter().find(is_chosen).or_else(|| copies.first()).copied()
    }

    /// Returns the error for a name that cannot be declared again in a block, or `None` if another alternative of the
    /// same `either` declares it.
    pub(super) fn redeclaration_error(
        &self,
        written: &syntax::SyntaxField,
        before: FieldId,
        block: BlockId,
    ) -> Option<Diagnostic> {
        let name = &written.name;
        let copies = self.fields_named(name);
        let exclude_each_other =
            copies.iter().all(|id| self.are_alternatives_of_one(self.format.field(*id).block, block));
        let earlier = self.format.field(before);
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
        let (one, other) =
            (sizes(&self.format.source_text(earlier.span)), sizes(&self.format.source_text(written.span)));
        (one != other).then(|| {
            Diagnostic::error(
                "other-shape",
                written.span,
                format!("`{name}` has other dimensions in another alternative"),
            )
            .with_caret("differs from the other alternative")
            .with_label(earlier.span, "the other one")
            .with_help("a name that alternatives share is one field: use the same dimensions, or rename this one")
        })
    }

    fn are_alternatives_of_one(&self, one: BlockId, other: BlockId) -> bool {
        let (a, b) = (self.format.block(one), self.format.block(other));
        let forms = a.kind == BlockKind::Alternative && b.kind == BlockKind::Alternative;
        one != other && forms && a.parent == b.parent && a.span == b.span
    }

    /// Calls a function for each alternative that has all names in some terms; once, if no name is shared by
    /// alternatives.
    ///
    /// # Errors
    ///
    /// Returns the first error, and an error if no alternative has all names.
    pub(super) fn for_each_alternative(
        &mut self,
        terms: &[&SyntaxTerm],
        span: Span,
        state: &mut dyn FnMut(&mut Self) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let mut names = Vec::new();
        terms.iter().for_each(|term| self.collect_direct_names(term, &mut names));
        let Some(forms) = self.unchosen_alternatives(&names) else { return state(self) };
        if forms.is_empty() {
            return Err(different_alternatives_error(span));
        }
        for form in forms {
            self.chosen_alternatives.get_mut().push(form);
            let result = self.for_each_alternative(terms, span, state);
            self.chosen_alternatives.get_mut().pop();
            result?;
        }
        Ok(())
    }

    /// Returns the alternatives that contain all of the names, as far as these are declared in that `either`, or
    /// `None` if no name is shared by alternatives of which none is chosen yet.
    fn unchosen_alternatives(&self, names: &[String]) -> Option<Vec<BlockId>> {
        let blocks = |name: &String| -> Vec<BlockId> {
            self.fields_named(name).iter().map(|id| self.format.field(*id).block).collect()
        };
        let chosen = self.chosen_alternatives.borrow();
        let is_open = |blocks: &Vec<BlockId>| blocks.len() > 1 && !blocks.iter().any(|block| chosen.contains(block));
        let open = names.iter().map(blocks).find(is_open)?;
        let stands = |name: &String, form: BlockId| {
            let blocks = blocks(name);
            let beside = |block: &BlockId| {
                self.format.blocks_around(*block).any(|around| self.are_alternatives_of_one(around, form))
            };
            blocks.iter().any(|block| self.format.is_within(*block, form)) || !blocks.iter().any(beside)
        };
        Some(open.into_iter().filter(|form| names.iter().all(|name| stands(name, *form))).collect())
    }

    /// Collects the names in a term that stand for a single field: not indexed, and not folded.
    fn collect_direct_names(&self, term: &SyntaxTerm, found: &mut Vec<String>) {
        match &term.kind {
            SyntaxTermKind::Name(name) => found.push(name.clone()),
            SyntaxTermKind::Element(name, indices) => {
                let by_number = self.lookup_field(name).is_some_and(|field| {
                    let rank = self.format.field(field).dimensions.len();
                    indices.len() > rank || self.format.is_repeated_text(field)
                });
                if !by_number {
                    found.push(name.clone());
                }
                indices.iter().for_each(|index| self.collect_direct_names(index, found));
            }
            SyntaxTermKind::Negate(inner) => self.collect_direct_names(inner, found),
            SyntaxTermKind::Binary(_, left, right) => {
                self.collect_direct_names(left, found);
                self.collect_direct_names(right, found);
            }
            SyntaxTermKind::Call(name, arguments) => {
                let folds = match name.as_str() {
                    "sum" | "count" => true,
                    "min" | "max" => arguments.len() == 1,
                    _ => false,
                };
                let skipped = usize::from(folds && !arguments.first().is_some_and(|term| self.is_array_term(term)));
                arguments.iter().skip(skipped).for_each(|argument| self.collect_direct_names(argument, found));
            }
            SyntaxTermKind::Tuple(parts) => parts.iter().for_each(|part| self.collect_direct_names(part, found)),
            SyntaxTermKind::Number(_)
            | SyntaxTermKind::Decimal(..)
            | SyntaxTermKind::Letter(_)
            | SyntaxTermKind::Text(_) => {}
        }
    }

    /// Returns true if a term stands for several numbers or texts.
    pub(super) fn is_array_term(&self, term: &SyntaxTerm) -> bool {
        match &term.kind {
            SyntaxTermKind::Name(name) => self.lookup_field(name).is_some_and(|field| {
                let info = self.format.field(field);
                info.dimensions.len() > usize::from(info.alphabet().is_some())
            }),
            SyntaxTermKind::Element(name, indices) => {
                self.lookup_field(name).is_some_and(|field| indices.len() < self.format.field(field).dimensions.len())
            }
            SyntaxTermKind::Negate(inner) => self.is_array_term(inner),
            SyntaxTermKind::Binary(_, left, right) => self.is_array_term(left) || self.is_array_term(right),
            SyntaxTermKind::Call(name, arguments) if name == "abs" => {
                arguments.iter().any(|term| self.is_array_term(term))
            }
            _ => false,
        }
    }

    /// Resolves a folded expression, in which a name shared by alternatives stands for the field that is present.
    pub(super) fn resolve_repeated(&self, term: &SyntaxTerm) -> Result<TypedExpr, Diagnostic> {
        let mut names = Vec::new();
        self.collect_direct_names(term, &mut names);
        let Some(forms) = self.unchosen_alternatives(&names) else { return self.resolve_expr(term, None) };
        let mut found: Option<TypedExpr> = None;
        for form in forms.into_iter().rev() {
            self.chosen_alternatives.borrow_mut().push(form);
            let typed = self.resolve_repeated(term);
            self.chosen_alternatives.borrow_mut().pop();
            let typed = typed?;
            if self.is_array_expr(&typed.expr) {
                return Err(Diagnostic::error("several-forms", term.span, "several alternatives share this name")
                    .with_caret("texts and arrays that alternatives share cannot be compared with each other")
                    .with_help("use another name in each alternative, or move the field out of the `either`"));
            }
            let over = FoldRange::Occurrences(OptionalBlocks { outermost: form, block: form });
            let expr = Expr::Fold(FoldKind::Min, over, Box::new(typed.expr.clone()));
            found = Some(TypedExpr { expr: with_fallback(expr, found.map(|other| other.expr)), ..typed });
        }
        found.ok_or_else(|| different_alternatives_error(term.span))
    }

    /// Resolves `x[i]` for a name shared by alternatives.
    pub(super) fn element_in_alternatives(
        &self,
        copies: &[FieldId],
        indices: &[Expr],
        span: Span,
    ) -> Result<TypedExpr, Diagnostic> {
        let mut found: Option<Expr> = None;
        for field in copies.iter().rev() {
            if self.format.picks_row(*field, indices) {
                return Err(Diagnostic::error("several-forms", span, "several alternatives share this name")
                    .with_caret("a text or an array that alternatives share cannot be indexed")
                    .with_help("use another name in each alternative"));
            }
            found = Some(with_fallback(Expr::Element(*field, indices.to_vec()), found));
        }
        let first = copies.first().copied().unwrap_or(FieldId(0));
        Ok(self.typed_field(first, found.unwrap_or(Expr::Constant(0))))
    }
}

/// Returns an expression that falls back to another one where the first is absent.
fn with_fallback(expr: Expr, other: Option<Expr>) -> Expr {
    match other {
        Some(other) => Expr::Binary(ArithmeticOperator::OrElse, Box::new(expr), Box::new(other)),
        None => expr,
    }
}

/// Folds a name shared by alternatives that nothing repeats.
pub(super) fn fold_alternatives(fold: FoldKind, expr: Expr) -> Expr {
    match (fold, expr) {
        (FoldKind::Min | FoldKind::Max, expr) => expr,
        (_, Expr::Binary(ArithmeticOperator::OrElse, form, others)) => {
            let parts = (fold_alternatives(fold, *form), fold_alternatives(fold, *others));
            Expr::Binary(ArithmeticOperator::Add, Box::new(parts.0), Box::new(parts.1))
        }
        (_, Expr::Fold(_, over, inner)) => Expr::Fold(fold, over, inner),
        (_, expr) => expr,
    }
}
