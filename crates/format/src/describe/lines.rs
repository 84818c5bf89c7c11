//! The items of the Input section: one for each line, or for each repetition of lines.

use super::markup::{MarkupListItem, typewriter_tex};
use super::names::{block_noun, has_rows, is_line_block};
use super::{StatementWriter, inline_math};
use crate::language::{FieldDimension, FieldId, LinearSum};
use crate::syntax::{LayoutNode, SyntaxCount, SyntaxPart, SyntaxPartKind, SyntaxTerm};

impl StatementWriter<'_> {
    /// Returns the items for the lines of a block.
    pub(super) fn write_nodes(&self, nodes: &[LayoutNode]) -> Vec<MarkupListItem> {
        let to_item = |node: &LayoutNode| match node {
            LayoutNode::Parts(parts) => self.line_text(parts).into(),
            LayoutNode::Block { .. } => self.write_block(node),
            LayoutNode::Either { alternatives, .. } => MarkupListItem {
                text: "one of the following forms:".to_owned(),
                children: self.write_alternatives(alternatives),
            },
        };
        nodes.iter().map(to_item).collect()
    }

    /// Returns a line as the input has it, with names for its values: `$k$, followed by $k$ times $x\ y$`.
    fn line_text(&self, parts: &[SyntaxPart]) -> String {
        if let ([SyntaxPart { kind: SyntaxPartKind::Field(rows), .. }], true) = (parts, has_rows(parts)) {
            return self.tex.field(&rows.name).map(|field| self.rows_text(field)).unwrap_or_default();
        }
        let mut pieces: Vec<String> = Vec::new();
        let mut form = String::new();
        for part in parts {
            let text = match &part.kind {
                SyntaxPartKind::Group { parts, count } => {
                    pieces.extend(Some(inline_math(&std::mem::take(&mut form))).filter(|form| form != "$$"));
                    pieces.push(format!("{} times {}", self.term_text(count), self.line_text(parts)));
                    continue;
                }
                SyntaxPartKind::Literal(text) if text.is_empty() => return "an empty line".to_owned(),
                SyntaxPartKind::Literal(text) => typewriter_tex(text),
                SyntaxPartKind::Field(field) => {
                    self.tex.field(&field.name).map(|field| self.field_form(field)).unwrap_or_default()
                }
            };
            if !form.is_empty() && !part.glued {
                form.push_str("\\ ");
            }
            form.push_str(&text);
        }
        pieces.extend(Some(inline_math(&form)).filter(|form| form != "$$"));
        pieces.join(", followed by ") + &self.empty_line_note(parts).unwrap_or_default()
    }

    fn field_form(&self, field: FieldId) -> String {
        match self.tex.names.outer_dimensions(field) {
            0 => self.tex.any_element(field, 0),
            outer => self.tex.list_elements(field, &[], outer).replace(", ", "\\ "),
        }
    }

    fn term_text(&self, term: &SyntaxTerm) -> String {
        inline_math(&self.tex.term_tex(term))
    }

    /// Returns a note if a line with an array only may have no elements: it is there nevertheless.
    fn empty_line_note(&self, parts: &[SyntaxPart]) -> Option<String> {
        let [SyntaxPart { kind: SyntaxPartKind::Field(field), .. }] = parts else { return None };
        let format = self.tex.names.format;
        let field = self.tex.field(&field.name).filter(|field| !format.may_be_absent(*field))?;
        let FieldDimension::Size(size) = format.field(field).dimensions.first()? else { return None };
        let linear = LinearSum::from_expr(size)?;
        let mut factors = linear.factors.iter();
        let (Some((sizing, 1)), None) = (factors.next(), factors.next()) else { return None };
        let least = format.field(*sizing).range.lo + linear.constant;
        let size = self.tex.term_tex(self.tex.names.find_dimension(field, 0)?);
        (least <= 0).then(|| format!(" (an empty line if {})", inline_math(&format!("{size} = 0"))))
    }

    /// Returns `$n$ lines, the $i$-th: $a_{i,1}\ a_{i,2}\ \dots\ a_{i,m}$`.
    fn rows_text(&self, field: FieldId) -> String {
        let outer = self.tex.names.format.field(field).dimensions.len() - 1;
        let row = self.tex.free_indices(field, outer);
        let which = match &row[..] {
            [index] => format!("the {}-th", inline_math(index)),
            _ => format!("one for each {}", inline_math(&row.join(", "))),
        };
        let elements = match self.tex.names.outer_dimensions(field) {
            own if own == outer => self.tex.element_at(field, &row),
            own => self.tex.list_elements(field, &row, own).replace(", ", "\\ "),
        };
        let sizes = (0..outer).filter_map(|nth| self.tex.names.find_dimension(field, nth)).cloned();
        let lines = sizes.reduce(|rows, size| rows.into_operation("*", size));
        let lines = lines.map(|lines| self.term_text(&lines)).unwrap_or_default();
        format!("{lines} lines, {which}: {}", inline_math(&elements))
    }

    /// Returns `$m$ lines: $u\ v$`, or `$t$ test cases, each:` with the items of one.
    fn write_block(&self, node: &LayoutNode) -> MarkupListItem {
        let LayoutNode::Block { count, separator, body, .. } = node else { return MarkupListItem::default() };
        let is_line = is_line_block(node);
        let (count, end) = match count {
            SyntaxCount::When(chain) => {
                let condition = inline_math(&self.tex.chain_tex(chain));
                return introduce(format!("if {condition}:"), self.write_nodes(body));
            }
            SyntaxCount::Times(times) => (self.term_text(times), String::new()),
            SyntaxCount::Until { least, most, sentinel } => {
                let end = match sentinel {
                    None => ", up to the end of the file".to_owned(),
                    Some(line) => format!(", ended by a line {}", self.markup.format_code(line)),
                };
                let (least, most) = (self.term_text(least), self.term_text(most));
                let range = if least == "$0$" { format!("at most {most}") } else { format!("{least} to {most}") };
                (range, end)
            }
        };
        let separated = match separator.as_deref() {
            None => String::new(),
            Some(b"") => ", separated by empty lines".to_owned(),
            Some(line) => format!(", separated by lines {}", self.markup.format_code(line)),
        };
        let each = match first_field(body).and_then(|name| self.tex.field(name)) {
            Some(field) if self.tex.names.is_numbered(field) => {
                format!(", the {}-th", inline_math(&self.tex.free_index(0)))
            }
            _ if !is_line => ", each".to_owned(),
            _ => String::new(),
        };
        let noun = match block_noun(node) {
            "test cases" if is_line => "test cases, each on a line",
            "groups" => "groups of lines",
            many => many,
        };
        let text = format!("{count} {noun}{end}{separated}{each}");
        match &body[..] {
            [LayoutNode::Either { alternatives, .. }] if is_line => MarkupListItem {
                text: format!("{text}, each of one of the following forms:"),
                children: self.write_alternatives(alternatives),
            },
            _ if is_line => introduce(format!("{text}:"), self.write_nodes(body)),
            _ => MarkupListItem { text: format!("{text}:"), children: self.write_nodes(body) },
        }
    }

    fn write_alternatives(&self, alternatives: &[Vec<LayoutNode>]) -> Vec<MarkupListItem> {
        // Each form is shown by its first line.
        let to_item = |nodes: &Vec<LayoutNode>| {
            let mut items = self.write_nodes(nodes).into_iter();
            let mut first = items.next().unwrap_or_default();
            first.children.extend(items);
            if !first.children.is_empty() && !first.text.ends_with(':') {
                first.text.push_str(", then:");
            }
            first
        };
        alternatives.iter().map(to_item).collect()
    }
}

/// Returns the name of the first field of a block that is not in another repetition.
fn first_field(nodes: &[LayoutNode]) -> Option<&str> {
    nodes.iter().find_map(|node| match node {
        LayoutNode::Parts(parts) => parts.iter().find_map(|part| match &part.kind {
            SyntaxPartKind::Field(field) => Some(field.name.as_str()),
            _ => None,
        }),
        LayoutNode::Either { alternatives, .. } => alternatives.iter().find_map(|nodes| first_field(nodes)),
        LayoutNode::Block { count: SyntaxCount::When(_), body, .. } => first_field(body),
        LayoutNode::Block { .. } => None,
    })
}

/// Returns one item for several: the text and the item if there is only one, or the text above them.
fn introduce(text: String, mut items: Vec<MarkupListItem>) -> MarkupListItem {
    match &mut items[..] {
        [MarkupListItem { text: only, children }] => {
            MarkupListItem { text: format!("{text} {only}"), children: std::mem::take(children) }
        }
        _ => MarkupListItem { text, children: items },
    }
}
