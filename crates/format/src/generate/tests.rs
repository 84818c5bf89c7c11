#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
use super::*;
use crate::language::StopToken;
use crate::print::print_value;
use crate::read::read_input;
use crate::validate::find_violation;
use crate::value::InstanceList;
use rebut_diagnostics::SourceText;
use std::collections::HashSet;

/// Formats with every feature of the language, small enough to be generated thousands of times.
pub(crate) const FORMATS: &[&str] = &[
    "n where 1 <= n <= 100",
    "n; a[n] where 1 <= n <= 20; -9 <= a <= 9",
    "n m; a[n]; b[m] where 0 <= n, m <= 9; 1 <= a, b <= 10^9",
    "n; a[n]; b[n] where 1 <= n <= 9; 1 <= a <= 20; a <= b <= 20",
    "n k; s[n] where 1 <= k <= n <= 30; s over \"ab\"",
    "word; other where word, other over \"a-z\"; 1 <= len(word) <= 10; 0 <= len(other) <= 5",
    "R C; board[R][C] where 1 <= R, C <= 8; board over \".#SE\"; R * C >= 2; count(board, 'S') = 1; count(board, 'E') = 1",
    "n K; board[n][n] where 3 <= n <= 8; 1 <= K <= n; board over \".XO\"; count(board, 'X') = count(board, 'O'); count(board, '.') >= 1",
    "T; cases T: N Ax Ay Bx By; V[N][N] where 1 <= T <= 60; 2 <= N <= 300; 1 <= Ax, Ay, Bx, By <= N; (Ax, Ay) != (Bx, By); 1 <= V <= 10^9; sum(N) <= 300",
    "t; cases t: h w xa ya xb yb where 1 <= t <= 10^4; 1 <= xa, xb <= h <= 10^6; 1 <= ya, yb <= w <= 10^9; (xa, ya) != (xb, yb); sum(h) <= 10^6",
    "n q; a[n]; repeat q: l r where 1 <= n, q <= 50; 1 <= l <= r <= n; -10^9 <= a <= 10^9",
    "n m; repeat m: u v w where 2 <= n <= 10; 0 <= m <= n * (n - 1) / 2; 1 <= u < v <= n; 1 <= w <= 5; distinct((u, v))",
    "n; p[n] where 1 <= n <= 12; 1 <= p <= n; distinct(p)",
    "n S; a[n] where 1 <= n <= 10; 0 <= S <= 1000; 0 <= a <= 100; sum(a) <= S",
    "n; a[n] where 2 <= n <= 10; -50 <= a <= 50; sum(a) = 0",
    "n; a[2*n]; b[n+1] where 0 <= n <= 6; 1 <= a, b <= 5",
    "T; cases T: n; repeat n: { x; repeat 2: y z } where 1 <= T <= 5; 0 <= n <= 4; 0 <= x <= 9; 1 <= y < z <= 5; sum(n) <= 12; sum(sum(x)) <= 60",
    "n; words[n][] where 1 <= n <= 6; words over \"a-c\"; 1 <= len(words) <= 4",
    "k s[k]; x where 0 <= k <= 20; 0 <= s <= 30; distinct(s); 0 <= x <= 1",
    "a b c d where 1 <= a, b, c, d <= 6; distinct(a, b, c, d); a + b = c + d",
    "T; cases T: N where 2 <= T <= 9; 1 <= N <= 20; sum(N) = 40",
    "n q; a[n]; repeat q: either: 1 l r; 2 i x where 1 <= n, q <= 9; 1 <= l <= r <= n; 1 <= i <= n; 0 <= a, x <= 99",
    "n q; repeat q: either: { 1 l r x; 2 l r; \"z\" } where 1 <= n, q <= 9; 1 <= l <= r <= n; 0 <= x <= 9; distinct((l, r)); \
     sum(l) <= 20; forall i in 1..q-1: l[i] != l[i+1] + 1; sorted(r)",
    "q; repeat q: either: { \"add\" k a[k] op; \"del\" k a[k] op } where 1 <= q <= 4; 0 <= k, a <= 3; sum(a) <= 5; op one of \
     \"x\", \"y\"; count(op, \"x\") <= 2; k = 0 => op = \"y\"",
    "k; repeat k: u where 1 <= k <= 8; u over \"ab\"; 1 <= len(u) <= 3; forall i in 1..k: forall j in i+1..k: u[i] != u[j]; \
     forall i in 1..k: len(u[i]) <= i",
    "q; repeat q: either: { \"push\" x; \"pop\"; \"set\" y z } where 1 <= q <= 9; 1 <= x, y, z <= 5",
    "h\":\"m; \"R\"r\"C\"c k where 0 <= h <= 23; 0 <= m <= 59; 1 <= r, c <= 99; 0 <= k <= 3",
    "q; repeat q: either: { \"add\" a; \"remove\" r } where 1 <= q <= 8; 1 <= a, r <= 9; forall i in 1..q: count(a[1..i-1], r[i]) \
     > count(r[1..i-1], r[i])",
    "n q; a[n]; s[n]; repeat q: op where 1 <= n, q <= 9; -9 <= a <= 9; s over \"()x\"; op one of \"push\", \"pop\"; forall i in \
     1..n: sum(a[1..i]) >= 0; forall i in 1..n: count(s[1..i], ')') <= count(s[1..i], '('); forall i in 1..q: \
     count(op[1..i], \"pop\") <= count(op[1..i], \"push\"); max(a[1..n]) >= 0",
    "n; a[n]; b[n] where 2 <= n <= 6; 1 <= a <= 40; 0 <= b <= 31; gcd(a) = 1; xor(b) = 5",
    "n m; a[n] where 1 <= n <= 6; 1 <= m <= 9; 1 <= a <= 99; gcd(a) = m; gcd(n, m) <= 3; xor(n, m) >= 1",
    "q; repeat q: x y where 2 <= q <= 5; -4 <= x <= 9; 1 <= y <= 9; gcd(y) = 1; xor(x) != 3; gcd(x, y) <= 4",
    "n m; repeat m: u v where 1 <= n <= 6; 0 <= m <= 12; edges (u, v) on 1..n: strongly connected, simple",
    "n p; a[n] where 1 <= n <= 6; 2 <= p <= 60; prime(p); 1 <= a <= 99; a % 7 = 3; a != 17; distinct(a)",
    "q; repeat q: x where 1 <= q <= 5; -9 <= x <= 9; x != 0; x * x % 3 = 1",
    "n; a[n] where 1 <= n <= 5; 1 <= a <= 40; forall i in 1..n: prime(a[i]) or a[i] % 10 = 1; not prime(n)",
    "n S; a[n] where 1 <= n <= 20; 1 <= S <= 60; 1 <= a <= 50; distinct(a); sum(a) <= S",
    "n; words[n][] where 1 <= n <= 9; words over \"ab\"; 1 <= len(words) <= 12; sum(len(words)) <= 15; distinct(words)",
    "n; repeat n-1: u v where 1 <= n <= 12; edges (u, v) on 1..n: tree, degree <= 3",
    "n m; repeat m: u v where 3 <= n <= 8; 0 <= m <= 10; edges (u, v) on 1..n: simple, connected, degree <= 3",
    "n m; repeat m: u v where 1 <= n <= 7; 0 <= m <= 5; edges (u, v) on 0..n-1: degree <= 2",
    "n; p[n-1] where 2 <= n <= 9; parents p of 2..n on 1..n: tree, degree <= 3",
    "T; cases T: { \"\"; n; a[n]; \"\"; b } where 1 <= T <= 3; 1 <= n <= 3; 0 <= a, b <= 9",
    "n; V[n][n] where 1 <= n <= 4; -3 <= V <= 3; forall i in 1..n: sum(V[i][1..i]) = 0 and min(V[i][i..n]) <= 0",
    "type n; if type = 1: { x y; repeat n: z } where 0 <= type <= 1; 0 <= n <= 3; 0 <= x, y, z <= 9",
    "repeat 0..5 until 0 0: a b where 0 <= a, b <= 3",
    "n m; repeat m: u v where 2 <= n <= 9; 1 <= m <= 20; 1 <= u, v <= n; edges (u[1..n-1], v[1..n-1]) on 1..n: tree",
    "n m; repeat m: u v where 2 <= n <= 8; 1 <= m <= 12; 1 <= u, v <= n; edges (u[1..n-1], v[1..n-1]) on 1..n: path; \
     edges (u, v) on 1..n: simple",
    "n q; repeat q: c a b where 2 <= n <= 6; 1 <= q <= 20; 1 <= c <= 3; 1 <= a, b <= n; \
     edges (a, b) on 1..n if c != 2: connected; edges (a, b) on 1..n if c != 1: connected",
    "n m; repeat m: w u v where 2 <= n <= 7; 1 <= m <= 15; 1 <= w <= 10^9; 1 <= u, v <= n; \
     edges (u, v) on 1..n if w <= 5: tree; edges (u, v) on 1..n: loopless",
    "n m; repeat m: op u v where 2 <= n <= 7; 1 <= m <= 15; op one of \"add\", \"ask\"; 1 <= u, v <= n; \
     edges (u, v) on 1..n if op = \"add\": forest",
    "T; \"\"; cases T separated by \"\": { n; a[n] } where 1 <= T <= 9; 1 <= n <= 3; 0 <= a <= 9; sum(n) <= 12",
    "T; cases T separated by \"--\" 7: x where 1 <= T <= 9; 0 <= x <= 9",
    "repeat 1..5 until 0 separated by \"\": { n; repeat n separated by \"\": x y } where 1 <= n <= 3; 0 <= x, y <= 3",
    "repeat 1..5 until eof: { n; s[n] } where 1 <= n <= 3; s over \"ab\"",
    "name\"-\"x where name over \"a-z\"; 1 <= len(name) <= 4; -5 <= x <= 5",
    "n m; repeat m: u v w where 2 <= n <= 9; 1 <= m <= 30; edges (u, v) on 1..n: simple, connected; 1 <= w <= 9",
    "n; repeat n-1: u v where 1 <= n <= 12; edges (u, v) on 1..n: tree",
    "T; cases T: n; c[n]; repeat n-1: u v where 1 <= T <= 5; 1 <= n <= 9; 0 <= c <= 3; edges (u, v) on 0..n-1: path; sum(n) <= 20",
    "n m; repeat m: u v where 1 <= n <= 7; 0 <= m <= 21; edges (u, v) on 1..n: dag, simple",
    "n m; repeat m: u v where 2 <= n <= 8; 0 <= m <= 20; edges (u, v) on 1..n: directed, loopless",
    "n m; repeat m: u v where 1 <= n <= 8; 0 <= m <= 16; edges (u, v) on 1..n: bipartite, simple",
    "n; p[n] where 1 <= n <= 9; p permutation of 1..n",
    "n; a[n]; b[n] where 1 <= n <= 9; 0 <= a, b <= 20; sorted(a); decreasing(b)",
    "n; repeat n: l r where 1 <= n <= 6; 0 <= l < r <= 50; increasing(l)",
    "n m; repeat m: u v w where 1 <= n <= 7; 0 <= m <= 12; 0 <= u, v < n; 0 <= w <= 5",
    "n m; repeat m: u v w where 2 <= n <= 7; 0 <= m <= 12; 1 <= u, v <= n; u != v; 0 <= w <= 5",
    "n; repeat n: w where 1 <= n <= 9; w over \"ab\"; 1 <= len(w) <= 3; forall i in 1..n-1: w[i] < w[i+1]",
    "n; w[n][]; repeat n: x where 1 <= n <= 9; w over \"ab\"; 1 <= len(w) <= 3; forall i in 2..n: w[i-1] >= w[i]; \
     0 <= x <= 9; forall i in 1..n-1: x[i] < x[i+1]",
    "n; repeat n: x y z where 1 <= n <= 9; 0 <= x <= 20; distinct(x); -5 <= y <= 5; sorted(y); -9 <= z <= 9; decreasing(z)",
    "n m; repeat m: r w u v where 1 <= n <= 9; 0 <= m <= 30; 0 <= w < r <= 40; edges (u, v) on 0..n: simple",
    "n; a[n] where 0 <= n <= 5; 1 <= a <= n",
    "n q; repeat q: l r where 1 <= n <= 20; 0 <= q <= 3; 1 <= l < r <= n",
    "T; cases T: n m; a[n][m] where 1 <= T <= 5; 1 <= n, m; sum(n*m) <= 40; 0 <= a <= 1",
    "n; g[n][n] where 1 <= n <= 5; 0 <= g <= 1; sum(g) <= 7",
    "n; x[n]; y where 1 <= n <= 5; x real, 3 decimals; -1 <= x <= 1; y real, 0..2 decimals; 0 <= y <= 5; sum(x) <= 1.5",
    "q; repeat q: { op; if op = \"push\": x } where 1 <= q <= 9; op one of \"push\", \"pop\"; 0 <= x <= 9; count(op, \"pop\") >= 1",
    "w; v where w matches \"[A-Z]([a-z]|-[a-z])*\"; len(w) <= 20; v matches \"a+b+\"; len(v) <= 9",
    "n; (a[n][]); b[] where 1 <= n <= 5; a over \"xyz\"; 1 <= len(a) <= 4; distinct(a); -5 <= b <= 5; 0 <= len(b) <= 6",
    "n; a[n] where 1 <= n <= 30; 0 <= a <= 5; forall i in 1..n-1: a[i] != a[i+1]; a[1] = 3",
    "n; repeat n: s e where 1 <= n <= 6; 0 <= s <= e <= 60; forall i in 1..n-1: e[i] < s[i+1]",
    "n; V[n][n] where 1 <= n <= 6; 0 <= V <= 9; symmetric(V); forall i in 1..n: V[i][i] = 0",
    "n m where 0 <= n, m <= 9; n > 5 => m <= 2; n = 3 or m != 3; not (n = 0 and m = 0)",
    "q; repeat q: either: 0 i v; 0 s t where 1 <= q <= 5; 1 <= i, v <= 5; 3 <= s, t <= 7",
    "n; p[n-1] where 2 <= n <= 20; parents p of 2..n on 1..n: tree",
    "a b c where 1 <= a, b, c <= 50; max(a, b) < c; abs(a - b) >= 2; min(a, c) >= 3",
    "n s[2]; x[2][] where 3 <= n <= 4*10^5; 2 <= s <= 2*10^5; sum(s) = n + 1; len(x) = s; x permutation of 0..n; x[1][s[1]] != 0",
    "k; x[k][] where 1 <= k <= 4; 0 <= len(x) <= 5; 0 <= x <= 99; increasing(x)",
    "n k; a[n] where 1 <= k <= n <= 9; 1 <= a <= k; forall v in 1..k: count(a[1..n], v) >= 1",
    "n; a[2*n] where 1 <= n <= 6; 1 <= a <= n; forall v in 1..n: count(a[1..2*n], v) = 2",
    "n; V[n][n] where 1 <= n <= 6; 1 <= V <= n; forall i in 1..n: distinct(V[i]); forall j in 1..n: distinct(V[1..n][j])",
    "n m; V[n][m]; s where 1 <= n, m <= 5; 0 <= V <= 9; forall j in 1..m: sum(V[1..n][j]) >= 3; s over \"a-f\"; 1 <= len(s) <= 6; \
     distinct(s)",
    "n m; a[n]; b[m] where 1 <= n, m <= 4; 1 <= a, b <= 8; distinct(a); increasing(b); disjoint(a, b)",
    "l; r; n; repeat n: op x y where l, r over \"a-d\"; 1 <= len(l), len(r) <= 9; disjoint(l, r); 1 <= n, x, y <= 6; disjoint(x, y); \
     op one of \"add\", \"ask\"; distinct(op) = 1",
    "n k; p[n] where 1 <= n <= 9; 0 <= k <= 36; p permutation of 1..n; inversions(p) = k",
    "n; p[n]; a[n] where 1 <= n <= 9; p permutation of 0..n-1; 1 <= cycles(p) <= 2; 0 <= a <= 2; inversions(a) >= n - 2",
    "n k; a[n]; c[n] where 1 <= k <= n <= 9; 1 <= a, c <= 9; distinct(a) = k; distinct(c[1..k]); sorted(a)",
    "n; repeat n: p q where 1 <= n <= 9; 1 <= p <= n; distinct(p); cycles(p) = 1; 0 <= q <= 3; distinct(q) <= 2",
    "n; repeat n-1: u v where 3 <= n <= 12; edges (u, v) on 1..n: tree, depth 2..4",
    "n; p[n-1] where 2 <= n <= 12; parents p of 1..n-1 on 1..n: tree, depth <= 3",
    "s; repeat count(s, '?'): { x; t; repeat len(t): y } where s over \"a?\"; 1 <= len(s) <= 5; t over \"ab\"; 0 <= len(t) <= 3; 0 <= x, y <= 3",
];

#[test]
fn lines_that_may_be_edges_have_shapes_of_graphs() {
    for (rule, are_edges) in
        [("", true), ("; u != v", true), ("; u <= v", false), ("; distinct(u)", false), ("; u <= 3", false)]
    {
        let text = format!("n m; repeat m: u v w where 2 <= n <= 90; 1 <= m <= n; 1 <= u, v <= n; 1 <= w <= 9{rule}");
        let format = parse_format(&text);
        let plan = GenerationPlan::new(&format);
        let is_graph = |seed: &u64| {
            let generated = generate_value(&plan, &mut Choices::from_seed(*seed, 0), &test_settings(100)).unwrap();
            assert_eq!(find_violation(&format, &generated.value), None, "{text}");
            ["path", "star", "band", "broom", "grid", "cycle"].contains(&generated.shape.as_str())
        };
        assert_eq!((0..2000).filter(is_graph).count() > 40, are_edges, "{text}");
    }
}

#[test]
fn orders_in_words_are_met_at_full_size() {
    let largest = GenerationSettings { extreme: Some(Extreme::Max), ..GenerationSettings::default() };
    for (layout, order) in [
        ("repeat n: w", "forall i in 1..n-1: w[i] < w[i+1]"),
        ("repeat n: k w", "forall i in 2..n: w[i] <= w[i-1]; len(w) = k"),
        ("w[n][]", "forall i in 1..n-1: w[i+1] >= w[i]"),
        ("w[n][]", "forall i in 1..n-1: w[i] > w[i+1]"),
    ] {
        let bounds = if layout.contains('k') { "1 <= k <= 9" } else { "1 <= len(w) <= 9" };
        let format = parse_format(&format!("n; {layout} where 1 <= n <= 3000; w over \"a-z\"; {bounds}; {order}"));
        for seed in 0..3 {
            let plan = GenerationPlan::new(&format);
            let value = generate_value(&plan, &mut Choices::from_seed(seed, 0), &largest).unwrap().value;
            assert_eq!(find_violation(&format, &value), None, "{order}");
            assert_eq!(value.root_slots()[0].as_int(), Some(3000), "{order}");
        }
    }
    let both = ["sorted(a)", "forall i in 1..n-1: a[i] <= a[i+1]"]
        .map(|order| parse_format(&format!("n; repeat n: a where 1 <= n <= 9; 1 <= a <= 9; {order}")).constraints);
    assert_eq!(both[0].last().unwrap().rule, both[1].last().unwrap().rule);
}

pub(crate) fn parse_format(text: &str) -> Format {
    let source = SourceText::new("format", text);
    Format::parse(&source).unwrap_or_else(|p| panic!("{}", p[0].render_text(&source))).0
}

fn test_settings(growth: u32) -> GenerationSettings {
    GenerationSettings { growth, max_elements: 2000, ..GenerationSettings::default() }
}

#[test]
fn whatever_is_generated_is_valid_and_reads_back() {
    for text in FORMATS {
        let format = parse_format(text);
        let plan = GenerationPlan::new(&format);
        for seed in 0..300 {
            let mut choices = Choices::from_seed(seed, 7);
            let growth = u32::try_from(seed % 101).unwrap();
            let generated = generate_value(&plan, &mut choices, &test_settings(growth));
            let value = generated.unwrap_or_else(|f| panic!("{text}, seed {seed}: {f:?}")).value;
            let bytes = print_value(&format, &value);
            let shown = String::from_utf8_lossy(&bytes);
            assert_eq!(find_violation(&format, &value), None, "{text}\n{shown}");
            let again = read_input(&format, &bytes).unwrap_or_else(|p| panic!("{text}\n{shown}\n{}", p.message));
            assert_eq!(again, value, "{text}\n{shown}");
            assert_eq!(print_value(&format, &again), bytes);
        }
    }
}

#[test]
fn inputs_of_every_number_range_are_valid() {
    for text in FORMATS {
        let format = parse_format(text);
        let plan = GenerationPlan::new(&format);
        for (seed, numbers) in [NumberRanges::Near(1), NumberRanges::Near(12), NumberRanges::Extreme]
            .into_iter()
            .flat_map(|numbers| (0..40).map(move |seed| (seed, numbers)))
        {
            let growth = u32::try_from(seed * 5 % 101).unwrap();
            let settings = GenerationSettings { numbers, ..test_settings(growth) };
            let generated = generate_value(&plan, &mut Choices::from_seed(seed, 3), &settings);
            let value = generated.unwrap_or_else(|f| panic!("{text}, seed {seed}: {f:?}")).value;
            assert_eq!(find_violation(&format, &value), None, "{text}, seed {seed}, {numbers:?}");
        }
    }
}

/// Returns the root slots of inputs with numbers in a part of their ranges.
fn inputs_with_numbers(text: &str, numbers: NumberRanges) -> Vec<Vec<Value>> {
    let format = parse_format(text);
    let plan = GenerationPlan::new(&format);
    let settings = GenerationSettings { numbers, ..test_settings(60) };
    let draw = |seed| generate_value(&plan, &mut Choices::from_seed(seed, 1), &settings).unwrap().value;
    (0..100).map(|seed| draw(seed).root_slots().to_vec()).collect()
}

#[test]
fn small_numbers_are_small_together() {
    let text = "n; x y; a[n]; s[n] where 5 <= n <= 50; -10^9 <= x <= 10^9; 7 <= y, a <= 10^9; s over \"a-z\"";
    let inputs = inputs_with_numbers(text, NumberRanges::Near(4));
    for slots in &inputs {
        let (Value::Ints(numbers), Value::Text(letters)) = (&slots[3], &slots[4]) else { panic!("{slots:?}") };
        assert!(numbers.iter().all(|number| (7..=11).contains(number)), "{slots:?}");
        assert!(letters.iter().all(|letter| (b'a'..=b'd').contains(letter)), "{slots:?}");
    }
    // One number in five is next to another one instead.
    let is_near = |value: &Value, simplest: i128| value.as_int().unwrap().abs_diff(simplest) <= 4;
    assert!(inputs.iter().filter(|slots| is_near(&slots[1], 0) && is_near(&slots[2], 7)).count() >= 50);
}

#[test]
fn numbers_can_have_distances_of_their_own() {
    let slots = inputs_with_numbers("d x y where 1 <= d <= 1000; 0 <= x, y <= 1000", NumberRanges::NearEach(40));
    let numbers = |slots: &Vec<Value>| slots.iter().map(|slot| slot.as_int().unwrap()).collect::<Vec<i128>>();
    // A number next to another one may be up to twice that far.
    assert!(slots.iter().flat_map(numbers).all(|number| number <= 84));
    let is_mixed = |numbers: &Vec<i128>| numbers[0] >= 10 && numbers[1] <= 4 && numbers[2] <= 2;
    assert!(slots.iter().map(numbers).filter(is_mixed).count() >= 3);
    assert!(slots.iter().map(numbers).filter(|numbers| numbers.iter().all(|number| *number >= 8)).count() >= 3);
}

#[test]
fn extreme_numbers_are_at_an_end_or_in_the_middle() {
    let slots = inputs_with_numbers("x y where 0 <= x <= 10^9; -10^6 <= y <= 10^6", NumberRanges::Extreme);
    // One number in five is near the other instead.
    let distance = |x: i128| [0, 500_000_000, 1_000_000_000].map(|place| x.abs_diff(place)).into_iter().min().unwrap();
    let extreme = slots.iter().filter(|slots| distance(slots[0].as_int().unwrap()) <= 3);
    assert!(extreme.count() >= 80);
}

#[test]
fn many_lines_keep_the_shapes_of_their_columns() {
    let lines = |text: &str, shape: &str| -> Vec<Vec<i128>> {
        let format = parse_format(text);
        let wanted = GenerationSettings {
            shape: Some(shape.to_owned()),
            extreme: Some(Extreme::Max),
            ..GenerationSettings::default()
        };
        let generated =
            generate_value(&GenerationPlan::new(&format), &mut Choices::from_seed(1, 1), &wanted).unwrap().value;
        let rows = generated.root_slots()[1].as_instances().iter();
        rows.map(|row| row.iter().filter_map(Value::as_int).collect()).collect()
    };
    let mut generated = lines("n; repeat n: l r where 1 <= n <= 3000; 1 <= l <= r <= 10^6", "nested");
    generated.sort_by_key(|ends| (ends[0], -ends[1]));
    assert!(generated.windows(2).all(|pair| pair[0][0] <= pair[1][0] && pair[1][1] <= pair[0][1]));
    let edges = "n; repeat n-1: u v w where 2 <= n <= 3000; edges (u, v) on 1..n: tree; 1 <= w <= 10^9";
    assert!(lines(edges, "star").iter().all(|edge| edge.len() == 3));
    let distinct = "n; repeat n: x y where 1 <= n <= 3000; 1 <= x <= 3000; distinct(x); 0 <= y <= 9; sorted(y)";
    assert!(lines(distinct, "uniform").is_sorted_by_key(|line| line[1]));
    let points = "n; repeat n: x y where 1 <= n <= 3000; -10^8 <= x, y <= 10^8; distinct((x, y))";
    assert!(lines(points, "sorted").is_sorted());
}

fn generate_bytes(text: &str, settings: &GenerationSettings, seed: u64) -> String {
    let format = parse_format(text);
    let generated = generate_value(&GenerationPlan::new(&format), &mut Choices::from_seed(seed, 0), settings);
    let value = generated.unwrap().value;
    assert_eq!(find_violation(&format, &value), None);
    String::from_utf8(print_value(&format, &value)).unwrap()
}

#[test]
fn forms_of_lines_have_shapes() {
    let text = "q; repeat q: either: { 1 x; 2 y } where 40 <= q <= 60; 1 <= x, y <= 9";
    let forms_of = |shape: &str, seed| {
        let settings = GenerationSettings { shape: Some(shape.to_owned()), ..test_settings(100) };
        let printed = generate_bytes(text, &settings, seed);
        let lines = printed.lines().skip(1);
        lines.filter_map(|line| line.chars().next()).collect::<String>()
    };
    let all: Vec<String> = (0..8).map(|seed| forms_of("forms/one-form", seed)).collect();
    assert!(all.iter().all(|forms| forms.chars().all(|form| forms.starts_with(form))), "{all:?}");
    assert!(all.iter().any(|forms| forms.starts_with('1')) && all.iter().any(|forms| forms.starts_with('2')));
    let phases = forms_of("forms/phases", 5);
    assert!(phases.matches("12").count() + phases.matches("21").count() <= 1, "{phases}");
    // A form that the constraints forbid is not insisted on.
    let one_way = "q; repeat q: either: { 1 x; 2 y } where 40 <= q <= 60; 1 <= x, y <= 9; sum(x) <= 5";
    let settings = GenerationSettings { shape: Some("forms/one-form".to_owned()), ..test_settings(100) };
    (0..8).for_each(|seed| assert!(!generate_bytes(one_way, &settings, seed).is_empty()));
}

#[test]
fn numbers_with_gaps_between_them_keep_their_variety() {
    for (text, least) in [
        ("n; a[n] where n = 500; 1 <= a <= 10^9; a % 41 = 3", 100),
        ("n; a[n] where n = 500; 1 <= a <= 10^18; prime(a)", 100),
        ("n; a[n] where n = 500; 1 <= a <= 10^9; forall i in 1..n: prime(a[i])", 100),
        ("n; repeat n: x where n = 500; 1 <= x <= 10^9; gcd(x, 30030) = 1", 100),
    ] {
        let format = parse_format(text);
        let plan = GenerationPlan::new(&format);
        let settings = GenerationSettings { shape: Some("uniform".to_owned()), ..GenerationSettings::default() };
        let value = generate_value(&plan, &mut Choices::from_seed(5, 0), &settings).unwrap().value;
        let bytes = print_value(&format, &value);
        let different: HashSet<&[u8]> = bytes.split(|byte| byte.is_ascii_whitespace()).collect();
        assert!(different.len() > least, "{text}: {} different numbers", different.len());
    }
}

#[test]
fn lengths_share_what_their_sum_allows() {
    let rows = "n; words[n][] where 1 <= n <= 100; words over \"ab\"; 1 <= len(words) <= 1000; sum(len(words)) <= 1000";
    let lines = "n; repeat n: w where 1 <= n <= 100; w over \"ab\"; 1 <= len(w) <= 1000; sum(len(w)) <= 1000";
    for text in [rows, lines] {
        let format = parse_format(text);
        let wanted = GenerationSettings { extreme: Some(Extreme::Max), ..GenerationSettings::default() };
        let generated = (0..20).map(|seed| {
            generate_value(&GenerationPlan::new(&format), &mut Choices::from_seed(seed, 1), &wanted).unwrap().value
        });
        let totals: Vec<usize> = generated.map(|value| value.root_slots()[1].element_count()).collect();
        assert!(totals.iter().all(|total| *total <= 1000) && totals.contains(&1000), "{totals:?}");
    }
}

#[test]
fn the_same_seed_makes_the_same_bytes() {
    for text in FORMATS {
        let format = parse_format(text);
        let plan = GenerationPlan::new(&format);
        let bytes = |seed| {
            print_value(
                &format,
                &generate_value(&plan, &mut Choices::from_seed(seed, 0), &test_settings(50)).unwrap().value,
            )
        };
        assert_eq!(bytes(3), bytes(3));
        let different: std::collections::HashSet<Vec<u8>> = (0..40).map(bytes).collect();
        assert!(different.len() > 8, "{text}: {}", different.len());
    }
}

#[test]
fn both_ends_of_every_size_are_reached() {
    let format = parse_format(FORMATS[1]);
    let plan = GenerationPlan::new(&format);
    for (extreme, n) in [(Extreme::Min, 1), (Extreme::Max, 20)] {
        let settings = GenerationSettings { extreme: Some(extreme), ..GenerationSettings::default() };
        let value = generate_value(&plan, &mut Choices::from_seed(1, 1), &settings).unwrap().value;
        assert_eq!(value.root_slots()[0], Value::Int(n));
    }
}

#[test]
fn bounding_numbers_act_as_sizes_without_sizes() {
    let cases: &[(&str, [&[Option<i128>]; 2])] = &[
        ("N x where 1 <= N <= 50; 1 <= x <= N", [&[Some(1), Some(1)], &[Some(50), Some(50)]]),
        ("l r N where 1 <= l <= r <= N <= 9", [&[Some(1), None, None], &[Some(9), Some(9), Some(9)]]),
        ("a b where -5 <= a, b <= 7", [&[Some(-5), Some(-5)], &[Some(7), Some(7)]]),
        ("n k; a[n] where 1 <= n <= 4; 1 <= k <= 1000; a = 0", [&[Some(1), None], &[Some(4), Some(1000)]]),
        ("n m; a[m] where 1 <= n <= 100; 1 <= m <= 20; 1 <= a <= n", [&[None, Some(1)], &[Some(100), Some(20)]]),
    ];
    for (text, ends) in cases {
        let format = parse_format(text);
        for (extreme, wanted) in [Extreme::Min, Extreme::Max].into_iter().zip(ends) {
            let settings = GenerationSettings { extreme: Some(extreme), ..GenerationSettings::default() };
            let generated = |seed| {
                generate_value(&GenerationPlan::new(&format), &mut Choices::from_seed(seed, 1), &settings)
                    .unwrap()
                    .value
            };
            let generated: Vec<Value> = (0..20).map(generated).collect();
            for (at, wanted) in wanted.iter().enumerate() {
                let found: Vec<i128> = generated.iter().filter_map(|value| value.root_slots()[at].as_int()).collect();
                match wanted {
                    Some(number) => assert!(found.iter().all(|n| n == number), "{text}: {found:?}"),
                    None => assert!(found.iter().any(|n| *n != found[0]), "{text}: {found:?}"),
                }
            }
        }
    }
}

#[test]
fn largest_inputs_use_all_cases_and_the_whole_sum() {
    let format = parse_format(
        "T; cases T: { n k; a[n] } where 1 <= T <= 20; 1 <= n <= 300; sum(n) <= 300; 1 <= k <= 9; 1 <= a <= 9",
    );
    let plan = GenerationPlan::new(&format);
    let lines = |sweep, stream| {
        let settings = GenerationSettings { extreme: Some(Extreme::Max), sweep, ..GenerationSettings::default() };
        let value = generate_value(&plan, &mut Choices::from_seed(1, stream), &settings).unwrap().value;
        let text = String::from_utf8(print_value(&format, &value)).unwrap();
        let numbers = |line: &str| line.split(' ').map(|number| number.parse().unwrap()).collect();
        text.lines().map(numbers).collect::<Vec<Vec<i128>>>()
    };
    for stream in 0..20 {
        let lines = lines(None, stream);
        let heads: Vec<&Vec<i128>> = lines.iter().skip(1).step_by(2).collect();
        assert_eq!((lines[0][0], heads.iter().map(|head| head[0]).sum::<i128>()), (20, 300));
        assert!(heads.iter().all(|head| head[1] == 9), "{heads:?}");
    }
    // Everything largest, then one case with free numbers, largest and smallest ones.
    assert!(lines(Some(0), 0).iter().skip(2).step_by(2).flatten().all(|number| *number == 9));
    for (sweep, ends) in [(1, None), (2, Some(9))] {
        let lines = lines(Some(sweep), 0);
        assert_eq!((lines[0][0], &*lines[1]), (1, &[300, 9][..]));
        assert_eq!(lines[2].iter().all(|number| Some(*number) == ends), ends.is_some());
    }
    assert!(lines(Some(3), 0).iter().skip(2).step_by(2).flatten().all(|number| *number == 1));
}

#[test]
fn numbers_leave_room_for_one_that_they_must_not_exceed() {
    for text in [
        "T; cases T: { h x } where 1 <= T <= 10^4; 1 <= x <= h <= 10^6; sum(h) <= 10^6",
        "T; cases T: { x h } where 1 <= T <= 10^4; 1 <= x <= h <= 10^6; sum(h) <= 10^6",
        "T; cases T: { h w x a y b } where 1 <= T <= 10^4; 1 <= x, y <= h <= 10^6; 1 <= a, b <= w <= 10^9; \
         (x, a) != (y, b); sum(h) <= 10^6",
    ] {
        let format = parse_format(text);
        let plan = GenerationPlan::new(&format);
        for stream in 0..8 {
            let settings = GenerationSettings { extreme: Some(Extreme::Max), ..GenerationSettings::default() };
            let value = generate_value(&plan, &mut Choices::from_seed(1, stream), &settings).unwrap().value;
            assert_eq!(value.root_slots()[0], Value::Int(10_000), "{text}");
        }
    }
}

#[test]
fn text_that_is_given_gets_its_length() {
    let format = parse_format(
        "n; repeat n: { d x } where 2 <= n <= 1000; d over \"a-z\"; 1 <= len(d) <= 10; 1 <= x <= 9; \
         distinct(d); d[1] = \"jinju\"",
    );
    let plan = GenerationPlan::new(&format);
    for stream in 0..8 {
        let settings = GenerationSettings { extreme: Some(Extreme::Max), ..GenerationSettings::default() };
        let value = generate_value(&plan, &mut Choices::from_seed(1, stream), &settings).unwrap().value;
        assert_eq!(value.root_slots()[0], Value::Int(1000));
    }
}

#[test]
fn graphs_with_rules_for_degrees_reach_full_size() {
    let graph = |edges: &str, count: &str, rule: &str| {
        format!(
            "n k m; repeat {count}: {{ u v }} where 2 <= n <= 2000; 1 <= k <= 7; 1 <= m <= 7000; \
             edges (u, v) on 1..n: {edges}; {rule}"
        )
    };
    let degree = "count(u[1..m], i) + count(v[1..m], i)";
    for text in [
        graph("simple, even", "m", ""),
        graph("simple, eulerian", "m", ""),
        // One cycle, and hardly more.
        graph("simple, eulerian", "m", "m <= n"),
        graph("eulerian", "m", "m <= n + 2"),
        graph("even", "m", ""),
        graph("simple", "m", &format!("forall i in 1..n: ({degree}) % 2 = 0")),
        graph("simple, connected", "m", &format!("forall i in 1..n: {degree} = k")),
        graph("connected, regular k", "m", ""),
        graph("simple, connected, regular k", "n*k/2", ""),
        graph("regular", "m", ""),
    ] {
        let format = parse_format(&text);
        let plan = GenerationPlan::new(&format);
        for stream in 0..2 {
            let settings = GenerationSettings { extreme: Some(Extreme::Max), ..GenerationSettings::default() };
            let value = generate_value(&plan, &mut Choices::from_seed(1, stream), &settings).unwrap().value;
            assert_eq!(value.root_slots()[0], Value::Int(2000), "{text}");
            let small = generate_value(&plan, &mut Choices::from_seed(2, stream), &test_settings(20));
            assert!(small.is_ok(), "{text}: {small:?}");
        }
    }
}

#[test]
fn plain_inputs_have_few_values_and_letters() {
    let format = parse_format(
        "n m; a[n]; words[m][] where 1 <= n, m <= 1000; 1 <= a <= 10^9; words over \"a-z\"; 1 <= len(words) <= 50",
    );
    let plan = GenerationPlan::new(&format);
    let numbers = NumberRanges::Plain { values: 3, letters: 2 };
    let settings =
        |letters: &[u8]| GenerationSettings { numbers, letters: letters.into(), ..GenerationSettings::default() };
    let texts = |letters: &[u8]| {
        let draw = |stream| {
            let value = generate_value(&plan, &mut Choices::from_seed(1, stream), &settings(letters)).unwrap().value;
            String::from_utf8(print_value(&format, &value)).unwrap()
        };
        (0..200).map(draw).collect::<Vec<String>>()
    };
    let plain = texts(b"");
    let first = |text: &String| text.split(' ').next().unwrap().parse::<usize>().unwrap();
    assert!(plain.iter().map(first).all(|n| n <= 30) && (1..=8).all(|n| plain.iter().any(|text| first(text) == n)));
    let second_line = plain.iter().flat_map(|text| text.lines().nth(1).unwrap().split(' '));
    assert!(second_line.clone().all(|a| ["1", "2", "3"].contains(&a)) && second_line.clone().any(|a| a == "3"));
    let letters = |texts: &[String]| {
        let used = texts.iter().flat_map(|text| text.bytes()).filter(u8::is_ascii_lowercase);
        used.collect::<std::collections::BTreeSet<u8>>()
    };
    assert_eq!(letters(&plain), b"ab".iter().copied().collect());
    // Letters of the sources, and one for those that they do not mention.
    assert_eq!(letters(&texts(b"@xz")), b"axz".iter().copied().collect());
}

#[test]
fn unsatisfiable_constraint_is_named() {
    let format = parse_format("n; a[n] where 5 <= n <= 9; 1 <= a <= 3; increasing(a)");
    let failure =
        generate_value(&GenerationPlan::new(&format), &mut Choices::from_seed(1, 1), &test_settings(50)).unwrap_err();
    assert_eq!(format.source_text(failure.constraint.unwrap()), "increasing(a)");
}

#[test]
fn absent_field_bounds_nothing() {
    for (text, input) in [
        ("n; a[n] where 0 <= n <= 5; 1 <= a <= n", "0\n\n"),
        ("n q; repeat q: l r where 1 <= n <= 20; 0 <= q <= 3; 1 <= l < r <= n", "1 0\n"),
    ] {
        let format = parse_format(text);
        let value = read_input(&format, input.as_bytes()).unwrap_or_else(|p| panic!("{text}: {}", p.message));
        assert_eq!(find_violation(&format, &value), None, "{text}");
        let plan = GenerationPlan::new(&format);
        let generated =
            (0..400).filter_map(|s| generate_value(&plan, &mut Choices::from_seed(s, 3), &test_settings(0)).ok());
        assert!(
            generated.map(|m| print_value(&format, &m.value)).any(|b| b == input.as_bytes()),
            "{text}: never generated"
        );
    }
}

#[test]
fn sizes_that_fit_no_memory_are_refused() {
    for text in [
        "n; a[n] where n = 10^18; 1 <= a <= 2",
        "n; a[n][n] where n = 10^10; 1 <= a <= 2",
        "repeat 10^12: x where 0 <= x <= 1",
    ] {
        let format = parse_format(text);
        let failure = generate_value(&GenerationPlan::new(&format), &mut Choices::from_seed(1, 1), &test_settings(50))
            .unwrap_err();
        assert!(failure.message.contains("would take more than"), "{text}: {}", failure.message);
    }
}

#[test]
fn readers_never_panic_on_damaged_inputs() {
    for text in FORMATS {
        let format = parse_format(text);
        let plan = GenerationPlan::new(&format);
        let value = generate_value(&plan, &mut Choices::from_seed(5, 5), &test_settings(20)).unwrap().value;
        let bytes = print_value(&format, &value);
        // `0..2 decimals` leave it open how many zeros stand at the end.
        let has_spellings = format.fields.iter().any(|field| field.decimal_places().min < field.decimal_places().max);
        let mut choices = Choices::from_seed(9, 9);
        for _ in 0..300 {
            let mut damaged = bytes.clone();
            for _ in 0..=choices.draw_below(2) {
                let at = choices.draw_index(damaged.len() + 1);
                let byte = *choices.pick_item(b" \n\r\t-0+9a.#\xff\0").unwrap();
                match choices.draw_below(3) {
                    0 => damaged.insert(at.min(damaged.len()), byte),
                    1 if at < damaged.len() => drop(damaged.remove(at)),
                    _ if at < damaged.len() => damaged[at] = byte,
                    _ => {}
                }
            }
            let source = SourceText::new("input", damaged.clone());
            match read_input(&format, &damaged) {
                Ok(value) => {
                    let printed = print_value(&format, &value);
                    assert_eq!(read_input(&format, &printed).unwrap(), value, "{text}");
                    assert!(
                        has_spellings || printed == damaged,
                        "accepted what is not printed so: {text}, {damaged:?}"
                    );
                    if let Some(broken) = find_violation(&format, &value) {
                        crate::validate::explain_violation(&format, &value, &broken).render_text(&source);
                    }
                }
                Err(problem) => drop(problem.render_text(&source)),
            }
        }
    }
}

#[test]
fn distinct_texts_use_up_the_whole_text_space() {
    for (text, count) in [
        ("n; repeat n: w x where n = 14; w over \"ab\"; 1 <= len(w) <= 3; distinct(w); 0 <= x <= 9", 14),
        ("n; repeat n: w[3] where n = 343; w over \"a-g\"; distinct(w)", 343),
        (
            "n; repeat n: { w; v } where n = 400; w, v over \"a-g\"; 0 <= len(w), len(v) <= 3; distinct(w); distinct(v)",
            400,
        ),
    ] {
        let format = parse_format(text);
        for seed in 0..8 {
            let generated =
                generate_value(&GenerationPlan::new(&format), &mut Choices::from_seed(seed, 1), &test_settings(50));
            let value = generated.unwrap_or_else(|f| panic!("{text}, seed {seed}: {f:?}")).value;
            assert_eq!(find_violation(&format, &value), None, "{text}");
            assert_eq!(value.root_slots()[1].as_instances().len(), count, "{text}");
        }
    }
}

/// Blocks that are compiled, most of them tight: sums of numbers, dead ends, sizes of several arrays, budgets.
pub(crate) const COMPILED_FORMATS: &[&str] = &[
    "T; cases T: n k; s[n] where 1 <= T <= 99; 1 <= n <= 8; 1 <= k <= n; s over \".X\"",
    "T; cases T: h w xa ya xb yb where 1 <= T <= 9; 1 <= xa, xb <= h <= 3; 1 <= ya, yb <= w <= 2; (xa, ya) != (xb, yb)",
    "T; cases T: h w xa ya xb yb where 1 <= T <= 9; 1 <= xa, xb <= h <= 1; 1 <= ya, yb <= w <= 2; \
     (xa, ya) != (xb, yb); sum(h) <= 12",
    "T q; cases T: n m; a[n]; b[m]; x y where 1 <= T <= 9; 0 <= q <= 5; 0 <= n, m <= 6; n <= m + q; 0 <= a <= n - 1; \
     -5 <= b <= 9; x - y + n <= 3; 0 <= x, y <= 9; x != y; sum(n) <= 20; sum(m) >= 3",
    "T; cases T: R C; g[R][C]; c[R][C]; l r where 1 <= T <= 9; 1 <= R, C <= 5; g over \"ab\"; 1 <= c <= 9; 1 <= l <= r <= R",
    "n q; repeat q: l r k where 1 <= n <= 9; 0 <= q <= 9; 1 <= l < r <= n + 1; 0 <= k <= r - l; k != l",
    "T; cases T: a b c where 1 <= T <= 9; 0 <= a, b, c <= 3; a + b = c; (a, b) != (b, c)",
    "T; cases T: N p; x[N] where 1 <= T <= 4; 1 <= N <= 9; sum(N) = 12; p real, 2 decimals; 0 <= p <= 1; 0 <= x <= 1",
];

/// Long lists that end the input: one bounded by another number of itself, and one after the cases.
const TRAILING_LIST_FORMATS: &[&str] = &[
    "T; cases T: n m where 64 <= T <= 100; 0 <= n, m <= 9; sum(n) <= sum(m)",
    "T; cases T: n m where 64 <= T <= 100; 0 <= n, m <= 9; sum(n) <= 300 - max(m)",
    "T q\ncases T: n\nrepeat q: x\nwhere:\n    1 <= T <= 9; 64 <= q <= 100; 0 <= n, x <= 9; sum(x) <= 400 + sum(n)",
];

#[test]
fn generate_printed_equals_generate_then_print() {
    let mut scratch = ScratchBuffers::default();
    let mut written = 0;
    for text in COMPILED_FORMATS.iter().chain(LONG_LIST_FORMATS).chain(TRAILING_LIST_FORMATS).chain(FORMATS) {
        let (format, _) = Format::parse(&SourceText::new("test", *text)).unwrap();
        let plan = GenerationPlan::new(&format);
        written += usize::from(plan.line_program().is_some());
        for stream in 0..60 {
            let patience = 5000;
            let settings = GenerationSettings {
                max_elements: 30 + 400 * (stream as usize % 2),
                max_wasted_draws: patience,
                ..test_settings(50)
            };
            let (mut one, mut other) = (Choices::from_seed(3, stream), Choices::from_seed(3, stream));
            let printed = generate_printed(&plan, &mut one, &settings, &mut scratch);
            let generated = generate_value(&plan, &mut other, &settings);
            let cases = |value: &Value| {
                format.cases_block().map_or(1, |block| instances_in_holder(&format, block, value.root_slots()).len())
            };
            let expected = generated.map(|generated| PrintedInput {
                bytes: print_value(&format, &generated.value),
                case_count: cases(&generated.value),
                shape: generated.shape,
            });
            assert_eq!(printed, expected, "{text}, stream {stream}");
            assert_eq!(one.draw_count(), other.draw_count(), "{text}, stream {stream}");
        }
    }
    assert!(written > 9, "{written}");
}

#[test]
fn files_of_many_cases_are_not_full_of_the_smallest() {
    for (text, smallest, least) in [
        ("T; cases T: n k; s[n] where 1 <= T <= 10^4; 1 <= n <= 8; 1 <= k <= n; s over \".X\"", "1 1\n.\n", 2000),
        ("T; cases T: n; a[n] where 1 <= T <= 10^4; 1 <= n <= 10^5; sum(n) <= 10^5; 0 <= a <= 9", "1\n0\n", 10_000),
    ] {
        let format = parse_format(text);
        let plan = GenerationPlan::new(&format);
        let (mut all, mut same, mut different) = (0, 0, HashSet::new());
        for stream in 0..200 {
            let settings =
                GenerationSettings { max_elements: 2000, max_cases: 2000, ..test_settings(stream as u32 / 2) };
            let value = generate_value(&plan, &mut Choices::from_seed(4, stream), &settings).unwrap().value;
            for case in value.root_slots()[1].as_instances() {
                let file = Value::Block(vec![
                    Value::Int(1),
                    Value::Instances(InstanceList::from_instances(case.len(), [case.to_vec()])),
                ]);
                let bytes = print_value(&format, &file);
                all += 1;
                same += usize::from(bytes.ends_with(smallest.as_bytes()) && bytes.len() == smallest.len() + 2);
                different.insert(bytes);
            }
        }
        assert!(same * 5 < all, "{text}: {same} of {all}");
        assert!(different.len() > least, "{text}: {} of {all}", different.len());
    }
}

/// Formats with lists long enough for instances to share strategies.
pub(crate) const LONG_LIST_FORMATS: &[&str] = &[
    "T; cases T: n k; s[n] where 1 <= T <= 300; 1 <= n <= 8; 1 <= k <= n; s over \".X\"",
    "T; cases T: n m; a[n]; b[m]; x y where 64 <= T <= 200; 0 <= n, m <= 6; 0 <= a <= n - 1; -5 <= b <= 9; \
     x - y + n <= 3; 0 <= x, y <= 9; x != y; sum(n) <= 400",
    "n q; repeat q: l r k where 1 <= n <= 9; 60 <= q <= 90; 1 <= l < r <= n + 1; 0 <= k <= r - l; k != l",
    "T; cases T: R C; g[R][C]; p where 1 <= T <= 100; 1 <= R, C <= 4; g over \"ab\"; p real, 2 decimals; 0 <= p <= 9",
];

#[test]
fn compiled_blocks_draw_the_same_as_expressions() {
    let mut compiled = 0;
    for text in COMPILED_FORMATS.iter().chain(FORMATS) {
        let (format, _) = Format::parse(&SourceText::new("test", *text)).unwrap();
        let (plan, general) = (GenerationPlan::new(&format), GenerationPlan::new(&format).without_compiled_blocks());
        compiled += plan.compiled_block_count();
        assert!(plan.compiled_block_count() > 0 || !COMPILED_FORMATS.contains(text), "{text}");
        for stream in 0..200 {
            let growth = (stream % 5 * 25) as u32;
            let hints = if stream % 3 == 0 { [2, 7].into() } else { Default::default() };
            let max_elements = if stream % 2 == 0 { 1000 } else { 30 };
            // Longer lists are drawn in batches.
            let max_cases = 63;
            let settings = GenerationSettings {
                growth,
                hints,
                max_elements,
                max_cases,
                numbers: if stream % 7 == 0 { NumberRanges::Near(2) } else { NumberRanges::Growing },
                dictionary: if stream % 4 < 2 { vec![b".X".to_vec(), b"XX.X".to_vec()].into() } else { [].into() },
                max_wasted_draws: 5000,
                ..GenerationSettings::default()
            };
            let (mut one, mut other) = (Choices::from_seed(7, stream), Choices::from_seed(7, stream));
            let generated = generate_value(&plan, &mut one, &settings);
            assert_eq!(generated, generate_value(&general, &mut other, &settings), "{text}, stream {stream}");
            assert_eq!(one.draw_count(), other.draw_count(), "{text}, stream {stream}");
        }
    }
    assert!(compiled > COMPILED_FORMATS.len() + 3, "{compiled}");
}

/// At least eight million triples, so that no input can be checked within the steps of these tests.
const HEAVY_FORMAT: &str = "n; a[n] where 200<=n<=300; 1<=a<=10^9; forall i in 1..n: forall j in 1..n: forall k in 1..n: \
                     a[i]+a[j]>=a[k]";

#[test]
fn stopped_work_returns_early_with_an_error() {
    let (mut format, _) = Format::parse(&SourceText::new("test", HEAVY_FORMAT)).unwrap();
    let looks = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let counted = looks.clone();
    format.stop_token =
        StopToken::from_condition(move || counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 10);
    let generated =
        generate_value(&GenerationPlan::new(&format), &mut Choices::from_seed(1, 0), &GenerationSettings::default());
    assert!(generated.is_err());
    // After the stop, each loop on the way out checks once or twice more, and none continues.
    let looks = looks.load(std::sync::atomic::Ordering::Relaxed);
    assert!((11..200).contains(&looks), "{looks}");
}

#[test]
fn long_lists_are_given_up_when_the_work_is_stopped() {
    for text in [
        "n; repeat n: u v; where 50000<=n<=60000; 1<=u<v<=9",
        "n; repeat n: k a[k]; where 50000<=n<=60000; 1<=k<=3; 0<=a<=9",
    ] {
        let (mut format, _) = Format::parse(&SourceText::new("test", text)).unwrap();
        let steps = || {
            generate_value(&GenerationPlan::new(&format), &mut Choices::from_seed(1, 0), &GenerationSettings::default())
                .is_ok()
        };
        assert!(steps());
        format.stop_token = StopToken::never_stopping().with_steps(5_000);
        let generated = generate_value(
            &GenerationPlan::new(&format),
            &mut Choices::from_seed(1, 0),
            &GenerationSettings::default(),
        );
        assert!(generated.is_err() && format.stop_token.is_stopped(), "{text}");
    }
}

#[test]
fn failed_attempts_at_tiny_inputs_use_up_the_budget_of_steps() {
    // The numbers 2..n are too few for n different ones. A draw takes a few hundred
    // nanoseconds: counted as eight steps each, a budget for a few seconds lasted for ten.
    let text = "T; cases T: { n; a[n] } where 1 <= T <= 474; 1 <= n <= 100; a permutation of 2..n";
    let (mut format, _) = Format::parse(&SourceText::new("test", text)).unwrap();
    format.stop_token = StopToken::never_stopping().with_steps(1_000_000);
    let mut choices = Choices::from_seed(1, 0);
    let generated = generate_value(&GenerationPlan::new(&format), &mut choices, &GenerationSettings::default());
    assert!(generated.is_err() && format.stop_token.is_stopped());
    let draws = choices.draw_count();
    assert!(draws < 40_000, "{draws}");
}

/// A number that a formula counts among earlier ones is hardly ever one of them by chance.
#[test]
fn steps_refer_to_earlier_ones() {
    let text = "q; repeat q: either: { \"add\" a; \"remove\" r } where q = 200; 1 <= a, r <= 10^9; forall i in 1..q: \
                count(a[1..i-1], r[i]) > count(r[1..i-1], r[i])";
    let (format, _) = Format::parse(&SourceText::new("test", text)).unwrap();
    let plan = GenerationPlan::new(&format);
    let mut removed = 0;
    for seed in 0..20 {
        let mut choices = Choices::from_seed(seed, 0);
        let generated = generate_value(&plan, &mut choices, &test_settings(50)).unwrap();
        let printed = String::from_utf8(print_value(&format, &generated.value)).unwrap();
        removed += printed.matches("remove").count();
    }
    assert!(removed > 400, "{removed} of 4,000 steps remove something");
}

#[test]
fn extreme_inputs_have_as_many_different_elements_as_fit() {
    let cases = [
        (
            "n; words[n][] where 1 <= n <= 10^5; words over \"a-z\"; 1 <= len(words) <= 10^5; sum(len(words)) <= 10^5; \
             distinct(words)",
            29_751,
        ),
        ("n; a[n] where 1 <= n <= 50; 1 <= a <= 50; distinct(a); sum(a) <= 100", 13),
    ];
    for (text, most) in cases {
        let (format, _) = Format::parse(&SourceText::new("test", text)).unwrap();
        let plan = GenerationPlan::new(&format);
        let settings = GenerationSettings { extreme: Some(Extreme::Max), ..test_settings(50) };
        let generated = generate_value(&plan, &mut Choices::from_seed(1, 0), &settings).unwrap();
        assert_eq!(generated.value.root_slots()[0], Value::Int(most));
        assert_eq!(find_violation(&format, &generated.value), None);
    }
}
