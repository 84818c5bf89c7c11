//! Shrinking the draws of a bespoke shape.
//!
//! Some inputs only make sense as a whole: a board on which two kings just meet, chains and loops of matching
//! lengths. No row of them can be deleted and no number can change alone, but the shape that made them can make a
//! smaller one of the same kind. So before the value itself is shrunk, its draws are: the growth is lowered,
//! the first draws, which decide sizes, are bisected, and others are deleted or set to zero, the simplest.
//! Every list of draws is a recipe, and the format decides whether the result is valid. Then siblings, other
//! inputs of the same shape, are tried, smaller ones first. Each accepted candidate is smaller in the one total
//! order, so this search terminates as well.

use super::ddmin::ddmin_quickly;
use super::measured_search::MeasuredSearch;
use super::search::{MAX_BATCH_ELEMENTS, ShrinkSearch, ShrinkStopped};
use crate::generate::BespokeRecipe;
use crate::value::Value;

/// Number of draws at the front that are lowered one by one: sizes and positions come first.
const MAX_LOWERED_DRAWS: usize = 24;
/// Each of them is lowered to any number below this limit.
const SMALL_DRAW_LIMIT: u64 = 16;
/// Number of draws at the front that are lowered in pairs.
const MAX_PAIRED_DRAWS: usize = 8;

/// Maximum number of siblings that are tried, and number of them in one batch.
const MAX_SIBLINGS: u64 = 1024;
const MAX_BATCH: u64 = 64;
/// Maximum number of elements of all siblings together.
const MAX_SIBLING_ELEMENTS: usize = 200_000;

/// Shrinks the input by the recipes of its cases, if one of them fails alone.
pub(super) fn shrink_recipes(
    search: &mut ShrinkSearch<'_, '_>,
    recipes: &[BespokeRecipe],
) -> Result<(), ShrinkStopped> {
    if recipes.is_empty() {
        return Ok(());
    }
    search.run_measured("shrink recipes", |search| shrink_failing_recipe(search, recipes))
}

fn shrink_failing_recipe(search: &mut ShrinkSearch<'_, '_>, recipes: &[BespokeRecipe]) -> Result<(), ShrinkStopped> {
    search.attempt_each(recipes, build_candidate)?;
    // The only case of an input is known to fail.
    let Some(mut recipe) = recipe_of_best(search, recipes) else { return Ok(()) };
    let mut others = SiblingSearch { max_growth: recipe.growth, next_sibling: 0, tried_elements: 0 };
    loop {
        shrink_draws(search, &mut recipe)?;
        let Some(sibling) = others.find_smaller(search, &recipe)? else { return Ok(()) };
        recipe = sibling;
    }
}

/// Builds the value of a recipe, if the format allows it.
fn build_candidate(search: &ShrinkSearch<'_, '_>, recipe: &BespokeRecipe) -> Option<Value> {
    recipe.build_value(search.format())
}

/// Returns the recipe that builds the best value.
fn recipe_of_best(search: &ShrinkSearch<'_, '_>, recipes: &[BespokeRecipe]) -> Option<BespokeRecipe> {
    recipes.iter().find(|recipe| recipe.build_value(search.format()).as_ref() == Some(search.best_value())).cloned()
}

/// A search among other inputs of the same shape, smaller ones first. It finds those that no change of the draws
/// leads to.
struct SiblingSearch {
    /// The growth of the last sibling.
    max_growth: u32,
    /// Index of the next sibling to try; all before it were rejected.
    next_sibling: u64,
    /// Number of elements of all siblings tried.
    tried_elements: usize,
}

impl SiblingSearch {
    /// Returns the recipe of a sibling that fails and is smaller.
    fn find_smaller(
        &mut self,
        search: &mut ShrinkSearch<'_, '_>,
        recipe: &BespokeRecipe,
    ) -> Result<Option<BespokeRecipe>, ShrinkStopped> {
        let growth = |number: u64| u32::try_from(u64::from(self.max_growth) * number / MAX_SIBLINGS).unwrap_or(0);
        while self.next_sibling < MAX_SIBLINGS && self.tried_elements < MAX_SIBLING_ELEMENTS {
            let largest = search.best_value().element_count();
            // Large ones are built a few at a time: each takes as much memory as the best value.
            let at_a_time = MAX_BATCH.min((MAX_BATCH_ELEMENTS / largest.max(1)) as u64).max(1);
            let siblings: Vec<BespokeRecipe> = (self.next_sibling..self.next_sibling + at_a_time)
                .map(|n| recipe.sibling_recipe(growth(n), n))
                .collect();
            let values = siblings.iter().filter_map(|recipe| build_candidate(search, recipe));
            let candidates: Vec<Value> = values.filter(|value| value.element_count() <= largest).collect();
            if candidates.is_empty() {
                break;
            }
            self.tried_elements += candidates.iter().map(Value::element_count).sum::<usize>();
            if search.attempt_any(candidates)? {
                return Ok(recipe_of_best(search, &siblings));
            }
            self.next_sibling += at_a_time;
        }
        Ok(None)
    }
}

fn shrink_draws(search: &mut ShrinkSearch<'_, '_>, recipe: &mut BespokeRecipe) -> Result<(), ShrinkStopped> {
    search.repeat_rounds(|search| {
        bisect_draws(search, recipe)?;
        lower_growth(search, recipe)?;
        lower_draws(search, recipe)?;
        lower_draw_pairs(search, recipe)?;
        delete_draws(search, recipe)?;
        zero_draws(search, recipe)
    })
}

/// Bisects the growth and the first draws repeatedly, as if failures were monotone in them, since each query
/// about a large input is expensive. The rest is small enough for linear searches.
fn bisect_draws(search: &mut ShrinkSearch<'_, '_>, recipe: &mut BespokeRecipe) -> Result<(), ShrinkStopped> {
    search.repeat_rounds(|search| {
        bisect_number(search, recipe, &|recipe| Some(u64::from(recipe.growth)), &|recipe, growth| {
            recipe.growth = u32::try_from(growth).unwrap_or(recipe.growth);
        })?;
        for at in 0..recipe.draws.len().min(MAX_LOWERED_DRAWS) {
            bisect_number(search, recipe, &|recipe| recipe.draws.get(at).copied(), &|recipe, draw| {
                recipe.draws[at] = draw
            })?;
        }
        Ok(())
    })
}

/// Bisects a number, assuming that all larger ones fail.
fn bisect_number(
    search: &mut ShrinkSearch<'_, '_>,
    recipe: &mut BespokeRecipe,
    get: &dyn Fn(&BespokeRecipe) -> Option<u64>,
    set: &dyn Fn(&mut BespokeRecipe, u64),
) -> Result<(), ShrinkStopped> {
    let mut least = 0;
    while let Some(number) = get(recipe).filter(|number| least < *number) {
        let middle = least + (number - least) / 2;
        let mut to = recipe.clone();
        set(&mut to, middle);
        if try_recipe(search, recipe, to)? {
            // On a smaller board, draws are reduced to their range; otherwise halving them would change
            // nothing.
            *recipe = recipe.canonical_recipe();
        } else {
            least = middle + 1;
        }
    }
    Ok(())
}

/// Tries the value of a recipe. Returns true if it was accepted.
fn attempt_recipe(search: &mut ShrinkSearch<'_, '_>, recipe: &BespokeRecipe) -> Result<bool, ShrinkStopped> {
    search.attempt_each([recipe], build_candidate)
}

/// Tries a changed recipe, and keeps it if its value is accepted.
fn try_recipe(
    search: &mut ShrinkSearch<'_, '_>,
    recipe: &mut BespokeRecipe,
    to: BespokeRecipe,
) -> Result<bool, ShrinkStopped> {
    let taken = attempt_recipe(search, &to)?;
    if taken {
        *recipe = to;
    }
    Ok(taken)
}

/// Tries changed recipes in order, and keeps the first one with an accepted value.
fn try_recipes(
    search: &mut ShrinkSearch<'_, '_>,
    recipe: &mut BespokeRecipe,
    to: &[BespokeRecipe],
) -> Result<bool, ShrinkStopped> {
    if !search.attempt_each(to, build_candidate)? {
        return Ok(false);
    }
    let taken = recipe_of_best(search, to);
    Ok(taken.map(|taken| *recipe = taken).is_some())
}

/// Finds the minimum growth: sizes jump with it, so each value is tried.
fn lower_growth(search: &mut ShrinkSearch<'_, '_>, recipe: &mut BespokeRecipe) -> Result<(), ShrinkStopped> {
    let with_growth = |growth: u32| {
        let mut to = recipe.clone();
        to.growth = growth;
        to
    };
    let all: Vec<BespokeRecipe> = (0..recipe.growth).map(with_growth).collect();
    for some in all.chunks(MAX_BATCH as usize) {
        if try_recipes(search, recipe, some)? {
            break;
        }
    }
    Ok(())
}

/// Lowers the first draws, each to a small number, or by a fraction.
fn lower_draws(search: &mut ShrinkSearch<'_, '_>, recipe: &mut BespokeRecipe) -> Result<(), ShrinkStopped> {
    for at in 0..recipe.draws.len().min(MAX_LOWERED_DRAWS) {
        while let Some(draw) = recipe.draws.get(at).copied() {
            let parts =
                (1..u64::BITS).map(|part| draw - (draw >> part)).filter(|to| (SMALL_DRAW_LIMIT..draw).contains(to));
            let with_draw = |number: u64| {
                let mut to = recipe.clone();
                to.draws[at] = number;
                to
            };
            let all: Vec<BespokeRecipe> = (0..draw.min(SMALL_DRAW_LIMIT)).chain(parts).map(with_draw).collect();
            if !try_recipes(search, recipe, &all)? {
                break;
            }
        }
    }
    Ok(())
}

/// Lowers two of the first draws together, by half or by one: the sides of a board that has to stay square.
fn lower_draw_pairs(search: &mut ShrinkSearch<'_, '_>, recipe: &mut BespokeRecipe) -> Result<(), ShrinkStopped> {
    let few = recipe.draws.len().min(MAX_PAIRED_DRAWS);
    let reductions: [fn(u64) -> u64; 2] = [|draw| draw / 2, |draw| draw.saturating_sub(1)];
    for second in 1..few {
        for (first, reduce) in (0..second).flat_map(|first| reductions.map(|reduce| (first, reduce))) {
            loop {
                let mut to = recipe.clone();
                [first, second].iter().for_each(|i| to.draws[*i] = reduce(to.draws[*i]));
                if to.draws == recipe.draws || !try_recipe(search, recipe, to)? {
                    break;
                }
            }
        }
    }
    Ok(())
}

fn delete_draws(search: &mut ShrinkSearch<'_, '_>, recipe: &mut BespokeRecipe) -> Result<(), ShrinkStopped> {
    ddmin_quickly(recipe.draws.len(), &mut |gone| {
        let mut to = recipe.clone();
        let mut at = 0;
        to.draws.retain(|_| {
            at += 1;
            gone.binary_search(&(at - 1)).is_err()
        });
        try_recipe(search, recipe, to)
    })?;
    Ok(())
}

/// Sets as many draws as possible to zero.
fn zero_draws(search: &mut ShrinkSearch<'_, '_>, recipe: &mut BespokeRecipe) -> Result<(), ShrinkStopped> {
    let mut needed: Vec<usize> = (0..recipe.draws.len()).filter(|i| recipe.draws[*i] > 0).collect();
    ddmin_quickly(needed.len(), &mut |chosen| {
        let mut to = recipe.clone();
        chosen.iter().for_each(|i| to.draws[needed[*i]] = 0);
        let taken = try_recipe(search, recipe, to)?;
        if taken {
            let mut at = 0;
            needed.retain(|_| {
                at += 1;
                chosen.binary_search(&(at - 1)).is_err()
            });
        }
        Ok(taken)
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::super::{Oracle, ShrinkResult, shrink_with_recipes};
    use super::*;
    use crate::generate::{GenerationPlan, GenerationSettings, generate_value, record_recipes};
    use crate::language::Format;
    use crate::print::print_value;
    use crate::value::Measure;
    use rebut_generators::Choices;

    /// Two kings on a square board of numbers.
    const KINGS: &str = "T; cases T: N Ax Ay Bx By; V[N][N] where 1 <= T <= 60; 2 <= N <= 300; 1 <= Ax, Ay, Bx, By <= N; \
                         (Ax, Ay) != (Bx, By); 1 <= V <= 10^9; sum(N) <= 300";

    fn kings_format() -> Format {
        Format::parse(&rebut_diagnostics::SourceText::new("format", KINGS)).unwrap().0
    }

    /// Returns the numbers of an input, as a predicate sees them.
    fn input_numbers(format: &Format, value: &Value) -> Vec<i128> {
        String::from_utf8(print_value(format, value)).unwrap().split_whitespace().map(|t| t.parse().unwrap()).collect()
    }

    /// Returns the side and the values of each board of an input.
    fn input_boards(numbers: &[i128]) -> Vec<(usize, &[i128])> {
        let (mut rest, mut found) = (&numbers[1..], Vec::new());
        while let [side, ..] = rest {
            let side = usize::try_from(*side).unwrap();
            found.push((side, &rest[5..5 + side * side]));
            rest = &rest[5 + side * side..];
        }
        found
    }

    type Fails = fn(&[i128]) -> bool;

    /// A predicate that keeps the values that failed, and may stop after a number of queries.
    struct RecipeOracle<'f> {
        format: &'f Format,
        fails: Fails,
        queries: usize,
        stop_after: usize,
        failed: Vec<Value>,
    }

    impl Oracle<Value> for RecipeOracle<'_> {
        fn first_failing(&mut self, candidates: &[Value]) -> Result<Option<usize>, ShrinkStopped> {
            for (i, candidate) in candidates.iter().enumerate() {
                if self.queries == self.stop_after {
                    return Err(ShrinkStopped);
                }
                self.queries += 1;
                assert_eq!(crate::validate::find_violation(self.format, candidate), None);
                if (self.fails)(&input_numbers(self.format, candidate)) {
                    self.failed.push(candidate.clone());
                    return Ok(Some(i));
                }
            }
            Ok(None)
        }
    }

    fn new_oracle(format: &Format, fails: Fails, stop_after: usize) -> RecipeOracle<'_> {
        RecipeOracle { format, fails, queries: 0, stop_after, failed: Vec::new() }
    }

    /// Returns failing inputs of a shape, each with its recipes.
    fn failing_starts(
        format: &Format,
        shape: &str,
        max_cases: usize,
        fails: Fails,
    ) -> Vec<(Value, Vec<BespokeRecipe>)> {
        let plan = GenerationPlan::new(format);
        let settings = |seed: u64| GenerationSettings {
            growth: 20 + (seed % 3) as u32 * 10,
            max_cases,
            shape: Some(shape.to_owned()),
            ..GenerationSettings::default()
        };
        let failing = (0..200).filter_map(|seed| {
            let (settings, choices) = (settings(seed), || Choices::from_seed(seed, 1));
            let value = generate_value(&plan, &mut choices(), &settings).ok()?.value;
            fails(&input_numbers(format, &value)).then(|| (value, record_recipes(&plan, choices(), &settings)))
        });
        failing.take(6).collect()
    }

    /// The corners of a board are equal and large: no number can change alone.
    const CORNERS: Fails = |numbers| {
        input_boards(numbers).iter().any(|(n, v)| {
            let corners = [v[0], v[n - 1], v[n * n - n], v[n * n - 1]];
            *n >= 3 && corners.iter().all(|c| *c == corners[0] && *c >= 100)
        })
    };
    const WEALTH: Fails = |numbers| input_boards(numbers).iter().any(|(_, v)| v.iter().sum::<i128>() >= 5_000_000_000);
    const SIDES: Fails = |numbers| input_boards(numbers).iter().any(|(n, v)| *n >= 5 && v.iter().any(|v| *v >= 7));

    #[test]
    fn recipes_are_made_smaller_before_anything_else() {
        let format = kings_format();
        for (shape, fails, elements) in [
            ("ckcgame/equal-values", CORNERS, 6 + 9),
            ("ckcgame/large-values", WEALTH, 6 + 9),
            ("ckcgame/bait", SIDES, 6 + 25),
        ] {
            let starts = failing_starts(&format, shape, 1, fails);
            assert!(starts.len() > 3, "{shape}");
            for (value, recipes) in starts {
                let plan = GenerationPlan::new(&format);
                let mut oracle = new_oracle(&format, fails, usize::MAX);
                let mut search = ShrinkSearch::new(&plan, value.clone(), &mut oracle);
                shrink_recipes(&mut search, &recipes).unwrap();
                let ended = search.into_result(true);
                assert_eq!(ended.value.element_count(), elements, "{shape}");
                assert!(fails(&input_numbers(&format, &ended.value)));
                check_descent(&format, &value, &oracle.failed, &ended);
            }
        }
    }

    /// Checks that each accepted value is smaller than the one before, and the last is the result.
    fn check_descent(format: &Format, start: &Value, failed: &[Value], ended: &ShrinkResult<Value>) {
        let measures: Vec<Measure> = [start].into_iter().chain(failed).map(|v| Measure::of_value(format, v)).collect();
        assert!(measures.windows(2).all(|w| w[1] < w[0]));
        assert_eq!(failed.last().unwrap_or(start), &ended.value);
        assert_eq!(failed.len(), ended.steps);
    }

    #[test]
    fn other_passes_finish_what_recipes_leave() {
        let format = kings_format();
        for (shape, fails, minimum) in [
            ("ckcgame/equal-values", CORNERS, "1\n3 1 1 1 2\n100 1 100\n1 1 1\n100 1 100\n"),
            ("ckcgame/bait", SIDES, "1\n5 1 1 1 2\n7 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n"),
        ] {
            for (value, recipes) in failing_starts(&format, shape, 1, fails) {
                let plan = GenerationPlan::new(&format);
                let shrunk = shrink_with_recipes(&plan, value, &recipes, &mut new_oracle(&format, fails, usize::MAX));
                let shown = String::from_utf8(print_value(&format, &shrunk.value)).unwrap();
                // The last value may be anywhere on its board: the smallest input has it in the last cell.
                let sorted = |text: &str| {
                    let mut tokens: Vec<&str> = text.split_whitespace().collect();
                    tokens.sort_unstable();
                    tokens.join(" ")
                };
                assert_eq!(sorted(&shown), sorted(minimum), "{shape}");
            }
        }
    }

    #[test]
    fn one_case_of_several_is_tried_alone() {
        let format = kings_format();
        for (value, recipes) in failing_starts(&format, "ckcgame/equal-values", 6, CORNERS) {
            let cases = input_boards(&input_numbers(&format, &value)).len();
            let plan = GenerationPlan::new(&format);
            let mut oracle = new_oracle(&format, CORNERS, usize::MAX);
            shrink_with_recipes(&plan, value, &recipes, &mut oracle);
            let first = input_boards(&input_numbers(&format, &oracle.failed[0])).len();
            assert_eq!(first, 1, "of {cases}");
        }
    }

    #[test]
    fn nothing_is_asked_where_no_case_fails_alone() {
        let format = kings_format();
        let leak: Fails = |numbers| input_boards(numbers).len() >= 2;
        for (value, recipes) in failing_starts(&format, "ckcgame/equal-values", 4, leak) {
            let cases = input_boards(&input_numbers(&format, &value)).len();
            let plan = GenerationPlan::new(&format);
            let mut oracle = new_oracle(&format, leak, usize::MAX);
            let mut search = ShrinkSearch::new(&plan, value.clone(), &mut oracle);
            shrink_recipes(&mut search, &recipes).unwrap();
            assert_eq!(search.best_value(), &value);
            assert!(oracle.queries <= cases, "{} queries about {cases} cases", oracle.queries);
        }
    }

    #[test]
    fn a_stop_keeps_the_best() {
        let format = kings_format();
        let (value, recipes) = failing_starts(&format, "ckcgame/bait", 1, SIDES).swap_remove(0);
        let plan = GenerationPlan::new(&format);
        for stop_after in 0..60 {
            let mut oracle = new_oracle(&format, SIDES, stop_after);
            let shrunk = shrink_with_recipes(&plan, value.clone(), &recipes, &mut oracle);
            assert!(!shrunk.is_complete && SIDES(&input_numbers(&format, &shrunk.value)));
            check_descent(&format, &value, &oracle.failed, &shrunk);
        }
    }
}
