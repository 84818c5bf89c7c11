//! Inputs without a format: a generator, a validator, and shrinking by lines and tokens.

use crate::environment::{Folder, installed};
use crate::programs::{RIGHT_C, RIGHT_RUST, WRONG_C, WRONG_RUST};

/// Prints up to 30 numbers, most of them negative in one file out of three.
const GENERATOR: &str = "\
import random, sys
random.seed(int(sys.argv[-1]))
n = random.randint(10, 30)
top = random.choice([-1, 50, 50])
print(n)
print(*[random.randint(-50, top) for _ in range(n)])
";

/// Refuses what `read` would refuse: a wrong count, a missing newline, a number out of range.
const VALIDATOR: &str = "\
import sys
lines = sys.stdin.read().split('\\n')
ok = len(lines) == 3 and lines[2] == '' and lines[0].isdigit()
ok = ok and int(lines[0]) == len(lines[1].split()) >= 1 and all(-50 <= int(x) <= 50 for x in lines[1].split())
sys.exit(42 if ok else 43)
";

#[test]
fn generator_and_validator_replace_a_format() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = Folder::new()
        .file("sol.c", WRONG_C)
        .file("brute.c", RIGHT_C)
        .file("gen.py", GENERATOR)
        .file("val.py", VALIDATOR);
    let stress = "stress sol.c --reference brute.c --generator gen.py --validator val.py --seed 1 --cases 100";
    let ran = folder.rebut(stress).exits(1).shows("FAIL  sol.c: wrong answer");
    let input = folder.finding().read("input.txt");
    assert_eq!(input, "1\n-1\n", "{ran}");
    folder.finding().replay().exits(1);
}

#[test]
fn generator_can_be_a_command_or_a_source() {
    let generator = "\
fn main() {
    let seed: i64 = std::env::args().last().unwrap().parse().unwrap();
    println!(\"2\\n{} {}\", -(seed % 7) - 1, -(seed % 5) - 1);
}
";
    let folder = Folder::new().file("sol.rs", WRONG_RUST).file("brute.rs", RIGHT_RUST).file("gen.rs", generator);
    for command in ["gen.rs", "./gen.rs --size 5"] {
        let stress = format!("stress sol.rs --reference brute.rs --seed 1 --cases 5 --no-save --generator '{command}'");
        folder.rebut(&stress).exits(1).shows("FAIL  sol.rs: wrong answer");
    }
    let shell = "sh -c 'echo 1; echo -3'";
    let typed = folder.typed("stress sol.rs --reference brute.rs --cases 5 --no-save --generator").argument(shell);
    typed.run().exits(1).shows("FAIL  sol.rs: wrong answer");
    assert!(folder.names("findings").is_empty(), "--no-save saves nothing");
}

#[test]
fn same_seed_gives_the_same_finding() {
    if !installed(&["python3"]) {
        return;
    }
    let search = |jobs: usize| {
        let folder = Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C).file("gen.py", GENERATOR);
        let stress = "stress sol.c --reference brute.c --generator gen.py --seed 1 --cases 100";
        folder.rebut(&format!("{stress} --jobs {jobs}")).exits(1);
        (folder.finding().read("original.txt"), folder.finding().record()["case"].clone())
    };
    assert_eq!(search(1), search(3));
}

#[test]
fn all_branches_of_an_expression_are_drawn() {
    let format = "w where w matches \"pea|pan|[a-z]*\"; len(w) <= 8";
    let ran = Folder::new().typed("generate -n 60 --input").argument(format).run().exits(0);
    for word in ["pea", "pan"] {
        assert!(ran.stdout.lines().any(|line| line == word), "{word}: {ran}");
    }
    assert!(ran.stdout.lines().any(|line| line.len() == 8), "{ran}");
}

#[test]
fn words_from_the_source_are_tried() {
    let wrong = RIGHT_WORD.replace("println", "if s.trim() == \"magic\" { println!(\"1\"); return; } println");
    let folder = Folder::new().file("sol.rs", wrong).file("brute.rs", RIGHT_WORD);
    let stress =
        folder.typed("stress sol.rs --reference brute.rs --no-save --seed 1 --cases 2000 --certify 0s --input");
    stress.argument("w where w over \"a-z\"; 1 <= len(w) <= 12").run().exits(1).shows("| magic");
}

#[test]
fn phrases_from_the_source_are_tried_in_texts_with_spaces() {
    let wrong = RIGHT_WORD.replace("println", "if s.trim() == \"pea soup\" { println!(\"1\"); return; } println");
    let folder = Folder::new().file("sol.rs", wrong).file("brute.rs", RIGHT_WORD);
    let stress =
        folder.typed("stress sol.rs --reference brute.rs --no-save --seed 1 --cases 2000 --certify 0s --input");
    stress.argument("w where w matches \"[a-z]([a-z ]*[a-z])?\"; len(w) <= 30").run().exits(1).shows("| pea soup");
}

const RIGHT_WORD: &str =
    "fn main() { let mut s = String::new(); std::io::stdin().read_line(&mut s).unwrap(); println!(\"0\"); }";

#[test]
fn one_answer_for_all_inputs_is_a_warning() {
    let folder = Folder::new().file("brute.rs", RIGHT_WORD);
    let profile = folder.typed("generate --profile --reference brute.rs --count 20 --input");
    let ran = profile.argument("n where 1 <= n <= 100").run().exits(0);
    ran.shows("warning: all 20 answers are the same, `0`: a submission that always prints it would pass");
}
