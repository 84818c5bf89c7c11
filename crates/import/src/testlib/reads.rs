//! Reads of a validator, and other calls of methods.

use super::lowering::{Lowering, ObjectKind, tuple_parts};
use super::syntax::{Code, CodeKind};
use super::values::text_length;
use crate::patterns::Pattern;
use crate::steps::{LoopHeader, ScriptLoop, Step, StepKind, sorted_key};
use crate::term::{Term, UNKNOWN_BOUND, Variable};
use rebut_diagnostics::Span;
use rebut_format::language::ComparisonOperator::{self, Equal, GreaterEqual, LessEqual};

/// Maximum length of the name of a field.
const MAX_NAME_CHARS: usize = 24;

/// The kind of value that a method reads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadKind {
    /// A number, and its range without bounds.
    Integer(i128, i128),
    Real,
    /// A real number with bounded decimals.
    StrictReal,
    /// A character.
    Letter,
    /// Characters without blanks.
    Token,
    /// The rest of the line, with its end.
    Line,
}

impl Lowering {
    /// Lowers a call that reads. Returns the value that it reads, if it is a single one.
    pub(super) fn lower_read(&mut self, call: &Code, to: Option<Variable>) -> Option<Term> {
        let (CodeKind::Method, method, [_, arguments @ ..]) = call.view() else { return None };
        let span = call.span;
        let kind = match method {
            "readSpace" => StepKind::Space,
            "readEoln" | "nextLine" => StepKind::Newline,
            "readEof" => StepKind::Eof,
            "readChar" if !arguments.is_empty() => match self.lower_value(&arguments[0]) {
                Term::Text(text) => match &*text {
                    b" " => StepKind::Space,
                    b"\n" => StepKind::Newline,
                    _ => StepKind::Literal(text),
                },
                _ => StepKind::Inexpressible("it reads a character that is computed".to_owned()),
            },
            _ => match read_kind(method) {
                Some((kind, true)) => {
                    self.lower_read_list(kind, arguments, to, span);
                    return None;
                }
                Some((kind, false)) => {
                    let variable = to.unwrap_or_else(|| Variable::new(&self.fresh_key("x'")));
                    self.read_single(kind, arguments, variable.clone(), span);
                    return Some(Term::Variable(variable));
                }
                None => StepKind::Inexpressible(format!("it calls `{method}`")),
            },
        };
        self.push(kind, span);
        None
    }

    /// Lowers a method that reads several values, separated by spaces or line ends.
    fn lower_read_list(&mut self, kind: ReadKind, arguments: &[Code], to: Option<Variable>, span: Span) {
        let Some((count, rest)) = arguments.split_first() else { return };
        let count = self.lower_value(count);
        let variable = to.unwrap_or_else(|| Variable::new(&self.fresh_key("a'")));
        let counter = Variable::new(&self.fresh_key("i"));
        let mut element = variable.clone();
        element.indices.push(Term::Variable(counter.clone()));
        let body = self.collect_steps(|this| this.read_single(kind, rest, element, span));
        let object = self.object_mut(&variable.name);
        if object.kind == ObjectKind::Number {
            object.kind = ObjectKind::Array;
        }
        let key = if variable.indices.is_empty() { variable.name } else { format!("{}[]", variable.name) };
        self.object_mut(&key).length = Some(count.clone());
        let separator = if kind == ReadKind::Line { Vec::new() } else { vec![Step { kind: StepKind::Space, span }] };
        let (counter, header) = (Some(counter), LoopHeader::Times(count));
        let inner = ScriptLoop { counter, header, separator, body, absorbed_newline: false };
        self.push(StepKind::Loop(Box::new(inner)), span);
    }

    fn read_single(&mut self, kind: ReadKind, arguments: &[Code], to: Variable, span: Span) {
        // The name comes after the bounds, which can be left out.
        let bounds = match kind {
            ReadKind::Integer(..) | ReadKind::Real => 2,
            ReadKind::StrictReal => 4,
            ReadKind::Letter | ReadKind::Token | ReadKind::Line => 1,
        };
        let is_text = bounds == 1;
        let bounds = if arguments.len() >= bounds || is_text { bounds.min(arguments.len()) } else { 0 };
        let (bounds, rest) = arguments.split_at(bounds);
        if is_text && to.indices.is_empty() {
            self.object_mut(&to.name).kind = ObjectKind::Text;
        }
        self.label_read(&to, rest.first());
        if is_text {
            return self.read_text(kind, bounds.first(), to, span);
        }
        let values: Vec<Term> = bounds.iter().map(|bound| self.lower_value(bound)).collect();
        let bound = |at: usize, default: i128| values.get(at).cloned().unwrap_or(Term::Number(default));
        let (least, most, real) = match kind {
            ReadKind::Integer(least, most) => (least, most, None),
            kind => {
                let decimals = values.get(2).cloned().zip(values.get(3).cloned());
                (-UNKNOWN_BOUND, UNKNOWN_BOUND, Some((decimals, kind == ReadKind::StrictReal)))
            }
        };
        self.push(StepKind::Number { min: bound(0, least), max: bound(1, most), real, name: Some(to) }, span);
    }

    fn read_text(&mut self, kind: ReadKind, pattern: Option<&Code>, to: Variable, span: Span) {
        let is_line = kind == ReadKind::Line;
        let every: &[u8] = match kind {
            ReadKind::Line => br"[\ -~]*",
            ReadKind::Letter => b"[!-~]",
            _ => b"[!-~]+",
        };
        let parts = pattern.map_or(Some(vec![Term::Text(every.to_vec())]), |pattern| self.lower_text(pattern, 0));
        match parts.ok_or_else(|| COMPUTED.to_owned()).and_then(|parts| parse_pattern(parts, is_line)) {
            Ok((pattern, lengths)) => {
                self.push(StepKind::Token(pattern, Some(to.clone())), span);
                for (sign, length) in lengths {
                    self.push(StepKind::Assert(Term::new_comparison(text_length(&to), sign, length)), span);
                }
            }
            Err(reason) => self.push(StepKind::Inexpressible(reason), span),
        }
        if is_line {
            self.push(StepKind::Newline, span);
        }
    }

    /// Remembers the name that a read gives to its value: `"a"`, `format("a[%d]", i)`, `"a" + to_string(i)`.
    fn label_read(&mut self, to: &Variable, name: Option<&Code>) {
        let text = name.and_then(|name| match name.view() {
            (CodeKind::Text, ..) => Some(name),
            (CodeKind::Call | CodeKind::Binary, _, [first, ..]) => Some(first),
            _ => None,
        });
        let text = text.filter(|text| text.kind == CodeKind::Text);
        if let Some(label) = text.and_then(|text| field_name(&text.text)) {
            self.labels.insert(to.name.clone(), label);
        } else if let Some((name, _)) = to.name.split_once('\'') {
            self.labels.entry(to.name.clone()).or_insert_with(|| name.to_owned());
        }
    }

    /// Lowers a method that is called as a statement.
    pub(super) fn lower_method(&mut self, object: &Code, method: &str, arguments: &[Code], span: Span) {
        if object.as_name() == Some("inf") {
            return self.lower_call(method, arguments, span);
        }
        if self.note_edge(object, method, arguments, span) {
            return;
        }
        let Some(place) = self.find_place(object) else { return };
        let is_whole = place.indices.is_empty();
        match (method, self.kind_of(&place)) {
            ("push_back" | "emplace_back", ObjectKind::Array) if is_whole => {
                self.lower_push(&place.name, arguments, span)
            }
            ("insert" | "emplace" | "push_back", ObjectKind::Collection) if is_whole => {
                self.insert(&place.name, arguments, span);
            }
            ("clear" | "assign" | "reset" | "resize", ObjectKind::Collection | ObjectKind::Array) => {
                let length = arguments.first().map(|size| self.lower_value(size));
                self.clear_contents(&place, length, span);
            }
            ("reserve" | "shrink_to_fit", _) => {}
            // `a.erase(unique(a.begin(), a.end()), a.end())`
            ("erase", _)
                if arguments.first().is_some_and(|first| {
                    arguments.len() == 2
                        && &*first.text == "unique"
                        && self.range_place(&first.parts).as_ref() == Some(&place)
                }) =>
            {
                let (from, to) = (Variable::new(&sorted_key(&place.name)), format!("{}#unique", place.name));
                self.push(StepKind::CopyArray { to: to.clone(), from }, span);
                self.forget_contents(&place, span);
                self.object_mut(&place.name).length = Some(Term::DifferentValues(vec![to]));
            }
            _ => {
                self.lower_values(arguments);
                if self.is_container(&place) {
                    self.forget_contents(&place, span);
                }
            }
        }
    }

    /// Lowers `a.push_back(x)`.
    fn lower_push(&mut self, key: &str, arguments: &[Code], span: Span) {
        let Some(indices) = self.note_push(key) else {
            self.lower_values(arguments);
            return self.forget_contents(&Variable::new(key), span);
        };
        let to = Variable { name: key.to_owned(), indices };
        let items = if let [single] = arguments { tuple_parts(single) } else { arguments.to_vec() };
        match &*items {
            [single] => self.assign_code(to, single, span),
            items => self.assign_parts(&to, items, span),
        }
    }
}

/// Returns what a method of `inf` reads, and whether it reads several.
fn read_kind(method: &str) -> Option<(ReadKind, bool)> {
    let (single, is_list) = method.strip_suffix('s').map_or((method, false), |single| (single, true));
    let kind = match single {
        "readInt" | "readInteger" => ReadKind::Integer(i128::from(i32::MIN), i128::from(i32::MAX)),
        "readLong" => ReadKind::Integer(i128::from(i64::MIN), i128::from(i64::MAX)),
        "readUnsignedLong" => ReadKind::Integer(0, i128::from(u64::MAX)),
        "readReal" | "readDouble" => ReadKind::Real,
        "readStrictReal" | "readStrictDouble" => ReadKind::StrictReal,
        "readChar" => ReadKind::Letter,
        "readToken" | "readWord" => ReadKind::Token,
        "readLine" | "readString" => ReadKind::Line,
        _ => return None,
    };
    Some((kind, is_list))
}

/// Returns the name of a field for the name of a read: `a_i` and `a[i]` become `a`.
fn field_name(text: &str) -> Option<String> {
    let text = text.split(['[', '(', '{', '%', '<', '.', ',']).next()?.trim();
    let text = ["_i", "_j", "_k", "_ij", "_q", "_t"].iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text);
    let letters = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
    let name: String = letters.take(MAX_NAME_CHARS).collect();
    let name = name.trim_matches('_');
    name.starts_with(|c: char| c.is_ascii_alphabetic()).then(|| name.to_owned())
}

const COMPUTED: &str = "its pattern is computed";

/// Parses a pattern of testlib, in which a number of repetitions may be computed: `[a-z]{n}`, `[a-z]{1,n}`. Returns the
/// bounds of the length for that.
fn parse_pattern(parts: Vec<Term>, has_blanks: bool) -> Result<(Pattern, Vec<(ComparisonOperator, Term)>), String> {
    let (mut text, mut numbers) = (String::new(), Vec::new());
    for part in parts {
        match (&part, part.constant_value()) {
            (Term::Text(letters), _) => text += &String::from_utf8_lossy(letters),
            (_, Some(number)) => text += &number.to_string(),
            _ => {
                text.push('\0');
                numbers.push(part);
            }
        }
    }
    if numbers.is_empty() {
        return Ok((Pattern::parse_testlib(text.as_bytes(), has_blanks)?, Vec::new()));
    }
    let (base, counts) = text.strip_suffix('}').and_then(|text| text.rsplit_once('{')).ok_or(COMPUTED)?;
    let pattern = Pattern::parse_testlib(format!("{base}*").as_bytes(), has_blanks)?;
    let mut numbers = numbers.into_iter();
    let bound = |count: &str| match count {
        "\0" => numbers.next(),
        count => count.trim().parse().ok().map(Term::Number),
    };
    let bounds: Option<Vec<Term>> = counts.split(',').map(bound).collect();
    let is_text = !base.is_empty() && !base.contains('\0') && pattern.uniform_letters().is_some();
    let lengths = match bounds.as_deref() {
        Some([exact]) if is_text => vec![(Equal, exact.clone())],
        Some([least, most]) if is_text => vec![(GreaterEqual, least.clone()), (LessEqual, most.clone())],
        _ => return Err(COMPUTED.to_owned()),
    };
    Ok((pattern, lengths))
}
