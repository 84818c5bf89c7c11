//! Candidates of shrinking, many in one file.
//!
//! Where the format has cases, a file of many candidates is run about as fast as one of them. If nothing fails in it, none
//! of them does; else it is halved until one fails alone, and only that counts. This is sound only while cases do not
//! affect each other. So a failure that needs several cases is never sought like this; and the first file that passes is
//! run again with the best so far behind it, which must fail there, too.

use super::accepted::accepted;
use super::pack::{pack, packs};
use super::probe::{Failure, Question, Seen, Target};
use crate::diagnostic::Result;
use crate::format::Format;
use crate::print::print;
use crate::read::read;
use crate::value::{Value, instances_in};
use crate::verdict::Verdict;

/// So many candidates are run in one file.
const MOST: usize = 32;
/// After so many files that failed though none of their cases does alone, cases are run alone.
const CONTRADICTIONS: u32 = 2;

/// Puts candidates together, and an input behind them if one is given; none if that is no valid file, or one of them has
/// several cases.
pub(super) type Pack<'a, C> = &'a (dyn Fn(&[C], Option<&[u8]>) -> Option<Vec<u8>> + Sync);

/// Whether candidates are run together, and how that went so far.
pub(super) struct Together<'a, C> {
    pack: Option<Pack<'a, C>>,
    /// Whether the best so far is of one case.
    is_single: bool,
    /// Whether a failing case was seen to fail behind others.
    proved: bool,
    contradictions: u32,
    /// How many candidates failed alone, but not in the way that is sought.
    otherwise: u32,
}

/// What a file of candidates comes to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Jointly {
    /// None of them fails.
    Pass,
    /// Some of them fail.
    Fail,
    /// They cannot be in one file.
    Unknown,
}

type Found = Option<(usize, Box<Failure>)>;

impl<'a, C: Sync> Together<'a, C> {
    /// Candidates together, if that can show such a failure: one of a limit hides all cases behind it, and one that
    /// comes and goes proves nothing by staying away.
    pub(super) fn new(pack: Option<Pack<'a, C>>, question: &Question<'_, '_, C>, first: &Failure) -> Self {
        let limit = matches!(first.trial.verdict, Verdict::TimeLimit | Verdict::MemoryLimit | Verdict::OutputLimit);
        let possible = question.tries == 1 && !limit && matches!(question.target, Target::Submission(_));
        let pack = pack.filter(|_| possible);
        let mut together = Together { pack, is_single: false, proved: false, contradictions: 0, otherwise: 0 };
        together.renew(&first.input);
        together
    }

    /// There is a new best.
    pub(super) fn renew(&mut self, best: &[u8]) {
        self.is_single = self.pack.is_some_and(|pack| pack(&[], Some(best)).is_some());
    }

    /// Has every candidate run alone from now on. Returns whether some were run together before.
    pub(super) fn stop_packing(&mut self) -> bool {
        self.pack = None;
        self.proved
    }

    /// How many candidates are best run at a time; none if they are run one by one.
    pub(super) fn width(&self) -> Option<usize> {
        (self.is_single && self.pack.is_some() && self.contradictions < CONTRADICTIONS).then_some(MOST)
    }

    /// The first of some candidates that fails, and how.
    pub(super) fn first_failing(
        &mut self,
        question: &Question<'_, '_, C>,
        candidates: &[C],
        best: &[u8],
        jobs: usize,
    ) -> Result<Found>
    where
        C: Clone,
    {
        let Some(pack) = self.pack else { return Ok(None) };
        let accepted = accepted(question.inputs, candidates.len(), jobs, &|range| pack(&candidates[range], None))?;
        for few in accepted.chunks(MOST) {
            let together: Vec<C> = few.iter().map(|at| candidates[*at].clone()).collect();
            if let Some((at, failure)) = self.among(question, &together, best, false)? {
                return Ok(Some((few[at], failure)));
            }
        }
        Ok(None)
    }

    /// The same for so few that they may be in one file, all of them accepted; `fails` if it is known that something in
    /// it does.
    fn among(&mut self, question: &Question<'_, '_, C>, candidates: &[C], best: &[u8], fails: bool) -> Result<Found> {
        if let [] | [_] = candidates {
            let seen = candidates.first().map(|only| question.look(only)).transpose()?;
            return Ok(match seen {
                Some(Seen::Fails(failure)) => Some((0, failure)),
                Some(Seen::FailsOtherwise | Seen::Unanswered) => {
                    self.otherwise += 1;
                    None
                }
                _ => None,
            });
        }
        let jointly = if fails { Jointly::Fail } else { self.jointly(question, candidates, best)? };
        if jointly == Jointly::Pass {
            return Ok(None);
        }
        let otherwise = self.otherwise;
        let (left, right) = candidates.split_at(candidates.len() / 2);
        if let Some(found) = self.among(question, left, best, false)? {
            return Ok(Some(found));
        }
        let found = self.among(question, right, best, jointly == Jointly::Fail)?;
        let contradicted = found.is_none() && jointly == Jointly::Fail && !fails && otherwise == self.otherwise;
        self.contradictions += u32::from(contradicted);
        Ok(found.map(|(at, failure)| (at + left.len(), failure)))
    }

    fn jointly(&mut self, question: &Question<'_, '_, C>, candidates: &[C], best: &[u8]) -> Result<Jointly> {
        let pack = |best: Option<&[u8]>| self.pack.filter(|_| self.width().is_some())?(candidates, best);
        let Some(file) = pack(None) else { return Ok(Jointly::Unknown) };
        let passes = |file: &[u8]| Ok(matches!(question.any_failure(file)?, Seen::Passes));
        if !passes(&file)? {
            return Ok(Jointly::Fail);
        }
        if !self.proved {
            let Some(file) = pack(Some(best)) else { return Ok(Jointly::Unknown) };
            if passes(&file)? {
                self.pack = None;
                return Ok(Jointly::Unknown);
            }
            self.proved = true;
        }
        Ok(Jointly::Pass)
    }
}

/// Puts inputs of one case each into one file, where the format allows that.
pub(super) fn packed(format: &Format, values: &[Value], behind: Option<&[u8]>) -> Option<Vec<u8>> {
    let cases = format.cases().filter(|_| packs(format))?;
    let behind = behind.map(|input| read(format, input).map_err(|_| ())).transpose().ok()?;
    let mut all = values.to_vec();
    all.extend(behind);
    let single = all.iter().all(|value| instances_in(format, cases, value.slots()).len() == 1);
    let together = pack(format, &all).filter(|_| single)?;
    Some(print(format, &together))
}
