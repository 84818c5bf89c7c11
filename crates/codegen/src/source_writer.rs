//! Lines of source code with indentation.

/// Collects the lines of a source file.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceWriter {
    text: String,
    depth: usize,
}

impl SourceWriter {
    pub(crate) fn add_line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if !line.is_empty() {
            self.text.push_str(&"    ".repeat(self.depth));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// Adds a line that opens a block; the following lines are inside.
    pub(crate) fn open(&mut self, line: impl AsRef<str>) {
        self.add_line(line);
        self.depth += 1;
    }

    pub(crate) fn append_text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Makes the following lines one step deeper.
    pub(crate) fn begin_block(&mut self) {
        self.depth += 1;
    }

    /// Closes a block with a line, which may open the next one: `}`.
    pub(crate) fn close_block(&mut self, line: impl AsRef<str>) {
        self.end_block();
        self.add_line(line);
    }

    /// Closes a block without a line.
    pub(crate) fn end_block(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Returns an empty writer at the same depth, for lines that may not be kept.
    pub(crate) fn nested(&self) -> SourceWriter {
        SourceWriter { text: String::new(), depth: self.depth }
    }

    /// Adds the lines of a writer of the same depth.
    pub(crate) fn append_lines(&mut self, lines: &SourceWriter) {
        self.text.push_str(&lines.text);
    }

    /// Adds the lines of a writer of the same depth one step deeper.
    pub(crate) fn append_deeper(&mut self, lines: &SourceWriter) {
        for line in lines.text.lines() {
            self.text.push_str("    ");
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    /// Returns true if the last characters are these.
    pub(crate) fn ends_with(&self, end: &str) -> bool {
        self.text.ends_with(end)
    }

    /// Returns the number of lines.
    pub(crate) fn line_count(&self) -> usize {
        self.text.lines().count()
    }

    /// Returns true if nothing was written.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }
}
