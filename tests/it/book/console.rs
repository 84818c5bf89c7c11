//! Pages with fenced blocks of files, commands, and the output of the commands.

use crate::environment::home;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A page of the book.
pub(super) struct Page {
    name: String,
    lines: Vec<String>,
}

/// Where the commands of a page run.
struct PageFolders {
    work: TempDir,
    cache: PathBuf,
}

/// A fenced block: the words behind its fence, and its lines on the page.
struct FencedBlock {
    words: Vec<String>,
    first: usize,
    end: usize,
}

/// A command of a block `console`, and the lines below it.
struct ConsoleCommand {
    /// The line of `$ `.
    at: usize,
    command: String,
    /// Where the lines below it begin and end.
    output: std::ops::Range<usize>,
    exit: i32,
}

impl Page {
    /// Reads a page, named by its path in the repository.
    pub(super) fn read(name: &str) -> Self {
        let text = std::fs::read_to_string(home().join(name)).unwrap();
        Page { name: name.to_owned(), lines: text.lines().map(str::to_owned).collect() }
    }

    /// Returns true if the page shows commands.
    pub(super) fn has_commands(&self) -> bool {
        self.blocks().iter().any(|block| block.is_console())
    }

    /// Returns the commands with their exit statuses, the files, and the indented commands of the page, without comments.
    pub(super) fn commands_and_files(&self) -> Vec<String> {
        let mut found = Vec::new();
        for block in self.blocks() {
            let file = block.file().map(|name| format!("{name}\n{}", self.lines[block.first..block.end].join("\n")));
            found.extend(file);
            found.extend(self.steps(&block).into_iter().map(|step| format!("{} exits {}", step.command, step.exit)));
        }
        let cargo = self.lines.iter().filter(|line| line.starts_with("    cargo "));
        found.extend(cargo.map(|line| line.split('#').next().unwrap_or_default().trim().to_owned()));
        found
    }

    /// Writes the files and runs the commands of the page, in their order, in a folder of their own. The cache is that of
    /// all tests, or an empty one when the page is written anew: readers have run nothing before.
    pub(super) fn check(&self) {
        let empty_cache = tempfile::tempdir().unwrap();
        let cache = match is_updating() {
            true => empty_cache.path().to_owned(),
            false => Path::new(env!("CARGO_TARGET_TMPDIR")).join("rebut-cache"),
        };
        let folders = PageFolders { work: tempfile::tempdir().unwrap(), cache };
        let folder = &folders.work;
        self.copy_fixture(folder.path());
        let mut updated: Vec<(std::ops::Range<usize>, Vec<String>)> = Vec::new();
        let mut differences = String::new();
        for block in self.blocks() {
            if let Some(name) = block.file() {
                let path = folder.path().join(name);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, self.lines[block.first..block.end].join("\n") + "\n").unwrap();
            }
            for step in self.steps(&block) {
                let printed = self.run(&step, &folders);
                let shown = &self.lines[step.output.clone()];
                if !matches_page(shown, &printed) {
                    let place = format!("{}:{} $ {}", self.name, step.at + 1, step.command);
                    differences +=
                        &format!("{place}\n--- shown\n{}\n--- printed\n{}\n", shown.join("\n"), printed.join("\n"));
                    updated.push((step.output.clone(), truncated_like(shown, printed)));
                }
            }
        }
        if is_updating() {
            self.rewrite(updated);
        } else {
            assert!(differences.is_empty(), "REBUT_UPDATE_GOLDEN=1 writes the page anew:\n{differences}");
        }
    }

    /// Copies the files that the page mentions and does not show: `testdata/book/how-to-scoring` for
    /// `docs/how-to/scoring.md`.
    fn copy_fixture(&self, folder: &Path) {
        let name = self.name.trim_start_matches("docs/").trim_end_matches(".md").replace('/', "-");
        let fixture = home().join("testdata/book").join(name);
        for entry in walkdir::WalkDir::new(&fixture).into_iter().filter_map(Result::ok) {
            let target = folder.join(entry.path().strip_prefix(&fixture).unwrap());
            if entry.file_type().is_dir() {
                std::fs::create_dir_all(target).unwrap();
            } else {
                std::fs::copy(entry.path(), target).unwrap();
            }
        }
    }

    fn blocks(&self) -> Vec<FencedBlock> {
        let mut blocks: Vec<FencedBlock> = Vec::new();
        let mut is_open = false;
        for (at, line) in self.lines.iter().enumerate() {
            let Some(words) = line.strip_prefix("```") else { continue };
            is_open = !is_open;
            match blocks.last_mut().filter(|_| !is_open) {
                Some(block) => block.end = at,
                None => blocks.push(FencedBlock {
                    words: words.split_whitespace().map(str::to_owned).collect(),
                    first: at + 1,
                    end: at + 1,
                }),
            }
        }
        blocks
    }

    fn steps(&self, block: &FencedBlock) -> Vec<ConsoleCommand> {
        let mut steps: Vec<ConsoleCommand> = Vec::new();
        let mut is_continued = false;
        for at in (block.first..block.end).filter(|_| block.is_console()) {
            let line = &self.lines[at];
            let goes_on = line.ends_with('\\');
            let words = line.trim_end_matches('\\');
            match (line.strip_prefix("$ "), steps.last_mut()) {
                (_, Some(step)) if is_continued => step.command.push_str(words),
                (Some(_), _) => {
                    let command = words["$ ".len()..].to_owned();
                    steps.push(ConsoleCommand { at, command, output: at + 1..at + 1, exit: 0 });
                }
                (None, Some(step)) => step.output.end = at + 1,
                (None, None) => panic!("{}:{}: `$ ` is missing", self.name, at + 1),
            }
            if let Some(step) = steps.last_mut().filter(|_| is_continued) {
                step.output = at + 1..at + 1;
            }
            is_continued = goes_on;
        }
        if let Some(last) = steps.last_mut() {
            last.exit = block.exit();
        }
        steps
    }

    /// Runs a command, and returns the lines on its standard output, or else those on its standard error.
    fn run(&self, step: &ConsoleCommand, folders: &PageFolders) -> Vec<String> {
        if ["cargo ", "git "].iter().any(|installing| step.command.starts_with(installing)) {
            return Vec::new();
        }
        let output = shell(&with_seed_and_time(&step.command), folders);
        let [stdout, stderr] =
            [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let place = format!("{}:{} $ {}", self.name, step.at + 1, step.command);
        assert_eq!(output.status.code(), Some(step.exit), "{place}\n{stdout}{stderr}");
        let text = if stdout.is_empty() { stderr } else { stdout };
        text.lines().map(|line| line.trim_end().to_owned()).collect()
    }

    fn rewrite(&self, updated: Vec<(std::ops::Range<usize>, Vec<String>)>) {
        let mut lines = self.lines.clone();
        for (range, printed) in updated.into_iter().rev() {
            lines.splice(range, printed);
        }
        std::fs::write(home().join(&self.name), lines.join("\n") + "\n").unwrap();
    }
}

impl FencedBlock {
    fn is_console(&self) -> bool {
        self.words.first().is_some_and(|word| word == "console")
    }

    fn file(&self) -> Option<&str> {
        self.words.get(1).filter(|word| word.contains('.') && !self.is_console()).map(String::as_str)
    }

    fn exit(&self) -> i32 {
        let status = self.words.iter().find_map(|word| word.strip_prefix("exit="));
        status.map_or(0, |status| status.parse().unwrap())
    }
}

/// Returns true if pages are to be written anew.
fn is_updating() -> bool {
    std::env::var_os("REBUT_UPDATE_GOLDEN").is_some()
}

/// The same command with a seed, and time enough for a proof on a busy machine.
fn with_seed_and_time(command: &str) -> String {
    let Some(rest) = command.strip_prefix("rebut stress") else { return command.to_owned() };
    let has = |option: &str| rest.contains(option);
    let seed = if has("--seed") || has("--exhaustive") { "" } else { " --seed 1" };
    let proof = if has("--certify") { "" } else { " --certify 300s" };
    format!("rebut stress{seed}{proof}{rest}")
}

fn shell(command: &str, folders: &PageFolders) -> Output {
    let program: PathBuf = Path::new(env!("CARGO_BIN_EXE_rebut")).parent().unwrap().to_owned();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    Command::new("sh")
        .args(["-e", "-c", command])
        .current_dir(&folders.work)
        .env("PATH", path)
        .env("REBUT_CACHE", &folders.cache)
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C")
        .env_remove("COLUMNS")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Returns true if the printed lines are those of the page. A command without lines below it can print anything.
fn matches_page(shown: &[String], printed: &[String]) -> bool {
    let same = |a: &[String], b: &[String]| {
        a.iter().map(|l| without_varying_parts(l)).eq(b.iter().map(|l| without_varying_parts(l)))
    };
    match shown.split_last() {
        None => true,
        Some((last, rest)) if last == "..." => printed.len() >= rest.len() && same(rest, &printed[..rest.len()]),
        Some(_) => same(shown, printed),
    }
}

/// Returns the printed lines, cut off where the page cuts them off.
fn truncated_like(shown: &[String], mut printed: Vec<String>) -> Vec<String> {
    if shown.last().is_some_and(|last| last == "...") {
        printed.truncate(shown.len() - 1);
        printed.push("...".to_owned());
    }
    printed
}

/// Returns a line without the parts that differ between runs: times, numbers of cached runs (equal runs may be made at
/// the same time), and how far the search went beyond a finding.
fn without_varying_parts(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.first() == Some(&"limit") {
        return "limit".to_owned();
    }
    let mut kept: Vec<&str> = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let next = words.get(i + 1).map_or("", |next| next.trim_end_matches(['.', ',', ';', ')']));
        let before_unit = matches!(next, "ms" | "s") || next == "cases" && words.get(i + 2) == Some(&"in");
        let is_cached = next == "cached" || word.trim_end_matches([',', ')']) == "cached";
        if is_cached || before_unit && word.trim_start_matches('(').starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let unit = matches!(word.trim_end_matches(['.', ',', ';', ')']), "ms" | "s");
        kept.push(if unit { "time" } else { word.trim_end_matches(',') });
    }
    kept.join(" ")
}

#[test]
fn lines_are_compared_without_their_times() {
    assert_eq!(
        without_varying_parts("FAIL  1 finding: 276 cases in 2.2 s, seed 1"),
        without_varying_parts("FAIL  1 finding: 99 cases in 31 ms, seed 1")
    );
    assert_eq!(
        without_varying_parts("OK  3 submissions: 18 runs (12 cached), 8 ms"),
        without_varying_parts("OK  3 submissions: 18 runs, 1.2 s")
    );
    assert_ne!(without_varying_parts("shrunk 3 -> 2 elements"), without_varying_parts("shrunk 4 -> 2 elements"));
}

#[test]
fn omitted_output_is_not_compared() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(matches_page(&lines("a\n..."), &lines("a\nb\nc")));
    assert!(!matches_page(&lines("a\n..."), &lines("b\nb")));
    assert!(!matches_page(&lines("a"), &lines("a\nb")));
    assert!(matches_page(&[], &lines("anything")));
}
