//! Sentences for blocks and their lines.

use super::StatementWriter;
use super::line_contents::{fields_on_line, is_constant_one};
use super::markup::MarkupListItem;
use super::relation_chains::chain_relations;
use super::tex_number::{count_in_words, ordinal_word};
use crate::constraints::inline_math;
use crate::language::{
    Block, BlockId, BlockKind, Comparison, Expr, FieldDimension, FieldId, Format, InstanceCount, Interval, LayoutItem,
    LinePart, LineToken,
};
use rebut_diagnostics::list_and;

/// Returns the noun for an instance of a block, singular and plural: `test case`, `line`.
pub(super) fn block_noun(format: &Format, block: BlockId) -> (&'static str, &'static str) {
    let info = format.block(block);
    match (info.kind, &info.count) {
        (BlockKind::Cases, _) => ("test case", "test cases"),
        _ if info.inline.is_some() => ("group", "groups"),
        _ if is_line_block(format, info) => ("line", "lines"),
        (_, InstanceCount::Until { .. }) => ("data set", "data sets"),
        _ => ("group", "groups"),
    }
}

/// Returns true if each instance of a block is one line, and nothing is between the lines.
fn is_line_block(format: &Format, block: &Block) -> bool {
    match &*block.items {
        _ if block.separator.is_some() => false,
        [LayoutItem::Line(_)] => true,
        [LayoutItem::Either(alternatives)] => {
            alternatives.iter().all(|a| matches!(*format.block(*a).items, [LayoutItem::Line(_)]))
        }
        _ => false,
    }
}

/// The context needed to refer to lines by their numbers.
struct LineReference<'s> {
    /// Number of preceding lines, if known.
    before: Option<usize>,
    /// True if the whole input is described.
    whole: bool,
    /// True if the block contains nothing else.
    only: bool,
    /// Follows `the first line`: ` of each test case`.
    suffix: &'s str,
}

impl LineReference<'_> {
    /// Returns the beginning of a sentence about the start of the input.
    fn input_start(&self) -> Option<&'static str> {
        match (self.whole && self.before == Some(0), self.only) {
            (true, true) => Some("The input consists of"),
            (true, false) => Some("The input starts with"),
            (false, _) => None,
        }
    }

    fn line_subject(&self) -> String {
        match self.before {
            Some(0) if self.only => format!("The only line{}", self.suffix),
            Some(before) if before < 10 => format!("The {} line{}", ordinal_word(before + 1), self.suffix),
            _ => "The next line".to_owned(),
        }
    }

    /// Returns the subject for each of several lines.
    fn lines_subject(&self, count: &str) -> String {
        match self.before {
            Some(0) if self.only => {
                let whole = if self.suffix.is_empty() { " of the input" } else { self.suffix };
                format!("Each of the {count} lines{whole}")
            }
            Some(0) => format!("Each of the first {count} lines{}", self.suffix),
            _ => format!("Each of the next {count} lines"),
        }
    }
}

impl StatementWriter<'_> {
    /// Writes the items of a block; `suffix` names the owner of the lines.
    pub(super) fn write_items(&mut self, block: BlockId, suffix: &str) -> Vec<MarkupListItem> {
        self.write_items_after(block, 0, Some(0), suffix)
    }

    /// Writes the items of a block from index `from` on, after the given number of lines.
    fn write_items_after(
        &mut self,
        block: BlockId,
        skip: usize,
        mut before: Option<usize>,
        suffix: &str,
    ) -> Vec<MarkupListItem> {
        let format = self.format;
        let items = &format.block(block).items;
        let mut found: Vec<MarkupListItem> = Vec::new();
        let mut goes_on = false;
        for (i, item) in items.iter().enumerate().skip(skip) {
            let only = (0..items.len()).all(|at| at + 1 == items.len() || self.continues_line(block, at));
            let place = LineReference { before, whole: block == BlockId(0), only, suffix };
            let same_line = goes_on;
            goes_on = self.continues_line(block, i);
            match item {
                item if same_line => {
                    let text = self.continuation_text(item);
                    if let Some(line) = found.last_mut() {
                        line.text.push_str(&text);
                    }
                }
                LayoutItem::Block(child) if format.block(*child).inline.is_some() => {
                    let what = self.group_text(*child);
                    found.push(MarkupListItem {
                        text: format!("{} contains {what}.", place.line_subject()),
                        ..MarkupListItem::default()
                    });
                }
                LayoutItem::Line(parts) => found.push(self.write_line(block, parts, &place)),
                LayoutItem::Rows(field) => found.push(self.write_rows(*field, &place)),
                LayoutItem::Block(child) => found.extend(self.write_block(*child, &place)),
                LayoutItem::Either(alternatives) => {
                    let text = format!("{} has one of the following forms:", place.line_subject());
                    found.push(MarkupListItem { text, children: self.write_alternatives(alternatives) });
                }
            }
            let lines = if goes_on { Some(0) } else { self.fixed_line_count(item) };
            before = before.zip(lines).map(|(before, lines)| before + lines);
        }
        found
    }

    /// Returns the number of lines of an item, if it is fixed.
    fn fixed_line_count(&self, item: &LayoutItem) -> Option<usize> {
        match item {
            LayoutItem::Line(_) => Some(1),
            LayoutItem::Rows(field) => match &*self.format.field(*field).dimensions {
                [FieldDimension::Size(Expr::Constant(rows)), _] => usize::try_from(*rows).ok(),
                _ => None,
            },
            LayoutItem::Block(block) if self.format.block(*block).inline.is_some() => Some(1),
            LayoutItem::Block(block) => match &self.format.block(*block).count {
                InstanceCount::Times(Expr::Constant(times))
                    if is_line_block(self.format, self.format.block(*block)) =>
                {
                    usize::try_from(*times).ok()
                }
                _ => None,
            },
            LayoutItem::Either(_) => None,
        }
    }

    fn write_line(&mut self, block: BlockId, parts: &[LinePart], place: &LineReference) -> MarkupListItem {
        let mut text = format!("{} {}", place.line_subject(), self.line_predicate(parts, true));
        if let [LinePart { token: LineToken::Field(field), .. }] = parts {
            let counts = |b: BlockId| self.format.block(b).count == InstanceCount::Times(Expr::Field(*field));
            if self.format.child_blocks(block).any(|b| self.format.block(b).kind == BlockKind::Cases && counts(b)) {
                text.push_str(", the number of test cases");
            }
        }
        text.push('.');
        if self.format.block(block).kind != BlockKind::Condition {
            text.extend(self.empty_line_note(parts));
        }
        text.extend(self.parents_sentence(&fields_on_line(parts)));
        MarkupListItem { text, ..MarkupListItem::default() }
    }

    /// Writes a field of several lines.
    fn write_rows(&mut self, field: FieldId, place: &LineReference) -> MarkupListItem {
        let info = self.format.field(field);
        let outer = info.dimensions.len() - 1;
        let subject = place.lines_subject(&self.count_phrase(field, outer));
        let kind = self.kind_phrase(field);
        let (one, many) = kind.without_names();
        let row: Vec<String> = (0..outer).map(|nth| self.tex.free_index(nth)).collect();
        let which = match outer {
            1 => format!("the {}-th of these lines", inline_math(&row[0])),
            _ => format!("the line for {}", inline_math(&row.join(", "))),
        };
        let mut text = if info.alphabet().is_some() {
            format!(
                "{subject} contains {one}; the one on {which} is {}",
                inline_math(&self.tex.any_element(field, outer))
            )
        } else {
            let column = self.tex.free_index(outer);
            let size = match &info.dimensions[outer] {
                FieldDimension::Size(Expr::Constant(size)) => count_in_words(*size),
                _ => inline_math(&self.tex.dimension_size(field, outer)),
            };
            let element = inline_math(&self.tex.any_element(field, outer + 1));
            format!("{subject} contains {size} {many}; the {}-th number on {which} is {element}", inline_math(&column))
        };
        text.push_str(&self.state_bounds(&[field]));
        text.push('.');
        MarkupListItem { text, ..MarkupListItem::default() }
    }

    fn write_block(&mut self, block: BlockId, place: &LineReference) -> Vec<MarkupListItem> {
        let format = self.format;
        match &format.block(block).count {
            InstanceCount::Times(times) if is_line_block(format, format.block(block)) => {
                vec![self.write_repeated_line(block, times, place)]
            }
            InstanceCount::Times(times) => self.write_repeated_group(block, times, place),
            InstanceCount::Conditional(comparisons) => vec![self.write_conditional(block, comparisons)],
            InstanceCount::Until { range, sentinel } => {
                self.write_until_block(block, *range, sentinel.as_deref(), place)
            }
            // It is described together with its siblings.
            InstanceCount::Alternative => Vec::new(),
        }
    }

    /// Writes `Each of the next $m$ lines contains ...`.
    fn write_repeated_line(&mut self, block: BlockId, times: &Expr, place: &LineReference) -> MarkupListItem {
        let subject = match times {
            times if is_constant_one(times) => place.line_subject(),
            Expr::Constant(times) => place.lines_subject(&count_in_words(*times)),
            times => place.lines_subject(&inline_math(&self.tex.expression_tex(times))),
        };
        self.write_each_line(block, &subject)
    }

    /// Writes the contents of each line of a block of lines.
    fn write_each_line(&mut self, block: BlockId, subject: &str) -> MarkupListItem {
        let format = self.format;
        let is_case = format.block(block).kind == BlockKind::Cases;
        match &format.block(block).items[0] {
            LayoutItem::Either(alternatives) => {
                let what = match (is_case, self.are_queries(alternatives)) {
                    (true, _) => "describes a test case and has one of the following forms:",
                    (false, true) => "describes a query of one of the following forms:",
                    (false, false) => "has one of the following forms:",
                };
                let text = match self.repetition_note(block) {
                    None => format!("{subject} {what}"),
                    Some(noted) => {
                        let start = what.trim_end_matches("has one of the following forms:");
                        let start = start.trim_end_matches("and ").trim_end_matches("of one of the following forms:");
                        let start = if start.trim().is_empty() { "has one of several forms" } else { start.trim_end() };
                        format!("{subject} {start}.{noted} The forms are:")
                    }
                };
                MarkupListItem { text, children: self.write_alternatives(alternatives) }
            }
            LayoutItem::Line(parts) => {
                let what = if is_case { "describes a test case: it " } else { "" };
                let mut text = format!("{subject} {what}{}.", self.line_predicate(parts, false));
                text.extend(self.empty_line_note(parts));
                text.extend(self.edge_sentence(block));
                text.extend(self.parents_sentence(&fields_on_line(parts)));
                text.extend(self.repetition_note(block));
                MarkupListItem { text, ..MarkupListItem::default() }
            }
            _ => MarkupListItem::default(),
        }
    }

    /// Returns true if each alternative starts with a word that identifies it.
    fn are_queries(&self, alternatives: &[BlockId]) -> bool {
        alternatives.iter().all(|a| match self.format.block(*a).items.first() {
            Some(LayoutItem::Line(parts)) => {
                matches!(parts[0].token, LineToken::Literal(_)) && !parts.get(1).is_some_and(|part| part.is_glued)
            }
            _ => false,
        })
    }

    fn write_alternatives(&mut self, alternatives: &[BlockId]) -> Vec<MarkupListItem> {
        let format = self.format;
        let mut found = Vec::new();
        for block in alternatives {
            found.push(match format.block(*block).items.first() {
                Some(LayoutItem::Line(parts)) => {
                    let text = format!("{}.", self.alternative_text(parts));
                    MarkupListItem { text, children: self.write_items_after(*block, 1, None, "") }
                }
                _ => MarkupListItem {
                    text: "lines as follows:".to_owned(),
                    children: self.write_items_after(*block, 0, None, ""),
                },
            });
        }
        found
    }

    /// Writes a block of several lines.
    fn write_repeated_group(&mut self, block: BlockId, times: &Expr, place: &LineReference) -> Vec<MarkupListItem> {
        let format = self.format;
        let (one, many) = block_noun(format, block);
        let count = match times {
            Expr::Constant(times) => count_in_words(*times),
            times => inline_math(&self.tex.expression_tex(times)),
        };
        let things = if is_constant_one(times) { one } else { many };
        if format.block(block).kind != BlockKind::Cases {
            let of_lines = if is_constant_one(times) { "group of lines" } else { "groups of lines" };
            let verb = if is_constant_one(times) { "follows" } else { "follow" };
            let start = match place.input_start() {
                Some(start) => format!("{start} {count} {of_lines}."),
                None => format!("Then {count} {of_lines} {verb}."),
            };
            let noted = self.group_notes(block);
            let text = format!("{start}{noted} Each group is described as follows:");
            return vec![MarkupListItem { text, children: self.write_items(block, "") }];
        }
        let text = match times {
            // The number was introduced as that of the test cases already.
            Expr::Field(_) => {
                let separated =
                    self.separation_note(block).map_or_else(String::new, |note| format!("{} ", note.trim()));
                format!("{separated}Each test case is described as follows.")
            }
            _ => {
                let start = place.input_start();
                let start = start.map_or_else(|| format!("Then follow {count}"), |start| format!("{start} {count}"));
                let separated = self.separation_note(block).unwrap_or_default();
                format!("{start} {things}.{separated} Each test case is described as follows.")
            }
        };
        let is_last = format.block(format.block(block).parent.unwrap_or(BlockId(0))).items.last();
        let mut found = vec![MarkupListItem { text, children: Vec::new() }];
        if is_last == Some(&LayoutItem::Block(block)) && place.suffix.is_empty() {
            found.extend(self.write_items(block, " of each test case"));
        } else {
            found[0].children = self.write_items(block, "");
        }
        found
    }

    /// Writes lines that are present only under a condition.
    fn write_conditional(&mut self, block: BlockId, comparisons: &[Comparison]) -> MarkupListItem {
        let relations = comparisons.iter().map(|c| self.tex.to_relation(c));
        let condition: Vec<String> = chain_relations(relations).iter().map(|chain| inline_math(chain)).collect();
        let condition = list_and(&condition);
        let mut entries = self.write_items(block, "");
        match (&*self.format.block(block).items, entries.len()) {
            ([LayoutItem::Line(_)], 1) => {
                let MarkupListItem { text, children: below } = entries.remove(0);
                let text = text.replacen("The only line", "the next line", 1);
                MarkupListItem { text: format!("If {condition}, {text}"), children: below }
            }
            _ => MarkupListItem { text: format!("If {condition}, the following comes next:"), children: entries },
        }
    }

    /// Writes a block that is terminated by something other than a count.
    fn write_until_block(
        &mut self,
        block: BlockId,
        range: Interval,
        sentinel: Option<&[u8]>,
        place: &LineReference,
    ) -> Vec<MarkupListItem> {
        let format = self.format;
        let (one, many) = block_noun(format, block);
        let things = if range.hi == 1 { one } else { many };
        let many_of = |count: i128| {
            if range.hi <= 10 { count_in_words(count) } else { inline_math(&super::tex_number::number_tex(count, 0)) }
        };
        let count = match (range.lo, range.hi) {
            (lo, hi) if lo == hi => format!("{} {things}", many_of(lo)),
            (0, hi) => format!("at most {} {things}", many_of(hi)),
            (lo, hi) => format!("between {} and {} {things}", many_of(lo), many_of(hi)),
        };
        let start = place.input_start().unwrap_or("Then follow");
        let start = format!("{start} {count}");
        let end = match sentinel {
            Some(line) => {
                let line = self.markup.format_code(line);
                format!(". They are followed by a line {line}, which is not to be processed.")
            }
            None => ", up to the end of the file.".to_owned(),
        };
        if one == "line" {
            let MarkupListItem { text, children } = self.write_each_line(block, "Each of these lines");
            return vec![MarkupListItem { text: format!("{start}{end} {text}"), children }];
        }
        let noted = self.group_notes(block);
        let text = format!("{start}{end}{noted} Each {one} is described as follows:");
        vec![MarkupListItem { text, children: self.write_items(block, "") }]
    }

    /// Returns the sentences about all repetitions of a block of several lines.
    fn group_notes(&self, block: BlockId) -> String {
        self.separation_note(block).into_iter().chain(self.repetition_note(block)).collect()
    }

    /// Returns the sentence about the line between two repetitions, if there is one.
    fn separation_note(&self, block: BlockId) -> Option<String> {
        let line = self.format.block(block).separator.as_deref()?;
        let (_, many) = block_noun(self.format, block);
        let line = match line {
            b"" => "an empty line".to_owned(),
            line => format!("a line {}", self.markup.format_code(line)),
        };
        Some(format!(" Consecutive {many} are separated by {line}."))
    }

    /// Returns the sentence that introduces the names for the numbers of one repetition, if constraints use them.
    pub(super) fn repetition_note(&self, block: BlockId) -> Option<String> {
        let mut named: Vec<FieldId> = Vec::new();
        for rule in self.format.constraints.iter().map(|c| &c.rule) {
            for expr in rule.expressions() {
                visit_elements(expr, &mut |field, indices| {
                    let is_own = self.format.repetition_of(self.format.field(field).block) == Some(block);
                    let is_other =
                        named.iter().all(|known| self.format.field(*known).name != self.format.field(field).name);
                    if is_own && self.format.indexes_repetitions(field, indices) && is_other {
                        named.push(field);
                    }
                });
            }
        }
        named.sort_unstable();
        if named.is_empty() {
            return None;
        }
        let index = self.tex.free_index(0);
        let name = |field: &FieldId| inline_math(&self.tex.element_at(*field, std::slice::from_ref(&index)));
        let plain = |field: &FieldId| inline_math(&self.tex.field_name(*field));
        let (names, plain): (Vec<String>, Vec<String>) = named.iter().map(|f| (name(f), plain(f))).unzip();
        let (verb, (one, many)) = (if names.len() == 1 { "is" } else { "are" }, block_noun(self.format, block));
        let these = if one == "line" { "lines" } else { many };
        let (names, plain) = (list_and(&names), list_and(&plain));
        let absent = match named.iter().any(|field| self.format.may_be_absent(*field)) {
            true => "; constraints on an absent one do not apply",
            false => "",
        };
        Some(format!(" Below, {names} {verb} the {plain} of the {}-th of these {these}{absent}.", inline_math(&index)))
    }
}

/// Calls `visit` with each element in an expression and its indices.
fn visit_elements<'e>(expr: &'e Expr, visit: &mut dyn FnMut(FieldId, &'e [Expr])) {
    expr.visit_parts(&mut |part| {
        if let Expr::Element(field, indices) = part {
            visit(*field, indices);
        }
        true
    });
}
