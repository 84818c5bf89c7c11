//! Terms and comparisons in TeX.

use super::markup::typewriter_tex;
use super::names::{Names, brace_script};
use super::tex_number::number_tex;
use crate::language::FieldId;
use crate::syntax::{ComparisonChain, SyntaxTerm, SyntaxTermKind};

/// Writes formulas over the names of a format.
#[derive(Clone)]
pub(super) struct TexWriter<'f> {
    pub(super) names: &'f Names<'f>,
    /// Names of the variables of quantifiers and folds.
    variables: Vec<String>,
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
    pub(super) fn new(names: &'f Names<'f>) -> Self {
        TexWriter { names, variables: Vec::new(), is_index_in_use: false }
    }

    /// Returns a writer for the body of a quantifier.
    pub(super) fn with_variable(&self, name: &str) -> TexWriter<'f> {
        let mut inner = self.clone();
        inner.variables.push(name.to_owned());
        inner
    }

    // Fields and their elements.

    /// Returns the field that a name stands for, if it is no variable.
    pub(super) fn field(&self, name: &str) -> Option<FieldId> {
        self.names.format.field_named(name).filter(|_| !self.variables.iter().any(|variable| variable == name))
    }

    /// Returns the `nth` index letter that is not the name of anything else.
    pub(super) fn free_index(&self, nth: usize) -> String {
        const INDEX_LETTERS: [&str; 12] = ["i", "j", "k", "t", "p", "q", "r", "s", "u", "v", "x", "y"];
        let is_taken = |l: &str| self.names.format.field_named(l).is_some() || self.variables.iter().any(|v| v == l);
        INDEX_LETTERS.iter().filter(|letter| !is_taken(letter)).nth(nth).unwrap_or(&"\\ell").to_string()
    }

    /// Returns the index letters of the first dimensions of a field.
    pub(super) fn free_indices(&self, field: FieldId, dimensions: usize) -> Vec<String> {
        let from = usize::from(self.names.is_numbered(field));
        (from..from + dimensions).map(|nth| self.free_index(nth)).collect()
    }

    /// Returns an element of a field, within its repetition.
    pub(super) fn element_at(&self, field: FieldId, indices: &[String]) -> String {
        let repetition = self.names.is_numbered(field).then(|| self.free_index(0));
        let indices: Vec<String> = repetition.into_iter().chain(indices.iter().cloned()).collect();
        self.names.name_with_indices(field, &indices)
    }

    /// Returns a generic element of a field with `dimensions` dimensions; without any, its name.
    pub(super) fn any_element(&self, field: FieldId, dimensions: usize) -> String {
        self.element_at(field, &self.free_indices(field, dimensions))
    }

    /// Returns `a_1, a_2, \dots, a_n`: the elements of the dimensions up to `dimensions` within those of `outer`.
    pub(super) fn list_elements(&self, field: FieldId, outer: &[String], dimensions: usize) -> String {
        let at = |own: Vec<String>| self.element_at(field, &[outer, &own].concat());
        let size = |nth| match self.names.find_dimension(field, nth) {
            Some(size) => self.term_tex(size),
            None => format!("\\lvert {} \\rvert", self.any_element(field, nth)),
        };
        let sizes: Vec<String> = (outer.len()..dimensions).map(size).collect();
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

    /// Returns the number of dimensions that remain after indexing; an index may number the repetition.
    fn remaining_dimensions(&self, field: FieldId, indices: usize) -> usize {
        let dimensions = self.names.format.field(field).dimensions.len();
        dimensions.saturating_sub(indices - usize::from(self.indexes_repetition(field, indices)))
    }

    fn indexes_repetition(&self, field: FieldId, indices: usize) -> bool {
        let format = self.names.format;
        indices > format.field(field).dimensions.len() || indices > 0 && format.is_repeated_text(field)
    }

    /// Returns an element, a generic one of a row of numbers, or a row of characters.
    fn indexed_tex(&self, field: FieldId, mut indices: Vec<String>) -> String {
        let own = self.remaining_dimensions(field, indices.len());
        let characters = usize::from(self.names.format.field(field).alphabet().is_some());
        let numbers_repetition = self.indexes_repetition(field, indices.len());
        let generic = if numbers_repetition { 0 } else { usize::from(self.names.is_numbered(field)) };
        indices.extend((generic..generic + own.saturating_sub(characters)).map(|nth| self.free_index(nth)));
        if numbers_repetition {
            self.names.name_with_indices(field, &indices)
        } else {
            self.element_at(field, &indices)
        }
    }

    /// Returns the field with the most dimensions for which a term stands for several numbers, and how many.
    pub(super) fn find_widest(&self, term: &SyntaxTerm) -> Option<(FieldId, usize)> {
        let widest_of = |terms: &[&SyntaxTerm]| {
            terms.iter().filter_map(|term| self.find_widest(term)).max_by_key(|(_, dimensions)| *dimensions)
        };
        match &term.kind {
            SyntaxTermKind::Name(name) => self.field(name).map(|field| (field, self.names.outer_dimensions(field))),
            SyntaxTermKind::Element(name, indices) => {
                self.field(name).map(|field| (field, self.remaining_dimensions(field, indices.len())))
            }
            SyntaxTermKind::Negate(inner) => self.find_widest(inner),
            SyntaxTermKind::Binary(_, left, right) => widest_of(&[left, right]),
            SyntaxTermKind::Tuple(parts) => widest_of(&parts.iter().collect::<Vec<_>>()),
            SyntaxTermKind::Call(name, arguments) if matches!(name.as_str(), "abs" | "prime") => {
                widest_of(&arguments.iter().collect::<Vec<_>>())
            }
            _ => None,
        }
    }

    // Terms.

    pub(super) fn term_tex(&self, term: &SyntaxTerm) -> String {
        self.tex_with_precedence(term).0
    }

    fn bracketed_tex(&self, term: &SyntaxTerm, place: TexPrecedence) -> String {
        let (text, precedence) = self.tex_with_precedence(term);
        if precedence < place { format!("({text})") } else { text }
    }

    fn tex_with_precedence(&self, term: &SyntaxTerm) -> (String, TexPrecedence) {
        let number = |value, decimals| {
            let text = number_tex(value, decimals);
            let precedence = if text.contains(' ') { Product } else { Atom };
            (text, precedence)
        };
        match &term.kind {
            SyntaxTermKind::Number(value) => number(*value, 0),
            SyntaxTermKind::Decimal(value, decimals) => number(*value, *decimals),
            SyntaxTermKind::Letter(letter) => (typewriter_tex(&[*letter]), Atom),
            SyntaxTermKind::Text(text) => (typewriter_tex(text), Atom),
            SyntaxTermKind::Name(name) => match (self.field(name), self.names.find_constant(name)) {
                (Some(field), _) => (self.any_element(field, self.names.outer_dimensions(field)), Atom),
                (None, Some(value)) if !self.variables.contains(name) => self.tex_with_precedence(value),
                (None, _) => (self.names.plain_name(name), Atom),
            },
            SyntaxTermKind::Element(name, indices) => {
                let indices = indices.iter().map(|index| self.term_tex(index)).collect();
                (self.field(name).map(|field| self.indexed_tex(field, indices)).unwrap_or_default(), Atom)
            }
            SyntaxTermKind::Slice(_, _, range, _) => {
                let [first, last] = [&range.0, &range.1].map(|end| self.slice_element(term, self.term_tex(end)));
                (format!("{first}, \\dots, {last}"), Atom)
            }
            SyntaxTermKind::Negate(inner) => (format!("-{}", self.bracketed_tex(inner, Product)), Sum),
            SyntaxTermKind::Binary(sign, left, right) => self.binary_tex(sign, left, right),
            SyntaxTermKind::Call(name, arguments) => self.call_tex(name, arguments),
            SyntaxTermKind::Tuple(parts) => (format!("({})", self.list_terms(parts)), Atom),
        }
    }

    /// Returns a field or a part of it as a whole: its name with the given indices only.
    pub(super) fn base_tex(&self, term: &SyntaxTerm) -> String {
        match &term.kind {
            SyntaxTermKind::Element(name, indices) if let Some(field) = self.field(name) => {
                let given: Vec<String> = indices.iter().map(|index| self.term_tex(index)).collect();
                match self.indexes_repetition(field, given.len()) {
                    true => self.names.name_with_indices(field, &given),
                    false => self.element_at(field, &given),
                }
            }
            SyntaxTermKind::Name(name) | SyntaxTermKind::Slice(name, ..) => {
                self.field(name).map(|field| self.any_element(field, 0)).unwrap_or_default()
            }
            _ => self.term_tex(term),
        }
    }

    pub(super) fn list_terms(&self, terms: &[SyntaxTerm]) -> String {
        terms.iter().map(|term| self.term_tex(term)).collect::<Vec<_>>().join(", ")
    }

    /// Returns the element of a slice at an index.
    fn slice_element(&self, slice: &SyntaxTerm, at: String) -> String {
        let SyntaxTermKind::Slice(name, before, _, after) = &slice.kind else { return self.term_tex(slice) };
        let [before, after] = [before, after].map(|indices| indices.iter().map(|index| self.term_tex(index)));
        let indices = before.chain([at]).chain(after).collect();
        self.field(name).map(|field| self.indexed_tex(field, indices)).unwrap_or_default()
    }

    fn binary_tex(&self, sign: &str, left: &SyntaxTerm, right: &SyntaxTerm) -> (String, TexPrecedence) {
        let sides = |of_left, of_right| (self.bracketed_tex(left, of_left), self.bracketed_tex(right, of_right));
        match sign {
            "*" => {
                let (left_tex, right_tex) = sides(Product, Product);
                let is_short = matches!(left.kind, SyntaxTermKind::Number(_)) && right_tex.len() == 1;
                let sign = if is_short && left_tex.len() <= 3 { "" } else { " \\cdot " };
                (format!("{left_tex}{sign}{right_tex}"), Product)
            }
            "/" if self.divides_evenly(left, right) => {
                (format!("\\frac{{{}}}{{{}}}", self.term_tex(left), self.term_tex(right)), Atom)
            }
            "/" => {
                let (left, right) = sides(Product, Atom);
                (format!("\\lfloor {left} / {right} \\rfloor"), Atom)
            }
            "%" => {
                let (left, right) = sides(Atom, Atom);
                (format!("{left} \\bmod {right}"), Remainder)
            }
            "^" => {
                let (base, exponent) = sides(Atom, Sum);
                let base = if base.contains(['^', '_']) { format!("({base})") } else { base };
                (format!("{base}^{}", brace_script(&exponent)), Atom)
            }
            sign => {
                let (left, right) = sides(Sum, Product);
                (format!("{left} {sign} {right}"), Sum)
            }
        }
    }

    /// Returns true for `x * (x - 1) / 2`, where nothing is rounded.
    fn divides_evenly(&self, left: &SyntaxTerm, right: &SyntaxTerm) -> bool {
        let SyntaxTermKind::Binary("*", a, b) = &left.kind else { return false };
        let (a, b) = (self.term_tex(a), self.term_tex(b));
        matches!(right.kind, SyntaxTermKind::Number(2)) && (b == format!("{a} - 1") || a == format!("{b} - 1"))
    }

    fn call_tex(&self, name: &str, arguments: &[SyntaxTerm]) -> (String, TexPrecedence) {
        let all = self.list_terms(arguments);
        let of = match name {
            "inversions" => "inversions of",
            "cycles" => "cycles of",
            _ => "different values among",
        };
        match (name, arguments) {
            ("abs", _) => (format!("\\lvert {all} \\rvert"), Atom),
            ("len", [over]) => {
                let text = match &over.kind {
                    SyntaxTermKind::Name(name) => self.field(name).map(|field| {
                        let outer = self.names.format.field(field).dimensions.len().saturating_sub(1);
                        self.any_element(field, outer)
                    }),
                    _ => Some(self.base_tex(over)),
                };
                (format!("\\lvert {} \\rvert", text.unwrap_or_default()), Atom)
            }
            ("whole", [SyntaxTerm { kind: SyntaxTermKind::Name(name), .. }]) => {
                (self.field(name).map(|field| self.any_element(field, 0)).unwrap_or_default(), Atom)
            }
            ("sum", [over]) => (self.fold_tex("\\sum", over, None), Product),
            ("count", [over, value]) => (self.fold_tex("\\sum", over, Some(value)), Product),
            ("min" | "max" | "gcd", [over]) => (self.fold_tex(&format!("\\{name}"), over, None), Product),
            ("xor", [over]) => (self.fold_tex("\\bigoplus", over, None), Product),
            ("min" | "max" | "gcd", _) => (format!("\\{name}({all})"), Atom),
            ("xor", _) => (all.replace(", ", " \\oplus "), Sum),
            ("distinct" | "inversions" | "cycles", [over]) => {
                (format!("\\text{{number of {of} }} {}", self.values_tex(over)), Product)
            }
            _ => (format!("\\mathrm{{{name}}}({all})"), Atom),
        }
    }

    /// Returns the values of an array, a row or a slice: `V_{i,1}, V_{i,2}, \dots, V_{i,n}`.
    pub(super) fn values_tex(&self, over: &SyntaxTerm) -> String {
        let (name, indices) = match &over.kind {
            SyntaxTermKind::Name(name) => (name, &[][..]),
            SyntaxTermKind::Element(name, indices) => (name, &indices[..]),
            _ => return self.term_tex(over),
        };
        match self.field(name).map(|field| (field, self.names.outer_dimensions(field))) {
            Some((field, dimensions)) if indices.len() < dimensions => {
                let given: Vec<String> = indices.iter().map(|index| self.term_tex(index)).collect();
                self.list_elements(field, &given, dimensions)
            }
            _ => self.term_tex(over),
        }
    }

    /// Returns `\sum_{j = 1}^i a_j`, or with a condition `[a_j = 7]` for a count.
    fn fold_tex(&self, operator: &str, over: &SyntaxTerm, wanted: Option<&SyntaxTerm>) -> String {
        let each = |writer: &TexWriter<'_>, element: Option<String>| match wanted {
            Some(wanted) => {
                let element = element.unwrap_or_else(|| writer.term_tex(over));
                format!("[{element} = {}]", writer.term_tex(wanted))
            }
            None => element.unwrap_or_else(|| writer.bracketed_tex(over, Product)),
        };
        if let SyntaxTermKind::Slice(_, _, range, _) = &over.kind {
            let index = self.free_index(0);
            let element = self.with_variable(&index).slice_element(over, index.clone());
            let (first, last) = (self.term_tex(&range.0), self.term_tex(&range.1));
            let range = match operator {
                "\\sum" => format!("_{{{index} = {first}}}^{}", brace_script(&last)),
                _ => format!("_{{{first} \\le {index} \\le {last}}}"),
            };
            return format!("{operator}{range} {}", each(self, Some(element)));
        }
        let letters = self.counted_letters(over).filter(|_| wanted.is_some());
        match letters.as_ref().map(|(field, _, left)| (*field, *left)).or_else(|| self.find_widest(over)) {
            Some((field, dimensions @ 1..)) => {
                let own = if self.is_index_in_use { self.with_variable(&self.free_index(0)) } else { self.clone() };
                let own = TexWriter { is_index_in_use: false, ..own };
                let range = own.free_indices(field, dimensions).join(",");
                let own_indices = own.free_indices(field, dimensions);
                let element = letters.map(|(_, given, _)| own.element_at(field, &[given, own_indices].concat()));
                format!("{operator}_{{{range}}} {}", each(&own, element))
            }
            Some((field, _)) if let Some((noun, _)) = self.names.find_repetition(field) => {
                format!("{operator}_{{\\text{{{noun}}}}} {}", each(self, None))
            }
            _ => format!("{operator} {}", each(self, None)),
        }
    }

    /// Returns the texts in which letters are counted: the field, its given indices, and the number of the others.
    fn counted_letters(&self, over: &SyntaxTerm) -> Option<(FieldId, Vec<String>, usize)> {
        let (name, indices) = match &over.kind {
            SyntaxTermKind::Name(name) => (name, &[][..]),
            SyntaxTermKind::Element(name, indices) => (name, &indices[..]),
            _ => return None,
        };
        let field = self.field(name)?;
        self.names.format.field(field).alphabet()?;
        let given: Vec<String> = indices.iter().map(|index| self.term_tex(index)).collect();
        let left = self.remaining_dimensions(field, given.len());
        Some((field, given, left))
    }

    // Comparisons.

    /// Returns `1 \le n, m \le 10^5`.
    pub(super) fn chain_tex(&self, chain: &ComparisonChain) -> String {
        let mut terms = chain.lists.iter().flatten();
        if !self.is_index_in_use
            && terms.any(|term| self.find_widest(term).is_some_and(|(_, dimensions)| dimensions > 0))
        {
            return TexWriter { is_index_in_use: true, ..self.clone() }.chain_tex(chain);
        }
        let mut text = String::new();
        for (i, list) in chain.lists.iter().enumerate() {
            if let Some((sign, _)) = i.checked_sub(1).and_then(|before| chain.signs.get(before)) {
                text.push_str(&format!(" {} ", sign_tex(sign)));
            }
            text.push_str(&self.list_terms(list));
        }
        let is_ordered = chain.signs.iter().any(|(sign, _)| !matches!(*sign, "=" | "!="));
        if is_ordered && chain.lists.iter().flatten().any(|term| self.is_whole(term)) {
            text.push_str(" \\text{ (lexicographically)}");
        }
        text
    }

    /// Returns true for a text or an array that is compared as a whole.
    fn is_whole(&self, term: &SyntaxTerm) -> bool {
        let characters_left = |name: &str, indices: usize| {
            self.field(name).is_some_and(|field| {
                self.names.format.field(field).alphabet().is_some() && self.remaining_dimensions(field, indices) > 0
            })
        };
        match &term.kind {
            SyntaxTermKind::Call(name, _) => name == "whole",
            SyntaxTermKind::Name(name) => characters_left(name, 0),
            SyntaxTermKind::Element(name, indices) => characters_left(name, indices.len()),
            _ => false,
        }
    }
}

pub(super) fn sign_tex(sign: &str) -> &str {
    match sign {
        "<=" => "\\le",
        ">=" => "\\ge",
        "!=" => "\\ne",
        sign => sign,
    }
}
