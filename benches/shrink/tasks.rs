//! Typical contest tasks; shrinking was improved until it solved them.

use crate::Task;
use crate::input::{Input, index, neighbours, way};

/// The tasks.
pub(crate) const TASKS: &[Task] = &[
    Task {
        name: "array with a count",
        format: "n; a[n] where 1 <= n <= 10^5; -10^9 <= a <= 10^9",
        starts: "",
        fails: |input| {
            let a = input.array();
            let first = a.iter().position(|x| *x < 0);
            first.is_some_and(|first| a[first..].iter().any(|x| *x > 100))
        },
        minimum: "2\n-1 101\n",
    },
    Task {
        name: "board with a 2x2 pattern",
        format: "N M; b[N][M] where 1 <= N, M <= 300; b over \".#\"",
        starts: "",
        fails: |input| {
            let (n, _) = (input.size(), input.size());
            input
                .rows(n)
                .windows(2)
                .any(|pair| (1..pair[0].len()).any(|c| (&pair[0][c - 1..=c], &pair[1][c - 1..=c]) == (b"#.", b".#")))
        },
        minimum: "2 2\n#.\n.#\n",
    },
    Task {
        name: "tree with a labelled path",
        format: "n; c[n]; repeat n-1: u v where 1 <= n <= 10^4; 1 <= c <= 3; edges (u, v) on 1..n: tree",
        starts: "",
        fails: |input| {
            let c = input.array();
            let near = neighbours(c.len(), &input.lines(c.len().saturating_sub(1), 2));
            let threes = |v: &usize| near[*v].iter().filter(|u| c[*u - 1] == 3).count();
            (1..=c.len()).any(|v| c[v - 1] == 1 && threes(&v) >= 2)
        },
        minimum: "3\n1 3 3\n1 2\n1 3\n",
    },
    Task {
        name: "one case of many fails",
        format: "T; cases T: n; a[n] where 1 <= T <= 100; 1 <= n <= 1000; 1 <= a <= 50; sum(n) <= 10^4",
        starts: "50 <= T",
        fails: |input| {
            let cases = input.size();
            (0..cases).any(|_| input.array().windows(3).any(|w| w[0] >= 4 && w[0] == w[1] && w[1] == w[2]))
        },
        minimum: "1\n3\n4 4 4\n",
    },
    Task {
        name: "permutation pattern",
        format: "n; p[n] where 1 <= n <= 10^4; 1 <= p <= n; distinct(p)",
        starts: "",
        fails: |input| !is_stack_sortable(&input.array()),
        minimum: "3\n2 3 1\n",
    },
    Task {
        name: "two kings",
        format: "t; cases t: h w xa ya xb yb where 1 <= t <= 10^4; 1 <= xa, xb <= h <= 10^6; 1 <= ya, yb <= w <= 10^9; \
                 (xa, ya) != (xb, yb); sum(h) <= 10^6",
        starts: "",
        fails: |input| {
            let cases = input.size();
            input.lines(cases, 6).iter().any(|c| c[2] < c[4] && (c[4] - c[2]) % 2 == 0)
        },
        minimum: "1\n3 1 1 1 3 1\n",
    },
    Task {
        name: "negative cycle",
        format: "n m; repeat m: u v w where 2 <= n <= 200; 1 <= m <= 3000; edges (u, v) on 1..n: directed, loopless; \
                 -10^4 <= w <= 10^4",
        starts: "",
        fails: |input| {
            let (n, m) = (input.size(), input.size());
            has_negative_cycle(n, &input.lines(m, 3))
        },
        minimum: "2 2\n1 2 0\n2 1 -1\n",
    },
    Task {
        name: "palindromic string",
        format: "s where s over \"a-z\"; 1 <= len(s) <= 10^4",
        starts: "",
        fails: |input| {
            let palindrome = |w: &[u8]| w[0] == w[4] && w[1] == w[3] && w.iter().any(|c| *c != w[0]);
            input.word().as_bytes().windows(5).any(palindrome)
        },
        minimum: "aabaa\n",
    },
    Task {
        name: "state leaks between two cases",
        format: "T; cases T: n; a[n] where 1 <= T <= 1000; 1 <= n <= 1000; 1 <= a <= 100; sum(n) <= 10^4",
        starts: "2 <= T",
        fails: |input| {
            let cases = input.size();
            let cases: Vec<Vec<i64>> = (0..cases).map(|_| input.array()).collect();
            cases.windows(2).any(|w| w[0].get(w[1].len()).is_some_and(|left_over| *left_over > 90))
        },
        minimum: "2\n2\n1 91\n1\n1\n",
    },
    Task {
        name: "overflow",
        format: "n; a[n] where 1 <= n <= 10^5; 1 <= a <= 10^9",
        starts: "",
        fails: |input| input.array().iter().sum::<i64>() >= 1 << 31,
        minimum: "3\n147483648 1000000000 1000000000\n",
    },
    Task {
        name: "queries of two kinds",
        format: "n q; repeat q: either: 1 l r; 2 i x where 1 <= n, q <= 10^4; 1 <= l <= r <= n; 1 <= i <= n; 0 <= x <= 99",
        starts: "",
        fails: |input| {
            let (_, queries) = (input.size(), input.size());
            let queries = input.lines(queries, 3);
            let hit = |u: &[i64], q: &[i64]| u[0] == 2 && u[2] >= 50 && q[0] == 1 && q[1] <= u[1] && u[1] <= q[2];
            queries.windows(2).any(|w| hit(&w[0], &w[1]) && w[1][1] < w[1][2])
        },
        minimum: "2 2\n2 1 50\n1 1 2\n",
    },
    Task {
        name: "nested intervals",
        format: "n; repeat n: l r where 1 <= n <= 10^4; 0 <= l < r <= 10^9",
        starts: "",
        fails: |input| {
            let n = input.size();
            let mut lines = input.lines(n, 2);
            lines.sort_unstable_by_key(|l| (l[0], -l[1]));
            let mut farthest: Option<(i64, i64)> = None;
            lines.iter().any(|l| {
                let nested = farthest.is_some_and(|(start, end)| start < l[0] && l[1] < end);
                farthest = farthest.filter(|(_, end)| *end >= l[1]).or(Some((l[0], l[1])));
                nested
            })
        },
        minimum: "2\n0 3\n1 2\n",
    },
    Task {
        name: "maze with a detour",
        format: "R C; g[R][C] where 1 <= R, C <= 100; g over \".#SE\"; count(g, 'S') = 1; count(g, 'E') = 1",
        starts: "",
        fails: |input| {
            let (rows, _) = (input.size(), input.size());
            let board = input.rows(rows);
            way(&board, b'S', b'E').is_some_and(|steps| steps > straight(&board))
        },
        minimum: "2 3\n...\nS#E\n",
    },
    Task {
        name: "two lengths that must be equal",
        format: "n m; a[n]; b[m] where 1 <= n, m <= 10^4; 0 <= a, b <= 10^9",
        starts: "n = m",
        fails: |input| {
            let (n, m) = (input.size(), input.size());
            let (a, b) = (input.numbers(n), input.numbers(m));
            n == m && a.iter().zip(&b).any(|(a, b)| a > b)
        },
        minimum: "1 1\n1\n0\n",
    },
    Task {
        name: "signs that flip together",
        format: "n; a[n] where 1 <= n <= 10^4; -1000 <= a <= 1000",
        starts: "",
        fails: |input| input.array().windows(2).any(|w| w[0] * w[1] >= 10),
        minimum: "2\n2 5\n",
    },
    Task {
        name: "crossed order in two arrays",
        format: "n; a[n]; b[n] where 1 <= n <= 3000; 1 <= a, b <= 10^6",
        starts: "",
        fails: |input| {
            let a = input.array();
            let b = input.numbers(a.len());
            let mut pairs: Vec<(i64, i64)> = a.into_iter().zip(b).collect();
            pairs.sort_unstable();
            pairs.windows(2).any(|w| w[0].0 < w[1].0 && w[0].1 > w[1].1)
        },
        minimum: "2\n1 2\n2 1\n",
    },
    Task {
        name: "board of another shape",
        format: "N M; b[N][M] where 1 <= N, M <= 100; b over \".X\"",
        starts: "",
        fails: |input| input.text.bytes().filter(|c| *c == b'X').count() >= 5,
        minimum: "1 5\nXXXXX\n",
    },
    Task {
        name: "a product",
        format: "x y where 1 <= x, y <= 10^9",
        starts: "",
        fails: |input| input.number() * input.number() >= 1_000_000,
        minimum: "1000 1000\n",
    },
    Task {
        name: "alternatives that do not matter",
        format: "n q; repeat q: either: { 1 i; 2 j x; 3 l r k } where 2 <= n <= 1000; 1 <= q <= 10^4; 1 <= i, j, l, r <= n; \
                 0 <= x, k <= 99",
        starts: "",
        fails: |input| {
            let lines: Vec<Vec<&str>> = input.text.lines().skip(1).map(|line| line.split(' ').collect()).collect();
            lines.windows(2).any(|pair| pair[0].get(1) == pair[1].get(1) && pair[0].get(1) != Some(&"1"))
        },
        minimum: "2 2\n1 2\n1 2\n",
    },
    Task {
        name: "alternatives, one of which does",
        format: "q; repeat q: either: { \"add\" w; \"move\" x y; \"clear\" } where 1 <= q <= 10^4; 0 <= w, x, y <= 999",
        starts: "",
        fails: |input| {
            let words: Vec<&str> = input.text.lines().skip(1).filter_map(|line| line.split(' ').next()).collect();
            words.windows(3).any(|three| three[1] == "move" && three[0] != "add" && three[2] != "add")
        },
        minimum: "3\nclear\nmove 0 0\nclear\n",
    },
    Task {
        name: "lines under a condition",
        format: "q\nrepeat q:\n    t\n    if t = 1:\n        x\n    if t >= 2:\n        y z\nwhere 1 <= q <= 10^4; \
                 0 <= t <= 3; 0 <= x, y, z <= 10^6",
        starts: "",
        fails: |input| {
            let numbers = |line: &str| line.split_once(' ').map(|(y, z)| y.len() > 1 && z.len() > 2);
            input.text.lines().skip(1).filter_map(numbers).filter(|large| *large).count() >= 2
        },
        minimum: "2\n2\n10 100\n2\n10 100\n",
    },
];

fn is_stack_sortable(p: &[i64]) -> bool {
    let (mut stack, mut out): (Vec<i64>, i64) = (Vec::new(), 0);
    for x in p {
        while stack.last().is_some_and(|top| top < x) {
            out = stack.pop().unwrap_or(out);
        }
        if *x < out {
            return false;
        }
        stack.push(*x);
    }
    true
}

fn has_negative_cycle(n: usize, edges: &[Vec<i64>]) -> bool {
    let mut far = vec![0; n + 1];
    for _ in 0..=n {
        let mut changed = false;
        for edge in edges {
            let through = far[index(edge[0])] + edge[2];
            if through < far[index(edge[1])] {
                far[index(edge[1])] = through;
                changed = true;
            }
        }
        if !changed {
            return false;
        }
    }
    true
}

fn straight(board: &[&[u8]]) -> usize {
    let place = |letter: u8| {
        let row = board.iter().position(|row| row.contains(&letter)).unwrap_or_default();
        (row, board[row].iter().position(|c| *c == letter).unwrap_or_default())
    };
    let (start, end) = (place(b'S'), place(b'E'));
    start.0.abs_diff(end.0) + start.1.abs_diff(end.1)
}

/// A predicate.
pub(crate) type Fails = fn(&mut Input<'_>) -> bool;
