#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
use super::*;
use rebut_diagnostics::SourceText;

/// Returns the description of a format in Markdown, as one line.
fn describe_text(text: &str) -> String {
    let format = Format::parse(&SourceText::new("f", text)).unwrap_or_else(|p| panic!("{text}\n{p:?}")).0;
    describe_format(&format, Markup::Markdown).replace("\n\n", "\n")
}

#[track_caller]
fn check_sentences(text: &str, sentences: &[&str]) {
    let found = describe_text(text);
    for sentence in sentences {
        assert!(found.contains(sentence), "no `{sentence}` in\n{found}");
    }
}

#[test]
fn lines_and_blocks() {
    check_sentences(
        "T; cases T: N Ax Ay; V[N][N] where 1<=T<=60; 2<=N<=300; 1<=Ax,Ay<=N; 1<=V<=10^9; sum(N)<=300",
        &[
            "- $T$\n- $T$ test cases, each:\n  - $N\\ \\mathit{Ax}\\ \\mathit{Ay}$\n",
            "  - $N$ lines, the $i$-th: $V_{i,1}\\ V_{i,2}\\ \\dots\\ V_{i,N}$\n",
            "- $1 \\le \\mathit{Ax}, \\mathit{Ay} \\le N$.\n- $1 \\le V_{i,j} \\le 10^9$.\n",
            "- The sum of $N$ over all test cases is at most $300$.\n- All numbers are integers.\n",
        ],
    );
    check_sentences(
        "n x\nif x > 3:\n  a[n]\nrepeat 2:\n  (w[2][])\nwhere:\n  0<=n,x<=9\n  0<=a<=9\n  w over \"ab\"\n  len(w)<=3\n",
        &[
            "- If $x > 3$: $a_1\\ a_2\\ \\dots\\ a_n$\n- $2$ lines: $w_1\\ w_2$\n",
            "- $w_i$ is a string of characters, each `a` or `b`.\n- $\\lvert w_i \\rvert \\le 3$.\n",
        ],
    );
    check_sentences(
        "t\n\"\"\ncases t separated by \"\":\n  n\n  repeat 2 separated by \"-\":\n    x\nwhere:\n  1<=t,n,x<=9\n",
        &[
            "- An empty line\n- $t$ test cases, separated by empty lines, each:\n  - $n$\n",
            "  - $2$ groups of lines, separated by lines `-`, each:\n    - $x$\n",
        ],
    );
    check_sentences(
        "repeat 1..20 until \"end\" -1:\n  x\nwhere:\n  x real, 0.5 <= x <= 10, 0..2 decimals\n",
        &[
            "- $1$ to $20$ lines, ended by a line `end -1`: $x$\n",
            "- $x$ is a real number with at most 2 digits after the decimal point.\n- $0.5 \\le x \\le 10$.\n",
        ],
    );
    check_sentences(
        "n; k (x y)[k]\nrepeat n:\n  either:\n    0 a\n    1:\n      c[2]\nwhere:\n  1<=n,k,a,c,x,y<=9\n",
        &[
            "- $n$\n- $k$, followed by $k$ times $x\\ y$\n- $n$ groups of lines, each:\n  - One of the following forms:\n",
            "    - $\\texttt{0}\\ a$\n    - $\\texttt{1}$, then:\n      - $c_1\\ c_2$\n",
        ],
    );
}

#[test]
fn relations_of_values() {
    check_sentences(
        "n m; V[n][n]; a[n]; b[m]; p[n] where 1<=n,m<=9; 1<=V,a,b<=9; forall i in 1..n: distinct(V[i]); \
         forall j in 1..n: distinct(V[1..n][j]); disjoint(a, b); p permutation of 1..n; inversions(p) <= 5; cycles(p) = 1; \
         distinct(a) >= 2; if n = 3: not distinct(V[2])",
        &[
            "$V_{i,1}, V_{i,2}, \\dots, V_{i,n}$ are pairwise distinct for all $1 \\le i \\le n$.",
            "$V_{1,j}, \\dots, V_{n,j}$ are pairwise distinct for all $1 \\le j \\le n$.",
            "$a$ and $b$ have no element in common.",
            "$p$ is a permutation of the integers from $1$ to $n$.",
            "$\\text{number of inversions of } p_1, p_2, \\dots, p_n \\le 5$.",
            "$\\text{number of cycles of } p_1, p_2, \\dots, p_n = 1$.",
            "$\\text{number of different values among } a_1, a_2, \\dots, a_n \\ge 2$.",
            "If $n = 3$, then it does not hold that $V_{2,1}, V_{2,2}, \\dots, V_{2,n}$ are pairwise distinct.",
        ],
    );
    check_sentences(
        "n\nrepeat n:\n  x y\nwhere:\n  let M = 10^5\n  2<=n<=9\n  0<=x,y<=M*2\n  increasing(x)\n  distinct((x, y))\n  \
         edges (x[1..n-1], y[1..n-1]) on 0..n: acyclic\n  forall i in 1..n: max(x[1..i]) < i*n\n",
        &[
            "- $0 \\le x_i, y_i \\le 10^5 \\cdot 2$.\n- The sequence of all $x_i$ is strictly increasing.\n",
            "- No two lines have the same $(x_i, y_i)$.\n",
            "- The edges $(x_i, y_i)$ number $1$ to $n - 1$ form a graph with the vertices $0, \\dots, n$ that has no cycles.\n",
            "- $\\max_{1 \\le j \\le i} x_j < i \\cdot n$ for all $1 \\le i \\le n$.\n",
        ],
    );
    check_sentences(
        "n; q[n-1]; repeat n-1: u v where 3<=n<=9; edges (u, v) on 1..n: tree, depth 2..5; parents q of 2..n on 1..n: tree, depth <= 4",
        &[
            "The edges $(u, v)$ form a graph with the vertices $1, \\dots, n$ that is a tree and has a depth from $2$ to $5$.",
            "- $q_i$ is the parent of the vertex $i + 1$ in a graph with the vertices $1, \\dots, n$ that is a tree and has \
             depth at most $4$.\n",
        ],
    );
}

#[test]
fn forms_and_words() {
    check_sentences(
        "q\nrepeat q:\n  op\n  if op = \"push\":\n    x\nwhere:\n  1<=q<=9\n  op one of \"push\", \"pop\"\n  0<=x<=9\n  \
         count(op, \"push\") >= 1\n",
        &[
            "- $q$ groups of lines, each:\n  - $\\mathit{op}$\n  - If $\\mathit{op} = \\texttt{push}$: $x$\n",
            "- $\\mathit{op}$ is `push` or `pop`.\n- $0 \\le x \\le 9$.\n\
             - `push` occurs at least once as $\\mathit{op}$ in all $q$ groups.\n",
        ],
    );
    check_sentences(
        "n; a[n] where 0<=n<=2; 1<=a<=2",
        &["- $n$\n- $a_1\\ a_2\\ \\dots\\ a_n$ (an empty line if $n = 0$)\n"],
    );
    check_sentences(
        "h\":\"m c[1] where 0<=h<=23; 0<=m<=59; c over \"ap\"",
        &["- $h\\texttt{:}m\\ c$\n", "- $c$ is `a` or `p`.\n- All numbers are integers.\n"],
    );
    check_sentences(
        "n; s[n]; w[2][n] where 1<=n<=9; s matches \"[a-y]*z\"; w over \"a-z0-9_\"",
        &[
            "- $s$ is a string of $n$ characters that matches the regular expression `[a-y]*z` as a whole.\n",
            "- $w_i$ is a string of $n$ characters, each a lowercase English letter, a digit or `_`.\n",
        ],
    );
}

#[test]
fn constraints_in_words() {
    check_sentences(
        "n m\na[n]\nb[n]\nwhere:\n  1<=n,m<=9\n  -5<=a,b<=5\n  a<=b\n  sum(a)>=m\n  min(b)<=3\n  max(a)<sum(b)\n  \
         m <= sum(a) * 2\n  n*m%4 = 0\n  if n > 1: m >= 2\n  n = 1 or m = 1 and n > 3\n  \
         exists i in 1..n: a[i] = 0\n  forall i in 1..n: forall j in i+1..n: a[i] + a[j] != 3\n  abs(n-m) <= 5\n  \
         b <= sum(a)\n  (n % 3) * 2 <= m + n % 2\n  2 <= sum(b) <= 9\n  count(a, 3) <= m\n",
        &[
            "- $-5 \\le a_i, b_i \\le 5$.\n- $a_i \\le b_i$.\n- $\\sum_{i} a_i \\ge m$.\n- $\\min_{i} b_i \\le 3$.\n",
            "$\\max_{i} a_i < \\sum_{i} b_i$.",
            "$m \\le \\sum_{i} a_i \\cdot 2$.",
            "$n \\cdot m$ is a multiple of $4$.",
            "If $n > 1$, then $m \\ge 2$.",
            "$n = 1$ or ($m = 1$ and $n > 3$).",
            "There is at least one $i$ with $1 \\le i \\le n$ such that $a_i = 0$.",
            "$a_i + a_j \\ne 3$ for all $1 \\le i < j \\le n$.",
            "$\\lvert n - m \\rvert \\le 5$.",
            "$b_i \\le \\sum_{j} a_j$.",
            "$(n \\bmod 3) \\cdot 2 \\le m + (n \\bmod 2)$.",
            "$2 \\le \\sum_{i} b_i \\le 9$.",
            "$3$ occurs at most $m$ times in $a$.",
        ],
    );
}

#[test]
fn rows_are_named_by_their_index() {
    check_sentences(
        "n m; b[n][m]; a[n][m] where 1<=n,m<=9; b over \".#\"; 1<=a<=9; forall i in 1..n: count(b[i], '#') = 1; \
         forall i in 1..n: sum(a[i]) > count(b[i], '.') + len(b[i]); forall i in 1..n: min(a[i][1..m]) = i",
        &[
            "- `#` occurs exactly once in $b_i$ for all $1 \\le i \\le n$.\n",
            "- $\\sum_{j} a_{i,j} > \\sum_{j} [b_{i,j} = \\texttt{.}] + \\lvert b_i \\rvert$ for all $1 \\le i \\le n$.\n",
            "- $\\min_{1 \\le j \\le m} a_{i,j} = i$ for all",
        ],
    );
}

#[test]
fn texts_of_repetitions_are_indexed() {
    check_sentences(
        "k; repeat k: u where 2<=k<=3; u over \"ab\"; 1<=len(u)<=3; forall i in 1..k: len(u[i]) <= i; \
         forall i in 1..k: count(u[i], \"a\") = 1; u[2][1] != 'b'",
        &[
            "- $k$ lines, the $i$-th: $u_i$\n",
            "- $\\lvert u_i \\rvert \\le i$ for all $1 \\le i \\le k$.\n",
            "- `a` occurs exactly once in $u_i$ for all $1 \\le i \\le k$.\n- $u_{2,1} \\ne \\texttt{b}$.\n",
        ],
    );
}

#[test]
fn everything_is_stated_and_nothing_twice() {
    check_sentences(
        "n m\nrepeat m:\n  a b\np[n]\nwhere:\n  2<=n<=9\n  1<=m<=20\n  1<=a<b<=n\n  edges (a, b) on 1..n: connected\n  \
         p permutation of 1..n\n  validator \"check_it.py\"\n  subtask easy_one (30): n <= 3; m <= 4\n  \
         subtask rest (70): n <= 9\n",
        &[
            "- $n\\ m$\n- $m$ lines: $a\\ b$\n- $p_1\\ p_2\\ \\dots\\ p_n$\n",
            "- $1 \\le a < b \\le n$.\n- The edges $(a, b)$ form a graph with the vertices $1, \\dots, n$ that is connected.\n\
             - $p$ is a permutation of the integers from $1$ to $n$.\n",
            "Further conditions are checked by the validator `check_it.py`.",
            "| Subtask | Points | Further constraints |",
            "| easy\\_one | $30$ | $n \\le 3$. $m \\le 4$. |",
        ],
    );
}

#[test]
fn repetitions_are_numbered_where_constraints_number_them() {
    check_sentences(
        "n\nrepeat n:\n  s e\n  if s > 1:\n    k; b[k]\nrepeat n:\n  x\nwhere:\n  1<=n<=9\n  0<=s<=e<=9\n  1<=k<=3\n  \
         0<=b,x<=5\n  forall i in 1..n-1: k[i] < s[i+1]\n",
        &[
            "- $n$ groups of lines, the $i$-th:\n  - $s_i\\ e_i$\n  - If $s_i > 1$:\n    - $k_i$\n",
            "    - $b_{i,1}\\ b_{i,2}\\ \\dots\\ b_{i,k_i}$\n- $n$ lines: $x$\n",
            "- $0 \\le b_{i,j}, x \\le 5$.\n- $k_i < s_{i + 1}$ for all $1 \\le i \\le n - 1$.\n",
        ],
    );
}
