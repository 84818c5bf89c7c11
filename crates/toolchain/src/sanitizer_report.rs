//! Parses the reports of sanitizers and debug libraries. Pure.
//!
//! The texts differ by tool and compiler, but all have a line that names the fault, and stack frames such as `#1 0x55
//! in solve(int) /home/me/sol.cpp:12`. The first frame in the user's own file is the one to repair; deeper frames are
//! in the library.

use super::{BuildVariant, CompileError, ProgramBuilder, SourceOptions};
use rebut_diagnostics::Result;
use rebut_sandbox::{CancelToken, Program, RunLimits};
use std::ffi::OsString;
use std::path::Path;

/// A fault, and the source line where it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SanitizerReport {
    /// A stable short name: `heap-buffer-overflow`, `signed-integer-overflow`, `debug-assertion`.
    pub kind: String,
    /// The tool's own message.
    pub message: String,
    /// The user's file, as the user named it.
    pub file: String,
    /// The line in it, from 1, if the report contains one.
    pub line: Option<u32>,
    /// The function, if the report contains one.
    pub function: Option<String>,
    /// The trimmed text of that line.
    pub source_line: Option<String>,
}

/// A location in the user's file.
#[derive(Debug, Default, PartialEq, Eq)]
struct FaultLocation {
    line: Option<u32>,
    function: Option<String>,
}

/// Parses a report about a program that was built from `source`. Returns `None` if the text contains no report.
pub(super) fn parse_report(text: &str, source: &Path, source_text: &str) -> Option<SanitizerReport> {
    let (kind, message, stated) = parse_fault(text)?;
    let place = stated.and_then(|stated| parse_location(stated, source)).filter(|place| place.line.is_some());
    let from_frames = || find_user_frame(text, source);
    let function = from_frames().and_then(|frame| frame.function);
    let place = place.map(|place| FaultLocation { function, ..place }).or_else(from_frames).unwrap_or_default();
    let source_line = place.line.and_then(|line| source_text.lines().nth(line as usize - 1));
    Some(SanitizerReport {
        kind,
        message,
        file: source.display().to_string(),
        line: place.line,
        function: place.function,
        source_line: source_line.map(|line| line.trim().to_owned()),
    })
}

/// Returns kind, message and the location in the same line, if any. The library's own message comes first: it precedes
/// the abort that the sanitizer reports.
fn parse_fault(text: &str) -> Option<(String, String, Option<&str>)> {
    parse_debug_library(text)
        .or_else(|| parse_assertion(text))
        .or_else(|| parse_ubsan(text))
        .or_else(|| parse_asan(text))
}

/// Parses a message of libstdc++: `Error: attempt to subscript container with out-of-bounds index 5, ...`, up to an
/// empty line.
fn parse_debug_library(text: &str) -> Option<(String, String, Option<&str>)> {
    let start = text.find("\nError: ").map(|at| at + "\nError: ".len())?;
    text[..start].contains("In function:").then_some(())?;
    let sentence = text[start..].split("\n\n").next()?;
    let sentence = sentence.split("Objects involved").next()?;
    let words: Vec<&str> = sentence.split_whitespace().collect();
    Some(("debug-assertion".to_owned(), words.join(" ").trim_end_matches('.').to_owned(), None))
}

/// Parses `sol: sol.cpp:5: int main(): Assertion 'x' failed.`, printed by the program itself or by its library.
fn parse_assertion(text: &str) -> Option<(String, String, Option<&str>)> {
    let line = text.lines().find(|line| line.contains(": Assertion ") && line.trim_end().ends_with("failed."))?;
    let at = line.find("Assertion ")?;
    Some(("assertion".to_owned(), line[at..].trim_end_matches('.').to_owned(), Some(&line[..at])))
}

/// Parses `sol.cpp:5:9: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'`.
fn parse_ubsan(text: &str) -> Option<(String, String, Option<&str>)> {
    let (place, sentence) = text.lines().find_map(|line| line.split_once(": runtime error: "))?;
    let known = UBSAN_KINDS.iter().find(|(words, _)| sentence.contains(words));
    let name = known.map_or("undefined-behaviour", |(_, name)| name);
    Some((name.to_owned(), sentence.trim().to_owned(), Some(place)))
}

/// Phrases of UBSan messages and their short names.
const UBSAN_KINDS: &[(&str, &str)] = &[
    ("signed integer overflow", "signed-integer-overflow"),
    ("division by zero", "division-by-zero"),
    ("cannot be represented in type", "signed-integer-overflow"),
    ("out of bounds", "index-out-of-bounds"),
    ("shift exponent", "shift-exponent"),
    ("left shift", "left-shift"),
    ("null pointer", "null-pointer"),
    ("misaligned address", "misaligned-address"),
    ("reached the end of a value-returning function", "missing-return"),
    ("execution reached an unreachable", "unreachable"),
    ("is not a valid value for type", "invalid-value"),
    ("is outside the range of representable values", "float-cast-overflow"),
    ("insufficient space", "object-size"),
    ("variable length array bound", "vla-bound"),
];

/// Parses `==1==ERROR: AddressSanitizer: heap-buffer-overflow on address ...`.
fn parse_asan(text: &str) -> Option<(String, String, Option<&str>)> {
    let (_, sentence) = text.lines().find_map(|line| line.split_once("ERROR: AddressSanitizer: "))?;
    let kind = sentence.split([' ', ':']).next()?;
    let kind = if sentence.starts_with("attempting ") { "bad-free" } else { kind };
    let kind = if kind == "ABRT" { "abort".to_owned() } else { kind.to_lowercase() };
    let message = match parse_uncaught(text) {
        Some(exception) => exception,
        // Its address is the number of a process.
        None if kind == "abort" => "ABRT, the signal of abort()".to_owned(),
        None => sentence.split(" (pc ").next()?.trim().to_owned(),
    };
    Some((kind, message, None))
}

/// Parses `terminate called after throwing an instance of 'std::out_of_range'` and the line after it.
fn parse_uncaught(text: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("terminate called"));
    let first = lines.next()?.to_owned();
    let what = lines.next().and_then(|line| line.trim_start().strip_prefix("what():"));
    Some(what.map_or(first.clone(), |what| format!("{first}: {}", what.trim())))
}

/// Returns the first frame in the user's file. A report can list further stacks (where the memory was allocated), but
/// the first one is the fault's.
fn find_user_frame(text: &str, source: &Path) -> Option<FaultLocation> {
    text.lines().filter(|line| line.trim_start().starts_with('#')).find_map(|line| parse_frame(line, source))
}

/// Parses a frame: `    #1 0x55d0 in solve(std::vector<int>&) /home/me/sol.cpp:12:5`.
fn parse_frame(line: &str, source: &Path) -> Option<FaultLocation> {
    let (_, rest) = line.split_once(" in ")?;
    let (function, place) = rest.rsplit_once(" /").or_else(|| rest.rsplit_once(' '))?;
    let place = parse_location(place, source)?;
    let name = function.split('(').next().unwrap_or(function).trim();
    Some(FaultLocation { function: Some(name.to_owned()).filter(|name| !name.is_empty()), ..place })
}

/// Parses the line number in text such as `sol: /home/me/sol.cpp:12:5`, if it is about the user's file.
fn parse_location(text: &str, source: &Path) -> Option<FaultLocation> {
    let name = source.file_name()?.to_str()?;
    let ours = text.rmatch_indices(name).find(|(at, _)| {
        let alone = text[..*at].chars().next_back().is_none_or(|before| before == '/' || before == ' ');
        alone && text[at + name.len()..].starts_with(':')
    });
    let after = &text[ours?.0 + name.len() + 1..];
    let line = after.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok();
    Some(FaultLocation { line: line.filter(|line| *line > 0), function: None })
}

// Locates the faulty line: runs a crash once more, compiled with sanitizers that explain it.

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
/// Like [`ProgramBuilder::compile`] and [`Program::run`](rebut_sandbox::Program::run), except that a compiler that rejects the
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
/// Like [`Program::run`](rebut_sandbox::Program::run).
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check_report(text: &str, kind: &str, message: &str, line: Option<u32>, function: Option<&str>) {
        let source_text: String = (1..=40).map(|line| format!("  line {line};\n")).collect();
        let report = parse_report(text, Path::new("dir/sol.cpp"), &source_text);
        let expected = SanitizerReport {
            kind: kind.to_owned(),
            message: message.to_owned(),
            file: "dir/sol.cpp".to_owned(),
            line,
            function: function.map(str::to_owned),
            source_line: line.map(|line| format!("line {line};")),
        };
        assert_eq!(report, Some(expected));
    }

    #[test]
    fn address_sanitizer_frame_in_user_file_is_found() {
        let text = "=================================================================\n\
            ==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x55 bp 0x7f sp 0x7f\n\
            WRITE of size 4 at 0x60 thread T0\n    \
            #0 0x4f in std::vector<int>::at(unsigned long) /usr/include/c++/12/bits/stl_vector.h:1123\n    \
            #1 0x50 in solve(std::vector<int, std::allocator<int> >&, int) /home/me/a b/sol.cpp:12\n    \
            #2 0x51 in main /home/me/a b/sol.cpp:20\n    #3 0x52  (/lib/libc.so.6+0x2)\n\n\
            allocated by thread T0 here:\n    #0 0x7f in operator new(unsigned long)\n";
        let message = "heap-buffer-overflow on address 0x60 at pc 0x55 bp 0x7f sp 0x7f";
        check_report(text, "heap-buffer-overflow", message, Some(12), Some("solve"));
    }

    #[test]
    fn address_sanitizer_reports_signals_and_exceptions() {
        let text = "AddressSanitizer:DEADLYSIGNAL\n\
            ==7==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x55 bp 0x7 sp 0x7 T0)\n    \
            #0 0x55 in main /x/sol.cpp:3:14\n";
        check_report(text, "segv", "SEGV on unknown address 0x000000000000", Some(3), Some("main"));
        let text = "terminate called after throwing an instance of 'std::out_of_range'\n  what():  stoi\n\
            ==7==ERROR: AddressSanitizer: ABRT on unknown address 0x1 (pc 0x7 T0)\n    \
            #0 0x7f in raise (/lib/libc.so.6+0x3)\n    #9 0x55 in f(int) /x/sol.cpp:9\n";
        let aborted = "==7==ERROR: AddressSanitizer: ABRT on unknown address 0x000000002f01 (pc 0x7 T0)\n    \
            #9 0x55 in main /x/sol.cpp:9\n";
        check_report(aborted, "abort", "ABRT, the signal of abort()", Some(9), Some("main"));
        let message = "terminate called after throwing an instance of 'std::out_of_range': stoi";
        check_report(text, "abort", message, Some(9), Some("f"));
    }

    #[test]
    fn undefined_behaviour_states_its_place() {
        let text = "sol.cpp:5:9: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented \
            in type 'int'\n    \
            #0 0x55 in main /x/sol.cpp:5\n";
        let message = "signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'";
        check_report(text, "signed-integer-overflow", message, Some(5), Some("main"));
        let text = "/usr/include/c++/12/bits/stl_vector.h:1123:34: runtime error: reference binding to null \
            pointer of type 'int'\n    \
            #0 0x54 in std::vector<int>::operator[](unsigned long) /usr/include/c++/12/bits/stl_vector.h:1123\n    \
            #1 0x55 in main /x/sol.cpp:8\n";
        check_report(text, "null-pointer", "reference binding to null pointer of type 'int'", Some(8), Some("main"));
    }

    #[test]
    fn the_debug_library_explains_before_it_aborts() {
        let text = "/usr/include/c++/12/debug/vector:442:\nIn function:\n    std::debug::vector::operator[]\n\n\
            Error: attempt to subscript container with out-of-bounds index 5, but \n\
            container only holds 3 elements.\n\n\
            Objects involved in the operation:\n    sequence \"this\" @ 0x7f {\n    }\n\
            ==7==ERROR: AddressSanitizer: ABRT on unknown address 0x1 (pc 0x7 T0)\n    #5 0x55 in main sol.cpp:4\n";
        let message = "attempt to subscript container with out-of-bounds index 5, but container only holds 3 elements";
        check_report(text, "debug-assertion", message, Some(4), Some("main"));
    }

    #[test]
    fn assertions_state_their_place() {
        let text = "program: sol.cpp:6: int main(): Assertion `n > 5' failed.\n";
        check_report(text, "assertion", "Assertion `n > 5' failed", Some(6), None);
    }

    #[test]
    fn other_texts_are_not_reports() {
        for text in ["", "Error: x", "#0 in", "runtime error", ": runtime error: \u{e9}", "ERROR: AddressSanitizer: "] {
            let report = parse_report(text, Path::new("sol.cpp"), "");
            assert!(report.is_none_or(|report| report.line.is_none()), "{text}");
        }
        assert_eq!(parse_report("Segmentation fault\n", Path::new("sol.cpp"), ""), None);
    }
}
