//! Styles of text.

use anstyle::{AnsiColor, Style};

/// The role of a piece of text, which determines its style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TextStyle {
    /// Ordinary text.
    #[default]
    Plain,
    /// Line numbers, separators and labels.
    Dim,
    /// Names and numbers that should stand out.
    Bold,
    /// Success.
    Success,
    /// Failure.
    Failure,
    /// A warning.
    Warning,
    /// Expected text that is missing.
    Expected,
    /// Actual text that differs from the expected.
    Unexpected,
    /// A command or a path to be copied.
    Copyable,
}

impl TextStyle {
    /// Returns the ANSI style. It uses only the sixteen colours that terminal themes define.
    pub(crate) fn to_ansi_style(self) -> Style {
        let coloured = |colour: AnsiColor| Style::new().fg_color(Some(colour.into()));
        match self {
            TextStyle::Plain => Style::new(),
            TextStyle::Dim => Style::new().dimmed(),
            TextStyle::Bold => Style::new().bold(),
            TextStyle::Success => coloured(AnsiColor::Green).bold(),
            TextStyle::Failure => coloured(AnsiColor::Red).bold(),
            TextStyle::Warning => coloured(AnsiColor::Yellow).bold(),
            TextStyle::Expected => coloured(AnsiColor::Green),
            TextStyle::Unexpected => coloured(AnsiColor::Red),
            TextStyle::Copyable => coloured(AnsiColor::Cyan),
        }
    }
}
