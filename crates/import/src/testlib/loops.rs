//! Loops of a validator: how often they repeat, and what separates two repetitions.

use super::lowering::{Binding, Lowering, OpenLoop, is_read, is_truth, new_variable};
use super::syntax::{Expression, ExpressionKind, ForLoop, Initializer, Statement, StatementKind, any_expression};
use crate::steps::{LoopHeader, ScriptLoop, Step, StepKind, any_reads_input};
use crate::term::{Term, Variable};
use rebut_diagnostics::Span;
use rebut_format::language::ComparisonOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
use std::collections::{BTreeMap, BTreeSet};

impl<'p> Lowering<'p> {
    pub(super) fn lower_for(&mut self, inner: &'p ForLoop, span: Span) {
        let Some(range) = self.counted_range(inner) else {
            return self.lower_unknown_loop(inner.test.as_ref(), &inner.body, span);
        };
        let CountedRange { name, first, count } = range;
        let shift = (first != Term::Number(0)).then_some(first);
        self.lower_counted_loop(&name, shift, count, &inner.body, span, |_, _| {});
    }

    /// Lowers a loop with a counter from `first` on, or 0.
    fn lower_counted_loop(
        &mut self,
        name: &str,
        first: Option<Term>,
        count: Term,
        body: &'p [Statement],
        span: Span,
        begin: impl FnOnce(&mut Self, &str),
    ) {
        let counter = self.fresh_key(name);
        self.scopes.push(BTreeMap::new());
        let last = Term::new_binary("-", count.clone(), Term::Number(1));
        let (mut lowest, mut highest) = (Term::Number(0), last.clone());
        let mut steps = Vec::new();
        let visible = match first {
            None => counter.clone(),
            Some(first) => {
                let key = self.fresh_key(name);
                let value = Term::new_binary("+", Term::Variable(new_variable(&counter)), first.clone());
                steps.push(Step { kind: StepKind::Set(vec![(new_variable(&key), value)]), span });
                lowest = first.clone();
                highest = Term::new_binary("+", highest, first);
                key
            }
        };
        self.add_binding(name, Binding::Variable(visible.clone()));
        self.open_loop(counter.clone(), Some(count.clone()), body);
        steps.extend(self.collect_steps(|this| {
            begin(this, &counter);
            this.lower_block(body);
        }));
        let (mut separator, mut after) = (Vec::new(), Vec::new());
        for (index, ends) in [(visible, (lowest, highest)), (counter.clone(), (Term::Number(0), last))] {
            let index = Term::Variable(new_variable(&index));
            move_separators(&mut steps, &index, &ends, &mut separator, &mut after);
        }
        self.finish_loop(Some(new_variable(&counter)), LoopHeader::Times(count), separator, steps, span);
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
        for Step { kind, span } in open.at_end {
            let kind = match kind {
                StepKind::Assert(claim) => StepKind::Assert(self.complete_claim(claim)),
                kind => kind,
            };
            body.push(Step { kind, span });
        }
        for key in open.pushed {
            self.object_mut(&key).length = open.count.clone();
        }
        let inner = ScriptLoop { counter, header, separator, body, absorbed_newline: false };
        self.push(StepKind::Loop(Box::new(inner)), span);
    }

    /// Notes that an array grows by an element. Returns its indices, if it grows in each repetition.
    pub(super) fn note_push(&mut self, key: &str) -> Option<Vec<Term>> {
        let depth = self.objects.get(key)?.depth;
        let open = self.loops.last_mut()?;
        if open.conditions != self.conditions || depth >= self.loops.len() {
            return None;
        }
        self.loops.last_mut()?.pushed.insert(key.to_owned());
        Some(self.counters_from(depth))
    }

    /// Lowers a loop over the elements of something.
    pub(super) fn lower_each(
        &mut self,
        names: &'p [String],
        source: &'p Expression,
        body: &'p [Statement],
        span: Span,
    ) {
        if let ExpressionKind::List(items) = &source.kind {
            for item in items {
                self.scopes.push(BTreeMap::new());
                if let [name] = names {
                    let binding = self.argument_binding(name, item);
                    self.add_binding(name, binding);
                }
                self.lower_block(body);
                self.scopes.pop();
            }
            return;
        }
        let place = self.find_place(source);
        let count = place.as_ref().and_then(|place| self.length_of(place));
        let (Some(place), Some(count)) = (place, count) else {
            return self.lower_unknown_loop(None, body, span);
        };
        self.lower_counted_loop("i", None, count, body, span, |this, counter| {
            let mut element = place;
            element.indices.push(Term::Variable(new_variable(counter)));
            match names {
                [name] => this.add_binding(name, Binding::Place(element)),
                names => {
                    for (name, part) in names.iter().zip(this.part_names(&element.name)) {
                        this.add_binding(name, Binding::Place(element.select_part(&part)));
                    }
                }
            }
        });
    }

    pub(super) fn lower_while(&mut self, test: &'p Expression, body: &'p [Statement], span: Span) {
        // `while (t--)`
        if let ExpressionKind::Assign(sign, name, _) = &test.kind
            && sign == "-="
        {
            let count = self.lower_value(name);
            return self.lower_counted_loop("i", None, count, body, span, |_, _| {});
        }
        if is_truth(test, true) {
            return self.lower_endless_loop(body, span);
        }
        if let Some(ending) = self.ending_test(test) {
            return self.lower_loop_until(ending, body, span);
        }
        self.lower_unknown_loop(Some(test), body, span);
    }

    /// Returns the term of a test for the end of the input or of the line that keeps a loop going: `!inf.eof()`.
    fn ending_test(&mut self, test: &Expression) -> Option<Term> {
        let ExpressionKind::Unary(sign, inner) = &test.kind else { return None };
        if sign == "!" { self.negated_ending_test(inner) } else { None }
    }

    /// Returns the negation of `inf.eof()` or `inf.eoln()`.
    pub(super) fn negated_ending_test(&mut self, test: &Expression) -> Option<Term> {
        let (object, method, _) = test.as_method_call()?;
        if object.as_name() != Some("inf") {
            return None;
        }
        let ending = match method {
            "eof" | "seekEof" => not_eof(),
            "eoln" | "seekEoln" => Term::Not(Box::new(Term::NextIsOneOf(Box::new(Term::Text(b"\n".to_vec()))))),
            _ => return None,
        };
        if method.starts_with("seek") {
            self.warn_lossy(test.span, "blanks may stand before this end", "they may not");
        }
        Some(ending)
    }

    /// Lowers `while (true)`, which ends at a line of known numbers or with the input.
    fn lower_endless_loop(&mut self, body: &'p [Statement], span: Span) {
        let ends = |statement: &Statement| match &statement.kind {
            StatementKind::If(_, then, otherwise) => {
                otherwise.is_empty() && matches!(then.last(), Some(Statement { kind: StatementKind::Break, .. }))
            }
            _ => false,
        };
        let Some(at) = body.iter().position(ends) else { return self.lower_unknown_loop(None, body, span) };
        let StatementKind::If(test, then, _) = &body[at].kind else { return };
        if at == 0
            && let Some(ending) = self.negated_ending_test(test)
        {
            return self.lower_loop_until(ending, &body[1..], span);
        }
        self.open_endless_loop(body);
        let mut steps = self.collect_steps(|this| this.lower_statements(&body[..at]));
        let term = self.lower_test(test);
        let last = self.collect_steps(|this| this.lower_statements(&then[..then.len() - 1]));
        let sentinel = find_sentinel(&mut steps, &term, &last);
        if matches!(term, Term::Any(_)) {
            steps.push(Step { kind: StepKind::Assert(term.into_negated()), span: test.span });
        }
        let rest = self.collect_steps(|this| this.lower_statements(&body[at + 1..]));
        self.scopes.pop();
        steps.extend(rest);
        let header = match sentinel {
            Some(numbers) => LoopHeader::Until(numbers),
            None => {
                self.warn_lossy(
                    span,
                    "the loop has an end that is not understood",
                    "it goes on to the end of the input",
                );
                LoopHeader::While(not_eof())
            }
        };
        self.finish_loop(None, header, Vec::new(), steps, span);
    }

    fn open_endless_loop(&mut self, body: &'p [Statement]) {
        self.scopes.push(BTreeMap::new());
        let counter = self.fresh_key("i");
        self.open_loop(counter, None, body);
    }

    fn open_loop(&mut self, counter: String, count: Option<Term>, body: &'p [Statement]) {
        let (at_end, pushed, conditions) = (Vec::new(), BTreeSet::new(), self.conditions);
        self.loops.push(OpenLoop { counter, count, body, at_end, pushed, conditions });
    }

    /// Returns the counters of the open loops, but for those in `depth` outer ones.
    pub(super) fn counters_from(&self, depth: usize) -> Vec<Term> {
        let open = self.loops.get(depth..).unwrap_or_default();
        open.iter().map(|open| Term::Variable(new_variable(&open.counter))).collect()
    }

    fn lower_loop_until(&mut self, test: Term, body: &'p [Statement], span: Span) {
        self.open_endless_loop(body);
        let mut steps = self.collect_steps(|this| this.lower_statements(body));
        self.scopes.pop();
        // `if (!inf.eoln()) inf.readSpace();` is what separates two repetitions.
        let mut separator = Vec::new();
        if let Some(Step { kind: StepKind::If { test: inner, then, otherwise }, .. }) = steps.last()
            && inner.term == test
            && otherwise.is_empty()
            && are_separators(then)
        {
            separator = then.clone();
            steps.pop();
        }
        self.finish_loop(None, LoopHeader::While(test), separator, steps, span);
    }

    /// Lowers a loop with an unknown number of repetitions: a search in a graph, for example.
    fn lower_unknown_loop(&mut self, test: Option<&'p Expression>, body: &'p [Statement], span: Span) {
        let reads = any_expression(body, &mut |part| is_read(part));
        if !reads && self.note_search(body) {
            return;
        }
        self.open_endless_loop(body);
        if let Some(test) = test {
            // It may read or change something.
            self.lower_test(test);
        }
        let unknown = Term::Unknown("it depends on a condition how often this is repeated");
        let steps = self.collect_steps(|this| this.lower_statements(body));
        self.scopes.pop();
        self.finish_loop(None, LoopHeader::While(unknown), Vec::new(), steps, span);
    }

    /// Returns the counter, the first number and the number of repetitions of `for (int i = a; i < b; i++)`.
    fn counted_range(&mut self, inner: &'p ForLoop) -> Option<CountedRange> {
        let (name, first) = match &inner.start.as_ref()?.kind {
            StatementKind::Declare { name, start: Some(Initializer::Value(first)), .. } => (name, first),
            StatementKind::Expression(Expression { kind: ExpressionKind::Assign(sign, name, first), .. })
                if sign == "=" =>
            {
                (&name.as_name().map(str::to_owned)?, &**first)
            }
            _ => return None,
        };
        let ExpressionKind::Assign(step, stepped, by) = &inner.step.as_ref()?.kind else { return None };
        let ExpressionKind::Binary(sign, left, end) = &inner.test.as_ref()?.kind else { return None };
        let is_own = |part: &Expression| part.as_name() == Some(name);
        // `i + 1 < n`
        let (left, more) = match &left.kind {
            ExpressionKind::Binary(plus, inner, more) if plus == "+" => match more.kind {
                ExpressionKind::Number(more) => (inner, more),
                _ => (left, 0),
            },
            _ => (left, 0),
        };
        if !is_own(stepped) || !is_own(left) || by.kind != ExpressionKind::Number(1) {
            return None;
        }
        let (first, end) = (self.lower_value(first), self.lower_value(end).add_constant(-more));
        let minus = |left: &Term, right: &Term| match right.constant_value() {
            Some(number) => left.clone().add_constant(number.checked_neg().unwrap_or(0)),
            None => match left.constant_difference(right) {
                Some(number) => Term::Number(number),
                None => Term::new_binary("-", left.clone(), right.clone()),
            },
        };
        let count = match (&**step, &**sign) {
            ("+=", "<" | "!=") => minus(&end, &first),
            ("+=", "<=") => minus(&end, &first).add_constant(1),
            // Downwards over the same numbers.
            ("-=", ">=") => {
                let count = minus(&first, &end).add_constant(1);
                return Some(CountedRange { name: name.clone(), first: end, count });
            }
            ("-=", ">") => {
                let count = minus(&first, &end);
                return Some(CountedRange { name: name.clone(), first: end.add_constant(1), count });
            }
            _ => return None,
        };
        Some(CountedRange { name: name.clone(), first, count })
    }
}

struct CountedRange {
    name: String,
    first: Term,
    count: Term,
}

fn not_eof() -> Term {
    Term::Not(Box::new(Term::IsEof))
}

fn are_separators(steps: &[Step]) -> bool {
    !steps.is_empty() && steps.iter().all(|step| matches!(step.kind, StepKind::Space | StepKind::Newline))
}

/// Where a condition on the counter of a loop holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CounterTest {
    NotFirst,
    IsFirst,
    NotLast,
    IsLast,
}

/// Moves blanks that are read between two repetitions out of the body: `if (i + 1 < n) inf.readSpace();`.
fn move_separators(
    steps: &mut Vec<Step>,
    index: &Term,
    (lowest, highest): &(Term, Term),
    separator: &mut Vec<Step>,
    after: &mut Vec<Step>,
) {
    let test_of = |step: &Step| match &step.kind {
        StepKind::If { test, .. } => counter_test(&test.term, index, lowest, highest),
        _ => None,
    };
    let branches = |step: &Step, swaps: bool| match &step.kind {
        StepKind::If { then, otherwise, .. } if swaps => (otherwise.clone(), then.clone()),
        StepKind::If { then, otherwise, .. } => (then.clone(), otherwise.clone()),
        _ => Default::default(),
    };
    let is_blank = |steps: &[Step]| steps.is_empty() || are_separators(steps);
    if let Some(at) = steps.iter().position(Step::reads_input)
        && let Some(test @ (CounterTest::NotFirst | CounterTest::IsFirst)) = test_of(&steps[at])
        && separator.is_empty()
    {
        let (between, before) = branches(&steps[at], test == CounterTest::IsFirst);
        if are_separators(&between) && before.is_empty() {
            steps.remove(at);
            *separator = between;
        }
    }
    if let Some(at) = steps.iter().rposition(Step::reads_input)
        && let Some(test @ (CounterTest::NotLast | CounterTest::IsLast)) = test_of(&steps[at])
        && separator.is_empty()
    {
        let (between, behind) = branches(&steps[at], test == CounterTest::IsLast);
        if is_blank(&between) && is_blank(&behind) && !(between.is_empty() && behind.is_empty()) {
            steps.remove(at);
            (*separator, *after) = (between, behind);
        }
    }
}

fn counter_test(test: &Term, index: &Term, lowest: &Term, highest: &Term) -> Option<CounterTest> {
    let (sign, left, right) = test.as_comparison()?;
    let (sign, own, other) = if left.constant_difference(index).is_some() {
        (sign, left.constant_difference(index)?, right)
    } else {
        (sign.with_sides_swapped(), right.constant_difference(index)?, left)
    };
    // `index + own SIGN end + other`
    let last = other.constant_difference(highest).map(|other| other - own);
    let first = other.constant_difference(lowest).map(|other| other - own);
    match (sign, first, last) {
        (Greater | NotEqual, Some(0), _) | (GreaterEqual, Some(1), _) => Some(CounterTest::NotFirst),
        (Equal | LessEqual, Some(0), _) | (Less, Some(1), _) => Some(CounterTest::IsFirst),
        (Less | NotEqual, _, Some(0)) | (LessEqual, _, Some(-1)) => Some(CounterTest::NotLast),
        (Equal | GreaterEqual, _, Some(0)) | (Greater, _, Some(-1)) => Some(CounterTest::IsLast),
        _ => None,
    }
}

/// Returns the numbers of the line that ends a loop, and takes them out of the ranges of its fields where that is easy.
fn find_sentinel(steps: &mut [Step], test: &Term, last: &[Step]) -> Option<Vec<i128>> {
    let mut parts = Vec::new();
    collect_parts(test, &mut parts);
    for step in last {
        if let StepKind::Assert(claim) = &step.kind {
            collect_parts(claim, &mut parts);
        }
    }
    let value_of = |variable: &Variable| {
        parts.iter().find_map(|part| match part.as_comparison()? {
            (Equal, Term::Variable(name), number) if name == variable => number.constant_value(),
            (Equal, number, Term::Variable(name)) if name == variable => number.constant_value(),
            _ => None,
        })
    };
    let mut numbers = Vec::new();
    let reads = steps.iter().filter(|step| any_reads_input(std::slice::from_ref(step)));
    for step in reads.chain(last.iter().filter(|step| step.reads_input())) {
        match &step.kind {
            StepKind::Integer { name: Some(name), .. } => numbers.push(value_of(name)?),
            StepKind::Space | StepKind::Newline => {}
            _ => return None,
        }
    }
    if numbers.is_empty() {
        return None;
    }
    if let ([number], Some(step)) =
        (&*numbers, steps.iter_mut().find(|step| matches!(step.kind, StepKind::Integer { .. })))
        && let StepKind::Integer { min, max, .. } = &mut step.kind
    {
        match (min.constant_value(), max.constant_value()) {
            (Some(low), _) if low == *number => *min = Term::Number(low + 1),
            (_, Some(high)) if high == *number => *max = Term::Number(high - 1),
            _ => {}
        }
    }
    Some(numbers)
}

/// Collects the comparisons that a condition consists of.
fn collect_parts(test: &Term, found: &mut Vec<Term>) {
    match test {
        Term::All(parts) | Term::Any(parts) => parts.iter().for_each(|part| collect_parts(part, found)),
        single => found.push(single.clone()),
    }
}
