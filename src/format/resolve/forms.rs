//! Names that stand in several forms of one `either`.
//!
//! Such a name is one field that stands in whichever form is there. In the model each form has its own; a constraint by
//! name is stated in each form where all its fields stand, and what is made of many takes whichever stands.

use super::Resolver;
use super::exprs::Typed;
use super::rules::two_blocks_in_forms;
use crate::diagnostic::{Diagnostic, Span};
use crate::format::expr::{Expr, Fold, Occurrences, Operator, Over};
use crate::format::model::{BlockId, BlockKind, FieldId};
use crate::format::syntax::{self, Term, TermKind};

impl Resolver<'_> {
    /// Returns the fields of a name: several if it stands in several forms.
    pub(super) fn copies(&self, name: &str) -> Vec<FieldId> {
        let named = |id: &FieldId| self.format.field(*id).name == name;
        (0..self.format.fields.len()).map(FieldId).filter(named).collect()
    }

    /// Returns the field of a name; of several that in the form that is chosen.
    pub(super) fn lookup(&self, name: &str) -> Option<FieldId> {
        let copies = self.copies(name);
        let chosen = self.chosen.borrow();
        let is_chosen = |id: &&FieldId| chosen.contains(&self.format.field(**id).block);
        copies.iter().find(is_chosen).or_else(|| copies.first()).copied()
    }

    /// Returns why a name cannot be declared again in a block, or `None` if it stands in another form of the same `either`.
    pub(super) fn declared_twice(
        &self,
        written: &syntax::Field,
        before: FieldId,
        block: BlockId,
    ) -> Option<Diagnostic> {
        let name = &written.name;
        let copies = self.copies(name);
        let apart = copies.iter().all(|id| self.are_forms_of_one(self.format.field(*id).block, block));
        let earlier = self.format.field(before);
        if !apart {
            let problem = Diagnostic::error("declared-twice", written.span, format!("`{name}` is in the layout twice"))
                .caret("a second field of the same name")
                .label(earlier.span, "the first one");
            return Some(problem.help(
                "a name stands for one field of the whole format: give this one another; only in several forms of one \
                 `either` the same name may stand directly",
            ));
        }
        let sizes = |text: &str| text.split_once('[').map(|(_, sizes)| sizes.replace(' ', "")).unwrap_or_default();
        let (one, other) = (sizes(&self.format.text(earlier.span)), sizes(&self.format.text(written.span)));
        (one != other).then(|| {
            Diagnostic::error("other-shape", written.span, format!("`{name}` has other dimensions in another form"))
                .caret("not as in the other form")
                .label(earlier.span, "the other one")
                .help("in all forms it is one field: write it alike, or give this one another name")
        })
    }

    fn are_forms_of_one(&self, one: BlockId, other: BlockId) -> bool {
        let (a, b) = (self.format.block(one), self.format.block(other));
        let forms = a.kind == BlockKind::Alternative && b.kind == BlockKind::Alternative;
        one != other && forms && a.parent == b.parent && a.span == b.span
    }

    /// Does something in each form where all names in some terms stand; once, if no name stands in several forms.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such form, and the first error otherwise.
    pub(super) fn in_each_form(
        &mut self,
        terms: &[&Term],
        span: Span,
        state: &mut dyn FnMut(&mut Self) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let mut names = Vec::new();
        terms.iter().for_each(|term| self.names_in(term, &mut names));
        let Some(forms) = self.open_forms(&names) else { return state(self) };
        if forms.is_empty() {
            return Err(two_blocks_in_forms(span));
        }
        for form in forms {
            self.chosen.get_mut().push(form);
            let result = self.in_each_form(terms, span, state);
            self.chosen.get_mut().pop();
            result?;
        }
        Ok(())
    }

    /// Returns the forms in which all of the names stand, as far as they stand in that `either`; `None` if no name stands in
    /// several forms of which none is chosen yet.
    fn open_forms(&self, names: &[String]) -> Option<Vec<BlockId>> {
        let blocks = |name: &String| -> Vec<BlockId> {
            self.copies(name).iter().map(|id| self.format.field(*id).block).collect()
        };
        let chosen = self.chosen.borrow();
        let is_open = |blocks: &Vec<BlockId>| blocks.len() > 1 && !blocks.iter().any(|block| chosen.contains(block));
        let open = names.iter().map(blocks).find(is_open)?;
        let stands = |name: &String, form: BlockId| {
            let blocks = blocks(name);
            let beside =
                |block: &BlockId| self.format.blocks_around(*block).any(|around| self.are_forms_of_one(around, form));
            blocks.iter().any(|block| self.format.is_within(*block, form)) || !blocks.iter().any(beside)
        };
        Some(open.into_iter().filter(|form| names.iter().all(|name| stands(name, *form))).collect())
    }

    /// The names that stand in a term for the one field at a place: not by number, and not in what is folded.
    fn names_in(&self, term: &Term, found: &mut Vec<String>) {
        match &term.kind {
            TermKind::Name(name) => found.push(name.clone()),
            TermKind::Element(name, indices) => {
                let by_number = self.lookup(name).is_some_and(|field| {
                    let rank = self.format.field(field).dimensions.len();
                    indices.len() > rank || self.format.is_repeated_text(field)
                });
                if !by_number {
                    found.push(name.clone());
                }
                indices.iter().for_each(|index| self.names_in(index, found));
            }
            TermKind::Minus(inner) => self.names_in(inner, found),
            TermKind::Binary(_, left, right) => {
                self.names_in(left, found);
                self.names_in(right, found);
            }
            TermKind::Call(name, arguments) => {
                let folds = match name.as_str() {
                    "sum" | "count" => true,
                    "min" | "max" => arguments.len() == 1,
                    _ => false,
                };
                let skipped = usize::from(folds && !arguments.first().is_some_and(|term| self.is_array_term(term)));
                arguments.iter().skip(skipped).for_each(|argument| self.names_in(argument, found));
            }
            TermKind::Tuple(parts) => parts.iter().for_each(|part| self.names_in(part, found)),
            TermKind::Number(_) | TermKind::Decimal(..) | TermKind::Letter(_) | TermKind::Text(_) => {}
        }
    }

    /// Returns true if a term stands for several numbers, or several texts, at each place.
    pub(super) fn is_array_term(&self, term: &Term) -> bool {
        match &term.kind {
            TermKind::Name(name) => self.lookup(name).is_some_and(|field| {
                let info = self.format.field(field);
                info.dimensions.len() > usize::from(info.letters().is_some())
            }),
            TermKind::Element(name, indices) => {
                self.lookup(name).is_some_and(|field| indices.len() < self.format.field(field).dimensions.len())
            }
            TermKind::Minus(inner) => self.is_array_term(inner),
            TermKind::Binary(_, left, right) => self.is_array_term(left) || self.is_array_term(right),
            TermKind::Call(name, arguments) if name == "abs" => arguments.iter().any(|term| self.is_array_term(term)),
            _ => false,
        }
    }

    /// An expression of which something takes all that stand: of a name in several forms, whichever stands.
    pub(super) fn repeated(&self, term: &Term) -> Result<Typed, Diagnostic> {
        let mut names = Vec::new();
        self.names_in(term, &mut names);
        let Some(forms) = self.open_forms(&names) else { return self.typed(term, None) };
        let mut found: Option<Typed> = None;
        for form in forms.into_iter().rev() {
            self.chosen.borrow_mut().push(form);
            let typed = self.repeated(term);
            self.chosen.borrow_mut().pop();
            let typed = typed?;
            if self.array(&typed.expr) {
                return Err(Diagnostic::error("several-forms", term.span, "this stands in several forms")
                    .caret("texts and arrays in several forms are not compared with each other")
                    .help("give them a name in each form, or put them behind the `either`"));
            }
            let over = Over::Occurrences(Occurrences { outermost: form, block: form });
            let expr = Expr::Fold(Fold::Min, over, Box::new(typed.expr.clone()));
            found = Some(Typed { expr: or_else(expr, found.map(|other| other.expr)), ..typed });
        }
        found.ok_or_else(|| two_blocks_in_forms(term.span))
    }

    /// `x[i]` of a field in several forms.
    pub(super) fn element_in_forms(
        &self,
        copies: &[FieldId],
        indices: &[Expr],
        span: Span,
    ) -> Result<Typed, Diagnostic> {
        let mut found: Option<Expr> = None;
        for field in copies.iter().rev() {
            if self.format.picks_row(*field, indices) {
                return Err(Diagnostic::error("several-forms", span, "this stands in several forms")
                    .caret("a text or an array of several forms is not picked by number")
                    .help("give it a name in each form"));
            }
            found = Some(or_else(Expr::Element(*field, indices.to_vec()), found));
        }
        let first = copies.first().copied().unwrap_or(FieldId(0));
        Ok(self.typed_field(first, found.unwrap_or(Expr::Constant(0))))
    }
}

/// An expression, or another one where it is absent.
fn or_else(expr: Expr, other: Option<Expr>) -> Expr {
    match other {
        Some(other) => Expr::Binary(Operator::Else, Box::new(expr), Box::new(other)),
        None => expr,
    }
}

/// A fold of what stands in one of several forms, where nothing repeats them.
pub(super) fn fold_forms(fold: Fold, expr: Expr) -> Expr {
    match (fold, expr) {
        (Fold::Min | Fold::Max, expr) => expr,
        (_, Expr::Binary(Operator::Else, form, others)) => {
            let parts = (fold_forms(fold, *form), fold_forms(fold, *others));
            Expr::Binary(Operator::Plus, Box::new(parts.0), Box::new(parts.1))
        }
        (_, Expr::Fold(_, over, inner)) => Expr::Fold(fold, over, inner),
        (_, expr) => expr,
    }
}
