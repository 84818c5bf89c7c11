//! Converts a syntax tree to the model: looks up all names and determines the types of all expressions.

mod alternatives;
mod constraints;
mod expressions;
mod field_kinds;
mod formula;
mod graph_constraints;
mod layout_blocks;
mod pairwise;
mod predicates;
mod sequences;
mod text_properties;
mod typed_expr;

use super::ambiguous::report_ambiguities;
use super::classify::classify_constraints;
use super::syntax::{ComparisonChain, LayoutNode, SyntaxPart, SyntaxPartKind, SyntaxRule, SyntaxTerm, SyntaxTree};
use crate::model::{Block, BlockId, BlockKind, Expr, FieldId, Format, InstanceCount, StopToken, TokenPattern};
use rebut_diagnostics::{Diagnostic, Severity, SourceText, Span, suggestion_for};
use std::cell::{Cell, RefCell};
use std::collections::HashSet;

type ProblemList = Vec<Diagnostic>;

/// Resolves a tree, or returns `None` if no useful format results.
pub(super) fn resolve_format(tree: SyntaxTree, source: &SourceText, problems: &mut ProblemList) -> Option<Format> {
    let whole = problems.iter().all(|problem| problem.severity == Severity::Warning);
    let mut resolver = Resolver {
        format: empty_format_model(source),
        problems,
        is_complete: whole,
        constants: Vec::new(),
        patterns: Vec::new(),
        variables: Vec::new(),
        counted_letters: Vec::new(),
        chosen_alternatives: RefCell::new(Vec::new()),
    };
    let rules = resolver.extract_constants(tree.rules, &field_names_in_layout(&tree.layout));
    resolver.resolve_field_kinds(&rules);
    resolver.resolve_layout(&tree.layout, BlockId(0));
    if resolver.format.fields.is_empty() {
        if resolver.problems.is_empty() {
            resolver.problems.push(empty_format_error(source));
        }
        return None;
    }
    resolver.push_pattern_constraints();
    for rule in &rules {
        // A missing name may be declared on a line that could not be parsed.
        let follows = |p: &Diagnostic| !whole && p.help.is_none() && ["unknown-name", "len-what"].contains(&p.code);
        if let Some(problem) = resolver.resolve_rule(rule).err().filter(|p| !follows(p)) {
            resolver.problems.push(problem);
        }
    }
    resolver.report_unused_constants();
    let mut format = resolver.format;
    // After an error the bounds are incomplete, and checking them would report misspelt bounds as missing.
    if problems.iter().any(|problem| problem.severity == Severity::Error) {
        return None;
    }
    let before = problems.len();
    classify_constraints(&mut format, problems);
    if problems[before..].iter().all(|problem| problem.severity == Severity::Warning) {
        report_ambiguities(&format, problems);
    }
    Some(format)
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

/// Returns the names of all fields of a layout.
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

/// The state of resolution.
struct Resolver<'a> {
    format: Format,
    problems: &'a mut ProblemList,
    /// True if every line was parsed without an error.
    is_complete: bool,
    constants: Vec<NamedConstant>,
    /// Patterns of fields, until the fields are declared.
    patterns: Vec<(String, TokenPattern, Span)>,
    /// Variables of the enclosing quantifiers, outermost first.
    variables: Vec<String>,
    /// For each variable, the repeated text that determines, by its length, the end of the range, if any.
    counted_letters: Vec<Option<FieldId>>,
    /// The currently chosen alternatives, for names shared by several.
    chosen_alternatives: RefCell<Vec<BlockId>>,
}

/// A named constant.
struct NamedConstant {
    name: String,
    value: i128,
    decimals: u32,
    span: Span,
    is_used: Cell<bool>,
}

impl Resolver<'_> {
    /// Extracts the named constants from the rules. A `let` with a field's name stays, as a constraint on that field;
    /// a later `let` of the same constant replaces an earlier one.
    fn extract_constants(&mut self, rules: Vec<SyntaxRule>, fields: &HashSet<&str>) -> Vec<SyntaxRule> {
        let mut left = Vec::new();
        for rule in rules {
            match rule {
                SyntaxRule::Let { name, value, span } if fields.contains(name.as_str()) => {
                    let field = SyntaxTerm { kind: super::syntax::SyntaxTermKind::Name(name), span };
                    let chain =
                        ComparisonChain { lists: vec![vec![field], vec![value]], signs: vec![("=", span)], span };
                    left.push(SyntaxRule::Chain(chain));
                }
                SyntaxRule::Let { name, value, span } => {
                    if let Err(problem) = self.define_constant(&name, &value, span) {
                        self.problems.push(problem);
                        // The name is defined, if only with a dummy value, so that no errors follow.
                        let used = Cell::new(true);
                        self.constants.push(NamedConstant { name, value: 1, decimals: 0, span, is_used: used });
                    }
                }
                other => left.push(other),
            }
        }
        left
    }

    fn define_constant(&mut self, name: &str, value: &SyntaxTerm, span: Span) -> Result<(), Diagnostic> {
        if super::syntax::KEYWORDS.contains(&name) {
            return Err(Diagnostic::error("keyword", span, format!("`{name}` is a keyword"))
                .with_caret("choose another name for the constant"));
        }
        let depends = || {
            Diagnostic::error("not-constant", value.span, "a constant must consist of numbers and other constants")
                .with_caret("this depends on the input, or on something undefined")
        };
        let typed = self.resolve_expr(value, None).map_err(|p| if p.code == "unknown-name" { depends() } else { p })?;
        let Expr::Constant(number) = typed.expr else { return Err(depends()) };
        let used = Cell::new(false);
        match self.constants.iter_mut().find(|c| c.name == name) {
            Some(earlier) => (earlier.value, earlier.decimals) = (number, typed.decimals),
            None => self.constants.push(NamedConstant {
                name: name.to_owned(),
                value: number,
                decimals: typed.decimals,
                span,
                is_used: used,
            }),
        }
        Ok(())
    }

    fn report_unused_constants(&mut self) {
        for constant in self.constants.iter().filter(|c| !c.is_used.get()) {
            self.problems.push(
                Diagnostic::warning("unused", constant.span, format!("`{}` is never used", constant.name))
                    .with_caret("nothing refers to it"),
            );
        }
    }

    fn unknown_name_error(&self, name: &str, span: Span) -> Diagnostic {
        let problem = Diagnostic::error("unknown-name", span, format!("there is no `{name}` in the layout"));
        let fields = self.format.fields.iter().map(|f| f.name.as_str());
        let known = fields.chain(self.constants.iter().map(|c| c.name.as_str()));
        let problem = problem.with_caret("not a field");
        let array = name.split_once('_').filter(|(array, _)| self.format.field_named(array).is_some());
        match (array, suggestion_for(name, known)) {
            (Some((array, _)), _) => {
                problem.with_help(format!("a constraint on an array applies to each element: write `{array}`"))
            }
            (None, Some(help)) => problem.with_help(help),
            (None, None) => problem,
        }
    }

    /// Returns the field that a term names.
    fn resolve_field_name(&self, term: &SyntaxTerm, what: &str) -> Result<FieldId, Diagnostic> {
        match self.resolve_expr(term, None)?.expr {
            Expr::Field(field) => Ok(field),
            _ => {
                Err(Diagnostic::error("not-a-name", term.span, what.to_owned())
                    .with_caret("expected the name of a field"))
            }
        }
    }
}
