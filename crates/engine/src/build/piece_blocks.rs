//! The tests of a recipe in blocks that several machines make.
//!
//! A piece of the work makes the inputs that belong together, mostly one, checks them and computes their answers. Its
//! result depends on the recipe and the package alone, so the pieces of all machines make the test set of one.
//! Pieces are made even if the test set on disk has their tests already, since that may differ from machine to machine.

use super::built_piece::{BuiltPiece, PieceFailure, PieceInput, StoredBytes};
use super::test_answers::{AnsweredInput, judge_and_answer};
use super::test_inputs::{InputPiece, TestInput, find_pieces, make_piece, name_piece};
use super::{BuildPlan, answer_key};
use crate::event::{ActivityEvent, BuildFlaw, Event, EventSink};
use crate::parallel::run_in_parallel;
use rebut_diagnostics::Result;
use rebut_format::read::read_input;
use std::ops::Range;

/// Keeps the pieces of a block.
pub type KeepPieces<'a> = dyn Fn(u64, Vec<BuiltPiece>) -> Result<()> + Sync + 'a;

/// A block that is to be made: its number, and the numbers of its pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceBlock {
    /// Number of the block, from 0.
    pub number: u64,
    /// Numbers of the pieces.
    pub pieces: Range<u64>,
}

/// Returns the number of pieces of the work on a test set.
pub fn count_pieces(plan: &BuildPlan<'_>) -> u64 {
    find_pieces(plan, None).len() as u64
}

/// Makes the pieces of blocks, and passes each block to `keep` when it is finished. The test set on disk is not looked at
/// if the plan is to rebuild all.
///
/// # Errors
/// Returns an error if a program cannot be started, if a block cannot be kept, or if the work was cancelled.
pub fn make_piece_blocks(
    plan: &BuildPlan<'_>,
    wanted: &[PieceBlock],
    keep: &KeepPieces<'_>,
    sink: &mut dyn EventSink,
) -> Result<()> {
    let pieces = find_pieces(plan, None);
    let mut activity =
        ActivityEvent { of: Some(wanted.len() as u64), noun: "blocks", ..ActivityEvent::new("Building", "tests") };
    let make_block = |at: usize| {
        let PieceBlock { number, pieces: Range { start, end } } = wanted[at];
        let of_block = &pieces[start as usize..end as usize];
        keep(number, of_block.iter().map(|piece| build_piece(plan, *piece)).collect::<Result<_>>()?)
    };
    let on_progress = &mut |done| {
        activity.done = done as u64;
        sink.take_event(&Event::Activity(activity.clone()));
    };
    run_in_parallel(plan.jobs, wanted.len(), make_block, on_progress).map(drop)
}

/// Makes, checks and answers the inputs of a piece.
fn build_piece(plan: &BuildPlan<'_>, piece: InputPiece) -> Result<BuiltPiece> {
    let parts = match make_piece(plan, piece, &|_| ())? {
        Ok(parts) => parts,
        Err((kind, message, note)) => {
            let failure = Some(PieceFailure { kind, message, note });
            return Ok(BuiltPiece { inputs: Vec::new(), failure });
        }
    };
    let is_test = !plan.test_jobs[piece.order].is_candidate;
    let inputs = name_piece(plan, piece, parts).into_iter().map(|input| {
        let AnsweredInput { answer, value, cases, flaws, .. } = judge_and_answer(plan, &input, is_test)?;
        Ok(PieceInput {
            input: StoredBytes::new(input.bytes),
            ignores_seed: input.ignores_seed,
            shape: input.drawn_shape,
            answer: answer.map(StoredBytes::new),
            is_accepted: value.is_some(),
            cases,
            flaws,
        })
    });
    Ok(BuiltPiece { inputs: inputs.collect::<Result<_>>()?, failure: None })
}

/// Returns the answers of all inputs, which were made by these pieces. Copies are answered here.
///
/// # Errors
/// Returns an error if a program cannot be started, or if the work was cancelled.
pub(super) fn recall_answers(
    plan: &BuildPlan<'_>,
    pieces: &[BuiltPiece],
    inputs: &[TestInput],
) -> Result<Vec<AnsweredInput>> {
    let found = find_pieces(plan, None);
    let mut known: Vec<Vec<&PieceInput>> = plan.test_jobs.iter().map(|_| Vec::new()).collect();
    for (piece, built) in found.iter().zip(pieces) {
        known[piece.order].extend(&built.inputs);
    }
    let mut places = vec![0; plan.test_jobs.len()];
    let mut place = |order: usize| {
        places[order] += 1;
        places[order] - 1
    };
    let answered = inputs.iter().map(|input| match known[input.order].get(place(input.order)) {
        Some(one) => Ok(recall_answer(plan, input, one)),
        None => judge_and_answer(plan, input, true),
    });
    answered.collect()
}

fn recall_answer(plan: &BuildPlan<'_>, input: &TestInput, one: &PieceInput) -> AnsweredInput {
    let value = plan.format.filter(|_| one.is_accepted).and_then(|format| read_input(format, &input.bytes).ok());
    let rename = |flaw: &BuildFlaw| BuildFlaw { order: input.order, test: input.name.clone(), ..flaw.clone() };
    AnsweredInput {
        answer: one.answer.as_ref().map(StoredBytes::to_vec),
        value,
        cases: one.cases,
        is_reused: !plan.rebuild_all && plan.set.find_built_bytes(&answer_key(plan, input)).is_some(),
        flaws: one.flaws.iter().map(rename).collect(),
    }
}
