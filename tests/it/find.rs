//! `rebut stress --find`: searches for an input on which an expression about several submissions holds.

use crate::environment::{Folder, installed};
use crate::programs::{RIGHT_C, WRONG_C};

const INPUTS: &str = "--reference brute.c --input 'n; a[n] where 1<=n<=5; -9<=a<=9' --seed 1 --cases 2000";

/// `never.c` is wrong if the largest number is negative, `last.c` if the last number is not the largest, and `slow.c` is too
/// slow from five numbers on.
fn folder() -> Folder {
    let slow = RIGHT_C.replace("printf", "for (volatile long i = 0; n0 >= 5 && i < 100000000; i++); printf");
    let slow = slow.replace("while (--n", "int n0 = n; while (--n");
    Folder::new()
        .file("brute.c", RIGHT_C)
        .file("never.c", WRONG_C)
        .file("last.c", RIGHT_C.replace("if (x > best) best = x", "best = x"))
        .file("slow.c", slow)
}

fn find(folder: &Folder, expression: &str) -> crate::environment::Ran {
    folder.typed(&format!("stress never.c last.c slow.c {INPUTS} --find")).argument(expression).run()
}

#[test]
fn smallest_input_on_which_an_expression_holds_is_found_and_replayed() {
    if !installed(&["gcc"]) {
        return;
    }
    let folder = folder();
    let ran = find(&folder, "never fails and last fails").exits(1);
    ran.shows_all(&[
        "FOUND  never fails and last fails",
        "never.c: wrong answer in ",
        ": token 1: expected -1, found 0",
        "last.c: wrong answer",
        "smallest possible",
        "FOUND  `never fails and last fails` holds on an input: ",
    ]);
    let finding = folder.finding();
    assert_eq!(finding.read("input.txt"), "2\n-1 -2\n");
    assert!(finding.read("README.md").starts_with("# never fails and last fails\n"), "{}", finding.read("README.md"));
    finding.replay().exits(1).shows_all(&["FOUND  never fails and last fails", "never.c: wrong answer"]);
    folder.write("last.c", RIGHT_C);
    finding.replay().exits(0).shows("`never fails and last fails` does not hold any more");
}

#[test]
fn expressions_compare_verdicts_answers_times_and_scores() {
    if !installed(&["gcc"]) {
        return;
    }
    let folder = folder();
    let cases = [
        ("last.c passes and never.c is WA", "1\n-1\n"),
        ("never passes and answer(last) < answer(never) and score(last) < 50", "2\n0 -1\n"),
        ("answer(never) == 0 and answer(last) = -2", "1\n-2\n"),
        ("not (answer(slow) = answer(last)) and not never fails", "2\n0 -1\n"),
    ];
    for (expression, smallest) in cases {
        let ran = find(&folder, expression).exits(1);
        let input = folder.findings().last().map(|finding| finding.read("input.txt"));
        assert_eq!(input.as_deref(), Some(smallest), "{ran}");
    }
    let ran = find(&folder, "time(slow) > 3 * time(never) and time(slow) > 20ms").exits(1);
    ran.shows_all(&["slow.c: accepted in ", "1 | 5"]);
    find(&folder, "never is TLE or never passes and never fails").exits(0);
}

#[test]
fn mistakes_in_an_expression_are_located() {
    let folder = folder();
    let cases = [
        ("nevr fails", "--find:1:1", "did you mean `never`?"),
        ("never fails adn last fails", "--find:1:13", "`adn` follows a complete condition"),
        ("never is WAA", "--find:1:10", "did you mean `WA`?"),
        ("answer(never) <> 1", "--find:1:16", "neither a program nor a number"),
        ("never fails and", "--find:1:16", "a condition is missing at the end"),
    ];
    for (expression, place, message) in cases {
        find(&folder, expression).exits(2).shows_all(&[place, message]).hides("Compil");
    }
    folder.rebut(&format!("stress never.c {INPUTS} --find 'never fails' --slow")).exits(2).shows("cannot be used with");
}

#[test]
fn machines_share_a_search_by_an_expression() {
    if !installed(&["gcc"]) {
        return;
    }
    let folder = folder();
    let search = |expression: &str, rest: &str| {
        folder.typed(&format!("stress never.c last.c {INPUTS} {rest} --find")).argument(expression).run()
    };
    let both = "never fails and last fails";
    for shard in ["1/2", "2/2"] {
        let ran = search(both, &format!("--block 100 --journal of-{} --shard {shard}", &shard[..1])).exits(0);
        ran.shows("found  `never fails and last fails` holds on input").hides("wrong answer");
    }
    search("never fails", "--block 100 --journal of-1 --shard 1/2").exits(2).shows("expression");
    let merged = folder.rebut("merge of-1 of-2").exits(1);
    merged.shows_all(&["FOUND  never fails and last fails", "smallest possible"]);
    assert_eq!(folder.finding().read("input.txt"), "2\n-1 -2\n");
}

#[test]
fn expressions_are_about_conversations_too() {
    if !installed(&["gcc"]) {
        return;
    }
    let guess = |first: &str| {
        format!(
            "#include <stdio.h>\nint main() {{ char reply[9]; int x = {first}; printf(\"%d\\n\", x); fflush(stdout);\n\
             scanf(\"%8s\", reply); if (reply[0] == 'm') printf(\"%d\\n\", x + 1); }}\n"
        )
    };
    let interactor = "#include <stdio.h>\nint main(int argc, char **argv) { int secret, x;\n\
        if (fscanf(fopen(argv[1], \"r\"), \"%d\", &secret) != 1 || scanf(\"%d\", &x) != 1) return 43;\n\
        puts(x == secret ? \"yes\" : \"more\"); fflush(stdout);\n\
        return x == secret || scanf(\"%d\", &x) == 1 && x == secret ? 42 : 43; }\n";
    let folder = Folder::new().file("one.c", guess("1")).file("two.c", guess("2")).file("game.c", interactor);
    let search = "stress one.c two.c --interactor game.c --input 's where 1<=s<=9' --seed 1 --cases 100 --find";
    let ran = folder.typed(search).argument("one fails and two passes").run().exits(1);
    ran.shows_all(&["one.c: wrong answer", "two.c: accepted", "smallest possible"]);
    assert_eq!(folder.finding().read("input.txt"), "3\n");
    folder.finding().replay().exits(1).shows("FOUND  one fails and two passes");
}

#[test]
fn an_expression_may_name_the_program_that_is_the_reference() {
    if !installed(&["gcc"]) {
        return;
    }
    let folder = folder();
    let search = "stress never.c brute.c --input 'n; a[n] where 1<=n<=5; -9<=a<=9' --seed 1 --cases 2000 --find";
    folder.typed(search).argument("answer(never) != answer(brute)").run().exits(1).shows("holds on an input");
}
