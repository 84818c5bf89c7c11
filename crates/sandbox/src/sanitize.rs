//! Locates the faulty line: runs a crash once more, compiled with sanitizers that explain it.

use super::sanitizer_report::{SanitizerReport, parse_report};
use super::{BuildVariant, CancelToken, CompileError, Program, ProgramBuilder, RunLimits, SourceOptions};
use rebut_diagnostics::Result;
use std::ffi::OsString;
use std::path::Path;

/// Ten seconds and much memory: instrumented programs are several times slower and larger.
const SANITIZER_LIMITS: RunLimits = RunLimits {
    cpu_time_limit_ms: 10_000,
    cpu_time_slack_ms: 2_500,
    wall_time_limit_ms: 30_000,
    memory_limit_bytes: 2 << 30,
    output_limit_bytes: 64 << 20,
};

/// The result of a run with sanitizers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SanitizerResult {
    /// A fault and its location.
    Fault(SanitizerReport),
    /// The run ended without a fault that a sanitizer detects.
    Clean,
    /// The run was not possible, with the reason: no sanitizers for the language or in this compiler, or the run was
    /// too slow.
    Unavailable(String),
}

/// Compiles a C or C++ source with sanitizers and library debug mode, and runs it on an input that makes it crash.
///
/// # Errors
///
/// Like [`ProgramBuilder::compile`] and [`Program::run`](super::Program::run), except that a compiler that rejects the
/// flags results in [`SanitizerResult::Unavailable`].
pub fn run_with_sanitizers(
    builder: &ProgramBuilder,
    source: &Path,
    options: &SourceOptions,
    input: &[u8],
    cancel: &CancelToken,
) -> Result<SanitizerResult> {
    if super::Language::from_path(source).is_none_or(|language| language.sanitize.is_none()) {
        return Ok(SanitizerResult::Unavailable("sanitizers are for C and C++ sources".to_owned()));
    }
    let compiled = match builder.compile_with_options(source, options, BuildVariant::Sanitized, cancel) {
        Ok(compiled) => compiled,
        Err(CompileError::Rejected { command, .. }) => {
            return Ok(SanitizerResult::Unavailable(format!("`{command}` failed")));
        }
        Err(CompileError::Failed(error)) => return Err(error),
    };
    find_fault(&compiled.program, source, &[], input, cancel)
}

/// Runs a program that was compiled with sanitizers, and returns the fault that they report.
///
/// # Errors
///
/// Like [`Program::run`](super::Program::run).
pub fn find_fault(
    sanitized: &Program,
    source: &Path,
    arguments: &[OsString],
    input: &[u8],
    cancel: &CancelToken,
) -> Result<SanitizerResult> {
    let outcome = sanitized.run(input, arguments, &SANITIZER_LIMITS, cancel)?;
    let text = String::from_utf8_lossy(&outcome.stderr);
    let source_text = std::fs::read(source).unwrap_or_default();
    Ok(match parse_report(&text, source, &String::from_utf8_lossy(&source_text)) {
        Some(report) => SanitizerResult::Fault(report),
        None if outcome.limit.is_some() => {
            SanitizerResult::Unavailable("with sanitizers it exceeds ten seconds or 2 GiB of memory".to_owned())
        }
        None => SanitizerResult::Clean,
    })
}
