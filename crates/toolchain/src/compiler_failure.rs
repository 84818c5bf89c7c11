//! Explains a failed compilation: the compiler's messages, and the limit or sandbox refusal that caused it.

use super::CompileError;
use super::sources::COPIES_FOLDER;
use crate::tuning::{MAX_COMPILER_TEXT_BYTES, MAX_REFUSED_PATHS, MIN_FREE_SPACE_BYTES};
use rebut_diagnostics::{Error, Result, list_and, shorten_text};
use rebut_sandbox::{EndedProcess, LimitHit, ProcessExit, RunLimits, StopReason, signal_name};
use std::collections::BTreeSet;
use std::path::Path;

/// Messages of compiler tools that end because a file would become too large.
const FILE_TOO_LARGE_MESSAGES: &[&str] = &["File size limit exceeded", "File too large"];

/// A failed run of a compiler.
pub(super) struct CompilerFailure<'a> {
    /// How it ended.
    pub(super) process: &'a EndedProcess,
    /// The command, as a user would type it.
    pub(super) command: &'a str,
    pub(super) folder: &'a Path,
    pub(super) limits: &'a RunLimits,
    /// Finds paths in its messages that the sandbox refused.
    pub(super) find_refused_paths: &'a dyn Fn(&str) -> Vec<String>,
}

impl CompilerFailure<'_> {
    pub(super) fn reached_limit(&self) -> Result<Option<LimitHit>> {
        Ok(match self.process.stop {
            StopReason::Limit(limit) => Some(limit),
            StopReason::Ended if self.was_stopped_by_file_size() => Some(LimitHit::Output),
            StopReason::Ended if mentions_file_too_large(&self.compiler_text()?) => Some(LimitHit::Output),
            _ => None,
        })
    }

    /// Returns true if the kernel killed it because a file became too large.
    fn was_stopped_by_file_size(&self) -> bool {
        matches!(self.process.exit, ProcessExit::Signal(signal) if signal_name(signal) == "SIGXFSZ")
    }

    /// Returns the resulting error: the source is rejected, unless the disk is full. Not every linker reports that;
    /// some are killed when they write. So very little free space is reason enough to report an operating error, with
    /// the compiler's messages as a note.
    ///
    /// # Errors
    ///
    /// Returns an error if the compiler's messages cannot be read.
    pub(super) fn into_error(self) -> Result<CompileError> {
        let messages = self.compiler_text()?;
        let limit = self.reached_limit()?;
        let is_out_of_space =
            messages.contains("No space left on device") || free_bytes(self.folder) < MIN_FREE_SPACE_BYTES;
        if is_out_of_space && limit.is_none() {
            let shown = shorten_text(self.command.as_bytes(), 200);
            let error = Error::operating_error(format!("failed to compile with `{shown}`: no space left on device"));
            let folder = self.folder.parent().unwrap_or(self.folder).display();
            return Ok(error.with_note(messages).with_help(format!("free some disk space for `{folder}`")).into());
        }
        // Explanations of rebut come first, because the compiler's own messages can be long.
        let mut text = limit.map(|limit| self.explain_limit(limit)).unwrap_or_default();
        text.push_str(&explain_refused((self.find_refused_paths)(&messages)));
        text.push_str(&messages);
        if limit.is_none() && !matches!(self.process.exit, ProcessExit::Code(_)) {
            let is_line_open = !text.is_empty() && !text.ends_with('\n');
            text.push_str(if is_line_open { "\n" } else { "" });
            text.push_str(&format!("the compiler ended by: {}\n", self.process.exit));
        }
        Ok(CompileError::Rejected { command: self.command.to_owned(), text })
    }

    /// Returns the compiler's own messages.
    fn compiler_text(&self) -> Result<String> {
        let (output, messages) = self.process.read_heads(MAX_COMPILER_TEXT_BYTES)?;
        let bytes = if messages.is_empty() { output } else { messages };
        let copies = format!("{}/", self.folder.join(COPIES_FOLDER).display());
        Ok(String::from_utf8_lossy(&bytes).replace(&copies, ""))
    }

    fn explain_limit(&self, limit: LimitHit) -> String {
        let seconds = |ms: u64| format!("{} s", ms as f64 / 1000.0);
        let mebibytes = |bytes: u64| format!("{} MiB", bytes >> 20);
        let RunLimits { cpu_time_limit_ms, wall_time_limit_ms, memory_limit_bytes, output_limit_bytes, .. } =
            *self.limits;
        let what = match limit {
            LimitHit::CpuTime => {
                format!("it takes more than {} of processor time (see --compile-time)", seconds(cpu_time_limit_ms))
            }
            LimitHit::WallTime => format!(
                "it does not finish within {}: it is waiting, perhaps for a pipe that it includes (see --compile-time)",
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

fn mentions_file_too_large(text: &str) -> bool {
    FILE_TOO_LARGE_MESSAGES.iter().any(|words| text.contains(words))
}

/// Returns a sentence about the refused paths; empty if no path was refused.
fn explain_refused(paths: Vec<String>) -> String {
    if paths.is_empty() {
        return String::new();
    }
    let named: Vec<String> =
        paths.iter().take(MAX_REFUSED_PATHS).map(|path| format!("`{}`", shorten_text(path.as_bytes(), 200))).collect();
    format!(
        "the sandbox refused {}: a compiler reads its toolchain, the sources of the program and the package's `include/`\n",
        list_and(&named)
    )
}

/// Returns the free disk space for a folder; `u64::MAX` if unknown.
#[cfg(unix)]
fn free_bytes(folder: &Path) -> u64 {
    rustix::fs::statvfs(folder).map_or(u64::MAX, |space| space.f_bavail.saturating_mul(space.f_frsize))
}

/// Not available on this system.
#[cfg(not(unix))]
fn free_bytes(_: &Path) -> u64 {
    u64::MAX
}

/// Returns the lines that messages of a compiler name as those of errors.
pub fn error_lines(messages: &str) -> BTreeSet<usize> {
    let mut lines = BTreeSet::new();
    // Messages of Rust name their places in the lines after them.
    let mut is_error = false;
    for message in messages.lines() {
        if message.starts_with("error") || message.starts_with("warning") {
            is_error = message.starts_with("error");
        }
        let place = message.trim_start().strip_prefix("--> ").filter(|_| is_error);
        let place = place.or_else(|| message.trim_start().strip_prefix("::: ").filter(|_| is_error));
        let place = place.or_else(|| Some(message.split_once(": error:").or_else(|| message.split_once(": note:"))?.0));
        lines.extend(place.and_then(line_of_place));
    }
    lines
}

/// Returns the line of a place such as `a.cpp:7:12` or `a.cpp:7`.
fn line_of_place(place: &str) -> Option<usize> {
    let mut numbers = place.rsplit(':').map(str::parse::<usize>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(_)), Some(Ok(line))) => Some(line),
        (Some(Ok(line)), _) => Some(line),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_reason() {
        assert!(mentions_file_too_large("ld: final link failed: File too large\n"));
        assert!(!mentions_file_too_large("error: expected `;`\n"));
        assert_eq!(explain_refused(Vec::new()), "");
        let paths = (0..9).map(|i| format!("/etc/{i}")).collect();
        let text = explain_refused(paths);
        assert!(text.contains("`/etc/4`") && !text.contains("`/etc/5`"), "{text}");
    }

    #[test]
    fn lines_of_errors_are_read_from_messages() {
        let messages = "a.cpp: In function 'int main()':\na.cpp:7:12: error: no match\n    7 | x\n\
                        a.cpp:9: error: old\na.cpp:3:1: warning: unused\nb.h:4:2: note: here\n";
        assert_eq!(error_lines(messages), BTreeSet::from([4, 7, 9]));
    }

    #[test]
    fn lines_of_errors_in_rust_are_below_them() {
        let messages = "warning: unused\n --> a.rs:3:9\nerror[E0308]: mismatched types\n  --> a.rs:7:12\n   |\n\
                        7  |     a\n\nerror: aborting due to 1 previous error\n";
        assert_eq!(error_lines(messages), BTreeSet::from([7]));
        assert_eq!(error_lines("Main.java:12: error: incompatible types\n    int x = 1;\n"), BTreeSet::from([12]));
    }
}
