//! What a bespoke shape drew, made less.
//!
//! Some inputs hold together only as a whole: a board on which two kings just meet, chains and loops that come out even.
//! No row of them can go, and no number can change alone; but the shape that made them knows how to make a smaller one
//! of the same kind. So before anything is left out of the value, its draws are: the growth is lowered, the first draws,
//! which decide sizes, are halved, and others are left out or become zero, which is the simplest. Every list of draws
//! means something, and the format says whether what it means is valid. Then others of the same shape are tried, the
//! smaller ones first. What is taken is smaller in the one order, as everywhere; so here, too, the search ends.

use super::search::{BATCH_ELEMENTS, Search, Stopped};
use super::sweep::hasty_sweep;
use crate::generate::Recipe;
use crate::value::Value;

/// So many draws at the front are lowered one by one: sizes and places come first.
const FIRST: usize = 24;
/// Each of them to any number below this one.
const LEAST: u64 = 16;
/// And so many of them two by two.
const FEW: usize = 8;

/// So many others of the same shape are tried, and so many at a time.
const SIBLINGS: u64 = 1024;
const AT_A_TIME: u64 = 64;
/// And no more of them than have so many elements together.
const ELEMENTS: usize = 200_000;

/// Makes the input smaller by the recipes of its cases, as far as one of them fails alone.
pub(super) fn draws(search: &mut Search<'_, '_>, recipes: &[Recipe]) -> Result<(), Stopped> {
    search.attempt_each(recipes, make)?;
    // The only case of an input is known to fail already.
    let Some(mut recipe) = best_of(search, recipes) else { return Ok(()) };
    let mut others = Others { most: recipe.growth, from: 0, elements: 0 };
    loop {
        until_nothing_goes(search, &mut recipe)?;
        let Some(sibling) = others.smaller(search, &recipe)? else { return Ok(()) };
        recipe = sibling;
    }
}

/// What a recipe makes, if the format allows it.
fn make(search: &Search<'_, '_>, recipe: &Recipe) -> Option<Value> {
    recipe.make(search.format())
}

/// The recipe that makes the best.
fn best_of(search: &Search<'_, '_>, recipes: &[Recipe]) -> Option<Recipe> {
    recipes.iter().find(|recipe| recipe.make(search.format()).as_ref() == Some(search.best())).cloned()
}

/// Other inputs of the same shape, the smaller ones first: what no change of the draws leads to, chance may.
struct Others {
    /// The growth of the last.
    most: u32,
    /// Those before this one are known to be of no use.
    from: u64,
    /// How many elements were tried.
    elements: usize,
}

impl Others {
    /// The recipe of another input that fails and is smaller.
    fn smaller(&mut self, search: &mut Search<'_, '_>, recipe: &Recipe) -> Result<Option<Recipe>, Stopped> {
        let growth = |number: u64| u32::try_from(u64::from(self.most) * number / SIBLINGS).unwrap_or(0);
        while self.from < SIBLINGS && self.elements < ELEMENTS {
            let largest = search.best().elements();
            // Large ones are made a few at a time: each takes as much memory as the best.
            let at_a_time = AT_A_TIME.min((BATCH_ELEMENTS / largest.max(1)) as u64).max(1);
            let some: Vec<Recipe> = (self.from..self.from + at_a_time).map(|n| recipe.sibling(growth(n), n)).collect();
            let made = some.iter().filter_map(|recipe| make(search, recipe));
            let candidates: Vec<Value> = made.filter(|value| value.elements() <= largest).collect();
            if candidates.is_empty() {
                break;
            }
            self.elements += candidates.iter().map(Value::elements).sum::<usize>();
            if search.attempt_any(candidates)? {
                return Ok(best_of(search, &some));
            }
            self.from += at_a_time;
        }
        Ok(None)
    }
}

fn until_nothing_goes(search: &mut Search<'_, '_>, recipe: &mut Recipe) -> Result<(), Stopped> {
    loop {
        let before = search.steps();
        roughly(search, recipe)?;
        less_growth(search, recipe)?;
        lower(search, recipe)?;
        lower_two(search, recipe)?;
        leave_out(search, recipe)?;
        to_zero(search, recipe)?;
        if search.steps() == before {
            return Ok(());
        }
    }
}

/// Growth and the first draws as if failing grew with them: by halving, again and again, since each question about a
/// large input is dear. What that leaves is small enough for all that jumps.
fn roughly(search: &mut Search<'_, '_>, recipe: &mut Recipe) -> Result<(), Stopped> {
    loop {
        let before = search.steps();
        halve(search, recipe, &|recipe| Some(u64::from(recipe.growth)), &|recipe, growth| {
            recipe.growth = u32::try_from(growth).unwrap_or(recipe.growth);
        })?;
        for at in 0..recipe.draws.len().min(FIRST) {
            halve(search, recipe, &|recipe| recipe.draws.get(at).copied(), &|recipe, draw| recipe.draws[at] = draw)?;
        }
        if search.steps() == before {
            return Ok(());
        }
    }
}

/// The least of a number that will do, if all that are larger do.
fn halve(
    search: &mut Search<'_, '_>,
    recipe: &mut Recipe,
    get: &dyn Fn(&Recipe) -> Option<u64>,
    set: &dyn Fn(&mut Recipe, u64),
) -> Result<(), Stopped> {
    let mut least = 0;
    while let Some(number) = get(recipe).filter(|number| least < *number) {
        let middle = least + (number - least) / 2;
        let mut to = recipe.clone();
        set(&mut to, middle);
        if change(search, recipe, to)? {
            // Where a board is smaller, draws are lowered as they are used: else to halve them would change nothing.
            *recipe = recipe.settled();
        } else {
            least = middle + 1;
        }
    }
    Ok(())
}

/// Tries what a recipe makes; whether it was taken.
fn attempt(search: &mut Search<'_, '_>, recipe: &Recipe) -> Result<bool, Stopped> {
    search.attempt_each([recipe], make)
}

/// Tries a changed recipe, and keeps it if what it makes is taken.
fn change(search: &mut Search<'_, '_>, recipe: &mut Recipe, to: Recipe) -> Result<bool, Stopped> {
    let taken = attempt(search, &to)?;
    if taken {
        *recipe = to;
    }
    Ok(taken)
}

/// Tries changed recipes in order, and keeps the first of which what it makes is taken.
fn change_any(search: &mut Search<'_, '_>, recipe: &mut Recipe, to: &[Recipe]) -> Result<bool, Stopped> {
    if !search.attempt_each(to, make)? {
        return Ok(false);
    }
    let taken = best_of(search, to);
    Ok(taken.map(|taken| *recipe = taken).is_some())
}

/// The least growth that will do: sizes jump with it, so each is tried.
fn less_growth(search: &mut Search<'_, '_>, recipe: &mut Recipe) -> Result<(), Stopped> {
    let with_growth = |growth: u32| {
        let mut to = recipe.clone();
        to.growth = growth;
        to
    };
    let all: Vec<Recipe> = (0..recipe.growth).map(with_growth).collect();
    for some in all.chunks(AT_A_TIME as usize) {
        if change_any(search, recipe, some)? {
            break;
        }
    }
    Ok(())
}

/// Lowers the first draws, each to one of the least numbers, or by a part of it.
fn lower(search: &mut Search<'_, '_>, recipe: &mut Recipe) -> Result<(), Stopped> {
    for at in 0..recipe.draws.len().min(FIRST) {
        while let Some(draw) = recipe.draws.get(at).copied() {
            let parts = (1..u64::BITS).map(|part| draw - (draw >> part)).filter(|to| (LEAST..draw).contains(to));
            let with_draw = |number: u64| {
                let mut to = recipe.clone();
                to.draws[at] = number;
                to
            };
            let all: Vec<Recipe> = (0..draw.min(LEAST)).chain(parts).map(with_draw).collect();
            if !change_any(search, recipe, &all)? {
                break;
            }
        }
    }
    Ok(())
}

/// Lowers two of the first draws together, by half or by one: the sides of a board that has to stay a square.
fn lower_two(search: &mut Search<'_, '_>, recipe: &mut Recipe) -> Result<(), Stopped> {
    let few = recipe.draws.len().min(FEW);
    let ways: [fn(u64) -> u64; 2] = [|draw| draw / 2, |draw| draw.saturating_sub(1)];
    for second in 1..few {
        for (first, way) in (0..second).flat_map(|first| ways.map(|way| (first, way))) {
            loop {
                let mut to = recipe.clone();
                [first, second].iter().for_each(|i| to.draws[*i] = way(to.draws[*i]));
                if to.draws == recipe.draws || !change(search, recipe, to)? {
                    break;
                }
            }
        }
    }
    Ok(())
}

fn leave_out(search: &mut Search<'_, '_>, recipe: &mut Recipe) -> Result<(), Stopped> {
    hasty_sweep(recipe.draws.len(), &mut |gone| {
        let mut to = recipe.clone();
        let mut at = 0;
        to.draws.retain(|_| {
            at += 1;
            gone.binary_search(&(at - 1)).is_err()
        });
        change(search, recipe, to)
    })?;
    Ok(())
}

/// Which draws are needed at all.
fn to_zero(search: &mut Search<'_, '_>, recipe: &mut Recipe) -> Result<(), Stopped> {
    let mut needed: Vec<usize> = (0..recipe.draws.len()).filter(|i| recipe.draws[*i] > 0).collect();
    hasty_sweep(needed.len(), &mut |chosen| {
        let mut to = recipe.clone();
        chosen.iter().for_each(|i| to.draws[needed[*i]] = 0);
        let taken = change(search, recipe, to)?;
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
    use super::super::{Oracle, Shrunk, shrink_drawn};
    use super::*;
    use crate::format::Format;
    use crate::generate::{Plan, Settings, generate, recipes};
    use crate::print::print;
    use crate::value::Measure;
    use rebut_generators::Choices;

    /// Two kings on a square board of numbers.
    const KINGS: &str = "T; cases T: N Ax Ay Bx By; V[N][N] where 1 <= T <= 60; 2 <= N <= 300; 1 <= Ax, Ay, Bx, By <= N; \
                         (Ax, Ay) != (Bx, By); 1 <= V <= 10^9; sum(N) <= 300";

    fn format() -> Format {
        Format::parse(&crate::diagnostic::Source::new("format", KINGS)).unwrap().0
    }

    /// Numbers of an input, as a predicate sees them.
    fn numbers(format: &Format, value: &Value) -> Vec<i128> {
        String::from_utf8(print(format, value)).unwrap().split_whitespace().map(|t| t.parse().unwrap()).collect()
    }

    /// Sides and values of the boards of an input.
    fn boards(numbers: &[i128]) -> Vec<(usize, &[i128])> {
        let (mut rest, mut found) = (&numbers[1..], Vec::new());
        while let [side, ..] = rest {
            let side = usize::try_from(*side).unwrap();
            found.push((side, &rest[5..5 + side * side]));
            rest = &rest[5 + side * side..];
        }
        found
    }

    type Fails = fn(&[i128]) -> bool;

    /// A predicate that keeps all that failed, and may stop after so many questions.
    struct Predicate<'f> {
        format: &'f Format,
        fails: Fails,
        asked: usize,
        stop_after: usize,
        failed: Vec<Value>,
    }

    impl Oracle<Value> for Predicate<'_> {
        fn first_failing(&mut self, candidates: &[Value]) -> Result<Option<usize>, Stopped> {
            for (i, candidate) in candidates.iter().enumerate() {
                if self.asked == self.stop_after {
                    return Err(Stopped);
                }
                self.asked += 1;
                assert_eq!(crate::validate::violation(self.format, candidate), None);
                if (self.fails)(&numbers(self.format, candidate)) {
                    self.failed.push(candidate.clone());
                    return Ok(Some(i));
                }
            }
            Ok(None)
        }
    }

    fn oracle(format: &Format, fails: Fails, stop_after: usize) -> Predicate<'_> {
        Predicate { format, fails, asked: 0, stop_after, failed: Vec::new() }
    }

    /// Failing inputs of a shape, each with its recipes.
    fn starts(format: &Format, shape: &str, most_cases: usize, fails: Fails) -> Vec<(Value, Vec<Recipe>)> {
        let plan = Plan::new(format);
        let settings = |seed: u64| Settings {
            growth: 20 + (seed % 3) as u32 * 10,
            most_cases,
            shape: Some(shape.to_owned()),
            ..Settings::default()
        };
        let made = (0..200).filter_map(|seed| {
            let (settings, choices) = (settings(seed), || Choices::fresh(seed, 1));
            let value = generate(&plan, &mut choices(), &settings).ok()?.value;
            fails(&numbers(format, &value)).then(|| (value, recipes(&plan, choices(), &settings)))
        });
        made.take(6).collect()
    }

    /// Corners of a board that are equal and large: no number can change alone.
    const CORNERS: Fails = |numbers| {
        boards(numbers).iter().any(|(n, v)| {
            let corners = [v[0], v[n - 1], v[n * n - n], v[n * n - 1]];
            *n >= 3 && corners.iter().all(|c| *c == corners[0] && *c >= 100)
        })
    };
    const WEALTH: Fails = |numbers| boards(numbers).iter().any(|(_, v)| v.iter().sum::<i128>() >= 5_000_000_000);
    const SIDES: Fails = |numbers| boards(numbers).iter().any(|(n, v)| *n >= 5 && v.iter().any(|v| *v >= 7));

    #[test]
    fn recipes_are_made_smaller_before_anything_else() {
        let format = format();
        for (shape, fails, elements) in [
            ("ckcgame/equal-values", CORNERS, 6 + 9),
            ("ckcgame/large-values", WEALTH, 6 + 9),
            ("ckcgame/bait", SIDES, 6 + 25),
        ] {
            let starts = starts(&format, shape, 1, fails);
            assert!(starts.len() > 3, "{shape}");
            for (value, recipes) in starts {
                let plan = Plan::new(&format);
                let mut oracle = oracle(&format, fails, usize::MAX);
                let mut search = Search::new(&plan, value.clone(), &mut oracle);
                draws(&mut search, &recipes).unwrap();
                let ended = search.finish(true);
                assert_eq!(ended.value.elements(), elements, "{shape}");
                assert!(fails(&numbers(&format, &ended.value)));
                check_descent(&format, &value, &oracle.failed, &ended);
            }
        }
    }

    /// Each that was taken is smaller than the one before, and the last is the result.
    fn check_descent(format: &Format, start: &Value, failed: &[Value], ended: &Shrunk<Value>) {
        let measures: Vec<Measure> = [start].into_iter().chain(failed).map(|v| Measure::of(format, v)).collect();
        assert!(measures.windows(2).all(|w| w[1] < w[0]));
        assert_eq!(failed.last().unwrap_or(start), &ended.value);
        assert_eq!(failed.len(), ended.steps);
    }

    #[test]
    fn what_the_format_allows_besides_is_left_to_the_other_passes() {
        let format = format();
        for (shape, fails, minimum) in [
            ("ckcgame/equal-values", CORNERS, "1\n3 1 1 1 2\n100 1 100\n1 1 1\n100 1 100\n"),
            ("ckcgame/bait", SIDES, "1\n5 1 1 1 2\n7 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n"),
        ] {
            for (value, recipes) in starts(&format, shape, 1, fails) {
                let plan = Plan::new(&format);
                let shrunk = shrink_drawn(&plan, value, &recipes, &mut oracle(&format, fails, usize::MAX));
                let shown = String::from_utf8(print(&format, &shrunk.value)).unwrap();
                // The last value may stand anywhere in its board: the smallest is where it is last.
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
        let format = format();
        for (value, recipes) in starts(&format, "ckcgame/equal-values", 6, CORNERS) {
            let cases = boards(&numbers(&format, &value)).len();
            let plan = Plan::new(&format);
            let mut oracle = oracle(&format, CORNERS, usize::MAX);
            shrink_drawn(&plan, value, &recipes, &mut oracle);
            let first = boards(&numbers(&format, &oracle.failed[0])).len();
            assert_eq!(first, 1, "of {cases}");
        }
    }

    #[test]
    fn nothing_is_asked_where_no_case_fails_alone() {
        let format = format();
        let leak: Fails = |numbers| boards(numbers).len() >= 2;
        for (value, recipes) in starts(&format, "ckcgame/equal-values", 4, leak) {
            let cases = boards(&numbers(&format, &value)).len();
            let plan = Plan::new(&format);
            let mut oracle = oracle(&format, leak, usize::MAX);
            let mut search = Search::new(&plan, value.clone(), &mut oracle);
            draws(&mut search, &recipes).unwrap();
            assert_eq!(search.best(), &value);
            assert!(oracle.asked <= cases, "{} questions about {cases} cases", oracle.asked);
        }
    }

    #[test]
    fn a_stop_keeps_the_best() {
        let format = format();
        let (value, recipes) = starts(&format, "ckcgame/bait", 1, SIDES).swap_remove(0);
        let plan = Plan::new(&format);
        for stop_after in 0..60 {
            let mut oracle = oracle(&format, SIDES, stop_after);
            let shrunk = shrink_drawn(&plan, value.clone(), &recipes, &mut oracle);
            assert!(!shrunk.complete && SIDES(&numbers(&format, &shrunk.value)));
            check_descent(&format, &value, &oracle.failed, &shrunk);
        }
    }
}
