//! Arrays, texts and boards, by shapes; and arrays whose sum is bounded.

use super::Failure;
use super::instance::{Maker, Partial};
use super::live::Live;
use super::texts::Texts;
use crate::format::{BlockId, Comparison, Expr, FieldId, Fold, Interval, Over, Sign, bounds_of};
use crate::value::{self, Characters, SHORT, Scope, Value};
use rebut_generators::{Sequence, TextShape};
use std::sync::Arc;

impl Maker<'_, '_> {
    /// Draws a field of one or more dimensions.
    pub(super) fn array(
        &mut self,
        field: FieldId,
        scope: &Scope<'_>,
        extra: &[Comparison],
        room: usize,
    ) -> Result<Value, Failure> {
        let format = self.plan.format;
        let sizes = self.sizes(field, scope, extra, room)?;
        let count = self.reserve_elements(field, &sizes)?;
        if let Some(letters) = format.field(field).letters() {
            return self.letters(letters, field, &sizes, scope, room);
        }
        if let ([rows, _], true) = (&*sizes, format.field(field).is_free()) {
            return self.free_rows(field, *rows, scope, room);
        }
        if count == 0 {
            // No element, so no bound on one.
            return Ok(nest(Vec::new(), &sizes));
        }
        if let Some(parents) = self.parents(field, count, scope) {
            return Ok(Value::Ints(parents));
        }
        Ok(nest(self.numbers(field, count, scope)?, &sizes))
    }

    /// Rows of numbers, each of a length of its own.
    fn free_rows(&mut self, field: FieldId, rows: usize, scope: &Scope<'_>, room: usize) -> Result<Value, Failure> {
        let lengths = self.row_lengths(field, rows, scope, room)?;
        let row = |length: usize| {
            let numbers = if length == 0 { Vec::new() } else { self.numbers(field, length, scope)? };
            Ok(Value::Ints(numbers))
        };
        Ok(Value::List(lengths.into_iter().map(row).collect::<Result<_, _>>()?))
    }

    /// So many numbers of a field, by a shape.
    fn numbers(&mut self, field: FieldId, count: usize, scope: &Scope<'_>) -> Result<Vec<i128>, Failure> {
        let range = self.range_left(field, scope, &[])?;
        Ok(self.numbers_within(field, count, range))
    }

    /// The same within a range.
    pub(super) fn numbers_within(&mut self, field: FieldId, count: usize, whole: Interval) -> Vec<i128> {
        let (unit, range) = self.unit(field, whole);
        let range = self.grown(field, range);
        let distinct = self.plan.is_distinct(field);
        // Distinct numbers need room: if the small range of an early input has too little, the whole one is taken.
        let is_narrow = distinct && range.hi - range.lo + 1 < count as i128;
        let (unit, range) = if is_narrow { (1, whole) } else { (unit, range) };
        let sequence = Sequence { len: count, lo: range.lo, hi: range.hi, hints: &self.settings.hints, distinct };
        let kept = self.habits.shapes(field).numbers;
        let shape = kept.unwrap_or_else(|| self.swarm.numbers(self.choices));
        self.use_shape(shape.name);
        let mut numbers = shape.make(self.choices, &sequence);
        match self.plan.order(field) {
            Some(Sign::Less | Sign::LessEqual) => numbers.sort_unstable(),
            Some(Sign::Greater | Sign::GreaterEqual) => numbers.sort_unstable_by(|a, b| b.cmp(a)),
            _ => {}
        }
        if unit != 1 {
            numbers.iter_mut().for_each(|n| *n *= unit);
        }
        numbers
    }

    /// The size of each dimension; a length that only the input tells is drawn for a text of one dimension, and
    /// stands as 0 for the rows of a text of several, which draw their own.
    fn sizes(
        &mut self,
        field: FieldId,
        scope: &Scope<'_>,
        extra: &[Comparison],
        room: usize,
    ) -> Result<Vec<usize>, Failure> {
        let rank = self.plan.format.field(field).dimensions.len();
        let mut sizes = Vec::with_capacity(rank);
        for dimension in 0..rank {
            match value::size(field, dimension, scope) {
                Ok(Some(size)) => sizes.push(size),
                Ok(None) if rank == 1 => sizes.push(self.free_length(field, scope, extra, room)),
                Ok(None) => sizes.push(0),
                Err(_) => return Err(Failure::no_size(self.plan.format, field)),
            }
        }
        Ok(sizes)
    }

    fn text(&mut self, field: FieldId, letters: &[u8], length: usize) -> Value {
        let shape = self.text_shape(field);
        Value::Text(self.text_of(shape, &Alphabet::new(letters), length))
    }

    /// The shape that the next text of a field has.
    pub(super) fn text_shape(&mut self, field: FieldId) -> &'static TextShape {
        let kept = self.habits.shapes(field).text;
        let shape = kept.unwrap_or_else(|| self.swarm.texts(self.choices));
        self.use_shape(shape.name);
        shape
    }

    /// Puts a text of a shape into its place.
    #[inline]
    pub(super) fn put_text_of(&mut self, shape: &TextShape, letters: &Alphabet, length: usize, place: &mut Value) {
        let text = self.text_of(shape, letters, length);
        match place {
            Value::Text(place) => *place = text,
            other => *other = Value::Text(text),
        }
    }

    #[inline]
    fn text_of(&mut self, shape: &TextShape, letters: &Alphabet, length: usize) -> Characters {
        if length <= SHORT {
            return Characters::from_buf_and_len(self.short_text(shape, letters, length), length);
        }
        let mut text = shape.make(self.choices, length, letters.count);
        letters.spell(&mut text);
        Characters::from_vec(text)
    }

    /// A text that is short.
    #[inline]
    pub(super) fn short_text(&mut self, shape: &TextShape, letters: &Alphabet, length: usize) -> [u8; SHORT] {
        let mut codes = [0; SHORT];
        shape.fill(self.choices, &mut codes[..length], letters.count);
        letters.spelt(&codes, length)
    }

    pub(super) fn board(&mut self, field: FieldId, letters: &[u8], rows: usize, columns: usize) -> Value {
        let kept = self.habits.shapes(field).board;
        let shape = kept.unwrap_or_else(|| self.swarm.boards(self.choices));
        self.use_shape(shape.name);
        let board = shape.make(self.choices, rows, columns, letters.len());
        let alphabet = Alphabet::new(letters);
        let spelt = |mut row: Vec<u8>| {
            alphabet.spell(&mut row);
            Value::Text(row.into())
        };
        Value::List(board.into_iter().map(spelt).collect())
    }

    /// Draws a text, or rows of texts.
    ///
    /// # Errors
    /// Returns an error if the input would take too much memory.
    fn letters(
        &mut self,
        letters: &[u8],
        field: FieldId,
        sizes: &[usize],
        scope: &Scope<'_>,
        room: usize,
    ) -> Result<Value, Failure> {
        match *sizes {
            [length] => Ok(self.word(letters, field, length)),
            [rows, columns] if !self.plan.format.field(field).is_free() && self.plan.pattern(field).is_none() => {
                let mut board = self.board(field, letters, rows, columns);
                if self.rows_differ(field) {
                    let space = Texts::new(letters, Interval::point(columns as i128), rows);
                    self.make_rows_differ(&mut board, Some(&space), |maker, _| maker.text(field, letters, columns));
                }
                Ok(board)
            }
            [rows, ref inner @ ..] => self.rows_of_letters(letters, field, (rows, inner), scope, room),
            [] => Ok(Value::Text(Characters::new())),
        }
    }

    /// Draws a text of one dimension.
    fn word(&mut self, letters: &[u8], field: FieldId, length: usize) -> Value {
        if let Some(hint) = self.hinted_word(letters, field, length) {
            return Value::Text(hint.into());
        }
        let Some(pattern) = self.plan.pattern(field) else { return self.text(field, letters, length) };
        let info = self.plan.format.field(field);
        let range = if info.is_free() { info.length } else { Interval::point(length as i128) };
        Value::Text(self.matching(pattern, length, range).into())
    }

    /// Now and then one of the words worth trying, or one that differs from it in a letter.
    fn hinted_word(&mut self, letters: &[u8], field: FieldId, length: usize) -> Option<Vec<u8>> {
        /// Longer words than were drawn are taken up to this length.
        const SHORT_WORD: usize = 24;
        let words = Arc::clone(&self.settings.words);
        if words.is_empty() || self.settings.extreme.is_some() || !self.choices.chance(1, 6) {
            return None;
        }
        let info = self.plan.format.field(field);
        let mut word = self.choices.pick(&words)?.clone();
        if !word.is_empty() && letters.len() > 1 && self.choices.chance(1, 4) {
            let (at, letter) = (self.choices.index(word.len()), self.choices.index(letters.len()));
            word[at] = letters[letter];
        }
        let is_open = info.is_free() && info.announced.is_none();
        let of_length = word.len() == length
            || is_open && info.length.contains(word.len() as i128) && word.len() <= length.max(SHORT_WORD);
        let matches = self.plan.pattern(field).is_none_or(|pattern| pattern.matches(&word));
        let fits = of_length && matches && word.iter().all(|letter| letters.contains(letter));
        fits.then(|| {
            self.use_shape("hinted");
            word
        })
    }

    /// Draws rows of texts, each of a length of its own where the field has no last size.
    fn rows_of_letters(
        &mut self,
        letters: &[u8],
        field: FieldId,
        (rows, inner): (usize, &[usize]),
        scope: &Scope<'_>,
        room: usize,
    ) -> Result<Value, Failure> {
        let pattern = self.plan.pattern(field);
        let free = self.plan.format.field(field).is_free();
        let share = room / rows.max(1);
        let lengths = if free && inner.len() == 1 { self.row_lengths(field, rows, scope, room)? } else { Vec::new() };
        let row = |i: usize| {
            let sizes = lengths.get(i).map_or(inner, std::slice::from_ref);
            self.letters(letters, field, sizes, scope, share)
        };
        let mut list = Value::List((0..rows).map(row).collect::<Result<_, _>>()?);
        if inner.len() == 1 && self.rows_differ(field) {
            let lengths = if free { self.lengths_left(field, scope, &[]) } else { Interval::point(inner[0] as i128) };
            let space = pattern.is_none().then(|| Texts::new(letters, lengths, rows));
            let most = usize::try_from(self.elements_left(field)).unwrap_or(usize::MAX);
            // Few texts of one length differ: later tries are of any length.
            self.make_rows_differ(&mut list, space.as_ref(), |maker, tries| {
                let length = match (free, tries) {
                    (false, _) => inner[0],
                    (true, ..8) => maker.free_length(field, scope, &[], share.max(1) + tries),
                    (true, _) => maker.any_length(field),
                };
                maker.word(letters, field, length.min(most))
            });
        }
        Ok(list)
    }

    /// A length that only the format's bounds restrict, and among them a short one.
    #[expect(clippy::expect_used, reason = "lengths that are stated are never negative")]
    fn any_length(&mut self, field: FieldId) -> usize {
        const SPAN: i128 = 12;
        let stated = self.plan.format.field(field).length;
        let length = self.choices.range(stated.lo, stated.hi.min(stated.lo.saturating_add(SPAN)).max(stated.lo));
        usize::try_from(length).expect("a length is not negative")
    }

    /// Moves the numbers of an array until their sum is where the constraints want it.
    pub(super) fn settle_sums(
        &mut self,
        block: BlockId,
        slots: &mut Partial,
        outer: Option<&Scope<'_>>,
        extra: &[Comparison],
    ) {
        let format = self.plan.format;
        let plan = self.plan;
        for field in plan.parts(block).arrays.iter().copied() {
            let bounds = || plan.sums(field).iter().copied().chain(extra.iter().filter_map(|c| sum_bound(field, c)));
            if bounds().next().is_none() {
                continue;
            }
            let slot = format.field(field).slot;
            let Some(mut value) = slots[slot].take() else { continue };
            let (wanted, range) = {
                let scope = self.scope(block, slots, outer);
                let live = Live { scope: &scope };
                let wanted = bounds().fold(Interval::ALL, |wanted, (sign, other)| {
                    crate::format::cut(wanted, sign, bounds_of(other, &live))
                });
                (wanted, self.range_left(field, &scope, extra).unwrap_or(format.field(field).range))
            };
            if wanted != Interval::ALL {
                self.move_sum(&mut value, wanted, range);
            }
            slots[slot] = Some(value);
        }
    }

    fn move_sum(&mut self, value: &mut Value, wanted: Interval, range: Interval) {
        let mut numbers: Vec<&mut i128> = Vec::new();
        collect(value, &mut numbers);
        let sum: i128 = numbers.iter().map(|n| **n).sum();
        let mut missing = wanted.nearest(sum) - sum;
        self.choices.shuffle(&mut numbers);
        // First in equal shares, so that no number alone is pushed to a bound; then whatever still fits.
        for share in [numbers.len().max(1) as i128, 1] {
            for number in &mut numbers {
                let step = if missing.abs() <= share { missing } else { missing / share };
                let moved = range.nearest(**number + step);
                missing -= moved - **number;
                **number = moved;
            }
        }
    }
}

/// The bound that a comparison puts on the sum of a field's elements.
pub(super) fn sum_bound(field: FieldId, comparison: &Comparison) -> Option<(Sign, &Expr)> {
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let is_sum = |e: &Expr| matches!(e, Expr::Fold(Fold::Sum, Over::Elements, inner) if **inner == Expr::Field(field));
    if is_sum(left) && !right.mentions(field) {
        return Some((comparison.sign, right));
    }
    (is_sum(right) && !left.mentions(field)).then_some((comparison.sign.mirrored(), left))
}

fn collect<'v>(value: &'v mut Value, numbers: &mut Vec<&'v mut i128>) {
    match value {
        Value::Int(number) => numbers.push(number),
        Value::Ints(row) => numbers.extend(row.iter_mut()),
        Value::List(rows) => rows.iter_mut().for_each(|row| collect(row, numbers)),
        Value::Text(_) | Value::Instances(_) | Value::Block(_) => {}
    }
}

/// The letters of texts, by their numbers.
#[derive(Debug)]
pub(super) struct Alphabet {
    /// So long that every number has its place.
    table: [u8; 256],
    count: usize,
}

impl Alphabet {
    pub(super) fn new(letters: &[u8]) -> Self {
        let mut table = [0; 256];
        table.iter_mut().zip(letters).for_each(|(place, letter)| *place = *letter);
        Alphabet { table, count: letters.len() }
    }

    /// Puts letters in place of their numbers.
    fn spell(&self, codes: &mut [u8]) {
        codes.iter_mut().for_each(|code| *code = self.letter(*code));
    }

    fn letter(&self, code: u8) -> u8 {
        self.table[usize::from(code)]
    }

    /// A short text. It is put together in words: then it is there at once for whoever takes it in words.
    fn spelt(&self, codes: &[u8; SHORT], length: usize) -> [u8; SHORT] {
        let mut spelt = [0; SHORT];
        let words = spelt.as_chunks_mut().0.iter_mut().zip(codes.as_chunks::<8>().0);
        for (word, codes) in words.take(length.div_ceil(8)) {
            let joined = codes.iter().rev().fold(0, |word, code| word << 8 | u64::from(self.letter(*code)));
            *word = joined.to_le_bytes();
        }
        spelt
    }
}

/// Numbers in rows of the given sizes.
pub(super) fn nest(numbers: Vec<i128>, sizes: &[usize]) -> Value {
    match sizes {
        [] | [_] => Value::Ints(numbers),
        [rows, inner @ ..] => {
            let each: usize = inner.iter().product();
            let row = |r: usize| nest(numbers[r * each..(r + 1) * each].to_vec(), inner);
            Value::List((0..*rows).map(row).collect())
        }
    }
}
