//! Expressions of the language as C++, with the conditions under which they have a value.

use super::code::{Absence, Binding, Code, ValueKind, letter_literal, number_literal, push_new, text_literal};
use super::generator::{GatherShape, GatherSource, Generator, Stop, Variable, no_counterpart};
use rebut_format::language::{
    ArithmeticOperator, Expr, FieldDimension, FieldId, FieldKind, FoldKind, FoldRange, NumberFunction, OptionalBlocks,
    SliceFold, SliceReduction,
};

impl Generator<'_> {
    /// Returns the code of a single number, letter or word.
    pub(super) fn number_code(&mut self, expr: &Expr) -> Result<Code, Stop> {
        match expr {
            Expr::Constant(number) => {
                if i64::try_from(*number).is_err() {
                    self.use_helper("parseBig");
                }
                let binding = if *number < 0 { Binding::Sum } else { Binding::Atom };
                Ok(Code { binding, ..Code::from_text(number_literal(*number)) })
            }
            Expr::Variable(number) => match self.variables.get(*number) {
                Some(variable) => Ok(Code::from_text(variable.name.clone())),
                None => no_counterpart("a variable outside of its quantifier"),
            },
            Expr::Field(field) => self.field_number(*field),
            Expr::Length(field) if self.element.is_some() && self.format.field(*field).dimensions.len() > 1 => {
                let rows = self.container_code(expr)?;
                self.element_of(rows)
            }
            Expr::Length(field) => {
                let name = self.variable_of(*field)?;
                Ok(Code::from_text(format!("{}({name})", self.use_helper("len"))))
            }
            Expr::Element(field, indices) => self.element_number(*field, indices),
            Expr::Negate(inner) => {
                let inner = self.number_code(inner)?;
                let text = format!("-{}", inner.operand());
                Ok(Code { binding: Binding::Sum, ..inner.with_text(text) })
            }
            Expr::Call(NumberFunction::Prime, inner) => {
                let inner = self.number_code(inner)?;
                Ok(Code::from_call(self.use_helper("isPrime"), &[&inner]))
            }
            Expr::Binary(operator, left, right) => self.operation_code(*operator, left, right, expr),
            Expr::Fold(fold, over, inner) => self.fold(*fold, *over, inner),
            Expr::Slice(slice) => self.slice(slice),
            Expr::Sequence(_) | Expr::TextLiteral(_) => no_counterpart("a text among numbers"),
        }
    }

    /// Returns the code of a field that stands for a single value here.
    fn field_number(&mut self, field: FieldId) -> Result<Code, Stop> {
        let name = self.variable_of(field)?;
        let info = self.format.field(field);
        if info.dimensions.is_empty() {
            let kind = if info.word_choices().is_some() { ValueKind::Word } else { ValueKind::Number };
            return Ok(Code { kind, ..Code::from_text(name) });
        }
        if self.element.is_none() {
            return no_counterpart("an array in the place of a number");
        }
        let container = self.container_code(&Expr::Field(field))?;
        self.element_of(container)
    }

    fn element_of(&mut self, container: Code) -> Result<Code, Stop> {
        let Some(index) = self.element.clone() else { return no_counterpart("an array in the place of a number") };
        let text = format!("{}[{index}]", container.text);
        Ok(Code { kind: container.kind, ..container.with_text(text) })
    }

    /// Returns the code of several numbers in a row, or of the letters of a text: something with `size()` and indices.
    /// Its kind is that of the elements.
    pub(super) fn container_code(&mut self, expr: &Expr) -> Result<Code, Stop> {
        match expr {
            Expr::Field(field) => {
                let name = self.variable_of(*field)?;
                self.field_container(*field, &name)
            }
            Expr::Length(field) => {
                let name = self.variable_of(*field)?;
                let rank = self.format.field(*field).dimensions.len();
                match rank {
                    2 => {
                        let text = format!("{}({name})", self.use_helper("lengths"));
                        Ok(self.hoisted(&text))
                    }
                    _ => no_counterpart("the lengths of rows of rows"),
                }
            }
            Expr::Element(field, indices) if self.format.picks_row(*field, indices) => {
                let (code, left) = self.element_place(*field, indices)?;
                if left != 1 {
                    return no_counterpart("a row of rows");
                }
                let kind = self.leaf_kind(*field);
                Ok(Code { kind, ..code })
            }
            Expr::Sequence(inner) => self.container_code(inner),
            _ => self.collected(expr),
        }
    }

    fn leaf_kind(&self, field: FieldId) -> ValueKind {
        match self.format.field(field).kind {
            FieldKind::Text(_) => ValueKind::Letter,
            FieldKind::Words(_) => ValueKind::Word,
            _ => ValueKind::Number,
        }
    }

    fn field_container(&mut self, field: FieldId, name: &str) -> Result<Code, Stop> {
        let kind = self.leaf_kind(field);
        match self.format.field(field).dimensions.len() {
            0 => no_counterpart("a single number in the place of an array"),
            1 => Ok(Code { kind, ..Code::from_text(name) }),
            _ if kind == ValueKind::Word => {
                let text = format!("{}({name})", self.use_helper("flatTexts"));
                Ok(Code { kind, ..self.hoisted(&text) })
            }
            _ if self.is_big_field(field) => no_counterpart("rows of numbers of more than 64 bits"),
            _ => {
                let text = format!("{}({name})", self.use_helper("flat"));
                Ok(self.hoisted(&text))
            }
        }
    }

    /// Returns a variable with the value of an expression, which is computed once before the constraint.
    fn hoisted(&mut self, text: &str) -> Code {
        let plain: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let name = self.local_name(plain.trim_matches('_'));
        let line = format!("auto {name} = {text};");
        if !self.preludes.contains(&line) {
            self.preludes.push(line);
        }
        Code::from_text(name)
    }

    /// Returns the values of an expression for each element of the arrays in it: `sum(a * b)`.
    fn collected(&mut self, expr: &Expr) -> Result<Code, Stop> {
        let Some(first) = self.first_array(expr) else { return no_counterpart("an array of this form") };
        if self.element.is_some() {
            return no_counterpart("a fold within the elements of an array");
        }
        let first = self.container_code(&first)?;
        let index = self.local_name("k");
        self.element = Some(index.clone());
        let each = self.number_code(expr);
        self.element = None;
        let each = each?;
        if !each.empty.is_empty() || !each.absent.is_empty() || each.guards != first.guards {
            return no_counterpart("a fold of elements that may have no value");
        }
        let size = format!("{}({})", self.use_helper("len"), first.text);
        let text =
            format!("{}({size}, [&](long long {index}) {{ return {}; }})", self.use_helper("collect"), each.text);
        Ok(first.with_text(text))
    }

    /// Returns the first array in an expression that stands for its elements.
    pub(super) fn first_array(&self, expr: &Expr) -> Option<Expr> {
        expr.find_part(&mut |part| {
            use std::ops::ControlFlow::{Break, Continue};
            match part {
                Expr::Field(field) if !self.format.field(*field).is_scalar() => Break(Some(part.clone())),
                Expr::Length(field) if self.format.field(*field).dimensions.len() > 1 => Break(Some(part.clone())),
                Expr::Element(field, indices) if self.format.picks_row(*field, indices) => Break(Some(part.clone())),
                Expr::Fold(..) | Expr::Slice(_) | Expr::Sequence(_) | Expr::Element(..) => Break(None),
                _ => Continue(()),
            }
        })
    }

    /// Returns the code of an element or a row of a field, and the number of dimensions that are left.
    fn element_place(&mut self, field: FieldId, indices: &[Expr]) -> Result<(Code, usize), Stop> {
        let info = self.format.field(field);
        let mut rest = indices;
        let mut code;
        if self.format.indexes_repetitions(field, indices) {
            let Some(repetition) = self.format.repetition_of(info.block) else {
                return no_counterpart("the number of a repetition where nothing repeats");
            };
            let name = self.gather_values(GatherSource::Elements(field), FoldRange::Instances(repetition))?;
            let size = self.format.block(repetition).count.times_expr().cloned();
            let length = format!("{}({name})", self.use_helper("len"));
            let index = self.index(&rest[0], size.as_ref(), &length)?;
            if repetition != info.block {
                let mut parts = index.guards.clone();
                parts.push(format!("!has_{name}[{}]", index.text));
                let variable = indices.iter().filter_map(Expr::innermost_variable).max();
                code = Code { absent: vec![Absence { condition: parts.join(" && "), variable }], ..index.clone() };
            } else {
                code = index.clone();
            }
            code = code.with_text(format!("{name}[{}]", index.text));
            rest = &rest[1..];
        } else {
            code = Code::from_text(self.variable_of(field)?);
        }
        let dimensions = info.dimensions.clone();
        for (expr, dimension) in rest.iter().zip(&dimensions) {
            let size = match dimension {
                FieldDimension::Size(size) => Some(size.clone()),
                FieldDimension::Free => None,
            };
            let length = format!("{}({})", self.use_helper("len"), code.text);
            let index = self.index(expr, size.as_ref(), &length)?;
            code.add_conditions(&index);
            code.text = format!("{}[{}]", code.text, index.text);
        }
        Ok((code, dimensions.len() - rest.len()))
    }

    fn element_number(&mut self, field: FieldId, indices: &[Expr]) -> Result<Code, Stop> {
        if self.format.picks_row(field, indices) {
            let row = self.container_code(&Expr::Element(field, indices.to_vec()))?;
            return self.element_of(row);
        }
        let (code, _) = self.element_place(field, indices)?;
        Ok(Code { kind: self.leaf_kind(field), ..code })
    }

    /// Returns an index from 0, with the condition that it is within a size unless that is certain.
    fn index(&mut self, index: &Expr, size: Option<&Expr>, length: &str) -> Result<Code, Stop> {
        let element = self.element.take();
        let code = self.number_code(index);
        self.element = element;
        let code = code?;
        let mut guards = code.guards.clone();
        let range = self.range_of(index);
        if range.lo < 1 {
            guards.push(format!("{} >= 1", code.text_within(Binding::Sum)));
        }
        if !size.is_some_and(|size| self.is_at_most(index, size)) {
            guards.push(format!("{} <= {length}", code.text_within(Binding::Sum)));
        }
        let (base, offset) = split_constant(index);
        let text = match (base, offset - 1) {
            (None, number) => number.to_string(),
            (Some(base), 0) => self.number_code(&base)?.text,
            (Some(base), more) if more < 0 => {
                format!("{} - {}", self.number_code(&base)?.text_within(Binding::Sum), -more)
            }
            (Some(base), more) => format!("{} + {more}", self.number_code(&base)?.text_within(Binding::Sum)),
        };
        Ok(Code { guards, ..code.with_text(text) })
    }

    /// Returns true if an index is certainly at most a size.
    fn is_at_most(&self, index: &Expr, size: &Expr) -> bool {
        if self.range_of(index).hi <= self.range_of(size).lo {
            return true;
        }
        let ((base, offset), (size_base, size_offset)) = (split_constant(index), split_constant(size));
        match (&base, &size_base) {
            (Some(base), Some(wanted)) if base == wanted => offset <= size_offset,
            (Some(Expr::Variable(number)), _) => self.variables.get(*number).is_some_and(|variable| {
                let (last, last_offset) = split_constant(&variable.range.1);
                last == size_base && last_offset + offset <= size_offset
            }),
            _ => false,
        }
    }

    fn operation_code(
        &mut self,
        operator: ArithmeticOperator,
        left: &Expr,
        right: &Expr,
        whole: &Expr,
    ) -> Result<Code, Stop> {
        let (a, b) = (self.number_code(left)?, self.number_code(right)?);
        if operator == ArithmeticOperator::OrElse {
            return self.or_else(&a, &b);
        }
        if [&a, &b].iter().any(|code| code.kind == ValueKind::Word) {
            return no_counterpart("arithmetic with words");
        }
        let range = self.range_of(whole);
        const LARGEST: i128 = i128::MAX / 8;
        if range.lo < -LARGEST || range.hi > LARGEST {
            return no_counterpart("numbers that may not fit into 128 bits");
        }
        let is_small = [range, self.range_of(left), self.range_of(right)].into_iter().all(Self::is_small);
        let wide = |code: &Code, this: &mut Self| -> Code {
            if is_small { code.clone() } else { Code::from_call(this.use_helper("Big"), &[code]) }
        };
        let plain = |sign: &str, this: &mut Self| Ok(Code::from_operation(&wide(&a, this), sign, &b));
        match operator {
            ArithmeticOperator::Add => plain("+", self),
            ArithmeticOperator::Subtract => plain("-", self),
            ArithmeticOperator::Multiply => plain("*", self),
            ArithmeticOperator::Xor => {
                let code = plain("^", self)?;
                Ok(Code { text: format!("({})", code.text), binding: Binding::Atom, ..code })
            }
            ArithmeticOperator::Divide | ArithmeticOperator::Modulo => self.division(operator, &a, &b, left, right),
            ArithmeticOperator::Power => match (left, right) {
                (Expr::Constant(_) | Expr::Field(_), _)
                    if self.range_of(right).lo >= 0 && self.range_of(right).hi <= 126 =>
                {
                    Ok(Code::from_call(self.use_helper("power"), &[&a, &b]))
                }
                _ => no_counterpart("a power with an exponent that may be negative or too large"),
            },
            ArithmeticOperator::Min | ArithmeticOperator::Max => {
                if let Expr::Negate(negated) = right
                    && **negated == *left
                    && operator == ArithmeticOperator::Max
                    && is_small
                {
                    return Ok(Code::from_call("abs", &[&a]));
                }
                let name = if operator == ArithmeticOperator::Min { "min" } else { "max" };
                let number = if is_small { "long long" } else { self.use_helper("Big") };
                Ok(Code::from_call(&format!("{name}<{number}>"), &[&a, &b]))
            }
            ArithmeticOperator::Gcd => Ok(Code::from_call(self.use_helper("gcdOf"), &[&a, &b])),
            ArithmeticOperator::OrElse => no_counterpart("alternatives"),
        }
    }

    /// Returns the code of a quotient or remainder, rounded down.
    fn division(
        &mut self,
        operator: ArithmeticOperator,
        a: &Code,
        b: &Code,
        left: &Expr,
        right: &Expr,
    ) -> Result<Code, Stop> {
        let is_plain = self.range_of(left).lo >= 0 && self.range_of(right).lo >= 0;
        let is_quotient = operator == ArithmeticOperator::Divide;
        let mut code = match (is_plain, is_quotient) {
            (true, true) => Code::from_operation(a, "/", b),
            (true, false) => Code::from_operation(a, "%", b),
            (false, true) => Code::from_call(self.use_helper("floorDiv"), &[a, b]),
            (false, false) => Code::from_call(self.use_helper("floorMod"), &[a, b]),
        };
        if self.range_of(right).contains_value(0) {
            code.guards.push(format!("{} != 0", b.operand()));
        }
        Ok(code)
    }

    /// Returns the code of the first of two values that is present.
    fn or_else(&mut self, a: &Code, b: &Code) -> Result<Code, Stop> {
        let missing = |code: &Code| {
            let absent = code.absent.iter().map(Absence::operand);
            code.empty.iter().cloned().chain(absent).collect::<Vec<String>>()
        };
        let without = missing(a);
        if without.is_empty() {
            return Ok(a.clone());
        }
        let without = without.join(" || ");
        let mut code = Code { kind: a.kind, ..Code::default() };
        code.text = format!("({without} ? {} : {})", b.operand(), a.operand());
        a.guards.iter().chain(&b.guards).for_each(|guard| push_new(&mut code.guards, guard));
        let both = missing(b);
        if !both.is_empty() {
            let condition = format!("({without}) && ({})", both.join(" || "));
            let variable = a.absent.iter().chain(&b.absent).filter_map(|absence| absence.variable).max();
            match a.absent.is_empty() && b.absent.is_empty() {
                true => code.empty.push(format!("({condition})")),
                false => code.absent.push(Absence { condition, variable }),
            }
        }
        Ok(code)
    }

    fn fold(&mut self, fold: FoldKind, over: FoldRange, inner: &Expr) -> Result<Code, Stop> {
        let values = match over {
            FoldRange::Elements => self.container_code(inner)?,
            FoldRange::Instances(block) | FoldRange::Occurrences(OptionalBlocks { block, .. }) => {
                let shape = if self.is_word(inner) { GatherShape::Texts } else { GatherShape::Numbers };
                let source = GatherSource::Values { block, parts: vec![inner.clone()], shape, when: Vec::new() };
                let kind = if shape == GatherShape::Texts { ValueKind::Word } else { ValueKind::Number };
                Code { kind, ..Code::from_text(self.gather_values(source, over)?) }
            }
        };
        let words = self.words_of(inner);
        match fold {
            FoldKind::Sum => Ok(Code::from_call(self.use_helper("sumOf"), &[&values])),
            FoldKind::Gcd => Ok(Code::from_call(self.use_helper("gcdOf"), &[&values])),
            FoldKind::Xor => Ok(Code::from_call(self.use_helper("xorOf"), &[&values])),
            FoldKind::Size => Ok(Code::from_call(self.use_helper("len"), &[&values])),
            FoldKind::Distinct => Ok(Code::from_call(self.use_helper("distinctIn"), &[&values])),
            FoldKind::Inversions => Ok(Code::from_call(self.use_helper("inversionsOf"), &[&values])),
            FoldKind::Cycles => {
                let mut code = Code::from_call(self.use_helper("cyclesOf"), &[&values]);
                code.guards.push(format!("{} >= 0", code.operand()));
                Ok(code)
            }
            FoldKind::Min | FoldKind::Max => {
                let name = if fold == FoldKind::Min { self.use_helper("minOf") } else { self.use_helper("maxOf") };
                let mut code = Code::from_call(name, &[&values]);
                code.kind = values.kind;
                code.empty.push(format!("{}.empty()", values.operand()));
                Ok(code)
            }
            FoldKind::Count(value) => {
                let wanted = self.constant_of(value, values.kind, words.as_deref())?;
                Ok(Code::from_call(self.use_helper("countOf"), &[&values, &wanted]))
            }
        }
    }

    /// Returns the literal of a constant beside values of a kind.
    pub(super) fn constant_of(
        &mut self,
        value: i128,
        kind: ValueKind,
        words: Option<&[Vec<u8>]>,
    ) -> Result<Code, Stop> {
        match kind {
            ValueKind::Number => self.number_code(&Expr::Constant(value)),
            ValueKind::Letter => match u8::try_from(value) {
                Ok(letter) => Ok(Code { kind, ..Code::from_text(letter_literal(letter)) }),
                Err(_) => Ok(Code { kind, ..Code::from_text(number_literal(value)) }),
            },
            ValueKind::Word => {
                let word = usize::try_from(value).ok().and_then(|at| words?.get(at));
                match word {
                    Some(word) => Ok(Code { kind, ..Code::from_text(format!("string({})", text_literal(word))) }),
                    None => no_counterpart("a word that is not in the list"),
                }
            }
        }
    }

    /// Returns the words of a field that an expression stands for, if it is one of some words.
    pub(super) fn words_of(&self, expr: &Expr) -> Option<Vec<Vec<u8>>> {
        match expr {
            Expr::Field(field) | Expr::Element(field, _) => {
                self.format.field(*field).word_choices().map(<[Vec<u8>]>::to_vec)
            }
            Expr::Binary(ArithmeticOperator::OrElse, left, _) => self.words_of(left),
            Expr::Fold(_, _, inner) => {
                self.words_of(inner).filter(|_| !matches!(expr, Expr::Fold(FoldKind::Count(_), ..)))
            }
            _ => None,
        }
    }

    pub(super) fn is_word(&self, expr: &Expr) -> bool {
        self.words_of(expr).is_some()
    }

    /// Returns the code of a fold of consecutive elements.
    fn slice(&mut self, slice: &SliceFold) -> Result<Code, Stop> {
        if slice.variable != self.variables.len() || self.element.is_some() {
            return no_counterpart("a slice within the elements of an array");
        }
        let (first, last) = (self.number_code(&slice.range.0)?, self.number_code(&slice.range.1)?);
        let wanted = match &slice.reduction {
            SliceReduction::Count(wanted) => Some(wanted.clone()),
            SliceReduction::Fold(FoldKind::Count(value)) => Some(Expr::Constant(*value)),
            SliceReduction::Fold(_) => None,
        };
        let index = self.local_name("k");
        let range = (slice.range.0.clone(), slice.range.1.clone());
        self.variables.push(Variable { name: index.clone(), range });
        let each = self.number_code(&slice.each);
        self.variables.pop();
        let each = each?;
        let words = self.words_of(&slice.each);
        let has_others = slice.each.any_part(&|part| match part {
            Expr::Variable(number) => Some(*number != slice.variable),
            _ => None,
        });
        if !each.empty.is_empty() || has_others && !each.guards.is_empty() {
            return no_counterpart("a slice of such elements");
        }
        self.slices += 1;
        self.use_helper("Slice");
        // Only a slice that depends on its ends alone can be continued.
        let mut name = "Slice()".to_owned();
        if !has_others {
            name = self.local_name(&format!("slice{}", self.slices));
            self.preludes.push(format!("Slice {name};"));
        }
        let value = match &words {
            Some(words) => self.word_number(&each, words),
            None => each.text.clone(),
        };
        let add = match each.absent.is_empty() {
            true => format!("all += {value};"),
            false => {
                let absent: Vec<String> = each.absent.iter().map(Absence::negated).collect();
                format!("if ({}) all += {value};", absent.join(" && "))
            }
        };
        let mut code = Code::from_call("", &[&first, &last]);
        // A guard of an element must hold for both ends of the range.
        for guard in &each.guards {
            let at = |end: &Code| replace_word(guard, &index, &end.operand());
            let (low, high) = (at(&first), at(&last));
            let is_linear = matches!(&slice.each, Expr::Element(_, indices)
                if indices.iter().all(|i| split_constant(i).0.is_none_or(|base| matches!(base, Expr::Variable(_) | Expr::Constant(_)))));
            if !is_linear {
                return no_counterpart("a slice of such elements");
            }
            code.guards.push(format!("({} < {} || ({low} && {high}))", last.operand(), first.operand()));
        }
        let taken =
            format!("{name}.take({}, {}, [&](Slice& all, long long {index}) {{ {add} }})", first.text, last.text);
        self.sliced(&slice.reduction, wanted.as_ref(), words.as_deref(), &taken, code)
    }

    fn sliced(
        &mut self,
        reduction: &SliceReduction,
        wanted: Option<&Expr>,
        words: Option<&[Vec<u8>]>,
        taken: &str,
        mut code: Code,
    ) -> Result<Code, Stop> {
        if let Some(wanted) = wanted {
            let mut value = self.number_code(wanted)?;
            if let (Some(words), ValueKind::Word) = (words, value.kind) {
                value.text = self.word_number(&value, words);
            }
            code.add_conditions(&value);
            return Ok(code.with_text(format!("{taken}.counts[{}]", value.text)));
        }
        let member = match reduction {
            SliceReduction::Fold(FoldKind::Sum) => "sum",
            SliceReduction::Fold(FoldKind::Min) => "least",
            SliceReduction::Fold(FoldKind::Max) => "most",
            SliceReduction::Fold(FoldKind::Gcd) => "divisor",
            SliceReduction::Fold(FoldKind::Xor) => "bits",
            SliceReduction::Fold(FoldKind::Distinct) => "counts.size()",
            SliceReduction::Fold(_) | SliceReduction::Count(_) => "size",
        };
        if matches!(member, "least" | "most") {
            code.empty.push(format!("{taken}.size == 0"));
        }
        Ok(code.with_text(format!("{taken}.{member}")))
    }

    fn word_number(&mut self, word: &Code, words: &[Vec<u8>]) -> String {
        let list: Vec<String> = words.iter().map(|word| text_literal(word)).collect();
        let name = format!("number_of_word{}", self.slices);
        let line = format!(
            "auto {name} = [](const string& word) {{ vector<string> all = {{{}}}; return find(all.begin(), all.end(), word) - all.begin(); }};",
            list.join(", ")
        );
        if !self.preludes.contains(&line) {
            self.preludes.insert(0, line);
        }
        format!("{name}({})", word.text)
    }
}

/// Splits an expression into a part and a constant that is added to it.
pub(super) fn split_constant(expr: &Expr) -> (Option<Expr>, i128) {
    match expr {
        Expr::Constant(number) => (None, *number),
        Expr::Binary(ArithmeticOperator::Add, left, right) => match (split_constant(left), split_constant(right)) {
            ((base, a), (None, b)) | ((None, a), (base, b)) => (base, a.saturating_add(b)),
            _ => (Some(expr.clone()), 0),
        },
        Expr::Binary(ArithmeticOperator::Subtract, left, right) => match (split_constant(left), &**right) {
            ((base, a), Expr::Constant(b)) => (base, a.saturating_sub(*b)),
            _ => (Some(expr.clone()), 0),
        },
        _ => (Some(expr.clone()), 0),
    }
}

/// Replaces a name in a condition.
fn replace_word(text: &str, name: &str, by: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        let is_whole = !before.chars().next_back().is_some_and(is_word) && !after.chars().next().is_some_and(is_word);
        result.push_str(before);
        result.push_str(if is_whole { by } else { name });
        rest = after;
    }
    result + rest
}
