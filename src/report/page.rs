//! The content of reports, as data: a view makes a [`Page`] of an event once, and terminals, HTML and Markdown render it.

use super::styled_line::{StyledLine, TextStyle};
use rebut_diagnostics::DiagnosticText;
use rebut_engine::event::FindingImage;
use rebut_format::picture::Figure;

/// The blocks that are shown of an event, in order.
#[derive(Default)]
pub(crate) struct Page<'a> {
    pub(crate) blocks: Vec<Block<'a>>,
}

/// A part of a page.
pub(crate) enum Block<'a> {
    /// A heading of this level, which terminals do not need.
    Heading(u8, StyledLine),
    /// The line above what it names: a heading of documents.
    Title(StyledLine),
    /// A line that is never wrapped.
    Line(StyledLine),
    /// An empty line on terminals.
    Gap,
    Note(Note),
    /// A head, and facts side by side with so much space between them, as many as fit in a line of a terminal.
    Flow(StyledLine, Vec<StyledLine>, usize),
    List(List),
    Table(Table),
    Listing(Listing<'a>),
    /// Lines of a source, with marks of what was replaced.
    Source(Vec<StyledLine>),
    /// A diagnostic, or what another program wrote about a text.
    Diagnostic(DiagnosticText),
    Diff(OutputDiff<'a>),
    Chart(Chart),
    Figure(Figure),
    /// A picture that a program of the package drew.
    Image(&'a FindingImage),
    /// Two pages side by side, if both fit, with so many columns between them.
    Pair(Page<'a>, Page<'a>, usize),
    /// Parts that an empty line separates on terminals.
    Parts(Vec<Page<'a>>),
    /// A summary, whether it is unfolded, and details; only HTML shows them.
    Fold(StyledLine, bool, Page<'a>),
    /// A part for one medium only.
    Only(Medium, Page<'a>),
}

/// Where a page is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Medium {
    Terminal,
    Html,
    Markdown,
}

/// A sentence. Further lines are indented by the width of its head.
pub(crate) struct Note {
    pub(crate) head: StyledLine,
    pub(crate) style: TextStyle,
    pub(crate) text: String,
    /// Whether a word that is wider than a terminal is cut there. Paths and commands are not.
    pub(crate) is_cut: bool,
}

/// Texts of a kind.
pub(crate) struct List {
    /// The title of the list in documents.
    pub(crate) title: &'static str,
    /// Before each text, on terminals.
    pub(crate) head: StyledLine,
    pub(crate) items: Vec<String>,
    /// Maximum number shown on a terminal, unless everything is wanted.
    pub(crate) limit: usize,
}

/// Rows of cells below the titles of their columns.
pub(crate) struct Table {
    pub(crate) title: String,
    pub(crate) indent: usize,
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Vec<StyledLine>>,
    /// Whether columns that do not fit on a terminal continue below, after the first one again.
    pub(crate) is_split: bool,
}

/// A column of a table.
pub(crate) struct Column {
    pub(crate) title: StyledLine,
    pub(crate) is_number: bool,
    /// Space before it on terminals.
    pub(crate) gap: usize,
    /// Minimum width on terminals.
    pub(crate) min_width: usize,
    /// Whether only documents have room for it.
    pub(crate) is_detail: bool,
}

/// The lines of a file.
pub(crate) struct Listing<'a> {
    pub(crate) title: String,
    pub(crate) text: &'a [u8],
    /// Path of the whole text, or the name of its file.
    pub(crate) full_text: Option<String>,
}

/// Expected and actual output.
#[derive(Clone)]
pub(crate) struct OutputDiff<'a> {
    pub(crate) titles: [&'static str; 2],
    pub(crate) answer: &'a [u8],
    pub(crate) output: &'a [u8],
    pub(crate) checker: &'a str,
}

/// Points and lines over two axes.
pub(crate) struct Chart {
    pub(crate) title: String,
    pub(crate) x_label: String,
    pub(crate) y_label: String,
    /// The names of the numbers 1, 2 and so on across, if they are no amounts.
    pub(crate) x_names: Vec<String>,
    /// Whether each axis is logarithmic: the one across, and the one upwards.
    pub(crate) are_logarithmic: [bool; 2],
    /// At most four.
    pub(crate) series: Vec<ChartSeries>,
}

/// Points of a chart.
pub(crate) struct ChartSeries {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) kind: SeriesKind,
}

/// How the points of a series are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SeriesKind {
    /// As a dashed line, such as a law.
    Dashed,
    /// As steps: each value holds up to the next point.
    Steps,
    /// As marks.
    Marks,
}

impl<'a> Page<'a> {
    pub(crate) fn from_block(block: Block<'a>) -> Page<'a> {
        Page { blocks: vec![block] }
    }

    /// Returns true if it has no blocks.
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Adds a block.
    pub(crate) fn push(&mut self, block: Block<'a>) {
        self.blocks.push(block);
    }

    /// Adds the blocks of another page.
    pub(crate) fn append_page(&mut self, other: Page<'a>) {
        self.blocks.extend(other.blocks);
    }

    /// Adds a heading of documents.
    pub(crate) fn add_heading(&mut self, level: u8, text: &str) {
        self.push(Block::Heading(level, StyledLine::from_plain(text)));
    }

    pub(crate) fn add_line(&mut self, line: StyledLine) {
        self.push(Block::Line(line));
    }

    /// Adds a sentence, without cutting long words.
    pub(crate) fn add_note(&mut self, head: StyledLine, text: impl Into<String>) {
        self.push(Block::Note(Note { head, style: TextStyle::Plain, text: text.into(), is_cut: false }));
    }

    /// Adds a sentence, and cuts words that are wider than the terminal.
    pub(crate) fn add_cut_note(&mut self, head: StyledLine, text: impl Into<String>) {
        self.push(Block::Note(Note { head, style: TextStyle::Plain, text: text.into(), is_cut: true }));
    }

    /// Adds a list, unless it is empty.
    pub(crate) fn add_list(&mut self, title: &'static str, head: StyledLine, items: Vec<String>, limit: usize) {
        if !items.is_empty() {
            self.push(Block::List(List { title, head, items, limit }));
        }
    }

    /// Adds the lines of a file.
    pub(crate) fn add_listing(&mut self, title: &str, text: &'a [u8]) {
        self.push(Block::Listing(Listing { title: title.to_owned(), text, full_text: None }));
    }

    /// Adds details that a reader can unfold, unless they are empty.
    pub(crate) fn add_fold(&mut self, summary: StyledLine, is_open: bool, page: Page<'a>) {
        if !page.is_empty() {
            self.push(Block::Fold(summary, is_open, page));
        }
    }

    /// Adds what only one medium shows.
    pub(crate) fn add_only(&mut self, medium: Medium, build: impl FnOnce(&mut Page<'a>)) {
        let mut page = Page::default();
        build(&mut page);
        self.push(Block::Only(medium, page));
    }
}

impl<'a> OutputDiff<'a> {
    /// Returns both outputs as listings.
    pub(crate) fn listings(&self) -> [Listing<'a>; 2] {
        let [left, right] = self.titles;
        [(left, self.answer), (right, self.output)].map(|(title, text)| Listing {
            title: title.to_owned(),
            text,
            full_text: None,
        })
    }
}

impl Table {
    /// Returns a table without an indent.
    pub(crate) fn new(
        title: impl Into<String>,
        columns: impl Into<Vec<Column>>,
        rows: impl Iterator<Item = Vec<StyledLine>>,
    ) -> Table {
        Table { title: title.into(), indent: 0, columns: columns.into(), rows: rows.collect(), is_split: false }
    }

    /// Indents it on a terminal.
    pub(crate) fn with_indent(self, indent: usize) -> Table {
        Table { indent, ..self }
    }
}

impl Column {
    pub(crate) fn of_texts(title: &str) -> Column {
        Column {
            title: StyledLine::from_styled(TextStyle::Dim, title),
            is_number: false,
            gap: TABLE_GAP,
            min_width: 0,
            is_detail: false,
        }
    }

    /// Returns a column of numbers, which are aligned to the right.
    pub(crate) fn of_numbers(title: &str) -> Column {
        Column { is_number: true, ..Column::of_texts(title) }
    }
}

/// Space between the columns of a table on terminals.
pub(crate) const TABLE_GAP: usize = 2;
