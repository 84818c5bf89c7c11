//! Selects the rows to show: the first difference and the rows after it, up to a maximum.

use std::collections::VecDeque;

use super::diff_line::LinePair;

/// Receives all pairs, counts them, and keeps the few to show.
#[derive(Debug)]
pub(crate) struct DiffWindow<'a> {
    /// The pairs to show, and whether each is equal.
    pub(crate) shown: Vec<(LinePair<'a>, bool)>,
    pub(crate) differing: usize,
    pub(crate) total: usize,
    pub(crate) first: Option<usize>,
    max_rows: usize,
    context: usize,
    /// The last equal pairs that were not shown.
    pending_context: VecDeque<LinePair<'a>>,
    /// Number of equal pairs that can still follow the last difference.
    context_left: usize,
}

impl<'a> DiffWindow<'a> {
    /// Creates a window of `max_rows` rows. Context before a difference gets less than half of them, so that there is
    /// always room for the difference.
    pub(crate) fn new(max_rows: usize, context: usize) -> Self {
        let context = context.min(max_rows.saturating_sub(1) / 2);
        Self {
            shown: Vec::new(),
            differing: 0,
            total: 0,
            first: None,
            max_rows,
            context,
            pending_context: VecDeque::new(),
            context_left: 0,
        }
    }

    /// Adds the next pair.
    pub(crate) fn push_pair(&mut self, pair: LinePair<'a>, same: bool) {
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

    /// Shows an equal pair after a difference, else keeps it in case a difference follows.
    fn push_same(&mut self, pair: LinePair<'a>) {
        if self.context_left > 0 {
            self.context_left -= 1;
            self.shown.push((pair, true));
        } else if self.context > 0 {
            if self.pending_context.len() == self.context {
                self.pending_context.pop_front();
            }
            self.pending_context.push_back(pair);
        }
    }

    /// Shows a difference, after as much context as fits.
    fn push_different(&mut self, pair: LinePair<'a>) {
        let room = self.max_rows - self.shown.len() - 1;
        let unshown = self.pending_context.len().saturating_sub(room);
        self.shown.extend(self.pending_context.drain(..).skip(unshown).map(|pair| (pair, true)));
        self.shown.push((pair, false));
        self.context_left = self.context;
    }
}
