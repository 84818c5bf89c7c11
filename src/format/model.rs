//! The meaning of a format: blocks of fields, and the constraints on them.

use super::expr::{Expr, Occurrences, Over};
use super::formula::Comparison;
use super::interval::Interval;
use super::rule::Rule;
use super::stop_token::StopToken;
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
    pub validators: Vec<External>,
    /// External programs that make inputs.
    pub generators: Vec<External>,
    /// Bespoke shapes that belong to this format.
    pub shapes: Vec<String>,
    /// Named sets of further constraints.
    pub subtasks: Vec<Subtask>,
    /// Stops work on this format and on what is derived from it.
    pub stop: StopToken,
}

/// A named set of constraints beyond those of the whole problem.
#[derive(Clone, Debug)]
pub struct Subtask {
    /// Its name.
    pub name: String,
    /// The points it is worth, if that is said.
    pub points: Option<i128>,
    /// What holds in it besides.
    pub constraints: Vec<Constraint>,
    /// Where it is written.
    pub span: Span,
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
    /// How it stands on its line, if all its instances stand on one; they have no lines of their own then.
    pub inline: Option<Inline>,
    /// Where the block is opened.
    pub span: Span,
}

/// How instances stand on a line: `k (x y)[k] z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inline {
    /// Whether the item before it in its block is on the same line.
    pub joined: bool,
    /// Whether the line ends behind it, if it does not go on around the block that it is in.
    pub ends: bool,
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

    /// Calls `visit` with each field in it.
    pub fn each_field(&self, visit: &mut dyn FnMut(FieldId)) {
        match self {
            Count::Times(expr) => expr.each_field(visit),
            Count::When(comparisons) => {
                comparisons.iter().flat_map(|c| c.left.iter().chain(&c.right)).for_each(|e| e.each_field(visit));
            }
            Count::Chosen | Count::Until { .. } => {}
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
    /// Whether it is a text that the layout names without brackets: `word`, not `word[]` or `word[n]`.
    pub is_bare_text: bool,
    /// What such a length is equal to, as a sum of numbers: `r - l + 1` by `len(c) = r - l + 1`.
    pub announced: Option<Expr>,
}

/// What a field is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers.
    Number,
    /// Numbers with digits after the point; in a value they stand multiplied by `10^most`.
    Real(Decimals),
    /// Tokens that are one of these words; in a value each stands as its number in this list, from 0.
    Words(Vec<Vec<u8>>),
    /// Characters that stand side by side, from these letters; the first is the simplest.
    Text(Vec<u8>),
}

/// How many digits a real has after the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimals {
    /// At least so many.
    pub least: u32,
    /// At most so many.
    pub most: u32,
}

/// One dimension of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// As many as the expression says.
    Size(Expr),
    /// As many as stand there: the length of a text that no number announces.
    Free,
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

/// An external program. A validator accepts with exit status 42 and refuses with 43, or with testlib's 0 and others; a
/// generator is given a seed as its last argument and prints an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct External {
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

    /// The field that says how many test cases there are, if one does by itself.
    pub fn case_count(&self) -> Option<FieldId> {
        match self.block(self.cases()?).count.times()? {
            Expr::Field(count) => Some(*count),
            _ => None,
        }
    }

    /// Whether what is there depends on more than counts: conditions, alternatives, repetitions without a count.
    pub fn is_open(&self) -> bool {
        self.blocks.iter().any(|b| b.count.times().is_none())
    }

    /// Whether some inputs differ only in how a number is written: `1.5` and `1.50`.
    pub fn has_several_spellings(&self) -> bool {
        self.fields.iter().map(Field::decimals).any(|decimals| decimals.least < decimals.most)
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

    /// Returns true if a block has at most one instance in each instance of the block around it, and may have none: it is
    /// below `if`, or a form of `either`.
    pub fn is_optional(&self, id: BlockId) -> bool {
        match self.block(id).kind {
            BlockKind::Condition | BlockKind::Alternative => true,
            BlockKind::Whole | BlockKind::Cases | BlockKind::Repeat => false,
        }
    }

    /// Returns the innermost repetition at or around a block, passing over conditions and alternatives, or `None` if
    /// nothing is repeated there.
    pub fn repetition_of(&self, id: BlockId) -> Option<BlockId> {
        let mut at = id;
        while self.is_optional(at) {
            at = self.block(at).parent?;
        }
        Some(at).filter(|block| *block != BlockId(0))
    }

    /// Returns what a fold of a single value in a block runs over, or `None` for a block that is in every input once.
    pub fn over(&self, id: BlockId) -> Option<Over> {
        if !self.is_optional(id) {
            return Some(Over::Instances(id)).filter(|_| id != BlockId(0));
        }
        let outermost = self.repetition_of(id).or_else(|| self.blocks_around(id).last())?;
        Some(Over::Occurrences(Occurrences { outermost, block: id }))
    }

    /// Returns the block that holds all that something runs over, or `None` for the elements of arrays.
    pub fn holder(&self, over: Over) -> Option<BlockId> {
        self.block(over.outermost()?).parent
    }

    /// Returns a block and the blocks around it, from the innermost to the outermost but for the whole input.
    pub fn blocks_around(&self, id: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        std::iter::successors(Some(id), |at| self.block(*at).parent).take_while(|at| *at != BlockId(0))
    }

    /// Returns the blocks whose instances something runs over, from the innermost to the outermost.
    pub fn blocks_of(&self, over: Over) -> impl Iterator<Item = BlockId> + '_ {
        let holder = self.holder(over);
        let inside = over.block().into_iter().flat_map(|block| self.blocks_around(block));
        inside.take_while(move |at| Some(*at) != holder)
    }

    /// Returns true if the first of a field's indices counts the repetitions around it: where there is one more than the field
    /// has dimensions, and where it is a text without brackets below `repeat` or in a group.
    pub fn counts_repetitions(&self, field: FieldId, indices: &[Expr]) -> bool {
        indices.len() > self.field(field).dimensions.len() || !indices.is_empty() && self.is_repeated_text(field)
    }

    /// Returns true if a field is a text without brackets, of which there is one in each repetition of a `repeat` or a group.
    pub fn is_repeated_text(&self, field: FieldId) -> bool {
        let info = self.field(field);
        let is_repeat = |block: BlockId| self.block(block).kind == BlockKind::Repeat;
        info.is_bare_text && self.repetition_of(info.block).is_some_and(is_repeat)
    }

    /// Returns how many of a field's dimensions its indices pick from, from the first on.
    pub fn indexed_dimensions(&self, field: FieldId, indices: &[Expr]) -> usize {
        indices.len() - usize::from(self.counts_repetitions(field, indices))
    }

    /// Returns true if indices pick a row or a text, not one element.
    pub fn picks_row(&self, field: FieldId, indices: &[Expr]) -> bool {
        self.indexed_dimensions(field, indices) < self.field(field).dimensions.len()
    }

    /// Returns the conditions and forms around a field that are inside the innermost repetition around it, from the
    /// innermost to the outermost.
    pub fn optional_around(&self, field: FieldId) -> impl Iterator<Item = BlockId> + '_ {
        self.blocks_around(self.field(field).block).take_while(|block| self.is_optional(*block))
    }

    /// Returns true if a field stands only in some of the repetitions of the innermost repetition around it.
    pub fn may_be_absent(&self, field: FieldId) -> bool {
        self.is_optional(self.field(field).block)
    }

    /// Whether a line of the input ends behind an item of a block.
    pub fn ends_line(&self, id: BlockId, item: usize) -> bool {
        let block = self.block(id);
        let inline = |item: &Item| if let Item::Block(child) = item { self.block(*child).inline } else { None };
        if block.inline.is_some() {
            return false;
        }
        match block.items.get(item) {
            Some(Item::Line(_)) => !block.items.get(item + 1).and_then(inline).is_some_and(|next| next.joined),
            Some(item) => inline(item).is_some_and(|own| own.ends),
            None => false,
        }
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
            Expr::Constant(_) | Expr::Variable(_) | Expr::Letters(_) => false,
            Expr::Field(f) => *f == field,
            Expr::Length(f) => *f == field || sized(f),
            Expr::Element(f, indices) => {
                let decides = || self.optional_around(*f).any(|block| self.block(block).count.mentions(field));
                *f == field
                    || indices.iter().any(|i| self.depends(i, field))
                    || self.counts_repetitions(*f, indices) && decides()
            }
            Expr::Minus(inner) => self.depends(inner, field),
            Expr::Binary(_, left, right) => self.depends(left, field) || self.depends(right, field),
            Expr::Fold(_, over @ (Over::Instances(_) | Over::Occurrences(_)), inner) => {
                self.blocks_of(*over).any(|block| self.block(block).count.mentions(field)) || self.depends(inner, field)
            }
            Expr::Fold(_, Over::Elements, inner) | Expr::Whole(inner) => {
                let mut found = self.depends(inner, field);
                inner.each_field(&mut |f| found |= sized(&f));
                found
            }
        }
    }

    /// Returns true if an expression contains many values of a field, or values that many of a field decide about: then a
    /// bound on the whole is no bound on each.
    pub fn folds(&self, expr: &Expr, field: FieldId) -> bool {
        expr.folds(field) || self.folds_size(expr, field)
    }

    /// Returns true if each instance that an expression folds has its own value of a field, which decides how much there is
    /// in it.
    fn folds_size(&self, expr: &Expr, field: FieldId) -> bool {
        match expr {
            Expr::Fold(_, over, inner) => {
                let is_own = |outermost| self.is_within(self.field(field).block, outermost);
                over.outermost().is_some_and(is_own) && self.depends(inner, field) || self.folds_size(inner, field)
            }
            Expr::Minus(inner) => self.folds_size(inner, field),
            Expr::Binary(_, left, right) => self.folds_size(left, field) || self.folds_size(right, field),
            Expr::Constant(_) | Expr::Field(_) | Expr::Length(_) | Expr::Variable(_) => false,
            Expr::Element(..) | Expr::Whole(_) | Expr::Letters(_) => false,
        }
    }

    /// The fields that one of the expressions may [depend](Format::depends) on, in the order of the layout.
    pub fn concerned<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>) -> Vec<FieldId> {
        let mut found = Vec::new();
        exprs.into_iter().for_each(|expr| self.gather(expr, &mut found));
        found.sort_unstable_by_key(|field| field.0);
        found.dedup();
        found
    }

    fn gather(&self, expr: &Expr, found: &mut Vec<FieldId>) {
        match expr {
            Expr::Constant(_) | Expr::Variable(_) | Expr::Letters(_) => {}
            Expr::Field(field) | Expr::Length(field) => self.gather_field(*field, found),
            Expr::Element(field, indices) => {
                self.gather_field(*field, found);
                indices.iter().for_each(|index| self.gather(index, found));
                if self.counts_repetitions(*field, indices) {
                    for block in self.optional_around(*field) {
                        self.block(block).count.each_field(&mut |field| found.push(field));
                    }
                }
            }
            Expr::Minus(inner) | Expr::Fold(_, Over::Elements, inner) | Expr::Whole(inner) => self.gather(inner, found),
            Expr::Fold(_, over @ (Over::Instances(_) | Over::Occurrences(_)), inner) => {
                for block in self.blocks_of(*over) {
                    self.block(block).count.each_field(&mut |field| found.push(field));
                }
                self.gather(inner, found);
            }
            Expr::Binary(_, left, right) => {
                self.gather(left, found);
                self.gather(right, found);
            }
        }
    }

    /// A field, and those that size it.
    fn gather_field(&self, field: FieldId, found: &mut Vec<FieldId>) {
        found.push(field);
        for dimension in &self.field(field).dimensions {
            if let Dimension::Size(size) = dimension {
                size.each_field(&mut |field| found.push(field));
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
            _ => None,
        }
    }

    /// Its words, if it is a choice of words.
    pub fn words(&self) -> Option<&[Vec<u8>]> {
        match &self.kind {
            Kind::Words(words) => Some(words),
            _ => None,
        }
    }

    /// How many digits its numbers have after the point.
    pub fn decimals(&self) -> Decimals {
        match self.kind {
            Kind::Real(decimals) => decimals,
            _ => Decimals { least: 0, most: 0 },
        }
    }

    /// Whether the input alone tells how many elements stand in its last dimension.
    pub fn is_free(&self) -> bool {
        self.dimensions.last() == Some(&Dimension::Free)
    }

    /// Whether it may hold spaces, so that only the end of the line ends it.
    pub fn has_spaces(&self) -> bool {
        self.letters().is_some_and(|letters| letters.contains(&b' '))
    }

    /// A number of it as the input writes it.
    pub fn number_text(&self, number: i128) -> String {
        let mut text = Vec::new();
        super::numeral::push_number(&mut text, self, number);
        String::from_utf8_lossy(&text).into_owned()
    }
}
