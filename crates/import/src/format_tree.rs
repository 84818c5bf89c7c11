//! Conversion of a draft to the syntax tree of the format language.

use crate::constraint_syntax::{ConstraintLowering, Lowered, visible_word};
use crate::draft::{
    Draft, DraftNode, DraftRule, FieldContent, FieldNames, LinePart, LoopCount, LoopKind, PartKind, TextSize,
};
use crate::fields::known_bounds;
use crate::letters::over_letters;
use crate::simplify::find_test_case_loop;
use crate::term::{FieldId, LoopId, Term};
use crate::translate::MAX_DEFAULT_REPETITIONS;
use rebut_diagnostics::{Diagnostic, Span};
use rebut_format::language::ComparisonOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
use rebut_format::language::{BlockKind, Interval, MAX_NUMBER};
use rebut_format::syntax::{
    ComparisonChain, LayoutNode, SyntaxCount, SyntaxField, SyntaxFieldKind, SyntaxFormula, SyntaxPart, SyntaxPartKind,
    SyntaxProperty, SyntaxRule, SyntaxTerm, SyntaxTermKind, SyntaxTree,
};
use std::collections::BTreeSet;

/// Maximum number of conditional values in a rule that is split into cases.
const MAX_CONDITION_SPLITS: usize = 8;

const NO_SPAN: Span = Span { start: 0, end: 0 };

/// Converts a draft. Returns the tree, and warnings about parts of the script that it does not express.
pub(crate) fn build_tree(draft: &Draft, names: &FieldNames) -> (SyntaxTree, Vec<Diagnostic>) {
    let mut builder = TreeBuilder { draft, names, test_case_loop: find_test_case_loop(draft), warnings: Vec::new() };
    let mut tree = SyntaxTree { layout: builder.layout_nodes(&draft.layout), rules: builder.rules() };
    let mut used = BTreeSet::new();
    tree.visit_terms(&mut |term| {
        if let SyntaxTermKind::Name(name) = &term.kind {
            used.insert(name.clone());
        }
    });
    tree.rules.splice(0..0, builder.constant_rules(&used));
    (tree, builder.warnings)
}

struct TreeBuilder<'d> {
    draft: &'d Draft,
    names: &'d FieldNames,
    test_case_loop: Option<LoopId>,
    warnings: Vec<Diagnostic>,
}

impl TreeBuilder<'_> {
    // The layout.

    fn layout_nodes(&mut self, nodes: &[DraftNode]) -> Vec<LayoutNode> {
        nodes.iter().flat_map(|node| self.layout_node(node)).collect()
    }

    fn layout_node(&mut self, node: &DraftNode) -> Vec<LayoutNode> {
        let node = match node {
            DraftNode::Line(parts) => LayoutNode::Parts(self.line_parts(parts)),
            DraftNode::Block(id, body) => {
                let kind = if self.test_case_loop == Some(*id) { BlockKind::Cases } else { BlockKind::Repeat };
                let count = self.repetition_count(*id);
                let separator = self.draft[*id].is_separated.then(Vec::new);
                LayoutNode::Block { kind, count, separator, body: self.layout_nodes(body), span: NO_SPAN }
            }
            DraftNode::If(claim, span, body) => {
                let lines = self.layout_nodes(body);
                match self.condition(claim, body) {
                    Ok(chain) => {
                        let (kind, count) = (BlockKind::Condition, SyntaxCount::When(chain));
                        LayoutNode::Block { kind, count, separator: None, body: lines, span: NO_SPAN }
                    }
                    Err(reason) => {
                        self.warn_lossy(*span, reason, "these lines are always expected");
                        return lines;
                    }
                }
            }
            DraftNode::Either(alternatives) => {
                let alternatives = alternatives.iter().map(|lines| self.layout_nodes(lines)).collect();
                LayoutNode::Either { alternatives, span: NO_SPAN }
            }
        };
        vec![node]
    }

    /// Returns the condition of some lines, which is a comparison.
    fn condition(&self, claim: &Term, body: &[DraftNode]) -> Lowered<ComparisonChain> {
        let loops = self.enclosing_loops(body);
        match ConstraintLowering::new(self.draft, self.names, &loops).lower_claim(claim)? {
            SyntaxFormula::Chain(chain) if !chain.signs.is_empty() => Ok(chain),
            _ => Err("lines can only depend on a single comparison"),
        }
    }

    /// Returns the loops around some lines: those of their first field, without its dimensions.
    fn enclosing_loops(&self, body: &[DraftNode]) -> Vec<LoopId> {
        let Some(field) = first_field(body) else { return self.all_loops() };
        let inline = |l: &&LoopId| self.draft[**l].kind != LoopKind::Inline;
        self.draft[field].loops.iter().filter(inline).copied().collect()
    }

    fn all_loops(&self) -> Vec<LoopId> {
        (0..self.draft.loops.len()).map(LoopId).collect()
    }

    fn line_parts(&self, parts: &[LinePart]) -> Vec<SyntaxPart> {
        let part = |part: &LinePart| {
            let kind = match &part.kind {
                PartKind::Literal(literal) => SyntaxPartKind::Literal(visible_word(literal).unwrap_or(b"?").to_vec()),
                PartKind::Field(id) => SyntaxPartKind::Field(self.field_declaration(*id)),
                PartKind::Group(over, parts) => {
                    let count = self.draft.loop_count(*over).map_or(SyntaxTerm::from_number(1), |c| self.size_term(c));
                    SyntaxPartKind::Group { parts: self.line_parts(parts), count: Box::new(count) }
                }
            };
            SyntaxPart { kind, span: NO_SPAN, glued: part.glued }
        };
        parts.iter().map(part).collect()
    }

    /// Returns a field with its dimensions.
    fn field_declaration(&self, id: FieldId) -> SyntaxField {
        let field = &self.draft[id];
        let dimension = |over: &LoopId| self.draft.loop_count(*over).map(|count| self.size_term(count));
        let mut dimensions: Vec<_> = self.draft.field_dimensions(id).iter().map(dimension).collect();
        match &field.kind {
            FieldContent::Text { size: TextSize::Exactly(term), .. } => {
                dimensions.push(Some(self.size_term(term)));
            }
            FieldContent::Text { .. } if !dimensions.is_empty() => dimensions.push(None),
            FieldContent::Pattern { .. } if field.is_row => dimensions.push(None),
            _ => {}
        }
        SyntaxField { name: field.name.clone(), span: NO_SPAN, dimensions, on_one_line: field.is_row }
    }

    fn size_term(&self, term: &Term) -> SyntaxTerm {
        let size = ConstraintLowering::new(self.draft, self.names, &self.all_loops()).lower_term(term);
        size.unwrap_or_else(|_| SyntaxTerm::from_number(1))
    }

    fn repetition_count(&mut self, id: LoopId) -> SyntaxCount {
        match &self.draft[id].count {
            LoopCount::Times(term) => SyntaxCount::Times(self.size_term(term)),
            LoopCount::Until(range) => {
                if range.hi == MAX_NUMBER {
                    let span = self.draft[id].span;
                    self.warn_narrowed(span, "the number of repetitions is unbounded", "times");
                }
                SyntaxCount::Until {
                    least: SyntaxTerm::from_number(range.lo),
                    most: SyntaxTerm::from_number(default_most(range.hi)),
                    sentinel: self.draft[id].sentinel.as_ref().map(|numbers| {
                        let words: Vec<String> = numbers.iter().map(i128::to_string).collect();
                        words.join(" ").into_bytes()
                    }),
                }
            }
        }
    }

    // The constraints.

    /// Returns the definitions of the constants that the tree uses.
    fn constant_rules(&self, used: &BTreeSet<String>) -> Vec<SyntaxRule> {
        let used = self.draft.constants.iter().filter(|(name, _)| used.contains(name));
        let definition = |(name, value): &(String, Term)| {
            let value = ConstraintLowering::new(self.draft, self.names, &[]).lower_term(value).ok()?;
            Some(SyntaxRule::Let { name: name.clone(), value, span: NO_SPAN })
        };
        used.filter_map(definition).collect()
    }

    fn rules(&mut self) -> Vec<SyntaxRule> {
        let mut statements: Vec<Vec<SyntaxRule>> = Vec::new();
        for id in (0..self.draft.fields.len()).map(FieldId) {
            if !self.draft[id].dropped {
                let (kind, length) = (self.field_statement(id), self.length_statement(id));
                [kind].into_iter().chain(length).for_each(|statement| merge_statement(&mut statements, statement));
            }
        }
        let mut found = statements.concat();
        let mut rules: Vec<&DraftRule> = self.draft.rules.iter().collect();
        rules.sort_by_key(|rule| rule.span.start);
        for rule in rules {
            for line in self.split_rule(rule) {
                if !merge_graph(&mut found, &line) && !found.contains(&line) {
                    found.push(line);
                }
            }
        }
        found.iter_mut().for_each(simplify_graph);
        found
    }

    /// Returns the statement about the type of a field, or its bounds: both for a real number.
    fn field_statement(&mut self, id: FieldId) -> Vec<SyntaxRule> {
        let field = &self.draft[id];
        let name = SyntaxTerm::from_name(&field.name);
        let kind = |of| SyntaxRule::FieldKind { names: vec![name.clone()], of };
        let scope = ConstraintLowering::new(self.draft, self.names, &field.loops);
        match &field.kind {
            FieldContent::Number { min, max, decimals } => {
                let bounds = || Ok((scope.lower_term(min)?, scope.lower_term(max)?));
                let (min, max) = bounds().unwrap_or_else(|reason| self.bounds_of_range(id, reason));
                let real = decimals.map(|(least, most)| {
                    let decimals = [least, most].map(|places| SyntaxTerm::from_number(i128::from(places)));
                    kind(SyntaxFieldKind::Real(Box::new(decimals.into())))
                });
                real.into_iter().chain([chain_between(min, name.clone(), max)]).collect()
            }
            FieldContent::Text { letters, .. } => {
                vec![kind(SyntaxFieldKind::Letters(over_letters(letters), NO_SPAN))]
            }
            FieldContent::Words(words) => {
                let words = words.iter().filter(|word| visible_word(word).is_ok());
                vec![kind(SyntaxFieldKind::Words(words.map(|word| (word.clone(), NO_SPAN)).collect()))]
            }
            FieldContent::Pattern { text, .. } => vec![kind(SyntaxFieldKind::Pattern(text.clone(), NO_SPAN))],
        }
    }

    /// Returns the bounds of a field if its own ones cannot be expressed.
    fn bounds_of_range(&mut self, id: FieldId, reason: &'static str) -> (SyntaxTerm, SyntaxTerm) {
        let field = &self.draft[id];
        self.warn_lossy(field.span, reason, "its bounds are left out");
        let range = known_bounds(field.value_range);
        (SyntaxTerm::from_number(range.lo), SyntaxTerm::from_number(range.hi))
    }

    /// Returns the statement about a length that is not given by a size.
    fn length_statement(&mut self, id: FieldId) -> Option<Vec<SyntaxRule>> {
        let range = self.length_bounds(id)?;
        let name = SyntaxTerm::from_name(&self.draft[id].name);
        let [min, max] = [range.lo, range.hi].map(SyntaxTerm::from_number);
        Some(vec![chain_between(min, SyntaxTerm::new_call("len", vec![name]), max)])
    }

    /// Returns the bounds of a length that is not given by a size.
    fn length_bounds(&mut self, id: FieldId) -> Option<Interval> {
        let field = &self.draft[id];
        let count = self.draft.field_dimensions(id).last().map(|over| &self.draft[*over].count);
        let mut range = match (&field.kind, count) {
            (FieldContent::Text { size: TextSize::Between(range), .. }, _) => *range,
            (FieldContent::Pattern { lengths: Some(range), .. }, _) => {
                return Some(Interval::new(range.lo, default_most(range.hi)));
            }
            (_, Some(LoopCount::Until(range))) => *range,
            _ => return None,
        };
        if range.hi == MAX_NUMBER {
            range.hi = self.max_length_from_rules(id);
        }
        if range.hi == MAX_NUMBER {
            self.warn_narrowed(field.span, "the length is unbounded", "characters or numbers");
        }
        Some(Interval::new(range.lo, default_most(range.hi)))
    }

    /// Returns the maximum length implied by the rules.
    fn max_length_from_rules(&self, id: FieldId) -> i128 {
        let length = Term::Length(id);
        let of_rule = |rule: &DraftRule| match rule.claim.as_comparison()? {
            (Less | LessEqual | Equal, left, max) if *left == length => Some(self.draft.value_range(max).hi),
            (Greater | GreaterEqual | Equal, max, right) if *right == length => Some(self.draft.value_range(max).hi),
            _ => None,
        };
        self.draft.rules.iter().filter_map(of_rule).min().unwrap_or(MAX_NUMBER)
    }

    /// Returns the constraints of a rule: several if it depends on a condition, none with a warning if it cannot be
    /// expressed.
    fn split_rule(&mut self, rule: &DraftRule) -> Vec<SyntaxRule> {
        let conditions: Vec<Term> = rule
            .conditions
            .iter()
            .filter(|(branch, claim)| {
                !self.exists_only_in_branch(&rule.claim, *branch) && !self.is_redundant_condition(&rule.claim, claim)
            })
            .map(|(_, claim)| claim.clone())
            .collect();
        let mut split = vec![(rule.clone(), conditions)];
        split_conditionals(&mut split);
        let mut found = Vec::new();
        for (rule, conditions) in split {
            if conditions.iter().any(|c| c.constant_truth() == Some(false)) {
                continue;
            }
            match self.lower_rule(&rule, &conditions) {
                Ok(line) => found.push(line),
                Err(reason) => self.warn_lossy(rule.span, reason, "it is left out"),
            }
        }
        found
    }

    fn lower_rule(&self, rule: &DraftRule, conditions: &[Term]) -> Lowered<SyntaxRule> {
        if rule.claim.constant_truth() == Some(false) && conditions.is_empty() {
            return Err("it never holds");
        }
        if let Some(reason) = conditions.iter().chain([&rule.claim]).find_map(Term::unknown_reason) {
            return Err(reason);
        }
        ConstraintLowering::new(self.draft, self.names, &rule.loops).lower_rule(rule, conditions)
    }

    /// Returns true if a condition only states that the elements of a claim about all of them exist.
    fn is_redundant_condition(&self, claim: &Term, condition: &Term) -> bool {
        let (Term::Distinct(over, _) | Term::EdgeGraph(over, ..) | Term::Ordered(_, over, _)) = claim else {
            return false;
        };
        let Some(count) = self.draft.loop_count(*over) else { return false };
        condition.as_comparison().is_some_and(|(sign, left, right)| {
            let is_positive =
                matches!((sign, right), (Greater | NotEqual, Term::Number(0)) | (GreaterEqual, Term::Number(1)));
            left == count && is_positive
        })
    }

    /// Returns true if a claim is only about fields of a branch, so that the condition of the branch is not needed.
    fn exists_only_in_branch(&self, claim: &Term, branch: usize) -> bool {
        let here = |id: &FieldId| self.draft[*id].branches.contains(&branch);
        let fields = match claim {
            Term::Distinct(_, terms) => terms.iter().any(|t| matches!(t, Term::Field(id) if here(id))),
            Term::Contains(id, _) => here(id),
            _ => false,
        };
        let is_here = |term: &Term| match term {
            Term::Field(id) | Term::Element(id, _) | Term::Length(id) => here(id),
            _ => false,
        };
        fields || claim.any_subterm(&is_here)
    }

    /// Warns about something that is not expressed, and what the format does instead.
    fn warn_lossy(&mut self, span: Span, reason: &str, instead: &str) {
        self.warnings.push(crate::lossy_warning(span, reason, instead));
    }
    /// Warns about something that the script does not limit.
    fn warn_narrowed(&mut self, span: Span, message: &str, counted: &str) {
        let limit = format!("the format accepts up to {MAX_DEFAULT_REPETITIONS} {counted}");
        self.warnings.push(Diagnostic::warning("ctd-narrowed", span, message).with_caret(limit));
    }
}

/// Returns a maximum number of repetitions or characters, which is limited if the script does not limit it.
fn default_most(most: i128) -> i128 {
    if most == MAX_NUMBER { MAX_DEFAULT_REPETITIONS } else { most }
}

/// Returns `min <= term <= max`.
fn chain_between(min: SyntaxTerm, term: SyntaxTerm, max: SyntaxTerm) -> SyntaxRule {
    SyntaxRule::Chain(ComparisonChain::new(min).followed_by("<=", vec![term]).followed_by("<=", vec![max]))
}

/// Adds a statement about a field, merged with one about other fields if that is one of the last two.
fn merge_statement(statements: &mut Vec<Vec<SyntaxRule>>, added: Vec<SyntaxRule>) {
    let is_merged = |statement: &mut Vec<SyntaxRule>| match (&mut statement[..], &added[..]) {
        ([SyntaxRule::Chain(chain)], [SyntaxRule::Chain(more)]) => {
            let is_same = chain.lists[0] == more.lists[0] && chain.lists[2] == more.lists[2];
            if is_same {
                chain.lists[1].extend(more.lists[1].clone());
            }
            is_same
        }
        ([SyntaxRule::FieldKind { names, of }], [SyntaxRule::FieldKind { names: more, of: other }]) if of == other => {
            names.extend(more.clone());
            true
        }
        _ => false,
    };
    if !statements.iter_mut().rev().take(2).any(is_merged) {
        statements.push(added);
    }
}

/// Adds the properties of a graph to those of the same edges. Returns false if there is none.
fn merge_graph(found: &mut [SyntaxRule], added: &SyntaxRule) -> bool {
    let SyntaxRule::Edges { ends, vertices, properties, .. } = added else { return false };
    let known = found.iter_mut().find_map(|rule| match rule {
        SyntaxRule::Edges { ends: own, vertices: on, properties, .. } if own == ends && on == vertices => {
            Some(properties)
        }
        _ => None,
    });
    let Some(known) = known else { return false };
    for property in properties {
        if !known.contains(property) {
            known.push(property.clone());
        }
    }
    true
}

/// Writes the properties of a graph as people do: one that is acyclic and connected is a tree.
fn simplify_graph(rule: &mut SyntaxRule) {
    let SyntaxRule::Edges { properties, .. } = rule else { return };
    let has = |word: &str| properties.iter().any(|property| property.word == word);
    if has("acyclic") && has("connected") {
        *properties = vec![SyntaxProperty::new("tree")];
    } else if has("acyclic") {
        properties.retain(|property| property.word != "simple");
    }
}

/// Splits a rule with a conditional value into two rules: one for the condition and one for its negation.
fn split_conditionals(rules: &mut Vec<(DraftRule, Vec<Term>)>) {
    for _ in 0..MAX_CONDITION_SPLITS {
        let choice = |(rule, _): &(DraftRule, _)| {
            rule.claim.find_subterm(&|term| matches!(term, Term::Conditional(..)).then(|| term.clone()))
        };
        let Some((at, term)) = rules.iter().enumerate().find_map(|(at, rule)| Some((at, choice(rule)?))) else {
            return;
        };
        let (rule, conditions) = rules.remove(at);
        let Term::Conditional(claim, left, right) = &term else { return };
        for (value, condition) in [(left, (**claim).clone()), (right, (**claim).clone().into_negated())] {
            let mut rule = rule.clone();
            rule.claim = rule.claim.replace_subterms(&|part| (*part == term).then(|| (**value).clone()));
            rules.push((rule, [conditions.clone(), vec![condition]].concat()));
        }
    }
}

fn first_field(nodes: &[DraftNode]) -> Option<FieldId> {
    nodes.iter().find_map(|node| match node {
        DraftNode::Line(parts) => {
            let mut first = None;
            parts.iter().for_each(|part| part.kind.for_each_field(&mut |id| first = first.or(Some(id))));
            first
        }
        node => node.children().find_map(first_field),
    })
}
