//! Candidate layouts.

use rebut_format::syntax::{SyntaxTerm, SyntaxTermKind};

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
        /// The repeated lines.
        body: Vec<Node>,
    },
    /// A line that begins with a tag, on which its other tokens depend: its forms, in the order of their tags.
    Either(Vec<TagForm>),
}

/// The lines that begin with the same word.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TagForm {
    pub(crate) tag: String,
    /// The other tokens.
    pub(crate) parts: Vec<Part>,
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

/// A size: a number, or an expression over an earlier one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Size {
    Constant(i128),
    /// `factor * field + offset`
    Linear {
        factor: i128,
        field: FieldIndex,
        offset: i128,
    },
}

impl Size {
    /// The value of a field.
    pub(crate) fn from_field(field: FieldIndex) -> Size {
        Size::Linear { factor: 1, field, offset: 0 }
    }

    /// Returns the field in the expression.
    pub(crate) fn field(&self) -> Option<FieldIndex> {
        if let Size::Linear { field, .. } = *self { Some(field) } else { None }
    }

    /// Returns the value for some values of fields, or `None` if a field has none.
    pub(crate) fn evaluate_size(&self, values: &[Option<i128>]) -> Option<i128> {
        match *self {
            Size::Constant(number) => Some(number),
            Size::Linear { factor, field, offset } => {
                values.get(field).copied().flatten()?.checked_mul(factor)?.checked_add(offset)
            }
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
                add_offset(product, offset)
            }
        }
    }
}

/// Returns a term plus a number, such as `n` for `n - 1` plus 1.
pub(crate) fn add_offset(term: SyntaxTerm, offset: i128) -> SyntaxTerm {
    match (term.kind, offset) {
        (SyntaxTermKind::Binary("-", size, less), 1..) if less.constant_value().is_some() => {
            add_offset(*size, offset - less.constant_value().unwrap_or(0))
        }
        (kind, 0) => SyntaxTerm::new(kind),
        (kind, 1..) => SyntaxTerm::new(kind).into_operation("+", SyntaxTerm::from_number(offset)),
        (kind, _) => SyntaxTerm::new(kind).into_operation("-", SyntaxTerm::from_number(-offset)),
    }
}

impl Node {
    /// Returns the sizes of the node itself, each with the fields that it counts.
    fn sizes(&self) -> Vec<(&Size, Vec<FieldIndex>)> {
        match self {
            Node::Line(parts) => parts.iter().filter_map(|part| Some((part.size()?, vec![part.field()]))).collect(),
            Node::Block { count: Count::Times(size), .. } => vec![(size, fields_of(std::slice::from_ref(self)))],
            Node::Block { .. } | Node::Either(_) => Vec::new(),
        }
    }

    fn parts(&self) -> Vec<&Part> {
        match self {
            Node::Line(parts) => parts.iter().collect(),
            Node::Either(forms) => forms.iter().flat_map(|form| &form.parts).collect(),
            Node::Block { body, .. } => parts_of(body),
        }
    }
}

/// Returns the two nodes of a layout that has nothing else but empty lines between them.
pub(crate) fn first_and_last(nodes: &[Node]) -> Option<(&Node, &Node)> {
    let [first, between @ .., last] = nodes else { return None };
    between.iter().all(|node| *node == Node::Line(Vec::new())).then_some((first, last))
}

/// Returns true if a layout is a number of test cases and a block of several lines for each.
pub(crate) fn is_case_block(nodes: &[Node]) -> bool {
    matches!(
        first_and_last(nodes),
        Some((Node::Line(parts), Node::Block { count: Count::Times(size), body }))
            if parts.len() == 1 && *size == Size::from_field(parts[0].field()) && body.len() > 1
    )
}

/// Returns the nodes of a test case: all of them, or the body of a block of test cases.
pub(crate) fn case_nodes(nodes: &[Node]) -> &[Node] {
    match nodes.last() {
        Some(Node::Block { body, .. }) if is_case_block(nodes) => body,
        _ => nodes,
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

/// Returns the parts of some nodes, in the order of the layout.
pub(crate) fn parts_of(nodes: &[Node]) -> Vec<&Part> {
    nodes.iter().flat_map(Node::parts).collect()
}

/// Returns the fields of some nodes, in the order of the layout.
pub(crate) fn fields_of(nodes: &[Node]) -> Vec<FieldIndex> {
    parts_of(nodes).into_iter().map(Part::field).collect()
}

/// Returns the sizes in the order of the layout, each with the fields that it counts.
pub(crate) fn sizes_in(nodes: &[Node]) -> Vec<(&Size, Vec<FieldIndex>)> {
    all_nodes(nodes).into_iter().flat_map(Node::sizes).collect()
}

/// Returns the fields that sizes use.
pub(crate) fn size_fields(nodes: &[Node]) -> Vec<FieldIndex> {
    sizes_in(nodes).into_iter().filter_map(|(size, _)| size.field()).collect()
}

/// Returns the size and the fields of each array and of each block of a single line of tokens.
pub(crate) fn lists_in(nodes: &[Node]) -> Vec<(&Size, Vec<FieldIndex>)> {
    let is_list = |node: &&Node| match node {
        Node::Line(parts) => parts.iter().any(|part| matches!(part, Part::Array(..))),
        Node::Block { body, .. } => match &body[..] {
            [Node::Line(parts)] => parts.iter().all(|part| matches!(part, Part::Token(_))),
            _ => false,
        },
        Node::Either(_) => false,
    };
    all_nodes(nodes).into_iter().filter(is_list).flat_map(Node::sizes).collect()
}

/// Returns the fields with several values in a test case.
pub(crate) fn repeated_fields(nodes: &[Node]) -> Vec<FieldIndex> {
    let is_list = |part: &&Part| matches!(part, Part::Array(..) | Part::List(_));
    let repeated = |node: &Node| match node {
        Node::Line(parts) => parts.iter().filter(is_list).map(Part::field).collect(),
        _ => fields_of(std::slice::from_ref(node)),
    };
    case_nodes(nodes).iter().flat_map(repeated).collect()
}

impl Part {
    /// Returns true if the part takes a number of tokens that is not fixed.
    pub(crate) fn is_variable(&self) -> bool {
        !matches!(self, Part::Token(_) | Part::Text(..))
    }

    /// Returns the size of an array, or the length of a text.
    pub(crate) fn size(&self) -> Option<&Size> {
        match self {
            Part::Text(_, size) | Part::Array(_, size) => Some(size),
            Part::Token(_) | Part::List(_) | Part::Phrase(_) => None,
        }
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
