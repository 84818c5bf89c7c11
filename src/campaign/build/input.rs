//! The inputs of a test set.

use super::flaw::{Flaw, FlawKind};
use super::order::{Making, Order};
use super::{BuildPlan, cases, every, program};
use crate::campaign::parallel::run_in_parallel;
use crate::corpus::recipe::file_names;
use crate::diagnostic::{ErrorKind, Result};

/// An input, before it is judged.
#[derive(Clone, Debug)]
pub(super) struct Input {
    /// The number of its order.
    pub(super) order: usize,
    /// Its path below `data/`, without extension.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) key: String,
    /// What made it.
    pub(super) shape: String,
    /// Whether it was made by an earlier build.
    pub(super) is_kept: bool,
    /// Whether its generator makes the same of another seed.
    pub(super) ignores_seed: bool,
}

/// What one piece of work made.
#[derive(Clone, Debug, Default)]
pub(super) struct Fresh {
    pub(super) bytes: Vec<u8>,
    /// Whether its generator makes the same of another seed.
    pub(super) ignores_seed: bool,
}

/// A reason why nothing was made: the kind, and what is to be said.
pub(super) type Unmade = (FlawKind, String, String);

/// The inputs of one order, or those of one of its numbers.
type Part = std::result::Result<Vec<(Fresh, String, bool)>, Unmade>;

/// All inputs, and what could not be made.
/// `told` hears how many of how many pieces are made.
pub(super) fn inputs(plan: &BuildPlan<'_>, told: &mut dyn FnMut(usize, usize)) -> Result<(Vec<Input>, Vec<Flaw>)> {
    let pieces: Vec<(usize, usize)> = plan.orders.iter().enumerate().flat_map(|(i, order)| pieces(i, order)).collect();
    let parts = run_in_parallel(plan.jobs, pieces.len(), |i| part(plan, pieces[i].0, pieces[i].1), &mut |done| {
        told(done, pieces.len());
    })?;
    let mut made: Vec<Vec<(Fresh, String, bool)>> = plan.orders.iter().map(|_| Vec::new()).collect();
    let mut flaws = Vec::new();
    for ((order, _), part) in pieces.iter().zip(parts) {
        match part {
            Ok(part) => made[*order].extend(part),
            Err((kind, message, note)) => {
                flaws.push(Flaw::new(*order, &plan.orders[*order].title(), kind, message).note(note));
            }
        }
    }
    copy(plan, &mut made);
    flaws.dedup_by(|b, a| a.order == b.order && a.kind == b.kind && a.message == b.message);
    let named = made.into_iter().enumerate().flat_map(|(i, parts)| named(&plan.orders[i], i, parts));
    Ok((named.collect(), flaws))
}

/// An order whose number of inputs is known is made input by input.
fn pieces(number: usize, order: &Order) -> Vec<(usize, usize)> {
    match order.making {
        Making::Copy(_) => Vec::new(),
        Making::Every | Making::Bytes(_) => vec![(number, 0)],
        Making::Drawn(_) | Making::Program { .. } => (0..order.count as usize).map(|index| (number, index)).collect(),
    }
}

/// Copies come last: of what they are copies is there then.
fn copy(plan: &BuildPlan<'_>, made: &mut [Vec<(Fresh, String, bool)>]) {
    for (i, order) in plan.orders.iter().enumerate() {
        if let Making::Copy(of) = order.making {
            made[i] = made.get(of).cloned().unwrap_or_default();
            for (index, (_, key, _)) in made[i].iter_mut().enumerate() {
                *key = order.input_key(index);
            }
        }
    }
}

fn named(order: &Order, number: usize, parts: Vec<(Fresh, String, bool)>) -> Vec<Input> {
    let names = file_names(&order.stem, parts.len());
    let inputs = names.into_iter().zip(parts).enumerate().map(|(index, (name, (fresh, key, is_kept)))| Input {
        order: number,
        name: format!("{}/{name}", order.folder),
        bytes: fresh.bytes,
        key,
        shape: order.shape(index),
        is_kept,
        ignores_seed: fresh.ignores_seed,
    });
    inputs.collect()
}

/// The input of that number, or all of an order, from the disk or anew. What the user or the machine stops is an error, and
/// what the recipe or the jury's programs are to blame for a flaw.
fn part(plan: &BuildPlan<'_>, number: usize, index: usize) -> Result<Part> {
    let order = &plan.orders[number];
    if !plan.anew
        && let Some(kept) = kept(plan, order, index)
    {
        return Ok(Ok(kept));
    }
    let limits = &plan.bench.jury_limits;
    let cancel = &plan.bench.cancel;
    let single = |made: std::result::Result<Fresh, Unmade>| made.map(|f| vec![(f, order.input_key(index), false)]);
    let made = match &order.making {
        Making::Drawn(drawn) => cases::drawn(order, drawn, index, limits, cancel).map(single),
        Making::Every => every::every(order, limits, cancel).map(|files| files.map(|files| keyed(order, files))),
        Making::Program { program, arguments } => {
            program::made(order, program, arguments, index, limits, cancel).map(single)
        }
        Making::Bytes(bytes) => Ok(single(Ok(Fresh { bytes: bytes.clone(), ignores_seed: false }))),
        Making::Copy(_) => Ok(Ok(Vec::new())),
    };
    match made {
        Err(error) if matches!(error.kind(), ErrorKind::Usage | ErrorKind::Judge) => {
            let kind = if error.kind() == ErrorKind::Judge { FlawKind::Generator } else { FlawKind::Unmade };
            Ok(Err((kind, error.message().to_owned(), error.note().unwrap_or_default().to_owned())))
        }
        other => other,
    }
}

fn keyed(order: &Order, files: Vec<Fresh>) -> Vec<(Fresh, String, bool)> {
    let last = files.len().saturating_sub(1);
    let key = |i: usize| if i == last { order.last_key(i) } else { order.input_key(i) };
    files.into_iter().enumerate().map(|(i, fresh)| (fresh, key(i), false)).collect()
}

/// What an earlier build made under the same key.
fn kept(plan: &BuildPlan<'_>, order: &Order, index: usize) -> Option<Vec<(Fresh, String, bool)>> {
    let fresh = |bytes: Vec<u8>| Fresh { bytes, ignores_seed: false };
    let find = |key: String| plan.set.kept(&key).map(|bytes| (fresh(bytes), key, true));
    if !matches!(order.making, Making::Every) {
        return find(order.input_key(index)).map(|one| vec![one]);
    }
    let mut files = Vec::new();
    loop {
        if let Some(last) = find(order.last_key(files.len())) {
            files.push(last);
            return Some(files);
        }
        files.push(find(order.input_key(files.len()))?);
    }
}
