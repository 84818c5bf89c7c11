//! Expressions of a validator to terms, and what its collections hold.

use super::collections::{all_different, part_key, part_keys};
use super::lowering::{Lowering, ObjectKind, begin_of, known_function, tuple_parts};
use super::syntax::{Code, CodeKind};
use crate::term::{Term, Variable, arithmetic_sign, comparison_operator};
use rebut_diagnostics::Span;
use rebut_format::language::ComparisonOperator::{self, Equal, GreaterEqual, LessEqual, NotEqual};

/// Maximum nesting of constants in constants.
const MAX_CONSTANT_DEPTH: usize = 20;

const NO_VALUE: Term = Term::Unknown("it is computed by an operation that formats do not have");

impl Lowering {
    // Places.

    /// Returns the variable or the element that an expression names.
    pub(super) fn find_place(&mut self, expression: &Code) -> Option<Variable> {
        match expression.view() {
            (CodeKind::Name, ..) => self.named_place(expression).cloned(),
            (CodeKind::Member, part, [object]) => Some(self.find_place(object)?.select_part(part)),
            (CodeKind::Index, _, [array, index]) | (CodeKind::Method, "at", [array, index]) => {
                let mut place = self.find_place(array)?;
                place.indices.push(self.lower_value(index));
                Some(place)
            }
            (CodeKind::Method, end @ ("front" | "back"), [array]) => {
                let mut place = self.find_place(array)?;
                let is_first = end == "front";
                let at = if is_first { Term::Number(0) } else { self.length_of(&place)?.add_constant(-1) };
                place.indices.push(at);
                Some(place)
            }
            (CodeKind::Unary, "*" | "&", [inner]) => self.find_place(inner),
            _ => None,
        }
    }

    /// Returns the place of an array or a row of one.
    pub(super) fn array_place(&mut self, expression: &Code) -> Option<Variable> {
        let is_place = matches!(expression.kind, CodeKind::Name | CodeKind::Index);
        let place = if is_place { self.find_place(expression)? } else { return None };
        (self.kind_of(&place) == ObjectKind::Array).then_some(place)
    }

    /// Returns the variable for `a.begin(), a.end()`, or `a.begin(), a.begin() + n` for all `n` elements.
    pub(super) fn range_place(&mut self, arguments: &[Code]) -> Option<Variable> {
        let [first, last] = arguments else { return None };
        let array = begin_of(first)?;
        let place = self.find_place(array).filter(|place| place.indices.is_empty())?;
        let is_whole = match last.view() {
            (CodeKind::Method, "end", [same]) => same == array,
            (CodeKind::Binary, "+", [same, more]) => {
                same == first && self.length_of(&place) == Some(self.lower_value(more))
            }
            _ => false,
        };
        is_whole.then_some(place)
    }

    /// Returns the number of elements of an array or of letters of a text.
    pub(super) fn length_of(&mut self, place: &Variable) -> Option<Term> {
        let object = self.objects.get(&place.name)?;
        let row = self.objects.get(&format!("{}[]", place.name));
        match (object.kind, row) {
            (ObjectKind::Array, _) if place.indices.is_empty() => object.length.clone(),
            (ObjectKind::Array, Some(row)) => row.length.clone(),
            // A text, or one of an array of texts.
            (ObjectKind::Text | ObjectKind::Array, _) => Some(text_length(place)),
            _ => None,
        }
    }

    // Values.

    /// Lowers a value. Its reads come before it.
    pub(super) fn lower_value(&mut self, expression: &Code) -> Term {
        match expression.view() {
            (CodeKind::Number, ..) => expression.as_number().map_or(NO_VALUE, Term::Number),
            (CodeKind::Decimal, text, _) => Term::Decimal(text.to_owned()),
            (CodeKind::Text | CodeKind::Letter, text, _) => text_term(text),
            (CodeKind::Truth, ..) => Term::Number(i128::from(expression.is_truth(true))),
            (CodeKind::Name, name, _) => match (limit_of_type(name), self.find_place(expression)) {
                (Some(number), _) => Term::Number(number),
                (None, None) => NO_VALUE,
                (None, Some(place)) => match self.kind_of(&place) {
                    ObjectKind::Collection | ObjectKind::Object => Term::Unknown("it refers to a collection of values"),
                    _ => Term::Variable(place),
                },
            },
            (CodeKind::Unary, "-", [inner]) => Term::Minus(Box::new(self.lower_value(inner))),
            (CodeKind::Unary, "+", [inner]) => self.lower_value(inner),
            // `*max_element(a.begin(), a.end())`
            (CodeKind::Unary, "*", [inner]) => match (inner.view(), self.range_place(&inner.parts)) {
                ((CodeKind::Call, "max_element", _), Some(place)) => Term::ArrayFold("max", place.name),
                ((CodeKind::Call, "min_element", _), Some(place)) => Term::ArrayFold("min", place.name),
                _ => NO_VALUE,
            },
            (CodeKind::Binary, sign, [left, right]) => self.lower_operation(sign, left, right).unwrap_or(NO_VALUE),
            (CodeKind::Choice, _, [test, left, right]) => {
                let test = self.lower_test(test);
                match test.constant_truth() {
                    Some(holds) => self.lower_value(if holds { left } else { right }),
                    None => Term::new_conditional(test, self.lower_value(left), self.lower_value(right)),
                }
            }
            _ if expression.is_read() => self.lower_read(expression, None).unwrap_or(NO_VALUE),
            (CodeKind::Method, method, [object, arguments @ ..]) => {
                self.lower_method_value(expression, object, method, arguments)
            }
            (CodeKind::Call, name, arguments) => self.lower_function_value(name, arguments),
            (CodeKind::Index, _, [array, index]) => self.lower_element(array, index),
            (CodeKind::Member, ..) => self.find_place(expression).map_or(NO_VALUE, Term::Variable),
            (CodeKind::Assign, sign @ ("+=" | "-="), [to, value]) => {
                self.lower_assignment(sign, to, value, expression.span);
                self.find_place(to).map_or(NO_VALUE, Term::Variable)
            }
            _ => NO_VALUE,
        }
    }

    fn lower_operation(&mut self, sign: &str, left: &Code, right: &Code) -> Option<Term> {
        let (left, right) = (self.lower_value(left), self.lower_value(right));
        let constants = left.constant_value().zip(right.constant_value());
        let power = |by: Option<i128>| Some(1_i128 << u32::try_from(by?).ok().filter(|by| *by < 120)?);
        Some(match (sign, constants) {
            ("*", _) if left == Term::Number(1) => right,
            ("*", _) if right == Term::Number(1) => left,
            ("+" | "-" | "*" | "/" | "%", _) => Term::new_binary(arithmetic_sign(sign)?, left, right),
            ("<<", Some((left, right))) => Term::Number(left.checked_mul(power(Some(right))?)?),
            ("<<", None) if left == Term::Number(1) => Term::new_binary("^", Term::Number(2), right),
            ("<<", None) => Term::new_binary("*", left, Term::Number(power(right.constant_value())?)),
            (">>", _) => Term::new_binary("/", left, Term::Number(power(right.constant_value())?)),
            ("&", Some((left, right))) => Term::Number(left & right),
            ("&", None) if right == Term::Number(1) => Term::new_binary("%", left, Term::Number(2)),
            ("|", Some((left, right))) => Term::Number(left | right),
            ("^", _) => Term::Call("xor", vec![left, right]),
            _ => return None,
        })
    }

    fn lower_element(&mut self, array: &Code, index: &Code) -> Term {
        if let Some((key, pair)) = self.pair_of_indices(array, index) {
            let is_pair = self.objects.get(&key).is_some_and(|object| object.parts == 2) || self.is_collected(&key);
            if is_pair && !pair.iter().any(|part| self.is_counter(part)) {
                return Term::PairOccurrences(key, pair.map(|part| self.lower_value(&part)).to_vec());
            }
        }
        let Some(mut place) = self.find_place(array) else {
            return Term::Unknown("it refers to an element of something unknown");
        };
        let is_counter = self.is_counter(index);
        let index = self.lower_value(index);
        // A number of times that a value was counted, or whether it was.
        if let Some(object) = self.objects.get(&place.name)
            && place.indices.is_empty()
            && object.parts <= 1
            && (!object.collected.is_empty() || !is_counter && self.is_collected(&place.name))
        {
            return Term::Occurrences(Box::new(index), part_key(&place.name, 0));
        }
        place.indices.push(index);
        Term::Variable(place)
    }

    /// Returns true if an open loop puts values into a collection.
    fn is_collected(&self, key: &str) -> bool {
        self.loops.iter().any(|open| self.inserts_into(&open.body, key))
    }

    fn lower_method_value(&mut self, call: &Code, object: &Code, method: &str, arguments: &[Code]) -> Term {
        let unknown = Term::Unknown("it calls a method that formats do not have");
        let Some(place) = self.find_place(object) else { return unknown };
        let is_collection = self.kind_of(&place) == ObjectKind::Collection;
        match (method, arguments) {
            ("size" | "length", []) if is_collection => {
                let parts = self.objects.get(&place.name).map_or(1, |object| object.parts);
                Term::DifferentValues(part_keys(&place.name, parts.max(1)))
            }
            ("size" | "length", []) => self.length_of(&place).unwrap_or_else(|| text_length(&place)),
            ("count" | "contains", [value]) if is_collection => self.lower_occurrences(&place.name, value),
            ("at" | "back" | "front", _) => self.find_place(call).map_or(unknown, Term::Variable),
            ("erase" | "insert" | "emplace" | "append" | "assign" | "replace" | "extract", _) => {
                self.forget_contents(&place, call.span);
                unknown
            }
            _ => unknown,
        }
    }

    /// Returns how often a value is in a collection.
    fn lower_occurrences(&mut self, key: &str, value: &Code) -> Term {
        match &*self.resolve_tuple(tuple_parts(value)) {
            [single] => Term::Occurrences(Box::new(self.lower_value(single)), part_key(key, 0)),
            parts => Term::PairOccurrences(key.to_owned(), parts.iter().map(|part| self.lower_value(part)).collect()),
        }
    }

    fn lower_function_value(&mut self, name: &str, arguments: &[Code]) -> Term {
        let unknown = Term::Unknown("it calls a function that formats do not have");
        let list = match arguments {
            [list] if list.kind == CodeKind::List => &list.parts,
            other => other,
        };
        match (name, list) {
            ("min" | "max", [_, _, ..]) => {
                let name = if name == "min" { "min" } else { "max" };
                let values: Vec<Term> = list.iter().map(|item| self.lower_value(item)).collect();
                let join = |left, right| Term::Call(name, vec![left, right]);
                return values.into_iter().reduce(join).unwrap_or(unknown);
            }
            ("pow" | "powl", [base, exponent]) => {
                return Term::new_binary("^", self.lower_value(base), self.lower_value(exponent));
            }
            // `accumulate(a.begin(), a.end(), 0)`, `count(s.begin(), s.end(), 'x')`
            ("accumulate" | "count", [range @ .., value]) => {
                if let Some(place) = self.range_place(range) {
                    let is_text = self.kind_of(&place) == ObjectKind::Text;
                    return match (name, self.lower_value(value)) {
                        ("accumulate", start) => {
                            let sum = Term::ArrayFold("sum", place.name);
                            let is_zero = matches!(&start, Term::Decimal(text) if text.parse() == Ok(0.0));
                            if is_zero { sum } else { Term::new_binary("+", sum, start) }
                        }
                        (_, value) if is_text => Term::LetterCount(Box::new(Term::Variable(place)), Box::new(value)),
                        (_, value) => Term::Occurrences(Box::new(value), place.name),
                    };
                }
            }
            _ => {}
        }
        let function = self.called_function(name);
        match known_function(function.as_ref().map_or(name, |function| &function.text)) {
            Some(name) if arguments.len() == if name == "gcd" { 2 } else { 1 } => {
                Term::Call(name, arguments.iter().map(|argument| self.lower_value(argument)).collect())
            }
            Some(_) => unknown,
            None => {
                let changes = ["unique", "permutation", "remove", "rotate", "partition"];
                if function.is_none() && changes.iter().any(|word| name.contains(word)) {
                    self.forget_arguments(arguments, arguments.first().map_or(Span::default(), |first| first.span));
                }
                let returned = function.and_then(|found| self.lower_returned(&found, arguments, Self::lower_value));
                returned.unwrap_or(unknown)
            }
        }
    }

    // Conditions.

    pub(super) fn lower_test(&mut self, test: &Code) -> Term {
        match test.view() {
            _ if let Some(holds) = self.known_test(test) => Term::new_truth(holds),
            (CodeKind::Truth, ..) => Term::new_truth(test.is_truth(true)),
            (CodeKind::Unary, "!", [inner]) => self.lower_test(inner).into_negated(),
            (CodeKind::Binary, sign @ ("&&" | "and" | "||" | "or"), [left, right]) => {
                let parts = [self.lower_test(left), self.lower_test(right)];
                Term::join_conditions(matches!(sign, "&&" | "and"), parts)
            }
            (CodeKind::Binary, sign, [left, right]) => match comparison_operator(sign) {
                Some(sign) => self.lower_comparison(sign, left, right),
                None => self.as_test(test),
            },
            (CodeKind::Method, ..) => match self.negated_ending_test(test) {
                Some(term) => term.into_negated(),
                None => self.as_test(test),
            },
            (CodeKind::Call, name, arguments) => {
                if let Some(term) = self.lower_library_test(name, arguments) {
                    return term;
                }
                let function = self.called_function(name).filter(|f| known_function(&f.text).is_none());
                let returned = function.and_then(|found| self.lower_returned(&found, arguments, Self::lower_test));
                returned.unwrap_or_else(|| self.as_test(test))
            }
            _ => self.as_test(test),
        }
    }

    /// Lowers the value of a call of a function that only returns an expression: with the arguments in place of the
    /// parameters.
    fn lower_returned(
        &mut self,
        function: &Code,
        arguments: &[Code],
        lower: impl FnOnce(&mut Self, &Code) -> Term,
    ) -> Option<Term> {
        let (parameters, [body]) = function.signature() else { return None };
        let (CodeKind::Return, _, [value]) = body.view() else { return None };
        let replaced = replace_names(value, &|name| {
            let at = parameters.iter().position(|parameter| &*parameter.text == name)?;
            arguments.get(at).cloned()
        });
        self.within_call(function, |this| lower(this, &replaced))
    }

    /// Lowers tests of the standard library: of the kind of a letter, of order.
    fn lower_library_test(&mut self, name: &str, arguments: &[Code]) -> Option<Term> {
        let ranges: &[(u8, u8)] = match name {
            "isdigit" => &[(b'0', b'9')],
            "islower" => &[(b'a', b'z')],
            "isupper" => &[(b'A', b'Z')],
            "isalpha" => &[(b'A', b'Z'), (b'a', b'z')],
            "isalnum" => &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')],
            "is_sorted" => return self.range_place(arguments).map(|place| Term::ArrayOrder("sorted", place.name)),
            _ => return None,
        };
        let [letter] = arguments else { return None };
        let letter = self.lower_value(letter);
        let within = |(first, last): &(u8, u8)| {
            let side = |sign, bound: u8| Term::new_comparison(letter.clone(), sign, Term::Text(vec![bound]));
            Term::All(vec![side(GreaterEqual, *first), side(LessEqual, *last)])
        };
        Some(Term::join_all(false, ranges.iter().map(within).collect()))
    }

    fn lower_comparison(&mut self, sign: ComparisonOperator, left: &Code, right: &Code) -> Term {
        let negate_if_equal = |term: Term| if sign == Equal { term.into_negated() } else { term };
        if matches!(sign, Equal | NotEqual) {
            // `s.find(x) == s.end()`
            if let ((CodeKind::Method, "find", [object, value]), (CodeKind::Method, "end", _)) =
                (left.view(), right.view())
                && let Some(place) = self.find_place(object)
            {
                let occurrences = self.lower_occurrences(&place.name, value);
                return negate_if_equal(Term::new_comparison(occurrences, GreaterEqual, Term::Number(1)));
            }
            // `n & (n - 1)` is 0 for powers of two, and for 0.
            if let (CodeKind::Binary, "&", [number, before]) = left.view()
                && let (CodeKind::Binary, "-", [same, one]) = before.view()
                && (same, one.as_number(), right.as_number()) == (number, Some(1), Some(0))
            {
                return negate_if_equal(Term::IsPowerOfTwo(Box::new(self.lower_value(number))).into_negated());
            }
            if right.kind == CodeKind::Truth {
                let test = self.lower_test(left);
                return if right.is_truth(true) == (sign == Equal) { test } else { test.into_negated() };
            }
            if self.is_truth(left) && self.is_truth(right) {
                return Term::Unknown("it compares two conditions");
            }
        }
        Term::new_comparison(self.lower_value(left), sign, self.lower_value(right))
    }

    fn is_truth(&mut self, expression: &Code) -> bool {
        match self.find_place(expression) {
            Some(place) => self.kind_of(&place) == ObjectKind::Truth,
            None => expression.kind == CodeKind::Truth,
        }
    }

    /// Lowers a value that is used as a condition.
    fn as_test(&mut self, test: &Code) -> Term {
        match test.view() {
            (CodeKind::Method, "empty", [object]) => {
                if let Some(length) = self.find_place(object).and_then(|place| self.length_of(&place)) {
                    return Term::new_comparison(length, Equal, Term::Number(0));
                }
            }
            // `s.insert(x).second`
            (CodeKind::Member, "second", [call]) => {
                if let (CodeKind::Method, "insert" | "emplace", [object, arguments @ ..]) = call.view()
                    && let Some(place) = self.find_place(object)
                {
                    self.insert(&place.name, arguments, test.span);
                    return all_different(&place.name);
                }
            }
            _ => {}
        }
        if self.is_truth(test) {
            return self.find_place(test).map_or(Term::Unknown("it is unknown"), Term::Variable);
        }
        match self.lower_value(test) {
            Term::Unknown(reason) => Term::Unknown(reason),
            value @ (Term::Occurrences(..) | Term::PairOccurrences(..)) => {
                Term::new_comparison(value, GreaterEqual, Term::Number(1))
            }
            value if value.is_condition() => value,
            value => Term::new_comparison(value, NotEqual, Term::Number(0)),
        }
    }

    /// Returns whether a comparison holds of texts that are known, such as the group of tests.
    fn known_test(&mut self, test: &Code) -> Option<bool> {
        match test.view() {
            (CodeKind::Binary, sign @ ("==" | "!="), [left, right]) => {
                let [left_text, right_text] = [self.known_text(left)?, self.known_text(right)?];
                let is_equal = left_text == right_text;
                match [self.is_group(left), self.is_group(right)] {
                    [true, false] => self.note_group(right_text, test.span),
                    [false, true] => self.note_group(left_text, test.span),
                    _ => {}
                }
                Some(is_equal == (sign == "=="))
            }
            (CodeKind::Method, "empty", [text]) => {
                let is_empty = self.known_text(text)?.is_empty();
                if self.is_group(text) {
                    self.note_group(String::new(), test.span);
                }
                Some(is_empty)
            }
            _ => None,
        }
    }

    /// Returns true if an expression is the group of tests, or a variable that is.
    fn is_group(&self, expression: &Code) -> bool {
        let is_call = |code: &Code| matches!(code.view(), (CodeKind::Method, "group", _));
        let named = self.named_place(expression).and_then(|place| self.objects.get(&place.name)?.constant.as_ref());
        is_call(expression) || named.is_some_and(is_call)
    }

    /// Notes a group of tests. Whether there is one at all is no constraint of any group.
    fn note_group(&mut self, group: String, span: Span) {
        if group.is_empty() {
            self.warn_lossy(span, "it depends on whether tests have a group", "it is as for tests without");
        } else {
            self.compared_groups.entry(group).or_insert(span);
        }
    }

    /// Returns the text of a constant expression without numbers.
    fn known_text(&mut self, expression: &Code) -> Option<String> {
        let is_text = matches!(expression.kind, CodeKind::Text | CodeKind::Name | CodeKind::Method);
        let parts = if is_text { self.lower_text(expression, 0)? } else { return None };
        let to_letters =
            |part: Term| if let Term::Text(letters) = part { String::from_utf8(letters).ok() } else { None };
        parts.into_iter().map(to_letters).collect()
    }

    // Texts with numbers in them.

    /// Returns the text of a constant expression, with the value of each number in it.
    pub(super) fn lower_text(&mut self, expression: &Code, depth: usize) -> Option<Vec<Term>> {
        match expression.view() {
            _ if depth > MAX_CONSTANT_DEPTH => None,
            (CodeKind::Text | CodeKind::Letter, text, _) => Some(vec![text_term(text)]),
            (CodeKind::Binary, "+", [left, right]) => {
                let mut parts = self.lower_text(left, depth + 1)?;
                parts.extend(self.lower_text(right, depth + 1)?);
                Some(parts)
            }
            (CodeKind::Name, ..) => {
                let place = self.find_place(expression)?;
                let constant = self.objects.get(&place.name)?.constant.clone()?;
                self.lower_text(&constant, depth + 1)
            }
            (CodeKind::Method, "group", [_]) => Some(vec![text_term(&self.group)]),
            // Sets of tests are named on the command line only.
            (CodeKind::Method, "testset", [_]) => Some(vec![text_term("")]),
            (CodeKind::Call, "to_string" | "toString" | "vtos", [number]) => Some(vec![self.lower_value(number)]),
            (CodeKind::Call, "string", [text]) | (CodeKind::Method, "c_str", [text]) => {
                self.lower_text(text, depth + 1)
            }
            (CodeKind::Call, "format" | "testlib_format_", [pattern, values @ ..])
                if pattern.kind == CodeKind::Text =>
            {
                self.lower_printed_text(&pattern.text, values)
            }
            _ => None,
        }
    }

    /// Returns the text of `format("[a-z]{1,%d}", n)`.
    fn lower_printed_text(&mut self, mut rest: &str, values: &[Code]) -> Option<Vec<Term>> {
        let (mut parts, mut values) = (Vec::new(), values.iter());
        while let Some((before, after)) = rest.split_once('%') {
            let end = after.find(|c: char| c.is_ascii_alphabetic() && c != 'l')?;
            rest = after[end..].strip_prefix(['d', 'u', 'i'])?;
            parts.extend([text_term(before), self.lower_value(values.next()?)]);
        }
        parts.push(text_term(rest));
        Some(parts)
    }
}

fn text_term(text: &str) -> Term {
    Term::Text(text.as_bytes().to_vec())
}

pub(super) fn text_length(place: &Variable) -> Term {
    Term::TextLength(Box::new(Term::Variable(place.clone())))
}

/// Returns an expression with some names replaced.
fn replace_names(expression: &Code, with: &dyn Fn(&str) -> Option<Code>) -> Code {
    if let Some(replaced) = expression.as_name().and_then(with) {
        return replaced;
    }
    let parts = expression.parts.iter().map(|part| replace_names(part, with)).collect();
    Code { parts, ..expression.clone() }
}

/// Returns the limits of types that programs name.
fn limit_of_type(name: &str) -> Option<i128> {
    Some(match name {
        "INT_MAX" => i128::from(i32::MAX),
        "INT_MIN" => i128::from(i32::MIN),
        "LLONG_MAX" | "LONG_LONG_MAX" | "INT64_MAX" => i128::from(i64::MAX),
        "LLONG_MIN" | "INT64_MIN" => i128::from(i64::MIN),
        "UINT_MAX" => i128::from(u32::MAX),
        "ULLONG_MAX" => i128::from(u64::MAX),
        _ => return None,
    })
}
