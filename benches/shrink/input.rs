//! An input as a predicate reads it: its printed text, split into tokens.

/// The tokens of a printed input, and the position of the reader.
pub(crate) struct Input<'t> {
    pub(crate) text: &'t str,
    tokens: std::str::SplitAsciiWhitespace<'t>,
}

impl<'t> Input<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Input { text, tokens: text.split_ascii_whitespace() }
    }

    /// Returns the next token, or an empty one at the end.
    pub(crate) fn word(&mut self) -> &'t str {
        self.tokens.next().unwrap_or_default()
    }

    /// Returns the next token as a number.
    pub(crate) fn number(&mut self) -> i64 {
        self.word().parse().unwrap_or_default()
    }

    /// Returns the next token as a length.
    pub(crate) fn size(&mut self) -> usize {
        self.word().parse().unwrap_or_default()
    }

    /// Returns the next `count` numbers.
    pub(crate) fn numbers(&mut self, count: usize) -> Vec<i64> {
        (0..count).map(|_| self.number()).collect()
    }

    /// Reads a length and returns that many numbers.
    pub(crate) fn array(&mut self) -> Vec<i64> {
        let count = self.size();
        self.numbers(count)
    }

    /// Returns the next `count` lines of `width` numbers.
    pub(crate) fn lines(&mut self, count: usize, width: usize) -> Vec<Vec<i64>> {
        (0..count).map(|_| self.numbers(width)).collect()
    }

    /// Returns the next `count` tokens as rows of characters.
    pub(crate) fn rows(&mut self, count: usize) -> Vec<&'t [u8]> {
        (0..count).map(|_| self.word().as_bytes()).collect()
    }
}

/// Returns the neighbours of each vertex from 1 to n.
pub(crate) fn neighbours(n: usize, edges: &[Vec<i64>]) -> Vec<Vec<usize>> {
    let mut near = vec![Vec::new(); n + 1];
    for edge in edges {
        let (u, v) = (index(edge[0]), index(edge[1]));
        near[u].push(v);
        near[v].push(u);
    }
    near
}

pub(crate) fn index(number: i64) -> usize {
    usize::try_from(number).unwrap_or_default()
}

/// Returns the length of the shortest path between two cells that avoids walls, or `None` if there is no path.
pub(crate) fn way(board: &[&[u8]], from: u8, to: u8) -> Option<usize> {
    let width = board.first()?.len();
    let start = board.iter().position(|row| row.contains(&from))?;
    let start = (start, board[start].iter().position(|c| *c == from)?);
    let mut steps = vec![vec![usize::MAX; width]; board.len()];
    steps[start.0][start.1] = 0;
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some((r, c)) = queue.pop_front() {
        if board[r][c] == to {
            return Some(steps[r][c]);
        }
        for (dr, dc) in [(0, 1), (1, 0), (0, usize::MAX), (usize::MAX, 0)] {
            let (nr, nc) = (r.wrapping_add(dr), c.wrapping_add(dc));
            if nr < board.len() && nc < width && board[nr][nc] != b'#' && steps[nr][nc] == usize::MAX {
                steps[nr][nc] = steps[r][c] + 1;
                queue.push_back((nr, nc));
            }
        }
    }
    None
}
