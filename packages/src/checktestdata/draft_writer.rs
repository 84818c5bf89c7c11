//! Writer of a draft as the text of a format.

use super::byte_set::RegexByteSet;
use super::constraint_text::{ConstraintRenderer, ConstraintTextResult, quote_word};
use super::draft::{
    ConversionDraft, DraftFieldKind, DraftLinePart, DraftLinePartKind, DraftLoopKind, DraftNode, DraftRule,
    DraftTextSize, LoopCount,
};
use super::field_names::FieldNames;
use super::simplify::{default_limit, find_test_case_loop};
use super::symbolic::{DraftFieldId, DraftLoopId, SymbolicClaim, SymbolicTerm};
use rebut_diagnostics::{Diagnostic, Span};
use std::collections::BTreeSet;

/// Maximum number of conditional values in a rule that is split into cases.
const MAX_CONDITION_SPLITS: usize = 8;

/// A statement about some fields: the text before and after their names.
struct FieldStatement {
    prefix: String,
    names: Vec<String>,
    suffix: String,
}

/// Writes the format. Returns the text, and warnings about parts of the script that it does not express.
pub(super) fn write_format(draft: &ConversionDraft, names: &FieldNames<'_>) -> (String, Vec<Diagnostic>) {
    let mut writer = DraftWriter { draft, names, test_case_loop: find_test_case_loop(draft), warnings: Vec::new() };
    let mut out = String::new();
    writer.write_nodes(&draft.layout, 0, &mut out);
    let rules = writer.constraint_lines();
    let lets = writer.constant_lines(&[out.as_str(), &rules.join("\n")].join("\n"));
    let rules = [lets, rules].concat();
    if !rules.is_empty() {
        out += "where:\n";
        for rule in rules {
            out += &format!("    {rule}\n");
        }
    }
    (out, writer.warnings)
}

struct DraftWriter<'d> {
    draft: &'d ConversionDraft,
    names: &'d FieldNames<'d>,
    test_case_loop: Option<DraftLoopId>,
    warnings: Vec<Diagnostic>,
}

impl DraftWriter<'_> {
    // The layout.

    fn write_nodes(&mut self, nodes: &[DraftNode], depth: usize, out: &mut String) {
        let margin = "    ".repeat(depth);
        for node in nodes {
            match node {
                DraftNode::Line(parts) => *out += &format!("{margin}{}\n", self.line_text(parts)),
                DraftNode::Block(id, body) => {
                    let header = self.loop_header(*id);
                    *out += &format!("{margin}{header}:\n");
                    self.write_nodes(body, depth + 1, out);
                }
                DraftNode::If(claim, span, body) => {
                    let text = ConstraintRenderer::new(self.draft, self.names, &self.enclosing_loops(body))
                        .render_claim(claim, 0);
                    match text {
                        Ok(text) => {
                            *out += &format!("{margin}if {text}:\n");
                            self.write_nodes(body, depth + 1, out);
                        }
                        Err(reason) => {
                            self.warn_lossy(*span, reason, "these lines are always expected");
                            self.write_nodes(body, depth, out);
                        }
                    }
                }
                DraftNode::Either(alternatives) => {
                    *out += &format!("{margin}either:\n");
                    for alternative in alternatives {
                        self.write_alternative(alternative, depth + 1, out);
                    }
                }
            }
        }
    }

    /// Returns the loops around some lines: those of their first field, without its dimensions.
    fn enclosing_loops(&self, body: &[DraftNode]) -> Vec<DraftLoopId> {
        let Some(field) = first_field(body) else { return self.all_loops() };
        let inline = |l: &&DraftLoopId| self.draft.loop_by_id(**l).kind != DraftLoopKind::Inline;
        self.draft.field_by_id(field).loops.iter().filter(inline).copied().collect()
    }

    fn all_loops(&self) -> Vec<DraftLoopId> {
        (0..self.draft.loops.len()).map(DraftLoopId).collect()
    }

    /// Writes an alternative: its first line, and the others indented below it.
    fn write_alternative(&mut self, nodes: &[DraftNode], depth: usize, out: &mut String) {
        let mut text = String::new();
        self.write_nodes(nodes, depth, &mut text);
        let lines: Vec<&str> = text.lines().collect();
        let Some((first, rest)) = lines.split_first() else { return };
        if rest.is_empty() {
            *out += &format!("{first}\n");
            return;
        }
        let header = ["repeat ", "cases ", "if ", "either:"].iter().any(|w| first.trim_start().starts_with(w));
        *out += &if header { format!("{first}\n") } else { format!("{first}:\n") };
        for line in rest {
            *out += &if header { format!("{line}\n") } else { format!("    {line}\n") };
        }
    }

    fn line_text(&self, parts: &[DraftLinePart]) -> String {
        let mut text = String::new();
        for part in parts {
            if !text.is_empty() && !part.glued {
                text.push(' ');
            }
            match &part.kind {
                DraftLinePartKind::Literal(literal) => text += &literal_text(literal),
                DraftLinePartKind::Field(id) => text += &self.field_declaration(*id),
                DraftLinePartKind::Group(over, parts) => {
                    let size = self.draft.loop_count(*over).map(|count| self.size_text(count)).unwrap_or_default();
                    text += &format!("({})[{size}]", self.line_text(parts));
                }
            }
        }
        text
    }

    /// Formats a field with its dimensions.
    fn field_declaration(&self, id: DraftFieldId) -> String {
        let field = self.draft.field_by_id(id);
        let mut text = field.name.clone();
        let dimensions = self.draft.field_dimensions(id);
        for over in &dimensions {
            text += &match &self.draft.loop_by_id(*over).count {
                LoopCount::Times(term) => format!("[{}]", self.size_text(term)),
                LoopCount::Until(..) => "[]".to_owned(),
            };
        }
        if let DraftFieldKind::Text { size, .. } = &field.kind {
            match size {
                DraftTextSize::Exactly(term) => text += &format!("[{}]", self.size_text(term)),
                DraftTextSize::Between(..) if !dimensions.is_empty() => text += "[]",
                DraftTextSize::Between(..) => {}
            }
        }
        if !field.is_row {
            return text;
        }
        let open = matches!(field.kind, DraftFieldKind::Pattern { .. });
        format!("({text}{})", if open { "[]" } else { "" })
    }

    /// Formats a count for the layout, which is written without spaces.
    fn size_text(&self, term: &SymbolicTerm) -> String {
        let loops = self.all_loops();
        let text = ConstraintRenderer::new(self.draft, self.names, &loops).render_term(term, 0);
        text.unwrap_or_else(|_| "1".to_owned()).replace(' ', "")
    }

    fn loop_header(&mut self, id: DraftLoopId) -> String {
        match &self.draft.loop_by_id(id).count {
            LoopCount::Times(term) => {
                let word = if self.test_case_loop == Some(id) { "cases" } else { "repeat" };
                format!("{word} {}", self.size_text(term))
            }
            LoopCount::Until(min, max, sentinel) => {
                if max.is_none() {
                    let problem = Diagnostic::warning(
                        "ctd-narrowed",
                        self.draft.loop_by_id(id).span,
                        "the number of repetitions is unbounded",
                    );
                    self.warnings
                        .push(problem.with_caret(format!("the format accepts up to {} times", default_limit())));
                }
                let max = max.unwrap_or(default_limit());
                let end = sentinel.as_ref().map_or("eof".to_owned(), |s| String::from_utf8_lossy(s).into_owned());
                format!("repeat {min}..{max} until {end}")
            }
        }
    }

    // The constraints.

    /// Formats the constants that a text uses.
    fn constant_lines(&self, text: &str) -> Vec<String> {
        let words: BTreeSet<&str> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
        let used = self.draft.constants.iter().filter(|(name, _)| words.contains(name.as_str()));
        let definition = |(name, value): &(String, SymbolicTerm)| {
            let value = ConstraintRenderer::new(self.draft, self.names, &[]).render_term(value, 0).ok()?;
            Some(format!("let {name} = {value}"))
        };
        used.filter_map(definition).collect()
    }

    fn constraint_lines(&mut self) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        let mut statements: Vec<FieldStatement> = Vec::new();
        for id in (0..self.draft.fields.len()).map(DraftFieldId) {
            if !self.draft.field_by_id(id).dropped {
                for statement in self.field_statements(id) {
                    merge_statement(&mut statements, statement);
                }
            }
        }
        out.extend(statements.into_iter().map(|s| format!("{}{}{}", s.prefix, s.names.join(", "), s.suffix)));
        let mut rules: Vec<&DraftRule> = self.draft.rules.iter().collect();
        rules.sort_by_key(|rule| rule.span.start);
        for rule in rules {
            for text in self.rule_lines(rule) {
                if !out.contains(&text) {
                    out.push(text);
                }
            }
        }
        out
    }

    /// Returns the statements about a single field.
    fn field_statements(&mut self, id: DraftFieldId) -> Vec<FieldStatement> {
        let field = self.draft.field_by_id(id);
        let loops = field.loops.clone();
        let span = field.span;
        let named =
            |prefix: String, suffix: String| vec![FieldStatement { prefix, names: vec![field.name.clone()], suffix }];
        let mut scope = ConstraintRenderer::new(self.draft, self.names, &loops);
        let mut bounds = |min: &SymbolicTerm, max: &SymbolicTerm| -> Result<(String, String), &'static str> {
            Ok((scope.render_term(min, 0)?, scope.render_term(max, 0)?))
        };
        let mut found = match &field.kind {
            DraftFieldKind::Number { min, max } => match bounds(min, max) {
                Ok((min, max)) => named(format!("{min} <= "), format!(" <= {max}")),
                Err(reason) => return self.statement_without_bounds(id, span, reason),
            },
            DraftFieldKind::Real { min, max, decimals } => match bounds(min, max) {
                Ok((low, high)) => {
                    let decimals = match decimals {
                        (a, b) if a == b => format!("{a} decimals"),
                        (a, b) => format!("{a}..{b} decimals"),
                    };
                    let name = &field.name;
                    named(String::new(), format!(" real, {low} <= {name} <= {high}, {decimals}"))
                }
                Err(reason) => return self.statement_without_bounds(id, span, reason),
            },
            DraftFieldKind::Text { letters, .. } => {
                named(String::new(), format!(" over \"{}\"", letters.to_over_charset()))
            }
            DraftFieldKind::Words(words) => {
                let list: Vec<String> = words.iter().filter_map(|w| quote_word(w).ok()).collect();
                named(String::new(), format!(" one of {}", list.join(", ")))
            }
            DraftFieldKind::Pattern { text, .. } => named(String::new(), format!(" matches \"{text}\"")),
        };
        if let Some((min, max)) = self.length_bounds(id) {
            let names = vec![format!("len({})", self.draft.field_by_id(id).name)];
            found.push(FieldStatement { prefix: format!("{min} <= "), names, suffix: format!(" <= {max}") });
        }
        found
    }

    /// Returns the bounds of a length that is not given by a size.
    fn length_bounds(&mut self, id: DraftFieldId) -> Option<(i128, i128)> {
        let field = self.draft.field_by_id(id);
        let dimensions = self.draft.field_dimensions(id);
        let open_bounds = dimensions.last().and_then(|l| match &self.draft.loop_by_id(*l).count {
            LoopCount::Until(min, max, _) => Some((*min, *max)),
            LoopCount::Times(_) => None,
        });
        let (min, max) = match (&field.kind, open_bounds) {
            (DraftFieldKind::Text { size: DraftTextSize::Between(min, max), .. }, _) => (*min, *max),
            (DraftFieldKind::Pattern { lengths: Some((min, max)), .. }, _) => {
                (i128::from(*min), Some(i128::from(*max)))
            }
            (_, Some(open_bounds)) => open_bounds,
            _ => return None,
        };
        if let Some(max) = max {
            return Some((min, max));
        }
        let max = self.max_length_from_rules(id);
        if max.is_none() {
            let problem = Diagnostic::warning("ctd-narrowed", field.span, "the length is unbounded");
            self.warnings.push(
                problem.with_caret(format!("the format accepts up to {} characters or numbers", default_limit())),
            );
        }
        Some((min, max.unwrap_or(default_limit())))
    }

    /// Returns the maximum length implied by the rules.
    fn max_length_from_rules(&self, id: DraftFieldId) -> Option<i128> {
        let of_rule = |rule: &DraftRule| match &rule.claim {
            SymbolicClaim::Compare("<=" | "<" | "=", SymbolicTerm::Length(field), max) if *field == id => {
                self.draft.value_range(max).1
            }
            SymbolicClaim::Compare(">=" | ">" | "=", max, SymbolicTerm::Length(field)) if *field == id => {
                self.draft.value_range(max).1
            }
            _ => None,
        };
        self.draft.rules.iter().filter_map(of_rule).min()
    }

    fn statement_without_bounds(&mut self, id: DraftFieldId, span: Span, reason: &'static str) -> Vec<FieldStatement> {
        self.warn_lossy(span, reason, "its bounds are left out");
        let (min, max) = self.draft.field_by_id(id).value_range;
        let limit = 10_i128.pow(18);
        vec![FieldStatement {
            prefix: format!("{} <= ", min.unwrap_or(-limit)),
            names: vec![self.draft.field_by_id(id).name.clone()],
            suffix: format!(" <= {}", max.unwrap_or(limit)),
        }]
    }

    /// Returns the lines of a rule: several if it depends on a condition, none with a warning if it cannot be
    /// expressed.
    fn rule_lines(&mut self, rule: &DraftRule) -> Vec<String> {
        let conditions: Vec<SymbolicClaim> = rule
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
            let text = self.rule_text(&rule, &conditions);
            match text {
                Ok(text) => found.push(text),
                Err(reason) => self.warn_lossy(rule.span, reason, "it is left out"),
            }
        }
        found
    }

    fn rule_text(&self, rule: &DraftRule, conditions: &[SymbolicClaim]) -> ConstraintTextResult {
        if rule.claim.constant_truth() == Some(false) && conditions.is_empty() {
            return Err("it never holds");
        }
        if let Some(reason) = conditions.iter().chain([&rule.claim]).find_map(SymbolicClaim::unknown_reason) {
            return Err(reason);
        }
        ConstraintRenderer::new(self.draft, self.names, &rule.loops).render_rule(rule, conditions)
    }

    /// Returns true if a condition only states that the elements of a claim about all of them exist.
    fn is_redundant_condition(&self, claim: &SymbolicClaim, condition: &SymbolicClaim) -> bool {
        let (SymbolicClaim::Distinct(over, _)
        | SymbolicClaim::SimpleGraph(over, ..)
        | SymbolicClaim::Ordered(_, over, _)) = claim
        else {
            return false;
        };
        let Some(count) = self.draft.loop_count(*over) else { return false };
        let zero = SymbolicClaim::Compare(">", count.clone(), SymbolicTerm::Number(0));
        let one = SymbolicClaim::Compare(">=", count.clone(), SymbolicTerm::Number(1));
        let not = SymbolicClaim::Compare("!=", count.clone(), SymbolicTerm::Number(0));
        [zero, one, not].contains(condition)
    }

    /// Returns true if a claim is only about fields of a branch, so that the condition of the branch is not needed.
    fn exists_only_in_branch(&self, claim: &SymbolicClaim, branch: usize) -> bool {
        let here = |id: &DraftFieldId| self.draft.field_by_id(*id).branches.contains(&branch);
        let fields = match claim {
            SymbolicClaim::Distinct(_, terms) => terms.iter().any(|t| matches!(t, SymbolicTerm::Field(id) if here(id))),
            SymbolicClaim::Contains(id, _) => here(id),
            _ => false,
        };
        let is_here = |term: &SymbolicTerm| match term {
            SymbolicTerm::Field(id) | SymbolicTerm::Element(id, _) | SymbolicTerm::Length(id) => here(id),
            _ => false,
        };
        fields || claim.any_subterm(&is_here)
    }

    /// Warns about something that is not expressed, and what the format does instead.
    fn warn_lossy(&mut self, span: Span, reason: &str, instead: &str) {
        self.warnings.push(super::lossy_warning(span, reason, instead));
    }
}

/// Adds a statement, merged with an equal one about other fields.
fn merge_statement(statements: &mut Vec<FieldStatement>, added: FieldStatement) {
    let grouped = !added.suffix.contains(" real, ");
    match statements.last_mut() {
        Some(last) if grouped && last.prefix == added.prefix && last.suffix == added.suffix => {
            last.names.extend(added.names)
        }
        _ => {
            let before_last = statements.len().checked_sub(2).and_then(|at| statements.get_mut(at));
            match before_last {
                Some(other) if grouped && other.prefix == added.prefix && other.suffix == added.suffix => {
                    other.names.extend(added.names);
                }
                _ => statements.push(added),
            }
        }
    }
}

/// Splits a rule with a conditional value into two rules: one for the condition and one for its negation.
fn split_conditionals(rules: &mut Vec<(DraftRule, Vec<SymbolicClaim>)>) {
    for _ in 0..MAX_CONDITION_SPLITS {
        let choice = |rule: &DraftRule| {
            let mut found = None;
            rule.claim.visit_subterms(&mut |term| {
                if let SymbolicTerm::Conditional(claim, ..) = term {
                    found.get_or_insert((term.clone(), (**claim).clone()));
                }
            });
            found
        };
        let Some(at) = rules.iter().position(|(rule, _)| choice(rule).is_some()) else { return };
        let (rule, conditions) = rules.remove(at);
        let Some((term, claim)) = choice(&rule) else { return };
        let SymbolicTerm::Conditional(_, left, right) = &term else { return };
        for (value, condition) in [(left, claim.clone()), (right, claim.clone().into_negated())] {
            let mut rule = rule.clone();
            rule.claim = rule.claim.replace_subterms(&|part| (*part == term).then(|| (**value).clone()));
            rules.push((rule, [conditions.clone(), vec![condition]].concat()));
        }
    }
}

fn first_field(nodes: &[DraftNode]) -> Option<DraftFieldId> {
    nodes.iter().find_map(|node| match node {
        DraftNode::Line(parts) => {
            let mut first = None;
            parts.iter().for_each(|part| part.kind.for_each_field(&mut |id| first = first.or(Some(id))));
            first
        }
        DraftNode::Block(_, inner) | DraftNode::If(_, _, inner) => first_field(inner),
        DraftNode::Either(alternatives) => alternatives.iter().find_map(|a| first_field(a)),
    })
}

/// Formats a literal; plain numbers need no quotes.
fn literal_text(text: &[u8]) -> String {
    let plain = text.iter().all(u8::is_ascii_digit) && (text.len() == 1 || text.first() != Some(&b'0'));
    if plain && text.len() <= 30 {
        return String::from_utf8_lossy(text).into_owned();
    }
    quote_word(text).unwrap_or_else(|_| format!("\"{}\"", RegexByteSet::from_byte(b'?').to_over_charset()))
}
