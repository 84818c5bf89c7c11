//! The meaning of a format: blocks of fields, and the constraints on them.

use super::interval::Interval;
use crate::diagnostic::{Source, Span};

/// The number of a block within its [`Format`]; the whole input is block 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub usize);

/// The number of a field within its [`Format`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldId(pub usize);

/// A format: what an input looks like, and what holds for it.
#[derive(Clone, Debug)]
pub struct Format {
    /// The text it was read from; constraints point into it.
    pub source: Source,
    /// All blocks; each stands after the one that holds it.
    pub blocks: Vec<Block>,
    /// All fields in the order of the layout.
    pub fields: Vec<Field>,
    /// All constraints; a chain of comparisons is one for each neighbouring pair.
    pub constraints: Vec<Constraint>,
    /// External programs that judge inputs.
    pub validators: Vec<Validator>,
    /// Bespoke shapes that belong to this format.
    pub shapes: Vec<String>,
}

/// A stretch of lines that is there once, or repeated.
#[derive(Clone, Debug)]
pub struct Block {
    /// The block that holds this one; none for the whole input.
    pub parent: Option<BlockId>,
    /// Which of the parent's slots holds the list of its instances.
    pub slot: usize,
    /// Once, cases, or repeat.
    pub kind: BlockKind,
    /// How many instances there are.
    pub count: Count,
    /// The lines, in order.
    pub items: Vec<Item>,
    /// How many slots an instance has: one for each field and each block directly inside.
    pub slots: usize,
    /// Where the block is opened.
    pub span: Span,
}

/// What decides how many instances of a block there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Count {
    /// A number that is known by then.
    Times(Expr),
    /// One if all comparisons hold, else none.
    When(Vec<Comparison>),
    /// One or none: it is one of several alternatives, of which the input chooses.
    Chosen,
    /// As many as stand before the end, within these bounds.
    Until {
        /// How many there can be.
        range: Interval,
        /// The line that ends them; none for the end of the input.
        sentinel: Option<Vec<u8>>,
    },
}

impl Count {
    /// The expression, where there is one.
    pub fn times(&self) -> Option<&Expr> {
        match self {
            Count::Times(expr) => Some(expr),
            _ => None,
        }
    }

    /// Whether it can change with a field.
    pub fn mentions(&self, field: FieldId) -> bool {
        match self {
            Count::Times(expr) => expr.mentions(field),
            Count::When(comparisons) => comparisons.iter().any(|c| c.mentions(field)),
            Count::Chosen | Count::Until { .. } => false,
        }
    }
}

/// Why a block is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// The whole input.
    Whole,
    /// Independent test cases: the unit that is dropped, packed and unpacked.
    Cases,
    /// Any other repetition.
    Repeat,
    /// Lines that are there only under a condition.
    Condition,
    /// One of several forms that lines can take.
    Alternative,
}

/// One thing that stands on lines of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// Fields and fixed words on one line.
    Line(Vec<Part>),
    /// A field of two or more dimensions: a line for each row.
    Rows(FieldId),
    /// A repeated block.
    Block(BlockId),
    /// Exactly one of these blocks has an instance.
    Either(Vec<BlockId>),
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub token: Token,
    /// Whether no space separates it from the part before.
    pub glued: bool,
}

/// What a part of a line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A field.
    Field(FieldId),
    /// These very characters.
    Literal(Vec<u8>),
}

/// A named part of the input.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Where the layout names it.
    pub span: Span,
    /// The block it is directly in.
    pub block: BlockId,
    /// Its slot in an instance of that block.
    pub slot: usize,
    /// Numbers or characters.
    pub kind: Kind,
    /// Its dimensions, outermost first. A text's last dimension is its characters.
    pub dimensions: Vec<Dimension>,
    /// The range that each number is in whatever the other fields are; for a text, the range of its characters.
    pub range: Interval,
    /// The range of each length that the input alone tells.
    pub length: Interval,
}

/// What a field is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers.
    Number,
    /// Characters that stand side by side, from these letters; the first is the simplest.
    Text(Vec<u8>),
}

/// One dimension of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// As many as the expression says.
    Size(Expr),
    /// As many as stand there: the length of a text that no number announces.
    Free,
}

/// An arithmetic expression over fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A number, or the code of a letter.
    Constant(i128),
    /// A field: its number, or, for an array, each of its numbers in turn.
    Field(FieldId),
    /// The length of a text or an array of one dimension.
    Length(FieldId),
    /// The negative.
    Minus(Box<Expr>),
    /// An arithmetic operation.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// Many numbers made one.
    Fold(Fold, Over, Box<Expr>),
}

/// Arithmetic on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// Sum.
    Plus,
    /// Difference.
    Minus,
    /// Product.
    Times,
    /// Quotient, rounded down.
    Divide,
    /// Remainder of the division that rounds down.
    Modulo,
    /// Power with a non-negative exponent.
    Power,
}

/// How many numbers become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Their sum.
    Sum,
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// How many equal this one.
    Count(i128),
}

/// What a fold runs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// All elements of the arrays in its expression.
    Elements,
    /// All instances of a repeated block.
    Instances(BlockId),
}

/// A sign between two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
}

impl Sign {
    /// Whether `left sign right` holds.
    pub fn holds<T: Ord>(self, left: &T, right: &T) -> bool {
        match self {
            Sign::Less => left < right,
            Sign::LessEqual => left <= right,
            Sign::Greater => left > right,
            Sign::GreaterEqual => left >= right,
            Sign::Equal => left == right,
            Sign::NotEqual => left != right,
        }
    }

    /// The sign that says the same with the sides exchanged.
    #[must_use]
    pub fn mirrored(self) -> Sign {
        match self {
            Sign::Less => Sign::Greater,
            Sign::LessEqual => Sign::GreaterEqual,
            Sign::Greater => Sign::Less,
            Sign::GreaterEqual => Sign::LessEqual,
            same => same,
        }
    }

    /// As the language writes it.
    pub fn text(self) -> &'static str {
        match self {
            Sign::Less => "<",
            Sign::LessEqual => "<=",
            Sign::Greater => ">",
            Sign::GreaterEqual => ">=",
            Sign::Equal => "=",
            Sign::NotEqual => "!=",
        }
    }
}

/// `left sign right`. Sides of one expression are numbers, of several they are tuples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The left side.
    pub left: Vec<Expr>,
    /// The sign.
    pub sign: Sign,
    /// The right side, of as many expressions as the left.
    pub right: Vec<Expr>,
}

/// What a constraint asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A comparison, for each element where a side is an array.
    Compare(Comparison),
    /// All tuples differ: over the elements of arrays, or over the instances of a block.
    Distinct(Vec<Expr>, Over),
    /// Each number stands in this relation to the next: over the elements of an array, or the instances of a block.
    Ordered(Expr, Sign, Over),
    /// The instances of a block are the edges of a graph.
    Graph(GraphRule),
}

/// Edges, the vertices that they are between, and what the graph must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphRule {
    /// The block of which each instance is an edge.
    pub block: BlockId,
    /// The ends of an edge.
    pub ends: (FieldId, FieldId),
    /// The first and the last vertex.
    pub vertices: (Expr, Expr),
    /// What the graph must be.
    pub adjectives: Vec<Adjective>,
}

/// What can be asked of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjective {
    /// Edges have a direction.
    Directed,
    /// No loops and no repeated edges.
    Simple,
    /// No edge from a vertex to itself.
    Loopless,
    /// In one piece.
    Connected,
    /// No cycles.
    Acyclic,
    /// Two sides, edges only between them.
    Bipartite,
    /// Connected, without cycles.
    Tree,
    /// A tree without branches.
    Path,
    /// A tree with one centre.
    Star,
}

impl GraphRule {
    /// Whether an adjective is asked for, by its name or by one that includes it.
    pub fn is(&self, wanted: Adjective) -> bool {
        self.adjectives.iter().any(|a| {
            let tree = matches!(a, Adjective::Tree | Adjective::Path | Adjective::Star);
            *a == wanted
                || tree && matches!(wanted, Adjective::Tree | Adjective::Connected | Adjective::Acyclic)
                || *a == Adjective::Simple && wanted == Adjective::Loopless
        })
    }
}

/// How generation meets a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// It bounds a field directly: sampled within the bounds.
    Domain,
    /// It bounds a sum: split among the parts.
    Budget,
    /// It is met by construction: distinct elements, numbers of letters.
    Structural,
    /// It is checked afterwards, and what breaks it is drawn again.
    Residual,
}

/// One constraint.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// What it asks for.
    pub rule: Rule,
    /// The innermost block whose instances it speaks of, one at a time.
    pub home: BlockId,
    /// Where it is written.
    pub span: Span,
    /// How generation meets it.
    pub class: Class,
}

/// An external program that judges inputs: exit status 42 accepts and 43 refuses, or testlib's 0 and others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Validator {
    /// A source file or a command, relative to the format's folder.
    pub command: String,
    /// Where it is written.
    pub span: Span,
}

impl Format {
    /// The block of that number.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0]
    }

    /// The field of that number.
    pub fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.0]
    }

    /// The field of that name.
    pub fn field_named(&self, name: &str) -> Option<FieldId> {
        self.fields.iter().position(|f| f.name == name).map(FieldId)
    }

    /// The block of test cases, if the format has one directly in the input.
    pub fn cases(&self) -> Option<BlockId> {
        let is_cases = |b: &Block| b.kind == BlockKind::Cases && b.parent == Some(BlockId(0));
        self.blocks.iter().position(is_cases).map(BlockId)
    }

    /// Whether what is there depends on more than counts: conditions, alternatives, repetitions without a count.
    pub fn is_open(&self) -> bool {
        self.blocks.iter().any(|b| b.count.times().is_none())
    }

    /// The text of a place in the format.
    pub fn text(&self, span: Span) -> String {
        String::from_utf8_lossy(&self.source.text[span.start..span.end.max(span.start)]).into_owned()
    }

    /// Whether `inner` is `outer` or lies within it.
    pub fn is_within(&self, inner: BlockId, outer: BlockId) -> bool {
        let mut at = Some(inner);
        while let Some(id) = at {
            if id == outer {
                return true;
            }
            at = self.block(id).parent;
        }
        false
    }

    /// Blocks directly inside one.
    pub fn children(&self, id: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        (0..self.blocks.len()).map(BlockId).filter(move |child| self.block(*child).parent == Some(id))
    }

    /// Whether the value of the expression can change with the field: it occurs, or it sizes what is folded.
    pub fn depends(&self, expr: &Expr, field: FieldId) -> bool {
        let sized = |f: &FieldId| {
            self.field(*f).dimensions.iter().any(|d| matches!(d, Dimension::Size(size) if size.mentions(field)))
        };
        match expr {
            Expr::Constant(_) => false,
            Expr::Field(f) => *f == field,
            Expr::Length(f) => *f == field || sized(f),
            Expr::Minus(inner) => self.depends(inner, field),
            Expr::Binary(_, left, right) => self.depends(left, field) || self.depends(right, field),
            Expr::Fold(_, Over::Instances(block), inner) => {
                self.block(*block).count.mentions(field) || self.depends(inner, field)
            }
            Expr::Fold(_, Over::Elements, inner) => {
                let mut found = self.depends(inner, field);
                inner.each_field(&mut |f| found |= sized(&f));
                found
            }
        }
    }

    /// Fields directly inside a block, in the order of the layout.
    pub fn fields_of(&self, id: BlockId) -> impl Iterator<Item = FieldId> + '_ {
        (0..self.fields.len()).map(FieldId).filter(move |field| self.field(*field).block == id)
    }
}

impl Field {
    /// Whether it is a single number.
    pub fn is_scalar(&self) -> bool {
        self.dimensions.is_empty()
    }

    /// Its letters, if it is a text.
    pub fn letters(&self) -> Option<&[u8]> {
        match &self.kind {
            Kind::Text(letters) => Some(letters),
            Kind::Number => None,
        }
    }
}

impl Expr {
    /// Calls `visit` with each field in the expression.
    pub fn each_field(&self, visit: &mut impl FnMut(FieldId)) {
        match self {
            Expr::Constant(_) => {}
            Expr::Field(field) | Expr::Length(field) => visit(*field),
            Expr::Minus(inner) | Expr::Fold(_, _, inner) => inner.each_field(visit),
            Expr::Binary(_, left, right) => {
                left.each_field(visit);
                right.each_field(visit);
            }
        }
    }

    /// Whether the field occurs within a fold.
    pub fn folds(&self, field: FieldId) -> bool {
        match self {
            Expr::Constant(_) | Expr::Field(_) | Expr::Length(_) => false,
            Expr::Minus(inner) => inner.folds(field),
            Expr::Binary(_, left, right) => left.folds(field) || right.folds(field),
            Expr::Fold(_, _, inner) => inner.mentions(field),
        }
    }

    /// Whether the field occurs anywhere in the expression.
    pub fn mentions(&self, field: FieldId) -> bool {
        let mut found = false;
        self.each_field(&mut |f| found |= f == field);
        found
    }
}

impl Comparison {
    /// Whether the field occurs in it.
    pub fn mentions(&self, field: FieldId) -> bool {
        self.left.iter().chain(&self.right).any(|e| e.mentions(field))
    }
}

impl Rule {
    /// All expressions of the rule.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let (left, right): (&[Expr], &[Expr]) = match self {
            Rule::Compare(comparison) => (&comparison.left, &comparison.right),
            Rule::Distinct(parts, _) => (parts, &[]),
            Rule::Ordered(expr, ..) => (std::slice::from_ref(expr), &[]),
            Rule::Graph(graph) => (std::slice::from_ref(&graph.vertices.0), std::slice::from_ref(&graph.vertices.1)),
        };
        left.iter().chain(right)
    }

    /// Whether the field occurs in the rule.
    pub fn mentions(&self, field: FieldId) -> bool {
        self.exprs().any(|e| e.mentions(field))
    }
}
