//! Resolution of expressions: names, arithmetic that mixes reals and integers, and folds.

use super::expression_blocks::{check_blocks_nest, deepest_block, distinct_texts_range, is_array_expr};
use super::name_scope::{
    NameScope, collect_direct_names, fields_named, lookup_field, unchosen_alternatives, unknown_name_error,
};
use super::predicates::{PRIME, fold_named, is_predicate};
use super::slices::{
    CalledReduction, SliceCall, build_slice, check_single, check_slice_element, check_wanted_value, match_slice_call,
    unfolded_slice_error,
};
use super::typed_expr::{TypedExpr, different_alternatives_error, scale_to_decimals, words_as_numbers_error};
use crate::language::MAX_NUMBER;
use crate::language::syntax::{SyntaxTerm, SyntaxTermKind};
use crate::language::vocabulary::{WordPlace, names_in};
use crate::model::{
    ArithmeticOperator, ComparisonOperator, Expr, FieldId, FieldKind, FoldKind, FoldRange, NumberFunction,
    OptionalBlocks, SliceReduction, apply_operator,
};
use rebut_diagnostics::{Diagnostic, Span, list_or, suggest_name, suggestion_for};

/// Resolves a folded expression, in which a name shared by alternatives stands for the field that is present.
pub(super) fn resolve_repeated(scope: &NameScope, term: &SyntaxTerm) -> Result<TypedExpr, Diagnostic> {
    let mut names = Vec::new();
    collect_direct_names(scope, term, &mut names);
    let Some(forms) = unchosen_alternatives(scope, &names) else { return resolve_expr(scope, term, None) };
    let mut found: Option<TypedExpr> = None;
    for form in forms.into_iter().rev() {
        scope.chosen_alternatives.borrow_mut().push(form);
        let typed = resolve_repeated(scope, term);
        scope.chosen_alternatives.borrow_mut().pop();
        let typed = typed?;
        if is_array_expr(scope, &typed.expr) {
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
fn element_in_alternatives(
    scope: &NameScope,
    copies: &[FieldId],
    indices: &[Expr],
    span: Span,
) -> Result<TypedExpr, Diagnostic> {
    let mut found: Option<Expr> = None;
    for field in copies.iter().rev() {
        if scope.format.picks_row(*field, indices) {
            return Err(Diagnostic::error("several-forms", span, "several alternatives share this name")
                .with_caret("a text or an array that alternatives share cannot be indexed")
                .with_help("use another name in each alternative"));
        }
        found = Some(with_fallback(Expr::Element(*field, indices.to_vec()), found));
    }
    let first = copies.first().copied().unwrap_or(FieldId(0));
    Ok(typed_field(scope, first, found.unwrap_or(Expr::Constant(0))))
}

pub(super) fn check_same_words(
    scope: &NameScope,
    (left, right): &(TypedExpr, TypedExpr),
    sign: ComparisonOperator,
    span: Span,
) -> Result<(), Diagnostic> {
    let words = |typed: &TypedExpr| typed.word_field.and_then(|f| scope.format.field(f).word_choices());
    match (words(left), words(right)) {
        (None, None) => Ok(()),
        (Some(l), Some(r)) if l == r && matches!(sign, ComparisonOperator::Equal | ComparisonOperator::NotEqual) => {
            Ok(())
        }
        (Some(_), Some(_)) => Err(Diagnostic::error("words-as-numbers", span, "words have no order")
            .with_caret("expected `=` or `!=`, and words of the same choice")),
        _ => Err(Diagnostic::error("words-as-numbers", span, "a word is compared with a number")
            .with_caret("one side is a choice of words")
            .with_help("compare it with a word: `op = \"push\"`")),
    }
}

/// Resolves an expression of integers.
pub(super) fn resolve_integer(scope: &NameScope, term: &SyntaxTerm) -> Result<Expr, Diagnostic> {
    let typed = resolve_expr(scope, term, None)?;
    if typed.decimals > 0 {
        return Err(Diagnostic::error("not-whole", term.span, "a whole number is required here")
            .with_caret("this has digits after the point"));
    }
    if typed.word_field.is_some() {
        return Err(words_as_numbers_error(term.span));
    }
    Ok(typed.expr)
}

/// Resolves the ends of a range of integers.
pub(super) fn resolve_range(scope: &NameScope, ends: &(SyntaxTerm, SyntaxTerm)) -> Result<(Expr, Expr), Diagnostic> {
    Ok((resolve_integer(scope, &ends.0)?, resolve_integer(scope, &ends.1)?))
}

/// Resolves an expression. Texts in it are words of the field `vocabulary`.
pub(super) fn resolve_expr(
    scope: &NameScope,
    term: &SyntaxTerm,
    vocabulary: Option<FieldId>,
) -> Result<TypedExpr, Diagnostic> {
    Ok(match &term.kind {
        SyntaxTermKind::Number(number) => TypedExpr::from_integer(Expr::Constant(*number)),
        SyntaxTermKind::Decimal(number, decimals) => TypedExpr::from_number(Expr::Constant(*number), *decimals),
        SyntaxTermKind::Letter(letter) => TypedExpr::from_integer(Expr::Constant(i128::from(*letter))),
        SyntaxTermKind::Text(text) => resolve_word(scope, text, term.span, vocabulary)?,
        SyntaxTermKind::Name(name) => resolve_name(scope, name, term.span)?,
        SyntaxTermKind::Element(name, indices) => build_element(scope, name, (indices, None, &[]), term.span)?,
        SyntaxTermKind::Slice(name, ..) => {
            return Err(unfolded_slice_error(name, term.span));
        }
        SyntaxTermKind::Negate(inner) => {
            let inner = resolve_numeric(scope, inner)?;
            let expr = match inner.expr {
                Expr::Constant(value) => Expr::Constant(-value),
                expr => Expr::Negate(Box::new(expr)),
            };
            TypedExpr { expr, ..inner }
        }
        SyntaxTermKind::Binary(sign, left, right) => {
            let operator = ArithmeticOperator::from_sign(sign).unwrap_or(ArithmeticOperator::Power);
            build_operation(operator, resolve_numeric(scope, left)?, resolve_numeric(scope, right)?, term.span)?
        }
        SyntaxTermKind::Call(name, arguments) => resolve_call(scope, name, arguments, term.span)?,
        SyntaxTermKind::Tuple(_) => {
            return Err(Diagnostic::error("tuple", term.span, "a tuple is not a number")
                .with_caret("tuples can only be compared with `=` and `!=`, or used in `distinct`"));
        }
    })
}

/// Resolves an expression that arithmetic can be applied to.
fn resolve_numeric(scope: &NameScope, term: &SyntaxTerm) -> Result<TypedExpr, Diagnostic> {
    let typed = resolve_expr(scope, term, None)?;
    if typed.word_field.is_some() { Err(words_as_numbers_error(term.span)) } else { Ok(typed) }
}

fn resolve_name(scope: &NameScope, name: &str, span: Span) -> Result<TypedExpr, Diagnostic> {
    if let Some(variable) = scope.variables.iter().rposition(|v| v == name) {
        return Ok(TypedExpr::from_integer(Expr::Variable(variable)));
    }
    if let Some(field) = lookup_field(scope, name) {
        return Ok(typed_field(scope, field, Expr::Field(field)));
    }
    let Some(constant) = scope.constants.iter().find(|c| c.name == name) else {
        return Err(unknown_name_error(scope, name, span));
    };
    constant.is_used.set(true);
    Ok(TypedExpr::from_number(Expr::Constant(constant.value), constant.decimals))
}

fn typed_field(scope: &NameScope, field: FieldId, expr: Expr) -> TypedExpr {
    let info = scope.format.field(field);
    let words = matches!(info.kind, FieldKind::Words(_)).then_some(field);
    TypedExpr { expr, decimals: info.decimal_places().max, word_field: words }
}

fn resolve_word(
    scope: &NameScope,
    text: &[u8],
    span: Span,
    vocabulary: Option<FieldId>,
) -> Result<TypedExpr, Diagnostic> {
    let shown = String::from_utf8_lossy(text);
    let Some((field, words)) = vocabulary.and_then(|f| Some((f, scope.format.field(f).word_choices()?))) else {
        return Err(Diagnostic::error("text-as-number", span, "a text is not a number")
            .with_caret("this is a text")
            .with_help(
                "write a letter in single quotes; a text can only be compared with a field that is `one of` some words",
            ));
    };
    let Some(number) = words.iter().position(|w| *w == shown.as_bytes()) else {
        let known: Vec<String> = words.iter().map(|w| String::from_utf8_lossy(w).into_owned()).collect();
        let name = &scope.format.field(field).name;
        let problem = Diagnostic::error("unknown-word", span, format!("`{name}` is never \"{shown}\""));
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        return Err(match suggest_name(&shown, known.iter().copied()) {
            Some(near) => problem.with_caret("not one of its words").with_help(format!("did you mean \"{near}\"?")),
            None => problem.with_caret("not one of its words").with_note(format!("expected {}", list_or(&known))),
        });
    };
    Ok(TypedExpr { expr: Expr::Constant(number as i128), decimals: 0, word_field: Some(field) })
}

/// Resolves `a[i]`, or the value of a field in the i-th repetition of its block. An index between the others can be
/// resolved already.
fn build_element(
    scope: &NameScope,
    name: &str,
    (before, resolved, after): (&[SyntaxTerm], Option<Expr>, &[SyntaxTerm]),
    span: Span,
) -> Result<TypedExpr, Diagnostic> {
    let Some(field) = lookup_field(scope, name) else { return Err(unknown_name_error(scope, name, span)) };
    let rank = scope.format.field(field).dimensions.len();
    let repeated = scope.format.repetition_of(scope.format.field(field).block).is_some();
    let count = before.len() + usize::from(resolved.is_some()) + after.len();
    if count > rank && !(repeated && count == rank + 1) {
        let caret = match (rank, repeated) {
            (0, false) => "a single number has no index".to_owned(),
            (rank, false) => format!("it takes at most {rank}"),
            (rank, true) => format!("it takes {rank}, or {} with the number of the repetition", rank + 1),
        };
        let message = format!("`{name}` does not have {count} {}", if count == 1 { "index" } else { "indices" });
        return Err(Diagnostic::error("indices", span, message).with_caret(caret));
    }
    let whole =
        |index: &SyntaxTerm| resolve_integer(scope, index).map_err(|problem| unknown_index_error(problem, name, index));
    let mut indices = before.iter().chain(after).map(whole).collect::<Result<Vec<Expr>, _>>()?;
    indices.splice(before.len()..before.len(), resolved);
    if let Some(array) = indices.iter().position(|i| is_array_expr(scope, i)) {
        return Err(Diagnostic::error("indices", span, "an index must be a single number")
            .with_caret(format!("index {} stands for several", array + 1)));
    }
    let counts_letters =
        |index: &Expr| index.innermost_variable().is_some_and(|i| scope.counted_letters.get(i) == Some(&Some(field)));
    if scope.format.is_repeated_text(field) && matches!(&indices[..], [index] if counts_letters(index)) {
        return Err(not_a_letter_error(scope, field, span));
    }
    let copies = fields_named(scope, name);
    if copies.len() > 1 && scope.format.indexes_repetitions(field, &indices) {
        return element_in_alternatives(scope, &copies, &indices, span);
    }
    Ok(typed_field(scope, field, Expr::Element(field, indices)))
}

/// Reports that `word[i]` is not a letter: the index of a text without brackets below `repeat` is the number of
/// the repetition.
pub(super) fn not_a_letter_error(scope: &NameScope, field: FieldId, span: Span) -> Diagnostic {
    let name = &scope.format.field(field).name;
    Diagnostic::error("not-a-letter", span, format!("`{name}[i]` is the `{name}` of the i-th repetition, not a letter"))
        .with_caret("a text as a whole")
        .with_help(format!(
            "its j-th letter is `{name}[i][j]`; if the layout has `{name}[]`, `{name}[i]` is the i-th letter in each repetition"
        ))
}

/// Explains an index that is unknown: statements write `1 <= a[i] <= 10` without any `i` and mean all elements.
fn unknown_index_error(problem: Diagnostic, name: &str, index: &SyntaxTerm) -> Diagnostic {
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

fn build_operation(
    operator: ArithmeticOperator,
    left: TypedExpr,
    right: TypedExpr,
    span: Span,
) -> Result<TypedExpr, Diagnostic> {
    let reals = left.decimals + right.decimals > 0;
    let (left, right, decimals) = match operator {
        ArithmeticOperator::Divide
        | ArithmeticOperator::Modulo
        | ArithmeticOperator::Power
        | ArithmeticOperator::Gcd
        | ArithmeticOperator::Xor
            if reals =>
        {
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
        return Ok(TypedExpr::from_number(Expr::from_operands(left, operator, right), decimals));
    };
    match apply_operator(operator, *a, *b).filter(|v| v.abs() <= MAX_NUMBER) {
        Some(value) => Ok(TypedExpr::from_number(Expr::Constant(value), decimals)),
        None => Err(Diagnostic::error("bad-arithmetic", span, "this has no value")
            .with_caret("too large, a division by zero, or a negative exponent")),
    }
}

fn resolve_call(scope: &NameScope, name: &str, arguments: &[SyntaxTerm], span: Span) -> Result<TypedExpr, Diagnostic> {
    let one = |what: &str| match arguments {
        [one] => Ok(one),
        _ => Err(Diagnostic::error("arguments", span, format!("`{name}` takes {what}"))
            .with_caret(format!("{} given", arguments.len()))),
    };
    if let Some(call) = match_slice_call(name, arguments, span)? {
        return resolve_slice(scope, &call);
    }
    if let ("min" | "max" | "gcd" | "xor", [_, _, ..]) = (name, arguments) {
        return resolve_of_several(scope, name, arguments, span);
    }
    if let Some(fold) = fold_named(name) {
        return resolve_fold(scope, fold, one("one argument")?, span);
    }
    match name {
        "abs" => {
            let inner = resolve_numeric(scope, one("one argument")?)?;
            let negative = TypedExpr { expr: Expr::Negate(Box::new(inner.expr.clone())), ..inner };
            build_operation(ArithmeticOperator::Max, inner, negative, span)
        }
        PRIME => resolve_prime(scope, one("one argument")?),
        "len" => resolve_length(scope, one("the name of a text or an array")?),
        "count" => resolve_count(scope, arguments, span),
        "whole" => Err(Diagnostic::error("whole-what", span, "`whole` is not a number")
            .with_caret("it can only be compared with another `whole`")),
        _ if is_predicate(name) => {
            Err(Diagnostic::error("predicate", span, format!("`{name}(...)` is a constraint, not a number"))
                .with_caret("write it on a line of its own"))
        }
        _ => {
            let name_span = Span::new(span.start, span.start + name.len());
            let problem = Diagnostic::error("unknown-function", name_span, format!("there is no function `{name}`"));
            Err(match suggestion_for(name, names_in(WordPlace::Function).chain(names_in(WordPlace::Predicate))) {
                Some(help) => problem.with_caret("unknown").with_help(help),
                None => problem
                    .with_caret("unknown")
                    .with_note(format!("expected {}", list_or(&names_in(WordPlace::Function).collect::<Vec<_>>()))),
            })
        }
    }
}

/// Resolves a fold of a slice, `sum(a[1..i])`.
fn resolve_slice(scope: &NameScope, call: &SliceCall<'_>) -> Result<TypedExpr, Diagnostic> {
    let variable = Expr::Variable(scope.variables.len());
    let (before, after) = call.indices;
    let each = build_element(scope, call.name, (before, Some(variable), after), call.span)?;
    let is_letter = check_slice_element(scope, call, &each)?;
    let end = |term: &SyntaxTerm| {
        let expr = resolve_integer(scope, term)?;
        check_single(scope, &expr, term.span).map(|()| expr)
    };
    let range = (end(&call.range.0)?, end(&call.range.1)?);
    let reduction = match call.reduction {
        CalledReduction::Fold(fold) => SliceReduction::Fold(fold),
        CalledReduction::Count(term) => {
            let letter = as_letter(term).filter(|_| is_letter);
            let wanted = resolve_expr(scope, letter.as_ref().unwrap_or(term), each.word_field)?;
            SliceReduction::Count(check_wanted_value(scope, &each, wanted, term.span)?)
        }
    };
    Ok(build_slice(scope, reduction, range, each))
}

/// Resolves `min(a, b)`, `max(a, b, c)` and the like of several single numbers.
fn resolve_of_several(
    scope: &NameScope,
    name: &str,
    arguments: &[SyntaxTerm],
    span: Span,
) -> Result<TypedExpr, Diagnostic> {
    let operator = match name {
        "min" => ArithmeticOperator::Min,
        "max" => ArithmeticOperator::Max,
        "gcd" => ArithmeticOperator::Gcd,
        _ => ArithmeticOperator::Xor,
    };
    let mut found: Option<TypedExpr> = None;
    for argument in arguments {
        let next = resolve_numeric(scope, argument)?;
        if is_array_expr(scope, &next.expr) {
            return Err(Diagnostic::error(
                "arguments",
                argument.span,
                "with several arguments, each must be a single number",
            )
            .with_caret("this stands for several numbers"));
        }
        found = Some(match found {
            None => next,
            Some(before) => build_operation(operator, before, next, span)?,
        });
    }
    Ok(found.unwrap_or(TypedExpr::from_integer(Expr::Constant(0))))
}

fn resolve_prime(scope: &NameScope, term: &SyntaxTerm) -> Result<TypedExpr, Diagnostic> {
    let number = resolve_integer(scope, term)?;
    Ok(TypedExpr::from_integer(match number {
        Expr::Constant(number) => Expr::Constant(NumberFunction::Prime.apply_to(number)),
        number => Expr::Call(NumberFunction::Prime, Box::new(number)),
    }))
}

fn resolve_length(scope: &NameScope, term: &SyntaxTerm) -> Result<TypedExpr, Diagnostic> {
    match resolve_expr(scope, term, None)?.expr {
        Expr::Field(field) if !scope.format.field(field).is_scalar() => {
            Ok(TypedExpr::from_integer(Expr::Length(field)))
        }
        Expr::Element(field, indices)
            if scope.format.indexed_dimensions(field, &indices) + 1 == scope.format.field(field).dimensions.len() =>
        {
            let row = Box::new(Expr::Element(field, indices));
            Ok(TypedExpr::from_integer(Expr::Fold(FoldKind::Size, FoldRange::Elements, row)))
        }
        _ => Err(Diagnostic::error("len-what", term.span, "only a text or an array has a length")
            .with_caret("it has neither letters nor a size")),
    }
}

/// Converts a one-character text where a letter is expected.
pub(super) fn as_letter(term: &SyntaxTerm) -> Option<SyntaxTerm> {
    let SyntaxTermKind::Text(text) = &term.kind else { return None };
    let [letter] = text[..] else { return None };
    Some(SyntaxTerm { kind: SyntaxTermKind::Letter(letter), span: term.span })
}

fn resolve_count(scope: &NameScope, arguments: &[SyntaxTerm], span: Span) -> Result<TypedExpr, Diagnostic> {
    let [what, value] = arguments else {
        return Err(Diagnostic::error("arguments", span, "`count` takes a field and the value to count")
            .with_caret(format!("{} given", arguments.len()))
            .with_help("count(board, 'S') = 1"));
    };
    let counted = resolve_repeated(scope, what)?;
    let made_of_letters = matches!(
        &counted.expr,
        Expr::Field(field) | Expr::Element(field, _) if scope.format.field(*field).alphabet().is_some()
    );
    let letter = as_letter(value).filter(|_| made_of_letters);
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
    let value_typed = resolve_expr(scope, value, counted.word_field)?;
    let same_kind = counted.word_field.is_some() == value_typed.word_field.is_some();
    match scale_to_decimals(value_typed, counted.decimals, value.span)? {
        Expr::Constant(number) if same_kind => resolve_fold(scope, FoldKind::Count(number), what, span),
        _ => Err(Diagnostic::error("count-what", value.span, "the value to count must be constant")
            .with_caret("expected a letter such as 'S', a number, or a word in double quotes")),
    }
}

fn resolve_fold(scope: &NameScope, fold: FoldKind, term: &SyntaxTerm, span: Span) -> Result<TypedExpr, Diagnostic> {
    let counting = matches!(fold, FoldKind::Count(_) | FoldKind::Distinct);
    let inner = resolve_repeated(scope, term)?;
    if !counting && inner.word_field.is_some() {
        return Err(words_as_numbers_error(term.span));
    }
    if matches!(fold, FoldKind::Gcd | FoldKind::Xor | FoldKind::Cycles) && inner.decimals > 0 {
        return Err(Diagnostic::error("real-arithmetic", span, "reals can only be added, subtracted and multiplied")
            .with_caret("this needs whole numbers"));
    }
    let decimals = if counting || fold.is_relational() { 0 } else { inner.decimals };
    let inner = inner.expr;
    if fold == FoldKind::Distinct
        && let Expr::Field(field) = inner
        && distinct_texts_range(scope, field).is_some()
    {
        return Err(Diagnostic::error("text-as-number", term.span, "different texts are not counted")
            .with_caret("this stands for several texts")
            .with_help("`distinct(name)` without a comparison requires that all are different"));
    }
    check_blocks_nest(scope, &inner, term.span)?;
    let text = |f: &FieldId| scope.format.field(*f).alphabet().is_some();
    let letters = matches!(&inner, Expr::Field(f) | Expr::Element(f, _) if text(f));
    if letters && !counting {
        return Err(Diagnostic::error("text-as-number", term.span, "a text has no numbers to combine")
            .with_caret("this is a text")
            .with_help("count(text, 'x') counts a character, len(text) is the length"));
    }
    let over = match is_array_expr(scope, &inner) {
        true => FoldRange::Elements,
        false => match deepest_block(scope, &inner).and_then(|block| scope.format.fold_range(block)) {
            Some(over) => over,
            None if inner.contains_alternatives() && !fold.is_relational() => {
                return Ok(TypedExpr::from_number(fold_alternatives(fold, inner), decimals));
            }
            None => {
                return Err(Diagnostic::error("nothing-to-fold", span, "this is a single value")
                    .with_caret("expected an array, or a field of a repeated block"));
            }
        },
    };
    Ok(TypedExpr::from_number(Expr::Fold(fold, over, Box::new(inner)), decimals))
}

pub(super) fn resolve_field_name(scope: &NameScope, term: &SyntaxTerm, what: &str) -> Result<FieldId, Diagnostic> {
    match resolve_expr(scope, term, None)?.expr {
        Expr::Field(field) => Ok(field),
        _ => {
            Err(Diagnostic::error("not-a-name", term.span, what.to_owned()).with_caret("expected the name of a field"))
        }
    }
}

/// Returns an expression that falls back to another one where the first is absent.
fn with_fallback(expr: Expr, other: Option<Expr>) -> Expr {
    match other {
        Some(other) => Expr::from_operands(expr, ArithmeticOperator::OrElse, other),
        None => expr,
    }
}

/// Folds a name shared by alternatives that nothing repeats.
fn fold_alternatives(fold: FoldKind, expr: Expr) -> Expr {
    match (fold, expr) {
        (FoldKind::Min | FoldKind::Max, expr) => expr,
        (_, Expr::Binary(ArithmeticOperator::OrElse, form, others)) => Expr::from_operands(
            fold_alternatives(fold, *form),
            ArithmeticOperator::Add,
            fold_alternatives(fold, *others),
        ),
        (_, Expr::Fold(_, over, inner)) => Expr::Fold(fold, over, inner),
        (_, expr) => expr,
    }
}
