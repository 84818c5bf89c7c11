//! Constraints as sentences.

use super::formulas::divisibility;
use super::number::counted;
use super::places::is_plain;
use super::relations::{Relation, chains};
use super::{Author, math};
use crate::format::{Comparison, Constraint, Count, Dimension, Expr, FieldId, Fold, Kind, Over, Rule, Sign};

impl Author<'_> {
    /// A sentence for each of these constraints; plain comparisons that stand together are put together.
    pub(super) fn sentences(&self, constraints: &[&Constraint]) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut relations: Vec<Relation> = Vec::new();
        for constraint in constraints {
            match &constraint.rule {
                Rule::Compare(comparison) if self.is_relation(comparison) => {
                    relations.push(self.maths.relation(comparison));
                }
                rule => {
                    say(&mut found, &mut relations);
                    found.push(self.sentence(rule, &self.format.text(constraint.span)));
                }
            }
        }
        say(&mut found, &mut relations);
        let mut said: Vec<String> = Vec::new();
        for sentence in found {
            if !said.contains(&sentence) {
                said.push(sentence);
            }
        }
        said
    }

    /// Whether a comparison is best said as a formula among others.
    fn is_relation(&self, comparison: &Comparison) -> bool {
        let mut sides = comparison.left.iter().chain(&comparison.right);
        sides.all(is_plain) && divisibility(&self.maths, comparison).is_none()
    }

    fn sentence(&self, rule: &Rule, written: &str) -> String {
        match rule {
            Rule::Compare(comparison) => self.comparison(comparison),
            Rule::Distinct(parts, over) => self.distinct(parts, *over),
            Rule::DistinctTexts(field, over) => self.distinct_texts(*field, *over),
            Rule::Ordered(expr, sign, over) => self.ordered(expr, *sign, *over),
            Rule::Graph(graph) => self.graph(graph),
            Rule::Formula(formula) => {
                let implies = written.contains("=>") || written.contains('⇒') || written.starts_with("if");
                self.formula(formula, implies)
            }
            Rule::Matches(field, pattern) => {
                let name = math(&self.maths.name(*field));
                let pattern = self.markup.code(pattern.text.as_bytes());
                format!("{name} matches the regular expression {pattern} as a whole.")
            }
        }
    }

    /// A comparison with folds in it, or of a remainder.
    fn comparison(&self, comparison: &Comparison) -> String {
        if let Some(text) = divisibility(&self.maths, comparison) {
            return text;
        }
        let formula = || math(&self.maths.relation(comparison).text()) + ".";
        let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return formula() };
        let (fold, sign, other) = match (left, right) {
            (Expr::Fold(..), right) if is_plain(right) => (left, comparison.sign, right),
            (left, Expr::Fold(..)) if is_plain(left) => (right, comparison.sign.mirrored(), left),
            (Expr::Fold(..), Expr::Fold(..)) => {
                let right = format!("the {}", self.folded(right));
                return format!("The {} {}.", self.folded(left), predicate(comparison.sign, &right));
            }
            _ => return formula(),
        };
        let mut array = false;
        other.each_field(&mut |f| array |= !self.format.field(f).is_scalar());
        if array {
            return formula();
        }
        if let Some(text) = self.occurrences(fold, sign, other) {
            return text;
        }
        let value = math(&self.maths.scaled(other, comparison.decimals));
        format!("The {} {}.", self.folded(fold), predicate(sign, &value))
    }

    /// `sum of $n$ over all test cases`: what a fold makes of its numbers.
    fn folded(&self, expr: &Expr) -> String {
        let Expr::Fold(fold, over, inner) = expr else { return math(&self.maths.expr(expr)) };
        let word = match fold {
            Fold::Sum => "sum",
            Fold::Min => "smallest",
            Fold::Max => "largest",
            Fold::Size => return format!("length {}", math(&self.maths.expr(expr))),
            Fold::Count(value) => {
                let value = self.value(inner, *value);
                return format!("number of times that {value} occurs {}", self.among(inner, *over));
            }
        };
        let plain = math(&self.maths.expr(inner));
        match (over, fold) {
            (Over::Elements, Fold::Sum) => format!("sum of all {plain}"),
            (Over::Elements, _) => format!("{word} of all {plain}"),
            (Over::Instances(_) | Over::Occurrences(_), fold) => {
                let all = self.all(*over, std::slice::from_ref(&**inner));
                match (&**inner, fold) {
                    (Expr::Fold(..), Fold::Sum) => format!("sum, over {all}, of the {}", self.folded(inner)),
                    (Expr::Fold(..), _) => format!("{word}, over {all}, of the {}", self.folded(inner)),
                    (_, Fold::Sum) => format!("sum of {plain} over {all}"),
                    _ => format!("{word} {plain} over {all}"),
                }
            }
        }
    }

    /// A counted value as the input has it.
    fn value(&self, inner: &Expr, value: i128) -> String {
        let field = match inner {
            Expr::Field(field) => Some(self.format.field(*field)),
            _ => None,
        };
        match field.map(|f| (f, &f.kind)) {
            Some((_, Kind::Text(_))) => self.markup.code(&[u8::try_from(value).unwrap_or(b'?')]),
            Some((field, Kind::Words(_))) => self.markup.code(field.number_text(value).as_bytes()),
            _ => math(&self.maths.counted(inner, value)),
        }
    }

    /// `in $s$`, `among all $a_i$`: where something is counted.
    fn among(&self, inner: &Expr, over: Over) -> String {
        match (inner, over) {
            (Expr::Field(field), Over::Elements) if self.format.field(*field).letters().is_some() => {
                format!("in {}", math(&self.maths.name(*field)))
            }
            (_, Over::Elements) => format!("among all {}", math(&self.maths.expr(inner))),
            (_, Over::Instances(_) | Over::Occurrences(_)) => {
                format!("as {} in {}", math(&self.maths.expr(inner)), self.all(over, std::slice::from_ref(inner)))
            }
        }
    }

    /// `` `S` occurs exactly once in $s$ ``
    fn occurrences(&self, fold: &Expr, sign: Sign, other: &Expr) -> Option<String> {
        let Expr::Fold(Fold::Count(value), over, inner) = fold else { return None };
        let often = |times: &Expr| match times {
            Expr::Constant(1) => "once".to_owned(),
            Expr::Constant(2) => "twice".to_owned(),
            Expr::Constant(times) => format!("{} times", counted(*times)),
            times => format!("{} times", math(&self.maths.expr(times))),
        };
        let how = match (sign, other) {
            (Sign::Equal, Expr::Constant(0)) => {
                return Some(format!("{} does not occur {}.", self.value(inner, *value), self.among(inner, *over)));
            }
            (Sign::Equal, times) => format!("exactly {}", often(times)),
            (Sign::GreaterEqual, times) => format!("at least {}", often(times)),
            (Sign::LessEqual, times) => format!("at most {}", often(times)),
            _ => return None,
        };
        Some(format!("{} occurs {how} {}.", self.value(inner, *value), self.among(inner, *over)))
    }

    /// `all test cases`, `all $m$ lines`, `all $q$ lines that have $x$`
    fn all(&self, over: Over, parts: &[Expr]) -> String {
        let Some(block) = over.outermost() else { return String::new() };
        let (_, many) = super::blocks::noun(self.format, block);
        let having = self.having(over, parts);
        match (&self.format.block(block).count, many) {
            (Count::Times(times), "lines" | "groups") => {
                format!("all {} {many}{having}", math(&self.maths.expr(times)))
            }
            _ => format!("all {many}{having}"),
        }
    }

    /// ` that have $x$`, where some repetitions lack what is spoken of.
    fn having(&self, over: Over, parts: &[Expr]) -> String {
        let Over::Occurrences(occurrences) = over else { return String::new() };
        let mut fields: Vec<FieldId> = Vec::new();
        for part in parts {
            part.each_field(&mut |field| {
                let is_inside = self.format.is_within(self.format.field(field).block, occurrences.outermost);
                if is_inside && self.format.may_be_absent(field) && !fields.contains(&field) {
                    fields.push(field);
                }
            });
        }
        let names: Vec<String> = fields.iter().map(|field| math(&self.maths.name(*field))).collect();
        if names.is_empty() { String::new() } else { format!(" that have {}", super::list_and(&names)) }
    }

    fn distinct(&self, parts: &[Expr], over: Over) -> String {
        let formulas: Vec<String> = parts.iter().map(|part| self.maths.expr(part)).collect();
        let tuple = if formulas.len() == 1 { formulas.concat() } else { format!("({})", formulas.join(", ")) };
        let (one, many) = match (parts, parts.len()) {
            ([Expr::Field(f)], _) if self.format.field(*f).words().is_some() => ("word", "words"),
            (_, 1) => ("number", "numbers"),
            (_, 2) => ("pair", "pairs"),
            (_, 3) => ("triple", "triples"),
            _ => ("tuple", "tuples"),
        };
        match (over, parts) {
            (Over::Instances(_) | Over::Occurrences(_), _) => self.no_two(over, parts, one, &tuple),
            (Over::Elements, [Expr::Field(field)]) if self.is_one_row(*field) => {
                format!("The {many} {} are pairwise distinct.", math(&self.elements(*field, 1)))
            }
            (Over::Elements, _) => format!("The {many} {} are pairwise distinct.", math(&tuple)),
        }
    }

    /// Whether a field is an array of one dimension and a known size.
    fn is_one_row(&self, field: FieldId) -> bool {
        let info = self.format.field(field);
        info.letters().is_none() && matches!(&*info.dimensions, [Dimension::Size(size)] if *size != Expr::Constant(1))
    }

    fn no_two(&self, over: Over, parts: &[Expr], what: &str, name: &str) -> String {
        let Some(block) = over.outermost() else { return String::new() };
        let (_, many) = super::blocks::noun(self.format, block);
        format!("No two {many}{} have the same {what} {}.", self.having(over, parts), math(name))
    }

    fn distinct_texts(&self, field: FieldId, over: Over) -> String {
        let outer = self.format.field(field).dimensions.len() - 1;
        match over {
            Over::Elements => format!("The strings {} are pairwise distinct.", math(&self.elements(field, outer))),
            Over::Instances(_) | Over::Occurrences(_) => {
                self.no_two(over, &[Expr::Field(field)], "string", &self.maths.name(field))
            }
        }
    }

    fn ordered(&self, expr: &Expr, sign: Sign, over: Over) -> String {
        if let (Over::Elements, Expr::Field(field)) = (over, expr)
            && self.is_one_row(*field)
        {
            let sign = super::relations::sign(sign);
            let formula = self.elements(*field, 1).replace(", ", &format!(" {sign} "));
            return format!("{}.", math(&formula.replace("\\dots", "\\cdots")));
        }
        let order = match sign {
            Sign::Less => "in strictly increasing order",
            Sign::LessEqual => "in non-decreasing order",
            Sign::Greater => "in strictly decreasing order",
            _ => "in non-increasing order",
        };
        let numbers = math(&self.maths.expr(expr));
        match over {
            Over::Elements => format!("The numbers {numbers} are {order}."),
            Over::Instances(block) => {
                let (one, _) = super::blocks::noun(self.format, block);
                format!("From {one} to {one}, the numbers {numbers} are {order}.")
            }
            Over::Occurrences(_) => {
                let all = self.all(over, std::slice::from_ref(expr));
                format!("Over {all}, the numbers {numbers} are {order}.")
            }
        }
    }
}

/// `does not exceed $n$`
fn predicate(sign: Sign, value: &str) -> String {
    match sign {
        Sign::Less => format!("is less than {value}"),
        Sign::LessEqual => format!("does not exceed {value}"),
        Sign::Greater => format!("is greater than {value}"),
        Sign::GreaterEqual => format!("is at least {value}"),
        Sign::Equal => format!("is equal to {value}"),
        Sign::NotEqual => format!("is not equal to {value}"),
    }
}

/// Says what comparisons have gathered.
fn say(found: &mut Vec<String>, relations: &mut Vec<Relation>) {
    found.extend(chains(relations.drain(..)).iter().map(|chain| format!("{}.", math(chain))));
}
