//! A fourth set of triggers that did not influence the design of shrinking: forty kinds of mistakes, written without regard
//! to the passes.

use crate::Task;
use crate::input::{index, neighbours, way};
use std::collections::{BTreeMap, BTreeSet};

/// The triggers.
pub(crate) const FOURTH: &[Task] = &[
    Task {
        name: "two pairs of neighbours with the same sum",
        format: "n; a[n] where 1 <= n <= 3000; 1 <= a <= 10^6",
        starts: "a <= 60",
        fails: |input| {
            let a = input.array();
            let sums: Vec<i64> = a.windows(2).map(|w| w[0] + w[1]).collect();
            (0..sums.len()).any(|i| sums[i] >= 50 && sums.iter().skip(i + 2).any(|s| *s == sums[i]))
        },
        minimum: "4\n1 49 1 49\n",
    },
    Task {
        name: "a target hit twice",
        format: "n t; a[n] where 1 <= n <= 2000; 1 <= t <= 10^9; 1 <= a <= 10^9",
        starts: "t <= 200; a <= 120",
        fails: |input| {
            let (n, t) = (input.size(), input.number());
            let a = input.numbers(n);
            let pairs = (0..n).map(|i| (0..i).filter(|j| a[*j] + a[i] == t && a[*j] != a[i]).count());
            t > 20 && pairs.sum::<usize>() >= 2
        },
        minimum: "3 21\n1 1 20\n",
    },
    Task {
        name: "a matrix with a saddle",
        format: "r c; a[r][c] where 1 <= r, c <= 50; 0 <= a <= 1000",
        starts: "",
        fails: |input| {
            let (r, c) = (input.size(), input.size());
            let a = input.lines(r, c);
            (0..r).any(|i| {
                (0..c).any(|j| {
                    let row = (0..c).all(|k| k == j || a[i][k] > a[i][j]);
                    r > 1 && c > 1 && row && (0..r).all(|k| k == i || a[k][j] < a[i][j])
                })
            })
        },
        minimum: "2 2\n0 0\n1 2\n",
    },
    Task {
        name: "an anagram that is no copy",
        format: "s; t where s, t over \"abc\"; 1 <= len(s), len(t) <= 2000",
        starts: "len(s) = len(t); 3 <= len(s) <= 6",
        fails: |input| {
            let (s, t) = (input.word(), input.word());
            let sorted = |text: &str| {
                let mut bytes = text.as_bytes().to_vec();
                bytes.sort_unstable();
                bytes
            };
            s != t && sorted(s) == sorted(t) && s.bytes().rev().ne(t.bytes())
        },
        minimum: "aab\naba\n",
    },
    Task {
        name: "a leaf far from a heavy vertex",
        format: "n; w[n]; repeat n-1: u v where 2 <= n <= 1000; 1 <= w <= 10^6; edges (u, v) on 1..n: tree",
        starts: "",
        fails: |input| {
            let n = input.size();
            let w = input.numbers(n);
            let near = neighbours(n, &input.lines(n - 1, 2));
            (1..=n).any(|v| w[v - 1] >= 1000 && near[v].len() >= 2 && near[v].iter().all(|u| near[*u].len() >= 2))
        },
        minimum: "5\n1 1 1000 1 1\n1 3\n1 4\n2 3\n2 5\n",
    },
    Task {
        name: "a bridge between two cycles",
        format: "n m; repeat m: u v where 2 <= n <= 100; 1 <= m <= 500; edges (u, v) on 1..n: simple, connected",
        starts: "m <= n + 3",
        fails: |input| {
            let (n, m) = (input.size(), input.size());
            let near = neighbours(n, &input.lines(m, 2));
            let in_triangle = |v: usize| near[v].iter().any(|u| near[*u].iter().any(|w| near[*w].contains(&v)));
            (1..=n).any(|v| in_triangle(v) && near[v].iter().any(|u| near[*u].len() == 1))
        },
        minimum: "4 4\n1 2\n1 3\n1 4\n2 3\n",
    },
    Task {
        name: "deposits that are taken out again",
        format: "q; repeat q: op x where 1 <= q <= 3000; op one of \"in\", \"out\"; 1 <= x <= 10^9",
        starts: "x <= 30",
        fails: |input| {
            let mut balance = 0;
            let count = input.size();
            (0..count).any(|_| {
                let op = input.word();
                balance += if op == "in" { input.number() } else { -input.number() };
                op == "out" && balance == 0
            })
        },
        minimum: "2\nin 1\nout 1\n",
    },
    Task {
        name: "an interval inside two others",
        format: "n; repeat n: l r where 1 <= n <= 2000; 1 <= l <= r <= 10^6",
        starts: "r <= 100",
        fails: |input| {
            let n = input.size();
            let all = input.lines(n, 2);
            all.iter().any(|i| all.iter().filter(|o| o[0] < i[0] && i[1] < o[1]).count() >= 2)
        },
        minimum: "3\n1 3\n1 3\n2 2\n",
    },
    Task {
        name: "a number twice the one before the last",
        format: "n; a[n] where 1 <= n <= 5000; 1 <= a <= 10^9",
        starts: "a <= 50",
        fails: |input| {
            let a = input.array();
            a.windows(3).any(|w| w[2] == 2 * w[0] && w[1] > w[2] && w[0] >= 5)
        },
        minimum: "3\n5 11 10\n",
    },
    Task {
        name: "a run of one letter among others",
        format: "n k; s[n] where 1 <= k <= n <= 5000; s over \"abc\"",
        starts: "2 <= k <= 4",
        fails: |input| {
            let (_, k) = (input.size(), input.size());
            let s = input.word().as_bytes();
            k >= 2 && s.chunk_by(|a, b| a == b).any(|run| run.len() == k && run[0] > s[0])
        },
        minimum: "3 2\nabb\n",
    },
    Task {
        name: "equal columns that are not neighbours",
        format: "r c; g[r][c] where 2 <= r, c <= 60; g over \"01\"",
        starts: "",
        fails: |input| {
            let (r, c) = (input.size(), input.size());
            let g = input.rows(r);
            let column = |at: usize| g.iter().map(|row| row[at]).collect::<Vec<u8>>();
            (0..c).any(|i| (i + 2..c).any(|j| column(i) == column(j) && column(i) != column(i + 1)))
        },
        minimum: "2 3\n000\n010\n",
    },
    Task {
        name: "a chain of three implications",
        format: "n m; repeat m: a b where 1 <= n <= 1000; 1 <= m <= 3000; 1 <= a, b <= n",
        starts: "n <= 12",
        fails: |input| {
            let (_, m) = (input.size(), input.size());
            let pairs = input.lines(m, 2);
            let follows = |x: i64| pairs.iter().filter(move |p| p[0] == x && p[1] > x).map(|p| p[1]);
            pairs.iter().any(|p| p[0] < p[1] && follows(p[1]).any(|c| follows(c).next().is_some()))
        },
        minimum: "4 3\n1 2\n2 3\n3 4\n",
    },
    Task {
        name: "a median that is no element",
        format: "n; a[n] where 1 <= n <= 2000; -1000 <= a <= 1000",
        starts: "",
        fails: |input| {
            let mut a = input.array();
            a.sort_unstable();
            let (left, right) = (a[(a.len() - 1) / 2], a[a.len() / 2]);
            a.len() % 2 == 0 && (left + right) % 2 != 0 && left < 0 && right > 1
        },
        minimum: "2\n-1 2\n",
    },
    Task {
        name: "a case as large as all before it",
        format: "T; cases T: n; a[n] where 1 <= T <= 200; 1 <= n <= 1000; 0 <= a <= 9; sum(n) <= 3000",
        starts: "",
        fails: |input| {
            let (cases, mut total) = (input.size(), 0);
            (0..cases).any(|_| {
                let sum: i64 = input.array().iter().sum();
                total += sum;
                sum > 5 && total == 2 * sum
            })
        },
        minimum: "2\n1\n6\n1\n6\n",
    },
    Task {
        name: "a square number of steps",
        format: "n x where 1 <= n, x <= 10^12",
        starts: "n = x * x; x <= 50",
        fails: |input| {
            let (n, x) = (input.number(), input.number());
            x > 3 && n == x * x
        },
        minimum: "16 4\n",
    },
    Task {
        name: "the same two dishes on two days",
        format: "d; repeat d: { k; x[k] } where 1 <= d <= 300; 1 <= k <= 10; 1 <= x <= 50",
        starts: "x <= 12",
        fails: |input| {
            let count = input.size();
            let days: Vec<BTreeSet<i64>> = (0..count).map(|_| input.array().into_iter().collect()).collect();
            (0..count).any(|i| (0..i).any(|j| days[i].intersection(&days[j]).count() >= 2))
        },
        minimum: "2\n2\n1 2\n2\n1 2\n",
    },
    Task {
        name: "a triangle with a right angle",
        format: "n; a[n] where 3 <= n <= 500; 1 <= a <= 10^5",
        starts: "a <= 40",
        fails: |input| {
            let a: BTreeSet<i64> = input.array().into_iter().filter(|x| *x < 1000).collect();
            a.iter().any(|x| {
                a.range(x + 1..).any(|y| {
                    *x > 4 && a.contains(&(x * x + y * y).isqrt()) && {
                        let z = (x * x + y * y).isqrt();
                        z * z == x * x + y * y
                    }
                })
            })
        },
        minimum: "3\n6 8 10\n",
    },
    Task {
        name: "a queue that is empty again",
        format: "q; repeat q: op where 1 <= q <= 4000; op one of \"+\", \"-\"",
        starts: "",
        fails: |input| {
            let (count, mut length, mut highest) = (input.size(), 0_i64, 0);
            (0..count).any(|_| {
                length = (length + if input.word() == "+" { 1 } else { -1 }).max(0);
                highest = if length == 0 && highest < 3 { 0 } else { length.max(highest) };
                highest >= 3 && length == 0
            })
        },
        minimum: "6\n+\n+\n+\n-\n-\n-\n",
    },
    Task {
        name: "a palindrome in the middle of a word",
        format: "s where s over \"abcd\"; 1 <= len(s) <= 3000",
        starts: "",
        fails: |input| {
            let s = input.word().as_bytes();
            s.windows(7).any(|w| w[1] == w[5] && w[2] == w[4] && w[1] != w[2] && w[2] != w[3] && w[0] != w[6])
        },
        minimum: "aababab\n",
    },
    Task {
        name: "a key with two values that differ by its index",
        format: "n; repeat n: k v where 1 <= n <= 2000; 1 <= k <= 100; 0 <= v <= 10^9",
        starts: "v <= 100; k <= 20",
        fails: |input| {
            let n = input.size();
            let mut last: BTreeMap<i64, i64> = BTreeMap::new();
            input
                .lines(n, 2)
                .iter()
                .any(|kv| kv[0] > 2 && last.insert(kv[0], kv[1]).is_some_and(|v| v + kv[0] == kv[1]))
        },
        minimum: "2\n3 0\n3 3\n",
    },
    Task {
        name: "an island with a lake",
        format: "r c; g[r][c] where 1 <= r, c <= 40; g over \".#\"",
        starts: "",
        fails: |input| {
            let (r, c) = (input.size(), input.size());
            let g = input.rows(r);
            let is_land = |i: usize, j: usize| g[i][j] == b'#';
            (1..r.saturating_sub(1)).any(|i| {
                (1..c.saturating_sub(1)).any(|j| {
                    let sides = [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)];
                    !is_land(i, j) && sides.iter().all(|(a, b)| is_land(*a, *b))
                })
            })
        },
        minimum: "3 3\n.#.\n#.#\n.#.\n",
    },
    Task {
        name: "a sum that passes a limit late",
        format: "n k; a[n] where 1 <= n <= 1000; 1 <= k <= 10^6; 1 <= a <= 1000",
        starts: "",
        fails: |input| {
            let (n, k) = (input.size(), input.number());
            let mut sum = 0;
            let passes = input.numbers(n).iter().position(|x| {
                sum += x;
                sum > k
            });
            passes.is_some_and(|at| at >= 4 && sum - k > 10)
        },
        minimum: "5 4\n1 1 1 1 11\n",
    },
    Task {
        name: "a rotation of the numbers in order",
        format: "n; p[n] where 1 <= n <= 500; 1 <= p <= n; distinct(p)",
        starts: "n <= 5",
        fails: |input| {
            let p = input.array();
            let descents = (0..p.len()).filter(|i| p[*i] > p[(i + 1) % p.len()]).count();
            p.len() >= 4 && descents == 1 && p[0] != 1
        },
        minimum: "4\n2 3 4 1\n",
    },
    Task {
        name: "an operand that is itself a result",
        format: "q; repeat q: a b where 1 <= q <= 500; 0 <= a, b <= 10^6",
        starts: "a <= 40; b <= 40",
        fails: |input| {
            let q = input.size();
            let all = input.lines(q, 2);
            (0..q).any(|i| (0..i).any(|j| all[j][0] > 1 && all[j][1] > 1 && all[j][0] * all[j][1] == all[i][0]))
        },
        minimum: "2\n2 2\n4 0\n",
    },
    Task {
        name: "a date before its neighbours",
        format: "n; repeat n: h m where 1 <= n <= 1000; 0 <= h <= 23; 0 <= m <= 59",
        starts: "",
        fails: |input| {
            let n = input.size();
            let t: Vec<i64> = input.lines(n, 2).iter().map(|x| 60 * x[0] + x[1]).collect();
            t.windows(3).any(|w| w[1] < w[0] && w[1] < w[2] && w[2] - w[1] == 30)
        },
        minimum: "3\n0 1\n0 0\n0 30\n",
    },
    Task {
        name: "words that rhyme but do not begin alike",
        format: "n; repeat n: s where 2 <= n <= 300; s over \"abc\"; 1 <= len(s) <= 12",
        starts: "3 <= len(s) <= 4",
        fails: |input| {
            let n = input.size();
            let words: Vec<&[u8]> = (0..n).map(|_| input.word().as_bytes()).collect();
            let rhyme = |a: &[u8], b: &[u8]| a.len() > 2 && b.len() > 2 && a[a.len() - 2..] == b[b.len() - 2..];
            (0..n).any(|i| (0..i).any(|j| rhyme(words[i], words[j]) && words[i][0] != words[j][0]))
        },
        minimum: "2\naaa\nbaa\n",
    },
    Task {
        name: "two shops with the best price",
        format: "n m; p[n][m] where 1 <= n, m <= 60; 1 <= p <= 10^6",
        starts: "p <= 12; n >= 2; m >= 2",
        fails: |input| {
            let (n, m) = (input.size(), input.size());
            let p = input.lines(n, m);
            (0..m).any(|j| {
                let least = p.iter().map(|row| row[j]).min().unwrap_or_default();
                m > 1 && least > 5 && p.iter().filter(|row| row[j] == least).count() == 2
            })
        },
        minimum: "2 2\n1 6\n1 6\n",
    },
    Task {
        name: "a vertex that only weights reach",
        format: "n m; repeat m: u v w where 2 <= n <= 60; 1 <= m <= 300; 1 <= u, v <= n; 0 <= w <= 100",
        starts: "",
        fails: |input| {
            let (n, m) = (input.size(), input.size());
            let edges = input.lines(m, 3);
            let mut free = vec![false; n + 1];
            free[1] = true;
            for _ in 0..n {
                for e in edges.iter().filter(|e| e[2] == 0) {
                    free[index(e[1])] |= free[index(e[0])];
                }
            }
            edges.iter().any(|e| free[index(e[0])] && e[0] != 1 && !free[index(e[1])])
        },
        minimum: "3 2\n1 2 0\n2 3 1\n",
    },
    Task {
        name: "more than half of one value",
        format: "n; a[n] where 1 <= n <= 2000; 1 <= a <= 10^9",
        starts: "a <= 2",
        fails: |input| {
            let a = input.array();
            let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
            a.iter().for_each(|x| *counts.entry(*x).or_default() += 1);
            a.len() >= 5 && counts.values().any(|c| 2 * c == a.len() + 1)
        },
        minimum: "5\n1 1 1 2 2\n",
    },
    Task {
        name: "a move back to where it began",
        format: "n; s[n] where 1 <= n <= 1000; s over \"LRUD\"",
        starts: "",
        fails: |input| {
            let (_, mut x, mut y) = (input.size(), 0_i64, 0_i64);
            let mut turned = BTreeSet::new();
            input.word().bytes().any(|c| {
                match c {
                    b'L' => x -= 1,
                    b'R' => x += 1,
                    b'U' => y += 1,
                    _ => y -= 1,
                }
                turned.insert(c);
                (x, y) == (0, 0) && turned.len() == 4
            })
        },
        minimum: "4\nLRUD\n",
    },
    Task {
        name: "a queen that sees another",
        format: "n k; repeat k: r c where 1 <= n <= 1000; 1 <= k <= 200; 1 <= r, c <= n; distinct((r, c))",
        starts: "n <= 20",
        fails: |input| {
            let (_, k) = (input.size(), input.size());
            let q = input.lines(k, 2);
            (0..k).any(|i| {
                (0..i).any(|j| (q[i][0] - q[j][0]).abs() == (q[i][1] - q[j][1]).abs() && (q[i][0] - q[j][0]).abs() > 2)
            })
        },
        minimum: "4 2\n1 1\n4 4\n",
    },
    Task {
        name: "a budget that two of three use up",
        format: "n b; c[n] where 1 <= n <= 300; 1 <= b <= 10^9; 1 <= c <= 10^9",
        starts: "n >= 3; b <= 60; c <= 60",
        fails: |input| {
            let (n, b) = (input.size(), input.number());
            let c = input.numbers(n);
            let pair = (0..n).any(|i| (0..i).any(|j| c[i] + c[j] == b));
            pair && c.iter().any(|x| *x > b) && b >= 10
        },
        minimum: "3 10\n1 9 11\n",
    },
    Task {
        name: "a child older than its parent",
        format: "n; repeat n-1: p a where 2 <= n <= 1000; 1 <= p <= n; 0 <= a <= 120; forall i in 1..n-1: p[i] <= i",
        starts: "",
        fails: |input| {
            let n = input.size();
            let rows = input.lines(n - 1, 2);
            rows.iter().any(|row| row[0] > 1 && rows[index(row[0]) - 2][1] < row[1] && row[1] >= 100)
        },
        minimum: "3\n1 0\n2 100\n",
    },
    Task {
        name: "an even number of inversions",
        format: "n; p[n] where 2 <= n <= 300; 1 <= p <= n; distinct(p)",
        starts: "",
        fails: |input| {
            let p = input.array();
            let inversions = (0..p.len()).map(|i| (0..i).filter(|j| p[*j] > p[i]).count()).sum::<usize>();
            inversions > 2 && inversions % 2 == 0
        },
        minimum: "4\n2 4 3 1\n",
    },
    Task {
        name: "a path around a wall",
        format: "r c; g[r][c] where 1 <= r, c <= 30; g over \".#SE\"; count(g, 'S') = 1; count(g, 'E') = 1",
        starts: "",
        fails: |input| {
            let (r, _) = (input.size(), input.size());
            let g = input.rows(r);
            let place = |c: u8| g.iter().enumerate().find_map(|(i, row)| Some((i, row.iter().position(|x| *x == c)?)));
            let (Some(s), Some(e)) = (place(b'S'), place(b'E')) else { return false };
            way(&g, b'S', b'E').is_some_and(|steps| steps == s.0.abs_diff(e.0) + s.1.abs_diff(e.1) + 2)
        },
        minimum: "2 3\n...\nS#E\n",
    },
    Task {
        name: "a price that falls below a half",
        format: "n; a[n] where 1 <= n <= 3000; 1 <= a <= 10^9",
        starts: "",
        fails: |input| {
            let a = input.array();
            (1..a.len()).any(|i| a[i - 1] > 1000 && 2 * a[i] < a[i - 1] && a[i] > 100)
        },
        minimum: "2\n1001 101\n",
    },
    Task {
        name: "a code with its check sum",
        format: "n; a[n]; c where 1 <= n <= 500; 0 <= a <= 255; 0 <= c <= 255",
        starts: "n <= 6; c <= 40; a <= 30",
        fails: |input| {
            let a = input.array();
            let c = input.number();
            c > 9 && a.iter().fold(0, |x, y| x ^ y) == c && a.len() > 1
        },
        minimum: "2\n0 10\n10\n",
    },
    Task {
        name: "a group of three that share a room",
        format: "n; repeat n: room from to where 1 <= n <= 500; 1 <= room <= 50; 0 <= from < to <= 1440",
        starts: "room <= 5",
        fails: |input| {
            let n = input.size();
            let all = input.lines(n, 3);
            let shares = |a: &[i64], b: &[i64]| a[0] == b[0] && a[1] < b[2] && b[1] < a[2];
            (0..n).any(|i| (0..n).filter(|j| shares(&all[i], &all[*j])).count() >= 3 && all[i][0] > 2)
        },
        minimum: "3\n3 0 1\n3 0 1\n3 0 1\n",
    },
    Task {
        name: "a digit that is its own position",
        format: "s where s over \"0-9\"; 1 <= len(s) <= 2000",
        starts: "",
        fails: |input| {
            let s = input.word().as_bytes();
            s.iter().enumerate().filter(|(i, c)| *i > 0 && usize::from(*c - b'0') == *i).count() >= 2
        },
        minimum: "012\n",
    },
    Task {
        name: "a step that is repeated backwards",
        format: "n; a[n] where 2 <= n <= 1000; -10^6 <= a <= 10^6",
        starts: "-20 <= a <= 20",
        fails: |input| {
            let a = input.array();
            a.windows(3).any(|w| w[1] - w[0] == w[1] - w[2] && (w[1] - w[0]).abs() >= 10)
        },
        minimum: "3\n0 10 0\n",
    },
];
