//! Loops of a validator: how often they repeat, and what separates two repetitions.

use super::lowering::{Binding, Lowering, OpenLoop};
use super::syntax::{Code, CodeKind, all_code};
use crate::steps::{LoopHeader, ScriptLoop, Step, StepKind};
use crate::term::{Term, Variable, says_positive};
use rebut_diagnostics::Span;
use rebut_format::language::ComparisonOperator::Equal;
use std::collections::BTreeMap;

impl Lowering {
    pub(super) fn lower_for(&mut self, header: [&Code; 3], body: &[Code], span: Span) {
        let Some((name, first, count)) = self.counted_range(header) else {
            return self.lower_unknown_loop(Some(header[1]), body, span);
        };
        let first = (first != Term::Number(0)).then_some(first);
        self.lower_counted_loop(&name, first, count, body, span, |_, _| {});
    }

    /// Lowers a loop with a counter from `first` on, or 0.
    fn lower_counted_loop(
        &mut self,
        name: &str,
        first: Option<Term>,
        count: Term,
        body: &[Code],
        span: Span,
        begin: impl FnOnce(&mut Self, Term),
    ) {
        let counter = Variable::new(&self.fresh_key(name));
        let own = Term::Variable(counter.clone());
        self.scopes.push(BTreeMap::new());
        let last = count.clone().add_constant(-1);
        let mut ends = vec![(own.clone(), Term::Number(0), last.clone())];
        let (mut steps, mut visible) = (Vec::new(), counter.clone());
        if let Some(first) = first {
            visible = Variable::new(&self.fresh_key(name));
            let value = Term::new_binary("+", own.clone(), first.clone());
            steps.push(Step { kind: StepKind::Set(vec![(visible.clone(), value)]), span });
            let last = Term::new_binary("+", last, first.clone());
            ends.insert(0, (Term::Variable(visible.clone()), first, last));
        }
        self.add_binding(name, Binding::Place(visible));
        self.open_loop(counter.name.clone(), Some(count.clone()), body);
        steps.extend(self.collect_steps(|this| {
            begin(this, own);
            this.lower_block(body);
        }));
        let (mut separator, mut after) = (Vec::new(), Vec::new());
        for (index, lowest, highest) in ends {
            for (end, is_last) in [(lowest, false), (highest, true)] {
                if separator.is_empty() {
                    (separator, after) =
                        take_separator(&mut steps, &index, &end, is_last).unwrap_or((separator, after));
                }
            }
        }
        self.finish_loop(Some(counter), LoopHeader::Times(count), separator, steps, span);
        self.steps.extend(after);
        self.scopes.pop();
    }

    /// Adds the loop, and what is known after it.
    fn finish_loop(
        &mut self,
        counter: Option<Variable>,
        header: LoopHeader,
        separator: Vec<Step>,
        mut body: Vec<Step>,
        span: Span,
    ) {
        let Some(open) = self.loops.pop() else { return };
        for step in open.at_end {
            let StepKind::Assert(claim) = step.kind else { continue };
            body.push(Step { kind: StepKind::Assert(self.complete_claim(claim)), span: step.span });
        }
        for key in open.pushed {
            let outer = self.loops.len();
            let object = self.object_mut(&key);
            object.length = open.count.clone().filter(|_| object.depth >= outer);
            if object.length.is_none() {
                object.depth = usize::MAX;
            }
        }
        let inner = ScriptLoop { counter, header, separator, body, absorbed_newline: false };
        self.push(StepKind::Loop(Box::new(inner)), span);
    }

    /// Notes that an array grows by an element. Returns its indices, if it grows in each repetition.
    pub(super) fn note_push(&mut self, key: &str) -> Option<Vec<Term>> {
        let object = self.objects.get(key)?;
        let (depth, conditions) = (object.depth, self.conditions);
        let is_begun = depth < self.loops.len() && matches!(object.length, None | Some(Term::Number(0)));
        let open = self.loops.last_mut().filter(|open| is_begun && open.conditions == conditions)?;
        open.pushed.insert(key.to_owned()).then(|| self.counters_from(depth))
    }

    /// Lowers a loop over the elements of something.
    pub(super) fn lower_each(&mut self, names: &[Code], source: &Code, body: &[Code], span: Span) {
        if source.kind == CodeKind::List {
            for item in source.parts.iter() {
                self.scopes.push(BTreeMap::new());
                if let [name] = names {
                    let binding = self.argument_binding(&name.text, item);
                    self.add_binding(&name.text, binding);
                }
                self.lower_block(body);
                self.scopes.pop();
            }
            return;
        }
        let place = self.find_place(source);
        let count = place.as_ref().and_then(|place| self.length_of(place));
        let (Some(mut element), Some(count)) = (place, count) else {
            return self.lower_unknown_loop(None, body, span);
        };
        self.lower_counted_loop("i", None, count, body, span, |this, counter| {
            element.indices.push(counter);
            match names {
                [name] => this.add_binding(&name.text, Binding::Place(element)),
                names => this.bind_parts(names, &element),
            }
        });
    }

    pub(super) fn lower_while(&mut self, test: &Code, body: &[Code], span: Span) {
        match test.view() {
            // `while (t--)`
            (CodeKind::Assign, "-=", [name, _]) => {
                let count = self.lower_value(name);
                self.lower_counted_loop("i", None, count, body, span, |_, _| {});
            }
            _ if test.is_truth(true) => self.lower_endless_loop(body, span),
            (CodeKind::Unary, "!", [inner]) => match self.negated_ending_test(inner) {
                Some(ending) => self.lower_loop_while(ending, body, span),
                None => self.lower_unknown_loop(Some(test), body, span),
            },
            _ => self.lower_unknown_loop(Some(test), body, span),
        }
    }

    /// Returns the negation of `inf.eof()` or `inf.eoln()`, tests for the end of the input or of the line.
    pub(super) fn negated_ending_test(&mut self, test: &Code) -> Option<Term> {
        let (CodeKind::Method, method, [object, ..]) = test.view() else { return None };
        let ending = match method {
            _ if object.as_name() != Some("inf") => return None,
            "eof" | "seekEof" => Term::not_eof(),
            "eoln" | "seekEoln" => Term::Not(Box::new(Term::NextIsOneOf(Box::new(Term::Text(b"\n".to_vec()))))),
            _ => return None,
        };
        if method.starts_with("seek") {
            self.warn_lossy(test.span, "blanks may stand before this end", "they may not");
        }
        Some(ending)
    }

    /// Lowers `while (true)`, which ends at a line of known numbers or with the input.
    fn lower_endless_loop(&mut self, body: &[Code], span: Span) {
        let ending = body.iter().enumerate().find_map(|(at, statement)| match statement.view() {
            (CodeKind::If, _, [test, then, otherwise]) if otherwise.statements().is_empty() => {
                let (end, before) = then.statements().split_last()?;
                (end.kind == CodeKind::Break).then_some((at, test, before))
            }
            _ => None,
        });
        let Some((at, test, last)) = ending else { return self.lower_unknown_loop(None, body, span) };
        if let (0, Some(ending)) = (at, self.negated_ending_test(test)) {
            return self.lower_loop_while(ending, &body[1..], span);
        }
        self.open_endless_loop(body);
        let mut steps = self.collect_steps(|this| this.lower_statements(&body[..at]));
        let term = self.lower_test(test);
        let last = self.collect_steps(|this| this.lower_statements(last));
        let sentinel = find_sentinel(&mut steps, &term, &last);
        if matches!(term, Term::Any(_)) {
            steps.push(Step { kind: StepKind::Assert(term.into_negated()), span: test.span });
        }
        steps.extend(self.collect_steps(|this| this.lower_statements(&body[at + 1..])));
        self.scopes.pop();
        let header = sentinel.map(LoopHeader::Until).unwrap_or_else(|| {
            self.warn_lossy(span, "the loop has an end that is not understood", "it goes on to the end of the input");
            LoopHeader::While(Term::not_eof())
        });
        self.finish_loop(None, header, Vec::new(), steps, span);
        // Statements before the test have also run on the last line.
        for place in self.assigned_places(&body[..at]) {
            self.push(StepKind::forget_variable(&place.name), span);
        }
    }

    fn open_endless_loop(&mut self, body: &[Code]) {
        self.scopes.push(BTreeMap::new());
        let counter = self.fresh_key("i");
        self.open_loop(counter, None, body);
    }

    fn open_loop(&mut self, counter: String, count: Option<Term>, body: &[Code]) {
        let (body, conditions) = (body.to_vec(), self.conditions);
        self.loops.push(OpenLoop { counter, count, body, conditions, ..OpenLoop::default() });
    }

    /// Returns the counters of the open loops, but for those in `depth` outer ones.
    pub(super) fn counters_from(&self, depth: usize) -> Vec<Term> {
        let open = self.loops.get(depth..).unwrap_or_default();
        open.iter().map(|open| Term::Variable(Variable::new(&open.counter))).collect()
    }

    /// Lowers a loop that goes on while a condition holds.
    fn lower_loop_while(&mut self, test: Term, body: &[Code], span: Span) {
        self.open_endless_loop(body);
        let steps = self.collect_steps(|this| this.lower_statements(body));
        self.scopes.pop();
        self.finish_loop(None, LoopHeader::While(test), Vec::new(), steps, span);
    }

    /// Lowers a loop with an unknown number of repetitions: a search in a graph, for example.
    fn lower_unknown_loop(&mut self, test: Option<&Code>, body: &[Code], span: Span) {
        if !all_code(body).any(Code::is_read) && self.note_search(body) {
            return;
        }
        if let Some(test) = test {
            // It may read or change something.
            self.lower_test(test);
        }
        let unknown = Term::Unknown("it depends on a condition how often this is repeated");
        self.lower_loop_while(unknown, body, span);
    }

    /// Returns the counter, the first number and the number of repetitions of `for (int i = a; i < b; i++)`.
    fn counted_range(&mut self, [start, test, step]: [&Code; 3]) -> Option<(String, Term, Term)> {
        let start = if let [single] = start.statements() { single } else { start };
        let (name, first) = match start.view() {
            (CodeKind::Declare, _, [name, first]) if first.kind != CodeKind::Arguments => (name, first),
            (CodeKind::Assign, "=", [name, first]) => (name, first),
            _ => return None,
        };
        let (CodeKind::Assign, step, [stepped, by]) = step.view() else { return None };
        let (CodeKind::Binary, sign, [left, end]) = test.view() else { return None };
        // `i + 1 < n`
        let (left, more) = match left.view() {
            (CodeKind::Binary, "+", [inner, more]) => more.as_number().map_or((left, 0), |more| (inner, more)),
            _ => (left, 0),
        };
        if stepped != name || left != name || by.as_number() != Some(1) || first.kind == CodeKind::Nothing {
            return None;
        }
        let (first, end) = (self.lower_value(first), self.lower_value(end).add_constant(-more));
        let difference = |from: &Term, to: &Term| match (from.constant_value(), to.constant_difference(from)) {
            (Some(number), _) => to.clone().add_constant(number.saturating_neg()),
            (None, Some(number)) => Term::Number(number),
            _ => Term::new_binary("-", to.clone(), from.clone()),
        };
        let (first, count) = match (step, sign) {
            ("+=", "<" | "!=") => (first.clone(), difference(&first, &end)),
            ("+=", "<=") => (first.clone(), difference(&first, &end).add_constant(1)),
            // Downwards over the same numbers.
            ("-=", ">=") => (end.clone(), difference(&end, &first).add_constant(1)),
            ("-=", ">") => (end.clone().add_constant(1), difference(&end, &first)),
            _ => return None,
        };
        Some((name.text.to_string(), first, count))
    }
}

fn are_separators(steps: &[Step]) -> bool {
    !steps.is_empty() && steps.iter().all(|step| matches!(step.kind, StepKind::Space | StepKind::Newline))
}

/// Takes blanks that are read between two repetitions out of the body: `if (i + 1 < n) inf.readSpace();`. Returns them, and
/// those after the last repetition.
fn take_separator(steps: &mut Vec<Step>, index: &Term, end: &Term, is_last: bool) -> Option<(Vec<Step>, Vec<Step>)> {
    let at =
        if is_last { steps.iter().rposition(Step::reads_input) } else { steps.iter().position(Step::reads_input) }?;
    let StepKind::If { test, then, otherwise } = &steps[at].kind else { return None };
    let (between, beside) =
        if is_only_at_end(&test.term, index, end, is_last)? { (otherwise, then) } else { (then, otherwise) };
    let is_blank = |steps: &[Step]| steps.is_empty() || are_separators(steps);
    let is_separator = match is_last {
        true => is_blank(between) && is_blank(beside) && !(between.is_empty() && beside.is_empty()),
        false => are_separators(between) && beside.is_empty(),
    };
    let found = is_separator.then(|| (between.clone(), beside.clone()))?;
    steps.remove(at);
    Some(found)
}

/// Returns whether a condition on the counter of a loop holds in the first or last repetition only (true) or in all but
/// that one (false).
fn is_only_at_end(test: &Term, index: &Term, end: &Term, is_last: bool) -> Option<bool> {
    let (sign, left, right) = test.as_comparison()?;
    let (sign, own, other) = match left.constant_difference(index) {
        Some(own) => (sign, own, right),
        None => (sign.with_sides_swapped(), right.constant_difference(index)?, left),
    };
    // `index + own SIGN end + other`
    let difference = other.constant_difference(end)?.checked_sub(own)?;
    let (sign, difference) =
        if is_last { (sign.with_sides_swapped(), difference.checked_neg()?) } else { (sign, difference) };
    says_positive(sign, difference).map(|is_beyond| !is_beyond)
}

/// Returns the numbers of the line that ends a loop, and takes them out of the ranges of its fields where that is easy.
fn find_sentinel(steps: &mut [Step], test: &Term, last: &[Step]) -> Option<Vec<i128>> {
    let claims =
        last.iter().filter_map(|step| if let StepKind::Assert(claim) = &step.kind { Some(claim) } else { None });
    let claims: Vec<&Term> = [test].into_iter().chain(claims).collect();
    let value_of = |variable: &Variable| {
        claims.iter().find_map(|claim| {
            claim.subterms().find_map(|part| {
                let (sign, _, number) =
                    part.comparison_of(|side| matches!(side, Term::Variable(own) if own == variable))?;
                number.constant_value().filter(|_| sign == Equal)
            })
        })
    };
    let mut numbers = Vec::new();
    for step in steps.iter().chain(last).filter(|step| step.reads_input()) {
        match &step.kind {
            StepKind::Number { real: None, name: Some(name), .. } => numbers.push(value_of(name)?),
            StepKind::Space | StepKind::Newline => {}
            _ => return None,
        }
    }
    if let [number] = *numbers {
        let first = steps.iter_mut().find_map(|step| match &mut step.kind {
            StepKind::Number { min, max, .. } => Some((min, max)),
            _ => None,
        });
        match first.map(|(min, max)| (min.constant_value(), max.constant_value(), min, max)) {
            Some((Some(low), _, min, _)) if low == number => *min = Term::Number(low + 1),
            Some((_, Some(high), _, max)) if high == number => *max = Term::Number(high - 1),
            _ => {}
        }
    }
    (!numbers.is_empty()).then_some(numbers)
}
