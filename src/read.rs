//! Bytes to value tree, strict to the byte: this is the input validator.
//!
//! Reading checks the form (lines, spaces, numbers, letters); [`crate::validate`] checks the constraints. Both
//! tell the place: line and column in the file, and the case, field and index in the words of the format.

use crate::diagnostic::{Diagnostic, Span, list_or, shorten};
use crate::format::{BlockId, Count, Decimals, Dimension, FieldId, Format, Interval, Item, Kind, LARGEST, Part, Token};
use crate::validate;
use crate::value::{self, Characters, Instances, Scope, Slots, Value};

/// Reads an input. Its constraints are not checked yet.
///
/// # Errors
/// The first departure from the form.
pub fn read(format: &Format, bytes: &[u8]) -> Result<Value, Diagnostic> {
    let mut reader = Reader { format, bytes, at: 0, idle: 0, path: Vec::new() };
    let mut slots = Vec::with_capacity(format.block(BlockId(0)).slots);
    reader.block(BlockId(0), None, &mut slots, &mut 0)?;
    if reader.at < bytes.len() {
        return Err(reader.trailing());
    }
    Ok(Value::Block(slots))
}

/// So many repetitions may take no bytes at all; more cannot be a real input, and would take memory without end.
const MOST_IDLE: usize = 1_000_000;

struct Reader<'a> {
    format: &'a Format,
    bytes: &'a [u8],
    at: usize,
    idle: usize,
    path: Vec<usize>,
}

type Read<T> = Result<T, Diagnostic>;

impl<'a> Reader<'a> {
    /// Reads an instance of a block, and puts its slots behind those of the instances before it. So many tokens stand on
    /// the current line already.
    fn block(
        &mut self,
        block: BlockId,
        outer: Option<&Scope<'_>>,
        slots: &mut Vec<Value>,
        tokens: &mut usize,
    ) -> Read<()> {
        let format = self.format;
        let first = slots.len();
        for (i, item) in format.block(block).items.iter().enumerate() {
            let scope = Scope { format, block, slots: Slots::Known(&slots[first..]), outer, variables: &[] };
            match item {
                Item::Line(fields) => self.line(fields, (block, first), slots, outer, tokens)?,
                Item::Rows(field) => {
                    self.path.push(slots.len() - first);
                    let rows = self.rows(*field, 0, &scope)?;
                    self.path.pop();
                    slots.push(rows);
                }
                Item::Block(child) => {
                    self.path.push(slots.len() - first);
                    let list = self.instances(*child, &scope, tokens)?;
                    self.path.pop();
                    slots.push(Value::Instances(list));
                }
                Item::Either(children) => {
                    let lists = self.either(children, &scope)?;
                    slots.extend(lists);
                }
            }
            if format.ends_line(block, i) {
                self.end_of_line(|reader| reader.last_name(item))?;
                *tokens = 0;
            }
        }
        Ok(())
    }

    /// A list for each alternative, of which one has an instance: the first that can be read. If none can, the one that
    /// came furthest tells what is wrong.
    fn either(&mut self, children: &[BlockId], scope: &Scope<'_>) -> Read<Vec<Value>> {
        let (at, depth) = (self.at, self.path.len());
        let mut furthest: Option<(usize, Diagnostic)> = None;
        for (i, child) in children.iter().enumerate() {
            if !self.may_start(*child) {
                continue;
            }
            self.path.extend([self.format.block(*child).slot, 0]);
            let mut chosen = self.no_instances(*child, 1);
            match self.block(*child, Some(scope), chosen.open(), &mut 0) {
                Ok(()) => {
                    self.path.truncate(depth);
                    let mut lists: Vec<Instances> = children.iter().map(|c| self.no_instances(*c, 0)).collect();
                    lists[i] = chosen;
                    return Ok(lists.into_iter().map(Value::Instances).collect());
                }
                Err(problem) => {
                    if furthest.as_ref().is_none_or(|(reached, _)| *reached < self.at) {
                        furthest = Some((self.at, problem));
                    }
                    self.at = at;
                    self.path.truncate(depth);
                }
            }
        }
        Err(match furthest {
            Some((reached, problem)) if reached > at => problem,
            _ => self.unexpected("expected one of the alternatives of `either`"),
        })
    }

    /// Whether what stands here can be the start of a block: most alternatives are told apart by how they start, and
    /// looking at that costs less than a diagnostic of what follows.
    fn may_start(&self, block: BlockId) -> bool {
        let Some(Item::Line(parts)) = self.format.block(block).items.first() else { return true };
        let Some(Part { token: Token::Literal(text), .. }) = parts.first() else { return true };
        let rest = &self.bytes[self.at..];
        let glued = parts.get(1).is_some_and(|part| part.glued);
        rest.starts_with(text) && (glued || rest.get(text.len()).is_none_or(u8::is_ascii_whitespace))
    }

    fn no_instances(&self, block: BlockId, room: usize) -> Instances {
        Instances::with_room(self.format.block(block).slots, room)
    }

    fn instances(&mut self, child: BlockId, scope: &Scope<'_>, tokens: &mut usize) -> Read<Instances> {
        let count = match &self.format.block(child).count {
            Count::Until { range, sentinel } => return self.until(child, *range, sentinel.as_deref(), scope),
            Count::Times(count) => value::number(count, scope).map_err(|_| self.no_size())?,
            Count::When(comparisons) => i128::from(comparisons.iter().all(|c| validate::compares(c, scope))),
            Count::Chosen => 0,
        };
        // A count may be wrong; each slot of what it counts takes some bytes, or is soon too much of nothing.
        let most = (self.bytes.len() - self.at) / self.format.block(child).slots.max(1);
        let room = usize::try_from(count).unwrap_or(usize::MAX).min(most);
        let mut list = self.no_instances(child, room);
        for _ in 0..count {
            self.instance(child, scope, &mut list, tokens)?;
        }
        Ok(list)
    }

    fn instance(&mut self, child: BlockId, scope: &Scope<'_>, list: &mut Instances, tokens: &mut usize) -> Read<()> {
        let before = self.at;
        self.path.push(list.len());
        self.block(child, Some(scope), list.open(), tokens)?;
        self.path.pop();
        self.idle_step(before)
    }

    /// Instances up to the line that ends them, or to the end of the input.
    #[expect(clippy::expect_used, reason = "`split` yields at least one part")]
    fn until(
        &mut self,
        child: BlockId,
        range: Interval,
        sentinel: Option<&[u8]>,
        scope: &Scope<'_>,
    ) -> Read<Instances> {
        let mut list = self.no_instances(child, 0);
        loop {
            let rest = &self.bytes[self.at..];
            let line = rest.split(|b| *b == b'\n').next().expect("a split has a first part");
            let ended = sentinel.map_or(rest.is_empty(), |s| s == line);
            if ended && (list.len() as i128) < range.lo || !ended && list.len() as i128 >= range.hi {
                let span = Span::new(self.at, self.at + line.len());
                let message =
                    format!("there are {} repetitions here than allowed", if ended { "fewer" } else { "more" });
                return Err(self.at_place(
                    Diagnostic::error("repetitions", span, message).caret(format!("{}..{}", range.lo, range.hi)),
                ));
            }
            if ended {
                self.at += sentinel.map_or(0, <[u8]>::len);
                if sentinel.is_some() {
                    self.end_of_line(|_| "the line that ends the repetition".to_owned())?;
                }
                return Ok(list);
            }
            self.instance(child, scope, &mut list, &mut 0)?;
        }
    }

    fn idle_step(&mut self, before: usize) -> Read<()> {
        self.idle += usize::from(self.at == before);
        if self.idle <= MOST_IDLE {
            return Ok(());
        }
        Err(Diagnostic::error("too-many", Span::new(self.at, self.at), "too many repetitions of nothing")
            .caret("the count before this is too large"))
    }

    /// Reads parts of a line of an instance of a block, whose slots begin with the `first`.
    fn line(
        &mut self,
        parts: &[Part],
        (block, first): (BlockId, usize),
        slots: &mut Vec<Value>,
        outer: Option<&Scope<'_>>,
        tokens: &mut usize,
    ) -> Read<()> {
        for (i, part) in parts.iter().enumerate() {
            // Glued parts follow without a space; what follows them needs one again.
            *tokens = if part.glued { 0 } else { *tokens };
            let glued = parts.get(i + 1).is_some_and(|p| p.glued);
            match &part.token {
                Token::Literal(text) => {
                    self.space(tokens, |_| quoted(text))?;
                    self.literal(text, glued)?;
                }
                Token::Field(field) => {
                    self.path.push(slots.len() - first);
                    let known = Slots::Known(&slots[first..]);
                    let scope = Scope { format: self.format, block, slots: known, outer, variables: &[] };
                    let leaf = self.leaf(*field, tokens, glued, &scope)?;
                    self.path.pop();
                    slots.push(leaf);
                }
            }
            *tokens += usize::from(part.glued);
        }
        Ok(())
    }

    /// What stands last on the line that an item ends.
    fn last_name(&self, item: &Item) -> String {
        match item {
            Item::Line(parts) => match parts.last().map(|part| &part.token) {
                Some(Token::Field(field)) => self.name(*field),
                Some(Token::Literal(text)) => quoted(text),
                None => String::new(),
            },
            Item::Block(child) => {
                self.format.block(*child).items.last().map_or_else(String::new, |i| self.last_name(i))
            }
            Item::Rows(_) | Item::Either(_) => String::new(),
        }
    }

    /// Characters that always stand here; unless more is glued to them, a token ends with them.
    fn literal(&mut self, text: &[u8], glued: bool) -> Read<()> {
        let rest = &self.bytes[self.at..];
        let ends = rest.get(text.len()).is_none_or(u8::is_ascii_whitespace);
        if !rest.starts_with(text) || !glued && !ends {
            return Err(self.unexpected(&format!("expected {}", quoted(text))));
        }
        self.at += text.len();
        Ok(())
    }

    fn rows(&mut self, field: FieldId, dimension: usize, scope: &Scope<'_>) -> Read<Value> {
        let count = value::size(field, dimension, scope).ok().flatten().ok_or_else(|| self.no_size())?;
        let last = dimension + 2 == self.format.field(field).dimensions.len();
        let mut rows = Vec::new();
        for i in 0..count {
            let before = self.at;
            self.path.push(i);
            if last {
                rows.push(self.row(field, dimension + 1, &mut 0, false, scope)?);
                self.end_of_line(|reader| reader.name(field))?;
            } else {
                rows.push(self.rows(field, dimension + 1, scope)?);
            }
            self.path.pop();
            self.idle_step(before)?;
        }
        Ok(Value::List(rows))
    }

    fn leaf(&mut self, field: FieldId, tokens: &mut usize, glued: bool, scope: &Scope<'_>) -> Read<Value> {
        let info = self.format.field(field);
        if !info.is_scalar() {
            return self.on_line(field, 0, tokens, glued, scope);
        }
        self.space(tokens, |reader| reader.name(field))?;
        let number = self.numeral(field)?;
        if !info.range.contains(number) {
            return Err(self.out_of_range(field, number));
        }
        Ok(Value::Int(number))
    }

    /// A field that stands on one line, whatever its dimensions.
    fn on_line(
        &mut self,
        field: FieldId,
        dimension: usize,
        tokens: &mut usize,
        glued: bool,
        scope: &Scope<'_>,
    ) -> Read<Value> {
        if dimension + 1 == self.format.field(field).dimensions.len() {
            return self.row(field, dimension, tokens, glued, scope);
        }
        let count = value::size(field, dimension, scope).ok().flatten().ok_or_else(|| self.no_size())?;
        let mut rows = Vec::with_capacity(count.min(self.bytes.len() - self.at));
        for i in 0..count {
            let before = self.at;
            self.path.push(i);
            rows.push(self.on_line(field, dimension + 1, tokens, glued, scope)?);
            self.path.pop();
            self.idle_step(before)?;
        }
        Ok(Value::List(rows))
    }

    /// The innermost dimension of a field: numbers in a row, or characters side by side.
    fn row(
        &mut self,
        field: FieldId,
        dimension: usize,
        tokens: &mut usize,
        glued: bool,
        scope: &Scope<'_>,
    ) -> Read<Value> {
        let info = self.format.field(field);
        let count = match info.dimensions.get(dimension) {
            Some(Dimension::Size(_)) => {
                Some(value::size(field, dimension, scope).ok().flatten().ok_or_else(|| self.no_size())?)
            }
            _ => None,
        };
        if let Some(letters) = info.letters() {
            self.space(tokens, |reader| reader.name(field))?;
            return self.text(field, letters, count, glued).map(Value::Text);
        }
        let Some(count) = count else { return self.list(field, tokens) };
        let mut numbers = Vec::with_capacity(count.min(self.bytes.len() - self.at));
        for _ in 0..count {
            self.space(tokens, |reader| reader.name(field))?;
            numbers.push(self.numeral(field)?);
        }
        Ok(Value::Ints(numbers))
    }

    /// Numbers up to the end of the line.
    fn list(&mut self, field: FieldId, tokens: &mut usize) -> Read<Value> {
        let mut numbers = Vec::new();
        while !matches!(self.bytes.get(self.at), None | Some(b'\n')) {
            self.space(tokens, |reader| reader.name(field))?;
            numbers.push(self.numeral(field)?);
        }
        Ok(Value::Ints(numbers))
    }

    /// A number as its field writes it.
    fn numeral(&mut self, field: FieldId) -> Read<i128> {
        let format = self.format;
        match &format.field(field).kind {
            Kind::Number | Kind::Text(_) => self.number(field),
            Kind::Real(decimals) => self.real(field, *decimals),
            Kind::Words(words) => self.choice(field, words),
        }
    }

    /// One of a field's words. Where more is glued to it, the longest that stands here.
    fn choice(&mut self, field: FieldId, words: &[Vec<u8>]) -> Read<i128> {
        let rest = &self.bytes[self.at..];
        let whole = |word: &&(usize, &Vec<u8>)| rest.get(word.1.len()).is_none_or(u8::is_ascii_whitespace);
        let here: Vec<(usize, &Vec<u8>)> = words.iter().enumerate().filter(|(_, w)| rest.starts_with(w)).collect();
        let found = here.iter().find(whole).or_else(|| here.iter().max_by_key(|(_, w)| w.len()));
        let Some((number, word)) = found else {
            let known: Vec<String> = words.iter().take(8).map(|w| quoted(w)).collect();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            return Err(self.unexpected(&format!("expected {}: {}", self.name(field), list_or(&known))));
        };
        self.at += word.len();
        Ok(*number as i128)
    }

    /// A real, multiplied by ten to the most digits that it can have after the point.
    fn real(&mut self, field: FieldId, decimals: Decimals) -> Read<i128> {
        let start = self.at;
        let negative = self.bytes.get(start) == Some(&b'-');
        let whole = self.number_part(field, start + usize::from(negative))?;
        let mut end = self.at;
        let mut number = whole;
        let mut places = 0;
        if self.bytes.get(end) == Some(&b'.') {
            end += 1;
            while let Some(digit) = self.bytes.get(end).filter(|b| b.is_ascii_digit()) {
                places += 1;
                if places <= decimals.most {
                    number = number.saturating_mul(10).saturating_add(i128::from(digit - b'0'));
                }
                end += 1;
            }
        }
        let point = end > self.at;
        if places < decimals.least || places > decimals.most || point && places == 0 {
            let problem = Diagnostic::error(
                "decimals",
                Span::new(start, end),
                format!("{} has {places} digits after the point here", self.name(field)),
            );
            let expected = match (decimals.least, decimals.most) {
                (least, most) if least == most => format!("expected {least}"),
                (least, most) => format!("expected {least} to {most}"),
            };
            return Err(self.at_place(problem.caret(expected)));
        }
        let scale = 10_i128.checked_pow(decimals.most - places).unwrap_or(i128::MAX);
        let number = number.saturating_mul(scale);
        if number > LARGEST {
            return Err(self.at_place(too_large(start, end)));
        }
        if negative && number == 0 {
            return Err(self.leading_zero(start, end));
        }
        self.at = end;
        Ok(if negative { -number } else { number })
    }

    /// The digits before a point.
    fn number_part(&mut self, field: FieldId, first: usize) -> Read<i128> {
        let sign = self.at;
        let digits = self.bytes[first.min(self.bytes.len())..].iter().take_while(|b| b.is_ascii_digit()).count();
        let end = first + digits;
        if digits == 0 {
            return Err(self.unexpected(&format!("expected {}, a number", self.name(field))));
        }
        if self.bytes[first] == b'0' && digits > 1 {
            return Err(self.leading_zero(sign, end));
        }
        self.at = end;
        Ok(self.long_number(first, end).min(LARGEST))
    }

    fn space(&mut self, tokens: &mut usize, what: impl FnOnce(&Self) -> String) -> Read<()> {
        *tokens += 1;
        if *tokens == 1 {
            return Ok(());
        }
        match self.bytes.get(self.at) {
            Some(b' ') => {
                self.at += 1;
                Ok(())
            }
            _ => Err(self.unexpected(&format!("expected a space and {}", what(self)))),
        }
    }

    fn number(&mut self, field: FieldId) -> Read<i128> {
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
            return Err(self.unexpected(&format!("expected {}, a number", self.name(field))));
        }
        if self.bytes[first] == b'0' && (digits > 1 || negative) {
            return Err(self.leading_zero(start, end));
        }
        let magnitude = if digits < 20 { i128::from(small) } else { self.long_number(first, end) };
        if magnitude > LARGEST {
            return Err(self.at_place(too_large(start, end)));
        }
        self.at = end;
        Ok(if negative { -magnitude } else { magnitude })
    }

    #[expect(clippy::expect_used, reason = "only digits are passed")]
    fn long_number(&self, first: usize, end: usize) -> i128 {
        let text = std::str::from_utf8(&self.bytes[first..end]).expect("digits are text");
        // Too large even for this is refused as too large.
        text.parse().unwrap_or(i128::MAX)
    }

    fn text(&mut self, field: FieldId, letters: &[u8], count: Option<usize>, glued: bool) -> Read<Characters> {
        let start = self.at;
        let rest = &self.bytes[start..];
        // What is glued to it ends a text: at its length, or at the first character that is none of its letters.
        let spaces = letters.contains(&b' ');
        let ends = |b: &u8| *b == b' ' && !spaces || *b == b'\n' || glued && count.is_none() && !letters.contains(b);
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        let length = if glued { length.min(count.unwrap_or(length)) } else { length };
        let token = &rest[..length.min(count.unwrap_or(length))];
        if let Some(bad) = token.iter().position(|b| !letters.contains(b)) {
            return Err(self.bad_letter(field, letters, start + bad));
        }
        if let Some(count) = count.filter(|c| *c != length) {
            let span = if length > count {
                Span::new(start + count, start + length)
            } else {
                Span::new(start, start + length)
            };
            return Err(self.at_place(
                Diagnostic::error(
                    "text-length",
                    span,
                    format!("`{}` has {length} characters here, not {count}", self.format.field(field).name),
                )
                .caret(if length > count {
                    "too many".to_owned()
                } else {
                    format!("{} too few", count - length)
                }),
            ));
        }
        self.at += length;
        Ok(token.into())
    }

    fn end_of_line(&mut self, after: impl FnOnce(&Self) -> String) -> Read<()> {
        if self.bytes.get(self.at) == Some(&b'\n') {
            self.at += 1;
            return Ok(());
        }
        let after = after(self);
        let after = if after.is_empty() { String::new() } else { format!(" after {after}") };
        Err(self.unexpected(&format!("expected the end of the line{after}")))
    }

    fn name(&self, field: FieldId) -> String {
        format!("`{}`", self.format.field(field).name)
    }

    /// Says where in the format's words the reader is.
    fn at_place(&self, problem: Diagnostic) -> Diagnostic {
        let place = value::place(self.format, &self.path, None);
        if place.is_empty() { problem } else { problem.note(format!("in {place}")) }
    }

    fn unexpected(&self, expected: &str) -> Diagnostic {
        let here = Span::new(self.at, (self.at + 1).min(self.bytes.len()));
        let problem = match self.bytes.get(self.at) {
            None if expected.contains("end of the line") => {
                Diagnostic::error("no-newline", here, "the last line does not end with a newline")
            }
            None => Diagnostic::error("too-short", here, "the input ends too early"),
            Some(b'\n') => Diagnostic::error("short-line", here, "the line ends too early"),
            Some(b'\r') => Diagnostic::error("carriage-return", here, "the line ends with a carriage return (CRLF)")
                .help("convert the file to Unix line ends"),
            Some(b' ') => Diagnostic::error("extra-space", here, "there is a space too many"),
            Some(b'\t') => {
                Diagnostic::error("tab", here, "there is a tab").help("tokens are separated by single spaces")
            }
            Some(b'+') => Diagnostic::error("plus", here, "a number has no `+` sign"),
            Some(_) => {
                let word = self.word();
                Diagnostic::error(
                    "unexpected-text",
                    Span::new(self.at, self.at + word.len()),
                    format!("`{}` is not expected here", shorten(word, 20)),
                )
            }
        };
        self.at_place(problem.caret(expected.to_owned()))
    }

    /// What stands here up to the next white space; at least one byte.
    fn word(&self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len()).max(1);
        &rest[..length.min(rest.len())]
    }

    fn leading_zero(&self, start: usize, end: usize) -> Diagnostic {
        let text = shorten(&self.bytes[start..end], 20);
        let message = if text == "-0" { "zero has no sign".to_owned() } else { format!("`{text}` has a leading zero") };
        self.at_place(
            Diagnostic::error("leading-zero", Span::new(start, end), message).caret("not how a number is written"),
        )
    }

    fn bad_letter(&self, field: FieldId, letters: &[u8], at: usize) -> Diagnostic {
        let found = shorten(&self.bytes[at..=at], 4);
        let problem = Diagnostic::error(
            "bad-letter",
            Span::new(at, at + 1),
            format!("`{found}` is not one of the letters of {}", self.name(field)),
        );
        let problem = match self.bytes[at] {
            b'\r' => problem.help("the line ends with a carriage return: convert the file to Unix line ends"),
            _ => problem,
        };
        self.at_place(problem.caret(format!("expected one of \"{}\"", shorten(letters, 40))))
    }

    /// Sizes are checked at once: a wrong one would only lead to confusing errors further on.
    fn out_of_range(&self, field: FieldId, number: i128) -> Diagnostic {
        let info = self.format.field(field);
        let text = |number| info.number_text(number);
        let start = self.bytes[..self.at].iter().rposition(u8::is_ascii_whitespace).map_or(0, |i| i + 1);
        let (lo, hi) = (text(info.range.lo), text(info.range.hi));
        let message = format!("{} = {} is outside {lo}..{hi}", self.name(field), text(number));
        let caret = if number > info.range.hi { "too large" } else { "too small" };
        let length = text(number).len();
        let span = Span::new(start.max(self.at.saturating_sub(length)), self.at);
        self.at_place(Diagnostic::error("out-of-range", span, message).caret(caret))
    }

    fn no_size(&self) -> Diagnostic {
        self.at_place(
            Diagnostic::error("bad-size", Span::new(self.at, self.at), "the size of what follows has no value")
                .caret("computed from the numbers above"),
        )
    }

    fn trailing(&self) -> Diagnostic {
        let rest = &self.bytes[self.at..];
        let blank = rest.iter().all(u8::is_ascii_whitespace);
        let message =
            if blank { "there are blank lines or spaces after the end" } else { "the input goes on after its end" };
        Diagnostic::error("trailing-input", Span::new(self.at, self.at + self.word().len()), message)
            .caret("nothing is expected here")
    }
}

fn too_large(start: usize, end: usize) -> Diagnostic {
    Diagnostic::error("too-large", Span::new(start, end), "this number is too large").caret("more than 36 digits")
}

fn quoted(text: &[u8]) -> String {
    format!("`{}`", shorten(text, 20))
}
