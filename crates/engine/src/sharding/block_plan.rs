//! How work is cut into blocks, and the blocks into shards.

use rebut_diagnostics::list_and;
use std::collections::BTreeSet;
use std::ops::Range;

/// The blocks of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockPlan {
    /// Number of inputs of the search.
    pub inputs: u64,
    /// Number of inputs in each block but the last, which may have fewer.
    pub block_inputs: u64,
}

impl BlockPlan {
    /// Returns the number of inputs in a block, unless the user chooses another: a power of two, so that there are some
    /// hundred blocks in a small search, and each takes some seconds in a large one.
    pub fn default_block_inputs(inputs: u64) -> u64 {
        const MIN_BLOCK_INPUTS: u64 = 16;
        const MAX_BLOCK_INPUTS: u64 = 4096;
        usual_block_length(inputs).clamp(MIN_BLOCK_INPUTS, MAX_BLOCK_INPUTS)
    }

    /// Cuts tests, or runs on them, into blocks. Each takes longer than an input of a search, so blocks are shorter.
    /// `stated` is the number of them in a block, if it is stated.
    pub fn cut_tests(tests: u64, stated: Option<u64>) -> BlockPlan {
        const MAX_BLOCK_TESTS: u64 = 64;
        let usual = usual_block_length(tests).clamp(1, MAX_BLOCK_TESTS);
        BlockPlan { inputs: tests, block_inputs: stated.filter(|tests| *tests > 0).unwrap_or(usual) }
    }

    /// Returns the number of blocks.
    pub fn count_blocks(self) -> u64 {
        self.inputs.div_ceil(self.block_inputs)
    }

    /// Returns the indices of the inputs of a block.
    pub fn block_indices(self, block: u64) -> Range<u64> {
        let start = block.saturating_mul(self.block_inputs).min(self.inputs);
        start..start.saturating_add(self.block_inputs).min(self.inputs)
    }
}

/// Returns the length of the blocks of work of medium size: a power of two.
fn usual_block_length(count: u64) -> u64 {
    /// Number of blocks: some for each worker of many shards.
    const USUAL_BLOCKS: u64 = 256;
    (count / USUAL_BLOCKS).next_power_of_two()
}

/// One of several parts of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of the shard, from 1.
    pub number: u32,
    /// Number of shards.
    pub count: u32,
}

impl Shard {
    /// The shard that is the whole search.
    pub const WHOLE: Shard = Shard { number: 1, count: 1 };

    /// Returns true if a block belongs to the shard. Neighbours belong to different shards, since the inputs grow with
    /// their indices.
    pub fn has_block(self, block: u64) -> bool {
        block % u64::from(self.count) + 1 == u64::from(self.number)
    }
}

/// Returns which blocks of how many are missing, or `None` if none is. The number of all may be unknown.
pub(super) fn describe_missing_blocks(missing: &BTreeSet<u64>, count: Option<u64>) -> Option<String> {
    /// Maximum number of ranges that are listed.
    const MAX_RANGES: usize = 6;
    let numbers: Vec<u64> = missing.iter().copied().collect();
    let mut ranges: Vec<String> = Vec::new();
    for run in numbers.chunk_by(|one, next| one + 1 == *next) {
        ranges.push(match run {
            [first, .., last] => format!("{} to {}", first + 1, last + 1),
            [number] => (number + 1).to_string(),
            [] => continue,
        });
    }
    if ranges.len() > MAX_RANGES {
        ranges.truncate(MAX_RANGES);
        ranges.push("others".to_owned());
    }
    let count = count.map_or_else(|| "an unknown number".to_owned(), |count| count.to_string());
    let (noun, verb) = if numbers.len() == 1 { ("block", "is") } else { ("blocks", "are") };
    (!numbers.is_empty()).then(|| format!("{noun} {} of {count} {verb} missing from the journal", list_and(&ranges)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_blocks_are_listed_as_ranges() {
        let describe = |numbers: &[u64]| describe_missing_blocks(&numbers.iter().copied().collect(), Some(40));
        assert_eq!(describe(&[]), None);
        assert_eq!(describe(&[3]).as_deref(), Some("block 4 of 40 is missing from the journal"));
        assert_eq!(describe(&[3, 4]).as_deref(), Some("blocks 4 to 5 of 40 are missing from the journal"));
        let several = describe(&[0, 3, 4, 5, 9]);
        assert_eq!(several.as_deref(), Some("blocks 1, 4 to 6 and 10 of 40 are missing from the journal"));
        let many = describe(&[0, 2, 4, 6, 8, 10, 12, 14]).unwrap_or_default();
        assert!(many.starts_with("blocks 1, 3, 5, 7, 9, 11 and others of 40"), "{many}");
    }

    #[test]
    fn blocks_cover_the_inputs() {
        for inputs in [1, 15, 16, 17, 1000, 4096, 100_000] {
            for block_inputs in [1, 7, 16, BlockPlan::default_block_inputs(inputs)] {
                let plan = BlockPlan { inputs, block_inputs };
                let covered: Vec<u64> = (0..plan.count_blocks()).flat_map(|block| plan.block_indices(block)).collect();
                assert!(covered.into_iter().eq(0..inputs));
            }
        }
    }

    #[test]
    fn each_block_belongs_to_one_shard() {
        for count in 1..9 {
            let owners = |block| (1..=count).filter(|number| Shard { number: *number, count }.has_block(block)).count();
            assert!((0..50).all(|block| owners(block) == 1));
        }
    }

    #[test]
    fn blocks_of_larger_searches_are_larger() {
        let sizes = [100, 10_000, 1_000_000, 1_000_000_000].map(BlockPlan::default_block_inputs);
        assert_eq!(sizes, [16, 64, 4096, 4096]);
        let tests = [100, 10_000, 1_000_000].map(|tests| BlockPlan::cut_tests(tests, None).block_inputs);
        assert_eq!(tests, [1, 64, 64]);
        assert_eq!([Some(0), Some(7)].map(|stated| BlockPlan::cut_tests(600, stated).block_inputs), [2, 7]);
    }
}
