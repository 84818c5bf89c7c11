//! Resolution of expressions: names, arithmetic that mixes reals and integers, and folds.

use super::Resolver;
use super::predicates::{is_predicate, predicate_names};
use super::typed_expr::{TypedExpr, different_blocks_error, scale_to_decimals, words_as_numbers_error};
use crate::language::MAX_NUMBER;
use crate::language::syntax::{SyntaxTerm, SyntaxTermKind};
use crate::model::{
    ArithmeticOperator, BlockId, Expr, FieldDimension, FieldId, FieldKind, FoldKind, FoldRange, apply_operator,
};
use rebut_diagnostics::{Diagnostic, Span, list_or, suggest_name, suggestion_for};

/// The functions of the language.
const FUNCTION_NAMES: &[&str] = &["sum", "min", "max", "count", "len", "abs", "whole"];

impl Resolver<'_> {
    /// Resolves an expression of integers.
    pub(super) fn resolve_integer(&self, term: &SyntaxTerm) -> Result<Expr, Diagnostic> {
        let typed = self.resolve_expr(term, None)?;
        if typed.decimals > 0 {
            return Err(Diagnostic::error("not-whole", term.span, "a whole number is required here")
                .with_caret("this has digits after the point"));
        }
        if typed.word_field.is_some() {
            return Err(words_as_numbers_error(term.span));
        }
        Ok(typed.expr)
    }

    /// Resolves an expression. Texts in it are words of the field `vocabulary`.
    pub(super) fn resolve_expr(&self, term: &SyntaxTerm, vocabulary: Option<FieldId>) -> Result<TypedExpr, Diagnostic> {
        Ok(match &term.kind {
            SyntaxTermKind::Number(number) => TypedExpr::from_integer(Expr::Constant(*number)),
            SyntaxTermKind::Decimal(number, decimals) => {
                TypedExpr { expr: Expr::Constant(*number), decimals: *decimals, word_field: None }
            }
            SyntaxTermKind::Letter(letter) => TypedExpr::from_integer(Expr::Constant(i128::from(*letter))),
            SyntaxTermKind::Text(text) => self.resolve_word(text, term.span, vocabulary)?,
            SyntaxTermKind::Name(name) => self.resolve_name(name, term.span)?,
            SyntaxTermKind::Element(name, indices) => self.resolve_element(name, indices, term.span)?,
            SyntaxTermKind::Negate(inner) => {
                let inner = self.resolve_numeric(inner)?;
                let expr = match inner.expr {
                    Expr::Constant(value) => Expr::Constant(-value),
                    expr => Expr::Negate(Box::new(expr)),
                };
                TypedExpr { expr, ..inner }
            }
            SyntaxTermKind::Binary(sign, left, right) => self.resolve_binary(sign, left, right, term.span)?,
            SyntaxTermKind::Call(name, arguments) => self.resolve_call(name, arguments, term.span)?,
            SyntaxTermKind::Tuple(_) => {
                return Err(Diagnostic::error("tuple", term.span, "a tuple is not a number")
                    .with_caret("tuples can only be compared with `=` and `!=`, or used in `distinct`"));
            }
        })
    }

    /// Resolves an expression that arithmetic can be applied to.
    fn resolve_numeric(&self, term: &SyntaxTerm) -> Result<TypedExpr, Diagnostic> {
        let typed = self.resolve_expr(term, None)?;
        if typed.word_field.is_some() { Err(words_as_numbers_error(term.span)) } else { Ok(typed) }
    }

    fn resolve_name(&self, name: &str, span: Span) -> Result<TypedExpr, Diagnostic> {
        if let Some(variable) = self.variables.iter().rposition(|v| v == name) {
            return Ok(TypedExpr::from_integer(Expr::Variable(variable)));
        }
        if let Some(field) = self.lookup_field(name) {
            return Ok(self.typed_field(field, Expr::Field(field)));
        }
        let Some(constant) = self.constants.iter().find(|c| c.name == name) else {
            return Err(self.unknown_name_error(name, span));
        };
        constant.is_used.set(true);
        Ok(TypedExpr { expr: Expr::Constant(constant.value), decimals: constant.decimals, word_field: None })
    }

    pub(super) fn typed_field(&self, field: FieldId, expr: Expr) -> TypedExpr {
        let info = self.format.field(field);
        let words = matches!(info.kind, FieldKind::Words(_)).then_some(field);
        TypedExpr { expr, decimals: info.decimal_places().max, word_field: words }
    }

    fn resolve_word(&self, text: &[u8], span: Span, vocabulary: Option<FieldId>) -> Result<TypedExpr, Diagnostic> {
        let shown = String::from_utf8_lossy(text);
        let Some((field, words)) = vocabulary.and_then(|f| Some((f, self.format.field(f).word_choices()?))) else {
            return Err(Diagnostic::error("text-as-number", span, "a text is not a number")
                .with_caret("this is a text")
                .with_help(
                    "write a letter in single quotes; a text can only be compared with a field that is `one of` some words",
                ));
        };
        let Some(number) = words.iter().position(|w| *w == shown.as_bytes()) else {
            let known: Vec<String> = words.iter().map(|w| String::from_utf8_lossy(w).into_owned()).collect();
            let name = &self.format.field(field).name;
            let problem = Diagnostic::error("unknown-word", span, format!("`{name}` is never \"{shown}\""));
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            return Err(match suggest_name(&shown, known.iter().copied()) {
                Some(near) => problem.with_caret("not one of its words").with_help(format!("did you mean \"{near}\"?")),
                None => problem.with_caret("not one of its words").with_note(format!("expected {}", list_or(&known))),
            });
        };
        Ok(TypedExpr { expr: Expr::Constant(number as i128), decimals: 0, word_field: Some(field) })
    }

    /// Resolves `a[i]`, or the value of a field in the i-th repetition of its block.
    fn resolve_element(&self, name: &str, indices: &[SyntaxTerm], span: Span) -> Result<TypedExpr, Diagnostic> {
        let Some(field) = self.lookup_field(name) else { return Err(self.unknown_name_error(name, span)) };
        let rank = self.format.field(field).dimensions.len();
        let repeated = self.format.repetition_of(self.format.field(field).block).is_some();
        if indices.len() > rank && !(repeated && indices.len() == rank + 1) {
            let caret = match (rank, repeated) {
                (0, false) => "a single number has no index".to_owned(),
                (rank, false) => format!("it takes at most {rank}"),
                (rank, true) => format!("it takes {rank}, or {} with the number of the repetition", rank + 1),
            };
            let count = indices.len();
            let message = format!("`{name}` does not have {count} {}", if count == 1 { "index" } else { "indices" });
            return Err(Diagnostic::error("indices", span, message).with_caret(caret));
        }
        let whole = |index: &SyntaxTerm| {
            self.resolve_integer(index).map_err(|problem| self.unknown_index_error(problem, name, index))
        };
        let indices = indices.iter().map(whole).collect::<Result<Vec<Expr>, _>>()?;
        if let Some(array) = indices.iter().position(|i| self.is_array_expr(i)) {
            return Err(Diagnostic::error("indices", span, "an index must be a single number")
                .with_caret(format!("index {} stands for several", array + 1)));
        }
        let counts_letters = |index: &Expr| {
            index.innermost_variable().is_some_and(|i| self.counted_letters.get(i) == Some(&Some(field)))
        };
        if self.format.is_repeated_text(field) && matches!(&indices[..], [index] if counts_letters(index)) {
            return Err(self.not_a_letter_error(field, span));
        }
        let copies = self.fields_named(name);
        if copies.len() > 1 && self.format.indexes_repetitions(field, &indices) {
            return self.element_in_alternatives(&copies, &indices, span);
        }
        Ok(self.typed_field(field, Expr::Element(field, indices)))
    }

    /// Reports that `word[i]` is not a letter: the index of a text without brackets below `repeat` is the number of
    /// the repetition.
    pub(super) fn not_a_letter_error(&self, field: FieldId, span: Span) -> Diagnostic {
        let name = &self.format.field(field).name;
        Diagnostic::error("not-a-letter", span, format!("`{name}[i]` is the `{name}` of the i-th repetition, not a letter"))
            .with_caret("a text as a whole")
            .with_help(format!(
                "its j-th letter is `{name}[i][j]`; if the layout has `{name}[]`, `{name}[i]` is the i-th letter in each repetition"
            ))
    }

    /// Explains an index that is unknown: statements write `1 <= a[i] <= 10` without any `i` and mean all elements.
    fn unknown_index_error(&self, problem: Diagnostic, name: &str, index: &SyntaxTerm) -> Diagnostic {
        match &index.kind {
            SyntaxTermKind::Name(i) if problem.code == "unknown-name" => Diagnostic::error(
                "unknown-index",
                index.span,
                format!("the index `{i}` is not defined"),
            )
            .with_caret("neither a field nor the variable of a `forall`")
            .with_help(format!(
                "a constraint on an array applies to each element: write `{name}` without an index, or use `forall {i} in 1..n: ...`"
            )),
            _ => problem,
        }
    }

    fn resolve_binary(
        &self,
        sign: &str,
        left: &SyntaxTerm,
        right: &SyntaxTerm,
        span: Span,
    ) -> Result<TypedExpr, Diagnostic> {
        let operator = match sign {
            "+" => ArithmeticOperator::Add,
            "-" => ArithmeticOperator::Subtract,
            "*" => ArithmeticOperator::Multiply,
            "/" => ArithmeticOperator::Divide,
            "%" => ArithmeticOperator::Modulo,
            _ => ArithmeticOperator::Power,
        };
        self.build_operation(operator, self.resolve_numeric(left)?, self.resolve_numeric(right)?, span)
    }

    fn build_operation(
        &self,
        operator: ArithmeticOperator,
        left: TypedExpr,
        right: TypedExpr,
        span: Span,
    ) -> Result<TypedExpr, Diagnostic> {
        let reals = left.decimals + right.decimals > 0;
        let (left, right, decimals) = match operator {
            ArithmeticOperator::Divide | ArithmeticOperator::Modulo | ArithmeticOperator::Power if reals => {
                return Err(Diagnostic::error(
                    "real-arithmetic",
                    span,
                    "reals can only be added, subtracted and multiplied",
                )
                .with_caret("this has no exact result"));
            }
            ArithmeticOperator::Multiply => (left.expr, right.expr, left.decimals + right.decimals),
            _ => {
                let decimals = left.decimals.max(right.decimals);
                (scale_to_decimals(left, decimals, span)?, scale_to_decimals(right, decimals, span)?, decimals)
            }
        };
        let (Expr::Constant(a), Expr::Constant(b)) = (&left, &right) else {
            return Ok(TypedExpr {
                expr: Expr::Binary(operator, Box::new(left), Box::new(right)),
                decimals,
                word_field: None,
            });
        };
        match apply_operator(operator, *a, *b).filter(|v| v.abs() <= MAX_NUMBER) {
            Some(value) => Ok(TypedExpr { expr: Expr::Constant(value), decimals, word_field: None }),
            None => Err(Diagnostic::error("bad-arithmetic", span, "this has no value")
                .with_caret("too large, a division by zero, or a negative exponent")),
        }
    }

    fn resolve_call(&self, name: &str, arguments: &[SyntaxTerm], span: Span) -> Result<TypedExpr, Diagnostic> {
        let one = |what: &str| match arguments {
            [one] => Ok(one),
            _ => Err(Diagnostic::error("arguments", span, format!("`{name}` takes {what}"))
                .with_caret(format!("{} given", arguments.len()))),
        };
        match name {
            "sum" => self.resolve_fold(FoldKind::Sum, one("one argument")?, span),
            "min" | "max" if arguments.len() > 1 => self.resolve_min_or_max(name == "max", arguments, span),
            "min" => self.resolve_fold(FoldKind::Min, one("one argument")?, span),
            "max" => self.resolve_fold(FoldKind::Max, one("one argument")?, span),
            "abs" => {
                let inner = self.resolve_numeric(one("one argument")?)?;
                let negative = TypedExpr { expr: Expr::Negate(Box::new(inner.expr.clone())), ..inner };
                self.build_operation(ArithmeticOperator::Max, inner, negative, span)
            }
            "len" => self.resolve_length(one("the name of a text or an array")?),
            "count" => self.resolve_count(arguments, span),
            "whole" => Err(Diagnostic::error("whole-what", span, "`whole` is not a number")
                .with_caret("it can only be compared with another `whole`")),
            _ if is_predicate(name) => {
                Err(Diagnostic::error("predicate", span, format!("`{name}(...)` is a constraint, not a number"))
                    .with_caret("write it on a line of its own"))
            }
            _ => {
                let problem = Diagnostic::error("unknown-function", span, format!("there is no function `{name}`"));
                Err(match suggestion_for(name, FUNCTION_NAMES.iter().copied().chain(predicate_names())) {
                    Some(help) => problem.with_caret("unknown").with_help(help),
                    None => problem.with_caret("unknown").with_note(format!("expected {}", list_or(FUNCTION_NAMES))),
                })
            }
        }
    }

    /// Resolves `min(a, b)` and `max(a, b, c)` of several single numbers.
    fn resolve_min_or_max(&self, largest: bool, arguments: &[SyntaxTerm], span: Span) -> Result<TypedExpr, Diagnostic> {
        let operator = if largest { ArithmeticOperator::Max } else { ArithmeticOperator::Min };
        let mut found: Option<TypedExpr> = None;
        for argument in arguments {
            let next = self.resolve_numeric(argument)?;
            if self.is_array_expr(&next.expr) {
                return Err(Diagnostic::error(
                    "arguments",
                    argument.span,
                    "with several arguments, each must be a single number",
                )
                .with_caret("this stands for several numbers"));
            }
            found = Some(match found {
                None => next,
                Some(before) => self.build_operation(operator, before, next, span)?,
            });
        }
        Ok(found.unwrap_or(TypedExpr::from_integer(Expr::Constant(0))))
    }

    fn resolve_length(&self, term: &SyntaxTerm) -> Result<TypedExpr, Diagnostic> {
        match self.resolve_expr(term, None)?.expr {
            Expr::Field(field) if !self.format.field(field).is_scalar() => {
                Ok(TypedExpr::from_integer(Expr::Length(field)))
            }
            Expr::Element(field, indices) if self.remaining_rank(field, &indices) == 1 => {
                let row = Box::new(Expr::Element(field, indices));
                Ok(TypedExpr::from_integer(Expr::Fold(FoldKind::Size, FoldRange::Elements, row)))
            }
            _ => Err(Diagnostic::error("len-what", term.span, "only a text or an array has a length")
                .with_caret("it has neither letters nor a size")),
        }
    }

    /// Returns the number of dimensions of a field that remain after indexing.
    fn remaining_rank(&self, field: FieldId, indices: &[Expr]) -> usize {
        self.format.field(field).dimensions.len().saturating_sub(self.format.indexed_dimensions(field, indices))
    }

    /// Converts a one-character text where a letter is expected.
    pub(super) fn as_letter(term: &SyntaxTerm) -> Option<SyntaxTerm> {
        let SyntaxTermKind::Text(text) = &term.kind else { return None };
        let [letter] = text[..] else { return None };
        Some(SyntaxTerm { kind: SyntaxTermKind::Letter(letter), span: term.span })
    }

    fn resolve_count(&self, arguments: &[SyntaxTerm], span: Span) -> Result<TypedExpr, Diagnostic> {
        let [what, value] = arguments else {
            return Err(Diagnostic::error("arguments", span, "`count` takes a field and the value to count")
                .with_caret(format!("{} given", arguments.len()))
                .with_help("count(board, 'S') = 1"));
        };
        let counted = self.resolve_repeated(what)?;
        let made_of_letters = matches!(
            &counted.expr,
            Expr::Field(field) | Expr::Element(field, _) if self.format.field(*field).alphabet().is_some()
        );
        let letter = Resolver::as_letter(value).filter(|_| made_of_letters);
        let value = letter.as_ref().unwrap_or(value);
        if matches!(value.kind, SyntaxTermKind::Text(_)) && made_of_letters {
            return Err(Diagnostic::error("count-what", value.span, "only single letters of a text can be counted")
                .with_caret("not one character")
                .with_help("count(s, 'x')"));
        }
        if matches!(value.kind, SyntaxTermKind::Letter(_)) && !made_of_letters {
            return Err(Diagnostic::error("count-what", value.span, "this field has no letters to count")
                .with_caret("a letter, but the field is not a text")
                .with_help("write numbers without quotes, and words in double quotes"));
        }
        let value_typed = self.resolve_expr(value, counted.word_field)?;
        let same_kind = counted.word_field.is_some() == value_typed.word_field.is_some();
        match scale_to_decimals(value_typed, counted.decimals, value.span)? {
            Expr::Constant(number) if same_kind => self.resolve_fold(FoldKind::Count(number), what, span),
            _ => Err(Diagnostic::error("count-what", value.span, "the value to count must be constant")
                .with_caret("expected a letter such as 'S', a number, or a word in double quotes")),
        }
    }

    fn resolve_fold(&self, fold: FoldKind, term: &SyntaxTerm, span: Span) -> Result<TypedExpr, Diagnostic> {
        let counting = matches!(fold, FoldKind::Count(_));
        let inner = self.resolve_repeated(term)?;
        if !counting && inner.word_field.is_some() {
            return Err(words_as_numbers_error(term.span));
        }
        let decimals = if counting { 0 } else { inner.decimals };
        let inner = inner.expr;
        self.check_blocks_nest(&inner, term.span)?;
        let text = |f: &FieldId| self.format.field(*f).alphabet().is_some();
        let letters = matches!(&inner, Expr::Field(f) | Expr::Element(f, _) if text(f));
        if letters && !counting {
            return Err(Diagnostic::error("text-as-number", term.span, "a text has no numbers to combine")
                .with_caret("this is a text")
                .with_help("count(text, 'x') counts a character, len(text) is the length"));
        }
        let over = match self.is_array_expr(&inner) {
            true => FoldRange::Elements,
            false => match self.deepest_block(&inner).and_then(|block| self.format.fold_range(block)) {
                Some(over) => over,
                None if inner.contains_alternatives() => {
                    return Ok(TypedExpr {
                        expr: super::alternatives::fold_alternatives(fold, inner),
                        decimals,
                        word_field: None,
                    });
                }
                None => {
                    return Err(Diagnostic::error("nothing-to-fold", span, "this is a single value")
                        .with_caret("expected an array, or a field of a repeated block"));
                }
            },
        };
        Ok(TypedExpr { expr: Expr::Fold(fold, over, Box::new(inner)), decimals, word_field: None })
    }

    /// Returns true if the expression stands for several numbers.
    pub(super) fn is_array_expr(&self, expr: &Expr) -> bool {
        !self.array_dimensions(expr).is_empty()
    }

    /// Returns the dimensions of each array in the expression that is not folded.
    pub(super) fn array_dimensions(&self, expr: &Expr) -> Vec<&[FieldDimension]> {
        let mut found = Vec::new();
        expr.visit_parts(&mut |part| {
            let dimensions = match part {
                Expr::Field(f) => &self.format.field(*f).dimensions[..],
                Expr::Length(f) => self.format.field(*f).dimensions.split_last().map_or(&[][..], |(_, outer)| outer),
                Expr::Element(f, indices) => {
                    let picked = self.format.indexed_dimensions(*f, indices);
                    self.format.field(*f).dimensions.get(picked..).unwrap_or_default()
                }
                _ => &[],
            };
            found.extend(Some(dimensions).filter(|d| !d.is_empty()));
            matches!(part, Expr::Negate(_) | Expr::Binary(..))
        });
        found
    }

    /// Checks that the fields of an expression have a common block: their blocks are nested in each other.
    pub(super) fn check_blocks_nest(&self, expr: &Expr, span: Span) -> Result<(), Diagnostic> {
        let is_unrelated = |part: &Expr| {
            let Some(deepest) = self.deepest_block(part) else { return false };
            let mut unrelated = false;
            part.visit_fields(&mut |f| {
                let block = self.format.field(f).block;
                unrelated |= !self.format.is_within(deepest, block) && !self.format.is_within(block, deepest);
            });
            unrelated
        };
        let unrelated = expr.any_part(&|part| match part {
            _ if is_unrelated(part) => Some(true),
            Expr::Binary(..) => None,
            _ => Some(false),
        });
        if unrelated { Err(different_blocks_error(span)) } else { Ok(()) }
    }

    /// Returns the innermost block of the expression's fields, without folded ones.
    pub(super) fn deepest_block(&self, expr: &Expr) -> Option<BlockId> {
        let mut deepest = None;
        expr.visit_parts(&mut |part| {
            let block = match part {
                Expr::Field(f) | Expr::Length(f) => Some(self.format.field(*f).block),
                Expr::Element(f, indices) => {
                    let block = self.format.field(*f).block;
                    match self.format.indexes_repetitions(*f, indices) {
                        true => self.format.repetition_of(block).and_then(|block| self.format.block(block).parent),
                        false => Some(block),
                    }
                }
                Expr::Fold(_, over, _) => self.format.holder_block(*over),
                _ => None,
            };
            deepest = deepest.max(block);
            !matches!(part, Expr::Fold(_, FoldRange::Instances(_) | FoldRange::Occurrences(_), _))
        });
        deepest
    }
}
