//! Decimal digits, two at a time.
//!
//! Large inputs are little else than numbers: they are put together in a piece of memory that stays in the cache, and
//! move from there to the end of what is written many at once.

/// A number has a sign and 39 digits at most.
const LONGEST: usize = 40;

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
    pub fn number(&mut self, number: i128) {
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

    fn digits(&mut self, mut number: u64) {
        let count = number.checked_ilog10().unwrap_or(0) as usize + 1;
        let mut pairs = self.piece[self.at..self.at + count].rchunks_exact_mut(2);
        self.at += count;
        for pair in pairs.by_ref() {
            pair.copy_from_slice(&PAIRS[(number % 100) as usize]);
            number /= 100;
        }
        if let [first] = pairs.into_remainder() {
            *first = b'0' + number as u8;
        }
    }

    /// A single character.
    pub fn character(&mut self, character: u8) {
        if self.at == PIECE {
            self.flush();
        }
        self.piece[self.at] = character;
        self.at += 1;
    }

    /// Moves everything to where it belongs.
    pub fn flush(&mut self) {
        self.out.extend_from_slice(&self.piece[..self.at]);
        self.at = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_lengths_are_written() {
        let powers = || (0..38).map(|e| 10_i128.pow(e));
        let near = powers().flat_map(|power| [power - 1, power, power + 1, 7 * power / 3]);
        let numbers: Vec<i128> = near.flat_map(|n| [n, -n]).chain([i128::MAX, i128::MIN]).collect();
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
}
