//! The model of a format: blocks of fields, and the constraints on them.

use super::constraint_rule::{Comparison, ConstraintRule};
use super::expression::{Expr, FoldRange, OptionalBlocks};
use super::ids::{BlockId, FieldId};
use super::interval::Interval;
use super::stop_token::StopToken;
use rebut_diagnostics::{SourceText, Span};

/// A parsed format: the layout of an input and its constraints.
#[derive(Clone, Debug)]
pub struct Format {
    /// The text that it was parsed from; spans point into it.
    pub source: SourceText,
    /// All blocks; a parent comes before its children.
    pub blocks: Vec<Block>,
    /// All fields, in layout order.
    pub fields: Vec<Field>,
    /// All constraints; a chain of comparisons becomes one constraint per neighbouring pair.
    pub constraints: Vec<Constraint>,
    /// External programs that validate inputs.
    pub validators: Vec<ExternalProgram>,
    /// External programs that generate inputs.
    pub generators: Vec<ExternalProgram>,
    /// Named sets of additional constraints.
    pub subtasks: Vec<Subtask>,
    /// Stops work on this format and on formats derived from it.
    pub stop_token: StopToken,
}

/// A named set of constraints in addition to those of the whole problem.
#[derive(Clone, Debug)]
pub struct Subtask {
    /// Name of the subtask.
    pub name: String,
    /// Points that the subtask is worth, if given.
    pub points: Option<i128>,
    /// Additional constraints.
    pub constraints: Vec<Constraint>,
    /// Location in the format's text.
    pub span: Span,
}

/// A group of lines that occurs once, optionally or repeatedly.
#[derive(Clone, Debug)]
pub struct Block {
    /// The enclosing block, or `None` for the whole input.
    pub parent: Option<BlockId>,
    /// The slot of the parent that holds this block's instance list.
    pub slot: usize,
    /// The construct of the language that created the block.
    pub kind: BlockKind,
    /// Number of instances.
    pub count: InstanceCount,
    /// The line between two instances, without its newline: `separated by ""`.
    pub separator: Option<Vec<u8>>,
    /// The lines, in order.
    pub items: Vec<LayoutItem>,
    /// Number of slots of an instance: one per field and per block directly inside.
    pub slots: usize,
    /// Placement on the line, if all instances share one line instead of having lines of their own.
    pub inline: Option<InlineGroup>,
    /// Location of the line that opens the block.
    pub span: Span,
}

/// Placement of instances that share a line: `k (x y)[k] z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InlineGroup {
    /// True if the preceding item of the parent is on the same line.
    pub continues_line: bool,
    /// True if the line ends after the group, unless the parent itself is inline and continues it.
    pub ends_line: bool,
}

/// The source of a block's number of instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstanceCount {
    /// A number that is known when the block is reached.
    Times(Expr),
    /// One if all comparisons hold, else zero.
    Conditional(Vec<Comparison>),
    /// One or zero: the block is one of several alternatives, and the input chooses.
    Alternative,
    /// All instances up to the terminator, within these bounds.
    Until {
        /// Allowed number of instances.
        range: Interval,
        /// The line that terminates the repetition, or `None` for the end of the input.
        sentinel: Option<Vec<u8>>,
    },
}

impl InstanceCount {
    /// Returns the expression of a counted repetition.
    pub fn times_expr(&self) -> Option<&Expr> {
        match self {
            InstanceCount::Times(expr) => Some(expr),
            _ => None,
        }
    }

    /// Returns true if the count can change with `field`.
    pub fn mentions_field(&self, field: FieldId) -> bool {
        match self {
            InstanceCount::Times(expr) => expr.mentions_field(field),
            InstanceCount::Conditional(comparisons) => comparisons.iter().any(|c| c.mentions_field(field)),
            InstanceCount::Alternative | InstanceCount::Until { .. } => false,
        }
    }

    /// Calls `visit` with each field that occurs in it.
    pub fn visit_fields(&self, visit: &mut dyn FnMut(FieldId)) {
        match self {
            InstanceCount::Times(expr) => expr.visit_fields(visit),
            InstanceCount::Conditional(comparisons) => {
                comparisons.iter().flat_map(|c| c.all_operands()).for_each(|e| e.visit_fields(visit));
            }
            InstanceCount::Alternative | InstanceCount::Until { .. } => {}
        }
    }
}

/// The construct of the language that created a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// The whole input.
    Root,
    /// Independent test cases: the unit that is dropped, packed and unpacked.
    Cases,
    /// Any other repetition.
    Repeat,
    /// Lines that are present only under a condition.
    Condition,
    /// One of several alternative forms of the lines.
    Alternative,
}

/// An item of a block's layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutItem {
    /// Fields and literals on one line.
    Line(Vec<LinePart>),
    /// A field of two or more dimensions, one row per line.
    Rows(FieldId),
    /// A block.
    Block(BlockId),
    /// A choice: exactly one of these blocks has an instance.
    Either(Vec<BlockId>),
}

impl LayoutItem {
    /// Returns the parts of a line.
    pub fn line(&self) -> Option<&[LinePart]> {
        match self {
            LayoutItem::Line(parts) => Some(parts),
            _ => None,
        }
    }

    /// Returns the fields of a line or of rows. A block has its own.
    pub fn fields(&self) -> impl Iterator<Item = FieldId> + '_ {
        self.fields_after(0)
    }

    /// Returns the same without the first parts of a line.
    pub fn fields_after(&self, parts: usize) -> impl Iterator<Item = FieldId> + '_ {
        let (parts, rows) = match self {
            LayoutItem::Line(all) => (&all[parts..], None),
            LayoutItem::Rows(field) => (&[][..], Some(*field)),
            LayoutItem::Block(_) | LayoutItem::Either(_) => (&[][..], None),
        };
        parts.iter().filter_map(LinePart::field).chain(rows)
    }
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinePart {
    /// The content.
    pub token: LineToken,
    /// True if no space separates it from the previous part.
    pub is_glued: bool,
}

impl LinePart {
    /// Returns the field, unless the part is a literal.
    pub fn field(&self) -> Option<FieldId> {
        match self.token {
            LineToken::Field(field) => Some(field),
            LineToken::Literal(_) => None,
        }
    }
}

/// The content of a line part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineToken {
    /// A field.
    Field(FieldId),
    /// These exact bytes.
    Literal(Vec<u8>),
}

/// A named part of the input.
#[derive(Clone, Debug)]
pub struct Field {
    /// Name of the field.
    pub name: String,
    /// Location of its name in the layout.
    pub span: Span,
    /// The block directly around it.
    pub block: BlockId,
    /// Its slot in an instance of that block.
    pub slot: usize,
    /// The type of its elements.
    pub kind: FieldKind,
    /// Dimensions, outermost first. The last dimension of a text is its characters.
    pub dimensions: Vec<FieldDimension>,
    /// Range of every number, independent of other fields; for a text, the range of its characters.
    pub range: Interval,
    /// Range of each length that only the input determines.
    pub length: Interval,
    /// True for a text that the layout writes without brackets: `word`, not `word[]` or `word[n]`.
    pub is_bare_text: bool,
    /// The expression that such a length equals: `r - l + 1` for `len(c) = r - l + 1`.
    pub announced_length: Option<Expr>,
}

/// The type of a field's elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// Integers.
    Number,
    /// Decimal numbers; values store them multiplied by `10^max`.
    Real(DecimalPlaces),
    /// One of these words; values store the index in this list.
    Words(Vec<Vec<u8>>),
    /// Characters from this alphabet without separators; the first letter is the simplest.
    Text(Vec<u8>),
}

/// Number of digits after a real number's decimal point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecimalPlaces {
    /// Minimum number of digits.
    pub min: u32,
    /// Maximum number of digits.
    pub max: u32,
}

/// One dimension of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldDimension {
    /// As many elements as the expression gives.
    Size(Expr),
    /// As many elements as the input has: a length that no number announces.
    Free,
}

/// How generation satisfies a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Bounds a field directly; values are sampled within the bounds.
    Domain,
    /// Bounds a sum; a budget is split among the parts.
    Budget,
    /// Satisfied by construction: distinct elements, counts of letters.
    Structural,
    /// Checked afterwards; violating values are drawn again.
    Residual,
}

/// A constraint of a format.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// The condition to satisfy.
    pub rule: ConstraintRule,
    /// The innermost block of its fields; the constraint is checked for each of its instances.
    pub home_block: BlockId,
    /// Location in the format's text.
    pub span: Span,
    /// How generation satisfies it.
    pub class: Class,
}

/// An external program. A validator accepts with exit status 42 and rejects with 43, or follows testlib's convention
/// of 0 and others; a generator receives a seed as its last argument and prints an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalProgram {
    /// A source file or a command, relative to the format's directory.
    pub command: String,
    /// Location in the format's text.
    pub span: Span,
}

impl Format {
    /// Returns the block with this index.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0]
    }

    /// Returns the field with this index.
    pub fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.0]
    }

    /// Returns all fields, in layout order.
    pub fn field_ids(&self) -> impl Iterator<Item = FieldId> + Clone + use<> {
        (0..self.fields.len()).map(FieldId)
    }

    /// Returns all blocks; a parent comes before its children.
    pub fn block_ids(&self) -> impl Iterator<Item = BlockId> + Clone + use<> {
        (0..self.blocks.len()).map(BlockId)
    }

    /// Returns the field of this name.
    pub fn field_named(&self, name: &str) -> Option<FieldId> {
        self.fields.iter().position(|f| f.name == name).map(FieldId)
    }

    /// Returns the block of test cases, if the format has one at the top level.
    pub fn cases_block(&self) -> Option<BlockId> {
        let is_cases = |b: &Block| b.kind == BlockKind::Cases && b.parent == Some(BlockId(0));
        self.blocks.iter().position(is_cases).map(BlockId)
    }

    /// Returns the field that holds the number of test cases, if the count is a single field.
    pub fn case_count(&self) -> Option<FieldId> {
        match self.block(self.cases_block()?).count.times_expr()? {
            Expr::Field(count) => Some(*count),
            _ => None,
        }
    }

    /// Returns true if the structure depends on more than counts: conditions, alternatives, or repetitions without a
    /// count.
    pub fn has_open_structure(&self) -> bool {
        self.has_counted_contents() || self.blocks.iter().any(|b| b.count.times_expr().is_none())
    }

    /// Returns true if the number of instances of a block is computed from a text or an array: `repeat count(s, '?'):`.
    pub fn is_counted_by_contents(&self, block: BlockId) -> bool {
        let mut depends = false;
        if let Some(count) = self.block(block).count.times_expr() {
            count.visit_fields(&mut |field| depends |= !self.field(field).is_scalar());
        }
        depends
    }

    /// Returns true if that holds for any block.
    pub fn has_counted_contents(&self) -> bool {
        (0..self.blocks.len()).any(|block| self.is_counted_by_contents(BlockId(block)))
    }

    /// Returns true if some inputs differ only in the spelling of a number: `1.5` and `1.50`.
    pub fn has_several_spellings(&self) -> bool {
        self.fields.iter().map(Field::decimal_places).any(|decimals| decimals.min < decimals.max)
    }

    /// Returns the source text at `span`.
    pub fn source_text(&self, span: Span) -> String {
        String::from_utf8_lossy(&self.source.text[span.start..span.end.max(span.start)]).into_owned()
    }

    /// Returns true if `inner` is `outer` or nested in it.
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

    /// Returns true if a block has zero or one instances per instance of its parent: a body of `if`, or an alternative
    /// of `either`.
    pub fn is_optional(&self, id: BlockId) -> bool {
        match self.block(id).kind {
            BlockKind::Condition | BlockKind::Alternative => true,
            BlockKind::Root | BlockKind::Cases | BlockKind::Repeat => false,
        }
    }

    /// Returns the innermost repetition at or around a block, skipping conditions and alternatives, or `None` if
    /// nothing repeats.
    pub fn repetition_of(&self, id: BlockId) -> Option<BlockId> {
        let mut at = id;
        while self.is_optional(at) {
            at = self.block(at).parent?;
        }
        Some(at).filter(|block| *block != BlockId(0))
    }

    /// Returns the range of a fold over a scalar of this block, or `None` if the block occurs exactly once in every
    /// input.
    pub fn fold_range(&self, id: BlockId) -> Option<FoldRange> {
        if !self.is_optional(id) {
            return Some(FoldRange::Instances(id)).filter(|_| id != BlockId(0));
        }
        let outermost = self.repetition_of(id).or_else(|| self.blocks_around(id).last())?;
        Some(FoldRange::Occurrences(OptionalBlocks { outermost, block: id }))
    }

    /// Returns the block that contains everything a fold runs over, or `None` for the elements of arrays.
    pub fn holder_block(&self, over: FoldRange) -> Option<BlockId> {
        self.block(over.outermost_block()?).parent
    }

    /// Returns a block and its ancestors, innermost first, without the whole input.
    pub fn blocks_around(&self, id: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        std::iter::successors(Some(id), |at| self.block(*at).parent).take_while(|at| *at != BlockId(0))
    }

    /// Returns the blocks that a fold runs over, innermost first.
    pub fn blocks_between(&self, over: FoldRange) -> impl Iterator<Item = BlockId> + '_ {
        let holder = self.holder_block(over);
        let inside = over.innermost_block().into_iter().flat_map(|block| self.blocks_around(block));
        inside.take_while(move |at| Some(*at) != holder)
    }

    /// Returns true if the first index of a field counts the repetitions around it: there is one index more than the
    /// field has dimensions, or the field is a text without brackets in a `repeat` or a group.
    pub fn indexes_repetitions(&self, field: FieldId, indices: &[Expr]) -> bool {
        indices.len() > self.field(field).dimensions.len() || !indices.is_empty() && self.is_repeated_text(field)
    }

    /// Returns true if a field is a text without brackets that occurs once in each repetition of a `repeat` or a
    /// group.
    pub fn is_repeated_text(&self, field: FieldId) -> bool {
        let info = self.field(field);
        let is_repeat = |block: BlockId| self.block(block).kind == BlockKind::Repeat;
        info.is_bare_text && self.repetition_of(info.block).is_some_and(is_repeat)
    }

    /// Returns how many elements, repetitions or texts of a field one index numbers, if an expression gives that.
    pub fn list_length(&self, field: FieldId) -> Option<Expr> {
        let info = self.field(field);
        match &*info.dimensions {
            [FieldDimension::Size(size), ..] => Some(size.clone()),
            [FieldDimension::Free, ..] if !self.is_repeated_text(field) => Some(Expr::Length(field)),
            _ => self.block(self.repetition_of(info.block)?).count.times_expr().cloned(),
        }
    }

    /// Returns the number of leading dimensions of a field that are indexed.
    pub fn indexed_dimensions(&self, field: FieldId, indices: &[Expr]) -> usize {
        indices.len() - usize::from(self.indexes_repetitions(field, indices))
    }

    /// Returns true if the indices select a row or a text rather than a single element.
    pub fn picks_row(&self, field: FieldId, indices: &[Expr]) -> bool {
        self.indexed_dimensions(field, indices) < self.field(field).dimensions.len()
    }

    /// Returns the conditions and alternatives around a field within its innermost repetition, innermost first.
    pub fn optional_blocks_around(&self, field: FieldId) -> impl Iterator<Item = BlockId> + '_ {
        self.blocks_around(self.field(field).block).take_while(|block| self.is_optional(*block))
    }

    /// Returns true if some repetitions of the innermost repetition around a field lack it.
    pub fn may_be_absent(&self, field: FieldId) -> bool {
        self.is_optional(self.field(field).block)
    }

    /// Returns true if a line of the input ends after an item of a block.
    pub fn ends_line(&self, id: BlockId, item: usize) -> bool {
        let block = self.block(id);
        let inline =
            |item: &LayoutItem| if let LayoutItem::Block(child) = item { self.block(*child).inline } else { None };
        if block.inline.is_some() {
            return false;
        }
        match block.items.get(item) {
            Some(LayoutItem::Line(_)) => {
                !block.items.get(item + 1).and_then(inline).is_some_and(|next| next.continues_line)
            }
            Some(item) => inline(item).is_some_and(|own| own.ends_line),
            None => false,
        }
    }

    /// Returns the blocks directly inside a block.
    pub fn child_blocks(&self, id: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        self.block_ids().filter(move |child| self.block(*child).parent == Some(id))
    }

    /// Returns true if the value of an expression can change with a field: the field occurs in it, or sizes what it
    /// folds.
    pub fn depends_on(&self, expr: &Expr, field: FieldId) -> bool {
        let sized = |f: &FieldId| {
            let mut dimensions = self.field(*f).dimensions.iter();
            dimensions.any(|d| matches!(d, FieldDimension::Size(size) if size.mentions_field(field)))
        };
        let decides = |block: BlockId| self.block(block).count.mentions_field(field);
        let is_changed = |part: &Expr| match part {
            Expr::Field(f) => *f == field,
            Expr::Length(f) => *f == field || sized(f),
            Expr::Element(f, indices) => {
                *f == field || self.indexes_repetitions(*f, indices) && self.optional_blocks_around(*f).any(decides)
            }
            Expr::Fold(_, over @ (FoldRange::Instances(_) | FoldRange::Occurrences(_)), _) => {
                self.blocks_between(*over).any(decides)
            }
            Expr::Fold(_, FoldRange::Elements, inner) | Expr::Sequence(inner) => {
                let mut found = false;
                inner.visit_fields(&mut |f| found |= sized(&f));
                found
            }
            _ => false,
        };
        expr.any_part(&|part| is_changed(part).then_some(true))
    }

    /// Returns true if an expression combines many values of a field, or a number of values that depends on many of
    /// them. A bound on such an expression is no bound on each value.
    pub fn folds_field(&self, expr: &Expr, field: FieldId) -> bool {
        expr.folds_field(field) || self.folds_size_field(expr, field)
    }

    /// Returns true if each instance that an expression folds has its own value of a field that determines the size of
    /// the folded data.
    fn folds_size_field(&self, expr: &Expr, field: FieldId) -> bool {
        expr.any_part(&|part| match part {
            Expr::Fold(_, over, inner) => {
                let is_own = |outermost| self.is_within(self.field(field).block, outermost);
                (over.outermost_block().is_some_and(is_own) && self.depends_on(inner, field)).then_some(true)
            }
            Expr::Element(..) | Expr::Slice(_) | Expr::Sequence(_) => Some(false),
            _ => None,
        })
    }

    /// Returns the fields that any of the expressions may [depend](Format::depends_on) on, in layout order.
    pub fn affecting_fields<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>) -> Vec<FieldId> {
        let mut found = Vec::new();
        exprs.into_iter().for_each(|expr| self.collect_fields(expr, &mut found));
        found.sort_unstable_by_key(|field| field.0);
        found.dedup();
        found
    }

    fn collect_fields(&self, expr: &Expr, found: &mut Vec<FieldId>) {
        let add_count = |block: BlockId, found: &mut Vec<FieldId>| {
            self.block(block).count.visit_fields(&mut |field| found.push(field));
        };
        expr.visit_parts(&mut |part| {
            match part {
                Expr::Field(field) | Expr::Length(field) => self.collect_field_and_sizes(*field, found),
                Expr::Element(field, indices) => {
                    self.collect_field_and_sizes(*field, found);
                    if self.indexes_repetitions(*field, indices) {
                        self.optional_blocks_around(*field).for_each(|block| add_count(block, found));
                    }
                }
                Expr::Fold(_, over @ (FoldRange::Instances(_) | FoldRange::Occurrences(_)), _) => {
                    self.blocks_between(*over).for_each(|block| add_count(block, found));
                }
                _ => {}
            }
            true
        });
    }

    /// Adds a field and the fields that determine its sizes.
    fn collect_field_and_sizes(&self, field: FieldId, found: &mut Vec<FieldId>) {
        found.push(field);
        for dimension in &self.field(field).dimensions {
            if let FieldDimension::Size(size) = dimension {
                size.visit_fields(&mut |field| found.push(field));
            }
        }
    }

    /// Returns the fields directly inside a block, in layout order.
    pub fn fields_in_block(&self, id: BlockId) -> impl Iterator<Item = FieldId> + '_ {
        self.field_ids().filter(move |field| self.field(*field).block == id)
    }
}

impl Field {
    /// Returns true if the field is a single number.
    pub fn is_scalar(&self) -> bool {
        self.dimensions.is_empty()
    }

    /// Returns the letters of a text.
    pub fn alphabet(&self) -> Option<&[u8]> {
        match &self.kind {
            FieldKind::Text(letters) => Some(letters),
            _ => None,
        }
    }

    /// Returns the words of a choice of words.
    pub fn word_choices(&self) -> Option<&[Vec<u8>]> {
        match &self.kind {
            FieldKind::Words(words) => Some(words),
            _ => None,
        }
    }

    /// Returns the number of digits after the decimal point.
    pub fn decimal_places(&self) -> DecimalPlaces {
        match self.kind {
            FieldKind::Real(decimals) => decimals,
            _ => DecimalPlaces { min: 0, max: 0 },
        }
    }

    /// Returns true if only the input determines the length of the last dimension.
    pub fn has_free_length(&self) -> bool {
        self.dimensions.last() == Some(&FieldDimension::Free)
    }

    /// Returns true if the text may contain spaces, so that only the end of the line terminates it.
    pub fn has_spaces(&self) -> bool {
        self.alphabet().is_some_and(|letters| letters.contains(&b' '))
    }
}
