//! The shipped problems: their data are valid, and their wrong submissions are refuted. That their accepted submissions
//! give the answers is checked where their test sets are built again, in `build.rs`.

use crate::environment::{Folder, home};
use crate::shipped_programs::compiled;
use rebut_sandbox::{CancelToken, RunLimits};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folders of all problems.
fn problems() -> Vec<PathBuf> {
    let mut folders = files(&home().join("testdata/problems"));
    folders.retain(|path| path.is_dir());
    assert!(folders.len() >= 2, "{folders:?}");
    folders
}

/// Returns the sorted paths in a folder. A missing folder is empty.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Returns the inputs of a problem.
fn inputs(problem: &Path) -> Vec<PathBuf> {
    let folders = ["data/sample", "data/secret"].map(|folder| problem.join(folder));
    folders.iter().flat_map(|folder| files(folder)).filter(|path| path.extension().is_some_and(|e| e == "in")).collect()
}

#[test]
fn data_of_shipped_problems_are_valid() {
    for problem in problems() {
        let paths = std::iter::once(problem.clone()).chain(inputs(&problem));
        let folder = Folder::new();
        let typed = paths.fold(folder.typed("validate"), |typed, path| typed.argument(path.display().to_string()));
        typed.run().exits(0).shows("1.in").hides("invalid");
    }
}

/// A wrong submission of a problem that needs no other compiler than cargo's, and the number of cases within which it
/// has to be refuted.
const FOUND: &[(&str, &str, u32)] = &[
    ("caos3", "w16_last_row_and_column", 200),
    ("ckcgame", "w05_one_move_early", 200),
    ("ckcgame", "w20_lives_as_long_as_she_can", 400),
    ("cf1921e", "w03_rows_and_columns_swapped", 200),
    ("cf1921e", "w10_cast_before_the_clamp", 200),
    ("cheftic", "w04_editorial_as_printed", 200),
    ("cheftic", "w09_flat_board_wraps", 400),
    ("gamedots", "w01_editorial_as_printed", 200),
];

#[test]
fn wrong_submissions_are_refuted() {
    for (problem, submission, cases) in FOUND {
        let folder = Folder::new();
        let typed = folder
            .typed(&format!("stress {submission} --seed 1 --cases {cases} --certify 0s --problem"))
            .argument(home().join("testdata/problems").join(problem).display().to_string())
            .argument("--reference")
            .argument(if *problem == "cheftic" { "brute.rs" } else { "fast.rs" });
        typed.run().exits(1).shows(&format!("FAIL  {submission}.rs: "));
        assert!(folder.finding().read("input.txt").len() <= 60, "{}", folder.finding().read("input.txt"));
        folder.finding().replay().exits(1);
    }
}

/// A wrong submission of a problem, and the counterexample that shrinking ends with; slashes stand for line ends.
const PINNED: &[(&str, &str, &str)] = &[
    ("caos3", "w01_width_for_height.rs", "1/8 7/##^####/##^####/^^^^^##/##^#^##/##^#^##/##^^^^^/####^##/####^##/"),
    ("caos3", "w04_prime_below_the_arms.py", "1/5 5/##^##/##^##/^^^^^/##^##/##^##/"),
    ("caos3", "w05_parity_of_the_bases.py", "1/6 5/##^##/##^##/^^^^^/^^^^^/##^##/##^##/"),
    ("caos3", "w08_lava_crosses_lava.cpp", "1/6 7/##^#^##/##^^^##/^^^^^^^/#^^^^^#/##^^^##/###^###/"),
    ("caos3", "w10_one_above_the_largest.py", "1/6 6/##^###/##^^##/^^^^^#/#^^^^^/##^^##/###^##/"),
    ("caos3", "w11_win_or_loss.rs", "1/8 8/#####^##/##^^#^##/##^^^^^^/^^^^^^##/#^^^^^^#/^^^^^^##/##^^^###/##^^####/"),
    ("caos3", "w13_rows_and_columns_alive.cpp", "1/7 7/####^##/###^^##/##^^^^^/#^^^^^#/^^^^^^^/##^^^##/##^^^##/"),
    ("caos3", "w16_last_row_and_column.rs", "1/5 5/##^##/##^##/^^^^^/##^##/##^##/"),
    ("ckcgame", "w04_caught_if_nearer.py", "1/2 1 1 1 2/1 1/1 1/"),
    ("ckcgame", "w05_one_move_early.rs", "1/3 1 1 1 3/1 1 1/1 1 1/1 1 1/"),
    ("ckcgame", "w09_greedy_survivor.py", "1/3 1 2 1 3/1 1 1/1 1 3/1 1 1/"),
    ("ckcgame", "w11_may_stay.rs", "1/2 1 1 1 2/2 1/1 1/"),
    ("ckcgame", "w17_score_in_f32.rs", "1/2 1 1 1 2/1 1/1 16777217/"),
    ("ckcgame", "w19_column_first.py", "1/2 1 2 1 1/1 1/2 1/"),
    ("ckcgame", "w20_lives_as_long_as_she_can.rs", "1/3 1 2 1 3/1 1 1/1 1 3/1 1 1/"),
];

#[test]
#[ignore = "nightly: programs of all problems are compiled"]
fn pinned_counterexamples_refute_their_submissions() {
    for (problem, submission, input) in PINNED {
        let folder = home().join("testdata/problems").join(problem).join("submissions");
        let input = input.replace('/', "\n");
        let run = |path: PathBuf| {
            let program = compiled(&path)?;
            Some(
                program
                    .run(input.as_bytes(), &[], &RunLimits::with_cpu_time_ms(30_000), &CancelToken::new())
                    .unwrap()
                    .output,
            )
        };
        let right = run(folder.join("accepted/fast.rs")).unwrap();
        let Some(wrong) = run(folder.join("wrong_answer").join(submission)) else { continue };
        assert_ne!(right, wrong, "{submission}: {input}");
    }
}

/// Boards of gamedots with their answers, and submissions that no board with fewer edges refutes.
const SMALLEST_BOARDS: &[(&str, &str, &[&str])] = &[
    ("1 1 2; 0 0 1 0; 0 1 1 1", "Bob", &["w01_editorial_as_printed.rs"]),
    (
        "2 4 12; 0 1 1 1; 0 2 0 3; 0 2 1 2; 0 3 0 4; 0 4 1 4; 1 0 1 1; 1 2 2 2; 1 4 2 4; 2 0 2 1; 2 1 2 2; 2 2 2 3; 2 3 2 4",
        "Draw",
        &[
            "w02_winner_by_parity.rs",
            "w03_six_left_of_a_loop.py",
            "w06_shortest_first.py",
            "w08_two_left_of_a_loop.rs",
            "w18_loops_last.py",
        ],
    ),
    (
        "4 4 18; 0 1 1 1; 0 2 1 2; 0 3 1 3; 1 0 1 1; 1 2 2 2; 1 3 1 4; 2 0 2 1; 2 0 3 0; 2 1 2 2; 2 2 2 3; 2 2 3 2; 2 3 2 4; 3 0 4 0; 3 2 4 2; 3 3 3 4; 3 3 4 3; 4 0 4 1; 4 1 4 2",
        "Draw",
        &["w04_editorial_order.rs"],
    ),
    (
        "2 3 8; 0 0 1 0; 0 1 1 1; 0 2 1 2; 1 0 2 0; 1 1 2 1; 1 2 1 3; 1 3 2 3; 2 1 2 2",
        "Bob",
        &["w09_control_in_twos.py"],
    ),
    (
        "2 3 9; 0 0 1 0; 0 1 1 1; 0 2 0 3; 0 3 1 3; 1 0 2 0; 1 1 1 2; 1 2 2 2; 2 0 2 1; 2 2 2 3",
        "Alice",
        &["w11_takes_everything.py", "w19_threes_are_switches.py", "w20_equal_parts_cancel.py"],
    ),
    ("1 3 5; 0 0 1 0; 1 1 1 2; 0 1 1 1; 1 2 1 3; 0 3 1 3", "Bob", &["w13_alice_is_to_move.py"]),
    (
        "2 4 11; 0 0 1 0; 0 1 1 1; 0 3 1 3; 0 4 1 4; 1 0 2 0; 1 1 1 2; 1 2 1 3; 1 2 2 2; 1 4 2 4; 2 0 2 1; 2 3 2 4",
        "Draw",
        &["w14_long_chain_rule.py"],
    ),
    (
        "2 4 11; 0 0 1 0; 0 1 1 1; 0 2 1 2; 0 3 1 3; 1 0 2 0; 1 2 2 2; 1 3 1 4; 2 0 2 1; 2 1 2 2; 2 2 2 3; 2 3 2 4",
        "Bob",
        &["w21_ends_that_meet.py"],
    ),
];

#[test]
#[ignore = "nightly: programs of all problems are compiled"]
fn smallest_boards_of_gamedots_refute_published_submissions() {
    let problem = home().join("testdata/problems/gamedots/submissions");
    let answer = |submission: &str, input: &str| {
        let folder = if submission.starts_with('w') { "wrong_answer" } else { "accepted" };
        let program = compiled(&problem.join(folder).join(submission))?;
        let limits = RunLimits::with_cpu_time_ms(10_000);
        Some(program.run(input.as_bytes(), &[], &limits, &CancelToken::new()).unwrap().output)
    };
    for (board, winner, submissions) in SMALLEST_BOARDS {
        let input = format!("1\n{}\n", board.replace("; ", "\n"));
        let right = format!("{winner}\n");
        assert_eq!(answer("fast.rs", &input).as_deref(), Some(right.as_bytes()), "{board}");
        for submission in *submissions {
            assert_ne!(answer(submission, &input).as_deref(), Some(right.as_bytes()), "{submission}: {board}");
        }
    }
}

#[test]
fn first_command_of_the_readme_needs_only_cargo() {
    let readme = fs::read_to_string(home().join("README.md")).unwrap();
    let line = readme.lines().find_map(|line| line.trim().strip_prefix("cargo run --release -- ")).unwrap();
    let problems = home().join("testdata").display().to_string();
    let command = line.split('#').next().unwrap().replace("testdata", &format!("'{problems}")).trim().to_owned() + "'";
    let folder = Folder::new();
    let command = format!("{command} --certify 0s");
    let others = ["CXX", "PYTHON", "JAVAC", "JAVA", "NODE", "GO"];
    let typed = others.iter().fold(folder.typed(&command), |typed, tool| typed.variable(tool, "/nonexistent/compiler"));
    typed.run().exits(1).shows("FAIL  ");
    folder.finding().replay().exits(1);
}
