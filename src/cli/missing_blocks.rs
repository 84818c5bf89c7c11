//! Blocks that a journal lacks, and files of blocks that are damaged.

use super::session::Session;
use rebut_diagnostics::list_and;
use rebut_engine::event::{Event, EventSink, WarningEvent};

/// Warns of damaged files of blocks. `help` says what happens or what to do about them.
pub(super) fn warn_of_damages(damages: &[String], help: &str, session: &mut Session) {
    for damage in damages {
        let message = format!("the file of a block is damaged: {damage}");
        session.take_event(&Event::Warning(WarningEvent { message, help: Some(help.to_owned()) }));
    }
}

/// Blocks that are missing, as ranges of consecutive numbers.
#[derive(Default)]
pub(super) struct MissingBlocks(Vec<(u64, u64)>);

impl MissingBlocks {
    /// Adds the number of a block, from 0. The numbers rise.
    pub(super) fn add_block(&mut self, number: u64) {
        match self.0.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => self.0.push((number, number)),
        }
    }

    /// Returns which blocks of how many are missing, or `None` if none is. The number of all may be unknown.
    pub(super) fn describe_missing(&self, count: Option<u64>) -> Option<String> {
        /// Maximum number of ranges that are listed.
        const MAX_RANGES: usize = 6;
        let range = |(first, last): &(u64, u64)| match last - first {
            0 => (first + 1).to_string(),
            _ => format!("{} to {}", first + 1, last + 1),
        };
        let count = count.map_or_else(|| "an unknown number".to_owned(), |count| count.to_string());
        let mut ranges: Vec<String> = self.0.iter().take(MAX_RANGES).map(range).collect();
        if self.0.len() > MAX_RANGES {
            ranges.push("others".to_owned());
        }
        let [(first, last)] = self.0[..] else {
            return (!self.0.is_empty())
                .then(|| format!("blocks {} of {count} are missing from the journal", list_and(&ranges)));
        };
        let noun = if first == last { "block" } else { "blocks" };
        let verb = if first == last { "is" } else { "are" };
        Some(format!("{noun} {} of {count} {verb} missing from the journal", ranges.concat()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_blocks_are_listed_as_ranges() {
        let describe = |numbers: &[u64]| {
            let mut missing = MissingBlocks::default();
            numbers.iter().for_each(|number| missing.add_block(*number));
            missing.describe_missing(Some(40))
        };
        assert_eq!(describe(&[]), None);
        assert_eq!(describe(&[3]).as_deref(), Some("block 4 of 40 is missing from the journal"));
        assert_eq!(describe(&[3, 4]).as_deref(), Some("blocks 4 to 5 of 40 are missing from the journal"));
        let several = describe(&[0, 3, 4, 5, 9]);
        assert_eq!(several.as_deref(), Some("blocks 1, 4 to 6 and 10 of 40 are missing from the journal"));
        let many = describe(&[0, 2, 4, 6, 8, 10, 12, 14]).unwrap_or_default();
        assert!(many.starts_with("blocks 1, 3, 5, 7, 9, 11 and others of 40"), "{many}");
    }
}
