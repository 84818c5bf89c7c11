//! Random constraints on random layouts.

use super::layout::{Layout, Node, Part};
use super::naive::{Expr, Formula, Rule};
use rebut_generators::Choices;

/// Returns a random layout of few blocks and fields.
pub(super) fn layout(choices: &mut Choices) -> Layout {
    let mut maker = Maker { choices, fields: 0, words: 0 };
    let nodes = [maker.node(0, 0), maker.nodes(0)].concat();
    Layout::new(nodes)
}

struct Maker<'c> {
    choices: &'c mut Choices,
    fields: usize,
    words: usize,
}

/// Maximum depth of nested blocks.
const DEEPEST: usize = 3;

impl Maker<'_> {
    fn name(&mut self, kind: char) -> String {
        self.fields += 1;
        format!("{kind}{}", self.fields)
    }

    fn nodes(&mut self, depth: usize) -> Vec<Node> {
        let count = self.choices.draw_range(1, if depth == 0 { 3 } else { 2 });
        let mut found: Vec<Node> = Vec::new();
        for i in 0..count {
            // The first field of a repetition that a line ends must not look like that line.
            let next = if depth == DEEPEST || i == 0 && depth > 0 { 0 } else { self.choices.draw_range(0, 8) };
            found.extend(self.node(next, depth));
            if matches!(found.last(), Some(Node::UntilEnd(..))) {
                break;
            }
        }
        found
    }

    fn node(&mut self, which: i128, depth: usize) -> Vec<Node> {
        let line = |parts: Vec<Part>| Node::Line(parts);
        match which {
            0 | 1 => {
                let mut parts = vec![Part::Number(self.name('x'))];
                if self.choices.draw_chance(1, 2) {
                    parts.push(Part::Number(self.name('x')));
                }
                vec![line(parts)]
            }
            2 => {
                let (size, array) = (self.name('m'), self.name('a'));
                vec![line(vec![Part::Number(size.clone())]), line(vec![Part::Array(array, size)])]
            }
            3 | 4 => {
                let count = self.name('m');
                vec![line(vec![Part::Number(count.clone())]), Node::Repeat(count, self.nodes(depth + 1))]
            }
            5 => {
                let selector = self.name('t');
                vec![line(vec![Part::Number(selector.clone())]), Node::If(selector, 1, self.nodes(depth + 1))]
            }
            6 | 7 => {
                let forms = (0..self.choices.draw_range(2, 3)).map(|_| self.form(depth)).collect();
                vec![Node::Either(forms)]
            }
            _ => {
                let count = self.name('m');
                let group =
                    Part::Group(vec![Part::Number(self.name('x')), Part::Number(self.name('x'))], count.clone());
                vec![line(vec![Part::Number(count), group])]
            }
        }
    }

    fn form(&mut self, depth: usize) -> Vec<Node> {
        self.words += 1;
        let mut first = vec![Part::Word(format!("w{}", self.words))];
        if self.choices.draw_chance(2, 3) {
            first.push(Part::Number(self.name('x')));
        }
        let mut form = vec![Node::Line(first)];
        if depth + 1 < DEEPEST && self.choices.draw_chance(1, 3) {
            form.extend(self.nodes(depth + 1));
        }
        form
    }
}

/// Returns a random constraint on a layout.
pub(super) fn rule(layout: &Layout, choices: &mut Choices) -> Rule {
    let blocks: Vec<usize> = layout.fields.values().map(|field| field.0).collect();
    let focus = blocks[choices.draw_index(blocks.len())];
    let mut author = Author { layout, choices, focus, variables: Vec::new() };
    match author.choices.draw_range(0, 9) {
        0 => Rule::Distinct(vec![author.expr(1)]),
        1 => Rule::Distinct(vec![author.expr(1), author.expr(0)]),
        2 => {
            let order = author.pick(&["sorted", "increasing", "decreasing", "nonincreasing"]);
            Rule::Ordered(order, author.expr(1))
        }
        3 => Rule::TupleCmp(
            vec![author.single(0), author.single(1)],
            author.choices.draw_chance(1, 3),
            vec![author.single(0), author.single(0)],
        ),
        4 | 5 => Rule::Holds(Formula::Cmp(author.folded(), author.sign(), author.single(0))),
        _ => Rule::Holds(author.formula(2)),
    }
}

struct Author<'l> {
    layout: &'l Layout,
    choices: &'l mut Choices,
    /// The block from which most fields are seen.
    focus: usize,
    variables: Vec<String>,
}

impl Author<'_> {
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.choices.draw_index(from.len())]
    }

    fn sign(&mut self) -> &'static str {
        self.pick(&["<", "<=", ">", ">=", "=", "!="])
    }

    fn field(&mut self, rank: usize) -> Option<String> {
        let anywhere = self.choices.draw_chance(1, 20);
        let is_seen = |block: usize| anywhere || self.layout.is_within(self.focus, block);
        let fields = self.layout.fields.iter().filter(|(_, f)| f.1 == rank && is_seen(f.0));
        let all: Vec<&String> = fields.map(|(name, _)| name).collect();
        (!all.is_empty()).then(|| self.pick(&all).clone())
    }

    /// A single number, or each element of an array.
    fn expr(&mut self, depth: usize) -> Expr {
        match self.field(1).filter(|_| self.choices.draw_chance(1, 3)) {
            Some(array) => Expr::Name(array),
            None => self.single(depth),
        }
    }

    fn single(&mut self, depth: usize) -> Expr {
        let choice = self.choices.draw_range(0, if depth == 0 { 5 } else { 9 });
        match choice {
            0 => Expr::Num(self.choices.draw_range(0, 4)),
            1..=3 => self.field(0).map_or(Expr::Num(1), Expr::Name),
            4 | 5 => self.element(depth),
            6 => self.folded(),
            _ => {
                let sign = self.pick(&['+', '-', '*', '/']);
                Expr::Op(sign, Box::new(self.single(depth - 1)), Box::new(self.single(depth - 1)))
            }
        }
    }

    fn element(&mut self, depth: usize) -> Expr {
        let rank = usize::from(self.choices.draw_chance(1, 4));
        let Some(name) = self.field(rank) else { return Expr::Num(2) };
        let times = if rank == 0 || self.choices.draw_chance(1, 3) { rank + 1 } else { rank };
        let indices = (0..times).map(|_| self.index(depth)).collect();
        Expr::At(name, indices)
    }

    fn index(&mut self, depth: usize) -> Expr {
        let variables = self.variables.clone();
        match self.choices.draw_range(0, 9) {
            0 => Expr::Num(1),
            1 => Expr::Num(2),
            2 if depth > 0 => self.single(depth - 1),
            _ if variables.is_empty() => Expr::Num(1),
            _ => Expr::Var(variables[self.choices.draw_index(variables.len())].clone()),
        }
    }

    fn folded(&mut self) -> Expr {
        let inner = if self.choices.draw_chance(1, 4) { self.folded_once() } else { self.expr(1) };
        self.fold(inner)
    }

    fn folded_once(&mut self) -> Expr {
        let inner = self.expr(0);
        self.fold(inner)
    }

    fn fold(&mut self, inner: Expr) -> Expr {
        match self.choices.draw_range(0, 3) {
            0 => Expr::Count(Box::new(inner), Box::new(Expr::Num(self.choices.draw_range(1, 3)))),
            _ => Expr::Fold(self.pick(&["sum", "min", "max"]), Box::new(inner)),
        }
    }

    fn formula(&mut self, depth: usize) -> Formula {
        let boxed = Box::new;
        match self.choices.draw_range(if depth == 0 { 8 } else { 0 }, 9) {
            0 => Formula::Not(boxed(self.formula(depth - 1))),
            1 => Formula::And(boxed(self.formula(depth - 1)), boxed(self.formula(depth - 1))),
            2 => Formula::Or(boxed(self.formula(depth - 1)), boxed(self.formula(depth - 1))),
            3 => Formula::Implies(boxed(self.formula(depth - 1)), boxed(self.formula(depth - 1))),
            4..=7 => {
                let name = ["i", "j", "k"][self.variables.len()].to_owned();
                let last = match self.field(0).filter(|_| self.choices.draw_chance(1, 2)) {
                    Some(count) => Expr::Name(count),
                    None => Expr::Num(2),
                };
                self.variables.push(name.clone());
                let body = self.formula(depth - 1);
                self.variables.pop();
                Formula::Quant(self.choices.draw_chance(1, 2), name, Expr::Num(1), last, boxed(body))
            }
            _ => Formula::Cmp(self.single(1), self.sign(), self.single(1)),
        }
    }
}
