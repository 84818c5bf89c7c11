//! The parts of C++ that validators use: a tree without types, made of the one of tree-sitter.
//!
//! Casts and parentheses are left out, `x++` is `x += 1`, and `switch` is a chain of `if`. Parts that are not understood are
//! `Other`, which is no error: few parts of a program matter.

use rebut_diagnostics::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use tree_sitter::Node;

/// Maximum nesting of expressions and statements, which bounds the use of the stack.
const MAX_DEPTH: usize = 120;

/// Maximum number of the parser's calls back, one in a hundred steps. A text that is not C++ can take the
/// square of its length.
const MAX_PARSER_CHECKS: usize = 600;

/// A source file.
#[derive(Debug, Default)]
pub(super) struct Program {
    /// Functions and methods, by their names; a method has that of its class: `Dsu::find`.
    pub(super) functions: Vec<Rc<Function>>,
    /// Names of the fields of classes, by the names of the classes.
    pub(super) fields: BTreeMap<String, Vec<String>>,
    /// Variables and constants outside of functions, in their order.
    pub(super) globals: Vec<Statement>,
}

/// A function, a method or a lambda.
#[derive(Debug, PartialEq)]
pub(super) struct Function {
    pub(super) name: String,
    /// Names of the parameters.
    pub(super) parameters: Vec<String>,
    pub(super) body: Vec<Statement>,
}

/// A statement and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Statement {
    pub(super) kind: StatementKind,
    pub(super) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum StatementKind {
    /// `vector<int> a(n);`: the type, the name, sizes in brackets, and what it is made of.
    Declare {
        of: String,
        name: String,
        sizes: Vec<Expression>,
        start: Option<Initializer>,
    },
    /// `auto [a, b] = pair;`
    Unpack(Vec<String>, Expression),
    Expression(Expression),
    If(Expression, Vec<Statement>, Vec<Statement>),
    For(Box<ForLoop>),
    /// `for (auto [a, b] : all)`
    Each(Vec<String>, Expression, Vec<Statement>),
    While(Expression, Vec<Statement>),
    Break,
    Continue,
    Return(Option<Expression>),
    Block(Vec<Statement>),
    Other,
}

/// The initial value of a variable.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Initializer {
    /// `= value`
    Value(Expression),
    /// `(n, 0)` or `{n, 0}`
    Arguments(Vec<Expression>),
}

/// `for (start; test; step) body`
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ForLoop {
    pub(super) start: Option<Statement>,
    pub(super) test: Option<Expression>,
    pub(super) step: Option<Expression>,
    pub(super) body: Vec<Statement>,
}

/// An expression and its place.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub(super) kind: ExpressionKind,
    pub(super) span: Span,
}

/// Equal expressions can be at different places.
impl PartialEq for Expression {
    fn eq(&self, other: &Expression) -> bool {
        self.kind == other.kind
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum ExpressionKind {
    Number(i128),
    /// A number with a point or a negative exponent.
    Decimal(String),
    Text(Vec<u8>),
    Letter(u8),
    Truth(bool),
    Name(String),
    /// `-x`, `!x`, `~x`, `*x`
    Unary(String, Box<Expression>),
    Binary(String, Box<Expression>, Box<Expression>),
    /// `x = y`, `x += y`
    Assign(String, Box<Expression>, Box<Expression>),
    Choice(Box<Expression>, Box<Expression>, Box<Expression>),
    Call(Box<Expression>, Vec<Expression>),
    Member(Box<Expression>, String),
    Index(Box<Expression>, Box<Expression>),
    List(Vec<Expression>),
    Lambda(Rc<Function>),
    Other,
}

impl Expression {
    /// Returns the name, if the expression is one.
    pub(super) fn as_name(&self) -> Option<&str> {
        if let ExpressionKind::Name(name) = &self.kind { Some(name) } else { None }
    }

    /// Returns the object, the name of the method and the arguments of a call: `inf`, `readInt`, `[1, n]`.
    pub(super) fn as_method_call(&self) -> Option<(&Expression, &str, &[Expression])> {
        let ExpressionKind::Call(callee, arguments) = &self.kind else { return None };
        let ExpressionKind::Member(object, method) = &callee.kind else { return None };
        Some((object, method, arguments))
    }

    /// Returns the name of the function and the arguments of a call.
    pub(super) fn as_call(&self) -> Option<(&str, &[Expression])> {
        let ExpressionKind::Call(callee, arguments) = &self.kind else { return None };
        Some((callee.as_name()?, arguments))
    }

    fn children(&self) -> Vec<&Expression> {
        use ExpressionKind::{Assign, Binary, Call, Choice, Index, List, Member, Unary};
        match &self.kind {
            Unary(_, inner) | Member(inner, _) => vec![inner],
            Binary(_, left, right) | Assign(_, left, right) | Index(left, right) => vec![left, right],
            Choice(test, left, right) => vec![test, left, right],
            Call(callee, arguments) => std::iter::once(&**callee).chain(arguments).collect(),
            List(items) => items.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Returns true if the predicate holds for any part.
    pub(super) fn any_part(&self, wanted: &mut dyn FnMut(&Expression) -> bool) -> bool {
        wanted(self) || self.children().into_iter().any(|part| part.any_part(wanted))
    }
}

impl Statement {
    /// Returns the lists of statements in this one.
    pub(super) fn bodies(&self) -> Vec<&[Statement]> {
        match &self.kind {
            StatementKind::If(_, then, otherwise) => vec![then, otherwise],
            StatementKind::For(inner) => vec![&inner.body],
            StatementKind::Each(_, _, body) | StatementKind::While(_, body) | StatementKind::Block(body) => vec![body],
            _ => Vec::new(),
        }
    }

    /// Returns the expressions of the statement itself.
    fn expressions(&self) -> Vec<&Expression> {
        match &self.kind {
            StatementKind::Declare { sizes, start, .. } => {
                let start = match start {
                    Some(Initializer::Value(value)) => std::slice::from_ref(value),
                    Some(Initializer::Arguments(arguments)) => arguments,
                    None => &[],
                };
                sizes.iter().chain(start).collect()
            }
            StatementKind::Unpack(_, value)
            | StatementKind::Expression(value)
            | StatementKind::If(value, ..)
            | StatementKind::Each(_, value, _)
            | StatementKind::While(value, _)
            | StatementKind::Return(Some(value)) => vec![value],
            StatementKind::For(inner) => inner.test.iter().chain(&inner.step).collect(),
            _ => Vec::new(),
        }
    }
}

/// Returns true if the predicate holds for any expression in the statements.
pub(super) fn any_expression(statements: &[Statement], wanted: &mut dyn FnMut(&Expression) -> bool) -> bool {
    statements.iter().any(|statement| {
        let start = match &statement.kind {
            StatementKind::For(inner) => inner.start.as_slice(),
            _ => &[],
        };
        statement.expressions().into_iter().any(|part| part.any_part(wanted))
            || any_expression(start, wanted)
            || statement.bodies().into_iter().any(|body| any_expression(body, wanted))
    })
}

/// Parses a source file. Returns `None` if it is far from C++.
pub(super) fn parse_program(text: &[u8]) -> Option<Program> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_cpp::LANGUAGE.into()).ok()?;
    let mut checks = 0;
    let mut is_endless = |_: &tree_sitter::ParseState| {
        checks += 1;
        checks > MAX_PARSER_CHECKS
    };
    let options = tree_sitter::ParseOptions::new().progress_callback(&mut is_endless);
    let (text, undecided) = blank_untaken_branches(text);
    let mut read = |at: usize, _| text.get(at..).unwrap_or_default();
    let tree = parser.parse_with_options(&mut read, None, Some(options))?;
    let mut program = Program::default();
    SourceReader { text: &text }.read_items(tree.root_node(), "", &mut program, 0);
    program.globals.extend(undecided.map(|span| Statement { kind: StatementKind::Other, span }));
    Some(program)
}

/// Writes blanks over the branches that the compiler does not see: of `#if 0`, and of `#ifdef NAME` without a
/// definition. Also returns the place of a condition that is not understood; both its branches are left.
fn blank_untaken_branches(text: &[u8]) -> (Vec<u8>, Option<Span>) {
    let (mut visible, mut undecided, mut start) = (Vec::with_capacity(text.len()), None, 0);
    let mut defined = BTreeSet::new();
    // Of each open condition: whether the branch is compiled, and whether a later one can be.
    let mut open: Vec<(bool, bool)> = Vec::new();
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let span = Span::new(start, start + line.trim_ascii_end().len());
        start = span.start + line.len();
        let is_compiled = open.iter().all(|(taken, _)| *taken);
        let directive = String::from_utf8_lossy(line);
        let directive = directive.trim_start().strip_prefix('#').map(str::trim_start).unwrap_or_default();
        let (word, rest) = directive.split_at(directive.find(|c: char| !c.is_alphabetic()).unwrap_or(directive.len()));
        let rest = rest.split("//").next().unwrap_or_default().trim();
        let name = rest.split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
        match (word, rest) {
            ("define", _) if is_compiled => _ = defined.insert(name.to_owned()),
            ("ifdef", _) => open.push((defined.contains(name), true)),
            ("ifndef", _) => open.push((!defined.contains(name), true)),
            ("if", "0") => open.push((false, true)),
            ("if", "1") => open.push((true, true)),
            ("if" | "elif", _) => {
                undecided = undecided.or(is_compiled.then_some(span));
                if word == "elif" {
                    open.pop();
                }
                open.push((true, false));
            }
            ("else", _) => {
                if let Some((taken, true)) = open.last_mut() {
                    *taken = !*taken;
                }
            }
            ("endif", _) => _ = open.pop(),
            _ => {}
        }
        let is_branch = matches!(word, "if" | "ifdef" | "ifndef" | "elif" | "else" | "endif");
        match is_compiled && !is_branch {
            true => visible.extend_from_slice(line),
            false => visible.extend(line.iter().map(|byte| if *byte == b'\n' { b'\n' } else { b' ' })),
        }
    }
    (visible, undecided)
}

/// Reads nodes of the tree of tree-sitter.
struct SourceReader<'t> {
    text: &'t [u8],
}

impl<'t> SourceReader<'t> {
    fn text_of(&self, node: Node<'_>) -> String {
        String::from_utf8_lossy(self.text.get(node.byte_range()).unwrap_or_default()).into_owned()
    }

    fn field_text(&self, node: Node<'_>, field: &str) -> String {
        node.child_by_field_name(field).map(|part| self.text_of(part)).unwrap_or_default()
    }

    /// Reads functions, classes and variables.
    fn read_items(&self, node: Node<'_>, prefix: &str, program: &mut Program, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        for child in named_children(node) {
            match child.kind() {
                "function_definition" => program.functions.extend(self.read_function(child, prefix)),
                "declaration" => self.read_declaration(child, &mut program.globals),
                "preproc_def" => program.globals.extend(self.read_macro(child)),
                "struct_specifier" | "class_specifier" => {
                    let inner = format!("{prefix}{}::", self.field_text(child, "name"));
                    if let Some(body) = child.child_by_field_name("body") {
                        let fields = named_children(body).filter(|part| part.kind() == "field_declaration");
                        let names = fields.flat_map(|field| {
                            let mut cursor = field.walk();
                            let parts: Vec<Node<'_>> =
                                field.children_by_field_name("declarator", &mut cursor).collect();
                            parts
                                .into_iter()
                                .filter(|part| part.kind() == "field_identifier")
                                .map(|part| self.text_of(part))
                        });
                        program.fields.insert(self.field_text(child, "name"), names.collect());
                        self.read_items(body, &inner, program, depth + 1);
                    }
                }
                "namespace_definition" | "template_declaration" | "declaration_list" | "linkage_specification" => {
                    self.read_items(child, prefix, program, depth + 1)
                }
                _ => {}
            }
        }
    }

    fn read_function(&self, node: Node<'_>, prefix: &str) -> Option<Rc<Function>> {
        let mut declarator = node.child_by_field_name("declarator")?;
        while declarator.kind() != "function_declarator" {
            declarator = declarator.child_by_field_name("declarator").or_else(|| declarator.named_child(0))?;
        }
        let name = prefix.to_owned() + &self.field_text(declarator, "declarator");
        let parameters = self.read_parameters(declarator);
        let body = self.read_block(node.child_by_field_name("body")?, 0);
        Some(Rc::new(Function { name, parameters, body }))
    }

    fn read_parameters(&self, declarator: Node<'_>) -> Vec<String> {
        let Some(list) = declarator.child_by_field_name("parameters") else { return Vec::new() };
        let name = |parameter: Node<'_>| {
            let mut inner = parameter.child_by_field_name("declarator")?;
            while let Some(next) = inner.child_by_field_name("declarator").or_else(|| inner.named_child(0)) {
                inner = next;
            }
            Some(self.text_of(inner))
        };
        let is_parameter = |node: &Node<'_>| node.kind().ends_with("parameter_declaration");
        named_children(list).filter(is_parameter).map(|parameter| name(parameter).unwrap_or_default()).collect()
    }

    /// Reads `#define MAXN 100000` as a constant.
    fn read_macro(&self, node: Node<'_>) -> Option<Statement> {
        let value = self.field_text(node, "value");
        let text = format!("auto x = {};", value.split("//").next()?.trim());
        let inner = parse_program(text.as_bytes())?;
        let Some(Statement { kind: StatementKind::Declare { start: Some(start), .. }, .. }) = inner.globals.first()
        else {
            return None;
        };
        let (name, start) = (self.field_text(node, "name"), Some(start.clone()));
        let kind = StatementKind::Declare { of: "const long long".to_owned(), name, sizes: Vec::new(), start };
        Some(Statement { kind, span: span_of(node) })
    }

    fn read_block(&self, node: Node<'_>, depth: usize) -> Vec<Statement> {
        let mut found = Vec::new();
        if depth > MAX_DEPTH {
            return found;
        }
        if node.kind() != "compound_statement" {
            self.read_statement(node, &mut found, depth);
            return found;
        }
        for child in named_children(node) {
            self.read_statement(child, &mut found, depth + 1);
        }
        found
    }

    fn read_statement(&self, node: Node<'_>, found: &mut Vec<Statement>, depth: usize) {
        let part = |field: &str| node.child_by_field_name(field);
        let expression = |field: &str| part(field).map(|part| self.read_expression(part, depth + 1));
        let block = |field: &str| part(field).map(|part| self.read_block(part, depth + 1)).unwrap_or_default();
        let other = |expression: Option<Expression>| expression.unwrap_or_else(|| other_expression(node));
        let kind = match node.kind() {
            "comment" | "using_declaration" | "alias_declaration" | "type_definition" => return,
            "declaration" => return self.read_declaration(node, found),
            "compound_statement" => StatementKind::Block(self.read_block(node, depth + 1)),
            "expression_statement" => match node.named_child(0) {
                Some(inner) => StatementKind::Expression(self.read_expression(inner, depth + 1)),
                None => return,
            },
            "if_statement" => {
                let otherwise = part("alternative").map(|clause| {
                    let inner = named_children(clause).find(|child| child.kind() != "comment").unwrap_or(clause);
                    self.read_block(inner, depth + 1)
                });
                StatementKind::If(other(expression("condition")), block("consequence"), otherwise.unwrap_or_default())
            }
            "for_statement" => {
                let mut start = Vec::new();
                if let Some(node) = part("initializer") {
                    if node.kind() == "declaration" {
                        self.read_declaration(node, &mut start);
                    } else {
                        let value = self.read_expression(node, depth + 1);
                        start.push(Statement { kind: StatementKind::Expression(value), span: span_of(node) });
                    }
                }
                let several = start.len() > 1;
                let start = start.pop().filter(|_| !several);
                let (test, step) = (expression("condition"), expression("update"));
                if several {
                    StatementKind::Other
                } else {
                    StatementKind::For(Box::new(ForLoop { start, test, step, body: block("body") }))
                }
            }
            "for_range_loop" => {
                let names = part("declarator").map(|node| self.read_names(node)).unwrap_or_default();
                StatementKind::Each(names, other(expression("right")), block("body"))
            }
            "while_statement" => StatementKind::While(other(expression("condition")), block("body")),
            "switch_statement" => self.read_switch(node, depth),
            "break_statement" => StatementKind::Break,
            "continue_statement" => StatementKind::Continue,
            "return_statement" => {
                StatementKind::Return(node.named_child(0).map(|inner| self.read_expression(inner, depth + 1)))
            }
            _ => StatementKind::Other,
        };
        found.push(Statement { kind, span: header_span(node) });
    }

    /// Reads `switch` as a chain of `if`.
    fn read_switch(&self, node: Node<'_>, depth: usize) -> StatementKind {
        let (Some(value), Some(body)) = (node.child_by_field_name("condition"), node.child_by_field_name("body"))
        else {
            return StatementKind::Other;
        };
        let value = self.read_expression(value, depth + 1);
        let mut tests: Vec<Expression> = Vec::new();
        let mut cases: Vec<(Option<Expression>, Vec<Statement>)> = Vec::new();
        for case in named_children(body).filter(|child| child.kind() == "case_statement") {
            let of = case.child_by_field_name("value");
            let mut statements = Vec::new();
            for child in named_children(case).filter(|child| Some(*child) != of) {
                self.read_statement(child, &mut statements, depth + 2);
            }
            let test = of.map(|of| {
                let of = self.read_expression(of, depth + 1);
                let span = of.span;
                let kind = ExpressionKind::Binary("==".to_owned(), Box::new(value.clone()), Box::new(of));
                Expression { kind, span }
            });
            let is_default = test.is_none();
            tests.extend(test);
            if statements.is_empty() && !is_default {
                continue;
            }
            let any = tests.drain(..).reduce(|left, right| {
                let span = left.span;
                Expression { kind: ExpressionKind::Binary("||".to_owned(), Box::new(left), Box::new(right)), span }
            });
            statements.retain(|statement| statement.kind != StatementKind::Break);
            cases.push((any.filter(|_| !is_default), statements));
        }
        let mut chain = Vec::new();
        for (test, statements) in cases.into_iter().rev() {
            chain = match test {
                None => statements,
                Some(test) => {
                    vec![Statement { kind: StatementKind::If(test, statements, chain), span: header_span(node) }]
                }
            };
        }
        StatementKind::Block(chain)
    }

    /// Returns the names that a declarator declares.
    fn read_names(&self, node: Node<'_>) -> Vec<String> {
        match node.kind() {
            "identifier" => vec![self.text_of(node)],
            _ => named_children(node)
                .filter(|child| child.kind() == "identifier")
                .map(|name| self.text_of(name))
                .collect(),
        }
    }

    fn read_declaration(&self, node: Node<'_>, found: &mut Vec<Statement>) {
        let qualifier = named_children(node).find(|child| child.kind() == "type_qualifier");
        let qualifier = qualifier.map(|node| self.text_of(node) + " ").unwrap_or_default();
        let of = qualifier + &self.field_text(node, "type");
        let mut cursor = node.walk();
        for declarator in node.children_by_field_name("declarator", &mut cursor) {
            let kind = self.read_declarator(declarator, &of);
            found.push(Statement { kind, span: span_of(node) });
        }
    }

    fn read_declarator(&self, node: Node<'_>, of: &str) -> StatementKind {
        let (mut inner, mut start, mut sizes) = (node, None, Vec::new());
        for _ in 0..MAX_DEPTH {
            match inner.kind() {
                "init_declarator" => {
                    start = inner.child_by_field_name("value").map(|value| match value.kind() {
                        "argument_list" | "initializer_list" => Initializer::Arguments(self.read_list(value, 1)),
                        _ => Initializer::Value(self.read_expression(value, 1)),
                    });
                }
                "array_declarator" => {
                    let size = inner.child_by_field_name("size").map(|size| self.read_expression(size, 1));
                    sizes.insert(0, size.unwrap_or_else(|| other_expression(inner)));
                }
                // `vector<int> a(n);` looks like a function with an argument of the type `n`.
                "function_declarator" => {
                    let arguments = inner.child_by_field_name("parameters");
                    let list = arguments.map(|list| named_children(list).map(|part| self.read_type_as_value(part)));
                    start = list.map(|list| Initializer::Arguments(list.collect()));
                }
                "structured_binding_declarator" => {
                    let Some(Initializer::Value(value)) = start else { return StatementKind::Other };
                    return StatementKind::Unpack(self.read_names(inner), value);
                }
                "identifier" => break,
                _ => {}
            }
            let next = inner.child_by_field_name("declarator").or_else(|| inner.named_child(0));
            let Some(next) = next else { return StatementKind::Other };
            inner = next;
        }
        if inner.kind() != "identifier" {
            return StatementKind::Other;
        }
        StatementKind::Declare { of: of.to_owned(), name: self.text_of(inner), sizes, start }
    }

    /// Reads a name that was taken for a type.
    fn read_type_as_value(&self, node: Node<'_>) -> Expression {
        let text = self.text_of(node);
        let is_name = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let kind = if is_name { ExpressionKind::Name(text) } else { ExpressionKind::Other };
        Expression { kind, span: span_of(node) }
    }

    fn read_list(&self, node: Node<'_>, depth: usize) -> Vec<Expression> {
        let parts = named_children(node).filter(|child| child.kind() != "comment");
        parts.map(|part| self.read_expression(part, depth + 1)).collect()
    }

    fn read_expression(&self, node: Node<'_>, depth: usize) -> Expression {
        let kind = if depth > MAX_DEPTH { None } else { self.read_expression_kind(node, depth + 1) };
        // Parts without a meaning of their own are left out.
        match kind {
            Some(ExpressionKind::List(mut items)) if is_transparent(node) && items.len() == 1 => {
                Expression { span: span_of(node), ..items.remove(0) }
            }
            kind => Expression { kind: kind.unwrap_or(ExpressionKind::Other), span: span_of(node) },
        }
    }

    fn read_expression_kind(&self, node: Node<'_>, depth: usize) -> Option<ExpressionKind> {
        let part = |field: &str| {
            let part = node.child_by_field_name(field)?;
            Some(Box::new(self.read_expression(part, depth)))
        };
        let operator = || self.field_text(node, "operator");
        Some(match node.kind() {
            "identifier" | "this" | "field_identifier" | "type_identifier" => ExpressionKind::Name(self.text_of(node)),
            "qualified_identifier" | "template_function" => {
                let text = self.text_of(node);
                let name = text.split('<').next().unwrap_or_default().trim_start_matches("std::");
                ExpressionKind::Name(name.trim().to_owned())
            }
            "number_literal" => read_number(&self.text_of(node)),
            "true" | "false" => ExpressionKind::Truth(node.kind() == "true"),
            "char_literal" => match *unescape_literal(self.text_of(node).as_bytes()) {
                [letter] => ExpressionKind::Letter(letter),
                _ => ExpressionKind::Other,
            },
            "string_literal" => ExpressionKind::Text(unescape_literal(self.text_of(node).as_bytes())),
            "raw_string_literal" => {
                let text = self.text_of(node);
                let (_, rest) = text.split_once('(')?;
                ExpressionKind::Text(rest.rsplit_once(')')?.0.as_bytes().to_vec())
            }
            "concatenated_string" => {
                let parts = self.read_list(node, depth).into_iter().map(|part| part.kind);
                let text = |kind| if let ExpressionKind::Text(text) = kind { Some(text) } else { None };
                ExpressionKind::Text(parts.map(text).collect::<Option<Vec<_>>>()?.concat())
            }
            "binary_expression" => ExpressionKind::Binary(operator(), part("left")?, part("right")?),
            "unary_expression" | "pointer_expression" => ExpressionKind::Unary(operator(), part("argument")?),
            "update_expression" => {
                let one = Expression { kind: ExpressionKind::Number(1), span: span_of(node) };
                let sign = if operator() == "++" { "+=" } else { "-=" };
                ExpressionKind::Assign(sign.to_owned(), part("argument")?, Box::new(one))
            }
            "assignment_expression" => ExpressionKind::Assign(operator(), part("left")?, part("right")?),
            "conditional_expression" => {
                ExpressionKind::Choice(part("condition")?, part("consequence")?, part("alternative")?)
            }
            "call_expression" => return self.read_call(node, depth),
            "field_expression" => ExpressionKind::Member(part("argument")?, self.field_text(node, "field")),
            "subscript_expression" => {
                let index = node.child_by_field_name("indices").or_else(|| node.child_by_field_name("index"))?;
                ExpressionKind::Index(part("argument")?, Box::new(self.read_expression(index, depth)))
            }
            "parenthesized_expression" | "condition_clause" | "subscript_argument_list" => {
                ExpressionKind::List(self.read_list(node, depth))
            }
            "cast_expression" => ExpressionKind::List(vec![*part("value")?]),
            "initializer_list" | "argument_list" => ExpressionKind::List(self.read_list(node, depth)),
            "compound_literal_expression" => ExpressionKind::Call(
                Box::new(Expression { kind: ExpressionKind::Name(self.field_text(node, "type")), span: span_of(node) }),
                self.read_list(node.child_by_field_name("value")?, depth),
            ),
            "lambda_expression" => {
                let declarator = node.child_by_field_name("declarator");
                let parameters = declarator.map(|declarator| self.read_parameters(declarator)).unwrap_or_default();
                let body = self.read_block(node.child_by_field_name("body")?, depth);
                ExpressionKind::Lambda(Rc::new(Function { name: "lambda".to_owned(), parameters, body }))
            }
            _ => return None,
        })
    }

    fn read_call(&self, node: Node<'_>, depth: usize) -> Option<ExpressionKind> {
        let callee = node.child_by_field_name("function")?;
        let mut arguments = self.read_list(node.child_by_field_name("arguments")?, depth);
        let name = self.text_of(callee);
        let is_cast = matches!(callee.kind(), "primitive_type" | "sized_type_specifier")
            || name.starts_with("static_cast")
            || matches!(
                &*name,
                "ll" | "i64" | "u64" | "int64_t" | "uint64_t" | "size_t" | "LL" | "to_string" | "string"
            );
        if is_cast && arguments.len() == 1 && name != "to_string" {
            return Some(arguments.remove(0).kind);
        }
        let callee = match callee.kind() {
            "template_type" | "template_function" if !name.contains("::") || name.starts_with("std::") => {
                let name = name.split('<').next().unwrap_or_default().trim_start_matches("std::").to_owned();
                Expression { kind: ExpressionKind::Name(name), span: span_of(callee) }
            }
            _ => self.read_expression(callee, depth),
        };
        Some(ExpressionKind::Call(Box::new(callee), arguments))
    }
}

fn is_transparent(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "parenthesized_expression" | "condition_clause" | "cast_expression" | "subscript_argument_list"
    )
}

fn named_children<'n>(node: Node<'n>) -> std::vec::IntoIter<Node<'n>> {
    // By number, each child would be searched from the first one on.
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect::<Vec<_>>().into_iter()
}

fn span_of(node: Node<'_>) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}

/// Returns the place of a statement without its body.
fn header_span(node: Node<'_>) -> Span {
    let body = ["body", "consequence"].iter().find_map(|field| node.child_by_field_name(field));
    body.map_or(span_of(node), |body| Span::new(node.start_byte(), body.start_byte().max(node.start_byte() + 1)))
}

fn other_expression(node: Node<'_>) -> Expression {
    Expression { kind: ExpressionKind::Other, span: span_of(node) }
}

/// Reads a number of C++: `1'000`, `0x7f`, `1e9`, `10LL`.
fn read_number(text: &str) -> ExpressionKind {
    let text: String = text.chars().filter(|c| *c != '\'').collect::<String>().to_ascii_lowercase();
    let whole = text.trim_end_matches(['l', 'u', 'z']);
    if let Some(digits) = whole.strip_prefix("0x") {
        return i128::from_str_radix(digits, 16).map_or(ExpressionKind::Other, ExpressionKind::Number);
    }
    if let Some(digits) = whole.strip_prefix("0b") {
        return i128::from_str_radix(digits, 2).map_or(ExpressionKind::Other, ExpressionKind::Number);
    }
    if let Ok(number) = whole.parse::<i128>() {
        let is_octal = whole.len() > 1 && whole.starts_with('0');
        let number = if is_octal { i128::from_str_radix(whole, 8).unwrap_or(number) } else { number };
        return ExpressionKind::Number(number);
    }
    let real = text.trim_end_matches(['f', 'l']);
    match crate::environment::parse_decimal(real) {
        crate::term::Term::Decimal(digits) => match digits.parse::<i128>() {
            Ok(number) if !real.contains('.') => ExpressionKind::Number(number),
            _ => ExpressionKind::Decimal(digits),
        },
        _ => ExpressionKind::Other,
    }
}

/// Returns the characters of a literal in quotes.
fn unescape_literal(text: &[u8]) -> Vec<u8> {
    let quote = text.iter().position(|byte| matches!(byte, b'"' | b'\'')).map_or(0, |at| at + 1);
    let inner = text.get(quote..text.len().saturating_sub(1)).unwrap_or_default();
    let mut found = Vec::new();
    let mut bytes = inner.iter().copied();
    while let Some(byte) = bytes.next() {
        let byte = match byte {
            b'\\' => match bytes.next() {
                Some(b'n') => b'\n',
                Some(b't') => b'\t',
                Some(b'r') => b'\r',
                Some(b'0') => 0,
                Some(other) => other,
                None => break,
            },
            byte => byte,
        };
        found.push(byte);
    }
    found
}
