//! The parts of C++ that validators use: a tree of uniform nodes without types, made of the one of tree-sitter.
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
    /// Functions and methods; a method has the name of its class: `Dsu::find`.
    pub(super) functions: Vec<Code>,
    /// Names of the fields of classes, by the names of the classes.
    pub(super) fields: BTreeMap<String, Vec<String>>,
    /// Variables and constants outside of functions, in their order.
    pub(super) globals: Vec<Code>,
}

/// A function, a statement or an expression. Copies share its parts.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) kind: CodeKind,
    /// The name, the operator or the literal.
    pub(super) text: Rc<str>,
    pub(super) parts: Rc<[Code]>,
    pub(super) span: Span,
}

/// Equal pieces of code can be at different places.
impl PartialEq for Code {
    fn eq(&self, other: &Code) -> bool {
        (self.kind, &self.text, &self.parts) == (other.kind, &other.text, &other.parts)
    }
}

/// The kind of a piece of code, and what its text and its parts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CodeKind {
    /// A whole number in decimal digits.
    Number,
    /// A number with a point or a negative exponent.
    Decimal,
    Text,
    Letter,
    /// `true` or `false`
    Truth,
    Name,
    /// `-x`, `!x`, `~x`, `*x`
    Unary,
    Binary,
    /// `x = y`, `x += y`
    Assign,
    Choice,
    /// The function, and the arguments.
    Call,
    /// The method, and the object before the arguments.
    Method,
    /// The name of the part, and the object.
    Member,
    Index,
    List,
    /// A function or a lambda: names of parameters, and the body.
    Function,
    /// `vector<int> a(n);`: the type, and the name, the initial value or `Nothing`, sizes in brackets.
    Declare,
    /// `(n, 0)` or `{n, 0}` as an initial value.
    Arguments,
    /// `auto [a, b] = pair;`: the value, and the names.
    Unpack,
    /// The test, a block, and the block of `else`.
    If,
    /// The start, the test, the step and the block.
    For,
    /// `for (auto [a, b] : all)`: the range, the block, and the names.
    Each,
    While,
    Break,
    Continue,
    Return,
    Block,
    Nothing,
    Other,
}

impl Code {
    pub(super) fn new(kind: CodeKind, text: impl Into<Rc<str>>, parts: Vec<Code>, span: Span) -> Code {
        Code { kind, text: text.into(), parts: parts.into(), span }
    }

    /// Returns the kind, the text and the parts, to match them.
    pub(super) fn view(&self) -> (CodeKind, &str, &[Code]) {
        (self.kind, &self.text, &self.parts)
    }

    /// Returns the name, if the expression is one.
    pub(super) fn as_name(&self) -> Option<&str> {
        (self.kind == CodeKind::Name).then_some(&*self.text)
    }

    /// Returns the value of a whole number.
    pub(super) fn as_number(&self) -> Option<i128> {
        if self.kind == CodeKind::Number { self.text.parse().ok() } else { None }
    }

    /// Returns true for `true` and 1, or for `false` and 0.
    pub(super) fn is_truth(&self, truth: bool) -> bool {
        match self.kind {
            CodeKind::Truth => (&*self.text == "true") == truth,
            _ => self.as_number() == Some(i128::from(truth)),
        }
    }

    /// Returns true for a call that reads from the input.
    pub(super) fn is_read(&self) -> bool {
        match self.view() {
            (CodeKind::Method, method, [object, ..]) => {
                let reads = method.starts_with("read") || method == "skipChar" || method == "nextLine";
                object.as_name() == Some("inf") && reads
            }
            _ => false,
        }
    }

    /// Returns the parameters and the body of a function.
    pub(super) fn signature(&self) -> (&[Code], &[Code]) {
        self.parts.split_last().map_or((&[], &[]), |(body, parameters)| (parameters, &body.parts))
    }

    /// Returns true if the predicate holds for any part. The bodies of lambdas are none.
    pub(super) fn any_part(&self, wanted: &mut dyn FnMut(&Code) -> bool) -> bool {
        wanted(self) || self.kind != CodeKind::Function && any_code(&self.parts, wanted)
    }
}

/// Returns true if the predicate holds for any part of any of the pieces.
pub(super) fn any_code(codes: &[Code], wanted: &mut dyn FnMut(&Code) -> bool) -> bool {
    codes.iter().any(|code| code.any_part(wanted))
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
    program.globals.extend(undecided.map(|span| Code::new(CodeKind::Other, "", Vec::new(), span)));
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

impl SourceReader<'_> {
    fn text_of(&self, node: Node<'_>) -> String {
        String::from_utf8_lossy(self.text.get(node.byte_range()).unwrap_or_default()).into_owned()
    }

    fn field_text(&self, node: Node<'_>, field: &str) -> String {
        node.child_by_field_name(field).map(|part| self.text_of(part)).unwrap_or_default()
    }

    fn name_of(&self, node: Node<'_>) -> Code {
        Code::new(CodeKind::Name, self.text_of(node), Vec::new(), span_of(node))
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
                    let name = self.field_text(child, "name");
                    let Some(body) = child.child_by_field_name("body") else { continue };
                    let fields = named_children(body).filter(|part| part.kind() == "field_declaration");
                    let names = fields.flat_map(named_children).filter(|part| part.kind() == "field_identifier");
                    program.fields.insert(name.clone(), names.map(|name| self.text_of(name)).collect());
                    self.read_items(body, &format!("{prefix}{name}::"), program, depth + 1);
                }
                "namespace_definition" | "template_declaration" | "declaration_list" | "linkage_specification" => {
                    self.read_items(child, prefix, program, depth + 1)
                }
                _ => {}
            }
        }
    }

    fn read_function(&self, node: Node<'_>, prefix: &str) -> Option<Code> {
        let mut declarator = node.child_by_field_name("declarator")?;
        while declarator.kind() != "function_declarator" {
            declarator = inner_declarator(declarator)?;
        }
        let name = prefix.to_owned() + &self.field_text(declarator, "declarator");
        Some(self.read_body(name, Some(declarator), node.child_by_field_name("body")?, 0))
    }

    /// Reads the parameters and the body of a function.
    fn read_body(&self, name: String, declarator: Option<Node<'_>>, body: Node<'_>, depth: usize) -> Code {
        let list = declarator.and_then(|declarator| declarator.child_by_field_name("parameters"));
        let parameters =
            list.into_iter().flat_map(named_children).filter(|p| p.kind().ends_with("parameter_declaration"));
        let name_of = |parameter: Node<'_>| {
            let name =
                std::iter::successors(parameter.child_by_field_name("declarator"), |n| inner_declarator(*n)).last();
            name.map_or(Code::new(CodeKind::Name, "", Vec::new(), span_of(parameter)), |name| self.name_of(name))
        };
        let parts = parameters.map(name_of).chain([self.read_block(body, depth)]).collect();
        Code::new(CodeKind::Function, name, parts, span_of(body))
    }

    /// Reads `#define MAXN 100000` as a constant.
    fn read_macro(&self, node: Node<'_>) -> Option<Code> {
        let value = self.field_text(node, "value");
        let text = format!("auto x = {};", value.split("//").next()?.trim());
        let inner = parse_program(text.as_bytes())?;
        let (CodeKind::Declare, _, [_, start]) = inner.globals.first()?.view() else { return None };
        let name = Code::new(CodeKind::Name, self.field_text(node, "name"), Vec::new(), span_of(node));
        (start.kind != CodeKind::Nothing)
            .then(|| Code::new(CodeKind::Declare, "const long long", vec![name, start.clone()], span_of(node)))
    }

    /// Reads a statement as a block, which it may be.
    fn read_block(&self, node: Node<'_>, depth: usize) -> Code {
        let mut found = Vec::new();
        if depth <= MAX_DEPTH && node.kind() == "compound_statement" {
            named_children(node).for_each(|child| self.read_statement(child, &mut found, depth + 1));
        } else if depth <= MAX_DEPTH {
            self.read_statement(node, &mut found, depth);
        }
        Code::new(CodeKind::Block, "", found, header_span(node))
    }

    fn read_statement(&self, node: Node<'_>, found: &mut Vec<Code>, depth: usize) {
        let nothing = || Code::new(CodeKind::Nothing, "", Vec::new(), span_of(node));
        let expression = |field: &str| {
            let part = node.child_by_field_name(field);
            part.map_or_else(nothing, |part| self.read_expression(part, depth + 1))
        };
        let block = |field: &str| {
            let part = node.child_by_field_name(field);
            part.map_or_else(|| nothing(), |part| self.read_block(part, depth + 1))
        };
        let (kind, parts) = match node.kind() {
            "comment" | "using_declaration" | "alias_declaration" | "type_definition" => return,
            "declaration" => return self.read_declaration(node, found),
            "compound_statement" => return found.push(self.read_block(node, depth + 1)),
            "expression_statement" => {
                return found.extend(node.named_child(0).map(|inner| self.read_expression(inner, depth + 1)));
            }
            "if_statement" => {
                let otherwise = node.child_by_field_name("alternative").map_or_else(nothing, |clause| {
                    let inner = named_children(clause).find(|child| child.kind() != "comment").unwrap_or(clause);
                    self.read_block(inner, depth + 1)
                });
                (CodeKind::If, vec![expression("condition"), block("consequence"), otherwise])
            }
            "for_statement" => {
                let mut start = Vec::new();
                match node.child_by_field_name("initializer") {
                    Some(node) if node.kind() == "declaration" => self.read_declaration(node, &mut start),
                    _ => start.push(expression("initializer")),
                }
                start.extend([expression("condition"), expression("update"), block("body")]);
                // Several variables are not understood.
                if start.len() == 4 { (CodeKind::For, start) } else { (CodeKind::Other, Vec::new()) }
            }
            "for_range_loop" => {
                let names = node.child_by_field_name("declarator").map(|node| self.read_names(node));
                let parts = vec![expression("right"), block("body")];
                (CodeKind::Each, [parts, names.unwrap_or_default()].concat())
            }
            "while_statement" => (CodeKind::While, vec![expression("condition"), block("body")]),
            "switch_statement" => (CodeKind::Block, self.read_switch(node, depth).unwrap_or_default()),
            "break_statement" => (CodeKind::Break, Vec::new()),
            "continue_statement" => (CodeKind::Continue, Vec::new()),
            "return_statement" => {
                let value = node.named_child(0).map(|inner| self.read_expression(inner, depth + 1));
                (CodeKind::Return, value.into_iter().collect())
            }
            _ => (CodeKind::Other, Vec::new()),
        };
        found.push(Code::new(kind, "", parts, header_span(node)));
    }

    /// Reads `switch` as a chain of `if`.
    fn read_switch(&self, node: Node<'_>, depth: usize) -> Option<Vec<Code>> {
        let value = self.read_expression(node.child_by_field_name("condition")?, depth + 1);
        let cases = named_children(node.child_by_field_name("body")?).filter(|child| child.kind() == "case_statement");
        let (mut chain, mut tests): (Vec<(Option<Code>, Vec<Code>)>, Option<Code>) = (Vec::new(), None);
        for case in cases {
            let of = case.child_by_field_name("value");
            let mut statements = Vec::new();
            for child in named_children(case).filter(|child| Some(*child) != of) {
                self.read_statement(child, &mut statements, depth + 2);
            }
            let test = of.map(|of| {
                let of = self.read_expression(of, depth + 1);
                let span = of.span;
                Code::new(CodeKind::Binary, "==", vec![value.clone(), of], span)
            });
            let is_default = test.is_none();
            tests = match (tests.take(), test) {
                (Some(left), Some(right)) => {
                    let span = left.span;
                    Some(Code::new(CodeKind::Binary, "||", vec![left, right], span))
                }
                (left, right) => left.or(right),
            };
            if !statements.is_empty() || is_default {
                statements.retain(|statement| statement.kind != CodeKind::Break);
                chain.push((tests.take().filter(|_| !is_default), statements));
            }
        }
        let block = |statements| Code::new(CodeKind::Block, "", statements, header_span(node));
        Some(chain.into_iter().rev().fold(Vec::new(), |otherwise, (test, statements)| match test {
            None => statements,
            Some(test) => {
                let parts = vec![test, block(statements), block(otherwise)];
                vec![Code::new(CodeKind::If, "", parts, header_span(node))]
            }
        }))
    }

    /// Returns the names that a declarator declares.
    fn read_names(&self, node: Node<'_>) -> Vec<Code> {
        let own = (node.kind() == "identifier").then_some(node);
        let inner = named_children(node).filter(|child| child.kind() == "identifier");
        own.into_iter().chain(inner).map(|name| self.name_of(name)).collect()
    }

    fn read_declaration(&self, node: Node<'_>, found: &mut Vec<Code>) {
        let qualifier = named_children(node).find(|child| child.kind() == "type_qualifier");
        let qualifier = qualifier.map(|node| self.text_of(node) + " ").unwrap_or_default();
        let of = qualifier + &self.field_text(node, "type");
        let mut cursor = node.walk();
        for declarator in node.children_by_field_name("declarator", &mut cursor) {
            let code = self.read_declarator(declarator, &of);
            let code = code.unwrap_or_else(|| Code::new(CodeKind::Other, "", Vec::new(), span_of(node)));
            found.push(Code { span: span_of(node), ..code });
        }
    }

    fn read_declarator(&self, node: Node<'_>, of: &str) -> Option<Code> {
        let (mut inner, mut sizes) = (node, Vec::new());
        let mut start = Code::new(CodeKind::Nothing, "", Vec::new(), span_of(node));
        for _ in 0..MAX_DEPTH {
            match inner.kind() {
                "init_declarator" => {
                    if let Some(value) = inner.child_by_field_name("value") {
                        start = self.read_expression(value, 1);
                        if matches!(value.kind(), "argument_list" | "initializer_list") {
                            start = Code::new(CodeKind::Arguments, "", self.read_list(value, 1), span_of(value));
                        }
                    }
                }
                "array_declarator" => {
                    let size = inner.child_by_field_name("size").map(|size| self.read_expression(size, 1));
                    let unknown = || Code::new(CodeKind::Other, "", Vec::new(), span_of(inner));
                    sizes.insert(0, size.unwrap_or_else(unknown));
                }
                // `vector<int> a(n);` looks like a function with an argument of the type `n`.
                "function_declarator" => {
                    let list = inner.child_by_field_name("parameters")?;
                    let values = named_children(list).map(|part| self.read_type_as_value(part)).collect();
                    start = Code::new(CodeKind::Arguments, "", values, span_of(list));
                }
                "structured_binding_declarator" => {
                    let is_value = !matches!(start.kind, CodeKind::Nothing | CodeKind::Arguments);
                    let parts = [vec![start], self.read_names(inner)].concat();
                    return is_value.then(|| Code::new(CodeKind::Unpack, "", parts, span_of(node)));
                }
                "identifier" => {
                    let parts = [vec![self.name_of(inner), start], sizes].concat();
                    return Some(Code::new(CodeKind::Declare, of, parts, span_of(node)));
                }
                _ => {}
            }
            inner = inner_declarator(inner)?;
        }
        None
    }

    /// Reads a name that was taken for a type.
    fn read_type_as_value(&self, node: Node<'_>) -> Code {
        let name = self.name_of(node);
        let is_name =
            !name.text.is_empty() && name.text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        Code { kind: if is_name { CodeKind::Name } else { CodeKind::Other }, ..name }
    }

    fn read_list(&self, node: Node<'_>, depth: usize) -> Vec<Code> {
        let parts = named_children(node).filter(|child| child.kind() != "comment");
        parts.map(|part| self.read_expression(part, depth + 1)).collect()
    }

    fn read_expression(&self, node: Node<'_>, depth: usize) -> Code {
        let known = if depth > MAX_DEPTH { None } else { self.read_known_expression(node, depth + 1) };
        let code = known.unwrap_or_else(|| Code::new(CodeKind::Other, "", Vec::new(), span_of(node)));
        Code { span: span_of(node), ..code }
    }

    fn read_known_expression(&self, node: Node<'_>, depth: usize) -> Option<Code> {
        let part = |field: &str| Some(self.read_expression(node.child_by_field_name(field)?, depth));
        let code = |kind, text: String, parts| Some(Code::new(kind, text, parts, span_of(node)));
        let operator = || self.field_text(node, "operator");
        let text = || self.text_of(node);
        match node.kind() {
            "identifier" | "this" | "field_identifier" | "type_identifier" => Some(self.name_of(node)),
            "qualified_identifier" | "template_function" => {
                code(CodeKind::Name, template_name(&text()).trim().to_owned(), Vec::new())
            }
            "number_literal" => {
                let (kind, digits) = read_number(&text())?;
                code(kind, digits, Vec::new())
            }
            "true" | "false" => code(CodeKind::Truth, text(), Vec::new()),
            "char_literal" => {
                let letter = unescape_literal(&text());
                if letter.len() == 1 { code(CodeKind::Letter, letter, Vec::new()) } else { None }
            }
            "string_literal" => code(CodeKind::Text, unescape_literal(&text()), Vec::new()),
            "raw_string_literal" => {
                let text = text();
                let (_, rest) = text.split_once('(')?;
                code(CodeKind::Text, rest.rsplit_once(')')?.0.to_owned(), Vec::new())
            }
            "concatenated_string" => {
                let parts = self.read_list(node, depth);
                let is_text = parts.iter().all(|part| part.kind == CodeKind::Text);
                let text = parts.iter().map(|part| &*part.text).collect();
                if is_text { code(CodeKind::Text, text, Vec::new()) } else { None }
            }
            "binary_expression" => code(CodeKind::Binary, operator(), vec![part("left")?, part("right")?]),
            "unary_expression" | "pointer_expression" => code(CodeKind::Unary, operator(), vec![part("argument")?]),
            "update_expression" => {
                let one = Code::new(CodeKind::Number, "1", Vec::new(), span_of(node));
                let sign = if operator() == "++" { "+=" } else { "-=" };
                code(CodeKind::Assign, sign.to_owned(), vec![part("argument")?, one])
            }
            "assignment_expression" => code(CodeKind::Assign, operator(), vec![part("left")?, part("right")?]),
            "conditional_expression" => {
                let parts = vec![part("condition")?, part("consequence")?, part("alternative")?];
                code(CodeKind::Choice, String::new(), parts)
            }
            "call_expression" => self.read_call(node, depth),
            "field_expression" => code(CodeKind::Member, self.field_text(node, "field"), vec![part("argument")?]),
            "subscript_expression" => {
                let index = part("indices").or_else(|| part("index"))?;
                code(CodeKind::Index, String::new(), vec![part("argument")?, index])
            }
            // Parts without a meaning of their own are left out.
            "parenthesized_expression" | "condition_clause" | "subscript_argument_list" => {
                let mut parts = self.read_list(node, depth);
                if parts.len() == 1 { parts.pop() } else { code(CodeKind::List, String::new(), parts) }
            }
            "cast_expression" => part("value"),
            "initializer_list" | "argument_list" => code(CodeKind::List, String::new(), self.read_list(node, depth)),
            "compound_literal_expression" => {
                let arguments = self.read_list(node.child_by_field_name("value")?, depth);
                code(CodeKind::Call, self.field_text(node, "type"), arguments)
            }
            "lambda_expression" => {
                let (declarator, body) = (node.child_by_field_name("declarator"), node.child_by_field_name("body")?);
                Some(self.read_body("lambda".to_owned(), declarator, body, depth))
            }
            _ => None,
        }
    }

    fn read_call(&self, node: Node<'_>, depth: usize) -> Option<Code> {
        const CASTS: [&str; 8] = ["ll", "i64", "u64", "int64_t", "uint64_t", "size_t", "LL", "string"];
        let callee = node.child_by_field_name("function")?;
        let mut arguments = self.read_list(node.child_by_field_name("arguments")?, depth);
        let name = self.text_of(callee);
        let is_cast = matches!(callee.kind(), "primitive_type" | "sized_type_specifier")
            || name.starts_with("static_cast")
            || CASTS.contains(&&*name);
        if is_cast && arguments.len() == 1 {
            return arguments.pop();
        }
        let callee = self.read_expression(callee, depth);
        let (kind, text) = match callee.kind {
            CodeKind::Member => {
                arguments.splice(0..0, callee.parts.iter().cloned());
                (CodeKind::Method, callee.text)
            }
            CodeKind::Name => (CodeKind::Call, callee.text),
            _ if !name.contains("::") || name.starts_with("std::") => (CodeKind::Call, template_name(&name).into()),
            _ => (CodeKind::Call, "".into()),
        };
        Some(Code::new(kind, text, arguments, span_of(node)))
    }
}

/// Returns the name of a template without its arguments.
fn template_name(text: &str) -> &str {
    text.split('<').next().unwrap_or_default().trim_start_matches("std::")
}

fn inner_declarator(node: Node<'_>) -> Option<Node<'_>> {
    node.child_by_field_name("declarator").or_else(|| node.named_child(0))
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

/// Reads a number of C++: `1'000`, `0x7f`, `1e9`, `10LL`.
fn read_number(text: &str) -> Option<(CodeKind, String)> {
    let text = text.replace('\'', "").to_ascii_lowercase();
    let whole = text.trim_end_matches(['l', 'u', 'z']);
    let (digits, radix) = match whole.as_bytes() {
        [b'0', b'x', ..] => (&whole[2..], 16),
        [b'0', b'b', ..] => (&whole[2..], 2),
        [b'0', b'0'..=b'7', ..] => (whole, 8),
        _ => (whole, 10),
    };
    if let Ok(number) = i128::from_str_radix(digits, radix) {
        return Some((CodeKind::Number, number.to_string()));
    }
    let real = text.trim_end_matches(['f', 'l']);
    let crate::term::Term::Decimal(digits) = crate::environment::parse_decimal(real) else { return None };
    let is_whole = !real.contains('.') && digits.parse::<i128>().is_ok();
    Some((if is_whole { CodeKind::Number } else { CodeKind::Decimal }, digits))
}

/// Returns the characters of a literal in quotes.
fn unescape_literal(text: &str) -> String {
    let start = text.find(['"', '\'']).map_or(0, |at| at + 1);
    let mut letters = text.get(start..text.len().saturating_sub(1)).unwrap_or_default().chars();
    let mut found = String::new();
    while let Some(letter) = letters.next() {
        found.extend(match letter {
            '\\' => letters.next().map(|escaped| match escaped {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                '0' => '\0',
                other => other,
            }),
            letter => Some(letter),
        });
    }
    found
}
