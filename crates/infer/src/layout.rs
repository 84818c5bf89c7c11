//! Candidate layouts.

use rebut_format::syntax::SyntaxTerm;

/// The index of a field, in the order of the input.
pub(crate) type FieldIndex = usize;

/// A line or a block of a layout.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    /// Parts on one line; an empty line has none.
    Line(Vec<Part>),
    /// Lines that are repeated.
    Block {
        /// The number of repetitions.
        count: Count,
        /// True if there is an empty line between two repetitions.
        is_separated: bool,
        /// The repeated lines.
        body: Vec<Node>,
    },
    /// Lines that begin with one of some words or numbers, on which the number of the other tokens depends.
    Tagged {
        /// The number of lines.
        count: Size,
        /// The forms, in the order of their first occurrence.
        forms: Vec<TagForm>,
    },
}

/// The lines that begin with the same word.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TagForm {
    pub(crate) tag: String,
    pub(crate) fields: Vec<FieldIndex>,
}

/// The number of repetitions of a block.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Count {
    Times(Size),
    UntilEof,
    UntilLine(Vec<String>),
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    /// One token.
    Token(FieldIndex),
    /// One token of as many characters as a size.
    Text(FieldIndex, Size),
    /// As many tokens as a size.
    Array(FieldIndex, Size),
    /// All remaining tokens of a line.
    List(FieldIndex),
    /// The remaining text of a line, with spaces.
    Phrase(FieldIndex),
}

/// A size: an expression over earlier numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Size {
    Constant(i128),
    /// `factor * field + offset`
    Linear {
        factor: i128,
        field: FieldIndex,
        offset: i128,
    },
    Product(FieldIndex, FieldIndex),
    Sum(FieldIndex, FieldIndex),
}

impl Size {
    /// Returns the fields in the expression.
    pub(crate) fn fields(&self) -> Vec<FieldIndex> {
        match *self {
            Size::Constant(_) => Vec::new(),
            Size::Linear { field, .. } => vec![field],
            Size::Product(a, b) | Size::Sum(a, b) => vec![a, b],
        }
    }

    /// Returns the value for some values of fields, or `None` if a field has none.
    pub(crate) fn evaluate_size(&self, values: &[Option<i128>]) -> Option<i128> {
        let value = |field: FieldIndex| values.get(field).copied().flatten();
        match *self {
            Size::Constant(number) => Some(number),
            Size::Linear { factor, field, offset } => value(field)?.checked_mul(factor)?.checked_add(offset),
            Size::Product(a, b) => value(a)?.checked_mul(value(b)?),
            Size::Sum(a, b) => value(a)?.checked_add(value(b)?),
        }
    }

    /// Returns the expression as a term of a format.
    pub(crate) fn to_term(&self, name_of: impl Fn(FieldIndex) -> SyntaxTerm) -> SyntaxTerm {
        match *self {
            Size::Constant(number) => SyntaxTerm::from_number(number),
            Size::Linear { factor, field, offset } => {
                let name = name_of(field);
                let product =
                    if factor == 1 { name } else { SyntaxTerm::from_number(factor).into_operation("*", name) };
                match offset {
                    0 => product,
                    1.. => product.into_operation("+", SyntaxTerm::from_number(offset)),
                    _ => product.into_operation("-", SyntaxTerm::from_number(-offset)),
                }
            }
            Size::Product(a, b) => name_of(a).into_operation("*", name_of(b)),
            Size::Sum(a, b) => name_of(a).into_operation("+", name_of(b)),
        }
    }

    /// Returns true if the size is the value of a field.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self, Size::Linear { factor: 1, offset: 0, .. })
    }
}

impl Node {
    /// Returns true if the node is a line without parts.
    pub(crate) fn is_empty_line(&self) -> bool {
        matches!(self, Node::Line(parts) if parts.is_empty())
    }

    /// Calls a function for each size in the order of the layout, with the fields that it counts.
    pub(crate) fn visit_sizes<'n>(&'n self, visit: &mut dyn FnMut(&'n Size, Vec<FieldIndex>)) {
        match self {
            Node::Line(parts) => {
                for part in parts {
                    match part {
                        Part::Text(field, size) | Part::Array(field, size) => visit(size, vec![*field]),
                        Part::Token(_) | Part::List(_) | Part::Phrase(_) => {}
                    }
                }
            }
            Node::Block { count, body, .. } => {
                if let Count::Times(size) = count {
                    visit(size, fields_of(body));
                }
                body.iter().for_each(|node| node.visit_sizes(visit));
            }
            Node::Tagged { count, .. } => visit(count, fields_of(std::slice::from_ref(self))),
        }
    }
}

/// Returns the two nodes of a layout that has nothing else but empty lines between them.
pub(crate) fn first_and_last(nodes: &[Node]) -> Option<(&Node, &Node)> {
    let [first, between @ .., last] = nodes else { return None };
    between.iter().all(Node::is_empty_line).then_some((first, last))
}

/// Returns true if a layout is a number of test cases and a block of several lines for each.
pub(crate) fn is_case_block(nodes: &[Node]) -> bool {
    match first_and_last(nodes) {
        Some((Node::Line(parts), Node::Block { count: Count::Times(size), is_separated, body })) => {
            let counts = size.fields();
            let is_alone = parts.len() == 1 && [parts[0].field()] == counts[..] && size.is_plain();
            is_alone && (body.len() > 1 || *is_separated)
        }
        _ => false,
    }
}

/// Returns the nodes of a layout, with those inside its blocks, in their order.
pub(crate) fn all_nodes(nodes: &[Node]) -> Vec<&Node> {
    let mut all = Vec::new();
    for node in nodes {
        all.push(node);
        if let Node::Block { body, .. } = node {
            all.extend(all_nodes(body));
        }
    }
    all
}

/// Returns the fields of some nodes, in the order of the layout.
pub(crate) fn fields_of(nodes: &[Node]) -> Vec<FieldIndex> {
    let of_node = |node: &Node| -> Vec<FieldIndex> {
        match node {
            Node::Line(parts) => parts.iter().map(Part::field).collect(),
            Node::Tagged { forms, .. } => forms.iter().flat_map(|form| form.fields.clone()).collect(),
            Node::Block { .. } => Vec::new(),
        }
    };
    all_nodes(nodes).into_iter().flat_map(of_node).collect()
}

impl Part {
    /// Returns true if the part takes a number of tokens that is not fixed.
    pub(crate) fn is_variable(&self) -> bool {
        !matches!(self, Part::Token(_) | Part::Text(..))
    }

    pub(crate) fn field(&self) -> FieldIndex {
        match self {
            Part::Token(field)
            | Part::Text(field, _)
            | Part::Array(field, _)
            | Part::List(field)
            | Part::Phrase(field) => *field,
        }
    }
}
