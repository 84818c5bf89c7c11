//! The layout: blocks, and the fields in them.

use super::Resolver;
use super::rules::pairs_of;
use crate::diagnostic::{Diagnostic, Span};
use crate::format::expr::{Expr, Over};
use crate::format::formula::Comparison;
use crate::format::interval::Interval;
use crate::format::model::{
    Block, BlockId, BlockKind, Count, Dimension, Field, FieldId, Inline, Item, Kind, Part, Token,
};
use crate::format::syntax::{self, Chain, LayoutLine, PartKind, Term, TermKind, WrittenCount};

impl Resolver<'_> {
    /// Declares all fields and blocks. What [`Resolver::kinds`] found is taken over as the names appear.
    pub(super) fn layout(&mut self, lines: &[LayoutLine], block: BlockId) {
        let texts = if block == BlockId(0) { std::mem::take(&mut self.format.fields) } else { Vec::new() };
        let mut texts: Vec<Option<Field>> = texts.into_iter().map(Some).collect();
        self.layout_lines(lines, block, &mut texts);
        for text in texts.into_iter().flatten() {
            let problem = self.unknown(&text.name, text.span);
            if self.whole || problem.help.is_some() {
                self.problems.push(problem);
            }
        }
    }

    fn layout_lines(&mut self, lines: &[LayoutLine], block: BlockId, texts: &mut Vec<Option<Field>>) {
        for line in lines {
            match line {
                LayoutLine::Parts(parts) => self.line(parts, block, texts),
                LayoutLine::Block { kind, count, body, span } => {
                    let count = self.block_count(count, block, *span);
                    let child = self.open_block(block, *kind, count, *span);
                    self.format.blocks[block.0].items.push(Item::Block(child));
                    self.layout_lines(body, child, texts);
                }
                LayoutLine::Either { alternatives, span } => {
                    let blocks: Vec<BlockId> = alternatives
                        .iter()
                        .map(|lines| {
                            let child = self.open_block(block, BlockKind::Alternative, Count::Chosen, *span);
                            self.chosen.get_mut().push(child);
                            self.layout_lines(lines, child, texts);
                            self.chosen.get_mut().pop();
                            child
                        })
                        .collect();
                    self.format.blocks[block.0].items.push(Item::Either(blocks));
                }
            }
        }
    }

    fn block_count(&mut self, written: &WrittenCount, block: BlockId, span: Span) -> Count {
        match written {
            WrittenCount::Times(term) => Count::Times(self.size(term, block)),
            WrittenCount::When(chain) => Count::When(self.condition(chain, block)),
            WrittenCount::Until { least, most, sentinel } => {
                let range = match (self.size(least, block), self.size(most, block)) {
                    (Expr::Constant(lo), Expr::Constant(hi)) if 0 <= lo && lo <= hi => Interval::new(lo, hi),
                    _ => {
                        self.problems.push(
                            Diagnostic::error("bad-size", span, "the bounds of a repetition are constants, in order")
                                .caret("expected a range such as 1..100"),
                        );
                        Interval::point(1)
                    }
                };
                Count::Until { range, sentinel: sentinel.clone() }
            }
        }
    }

    /// The comparisons of an `if`, on numbers that are read by then.
    fn condition(&mut self, chain: &Chain, block: BlockId) -> Vec<Comparison> {
        let mut found = Vec::new();
        for (left, sign, right, span) in pairs_of(chain) {
            match self.compared(left, sign, right, span) {
                Ok(comparison) => {
                    let sides = comparison.left.iter().zip([left]).chain(comparison.right.iter().zip([right]));
                    let unusable: Vec<Diagnostic> =
                        sides.filter_map(|(expr, term)| self.unusable(expr, term, block)).collect();
                    if unusable.is_empty() {
                        found.push(comparison);
                    }
                    self.problems.extend(unusable);
                }
                Err(problem) => {
                    let problem = read_before(problem, left);
                    self.problems.push(read_before(problem, right));
                }
            }
        }
        found
    }

    fn open_block(&mut self, parent: BlockId, kind: BlockKind, count: Count, span: Span) -> BlockId {
        let id = BlockId(self.format.blocks.len());
        let holder = &mut self.format.blocks[parent.0];
        let slot = holder.slots;
        holder.slots += 1;
        let parent = Some(parent);
        let block = Block { parent, slot, kind, count, items: Vec::new(), slots: 0, inline: None, span };
        self.format.blocks.push(block);
        id
    }

    fn line(&mut self, parts: &[syntax::Part], block: BlockId, texts: &mut [Option<Field>]) {
        let mut line = Vec::new();
        // The last group on the line so far.
        let mut group = None;
        for (i, part) in parts.iter().enumerate() {
            let written = match &part.kind {
                PartKind::Literal(text) => {
                    line.push(Part { token: Token::Literal(text.clone()), glued: part.glued });
                    continue;
                }
                PartKind::Group { parts: inside, count } => {
                    if part.glued || parts.get(i + 1).is_some_and(|next| next.glued) {
                        self.problems.push(glued_group(part.span));
                    }
                    self.check_last(&line, true);
                    let joined = group.is_some() || !line.is_empty();
                    self.end_line(&mut line, block);
                    let count = Count::Times(self.size(count, block));
                    let child = self.open_block(block, BlockKind::Repeat, count, part.span);
                    self.format.blocks[child.0].inline = Some(Inline { joined, ends: false });
                    self.format.blocks[block.0].items.push(Item::Block(child));
                    self.line(inside, child, texts);
                    group = Some(child);
                    continue;
                }
                PartKind::Field(written) => written,
            };
            let id = self.field(written, block, texts);
            if self.format.field(id).dimensions.len() < 2 || written.on_one_line {
                line.push(Part { token: Token::Field(id), glued: part.glued });
                continue;
            }
            if parts.len() > 1 || self.format.block(block).inline.is_some() {
                self.problems.push(
                    Diagnostic::error("not-alone", written.span, "a field of several lines stands alone")
                        .caret(format!("`{}` takes a line for each row", written.name))
                        .help(format!(
                            "give it a line of its own in the layout; or, if all rows stand on this line, brackets: `({}[...][...])`",
                            written.name
                        )),
                );
            }
            self.format.blocks[block.0].items.push(Item::Rows(id));
        }
        self.check_last(&line, self.format.block(block).inline.is_some());
        if let Some(inline) = group.filter(|_| line.is_empty()).and_then(|g| self.format.blocks[g.0].inline.as_mut()) {
            inline.ends = true;
        }
        self.end_line(&mut line, block);
    }

    fn end_line(&mut self, line: &mut Vec<Part>, block: BlockId) {
        if !line.is_empty() {
            self.format.blocks[block.0].items.push(Item::Line(std::mem::take(line)));
        }
    }

    fn field(&mut self, written: &syntax::Field, block: BlockId, texts: &mut [Option<Field>]) -> FieldId {
        let before = self.format.field_named(&written.name);
        if let Some(problem) = before.and_then(|before| self.declared_twice(written, before, block)) {
            self.problems.push(problem);
        }
        let text = texts.iter_mut().find(|t| t.as_ref().is_some_and(|t| t.name == written.name)).and_then(Option::take);
        // In another form it is made of the same.
        let text = text.or_else(|| before.map(|before| self.format.field(before).clone()));
        let mut dimensions: Vec<Dimension> = Vec::new();
        for size in &written.dimensions {
            dimensions.push(match size {
                Some(size) => Dimension::Size(self.size(size, block)),
                None => Dimension::Free,
            });
        }
        let is_text = text.as_ref().is_some_and(|t| t.letters().is_some());
        let is_bare_text = is_text && dimensions.is_empty();
        self.check_free(written, &mut dimensions, is_text);
        let slot = self.format.blocks[block.0].slots;
        self.format.blocks[block.0].slots += 1;
        let plain = (Kind::Number, Interval::ALL, Interval::NATURAL);
        let (kind, range, length) = text.map_or(plain, |t| (t.kind, t.range, t.length));
        let name = written.name.clone();
        self.format.fields.push(Field {
            name,
            span: written.span,
            block,
            slot,
            kind,
            dimensions,
            range,
            length,
            is_bare_text,
            announced: None,
        });
        FieldId(self.format.fields.len() - 1)
    }

    /// Only the last dimension may have a length that nothing announces.
    fn check_free(&mut self, written: &syntax::Field, dimensions: &mut Vec<Dimension>, text: bool) {
        if text && dimensions.is_empty() {
            dimensions.push(Dimension::Free);
        }
        let last = dimensions.len().saturating_sub(1);
        let misplaced = dimensions.iter().enumerate().any(|(i, d)| *d == Dimension::Free && i != last);
        if misplaced {
            let name = &written.name;
            self.problems.push(
                Diagnostic::error("free-length", written.span, format!("the length of `{name}` is not known"))
                    .caret("only the last pair of brackets may be empty")
                    .help(format!("give the number of rows: `{name}[n][]`")),
            );
        }
    }

    /// What only the end of the line ends must be the last on its line.
    fn check_last(&mut self, line: &[Part], goes_on: bool) {
        let last = line.len().saturating_sub(usize::from(!goes_on));
        for part in &line[..last] {
            let Token::Field(id) = part.token else { continue };
            let field = self.format.field(id);
            let list = field.is_free() && field.letters().is_none();
            if list || field.has_spaces() {
                let why = if list { "a list without a length" } else { "it may hold spaces" };
                let problem = Diagnostic::error(
                    "not-last",
                    field.span,
                    format!("`{}` goes on to the end of its line", field.name),
                );
                self.problems.push(problem.caret(why).help("put it last on its line"));
            }
        }
    }

    /// An expression that sizes something: all its fields must have been read by then.
    pub(super) fn size(&mut self, term: &Term, block: BlockId) -> Expr {
        let problem = match self.whole(term) {
            Err(problem) => read_before(problem, term),
            Ok(expr) => match self.unusable(&expr, term, block) {
                None => return expr,
                Some(problem) => problem,
            },
        };
        self.problems.push(problem);
        Expr::Constant(1)
    }

    /// Whether an expression takes numbers of several repetitions. Those that can be seen from a place in the layout are around
    /// it, and not all of them are read there.
    fn counts_what_is_read(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Fold(_, Over::Instances(_) | Over::Occurrences(_), _) => true,
            Expr::Element(field, indices) => {
                self.format.counts_repetitions(*field, indices) || indices.iter().any(|i| self.counts_what_is_read(i))
            }
            Expr::Minus(inner) | Expr::Whole(inner) | Expr::Fold(_, Over::Elements, inner) => {
                self.counts_what_is_read(inner)
            }
            Expr::Binary(_, left, right) => self.counts_what_is_read(left) || self.counts_what_is_read(right),
            Expr::Constant(_) | Expr::Field(_) | Expr::Length(_) | Expr::Variable(_) | Expr::Letters(_) => false,
        }
    }

    /// Why an expression has no single value that is known where a block is read.
    fn unusable(&self, expr: &Expr, term: &Term, block: BlockId) -> Option<Diagnostic> {
        let mut outside = false;
        let mut array = false;
        expr.each_field(&mut |f| {
            outside |= !self.format.is_within(block, self.format.field(f).block);
            array |= !self.format.field(f).is_scalar();
        });
        let problem = Diagnostic::error("bad-size", term.span, "this cannot size anything here");
        if self.counts_what_is_read(expr) {
            return Some(
                problem
                    .caret("of these repetitions some are still to be read here")
                    .help("use a number of the same repetition, or of a block around it"),
            );
        }
        if array {
            return Some(problem.caret("a size is a single number"));
        }
        outside.then(|| problem.caret("this is inside another block"))
    }
}

fn glued_group(span: Span) -> Diagnostic {
    Diagnostic::error("group", span, "what is repeated on a line stands apart from the rest of it")
        .caret("a space is missing before or behind it")
        .help("what is glued to the parts stands inside the brackets: `(\"(\"x\",\"y\")\")[n]`")
}

/// A name that is unknown in the layout may only come too late.
fn read_before(problem: Diagnostic, term: &Term) -> Diagnostic {
    let TermKind::Name(name) = &term.kind else { return problem };
    if problem.code != "unknown-name" || problem.help.is_some() || problem.span != term.span {
        return problem;
    }
    let help = format!("a size is read before it is used: put `{name}` on a line above");
    Diagnostic { message: problem.message.replace("in the layout", "above this"), ..problem }.help(help)
}
