//! The kinds of inputs in a search, and which of its inputs are of which kind.
//!
//! People break submissions with inputs that a single distribution hardly ever makes: of full size, or with all numbers
//! small at the same time, or with several fields at their bounds together. So a search is a mixture of kinds of inputs,
//! and each has a share of them from the first second. The kind depends on the index alone, so that any number of
//! workers makes the same inputs. Indices that are multiples of four are left to the smallest inputs, as long as there
//! are some.

use crate::tuning::{
    ELEMENTS_PER_EXPENSIVE_RUN, ELEMENTS_PER_RUN, FREE_NUMBERS_DISTANCE, LARGE_INPUT_GROWTH, LARGE_INPUT_INTERVAL,
    MAX_LARGE_ELEMENTS, MAX_MODERATE_DISTANCE, MAX_PLAIN_LETTERS, MAX_PLAIN_VALUES, MIN_SWEPT_ELEMENTS,
    SMALL_DISTANCES, SWEEP_SHARE, WORST_CASE_DISTANCE,
};
use rebut_format::generate::{Extreme, GenerationPlan, GenerationSettings, NumberRanges};
use rebut_generators::Choices;
use std::sync::Arc;

/// What determines the settings of an input of a search, in addition to its index.
#[derive(Clone, Copy, Debug)]
pub(super) struct InputMixture {
    /// Maximum number of elements that the format allows, in an input or in each of its cases.
    possible_elements: i128,
    /// Approximate maximum number of elements that the user wants.
    max_elements: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InputKind {
    /// Sizes and numbers grow during the search.
    Growing,
    /// The same, several times as fast. Where runs are expensive, the search would not come far otherwise.
    FastGrowing,
    /// All numbers are at most this far from the simplest ones; sizes grow during the search.
    SmallNumbers(i128),
    /// All numbers are small, each by a distance of its own: some are tiny, others not. Sizes grow during the search.
    ModerateNumbers,
    /// Sizes are tiny, too.
    Tiny(i128),
    /// Everything is small and drawn uniformly, by its number from 0.
    Plain(u64),
    /// All single numbers are near the ends or the middle of their ranges.
    ExtremeNumbers,
    /// One of the large inputs, by its number from 0.
    Large(u32),
    /// An input of full size with numbers at the ends of their ranges, by its number from 0.
    Sweep(u32),
    /// A large input with shapes that are worst cases of algorithms, by its number from 0.
    WorstCase(u32),
}

impl InputKind {
    /// Returns the kind of the input at an index. Packed inputs, which have many cases, grow fast in any case: there,
    /// others take the place of those that grow faster.
    pub(super) fn at_index(index: u64, is_packed: bool) -> InputKind {
        if let Some(number) = large_input_number(index) {
            return InputKind::Large(number);
        }
        // After the large input of the same size, as the reference may be slow. The first one is too small.
        let large_before = index.checked_sub(WORST_CASE_DISTANCE).and_then(large_input_number);
        if let Some(number) = large_before.and_then(|number| number.checked_sub(1)) {
            return InputKind::WorstCase(number);
        }
        // Where everything is largest, mistakes are hidden that show on free numbers.
        let full_before = index.checked_sub(FREE_NUMBERS_DISTANCE).and_then(large_input_number);
        if full_before.is_some_and(|number| !number.is_multiple_of(2)) {
            return InputKind::Sweep(1);
        }
        let distance = SMALL_DISTANCES[(index / 16 % 4) as usize];
        match index % 16 {
            1 | 5 | 9 | 13 => InputKind::Plain(index / 4),
            2 | 10 if is_packed => InputKind::Tiny(distance),
            2 | 6 | 10 | 14 => InputKind::FastGrowing,
            3 | 11 => InputKind::SmallNumbers(distance),
            7 => InputKind::ModerateNumbers,
            15 => InputKind::ExtremeNumbers,
            _ => InputKind::Growing,
        }
    }

    /// Returns true if parts of the input at an index are related to each other: of one in four, of several kinds.
    pub(super) fn relates_parts(index: u64) -> bool {
        matches!(index % 16, 6 | 8 | 11 | 14)
    }

    /// Draws the letters that texts of the input at an index prefer, of those that are words of the dictionary: all of them in one
    /// input of four, a few in half of the plain ones.
    pub(super) fn draw_letters(self, index: u64, dictionary: &[Vec<u8>], choices: &mut Choices) -> Arc<[u8]> {
        let mut letters: Vec<u8> = dictionary.iter().filter(|word| word.len() == 1).flatten().copied().collect();
        match self {
            InputKind::Plain(number) if number % 2 == 1 => {
                choices.shuffle(&mut letters);
                letters.truncate(1 + (number / 2 % (MAX_PLAIN_LETTERS - 1)) as usize);
            }
            _ if index % 4 == 2 => {}
            _ => letters.clear(),
        }
        letters.into()
    }

    /// Returns true if the input is of any size that the format allows.
    pub(super) fn is_large(self) -> bool {
        matches!(self, InputKind::Large(_) | InputKind::Sweep(_) | InputKind::WorstCase(_))
    }

    /// Returns how many times as fast as usual the inputs of this kind grow.
    pub(super) fn growth_rate(self) -> u64 {
        if self == InputKind::FastGrowing { 5 } else { 1 }
    }
}

fn large_input_number(index: u64) -> Option<u32> {
    let cube =
        index.checked_sub(1).filter(|before| before.is_multiple_of(LARGE_INPUT_INTERVAL))? / LARGE_INPUT_INTERVAL;
    let root = (1..).take_while(|root: &u32| u64::from(*root).pow(3) <= cube).last()?;
    (u64::from(root).pow(3) == cube).then_some(root - 1)
}

impl InputMixture {
    /// Creates the mixture for a format, with inputs of up to `max_elements` elements if that is set.
    pub(super) fn for_plan(plan: &GenerationPlan<'_>, max_elements: Option<usize>) -> InputMixture {
        let max_elements = max_elements.unwrap_or(MAX_LARGE_ELEMENTS);
        InputMixture { possible_elements: plan.max_elements(), max_elements }
    }

    /// Returns the kind of the input at an index of a search. `is_expensive` is true if a tiny run takes some milliseconds.
    pub(super) fn kind_at(&self, index: u64, is_packed: bool, is_expensive: bool) -> InputKind {
        let elements = u64::try_from(self.possible_elements).unwrap_or(u64::MAX).min(self.max_elements as u64);
        let elements_per_run = if is_packed || is_expensive { ELEMENTS_PER_EXPENSIVE_RUN } else { ELEMENTS_PER_RUN };
        let interval = SWEEP_SHARE.saturating_mul(1 + elements / elements_per_run) | 1;
        let is_swept = elements >= MIN_SWEPT_ELEMENTS && index % interval == interval - 1;
        match u32::try_from(index / interval) {
            Ok(number) if is_swept => InputKind::Sweep(number),
            _ => InputKind::at_index(index, is_packed),
        }
    }

    /// Returns true if some inputs have more than this many elements.
    pub(super) fn has_larger_inputs(&self, elements: usize) -> bool {
        self.max_elements > elements
    }

    /// Changes the settings of an input to those of its kind.
    pub(super) fn adjust_settings(&self, kind: InputKind, settings: &mut GenerationSettings) {
        match kind {
            InputKind::Growing | InputKind::FastGrowing => {}
            InputKind::SmallNumbers(distance) => settings.numbers = NumberRanges::Near(distance),
            InputKind::ModerateNumbers => settings.numbers = NumberRanges::NearEach(MAX_MODERATE_DISTANCE),
            InputKind::Tiny(distance) => (settings.numbers, settings.growth) = (NumberRanges::Near(distance), 0),
            InputKind::Plain(number) => {
                let [values, letters] = [MAX_PLAIN_VALUES, MAX_PLAIN_LETTERS].map(|most| 2 + number % (most - 1));
                settings.numbers = NumberRanges::Plain { values: values.into(), letters: letters as usize };
                settings.growth = 100;
            }
            InputKind::ExtremeNumbers => settings.numbers = NumberRanges::Extreme,
            InputKind::Large(number) => self.enlarge(number, settings),
            InputKind::Sweep(number) => {
                self.enlarge(u32::MAX, settings);
                settings.sweep = Some(number);
            }
            InputKind::WorstCase(number) => {
                self.enlarge(number + 1, settings);
                settings.extreme = settings.extreme.or(self.is_reached(settings).then_some(Extreme::Max));
                settings.worst_case = Some(number as usize);
            }
        }
    }

    /// Changes the settings to those of a large input: the first ones are a few times as large as others, and the later
    /// ones of any size that the format and the user allow. Of these, every other has all sizes at their maxima.
    fn enlarge(&self, number: u32, settings: &mut GenerationSettings) {
        let factor = LARGE_INPUT_GROWTH.saturating_pow(number.saturating_add(1)) as usize;
        let elements = settings.max_elements.saturating_mul(factor).min(self.max_elements);
        (settings.growth, settings.number_growth) = (100, None);
        settings.max_elements = elements.max(settings.max_elements);
        let may_be_full = settings.extreme.is_none() && self.is_reached(settings);
        if may_be_full && !number.is_multiple_of(2) {
            (settings.extreme, settings.sweep) = (Some(Extreme::Max), Some(number / 2));
        }
    }

    /// Returns true if inputs can have as many elements as the format allows.
    fn is_reached(&self, settings: &GenerationSettings) -> bool {
        self.possible_elements <= settings.max_elements as i128
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_a_share_from_the_first_inputs_on() {
        let kinds: Vec<InputKind> = (0..64).map(|index| InputKind::at_index(index, false)).collect();
        let count = |is_kind: fn(&InputKind) -> bool| kinds.iter().filter(|kind| is_kind(kind)).count();
        assert_eq!(count(|kind| *kind == InputKind::FastGrowing), 16);
        assert_eq!(count(|kind| matches!(kind, InputKind::Plain(_))), 15);
        assert_eq!(count(|kind| matches!(kind, InputKind::SmallNumbers(_))), 8);
        assert_eq!(count(|kind| *kind == InputKind::ModerateNumbers), 4);
        assert_eq!(count(|kind| *kind == InputKind::ExtremeNumbers), 4);
        assert_eq!(count(|kind| matches!(kind, InputKind::Large(_))), 1);
        let large: Vec<u64> =
            (0..1000).filter(|index| matches!(InputKind::at_index(*index, false), InputKind::Large(_))).collect();
        assert_eq!(large, [17, 129, 433]);
        assert_eq!(large_input_number(16 * 1_000_000_000 + 1), Some(999));
    }

    #[test]
    fn inputs_of_full_size_take_a_tenth_of_the_time() {
        let swept = |possible_elements, is_expensive| {
            let mixture = InputMixture { possible_elements, max_elements: MAX_LARGE_ELEMENTS };
            // Those of the share, without the few that follow large inputs in any case.
            let is_swept = |index: &u64| {
                matches!(mixture.kind_at(*index, false, is_expensive), InputKind::Sweep(_))
                    && !matches!(InputKind::at_index(*index, false), InputKind::Sweep(_))
            };
            (0..10_000).filter(is_swept).collect::<Vec<u64>>()
        };
        assert!(swept(20, false).is_empty());
        assert_eq!(swept(1_000, false)[..3], [10, 21, 32]);
        assert_eq!(swept(200_000, false)[..3], [1010, 2021, 3032]);
        assert_eq!(swept(200_000, true)[..3], [60, 121, 182]);
        assert_eq!(swept(i128::MAX, false), [5250]);
    }

    #[test]
    fn plain_inputs_have_each_number_of_values_and_letters() {
        let mixture = InputMixture { possible_elements: 100, max_elements: MAX_LARGE_ELEMENTS };
        let mut found = std::collections::BTreeSet::new();
        for number in 0..33 {
            let mut settings = GenerationSettings::default();
            mixture.adjust_settings(InputKind::Plain(number), &mut settings);
            let NumberRanges::Plain { values, letters } = settings.numbers else { unreachable!("it is plain") };
            assert!((2..=12).contains(&values) && (2..=4).contains(&letters));
            found.insert((values, letters));
        }
        assert_eq!(found.len(), 33);
    }

    #[test]
    fn parts_are_related_in_one_of_four_inputs_of_several_kinds() {
        let related: Vec<InputKind> = (0..16)
            .filter(|index| InputKind::relates_parts(*index))
            .map(|index| InputKind::at_index(index, false))
            .collect();
        let small = InputKind::SmallNumbers(SMALL_DISTANCES[0]);
        assert_eq!(related, [InputKind::FastGrowing, InputKind::Growing, small, InputKind::FastGrowing]);
    }

    #[test]
    fn worst_cases_follow_large_inputs_of_full_size() {
        let worst_cases: Vec<u64> =
            (0..3000).filter(|index| matches!(InputKind::at_index(*index, false), InputKind::WorstCase(_))).collect();
        assert_eq!(worst_cases, [137, 441, 1033, 2009]);
        let mixture = InputMixture { possible_elements: 200_001, max_elements: MAX_LARGE_ELEMENTS };
        for (number, index) in worst_cases.into_iter().enumerate() {
            let mut settings = GenerationSettings { growth: 0, max_elements: 2000, ..GenerationSettings::default() };
            mixture.adjust_settings(InputKind::at_index(index, true), &mut settings);
            assert_eq!((settings.growth, settings.extreme), (100, Some(Extreme::Max)));
            assert_eq!(settings.worst_case, Some(number));
        }
    }

    #[test]
    fn indices_of_the_smallest_inputs_are_left_to_them() {
        assert!((0..100_000).step_by(4).all(|index| InputKind::at_index(index, true) == InputKind::Growing));
    }

    #[test]
    fn large_inputs_grow_up_to_what_is_allowed() {
        let settings = |mixture: InputMixture, number| {
            let mut settings = GenerationSettings { growth: 0, max_elements: 2000, ..GenerationSettings::default() };
            mixture.adjust_settings(InputKind::Large(number), &mut settings);
            (settings.growth, settings.max_elements, settings.extreme)
        };
        let any = InputMixture { possible_elements: 200_001, max_elements: MAX_LARGE_ELEMENTS };
        assert_eq!(settings(any, 0), (100, 64_000, None));
        assert_eq!(settings(any, 1), (100, MAX_LARGE_ELEMENTS, Some(Extreme::Max)));
        assert_eq!(settings(any, 2), (100, MAX_LARGE_ELEMENTS, None));
        assert_eq!(settings(any, 3), (100, MAX_LARGE_ELEMENTS, Some(Extreme::Max)));
        let huge = InputMixture { possible_elements: i128::MAX, ..any };
        assert_eq!(settings(huge, u32::MAX), (100, MAX_LARGE_ELEMENTS, None));
        let limited = InputMixture { max_elements: 2000, ..any };
        assert_eq!(settings(limited, 1), (100, 2000, None));
        let small = InputMixture { possible_elements: 900, ..any };
        assert_eq!(settings(small, 1), (100, MAX_LARGE_ELEMENTS, Some(Extreme::Max)));
    }
}
