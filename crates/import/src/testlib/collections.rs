//! Collections of a validator: sets, maps and marks of values, and claims about their contents.

use super::lowering::{Lowering, ObjectKind, begin_of, range_array, tuple_parts};
use super::syntax::{Code, CodeKind, all_code};
use crate::steps::StepKind;
use crate::term::{Term, Variable};
use rebut_diagnostics::Span;
use rebut_format::language::ComparisonOperator::{Equal, Less, LessEqual};

impl Lowering {
    pub(super) fn empty_collection(&mut self, key: &str, span: Span) {
        let depth = self.loops.len();
        let object = self.object_mut(key);
        object.depth = depth;
        object.collected.clear();
        object.asked.clear();
        object.places.clear();
        let names = part_keys(key, object.parts.max(2));
        self.push(StepKind::Unset(names), span);
    }

    /// Forgets what an array, a text or a collection holds, and its length.
    pub(super) fn forget_contents(&mut self, place: &Variable, span: Span) {
        let key = &place.name;
        self.loops.iter_mut().for_each(|open| _ = open.pushed.remove(key));
        if let Some(row) = self.objects.get_mut(&format!("{key}[]")) {
            row.length = None;
        }
        let object = self.object_mut(key);
        // Values that are put into it later are not all of its values.
        (object.constant, object.depth) = (None, usize::MAX);
        if place.indices.is_empty() {
            object.length = None;
        }
        if object.kind == ObjectKind::Collection || !object.collected.is_empty() {
            let keys = part_keys(key, object.parts.max(2));
            keys.iter().for_each(|part| self.push(StepKind::forget_variable(part), span));
        }
        self.push(StepKind::SortArray { name: key.clone(), is_usual: false }, span);
    }

    /// Handles what removes all values: `a.clear()`, `a.assign(n, 0)`, `fill(a.begin(), a.end(), 0)`.
    pub(super) fn clear_contents(&mut self, place: &Variable, length: Option<Term>, span: Span) {
        self.forget_contents(place, span);
        // Under a condition, or in one of several rows, others remain.
        if place.indices.is_empty() && !self.is_conditional(self.loops.len().saturating_sub(1)) {
            self.empty_collection(&place.name, span);
            self.object_mut(&place.name).length = length;
        }
    }

    /// Returns true for variables with elements or letters.
    pub(super) fn is_container(&self, place: &Variable) -> bool {
        matches!(self.kind_of(place), ObjectKind::Array | ObjectKind::Text | ObjectKind::Collection)
    }

    /// Returns true if a condition is open that was not when a loop began, or the program.
    fn is_conditional(&self, depth: usize) -> bool {
        self.loops.get(depth).map_or(0, |open| open.conditions) != self.conditions
    }

    /// Lowers the arguments of a function of the library, which may change arrays: `rotate(a.begin(), ...)`.
    pub(super) fn forget_arguments(&mut self, arguments: &[Code], span: Span) {
        self.lower_values(arguments);
        for argument in arguments {
            let is_address = |part: &Code| matches!(part.view(), (CodeKind::Unary, "&", _) | (CodeKind::Method, ..));
            let Some(place) = self.find_place(range_array(argument)) else { continue };
            let is_array = self.is_container(&place) && place.indices.is_empty();
            if is_array || argument.all_parts().any(is_address) {
                let length = self.object_mut(&place.name).length.clone();
                self.forget_contents(&place, span);
                self.object_mut(&place.name).length = length;
            }
        }
    }

    /// Fills a collection with the elements of a range: `set<int> s(a.begin(), a.end());`
    pub(super) fn fill_collection(&mut self, key: &str, arguments: &[Code], span: Span) {
        let Some(array) = arguments.first().and_then(begin_of) else { return };
        let Some(place) = self.range_place(arguments) else { return };
        let object = self.object_mut(key);
        (object.parts, object.collected) = (1, vec![vec![array.clone()]]);
        self.push(StepKind::CopyArray { to: part_key(key, 0), from: place }, span);
    }

    /// Puts a value into a collection.
    pub(super) fn insert(&mut self, key: &str, arguments: &[Code], span: Span) {
        let parts = if let [single] = arguments { tuple_parts(single) } else { arguments.to_vec() };
        let parts = self.resolve_tuple(parts);
        let values: Vec<Term> = parts.iter().map(|part| self.lower_value(part)).collect();
        let depth = self.object_mut(key).depth;
        let indices = self.counters_from(depth);
        let object = self.object_mut(key);
        (object.parts, object.inserted) = (values.len(), values.clone());
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
        if object.places.len() > 1 || indices.is_empty() || self.is_conditional(depth) {
            // Values from several places, under a condition or outside of loops, are not the elements of one array.
            let object = self.object_mut(key);
            let keys = part_keys(key, object.parts);
            return keys.iter().for_each(|part| self.push(StepKind::forget_variable(part), span));
        }
        for (part, value) in values.into_iter().enumerate() {
            let variable = Variable { name: part_key(key, part), indices: indices.clone() };
            self.assign_variable(variable, value, span);
        }
    }

    /// Returns the parts of a pair that a variable holds.
    pub(super) fn resolve_tuple(&mut self, parts: Vec<Code>) -> Vec<Code> {
        let [single] = &*parts else { return parts };
        let Some(place) = self.find_place(single) else { return parts };
        let constant = self.objects.get(&place.name).and_then(|object| object.constant.clone());
        let inner = constant.filter(|_| place.indices.is_empty()).as_ref().map(tuple_parts);
        inner.filter(|inner| inner.len() > 1).unwrap_or(parts)
    }

    /// Returns the claim about the first part of the values of a collection as one about the whole values.
    pub(super) fn complete_claim(&self, claim: Term) -> Term {
        let Term::Unique(keys) = &claim else { return claim };
        let Some((key, "0")) = keys.first().and_then(|key| key.split_once('#')) else { return claim };
        let Some(object) = self.objects.get(key).filter(|_| keys.len() == 1) else { return claim };
        let reversed: Vec<Term> = object.inserted.iter().rev().cloned().collect();
        let is_either = |asked: &Vec<Term>| *asked == object.inserted || object.is_undirected && *asked == reversed;
        match object.parts {
            _ if !object.asked.iter().all(is_either) => Term::Unknown("it asks for another value than it collects"),
            2 if object.is_undirected => Term::Graph([part_key(key, 0), part_key(key, 1)], "simple"),
            parts => Term::Unique(part_keys(key, parts.max(1))),
        }
    }

    /// Handles `seen[x] = true` and `count[x]++`, where the index is a value. Returns false for other assignments.
    pub(super) fn collect_by_index(&mut self, sign: &str, to: &Code, value: &Code) -> bool {
        let (CodeKind::Index, _, [array, index]) = to.view() else { return false };
        let is_mark = value.is_truth(true) && (sign == "=" || sign == "+=" && value.kind == CodeKind::Number);
        if !is_mark {
            return false;
        }
        if let Some((key, pair)) = self.pair_of_indices(array, index)
            && !pair.iter().any(|part| self.is_counter(part))
        {
            self.object_mut(&key).counts = sign == "+=";
            self.insert(&key, &pair, to.span);
            return true;
        }
        let Some(place) = self.find_place(array).filter(|place| place.indices.is_empty()) else { return false };
        let is_own = self.is_counter(index);
        let collects = !is_own && matches!(self.kind_of(&place), ObjectKind::Array | ObjectKind::Collection);
        if collects {
            self.object_mut(&place.name).counts = sign == "+=";
            self.insert(&place.name, std::slice::from_ref(index), to.span);
        }
        collects
    }

    /// Returns the variable and the indices of `seen[a][b]`.
    pub(super) fn pair_of_indices(&mut self, array: &Code, last: &Code) -> Option<(String, [Code; 2])> {
        let (CodeKind::Index, _, [base, first]) = array.view() else { return None };
        let place = self.find_place(base).filter(|place| place.indices.is_empty())?;
        let object = self.objects.get(&place.name)?;
        let is_known = object.kind == ObjectKind::Array && object.length.is_some();
        is_known.then(|| (place.name, [first.clone(), last.clone()]))
    }

    /// Returns true if an expression is made of counters of open loops and numbers.
    pub(super) fn is_counter(&mut self, expression: &Code) -> bool {
        let term = self.lower_value(expression);
        let name = |key: &str| self.labels.get(key).map_or(key, String::as_str).to_owned();
        match term.split_offset() {
            // The visible variable of a loop that does not begin at 0 has the name of its counter.
            (Some(Term::Variable(variable)), _) => {
                let is_own = |counter: &String| name(counter) == name(&variable.name);
                variable.indices.is_empty() && self.loops.iter().any(|open| is_own(&open.counter))
            }
            (base, _) => base.is_none(),
        }
    }

    /// Returns the claim that values are different, if it is made of a value that the same loop collects.
    pub(super) fn distinct_claim(&mut self, claim: &Term) -> Option<Term> {
        let (sign, left, right) = claim.as_comparison()?;
        let (key, asked, is_pair) = match left {
            Term::Occurrences(value, part) => (part.split('#').next()?.to_owned(), vec![(**value).clone()], false),
            Term::PairOccurrences(key, pair) => (key.clone(), pair.clone(), true),
            _ => return None,
        };
        // The value is new before it is put in, or has a number of 1 afterwards.
        let object = self.object_mut(&key);
        let says_new = match (sign, right.constant_value()?) {
            (Equal | LessEqual, 0) | (Less, 1) => object.places.is_empty(),
            (Equal | LessEqual, 1) | (Less, 2) => object.counts && !object.places.is_empty(),
            _ => false,
        };
        if says_new {
            object.asked.push(asked);
        }
        if !says_new || !self.inserts_into(&self.loops.last()?.body, &key) {
            return is_pair.then_some(Term::Unknown("it asks for earlier pairs"));
        }
        Some(all_different(&key))
    }

    /// Notes that an array is sorted from here on, so that comparisons of neighbours are about all values.
    pub(super) fn note_sorted(&mut self, arguments: &[Code], span: Span) {
        let [first, last, order @ ..] = arguments else { return };
        let Some(place) = self.find_place(range_array(first)) else { return };
        let is_reverse =
            matches!((first.view(), last.view()), ((_, "rbegin", one), (_, "rend", other)) if one == other);
        let is_whole = is_reverse && place.indices.is_empty() || self.range_place(&arguments[..2]).is_some();
        let is_known = order.iter().all(|order| matches!(order.view(), (CodeKind::Call, "greater" | "less", _)));
        self.push(StepKind::SortArray { name: place.name, is_usual: is_whole && is_known }, span);
    }

    /// Returns true if statements put values into a collection.
    pub(super) fn inserts_into(&self, statements: &[Code], key: &str) -> bool {
        let is_collection = |code: &Code| self.named_place(code).is_some_and(|place| *place == Variable::new(key));
        all_code(statements).any(|part| match part.view() {
            (CodeKind::Assign, _, [to, _]) => match to.view() {
                (CodeKind::Index, _, [array, _]) if array.kind == CodeKind::Index => is_collection(&array.parts[0]),
                (CodeKind::Index, _, [array, _]) => is_collection(array),
                _ => false,
            },
            (CodeKind::Method, "insert" | "emplace" | "push_back", [object, ..]) => is_collection(object),
            _ => false,
        })
    }
}

/// Returns the claim that all values of a collection are different. Their number of parts is known when the loop ends.
pub(super) fn all_different(key: &str) -> Term {
    Term::Unique(vec![part_key(key, 0)])
}

/// Returns the variable of a part of the values of a collection.
pub(super) fn part_key(key: &str, part: usize) -> String {
    format!("{key}#{part}")
}

/// Returns the variables of all parts of the values of a collection.
pub(super) fn part_keys(key: &str, parts: usize) -> Vec<String> {
    (0..parts).map(|part| part_key(key, part)).collect()
}
