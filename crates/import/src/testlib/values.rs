//! Expressions of a validator to terms, and what its collections hold.

use super::collections::{inserts_into, part_key, tuple_parts};
use super::lowering::{Binding, Lowering, ObjectKind, comparison_operator, is_read, new_variable};
use super::syntax::{Expression, ExpressionKind, Function, Statement, StatementKind};
use crate::term::{Term, Variable};
use rebut_format::language::ComparisonOperator::{self, Equal, GreaterEqual, LessEqual, NotEqual};

/// Maximum nesting of constants in constants.
const MAX_CONSTANT_DEPTH: usize = 20;

impl<'p> Lowering<'p> {
    // Places.

    /// Returns the variable or the element that an expression names.
    pub(super) fn find_place(&mut self, expression: &Expression) -> Option<Variable> {
        match &expression.kind {
            ExpressionKind::Name(name) => match self.find_binding(name)? {
                Binding::Variable(key) => Some(new_variable(key)),
                Binding::Place(place) => Some(place.clone()),
                Binding::Function(_) => None,
            },
            ExpressionKind::Member(object, part) => {
                let place = self.find_place(object)?;
                Some(place.select_part(part))
            }
            ExpressionKind::Index(array, index) => {
                let mut place = self.find_place(array)?;
                place.indices.push(self.lower_value(index));
                Some(place)
            }
            ExpressionKind::Call(..) => match expression.as_method_call()? {
                (array, "at", [index]) => {
                    let mut place = self.find_place(array)?;
                    place.indices.push(self.lower_value(index));
                    Some(place)
                }
                (array, "front", []) => {
                    let mut place = self.find_place(array)?;
                    place.indices.push(Term::Number(0));
                    Some(place)
                }
                (array, "back", []) => {
                    let mut place = self.find_place(array)?;
                    let length = self.length_of(&place)?;
                    place.indices.push(length.add_constant(-1));
                    Some(place)
                }
                _ => None,
            },
            ExpressionKind::Unary(sign, inner) if sign == "*" || sign == "&" => self.find_place(inner),
            _ => None,
        }
    }

    /// Returns the place of an array or a row of one.
    pub(super) fn array_place(&mut self, expression: &Expression) -> Option<Variable> {
        let is_place = matches!(expression.kind, ExpressionKind::Name(_) | ExpressionKind::Index(..));
        let place = if is_place { self.find_place(expression)? } else { return None };
        (self.objects.get(&place.name)?.kind == ObjectKind::Array).then_some(place)
    }

    /// Returns the number of elements of an array or of letters of a text.
    pub(super) fn length_of(&mut self, place: &Variable) -> Option<Term> {
        let object = self.objects.get(&place.name)?;
        match object.kind {
            ObjectKind::Text => Some(Term::TextLength(Box::new(Term::Variable(place.clone())))),
            ObjectKind::Array if place.indices.is_empty() => object.length.clone(),
            // A row of an array of texts or of arrays.
            ObjectKind::Array => match self.objects.get(&format!("{}[]", place.name)) {
                Some(row) => row.length.clone(),
                None => Some(Term::TextLength(Box::new(Term::Variable(place.clone())))),
            },
            _ => None,
        }
    }

    // Values.

    /// Lowers a value. Its reads come before it.
    pub(super) fn lower_value(&mut self, expression: &Expression) -> Term {
        const NO_VALUE: Term = Term::Unknown("it is computed by an operation that formats do not have");
        match &expression.kind {
            ExpressionKind::Number(number) => Term::Number(*number),
            ExpressionKind::Decimal(text) => Term::Decimal(text.clone()),
            ExpressionKind::Text(text) => Term::Text(text.clone()),
            ExpressionKind::Letter(letter) => Term::Text(vec![*letter]),
            ExpressionKind::Truth(truth) => Term::Number(i128::from(*truth)),
            ExpressionKind::Name(name) => match limit_of_type(name) {
                Some(number) => Term::Number(number),
                None => self.find_place(expression).map_or(NO_VALUE, |place| self.value_of_place(place)),
            },
            ExpressionKind::Unary(sign, inner) => match &**sign {
                "-" => Term::Minus(Box::new(self.lower_value(inner))),
                "+" => self.lower_value(inner),
                "*" => self.lower_fold_of_range(inner).unwrap_or(NO_VALUE),
                _ => NO_VALUE,
            },
            ExpressionKind::Binary(sign, left, right) => self.lower_operation(sign, left, right).unwrap_or(NO_VALUE),
            ExpressionKind::Choice(test, left, right) => {
                let (test, left, right) = (self.lower_test(test), self.lower_value(left), self.lower_value(right));
                Term::Conditional(Box::new(test), Box::new(left), Box::new(right))
            }
            _ if is_read(expression) => self.lower_read(expression, None).unwrap_or(NO_VALUE),
            ExpressionKind::Call(callee, arguments) => match expression.as_method_call() {
                Some((object, method, arguments)) => self.lower_method_value(object, method, arguments),
                None => self.lower_function_value(callee, arguments),
            },
            ExpressionKind::Index(array, index) => self.lower_element(array, index),
            ExpressionKind::Member(..) => self.find_place(expression).map_or(NO_VALUE, Term::Variable),
            ExpressionKind::Assign(sign, to, by) if sign == "+=" || sign == "-=" => match self.find_place(to) {
                Some(place) => {
                    let sign = if sign == "+=" { "+" } else { "-" };
                    let by = self.lower_value(by);
                    let value = Term::new_binary(sign, Term::Variable(place.clone()), by);
                    self.assign_variable(place.clone(), value, expression.span);
                    Term::Variable(place)
                }
                None => NO_VALUE,
            },
            ExpressionKind::Assign(..)
            | ExpressionKind::List(_)
            | ExpressionKind::Lambda(_)
            | ExpressionKind::Other => NO_VALUE,
        }
    }

    fn value_of_place(&mut self, place: Variable) -> Term {
        match self.objects.get(&place.name).map(|object| object.kind) {
            Some(ObjectKind::Collection | ObjectKind::Object) => Term::Unknown("it refers to a collection of values"),
            _ => Term::Variable(place),
        }
    }

    fn lower_operation(&mut self, sign: &str, left: &Expression, right: &Expression) -> Option<Term> {
        let (left, right) = (self.lower_value(left), self.lower_value(right));
        let constants = left.constant_value().zip(right.constant_value());
        let shift = |by: i128| u32::try_from(by).ok().filter(|by| *by < 120).map(|by| 1_i128 << by);
        Some(match (sign, constants) {
            ("+" | "-", _) => {
                let sign = if sign == "+" { "+" } else { "-" };
                Term::new_binary(sign, left, right)
            }
            ("*", _) if left == Term::Number(1) => right,
            ("*", _) if right == Term::Number(1) => left,
            ("*", _) => Term::new_binary("*", left, right),
            ("/", _) => Term::new_binary("/", left, right),
            ("%", _) => Term::new_binary("%", left, right),
            ("<<", _) if left == Term::Number(1) && right.constant_value().is_none() => {
                Term::new_binary("^", Term::Number(2), right)
            }
            ("<<", _) if right.constant_value().is_some() => {
                let factor = shift(right.constant_value()?)?;
                match left.constant_value() {
                    Some(number) => Term::Number(number.checked_mul(factor)?),
                    None => Term::new_binary("*", left, Term::Number(factor)),
                }
            }
            (">>", _) => Term::new_binary("/", left, Term::Number(shift(right.constant_value()?)?)),
            ("&", Some((left, right))) => Term::Number(left & right),
            ("&", None) if right == Term::Number(1) => Term::new_binary("%", left, Term::Number(2)),
            ("|", Some((left, right))) => Term::Number(left | right),
            ("^", _) => Term::Call("xor", vec![left, right]),
            _ => return None,
        })
    }

    fn lower_element(&mut self, array: &Expression, index: &Expression) -> Term {
        if let Some((key, pair)) = self.pair_of_indices(array, index) {
            let collects = |this: &Self| this.loops.iter().any(|open| inserts_into(open.body, &key, this));
            let is_pair = self.objects.get(&key).is_some_and(|object| object.parts == 2) || collects(self);
            if is_pair && !pair.iter().any(|part| self.is_counter(part)) {
                return Term::PairOccurrences(key);
            }
        }
        let Some(place) = self.find_place(array) else {
            return Term::Unknown("it refers to an element of something unknown");
        };
        let is_counter = self.is_counter(index);
        let index = self.lower_value(index);
        // A number of times that a value was counted, or whether it was.
        if let Some(object) = self.objects.get(&place.name)
            && place.indices.is_empty()
            && object.parts <= 1
        {
            let collects = || self.loops.iter().any(|open| inserts_into(open.body, &place.name, self));
            if !object.collected.is_empty() || !is_counter && collects() {
                return Term::Occurrences(Box::new(index), part_key(&place.name, 0));
            }
        }
        let mut place = place;
        place.indices.push(index);
        Term::Variable(place)
    }

    fn lower_method_value(&mut self, object: &Expression, method: &str, arguments: &[Expression]) -> Term {
        let unknown = Term::Unknown("it calls a method that formats do not have");
        let Some(place) = self.find_place(object) else {
            // `set<int>(a.begin(), a.end()).size()`
            if let (Some(("set" | "unordered_set", [first, _])), "size") = (object.as_call(), method)
                && let Some((array, "begin", _)) = first.as_method_call()
                && let Some(array) = self.array_place(array)
                && array.indices.is_empty()
            {
                return Term::DifferentValues(vec![array.name]);
            }
            return unknown;
        };
        let kind = self.objects.get(&place.name).map(|object| object.kind);
        match (method, arguments) {
            ("size" | "length", []) if kind == Some(ObjectKind::Collection) => {
                let parts = self.objects.get(&place.name).map_or(1, |object| object.parts);
                let keys = (0..parts.max(1)).map(|part| part_key(&place.name, part)).collect();
                Term::DifferentValues(keys)
            }
            ("size" | "length", []) => {
                let length = self.length_of(&place);
                length.unwrap_or_else(|| Term::TextLength(Box::new(Term::Variable(place))))
            }
            ("count" | "contains", [value]) if kind == Some(ObjectKind::Collection) => {
                self.lower_occurrences(&place.name, value)
            }
            ("at" | "back" | "front", _) => {
                let call = |kind| Expression { kind, span: object.span };
                let member = ExpressionKind::Member(Box::new(object.clone()), method.to_owned());
                let whole = call(ExpressionKind::Call(Box::new(call(member)), arguments.to_vec()));
                self.find_place(&whole).map_or(unknown, Term::Variable)
            }
            _ => unknown,
        }
    }

    /// Returns how often a value is in a collection.
    fn lower_occurrences(&mut self, key: &str, value: &Expression) -> Term {
        let parts = self.resolve_tuple(tuple_parts(value));
        match &*parts {
            [single] => {
                let value = self.lower_value(single);
                Term::Occurrences(Box::new(value), part_key(key, 0))
            }
            _ => Term::PairOccurrences(key.to_owned()),
        }
    }

    fn lower_function_value(&mut self, callee: &Expression, arguments: &[Expression]) -> Term {
        let unknown = Term::Unknown("it calls a function that formats do not have");
        let Some(name) = callee.as_name() else { return unknown };
        let list = match arguments {
            [Expression { kind: ExpressionKind::List(items), .. }] => items,
            other => other,
        };
        match (name, list.len()) {
            ("min" | "max", 2..) => {
                let name = if name == "min" { "min" } else { "max" };
                let values: Vec<Term> = list.iter().map(|item| self.lower_value(item)).collect();
                let join = |left, right| Term::Call(name, vec![left, right]);
                return values.into_iter().reduce(join).unwrap_or(unknown);
            }
            ("abs" | "llabs" | "labs" | "fabs", 1) => return Term::Call("abs", vec![self.lower_value(&list[0])]),
            ("gcd" | "__gcd", 2) => {
                return Term::Call("gcd", vec![self.lower_value(&list[0]), self.lower_value(&list[1])]);
            }
            ("pow" | "powl", 2) => {
                let (base, exponent) = (self.lower_value(&list[0]), self.lower_value(&list[1]));
                return Term::new_binary("^", base, exponent);
            }
            ("accumulate" | "count", _) => {
                if let Some(value) = self.lower_fold_call(name, arguments) {
                    return value;
                }
            }
            _ => {}
        }
        let Some(function) = self.called_function(callee) else { return unknown };
        match self.known_function(&function.name) {
            Some(name) if arguments.len() == if name == "gcd" { 2 } else { 1 } => {
                Term::Call(name, arguments.iter().map(|argument| self.lower_value(argument)).collect())
            }
            Some(_) => unknown,
            None => returned_expression(&function, arguments).map_or(unknown, |value| self.lower_value(&value)),
        }
    }

    /// Returns the name in formats of a function that is usual in validators.
    pub(super) fn known_function(&self, name: &str) -> Option<&'static str> {
        let name = name.to_ascii_lowercase().replace('_', "");
        match &*name {
            "isprime" | "prime" | "checkprime" | "primecheck" => Some("prime"),
            "gcd" | "gcdll" | "mygcd" | "gcdlong" | "computegcd" => Some("gcd"),
            _ => None,
        }
    }

    /// Lowers `accumulate(a.begin(), a.end(), 0)` and `count(s.begin(), s.end(), 'x')`.
    fn lower_fold_call(&mut self, name: &str, arguments: &[Expression]) -> Option<Term> {
        let (array, "begin", _) = arguments.first()?.as_method_call()? else { return None };
        let place = self.find_place(array)?;
        if !place.indices.is_empty() {
            return None;
        }
        let is_text = self.objects.get(&place.name)?.kind == ObjectKind::Text;
        match name {
            "accumulate" => Some(Term::ArrayFold("sum", place.name)),
            _ if is_text => {
                let letter = self.lower_value(arguments.get(2)?);
                Some(Term::LetterCount(Box::new(Term::Variable(place)), Box::new(letter)))
            }
            _ => {
                let value = self.lower_value(arguments.get(2)?);
                Some(Term::Occurrences(Box::new(value), place.name))
            }
        }
    }

    /// Lowers `max_element(a.begin(), a.end())`, which is dereferenced.
    fn lower_fold_of_range(&mut self, expression: &Expression) -> Option<Term> {
        let (name, arguments) = expression.as_call()?;
        let (array, "begin", _) = arguments.first()?.as_method_call()? else { return None };
        let place = self.find_place(array).filter(|place| place.indices.is_empty())?;
        match name {
            "max_element" => Some(Term::ArrayFold("max", place.name)),
            "min_element" => Some(Term::ArrayFold("min", place.name)),
            _ => None,
        }
    }

    // Conditions.

    /// Lowers a condition.
    pub(super) fn lower_test(&mut self, test: &Expression) -> Term {
        match &test.kind {
            ExpressionKind::Truth(true) => Term::All(Vec::new()),
            ExpressionKind::Truth(false) => Term::Any(Vec::new()),
            ExpressionKind::Unary(sign, inner) if sign == "!" => self.lower_test(inner).into_negated(),
            ExpressionKind::Binary(sign, left, right) => match &**sign {
                "&&" | "and" => Term::All(vec![self.lower_test(left), self.lower_test(right)]),
                "||" | "or" => Term::Any(vec![self.lower_test(left), self.lower_test(right)]),
                sign => match comparison_operator(sign) {
                    Some(sign) => self.lower_comparison(sign, left, right),
                    None => self.as_test(test),
                },
            },
            ExpressionKind::Call(callee, arguments) => {
                if let Some(term) = self.negated_ending_test(test) {
                    return term.into_negated();
                }
                if let Some(term) = self.lower_library_test(callee, arguments) {
                    return term;
                }
                if let Some(function) = self.called_function(callee)
                    && self.known_function(&function.name).is_none()
                    && let Some(value) = returned_expression(&function, arguments)
                {
                    return self.lower_test(&value);
                }
                self.as_test(test)
            }
            _ => self.as_test(test),
        }
    }

    /// Lowers tests of the standard library: of the kind of a letter, of order, of equal neighbours.
    fn lower_library_test(&mut self, callee: &Expression, arguments: &[Expression]) -> Option<Term> {
        let name = callee.as_name()?;
        let ranges: &[(u8, u8)] = match name {
            "isdigit" => &[(b'0', b'9')],
            "islower" => &[(b'a', b'z')],
            "isupper" => &[(b'A', b'Z')],
            "isalpha" => &[(b'A', b'Z'), (b'a', b'z')],
            "isalnum" => &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')],
            "is_sorted" => {
                let (array, "begin", _) = arguments.first()?.as_method_call()? else { return None };
                let place = self.find_place(array).filter(|place| place.indices.is_empty())?;
                return Some(Term::ArrayOrder("sorted", place.name));
            }
            _ => return None,
        };
        let [letter] = arguments else { return None };
        let letter = self.lower_value(letter);
        let within = |(first, last): &(u8, u8)| {
            let side = |sign, bound: u8| Term::new_comparison(letter.clone(), sign, Term::Text(vec![bound]));
            Term::All(vec![side(GreaterEqual, *first), side(LessEqual, *last)])
        };
        let mut parts: Vec<Term> = ranges.iter().map(within).collect();
        Some(if parts.len() == 1 { parts.remove(0) } else { Term::Any(parts) })
    }

    fn lower_comparison(&mut self, sign: ComparisonOperator, left: &Expression, right: &Expression) -> Term {
        // `s.find(x) == s.end()`, `s.insert(x).second == true`, `unique(...) == a.end()`
        if let Some((object, "end", [])) = right.as_method_call()
            && matches!(sign, Equal | NotEqual)
            && let Some(term) = self.lower_search(object, left)
        {
            return if sign == Equal { term.into_negated() } else { term };
        }
        if let Some(number) = power_of_two_test(left).filter(|_| right.kind == ExpressionKind::Number(0))
            && matches!(sign, Equal | NotEqual)
        {
            let claim = Term::IsPowerOfTwo(Box::new(self.lower_value(number)));
            return if sign == Equal { claim } else { claim.into_negated() };
        }
        if let (Some(left), Some(right)) = (self.pair_place(left), self.pair_place(right))
            && matches!(sign, Equal | NotEqual)
        {
            let part = |part: &str| {
                let side = |place: &Variable| Term::Variable(place.select_part(part));
                Term::new_comparison(side(&left), sign, side(&right))
            };
            let parts = vec![part("first"), part("second")];
            return if sign == Equal { Term::All(parts) } else { Term::Any(parts) };
        }
        if let ExpressionKind::Truth(truth) = right.kind
            && matches!(sign, Equal | NotEqual)
        {
            let test = self.lower_test(left);
            return if truth == (sign == Equal) { test } else { test.into_negated() };
        }
        if self.is_truth(left) && self.is_truth(right) && matches!(sign, Equal | NotEqual) {
            return Term::Unknown("it compares two conditions");
        }
        let (left, right) = (self.lower_value(left), self.lower_value(right));
        // A remainder of 1 of a number that is not negative.
        Term::new_comparison(left, sign, right)
    }

    /// Lowers what is compared with the end of a range; the result is whether something is found.
    fn lower_search(&mut self, object: &Expression, call: &Expression) -> Option<Term> {
        let at_least_one = |occurrences| Term::new_comparison(occurrences, GreaterEqual, Term::Number(1));
        if let Some((_, "find", [value])) = call.as_method_call() {
            let place = self.find_place(object)?;
            return Some(at_least_one(self.lower_occurrences(&place.name, value)));
        }
        let (name, arguments) = call.as_call()?;
        let (array, "begin", _) = arguments.first()?.as_method_call()? else { return None };
        let place = self.find_place(array).filter(|place| place.indices.is_empty())?;
        match name {
            "unique" | "adjacent_find" => Some(Term::Unique(vec![place.name]).into_negated()),
            "find" => {
                let value = self.lower_value(arguments.get(2)?);
                Some(at_least_one(Term::Occurrences(Box::new(value), place.name)))
            }
            _ => None,
        }
    }

    /// Returns the place of a pair.
    fn pair_place(&mut self, expression: &Expression) -> Option<Variable> {
        let place = self.find_place(expression)?;
        self.labels_pair(&place).then_some(place)
    }

    fn is_truth(&mut self, expression: &Expression) -> bool {
        match self.find_place(expression) {
            Some(place) => self.objects.get(&place.name).is_some_and(|object| object.kind == ObjectKind::Truth),
            None => matches!(expression.kind, ExpressionKind::Truth(_)),
        }
    }

    /// Lowers a value that is used as a condition.
    fn as_test(&mut self, test: &Expression) -> Term {
        if let Some((object, "empty", [])) = test.as_method_call()
            && let Some(place) = self.find_place(object)
            && let Some(length) = self.length_of(&place)
        {
            return Term::new_comparison(length, Equal, Term::Number(0));
        }
        // `s.insert(x).second`
        if let ExpressionKind::Member(call, part) = &test.kind
            && part == "second"
            && let Some((object, "insert" | "emplace", arguments)) = call.as_method_call()
            && let Some(place) = self.find_place(object)
        {
            self.insert(&place.name, arguments, test.span);
            return self.all_different(&place.name);
        }
        if self.is_truth(test) {
            return self.find_place(test).map_or(Term::Unknown("it is unknown"), Term::Variable);
        }
        let value = self.lower_value(test);
        match value {
            Term::Unknown(reason) => Term::Unknown(reason),
            Term::Occurrences(..) | Term::PairOccurrences(_) => {
                Term::new_comparison(value, GreaterEqual, Term::Number(1))
            }
            value if value.is_condition() => value,
            Term::Call("prime", arguments) => Term::Call("prime", arguments),
            value => Term::new_comparison(value, NotEqual, Term::Number(0)),
        }
    }

    // Texts with numbers in them.

    /// Returns the text of a constant expression, with the value of each number in it.
    pub(super) fn lower_text(&mut self, expression: &Expression, depth: usize) -> Option<Vec<TextPart>> {
        if depth > MAX_CONSTANT_DEPTH {
            return None;
        }
        Some(match &expression.kind {
            ExpressionKind::Text(text) => vec![TextPart::Letters(text.clone())],
            ExpressionKind::Letter(letter) => vec![TextPart::Letters(vec![*letter])],
            ExpressionKind::Binary(sign, left, right) if sign == "+" => {
                let mut parts = self.lower_text(left, depth + 1)?;
                parts.extend(self.lower_text(right, depth + 1)?);
                parts
            }
            ExpressionKind::Name(_) => {
                let place = self.find_place(expression)?;
                let constant = self.objects.get(&place.name)?.constant.clone()?;
                self.lower_text(&constant, depth + 1)?
            }
            ExpressionKind::Call(..) => match expression.as_call() {
                Some(("to_string" | "toString" | "vtos", [number])) => vec![TextPart::Number(self.lower_value(number))],
                Some(("string", [text])) => self.lower_text(text, depth + 1)?,
                Some(("format" | "testlib_format_", [pattern, values @ ..])) => {
                    self.lower_printed_text(pattern, values)?
                }
                _ => match expression.as_method_call() {
                    Some((text, "c_str", [])) => self.lower_text(text, depth + 1)?,
                    _ => return None,
                },
            },
            _ => return None,
        })
    }

    /// Returns the text of `format("[a-z]{1,%d}", n)`.
    fn lower_printed_text(&mut self, pattern: &Expression, values: &[Expression]) -> Option<Vec<TextPart>> {
        let ExpressionKind::Text(pattern) = &pattern.kind else { return None };
        let (mut parts, mut values, mut rest) = (Vec::new(), values.iter(), &pattern[..]);
        while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
            parts.push(TextPart::Letters(rest[..at].to_vec()));
            let kind = rest[at + 1..].iter().position(|byte| byte.is_ascii_alphabetic() && *byte != b'l')?;
            if !matches!(rest[at + 1 + kind], b'd' | b'u' | b'i') {
                return None;
            }
            parts.push(TextPart::Number(self.lower_value(values.next()?)));
            rest = &rest[at + kind + 2..];
        }
        parts.push(TextPart::Letters(rest.to_vec()));
        Some(parts)
    }
}

/// A part of a text that is put together.
pub(super) enum TextPart {
    Letters(Vec<u8>),
    Number(Term),
}

/// Returns `n` for `n & (n - 1)`, which is 0 for powers of two.
fn power_of_two_test(test: &Expression) -> Option<&Expression> {
    let ExpressionKind::Binary(sign, number, before) = &test.kind else { return None };
    let ExpressionKind::Binary(minus, left, one) = &before.kind else { return None };
    (sign == "&" && minus == "-" && left == number && one.kind == ExpressionKind::Number(1)).then_some(number)
}

/// Returns the value of a call of a function that only returns an expression: with the arguments in place of the parameters.
fn returned_expression(function: &Function, arguments: &[Expression]) -> Option<Expression> {
    let [Statement { kind: StatementKind::Return(Some(value)), .. }] = &*function.body else { return None };
    let replaced = replace_names(value, &|name| {
        let at = function.parameters.iter().position(|parameter| parameter == name)?;
        arguments.get(at).cloned()
    });
    let calls_itself = replaced.any_part(&mut |part| part.as_call().is_some_and(|(name, _)| name == function.name));
    (!calls_itself).then_some(replaced)
}

/// Returns an expression with some names replaced.
fn replace_names(expression: &Expression, with: &dyn Fn(&str) -> Option<Expression>) -> Expression {
    let boxed = |part: &Expression| Box::new(replace_names(part, with));
    let all = |parts: &[Expression]| parts.iter().map(|part| replace_names(part, with)).collect();
    let kind = match &expression.kind {
        ExpressionKind::Name(name) => return with(name).unwrap_or_else(|| expression.clone()),
        ExpressionKind::Unary(sign, inner) => ExpressionKind::Unary(sign.clone(), boxed(inner)),
        ExpressionKind::Binary(sign, left, right) => ExpressionKind::Binary(sign.clone(), boxed(left), boxed(right)),
        ExpressionKind::Choice(test, left, right) => ExpressionKind::Choice(boxed(test), boxed(left), boxed(right)),
        ExpressionKind::Call(callee, arguments) => ExpressionKind::Call(boxed(callee), all(arguments)),
        ExpressionKind::Member(object, part) => ExpressionKind::Member(boxed(object), part.clone()),
        ExpressionKind::Index(array, index) => ExpressionKind::Index(boxed(array), boxed(index)),
        ExpressionKind::List(items) => ExpressionKind::List(all(items)),
        other => other.clone(),
    };
    Expression { kind, span: expression.span }
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
