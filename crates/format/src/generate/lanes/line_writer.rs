//! Writes instances as lines, without values in between.

use super::super::compiled::{LineOp, LineProgram};
use super::table::Lanes;
use crate::language::ByteWriter;
use crate::print::{PrintStep, print_instance};
use crate::value::Value;

impl LineProgram {
    /// Returns a writer that appends lines to `bytes`.
    pub(super) fn start_writing<'o>(&'o self, bytes: &'o mut Vec<u8>) -> LineWriter<'o> {
        LineWriter { program: self, bytes: ByteWriter::new(bytes) }
    }
}

/// Writes the lines of instances.
pub(super) struct LineWriter<'o> {
    program: &'o LineProgram,
    bytes: ByteWriter<'o>,
}

impl LineWriter<'_> {
    /// Writes the instance in a lane. Its arrays are in its slots, and if it was drawn on its own, all of its texts.
    #[inline]
    pub(super) fn write_lane<const N: usize>(&mut self, lanes: &Lanes<'_, '_, N>, at: usize, instance: &[Value]) {
        for op in &self.program.ops {
            match *op {
                LineOp::Number(slot, after) => self.bytes.write_number_then(lanes.number_at(slot, at).into(), after),
                LineOp::Text(slot, after) if lanes.has_text(slot) && !lanes.redrawn[at] => {
                    let (letters, length) = lanes.text_at(slot, at);
                    self.bytes.write_prefix_then(letters, length, after);
                }
                LineOp::Text(slot, after) => {
                    print_instance(&[PrintStep::Token(slot, after)], instance, &mut self.bytes);
                }
                LineOp::Other(step) => print_instance(&[step], instance, &mut self.bytes),
            }
        }
    }

    /// Completes the lines.
    pub(super) fn finish(mut self) {
        self.bytes.flush_buffer();
    }
}
