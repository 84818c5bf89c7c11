//! Graphs in validators: union-find, and searches through lists of neighbours.
//!
//! They are recognized by their actions: a function that follows parents, one that joins two of them, a list of
//! neighbours, a loop or a function that visits them. Conclusions are tried before they are believed.

use super::collections::part_key;
use super::lowering::{Lowering, ObjectKind, new_variable};
use super::syntax::{Expression, ExpressionKind, Function, Statement, StatementKind, any_expression};
use crate::steps::StepKind;
use crate::term::{Term, Variable};
use rebut_diagnostics::Span;
use std::rc::Rc;

/// The task of a function of a union-find.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UnionPart {
    /// Returns the representative of a vertex.
    Find,
    /// Joins the components of two vertices, and may return whether they were separate.
    Join,
    /// Whether two vertices are in the same component.
    Same,
    /// Number of vertices or components.
    Count,
}

impl<'p> Lowering<'p> {
    /// Handles a call of a function of a union-find. If `asserted`, its result is asserted. Returns false for other
    /// functions.
    pub(super) fn note_graph_call(
        &mut self,
        function: &Rc<Function>,
        asserted: Option<bool>,
        arguments: &'p [Expression],
        span: Span,
    ) -> bool {
        if self.visits_neighbours(&function.body) {
            return asserted.is_none() && self.note_search(&function.body);
        }
        if self.union_part(function) != Some(UnionPart::Join) {
            return false;
        }
        let [.., from, to] = arguments else { return false };
        self.insert_joined(from, to, span);
        if asserted == Some(true) {
            self.push(StepKind::Assert(Term::Graph(edge_keys(&self.union_key), "acyclic")), span);
        }
        true
    }

    /// Handles a method of a union-find, or a list of neighbours that grows. Returns false for other methods.
    pub(super) fn note_edge(
        &mut self,
        object: &'p Expression,
        method: &str,
        arguments: &'p [Expression],
        span: Span,
    ) -> bool {
        if let Some(function) = self.method_of(object, method) {
            return self.note_graph_call(&function, None, arguments, span);
        }
        let (ExpressionKind::Index(list, from), [to]) = (&object.kind, arguments) else { return false };
        if !matches!(method, "push_back" | "emplace_back" | "insert" | "push") {
            return false;
        }
        let Some(place) = self.find_place(list).filter(|place| place.indices.is_empty()) else { return false };
        let to = match &to.kind {
            ExpressionKind::List(items) if !items.is_empty() => &items[0],
            ExpressionKind::Call(_, items) if items.len() > 1 => &items[0],
            _ => to,
        };
        self.insert_edge(&place.name, from, to, span);
        true
    }

    /// Returns a method of a class of the program.
    fn method_of(&mut self, object: &Expression, method: &str) -> Option<Rc<Function>> {
        let place = self.find_place(object)?;
        if self.objects.get(&place.name)?.kind != ObjectKind::Object {
            return None;
        }
        let end = format!("::{method}");
        self.program.functions.iter().find(|function| function.name.ends_with(&end)).cloned()
    }

    /// Adds an edge to those that a union-find joins in the current loop.
    fn insert_joined(&mut self, from: &Expression, to: &Expression, span: Span) {
        let counter = self.loops.last().map(|open| open.counter.clone()).unwrap_or_default();
        self.union_key = format!("edges of {counter}");
        let key = self.union_key.clone();
        self.insert_edge(&key, from, to, span);
    }

    fn insert_edge(&mut self, key: &str, from: &Expression, to: &Expression, span: Span) {
        let edge = vec![from.clone(), to.clone()];
        if !self.objects.contains_key(key) {
            self.fresh_key(key);
            self.object_mut(key).depth = self.loops.len().saturating_sub(1);
        }
        let (from, to) = (self.lower_value(from), self.lower_value(to));
        let depth = self.objects.get(key).map_or(0, |object| object.depth).min(self.loops.len());
        let indices = self.counters_from(depth);
        let object = self.object_mut(key);
        // Of a list of neighbours, each edge is in two lists.
        if object.collected.iter().any(|known| known[0] == edge[1] && known[1] == edge[0]) {
            object.is_undirected = true;
            return;
        }
        object.collected.push(edge);
        object.places.insert(span.start);
        if object.places.len() > 1 {
            let keys = edge_keys(key);
            return keys.iter().for_each(|part| self.push(StepKind::ForgetVariable(new_variable(part)), span));
        }
        object.parts = 2;
        for (part, value) in [from, to].into_iter().enumerate() {
            let variable = Variable { name: part_key(key, part), indices: indices.clone() };
            self.assign_variable(variable, value, span);
        }
    }

    /// Returns true for a function that follows parents to the representative of a vertex.
    fn is_find(&self, function: &Function) -> bool {
        let calls_itself = count_calls(function, own_name(function)) > 0;
        let follows = any_expression(&function.body, &mut |part| match &part.kind {
            ExpressionKind::Binary(sign, left, right) if sign == "==" || sign == "!=" => {
                let is_parent = |side: &Expression, other: &Expression| matches!(&side.kind, ExpressionKind::Index(_, index) if **index == *other);
                is_parent(left, right) || is_parent(right, left)
            }
            // Negative numbers are the sizes of components.
            ExpressionKind::Binary(sign, left, _) => {
                sign == "<" && calls_itself && matches!(left.kind, ExpressionKind::Index(..))
            }
            _ => false,
        });
        follows && (calls_itself || has_while(&function.body)) && !self.visits_neighbours(&function.body)
    }

    /// Recognizes the functions of a union-find.
    fn union_part(&self, function: &Function) -> Option<UnionPart> {
        let assigns_element = any_expression(
            &function.body,
            &mut |part| matches!(&part.kind, ExpressionKind::Assign(_, to, _) if matches!(to.kind, ExpressionKind::Index(..))),
        );
        if self.is_find(function) {
            return Some(UnionPart::Find);
        }
        let finds: usize = self
            .program
            .functions
            .iter()
            .filter(|other| other.name != function.name)
            .filter(|other| self.is_find(other))
            .map(|other| count_calls(function, own_name(other)))
            .sum();
        match finds {
            2.. if assigns_element => Some(UnionPart::Join),
            2.. => Some(UnionPart::Same),
            1 if any_expression(&function.body, &mut |part| matches!(part.kind, ExpressionKind::Index(..))) => {
                Some(UnionPart::Count)
            }
            _ => None,
        }
    }

    /// Returns what a call of a function of a union-find does, and its arguments.
    fn union_call<'e>(&mut self, expression: &'e Expression) -> Option<(UnionPart, &'e [Expression])> {
        // `dsu.components`
        if let ExpressionKind::Member(object, _) = &expression.kind
            && let Some(place) = object.as_name().and_then(|_| self.find_place(object))
            && self.objects.get(&place.name).is_some_and(|object| object.kind == ObjectKind::Object)
            && !self.union_key.is_empty()
        {
            return Some((UnionPart::Count, &[]));
        }
        let (function, arguments) = match expression.as_method_call() {
            Some((object, method, arguments)) => (self.method_of(object, method)?, arguments),
            None => {
                let (_, arguments) = expression.as_call()?;
                let ExpressionKind::Call(callee, _) = &expression.kind else { return None };
                (self.called_function(callee)?, arguments)
            }
        };
        Some((self.union_part(&function)?, arguments))
    }

    /// Handles an assertion about a union-find or about what a search visited. Returns false for others.
    pub(super) fn assert_of_graph(&mut self, test: &'p Expression) -> bool {
        if let Some((part, arguments)) = self.union_call(test) {
            return match (part, arguments) {
                (UnionPart::Join, [.., from, to]) => {
                    self.insert_joined(from, to, test.span);
                    self.push(StepKind::Assert(Term::Graph(edge_keys(&self.union_key), "acyclic")), test.span);
                    true
                }
                (UnionPart::Same, _) => self.assert_union(test.span),
                _ => false,
            };
        }
        if let ExpressionKind::Binary(..) = &test.kind
            && test.any_part(&mut |part| {
                matches!(self.union_call(part), Some((UnionPart::Find | UnionPart::Count | UnionPart::Same, _)))
                    || self.represented(part).is_some()
            })
        {
            return self.assert_union(test.span);
        }
        let mut reach = None;
        test.any_part(&mut |part| {
            if let Some(place) = part.as_name().and_then(|_| self.find_place(part)) {
                let known = self.objects.get(&place.name).and_then(|object| object.reach_of.clone());
                reach = reach.take().or(known);
            }
            reach.is_some()
        });
        let Some(key) = reach else { return false };
        if key == self.union_key {
            return self.assert_union(test.span);
        }
        let claim = match self.object_mut(&key).is_undirected {
            true => Term::Graph(edge_keys(&key), "connected"),
            false => Term::Unknown("it is about ways along directed edges"),
        };
        self.push(StepKind::Assert(claim), test.span);
        true
    }

    /// Declares a variable that holds the result of a function of a union-find. Returns false for other values.
    pub(super) fn declare_graph_value(&mut self, name: &str, kind: ObjectKind, value: &'p Expression) -> bool {
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
    fn represented(&mut self, expression: &Expression) -> Option<Expression> {
        if let Some((UnionPart::Find, [.., vertex])) = self.union_call(expression) {
            return Some(vertex.clone());
        }
        let place = expression.as_name().and_then(|_| self.find_place(expression))?;
        self.objects.get(&place.name)?.representative_of.clone()
    }

    /// Handles `parent[a] = b` of two representatives. Returns false for other assignments.
    pub(super) fn note_joined(&mut self, to: &Expression, value: &Expression, span: Span) -> bool {
        let ExpressionKind::Index(_, index) = &to.kind else { return false };
        let (Some(from), Some(to)) = (self.represented(index), self.represented(value)) else { return false };
        self.insert_joined(&from, &to, span);
        true
    }

    /// Asserts the meaning of a comparison of representatives: within the loop over the edges that the next one joins two
    /// components, and after it that there is one only.
    fn assert_union(&mut self, span: Span) -> bool {
        let body = self.loops.last().map(|open| open.body);
        let is_building = body.is_some_and(|body| self.joins(body));
        let property = if is_building { "acyclic" } else { "connected" };
        self.push(StepKind::Assert(Term::Graph(edge_keys(&self.union_key), property)), span);
        true
    }

    /// Returns true if statements join components.
    fn joins(&mut self, statements: &[Statement]) -> bool {
        any_expression(statements, &mut |part| match &part.kind {
            ExpressionKind::Assign(sign, to, value) if sign == "=" => match &to.kind {
                ExpressionKind::Index(_, index) => {
                    self.represented(index).is_some() && self.represented(value).is_some()
                }
                _ => false,
            },
            _ => matches!(self.union_call(part), Some((UnionPart::Join, _))),
        })
    }

    /// Handles `if (join(u, v)) components--;`. Returns false for other conditions.
    pub(super) fn note_component_count(&mut self, test: &'p Expression, then: &'p [Statement]) -> bool {
        let compares = match &test.kind {
            ExpressionKind::Binary(sign, left, right) if sign == "!=" => {
                self.represented(left).is_some() && self.represented(right).is_some() && self.joins(then)
            }
            _ => false,
        };
        match self.union_call(test) {
            Some((UnionPart::Join, [.., from, to])) => self.insert_joined(from, to, test.span),
            _ if compares => {
                any_expression(then, &mut |part| {
                    if let ExpressionKind::Assign(_, to, value) = &part.kind {
                        self.note_joined(to, value, part.span);
                    }
                    false
                });
            }
            _ => return false,
        }
        for statement in then {
            if let StatementKind::Expression(Expression { kind: ExpressionKind::Assign(_, name, _), .. }) =
                &statement.kind
                && let Some(place) = self.find_place(name)
            {
                self.object_mut(&place.name).reach_of = Some(self.union_key.clone());
            }
        }
        true
    }

    /// Returns true if statements go through the neighbours of a vertex.
    fn visits_neighbours(&self, statements: &[Statement]) -> bool {
        let lists: Vec<&String> =
            self.objects.iter().filter(|(_, object)| object.parts == 2).map(|(key, _)| key).collect();
        has_each_of_element(statements, &lists)
    }

    /// Notes what a search through lists of neighbours assigns. Returns false if it is no such search.
    pub(super) fn note_search(&mut self, statements: &[Statement]) -> bool {
        let mut key = None;
        let keys: Vec<String> =
            self.objects.iter().filter(|(_, object)| object.parts == 2).map(|(key, _)| key.clone()).collect();
        any_expression(statements, &mut |part| {
            if let ExpressionKind::Index(list, _) = &part.kind
                && let Some(name) = list.as_name()
            {
                key = key.take().or_else(|| keys.iter().find(|key| key.split('\'').next() == Some(name)).cloned());
            }
            false
        });
        let Some(key) = key else { return false };
        let mut assigned = Vec::new();
        any_expression(statements, &mut |part| {
            let to = match &part.kind {
                ExpressionKind::Assign(_, to, _) => Some(&**to),
                _ => part.as_method_call().filter(|(_, method, _)| *method == "insert").map(|(object, ..)| object),
            };
            let name = to.map(|to| match &to.kind {
                ExpressionKind::Index(array, _) => &**array,
                _ => to,
            });
            assigned.extend(name.and_then(Expression::as_name).map(str::to_owned));
            false
        });
        for name in assigned {
            let name = Expression { kind: ExpressionKind::Name(name), span: Span::default() };
            if let Some(place) = self.find_place(&name) {
                self.object_mut(&place.name).reach_of = Some(key.clone());
            }
        }
        true
    }
}

/// Returns the variables of the ends of edges.
fn edge_keys(key: &str) -> [String; 2] {
    [part_key(key, 0), part_key(key, 1)]
}

fn own_name(function: &Function) -> &str {
    function.name.rsplit("::").next().unwrap_or_default()
}

fn count_calls(function: &Function, name: &str) -> usize {
    let mut count = 0;
    any_expression(&function.body, &mut |part| {
        count += usize::from(part.as_call().is_some_and(|(callee, _)| callee == name));
        false
    });
    count
}

fn has_while(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| {
        matches!(statement.kind, StatementKind::While(..)) || statement.bodies().into_iter().any(has_while)
    })
}

fn has_each_of_element(statements: &[Statement], lists: &[&String]) -> bool {
    let is_list = |name: &str| lists.iter().any(|key| key.split('\'').next() == Some(name));
    statements.iter().any(|statement| {
        let own = match &statement.kind {
            StatementKind::Each(_, source, _) => match &source.kind {
                ExpressionKind::Index(list, _) => list.as_name().is_some_and(is_list),
                _ => false,
            },
            _ => false,
        };
        own || statement.bodies().into_iter().any(|body| has_each_of_element(body, lists))
    })
}
