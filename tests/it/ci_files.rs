//! The files with which other systems call rebut: their commands are run as they stand on a shipped problem.

use crate::environment::{Folder, home, installed};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use walkdir::WalkDir;

/// A workflow of GitHub.
#[derive(serde::Deserialize)]
struct Workflow {
    jobs: BTreeMap<String, Steps>,
}

/// A composite action of GitHub.
#[derive(serde::Deserialize)]
struct Action {
    runs: Steps,
}

#[derive(serde::Deserialize)]
struct Steps {
    steps: Vec<Step>,
}

#[derive(serde::Deserialize)]
struct Step {
    name: Option<String>,
    run: Option<String>,
}

/// The template for GitLab.
#[derive(serde::Deserialize)]
struct GitlabTemplate {
    rebut: GitlabJob,
}

#[derive(serde::Deserialize)]
struct GitlabJob {
    script: Vec<String>,
}

/// A hook of pre-commit.
#[derive(serde::Deserialize)]
struct Hook {
    id: String,
    entry: String,
}

fn parsed<T: serde::de::DeserializeOwned>(file: &str) -> T {
    let text = std::fs::read_to_string(home().join(file)).unwrap();
    serde_saphyr::from_str(&text).unwrap_or_else(|e| panic!("{file}: {e}"))
}

/// A repository with a shipped problem, with few of its submissions: that they are refuted is tested elsewhere.
fn repository() -> Folder {
    let folder = Folder::new();
    let shipped = home().join("testdata/problems/gamedots");
    for entry in WalkDir::new(&shipped).into_iter().map(Result::unwrap).filter(|e| e.file_type().is_file()) {
        let name = entry.path().strip_prefix(&shipped).unwrap().display().to_string();
        if !name.starts_with("submissions/") || name.contains("/accepted/") || name.contains("/w05_") {
            folder.write(&format!("problems/gamedots/{name}"), std::fs::read(entry.path()).unwrap());
        }
    }
    folder
}

/// Runs a command as the systems do, with rebut in the path.
fn run_command(folder: &Folder, command: &str) {
    let program = Path::new(env!("CARGO_BIN_EXE_rebut")).parent().unwrap().display().to_string();
    let output = Command::new("bash")
        .args(["-e", "-o", "pipefail", "-c", command])
        .current_dir(folder.path(""))
        .env("PATH", format!("{program}:{}", std::env::var("PATH").unwrap()))
        .env("SEARCH_TIME", "300ms")
        .env("PROBLEMS", "problems/*")
        .env("REBUT_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("rebut-cache"))
        .env("GITHUB_STEP_SUMMARY", folder.path("summary.md"))
        .output()
        .unwrap();
    let printed = [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).concat();
    assert!(output.status.success(), "{command}: {printed}");
}

/// Runs the steps of a file of GitHub but the installation, and returns their number.
fn run_steps(folder: &Folder, steps: &Steps) -> usize {
    let is_run = |step: &&Step| step.name.as_deref() != Some("Install rebut");
    let commands: Vec<&String> = steps.steps.iter().filter(is_run).filter_map(|step| step.run.as_ref()).collect();
    commands.iter().for_each(|command| run_command(folder, command));
    commands.len()
}

fn check_reports(folder: &Folder, reports: &[&str]) {
    for report in reports {
        assert!(folder.read(report).contains("failures=\"0\""), "{}", folder.read(report));
    }
}

#[test]
fn steps_for_github_pass_on_a_shipped_problem() {
    if !installed(&["g++"]) || !installed(&["bash"]) {
        return;
    }
    let folder = repository();
    let workflow: Workflow = parsed("docs/github-workflow.yml");
    assert_eq!(workflow.jobs.values().map(|job| run_steps(&folder, job)).sum::<usize>(), 3);
    check_reports(&folder, &["build.xml", "verify.xml", "stress-gamedots.xml"]);
    let action: Action = parsed("action.yml");
    assert_eq!(run_steps(&folder, &action.runs), 3);
    check_reports(&folder, &["rebut-build.xml", "rebut-verify.xml"]);
    assert!(folder.read("rebut.html").contains("gamedots"));
    assert!(folder.read("summary.md").contains("### gamedots"));
}

#[test]
fn script_for_gitlab_and_hooks_pass_on_a_shipped_problem() {
    if !installed(&["g++"]) || !installed(&["bash"]) {
        return;
    }
    let folder = repository();
    let template: GitlabTemplate = parsed("docs/gitlab-ci.yml");
    template.rebut.script.iter().for_each(|command| run_command(&folder, command));
    check_reports(&folder, &["build.xml", "verify.xml"]);
    assert!(folder.read("report.html").contains("gamedots"));
    folder.write("a.format", "n\nwhere:\n  1<=n<=9\n");
    for hook in parsed::<Vec<Hook>>(".pre-commit-hooks.yaml") {
        let files = if hook.id == "rebut-format" { "a.format" } else { "problems/gamedots" };
        run_command(&folder, &format!("{} {files}", hook.entry));
    }
    assert_eq!(folder.read("a.format"), "n\nwhere:\n    1 <= n <= 9\n");
}
