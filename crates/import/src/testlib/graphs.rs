//! Graphs in validators: union-find, and searches through lists of neighbours.
//!
//! They are recognized by their actions: a function that follows parents, one that joins two of them, a list of
//! neighbours, a loop or a function that visits them. Conclusions are tried before they are believed.

use super::collections::part_key;
use super::lowering::{Lowering, ObjectKind, tuple_parts};
use super::syntax::{Code, CodeKind, all_code};
use crate::steps::StepKind;
use crate::term::{Term, Variable};
use rebut_diagnostics::Span;

/// The task of a function of a union-find.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UnionPart {
    /// Returns the representative of a vertex.
    Find,
    /// Joins the components of two vertices, and may return whether they were separate.
    Join,
    /// Number of vertices or components.
    Count,
}

impl Lowering {
    /// Handles a call of a function of a union-find. Returns false for other functions.
    pub(super) fn note_graph_call(&mut self, function: &Code, arguments: &[Code], span: Span) -> bool {
        let body = function.signature().1;
        if self.visits_neighbours(body) {
            return self.note_search(body);
        }
        let ([.., from, to], true) = (arguments, self.is_graph_function(function)) else { return false };
        self.insert_joined(from, to, span);
        true
    }

    /// Returns true for a function that joins the components of two vertices.
    pub(super) fn is_graph_function(&self, function: &Code) -> bool {
        self.union_part(function) == Some(UnionPart::Join)
    }

    /// Handles a method of a union-find, or a list of neighbours that grows. Returns false for other methods.
    pub(super) fn note_edge(&mut self, object: &Code, method: &str, arguments: &[Code], span: Span) -> bool {
        if let Some(function) = self.method_of(object, method) {
            return self.note_graph_call(&function, arguments, span);
        }
        let ((CodeKind::Index, _, [list, from]), [to]) = (object.view(), arguments) else { return false };
        if !matches!(method, "push_back" | "emplace_back" | "insert" | "push") {
            return false;
        }
        let Some(place) = self.find_place(list).filter(|place| place.indices.is_empty()) else { return false };
        // A neighbour may come with the weight of the edge.
        self.insert_edge(&place.name, from, &tuple_parts(to)[0], span);
        true
    }

    /// Returns a method of a class of the program.
    fn method_of(&mut self, object: &Code, method: &str) -> Option<Code> {
        let place = self.find_place(object)?;
        if self.kind_of(&place) != ObjectKind::Object {
            return None;
        }
        let end = format!("::{method}");
        self.program.functions.iter().find(|function| function.text.ends_with(&end)).cloned()
    }

    /// Adds an edge to those that a union-find joins in the current loop.
    fn insert_joined(&mut self, from: &Code, to: &Code, span: Span) {
        let counter = self.loops.last().map(|open| open.counter.clone()).unwrap_or_default();
        self.union_key = format!("edges of {counter}");
        self.insert_edge(&self.union_key.clone(), from, to, span);
    }

    fn insert_edge(&mut self, key: &str, from: &Code, to: &Code, span: Span) {
        let outer = self.loops.len().saturating_sub(1);
        if !self.objects.contains_key(key) {
            self.fresh_key(key);
            self.object_mut(key).depth = outer;
        }
        self.insert(key, &[from.clone(), to.clone()], span);
    }

    /// Returns true for a function that follows parents to the representative of a vertex.
    fn is_find(&self, function: &Code) -> bool {
        let body = function.signature().1;
        let calls_itself = count_calls(function, function) > 0;
        let is_parent =
            |side: &Code, other: &Code| matches!(side.view(), (CodeKind::Index, _, [_, index]) if index == other);
        let follows = all_code(body).any(|part| match part.view() {
            (CodeKind::Binary, "==" | "!=", [left, right]) => is_parent(left, right) || is_parent(right, left),
            // Negative numbers are the sizes of components.
            (CodeKind::Binary, "<", [left, _]) => calls_itself && left.kind == CodeKind::Index,
            _ => false,
        });
        let repeats = calls_itself || all_code(body).any(|part| part.kind == CodeKind::While);
        follows && repeats && !self.visits_neighbours(body)
    }

    /// Recognizes the functions of a union-find.
    fn union_part(&self, function: &Code) -> Option<UnionPart> {
        if self.is_find(function) {
            return Some(UnionPart::Find);
        }
        let body = function.signature().1;
        let others = self.program.functions.iter().filter(|other| other.text != function.text && self.is_find(other));
        let finds: usize = others.map(|other| count_calls(function, other)).sum();
        let assigns_element = |part: &Code| part.kind == CodeKind::Assign && part.parts[0].kind == CodeKind::Index;
        match finds {
            2.. if all_code(body).any(assigns_element) => Some(UnionPart::Join),
            1 if all_code(body).any(|part| part.kind == CodeKind::Index) => Some(UnionPart::Count),
            _ => None,
        }
    }

    /// Returns what a call of a function of a union-find does, and its arguments.
    fn union_call<'e>(&mut self, expression: &'e Code) -> Option<(UnionPart, &'e [Code])> {
        let (function, arguments) = match expression.view() {
            (CodeKind::Method, method, [object, arguments @ ..]) => (self.method_of(object, method), arguments),
            (CodeKind::Call, name, arguments) => (self.called_function(name), arguments),
            _ => (None, &[][..]),
        };
        match (function.and_then(|function| self.union_part(&function)), expression.view()) {
            (Some(part), _) => Some((part, arguments)),
            // `dsu.components`
            (None, (CodeKind::Member | CodeKind::Method, _, [object, ..])) if object.kind == CodeKind::Name => {
                let place = self.find_place(object)?;
                let is_count = self.kind_of(&place) == ObjectKind::Object && !self.union_key.is_empty();
                is_count.then_some((UnionPart::Count, &[]))
            }
            _ => None,
        }
    }

    /// Handles an assertion about a union-find or about what a search visited. Returns false for others.
    pub(super) fn assert_of_graph(&mut self, test: &Code) -> bool {
        match self.union_call(test) {
            Some((UnionPart::Join, [.., from, to])) => {
                self.insert_joined(from, to, test.span);
                return self.assert_property("acyclic", test.span);
            }
            Some(_) => return false,
            None => {}
        }
        if test.kind == CodeKind::Binary
            && test.all_parts().any(|part| {
                matches!(self.union_call(part), Some((UnionPart::Find | UnionPart::Count, _)))
                    || self.find_represented(part).is_some()
            })
        {
            return self.assert_union(test.span);
        }
        let reach = |part| self.objects.get(&self.named_place(part)?.name)?.reach_of.clone();
        let Some(key) = test.all_parts().find_map(reach) else { return false };
        if key == self.union_key {
            return self.assert_union(test.span);
        }
        let claim = match self.object_mut(&key).is_undirected {
            true => graph_claim(&key, "connected"),
            false => Term::Unknown("it is about ways along directed edges"),
        };
        self.push(StepKind::Assert(claim), test.span);
        true
    }

    /// Declares a variable that holds the result of a function of a union-find. Returns false for other values.
    pub(super) fn declare_graph_value(&mut self, name: &str, kind: ObjectKind, value: &Code) -> bool {
        match self.union_call(value) {
            Some((UnionPart::Find, [.., vertex])) => {
                let key = self.declare_variable(name, kind);
                self.object_mut(&key).representative_of = Some(vertex.clone());
            }
            Some((UnionPart::Join, [.., from, to])) => {
                self.insert_joined(from, to, value.span);
                let key = self.declare_variable(name, kind);
                self.object_mut(&key).reach_of = Some(self.union_key.clone());
            }
            _ => return false,
        }
        true
    }

    /// Returns the vertex that an expression is the representative of.
    pub(super) fn find_represented(&mut self, expression: &Code) -> Option<Code> {
        if let Some((UnionPart::Find, [.., vertex])) = self.union_call(expression) {
            return Some(vertex.clone());
        }
        self.objects.get(&self.named_place(expression)?.name)?.representative_of.clone()
    }

    /// Returns two vertices, if `parent[a] = b` joins their components.
    fn joined_vertices(&mut self, to: &Code, value: &Code) -> Option<(Code, Code)> {
        let (CodeKind::Index, _, [_, index]) = to.view() else { return None };
        Some((self.find_represented(index)?, self.find_represented(value)?))
    }

    /// Handles `parent[a] = b` of two representatives. Returns false for other assignments.
    pub(super) fn note_joined(&mut self, to: &Code, value: &Code, span: Span) -> bool {
        let found = self.joined_vertices(to, value);
        if let Some((from, to)) = &found {
            self.insert_joined(from, to, span);
        }
        found.is_some()
    }

    /// Asserts the meaning of a comparison of representatives: within the loop over the edges that the next one joins two
    /// components, and after it that there is one only.
    fn assert_union(&mut self, span: Span) -> bool {
        let body = self.loops.last().map(|open| open.body.clone()).unwrap_or_default();
        let joins = all_code(&body).any(|part| match part.view() {
            (CodeKind::Assign, "=", [to, value]) => self.joined_vertices(to, value).is_some(),
            _ => matches!(self.union_call(part), Some((UnionPart::Join, _))),
        });
        self.assert_property(if joins { "acyclic" } else { "connected" }, span)
    }

    fn assert_property(&mut self, property: &'static str, span: Span) -> bool {
        self.push(StepKind::Assert(graph_claim(&self.union_key, property)), span);
        true
    }

    /// Returns the edges with this list of neighbours.
    fn neighbour_list(&self, list: &Code) -> Option<&String> {
        let pairs = self.objects.iter().filter(|(_, object)| object.parts == 2).map(|(key, _)| key);
        list.as_name().and_then(|name| pairs.into_iter().find(|key| key.split('\'').next() == Some(name)))
    }

    /// Returns true if statements go through the neighbours of a vertex.
    fn visits_neighbours(&self, statements: &[Code]) -> bool {
        all_code(statements).any(|part| match part.view() {
            (CodeKind::Each, _, [source, ..]) if source.kind == CodeKind::Index => {
                self.neighbour_list(&source.parts[0]).is_some()
            }
            _ => false,
        })
    }

    /// Notes what a search through lists of neighbours assigns. Returns false if it is no such search.
    pub(super) fn note_search(&mut self, statements: &[Code]) -> bool {
        let list_of = |part: &Code| match part.view() {
            (CodeKind::Index, _, [list, _]) => self.neighbour_list(list).cloned(),
            _ => None,
        };
        let Some(key) = all_code(statements).find_map(list_of) else { return false };
        for place in self.assigned_places(statements) {
            self.object_mut(&place.name).reach_of = Some(key.clone());
        }
        true
    }

    /// Returns the variables that statements change.
    pub(super) fn assigned_places(&mut self, statements: &[Code]) -> Vec<Variable> {
        let place = |part: &Code| match part.view() {
            (CodeKind::Assign, _, [to, _]) | (CodeKind::Method, "insert", [to, ..]) => {
                self.named_place(if to.kind == CodeKind::Index { &to.parts[0] } else { to }).cloned()
            }
            _ => None,
        };
        all_code(statements).filter_map(place).collect()
    }
}

fn graph_claim(key: &str, property: &'static str) -> Term {
    Term::Graph([part_key(key, 0), part_key(key, 1)], property)
}

/// Returns the number of calls of a function or a method in another one.
fn count_calls(function: &Code, callee: &Code) -> usize {
    let name = callee.text.rsplit("::").next().unwrap_or_default();
    let is_call = |part: &&Code| part.kind == CodeKind::Call && &*part.text == name;
    all_code(function.signature().1).filter(is_call).count()
}
