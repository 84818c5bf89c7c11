//! Resolution of the layout: blocks and their fields.

use super::comparisons::{comparison_pairs, resolve_comparison};
use super::expression_blocks::is_array_expr;
use super::expressions::resolve_integer;
use super::name_scope::{
    NameScope, are_alternatives_of_one, collect_direct_names, fields_named, unchosen_alternatives, unknown_name_error,
};
use super::typed_expr::different_alternatives_error;
use crate::language::syntax::{
    self, ComparisonChain, LayoutNode, SyntaxCount, SyntaxPartKind, SyntaxTerm, SyntaxTermKind,
};
use crate::model::{
    Block, BlockId, BlockKind, Comparison, Expr, Field, FieldDimension, FieldId, FieldKind, FoldRange, InlineGroup,
    InstanceCount, Interval, LayoutItem, LinePart, LineToken,
};
use rebut_diagnostics::{Diagnostic, Span};

/// Resolves the layout, and collects what is wrong with it.
pub(super) struct LayoutResolver<'a> {
    pub(super) scope: &'a mut NameScope,
    pub(super) problems: &'a mut Vec<Diagnostic>,
    /// The types of fields that are not in the layout yet.
    kinds: Vec<Field>,
}

impl<'a> LayoutResolver<'a> {
    pub(super) fn new(scope: &'a mut NameScope, problems: &'a mut Vec<Diagnostic>) -> Self {
        let kinds = std::mem::take(&mut scope.format.fields);
        LayoutResolver { scope, problems, kinds }
    }

    /// Declares all fields and blocks, with the types that were collected before. `is_complete` says that every line
    /// was parsed without an error.
    pub(super) fn resolve_layout(mut self, lines: &[LayoutNode], is_complete: bool) {
        self.resolve_layout_lines(lines, BlockId(0));
        for missing in &self.kinds {
            let problem = unknown_name_error(self.scope, &missing.name, missing.span);
            if is_complete || problem.help.is_some() {
                self.problems.push(problem);
            }
        }
    }

    fn resolve_layout_lines(&mut self, lines: &[LayoutNode], block: BlockId) {
        for line in lines {
            match line {
                LayoutNode::Parts(parts) => self.resolve_line(parts, block),
                LayoutNode::Block { kind, count, separator, body, span } => {
                    let count = self.resolve_block_count(count, block, *span);
                    self.check_separator(&count, separator.as_deref(), *span);
                    let child = self.open_block(block, *kind, count, *span);
                    self.scope.format.blocks[child.0].separator.clone_from(separator);
                    self.scope.format.blocks[block.0].items.push(LayoutItem::Block(child));
                    self.resolve_layout_lines(body, child);
                }
                LayoutNode::Either { alternatives, span } => {
                    let blocks: Vec<BlockId> = alternatives
                        .iter()
                        .map(|lines| {
                            let child =
                                self.open_block(block, BlockKind::Alternative, InstanceCount::Alternative, *span);
                            self.scope.chosen_alternatives.get_mut().push(child);
                            self.resolve_layout_lines(lines, child);
                            self.scope.chosen_alternatives.get_mut().pop();
                            child
                        })
                        .collect();
                    self.scope.format.blocks[block.0].items.push(LayoutItem::Either(blocks));
                }
            }
        }
    }

    fn resolve_block_count(&mut self, written: &SyntaxCount, block: BlockId, span: Span) -> InstanceCount {
        match written {
            SyntaxCount::Times(term) => InstanceCount::Times(self.resolve_count(term, block)),
            SyntaxCount::When(chain) => InstanceCount::Conditional(self.resolve_condition(chain, block)),
            SyntaxCount::Until { least, most, sentinel } => {
                let range = match (self.resolve_size(least, block), self.resolve_size(most, block)) {
                    (Expr::Constant(lo), Expr::Constant(hi)) if 0 <= lo && lo <= hi => Interval::new(lo, hi),
                    _ => {
                        self.problems.push(
                            Diagnostic::error(
                                "bad-size",
                                span,
                                "the bounds of a repetition must be constants, the smaller one first",
                            )
                            .with_caret("expected a range such as 1..100"),
                        );
                        Interval::from_value(1)
                    }
                };
                InstanceCount::Until { range, sentinel: sentinel.clone() }
            }
        }
    }

    /// Checks that the line between two repetitions differs from the one after the last.
    fn check_separator(&mut self, count: &InstanceCount, separator: Option<&[u8]>, span: Span) {
        let InstanceCount::Until { sentinel: Some(sentinel), .. } = count else { return };
        if separator == Some(sentinel.as_slice()) {
            self.problems.push(
                Diagnostic::error("separator", span, "the line between two repetitions also ends them")
                    .with_caret("nothing can follow the first one")
                    .with_help("for a line after each repetition, write it as the last line of the block"),
            );
        }
    }

    /// Resolves the comparisons of an `if`; all their numbers must have been read by then.
    fn resolve_condition(&mut self, chain: &ComparisonChain, block: BlockId) -> Vec<Comparison> {
        let mut found = Vec::new();
        for written in comparison_pairs(chain) {
            let (left, right) = (written.left, written.right);
            match resolve_comparison(self.scope, written) {
                Ok(comparison) => {
                    let sides = comparison.left.iter().zip([left]).chain(comparison.right.iter().zip([right]));
                    let unusable: Vec<Diagnostic> =
                        sides.filter_map(|(expr, term)| self.unusable_size_error(expr, term, block, false)).collect();
                    if unusable.is_empty() {
                        found.push(comparison);
                    }
                    self.problems.extend(unusable);
                }
                Err(problem) => {
                    let problem = used_before_read(problem, left);
                    self.problems.push(used_before_read(problem, right));
                }
            }
        }
        found
    }

    fn open_block(&mut self, parent: BlockId, kind: BlockKind, count: InstanceCount, span: Span) -> BlockId {
        let id = BlockId(self.scope.format.blocks.len());
        let holder = &mut self.scope.format.blocks[parent.0];
        let slot = holder.slots;
        holder.slots += 1;
        let parent = Some(parent);
        let block =
            Block { parent, slot, kind, count, separator: None, items: Vec::new(), slots: 0, inline: None, span };
        self.scope.format.blocks.push(block);
        id
    }

    fn resolve_line(&mut self, parts: &[syntax::SyntaxPart], block: BlockId) {
        let mut line = Vec::new();
        // The most recent group on the line.
        let mut group = None;
        for (i, part) in parts.iter().enumerate() {
            let written = match &part.kind {
                SyntaxPartKind::Literal(text) => {
                    line.push(LinePart { token: LineToken::Literal(text.clone()), is_glued: part.glued });
                    continue;
                }
                SyntaxPartKind::Group { parts: inside, count } => {
                    if part.glued || parts.get(i + 1).is_some_and(|next| next.glued) {
                        self.problems.push(glued_group_error(part.span));
                    }
                    self.check_line_end(&line, true);
                    let joined = group.is_some() || !line.is_empty();
                    self.finish_line(&mut line, block);
                    let count = InstanceCount::Times(self.resolve_size(count, block));
                    let child = self.open_block(block, BlockKind::Repeat, count, part.span);
                    self.scope.format.blocks[child.0].inline =
                        Some(InlineGroup { continues_line: joined, ends_line: false });
                    self.scope.format.blocks[block.0].items.push(LayoutItem::Block(child));
                    self.resolve_line(inside, child);
                    group = Some(child);
                    continue;
                }
                SyntaxPartKind::Field(written) => written,
            };
            let id = self.declare_field(written, block);
            if self.scope.format.field(id).dimensions.len() < 2 || written.on_one_line {
                line.push(LinePart { token: LineToken::Field(id), is_glued: part.glued });
                continue;
            }
            if parts.len() > 1 || self.scope.format.block(block).inline.is_some() {
                self.problems.push(
                    Diagnostic::error("not-alone", written.span, "a field of several lines must be alone on its line")
                        .with_caret(format!("`{}` takes a line for each row", written.name))
                        .with_help(format!(
                            "give it a line of its own in the layout; or, if all rows are on this line, use brackets: `({}[...][...])`",
                            written.name
                        )),
                );
            }
            self.scope.format.blocks[block.0].items.push(LayoutItem::Rows(id));
        }
        self.check_line_end(&line, self.scope.format.block(block).inline.is_some());
        if let Some(inline) =
            group.filter(|_| line.is_empty()).and_then(|g| self.scope.format.blocks[g.0].inline.as_mut())
        {
            inline.ends_line = true;
        }
        self.finish_line(&mut line, block);
    }

    fn finish_line(&mut self, line: &mut Vec<LinePart>, block: BlockId) {
        if !line.is_empty() {
            self.scope.format.blocks[block.0].items.push(LayoutItem::Line(std::mem::take(line)));
        }
    }

    fn declare_field(&mut self, written: &syntax::SyntaxField, block: BlockId) -> FieldId {
        let before = self.scope.format.field_named(&written.name);
        if let Some(problem) = before.and_then(|before| redeclaration_error(self.scope, written, before, block)) {
            self.problems.push(problem);
        }
        let known = self.kinds.iter().position(|kind| kind.name == written.name);
        let text = known.map(|at| self.kinds.remove(at));
        // Another alternative declares the same name with the same type.
        let text = text.or_else(|| before.map(|before| self.scope.format.field(before).clone()));
        let resolve = |size: &Option<SyntaxTerm>| match size {
            Some(size) => FieldDimension::Size(self.resolve_size(size, block)),
            None => FieldDimension::Free,
        };
        let mut dimensions: Vec<FieldDimension> = written.dimensions.iter().map(resolve).collect();
        let is_text = text.as_ref().is_some_and(|t| t.alphabet().is_some());
        let is_bare_text = is_text && dimensions.is_empty();
        self.check_free_dimensions(written, &mut dimensions, is_text);
        let slot = self.scope.format.blocks[block.0].slots;
        self.scope.format.blocks[block.0].slots += 1;
        let plain = (FieldKind::Number, Interval::ALL, Interval::NATURAL);
        let (kind, range, length) = text.map_or(plain, |t| (t.kind, t.range, t.length));
        let name = written.name.clone();
        self.scope.format.fields.push(Field {
            name,
            span: written.span,
            block,
            slot,
            kind,
            dimensions,
            range,
            length,
            is_bare_text,
            announced_length: None,
        });
        FieldId(self.scope.format.fields.len() - 1)
    }

    /// Checks that only the last dimension has a free length.
    fn check_free_dimensions(
        &mut self,
        written: &syntax::SyntaxField,
        dimensions: &mut Vec<FieldDimension>,
        text: bool,
    ) {
        if text && dimensions.is_empty() {
            dimensions.push(FieldDimension::Free);
        }
        let last = dimensions.len().saturating_sub(1);
        let misplaced = dimensions.iter().enumerate().any(|(i, d)| *d == FieldDimension::Free && i != last);
        if misplaced {
            let name = &written.name;
            self.problems.push(
                Diagnostic::error("free-length", written.span, format!("the length of `{name}` is not known"))
                    .with_caret("only the last pair of brackets may be empty")
                    .with_help(format!("give the number of rows: `{name}[n][]`")),
            );
        }
    }

    /// Checks that a part terminated only by the end of the line is the last on its line.
    fn check_line_end(&mut self, line: &[LinePart], goes_on: bool) {
        let last = line.len().saturating_sub(usize::from(!goes_on));
        for part in &line[..last] {
            let Some(id) = part.field() else { continue };
            let field = self.scope.format.field(id);
            let list = field.has_free_length() && field.alphabet().is_none();
            if list || field.has_spaces() {
                let why = if list { "a list without a length" } else { "it may hold spaces" };
                let problem = Diagnostic::error(
                    "not-last",
                    field.span,
                    format!("`{}` extends to the end of its line", field.name),
                );
                self.problems.push(problem.with_caret(why).with_help("move it to the end of its line"));
            }
        }
    }

    /// Resolves a size; all its fields must have been read by then.
    fn resolve_size(&mut self, term: &SyntaxTerm, block: BlockId) -> Expr {
        self.resolve_known_number(term, block, false)
    }

    /// Resolves the number of repetitions, which may be computed from texts and arrays above: `count(s, '?')`.
    fn resolve_count(&mut self, term: &SyntaxTerm, block: BlockId) -> Expr {
        self.resolve_known_number(term, block, true)
    }

    fn resolve_known_number(&mut self, term: &SyntaxTerm, block: BlockId, may_fold: bool) -> Expr {
        let problem = match resolve_integer(self.scope, term) {
            Err(problem) => used_before_read(problem, term),
            Ok(expr) => match self.unusable_size_error(&expr, term, block, may_fold) {
                None => return expr,
                Some(problem) => problem,
            },
        };
        self.problems.push(problem);
        Expr::Constant(1)
    }

    /// Returns true if an expression combines several repetitions. Those in scope enclose the current position, so
    /// some of them have not been read there.
    fn depends_on_unread(&self, expr: &Expr) -> bool {
        expr.any_part(&|part| match part {
            Expr::Fold(_, FoldRange::Instances(_) | FoldRange::Occurrences(_), _) => Some(true),
            Expr::Element(field, indices) => self.scope.format.indexes_repetitions(*field, indices).then_some(true),
            _ => None,
        })
    }

    /// Returns the reason why an expression is not a single known number where a block is read.
    fn unusable_size_error(
        &self,
        expr: &Expr,
        term: &SyntaxTerm,
        block: BlockId,
        may_fold: bool,
    ) -> Option<Diagnostic> {
        let mut outside = false;
        let mut array = false;
        expr.visit_fields(&mut |f| {
            outside |= !self.scope.format.is_within(block, self.scope.format.field(f).block);
            array |= !self.scope.format.field(f).is_scalar();
        });
        let problem = Diagnostic::error("bad-size", term.span, "this cannot be used as a size here");
        if self.depends_on_unread(expr) {
            return Some(
                problem
                    .with_caret("some of these repetitions have not been read yet")
                    .with_help("use a number of the same repetition, or of a block around it"),
            );
        }
        if array && (!may_fold || is_array_expr(self.scope, expr) || expr.contains_element()) {
            return Some(problem.with_caret("a size must be a single number"));
        }
        outside.then(|| problem.with_caret("this is inside another block"))
    }
}

fn glued_group_error(span: Span) -> Diagnostic {
    Diagnostic::error("group", span, "a group must be separated from the rest of its line")
        .with_caret("a space is missing before or after it")
        .with_help("write characters that are glued to the parts inside the brackets: `(\"(\"x\",\"y\")\")[n]`")
}

/// Explains that a name which is unknown at this point is declared later.
fn used_before_read(problem: Diagnostic, term: &SyntaxTerm) -> Diagnostic {
    let SyntaxTermKind::Name(name) = &term.kind else { return problem };
    if problem.code != "unknown-name" || problem.help.is_some() || problem.span != term.span {
        return problem;
    }
    let help = format!("a size must be read before it is used: put `{name}` on a line above");
    Diagnostic { message: problem.message.replace("in the layout", "above this"), ..problem }.with_help(help)
}

// Names shared by several alternatives of one `either`.

/// Returns the error for a name that cannot be declared again in a block, or `None` if another alternative of the
/// same `either` declares it.
pub(super) fn redeclaration_error(
    scope: &NameScope,
    written: &syntax::SyntaxField,
    before: FieldId,
    block: BlockId,
) -> Option<Diagnostic> {
    let name = &written.name;
    let copies = fields_named(scope, name);
    let exclude_each_other =
        copies.iter().all(|id| are_alternatives_of_one(scope, scope.format.field(*id).block, block));
    let earlier = scope.format.field(before);
    if !exclude_each_other {
        let problem = Diagnostic::error("declared-twice", written.span, format!("`{name}` is in the layout twice"))
            .with_caret("a second field of the same name")
            .with_label(earlier.span, "the first one");
        return Some(problem.with_help(
            "a name stands for one field of the whole format: give this one another; only in several forms of one \
             `either` the same name may stand directly",
        ));
    }
    let sizes = |text: &str| text.split_once('[').map(|(_, sizes)| sizes.replace(' ', "")).unwrap_or_default();
    let (one, other) = (sizes(&scope.format.source_text(earlier.span)), sizes(&scope.format.source_text(written.span)));
    (one != other).then(|| {
        Diagnostic::error("other-shape", written.span, format!("`{name}` has other dimensions in another alternative"))
            .with_caret("differs from the other alternative")
            .with_label(earlier.span, "the other one")
            .with_help("a name that alternatives share is one field: use the same dimensions, or rename this one")
    })
}

/// Calls a function for each alternative that has all names in some terms; once, if no name is shared by
/// alternatives.
///
/// # Errors
///
/// Returns the first error, and an error if no alternative has all names.
pub(super) fn for_each_alternative(
    scope: &mut NameScope,
    terms: &[&SyntaxTerm],
    span: Span,
    state: &mut dyn FnMut(&mut NameScope) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    let mut names = Vec::new();
    terms.iter().for_each(|term| collect_direct_names(scope, term, &mut names));
    let Some(forms) = unchosen_alternatives(scope, &names) else { return state(scope) };
    if forms.is_empty() {
        return Err(different_alternatives_error(span));
    }
    for form in forms {
        scope.chosen_alternatives.get_mut().push(form);
        let result = for_each_alternative(scope, terms, span, state);
        scope.chosen_alternatives.get_mut().pop();
        result?;
    }
    Ok(())
}
