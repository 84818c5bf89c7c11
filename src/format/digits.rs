//! Decimal digits, two at a time.
//!
//! Large inputs are little else than numbers: they are put together in a piece of memory that stays in the cache, and
//! move from there to the end of what is written many at once.

/// A number has a sign and 39 digits at most.
const LONGEST: usize = 40;

/// Digits of a number of one word.
const MOST_DIGITS: usize = 20;

/// So much is put together before it moves.
const PIECE: usize = 256;

/// The digits of the numbers below 100.
const PAIRS: [[u8; 2]; 100] = pairs();

const fn pairs() -> [[u8; 2]; 100] {
    let mut pairs = [[b'0'; 2]; 100];
    let mut i = 0;
    while i < pairs.len() {
        pairs[i] = [b'0' + i as u8 / 10, b'0' + i as u8 % 10];
        i += 1;
    }
    pairs
}

/// The digits of the numbers below 1000, each with their count in the last byte: most numbers of small cases are that short.
const SHORT: [u32; 1000] = short();

const fn short() -> [u32; 1000] {
    let mut short = [0; 1000];
    let mut i = 0;
    while i < short.len() {
        let [hundreds, tens, ones] = [b'0' + (i / 100) as u8, b'0' + (i / 10 % 10) as u8, b'0' + (i % 10) as u8];
        short[i] = u32::from_le_bytes(match i {
            0..10 => [ones, 0, 0, 1],
            10..100 => [tens, ones, 0, 2],
            _ => [hundreds, tens, ones, 3],
        });
        i += 1;
    }
    short
}

/// The digits of a number, if there is an entry for it.
#[inline]
fn short_of(number: i128) -> Option<u32> {
    SHORT.get(usize::try_from(number).ok()?).copied()
}

/// How many digits an entry has.
#[inline]
fn count(short: u32) -> usize {
    (short >> 24) as usize
}

/// Numbers and single characters on their way to the end of some bytes.
pub struct Tape<'o> {
    out: &'o mut Vec<u8>,
    piece: [u8; PIECE],
    at: usize,
}

impl<'o> Tape<'o> {
    /// Nothing is written yet.
    pub fn new(out: &'o mut Vec<u8>) -> Self {
        Tape { out, piece: [0; PIECE], at: 0 }
    }

    /// A number.
    #[inline]
    pub fn number(&mut self, number: i128) {
        let place = self.piece.get_mut(self.at..self.at + 4);
        if let (Some(short), Some(place)) = (short_of(number), place) {
            // The next one covers what is too much.
            place.copy_from_slice(&short.to_le_bytes());
            self.at += count(short);
        } else {
            self.long_number(number);
        }
    }

    /// A number and the character behind it.
    #[inline]
    pub fn number_and(&mut self, number: i128, after: u8) {
        let place = self.piece.get_mut(self.at..self.at + 4);
        if let (Some(short), Some(place)) = (short_of(number), place) {
            place.copy_from_slice(&short.to_le_bytes());
            place[count(short) % 4] = after;
            self.at += count(short) + 1;
        } else {
            self.long_number(number);
            self.character(after);
        }
    }

    fn long_number(&mut self, number: i128) {
        if self.at + LONGEST > PIECE {
            self.flush();
        }
        if number < 0 {
            self.piece[self.at] = b'-';
            self.at += 1;
        }
        let magnitude = number.unsigned_abs();
        match u64::try_from(magnitude) {
            Ok(small) => self.digits(small),
            Err(_) => {
                let digits = magnitude.to_string();
                self.piece[self.at..self.at + digits.len()].copy_from_slice(digits.as_bytes());
                self.at += digits.len();
            }
        }
    }

    fn digits(&mut self, number: u64) {
        let mut digits = [0; 2 * MOST_DIGITS];
        let mut first = MOST_DIGITS;
        let mut put = |pair: usize| {
            first -= 2;
            digits[first..first + 2].copy_from_slice(&PAIRS[pair]);
        };
        let mut large = number;
        while large > u64::from(u32::MAX) {
            put((large % 100) as usize);
            large /= 100;
        }
        // Most numbers are small, and small ones are divided faster.
        let mut small = large as u32;
        while small >= 100 {
            put((small % 100) as usize);
            small /= 100;
        }
        put(small as usize);
        first += usize::from(small < 10);
        // As many bytes for each number: that is one move, and the next number covers what is too much.
        self.piece[self.at..self.at + MOST_DIGITS].copy_from_slice(&digits[first..first + MOST_DIGITS]);
        self.at += MOST_DIGITS - first;
    }

    /// A single character.
    #[inline]
    pub fn character(&mut self, character: u8) {
        if self.at == PIECE {
            self.flush();
        }
        self.piece[self.at] = character;
        self.at += 1;
    }

    /// Characters and the one behind them.
    #[inline]
    pub fn characters_and(&mut self, characters: &[u8], after: u8) {
        let end = self.at + characters.len();
        if let Some([place @ .., last]) = self.piece.get_mut(self.at..=end)
            && copy_few(place, characters)
        {
            *last = after;
            self.at = end + 1;
        } else {
            self.characters(characters);
            self.character(after);
        }
    }

    /// So many of the characters of a short text, and the one behind them.
    #[inline]
    pub fn short_and<const N: usize>(&mut self, characters: &[u8; N], length: usize, after: u8) {
        let length = length.min(N);
        if self.at + N >= PIECE {
            self.flush();
        }
        if let Some((place, [last, ..])) = self.piece[self.at..].split_first_chunk_mut::<N>() {
            // The next one covers what is too much.
            *place = *characters;
            *place.get_mut(length).unwrap_or(last) = after;
            self.at += length + 1;
        }
    }

    /// Characters as they are.
    #[inline(never)]
    pub fn characters(&mut self, characters: &[u8]) {
        if self.at + characters.len() > PIECE {
            self.flush();
        }
        match self.piece.get_mut(self.at..self.at + characters.len()) {
            Some(place) => {
                place.copy_from_slice(characters);
                self.at += characters.len();
            }
            None => self.out.extend_from_slice(characters),
        }
    }

    /// Moves everything to where it belongs.
    pub fn flush(&mut self) {
        self.out.extend_from_slice(&self.piece[..self.at]);
        self.at = 0;
    }
}

/// Copies at most sixteen bytes, without asking anybody else to; whether there are so few.
#[inline]
fn copy_few(to: &mut [u8], from: &[u8]) -> bool {
    /// Two words cover all, and overlap if they have to.
    #[inline]
    fn ends<const N: usize>(to: &mut [u8], from: &[u8]) {
        if let (Some(first), Some(last)) = (from.first_chunk::<N>(), from.last_chunk::<N>())
            && let Some(at) = to.len().checked_sub(N)
        {
            to[..N].copy_from_slice(first);
            to[at..].copy_from_slice(last);
        }
    }
    match from.len() {
        0 => {}
        1 => to[0] = from[0],
        2..4 => ends::<2>(to, from),
        4..8 => ends::<4>(to, from),
        8..=16 => ends::<8>(to, from),
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_lengths_are_written() {
        let powers = || (0..38).map(|e| 10_i128.pow(e));
        let near = powers().flat_map(|power| [power - 1, power, power + 1, 7 * power / 3]);
        let numbers = near.flat_map(|n| [n, -n]).chain([i128::MAX, i128::MIN]).chain(0..=1001);
        let numbers: Vec<i128> = numbers.collect();
        let mut out = b"> ".to_vec();
        let mut tape = Tape::new(&mut out);
        for number in &numbers {
            tape.number(*number);
            tape.character(b' ');
        }
        tape.flush();
        let expected: String = numbers.iter().map(|number| format!("{number} ")).collect();
        assert_eq!(String::from_utf8_lossy(&out), format!("> {expected}"));
    }

    #[test]
    fn characters_of_any_number_are_written_in_order() {
        for length in [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE] {
            let (mut out, mut expected) = (Vec::new(), Vec::new());
            let mut tape = Tape::new(&mut out);
            for (i, letter) in (b'a'..=b'e').enumerate() {
                let text = vec![letter; if i % 2 == 0 { 3 } else { length }];
                tape.characters(&text);
                tape.character(b'\n');
                expected.extend([&*text, b"\n"].concat());
            }
            tape.flush();
            assert_eq!(out, expected);
        }
    }
}
