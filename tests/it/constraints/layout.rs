//! Layouts of few fields and the values of their inputs, read without the reader under test.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A part of a line.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Number(String),
    /// As many numbers on a line as another number states.
    Array(String, String),
    Text(String),
    Word(String),
    /// Parts that are repeated on the line.
    Group(Vec<Part>, String),
}

/// A part of a layout with lines of its own.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Line(Vec<Part>),
    /// Rows of two numbers each.
    Rows(String, String),
    /// Rows of two letters.
    Board(String, String),
    Cases(String, Vec<Node>),
    Repeat(String, Vec<Node>),
    /// At most this many, up to a line `0`.
    Until(usize, Vec<Node>),
    /// Up to the end of the input.
    UntilEnd(usize, Vec<Node>),
    If(String, i128, Vec<Node>),
    /// Each form starts with a keyword.
    Either(Vec<Vec<Node>>),
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FieldValue {
    Number(i128),
    Row(Vec<i128>),
    Rows(Vec<Vec<i128>>),
}

/// An instance of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Instance {
    pub(super) fields: BTreeMap<String, FieldValue>,
    pub(super) kids: BTreeMap<usize, Vec<Instance>>,
}

/// A block: its parent, and whether it is repeated or optional.
#[derive(Clone, Debug)]
pub(super) struct LayoutBlock {
    pub(super) parent: Option<usize>,
    pub(super) repeated: bool,
    pub(super) count: Option<String>,
}

/// A layout, its blocks, and the block and dimensions of each field.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) nodes: Vec<Node>,
    pub(super) blocks: Vec<LayoutBlock>,
    pub(super) fields: BTreeMap<String, (usize, usize)>,
}

impl Layout {
    pub(super) fn new(nodes: Vec<Node>) -> Layout {
        let whole = LayoutBlock { parent: None, repeated: false, count: None };
        let mut layout = Layout { nodes: Vec::new(), blocks: vec![whole], fields: BTreeMap::new() };
        layout.declare(&nodes, 0);
        layout.nodes = nodes;
        layout
    }

    fn declare(&mut self, nodes: &[Node], block: usize) {
        for node in nodes {
            match node {
                Node::Line(parts) => self.declare_parts(parts, block),
                Node::Rows(name, _) | Node::Board(name, _) => {
                    self.fields.insert(name.clone(), (block, 2));
                }
                Node::Cases(count, body) | Node::Repeat(count, body) => {
                    let child = self.open(block, true, Some(count.clone()));
                    self.declare(body, child);
                }
                Node::Until(_, body) | Node::UntilEnd(_, body) => {
                    let child = self.open(block, true, None);
                    self.declare(body, child);
                }
                Node::If(_, _, body) => {
                    let child = self.open(block, false, None);
                    self.declare(body, child);
                }
                Node::Either(forms) => {
                    for form in forms {
                        let child = self.open(block, false, None);
                        self.declare(form, child);
                    }
                }
            }
        }
    }

    fn declare_parts(&mut self, parts: &[Part], block: usize) {
        for part in parts {
            match part {
                Part::Number(name) => drop(self.fields.insert(name.clone(), (block, 0))),
                Part::Array(name, _) | Part::Text(name) => drop(self.fields.insert(name.clone(), (block, 1))),
                Part::Word(_) => {}
                Part::Group(inside, count) => {
                    let child = self.open(block, true, Some(count.clone()));
                    self.declare_parts(inside, child);
                }
            }
        }
    }

    fn open(&mut self, parent: usize, repeated: bool, count: Option<String>) -> usize {
        self.blocks.push(LayoutBlock { parent: Some(parent), repeated, count });
        self.blocks.len() - 1
    }

    /// Returns the innermost repetition at a block or around it.
    pub(super) fn repetition(&self, mut block: usize) -> Option<usize> {
        loop {
            match &self.blocks[block] {
                LayoutBlock { repeated: true, .. } => return Some(block),
                LayoutBlock { parent, .. } => block = (*parent)?,
            }
        }
    }

    pub(super) fn is_within(&self, mut inner: usize, outer: usize) -> bool {
        loop {
            if inner == outer {
                return true;
            }
            match self.blocks[inner].parent {
                Some(parent) => inner = parent,
                None => return false,
            }
        }
    }

    /// Returns the layout in the format language.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        write_nodes(&self.nodes, 0, &mut text);
        text
    }

    /// Reads an input that is known to have this layout.
    pub(super) fn read(&self, input: &str) -> Instance {
        let lines: Vec<Vec<&str>> = input.lines().map(|line| line.split(' ').collect()).collect();
        let mut reader = Reader { lines, line: 0, token: 0, block: 0 };
        let mut root = Instance::default();
        reader.nodes(&self.nodes, &mut root, &BTreeMap::new());
        assert_eq!(reader.line, reader.lines.len(), "{}{input}", self.text());
        root
    }
}

fn write_nodes(nodes: &[Node], depth: usize, text: &mut String) {
    let pad = "    ".repeat(depth);
    for node in nodes {
        let (head, body) = match node {
            Node::Line(parts) => (parts_text(parts), None),
            Node::Rows(name, rows) | Node::Board(name, rows) => (format!("{name}[{rows}][2]"), None),
            Node::Cases(count, body) => (format!("cases {count}:"), Some(body)),
            Node::Repeat(count, body) => (format!("repeat {count}:"), Some(body)),
            Node::Until(most, body) => (format!("repeat 0..{most} until 0:"), Some(body)),
            Node::UntilEnd(most, body) => (format!("repeat 0..{most} until eof:"), Some(body)),
            Node::If(field, value, body) => (format!("if {field} = {value}:"), Some(body)),
            Node::Either(forms) => {
                let _ = writeln!(text, "{pad}either:");
                for form in forms {
                    let mut inside = String::new();
                    write_nodes(&form[..1], depth + 1, &mut inside);
                    let colon = if form.len() > 1 { ":" } else { "" };
                    let _ = writeln!(text, "{}{colon}", inside.trim_end());
                    write_nodes(&form[1..], depth + 2, text);
                }
                continue;
            }
        };
        let _ = writeln!(text, "{pad}{head}");
        if let Some(body) = body {
            write_nodes(body, depth + 1, text);
        }
    }
}

fn parts_text(parts: &[Part]) -> String {
    let part = |part: &Part| match part {
        Part::Number(name) => name.clone(),
        // In brackets: `s[1]` is a letter at every position of the text.
        Part::Text(name) => format!("{name}[]"),
        Part::Array(name, size) => format!("{name}[{size}]"),
        Part::Word(word) => format!("\"{word}\""),
        Part::Group(inside, count) => format!("({})[{count}]", parts_text(inside)),
    };
    parts.iter().map(part).collect::<Vec<_>>().join(" ")
}

struct Reader<'t> {
    lines: Vec<Vec<&'t str>>,
    line: usize,
    token: usize,
    /// The number of the last block in the order of the layout.
    block: usize,
}

/// Numbers that are known at some point of the input.
type Known = BTreeMap<String, i128>;

impl<'t> Reader<'t> {
    fn nodes(&mut self, nodes: &[Node], inst: &mut Instance, known: &Known) {
        let mut known = known.clone();
        for node in nodes {
            match node {
                Node::Line(parts) => {
                    self.parts(parts, inst, &mut known);
                    self.end_line();
                }
                Node::Rows(name, rows) | Node::Board(name, rows) => {
                    let is_board = matches!(node, Node::Board(..));
                    let rows = (0..size(rows, &known)).map(|_| self.row(is_board)).collect();
                    inst.fields.insert(name.clone(), FieldValue::Rows(rows));
                }
                Node::Cases(count, body) | Node::Repeat(count, body) => {
                    let count = size(count, &known);
                    self.list(body, inst, &known, &mut |_, done| done < count);
                }
                Node::Until(_, body) => {
                    self.list(body, inst, &known, &mut |reader, _| reader.lines[reader.line] != ["0"]);
                    self.line += 1;
                }
                Node::UntilEnd(_, body) => {
                    self.list(body, inst, &known, &mut |reader, _| reader.line < reader.lines.len());
                }
                Node::If(field, value, body) => {
                    let times = usize::from(known[field] == *value);
                    self.list(body, inst, &known, &mut |_, done| done < times);
                }
                Node::Either(forms) => {
                    let word = self.lines[self.line][0];
                    for form in forms {
                        let is_it =
                            matches!(&form[0], Node::Line(parts) if matches!(&parts[0], Part::Word(w) if w == word));
                        self.list(form, inst, &known, &mut |_, done| is_it && done < 1);
                    }
                }
            }
        }
    }

    fn list(
        &mut self,
        body: &[Node],
        inst: &mut Instance,
        known: &Known,
        more: &mut dyn FnMut(&Reader<'t>, usize) -> bool,
    ) {
        self.block += 1;
        let (block, mut list) = (self.block, Vec::new());
        // Inner blocks are numbered after this one, the same in each instance.
        let after = block + blocks_in(body);
        while more(self, list.len()) {
            self.block = block;
            let mut inner = Instance::default();
            self.nodes(body, &mut inner, known);
            list.push(inner);
        }
        self.block = after;
        inst.kids.insert(block, list);
    }

    fn parts(&mut self, parts: &[Part], inst: &mut Instance, known: &mut Known) {
        for part in parts {
            match part {
                Part::Number(name) => {
                    let number = self.next().parse().unwrap();
                    known.insert(name.clone(), number);
                    inst.fields.insert(name.clone(), FieldValue::Number(number));
                }
                Part::Array(name, count) => {
                    let row = (0..size(count, known)).map(|_| self.next().parse().unwrap()).collect();
                    inst.fields.insert(name.clone(), FieldValue::Row(row));
                }
                Part::Text(name) => {
                    let row = self.next().bytes().map(i128::from).collect();
                    inst.fields.insert(name.clone(), FieldValue::Row(row));
                }
                Part::Word(word) => assert_eq!(self.next(), word),
                Part::Group(inside, count) => {
                    self.block += 1;
                    let block = self.block;
                    let mut list = Vec::new();
                    for _ in 0..size(count, known) {
                        let mut inner = Instance::default();
                        self.parts(inside, &mut inner, &mut known.clone());
                        list.push(inner);
                    }
                    inst.kids.insert(block, list);
                }
            }
        }
    }

    fn row(&mut self, is_board: bool) -> Vec<i128> {
        let line = &self.lines[self.line];
        let row = match is_board {
            true => line[0].bytes().map(i128::from).collect(),
            false => line.iter().map(|token| token.parse().unwrap()).collect(),
        };
        self.line += 1;
        row
    }

    fn next(&mut self) -> &'t str {
        self.token += 1;
        self.lines[self.line][self.token - 1]
    }

    fn end_line(&mut self) {
        let line = &self.lines[self.line];
        // An empty array leaves an empty line.
        assert!(self.token == line.len() || *line == [""] && self.token == 0, "{line:?}");
        (self.line, self.token) = (self.line + 1, 0);
    }
}

fn size(count: &str, known: &Known) -> usize {
    count.parse().unwrap_or_else(|_| usize::try_from(known[count]).unwrap())
}

fn blocks_in(nodes: &[Node]) -> usize {
    let groups = |parts: &[Part]| parts.iter().filter(|part| matches!(part, Part::Group(..))).count();
    let count = |node: &Node| match node {
        Node::Line(parts) => groups(parts),
        Node::Rows(..) | Node::Board(..) => 0,
        Node::Cases(_, body) | Node::Repeat(_, body) | Node::If(_, _, body) => 1 + blocks_in(body),
        Node::Until(_, body) | Node::UntilEnd(_, body) => 1 + blocks_in(body),
        Node::Either(forms) => forms.iter().map(|form| 1 + blocks_in(form)).sum(),
    };
    nodes.iter().map(count).sum()
}
