//! Statements of a validator to steps.

use super::syntax::{Code, CodeKind, Program, all_code};
use crate::lossy_warning;
use crate::steps::{Step, StepKind};
use crate::term::{LocatedTerm, Term, Variable, arithmetic_sign};
use rebut_diagnostics::{Diagnostic, Span};
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
    /// A variable, an element of one, or all of an array.
    Place(Variable),
    Function(Code),
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
    pub(super) collected: Vec<Vec<Code>>,
    /// The last value that was put into it, and the values that claims of being new are about, each with its parts.
    pub(super) inserted: Vec<Term>,
    pub(super) asked: Vec<Vec<Term>>,
    /// Whether it has the numbers of times that values are put into it.
    pub(super) counts: bool,
    /// Where in the source values are put into it.
    pub(super) places: BTreeSet<usize>,
    /// Number of parts of each value.
    pub(super) parts: usize,
    /// The number, or the text with numbers in it, that it always is.
    pub(super) constant: Option<Code>,
    /// Whether pairs are put into it in both orders.
    pub(super) is_undirected: bool,
    pub(super) representative_of: Option<Code>,
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
#[derive(Debug, Default)]
pub(super) struct OpenLoop {
    /// The variable that counts repetitions from 0.
    pub(super) counter: String,
    /// The number of repetitions, if it is known.
    pub(super) count: Option<Term>,
    pub(super) body: Vec<Code>,
    /// Steps to add at the end of the body.
    pub(super) at_end: Vec<Step>,
    /// Arrays that grew by an element.
    pub(super) pushed: BTreeSet<String>,
    /// Number of open conditions where the loop began.
    pub(super) conditions: usize,
}

/// The steps of a validator, and the state while they are made.
#[derive(Default)]
pub(super) struct Lowering {
    pub(super) program: Program,
    /// The group of tests that the program checks.
    pub(super) group: String,
    /// The names that it is compared with, each with a place.
    pub(super) compared_groups: BTreeMap<String, Span>,
    pub(super) steps: Vec<Step>,
    /// Names that the fields of some variables should have.
    pub(super) labels: BTreeMap<String, String>,
    pub(super) warnings: Vec<Diagnostic>,
    pub(super) scopes: Vec<BTreeMap<String, Binding>>,
    pub(super) objects: BTreeMap<String, ObjectState>,
    pub(super) loops: Vec<OpenLoop>,
    pub(super) conditions: usize,
    /// Functions that are being lowered.
    active: Vec<Code>,
    /// Whether `return` gives the validity of the input.
    returns_validity: bool,
    /// The edges that the last union-find joined.
    pub(super) union_key: String,
    step_count: usize,
    call_count: usize,
}

/// Lowers the program from `main` on, for tests of this group; it is empty without one. Returns `None` if there is no `main`.
pub(super) fn lower_program(program: &Program, group: &str) -> Option<Lowering> {
    let main = program.functions.iter().find(|function| &*function.text == "main")?;
    let functions = program.functions.iter().map(|f| (f.text.to_string(), Binding::Function(f.clone())));
    let scopes = vec![functions.collect()];
    let (program, group) = (program.clone(), group.to_owned());
    let mut lowering = Lowering { program, group, scopes, ..Lowering::default() };
    lowering.lower_statements(&lowering.program.globals.clone());
    lowering.lower_block(main.signature().1);
    Some(lowering)
}

impl Lowering {
    // Names.

    /// Returns what a name stands for.
    pub(super) fn find_binding(&self, name: &str) -> Option<&Binding> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// Returns the place that an expression names, if it is a name.
    pub(super) fn named_place(&self, expression: &Code) -> Option<&Variable> {
        if let Binding::Place(place) = self.find_binding(expression.as_name()?)? { Some(place) } else { None }
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
        self.add_binding(name, Binding::Place(Variable::new(&key)));
        key
    }

    pub(super) fn object_mut(&mut self, key: &str) -> &mut ObjectState {
        self.objects.entry(key.to_owned()).or_default()
    }

    pub(super) fn kind_of(&self, place: &Variable) -> ObjectKind {
        self.objects.get(&place.name).map_or(ObjectKind::Number, |object| object.kind)
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
    pub(super) fn lower_block(&mut self, statements: &[Code]) {
        self.scopes.push(BTreeMap::new());
        self.lower_statements(statements);
        self.scopes.pop();
    }

    pub(super) fn lower_statements(&mut self, statements: &[Code]) {
        for (at, statement) in statements.iter().enumerate() {
            let (span, rest) = (statement.span, &statements[at + 1..]);
            match statement.view() {
                // After `if (a) continue;`, the rest is the other branch.
                (CodeKind::If, _, [test, then, otherwise])
                    if matches!(
                        then.statements().last().map(|last| last.kind),
                        Some(CodeKind::Continue | CodeKind::Return)
                    ) && otherwise.statements().is_empty()
                        && !rest.is_empty()
                        && !self.is_failure(then.statements()) =>
                {
                    return self.lower_condition(test, then.statements(), rest, span);
                }
                // A repetition decides whether the loop returns, and whether the statements after it are executed.
                (CodeKind::For | CodeKind::Each | CodeKind::While, ..)
                    if self.returns_validity && statement.all_parts().any(may_accept) =>
                {
                    let test = LocatedTerm { term: Term::Unknown("a loop returns early"), span };
                    let then = self.collect_steps(|this| {
                        this.lower_statement(statement);
                        this.lower_statements(rest);
                    });
                    return self.push(StepKind::If { test, then, otherwise: Vec::new() }, span);
                }
                (CodeKind::Return, _, [value]) if self.returns_validity => return self.assert_test(value, true),
                (CodeKind::Return, _, [value]) if value.all_parts().any(Code::is_read) => {
                    self.lower_value(value);
                    return;
                }
                (CodeKind::Return | CodeKind::Continue, ..) => return,
                (CodeKind::Break, ..) => return self.warn_lossy(span, "the loop ends early", "it goes on"),
                _ => self.lower_statement(statement),
            }
        }
    }

    fn lower_statement(&mut self, statement: &Code) {
        let span = statement.span;
        match statement.view() {
            (CodeKind::Declare, of, [name, start, sizes @ ..]) => {
                self.lower_declaration(of, &name.text, start, sizes, span)
            }
            (CodeKind::Unpack, _, [value, names @ ..]) => self.lower_unpacking(names, value, span),
            (CodeKind::If, _, [test, then, otherwise]) => {
                self.lower_condition(test, then.statements(), otherwise.statements(), span)
            }
            (CodeKind::For, _, [start, test, step, body]) => {
                self.lower_for([start, test, step], body.statements(), span)
            }
            (CodeKind::Each, _, [source, body, names @ ..]) => self.lower_each(names, source, body.statements(), span),
            (CodeKind::While, _, [test, body]) => self.lower_while(test, body.statements(), span),
            (CodeKind::Block, "", body) => self.lower_block(body),
            (CodeKind::Block, _, declarations) => self.lower_statements(declarations),
            (CodeKind::Other, ..) => self.warn_lossy(span, "this statement is not understood", "it is left out"),
            (CodeKind::Assign, sign, [to, value]) => self.lower_assignment(sign, to, value, span),
            _ if statement.is_read() => _ = self.lower_read(statement, None),
            (CodeKind::Method, method, [object, arguments @ ..]) => self.lower_method(object, method, arguments, span),
            (CodeKind::Call, name, arguments) => self.lower_call(name, arguments, span),
            _ => _ = self.lower_value(statement),
        }
    }

    // Variables.

    fn lower_declaration(&mut self, of: &str, name: &str, start: &Code, sizes: &[Code], span: Span) {
        let arguments = if start.kind == CodeKind::Arguments { &*start.parts } else { &[] };
        let value = match (start.kind, arguments) {
            (CodeKind::Nothing, _) => None,
            (CodeKind::Arguments, [value]) => Some(value),
            (CodeKind::Arguments, _) => None,
            _ => Some(start),
        };
        if let Some(function) = value.filter(|value| value.kind == CodeKind::Function) {
            return self.add_binding(name, Binding::Function(function.clone()));
        }
        let kind = self.kind_of_type(of, sizes, value);
        // A copy of an array or of a row has the same elements.
        let copied = value.filter(|_| kind == ObjectKind::Array);
        if let Some(place) = copied.and_then(|value| self.array_place(value)) {
            return self.add_binding(name, Binding::Place(place));
        }
        match (kind, value) {
            (ObjectKind::Collection | ObjectKind::Object, _) => {
                let key = self.declare_variable(name, kind);
                self.empty_collection(&key, span);
                self.fill_collection(&key, arguments, span);
                let items = value.filter(|value| value.kind == CodeKind::List).map_or(&[][..], |value| &value.parts);
                items.iter().for_each(|item| self.insert(&key, std::slice::from_ref(item), span));
            }
            (_, Some(value)) if value.is_read() => {
                let key = self.declare_variable(name, kind);
                self.lower_read(value, Some(Variable::new(&key)));
            }
            (ObjectKind::Array, _) => {
                let key = self.declare_variable(name, kind);
                // `vector<Tree>` has the parts of `Tree`.
                let mut words = of.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                let class = words.find(|word| self.program.fields.contains_key(*word));
                self.object_mut(&key).class = class.map(str::to_owned);
                let size = sizes.first().or(arguments.first()).map(|size| self.lower_value(size));
                self.object_mut(&key).length = size;
            }
            _ => {
                let parts =
                    if arguments.len() > 1 { arguments.to_vec() } else { value.map_or(Vec::new(), tuple_parts) };
                if parts.len() > 1 {
                    let key = self.declare_variable(name, kind);
                    let whole = || Code::new(CodeKind::List, "", parts.clone(), span);
                    self.object_mut(&key).constant = Some(value.cloned().unwrap_or_else(whole));
                    self.assign_parts(&Variable::new(&key), &parts, span);
                } else if !value.is_some_and(|value| self.declare_graph_value(name, kind, value)) {
                    self.declare_value(name, kind, value, of.contains("const"), span);
                }
            }
        }
    }

    /// Declares a number, a truth value or a text.
    fn declare_value(&mut self, name: &str, kind: ObjectKind, value: Option<&Code>, is_constant: bool, span: Span) {
        let known = match (value, kind) {
            (Some(value), ObjectKind::Truth) => self.lower_test(value),
            (Some(value), _) => self.lower_value(value),
            (None, ObjectKind::Truth) => Term::Any(Vec::new()),
            (None, ObjectKind::Text) => Term::Text(Vec::new()),
            (None, _) => Term::Number(0),
        };
        let key = self.declare_variable(name, kind);
        self.object_mut(&key).constant = value.filter(|_| is_constant || kind == ObjectKind::Text).cloned();
        self.assign_variable(Variable::new(&key), known, span);
    }

    /// Assigns the parts of a pair or a class: `p = {x, y}`.
    pub(super) fn assign_parts(&mut self, to: &Variable, items: &[Code], span: Span) {
        for (item, part) in items.iter().zip(self.part_names(&to.name)) {
            self.assign_code(to.select_part(&part), item, span);
        }
    }

    /// Assigns a value that the program computes or reads.
    pub(super) fn assign_code(&mut self, to: Variable, value: &Code, span: Span) {
        if value.is_read() {
            self.lower_read(value, Some(to));
        } else {
            let value = self.lower_value(value);
            self.assign_variable(to, value, span);
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

    fn lower_unpacking(&mut self, names: &[Code], value: &Code, span: Span) {
        if let Some(place) = self.find_place(value) {
            return self.bind_parts(names, &place);
        }
        let unknown = Code::new_leaf(CodeKind::Other, "", span);
        let parts = tuple_parts(value);
        for (at, name) in names.iter().enumerate() {
            let part = parts.get(at).filter(|_| parts.len() > 1).unwrap_or(&unknown);
            let value = self.lower_value(part);
            let key = self.declare_variable(&name.text, ObjectKind::Number);
            self.assign_variable(Variable::new(&key), value, span);
        }
    }

    /// Binds names to the parts of a pair or a class.
    pub(super) fn bind_parts(&mut self, names: &[Code], place: &Variable) {
        for (name, part) in names.iter().zip(self.part_names(&place.name)) {
            self.add_binding(&name.text, Binding::Place(place.select_part(&part)));
        }
    }

    fn kind_of_type(&mut self, of: &str, sizes: &[Code], value: Option<&Code>) -> ObjectKind {
        let of = of.trim_start_matches("const ").trim_start_matches("std::");
        if !sizes.is_empty() || ["vector", "array", "deque", "bitset"].iter().any(|word| of.starts_with(word)) {
            return ObjectKind::Array;
        }
        let is_collection = |word: &str| (word.ends_with("set") || word.ends_with("map")) && !word.contains("multi");
        if of.split('<').next().is_some_and(is_collection) {
            return ObjectKind::Collection;
        }
        if self.program.functions.iter().any(|function| function.text.starts_with(&format!("{of}::"))) {
            return ObjectKind::Object;
        }
        match (of, value) {
            ("bool", _) => ObjectKind::Truth,
            ("string", _) => ObjectKind::Text,
            ("auto", Some(value)) if self.array_place(value).is_some() => ObjectKind::Array,
            _ => ObjectKind::Number,
        }
    }

    // Expressions as statements.

    pub(super) fn lower_assignment(&mut self, sign: &str, to: &Code, value: &Code, span: Span) {
        if self.collect_by_index(sign, to, value) || self.note_joined(to, value, span) {
            return;
        }
        let Some(place) = self.find_place(to) else {
            self.lower_value(value);
            return;
        };
        let parts = tuple_parts(value);
        if sign == "=" && value.is_read() {
            self.lower_read(value, Some(place));
            return;
        }
        if sign == "=" && parts.len() > 1 {
            return self.assign_parts(&place, &parts, span);
        }
        let is_truth = self.kind_of(&place) == ObjectKind::Truth;
        let new = if is_truth { self.lower_test(value) } else { self.lower_value(value) };
        let old = Term::Variable(place.clone());
        let new = match sign {
            "=" => new,
            "&=" if is_truth => Term::All(vec![old, new]),
            "|=" if is_truth => Term::Any(vec![old, new]),
            "+=" | "-=" | "*=" => Term::new_binary(arithmetic_sign(&sign[..1]).unwrap_or("+"), old, new),
            _ => Term::Unknown("it is computed by an operation that formats do not have"),
        };
        self.assign_variable(place, new, span);
    }

    pub(super) fn lower_call(&mut self, name: &str, arguments: &[Code], span: Span) {
        match name {
            "ensuref" | "ensure" | "assert" | "ensure_ext" | "__testlib_ensure" => {
                arguments.iter().take(1).for_each(|test| self.assert_test(test, true));
            }
            "quitif" => arguments.iter().take(1).for_each(|test| self.assert_test(test, false)),
            "quitf" | "quit" | "__testlib_fail" | "exit" | "abort" => self.assert_term(Term::Any(Vec::new()), span),
            "fill" | "memset" => {
                let place = arguments.first().and_then(|first| self.find_place(range_array(first)));
                self.forget_arguments(&arguments[..arguments.len().min(1)], span);
                if let Some(place) = place.filter(|_| arguments.iter().any(|value| value.is_truth(false))) {
                    let length = self.object_mut(&place.name).length.clone();
                    self.clear_contents(&place, length, span);
                }
            }
            "sort" | "stable_sort" => self.note_sorted(arguments, span),
            // These do not concern the input.
            "registerValidation"
            | "setTestCase"
            | "setTestCaseFileName"
            | "addFeature"
            | "printf"
            | "fprintf"
            | "ios_base::sync_with_stdio" => {}
            "swap" => self.lower_swap(arguments, span),
            _ => match self.called_function(name) {
                Some(function) if self.note_graph_call(&function, arguments, span) => {}
                Some(function) => self.inline_function(&function, arguments, false, span),
                None if name.is_empty() => {}
                None => self.forget_arguments(arguments, span),
            },
        }
    }

    /// Lowers values that may read or change something.
    pub(super) fn lower_values(&mut self, values: &[Code]) {
        values.iter().for_each(|value| _ = self.lower_value(value));
    }

    fn lower_swap(&mut self, arguments: &[Code], span: Span) {
        let places: Option<Vec<Variable>> = arguments.iter().map(|argument| self.find_place(argument)).collect();
        let Some([one, other]) = places.as_deref() else {
            return self.warn_lossy(span, "values change their places", "they do not");
        };
        if self.is_container(one) && one.indices.is_empty() && self.kind_of(one) != ObjectKind::Text {
            return [one, other].into_iter().for_each(|place| self.forget_contents(place, span));
        }
        let before = Variable::new(&self.fresh_key("swapped"));
        for (to, from) in [(&before, one), (one, other), (other, &before)] {
            self.assign_variable(to.clone(), Term::Variable(from.clone()), span);
        }
    }

    /// Lowers the body of a function in place of a call.
    fn inline_function(&mut self, function: &Code, arguments: &[Code], returns_validity: bool, span: Span) {
        let (parameters, body) = function.signature();
        let lowered = self.within_call(function, |this| {
            let mut scope = BTreeMap::new();
            for (parameter, argument) in parameters.iter().zip(arguments) {
                let binding = match (this.argument_binding(&parameter.text, argument), &*parameter.parts) {
                    (Binding::Place(place), [of]) if this.changes_name(body, &parameter.text) => {
                        this.copy_argument(parameter, &of.text, place, span)
                    }
                    (binding, _) => binding,
                };
                scope.insert(parameter.text.to_string(), binding);
            }
            this.scopes.push(scope);
            let before = std::mem::replace(&mut this.returns_validity, returns_validity);
            this.lower_statements(body);
            this.returns_validity = before;
            this.scopes.pop();
        });
        if lowered.is_none() {
            for place in self.assigned_places(body) {
                self.push(StepKind::forget_variable(&place.name), span);
            }
            self.warn_lossy(span, "a function calls itself", "it is left out");
        }
    }

    /// Runs `inside` for a call of a function, unless the function is being called or there are too many calls.
    pub(super) fn within_call<T>(&mut self, function: &Code, inside: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.call_count += 1;
        let is_active = self.active.iter().any(|active| Rc::ptr_eq(&active.parts, &function.parts));
        if is_active || self.active.len() > MAX_CALL_DEPTH || self.call_count > MAX_CALLS {
            return None;
        }
        self.active.push(function.clone());
        let found = inside(self);
        self.active.pop();
        Some(found)
    }

    /// Returns what a parameter stands for: the place of the argument, or a variable with its value.
    pub(super) fn argument_binding(&mut self, name: &str, argument: &Code) -> Binding {
        if let Some(place) = self.find_place(argument) {
            return Binding::Place(place);
        }
        if let Some(function) = argument.as_name().and_then(|name| self.called_function(name)) {
            return Binding::Function(function);
        }
        let key = self.fresh_key(name);
        let value = self.lower_value(argument);
        self.object_mut(&key).constant = Some(argument.clone());
        self.assign_variable(Variable::new(&key), value, argument.span);
        Binding::Place(Variable::new(&key))
    }

    /// Returns true if statements may change a variable.
    fn changes_name(&self, statements: &[Code], name: &str) -> bool {
        let is_own = |code: &Code| code.all_parts().any(|part| part.as_name() == Some(name));
        all_code(statements).any(|part| match part.view() {
            (CodeKind::Assign, _, [to, _]) => is_own(to),
            (CodeKind::Method, "size" | "length" | "begin" | "end" | "count" | "find" | "empty", _) => false,
            (CodeKind::Method, _, [object, ..]) => is_own(object),
            (CodeKind::Call, "ensuref" | "ensure" | "quitif" | "max" | "min" | "accumulate" | "count", _) => false,
            (CodeKind::Call, _, arguments) => arguments.iter().any(is_own),
            _ => false,
        })
    }

    /// Binds a parameter by value to a copy of the argument.
    fn copy_argument(&mut self, parameter: &Code, of: &str, place: Variable, span: Span) -> Binding {
        let kind = self.kind_of_type(of, &[], None);
        let length = self.length_of(&place).filter(|_| kind == ObjectKind::Array);
        let key = self.fresh_key(&parameter.text);
        let object = self.object_mut(&key);
        (object.kind, object.length) = (kind, length);
        let to = key.clone();
        let copy = StepKind::Set(vec![(Variable::new(&key), Term::Variable(place.clone()))]);
        self.push(if kind == ObjectKind::Array { StepKind::CopyArray { to, from: place } } else { copy }, span);
        Binding::Place(Variable::new(&key))
    }

    // Conditions.

    /// Returns true if the statements only reject the input.
    fn is_failure(&self, statements: &[Code]) -> bool {
        let fails = |statement: &Code| match statement.view() {
            (CodeKind::Call, "quitf" | "quit" | "__testlib_fail" | "abort", _) => true,
            (CodeKind::Method, "quitf" | "quit", _) => true,
            (CodeKind::Call, "exit", arguments) => arguments.first().is_none_or(|code| code.as_number() != Some(0)),
            (CodeKind::Call, "ensuref" | "ensure" | "assert", [test, ..]) => test.is_truth(false),
            (CodeKind::Return, _, [value]) => self.returns_validity && value.is_truth(false),
            _ => false,
        };
        statements.iter().any(fails) && statements.len() <= 2
    }

    pub(super) fn lower_condition(&mut self, test: &Code, then: &[Code], otherwise: &[Code], span: Span) {
        if self.is_failure(then) {
            self.assert_test(test, false);
            return self.lower_block(otherwise);
        }
        if self.is_failure(otherwise) {
            self.assert_test(test, true);
            return self.lower_block(then);
        }
        let term = self.lower_test(test);
        if let Some(holds) = term.constant_truth() {
            return self.lower_block(if holds { then } else { otherwise });
        }
        // Two components are only joined if they are separate, which is no condition on the edges.
        let is_join = matches!(test.view(), (CodeKind::Binary, "!=" | "==", [left, right])
            if self.find_represented(left).is_some() && self.find_represented(right).is_some());
        self.conditions += usize::from(!is_join);
        let then = self.collect_steps(|this| this.lower_block(then));
        let otherwise = self.collect_steps(|this| this.lower_block(otherwise));
        self.conditions -= usize::from(!is_join);
        if !then.is_empty() || !otherwise.is_empty() {
            self.push(StepKind::If { test: LocatedTerm { term, span: test.span }, then, otherwise }, span);
        }
    }

    /// Asserts that a condition of the program holds, or that it does not.
    pub(super) fn assert_test(&mut self, test: &Code, holds: bool) {
        match test.view() {
            (CodeKind::Binary, sign, [left, right])
                if matches!((sign, holds), ("&&" | "and", true) | ("||" | "or", false)) =>
            {
                self.assert_test(left, holds);
                return self.assert_test(right, holds);
            }
            (CodeKind::Unary, "!", [inner]) => return self.assert_test(inner, !holds),
            (CodeKind::Call, name, arguments) if holds => {
                if let Some(function) = self.called_function(name)
                    && known_function(&function.text).is_none()
                    && !self.is_graph_function(&function)
                    // It returns whether something is valid.
                    && all_code(function.signature().1).any(|part| {
                        matches!(part.view(), (CodeKind::Return, _, [value]) if value.kind == CodeKind::Truth)
                    })
                {
                    return self.inline_function(&function, arguments, true, test.span);
                }
            }
            _ => {}
        }
        if !self.assert_of_graph(test) {
            let claim = self.lower_test(test);
            self.assert_term(if holds { claim } else { claim.into_negated() }, test.span);
        }
    }

    /// Asserts a claim. If a value is not among those that the same loop collects, these are distinct.
    pub(super) fn assert_term(&mut self, claim: Term, span: Span) {
        let is_insertion = matches!(claim, Term::Unique(_));
        let distinct = self.distinct_claim(&claim).or_else(|| is_insertion.then(|| claim.clone()));
        let (Some(distinct), Some(open)) = (&distinct, self.loops.last_mut()) else {
            return self.push(StepKind::Assert(distinct.unwrap_or(claim)), span);
        };
        // Under a condition it does not hold for all values.
        if open.conditions != self.conditions {
            let claim = Term::Unknown("it is only required under a condition");
            return self.push(StepKind::Assert(claim), span);
        }
        let step = Step { kind: StepKind::Assert(distinct.clone()), span };
        if !open.at_end.iter().any(|known| known.kind == step.kind) {
            open.at_end.push(step);
        }
    }

    pub(super) fn called_function(&self, name: &str) -> Option<Code> {
        if let Binding::Function(function) = self.find_binding(name)? { Some(function.clone()) } else { None }
    }
}

/// Returns the parts of a pair or a tuple, or the value itself.
pub(super) fn tuple_parts(value: &Code) -> Vec<Code> {
    match value.view() {
        (CodeKind::Call, "minmax", arguments) => {
            ["min", "max"].map(|name| Code::new(CodeKind::Call, name, arguments.to_vec(), value.span)).to_vec()
        }
        (CodeKind::List, _, items) => items.to_vec(),
        (CodeKind::Call, name, items)
            if items.len() > 1
                && ["make_pair", "make_tuple", "pair", "tuple"].iter().any(|word| name.starts_with(word)) =>
        {
            items.to_vec()
        }
        _ => vec![value.clone()],
    }
}

/// Returns the name in formats of a function that is usual in validators.
pub(super) fn known_function(name: &str) -> Option<&'static str> {
    match &*name.to_ascii_lowercase().replace('_', "") {
        "isprime" | "prime" | "checkprime" | "primecheck" => Some("prime"),
        "abs" | "llabs" | "labs" | "fabs" => Some("abs"),
        "gcd" | "gcdll" | "mygcd" | "gcdlong" | "computegcd" => Some("gcd"),
        _ => None,
    }
}

/// Returns true for a `return` with another value than `false`.
fn may_accept(part: &Code) -> bool {
    part.kind == CodeKind::Return && !part.parts.first().is_some_and(|value| value.is_truth(false))
}

/// Returns `a` for `a.begin()`.
pub(super) fn begin_of(value: &Code) -> Option<&Code> {
    if let (CodeKind::Method, "begin", [array]) = value.view() { Some(array) } else { None }
}

/// Returns `a` for `a.begin()`, `a.end() - 1`, `a + n` and `&a[0]`, and other expressions as they are.
pub(super) fn range_array(argument: &Code) -> &Code {
    match argument.view() {
        (CodeKind::Method, "begin" | "end" | "rbegin" | "rend" | "data", [array]) => array,
        (CodeKind::Binary, "+" | "-", [place, _]) | (CodeKind::Unary, "&", [place]) => range_array(place),
        _ => argument,
    }
}
