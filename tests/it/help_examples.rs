//! The overview, and the examples at the end of the help of each command, which are run as they are printed.

use crate::environment::{Folder, home, installed};
use crate::importers::{TESTLIB, VALIDATOR};
use crate::programs::{RIGHT_C, WRONG_C};
use std::fs;
use walkdir::WalkDir;

/// Inputs of the programs.
const FORMAT: &str = "n\na[n]\nwhere:\n    1 <= n <= 8\n    -9 <= a <= 9\n";
/// A test set in which `wrong.cpp` fails.
const RECIPE: &str = "[[test]]\nname = 'negative'\nwhere = 'a < 0'\n[[test]]\nname = 'any'\n";
/// A report of a package without results.
const REPORT: &str =
    "{\"version\":1,\"event\":\"verifying\",\"problem\":\"sums\",\"submissions\":[],\"test_cases\":[]}\n";
/// The same inputs as a checktestdata script.
const SCRIPT: &str = "INT(1, 8, n) NEWLINE\nREP(n - 1)\n    INT(-9, 9) SPACE\nEND\nINT(-9, 9) NEWLINE\nEOF\n";

/// The commands in the order in which their examples are run, since some need the files that others write.
const COMMANDS: [&str; 38] = [
    "completions",
    "man",
    "lsp",
    "listen",
    "build",
    "verify",
    "compare",
    "strength",
    "run",
    "test",
    "infer",
    "new",
    "complexity",
    "stress",
    "merge",
    "campaign",
    "hack",
    "replay",
    "shrink",
    "generate",
    "enumerate",
    "shapes",
    "validate",
    "show",
    "check",
    "explain",
    "doctor",
    "export",
    "import",
    "format",
    "format explain",
    "format describe",
    "format fmt",
    "format from-ctd",
    "format from-testlib",
    "format to-testlib",
    "format from-signature",
    "format reader",
];

const SOLUTION_PYTHON: &str =
    "class Solution:\n    def count(self, nums: List[int], k: int) -> int:\n        return nums.count(k)\n";

const SOLUTION_JAVA: &str = "class Solution {\n    public int first(int[] nums, int k) { return nums[0] + k; }\n}\n";

/// A folder with the files that the examples name.
fn example_folder() -> Folder {
    let folder = Folder::new()
        .file("sol.cpp", WRONG_C)
        .file("fixed.cpp", RIGHT_C)
        .file("brute.cpp", RIGHT_C)
        .file("input.format", FORMAT)
        .file("input.ctd", SCRIPT)
        .file("validator.cpp", VALIDATOR)
        .file("testlib.h", TESTLIB)
        .file("1.in", "1\n-1\n")
        .file("1.out", "0\n")
        .file("1.ans", "-1\n")
        .file("big.in", "4\n-3 -1 -4 -1\n")
        .file("two_sum.py", SOLUTION_PYTHON)
        .file("TwoSum.java", SOLUTION_JAVA)
        .file("two_sum.format", "n\nnums[n]\nk\nwhere:\n    1 <= n <= 6\n    -9 <= nums, k <= 9\n")
        .file("before.json", REPORT)
        .file("after.json", REPORT)
        .file("sums/problem.yaml", "name: Largest\n")
        .file("sums/input.format", FORMAT)
        .file("sums/tests.toml", RECIPE)
        .file("sums/submissions/accepted/right.cpp", RIGHT_C)
        .file("sums/submissions/wrong_answer/wrong.cpp", WRONG_C);
    for (source, target) in [("polygon", "polygon-package"), ("library_checker", "library-checker-problems")] {
        let source = home().join("testdata/exchange").join(source);
        for entry in WalkDir::new(&source).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file()) {
            let path = entry.path().strip_prefix(&source).unwrap();
            folder.write(&format!("{target}/{}", path.display()), fs::read(entry.path()).unwrap());
        }
    }
    folder
}

#[test]
fn help_of_each_command_ends_with_two_examples_that_run() {
    if !installed(&["g++"]) {
        return;
    }
    let folder = example_folder();
    let search = "stress sol.cpp -r brute.cpp -f input.format --seed 1 --cases 32 --no-save";
    for journal in ["blocks", "part-1 --shard 1/2", "part-2 --shard 2/2"] {
        folder.rebut(&format!("{search} --journal {journal}")).hides("error: ");
    }
    for command in COMMANDS {
        let help = folder.rebut(&format!("{command} --help")).exits(0);
        let (_, examples) = help.stdout.trim_end().rsplit_once("Examples:\n").unwrap_or_else(|| panic!("{help}"));
        let examples: Vec<&str> = examples.lines().map(|line| line.strip_prefix("  rebut ").unwrap()).collect();
        assert_eq!(examples.len(), 2, "{help}");
        assert!(examples.iter().any(|example| example.starts_with(command)), "{help}");
        // Those of `listen` wait for a click, and those of `campaign` need workers: `listen.rs` and `campaign.rs` run such.
        for example in examples.into_iter().filter(|_| !["listen", "campaign"].contains(&command)) {
            let ran = folder.rebut(example).hides("error: ");
            assert!(ran.status == Some(0) || ran.status == Some(1), "{ran}");
        }
    }
}

#[test]
fn every_command_has_examples() {
    let definition = rebut::cli::clap_definition();
    for command in definition.get_subcommands() {
        let nested = command.get_subcommands().map(|inner| format!("{} {}", command.get_name(), inner.get_name()));
        for name in nested.chain([command.get_name().to_owned()]) {
            assert!(COMMANDS.contains(&name.as_str()), "{name}");
        }
    }
}

#[test]
fn overview_is_the_help_in_one_column_by_task() {
    let folder = Folder::new();
    let help = folder.rebut("--help").exits(0);
    let bare = folder.rebut("").exits(2);
    assert_eq!(help.stdout, bare.stderr);
    assert!(help.stdout.lines().all(|line| line.len() <= 80), "{help}");
    for task in ["Find a failing input:", "Make inputs:", "Set a problem:", "Use many machines:", "Set up:"] {
        assert!(help.stdout.lines().any(|line| line == task), "{help}");
    }
    assert!(!help.stdout.contains('\u{1b}'), "a file has no colours: {help}");
    let coloured = folder.typed("--help").variable("CLICOLOR_FORCE", "1").variable("NO_COLOR", "").run().exits(0);
    assert!(coloured.stdout.contains("\u{1b}[36mstress\u{1b}[0m"), "{coloured}");
}
