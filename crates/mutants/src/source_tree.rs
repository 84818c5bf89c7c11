//! The syntax tree of a source, and what the operators ask about its nodes.

use super::dialect::Dialect;
use super::{Mutant, MutantForm, MutationOperator, SourceLanguage};
use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;
use tree_sitter::{Node, ParseOptions, Parser, Tree};

/// Macros of Rust whose content is code with the usual meaning.
const TRANSPARENT_MACROS: [&str; 4] = ["vec", "println", "print", "writeln"];

/// Number of steps that the operators take in one source: the nodes that they look at, and texts by [`TEXT_STEP`]. Sources
/// of contests need some thousands; one that was made to be nested or repetitive needs the square of its length.
const MAX_STEPS: usize = 2_000_000;
/// Number of bytes, or of other small things, that are looked at in one step.
pub(super) const TEXT_STEP: usize = 16;
/// Maximum length of a source in bytes; judges accept hardly more.
const MAX_SOURCE_BYTES: usize = 64 << 10;
/// The same of Python, whose parser takes the square of the length of one line.
const MAX_PYTHON_BYTES: usize = 32 << 10;
/// Maximum length of a source without ends of statements, of which the recovery from an error takes up to the third power.
const MAX_ODD_SOURCE_BYTES: usize = 8 << 10;
/// Maximum length of a statement in a longer source, without texts, comments and white space.
const MAX_STATEMENT_BYTES: usize = 2 << 10;
/// Maximum number of brackets around a place; of 26,000 programs, none has a third of it.
const MAX_NESTING: usize = 200;
/// Number of rounds of the parser, each of about a hundred steps. Of 26,000 programs, none needs two thirds of them.
const MIN_PARSER_ROUNDS: usize = 200;
const BYTES_PER_PARSER_ROUND: usize = 25;
/// Length of a source of which a round after an error counts about as much as any other.
const BYTES_OF_CHEAP_RECOVERY: usize = 4096;

/// A source with its syntax tree.
pub(super) struct SourceTree<'s> {
    pub(super) source: &'s str,
    pub(super) language: SourceLanguage,
    /// The nodes in the order of their beginnings, parents first.
    nodes: Vec<Node<'s>>,
    /// The parents of nodes by their IDs: the tree itself finds a parent by descending from the root.
    parents: HashMap<usize, Node<'s>>,
    steps_left: Cell<usize>,
}

/// Parses a source. Returns `None` if the parser gives up, or if it would take too long.
pub(super) fn parse_source(source: &str, language: SourceLanguage) -> Option<Tree> {
    let is_python = language == SourceLanguage::Python;
    let most = if is_python { MAX_PYTHON_BYTES } else { MAX_SOURCE_BYTES };
    let is_odd = source.len() > MAX_ODD_SOURCE_BYTES && longest_statement(source, is_python) > MAX_STATEMENT_BYTES;
    if source.len() > most || is_odd || deepest_nesting(source) > MAX_NESTING {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(&language.grammar()).ok()?;
    let mut rounds = MIN_PARSER_ROUNDS + source.len() / BYTES_PER_PARSER_ROUND;
    // In a text that is far from its language, each step of the recovery from an error looks at all that was skipped.
    let price_of_error = 1 + (source.len() / BYTES_OF_CHEAP_RECOVERY).pow(2);
    let mut is_late = |state: &tree_sitter::ParseState| {
        rounds = rounds.saturating_sub(if state.has_error() { price_of_error } else { 1 });
        rounds == 0
    };
    let mut read = |at: usize, _| source.as_bytes().get(at..).unwrap_or_default();
    parser.parse_with_options(&mut read, None, Some(ParseOptions::new().progress_callback(&mut is_late)))
}

/// Returns the maximum number of brackets around a place, those in texts and comments included.
fn deepest_nesting(source: &str) -> usize {
    // Each kind for itself: one of another kind closes nothing.
    let mut open = [0_usize; 3];
    let depths = source.bytes().map(|byte| {
        for (open, [begin, end]) in open.iter_mut().zip([b"()", b"[]", b"{}"]) {
            *open = (*open + usize::from(byte == *begin)).saturating_sub(usize::from(byte == *end));
        }
        open.iter().sum()
    });
    depths.max().unwrap_or_default()
}

/// Returns the number of bytes in the longest part of a source without the end of a statement or of an item of a list,
/// apart from texts, comments and white space. A comment without an end, which the parser looks for from each of its
/// beginnings, is the longest of all.
fn longest_statement(source: &str, is_python: bool) -> usize {
    let (ends, of_values): (&[u8], &[u8]) = if is_python { (b"\n", b"-._:()[]") } else { (b";{}", b"-._") };
    let (mut longest, mut length, mut is_value, mut rest) = (0, 0, true, source.as_bytes());
    while let Some((first, after)) = rest.split_first() {
        let end = match rest {
            [b'#', ..] if is_python => rest.iter().position(|byte| *byte == b'\n'),
            [b'/', b'/', ..] if !is_python => rest.iter().position(|byte| *byte == b'\n'),
            [b'/', b'*', ..] if !is_python => match rest.windows(2).skip(2).position(|pair| pair == b"*/") {
                Some(at) => Some(at + 4),
                None => return usize::MAX,
            },
            // A text counts like a letter, and ends at its line at the latest.
            [b'"', ..] => {
                length += 1;
                longest = longest.max(length);
                after.iter().position(|byte| matches!(byte, b'"' | b'\n')).map(|at| at + 2)
            }
            _ => {
                // A comma ends a number or a name of a list, and no other expression.
                let is_end = ends.contains(first) || *first == b',' && is_value;
                length = if is_end { 0 } else { length + usize::from(!first.is_ascii_whitespace()) };
                is_value = ends.contains(first)
                    || *first == b','
                    || is_value
                        && (first.is_ascii_alphanumeric() || first.is_ascii_whitespace() || of_values.contains(first));
                longest = longest.max(length);
                Some(1)
            }
        };
        rest = end.and_then(|end| rest.get(end..)).unwrap_or_default();
    }
    longest
}

impl<'s> SourceTree<'s> {
    /// Collects the nodes of a source and its tree.
    pub(super) fn new(source: &'s str, language: SourceLanguage, tree: &'s Tree) -> SourceTree<'s> {
        let (nodes, parents) = (Vec::new(), HashMap::new());
        let mut all = SourceTree { source, language, nodes, parents, steps_left: Cell::new(MAX_STEPS) };
        all.collect_nodes(tree);
        all
    }

    pub(super) fn count_steps(&self, steps: usize) {
        self.steps_left.set(self.steps_left.get().saturating_sub(steps));
    }

    /// Returns true if the operators have taken all steps that they can take: the rest of the source has no mutants.
    pub(super) fn is_exhausted(&self) -> bool {
        self.steps_left.get() == 0
    }

    /// Returns the node that contains another.
    pub(super) fn parent_of(&self, node: Node<'_>) -> Option<Node<'s>> {
        self.count_steps(1);
        self.parents.get(&node.id()).copied()
    }

    /// Returns the innermost node of one of these kinds that contains a node.
    pub(super) fn nearest_above(&self, node: Node<'_>, kinds: &[&str]) -> Option<Node<'s>> {
        let mut above = self.parent_of(node);
        while let Some(parent) = above.filter(|parent| !kinds.contains(&parent.kind())) {
            above = self.parent_of(parent);
        }
        above
    }

    pub(super) fn is_inside(&self, node: Node<'_>, kinds: &[&str]) -> bool {
        self.nearest_above(node, kinds).is_some()
    }

    /// Returns what the operators have to know about the language.
    pub(super) fn dialect(&self) -> &'static Dialect {
        self.language.dialect()
    }

    /// Returns all nodes in the order of their beginnings, parents first. Errors of syntax are left out, and
    /// everything that is not code.
    pub(super) fn nodes(&self) -> &[Node<'s>] {
        &self.nodes
    }

    pub(super) fn nodes_within(&self, range: Range<usize>) -> &[Node<'s>] {
        let [first, last] =
            [range.start, range.end].map(|place| self.nodes.partition_point(|node| node.start_byte() < place));
        self.count_steps(last - first);
        &self.nodes[first..last]
    }

    fn collect_nodes(&mut self, tree: &'s Tree) {
        let mut cursor = tree.walk();
        let mut above = Vec::new();
        loop {
            let node = cursor.node();
            self.parents.extend(above.last().map(|parent| (node.id(), *parent)));
            let is_skipped = node.is_error() || self.is_skipped(node);
            if !is_skipped {
                self.nodes.push(node);
            }
            if !is_skipped && cursor.goto_first_child() {
                above.push(node);
                continue;
            }
            while !cursor.goto_next_sibling() {
                above.pop();
                if !cursor.goto_parent() {
                    return;
                }
            }
        }
    }

    fn is_skipped(&self, node: Node<'_>) -> bool {
        match node.kind() {
            "preproc_if" | "preproc_ifdef" | "preproc_else" | "preproc_elif" => false,
            "macro_invocation" => !TRANSPARENT_MACROS.contains(&self.field_text(node, "macro")),
            kind => self.dialect().skipped.iter().any(|skipped| kind.starts_with(skipped)),
        }
    }

    pub(super) fn node_text(&self, node: Node<'_>) -> &'s str {
        &self.source[node.byte_range()]
    }

    pub(super) fn field_text(&self, node: Node<'_>, field: &str) -> &'s str {
        node.child_by_field_name(field).map_or("", |child| self.node_text(child))
    }

    /// Returns the condition of a statement without its parentheses, unless it declares a variable.
    pub(super) fn condition_of<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let condition = node.child_by_field_name("condition")?;
        let inner = match condition.kind() {
            "condition_clause" => condition.child_by_field_name("value")?,
            "parenthesized_expression" if self.language == SourceLanguage::Java => condition.named_child(0)?,
            _ => condition,
        };
        (!matches!(inner.kind(), "declaration" | "let_condition" | "let_chain")).then_some(inner)
    }

    /// Returns the name of the function that a node calls, without what it belongs to.
    pub(super) fn called_name(&self, node: Node<'_>) -> &'s str {
        let dialect = self.dialect();
        if node.kind() != dialect.call {
            return "";
        }
        let callee = self.field_text(node, dialect.callee);
        callee.rsplit(['.', ':', '>']).next().unwrap_or(callee)
    }

    pub(super) fn arguments_of<'t>(&self, call: Node<'t>) -> Vec<Node<'t>> {
        let Some(list) = call.child_by_field_name("arguments") else { return Vec::new() };
        let mut cursor = list.walk();
        list.named_children(&mut cursor).filter(|argument| !argument.is_extra()).collect()
    }

    pub(super) fn replace_expression(&self, operator: MutationOperator, node: Node<'_>, replacement: String) -> Mutant {
        // A line comment would swallow the rest of a schema, which has such an expression on one line.
        let comment = self.dialect().line_comment;
        self.count_steps((node.byte_range().len() + replacement.len()) / TEXT_STEP);
        let has_comment = self.node_text(node).contains(comment) || replacement.contains(comment);
        let form = if has_comment || self.is_constant(node) { MutantForm::Declaration } else { MutantForm::Expression };
        self.replace_node(operator, node, replacement, form)
    }

    /// Creates a mutant that replaces a statement, or leaves it out.
    pub(super) fn replace_statement(&self, operator: MutationOperator, node: Node<'_>, replacement: &str) -> Mutant {
        self.replace_node(operator, node, replacement.to_owned(), MutantForm::Statement)
    }

    /// Creates a mutant that replaces a node.
    pub(super) fn replace_node(
        &self,
        operator: MutationOperator,
        node: Node<'_>,
        replacement: String,
        form: MutantForm,
    ) -> Mutant {
        let place = node.start_position();
        let (line, column) = (place.row + 1, place.column + 1);
        Mutant { operator, language: self.language, line, column, range: node.byte_range(), replacement, form }
    }

    /// Returns true if the compiler may have to know the value of an expression.
    pub(super) fn is_constant(&self, node: Node<'_>) -> bool {
        let dialect = self.dialect();
        let mut inner = node;
        while let Some(parent) = self.parent_of(inner) {
            let is_field = |field: &str| parent.child_by_field_name(field) == Some(inner);
            let is_known = match parent.kind() {
                "case_statement" => is_field("value"),
                "array_declarator" => is_field("size"),
                "array_expression" => is_field("length"),
                "declaration" | "local_variable_declaration" => self.is_declared_constant(parent),
                kind => dialect.constants.contains(&kind),
            };
            if is_known {
                return true;
            }
            if parent.kind() == dialect.block {
                return false;
            }
            inner = parent;
        }
        false
    }

    /// Returns true if the node is the size of an array.
    pub(super) fn is_size(&self, node: Node<'_>) -> bool {
        match self.language {
            SourceLanguage::Java => self.is_inside(node, &["dimensions_expr"]),
            SourceLanguage::Rust => self.parent_of(node).is_some_and(|parent| is_last_token(parent, node)),
            SourceLanguage::Cpp | SourceLanguage::Python => false,
        }
    }

    /// Returns true if a declaration is `const`, `constexpr` or `final`.
    fn is_declared_constant(&self, declaration: Node<'_>) -> bool {
        let mut cursor = declaration.walk();
        self.count_steps(declaration.child_count());
        let mut words = declaration.children(&mut cursor).map(|child| self.node_text(child));
        words.any(|word| word.split_whitespace().any(|word| matches!(word, "const" | "constexpr" | "final")))
    }
}

/// Returns true if only the end of its list follows a token.
fn is_last_token(list: Node<'_>, token: Node<'_>) -> bool {
    let last = list.child_count().checked_sub(2).and_then(|at| list.child(at));
    list.kind() == "token_tree" && last == Some(token)
}
