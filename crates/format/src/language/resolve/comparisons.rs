//! Resolution of comparisons of numbers, words, tuples and sequences.

use super::expression_blocks::{distinct_texts_range, is_array_expr};
use super::expressions::{as_letter, check_same_words, resolve_expr, resolve_integer};
use super::name_scope::{NameScope, lookup_field};
use super::predicates::{DISTINCT, PRIME};
use super::sequences::resolve_sequences;
use super::typed_expr::{TypedExpr, scale_to_decimals};
use crate::language::syntax::{ComparisonChain, SyntaxFormula, SyntaxTerm, SyntaxTermKind};
use crate::model::{
    ArithmeticOperator, Comparison, ComparisonOperator, Expr, FieldId, FoldRange, Formula, OrderConstraint,
    QuantifiedFormula,
};
use rebut_diagnostics::{Diagnostic, Span};

/// A comparison in the text.
#[derive(Clone, Copy)]
pub(super) struct WrittenComparison<'t> {
    pub(super) left: &'t SyntaxTerm,
    pub(super) sign: ComparisonOperator,
    pub(super) right: &'t SyntaxTerm,
    /// Location for errors.
    pub(super) span: Span,
}

/// Resolves a comparison of numbers or of tuples.
pub(super) fn resolve_comparison(scope: &NameScope, written: WrittenComparison) -> Result<Comparison, Diagnostic> {
    let WrittenComparison { left, sign, right, span } = written;
    let (left, right) = (tuple_parts(left), tuple_parts(right));
    if left.len() != right.len() {
        return Err(Diagnostic::error("tuple-length", span, "the two sides have different numbers of parts")
            .with_caret(format!("{} compared with {}", left.len(), right.len())));
    }
    let mut sides: Vec<(TypedExpr, TypedExpr)> = Vec::new();
    for (l, r) in left.iter().zip(right) {
        let (left_letter, right_letter) = (as_compared_letter(scope, r, l), as_compared_letter(scope, l, r));
        let (l, r) = (left_letter.as_ref().unwrap_or(l), right_letter.as_ref().unwrap_or(r));
        let vocabulary = word_field_of(scope, l).or_else(|| word_field_of(scope, r));
        let pair = match resolve_sequences(scope, l, r, sign, span)? {
            Some(_) if left.len() > 1 => return Err(sequence_in_tuple_error(span)),
            Some(pair) => pair,
            None => (resolve_side(scope, l, vocabulary)?, resolve_side(scope, r, vocabulary)?),
        };
        check_same_words(scope, &pair, sign, span)?;
        sides.push(pair);
    }
    if sides.len() > 1 && sides.iter().any(|(l, r)| is_array_expr(scope, &l.expr) || is_array_expr(scope, &r.expr)) {
        return Err(Diagnostic::error("tuple", span, "a tuple consists of single numbers")
            .with_caret("this array stands for several numbers")
            .with_help("to require distinct pairs: distinct((x, y))"));
    }
    if sides.len() > 1 && !matches!(sign, ComparisonOperator::Equal | ComparisonOperator::NotEqual) {
        return Err(Diagnostic::error("tuple", span, "tuples can only be compared with `=` and `!=`")
            .with_caret("this operator compares numbers"));
    }
    let decimals = sides.iter().map(|(l, r)| l.decimals.max(r.decimals)).max().unwrap_or(0);
    let mut comparison = Comparison { left: Vec::new(), sign, right: Vec::new(), decimals };
    for (l, r) in sides {
        comparison.left.push(scale_to_decimals(l, decimals, span)?);
        comparison.right.push(scale_to_decimals(r, decimals, span)?);
    }
    Ok(comparison)
}

/// Returns a one-character text as a letter if it is compared with a letter: `s[i] = "x"` means `s[i] = 'x'`.
fn as_compared_letter(scope: &NameScope, element: &SyntaxTerm, text: &SyntaxTerm) -> Option<SyntaxTerm> {
    let SyntaxTermKind::Element(name, indices) = &element.kind else { return None };
    let field = lookup_field(scope, name)?;
    let info = scope.format.field(field);
    let picked = indices.len() - usize::from(scope.format.is_repeated_text(field)).min(indices.len());
    info.alphabet().filter(|_| picked >= info.dimensions.len())?;
    as_letter(text)
}

/// Returns the field that gives the meaning of a term's words.
fn word_field_of(scope: &NameScope, term: &SyntaxTerm) -> Option<FieldId> {
    let (SyntaxTermKind::Name(name) | SyntaxTermKind::Element(name, _)) = &term.kind else { return None };
    lookup_field(scope, name).filter(|f| scope.format.field(*f).word_choices().is_some())
}

fn resolve_side(scope: &NameScope, part: &SyntaxTerm, vocabulary: Option<FieldId>) -> Result<TypedExpr, Diagnostic> {
    let typed = resolve_expr(scope, part, vocabulary)?;
    match &typed.expr {
        Expr::Field(f) if scope.format.field(*f).alphabet().is_some() => {
            Err(Diagnostic::error("text-as-number", part.span, "a text is not a number")
                .with_caret("this is a text")
                .with_help(
                    "compare it with a text, or use its length, `len(s)`, or the count of a letter, `count(s, 'x')`",
                ))
        }
        _ => Ok(typed),
    }
}

/// Returns one comparison per pair of terms for each neighbouring pair of lists.
pub(super) fn comparison_pairs(chain: &ComparisonChain) -> Vec<WrittenComparison<'_>> {
    let mut found = Vec::new();
    for (pair, (sign, _)) in chain.lists.windows(2).zip(&chain.signs) {
        let sign = parse_operator(sign);
        for left in &pair[0] {
            for right in &pair[1] {
                let span = if chain.lists.len() == 2 { chain.span } else { left.span.to(right.span) };
                found.push(WrittenComparison { left, sign, right, span });
            }
        }
    }
    found
}

/// Returns an error if a list is meant as the end of one constraint and the beginning of the next, as in
/// `1 <= n <= 100, 1 <= a <= 9`: it has a number between two operators, or a name that would be compared with itself.
pub(super) fn check_lists(chain: &ComparisonChain) -> Result<(), Diagnostic> {
    let inner = chain.lists.iter().take(chain.signs.len()).skip(1);
    let is_meant = |list: &&[SyntaxTerm]| {
        let others = chain.lists.iter().filter(|other| !std::ptr::eq(&***other, *list)).flatten();
        let mut names = others.filter(|term| matches!(term.kind, SyntaxTermKind::Name(_)));
        list.len() > 1
            && (list.iter().any(|term| !term.has_name()) || names.any(|name| list.iter().any(|t| t.kind == name.kind)))
    };
    let Some([first, .., last]) = inner.map(|list| &**list).find(is_meant) else { return Ok(()) };
    Err(Diagnostic::error("comma", first.span.to(last.span), "a comma separates names in a list, not constraints")
        .with_caret("each of these would be compared with what precedes and follows")
        .with_help("write a semicolon between constraints: `1 <= n <= 100; 1 <= a <= 9`"))
}

/// Returns the comparisons which require that all of several terms are different.
pub(super) fn unequal_pairs(terms: &[SyntaxTerm], span: Span) -> impl Iterator<Item = WrittenComparison<'_>> {
    let sign = ComparisonOperator::NotEqual;
    each_pair(terms).map(move |(left, right)| WrittenComparison { left, sign, right, span })
}

/// Returns the comparison that holds if a function which is 1 or 0 is 1.
pub(super) fn is_true(call: &SyntaxTerm) -> WrittenComparison<'_> {
    const ONE: &SyntaxTerm = &SyntaxTerm { kind: SyntaxTermKind::Number(1), span: Span { start: 0, end: 0 } };
    WrittenComparison { left: call, sign: ComparisonOperator::Equal, right: ONE, span: call.span }
}

/// Returns all pairs of items, each in the order of the slice.
pub(super) fn each_pair<T>(items: &[T]) -> impl Iterator<Item = (&T, &T)> {
    items.iter().enumerate().flat_map(|(i, one)| items[i + 1..].iter().map(move |other| (one, other)))
}

fn sequence_in_tuple_error(span: Span) -> Diagnostic {
    Diagnostic::error("tuple", span, "a tuple consists of single numbers")
        .with_caret("compare a whole text or array by itself")
}

/// Returns the parts of a tuple, or the term itself if it is not a tuple.
pub(super) fn tuple_parts(term: &SyntaxTerm) -> &[SyntaxTerm] {
    match &term.kind {
        SyntaxTermKind::Tuple(parts) => parts,
        _ => std::slice::from_ref(term),
    }
}

fn parse_operator(sign: &str) -> ComparisonOperator {
    match sign {
        "<" => ComparisonOperator::Less,
        "<=" => ComparisonOperator::LessEqual,
        ">" => ComparisonOperator::Greater,
        ">=" => ComparisonOperator::GreaterEqual,
        "=" => ComparisonOperator::Equal,
        _ => ComparisonOperator::NotEqual,
    }
}

// Resolution of formulas: comparisons combined by `and`, `or`, `not`, `=>`, `forall` and `exists`.

/// Resolves a formula, or its negation unless `positive`: negations are pushed down to the comparison operators.
pub(super) fn resolve_formula(
    scope: &mut NameScope,
    written: &SyntaxFormula,
    positive: bool,
) -> Result<Formula, Diagnostic> {
    match written {
        SyntaxFormula::Chain(chain) => resolve_chain(scope, chain, positive),
        SyntaxFormula::Not(inner) => resolve_formula(scope, inner, !positive),
        SyntaxFormula::All(parts) => Ok(join_formulas(resolve_formulas(scope, parts, positive)?, positive)),
        SyntaxFormula::Any(parts) => Ok(join_formulas(resolve_formulas(scope, parts, positive)?, !positive)),
        SyntaxFormula::Implies(sides) => {
            let sides = vec![resolve_formula(scope, &sides.0, !positive)?, resolve_formula(scope, &sides.1, positive)?];
            Ok(join_formulas(sides, !positive))
        }
        SyntaxFormula::Quantified { every, name, range: written_range, body, span } => {
            let range = (resolve_single(scope, &written_range.0)?, resolve_single(scope, &written_range.1)?);
            if scope.variables.contains(name) || lookup_field(scope, name).is_some() {
                return Err(Diagnostic::error(
                    "counts-twice",
                    *span,
                    format!("`{name}` is already the name of a field or constant"),
                )
                .with_caret("choose another name for the variable"));
            }
            let variable = scope.variables.len();
            scope.variables.push(name.clone());
            scope
                .counted_letters
                .push(repeated_text_in(scope, &written_range.0).or(repeated_text_in(scope, &written_range.1)));
            let body = resolve_formula(scope, body, positive);
            scope.counted_letters.pop();
            scope.variables.pop();
            let quantified = Box::new(QuantifiedFormula { variable, name: name.clone(), range, body: body? });
            Ok(if *every == positive { Formula::ForAll(quantified) } else { Formula::Exists(quantified) })
        }
    }
}

/// Returns the repeated text without brackets that determines, by its length, the end of a range.
fn repeated_text_in(scope: &NameScope, term: &SyntaxTerm) -> Option<FieldId> {
    let length_of = |argument: &SyntaxTerm| match &argument.kind {
        SyntaxTermKind::Name(name) => lookup_field(scope, name).filter(|field| scope.format.is_repeated_text(*field)),
        _ => None,
    };
    let in_parts = || term.parts().into_iter().find_map(|part| repeated_text_in(scope, part));
    match &term.kind {
        SyntaxTermKind::Call(function, arguments) if function == "len" => {
            arguments.iter().find_map(length_of).or_else(in_parts)
        }
        SyntaxTermKind::Call(..) | SyntaxTermKind::Negate(_) | SyntaxTermKind::Binary(..) => in_parts(),
        _ => None,
    }
}

fn resolve_formulas(
    scope: &mut NameScope,
    parts: &[SyntaxFormula],
    positive: bool,
) -> Result<Vec<Formula>, Diagnostic> {
    parts.iter().map(|part| resolve_formula(scope, part, positive)).collect()
}

/// Resolves an expression that stands for a single integer.
fn resolve_single(scope: &NameScope, term: &SyntaxTerm) -> Result<Expr, Diagnostic> {
    let expr = resolve_integer(scope, term)?;
    if is_array_expr(scope, &expr) { Err(array_in_formula_error(term.span)) } else { Ok(expr) }
}

/// Resolves a comparison of single values, or its negation unless `positive`.
fn resolve_condition(scope: &NameScope, written: WrittenComparison, positive: bool) -> Result<Formula, Diagnostic> {
    let comparison = resolve_comparison(scope, written)?;
    if comparison.all_operands().any(|e| is_array_expr(scope, e)) {
        return Err(array_in_formula_error(written.span));
    }
    let sign = if positive { comparison.sign } else { comparison.sign.negate_operator() };
    Ok(Formula::Compare(Comparison { sign, ..comparison }))
}

fn resolve_chain(scope: &mut NameScope, chain: &ComparisonChain, positive: bool) -> Result<Formula, Diagnostic> {
    if let ([list], []) = (&*chain.lists, &*chain.signs)
        && let [term @ SyntaxTerm { kind: SyntaxTermKind::Call(name, arguments), span }] = &**list
    {
        if name == PRIME {
            return resolve_condition(scope, WrittenComparison { span: chain.span, ..is_true(term) }, positive);
        }
        if name == DISTINCT {
            return resolve_distinct(scope, arguments, positive, *span);
        }
    }
    if chain.signs.is_empty() {
        return Err(Diagnostic::error("not-a-condition", chain.span, "this is neither true nor false")
            .with_caret("expected a comparison"));
    }
    check_lists(chain)?;
    let pairs = comparison_pairs(chain).into_iter();
    let found = pairs.map(|written| resolve_condition(scope, written, positive)).collect::<Result<Vec<_>, _>>()?;
    Ok(join_formulas(found, positive))
}

/// Resolves `distinct(V[i])`: there are as many different values as values; and `distinct(x[i], y[i])`.
pub(super) fn resolve_distinct(
    scope: &NameScope,
    arguments: &[SyntaxTerm],
    positive: bool,
    span: Span,
) -> Result<Formula, Diagnostic> {
    if let [_] = arguments {
        let call = SyntaxTerm { kind: SyntaxTermKind::Call(DISTINCT.to_owned(), arguments.to_vec()), span };
        let comparison = Comparison::of_distinct_values(resolve_integer(scope, &call)?);
        let sign = if positive { ComparisonOperator::Equal } else { ComparisonOperator::NotEqual };
        return Ok(Formula::Compare(Comparison { sign, ..comparison }));
    }
    let pairs = unequal_pairs(arguments, span);
    let found = pairs.map(|written| resolve_condition(scope, written, positive)).collect::<Result<Vec<_>, _>>()?;
    Ok(join_formulas(found, positive))
}

fn join_formulas(mut parts: Vec<Formula>, all: bool) -> Formula {
    match parts.len() {
        1 => parts.remove(0),
        _ if all => Formula::All(parts),
        _ => Formula::Any(parts),
    }
}

fn array_in_formula_error(span: Span) -> Diagnostic {
    Diagnostic::error("array-in-formula", span, "a condition compares single numbers")
        .with_caret("this array stands for several numbers")
        .with_help("use its elements: `forall i in 1..n: a[i] ...`")
}

// Formulas equivalent to `distinct`, which are satisfied by construction too.

/// Recognizes `forall i in 1..n: forall j in i+1..n: w[i] != w[j]`, where `n` is the number of texts, and returns
/// the field and the range over which its texts must be distinct.
pub(super) fn match_pairwise_distinct(scope: &NameScope, formula: &Formula) -> Option<(FieldId, FoldRange)> {
    let Formula::ForAll(outer) = formula else { return None };
    let Formula::ForAll(inner) = &outer.body else { return None };
    let Formula::Compare(comparison) = &inner.body else { return None };
    let ([Expr::Sequence(left)], [Expr::Sequence(right)]) = (&*comparison.left, &*comparison.right) else {
        return None;
    };
    let (Expr::Element(field, one), Expr::Element(same, other)) = (&**left, &**right) else { return None };
    let ([Expr::Variable(one)], [Expr::Variable(other)]) = (&one[..], &other[..]) else { return None };
    let both = (*one, *other) == (outer.variable, inner.variable) || (*other, *one) == (outer.variable, inner.variable);
    if comparison.sign != ComparisonOperator::NotEqual
        || field != same
        || !both
        || !covers_all_pairs(outer, inner, &scope.format.list_length(*field)?)
    {
        return None;
    }
    let over = distinct_texts_range(scope, *field)?;
    // If some are absent, the indices of `x[i]` and `distinct` differ.
    (!scope.format.may_be_absent(*field)).then_some((*field, over))
}

/// Recognizes a formula with the meaning of `sorted(a)` or another order of numbers.
pub(super) fn match_number_order(scope: &NameScope, formula: &Formula) -> Option<OrderConstraint> {
    let Formula::ForAll(quantified) = formula else { return None };
    let (field, sign) = quantified.ordered_list(&scope.format)?;
    let info = scope.format.field(field);
    let over = match &*info.dimensions {
        [] => scope.format.fold_range(info.block)?,
        [_] if !scope.format.is_repeated_text(field) => FoldRange::Elements,
        _ => return None,
    };
    info.word_choices().is_none().then_some(OrderConstraint { expr: Expr::Field(field), sign, over })
}

/// Returns true if two quantifiers run through all pairs of numbers from 1 to `last`.
fn covers_all_pairs(outer: &QuantifiedFormula, inner: &QuantifiedFormula, last: &Expr) -> bool {
    let one = Expr::Constant(1);
    let beside = |operator, of: &Expr| Expr::from_operands(of.clone(), operator, one.clone());
    let variable = Expr::Variable(outer.variable);
    let is_last = |expr: &Expr| expr == last || *expr == beside(ArithmeticOperator::Subtract, last);
    let above = inner.range.0 == beside(ArithmeticOperator::Add, &variable)
        && inner.range.1 == *last
        && is_last(&outer.range.1);
    let below = inner.range.0 == one
        && inner.range.1 == beside(ArithmeticOperator::Subtract, &variable)
        && outer.range.1 == *last;
    let first = outer.range.0 == one || below && outer.range.0 == Expr::Constant(2);
    first && (above || below)
}
