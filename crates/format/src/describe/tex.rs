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
    pub(super) variables: Vec<String>,
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

/// The meaning of the numbers of a constant.
enum ConstantMeaning {
    Number,
    Letter,
    Word(FieldId),
}

impl<'f> TexWriter<'f> {
    pub(super) fn new(format: &'f Format) -> Self {
        TexWriter { format, variables: Vec::new(), is_index_in_use: false }
    }

    /// Returns a writer for the body of a quantifier.
    pub(super) fn with_variable(&self, name: &str) -> TexWriter<'f> {
        let mut inner = self.clone();
        inner.variables.push(name.to_owned());
        inner
    }

    /// Returns the name of a field: `n`, `x_1`, `\mathit{words}`.
    pub(super) fn field_name(&self, field: FieldId) -> String {
        let info = self.format.field(field);
        let (letter, digits) = info.name.split_at(1);
        let array = |name: &str| self.format.field_named(name).is_some_and(|f| !self.format.field(f).is_scalar());
        let numbered = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) && letter != "_";
        match () {
            () if digits.is_empty() && letter != "_" => letter.to_owned(),
            () if numbered && info.dimensions.len() <= usize::from(info.alphabet().is_some()) && !array(letter) => {
                format!("{letter}_{}", brace_script(digits))
            }
            () => format!("\\mathit{{{}}}", info.name.replace('_', "\\_")),
        }
    }

    /// Returns the `nth` index letter that is not the name of anything else.
    pub(super) fn free_index(&self, nth: usize) -> String {
        const INDEX_LETTERS: [&str; 12] = ["i", "j", "k", "t", "p", "q", "r", "s", "u", "v", "x", "y"];
        let taken = |l: &&&str| self.format.field_named(l).is_some() || self.variables.iter().any(|v| v == **l);
        INDEX_LETTERS
            .iter()
            .filter(|letter| !taken(letter))
            .nth(nth)
            .map_or_else(|| "\\ell".to_owned(), |l| (*l).to_owned())
    }

    /// Returns an element of a field.
    pub(super) fn element_at(&self, field: FieldId, indices: &[String]) -> String {
        let name = self.field_name(field);
        if indices.is_empty() {
            return name;
        }
        let indices = indices.join(",");
        match name.split_once('_').filter(|_| !name.starts_with('\\')) {
            Some((letter, digits)) => format!("{letter}_{{{},{indices}}}", digits.trim_matches(['{', '}'])),
            None => format!("{name}_{}", brace_script(&indices)),
        }
    }

    /// Returns a generic element of a field with `dimensions` dimensions.
    pub(super) fn any_element(&self, field: FieldId, dimensions: usize) -> String {
        let indices: Vec<String> = (0..dimensions).map(|nth| self.free_index(nth)).collect();
        self.element_at(field, &indices)
    }

    /// Returns an expression of integers.
    pub(super) fn expression_tex(&self, expr: &Expr) -> String {
        self.scaled_expression_tex(expr, 0)
    }

    /// Returns an expression with numbers multiplied by a power of ten.
    pub(super) fn scaled_expression_tex(&self, expr: &Expr, decimals: u32) -> String {
        self.bracketed_tex(expr, decimals, TexPrecedence::Sum)
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
                    true if text.contains(" + ") || text.contains(" - ") || *value < 0 => TexPrecedence::Sum,
                    true => TexPrecedence::Product,
                    false => TexPrecedence::Atom,
                };
                (text, bond)
            }
            Expr::Field(field) => {
                let info = self.format.field(*field);
                let own = info.dimensions.len() - usize::from(info.alphabet().is_some());
                (self.any_element(*field, own), TexPrecedence::Atom)
            }
            Expr::Length(field) => {
                let outer = self.format.field(*field).dimensions.len().saturating_sub(1);
                (format!("\\lvert {} \\rvert", self.any_element(*field, outer)), TexPrecedence::Atom)
            }
            Expr::Element(field, indices) => {
                // For a row, a generic element.
                let left = self.remaining_dimensions(*field, indices);
                let mut indices: Vec<String> = indices.iter().map(|i| self.expression_tex(i)).collect();
                indices.extend((0..left).map(|nth| self.free_index(nth)));
                (self.element_at(*field, &indices), TexPrecedence::Atom)
            }
            Expr::Variable(variable) => {
                (self.variables.get(*variable).cloned().unwrap_or_else(|| "i".to_owned()), TexPrecedence::Atom)
            }
            Expr::Negate(inner) => {
                (format!("-{}", self.bracketed_tex(inner, decimals, TexPrecedence::Product)), TexPrecedence::Sum)
            }
            Expr::Call(function, inner) => {
                (format!("\\mathrm{{{}}}({})", function.name(), self.expression_tex(inner)), TexPrecedence::Atom)
            }
            Expr::Binary(operator, left, right) => self.binary_tex(*operator, left, right, decimals),
            Expr::Slice(slice) => (self.slice_tex(slice, decimals), TexPrecedence::Product),
            Expr::Fold(fold, over, inner) => (self.fold_tex(*fold, *over, inner, decimals), TexPrecedence::Product),
            Expr::Sequence(inner) => match &**inner {
                Expr::Field(field) => (self.field_name(*field), TexPrecedence::Atom),
                Expr::Element(field, indices) => {
                    let indices: Vec<String> = indices.iter().map(|i| self.expression_tex(i)).collect();
                    (self.element_at(*field, &indices), TexPrecedence::Atom)
                }
                inner => self.tex_with_precedence(inner, decimals),
            },
            Expr::TextLiteral(letters) => (typewriter_tex(letters), TexPrecedence::Atom),
        }
    }

    fn binary_tex(
        &self,
        operator: ArithmeticOperator,
        left: &Expr,
        right: &Expr,
        decimals: u32,
    ) -> (String, TexPrecedence) {
        let same = |sign: &str, tighter: TexPrecedence| {
            (
                format!(
                    "{} {sign} {}",
                    self.bracketed_tex(left, decimals, TexPrecedence::Sum),
                    self.bracketed_tex(right, decimals, tighter)
                ),
                TexPrecedence::Sum,
            )
        };
        match operator {
            ArithmeticOperator::Add => {
                same("+", if is_negative(right) { TexPrecedence::Product } else { TexPrecedence::Sum })
            }
            ArithmeticOperator::Subtract => same("-", TexPrecedence::Product),
            ArithmeticOperator::Multiply => self.product_tex(left, right, decimals),
            ArithmeticOperator::Divide => match is_half_of_pairs(left, right) || self.divides_evenly(left, right) {
                true => (
                    format!("\\frac{{{}}}{{{}}}", self.expression_tex(left), self.expression_tex(right)),
                    TexPrecedence::Atom,
                ),
                false => {
                    let sides = (
                        self.bracketed_tex(left, 0, TexPrecedence::Product),
                        self.bracketed_tex(right, 0, TexPrecedence::Atom),
                    );
                    (format!("\\lfloor {} / {} \\rfloor", sides.0, sides.1), TexPrecedence::Atom)
                }
            },
            ArithmeticOperator::Modulo => {
                let sides = (
                    self.bracketed_tex(left, 0, TexPrecedence::Atom),
                    self.bracketed_tex(right, 0, TexPrecedence::Atom),
                );
                (format!("{} \\bmod {}", sides.0, sides.1), TexPrecedence::Remainder)
            }
            ArithmeticOperator::Power => {
                let base = self.bracketed_tex(left, 0, TexPrecedence::Atom);
                let base = if base.contains(['^', '_']) { format!("({base})") } else { base };
                (format!("{base}^{}", brace_script(&self.expression_tex(right))), TexPrecedence::Atom)
            }
            ArithmeticOperator::Max if *right == Expr::Negate(Box::new(left.clone())) => {
                (format!("\\lvert {} \\rvert", self.scaled_expression_tex(left, decimals)), TexPrecedence::Atom)
            }
            ArithmeticOperator::OrElse => self.tex_with_precedence(representative(left), decimals),
            ArithmeticOperator::Xor => same("\\oplus", TexPrecedence::Product),
            ArithmeticOperator::Gcd => {
                let sides = (self.expression_tex(left), self.expression_tex(right));
                (format!("\\gcd({}, {})", sides.0, sides.1), TexPrecedence::Atom)
            }
            ArithmeticOperator::Min | ArithmeticOperator::Max => {
                let word = if operator == ArithmeticOperator::Min { "min" } else { "max" };
                let sides = (self.scaled_expression_tex(left, decimals), self.scaled_expression_tex(right, decimals));
                (format!("\\{word}({}, {})", sides.0, sides.1), TexPrecedence::Atom)
            }
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
        let left_text = self.bracketed_tex(left, own, TexPrecedence::Product);
        let right_text = self.bracketed_tex(right, decimals.saturating_sub(own), TexPrecedence::Product);
        let juxtaposed = matches!(left, Expr::Constant(_)) && matches!(right, Expr::Field(_) | Expr::Variable(_));
        let simple = right_text.len() == 1 && left_text.len() <= 3;
        let sign = if juxtaposed && simple { "" } else { " \\cdot " };
        (format!("{left_text}{sign}{right_text}"), TexPrecedence::Product)
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
            Expr::Constant(_) | Expr::Length(_) | Expr::Variable(_) | Expr::TextLiteral(_) | Expr::Call(..) => 0,
            Expr::Fold(FoldKind::Count(_) | FoldKind::Size | FoldKind::Gcd | FoldKind::Xor, ..) => 0,
            Expr::Slice(slice) => {
                if slice.wanted().is_some() {
                    0
                } else {
                    self.decimal_places(&slice.each)
                }
            }
        }
    }

    /// Returns `\sum_{j = 1}^i a_j`, or with a condition `[a_j = 7]` for a count.
    fn slice_tex(&self, slice: &SliceFold, decimals: u32) -> String {
        let index = self.free_index(0);
        let within = self.with_variable(&index);
        let each = within.bracketed_tex(&slice.each, decimals, TexPrecedence::Product);
        let (first, last) = (self.expression_tex(&slice.range.0), self.expression_tex(&slice.range.1));
        let sum = format!("\\sum_{{{index} = {first}}}^{}", brace_script(&last));
        let extreme = |word: &str| format!("\\{word}_{{{first} \\le {index} \\le {last}}} {each}");
        match &slice.reduction {
            SliceReduction::Fold(FoldKind::Min) => extreme("min"),
            SliceReduction::Fold(FoldKind::Max) => extreme("max"),
            SliceReduction::Fold(_) => format!("{sum} {each}"),
            SliceReduction::Count(wanted) => {
                let wanted = match wanted {
                    Expr::Constant(value) => self.counted_value(&slice.each, *value),
                    wanted => self.expression_tex(wanted),
                };
                format!("{sum} [{each} = {wanted}]")
            }
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
        let below = self.fold_range(over, inner);
        let what = self.bracketed_tex(inner, decimals, TexPrecedence::Product);
        match fold {
            FoldKind::Sum => format!("\\sum_{{{below}}} {what}"),
            FoldKind::Min => format!("\\min_{{{below}}} {what}"),
            FoldKind::Max => format!("\\max_{{{below}}} {what}"),
            FoldKind::Gcd => format!("\\gcd_{{{below}}} {what}"),
            FoldKind::Xor => format!("\\bigoplus_{{{below}}} {what}"),
            FoldKind::Size => String::new(),
            FoldKind::Count(value) => {
                let value = self.counted_value(inner, value);
                let each = match inner {
                    Expr::Field(field) => self.any_element(*field, self.format.field(*field).dimensions.len()),
                    inner => self.bracketed_tex(inner, 0, TexPrecedence::Sum),
                };
                format!("\\sum_{{{below}}} [{each} = {value}]")
            }
        }
    }

    /// Returns the number of a field's dimensions that remain after indexing.
    fn remaining_dimensions(&self, field: FieldId, indices: &[Expr]) -> usize {
        self.format.field(field).dimensions.len().saturating_sub(self.format.indexed_dimensions(field, indices))
    }

    /// Returns the range of a fold for the subscript of its operator.
    fn fold_range(&self, over: FoldRange, inner: &Expr) -> String {
        match over {
            FoldRange::Instances(block) => format!("\\text{{{}}}", super::blocks::block_noun(self.format, block).1),
            FoldRange::Occurrences(occurrences) => {
                let (_, many) = super::blocks::block_noun(self.format, occurrences.outermost);
                format!("\\text{{{many} that have }} {}", self.bracketed_tex(inner, 0, TexPrecedence::Sum))
            }
            FoldRange::Elements => {
                let mut dimensions = 1;
                inner.visit_fields(&mut |f| dimensions = dimensions.max(self.format.field(f).dimensions.len()));
                if let Expr::Element(field, indices) = inner {
                    dimensions = self.remaining_dimensions(*field, indices);
                }
                (0..dimensions).map(|nth| self.free_index(nth)).collect::<Vec<_>>().join(",")
            }
        }
    }

    /// Formats a counted value as the input shows it.
    pub(super) fn counted_value(&self, inner: &Expr, value: i128) -> String {
        match self.constant_meaning(inner) {
            ConstantMeaning::Number => number_tex(value, self.decimal_places(inner)),
            meaning => self.literal_tex(&meaning, value),
        }
    }

    fn literal_tex(&self, meaning: &ConstantMeaning, value: i128) -> String {
        match meaning {
            ConstantMeaning::Number => number_tex(value, 0),
            ConstantMeaning::Letter => typewriter_tex(&[u8::try_from(value).unwrap_or(b'?')]),
            ConstantMeaning::Word(field) => typewriter_tex(self.format.field(*field).format_number(value).as_bytes()),
        }
    }

    fn constant_meaning(&self, expr: &Expr) -> ConstantMeaning {
        match expr {
            Expr::Field(f) | Expr::Element(f, _) => match self.format.field(*f).kind {
                FieldKind::Text(_) => ConstantMeaning::Letter,
                FieldKind::Words(_) => ConstantMeaning::Word(*f),
                FieldKind::Number | FieldKind::Real(_) => ConstantMeaning::Number,
            },
            Expr::Binary(ArithmeticOperator::OrElse, left, _) => self.constant_meaning(representative(left)),
            _ => ConstantMeaning::Number,
        }
    }

    /// Returns one side of a comparison, where the meaning of a constant follows from the other side.
    fn comparison_side(&self, side: &Expr, other: &Expr, decimals: u32) -> String {
        match (side, self.constant_meaning(other)) {
            (Expr::Constant(value), meaning @ (ConstantMeaning::Letter | ConstantMeaning::Word(_))) => {
                self.literal_tex(&meaning, *value)
            }
            _ => self.scaled_expression_tex(side, decimals),
        }
    }

    /// Converts a comparison to a relation of two formulas.
    pub(super) fn to_relation(&self, comparison: &Comparison) -> TexRelation {
        if !self.is_index_in_use && comparison.left.iter().chain(&comparison.right).any(|e| self.is_array(e)) {
            return TexWriter { is_index_in_use: true, ..self.clone() }.to_relation(comparison);
        }
        let pairs = || comparison.left.iter().zip(&comparison.right);
        let left: Vec<String> = pairs().map(|(l, r)| self.comparison_side(l, r, comparison.decimals)).collect();
        let right: Vec<String> = pairs().map(|(l, r)| self.comparison_side(r, l, comparison.decimals)).collect();
        let tuple = |mut parts: Vec<String>| match parts.len() {
            1 => parts.remove(0),
            _ => format!("({})", parts.join(", ")),
        };
        let mut relation = TexRelation { left: tuple(left), sign: comparison.sign, right: tuple(right) };
        let wholes = comparison.left.iter().all(|side| matches!(side, Expr::Sequence(_) | Expr::TextLiteral(_)));
        if wholes && !matches!(comparison.sign, ComparisonOperator::Equal | ComparisonOperator::NotEqual) {
            relation.right.push_str(" \\text{ (lexicographically)}");
        }
        // `0 = x` is written with its sides swapped.
        match is_number_text(&relation.left)
            && matches!(comparison.sign, ComparisonOperator::Equal | ComparisonOperator::NotEqual)
        {
            true => TexRelation { left: relation.right, sign: relation.sign, right: relation.left },
            false => relation,
        }
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

    /// Returns the size of a dimension.
    pub(super) fn dimension_size(&self, field: FieldId, dimension: usize) -> String {
        match self.format.field(field).dimensions.get(dimension) {
            Some(FieldDimension::Size(size)) => self.expression_tex(size),
            _ => format!("\\lvert {} \\rvert", self.any_element(field, dimension)),
        }
    }
}

/// Formats a superscript or subscript.
pub(super) fn brace_script(text: &str) -> String {
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
