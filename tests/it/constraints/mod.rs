//! The meaning of constraints at each position of a layout: each kind of constraint at each position, and random ones,
//! against an evaluator that was written from docs/format.md alone.

mod cell;
mod layout;
mod naive;
mod positions;
mod random;

use crate::environment::{Folder, installed};
use cell::{Outcome, Small, base, check};
use layout::Layout;
use naive::{Meaning, Rule};
use positions::{Position, kinds, positions};
use rebut_diagnostics::SourceText;
use rebut_format::language::Format;
use rebut_generators::Choices;
use rebut_packages::interop::generate_python_validator;
use std::panic::AssertUnwindSafe;

/// Returns the layouts of a position and the constraints on their fields.
fn cells(position: &Position) -> Vec<(Layout, String, Vec<Rule>)> {
    positions::FIELDS
        .iter()
        .filter_map(|fields| {
            let layout = position.layout(fields)?;
            let ranges = positions::ranges(&layout);
            let rules = kinds(&layout, fields);
            Some((layout, ranges, rules))
        })
        .collect()
}

#[test]
fn each_kind_of_constraint_is_enforced_at_each_position_or_refused() {
    let (mut enforced, mut refused, mut idle, mut failed) = (0, 0, Vec::new(), Vec::new());
    for position in positions() {
        for (layout, ranges, rules) in cells(&position) {
            let mut small = Small { layout: &layout, ranges, max_elements: 8, max_inputs: 300 };
            let base = base(&mut small);
            for rule in rules {
                let checked =
                    std::panic::catch_unwind(AssertUnwindSafe(|| check(&small, &base, &rule, enforced % 40 == 0)));
                match checked {
                    Ok(Outcome::Refused(_)) => refused += 1,
                    Ok(Outcome::Enforced { invalid: 0, .. }) => idle.push(format!("{rule} at {}", position.name)),
                    Ok(Outcome::Enforced { .. }) => enforced += 1,
                    Err(_) => failed.push(format!("{rule} at {}", position.name)),
                }
            }
        }
    }
    assert!(failed.is_empty(), "{} of {enforced} cells: {failed:#?}", failed.len());
    // A constraint that no input breaks would test nothing.
    assert!(idle.is_empty(), "{} of {enforced} say nothing: {idle:#?}", idle.len());
    assert!(enforced > 900 && refused > 60, "{enforced} enforced, {refused} refused");
}

#[test]
fn random_constraints_match_the_documentation() {
    let (mut outcomes, mut failed) = ([0; 3], Vec::new());
    for seed in 0..seeds() {
        let mut choices = Choices::from_seed(seed, 20);
        let layout = random::layout(&mut choices);
        let mut small = Small { layout: &layout, ranges: positions::ranges(&layout), max_elements: 8, max_inputs: 200 };
        let base = base(&mut small);
        if base.len() < 10 {
            continue;
        }
        for _ in 0..12 {
            let rule = random::rule(&layout, &mut choices);
            match std::panic::catch_unwind(AssertUnwindSafe(|| check(&small, &base, &rule, false))) {
                Ok(Outcome::Refused(_)) => outcomes[0] += 1,
                Ok(Outcome::Enforced { invalid: 0, .. }) => outcomes[1] += 1,
                Ok(Outcome::Enforced { .. }) => outcomes[2] += 1,
                Err(_) => failed.push(format!("seed {seed}: {rule}")),
            }
        }
    }
    assert!(failed.is_empty(), "{} fail: {failed:#?}", failed.len());
    assert!(outcomes[2] as u64 > seeds(), "refused, without effect, enforced: {outcomes:?}");
}

#[test]
fn unenforceable_constraints_are_refused_with_a_reason() {
    let queries = "n m; repeat m: either: \"f\" u v | \"g\" p";
    let queries =
        queries.replace("; repeat m: either: ", "\nrepeat m:\n    either:\n        ").replace(" | ", "\n        ");
    let ranges = "where:\n    1 <= n, m, u, v, p <= 9\n";
    for (layout, rule, code) in [
        (&*queries, "edges (u, v) on 1..n: simple", "optional-edges"),
        (&queries, "parents p of 2..n on 1..n: tree", "optional-edges"),
        (&queries, "u <= p", "two-blocks"),
        (&queries, "sum(u + p) <= 9", "two-blocks"),
        (&queries, "distinct((v, p))", "two-blocks"),
        ("n m\nif n = 1:\n    u v p\n", "distinct(u)", "nothing-to-fold"),
        ("n m\nif n = 1:\n    u v p\n", "increasing(u + v)", "nothing-to-fold"),
        ("n m\nif n = 1:\n    u v p\n", "u permutation of 1..1", "nothing-to-fold"),
        ("n m\nif n = 1:\n    u v p\n", "u[1] <= 2", "indices"),
        ("n m\nrepeat m:\n    u v\n    if u[1] = 2:\n        p\n", "u <= 3", "bad-size"),
        ("n m\nrepeat m:\n    u v\n    if sum(u) = 2:\n        p\n", "u <= 3", "bad-size"),
        ("n m\nrepeat m:\n    u v p\n    a[max(u)]\n", "0 <= a <= 3", "bad-size"),
    ] {
        let text = format!("{}\n{ranges}    {rule}\n", layout.trim_end());
        let problems = Format::parse(&SourceText::new("cell", text.as_str())).unwrap_err();
        let problem = &problems[0];
        assert_eq!(problem.code, code, "{text}{}", problem.message);
        assert!(problem.span.end > problem.span.start && !problem.caret.is_empty(), "{text}{problem:?}");
    }
}

/// Runs the validators of many formats in one process and prints the judgements that differ from the expected ones.
const DRIVER: &str = r#"
import json, os, runpy, sys
judged = 0
for name in sorted(os.listdir(sys.argv[1])):
    folder = os.path.join(sys.argv[1], name)
    refusal = runpy.run_path(os.path.join(folder, "format.py"))["refusal"]
    with open(os.path.join(folder, "inputs.json")) as file:
        for text, valid in json.load(file):
            judged += 1
            if (refusal(text.encode()) is None) != valid:
                print(name, repr(text), valid)
print("judged", judged)
"#;

#[test]
fn python_validator_agrees_on_each_constraint() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = Folder::new().file("driver.py", DRIVER);
    let (mut count, mut inputs) = (0, 0);
    let mut take = |small: &Small<'_>, base: &[String], rule: &Rule| {
        let text = format!("{}where:\n{}    {rule}\n", small.layout.text(), small.ranges);
        let Ok((format, _)) = Format::parse(&SourceText::new("cell", text.as_str())) else { return };
        let validator = generate_python_validator(&format);
        if !validator.left_out.is_empty() {
            return;
        }
        let meaning = Meaning { layout: small.layout };
        let judged: Vec<(String, bool)> = base
            .iter()
            .map(|input| (input.clone(), meaning.holds(rule, &small.layout.read(input)) == Ok(true)))
            .collect();
        count += 1;
        inputs += judged.len();
        folder.write(&format!("formats/{count:05}/format.py"), &validator.text);
        folder.write(&format!("formats/{count:05}/inputs.json"), serde_json::to_string(&judged).unwrap());
    };
    // Python takes longer to read a validator than to run it, so it reads a sample of each position.
    for position in positions() {
        for (layout, ranges, rules) in cells(&position) {
            let mut small = Small { layout: &layout, ranges, max_elements: 8, max_inputs: 100 };
            let base = base(&mut small);
            rules.iter().step_by(10).for_each(|rule| take(&small, &base, rule));
        }
    }
    let ran = std::process::Command::new("python3")
        .args([folder.path("driver.py"), folder.path("formats")])
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), format!("judged {inputs}\n"));
    assert!(count > 90, "{count} formats");
}

/// Returns the number of random layouts.
fn seeds() -> u64 {
    std::env::var("REBUT_CONSTRAINT_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(60)
}
