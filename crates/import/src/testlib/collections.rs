//! Collections of a validator: sets, maps and marks of values, and claims about their contents.

use super::lowering::{Binding, Lowering, ObjectKind, new_variable};
use super::syntax::{Expression, ExpressionKind, Statement, any_expression};
use crate::steps::StepKind;
use crate::term::{Term, Variable};
use rebut_diagnostics::Span;
use rebut_format::language::ComparisonOperator::{self, Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};

impl Lowering<'_> {
    /// Notes that a collection is empty from here on.
    pub(super) fn empty_collection(&mut self, key: &str, span: Span) {
        let depth = self.loops.len();
        let object = self.object_mut(key);
        object.depth = depth;
        object.collected.clear();
        object.singles.clear();
        object.places.clear();
        let names = (0..object.parts.max(2)).map(|part| part_key(key, part)).collect();
        self.push(StepKind::Unset(names), span);
    }

    /// Fills a collection with the elements of a range: `set<int> s(a.begin(), a.end());`
    pub(super) fn fill_collection(&mut self, key: &str, arguments: &[Expression], span: Span) {
        let Some((array, "begin", _)) = arguments.first().and_then(Expression::as_method_call) else { return };
        let Some(place) = self.find_place(array) else { return };
        let object = self.object_mut(key);
        (object.parts, object.collected) = (1, vec![vec![array.clone()]]);
        self.push(StepKind::CopyArray { to: part_key(key, 0), from: place }, span);
    }

    /// Puts a value into a collection.
    pub(super) fn insert(&mut self, key: &str, arguments: &[Expression], span: Span) {
        let parts = match arguments {
            [single] => tuple_parts(single),
            [..] => arguments.to_vec(),
        };
        let parts = self.resolve_tuple(parts);
        let values: Vec<Term> = parts.iter().map(|part| self.lower_value(part)).collect();
        let depth = self.object_mut(key).depth;
        let indices = self.counters_from(depth);
        let object = self.object_mut(key);
        object.parts = values.len();
        if let [from, to] = &*parts
            && object.collected.iter().any(|known| known[0] == *to && known[1] == *from)
        {
            object.is_undirected = true;
            return;
        }
        if !object.collected.contains(&parts) {
            object.collected.push(parts);
        }
        object.places.insert(span.start);
        if object.places.len() > 1 && !indices.is_empty() {
            // Values from several places are not the elements of one array.
            let parts = (0..object.parts).map(|part| new_variable(&part_key(key, part)));
            return parts.for_each(|part| self.push(StepKind::ForgetVariable(part), span));
        }
        if indices.is_empty() {
            object.singles.push(values);
            return;
        }
        for (part, value) in values.into_iter().enumerate() {
            let variable = Variable { name: part_key(key, part), indices: indices.clone() };
            self.assign_variable(variable, value, span);
        }
    }

    /// Returns the parts of a pair that a variable holds.
    pub(super) fn resolve_tuple(&mut self, parts: Vec<Expression>) -> Vec<Expression> {
        let [single] = &*parts else { return parts };
        if let Some((name, arguments)) = single.as_call()
            && name == "minmax"
        {
            let call = |function: &str| {
                let callee = Expression { kind: ExpressionKind::Name(function.to_owned()), span: single.span };
                Expression { kind: ExpressionKind::Call(Box::new(callee), arguments.to_vec()), span: single.span }
            };
            return vec![call("min"), call("max")];
        }
        let Some(place) = self.find_place(single) else { return parts };
        let constant = self.objects.get(&place.name).and_then(|object| object.constant.clone());
        match constant {
            Some(constant) if place.indices.is_empty() && constant != *single => {
                let parts = tuple_parts(&constant);
                if parts.len() > 1 || matches!(parts[0].as_call(), Some(("minmax", _))) {
                    self.resolve_tuple(parts)
                } else {
                    vec![single.clone()]
                }
            }
            _ => {
                let part = |part: &str| Expression {
                    kind: ExpressionKind::Member(Box::new(single.clone()), part.to_owned()),
                    span: single.span,
                };
                let is_pair = self.objects.contains_key(&format!("{}.first", place.name)) || self.labels_pair(&place);
                if is_pair { vec![part("first"), part("second")] } else { vec![single.clone()] }
            }
        }
    }

    pub(super) fn labels_pair(&self, place: &Variable) -> bool {
        let name = format!("{}.first", place.name);
        self.steps.iter().any(|step| match &step.kind {
            StepKind::Set(values) => values.iter().any(|(variable, _)| variable.name == name),
            StepKind::Integer { name: Some(variable), .. } => variable.name == name,
            _ => false,
        })
    }

    /// Returns the claim about the first part of the values of a collection as one about the whole values.
    pub(super) fn complete_claim(&self, claim: Term) -> Term {
        let Term::Unique(keys) = &claim else { return claim };
        let Some((key, "0")) = keys.first().and_then(|key| key.split_once('#')) else { return claim };
        let Some(object) = self.objects.get(key).filter(|_| keys.len() == 1) else { return claim };
        match object.parts {
            2 if object.is_undirected => Term::Graph([part_key(key, 0), part_key(key, 1)], "simple"),
            parts => Term::Unique((0..parts.max(1)).map(|part| part_key(key, part)).collect()),
        }
    }

    /// Returns the claim that all values of a collection are different.
    pub(super) fn all_different(&mut self, key: &str) -> Term {
        let object = self.object_mut(key);
        if !object.singles.is_empty() {
            return match &*object.singles {
                [.., last] if last.len() == 1 => {
                    let last = last[0].clone();
                    let others = object.singles[..object.singles.len() - 1].iter();
                    Term::All(
                        others.map(|other| Term::new_comparison(other[0].clone(), NotEqual, last.clone())).collect(),
                    )
                }
                _ => Term::Unknown("it compares several values together"),
            };
        }
        // The number of parts is known when the loop ends.
        Term::Unique(vec![part_key(key, 0)])
    }

    /// Handles `seen[x] = true` and `count[x]++`, where the index is a value. Returns false for other assignments.
    pub(super) fn collect_by_index(&mut self, sign: &str, to: &Expression, value: &Expression) -> bool {
        let ExpressionKind::Index(array, index) = &to.kind else { return false };
        let marks =
            matches!((sign, &value.kind), ("=", ExpressionKind::Truth(true)) | ("=" | "+=", ExpressionKind::Number(1)));
        if marks
            && let Some((key, pair)) = self.pair_of_indices(array, index)
            && !pair.iter().any(|part| self.is_counter(part))
        {
            self.insert(&key, &pair, to.span);
            return true;
        }
        let is_nested = matches!(array.kind, ExpressionKind::Index(..));
        let Some(place) = self.find_place(array).filter(|place| place.indices.is_empty() && !is_nested) else {
            return false;
        };
        let is_own = self.is_counter(index);
        let kind = self.objects.get(&place.name).map(|object| object.kind);
        if !marks || is_own || !matches!(kind, Some(ObjectKind::Array | ObjectKind::Collection)) {
            return false;
        }
        self.insert(&place.name, std::slice::from_ref(&**index), to.span);
        true
    }

    /// Returns the variable and the indices of `seen[a][b]`.
    pub(super) fn pair_of_indices(
        &mut self,
        array: &Expression,
        last: &Expression,
    ) -> Option<(String, [Expression; 2])> {
        let ExpressionKind::Index(base, first) = &array.kind else { return None };
        let place = self.find_place(base).filter(|place| place.indices.is_empty())?;
        let object = self.objects.get(&place.name)?;
        let is_known = object.kind == ObjectKind::Array && object.length.is_some();
        is_known.then(|| (place.name, [(**first).clone(), last.clone()]))
    }

    /// Returns true if an expression is made of counters of open loops and numbers.
    pub(super) fn is_counter(&mut self, expression: &Expression) -> bool {
        let term = self.lower_value(expression);
        let counters = self.counters_from(0);
        let is_counter = |term: &Term| counters.contains(term) || self.is_shifted_counter(term);
        match term.split_offset() {
            (Some(base), _) => is_counter(&base),
            (None, _) => true,
        }
    }

    /// Returns true for the visible variable of a loop that does not begin at 0.
    fn is_shifted_counter(&self, term: &Term) -> bool {
        let Term::Variable(variable) = term else { return false };
        let name = |key: &str| self.labels.get(key).map_or(key, String::as_str).to_owned();
        variable.indices.is_empty() && self.loops.iter().any(|open| name(&open.counter) == name(&variable.name))
    }

    /// Returns the claim that values are different, if it is made of a value that the same loop collects.
    pub(super) fn distinct_claim(&mut self, claim: &Term) -> Option<Term> {
        let (sign, left, right) = claim.as_comparison()?;
        let (key, is_pair) = match left {
            Term::Occurrences(_, part) => (part.split('#').next()?.to_owned(), false),
            Term::PairOccurrences(key) => (key.clone(), true),
            _ => return self.size_claim(sign, left, right),
        };
        let says_new = matches!(
            (sign, right.constant_value()?),
            (Equal, 0) | (Less, 1) | (LessEqual, 0 | 1) | (Equal, 1) | (Less, 2)
        );
        let body = self.loops.last()?.body;
        let collects = inserts_into(body, &key, self);
        if !says_new || !collects {
            return is_pair.then_some(Term::Unknown("it asks for earlier pairs"));
        }
        Some(self.all_different(&key))
    }

    /// Returns the claim of `s.size() == n`.
    fn size_claim(&mut self, sign: ComparisonOperator, left: &Term, right: &Term) -> Option<Term> {
        let (sign, keys, size) = match (left, right) {
            (Term::DifferentValues(keys), size) => (sign, keys, size),
            (size, Term::DifferentValues(keys)) => (sign.with_sides_swapped(), keys, size),
            _ => return None,
        };
        let key = keys.first()?.split('#').next()?.to_owned();
        let object = self.object_mut(&key);
        if !object.singles.is_empty() && size.constant_value() == i128::try_from(object.singles.len()).ok() {
            let singles = object.singles.clone();
            let pairs = singles.iter().enumerate().flat_map(|(at, left)| {
                singles[..at].iter().map(move |right| Term::new_comparison(left[0].clone(), NotEqual, right[0].clone()))
            });
            return Some(Term::All(pairs.collect()));
        }
        match sign {
            Equal | GreaterEqual => Some(Term::AllDifferent(keys.clone(), Box::new(size.clone()))),
            Greater if size.constant_value() == Some(1) => None,
            _ => Some(Term::Unknown("it counts different values")),
        }
    }

    /// Notes that an array is sorted from here on, so that comparisons of neighbours are about all values.
    pub(super) fn note_sorted(&mut self, arguments: &[Expression], span: Span) {
        let Some((array, "begin", _)) = arguments.first().and_then(Expression::as_method_call) else { return };
        let is_usual = match arguments.get(2) {
            None => true,
            Some(order) => order.as_call().is_some_and(|(name, _)| name == "greater" || name == "less"),
        };
        if let Some(place) = self.find_place(array) {
            self.push(StepKind::SortArray { name: place.name, is_usual }, span);
        }
    }
}

/// Returns the variable of a part of the values of a collection.
pub(super) fn part_key(key: &str, part: usize) -> String {
    format!("{key}#{part}")
}

/// Returns the parts of a pair or a tuple, or the value itself.
pub(super) fn tuple_parts(value: &Expression) -> Vec<Expression> {
    match &value.kind {
        ExpressionKind::List(items) => items.clone(),
        ExpressionKind::Call(callee, items) if matches!(callee.as_name(), Some("make_pair" | "make_tuple")) => {
            items.clone()
        }
        ExpressionKind::Call(callee, items)
            if items.len() > 1
                && callee.as_name().is_some_and(|name| name.starts_with("pair") || name.starts_with("tuple")) =>
        {
            items.clone()
        }
        _ => vec![value.clone()],
    }
}

/// Returns true if statements put values into a collection.
pub(super) fn inserts_into(statements: &[Statement], key: &str, lowering: &Lowering<'_>) -> bool {
    let is_collection =
        |expression: &Expression| match expression.as_name().and_then(|name| lowering.find_binding(name)) {
            Some(Binding::Variable(own)) => own == key,
            Some(Binding::Place(place)) => place.name == key && place.indices.is_empty(),
            _ => false,
        };
    any_expression(statements, &mut |part| match &part.kind {
        ExpressionKind::Assign(_, to, _) => match &to.kind {
            ExpressionKind::Index(array, _) => match &array.kind {
                ExpressionKind::Index(inner, _) => is_collection(inner),
                _ => is_collection(array),
            },
            _ => false,
        },
        _ => match part.as_method_call() {
            Some((object, "insert" | "emplace" | "push_back", _)) => is_collection(object),
            _ => false,
        },
    })
}
