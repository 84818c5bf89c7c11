//! A second set of triggers that did not influence the design of shrinking, with other kinds of dependencies.

use crate::Task;
use crate::input::{index, neighbours};

/// The triggers.
pub(crate) const FRESH: &[Task] = &[
    Task {
        name: "a score that wraps around",
        format: "T; cases T: N Ax Ay Bx By; V[N][N] where 1 <= T <= 60; 2 <= N <= 300; 1 <= Ax, Ay, Bx, By <= N; \
                 (Ax, Ay) != (Bx, By); 1 <= V <= 10^9; sum(N) <= 300",
        starts: "N <= 12",
        fails: |input| {
            let cases = input.size();
            (0..cases).any(|_| {
                let n = input.size();
                let [alice, bob] = [0, 1].map(|_| (input.size(), input.size()));
                let board = input.lines(n, n);
                let wrap = |x: i64| i64::from(x as i32);
                chase(&board, alice, bob, &|x| x) != chase(&board, alice, bob, &wrap)
            })
        },
        minimum: "1\n4 1 2 1 1\n1 1 1 1\n1 1 1000000000 1\n1 1 1 147483648\n1 1 1 1\n",
    },
    Task {
        name: "equal values that are round",
        format: "n; a[n] where 1 <= n <= 5000; 1 <= a <= 10^6",
        starts: "",
        fails: |input| {
            let mut a = input.array();
            a.retain(|x| x % 10 == 0 && *x >= 50);
            a.sort_unstable();
            a.windows(2).any(|w| w[0] == w[1])
        },
        minimum: "2\n50 50\n",
    },
    Task {
        name: "an odd cycle without a triangle",
        format: "n m; repeat m: u v where 3 <= n <= 60; 1 <= m <= 400; edges (u, v) on 1..n: simple",
        starts: "n <= 40; m <= 60",
        fails: |input| {
            let (n, m) = (input.size(), input.size());
            let near = neighbours(n, &input.lines(m, 2));
            let triangle = |v: usize| near[v].iter().any(|w| near[*w].iter().any(|x| near[*x].contains(&v)));
            !(1..=n).any(triangle) && (1..=n).any(|v| !two_colours(&near, v))
        },
        minimum: "5 5\n1 2\n1 3\n2 4\n3 5\n4 5\n",
    },
    Task {
        name: "what a stack gives back",
        format: "q; repeat q: either: \"pop\"; \"push\" x where 1 <= q <= 2000; 0 <= x <= 10^9",
        starts: "",
        fails: |input| {
            let count = input.size();
            let mut stack: Vec<i64> = Vec::new();
            (0..count).any(|_| match input.word() {
                "push" => {
                    stack.push(input.number());
                    false
                }
                _ => stack.pop().is_some_and(|x| stack.iter().any(|y| *y > x)),
            })
        },
        minimum: "3\npush 1\npush 0\npop\n",
    },
    Task {
        name: "gaps that double",
        format: "n; a[n] where 1 <= n <= 2000; 0 <= a <= 10^9; forall i in 1..n-1: a[i] < a[i+1]",
        starts: "",
        fails: |input| input.array().windows(3).any(|w| w[2] - w[1] >= 2 * (w[1] - w[0]) && w[0] >= 3),
        minimum: "3\n3 4 6\n",
    },
    Task {
        name: "a word in a text, overlapping itself",
        format: "s t where s, t over \"a-z\"; 1 <= len(s), len(t) <= 3000",
        starts: "len(s) >= 20; len(t) <= 3",
        fails: |input| {
            let (s, t) = (input.word().as_bytes(), input.word().as_bytes());
            let found: Vec<usize> = (0..s.len()).filter(|i| s[*i..].starts_with(t)).collect();
            found.windows(2).any(|w| w[1] - w[0] < t.len())
        },
        minimum: "aaa aa\n",
    },
    Task {
        name: "parents and grandparents",
        format: "n; p[n-1] where 2 <= n <= 3000; 1 <= p <= n; forall i in 1..n-1: p[i] <= i",
        starts: "",
        fails: |input| {
            let n = input.size();
            let parents = input.numbers(n - 1);
            let up = |v: i64| if v < 2 { 0 } else { parents[index(v - 2)] };
            let depth = |v: i64| std::iter::successors(Some(v), |v| Some(up(*v)).filter(|v| *v > 0)).count();
            let children = |v: i64| parents.iter().filter(|p| **p == v).count();
            (1..=n as i64).any(|v| depth(v) == 3 && children(v) >= 2)
        },
        minimum: "5\n1 2 3 3\n",
    },
    Task {
        name: "a row as heavy as a column",
        format: "R C; a[R][C] where 2 <= R, C <= 40; 0 <= a <= 1000",
        starts: "R <= 12; C <= 12; a <= 9",
        fails: |input| {
            let (rows, columns) = (input.size(), input.size());
            let a = input.lines(rows, columns);
            let row = |r: usize| a[r].iter().sum::<i64>();
            let column = |c: usize| a.iter().map(|row| row[c]).sum::<i64>();
            (0..rows).any(|r| (0..columns).any(|c| row(r) == column(c) && a[r][c] + 3 < row(r)))
        },
        minimum: "2 2\n0 4\n4 0\n",
    },
    Task {
        name: "past midnight",
        format: "n; repeat n: h m k l where 1 <= n <= 1000; 0 <= h, k <= 23; 0 <= m, l <= 59",
        starts: "",
        fails: |input| {
            let n = input.size();
            let minutes = |t: &[i64]| t[0] * 60 + t[1];
            input.lines(n, 4).iter().any(|t| (1440 + minutes(&t[2..]) - minutes(t)) % 1440 >= 1300 && t[0] < t[2])
        },
        minimum: "1\n0 0 22 0\n",
    },
    Task {
        name: "squares beyond 64 bits",
        format: "T; cases T: x y where 1 <= T <= 1000; 1 <= x, y <= 10^18",
        starts: "",
        fails: |input| {
            let cases = input.size();
            input.lines(cases, 2).iter().any(|c| {
                let square = |x: i64| i128::from(x) * i128::from(x);
                square(c[0]) + square(c[1]) > i128::from(i64::MAX) && c[0] % 2 == 1 && c[1] > c[0]
            })
        },
        minimum: "1\n1 3037000500\n",
    },
    Task {
        name: "the same remainder",
        format: "n; a[n] where 1 <= n <= 3000; 1 <= a <= 10^9; distinct(a)",
        starts: "",
        fails: |input| {
            let mut seen = vec![false; 1009];
            input.array().iter().any(|x| std::mem::replace(&mut seen[index(x % 1009)], true))
        },
        minimum: "2\n1 1010\n",
    },
    Task {
        name: "a case that comes a third time",
        format: "T; cases T: n; a[n] where 1 <= T <= 300; 1 <= n <= 20; 1 <= a <= 3; sum(n) <= 2000",
        starts: "n <= 3; T >= 40",
        fails: |input| {
            let cases = input.size();
            let cases: Vec<Vec<i64>> = (0..cases).map(|_| input.array()).collect();
            cases.iter().any(|c| c.len() >= 2 && c[0] != c[1] && cases.iter().filter(|d| *d == c).count() >= 3)
        },
        minimum: "3\n2\n1 2\n2\n1 2\n2\n1 2\n",
    },
];

/// Returns Alice's score, with sums computed by `sum` as in a program.
fn chase(board: &[Vec<i64>], alice: (usize, usize), bob: (usize, usize), sum: &dyn Fn(i64) -> i64) -> i64 {
    let n = board.len();
    let apart = |r: usize, c: usize| (r + 1).abs_diff(bob.0).max((c + 1).abs_diff(bob.1));
    let mut later = vec![vec![0; n]; n];
    for moves in (0..n).rev() {
        let mut now = vec![vec![0; n]; n];
        for (r, c) in (0..n).flat_map(|r| (0..n).map(move |c| (r, c))).filter(|(r, c)| apart(*r, *c) > moves) {
            let near = |at: usize| at.saturating_sub(1)..=at + 1;
            for (x, y) in near(r).flat_map(|x| near(c).map(move |y| (x, y))) {
                if (x, y) != (r, c) && x < n && y < n {
                    now[r][c] = sum(board[x][y] + later[x][y]).max(now[r][c]);
                }
            }
        }
        later = now;
    }
    later[alice.0 - 1][alice.1 - 1]
}

/// Returns true if the component of a vertex has no odd cycle.
fn two_colours(near: &[Vec<usize>], from: usize) -> bool {
    let mut colour = vec![0; near.len()];
    colour[from] = 1;
    let mut order = vec![from];
    while let Some(v) = order.pop() {
        for w in &near[v] {
            if colour[*w] == colour[v] {
                return false;
            }
            if colour[*w] == 0 {
                colour[*w] = 3 - colour[v];
                order.push(*w);
            }
        }
    }
    true
}
