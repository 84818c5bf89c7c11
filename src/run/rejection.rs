//! Why there is no program: the compiler's words, and which limit or which refusal of the sandbox was in its way.

use super::process::Ended;
use super::supervise::Stop;
use super::{CompileError, Exit, LimitHit, Limits, signal_name};
use crate::diagnostic::{Error, Result, list_and, shorten};
use std::path::Path;

/// How much of a compiler's own text is kept: its beginning, where the first error is.
const COMPILER_TEXT_BYTES: u64 = 32 << 10;

/// A disk with less room than this fails compilers in ways that do not look like it.
const ENOUGH_SPACE_BYTES: u64 = 8 << 20;

/// The most refused paths that are named.
const MAX_REFUSED: usize = 5;

/// What parts of compilers print that end because a file would become too large.
const FILE_TOO_LARGE: &[&str] = &["File size limit exceeded", "File too large"];

/// A compiler that made no program.
pub(super) struct Failure<'a> {
    /// How it ended.
    pub(super) ended: &'a Ended,
    /// The command, as it could be typed.
    pub(super) command: &'a str,
    /// The folder for its results.
    pub(super) folder: &'a Path,
    /// Its limits.
    pub(super) limits: &'a Limits,
    /// Finds what the sandbox refused in its messages.
    pub(super) refused: &'a dyn Fn(&str) -> Vec<String>,
}

impl Failure<'_> {
    /// The limit that it reached.
    pub(super) fn limit(&self) -> Result<Option<LimitHit>> {
        Ok(match self.ended.stop {
            Stop::Limit(limit) => Some(limit),
            Stop::Ended if matches!(self.ended.exit, Exit::Signal(signal) if signal_name(signal) == "SIGXFSZ") => {
                Some(LimitHit::Output)
            }
            Stop::Ended if is_file_too_large(&self.text()?) => Some(LimitHit::Output),
            _ => None,
        })
    }

    /// What it means: the source is refused, unless the disk is full. Not every linker says so; some are killed in the
    /// attempt. So little space is reason enough to blame the machine, with the text as a note.
    ///
    /// # Errors
    ///
    /// Returns an error if the compiler's text cannot be read.
    pub(super) fn into_error(self) -> Result<CompileError> {
        let own = self.text()?;
        let limit = self.limit()?;
        let is_out_of_space = own.contains("No space left on device") || free_bytes(self.folder) < ENOUGH_SPACE_BYTES;
        if is_out_of_space && limit.is_none() {
            let shown = shorten(self.command.as_bytes(), 200);
            let error = Error::operating(format!("failed to compile with `{shown}`: no space left on device"));
            let folder = self.folder.parent().unwrap_or(self.folder).display();
            return Ok(error.with_note(own).with_help(format!("free some disk space for `{folder}`")).into());
        }
        // First what the compiler cannot know: its own text may be long.
        let mut text = limit.map(|limit| self.explain_limit(limit)).unwrap_or_default();
        text.push_str(&explain_refused((self.refused)(&own)));
        text.push_str(&own);
        if limit.is_none() && !matches!(self.ended.exit, Exit::Code(_)) {
            let is_line_open = !text.is_empty() && !text.ends_with('\n');
            text.push_str(if is_line_open { "\n" } else { "" });
            text.push_str(&format!("the compiler itself ended by: {}\n", self.ended.exit));
        }
        Ok(CompileError::Rejected { command: self.command.to_owned(), text })
    }

    /// The compiler's own text.
    fn text(&self) -> Result<String> {
        let (mut bytes, _) = self.ended.stderr.head(COMPILER_TEXT_BYTES)?;
        if bytes.is_empty() {
            (bytes, _) = self.ended.stdout.head(COMPILER_TEXT_BYTES)?;
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn explain_limit(&self, limit: LimitHit) -> String {
        let seconds = |ms: u64| format!("{} s", ms as f64 / 1000.0);
        let mebibytes = |bytes: u64| format!("{} MiB", bytes >> 20);
        let Limits { cpu_time_limit_ms, wall_time_limit_ms, memory_limit_bytes, output_limit_bytes, .. } = *self.limits;
        let what = match limit {
            LimitHit::CpuTime => {
                format!("it takes more than {} of processor time (see --compile-time)", seconds(cpu_time_limit_ms))
            }
            LimitHit::WallTime => format!(
                "it does not end within {}: it waits, perhaps for a pipe that it includes (see --compile-time)",
                seconds(wall_time_limit_ms)
            ),
            LimitHit::Memory => {
                format!("it takes more than {} of memory (see --compile-memory)", mebibytes(memory_limit_bytes))
            }
            LimitHit::Output => format!("it writes more than {}", mebibytes(output_limit_bytes)),
        };
        format!("compiling was stopped: {what}\n")
    }
}

fn is_file_too_large(text: &str) -> bool {
    FILE_TOO_LARGE.iter().any(|words| text.contains(words))
}

/// A sentence about paths that were refused; empty without any.
fn explain_refused(paths: Vec<String>) -> String {
    if paths.is_empty() {
        return String::new();
    }
    let named: Vec<String> =
        paths.iter().take(MAX_REFUSED).map(|path| format!("`{}`", shorten(path.as_bytes(), 200))).collect();
    format!(
        "the sandbox refused {}: a compiler reads its toolchain, the sources of the program and the package's `include/`\n",
        list_and(&named)
    )
}

/// What can still be written there; as much as one likes if the system does not say.
#[cfg(unix)]
fn free_bytes(folder: &Path) -> u64 {
    rustix::fs::statvfs(folder).map_or(u64::MAX, |space| space.f_bavail.saturating_mul(space.f_frsize))
}

/// Not known here.
#[cfg(not(unix))]
fn free_bytes(_: &Path) -> u64 {
    u64::MAX
}
