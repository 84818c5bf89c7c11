//! Sentences for constraints.

use super::formulas::divisibility_sentence;
use super::relation_chains::{TexRelation, chain_relations};
use super::tex_number::count_in_words;
use super::{StatementWriter, inline_math};
use crate::language::{
    Comparison, ComparisonOperator, Constraint, ConstraintRule, Expr, FieldDimension, FieldId, FieldKind, FoldKind,
    FoldRange, InstanceCount,
};
use rebut_diagnostics::list_or;

impl StatementWriter<'_> {
    /// Returns a sentence for each of these constraints; adjacent plain comparisons are merged into chains.
    pub(super) fn write_sentences(&self, constraints: &[&Constraint]) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut relations: Vec<TexRelation> = Vec::new();
        for constraint in constraints {
            match &constraint.rule {
                ConstraintRule::Compare(comparison) if self.is_relation(comparison) => {
                    relations.push(self.tex.to_relation(comparison));
                }
                rule => {
                    flush_relations(&mut found, &mut relations);
                    found.push(self.constraint_sentence(rule, &self.format.source_text(constraint.span)));
                }
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

    fn constraint_sentence(&self, rule: &ConstraintRule, written: &str) -> String {
        match rule {
            ConstraintRule::Compare(comparison) => self.comparison_sentence(comparison),
            ConstraintRule::Distinct(rule) => self.distinct_sentence(&rule.parts, rule.over),
            ConstraintRule::DistinctTexts(rule) => self.distinct_texts_sentence(rule.field, rule.over),
            ConstraintRule::Ordered(rule) => self.order_sentence(&rule.expr, rule.sign, rule.over),
            ConstraintRule::Graph(graph) => self.graph_sentence(graph),
            ConstraintRule::Formula(formula) => {
                let implies = written.contains("=>") || written.contains('⇒') || written.starts_with("if");
                self.formula_sentence(formula, implies)
            }
            ConstraintRule::Text(text) => {
                let letters: Vec<String> =
                    text.letters.iter().map(|letter| self.markup.format_code(&[*letter])).collect();
                text.property.describe(&inline_math(&self.tex.field_name(text.field)), &list_or(&letters))
            }
            ConstraintRule::Matches(rule) => {
                let name = inline_math(&self.tex.field_name(rule.field));
                let pattern = self.markup.format_code(rule.pattern.text.as_bytes());
                format!("{name} matches the regular expression {pattern} as a whole.")
            }
        }
    }

    /// Returns the sentence for a comparison that contains folds or a remainder.
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

    /// Returns the phrase for a fold: `sum of $n$ over all test cases`.
    fn fold_phrase(&self, expr: &Expr) -> String {
        let Expr::Fold(fold, over, inner) = expr else { return inline_math(&self.tex.expression_tex(expr)) };
        let word = match fold {
            FoldKind::Sum => "sum",
            FoldKind::Min => "smallest",
            FoldKind::Max => "largest",
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
                let all = self.all_instances_phrase(*over, std::slice::from_ref(&**inner));
                match (&**inner, fold) {
                    (Expr::Fold(..), FoldKind::Sum) => format!("sum, over {all}, of the {}", self.fold_phrase(inner)),
                    (Expr::Fold(..), _) => format!("{word}, over {all}, of the {}", self.fold_phrase(inner)),
                    (_, FoldKind::Sum) => format!("sum of {plain} over {all}"),
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
                    self.all_instances_phrase(over, std::slice::from_ref(inner))
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

    /// Returns `all test cases`, `all $m$ lines`, `all $q$ lines that have $x$`.
    fn all_instances_phrase(&self, over: FoldRange, parts: &[Expr]) -> String {
        let Some(block) = over.outermost_block() else { return String::new() };
        let (_, many) = super::blocks::block_noun(self.format, block);
        let having = self.having_phrase(over, parts);
        match (&self.format.block(block).count, many) {
            (InstanceCount::Times(times), "lines" | "groups") => {
                format!("all {} {many}{having}", inline_math(&self.tex.expression_tex(times)))
            }
            _ => format!("all {many}{having}"),
        }
    }

    /// Returns ` that have $x$` if some repetitions lack the fields concerned.
    fn having_phrase(&self, over: FoldRange, parts: &[Expr]) -> String {
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

    fn distinct_sentence(&self, parts: &[Expr], over: FoldRange) -> String {
        let formulas: Vec<String> = parts.iter().map(|part| self.tex.expression_tex(part)).collect();
        let tuple = if formulas.len() == 1 { formulas.concat() } else { format!("({})", formulas.join(", ")) };
        let (one, many) = match (parts, parts.len()) {
            ([Expr::Field(f)], _) if self.format.field(*f).word_choices().is_some() => ("word", "words"),
            (_, 1) => ("number", "numbers"),
            (_, 2) => ("pair", "pairs"),
            (_, 3) => ("triple", "triples"),
            _ => ("tuple", "tuples"),
        };
        match (over, parts) {
            (FoldRange::Instances(_) | FoldRange::Occurrences(_), _) => self.no_two_sentence(over, parts, one, &tuple),
            (FoldRange::Elements, [Expr::Field(field)]) if self.is_one_row(*field) => {
                format!("The {many} {} are pairwise distinct.", inline_math(&self.element_list(*field, 1)))
            }
            (FoldRange::Elements, _) => format!("The {many} {} are pairwise distinct.", inline_math(&tuple)),
        }
    }

    /// Returns true if a field is an array of one dimension and a known size.
    fn is_one_row(&self, field: FieldId) -> bool {
        let info = self.format.field(field);
        info.alphabet().is_none()
            && matches!(&*info.dimensions, [FieldDimension::Size(size)] if *size != Expr::Constant(1))
    }

    fn no_two_sentence(&self, over: FoldRange, parts: &[Expr], what: &str, name: &str) -> String {
        let Some(block) = over.outermost_block() else { return String::new() };
        let (_, many) = super::blocks::block_noun(self.format, block);
        format!("No two {many}{} have the same {what} {}.", self.having_phrase(over, parts), inline_math(name))
    }

    fn distinct_texts_sentence(&self, field: FieldId, over: FoldRange) -> String {
        let outer = self.format.field(field).dimensions.len() - 1;
        match over {
            FoldRange::Elements => {
                format!("The strings {} are pairwise distinct.", inline_math(&self.element_list(field, outer)))
            }
            FoldRange::Instances(_) | FoldRange::Occurrences(_) => {
                self.no_two_sentence(over, &[Expr::Field(field)], "string", &self.tex.field_name(field))
            }
        }
    }

    fn order_sentence(&self, expr: &Expr, sign: ComparisonOperator, over: FoldRange) -> String {
        if let (FoldRange::Elements, Expr::Field(field)) = (over, expr)
            && self.is_one_row(*field)
        {
            let sign = super::relation_chains::sign_tex(sign);
            let formula = self.element_list(*field, 1).replace(", ", &format!(" {sign} "));
            return format!("{}.", inline_math(&formula.replace("\\dots", "\\cdots")));
        }
        let order = match sign {
            ComparisonOperator::Less => "in strictly increasing order",
            ComparisonOperator::LessEqual => "in non-decreasing order",
            ComparisonOperator::Greater => "in strictly decreasing order",
            _ => "in non-increasing order",
        };
        let numbers = inline_math(&self.tex.expression_tex(expr));
        match over {
            FoldRange::Elements => format!("The numbers {numbers} are {order}."),
            FoldRange::Instances(block) => {
                let (one, _) = super::blocks::block_noun(self.format, block);
                format!("From {one} to {one}, the numbers {numbers} are {order}.")
            }
            FoldRange::Occurrences(_) => {
                let all = self.all_instances_phrase(over, std::slice::from_ref(expr));
                format!("Over {all}, the numbers {numbers} are {order}.")
            }
        }
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
