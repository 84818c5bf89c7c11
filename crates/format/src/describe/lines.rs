//! The items of the Input section: one for each line, or for each repetition of lines.

use super::StatementWriter;
use super::markup::{MarkupListItem, typewriter_tex};
use super::nouns::{NounPhrase, join_clauses};
use super::relation_chains::chain_relations;
use super::tex_number::{count_in_words, number_tex};
use crate::constraints::inline_math;
use crate::language::{
    ArithmeticOperator, BlockId, BlockKind, Comparison, Expr, FieldDimension, FieldId, Format, GraphEdges,
    GraphProperty, InstanceCount, Interval, LayoutItem, LinePart, LineToken, LinearSum,
};
use rebut_diagnostics::list_and;

/// Returns the noun for an instance of a block, singular and plural: `test case`, `line`.
pub(super) fn block_noun(format: &Format, block: BlockId) -> (&'static str, &'static str) {
    let info = format.block(block);
    match (info.kind, &info.count) {
        (BlockKind::Cases, _) => ("test case", "test cases"),
        _ if info.inline.is_some() => ("group", "groups"),
        _ if is_line_block(format, block) => ("line", "lines"),
        (_, InstanceCount::Until { .. }) => ("data set", "data sets"),
        _ => ("group", "groups"),
    }
}

/// Returns true if each instance of a block is one line, and nothing is between the lines.
fn is_line_block(format: &Format, block: BlockId) -> bool {
    let info = format.block(block);
    match &*info.items {
        _ if info.separator.is_some() => false,
        [LayoutItem::Either(alternatives)] => {
            alternatives.iter().all(|a| matches!(*format.block(*a).items, [LayoutItem::Line(_)]))
        }
        items => is_on_line(format, &items[0]) && end_of_line(format, block, 0) == items.len(),
    }
}

/// Returns true if an item is a line or a part of one.
fn is_on_line(format: &Format, item: &LayoutItem) -> bool {
    match item {
        LayoutItem::Line(_) => true,
        LayoutItem::Block(child) => format.block(*child).inline.is_some(),
        LayoutItem::Rows(_) | LayoutItem::Either(_) => false,
    }
}

/// Returns the index after the items of a block that are on one line, from the first of them on.
fn end_of_line(format: &Format, block: BlockId, from: usize) -> usize {
    let items = &format.block(block).items;
    let goes_on = |at: &usize| {
        items.get(at + 1).is_some_and(|next| is_on_line(format, &items[*at]) && is_on_line(format, next))
            && !format.ends_line(block, *at)
    };
    from + 1 + (from..items.len()).take_while(goes_on).count()
}

fn fields_on_line(parts: &[LinePart]) -> Vec<FieldId> {
    let to_field = |part: &LinePart| if let LineToken::Field(field) = part.token { Some(field) } else { None };
    parts.iter().filter_map(to_field).collect()
}

/// Returns true if a line has literals or glued parts, so that its form must be shown.
fn has_form(parts: &[LinePart]) -> bool {
    parts.iter().any(|part| part.is_glued || matches!(part.token, LineToken::Literal(_)))
}

/// Returns true for `""`, which is an empty line.
fn is_empty_line(items: &[LayoutItem]) -> bool {
    let [LayoutItem::Line(parts)] = items else { return false };
    matches!(&parts[..], [LinePart { token: LineToken::Literal(text), .. }] if text.is_empty())
}

impl StatementWriter<'_> {
    /// Returns the items of a block from index `from` on.
    pub(super) fn write_items(&mut self, block: BlockId, mut from: usize) -> Vec<MarkupListItem> {
        let format = self.format;
        let items = &format.block(block).items;
        let mut found = Vec::new();
        while from < items.len() {
            let end = end_of_line(format, block, from);
            match &items[from] {
                LayoutItem::Rows(field) => found.push(self.write_rows(*field)),
                LayoutItem::Either(alternatives) => {
                    let children = self.write_alternatives(alternatives);
                    found.push(MarkupListItem { text: "one line of one of the following forms:".to_owned(), children });
                }
                LayoutItem::Block(child) if format.block(*child).inline.is_none() => {
                    found.extend(self.write_block(*child))
                }
                _ => found.push(self.write_line("one line", block, &items[from..end])),
            }
            from = end;
        }
        found
    }

    /// Returns `one line with two integers $n$ and $m$ ($1 \le n, m \le 9$).`
    fn write_line(&mut self, subject: &str, block: BlockId, items: &[LayoutItem]) -> MarkupListItem {
        if is_empty_line(items) {
            let text = if subject == "one line" { "one empty line.".to_owned() } else { format!("{subject} empty.") };
            return MarkupListItem { text, children: Vec::new() };
        }
        let of_or_with = match &items[0] {
            LayoutItem::Line(parts) if has_form(parts) => "of the form",
            _ => "with",
        };
        let mut text =
            format!("{subject} {of_or_with} {}{}.", self.line_contents(items), self.meaning_of(block, items));
        if self.format.block(block).kind != BlockKind::Condition {
            text.extend(self.empty_line_note(items));
        }
        MarkupListItem { text, children: Vec::new() }
    }

    /// Returns the contents of the items on one line: `an integer $k$, followed by $k$ integers $a_1, \dots, a_k$`.
    fn line_contents(&mut self, items: &[LayoutItem]) -> String {
        let mut contents = Vec::new();
        for (place, item) in items.iter().enumerate() {
            contents.push(match item {
                LayoutItem::Line(parts) if has_form(parts) && place > 0 => {
                    format!("text of the form {}", self.parts_text(parts))
                }
                LayoutItem::Line(parts) => self.parts_text(parts),
                LayoutItem::Block(child) => self.group_text(*child),
                LayoutItem::Rows(_) | LayoutItem::Either(_) => String::new(),
            });
        }
        contents.join(", followed by ")
    }

    /// Returns the form of a line, or the fields on it, with their bounds.
    fn parts_text(&mut self, parts: &[LinePart]) -> String {
        let fields = fields_on_line(parts);
        let nouns = self.noun_phrases(&fields);
        let is_counted = |block: BlockId| match fields[..] {
            [field] => self.format.block(block).count == InstanceCount::Times(Expr::Field(field)),
            _ => false,
        };
        let counts_cases = self.format.cases_block().is_some_and(is_counted);
        let cases = if counts_cases { ", the number of test cases" } else { "" };
        match (has_form(parts), nouns.is_empty()) {
            (true, true) => inline_math(&self.line_form(parts)),
            (true, false) => {
                let form = inline_math(&self.line_form(parts));
                format!("{form}, where {}{}", join_clauses(&nouns), self.state_bounds(&fields))
            }
            (false, _) => {
                let phrases: Vec<String> = nouns.iter().map(NounPhrase::to_introduction).collect();
                phrases.join(", followed by ") + &self.state_bounds(&fields) + cases
            }
        }
    }

    /// Returns a line as the input has it, with names for its values.
    fn line_form(&self, parts: &[LinePart]) -> String {
        let mut form = String::new();
        for (place, part) in parts.iter().enumerate() {
            if place > 0 && !part.is_glued {
                form.push_str("\\ ");
            }
            form.push_str(&match &part.token {
                LineToken::Literal(text) => typewriter_tex(text),
                LineToken::Field(field) => match self.outer_dimensions(*field) {
                    0 => self.tex.any_element(*field, 0),
                    outer => self.tex.list_elements(*field, &[], outer).replace(", ", "\\ "),
                },
            });
        }
        form
    }

    /// Returns `$n$ groups of two integers $x$ and $y$`.
    fn group_text(&mut self, block: BlockId) -> String {
        let info = self.format.block(block);
        let times = info.count.times_expr().map(|times| self.times_text(times)).unwrap_or_default();
        let which = self.number_of_repetition(block).map(|number| format!(", {number}")).unwrap_or_default();
        format!("{times} groups{which} of {}{}", self.line_contents(&info.items), self.meaning_of(block, &info.items))
    }

    fn times_text(&self, times: &Expr) -> String {
        match times {
            Expr::Constant(times) => count_in_words(*times),
            times => inline_math(&self.tex.expression_tex(times)),
        }
    }

    /// Returns `the $i$-th` if the fields of a repetition are named with its number.
    fn number_of_repetition(&self, block: BlockId) -> Option<String> {
        let is_own = |field: &&FieldId| self.format.repetition_of(self.format.field(**field).block) == Some(block);
        let mut own = self.named_by_number.iter().filter(is_own).peekable();
        let number = format!("the {}-th", inline_math(&self.tex.repetition_index(**own.peek()?)?));
        match own.any(|field| self.format.may_be_absent(*field)) {
            true => Some(number + " (conditions on an absent value do not apply)"),
            false => Some(number),
        }
    }

    /// Returns what the numbers on a line mean in a graph: `, describing an edge between the vertices $u$ and $v$`.
    fn meaning_of(&self, block: BlockId, items: &[LayoutItem]) -> String {
        let name = |field| inline_math(&self.tex.any_element(field, 0));
        let edge = self.format.edge_graph(block).and_then(|graph| {
            let (_, (from, to)) = graph.line_edges()?;
            Some(match graph.has_property(GraphProperty::Directed) {
                true => format!(", describing an edge from vertex {} to vertex {}", name(from), name(to)),
                false => format!(", describing an edge between the vertices {} and {}", name(from), name(to)),
            })
        });
        let parts = items.iter().filter_map(|item| if let LayoutItem::Line(parts) = item { Some(parts) } else { None });
        let fields: Vec<FieldId> = parts.flat_map(|parts| fields_on_line(parts)).collect();
        let parents = self.format.graphs().find_map(|(_, graph)| match &graph.edges {
            GraphEdges::Parents { field, first, .. } if fields.contains(field) => Some((*field, first)),
            _ => None,
        });
        let parents = parents.map(|(field, first)| self.parents_text(field, first));
        edge.into_iter().chain(parents).collect()
    }

    /// Returns `, where $p_i$ is the parent of the vertex $i + 1$`.
    fn parents_text(&self, field: FieldId, first: &Expr) -> String {
        let index = self.tex.free_indices(field, 1).concat();
        let child = match first {
            Expr::Constant(1) => index,
            Expr::Constant(first) if *first < 1 => format!("{index} - {}", 1 - first),
            Expr::Constant(first) => format!("{index} + {}", first - 1),
            first => {
                let one = Box::new(Expr::Constant(1));
                let before = Expr::Binary(ArithmeticOperator::Subtract, Box::new(first.clone()), one);
                format!("{} + {index}", self.tex.expression_tex(&before))
            }
        };
        let parent = inline_math(&self.tex.any_element(field, 1));
        format!(", where {parent} is the parent of the vertex {}", inline_math(&child))
    }

    fn empty_line_note(&self, items: &[LayoutItem]) -> Option<String> {
        let [LayoutItem::Line(parts)] = items else { return None };
        let [LinePart { token: LineToken::Field(field), .. }] = parts[..] else { return None };
        let FieldDimension::Size(size) = self.format.field(field).dimensions.first()? else { return None };
        let linear = LinearSum::from_expr(size)?;
        let mut factors = linear.factors.iter();
        let (Some((sizing, 1)), None) = (factors.next(), factors.next()) else { return None };
        let least = self.format.field(*sizing).range.lo + linear.constant;
        let condition = inline_math(&format!("{} = 0", self.tex.expression_tex(size)));
        (least <= 0).then(|| format!(" If {condition}, this line is empty."))
    }

    /// Returns `$n$ lines, the $i$-th with $m$ integers $a_{i,1}, a_{i,2}, \dots, a_{i,m}$`.
    fn write_rows(&mut self, field: FieldId) -> MarkupListItem {
        let dimensions = self.format.field(field).dimensions.len();
        let row = self.tex.free_indices(field, dimensions - 1);
        let which = match &row[..] {
            [index] => format!("the {}-th", inline_math(index)),
            _ => format!("the one for {}", inline_math(&row.join(", "))),
        };
        let mut noun = self.kind_phrase(field);
        if self.outer_dimensions(field) < dimensions {
            noun.names.push(inline_math(&self.tex.element_at(field, &row)));
        } else {
            noun.names.push(inline_math(&self.tex.list_elements(field, &row, dimensions)));
            noun.count = Some(self.count_phrase(field, dimensions - 1, dimensions));
        }
        let lines = self.count_phrase(field, 0, dimensions - 1);
        let bounds = self.state_bounds(&[field]);
        let text = format!("{lines} lines, {which} with {}{bounds}.", noun.to_introduction());
        MarkupListItem { text, children: Vec::new() }
    }

    fn write_block(&mut self, block: BlockId) -> Vec<MarkupListItem> {
        match &self.format.block(block).count {
            InstanceCount::Times(times) => {
                vec![self.write_repetition(block, &self.times_text(times), *times == Expr::Constant(1), "")]
            }
            InstanceCount::Conditional(comparisons) => vec![self.write_conditional(block, comparisons)],
            InstanceCount::Until { range, sentinel } => self.write_until_block(block, *range, sentinel.as_deref()),
            // It is described together with its siblings.
            InstanceCount::Alternative => Vec::new(),
        }
    }

    /// Returns `$m$ lines, each with ...`, or `$t$ test cases, each consisting of:` with the items of one. `until` is
    /// where they end.
    fn write_repetition(&mut self, block: BlockId, count: &str, is_one: bool, until: &str) -> MarkupListItem {
        let format = self.format;
        let info = format.block(block);
        let (one, many) = block_noun(format, block);
        let each = self.number_of_repetition(block).unwrap_or_else(|| "each".to_owned());
        if is_line_block(format, block) {
            let of_cases = if info.kind == BlockKind::Cases { ", one for each test case" } else { "" };
            let subject =
                if is_one { "one line".to_owned() } else { format!("{count} lines{until}{of_cases}, {each}") };
            return match &*info.items {
                [LayoutItem::Either(alternatives)] => MarkupListItem {
                    text: format!("{subject} of one of the following forms:"),
                    children: self.write_alternatives(alternatives),
                },
                items => self.write_line(&subject, block, items),
            };
        }
        let noun = if is_one { one } else { many };
        let of_lines = if one == "group" { " of lines" } else { "" };
        let separated = match info.separator.as_deref() {
            None => String::new(),
            Some(b"") => ", separated by an empty line".to_owned(),
            Some(line) => format!(", separated by a line {}", self.markup.format_code(line)),
        };
        let each = if is_one { "" } else { &format!("{each} ") };
        let text = format!("{count} {noun}{of_lines}{until}{separated}, {each}consisting of:");
        MarkupListItem { text, children: self.write_items(block, 0) }
    }

    fn write_alternatives(&mut self, alternatives: &[BlockId]) -> Vec<MarkupListItem> {
        let format = self.format;
        let mut found = Vec::new();
        for block in alternatives {
            let items = &format.block(*block).items;
            let end = end_of_line(format, *block, 0);
            let first = match &items[0] {
                LayoutItem::Line(_) => Some(self.line_contents(&items[..end])),
                _ => None,
            };
            let children = self.write_items(*block, if first.is_some() { end } else { 0 });
            let text = match first {
                Some(first) if children.is_empty() => format!("{first}."),
                Some(first) => format!("{first}; after this line:"),
                None => "lines as follows:".to_owned(),
            };
            found.push(MarkupListItem { text, children });
        }
        found
    }

    /// Returns lines that are present only under a condition.
    fn write_conditional(&mut self, block: BlockId, comparisons: &[Comparison]) -> MarkupListItem {
        let relations = comparisons.iter().map(|comparison| self.tex.to_relation(comparison));
        let condition: Vec<String> = chain_relations(relations).iter().map(|chain| inline_math(chain)).collect();
        let condition = list_and(&condition);
        let mut children = self.write_items(block, 0);
        if let [MarkupListItem { text, children }] = &mut children[..] {
            let text = format!("if {condition}, {text}");
            return MarkupListItem { text, children: std::mem::take(children) };
        }
        MarkupListItem { text: format!("if {condition}:"), children }
    }

    /// Returns a block that is terminated by something other than a count, and the line that ends it.
    fn write_until_block(&mut self, block: BlockId, range: Interval, sentinel: Option<&[u8]>) -> Vec<MarkupListItem> {
        let number = |count: i128| match range.hi {
            ..=10 => count_in_words(count),
            _ => inline_math(&number_tex(count, 0)),
        };
        let count = match (range.lo, range.hi) {
            (lo, hi) if lo == hi => number(lo),
            (0, hi) => format!("at most {}", number(hi)),
            (lo, hi) => format!("between {} and {}", number(lo), number(hi)),
        };
        let until = if sentinel.is_none() { ", up to the end of the file" } else { "" };
        let mut found = vec![self.write_repetition(block, &count, range == Interval::new(1, 1), until)];
        found.extend(sentinel.map(|line| MarkupListItem {
            text: format!(
                "one line {}, which marks the end of the {}.",
                self.markup.format_code(line),
                block_noun(self.format, block).1
            ),
            children: Vec::new(),
        }));
        found
    }
}
