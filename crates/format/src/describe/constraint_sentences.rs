//! Sentences for constraints.

use super::formulas::{divisibility_sentence, formula_in_words};
use super::relation_chains::{TexRelation, chain_relations};
use super::tex_number::count_in_words;
use super::{StatementWriter, capitalize};
use crate::constraints::{Phrases, inline_math};
use crate::language::{
    BlockId, Comparison, ComparisonOperator, Constraint, Expr, FieldId, FieldKind, FoldKind, FoldRange, Format,
    Formula, InstanceCount,
};

impl StatementWriter<'_> {
    /// Returns a sentence for each of these constraints; adjacent plain comparisons are merged into chains.
    pub(super) fn write_sentences(&self, constraints: &[&Constraint]) -> Vec<String> {
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
        sides.all(Expr::is_plain) && divisibility_sentence(&self.tex, comparison).is_none()
    }

    /// Returns the phrase for a fold: `sum of $n$ over all test cases`.
    fn fold_phrase(&self, expr: &Expr) -> String {
        let Expr::Fold(fold, over, inner) = expr else { return inline_math(&self.tex.expression_tex(expr)) };
        let word = match fold {
            FoldKind::Sum => "sum",
            FoldKind::Min => "smallest",
            FoldKind::Max => "largest",
            FoldKind::Gcd => "greatest common divisor",
            FoldKind::Xor => "bitwise exclusive or",
            FoldKind::Size => return format!("length {}", inline_math(&self.tex.expression_tex(expr))),
            FoldKind::Count(value) => {
                let value = self.value_text(inner, *value);
                return format!("number of times that {value} occurs {}", self.among_phrase(inner, *over));
            }
        };
        let plain = inline_math(&self.tex.expression_tex(inner));
        match (over, fold) {
            (FoldRange::Elements, FoldKind::Sum) => format!("sum of all {plain}"),
            (FoldRange::Elements, _) => format!("{word} of all {plain}"),
            (FoldRange::Instances(_) | FoldRange::Occurrences(_), fold) => {
                let all = self.all_instances(*over, std::slice::from_ref(&**inner));
                match (&**inner, fold) {
                    (Expr::Fold(..), FoldKind::Sum) => format!("sum, over {all}, of the {}", self.fold_phrase(inner)),
                    (Expr::Fold(..), _) => format!("{word}, over {all}, of the {}", self.fold_phrase(inner)),
                    (_, FoldKind::Sum) => format!("sum of {plain} over {all}"),
                    (_, FoldKind::Gcd | FoldKind::Xor) => format!("{word} of {plain} over {all}"),
                    _ => format!("{word} {plain} over {all}"),
                }
            }
        }
    }

    /// Formats a counted value as it appears in the input.
    fn value_text(&self, inner: &Expr, value: i128) -> String {
        let field = match inner {
            Expr::Field(field) => Some(self.format.field(*field)),
            _ => None,
        };
        match field.map(|f| (f, &f.kind)) {
            Some((_, FieldKind::Text(_))) => self.markup.format_code(&[u8::try_from(value).unwrap_or(b'?')]),
            Some((field, FieldKind::Words(_))) => self.markup.format_code(field.format_number(value).as_bytes()),
            _ => inline_math(&self.tex.counted_value(inner, value)),
        }
    }

    /// Returns where something is counted: `in $s$`, `among all $a_i$`.
    fn among_phrase(&self, inner: &Expr, over: FoldRange) -> String {
        match (inner, over) {
            (Expr::Field(field), FoldRange::Elements) if self.format.field(*field).alphabet().is_some() => {
                format!("in {}", inline_math(&self.tex.field_name(*field)))
            }
            (_, FoldRange::Elements) => format!("among all {}", inline_math(&self.tex.expression_tex(inner))),
            (_, FoldRange::Instances(_) | FoldRange::Occurrences(_)) => {
                format!(
                    "as {} in {}",
                    inline_math(&self.tex.expression_tex(inner)),
                    self.all_instances(over, std::slice::from_ref(inner))
                )
            }
        }
    }

    /// Returns `` `S` occurs exactly once in $s$ ``.
    fn occurrence_sentence(&self, fold: &Expr, sign: ComparisonOperator, other: &Expr) -> Option<String> {
        let Expr::Fold(FoldKind::Count(value), over, inner) = fold else { return None };
        let often = |times: &Expr| match times {
            Expr::Constant(1) => "once".to_owned(),
            Expr::Constant(2) => "twice".to_owned(),
            Expr::Constant(times) => format!("{} times", count_in_words(*times)),
            times => format!("{} times", inline_math(&self.tex.expression_tex(times))),
        };
        let how = match (sign, other) {
            (ComparisonOperator::Equal, Expr::Constant(0)) => {
                return Some(format!(
                    "{} does not occur {}.",
                    self.value_text(inner, *value),
                    self.among_phrase(inner, *over)
                ));
            }
            (ComparisonOperator::Equal, times) => format!("exactly {}", often(times)),
            (ComparisonOperator::GreaterEqual, times) => format!("at least {}", often(times)),
            (ComparisonOperator::LessEqual, times) => format!("at most {}", often(times)),
            _ => return None,
        };
        Some(format!("{} occurs {how} {}.", self.value_text(inner, *value), self.among_phrase(inner, *over)))
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
        self.tex.field_name(field)
    }

    fn element_list(&self, field: FieldId, dimensions: usize) -> String {
        self.list_elements(field, dimensions)
    }

    fn code(&self, text: &[u8]) -> String {
        self.markup.format_code(text)
    }

    fn block_noun(&self, block: BlockId) -> (&'static str, &'static str) {
        super::blocks::block_noun(self.format, block)
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
        let names: Vec<String> = fields.iter().map(|field| inline_math(&self.tex.field_name(*field))).collect();
        if names.is_empty() { String::new() } else { format!(" that have {}", rebut_diagnostics::list_and(&names)) }
    }

    fn comparison_sentence(&self, comparison: &Comparison) -> String {
        if let Some(text) = divisibility_sentence(&self.tex, comparison) {
            return text;
        }
        let formula = || inline_math(&self.tex.to_relation(comparison).to_tex()) + ".";
        let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return formula() };
        let (fold, sign, other) = match (left, right) {
            (Expr::Fold(..), right) if right.is_plain() => (left, comparison.sign, right),
            (left, Expr::Fold(..)) if left.is_plain() => (right, comparison.sign.with_sides_swapped(), left),
            (Expr::Fold(..), Expr::Fold(..)) => {
                let right = format!("the {}", self.fold_phrase(right));
                return format!("The {} {}.", self.fold_phrase(left), comparison_predicate(comparison.sign, &right));
            }
            _ => return formula(),
        };
        let mut array = false;
        other.visit_fields(&mut |f| array |= !self.format.field(f).is_scalar());
        if array {
            return formula();
        }
        if let Some(text) = self.occurrence_sentence(fold, sign, other) {
            return text;
        }
        let value = inline_math(&self.tex.scaled_expression_tex(other, comparison.decimals));
        format!("The {} {}.", self.fold_phrase(fold), comparison_predicate(sign, &value))
    }

    fn formula_sentence(&self, formula: &Formula, implies: bool) -> String {
        format!("{}.", capitalize(&formula_in_words(&self.tex, formula, implies)))
    }
}

/// Returns `does not exceed $n$`.
fn comparison_predicate(sign: ComparisonOperator, value: &str) -> String {
    match sign {
        ComparisonOperator::Less => format!("is less than {value}"),
        ComparisonOperator::LessEqual => format!("does not exceed {value}"),
        ComparisonOperator::Greater => format!("is greater than {value}"),
        ComparisonOperator::GreaterEqual => format!("is at least {value}"),
        ComparisonOperator::Equal => format!("is equal to {value}"),
        ComparisonOperator::NotEqual => format!("is not equal to {value}"),
    }
}

/// Writes the collected comparisons.
fn flush_relations(found: &mut Vec<String>, relations: &mut Vec<TexRelation>) {
    found.extend(chain_relations(relations.drain(..)).iter().map(|chain| format!("{}.", inline_math(chain))));
}
