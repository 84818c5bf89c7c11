#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
//! Exact minima: each trigger is a predicate on values with one known smallest input.

use super::*;
use crate::generate::{GenerationSettings, generate_value};
use crate::language::Format;
use crate::print::print_value;
use crate::validate::find_violation;
use crate::value::Measure;
use rebut_diagnostics::SourceText;
use rebut_generators::Choices;
use std::time::Duration;

/// A predicate on the tokens of a printed input. Checks that it is never queried about an invalid input.
struct CountingOracle<'f> {
    format: &'f Format,
    fails: fn(&[i128], &str) -> bool,
    queries: usize,
    /// Preferred number of candidates per query.
    width: usize,
}

impl Oracle<Value> for CountingOracle<'_> {
    fn batch_width(&self) -> usize {
        self.width
    }

    fn first_failing(&mut self, candidates: &[Value]) -> Result<Option<usize>, ShrinkStopped> {
        for (i, candidate) in candidates.iter().enumerate() {
            assert_eq!(find_violation(self.format, candidate), None);
            self.queries += 1;
            if input_fails(self.format, candidate, self.fails) {
                return Ok(Some(i));
            }
        }
        Ok(None)
    }
}

fn input_fails(format: &Format, value: &Value, fails: fn(&[i128], &str) -> bool) -> bool {
    let text = String::from_utf8(print_value(format, value)).unwrap();
    let numbers: Vec<i128> = text.split_whitespace().filter_map(|t| t.parse().ok()).collect();
    fails(&numbers, &text)
}

/// Returns the name and the numbers of tried and accepted candidates of each pass, whose sums are those of the search.
fn pass_counts(result: &ShrinkResult<Value>) -> Vec<(&'static str, usize, usize)> {
    let counts = |pass: &PassStatistics| (pass.name, pass.tried, pass.accepted);
    assert_eq!(result.passes.iter().map(|pass| pass.tried).sum::<usize>(), result.tried);
    assert_eq!(result.passes.iter().map(|pass| pass.accepted).sum::<usize>(), result.steps);
    result.passes.iter().map(counts).collect()
}

/// Shrinks from many random starts. All must end at the same minimum.
fn check_minimum(text: &str, fails: fn(&[i128], &str) -> bool, minimum: &str) {
    let source = SourceText::new("format", text);
    let format = Format::parse(&source).unwrap_or_else(|p| panic!("{}", p[0].render_text(&source))).0;
    let plan = GenerationPlan::new(&format);
    let settings = GenerationSettings { growth: 100, max_elements: 400, ..GenerationSettings::default() };
    let mut starts = 0;
    for seed in 0..4000 {
        let Ok(generated) = generate_value(&plan, &mut Choices::from_seed(seed, 1), &settings) else { continue };
        if !input_fails(&format, &generated.value, fails) {
            continue;
        }
        starts += 1;
        let mut oracle = CountingOracle { format: &format, fails, queries: 0, width: 1 };
        let before = Measure::of_value(&format, &generated.value);
        let shrunk = shrink_value(&plan, generated.value.clone(), &mut oracle);
        let shown = String::from_utf8(print_value(&format, &shrunk.value)).unwrap();
        assert_eq!(shown, minimum, "from seed {seed} after {} queries: {text}", oracle.queries);
        assert!(shrunk.is_complete && Measure::of_value(&format, &shrunk.value) <= before);
        for width in if starts <= 3 { &[2, 5, 32][..] } else { &[] } {
            let mut ahead = CountingOracle { format: &format, fails, queries: 0, width: *width };
            let same = shrink_value(&plan, generated.value.clone(), &mut ahead);
            let known = |s: &ShrinkResult<Value>| (s.steps, s.tried, s.is_complete, pass_counts(s));
            assert_eq!((&same.value, known(&same)), (&shrunk.value, known(&shrunk)), "{width} at a time: {text}");
        }
        if starts == 12 {
            return;
        }
    }
    assert!(starts > 3, "only {starts} failing starts for {text}");
}

#[test]
fn an_array_with_its_count() {
    check_minimum("n; a[n] where 1 <= n <= 200; -1000 <= a <= 1000", |t, _| t[1..].iter().any(|x| *x >= 37), "1\n37\n");
    check_minimum(
        "n; a[n] where 1 <= n <= 200; 1 <= a <= 1000",
        |t, _| t[1..].windows(2).any(|w| w[0] > w[1]),
        "2\n2 1\n",
    );
    check_minimum(
        "n; a[n]; b[n] where 1 <= n <= 100; 0 <= a, b <= 50",
        |t, _| {
            let n = usize::try_from(t[0]).unwrap();
            (0..n).any(|i| t[1 + i] == 7 && t[1 + n + i] > 20)
        },
        "1\n7\n21\n",
    );
}

#[test]
fn overflow_needs_two_large_numbers() {
    check_minimum(
        "n; a[n] where 1 <= n <= 50; 1 <= a <= 2 * 10^9",
        |t, _| t[1..].iter().sum::<i128>() >= 1 << 31,
        "2\n147483648 2000000000\n",
    );
}

#[test]
fn one_case_of_many() {
    check_minimum(
        "T; cases T: n; a[n] where 1 <= T <= 60; 1 <= n <= 20; 0 <= a <= 9; sum(n) <= 200",
        |_, text| text.lines().skip(1).any(|l| l.split(' ').filter(|x| *x == "3").count() >= 2),
        "1\n2\n3 3\n",
    );
}

#[test]
fn a_board_keeps_its_start_and_exit() {
    check_minimum(
        "C; board[2][C] where 1 <= C <= 15; board over \".#SE\"; count(board, 'S') = 1; count(board, 'E') = 1",
        |_, text| text.lines().skip(1).any(|l| l.contains("#.#")),
        "3\n.SE\n#.#\n",
    );
}

#[test]
fn a_square_loses_different_rows_and_columns() {
    check_minimum(
        "n K; board[n][n] where 3 <= n <= 12; 1 <= K <= n; board over \".XO\"; count(board, 'X') = count(board, 'O')",
        |_, text| text.lines().skip(1).any(|l| l.contains("XO")),
        "3 1\n...\n...\n.XO\n",
    );
}

#[test]
fn references_follow_what_they_refer_to() {
    check_minimum(
        "n q; a[n]; repeat q: l r where 1 <= n, q <= 40; 1 <= l <= r <= n; 0 <= a <= 100",
        |t, _| {
            let (n, q) = (usize::try_from(t[0]).unwrap(), usize::try_from(t[1]).unwrap());
            (0..q).any(|i| {
                let (l, r) = (t[2 + n + 2 * i], t[3 + n + 2 * i]);
                r > l && t[usize::try_from(l).unwrap() + 1] == t[usize::try_from(r).unwrap() + 1]
            })
        },
        "2 1\n0 0\n1 2\n",
    );
}

#[test]
fn a_permutation_is_ranked_again() {
    check_minimum(
        "n; p[n] where 1 <= n <= 15; 1 <= p <= n; distinct(p)",
        |t, _| {
            let p = &t[1..];
            (0..p.len()).any(|i| (i..p.len()).any(|j| (j..p.len()).any(|k| p[j] > p[i] && p[i] > p[k])))
        },
        "3\n2 3 1\n",
    );
}

#[test]
fn texts_lose_letters_before_they_become_uniform() {
    check_minimum(
        "s where s over \"a-z\"; 1 <= len(s) <= 60",
        |_, text| text.trim().len() % 2 == 1 && text.trim().bytes().filter(|b| *b != b'a').count() >= 2,
        "abb\n",
    );
    check_minimum("s where s over \"ab\"; 1 <= len(s) <= 60", |_, text| text.contains("bab"), "bab\n");
}

#[test]
fn two_kings_that_only_just_meet() {
    check_minimum(
        "t; cases t: h w xa ya xb yb where 1 <= t <= 1000; 1 <= xa, xb <= h <= 10^6; 1 <= ya, yb <= w <= 10^9; (xa, ya) != (xb, yb); sum(h) <= 10^6",
        |t, _| t[1..].chunks(6).any(|c| c[2] < c[4] && (c[4] - c[2]) % 2 == 0),
        "1\n3 1 1 1 3 1\n",
    );
}

#[test]
fn queries_and_repetitions_without_a_count() {
    check_minimum(
        "n q; repeat q: either: 1 l r; 2 i x where 1 <= n, q <= 30; 1 <= l <= r <= n; 1 <= i <= n; 0 <= x <= 99",
        |_, text| {
            let kinds: Vec<&str> = text.lines().skip(1).collect();
            kinds.windows(2).any(|w| w[0].starts_with("2 ") && w[1].starts_with("1 ") && w[0].ends_with('7'))
        },
        "1 2\n2 1 7\n1 1 1\n",
    );
    // In any form: the names of the statement.
    check_minimum(
        "n q; repeat q: either: 1 l r x; 2 l r where 1 <= n, q <= 30; 1 <= l <= r <= n; 0 <= x <= 99; distinct((l, r))",
        |_, text| {
            let lines: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(' ').collect()).collect();
            lines.windows(2).any(|w| w[0][0] == "1" && w[1][0] == "2" && w[0][1] == w[1][1])
        },
        "2 2\n1 1 1 0\n2 1 2\n",
    );
    check_minimum(
        "T; \"\"; cases T separated by \"\": { n; a[n] } where 1 <= T <= 9; 1 <= n <= 5; 0 <= a <= 9",
        |_, text| text.lines().skip(2).any(|line| line.contains('7')),
        "1\n\n1\n7\n",
    );
    check_minimum(
        "repeat 0..30 until 0 0: a b where 0 <= a, b <= 9",
        |_, text| text.lines().filter(|l| l.starts_with('5')).count() >= 2,
        "5 0\n5 0\n0 0\n",
    );
}

#[test]
fn alternatives_become_simpler_ones() {
    // Any two queries with the same position, of any kinds.
    check_minimum(
        "n q; repeat q: either: { 1 i; 2 j x; 3 l r k } where 2 <= n <= 30; 1 <= q <= 30; 1 <= i, j, l, r <= n; 0 <= x, k <= 99",
        |_, text| {
            let places: Vec<&str> = text.lines().skip(1).filter_map(|l| l.split(' ').nth(1)).collect();
            places.windows(2).any(|w| w[0] == w[1] && w[0] != "1")
        },
        "2 2\n1 2\n1 2\n",
    );
    // Only the larger form has the needed part.
    check_minimum(
        "q; repeat q: either: 1 w; 2 x y where 1 <= q <= 20; 0 <= w, x, y <= 50",
        |_, text| text.lines().skip(1).filter(|l| l.starts_with("2 ") && !l.ends_with(" 0")).count() >= 2,
        "2\n2 0 1\n2 0 1\n",
    );
    check_minimum(
        "q; repeat q: either: { \"add\" w; \"remove\" x y; \"clear\" } where 1 <= q <= 50; 0 <= w, x, y <= 99",
        |_, text| text.lines().skip(1).filter(|l| l.starts_with("remove") || l.starts_with("clear")).count() >= 3,
        "3\nclear\nclear\nclear\n",
    );
}

#[test]
fn lines_under_a_condition_go_with_it() {
    check_minimum(
        "q\nrepeat q:\n    t\n    if t = 1:\n        x\n    if t >= 2:\n        y z\nwhere 1 <= q <= 20; 0 <= t <= 3; 0 <= x, y, z <= 50",
        |t, _| t[0] >= 3,
        "3\n0\n0\n0\n",
    );
    check_minimum(
        "q\nrepeat q:\n    t\n    if t = 1:\n        x\n    if t >= 2:\n        y z\nwhere 1 <= q <= 20; 0 <= t <= 3; 0 <= x, y, z <= 50",
        |_, text| text.lines().skip(1).filter_map(|l| l.split_once(' ')).any(|(y, z)| y != "0" && z.len() > 1),
        "1\n2\n1 10\n",
    );
}

#[test]
fn trees_and_graphs_keep_their_form() {
    check_minimum(
        "n; repeat n-1: u v where 1 <= n <= 30; edges (u, v) on 1..n: tree",
        |t, _| {
            let n = usize::try_from(t[0]).unwrap();
            let mut degrees = vec![0; n + 1];
            t[1..].iter().for_each(|v| degrees[usize::try_from(*v).unwrap()] += 1);
            degrees.iter().any(|d| *d >= 3)
        },
        "4\n1 2\n1 3\n1 4\n",
    );
    check_minimum(
        "n m; repeat m: u v w where 2 <= n <= 12; 1 <= m <= 40; edges (u, v) on 1..n: simple, connected; 1 <= w <= 9",
        |t, _| t[2..].chunks(3).any(|e| e[2] >= 6),
        "2 1\n1 2 6\n",
    );
}

#[test]
fn two_lengths_shrink_together() {
    check_minimum(
        "n m; a[n]; b[m] where 1 <= n, m <= 3; 0 <= a, b <= 50",
        |t, _| t[0] == t[1] && t[2..].iter().any(|x| *x > 20),
        "1 1\n0\n21\n",
    );
    check_minimum(
        "T; cases T: n; a[n] where 2 <= T <= 9; 1 <= n <= 9; 1 <= a <= 9",
        |_, text| {
            let lines: Vec<Vec<&str>> = text.lines().skip(1).map(|l| l.split(' ').collect()).collect();
            (2..lines.len()).step_by(2).any(|i| lines[i - 1].get(lines[i + 1].len()) == Some(&"7"))
        },
        "2\n2\n1 7\n1\n1\n",
    );
}

#[test]
fn signs_flip_together() {
    check_minimum(
        "n; a[n] where 1 <= n <= 50; -1000 <= a <= 1000",
        |t, _| t[1..].windows(2).any(|w| w[0] * w[1] >= 10),
        "2\n2 5\n",
    );
}

#[test]
fn siblings_exchange_together() {
    check_minimum(
        "n; a[n]; b[n] where 1 <= n <= 30; 1 <= a, b <= 1000",
        |t, _| {
            let n = usize::try_from(t[0]).unwrap();
            let crossed = |i: usize, j: usize| t[i] < t[j] && t[i + n] > t[j + n];
            (1..=n).any(|i| (1..=n).any(|j| crossed(i, j)))
        },
        "2\n1 2\n2 1\n",
    );
}

#[test]
fn boards_take_another_shape() {
    check_minimum(
        "N M; b[N][M] where 1 <= N, M <= 9; b over \".X\"",
        |_, text| text.bytes().filter(|c| *c == b'X').count() >= 5,
        "1 5\nXXXXX\n",
    );
    check_minimum(
        "R C; g[R][C] where 1 <= R, C <= 8; g over \".#SE\"; count(g, 'S') = 1; count(g, 'E') = 1",
        |_, text| text.lines().any(|l| l.contains("S#E") || l.contains("E#S")),
        "1 3\nS#E\n",
    );
}

#[test]
fn boards_are_mirrored_with_the_places_on_them() {
    check_minimum(
        "n x y; b[n][n] where 3 <= n <= 8; 1 <= x, y <= n; b over \".#\"",
        |t, text| {
            let (n, x, y) = (t[0], usize::try_from(t[1]).unwrap(), t[2]);
            let row = text.lines().nth(x).unwrap().as_bytes();
            let beside = if y == 1 { row.get(1) } else { row.iter().rev().nth(1) };
            [1, n].contains(&t[1]) && [1, n].contains(&y) && beside == Some(&b'#')
        },
        "3 1 1\n.#.\n...\n...\n",
    );
}

#[test]
fn products_meet_in_the_middle() {
    check_minimum("x y where 1 <= x, y <= 10^9", |t, _| t[0] * t[1] >= 1_000_000, "1000 1000\n");
}

#[test]
fn multiples_and_single_values_are_found() {
    check_minimum(
        "n; a[n] where 1 <= n <= 200; 1 <= a <= 10^5",
        |t, _| t[1..].iter().any(|x| x % 100 == 0),
        "1\n100\n",
    );
}

#[test]
fn equal_values_that_are_multiples_go_together() {
    check_minimum(
        "n; a[n] where 1 <= n <= 60; 1 <= a <= 400",
        |t, _| {
            let round = |i: usize| t[i] % 10 == 0 && t[i] >= 50;
            (1..t.len()).any(|i| round(i) && t[i + 1..].contains(&t[i]))
        },
        "2\n50 50\n",
    );
}

#[test]
fn values_that_leave_the_same_remainder_come_together() {
    check_minimum(
        "n; a[n] where 1 <= n <= 60; 1 <= a <= 10^9; distinct(a)",
        |t, _| (2..t.len()).any(|i| t[1..i].iter().any(|x| x % 1009 == t[i] % 1009)),
        "2\n1 1010\n",
    );
}

#[test]
fn three_that_are_alike_lose_the_same_parts() {
    check_minimum(
        "T; cases T: n; a[n] where 3 <= T <= 40; 1 <= n <= 4; 1 <= a <= 2; sum(n) <= 100",
        |_, text| {
            let lines: Vec<&str> = text.lines().skip(1).collect();
            let cases: Vec<&[&str]> = lines.chunks(2).collect();
            let alike = |c: &&[&str]| cases.iter().filter(|d| *d == c).count() >= 3;
            cases.iter().any(|c| c[1].starts_with("1 2") && alike(c))
        },
        "3\n2\n1 2\n2\n1 2\n2\n1 2\n",
    );
}

#[test]
fn a_long_way_of_small_steps_is_cut_short() {
    let source = SourceText::new("format", "x y z where 0 <= x, y, z <= 10^12");
    let format = Format::parse(&source).unwrap().0;
    // Each value can only come a little nearer before the two others have to follow.
    let fails = |t: &[i128], _: &str| t[0] >= 5 && (t[1] - 2 * t[0]).abs() <= 2 && (t[2] - 3 * t[0]).abs() <= 3;
    for start in ["900000000 1800000000 2700000000\n", "7000001 14000001 21000002\n", "123456 246910 370371\n"] {
        let value = crate::read::read_input(&format, start.as_bytes()).unwrap();
        let mut oracle = CountingOracle { format: &format, fails, queries: 0, width: 1 };
        let shrunk = shrink_value(&GenerationPlan::new(&format), value, &mut oracle);
        assert_eq!(String::from_utf8(print_value(&format, &shrunk.value)).unwrap(), "5 8 12\n");
        assert!(shrunk.steps < 300 && oracle.queries < 3000, "{} steps, {} queries", shrunk.steps, oracle.queries);
    }
}

#[test]
fn sums_are_kept_by_those_that_stay() {
    check_minimum(
        "n; a[n] where 1 <= n <= 300; 1 <= a <= 1000",
        |t, _| t[1..].iter().sum::<i128>() >= 2500,
        "3\n500 1000 1000\n",
    );
}

#[test]
fn vertices_and_lines_take_their_simplest_order() {
    check_minimum(
        "n; c[n]; repeat n-1: u v where 1 <= n <= 60; 1 <= c <= 3; edges (u, v) on 1..n: tree",
        |t, _| {
            let n = usize::try_from(t[0]).unwrap();
            let colour = |v: i128| t[usize::try_from(v).unwrap()];
            let threes = |v: i128| {
                let edges = t[1 + n..].chunks(2);
                edges.filter(|e| e[0] == v && colour(e[1]) == 3 || e[1] == v && colour(e[0]) == 3).count()
            };
            (1..=t[0]).any(|v| colour(v) == 1 && threes(v) >= 2)
        },
        "3\n1 3 3\n1 2\n1 3\n",
    );
    check_minimum(
        "n; repeat n: l r where 1 <= n <= 60; 0 <= l < r <= 10^9",
        |t, _| t[1..].chunks(2).any(|a| t[1..].chunks(2).any(|b| a[0] < b[0] && b[1] < a[1])),
        "2\n0 3\n1 2\n",
    );
}

#[test]
fn ways_through_a_vertex_become_edges() {
    check_minimum(
        "n m; repeat m: u v w where 2 <= n <= 12; 1 <= m <= 60; edges (u, v) on 1..n: directed, loopless; -9 <= w <= 9",
        |t, _| {
            let n = usize::try_from(t[0]).unwrap();
            let mut far = vec![0; n + 1];
            (0..=n).all(|_| {
                let before = far.clone();
                for e in t[2..].chunks(3) {
                    let (u, v) = (usize::try_from(e[0]).unwrap(), usize::try_from(e[1]).unwrap());
                    far[v] = far[v].min(far[u] + e[2]);
                }
                before != far
            })
        },
        "2 2\n1 2 0\n2 1 -1\n",
    );
}

#[test]
fn references_within_a_sequence_are_followed() {
    check_minimum(
        "n; p[n] where 1 <= n <= 40; 1 <= p <= n; distinct(p)",
        |t, _| {
            let at = |i: i128| t[usize::try_from(i).unwrap()];
            (1..=t[0]).any(|i| at(i) != i && at(at(at(i))) == i)
        },
        "3\n2 3 1\n",
    );
    check_minimum(
        "n q; a[n]; repeat q: l r where 1 <= n, q <= 40; 1 <= l <= r <= n; 1 <= a <= 9",
        |t, _| {
            let (n, q) = (usize::try_from(t[0]).unwrap(), usize::try_from(t[1]).unwrap());
            let at = |i: i128| t[1 + usize::try_from(i).unwrap()];
            (0..q).any(|i| t[2 + n + 2 * i] < t[3 + n + 2 * i] && at(t[2 + n + 2 * i]) == at(t[3 + n + 2 * i]) + 5)
        },
        "2 1\n6 1\n1 2\n",
    );
}

#[test]
fn last_letters_are_tried_exhaustively() {
    check_minimum(
        "s where s over \"a-d\"; 1 <= len(s) <= 200",
        |_, text| {
            let palindrome = |w: &[u8]| w[0] == w[4] && w[1] == w[3] && w.iter().any(|c| *c != w[0]);
            text.trim().as_bytes().windows(5).any(palindrome)
        },
        "aabaa\n",
    );
}

#[test]
fn text_without_a_format() {
    struct Contains;
    impl Oracle<Vec<u8>> for Contains {
        fn first_failing(&mut self, candidates: &[Vec<u8>]) -> Result<Option<usize>, ShrinkStopped> {
            Ok(candidates.iter().position(|c| {
                String::from_utf8_lossy(c).split_whitespace().any(|t| t.parse().is_ok_and(|n: i64| n >= 500))
            }))
        }
    }
    let shrunk = shrink_text(b"3 4\n1 2 700\nabc 12345 8\n9\n".to_vec(), &mut Contains);
    assert_eq!(shrunk.value, b"500\n");
}

#[test]
fn rows_with_a_sum_and_words_in_order() {
    check_minimum(
        "n m; V[n][m] where 1 <= n, m <= 9; 0 <= V <= 100; forall i in 1..n: sum(V[i]) = 100",
        |t, _| t[2..].contains(&37),
        "1 2\n37 63\n",
    );
    check_minimum(
        "n; w[n][] where 1 <= n <= 9; w over \"a-e\"; 1 <= len(w) <= 5; forall i in 1..n-1: w[i] < w[i+1]",
        |t, text| t[0] >= 3 && text.contains('c'),
        "3\na\nb\nc\n",
    );
    check_minimum("s t where s, t over \"a-d\"; 1 <= len(s), len(t) <= 20; s != t", |_, text| text.len() >= 4, "a b\n");
}

#[test]
fn groups_on_one_line() {
    check_minimum(
        "n (x y)[n] where 1 <= n <= 50; 0 <= x <= y <= 1000",
        |t, _| t[1..].chunks(2).any(|p| p[1] - p[0] >= 5),
        "1 0 5\n",
    );
}

#[test]
fn intervals_end_as_near_to_each_other_as_they_overlap() {
    // The shortest interval overlaps both others, which do not overlap each other, and lies between them.
    let fails = |numbers: &[i128], _: &str| {
        let rows: Vec<(i128, i128)> = numbers[1..].chunks(2).map(|row| (row[0], row[1])).collect();
        rows.windows(3).any(|r| {
            let length = |i: usize| r[i].1 - r[i].0;
            let ordered = r[1].0 < r[0].1 && r[0].1 <= r[2].0 && r[2].0 < r[1].1;
            ordered && length(1) < length(0) && length(1) < length(2)
        })
    };
    let text = "n; repeat n: l r\nwhere\n    1 <= n <= 30\n    1 <= l < r <= 40";
    check_minimum(text, fails, "3\n1 4\n3 5\n4 7\n");
}

#[test]
fn a_gap_that_cannot_be_closed_is_left_at_once() {
    // Repair of a closed gap moves only the last number, by one.
    let text = "n; a[n] where 1 <= n <= 2000; 0 <= a <= 10^9; forall i in 1..n-1: a[i] < a[i+1]";
    let format = Format::parse(&SourceText::new("format", text)).unwrap().0;
    let plan = GenerationPlan::new(&format);
    let fails = |t: &[i128], _: &str| t[1..].windows(3).any(|w| w[2] - w[1] >= 2 * (w[1] - w[0]) && w[0] >= 3);
    let start = crate::read::read_input(&format, b"3\n50004 700000 5000000\n").unwrap();
    let mut oracle = CountingOracle { format: &format, fails, queries: 0, width: 1 };
    let shrunk = shrink_value(&plan, start, &mut oracle);
    assert_eq!(print_value(&format, &shrunk.value), b"3\n3 4 6\n");
    assert!(oracle.queries < 300, "{} queries", oracle.queries);
}

/// Rejects everything, and records the maximum number of elements in one query.
struct WeighingOracle {
    most: usize,
    queries: usize,
}

impl Oracle<Value> for WeighingOracle {
    fn first_failing(&mut self, candidates: &[Value]) -> Result<Option<usize>, ShrinkStopped> {
        self.queries += candidates.len();
        self.most = self.most.max(candidates.iter().map(Value::element_count).sum());
        Ok(None)
    }
}

/// Hundreds of swaps within a short array are each as large as the long array next to it.
#[test]
fn candidates_of_a_large_input_are_not_made_all_at_once() {
    let source = SourceText::new("format", "n m; a[n]; b[m] where 1 <= n <= 10^6; 1 <= m <= 25; 0 <= a, b <= 99");
    let format = Format::parse(&source).unwrap().0;
    let plan = GenerationPlan::new(&format);
    let value = Value::Block(vec![
        Value::Int(100_000),
        Value::Int(25),
        Value::Ints(vec![0; 100_000]),
        Value::Ints((0..25).rev().collect()),
    ]);
    let elements = value.element_count();
    let mut oracle = WeighingOracle { most: 0, queries: 0 };
    let mut search = ShrinkSearch::new(&plan, value, &mut oracle);
    search.run_passes(&[ShrinkPass { name: "reorder arrays", run: passes::reorder::reorder_arrays }]).unwrap();
    assert!(oracle.queries > 200, "{}", oracle.queries);
    assert!(oracle.most < crate::tuning::MAX_BATCH_ELEMENTS + elements, "{}", oracle.most);
}

/// Stops at once, and rejects everything.
struct ExpiredOracle;

impl<C> Oracle<C> for ExpiredOracle {
    fn should_stop(&self) -> bool {
        true
    }

    fn first_failing(&mut self, _: &[C]) -> Result<Option<usize>, ShrinkStopped> {
        Ok(None)
    }
}

/// The stop is checked even where passes make hardly any query.
#[test]
fn no_pass_goes_on_when_the_time_is_over() {
    assert!(!shrink_text(b"0\n".repeat(900), &mut ExpiredOracle).is_complete);
    let source = SourceText::new("format", "n; repeat n: a where 1 <= n <= 900; 0 <= a <= 9");
    let format = Format::parse(&source).unwrap().0;
    let plan = GenerationPlan::new(&format);
    let value = crate::read::read_input(&format, format!("900\n{}", "0\n".repeat(900)).as_bytes()).unwrap();
    let mut oracle = ExpiredOracle;
    let mut search = ShrinkSearch::new(&plan, value, &mut oracle);
    // Nothing has to be sorted: the pass has no candidate, but visits all numbers.
    assert_eq!(
        search.run_passes(&[ShrinkPass { name: "simplify arrays", run: passes::arrays::simplify_arrays }]),
        Err(ShrinkStopped)
    );
}

/// A hub of twenty thousand edges has two hundred million paths through it, which are no candidates.
#[test]
fn ways_through_a_hub_are_not_listed() {
    let source = SourceText::new("format", "n; repeat n-1: u v where 2<=n<=10^5; 1<=u,v<=n; edges (u,v) on 1..n: tree");
    let format = Format::parse(&source).unwrap().0;
    let edges: String = (2..=20_000).map(|v| format!("1 {v}\n")).collect();
    let value = crate::read::read_input(&format, format!("20000\n{edges}").as_bytes()).unwrap();
    let size = crate::language::FieldId(0);
    let rule = graph::graphs_of(&format, size)[0];
    let left = graph::delete_vertices(&format, &value, &[], size, rule, &[0]);
    // The other edges alone, and one of them in its place.
    assert_eq!(left.len(), 2);
    let path = crate::read::read_input(&format, b"3\n1 2\n1 3\n").unwrap();
    let left = graph::delete_vertices(&format, &path, &[], size, rule, &[0]);
    let shown: Vec<_> = left.iter().map(|value| String::from_utf8(print_value(&format, value)).unwrap()).collect();
    assert_eq!(shown.last().map(String::as_str), Some("2\n1 2\n"));
}

#[test]
fn lengths_decided_by_two_numbers_shrink() {
    let long = |numbers: &[i128], _: &str| numbers.len() >= 2 + 13;
    check_minimum("l r; c[r-l+1] where 1 <= l <= r <= 10^5; 0 <= c <= 9", long, "1 13\n0 0 0 0 0 0 0 0 0 0 0 0 0\n");
    check_minimum("r l; c[r-l] where 1 <= l < r <= 10^5; 0 <= c <= 9", long, "14 1\n0 0 0 0 0 0 0 0 0 0 0 0 0\n");
    check_minimum(
        "l r; c[] where 1 <= l <= r <= 10^5; 0 <= c <= 9; len(c) = r - l + 1",
        long,
        "1 13\n0 0 0 0 0 0 0 0 0 0 0 0 0\n",
    );
    check_minimum(
        "n m; s[n+m-1] where 0 <= n, m <= 500; n + m >= 1; s over \"ab\"",
        |_, text| text.contains("aba"),
        "0 4\naba\n",
    );
    let sevens = |numbers: &[i128], _: &str| numbers[2..].iter().filter(|number| **number == 7).count() >= 3;
    check_minimum("l r; c[r-l+1] where 1 <= l <= r <= 10^5; 0 <= c <= 9", sevens, "1 3\n7 7 7\n");
    check_minimum(
        "l r; d[r-l+1]; c[r-l+1] where 5 <= l <= r <= 10^5; 0 <= c <= 9; d over \"xy\"",
        |n, text| text.contains("yy") && n.ends_with(&[7, 7]),
        "5 6\nyy\n7 7\n",
    );
}

#[test]
fn rows_whose_lengths_stand_in_an_array() {
    let text =
        "n; a[n]; rows[n][] where 1 <= n <= 40; 1 <= a <= 60; 0 <= rows <= 9; 1 <= len(rows) <= 60; len(rows) = a";
    let long = |_: &[i128], text: &str| text.lines().skip(2).any(|row| row.split(' ').count() >= 13);
    check_minimum(text, long, "1\n13\n0 0 0 0 0 0 0 0 0 0 0 0 0\n");
    let cases = "q; repeat q: { l r; c[r-l+1] } where 1 <= q <= 20; 1 <= l <= r <= 1000; 1 <= c <= 9";
    let long = |_: &[i128], text: &str| text.lines().skip(1).any(|row| row.split(' ').count() >= 13);
    check_minimum(cases, long, "1\n1 13\n1 1 1 1 1 1 1 1 1 1 1 1 1\n");
}

/// Has a clock that advances by a second with each query.
struct TimedOracle {
    queries: u64,
}

impl Oracle<Value> for TimedOracle {
    fn first_failing(&mut self, candidates: &[Value]) -> Result<Option<usize>, ShrinkStopped> {
        self.queries += 1;
        Ok(candidates.iter().position(|value| !crate::value::all_elements(value, |number| number < 37)))
    }

    fn elapsed_time(&self) -> Duration {
        Duration::from_secs(self.queries)
    }
}

#[test]
fn statistics_count_calls_and_the_time_of_the_oracle() {
    let source = SourceText::new("format", "n; a[n] where 1 <= n <= 8; 0 <= a <= 1000");
    let format = Format::parse(&source).unwrap().0;
    let plan = GenerationPlan::new(&format);
    let start = crate::read::read_input(&format, b"3\n5 900 41\n").unwrap();
    let mut oracle = TimedOracle { queries: 0 };
    let shrunk = shrink_value(&plan, start.clone(), &mut oracle);
    assert_eq!(print_value(&format, &shrunk.value), b"1\n37\n");
    let names: Vec<&str> = shrunk.passes.iter().map(|pass| pass.name).collect();
    assert_eq!(names, pass_names().collect::<Vec<_>>());
    assert!(shrunk.passes.iter().all(|pass| pass.calls >= 2 && pass.accepted <= pass.tried));
    assert_eq!(shrunk.passes.iter().map(|pass| pass.time).sum::<Duration>(), Duration::from_secs(oracle.queries));
    let deleted = shrunk.passes.iter().find(|pass| pass.name == "shorten axes").unwrap();
    assert!(deleted.accepted >= 1, "{deleted:?}");
    let without = shrink_without_passes(&plan, start, &["shorten axes", "minimize values"], &mut oracle);
    assert!(without.passes.iter().all(|pass| !["shorten axes", "minimize values"].contains(&pass.name)));
    assert_eq!(without.passes.len() + 2, names.len());
}
