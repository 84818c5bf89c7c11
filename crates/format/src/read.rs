//! The input reader: parses bytes to a value tree, strict to the byte.
//!
//! Reading checks the form (lines, spaces, numbers, letters); [`crate::validate`] checks the constraints. Both report
//! the location: line and column in the file, and the case, field and index in terms of the format.
//!
//! ```
//! use rebut_diagnostics::SourceText;
//! use rebut_format::language::Format;
//! use rebut_format::read::read_input;
//!
//! let source = SourceText::new("example", "n; a[n] where 1 <= n <= 8; 0 <= a <= 9");
//! let (format, _) = Format::parse(&source).expect("a valid format");
//! assert!(read_input(&format, b"2\n5 3\n").is_ok());
//! assert_eq!(read_input(&format, b"2\n5  3\n").unwrap_err().code, "extra-space");
//! ```

use crate::language::{
    BlockId, DecimalPlaces, FieldDimension, FieldId, FieldKind, Format, InstanceCount, Interval, LayoutItem, LinePart,
    LineToken, MAX_NUMBER,
};
use crate::validate;
use crate::value::{self, InstanceList, InstanceSlots, TextBytes, Value, ValueScope};
use rebut_diagnostics::{Diagnostic, Span, list_or, shorten_text};

/// Reads an input without checking its constraints.
///
/// # Errors
/// Returns the first deviation from the layout.
pub fn read_input(format: &Format, bytes: &[u8]) -> Result<Value, Diagnostic> {
    let mut reader = InputReader { format, bytes, at: 0, tokens: 0, empty_repetitions: 0, path: Vec::new() };
    let mut slots = Vec::with_capacity(format.block(BlockId(0)).slots);
    reader.read_block(BlockId(0), None, &mut slots)?;
    if reader.at < bytes.len() {
        return Err(reader.trailing_input_error());
    }
    Ok(Value::Block(slots))
}

/// Maximum number of repetitions without any bytes: more cannot be a real input, and would use unbounded memory.
const MAX_EMPTY_REPETITIONS: usize = 1_000_000;

/// The end of a row of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowEnd {
    /// The end of its line.
    Line,
    /// A space, or the end of the line.
    Space,
    /// Another part, without a space between them.
    Glued,
}

struct InputReader<'a> {
    format: &'a Format,
    bytes: &'a [u8],
    at: usize,
    /// Number of tokens already read on the current line.
    tokens: usize,
    empty_repetitions: usize,
    path: Vec<usize>,
}

type ReadResult<T> = Result<T, Diagnostic>;

impl<'a> InputReader<'a> {
    /// Reads an instance of a block and appends its slots to those of the previous instances.
    fn read_block(&mut self, block: BlockId, outer: Option<&ValueScope<'_>>, slots: &mut Vec<Value>) -> ReadResult<()> {
        let format = self.format;
        let first = slots.len();
        for (i, item) in format.block(block).items.iter().enumerate() {
            let scope = ValueScope::new(format, block, InstanceSlots::Known(&slots[first..]), outer);
            match item {
                LayoutItem::Line(fields) => self.read_line(fields, (block, first), slots, outer)?,
                LayoutItem::Rows(field) => {
                    self.path.push(slots.len() - first);
                    let rows = self.read_dimensions(*field, 0, RowEnd::Line, &scope)?;
                    self.path.pop();
                    slots.push(rows);
                }
                LayoutItem::Block(child) => {
                    self.path.push(slots.len() - first);
                    let list = self.read_instances(*child, &scope)?;
                    self.path.pop();
                    slots.push(Value::Instances(list));
                }
                LayoutItem::Either(children) => {
                    let lists = self.read_alternatives(children, &scope)?;
                    slots.extend(lists);
                }
            }
            if format.ends_line(block, i) {
                self.read_end_of_line(|reader| reader.last_token_name(item))?;
            }
        }
        Ok(())
    }

    /// Reads one of several alternatives, the first that fits, and returns a list for each of them. If none fits, the
    /// error is that of the alternative that got furthest.
    fn read_alternatives(&mut self, children: &[BlockId], scope: &ValueScope<'_>) -> ReadResult<Vec<Value>> {
        let (at, depth) = (self.at, self.path.len());
        let mut furthest: Option<(usize, Diagnostic)> = None;
        for (i, child) in children.iter().enumerate() {
            if !self.can_start_block(*child) {
                continue;
            }
            self.path.extend([self.format.block(*child).slot, 0]);
            let mut chosen = self.new_instances(*child, 1);
            match self.read_block(*child, Some(scope), chosen.begin_instance()) {
                Ok(()) => {
                    self.path.truncate(depth);
                    let mut lists: Vec<InstanceList> = children.iter().map(|c| self.new_instances(*c, 0)).collect();
                    lists[i] = chosen;
                    return Ok(lists.into_iter().map(Value::Instances).collect());
                }
                Err(problem) => {
                    if furthest.as_ref().is_none_or(|(reached, _)| *reached < self.at) {
                        furthest = Some((self.at, problem));
                    }
                    (self.at, self.tokens) = (at, 0);
                    self.path.truncate(depth);
                }
            }
        }
        Err(match furthest {
            Some((reached, problem)) if reached > at => problem,
            _ => self.unexpected_input_error("expected one of the alternatives of `either`"),
        })
    }

    /// Returns true if a block can start here. Most alternatives differ at their start, and checking it is cheaper
    /// than building a diagnostic for what follows.
    fn can_start_block(&self, block: BlockId) -> bool {
        let Some(LayoutItem::Line(parts)) = self.format.block(block).items.first() else { return true };
        let Some(LinePart { token: LineToken::Literal(text), .. }) = parts.first() else { return true };
        let rest = &self.bytes[self.at..];
        let glued = parts.get(1).is_some_and(|part| part.is_glued);
        rest.starts_with(text) && (glued || rest.get(text.len()).is_none_or(u8::is_ascii_whitespace))
    }

    fn new_instances(&self, block: BlockId, capacity: usize) -> InstanceList {
        InstanceList::with_capacity(self.format.block(block).slots, capacity)
    }

    fn read_instances(&mut self, child: BlockId, scope: &ValueScope<'_>) -> ReadResult<InstanceList> {
        let count = match &self.format.block(child).count {
            InstanceCount::Until { range, sentinel } => {
                return self.read_until_sentinel(child, *range, sentinel.as_deref(), scope);
            }
            InstanceCount::Times(count) => {
                value::evaluate_number(count, scope).map_err(|_| self.unknown_size_error())?
            }
            InstanceCount::Conditional(comparisons) => {
                i128::from(comparisons.iter().all(|c| validate::is_comparison_true(c, scope)))
            }
            InstanceCount::Alternative => 0,
        };
        // The count may be wrong. Each slot takes some bytes, or the limit of empty repetitions is soon reached.
        let most = (self.bytes.len() - self.at) / self.format.block(child).slots.max(1);
        let capacity = usize::try_from(count).unwrap_or(usize::MAX).min(most);
        let mut list = self.new_instances(child, capacity);
        for i in 0..count {
            if i > 0 {
                self.read_separator(child)?;
            }
            self.read_instance(child, scope, &mut list)?;
        }
        Ok(list)
    }

    fn read_instance(&mut self, child: BlockId, scope: &ValueScope<'_>, list: &mut InstanceList) -> ReadResult<()> {
        let before = self.at;
        self.path.push(list.len());
        self.read_block(child, Some(scope), list.begin_instance())?;
        self.path.pop();
        self.count_empty_repetition(before)
    }

    /// Reads instances up to the line that terminates them, or up to the end of the input.
    #[expect(clippy::expect_used, reason = "`split` yields at least one part")]
    fn read_until_sentinel(
        &mut self,
        child: BlockId,
        range: Interval,
        sentinel: Option<&[u8]>,
        scope: &ValueScope<'_>,
    ) -> ReadResult<InstanceList> {
        let mut list = self.new_instances(child, 0);
        loop {
            let rest = &self.bytes[self.at..];
            let line = rest.split(|b| *b == b'\n').next().expect("a split has a first part");
            let ended = sentinel.map_or(rest.is_empty(), |s| s == line);
            if ended && (list.len() as i128) < range.lo || !ended && list.len() as i128 >= range.hi {
                let span = Span::new(self.at, self.at + line.len());
                let message =
                    format!("there are {} repetitions here than allowed", if ended { "fewer" } else { "more" });
                return Err(self.with_place(
                    Diagnostic::error("repetitions", span, message).with_caret(format!("{}..{}", range.lo, range.hi)),
                ));
            }
            if ended {
                self.at += sentinel.map_or(0, <[u8]>::len);
                if sentinel.is_some() {
                    self.read_end_of_line(|_| "the line that ends the repetition".to_owned())?;
                }
                return Ok(list);
            }
            if !list.is_empty() {
                self.read_separator(child)?;
                self.check_goes_on(child, sentinel)?;
            }
            self.read_instance(child, scope, &mut list)?;
        }
    }

    /// Reads the line between two instances, if their block has one.
    fn read_separator(&mut self, block: BlockId) -> ReadResult<()> {
        let Some(line) = self.format.block(block).separator.as_deref() else { return Ok(()) };
        let rest = &self.bytes[self.at..];
        if !rest.starts_with(line) || rest.get(line.len()).is_none_or(|b| *b != b'\n') {
            let what = describe_line(line);
            return Err(self.unexpected_input_error(&format!("expected {what} before the next repetition")));
        }
        self.at += line.len() + 1;
        Ok(())
    }

    /// Checks that a repetition follows a separator, not the end of all repetitions.
    fn check_goes_on(&self, block: BlockId, sentinel: Option<&[u8]>) -> ReadResult<()> {
        let Some(line) = self.format.block(block).separator.as_deref() else { return Ok(()) };
        let rest = &self.bytes[self.at..];
        let ended = match sentinel {
            None => rest.is_empty(),
            Some(end) => rest.strip_prefix(end).is_some_and(|after| after.first() == Some(&b'\n')),
        };
        if !ended {
            return Ok(());
        }
        let (start, what) = (self.at - line.len() - 1, describe_line(line));
        let problem = Diagnostic::error(
            "separator",
            Span::new(start, self.at),
            format!("there is {what} after the last repetition"),
        );
        Err(self.with_place(problem.with_caret("expected only between two repetitions")))
    }

    fn count_empty_repetition(&mut self, before: usize) -> ReadResult<()> {
        self.empty_repetitions += usize::from(self.at == before);
        if self.empty_repetitions <= MAX_EMPTY_REPETITIONS {
            return Ok(());
        }
        Err(Diagnostic::error("too-many", Span::new(self.at, self.at), "too many empty repetitions")
            .with_caret("the count before this is too large"))
    }

    /// Reads parts of a line of an instance; its slots begin with `first`.
    fn read_line(
        &mut self,
        parts: &[LinePart],
        (block, first): (BlockId, usize),
        slots: &mut Vec<Value>,
        outer: Option<&ValueScope<'_>>,
    ) -> ReadResult<()> {
        for (i, part) in parts.iter().enumerate() {
            // Glued parts have no space between them; the part after them needs one again.
            self.tokens = if part.is_glued { 0 } else { self.tokens };
            let glued = parts.get(i + 1).is_some_and(|p| p.is_glued);
            match &part.token {
                LineToken::Literal(text) => {
                    self.read_space(|_| quote_bytes(text))?;
                    self.read_literal(text, glued)?;
                }
                LineToken::Field(field) => {
                    self.path.push(slots.len() - first);
                    let known = InstanceSlots::Known(&slots[first..]);
                    let scope = ValueScope::new(self.format, block, known, outer);
                    let leaf = self.read_leaf(*field, glued, &scope)?;
                    self.path.pop();
                    slots.push(leaf);
                }
            }
            self.tokens += usize::from(part.is_glued);
        }
        Ok(())
    }

    /// Returns the name of the last token on the line that an item ends.
    fn last_token_name(&self, item: &LayoutItem) -> String {
        match item {
            LayoutItem::Line(parts) => match parts.last().map(|part| &part.token) {
                Some(LineToken::Field(field)) => self.quoted_name(*field),
                Some(LineToken::Literal(text)) => quote_bytes(text),
                None => String::new(),
            },
            LayoutItem::Block(child) => {
                self.format.block(*child).items.last().map_or_else(String::new, |i| self.last_token_name(i))
            }
            LayoutItem::Rows(_) | LayoutItem::Either(_) => String::new(),
        }
    }

    /// Reads a literal; a token ends with it unless more is glued to it.
    fn read_literal(&mut self, text: &[u8], glued: bool) -> ReadResult<()> {
        let rest = &self.bytes[self.at..];
        let ends = rest.get(text.len()).is_none_or(u8::is_ascii_whitespace);
        if !rest.starts_with(text) || !glued && !ends {
            return Err(self.unexpected_input_error(&format!("expected {}", quote_bytes(text))));
        }
        self.at += text.len();
        Ok(())
    }

    fn read_leaf(&mut self, field: FieldId, glued: bool, scope: &ValueScope<'_>) -> ReadResult<Value> {
        let info = self.format.field(field);
        if !info.is_scalar() {
            return self.read_dimensions(field, 0, if glued { RowEnd::Glued } else { RowEnd::Space }, scope);
        }
        self.read_space(|reader| reader.quoted_name(field))?;
        let number = self.read_field_number(field)?;
        if !info.range.contains_value(number) {
            return Err(self.out_of_range_error(field, number));
        }
        Ok(Value::Int(number))
    }

    /// Reads the dimensions of a field from this one on. `end` is what follows each row.
    fn read_dimensions(
        &mut self,
        field: FieldId,
        dimension: usize,
        end: RowEnd,
        scope: &ValueScope<'_>,
    ) -> ReadResult<Value> {
        if dimension + 1 == self.format.field(field).dimensions.len() {
            let row = self.read_row(field, dimension, end == RowEnd::Glued, scope)?;
            if end == RowEnd::Line {
                self.read_end_of_line(|reader| reader.quoted_name(field))?;
            }
            return Ok(row);
        }
        let count = self.size_of(field, dimension, scope)?;
        let mut rows = Vec::with_capacity(count.min(self.bytes.len() - self.at));
        for i in 0..count {
            let before = self.at;
            self.path.push(i);
            rows.push(self.read_dimensions(field, dimension + 1, end, scope)?);
            self.path.pop();
            self.count_empty_repetition(before)?;
        }
        Ok(Value::List(rows))
    }

    fn size_of(&self, field: FieldId, dimension: usize, scope: &ValueScope<'_>) -> ReadResult<usize> {
        let size = value::dimension_size(field, dimension, scope);
        size.ok().flatten().ok_or_else(|| self.unknown_size_error())
    }

    /// Reads the innermost dimension of a field: a row of numbers, or the characters of a text.
    fn read_row(&mut self, field: FieldId, dimension: usize, glued: bool, scope: &ValueScope<'_>) -> ReadResult<Value> {
        let info = self.format.field(field);
        let count = match info.dimensions.get(dimension) {
            Some(FieldDimension::Size(_)) => Some(self.size_of(field, dimension, scope)?),
            _ => None,
        };
        if let Some(letters) = info.alphabet() {
            self.read_space(|reader| reader.quoted_name(field))?;
            return self.read_text(field, letters, count, glued).map(Value::Text);
        }
        let Some(count) = count else { return self.read_number_list(field) };
        let mut numbers = Vec::with_capacity(count.min(self.bytes.len() - self.at));
        for _ in 0..count {
            self.read_space(|reader| reader.quoted_name(field))?;
            numbers.push(self.read_field_number(field)?);
        }
        Ok(Value::Ints(numbers))
    }

    /// Reads numbers up to the end of the line.
    fn read_number_list(&mut self, field: FieldId) -> ReadResult<Value> {
        let mut numbers = Vec::new();
        while !matches!(self.bytes.get(self.at), None | Some(b'\n')) {
            self.read_space(|reader| reader.quoted_name(field))?;
            numbers.push(self.read_field_number(field)?);
        }
        Ok(Value::Ints(numbers))
    }

    fn read_field_number(&mut self, field: FieldId) -> ReadResult<i128> {
        let format = self.format;
        match &format.field(field).kind {
            FieldKind::Number | FieldKind::Text(_) => self.read_number(field),
            FieldKind::Real(decimals) => self.read_real(field, *decimals),
            FieldKind::Words(words) => self.read_word_choice(field, words),
        }
    }

    /// Reads one of a field's words; the longest match, if more is glued to it.
    fn read_word_choice(&mut self, field: FieldId, words: &[Vec<u8>]) -> ReadResult<i128> {
        let rest = &self.bytes[self.at..];
        let whole = |word: &&(usize, &Vec<u8>)| rest.get(word.1.len()).is_none_or(u8::is_ascii_whitespace);
        let here: Vec<(usize, &Vec<u8>)> = words.iter().enumerate().filter(|(_, w)| rest.starts_with(w)).collect();
        let found = here.iter().find(whole).or_else(|| here.iter().max_by_key(|(_, w)| w.len()));
        let Some((number, word)) = found else {
            let known: Vec<String> = words.iter().take(8).map(|w| quote_bytes(w)).collect();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            return Err(self.unexpected_input_error(&format!(
                "expected {}: {}",
                self.quoted_name(field),
                list_or(&known)
            )));
        };
        self.at += word.len();
        Ok(*number as i128)
    }

    /// Reads a real, multiplied by ten to its maximum number of decimals.
    fn read_real(&mut self, field: FieldId, decimals: DecimalPlaces) -> ReadResult<i128> {
        let start = self.at;
        let negative = self.bytes.get(start) == Some(&b'-');
        let whole = self.read_integer_part(field, start + usize::from(negative))?;
        let mut end = self.at;
        let mut number = whole;
        let mut places = 0;
        if self.bytes.get(end) == Some(&b'.') {
            end += 1;
            while let Some(digit) = self.bytes.get(end).filter(|b| b.is_ascii_digit()) {
                places += 1;
                if places <= decimals.max {
                    number = number.saturating_mul(10).saturating_add(i128::from(digit - b'0'));
                }
                end += 1;
            }
        }
        let point = end > self.at;
        if places < decimals.min || places > decimals.max || point && places == 0 {
            let problem = Diagnostic::error(
                "decimals",
                Span::new(start, end),
                format!("{} has {places} digits after the point here", self.quoted_name(field)),
            );
            let expected = match (decimals.min, decimals.max) {
                (least, most) if least == most => format!("expected {least}"),
                (least, most) => format!("expected {least} to {most}"),
            };
            return Err(self.with_place(problem.with_caret(expected)));
        }
        let scale = 10_i128.checked_pow(decimals.max - places).unwrap_or(i128::MAX);
        let number = number.saturating_mul(scale);
        if number > MAX_NUMBER {
            return Err(self.with_place(number_too_large_error(start, end)));
        }
        if negative && number == 0 {
            return Err(self.leading_zero_error(start, end));
        }
        self.at = end;
        Ok(if negative { -number } else { number })
    }

    /// Reads the digits before a decimal point.
    fn read_integer_part(&mut self, field: FieldId, first: usize) -> ReadResult<i128> {
        let sign = self.at;
        let digits = self.bytes[first.min(self.bytes.len())..].iter().take_while(|b| b.is_ascii_digit()).count();
        let end = first + digits;
        if digits == 0 {
            return Err(self.missing_number_error(field));
        }
        if self.bytes[first] == b'0' && digits > 1 {
            return Err(self.leading_zero_error(sign, end));
        }
        self.at = end;
        Ok(self.parse_long_number(first, end).min(MAX_NUMBER))
    }

    fn read_space(&mut self, what: impl FnOnce(&Self) -> String) -> ReadResult<()> {
        self.tokens += 1;
        if self.tokens == 1 {
            return Ok(());
        }
        match self.bytes.get(self.at) {
            Some(b' ') => {
                self.at += 1;
                Ok(())
            }
            _ => Err(self.unexpected_input_error(&format!("expected a space and {}", what(self)))),
        }
    }

    fn read_number(&mut self, field: FieldId) -> ReadResult<i128> {
        let start = self.at;
        let negative = self.bytes.get(start) == Some(&b'-');
        let first = start + usize::from(negative);
        let mut end = first;
        let mut small: u64 = 0;
        while let Some(digit) = self.bytes.get(end).filter(|b| b.is_ascii_digit()) {
            small = small.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
            end += 1;
        }
        let digits = end - first;
        if digits == 0 {
            return Err(self.missing_number_error(field));
        }
        if self.bytes[first] == b'0' && (digits > 1 || negative) {
            return Err(self.leading_zero_error(start, end));
        }
        let magnitude = if digits < 20 { i128::from(small) } else { self.parse_long_number(first, end) };
        if magnitude > MAX_NUMBER {
            return Err(self.with_place(number_too_large_error(start, end)));
        }
        self.at = end;
        Ok(if negative { -magnitude } else { magnitude })
    }

    #[expect(clippy::expect_used, reason = "only digits are passed")]
    fn parse_long_number(&self, first: usize, end: usize) -> i128 {
        let text = std::str::from_utf8(&self.bytes[first..end]).expect("digits are text");
        // A number too large even for this type is reported as too large.
        text.parse().unwrap_or(i128::MAX)
    }

    fn read_text(
        &mut self,
        field: FieldId,
        letters: &[u8],
        count: Option<usize>,
        glued: bool,
    ) -> ReadResult<TextBytes> {
        let start = self.at;
        let rest = &self.bytes[start..];
        // A glued text ends at its length, or at the first character outside its alphabet.
        let spaces = letters.contains(&b' ');
        let ends = |b: &u8| *b == b' ' && !spaces || *b == b'\n' || glued && count.is_none() && !letters.contains(b);
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        let length = if glued { length.min(count.unwrap_or(length)) } else { length };
        let token = &rest[..length.min(count.unwrap_or(length))];
        if let Some(bad) = token.iter().position(|b| !letters.contains(b)) {
            return Err(self.bad_letter_error(field, letters, start + bad));
        }
        if let Some(count) = count.filter(|c| *c != length) {
            let (first, caret) = match count.checked_sub(length) {
                Some(missing) => (start, format!("{missing} too few")),
                None => (start + count, "too many".to_owned()),
            };
            let message = format!("{} has {length} characters here, not {count}", self.quoted_name(field));
            let problem = Diagnostic::error("text-length", Span::new(first, start + length), message);
            return Err(self.with_place(problem.with_caret(caret)));
        }
        self.at += length;
        Ok(token.into())
    }

    fn read_end_of_line(&mut self, after: impl FnOnce(&Self) -> String) -> ReadResult<()> {
        if self.bytes.get(self.at) == Some(&b'\n') {
            self.at += 1;
            self.tokens = 0;
            return Ok(());
        }
        let after = after(self);
        let after = if after.is_empty() { String::new() } else { format!(" after {after}") };
        Err(self.unexpected_input_error(&format!("expected the end of the line{after}")))
    }

    fn quoted_name(&self, field: FieldId) -> String {
        format!("`{}`", self.format.field(field).name)
    }

    /// Adds the place in terms of the format to a diagnostic.
    fn with_place(&self, problem: Diagnostic) -> Diagnostic {
        let place = value::describe_place(self.format, &self.path, None);
        if place.is_empty() { problem } else { problem.with_note(format!("in {place}")) }
    }

    fn unexpected_input_error(&self, expected: &str) -> Diagnostic {
        let here = Span::new(self.at, (self.at + 1).min(self.bytes.len()));
        let problem = match self.bytes.get(self.at) {
            None if expected.contains("end of the line") => {
                Diagnostic::error("no-newline", here, "the last line does not end with a newline")
            }
            None => Diagnostic::error("too-short", here, "the input ends too early"),
            Some(b'\n') if self.at == 0 || self.bytes[self.at - 1] == b'\n' => {
                Diagnostic::error("short-line", here, "there is an empty line")
                    .with_help("a format describes an empty line by `\"\"` on a line of its own")
            }
            Some(b'\n') => Diagnostic::error("short-line", here, "the line ends too early"),
            Some(b'\r') => Diagnostic::error("carriage-return", here, "the line ends with a carriage return (CRLF)")
                .with_help("convert the file to Unix line ends"),
            Some(b' ') if expected.contains("end of the line") && !self.rest_of_line().is_empty() => {
                let rest = self.rest_of_line();
                let message = format!("there is more on this line: `{}`", shorten_text(rest, 20));
                let start = self.bytes.len() - self.bytes[self.at..].trim_ascii_start().len();
                Diagnostic::error("unexpected-text", Span::new(start, start + rest.len()), message)
            }
            Some(b' ') => Diagnostic::error("extra-space", here, "there is an extra space"),
            Some(b'\t') => {
                Diagnostic::error("tab", here, "there is a tab").with_help("tokens are separated by single spaces")
            }
            Some(b'+') => Diagnostic::error("plus", here, "numbers are written without a `+` sign"),
            Some(_) => {
                let word = self.next_word();
                Diagnostic::error(
                    "unexpected-text",
                    Span::new(self.at, self.at + word.len()),
                    format!("`{}` is not expected here", shorten_text(word, 20)),
                )
            }
        };
        self.with_place(problem.with_caret(expected.to_owned()))
    }

    fn missing_number_error(&self, field: FieldId) -> Diagnostic {
        self.unexpected_input_error(&format!("expected {}, a number", self.quoted_name(field)))
    }

    /// Returns the bytes up to the end of the line, without the white space around them.
    fn rest_of_line(&self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        rest[..rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())].trim_ascii()
    }

    /// Returns the bytes up to the next white space; at least one byte.
    fn next_word(&self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len()).max(1);
        &rest[..length.min(rest.len())]
    }

    fn leading_zero_error(&self, start: usize, end: usize) -> Diagnostic {
        let text = shorten_text(&self.bytes[start..end], 20);
        let message = if text == "-0" {
            "zero is written without a sign".to_owned()
        } else {
            format!("`{text}` has a leading zero")
        };
        self.with_place(
            Diagnostic::error("leading-zero", Span::new(start, end), message).with_caret("not a canonical number"),
        )
    }

    fn bad_letter_error(&self, field: FieldId, letters: &[u8], at: usize) -> Diagnostic {
        let found = shorten_text(&self.bytes[at..=at], 4);
        let problem = Diagnostic::error(
            "bad-letter",
            Span::new(at, at + 1),
            format!("`{found}` is not one of the letters of {}", self.quoted_name(field)),
        );
        let problem = match self.bytes[at] {
            b'\r' => problem.with_help("the line ends with a carriage return: convert the file to Unix line ends"),
            _ => problem,
        };
        self.with_place(problem.with_caret(format!("expected one of \"{}\"", shorten_text(letters, 40))))
    }

    /// Reports a number out of range. Sizes are checked immediately, as a wrong one would only lead to confusing
    /// errors later.
    fn out_of_range_error(&self, field: FieldId, number: i128) -> Diagnostic {
        let info = self.format.field(field);
        let text = |number| info.format_number(number);
        let start = self.bytes[..self.at].iter().rposition(u8::is_ascii_whitespace).map_or(0, |i| i + 1);
        let (lo, hi) = (text(info.range.lo), text(info.range.hi));
        let message = format!("{} = {} is outside {lo}..{hi}", self.quoted_name(field), text(number));
        let caret = if number > info.range.hi { "too large" } else { "too small" };
        let length = text(number).len();
        let span = Span::new(start.max(self.at.saturating_sub(length)), self.at);
        self.with_place(Diagnostic::error("out-of-range", span, message).with_caret(caret))
    }

    fn unknown_size_error(&self) -> Diagnostic {
        self.with_place(
            Diagnostic::error("bad-size", Span::new(self.at, self.at), "the size of the next part cannot be computed")
                .with_caret("computed from the numbers above"),
        )
    }

    fn trailing_input_error(&self) -> Diagnostic {
        let rest = &self.bytes[self.at..];
        let blank = rest.iter().all(u8::is_ascii_whitespace);
        let message =
            if blank { "there are blank lines or spaces after the end" } else { "there is more input after the end" };
        Diagnostic::error("trailing-input", Span::new(self.at, self.at + self.next_word().len()), message)
            .with_caret("nothing is expected here")
    }
}

fn number_too_large_error(start: usize, end: usize) -> Diagnostic {
    Diagnostic::error("too-large", Span::new(start, end), "this number is too large").with_caret("more than 36 digits")
}

/// Returns the words for a line that separates repetitions.
fn describe_line(line: &[u8]) -> String {
    if line.is_empty() { "an empty line".to_owned() } else { format!("a line {}", quote_bytes(line)) }
}

fn quote_bytes(text: &[u8]) -> String {
    format!("`{}`", shorten_text(text, 20))
}
