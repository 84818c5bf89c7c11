//! How a description is written down: Markdown or LaTeX. Formulas are the same in both, `$...$`.

/// The notation of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markup {
    /// Markdown with TeX formulas, as KaTeX and MathJax read them.
    Markdown,
    /// A fragment for LaTeX with the package `amsmath`.
    Latex,
}

/// A part of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Paragraph(String),
    List(Vec<Entry>),
    /// Rows of cells; the first is the heading.
    Table(Vec<Vec<String>>),
}

/// An item of a list, and what belongs to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) text: String,
    pub(super) below: Vec<Entry>,
}

/// LaTeX nests no more lists of one kind.
const DEEPEST_LIST: usize = 4;

impl Markup {
    /// These very characters, as they stand in the input.
    pub(super) fn code(self, text: &[u8]) -> String {
        match self {
            Markup::Markdown => {
                let text = String::from_utf8_lossy(text);
                let fence = if text.contains("``") { "```" } else { "``" };
                match text.contains('`') {
                    true => format!("{fence} {text} {fence}"),
                    false => format!("`{text}`"),
                }
            }
            Markup::Latex => typewriter(text),
        }
    }

    /// Text that somebody else wrote.
    pub(super) fn plain(self, text: &str) -> String {
        let special: &[char] = match self {
            Markup::Markdown => &['\\', '`', '*', '_', '[', ']', '<', '>', '$', '|', '#'],
            Markup::Latex => return escaped(text.as_bytes()),
        };
        text.chars().flat_map(|c| special.contains(&c).then_some('\\').into_iter().chain([c])).collect()
    }

    /// A section with its heading.
    pub(super) fn section(self, heading: &str, pieces: &[Piece]) -> String {
        let mut text = match self {
            Markup::Markdown => format!("## {heading}\n"),
            Markup::Latex => format!("\\section*{{{heading}}}\n"),
        };
        for piece in pieces {
            text.push('\n');
            match piece {
                Piece::Paragraph(own) => {
                    text.push_str(own);
                    text.push('\n');
                }
                Piece::List(entries) => self.list(entries, 1, &mut text),
                Piece::Table(rows) => self.table(rows, &mut text),
            }
        }
        text
    }

    fn list(self, entries: &[Entry], depth: usize, text: &mut String) {
        let margin = "  ".repeat(depth - 1);
        let nested = self == Markup::Latex && depth <= DEEPEST_LIST;
        if nested {
            text.push_str(&format!("{margin}\\begin{{itemize}}\n"));
        }
        for entry in entries {
            let mark = match self {
                Markup::Markdown => "-",
                Markup::Latex if nested => "\\item",
                Markup::Latex => "\\par --",
            };
            text.push_str(&format!("{margin}{mark} {}\n", entry.text));
            if !entry.below.is_empty() {
                self.list(&entry.below, depth + 1, text);
            }
        }
        if nested {
            text.push_str(&format!("{margin}\\end{{itemize}}\n"));
        }
    }

    fn table(self, rows: &[Vec<String>], text: &mut String) {
        let columns = rows.first().map_or(0, Vec::len);
        match self {
            Markup::Markdown => {
                for (i, row) in rows.iter().enumerate() {
                    let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
                    text.push_str(&format!("| {} |\n", cells.join(" | ")));
                    if i == 0 {
                        text.push_str(&format!("|{}\n", "---|".repeat(columns)));
                    }
                }
            }
            Markup::Latex => {
                let widths = format!("{}p{{0.7\\textwidth}}", "l".repeat(columns.saturating_sub(1)));
                text.push_str(&format!("\\begin{{tabular}}{{{widths}}}\n"));
                for (i, row) in rows.iter().enumerate() {
                    text.push_str(&format!("{} \\\\\n{}", row.join(" & "), if i == 0 { "\\hline\n" } else { "" }));
                }
                text.push_str("\\end{tabular}\n");
            }
        }
    }
}

/// Characters in a typewriter face, in text or in a formula.
pub(super) fn typewriter(text: &[u8]) -> String {
    format!("\\texttt{{{}}}", escaped(text).replace(' ', "\\ "))
}

/// Characters that TeX takes as they are.
fn escaped(text: &[u8]) -> String {
    let mut found = String::new();
    for c in String::from_utf8_lossy(text).chars() {
        match c {
            '\\' => found.push_str("\\textbackslash{}"),
            '^' => found.push_str("\\textasciicircum{}"),
            '~' => found.push_str("\\textasciitilde{}"),
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => {
                found.push('\\');
                found.push(c);
            }
            c => found.push(c),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_stay_what_they_are() {
        assert_eq!(Markup::Markdown.code(b"a_b"), "`a_b`");
        assert_eq!(Markup::Markdown.code(b"`"), "`` ` ``");
        assert_eq!(Markup::Latex.code(b"a_b\\ #%"), "\\texttt{a\\_b\\textbackslash{}\\ \\#\\%}");
        assert_eq!(Markup::Markdown.plain("small_1"), "small\\_1");
    }
}
