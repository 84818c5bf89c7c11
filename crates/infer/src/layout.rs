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
    /// The value of a field.
    pub(crate) fn from_field(field: FieldIndex) -> Size {
        Size::Linear { factor: 1, field, offset: 0 }
    }

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
                add_offset(product, offset)
            }
            Size::Product(a, b) => name_of(a).into_operation("*", name_of(b)),
            Size::Sum(a, b) => name_of(a).into_operation("+", name_of(b)),
        }
    }
}

/// Returns a term plus a number.
pub(crate) fn add_offset(term: SyntaxTerm, offset: i128) -> SyntaxTerm {
    match offset {
        0 => term,
        1.. => term.into_operation("+", SyntaxTerm::from_number(offset)),
        _ => term.into_operation("-", SyntaxTerm::from_number(-offset)),
    }
}

impl Node {
    /// Returns true if the node is a line without parts.
    pub(crate) fn is_empty_line(&self) -> bool {
        matches!(self, Node::Line(parts) if parts.is_empty())
    }

    /// Returns the sizes of the node itself, each with the fields that it counts.
    fn sizes(&self) -> Vec<(&Size, Vec<FieldIndex>)> {
        let fields = || fields_of(std::slice::from_ref(self));
        match self {
            Node::Line(parts) => parts.iter().filter_map(|part| Some((part.size()?, vec![part.field()]))).collect(),
            Node::Block { count: Count::Times(size), .. } | Node::Tagged { count: size, .. } => vec![(size, fields())],
            Node::Block { .. } => Vec::new(),
        }
    }

    fn parts(&self) -> Vec<&Part> {
        match self {
            Node::Line(parts) => parts.iter().collect(),
            Node::Tagged { forms, .. } => forms.iter().flat_map(|form| &form.parts).collect(),
            Node::Block { body, .. } => parts_of(body),
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
            let is_alone = parts.len() == 1 && *size == Size::from_field(parts[0].field());
            is_alone && (body.len() > 1 || *is_separated)
        }
        _ => false,
    }
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
    sizes_in(nodes).into_iter().flat_map(|(size, _)| size.fields()).collect()
}

/// Returns the size and the fields of each array and of each block of a single line of tokens.
pub(crate) fn lists_in(nodes: &[Node]) -> Vec<(&Size, Vec<FieldIndex>)> {
    let is_list = |node: &&Node| match node {
        Node::Line(parts) => parts.iter().any(|part| matches!(part, Part::Array(..))),
        Node::Block { body, .. } => match &body[..] {
            [Node::Line(parts)] => parts.iter().all(|part| matches!(part, Part::Token(_))),
            _ => false,
        },
        Node::Tagged { .. } => false,
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
