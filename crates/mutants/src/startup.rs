//! Code that a program executes before `main`: a mutant there cannot be chosen later.

use super::source_tree::{SourceTree, parse_source};
use super::{Mutant, SourceLanguage};
use std::collections::BTreeSet;
use tree_sitter::Node;

/// Nodes that contain code of functions, which is executed when they are called.
pub(super) const FUNCTION_BODIES: [&str; 2] = ["compound_statement", "field_initializer_list"];
/// Nodes of classes.
const CLASSES: [&str; 3] = ["class_specifier", "struct_specifier", "union_specifier"];

/// Returns the numbers of those mutants that a schema can choose when `main` begins: nothing that they change is
/// executed before. Where functions of the source may be called before, there are none.
pub fn late_mutants(source: &str, language: SourceLanguage, mutants: &[(usize, &Mutant)]) -> BTreeSet<usize> {
    let all = || mutants.iter().map(|(number, _)| *number);
    match language {
        SourceLanguage::Rust => all().collect(),
        SourceLanguage::Java | SourceLanguage::Python => BTreeSet::new(),
        SourceLanguage::Cpp => {
            let Some(syntax) = parse_source(source, language) else { return BTreeSet::new() };
            let tree = SourceTree::new(source, language, &syntax);
            if may_call_early(&tree) || tree.is_exhausted() {
                return BTreeSet::new();
            }
            let nodes = tree.nodes();
            let bodies: Vec<_> = nodes.iter().filter(|node| is_body(&tree, **node)).map(Node::byte_range).collect();
            let is_late = |mutant: &Mutant| {
                bodies.iter().any(|body| body.start <= mutant.range.start && mutant.range.end <= body.end)
            };
            mutants.iter().filter(|(_, mutant)| is_late(mutant)).map(|(number, _)| *number).collect()
        }
    }
}

/// Returns true if a node is the body of a function that is no lambda.
fn is_body(tree: &SourceTree<'_>, node: Node<'_>) -> bool {
    FUNCTION_BODIES.contains(&node.kind())
        && tree.parent_of(node).is_some_and(|above| above.kind() == "function_definition")
}

/// Returns true if functions of a source in C++ may be called before `main`: by the initial value of a variable outside
/// of functions, or by creating a variable of a class.
fn may_call_early(tree: &SourceTree<'_>) -> bool {
    let nodes = tree.nodes();
    let classes = find_classes(tree);
    let is_outside =
        |node: &Node<'_>| !tree.is_inside(*node, &FUNCTION_BODIES) && !tree.is_inside(*node, &["parameter_list"]);
    let can_have_code = |node: &&Node<'_>| node.kind().ends_with("declaration") || node.kind() == "attribute_specifier";
    let outside = nodes.iter().filter(can_have_code).filter(|node| is_outside(node));
    outside.take_while(|_| !tree.is_exhausted()).any(|node| match node.kind() {
        "declaration" => declares_code(tree, *node, &classes),
        "field_declaration" => tree.node_text(*node).starts_with("static") && has_default(*node),
        "attribute_specifier" | "attribute_declaration" => tree.node_text(*node).contains("constructor"),
        _ => false,
    })
}

/// The names of the classes of a source.
struct ClassNames<'s> {
    /// Those whose variables execute code when they are created.
    constructed: BTreeSet<&'s str>,
    /// The names of functions.
    with_functions: BTreeSet<&'s str>,
}

fn find_classes<'s>(tree: &SourceTree<'s>) -> ClassNames<'s> {
    let classes: Vec<Node<'_>> = tree.nodes().iter().copied().filter(|node| CLASSES.contains(&node.kind())).collect();
    let inside = |class: &Node<'_>| tree.nodes_within(class.byte_range()).iter();
    let has_function = |class: &&Node<'_>| inside(class).any(|node| node.kind() == "function_definition");
    let name = |class: &Node<'_>| tree.field_text(*class, "name");
    let mut constructed = BTreeSet::new();
    loop {
        let is_constructed = |class: &&Node<'_>| {
            let names_other =
                |node: &Node<'_>| node.kind() == "type_identifier" && constructed.contains(tree.node_text(*node));
            inside(class).any(|node| is_constructor(*node) || has_default(*node) || names_other(node))
        };
        let more: BTreeSet<&str> = classes.iter().filter(is_constructed).map(name).collect();
        if more.len() == constructed.len() || tree.is_exhausted() {
            return ClassNames { constructed, with_functions: classes.iter().filter(has_function).map(name).collect() };
        }
        constructed = more;
    }
}

/// Returns true if a node is a constructor: a function without a type.
fn is_constructor(node: Node<'_>) -> bool {
    node.kind() == "function_definition" && node.child_by_field_name("type").is_none()
}

/// Returns true if a node is a field with an initial value.
fn has_default(node: Node<'_>) -> bool {
    node.kind() == "field_declaration" && node.child_by_field_name("default_value").is_some()
}

/// Returns true if a declaration outside of functions calls something, or creates a variable of a class that may.
fn declares_code(tree: &SourceTree<'_>, declaration: Node<'_>, classes: &ClassNames<'_>) -> bool {
    if declares_function(declaration) {
        return false;
    }
    let range = declaration.byte_range();
    let inside = tree.nodes_within(range);
    let has_value = inside.iter().any(|node| matches!(node.kind(), "init_declarator" | "initializer_list"));
    let names_class = |node: &Node<'_>| {
        let name = tree.node_text(*node);
        node.kind() == "type_identifier"
            && (classes.constructed.contains(name) || has_value && classes.with_functions.contains(name))
    };
    let is_code = |node: &Node<'_>| match node.kind() {
        "call_expression" | "lambda_expression" => !tree.is_inside(*node, &FUNCTION_BODIES),
        // `struct { int n = 1; } variable;`
        _ => names_class(node) || is_constructor(*node) || has_default(*node),
    };
    inside.iter().any(is_code)
}

/// Returns true if a declaration is that of a function, and so executes nothing. The grammar takes `Tree tree(size)`, a
/// variable, for a function, too.
fn declares_function(declaration: Node<'_>) -> bool {
    let mut declarator = declaration.child_by_field_name("declarator");
    while let Some(inner) = declarator {
        if inner.kind() == "function_declarator" {
            let mut cursor = inner.walk();
            let parameters = inner.child_by_field_name("parameters");
            let is_bare_name = |parameter: Node<'_>| {
                let of = parameter.child_by_field_name("type");
                of.is_some_and(|of| of.kind() == "type_identifier" && of.byte_range() == parameter.byte_range())
            };
            return parameters.is_none_or(|all| !all.named_children(&mut cursor).any(is_bare_name));
        }
        declarator = inner.child_by_field_name("declarator").filter(|_| inner.kind() != "init_declarator");
    }
    false
}
