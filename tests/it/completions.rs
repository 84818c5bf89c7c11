//! Completions of shells and manual pages agree with the command line.

use crate::environment::{Folder, installed};
use std::process::Command;

#[test]
fn bash_completes_commands_and_options() {
    let folder = Folder::new();
    let script = folder.rebut("completions bash").exits(0).stdout;
    let folder = folder.file("completions.bash", &script);
    let completed = |words: &str, at: usize| {
        let typed = format!(
            "source completions.bash; COMP_WORDS=({words}); COMP_CWORD={at}; _rebut rebut \"${{COMP_WORDS[{at}]}}\" x; \
             echo \"${{COMPREPLY[*]}}\""
        );
        let output = Command::new("bash").args(["-c", &typed]).current_dir(folder.path("")).output().expect("bash");
        assert!(output.stderr.is_empty(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    };
    assert_eq!(completed("rebut st", 1), "stress strength");
    assert_eq!(completed("rebut stress --shrink-t", 2), "--shrink-time");
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
