//! Expressions and comparisons in TeX.

use super::markup::typewriter;
use super::number::number;
use super::relations::{Relation, is_number};
use crate::format::{Comparison, Dimension, Expr, FieldId, Fold, Format, Kind, Operator, Over, Rule, Sign};

/// Writes formulas over the fields of a format.
#[derive(Clone)]
pub(super) struct Maths<'f> {
    pub(super) format: &'f Format,
    /// The names that quantifiers count with, outermost first.
    pub(super) variables: Vec<String>,
    /// Whether an index is in use around a fold, which must count with another one.
    around: bool,
}

/// How strongly an expression holds together: brackets are needed where it does so less than its place asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Bond {
    Sum,
    /// Nobody agrees on whether a product or a remainder comes first.
    Remainder,
    Product,
    Atom,
}

/// What the codes of a constant stand for.
enum Meaning {
    Number,
    Letter,
    Word(FieldId),
}

impl<'f> Maths<'f> {
    pub(super) fn new(format: &'f Format) -> Self {
        Maths { format, variables: Vec::new(), around: false }
    }

    /// The same inside a quantifier.
    pub(super) fn with(&self, name: &str) -> Maths<'f> {
        let mut inner = self.clone();
        inner.variables.push(name.to_owned());
        inner
    }

    /// The name of a field: `n`, `x_1`, `\mathit{words}`.
    pub(super) fn name(&self, field: FieldId) -> String {
        let info = self.format.field(field);
        let (letter, digits) = info.name.split_at(1);
        let array = |name: &str| self.format.field_named(name).is_some_and(|f| !self.format.field(f).is_scalar());
        let numbered = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) && letter != "_";
        match () {
            () if digits.is_empty() && letter != "_" => letter.to_owned(),
            () if numbered && info.dimensions.len() <= usize::from(info.letters().is_some()) && !array(letter) => {
                format!("{letter}_{}", braced(digits))
            }
            () => format!("\\mathit{{{}}}", info.name.replace('_', "\\_")),
        }
    }

    /// A letter to count with that nothing else is called.
    pub(super) fn index(&self, nth: usize) -> String {
        const LETTERS: [&str; 12] = ["i", "j", "k", "t", "p", "q", "r", "s", "u", "v", "x", "y"];
        let taken = |l: &&&str| self.format.field_named(l).is_some() || self.variables.iter().any(|v| v == **l);
        LETTERS.iter().filter(|letter| !taken(letter)).nth(nth).map_or_else(|| "\\ell".to_owned(), |l| (*l).to_owned())
    }

    /// One element of a field.
    pub(super) fn at(&self, field: FieldId, indices: &[String]) -> String {
        let name = self.name(field);
        if indices.is_empty() {
            return name;
        }
        let indices = indices.join(",");
        match name.split_once('_').filter(|_| !name.starts_with('\\')) {
            Some((letter, digits)) => format!("{letter}_{{{},{indices}}}", digits.trim_matches(['{', '}'])),
            None => format!("{name}_{}", braced(&indices)),
        }
    }

    /// Any element of a field of so many dimensions.
    pub(super) fn any(&self, field: FieldId, dimensions: usize) -> String {
        let indices: Vec<String> = (0..dimensions).map(|nth| self.index(nth)).collect();
        self.at(field, &indices)
    }

    /// An expression of whole numbers.
    pub(super) fn expr(&self, expr: &Expr) -> String {
        self.scaled(expr, 0)
    }

    /// An expression whose numbers stand multiplied by a power of ten.
    pub(super) fn scaled(&self, expr: &Expr, decimals: u32) -> String {
        self.write(expr, decimals, Bond::Sum)
    }

    fn write(&self, expr: &Expr, decimals: u32, place: Bond) -> String {
        let (text, bond) = self.bonded(expr, decimals);
        if bond < place { format!("({text})") } else { text }
    }

    fn bonded(&self, expr: &Expr, decimals: u32) -> (String, Bond) {
        match expr {
            Expr::Constant(value) => {
                let text = number(*value, decimals);
                let bond = match text.contains([' ', '-']) {
                    true if text.contains(" + ") || text.contains(" - ") || *value < 0 => Bond::Sum,
                    true => Bond::Product,
                    false => Bond::Atom,
                };
                (text, bond)
            }
            Expr::Field(field) => {
                let info = self.format.field(*field);
                let own = info.dimensions.len() - usize::from(info.letters().is_some());
                (self.any(*field, own), Bond::Atom)
            }
            Expr::Length(field) => {
                let outer = self.format.field(*field).dimensions.len().saturating_sub(1);
                (format!("\\lvert {} \\rvert", self.any(*field, outer)), Bond::Atom)
            }
            Expr::Element(field, indices) => {
                // Of a row, any element.
                let left = self.left_dimensions(*field, indices);
                let mut indices: Vec<String> = indices.iter().map(|i| self.expr(i)).collect();
                indices.extend((0..left).map(|nth| self.index(nth)));
                (self.at(*field, &indices), Bond::Atom)
            }
            Expr::Variable(variable) => {
                (self.variables.get(*variable).cloned().unwrap_or_else(|| "i".to_owned()), Bond::Atom)
            }
            Expr::Minus(inner) => (format!("-{}", self.write(inner, decimals, Bond::Product)), Bond::Sum),
            Expr::Binary(operator, left, right) => self.binary(*operator, left, right, decimals),
            Expr::Fold(fold, over, inner) => (self.fold(*fold, *over, inner, decimals), Bond::Product),
            Expr::Whole(inner) => match &**inner {
                Expr::Field(field) => (self.name(*field), Bond::Atom),
                Expr::Element(field, indices) => {
                    let indices: Vec<String> = indices.iter().map(|i| self.expr(i)).collect();
                    (self.at(*field, &indices), Bond::Atom)
                }
                inner => self.bonded(inner, decimals),
            },
            Expr::Letters(letters) => (typewriter(letters), Bond::Atom),
        }
    }

    fn binary(&self, operator: Operator, left: &Expr, right: &Expr, decimals: u32) -> (String, Bond) {
        let same = |sign: &str, tighter: Bond| {
            (
                format!("{} {sign} {}", self.write(left, decimals, Bond::Sum), self.write(right, decimals, tighter)),
                Bond::Sum,
            )
        };
        match operator {
            Operator::Plus => same("+", if is_negative(right) { Bond::Product } else { Bond::Sum }),
            Operator::Minus => same("-", Bond::Product),
            Operator::Times => self.product(left, right, decimals),
            Operator::Divide => match halved_pairs(left, right) || self.divides(left, right) {
                true => (format!("\\frac{{{}}}{{{}}}", self.expr(left), self.expr(right)), Bond::Atom),
                false => {
                    let sides = (self.write(left, 0, Bond::Product), self.write(right, 0, Bond::Atom));
                    (format!("\\lfloor {} / {} \\rfloor", sides.0, sides.1), Bond::Atom)
                }
            },
            Operator::Modulo => {
                let sides = (self.write(left, 0, Bond::Atom), self.write(right, 0, Bond::Atom));
                (format!("{} \\bmod {}", sides.0, sides.1), Bond::Remainder)
            }
            Operator::Power => {
                let base = self.write(left, 0, Bond::Atom);
                let base = if base.contains(['^', '_']) { format!("({base})") } else { base };
                (format!("{base}^{}", braced(&self.expr(right))), Bond::Atom)
            }
            Operator::Greatest if *right == Expr::Minus(Box::new(left.clone())) => {
                (format!("\\lvert {} \\rvert", self.scaled(left, decimals)), Bond::Atom)
            }
            Operator::Else => self.bonded(standing(left), decimals),
            Operator::Least | Operator::Greatest => {
                let word = if operator == Operator::Least { "min" } else { "max" };
                let sides = (self.scaled(left, decimals), self.scaled(right, decimals));
                (format!("\\{word}({}, {})", sides.0, sides.1), Bond::Atom)
            }
        }
    }

    /// Whether a constraint says that a division leaves no rest.
    fn divides(&self, left: &Expr, right: &Expr) -> bool {
        let rest = Expr::Binary(Operator::Modulo, Box::new(left.clone()), Box::new(right.clone()));
        let none = Rule::Compare(Comparison::new(rest, Sign::Equal, Expr::Constant(0)));
        self.format.constraints.iter().any(|c| c.rule == none)
    }

    /// A product; where reals are among its factors, their decimals add up, and a factor that only moves the point is
    /// none.
    fn product(&self, left: &Expr, right: &Expr, decimals: u32) -> (String, Bond) {
        let own = self.decimals(left);
        if let Expr::Constant(factor) = right
            && own < decimals
            && 10_i128.checked_pow(decimals - own) == Some(*factor)
        {
            return self.bonded(left, own);
        }
        let left_text = self.write(left, own, Bond::Product);
        let right_text = self.write(right, decimals.saturating_sub(own), Bond::Product);
        let juxtaposed = matches!(left, Expr::Constant(_)) && matches!(right, Expr::Field(_) | Expr::Variable(_));
        let simple = right_text.len() == 1 && left_text.len() <= 3;
        let sign = if juxtaposed && simple { "" } else { " \\cdot " };
        (format!("{left_text}{sign}{right_text}"), Bond::Product)
    }

    /// How many decimals an expression's numbers have by themselves.
    fn decimals(&self, expr: &Expr) -> u32 {
        match expr {
            Expr::Field(f) | Expr::Element(f, _) => self.format.field(*f).decimals().most,
            Expr::Minus(inner) | Expr::Fold(Fold::Sum | Fold::Min | Fold::Max, _, inner) | Expr::Whole(inner) => {
                self.decimals(inner)
            }
            Expr::Binary(Operator::Times, a, b) => self.decimals(a) + self.decimals(b),
            Expr::Binary(Operator::Divide | Operator::Modulo | Operator::Power, ..) => 0,
            Expr::Binary(_, a, b) => self.decimals(a).max(self.decimals(b)),
            Expr::Constant(_) | Expr::Length(_) | Expr::Variable(_) | Expr::Letters(_) => 0,
            Expr::Fold(Fold::Count(_) | Fold::Size, ..) => 0,
        }
    }

    fn fold(&self, fold: Fold, over: Over, inner: &Expr, decimals: u32) -> String {
        if self.around && over == Over::Elements {
            let index = self.index(0);
            return Maths { around: false, ..self.with(&index) }.fold(fold, over, inner, decimals);
        }
        if fold == Fold::Size {
            return format!("\\lvert {} \\rvert", self.expr(&Expr::Whole(Box::new(inner.clone()))));
        }
        let below = self.range_of(over, inner);
        let what = self.write(inner, decimals, Bond::Product);
        match fold {
            Fold::Sum => format!("\\sum_{{{below}}} {what}"),
            Fold::Min => format!("\\min_{{{below}}} {what}"),
            Fold::Max => format!("\\max_{{{below}}} {what}"),
            Fold::Size => String::new(),
            Fold::Count(value) => {
                let value = self.counted(inner, value);
                let each = match inner {
                    Expr::Field(field) => self.any(*field, self.format.field(*field).dimensions.len()),
                    inner => self.write(inner, 0, Bond::Sum),
                };
                format!("\\sum_{{{below}}} [{each} = {value}]")
            }
        }
    }

    /// How many of a field's dimensions its indices leave.
    fn left_dimensions(&self, field: FieldId, indices: &[Expr]) -> usize {
        self.format.field(field).dimensions.len().saturating_sub(self.format.indexed_dimensions(field, indices))
    }

    /// What a fold runs over, as it stands below its sign.
    fn range_of(&self, over: Over, inner: &Expr) -> String {
        match over {
            Over::Instances(block) => format!("\\text{{{}}}", super::blocks::noun(self.format, block).1),
            Over::Occurrences(occurrences) => {
                let (_, many) = super::blocks::noun(self.format, occurrences.outermost);
                format!("\\text{{{many} that have }} {}", self.write(inner, 0, Bond::Sum))
            }
            Over::Elements => {
                let mut dimensions = 1;
                inner.each_field(&mut |f| dimensions = dimensions.max(self.format.field(f).dimensions.len()));
                if let Expr::Element(field, indices) = inner {
                    dimensions = self.left_dimensions(*field, indices);
                }
                (0..dimensions).map(|nth| self.index(nth)).collect::<Vec<_>>().join(",")
            }
        }
    }

    /// A value that is counted, as the input shows it.
    pub(super) fn counted(&self, inner: &Expr, value: i128) -> String {
        match self.meaning(inner) {
            Meaning::Number => number(value, self.decimals(inner)),
            meaning => self.literal(&meaning, value),
        }
    }

    fn literal(&self, meaning: &Meaning, value: i128) -> String {
        match meaning {
            Meaning::Number => number(value, 0),
            Meaning::Letter => typewriter(&[u8::try_from(value).unwrap_or(b'?')]),
            Meaning::Word(field) => typewriter(self.format.field(*field).number_text(value).as_bytes()),
        }
    }

    fn meaning(&self, expr: &Expr) -> Meaning {
        match expr {
            Expr::Field(f) | Expr::Element(f, _) => match self.format.field(*f).kind {
                Kind::Text(_) => Meaning::Letter,
                Kind::Words(_) => Meaning::Word(*f),
                Kind::Number | Kind::Real(_) => Meaning::Number,
            },
            Expr::Binary(Operator::Else, left, _) => self.meaning(standing(left)),
            _ => Meaning::Number,
        }
    }

    /// One side of a comparison: a constant means what the other side is made of.
    fn side(&self, side: &Expr, other: &Expr, decimals: u32) -> String {
        match (side, self.meaning(other)) {
            (Expr::Constant(value), meaning @ (Meaning::Letter | Meaning::Word(_))) => self.literal(&meaning, *value),
            _ => self.scaled(side, decimals),
        }
    }

    /// A comparison as a relation of two formulas.
    pub(super) fn relation(&self, comparison: &Comparison) -> Relation {
        if !self.around && comparison.left.iter().chain(&comparison.right).any(|e| self.is_array(e)) {
            return Maths { around: true, ..self.clone() }.relation(comparison);
        }
        let pairs = || comparison.left.iter().zip(&comparison.right);
        let left: Vec<String> = pairs().map(|(l, r)| self.side(l, r, comparison.decimals)).collect();
        let right: Vec<String> = pairs().map(|(l, r)| self.side(r, l, comparison.decimals)).collect();
        let tuple = |mut parts: Vec<String>| match parts.len() {
            1 => parts.remove(0),
            _ => format!("({})", parts.join(", ")),
        };
        let mut relation = Relation { left: tuple(left), sign: comparison.sign, right: tuple(right) };
        let wholes = comparison.left.iter().all(|side| matches!(side, Expr::Whole(_) | Expr::Letters(_)));
        if wholes && !matches!(comparison.sign, Sign::Equal | Sign::NotEqual) {
            relation.right.push_str(" \\text{ (lexicographically)}");
        }
        // 0 = x is said the other way round.
        match is_number(&relation.left) && matches!(comparison.sign, Sign::Equal | Sign::NotEqual) {
            true => Relation { left: relation.right, sign: relation.sign, right: relation.left },
            false => relation,
        }
    }

    /// Whether an expression stands for several numbers.
    fn is_array(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Field(field) => !self.format.field(*field).is_scalar(),
            Expr::Length(field) => self.format.field(*field).dimensions.len() > 1,
            Expr::Minus(inner) => self.is_array(inner),
            Expr::Binary(_, left, right) => self.is_array(left) || self.is_array(right),
            Expr::Constant(_) | Expr::Element(..) | Expr::Variable(_) | Expr::Fold(..) => false,
            Expr::Whole(_) | Expr::Letters(_) => false,
        }
    }

    /// The size of a dimension.
    pub(super) fn size(&self, field: FieldId, dimension: usize) -> String {
        match self.format.field(field).dimensions.get(dimension) {
            Some(Dimension::Size(size)) => self.expr(size),
            _ => format!("\\lvert {} \\rvert", self.any(field, dimension)),
        }
    }
}

/// A superscript or a subscript.
pub(super) fn braced(text: &str) -> String {
    if text.len() == 1 { text.to_owned() } else { format!("{{{text}}}") }
}

fn is_negative(expr: &Expr) -> bool {
    matches!(expr, Expr::Minus(_)) || matches!(expr, Expr::Constant(value) if *value < 0)
}

/// Whether a quotient is `x * (x - 1) / 2`: nothing is rounded there.
fn halved_pairs(left: &Expr, right: &Expr) -> bool {
    let Expr::Binary(Operator::Times, a, b) = left else { return false };
    let one_less =
        |a: &Expr, b: &Expr| *b == Expr::Binary(Operator::Minus, Box::new(a.clone()), Box::new(Expr::Constant(1)));
    *right == Expr::Constant(2) && (one_less(a, b) || one_less(b, a))
}

/// What a field in one of several forms is called: as in any of them.
fn standing(expr: &Expr) -> &Expr {
    match expr {
        Expr::Fold(Fold::Min, Over::Occurrences(_), inner) => inner,
        expr => expr,
    }
}
