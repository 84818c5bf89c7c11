//! The few looks that text has.

use anstyle::{AnsiColor, Style};

/// Why a piece of text stands out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tone {
    /// It does not.
    #[default]
    Plain,
    /// It is there for orientation: line numbers, separators, labels.
    Dim,
    /// It is a name or a number to be found at a glance.
    Bold,
    /// All is well.
    Good,
    /// Something failed.
    Bad,
    /// Something may go wrong.
    Doubtful,
    /// What should be there and is not.
    Wanted,
    /// What is there and should not be.
    Unwanted,
    /// A command or a path to be copied.
    Copy,
}

impl Tone {
    /// The escape sequence's style. Only the sixteen colours that every theme chooses for itself.
    pub(crate) fn style(self) -> Style {
        let coloured = |colour: AnsiColor| Style::new().fg_color(Some(colour.into()));
        match self {
            Tone::Plain => Style::new(),
            Tone::Dim => Style::new().dimmed(),
            Tone::Bold => Style::new().bold(),
            Tone::Good => coloured(AnsiColor::Green).bold(),
            Tone::Bad => coloured(AnsiColor::Red).bold(),
            Tone::Doubtful => coloured(AnsiColor::Yellow).bold(),
            Tone::Wanted => coloured(AnsiColor::Green),
            Tone::Unwanted => coloured(AnsiColor::Red),
            Tone::Copy => coloured(AnsiColor::Cyan),
        }
    }
}
