//! Names of fields: those of the statement where they fit, and customary ones otherwise.

use crate::layout::{FieldIndex, Node, Part, is_case_block};
use crate::observation::Observation;
use rebut_format::syntax::KEYWORDS;

/// Returns a name for each field: the stated one, or a customary one that is free.
pub(crate) fn choose_names(nodes: &[Node], fields: &[Observation], stated: &[Option<String>]) -> Vec<String> {
    let mut chooser = NameChooser { names: vec![String::new(); fields.len()], taken: Vec::new(), fields };
    for (field, name) in stated.iter().enumerate() {
        if let Some(name) = name {
            chooser.take_name(field, name);
        }
    }
    let mut sizes: Vec<FieldIndex> = Vec::new();
    nodes.iter().for_each(|node| node.visit_sizes(&mut |size, _| sizes.extend(size.fields())));
    sizes.sort_unstable();
    sizes.dedup();
    let cases = is_case_block(nodes);
    for field in sizes {
        let customary: &[&str] =
            if cases && field == 0 { &["t", "T"] } else { &["n", "m", "k", "q", "r", "c", "h", "l"] };
        chooser.choose_name(field, customary);
    }
    chooser.name_nodes(nodes, 0);
    chooser.names
}

struct NameChooser<'f> {
    names: Vec<String>,
    taken: Vec<String>,
    fields: &'f [Observation],
}

impl NameChooser<'_> {
    fn take_name(&mut self, field: FieldIndex, name: &str) {
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && !KEYWORDS.contains(&name);
        if is_name && !self.taken.iter().any(|taken| taken == name) {
            self.taken.push(name.to_owned());
            self.names[field] = name.to_owned();
        }
    }

    /// Names a field that has no name yet.
    fn choose_name(&mut self, field: FieldIndex, customary: &[&str]) {
        if !self.names[field].is_empty() {
            return;
        }
        let free = customary.iter().find(|name| !self.taken.iter().any(|taken| taken == *name));
        let first = customary.first().copied().unwrap_or("x");
        let numbered = || (2..).map(|i| format!("{first}{i}")).find(|name| !self.taken.contains(name));
        let name = free.map(|name| (*name).to_owned()).or_else(numbered).unwrap_or_default();
        self.take_name(field, &name);
    }

    fn name_nodes(&mut self, nodes: &[Node], depth: usize) {
        for node in nodes {
            match node {
                Node::Line(parts) => self.name_parts(parts, nodes.len() == 1 && depth > 0),
                Node::Block { body, .. } => self.name_nodes(body, depth + 1),
                Node::Tagged { forms, .. } => {
                    let fields: Vec<FieldIndex> = forms.iter().flat_map(|form| form.fields.clone()).collect();
                    fields.into_iter().for_each(|field| self.choose_name(field, &["x", "y", "z", "u", "v", "w"]));
                }
            }
        }
    }

    fn name_parts(&mut self, parts: &[Part], is_row: bool) {
        let tokens = parts.iter().filter(|part| matches!(part, Part::Token(_))).count();
        for part in parts {
            for field in part.fields() {
                let is_text = self.fields[field].is_text();
                let customary: &[&str] = match part {
                    Part::Text(..) if is_row => &["grid", "board", "map"],
                    Part::Text(..) => &["s", "t", "p"],
                    Part::Phrase(_) => &["line", "text"],
                    Part::Array(..) | Part::List(_) if is_text => &["words", "names"],
                    Part::Array(..) | Part::List(_) => &["a", "b", "c", "d"],
                    _ if is_text => &["s", "t", "word", "name"],
                    Part::Token(_) if is_row && (tokens == 2 || tokens == 3) => &["u", "v", "w", "x", "y", "z"],
                    _ => &["x", "y", "z", "p", "q", "r", "u", "v", "w", "g", "h"],
                };
                self.choose_name(field, customary);
            }
        }
    }
}
