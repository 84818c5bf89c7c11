//! `rebut stress --slow`.

use crate::environment::{Folder, installed};

/// Sorts with a quicksort that splits by the number in the middle.
const QUICKSORT: &str = r#"
#include <stdio.h>
static int a[50000];
static void sort(int from, int to) {
    if (from >= to) return;
    int pivot = a[(from + to) / 2], i = from, j = to;
    while (i <= j) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i <= j) { int x = a[i]; a[i++] = a[j]; a[j--] = x; }
    }
    sort(from, j);
    sort(i, to);
}
int main(void) {
    int n;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) scanf("%d", a + i);
    sort(0, n - 1);
    printf("%d\n", a[0]);
}
"#;

/// Finds the smallest number.
const SCAN: &str = r#"
#include <stdio.h>
int main(void) {
    int n, least, x;
    scanf("%d%d", &n, &least);
    while (--n) {
        scanf("%d", &x);
        if (x < least) least = x;
    }
    printf("%d\n", least);
}
"#;

/// A visualizer of inputs.
const DRAW: &str = "#include <stdio.h>\nint main(void) {\n    FILE *file = fopen(\"testcase.svg\", \"w\");\n    \
                    fputs(\"<svg xmlns='http://www.w3.org/2000/svg'/>\", file);\n    fclose(file);\n}\n";

const FORMAT: &str = "n; a[n] where 1<=n<=50000; 1<=a<=10^9";

/// Returns the events of a kind.
fn events(json: &str, kind: &str) -> Vec<serde_json::Value> {
    let events = json.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    events.filter(|event| event["event"] == kind).collect()
}

#[test]
fn slow_input_is_found_simplified_and_told_as_a_recipe() {
    if !installed(&["gcc"]) {
        return;
    }
    let folder = Folder::new()
        .file("p/problem.yaml", "name: Least\n")
        .file("p/input.format", FORMAT)
        .file("p/input_visualizer/draw.c", DRAW)
        .file("p/submissions/accepted/scan.c", SCAN)
        .file("sort.c", QUICKSORT);
    let command = "stress sort.c --slow --problem p --seed 1 --time-limit 100ms --shrink-time 1s --json -";
    let first = folder.rebut(&format!("{command} --jobs 2")).exits(1);
    let found = events(&first.stdout, "found").pop().unwrap();
    let slowness = &found["slowness"];
    assert!(found["verdict"] == "TLE" && slowness["law"] == "n^2" && slowness["axis"] == "n", "{first}");
    assert!(slowness["ordinary_law"] == "n log n" && slowness["times_ordinary"].as_f64().unwrap() > 10.0, "{first}");
    let recipe = slowness["recipe"].as_str().unwrap();
    assert!(recipe.starts_with("shape = \"numbers/anti-quicksort-middle\"\nwhere = [\"n = 50000\"]"), "{recipe}");
    assert!(folder.finding().read("finding.html").contains("Input, drawn by the package"), "{first}");
    // The pattern does not depend on the number of jobs.
    let second = folder.rebut(&format!("{command} --jobs 1 --no-save")).exits(1);
    assert_eq!(events(&second.stdout, "found")[0]["slowness"]["recipe"], slowness["recipe"]);
    let replay = found["replay"].as_str().unwrap().strip_prefix("rebut ").unwrap();
    folder.rebut(replay).exits(1).shows("time limit");
}

#[test]
fn fast_submission_has_no_slow_input() {
    if !installed(&["gcc"]) {
        return;
    }
    let folder = Folder::new().file("scan.c", SCAN).file("brute.c", SCAN);
    let searched = folder.rebut(&format!("stress scan.c --slow --input '{FORMAT}' --time 1s --json -")).exits(0);
    assert!(events(&searched.stdout, "found").is_empty(), "{searched}");
    folder.rebut("stress scan.c --slow --generator gen.py").exits(2);
}

#[test]
fn verify_tells_growth_from_constant_factors() {
    if !installed(&["gcc"]) {
        return;
    }
    let many_times = SCAN.replace("if (x < least)", "for (volatile int i = 0; i < 300; i++); if (x < least)");
    let folder = Folder::new()
        .file("p/problem.yaml", "name: Least\nlimits:\n    time_limit: 0.1\n")
        .file("p/input.format", FORMAT)
        .file("p/data/secret/1.in", "2\n5 3\n")
        .file("p/data/secret/1.ans", "3\n")
        .file("p/submissions/accepted/scan.c", SCAN)
        .file("p/submissions/time_limit_exceeded/sort.c", QUICKSORT)
        .file("p/submissions/time_limit_exceeded/times.c", &many_times);
    let verified = folder.rebut("verify p --growth --no-probes --json -");
    let causes = events(&verified.stdout, "slow-cause");
    let kinds: Vec<&str> = causes.iter().filter_map(|cause| cause["kind"].as_str()).collect();
    assert_eq!(kinds, ["growth", "constant-factor"], "{verified}");
}

#[test]
fn limit_is_compared_with_counted_work() {
    if !installed(&["gcc", "python3"]) {
        return;
    }
    let each_again = SCAN.replace("if (x < least)", "for (volatile int i = 0; i < 2000; i++); if (x < least)");
    let numbers: String = (1..=2000).map(|number| format!(" {number}")).collect();
    let folder = Folder::new()
        .file("p/problem.yaml", "name: Least\nlimits:\n    time_limit: 0.1\n")
        .file("p/input.format", FORMAT)
        .file("p/data/secret/1.in", "2\n5 3\n")
        .file("p/data/secret/1.ans", "3\n")
        .file("p/data/secret/2.in", format!("2000\n{}\n", numbers.trim()))
        .file("p/data/secret/2.ans", "1\n")
        .file("p/submissions/accepted/scan.c", SCAN)
        .file("p/submissions/accepted/slow_start.py", "n = input()\nprint(min(map(int, input().split())))\n")
        .file("p/submissions/time_limit_exceeded/again.c", &each_again);
    let counted = |jobs: u32| {
        let verified = folder.rebut(&format!("verify p --growth --no-probes --jobs {jobs} --json -"));
        let margins = events(&verified.stdout, "work-margins");
        assert_eq!(margins.len(), 1, "{verified}");
        margins[0].clone()
    };
    let (one, two) = (counted(1), counted(2));
    assert_eq!((&one["costliest"], &one["slow"]), (&two["costliest"], &two["slow"]), "counts do not depend on jobs");
    assert_eq!(one["costliest"]["test_case"], "secret/2");
    assert_eq!(one["costliest"]["submission"], "accepted/scan.c");
    let slow = &one["slow"][0];
    assert_eq!(slow["run"]["test_case"], "secret/2");
    assert!(slow["times_accepted"].as_f64() > Some(100.0), "{one}");
    assert_eq!(one["uncounted"][0], "accepted/slow_start.py");
}

#[test]
fn build_makes_the_worst_input_of_each_pattern() {
    if !installed(&["gcc"]) {
        return;
    }
    let again = QUICKSORT.replace("50000", "60000");
    let bubble = SCAN.replace("if (x < least)", "for (volatile int i = 0; i < n; i++); if (x < least)");
    let folder = Folder::new()
        .file("p/problem.yaml", "name: Least\nlimits:\n    time_limit: 0.1\n")
        .file("p/input.format", FORMAT)
        .file("p/tests.toml", "[[test]]\nname = \"slow\"\nslow = true\n")
        .file("p/submissions/accepted/scan.c", SCAN)
        .file("p/submissions/time_limit_exceeded/again.c", &again)
        .file("p/submissions/time_limit_exceeded/bubble.c", &bubble)
        .file("p/submissions/time_limit_exceeded/sort.c", QUICKSORT);
    folder.rebut("build p --no-verify --jobs 2").exits(0);
    let tests = ["p/data/secret/1_slow_1.in", "p/data/secret/1_slow_2.in"].map(|path| folder.read(path));
    assert!(tests.iter().all(|text| text.starts_with("50000\n")), "{:?}", tests.map(|text| text.len()));
    assert_eq!(folder.names("p/data/secret").len(), 4, "two submissions fall to the same pattern");
    folder.rebut("build p --no-verify --check --force --jobs 1").exits(0);
    folder.rebut("build p --no-verify --check").exits(0);
    // Without a slow submission there is nothing to find.
    let names = ["again.c", "bubble.c", "sort.c"].map(|name| format!("p/submissions/time_limit_exceeded/{name}"));
    names[1..].iter().for_each(|path| std::fs::remove_file(folder.path(path)).unwrap());
    folder.write(&names[0], SCAN);
    folder.rebut("build p --no-verify").exits(2).shows("no submission that must be too slow");
}
