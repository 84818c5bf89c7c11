//! The positions of a field in a layout, and the kinds of constraints.

use super::layout::{Layout, Node, Part};
use super::naive::{Expr, Formula, Rule};

/// The fields of a layout: two numbers, an array with its size, a text, a square matrix, a board.
pub(super) const FIELDS: &[&str] = &["xy", "a", "s", "b", "g"];

/// A place in a layout.
pub(super) struct Position {
    pub(super) name: &'static str,
    /// Puts the lines of some fields there; `None` if the position cannot hold them.
    around: fn(Vec<Node>) -> Option<Vec<Node>>,
}

impl Position {
    /// Returns the layout with these fields at the position.
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

/// Returns the lines as a form of an `either`, which starts with a keyword.
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

/// Returns the parts as a group on one line, if they are on one line.
fn group(lines: Vec<Node>) -> Option<Vec<Node>> {
    match &lines[..] {
        [Node::Line(parts)] => Some(vec![line(&[number("w"), Part::Group(parts.clone(), "w".to_owned())])]),
        _ => None,
    }
}

/// Returns all positions.
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

/// Returns ranges for the fields of a layout that are small enough to enumerate all inputs.
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

fn name(name: &str) -> Expr {
    Expr::Name(name.to_owned())
}

fn at(name: &str, index: Expr) -> Expr {
    Expr::At(name.to_owned(), vec![index])
}

fn var(name: &str) -> Expr {
    Expr::Var(name.to_owned())
}

fn op(left: Expr, sign: char, right: Expr) -> Expr {
    Expr::Op(sign, Box::new(left), Box::new(right))
}

fn fold(fold: &'static str, inner: Expr) -> Expr {
    Expr::Fold(fold, Box::new(inner))
}

fn count(inner: Expr, value: Expr) -> Expr {
    Expr::Count(Box::new(inner), Box::new(value))
}

fn cmp(left: Expr, sign: &'static str, right: Expr) -> Formula {
    Formula::Cmp(left, sign, right)
}

fn quant(every: bool, name: &str, last: &Expr, body: Formula) -> Formula {
    Formula::Quant(every, name.to_owned(), Expr::Num(1), last.clone(), Box::new(body))
}

/// Returns all kinds of constraints on the fields of a layout.
pub(super) fn kinds(layout: &Layout, fields: &str) -> Vec<Rule> {
    match fields {
        "xy" => {
            let mut found = of_numbers();
            found.extend(by_repetition(layout));
            found
        }
        "a" => of_arrays(),
        "s" => of_texts(),
        "b" => vec![
            Rule::Symmetric("b".to_owned()),
            Rule::Holds(cmp(fold("sum", name("b")), "<=", Expr::Num(2))),
            Rule::Holds(cmp(fold("sum", fold("max", name("b"))), "<=", Expr::Num(0))),
            Rule::Holds(cmp(Expr::At("b".to_owned(), vec![Expr::Num(1), Expr::Num(2)]), "=", Expr::Num(1))),
        ],
        _ => vec![
            Rule::DistinctTexts("g".to_owned()),
            Rule::Holds(cmp(count(name("g"), Expr::Letter('a')), "=", Expr::Num(1))),
            Rule::Holds(cmp(fold("sum", count(name("g"), Expr::Letter('a'))), "<=", Expr::Num(1))),
        ],
    }
}

fn of_numbers() -> Vec<Rule> {
    let (x, y, num) = (|| name("x"), || name("y"), Expr::Num);
    let holds = |left, sign, right| Rule::Holds(cmp(left, sign, right));
    let mut found = vec![
        holds(x(), "<", y()),
        holds(x(), "!=", num(2)),
        holds(op(x(), '*', y()), "<=", num(4)),
        holds(op(num(4), '/', op(x(), '-', num(1))), ">=", num(0)),
        Rule::TupleCmp(vec![x(), y()], false, vec![num(1), num(2)]),
        Rule::TupleCmp(vec![x(), y()], true, vec![y(), x()]),
        Rule::Holds(Formula::Implies(Box::new(cmp(x(), "=", num(1))), Box::new(cmp(y(), "=", num(2))))),
        Rule::Distinct(vec![x()]),
        Rule::Distinct(vec![x(), y()]),
        Rule::Distinct(vec![op(x(), '+', y())]),
        Rule::Distinct(vec![op(num(4), '/', op(x(), '-', num(1)))]),
        Rule::Permutation("x".to_owned(), num(1), num(2)),
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
        Rule::Holds(Formula::Or(
            Box::new(cmp(fold("sum", x()), "<=", num(2))),
            Box::new(cmp(fold("max", y()), "=", num(1))),
        )),
    ];
    for order in ["sorted", "increasing", "decreasing", "nonincreasing", "nondecreasing"] {
        found.push(Rule::Ordered(order, x()));
    }
    found.push(Rule::Ordered("sorted", op(x(), '-', y())));
    found
}

/// Constraints on numbers of particular repetitions.
fn by_repetition(layout: &Layout) -> Vec<Rule> {
    let block = layout.fields["x"].0;
    let times = layout.repetition(block).and_then(|block| layout.blocks[block].count.clone());
    let (xi, yi, xj) = (|| at("x", var("i")), || at("y", var("i")), || at("x", var("j")));
    let one = || cmp(at("x", Expr::Num(1)), "=", Expr::Num(2));
    let mut found = vec![
        Rule::Holds(one()),
        Rule::Holds(Formula::Not(Box::new(one()))),
        Rule::Holds(Formula::Implies(Box::new(one()), Box::new(cmp(at("y", Expr::Num(1)), "=", Expr::Num(1))))),
        Rule::Holds(Formula::Or(Box::new(one()), Box::new(cmp(at("x", Expr::Num(2)), "=", Expr::Num(3))))),
    ];
    let Some(times) = times else { return found };
    let times = name(&times);
    let before = op(times.clone(), '-', Expr::Num(1));
    let next = at("x", op(var("i"), '+', Expr::Num(1)));
    found.extend([
        Rule::Holds(quant(true, "i", &times, cmp(xi(), "<=", yi()))),
        Rule::Holds(quant(true, "i", &before, cmp(xi(), "<", next))),
        Rule::Holds(quant(false, "i", &times, cmp(xi(), "=", Expr::Num(3)))),
        Rule::Holds(Formula::Not(Box::new(quant(true, "i", &times, cmp(xi(), "<=", Expr::Num(2)))))),
        Rule::Holds(quant(
            true,
            "i",
            &times,
            Formula::Implies(Box::new(cmp(xi(), "=", Expr::Num(1))), Box::new(cmp(yi(), "=", Expr::Num(2)))),
        )),
        Rule::Holds(quant(false, "i", &times, quant(true, "j", &times, cmp(op(xi(), '+', xj()), ">", Expr::Num(2))))),
        Rule::Holds(quant(true, "i", &times, quant(false, "j", &times, cmp(op(xi(), '+', xj()), "=", Expr::Num(4))))),
        Rule::Holds(quant(true, "i", &times, cmp(at("x", xi()), ">=", Expr::Num(2)))),
        Rule::Holds(cmp(fold("sum", at("x", name("x"))), "<=", Expr::Num(3))),
    ]);
    found
}

fn of_arrays() -> Vec<Rule> {
    let (a, num) = (|| name("a"), Expr::Num);
    let holds = |left, sign, right| Rule::Holds(cmp(left, sign, right));
    vec![
        holds(a(), "<=", num(2)),
        holds(a(), "<=", name("k")),
        Rule::Distinct(vec![a()]),
        Rule::Distinct(vec![name("k")]),
        Rule::Distinct(vec![fold("sum", a())]),
        Rule::Distinct(vec![fold("max", a())]),
        Rule::Ordered("sorted", a()),
        Rule::Ordered("increasing", fold("sum", a())),
        Rule::Permutation("a".to_owned(), num(1), name("k")),
        holds(fold("sum", a()), "<=", num(3)),
        holds(fold("max", a()), ">=", num(3)),
        holds(fold("min", a()), "<=", num(1)),
        holds(count(a(), num(1)), "=", num(1)),
        holds(fold("sum", fold("sum", a())), "<=", num(3)),
        holds(fold("min", fold("min", a())), ">=", num(2)),
        holds(fold("sum", name("k")), "<=", num(1)),
        holds(fold("sum", count(a(), num(1))), ">=", num(1)),
        holds(at("a", num(1)), "=", num(2)),
        Rule::Holds(quant(true, "i", &name("k"), cmp(at("a", var("i")), "!=", var("i")))),
        Rule::Holds(quant(false, "i", &name("k"), cmp(at("a", var("i")), "=", num(2)))),
        holds(Expr::At("a".to_owned(), vec![num(1), num(1)]), "=", num(2)),
    ]
}

fn of_texts() -> Vec<Rule> {
    let holds = |left, sign, right| Rule::Holds(cmp(left, sign, right));
    vec![
        Rule::DistinctTexts("s".to_owned()),
        Rule::TextCmp("s".to_owned(), "!=", "ab"),
        Rule::TextCmp("s".to_owned(), "<", "b"),
        holds(Expr::Len("s".to_owned()), "<=", Expr::Num(1)),
        holds(count(name("s"), Expr::Letter('a')), "=", Expr::Num(1)),
        holds(fold("sum", count(name("s"), Expr::Letter('a'))), "<=", Expr::Num(1)),
        holds(fold("sum", Expr::Len("s".to_owned())), "<=", Expr::Num(1)),
        Rule::Ordered("sorted", Expr::Len("s".to_owned())),
        Rule::Distinct(vec![Expr::Len("s".to_owned())]),
        holds(at("s", Expr::Num(1)), "=", Expr::Letter('a')),
    ]
}
