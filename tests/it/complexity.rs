//! `rebut complexity`.

use crate::environment::{Folder, installed};

/// Sorts with a quicksort that splits by the first number.
const QUICKSORT: &str = r#"
#include <stdio.h>
static int a[5000];
static void sort(int from, int to) {
    if (to - from < 2) return;
    int middle = from, x;
    for (int i = from + 1; i < to; i++)
        if (a[i] < a[from]) x = a[++middle], a[middle] = a[i], a[i] = x;
    x = a[from], a[from] = a[middle], a[middle] = x;
    sort(from, middle);
    sort(middle + 1, to);
}
int main(void) {
    int n;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) scanf("%d", a + i);
    sort(0, n);
    printf("%d\n", a[n / 2]);
}
"#;

/// Returns the rows of the event `growth` without times.
fn growth_rows(json: &str) -> Vec<serde_json::Value> {
    let events = json.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let growth = events.into_iter().find(|event| event["event"] == "growth").unwrap();
    let mut rows = growth["rows"].as_array().unwrap().clone();
    for row in &mut rows {
        row["predicted_ms"].take();
        row["samples"].as_array_mut().unwrap().iter_mut().for_each(|sample| drop(sample["cpu_time_us"].take()));
    }
    rows
}

#[test]
fn worst_inputs_of_a_quicksort_are_found_and_do_not_depend_on_jobs() {
    if !installed(&["gcc"]) {
        return;
    }
    let folder = Folder::new().file("sort.c", QUICKSORT);
    let command = "complexity sort.c --input 'n; a[n] where 1<=n<=5000; 0<=a<=10^9' --json -";
    let first = folder.rebut(&format!("{command} --jobs 1")).exits(0);
    let rows = growth_rows(&first.stdout);
    assert!(rows.len() == 2 && rows[0]["law"] == "n^2" && rows[1]["law"] == "n log n", "{first}");
    assert!(rows[0]["unit"] == "branches" && rows[0]["is_measured"] == true && rows[1]["shape"] == "", "{first}");
    let second = folder.rebut(&format!("{command} --jobs 2")).exits(0);
    assert_eq!(growth_rows(&second.stdout), rows);
}

#[test]
fn several_submissions_are_shown_side_by_side() {
    if !installed(&["gcc"]) {
        return;
    }
    let least = "#include <stdio.h>\nint main(void) {\n    int n, x, least = 1000000000;\n    scanf(\"%d\", &n);\n    \
                 while (n--) { scanf(\"%d\", &x); if (x < least) least = x; }\n    printf(\"%d\\n\", least);\n}\n";
    let folder = Folder::new().file("sort.c", QUICKSORT).file("least.c", least);
    let run = folder.rebut("complexity sort.c least.c --input 'n; a[n] where 1<=n<=500; 0<=a<=10^9'").exits(0);
    let (_, side_by_side) = run.stdout.split_once("side by side").unwrap();
    let lines: Vec<&str> = side_by_side.lines().skip(1).collect();
    assert!(lines[0].contains("sort.c") && lines[0].contains("least.c"), "{run}");
    assert!(lines[1].contains("n^2") && lines[1].contains("500"), "{run}");
}

#[test]
fn complexity_requires_a_format() {
    let folder = Folder::new().file("sort.c", QUICKSORT).file("gen.py", "print(1)\n");
    folder.rebut("complexity sort.c --generator gen.py").exits(2).shows("a generator has none");
    folder.rebut("complexity sort.c").exits(2);
}
