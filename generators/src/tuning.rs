//! The constants that tune the shapes: when one algorithm is faster than another, how many tries there are, how large a
//! part becomes. Each says its unit and why it has its value. All but those of sorting and buffers change what is drawn,
//! so a change needs another [`STREAM_VERSION`](crate::STREAM_VERSION).

// Speed

/// Number of bits of a digit: few enough for the buckets to fit the first-level cache.
pub(crate) const RADIX_DIGIT_BITS: u32 = 11;

/// Minimum number of words for a radix sort; fewer are sorted faster by comparisons.
pub(crate) const MIN_RADIX_WORDS: usize = 2_000;

/// Number of 32-bit half words in the buffer: as many as the cipher generates at once.
pub(crate) const BUFFERED_HALF_WORDS: usize = 64;

/// Maximum ratio of the range to the count for a shuffle in a plain array: up to it, filling the array takes less time than hashing the
/// positions that were touched.
pub(crate) const MAX_DENSE_RATIO: u128 = 8;

/// Maximum number of pairs per edge in a graph that counts as nearly complete: the complement of a sparser one would have
/// most of the pairs.
pub(crate) const MAX_PAIRS_PER_EDGE: usize = 4;

/// Maximum number of tries per missing edge in a graph with bounded degrees.
pub(crate) const TRIES_PER_EDGE: usize = 64;

// Sizes

/// Maximum offset of most sizes from the smallest one: most mistakes show at one of these.
pub(crate) const MAX_NEAR_OFFSET: u128 = 3;

/// Minimum reach above the smallest size, even at the start of a run: with fewer elements, many structures do not
/// exist.
pub(crate) const MIN_REACH: u128 = 7;

/// Growth in percent from which the two smallest sizes are half as likely.
pub(crate) const FADING_GROWTH: u32 = 20;

/// Maximum offset of the sizes of plain inputs from the smallest one.
pub(crate) const MAX_PLAIN_OFFSET: u128 = 29;

/// Maximum number of vertices per edge, apart from a constant: further vertices could only be isolated.
pub(crate) const MAX_VERTICES_PER_EDGE: usize = 4;

/// Maximum number of blobs. Each cell is compared with each of them.
pub(crate) const MAX_BLOBS: i128 = 6;

// Numbers

/// Maximum number of different primes in a sequence: testing a large number for primality is slow.
pub(crate) const MAX_PRIME_POOL: usize = 128;

/// Number of different primes in a sequence of large primes: each is found by tests of primality, which are slow.
pub(crate) const LARGE_PRIME_COUNT: usize = 16;

/// Maximum number of different primes where all numbers must differ: testing more takes too long, and the other numbers
/// are moved apart.
pub(crate) const MAX_DISTINCT_PRIMES: usize = 1024;

// Texts

/// Maximum length of texts with the same hashes: finding longer ones takes more than a tenth of a second.
pub(crate) const MAX_COLLISION_LENGTH: usize = 96;
