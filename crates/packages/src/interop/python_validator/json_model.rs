//! The model of a format as JSON. Integers beyond 64 bits are strings, and bytes are the characters with these codes.

use rebut_format::constraints::RulePart;
use rebut_format::language::{
    ArithmeticOperator, Block, BlockKind, Comparison, Constraint, Expr, FieldDimension, FieldId, FieldKind, FoldKind,
    FoldRange, Format, InstanceCount, LayoutItem, LinePart, LineToken, OptionalBlocks, SliceReduction,
};
use serde_json::{Value, json};

/// Converts a format with some of its constraints.
pub(super) fn format_to_json(format: &Format, constraints: &[&Constraint]) -> Value {
    let constraint = |c: &&Constraint| {
        let rule = parts_of_rule_to_json(&c.rule.exported_parts());
        json!([c.home_block.0, format.source_text(c.span), rule])
    };
    json!({
        "blocks": format.blocks.iter().map(block_to_json).collect::<Vec<_>>(),
        "fields": (0..format.fields.len()).map(|id| field_to_json(format, FieldId(id))).collect::<Vec<_>>(),
        "constraints": constraints.iter().map(constraint).collect::<Vec<_>>(),
    })
}

fn bytes_to_text(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

fn integer_to_json(number: i128) -> Value {
    i64::try_from(number).map_or_else(|_| json!(number.to_string()), |number| json!(number))
}

fn block_to_json(block: &Block) -> Value {
    json!({
        "parent": block.parent.map(|parent| parent.0),
        "slot": block.slot,
        "kind": match block.kind {
            BlockKind::Root | BlockKind::Cases | BlockKind::Repeat => "repeated",
            BlockKind::Condition | BlockKind::Alternative => "optional",
        },
        "count": count_to_json(&block.count),
        "separator": block.separator.as_deref().map(bytes_to_text),
        "items": block.items.iter().map(item_to_json).collect::<Vec<_>>(),
    })
}

fn count_to_json(count: &InstanceCount) -> Value {
    match count {
        InstanceCount::Times(times) => json!(["times", expr_to_json(times)]),
        InstanceCount::Conditional(all) => json!(["when", all.iter().map(comparison_to_json).collect::<Vec<_>>()]),
        InstanceCount::Alternative => json!(["chosen"]),
        InstanceCount::Until { range, sentinel } => {
            json!([
                "until",
                integer_to_json(range.lo),
                integer_to_json(range.hi),
                sentinel.as_deref().map(bytes_to_text)
            ])
        }
    }
}

fn item_to_json(item: &LayoutItem) -> Value {
    match item {
        LayoutItem::Line(parts) => json!(["line", parts.iter().map(part_to_json).collect::<Vec<_>>()]),
        LayoutItem::Rows(field) => json!(["rows", field.0]),
        LayoutItem::Block(block) => json!(["block", block.0]),
        LayoutItem::Either(blocks) => json!(["either", blocks.iter().map(|block| block.0).collect::<Vec<_>>()]),
    }
}

fn part_to_json(part: &LinePart) -> Value {
    match &part.token {
        LineToken::Field(field) => json!([part.is_glued, "field", field.0]),
        LineToken::Literal(text) => json!([part.is_glued, "literal", bytes_to_text(text)]),
    }
}

fn field_to_json(format: &Format, id: FieldId) -> Value {
    let field = format.field(id);
    let kind = match &field.kind {
        FieldKind::Number => json!(["number"]),
        FieldKind::Real(decimals) => json!(["real", decimals.min, decimals.max]),
        FieldKind::Words(words) => json!(["words", words.iter().map(|word| bytes_to_text(word)).collect::<Vec<_>>()]),
        FieldKind::Text(letters) => json!(["text", bytes_to_text(letters)]),
    };
    let dimension = |dimension: &FieldDimension| match dimension {
        FieldDimension::Size(size) => expr_to_json(size),
        FieldDimension::Free => Value::Null,
    };
    json!({
        "name": field.name,
        "block": field.block.0,
        "repeated": format.is_repeated_text(id),
        "slot": field.slot,
        "kind": kind,
        "dimensions": field.dimensions.iter().map(dimension).collect::<Vec<_>>(),
        "lo": integer_to_json(field.range.lo),
        "hi": integer_to_json(field.range.hi),
    })
}

fn exprs_to_json(all: &[Expr]) -> Vec<Value> {
    all.iter().map(expr_to_json).collect()
}

fn expr_to_json(expr: &Expr) -> Value {
    match expr {
        Expr::Constant(number) => json!(["constant", integer_to_json(*number)]),
        Expr::Field(field) => json!(["field", field.0]),
        Expr::Length(field) => json!(["length", field.0]),
        Expr::Element(field, indices) => json!(["element", field.0, exprs_to_json(indices)]),
        Expr::Variable(variable) => json!(["variable", variable]),
        Expr::Sequence(inner) => json!(["whole", expr_to_json(inner)]),
        Expr::TextLiteral(letters) => json!(["letters", bytes_to_text(letters)]),
        Expr::Negate(inner) => json!(["minus", expr_to_json(inner)]),
        Expr::Call(function, inner) => json!([function.name(), expr_to_json(inner)]),
        Expr::Binary(operator, left, right) => {
            json!(["binary", operator_symbol(*operator), expr_to_json(left), expr_to_json(right)])
        }
        Expr::Slice(slice) => {
            let name = match slice.reduction {
                SliceReduction::Fold(fold) => fold_name(fold),
                SliceReduction::Count(_) => "count",
            };
            let wanted = slice.wanted().map(expr_to_json);
            let ends = [expr_to_json(&slice.range.0), expr_to_json(&slice.range.1)];
            json!(["slice", name, slice.variable, ends, expr_to_json(&slice.each), wanted])
        }
        Expr::Fold(fold, over, inner) => {
            let wanted = match fold {
                FoldKind::Count(wanted) => Some(integer_to_json(*wanted)),
                _ => None,
            };
            json!(["fold", fold_name(*fold), wanted, fold_blocks(over), expr_to_json(inner)])
        }
    }
}

fn fold_name(fold: FoldKind) -> &'static str {
    match fold {
        FoldKind::Sum => "sum",
        FoldKind::Min => "min",
        FoldKind::Max => "max",
        FoldKind::Gcd => "gcd",
        FoldKind::Xor => "xor",
        FoldKind::Size => "size",
        FoldKind::Count(_) => "count",
    }
}

fn operator_symbol(operator: ArithmeticOperator) -> &'static str {
    match operator {
        ArithmeticOperator::Add => "+",
        ArithmeticOperator::Subtract => "-",
        ArithmeticOperator::Multiply => "*",
        ArithmeticOperator::Divide => "/",
        ArithmeticOperator::Modulo => "%",
        ArithmeticOperator::Power => "^",
        ArithmeticOperator::Min => "<",
        ArithmeticOperator::Max => ">",
        ArithmeticOperator::Gcd => "gcd",
        ArithmeticOperator::Xor => "xor",
        ArithmeticOperator::OrElse => "|",
    }
}

/// Returns the outermost and the innermost block of a fold; `None` for the elements of arrays.
fn fold_blocks(over: &FoldRange) -> Option<[usize; 2]> {
    match over {
        FoldRange::Elements => None,
        FoldRange::Instances(block) => Some([block.0; 2]),
        FoldRange::Occurrences(OptionalBlocks { outermost, block }) => Some([outermost.0, block.0]),
    }
}

fn comparison_to_json(comparison: &Comparison) -> Value {
    json!([exprs_to_json(&comparison.left), comparison.sign.as_str(), exprs_to_json(&comparison.right)])
}

fn part_of_rule_to_json(part: &RulePart<'_>) -> Value {
    match part {
        RulePart::Word(word) => json!(word),
        RulePart::Text(text) => json!(bytes_to_text(text)),
        RulePart::Number(number) => json!(number),
        RulePart::Field(field) => json!(field.0),
        RulePart::Expression(expr) => expr_to_json(expr),
        RulePart::Expressions(all) => json!(exprs_to_json(all)),
        RulePart::Comparison(comparison) => comparison_to_json(comparison),
        RulePart::Range(over) => json!(fold_blocks(over)),
        RulePart::Flags(flags) => flags.iter().map(|(name, applies)| ((*name).to_owned(), json!(applies))).collect(),
        RulePart::List(parts) => parts_of_rule_to_json(parts),
        RulePart::Absent => Value::Null,
    }
}

fn parts_of_rule_to_json(parts: &[RulePart<'_>]) -> Value {
    parts.iter().map(part_of_rule_to_json).collect()
}
