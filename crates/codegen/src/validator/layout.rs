//! The layout of a format as statements that read it.

use super::code::{Binding, Code, long_literal, number_literal, text_literal};
use super::generator::{Before, Generator, Stop, no_counterpart};
use rebut_format::language::{
    ArithmeticOperator, BlockId, BlockKind, ComparisonOperator, ConstraintRule, Expr, FieldDimension, FieldId,
    FieldKind, InstanceCount, Interval, LayoutItem, LinePart, LineToken,
};

impl Generator<'_> {
    /// Writes the code of an instance of a block.
    pub(super) fn block_body(&mut self, block: BlockId) -> Result<(), Stop> {
        let outer = std::mem::replace(&mut self.block, block);
        let items = self.format.block(block).items.clone();
        self.begin_elements(block);
        for (at, item) in items.iter().enumerate() {
            match item {
                LayoutItem::Line(parts) => self.line_parts(parts)?,
                LayoutItem::Rows(field) => self.rows(*field)?,
                LayoutItem::Block(child) => self.child_block(*child)?,
                LayoutItem::Either(children) => self.alternatives(children)?,
            }
            if self.format.ends_line(block, at) {
                self.out.add_line("inf.readEoln();");
                self.before = Before::Nothing;
            }
            self.check_constraints(block);
        }
        self.push_gathered(block)?;
        self.block = outer;
        Ok(())
    }

    fn line_parts(&mut self, parts: &[LinePart]) -> Result<(), Stop> {
        for (at, part) in parts.iter().enumerate() {
            let is_joined = parts.get(at + 1).is_some_and(|next| next.is_glued);
            if part.is_glued {
                self.before = Before::Nothing;
            }
            match &part.token {
                LineToken::Literal(text) => {
                    self.space();
                    if !text.is_empty() {
                        let call = format!("{}({});", self.use_helper("expectText"), text_literal(text));
                        self.out.add_line(call);
                    }
                    self.before = Before::Something;
                }
                LineToken::Field(field) => self.field_on_line(*field, is_joined)?,
            }
            if part.is_glued {
                self.before = Before::Something;
            }
        }
        Ok(())
    }

    /// Writes the statement that reads the space before a token, if there is one.
    fn space(&mut self) {
        match &self.before {
            Before::Nothing => {}
            Before::Something => self.out.add_line("inf.readSpace();"),
            Before::If(condition) => {
                let line = format!("if ({condition}) inf.readSpace();");
                self.out.add_line(line);
            }
        }
    }

    /// Notes that tokens follow if a condition holds.
    fn add_before(&mut self, condition: &str, is_certain: bool) {
        self.before = match std::mem::replace(&mut self.before, Before::Something) {
            Before::Something => Before::Something,
            _ if is_certain => Before::Something,
            Before::Nothing => Before::If(condition.to_owned()),
            Before::If(known) => Before::If(format!("{known} || {condition}")),
        };
    }

    fn field_on_line(&mut self, field: FieldId, is_joined: bool) -> Result<(), Stop> {
        let name = self.names[field.0].clone();
        let sizes = self.array_sizes(field)?;
        match &*sizes {
            [] => {
                self.space();
                let bounds = self.bounds(field);
                let value = self.value_code(field, &bounds, is_joined)?;
                self.out.add_line(format!("{} {name} = {value};", self.element_type(field)));
                self.before = Before::Something;
            }
            [None] => self.number_list(field, &name)?,
            [Some(size)] => self.array_on_line(field, &name, size, is_joined)?,
            _ => return no_counterpart(format!("`{name}`, rows of numbers on one line")),
        }
        self.is_read[field.0] = true;
        Ok(())
    }

    /// Returns the sizes of a field without the number of letters of a text; `None` for one that only the input has.
    fn array_sizes(&mut self, field: FieldId) -> Result<Vec<Option<Code>>, Stop> {
        let dimensions = self.format.field(field).dimensions[..self.rank_of(field)].to_vec();
        dimensions
            .iter()
            .map(|dimension| match dimension {
                FieldDimension::Size(size) => self.size(size).map(Some),
                FieldDimension::Free => Ok(None),
            })
            .collect()
    }

    /// Returns the code of a size, after a check that it is one.
    fn size(&mut self, expr: &Expr) -> Result<Code, Stop> {
        let code = self.plain_number(expr)?;
        if self.range_of(expr).lo < 0 {
            self.out.add_line(format!("ensuref({} >= 0, \"a size is negative\");", code.text_within(Binding::Sum)));
        }
        Ok(code)
    }

    /// Returns the code of a number that certainly has a value.
    fn plain_number(&mut self, expr: &Expr) -> Result<Code, Stop> {
        self.element = None;
        self.variables.clear();
        self.preludes.clear();
        let code = self.number_code(expr)?;
        if !code.empty.is_empty() || !code.absent.is_empty() {
            return no_counterpart("a size that may not exist");
        }
        if !code.guards.is_empty() {
            let line = format!("ensuref({}, \"the size of the next part has no value\");", code.guards.join(" && "));
            self.out.add_line(line);
        }
        if let Some(prelude) = self.preludes.first() {
            return no_counterpart(format!("a size that is computed from many values: `{prelude}`"));
        }
        Ok(code)
    }

    /// Returns true if a size is at least 1 in each input.
    fn is_never_zero(&self, field: FieldId) -> bool {
        let first = self.format.field(field).dimensions.first();
        matches!(first, Some(FieldDimension::Size(size)) if self.range_of(size).lo >= 1)
    }

    fn array_on_line(&mut self, field: FieldId, name: &str, size: &Code, is_joined: bool) -> Result<(), Stop> {
        let is_certain = self.is_never_zero(field);
        let bounds = self.bounds(field);
        let is_plain = matches!(self.format.field(field).kind, FieldKind::Number) && !self.is_big_field(field);
        if is_plain && !is_joined {
            if self.before != Before::Nothing && !is_certain {
                let also = match &self.before {
                    Before::If(condition) => format!(" && ({condition})"),
                    _ => String::new(),
                };
                self.out.add_line(format!("if ({} > 0{also}) inf.readSpace();", size.text_within(Binding::Sum)));
            } else {
                self.space();
            }
            let count =
                if size.text.parse::<i32>().is_ok() { size.text.clone() } else { format!("int({})", size.text) };
            self.out.add_line(format!(
                "vector<long long> {name} = inf.readLongs({count}, {}, {}, \"{}\");",
                bounds.0,
                bounds.1,
                self.format.field(field).name
            ));
        } else {
            let index = self.loop_name();
            self.out.add_line(format!("vector<{}> {name}({});", self.element_type(field), size.text));
            self.out.open(format!(
                "for (long long {index} = 0; {index} < {}; {index}++) {{",
                size.text_within(Binding::Sum)
            ));
            self.space_in_loop(&index);
            let value = self.value_code(field, &bounds, is_joined)?;
            self.out.add_line(format!("{name}[{index}] = {value};"));
            self.out.close_block("}");
            self.loops.pop();
        }
        self.add_before(&format!("{} > 0", size.text_within(Binding::Sum)), is_certain);
        Ok(())
    }

    /// Writes the statement that reads the space before an element of a loop.
    fn space_in_loop(&mut self, index: &str) {
        let line = match &self.before {
            Before::Nothing => format!("if ({index} > 0) inf.readSpace();"),
            Before::Something => "inf.readSpace();".to_owned(),
            Before::If(condition) => format!("if ({index} > 0 || {condition}) inf.readSpace();"),
        };
        self.out.add_line(line);
    }

    /// Writes the code of numbers up to the end of the line.
    fn number_list(&mut self, field: FieldId, name: &str) -> Result<(), Stop> {
        let info = self.format.field(field);
        if info.kind != FieldKind::Number || self.is_big_field(field) {
            return no_counterpart(format!("`{name}`, a list of other things than integers"));
        }
        let first = match &self.before {
            Before::Nothing => "true".to_owned(),
            Before::Something => "false".to_owned(),
            Before::If(condition) => format!("!({condition})"),
        };
        let length = info.length;
        let (least, most) = self.bounds(field);
        let helper = self.use_helper("readNumbersOfLine");
        self.out.add_line(format!("vector<long long> {name} = {helper}({first}, {least}, {most}, \"{name}\");"));
        self.length_check(&format!("int({name}.size())"), length, name);
        self.before = Before::Something;
        Ok(())
    }

    fn length_check(&mut self, length: &str, range: Interval, name: &str) {
        self.out.add_line(format!(
            "ensuref({} <= {length} && {length} <= {}, \"{name} has %d elements\", int({length}));",
            number_literal(range.lo.max(0)),
            number_literal(range.hi.min(i128::from(i64::MAX)))
        ));
    }

    /// Writes the code of rows, each on its line.
    fn rows(&mut self, field: FieldId) -> Result<(), Stop> {
        let name = self.names[field.0].clone();
        let is_text = self.format.field(field).alphabet().is_some();
        let sizes = self.array_sizes(field)?;
        let rows = if is_text { &sizes[..] } else { &sizes[..sizes.len() - 1] };
        self.out.add_line(format!("{} {name}({});", self.field_type(field), size_text(rows.first())?));
        let mut place = name.clone();
        let first_loop = self.loops.len();
        for (at, size) in rows.iter().enumerate() {
            let size = size_text(Some(size))?;
            let index = self.loop_name();
            if at > 0 {
                self.out.add_line(format!("{place}.resize({size});"));
            }
            self.out.open(format!("for (long long {index} = 0; {index} < {size}; {index}++) {{"));
            place = format!("{place}[{index}]");
        }
        let bounds = self.bounds(field);
        self.before = Before::Nothing;
        match sizes.last() {
            Some(Some(size)) if !is_text => self.row_of_numbers(field, &place, size, &bounds)?,
            Some(None) if !is_text => self.free_row(field, &place, &bounds)?,
            _ => {
                let value = self.value_code(field, &bounds, false)?;
                self.out.add_line(format!("{place} = {value};"));
            }
        }
        self.out.add_line("inf.readEoln();");
        for _ in rows {
            self.out.close_block("}");
        }
        self.loops.truncate(first_loop);
        self.is_read[field.0] = true;
        Ok(())
    }

    fn row_of_numbers(
        &mut self,
        field: FieldId,
        place: &str,
        size: &Code,
        bounds: &(String, String),
    ) -> Result<(), Stop> {
        let info = self.format.field(field);
        if info.kind == FieldKind::Number && !self.is_big_field(field) {
            let count = &size.text;
            self.out.add_line(format!(
                "{place} = inf.readLongs(int({count}), {}, {}, \"{}\");",
                bounds.0, bounds.1, info.name
            ));
            return Ok(());
        }
        let index = self.loop_name();
        self.out.add_line(format!("{place}.resize({});", size.text));
        self.out
            .open(format!("for (long long {index} = 0; {index} < {}; {index}++) {{", size.text_within(Binding::Sum)));
        self.space_in_loop(&index);
        let value = self.value_code(field, bounds, false)?;
        self.out.add_line(format!("{place}[{index}] = {value};"));
        self.out.close_block("}");
        Ok(())
    }

    fn free_row(&mut self, field: FieldId, place: &str, bounds: &(String, String)) -> Result<(), Stop> {
        let info = self.format.field(field);
        if info.kind != FieldKind::Number || self.is_big_field(field) {
            return no_counterpart(format!("`{}`, lists of other things than integers", info.name));
        }
        let (name, length) = (info.name.clone(), info.length);
        let helper = self.use_helper("readNumbersOfLine");
        self.out.add_line(format!("{place} = {helper}(true, {}, {}, \"{name}\");", bounds.0, bounds.1));
        self.length_check(&format!("int({place}.size())"), length, &name);
        Ok(())
    }

    /// Returns the code of the bounds of a number, and notes the constraints that they check.
    fn bounds(&mut self, field: FieldId) -> (String, String) {
        let range = self.format.field(field).range;
        let is_int = i32::try_from(range.lo).is_ok() && i32::try_from(range.hi).is_ok();
        let is_read_as_int = is_int && self.format.field(field).is_scalar();
        let literal = if is_read_as_int { number_literal } else { long_literal };
        let mut bounds = (literal(range.lo), literal(range.hi));
        for bound in [range.lo, range.hi] {
            if i64::try_from(bound).is_err() {
                self.use_helper("parseBig");
            }
        }
        let is_plain = matches!(self.format.field(field).kind, FieldKind::Number) && !self.is_big_field(field);
        if !is_plain {
            return bounds;
        }
        let (mut has_lower, mut has_upper) = (false, false);
        for at in 0..self.format.constraints.len() {
            let Some((sign, other)) = bound_of(&self.format.constraints[at].rule, field) else { continue };
            let is_upper = matches!(sign, ComparisonOperator::Less | ComparisonOperator::LessEqual);
            let taken = if is_upper { &mut has_upper } else { &mut has_lower };
            if *taken || self.is_done[at] {
                continue;
            }
            let own = self.range_of(&other);
            let strict = i128::from(matches!(sign, ComparisonOperator::Less | ComparisonOperator::Greater));
            let is_tight = if is_upper { own.hi - strict <= range.hi } else { own.lo + strict >= range.lo };
            if !is_tight || !Self::is_small(own) || self.first_array(&other).is_some() {
                continue;
            }
            self.element = None;
            let before = self.preludes.len();
            let code = self.number_code(&other);
            let has_prelude = self.preludes.len() > before;
            self.preludes.truncate(before);
            let Ok(code) = code else { continue };
            if has_prelude || !code.guards.is_empty() || !code.empty.is_empty() || !code.absent.is_empty() {
                continue;
            }
            let text = match (strict, is_upper) {
                _ if !self.is_long_long(&other) => format!(
                    "(long long)({}{})",
                    code.text,
                    ["", if is_upper { " - 1" } else { " + 1" }][usize::from(strict == 1)]
                ),
                (0, _) => code.text.clone(),
                (_, true) => format!("{} - 1", code.text_within(Binding::Sum)),
                (_, false) => format!("{} + 1", code.text_within(Binding::Sum)),
            };
            *taken = true;
            self.is_done[at] = true;
            *(if is_upper { &mut bounds.1 } else { &mut bounds.0 }) = text;
        }
        bounds
    }

    /// Returns true if an expression is of the type `long long` in C++.
    fn is_long_long(&self, expr: &Expr) -> bool {
        use ArithmeticOperator::{Add, Multiply, Subtract};
        expr.all_parts(&|part| match part {
            Expr::Field(_) | Expr::Length(_) | Expr::Element(..) => Some(true),
            Expr::Constant(_) | Expr::Negate(_) | Expr::Binary(Add | Subtract | Multiply, ..) => None,
            _ => Some(false),
        })
    }

    /// Returns the expression that reads a number, a word or a text.
    fn value_code(&mut self, field: FieldId, bounds: &(String, String), is_joined: bool) -> Result<String, Stop> {
        let info = self.format.field(field);
        let name = format!("\"{}\"", info.name);
        let (least, most) = bounds;
        match &info.kind {
            FieldKind::Number if self.is_big_field(field) => {
                Ok(format!("{}({least}, {most}, {name})", self.use_helper("readBig")))
            }
            FieldKind::Number if is_joined => Ok(format!("{}({least}, {most}, {name})", self.use_helper("readJoined"))),
            FieldKind::Number => {
                let is_int =
                    i32::try_from(info.range.lo).is_ok() && i32::try_from(info.range.hi).is_ok() && info.is_scalar();
                Ok(format!("inf.{}({least}, {most}, {name})", if is_int { "readInt" } else { "readLong" }))
            }
            FieldKind::Real(decimals) => {
                let call = format!(
                    "{}({least}, {most}, {}, {}, {name})",
                    self.use_helper("readReal"),
                    decimals.min,
                    decimals.max
                );
                Ok(if self.is_big_field(field) { call } else { format!("(long long){call}") })
            }
            FieldKind::Words(words) => {
                let list: Vec<String> = words.iter().map(|word| text_literal(word)).collect();
                Ok(format!("{}({{{}}}, {name})", self.use_helper("readOneOf"), list.join(", ")))
            }
            FieldKind::Text(letters) => self.text_code(field, letters, &name, is_joined),
        }
    }

    fn text_code(&mut self, field: FieldId, letters: &[u8], name: &str, is_joined: bool) -> Result<String, Stop> {
        let info = self.format.field(field);
        let (least, most, range) = match info.dimensions.last() {
            Some(FieldDimension::Size(size)) => {
                let code = self.size(size)?;
                let range = self.range_of(size);
                (code.text.clone(), code.text, range)
            }
            _ => (number_literal(info.length.lo.max(0)), number_literal(info.length.hi), info.length),
        };
        if is_joined || range.lo < 1 || letters.contains(&b' ') {
            let helper = self.use_helper("readText");
            return Ok(format!("{helper}({least}, {most}, {}, {name})", text_literal(&plain_letters(letters))));
        }
        let class = letter_class(letters);
        let pattern = match (least.parse::<i64>(), most.parse::<i64>()) {
            (Ok(least), Ok(most)) if least == most => text_literal(format!("[{class}]{{{least}}}").as_bytes()),
            (Ok(least), Ok(most)) => text_literal(format!("[{class}]{{{least},{most}}}").as_bytes()),
            _ => {
                let class = class.replace('%', "%%");
                format!("format({}, int({most}))", text_literal(format!("[{class}]{{%d}}").as_bytes()))
            }
        };
        Ok(format!("inf.readToken({pattern}, {name})"))
    }

    // Blocks.

    fn loop_name(&mut self) -> String {
        let letters = ["i", "j", "k"];
        let wanted = letters.get(self.loops.len()).copied().unwrap_or("at");
        let name = self.local_name(wanted);
        self.loops.push(name.clone());
        name
    }

    fn child_block(&mut self, child: BlockId) -> Result<(), Stop> {
        self.declare_gathered(&[child]);
        let block = self.format.block(child);
        match block.count.clone() {
            InstanceCount::Times(count) => self.counted_block(child, &count)?,
            InstanceCount::Conditional(comparisons) => {
                let mut parts = Vec::new();
                for comparison in &comparisons {
                    parts.push(self.comparison_code(comparison, true)?.text_within(Binding::And));
                }
                self.out.open(format!("if ({}) {{", parts.join(" && ")));
                self.block_body(child)?;
                self.out.close_block("}");
            }
            InstanceCount::Until { range, sentinel } => self.until_block(child, range, sentinel.as_deref())?,
            InstanceCount::Alternative => return no_counterpart("an alternative outside of `either`"),
        }
        self.is_complete[child.0] = true;
        Ok(())
    }

    fn counted_block(&mut self, child: BlockId, count: &Expr) -> Result<(), Stop> {
        let block = self.format.block(child);
        let size = self.plain_number(count)?;
        let index = self.loop_name();
        let before = self.before.clone();
        let (mut start, mut end) = (format!("{index} = 0"), size.text_within(Binding::Sum));
        if self.format.is_counted_by_contents(child) {
            // What is counted in a text is counted once.
            let mut name = format!("{index}_end");
            while self.format.field_named(&name).is_some() {
                name.push('_');
            }
            start = format!("{start}, {name} = {end}");
            end = name;
        }
        self.out.open(format!("for (long long {start}; {index} < {end}; {index}++) {{"));
        if block.kind == BlockKind::Cases && block.parent == Some(BlockId(0)) {
            self.out.add_line(format!("setTestCase(int({index} + 1));"));
        }
        if let Some(separator) = block.separator.clone() {
            self.out.open(format!("if ({index} > 0) {{"));
            self.whole_line(&separator);
            self.out.close_block("}");
        }
        if block.inline.is_some() {
            self.before = match before.clone() {
                Before::Nothing => Before::If(format!("{index} > 0")),
                Before::Something => Before::Something,
                Before::If(condition) => Before::If(format!("{index} > 0 || {condition}")),
            };
            self.check_inline_body(child)?;
        }
        self.block_body(child)?;
        self.out.close_block("}");
        self.loops.pop();
        if block.inline.is_some() {
            self.before = before;
            self.add_before(&format!("{} > 0", size.text_within(Binding::Sum)), self.range_of(count).lo >= 1);
        }
        Ok(())
    }

    /// Refuses groups with a first part that is joined to the part before it, or may be empty.
    fn check_inline_body(&self, child: BlockId) -> Result<(), Stop> {
        match self.format.block(child).items.first() {
            Some(LayoutItem::Line(parts)) => match parts.first() {
                Some(part) if part.is_glued => no_counterpart("a group that is joined to the part before it"),
                Some(LinePart { token: LineToken::Field(field), .. })
                    if !self.format.field(*field).is_scalar()
                        && self.rank_of(*field) > 0
                        && !self.is_never_zero(*field) =>
                {
                    no_counterpart("a group that may begin with an empty array")
                }
                _ => Ok(()),
            },
            _ => no_counterpart("a group of groups"),
        }
    }

    /// Writes the code that reads exactly this line.
    fn whole_line(&mut self, line: &[u8]) {
        if !line.is_empty() {
            let call = format!("{}({});", self.use_helper("expectText"), text_literal(line));
            self.out.add_line(call);
        }
        self.out.add_line("inf.readEoln();");
    }

    fn until_block(&mut self, child: BlockId, range: Interval, sentinel: Option<&[u8]>) -> Result<(), Stop> {
        let ended = match sentinel {
            None => "inf.eof()".to_owned(),
            Some(line) => format!("{}({}, \"\\n\")", self.use_helper("startsWith"), text_literal(line)),
        };
        let index = self.loop_name();
        self.out.add_line(format!("long long {index} = 0;"));
        self.out.open(format!("for (; !{ended}; {index}++) {{"));
        let (low, high) = (number_literal(range.lo.max(0)), number_literal(range.hi));
        self.out.add_line(format!(
            "ensuref({index} < {high}, \"there are more than {range} repetitions\");",
            range = range.hi
        ));
        if let Some(separator) = self.format.block(child).separator.clone() {
            self.out.open(format!("if ({index} > 0) {{"));
            self.whole_line(&separator);
            self.out.add_line(format!("ensuref(!{ended}, \"a repetition must follow\");"));
            self.out.close_block("}");
        }
        self.block_body(child)?;
        self.out.close_block("}");
        self.out.add_line(format!(
            "ensuref({index} >= {low}, \"there are fewer than {range} repetitions\");",
            range = range.lo
        ));
        if let Some(line) = sentinel {
            self.whole_line(line);
        }
        Ok(())
    }

    /// Writes the code of alternatives with different first words.
    fn alternatives(&mut self, children: &[BlockId]) -> Result<(), Stop> {
        self.declare_gathered(children);
        let mut heads: Vec<Option<(Vec<u8>, bool)>> = Vec::new();
        for child in children {
            heads.push(self.first_word(*child));
        }
        let is_clash = |at: usize| {
            let Some((text, joined)) = &heads[at] else { return at + 1 < heads.len() };
            heads[..at].iter().flatten().any(|(other, other_joined)| {
                text == other || *joined && other.starts_with(text) || *other_joined && text.starts_with(other)
            })
        };
        if (0..heads.len()).any(is_clash) {
            return no_counterpart("alternatives that begin alike");
        }
        if let (Some(None), Some(last)) = (heads.last(), children.last()) {
            self.check_last_alternative(*last, heads.iter().flatten().map(|(word, _)| word))?;
        }
        let mut lead = String::new();
        for (child, head) in children.iter().zip(&heads) {
            match head {
                Some((word, is_joined)) => {
                    let end = if *is_joined { "" } else { ", \" \\n\"" };
                    let helper = self.use_helper("startsWith");
                    let condition = format!("{lead}if ({helper}({}{end})) {{", text_literal(word));
                    self.out.open(condition);
                }
                None => self.out.open(format!("{lead}{{")),
            }
            self.before = Before::Nothing;
            self.block_body(*child)?;
            self.is_complete[child.0] = true;
            self.out.end_block();
            lead = "} else ".to_owned();
        }
        if heads.iter().all(Option::is_some) {
            self.out.add_line("} else {");
            self.out.add_line("    quitf(_wa, \"none of the alternatives begins like this line\");");
        }
        self.out.add_line("}");
        Ok(())
    }

    /// Returns the word that a block begins with, and true if more is joined to it.
    fn first_word(&self, block: BlockId) -> Option<(Vec<u8>, bool)> {
        let Some(LayoutItem::Line(parts)) = self.format.block(block).items.first() else { return None };
        match parts.first() {
            Some(LinePart { token: LineToken::Literal(word), .. }) if !word.is_empty() => {
                Some((word.clone(), parts.get(1).is_some_and(|next| next.is_glued)))
            }
            _ => None,
        }
    }

    /// Checks that the last alternative, which begins with a field, cannot begin with a word of the others.
    fn check_last_alternative<'w>(&self, block: BlockId, words: impl Iterator<Item = &'w Vec<u8>>) -> Result<(), Stop> {
        let first = match self.format.block(block).items.first() {
            Some(LayoutItem::Line(parts)) => parts.first().map(|part| &part.token),
            _ => None,
        };
        let Some(LineToken::Field(field)) = first else {
            return no_counterpart("an alternative that begins with a block");
        };
        let info = self.format.field(*field);
        for word in words {
            let number = std::str::from_utf8(word).ok().and_then(|word| word.parse::<i128>().ok());
            let can_begin = match &info.kind {
                FieldKind::Number => number.is_some_and(|number| info.range.contains_value(number)),
                FieldKind::Real(_) => number.is_some(),
                FieldKind::Words(choices) => {
                    choices.iter().any(|choice| choice.starts_with(word) || word.starts_with(choice))
                }
                FieldKind::Text(letters) => word.iter().all(|letter| letters.contains(letter)),
            };
            if can_begin {
                return no_counterpart("alternatives that begin alike");
            }
        }
        Ok(())
    }
}

/// Returns the other side of a comparison with a field, and the operator between the field and it.
fn bound_of(rule: &ConstraintRule, field: FieldId) -> Option<(ComparisonOperator, Expr)> {
    let comparison = rule.comparison()?;
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let (sign, other) = match (left, right) {
        (Expr::Field(own), other) if *own == field => (comparison.sign, other),
        (other, Expr::Field(own)) if *own == field => (comparison.sign.with_sides_swapped(), other),
        _ => return None,
    };
    let is_bound = !matches!(sign, ComparisonOperator::Equal | ComparisonOperator::NotEqual);
    (is_bound && comparison.decimals == 0 && !matches!(other, Expr::Constant(_))).then(|| (sign, other.clone()))
}

fn size_text(size: Option<&Option<Code>>) -> Result<String, Stop> {
    match size {
        Some(Some(code)) => Ok(code.text_within(Binding::Sum)),
        _ => no_counterpart("rows without a number of rows"),
    }
}

/// Returns the letters in the order of their codes.
fn plain_letters(letters: &[u8]) -> Vec<u8> {
    let mut sorted = letters.to_vec();
    sorted.sort_unstable();
    sorted
}

/// Returns a class of characters as testlib's patterns write it, without brackets.
fn letter_class(letters: &[u8]) -> String {
    let sorted = plain_letters(letters);
    let mut class = String::new();
    let mut at = 0;
    while at < sorted.len() {
        let mut last = at;
        while last + 1 < sorted.len()
            && sorted[last + 1] == sorted[last] + 1
            && sorted[last + 1].is_ascii_alphanumeric()
        {
            last += 1;
        }
        let is_range = last >= at + 2 && sorted[at].is_ascii_alphanumeric();
        if is_range {
            class.extend([char::from(sorted[at]), '-', char::from(sorted[last])]);
            at = last + 1;
            continue;
        }
        if !sorted[at].is_ascii_alphanumeric() {
            class.push('\\');
        }
        class.push(char::from(sorted[at]));
        at += 1;
    }
    class
}
