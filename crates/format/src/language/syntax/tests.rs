//! The law of the printer, over random trees: reading what was printed gives the same tree.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
use crate::language::syntax::{
    ComparisonChain, LayoutNode, SyntaxCount, SyntaxField, SyntaxFieldKind, SyntaxFormula, SyntaxPart, SyntaxPartKind,
    SyntaxProperty, SyntaxRange, SyntaxRule, SyntaxTerm, SyntaxTermKind, SyntaxTree,
};
use crate::model::BlockKind;
use rebut_diagnostics::{SourceText, Span};
use rebut_generators::Choices;

/// Draws trees that the grammar has.
struct TreeSampler {
    choices: Choices,
}

const NONE: Span = Span { start: 0, end: 0 };

impl TreeSampler {
    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.choices.draw_index(items.len())]
    }

    fn below(&mut self, n: u64) -> u64 {
        self.choices.draw_below(n)
    }

    fn several<T>(&mut self, least: u64, most: u64, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..least + self.below(most - least + 1)).map(|_| one(self)).collect()
    }

    fn name(&mut self) -> String {
        self.pick(&["n", "m", "a", "x1", "Board", "_t"]).to_owned()
    }

    fn bytes(&mut self) -> Vec<u8> {
        self.several(1, 4, |s| s.pick(b"ab-z09\"\\.|^[]()"))
    }

    fn term(&mut self, depth: u64) -> SyntaxTerm {
        let deeper = depth.saturating_sub(1);
        let kind = match self.below(if depth == 0 { 5 } else { 13 }) {
            0 | 1 => SyntaxTermKind::Name(self.name()),
            2 => SyntaxTermKind::Number(self.pick(&[0, 7, 10, 1_000_000_007, 10_i128.pow(36)])),
            3 => SyntaxTermKind::Decimal(self.pick(&[0, 5, 125]), self.pick(&[1, 2, 4])),
            4 => SyntaxTermKind::Letter(self.pick(b"a'\\\" ")),
            5 => SyntaxTermKind::Text(self.bytes()),
            6 => SyntaxTermKind::Element(self.name(), self.several(1, 2, |s| s.term(deeper))),
            7 => SyntaxTermKind::Negate(Box::new(self.term(deeper))),
            8 => SyntaxTermKind::Call(self.name(), self.several(0, 2, |s| s.term(deeper))),
            9 => SyntaxTermKind::Tuple(self.several(2, 3, |s| s.term(deeper))),
            10 => {
                let range = Box::new((self.term(deeper), self.term(deeper)));
                let (before, after) = (self.several(0, 1, |s| s.term(deeper)), self.several(0, 1, |s| s.term(deeper)));
                SyntaxTermKind::Slice(self.name(), before, range, after)
            }
            _ => {
                let sign = self.pick(&["+", "-", "*", "/", "%", "^"]);
                SyntaxTermKind::Binary(sign, Box::new(self.term(deeper)), Box::new(self.term(deeper)))
            }
        };
        SyntaxTerm::new(kind)
    }

    fn range(&mut self) -> SyntaxRange {
        Box::new((self.term(2), self.term(2)))
    }

    fn chain(&mut self) -> ComparisonChain {
        let mut chain = ComparisonChain::new(self.term(2));
        for _ in 0..=self.below(2) {
            let terms = self.several(1, 2, |s| s.term(2));
            chain = chain.followed_by(self.pick(&["<=", "<", ">=", ">", "=", "!="]), terms);
        }
        chain
    }

    fn formula(&mut self, depth: u64) -> SyntaxFormula {
        let deeper = depth.saturating_sub(1);
        match self.below(if depth == 0 { 1 } else { 6 }) {
            0 => SyntaxFormula::Chain(self.chain()),
            1 => SyntaxFormula::All(self.several(2, 3, |s| s.formula(deeper))),
            2 => SyntaxFormula::Any(self.several(2, 3, |s| s.formula(deeper))),
            3 => SyntaxFormula::Not(Box::new(self.formula(deeper))),
            4 => SyntaxFormula::Implies(Box::new((self.formula(deeper), self.formula(deeper)))),
            _ => SyntaxFormula::Quantified {
                every: self.below(2) == 0,
                name: self.name(),
                range: self.range(),
                body: Box::new(self.formula(deeper)),
                span: NONE,
            },
        }
    }

    fn field_kind(&mut self) -> SyntaxFieldKind {
        match self.below(4) {
            0 => SyntaxFieldKind::Letters(self.pick(&[&b"a-z"[..], b"\\\\-\"", b"\\-+", b"-"]).to_vec(), NONE),
            1 => SyntaxFieldKind::Words(self.several(1, 3, |s| (s.bytes(), NONE))),
            2 => SyntaxFieldKind::Real(Box::new((
                SyntaxTerm::from_number(self.pick(&[0, 3])),
                SyntaxTerm::from_name(self.name()),
            ))),
            _ => SyntaxFieldKind::Pattern(self.pick(&["[a-z]+", r"\\\.\-?|x{2}", "a\"b"]).to_owned(), NONE),
        }
    }

    fn rule(&mut self, depth: u64) -> SyntaxRule {
        let properties = |s: &mut Self| {
            s.several(0, 2, |s| match s.below(3) {
                0 => SyntaxProperty { bound: Some(s.term(1)), ..SyntaxProperty::new(s.pick(&["degree", "regular"])) },
                _ => SyntaxProperty::new(s.pick(&["simple", "tree"])),
            })
        };
        match self.below(if depth == 0 { 12 } else { 13 }) {
            0..4 => SyntaxRule::Chain(self.chain()),
            4 | 5 => match self.formula(3) {
                SyntaxFormula::Chain(chain) => SyntaxRule::Chain(chain),
                formula => SyntaxRule::Formula(formula, NONE),
            },
            6 => SyntaxRule::FieldKind {
                names: self.several(1, 2, |s| SyntaxTerm::from_name(s.name())),
                of: self.field_kind(),
            },
            7 => SyntaxRule::Let { name: self.name(), value: self.term(2), span: NONE },
            8 => SyntaxRule::Edges {
                ends: self.range(),
                vertices: self.range(),
                condition: if self.below(2) == 0 { Some(self.chain()) } else { None },
                properties: properties(self),
                span: NONE,
            },
            9 => SyntaxRule::Parents {
                name: SyntaxTerm::from_name(self.name()),
                children: self.range(),
                vertices: self.range(),
                properties: properties(self),
                span: NONE,
            },
            10 => SyntaxRule::Permutation {
                names: vec![SyntaxTerm::from_name(self.name())],
                values: self.range(),
                span: NONE,
            },
            11 => SyntaxRule::Predicate(SyntaxTerm::new_call(self.name(), self.several(1, 2, |s| s.term(2)))),
            _ => SyntaxRule::Subtask {
                name: self.pick(&["small", "2"]).to_owned(),
                points: Some(self.term(1)),
                rules: Some(self.several(0, 3, |s| s.rule(depth - 1))),
                span: NONE,
            },
        }
    }

    fn parts(&mut self, depth: u64) -> Vec<SyntaxPart> {
        let mut parts: Vec<SyntaxPart> = Vec::new();
        for _ in 0..=self.below(3) {
            let kind = match self.below(if depth == 0 { 4 } else { 5 }) {
                0..3 => SyntaxPartKind::Field(SyntaxField {
                    name: self.name(),
                    span: NONE,
                    dimensions: self.several(0, 2, |s| if s.below(3) == 0 { None } else { Some(s.term(2)) }),
                    on_one_line: self.below(4) == 0,
                }),
                3 => SyntaxPartKind::Literal(self.pick(&[&b"7"[..], b"07", b"x", b"\"\\#", b"-1"]).to_vec()),
                _ => SyntaxPartKind::Group { parts: self.parts(depth - 1), count: Box::new(self.term(1)) },
            };
            // A name would continue in a name that follows it.
            let before = parts.last().map(|part: &SyntaxPart| &part.kind);
            let can_follow = match before {
                Some(SyntaxPartKind::Field(field)) => field.on_one_line || !field.dimensions.is_empty(),
                Some(_) => true,
                None => false,
            };
            let glued = can_follow && self.below(3) == 0;
            parts.push(SyntaxPart { kind, span: NONE, glued });
        }
        parts
    }

    fn layout(&mut self, depth: u64) -> Vec<LayoutNode> {
        self.several(1, 3, |s| s.layout_node(depth))
    }

    fn layout_node(&mut self, depth: u64) -> LayoutNode {
        if depth == 0 || self.below(2) == 0 {
            return LayoutNode::Parts(self.parts(1));
        }
        if self.below(3) == 0 {
            let alternatives = self.several(2, 3, |s| {
                let first = LayoutNode::Parts(s.parts(0));
                let rest = if s.below(2) == 0 { s.layout(depth - 1) } else { Vec::new() };
                [vec![first], rest].concat()
            });
            return LayoutNode::Either { alternatives, span: NONE };
        }
        let (kind, count) = match self.below(4) {
            0 => (BlockKind::Condition, SyntaxCount::When(self.chain())),
            1 => {
                let sentinel = self.pick(&[None, Some(&b"0 0"[..]), Some(b"-1 end"), Some(b"\"")]);
                let (least, most) = (self.term(1), self.term(1));
                (BlockKind::Repeat, SyntaxCount::Until { least, most, sentinel: sentinel.map(<[u8]>::to_vec) })
            }
            _ => (self.pick(&[BlockKind::Cases, BlockKind::Repeat]), SyntaxCount::Times(self.term(2))),
        };
        let separator = match kind {
            BlockKind::Condition => None,
            _ => self.pick(&[None, None, Some(&b""[..]), Some(b"-- 7")]).map(<[u8]>::to_vec),
        };
        LayoutNode::Block { kind, count, separator, body: self.layout(depth - 1), span: NONE }
    }
}

/// Returns a tree as text, without its locations.
fn without_locations(tree: &SyntaxTree) -> String {
    let text = format!("{tree:?}");
    let pieces = text.split("Span { ").map(|piece| match piece.split_once(" }") {
        Some((location, rest)) if location.starts_with("start: ") => rest,
        _ => piece,
    });
    pieces.collect()
}

#[test]
fn printed_trees_are_read_as_they_were() {
    for seed in 0..1_000 {
        let mut sampler = TreeSampler { choices: Choices::from_seed(seed, 0) };
        let tree = SyntaxTree { layout: sampler.layout(2), rules: sampler.several(0, 4, |s| s.rule(1)) };
        let text = tree.to_string();
        let read = SyntaxTree::parse(&SourceText::new("f", text.clone())).unwrap_or_else(|p| panic!("{text}\n{p:?}"));
        assert!(without_locations(&read) == without_locations(&tree), "{text}\n{tree:?}\n{read:?}");
    }
}

#[test]
fn parentheses_are_where_they_are_needed() {
    let written = "(((n) - (2 + 3)) * -n) ^ 2 = ((2 ^ 3)) ^ n - (-n); not ((n = 1) and (n = 2 or n = 3)); \
        n = 1 or n = 2 => n = 3";
    let tree = SyntaxTree::parse(&SourceText::new("f", format!("n where {written}"))).unwrap();
    let printed = tree.to_string();
    let rules: Vec<&str> = printed.lines().skip(2).map(str::trim).collect();
    let expected =
        ["((n - (2 + 3)) * (-n))^2 = (2^3)^n - (-n)", "not (n = 1 and (n = 2 or n = 3))", "(n = 1 or n = 2) => n = 3"];
    assert_eq!(rules, expected);
}
