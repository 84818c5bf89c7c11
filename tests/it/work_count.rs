//! Counting the work of runs.

use crate::environment::installed;
use rebut_sandbox::{CancelToken, HostEnvironment, LimitHit, ProcessExit, RunLimits, RunOutcome};
use rebut_toolchain::{CountedProgram, ProgramBuilder, SourceOptions, WorkCount, WorkUnit};
use std::fs;
use tempfile::TempDir;

/// Fills memory `n` times, visits `n * n` pairs of numbers, and ends as the second number of its input selects.
const C_SOURCE: &str = r"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char memory[1 << 16];
int main(void) {
    int n, end;
    if (scanf(`%d %d`, &n, &end) != 2) return 9;
    unsigned pairs = 0;
    for (int i = 0; i < n; i++) {
        memset(memory, n + i, sizeof memory);
        for (int j = 0; j < n; j++) if ((i ^ j) & (unsigned)memory[j]) pairs++;
    }
    printf(`%u\n`, pairs);
    if (end == 1) abort();
    if (end == 2) _Exit(3);
    if (end == 3) for (;;) memset(memory, getchar(), 1);
    return 0;
}
";

struct CountedSource {
    _folder: TempDir,
    program: CountedProgram,
    /// Whether programs can be fork servers on this machine.
    can_fork: bool,
}

impl CountedSource {
    fn compile(name: &str, text: &str) -> CountedSource {
        let folder = tempfile::tempdir().unwrap();
        let environment = HostEnvironment::from_process().unwrap().with_spawner(env!("CARGO_BIN_EXE_rebut"));
        let builder = ProgramBuilder::new(environment).unwrap();
        let source = folder.path().join(name);
        fs::write(&source, text.replace('`', "\"")).unwrap();
        let options = SourceOptions::default();
        let program = CountedProgram::compile(&builder, &source, &options, &CancelToken::new());
        let can_fork = builder.fork_server_languages(&CancelToken::new()).is_ok();
        CountedSource { program: program.unwrap_or_else(|error| panic!("{error}")), can_fork, _folder: folder }
    }

    fn run(&self, input: &str) -> (RunOutcome, WorkCount) {
        let limits = RunLimits { cpu_time_slack_ms: 0, ..RunLimits::with_cpu_time_ms(200) };
        self.program.run(input.as_bytes(), &limits, &CancelToken::new()).unwrap()
    }
}

#[test]
fn work_of_a_c_program_is_counted_however_it_ends() {
    if !installed(&["gcc"]) {
        return;
    }
    let source = CountedSource::compile("a.c", C_SOURCE);
    let (ended, work) = source.run("100 0\n");
    assert!(ended.is_success());
    assert_eq!(work.unit, WorkUnit::Branches);
    // 100 times 65536 bytes at 16 a step, and 10,000 pairs.
    assert!((419_600..440_000).contains(&work.total), "{work:?}");
    assert_eq!(source.run("100 0\n").1, work, "counts are reproducible");
    let (aborted, work) = source.run("100 1\n");
    assert!(matches!(aborted.exit, ProcessExit::Signal(_)) && work.total >= 419_600, "{work:?}");
    let (exited, work) = source.run("100 2\n");
    assert!(exited.exit == ProcessExit::Code(3) && work.total >= 419_600, "{work:?}");
    let (killed, work) = source.run("100 3\n");
    assert!(killed.limit == Some(LimitHit::CpuTime) && work.total >= 419_600, "{work:?}");
}

/// Begins with a constructor whose output only a fresh process shows: that of a fork server goes nowhere.
const CONSTRUCTOR: &str = r"
#include <unistd.h>
__attribute__((constructor(100))) static void greet(void) { (void)!write(1, `fresh`, 5); }
";

#[test]
fn forked_copies_count_as_fresh_processes_do() {
    if !installed(&["gcc"]) {
        return;
    }
    let source = CountedSource::compile("a.c", &format!("{CONSTRUCTOR}{C_SOURCE}"));
    let (copy, copied_work) = source.run("100 0\n");
    let (fresh, fresh_work) = source.run("100 2\n");
    assert!(fresh.output.starts_with(b"fresh"), "only a fresh process can be counted when it ends like this");
    assert!(copied_work.total.abs_diff(fresh_work.total) < 100, "{copied_work:?} {fresh_work:?}");
    assert!(copied_work.hottest.abs_diff(fresh_work.hottest) < 100, "{copied_work:?} {fresh_work:?}");
    let (killed, killed_work) = source.run("100 3\n");
    assert!(killed.limit == Some(LimitHit::CpuTime) && killed_work.total >= copied_work.total, "{killed_work:?}");
    assert_eq!(killed.output.starts_with(b"fresh"), !source.can_fork, "a copy that is stopped was counted until then");
    if source.can_fork {
        assert_ne!(copy.output, b"");
        assert!(!copy.output.starts_with(b"fresh"), "small inputs are counted in copies of a fork server");
        assert_eq!(copy.stderr, b"", "the report of the counters is no output of the program");
    }
}

#[test]
fn work_of_a_rust_program_is_counted() {
    if !installed(&["rustc"]) || !installed(&["gcc"]) {
        return;
    }
    let text = "fn main() {
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).unwrap();
        let n: u64 = line.trim().parse().unwrap();
        let mut all: Vec<u64> = (0..n).map(|i| i * 7919 % n).collect();
        all.sort();
        println!(`{}`, all[0]);
    }";
    let source = CountedSource::compile("a.rs", text);
    let (small, large) = (source.run("1000\n").1, source.run("100000\n").1);
    assert_eq!(large.unit, WorkUnit::Branches);
    // The library's sort is counted as well.
    assert!(large.total > 120 * small.total && large.total > 1_000_000, "{small:?} {large:?}");
    assert_eq!(source.run("1000\n").1, small, "counts are reproducible");
}

#[test]
fn work_of_a_python_program_is_its_time() {
    if !installed(&["python3"]) {
        return;
    }
    let source = CountedSource::compile("a.py", "print(sum(range(int(input()))))\n");
    let (ended, work) = source.run("1000\n");
    assert_eq!(work, WorkCount { unit: WorkUnit::CpuTime, total: ended.cpu_time_us, hottest: ended.cpu_time_us });
}
