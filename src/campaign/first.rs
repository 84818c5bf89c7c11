//! The smallest counterexample of all, where every input is tried in order.
//!
//! A search through every input puts many of one case into a file, the smallest first, so the first case that fails
//! alone in the first file that fails is the smallest input of one case that fails: there is nothing to shrink, and all
//! that is smaller was run already. What is left to prove is that no smaller input of several cases fails.

use super::certify::{Certifier, Proof};
use super::inputs::single_cases;
use super::probe::{Failure, Question, Target, fails};
use crate::corpus::Certificate;
use crate::diagnostic::Result;
use crate::enumerate::sizes;
use crate::generate::Plan;
use crate::print::print;
use crate::value::Value;

/// The first case of a file that fails alone.
pub(super) struct First {
    pub(super) failure: Failure,
    pub(super) elements: usize,
    /// How many cases were tried.
    pub(super) tried: usize,
    pub(super) certificate: Certificate,
}

/// The first case of a file that fails alone, in whatever way; none if each of them passes, or if something smaller of
/// several cases fails. `below` is known of all files before this one, and `exact` confirms what a fast engine finds.
///
/// # Errors
/// If a program cannot be run, or the user wants no more.
pub(super) fn first_case(
    proof: &Proof<'_, '_>,
    exact: &super::bench::Bench,
    target: &Target,
    value: &Value,
    below: &Certificate,
) -> Result<Option<First>> {
    let Some(plan) = proof.inputs.plan() else { return Ok(None) };
    let format = plan.format;
    let cases = match single_cases(format, value) {
        none if none.is_empty() => vec![value.clone()],
        cases => cases,
    };
    let print = |v: &Value| print(format, v);
    let (bench, inputs) = (proof.bench, proof.inputs);
    let question = || Question { bench, inputs, target: target.clone(), kind: None, print: &print, tries: 1 };
    let certifier = Certifier { question: question(), format, plan, jobs: proof.jobs, budget: proof.budget };
    let mut certificate = below.clone();
    // One of them fails: it does not matter how long that takes to find.
    let tried = certifier.together(&cases, &|| false, &mut certificate)?;
    if !tried.fails {
        return Ok(None);
    }
    let at = tried.passed;
    let Some(failure) = fails(exact, target, None, &print(&cases[at]), 1)? else { return Ok(None) };
    certificate.elements = cases[at].elements();
    let first = |certificate| First { failure, elements: cases[at].elements(), tried: at + 1, certificate };
    let Some(several) = format.with_several_cases() else { return Ok(Some(first(certificate))) };
    let several = Plan::new(&several);
    if sizes(&several).lo > cases[at].elements() as i128 {
        return Ok(Some(first(certificate)));
    }
    let certifier = Certifier { question: question(), format, plan: &several, jobs: proof.jobs, budget: proof.budget };
    let certified = certifier.certify(&cases[at])?;
    if certified.smaller.is_some() {
        return Ok(None);
    }
    let beyond = certified.certificate;
    Ok(Some(first(Certificate {
        inputs: certificate.inputs + beyond.inputs,
        complete: certificate.complete && beyond.complete,
        unanswered: certificate.unanswered + beyond.unanswered,
        failing_otherwise: beyond.failing_otherwise,
        time_ms: beyond.time_ms,
        ..certificate
    })))
}
