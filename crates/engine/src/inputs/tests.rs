//! Tests of how inputs grow with their index.

#![allow(clippy::unwrap_used, reason = "tests")]
use super::{GeneratorProgram, InputOrigin, InputSource};
use rebut_diagnostics::Error;
use rebut_format::generate::{GenerationPlan, GenerationSettings};
use rebut_format::language::Format;
use rebut_sandbox::{CancelToken, Program, RunJob, RunLimits};

/// Returns the first inputs of a search with an initial growth.
fn first_inputs(format: &Format, initial_growth: u32) -> Vec<Vec<u8>> {
    let settings = GenerationSettings { max_elements: 2000, ..GenerationSettings::default() };
    let origin = InputOrigin::Format { plan: GenerationPlan::new(format), settings };
    let source = InputSource::new(origin, Vec::new(), RunLimits::default(), CancelToken::default());
    let mut source = source.with_smallest_inputs().with_mixture(None);
    source.initial_growth = initial_growth;
    (0..60).map(|index| source.make_input(1, index).unwrap().unwrap().bytes).collect()
}

#[test]
fn first_inputs_are_as_large_as_the_initial_growth() {
    let format = Format::from_text("n; a[n] where 1 <= n <= 10^5; 1 <= a <= 10^9").unwrap();
    let all = [0, 40, 100].map(|growth| first_inputs(&format, growth));
    // But for those of full size.
    let total = |inputs: &Vec<Vec<u8>>| inputs.iter().map(Vec::len).filter(|length| *length < 100_000).sum::<usize>();
    let totals = all.each_ref().map(total);
    assert!(totals[0] < totals[1] && totals[1] < totals[2], "{totals:?}");
    assert!(all[2].iter().filter(|input| input.len() < 10).count() >= 15, "there are still tiny ones");
    assert!((0..60).step_by(4).all(|index| all[0][index] == all[2][index]), "the smallest inputs are the same");
}

#[test]
fn inputs_without_sizes_do_not_depend_on_the_initial_growth() {
    let format = Format::from_text("a b where 1 <= a, b <= 10^9").unwrap();
    assert_eq!(first_inputs(&format, 0), first_inputs(&format, 100));
}

#[test]
fn packed_inputs_do_not_depend_on_the_initial_growth() {
    let format = Format::from_text("T; cases T: n; a[n] where 1 <= T <= 20; 1 <= n <= 10^5; 1 <= a <= 10^9").unwrap();
    assert_eq!(first_inputs(&format, 0), first_inputs(&format, 100));
}

#[test]
fn generators_leave_inputs_of_each_growth_to_the_format() {
    let format = Format::from_text("n; a[n] where 1 <= n <= 1000; 1 <= a <= 9").unwrap();
    let origin = InputOrigin::Format { plan: GenerationPlan::new(&format), settings: GenerationSettings::default() };
    let mut source = InputSource::new(origin, Vec::new(), RunLimits::default(), CancelToken::default());
    let count_large = |source: &InputSource<'_>| {
        let drawn = (600..1200).filter_map(|index| source.make_input(1, index).ok().flatten());
        drawn.filter(|input| input.bytes.len() > 400).count()
    };
    let all = count_large(&source);
    // The inputs of the generator are left out, since it fails.
    let fail = |_: &RunJob<'_>, _: &CancelToken| Err(Error::interrupted());
    source.generators = vec![GeneratorProgram::new(Program::new("generator", fail))];
    let left = count_large(&source);
    assert!(all > 30 && (all / 2..all).contains(&left), "{left} of {all}");
}

#[test]
fn few_inputs_are_all_run_once() {
    let source = |text: &str, format| {
        let origin = InputOrigin::Format { plan: GenerationPlan::new(format), settings: GenerationSettings::default() };
        let source = InputSource::new(origin, Vec::new(), RunLimits::default(), CancelToken::default());
        assert!(!source.is_complete(), "{text}");
        source.with_smallest_inputs().with_mixture(None).with_every_input(1)
    };
    let text = "n; a[n] where 1 <= n <= 4; 1 <= a <= 6";
    let format = Format::from_text(text).unwrap();
    let few = source(text, &format);
    let count = 6 + 36 + 216 + 1296;
    assert!(few.is_complete() && few.is_past_end(count) && !few.is_past_end(count - 1));
    let inputs: Vec<Vec<u8>> = (0..count).map(|index| few.make_input(1, index).unwrap().unwrap().bytes).collect();
    assert_eq!((&*inputs[0], &*inputs[8]), (&b"1\n1\n"[..], &b"4\n6 6 6 6\n"[..]));
    assert!(!inputs[16..].is_sorted_by_key(Vec::len));
    assert_eq!(inputs.into_iter().collect::<std::collections::BTreeSet<_>>().len(), count as usize);
    let text = "n; a[n] where 1 <= n <= 5; 1 <= a <= 10^9";
    let format = Format::from_text(text).unwrap();
    assert!(!source(text, &format).is_complete());
}
