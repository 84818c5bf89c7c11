//! Results of a search: nothing found in enough inputs, inconclusive, or a failure that does not reproduce.

use crate::environment::{Folder, eventually, installed};
use crate::programs::{ECHO_C, FORMAT, RIGHT_C, WRONG_C, c_about_n};
use rustix::process::Signal;

/// Prints the sum of the numbers.
const SUM: &str = "#include <stdio.h>\nint main() { int n, x; long s = 0; scanf(\"%d\", &n); \
                   while (n-- && scanf(\"%d\", &x) == 1) s += x; printf(\"%ld\\n\", s); }\n";
const NUMBERS: &str = "n; a[n] where 1<=n<=20; 1<=a<=100";

/// The same, but it hangs on more than one number.
fn hanging_sum() -> String {
    SUM.replace("printf", "if (n < 0 && s >= 0) {} volatile int more = s > 2; while (more); printf")
}

fn result(folder: &Folder) -> serde_json::Value {
    let events = folder.read("events");
    serde_json::from_str(events.lines().last().unwrap()).unwrap()
}

#[test]
fn submission_that_hangs_after_refused_inputs_is_the_result() {
    let format = "n\nwhere:\n    1 <= n <= 1000\n    validator \"even.py\"\n";
    let folder = Folder::new()
        .file("a.format", format)
        .file("even.py", "import sys\nsys.exit(42 if int(input()) % 2 == 0 else 43)\n")
        .file("sol.c", "int main() { for (;;) {} }\n")
        .file("brute.c", "int main() { return 0; }\n");
    folder
        .rebut("stress sol.c --reference brute.c --format a.format --seed 1 -t 1ms --time-limit 200ms --no-save")
        .exits(1)
        .shows("time limit exceeded");
}

#[test]
fn search_with_a_hanging_reference_is_inconclusive() {
    let folder = Folder::new().file("sol.c", SUM).file("brute.c", hanging_sum());
    let stress = format!(
        "stress sol.c --reference brute.c --input '{NUMBERS}' --seed 1 --cases 12 --reference-time 200ms --json events"
    );
    folder
        .rebut(&stress)
        .exits(0)
        .shows_all(&["INCONCLUSIVE", "the reference runs out of time or memory on"])
        .hides("OK");
    let summary = result(&folder);
    assert_eq!((&summary["result"], &summary["reason"]), (&"inconclusive".into(), &"cases".into()), "{summary}");
    assert!(summary["result_reason"].as_str().unwrap().contains("test case"), "{summary}");
    folder.rebut(&format!("{stress} --min-cases 12")).exits(1).shows("--min-cases requires 12");
}

#[test]
fn cases_larger_than_a_slow_one_are_skipped() {
    // Each number above 10 takes the reference its whole time. Only the first of them, and those below it, are run.
    let folder = Folder::new().file("sol.c", c_about_n("")).file("brute.c", c_about_n("if (n > 10) for (;;);"));
    let stress = "stress sol.c --reference brute.c --input 'n where 1<=n<=10^9' --seed 1 --cases 2000 --jobs 1 \
                  --reference-time 50ms --time 1h --json events";
    folder.rebut(stress).exits(0).shows_all(&["the reference runs out of time or memory on", "--where 'n <= "]);
    let summary = result(&folder);
    let progress = |name: &str| summary["progress"][name].as_u64().unwrap();
    assert_eq!((&summary["reason"], progress("cases") + progress("skipped")), (&"cases".into(), 2000), "{summary}");
    assert!(progress("skipped") > 200, "{summary}");
    // With a run for each of them, it would be 10 seconds or more.
    assert!(progress("programs_cpu_time_us") < 5_000_000, "{summary}");
}

#[test]
fn minimum_number_of_cases_is_required() {
    let folder = Folder::new().file("sol.c", SUM).file("brute.c", SUM);
    let stress =
        format!("stress sol.c --reference brute.c --input '{NUMBERS}' --seed 1 --cases 40 --json events --min-cases");
    folder.rebut(&format!("{stress} 40")).exits(0).shows("OK  nothing found");
    assert_eq!(result(&folder)["result"], "nothing-found");
    folder.rebut(&format!("{stress} 41")).exits(1).shows("40 test cases were run, but --min-cases requires 41");
    assert_eq!((&result(&folder)["result"], &result(&folder)["exit_status"]), (&"inconclusive".into(), &1.into()));
}

#[test]
fn all_inputs_are_conclusive_if_there_are_few() {
    let folder = Folder::new().file("sol.c", SUM).file("brute.c", SUM);
    let all = "stress sol.c --reference brute.c --input 'n; a[n] where 1<=n<=2; 1<=a<=2' --exhaustive";
    folder.rebut(all).exits(0).shows("OK  all 6 inputs agree");
}

/// A submission that counts its runs in a file next to it, and is wrong in those for which a shell condition holds.
fn run_counter(wrong_if: &str) -> String {
    format!(
        "#!/bin/sh\n\
         cd \"$(dirname \"$0\")\" || exit 1\n\
         echo >> runs\n\
         count=$(wc -l < runs)\n\
         if [ {wrong_if} ]; then echo nonsense; exit; fi\n\
         read -r n; sum=0; read -r numbers; for x in $numbers; do sum=$((sum + x)); done; echo $sum\n"
    )
}

#[test]
fn failure_that_does_not_reproduce_is_no_finding() {
    let once = || Folder::new().script("once", run_counter("$count = 3")).file("brute.c", SUM);
    let stress =
        format!("stress ./once --reference brute.c --input '{NUMBERS}' --seed 1 --cases 9 --jobs 1 --json events");
    let folder = once();
    folder.rebut(&stress).exits(0).shows_all(&["FLAKY", "in none of 3 further runs"]).hides("FAIL");
    let summary = result(&folder);
    assert_eq!(
        (&summary["result"], &summary["findings"], &summary["unconfirmed"]),
        (&"flaky".into(), &0.into(), &1.into())
    );
    assert!(folder.names("findings").is_empty());
    once().rebut(&format!("{stress} --flaky=fail")).exits(1).shows("FLAKY");
}

#[test]
fn input_of_a_flaky_failure_is_shrunk() {
    let folder =
        Folder::new().script("third", run_counter("$((count % 3)) = 0")).file("brute.c", SUM).file("in", "2\n1 1\n");
    let shrink = format!("shrink in ./third --reference brute.c --input '{NUMBERS}' --jobs 1");
    folder.rebut(&shrink).exits(1).shows_all(&["FAIL  third: wrong answer", "flaky: it fails in 1 of 3 runs"]);
}

#[test]
fn flaky_finding_is_replayed_several_times() {
    let folder = Folder::new()
        .file("sol.c", SUM.replace("long s = 0", "long s = 1"))
        .script("third", run_counter("$((count % 3)) = 0"))
        .file("brute.c", SUM);
    folder.rebut(&format!("stress sol.c --reference brute.c --input '{NUMBERS}' --seed 1")).exits(1);
    let replay = format!("replay {}", folder.finding().name);
    folder.rebut(&format!("{replay} --submission ./third")).exits(1).shows("flaky: it fails in 3 of 10 runs");
    folder.rebut(&format!("{replay} --submission brute.c")).exits(0);
}

/// Numbers that are all below 50 in one file out of two: the finding must not be shrunk to a file that the generator
/// cannot print.
const GENERATOR: &str = "import random, sys\nrandom.seed(int(sys.argv[-1]))\nn = random.randint(5, 9)\nprint(n)\n\
                         print(*[random.randint(1, 100) for _ in range(n)])\n";

#[test]
fn original_input_is_the_finding_without_format_and_validator() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = Folder::new()
        .file("sol.c", SUM.replace("printf", "if (s > 99) s++; printf"))
        .file("brute.c", SUM)
        .file("gen.py", GENERATOR);
    let ran = folder.rebut("stress sol.c --reference brute.c --generator gen.py --seed 1 --cases 50").exits(1);
    ran.shows_all(&["not shrunk", "no format or validator to check it; use --input, --format or --validator"]);
    let finding = folder.finding();
    assert_eq!(finding.read("input.txt"), finding.read("original.txt"));
    assert!(finding.read("input.txt").lines().count() == 2);
}

#[test]
fn format_that_does_not_match_the_programs_is_reported() {
    let stress = "stress sol.c --reference brute.c --seed 1 --cases 40 --input";
    let stress = |program: &str, format: &str| {
        let folder = Folder::new().file("sol.c", SUM).file("brute.c", program);
        folder.typed(stress).argument(format).run()
    };
    stress(SUM, NUMBERS).exits(0).hides("reads past the end").hides("never reads");
    let with_one_more = SUM.replace("scanf(\"%d\", &n);", "scanf(\"%d\", &n); scanf(\"%d\", &x);");
    stress(&with_one_more, NUMBERS).shows("`brute.c` reads past the end of the inputs");
    stress(SUM, "n k; a[n] where 1<=n<=20; 1<=a<=100; 1<=k<=9").shows("the last token of the inputs");
    // Reading to the end of the input is no error.
    let to_the_end = "#include <stdio.h>\nint main() { long x, s = 0; scanf(\"%*d\"); \
                      while (scanf(\"%ld\", &x) == 1) s += x; printf(\"%ld\\n\", s); }\n";
    stress(to_the_end, NUMBERS).exits(0).hides("reads past the end").hides("never reads");
}

/// Fails on each input with a number of 100, and slowly.
const SLOW: &str = "#!/bin/sh\nsleep 0.2\nread -r n; read -r numbers\nsum=0; for x in $numbers; do sum=$((sum + x)); \
                    [ $x = 100 ] && sum=nonsense; done; echo $sum\n";

#[test]
fn search_killed_while_shrinking_has_saved_its_finding() {
    let numbers: Vec<String> = (1..=900).map(|i| (i % 100 + 1).to_string()).collect();
    let input = format!("900\n{}\n", numbers.join(" "));
    let folder = Folder::new().script("slow", SLOW).file("brute.c", SUM).file("in", &input);
    let shrink = "shrink in ./slow --reference brute.c --input 'n; a[n] where 1<=n<=900; 1<=a<=100' --shrink-time 100s";
    let running = folder.typed(shrink).start();
    let is_finding = |name: &String| !name.starts_with('.');
    eventually("a finding", || folder.names("findings").iter().any(is_finding));
    running.signal(Signal::KILL);
    drop(running);
    let names = folder.names("findings");
    let saved = names.iter().find(|name| is_finding(name)).unwrap();
    assert_eq!(folder.read(&format!("findings/{saved}/input.txt")), input);
    assert_eq!(folder.read(&format!("findings/{saved}/original.txt")), input);
    let record: serde_json::Value =
        serde_json::from_str(&folder.read(&format!("findings/{saved}/finding.json"))).unwrap();
    assert_eq!(record["shrink_complete"], false);
    folder.rebut(&format!("replay findings/{saved}")).exits(1).shows("FAIL  slow");
}

#[test]
fn shrunk_finding_replaces_the_first_one() {
    let folder = Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C).file("in", "5\n-3 -4 -5 -9 -9\n");
    folder.rebut(&format!("shrink in sol.c --input '{FORMAT}'")).exits(1);
    assert_eq!(folder.names("findings"), ["0001-sol-wrong-answer"]);
    assert_eq!(folder.finding().read("input.txt"), "1\n-1\n");
    assert_eq!(folder.finding().read("original.txt"), "5\n-3 -4 -5 -9 -9\n");
}

#[test]
fn directive_and_type_of_windows_are_named() {
    let sum = |directive: &str, kind: &str| {
        format!(
            "#include <stdio.h>\nint main() {{ {kind} n; scanf(\"{directive}\", &n); printf(\"{directive}\\n\", n * 2); }}\n"
        )
    };
    let folder = Folder::new().file("brute.c", sum("%lld", "long long")).file("sol.c", sum("%I64d", "long long"));
    let stress = "stress sol.c --reference brute.c --input 'n where 1<=n<=10^12' --seed 1 --cases 200 --no-save";
    folder.rebut(stress).exits(1).shows_all(&["`%I64d` in", "sol.c` (line 2)"]);
    folder.write("sol.c", sum("%ld", "long"));
    folder.rebut(stress).exits(0).shows("`sol.c` uses `long` (line 2)");
    folder.write("sol.c", sum("%lld", "long long"));
    folder.rebut(stress).exits(0).hides("uses `long`");
}

#[test]
fn submissions_can_use_files() {
    let files = |text: &str| {
        text.replace("int n, x", "freopen(\"total.in\", \"r\", stdin); freopen(\"total.out\", \"w\", stdout); int n, x")
    };
    let folder = Folder::new().file("sol.c", files(WRONG_C)).file("brute.c", RIGHT_C).file("right.c", files(RIGHT_C));
    let stress = format!("--reference brute.c --input '{FORMAT}' --seed 1 --cases 100 --files total.in total.out");
    folder.rebut(&format!("stress right.c {stress}")).exits(0).shows("OK");
    folder.rebut(&format!("stress sol.c {stress}")).exits(1).shows("wrong answer");
    assert_eq!(folder.finding().read("input.txt"), "1\n-1\n");
    folder.finding().replay().exits(1).shows("wrong answer");
    // The names come from the problem that `listen` received.
    folder.write("problem.json", "{\"files\": [\"total.in\", \"total.out\"]}");
    folder.write("1.in", "2\n-3 -4\n");
    folder.write("1.ans", "-3\n");
    folder.rebut("test right.c").exits(0);
    folder.rebut("test sol.c").exits(1).shows("WA");
}

#[test]
fn samples_can_be_judged_by_any_checker() {
    let folder = Folder::new().file("sol.c", "#include <stdio.h>\nint main() { puts(\"b\\na\"); }\n");
    folder.write("1.in", "2\n");
    folder.write("1.ans", "a\nb\n");
    folder.rebut("test sol.c").exits(1);
    folder.rebut("test sol.c --checker unordered-lines").exits(0);
    folder.rebut("test sol.c --checker exact").exits(1);
    folder.rebut("test sol.c --checker unorderd-lines").exits(2).shows("did you mean `unordered-lines`?");
}

#[test]
fn memory_limit_is_named_with_its_origin() {
    let text =
        "#include <stdlib.h>\n#include <string.h>\nint main() { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }\n";
    let folder = Folder::new().file("sol.c", text).file("1.in", "1\n").file("1.ans", "1\n").file("brute.c", ECHO_C);
    folder.rebut("test sol.c --memory-limit 64").exits(1).shows("its limit of 64 MiB, from `--memory-limit`");
    folder.write("problem.json", "{\"memoryLimit\": 32}");
    folder.rebut("test sol.c").exits(1).shows("its limit of 32 MiB, from `problem.json`");
    let stress = "stress sol.c --reference brute.c --input 'n where 1<=n<=9' --cases 9 --no-save --certify 0s";
    folder.rebut(stress).exits(1).shows("its limit of 32 MiB, from `problem.json`");
}

#[test]
fn few_inputs_are_searched_to_the_end() {
    let folder = Folder::new()
        .file("right.c", c_about_n("printf(\"%d\\n\", n * 7 % 13);"))
        .file("sol.c", c_about_n("printf(\"%d\\n\", n == 26 ? 1 : n * 7 % 13);"));
    let stress = "--reference right.c --input 'n where 1<=n<=40' --seed 1 --no-save";
    let assumed = "assuming that reused processes behave like new ones";
    folder.rebut(&format!("stress right.c {stress}")).exits(0).shows_all(&["all 40 inputs agree", assumed]);
    let part = format!("stress right.c {stress} --cases 30");
    folder.rebut(&part).exits(0).shows("nothing found: 30 cases").hides("agree");
    folder.rebut(&format!("stress sol.c {stress}")).exits(1).shows("26");
}

#[test]
fn undefined_behaviour_of_a_submission_that_passes_is_a_warning() {
    // The contents of the array are never needed, so the ordinary build has no array.
    let with_array = |size: usize| {
        SUM.replace("int main() {", &format!("int main() {{ int a[{size}];")).replace("s += x", "s += a[n] = x")
    };
    let folder = Folder::new().file("sol.c", with_array(18)).file("brute.c", with_array(20));
    let stress = format!("--reference brute.c --input '{NUMBERS}' --seed 1 --time 4s --jobs 1 --no-save");
    folder.rebut(&format!("stress sol.c {stress}")).exits(0).shows_all(&["undefined behaviour", "line 2: index 1"]);
    // It is not reported where the reference has some, too.
    folder.rebut(&format!("stress sol.c {stress}").replace("brute.c", "sol.c")).exits(0).hides("undefined behaviour");
}
