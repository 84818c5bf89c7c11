//! Graphs: edges on lines, and parents in arrays.

use super::Resolver;
use crate::diagnostic::{Diagnostic, Span, list_or, nearest};
use crate::format::expr::{Expr, Operator, Sign};
use crate::format::formula::Comparison;
use crate::format::model::{BlockId, Dimension, FieldId};
use crate::format::rule::{Adjective, Edges, GraphRule, Rule};
use crate::format::syntax::Term;

/// The words that describe a graph.
const ADJECTIVES: &[(&str, &[Adjective])] = &[
    ("tree", &[Adjective::Tree]),
    ("forest", &[Adjective::Acyclic]),
    ("acyclic", &[Adjective::Acyclic]),
    ("dag", &[Adjective::Directed, Adjective::Acyclic]),
    ("directed", &[Adjective::Directed]),
    ("undirected", &[]),
    ("simple", &[Adjective::Simple]),
    ("loopless", &[Adjective::Loopless]),
    ("connected", &[Adjective::Connected]),
    ("bipartite", &[Adjective::Bipartite]),
    ("path", &[Adjective::Path]),
    ("star", &[Adjective::Star]),
];

impl Resolver<'_> {
    pub(super) fn edges(
        &mut self,
        ends: &(Term, Term),
        vertices: &(Term, Term),
        words: &[(String, Span)],
        span: Span,
    ) -> Result<(), Diagnostic> {
        let (Expr::Field(from), Expr::Field(to)) = (self.whole(&ends.0)?, self.whole(&ends.1)?) else {
            return Err(Diagnostic::error(
                "edge-ends",
                ends.0.span.to(ends.1.span),
                "the ends of an edge are two fields",
            )
            .caret("expected two names"));
        };
        let block = self.format.field(from).block;
        let scalars = [from, to].iter().all(|f| self.format.field(*f).is_scalar());
        self.all_edges_stand(block, "edges", ends.0.span.to(ends.1.span))?;
        let Some(home) = self.format.block(block).parent.filter(|_| scalars && self.format.field(to).block == block)
        else {
            return Err(Diagnostic::error("edge-ends", ends.0.span.to(ends.1.span), "edges are the lines of a block")
                .caret("expected two numbers of one repeated block")
                .help("give each edge a line: `repeat m:` and below it `u v`"));
        };
        let adjectives = adjectives(words)?;
        let vertices_of = (self.whole(&vertices.0)?, self.whole(&vertices.1)?);
        for end in [&ends.0, &ends.1] {
            self.comparison(&vertices.0, "<=", end, span)?;
            self.comparison(end, "<=", &vertices.1, span)?;
        }
        let rule = GraphRule { edges: Edges::Lines { block, ends: (from, to) }, vertices: vertices_of, adjectives };
        for comparison in implied_counts(&rule, self.format.block(block).count.times()) {
            self.push(Rule::Compare(comparison), span)?;
        }
        self.push_at(Rule::Graph(rule), home, span)
    }

    /// Returns an error if the block of a graph's edges may be absent: how many there are would not be known.
    fn all_edges_stand(&self, block: BlockId, what: &str, span: Span) -> Result<(), Diagnostic> {
        if !self.format.is_optional(block) {
            return Ok(());
        }
        Err(Diagnostic::error("optional-edges", span, format!("these {what} may be absent"))
            .caret("below `if` or in a form of `either`: how many there are is not known")
            .help("a graph is made of all lines of a `repeat`; of some lines, say `u != v` and `distinct((u, v))`"))
    }

    /// `parents p of 2..n on 1..n: tree`
    pub(super) fn parents(
        &mut self,
        name: &Term,
        children: &(Term, Term),
        vertices: &(Term, Term),
        words: &[(String, Span)],
        span: Span,
    ) -> Result<(), Diagnostic> {
        let field = self.named(name, "parents are the numbers of a field")?;
        if self.format.field(field).is_scalar() {
            self.all_edges_stand(self.format.field(field).block, "parents", name.span)?;
        }
        let (block, count) = self.parents_in(field, name.span)?;
        let adjectives = adjectives(words)?;
        let vertices_of = (self.whole(&vertices.0)?, self.whole(&vertices.1)?);
        self.comparison(&vertices.0, "<=", name, span)?;
        self.comparison(name, "<=", &vertices.1, span)?;
        let (first, last) = (self.whole(&children.0)?, self.whole(&children.1)?);
        let others = Expr::Binary(Operator::Minus, Box::new(last), Box::new(first.clone()));
        let named = Expr::Binary(Operator::Plus, Box::new(others), Box::new(Expr::Constant(1)));
        if count != named {
            self.push(Rule::Compare(Comparison::new(count.clone(), Sign::Equal, named)), span)?;
        }
        let home = block.and_then(|b| self.format.block(b).parent).unwrap_or(self.format.field(field).block);
        let rule = GraphRule { edges: Edges::Parents { field, block, first }, vertices: vertices_of, adjectives };
        for comparison in implied_counts(&rule, Some(&count)) {
            self.push(Rule::Compare(comparison), span)?;
        }
        self.push_at(Rule::Graph(rule), home, span)
    }

    /// The repeated block that holds the parents, if no array does, and how many there are.
    fn parents_in(&self, field: FieldId, span: Span) -> Result<(Option<BlockId>, Expr), Diagnostic> {
        let info = self.format.field(field);
        let found = match &*info.dimensions {
            [Dimension::Size(size)] => Some((None, size.clone())),
            [] => self
                .format
                .block(info.block)
                .count
                .times()
                .filter(|_| info.block != BlockId(0))
                .map(|count| (Some(info.block), count.clone())),
            _ => None,
        };
        found.ok_or_else(|| {
            Diagnostic::error("parents-what", span, "parents stand in an array, or one in each repetition of a block")
                .caret("expected a field such as `p[n-1]`")
        })
    }
}

fn adjectives(words: &[(String, Span)]) -> Result<Vec<Adjective>, Diagnostic> {
    let mut found = Vec::new();
    for (word, span) in words {
        let Some((_, meaning)) = ADJECTIVES.iter().find(|(name, _)| name == word) else {
            let names: Vec<&str> = ADJECTIVES.iter().map(|(name, _)| *name).collect();
            let problem = Diagnostic::error("adjective", *span, format!("no graph is `{word}`")).caret("unknown word");
            return Err(match nearest(word, names.iter().copied()) {
                Some(near) => problem.help(format!("did you mean `{near}`?")),
                None => problem.note(format!("expected {}", list_or(&names))),
            });
        };
        found.extend_from_slice(meaning);
    }
    Ok(found)
}

/// What a graph's adjectives say of the number of its edges, so that it is drawn, narrowed and checked like any other
/// bound.
fn implied_counts(rule: &GraphRule, count: Option<&Expr>) -> Vec<Comparison> {
    let Some(count) = count else { return Vec::new() };
    let binary = |operator, a: Expr, b: Expr| Expr::Binary(operator, Box::new(a), Box::new(b));
    let (first, last) = rule.vertices.clone();
    // One less than the number of vertices.
    let others = || match &first {
        Expr::Constant(0) => last.clone(),
        first => binary(Operator::Minus, last.clone(), first.clone()),
    };
    let vertices = || match &first {
        Expr::Constant(1) => last.clone(),
        _ => binary(Operator::Plus, others(), Expr::Constant(1)),
    };
    let compare = |sign, right| Comparison::new(count.clone(), sign, right);
    let mut found = Vec::new();
    let directed = rule.is(Adjective::Directed);
    if rule.is(Adjective::Tree) {
        found.push(compare(Sign::Equal, others()));
    } else if rule.is(Adjective::Connected) {
        found.push(compare(Sign::GreaterEqual, others()));
    }
    if rule.is(Adjective::Acyclic) && !directed {
        found.push(compare(Sign::LessEqual, others()));
    }
    if rule.is(Adjective::Simple) {
        let pairs = binary(Operator::Times, vertices(), others());
        let halved = !directed || rule.is(Adjective::Acyclic);
        let most = if halved { binary(Operator::Divide, pairs, Expr::Constant(2)) } else { pairs };
        found.push(compare(Sign::LessEqual, most));
        if rule.is(Adjective::Bipartite) {
            let square = binary(Operator::Times, vertices(), vertices());
            let parts = if directed && !rule.is(Adjective::Acyclic) { 2 } else { 4 };
            found.push(compare(Sign::LessEqual, binary(Operator::Divide, square, Expr::Constant(parts))));
        }
    } else if rule.is(Adjective::Loopless) || rule.is(Adjective::Acyclic) || rule.is(Adjective::Bipartite) {
        // A single vertex can have no edge but a loop.
        found.push(compare(Sign::LessEqual, binary(Operator::Times, others(), Expr::Constant(10_i128.pow(18)))));
    }
    found
}
