//! Blocks and their lines, as sentences.

use super::lines::{fields_of, is_one};
use super::markup::Entry;
use super::number::{counted, ordinal};
use super::relations::chains;
use super::{Author, math};
use crate::format::{
    Block, BlockId, BlockKind, Comparison, Count, Dimension, Expr, FieldId, Format, Interval, Item, Part, Token,
};

/// What an instance of a block is called: `test case`, `line`; and several of them.
pub(super) fn noun(format: &Format, block: BlockId) -> (&'static str, &'static str) {
    let info = format.block(block);
    match (info.kind, &info.count) {
        (BlockKind::Cases, _) => ("test case", "test cases"),
        _ if info.inline.is_some() => ("group", "groups"),
        _ if is_line(format, info) => ("line", "lines"),
        (_, Count::Until { .. }) => ("data set", "data sets"),
        _ => ("group", "groups"),
    }
}

/// Whether each instance of a block is one line.
fn is_line(format: &Format, block: &Block) -> bool {
    match &*block.items {
        [Item::Line(_)] => true,
        [Item::Either(alternatives)] => alternatives.iter().all(|a| matches!(*format.block(*a).items, [Item::Line(_)])),
        _ => false,
    }
}

/// How far the lines of a block are told apart by their numbers.
struct Place<'s> {
    /// How many lines come before, if that is known.
    before: Option<usize>,
    /// Whether it is the whole input that is described.
    whole: bool,
    /// Whether the block holds nothing else.
    only: bool,
    /// What follows `the first line`: ` of each test case`.
    suffix: &'s str,
}

impl Place<'_> {
    /// How a sentence about the things that the input starts with begins.
    fn starts_input(&self) -> Option<&'static str> {
        match (self.whole && self.before == Some(0), self.only) {
            (true, true) => Some("The input consists of"),
            (true, false) => Some("The input starts with"),
            (false, _) => None,
        }
    }

    fn line(&self) -> String {
        match self.before {
            Some(0) if self.only => format!("The only line{}", self.suffix),
            Some(before) if before < 10 => format!("The {} line{}", ordinal(before + 1), self.suffix),
            _ => "The next line".to_owned(),
        }
    }

    /// Several lines, each of them.
    fn lines(&self, count: &str) -> String {
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

impl Author<'_> {
    /// The items of a block; `suffix` says whose lines they are.
    pub(super) fn items(&mut self, block: BlockId, suffix: &str) -> Vec<Entry> {
        self.items_after(block, 0, Some(0), suffix)
    }

    /// The items of a block from one on, after so many lines.
    fn items_after(&mut self, block: BlockId, skip: usize, mut before: Option<usize>, suffix: &str) -> Vec<Entry> {
        let format = self.format;
        let items = &format.block(block).items;
        let mut found: Vec<Entry> = Vec::new();
        let mut goes_on = false;
        for (i, item) in items.iter().enumerate().skip(skip) {
            let only = (0..items.len()).all(|at| at + 1 == items.len() || self.goes_on(block, at));
            let place = Place { before, whole: block == BlockId(0), only, suffix };
            let same_line = goes_on;
            goes_on = self.goes_on(block, i);
            match item {
                item if same_line => {
                    let text = self.same_line(item);
                    if let Some(line) = found.last_mut() {
                        line.text.push_str(&text);
                    }
                }
                Item::Block(child) if format.block(*child).inline.is_some() => {
                    let what = self.group(*child);
                    found.push(Entry { text: format!("{} contains {what}.", place.line()), ..Entry::default() });
                }
                Item::Line(parts) => found.push(self.line(block, parts, &place)),
                Item::Rows(field) => found.push(self.rows(*field, &place)),
                Item::Block(child) => found.extend(self.child(*child, &place)),
                Item::Either(alternatives) => {
                    let text = format!("{} has one of the following forms:", place.line());
                    found.push(Entry { text, below: self.alternatives(alternatives) });
                }
            }
            let lines = if goes_on { Some(0) } else { self.lines_in(item) };
            before = before.zip(lines).map(|(before, lines)| before + lines);
        }
        found
    }

    /// How many lines an item takes, if that is always the same.
    fn lines_in(&self, item: &Item) -> Option<usize> {
        match item {
            Item::Line(_) => Some(1),
            Item::Rows(field) => match &*self.format.field(*field).dimensions {
                [Dimension::Size(Expr::Constant(rows)), _] => usize::try_from(*rows).ok(),
                _ => None,
            },
            Item::Block(block) if self.format.block(*block).inline.is_some() => Some(1),
            Item::Block(block) => match &self.format.block(*block).count {
                Count::Times(Expr::Constant(times)) if is_line(self.format, self.format.block(*block)) => {
                    usize::try_from(*times).ok()
                }
                _ => None,
            },
            Item::Either(_) => None,
        }
    }

    fn line(&mut self, block: BlockId, parts: &[Part], place: &Place) -> Entry {
        let mut text = format!("{} {}", place.line(), self.says(parts, true));
        if let [Part { token: Token::Field(field), .. }] = parts {
            let counts = |b: BlockId| self.format.block(b).count == Count::Times(Expr::Field(*field));
            if self.format.children(block).any(|b| self.format.block(b).kind == BlockKind::Cases && counts(b)) {
                text.push_str(", the number of test cases");
            }
        }
        text.push('.');
        if self.format.block(block).kind != BlockKind::Condition {
            text.extend(self.may_be_empty(parts));
        }
        text.extend(self.parents(&fields_of(parts)));
        Entry { text, ..Entry::default() }
    }

    /// A field of several lines.
    fn rows(&mut self, field: FieldId, place: &Place) -> Entry {
        let info = self.format.field(field);
        let outer = info.dimensions.len() - 1;
        let subject = place.lines(&self.count(field, outer));
        let kind = self.kind(field);
        let (one, many) = kind.each();
        let row: Vec<String> = (0..outer).map(|nth| self.maths.index(nth)).collect();
        let which = match outer {
            1 => format!("the {}-th of these lines", math(&row[0])),
            _ => format!("the line for {}", math(&row.join(", "))),
        };
        let mut text = if info.letters().is_some() {
            format!("{subject} contains {one}; the one on {which} is {}", math(&self.maths.any(field, outer)))
        } else {
            let column = self.maths.index(outer);
            let size = match &info.dimensions[outer] {
                Dimension::Size(Expr::Constant(size)) => counted(*size),
                _ => math(&self.maths.size(field, outer)),
            };
            let element = math(&self.maths.any(field, outer + 1));
            format!("{subject} contains {size} {many}; the {}-th number on {which} is {element}", math(&column))
        };
        text.push_str(&self.bounds(&[field]));
        text.push('.');
        Entry { text, ..Entry::default() }
    }

    fn child(&mut self, block: BlockId, place: &Place) -> Vec<Entry> {
        let format = self.format;
        match &format.block(block).count {
            Count::Times(times) if is_line(format, format.block(block)) => {
                vec![self.repeated_line(block, times, place)]
            }
            Count::Times(times) => self.repeated_lines(block, times, place),
            Count::When(comparisons) => vec![self.conditional(block, comparisons)],
            Count::Until { range, sentinel } => self.until(block, *range, sentinel.as_deref(), place),
            // It is described where its alternatives are.
            Count::Chosen => Vec::new(),
        }
    }

    /// `Each of the next $m$ lines contains ...`
    fn repeated_line(&mut self, block: BlockId, times: &Expr, place: &Place) -> Entry {
        let subject = match times {
            times if is_one(times) => place.line(),
            Expr::Constant(times) => place.lines(&counted(*times)),
            times => place.lines(&math(&self.maths.expr(times))),
        };
        self.each_line(block, &subject)
    }

    /// What each line of a block of lines is.
    fn each_line(&mut self, block: BlockId, subject: &str) -> Entry {
        let format = self.format;
        let is_case = format.block(block).kind == BlockKind::Cases;
        match &format.block(block).items[0] {
            Item::Either(alternatives) => {
                let what = match (is_case, self.are_queries(alternatives)) {
                    (true, _) => "describes a test case and has one of the following forms:",
                    (false, true) => "describes a query of one of the following forms:",
                    (false, false) => "has one of the following forms:",
                };
                let text = match self.by_repetition(block) {
                    None => format!("{subject} {what}"),
                    Some(noted) => {
                        let start = what.trim_end_matches("has one of the following forms:");
                        let start = start.trim_end_matches("and ").trim_end_matches("of one of the following forms:");
                        let start = if start.trim().is_empty() { "has one of several forms" } else { start.trim_end() };
                        format!("{subject} {start}.{noted} The forms are:")
                    }
                };
                Entry { text, below: self.alternatives(alternatives) }
            }
            Item::Line(parts) => {
                let what = if is_case { "describes a test case: it " } else { "" };
                let mut text = format!("{subject} {what}{}.", self.says(parts, false));
                text.extend(self.may_be_empty(parts));
                text.extend(self.edge(block));
                text.extend(self.parents(&fields_of(parts)));
                text.extend(self.by_repetition(block));
                Entry { text, ..Entry::default() }
            }
            _ => Entry::default(),
        }
    }

    /// Whether each alternative starts with a word that tells it apart.
    fn are_queries(&self, alternatives: &[BlockId]) -> bool {
        alternatives.iter().all(|a| match self.format.block(*a).items.first() {
            Some(Item::Line(parts)) => {
                matches!(parts[0].token, Token::Literal(_)) && !parts.get(1).is_some_and(|part| part.glued)
            }
            _ => false,
        })
    }

    fn alternatives(&mut self, alternatives: &[BlockId]) -> Vec<Entry> {
        let format = self.format;
        let mut found = Vec::new();
        for block in alternatives {
            found.push(match format.block(*block).items.first() {
                Some(Item::Line(parts)) => {
                    let text = format!("{}.", self.alternative(parts));
                    Entry { text, below: self.items_after(*block, 1, None, "") }
                }
                _ => Entry { text: "lines as follows:".to_owned(), below: self.items_after(*block, 0, None, "") },
            });
        }
        found
    }

    /// A block of several lines.
    fn repeated_lines(&mut self, block: BlockId, times: &Expr, place: &Place) -> Vec<Entry> {
        let format = self.format;
        let (one, many) = noun(format, block);
        let count = match times {
            Expr::Constant(times) => counted(*times),
            times => math(&self.maths.expr(times)),
        };
        let things = if is_one(times) { one } else { many };
        if format.block(block).kind != BlockKind::Cases {
            let of_lines = if is_one(times) { "group of lines" } else { "groups of lines" };
            let verb = if is_one(times) { "follows" } else { "follow" };
            let start = match place.starts_input() {
                Some(start) => format!("{start} {count} {of_lines}."),
                None => format!("Then {count} {of_lines} {verb}."),
            };
            let noted: String = self.by_repetition(block).unwrap_or_default();
            let text = format!("{start}{noted} Each group is described as follows:");
            return vec![Entry { text, below: self.items(block, "") }];
        }
        let text = match times {
            // The number has been introduced as that of the test cases.
            Expr::Field(_) => "Each test case is described as follows.".to_owned(),
            _ => {
                let start = place.starts_input();
                let start = start.map_or_else(|| format!("Then follow {count}"), |start| format!("{start} {count}"));
                format!("{start} {things}. Each test case is described as follows.")
            }
        };
        let is_last = format.block(format.block(block).parent.unwrap_or(BlockId(0))).items.last();
        let mut found = vec![Entry { text, below: Vec::new() }];
        if is_last == Some(&Item::Block(block)) && place.suffix.is_empty() {
            found.extend(self.items(block, " of each test case"));
        } else {
            found[0].below = self.items(block, "");
        }
        found
    }

    /// Lines that are there only under a condition.
    fn conditional(&mut self, block: BlockId, comparisons: &[Comparison]) -> Entry {
        let relations = comparisons.iter().map(|c| self.maths.relation(c));
        let condition: Vec<String> = chains(relations).iter().map(|chain| math(chain)).collect();
        let condition = super::list_and(&condition);
        let mut entries = self.items(block, "");
        match (&*self.format.block(block).items, entries.len()) {
            ([Item::Line(_)], 1) => {
                let Entry { text, below } = entries.remove(0);
                let text = text.replacen("The only line", "the next line", 1);
                Entry { text: format!("If {condition}, {text}"), below }
            }
            _ => Entry { text: format!("If {condition}, the following comes next:"), below: entries },
        }
    }

    /// A block that something other than a number ends.
    fn until(&mut self, block: BlockId, range: Interval, sentinel: Option<&[u8]>, place: &Place) -> Vec<Entry> {
        let format = self.format;
        let (one, many) = noun(format, block);
        let things = if range.hi == 1 { one } else { many };
        let many_of =
            |count: i128| if range.hi <= 10 { counted(count) } else { math(&super::number::number(count, 0)) };
        let count = match (range.lo, range.hi) {
            (lo, hi) if lo == hi => format!("{} {things}", many_of(lo)),
            (0, hi) => format!("at most {} {things}", many_of(hi)),
            (lo, hi) => format!("between {} and {} {things}", many_of(lo), many_of(hi)),
        };
        let start = place.starts_input().unwrap_or("Then follow");
        let start = format!("{start} {count}");
        let end = match sentinel {
            Some(line) => {
                let line = self.markup.code(line);
                format!(". They are followed by a line {line}, which is not to be processed.")
            }
            None => ", up to the end of the file.".to_owned(),
        };
        if one == "line" {
            let Entry { text, below } = self.each_line(block, "Each of these lines");
            return vec![Entry { text: format!("{start}{end} {text}"), below }];
        }
        let noted: String = self.by_repetition(block).unwrap_or_default();
        let text = format!("{start}{end}{noted} Each {one} is described as follows:");
        vec![Entry { text, below: self.items(block, "") }]
    }

    /// How the numbers of a repeated block are called where a constraint speaks of one repetition.
    pub(super) fn by_repetition(&self, block: BlockId) -> Option<String> {
        let mut named: Vec<FieldId> = Vec::new();
        for rule in self.format.constraints.iter().map(|c| &c.rule) {
            for expr in rule.exprs() {
                each_element(expr, &mut |field, indices| {
                    let is_own = self.format.repetition_of(self.format.field(field).block) == Some(block);
                    let is_other =
                        named.iter().all(|known| self.format.field(*known).name != self.format.field(field).name);
                    if is_own && self.format.counts_repetitions(field, indices) && is_other {
                        named.push(field);
                    }
                });
            }
        }
        named.sort_unstable();
        if named.is_empty() {
            return None;
        }
        let index = self.maths.index(0);
        let name = |field: &FieldId| math(&self.maths.at(*field, std::slice::from_ref(&index)));
        let plain = |field: &FieldId| math(&self.maths.name(*field));
        let (names, plain): (Vec<String>, Vec<String>) = named.iter().map(|f| (name(f), plain(f))).unzip();
        let (verb, (one, many)) = (if names.len() == 1 { "is" } else { "are" }, noun(self.format, block));
        let these = if one == "line" { "lines" } else { many };
        let (names, plain) = (super::list_and(&names), super::list_and(&plain));
        let absent = match named.iter().any(|field| self.format.may_be_absent(*field)) {
            true => "; nothing is asked of one that is absent there",
            false => "",
        };
        Some(format!(" Below, {names} {verb} the {plain} of the {}-th of these {these}{absent}.", math(&index)))
    }
}

/// Calls `visit` with each element in an expression and its indices.
fn each_element(expr: &Expr, visit: &mut dyn FnMut(FieldId, &[Expr])) {
    match expr {
        Expr::Element(field, indices) => {
            visit(*field, indices);
            indices.iter().for_each(|i| each_element(i, visit));
        }
        Expr::Minus(inner) | Expr::Fold(_, _, inner) | Expr::Whole(inner) => each_element(inner, visit),
        Expr::Binary(_, left, right) => {
            each_element(left, visit);
            each_element(right, visit);
        }
        Expr::Constant(_) | Expr::Field(_) | Expr::Length(_) | Expr::Variable(_) | Expr::Letters(_) => {}
    }
}
