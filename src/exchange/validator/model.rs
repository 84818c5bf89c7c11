//! A format's model as JSON. Numbers beyond 64 bits are texts, and bytes are the letters of these codes.

use crate::format::{
    Adjective, Block, BlockKind, Comparison, Constraint, Count, Dimension, Edges, Expr, FieldId, Fold, Format, Formula,
    GraphRule, Item, Kind, Occurrences, Operator, Over, Part, Rule, Token,
};
use serde_json::{Value, json};

/// The model, with these constraints.
pub(super) fn model(format: &Format, constraints: &[&Constraint]) -> Value {
    let constraint = |c: &&Constraint| json!([c.home.0, format.text(c.span), rule(&c.rule)]);
    json!({
        "blocks": format.blocks.iter().map(block).collect::<Vec<_>>(),
        "fields": (0..format.fields.len()).map(|id| field(format, FieldId(id))).collect::<Vec<_>>(),
        "constraints": constraints.iter().map(constraint).collect::<Vec<_>>(),
    })
}

fn bytes(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

fn big(number: i128) -> Value {
    i64::try_from(number).map_or_else(|_| json!(number.to_string()), |number| json!(number))
}

fn block(block: &Block) -> Value {
    json!({
        "parent": block.parent.map(|parent| parent.0),
        "slot": block.slot,
        "kind": match block.kind {
            BlockKind::Whole | BlockKind::Cases | BlockKind::Repeat => "repeated",
            BlockKind::Condition | BlockKind::Alternative => "optional",
        },
        "count": count(&block.count),
        "items": block.items.iter().map(item).collect::<Vec<_>>(),
    })
}

fn count(count: &Count) -> Value {
    match count {
        Count::Times(times) => json!(["times", expr(times)]),
        Count::When(all) => json!(["when", all.iter().map(comparison).collect::<Vec<_>>()]),
        Count::Chosen => json!(["chosen"]),
        Count::Until { range, sentinel } => {
            json!(["until", big(range.lo), big(range.hi), sentinel.as_deref().map(bytes)])
        }
    }
}

fn item(item: &Item) -> Value {
    match item {
        Item::Line(parts) => json!(["line", parts.iter().map(part).collect::<Vec<_>>()]),
        Item::Rows(field) => json!(["rows", field.0]),
        Item::Block(block) => json!(["block", block.0]),
        Item::Either(blocks) => json!(["either", blocks.iter().map(|block| block.0).collect::<Vec<_>>()]),
    }
}

fn part(part: &Part) -> Value {
    match &part.token {
        Token::Field(field) => json!([part.glued, "field", field.0]),
        Token::Literal(text) => json!([part.glued, "literal", bytes(text)]),
    }
}

fn field(format: &Format, id: FieldId) -> Value {
    let field = format.field(id);
    let kind = match &field.kind {
        Kind::Number => json!(["number"]),
        Kind::Real(decimals) => json!(["real", decimals.least, decimals.most]),
        Kind::Words(words) => json!(["words", words.iter().map(|word| bytes(word)).collect::<Vec<_>>()]),
        Kind::Text(letters) => json!(["text", bytes(letters)]),
    };
    let dimension = |dimension: &Dimension| match dimension {
        Dimension::Size(size) => expr(size),
        Dimension::Free => Value::Null,
    };
    json!({
        "name": field.name,
        "block": field.block.0,
        "repeated": format.is_repeated_text(id),
        "slot": field.slot,
        "kind": kind,
        "dimensions": field.dimensions.iter().map(dimension).collect::<Vec<_>>(),
        "lo": big(field.range.lo),
        "hi": big(field.range.hi),
    })
}

fn exprs(all: &[Expr]) -> Vec<Value> {
    all.iter().map(expr).collect()
}

fn expr(at: &Expr) -> Value {
    match at {
        Expr::Constant(number) => json!(["constant", big(*number)]),
        Expr::Field(field) => json!(["field", field.0]),
        Expr::Length(field) => json!(["length", field.0]),
        Expr::Element(field, indices) => json!(["element", field.0, exprs(indices)]),
        Expr::Variable(variable) => json!(["variable", variable]),
        Expr::Whole(inner) => json!(["whole", expr(inner)]),
        Expr::Letters(letters) => json!(["letters", bytes(letters)]),
        Expr::Minus(inner) => json!(["minus", expr(inner)]),
        Expr::Binary(operator, left, right) => json!(["binary", sign_of(*operator), expr(left), expr(right)]),
        Expr::Fold(fold, over, inner) => {
            let (name, wanted) = match fold {
                Fold::Sum => ("sum", None),
                Fold::Min => ("min", None),
                Fold::Max => ("max", None),
                Fold::Size => ("size", None),
                Fold::Count(wanted) => ("count", Some(big(*wanted))),
            };
            json!(["fold", name, wanted, over_blocks(over), expr(inner)])
        }
    }
}

fn sign_of(operator: Operator) -> &'static str {
    match operator {
        Operator::Plus => "+",
        Operator::Minus => "-",
        Operator::Times => "*",
        Operator::Divide => "/",
        Operator::Modulo => "%",
        Operator::Power => "^",
        Operator::Least => "<",
        Operator::Greatest => ">",
        Operator::Else => "|",
    }
}

/// The outermost block of a fold and the innermost one; nothing for the elements of arrays.
fn over_blocks(over: &Over) -> Option<[usize; 2]> {
    match over {
        Over::Elements => None,
        Over::Instances(block) => Some([block.0; 2]),
        Over::Occurrences(Occurrences { outermost, block }) => Some([outermost.0, block.0]),
    }
}

fn comparison(comparison: &Comparison) -> Value {
    json!([exprs(&comparison.left), comparison.sign.text(), exprs(&comparison.right)])
}

fn rule(rule: &Rule) -> Value {
    match rule {
        Rule::Compare(inner) => json!(["compare", comparison(inner)]),
        Rule::Distinct(parts, over) => json!(["distinct", exprs(parts), over_blocks(over)]),
        Rule::Ordered(inner, sign, over) => json!(["ordered", expr(inner), sign.text(), over_blocks(over)]),
        Rule::Graph(rule) => graph(rule),
        Rule::Matches(field, pattern) => json!(["matches", field.0, pattern.text]),
        Rule::DistinctTexts(field, over) => json!(["distinct texts", field.0, over_blocks(over)]),
        Rule::Formula(inner) => json!(["formula", formula(inner)]),
    }
}

fn graph(rule: &GraphRule) -> Value {
    let edges = match &rule.edges {
        Edges::Lines { block, ends } => json!(["lines", block.0, ends.0.0, ends.1.0]),
        Edges::Parents { field, block, first } => {
            json!(["parents", field.0, block.map(|block| block.0), expr(first)])
        }
    };
    let asked = json!({
        "directed": rule.is(Adjective::Directed),
        "simple": rule.is(Adjective::Simple),
        "loopless": rule.is(Adjective::Loopless),
        "connected": rule.is(Adjective::Connected),
        "acyclic": rule.is(Adjective::Acyclic),
        "bipartite": rule.is(Adjective::Bipartite),
    });
    let shape = match () {
        () if rule.is(Adjective::Path) => Some("path"),
        () if rule.is(Adjective::Star) => Some("star"),
        () => None,
    };
    json!(["graph", edges, expr(&rule.vertices.0), expr(&rule.vertices.1), asked, shape])
}

fn formula(at: &Formula) -> Value {
    let all = |parts: &[Formula]| parts.iter().map(formula).collect::<Vec<_>>();
    match at {
        Formula::Compare(inner) => json!(["compare", comparison(inner)]),
        Formula::All(parts) => json!(["all", all(parts)]),
        Formula::Any(parts) => json!(["any", all(parts)]),
        Formula::Each(q) => json!(["each", q.variable, expr(&q.range.0), expr(&q.range.1), formula(&q.body)]),
        Formula::Some(q) => json!(["some", q.variable, expr(&q.range.0), expr(&q.range.1), formula(&q.body)]),
    }
}
