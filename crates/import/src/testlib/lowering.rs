//! Statements of a validator to steps.

use super::syntax::{Expression, ExpressionKind, Function, Initializer, Program, Statement, StatementKind};
use crate::lossy_warning;
use crate::steps::{Step, StepKind};
use crate::term::{LocatedTerm, Term, Variable};
use rebut_diagnostics::{Diagnostic, Span};
use rebut_format::language::ComparisonOperator::{self, Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Maximum depth of calls that are replaced by the bodies of the functions.
const MAX_CALL_DEPTH: usize = 12;

/// Maximum number of calls that are replaced.
const MAX_CALLS: usize = 1000;

/// Maximum number of steps, because functions that are called often multiply.
const MAX_STEPS: usize = 20_000;

/// The meaning of a name of the program.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// A variable with this key.
    Variable(String),
    /// An element of another variable, or all of it.
    Place(Variable),
    Function(Rc<Function>),
}

/// Facts about a variable, apart from its value.
#[derive(Clone, Debug, Default)]
pub(super) struct ObjectState {
    pub(super) kind: ObjectKind,
    /// The class of it or of its elements, if it is one of the program.
    pub(super) class: Option<String>,
    /// Number of open loops where it was made or emptied.
    pub(super) depth: usize,
    /// Number of elements.
    pub(super) length: Option<Term>,
    /// The values that were put into it, each with its parts, where the program keeps them.
    pub(super) collected: Vec<Vec<Expression>>,
    /// Where in the source values are put into it.
    pub(super) places: BTreeSet<usize>,
    /// Number of parts of each value.
    pub(super) parts: usize,
    /// Values that were put into it outside of loops.
    pub(super) singles: Vec<Vec<Term>>,
    /// The number, or the text with numbers in it, that it always is.
    pub(super) constant: Option<Expression>,
    /// Whether pairs are put into it in both orders.
    pub(super) is_undirected: bool,
    /// The vertex that it is the representative of.
    pub(super) representative_of: Option<Expression>,
    /// The edges that it depends on: `visited` after a search.
    pub(super) reach_of: Option<String>,
}

/// The kind of a variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ObjectKind {
    #[default]
    Number,
    Truth,
    Text,
    /// Elements by their numbers.
    Array,
    /// A set or a map.
    Collection,
    /// A class of the program.
    Object,
}

/// A loop during the lowering of its body.
#[derive(Debug)]
pub(super) struct OpenLoop<'p> {
    /// The variable that counts repetitions from 0.
    pub(super) counter: String,
    /// The number of repetitions, if it is known.
    pub(super) count: Option<Term>,
    pub(super) body: &'p [Statement],
    /// Steps to add at the end of the body.
    pub(super) at_end: Vec<Step>,
    /// Arrays that grew by an element.
    pub(super) pushed: BTreeSet<String>,
    /// Number of open conditions where the loop began.
    pub(super) conditions: usize,
}

/// The meaning of `return` in the function that is being lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Returns {
    /// The end of the function.
    Nothing,
    /// Whether the input is valid.
    Validity,
}

/// The steps of a validator.
pub(super) struct LoweredProgram {
    pub(super) steps: Vec<Step>,
    pub(super) labels: BTreeMap<String, String>,
    pub(super) warnings: Vec<Diagnostic>,
}

/// Lowers the program from `main` on. Returns `None` if there is no `main`.
pub(super) fn lower_program(program: &Program) -> Option<LoweredProgram> {
    let main = program.functions.iter().find(|function| function.name == "main")?;
    let mut lowering = Lowering {
        program,
        steps: Vec::new(),
        scopes: vec![BTreeMap::new()],
        objects: BTreeMap::new(),
        labels: BTreeMap::new(),
        loops: Vec::new(),
        conditions: 0,
        active: Vec::new(),
        returns: Returns::Nothing,
        union_key: String::new(),
        step_count: 0,
        call_count: 0,
        warnings: Vec::new(),
    };
    for function in &program.functions {
        lowering.scopes[0].insert(function.name.clone(), Binding::Function(Rc::clone(function)));
    }
    lowering.lower_statements(&program.globals);
    lowering.lower_block(&main.body);
    Some(LoweredProgram { steps: lowering.steps, labels: lowering.labels, warnings: lowering.warnings })
}

pub(super) struct Lowering<'p> {
    pub(super) program: &'p Program,
    pub(super) steps: Vec<Step>,
    pub(super) scopes: Vec<BTreeMap<String, Binding>>,
    pub(super) objects: BTreeMap<String, ObjectState>,
    pub(super) labels: BTreeMap<String, String>,
    pub(super) loops: Vec<OpenLoop<'p>>,
    pub(super) conditions: usize,
    /// Functions that are being lowered.
    active: Vec<Rc<Function>>,
    returns: Returns,
    /// The edges that the last union-find joined.
    pub(super) union_key: String,
    step_count: usize,
    call_count: usize,
    warnings: Vec<Diagnostic>,
}

impl<'p> Lowering<'p> {
    // Names.

    /// Returns what a name stands for.
    pub(super) fn find_binding(&self, name: &str) -> Option<&Binding> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    pub(super) fn add_binding(&mut self, name: &str, binding: Binding) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), binding);
        }
    }

    /// Returns a new key for a variable, which is its name if that is not used.
    pub(super) fn fresh_key(&mut self, name: &str) -> String {
        let mut key = name.to_owned();
        let mut number = 2;
        while self.objects.contains_key(&key) {
            key = format!("{name}'{number}");
            number += 1;
        }
        if key != name {
            self.labels.insert(key.clone(), name.to_owned());
        }
        let state = ObjectState { depth: self.loops.len(), ..ObjectState::default() };
        self.objects.insert(key.clone(), state);
        key
    }

    /// Declares a variable, and returns its key.
    pub(super) fn declare_variable(&mut self, name: &str, kind: ObjectKind) -> String {
        let key = self.fresh_key(name);
        self.object_mut(&key).kind = kind;
        self.add_binding(name, Binding::Variable(key.clone()));
        key
    }

    pub(super) fn object_mut(&mut self, key: &str) -> &mut ObjectState {
        self.objects.entry(key.to_owned()).or_default()
    }

    // Steps.

    pub(super) fn push(&mut self, kind: StepKind, span: Span) {
        self.step_count += 1;
        if self.step_count < MAX_STEPS {
            self.steps.push(Step { kind, span });
        }
    }

    pub(super) fn assign_variable(&mut self, variable: Variable, value: Term, span: Span) {
        self.push(StepKind::Set(vec![(variable, value)]), span);
    }

    pub(super) fn warn_lossy(&mut self, span: Span, reason: &str, instead: &str) {
        self.warnings.push(lossy_warning(span, reason, instead));
    }

    /// Collects the steps of `inside`.
    pub(super) fn collect_steps(&mut self, inside: impl FnOnce(&mut Self)) -> Vec<Step> {
        let before = std::mem::take(&mut self.steps);
        inside(self);
        std::mem::replace(&mut self.steps, before)
    }

    /// Lowers statements with a scope of their own.
    pub(super) fn lower_block(&mut self, statements: &'p [Statement]) {
        self.scopes.push(BTreeMap::new());
        self.lower_statements(statements);
        self.scopes.pop();
    }

    pub(super) fn lower_statements(&mut self, statements: &'p [Statement]) {
        for (at, statement) in statements.iter().enumerate() {
            let rest = &statements[at + 1..];
            if let StatementKind::If(test, then, otherwise) = &statement.kind {
                // After `if (a) continue;`, the rest is the other branch.
                if ends_early(then) && otherwise.is_empty() && !rest.is_empty() && !self.is_failure(then) {
                    return self.lower_condition(test, then, rest, statement.span);
                }
            }
            match &statement.kind {
                StatementKind::Return(value) => return self.lower_return(value.as_ref()),
                StatementKind::Continue => return,
                StatementKind::Break => {
                    return self.warn_lossy(statement.span, "the loop ends early", "it goes on");
                }
                _ => self.lower_statement(statement),
            }
        }
    }

    fn lower_return(&mut self, value: Option<&'p Expression>) {
        match (self.returns, value) {
            (Returns::Validity, Some(value)) => self.assert_condition(value),
            (_, Some(value)) if value.any_part(&mut |part| is_read(part)) => {
                self.lower_value(value);
            }
            _ => {}
        }
    }

    fn lower_statement(&mut self, statement: &'p Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Declare { of, name, sizes, start } => {
                self.lower_declaration(of, name, sizes, start.as_ref(), span);
            }
            StatementKind::Unpack(names, value) => self.lower_unpacking(names, value, span),
            StatementKind::Expression(expression) => self.lower_expression(expression),
            StatementKind::If(test, then, otherwise) => self.lower_condition(test, then, otherwise, span),
            StatementKind::For(inner) => self.lower_for(inner, span),
            StatementKind::Each(names, source, body) => self.lower_each(names, source, body, span),
            StatementKind::While(test, body) => self.lower_while(test, body, span),
            StatementKind::Block(body) => self.lower_block(body),
            StatementKind::Other => self.warn_lossy(span, "this statement is not understood", "it is left out"),
            StatementKind::Break | StatementKind::Continue | StatementKind::Return(_) => {}
        }
    }

    // Variables.

    fn lower_declaration(
        &mut self,
        of: &str,
        name: &str,
        sizes: &'p [Expression],
        start: Option<&'p Initializer>,
        span: Span,
    ) {
        let value = match start {
            Some(Initializer::Value(value)) => Some(value),
            Some(Initializer::Arguments(arguments)) if arguments.len() == 1 => Some(&arguments[0]),
            _ => None,
        };
        if let Some(Expression { kind: ExpressionKind::Lambda(function), .. }) = value {
            return self.add_binding(name, Binding::Function(Rc::clone(function)));
        }
        let kind = self.kind_of_type(of, sizes, value);
        match kind {
            ObjectKind::Array => {
                // A copy of an array or of a row has the same elements.
                if let Some(place) = value.and_then(|value| self.array_place(value)) {
                    return self.add_binding(name, Binding::Place(place));
                }
                let key = self.declare_variable(name, kind);
                self.object_mut(&key).class = self.class_in_type(of);
                if let Some(value) = value.filter(|value| is_read(value)) {
                    self.lower_read(value, Some(new_variable(&key)));
                    return;
                }
                let size = sizes.first().or(match start {
                    Some(Initializer::Arguments(arguments)) => arguments.first(),
                    _ => None,
                });
                let size = size.map(|size| self.lower_value(size));
                self.object_mut(&key).length = size;
            }
            ObjectKind::Collection | ObjectKind::Object => {
                let key = self.declare_variable(name, kind);
                self.empty_collection(&key, span);
                if let Some(Initializer::Arguments(arguments)) = start {
                    self.fill_collection(&key, arguments, span);
                }
                if let Some(Expression { kind: ExpressionKind::List(items), .. }) = value {
                    items.iter().for_each(|item| self.insert(&key, std::slice::from_ref(item), span));
                }
            }
            ObjectKind::Number | ObjectKind::Truth | ObjectKind::Text => {
                let is_reference = of.contains('&');
                if let Some(place) = value.filter(|_| is_reference).and_then(|value| self.find_place(value)) {
                    return self.add_binding(name, Binding::Place(place));
                }
                if let Some(value) = value.filter(|value| is_read(value)) {
                    let key = self.declare_variable(name, kind);
                    self.lower_read(value, Some(new_variable(&key)));
                    return;
                }
                if !self.declare_pair(name, kind, value, start, span)
                    && !value.is_some_and(|value| self.declare_graph_value(name, kind, value))
                {
                    self.declare_value(name, kind, value, of.contains("const"), span);
                }
            }
        }
    }

    /// Declares a pair or a class with its parts: `p = {x, y}`, `p = minmax(x, y)`. Returns false for other values.
    fn declare_pair(
        &mut self,
        name: &str,
        kind: ObjectKind,
        value: Option<&'p Expression>,
        start: Option<&'p Initializer>,
        span: Span,
    ) -> bool {
        if let Some((value, ("minmax", arguments))) = value.and_then(|value| Some((value, value.as_call()?))) {
            let arguments: Vec<Term> = arguments.iter().map(|argument| self.lower_value(argument)).collect();
            let key = self.declare_variable(name, kind);
            self.object_mut(&key).constant = Some(value.clone());
            for (part, function) in [("first", "min"), ("second", "max")] {
                let value = Term::Call(function, arguments.clone());
                self.assign_variable(new_variable(&format!("{key}.{part}")), value, span);
            }
            return true;
        }
        let Some(parts) = pair_parts(value, start) else { return false };
        let key = self.declare_variable(name, kind);
        let whole = || Expression { kind: ExpressionKind::List(parts.to_vec()), span };
        self.object_mut(&key).constant = Some(value.cloned().unwrap_or_else(whole));
        self.assign_parts(&new_variable(&key), parts, span);
        true
    }

    /// Declares a number, a truth value or a text.
    fn declare_value(
        &mut self,
        name: &str,
        kind: ObjectKind,
        value: Option<&'p Expression>,
        is_constant: bool,
        span: Span,
    ) {
        let known = match (value, kind) {
            (Some(value), ObjectKind::Truth) => self.lower_test(value),
            (Some(value), _) => self.lower_value(value),
            (None, ObjectKind::Truth) => Term::Any(Vec::new()),
            (None, ObjectKind::Text) => Term::Text(Vec::new()),
            (None, _) => Term::Number(0),
        };
        let key = self.declare_variable(name, kind);
        self.object_mut(&key).constant = value.filter(|_| is_constant || kind == ObjectKind::Text).cloned();
        self.assign_variable(new_variable(&key), known, span);
    }

    /// Assigns the parts of a pair or a class: `p = {x, y}`.
    pub(super) fn assign_parts(&mut self, to: &Variable, items: &'p [Expression], span: Span) {
        let names = self.part_names(&to.name);
        for (item, part) in items.iter().zip(names) {
            let variable = to.select_part(&part);
            if is_read(item) {
                self.lower_read(item, Some(variable));
            } else {
                let value = self.lower_value(item);
                self.assign_variable(variable, value, span);
            }
        }
    }

    /// Returns the names of the parts of a pair, or of the fields of a class.
    pub(super) fn part_names(&self, key: &str) -> Vec<String> {
        let class = self.objects.get(key).and_then(|object| object.class.as_ref());
        match class.and_then(|class| self.program.fields.get(class)) {
            Some(fields) => fields.clone(),
            None => ["first", "second", "third", "fourth"].map(str::to_owned).to_vec(),
        }
    }

    fn lower_unpacking(&mut self, names: &'p [String], value: &'p Expression, span: Span) {
        if let Some((_, arguments)) = value.as_call().filter(|(name, _)| *name == "minmax") {
            let arguments: Vec<Term> = arguments.iter().map(|argument| self.lower_value(argument)).collect();
            for (name, function) in names.iter().zip(["min", "max"]) {
                let key = self.declare_variable(name, ObjectKind::Number);
                let value = Term::Call(function, arguments.clone());
                self.assign_variable(new_variable(&key), value, span);
            }
            return;
        }
        let place = self.find_place(value);
        let parts = place.as_ref().map_or_else(|| self.part_names(""), |place| self.part_names(&place.name));
        for (name, part) in names.iter().zip(parts) {
            match &place {
                Some(place) => {
                    self.add_binding(name, Binding::Place(place.select_part(&part)));
                }
                None => {
                    let key = self.declare_variable(name, ObjectKind::Number);
                    let unknown = Term::Unknown("it refers to a part of a value");
                    self.assign_variable(new_variable(&key), unknown, span);
                }
            }
        }
    }

    /// Returns the class of the program that a type mentions: `vector<Tree>`.
    fn class_in_type(&self, of: &str) -> Option<String> {
        let mut words = of.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.find(|word| self.program.fields.contains_key(*word)).map(str::to_owned)
    }

    fn kind_of_type(&mut self, of: &str, sizes: &[Expression], value: Option<&Expression>) -> ObjectKind {
        let of = of.trim_start_matches("const ").trim_start_matches("std::");
        let is_class = |name: &str| self.program.functions.iter().any(|f| f.name.starts_with(&format!("{name}::")));
        if !sizes.is_empty() || ["vector", "array", "deque", "bitset"].iter().any(|word| of.starts_with(word)) {
            return ObjectKind::Array;
        }
        if of.split('<').next().is_some_and(|word| word.ends_with("set") || word.ends_with("map")) {
            return ObjectKind::Collection;
        }
        if is_class(of) {
            return ObjectKind::Object;
        }
        match (of, value) {
            ("bool", _) => ObjectKind::Truth,
            ("string" | "std::string", _) => ObjectKind::Text,
            ("auto" | "auto&", Some(value)) => match value.as_method_call() {
                Some((_, method, _)) if is_read(value) && method.ends_with('s') => ObjectKind::Array,
                Some((_, "readToken" | "readWord" | "readLine" | "readString", _)) => ObjectKind::Text,
                _ if self.array_place(value).is_some() => ObjectKind::Array,
                _ => ObjectKind::Number,
            },
            _ => ObjectKind::Number,
        }
    }

    // Expressions as statements.

    fn lower_expression(&mut self, expression: &'p Expression) {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Binary(sign, left, right) if sign == "," => {
                self.lower_expression(left);
                self.lower_expression(right);
            }
            ExpressionKind::Choice(test, left, right) if is_read(left) || is_read(right) => {
                let test = LocatedTerm { term: self.lower_test(test), span };
                let then = self.collect_steps(|this| this.lower_expression(left));
                let otherwise = self.collect_steps(|this| this.lower_expression(right));
                self.push(StepKind::If { test, then, otherwise }, span);
            }
            ExpressionKind::Assign(sign, to, value) => self.lower_assignment(sign, to, value, span),
            _ if is_read(expression) => {
                self.lower_read(expression, None);
            }
            ExpressionKind::Call(callee, arguments) => self.lower_call(expression, callee, arguments),
            ExpressionKind::Unary(_, inner) => self.lower_expression(inner),
            _ => {
                self.lower_value(expression);
            }
        }
    }

    fn lower_assignment(&mut self, sign: &str, to: &'p Expression, value: &'p Expression, span: Span) {
        if self.collect_by_index(sign, to, value) || self.note_joined(to, value, span) {
            return;
        }
        let Some(place) = self.find_place(to) else {
            self.lower_value(value);
            return;
        };
        match &value.kind {
            _ if sign == "=" && is_read(value) => {
                self.lower_read(value, Some(place));
                return;
            }
            ExpressionKind::List(items) if sign == "=" => return self.assign_parts(&place, items, span),
            ExpressionKind::Call(callee, items)
                if sign == "=" && matches!(callee.as_name(), Some("make_pair" | "pair")) =>
            {
                return self.assign_parts(&place, items, span);
            }
            _ => {}
        }
        let kind = self.objects.get(&place.name).map_or(ObjectKind::Number, |object| object.kind);
        if kind == ObjectKind::Truth {
            let test = self.lower_test(value);
            let old = Term::Variable(place.clone());
            let test = match sign {
                "&=" => Term::All(vec![old, test]),
                "|=" => Term::Any(vec![old, test]),
                _ => test,
            };
            return self.assign_variable(place, test, span);
        }
        let new = self.lower_value(value);
        let old = || Term::Variable(place.clone());
        let new = match sign {
            "=" => new,
            "+=" => Term::new_binary("+", old(), new),
            "-=" => Term::new_binary("-", old(), new),
            "*=" => Term::new_binary("*", old(), new),
            _ => Term::Unknown("it is computed by an operation that formats do not have"),
        };
        self.assign_variable(place, new, span);
    }

    fn lower_call(&mut self, call: &'p Expression, callee: &'p Expression, arguments: &'p [Expression]) {
        let span = call.span;
        if let Some((object, method, arguments)) = call.as_method_call() {
            return self.lower_method(object, method, arguments, span);
        }
        match callee.as_name() {
            Some("ensuref" | "ensure" | "assert" | "ensure_ext" | "__testlib_ensure") => {
                arguments.iter().take(1).for_each(|test| self.assert_condition(test));
            }
            Some("fill" | "memset") => {
                let array = arguments.first().map(|first| match first.as_method_call() {
                    Some((array, "begin", _)) => array,
                    _ => first,
                });
                if let Some(place) = array.and_then(|array| self.find_place(array)) {
                    self.empty_collection(&place.name, span);
                }
            }
            Some("quitif") => {
                if let Some(test) = arguments.first() {
                    let claim = self.lower_test(test).into_negated();
                    self.assert_term(claim, span);
                }
            }
            Some("quitf" | "quit" | "__testlib_fail" | "exit" | "abort") => {
                self.assert_term(Term::Any(Vec::new()), span)
            }
            Some("sort" | "stable_sort") => self.note_sorted(arguments, span),
            Some(
                "registerValidation"
                | "setTestCase"
                | "printf"
                | "fprintf"
                | "setTestCaseFileName"
                | "addFeature"
                | "iota"
                | "ios_base::sync_with_stdio",
            ) => {}
            Some("swap") => self.lower_swap(arguments, span),
            Some("reverse") => self.warn_lossy(span, "elements change their places", "they do not"),
            Some(_) => match self.called_function(callee) {
                Some(function) if self.note_graph_call(&function, None, arguments, span) => {}
                Some(function) => self.inline_function(&function, arguments, Returns::Nothing, span),
                None => arguments.iter().for_each(|argument| {
                    self.lower_value(argument);
                }),
            },
            None => {}
        }
    }

    fn lower_swap(&mut self, arguments: &'p [Expression], span: Span) {
        let places: Option<Vec<Variable>> = arguments.iter().map(|argument| self.find_place(argument)).collect();
        let Some([one, other]) = places.as_deref() else {
            return self.warn_lossy(span, "values change their places", "they do not");
        };
        let before = new_variable(&self.fresh_key("swapped"));
        for (to, from) in [(&before, one), (one, other), (other, &before)] {
            self.assign_variable(to.clone(), Term::Variable(from.clone()), span);
        }
    }

    /// Lowers `if (a > b) swap(a, b);` to the smaller and the larger one. Returns false for other statements.
    fn lower_ordering(
        &mut self,
        test: &'p Expression,
        then: &'p [Statement],
        otherwise: &'p [Statement],
        span: Span,
    ) -> bool {
        let (ExpressionKind::Binary(sign, left, right), [Statement { kind: StatementKind::Expression(call), .. }], []) =
            (&test.kind, then, otherwise)
        else {
            return false;
        };
        let Some(("swap", [one, other])) = call.as_call() else { return false };
        let Some(places) = [one, other, left, right].iter().map(|e| self.find_place(e)).collect::<Option<Vec<_>>>()
        else {
            return false;
        };
        let functions = match &**sign {
            ">" | ">=" => ["min", "max"],
            "<" | "<=" => ["max", "min"],
            _ => return false,
        };
        let is_of_both = places[..2] == places[2..] || (places[0] == places[3] && places[1] == places[2]);
        if !is_of_both {
            return false;
        }
        let both = vec![Term::Variable(places[2].clone()), Term::Variable(places[3].clone())];
        let before = new_variable(&self.fresh_key("ordered"));
        self.assign_variable(before.clone(), Term::Call(functions[0], both.clone()), span);
        self.assign_variable(places[3].clone(), Term::Call(functions[1], both), span);
        self.assign_variable(places[2].clone(), Term::Variable(before), span);
        true
    }

    /// Lowers the body of a function in place of a call.
    fn inline_function(&mut self, function: &Rc<Function>, arguments: &'p [Expression], returns: Returns, span: Span) {
        self.call_count += 1;
        if self.active.len() > MAX_CALL_DEPTH
            || self.call_count > MAX_CALLS
            || self.active.iter().any(|active| Rc::ptr_eq(active, function))
        {
            return self.warn_lossy(span, "a function calls itself", "it is left out");
        }
        let Some(function) = self.shared_function(function) else { return };
        let bindings: Vec<(String, Binding)> = function
            .parameters
            .iter()
            .zip(arguments)
            .map(|(name, argument)| (name.clone(), self.argument_binding(name, argument)))
            .collect();
        self.scopes.push(bindings.into_iter().collect());
        let before = std::mem::replace(&mut self.returns, returns);
        self.active.push(Rc::clone(function));
        self.lower_statements(&function.body);
        self.active.pop();
        self.returns = before;
        self.scopes.pop();
    }

    /// Returns a function of the program with its lifetime. A lambda is one in the tree of the program.
    fn shared_function(&self, wanted: &Rc<Function>) -> Option<&'p Rc<Function>> {
        let program: &'p Program = self.program;
        let named = program.functions.iter().find(|function| Rc::ptr_eq(function, wanted));
        named.or_else(|| program.functions.iter().find_map(|function| find_lambda(&function.body, wanted)))
    }

    /// Returns what a parameter stands for: the place of the argument, or a variable with its value.
    pub(super) fn argument_binding(&mut self, name: &str, argument: &'p Expression) -> Binding {
        if let Some(place) = self.find_place(argument) {
            return Binding::Place(place);
        }
        if let Some(function) = self.called_function(argument) {
            return Binding::Function(function);
        }
        let key = self.fresh_key(name);
        let value = self.lower_value(argument);
        self.object_mut(&key).constant = Some(argument.clone());
        self.assign_variable(new_variable(&key), value, argument.span);
        Binding::Variable(key)
    }

    // Conditions.

    /// Returns true if the statements only reject the input.
    fn is_failure(&self, statements: &[Statement]) -> bool {
        let fails = |statement: &Statement| match &statement.kind {
            StatementKind::Expression(call) => match (call.as_call(), call.as_method_call()) {
                (Some((name, arguments)), _) => match name {
                    "quitf" | "quit" | "__testlib_fail" | "abort" => true,
                    "exit" => arguments.first().is_none_or(|code| code.kind != ExpressionKind::Number(0)),
                    "ensuref" | "ensure" | "assert" => {
                        arguments.first().is_some_and(|test| test.kind == ExpressionKind::Truth(false))
                    }
                    _ => false,
                },
                (_, Some((_, method, _))) => matches!(method, "quitf" | "quit"),
                _ => false,
            },
            StatementKind::Return(Some(value)) => {
                self.returns == Returns::Validity && value.kind == ExpressionKind::Truth(false)
            }
            _ => false,
        };
        statements.iter().any(fails) && statements.len() <= 2
    }

    pub(super) fn lower_condition(
        &mut self,
        test: &'p Expression,
        then: &'p [Statement],
        otherwise: &'p [Statement],
        span: Span,
    ) {
        if self.is_failure(then) {
            self.assert_negation(test);
            return self.lower_block(otherwise);
        }
        if self.is_failure(otherwise) {
            self.assert_condition(test);
            return self.lower_block(then);
        }
        if mentions_group(test) {
            return self.warn_lossy(span, "it depends on the group of tests", "it is left out");
        }
        if self.note_component_count(test, then) {
            return self.lower_block(otherwise);
        }
        if self.lower_ordering(test, then, otherwise, span) {
            return;
        }
        let term = self.lower_test(test);
        self.conditions += 1;
        let then = self.collect_steps(|this| this.lower_block(then));
        let otherwise = self.collect_steps(|this| this.lower_block(otherwise));
        self.conditions -= 1;
        if !then.is_empty() || !otherwise.is_empty() {
            self.push(StepKind::If { test: LocatedTerm { term, span: test.span }, then, otherwise }, span);
        }
    }

    /// Asserts a condition of the program.
    pub(super) fn assert_condition(&mut self, test: &'p Expression) {
        match &test.kind {
            ExpressionKind::Binary(sign, left, right) if sign == "&&" || sign == "and" => {
                self.assert_condition(left);
                self.assert_condition(right);
                return;
            }
            ExpressionKind::Unary(sign, inner) if sign == "!" => return self.assert_negation(inner),
            ExpressionKind::Call(callee, arguments) => {
                if let Some(function) = self.called_function(callee) {
                    if self.note_graph_call(&function, Some(true), arguments, test.span) {
                        return;
                    }
                    if self.known_function(&function.name).is_none() && returns_validity(&function) {
                        return self.inline_function(&function, arguments, Returns::Validity, test.span);
                    }
                }
            }
            _ => {}
        }
        if self.assert_of_graph(test) {
            return;
        }
        let claim = self.lower_test(test);
        self.assert_term(claim, test.span);
    }

    fn assert_negation(&mut self, test: &'p Expression) {
        match &test.kind {
            ExpressionKind::Binary(sign, left, right) if sign == "||" || sign == "or" => {
                self.assert_negation(left);
                self.assert_negation(right);
            }
            ExpressionKind::Unary(sign, inner) if sign == "!" => self.assert_condition(inner),
            _ => {
                if !self.assert_of_graph(test) {
                    let claim = self.lower_test(test).into_negated();
                    self.assert_term(claim, test.span);
                }
            }
        }
    }

    /// Asserts a claim. If a value is not among those that the same loop collects, these are distinct.
    pub(super) fn assert_term(&mut self, claim: Term, span: Span) {
        let is_insertion = matches!(claim, Term::Unique(_));
        let claim = match self.distinct_claim(&claim).or_else(|| is_insertion.then(|| claim.clone())) {
            Some(claim) => {
                if let Some(open) = self.loops.last_mut() {
                    // Under a condition it does not hold for all values.
                    if open.conditions != self.conditions {
                        let claim = Term::Unknown("it is only required under a condition");
                        return self.push(StepKind::Assert(claim), span);
                    }
                    let step = Step { kind: StepKind::Assert(claim), span };
                    if !open.at_end.iter().any(|known| known.kind == step.kind) {
                        open.at_end.push(step);
                    }
                    return;
                }
                claim
            }
            None => claim,
        };
        self.push(StepKind::Assert(claim), span);
    }

    /// Returns the function of the program that an expression names.
    pub(super) fn called_function(&self, callee: &Expression) -> Option<Rc<Function>> {
        match self.find_binding(callee.as_name()?) {
            Some(Binding::Function(function)) => Some(Rc::clone(function)),
            _ => None,
        }
    }
}

/// Returns the parts of a pair that a variable is made of.
fn pair_parts<'p>(value: Option<&'p Expression>, start: Option<&'p Initializer>) -> Option<&'p [Expression]> {
    match (value.map(|value| &value.kind), start) {
        (Some(ExpressionKind::List(items)), _) => Some(items),
        (Some(ExpressionKind::Call(callee, items)), _)
            if items.len() > 1 && matches!(callee.as_name(), Some("make_pair" | "pair" | "make_tuple")) =>
        {
            Some(items)
        }
        (None, Some(Initializer::Arguments(arguments))) if arguments.len() > 1 => Some(arguments),
        _ => None,
    }
}

/// Returns a variable without indices.
pub(super) fn new_variable(name: &str) -> Variable {
    Variable { name: name.to_owned(), indices: Vec::new() }
}

/// Returns true if an expression reads from the input.
pub(super) fn is_read(expression: &Expression) -> bool {
    let Some((object, method, _)) = expression.as_method_call() else { return false };
    object.as_name() == Some("inf") && (method.starts_with("read") || method == "skipChar" || method == "nextLine")
}

fn ends_early(statements: &[Statement]) -> bool {
    matches!(statements.last(), Some(Statement { kind: StatementKind::Continue | StatementKind::Return(_), .. }))
}

pub(super) fn is_truth(test: &Expression, truth: bool) -> bool {
    test.kind == ExpressionKind::Truth(truth) || test.kind == ExpressionKind::Number(i128::from(truth))
}

/// Returns true if a test depends on the group of tests.
fn mentions_group(test: &Expression) -> bool {
    test.any_part(&mut |part| part.as_method_call().is_some_and(|(_, method, _)| method == "group"))
}

/// Returns true if a function returns `true` or `false` somewhere, for valid and invalid inputs.
fn returns_validity(function: &Function) -> bool {
    fn returns_truth(statements: &[Statement]) -> bool {
        statements.iter().any(|statement| match &statement.kind {
            StatementKind::Return(Some(value)) => matches!(value.kind, ExpressionKind::Truth(_)),
            _ => statement.bodies().into_iter().any(returns_truth),
        })
    }
    returns_truth(&function.body)
}

/// Returns a lambda in the tree of the program.
fn find_lambda<'p>(statements: &'p [Statement], wanted: &Rc<Function>) -> Option<&'p Rc<Function>> {
    statements.iter().find_map(|statement| {
        if let StatementKind::Declare {
            start: Some(Initializer::Value(Expression { kind: ExpressionKind::Lambda(function), .. })),
            ..
        } = &statement.kind
        {
            if Rc::ptr_eq(function, wanted) {
                return Some(function);
            }
            return find_lambda(&function.body, wanted);
        }
        statement.bodies().into_iter().find_map(|body| find_lambda(body, wanted))
    })
}

/// Returns an operator of C++ as one of formats.
pub(super) fn comparison_operator(sign: &str) -> Option<ComparisonOperator> {
    Some(match sign {
        "<" => Less,
        "<=" => LessEqual,
        ">" => Greater,
        ">=" => GreaterEqual,
        "==" => Equal,
        "!=" => NotEqual,
        _ => return None,
    })
}
