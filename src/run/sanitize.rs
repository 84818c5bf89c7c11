//! Which line is at fault: one more run of a crash, compiled so that the crash explains itself.

use super::sanitizer_report::{SanitizerReport, parse};
use super::{Builder, Cancel, CompileError, Limits, SourceOptions, Variant};
use crate::diagnostic::Result;
use std::path::Path;

/// What the sanitizers are told. Leaks are no fault in a contest; an abort (an assertion, an exception that
/// nobody caught) must say where it happened too.
pub(super) const ENVIRONMENT: &[(&str, &str)] = &[
    (
        "ASAN_OPTIONS",
        "detect_leaks=0:handle_abort=1:color=never:detect_stack_use_after_return=1:allocator_may_return_null=0",
    ),
    ("UBSAN_OPTIONS", "print_stacktrace=1:color=never"),
];

/// A large stack, because instrumented frames are large; but endless recursion must reach its end, and be
/// explained, before it reaches the memory limit.
pub(super) const STACK_LIMIT_BYTES: u64 = 512 << 20;

/// Ten seconds and much memory: instrumented programs are several times slower and hungrier.
const LIMITS: Limits = Limits {
    cpu_time_limit_ms: 10_000,
    cpu_time_slack_ms: 2_500,
    wall_time_limit_ms: 30_000,
    memory_limit_bytes: 2 << 30,
    output_limit_bytes: 64 << 20,
};

/// What an examination found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Examination {
    /// A fault, and where it is.
    Fault(SanitizerReport),
    /// The run ended without a fault that a sanitizer can see.
    Clean,
    /// It could not be examined, and this is why: no sanitizers for the language or in this compiler, or the
    /// examined run was too slow.
    Unavailable(String),
}

/// Compiles a C or C++ source with sanitizers and library debug mode, and runs it on an input that makes it
/// crash.
///
/// # Errors
///
/// As [`Builder::compile`] and [`Program::run`](super::Program::run), but a compiler that refuses the flags
/// makes the examination unavailable.
pub fn examine(
    builder: &Builder,
    source: &Path,
    options: &SourceOptions,
    input: &[u8],
    cancel: &Cancel,
) -> Result<Examination> {
    if super::Language::of(source).is_none_or(|language| language.sanitize.is_none()) {
        return Ok(Examination::Unavailable("sanitizers are for C and C++ sources".to_owned()));
    }
    let compiled = match builder.compile_with(source, options, Variant::Sanitized, cancel) {
        Ok(compiled) => compiled,
        Err(CompileError::Rejected { command, .. }) => {
            return Ok(Examination::Unavailable(format!("`{command}` failed")));
        }
        Err(CompileError::Failed(error)) => return Err(error),
    };
    let outcome = compiled.program.run(input, &[], &LIMITS, cancel)?;
    let text = String::from_utf8_lossy(&outcome.stderr);
    let source_text = std::fs::read(source).unwrap_or_default();
    Ok(match parse(&text, source, &String::from_utf8_lossy(&source_text)) {
        Some(report) => Examination::Fault(report),
        None if outcome.limit.is_some() => {
            Examination::Unavailable("with sanitizers it uses up ten seconds or 2 GiB of memory".to_owned())
        }
        None => Examination::Clean,
    })
}
