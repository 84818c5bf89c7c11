//! One constraint on one layout: generation, shrinking, validation and descriptions agree with its meaning.

use super::layout::Layout;
use super::naive::{Meaning, Rule};
use rebut_diagnostics::SourceText;
use rebut_format::enumerate::Enumerator;
use rebut_format::generate::{GenerationPlan, GenerationSettings, generate_value};
use rebut_format::invalid::{BrokenRule, generate_invalid_inputs};
use rebut_format::language::Format;
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::shrink::{Oracle, ShrinkStopped, shrink_value};
use rebut_format::validate::find_violation;
use rebut_format::value::Value;
use rebut_generators::Choices;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// The ranges of a layout that is small enough to enumerate all of its inputs.
pub(super) struct Small<'l> {
    pub(super) layout: &'l Layout,
    /// Constraints that hold in addition to the tested one.
    pub(super) ranges: String,
    /// Maximum number of elements of an input.
    pub(super) max_elements: usize,
    /// Maximum number of inputs.
    pub(super) max_inputs: usize,
}

/// The result for a cell.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It is refused with this code.
    Refused(String),
    /// It is enforced: the numbers of valid and of invalid inputs.
    Enforced { valid: usize, invalid: usize, texts: Vec<(String, bool)> },
}

fn parse(text: &str) -> Result<Format, Vec<rebut_diagnostics::Diagnostic>> {
    Format::parse(&SourceText::new("cell", text)).map(|(format, _)| format)
}

fn texts(format: &Format, small: &Small<'_>) -> Option<Vec<String>> {
    let plan = GenerationPlan::new(format);
    let steps = AtomicU64::new(0);
    let stop = || steps.fetch_add(1, Ordering::Relaxed) >= 3_000_000;
    let mut all = Enumerator::new(&plan, small.max_elements, &stop);
    let found: Vec<String> =
        all.by_ref().take(small.max_inputs + 1).map(|v| String::from_utf8(print_value(format, &v)).unwrap()).collect();
    (!stop() && !all.is_cut_short() && found.len() <= small.max_inputs).then_some(found)
}

/// Returns the inputs of a layout without the tested constraint, up to the size at which there are too many.
pub(super) fn base(small: &mut Small<'_>) -> Vec<String> {
    let text = format!("{}where:\n{}", small.layout.text(), small.ranges);
    let format = parse(&text).unwrap_or_else(|problems| panic!("{text}{}", problems[0].message));
    let mut found = Vec::new();
    let most = small.max_elements;
    for elements in 1..=most {
        let larger = Small { max_elements: elements, ranges: String::new(), ..*small };
        let Some(more) = texts(&format, &larger) else { break };
        (small.max_elements, found) = (elements, more);
    }
    found
}

/// Checks a constraint against its meaning in every part of rebut that reads it.
pub(super) fn check(small: &Small<'_>, base: &[String], rule: &Rule, thorough: bool) -> Outcome {
    let text = format!("{}where:\n{}    {rule}\n", small.layout.text(), small.ranges);
    let meaning = Meaning { layout: small.layout };
    let format = match parse(&text) {
        Ok(format) => format,
        Err(problems) => return check_refusal(small, base, rule, &text, &problems, thorough),
    };
    let mut judged = BTreeMap::new();
    for input in base {
        let holds = meaning.holds(rule, &small.layout.read(input));
        let holds = holds.unwrap_or_else(|why| panic!("should be refused ({why}):\n{text}"));
        judged.insert(input.clone(), holds);
        let accepted =
            read_input(&format, input.as_bytes()).is_ok_and(|value| find_violation(&format, &value).is_none());
        assert_eq!(accepted, holds, "accepted and right:\n{text}---\n{input}");
    }
    let valid: Vec<&String> = judged.iter().filter(|(_, holds)| **holds).map(|(text, _)| text).collect();
    let plan = GenerationPlan::new(&format);
    if let Some(found) = texts(&format, small) {
        let mut found: Vec<&String> = found.iter().collect();
        found.sort();
        assert_eq!(found, valid, "enumerated and valid:\n{text}");
    }
    let holds = |input: &str| meaning.holds(rule, &small.layout.read(input)) == Ok(true);
    let made = check_generation(&plan, &format, if thorough { 12 } else { 4 }, &|input| {
        assert!(holds(input), "generated:\n{text}---\n{input}");
    });
    assert!(made > 0 || valid.is_empty(), "nothing is generated, and {} inputs are valid:\n{text}", valid.len());
    if thorough {
        check_shrinking(&plan, &format, &|input| assert!(holds(input), "shrunk:\n{text}---\n{input}"));
        check_violations(small, &format, rule, &text);
        check_descriptions(&format, rule, &text);
    }
    let (valid, all) = (valid.len(), judged.len());
    Outcome::Enforced { valid, invalid: all - valid, texts: judged.into_iter().collect() }
}

/// Checks that a refused constraint has no meaning or cannot be met, and that the message has a place and a reason.
fn check_refusal(
    small: &Small<'_>,
    base: &[String],
    rule: &Rule,
    text: &str,
    problems: &[rebut_diagnostics::Diagnostic],
    exact: bool,
) -> Outcome {
    let meaning = Meaning { layout: small.layout };
    let problem = &problems[0];
    let place = &text[problem.span.start..problem.span.end];
    assert!(!place.is_empty() && !problem.message.is_empty(), "{text}{problem:?}");
    let about_ranges = ["never", "contradiction", "impossible"].contains(&problem.code);
    let of_its_own =
        ["array-in-formula", "tuple", "sizes-differ", "bad-arithmetic", "not-constant", "indices", "two-blocks"];
    match meaning.holds(rule, &small.layout.read(&base[0])) {
        Err(why) => assert!(
            problem.code == why || of_its_own.contains(&problem.code) || !exact,
            "{why}, not {}\n{text}",
            problem.code
        ),
        Ok(_) if of_its_own.contains(&problem.code) && !exact => {}
        // Constant bounds that leave no value are an error at every position.
        Ok(_) if about_ranges && !exact => {}
        Ok(_) if about_ranges => {
            let valid = base.iter().filter(|input| meaning.holds(rule, &small.layout.read(input)) == Ok(true));
            assert_eq!(valid.count(), 0, "refused for nothing: {}\n{text}", problem.message);
        }
        Ok(_) => panic!("{}: {}\n{text}", problem.code, problem.message),
    }
    Outcome::Refused(problem.code.to_owned())
}

fn check_generation(plan: &GenerationPlan<'_>, format: &Format, seeds: u64, see: &dyn Fn(&str)) -> usize {
    let mut made = 0;
    for seed in 0..seeds {
        let growth = [0, 30, 100][(seed % 3) as usize];
        let settings =
            GenerationSettings { growth, max_elements: 40, max_wasted_draws: 200_000, ..GenerationSettings::default() };
        if let Ok(input) = generate_value(plan, &mut Choices::from_seed(seed, 7), &settings) {
            see(&String::from_utf8(print_value(format, &input.value)).unwrap());
            made += 1;
        }
    }
    made
}

/// Fails on each input, so the shrinker goes all the way down.
struct Fails<'s> {
    format: &'s Format,
    see: &'s dyn Fn(&str),
    left: usize,
}

impl Oracle<Value> for Fails<'_> {
    fn batch_width(&self) -> usize {
        1
    }

    fn first_failing(&mut self, candidates: &[Value]) -> Result<Option<usize>, ShrinkStopped> {
        self.left = self.left.checked_sub(1).ok_or(ShrinkStopped)?;
        for candidate in candidates {
            (self.see)(&String::from_utf8(print_value(self.format, candidate)).unwrap());
        }
        Ok(if self.left.is_multiple_of(3) { None } else { candidates.first().map(|_| 0) })
    }
}

fn check_shrinking(plan: &GenerationPlan<'_>, format: &Format, see: &dyn Fn(&str)) {
    let settings = GenerationSettings {
        growth: 100,
        max_elements: 40,
        max_wasted_draws: 200_000,
        ..GenerationSettings::default()
    };
    for seed in 0..3 {
        let Ok(made) = generate_value(plan, &mut Choices::from_seed(seed, 9), &settings) else { continue };
        let mut oracle = Fails { format, see, left: 300 };
        let result = shrink_value(plan, made.value, &mut oracle);
        see(&String::from_utf8(print_value(format, &result.value)).unwrap());
    }
}

/// Checks that the inputs of `--invalid` for a constraint break it.
fn check_violations(small: &Small<'_>, format: &Format, rule: &Rule, text: &str) {
    let meaning = Meaning { layout: small.layout };
    let steps = std::cell::Cell::new(0_u64);
    let stop = || {
        steps.set(steps.get() + 1);
        steps.get() > 4_000
    };
    let Ok(found) = generate_invalid_inputs(format, 1, 40, &stop) else { return };
    for input in found.inputs {
        assert!(rebut_format::invalid::find_refusal(format, &input.bytes).is_some(), "{text}{}", input.description);
        let BrokenRule::Constraint { constraint, .. } = input.broken_rule else { continue };
        let source = format.source_text(format.constraints[constraint].span);
        if source.trim() == rule.to_string() {
            let input = String::from_utf8(input.bytes).unwrap();
            assert_eq!(meaning.holds(rule, &small.layout.read(&input)), Ok(false), "{text}---\n{input}");
        }
    }
}

/// Checks that the explanation classifies the constraint and that the statement contains it.
fn check_descriptions(format: &Format, rule: &Rule, text: &str) {
    use rebut_format::describe::{Markup, describe_format};
    use rebut_format::explain::{ExplainOptions, explain_format};
    let explained = explain_format(format, ExplainOptions { samples: 4, max_counted: 10, seed: 1, steps: 1_000_000 });
    assert!(explained.lines().any(|line| line.contains(&rule.to_string())), "{text}{explained}");
    let described = describe_format(format, Markup::Markdown);
    let kept: Vec<&str> = text.lines().filter(|line| line.trim() != rule.to_string()).collect();
    assert_ne!(kept.len(), text.lines().count(), "{text}");
    let (without, _) = Format::parse(&SourceText::new("without", kept.join("\n"))).unwrap();
    assert_ne!(described, describe_format(&without, Markup::Markdown), "{text}");
}
