//! One constraint on one layout: everything that follows from it agrees with what it means.

use super::layout::Layout;
use super::naive::{Meaning, R};
use rebut::diagnostic::Source;
use rebut::enumerate::Enumerator;
use rebut::format::Format;
use rebut::generate::{Plan, Settings, generate};
use rebut::invalid::{Breaks, invalids};
use rebut::print::print;
use rebut::read::read;
use rebut::shrink::{Oracle, Stopped, shrink};
use rebut::validate::violation;
use rebut::value::Value;
use rebut_generators::Choices;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// The numbers of a layout that is small enough for all its inputs to be looked at.
pub(super) struct Small<'l> {
    pub(super) layout: &'l Layout,
    /// What is said of the fields whatever else is.
    pub(super) ranges: String,
    /// Inputs have at most so many elements.
    pub(super) most_elements: usize,
    /// So many inputs are looked at.
    pub(super) most_inputs: usize,
}

/// What became of a cell.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It is refused, by this code.
    Refused(String),
    /// It is enforced: so many inputs are valid, and so many are not.
    Enforced { valid: usize, invalid: usize, texts: Vec<(String, bool)> },
}

fn parse(text: &str) -> Result<Format, Vec<rebut::diagnostic::Diagnostic>> {
    Format::parse(&Source::new("cell", text)).map(|(format, _)| format)
}

fn texts(format: &Format, small: &Small<'_>) -> Option<Vec<String>> {
    let plan = Plan::new(format);
    let steps = AtomicU64::new(0);
    let stop = || steps.fetch_add(1, Ordering::Relaxed) >= 3_000_000;
    let mut all = Enumerator::new(&plan, small.most_elements, &stop);
    let found: Vec<String> =
        all.by_ref().take(small.most_inputs + 1).map(|v| String::from_utf8(print(format, &v)).unwrap()).collect();
    (!stop() && !all.is_cut_short() && found.len() <= small.most_inputs).then_some(found)
}

/// The inputs of a layout without any further constraint, of as many elements as there are not too many of.
pub(super) fn base(small: &mut Small<'_>) -> Vec<String> {
    let text = format!("{}where:\n{}", small.layout.text(), small.ranges);
    let format = parse(&text).unwrap_or_else(|problems| panic!("{text}{}", problems[0].message));
    let mut found = Vec::new();
    let most = small.most_elements;
    for elements in 1..=most {
        let larger = Small { most_elements: elements, ranges: String::new(), ..*small };
        let Some(more) = texts(&format, &larger) else { break };
        (small.most_elements, found) = (elements, more);
    }
    found
}

/// Checks a constraint against its meaning, in everything that reads it.
pub(super) fn check(small: &Small<'_>, base: &[String], rule: &R, thorough: bool) -> Outcome {
    let text = format!("{}where:\n{}    {rule}\n", small.layout.text(), small.ranges);
    let meaning = Meaning { layout: small.layout };
    let format = match parse(&text) {
        Ok(format) => format,
        Err(problems) => return refused(small, base, rule, &text, &problems, thorough),
    };
    let mut judged = BTreeMap::new();
    for input in base {
        let holds = meaning.holds(rule, &small.layout.read(input));
        let holds = holds.unwrap_or_else(|why| panic!("should be refused ({why}):\n{text}"));
        judged.insert(input.clone(), holds);
        let accepted = read(&format, input.as_bytes()).is_ok_and(|value| violation(&format, &value).is_none());
        assert_eq!(accepted, holds, "accepted and right:\n{text}---\n{input}");
    }
    let valid: Vec<&String> = judged.iter().filter(|(_, holds)| **holds).map(|(text, _)| text).collect();
    let plan = Plan::new(&format);
    if let Some(found) = texts(&format, small) {
        let mut found: Vec<&String> = found.iter().collect();
        found.sort();
        assert_eq!(found, valid, "enumerated and valid:\n{text}");
    }
    let holds = |input: &str| meaning.holds(rule, &small.layout.read(input)) == Ok(true);
    let made = generated(&plan, &format, if thorough { 12 } else { 4 }, &|input| {
        assert!(holds(input), "generated:\n{text}---\n{input}");
    });
    assert!(made > 0 || valid.is_empty(), "nothing is generated, and {} inputs are valid:\n{text}", valid.len());
    if thorough {
        shrunk(&plan, &format, &|input| assert!(holds(input), "shrunk:\n{text}---\n{input}"));
        broken(small, &format, rule, &text);
        told(&format, rule, &text);
    }
    let (valid, all) = (valid.len(), judged.len());
    Outcome::Enforced { valid, invalid: all - valid, texts: judged.into_iter().collect() }
}

/// What is refused must have no meaning, or say what cannot be; and it is said where and why.
fn refused(
    small: &Small<'_>,
    base: &[String],
    rule: &R,
    text: &str,
    problems: &[rebut::diagnostic::Diagnostic],
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
        // Bounds by constants that leave nothing are a slip wherever they stand.
        Ok(_) if about_ranges && !exact => {}
        Ok(_) if about_ranges => {
            let valid = base.iter().filter(|input| meaning.holds(rule, &small.layout.read(input)) == Ok(true));
            assert_eq!(valid.count(), 0, "refused for nothing: {}\n{text}", problem.message);
        }
        Ok(_) => panic!("{}: {}\n{text}", problem.code, problem.message),
    }
    Outcome::Refused(problem.code.to_owned())
}

fn generated(plan: &Plan<'_>, format: &Format, seeds: u64, see: &dyn Fn(&str)) -> usize {
    let mut made = 0;
    for seed in 0..seeds {
        let growth = [0, 30, 100][(seed % 3) as usize];
        let settings = Settings { growth, most_elements: 40, patience: 200_000, ..Settings::default() };
        if let Ok(input) = generate(plan, &mut Choices::fresh(seed, 7), &settings) {
            see(&String::from_utf8(print(format, &input.value)).unwrap());
            made += 1;
        }
    }
    made
}

/// Fails on each input, so that the shrinker goes all the way down.
struct Fails<'s> {
    format: &'s Format,
    see: &'s dyn Fn(&str),
    left: usize,
}

impl Oracle<Value> for Fails<'_> {
    fn width(&self) -> usize {
        1
    }

    fn first_failing(&mut self, candidates: &[Value]) -> Result<Option<usize>, Stopped> {
        self.left = self.left.checked_sub(1).ok_or(Stopped)?;
        for candidate in candidates {
            (self.see)(&String::from_utf8(print(self.format, candidate)).unwrap());
        }
        Ok(if self.left.is_multiple_of(3) { None } else { candidates.first().map(|_| 0) })
    }
}

fn shrunk(plan: &Plan<'_>, format: &Format, see: &dyn Fn(&str)) {
    let settings = Settings { growth: 100, most_elements: 40, patience: 200_000, ..Settings::default() };
    for seed in 0..3 {
        let Ok(made) = generate(plan, &mut Choices::fresh(seed, 9), &settings) else { continue };
        let mut oracle = Fails { format, see, left: 300 };
        let result = shrink(plan, made.value, &mut oracle);
        see(&String::from_utf8(print(format, &result.value)).unwrap());
    }
}

/// What `--invalid` offers as breaking the constraint breaks it.
fn broken(small: &Small<'_>, format: &Format, rule: &R, text: &str) {
    let meaning = Meaning { layout: small.layout };
    let steps = std::cell::Cell::new(0_u64);
    let stop = || {
        steps.set(steps.get() + 1);
        steps.get() > 4_000
    };
    let Ok(found) = invalids(format, 1, 40, &stop) else { return };
    for input in found.inputs {
        assert!(rebut::invalid::refusal(format, &input.bytes).is_some(), "{text}{}", input.what);
        let Breaks::Constraint { constraint, .. } = input.breaks else { continue };
        let said = format.text(format.constraints[constraint].span);
        if said.trim() == rule.to_string() {
            let input = String::from_utf8(input.bytes).unwrap();
            assert_eq!(meaning.holds(rule, &small.layout.read(&input)), Ok(false), "{text}---\n{input}");
        }
    }
}

/// The constraint is in the explanation with a class, and in the statement.
fn told(format: &Format, rule: &R, text: &str) {
    use rebut::describe::{Markup, describe};
    use rebut::explain::{Effort, explain};
    let explained = explain(format, Effort { samples: 4, most_counted: 10, seed: 1, steps: 1_000_000 });
    assert!(explained.lines().any(|line| line.contains(&rule.to_string())), "{text}{explained}");
    let described = describe(format, Markup::Markdown);
    let without = Format { constraints: Vec::new(), ..format.clone() };
    let kept = format.constraints.iter().filter(|c| format.text(c.span).trim() != rule.to_string());
    let without = Format { constraints: kept.cloned().collect(), ..without };
    assert_ne!(described, describe(&without, Markup::Markdown), "{text}");
}
