// Formats to begin with: their names and their texts.
export const EXAMPLES = [
  ["numbers that differ", "n sum\ncoin[n]\nwhere:\n    1 <= n <= 20\n    1 <= sum <= 10^4\n    1 <= coin <= 100\n    distinct(coin)\n    min(coin) = 1\n"],
  ["test cases", "t\ncases t:\n    n k\n    a[n]\nwhere:\n    1 <= t <= 10\n    1 <= k <= n <= 50\n    1 <= a <= 10^9\n    sum(n) <= 100\n"],
  ["a tree", "n\nrepeat n-1:\n    u v\nwhere:\n    2 <= n <= 30\n    edges (u, v) on 1..n: tree\n"],
  ["a graph with weights", "n m\nrepeat m:\n    u v w\nwhere:\n    2 <= n <= 12\n    1 <= m <= 30\n    1 <= w <= 99\n    edges (u, v) on 1..n: simple, connected\n"],
  ["a board", "h w\nrow[h]\nwhere:\n    1 <= h, w <= 10\n    len(row) = w\n    row over \"#.\"\n"],
  ["brackets", "s\nwhere:\n    2 <= len(s) <= 20\n    s over \"()\"\n    balanced(s)\n"],
  ["a permutation", "n\np[n]\nwhere:\n    1 <= n <= 12\n    p permutation of 1..n\n"],
];
