//! Runs a target: counts, guards against hangs, and makes what fails smaller.

use super::targets::{Case, Checked, Target};
use rebut_generators::Choices;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What to run.
pub(super) struct Run {
    pub(super) target: String,
    pub(super) seed: u64,
    /// The number of the first execution.
    pub(super) first: u64,
    pub(super) executions: u64,
    /// Whether it has the process for itself, and may say how it goes.
    pub(super) is_long: bool,
}

/// An execution that takes so long hangs, however busy the machine is.
const HANG: Duration = Duration::from_secs(20);

/// How often a long run says where it is, in executions.
const REPORT_EVERY: u64 = 50_000;

/// So many attempts are made at a smaller failing case.
const MOST_SMALLER: usize = 4_000;

/// Writes a line past the test harness, which hides what is printed.
pub(super) fn say(text: &str) {
    // Whoever closed the stream does not want to read it.
    let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{text}\n").as_bytes());
}

/// Runs a target from one execution to another.
///
/// # Errors
/// A report of the first execution that panics or breaks a law, made smaller.
pub(super) fn run(run: &Run, target: &Target<'_>) -> Result<String, String> {
    if run.is_long {
        // Every panic is caught and reported once, smaller than it was found.
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
        let case = (target.make)(&mut Choices::fresh(run.seed, number));
        match checked(target, &case) {
            Ok(class) => *classes.entry(class).or_default() += 1,
            Err(why) => return Err(failure(run, number, target, &case, &why)),
        }
        slowest = slowest.max((begun.elapsed(), number));
        if run.is_long && (number + 1) % REPORT_EVERY == 0 {
            say(&format!("{}: at {}, {:?}, {:.0?}", run.target, number + 1, classes, started.elapsed()));
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    let rate = run.executions as f64 / seconds;
    let mut report = format!("{}: {} executions, seed {}, ", run.target, run.executions, run.seed);
    let _ = write!(report, "{seconds:.1} s, {rate:.0}/s, slowest {:.1?} (number {}); ", slowest.0, slowest.1);
    let _ = write!(report, "{classes:?}");
    Ok(report)
}

/// Ends the process when an execution hangs: a thread that hangs cannot be stopped otherwise.
fn watch(run: &Run, target: &Target<'_>, current: &AtomicU64, ended: &AtomicBool) {
    let mut last = (u64::MAX, Instant::now());
    while !ended.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(20));
        let number = current.load(Ordering::Relaxed);
        if last.0 != number {
            last = (number, Instant::now());
        } else if last.1.elapsed() > HANG {
            let case = (target.make)(&mut Choices::fresh(run.seed, number));
            say(&format!("execution {number} of {} hangs\n{}{}", run.target, shown(&case), replay(run, number)));
            std::process::abort();
        }
    }
}

/// A panic is a broken law, too.
fn checked(target: &Target<'_>, case: &Case) -> Checked {
    catch_unwind(AssertUnwindSafe(|| (target.check)(case))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(format!("panic: {}", text.unwrap_or_default()))
    })
}

fn failure(run: &Run, number: u64, target: &Target<'_>, case: &Case, why: &str) -> String {
    let small = smaller(target, case, why.starts_with("panic: "));
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

/// The same failure with pieces cut away, as long as it stays one.
fn smaller(target: &Target<'_>, case: &Case, is_panic: bool) -> Case {
    let fails = |case: &Case| checked(target, case).is_err_and(|why| why.starts_with("panic: ") == is_panic);
    let mut best = case.clone();
    let mut tries = 0;
    for part in 0..best.parts.len() {
        let mut length = best.parts[part].len().div_ceil(2);
        while length > 0 && tries < MOST_SMALLER {
            let mut at = 0;
            while at < best.parts[part].len() && tries < MOST_SMALLER {
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
