//! Compares two reports of `verify`, each a file of events.

use crate::event::{ReportComparison, ResultChange, TimeChange, VerdictChange};
use rebut_diagnostics::{Error, Result};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Minimum ratio of two times that is not taken for noise.
const MIN_TIME_RATIO: f64 = 1.5;
/// Minimum difference of two times that is not taken for noise, in milliseconds.
const MIN_TIME_DIFFERENCE_MS: u64 = 50;

/// The results of a package in a report.
#[derive(Debug, Default)]
struct PackageResults {
    submissions: BTreeSet<String>,
    test_cases: BTreeSet<String>,
    /// Verdict code and processor time in milliseconds, by submission and test case.
    cells: BTreeMap<(String, String), (String, u64)>,
    /// Verdict code with points, and whether the expectation is met, by submission.
    results: BTreeMap<String, (String, bool)>,
}

/// Compares two reports: for each package that one of them verifies, what changed.
///
/// # Errors
/// Returns an error if a file has a line that is no event of a supported version, if it is of a verification that did
/// not end, or if no package is in both.
pub fn compare_reports(before: (&str, &[u8]), after: (&str, &[u8])) -> Result<Vec<ReportComparison>> {
    let (old, new) = (read_report(before.0, before.1)?, read_report(after.0, after.1)?);
    if !old.keys().any(|problem| new.contains_key(problem)) {
        return Err(Error::usage_error(format!("no package is verified in both `{}` and `{}`", before.0, after.0))
            .with_help("`rebut verify DIR --json FILE` writes such a report"));
    }
    // Of a package that a report lacks, everything is gone or added.
    let (none, problems) = (PackageResults::default(), old.keys().chain(new.keys()).collect::<BTreeSet<_>>());
    Ok(problems
        .into_iter()
        .map(|problem| ReportComparison {
            problem: problem.clone(),
            before: before.0.to_owned(),
            after: after.0.to_owned(),
            ..compare_packages(old.get(problem).unwrap_or(&none), new.get(problem).unwrap_or(&none))
        })
        .collect())
}

/// Reads the events of verifications, by package.
fn read_report(name: &str, text: &[u8]) -> Result<BTreeMap<String, PackageResults>> {
    let mut packages: BTreeMap<String, PackageResults> = BTreeMap::new();
    let mut current = None;
    for (line, number) in text.split(|byte| *byte == b'\n').zip(1..).filter(|(line, _)| !line.is_empty()) {
        let event: Value = serde_json::from_slice(line)
            .map_err(|e| Error::usage_error(format!("line {number} of `{name}` is not an event: {e}")))?;
        if event["version"].as_u64() != Some(u64::from(crate::event::EVENT_VERSION)) {
            return Err(Error::usage_error(format!("line {number} of `{name}` has an unsupported version"))
                .with_help("reports are files that `--json FILE` writes"));
        }
        let text = |key: &str| event[key].as_str().unwrap_or_default().to_owned();
        let names = |key: &str| {
            let names = event[key].as_array().into_iter().flatten();
            names.filter_map(Value::as_str).map(str::to_owned).collect::<BTreeSet<String>>()
        };
        if event["event"] == "verifying" {
            let results = PackageResults {
                submissions: names("submissions"),
                test_cases: names("test_cases"),
                ..PackageResults::default()
            };
            // Folders distinguish packages with the same name.
            let is_another = packages.contains_key(&text("problem"));
            let key = text(if is_another { "folder" } else { "problem" });
            packages.insert(key.clone(), results);
            current = Some(key);
        }
        let Some(package) = current.as_ref().and_then(|problem| packages.get_mut(problem)) else { continue };
        match event["event"].as_str() {
            Some("judged") => {
                let time_ms = event["cpu_time_ms"].as_u64().unwrap_or(0);
                package.cells.insert((text("submission"), text("test_case")), (text("verdict"), time_ms));
            }
            Some("assessed") => {
                let is_met = event["met"].as_bool().unwrap_or(false);
                package.results.insert(text("submission"), (text("verdict") + &points_of(&event), is_met));
            }
            _ => {}
        }
    }
    for (problem, package) in &packages {
        if let Some(submission) = package.submissions.iter().find(|name| !package.results.contains_key(*name)) {
            let message =
                format!("`{name}` has no result of `{submission}` of {problem}: the verification did not end");
            return Err(Error::usage_error(message).with_help("verify again, and compare complete reports"));
        }
    }
    Ok(packages)
}

/// Returns the points of a submission, in total and by group: `, secret 30, secret/small 30`.
fn points_of(assessed: &Value) -> String {
    let marks = &assessed["marks"];
    let all = std::iter::once(&marks["total"]).chain(marks["groups"].as_array().into_iter().flatten());
    let points = all.filter_map(|part| Some(format!(", {} {}", part["group"].as_str()?, part["score"].as_f64()?)));
    points.collect()
}

fn compare_packages(old: &PackageResults, new: &PackageResults) -> ReportComparison {
    let missing = |of: &BTreeSet<String>, other: &BTreeSet<String>| of.difference(other).cloned().collect();
    let results = old.results.iter().filter_map(|(submission, before)| {
        let after = new.results.get(submission).filter(|after| *after != before)?;
        Some(ResultChange { submission: submission.clone(), before: before.clone(), after: after.clone() })
    });
    let verdicts = old.cells.iter().filter_map(|((submission, test_case), (before, _))| {
        let (after, _) = new.cells.get(&(submission.clone(), test_case.clone()))?;
        let (submission, test_case) = (submission.clone(), test_case.clone());
        (after != before).then(|| VerdictChange { submission, test_case, before: before.clone(), after: after.clone() })
    });
    ReportComparison {
        submissions_added: missing(&new.submissions, &old.submissions),
        submissions_gone: missing(&old.submissions, &new.submissions),
        test_cases_added: missing(&new.test_cases, &old.test_cases),
        test_cases_gone: missing(&old.test_cases, &new.test_cases),
        results: results.collect(),
        verdicts: verdicts.collect(),
        times: changed_times(old, new),
        ..ReportComparison::default()
    }
}

/// Returns the largest change of time of each submission, if it is more than noise. Test cases with another verdict are
/// left out.
fn changed_times(old: &PackageResults, new: &PackageResults) -> Vec<TimeChange> {
    let mut changes: BTreeMap<&String, TimeChange> = BTreeMap::new();
    for ((submission, test_case), (verdict, before_ms)) in &old.cells {
        let Some((after, after_ms)) = new.cells.get(&(submission.clone(), test_case.clone())) else { continue };
        let difference = before_ms.abs_diff(*after_ms);
        let (shorter, longer) = (*before_ms.min(after_ms), *before_ms.max(after_ms));
        let is_noise = difference < MIN_TIME_DIFFERENCE_MS || (longer as f64) < shorter as f64 * MIN_TIME_RATIO;
        if after != verdict || is_noise {
            continue;
        }
        let change = TimeChange {
            submission: submission.clone(),
            test_case: test_case.clone(),
            before_ms: *before_ms,
            after_ms: *after_ms,
        };
        let is_larger = |known: &TimeChange| difference > known.before_ms.abs_diff(known.after_ms);
        if changes.get(submission).is_none_or(is_larger) {
            changes.insert(submission, change);
        }
    }
    changes.into_values().collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn report(cases: &[&str], cells: &[(&str, &str, &str, u64)], met: bool) -> String {
        let mut lines = vec![format!(
            r#"{{"version":1,"event":"verifying","problem":"p","submissions":["a","b"],"test_cases":{cases:?}}}"#
        )];
        for (submission, case, verdict, time) in cells {
            lines.push(format!(
                r#"{{"version":1,"event":"judged","submission":"{submission}","test_case":"{case}","verdict":"{verdict}","cpu_time_ms":{time}}}"#
            ));
        }
        let marks = r#"{"total":{"group":"secret","score":30.5},"groups":[{"group":"secret/small","score":null}]}"#;
        lines.push(r#"{"version":1,"event":"assessed","submission":"a","verdict":"AC","met":true}"#.to_owned());
        lines.push(format!(
            r#"{{"version":1,"event":"assessed","submission":"b","verdict":"WA","marks":{marks},"met":{met}}}"#
        ));
        lines.join("\n") + "\n"
    }

    #[test]
    fn changes_are_found_and_noise_is_not() {
        let old = report(&["1", "2"], &[("a", "1", "AC", 10), ("a", "2", "AC", 100), ("b", "1", "WA", 5)], true);
        let new = report(&["1", "3"], &[("a", "1", "AC", 40), ("a", "2", "AC", 300), ("b", "1", "AC", 5)], false);
        let found = compare_reports(("old", old.as_bytes()), ("new", new.as_bytes())).unwrap().remove(0);
        assert_eq!((found.test_cases_added, found.test_cases_gone), (vec!["3".to_owned()], vec!["2".to_owned()]));
        assert_eq!(found.results.len(), 1);
        assert_eq!((found.results[0].before.1, found.results[0].after.1), (true, false));
        let change = VerdictChange {
            submission: "b".to_owned(),
            test_case: "1".to_owned(),
            before: "WA".to_owned(),
            after: "AC".to_owned(),
        };
        assert_eq!(found.verdicts, [change]);
        let times: Vec<u64> = found.times.iter().map(|change| change.after_ms).collect();
        assert_eq!(times, [300], "30 ms are noise");
        let same = compare_reports(("old", old.as_bytes()), ("old", old.as_bytes())).unwrap().remove(0);
        assert!(same.is_unchanged() && same.times.is_empty());
    }

    #[test]
    fn what_is_missing_is_not_the_same() {
        let one = report(&["1"], &[], true);
        let two = one.clone() + &one.replace(r#""problem":"p""#, r#""problem":"q","folder":"x/q""#);
        let found = compare_reports(("old", two.as_bytes()), ("new", one.as_bytes())).unwrap();
        assert_eq!((found[0].is_unchanged(), found[1].problem.as_str()), (true, "q"));
        assert_eq!((found[1].submissions_gone.len(), found[1].test_cases_gone.len()), (2, 1));
        let again = two.replace(r#""problem":"q""#, r#""problem":"p""#);
        let changed =
            one.clone() + &report(&["1"], &[], false).replace(r#""problem":"p""#, r#""problem":"p","folder":"x/q""#);
        let found = compare_reports(("old", again.as_bytes()), ("new", changed.as_bytes())).unwrap();
        assert_eq!((found[1].problem.as_str(), found[1].results.len()), ("x/q", 1), "the same name twice");
        let fewer = one.replace("30.5", "20");
        let found = compare_reports(("old", one.as_bytes()), ("new", fewer.as_bytes())).unwrap();
        assert_eq!(found[0].results[0].before.0, "WA, secret 30.5");
        let cut = one.lines().next().unwrap();
        let failure = compare_reports(("old", one.as_bytes()), ("new", cut.as_bytes())).unwrap_err();
        assert_eq!(failure.message(), "`new` has no result of `a` of p: the verification did not end");
    }

    #[test]
    fn other_files_are_refused() {
        let report = report(&["1"], &[], true);
        for other in ["{}\n", "no\n", "{\"version\":99}\n", ""] {
            assert!(compare_reports(("a", report.as_bytes()), ("b", other.as_bytes())).is_err(), "{other}");
        }
    }
}
