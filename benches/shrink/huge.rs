//! The largest inputs of contests, for which the time of the search itself matters.

use crate::Task;

/// The tasks, each of about a million elements.
pub(crate) const HUGE: &[Task] = &[
    Task {
        name: "a million numbers",
        format: "n; a[n] where 1 <= n <= 10^6; 0 <= a <= 10^9",
        starts: "n = 10^6",
        fails: |input| {
            let a = input.array();
            let first = a.iter().position(|x| x % 1000 == 7);
            first.is_some_and(|first| a[first..].iter().any(|x| x % 1000 == 3))
        },
        minimum: "2\n7 3\n",
    },
    Task {
        name: "half a million intervals",
        format: "n; repeat n: l r where 1 <= n <= 500000; 0 <= l < r <= 10^9",
        starts: "n = 500000",
        fails: |input| {
            let n = input.size();
            input.lines(n, 2).windows(2).any(|w| w[0][1] > w[1][0] && w[0][0] > 1000)
        },
        minimum: "2\n1001 1002\n0 1\n",
    },
    Task {
        name: "a thousand rows of a thousand",
        format: "N M; b[N][M] where 1 <= N, M <= 1000; b over \".#\"",
        starts: "N = 1000; M = 1000",
        fails: |input| {
            let (n, _) = (input.size(), input.size());
            input.rows(n).iter().any(|row| row.windows(4).any(|four| four == b"#..#"))
        },
        minimum: "1 4\n#..#\n",
    },
    Task {
        name: "a tree of 300000 vertices",
        format: "n; repeat n-1: u v where 1 <= n <= 300000; edges (u, v) on 1..n: tree",
        starts: "n = 300000",
        fails: |input| {
            let n = input.size();
            let edges = input.lines(n.saturating_sub(1), 2);
            crate::input::neighbours(n, &edges).iter().any(|near| near.len() >= 3)
        },
        minimum: "4\n1 2\n1 3\n1 4\n",
    },
];
