//! The markup of descriptions: Markdown or LaTeX. Formulas are `$...$` in both.

/// The notation of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markup {
    /// Markdown with TeX formulas, as KaTeX and MathJax read them.
    Markdown,
    /// A fragment of LaTeX that needs the package `amsmath`.
    Latex,
}

/// A list item and its nested items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MarkupListItem {
    pub(super) text: String,
    pub(super) children: Vec<MarkupListItem>,
}

impl From<String> for MarkupListItem {
    fn from(text: String) -> Self {
        MarkupListItem { text, children: Vec::new() }
    }
}

/// Maximum nesting depth of lists in LaTeX.
const MAX_LIST_DEPTH: usize = 4;

impl Markup {
    /// Formats characters of the input verbatim.
    pub(super) fn format_code(self, text: &[u8]) -> String {
        match self {
            Markup::Markdown => {
                let text = String::from_utf8_lossy(text);
                let fence = if text.contains("``") { "```" } else { "``" };
                match text.contains('`') {
                    true => format!("{fence} {text} {fence}"),
                    false => format!("`{text}`"),
                }
            }
            Markup::Latex => typewriter_tex(text),
        }
    }

    /// Escapes text from the format's author.
    pub(super) fn escape_text(self, text: &str) -> String {
        let special: &[char] = match self {
            Markup::Markdown => &['\\', '`', '*', '_', '[', ']', '<', '>', '$', '|', '#'],
            Markup::Latex => return escape_tex(text.as_bytes()),
        };
        text.chars().flat_map(|c| special.contains(&c).then_some('\\').into_iter().chain([c])).collect()
    }

    pub(super) fn format_section(self, heading: &str, text: &str) -> String {
        match self {
            Markup::Markdown => format!("## {heading}\n\n{text}"),
            Markup::Latex => format!("\\section*{{{heading}}}\n\n{text}"),
        }
    }

    pub(super) fn format_list(self, entries: &[MarkupListItem]) -> String {
        let mut text = String::new();
        self.write_list(entries, 1, &mut text);
        text
    }

    fn write_list(self, entries: &[MarkupListItem], depth: usize, text: &mut String) {
        let margin = "  ".repeat(depth - 1);
        let nested = self == Markup::Latex && depth <= MAX_LIST_DEPTH;
        if nested {
            text.push_str(&format!("{margin}\\begin{{itemize}}\n"));
        }
        for entry in entries {
            let mark = match self {
                Markup::Markdown => "-",
                Markup::Latex if nested => "\\item",
                Markup::Latex => "\\par --",
            };
            text.push_str(&format!("{margin}{mark} {}\n", capitalize_first(&entry.text)));
            if !entry.children.is_empty() {
                self.write_list(&entry.children, depth + 1, text);
            }
        }
        if nested {
            text.push_str(&format!("{margin}\\end{{itemize}}\n"));
        }
    }

    /// Formats rows of cells; the first is the header.
    pub(super) fn format_table(self, rows: &[Vec<String>]) -> String {
        let columns = rows.first().map_or(0, Vec::len);
        let mut text = String::new();
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
        text
    }
}

/// Capitalizes the first letter.
pub(super) fn capitalize_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Formats characters in a typewriter face, in text or in a formula.
pub(super) fn typewriter_tex(text: &[u8]) -> String {
    format!("\\texttt{{{}}}", escape_tex(text).replace(' ', "\\ "))
}

/// Escapes characters that are special in TeX.
fn escape_tex(text: &[u8]) -> String {
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
    fn special_characters_are_escaped() {
        assert_eq!(Markup::Markdown.format_code(b"a_b"), "`a_b`");
        assert_eq!(Markup::Markdown.format_code(b"`"), "`` ` ``");
        assert_eq!(Markup::Latex.format_code(b"a_b\\ #%"), "\\texttt{a\\_b\\textbackslash{}\\ \\#\\%}");
        assert_eq!(Markup::Markdown.escape_text("small_1"), "small\\_1");
    }
}
