//! Translation of steps to a draft, by executing the script once with symbolic values.
//!
//! Parts that cannot be expressed are reported at their location, and left out in such a way that the format accepts
//! more than the script, not less. The warnings mention the few exceptions.

use crate::draft::{
    Amount, Draft, DraftLoop, DraftNode, DraftRule, FieldContent, FieldNames, LinePart, LoopKind, PartKind,
    constant_name,
};
use crate::environment::{ArraySource, Environment, Evaluator, ScriptConstants};
use crate::letters::letters_of_range;
use crate::line_structure::{is_empty_line, is_loop_of_lines, missing_newline_warning};
use crate::patterns::{Pattern, PatternPiece};
use crate::steps::{
    LoopHeader, ScriptLoop, Step, StepKind, UNKNOWN_VALUE, all_steps, any_reads_input, assigned_variables, sorted_key,
};
use crate::term::{FieldId, LocatedTerm, LoopId, Term, Variable};
use rebut_diagnostics::{Diagnostic, Span};
use rebut_format::language::ComparisonOperator::{self, Equal, Greater, GreaterEqual, Less, NotEqual};
use rebut_format::language::Interval;
use regex_syntax::hir::{ClassBytes, ClassBytesRange};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of repetitions if the script does not bound them.
pub(crate) const MAX_DEFAULT_REPETITIONS: i128 = 1000;

/// Maximum length of a line that can contain anything.
const MAX_LINE_CHARS: i128 = 1_000_000;

#[derive(Default)]
pub(crate) struct ScriptTranslator {
    pub(crate) draft: Draft,
    pub(crate) environment: Environment,
    pub(crate) names: FieldNames,
    pub(crate) open_loops: Vec<LoopId>,
    pub(crate) open_conditions: Vec<(usize, Term)>,
    pub(crate) branch_count: usize,
    pub(crate) warnings: Vec<Diagnostic>,
    /// Values of loop-carried variables before their loops.
    pub(crate) initial_values: BTreeMap<(LoopId, String), Term>,
    /// Arrays that are unset anywhere in the script.
    pub(crate) unset_arrays: BTreeSet<String>,
    /// Kinds of warnings that are only issued once.
    pub(crate) issued_warnings: BTreeSet<&'static str>,
    pub(crate) current_line: PendingLine,
}

#[derive(Default)]
pub(crate) struct PendingLine {
    pub(crate) parts: Vec<LinePart>,
    pub(crate) ends_with_blank: bool,
    span: Option<Span>,
    /// Number of fields where it begins.
    first_field: usize,
    /// Reason why the line cannot be expressed part by part.
    pub(crate) inexpressible: Option<(Span, String)>,
}

pub(crate) fn translate_steps(items: &[Step], draft: Draft, names: FieldNames) -> (Draft, FieldNames, Vec<Diagnostic>) {
    let unset = all_steps(items).into_iter().filter_map(|step| match &step.kind {
        StepKind::Unset(names) => Some(names.clone()),
        _ => None,
    });
    let unset_arrays = unset.flatten().collect();
    let mut translator = ScriptTranslator { draft, names, unset_arrays, ..ScriptTranslator::default() };
    translator.draft.layout = translator.translate_block(items);
    (translator.draft, translator.names, translator.warnings)
}

impl ScriptTranslator {
    /// Translates steps to lines.
    fn translate_block(&mut self, items: &[Step]) -> Vec<DraftNode> {
        let mut nodes = Vec::new();
        for item in items {
            self.translate_step(item, &mut nodes);
        }
        if !self.current_line.parts.is_empty() || self.current_line.inexpressible.is_some() {
            let span = self.current_line.span.unwrap_or_default();
            self.warnings.push(missing_newline_warning(span));
            self.finish_line(span, &mut nodes);
        }
        nodes
    }

    /// Translates steps that do not end the current line.
    pub(crate) fn translate_without_lines<'s>(&mut self, items: impl IntoIterator<Item = &'s Step>) {
        items.into_iter().for_each(|item| self.translate_step(item, &mut Vec::new()));
    }

    pub(crate) fn translate_step(&mut self, item: &Step, nodes: &mut Vec<DraftNode>) {
        let span = item.span;
        if item.reads_input() {
            self.current_line.span.get_or_insert(span);
        }
        match &item.kind {
            StepKind::Space => {
                if self.current_line.parts.is_empty() || self.current_line.ends_with_blank {
                    self.mark_line_inexpressible(span, "it has a space at the start of a line or after another space");
                }
                self.current_line.ends_with_blank = true;
            }
            StepKind::Newline => self.finish_line(span, nodes),
            StepKind::Literal(text) => self.push_part(PartKind::Literal(text.clone()), span),
            StepKind::Number { .. } | StepKind::Token(..) => {
                if let Some((kind, name)) = self.field_for_token(item) {
                    let field = self.declare_field(kind, name.as_ref(), span);
                    self.push_part(PartKind::Field(field), span);
                }
            }
            StepKind::Assert(test) => {
                let claim = self.sorted_neighbours(test).unwrap_or_else(|| self.evaluate(test));
                self.add_rule(claim, span);
            }
            StepKind::Set(values) => values.iter().for_each(|(variable, value)| self.assign_variable(variable, value)),
            StepKind::Unset(names) => names.iter().for_each(|name| self.environment.clear_variable(name)),
            StepKind::CopyArray { to, from } => {
                let row: Vec<Term> = from.indices.iter().map(|index| self.evaluate(index)).collect();
                self.environment.copy_array(to, &from.name, &row);
            }
            StepKind::SortArray { name, is_usual } => {
                for part in self.environment.parts_of(name) {
                    self.environment.clear_variable(&sorted_key(&part));
                    // Pairs are sorted by their first parts.
                    if *is_usual && (part == *name || part == format!("{name}.first")) {
                        self.environment.copy_array(&sorted_key(&part), &part, &[]);
                    }
                    self.forget_variable(&part);
                }
            }
            StepKind::Loop(inner) => self.translate_loop(inner, span, nodes),
            StepKind::If { test, then, otherwise } => self.translate_condition(test, [then, otherwise], span, nodes),
            StepKind::Alternatives(alternatives) => self.translate_alternatives(alternatives, nodes),
            StepKind::Inexpressible(why) => self.mark_line_inexpressible(span, why.clone()),
            // Strings and expressions are lowered before.
            StepKind::Eof | StepKind::Text(_) | StepKind::Regex(..) => {}
        }
    }

    // Lines.

    pub(crate) fn push_part(&mut self, kind: PartKind, span: Span) {
        let glued = !self.current_line.parts.is_empty() && !self.current_line.ends_with_blank;
        if glued
            && let (PartKind::Field(_), Some(LinePart { kind: PartKind::Field(before), .. })) =
                (&kind, self.current_line.parts.last())
        {
            let before = *before;
            if !self.can_precede_glued(before) {
                self.mark_line_inexpressible(span, "it has adjacent tokens without a clear boundary");
            }
        }
        self.current_line.parts.push(LinePart { kind, glued });
        self.current_line.ends_with_blank = false;
    }

    /// Returns true if a field can be followed by another one without a space, so that the format can write and read
    /// it.
    fn can_precede_glued(&mut self, before: FieldId) -> bool {
        if let kind @ FieldContent::Words(words) = &self.draft[before].kind
            && kind.is_letter()
        {
            let letters = ClassBytes::new(words.iter().map(|word| ClassBytesRange::new(word[0], word[0])));
            self.draft[before].kind = FieldContent::Text { letters, size: Amount::Exactly(Term::Number(1)) };
        }
        matches!(&self.draft[before].kind, FieldContent::Text { size: Amount::Exactly(_), .. })
    }

    /// Marks the current line as inexpressible: it is accepted as an arbitrary text.
    pub(crate) fn mark_line_inexpressible(&mut self, span: Span, reason: impl Into<String>) {
        let reason = reason.into();
        self.current_line.inexpressible.get_or_insert((span, reason));
    }

    fn finish_line(&mut self, span: Span, nodes: &mut Vec<DraftNode>) {
        let mut line = std::mem::take(&mut self.current_line);
        let own_fields = line.first_field..self.draft.fields.len();
        if line.ends_with_blank && line.inexpressible.is_none() {
            line.inexpressible = Some((span, "it has a space at the end of a line".to_owned()));
        }
        let span = line.span.unwrap_or(span);
        if let Some((location, reason)) = line.inexpressible {
            self.warn_lossy(location, &reason, "any text is accepted as this line");
            self.draft.fields[own_fields].iter_mut().for_each(|field| field.dropped = true);
            let size = Amount::Between(Interval::new(0, MAX_LINE_CHARS));
            line.parts = self.text_line(letters_of_range(b' ', b'~'), size, span);
        }
        if line.parts.is_empty() {
            let size = Amount::Exactly(Term::Number(0));
            line.parts = self.text_line(letters_of_range(b'-', b'-'), size, span);
        }
        self.current_line.first_field = self.draft.fields.len();
        nodes.push(DraftNode::Line(line.parts));
    }

    fn text_line(&mut self, letters: ClassBytes, size: Amount, span: Span) -> Vec<LinePart> {
        let field = self.declare_field(FieldContent::Text { letters, size }, None, span);
        vec![LinePart { kind: PartKind::Field(field), glued: false }]
    }

    /// Warns about something that is not expressed, and what the format does instead.
    pub(crate) fn warn_lossy(&mut self, span: Span, reason: &str, instead: &str) {
        self.warnings.push(crate::lossy_warning(span, reason, instead));
    }

    // Conditions.

    fn translate_condition(
        &mut self,
        test: &LocatedTerm,
        branches: [&Vec<Step>; 2],
        span: Span,
        nodes: &mut Vec<DraftNode>,
    ) {
        let claim = self.evaluate(&test.term);
        let is_lookahead = match &test.term {
            Term::NextIsOneOf(_) => true,
            Term::Not(inner) => matches!(**inner, Term::NextIsOneOf(_) | Term::IsEof),
            _ => false,
        };
        let layout = branches.map(|branch| any_reads_input(branch));
        let is_undecided = is_lookahead || claim.unknown_reason().is_some();
        if is_undecided && layout == [true, true] {
            if !is_lookahead {
                self.warn_lossy(test.span, claim.unknown_reason().unwrap_or_default(), "both branches are accepted");
            }
            return self.translate_alternatives(&[branches[0].clone(), branches[1].clone()], nodes);
        }
        if is_undecided && layout != [false, false] {
            self.warn_lossy(span, "it has optional lines", "they are always expected");
        }
        let claims = [claim.clone(), claim.clone().into_negated()];
        let found = self.translate_branches(branches.into_iter().zip(claims.clone()), &claim);
        for ((body, claim), has_lines) in found.into_iter().zip(claims).zip(layout) {
            if is_undecided {
                nodes.extend(body);
            } else if has_lines {
                nodes.push(DraftNode::If { claim, loops: self.open_loops.clone(), span: test.span, body });
            }
        }
    }

    /// Translates branches, each with its condition. `choice` decides between the values of variables after them.
    fn translate_branches<'s>(
        &mut self,
        branches: impl IntoIterator<Item = (&'s Vec<Step>, Term)>,
        choice: &Term,
    ) -> Vec<Vec<DraftNode>> {
        let before = self.environment.clone();
        let (mut found, mut ends) = (Vec::new(), Vec::new());
        for (steps, claim) in branches {
            self.environment = before.clone();
            self.branch_count += 1;
            self.open_conditions.push((self.branch_count, claim));
            if any_reads_input(steps) {
                found.push(self.translate_block(steps));
            } else {
                self.translate_without_lines(steps);
                found.push(Vec::new());
            }
            self.open_conditions.pop();
            ends.push(std::mem::take(&mut self.environment));
        }
        let after = ends.into_iter().reduce(|others, end| Environment::merge_branches(choice, &others, &end));
        self.environment = after.unwrap_or(before);
        found
    }

    fn translate_alternatives(&mut self, alternatives: &[Vec<Step>], nodes: &mut Vec<DraftNode>) {
        let unknown = Term::Unknown("it only applies to one of several alternatives");
        let branches = alternatives.iter().map(|steps| (steps, unknown.clone()));
        let found = self.translate_branches(branches, &Term::Unknown("it depends on the alternative"));
        nodes.push(DraftNode::Either(found));
    }

    // Loops.

    fn translate_loop(&mut self, inner: &ScriptLoop, span: Span, nodes: &mut Vec<DraftNode>) {
        if !any_reads_input(&inner.body) && !any_reads_input(&inner.separator) {
            return self.translate_pure_loop(inner, span);
        }
        if self.current_line.parts.is_empty() && is_loop_of_lines(inner) {
            return self.translate_block_loop(inner, span, nodes);
        }
        if let Err(reason) = self.translate_tokens(inner, span) {
            assigned_variables(&inner.body).into_iter().for_each(|name| self.forget_variable(name));
            self.mark_line_inexpressible(span, reason);
        }
    }

    /// Translates a loop that reads no input: it computes or asserts something.
    fn translate_pure_loop(&mut self, inner: &ScriptLoop, span: Span) {
        let LoopHeader::Times(count) = &inner.header else {
            for name in assigned_variables(&inner.body) {
                self.forget_variable(name);
            }
            if all_steps(&inner.body).iter().any(|step| matches!(step.kind, StepKind::Assert(_))) {
                self.warn_lossy(
                    span,
                    "it is a loop that reads no input and counts nothing",
                    "its assertions are left out",
                );
            }
            return;
        };
        let count = self.evaluate(count);
        let id = self.declare_loop(inner, Amount::Exactly(count), LoopKind::Pure, span);
        self.translate_loop_body(id, inner, |this| this.translate_without_lines(&inner.body));
    }

    fn translate_block_loop(&mut self, inner: &ScriptLoop, span: Span, nodes: &mut Vec<DraftNode>) {
        let count = match &inner.header {
            LoopHeader::Times(count) => {
                let count = self.evaluate(count);
                count.size_error().map_or(Ok(Amount::Exactly(count)), Err)
            }
            LoopHeader::While(test) if *test != Term::not_eof() => {
                Err("it depends on a condition how often this is repeated")
            }
            LoopHeader::While(_) | LoopHeader::Until(_) => Ok(Amount::Between(Interval::NATURAL)),
        };
        let count = count.unwrap_or_else(|reason| {
            self.warn_lossy(span, reason, "any number of times up to the end of the input");
            Amount::Between(Interval::NATURAL)
        });
        let may_be_empty = match &count {
            Amount::Exactly(term) => self.draft.value_range(term).lo <= 0,
            Amount::Between(..) => true,
        };
        if inner.absorbed_newline && may_be_empty {
            self.warn_lossy(span, "it has an empty line if there are no repetitions", "no line is expected there");
        }
        let id = self.declare_loop(inner, count, LoopKind::Block, span);
        let mut body = Vec::new();
        self.translate_loop_body(id, inner, |this| body = this.translate_block(&inner.body));
        nodes.push(DraftNode::Block(id, body));
    }

    pub(crate) fn declare_loop(&mut self, inner: &ScriptLoop, count: Amount, kind: LoopKind, span: Span) -> LoopId {
        let id = LoopId(self.draft.loops.len());
        let counter = inner.counter.as_ref().map(|v| v.name.split('\'').next().unwrap_or_default().to_owned());
        let is_separated = kind == LoopKind::Block && is_empty_line(&inner.separator);
        let outer_loops = self.open_loops.clone();
        let sentinel = if let LoopHeader::Until(numbers) = &inner.header { Some(numbers.clone()) } else { None };
        self.draft.loops.push(DraftLoop { counter, count, kind, sentinel, is_separated, outer_loops, span });
        id
    }

    /// Executes the body of a loop once, on behalf of all repetitions.
    pub(crate) fn translate_loop_body(&mut self, id: LoopId, inner: &ScriptLoop, body: impl FnOnce(&mut Self)) {
        self.begin_loop(id, inner);
        let rules = self.draft.rules.len();
        self.open_loops.push(id);
        if let Some(counter) = &inner.counter {
            self.environment.assign_value(&counter.name, Vec::new(), Term::LoopIndex(id), &self.open_loops);
        }
        body(self);
        self.open_loops.pop();
        self.finish_loop(id, rules);
        if let Some(counter) = &inner.counter {
            let count = self.draft.loop_count(id).cloned().unwrap_or(Term::Repetitions(id));
            self.environment.assign_value(&counter.name, Vec::new(), count, &self.open_loops);
        }
    }

    // Variables.

    pub(crate) fn assign_variable(&mut self, variable: &Variable, value: &Term) {
        let value = self.evaluate(value);
        let indices: Vec<Term> = variable.indices.iter().map(|i| self.evaluate(i)).collect();
        self.environment.assign_value(&variable.name, indices, value, &self.open_loops);
    }

    pub(crate) fn forget_variable(&mut self, name: &str) {
        self.assign_variable(&Variable::new(name), &UNKNOWN_VALUE);
    }

    // Rules.

    /// Returns the claim about an array that follows if neighbours differ after sorting it.
    fn sorted_neighbours(&self, test: &Term) -> Option<Term> {
        let (sign, left, right) = test.as_comparison()?;
        let (Term::Variable(left), Term::Variable(right)) = (left, right) else { return None };
        let ([first], [second]) = (&*left.indices, &*right.indices) else { return None };
        let are_neighbours = matches!(second.constant_difference(first), Some(1 | -1));
        let differs = matches!(sign, NotEqual | Less | Greater);
        let key = sorted_key(&left.name);
        let is_sorted = left.name == right.name && self.environment.array_source(&key, &self.draft).is_some();
        (are_neighbours && differs && is_sorted).then(|| self.evaluate(&Term::Unique(vec![key])))
    }

    pub(crate) fn add_rule(&mut self, claim: Term, span: Span) {
        match claim {
            Term::All(parts) => parts.into_iter().for_each(|part| self.add_rule(part, span)),
            claim if claim.constant_truth() == Some(true) => {}
            claim => {
                let (mut loops, mut conditions) = (self.open_loops.clone(), self.open_conditions.clone());
                if let Some(over) = claim.repeated_loop() {
                    loops = loops.into_iter().take_while(|open| *open != over).collect();
                }
                if let Term::Distinct(over, _) | Term::EdgeGraph(over, ..) = &claim
                    && !self.open_loops.contains(over)
                {
                    // It is about a loop that has ended: the counter of another one is no matter.
                    conditions.retain(|(_, condition)| !loops.iter().any(|id| condition.skips_first_repetition(*id)));
                }
                self.draft.rules.push(DraftRule { claim, loops, conditions, span });
            }
        }
    }
}

// Values of variables, and conditions about arrays.

const COUNTS_VALUES: &str = "it counts different values";

impl Evaluator for ScriptTranslator {
    fn variable_value(&self, variable: &Variable) -> Term {
        if variable.indices.is_empty()
            && let Some((name, value)) =
                self.draft.constants.iter().find(|(name, _)| *name == constant_name(&variable.name))
            && let Some(number) = value.constant_value()
        {
            return Term::Constant(name.clone(), number);
        }
        let indices: Vec<Term> = variable.indices.iter().map(|i| self.evaluate(i)).collect();
        if let Some(reason) = indices.iter().find_map(Term::unknown_reason) {
            return Term::Unknown(reason);
        }
        self.environment.value_at(&variable.name, &indices, &self.open_loops, &self.draft)
    }

    fn array_condition(&self, condition: &Term) -> Term {
        let array = match condition {
            Term::Occurrences(_, name) | Term::ArrayFold(_, name) | Term::ArrayOrder(_, name) => Some(name),
            _ => None,
        };
        match (condition, array.and_then(|name| self.finished_array(name))) {
            (Term::Occurrences(value, _), Some(found)) => {
                let value = self.evaluate(value).add_constant(-found.offset);
                Term::Count(found.over, found.field, Box::new(value))
            }
            (Term::ArrayFold(name, _), Some(found)) if found.offset == 0 => {
                Term::Fold(name, found.over, Box::new(Term::Field(found.field)))
            }
            (Term::ArrayOrder(name, _), Some(found)) => {
                Term::Ordered(name, found.over, Box::new(Term::Field(found.field)))
            }
            (Term::Unique(names), _) => self.evaluate_unique(names),
            (Term::Compare(..), _) => match condition.comparison_of(|side| matches!(side, Term::DifferentValues(_))) {
                Some((sign, Term::DifferentValues(names), size)) => self.evaluate_number_of_values(names, sign, size),
                _ => Term::Unknown(COUNTS_VALUES),
            },
            (Term::Graph([first, second], property), _) => {
                let source = |name: &String| self.environment.array_source(name, &self.draft);
                match (source(first), source(second)) {
                    (Some(from), Some(to)) if from.over == to.over && from.offset == to.offset => {
                        Term::EdgeGraph(from.over, from.field, to.field, property)
                    }
                    _ => Term::Unknown("it is about a graph whose edges are not read line by line"),
                }
            }
            (Term::PairOccurrences(..), _) => Term::Unknown("it asks for earlier pairs"),
            (Term::DifferentValues(_), _) => Term::Unknown(COUNTS_VALUES),
            _ => Term::Unknown("it refers to an array that is filled during the loop"),
        }
    }
}

impl ScriptTranslator {
    /// Returns an array that no open loop fills.
    fn finished_array(&self, name: &str) -> Option<ArraySource> {
        let found = self.environment.array_source(name, &self.draft)?;
        (!self.open_loops.contains(&found.over) && !self.open_loops.contains(&found.filled_by)).then_some(found)
    }

    /// Returns true if a loop has ended, or if only loops over the same elements are open in it.
    fn is_whole_loop(&self, id: LoopId, field: FieldId) -> bool {
        let Some(at) = self.open_loops.iter().position(|open| *open == id) else { return true };
        self.open_loops[at + 1..].iter().all(|open| self.draft[field].loops.contains(open))
    }

    /// Translates a comparison of the number of different tuples: as many as there are.
    fn evaluate_number_of_values(&self, names: &[String], sign: ComparisonOperator, size: &Term) -> Term {
        let all = self.evaluate_unique(names);
        let Some(over) = all.repeated_loop().filter(|_| matches!(sign, Equal | GreaterEqual)) else {
            return if matches!(sign, Equal | GreaterEqual) { all } else { Term::Unknown(COUNTS_VALUES) };
        };
        let is_all = self.draft.loop_count(over) == Some(&self.evaluate(size));
        if is_all { all } else { Term::Unknown(COUNTS_VALUES) }
    }

    /// Translates `UNIQUE` of arrays that were filled by one loop.
    fn evaluate_unique(&self, names: &[String]) -> Term {
        const NOT_COMPARABLE: &str = "only arrays filled by the same loop can be compared";
        if let [first, second] = names
            && let Some((over, from, to)) = self.environment.unordered_pair(first, second)
            && self.is_whole_loop(over, from)
        {
            return Term::EdgeGraph(over, from, to, "simple");
        }
        let mut over = None;
        let mut terms = Vec::new();
        for name in names {
            match self.environment.array_source(name, &self.draft) {
                // Asserted in each repetition, it is equivalent to the assertion after the last one.
                Some(found)
                    if over.is_none_or(|o| o == found.over)
                        && [found.over, found.filled_by].iter().all(|id| self.is_whole_loop(*id, found.field)) =>
                {
                    over = Some(found.over);
                    terms.push(Term::Field(found.field));
                }
                _ => return Term::Unknown(NOT_COMPARABLE),
            }
        }
        let Some(over) = over else { return Term::Unknown(NOT_COMPARABLE) };
        let outer = !self.draft[over].outer_loops.is_empty();
        let varies = self.draft.loop_count(over).is_none_or(|count| count.constant_value().is_none());
        if outer && varies && !names.iter().any(|name| self.unset_arrays.contains(name)) {
            return Term::Unknown("without `UNSET`, the array still has values of the previous repetition");
        }
        Term::Distinct(over, terms)
    }
}

// Lowering of strings and regular expressions, which can contain spaces and line feeds, to the tokens of lines.

/// Lowers the strings and expressions of all steps.
pub(crate) fn lower_steps(steps: Vec<Step>, constants: &ScriptConstants) -> Vec<Step> {
    let lower = |steps: &mut Vec<Step>| *steps = lower_steps(std::mem::take(steps), constants);
    let mut found = Vec::new();
    for mut step in steps {
        match &mut step.kind {
            StepKind::Text(expr) => {
                let text = constants.evaluate_text(expr).ok_or("it contains a string that is not constant");
                found.extend(lower_pattern(text.map(|text| Pattern::from_literal(&text)), None, step.span));
                continue;
            }
            StepKind::Regex(expr, name) => {
                let text =
                    constants.evaluate_text(expr).ok_or("it contains a regular expression that is not constant".into());
                let invalid = |why| format!("it contains an invalid regular expression: {why}");
                let pattern = text.and_then(|text| Pattern::parse(&text).map_err(invalid));
                found.extend(lower_pattern(pattern, name.take(), step.span));
                continue;
            }
            StepKind::Loop(inner) => {
                lower(&mut inner.separator);
                lower(&mut inner.body);
            }
            StepKind::If { then, otherwise, .. } => {
                lower(then);
                lower(otherwise);
            }
            _ => {}
        }
        found.push(step);
    }
    found
}

/// Splits a pattern into tokens, and the spaces and line feeds between them.
fn lower_pattern(pattern: Result<Pattern, impl Into<String>>, name: Option<Variable>, span: Span) -> Vec<Step> {
    let pieces = match pattern {
        Ok(pattern) => pattern.split_at_blanks(),
        Err(why) => return vec![Step { kind: StepKind::Inexpressible(why.into()), span }],
    };
    let is_single = pieces.len() == 1;
    let kind = |piece| match piece {
        PatternPiece::Space => Some(StepKind::Space),
        PatternPiece::Newline => Some(StepKind::Newline),
        PatternPiece::Token(token) => match token.enumerate_words(1).and_then(|mut words| words.pop()) {
            Some(text) if text.is_empty() => None,
            Some(text) if text.iter().all(u8::is_ascii_graphic) && (name.is_none() || !is_single) => {
                Some(StepKind::Literal(text))
            }
            _ => Some(StepKind::Token(token, name.clone().filter(|_| is_single))),
        },
    };
    let mut kinds: Vec<StepKind> = pieces.into_iter().filter_map(kind).collect();
    kinds.extend(name.iter().filter(|_| !is_single).map(|name| StepKind::forget_variable(&name.name)));
    kinds.into_iter().map(|kind| Step { kind, span }).collect()
}
