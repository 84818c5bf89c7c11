//! Groups of fields that are repeated on one line.

use super::lines::fields_of;
use super::number::counted;
use super::{Author, math};
use crate::format::{BlockId, Count, Expr, Item};

impl Author<'_> {
    /// Whether the line of an item goes on with the next one.
    pub(super) fn goes_on(&self, block: BlockId, item: usize) -> bool {
        let on_line = |item: Option<&Item>| match item {
            Some(Item::Line(_)) => true,
            Some(Item::Block(child)) => self.format.block(*child).inline.is_some(),
            _ => false,
        };
        let items = &self.format.block(block).items;
        on_line(items.get(item)) && on_line(items.get(item + 1)) && !self.format.ends_line(block, item)
    }

    /// What follows on a line that something stands on already.
    pub(super) fn same_line(&mut self, item: &Item) -> String {
        match item {
            Item::Line(parts) => format!(" Then it {}.", self.says(parts, false)),
            Item::Block(child) => format!(" On the same line follow {}.", self.group(*child)),
            Item::Rows(_) | Item::Either(_) => String::new(),
        }
    }

    /// `$n$ groups of two integers $x$ and $y$`
    pub(super) fn group(&mut self, block: BlockId) -> String {
        let format = self.format;
        let info = format.block(block);
        let times = match &info.count {
            Count::Times(Expr::Constant(times)) => counted(*times),
            Count::Times(times) => math(&self.maths.expr(times)),
            Count::When(_) | Count::Chosen | Count::Until { .. } => String::new(),
        };
        let mut inside = Vec::new();
        for item in &info.items {
            inside.push(match item {
                Item::Line(parts) => match self.says(parts, false) {
                    text if text.starts_with("contains ") => text.replacen("contains ", "", 1),
                    text => text.replacen("has the form", "the form", 1),
                },
                Item::Block(child) => self.group(*child),
                Item::Rows(_) | Item::Either(_) => String::new(),
            });
        }
        let mut text = format!("{times} groups of {}", inside.join(", followed by "));
        let about = [self.edge(block), self.parents(&info.items.iter().find_map(fields).unwrap_or_default())];
        for sentence in about.into_iter().flatten().chain(self.by_repetition(block)) {
            text.push('.');
            text.push_str(sentence.trim_end_matches('.'));
        }
        text
    }
}

fn fields(item: &Item) -> Option<Vec<crate::format::FieldId>> {
    if let Item::Line(parts) = item { Some(fields_of(parts)) } else { None }
}
