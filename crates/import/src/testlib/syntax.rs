//! The parts of C++ that validators use: a tree of uniform nodes without types, made of the one of tree-sitter.
//!
//! Casts and parentheses are left out, and `x++` is `x += 1`. Parts that are not understood are `Other`, which is no error:
//! few parts of a program matter.

use rebut_diagnostics::Span;
use std::collections::BTreeMap;
use std::rc::Rc;
use tree_sitter::Node;

/// Maximum nesting of expressions and statements, which bounds the use of the stack.
const MAX_DEPTH: usize = 120;

/// Maximum number of the parser's calls back, one in a hundred steps. A text that is not C++ can take the
/// square of its length.
const MAX_PARSER_CHECKS: usize = 600;

/// A source file.
#[derive(Clone, Debug, Default)]
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
    /// A function or a lambda: names of parameters, those by value with their types, and the body.
    Function,
    /// `vector<int> a(n);`: the type, and the name, the initial value or `Nothing`, sizes in brackets.
    Declare,
    /// `(n, 0)` or `{n, 0}` as an initial value.
    Arguments,
    /// `auto [a, b] = pair;`: the value, and the names.
    Unpack,
    /// The test, the body, and that of `else`.
    If,
    /// The start, the test, the step and the body.
    For,
    /// `for (auto [a, b] : all)`: the range, the body, and the names.
    Each,
    While,
    Break,
    Continue,
    Return,
    /// Statements with a scope of their own, or, with a text, declarations without one.
    Block,
    Nothing,
    Other,
}

impl Code {
    pub(super) fn new(kind: CodeKind, text: impl Into<Rc<str>>, parts: Vec<Code>, span: Span) -> Code {
        Code { kind, text: text.into(), parts: parts.into(), span }
    }

    /// Creates a piece without parts.
    pub(super) fn new_leaf(kind: CodeKind, text: &str, span: Span) -> Code {
        Code::new(kind, text, Vec::new(), span)
    }

    /// Returns the kind, the text and the parts, to match them.
    pub(super) fn view(&self) -> (CodeKind, &str, &[Code]) {
        (self.kind, &self.text, &self.parts)
    }

    /// Returns the name, if the expression is one.
    pub(super) fn as_name(&self) -> Option<&str> {
        (self.kind == CodeKind::Name).then_some(&*self.text)
    }

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
        self.parts.split_last().map_or((&[], &[]), |(body, parameters)| (parameters, body.statements()))
    }

    /// Returns the statements of a block, or of another body of a loop or a condition.
    pub(super) fn statements(&self) -> &[Code] {
        match self.kind {
            CodeKind::Block => &self.parts,
            CodeKind::Nothing => &[],
            _ => std::slice::from_ref(self),
        }
    }

    /// Returns the piece and all parts in it, outer ones first.
    pub(super) fn all_parts(&self) -> impl Iterator<Item = &Code> {
        all_code(std::slice::from_ref(self))
    }
}

/// Returns some pieces and all parts in them, outer ones first. The bodies of lambdas are none.
pub(super) fn all_code(codes: &[Code]) -> impl Iterator<Item = &Code> {
    let mut pending: Vec<&Code> = codes.iter().rev().collect();
    std::iter::from_fn(move || {
        let code = pending.pop()?;
        pending.extend(code.parts.iter().rev().filter(|_| code.kind != CodeKind::Function));
        Some(code)
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
    let mut read = |at: usize, _| text.get(at..).unwrap_or_default();
    let tree = parser.parse_with_options(&mut read, None, Some(options))?;
    let mut program = Program::default();
    SourceReader { text }.read_items(tree.root_node(), "", &mut program, 0);
    Some(program)
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
        Code::new_leaf(CodeKind::Name, &self.text_of(node), span_of(node))
    }

    /// Reads functions, classes and variables.
    fn read_items(&self, node: Node<'_>, prefix: &str, program: &mut Program, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        for child in named_children(node) {
            match child.kind() {
                "function_definition" => program.functions.extend(self.read_function(child, prefix)),
                "declaration" => program.globals.extend(self.read_declarations(child)),
                "preproc_def" => program.globals.extend(self.read_macro(child)),
                "struct_specifier" | "class_specifier" => {
                    let name = self.field_text(child, "name");
                    let Some(body) = child.child_by_field_name("body") else { continue };
                    let fields = named_children(body).filter(|part| part.kind() == "field_declaration");
                    let names = fields.flat_map(named_children).filter(|part| part.kind() == "field_identifier");
                    program.fields.insert(name.clone(), names.map(|name| self.text_of(name)).collect());
                    self.read_items(body, &format!("{prefix}{name}::"), program, depth + 1);
                }
                "namespace_definition"
                | "template_declaration"
                | "declaration_list"
                | "linkage_specification"
                | "preproc_else" => self.read_items(child, prefix, program, depth + 1),
                // All branches are read, and that is not understood.
                "preproc_if" | "preproc_ifdef" => {
                    let span = child.child(0).map_or(span_of(child), span_of);
                    program.globals.push(Code::new_leaf(CodeKind::Other, "", span));
                    self.read_items(child, prefix, program, depth + 1);
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
            let (span, declarator) = (span_of(parameter), parameter.child_by_field_name("declarator"));
            let name = std::iter::successors(declarator, |node| inner_declarator(*node)).last();
            // One by value has its type.
            let is_value = !self.text_of(parameter).contains(['&', '*', '[']);
            let of = is_value.then(|| Code::new_leaf(CodeKind::Nothing, &self.field_text(parameter, "type"), span));
            let name = name.map_or(String::new(), |name| self.text_of(name));
            Code::new(CodeKind::Name, name, Vec::from_iter(of), span)
        };
        let parts = parameters.map(name_of).chain([self.read(body, depth)]).collect();
        Code::new(CodeKind::Function, name, parts, span_of(body))
    }

    /// Reads `#define MAXN 100000` as a constant.
    fn read_macro(&self, node: Node<'_>) -> Option<Code> {
        let value = self.field_text(node, "value");
        let text = format!("auto x = {};", value.split("//").next()?.trim());
        let inner = parse_program(text.as_bytes())?;
        let (CodeKind::Declare, _, [_, start]) = inner.globals.first()?.view() else { return None };
        let parts = vec![self.name_of(node.child_by_field_name("name")?), start.clone()];
        let is_value = start.kind != CodeKind::Nothing;
        is_value.then(|| Code::new(CodeKind::Declare, "const long long", parts, span_of(node)))
    }

    /// Reads a statement or an expression.
    fn read(&self, node: Node<'_>, depth: usize) -> Code {
        let is_wrapped = node.kind() == "expression_statement";
        let node = if is_wrapped { node.named_child(0).unwrap_or(node) } else { node };
        let known = if depth > MAX_DEPTH { None } else { self.read_known(node, depth + 1) };
        Code { span: header_span(node), ..known.unwrap_or_else(|| Code::new_leaf(CodeKind::Other, "", span_of(node))) }
    }

    fn read_known(&self, node: Node<'_>, depth: usize) -> Option<Code> {
        use CodeKind::{
            Assign, Binary, Block, Break, Call, Choice, Continue, Each, For, If, Index, List, Member, Nothing, Return,
            Unary, While,
        };
        let code = |kind, text: &str, parts| Some(Code::new(kind, text, parts, span_of(node)));
        // Reads parts by the names of their fields. One that is left out is nothing.
        let part = |field: &str| {
            let part = node.child_by_field_name(field).map(|part| self.read(part, depth));
            part.unwrap_or_else(|| Code::new_leaf(Nothing, "", span_of(node)))
        };
        let parts = |fields: &[&str]| fields.iter().map(|field| part(field)).collect::<Vec<Code>>();
        let children = || self.read_list(node, depth);
        let operator = || self.field_text(node, "operator");
        match node.kind() {
            "comment" | "using_declaration" | "alias_declaration" | "type_definition" | "expression_statement" => {
                code(Nothing, "", Vec::new())
            }
            "declaration" => code(Block, "declarations", self.read_declarations(node)),
            "compound_statement" => code(Block, "", children()),
            "if_statement" => code(If, "", parts(&["condition", "consequence", "alternative"])),
            "for_statement" => code(For, "", parts(&["initializer", "condition", "update", "body"])),
            "for_range_loop" => {
                let names = node.child_by_field_name("declarator").map(|node| self.read_names(node));
                code(Each, "", [parts(&["right", "body"]), names.unwrap_or_default()].concat())
            }
            "while_statement" => code(While, "", parts(&["condition", "body"])),
            "break_statement" => code(Break, "", Vec::new()),
            "continue_statement" => code(Continue, "", Vec::new()),
            "return_statement" => code(Return, "", children()),
            "binary_expression" => code(Binary, &operator(), parts(&["left", "right"])),
            "unary_expression" | "pointer_expression" => code(Unary, &operator(), parts(&["argument"])),
            "update_expression" => {
                let one = Code::new_leaf(CodeKind::Number, "1", span_of(node));
                code(Assign, if operator() == "++" { "+=" } else { "-=" }, vec![part("argument"), one])
            }
            "assignment_expression" => code(Assign, &operator(), parts(&["left", "right"])),
            "conditional_expression" => code(Choice, "", parts(&["condition", "consequence", "alternative"])),
            "call_expression" => self.read_call(node, depth),
            "field_expression" => code(Member, &self.field_text(node, "field"), parts(&["argument"])),
            "subscript_expression" => {
                let field = if node.child_by_field_name("indices").is_some() { "indices" } else { "index" };
                code(Index, "", parts(&["argument", field]))
            }
            // Parts without a meaning of their own are left out.
            "parenthesized_expression" | "condition_clause" | "subscript_argument_list" | "else_clause" => {
                let mut parts = children();
                if parts.len() == 1 { parts.pop() } else { code(List, "", parts) }
            }
            "cast_expression" => Some(part("value")),
            "initializer_list" | "argument_list" => code(List, "", children()),
            "compound_literal_expression" => {
                let arguments = self.read_list(node.child_by_field_name("value")?, depth);
                code(Call, &self.field_text(node, "type"), arguments)
            }
            "lambda_expression" => {
                let (declarator, body) = (node.child_by_field_name("declarator"), node.child_by_field_name("body")?);
                Some(self.read_body("lambda".to_owned(), declarator, body, depth))
            }
            _ => self.read_literal(node, depth),
        }
    }

    /// Reads a name or a literal.
    fn read_literal(&self, node: Node<'_>, depth: usize) -> Option<Code> {
        use CodeKind::{Letter, Name, Text, Truth};
        let code = |kind, text: &str| Some(Code::new_leaf(kind, text, span_of(node)));
        let text = self.text_of(node);
        match node.kind() {
            "identifier" | "this" | "field_identifier" | "type_identifier" => code(Name, &text),
            "qualified_identifier" | "template_function" => code(Name, template_name(&text).trim()),
            "number_literal" => {
                let (kind, digits) = read_number(&text)?;
                code(kind, &digits)
            }
            "true" | "false" => code(Truth, &text),
            "char_literal" => {
                let letter = unescape_literal(&text);
                if letter.len() == 1 { code(Letter, &letter) } else { None }
            }
            "string_literal" => code(Text, &unescape_literal(&text)),
            "raw_string_literal" => {
                let (_, rest) = text.split_once('(')?;
                code(Text, rest.rsplit_once(')')?.0)
            }
            "concatenated_string" => {
                let parts = self.read_list(node, depth);
                let text: String = parts.iter().map(|part| &*part.text).collect();
                if parts.iter().all(|part| part.kind == Text) { code(Text, &text) } else { None }
            }
            _ => None,
        }
    }

    /// Returns the names that a declarator declares.
    fn read_names(&self, node: Node<'_>) -> Vec<Code> {
        let own = (node.kind() == "identifier").then_some(node);
        let inner = named_children(node).filter(|child| child.kind() == "identifier");
        own.into_iter().chain(inner).map(|name| self.name_of(name)).collect()
    }

    fn read_declarations(&self, node: Node<'_>) -> Vec<Code> {
        let qualifier = named_children(node).find(|child| child.kind() == "type_qualifier");
        let qualifier = qualifier.map(|node| self.text_of(node) + " ").unwrap_or_default();
        let of = qualifier + &self.field_text(node, "type");
        let mut cursor = node.walk();
        let read = |declarator| {
            let code = self.read_declarator(declarator, &of);
            let span = span_of(node);
            Code { span, ..code.unwrap_or_else(|| Code::new_leaf(CodeKind::Other, "", span)) }
        };
        node.children_by_field_name("declarator", &mut cursor).map(read).collect()
    }

    fn read_declarator(&self, node: Node<'_>, of: &str) -> Option<Code> {
        let (mut inner, mut sizes) = (node, Vec::new());
        let mut start = Code::new_leaf(CodeKind::Nothing, "", span_of(node));
        for _ in 0..MAX_DEPTH {
            match inner.kind() {
                "init_declarator" => {
                    if let Some(value) = inner.child_by_field_name("value") {
                        start = self.read(value, 1);
                        if matches!(value.kind(), "argument_list" | "initializer_list") {
                            start = Code::new(CodeKind::Arguments, "", self.read_list(value, 1), span_of(value));
                        }
                    }
                }
                "array_declarator" => {
                    let size = inner.child_by_field_name("size").map(|size| self.read(size, 1));
                    sizes.insert(0, size.unwrap_or_else(|| Code::new_leaf(CodeKind::Other, "", span_of(inner))));
                }
                // `vector<int> a(n);` looks like a function with an argument of the type `n`.
                "function_declarator" => {
                    let list = inner.child_by_field_name("parameters")?;
                    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
                    let values = named_children(list).map(|part| {
                        let name = self.name_of(part);
                        let is_name = !name.text.is_empty() && name.text.bytes().all(is_word);
                        Code { kind: if is_name { CodeKind::Name } else { CodeKind::Other }, ..name }
                    });
                    start = Code::new(CodeKind::Arguments, "", values.collect(), span_of(list));
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

    fn read_list(&self, node: Node<'_>, depth: usize) -> Vec<Code> {
        let parts = named_children(node).filter(|child| child.kind() != "comment");
        parts.map(|part| self.read(part, depth + 1)).collect()
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
        let callee = self.read(callee, depth);
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

/// Returns the place of a statement without its body, or of an expression.
fn header_span(node: Node<'_>) -> Span {
    let is_whole = node.kind().ends_with("_expression");
    let body = ["body", "consequence"].iter().find_map(|field| node.child_by_field_name(field)).filter(|_| !is_whole);
    body.map_or(span_of(node), |body| Span::new(node.start_byte(), body.start_byte().max(node.start_byte() + 1)))
}

/// Reads a number of C++: `1'000`, `0x7f`, `1e9`, `10LL`.
fn read_number(text: &str) -> Option<(CodeKind, String)> {
    let text = text.replace('\'', "").to_ascii_lowercase();
    let whole = text.trim_end_matches(['l', 'u', 'z']);
    let (digits, radix) = match whole.as_bytes() {
        [b'0', b'x', ..] => (&whole[2..], 16),
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
    let mut unescaped = std::iter::from_fn(|| match letters.next()? {
        '\\' => Some(match letters.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            '0' => '\0',
            other => other,
        }),
        letter => Some(letter),
    });
    unescaped.by_ref().collect()
}
