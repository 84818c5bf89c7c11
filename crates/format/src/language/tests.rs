#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
use super::*;
use crate::read::read_input;
use crate::validate::find_violation;

fn test_source(text: &str) -> SourceText {
    SourceText::new("f", text)
}

#[test]
fn reads_the_shapes_of_the_language() {
    let text = "T\ncases T:\n  N Ax Ay Bx By\n  V[N][N]\n  s[N]\nwhere:\n  1 <= T <= 60\n  2 <= N <= 300\n  1 <= Ax, Ay, Bx, By <= N\n  (Ax, Ay) != (Bx, By)\n  1 <= V <= 10^9\n  s over \"a-c\"\n  sum(N) <= 300\n";
    let (format, warnings) = Format::parse(&test_source(text)).unwrap();
    assert!(warnings.is_empty());
    assert_eq!(format.blocks.len(), 2);
    let range = |name: &str| format.field(format.field_named(name).unwrap()).range;
    assert_eq!(range("Ax"), Interval::new(1, 300));
    assert_eq!(range("V"), Interval::new(1, 1_000_000_000));
    assert_eq!(range("T"), Interval::new(1, 60));
    assert_eq!(format.cases_block(), Some(BlockId(1)));
}

#[test]
fn one_line_format_equals_format_file() {
    let inline = Format::parse(&test_source("n; a[n] where 1<=n<=8; -9<=a<=9")).unwrap().0;
    let file = Format::parse(&test_source("n\na[n]\nwhere:\n  1<=n<=8\n  -9<=a<=9\n")).unwrap().0;
    assert_eq!(inline.blocks[0].items, file.blocks[0].items);
    let nested = Format::parse(&test_source("t; cases t: n; a[n] where 1<=t,n<=8; 0<=a<=9")).unwrap().0;
    assert_eq!(nested.blocks[1].items.len(), 2);
}

#[test]
fn words_are_what_the_quotes_hold() {
    let text = r##"op where op one of "<", "-1", "+5", "3rd", "a\"b", "#", "{x}", "a-z", "\-", "\\-", "c\\d", "it's", "where""##;
    let format = Format::parse(&test_source(text)).unwrap().0;
    let words: Vec<&[u8]> = format.fields[0].word_choices().unwrap().iter().map(Vec::as_slice).collect();
    let expected: [&[u8]; 13] =
        [b"<", b"-1", b"+5", b"3rd", b"a\"b", b"#", b"{x}", b"a-z", b"-", b"\\-", b"c\\d", b"it's", b"where"];
    assert_eq!(words, expected);
    for (word, why) in [("", "at least one"), ("a b", "separates tokens"), ("\u{e9}", "visible ASCII")] {
        let problems = Format::parse(&test_source(&format!("op where op one of \"{word}\""))).unwrap_err();
        assert!(problems[0].caret.contains(why), "{problems:?}");
    }
}

#[test]
fn no_text_makes_it_panic() {
    let pieces = [
        "n",
        "a[n]",
        "where",
        ":",
        ";",
        "\n",
        "  ",
        "\t",
        "1 <= n",
        "<",
        "(",
        ")",
        ",",
        "over",
        "\"a-",
        "'x'",
        "^",
        "9e99",
        "cases n:",
        "repeat",
        "sum(",
        "distinct(a)",
        "-",
        "é",
        "10e9",
        "[]",
        "2n",
    ];
    let mut state = 1_u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..12 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
            if state & 1 == 0 {
                text.push(' ');
            }
        }
        let source = test_source(&text);
        if let Err(problems) = Format::parse(&source) {
            assert!(!problems.is_empty(), "{text}");
            for problem in problems {
                problem.render_text(&source);
            }
        }
    }
}

#[test]
fn endless_texts_end_in_a_message() {
    let many = "n+".repeat(50_000);
    let nested = "repeat 1: ".repeat(12_000);
    let stairs: String = (0..20_000).map(|i| format!("{:i$}repeat 1:\n", "")).take(450).collect();
    for text in [format!("n where {many}n <= 5"), format!("{nested}n"), stairs] {
        let problems = Format::parse(&test_source(&text)).unwrap_err();
        assert!(problems.iter().any(|p| p.code == "too-deep"), "{}", problems[0].message);
    }
}

#[test]
fn permutations_of_numbers_between_whole_ones_are_refused() {
    for text in
        ["n; p[n]; where 1 <= n <= 9; p permutation of 1.5..n", "n; p[n]; where 1 <= n <= 9; p permutation of 1..n*0.5"]
    {
        let source = test_source(text);
        let problems = Format::parse(&source).unwrap_err();
        let codes: Vec<&str> = problems.iter().map(|problem| problem.code).collect();
        assert_eq!(codes, ["not-whole"], "{}", problems[0].render_text(&source));
    }
}

#[test]
fn sizes_are_not_bounded_by_the_longest_row_of_none() {
    for rule in ["max(len(a)) >= 1", "min(len(a)) >= 1", "1 <= len(a)"] {
        let text = format!("n; a[n][n]; where 0 <= n <= 3; a over \"xy\"; {rule}");
        let (format, warnings) = Format::parse(&test_source(&text)).unwrap();
        assert!(warnings.is_empty(), "{}", warnings[0].message);
        for (input, is_valid) in [("0\n", true), ("1\nx\n", true)] {
            let read = read_input(&format, input.as_bytes());
            assert_eq!(read.is_ok_and(|value| find_violation(&format, &value).is_none()), is_valid, "{rule}: {input}");
        }
    }
}

#[test]
fn fields_are_not_bounded_by_constraints_of_absent_siblings() {
    // The last constraint applies in each repetition of the first block, of which there may be none.
    let text =
        "repeat 0..2 until 0: { t }; k; repeat k: c where 1 <= t <= 3; 0 <= k <= 2; 1 <= c <= 3; t - 3 >= sum(c)";
    let (format, _) = Format::parse(&test_source(text)).unwrap();
    for (input, is_valid) in [("0\n0\n", true), ("0\n1\n2\n", true), ("3\n0\n0\n", true), ("3\n0\n1\n2\n", false)] {
        let read = read_input(&format, input.as_bytes());
        assert_eq!(read.is_ok_and(|value| find_violation(&format, &value).is_none()), is_valid, "{input}");
    }
}

#[test]
fn very_long_formats_are_refused() {
    let text = format!("n where 1 <= n <= 5 {}", "# and so on ".repeat(20_000));
    let problems = Format::parse(&test_source(&text)).unwrap_err();
    assert_eq!((problems[0].code, problems.len()), ("too-long", 1));
    let names: Vec<String> = (0..1001).map(|i| format!("v{i}")).collect();
    let text = format!("{} where 1 <= {} <= 9", names.join(" "), names.join(", "));
    let problems = Format::parse(&test_source(&text)).unwrap_err();
    assert!(problems.iter().any(|problem| problem.code == "too-many-fields"), "{problems:?}");
}

#[test]
fn first_of_many_problems_are_shown() {
    let source = test_source(&"? ".repeat(60_000));
    let problems = Format::parse(&source).unwrap_err();
    assert_eq!(problems.len(), 50);
    let last = problems[49].render_text(&source);
    assert!(last.contains("59950 more problems are not shown"), "{last}");
}

#[test]
fn fields_of_different_blocks_do_not_meet() {
    let siblings = "n m\nrepeat n:\n  u\nrepeat m:\n  v\nwhere:\n  1 <= n, m, u, v <= 5\n";
    for rule in ["u + v <= 5", "u <= v", "sum(u + v) <= 9", "(u, v) != (1, 1)", "distinct((u, v))"] {
        let problems = Format::parse(&test_source(&format!("{siblings}  {rule}\n"))).unwrap_err();
        assert_eq!(problems[0].code, "two-blocks", "{rule}");
    }
    let arrays = "n; x[n]; y[n] where 1 <= n, x, y <= 5; (x, y) != (1, 1)";
    assert_eq!(Format::parse(&test_source(arrays)).unwrap_err()[0].code, "tuple");
}

/// Formats in the notation of statements and of programming languages: the marked word is where the error is located, and
/// the help has the spelling in a format.
const OTHER_NOTATIONS: &[(&str, &str, &str)] = &[
    ("n where n in [1, 8]", "in", "a range is a chain: `1 <= n <= 8`"),
    ("n\nwhere:\n  n in 1..10^5", "in", "a range is a chain: `1 <= n <= 10^5`"),
    ("n; a[1..n] where 1<=n<=8; 0<=a<=9", "..", "the brackets contain the number of elements, counted from 1: `a[n]`"),
    ("n; a[n] where 1<=n<=8; 0<=a<=9; sorted a", "a", "write `sorted(a)`"),
    ("n; a[n] where 1<=n<=8; 0<=a<=9; a is distinct", "is", "write `distinct(a)`"),
    ("n; p[n] where 1<=n<=8; p is a permutation", "is", "write `p permutation of 1..n`"),
    ("n; p[n] where 1<=n<=8; permutation(p)", "permutation", "write `p permutation of 1..n`"),
    ("n; repeat n-1: u v where 2<=n<=8; tree(u, v)", "tree", "write `edges (u, v) on 1..n: tree`"),
    ("n s where 1<=n<=8; s string of length n", "string", "write `s over \"a-z\"` and `len(s) = n`"),
    (
        "n; string of length n where 1<=n<=8",
        "n",
        "write a name, such as `s`, and below `where`: `s over \"a-z\"`, `len(s) = n`",
    ),
    ("int n; where 1<=n<=8", "int", "there are no types: write `n`, and its range below `where`: `1 <= n <= 9`"),
    (
        "n\nstring s\nwhere:\n  1<=n<=8",
        "string",
        "there are no types: write `s`, and its letters below `where`: `s over \"a-z\"`",
    ),
    (
        "n; for i in 1..n: x where 1<=n<=8; 1<=x<=9",
        "..",
        "write `repeat n:`, and the repeated lines below it, without a variable",
    ),
];

#[test]
fn notations_of_newcomers_are_explained_where_they_stand() {
    for (text, place, help) in OTHER_NOTATIONS {
        let problems = Format::parse(&test_source(text)).unwrap_err();
        let shown = |problem: &Diagnostic| {
            (&text[problem.span.start..problem.span.end] == *place).then(|| problem.help.clone()).flatten()
        };
        assert_eq!(problems.iter().find_map(shown).as_deref(), Some(*help), "{text}: {problems:?}");
    }
    let named = Format::parse(&test_source("int n where 1<=int,n<=8"));
    assert!(named.is_ok(), "a field can be named as a type of other languages");
}
