//! From a format to a program: what becomes a variable, an array or a loop.

use super::language::{Place, ReaderLanguage, ValueType};
use super::solution_call::SolutionSource;
use super::templates::{program_end, program_start};
use crate::signature::{ParameterType, field_name};
use crate::source_writer::SourceWriter;
use rebut_diagnostics::{Diagnostic, Span, list_and};
use rebut_format::language::{
    ArithmeticOperator, Block, BlockId, BlockKind, Comparison, ComparisonOperator, DeclaredRanges, Expr,
    FieldDimension, FieldId, FieldKind, FoldKind, FoldRange, Format, InstanceCount, LayoutItem, LinePart, LineToken,
    evaluate_range,
};

/// Writes the program, which calls a solution if there is one.
pub(super) fn write_reader(
    format: &Format,
    language: ReaderLanguage,
    echo: bool,
    solution: Option<&SolutionSource<'_>>,
) -> Result<String, Diagnostic> {
    let by_line = language == ReaderLanguage::Python || needs_lines(format);
    let mut writer = ReaderWriter {
        format,
        language,
        by_line,
        echo,
        names: format.fields.iter().map(|field| language.plain_name(&field.name)).collect(),
        sizes: size_fields(format),
        out: SourceWriter::default(),
        loops: Vec::new(),
        arrays: 0,
        span: Span::new(0, 0),
        solution,
    };
    let arguments = writer.find_arguments()?;
    let has_solve = writer.has_cases_only();
    writer.out.append_text(&program_start(language, by_line, echo, has_solve));
    (0..language.body_depth()).for_each(|_| writer.out.begin_block());
    writer.block(BlockId(usize::from(has_solve)), false)?;
    match solution {
        Some(solution) => solution.write_call(language, &arguments, &mut writer.out).map_err(|name| {
            let message = format!("the parameter `{name}` has a type that no array is converted to");
            no_argument(format, message)
        })?,
        None => {
            let what = if has_solve { "case" } else { "problem" };
            writer.out.add_line(language.to_comment(&format!("Solve the {what} here.")));
        }
    }
    let mut text = writer.out.into_text();
    text += &program_end(language, echo, has_solve);
    if text.contains(SKIPPED_WORD) {
        text = text.replacen(CPP_NAMESPACE, &format!("{CPP_NAMESPACE}\nstring word;\n"), 1);
    }
    Ok(solution.map_or(text.clone(), |solution| solution.complete_program(language, &text)))
}

/// Returns the error about a parameter of a solution.
fn no_argument(format: &Format, message: String) -> Diagnostic {
    let names: Vec<String> = format.fields.iter().map(|field| format!("`{}`", field.name)).collect();
    Diagnostic::error("no-argument", Span::new(0, 0), message)
        .with_help(format!("a parameter is read from the field of the same name; there are {}", list_and(&names)))
}

/// Returns true if the ends of lines decide what is read.
fn needs_lines(format: &Format) -> bool {
    let is_open = |block: &Block| matches!(block.count, InstanceCount::Until { .. });
    format.blocks.iter().any(is_open)
        || format.fields.iter().any(|field| match field.alphabet() {
            None => field.has_free_length(),
            Some(_) => field.has_spaces() || text_may_be_empty(format, field),
        })
}

fn text_may_be_empty(format: &Format, field: &rebut_format::language::Field) -> bool {
    match field.dimensions.last() {
        Some(FieldDimension::Size(size)) => evaluate_range(size, &DeclaredRanges(format)).lo < 1,
        _ => field.length.lo < 1,
    }
}

/// Returns the flags of the fields that occur in sizes and counts.
fn size_fields(format: &Format) -> Vec<bool> {
    let mut found = vec![false; format.fields.len()];
    let mut note = |field: FieldId| found[field.0] = true;
    for block in &format.blocks {
        if let InstanceCount::Times(count) = &block.count {
            count.visit_fields(&mut note);
        }
    }
    for field in &format.fields {
        for dimension in &field.dimensions {
            if let FieldDimension::Size(size) = dimension {
                size.visit_fields(&mut note);
            }
        }
    }
    let mut is_size = found;
    for (field, flag) in format.fields.iter().zip(&mut is_size) {
        *flag &= field.kind == FieldKind::Number && field.range.lo >= 0;
    }
    is_size
}

/// How C++ skips a word.
const SKIPPED_WORD: &str = " >> word;";

const CPP_NAMESPACE: &str = "using namespace std;\n";

struct ReaderWriter<'f> {
    format: &'f Format,
    language: ReaderLanguage,
    /// True if lines are read one by one, and their tokens from them.
    by_line: bool,
    echo: bool,
    names: Vec<String>,
    sizes: Vec<bool>,
    out: SourceWriter,
    /// The indices of the loops around the current place.
    loops: Vec<String>,
    /// Number of the innermost loops with fields in arrays.
    arrays: usize,
    /// The place of what is written, for messages.
    span: Span,
    solution: Option<&'f SolutionSource<'f>>,
}

type Written<T = ()> = Result<T, Diagnostic>;

impl ReaderWriter<'_> {
    fn refuse<T>(&self, what: &str) -> Written<T> {
        let message = format!("there is no reader for {what}");
        let help = "write the reader of this part by hand; `rebut format reader` knows plain tokens and lines";
        Err(Diagnostic::error("no-reader", self.span, message).with_help(help))
    }

    /// Returns the variables for the parameters of the solution, each of which has a field of its name and type.
    fn find_arguments(&self) -> Written<Vec<(String, usize)>> {
        let parameters = self.solution.map(|solution| &*solution.signature.parameters).unwrap_or_default();
        let to_variable = |(name, of_type): &(String, ParameterType)| {
            let found = (0..self.format.fields.len()).find(|at| self.format.fields[*at].name == field_name(name));
            let Some(at) = found else {
                return Err(no_argument(self.format, format!("the format has no field `{name}`, a parameter")));
            };
            let field = &self.format.fields[at];
            let is_text = field.alphabet().is_some();
            let around = self.format.blocks_around(field.block).filter(|block| self.is_uniform(*block)).count();
            let rank = around + field.dimensions.len() - usize::from(is_text);
            let is_python = self.language == ReaderLanguage::Python;
            let (inner, depth) = of_type.innermost();
            let (wants_text, wanted) = match inner {
                // In Python, a letter is a text.
                ParameterType::Letter | ParameterType::Text if is_python && depth > 0 && rank + 1 == depth => {
                    (true, rank)
                }
                ParameterType::Letter if !is_python => (true, depth.saturating_sub(1)),
                ParameterType::Letter | ParameterType::Text => (true, depth),
                _ => (false, depth),
            };
            let limit = match inner {
                ParameterType::Int => i128::from(i32::MAX),
                _ => i128::from(i64::MAX),
            };
            let is_large = !is_python && (field.range.hi > limit || field.range.lo < -limit - 1);
            let is_whole = matches!(inner, ParameterType::Int | ParameterType::Long | ParameterType::Bool);
            let is_word = *inner == ParameterType::Letter && depth == 0 && field.length.hi != 1;
            let why = match () {
                () if is_text != wants_text => "is a text for one of them, and a number for the other".to_owned(),
                () if rank != wanted => format!("has {rank} indices in the format, and {wanted} as a parameter"),
                () if !is_text && is_large => "is too large for the type of the parameter".to_owned(),
                () if is_whole && matches!(field.kind, FieldKind::Real(_)) => {
                    "has decimals, and the parameter is a whole number".to_owned()
                }
                () if is_word => "can have more letters than one".to_owned(),
                () => return Ok((self.names[at].clone(), rank)),
            };
            Err(Diagnostic { span: field.span, ..no_argument(self.format, format!("`{name}` {why}")) })
        };
        parameters.iter().map(to_variable).collect()
    }

    /// Returns true if the input is a number of test cases and the cases, and nothing else needs that number.
    fn has_cases_only(&self) -> bool {
        let Some((cases, count)) = self.format.cases_block().zip(self.format.case_count()) else { return false };
        let items = &self.format.block(BlockId(0)).items;
        let is_count = |item: &LayoutItem| match item {
            LayoutItem::Line(parts) => {
                matches!(&**parts, [LinePart { token: LineToken::Field(field), .. }] if *field == count)
            }
            _ => false,
        };
        let is_empty_line = |item: &&LayoutItem| !matches!(item, LayoutItem::Line(parts) if is_empty(parts));
        let shown: Vec<&LayoutItem> = items.iter().filter(is_empty_line).collect();
        let [first, LayoutItem::Block(second)] = &*shown else { return false };
        is_count(first)
            && *second == cases
            && cases == BlockId(1)
            && self.sizes.iter().filter(|size| **size).count() > 0
            && !self.echo_needs_lines(items)
            && !self.mentions_inside(count, cases)
    }

    /// Returns true if the lines around the cases are more than their number: the program of the cases cannot print them.
    fn echo_needs_lines(&self, items: &[LayoutItem]) -> bool {
        items.len() > 2 || self.format.block(BlockId(1)).separator.is_some()
    }

    fn mentions_inside(&self, field: FieldId, block: BlockId) -> bool {
        let mut found = false;
        for (at, inner) in self.format.blocks.iter().enumerate() {
            let is_inside = BlockId(at) != block && self.format.is_within(BlockId(at), block);
            found |= is_inside && inner.count.mentions_field(field);
        }
        for info in self.format.fields.iter().filter(|info| self.format.is_within(info.block, block)) {
            found |=
                info.dimensions.iter().any(|d| matches!(d, FieldDimension::Size(size) if size.mentions_field(field)));
        }
        found
    }

    /// Returns true if the fields of a repetition are stored in arrays: all of its lines are alike.
    fn is_uniform(&self, block: BlockId) -> bool {
        let info = self.format.block(block);
        let is_plain = |id: usize| {
            let inner = &self.format.blocks[id];
            inner.count.times_expr().is_some() && inner.kind != BlockKind::Cases
        };
        info.kind == BlockKind::Repeat
            && (0..self.format.blocks.len()).filter(|id| self.format.is_within(BlockId(*id), block)).all(is_plain)
    }

    /// Writes the items of a block. The text of the first line may have been read already.
    fn block(&mut self, block: BlockId, is_line_read: bool) -> Written {
        let outer_span = std::mem::replace(&mut self.span, self.format.block(block).span);
        let items = self.format.block(block).items.clone();
        let is_inline = self.format.block(block).inline.is_some();
        let mut continues = is_inline;
        for (at, item) in items.iter().enumerate() {
            let is_read = is_line_read && at == 0;
            let ends = self.format.ends_line(block, at);
            match item {
                LayoutItem::Line(parts) => self.add_line(parts, continues, ends, is_read)?,
                LayoutItem::Rows(field) if !is_read => self.rows(*field)?,
                LayoutItem::Block(child) if !is_read => self.child(*child, continues)?,
                LayoutItem::Either(children) => self.alternatives(children, is_read)?,
                _ => return self.refuse("a repetition up to a line that begins with rows or a block"),
            }
            if ends && self.echo {
                self.language.print_literal(None, &mut self.out);
            }
            continues = is_inline || !ends && self.stays_on_line(item);
        }
        self.span = outer_span;
        Ok(())
    }

    /// Returns true if what follows an item is on the same line, unless the line ends after it.
    fn stays_on_line(&self, item: &LayoutItem) -> bool {
        match item {
            LayoutItem::Line(_) => true,
            LayoutItem::Block(child) => self.format.block(*child).inline.is_some(),
            LayoutItem::Rows(_) | LayoutItem::Either(_) => false,
        }
    }

    fn stream(&self) -> &'static str {
        if self.by_line { "in" } else { "cin" }
    }

    fn value_type(&self, field: FieldId) -> ValueType {
        let info = self.format.field(field);
        // A parameter has the type that the solution takes.
        let parameters = self.solution.map(|solution| &*solution.signature.parameters).unwrap_or_default();
        let is_size = self.sizes[field.0] && i32::try_from(info.range.hi).is_ok();
        if let Some((_, of_type)) = parameters.iter().find(|(name, _)| field_name(name) == info.name && !is_size) {
            match of_type.innermost().0 {
                ParameterType::Int => return ValueType::Int,
                ParameterType::Long => return ValueType::Long,
                ParameterType::Real => return ValueType::Real,
                _ => {}
            }
        }
        match info.kind {
            FieldKind::Text(_) | FieldKind::Words(_) => ValueType::Text,
            FieldKind::Real(_) => ValueType::Real,
            FieldKind::Number if self.sizes[field.0] && i32::try_from(info.range.hi).is_ok() => ValueType::Size,
            FieldKind::Number if i32::try_from(info.range.lo).is_ok() && i32::try_from(info.range.hi).is_ok() => {
                ValueType::Int
            }
            FieldKind::Number if i64::try_from(info.range.lo).is_ok() && i64::try_from(info.range.hi).is_ok() => {
                ValueType::Long
            }
            FieldKind::Number => ValueType::Big,
        }
    }

    /// Returns the variable or the element of the arrays where a field is stored.
    fn place(&self, field: FieldId) -> Place {
        let indices: String =
            self.loops[self.loops.len() - self.depth_of(field)..].iter().map(|i| format!("[{i}]")).collect();
        Place {
            text: format!("{}{indices}", self.names[field.0]),
            value: self.value_type(field),
            is_new: indices.is_empty(),
        }
    }

    /// Returns the number of loops around a field with fields in arrays.
    fn depth_of(&self, field: FieldId) -> usize {
        let around = self.format.blocks_around(self.format.field(field).block);
        around.take_while(|block| self.is_uniform(*block)).count().min(self.arrays)
    }

    /// Returns the sizes of a field without the number of letters of a text.
    fn array_sizes(&self, field: FieldId) -> Written<Vec<Option<String>>> {
        let info = self.format.field(field);
        let rank = info.dimensions.len() - usize::from(info.alphabet().is_some());
        info.dimensions[..rank]
            .iter()
            .map(|dimension| match dimension {
                FieldDimension::Size(size) => self.size(size).map(Some),
                FieldDimension::Free => Ok(None),
            })
            .collect()
    }

    // Lines.

    /// Goes to some parts, for errors about them: to the first field without a space before it, or else to the first one.
    fn begin_parts(&mut self, parts: &[LinePart]) -> Written {
        let span = |part: &LinePart| part.field().map(|field| (part.is_glued, self.format.field(field).span));
        let first = parts.iter().filter_map(span).min_by_key(|(is_glued, span)| (!is_glued, span.start));
        self.span = first.map_or(self.span, |(_, span)| span);
        match parts.iter().any(|part| part.is_glued) {
            true => self.refuse("parts without a space between them"),
            false => Ok(()),
        }
    }

    fn add_line(&mut self, parts: &[LinePart], continues: bool, ends: bool, is_read: bool) -> Written {
        self.begin_parts(parts)?;
        if is_empty(parts) {
            if self.by_line && !is_read {
                self.language.skip_line(&mut self.out);
            }
            return Ok(());
        }
        let is_whole = !continues && ends;
        if let [LinePart { token: LineToken::Field(field), .. }] = parts
            && is_whole
            && self.by_line
            && self.value_type(*field) == ValueType::Text
            && self.array_sizes(*field)?.is_empty()
        {
            let place = self.place(*field);
            self.language.read_line(&place, is_read, &mut self.out);
            self.print_field(*field);
            return Ok(());
        }
        if is_whole && !is_read && self.language == ReaderLanguage::Python && self.python_line(parts)? {
            parts.iter().for_each(|part| self.print_part(&part.token));
            return Ok(());
        }
        if self.by_line && !continues {
            self.language.begin_line(is_read, &mut self.out);
        }
        self.tokens(parts)
    }

    /// Writes the statements that read the tokens of a line.
    fn tokens(&mut self, parts: &[LinePart]) -> Written {
        let mut run: Vec<Place> = Vec::new();
        for part in parts {
            match &part.token {
                LineToken::Field(field) if self.array_sizes(*field)?.is_empty() => {
                    let info = self.format.field(*field);
                    if info.alphabet().is_some() && (info.has_spaces() || text_may_be_empty(self.format, info)) {
                        return self.refuse("a text with spaces, or an empty one, beside others on its line");
                    }
                    run.push(self.place(*field));
                }
                token => {
                    self.flush(&mut run);
                    self.other_token(token)?;
                }
            }
        }
        self.flush(&mut run);
        parts.iter().for_each(|part| self.print_part(&part.token));
        Ok(())
    }

    fn flush(&mut self, run: &mut Vec<Place>) {
        if !run.is_empty() {
            self.language.read_values(run, self.stream(), &mut self.out);
            run.clear();
        }
    }

    fn other_token(&mut self, token: &LineToken) -> Written {
        let stream = self.stream();
        match token {
            LineToken::Literal(word) => {
                self.language.skip_token(&String::from_utf8_lossy(word), stream, &mut self.out);
            }
            LineToken::Field(field) => {
                let place = self.place(*field);
                let sizes = self.array_sizes(*field)?;
                match sizes.into_iter().collect::<Option<Vec<String>>>() {
                    Some(sizes) => self.language.read_rows(&place, &sizes, false, stream, &mut self.out),
                    None => self.language.read_rest(&place, stream, &mut self.out),
                }
            }
        }
        Ok(())
    }

    /// Writes the statement that reads a whole line in Python, if it is of a simple form.
    fn python_line(&mut self, parts: &[LinePart]) -> Written<bool> {
        let mut places = Vec::new();
        for part in parts {
            let LineToken::Field(field) = &part.token else { return Ok(false) };
            let sizes = self.array_sizes(*field)?;
            let place = self.place(*field);
            if place.value == ValueType::Text {
                return Ok(false);
            }
            let number = if place.value == ValueType::Real { "float" } else { "int" };
            match &*sizes {
                [] => places.push((place.text, number)),
                [_] if parts.len() == 1 => {
                    self.out.add_line(format!("{} = list(map({number}, input().split()))", place.text));
                    return Ok(true);
                }
                _ => return Ok(false),
            }
        }
        let Some((_, number)) = places.first().cloned() else { return Ok(false) };
        if places.iter().any(|(_, other)| *other != number) {
            return Ok(false);
        }
        let names: Vec<&str> = places.iter().map(|(name, _)| &**name).collect();
        self.out.add_line(match &*names {
            [one] => format!("{one} = {number}(input())"),
            many => format!("{} = map({number}, input().split())", many.join(", ")),
        });
        Ok(true)
    }

    fn rows(&mut self, field: FieldId) -> Written {
        let place = self.place(field);
        let sizes = self.array_sizes(field)?;
        let info = self.format.field(field);
        self.span = info.span;
        if info.alphabet().is_some()
            && (info.has_spaces() || text_may_be_empty(self.format, info))
            && self.language != ReaderLanguage::Python
        {
            return self.refuse("rows of texts with spaces or without letters");
        }
        let rank = sizes.len();
        if let [Some(count), None] = &*sizes {
            self.free_rows(&place, count);
        } else if let Some(sizes) = sizes.into_iter().collect::<Option<Vec<String>>>() {
            self.language.read_rows(&place, &sizes, self.by_line, self.stream(), &mut self.out);
        } else {
            return self.refuse("rows of rows without a length");
        }
        if self.echo {
            self.print_rows(field, &place, rank);
        }
        Ok(())
    }

    /// Returns a name that no field has.
    fn free_name(&self, wanted: &str) -> String {
        crate::names::free_name(wanted, |name| self.names.iter().all(|known| known != name))
    }

    /// Writes the statements that read rows, each up to the end of its line.
    fn free_rows(&mut self, place: &Place, count: &str) {
        let index = self.free_name("row");
        self.language.allocate_rows(place, 2, count, &mut self.out);
        self.language.open_loop(&index, count, &mut self.out);
        self.language.begin_line(false, &mut self.out);
        let row = Place { text: format!("{}[{index}]", place.text), value: place.value, is_new: false };
        self.language.read_rest(&row, self.stream(), &mut self.out);
        self.language.close_block(&mut self.out);
    }

    // The output of `--echo`.

    fn print_part(&mut self, token: &LineToken) {
        match token {
            LineToken::Field(field) => self.print_field(*field),
            LineToken::Literal(word) if self.echo && !word.is_empty() => {
                self.language.print_literal(Some(&String::from_utf8_lossy(word)), &mut self.out);
            }
            LineToken::Literal(_) => {}
        }
    }

    fn print_field(&mut self, field: FieldId) {
        if self.echo {
            let info = self.format.field(field);
            let rank = info.dimensions.len() - usize::from(info.alphabet().is_some());
            let place = self.place(field);
            self.language.print_value(&place.text, place.value, rank, info.decimal_places().max, &mut self.out);
        }
    }

    fn print_rows(&mut self, field: FieldId, place: &Place, rank: usize) {
        let info = self.format.field(field);
        let lines = if info.alphabet().is_some() { rank } else { rank - 1 };
        let mut each = place.text.clone();
        for depth in 0..lines {
            let index = format!("line{depth}");
            let size = self.language.length_of(&each, false);
            self.language.open_loop(&index, &size, &mut self.out);
            each = format!("{each}[{index}]");
        }
        self.language.print_value(&each, place.value, rank - lines, info.decimal_places().max, &mut self.out);
        self.language.print_literal(None, &mut self.out);
        (0..lines).for_each(|_| self.language.close_block(&mut self.out));
    }

    // Blocks.

    fn child(&mut self, child: BlockId, continues: bool) -> Written {
        let block = self.format.block(child);
        self.span = block.span;
        if block.inline.is_some() && !continues && self.by_line {
            self.language.begin_line(false, &mut self.out);
        }
        match block.count.clone() {
            InstanceCount::Times(count) => self.counted(child, &count),
            InstanceCount::Conditional(comparisons) => {
                let conditions = comparisons.iter().map(|c| self.to_condition(c)).collect::<Written<Vec<String>>>()?;
                let joint = if self.language == ReaderLanguage::Python { " and " } else { " && " };
                self.language.open_if(&conditions.join(joint), true, &mut self.out);
                self.block(child, false)?;
                self.language.fill_empty_block(&mut self.out);
                self.language.close_block(&mut self.out);
                Ok(())
            }
            InstanceCount::Until { sentinel, .. } => self.until(child, sentinel.as_deref()),
            InstanceCount::Alternative => self.refuse("an alternative alone"),
        }
    }

    fn counted(&mut self, child: BlockId, count: &Expr) -> Written {
        let size = self.size(count)?;
        let is_uniform = self.is_uniform(child);
        let outer_arrays = self.arrays;
        if is_uniform {
            self.allocate_arrays(child, &size);
            self.arrays += 1;
        } else {
            self.arrays = 0;
        }
        let letters = ["i", "j", "k", "l"];
        let wanted = letters.get(self.loops.len()).copied().unwrap_or("at");
        let index = self.free_name(wanted);
        self.loops.push(index.clone());
        self.language.open_loop(&index, &size, &mut self.out);
        let block = self.format.block(child);
        let separator = block.separator.clone();
        if let Some(line) = &separator
            && (self.by_line || !line.is_empty())
        {
            self.language.open_if(&format!("{index} > 0"), true, &mut self.out);
            self.separator(line);
            self.language.close_block(&mut self.out);
        } else if separator.is_some() && self.echo {
            self.language.open_if(&format!("{index} > 0"), true, &mut self.out);
            self.language.print_literal(None, &mut self.out);
            self.language.close_block(&mut self.out);
        }
        self.block(child, false)?;
        self.language.fill_empty_block(&mut self.out);
        self.language.close_block(&mut self.out);
        self.loops.pop();
        self.arrays = outer_arrays;
        Ok(())
    }

    fn separator(&mut self, line: &[u8]) {
        if self.by_line {
            self.language.skip_line(&mut self.out);
        } else {
            for word in line.split(|byte| *byte == b' ') {
                self.language.skip_token(&String::from_utf8_lossy(word), self.stream(), &mut self.out);
            }
        }
        if self.echo {
            if !line.is_empty() {
                self.language.print_literal(Some(&String::from_utf8_lossy(line)), &mut self.out);
            }
            self.language.print_literal(None, &mut self.out);
        }
    }

    /// Writes the declarations of the arrays of all fields of a repetition.
    fn allocate_arrays(&mut self, child: BlockId, size: &str) {
        for at in 0..self.format.fields.len() {
            let field = FieldId(at);
            let info = self.format.field(field);
            if !self.format.is_within(info.block, child) {
                continue;
            }
            let inner = self.format.blocks_around(info.block).take_while(|block| *block != child).count();
            let own = info.dimensions.len() - usize::from(info.alphabet().is_some());
            let indices: String =
                self.loops[self.loops.len() - self.arrays..].iter().map(|i| format!("[{i}]")).collect();
            let place = Place {
                text: format!("{}{indices}", self.names[at]),
                value: self.value_type(field),
                is_new: self.arrays == 0,
            };
            self.language.allocate_rows(&place, inner + own + 1, size, &mut self.out);
        }
    }

    fn until(&mut self, child: BlockId, sentinel: Option<&[u8]>) -> Written {
        let first = self.format.block(child).items.first();
        let separator = self.format.block(child).separator.clone();
        if separator.is_some() || !matches!(first, Some(LayoutItem::Line(_) | LayoutItem::Either(_))) {
            return self.refuse("a repetition without a count whose first line is not a plain one");
        }
        let end = sentinel.map(|line| String::from_utf8_lossy(line).into_owned());
        let arrays = std::mem::replace(&mut self.arrays, 0);
        self.language.open_line_loop(end.as_deref(), &mut self.out);
        self.block(child, true)?;
        self.language.close_block(&mut self.out);
        self.arrays = arrays;
        if let Some(end) = end.filter(|_| self.echo) {
            self.language.print_literal(Some(&end), &mut self.out);
            self.language.print_literal(None, &mut self.out);
        }
        Ok(())
    }

    fn alternatives(&mut self, children: &[BlockId], is_read: bool) -> Written {
        let mut words: Vec<String> = Vec::new();
        for child in children {
            let word = match self.format.block(*child).items.first() {
                Some(LayoutItem::Line(parts)) => match parts.first().map(|part| &part.token) {
                    Some(LineToken::Literal(word)) if parts.get(1).is_none_or(|next| !next.is_glued) => {
                        String::from_utf8_lossy(word).into_owned()
                    }
                    _ => return self.refuse("alternatives that do not begin with a word or a number"),
                },
                _ => return self.refuse("alternatives that begin with a block"),
            };
            if words.contains(&word) {
                return self.refuse("alternatives that begin alike");
            }
            words.push(word);
        }
        if self.by_line {
            self.language.begin_line(is_read, &mut self.out);
        }
        let kind = self.kind_place(&words);
        self.language.read_values(std::slice::from_ref(&kind), self.stream(), &mut self.out);
        let arrays = std::mem::replace(&mut self.arrays, 0);
        for (at, (child, word)) in children.iter().zip(&words).enumerate() {
            let condition = match kind.value {
                ValueType::Text => self.language.condition_of_words(&kind.text, word, true),
                _ => format!("{} == {word}", kind.text),
            };
            self.language.open_if(&condition, at == 0, &mut self.out);
            self.alternative(*child, word)?;
            self.out.end_block();
        }
        self.arrays = arrays;
        if self.language != ReaderLanguage::Python {
            self.out.add_line("}");
        }
        Ok(())
    }

    /// Returns the variable for the word that decides between alternatives.
    fn kind_place(&self, words: &[String]) -> Place {
        let text = self.free_name("kind");
        let is_number = |word: &String| word.parse::<i32>().is_ok_and(|number| number.to_string() == *word);
        let value = if words.iter().all(is_number) { ValueType::Int } else { ValueType::Text };
        Place { text, value, is_new: true }
    }

    fn alternative(&mut self, child: BlockId, word: &str) -> Written {
        if self.echo {
            self.language.print_literal(Some(word), &mut self.out);
        }
        let items = self.format.block(child).items.clone();
        let Some((LayoutItem::Line(parts), rest)) = items.split_first() else { return self.refuse("this alternative") };
        self.begin_parts(parts)?;
        self.tokens(&parts[1..])?;
        let mut continues = !self.format.ends_line(child, 0);
        if !continues && self.echo {
            self.language.print_literal(None, &mut self.out);
        }
        for (at, item) in rest.iter().enumerate() {
            let ends = self.format.ends_line(child, at + 1);
            match item {
                LayoutItem::Line(parts) => self.add_line(parts, continues, ends, false)?,
                LayoutItem::Rows(field) => self.rows(*field)?,
                LayoutItem::Block(block) => self.child(*block, continues)?,
                LayoutItem::Either(children) => self.alternatives(children, false)?,
            }
            if ends && self.echo {
                self.language.print_literal(None, &mut self.out);
            }
            continues = !ends && self.stays_on_line(item);
        }
        self.language.fill_empty_block(&mut self.out);
        Ok(())
    }

    // Expressions of sizes and conditions.

    fn size(&self, expr: &Expr) -> Written<String> {
        let text = self.expression(expr)?;
        let mut has_signed = false;
        expr.visit_fields(&mut |field| {
            has_signed |= self.value_type(field) != ValueType::Size && self.format.field(field).alphabet().is_none()
        });
        Ok(match self.language {
            ReaderLanguage::Rust if has_signed => format!("({text}) as usize"),
            _ => text,
        })
    }

    fn expression(&self, expr: &Expr) -> Written<String> {
        match expr {
            Expr::Constant(number) => Ok(number.to_string()),
            Expr::Field(field) if self.format.field(*field).is_scalar() => Ok(self.place(*field).text),
            Expr::Length(field) => {
                let is_text = self.format.field(*field).alphabet().is_some();
                Ok(self.language.length_of(&self.place(*field).text, is_text))
            }
            Expr::Element(field, indices)
                if !self.format.indexes_repetitions(*field, indices) && !self.format.picks_row(*field, indices) =>
            {
                let mut text = self.place(*field).text;
                for index in indices {
                    text += &match index {
                        Expr::Constant(number) => format!("[{}]", number - 1),
                        other => format!("[{} - 1]", self.operand(other)?),
                    };
                }
                Ok(text)
            }
            Expr::Binary(operator, left, right) => self.operation(*operator, left, right, expr),
            Expr::Fold(FoldKind::Sum, FoldRange::Elements, inner) => match &**inner {
                Expr::Field(field) if self.format.field(*field).dimensions.len() == 1 => {
                    let place = self.place(*field);
                    Ok(self.language.sum_of(&place.text, place.value))
                }
                _ => self.refuse("a size that is a sum"),
            },
            _ => self.refuse("a size of this form"),
        }
    }

    fn operand(&self, expr: &Expr) -> Written<String> {
        let text = self.expression(expr)?;
        let is_atom = !matches!(expr, Expr::Binary(operator, ..) if !matches!(operator, ArithmeticOperator::Min | ArithmeticOperator::Max));
        Ok(if is_atom { text } else { format!("({text})") })
    }

    fn operation(&self, operator: ArithmeticOperator, left: &Expr, right: &Expr, whole: &Expr) -> Written<String> {
        let sign = match operator {
            ArithmeticOperator::Add => "+",
            ArithmeticOperator::Subtract => "-",
            ArithmeticOperator::Multiply => "*",
            ArithmeticOperator::Divide | ArithmeticOperator::Modulo => {
                if evaluate_range(left, &DeclaredRanges(self.format)).lo < 0 {
                    return self.refuse("a quotient of a number that may be negative");
                }
                match (operator, self.language) {
                    (ArithmeticOperator::Modulo, _) => "%",
                    (_, ReaderLanguage::Python) => "//",
                    _ => "/",
                }
            }
            ArithmeticOperator::Min | ArithmeticOperator::Max => {
                let (a, b) = (self.expression(left)?, self.expression(right)?);
                return Ok(self.language.extreme_of(operator == ArithmeticOperator::Min, &a, &b));
            }
            ArithmeticOperator::Power => {
                let range = evaluate_range(whole, &DeclaredRanges(self.format));
                if range.lo == range.hi {
                    return Ok(range.lo.to_string());
                }
                if let Expr::Constant(2) = left
                    && range.hi < 1 << 30
                {
                    return Ok(format!("(1 << {})", self.operand(right)?));
                }
                return self.refuse("a power");
            }
            _ => return self.refuse("a size of this form"),
        };
        let first = match (operator, left) {
            (ArithmeticOperator::Add | ArithmeticOperator::Subtract, _) => self.expression(left)?,
            _ => self.operand(left)?,
        };
        Ok(format!("{first} {sign} {}", self.operand(right)?))
    }

    fn to_condition(&self, comparison: &Comparison) -> Written<String> {
        let ([left], [right]) = (&*comparison.left, &*comparison.right) else {
            return self.refuse("a condition on tuples");
        };
        if comparison.decimals > 0 {
            return self.refuse("a condition on reals");
        }
        let word = |field: &FieldId, number: i128| {
            let words = self.format.field(*field).word_choices()?;
            words.get(usize::try_from(number).ok()?).map(|word| String::from_utf8_lossy(word).into_owned())
        };
        if let (Expr::Field(field), Expr::Constant(number)) = (left, right)
            && let Some(word) = word(field, *number)
        {
            let is_equal = comparison.sign == ComparisonOperator::Equal;
            return Ok(self.language.condition_of_words(&self.place(*field).text, &word, is_equal));
        }
        let mut has_text = false;
        for side in [left, right] {
            side.visit_fields(&mut |field| has_text |= self.value_type(field) == ValueType::Text);
        }
        if has_text {
            return self.refuse("a condition on texts");
        }
        let sign = if comparison.sign == ComparisonOperator::Equal { "==" } else { comparison.sign.as_str() };
        let side = |expr: &Expr| {
            let text = self.expression(expr)?;
            Ok(match (self.language, expr) {
                (ReaderLanguage::Rust, Expr::Constant(_)) => text,
                (ReaderLanguage::Rust, _)
                    if !matches!((left, right), (_, Expr::Constant(_)) | (Expr::Constant(_), _)) =>
                {
                    format!("({text}) as i128")
                }
                _ => text,
            })
        };
        Ok(format!("{} {sign} {}", side(left)?, side(right)?))
    }
}

fn is_empty(parts: &[LinePart]) -> bool {
    matches!(parts, [LinePart { token: LineToken::Literal(text), .. }] if text.is_empty())
}
