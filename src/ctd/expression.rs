//! Expressions and tests.
//!
//! Both are read by one climber of precedences, because a bracket may open either. checktestdata gives `&&` and `||`
//! the same precedence and reads them from the left, and its `!` takes everything up to the end of its bracket. Most
//! people read `&&` before `||`, and `!` before both; where that makes a difference, there is a warning.

use super::parse::{Parsed, Parser, unexpected};
use super::syntax::{Expr, ExprKind, Test, TestKind};
use super::token::Kind;
use crate::diagnostic::{Diagnostic, Span};

/// What was read: a value, or a test.
pub(super) enum Node {
    Expr(Expr),
    Test(Test),
}

/// How many terms a chain may have: each nests the tree one level deeper.
const MOST_TERMS: usize = 200;

/// The signs of comparisons.
const COMPARISONS: [&str; 6] = ["<=", ">=", "==", "!=", "<", ">"];

impl Parser<'_> {
    /// A value or a test.
    pub(super) fn node(&mut self) -> Parsed<Node> {
        self.deeper(Self::logic).map(|(node, _)| node)
    }

    /// Tests joined by `&&` and `||`, and how many of those there are.
    fn logic(&mut self) -> Parsed<(Node, usize)> {
        let start = self.peek().map(|t| t.span);
        let mut left = self.comparison()?;
        let mut joints: Vec<&'static str> = Vec::new();
        while let Some(joint) = ["&&", "||"].into_iter().find(|joint| self.take(joint)) {
            joints.push(joint);
            self.limit(joints.len())?;
            let first = demand_test(left)?;
            let second = demand_test(self.comparison()?)?;
            let span = first.span.to(second.span);
            let (first, second) = (Box::new(first), Box::new(second));
            let kind = if joint == "&&" { TestKind::And(first, second) } else { TestKind::Or(first, second) };
            left = Node::Test(Test { kind, span });
        }
        let or = joints.iter().position(|j| *j == "||");
        if let (Some(start), Some(or)) = (start, or)
            && joints[or..].contains(&"&&")
        {
            let span = self.since(start);
            self.problems.push(two_readings(span, "`||` stands before `&&`", "from left to right", "`&&` first"));
        }
        Ok((left, joints.len()))
    }

    fn comparison(&mut self) -> Parsed<Node> {
        let left = self.sum()?;
        let Some(sign) = COMPARISONS.into_iter().find(|sign| self.take(sign)) else {
            return Ok(left);
        };
        let left = demand_value(left)?;
        let right = demand_value(self.sum()?)?;
        let span = left.span.to(right.span);
        Ok(Node::Test(Test { kind: TestKind::Compare(sign, left, right), span }))
    }

    fn sum(&mut self) -> Parsed<Node> {
        self.chain(&["+", "-"], Self::product)
    }

    fn product(&mut self) -> Parsed<Node> {
        self.chain(&["*", "/", "%"], |p| p.signed())
    }

    /// A leading minus binds weaker than `^`: `-2^2` is -4.
    fn signed(&mut self) -> Parsed<Node> {
        let Some(start) = self.peek().filter(|t| t.is("-")).map(|t| t.span) else {
            return self.chain(&["^"], Self::factor);
        };
        self.take("-");
        let inner = demand_value(self.deeper(Self::signed)?)?;
        let span = start.to(inner.span);
        Ok(Node::Expr(Expr { kind: ExprKind::Minus(Box::new(inner)), span }))
    }

    /// Operands with signs of one precedence between them, read from the left; that is so of powers, too.
    fn chain(&mut self, signs: &[&str], operand: impl Fn(&mut Self) -> Parsed<Node>) -> Parsed<Node> {
        let mut left = operand(self)?;
        let mut terms = 1;
        while let Some(sign) = signs.iter().find(|sign| self.take(sign)) {
            terms += 1;
            self.limit(terms)?;
            let (first, second) = (demand_value(left)?, demand_value(self.operand_after(sign, &operand)?)?);
            let span = first.span.to(second.span);
            let sign = sign.chars().next().unwrap_or('+');
            left = Node::Expr(Expr { kind: ExprKind::Binary(sign, Box::new(first), Box::new(second)), span });
        }
        Ok(left)
    }

    /// Behind `^` a minus may stand, too.
    fn operand_after(&mut self, sign: &str, operand: impl Fn(&mut Self) -> Parsed<Node>) -> Parsed<Node> {
        if sign == "^" && self.peek().is_some_and(|t| t.is("-")) {
            return self.deeper(Self::signed);
        }
        operand(self)
    }

    fn factor(&mut self) -> Parsed<Node> {
        let Some(token) = self.peek() else {
            return Err(self.missing("a value"));
        };
        let span = token.span;
        let value = |kind| Ok(Node::Expr(Expr { kind, span }));
        match &token.kind {
            Kind::Name(_) => {
                let variable = self.deeper(Self::variable)?;
                let span = variable.span;
                return Ok(Node::Expr(Expr { kind: ExprKind::Variable(variable), span }));
            }
            Kind::Mark("!") => return self.negation(span),
            Kind::Mark("(") => {
                self.next();
                let inside = self.node()?;
                self.expect(")", "the bracket is closed")?;
                return Ok(widened(inside, self.since(span)));
            }
            Kind::Word(word) => {
                self.next();
                return self.function(word, span);
            }
            _ => {}
        }
        self.next();
        match &token.kind {
            Kind::Integer(number) => value(ExprKind::Integer(number.clone())),
            Kind::Float(number) => value(ExprKind::Float(number.clone())),
            Kind::Text(text) => value(ExprKind::Text(text.clone())),
            _ => Err(unexpected(token, "expected a number, a string, a variable or a test")),
        }
    }

    /// `!` and all that it takes.
    fn negation(&mut self, start: Span) -> Parsed<Node> {
        self.next();
        let (inner, joints) = self.deeper(Self::logic)?;
        let span = self.since(start);
        if joints > 0 {
            let whole = "of all that follows";
            self.problems.push(two_readings(span, "`!` stands before `&&` or `||`", whole, "of the first test only"));
        }
        Ok(Node::Test(Test { kind: TestKind::Not(Box::new(demand_test(inner)?)), span }))
    }

    fn function(&mut self, word: &str, start: Span) -> Parsed<Node> {
        if word == "ISEOF" {
            return Ok(Node::Test(Test { kind: TestKind::AtEnd, span: start }));
        }
        if !["STRLEN", "MATCH", "UNIQUE", "INARRAY"].contains(&word) {
            let found = Diagnostic::error("ctd-unexpected", start, format!("`{word}` is not expected here"));
            return Err(found.caret("expected a value or a test"));
        }
        self.expect("(", "it has arguments")?;
        let found = match word {
            "UNIQUE" => TestKind::Unique(self.names()?),
            "MATCH" => TestKind::Next(demand_value(self.node()?)?),
            "INARRAY" => {
                let value = demand_value(self.node()?)?;
                self.expect(",", "the value is followed by the array")?;
                TestKind::Among(value, self.variable()?.name)
            }
            _ => {
                let text = Box::new(demand_value(self.node()?)?);
                self.expect(")", "the arguments end with `)`")?;
                return Ok(Node::Expr(Expr { kind: ExprKind::Length(text), span: self.since(start) }));
            }
        };
        self.expect(")", "the arguments end with `)`")?;
        Ok(Node::Test(Test { kind: found, span: self.since(start) }))
    }

    fn limit(&self, terms: usize) -> Parsed<()> {
        if terms <= MOST_TERMS {
            return Ok(());
        }
        let span = self.peek().map_or(Span::default(), |t| t.span);
        Err(Diagnostic::error("ctd-too-deep", span, "this expression is too long")
            .caret(format!("at most {MOST_TERMS} terms")))
    }
}

fn demand_value(node: Node) -> Parsed<Expr> {
    match node {
        Node::Expr(expr) => Ok(expr),
        Node::Test(test) => {
            Err(Diagnostic::error("ctd-kind", test.span, "a test is no value").caret("expected a number or a string"))
        }
    }
}

fn demand_test(node: Node) -> Parsed<Test> {
    match node {
        Node::Test(test) => Ok(test),
        Node::Expr(expr) => {
            Err(Diagnostic::error("ctd-kind", expr.span, "a value is no test").caret("expected a comparison"))
        }
    }
}

/// The same with the brackets around it.
fn widened(node: Node, span: Span) -> Node {
    match node {
        Node::Expr(expr) => Node::Expr(Expr { span, ..expr }),
        Node::Test(test) => Node::Test(Test { span, ..test }),
    }
}

/// The two readings differ; the program's own is taken.
fn two_readings(span: Span, what: &str, taken: &str, usual: &str) -> Diagnostic {
    Diagnostic::warning("ctd-precedence", span, format!("{what}: this can be read in two ways"))
        .caret(format!("read {taken}"))
        .note(format!("checktestdata reads it {taken}, most people read it {usual}"))
        .help("brackets make it clear")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use crate::ctd::parse::parse;
    use crate::ctd::syntax::{CommandKind, Test, TestKind};

    /// The test of an `ASSERT`, in brackets throughout, and the number of warnings.
    fn read(test: &str) -> (String, usize) {
        let (commands, warnings) = parse(format!("ASSERT({test})").as_bytes()).unwrap();
        match &commands[0].kind {
            CommandKind::Assert(test) => (shown(test), warnings.len()),
            other => panic!("{other:?}"),
        }
    }

    fn shown(test: &Test) -> String {
        match &test.kind {
            TestKind::Not(a) => format!("!{}", shown(a)),
            TestKind::And(a, b) => format!("({} && {})", shown(a), shown(b)),
            TestKind::Or(a, b) => format!("({} || {})", shown(a), shown(b)),
            TestKind::AtEnd => "E".to_owned(),
            _ => "c".to_owned(),
        }
    }

    #[test]
    fn and_and_or_are_read_from_the_left() {
        assert_eq!(read("1==1 && ISEOF || 2<3"), ("((c && E) || c)".to_owned(), 0));
        assert_eq!(read("1==1 || ISEOF && 2<3"), ("((c || E) && c)".to_owned(), 1));
        assert_eq!(read("1==1 || (ISEOF && 2<3)"), ("(c || (E && c))".to_owned(), 0));
    }

    #[test]
    fn not_takes_all_that_follows() {
        assert_eq!(read("!ISEOF && 1==1"), ("!(E && c)".to_owned(), 1));
        assert_eq!(read("(!ISEOF) && 1==1"), ("(!E && c)".to_owned(), 0));
        assert_eq!(read("!(ISEOF)"), ("!E".to_owned(), 0));
    }

    #[test]
    fn brackets_hold_values_and_tests() {
        assert_eq!(read("((1+2)*3 < ((4))) && (2 < 3)").0, "(c && c)");
        assert!(parse(b"ASSERT((1 < 2) + 3 == 4)").is_err());
        assert!(parse(b"ASSERT(1)").is_err());
        assert!(parse(b"INT(1<2, 3)").is_err());
    }

    #[test]
    fn depth_is_limited() {
        let deep = |n: usize| format!("ASSERT({}1{} == 1)", "(".repeat(n), ")".repeat(n));
        assert!(parse(deep(20).as_bytes()).is_ok());
        assert!(parse(deep(100_000).as_bytes()).is_err());
        assert!(parse("REP(1)".repeat(100_000).as_bytes()).is_err());
        assert!(parse(format!("ASSERT(1 == {}1)", "-".repeat(100_000)).as_bytes()).is_err());
        assert!(parse(format!("ASSERT({}ISEOF)", "!".repeat(100_000)).as_bytes()).is_err());
        assert!(parse(format!("ASSERT(1 {} == 1)", "+ 1".repeat(100_000)).as_bytes()).is_err());
    }
}
