//! Layouts as syntax trees of formats.

use crate::layout::{Count, Node, Part, Size, TagForm, is_case_block};
use crate::rules::RuleMaker;
use rebut_diagnostics::SourceText;
use rebut_format::syntax::{LayoutNode, SyntaxTerm, SyntaxTree};

/// The numbers of repetitions of a block that the input ends: a guess.
pub(crate) const REPETITIONS: &str = "1..100";

impl RuleMaker<'_> {
    /// Returns the lines of the layout.
    pub(crate) fn render_layout(&self) -> Vec<LayoutNode> {
        let nodes = self.nodes;
        let cases = is_case_block(nodes).then_some(nodes.len() - 1);
        let kind = |at: usize| if cases == Some(at) { "cases" } else { "repeat" };
        let lines: Vec<String> =
            nodes.iter().enumerate().flat_map(|(at, node)| self.render_node(node, kind(at))).collect();
        SyntaxTree::parse_leniently(&SourceText::new("layout", lines.join("\n").as_bytes())).layout
    }

    /// Returns the lines of a node. A block begins with `repeat` or with `cases`.
    fn render_node(&self, node: &Node, kind: &str) -> Vec<String> {
        match node {
            Node::Line(parts) if parts.is_empty() => vec![quoted("")],
            Node::Line(parts) => vec![self.render_parts(parts)],
            Node::Block { count, body } => {
                if let (Some(row), "repeat") = (self.render_rows(count, body), kind) {
                    return vec![row];
                }
                let count = match count {
                    Count::Times(size) => self.render_size(size),
                    Count::UntilEof => format!("{REPETITIONS} until eof"),
                    Count::UntilLine(line) => {
                        let words: Vec<String> = line.iter().map(|word| quoted(word)).collect();
                        format!("{REPETITIONS} until {}", words.join(" "))
                    }
                };
                let body = body.iter().flat_map(|node| self.render_node(node, "repeat"));
                let body = body.map(|line| format!("    {line}"));
                std::iter::once(format!("{kind} {count}:")).chain(body).collect()
            }
            Node::Either(forms) => {
                let form = |one: &TagForm| format!("    {} {}", quoted(&one.tag), self.render_parts(&one.parts));
                std::iter::once("either:".to_owned()).chain(forms.iter().map(form)).collect()
            }
        }
    }

    /// Returns a repeated line of one array or text as rows: `V[R][C]`.
    fn render_rows(&self, count: &Count, body: &[Node]) -> Option<String> {
        let (Count::Times(rows), [Node::Line(parts)]) = (count, body) else { return None };
        let [part] = &parts[..] else { return None };
        let is_text = self.fields[part.field()].is_text();
        let columns = match part {
            Part::Array(_, columns) if !is_text => self.render_size(columns),
            Part::Text(_, columns) => self.render_size(columns),
            Part::List(_) if !is_text => String::new(),
            _ => return None,
        };
        Some(format!("{}[{}][{columns}]", self.names[part.field()], self.render_size(rows)))
    }

    fn render_parts(&self, parts: &[Part]) -> String {
        parts.iter().map(|part| self.render_part(part)).collect::<Vec<_>>().join(" ")
    }

    fn render_part(&self, part: &Part) -> String {
        let name = &self.names[part.field()];
        let observed = &self.fields[part.field()];
        let letters = if observed.is_letter() { "[1]" } else { "" };
        match part {
            Part::Token(_) => format!("{name}{letters}"),
            Part::Phrase(_) => name.clone(),
            Part::Array(_, size) if observed.is_text() => {
                format!("({name}[{}]{})", self.render_size(size), if letters.is_empty() { "[]" } else { letters })
            }
            Part::Text(_, size) | Part::Array(_, size) => format!("{name}[{}]", self.render_size(size)),
            Part::List(_) => format!("{name}[]"),
        }
    }

    fn render_size(&self, size: &Size) -> String {
        size.to_term(|field| SyntaxTerm::from_name(self.names[field].clone())).to_string()
    }
}

/// Returns a word as a format spells it.
fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
}
