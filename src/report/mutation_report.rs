//! The mutants of a package in the schema of mutation testing reports, which the viewers of Stryker show: each mutant at
//! its place in the source.
//!
//! The schema is that of the project `mutation-testing-elements`, version 2. A mutant that is probably no mistake is
//! `Ignored`, with the reason, so that viewers compute the second score.

use rebut_engine::event::{MutantOutcome, SubmissionMutants, Survival, TestSetStrength};
use rebut_packages::verdict::Verdict;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Scores in percent from which viewers show green and yellow.
const THRESHOLDS: (u32, u32) = (95, 80);

/// Renders the report. `sources` has the text of each mutated submission by its name.
pub(crate) fn render_mutation_report(strength: &TestSetStrength, sources: &BTreeMap<String, String>) -> Value {
    let file = |one: &SubmissionMutants| {
        let source = sources.get(&one.submission)?;
        let mutants: Vec<Value> =
            one.mutants.iter().enumerate().map(|(number, mutant)| render_mutant(number, mutant)).collect();
        let language = one.submission.rsplit('.').next().unwrap_or_default();
        let file = json!({ "language": language, "source": source, "mutants": mutants });
        Some((format!("submissions/{}", one.submission), file))
    };
    let files: serde_json::Map<String, Value> = strength.mutation.iter().filter_map(file).collect();
    let test = |name: &String| json!({ "id": name, "name": name });
    let tests: Vec<Value> = strength.tests.iter().map(|kills| test(&kills.test_case)).collect();
    json!({
        "$schema": "https://git.io/mutation-testing-schema",
        "schemaVersion": "2",
        "thresholds": { "high": THRESHOLDS.0, "low": THRESHOLDS.1 },
        "framework": { "name": "rebut", "version": env!("CARGO_PKG_VERSION") },
        "files": files,
        "testFiles": { "data": { "tests": tests } },
    })
}

fn render_mutant(number: usize, mutant: &MutantOutcome) -> Value {
    let (status, reason) = describe_status(mutant);
    let place = |line: usize, column: usize| json!({ "line": line, "column": column });
    let mut rendered = json!({
        "id": (number + 1).to_string(),
        "mutatorName": mutant.operator,
        "replacement": mutant.replacement,
        "location": {
            "start": place(mutant.line, mutant.column),
            "end": place(mutant.end_line, mutant.end_column),
        },
        "status": status,
    });
    if let Some(reason) = reason {
        rendered["statusReason"] = reason.into();
    }
    if let Some(kill) = &mutant.killed_by {
        rendered["killedBy"] = json!([kill.test_case]);
    }
    rendered
}

/// Returns the status of a mutant in the words of the schema, and the reason.
fn describe_status(mutant: &MutantOutcome) -> (&'static str, Option<String>) {
    if mutant.is_rejected {
        return ("CompileError", None);
    }
    match (&mutant.killed_by, &mutant.survival) {
        (Some(kill), _) if kill.verdict == Verdict::TimeLimit => ("Timeout", None),
        (Some(kill), _) => ("Killed", Some(kill.verdict.code().to_owned())),
        (None, Some(Survival::Identical)) => ("Ignored", Some("the compiler makes the same program".to_owned())),
        (None, Some(Survival::Undefined { test_case, message })) => {
            ("Ignored", Some(format!("undefined behaviour only, on {test_case}: {message}")))
        }
        (None, Some(Survival::Alike { cases, .. })) => {
            let is_excused = mutant.survival.as_ref().is_some_and(Survival::is_excused);
            let reason = format!("like the original on {cases} cases");
            (if is_excused { "Ignored" } else { "Survived" }, Some(reason))
        }
        (None, Some(Survival::Killable { input, verdict, .. })) => {
            ("Survived", Some(format!("{} on the input {input}", verdict.code())))
        }
        (None, None) => ("Survived", None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_engine::event::Kill;

    #[test]
    fn each_mutant_has_a_status_that_viewers_know() {
        let mutant = |killed_by: Option<Verdict>, survival: Option<Survival>| MutantOutcome {
            operator: "literal".to_owned(),
            line: 1,
            column: 9,
            end_line: 1,
            end_column: 10,
            original: "5".to_owned(),
            replacement: "6".to_owned(),
            is_rejected: false,
            killed_by: killed_by.map(|verdict| Kill { test_case: "sample/1".to_owned(), verdict }),
            survival,
        };
        let input = "3\n".to_owned();
        let mutants = vec![
            mutant(Some(Verdict::WrongAnswer), None),
            mutant(Some(Verdict::TimeLimit), None),
            mutant(None, Some(Survival::Killable { input, answer: String::new(), verdict: Verdict::WrongAnswer })),
            mutant(None, Some(Survival::Alike { cases: 3, smallest: 1 })),
            mutant(None, Some(Survival::Alike { cases: 3000, smallest: 750 })),
            mutant(None, Some(Survival::Identical)),
            mutant(None, None),
            MutantOutcome { is_rejected: true, ..mutant(None, None) },
        ];
        let name = "accepted/a.cpp".to_owned();
        let mutation = vec![SubmissionMutants { submission: name.clone(), mutants, ..SubmissionMutants::default() }];
        let strength = TestSetStrength { mutation, ..TestSetStrength::default() };
        let report = render_mutation_report(&strength, &BTreeMap::from([(name, "int a = 5;\n".to_owned())]));
        let file = &report["files"]["submissions/accepted/a.cpp"];
        let statuses: Vec<&str> =
            file["mutants"].as_array().into_iter().flatten().filter_map(|mutant| mutant["status"].as_str()).collect();
        let expected = ["Killed", "Timeout", "Survived", "Survived", "Ignored", "Ignored", "Survived", "CompileError"];
        assert_eq!(statuses, expected);
        assert_eq!(file["mutants"][0]["location"]["end"], json!({ "line": 1, "column": 10 }));
        assert_eq!(
            (file["mutants"][0]["killedBy"].clone(), file["language"].clone()),
            (json!(["sample/1"]), json!("cpp"))
        );
        assert_eq!(report["schemaVersion"], "2");
    }
}
