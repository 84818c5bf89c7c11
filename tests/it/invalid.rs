//! Inputs with one thing wrong: for every format all that can be broken is broken, alone, and is refused; and a
//! validator that does not see it is exposed.

use crate::environment::{Folder, home, installed};
use rebut::diagnostic::Source;
use rebut::format::Format;
use rebut::invalid::{Breaks, Invalid, Invalids, Unbroken, invalids, refusal};
use rebut::read::read;
use rebut::validate::violation_of;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Inputs are kept small here: larger bounds are broken by their number alone.
const MOST_ELEMENTS: usize = 3_000;

fn parse(path: &PathBuf) -> Format {
    let source = Source::new(path.file_name().unwrap().to_string_lossy(), std::fs::read(path).unwrap());
    Format::parse(&source).unwrap().0
}

fn published() -> Vec<Format> {
    let folder = std::fs::read_dir(home().join("testdata/formats/valid")).unwrap();
    let mut paths: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(parse).collect()
}

fn written(text: &str) -> Format {
    Format::parse(&Source::new("test", text)).unwrap().0
}

fn made(format: &Format) -> Invalids {
    invalids(format, 1, MOST_ELEMENTS, &|| false)
        .unwrap_or_else(|f| panic!("{}", f.diagnostic().render(&format.source)))
}

/// Everything that is wrong with what was made for a format.
fn faults(format: &Format, found: &Invalids) -> Vec<String> {
    let mut faults: Vec<String> = Vec::new();
    let mut told = |input: &Invalid, what: String| {
        let text = String::from_utf8_lossy(&input.bytes[..input.bytes.len().min(300)]).into_owned();
        faults.push(format!("{}: {}: {what}\n{text}", format.source.name, input.name));
    };
    let layout = format.without_constraints();
    for input in &found.inputs {
        if refusal(format, &input.bytes).is_none() {
            told(input, "it is accepted".to_owned());
        }
        match (&input.breaks, read(&layout, &input.bytes)) {
            (Breaks::Constraint { constraint, also }, Ok(value)) => {
                let broken = |i: &usize| violation_of(format, &value, *i).is_some();
                let broken: Vec<usize> = (0..format.constraints.len()).filter(broken).collect();
                let mut claimed: Vec<usize> = also.iter().copied().chain([*constraint]).collect();
                claimed.sort_unstable();
                if broken != claimed {
                    told(input, format!("it breaks {broken:?}, not {claimed:?}"));
                }
                let span = |i: &usize| format.constraints[*i].span;
                if input.note.is_some() != also.iter().any(|other| span(other) != span(constraint)) {
                    told(input, "what is broken besides has to be told".to_owned());
                }
            }
            (Breaks::Constraint { .. }, Err(_)) => told(input, "its form is broken".to_owned()),
            (Breaks::Layout, Ok(value)) if !input.name.ends_with("repetitions") => {
                told(input, format!("its form is fine: {value:?}"));
            }
            _ => {}
        }
        if !input.name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) || input.what.is_empty() {
            told(input, "its name is none of a file, or it is not explained".to_owned());
        }
    }
    let names: BTreeSet<String> = found.inputs.iter().map(|input| input.name.to_lowercase()).collect();
    if names.len() != found.inputs.len() {
        faults.push(format!("{}: two inputs have one name", format.source.name));
    }
    faults
}

/// The constraints that nothing is said about.
fn forgotten(format: &Format, found: &Invalids) -> Vec<String> {
    let is_broken = |i: &usize| {
        found.inputs.iter().any(|input| match &input.breaks {
            // What a line about edges asks for is several constraints.
            Breaks::Constraint { constraint, .. } | Breaks::Announced(constraint) => {
                format.constraints[*constraint].span == format.constraints[*i].span
            }
            Breaks::Layout => false,
        })
    };
    let silent = (0..format.constraints.len()).filter(|i| !is_broken(i));
    let text = |i: usize| format.text(format.constraints[i].span);
    silent
        .filter(|i| !found.unbroken.iter().any(|u| u.reason.contains(&text(*i))))
        .map(|i| format!("{}: {}", format.source.name, text(i)))
        .collect()
}

/// Breaks all that can be broken of some formats, and looks at every input.
fn everything_is_broken(formats: &[Format]) {
    let mut wrong = Vec::new();
    let (mut constraints, mut alone, mut implied, mut without) = (0, 0, 0, Vec::new());
    for format in formats {
        let found = made(format);
        wrong.extend(faults(format, &found));
        wrong.extend(forgotten(format, &found));
        constraints += format.constraints.len();
        for input in &found.inputs {
            match &input.breaks {
                Breaks::Constraint { .. } if input.note.is_none() => alone += 1,
                Breaks::Constraint { .. } => implied += 1,
                _ => {}
            }
        }
        let named = |u: &Unbroken| format!("{}: {}: {}", format.source.name, u.name, u.reason);
        without.extend(found.unbroken.iter().filter(|u| u.reason.starts_with("no input")).map(named));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(alone > constraints / 3 && implied * 5 < alone, "{constraints} {alone} {implied}");
    assert!(without.len() * 50 < constraints, "too much is never broken: {without:#?}");
}

/// Every fourth of the formats.
fn fourth(number: usize) -> Vec<Format> {
    published().into_iter().skip(number).step_by(4).collect()
}

#[test]
fn everything_about_every_format_is_broken_alone_and_refused_1() {
    everything_is_broken(&fourth(0));
}

#[test]
fn everything_about_every_format_is_broken_alone_and_refused_2() {
    everything_is_broken(&fourth(1));
}

#[test]
fn everything_about_every_format_is_broken_alone_and_refused_3() {
    everything_is_broken(&fourth(2));
}

#[test]
fn everything_about_every_format_is_broken_alone_and_refused_4() {
    everything_is_broken(&fourth(3));
}

#[test]
fn the_same_seed_makes_the_same_inputs() {
    for format in fourth(1).iter().step_by(3) {
        assert_eq!(made(format), made(format), "{}", format.source.name);
    }
}

/// The text of the input of that name.
#[track_caller]
fn text(format: &str, name: &str) -> String {
    let found = made(&written(format));
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
    ];
    for (format, name, expected) in cases {
        assert_eq!(text(format, name), *expected, "{name}");
    }
}

#[test]
fn what_another_constraint_implies_is_said_to_be_implied() {
    let format = written("n\nwhere:\n    1 <= n <= 9\n    2 <= n\n");
    let found = made(&format);
    let input = found.inputs.iter().find(|input| input.name == "n-below-1").unwrap();
    assert_eq!(input.note.as_deref(), Some("cannot be broken alone: implied by `2 <= n`"));
    assert_eq!(input.bytes, b"0\n");
}

#[test]
fn a_search_that_is_to_stop_does() {
    let format = written("n\na[n]\nwhere:\n    1 <= n <= 5\n    1 <= a <= 100\n    distinct(a)\n");
    let found = |most: usize| {
        let asked = Cell::new(0);
        let stop = || asked.replace(asked.get() + 1) >= most;
        let found = invalids(&format, 1, MOST_ELEMENTS, &stop).unwrap();
        assert!(asked.get() < most + 500, "it went on for {} questions", asked.get() - most);
        found.inputs.len()
    };
    assert_eq!(found(0), 0);
    assert!((1..made(&format).inputs.len()).contains(&found(100)));
}

/// Reads two numbers, however they stand, and looks at nothing but a bound.
const SLOPPY: &str = "\
import sys
n, k = map(int, sys.stdin.read().split()[:2])
sys.exit(42 if 1 <= n <= 9 else 43)
";

/// Looks at every byte.
const STRICT: &str = "\
import re, sys
text = sys.stdin.buffer.read()
match = re.fullmatch(rb'([1-9]) ([1-9])\\n', text)
sys.exit(42 if match and int(match[2]) <= int(match[1]) else 43)
";

const FORMAT: &str = "n k\nwhere:\n    1 <= k <= n <= 9\n";

#[test]
fn a_sloppy_validator_is_exposed_and_a_strict_one_is_not() {
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
fn budgets_of_products_are_exceeded_by_one() {
    let board = "T\ncases T:\n    N M\n    b[N][M]\nwhere:\n    1 <= T <= 100\n    1 <= N, M <= 15\n    N * M <= 20\n    \
                 sum(N * M) <= 500\n    b over \".#\"\n";
    let rows = "T\ncases T:\n    N M\n    repeat N:\n        a[M]\nwhere:\n    1 <= T <= 10^4\n    1 <= N, M <= 100\n    \
                sum(N * M) <= 1000\n    0 <= a <= 1\n";
    for (format, name, sides) in [
        (board, "sum-of-N-times-M-above-500", "501 and 500"),
        (board, "N-times-M-above-20", "21 and 20"),
        (rows, "sum-of-N-times-M-above-1000", "1001 and 1000"),
    ] {
        let found = made(&written(format));
        let input = found.inputs.iter().find(|input| input.name == name);
        let input = input.unwrap_or_else(|| panic!("no {name}: {:?}", found.unbroken));
        assert!(input.what.ends_with(sides) && input.note.is_none(), "{}: {:?}", input.what, input.note);
    }
}
