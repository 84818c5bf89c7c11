//! Properties of texts and polygons, through all modules that use them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use crate::coverage::{Coverage, CoverageGoalKind};
use crate::describe::{Markup, describe_format};
use crate::enumerate::Enumerator;
use crate::generate::GenerationPlan;
use crate::invalid::{BrokenRule, generate_invalid_inputs};
use crate::language::Format;
use crate::read::read_input;
use crate::validate::{explain_violation, find_violation};
use crate::{generate_input, shrink_input};
use rebut_diagnostics::SourceText;

const BRACKETS: &str = "n; repeat n: s where 1 <= n <= 4; s over \"()[]\"; 1 <= len(s) <= 12; balanced(s)";
const FIXED_LENGTH: &str = "n; s[n] where 1 <= n <= 40; s over \"(){}x\"; balanced(s)";
const EVEN_LENGTH: &str = "n; s[n] where 1 <= n <= 40; s over \"()\"; balanced(s)";
const BOARD: &str =
    "R C; board[R][C] where 1 <= R, C <= 9; board over \".#S\"; count(board, 'S') = 1; connected(board, \".S\")";

fn format(text: &str) -> Format {
    Format::from_text(text).unwrap()
}

#[test]
fn inputs_with_properties_are_generated_and_reach_all_goals() {
    for text in [BRACKETS, FIXED_LENGTH, EVEN_LENGTH, BOARD.replace("count(board, 'S') = 1; ", "").as_str(), BOARD] {
        let format = format(text);
        let mut coverage = Coverage::new(&format);
        for seed in 0..300 {
            let input = generate_input(&format, seed).unwrap();
            coverage.count_input(&read_input(&format, &input).unwrap());
        }
        let goals: Vec<_> = coverage.goals().filter(|goal| goal.kind == CoverageGoalKind::Structure).collect();
        // A count of letters may rule out any of them.
        assert_eq!(goals.is_empty(), text == BOARD, "{text}");
        let missed: Vec<_> = goals.iter().filter(|goal| goal.inputs == 0).collect();
        assert!(missed.is_empty(), "{text}: {missed:?}");
    }
}

#[test]
fn violations_say_how_values_relate() {
    for (text, input, expected) in [
        (
            "n; V[n][n] where 1<=n<=3; 0<=V<=9; forall i in 1..n: distinct(V[i])",
            "2\n1 2\n3 3\n",
            "i = 2: a value occurs twice",
        ),
        (
            "n; V[n][n] where 1<=n<=3; 0<=V<=9; forall j in 1..n: distinct(V[1..n][j])",
            "2\n1 2\n3 2\n",
            "j = 2: a value occurs twice",
        ),
        ("n; a[n] where 1<=n<=3; 0<=a<=9; distinct(a) = 2", "3\n1 1 1\n", "1 and 2"),
        ("n; p[n] where 1<=n<=3; p permutation of 1..n; inversions(p) <= 1", "3\n3 1 2\n", "2 and 1"),
        ("n; p[n] where 1<=n<=3; p permutation of 1..n; cycles(p) = 1", "3\n2 1 3\n", "2 and 1"),
        (
            "n; repeat n-1: u v where 2<=n<=5; edges (u, v) on 1..n: tree, depth <= 1",
            "3\n1 2\n3 2\n",
            "the depth of the tree is 2",
        ),
        (
            "n; p[n-1] where 2<=n<=5; parents p of 1..n-1 on 1..n: tree, depth 2..3",
            "3\n3 3\n",
            "the depth of the tree is 1",
        ),
    ] {
        let format = format(text);
        let value = read_input(&format, input.as_bytes()).unwrap();
        assert_eq!(find_violation(&format, &value).unwrap().sides, expected, "{text}");
    }
}

#[test]
fn what_cannot_relate_is_refused() {
    for (text, code) in [
        ("n; a[n]; s where 1<=n<=3; 0<=a<=9; s over \"ab\"; len(s) <= 3; disjoint(a, s)", "disjoint-what"),
        ("n; V[n][n]; a[n] where 1<=n<=3; 0<=V,a<=9; disjoint(V, a)", "disjoint-what"),
        ("n; a[n] where 1<=n<=3; 0<=a<=9; disjoint(a)", "arguments"),
        ("n; words[n][] where 1<=n<=3; words over \"ab\"; len(words) <= 3; distinct(words) = 2", "text-as-number"),
        ("n; repeat n-1: u v where 2<=n<=5; edges (u, v) on 1..n: depth <= 3", "adjective"),
        ("n; repeat n-1: u v where 2<=n<=5; edges (u, v) on 1..n: tree, depth 3..2", "not-constant"),
        ("n; repeat n-1: u v where 2<=n<=5; edges (u, v) on 1..n: tree, depth <= 3, degree <= 3", "adjective"),
        ("n; a[n]; repeat a[1]: x where 1<=n<=3; 0<=a,x<=9", "bad-size"),
        ("n; a[n]; b[sum(a)] where 1<=n<=3; 0<=a,b<=9", "bad-size"),
    ] {
        let problems = Format::parse(&SourceText::new("f", text)).unwrap_err();
        assert_eq!(problems[0].code, code, "{text}: {problems:?}");
    }
}

#[test]
fn violations_are_located() {
    let explain = |text: &str, input: &str| {
        let format = format(text);
        let value = read_input(&format, input.as_bytes()).unwrap();
        let problem = explain_violation(&format, &value, &find_violation(&format, &value).unwrap());
        (problem.message, input[problem.span.start..].to_owned(), problem.caret)
    };
    let (message, rest, caret) = explain(BRACKETS, "2\n()\n([)]\n");
    assert_eq!((&*message, &*rest, &*caret), ("`balanced(s)` does not hold", ")]\n", "`)` closes `[`"));
    let (message, rest, caret) = explain(BOARD, "2 3\n.S#\n##.\n");
    assert_eq!((&*message, &*rest), ("`connected(board, \".S\")` does not hold", ".\n"));
    assert_eq!(caret, "row 2 column 3 cannot be reached from row 1 column 1");
}

#[test]
fn lengths_of_no_texts_are_free() {
    for (text, free, wrong) in [
        ("n m; repeat n: s[m] where 0 <= n <= 2; 1 <= m <= 4; s over \"()\"; balanced(s)", "0 3\n", "1 3\n)()\n"),
        ("d m; u[d][m] where 0 <= d <= 2; 1 <= m <= 4; u over \"()\"; balanced(u)", "0 3\n", "1 3\n)()\n"),
    ] {
        let format = format(text);
        let is_valid = |input: &str| {
            read_input(&format, input.as_bytes()).is_ok_and(|value| find_violation(&format, &value).is_none())
        };
        assert!(is_valid(free) && !is_valid(wrong), "{text}");
        assert!((0..50).all(|seed| generate_input(&format, seed).is_ok()), "{text}");
        let plan = GenerationPlan::new(&format);
        let enumerated: Vec<Vec<u8>> =
            Enumerator::new(&plan, 4, &|| false).map(|value| crate::print::print_value(&format, &value)).collect();
        assert!(enumerated.contains(&free.as_bytes().to_vec()), "{text}: {enumerated:?}");
    }
}

#[test]
fn shrunk_inputs_keep_properties() {
    let brackets = format(BRACKETS);
    let nested = |input: &[u8]| input.windows(2).any(|pair| pair == b"[(");
    assert_eq!(shrink_input(&brackets, b"2\n()[]\n([(())]())[]\n", nested).unwrap(), b"1\n[()]\n");
    let board = format(BOARD);
    let corners = |input: &[u8]| input.iter().filter(|cell| **cell == b'.').count() >= 3;
    let shrunk = shrink_input(&board, b"3 4\n#..#\n.S#.\n....\n", corners).unwrap();
    assert!(matches!(&shrunk[..], b"1 4\n...S\n" | b"2 2\n..\n.S\n" | b"1 4\nS...\n"), "{shrunk:?}");
}

#[test]
fn inputs_with_related_values_shrink_to_valid_ones() {
    for (text, input, sign, expected) in [
        // The repetitions that lose their letter go, and those that stay are as simple as possible.
        (
            "s; repeat count(s, '?'): x where s over \"a?\"; 1 <= len(s) <= 9; 0 <= x <= 9",
            "a?a??\n3\n7\n2\n",
            b'7',
            &["?\n7\n"][..],
        ),
        (
            "n; p[n] where 1 <= n <= 9; p permutation of 1..n; cycles(p) = 1",
            "6\n3 6 5 1 2 4\n",
            b'4',
            &["4\n2 3 4 1\n", "4\n2 4 1 3\n", "4\n3 1 4 2\n", "4\n3 4 2 1\n", "4\n4 1 2 3\n", "4\n4 3 1 2\n"],
        ),
        (
            "n; repeat n-1: u v where 3 <= n <= 9; edges (u, v) on 1..n: tree, depth 2..3",
            "6\n1 2\n2 3\n3 4\n1 5\n5 6\n",
            b'3',
            &["3\n1 2\n2 3\n", "3\n1 2\n3 2\n", "3\n1 3\n2 3\n", "3\n1 3\n3 2\n", "3\n2 1\n2 3\n", "3\n2 1\n3 2\n"],
        ),
    ] {
        let format = format(text);
        let shrunk = shrink_input(&format, input.as_bytes(), |input| input.contains(&sign)).unwrap();
        let shrunk = String::from_utf8(shrunk).unwrap();
        assert!(expected.contains(&&*shrunk), "{text}: {shrunk}");
        assert_eq!(find_violation(&format, &read_input(&format, shrunk.as_bytes()).unwrap()), None, "{shrunk}");
    }
}

#[test]
fn invalid_inputs_break_nothing_else() {
    for (text, name) in [(BRACKETS, "s-not-balanced"), (FIXED_LENGTH, "s-not-balanced"), (BOARD, "board-not-connected")]
    {
        let format = format(text);
        let invalid = generate_invalid_inputs(&format, 1, 100, &|| false).unwrap();
        let input = invalid.inputs.iter().find(|input| input.name == name).unwrap();
        let is_alone =
            matches!(&input.broken_rule, BrokenRule::Constraint { also_broken, .. } if also_broken.is_empty());
        assert!(is_alone, "{input:?}");
    }
}

#[test]
fn statements_describe_properties() {
    let statement = |text: &str| describe_format(&format(text), Markup::Markdown);
    assert!(!statement(EVEN_LENGTH).contains("bmod"), "{}", statement(EVEN_LENGTH));
    assert!(statement(BRACKETS).contains("$s$ is a balanced bracket sequence."), "{}", statement(BRACKETS));
    let board = statement(BOARD);
    assert!(board.contains("The cells of $\\mathit{board}$ that are `.` or `S` are connected by"), "{board}");
}

const POLYGON: &str = "n; repeat n: x y where 3 <= n <= 30; -20 <= x, y <= 20; polygon (x, y)";

/// Returns the format of a polygon with these properties, with up to `n` corners on a grid of `side` points a side.
fn polygon(properties: &str, n: usize, side: usize) -> Format {
    let text =
        POLYGON.replace("<= 30", &format!("<= {n}")).replace("-20", "0").replace("<= 20", &format!("<= {}", side - 1));
    format(&format!("{text}{properties}"))
}

#[test]
fn polygons_are_generated_and_reach_all_goals() {
    for (properties, expected) in
        [("", 4), (": convex", 3), (": no straight angles, clockwise", 1), (": strictly convex, counterclockwise", 0)]
    {
        let format = format(&format!("{POLYGON}{properties}"));
        let mut coverage = Coverage::new(&format);
        for seed in 0..100 {
            let input = generate_input(&format, seed).unwrap();
            coverage.count_input(&read_input(&format, &input).unwrap());
        }
        let goals: Vec<_> = coverage.goals().filter(|goal| goal.kind == CoverageGoalKind::Structure).collect();
        assert_eq!(goals.len(), expected, "{goals:?}");
        assert!(goals.iter().all(|goal| goal.inputs > 0), "{goals:?}");
    }
}

#[test]
fn all_small_polygons_are_enumerated() {
    let count = |properties: &str, n: usize, side: usize| {
        let format = polygon(properties, n, side);
        let plan = GenerationPlan::new(&format);
        Enumerator::new(&plan, 2 * n + 1, &|| false).count()
    };
    // 9 * 8 * 7 triples of points, less 8 lines of three in 6 orders.
    assert_eq!(count("", 3, 3), 456);
    assert_eq!(count(": clockwise", 3, 3), 228);
    // 24 triangles, and the square from each corner in both orders.
    assert_eq!(count("", 4, 2), 24 + 8);
    assert_eq!(count(": convex", 4, 2), 24 + 8);
}

#[test]
fn faults_of_polygons_are_located() {
    let explain = |properties: &str, input: &str| {
        let format = format(&format!("{POLYGON}{properties}"));
        let value = read_input(&format, input.as_bytes()).unwrap();
        explain_violation(&format, &value, &find_violation(&format, &value).unwrap()).caret
    };
    assert_eq!(
        explain("", "4\n0 0\n2 2\n2 0\n0 2\n"),
        "the side from corner 1 to 2 and the side from corner 3 to 4 meet"
    );
    assert_eq!(explain("", "3\n0 0\n2 2\n0 0\n"), "corners 3 and 1 are equal");
    assert_eq!(
        explain(": convex", "4\n0 0\n4 0\n1 1\n0 4\n"),
        "the angle inside at corner 3 is larger than a straight one"
    );
    assert_eq!(explain(": no straight angles", "4\n0 0\n2 0\n4 0\n0 4\n"), "the angle at corner 2 is straight");
    assert_eq!(explain(": clockwise", "3\n0 0\n1 0\n0 1\n"), "the corners are in the other order");
}

#[test]
fn each_property_of_a_polygon_is_violated_by_itself() {
    let format = format(&format!("{POLYGON}: strictly convex, clockwise"));
    let invalid = generate_invalid_inputs(&format, 1, 100, &|| false).unwrap();
    for way in ["crossing", "reflex-angle", "straight-angle", "other-order"] {
        let name = format!("polygon-x-y-{way}");
        let input = invalid.inputs.iter().find(|input| input.name == name).unwrap_or_else(|| panic!("no {name}"));
        assert!(read_input(&format, &input.bytes).is_ok_and(|value| find_violation(&format, &value).is_some()));
    }
}

#[test]
fn polygons_shrink_to_the_fewest_corners() {
    let format = format(POLYGON);
    let has_reflex_angle = |input: &[u8]| {
        let convex = self::format(&format!("{POLYGON}: convex"));
        find_violation(&convex, &read_input(&convex, input).unwrap()).is_some()
    };
    let start = (0..).map(|seed| generate_input(&format, seed).unwrap()).find(|input| has_reflex_angle(input)).unwrap();
    let shrunk = String::from_utf8(shrink_input(&format, &start, has_reflex_angle).unwrap()).unwrap();
    assert!(shrunk.starts_with("4\n"), "{shrunk}");
    assert!(!shrunk.contains(|c: char| c.is_ascii_digit() && c > '4'), "{shrunk}");
}

#[test]
fn statements_describe_polygons() {
    let statement = describe_format(&format(&format!("{POLYGON}: strictly convex, clockwise")), Markup::Markdown);
    let sentence = "The points $(x, y)$ are the corners of a convex polygon in clockwise order; no three consecutive \
                    ones are on a line.";
    assert!(statement.contains(sentence), "{statement}");
    assert!(!statement.contains("10^{18}"), "{statement}");
}
