//! Texts that match a regular expression, and texts that must all differ.

use super::instance::Maker;
use super::texts::{Shuffled, Texts};
use crate::format::{FieldId, Interval, Over, Pattern, Rule};
use crate::value::Value;
use std::collections::HashSet;

/// So many texts are tried before one that differs from all others is given up.
const TRIES: usize = 400;

/// So many are tried where it is known which texts there are.
const SHAPED_TRIES: usize = 12;

impl Maker<'_, '_> {
    /// A match of a length in the range, as near to the wanted one as there is; the empty text if there is none.
    #[expect(clippy::expect_used, reason = "what is drawn is in its range, and the length is one that the pattern has")]
    pub(super) fn matching(&mut self, pattern: &Pattern, wanted: usize, range: Interval) -> Vec<u8> {
        let most = usize::try_from(range.hi).unwrap_or(usize::MAX).min(wanted.max(pattern.least_length()) * 2 + 64);
        let lengths = pattern.lengths(most);
        let allowed = (0..lengths.len()).filter(|l| lengths[*l] && range.contains(*l as i128));
        let Some(length) = allowed.min_by_key(|l| l.abs_diff(wanted)) else { return Vec::new() };
        self.use_shape("matching");
        if self.choices.chance(1, 2)
            && let Some(text) = self.branch_of(pattern, wanted, range)
        {
            return text;
        }
        // Always the first, or the last, that can come next: the simplest texts, and the plainest repetitions.
        let habit = self.choices.weighted(&[6, 1, 1]);
        let choices = &mut *self.choices;
        let mut pick = |n: usize| match habit {
            1 => 0,
            2 => n - 1,
            _ => usize::try_from(choices.range(0, n as i128 - 1)).expect("it is below a `usize`"),
        };
        pattern.draw(length, &mut pick).expect("the pattern has a match of this length")
    }

    /// A match drawn by the branches of the expression, of a length in the range.
    #[expect(clippy::expect_used, reason = "what is drawn is in its range")]
    fn branch_of(&mut self, pattern: &Pattern, wanted: usize, range: Interval) -> Option<Vec<u8>> {
        const BRANCH_TRIES: usize = 4;
        let choices = &mut *self.choices;
        let mut pick = |n: usize| usize::try_from(choices.range(0, n as i128 - 1)).expect("it is below a `usize`");
        let most = wanted.max(pattern.least_length());
        let fits = |text: &Vec<u8>| range.contains(text.len() as i128);
        (0..BRANCH_TRIES).find_map(|_| pattern.draw_branch(most, &mut pick).filter(fits))
    }

    /// Whether the rows of a text must differ as wholes.
    pub(super) fn rows_differ(&self, field: FieldId) -> bool {
        let differ = |rule: &Rule| matches!(rule, Rule::DistinctTexts(f, Over::Elements) if *f == field);
        self.plan.format.constraints.iter().any(|c| differ(&c.rule))
    }

    /// Draws rows again that occur before; what then still occurs before becomes another text of the `space`, if that is
    /// known. Where it holds too few, nothing is tried.
    pub(super) fn make_rows_differ(
        &mut self,
        rows: &mut Value,
        space: Option<&Texts>,
        mut redraw: impl FnMut(&mut Self, usize) -> Value,
    ) {
        let Value::List(rows) = rows else { return };
        if space.is_some_and(|space| space.count() < rows.len() as u128) {
            return;
        }
        let most = if space.is_some() { SHAPED_TRIES } else { TRIES };
        let mut unused = None;
        let mut seen: HashSet<Value> = HashSet::new();
        for row in rows {
            let mut tries = 0;
            while seen.contains(row) && tries < most {
                *row = redraw(self, tries);
                tries += 1;
            }
            if let Some(space) = space.filter(|_| seen.contains(row)) {
                let unused = unused.get_or_insert_with(|| Shuffled::new(space, self.choices));
                while let Some(text) = unused.next(self.choices).filter(|_| seen.contains(row)) {
                    *row = Value::Text(text.into());
                }
            }
            seen.insert(row.clone());
        }
    }
}
