#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
//! Tests of each pass and each of its moves: the result for one small value, under a predicate that no other
//! move of the pass would satisfy as well.

use super::values::{movable_leaves, with_changes};
use super::*;
use crate::generate::GenerationPlan;
use crate::language::Format;
use crate::print::print_value;
use crate::read::read_input;
use crate::shrink::adaptive_step::step_adaptively;
use crate::shrink::oracle::{Oracle, ShrinkStopped};
use crate::shrink::search::{RunPass, ShrinkSearch};
use crate::validate::find_violation;
use crate::value::Value;
use rebut_diagnostics::SourceText;

/// Returns true if an input fails, given its numbers and its text.
type Fails = fn(&[i128], &str) -> bool;

/// A predicate that counts its queries, and checks that it is never queried about an invalid input.
struct PassOracle<'f> {
    format: &'f Format,
    fails: Fails,
    queries: usize,
}

impl PassOracle<'_> {
    fn input_fails(&self, value: &Value) -> bool {
        let text = String::from_utf8(print_value(self.format, value)).unwrap();
        let numbers: Vec<i128> = text.split_whitespace().filter_map(|t| t.parse().ok()).collect();
        (self.fails)(&numbers, &text)
    }
}

impl Oracle<Value> for PassOracle<'_> {
    fn first_failing(&mut self, candidates: &[Value]) -> Result<Option<usize>, ShrinkStopped> {
        for (i, candidate) in candidates.iter().enumerate() {
            assert_eq!(find_violation(self.format, candidate), None);
            self.queries += 1;
            if self.input_fails(candidate) {
                return Ok(Some(i));
            }
        }
        Ok(None)
    }
}

/// Runs passes once, one after the other. Returns the resulting input and the number of queries.
fn run_passes_on(passes: &[RunPass], text: &str, before: &str, fails: Fails) -> (String, usize) {
    let source = SourceText::new("format", text);
    let format = Format::parse(&source).unwrap_or_else(|p| panic!("{}", p[0].render_text(&source))).0;
    let value = read_input(&format, before.as_bytes()).unwrap_or_else(|p| panic!("{before:?}: {p:?}"));
    let plan = GenerationPlan::new(&format);
    let mut oracle = PassOracle { format: &format, fails, queries: 0 };
    assert!(oracle.input_fails(&value), "{before:?} does not fail: {text}");
    let mut search = ShrinkSearch::new(&plan, value, &mut oracle);
    search.begin_round();
    let passes: Vec<ShrinkPass> = passes.iter().map(|run| ShrinkPass { name: "tested", run: *run }).collect();
    search.run_passes(&passes).unwrap();
    let shrunk = search.into_result(true);
    (String::from_utf8(print_value(&format, &shrunk.value)).unwrap(), oracle.queries)
}

/// Checks the result of a single pass.
fn check_pass(pass: RunPass, text: &str, before: &str, fails: Fails, expected: &str) {
    assert_eq!(run_passes_on(&[pass], text, before, fails).0, expected, "from {before:?}: {text}");
}

const ARRAY: &str = "n; a[n] where 1 <= n <= 60; 1 <= a <= 1000";
const SIGNED: &str = "n; a[n] where 1 <= n <= 60; -1000 <= a <= 1000";
const TWO: &str = "x y where 0 <= x, y <= 10^6";
const TEXT: &str = "s where s over \"abc\"; 1 <= len(s) <= 60";
const BOARD: &str = "N M; b[N][M] where 1 <= N, M <= 9; b over \".#\"";
const PERMUTATION: &str = "n; p[n] where 1 <= n <= 15; 1 <= p <= n; distinct(p)";
const TREE: &str = "n; c[n]; repeat n-1: u v where 1 <= n <= 60; 0 <= c <= 3; edges (u, v) on 1..n: tree";

#[test]
fn axes_lose_what_is_not_needed() {
    let sevens: Fails = |t, _| t[1..].iter().filter(|x| **x == 7).count() >= 2;
    check_pass(axes::shorten_axes, ARRAY, "5\n5 7 9 7 1\n", sevens, "2\n7 7\n");
    check_pass(axes::shorten_axes, TEXT, "abcab\n", |_, text| text.contains("ca"), "ca\n");
    let row: Fails = |_, text| text.contains("#.#");
    check_pass(axes::shorten_axes, BOARD, "3 4\n....\n.#.#\n....\n", row, "1 3\n#.#\n");
    check_pass(
        axes::shorten_axes,
        "repeat 0..30 until 0: a where 0 <= a <= 9",
        "3\n5\n3\n0\n",
        |t, _| t.contains(&5),
        "5\n0\n",
    );
}

#[test]
fn axes_renumber_what_refers_to_them() {
    let place = "n x; a[n] where 1 <= x <= n <= 60; 0 <= a <= 9";
    check_pass(
        axes::shorten_axes,
        place,
        "4 3\n1 2 7 4\n",
        |t, _| t[1 + usize::try_from(t[1]).unwrap()] == 7,
        "1 1\n7\n",
    );
    check_pass(
        axes::shorten_axes,
        PERMUTATION,
        "4\n4 1 3 2\n",
        |t, _| t[1..].windows(2).any(|w| w[0] > w[1]),
        "2\n2 1\n",
    );
    // A cycle of four and a fixed point: the cycle becomes shorter.
    let cycle: Fails = |t, _| (1..t.len()).any(|i| t[i] != i as i128 && t[t[i] as usize] != t[i]);
    check_pass(axes::shorten_axes, PERMUTATION, "5\n2 4 3 5 1\n", cycle, "2\n2 1\n");
}

#[test]
fn vertices_go_with_their_edges_or_into_their_neighbours() {
    let ones: Fails = |t, _| t[1..=usize::try_from(t[0]).unwrap()].iter().filter(|c| **c == 1).count() >= 2;
    check_pass(axes::shorten_axes, TREE, "4\n1 0 0 1\n1 2\n2 3\n3 4\n", ones, "2\n1 1\n1 2\n");
    let simple = "n m; c[n]; repeat m: u v w where 2 <= n <= 9; 1 <= m <= 9; 0 <= c <= 1; edges (u, v) on 1..n: simple; \
                  1 <= w <= 99";
    let heavy: Fails = |t, _| t[2..].contains(&50);
    check_pass(axes::shorten_axes, simple, "3 2\n0 0 1\n1 2 3\n2 3 50\n", heavy, "2 1\n0 1\n1 2 50\n");
    let directed = "n m; c[n]; repeat m: u v w where 2 <= n <= 9; 1 <= m <= 9; 0 <= c <= 1; \
                    edges (u, v) on 1..n: directed, loopless; 1 <= w <= 99";
    let total: Fails = |t, _| {
        let edges = t[2..].get(usize::try_from(t[0]).unwrap()..).unwrap();
        edges.chunks(3).map(|e| e[2]).sum::<i128>() == 9
    };
    check_pass(axes::shorten_axes, directed, "3 2\n0 0 0\n1 2 4\n2 3 5\n", total, "2 1\n0 0\n1 2 9\n");
}

#[test]
fn full_deletion_tries_what_quick_ddmin_skips() {
    // Only the third of 41 elements can be deleted, and quick ddmin gives up before it is found.
    let needed: Fails = |t, _| (1..=40).all(|i| t[1..].contains(&i));
    let numbers = |all: &[i128]| all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let few: Vec<i128> = (1..=40).collect();
    let more = [&few[..2], &[99], &few[2..]].concat();
    let (before, shorter) = (format!("41\n{}\n", numbers(&more)), format!("40\n{}\n", numbers(&few)));
    check_pass(axes::shorten_axes, ARRAY, &before, needed, &before);
    check_pass(axes::shorten_axes_fully, ARRAY, &before, needed, &shorter);
}

#[test]
fn forms_become_simpler() {
    let either = "q; repeat q: either: 1 w; 2 x y where 1 <= q <= 20; 0 <= w, x, y <= 50";
    check_pass(alternatives::simplify_alternatives, either, "2\n2 7 5\n1 4\n", |t, _| t[0] == 2, "2\n1 0\n1 4\n");
    check_pass(alternatives::simplify_alternatives, either, "1\n2 7 5\n", |t, _| t[2] >= 7, "1\n1 7\n");
    let when = "t\nif t >= 2:\n    y z\nwhere 0 <= t <= 9; 0 <= y, z <= 50";
    check_pass(alternatives::simplify_alternatives, when, "5\n7 8\n", |_, _| true, "0\n");
    check_pass(alternatives::simplify_alternatives, when, "5\n7 8\n", |t, _| t[0] >= 2, "2\n7 8\n");
    // The lines appear with the number that their condition needs.
    let other = "t\nif t = 1:\n    x\nif t = 4:\n    y z\nwhere 0 <= t <= 9; 0 <= x, y, z <= 50";
    check_pass(alternatives::simplify_alternatives, other, "4\n7 8\n", |t, _| t.len() == 2 || t[0] == 4, "1\n0\n");
}

#[test]
fn paired_axes_shrink_together() {
    let two = "n m; a[n]; b[m] where 1 <= n, m <= 60; 1 <= a, b <= 99";
    let alike: Fails = |t, _| t[0] == t[1] && t.contains(&77);
    check_pass(paired_deletion::shorten_pairs, two, "3 3\n1 2 77\n4 5 6\n", alike, "1 1\n77\n6\n");
    let cases = "T; cases T: n; a[n] where 3 <= T <= 40; 1 <= n <= 4; 1 <= a <= 9; sum(n) <= 100";
    let three: Fails = |_, text| {
        let lines: Vec<&str> = text.lines().skip(2).step_by(2).collect();
        lines.iter().all(|line| *line == lines[0] && line.contains('7'))
    };
    check_pass(
        paired_deletion::shorten_pairs,
        cases,
        "3\n3\n1 7 2\n3\n1 7 2\n3\n1 7 2\n",
        three,
        "3\n1\n7\n1\n7\n1\n7\n",
    );
}

#[test]
fn elements_are_merged_and_their_sum_is_kept() {
    check_pass(merge::merge_elements, ARRAY, "3\n5 6 7\n", |t, _| t[1..].iter().sum::<i128>() == 18, "1\n18\n");
    let low = "n; a[n] where 1 <= n <= 60; 1 <= a <= 10";
    check_pass(merge::merge_elements, low, "5\n3 5 6 7 2\n", |t, _| t[1..].iter().sum::<i128>() >= 20, "2\n10 10\n");
}

#[test]
fn signs_are_mirrored() {
    check_pass(reorder::reflect_values, SIGNED, "2\n-2 -5\n", |t, _| t[1] * t[2] >= 10, "2\n2 5\n");
    let fields = "x y where -9 <= x, y <= 9";
    check_pass(reorder::reflect_values, fields, "-3 -4\n", |t, _| t[0] * t[1] >= 10, "3 4\n");
    check_pass(reorder::reflect_values, fields, "3 -4\n", |t, _| t[0] >= 3, "3 4\n");
}

#[test]
fn arrays_are_changed_as_wholes() {
    check_pass(
        arrays::simplify_arrays,
        ARRAY,
        "3\n3 1 2\n",
        |t, _| t[1] + t[2] + t[3] == 6 && t.len() == 4,
        "3\n1 2 3\n",
    );
    check_pass(arrays::simplify_arrays, ARRAY, "3\n17 900 17\n", |t, _| t[1] == t[3] && t[1] < t[2], "3\n1 2 1\n");
    check_pass(arrays::simplify_arrays, ARRAY, "2\n105 108\n", |t, _| t[2] - t[1] == 3, "2\n1 4\n");
    // Equal values together: to the simplest, to another value, and as near as they go.
    check_pass(
        arrays::simplify_arrays,
        ARRAY,
        "3\n9 20 9\n",
        |t, _| t[1] == t[3] && t[1] >= 4 && t[2] == 20,
        "3\n4 20 4\n",
    );
    check_pass(
        arrays::simplify_arrays,
        ARRAY,
        "3\n9 7 9\n",
        |t, _| t[1] == t[3] && t[1] >= 7 && t[2] == 7,
        "3\n7 7 7\n",
    );
    // Two values swapped everywhere.
    let odd_one_out: Fails = |_, text| ["bbbab", "aaaba"].contains(&text.trim());
    check_pass(arrays::simplify_arrays, TEXT, "bbbab\n", odd_one_out, "aaaba\n");
    // Equal numbers of several fields.
    let keys = "x y z where 0 <= x, y, z <= 99";
    check_pass(arrays::simplify_arrays, keys, "9 9 9\n", |t, _| t[0] == t[1] && t[1] == t[2] && t[0] >= 4, "4 4 4\n");
}

#[test]
fn values_come_as_near_as_they_go() {
    check_pass(values::minimize_values, ARRAY, "3\n5 900 7\n", |t, _| t[2] >= 37, "3\n1 37 1\n");
    check_pass(values::minimize_values, ARRAY, "2\n900 800\n", |t, _| t[1] >= 37 && t[2] >= 37, "2\n37 37\n");
    check_pass(values::minimize_values, SIGNED, "1\n-900\n", |t, _| t[1].abs() >= 2, "1\n-2\n");
    check_pass(values::minimize_values, SIGNED, "1\n-900\n", |t, _| t[1] <= -37, "1\n-37\n");
    check_pass(values::minimize_values, TEXT, "cbcb\n", |_, text| text.starts_with("cb"), "cbaa\n");
}

#[test]
fn boards_take_every_shape() {
    let three: Fails = |_, text| text.bytes().filter(|c| *c == b'#').count() >= 3;
    check_pass(reshape::reshape_boards, BOARD, "2 3\n#.#\n.#.\n", three, "1 3\n###\n");
    check_pass(reshape::reshape_boards, BOARD, "3 1\n#\n#\n#\n", three, "1 3\n###\n");
}

#[test]
fn boards_are_mirrored_and_turned() {
    let places = "n x y; b[n][n] where 3 <= n <= 8; 1 <= x, y <= n; b over \".#\"";
    let beside: Fails = |t, text| {
        let row = text.lines().nth(usize::try_from(t[1]).unwrap()).unwrap().as_bytes();
        let place = usize::try_from(t[2]).unwrap() - 1;
        [1, t[0]].contains(&t[1]) && [0, 2].contains(&place) && row[1] == b'#' && row[place] == b'.'
    };
    check_pass(symmetry::transform_boards, places, "3 3 3\n...\n...\n.#.\n", beside, "3 1 3\n.#.\n...\n...\n");
    let corner: Fails = |t, text| {
        let rows: Vec<&[u8]> = text.lines().skip(1).map(str::as_bytes).collect();
        t[1] == t[2] && (rows[1][0] == b'#' || rows[0][1] == b'#')
    };
    check_pass(symmetry::transform_boards, places, "3 1 1\n.#.\n...\n...\n", corner, "3 1 1\n...\n#..\n...\n");
    // The contents move along with the reference, by a row and by a column.
    let under: Fails = |t, text| {
        let row = text.lines().nth(usize::try_from(t[1]).unwrap()).unwrap();
        row.as_bytes()[usize::try_from(t[2]).unwrap() - 1] == b'#'
    };
    check_pass(symmetry::transform_boards, places, "3 2 2\n...\n.#.\n...\n", under, "3 1 1\n#..\n...\n...\n");
    // Mirrored, and then the reference comes nearer to the first column.
    let ends: Fails = |_, text| text.starts_with("4 1 3\n#...\n") || text.starts_with("4 1 1\n...#\n");
    check_pass(
        symmetry::transform_boards,
        places,
        "4 1 3\n#...\n....\n....\n....\n",
        ends,
        "4 1 1\n...#\n....\n....\n....\n",
    );
}

#[test]
fn two_values_move_together() {
    check_pass(pair_moves::move_pairs, TWO, "9 7\n", |t, _| t[0] - t[1] == 2, "2 0\n");
    check_pass(pair_moves::move_pairs, TWO, "7 5\n", |t, _| t[0] + t[1] == 12, "0 12\n");
    check_pass(pair_moves::move_pairs, TWO, "7 3\n", |t, _| [[7, 3], [5, 4]].iter().any(|pair| pair == t), "5 4\n");
    check_pass(pair_moves::move_pairs, TWO, "9 4\n", |t, _| [[9, 4], [4, 9]].iter().any(|pair| pair == t), "4 9\n");
    let products = "x y where 1 <= x, y <= 10^6";
    check_pass(pair_moves::move_pairs, products, "1 1000000\n", |t, _| t[0] * t[1] >= 1_000_000, "1000 1000\n");
}

#[test]
fn two_values_are_placed_anew() {
    // A knight's move apart, and neither alone can move.
    let knights: Fails = |_, text| {
        let rows: Vec<&[u8]> = text.lines().skip(1).map(str::as_bytes).collect();
        let at = |r: usize, c: usize| rows.get(r).and_then(|row| row.get(c)) == Some(&b'#');
        let stones = text.matches('#').count();
        stones == 2 && (0..3).any(|r| (0..3).any(|c| at(r, c) && (at(r + 2, c + 1) || c > 0 && at(r + 2, c - 1))))
    };
    check_pass(pair_moves::place_pairs, BOARD, "3 3\n#..\n...\n.#.\n", knights, "3 3\n..#\n...\n.#.\n");
}

#[test]
fn positions_names_and_lines_are_exchanged() {
    let siblings = "n; a[n]; b[n] where 1 <= n <= 30; 1 <= a, b <= 1000";
    let crossed: Fails = |t, _| t[1] + t[3] == 3 && t[2] + t[4] == 3 && t[1] != t[2];
    check_pass(permutation::permute_positions, siblings, "2\n2 1\n1 2\n", crossed, "2\n1 2\n2 1\n");
    // The middle vertex comes first, and the edges follow.
    let middle: Fails = |t, _| {
        let (n, colour) = (usize::try_from(t[0]).unwrap(), |v: i128| t[usize::try_from(v).unwrap()]);
        t[1..=n].iter().sum::<i128>() == 7 && t[n + 1..].chunks(2).all(|e| colour(e[0]) + colour(e[1]) == 4)
    };
    check_pass(permutation::permute_positions, TREE, "3\n3 1 3\n1 2\n2 3\n", middle, "3\n1 3 3\n1 2\n1 3\n");
    // A ring of five: no single swap makes it simpler.
    let ring = "n m; repeat m: u v where 3 <= n <= 9; 1 <= m <= 9; edges (u, v) on 1..n: simple";
    let is_ring: Fails = |t, _| {
        let degrees = (1..=5).all(|v| t[2..].iter().filter(|w| **w == v).count() == 2);
        let is_edge = |u: i128, v: i128| t[2..].chunks(2).any(|e| e == [u, v] || e == [v, u]);
        let third = |u, v| (1..=5).any(|w| is_edge(u, w) && is_edge(v, w));
        degrees && (1..=5).all(|u| (1..=5).all(|v| !is_edge(u, v) || !third(u, v)))
    };
    check_pass(
        permutation::permute_positions,
        ring,
        "5 5\n1 2\n2 3\n3 4\n4 5\n1 5\n",
        is_ring,
        "5 5\n1 2\n1 3\n2 4\n3 5\n4 5\n",
    );
}

#[test]
fn parts_come_in_their_simplest_order() {
    let turned: Fails = |t, _| [[1, 2, 3], [2, 3, 1], [3, 1, 2]].iter().any(|order| t[1..] == *order);
    check_pass(reorder::reorder_arrays, ARRAY, "3\n2 3 1\n", turned, "3\n1 2 3\n");
    check_pass(reorder::reorder_arrays, ARRAY, "3\n3 2 1\n", |t, _| t[2] == 2 && t[1] + t[3] == 4, "3\n1 2 3\n");
    let right: Fails = |_, text| text.matches(".#").count() == 1 && text.matches('#').count() == 1;
    check_pass(reorder::reorder_arrays, BOARD, "2 2\n.#\n..\n", right, "2 2\n..\n.#\n");
}

#[test]
fn round_numbers_and_divisors_are_found() {
    let single = "x where 1 <= x <= 10^6";
    check_pass(values::try_round_values, single, "4900\n", |t, _| t[0] % 100 == 0, "100\n");
    check_pass(values::try_round_values, single, "498239\n", |t, _| t[0] % 166_080 == 166_079, "166079\n");
    check_pass(values::try_round_values, single, "700\n", |t, _| [700, 13].contains(&t[0]), "13\n");
    check_pass(values::try_round_values, single, "7310\n", |t, _| [7310, 6310].contains(&t[0]), "6310\n");
    check_pass(
        values::try_round_values,
        ARRAY,
        "2\n70 70\n",
        |t, _| t[1] == t[2] && t[1] % 10 == 0 && t[1] >= 50,
        "2\n50 50\n",
    );
    let apart = "n; a[n] where 1 <= n <= 60; 1 <= a <= 10^9; distinct(a)";
    check_pass(values::try_round_values, apart, "2\n1 10091\n", |t, _| t[1] % 1009 == t[2] % 1009, "2\n1 1010\n");
}

#[test]
fn the_last_few_values_are_tried_in_all_ways() {
    let palindrome: Fails = |_, text| {
        let s = text.trim().as_bytes();
        s.len() == 5 && s[0] == s[4] && s[1] == s[3] && s.iter().any(|c| *c != s[0])
    };
    check_pass(exhaustive::try_all_values, TEXT, "ababa\n", palindrome, "aabaa\n");
}

#[test]
fn round_is_extrapolated_in_its_direction() {
    fn move_two_leaves(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
        let all = movable_leaves(search);
        let candidate = with_changes(search, [(&all[0], all[0].value - 1), (&all[1], all[1].value - 2)]);
        search.attempt_one(candidate).map(|_| ())
    }
    let double: Fails = |t, _| t[1] == 2 * t[0] && t[0] >= 3;
    assert_eq!(run_passes_on(&[move_two_leaves], TWO, "100 200\n", double).0, "99 198\n");
    assert_eq!(run_passes_on(&[move_two_leaves, ties::extrapolate_round], TWO, "100 200\n", double).0, "3 6\n");
    assert_eq!(run_passes_on(&[ties::extrapolate_round], TWO, "100 200\n", double), ("100 200\n".to_owned(), 0));
}

#[test]
fn adaptive_step_costs_one_query_per_digit() {
    fn lower_first_leaf(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
        let farthest = |search: &ShrinkSearch<'_, '_>| movable_leaves(search)[0].value;
        let moved = |search: &ShrinkSearch<'_, '_>, step: i128| {
            let all = movable_leaves(search);
            vec![with_changes(search, [(&all[0], all[0].value - step)])]
        };
        step_adaptively(search, &farthest, &moved).map(|_| ())
    }
    let cases: [(Fails, &str, usize); 4] = [
        (|t, _| t[0] >= 1000, "1000 0\n", 5),
        (|t, _| t[0] >= 900, "900 0\n", 20),
        (|t, _| t[0] >= 995, "995 0\n", 12),
        (|_, _| true, "0 0\n", 1),
    ];
    for (fails, expected, most) in cases {
        let (shrunk, queries) = run_passes_on(&[lower_first_leaf], TWO, "1000 0\n", fails);
        assert_eq!(shrunk, expected);
        assert!(queries <= most, "{queries} queries for {expected:?}");
    }
}

#[test]
fn tied_numbers_move_together() {
    let square: Fails = |t, _| t[1] > 3 && t[0] == t[1] * t[1];
    check_pass(ties::move_tied_values, TWO, "2401 49\n", square, "16 4\n");
    let triple: Fails = |t, _| t[0] > 4 && t[1] == 3 * t[0] + t[0] % 2 - t[0] % 2;
    check_pass(ties::move_tied_values, TWO, "900 2700\n", triple, "5 15\n");
    let negative = "x y where -100 <= x, y <= 100";
    check_pass(ties::move_tied_values, negative, "-9 18\n", |t, _| t[0] < -2 && t[1] == -2 * t[0], "-3 6\n");
}

#[test]
fn numbers_lose_common_factors() {
    let right: Fails = |t, _| t[1] > 4 && t[1] * t[1] + t[2] * t[2] == t[3] * t[3];
    check_pass(ties::divide_by_common_factors, ARRAY, "3\n18 24 30\n", right, "3\n6 8 10\n");
    let ratio: Fails = |t, _| t[0] > 1 && 3 * t[0] == 2 * t[1];
    check_pass(ties::divide_by_common_factors, TWO, "140 210\n", ratio, "2 3\n");
}

#[test]
fn equal_numbers_trade_with_another() {
    let target: Fails = |t, _| t.len() == 4 && t[1] + t[3] == 21 && t[1] == t[2] && t[1] != t[3];
    check_pass(ties::trade_groups, ARRAY, "3\n9 9 12\n", target, "3\n1 1 20\n");
}

#[test]
fn names_are_exchanged_everywhere() {
    let edges = "n m; repeat m: u v w where 1 <= n, m <= 9; 1 <= u, v <= n; 0 <= w <= 9";
    let path: Fails = |t, _| t.len() == 8 && t[2] == 1 && t[3] == t[5] && t[6] != t[5] && t[4] == 0 && t[7] == 1;
    check_pass(pair_moves::exchange_values, edges, "3 2\n1 3 0\n3 2 1\n", path, "3 2\n1 2 0\n2 3 1\n");
}
