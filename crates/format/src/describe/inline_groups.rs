//! Sentences for groups of fields that are repeated on one line.

use super::StatementWriter;
use super::line_contents::fields_on_line;
use super::tex_number::count_in_words;
use crate::constraints::inline_math;
use crate::language::{BlockId, Expr, InstanceCount, LayoutItem};

impl StatementWriter<'_> {
    /// Returns true if the next item continues the line of an item.
    pub(super) fn continues_line(&self, block: BlockId, item: usize) -> bool {
        let on_line = |item: Option<&LayoutItem>| match item {
            Some(LayoutItem::Line(_)) => true,
            Some(LayoutItem::Block(child)) => self.format.block(*child).inline.is_some(),
            _ => false,
        };
        let items = &self.format.block(block).items;
        on_line(items.get(item)) && on_line(items.get(item + 1)) && !self.format.ends_line(block, item)
    }

    /// Returns the sentence for an item that continues a line.
    pub(super) fn continuation_text(&mut self, item: &LayoutItem) -> String {
        match item {
            LayoutItem::Line(parts) => format!(" Then it {}.", self.line_predicate(parts, false)),
            LayoutItem::Block(child) => format!(" On the same line follow {}.", self.group_text(*child)),
            LayoutItem::Rows(_) | LayoutItem::Either(_) => String::new(),
        }
    }

    /// Returns `$n$ groups of two integers $x$ and $y$`.
    pub(super) fn group_text(&mut self, block: BlockId) -> String {
        let format = self.format;
        let info = format.block(block);
        let times = match &info.count {
            InstanceCount::Times(Expr::Constant(times)) => count_in_words(*times),
            InstanceCount::Times(times) => inline_math(&self.tex.expression_tex(times)),
            InstanceCount::Conditional(_) | InstanceCount::Alternative | InstanceCount::Until { .. } => String::new(),
        };
        let mut inside = Vec::new();
        for item in &info.items {
            inside.push(match item {
                LayoutItem::Line(parts) => match self.line_predicate(parts, false) {
                    text if text.starts_with("contains ") => text.replacen("contains ", "", 1),
                    text => text.replacen("has the form", "the form", 1),
                },
                LayoutItem::Block(child) => self.group_text(*child),
                LayoutItem::Rows(_) | LayoutItem::Either(_) => String::new(),
            });
        }
        let mut text = format!("{times} groups of {}", inside.join(", followed by "));
        let about = [
            self.edge_sentence(block),
            self.parents_sentence(&info.items.iter().find_map(item_fields).unwrap_or_default()),
        ];
        for sentence in about.into_iter().flatten().chain(self.repetition_note(block)) {
            text.push('.');
            text.push_str(sentence.trim_end_matches('.'));
        }
        text
    }
}

fn item_fields(item: &LayoutItem) -> Option<Vec<crate::language::FieldId>> {
    if let LayoutItem::Line(parts) = item { Some(fields_on_line(parts)) } else { None }
}
