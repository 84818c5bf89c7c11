//! Expressions and comparisons in TeX.

use super::markup::typewriter_tex;
use super::relation_chains::{TexRelation, is_number_text};
use super::tex_number::number_tex;
use crate::language::{
    ArithmeticOperator, Comparison, ComparisonOperator, Expr, FieldDimension, FieldId, FieldKind, FoldKind, FoldRange,
    Format, SliceFold, SliceReduction,
};

/// Writes formulas over the fields of a format.
#[derive(Clone)]
pub(super) struct TexWriter<'f> {
    pub(super) format: &'f Format,
    /// Names of the variables of quantifiers, outermost first.
    variables: Vec<String>,
    /// The fields that are named with the number of their repetition: `s_i` for the `s` of the `i`-th line.
    numbered: Vec<FieldId>,
    /// True if an index is in use around a fold, which must use another one.
    is_index_in_use: bool,
}

/// Operator precedence; an operand with lower precedence than its position requires is parenthesized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TexPrecedence {
    Sum,
    /// Separate from products, since no convention orders the two.
    Remainder,
    Product,
    Atom,
}

use TexPrecedence::{Atom, Product, Remainder, Sum};

impl<'f> TexWriter<'f> {
    pub(super) fn new(format: &'f Format, numbered: Vec<FieldId>) -> Self {
        TexWriter { format, variables: Vec::new(), numbered, is_index_in_use: false }
    }

    /// Returns a writer for the body of a quantifier.
    pub(super) fn with_variable(&self, name: &str) -> TexWriter<'f> {
        let mut inner = self.clone();
        inner.variables.push(name.to_owned());
        inner
    }

    pub(super) fn count_dimensions(&self, field: FieldId) -> usize {
        self.format.field(field).dimensions.len()
    }

    /// Returns the plain name of a field: `n`, `x_1`, `\mathit{words}`.
    fn plain_name(&self, field: FieldId) -> String {
        let info = self.format.field(field);
        let (letter, digits) = info.name.split_at(1);
        let is_array = |name: &str| self.format.field_named(name).is_some_and(|f| !self.format.field(f).is_scalar());
        let is_single = info.dimensions.len() <= usize::from(info.alphabet().is_some());
        match letter {
            "_" => format!("\\mathit{{{}}}", info.name.replace('_', "\\_")),
            _ if digits.is_empty() => letter.to_owned(),
            _ if digits.bytes().all(|b| b.is_ascii_digit()) && is_single && !is_array(letter) => {
                format!("{letter}_{}", brace_script(digits))
            }
            _ => format!("\\mathit{{{}}}", info.name.replace('_', "\\_")),
        }
    }

    /// Returns the `nth` index letter that is not the name of anything else.
    pub(super) fn free_index(&self, nth: usize) -> String {
        const INDEX_LETTERS: [&str; 12] = ["i", "j", "k", "t", "p", "q", "r", "s", "u", "v", "x", "y"];
        let is_taken = |l: &str| self.format.field_named(l).is_some() || self.variables.iter().any(|v| v == l);
        INDEX_LETTERS.iter().filter(|letter| !is_taken(letter)).nth(nth).unwrap_or(&"\\ell").to_string()
    }

    /// Returns the index of the repetition of a field, if the field is named with it.
    pub(super) fn repetition_index(&self, field: FieldId) -> Option<String> {
        self.numbered.contains(&field).then(|| self.free_index(0))
    }

    fn name_with_indices(&self, field: FieldId, indices: &[String]) -> String {
        let name = self.plain_name(field);
        if indices.is_empty() {
            return name;
        }
        let indices = indices.join(",");
        match name.split_once('_').filter(|_| !name.starts_with('\\')) {
            Some((letter, digits)) => format!("{letter}_{{{},{indices}}}", digits.trim_matches(['{', '}'])),
            None => format!("{name}_{}", brace_script(&indices)),
        }
    }

    /// Returns an element of a field, within its repetition.
    pub(super) fn element_at(&self, field: FieldId, indices: &[String]) -> String {
        let indices: Vec<String> = self.repetition_index(field).into_iter().chain(indices.iter().cloned()).collect();
        self.name_with_indices(field, &indices)
    }

    /// Returns the index letters of the first dimensions of a field.
    pub(super) fn free_indices(&self, field: FieldId, dimensions: usize) -> Vec<String> {
        let from = usize::from(self.numbered.contains(&field));
        (from..from + dimensions).map(|nth| self.free_index(nth)).collect()
    }

    /// Returns a generic element of a field with `dimensions` dimensions; without any, its name.
    pub(super) fn any_element(&self, field: FieldId, dimensions: usize) -> String {
        self.element_at(field, &self.free_indices(field, dimensions))
    }

    /// Returns `a_1, a_2, \dots, a_n`: the elements of the dimensions up to `dimensions` within those of `outer`.
    pub(super) fn list_elements(&self, field: FieldId, outer: &[String], dimensions: usize) -> String {
        let at = |own: Vec<String>| self.element_at(field, &[outer, &own].concat());
        let sizes: Vec<String> = (outer.len()..dimensions).map(|nth| self.dimension_size(field, nth)).collect();
        let first = at(vec!["1".to_owned(); sizes.len()]);
        let mut second = vec!["1".to_owned(); sizes.len()];
        second.pop();
        second.push("2".to_owned());
        let (is_row, length) = (sizes.len() == 1, sizes[0].parse::<u32>());
        let last = at(sizes);
        match length {
            Ok(1) if is_row => last,
            Ok(2) if is_row => format!("{first}, {last}"),
            Ok(3) if is_row => format!("{first}, {}, {last}", at(second)),
            _ => format!("{first}, {}, \\dots, {last}", at(second)),
        }
    }

    pub(super) fn dimension_size(&self, field: FieldId, dimension: usize) -> String {
        match self.format.field(field).dimensions.get(dimension) {
            Some(FieldDimension::Size(size)) => self.expression_tex(size),
            _ => format!("\\lvert {} \\rvert", self.any_element(field, dimension)),
        }
    }

    pub(super) fn expression_tex(&self, expr: &Expr) -> String {
        self.scaled_expression_tex(expr, 0)
    }

    /// Returns an expression with numbers multiplied by a power of ten.
    pub(super) fn scaled_expression_tex(&self, expr: &Expr, decimals: u32) -> String {
        self.bracketed_tex(expr, decimals, Sum)
    }

    fn bracketed_tex(&self, expr: &Expr, decimals: u32, place: TexPrecedence) -> String {
        let (text, bond) = self.tex_with_precedence(expr, decimals);
        if bond < place { format!("({text})") } else { text }
    }

    fn tex_with_precedence(&self, expr: &Expr, decimals: u32) -> (String, TexPrecedence) {
        match expr {
            Expr::Constant(value) => {
                let text = number_tex(*value, decimals);
                let bond = match text.contains([' ', '-']) {
                    true if text.contains(" + ") || text.contains(" - ") || *value < 0 => Sum,
                    true => Product,
                    false => Atom,
                };
                (text, bond)
            }
            Expr::Field(field) => {
                let info = self.format.field(*field);
                let own = info.dimensions.len() - usize::from(info.alphabet().is_some());
                (self.any_element(*field, own), Atom)
            }
            Expr::Length(field) => {
                let outer = self.format.field(*field).dimensions.len().saturating_sub(1);
                (format!("\\lvert {} \\rvert", self.any_element(*field, outer)), Atom)
            }
            // Of a row, a generic element.
            Expr::Element(field, indices) => (self.indexed_tex(*field, indices, true), Atom),
            Expr::Variable(variable) => {
                (self.variables.get(*variable).cloned().unwrap_or_else(|| "i".to_owned()), Atom)
            }
            Expr::Negate(inner) => (format!("-{}", self.bracketed_tex(inner, decimals, Product)), Sum),
            Expr::Call(function, inner) => {
                (format!("\\mathrm{{{}}}({})", function.name(), self.expression_tex(inner)), Atom)
            }
            Expr::Binary(operator, left, right) => self.binary_tex(*operator, left, right, decimals),
            Expr::Slice(slice) => (self.slice_tex(slice, decimals), Product),
            Expr::Fold(fold, over, inner) => (self.fold_tex(*fold, *over, inner, decimals), Product),
            Expr::Sequence(inner) => match &**inner {
                Expr::Field(field) => (self.any_element(*field, 0), Atom),
                Expr::Element(field, indices) => (self.indexed_tex(*field, indices, false), Atom),
                inner => self.tex_with_precedence(inner, decimals),
            },
            Expr::TextLiteral(letters) => (typewriter_tex(letters), Atom),
        }
    }

    /// Returns an element, or a row or its generic element.
    fn indexed_tex(&self, field: FieldId, indices: &[Expr], is_element: bool) -> String {
        let given = indices.iter().map(|index| self.expression_tex(index));
        let generic = if is_element { self.generic_indices(field, indices) } else { Vec::new() };
        let all: Vec<String> = given.chain(generic).collect();
        match self.format.indexes_repetitions(field, indices) {
            true => self.name_with_indices(field, &all),
            false => self.element_at(field, &all),
        }
    }

    /// Returns index letters for the dimensions of a field that remain after indexing.
    fn generic_indices(&self, field: FieldId, indices: &[Expr]) -> Vec<String> {
        let left =
            self.format.field(field).dimensions.len().saturating_sub(self.format.indexed_dimensions(field, indices));
        match self.format.indexes_repetitions(field, indices) {
            true => (0..left).map(|nth| self.free_index(nth)).collect(),
            false => self.free_indices(field, left),
        }
    }

    fn binary_tex(
        &self,
        operator: ArithmeticOperator,
        left: &Expr,
        right: &Expr,
        decimals: u32,
    ) -> (String, TexPrecedence) {
        let signed = |sign: &str, tighter: TexPrecedence| {
            let sides = (self.bracketed_tex(left, decimals, Sum), self.bracketed_tex(right, decimals, tighter));
            (format!("{} {sign} {}", sides.0, sides.1), Sum)
        };
        let bracketed =
            |of_left, of_right| (self.bracketed_tex(left, 0, of_left), self.bracketed_tex(right, 0, of_right));
        let called = |name: &str, decimals| {
            let sides = (self.scaled_expression_tex(left, decimals), self.scaled_expression_tex(right, decimals));
            (format!("\\{name}({}, {})", sides.0, sides.1), Atom)
        };
        match operator {
            ArithmeticOperator::Add => signed("+", if is_negative(right) { Product } else { Sum }),
            ArithmeticOperator::Subtract => signed("-", Product),
            ArithmeticOperator::Xor => signed("\\oplus", Product),
            ArithmeticOperator::Multiply => self.product_tex(left, right, decimals),
            ArithmeticOperator::Divide if is_half_of_pairs(left, right) || self.divides_evenly(left, right) => {
                (format!("\\frac{{{}}}{{{}}}", self.expression_tex(left), self.expression_tex(right)), Atom)
            }
            ArithmeticOperator::Divide => {
                let (left, right) = bracketed(Product, Atom);
                (format!("\\lfloor {left} / {right} \\rfloor"), Atom)
            }
            ArithmeticOperator::Modulo => {
                let (left, right) = bracketed(Atom, Atom);
                (format!("{left} \\bmod {right}"), Remainder)
            }
            ArithmeticOperator::Power => {
                let (base, exponent) = bracketed(Atom, Sum);
                let base = if base.contains(['^', '_']) { format!("({base})") } else { base };
                (format!("{base}^{}", brace_script(&exponent)), Atom)
            }
            ArithmeticOperator::Max if *right == Expr::Negate(Box::new(left.clone())) => {
                (format!("\\lvert {} \\rvert", self.scaled_expression_tex(left, decimals)), Atom)
            }
            ArithmeticOperator::OrElse => self.tex_with_precedence(representative(left), decimals),
            ArithmeticOperator::Gcd => called("gcd", 0),
            ArithmeticOperator::Min => called("min", decimals),
            ArithmeticOperator::Max => called("max", decimals),
        }
    }

    /// Returns true if a constraint states that a division has no remainder.
    fn divides_evenly(&self, left: &Expr, right: &Expr) -> bool {
        let rest = Expr::Binary(ArithmeticOperator::Modulo, Box::new(left.clone()), Box::new(right.clone()));
        let none = Comparison::new(rest, ComparisonOperator::Equal, Expr::Constant(0));
        self.format.comparisons().any(|comparison| *comparison == none)
    }

    /// Returns a product. The decimals of real factors add up, and a factor that only moves the decimal point is
    /// dropped.
    fn product_tex(&self, left: &Expr, right: &Expr, decimals: u32) -> (String, TexPrecedence) {
        let own = self.decimal_places(left);
        if let Expr::Constant(factor) = right
            && own < decimals
            && 10_i128.checked_pow(decimals - own) == Some(*factor)
        {
            return self.tex_with_precedence(left, own);
        }
        let left_text = self.bracketed_tex(left, own, Product);
        let right_text = self.bracketed_tex(right, decimals.saturating_sub(own), Product);
        let is_juxtaposed = matches!((left, right), (Expr::Constant(_), Expr::Field(_) | Expr::Variable(_)));
        let is_short = right_text.len() == 1 && left_text.len() <= 3;
        let sign = if is_juxtaposed && is_short { "" } else { " \\cdot " };
        (format!("{left_text}{sign}{right_text}"), Product)
    }

    /// Returns the number of decimals of an expression.
    fn decimal_places(&self, expr: &Expr) -> u32 {
        match expr {
            Expr::Field(f) | Expr::Element(f, _) => self.format.field(*f).decimal_places().max,
            Expr::Negate(inner)
            | Expr::Fold(FoldKind::Sum | FoldKind::Min | FoldKind::Max, _, inner)
            | Expr::Sequence(inner) => self.decimal_places(inner),
            Expr::Binary(ArithmeticOperator::Multiply, a, b) => self.decimal_places(a) + self.decimal_places(b),
            Expr::Binary(ArithmeticOperator::Divide | ArithmeticOperator::Modulo | ArithmeticOperator::Power, ..) => 0,
            Expr::Binary(_, a, b) => self.decimal_places(a).max(self.decimal_places(b)),
            Expr::Slice(slice) if slice.wanted().is_none() => self.decimal_places(&slice.each),
            _ => 0,
        }
    }

    /// Returns `\sum_{j = 1}^i a_j`, or with a condition `[a_j = 7]` for a count.
    fn slice_tex(&self, slice: &SliceFold, decimals: u32) -> String {
        let index = self.free_index(0);
        let each = self.with_variable(&index).bracketed_tex(&slice.each, decimals, Product);
        let (first, last) = (self.expression_tex(&slice.range.0), self.expression_tex(&slice.range.1));
        let sum = format!("\\sum_{{{index} = {first}}}^{}", brace_script(&last));
        match &slice.reduction {
            SliceReduction::Fold(fold @ (FoldKind::Min | FoldKind::Max)) => {
                format!("{}_{{{first} \\le {index} \\le {last}}} {each}", fold_operator(*fold))
            }
            SliceReduction::Fold(_) => format!("{sum} {each}"),
            SliceReduction::Count(Expr::Constant(value)) => {
                format!("{sum} [{each} = {}]", self.counted_value(&slice.each, *value))
            }
            SliceReduction::Count(wanted) => format!("{sum} [{each} = {}]", self.expression_tex(wanted)),
        }
    }

    fn fold_tex(&self, fold: FoldKind, over: FoldRange, inner: &Expr, decimals: u32) -> String {
        if self.is_index_in_use && over == FoldRange::Elements {
            let index = self.free_index(0);
            return TexWriter { is_index_in_use: false, ..self.with_variable(&index) }
                .fold_tex(fold, over, inner, decimals);
        }
        if fold == FoldKind::Size {
            return format!("\\lvert {} \\rvert", self.expression_tex(&Expr::Sequence(Box::new(inner.clone()))));
        }
        let each = match (fold, inner) {
            (FoldKind::Count(value), inner) => {
                let each = match inner {
                    Expr::Field(field) => self.any_element(*field, self.format.field(*field).dimensions.len()),
                    inner => self.expression_tex(inner),
                };
                format!("[{each} = {}]", self.counted_value(inner, value))
            }
            (_, inner) => self.bracketed_tex(inner, decimals, Product),
        };
        format!("{}_{{{}}} {each}", fold_operator(fold), self.fold_range(over, inner))
    }

    /// Returns the range of a fold for the subscript of its operator.
    fn fold_range(&self, over: FoldRange, inner: &Expr) -> String {
        match over {
            FoldRange::Instances(block) => format!("\\text{{{}}}", super::lines::block_noun(self.format, block).1),
            FoldRange::Occurrences(occurrences) => {
                let (_, many) = super::lines::block_noun(self.format, occurrences.outermost);
                format!("\\text{{{many} that have }} {}", self.expression_tex(inner))
            }
            FoldRange::Elements => {
                let dimensions_of = |field: FieldId| self.format.field(field).dimensions.len();
                let mut widest: Option<FieldId> = None;
                inner.visit_fields(&mut |field| {
                    widest =
                        Some(widest.filter(|known| dimensions_of(*known) >= dimensions_of(field)).unwrap_or(field));
                });
                match (inner, widest) {
                    (Expr::Element(field, indices), _) => self.generic_indices(*field, indices).join(","),
                    (_, Some(field)) => self.free_indices(field, dimensions_of(field).max(1)).join(","),
                    (_, None) => "i".to_owned(),
                }
            }
        }
    }

    /// Returns the characters of a constant, if the expression that it is compared with is a letter or a word.
    pub(super) fn literal_text(&self, expr: &Expr, value: i128) -> Option<Vec<u8>> {
        match expr {
            Expr::Field(f) | Expr::Element(f, _) => match self.format.field(*f).kind {
                FieldKind::Text(_) => Some(vec![u8::try_from(value).unwrap_or(b'?')]),
                FieldKind::Words(_) => Some(self.format.field(*f).format_number(value).into_bytes()),
                FieldKind::Number | FieldKind::Real(_) => None,
            },
            Expr::Binary(ArithmeticOperator::OrElse, left, _) => self.literal_text(representative(left), value),
            _ => None,
        }
    }

    /// Formats a counted value as the input shows it.
    pub(super) fn counted_value(&self, inner: &Expr, value: i128) -> String {
        let literal = self.literal_text(inner, value).map(|text| typewriter_tex(&text));
        literal.unwrap_or_else(|| number_tex(value, self.decimal_places(inner)))
    }

    /// Converts a comparison to a relation of two formulas.
    pub(super) fn to_relation(&self, comparison: &Comparison) -> TexRelation {
        if !self.is_index_in_use && comparison.left.iter().chain(&comparison.right).any(|e| self.is_array(e)) {
            return TexWriter { is_index_in_use: true, ..self.clone() }.to_relation(comparison);
        }
        // The meaning of a constant follows from the other side.
        let to_side = |side: &Expr, other: &Expr| {
            let literal = if let Expr::Constant(value) = side { self.literal_text(other, *value) } else { None };
            let formula = || self.scaled_expression_tex(side, comparison.decimals);
            literal.map_or_else(formula, |text| typewriter_tex(&text))
        };
        let pairs = || comparison.left.iter().zip(&comparison.right);
        let left = join_tuple(pairs().map(|(left, right)| to_side(left, right)).collect());
        let mut right = join_tuple(pairs().map(|(left, right)| to_side(right, left)).collect());
        let is_equation = matches!(comparison.sign, ComparisonOperator::Equal | ComparisonOperator::NotEqual);
        let are_whole = comparison.left.iter().all(|side| matches!(side, Expr::Sequence(_) | Expr::TextLiteral(_)));
        if are_whole && !is_equation {
            right.push_str(" \\text{ (lexicographically)}");
        }
        // `0 = x` is written with its sides swapped.
        let (left, right) = if is_equation && is_number_text(&left) { (right, left) } else { (left, right) };
        TexRelation { left, sign: comparison.sign, right }
    }

    /// Returns true if an expression stands for several numbers.
    fn is_array(&self, expr: &Expr) -> bool {
        expr.any_part(&|part| match part {
            Expr::Field(field) => Some(!self.format.field(*field).is_scalar()),
            Expr::Length(field) => Some(self.format.field(*field).dimensions.len() > 1),
            Expr::Element(..) | Expr::Fold(..) | Expr::Slice(_) | Expr::Sequence(_) => Some(false),
            _ => None,
        })
    }
}

/// Joins the parts of a pair or a longer tuple.
fn join_tuple(mut parts: Vec<String>) -> String {
    if parts.len() == 1 { parts.remove(0) } else { format!("({})", parts.join(", ")) }
}

/// Returns the operator of a fold. A count is a sum of conditions.
fn fold_operator(fold: FoldKind) -> &'static str {
    match fold {
        FoldKind::Sum | FoldKind::Count(_) | FoldKind::Size => "\\sum",
        FoldKind::Min => "\\min",
        FoldKind::Max => "\\max",
        FoldKind::Gcd => "\\gcd",
        FoldKind::Xor => "\\bigoplus",
        FoldKind::Distinct => "\\mathrm{distinct}",
        FoldKind::Inversions => "\\mathrm{inv}",
        FoldKind::Cycles => "\\mathrm{cycles}",
    }
}

/// Formats a superscript or subscript.
fn brace_script(text: &str) -> String {
    if text.len() == 1 { text.to_owned() } else { format!("{{{text}}}") }
}

fn is_negative(expr: &Expr) -> bool {
    matches!(expr, Expr::Negate(_)) || matches!(expr, Expr::Constant(value) if *value < 0)
}

/// Returns true if a quotient is `x * (x - 1) / 2`, where nothing is rounded.
fn is_half_of_pairs(left: &Expr, right: &Expr) -> bool {
    let Expr::Binary(ArithmeticOperator::Multiply, a, b) = left else { return false };
    let one_less = |a: &Expr, b: &Expr| {
        *b == Expr::Binary(ArithmeticOperator::Subtract, Box::new(a.clone()), Box::new(Expr::Constant(1)))
    };
    *right == Expr::Constant(2) && (one_less(a, b) || one_less(b, a))
}

/// Returns the field that names an expression shared by several alternatives: any of them.
fn representative(expr: &Expr) -> &Expr {
    match expr {
        Expr::Fold(FoldKind::Min, FoldRange::Occurrences(_), inner) => inner,
        expr => expr,
    }
}
