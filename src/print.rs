//! Value tree to bytes.
//!
//! Tokens of a line are separated by single spaces, each line ends with a newline, and there is nothing else: the
//! strict form that judges use. `read` accepts exactly what is printed here.

use crate::format::{BlockId, Count, Field, Format, Item, Kind, Part, Tape, Token, push_number};
use crate::value::{Instances, Value};
use std::ops::Range;

/// The bytes of a value. A value that does not fit the format prints as far as it does.
pub fn print(format: &Format, value: &Value) -> Vec<u8> {
    let mut printer = Printer { format, out: Vec::with_capacity(room(value)), mark: None };
    printer.block(BlockId(0), value.slots(), &mut Vec::new());
    printer.out
}

/// About as many bytes as a value takes, as far as that can be told without a look at every line of it.
fn room(value: &Value) -> usize {
    const BYTES: usize = 8;
    match value {
        Value::Int(_) => BYTES,
        Value::Ints(numbers) => BYTES * numbers.len(),
        Value::Text(letters) => letters.len() + 1,
        Value::List(parts) | Value::Block(parts) => parts.iter().map(room).sum(),
        Value::Instances(lines) => BYTES * lines.slots().len(),
    }
}

/// The bytes of the input at which a part of the value stands. `path` is as in [`Value::at`]; `index` picks one
/// number or character of a leaf of several.
pub fn locate(format: &Format, value: &Value, path: &[usize], index: Option<usize>) -> Range<usize> {
    let mark = Mark { path, index, found: None };
    let mut printer = Printer { format, out: Vec::new(), mark: Some(mark) };
    printer.block(BlockId(0), value.slots(), &mut Vec::new());
    printer.mark.and_then(|m| m.found).unwrap_or(0..0)
}

/// Whether the first line of an instance is the line that would end its repetition: then it cannot be told from the end.
pub fn starts_like(format: &Format, block: BlockId, instance: &[Value], sentinel: &[u8]) -> bool {
    let mut printer = Printer { format, out: Vec::new(), mark: None };
    printer.block(block, instance, &mut Vec::new());
    printer.out.split(|b| *b == b'\n').next() == Some(sentinel)
}

/// A place that is looked for while printing.
struct Mark<'a> {
    path: &'a [usize],
    index: Option<usize>,
    found: Option<Range<usize>>,
}

/// A piece of an instance that always stands at the same place of its lines.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Piece {
    /// What is in a slot, and the character behind it.
    Token(usize, u8),
    /// Rows, each of which ends its line.
    Rows(usize),
    /// The end of a line on which nothing stands.
    End,
}

/// The pieces of each instance of a block, if these are lines of whole numbers and texts, side by side.
pub(crate) fn pieces(format: &Format, id: BlockId) -> Option<Vec<Piece>> {
    let block = format.block(id);
    let mut pieces = Vec::new();
    for (i, item) in block.items.iter().enumerate() {
        match item {
            Item::Line(parts) => {
                for (at, part) in parts.iter().enumerate() {
                    let after = if at + 1 < parts.len() { b' ' } else { b'\n' };
                    pieces.push(Piece::Token(plain_slot(format, part, parts.len() == 1)?, after));
                }
                if parts.is_empty() {
                    pieces.push(Piece::End);
                }
            }
            Item::Rows(field) => pieces.push(Piece::Rows(plain_rows(format.field(*field))?)),
            Item::Block(_) | Item::Either(_) => return None,
        }
        if format.ends_line(id, i) != matches!(item, Item::Line(_)) {
            return None;
        }
    }
    block.inline.is_none().then_some(pieces)
}

fn plain_slot(format: &Format, part: &Part, alone: bool) -> Option<usize> {
    let Token::Field(field) = &part.token else { return None };
    let field = format.field(*field);
    let is_plain = match (&field.kind, field.dimensions.len()) {
        (Kind::Number, 0) | (Kind::Text(_), 1) => true,
        // There may be none of them, and then no space either.
        (Kind::Number, 1) => alone,
        _ => false,
    };
    (is_plain && !part.glued).then_some(field.slot)
}

fn plain_rows(field: &Field) -> Option<usize> {
    let is_plain = matches!(field.kind, Kind::Number | Kind::Text(_)) && field.dimensions.len() == 2;
    is_plain.then_some(field.slot)
}

/// Writes the lines of an instance.
pub(crate) fn put(pieces: &[Piece], instance: &[Value], tape: &mut Tape<'_>) {
    for piece in pieces {
        match *piece {
            Piece::Token(slot, after) => put_token(&instance[slot], after, tape),
            Piece::Rows(slot) => put_value(&instance[slot], tape),
            Piece::End => tape.character(b'\n'),
        }
    }
}

#[inline]
fn put_token(value: &Value, after: u8, tape: &mut Tape<'_>) {
    match value {
        Value::Int(number) => tape.number_and(*number, after),
        Value::Text(letters) => tape.characters_and(letters, after),
        other => {
            put_value(other, tape);
            tape.character(after);
        }
    }
}

fn put_value(value: &Value, tape: &mut Tape<'_>) {
    match value {
        Value::Int(number) => tape.number(*number),
        Value::Text(letters) => tape.characters(letters),
        Value::Ints(numbers) => {
            for (i, number) in numbers.iter().enumerate() {
                if i > 0 {
                    tape.character(b' ');
                }
                tape.number(*number);
            }
        }
        Value::List(rows) => {
            for row in rows {
                put_value(row, tape);
                tape.character(b'\n');
            }
        }
        Value::Instances(_) | Value::Block(_) => {}
    }
}

struct Printer<'a> {
    format: &'a Format,
    out: Vec<u8>,
    mark: Option<Mark<'a>>,
}

impl Printer<'_> {
    fn block(&mut self, block: BlockId, instance: &[Value], path: &mut Vec<usize>) {
        self.items(block, instance, path, &mut 0);
    }

    /// The items of an instance; `tokens` stand on the current line already.
    fn items(&mut self, block: BlockId, instance: &[Value], path: &mut Vec<usize>, tokens: &mut usize) {
        let start = self.out.len() + usize::from(*tokens > 0);
        let format = self.format;
        for (i, item) in format.block(block).items.iter().enumerate() {
            match item {
                Item::Line(fields) => self.line(fields, instance, path, tokens),
                Item::Rows(field) => {
                    let slot = format.field(*field).slot;
                    if let Some(rows) = instance.get(slot) {
                        path.push(slot);
                        self.rows(format.field(*field), rows, path);
                        path.pop();
                    }
                }
                Item::Block(child) if format.block(*child).inline.is_some() => {
                    self.on_line(*child, instance, path, tokens);
                }
                Item::Block(child) => self.instances(*child, instance, path),
                Item::Either(children) => children.iter().for_each(|child| self.instances(*child, instance, path)),
            }
            if format.ends_line(block, i) {
                self.out.push(b'\n');
                *tokens = 0;
            }
        }
        self.note(path, start.min(self.out.len()));
    }

    /// Instances that stand on the current line.
    fn on_line(&mut self, child: BlockId, holder: &[Value], path: &mut Vec<usize>, tokens: &mut usize) {
        let slot = self.format.block(child).slot;
        let Some(list) = holder.get(slot) else { return };
        path.push(slot);
        for (i, instance) in list.as_instances().iter().enumerate() {
            path.push(i);
            self.items(child, instance, path, tokens);
            path.pop();
        }
        path.pop();
    }

    fn instances(&mut self, child: BlockId, holder: &[Value], path: &mut Vec<usize>) {
        let slot = self.format.block(child).slot;
        let Some(list) = holder.get(slot) else { return };
        let list = list.as_instances();
        let pieces = if self.mark.is_none() { pieces(self.format, child) } else { None };
        let whole = pieces.map_or(0, |pieces| self.whole_instances(&pieces, self.format.block(child).slots, list));
        path.push(slot);
        for (i, instance) in list.iter().enumerate().skip(whole) {
            path.push(i);
            self.block(child, instance, path);
            path.pop();
        }
        path.pop();
        if let Count::Until { sentinel: Some(sentinel), .. } = &self.format.block(child).count {
            self.out.extend_from_slice(sentinel);
            self.out.push(b'\n');
        }
    }

    /// Instances as long as they are whole; how many there were.
    fn whole_instances(&mut self, pieces: &[Piece], width: usize, list: &Instances) -> usize {
        let mut tape = Tape::new(&mut self.out);
        let whole = list.iter().take_while(|instance| instance.len() == width);
        let whole = whole.map(|instance| put(pieces, instance, &mut tape)).count();
        tape.flush();
        whole
    }

    /// Whole numbers behind the tokens that a line has already.
    fn numbers(&mut self, numbers: &[i128], tokens: &mut usize) {
        let mut tape = Tape::new(&mut self.out);
        for (i, number) in numbers.iter().enumerate() {
            if *tokens + i > 0 {
                tape.character(b' ');
            }
            tape.number(*number);
        }
        tape.flush();
        *tokens += numbers.len();
    }

    fn line(&mut self, parts: &[Part], instance: &[Value], path: &mut Vec<usize>, tokens: &mut usize) {
        for part in parts {
            if part.glued {
                *tokens = 0;
            }
            match &part.token {
                Token::Literal(text) => {
                    self.space(tokens);
                    self.out.extend_from_slice(text);
                }
                Token::Field(field) => {
                    let field = self.format.field(*field);
                    let Some(value) = instance.get(field.slot) else { continue };
                    path.push(field.slot);
                    self.leaf(field, value, tokens, path);
                    path.pop();
                }
            }
            // What is glued to nothing (an empty array) still stands behind the parts before it.
            *tokens += usize::from(part.glued);
        }
    }

    fn space(&mut self, tokens: &mut usize) {
        if *tokens > 0 {
            self.out.push(b' ');
        }
        *tokens += 1;
    }

    /// A leaf as tokens of the current line, on which `tokens` stand already.
    fn leaf(&mut self, field: &Field, value: &Value, tokens: &mut usize, path: &[usize]) {
        let space = usize::from(*tokens > 0);
        let mut start = self.out.len() + space;
        match value {
            Value::Int(number) => self.token(field, *number, tokens),
            Value::Ints(numbers) if self.mark.is_none() && field.kind == Kind::Number => self.numbers(numbers, tokens),
            Value::Ints(numbers) => {
                start = start.min(self.out.len() + space);
                for (i, number) in numbers.iter().enumerate() {
                    let before = self.out.len() + usize::from(*tokens > 0);
                    self.token(field, *number, tokens);
                    self.note_index(path, i, before, self.out.len());
                }
            }
            Value::Text(letters) => {
                self.space(tokens);
                self.out.extend_from_slice(letters);
                for i in 0..if self.mark.is_some() { letters.len() } else { 0 } {
                    self.note_index(path, i, start + i, start + i + 1);
                }
            }
            Value::List(rows) => {
                for (i, row) in rows.iter().enumerate() {
                    let path = [path, &[i]].concat();
                    self.leaf(field, row, tokens, &path);
                }
            }
            Value::Instances(_) | Value::Block(_) => {}
        }
        self.note(path, start.min(self.out.len()));
    }

    fn token(&mut self, field: &Field, number: i128, tokens: &mut usize) {
        self.space(tokens);
        push_number(&mut self.out, field, number);
    }

    fn rows(&mut self, field: &Field, rows: &Value, path: &mut Vec<usize>) {
        let start = self.out.len();
        for (i, row) in rows.as_list().iter().enumerate() {
            path.push(i);
            if let Value::List(_) = row {
                self.rows(field, row, path);
            } else {
                self.leaf(field, row, &mut 0, path);
                self.out.push(b'\n');
            }
            path.pop();
        }
        self.note(path, start);
    }

    fn note(&mut self, path: &[usize], start: usize) {
        let end = self.out.len();
        if let Some(mark) = self.mark.as_mut().filter(|m| m.index.is_none() && m.path == path) {
            mark.found = Some(start..end);
        }
    }

    fn note_index(&mut self, path: &[usize], index: usize, start: usize, end: usize) {
        if let Some(mark) = self.mark.as_mut().filter(|m| m.index == Some(index) && m.path == path) {
            mark.found = Some(start..end);
        }
    }
}
