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
            "- One line with an integer $T$ ($1 \\le T \\le 60$), the number of test cases.\n- $T$ test cases, each consisting of:",
            "  - One line with three integers $N$, $\\mathit{Ax}$ and $\\mathit{Ay}$",
            "  - $N$ lines, the $i$-th with $N$ integers $V_{i,1}, V_{i,2}, \\dots, V_{i,N}$ ($1 \\le V_{i,j} \\le 10^9$).",
            "The sum of $N$ over all test cases is at most $300$.",
        ],
    );
    check_sentences(
        "n x\nif x > 3:\n  a[n]\nrepeat 2:\n  (w[2][])\nwhere:\n  0<=n,x<=9\n  0<=a<=9\n  w over \"ab\"\n  len(w)<=3\n",
        &[
            "- If $x > 3$, one line with $n$ integers $a_1, a_2, \\dots, a_n$ ($0 \\le a_i \\le 9$).",
            "- Two lines, each with two strings $w_1, w_2$ of characters, each of which is `a` or `b` \
             ($\\lvert w_i \\rvert \\le 3$).",
        ],
    );
    check_sentences(
        "t\n\"\"\ncases t separated by \"\":\n  n\n  repeat 2 separated by \"-\":\n    x\nwhere:\n  1<=t,n,x<=9\n",
        &[
            "- One empty line.\n",
            "- $t$ test cases, separated by an empty line, each consisting of:",
            "  - Two groups of lines, separated by a line `-`, each consisting of:",
        ],
    );
    check_sentences(
        "repeat 1..20 until \"end\" -1:\n  x\nwhere:\n  x real, 0.5 <= x <= 10, 0..2 decimals\n",
        &["- Between $1$ and $20$ lines, each with a real number $x$ with at most two digits after the decimal point \
             ($0.5 \\le x \\le 10$).\n- One line `end -1`, which marks the end of the lines."],
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
            "No $a_j$ is equal to any $b_i$.",
            "The number of inversions of $p_1, p_2, \\dots, p_n$ is at most $5$.",
            "The number of cycles of $p_1, p_2, \\dots, p_n$ is equal to $1$.",
            "The number of different values among $a_1, a_2, \\dots, a_n$ is at least $2$.",
            "If $n = 3$, then $V_{2,1}, V_{2,2}, \\dots, V_{2,n}$ are not pairwise distinct.",
        ],
    );
    check_sentences(
        "n; q[n-1]; repeat n-1: u v where 3<=n<=9; edges (u, v) on 1..n: tree, depth 2..5; parents q of 2..n on 1..n: tree, depth <= 4",
        &["is a tree and has a depth from 2 to 5.", "these parents is a tree and has depth at most 4."],
    );
}

#[test]
fn forms_and_words() {
    check_sentences(
        "q\nrepeat q:\n  op\n  if op = \"push\":\n    x\nwhere:\n  1<=q<=9\n  op one of \"push\", \"pop\"\n  0<=x<=9\n  \
         count(op, \"push\") >= 1\n",
        &[
            "  - One line with a word $\\mathit{op}$, which is `push` or `pop`.",
            "  - If $\\mathit{op} = \\texttt{push}$, one line with an integer $x$ ($0 \\le x \\le 9$).",
            "`push` occurs at least once as $\\mathit{op}$ in all $q$ groups.",
        ],
    );
    check_sentences(
        "h\":\"m c[1] where 0<=h<=23; 0<=m<=59; c over \"ap\"",
        &[
            "The input consists of one line of the form $h\\texttt{:}m\\ c$, where $h$ and $m$ are integers and $c$ is `a` or `p` ($0 \\le h \\le 23$, \
           $0 \\le m \\le 59$).",
        ],
    );
}

#[test]
fn constraints_in_words() {
    check_sentences(
        "n m\na[n]\nb[n]\nwhere:\n  1<=n,m<=9\n  -5<=a,b<=5\n  a<=b\n  sum(a)>=m\n  min(b)<=3\n  max(a)<sum(b)\n  \
         m <= sum(a) * 2\n  n*m%4 = 0\n  if n > 1: m >= 2\n  n = 1 or m = 1 and n > 3\n  \
         exists i in 1..n: a[i] = 0\n  forall i in 1..n: forall j in i+1..n: a[i] + a[j] != 3\n  abs(n-m) <= 5\n  \
         b <= sum(a)\n  (n % 3) * 2 <= m + n % 2\n",
        &[
            "($-5 \\le b_i \\le 5$, $a_i \\le b_i$)",
            "The sum of all $a_i$ is at least $m$.",
            "The smallest of all $b_i$ is at most $3$.",
            "The largest of all $a_i$ is less than the sum of all $b_i$.",
            "$m \\le \\sum_{i} a_i \\cdot 2$.",
            "$n \\cdot m$ is a multiple of $4$.",
            "If $n > 1$, then $m \\ge 2$.",
            "$n = 1$ or ($m = 1$ and $n > 3$).",
            "There is at least one $i$ with $1 \\le i \\le n$ such that $a_i = 0$.",
            "$a_i + a_j \\ne 3$ for all $1 \\le i < j \\le n$.",
            "$\\lvert n - m \\rvert \\le 5$.",
            "$b_i \\le \\sum_{j} a_j$.",
            "$(n \\bmod 3) \\cdot 2 \\le m + n \\bmod 2$.",
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
            "- $m$ lines, each with two integers $a$ and $b$ ($1 \\le a < b \\le n$), describing an edge between the vertices",
            "$p_1, p_2, \\dots, p_n$ (a permutation of the integers from $1$ to $n$).",
            "The graph with the vertices $1, \\dots, n$ and the edges $(a, b)$ is connected.",
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
            "- $n$ groups of lines, the $i$-th (conditions on an absent value do not apply) consisting of:",
            "  - One line with two integers $s_i$ and $e_i$ ($0 \\le s_i \\le e_i \\le 9$).",
            "    - One line with $k_i$ integers $b_{i,1}, b_{i,2}, \\dots, b_{i,k_i}$ ($0 \\le b_{i,j} \\le 5$).",
            "- $n$ lines, each with an integer $x$ ($0 \\le x \\le 5$).",
            "- $k_i < s_{i + 1}$ for all $1 \\le i \\le n - 1$.",
        ],
    );
}
