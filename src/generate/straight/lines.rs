//! Instances as lines, with no values in between.
//!
//! A search looks at the bytes of its inputs, and at the value of hardly one: that one is drawn again. So where a long list
//! ends the input, and nothing is said of its instances but what each keeps to when it is drawn, they are written as soon
//! as they are drawn.
//!
//! *Invariant:* the bytes are those of the value that the same choices make.

use super::super::Failure;
use super::super::budget::{Budget, Summed, are_ample, instance_sum};
use super::super::habits::{RUN, runs};
use super::super::instance::Maker;
use super::super::plan::Plan;
use super::draw::Sheet;
use super::rows::Rows;
use crate::format::{BlockId, Expr, Format, Item, Rule, Sign, Tape, is_plain};
use crate::print::{Piece, pieces, put};
use crate::value::{Instances, Value};

/// How the instances of a block are written as they are drawn.
#[derive(Debug)]
pub(in crate::generate) struct Lines {
    /// The block.
    pub(in crate::generate) block: BlockId,
    pieces: Vec<Piece>,
    /// The same, for numbers and texts of which no value is made.
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    /// The single number of a slot, and the character behind it.
    Number(usize, u8),
    /// The same for a text.
    Text(usize, u8),
    /// Anything else.
    Other(Piece),
}

/// The lines of all instances of a list.
#[derive(Debug)]
pub(in crate::generate) struct Written {
    /// What is written.
    pub(in crate::generate) bytes: Vec<u8>,
    /// How many instances there are.
    pub(in crate::generate) count: usize,
}

impl Lines {
    /// How the last block of a format is written, if that needs no values.
    pub(in crate::generate) fn of(plan: &Plan<'_>) -> Option<Lines> {
        let format = plan.format;
        let Some(Item::Block(block)) = format.block(BlockId(0)).items.last() else { return None };
        let speaks_of_it = |rule: &Rule| format.fields_of(*block).any(|field| rule.mentions(field));
        let mut rules = plan.at_home(BlockId(0)).iter().map(|constraint| &format.constraints[*constraint].rule);
        let is_kept_to = rules.all(|rule| !speaks_of_it(rule) || is_upper_bound(format, *block, rule));
        let pieces = pieces(format, *block)?;
        let settled = !plan.parts(BlockId(0)).has_formulas;
        let straight = plan.straight(*block)?;
        let is_text = |slot| straight.arrays.iter().any(|array| array.slot == slot && array.letters.is_some());
        let part = |piece: &Piece| match *piece {
            Piece::Token(slot, after) if straight.layout.contains(&slot) => Part::Number(slot, after),
            Piece::Token(slot, after) if is_text(slot) => Part::Text(slot, after),
            other => Part::Other(other),
        };
        let parts = pieces.iter().map(part).collect();
        (settled && is_kept_to && is_plain(format)).then_some(Lines { block: *block, pieces, parts })
    }

    /// Writes a neighbour.
    #[inline]
    fn put(&self, rows: &Rows, at: usize, instance: &[Value], tape: &mut Tape<'_>) {
        for piece in &self.parts {
            match *piece {
                Part::Number(slot, after) => tape.number_and(rows.number(slot, at).into(), after),
                Part::Text(slot, after) if rows.has_text(slot) => {
                    let (letters, length) = rows.text(slot, at);
                    tape.short_and(letters, length, after);
                }
                Part::Text(slot, after) => put(&[Piece::Token(slot, after)], instance, tape),
                Part::Other(piece) => put(&[piece], instance, tape),
            }
        }
    }
}

/// Whether a rule bounds the sum of a number of the instances from above by what is known before any is drawn: a budget, to
/// which they keep as they are drawn.
fn is_upper_bound(format: &Format, block: BlockId, rule: &Rule) -> bool {
    let Rule::Compare(comparison) = rule else { return false };
    match instance_sum(block, comparison) {
        Some(Summed { each: Expr::Field(_), sign: Sign::Less | Sign::LessEqual, other: most, .. }) => {
            !format.fields_of(block).any(|field| most.mentions(field))
        }
        _ => false,
    }
}

impl<'a> Maker<'a, '_> {
    /// The same as [`Maker::straight_instances`] of none that is like another, but written, and in no list.
    #[expect(clippy::expect_used, reason = "the slots of single numbers are known when a format is prepared")]
    pub(in crate::generate) fn straight_lines(
        &mut self,
        sheet: &mut Sheet<'a, '_>,
        lines: &Lines,
        rooms: &[usize],
        budgets: &mut [Budget<'_>],
    ) -> Result<Instances, Failure> {
        let (count, width) = (rooms.len(), sheet.straight.stated.len());
        let mut bytes = Vec::with_capacity(self.scrap.bytes);
        let mut tape = Tape::new(&mut bytes);
        let mut scratch = vec![Value::Int(0); RUN * width];
        let mut rows = Rows::new(&sheet.places, sheet.straight);
        for run in runs(count) {
            self.look_at_token(run.start)?;
            self.choose_habits(sheet.block, run.start, count);
            if let Some(rows) = rows.as_mut().filter(|_| self.filled.is_empty() && are_ample(budgets, &run, count)) {
                rows.clear(true);
                self.straight_run(sheet, rows, None, &mut scratch, &rooms[run.clone()])?;
                for (at, instance) in scratch.chunks_exact(width).take(run.len()).enumerate() {
                    match rows.redrawn[at] {
                        true => put(&lines.pieces, instance, &mut tape),
                        false => lines.put(rows, at, instance, &mut tape),
                    }
                    sheet.spend(budgets, |slot| rows.number(slot, at).into());
                }
                continue;
            }
            for i in run {
                sheet.limit(budgets, i, count);
                let instance = &mut scratch[..width];
                self.straight_next(sheet, &[], instance, rooms[i], false)?;
                sheet.spend(budgets, |slot| instance[slot].as_int().expect("what is spent is a number"));
                put(&lines.pieces, instance, &mut tape);
            }
        }
        tape.flush();
        self.scrap.bytes = bytes.len();
        self.written = Some(Written { bytes, count });
        self.prove(sheet.block);
        Ok(Instances::new(width))
    }
}
