//! Converts a syntax tree to the model: looks up all names and determines the types of all expressions.

mod added_constraints;
mod comparisons;
mod constraints;
mod expression_blocks;
mod expressions;
mod field_kinds;
mod graph_constraints;
mod layout_blocks;
mod name_scope;
mod polygon_constraints;
mod predicates;
mod sequences;
mod slices;
mod text_properties;
mod typed_expr;

use super::ambiguous::report_ambiguities;
use super::classify::classify_constraints;
use super::syntax::{LayoutNode, SyntaxPart, SyntaxPartKind, SyntaxTree};
use crate::model::{Block, BlockKind, Expr, Field, Format, InstanceCount, StopToken};
use constraints::{extract_constants, report_unused_constants, resolve_rule};
use field_kinds::{FieldKindResolver, push_pattern_constraints};
use graph_constraints::adopt_degree_formulas;
pub use graph_constraints::graph_property_names;
use layout_blocks::LayoutResolver;
use name_scope::NameScope;
pub use polygon_constraints::polygon_property_names;
use rebut_diagnostics::{Diagnostic, Severity, SourceText, Span};
use std::collections::HashSet;

type ProblemList = Vec<Diagnostic>;

/// Maximum number of fields of a format: some checks take time quadratic in their number, too.
const MAX_FIELDS: usize = 256;

/// Resolves a tree, or returns `None` if no useful format results.
pub(super) fn resolve_format(tree: SyntaxTree, source: &SourceText, problems: &mut ProblemList) -> Option<Format> {
    let whole = problems.iter().all(|problem| problem.severity == Severity::Warning);
    let mut scope = NameScope::new(empty_format_model(source));
    let rules = extract_constants(&mut scope, problems, tree.rules, &field_names_in_layout(&tree.layout));
    let mut kinds = FieldKindResolver { scope: &mut scope, problems, patterns: Vec::new() };
    kinds.resolve_field_kinds(&rules);
    let patterns = kinds.patterns;
    LayoutResolver::new(&mut scope, problems).resolve_layout(&tree.layout, whole);
    if scope.format.fields.is_empty() {
        if problems.is_empty() {
            problems.push(empty_format_error(source));
        }
        return None;
    }
    if let Some(field) = scope.format.fields.get(MAX_FIELDS) {
        problems.push(too_many_fields(field));
        return None;
    }
    push_pattern_constraints(&mut scope, patterns);
    for rule in &rules {
        // A missing name may be declared on a line that could not be parsed.
        let follows = |p: &Diagnostic| !whole && p.help.is_none() && ["unknown-name", "len-what"].contains(&p.code);
        problems.extend(resolve_rule(&mut scope, rule).err().filter(|p| !follows(p)));
    }
    report_unused_constants(&scope, problems);
    let mut format = scope.format;
    // After an error the bounds are incomplete, and checking them would report misspelt bounds as missing.
    if problems.iter().any(|problem| problem.severity == Severity::Error) {
        return None;
    }
    adopt_degree_formulas(&mut format);
    let before = problems.len();
    classify_constraints(&mut format, problems);
    if problems[before..].iter().all(|problem| problem.severity == Severity::Warning) {
        report_ambiguities(&format, problems);
    }
    Some(format)
}

fn too_many_fields(field: &Field) -> Diagnostic {
    let message = format!("this format has more than {MAX_FIELDS} fields");
    Diagnostic::error("too-many-fields", field.span, message)
        .with_help("write many fields of one kind as an array, `a[n]`, or as a block, `repeat n:`")
}

fn empty_format_error(source: &SourceText) -> Diagnostic {
    let end = source.text.len();
    Diagnostic::error("empty-format", Span::new(0, end.min(1)), "the format is empty")
        .with_caret("expected the names of the fields on the input's first line")
        .with_help("a format is the statement's Input section: `n`, then `a[n]`, then `where:` and its constraints")
}

fn empty_format_model(source: &SourceText) -> Format {
    let whole = Block {
        parent: None,
        slot: 0,
        kind: BlockKind::Root,
        count: InstanceCount::Times(Expr::Constant(1)),
        separator: None,
        items: Vec::new(),
        slots: 0,
        inline: None,
        span: Span::default(),
    };
    Format {
        source: source.clone(),
        blocks: vec![whole],
        fields: Vec::new(),
        constraints: Vec::new(),
        validators: Vec::new(),
        generators: Vec::new(),
        subtasks: Vec::new(),
        stop_token: StopToken::never_stopping(),
    }
}

fn field_names_in_layout(lines: &[LayoutNode]) -> HashSet<&str> {
    let mut found = HashSet::new();
    for line in lines {
        match line {
            LayoutNode::Parts(parts) => collect_names_on_line(parts, &mut found),
            LayoutNode::Block { body, .. } => found.extend(field_names_in_layout(body)),
            LayoutNode::Either { alternatives, .. } => {
                alternatives.iter().for_each(|a| found.extend(field_names_in_layout(a)))
            }
        }
    }
    found
}

fn collect_names_on_line<'t>(parts: &'t [SyntaxPart], found: &mut HashSet<&'t str>) {
    for part in parts {
        match &part.kind {
            SyntaxPartKind::Field(field) => {
                found.insert(field.name.as_str());
            }
            SyntaxPartKind::Group { parts, .. } => collect_names_on_line(parts, found),
            SyntaxPartKind::Literal(_) => {}
        }
    }
}
