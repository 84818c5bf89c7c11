//! A buffered writer of decimal numbers, two digits at a time.
//!
//! Large inputs consist mostly of numbers. They are formatted into a small buffer that stays in the CPU cache, and
//! appended to the output in bulk.

/// Maximum length of a number: a sign and 39 digits.
const MAX_NUMBER_BYTES: usize = 40;

/// Maximum number of digits of a `u64`.
const MAX_U64_DIGITS: usize = 20;

/// Size of the buffer.
const BUFFER_BYTES: usize = 256;

/// The digits of the numbers below 100.
const DIGIT_PAIRS: [[u8; 2]; 100] = build_digit_pairs();

const fn build_digit_pairs() -> [[u8; 2]; 100] {
    let mut pairs = [[b'0'; 2]; 100];
    let mut i = 0;
    while i < pairs.len() {
        pairs[i] = [b'0' + i as u8 / 10, b'0' + i as u8 % 10];
        i += 1;
    }
    pairs
}

/// The digits of the numbers below 1000, with their count in the last byte: most numbers of small cases are that
/// short.
const PACKED_DIGITS: [u32; 1000] = build_packed_digits();

const fn build_packed_digits() -> [u32; 1000] {
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

/// Returns the digits of a number, if there is an entry for it.
#[inline]
fn packed_digits(number: i128) -> Option<u32> {
    PACKED_DIGITS.get(usize::try_from(number).ok()?).copied()
}

/// Returns the number of digits of an entry.
#[inline]
fn packed_length(short: u32) -> usize {
    (short >> 24) as usize
}

/// Appends numbers and bytes to an output through a small buffer.
pub struct ByteWriter<'o> {
    out: &'o mut Vec<u8>,
    buffer: [u8; BUFFER_BYTES],
    at: usize,
}

impl<'o> ByteWriter<'o> {
    /// Creates a writer with an empty buffer.
    pub fn new(out: &'o mut Vec<u8>) -> Self {
        ByteWriter { out, buffer: [0; BUFFER_BYTES], at: 0 }
    }

    /// Writes a number.
    #[inline]
    pub fn write_number(&mut self, number: i128) {
        let place = self.buffer.get_mut(self.at..self.at + 4);
        if let (Some(short), Some(place)) = (packed_digits(number), place) {
            // Copies a fixed number of bytes; the next write overwrites the excess.
            place.copy_from_slice(&short.to_le_bytes());
            self.at += packed_length(short);
        } else {
            self.write_long_number(number);
        }
    }

    /// Writes a number and the byte after it.
    #[inline]
    pub fn write_number_then(&mut self, number: i128, after: u8) {
        let place = self.buffer.get_mut(self.at..self.at + 4);
        if let (Some(short), Some(place)) = (packed_digits(number), place) {
            place.copy_from_slice(&short.to_le_bytes());
            place[packed_length(short) % 4] = after;
            self.at += packed_length(short) + 1;
        } else {
            self.write_long_number(number);
            self.write_byte(after);
        }
    }

    fn write_long_number(&mut self, number: i128) {
        if self.at + MAX_NUMBER_BYTES > BUFFER_BYTES {
            self.flush_buffer();
        }
        if number < 0 {
            self.buffer[self.at] = b'-';
            self.at += 1;
        }
        let magnitude = number.unsigned_abs();
        match u64::try_from(magnitude) {
            Ok(small) => self.write_digits(small),
            Err(_) => {
                let digits = magnitude.to_string();
                self.buffer[self.at..self.at + digits.len()].copy_from_slice(digits.as_bytes());
                self.at += digits.len();
            }
        }
    }

    fn write_digits(&mut self, number: u64) {
        let mut digits = [0; 2 * MAX_U64_DIGITS];
        let mut first = MAX_U64_DIGITS;
        let mut put = |pair: usize| {
            first -= 2;
            digits[first..first + 2].copy_from_slice(&DIGIT_PAIRS[pair]);
        };
        let mut large = number;
        while large > u64::from(u32::MAX) {
            put((large % 100) as usize);
            large /= 100;
        }
        // Most numbers are small, and 32-bit division is faster.
        let mut small = large as u32;
        while small >= 100 {
            put((small % 100) as usize);
            small /= 100;
        }
        put(small as usize);
        first += usize::from(small < 10);
        // A fixed number of bytes is a single move; the next write overwrites the excess.
        self.buffer[self.at..self.at + MAX_U64_DIGITS].copy_from_slice(&digits[first..first + MAX_U64_DIGITS]);
        self.at += MAX_U64_DIGITS - first;
    }

    /// Writes a byte.
    #[inline]
    pub fn write_byte(&mut self, character: u8) {
        if self.at == BUFFER_BYTES {
            self.flush_buffer();
        }
        self.buffer[self.at] = character;
        self.at += 1;
    }

    /// Writes bytes and the byte after them.
    #[inline]
    pub fn write_bytes_then(&mut self, characters: &[u8], after: u8) {
        let end = self.at + characters.len();
        if let Some([place @ .., last]) = self.buffer.get_mut(self.at..=end)
            && copy_short(place, characters)
        {
            *last = after;
            self.at = end + 1;
        } else {
            self.write_bytes(characters);
            self.write_byte(after);
        }
    }

    /// Writes the first `length` bytes of a short text and the byte after them.
    #[inline]
    pub fn write_prefix_then<const N: usize>(&mut self, characters: &[u8; N], length: usize, after: u8) {
        let length = length.min(N);
        if self.at + N >= BUFFER_BYTES {
            self.flush_buffer();
        }
        if let Some((place, [last, ..])) = self.buffer[self.at..].split_first_chunk_mut::<N>() {
            // Copies a fixed number of bytes; the next write overwrites the excess.
            *place = *characters;
            *place.get_mut(length).unwrap_or(last) = after;
            self.at += length + 1;
        }
    }

    /// Writes bytes.
    #[inline(never)]
    pub fn write_bytes(&mut self, characters: &[u8]) {
        if self.at + characters.len() > BUFFER_BYTES {
            self.flush_buffer();
        }
        match self.buffer.get_mut(self.at..self.at + characters.len()) {
            Some(place) => {
                place.copy_from_slice(characters);
                self.at += characters.len();
            }
            None => self.out.extend_from_slice(characters),
        }
    }

    /// Appends the buffered bytes to the output.
    pub fn flush_buffer(&mut self) {
        self.out.extend_from_slice(&self.buffer[..self.at]);
        self.at = 0;
    }
}

/// Copies up to sixteen bytes without calling `memcpy`. Returns false if there are more.
#[inline]
fn copy_short(to: &mut [u8], from: &[u8]) -> bool {
    /// Copies the first and the last `N` bytes, which overlap for short texts.
    #[inline]
    fn copy_both_ends<const N: usize>(to: &mut [u8], from: &[u8]) {
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
        2..4 => copy_both_ends::<2>(to, from),
        4..8 => copy_both_ends::<4>(to, from),
        8..=16 => copy_both_ends::<8>(to, from),
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
        let mut writer = ByteWriter::new(&mut out);
        for number in &numbers {
            writer.write_number(*number);
            writer.write_byte(b' ');
        }
        writer.flush_buffer();
        let expected: String = numbers.iter().map(|number| format!("{number} ")).collect();
        assert_eq!(String::from_utf8_lossy(&out), format!("> {expected}"));
    }

    #[test]
    fn characters_of_any_number_are_written_in_order() {
        for length in [0, 1, BUFFER_BYTES - 1, BUFFER_BYTES, BUFFER_BYTES + 1, 3 * BUFFER_BYTES] {
            let (mut out, mut expected) = (Vec::new(), Vec::new());
            let mut writer = ByteWriter::new(&mut out);
            for (i, letter) in (b'a'..=b'e').enumerate() {
                let text = vec![letter; if i % 2 == 0 { 3 } else { length }];
                writer.write_bytes(&text);
                writer.write_byte(b'\n');
                expected.extend([&*text, b"\n"].concat());
            }
            writer.flush_buffer();
            assert_eq!(out, expected);
        }
    }
}
