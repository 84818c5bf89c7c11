//! Enumeration of all valid inputs in order, from published formats and on the command line.

use crate::environment::Folder;
use crate::formats::published;
use rebut_format::enumerate::{Enumerator, count_inputs, element_count_range};
use rebut_format::generate::GenerationPlan;
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::validate::find_violation;
use rebut_format::value::Measure;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of inputs of each format.
const MAX_INPUTS: usize = 300;

/// Maximum number of search steps for listing and for counting.
const MAX_STEPS: u64 = 10_000;
const MAX_COUNTING_STEPS: u64 = 200_000;

/// Returns a callback that stops the search after this many calls.
fn budget(steps: u64) -> impl Fn() -> bool {
    let calls = AtomicU64::new(1);
    move || calls.fetch_add(1, Ordering::Relaxed) >= steps
}

#[test]
fn smallest_inputs_of_published_formats_are_ordered_and_valid() {
    let mut silent = Vec::new();
    for (name, format) in published() {
        let plan = GenerationPlan::new(&format);
        let stop = budget(MAX_STEPS);
        let mut last = None;
        for value in Enumerator::new(&plan, usize::MAX, &stop).take(MAX_INPUTS) {
            let bytes = print_value(&format, &value);
            let shown = || format!("{name}\n{}", String::from_utf8_lossy(&bytes));
            assert_eq!(find_violation(&format, &value), None, "{}", shown());
            assert_eq!(read_input(&format, &bytes).as_ref(), Ok(&value), "{}", shown());
            let measure = Measure::of_value(&format, &value);
            assert!(last.as_ref().is_none_or(|last| *last < measure), "out of order: {}", shown());
            last = Some(measure);
        }
        if last.is_none() {
            silent.push(name);
        }
    }
    assert!(silent.is_empty(), "nothing was found of {silent:?}");
}

#[test]
fn count_equals_the_number_of_listed_inputs() {
    let mut compared = 0;
    for (name, format) in published() {
        let plan = GenerationPlan::new(&format);
        let least = usize::try_from(element_count_range(&plan).lo).unwrap();
        for most in least..least + 4 {
            let stop = budget(MAX_STEPS);
            let mut enumerator = Enumerator::new(&plan, most, &stop);
            let listed = enumerator.by_ref().count();
            if stop() || enumerator.is_cut_short() {
                break;
            }
            let counted = count_inputs(&plan, most, &budget(MAX_COUNTING_STEPS));
            assert_eq!(counted, Some(listed as u128), "{name}, at most {most} elements");
            compared += usize::from(listed > 0);
        }
    }
    assert!(compared > 50, "only {compared} comparisons");
}

/// Checks the line that a count prints.
#[track_caller]
fn counted(arguments: &str, line: &str) {
    let ran = Folder::new().rebut(&format!("enumerate {arguments} --count")).exits(0);
    assert_eq!(ran.stdout, format!("{line}\n"), "{ran}");
}

const SMALL: &str = "--input 'n; a[n] where 1<=n<=2; 0<=a<=3'";

#[test]
fn inputs_are_printed_in_order_of_size() {
    let ran = Folder::new().rebut(&format!("enumerate {SMALL} --limit 6")).exits(0).shows("the first 6 inputs");
    assert_eq!(ran.stdout, "1\n0\n1\n1\n1\n2\n1\n3\n2\n0 0\n2\n0 1\n");
    let ran = Folder::new().rebut(&format!("enumerate {SMALL} --quiet --size 2")).exits(0);
    assert_eq!((&*ran.stdout, &*ran.stderr), ("1\n0\n1\n1\n1\n2\n1\n3\n", ""));
    Folder::new().rebut(&format!("enumerate {SMALL}")).exits(0).shows("all 20 inputs");
}

#[test]
fn inputs_are_counted() {
    counted(SMALL, "all 20 inputs");
    counted(&format!("{SMALL} --size 2"), "all 4 inputs with at most 2 elements");
    counted(&format!("{SMALL} --size 1"), "no inputs with at most 1 element");
    counted(&format!("{SMALL} --where 'n <= 1' --where 'a <= 2'"), "all 3 inputs");
    counted("--input 'n; p[n] where 1<=n<=4; p permutation of 1..n'", "all 33 inputs");
    counted("--input 'n; a[n] where 1<=n<=10^5; 0<=a<=1' --size 11", "all 2,046 inputs with at most 11 elements");
    counted("--input 'n; a[n] where n=99; 0<=a<=9'", &format!("more than {} inputs", counted_largest()));
}

fn counted_largest() -> String {
    rebut_diagnostics::group_thousands(u128::MAX)
}

#[test]
fn inputs_of_a_symmetric_matrix_come_without_delay() {
    // Each of the 500 is one of millions of matrices, most of which are not symmetric.
    let bounds = "1 <= N <= 16; -10^9 <= A <= 10^9; forall i in 1..N: A[i][i] = 0";
    for same in ["symmetric(A)", "forall i in 1..N: forall j in 1..N: A[i][j] = A[j][i]"] {
        let format = format!("N; A[N][N] where {bounds}; {same}");
        let ran = Folder::new().rebut(&format!("enumerate --input '{format}' --limit 500")).exits(0);
        assert!(ran.stdout.starts_with("1\n0\n2\n0 0\n0 0\n2\n0 1\n1 0\n2\n0 -1\n-1 0\n2\n0 2\n2 0\n"), "{ran}");
        assert_eq!(ran.stdout.lines().count(), 2 + 499 * 3, "{ran}");
    }
}

#[test]
fn inputs_become_files_and_events() {
    let folder = Folder::new().file("a.format", "n\na[n]\nwhere:\n    1 <= n <= 2\n    0 <= a <= 3\n");
    folder.rebut("enumerate a.format --out inputs --limit 3").exits(0);
    assert_eq!(folder.names("inputs"), ["1.in", "2.in", "3.in"]);
    assert_eq!(folder.read("inputs/2.in"), "1\n1\n");
    let ran = folder.rebut("enumerate a.format --limit 2 --json -").exits(0);
    let events: Vec<serde_json::Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events.len(), 3, "{ran}");
    assert_eq!(
        (&events[1]["event"], &events[1]["number"], &events[1]["text"]),
        (&"input".into(), &2.into(), &"1\n1\n".into())
    );
    assert_eq!((&events[2]["event"], &events[2]["inputs"]), (&"enumerated".into(), &2.into()));
}

#[test]
fn too_many_inputs_are_refused() {
    let folder = Folder::new();
    for options in ["", " --count"] {
        let ran = folder.rebut(&format!("enumerate --input 'n; a[n] where 1<=n<=10^5; 1<=a<=10^9'{options}")).exits(2);
        assert!(ran.stdout.is_empty(), "{ran}");
        ran.shows_all(&["too many inputs", "--size", "--where", "--limit"]);
    }
    folder.rebut("enumerate --input 'n where 1<=m<=5'").exits(2).shows_all(&["`m`", "^"]);
    folder.rebut("enumerate").exits(2).shows("required");
    folder.rebut(&format!("enumerate {SMALL} --limit 3 --count")).exits(2).shows("cannot be used with");
}

#[test]
fn enumeration_obeys_validators() {
    if !crate::environment::installed(&["python3"]) {
        return;
    }
    let odd = "import sys\nsys.exit(42 if sum(map(int, sys.stdin.read().split()[1:])) % 2 else 43)\n";
    let format = "n\na[n]\nwhere:\n    n = 1\n    0 <= a <= 4\n    validator \"odd.py\"\n";
    let folder = Folder::new().file("a.format", format).file("odd.py", odd);
    let ran = folder.rebut("enumerate a.format").exits(0);
    assert_eq!(ran.stdout, "1\n1\n1\n3\n", "{ran}");
    assert_eq!(folder.rebut("enumerate a.format --count").exits(0).stdout, "all 2 inputs\n");
}

#[test]
fn endless_count_can_be_interrupted() {
    let folder = Folder::new();
    let count = "enumerate --input 'n; p[n] where n=40; p permutation of 1..n' --count";
    let running = folder.typed(count).start();
    std::thread::sleep(std::time::Duration::from_millis(300));
    running.signal(rustix::process::Signal::INT);
    running.finish().exits(130);
}
