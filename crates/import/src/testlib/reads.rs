//! Reads of a validator, and other calls of methods.

use super::lowering::{Lowering, ObjectKind, is_read, new_variable};
use super::syntax::{Expression, ExpressionKind};
use super::values::TextPart;
use crate::patterns::Pattern;
use crate::steps::{LoopHeader, ScriptLoop, Step, StepKind};
use crate::term::{Term, Variable};
use rebut_diagnostics::Span;
use rebut_format::language::ComparisonOperator::{Equal, GreaterEqual, LessEqual};

/// Maximum length of the name of a field.
const MAX_NAME_CHARS: usize = 24;

/// The kind of value that a method reads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadKind {
    Integer {
        least: i128,
        most: i128,
    },
    Real,
    /// A real number with bounded decimals.
    StrictReal,
    /// Characters without blanks.
    Token,
    /// The rest of the line, with its end.
    Line,
}

impl<'p> Lowering<'p> {
    /// Lowers a call that reads. Returns the value that it reads, if it is a single one.
    pub(super) fn lower_read(&mut self, call: &Expression, to: Option<Variable>) -> Option<Term> {
        let (_, method, arguments) = call.as_method_call()?;
        let span = call.span;
        match method {
            "readSpace" => self.push(StepKind::Space, span),
            "readEoln" | "nextLine" => self.push(StepKind::Newline, span),
            "readEof" => self.push(StepKind::Eof, span),
            "readChar" => return self.lower_read_char(arguments, to, span),
            _ => {
                let Some((kind, is_list)) = read_kind(method) else {
                    self.push(StepKind::Inexpressible(format!("it calls `{method}`")), span);
                    return None;
                };
                if is_list {
                    self.lower_read_list(kind, arguments, to, span);
                    return None;
                }
                let variable = to.unwrap_or_else(|| new_variable(&self.fresh_key("x'")));
                self.read_single(kind, arguments, variable.clone(), span);
                return Some(Term::Variable(variable));
            }
        }
        None
    }

    fn lower_read_char(&mut self, arguments: &[Expression], to: Option<Variable>, span: Span) -> Option<Term> {
        match arguments.first().map(|argument| self.lower_value(argument)) {
            Some(Term::Text(text)) => {
                let kind = match &*text {
                    b" " => StepKind::Space,
                    b"\n" => StepKind::Newline,
                    _ => StepKind::Literal(text),
                };
                self.push(kind, span);
                None
            }
            Some(_) => {
                self.push(StepKind::Inexpressible("it reads a character that is computed".to_owned()), span);
                None
            }
            None => {
                let variable = to.unwrap_or_else(|| new_variable(&self.fresh_key("x'")));
                self.object_mut(&variable.name).kind = ObjectKind::Text;
                if let Ok(pattern) = Pattern::parse(b"[!-~]") {
                    self.push(StepKind::Token(pattern, Some(variable.clone())), span);
                }
                Some(Term::Variable(variable))
            }
        }
    }

    /// Lowers a method that reads several values, separated by spaces or line ends.
    fn lower_read_list(&mut self, kind: ReadKind, arguments: &[Expression], to: Option<Variable>, span: Span) {
        let Some((count, rest)) = arguments.split_first() else { return };
        let count = self.lower_value(count);
        let variable = to.unwrap_or_else(|| new_variable(&self.fresh_key("a'")));
        let counter = self.fresh_key("i");
        let index = Term::Variable(new_variable(&counter));
        // The number of the first element may follow the name.
        let first = match rest.last() {
            Some(last) if rest.len() > 1 && matches!(rest[rest.len() - 2].kind, ExpressionKind::Text(_)) => {
                Some(self.lower_value(last))
            }
            _ => None,
        };
        let rest = if first.is_some() { &rest[..rest.len() - 1] } else { rest };
        let index = first.map_or(index.clone(), |first| Term::new_binary("+", index, first));
        let mut element = variable.clone();
        element.indices.push(index);
        let body = self.collect_steps(|this| this.read_single(kind, rest, element, span));
        if self.object_mut(&variable.name).kind == ObjectKind::Number {
            self.object_mut(&variable.name).kind = ObjectKind::Array;
        }
        let key = if variable.indices.is_empty() { variable.name.clone() } else { format!("{}[]", variable.name) };
        self.object_mut(&key).length = Some(count.clone());
        let separator = if kind == ReadKind::Line { Vec::new() } else { vec![Step { kind: StepKind::Space, span }] };
        let inner = ScriptLoop {
            counter: Some(new_variable(&counter)),
            header: LoopHeader::Times(count),
            separator,
            body,
            absorbed_newline: false,
        };
        self.push(StepKind::Loop(Box::new(inner)), span);
    }

    /// Lowers a method that reads one value.
    fn read_single(&mut self, kind: ReadKind, arguments: &[Expression], to: Variable, span: Span) {
        match kind {
            ReadKind::Integer { least, most } => {
                let (bounds, name) = split_name(arguments, 2);
                self.label_read(&to, name);
                let bound = |this: &mut Self, at: usize, default: i128| {
                    bounds.get(at).map_or(Term::Number(default), |bound| this.lower_value(bound))
                };
                let (min, max) = (bound(self, 0, least), bound(self, 1, most));
                self.push(StepKind::Integer { min, max, name: Some(to) }, span);
            }
            ReadKind::Real | ReadKind::StrictReal => {
                let is_strict = kind == ReadKind::StrictReal;
                let (bounds, name) = split_name(arguments, if is_strict { 4 } else { 2 });
                self.label_read(&to, name);
                let values: Vec<Term> = bounds.iter().map(|bound| self.lower_value(bound)).collect();
                let (min, max) = match &*values {
                    [min, max, ..] => (min.clone(), max.clone()),
                    _ => (Term::Number(-(10_i128.pow(18))), Term::Number(10_i128.pow(18))),
                };
                let decimals = match &*values {
                    [_, _, least, most] if is_strict => Some((least.clone(), most.clone())),
                    _ => None,
                };
                self.push(StepKind::Float { min, max, decimals, name: Some(to), is_fixed: is_strict }, span);
            }
            ReadKind::Token | ReadKind::Line => {
                if to.indices.is_empty() {
                    self.object_mut(&to.name).kind = ObjectKind::Text;
                }
                self.label_read(&to, arguments.get(1));
                self.read_text(kind, arguments.first(), to, span);
            }
        }
    }

    fn read_text(&mut self, kind: ReadKind, pattern: Option<&Expression>, to: Variable, span: Span) {
        let default: &[u8] = if kind == ReadKind::Line { b"[ -~]*" } else { b"[!-~]+" };
        let parts = match pattern {
            None => Some(vec![TextPart::Letters(default.to_vec())]),
            Some(pattern) => self.lower_text(pattern, 0),
        };
        let has_blanks = kind == ReadKind::Line;
        let parsed = parts.ok_or_else(|| "its pattern is computed".to_owned());
        let parsed = parsed.and_then(|parts| parse_pattern(&parts, has_blanks));
        match parsed {
            Ok((pattern, lengths)) => {
                self.push(StepKind::Token(pattern, Some(to.clone())), span);
                for (sign, length) in lengths {
                    let own = Term::TextLength(Box::new(Term::Variable(to.clone())));
                    self.push(StepKind::Assert(Term::new_comparison(own, sign, length)), span);
                }
            }
            Err(reason) => self.push(StepKind::Inexpressible(reason), span),
        }
        if kind == ReadKind::Line {
            self.push(StepKind::Newline, span);
        }
    }

    /// Remembers the name that a read gives to its value.
    fn label_read(&mut self, to: &Variable, name: Option<&Expression>) {
        let text = match name.map(|name| &name.kind) {
            Some(ExpressionKind::Text(text)) => Some(String::from_utf8_lossy(text).into_owned()),
            Some(ExpressionKind::Call(_, arguments)) => match arguments.first().map(|first| &first.kind) {
                Some(ExpressionKind::Text(text)) => Some(String::from_utf8_lossy(text).into_owned()),
                _ => None,
            },
            Some(ExpressionKind::Binary(_, left, _)) => match &left.kind {
                ExpressionKind::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
                _ => None,
            },
            _ => None,
        };
        if let Some(label) = text.as_deref().and_then(field_name) {
            self.labels.insert(to.name.clone(), label);
        } else if to.name.contains('\'') && !self.labels.contains_key(&to.name) {
            let name = to.name.split('\'').next().unwrap_or("x").to_owned();
            self.labels.insert(to.name.clone(), name);
        }
    }

    /// Lowers a method that is called as a statement.
    pub(super) fn lower_method(
        &mut self,
        object: &'p Expression,
        method: &str,
        arguments: &'p [Expression],
        span: Span,
    ) {
        if object.as_name() == Some("inf") {
            match method {
                "ensuref" | "ensure" => arguments.iter().take(1).for_each(|test| self.assert_condition(test)),
                "quitf" | "quit" => self.assert_term(Term::Any(Vec::new()), span),
                _ => {}
            }
            return;
        }
        if self.note_edge(object, method, arguments, span) {
            return;
        }
        let Some(place) = self.find_place(object) else { return };
        let kind = self.objects.get(&place.name).map_or(ObjectKind::Number, |object| object.kind);
        match (method, kind) {
            ("push_back" | "emplace_back", ObjectKind::Array) if place.indices.is_empty() => {
                self.lower_push(&place.name, arguments, span);
            }
            ("insert" | "emplace" | "push_back", ObjectKind::Collection) if place.indices.is_empty() => {
                self.insert(&place.name, arguments, span);
            }
            ("clear" | "assign" | "reset", ObjectKind::Collection | ObjectKind::Array) => {
                self.empty_collection(&place.name, span)
            }
            _ => arguments.iter().for_each(|argument| {
                self.lower_value(argument);
            }),
        }
    }

    /// Lowers `a.push_back(x)`.
    fn lower_push(&mut self, key: &str, arguments: &'p [Expression], span: Span) {
        let Some(indices) = self.note_push(key) else {
            arguments.iter().for_each(|argument| {
                self.lower_value(argument);
            });
            return self.push(StepKind::ForgetVariable(new_variable(key)), span);
        };
        let to = Variable { name: key.to_owned(), indices };
        let items = match arguments {
            [Expression { kind: ExpressionKind::List(items), .. }] => items,
            [Expression { kind: ExpressionKind::Call(callee, items), .. }]
                if matches!(callee.as_name(), Some("make_pair" | "pair")) =>
            {
                items
            }
            other => other,
        };
        match items {
            [single] if is_read(single) => {
                self.lower_read(single, Some(to));
            }
            [single] => {
                let value = self.lower_value(single);
                self.assign_variable(to, value, span);
            }
            items => self.assign_parts(&to, items, span),
        }
    }
}

/// Returns what a method of `inf` reads, and whether it reads several.
fn read_kind(method: &str) -> Option<(ReadKind, bool)> {
    let int = ReadKind::Integer { least: i128::from(i32::MIN), most: i128::from(i32::MAX) };
    let long = ReadKind::Integer { least: i128::from(i64::MIN), most: i128::from(i64::MAX) };
    let unsigned = ReadKind::Integer { least: 0, most: i128::from(u64::MAX) };
    Some(match method {
        "readInt" | "readInteger" => (int, false),
        "readInts" | "readIntegers" => (int, true),
        "readLong" => (long, false),
        "readLongs" => (long, true),
        "readUnsignedLong" => (unsigned, false),
        "readUnsignedLongs" => (unsigned, true),
        "readReal" | "readDouble" => (ReadKind::Real, false),
        "readReals" | "readDoubles" => (ReadKind::Real, true),
        "readStrictReal" | "readStrictDouble" => (ReadKind::StrictReal, false),
        "readStrictReals" | "readStrictDoubles" => (ReadKind::StrictReal, true),
        "readToken" | "readWord" => (ReadKind::Token, false),
        "readTokens" | "readWords" => (ReadKind::Token, true),
        "readLine" | "readString" => (ReadKind::Line, false),
        "readLines" | "readStrings" => (ReadKind::Line, true),
        _ => return None,
    })
}

/// Splits the name from the arguments of a read, of which up to `bounds` come before it.
fn split_name(arguments: &[Expression], bounds: usize) -> (&[Expression], Option<&Expression>) {
    if arguments.len() >= bounds { (&arguments[..bounds], arguments.get(bounds)) } else { (&[], arguments.first()) }
}

/// Returns the name of a field for the name of a read: `a_i` and `a[i]` become `a`.
fn field_name(text: &str) -> Option<String> {
    let text = text.split(['[', '(', '{', '%', '<', '.', ',']).next()?.trim();
    let text = ["_i", "_j", "_k", "_ij", "_q", "_t"].iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text);
    let letters = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
    let name: String = letters.take(MAX_NAME_CHARS).collect();
    let name = name.trim_matches('_');
    (name.starts_with(|c: char| c.is_ascii_alphabetic())).then(|| name.to_owned())
}

/// A comparison of the length of a text.
type LengthBound = (rebut_format::language::ComparisonOperator, Term);

/// Parses a pattern of testlib, of which a number of repetitions may be computed. Returns the bounds of the length for
/// that.
fn parse_pattern(parts: &[TextPart], has_blanks: bool) -> Result<(Pattern, Vec<LengthBound>), String> {
    let mut text = Vec::new();
    let mut numbers: Vec<(usize, Term)> = Vec::new();
    for part in parts {
        match part {
            TextPart::Letters(letters) => text.extend(letters),
            TextPart::Number(term) => match term.constant_value() {
                Some(number) => text.extend(number.to_string().into_bytes()),
                None => numbers.push((text.len(), term.clone())),
            },
        }
    }
    if numbers.is_empty() {
        return Ok((Pattern::parse_testlib(&text, has_blanks)?, Vec::new()));
    }
    const COMPUTED: &str = "its pattern is computed";
    // `[a-z]{n}`, `[a-z]{1,n}`
    let open = text.iter().rposition(|byte| *byte == b'{').ok_or(COMPUTED)?;
    let inner = &text[open + 1..text.len() - 1];
    if text.last() != Some(&b'}') || numbers.iter().any(|(at, _)| *at <= open) || open == 0 {
        return Err(COMPUTED.to_owned());
    }
    let base = [&text[..open], b"*".as_slice()].concat();
    let pattern = Pattern::parse_testlib(&base, has_blanks)?;
    if pattern.uniform_letters().is_none() {
        return Err(COMPUTED.to_owned());
    }
    let number = |text: &[u8]| std::str::from_utf8(text).ok()?.trim().parse::<i128>().ok().map(Term::Number);
    let comma = inner.iter().position(|byte| *byte == b',');
    let lengths = match (comma, &*numbers) {
        (None, [(_, exact)]) if inner.is_empty() => vec![(Equal, exact.clone())],
        (Some(at), [(place, bound)]) => {
            let is_first = *place <= open + 1 + at && inner[..at].is_empty();
            let known = if is_first { number(&inner[at + 1..]) } else { number(&inner[..at]) };
            let known = known.ok_or(COMPUTED)?;
            let (least, most) = if is_first { (bound.clone(), known) } else { (known, bound.clone()) };
            vec![(GreaterEqual, least), (LessEqual, most)]
        }
        (Some(_), [(_, least), (_, most)]) if inner == b"," => {
            vec![(GreaterEqual, least.clone()), (LessEqual, most.clone())]
        }
        _ => return Err(COMPUTED.to_owned()),
    };
    Ok((pattern, lengths))
}
