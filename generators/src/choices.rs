//! Every decision a generator takes, as a finite sequence of small draws.
//!
//! A generator asks a [`Choices`] for numbers below some limit and builds a value from the answers. Where the answers
//! come from is not its business: a seeded stream, a list written down earlier, or [`Exhaustive`](crate::Exhaustive)
//! walking through all of them. Whatever the source, a draw of zero stands for the simplest alternative (the value
//! nearest zero, the first item, "no", the order things already have), so a list of draws can be cut short and still
//! means something.
//!
//! Bounded draws, shuffles and weights are worked out here from the raw words of the cipher. The library's own range
//! sampling may change between its releases, and then the same seed would silently build other tests.
//!
//! *Invariant:* nothing else in the workspace names `rand` or `rand_chacha`.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The version of the mapping from a seed to values: it goes up whenever any shape draws differently than before.
pub const STREAM_VERSION: u32 = 7;

/// Fills the part of the cipher's key that the seed does not reach, so that seed 0 is not the all-zero key.
const KEY_PADDING: &[u8; 24] = b"rebut generators choices";

/// A sequence of draws: fresh from a seed, or replayed from a list.
#[derive(Debug, Clone)]
pub struct Choices {
    source: Source,
    record: Option<Record>,
    count: u64,
}

#[derive(Debug, Clone)]
enum Source {
    Fresh(Box<Words>),
    Replay(std::vec::IntoIter<u64>),
}

/// So many half words of the cipher are worked out at a time: as many as it makes at once by itself.
const HALVES: usize = 64;

/// The words of the cipher, in order, as halves. They lie ready to be taken: a draw is a few instructions, and what it
/// takes to have more of them stands apart.
#[derive(Debug, Clone)]
struct Words {
    cipher: ChaCha8Rng,
    ready: [u32; HALVES],
    taken: usize,
}

impl Words {
    /// Half a word: enough for nearly every draw.
    #[inline]
    fn half(&mut self) -> u32 {
        if self.taken >= HALVES {
            self.refill();
        }
        let half = self.ready[self.taken % HALVES];
        self.taken += 1;
        half
    }

    /// Two halves, the lower first.
    #[inline]
    fn next(&mut self) -> u64 {
        let low = self.half();
        u64::from(self.half()) << 32 | u64::from(low)
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self) {
        let mut bytes = [0; 4 * HALVES];
        self.cipher.fill_bytes(&mut bytes);
        for (half, bytes) in self.ready.iter_mut().zip(bytes.as_chunks().0) {
            *half = u32::from_le_bytes(*bytes);
        }
        self.taken = 0;
    }
}

/// What was drawn, each with the largest value it could have had.
#[derive(Debug, Clone, Default)]
struct Record {
    draws: Vec<u64>,
    tops: Vec<u64>,
}

impl Choices {
    /// Draws that depend on `seed` and `stream` alone. Different streams of one seed are independent, so each case of
    /// a run can own one, whatever thread computes it.
    #[must_use]
    pub fn fresh(seed: u64, stream: u64) -> Choices {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..].copy_from_slice(KEY_PADDING);
        let mut cipher = ChaCha8Rng::from_seed(key);
        cipher.set_stream(stream);
        let words = Words { cipher, ready: [0; HALVES], taken: HALVES };
        Choices { source: Source::Fresh(Box::new(words)), record: None, count: 0 }
    }

    /// Draws taken from `recorded`, each lowered to the largest value possible where it is used, and zeros once the
    /// list is used up. Any list of numbers is therefore a valid one.
    #[must_use]
    pub fn replay(recorded: Vec<u64>) -> Choices {
        Choices { source: Source::Replay(recorded.into_iter()), record: None, count: 0 }
    }

    /// The same choices, remembering what is drawn from now on. It is off otherwise, because a million draws cost
    /// sixteen megabytes that hardly any caller looks at.
    #[must_use]
    pub fn recording(mut self) -> Choices {
        self.record = Some(Record::default());
        self
    }

    /// What has been drawn since [`recording`](Choices::recording): replaying it gives the same values again.
    #[must_use]
    pub fn recorded(&self) -> &[u64] {
        self.record.as_ref().map_or(&[], |record| &record.draws)
    }

    /// How many draws there were so far: a measure of work that is the same on every machine.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// For each recorded draw, the largest value it could have had.
    pub(crate) fn recorded_tops(&self) -> &[u64] {
        self.record.as_ref().map_or(&[], |record| &record.tops)
    }

    /// Uniform in `0..n`, without bias; 0 if there is nothing to choose from.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        self.up_to(n.saturating_sub(1))
    }

    /// Uniform in the closed range `lo..=hi`, which may be as wide as the type; `lo` if the range is empty.
    /// The simplest value is the one nearest zero.
    #[inline]
    pub fn range(&mut self, lo: i128, hi: i128) -> i128 {
        if lo >= hi {
            return lo;
        }
        let offset = self.up_to_wide(hi.abs_diff(lo));
        nth_simplest(lo, hi, offset)
    }

    /// In the closed range `lo..=hi`, each order of magnitude about equally likely; `lo` if the range is empty.
    /// Magnitude is the distance from the value of the range nearest zero.
    pub fn log_range(&mut self, lo: i128, hi: i128) -> i128 {
        if lo >= hi {
            return lo;
        }
        let start = 0.clamp(lo, hi);
        let (up, down) = (hi.abs_diff(start), start.abs_diff(lo));
        let (above, below) = (bit_length(up), bit_length(down));
        if below == 0 || self.below(above + below) < above {
            start.wrapping_add_unsigned(self.magnitude(up))
        } else {
            start.wrapping_sub_unsigned(self.magnitude(down))
        }
    }

    /// An index into something of length `len`; 0 if that is empty.
    #[inline]
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// True `numerator` times out of `denominator`.
    #[inline]
    pub fn chance(&mut self, numerator: u32, denominator: u32) -> bool {
        let (numerator, denominator) = (u64::from(numerator), u64::from(denominator));
        // The yes side lies at the top, so that a zero says no.
        self.below(denominator) + numerator >= denominator && numerator > 0
    }

    /// An index, each with a probability in proportion to its weight; 0 if all weights are zero.
    #[inline]
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let total = weights.iter().copied().map(u64::from).sum();
        let mut rest = self.below(total);
        for (index, weight) in weights.iter().copied().map(u64::from).enumerate() {
            if rest < weight {
                return index;
            }
            rest -= weight;
        }
        0
    }

    /// Puts `items` in random order, every order equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let back = self.index(last + 1);
            items.swap(last, last - back);
        }
    }

    /// One of `items`, or nothing if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        let index = self.index(items.len());
        items.get(index)
    }

    /// Uniform in `0..=top`.
    #[inline]
    pub(crate) fn up_to(&mut self, top: u64) -> u64 {
        if top == 0 {
            return 0;
        }
        match (&mut self.source, &self.record) {
            (Source::Fresh(words), None) => {
                self.count += 1;
                unbiased(words, top)
            }
            _ => self.up_to_noted(top),
        }
    }

    /// The same where draws are replayed or recorded.
    #[inline(never)]
    fn up_to_noted(&mut self, top: u64) -> u64 {
        let drawn = match &mut self.source {
            Source::Fresh(words) => unbiased(words, top),
            Source::Replay(rest) => rest.next().unwrap_or(0).min(top),
        };
        self.note(drawn, top);
        drawn
    }

    /// Uniform in `0..=top`, but never `except`.
    pub(crate) fn up_to_except(&mut self, top: u8, except: u8) -> u8 {
        let skipping = self.below(u64::from(top)) as u8;
        if skipping < except { skipping } else { skipping + 1 }
    }

    /// Uniform in `0..=top`. A span of at most 64 bits, which is nearly every one, takes a single draw.
    #[inline]
    pub(crate) fn up_to_wide(&mut self, top: u128) -> u128 {
        match u64::try_from(top) {
            Ok(top) => u128::from(self.up_to(top)),
            Err(_) => self.two_words(top),
        }
    }

    /// Uniform in `0..=top` as two draws, the high half first. Only the accepted pair is recorded, so that a replay
    /// needs no second attempt.
    fn two_words(&mut self, top: u128) -> u128 {
        let (top_high, top_low) = ((top >> 64) as u64, top as u64);
        let (high, low) = match &mut self.source {
            Source::Fresh(words) => loop {
                let (high, low) = (unbiased(words, top_high), words.next());
                if high < top_high || low <= top_low {
                    break (high, low);
                }
            },
            Source::Replay(rest) => {
                let high = rest.next().unwrap_or(0).min(top_high);
                let low = rest.next().unwrap_or(0);
                (high, if high == top_high { low.min(top_low) } else { low })
            }
        };
        self.note(high, top_high);
        self.note(low, if high == top_high { top_low } else { u64::MAX });
        u128::from(high) << 64 | u128::from(low)
    }

    /// In `0..=top`, each bit length equally likely.
    pub(crate) fn magnitude(&mut self, top: u128) -> u128 {
        let bits = self.up_to(bit_length(top));
        if bits == 0 {
            return 0;
        }
        if let Ok(top) = u64::try_from(top) {
            // Shorter numbers take fewer steps, and nearly all are that short.
            let smallest = 1_u64 << (bits - 1);
            let largest = top.min(smallest | (smallest - 1));
            return u128::from(smallest + self.up_to(largest - smallest));
        }
        let smallest = 1_u128 << (bits - 1);
        let largest = top.min(smallest | (smallest - 1));
        smallest + self.up_to_wide(largest - smallest)
    }

    fn note(&mut self, drawn: u64, top: u64) {
        self.count += 1;
        if let Some(record) = &mut self.record {
            record.draws.push(drawn);
            record.tops.push(top);
        }
    }
}

/// Uniform in `0..=top`: the high part of a product, with the few words rejected that would make some results more
/// likely than others. Half a word does where so few results are possible that hardly any half is rejected.
#[inline]
fn unbiased(words: &mut Words, top: u64) -> u64 {
    if top >= u64::from(u16::MAX) {
        return unbiased_of_many(words, top);
    }
    let n = top as u32 + 1;
    let product = u64::from(words.half()) * u64::from(n);
    let product = if (product as u32) < n { accepted(words, product, n) } else { product };
    product >> 32
}

/// The first product, from this one on, that is not among the few that are rejected.
#[cold]
#[inline(never)]
fn accepted(words: &mut Words, mut product: u64, n: u32) -> u64 {
    let rejected = n.wrapping_neg() % n;
    while (product as u32) < rejected {
        product = u64::from(words.half()) * u64::from(n);
    }
    product
}

/// The same with whole words.
#[inline(never)]
fn unbiased_of_many(words: &mut Words, top: u64) -> u64 {
    let Some(n) = top.checked_add(1) else { return words.next() };
    let rejected = |low: u64| low < n && low < n.wrapping_neg() % n;
    loop {
        let product = u128::from(words.next()) * u128::from(n);
        if !rejected(product as u64) {
            return (product >> 64) as u64;
        }
    }
}

/// The value `offset` steps from the simplest one of `lo..=hi`: away from zero up to `hi` first, then down to `lo`.
#[inline]
pub(crate) fn nth_simplest(lo: i128, hi: i128, offset: u128) -> i128 {
    let start = 0.clamp(lo, hi);
    let above = hi.abs_diff(start);
    if offset <= above { start.wrapping_add_unsigned(offset) } else { start.wrapping_sub_unsigned(offset - above) }
}

fn bit_length(n: u128) -> u64 {
    u64::from(u128::BITS - n.leading_zeros())
}
