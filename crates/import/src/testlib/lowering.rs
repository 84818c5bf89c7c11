//! Statements of a validator to steps.

use super::syntax::{
    Expression, ExpressionKind, ForLoop, Function, Initializer, Program, Statement, StatementKind, any_expression,
};
use crate::lossy_warning;
use crate::steps::{LoopHeader, ScriptLoop, Step, StepKind, any_reads_input};
use crate::term::{LocatedTerm, Term, Variable};
use rebut_diagnostics::{Diagnostic, Span};
use rebut_format::language::ComparisonOperator::{self, Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Maximum depth of calls that are replaced by the bodies of the functions.
const MAX_CALL_DEPTH: usize = 12;

/// Maximum number of steps, because functions that are called often multiply.
const MAX_STEPS: usize = 20_000;

/// What a name of the program stands for.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// A variable with this key.
    Variable(String),
    /// An element of another variable, or all of it.
    Place(Variable),
    Function(Rc<Function>),
}

/// What is known of a variable, apart from its value.
#[derive(Clone, Debug, Default)]
pub(super) struct ObjectState {
    pub(super) kind: ObjectKind,
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
    /// The vertex whose representative it is.
    pub(super) representative_of: Option<Expression>,
    /// The edges that it tells something about: `visited` after a search.
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

/// A loop whose body is being lowered.
#[derive(Debug)]
pub(super) struct OpenLoop<'p> {
    /// The variable that counts repetitions from 0.
    pub(super) counter: String,
    /// The number of repetitions, if it is known.
    pub(super) count: Option<Term>,
    pub(super) body: &'p [Statement],
    /// Steps to add at the end of the body.
    at_end: Vec<Step>,
    /// Arrays that grew by an element.
    pushed: BTreeSet<String>,
    /// Number of open conditions where the loop began.
    conditions: usize,
}

/// What a `return` means in the function whose body is being lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Returns {
    /// The end of the function.
    Nothing,
    /// Whether the input is valid.
    Validity,
}

/// The steps of a validator.
pub(super) struct Lowered {
    pub(super) steps: Vec<Step>,
    pub(super) labels: BTreeMap<String, String>,
    pub(super) warnings: Vec<Diagnostic>,
}

/// Lowers the program from `main` on. Returns `None` if there is no `main`.
pub(super) fn lower_program(program: &Program) -> Option<Lowered> {
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
        warnings: Vec::new(),
    };
    for function in &program.functions {
        lowering.scopes[0].insert(function.name.clone(), Binding::Function(Rc::clone(function)));
    }
    lowering.lower_statements(&program.globals);
    lowering.lower_block(&main.body);
    Some(Lowered { steps: lowering.steps, labels: lowering.labels, warnings: lowering.warnings })
}

pub(super) struct Lowering<'p> {
    pub(super) program: &'p Program,
    pub(super) steps: Vec<Step>,
    scopes: Vec<BTreeMap<String, Binding>>,
    pub(super) objects: BTreeMap<String, ObjectState>,
    pub(super) labels: BTreeMap<String, String>,
    pub(super) loops: Vec<OpenLoop<'p>>,
    conditions: usize,
    /// Functions that are being lowered.
    active: Vec<Rc<Function>>,
    returns: Returns,
    /// The edges that the last union-find joined.
    pub(super) union_key: String,
    step_count: usize,
    warnings: Vec<Diagnostic>,
}

impl<'p> Lowering<'p> {
    // Names.

    /// Returns what a name stands for.
    pub(super) fn binding(&self, name: &str) -> Option<&Binding> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    pub(super) fn bind(&mut self, name: &str, binding: Binding) {
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
    pub(super) fn declare(&mut self, name: &str, kind: ObjectKind) -> String {
        let key = self.fresh_key(name);
        self.object(&key).kind = kind;
        self.bind(name, Binding::Variable(key.clone()));
        key
    }

    pub(super) fn object(&mut self, key: &str) -> &mut ObjectState {
        self.objects.entry(key.to_owned()).or_default()
    }

    // Steps.

    pub(super) fn push(&mut self, kind: StepKind, span: Span) {
        self.step_count += 1;
        if self.step_count < MAX_STEPS {
            self.steps.push(Step { kind, span });
        }
    }

    pub(super) fn assign(&mut self, variable: Variable, value: Term, span: Span) {
        self.push(StepKind::Set(vec![(variable, value)]), span);
    }

    pub(super) fn warn(&mut self, span: Span, reason: &str, instead: &str) {
        self.warnings.push(lossy_warning(span, reason, instead));
    }

    /// Collects the steps of `inside`.
    pub(super) fn collect_steps(&mut self, inside: impl FnOnce(&mut Self)) -> Vec<Step> {
        let before = std::mem::take(&mut self.steps);
        inside(self);
        std::mem::replace(&mut self.steps, before)
    }

    /// Lowers statements with a scope of their own.
    fn lower_block(&mut self, statements: &'p [Statement]) {
        self.scopes.push(BTreeMap::new());
        self.lower_statements(statements);
        self.scopes.pop();
    }

    fn lower_statements(&mut self, statements: &'p [Statement]) {
        for (at, statement) in statements.iter().enumerate() {
            let rest = &statements[at + 1..];
            if let StatementKind::If(test, then, otherwise) = &statement.kind {
                // What follows after `if (a) continue;` is the other branch.
                if ends_early(then) && otherwise.is_empty() && !rest.is_empty() && !self.is_failure(then) {
                    return self.lower_condition(test, then, rest, statement.span);
                }
            }
            match &statement.kind {
                StatementKind::Return(value) => return self.lower_return(value.as_ref(), statement.span),
                StatementKind::Continue => return,
                StatementKind::Break => {
                    return self.warn(statement.span, "the loop ends early", "it goes on");
                }
                _ => self.lower_statement(statement),
            }
        }
    }

    fn lower_return(&mut self, value: Option<&'p Expression>, span: Span) {
        match (self.returns, value) {
            (Returns::Validity, Some(value)) => self.assert_condition(value),
            (_, Some(value)) if value.any_part(&mut |part| is_read(part)) => {
                self.lower_value(value);
            }
            _ => {}
        }
        let _ = span;
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
            StatementKind::Other => self.warn(span, "this statement is not understood", "it is left out"),
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
            return self.bind(name, Binding::Function(Rc::clone(function)));
        }
        let kind = self.kind_of_type(of, sizes, value);
        let is_global = self.active.is_empty() && self.loops.is_empty();
        match kind {
            ObjectKind::Array => {
                // A copy of an array or of a row has the same elements.
                if let Some(place) = value.and_then(|value| self.array_place(value)) {
                    return self.bind(name, Binding::Place(place));
                }
                let key = self.declare(name, kind);
                if let Some(value) = value.filter(|value| is_read(value)) {
                    self.lower_read(value, Some(Variable { name: key, indices: Vec::new() }));
                    return;
                }
                let size = sizes.first().or(match start {
                    Some(Initializer::Arguments(arguments)) => arguments.first(),
                    _ => None,
                });
                let size = size.map(|size| self.lower_value(size));
                self.object(&key).length = size;
            }
            ObjectKind::Collection | ObjectKind::Object => {
                let key = self.declare(name, kind);
                self.empty_collection(&key, span);
                if let Some(Initializer::Arguments(arguments)) = start {
                    self.fill_collection(&key, arguments, span);
                }
                if let Some(Expression { kind: ExpressionKind::List(items), .. }) = value {
                    items.iter().for_each(|item| self.insert(&key, std::slice::from_ref(item), span));
                }
            }
            ObjectKind::Number | ObjectKind::Truth | ObjectKind::Text => {
                let is_constant = of.contains("const") || is_global;
                let is_reference = of.contains('&');
                if let Some(place) = value.filter(|_| is_reference).and_then(|value| self.place(value)) {
                    return self.bind(name, Binding::Place(place));
                }
                if let Some(value) = value.filter(|value| is_read(value)) {
                    let key = self.declare(name, kind);
                    self.lower_read(value, Some(Variable { name: key, indices: Vec::new() }));
                    return;
                }
                if let Some((value, ("minmax", arguments))) = value.and_then(|value| Some((value, value.as_call()?))) {
                    let arguments: Vec<Term> = arguments.iter().map(|argument| self.lower_value(argument)).collect();
                    let key = self.declare(name, kind);
                    self.object(&key).constant = Some(value.clone());
                    for (part, function) in [("first", "min"), ("second", "max")] {
                        let value = Term::Call(function, arguments.clone());
                        self.assign(plain(&format!("{key}.{part}")), value, span);
                    }
                    return;
                }
                if let Some(parts) = pair_parts(value, start) {
                    let parts: &'p [Expression] = parts;
                    let key = self.declare(name, kind);
                    self.object(&key).constant = value
                        .cloned()
                        .or_else(|| Some(Expression { kind: ExpressionKind::List(parts.to_vec()), span }));
                    return self.assign_parts(&plain(&key), parts, span);
                }
                if let Some(value) = value
                    && self.declare_graph_value(name, kind, value)
                {
                    return;
                }
                let known =
                    value.map(
                        |value| {
                            if kind == ObjectKind::Truth { self.lower_test(value) } else { self.lower_value(value) }
                        },
                    );
                let key = self.declare(name, kind);
                self.object(&key).constant = value.filter(|_| is_constant || kind == ObjectKind::Text).cloned();
                let start = match kind {
                    ObjectKind::Truth => Term::Any(Vec::new()),
                    ObjectKind::Text => Term::Text(Vec::new()),
                    _ => Term::Number(0),
                };
                let value = known.unwrap_or(start);
                self.assign(Variable { name: key, indices: Vec::new() }, value, span);
            }
        }
    }

    /// Assigns the parts of a pair or a class: `p = {x, y}`.
    pub(super) fn assign_parts(&mut self, to: &Variable, items: &'p [Expression], span: Span) {
        for (item, part) in items.iter().zip(["first", "second", "third", "fourth"]) {
            let variable = Variable { name: format!("{}.{part}", to.name), indices: to.indices.clone() };
            if is_read(item) {
                self.lower_read(item, Some(variable));
            } else {
                let value = self.lower_value(item);
                self.assign(variable, value, span);
            }
        }
    }

    fn lower_unpacking(&mut self, names: &'p [String], value: &'p Expression, span: Span) {
        if let Some((_, arguments)) = value.as_call().filter(|(name, _)| *name == "minmax") {
            let arguments: Vec<Term> = arguments.iter().map(|argument| self.lower_value(argument)).collect();
            for (name, function) in names.iter().zip(["min", "max"]) {
                let key = self.declare(name, ObjectKind::Number);
                let value = Term::Call(function, arguments.clone());
                self.assign(Variable { name: key, indices: Vec::new() }, value, span);
            }
            return;
        }
        let place = self.place(value);
        for (name, part) in names.iter().zip(["first", "second", "third", "fourth"]) {
            match &place {
                Some(place) => {
                    let place = Variable { name: format!("{}.{part}", place.name), indices: place.indices.clone() };
                    self.bind(name, Binding::Place(place));
                }
                None => {
                    let key = self.declare(name, ObjectKind::Number);
                    let unknown = Term::Unknown("it refers to a part of a value");
                    self.assign(Variable { name: key, indices: Vec::new() }, unknown, span);
                }
            }
        }
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
        let Some(place) = self.place(to) else {
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
            return self.assign(place, test, span);
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
        self.assign(place, new, span);
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
                if let Some(place) = array.and_then(|array| self.place(array)) {
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
                | "swap"
                | "setTestCaseFileName"
                | "addFeature"
                | "iota"
                | "ios_base::sync_with_stdio"
                | "reverse"
                | "resize",
            ) => {}
            Some(name) => {
                let function = match self.binding(name) {
                    Some(Binding::Function(function)) => Some(Rc::clone(function)),
                    _ => None,
                };
                match function {
                    Some(function) if self.note_graph_call(&function, None, arguments, span) => {}
                    Some(function) => self.inline_function(&function, arguments, Returns::Nothing, span),
                    None => arguments.iter().for_each(|argument| {
                        self.lower_value(argument);
                    }),
                }
            }
            None => {}
        }
    }

    /// Lowers the body of a function in place of a call.
    fn inline_function(&mut self, function: &Rc<Function>, arguments: &'p [Expression], returns: Returns, span: Span) {
        if self.active.len() > MAX_CALL_DEPTH || self.active.iter().any(|active| Rc::ptr_eq(active, function)) {
            return self.warn(span, "a function calls itself", "it is left out");
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
    fn argument_binding(&mut self, name: &str, argument: &'p Expression) -> Binding {
        if let Some(place) = self.place(argument) {
            return Binding::Place(place);
        }
        if let Some(Binding::Function(function)) = argument.as_name().and_then(|name| self.binding(name)) {
            return Binding::Function(Rc::clone(function));
        }
        let key = self.fresh_key(name);
        let value = self.lower_value(argument);
        self.object(&key).constant = Some(argument.clone());
        self.assign(Variable { name: key.clone(), indices: Vec::new() }, value, argument.span);
        Binding::Variable(key)
    }

    // Conditions.

    /// Returns true if the statements only say that the input is invalid.
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

    fn lower_condition(&mut self, test: &'p Expression, then: &'p [Statement], otherwise: &'p [Statement], span: Span) {
        if self.is_failure(then) {
            self.assert_negation(test);
            return self.lower_block(otherwise);
        }
        if self.is_failure(otherwise) {
            self.assert_condition(test);
            return self.lower_block(then);
        }
        if mentions_group(test) {
            return self.warn(span, "it depends on the group of tests", "it is left out");
        }
        if self.note_component_count(test, then) {
            return self.lower_block(otherwise);
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

    /// Asserts a claim. That a value is not among those that the same loop collects says that these are distinct.
    pub(super) fn assert_term(&mut self, claim: Term, span: Span) {
        let is_insertion = matches!(claim, Term::Unique(_));
        let claim = match self.distinct_claim(&claim).or_else(|| is_insertion.then(|| claim.clone())) {
            Some(claim) => {
                if let Some(open) = self.loops.last_mut() {
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

    pub(super) fn called_function(&self, callee: &Expression) -> Option<Rc<Function>> {
        match self.binding(callee.as_name()?) {
            Some(Binding::Function(function)) => Some(Rc::clone(function)),
            _ => None,
        }
    }

    // Loops.

    fn lower_for(&mut self, inner: &'p ForLoop, span: Span) {
        let Some(range) = self.counted_range(inner) else {
            return self.lower_unknown_loop(inner.test.as_ref(), &inner.body, span);
        };
        let CountedRange { name, first, count } = range;
        let shift = (first != Term::Number(0)).then_some(first);
        self.lower_counted_loop(&name, shift, count, &inner.body, span, |_, _| {});
    }

    /// Lowers a loop with a counter from `first` on, or 0.
    fn lower_counted_loop(
        &mut self,
        name: &str,
        first: Option<Term>,
        count: Term,
        body: &'p [Statement],
        span: Span,
        begin: impl FnOnce(&mut Self, &str),
    ) {
        let counter = self.fresh_key(name);
        self.scopes.push(BTreeMap::new());
        let last = Term::new_binary("-", count.clone(), Term::Number(1));
        let (mut lowest, mut highest) = (Term::Number(0), last);
        let mut steps = Vec::new();
        let visible = match first {
            None => counter.clone(),
            Some(first) => {
                let key = self.fresh_key(name);
                let value = Term::new_binary("+", Term::Variable(plain(&counter)), first.clone());
                steps.push(Step { kind: StepKind::Set(vec![(plain(&key), value)]), span });
                lowest = first.clone();
                highest = Term::new_binary("+", highest, first);
                key
            }
        };
        self.bind(name, Binding::Variable(visible.clone()));
        self.loops.push(OpenLoop {
            counter: counter.clone(),
            count: Some(count.clone()),
            body,
            at_end: Vec::new(),
            pushed: BTreeSet::new(),
            conditions: self.conditions,
        });
        steps.extend(self.collect_steps(|this| {
            begin(this, &counter);
            this.lower_block(body);
        }));
        let (mut separator, mut after) = (Vec::new(), Vec::new());
        for index in [Term::Variable(plain(&visible)), Term::Variable(plain(&counter))] {
            let ends = if index == Term::Variable(plain(&visible)) {
                (lowest.clone(), highest.clone())
            } else {
                (Term::Number(0), Term::new_binary("-", count.clone(), Term::Number(1)))
            };
            move_separators(&mut steps, &index, &ends, &mut separator, &mut after);
        }
        self.finish_loop(Some(plain(&counter)), LoopHeader::Times(count), separator, steps, span);
        self.steps.extend(after);
        self.scopes.pop();
    }

    /// Adds the loop, and what is known after it.
    fn finish_loop(
        &mut self,
        counter: Option<Variable>,
        header: LoopHeader,
        separator: Vec<Step>,
        mut body: Vec<Step>,
        span: Span,
    ) {
        let Some(open) = self.loops.pop() else { return };
        for Step { kind, span } in open.at_end {
            let kind = match kind {
                StepKind::Assert(claim) => StepKind::Assert(self.complete_claim(claim)),
                kind => kind,
            };
            body.push(Step { kind, span });
        }
        for key in open.pushed {
            self.object(&key).length = open.count.clone();
        }
        let inner = ScriptLoop { counter, header, separator, body, absorbed_newline: false };
        self.push(StepKind::Loop(Box::new(inner)), span);
    }

    /// Notes that an array grows by an element. Returns its indices, if it grows in each repetition.
    pub(super) fn note_push(&mut self, key: &str) -> Option<Vec<Term>> {
        let depth = self.objects.get(key)?.depth;
        let open = self.loops.last_mut()?;
        if open.conditions != self.conditions || depth >= self.loops.len() {
            return None;
        }
        self.loops.last_mut()?.pushed.insert(key.to_owned());
        Some(self.loops[depth..].iter().map(|open| Term::Variable(plain(&open.counter))).collect())
    }

    /// Lowers a loop over the elements of something.
    fn lower_each(&mut self, names: &'p [String], source: &'p Expression, body: &'p [Statement], span: Span) {
        if let ExpressionKind::List(items) = &source.kind {
            for item in items {
                self.scopes.push(BTreeMap::new());
                if let [name] = names {
                    let binding = self.argument_binding(name, item);
                    self.bind(name, binding);
                }
                self.lower_block(body);
                self.scopes.pop();
            }
            return;
        }
        let place = self.place(source);
        let count = place.as_ref().and_then(|place| self.length_of(place));
        let (Some(place), Some(count)) = (place, count) else {
            return self.lower_unknown_loop(None, body, span);
        };
        self.lower_counted_loop("i", None, count, body, span, |this, counter| {
            let mut element = place;
            element.indices.push(Term::Variable(plain(counter)));
            match names {
                [name] => this.bind(name, Binding::Place(element)),
                names => {
                    for (name, part) in names.iter().zip(["first", "second", "third", "fourth"]) {
                        let place =
                            Variable { name: format!("{}.{part}", element.name), indices: element.indices.clone() };
                        this.bind(name, Binding::Place(place));
                    }
                }
            }
        });
    }

    fn lower_while(&mut self, test: &'p Expression, body: &'p [Statement], span: Span) {
        // `while (t--)`
        if let ExpressionKind::Assign(sign, name, _) = &test.kind
            && sign == "-="
        {
            let count = self.lower_value(name);
            return self.lower_counted_loop("i", None, count, body, span, |_, _| {});
        }
        if is_truth(test, true) {
            return self.lower_endless_loop(body, span);
        }
        if let Some(ending) = ending_test(test) {
            return self.lower_loop_until(ending, body, span);
        }
        self.lower_unknown_loop(Some(test), body, span);
    }

    /// Lowers `while (true)`, which ends at a line of known numbers or with the input.
    fn lower_endless_loop(&mut self, body: &'p [Statement], span: Span) {
        let ends = |statement: &Statement| match &statement.kind {
            StatementKind::If(_, then, otherwise) => {
                otherwise.is_empty() && matches!(then.last(), Some(Statement { kind: StatementKind::Break, .. }))
            }
            _ => false,
        };
        let Some(at) = body.iter().position(ends) else { return self.lower_unknown_loop(None, body, span) };
        let StatementKind::If(test, then, _) = &body[at].kind else { return };
        if at == 0
            && let Some(ending) = negated_ending_test(test)
        {
            return self.lower_loop_until(ending, &body[1..], span);
        }
        self.open_endless_loop(body);
        let mut steps = self.collect_steps(|this| this.lower_statements(&body[..at]));
        let term = self.lower_test(test);
        let last = self.collect_steps(|this| this.lower_statements(&then[..then.len() - 1]));
        let sentinel = find_sentinel(&mut steps, &term, &last);
        if matches!(term, Term::Any(_)) {
            steps.push(Step { kind: StepKind::Assert(term.into_negated()), span: test.span });
        }
        let rest = self.collect_steps(|this| this.lower_statements(&body[at + 1..]));
        self.scopes.pop();
        steps.extend(rest);
        let header = match sentinel {
            Some(numbers) => LoopHeader::Until(numbers),
            None => {
                self.warn(span, "the loop has an end that is not understood", "it goes on to the end of the input");
                LoopHeader::While(not_eof())
            }
        };
        self.finish_loop(None, header, Vec::new(), steps, span);
    }

    fn open_endless_loop(&mut self, body: &'p [Statement]) {
        self.scopes.push(BTreeMap::new());
        let counter = self.fresh_key("i");
        let conditions = self.conditions;
        self.loops.push(OpenLoop {
            counter,
            count: None,
            body,
            at_end: Vec::new(),
            pushed: BTreeSet::new(),
            conditions,
        });
    }

    fn lower_loop_until(&mut self, test: Term, body: &'p [Statement], span: Span) {
        self.open_endless_loop(body);
        let mut steps = self.collect_steps(|this| this.lower_statements(body));
        self.scopes.pop();
        // `if (!inf.eoln()) inf.readSpace();` is what separates two repetitions.
        let mut separator = Vec::new();
        if let Some(Step { kind: StepKind::If { test: inner, then, otherwise }, .. }) = steps.last()
            && inner.term == test
            && otherwise.is_empty()
            && are_separators(then)
        {
            separator = then.clone();
            steps.pop();
        }
        self.finish_loop(None, LoopHeader::While(test), separator, steps, span);
    }

    /// Lowers a loop whose number of repetitions is not known: a search in a graph, for example.
    fn lower_unknown_loop(&mut self, test: Option<&'p Expression>, body: &'p [Statement], span: Span) {
        let reads = any_expression(body, &mut |part| is_read(part));
        if !reads && self.note_search(body) {
            return;
        }
        self.open_endless_loop(body);
        let term = test.map_or(Term::Any(Vec::new()), |test| self.lower_test(test));
        let unknown = Term::Unknown("it depends on a condition how often this is repeated");
        let steps = self.collect_steps(|this| this.lower_statements(body));
        self.scopes.pop();
        let _ = term;
        self.finish_loop(None, LoopHeader::While(unknown), Vec::new(), steps, span);
    }

    /// Returns the counter, the first number and the number of repetitions of `for (int i = a; i < b; i++)`.
    fn counted_range(&mut self, inner: &'p ForLoop) -> Option<CountedRange> {
        let (name, first) = match &inner.start.as_ref()?.kind {
            StatementKind::Declare { name, start: Some(Initializer::Value(first)), .. } => (name, first),
            StatementKind::Expression(Expression { kind: ExpressionKind::Assign(sign, name, first), .. })
                if sign == "=" =>
            {
                (&name.as_name().map(str::to_owned)?, &**first)
            }
            _ => return None,
        };
        let ExpressionKind::Assign(step, stepped, by) = &inner.step.as_ref()?.kind else { return None };
        let ExpressionKind::Binary(sign, left, end) = &inner.test.as_ref()?.kind else { return None };
        let is_own = |part: &Expression| part.as_name() == Some(name);
        // `i + 1 < n`
        let (left, more) = match &left.kind {
            ExpressionKind::Binary(plus, inner, more) if plus == "+" => match more.kind {
                ExpressionKind::Number(more) => (inner, more),
                _ => (left, 0),
            },
            _ => (left, 0),
        };
        if !is_own(stepped) || !is_own(left) || by.kind != ExpressionKind::Number(1) {
            return None;
        }
        let (first, end) = (self.lower_value(first), self.lower_value(end).add_constant(-more));
        let minus = |left: &Term, right: &Term| match right.constant_value() {
            Some(number) => left.clone().add_constant(number.checked_neg().unwrap_or(0)),
            None => match left.constant_difference(right) {
                Some(number) => Term::Number(number),
                None => Term::new_binary("-", left.clone(), right.clone()),
            },
        };
        let count = match (&**step, &**sign) {
            ("+=", "<" | "!=") => minus(&end, &first),
            ("+=", "<=") => minus(&end, &first).add_constant(1),
            // Downwards over the same numbers.
            ("-=", ">=") => {
                let count = minus(&first, &end).add_constant(1);
                return Some(CountedRange { name: name.clone(), first: end, count });
            }
            ("-=", ">") => {
                let count = minus(&first, &end);
                return Some(CountedRange { name: name.clone(), first: end.add_constant(1), count });
            }
            _ => return None,
        };
        Some(CountedRange { name: name.clone(), first, count })
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

struct CountedRange {
    name: String,
    first: Term,
    count: Term,
}

/// Returns a variable without indices.
pub(super) fn plain(name: &str) -> Variable {
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

fn is_truth(test: &Expression, truth: bool) -> bool {
    test.kind == ExpressionKind::Truth(truth) || test.kind == ExpressionKind::Number(i128::from(truth))
}

/// Returns true if a test asks for the group of tests.
fn mentions_group(test: &Expression) -> bool {
    test.clone().any_part(&mut |part| part.as_method_call().is_some_and(|(_, method, _)| method == "group"))
}

/// Returns true if a function returns `true` or `false` in several places, to say whether something is valid.
fn returns_validity(function: &Function) -> bool {
    fn count(statements: &[Statement]) -> usize {
        let own = |statement: &Statement| {
            let is_truth = match &statement.kind {
                StatementKind::Return(Some(value)) => matches!(value.kind, ExpressionKind::Truth(_)),
                _ => false,
            };
            usize::from(is_truth) + statement.bodies().into_iter().map(count).sum::<usize>()
        };
        statements.iter().map(own).sum()
    }
    count(&function.body) > 0
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

/// Returns the term of a test for the end of the input or of the line that keeps a loop going: `!inf.eof()`.
fn ending_test(test: &Expression) -> Option<Term> {
    let ExpressionKind::Unary(sign, inner) = &test.kind else { return None };
    if sign == "!" { negated_ending_test(inner) } else { None }
}

/// Returns the negation of `inf.eof()` or `inf.eoln()`.
pub(super) fn negated_ending_test(test: &Expression) -> Option<Term> {
    let (object, method, _) = test.as_method_call()?;
    match method {
        _ if object.as_name() != Some("inf") => None,
        "eof" | "seekEof" => Some(not_eof()),
        "eoln" | "seekEoln" => {
            let letters = Term::NextIsOneOf(Box::new(Term::Text(b"\n".to_vec())));
            Some(Term::Not(Box::new(letters)))
        }
        _ => None,
    }
}

fn not_eof() -> Term {
    Term::Not(Box::new(Term::IsEof))
}

fn are_separators(steps: &[Step]) -> bool {
    !steps.is_empty() && steps.iter().all(|step| matches!(step.kind, StepKind::Space | StepKind::Newline))
}

/// Where a condition on the counter of a loop holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CounterTest {
    NotFirst,
    IsFirst,
    NotLast,
    IsLast,
}

/// Moves blanks that are read between two repetitions out of the body: `if (i + 1 < n) inf.readSpace();`.
fn move_separators(
    steps: &mut Vec<Step>,
    index: &Term,
    (lowest, highest): &(Term, Term),
    separator: &mut Vec<Step>,
    after: &mut Vec<Step>,
) {
    let test_of = |step: &Step| match &step.kind {
        StepKind::If { test, .. } => counter_test(&test.term, index, lowest, highest),
        _ => None,
    };
    let branches = |step: &Step, swaps: bool| match &step.kind {
        StepKind::If { then, otherwise, .. } if swaps => (otherwise.clone(), then.clone()),
        StepKind::If { then, otherwise, .. } => (then.clone(), otherwise.clone()),
        _ => Default::default(),
    };
    let is_blank = |steps: &[Step]| steps.is_empty() || are_separators(steps);
    if let Some(at) = steps.iter().position(Step::reads_input)
        && let Some(test @ (CounterTest::NotFirst | CounterTest::IsFirst)) = test_of(&steps[at])
        && separator.is_empty()
    {
        let (between, before) = branches(&steps[at], test == CounterTest::IsFirst);
        if are_separators(&between) && before.is_empty() {
            steps.remove(at);
            *separator = between;
        }
    }
    if let Some(at) = steps.iter().rposition(Step::reads_input)
        && let Some(test @ (CounterTest::NotLast | CounterTest::IsLast)) = test_of(&steps[at])
        && separator.is_empty()
    {
        let (between, behind) = branches(&steps[at], test == CounterTest::IsLast);
        if is_blank(&between) && is_blank(&behind) && !(between.is_empty() && behind.is_empty()) {
            steps.remove(at);
            (*separator, *after) = (between, behind);
        }
    }
}

fn counter_test(test: &Term, index: &Term, lowest: &Term, highest: &Term) -> Option<CounterTest> {
    let (sign, left, right) = test.as_comparison()?;
    let (sign, own, other) = if left.constant_difference(index).is_some() {
        (sign, left.constant_difference(index)?, right)
    } else {
        (sign.with_sides_swapped(), right.constant_difference(index)?, left)
    };
    // `index + own SIGN end + other`
    let last = other.constant_difference(highest).map(|other| other - own);
    let first = other.constant_difference(lowest).map(|other| other - own);
    match (sign, first, last) {
        (Greater | NotEqual, Some(0), _) | (GreaterEqual, Some(1), _) => Some(CounterTest::NotFirst),
        (Equal | LessEqual, Some(0), _) | (Less, Some(1), _) => Some(CounterTest::IsFirst),
        (Less | NotEqual, _, Some(0)) | (LessEqual, _, Some(-1)) => Some(CounterTest::NotLast),
        (Equal | GreaterEqual, _, Some(0)) | (Greater, _, Some(-1)) => Some(CounterTest::IsLast),
        _ => None,
    }
}

/// Returns the numbers of the line that ends a loop, and takes them out of the ranges of its fields where that is easy.
fn find_sentinel(steps: &mut [Step], test: &Term, last: &[Step]) -> Option<Vec<i128>> {
    let mut parts = Vec::new();
    collect_parts(test, &mut parts);
    for step in last {
        if let StepKind::Assert(claim) = &step.kind {
            collect_parts(claim, &mut parts);
        }
    }
    let value_of = |variable: &Variable| {
        parts.iter().find_map(|part| match part.as_comparison()? {
            (Equal, Term::Variable(name), number) if name == variable => number.constant_value(),
            (Equal, number, Term::Variable(name)) if name == variable => number.constant_value(),
            _ => None,
        })
    };
    let mut numbers = Vec::new();
    let reads = steps.iter().filter(|step| any_reads_input(std::slice::from_ref(step)));
    for step in reads.chain(last.iter().filter(|step| step.reads_input())) {
        match &step.kind {
            StepKind::Integer { name: Some(name), .. } => numbers.push(value_of(name)?),
            StepKind::Space | StepKind::Newline => {}
            _ => return None,
        }
    }
    if numbers.is_empty() {
        return None;
    }
    if let ([number], Some(step)) =
        (&*numbers, steps.iter_mut().find(|step| matches!(step.kind, StepKind::Integer { .. })))
        && let StepKind::Integer { min, max, .. } = &mut step.kind
    {
        match (min.constant_value(), max.constant_value()) {
            (Some(low), _) if low == *number => *min = Term::Number(low + 1),
            (_, Some(high)) if high == *number => *max = Term::Number(high - 1),
            _ => {}
        }
    }
    Some(numbers)
}

/// Collects the comparisons that a condition consists of.
fn collect_parts(test: &Term, found: &mut Vec<Term>) {
    match test {
        Term::All(parts) | Term::Any(parts) => parts.iter().for_each(|part| collect_parts(part, found)),
        single => found.push(single.clone()),
    }
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
