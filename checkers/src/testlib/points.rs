//! The two examples of checkers that give points: the difference of two numbers.
//!
//! There are no points here, only right and wrong. Right is what gets the points that the jury's own answer would:
//! a difference of zero.

use super::fault::{Fault, Refusal, Words};
use super::reals::Real;
use super::single::{counterpart, differ_unless, end, first};
use super::values::{not, read_real};
use crate::number;
use crate::show;

/// More points than this are an error of the checker.
const MOST: f64 = 1e6 + 1e-8;

/// One number, whose difference from the answer's is points, which must be a number from 0 to a million.
pub(crate) fn points<'a>(mut answer: Words<'a>, mut output: Words<'a>) -> Result<(), Refusal<'a>> {
    let expected = first(&mut answer, "a number")?;
    let value = read_real(expected).map_err(Refusal::Answer)?;
    let found = counterpart(expected, &mut output)?;
    let Some(other) = number::read_signed(found.text) else { return differ_unless(false, expected, found) };
    let points = (value - other).abs();
    if points.is_nan() || points > MOST {
        let shown = show::shortest(points);
        let what = format!("the difference is {shown}, and points are a number from 0 to 1000000");
        return Err(Refusal::Answer(Fault::Whole(what)));
    }
    differ_unless(Real::Equal.is_near(value, other), expected, found)?;
    end(output)
}

/// One number, whose difference from the answer's is told. The output is read first, so if both are malformed the
/// output is to blame.
pub(crate) fn told<'a>(mut answer: Words<'a>, mut output: Words<'a>) -> Result<(), Refusal<'a>> {
    let found = output.next().ok_or_else(|| Refusal::Output(Fault::End("a number".to_owned())))?;
    let other = number::read_signed(found.text).ok_or_else(|| Refusal::Output(not("a number", found, "")))?;
    let expected = first(&mut answer, "a number")?;
    let value = read_real(expected).map_err(Refusal::Answer)?;
    differ_unless(Real::Equal.is_near(value, other), expected, found)?;
    end(output)
}
