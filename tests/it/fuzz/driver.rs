//! Runs a target: counts executions, detects hangs, and minimizes failing cases.

use super::targets::{Case, Checked, Target};
use rebut_generators::Choices;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A range of executions.
pub(super) struct Run {
    pub(super) target: String,
    pub(super) seed: u64,
    /// The number of the first execution.
    pub(super) first: u64,
    pub(super) executions: u64,
    /// Whether the test has the process for itself and can print its progress.
    pub(super) is_long: bool,
}

/// Timeout of an execution, for busy machines too.
const HANG: Duration = Duration::from_secs(20);

/// Number of executions between two lines of progress.
const REPORT_EVERY: u64 = 50_000;

/// Maximum number of attempts to minimize a failing case.
const MAX_SMALLER: usize = 4_000;

/// Writes a line to the stream itself because the test harness captures what is printed.
pub(super) fn print_line(text: &str) {
    // A closed stream is ignored.
    let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{text}\n").as_bytes());
}

/// Runs the executions of a range.
///
/// # Errors
///
/// Returns a report of the first execution that panics or breaks an invariant, minimized.
pub(super) fn run(run: &Run, target: &Target<'_>) -> Result<String, String> {
    if run.is_long {
        // Every panic is caught and reported once, after its case is minimized.
        std::panic::set_hook(Box::new(|_| {}));
    }
    let (current, ended) = (AtomicU64::new(run.first), AtomicBool::new(false));
    let result = std::thread::scope(|scope| {
        scope.spawn(|| watch(run, target, &current, &ended));
        let result = executions(run, target, &current);
        ended.store(true, Ordering::Relaxed);
        result
    });
    if run.is_long {
        let _ = std::panic::take_hook();
    }
    result
}

fn executions(run: &Run, target: &Target<'_>, current: &AtomicU64) -> Result<String, String> {
    let started = Instant::now();
    let mut classes: BTreeMap<&'static str, u64> = BTreeMap::new();
    let mut slowest = (Duration::ZERO, run.first);
    for number in run.first..run.first + run.executions {
        current.store(number, Ordering::Relaxed);
        let begun = Instant::now();
        let case = (target.make)(&mut Choices::from_seed(run.seed, number));
        match checked(target, &case) {
            Ok(class) => *classes.entry(class).or_default() += 1,
            Err(why) => return Err(failure(run, number, target, &case, &why)),
        }
        slowest = slowest.max((begun.elapsed(), number));
        if run.is_long && (number + 1) % REPORT_EVERY == 0 {
            print_line(&format!("{}: at {}, {:?}, {:.0?}", run.target, number + 1, classes, started.elapsed()));
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    let rate = run.executions as f64 / seconds;
    let mut report = format!("{}: {} executions, seed {}, ", run.target, run.executions, run.seed);
    let _ = write!(report, "{seconds:.1} s, {rate:.0}/s, slowest {:.1?} (number {}); ", slowest.0, slowest.1);
    let _ = write!(report, "{classes:?}");
    Ok(report)
}

/// Ends the process when an execution hangs: a thread cannot be stopped from outside.
fn watch(run: &Run, target: &Target<'_>, current: &AtomicU64, ended: &AtomicBool) {
    let mut last = (u64::MAX, Instant::now());
    while !ended.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(20));
        let number = current.load(Ordering::Relaxed);
        if last.0 != number {
            last = (number, Instant::now());
        } else if last.1.elapsed() > HANG {
            let case = (target.make)(&mut Choices::from_seed(run.seed, number));
            print_line(&format!("execution {number} of {} hangs\n{}{}", run.target, shown(&case), replay(run, number)));
            std::process::abort();
        }
    }
}

/// A panic breaks an invariant, too.
fn checked(target: &Target<'_>, case: &Case) -> Checked {
    catch_unwind(AssertUnwindSafe(|| (target.check)(case))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(format!("panic: {}", text.unwrap_or_default()))
    })
}

fn failure(run: &Run, number: u64, target: &Target<'_>, case: &Case, why: &str) -> String {
    let small = minimized(target, case, why.starts_with("panic: "));
    let why = checked(target, &small).err().unwrap_or_else(|| why.to_owned());
    let mut report = format!("execution {number} of {}: {why}\n", run.target);
    report += "made smaller:\n";
    report + &shown(&small) + &replay(run, number)
}

fn shown(case: &Case) -> String {
    let mut text = format!("number {} of the formats, checkers or seeds, and\n", case.pick);
    for part in &case.parts {
        let _ = writeln!(text, "b\"{}\"", part.escape_ascii());
    }
    text
}

fn replay(run: &Run, number: u64) -> String {
    format!("replay: scripts/fuzz {} {} {number} 1", run.target, run.seed)
}

/// Removes pieces of a case as long as it fails in the same way.
fn minimized(target: &Target<'_>, case: &Case, is_panic: bool) -> Case {
    let fails = |case: &Case| checked(target, case).is_err_and(|why| why.starts_with("panic: ") == is_panic);
    let mut best = case.clone();
    let mut tries = 0;
    for part in 0..best.parts.len() {
        let mut length = best.parts[part].len().div_ceil(2);
        while length > 0 && tries < MAX_SMALLER {
            let mut at = 0;
            while at < best.parts[part].len() && tries < MAX_SMALLER {
                let mut cut = best.clone();
                let end = (at + length).min(cut.parts[part].len());
                cut.parts[part].drain(at..end);
                tries += 1;
                if fails(&cut) { best = cut } else { at += length }
            }
            length /= 2;
        }
    }
    best
}
