//! The tests of a recipe in blocks that several machines make.
//!
//! A piece of the work makes the inputs that belong together, mostly one, checks them and computes their answers. Its
//! result depends on the recipe and the package alone, so the pieces of all machines make the test set of one.
//! Pieces are made even if the test set on disk has their tests already, since that may differ from machine to machine.

use super::built_piece::{BuiltPiece, PieceInput, StoredBytes};
use super::test_answers::{AnsweredInput, judge_and_answer};
use super::test_inputs::{InputPiece, TestInput, find_pieces, make_piece, name_piece};
use super::{BuildPlan, answer_key};
use crate::event::{BuildFlaw, EventSink};
use crate::sharding::{BlockPlan, SharedEnd, SharedJournal, Work};
use rebut_diagnostics::{Error, Result};
use rebut_format::read::read_input;

/// The pieces of the work on a test set. The test set on disk is not looked at if the plan is to rebuild all.
pub struct PieceBlocks<'p, 'a> {
    plan: &'p BuildPlan<'a>,
    pieces: Vec<InputPiece>,
    blocks: BlockPlan,
}

impl Work for PieceBlocks<'_, '_> {
    type Out = Vec<BuiltPiece>;
    type Times = ();
    type Task = ();

    const ACTIVITY: Option<[&'static str; 2]> = Some(["Building", "tests"]);
    const RUN_AGAIN: &'static str = "it is made again";

    fn count_blocks(&self) -> Option<u64> {
        Some(self.blocks.count_blocks())
    }

    fn jobs(&self) -> usize {
        self.plan.jobs
    }

    fn run_block(&self, number: u64, (): ()) -> Result<Option<(Vec<BuiltPiece>, ())>> {
        let indices = self.blocks.block_indices(number);
        let pieces = &self.pieces[indices.start as usize..indices.end as usize];
        let built = pieces.iter().map(|piece| build_piece(self.plan, *piece)).collect::<Result<_>>()?;
        Ok(Some((built, ())))
    }
}

impl<'p, 'a> PieceBlocks<'p, 'a> {
    /// Cuts the work on a test set into blocks of so many pieces, if that is stated.
    pub fn cut_plan(plan: &'p BuildPlan<'a>, block_pieces: Option<u64>) -> Self {
        let pieces = find_pieces(plan, None);
        PieceBlocks { plan, blocks: BlockPlan::cut_tests(pieces.len() as u64, block_pieces), pieces }
    }

    /// Returns the number of pieces in a block.
    pub fn block_pieces(&self) -> u64 {
        self.blocks.block_inputs
    }

    /// Makes the pieces of a shard that its journal lacks. Returns all pieces unless other machines make other shards.
    ///
    /// # Errors
    /// Returns an error if programs cannot be run, if a block cannot be written, or if blocks are missing or differ.
    pub fn share_pieces(
        &self,
        journal: &mut SharedJournal,
        sink: &mut dyn EventSink,
    ) -> Result<SharedEnd<Vec<BuiltPiece>>> {
        let end = journal.run_missing(self, sink)?;
        match journal.report_shard(end, Vec::new(), sink) {
            Some(reason) => Ok(SharedEnd::Shard(reason)),
            None => self.merge_blocks(journal, sink).map(SharedEnd::Whole),
        }
    }

    fn merge_blocks(&self, journal: &SharedJournal, sink: &mut dyn EventSink) -> Result<Vec<BuiltPiece>> {
        let mut pieces = Vec::new();
        for number in 0..self.blocks.count_blocks() {
            let mut runs: Vec<(Vec<BuiltPiece>, ())> = journal.read_block(number, |_, ()| Ok(()), sink)?;
            if runs.len() > 1 {
                return Err(Error::judge_error(format!("two runs of block {} made different tests", number + 1))
                    .with_help("a generator, the reference, a validator or an accepted submission is flaky"));
            }
            runs.iter_mut().for_each(|(of_block, ())| pieces.append(of_block));
        }
        match journal.describe_missing(Some(self.blocks.count_blocks())) {
            Some(missing) => Err(Error::operating_error(format!("the test set is not complete: {missing}"))),
            None if pieces.len() != self.pieces.len() => {
                Err(Error::operating_error("a block of the journal has another number of tests"))
            }
            None => Ok(pieces),
        }
    }
}

/// Makes, checks and answers the inputs of a piece.
fn build_piece(plan: &BuildPlan<'_>, piece: InputPiece) -> Result<BuiltPiece> {
    let parts = match make_piece(plan, piece, &|_| ())? {
        Ok(parts) => parts,
        Err(failure) => return Ok(BuiltPiece { inputs: Vec::new(), failure: Some(failure) }),
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
