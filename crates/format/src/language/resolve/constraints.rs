//! Resolution of constraints.

use super::added_constraints::{push_bounds, push_comparison, push_constraint, push_constraint_at};
use super::comparisons::{
    check_lists, comparison_pairs, each_pair, is_true, match_number_order, match_pairwise_distinct, resolve_distinct,
    resolve_formula, tuple_parts, unequal_pairs,
};
use super::expression_blocks::{deepest_block, distinct_texts_range, is_array_expr};
use super::expressions::{resolve_expr, resolve_field_name, resolve_integer, resolve_range, resolve_repeated};
use super::graph_constraints::{WrittenEdges, resolve_edges, resolve_parents};
use super::layout_blocks::for_each_alternative;
use super::name_scope::{NameScope, NamedConstant, is_array_term};
use super::polygon_constraints::resolve_polygon;
use super::predicates::{DISTINCT, ORDER_PREDICATES, PRIME};
use super::text_properties::push_text_property;
use crate::constraints::find_text_property;
use crate::language::syntax::{ComparisonChain, SyntaxFormula, SyntaxRule, SyntaxTerm, SyntaxTermKind};
use crate::language::vocabulary::is_reserved_word;
use crate::model::{
    ArithmeticOperator, Comparison, ComparisonOperator, DistinctConstraint, DistinctTextsConstraint, Expr,
    ExternalProgram, FieldDimension, FieldId, FoldRange, Formula, OrderConstraint, QuantifiedFormula, SliceFold,
    SliceReduction, Subtask,
};
use rebut_diagnostics::{Diagnostic, Span, suggestion_for};
use std::cell::Cell;
use std::collections::HashSet;

pub(super) fn resolve_rule(scope: &mut NameScope, rule: &SyntaxRule) -> Result<(), Diagnostic> {
    match rule {
        SyntaxRule::FieldKind { .. } | SyntaxRule::Let { .. } => Ok(()),
        SyntaxRule::Chain(chain) => push_chain(scope, chain),
        SyntaxRule::Formula(formula, span) => resolve_statement(scope, formula, *span),
        SyntaxRule::Predicate(term) => resolve_predicate(scope, term),
        SyntaxRule::Edges { ends, vertices, condition, properties, span } => {
            let edges = WrittenEdges { ends, vertices, condition: condition.as_ref(), properties, span: *span };
            resolve_edges(scope, &edges)
        }
        SyntaxRule::Parents { name, children, vertices, properties, span } => {
            resolve_parents(scope, name, children, vertices, properties, *span)
        }
        SyntaxRule::Polygon { corner, properties, span } => resolve_polygon(scope, corner, properties, *span),
        SyntaxRule::Permutation { names, values, span } => push_permutation(scope, names, values, *span),
        SyntaxRule::Validator { command, span } => {
            scope.format.validators.push(external_program("validator", command, *span)?);
            Ok(())
        }
        SyntaxRule::Generator { command, span } => {
            scope.format.generators.push(external_program("generator", command, *span)?);
            Ok(())
        }
        SyntaxRule::Subtask { name, points, rules, span } => {
            resolve_subtask(scope, name, points.as_ref(), rules.as_deref(), *span)
        }
    }
}

/// Splits a conjunction, so that plain comparisons in it bound their fields as if each were on its own line.
fn resolve_statement(scope: &mut NameScope, formula: &SyntaxFormula, span: Span) -> Result<(), Diagnostic> {
    match formula {
        SyntaxFormula::Chain(chain) if !chain.signs.is_empty() => push_chain(scope, chain),
        SyntaxFormula::All(parts) => parts.iter().try_for_each(|part| resolve_statement(scope, part, span)),
        formula => for_each_alternative(scope, &formula.terms(), span, &mut |scope| push_formula(scope, formula, span)),
    }
}

fn push_formula(scope: &mut NameScope, formula: &SyntaxFormula, span: Span) -> Result<(), Diagnostic> {
    let formula = resolve_formula(scope, formula, true)?;
    if let Some((field, over)) = match_pairwise_distinct(scope, &formula) {
        return push_distinct_texts(scope, field, over, span);
    }
    match match_number_order(scope, &formula) {
        Some(order) => push_constraint(scope, order, span),
        None => push_constraint(scope, formula, span),
    }
}

/// Resolves a subtask; its constraints are kept separate until it is selected.
fn resolve_subtask(
    scope: &mut NameScope,
    name: &str,
    points: Option<&SyntaxTerm>,
    rules: Option<&[SyntaxRule]>,
    span: Span,
) -> Result<(), Diagnostic> {
    let Some(rules) = rules else { return select_subtask(scope, name, span) };
    if let Some(earlier) = scope.format.subtasks.iter().find(|s| s.name == name) {
        return Err(Diagnostic::error("subtask-twice", span, format!("there are two subtasks `{name}`"))
            .with_caret("the second one")
            .with_label(earlier.span, "the first one"));
    }
    let points = match points.map(|term| Ok((resolve_integer(scope, term)?, term))).transpose()? {
        None => None,
        Some((Expr::Constant(points), _)) => Some(points),
        Some((_, term)) => {
            return Err(Diagnostic::error("not-constant", term.span, "points must be a number")
                .with_caret("this depends on the input"));
        }
    };
    let before = scope.format.constraints.len();
    for rule in rules {
        match rule {
            SyntaxRule::FieldKind { .. }
            | SyntaxRule::Let { .. }
            | SyntaxRule::Subtask { .. }
            | SyntaxRule::Validator { .. }
            | SyntaxRule::Generator { .. } => {
                return Err(Diagnostic::error("subtask-what", span, "a subtask can only add constraints")
                    .with_caret("this one contains something else"));
            }
            constraint => resolve_rule(scope, constraint)?,
        }
    }
    let constraints = scope.format.constraints.split_off(before);
    scope.format.subtasks.push(Subtask { name: name.to_owned(), points, constraints, span });
    Ok(())
}

fn select_subtask(scope: &mut NameScope, name: &str, span: Span) -> Result<(), Diagnostic> {
    let Some(subtask) = scope.format.subtasks.iter().find(|s| s.name == name) else {
        let known: Vec<&str> = scope.format.subtasks.iter().map(|s| s.name.as_str()).collect();
        let problem = Diagnostic::error("unknown-subtask", span, format!("there is no subtask `{name}`"));
        return Err(match suggestion_for(name, known.iter().copied()) {
            Some(help) => problem.with_caret("unknown").with_help(help),
            None if known.is_empty() => problem.with_caret("the format has no subtasks"),
            None => problem.with_caret(format!("there are: {}", known.join(", "))),
        });
    };
    scope.format.constraints.extend(subtask.constraints.clone());
    Ok(())
}

fn push_chain(scope: &mut NameScope, chain: &ComparisonChain) -> Result<(), Diagnostic> {
    check_lists(chain)?;
    comparison_pairs(chain).into_iter().try_for_each(|written| push_comparison(scope, written))
}

/// Adds a predicate, once for each alternative if its arrays are shared by several.
fn resolve_predicate(scope: &mut NameScope, term: &SyntaxTerm) -> Result<(), Diagnostic> {
    let SyntaxTermKind::Call(_, arguments) = &term.kind else { return Ok(()) };
    let parts: Vec<&SyntaxTerm> = arguments.iter().flat_map(tuple_parts).collect();
    match arguments.len() == 1 && parts.iter().any(|part| is_array_term(scope, part)) {
        true => for_each_alternative(scope, &parts, term.span, &mut |scope| push_predicate(scope, term)),
        false => push_predicate(scope, term),
    }
}

fn push_predicate(scope: &mut NameScope, term: &SyntaxTerm) -> Result<(), Diagnostic> {
    let SyntaxTermKind::Call(name, arguments) = &term.kind else { return Ok(()) };
    if let Some((_, sign)) = ORDER_PREDICATES.iter().find(|(order, _)| order == name) {
        return push_ordered(scope, *sign, arguments, term.span);
    }
    if let Some(property) = find_text_property(name) {
        return push_text_property(scope, property, arguments, term.span);
    }
    if name == PRIME {
        return push_comparison(scope, is_true(term));
    }
    if name == "symmetric" {
        return push_symmetric(scope, arguments, term.span);
    }
    if name == "disjoint" {
        return push_disjoint(scope, arguments, term.span);
    }
    if name != DISTINCT {
        resolve_expr(scope, term, None)?;
        return Err(Diagnostic::error("not-a-constraint", term.span, "this is a number, not a constraint")
            .with_caret("expected a comparison")
            .with_help(format!("1 <= {} <= 100", scope.format.source_text(term.span))));
    }
    if arguments.len() > 1 {
        return unequal_pairs(arguments, term.span).try_for_each(|written| push_comparison(scope, written));
    }
    let Some(argument) = arguments.first() else {
        return Err(
            Diagnostic::error("arguments", term.span, "`distinct` needs an argument").with_caret("expected a field")
        );
    };
    if matches!(argument.kind, SyntaxTermKind::Slice(..)) {
        let formula = resolve_distinct(scope, arguments, true, term.span)?;
        return push_constraint(scope, formula, term.span);
    }
    let expr = |part: &SyntaxTerm| resolve_repeated(scope, part).map(|typed| typed.expr);
    let parts = tuple_parts(argument).iter().map(expr).collect::<Result<Vec<_>, _>>()?;
    if let [Expr::Field(field)] = parts[..]
        && let Some(over) = distinct_texts_range(scope, field)
    {
        return push_distinct_texts(scope, field, over, term.span);
    }
    for (part, expr) in tuple_parts(argument).iter().zip(&parts).filter(|_| parts.len() > 1) {
        if matches!(expr, Expr::Field(f) if scope.format.field(*f).alphabet().is_some()) {
            return Err(Diagnostic::error("text-as-number", part.span, "a tuple consists of numbers and words")
                .with_caret("this is a text")
                .with_help("for texts alone use `distinct(name)`; declare a choice of words with `one of`"));
        }
    }
    let over = predicate_range(scope, &parts, term.span)?;
    push_constraint(scope, DistinctConstraint { parts, over }, term.span)
}

/// `disjoint(a, b)`: no element of `b` is among those of `a`.
fn push_disjoint(scope: &mut NameScope, arguments: &[SyntaxTerm], span: Span) -> Result<(), Diagnostic> {
    if arguments.len() < 2 {
        return Err(Diagnostic::error("arguments", span, "`disjoint` needs at least two fields")
            .with_caret(format!("{} given", arguments.len()))
            .with_help("disjoint(a, b)"));
    }
    each_pair(arguments).try_for_each(|pair| {
        let formula = resolve_disjoint(scope, pair, span)?;
        push_constraint(scope, formula, span)
    })
}

fn resolve_disjoint(scope: &NameScope, pair: (&SyntaxTerm, &SyntaxTerm), span: Span) -> Result<Formula, Diagnostic> {
    let (kept, kept_count) = resolve_element_list(scope, pair.0)?;
    let (moved, moved_count) = resolve_element_list(scope, pair.1)?;
    let kind = |field: FieldId| {
        let info = scope.format.field(field);
        (info.alphabet().is_some(), info.word_choices(), info.decimal_places().max)
    };
    if kind(kept) != kind(moved) {
        return Err(Diagnostic::error("disjoint-what", span, "these never have common elements")
            .with_caret("expected two fields of numbers, of letters, or of words of one choice"));
    }
    let element = |field, variable| Expr::Element(field, vec![Expr::Variable(variable)]);
    let slice = SliceFold {
        reduction: SliceReduction::Count(element(moved, 0)),
        variable: 1,
        range: (Expr::Constant(1), kept_count),
        each: element(kept, 1),
    };
    let none = Comparison::new(Expr::Slice(Box::new(slice)), ComparisonOperator::Equal, Expr::Constant(0));
    Ok(for_all_up_to(moved_count, 0, "i", Formula::Compare(none)))
}

/// Returns the formula that another one holds for all numbers from 1 to `last`.
fn for_all_up_to(last: Expr, variable: usize, name: &str, body: Formula) -> Formula {
    let range = (Expr::Constant(1), last);
    Formula::ForAll(Box::new(QuantifiedFormula { variable, name: name.to_owned(), range, body }))
}

/// Returns a field with elements or repetitions that one index numbers, and how many there are.
fn resolve_element_list(scope: &NameScope, term: &SyntaxTerm) -> Result<(FieldId, Expr), Diagnostic> {
    let field = resolve_field_name(scope, term, "`disjoint` takes the names of fields")?;
    let is_list = scope.format.field(field).dimensions.len() <= 1 && !scope.format.is_repeated_text(field);
    let count = is_list.then(|| scope.format.list_length(field)).flatten();
    let count = count.ok_or_else(|| {
        Diagnostic::error("disjoint-what", term.span, "this is no list of numbers, words or letters")
            .with_caret("expected an array, a text, or a number of a block with a count")
    });
    Ok((field, count?))
}

fn push_distinct_texts(scope: &mut NameScope, field: FieldId, over: FoldRange, span: Span) -> Result<(), Diagnostic> {
    let home = scope.format.holder_block(over).unwrap_or(scope.format.field(field).block);
    push_constraint_at(scope, DistinctTextsConstraint { field, over }, home, span)
}

/// Returns an error if a predicate about several values runs over at most one.
fn check_repeats(scope: &NameScope, over: FoldRange, field: FieldId, span: Span) -> Result<(), Diagnostic> {
    let FoldRange::Occurrences(occurrences) = over else { return Ok(()) };
    if scope.format.repetition_of(occurrences.block).is_some() {
        return Ok(());
    }
    let name = &scope.format.field(field).name;
    Err(Diagnostic::error("nothing-to-fold", span, format!("there is at most one `{name}`"))
        .with_caret("nothing repeats it or the blocks around it")
        .with_help("this constraint needs an array, or a field below `repeat` or `cases`"))
}

/// Returns the range that a predicate about several numbers runs over.
fn predicate_range(scope: &NameScope, parts: &[Expr], span: Span) -> Result<FoldRange, Diagnostic> {
    if parts.iter().any(|p| is_array_expr(scope, p)) {
        return Ok(FoldRange::Elements);
    }
    let block = parts.iter().filter_map(|p| deepest_block(scope, p)).max();
    match block.and_then(|block| scope.format.fold_range(block)) {
        Some(over) => {
            let mut fields = Vec::new();
            parts.iter().for_each(|part| part.visit_fields(&mut |field| fields.push(field)));
            fields.first().map_or(Ok(()), |field| check_repeats(scope, over, *field, span))?;
            Ok(over)
        }
        None => Err(Diagnostic::error("nothing-to-fold", span, "this is a single value")
            .with_caret("expected an array, or a field of a repeated block")),
    }
}

fn push_ordered(
    scope: &mut NameScope,
    sign: ComparisonOperator,
    arguments: &[SyntaxTerm],
    span: Span,
) -> Result<(), Diagnostic> {
    let [argument] = arguments else {
        return Err(Diagnostic::error("arguments", span, "an order needs one array or repeated field")
            .with_caret(format!("{} given", arguments.len())));
    };
    let typed = resolve_repeated(scope, argument)?;
    if typed.word_field.is_some() {
        return Err(Diagnostic::error("words-as-numbers", span, "words have no order").with_caret("expected numbers"));
    }
    let expr = typed.expr;
    let over = predicate_range(scope, std::slice::from_ref(&expr), span)?;
    push_constraint(scope, OrderConstraint { expr, sign, over }, span)
}

/// `symmetric(V)`: the elements below the diagonal equal those above it.
fn push_symmetric(scope: &mut NameScope, arguments: &[SyntaxTerm], span: Span) -> Result<(), Diagnostic> {
    let wrong = || {
        Diagnostic::error("symmetric-what", span, "`symmetric` takes one square field")
            .with_caret("expected the name of a field such as `V[n][n]`")
    };
    let [argument] = arguments else { return Err(wrong()) };
    let Expr::Field(field) = resolve_expr(scope, argument, None)?.expr else { return Err(wrong()) };
    let [FieldDimension::Size(rows), FieldDimension::Size(columns)] = &*scope.format.field(field).dimensions else {
        return Err(wrong());
    };
    if rows != columns {
        return Err(wrong());
    }
    let at = |i, j| Expr::Element(field, vec![Expr::Variable(i), Expr::Variable(j)]);
    let same = Formula::Compare(Comparison::new(at(0, 1), ComparisonOperator::Equal, at(1, 0)));
    let before = Expr::from_operands(Expr::Variable(0), ArithmeticOperator::Subtract, Expr::Constant(1));
    let formula = for_all_up_to(rows.clone(), 0, "i", for_all_up_to(before, 1, "j", same));
    push_constraint(scope, formula, span)
}

/// `p permutation of 1..n`: each number exactly once, provided that there are as many elements as numbers.
fn push_permutation(
    scope: &mut NameScope,
    names: &[SyntaxTerm],
    values: &(SyntaxTerm, SyntaxTerm),
    span: Span,
) -> Result<(), Diagnostic> {
    resolve_range(scope, values)?;
    for name in names {
        push_bounds(scope, name, values, span)?;
        let parts = vec![resolve_repeated(scope, name)?.expr];
        let over = predicate_range(scope, &parts, span)?;
        push_constraint(scope, DistinctConstraint { parts, over }, span)?;
    }
    Ok(())
}

fn external_program(what: &str, command: &str, span: Span) -> Result<ExternalProgram, Diagnostic> {
    if command.trim().is_empty() {
        return Err(Diagnostic::error("no-command", span, format!("the {what} has no command"))
            .with_caret("expected a source file or a command"));
    }
    Ok(ExternalProgram { command: command.to_owned(), span })
}

// Named constants: `let MOD = 10^9 + 7`.

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
