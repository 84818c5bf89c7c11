//! Arrays, texts and boards drawn by shapes, and arrays with a bounded sum.

use super::alphabet::Alphabet;
use super::budget::number_to_size;
use super::draft::DrawFailure;
use super::instance::InstanceGenerator;
use super::partial_ranges::PartialRanges;
use super::patterns::TextSpace;
use super::planning::sum_bound;
use super::scoped_draft::ScopedDraft;
use super::{GenerationError, NumberRanges};
use crate::language::{Comparison, ComparisonOperator, FieldDimension, FieldId, Interval, evaluate_range};
use crate::value::{self, MAX_INLINE_CHARACTERS, TextBytes, Value, ValueScope};
use rebut_generators::{Choices, SequenceRequirements, TextShape};
use std::borrow::Cow;

/// Minimum number of letters of an alphabet that are kept where all numbers are small.
const MIN_LETTERS: usize = 3;

/// Sorts numbers as their order demands, if they have one.
pub(super) fn put_in_order(numbers: &mut [i128], order: Option<ComparisonOperator>) {
    use ComparisonOperator::{Greater, GreaterEqual, Less, LessEqual};
    match order {
        Some(Less | LessEqual) => numbers.sort_unstable(),
        Some(Greater | GreaterEqual) => numbers.sort_unstable_by(|a, b| b.cmp(a)),
        _ => {}
    }
}

impl<'a> InstanceGenerator<'a, '_> {
    /// Draws a field of one or more dimensions.
    pub(super) fn draw_array(
        &mut self,
        field: FieldId,
        scope: &ValueScope<'_>,
        extra: &[Comparison],
        size_budget: usize,
    ) -> Result<Value, DrawFailure<'a>> {
        let format = self.plan.format;
        let sizes = self.dimension_sizes(field, scope, extra, size_budget)?;
        let count = self.memory.reserve_elements(self.plan.format, field, &sizes)?;
        if let Some(letters) = format.field(field).alphabet() {
            return Ok(self.draw_letter_field(letters, field, &sizes, scope, size_budget)?);
        }
        if let ([rows, _], true) = (&*sizes, format.field(field).has_free_length()) {
            return self.draw_free_rows(field, *rows, scope, size_budget);
        }
        if count == 0 {
            // Without elements, no bound on an element has to hold.
            return Ok(nest_rows(Vec::new(), &sizes));
        }
        if let Some(parents) = self.draw_parents(field, count, scope) {
            return Ok(Value::Ints(parents));
        }
        if let ([rows, columns], true) = (&*sizes, self.plan.field_plan(field).has_distinct_lines) {
            return Ok(nest_rows(self.draw_latin_rectangle(field, *rows, *columns, scope)?, &sizes));
        }
        Ok(nest_rows(self.draw_numbers(field, count, scope)?, &sizes))
    }

    /// Draws rows and columns of different numbers: a part of a square in which each row is the one before it, turned by one
    /// place, with its rows and columns in any order.
    fn draw_latin_rectangle(
        &mut self,
        field: FieldId,
        rows: usize,
        columns: usize,
        scope: &ValueScope<'_>,
    ) -> Result<Vec<i128>, DrawFailure<'a>> {
        let range = self.remaining_range(field, scope, &[])?;
        let size = rows.max(columns);
        let numbers = self.draw_sequence(field, size, range, true);
        let mut order = || {
            let mut order: Vec<usize> = (0..size).collect();
            self.choices.shuffle(&mut order);
            order
        };
        let (rows, columns) = (order()[..rows].to_vec(), order()[..columns].to_vec());
        Ok(rows
            .iter()
            .flat_map(|row| columns.iter().map(move |column| (row + column) % size))
            .map(|at| numbers[at])
            .collect())
    }

    /// Draws rows of numbers, each with its own length.
    fn draw_free_rows(
        &mut self,
        field: FieldId,
        rows: usize,
        scope: &ValueScope<'_>,
        size_budget: usize,
    ) -> Result<Value, DrawFailure<'a>> {
        let lengths = self.draw_row_lengths(field, rows, scope, size_budget)?;
        // Elements that must differ or be in order are so across rows as well.
        let is_joint = self.plan.is_distinct(field) || self.plan.format.element_order(field).is_some();
        let total: usize = lengths.iter().sum();
        if is_joint && total > 0 {
            let mut numbers = self.draw_numbers(field, total, scope)?.into_iter();
            let rows = lengths.into_iter().map(|length| Value::Ints(numbers.by_ref().take(length).collect()));
            return Ok(Value::List(rows.collect()));
        }
        let row = |length: usize| {
            let numbers = if length == 0 { Vec::new() } else { self.draw_numbers(field, length, scope)? };
            Ok(Value::Ints(numbers))
        };
        Ok(Value::List(lengths.into_iter().map(row).collect::<Result<_, DrawFailure<'a>>>()?))
    }

    /// Draws `count` numbers of a field by a shape.
    fn draw_numbers(
        &mut self,
        field: FieldId,
        count: usize,
        scope: &ValueScope<'_>,
    ) -> Result<Vec<i128>, DrawFailure<'a>> {
        let range = self.remaining_range(field, scope, &[])?;
        Ok(self.draw_numbers_within(field, count, range))
    }

    /// Draws `count` numbers of a field within a range.
    pub(super) fn draw_numbers_within(&mut self, field: FieldId, count: usize, whole: Interval) -> Vec<i128> {
        self.draw_sequence(field, count, whole, self.plan.is_distinct(field))
    }

    fn draw_sequence(&mut self, field: FieldId, count: usize, whole: Interval, distinct: bool) -> Vec<i128> {
        let (unit, range) = self.choose_unit(field, whole);
        let range = self.grow_field_range(field, range);
        // If the small range of early growth has too few distinct numbers, the whole one is used.
        let is_narrow = distinct && range.hi - range.lo + 1 < count as i128;
        let (unit, range) = if is_narrow { (1, whole) } else { (unit, range) };
        let sequence =
            SequenceRequirements { len: count, lo: range.lo, hi: range.hi, hints: &self.settings.hints, distinct };
        let kept = self.strategies.shape_strategy(field).numbers;
        let shape = kept.unwrap_or_else(|| self.swarm.pick_number_shape(self.choices));
        self.record_used_shape(shape.name);
        let mut numbers = shape.draw_sequence(self.choices, &sequence);
        put_in_order(&mut numbers, self.plan.format.element_order(field));
        if unit != 1 {
            numbers.iter_mut().for_each(|n| *n *= unit);
        }
        if let Some(filter) = self.plan.field_plan(field).filter.as_ref() {
            filter.move_numbers(&mut numbers, whole, distinct);
        }
        numbers
    }

    /// Returns the size of each dimension. A free length is drawn if there is only one dimension; otherwise it
    /// is 0 here, and each row draws its own.
    fn dimension_sizes(
        &mut self,
        field: FieldId,
        scope: &ValueScope<'_>,
        extra: &[Comparison],
        size_budget: usize,
    ) -> Result<Vec<usize>, GenerationError> {
        let rank = self.plan.format.field(field).dimensions.len();
        let mut sizes = Vec::with_capacity(rank);
        for dimension in 0..rank {
            match &self.plan.format.field(field).dimensions[dimension] {
                FieldDimension::Size(size) => {
                    let known = value::evaluate_number(size, scope).ok().and_then(number_to_size);
                    sizes.push(known.ok_or_else(|| GenerationError::for_missing_size(self.plan.format, field))?);
                }
                FieldDimension::Free if rank == 1 => {
                    sizes.push(self.draw_free_length(field, scope, extra, size_budget))
                }
                FieldDimension::Free => sizes.push(0),
            }
        }
        Ok(sizes)
    }

    pub(super) fn draw_text(&mut self, field: FieldId, letters: &[u8], length: usize) -> Value {
        let shape = self.choose_text_shape(field);
        Value::Text(self.draw_characters(shape, &Alphabet::new(letters), length))
    }

    pub(super) fn choose_text_shape(&mut self, field: FieldId) -> &'static TextShape {
        let kept = self.strategies.shape_strategy(field).text;
        let shape = kept.unwrap_or_else(|| self.swarm.pick_text_shape(self.choices));
        self.record_used_shape(shape.name);
        shape
    }

    #[inline]
    pub(super) fn store_text(&mut self, shape: &TextShape, letters: &Alphabet, length: usize, place: &mut Value) {
        let text = self.draw_characters(shape, letters, length);
        match place {
            Value::Text(place) => *place = text,
            other => *other = Value::Text(text),
        }
    }

    #[inline]
    fn draw_characters(&mut self, shape: &TextShape, letters: &Alphabet, length: usize) -> TextBytes {
        if length <= MAX_INLINE_CHARACTERS {
            return TextBytes::from_buf_and_len(self.draw_short_text(shape, letters, length), length);
        }
        let mut text = shape.draw_text(self.choices, length, letters.count());
        letters.spell_codes(&mut text);
        TextBytes::from_vec(text)
    }

    /// Draws a text of at most [`MAX_INLINE_CHARACTERS`] characters.
    #[inline]
    pub(super) fn draw_short_text(
        &mut self,
        shape: &TextShape,
        letters: &Alphabet,
        length: usize,
    ) -> [u8; MAX_INLINE_CHARACTERS] {
        let mut codes = [0; MAX_INLINE_CHARACTERS];
        shape.fill_text(self.choices, &mut codes[..length], letters.count());
        letters.spell_short_text(&codes, length)
    }

    pub(super) fn draw_board(&mut self, field: FieldId, letters: &[u8], rows: usize, columns: usize) -> Value {
        let kept = self.strategies.shape_strategy(field).board;
        let shape = kept.unwrap_or_else(|| self.swarm.pick_board_shape(self.choices));
        self.record_used_shape(shape.name);
        let board = shape.draw_board(self.choices, rows, columns, letters.len());
        let alphabet = Alphabet::new(letters);
        let spelt = |mut row: Vec<u8>| {
            alphabet.spell_codes(&mut row);
            Value::Text(row.into())
        };
        Value::List(board.into_iter().map(spelt).collect())
    }

    /// Draws a text, or rows of texts.
    ///
    /// # Errors
    /// Returns an error if the input would take too much memory.
    fn draw_letter_field(
        &mut self,
        letters: &[u8],
        field: FieldId,
        sizes: &[usize],
        scope: &ValueScope<'_>,
        size_budget: usize,
    ) -> Result<Value, GenerationError> {
        let letters = &*self.reachable_letters(letters);
        match *sizes {
            [length] => Ok(self.draw_word(letters, field, length)),
            [rows, columns]
                if !self.plan.format.field(field).has_free_length()
                    && self.plan.format.text_pattern(field).is_none() =>
            {
                let mut board = self.draw_board(field, letters, rows, columns);
                if self.plan.format.requires_distinct_rows(field) {
                    let space = TextSpace::new(letters, Interval::from_value(columns as i128), rows);
                    self.make_rows_distinct(&mut board, Some(&space), |generator, _| {
                        generator.draw_text(field, letters, columns)
                    });
                }
                Ok(board)
            }
            [rows, ref inner @ ..] => self.draw_text_rows(letters, field, (rows, inner), scope, size_budget),
            [] => Ok(Value::Text(TextBytes::new())),
        }
    }

    /// Returns the part of an alphabet that texts are drawn from: all letters, those that the settings prefer, or as few as the
    /// numbers of an input with small numbers.
    fn reachable_letters<'l>(&self, letters: &'l [u8]) -> Cow<'l, [u8]> {
        let hinted = letters.iter().filter(|letter| self.settings.letters.contains(letter)).count();
        if hinted > 0 && hinted < letters.len() {
            // The first letter stands for those that the sources do not mention.
            let is_kept = |(at, letter): &(usize, &u8)| *at == 0 || self.settings.letters.contains(letter);
            return letters.iter().enumerate().filter(is_kept).map(|(_, letter)| *letter).collect();
        }
        let few = match self.settings.numbers {
            NumberRanges::Near(distance) => usize::try_from(distance).unwrap_or(usize::MAX).max(MIN_LETTERS),
            NumberRanges::Plain { letters, .. } => letters,
            NumberRanges::Growing | NumberRanges::NearEach(_) | NumberRanges::Extreme => letters.len(),
        };
        Cow::Borrowed(&letters[..few.min(letters.len())])
    }

    /// Returns the part of an alphabet that texts are drawn from.
    pub(super) fn reachable_alphabet<'l>(&self, letters: &'l Alphabet) -> Cow<'l, Alphabet> {
        match self.reachable_letters(letters.letters()) {
            reachable if reachable.len() == letters.count() => Cow::Borrowed(letters),
            reachable => Cow::Owned(Alphabet::new(&reachable)),
        }
    }

    /// Draws a text of one dimension.
    fn draw_word(&mut self, letters: &[u8], field: FieldId, length: usize) -> Value {
        if let Some(hint) = self.draw_dictionary_word(letters, field, length) {
            return Value::Text(hint.into());
        }
        let Some(pattern) = self.plan.format.text_pattern(field) else {
            let mut text = self.draw_text(field, letters, length);
            if let (true, Value::Text(text)) = (self.plan.is_distinct(field), &mut text) {
                replace_repeated_letters(text, letters, self.choices);
            }
            return text;
        };
        let info = self.plan.format.field(field);
        let range = if info.has_free_length() { info.length } else { Interval::from_value(length as i128) };
        Value::Text(self.draw_match(pattern, length, range).into())
    }

    /// Returns true if some texts are words of the dictionary.
    pub(super) fn has_dictionary(&self) -> bool {
        !self.settings.dictionary.is_empty() && self.settings.extreme.is_none()
    }

    /// Now and then draws a word of the dictionary, possibly with one letter changed.
    pub(super) fn draw_dictionary_word(&mut self, letters: &[u8], field: FieldId, length: usize) -> Option<Vec<u8>> {
        /// Maximum length of words that may be longer than the drawn length.
        const MAX_SHORT_WORD: usize = 24;
        let words = &self.settings.dictionary;
        if !self.has_dictionary() || !self.choices.draw_chance(1, 6) {
            return None;
        }
        let info = self.plan.format.field(field);
        // Phrases are for texts with spaces.
        let has_spaces = letters.contains(&b' ');
        let words: Vec<&Vec<u8>> = words.iter().filter(|word| has_spaces || !word.contains(&b' ')).collect();
        let mut word = self.choices.pick_item(&words)?.to_vec();
        if !word.is_empty() && letters.len() > 1 && self.choices.draw_chance(1, 4) {
            let (at, letter) = (self.choices.draw_index(word.len()), self.choices.draw_index(letters.len()));
            word[at] = letters[letter];
        }
        let is_open = info.has_free_length() && info.announced_length.is_none();
        let of_length = word.len() == length
            || is_open && info.length.contains_value(word.len() as i128) && word.len() <= length.max(MAX_SHORT_WORD);
        let matches = self.plan.format.text_pattern(field).is_none_or(|pattern| pattern.is_match(&word));
        let fits = of_length && matches && word.iter().all(|letter| letters.contains(letter));
        fits.then(|| {
            self.record_used_shape("hinted");
            word
        })
    }

    /// Draws rows of texts, each with its own length if the last size of the field is free.
    fn draw_text_rows(
        &mut self,
        letters: &[u8],
        field: FieldId,
        (rows, inner): (usize, &[usize]),
        scope: &ValueScope<'_>,
        size_budget: usize,
    ) -> Result<Value, GenerationError> {
        let pattern = self.plan.format.text_pattern(field);
        let free = self.plan.format.field(field).has_free_length();
        let share = size_budget / rows.max(1);
        let lengths =
            if free && inner.len() == 1 { self.draw_row_lengths(field, rows, scope, size_budget)? } else { Vec::new() };
        if !lengths.is_empty()
            && let Some(texts) = self.draw_distinct_rows(letters, field, &lengths, scope)
        {
            return Ok(texts);
        }
        let row = |i: usize| {
            let sizes = lengths.get(i).map_or(inner, std::slice::from_ref);
            self.draw_letter_field(letters, field, sizes, scope, share)
        };
        let mut list = Value::List((0..rows).map(row).collect::<Result<_, _>>()?);
        if inner.len() == 1 && self.plan.format.requires_distinct_rows(field) {
            let lengths =
                if free { self.remaining_lengths(field, scope, &[]) } else { Interval::from_value(inner[0] as i128) };
            let space = pattern.is_none().then(|| TextSpace::new(letters, lengths, rows));
            let most =
                usize::try_from(self.memory.max_remaining_elements(self.plan.format, field)).unwrap_or(usize::MAX);
            // Only few texts of one length exist: later tries have any length.
            self.make_rows_distinct(&mut list, space.as_ref(), |generator, tries| {
                let length = match (free, tries) {
                    (false, _) => inner[0],
                    (true, ..8) => generator.draw_free_length(field, scope, &[], share.max(1) + tries),
                    (true, _) => generator.draw_any_length(field),
                };
                generator.draw_word(letters, field, length.min(most))
            });
        }
        Ok(list)
    }

    /// Draws any length within the format's bounds, but a short one.
    #[expect(clippy::expect_used, reason = "lengths that are stated are never negative")]
    fn draw_any_length(&mut self, field: FieldId) -> usize {
        const MAX_LENGTH_SPAN: i128 = 12;
        let declared = self.plan.format.field(field).length;
        let length = self
            .choices
            .draw_range(declared.lo, declared.hi.min(declared.lo.saturating_add(MAX_LENGTH_SPAN)).max(declared.lo));
        usize::try_from(length).expect("a length is not negative")
    }

    /// Moves the numbers of an array until their sum satisfies the constraints.
    pub(super) fn repair_sums(&mut self, draft: &mut ScopedDraft<'_>) {
        let (plan, format) = (self.plan, self.plan.format);
        for field in plan.block_plan(draft.block).arrays.iter().copied() {
            let slot = format.field(field).slot;
            let is_bounded = |limit: &Comparison| sum_bound(field, limit).is_some();
            if plan.field_plan(field).sum_bounds.is_empty() && !draft.limits().iter().any(is_bounded) {
                continue;
            }
            let Some(mut value) = draft.slots[slot].take() else { continue };
            let (wanted, range) = {
                let (scope, limits) = (draft.as_scope(format), draft.limits());
                let ranges = PartialRanges::new(&scope);
                let bounds = plan.field_plan(field).sum_bounds.iter().copied();
                let bounds = bounds.chain(limits.iter().filter_map(|limit| sum_bound(field, limit)));
                let wanted = bounds.fold(Interval::ALL, |wanted, (sign, other)| {
                    crate::language::narrow_by_operator(wanted, sign, evaluate_range(other, &ranges))
                });
                (wanted, self.remaining_range(field, &scope, limits).unwrap_or(format.field(field).range))
            };
            if wanted != Interval::ALL && plan.is_distinct(field) {
                shift_distinct_to_sum(&mut value, wanted, range);
            } else if wanted != Interval::ALL {
                self.shift_to_sum(&mut value, wanted, range);
            }
            draft.slots[slot] = Some(value);
        }
    }

    fn shift_to_sum(&mut self, value: &mut Value, wanted: Interval, range: Interval) {
        let mut numbers: Vec<&mut i128> = Vec::new();
        collect_numbers(value, &mut numbers);
        let sum: i128 = numbers.iter().map(|n| **n).sum();
        let mut missing = wanted.clamp_value(sum) - sum;
        self.choices.shuffle(&mut numbers);
        // First in equal shares, so that no single number is pushed to a bound; then by as much as still fits.
        for share in [numbers.len().max(1) as i128, 1] {
            for number in &mut numbers {
                let step = if missing.abs() <= share { missing } else { missing / share };
                let moved = range.clamp_value(**number + step);
                missing -= moved - **number;
                **number = moved;
            }
        }
    }
}

/// Replaces each letter that occurs before by one that does not occur yet, as long as there are any.
fn replace_repeated_letters(text: &mut [u8], letters: &[u8], choices: &mut Choices) {
    let mut unused: Vec<u8> = letters.iter().copied().filter(|letter| !text.contains(letter)).collect();
    choices.shuffle(&mut unused);
    for at in 0..text.len() {
        if text[..at].contains(&text[at])
            && let Some(letter) = unused.pop()
        {
            text[at] = letter;
        }
    }
}

/// Moves different numbers until their sum is in a range, if that is possible. Their order stays, and so do their
/// differences as far as possible: to make the sum smaller, the smallest numbers move first.
fn shift_distinct_to_sum(value: &mut Value, wanted: Interval, range: Interval) {
    let mut numbers: Vec<&mut i128> = Vec::new();
    collect_numbers(value, &mut numbers);
    numbers.sort();
    if numbers.windows(2).any(|pair| pair[0] == pair[1]) {
        return;
    }
    let sum = numbers.iter().fold(0_i128, |sum, number| sum.saturating_add(**number));
    let mut missing = wanted.clamp_value(sum).saturating_sub(sum);
    // Numbers that need not move stay, since nothing is missing by then.
    let is_less = missing < 0;
    for (number, rank) in numbers.iter_mut().zip(0..).filter(|_| is_less) {
        let moved = number.saturating_add(missing).max(range.lo + rank).min(**number);
        missing += **number - moved;
        **number = moved;
    }
    for (number, above) in numbers.iter_mut().rev().zip(0..).filter(|_| !is_less) {
        let moved = number.saturating_add(missing).min(range.hi - above).max(**number);
        missing -= moved - **number;
        **number = moved;
    }
}

fn collect_numbers<'v>(value: &'v mut Value, numbers: &mut Vec<&'v mut i128>) {
    match value {
        Value::Int(number) => numbers.push(number),
        Value::Ints(row) => numbers.extend(row.iter_mut()),
        Value::List(rows) => rows.iter_mut().for_each(|row| collect_numbers(row, numbers)),
        Value::Text(_) | Value::Instances(_) | Value::Block(_) => {}
    }
}

pub(super) fn nest_rows(numbers: Vec<i128>, sizes: &[usize]) -> Value {
    match sizes {
        [] | [_] => Value::Ints(numbers),
        [rows, inner @ ..] => {
            let each: usize = inner.iter().product();
            let row = |r: usize| nest_rows(numbers[r * each..(r + 1) * each].to_vec(), inner);
            Value::List((0..*rows).map(row).collect())
        }
    }
}
