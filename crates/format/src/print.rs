//! The input printer: converts a value tree to bytes.
//!
//! Tokens of a line are separated by single spaces, each line ends with a newline, and there is nothing else: the
//! strict form that judges use. [`crate::read`] accepts exactly this form.
//!
//! ```
//! use rebut_diagnostics::SourceText;
//! use rebut_format::language::Format;
//! use rebut_format::print::print_value;
//! use rebut_format::value::Value;
//!
//! let source = SourceText::new("example", "n; a[n] where 1 <= n <= 8; 0 <= a <= 9");
//! let (format, _) = Format::parse(&source).expect("a valid format");
//! let value = Value::Block(vec![Value::Int(2), Value::Ints(vec![5, 3])]);
//! assert_eq!(print_value(&format, &value), b"2\n5 3\n");
//! ```

use crate::language::{
    BlockId, ByteWriter, Field, FieldKind, Format, InstanceCount, LayoutItem, LinePart, LineToken, push_number,
};
use crate::value::{InstanceList, Value};
use std::ops::Range;

/// Returns the bytes of a value. A value that does not fit the format is printed as far as possible.
pub fn print_value(format: &Format, value: &Value) -> Vec<u8> {
    let mut printer = Printer { format, out: Vec::with_capacity(estimate_bytes(value)), location: None, tokens: 0 };
    printer.print_block(BlockId(0), value.root_slots(), &mut Vec::new());
    printer.out
}

/// Estimates the number of bytes of a value without visiting every line.
fn estimate_bytes(value: &Value) -> usize {
    const ESTIMATED_BYTES_PER_SLOT: usize = 8;
    match value {
        Value::Int(_) => ESTIMATED_BYTES_PER_SLOT,
        Value::Ints(numbers) => ESTIMATED_BYTES_PER_SLOT * numbers.len(),
        Value::Text(letters) => letters.len() + 1,
        Value::List(parts) | Value::Block(parts) => parts.iter().map(estimate_bytes).sum(),
        Value::Instances(lines) => ESTIMATED_BYTES_PER_SLOT * lines.all_slots().len(),
    }
}

/// Returns the byte range of a part of the value. `path` is a path for [`Value::value_at`]; `index` selects one number
/// or character of a leaf with several.
pub fn locate_bytes(format: &Format, value: &Value, path: &[usize], index: Option<usize>) -> Range<usize> {
    let mark = LocatedPart { path, index, found: None };
    let mut printer = Printer { format, out: Vec::new(), location: Some(mark), tokens: 0 };
    printer.print_block(BlockId(0), value.root_slots(), &mut Vec::new());
    printer.location.and_then(|m| m.found).unwrap_or(0..0)
}

/// Returns true if the first line of an instance equals the line that terminates its repetition, which makes the two
/// indistinguishable.
pub fn starts_with_sentinel(format: &Format, block: BlockId, instance: &[Value], sentinel: &[u8]) -> bool {
    let mut printer = Printer { format, out: Vec::new(), location: None, tokens: 0 };
    printer.print_block(block, instance, &mut Vec::new());
    printer.out.split(|b| *b == b'\n').next() == Some(sentinel)
}

/// A part to locate while printing.
struct LocatedPart<'a> {
    path: &'a [usize],
    index: Option<usize>,
    found: Option<Range<usize>>,
}

/// A step of printing an instance with a fixed layout.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PrintStep {
    /// The content of a slot, and the character after it.
    Token(usize, u8),
    /// Rows, each of which ends its line.
    Rows(usize),
    /// The end of an empty line.
    End,
}

/// Returns the steps for each instance of a block, if its lines consist only of integers and texts separated by
/// spaces, and nothing is between the instances.
pub(crate) fn print_steps(format: &Format, id: BlockId) -> Option<Vec<PrintStep>> {
    let block = format.block(id);
    let mut steps = Vec::new();
    for (i, item) in block.items.iter().enumerate() {
        match item {
            LayoutItem::Line(parts) => {
                for (at, part) in parts.iter().enumerate() {
                    let after = if at + 1 < parts.len() { b' ' } else { b'\n' };
                    steps.push(PrintStep::Token(plain_token_slot(format, part, parts.len() == 1)?, after));
                }
                if parts.is_empty() {
                    steps.push(PrintStep::End);
                }
            }
            LayoutItem::Rows(field) => steps.push(PrintStep::Rows(plain_rows_slot(format.field(*field))?)),
            LayoutItem::Block(_) | LayoutItem::Either(_) => return None,
        }
        if format.ends_line(id, i) != matches!(item, LayoutItem::Line(_)) {
            return None;
        }
    }
    (block.inline.is_none() && block.separator.is_none()).then_some(steps)
}

fn plain_token_slot(format: &Format, part: &LinePart, alone: bool) -> Option<usize> {
    let LineToken::Field(field) = &part.token else { return None };
    let field = format.field(*field);
    let is_plain = match (&field.kind, field.dimensions.len()) {
        (FieldKind::Number, 0) | (FieldKind::Text(_), 1) => true,
        // The array may be empty, and then has no space either.
        (FieldKind::Number, 1) => alone,
        _ => false,
    };
    (is_plain && !part.is_glued).then_some(field.slot)
}

fn plain_rows_slot(field: &Field) -> Option<usize> {
    let is_plain = matches!(field.kind, FieldKind::Number | FieldKind::Text(_)) && field.dimensions.len() == 2;
    is_plain.then_some(field.slot)
}

pub(crate) fn print_instance(steps: &[PrintStep], instance: &[Value], writer: &mut ByteWriter<'_>) {
    for step in steps {
        match *step {
            PrintStep::Token(slot, after) => print_token(&instance[slot], after, writer),
            PrintStep::Rows(slot) => print_plain_value(&instance[slot], writer),
            PrintStep::End => writer.write_byte(b'\n'),
        }
    }
}

#[inline]
fn print_token(value: &Value, after: u8, writer: &mut ByteWriter<'_>) {
    match value {
        Value::Int(number) => writer.write_number_then(*number, after),
        Value::Text(letters) => writer.write_bytes_then(letters, after),
        other => {
            print_plain_value(other, writer);
            writer.write_byte(after);
        }
    }
}

fn print_plain_value(value: &Value, writer: &mut ByteWriter<'_>) {
    match value {
        Value::Int(number) => writer.write_number(*number),
        Value::Text(letters) => writer.write_bytes(letters),
        Value::Ints(numbers) => {
            for (i, number) in numbers.iter().enumerate() {
                if i > 0 {
                    writer.write_byte(b' ');
                }
                writer.write_number(*number);
            }
        }
        Value::List(rows) => {
            for row in rows {
                print_plain_value(row, writer);
                writer.write_byte(b'\n');
            }
        }
        Value::Instances(_) | Value::Block(_) => {}
    }
}

struct Printer<'a> {
    format: &'a Format,
    out: Vec<u8>,
    location: Option<LocatedPart<'a>>,
    /// Number of tokens already on the current line.
    tokens: usize,
}

impl Printer<'_> {
    fn print_block(&mut self, block: BlockId, instance: &[Value], path: &mut Vec<usize>) {
        let start = self.out.len() + usize::from(self.tokens > 0);
        let format = self.format;
        for (i, item) in format.block(block).items.iter().enumerate() {
            match item {
                LayoutItem::Line(fields) => self.print_line(fields, instance, path),
                LayoutItem::Rows(field) => {
                    let slot = format.field(*field).slot;
                    if let Some(rows) = instance.get(slot) {
                        path.push(slot);
                        self.print_rows(format.field(*field), rows, path);
                        path.pop();
                    }
                }
                LayoutItem::Block(child) => self.print_instances(*child, instance, path),
                LayoutItem::Either(children) => {
                    children.iter().for_each(|child| self.print_instances(*child, instance, path))
                }
            }
            if format.ends_line(block, i) {
                self.end_line();
            }
        }
        self.record_location(path, start.min(self.out.len()));
    }

    fn end_line(&mut self) {
        self.out.push(b'\n');
        self.tokens = 0;
    }

    fn print_instances(&mut self, child: BlockId, holder: &[Value], path: &mut Vec<usize>) {
        let slot = self.format.block(child).slot;
        let Some(list) = holder.get(slot) else { return };
        let list = list.as_instances();
        let separator = self.format.block(child).separator.as_deref();
        let steps = if self.location.is_none() { print_steps(self.format, child) } else { None };
        let whole =
            steps.map_or(0, |steps| self.print_complete_instances(&steps, self.format.block(child).slots, list));
        path.push(slot);
        for (i, instance) in list.iter().enumerate().skip(whole) {
            if let Some(line) = separator.filter(|_| i > 0) {
                self.out.extend_from_slice(line);
                self.out.push(b'\n');
            }
            path.push(i);
            self.print_block(child, instance, path);
            path.pop();
        }
        path.pop();
        if let InstanceCount::Until { sentinel: Some(sentinel), .. } = &self.format.block(child).count {
            self.out.extend_from_slice(sentinel);
            self.out.push(b'\n');
        }
    }

    /// Prints instances as long as they are complete, and returns their number.
    fn print_complete_instances(&mut self, steps: &[PrintStep], width: usize, list: &InstanceList) -> usize {
        let mut writer = ByteWriter::new(&mut self.out);
        let whole = list.iter().take_while(|instance| instance.len() == width);
        let whole = whole.map(|instance| print_instance(steps, instance, &mut writer)).count();
        writer.flush_buffer();
        whole
    }

    /// Prints integers after the tokens already on the line.
    fn print_numbers(&mut self, numbers: &[i128]) {
        let mut writer = ByteWriter::new(&mut self.out);
        for (i, number) in numbers.iter().enumerate() {
            if self.tokens + i > 0 {
                writer.write_byte(b' ');
            }
            writer.write_number(*number);
        }
        writer.flush_buffer();
        self.tokens += numbers.len();
    }

    fn print_line(&mut self, parts: &[LinePart], instance: &[Value], path: &mut Vec<usize>) {
        for part in parts {
            if part.is_glued {
                self.tokens = 0;
            }
            match &part.token {
                LineToken::Literal(text) => {
                    self.print_space();
                    self.out.extend_from_slice(text);
                }
                LineToken::Field(field) => {
                    let field = self.format.field(*field);
                    let Some(value) = instance.get(field.slot) else { continue };
                    path.push(field.slot);
                    self.print_leaf(field, value, path);
                    path.pop();
                }
            }
            // An empty array prints nothing, but a part glued to it is still preceded by the earlier tokens.
            self.tokens += usize::from(part.is_glued);
        }
    }

    fn print_space(&mut self) {
        if self.tokens > 0 {
            self.out.push(b' ');
        }
        self.tokens += 1;
    }

    /// Prints a leaf as tokens of the current line.
    fn print_leaf(&mut self, field: &Field, value: &Value, path: &[usize]) {
        let space = usize::from(self.tokens > 0);
        let mut start = self.out.len() + space;
        match value {
            Value::Int(number) => self.print_number(field, *number),
            Value::Ints(numbers) if self.location.is_none() && field.kind == FieldKind::Number => {
                self.print_numbers(numbers)
            }
            Value::Ints(numbers) => {
                start = start.min(self.out.len() + space);
                for (i, number) in numbers.iter().enumerate() {
                    let before = self.out.len() + usize::from(self.tokens > 0);
                    self.print_number(field, *number);
                    self.record_element_location(path, i, before, self.out.len());
                }
            }
            Value::Text(letters) => {
                self.print_space();
                self.out.extend_from_slice(letters);
                for i in 0..if self.location.is_some() { letters.len() } else { 0 } {
                    self.record_element_location(path, i, start + i, start + i + 1);
                }
            }
            Value::List(rows) => {
                for (i, row) in rows.iter().enumerate() {
                    let path = [path, &[i]].concat();
                    self.print_leaf(field, row, &path);
                }
            }
            Value::Instances(_) | Value::Block(_) => {}
        }
        self.record_location(path, start.min(self.out.len()));
    }

    fn print_number(&mut self, field: &Field, number: i128) {
        self.print_space();
        push_number(&mut self.out, field, number);
    }

    fn print_rows(&mut self, field: &Field, rows: &Value, path: &mut Vec<usize>) {
        let start = self.out.len();
        for (i, row) in rows.as_list().iter().enumerate() {
            path.push(i);
            if let Value::List(_) = row {
                self.print_rows(field, row, path);
            } else {
                self.print_leaf(field, row, path);
                self.end_line();
            }
            path.pop();
        }
        self.record_location(path, start);
    }

    fn record_location(&mut self, path: &[usize], start: usize) {
        let end = self.out.len();
        if let Some(mark) = self.location.as_mut().filter(|m| m.index.is_none() && m.path == path) {
            mark.found = Some(start..end);
        }
    }

    fn record_element_location(&mut self, path: &[usize], index: usize, start: usize, end: usize) {
        if let Some(mark) = self.location.as_mut().filter(|m| m.index == Some(index) && m.path == path) {
            mark.found = Some(start..end);
        }
    }
}
