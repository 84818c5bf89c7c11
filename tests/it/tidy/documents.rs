//! The commands, options and files that documents name exist.

use super::require_none;
use super::source::{files, read};
use std::collections::BTreeSet;

/// Returns the names of all commands and long options.
fn defined() -> (BTreeSet<String>, BTreeSet<String>) {
    let definition = rebut::cli::clap_definition();
    let names = definition.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    let all = commands(&definition);
    let long = all.iter().flat_map(|c| c.get_arguments()).filter_map(clap::Arg::get_long);
    let mut options: BTreeSet<String> = long.map(str::to_owned).collect();
    options.extend(["help".to_owned(), "version".to_owned()]);
    (names, options)
}

/// Returns a command and its subcommands, recursively.
fn commands(command: &clap::Command) -> Vec<&clap::Command> {
    std::iter::once(command).chain(command.get_subcommands().flat_map(commands)).collect()
}

/// Returns the line and the arguments of each command `rebut ...` in a document. Arguments of cargo are skipped.
fn command_lines(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut is_fenced = false;
    for (number, line) in text.lines().enumerate() {
        is_fenced ^= line.starts_with("```");
        let line =
            line.split_once("cargo run --release -- ").map_or(line.to_owned(), |(_, own)| format!("rebut {own}"));
        for (at, _) in line.match_indices("rebut ").filter(|(at, _)| *at == 0 || " `$".contains(&line[at - 1..*at])) {
            let own = line[at + "rebut ".len()..].split(['`', '#']).next().unwrap_or_default();
            let before = &line[..at];
            let is_code = is_fenced || before.starts_with("    ") || before.starts_with("$ ");
            let is_first = before.trim_start().trim_start_matches("$ ").is_empty();
            let is_command = before.ends_with('`') || is_code && is_first;
            if is_command {
                found.push((number + 1, own.trim().to_owned()));
            }
        }
    }
    found
}

/// Returns the long options in a text.
fn options(text: &str) -> Vec<String> {
    let name = |part: &str| part.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect::<String>();
    let is_name = |name: &String| name.starts_with(|c: char| c.is_ascii_lowercase()) && !name.ends_with('-');
    let words = text.split([' ', '`', '(', '[', '|']).filter_map(|word| word.strip_prefix("--"));
    words.map(name).filter(is_name).collect()
}

#[test]
fn documents_name_existing_commands_and_options() {
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
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !has_foreign_options(line)) {
            let unknown = options(line).into_iter().filter(|option| !known.contains(option));
            breaches.extend(unknown.map(|option| format!("{path}:{} there is no option `--{option}`", at + 1)));
        }
    }
    require_none("documents and `--help` differ:", &breaches);
}

/// Returns true if a line has options of cargo, git, a batch system, or a script of the repository.
fn has_foreign_options(line: &str) -> bool {
    [
        "cargo ",
        "git ",
        "scripts/",
        "parallel --",
        "sbatch ",
        "hq submit ",
        "code --",
        "tree-sitter ",
        "hx ",
        "http.server",
    ]
    .iter()
    .any(|program| line.contains(program))
}

/// Returns true for documents about the current version; the change log also mentions removed options.
fn is_document(path: &str) -> bool {
    ["README.md", "ARCHITECTURE.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md"].contains(&path)
        || path.starts_with("docs/") && !path.starts_with("docs/try/")
}

#[test]
fn commands_are_in_the_readme() {
    let readme = read("README.md");
    let (names, _) = defined();
    let missing: Vec<String> = names.into_iter().filter(|name| !readme.contains(&format!("rebut {name}"))).collect();
    require_none("the README does not mention:", &missing);
}

#[test]
fn commands_and_options_have_help() {
    let definition = rebut::cli::clap_definition();
    let mut missing = Vec::new();
    for command in commands(&definition) {
        if command.get_about().is_none() {
            missing.push(command.get_name().to_owned());
        }
        let options = command.get_arguments().filter(|a| a.get_help().is_none());
        missing.extend(options.map(|a| format!("{} {}", command.get_name(), a.get_id())));
    }
    require_none("no help for:", &missing);
}

#[test]
fn exit_statuses_are_in_the_readme_and_in_the_help() {
    let words = ["0 nothing found", "1 counterexample found", "2 usage", "3 judge error", "4 operating failure", "130"];
    let help = rebut::cli::clap_definition().render_long_help().to_string().replace('\n', " ");
    let readme = read("README.md").replace('\n', " ");
    let missing = words.iter().filter(|words| !help.contains(**words) || !readme.contains(**words));
    require_none("exit statuses:", &missing.map(|words| (*words).to_owned()).collect::<Vec<_>>());
}

/// Documents about packages and other repositories, whose paths in backquotes are not those of this one.
const ABOUT_OTHER_FOLDERS: &[&str] = &["docs/exchange.md", "docs/how-to/github-actions.md"];

/// Links are checked with the book.
#[test]
fn documents_name_existing_files() {
    let files = files();
    let mut breaches = Vec::new();
    for path in files.iter().filter(|path| is_document(path) && !ABOUT_OTHER_FOLDERS.contains(&path.as_str())) {
        for (number, line) in read(path).lines().enumerate() {
            let missing = repository_paths(line, &files).into_iter().filter(|named| !exists(&files, named));
            breaches.extend(missing.map(|named| format!("{path}:{} there is no `{named}`", number + 1)));
        }
    }
    require_none("documents name files that do not exist:", &breaches);
}

/// Returns true if a path from the root is a file or a folder.
fn exists(files: &[String], path: &str) -> bool {
    let folder = format!("{path}/");
    files.iter().any(|file| file == path || file.starts_with(&folder))
}

/// Returns the paths in backquotes that begin with a folder of the repository.
fn repository_paths(line: &str, files: &[String]) -> Vec<String> {
    let quoted = line.split('`').skip(1).step_by(2);
    let is_path = |text: &&str| text.contains('/') && !text.contains(|c: char| c.is_whitespace() || "<*$".contains(c));
    let is_own = |text: &&str| {
        let top = text.split('/').next().unwrap_or_default();
        !top.is_empty() && files.iter().any(|file| file.strip_prefix(top).is_some_and(|rest| rest.starts_with('/')))
    };
    quoted.filter(is_path).filter(is_own).map(without_placeholder).collect()
}

/// Returns a path up to its first component in capitals, such as `NAME.rs`, without a line number.
fn without_placeholder(path: &str) -> String {
    let is_placeholder = |part: &&str| {
        let stem = part.split('.').next().unwrap_or_default();
        stem.len() > 1 && stem.chars().all(|c| c.is_ascii_uppercase()) && !part.ends_with(".md")
    };
    let path = path.split(':').next().unwrap_or_default();
    let kept: Vec<&str> = path.trim_end_matches('/').split('/').take_while(|part| !is_placeholder(part)).collect();
    kept.join("/")
}

#[test]
fn paths_in_documents_are_recognized() {
    let files = ["src/cli/mod.rs".to_owned(), "docs/format.md".to_owned()];
    let found = |line| repository_paths(line, &files);
    assert_eq!(found("see `src/cli/NAME.rs`, `src/gone.rs:12` and `data/secret`"), ["src/cli", "src/gone.rs"]);
    assert!(exists(&files, "src/cli") && !exists(&files, "src/gone.rs") && !exists(&files, "src/cl"));
}
