//! Conversion of a draft to the text of a format.

use crate::constraint_syntax::{ConstraintLine, ConstraintLowering, Lowered, quote_text, visible_word};
use crate::draft::{Amount, Draft, DraftNode, DraftRule, FieldContent, FieldNames, LinePart, PartKind};
use crate::fields::known_bounds;
use crate::letters::range_text;
use crate::simplify::find_test_case_loop;
use crate::term::{FieldId, LoopId, Term};
use crate::translate::MAX_DEFAULT_REPETITIONS;
use rebut_diagnostics::{Diagnostic, SourceText, Span};
use rebut_format::language::ComparisonOperator::{Equal, Less, LessEqual};
use rebut_format::language::{Format, MAX_NUMBER};
use rebut_format::syntax::{SyntaxRule, SyntaxTermKind, SyntaxTree};
use std::collections::BTreeSet;

/// Maximum number of conditional values in a rule that is split into cases.
const MAX_CONDITION_SPLITS: usize = 8;

/// Maximum number of constraints that are left out because the format language does not have them.
const MAX_MISFITS: usize = 20;

/// Converts a draft. Returns the text, and warnings about parts of the script that it does not express.
pub(crate) fn format_draft(draft: &Draft, names: &FieldNames) -> (String, Vec<Diagnostic>) {
    let test_case_loop = find_test_case_loop(draft);
    let mut writer = FormatWriter { draft, names, test_case_loop, warnings: Vec::new(), lines: Vec::new() };
    writer.write_nodes(&draft.layout, 0);
    writer.write_line(0, "where:");
    for (name, value) in &draft.constants {
        if let Ok(value) = ConstraintLowering::new(draft, names, &[]).lower_term(value) {
            writer.write_line(1, &format!("let {name} = {value}"));
        }
    }
    writer.write_field_statements();
    let rules = writer.rules();
    let text = writer.text_with_rules(rules);
    (text, writer.warnings)
}

/// Writes a format as people do, without parentheses and constants that it does not need.
fn simplify_text(text: String) -> String {
    let source = SourceText::new("format", text);
    let Ok(mut tree) = SyntaxTree::parse(&source) else {
        return String::from_utf8_lossy(&source.text).into_owned();
    };
    let mut used = BTreeSet::new();
    tree.visit_terms(&mut |term| {
        if let SyntaxTermKind::Name(name) = &term.kind {
            used.insert(name.clone());
        }
    });
    tree.rules.retain(|rule| !matches!(rule, SyntaxRule::Let { name, .. } if !used.contains(name)));
    tree.to_string()
}

struct FormatWriter<'d> {
    draft: &'d Draft,
    names: &'d FieldNames,
    test_case_loop: Option<LoopId>,
    warnings: Vec<Diagnostic>,
    lines: Vec<String>,
}

impl FormatWriter<'_> {
    fn write_line(&mut self, depth: usize, text: &str) {
        self.lines.push("    ".repeat(depth) + text);
    }

    /// Returns the text with the constraints that the format language has: what a program may compare, a format may
    /// not. Each of the others is a warning.
    fn text_with_rules(&mut self, mut rules: Vec<ConstraintLine>) -> String {
        let fixed: String = self.lines.iter().map(|line| format!("{line}\n")).collect();
        let text = |rules: &[ConstraintLine]| {
            let rules: String = rules.iter().map(|rule| format!("    {}\n", rule_text(rule))).collect();
            simplify_text(fixed.clone() + &rules)
        };
        for _ in 0..MAX_MISFITS {
            let text = text(&rules);
            let line_count = text.lines().count();
            let format = SourceText::new("format", text);
            let Err(problems) = Format::parse(&format) else { break };
            // The constraints are the last lines.
            let (line, _) = format.line_column(problems[0].span.start);
            let Some(at) = (line - 1 + rules.len()).checked_sub(line_count).filter(|at| *at < rules.len()) else {
                let reason = format!("the format is not valid: {}", problems[0].message);
                self.warn_lossy(Span::new(0, 1), &reason, "it has to be corrected");
                break;
            };
            let refused = rules.remove(at);
            self.warn_lossy(refused.span, &problems[0].message, "it is left out");
        }
        text(&rules)
    }

    // The layout.

    fn write_nodes(&mut self, nodes: &[DraftNode], depth: usize) {
        nodes.iter().for_each(|node| self.write_node(node, depth));
    }

    fn write_node(&mut self, node: &DraftNode, depth: usize) {
        match node {
            DraftNode::Line(parts) => self.write_line(depth, &self.line_text(parts)),
            DraftNode::Block(id, body) => {
                let word = if self.test_case_loop == Some(*id) { "cases" } else { "repeat" };
                let count = self.repetition_count(*id);
                let separator = if self.draft[*id].is_separated { " separated by \"\"" } else { "" };
                self.write_line(depth, &format!("{word} {count}{separator}:"));
                self.write_nodes(body, depth + 1);
            }
            DraftNode::If { claim, loops, span, body } => match self.condition(claim, loops) {
                Ok(condition) => {
                    self.write_line(depth, &format!("if {condition}:"));
                    self.write_nodes(body, depth + 1);
                }
                Err(reason) => {
                    self.warn_lossy(*span, reason, "these lines are always expected");
                    self.write_nodes(body, depth);
                }
            },
            DraftNode::Either(alternatives) => {
                self.write_line(depth, "either:");
                for lines in alternatives {
                    match &lines[..] {
                        // The first line, with the others below it.
                        [DraftNode::Line(first), rest @ ..] if !rest.is_empty() => {
                            self.write_line(depth + 1, &(self.line_text(first) + ":"));
                            self.write_nodes(rest, depth + 2);
                        }
                        lines => self.write_nodes(lines, depth + 1),
                    }
                }
            }
        }
    }

    /// Returns the condition of some lines, which is a comparison.
    fn condition(&self, claim: &Term, loops: &[LoopId]) -> Lowered {
        let text = ConstraintLowering::new(self.draft, self.names, loops).lower_claim(claim)?;
        if let Term::Compare(..) = claim { Ok(text) } else { Err("lines can only depend on a single comparison") }
    }

    fn line_text(&self, parts: &[LinePart]) -> String {
        let mut text = String::new();
        for part in parts {
            text += if part.glued || text.is_empty() { "" } else { " " };
            text += &match &part.kind {
                PartKind::Literal(word) => quote_text(&String::from_utf8_lossy(visible_word(word).unwrap_or(b"?"))),
                PartKind::Field(id) => self.field_text(*id),
                PartKind::Group(over, parts) => {
                    let count = self.draft.loop_count(*over).map_or("1".to_owned(), |count| self.size_text(count));
                    format!("({})[{count}]", self.line_text(parts))
                }
            };
        }
        text
    }

    fn field_text(&self, id: FieldId) -> String {
        let field = &self.draft[id];
        let mut text = field.name.clone();
        let dimensions = self.draft.field_dimensions(id);
        for over in &dimensions {
            text +=
                &format!("[{}]", self.draft.loop_count(*over).map(|count| self.size_text(count)).unwrap_or_default());
        }
        match &field.kind {
            FieldContent::Text { size: Amount::Exactly(term), .. } => text += &format!("[{}]", self.size_text(term)),
            FieldContent::Text { .. } if !dimensions.is_empty() => text += "[]",
            FieldContent::Pattern { .. } if field.is_row => text += "[]",
            _ => {}
        }
        if field.is_row { format!("({text})") } else { text }
    }

    fn size_text(&self, term: &Term) -> String {
        let all_loops: Vec<LoopId> = (0..self.draft.loops.len()).map(LoopId).collect();
        let size = ConstraintLowering::new(self.draft, self.names, &all_loops).lower_term(term);
        size.unwrap_or_else(|_| "1".to_owned())
    }

    fn repetition_count(&mut self, id: LoopId) -> String {
        let repeated = &self.draft[id];
        match &repeated.count {
            Amount::Exactly(term) => self.size_text(term),
            Amount::Between(range) => {
                if range.hi == MAX_NUMBER {
                    self.warn_narrowed(repeated.span, "the number of repetitions is unbounded", "times");
                }
                let end = repeated.sentinel.as_ref().map_or("eof".to_owned(), |numbers| {
                    numbers.iter().map(i128::to_string).collect::<Vec<_>>().join(" ")
                });
                format!("{}..{} until {end}", range.lo, default_most(range.hi))
            }
        }
    }

    // The constraints.

    fn write_field_statements(&mut self) {
        let mut statements: Vec<FieldStatement> = Vec::new();
        for id in (0..self.draft.fields.len()).map(FieldId).filter(|id| !self.draft[*id].dropped) {
            let (kind, length) = (self.field_statement(id), self.length_statement(id));
            for statement in [kind].into_iter().chain(length) {
                // One of the last two may differ in its fields only.
                let (before, names, after) = &statement;
                let is_same = |known: &&mut FieldStatement| (&known.0, &known.2) == (before, after);
                match statements.iter_mut().rev().take(2).find(is_same) {
                    Some(known) if !after.contains('\n') => known.1.extend_from_slice(names),
                    _ => statements.push(statement),
                }
            }
        }
        for (before, names, after) in statements {
            let text = format!("{before}{}{after}", names.join(", "));
            text.lines().for_each(|line| self.write_line(1, line));
        }
    }

    fn rules(&mut self) -> Vec<ConstraintLine> {
        let mut found: Vec<ConstraintLine> = Vec::new();
        let mut rules: Vec<&DraftRule> = self.draft.rules.iter().collect();
        rules.sort_by_key(|rule| rule.span.start);
        for line in rules.into_iter().flat_map(|rule| self.split_rule(rule)).collect::<Vec<_>>() {
            match found.iter_mut().find(|known| known.text == line.text) {
                Some(known) => {
                    let is_new = |property: &&str| !known.properties.contains(property);
                    let added: Vec<&str> = line.properties.into_iter().filter(is_new).collect();
                    known.properties.extend(added);
                }
                None => found.push(line),
            }
        }
        found
    }

    /// Returns the statement about the type of a field, or its bounds: both for a real number.
    fn field_statement(&mut self, id: FieldId) -> FieldStatement {
        let field = &self.draft[id];
        let name = &field.name;
        let after = match &field.kind {
            FieldContent::Number { min, max, decimals } => {
                let scope = ConstraintLowering::new(self.draft, self.names, &field.loops);
                let bounds = scope.lower_term(min).and_then(|min| Ok((min, scope.lower_term(max)?)));
                let (min, max) = bounds.unwrap_or_else(|reason| {
                    self.warn_lossy(field.span, reason, "its bounds are left out");
                    let range = known_bounds(field.value_range);
                    (range.lo.to_string(), range.hi.to_string())
                });
                let Some((least, most)) = decimals else { return range_statement(&min, name, &max) };
                format!(" real, {least}..{most} decimals\n{min} <= {name} <= {max}")
            }
            // Letters keep the escapes of `-` and the backslash, patterns all of them.
            FieldContent::Text { letters, .. } => {
                format!(" over \"{}\"", range_text(letters, b"\\-").replace('"', "\\\""))
            }
            FieldContent::Pattern { text, .. } => format!(" matches \"{}\"", text.replace('"', "\\\"")),
            FieldContent::Words(words) => {
                let words = words.iter().filter_map(|word| std::str::from_utf8(visible_word(word).ok()?).ok());
                format!(" one of {}", words.map(quote_text).collect::<Vec<_>>().join(", "))
            }
        };
        (String::new(), vec![name.clone()], after)
    }

    /// Returns the statement about a length that is not given by a size.
    fn length_statement(&mut self, id: FieldId) -> Option<FieldStatement> {
        let field = &self.draft[id];
        let count = self.draft.field_dimensions(id).last().map(|over| &self.draft[*over].count);
        let (mut range, is_pattern) = match (&field.kind, count) {
            (FieldContent::Text { size: Amount::Between(range), .. }, _) => (*range, false),
            (FieldContent::Pattern { lengths: Some(range), .. }, _) => (*range, true),
            (_, Some(Amount::Between(range))) => (*range, false),
            _ => return None,
        };
        if range.hi == MAX_NUMBER && !is_pattern {
            range.hi = self.max_length_from_rules(id);
            if range.hi == MAX_NUMBER {
                self.warn_narrowed(field.span, "the length is unbounded", "characters or numbers");
            }
        }
        let (least, most) = (range.lo.to_string(), default_most(range.hi).to_string());
        Some(range_statement(&least, &format!("len({})", field.name), &most))
    }

    /// Returns the maximum length implied by the rules.
    fn max_length_from_rules(&self, id: FieldId) -> i128 {
        let length = Term::Length(id);
        let of_rule = |rule: &DraftRule| {
            let (sign, _, max) = rule.claim.comparison_of(|side| *side == length)?;
            matches!(sign, Less | LessEqual | Equal).then(|| self.draft.value_range(max).hi)
        };
        self.draft.rules.iter().filter_map(of_rule).min().unwrap_or(MAX_NUMBER)
    }

    /// Returns the constraints of a rule: several if it depends on a condition, none with a warning if it cannot be
    /// expressed.
    fn split_rule(&mut self, rule: &DraftRule) -> Vec<ConstraintLine> {
        let is_needed = |(branch, claim): &&(usize, Term)| {
            !self.exists_only_in_branch(&rule.claim, *branch) && !self.is_redundant_condition(&rule.claim, claim)
        };
        let conditions = rule.conditions.iter().filter(is_needed).map(|(_, claim)| claim.clone()).collect();
        let mut split = vec![(rule.clone(), conditions)];
        split_conditionals(&mut split);
        let mut found = Vec::new();
        for (rule, conditions) in split {
            let is_impossible = conditions.iter().any(|c| c.constant_truth() == Some(false));
            if is_impossible || rule.claim.constant_truth() == Some(true) {
                continue;
            }
            match self.lower_rule(&rule, &conditions) {
                Ok(line) => found.push(line),
                Err(reason) => self.warn_lossy(rule.span, reason, "it is left out"),
            }
        }
        found
    }

    fn lower_rule(&self, rule: &DraftRule, conditions: &[Term]) -> Lowered<ConstraintLine> {
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
        let count = claim.repeated_loop().and_then(|over| self.draft.loop_count(over));
        condition.as_positivity().is_some_and(|(number, is_positive)| is_positive && count == Some(number))
    }

    /// Returns true if a claim is only about fields of a branch, so that the condition of the branch is not needed.
    fn exists_only_in_branch(&self, claim: &Term, branch: usize) -> bool {
        claim.subterms().any(|term| match term {
            Term::Field(id) | Term::Element(id, _) | Term::Length(id) => self.draft[*id].branches.contains(&branch),
            _ => false,
        })
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

/// A statement about the type or the bounds of fields, `1 <= a, b <= n`: their names, with the text before and after.
type FieldStatement = (String, Vec<String>, String);

fn range_statement(min: &str, name: &str, max: &str) -> FieldStatement {
    (format!("{min} <= "), vec![name.to_owned()], format!(" <= {max}"))
}

/// Returns a maximum number of repetitions or characters, which is limited if the script does not limit it.
fn default_most(most: i128) -> i128 {
    if most == MAX_NUMBER { MAX_DEFAULT_REPETITIONS } else { most }
}

/// Returns a line with the properties of a graph as people write them: one that is acyclic and connected is a tree.
fn rule_text(line: &ConstraintLine) -> String {
    let ConstraintLine { text, properties, .. } = line;
    let has = |word: &str| properties.contains(&word);
    match (has("acyclic"), has("connected")) {
        _ if properties.is_empty() => text.clone(),
        (true, true) => format!("{text}: tree"),
        (true, false) => format!("{text}: acyclic"),
        _ => format!("{text}: {}", properties.join(", ")),
    }
}

/// Splits a rule with a conditional value into two rules: one for the condition and one for its negation.
fn split_conditionals(rules: &mut Vec<(DraftRule, Vec<Term>)>) {
    for _ in 0..MAX_CONDITION_SPLITS {
        let choice = |(rule, _): &(DraftRule, _)| {
            rule.claim.subterms().find_map(|term| matches!(term, Term::Conditional(..)).then(|| term.clone()))
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
