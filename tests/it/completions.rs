//! Completions of shells and manual pages agree with the command line.

use crate::environment::{Folder, installed};
use std::process::Command;

/// Returns what bash offers for the last of some words, in a folder.
fn completed_by_bash(folder: &Folder, words: &str) -> Vec<String> {
    let last = words.split(' ').count() - 1;
    let typed = format!(
        "source completions.bash; COMP_WORDS=({words}); COMP_CWORD={last}; COMP_TYPE=9; \
         [ \"${{#COMP_WORDS[@]}}\" -gt $COMP_CWORD ] || COMP_WORDS+=(''); \
         _clap_complete_rebut rebut \"${{COMP_WORDS[$COMP_CWORD]}}\" x; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    );
    let output = Command::new("bash").args(["-c", &typed]).current_dir(folder.path("")).output().expect("bash");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).split_whitespace().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_options_and_names() {
    let folder = Folder::new();
    let script = folder.rebut("completions bash").exits(0).stdout;
    let folder = folder
        .file("completions.bash", &script)
        .file("sums/problem.yaml", "problem_format_version: 2025-09\nname: Sums\nuuid: 0\n")
        .file("sums/submissions/accepted/sum.py", "print(sum(map(int, input().split())))\n")
        .file("sums/submissions/wrong_answer/summer.py", "print(0)\n")
        .file("sums/data/secret/large.in", "1 2\n")
        .file("sums/data/secret/large.ans", "3\n")
        .file("findings/sum.py/1/finding.json", "{}\n")
        .file("other/readme.txt", "\n");
    let completed = |words: &str| completed_by_bash(&folder, words);
    assert_eq!(completed("rebut st"), ["stress", "strength"]);
    assert_eq!(completed("rebut stress --shrink-t"), ["--shrink-time"]);
    assert_eq!(completed("rebut stress --problem sums su"), ["sum.py", "summer.py", "sums/"]);
    assert_eq!(completed("rebut verify sums --submission summ"), ["summer.py"]);
    let offered = completed("rebut verify ");
    assert!(offered[0] == "sums/" && offered.contains(&"other/".to_owned()), "packages are first: {offered:?}");
    assert_eq!(
        completed("rebut validate sums sums/data/secret/l"),
        ["sums/data/secret/large.in", "sums/data/secret/large.ans"]
    );
    assert_eq!(completed("rebut replay findings/s"), ["findings/sum.py/1", "findings/sum.py/"]);
    assert_eq!(completed("rebut stress --shape log-u"), ["log-uniform"]);
    assert_eq!(completed("rebut check exac"), ["exact"]);
    assert_eq!(completed("rebut explain no-bou"), ["no-bound"]);
    assert_eq!(completed("rebut new sums2 --language py"), ["python"]);
    folder.rebut("completions tcsh").exits(2).shows("zsh");
}

#[test]
fn each_command_has_a_manual_page_with_its_options() {
    let folder = Folder::new();
    folder.rebut("man pages").exits(0).shows("rebut.1");
    let definition = rebut::cli::clap_definition();
    for command in definition.get_subcommands() {
        let page = folder.read(&format!("pages/rebut-{}.1", command.get_name()));
        assert!(page.contains(".SH NAME"), "{page}");
        let plain = page.replace('\\', "");
        for option in command.get_arguments().filter(|option| !option.is_hide_set()).filter_map(clap::Arg::get_long) {
            assert!(plain.contains(&format!("--{option}")), "{}: --{option}", command.get_name());
        }
    }
    if installed(&["mandoc"]) {
        let output =
            Command::new("mandoc").args(["-Tlint", "-Werror", "pages/rebut.1"]).current_dir(folder.path("")).output();
        assert!(output.is_ok_and(|output| output.status.success()));
    }
}
