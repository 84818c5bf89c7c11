//! The decisions of a generator, as a finite sequence of small draws.
//!
//! A generator draws numbers below given limits from [`Choices`] and builds a value from them. The draws come from a
//! seeded stream, from a recorded list, or from [`ExhaustiveChoices`](crate::ExhaustiveChoices), which enumerates all
//! sequences; the generator cannot tell which. In each case a draw of zero stands for the simplest alternative (the
//! value nearest zero, the first item, "no", the existing order), so a list of draws can be truncated and is still
//! valid.
//!
//! Bounded draws, shuffles and weighted choices are computed here from the raw words of the cipher. The range sampling
//! of the `rand` crate can change between releases, and then the same seed would silently generate other tests.
//!
//! *Invariant:* no other module of the workspace uses `rand` or `rand_chacha`.

use crate::tuning::BUFFERED_HALF_WORDS;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The version of the mapping from a seed to values. It is increased whenever a shape draws differently than before.
pub const STREAM_VERSION: u32 = 10;

/// Fills the part of the cipher's key that the seed does not cover, so that seed 0 is not the all-zero key.
const KEY_PADDING: &[u8; 24] = b"rebut generators choices";

/// A sequence of draws, either fresh from a seed or replayed from a list.
#[derive(Debug, Clone)]
pub struct Choices {
    source: DrawSource,
    record: Option<DrawRecord>,
    draw_count: u64,
}

#[derive(Debug, Clone)]
enum DrawSource {
    Fresh(Box<CipherWords>),
    Replay(std::vec::IntoIter<u64>),
}

/// The words of the cipher, in order, as 32-bit halves. They are buffered so that a draw takes a few instructions; the
/// code that refills the buffer is separate.
#[derive(Debug, Clone)]
struct CipherWords {
    cipher: ChaCha8Rng,
    buffer: [u32; BUFFERED_HALF_WORDS],
    consumed: usize,
}

impl CipherWords {
    /// Returns half a word, which is enough for nearly every draw.
    #[inline]
    fn next_half_word(&mut self) -> u32 {
        if self.consumed >= BUFFERED_HALF_WORDS {
            self.refill_buffer();
        }
        let half = self.buffer[self.consumed % BUFFERED_HALF_WORDS];
        self.consumed += 1;
        half
    }

    /// Returns a word of two halves, the lower first.
    #[inline]
    fn next_word(&mut self) -> u64 {
        let low = self.next_half_word();
        u64::from(self.next_half_word()) << 32 | u64::from(low)
    }

    #[cold]
    #[inline(never)]
    fn refill_buffer(&mut self) {
        let mut bytes = [0; 4 * BUFFERED_HALF_WORDS];
        self.cipher.fill_bytes(&mut bytes);
        for (half, bytes) in self.buffer.iter_mut().zip(bytes.as_chunks().0) {
            *half = u32::from_le_bytes(*bytes);
        }
        self.consumed = 0;
    }
}

/// The recorded draws, each with the largest value it could have had.
#[derive(Debug, Clone, Default)]
struct DrawRecord {
    draws: Vec<u64>,
    limits: Vec<u64>,
}

impl Choices {
    /// Creates choices that depend on `seed` and `stream` alone. Different streams of one seed are independent, so each
    /// case of a run can have its own, on any thread.
    #[must_use]
    pub fn from_seed(seed: u64, stream: u64) -> Choices {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..].copy_from_slice(KEY_PADDING);
        let mut cipher = ChaCha8Rng::from_seed(key);
        cipher.set_stream(stream);
        let words = CipherWords { cipher, buffer: [0; BUFFERED_HALF_WORDS], consumed: BUFFERED_HALF_WORDS };
        Choices { source: DrawSource::Fresh(Box::new(words)), record: None, draw_count: 0 }
    }

    /// Creates choices that replay `recorded`. Each draw is reduced to the largest value possible where it is used, and
    /// after the end of the list all draws are zero, so every list of numbers is valid.
    #[must_use]
    pub fn from_draws(recorded: Vec<u64>) -> Choices {
        Choices { source: DrawSource::Replay(recorded.into_iter()), record: None, draw_count: 0 }
    }

    /// Returns the same choices, recording all draws from now on. Recording is off by default, because a million draws
    /// take sixteen megabytes that few callers use.
    #[must_use]
    pub fn with_recording(mut self) -> Choices {
        self.record = Some(DrawRecord::default());
        self
    }

    /// Returns the draws since [`with_recording`](Choices::with_recording). Replaying them gives the same values.
    #[must_use]
    pub fn recorded_draws(&self) -> &[u64] {
        self.record.as_ref().map_or(&[], |record| &record.draws)
    }

    /// Returns the number of draws so far, a measure of work that is the same on every machine.
    #[must_use]
    pub fn draw_count(&self) -> u64 {
        self.draw_count
    }

    /// Returns the largest possible value of each recorded draw.
    pub(crate) fn recorded_limits(&self) -> &[u64] {
        self.record.as_ref().map_or(&[], |record| &record.limits)
    }

    /// Draws uniformly from `0..n`, without bias. Returns 0 if the range is empty.
    #[inline]
    pub fn draw_below(&mut self, n: u64) -> u64 {
        self.draw_up_to(n.saturating_sub(1))
    }

    /// Draws uniformly from the closed range `lo..=hi`, which can span the whole type. Returns `lo` if the range is
    /// empty. The simplest value is the one nearest zero.
    #[inline]
    pub fn draw_range(&mut self, lo: i128, hi: i128) -> i128 {
        if lo >= hi {
            return lo;
        }
        let offset = self.draw_up_to_wide(hi.abs_diff(lo));
        nth_simplest(lo, hi, offset)
    }

    /// Draws from the closed range `lo..=hi`, with each order of magnitude about equally likely. Returns `lo` if the
    /// range is empty. The magnitude is the distance from the value of the range nearest zero.
    pub fn draw_log_range(&mut self, lo: i128, hi: i128) -> i128 {
        if lo >= hi {
            return lo;
        }
        let start = 0.clamp(lo, hi);
        let (up, down) = (hi.abs_diff(start), start.abs_diff(lo));
        let (above, below) = (bit_length(up), bit_length(down));
        if below == 0 || self.draw_below(above + below) < above {
            start.wrapping_add_unsigned(self.draw_magnitude(up))
        } else {
            start.wrapping_sub_unsigned(self.draw_magnitude(down))
        }
    }

    /// Draws an index into a sequence of length `len`. Returns 0 if it is empty.
    #[inline]
    pub fn draw_index(&mut self, len: usize) -> usize {
        self.draw_below(len as u64) as usize
    }

    /// Returns true with probability `numerator / denominator`.
    #[inline]
    pub fn draw_chance(&mut self, numerator: u32, denominator: u32) -> bool {
        let (numerator, denominator) = (u64::from(numerator), u64::from(denominator));
        // The largest draws mean true, so that a zero means false.
        self.draw_below(denominator) + numerator >= denominator && numerator > 0
    }

    /// Draws an index with a probability in proportion to its weight. Returns 0 if all weights are zero.
    #[inline]
    pub fn draw_weighted(&mut self, weights: &[u32]) -> usize {
        let total = weights.iter().copied().map(u64::from).sum();
        let mut rest = self.draw_below(total);
        for (index, weight) in weights.iter().copied().map(u64::from).enumerate() {
            if rest < weight {
                return index;
            }
            rest -= weight;
        }
        0
    }

    /// Shuffles `items`; every order is equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let back = self.draw_index(last + 1);
            items.swap(last, last - back);
        }
    }

    /// Returns a random element of `items`, or `None` if they are empty.
    #[inline]
    pub fn pick_item<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        let index = self.draw_index(items.len());
        items.get(index)
    }

    /// Draws uniformly from `0..=top`.
    #[inline]
    pub(crate) fn draw_up_to(&mut self, top: u64) -> u64 {
        if top == 0 {
            return 0;
        }
        match (&mut self.source, &self.record) {
            (DrawSource::Fresh(words), None) => {
                self.draw_count += 1;
                draw_unbiased(words, top)
            }
            _ => self.draw_up_to_recorded(top),
        }
    }

    /// Draws like [`draw_up_to`](Self::draw_up_to) if draws are replayed or recorded.
    #[inline(never)]
    fn draw_up_to_recorded(&mut self, top: u64) -> u64 {
        let drawn = match &mut self.source {
            DrawSource::Fresh(words) => draw_unbiased(words, top),
            DrawSource::Replay(rest) => rest.next().unwrap_or(0).min(top),
        };
        self.record_draw(drawn, top);
        drawn
    }

    /// Draws uniformly from `0..=top` without `except`.
    pub(crate) fn draw_up_to_except(&mut self, top: u8, except: u8) -> u8 {
        debug_assert!(except <= top && top > 0, "another value is left");
        let skipping = self.draw_below(u64::from(top)) as u8;
        if skipping < except { skipping } else { skipping + 1 }
    }

    /// Draws uniformly from `0..=top`. A `top` of at most 64 bits, which is nearly every one, takes a single draw.
    #[inline]
    pub(crate) fn draw_up_to_wide(&mut self, top: u128) -> u128 {
        match u64::try_from(top) {
            Ok(top) => u128::from(self.draw_up_to(top)),
            Err(_) => self.draw_two_words(top),
        }
    }

    /// Draws uniformly from `0..=top` as two words, the high one first. Only the accepted pair is recorded, so that a
    /// replay needs no second attempt.
    fn draw_two_words(&mut self, top: u128) -> u128 {
        let (top_high, top_low) = ((top >> 64) as u64, top as u64);
        let (high, low) = match &mut self.source {
            DrawSource::Fresh(words) => loop {
                let (high, low) = (draw_unbiased(words, top_high), words.next_word());
                if high < top_high || low <= top_low {
                    break (high, low);
                }
            },
            DrawSource::Replay(rest) => {
                let high = rest.next().unwrap_or(0).min(top_high);
                let low = rest.next().unwrap_or(0);
                (high, if high == top_high { low.min(top_low) } else { low })
            }
        };
        self.record_draw(high, top_high);
        self.record_draw(low, if high == top_high { top_low } else { u64::MAX });
        u128::from(high) << 64 | u128::from(low)
    }

    /// Draws from `0..=top`, with each bit length equally likely.
    pub(crate) fn draw_magnitude(&mut self, top: u128) -> u128 {
        let bits = self.draw_up_to(bit_length(top));
        if bits == 0 {
            return 0;
        }
        if let Ok(top) = u64::try_from(top) {
            // Arithmetic with 64 bits is faster, and nearly all numbers fit.
            let smallest = 1_u64 << (bits - 1);
            let largest = top.min(smallest | (smallest - 1));
            return u128::from(smallest + self.draw_up_to(largest - smallest));
        }
        let smallest = 1_u128 << (bits - 1);
        let largest = top.min(smallest | (smallest - 1));
        smallest + self.draw_up_to_wide(largest - smallest)
    }

    fn record_draw(&mut self, drawn: u64, top: u64) {
        self.draw_count += 1;
        if let Some(record) = &mut self.record {
            record.draws.push(drawn);
            record.limits.push(top);
        }
    }
}

/// Draws uniformly from `0..=top`: the high part of a product, rejecting the few words that would make some results
/// more likely than others. For small ranges half a word is enough, because few halves are rejected.
#[inline]
fn draw_unbiased(words: &mut CipherWords, top: u64) -> u64 {
    if top >= u64::from(u16::MAX) {
        return draw_unbiased_wide(words, top);
    }
    let n = top as u32 + 1;
    let product = u64::from(words.next_half_word()) * u64::from(n);
    let product = if (product as u32) < n { redraw_rejected(words, product, n) } else { product };
    product >> 32
}

/// Returns the first product, starting with this one, that is not rejected.
#[cold]
#[inline(never)]
fn redraw_rejected(words: &mut CipherWords, mut product: u64, n: u32) -> u64 {
    let rejected = n.wrapping_neg() % n;
    while (product as u32) < rejected {
        product = u64::from(words.next_half_word()) * u64::from(n);
    }
    product
}

/// Like [`draw_unbiased`], with whole words.
#[inline(never)]
fn draw_unbiased_wide(words: &mut CipherWords, top: u64) -> u64 {
    let Some(n) = top.checked_add(1) else { return words.next_word() };
    let rejected = |low: u64| low < n && low < n.wrapping_neg() % n;
    loop {
        let product = u128::from(words.next_word()) * u128::from(n);
        if !rejected(product as u64) {
            return (product >> 64) as u64;
        }
    }
}

/// Returns the value `offset` steps from the simplest one of `lo..=hi`: away from zero up to `hi` first, then down to
/// `lo`.
#[inline]
pub(crate) fn nth_simplest(lo: i128, hi: i128, offset: u128) -> i128 {
    let start = 0.clamp(lo, hi);
    let above = hi.abs_diff(start);
    debug_assert!(offset <= hi.abs_diff(lo), "offsets are drawn below the width of the range");
    if offset <= above { start.wrapping_add_unsigned(offset) } else { start.wrapping_sub_unsigned(offset - above) }
}

fn bit_length(n: u128) -> u64 {
    u64::from(u128::BITS - n.leading_zeros())
}
