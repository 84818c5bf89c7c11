//! GitHub workflows: valid YAML, with steps that call existing scripts.

use super::require_none;
use super::source::{files, read};
use serde_json::Value;

fn parsed(path: &str) -> Value {
    serde_saphyr::from_str(&read(path)).unwrap_or_else(|problem| panic!("{path}: {problem}"))
}

/// Returns the steps of all jobs of a workflow.
fn steps(workflow: &Value) -> Vec<&Value> {
    let jobs = workflow["jobs"].as_object().map(|jobs| jobs.values().collect::<Vec<_>>()).unwrap_or_default();
    jobs.into_iter().filter_map(|job| job["steps"].as_array()).flatten().collect()
}

#[test]
fn steps_of_workflows_call_existing_scripts() {
    let known = files();
    let mut breaches = Vec::new();
    let workflows: Vec<&String> = known.iter().filter(|path| path.starts_with(".github/workflows/")).collect();
    assert!(workflows.len() >= 3, "{workflows:?}");
    for path in workflows {
        let workflow = parsed(path);
        let steps = steps(&workflow);
        if steps.is_empty() || !workflow["on"].is_object() || !workflow["permissions"].is_object() {
            breaches.push(format!("{path} has no jobs, no `on` or no `permissions`"));
        }
        for step in steps {
            let text = step["run"].as_str().unwrap_or_default();
            let scripts =
                text.split([' ', '\n', '"']).filter(|word| word.starts_with("scripts/") || word.starts_with(".ci/"));
            breaches.extend(
                scripts
                    .filter(|word| !known.iter().any(|path| path == word))
                    .map(|word| format!("{path} calls {word}")),
            );
            if text.is_empty() == step["uses"].is_null() {
                breaches.push(format!("{path} has a step that neither runs nor uses anything, or both: {step}"));
            }
        }
    }
    require_none("workflows:", &breaches);
}

#[test]
fn issue_forms_have_fields() {
    let forms =
        files().into_iter().filter(|path| path.starts_with(".github/ISSUE_TEMPLATE/") && !path.ends_with("config.yml"));
    let without = forms.filter(|path| parsed(path)["body"].as_array().is_none_or(Vec::is_empty));
    require_none("a form without fields:", &without.collect::<Vec<_>>());
}

#[test]
fn change_log_has_a_section_for_the_version() {
    let manifest = read("Cargo.toml");
    let version = manifest.lines().find_map(|line| line.strip_prefix("version = \"")).unwrap().trim_end_matches('"');
    let log = read("CHANGELOG.md");
    let headings: Vec<&str> = log.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert_eq!(headings[0], "Unreleased");
    assert!(headings[1].starts_with(&format!("{version} - 20")), "{headings:?}");
}
