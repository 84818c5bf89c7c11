//! Texts that match a regular expression, and texts that must be distinct.

use super::instance::InstanceGenerator;
use super::text_space::{ShuffledTexts, TextSpace};
use crate::language::{Interval, TokenPattern};
use crate::value::Value;
use std::collections::HashSet;

/// Maximum number of tries at a text that must differ from all others.
const MAX_TRIES: usize = 400;

/// The same where all possible texts are known.
const MAX_KNOWN_SPACE_TRIES: usize = 12;

impl InstanceGenerator<'_, '_> {
    /// Draws a match with a length in the range, as near as possible to `wanted`. Returns the empty text if the
    /// pattern has no match of such a length.
    #[expect(clippy::expect_used, reason = "what is drawn is in its range, and the length is one that the pattern has")]
    pub(super) fn draw_match(&mut self, pattern: &TokenPattern, wanted: usize, range: Interval) -> Vec<u8> {
        let most = usize::try_from(range.hi).unwrap_or(usize::MAX).min(wanted.max(pattern.min_length()) * 2 + 64);
        let lengths = pattern.possible_lengths(most);
        let allowed = (0..lengths.len()).filter(|l| lengths[*l] && range.contains_value(*l as i128));
        let Some(length) = allowed.min_by_key(|l| l.abs_diff(wanted)) else { return Vec::new() };
        self.record_used_shape("matching");
        if self.choices.draw_chance(1, 2)
            && let Some(text) = self.draw_branch_match(pattern, wanted, range)
        {
            return text;
        }
        // Always the first or the last possible character: the simplest texts, and the plainest repetitions.
        let strategy = self.choices.draw_weighted(&[6, 1, 1]);
        let choices = &mut *self.choices;
        let mut pick = |n: usize| match strategy {
            1 => 0,
            2 => n - 1,
            _ => usize::try_from(choices.draw_range(0, n as i128 - 1)).expect("it is below a `usize`"),
        };
        pattern.draw_match(length, &mut pick).expect("the pattern has a match of this length")
    }

    /// Draws a match of a length in the range by choosing the branches of the expression at random.
    #[expect(clippy::expect_used, reason = "what is drawn is in its range")]
    fn draw_branch_match(&mut self, pattern: &TokenPattern, wanted: usize, range: Interval) -> Option<Vec<u8>> {
        const MAX_BRANCH_TRIES: usize = 4;
        let choices = &mut *self.choices;
        let mut pick = |n: usize| usize::try_from(choices.draw_range(0, n as i128 - 1)).expect("it is below a `usize`");
        let most = wanted.max(pattern.min_length());
        let fits = |text: &Vec<u8>| range.contains_value(text.len() as i128);
        (0..MAX_BRANCH_TRIES).find_map(|_| pattern.draw_branch(most, &mut pick).filter(fits))
    }

    /// Redraws the rows that equal an earlier one. A row that still does becomes another text of the `space`,
    /// if that is known. Does nothing if the space has too few texts.
    pub(super) fn make_rows_distinct(
        &mut self,
        rows: &mut Value,
        space: Option<&TextSpace>,
        mut redraw: impl FnMut(&mut Self, usize) -> Value,
    ) {
        let Value::List(rows) = rows else { return };
        if space.is_some_and(|space| space.text_count() < rows.len() as u128) {
            return;
        }
        let most = if space.is_some() { MAX_KNOWN_SPACE_TRIES } else { MAX_TRIES };
        let mut unused = None;
        let mut seen: HashSet<Value> = HashSet::new();
        for row in rows {
            let mut tries = 0;
            while seen.contains(row) && tries < most {
                *row = redraw(self, tries);
                tries += 1;
            }
            if let Some(space) = space.filter(|_| seen.contains(row)) {
                let unused = unused.get_or_insert_with(|| ShuffledTexts::new(space, self.choices));
                while let Some(text) = unused.next_text(self.choices).filter(|_| seen.contains(row)) {
                    *row = Value::Text(text.into());
                }
            }
            seen.insert(row.clone());
        }
    }
}
