//! Problems with what the user wrote, and failures of the machine: printed where no campaign runs.

use super::Options;
use super::layout::wrap_whole;
use super::line::Line;
use super::pen::Pen;
use super::tone::Tone;
use super::visible::prose;
use crate::diagnostic::{Diagnostic, Error, Severity, Source, numbered};
use std::io::{self, Write};

/// How many lines of a note are shown: a compiler's text about one template can fill a book.
const NOTE_LINES_MAX: usize = 40;

/// Prints diagnostics about one text, and how many there are. They go to the standard error.
///
/// # Errors
/// If `stream` cannot be written.
pub fn print_diagnostics(
    stream: &mut impl Write,
    diagnostics: &[Diagnostic],
    source: &Source,
    options: &Options,
) -> io::Result<()> {
    let mut pen = Pen::new(stream, options.colour_stderr, options.width);
    for diagnostic in diagnostics {
        let text = diagnostic.render(source);
        pen.lines(text.lines().flat_map(|line| diagnostic_line(line, options.width)).chain([Line::new()]));
    }
    if !diagnostics.is_empty() {
        pen.line(count(diagnostics));
    }
    pen.finish()
}

/// Prints an operating failure with its note and its help. It goes to the standard error.
///
/// # Errors
/// If `stream` cannot be written.
pub fn print_error(stream: &mut impl Write, error: &Error, options: &Options) -> io::Result<()> {
    let mut pen = Pen::new(stream, options.colour_stderr, options.width);
    pen.lines(wrap_whole(kind("error").add(": "), &prose(error.message()), options.width));
    let note: Vec<&str> = error.note().unwrap_or_default().trim_end().lines().collect();
    pen.lines(note.iter().take(NOTE_LINES_MAX).map(|line| Line::plain("  ").add(prose(line)).whole()));
    if note.len() > NOTE_LINES_MAX {
        let more = format!("  {}", numbered(note.len() - NOTE_LINES_MAX, "more line"));
        pen.line(Line::new().tone(Tone::Dim, more));
    }
    if let Some(help) = error.help() {
        pen.lines(wrap_whole(Line::plain("  ").join(kind("help")).add(": "), &prose(help), options.width));
    }
    pen.finish()
}

/// One line of a rendered diagnostic, in colours. Sentences are broken; what stands under text of the user stays.
pub(crate) fn diagnostic_line(line: &str, width: usize) -> Vec<Line> {
    let words = ["error: ", "warning: "].into_iter().find_map(|head| Some((head, line.strip_prefix(head)?)));
    if let Some((head, sentence)) = words {
        return wrap_whole(kind(head.trim_end_matches(": ")).add(": "), sentence, width);
    }
    let remark =
        [" = note: ", " = help: "].into_iter().find_map(|mark| line.split_once(mark).map(|parts| (mark, parts)));
    if let Some((mark, (before, sentence))) = remark.filter(|(_, (before, _))| before.trim().is_empty()) {
        let name = mark.trim_matches([' ', '=', ':']);
        let head = Line::plain(before).tone(Tone::Dim, " = ").join(kind(name)).add(": ");
        return wrap_whole(head, sentence, width);
    }
    vec![pointed(line).whole()]
}

/// A line of the user's text or the marks under it: what stands left of the bar is dim, marks are not.
fn pointed(line: &str) -> Line {
    let Some((gutter, text)) = line.split_once('|').filter(|(gutter, _)| is_gutter(gutter)) else {
        return Line::new().tone(if line.trim_start().starts_with("-->") { Tone::Dim } else { Tone::Plain }, line);
    };
    let line = Line::new().tone(Tone::Dim, format!("{gutter}|"));
    let marked = text.trim_start();
    let tone = match marked.chars().next() {
        Some('^') if gutter.trim().is_empty() => Tone::Bad,
        Some('-') if gutter.trim().is_empty() => Tone::Copy,
        _ => Tone::Plain,
    };
    line.tone(tone, text)
}

fn is_gutter(text: &str) -> bool {
    text.chars().all(|letter| letter == ' ' || letter.is_ascii_digit())
}

/// A word that says what kind of message it is.
fn kind(word: &str) -> Line {
    let tone = match word {
        "error" => Tone::Bad,
        "warning" => Tone::Doubtful,
        "help" => Tone::Copy,
        _ => Tone::Bold,
    };
    Line::new().tone(tone, word)
}

/// `2 errors, 1 warning`.
fn count(diagnostics: &[Diagnostic]) -> Line {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
    let counts = [(errors, "error"), (diagnostics.len() - errors, "warning")];
    let shown: Vec<String> = counts.into_iter().filter(|(n, _)| *n > 0).map(|(n, noun)| numbered(n, noun)).collect();
    Line::new().tone(Tone::Bold, shown.join(", "))
}
