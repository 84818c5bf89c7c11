//! Triggers that were written after shrinking was improved, and that did not influence its design.

use crate::Task;
use crate::input::{index, neighbours};

/// The triggers.
pub(crate) const BLIND: &[Task] = &[
    Task {
        name: "a value three times",
        format: "n; a[n] where 1 <= n <= 10^4; 1 <= a <= 1000",
        starts: "",
        fails: |input| {
            let a = input.array();
            let mut seen = vec![0; 1001];
            a.iter().any(|x| {
                seen[index(*x)] += 1;
                seen[index(*x)] == 3 && *x >= 10
            })
        },
        minimum: "3\n10 10 10\n",
    },
    Task {
        name: "ends that are equal, with more between",
        format: "s where s over \"a-z\"; 1 <= len(s) <= 10^4",
        starts: "",
        fails: |input| {
            let s = input.word().as_bytes();
            s.iter().enumerate().any(|(i, c)| *c != b'a' && s.get(i + 3) == Some(c) && s[i + 1] != *c)
        },
        minimum: "baab\n",
    },
    Task {
        name: "a vertex of degree four",
        format: "n; repeat n-1: u v where 1 <= n <= 5000; edges (u, v) on 1..n: tree",
        starts: "",
        fails: |input| {
            let n = input.size();
            neighbours(n, &input.lines(n.saturating_sub(1), 2)).iter().any(|near| near.len() >= 4)
        },
        minimum: "5\n1 2\n1 3\n1 4\n1 5\n",
    },
    Task {
        name: "a long path in a tree",
        format: "n; repeat n-1: u v where 1 <= n <= 2000; edges (u, v) on 1..n: tree",
        starts: "",
        fails: |input| {
            let n = input.size();
            let near = neighbours(n, &input.lines(n.saturating_sub(1), 2));
            n > 1 && farthest(&near, farthest(&near, 1).0).1 >= 4
        },
        minimum: "5\n1 2\n1 3\n2 4\n3 5\n",
    },
    Task {
        name: "a triangle",
        format: "n m; repeat m: u v where 3 <= n <= 200; 1 <= m <= 2000; edges (u, v) on 1..n: simple",
        starts: "",
        fails: |input| {
            let (n, m) = (input.size(), input.size());
            let edges = input.lines(m, 2);
            let near = neighbours(n, &edges);
            edges.iter().any(|e| near[index(e[0])].iter().any(|w| near[index(e[1])].contains(w)))
        },
        minimum: "3 3\n1 2\n1 3\n2 3\n",
    },
    Task {
        name: "a difference of a million",
        format: "n; a[n] where 1 <= n <= 10^4; 1 <= a <= 10^9",
        starts: "",
        fails: |input| input.array().windows(2).any(|w| w[0] > w[1] + 1_000_000),
        minimum: "2\n1000002 1\n",
    },
    Task {
        name: "values that are multiples of 1000",
        format: "n; a[n] where 1 <= n <= 10^4; 1 <= a <= 10^6",
        starts: "",
        fails: |input| input.array().iter().any(|x| x % 1000 == 0),
        minimum: "1\n1000\n",
    },
    Task {
        name: "two rows that are alike",
        format: "N M; b[N][M] where 2 <= N, M <= 100; b over \".#\"",
        starts: "N <= 40; M <= 4",
        fails: |input| {
            let (n, _) = (input.size(), input.size());
            input.rows(n).windows(2).any(|w| w[0] == w[1] && w[0].contains(&b'#') && w[0].contains(&b'.'))
        },
        minimum: "2 2\n.#\n.#\n",
    },
    Task {
        name: "an odd number of odd values",
        format: "n; a[n] where 1 <= n <= 10^4; 0 <= a <= 10^9",
        starts: "",
        fails: |input| {
            let odd = input.array().iter().filter(|x| *x % 2 == 1).count();
            odd % 2 == 1 && odd >= 3
        },
        minimum: "3\n1 1 1\n",
    },
    Task {
        name: "intervals that only touch",
        format: "n; repeat n: l r where 1 <= n <= 5000; 1 <= l <= r <= 1000",
        starts: "",
        fails: |input| {
            let n = input.size();
            let lines = input.lines(n, 2);
            let ends: std::collections::HashSet<i64> = lines.iter().filter(|l| l[0] < l[1]).map(|l| l[1]).collect();
            lines.iter().any(|l| l[0] < l[1] && ends.contains(&l[0]))
        },
        minimum: "2\n1 2\n2 3\n",
    },
    Task {
        name: "a second case larger than the first",
        format: "T; cases T: n m where 1 <= T <= 1000; 1 <= n, m <= 10^9",
        starts: "2 <= T",
        fails: |input| {
            let cases = input.size();
            input.lines(cases, 2).windows(2).any(|w| w[0][0] < w[1][0] && w[0][1] > w[1][1])
        },
        minimum: "2\n1 2\n2 1\n",
    },
    Task {
        name: "a permutation with a cycle of three",
        format: "n; p[n] where 1 <= n <= 1000; 1 <= p <= n; distinct(p)",
        starts: "",
        fails: |input| {
            let p = input.array();
            let at = |i: i64| p[index(i - 1)];
            p.iter().any(|i| at(*i) != *i && at(at(at(*i))) == *i)
        },
        minimum: "3\n2 3 1\n",
    },
    Task {
        name: "a query about an equal pair",
        format: "n q; a[n]; repeat q: l r where 1 <= n, q <= 5000; 1 <= l <= r <= n; 1 <= a <= 100",
        starts: "",
        fails: |input| {
            let (n, q) = (input.size(), input.size());
            let a = input.numbers(n);
            input.lines(q, 2).iter().any(|l| l[0] < l[1] && a[index(l[0] - 1)] == a[index(l[1] - 1)] + 5)
        },
        minimum: "2 1\n6 1\n1 2\n",
    },
    Task {
        name: "a knapsack that is just full",
        format: "n W; repeat n: w v where 1 <= n <= 1000; 1 <= W <= 10^5; 1 <= w, v <= 10^5",
        starts: "",
        fails: |input| {
            let (n, capacity) = (input.size(), input.number());
            input.lines(n, 2).windows(2).any(|i| i[0][0] + i[1][0] <= capacity && i[0][0] > i[1][0] && i[0][1] > 10)
        },
        minimum: "2 3\n2 11\n1 1\n",
    },
    Task {
        name: "brackets that are nested",
        format: "s where s over \"()\"; 2 <= len(s) <= 5000; count(s, '(') = count(s, ')')",
        starts: "",
        fails: |input| {
            let mut depth = 0_i64;
            let depths: Vec<i64> = input
                .word()
                .bytes()
                .map(|c| {
                    depth += if c == b'(' { 1 } else { -1 };
                    depth
                })
                .collect();
            depths.iter().all(|d| *d >= 0) && depths.contains(&2)
        },
        minimum: "(())\n",
    },
    Task {
        name: "strings where one begins with the other",
        format: "n; repeat n: s where 1 <= n <= 1000; s over \"a-z\"; 1 <= len(s) <= 10",
        starts: "",
        fails: |input| {
            let n = input.size();
            let words: Vec<&str> = (0..n).map(|_| input.word()).collect();
            words.windows(2).any(|w| w[1].len() > w[0].len() && w[1].starts_with(&w[0][..1]) && !w[1].starts_with('a'))
        },
        minimum: "2\nb\nba\n",
    },
    Task {
        name: "points on one line",
        format: "n; repeat n: x y where 1 <= n <= 300; -1000 <= x, y <= 1000",
        starts: "",
        fails: |input| {
            let n = input.size();
            let points = input.lines(n, 2);
            let on_a_row = |p: &Vec<i64>| points.iter().filter(|q| q[1] == p[1] && p[1] != 0).count() >= 2;
            points.iter().any(|p| p[0] < 0 && on_a_row(p))
        },
        minimum: "2\n0 1\n-1 1\n",
    },
    Task {
        name: "a square matrix that is not symmetric",
        format: "n; a[n][n] where 1 <= n <= 60; 0 <= a <= 1000",
        starts: "",
        fails: |input| {
            let n = input.size();
            let a = input.lines(n, n);
            (0..n).any(|i| (0..i).any(|j| a[i][j] > a[j][i] + 3))
        },
        minimum: "2\n0 0\n4 0\n",
    },
    Task {
        name: "a sum that is divisible",
        format: "n k; a[n] where 2 <= n <= 10^4; 2 <= k <= 1000; 1 <= a <= 1000",
        starts: "",
        fails: |input| {
            let (n, k) = (input.size(), input.number());
            input.numbers(n).windows(2).any(|w| (w[0] + w[1]) % k == 0 && w[0] % k != 0)
        },
        minimum: "2 2\n1 1\n",
    },
    Task {
        name: "two arrays and their largest",
        format: "n m; a[n]; b[m] where 1 <= n, m <= 5000; 1 <= a, b <= 10^9",
        starts: "",
        fails: |input| {
            let (n, m) = (input.size(), input.size());
            let (a, b) = (input.numbers(n), input.numbers(m));
            n > m && a.iter().max() < b.iter().max()
        },
        minimum: "2 1\n1 1\n2\n",
    },
];

/// Returns the vertex farthest from another, and its distance.
fn farthest(near: &[Vec<usize>], from: usize) -> (usize, usize) {
    let mut far = vec![usize::MAX; near.len()];
    far[from] = 0;
    let mut order = vec![from];
    let mut at = 0;
    while let Some(v) = order.get(at).copied() {
        at += 1;
        for w in &near[v] {
            if far[*w] == usize::MAX {
                far[*w] = far[v] + 1;
                order.push(*w);
            }
        }
    }
    order.last().map_or((from, 0), |v| (*v, far[*v]))
}
