//! What the documents say of the command line is what the command line says of itself.

use super::require_none;
use super::source::{files, read};
use std::collections::BTreeSet;

/// The names of all commands, and all long options, as rebut itself defines them.
fn defined() -> (BTreeSet<String>, BTreeSet<String>) {
    let definition = rebut::cli::definition();
    let names = definition.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    let all = commands(&definition);
    let long = all.iter().flat_map(|c| c.get_arguments()).filter_map(clap::Arg::get_long);
    let mut options: BTreeSet<String> = long.map(str::to_owned).collect();
    options.extend(["help".to_owned(), "version".to_owned()]);
    (names, options)
}

/// A command, the commands in it, and those in them.
fn commands(command: &clap::Command) -> Vec<&clap::Command> {
    std::iter::once(command).chain(command.get_subcommands().flat_map(commands)).collect()
}

/// What follows `rebut ` wherever a document gives a command: cargo's own words are none of ours.
fn command_lines(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line =
            line.split_once("cargo run --release -- ").map_or(line.to_owned(), |(_, own)| format!("rebut {own}"));
        for (at, _) in line.match_indices("rebut ").filter(|(at, _)| *at == 0 || " `$".contains(&line[at - 1..*at])) {
            let own = line[at + "rebut ".len()..].split(['`', '#']).next().unwrap_or_default();
            let is_command = line[..at].ends_with('`') || line[..at].trim_start().trim_start_matches("$ ").is_empty();
            if is_command {
                found.push((number + 1, own.trim().to_owned()));
            }
        }
    }
    found
}

/// Options that a text names: `--like-this`.
fn options(text: &str) -> Vec<String> {
    let name = |part: &str| part.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect::<String>();
    let is_name = |name: &String| name.starts_with(|c: char| c.is_ascii_lowercase()) && !name.ends_with('-');
    let words = text.split([' ', '`', '(', '[', '|']).filter_map(|word| word.strip_prefix("--"));
    words.map(name).filter(is_name).collect()
}

#[test]
fn documents_name_only_what_exists() {
    let (names, known) = defined();
    let mut breaches = Vec::new();
    for path in files().iter().filter(|path| is_document(path)) {
        let text = read(path);
        for (line, command) in command_lines(&text) {
            let name = command.split_whitespace().next().unwrap_or_default();
            if name.chars().all(|c| c.is_ascii_lowercase()) && !names.contains(name) {
                breaches.push(format!("{path}:{line} there is no command `{name}`"));
            }
        }
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.contains("cargo ")) {
            let unknown = options(line).into_iter().filter(|option| !known.contains(option));
            breaches.extend(unknown.map(|option| format!("{path}:{} there is no option `--{option}`", at + 1)));
        }
    }
    require_none("documents and `--help` differ:", &breaches);
}

/// Documents about how rebut is used now; the change log may speak of what is gone.
fn is_document(path: &str) -> bool {
    path == "README.md" || path == "ARCHITECTURE.md" || path.starts_with("docs/")
}

#[test]
fn every_command_is_in_the_readme() {
    let readme = read("README.md");
    let (names, _) = defined();
    let missing: Vec<String> = names.into_iter().filter(|name| !readme.contains(&format!("rebut {name}"))).collect();
    require_none("the README does not mention:", &missing);
}

#[test]
fn every_command_and_option_explains_itself() {
    let definition = rebut::cli::definition();
    let mut silent = Vec::new();
    for command in commands(&definition) {
        if command.get_about().is_none() {
            silent.push(command.get_name().to_owned());
        }
        let options = command.get_arguments().filter(|a| a.get_help().is_none());
        silent.extend(options.map(|a| format!("{} {}", command.get_name(), a.get_id())));
    }
    require_none("no help for:", &silent);
}

#[test]
fn exit_statuses_are_in_the_readme_and_in_the_help() {
    let words = ["0 nothing found", "1 counterexample found", "2 usage", "3 judge error", "4 operating failure", "130"];
    let help = rebut::cli::definition().render_long_help().to_string().replace('\n', " ");
    let readme = read("README.md").replace('\n', " ");
    let missing = words.iter().filter(|words| !help.contains(**words) || !readme.contains(**words));
    require_none("exit statuses:", &missing.map(|words| (*words).to_owned()).collect::<Vec<_>>());
}
