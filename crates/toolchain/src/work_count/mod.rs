//! Counts the work of a run instead of measuring its time: how often branches of the program were executed.
//!
//! A count does not depend on the machine, its load or the number of jobs, so two runs can be compared exactly, and the
//! growth of the cost is visible on inputs that take a few milliseconds. C and C++ programs are compiled with GCC's
//! counters of edges, Rust programs with LLVM's. An object that is linked in (`counters.c`) keeps the counters in a file
//! in the folder of the run, and counts the work of those library functions whose cost grows with their arguments.
//! Most runs are copies of a fork server, which report their counts at their end. Where nothing can be counted, because
//! of the language, the compiler or a missing sandbox, the processor time is used.

use super::{BuildVariant, CompileError, Language, ProgramBuilder, SourceOptions};
use crate::compiler_sandbox::CompilerSandbox;
use crate::fingerprint::Fingerprint;
use crate::language::CC;
use crate::toolchain::Toolchain;
use crate::tuning::MIN_COUNTED_OUTPUT_BYTES;
use rebut_diagnostics::Result;
use rebut_sandbox::{CancelToken, LimitHit, Program, RunFiles, RunJob, RunLimits, RunOutcome};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The file with the counters, in the folder of the run.
const WORK_FILE: &str = ".rebut-work";

/// Number of bytes of the header of that file that are used: offset and length of the counters.
const HEADER_BYTES: usize = 16;

/// The first number of the report of a forked copy, or the next one if it is written at the end of the run. It makes the
/// bytes of an error stream improbable as a report.
const REPORT_MARK: u64 = 0x7d6b_726f_7721_b5a4;

/// Number of bytes of such a report: the mark, the sum of the counters and the largest of them.
const REPORT_BYTES: usize = 24;

/// How the work of a run was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WorkUnit {
    /// By counting executed branches: reproducible.
    Branches,
    /// By processor time in microseconds: it varies from run to run.
    CpuTime,
}

/// The work of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkCount {
    /// The unit of the counts.
    pub unit: WorkUnit,
    /// The whole work. For a run that was stopped by a limit it is a lower bound.
    pub total: u64,
    /// The count of the most frequently executed branch; the whole work if only time is measured.
    pub hottest: u64,
}

/// A program that counts its work.
#[derive(Clone, Debug)]
pub struct CountedProgram {
    program: Program,
    /// The file to collect; `None` if the program has no counters.
    collected: Option<RunFiles>,
}

impl CountedProgram {
    /// Compiles a source with counters, or without them if its language or compiler has none.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`ProgramBuilder::compile`].
    pub fn compile(
        builder: &ProgramBuilder,
        source: &Path,
        options: &SourceOptions,
        cancel: &CancelToken,
    ) -> std::result::Result<CountedProgram, CompileError> {
        let has_counters = Language::from_path(source).is_some_and(|language| language.count.is_some());
        if has_counters {
            match builder.compile_with_options(source, options, BuildVariant::Counted, cancel) {
                Ok(compiled) => {
                    let collected = Some(RunFiles::new().with_collected(WORK_FILE)?);
                    return Ok(CountedProgram { program: compiled.program, collected });
                }
                // Another compiler than GCC can reject the flags; if the source itself is wrong, that is reported next.
                Err(CompileError::Rejected { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let compiled = builder.compile_with_options(source, options, BuildVariant::Judged, cancel)?;
        Ok(CountedProgram::without_counters(compiled.program))
    }

    /// Creates one that is measured by its processor time.
    pub fn without_counters(program: Program) -> CountedProgram {
        CountedProgram { program, collected: None }
    }

    /// Runs the program in the fastest way available, and returns the outcome and the work.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`Program::run`].
    pub fn run(&self, input: &[u8], limits: &RunLimits, cancel: &CancelToken) -> Result<(RunOutcome, WorkCount)> {
        let Some(collected) = &self.collected else {
            let outcome = self.program.run_fast(input, &[], limits, cancel)?;
            let work = cpu_time_work(&outcome);
            return Ok((outcome, work));
        };
        if self.program.has_fast_path() {
            let mut outcome = self.program.run_fast(input, &[], limits, cancel)?;
            let report = take_report(&mut outcome.stderr);
            // Another copy that was killed, or that ended by itself without a report, may have done more since.
            let is_enough = |is_final| is_final || outcome.limit == Some(LimitHit::CpuTime);
            if let Some((work, _)) = report.filter(|(_, is_final)| is_enough(*is_final)) {
                return Ok((outcome, work));
            }
        }
        self.run_alone(collected, input, limits, cancel)
    }

    /// Runs the program in a process of its own, whose counters are known however it ends.
    fn run_alone(
        &self,
        collected: &RunFiles,
        input: &[u8],
        limits: &RunLimits,
        cancel: &CancelToken,
    ) -> Result<(RunOutcome, WorkCount)> {
        let limits =
            RunLimits { output_limit_bytes: limits.output_limit_bytes.max(MIN_COUNTED_OUTPUT_BYTES), ..limits.clone() };
        let job = RunJob { files: Some(collected), ..RunJob::new(input, &limits) };
        let mut outcome = self.program.run_job(&job, cancel)?;
        let file = outcome.files.remove(Path::new(WORK_FILE));
        let work = file.as_deref().and_then(parse_counters).unwrap_or_else(|| cpu_time_work(&outcome));
        Ok((outcome, work))
    }

    /// Returns true if branches are counted, and false if only the processor time is measured.
    pub fn has_counters(&self) -> bool {
        self.collected.is_some()
    }

    /// Returns the name of the program for the user.
    pub fn display_name(&self) -> &str {
        self.program.display_name()
    }
}

fn cpu_time_work(outcome: &RunOutcome) -> WorkCount {
    WorkCount { unit: WorkUnit::CpuTime, total: outcome.cpu_time_us, hottest: outcome.cpu_time_us }
}

/// Removes the report of a forked copy from the end of its error stream, and returns it and whether it was written at the
/// end of the run. Returns `None` without one.
fn take_report(stderr: &mut Vec<u8>) -> Option<(WorkCount, bool)> {
    let start = stderr.len().checked_sub(REPORT_BYTES)?;
    let [mark, total, hottest] = [0, 8, 16].map(|at| read_number(&stderr[start + at..]));
    if ![REPORT_MARK, REPORT_MARK + 1].contains(&mark) {
        return None;
    }
    stderr.truncate(start);
    Some((WorkCount { unit: WorkUnit::Branches, total, hottest }, mark == REPORT_MARK + 1))
}

/// Parses the file with the counters. Returns `None` if it is not complete; the program can have written to it.
fn parse_counters(file: &[u8]) -> Option<WorkCount> {
    let header = file.get(..HEADER_BYTES)?;
    let (start, length) =
        (usize::try_from(read_number(header)).ok()?, usize::try_from(read_number(&header[8..])).ok()?);
    let counters = file.get(start..start.checked_add(length)?)?.chunks_exact(8).map(read_number);
    let (mut total, mut hottest) = (0_u64, 0);
    for counter in counters {
        total = total.saturating_add(counter);
        hottest = hottest.max(counter);
    }
    (total > 0).then_some(WorkCount { unit: WorkUnit::Branches, total, hottest })
}

/// Reads the first eight bytes as a number of this machine; missing ones are zeros.
fn read_number(bytes: &[u8]) -> u64 {
    let mut number = [0; 8];
    number.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
    u64::from_ne_bytes(number)
}

// Builds what is linked into programs with counters.

/// The C source that keeps the counters in a file.
const COUNTERS_SOURCE: &str = include_str!("counters.c");

/// The linker script that puts the counters of GCC next to each other.
const COUNTERS_SCRIPT: &str = include_str!("counters.ld");

/// Names of the object for programs with counters of GCC, of that for LLVM, and of the linker script.
pub(crate) const GCC_OBJECT: &str = "gcc_counters.o";

pub(crate) const LLVM_OBJECT: &str = "llvm_counters.o";

pub(crate) const SCRIPT: &str = "counters.ld";

impl Toolchain {
    /// Returns the folder with the objects and the linker script for programs with counters, or `None` if they cannot be
    /// compiled. Its path depends on their contents.
    pub(crate) fn counters_folder(&self, cancel: &CancelToken) -> Option<PathBuf> {
        let compiler = self.find_tool(&CC, "C", cancel).ok()?;
        let mut fingerprint = Fingerprint::new();
        [COUNTERS_SOURCE, COUNTERS_SCRIPT].iter().for_each(|text| fingerprint.add_part(text.as_bytes()));
        fingerprint.add_compiler(&compiler);
        let build = fingerprint.finish();
        if let Some(folder) = self.build_cache().find_build(&build) {
            return Some(folder);
        }
        let stage = self.build_cache().create_staging().ok()?;
        let source = stage.path().join("counters.c");
        fs::write(&source, COUNTERS_SOURCE).ok()?;
        fs::write(stage.path().join(SCRIPT), COUNTERS_SCRIPT).ok()?;
        let sandbox = CompilerSandbox::new(&compiler, stage.path(), self.environment());
        for (name, flags) in [(GCC_OBJECT, &[][..]), (LLVM_OBJECT, &["-DCOUNTERS_OF_LLVM"][..])] {
            let mut command = compiler.clone();
            command.extend(["-c", "-O2", "-fPIC", "-fno-builtin"].iter().chain(flags).map(OsString::from));
            command.push(format!("-DREBUT_WORK_FILE=\"{WORK_FILE}\"").into());
            command.push(format!("-DREBUT_WORK_MARK={REPORT_MARK}u").into());
            command.extend(["-o".into(), stage.path().join(name).into(), source.clone().into()]);
            let ended = self.run_compiler(command, stage.path(), &sandbox, cancel).ok()?;
            if !ended.exit.is_success() {
                return None;
            }
        }
        self.build_cache().store_build(stage, &build).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work_file(start: u64, length: u64, rest: &[u64]) -> Vec<u8> {
        [start, length].iter().chain(rest).flat_map(|number| number.to_ne_bytes()).collect()
    }

    #[test]
    fn counters_are_added_up() {
        let expected = WorkCount { unit: WorkUnit::Branches, total: 12, hottest: 7 };
        // The number before the counters belongs to another variable.
        assert_eq!(parse_counters(&work_file(24, 16, &[99, 5, 7, 99])), Some(expected));
    }

    #[test]
    fn report_is_taken_from_the_end_of_the_error_stream() {
        let report: Vec<u8> = [REPORT_MARK, 12, 7].iter().flat_map(|number| number.to_ne_bytes()).collect();
        let mut stderr = [b"text".as_slice(), &report].concat();
        let expected = WorkCount { unit: WorkUnit::Branches, total: 12, hottest: 7 };
        assert_eq!(take_report(&mut stderr), Some((expected, false)));
        assert_eq!(stderr, b"text");
        assert_eq!(take_report(&mut stderr), None);
        assert_eq!(take_report(&mut b"a text of more than twenty-four bytes".to_vec()), None);
    }

    #[test]
    fn incomplete_files_have_no_counts() {
        let cases: [&[u64]; 4] = [&[], &[24], &[16, u64::MAX], &[u64::MAX, u64::MAX]];
        for numbers in cases {
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
            assert_eq!(parse_counters(&bytes), None, "{numbers:?}");
        }
        assert_eq!(parse_counters(&work_file(16, 16, &[5])), None);
        assert_eq!(parse_counters(&work_file(16, 8, &[0])), None);
    }
}
