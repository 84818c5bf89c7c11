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
fn searches_of_the_workflows_go_on_after_a_finding() {
    if !installed(&["bash"]) {
        return;
    }
    let folder = Folder::new();
    for name in ["aa", "bb"] {
        folder.write(&format!("problems/{name}/problem.yaml"), "");
    }
    folder.write("rebut", "#!/bin/sh\necho \"$3\" >>searched\n[ \"$3\" = problems/bb ]\n");
    let workflow: Workflow = parsed("docs/github-workflow.yml");
    let action: Action = parsed("action.yml");
    let gitlab: GitlabTemplate = parsed("docs/gitlab-ci.yml");
    let steps = workflow.jobs.values().chain([&action.runs]).flat_map(|job| &job.steps);
    let commands = steps.filter_map(|step| step.run.as_ref()).chain(&gitlab.rebut.script);
    for command in commands.filter(|command| command.contains("rebut stress")) {
        let output = Command::new("bash")
            .args(["-e", "-o", "pipefail", "-c", &format!("chmod +x rebut; rm -f searched; PATH=.:$PATH\n{command}")])
            .current_dir(folder.path(""))
            .env("SEARCH_TIME", "1s")
            .env("PROBLEMS", "problems/*")
            .output()
            .unwrap();
        assert!(!output.status.success(), "{command}");
        assert_eq!(folder.read("searched"), "problems/aa\nproblems/bb\n", "{command}");
    }
}

#[test]
#[ignore = "nightly: its commands are those of the steps for GitHub"]
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

/// A folder with the release v1.2.3 of a program that prints its name, a `curl` that takes files from it, and a `cargo` that
/// only prints its command.
fn folder_with_release(target: &str) -> Folder {
    let folder = Folder::new()
        .script("tools/curl", "#!/bin/sh\nfor word in \"$@\"; do case $word in https:*) cp \"$RELEASE/${word##*/}\" . || exit 22 ;; esac; done\n")
        .script("tools/cargo", "#!/bin/sh\necho \"cargo $1\"\n")
        .script(&format!("rebut-v1.2.3-{target}/rebut"), "#!/bin/sh\necho released\n");
    let pack = format!(
        "mkdir release; tar -czf release/rebut-v1.2.3-{target}.tar.gz rebut-v1.2.3-{target}; cd release; sha256sum * > SHA256SUMS"
    );
    let packed = Command::new("bash").args(["-ec", &pack]).current_dir(folder.path("")).status().unwrap();
    assert!(packed.success());
    folder
}

#[test]
fn action_installs_the_release_and_compiles_where_there_is_none() {
    if !installed(&["bash"]) || std::env::consts::ARCH != "x86_64" {
        return;
    }
    let folder = folder_with_release("x86_64-unknown-linux-musl");
    let install = |tag: &str, to: &str| {
        let path = format!("{}:{}", folder.path("tools").display(), std::env::var("PATH").unwrap());
        let script = home().join("scripts/install-release");
        let mut command = Command::new("bash");
        command.arg(script).args(["own/er", tag]).arg(folder.path(to)).current_dir(folder.path(""));
        let output = command.env("PATH", path).env("RELEASE", folder.path("release")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(install("v1.2.3", "a"), "installed rebut v1.2.3\n");
    assert_eq!(folder.read("a/bin/rebut"), "#!/bin/sh\necho released\n");
    assert_eq!(install("v1.2.3", "a"), "", "it is there already");
    assert_eq!(install("main", "b"), "cargo install\n");
    assert_eq!(install("v9.9.9", "b"), "cargo install\n");
    folder.write("release/SHA256SUMS", format!("{}  rebut-v1.2.3-x86_64-unknown-linux-musl.tar.gz\n", "0".repeat(64)));
    assert_eq!(install("v1.2.3", "b"), "cargo install\n", "the checksum differs");
}
