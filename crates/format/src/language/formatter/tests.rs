#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
use super::*;

#[track_caller]
fn check_formatted(text: &str, expected: &str) {
    let format = |text: &str| format_source(&SourceText::new("f", text)).unwrap_or_else(|p| panic!("{text}\n{p:?}"));
    let found = format(text);
    assert!(found == expected, "{found}");
    assert!(format(&found) == found, "formatting again changes {found}");
}

#[test]
fn one_line_becomes_many() {
    check_formatted("n; a[n] where 1<=n<=8; -9<=a<=9", "n\na[n]\nwhere:\n    1 <= n <= 8\n    -9 <= a <= 9\n");
    check_formatted(
        "T; cases T: n m; repeat n-1: u v; where 1<=T,n,m<=9; edges(u,v) on 1 .. n:tree",
        "T\ncases T:\n    n m\n    repeat n-1:\n        u v\nwhere:\n    \
         1 <= T, n, m <= 9\n    edges (u, v) on 1..n: tree\n",
    );
}

#[test]
fn signs_and_spaces() {
    check_formatted(
        "n  m\na [ n - 1 ]\nwhere :\n  2≤n ,m≤2 * 10 ^ 5\n  n*m-1 ≠ 7\n  0 <= a<=9\n  \
         forall i in 1 .. n - 2:a[ i ]==a[i + 1] or n > - 1\n",
        "n m\na[n-1]\nwhere:\n    2 <= n, m <= 2*10^5\n    n * m - 1 != 7\n    0 <= a <= 9\n    \
         forall i in 1..n-2: a[i] = a[i+1] or n > -1\n",
    );
    check_formatted(
        "repeat 1 .. 9 until - 1   \"x\" :\n  h\":\"m   \"to\" (w[ 2 ][])\nwhere\n \
         0<=h,m<=9; w over \"a-b\"; 1<=len( w )<=3",
        "repeat 1..9 until -1 \"x\":\n    h\":\"m \"to\" (w[2][])\nwhere:\n    0 <= h, m <= 9\n    w over \"a-b\"\n    \
         1 <= len(w) <= 3\n",
    );
}

#[test]
fn signs_at_the_start_of_ranges_keep_their_space() {
    check_formatted(
        "n;a[n] where -9<=a<=9;1<=n<=3;forall i in -1+2..n-1+0:a[i]*-1<=a[i+1]",
        "n\na[n]\nwhere:\n    -9 <= a <= 9\n    1 <= n <= 3\n    forall i in -1+2..n-1+0: a[i] * -1 <= a[i+1]\n",
    );
}

#[test]
fn groups_keep_their_spaces() {
    check_formatted(
        "n ( x  y ) [ min( n , 2 ) ]   z; (\"<\"(w[2][])\",\" v\">\") [2] where 1<=n,x,y,z,v<=3; w over \"ab\"; 1<=len(w)<=2",
        "n (x y)[min(n, 2)] z\n(\"<\"(w[2][])\",\" v\">\")[2]\nwhere:\n    1 <= n, x, y, z, v <= 3\n    w over \"ab\"\n    \
         1 <= len(w) <= 2\n",
    );
}

#[test]
fn comments_and_empty_lines_stay() {
    check_formatted(
        "\n\n# head\nn # the size\n\n\n\na[n]   # numbers\n  # above where\nwhere:\n # bounds\n  1 <= n <= 9 # small\n  \
         0 <= a <= 10^9#large\n  # last\n# end\n\n",
        "# head\nn  # the size\n\na[n]                # numbers\n# above where\nwhere:\n    # bounds\n    1 <= n <= 9     # small\n    \
         0 <= a <= 10^9  #large\n    # last\n# end\n",
    );
    check_formatted("n m where 1<=n<=3; 1<=m<=2 # both", "# both\nn m\nwhere:\n    1 <= n <= 3\n    1 <= m <= 2\n");
}

#[test]
fn short_blocks_of_constraints_stay_on_their_line() {
    check_formatted(
        "n m\nwhere:\n  1<=n,m<=9\n  subtask a(20):n<=3;m<=2\n  subtask b (80):\n    n <= 4; m <= 5\n  if n>1:m>=1\n",
        "n m\nwhere:\n    1 <= n, m <= 9\n    subtask a (20): n <= 3; m <= 2\n    subtask b (80):\n        n <= 4\n        \
         m <= 5\n    if n > 1: m >= 1\n",
    );
}

#[test]
fn invalid_format_is_refused() {
    assert!(format_source(&SourceText::new("f", "n\nwhere:\n  1 <= m\n")).is_err());
}
