//! What a bespoke shape drew, made less.
//!
//! Some inputs hold together only as a whole: a board on which two kings just meet, chains and loops that come out even.
//! No row of them can go, and no number can change alone; but the shape that made them knows how to make a smaller one
//! of the same kind. So before anything is left out of the value, its draws are: the growth is lowered, the first draws,
//! which decide sizes, are halved, and others are left out or become zero, which is the simplest. Every list of draws
//! means something, and the format says whether what it means is valid. What is taken is smaller in the one order, as
//! everywhere; so here, too, the search ends.

use super::search::{Search, Stopped};
use super::sweep::hasty_sweep;
use crate::generate::Recipe;
use crate::value::Value;

/// So many draws at the front are lowered one by one: sizes and places come first.
const FIRST: usize = 24;

/// Makes the input smaller by the recipes of its cases, as far as one of them fails alone.
pub(super) fn draws(search: &mut Search<'_, '_>, recipes: &[Recipe]) -> Result<(), Stopped> {
    let made: Vec<Value> = recipes.iter().filter_map(|recipe| recipe.make(search.format())).collect();
    search.attempt_any(made)?;
    // The only case of an input is known to fail already.
    let is_best = |recipe: &&Recipe| recipe.make(search.format()).as_ref() == Some(search.best());
    let Some(recipe) = recipes.iter().find(is_best) else { return Ok(()) };
    until_nothing_goes(search, &mut recipe.clone())
}

fn until_nothing_goes(search: &mut Search<'_, '_>, recipe: &mut Recipe) -> Result<(), Stopped> {
    loop {
        let before = search.steps();
        less_growth(search, recipe)?;
        lower(search, recipe)?;
        leave_out(search, recipe)?;
        to_zero(search, recipe)?;
        if search.steps() == before {
            return Ok(());
        }
    }
}

/// Tries what a recipe makes; whether it was taken.
fn attempt(search: &mut Search<'_, '_>, recipe: &Recipe) -> Result<bool, Stopped> {
    let made = recipe.make(search.format());
    search.attempt_any(made.into_iter().collect())
}

/// Tries a changed recipe, and keeps it if what it makes is taken.
fn change(search: &mut Search<'_, '_>, recipe: &mut Recipe, to: Recipe) -> Result<bool, Stopped> {
    let taken = attempt(search, &to)?;
    if taken {
        *recipe = to;
    }
    Ok(taken)
}

fn less_growth(search: &mut Search<'_, '_>, recipe: &mut Recipe) -> Result<(), Stopped> {
    let mut step = recipe.growth;
    while step > 0 {
        let mut to = recipe.clone();
        to.growth = recipe.growth.saturating_sub(step);
        if recipe.growth == 0 || !change(search, recipe, to)? {
            step /= 2;
        }
    }
    Ok(())
}

/// Lowers the first draws, each as far as it goes by halving its distance to zero.
fn lower(search: &mut Search<'_, '_>, recipe: &mut Recipe) -> Result<(), Stopped> {
    for at in 0..recipe.draws.len().min(FIRST) {
        let mut step = recipe.draws[at];
        while step > 0 {
            let mut to = recipe.clone();
            to.draws[at] = to.draws[at].saturating_sub(step);
            if recipe.draws[at] == 0 || !change(search, recipe, to)? {
                step /= 2;
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
