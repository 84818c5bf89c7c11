//! The code that reads an input, as contestants type it.
//!
//! `walk` goes over the blocks of a format and decides what becomes a variable, a container or a loop; `language` prints it
//! in C++, Python, Java or Rust. The input is taken to be valid. A repetition of equal lines is stored in arrays;
//! one with alternatives or conditions, or without a count, has variables of its own in each iteration.
//!
//! Tokens are read one after another; lines matter only where the format has texts with spaces, lists up to the end of the
//! line, or repetitions up to a line that ends them, and in Python.

mod language;
mod solution_call;
mod templates;
mod walk;

pub use language::ReaderLanguage;
use rebut_diagnostics::Diagnostic;
use rebut_format::language::Format;
pub use solution_call::SolutionSource;

/// Returns the source of a program that reads an input. If `echo` is true it also prints what it has read, in the layout of
/// the input.
///
/// # Errors
/// Returns the reason, with its place, if a part of the layout is not read token by token or line by line.
pub fn generate_reader(format: &Format, language: ReaderLanguage, echo: bool) -> Result<String, Diagnostic> {
    walk::write_reader(format, language, echo, None)
}

/// Returns the source of a program that reads an input, calls the method of a solution with the fields that are named like its
/// parameters, and prints the result as LeetCode shows it. The program stands beside the solution.
///
/// # Errors
/// Returns the reason, with its place, if the layout has no reader, or if a parameter has no field or one of another type.
pub fn generate_driver(
    format: &Format,
    language: ReaderLanguage,
    solution: &SolutionSource<'_>,
) -> Result<String, Diagnostic> {
    walk::write_reader(format, language, false, Some(solution))
}
