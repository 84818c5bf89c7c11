//! Which rows to show: the first that differs, and what follows it, as far as there is room.

use std::collections::VecDeque;

use super::pairs::Pair;

/// Sees all pairs go by, counts them, keeps the few to show.
#[derive(Debug)]
pub(crate) struct Window<'a> {
    /// The pairs to show, and whether each is the same on both sides.
    pub(crate) shown: Vec<(Pair<'a>, bool)>,
    pub(crate) differing: usize,
    pub(crate) total: usize,
    pub(crate) first: Option<usize>,
    max_rows: usize,
    context: usize,
    /// The last pairs that were the same and were not shown.
    before: VecDeque<Pair<'a>>,
    /// How many pairs that are the same may still follow the last that differs.
    after: usize,
}

impl<'a> Window<'a> {
    /// A window of so many rows. What precedes a difference gets less than half of them, so that a
    /// difference is always among them.
    pub(crate) fn new(max_rows: usize, context: usize) -> Self {
        let context = context.min(max_rows.saturating_sub(1) / 2);
        Self {
            shown: Vec::new(),
            differing: 0,
            total: 0,
            first: None,
            max_rows,
            context,
            before: VecDeque::new(),
            after: 0,
        }
    }

    /// The next pair.
    pub(crate) fn push(&mut self, pair: Pair<'a>, same: bool) {
        self.total += 1;
        if !same {
            self.differing += 1;
            self.first.get_or_insert(pair.number);
        }
        if self.shown.len() >= self.max_rows {
            return;
        }
        if same { self.push_same(pair) } else { self.push_different(pair) }
    }

    /// Shown after a difference, else kept in case one follows.
    fn push_same(&mut self, pair: Pair<'a>) {
        if self.after > 0 {
            self.after -= 1;
            self.shown.push((pair, true));
        } else if self.context > 0 {
            if self.before.len() == self.context {
                self.before.pop_front();
            }
            self.before.push_back(pair);
        }
    }

    /// Shown, after as much of what precedes it as there is room for.
    fn push_different(&mut self, pair: Pair<'a>) {
        let room = self.max_rows - self.shown.len() - 1;
        let unshown = self.before.len().saturating_sub(room);
        self.shown.extend(self.before.drain(..).skip(unshown).map(|pair| (pair, true)));
        self.shown.push((pair, false));
        self.after = self.context;
    }
}
