//! A quick hash for keys that nobody chooses with bad intent.

use std::hash::{BuildHasherDefault, Hasher};

pub(crate) type BuildMix = BuildHasherDefault<Mix>;

/// One multiplication a key: the standard hasher's defence costs most of the time.
#[derive(Default)]
pub(crate) struct Mix(u64);

impl Hasher for Mix {
    /// The low bits of a product depend on the low bits of the key alone, so the high ones are folded in.
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }
}
