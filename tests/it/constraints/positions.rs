//! The positions that a field can have in a layout, and the kinds of constraints.

use super::layout::{Layout, Node, Part};
use super::naive::{E, F, R};

/// The fields that a layout is made for: two numbers, an array with its size, a text, a square, a board.
pub(super) const FIELDS: &[&str] = &["xy", "a", "s", "b", "g"];

/// A place in a layout.
pub(super) struct Position {
    pub(super) name: &'static str,
    /// Puts the lines of some fields there; `None` if they cannot stand there.
    around: fn(Vec<Node>) -> Option<Vec<Node>>,
}

impl Position {
    /// The layout with these fields at the position.
    pub(super) fn layout(&self, fields: &str) -> Option<Layout> {
        Some(Layout::new((self.around)(lines(fields))?))
    }
}

fn number(name: &str) -> Part {
    Part::Number(name.to_owned())
}

fn line(parts: &[Part]) -> Node {
    Node::Line(parts.to_vec())
}

fn word(word: &str) -> Part {
    Part::Word(word.to_owned())
}

fn lines(fields: &str) -> Vec<Node> {
    match fields {
        "xy" => vec![line(&[number("x"), number("y")])],
        "a" => vec![line(&[number("k")]), line(&[Part::Array("a".to_owned(), "k".to_owned())])],
        "s" => vec![line(&[Part::Text("s".to_owned())])],
        "b" => vec![Node::Rows("b".to_owned(), "2".to_owned())],
        _ => vec![Node::Board("g".to_owned(), "2".to_owned())],
    }
}

/// The lines as a form of an `either`, which a word begins.
fn form(lines: Vec<Node>) -> Vec<Node> {
    let mut form = vec![line(&[word("f")])];
    let mut lines = lines.into_iter();
    match lines.next() {
        Some(Node::Line(parts)) => {
            form = vec![Node::Line([vec![word("f")], parts].concat())];
        }
        Some(other) => form.push(other),
        None => {}
    }
    form.extend(lines);
    form
}

fn either(lines: Vec<Node>) -> Node {
    Node::Either(vec![form(lines), vec![line(&[word("g"), number("z")])]])
}

fn repeat(count: &str, body: Vec<Node>) -> Vec<Node> {
    vec![line(&[number(count)]), Node::Repeat(count.to_owned(), body)]
}

fn condition(lines: Vec<Node>) -> Vec<Node> {
    vec![line(&[number("t")]), Node::If("t".to_owned(), 1, lines)]
}

fn cases(body: Vec<Node>) -> Vec<Node> {
    vec![line(&[number("T")]), Node::Cases("T".to_owned(), body)]
}

/// The parts as a group on one line, where they are parts of one line.
fn group(lines: Vec<Node>) -> Option<Vec<Node>> {
    match &lines[..] {
        [Node::Line(parts)] => Some(vec![line(&[number("w"), Part::Group(parts.clone(), "w".to_owned())])]),
        _ => None,
    }
}

/// All positions.
pub(super) fn positions() -> Vec<Position> {
    let position = |name, around| Position { name, around };
    vec![
        position("top", |lines| Some([vec![line(&[number("n")])], lines].concat())),
        position("cases", |lines| Some(cases(lines))),
        position("repeat", |lines| Some(repeat("m", lines))),
        position("nested repeat", |lines| Some(repeat("m", repeat("q", lines)))),
        position("cases, repeat", |lines| Some(cases(repeat("m", lines)))),
        position("either at the top", |lines| Some(vec![either(lines)])),
        position("if at the top", |lines| Some(condition(lines))),
        position("repeat, either", |lines| Some(repeat("m", vec![either(lines)]))),
        position("repeat, if", |lines| Some(repeat("m", condition(lines)))),
        position("cases, either", |lines| Some(cases(vec![either(lines)]))),
        position("cases, if", |lines| Some(cases(condition(lines)))),
        position("repeat, either, if", |lines| {
            Some(repeat("m", vec![Node::Either(vec![form(condition(lines)), vec![line(&[word("g")])]])]))
        }),
        position("repeat, if, either", |lines| Some(repeat("m", condition(vec![either(lines)])))),
        position("repeat, either, repeat", |lines| Some(repeat("m", vec![either(repeat("q", lines))]))),
        position("if, repeat", |lines| Some(condition(repeat("m", lines)))),
        position("if, repeat, either", |lines| Some(condition(repeat("m", vec![either(lines)])))),
        position("until", |lines| Some(vec![Node::Until(2, lines)])),
        position("until, either", |lines| Some(vec![Node::Until(2, vec![either(lines)])])),
        position("until eof, either", |lines| Some(vec![Node::UntilEnd(2, vec![either(lines)])])),
        position("group", group),
        position("repeat, group", |lines| Some(repeat("m", group(lines)?))),
        position("repeat, either, group", |lines| {
            Some(repeat("m", vec![Node::Either(vec![form(group(lines)?), vec![line(&[word("g")])]])]))
        }),
    ]
}

/// What is said of the fields of a layout whatever else is: few values, so that all inputs can be looked at.
pub(super) fn ranges(layout: &Layout) -> String {
    let range = |name: &str| match name.trim_end_matches(|c: char| c.is_ascii_digit()) {
        "s" => "    s over \"ab\"\n    1 <= len(s) <= 2\n".to_owned(),
        "g" => "    g over \"ab\"\n".to_owned(),
        "n" | "T" | "t" => format!("    1 <= {name} <= 2\n"),
        "m" | "k" | "q" | "w" => format!("    0 <= {name} <= 2\n"),
        "b" => "    0 <= b <= 1\n".to_owned(),
        "z" => "    1 <= z <= 1\n".to_owned(),
        _ => format!("    1 <= {name} <= 3\n"),
    };
    layout.fields.keys().map(|name| range(name)).collect()
}

fn name(name: &str) -> E {
    E::Name(name.to_owned())
}

fn at(name: &str, index: E) -> E {
    E::At(name.to_owned(), vec![index])
}

fn var(name: &str) -> E {
    E::Var(name.to_owned())
}

fn op(left: E, sign: char, right: E) -> E {
    E::Op(sign, Box::new(left), Box::new(right))
}

fn fold(fold: &'static str, inner: E) -> E {
    E::Fold(fold, Box::new(inner))
}

fn count(inner: E, value: E) -> E {
    E::Count(Box::new(inner), Box::new(value))
}

fn cmp(left: E, sign: &'static str, right: E) -> F {
    F::Cmp(left, sign, right)
}

fn quant(every: bool, name: &str, last: &E, body: F) -> F {
    F::Quant(every, name.to_owned(), E::Num(1), last.clone(), Box::new(body))
}

/// All kinds of constraints on the fields of a layout.
pub(super) fn kinds(layout: &Layout, fields: &str) -> Vec<R> {
    match fields {
        "xy" => {
            let mut found = of_numbers();
            found.extend(by_repetition(layout));
            found
        }
        "a" => of_arrays(),
        "s" => of_texts(),
        "b" => vec![
            R::Symmetric("b".to_owned()),
            R::Holds(cmp(fold("sum", name("b")), "<=", E::Num(2))),
            R::Holds(cmp(fold("sum", fold("max", name("b"))), "<=", E::Num(0))),
            R::Holds(cmp(E::At("b".to_owned(), vec![E::Num(1), E::Num(2)]), "=", E::Num(1))),
        ],
        _ => vec![
            R::DistinctTexts("g".to_owned()),
            R::Holds(cmp(count(name("g"), E::Letter('a')), "=", E::Num(1))),
            R::Holds(cmp(fold("sum", count(name("g"), E::Letter('a'))), "<=", E::Num(1))),
        ],
    }
}

fn of_numbers() -> Vec<R> {
    let (x, y, num) = (|| name("x"), || name("y"), E::Num);
    let holds = |left, sign, right| R::Holds(cmp(left, sign, right));
    let mut found = vec![
        holds(x(), "<", y()),
        holds(x(), "!=", num(2)),
        holds(op(x(), '*', y()), "<=", num(4)),
        holds(op(num(4), '/', op(x(), '-', num(1))), ">=", num(0)),
        R::TupleCmp(vec![x(), y()], false, vec![num(1), num(2)]),
        R::TupleCmp(vec![x(), y()], true, vec![y(), x()]),
        R::Holds(F::Implies(Box::new(cmp(x(), "=", num(1))), Box::new(cmp(y(), "=", num(2))))),
        R::Distinct(vec![x()]),
        R::Distinct(vec![x(), y()]),
        R::Distinct(vec![op(x(), '+', y())]),
        R::Distinct(vec![op(num(4), '/', op(x(), '-', num(1)))]),
        R::Permutation("x".to_owned(), num(1), num(2)),
        holds(fold("sum", x()), "<=", num(2)),
        holds(fold("sum", x()), ">=", num(3)),
        holds(fold("sum", x()), "=", num(4)),
        holds(fold("sum", op(x(), '*', y())), "<=", num(4)),
        holds(fold("max", x()), ">=", num(3)),
        holds(fold("min", x()), "<=", num(1)),
        holds(count(x(), num(1)), "=", num(1)),
        holds(count(x(), num(1)), "<=", num(0)),
        holds(count(x(), num(3)), ">=", num(1)),
        holds(fold("sum", fold("sum", x())), "<=", num(2)),
        holds(fold("sum", fold("max", x())), "<=", num(2)),
        holds(y(), "<=", fold("sum", op(x(), '-', num(1)))),
        R::Holds(F::Or(Box::new(cmp(fold("sum", x()), "<=", num(2))), Box::new(cmp(fold("max", y()), "=", num(1))))),
    ];
    for order in ["sorted", "increasing", "decreasing", "nonincreasing", "nondecreasing"] {
        found.push(R::Ordered(order, x()));
    }
    found.push(R::Ordered("sorted", op(x(), '-', y())));
    found
}

/// Of numbers of certain repetitions.
fn by_repetition(layout: &Layout) -> Vec<R> {
    let block = layout.fields["x"].0;
    let times = layout.repetition(block).and_then(|block| layout.blocks[block].count.clone());
    let (xi, yi, xj) = (|| at("x", var("i")), || at("y", var("i")), || at("x", var("j")));
    let one = || cmp(at("x", E::Num(1)), "=", E::Num(2));
    let mut found = vec![
        R::Holds(one()),
        R::Holds(F::Not(Box::new(one()))),
        R::Holds(F::Implies(Box::new(one()), Box::new(cmp(at("y", E::Num(1)), "=", E::Num(1))))),
        R::Holds(F::Or(Box::new(one()), Box::new(cmp(at("x", E::Num(2)), "=", E::Num(3))))),
    ];
    let Some(times) = times else { return found };
    let times = name(&times);
    let before = op(times.clone(), '-', E::Num(1));
    let next = at("x", op(var("i"), '+', E::Num(1)));
    found.extend([
        R::Holds(quant(true, "i", &times, cmp(xi(), "<=", yi()))),
        R::Holds(quant(true, "i", &before, cmp(xi(), "<", next))),
        R::Holds(quant(false, "i", &times, cmp(xi(), "=", E::Num(3)))),
        R::Holds(F::Not(Box::new(quant(true, "i", &times, cmp(xi(), "<=", E::Num(2)))))),
        R::Holds(quant(
            true,
            "i",
            &times,
            F::Implies(Box::new(cmp(xi(), "=", E::Num(1))), Box::new(cmp(yi(), "=", E::Num(2)))),
        )),
        R::Holds(quant(false, "i", &times, quant(true, "j", &times, cmp(op(xi(), '+', xj()), ">", E::Num(2))))),
        R::Holds(quant(true, "i", &times, quant(false, "j", &times, cmp(op(xi(), '+', xj()), "=", E::Num(4))))),
        R::Holds(quant(true, "i", &times, cmp(at("x", xi()), ">=", E::Num(2)))),
        R::Holds(cmp(fold("sum", at("x", name("x"))), "<=", E::Num(3))),
    ]);
    found
}

fn of_arrays() -> Vec<R> {
    let (a, num) = (|| name("a"), E::Num);
    let holds = |left, sign, right| R::Holds(cmp(left, sign, right));
    vec![
        holds(a(), "<=", num(2)),
        holds(a(), "<=", name("k")),
        R::Distinct(vec![a()]),
        R::Distinct(vec![name("k")]),
        R::Distinct(vec![fold("sum", a())]),
        R::Distinct(vec![fold("max", a())]),
        R::Ordered("sorted", a()),
        R::Ordered("increasing", fold("sum", a())),
        R::Permutation("a".to_owned(), num(1), name("k")),
        holds(fold("sum", a()), "<=", num(3)),
        holds(fold("max", a()), ">=", num(3)),
        holds(fold("min", a()), "<=", num(1)),
        holds(count(a(), num(1)), "=", num(1)),
        holds(fold("sum", fold("sum", a())), "<=", num(3)),
        holds(fold("min", fold("min", a())), ">=", num(2)),
        holds(fold("sum", name("k")), "<=", num(1)),
        holds(fold("sum", count(a(), num(1))), ">=", num(1)),
        holds(at("a", num(1)), "=", num(2)),
        R::Holds(quant(true, "i", &name("k"), cmp(at("a", var("i")), "!=", var("i")))),
        R::Holds(quant(false, "i", &name("k"), cmp(at("a", var("i")), "=", num(2)))),
        holds(E::At("a".to_owned(), vec![num(1), num(1)]), "=", num(2)),
    ]
}

fn of_texts() -> Vec<R> {
    let holds = |left, sign, right| R::Holds(cmp(left, sign, right));
    vec![
        R::DistinctTexts("s".to_owned()),
        R::TextCmp("s".to_owned(), "!=", "ab"),
        R::TextCmp("s".to_owned(), "<", "b"),
        holds(E::Len("s".to_owned()), "<=", E::Num(1)),
        holds(count(name("s"), E::Letter('a')), "=", E::Num(1)),
        holds(fold("sum", count(name("s"), E::Letter('a'))), "<=", E::Num(1)),
        holds(fold("sum", E::Len("s".to_owned())), "<=", E::Num(1)),
        R::Ordered("sorted", E::Len("s".to_owned())),
        R::Distinct(vec![E::Len("s".to_owned())]),
        holds(at("s", E::Num(1)), "=", E::Letter('a')),
    ]
}
