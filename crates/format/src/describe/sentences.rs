//! Sentences for the constraints that are not bounds of a field.

use super::StatementWriter;
use super::markup::capitalize_first;
use super::relation_chains::{TexRelation, chain_relations};
use super::tex::TexWriter;
use super::tex_number::count_in_words;
use crate::constraints::{Phrases, inline_math, negate_formula};
use crate::language::{
    ArithmeticOperator, BlockId, Comparison, ComparisonOperator, Constraint, Expr, FieldId, FoldKind, FoldRange,
    Format, Formula, InstanceCount, NumberFunction, QuantifiedFormula, SliceReduction,
};
use rebut_diagnostics::list_and;

impl StatementWriter<'_> {
    /// Returns a sentence for each of these constraints; adjacent plain comparisons are merged into chains.
    pub(super) fn write_sentences<'c>(&self, constraints: impl IntoIterator<Item = &'c Constraint>) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut relations: Vec<TexRelation> = Vec::new();
        for constraint in constraints {
            let rule = &constraint.rule;
            if let Some(relation) = rule.comparison().filter(|comparison| self.is_relation(comparison)) {
                relations.push(self.tex.to_relation(relation));
            } else {
                flush_relations(&mut found, &mut relations);
                found.push(rule.kind().sentence(self, &self.format.source_text(constraint.span)));
            }
        }
        flush_relations(&mut found, &mut relations);
        let mut sentences: Vec<String> = Vec::new();
        for sentence in found {
            if !sentences.contains(&sentence) {
                sentences.push(sentence);
            }
        }
        sentences
    }

    /// Returns true if a comparison is best written as a formula.
    fn is_relation(&self, comparison: &Comparison) -> bool {
        let mut sides = comparison.left.iter().chain(&comparison.right);
        sides.all(Expr::is_plain) && divisibility_text(&self.tex, comparison).is_none()
    }

    /// Returns the phrase for a fold: `sum of $n$ over all test cases`.
    fn fold_phrase(&self, expr: &Expr) -> String {
        let plain = |expr: &Expr| inline_math(&self.tex.expression_tex(expr));
        let Expr::Fold(fold, over, inner) = expr else { return plain(expr) };
        let word = match fold {
            FoldKind::Sum => "sum of",
            FoldKind::Min => "smallest",
            FoldKind::Max => "largest",
            FoldKind::Gcd => "greatest common divisor of",
            FoldKind::Xor => "bitwise exclusive or of",
            FoldKind::Distinct | FoldKind::Inversions | FoldKind::Cycles => {
                return relational_phrase(&self.tex, expr).unwrap_or_else(|| plain(expr));
            }
            FoldKind::Size => return format!("length {}", plain(expr)),
            FoldKind::Count(value) => {
                let value = self.value_text(inner, *value);
                return format!("number of times that {value} occurs {}", self.among_phrase(inner, *over));
            }
        };
        let all = self.all_instances(*over, std::slice::from_ref(&**inner));
        match (over, &**inner) {
            (FoldRange::Elements, inner) => format!("{} of all {}", word.trim_end_matches(" of"), plain(inner)),
            (_, Expr::Fold(..)) => {
                format!("{}, over {all}, of the {}", word.trim_end_matches(" of"), self.fold_phrase(inner))
            }
            (_, inner) => format!("{word} {} over {all}", plain(inner)),
        }
    }

    /// Formats a counted value as it appears in the input.
    fn value_text(&self, inner: &Expr, value: i128) -> String {
        match self.tex.literal_text(inner, value) {
            Some(text) => self.markup.format_code(&text),
            None => inline_math(&self.tex.counted_value(inner, value)),
        }
    }

    /// Returns where something is counted: `in $s$`, `among all $a_i$`.
    fn among_phrase(&self, inner: &Expr, over: FoldRange) -> String {
        let plain = inline_math(&self.tex.expression_tex(inner));
        match (inner, over) {
            (Expr::Field(field), FoldRange::Elements) if self.format.field(*field).alphabet().is_some() => {
                format!("in {}", inline_math(&self.tex.any_element(*field, 0)))
            }
            (_, FoldRange::Elements) => format!("among all {plain}"),
            _ => format!("as {plain} in {}", self.all_instances(over, std::slice::from_ref(inner))),
        }
    }

    /// Returns `` `S` occurs exactly once in $s$ ``.
    fn occurrence_sentence(&self, fold: &Expr, sign: ComparisonOperator, times: &Expr) -> Option<String> {
        let Expr::Fold(FoldKind::Count(value), over, inner) = fold else { return None };
        let often = match times {
            Expr::Constant(1) => "once".to_owned(),
            Expr::Constant(2) => "twice".to_owned(),
            Expr::Constant(times) => format!("{} times", count_in_words(*times)),
            times => format!("{} times", inline_math(&self.tex.expression_tex(times))),
        };
        let predicate = match (sign, times) {
            (ComparisonOperator::Equal, Expr::Constant(0)) => "does not occur".to_owned(),
            (ComparisonOperator::Equal, _) => format!("occurs exactly {often}"),
            (ComparisonOperator::GreaterEqual, _) => format!("occurs at least {often}"),
            (ComparisonOperator::LessEqual, _) => format!("occurs at most {often}"),
            _ => return None,
        };
        Some(format!("{} {predicate} {}.", self.value_text(inner, *value), self.among_phrase(inner, *over)))
    }
}

impl Phrases for StatementWriter<'_> {
    fn format(&self) -> &Format {
        self.format
    }

    fn expression_tex(&self, expr: &Expr) -> String {
        self.tex.expression_tex(expr)
    }

    fn field_tex(&self, field: FieldId) -> String {
        self.tex.any_element(field, 0)
    }

    fn element_list(&self, field: FieldId, dimensions: usize) -> String {
        self.tex.list_elements(field, &[], dimensions)
    }

    fn code(&self, text: &[u8]) -> String {
        self.markup.format_code(text)
    }

    fn block_noun(&self, block: BlockId) -> (&'static str, &'static str) {
        super::lines::block_noun(self.format, block)
    }

    fn all_instances(&self, over: FoldRange, parts: &[Expr]) -> String {
        let Some(block) = over.outermost_block() else { return String::new() };
        let (_, many) = self.block_noun(block);
        let having = self.having(over, parts);
        match (&self.format.block(block).count, many) {
            (InstanceCount::Times(times), "lines" | "groups") => {
                format!("all {} {many}{having}", inline_math(&self.tex.expression_tex(times)))
            }
            _ => format!("all {many}{having}"),
        }
    }

    fn having(&self, over: FoldRange, parts: &[Expr]) -> String {
        let FoldRange::Occurrences(occurrences) = over else { return String::new() };
        let mut fields: Vec<FieldId> = Vec::new();
        for part in parts {
            part.visit_fields(&mut |field| {
                let is_inside = self.format.is_within(self.format.field(field).block, occurrences.outermost);
                if is_inside && self.format.may_be_absent(field) && !fields.contains(&field) {
                    fields.push(field);
                }
            });
        }
        let names: Vec<String> = fields.iter().map(|field| inline_math(&self.field_tex(*field))).collect();
        if names.is_empty() { String::new() } else { format!(" that have {}", list_and(&names)) }
    }

    fn comparison_sentence(&self, comparison: &Comparison) -> String {
        let (fold, sign, other) = match (&*comparison.left, &*comparison.right) {
            ([left @ Expr::Fold(..)], [right]) => (left, comparison.sign, right),
            ([left], [right @ Expr::Fold(..)]) => (right, comparison.sign.with_sides_swapped(), left),
            _ => return format!("{}.", comparison_text(&self.tex, comparison)),
        };
        let mut has_array = false;
        other.visit_fields(&mut |field| has_array |= !self.format.field(field).is_scalar());
        let value = match other {
            Expr::Fold(..) => format!("the {}", self.fold_phrase(other)),
            other if other.is_plain() && !has_array => {
                if let Some(sentence) = self.occurrence_sentence(fold, sign, other) {
                    return sentence;
                }
                inline_math(&self.tex.scaled_expression_tex(other, comparison.decimals))
            }
            _ => return format!("{}.", comparison_text(&self.tex, comparison)),
        };
        format!("The {} {} {value}.", self.fold_phrase(fold), operator_words(sign))
    }

    fn formula_sentence(&self, formula: &Formula, implies: bool) -> String {
        format!("{}.", capitalize_first(&formula_text(&self.tex, formula, implies)))
    }
}

/// Writes the collected comparisons.
fn flush_relations(found: &mut Vec<String>, relations: &mut Vec<TexRelation>) {
    found.extend(chain_relations(relations.drain(..)).iter().map(|chain| format!("{}.", inline_math(chain))));
}

fn operator_words(sign: ComparisonOperator) -> &'static str {
    match sign {
        ComparisonOperator::Less => "is less than",
        ComparisonOperator::LessEqual => "is at most",
        ComparisonOperator::Greater => "is greater than",
        ComparisonOperator::GreaterEqual => "is at least",
        ComparisonOperator::Equal => "is equal to",
        ComparisonOperator::NotEqual => "is not equal to",
    }
}

/// Returns a comparison as a formula, or in words if it is about a divisor, a prime, or how values relate to each other.
fn comparison_text(tex: &TexWriter<'_>, comparison: &Comparison) -> String {
    worded_comparison(tex, comparison).unwrap_or_else(|| inline_math(&tex.to_relation(comparison).to_tex()))
}

fn worded_comparison(tex: &TexWriter<'_>, comparison: &Comparison) -> Option<String> {
    let negated = Comparison { sign: comparison.sign.negate_operator(), ..comparison.clone() };
    for (comparison, are_or_not) in [(comparison, "are"), (&negated, "are not")] {
        if let Some(different) = comparison.distinct_values() {
            return Some(format!("{} {are_or_not} pairwise distinct", folded_values(tex, different)?));
        }
    }
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let (phrase, sign, other) = match (relational_phrase(tex, left), relational_phrase(tex, right)) {
        (Some(phrase), _) => (phrase, comparison.sign, right),
        (None, Some(phrase)) => (phrase, comparison.sign.with_sides_swapped(), left),
        (None, None) => return divisibility_text(tex, comparison),
    };
    Some(format!("the {phrase} {} {}", operator_words(sign), inline_math(&tex.expression_tex(other))))
}

/// Returns `number of inversions of $p_1, p_2, \ldots, p_n$` for a fold that depends on how its values relate.
fn relational_phrase(tex: &TexWriter<'_>, expr: &Expr) -> Option<String> {
    let kind = match expr {
        Expr::Fold(fold, ..) => *fold,
        Expr::Slice(slice) => match slice.reduction {
            SliceReduction::Fold(fold) => fold,
            SliceReduction::Count(_) => return None,
        },
        _ => return None,
    };
    let of = match kind {
        FoldKind::Distinct => "different values among",
        FoldKind::Inversions => "inversions of",
        FoldKind::Cycles => "cycles of",
        _ => return None,
    };
    Some(format!("number of {of} {}", folded_values(tex, expr)?))
}

/// Returns the values that a fold runs over: `$V_{i,1}, V_{i,2}, \ldots, V_{i,n}$`.
fn folded_values(tex: &TexWriter<'_>, fold: &Expr) -> Option<String> {
    match fold {
        Expr::Fold(_, FoldRange::Elements, inner) => match &**inner {
            Expr::Field(field) => Some(inline_math(&tex.list_elements(*field, &[], tex.count_dimensions(*field)))),
            Expr::Element(field, indices) if indices.len() < tex.count_dimensions(*field) => {
                let given: Vec<String> = indices.iter().map(|index| tex.expression_tex(index)).collect();
                Some(inline_math(&tex.list_elements(*field, &given, tex.count_dimensions(*field))))
            }
            row => Some(format!("the elements of {}", inline_math(&tex.expression_tex(row)))),
        },
        Expr::Fold(_, _, inner) => Some(format!("all {}", inline_math(&tex.expression_tex(inner)))),
        Expr::Slice(slice) => {
            let at = |end: &Expr| tex.with_variable(&tex.expression_tex(end)).expression_tex(&slice.each);
            Some(inline_math(&format!("{}, \\dots, {}", at(&slice.range.0), at(&slice.range.1))))
        }
        _ => None,
    }
}

/// Returns `$n$ is prime`, `$n$ is even`, `$n$ is not a multiple of $k$`.
fn divisibility_text(tex: &TexWriter<'_>, comparison: &Comparison) -> Option<String> {
    let ([left], [Expr::Constant(value)]) = (&*comparison.left, &*comparison.right) else { return None };
    let holds = match comparison.sign {
        ComparisonOperator::Equal => true,
        ComparisonOperator::NotEqual => false,
        _ => return None,
    };
    let is_or_not = if holds { "is" } else { "is not" };
    let plain = |expr: &Expr| inline_math(&tex.expression_tex(expr));
    match (left, value) {
        (Expr::Call(NumberFunction::Prime, what), 1) => Some(format!("{} {is_or_not} prime", plain(what))),
        (Expr::Binary(ArithmeticOperator::Modulo, what, by), rest) => match (&**by, rest) {
            (Expr::Constant(2), 0 | 1) => {
                let is_even = holds == (*rest == 0);
                Some(format!("{} is {}", plain(what), if is_even { "even" } else { "odd" }))
            }
            (by, 0) => Some(format!("{} {is_or_not} a multiple of {}", plain(what), plain(by))),
            _ => None,
        },
        _ => None,
    }
}

/// Returns a formula in words, without its full stop.
fn formula_text(tex: &TexWriter<'_>, formula: &Formula, implies: bool) -> String {
    match formula {
        Formula::ForAll(quantified) if let Some((slice, wanted)) = quantified.disjoint_parts() => {
            let other = tex.with_variable(&quantified.name);
            let one = inline_math(&other.with_variable(&tex.free_index(1)).expression_tex(&slice.each));
            format!("no {one} is equal to any {}", inline_math(&other.expression_tex(wanted)))
        }
        Formula::ForAll(quantified) => {
            let (range, tex, body) = quantifier_range(tex, quantified);
            let body = formula_text(&tex, body, implies);
            match body.starts_with("if ") || body.starts_with("for ") {
                true => format!("for all {range}: {body}"),
                false => format!("{body} for all {range}"),
            }
        }
        Formula::Exists(quantified) => {
            let (name, bounds) = (inline_math(&quantified.name), inline_math(&quantifier_bounds(tex, quantified)));
            let body = formula_text(&tex.with_variable(&quantified.name), &quantified.body, implies);
            format!("there is at least one {name} with {bounds} such that {body}")
        }
        Formula::Any(parts) if implies && parts.len() == 2 => {
            let condition = formula_text(tex, &negate_formula(&parts[0]), false);
            format!("if {condition}, then {}", formula_text(tex, &parts[1], false))
        }
        Formula::Compare(comparison) => comparison_text(tex, comparison),
        Formula::All(parts) => match parts.iter().map(|part| as_relation(tex, part)).collect::<Option<Vec<_>>>() {
            Some(relations) => {
                list_and(&chain_relations(relations).iter().map(|chain| inline_math(chain)).collect::<Vec<_>>())
            }
            None => list_and(&parts.iter().map(|part| part_text(tex, part)).collect::<Vec<_>>()),
        },
        Formula::Any(parts) => parts.iter().map(|part| part_text(tex, part)).collect::<Vec<_>>().join(" or "),
    }
}

/// Returns a part of a formula, in parentheses if it has parts itself.
fn part_text(tex: &TexWriter<'_>, part: &Formula) -> String {
    let text = formula_text(tex, part, false);
    if matches!(part, Formula::Compare(_)) { text } else { format!("({text})") }
}

/// Returns a comparison that is best written as a formula.
fn as_relation(tex: &TexWriter<'_>, formula: &Formula) -> Option<TexRelation> {
    let Formula::Compare(comparison) = formula else { return None };
    worded_comparison(tex, comparison).is_none().then(|| tex.to_relation(comparison))
}

/// Returns the range of nested quantifiers, as one chain where possible: $1 \le j < i \le n$.
fn quantifier_range<'f, 'q>(tex: &TexWriter<'f>, outer: &'q QuantifiedFormula) -> (String, TexWriter<'f>, &'q Formula) {
    let own = tex.with_variable(&outer.name);
    let Formula::ForAll(inner) = &outer.body else {
        return (inline_math(&quantifier_bounds(tex, outer)), own, &outer.body);
    };
    let next_to =
        |operator| Expr::Binary(operator, Box::new(Expr::Variable(outer.variable)), Box::new(Expr::Constant(1)));
    let (i, j) = (&outer.name, &inner.name);
    let (first, last) = (tex.expression_tex(&outer.range.0), tex.expression_tex(&outer.range.1));
    let range = if inner.range == (outer.range.0.clone(), next_to(ArithmeticOperator::Subtract)) {
        inline_math(&format!("{first} \\le {j} < {i} \\le {last}"))
    } else if inner.range == (next_to(ArithmeticOperator::Add), outer.range.1.clone()) {
        inline_math(&format!("{first} \\le {i} < {j} \\le {last}"))
    } else if inner.range == outer.range {
        inline_math(&format!("{first} \\le {i}, {j} \\le {last}"))
    } else {
        let bounds = [quantifier_bounds(tex, outer), quantifier_bounds(&own, inner)];
        list_and(&bounds.map(|bounds| inline_math(&bounds)))
    };
    (range, own.with_variable(&inner.name), &inner.body)
}

/// Returns `1 \le i \le n`.
fn quantifier_bounds(tex: &TexWriter<'_>, quantified: &QuantifiedFormula) -> String {
    let (first, last) = (tex.expression_tex(&quantified.range.0), tex.expression_tex(&quantified.range.1));
    format!("{first} \\le {} \\le {last}", quantified.name)
}
