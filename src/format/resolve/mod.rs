//! A syntax tree to the model: every name is looked up, every expression gets its shape.

mod exprs;
mod forms;
mod formulas;
mod graphs;
mod kinds;
mod layout;
mod pairwise;
mod rules;
mod wholes;

use super::ambiguous::ambiguous;
use super::classify::classify;
use super::expr::Expr;
use super::model::{Block, BlockId, BlockKind, Count, FieldId, Format};
use super::pattern::Pattern;
use super::stop_token::StopToken;
use super::syntax::{Chain, LayoutLine, Part, PartKind, Term, Tree, WrittenRule};
use crate::diagnostic::{Diagnostic, Severity, Source, Span, nearest};
use std::cell::{Cell, RefCell};
use std::collections::HashSet;

type Problems = Vec<Diagnostic>;

/// The model of a tree; none if nothing sensible can be made of it.
pub(super) fn resolve(tree: Tree, source: &Source, problems: &mut Problems) -> Option<Format> {
    let whole = problems.iter().all(|problem| problem.severity == Severity::Warning);
    let mut resolver = Resolver {
        format: empty(source),
        problems,
        whole,
        constants: Vec::new(),
        patterns: Vec::new(),
        variables: Vec::new(),
        counted_letters: Vec::new(),
        chosen: RefCell::new(Vec::new()),
    };
    let rules = resolver.constants(tree.rules, &names_of(&tree.layout));
    resolver.kinds(&rules);
    resolver.layout(&tree.layout, BlockId(0));
    if resolver.format.fields.is_empty() {
        if resolver.problems.is_empty() {
            resolver.problems.push(empty_format(source));
        }
        return None;
    }
    resolver.matches();
    for rule in &rules {
        // What is missed may stand on a line that could not be read.
        let follows = |p: &Diagnostic| !whole && p.help.is_none() && ["unknown-name", "len-what"].contains(&p.code);
        if let Some(problem) = resolver.rule(rule).err().filter(|p| !follows(p)) {
            resolver.problems.push(problem);
        }
    }
    resolver.unused_constants();
    let mut format = resolver.format;
    // What is not understood cannot be weighed: a bound that is misspelt would be said to be missing, too.
    if problems.iter().any(|problem| problem.severity == Severity::Error) {
        return None;
    }
    let before = problems.len();
    classify(&mut format, problems);
    if problems[before..].iter().all(|problem| problem.severity == Severity::Warning) {
        ambiguous(&format, problems);
    }
    Some(format)
}

fn empty_format(source: &Source) -> Diagnostic {
    let end = source.text.len();
    Diagnostic::error("empty-format", Span::new(0, end.min(1)), "the format is empty")
        .caret("expected the names of what the input's first line holds")
        .help("a format is the statement's Input section: `n`, then `a[n]`, then `where:` and its constraints")
}

fn empty(source: &Source) -> Format {
    let whole = Block {
        parent: None,
        slot: 0,
        kind: BlockKind::Whole,
        count: Count::Times(Expr::Constant(1)),
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
        shapes: Vec::new(),
        subtasks: Vec::new(),
        stop: StopToken::never(),
    }
}

/// The names of all fields of a layout.
fn names_of(lines: &[LayoutLine]) -> HashSet<&str> {
    let mut found = HashSet::new();
    for line in lines {
        match line {
            LayoutLine::Parts(parts) => names_on_line(parts, &mut found),
            LayoutLine::Block { body, .. } => found.extend(names_of(body)),
            LayoutLine::Either { alternatives, .. } => alternatives.iter().for_each(|a| found.extend(names_of(a))),
        }
    }
    found
}

fn names_on_line<'t>(parts: &'t [Part], found: &mut HashSet<&'t str>) {
    for part in parts {
        match &part.kind {
            PartKind::Field(field) => {
                found.insert(field.name.as_str());
            }
            PartKind::Group { parts, .. } => names_on_line(parts, found),
            PartKind::Literal(_) => {}
        }
    }
}

/// A format in the making.
struct Resolver<'a> {
    format: Format,
    problems: &'a mut Problems,
    /// Whether every line could be read.
    whole: bool,
    constants: Vec<Constant>,
    /// Patterns of fields, until the fields are declared.
    patterns: Vec<(String, Pattern, Span)>,
    /// The names that quantifiers count with, outermost first.
    variables: Vec<String>,
    /// For each of them the repeated text whose length its range is made of, if it is.
    counted_letters: Vec<Option<FieldId>>,
    /// The forms that names stand in at the moment, where they stand in several.
    chosen: RefCell<Vec<BlockId>>,
}

/// A named number.
struct Constant {
    name: String,
    value: i128,
    decimals: u32,
    span: Span,
    used: Cell<bool>,
}

impl Resolver<'_> {
    /// Takes the named constants out of the rules. A `let` of a field's name stays, as a constraint on that field; a
    /// later `let` of the same constant replaces an earlier one.
    fn constants(&mut self, rules: Vec<WrittenRule>, fields: &HashSet<&str>) -> Vec<WrittenRule> {
        let mut left = Vec::new();
        for rule in rules {
            match rule {
                WrittenRule::Let { name, value, span } if fields.contains(name.as_str()) => {
                    let field = Term { kind: super::syntax::TermKind::Name(name), span };
                    let chain = Chain { lists: vec![vec![field], vec![value]], signs: vec![("=", span)], span };
                    left.push(WrittenRule::Chain(chain));
                }
                WrittenRule::Let { name, value, span } => {
                    if let Err(problem) = self.constant(&name, &value, span) {
                        self.problems.push(problem);
                        // It stands for something: nothing else need be said of its name.
                        let used = Cell::new(true);
                        self.constants.push(Constant { name, value: 1, decimals: 0, span, used });
                    }
                }
                other => left.push(other),
            }
        }
        left
    }

    fn constant(&mut self, name: &str, value: &Term, span: Span) -> Result<(), Diagnostic> {
        if super::syntax::KEYWORDS.contains(&name) {
            return Err(Diagnostic::error("keyword", span, format!("`{name}` is a word of the language"))
                .caret("a constant needs another name"));
        }
        let depends = || {
            Diagnostic::error("not-constant", value.span, "a constant is made of numbers and constants")
                .caret("this depends on the input, or on something unknown")
        };
        let typed = self.typed(value, None).map_err(|p| if p.code == "unknown-name" { depends() } else { p })?;
        let Expr::Constant(number) = typed.expr else { return Err(depends()) };
        let used = Cell::new(false);
        match self.constants.iter_mut().find(|c| c.name == name) {
            Some(earlier) => (earlier.value, earlier.decimals) = (number, typed.decimals),
            None => self.constants.push(Constant {
                name: name.to_owned(),
                value: number,
                decimals: typed.decimals,
                span,
                used,
            }),
        }
        Ok(())
    }

    fn unused_constants(&mut self) {
        for constant in self.constants.iter().filter(|c| !c.used.get()) {
            self.problems.push(
                Diagnostic::warning("unused", constant.span, format!("`{}` is never used", constant.name))
                    .caret("nothing refers to it"),
            );
        }
    }

    fn unknown(&self, name: &str, span: Span) -> Diagnostic {
        let problem = Diagnostic::error("unknown-name", span, format!("there is no `{name}` in the layout"));
        let fields = self.format.fields.iter().map(|f| f.name.as_str());
        let known = fields.chain(self.constants.iter().map(|c| c.name.as_str()));
        let problem = problem.caret("not a field");
        let array = name.split_once('_').filter(|(array, _)| self.format.field_named(array).is_some());
        match (array, nearest(name, known)) {
            (Some((array, _)), _) => {
                problem.help(format!("what is said of an array holds for each element: write `{array}`"))
            }
            (None, Some(near)) => problem.help(format!("did you mean `{near}`?")),
            (None, None) => problem,
        }
    }

    /// The field that a term names.
    fn named(&self, term: &Term, what: &str) -> Result<FieldId, Diagnostic> {
        match self.typed(term, None)?.expr {
            Expr::Field(field) => Ok(field),
            _ => Err(Diagnostic::error("not-a-name", term.span, what.to_owned()).caret("expected the name of a field")),
        }
    }
}
