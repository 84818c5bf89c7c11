//! Inputs with one violation each: for every format each constraint is broken alone, and the input is refused; and
//! validators that do not notice are exposed.

use crate::environment::{Folder, home, installed};
use rebut_diagnostics::SourceText;
use rebut_format::invalid::{
    BrokenRule, InvalidInput, InvalidInputs, UnbrokenRule, find_refusal, generate_invalid_inputs,
};
use rebut_format::language::Format;
use rebut_format::read::read_input;
use rebut_format::validate::violation_of_constraint;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Maximum size of inputs: larger bounds are violated by their number alone.
const MAX_ELEMENTS: usize = 3_000;

fn parse(path: &PathBuf) -> Format {
    let source = SourceText::new(path.file_name().unwrap().to_string_lossy(), std::fs::read(path).unwrap());
    Format::parse(&source).unwrap().0
}

fn published() -> Vec<Format> {
    let folder = std::fs::read_dir(home().join("testdata/formats/valid")).unwrap();
    let mut paths: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(parse).collect()
}

fn parse_text(text: &str) -> Format {
    Format::parse(&SourceText::new("test", text)).unwrap().0
}

fn invalid_inputs(format: &Format) -> InvalidInputs {
    generate_invalid_inputs(format, 1, MAX_ELEMENTS, &|| false)
        .unwrap_or_else(|f| panic!("{}", f.to_diagnostic().render_text(&format.source)))
}

/// Returns the faults of the inputs that were generated for a format.
fn faults(format: &Format, found: &InvalidInputs) -> Vec<String> {
    let mut faults: Vec<String> = Vec::new();
    let mut add_fault = |input: &InvalidInput, what: String| {
        let text = String::from_utf8_lossy(&input.bytes[..input.bytes.len().min(300)]).into_owned();
        faults.push(format!("{}: {}: {what}\n{text}", format.source.name, input.name));
    };
    let layout = format.without_constraints();
    for input in &found.inputs {
        if find_refusal(format, &input.bytes).is_none() {
            add_fault(input, "it is accepted".to_owned());
        }
        match (&input.broken_rule, read_input(&layout, &input.bytes)) {
            (BrokenRule::Constraint { constraint, also_broken: also }, Ok(value)) => {
                let broken = |i: &usize| violation_of_constraint(format, &value, *i).is_some();
                let broken: Vec<usize> = (0..format.constraints.len()).filter(broken).collect();
                let mut claimed: Vec<usize> = also.iter().copied().chain([*constraint]).collect();
                claimed.sort_unstable();
                if broken != claimed {
                    add_fault(input, format!("it breaks {broken:?}, not {claimed:?}"));
                }
                let span = |i: &usize| format.constraints[*i].span;
                if input.note.is_some() != also.iter().any(|other| span(other) != span(constraint)) {
                    add_fault(input, "its other violations are not reported".to_owned());
                }
            }
            (BrokenRule::Constraint { .. }, Err(_)) => add_fault(input, "its form is broken".to_owned()),
            (BrokenRule::Layout, Ok(value)) if !input.name.ends_with("repetitions") => {
                add_fault(input, format!("its form is fine: {value:?}"));
            }
            _ => {}
        }
        if !input.name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) || input.description.is_empty() {
            add_fault(input, "its name is not a file name, or it is not explained".to_owned());
        }
    }
    let names: BTreeSet<String> = found.inputs.iter().map(|input| input.name.to_lowercase()).collect();
    if names.len() != found.inputs.len() {
        faults.push(format!("{}: two inputs have one name", format.source.name));
    }
    faults
}

/// Returns the constraints that no input and no message is about.
fn unmentioned_constraints(format: &Format, found: &InvalidInputs) -> Vec<String> {
    let is_broken = |i: &usize| {
        found.inputs.iter().any(|input| match &input.broken_rule {
            // One line about edges declares several constraints.
            BrokenRule::Constraint { constraint, .. } | BrokenRule::AnnouncedSize(constraint) => {
                format.constraints[*constraint].span == format.constraints[*i].span
            }
            BrokenRule::Layout => false,
        })
    };
    let silent = (0..format.constraints.len()).filter(|i| !is_broken(i));
    let text = |i: usize| format.source_text(format.constraints[i].span);
    silent
        .filter(|i| !found.unbroken.iter().any(|u| u.reason.contains(&text(*i))))
        .map(|i| format!("{}: {}", format.source.name, text(i)))
        .collect()
}

/// Breaks every constraint of some formats and checks each input.
fn check_violations(formats: &[Format]) {
    let mut wrong = Vec::new();
    let (mut constraints, mut alone, mut implied, mut without) = (0, 0, 0, Vec::new());
    for format in formats {
        let found = invalid_inputs(format);
        wrong.extend(faults(format, &found));
        wrong.extend(unmentioned_constraints(format, &found));
        constraints += format.constraints.len();
        for input in &found.inputs {
            match &input.broken_rule {
                BrokenRule::Constraint { .. } if input.note.is_none() => alone += 1,
                BrokenRule::Constraint { .. } => implied += 1,
                _ => {}
            }
        }
        let named = |u: &UnbrokenRule| format!("{}: {}: {}", format.source.name, u.name, u.reason);
        without.extend(found.unbroken.iter().filter(|u| u.reason.starts_with("no input")).map(named));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(alone > constraints / 3 && implied * 5 < alone, "{constraints} {alone} {implied}");
    assert!(without.len() * 50 < constraints, "too much is never broken: {without:#?}");
}

/// Returns every fourth format.
fn every_fourth(number: usize) -> Vec<Format> {
    published().into_iter().skip(number).step_by(4).collect()
}

#[test]
fn violations_of_published_formats_are_refused_1() {
    check_violations(&every_fourth(0));
}

#[test]
fn violations_of_published_formats_are_refused_2() {
    check_violations(&every_fourth(1));
}

#[test]
fn violations_of_published_formats_are_refused_3() {
    check_violations(&every_fourth(2));
}

#[test]
fn violations_of_published_formats_are_refused_4() {
    check_violations(&every_fourth(3));
}

#[test]
fn same_seed_gives_the_same_inputs() {
    for format in every_fourth(1).iter().step_by(3) {
        assert_eq!(invalid_inputs(format), invalid_inputs(format), "{}", format.source.name);
    }
}

/// Returns the input with this name.
#[track_caller]
fn text(format: &str, name: &str) -> String {
    let found = invalid_inputs(&parse_text(format));
    let names: Vec<&str> = found.inputs.iter().map(|input| input.name.as_str()).collect();
    let input = found.inputs.iter().find(|input| input.name == name);
    let input = input.unwrap_or_else(|| panic!("no {name} in {names:?}, {:?}", found.unbroken));
    String::from_utf8_lossy(&input.bytes).into_owned()
}

#[test]
fn violations_are_minimal() {
    let array = "n\na[n]\nwhere:\n    1 <= n <= 5\n    1 <= a <= 100\n    distinct(a)\n";
    let range = "n\nl r\nwhere:\n    1 <= n <= 10\n    1 <= l <= r <= n\n";
    let sum = "n\na[n]\nwhere:\n    1 <= n <= 9\n    0 <= a <= 50\n    sum(a) <= 60\n";
    let sorted = "n\na[n]\nwhere:\n    2 <= n <= 5\n    0 <= a <= 9\n    sorted(a)\n";
    let board = "r c\nboard[r][c]\nwhere:\n    1 <= r, c <= 3\n    board over \".#S\"\n    count(board, 'S') = 1\n";
    let real = "x\nwhere:\n    x real, 0 <= x <= 1, 2 decimals\n";
    let tree = "n\nrepeat n-1:\n    u v\nwhere:\n    2 <= n <= 9\n    edges (u, v) on 1..n: tree\n";
    let cases: &[(&str, &str, &str)] = &[
        (array, "n-below-1", "0\n\n"),
        (array, "n-above-5", "6\n1 2 3 4 5 6\n"),
        (array, "a-below-1", "1\n0\n"),
        (array, "a-above-100", "1\n101\n"),
        (array, "a-not-distinct", "2\n1 1\n"),
        (range, "l-below-1", "1\n0 1\n"),
        (range, "l-above-r", "1\n2 1\n"),
        (range, "r-above-n", "1\n1 2\n"),
        (sum, "sum-of-a-above-60", "2\n11 50\n"),
        (sorted, "a-not-sorted", "2\n1 0\n"),
        (board, "count-of-S-in-board-above-1", "1 2\nSS\n"),
        (board, "count-of-S-in-board-below-1", "1 1\n.\n"),
        (real, "x-below-0", "-0.01\n"),
        (real, "x-above-1", "1.01\n"),
        (tree, "edges-loop", "2\n1 1\n"),
        ("a b\nwhere:\n    1 <= a, b <= 9\n    a != b\n", "a-equals-b", "1 1\n"),
        ("a b\nwhere:\n    1 <= a, b <= 9\n    a < b\n", "a-not-below-b", "2 2\n"),
        ("p\nwhere:\n    2 <= p <= 9\n    prime(p)\n", "p-not-prime", "4\n"),
    ];
    for (format, name, expected) in cases {
        assert_eq!(text(format, name), *expected, "{name}");
    }
}

#[test]
fn implied_constraints_are_reported_as_implied() {
    let format = parse_text("n\nwhere:\n    1 <= n <= 9\n    2 <= n\n");
    let found = invalid_inputs(&format);
    let input = found.inputs.iter().find(|input| input.name == "n-below-1").unwrap();
    assert_eq!(input.note.as_deref(), Some("cannot be violated alone: implied by `2 <= n`"));
    assert_eq!(input.bytes, b"0\n");
}

#[test]
fn search_can_be_stopped() {
    let format = parse_text("n\na[n]\nwhere:\n    1 <= n <= 5\n    1 <= a <= 100\n    distinct(a)\n");
    let found = |most: usize| {
        let calls = Cell::new(0);
        let stop = || calls.replace(calls.get() + 1) >= most;
        let found = generate_invalid_inputs(&format, 1, MAX_ELEMENTS, &stop).unwrap();
        assert!(calls.get() < most + 500, "it continued for {} calls", calls.get() - most);
        found.inputs.len()
    };
    assert_eq!(found(0), 0);
    assert!((1..invalid_inputs(&format).inputs.len()).contains(&found(100)));
}

/// Reads two numbers regardless of white space, and checks one bound only.
const SLOPPY: &str = "\
import sys
n, k = map(int, sys.stdin.read().split()[:2])
sys.exit(42 if 1 <= n <= 9 else 43)
";

/// Checks every byte.
const STRICT: &str = "\
import re, sys
text = sys.stdin.buffer.read()
match = re.fullmatch(rb'([1-9]) ([1-9])\\n', text)
sys.exit(42 if match and int(match[2]) <= int(match[1]) else 43)
";

const FORMAT: &str = "n k\nwhere:\n    1 <= k <= n <= 9\n";

#[test]
fn sloppy_validator_is_exposed_and_strict_one_is_not() {
    if !installed(&["python3"]) {
        return;
    }
    let package = |validator: &str| {
        Folder::new()
            .file("p/problem.yaml", "name: numbers\n")
            .file("p/input.format", FORMAT)
            .file("p/input_validators/v.py", validator)
    };
    let ran = package(SLOPPY).rebut("generate p --invalid").exits(1);
    let exposed = ["k-above-n", "trailing-space", "crlf", "text-after-end", "leading-zero-k"];
    for name in exposed {
        assert!(ran.stdout.contains(&format!("v.py` accepts `{name}`")), "{name}: {ran}");
    }
    assert!(!ran.stdout.contains("accepts `n-above-9`"), "{ran}");
    package(STRICT).rebut("generate p --invalid").exits(0).hides("exposed");
}

#[test]
fn files_and_an_index_are_written() {
    let folder = Folder::new().file("a.format", FORMAT);
    let listing = folder.rebut("generate a.format --invalid").exits(0).stdout;
    folder.rebut("generate a.format --invalid --out bad").exits(0);
    let names = folder.names("bad");
    assert!(names.contains(&"k-above-n.in".to_owned()) && names.contains(&"crlf.in".to_owned()), "{names:?}");
    assert_eq!(folder.read("bad/k-above-n.in"), "1 2\n");
    assert!(folder.read("bad/index.txt").starts_with(&listing));
    let index: serde_json::Value = serde_json::from_str(&folder.read("bad/index.json")).unwrap();
    let entries = index.as_array().unwrap();
    assert_eq!(entries.len() + 2, names.len());
    let entry = entries.iter().find(|e| e["name"] == "k-above-n").unwrap();
    assert_eq!(entry["file"], "k-above-n.in");
    assert_eq!(entry["constraint"], "k <= n");
    assert!(entry["message"].as_str().unwrap().contains("`k <= n` does not hold"));
    for name in names.iter().filter(|name| name.ends_with(".in")) {
        folder.rebut(&format!("validate a.format bad/{name}")).exits(1);
    }
    folder.rebut("generate a.format --invalid --count 3").exits(2).shows("--count");
}

#[test]
fn product_bounds_are_exceeded_by_one() {
    let board = "T\ncases T:\n    N M\n    b[N][M]\nwhere:\n    1 <= T <= 100\n    1 <= N, M <= 15\n    N * M <= 20\n    \
                 sum(N * M) <= 500\n    b over \".#\"\n";
    let rows = "T\ncases T:\n    N M\n    repeat N:\n        a[M]\nwhere:\n    1 <= T <= 10^4\n    1 <= N, M <= 100\n    \
                sum(N * M) <= 1000\n    0 <= a <= 1\n";
    for (format, name, sides) in [
        (board, "sum-of-N-times-M-above-500", "501 and 500"),
        (board, "N-times-M-above-20", "21 and 20"),
        (rows, "sum-of-N-times-M-above-1000", "1001 and 1000"),
    ] {
        let found = invalid_inputs(&parse_text(format));
        let input = found.inputs.iter().find(|input| input.name == name);
        let input = input.unwrap_or_else(|| panic!("no {name}: {:?}", found.unbroken));
        assert!(input.description.ends_with(sides) && input.note.is_none(), "{}: {:?}", input.description, input.note);
    }
}

#[test]
fn timed_out_search_reports_what_was_not_tried() {
    // To check a large array takes more than that time on any machine, and the inputs that need no search do not.
    let sums = "n; a[n] where 1<=n<=500; 0<=a<=9; \
                forall i in 1..n: forall j in 1..n: forall k in 1..n: a[i] + a[j] + a[k] <= 27";
    let run = Folder::new().rebut(&format!("generate -i '{sums}' --invalid --time 300ms")).exits(0);
    assert!(run.stderr.contains(" to break a constraint were not tried within 0.3 s"), "{}", run.stderr);
    assert!(run.stderr.contains("`--time` sets the time limit of the search"), "{}", run.stderr);
    assert!(run.stdout.contains("trailing"), "{}", run.stdout);
}
