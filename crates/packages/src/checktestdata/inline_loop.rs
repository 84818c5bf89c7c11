//! Translation of loops within a line: lists of tokens, and texts read character by character.

use super::draft::{FieldContent, LoopCount, LoopKind, PartKind, TextSize};
use super::evaluate::Evaluator as _;
use super::letters::{contains_letter, letters_of_range};
use super::script::{LoopHeader, ScriptLoop, Step, StepKind, assigned_variables};
use super::term::{FieldId, Term, Variable};
use super::translate::ScriptTranslator;
use rebut_diagnostics::Span;
use rebut_format::language::Interval;

/// The structure of a loop's body within a line.
struct InlineLoopShape<'i> {
    /// Whether each token follows a space, or is followed by one.
    leading: bool,
    trailing: bool,
    /// Whether repetitions are separated by a space.
    separated: bool,
    /// The body without that space.
    steps: Vec<&'i Step>,
    tokens: Vec<&'i Step>,
}

impl ScriptTranslator {
    /// Translates a loop within a line.
    pub(super) fn translate_inline_loop(&mut self, inner: &ScriptLoop, span: Span) {
        if let Err(reason) = self.translate_tokens(inner, span) {
            assigned_variables(&inner.body).into_iter().for_each(|name| self.forget_variable(name));
            self.mark_line_inexpressible(span, reason);
        }
    }

    /// Translates the tokens of a loop within a line.
    ///
    /// # Errors
    ///
    /// Returns the reason why the loop cannot be expressed.
    fn translate_tokens(&mut self, inner: &ScriptLoop, span: Span) -> Result<(), &'static str> {
        if inner.body.iter().any(|step| matches!(step.kind, StepKind::Loop(_)) && step.reads_input()) {
            return Err("it is a nested loop within a line");
        }
        let shape = inline_loop_shape(inner).ok_or("it is a loop within a line that does not read a list")?;
        let count = match &inner.header {
            LoopHeader::Times(count) => LoopCount::Times(self.evaluate(count)),
            LoopHeader::While(condition)
                if is_until_line_end(condition) || shape.leading && is_before_blank(condition) =>
            {
                LoopCount::Until(Interval::NATURAL)
            }
            LoopHeader::While(_) => return Err("it is a loop within a line with an unknown number of repetitions"),
        };
        if let LoopCount::Times(term) = &count {
            term.size_error().map_or(Ok(()), Err)?;
        }
        if !shape.separated && !shape.leading && !shape.trailing {
            return self.translate_adjacent_tokens(inner, &shape, count, span);
        }
        if shape.leading {
            self.mark_blank();
        }
        match (count, shape.tokens.len()) {
            (LoopCount::Times(count), 2..) => self.translate_group(inner, &shape, count, span),
            (LoopCount::Until(..), 2..) => return Err("it reads different tokens up to the end of the line"),
            (count, _) => self.translate_list(inner, &shape, count, span)?,
        }
        if shape.trailing {
            self.mark_blank();
        }
        Ok(())
    }

    /// Translates a group of several tokens: `(x y)[n]`.
    fn translate_group(&mut self, inner: &ScriptLoop, shape: &InlineLoopShape<'_>, count: Term, span: Span) {
        let id = self.declare_loop(inner, LoopCount::Times(count), LoopKind::Block, span);
        let before = std::mem::take(&mut self.current_line);
        self.translate_loop_body(id, inner, |this| this.translate_without_lines(shape.steps.iter().copied()));
        let line = std::mem::replace(&mut self.current_line, before);
        if let Some((span, reason)) = line.inexpressible {
            self.mark_line_inexpressible(span, reason);
        }
        self.push_part(PartKind::Group(id, line.parts), span);
    }

    /// Translates numbers, words or texts separated by spaces.
    fn translate_list(
        &mut self,
        inner: &ScriptLoop,
        shape: &InlineLoopShape<'_>,
        count: LoopCount,
        span: Span,
    ) -> Result<(), &'static str> {
        let token = shape.tokens[0];
        let is_number = matches!(token.kind, StepKind::Integer { .. } | StepKind::Float { .. });
        if !is_number && !matches!(count, LoopCount::Times(_)) {
            return Err("it reads several texts on one line");
        }
        let id = self.declare_loop(inner, count, LoopKind::Inline, span);
        let mut found = None;
        self.translate_loop_body(id, inner, |this| {
            for item in &inner.body {
                if std::ptr::eq(item, token) {
                    found = this.declare_list_field(token);
                } else if !item.reads_input() {
                    this.translate_without_lines([item]);
                }
            }
        });
        if let Some(field) = found {
            self.push_part(PartKind::Field(field), span);
        }
        Ok(())
    }

    /// Declares the field of a list's elements.
    fn declare_list_field(&mut self, token: &Step) -> Option<FieldId> {
        let (kind, name, _) = self.field_for_token(token)?;
        let has_blanks = match &kind {
            FieldContent::Text { letters, .. } => Some(contains_letter(letters, b' ')),
            FieldContent::Pattern { .. } => Some(false),
            _ => None,
        };
        if has_blanks == Some(true) {
            self.mark_line_inexpressible(token.span, "it reads several texts with spaces on one line");
        }
        let id = self.declare_field(kind, name.as_ref(), "a", token.span);
        self.draft[id].is_row = has_blanks.is_some();
        Some(id)
    }

    /// Translates characters without anything between them.
    fn translate_adjacent_tokens(
        &mut self,
        inner: &ScriptLoop,
        shape: &InlineLoopShape<'_>,
        count: LoopCount,
        span: Span,
    ) -> Result<(), &'static str> {
        let letters = match shape.tokens.as_slice() {
            [Step { kind: StepKind::Integer { min, max, .. }, .. }] => {
                let digit = |term: Term| term.constant_value().and_then(|n| u8::try_from(n).ok()).filter(|n| *n <= 9);
                let (min, max) = (self.evaluate(min), self.evaluate(max));
                digit(min).zip(digit(max)).map(|(min, max)| (letters_of_range(b'0' + min, b'0' + max), 1))
            }
            [Step { kind: StepKind::Token(pattern, _), .. }] => {
                let lengths = pattern.length_range();
                pattern.uniform_letters().filter(|_| lengths.lo == lengths.hi).map(|letters| (letters, lengths.lo))
            }
            _ => None,
        };
        const NO_TEXT: &str = "it reads adjacent tokens on one line";
        let (mut letters, each) = letters.ok_or(NO_TEXT)?;
        letters.intersect(&letters_of_range(b'!', b'~'));
        if letters.ranges().is_empty() {
            return Err(NO_TEXT);
        }
        let size = match count {
            LoopCount::Times(term) if each == 1 => TextSize::Exactly(term),
            LoopCount::Times(term) => TextSize::Exactly(Term::new_binary("*", term, Term::Number(each))),
            LoopCount::Until(..) => TextSize::Between(Interval::NATURAL),
        };
        let assigned = assigned_variables(std::slice::from_ref(shape.tokens[0]));
        let name = assigned.first().map(|name| Variable { name: (*name).to_owned(), indices: Vec::new() });
        let field = self.declare_field(FieldContent::Text { letters, size }, name.as_ref(), "s", span);
        self.push_part(PartKind::Field(field), span);
        assigned_variables(&inner.body).into_iter().for_each(|name| self.forget_variable(name));
        let id = self.declare_loop(inner, LoopCount::Until(Interval::NATURAL), LoopKind::Pure, span);
        self.translate_loop_body(id, inner, |this| {
            this.translate_without_lines(inner.body.iter().filter(|step| !step.reads_input()));
        });
        Ok(())
    }
}

/// Returns the structure of a loop's body if it consists of tokens separated by spaces.
fn inline_loop_shape(inner: &ScriptLoop) -> Option<InlineLoopShape<'_>> {
    let mut steps: Vec<&Step> = inner.body.iter().collect();
    let first = steps.iter().position(|step| step.reads_input())?;
    let last = steps.iter().rposition(|step| step.reads_input())?;
    let leading = steps[first].kind == StepKind::Space;
    let trailing = !leading && steps[last].kind == StepKind::Space;
    if leading || trailing {
        steps.remove(if leading { first } else { last });
    }
    let separated = match inner.separator.as_slice() {
        [] => false,
        [Step { kind: StepKind::Space, .. }] if !leading && !trailing => true,
        _ => return None,
    };
    let mut tokens = Vec::new();
    let mut follows_space = true;
    for step in steps.iter().copied().filter(|step| step.reads_input()) {
        match &step.kind {
            StepKind::Integer { .. } | StepKind::Float { .. } | StepKind::Token(..) | StepKind::Literal(_)
                if follows_space =>
            {
                tokens.push(step);
            }
            StepKind::Space if !follows_space => {}
            _ => return None,
        }
        follows_space = !follows_space;
    }
    let has_field = tokens.iter().any(|step| !matches!(step.kind, StepKind::Literal(_)));
    (has_field && !follows_space).then_some(InlineLoopShape { leading, trailing, separated, steps, tokens })
}

/// Returns true for `!MATCH("\n")`, also combined with `ISEOF`.
fn is_until_line_end(test: &Term) -> bool {
    let ends = |test: &Term| matches!(test, Term::NextIsOneOf(letters) if text_contains(letters, b'\n'));
    match test {
        Term::Not(inner) => match &**inner {
            Term::Any(parts) => parts.contains(&Term::IsEof) && parts.iter().any(ends),
            inner => ends(inner),
        },
        _ => false,
    }
}

/// Returns true for `MATCH(" ")`.
fn is_before_blank(test: &Term) -> bool {
    matches!(test, Term::NextIsOneOf(letters) if text_contains(letters, b' '))
}

fn text_contains(term: &Term, letter: u8) -> bool {
    matches!(term, Term::Text(text) if text.contains(&letter))
}
