//! A third set of triggers that did not influence the design of shrinking.

use crate::Task;
use crate::input::index;

/// The triggers.
pub(crate) const THIRD: &[Task] = &[
    Task {
        name: "a window as high at both ends",
        format: "n k; a[n] where 1 <= k <= n <= 5000; 1 <= a <= 10^6",
        starts: "k <= 20; a <= 40",
        fails: |input| {
            let (n, k) = (input.size(), input.size());
            let a = input.numbers(n);
            a.windows(k).any(|w| k >= 3 && w[0] == w[k - 1] && w[1..k - 1].iter().all(|x| *x < w[0]))
        },
        minimum: "3 3\n2 1 2\n",
    },
    Task {
        name: "a word with gaps",
        format: "s t where s, t over \"a-z\"; 1 <= len(s), len(t) <= 3000",
        starts: "len(s) >= 20; 2 <= len(t) <= 4",
        fails: |input| {
            let (s, t) = (input.word(), input.word());
            let mut rest = t.bytes().peekable();
            s.bytes().for_each(|c| {
                rest.next_if_eq(&c);
            });
            rest.peek().is_none() && !s.contains(t)
        },
        minimum: "aba aa\n",
    },
    Task {
        name: "three colours at a vertex",
        format: "n m; repeat m: u v c where 2 <= n <= 200; 1 <= m <= 2000; edges (u, v) on 1..n: simple; 1 <= c <= 10",
        starts: "",
        fails: |input| {
            let (n, m) = (input.size(), input.size());
            let mut colours = vec![std::collections::BTreeSet::new(); n + 1];
            for edge in input.lines(m, 3) {
                colours[index(edge[0])].insert(edge[2]);
                colours[index(edge[1])].insert(edge[2]);
            }
            colours.iter().any(|c| c.len() >= 3)
        },
        minimum: "4 3\n1 2 1\n1 3 2\n1 4 3\n",
    },
    Task {
        name: "the last day of February",
        format: "n; repeat n: y m d where 1 <= n <= 5000; 1900 <= y <= 2100; 1 <= m <= 12; 1 <= d <= 31",
        starts: "m <= 3; d >= 20",
        fails: |input| {
            let n = input.size();
            input.lines(n, 3).iter().any(|t| t[0] % 4 == 0 && t[0] % 100 != 0 && t[1] == 2 && t[2] == 29)
        },
        minimum: "1\n1904 2 29\n",
    },
    Task {
        name: "a key that was there before",
        format: "q; repeat q: either: { \"get\" g; \"del\" d; \"set\" k v } where 1 <= q <= 5000; 1 <= g, d, k <= 1000; \
                 0 <= v <= 10^9",
        starts: "g <= 50; d <= 50; k <= 50",
        fails: |input| {
            let mut gone: std::collections::HashMap<i64, (i64, bool)> = std::collections::HashMap::new();
            let count = input.size();
            (0..count).any(|_| match (input.word(), input.number()) {
                ("set", key) => {
                    gone.insert(key, (input.number(), false));
                    false
                }
                ("del", key) => {
                    gone.entry(key).and_modify(|(_, deleted)| *deleted = true);
                    false
                }
                (_, key) => gone.get(&key).is_some_and(|(value, deleted)| *deleted && *value >= 1000),
            })
        },
        minimum: "3\nset 1 1000\ndel 1\nget 1\n",
    },
    Task {
        name: "steeper down than to the right",
        format: "R C; h[R][C] where 1 <= R, C <= 100; 0 <= h <= 10^6",
        starts: "",
        fails: |input| {
            let (rows, columns) = (input.size(), input.size());
            let h = input.lines(rows, columns);
            let slopes = |r: usize, c: usize| (h[r + 1][c] - h[r][c], h[r][c + 1] - h[r][c]);
            (1..rows).any(|r| (1..columns).map(|c| slopes(r - 1, c - 1)).any(|(down, right)| right > 5 && down > right))
        },
        minimum: "2 2\n0 6\n7 0\n",
    },
    Task {
        name: "a number whose check digits agree",
        format: "s where s over \"0-9\"; 1 <= len(s) <= 5000",
        starts: "",
        fails: |input| {
            let digits: Vec<i64> = input.word().bytes().map(|c| i64::from(c - b'0')).collect();
            let sum: i64 = digits.iter().zip(1..).map(|(digit, weight)| digit * weight).sum();
            sum % 11 == 0 && digits.iter().any(|digit| *digit > 0)
        },
        minimum: "15\n",
    },
    Task {
        name: "three that come to nothing",
        format: "n; a[n] where 1 <= n <= 2000; -1000 <= a <= 1000",
        starts: "",
        fails: |input| {
            let a = input.array();
            a.windows(3).any(|w| w.iter().sum::<i64>() == 0 && !w.contains(&0) && w[0] != w[1])
        },
        minimum: "3\n1 -2 1\n",
    },
];
