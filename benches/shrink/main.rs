//! Measures the size of shrunk inputs, and the number of queries that shrinking takes.
//!
//!     cargo bench --bench shrink -- [--quick] [--starts N] [--only WORDS] [--huge] [--export FOLDER]
//!     cargo bench --bench shrink -- --ablation [--quick] [--starts N] [--only WORDS]
//!     cargo bench --bench shrink -- --serve TASK | --predicate TASK
//!
//! Each task has a format, a predicate in place of programs, and the smallest input that satisfies the predicate, which
//! is verified by enumeration as far as a short time allows. `--ablation` leaves out one pass at a time instead. The last
//! command line is for other tools, see [`ask`].
//! This bench measures; it does not pass or fail.

#![allow(clippy::print_stdout, reason = "a bench prints its table")]
#![allow(clippy::disallowed_methods, reason = "a bench has a clock")]

mod ablation;
mod ask;
mod blind;
mod fourth;
mod fresh;
mod huge;
mod input;
mod tasks;
mod third;

use input::Input;
use rebut_diagnostics::SourceText;
use rebut_format::enumerate::Enumerator;
use rebut_format::generate::{GenerationPlan, GenerationSettings, generate_value};
use rebut_format::language::Format;
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::shrink::{Oracle, ShrinkStopped, shrink_value};
use rebut_format::validate::find_violation;
use rebut_format::value::{Measure, Value};
use rebut_generators::Choices;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tasks::Fails;

/// An input format and a predicate to shrink by.
pub(crate) struct Task {
    name: &'static str,
    format: &'static str,
    /// Further constraints on the starts, if random inputs would not satisfy the predicate.
    starts: &'static str,
    fails: Fails,
    minimum: &'static str,
}

impl Task {
    /// Returns a predicate that was never queried.
    fn predicate<'f>(&self, format: &'f Format, width: usize) -> Predicate<'f> {
        let (asked, invalid, files) = (0, 0, 0);
        Predicate { format, fails: self.fails, asked, invalid, answering: Duration::ZERO, width, files }
    }
}

/// A predicate that counts its queries.
struct Predicate<'f> {
    format: &'f Format,
    fails: Fails,
    asked: usize,
    invalid: usize,
    /// Time spent in the predicate, which is not the search's own.
    answering: Duration,
    /// Number of candidates per file.
    width: usize,
    /// Number of files that were run.
    files: usize,
}

/// The triggers for which shrinking was not designed.
const BLIND_AND_LATER: [&[Task]; 4] = [blind::BLIND, fresh::FRESH, third::THIRD, fourth::FOURTH];

/// Maximum number of queries, against endless searches.
const MOST: usize = 20_000;

/// Returns the number of files that it takes to find the first failing candidate of `count`: one for all, then halves.
fn files(count: usize, failing: Option<usize>) -> usize {
    let Some(at) = failing.filter(|_| count > 1) else { return 1 };
    let left = count / 2;
    1 + if at < left { files(left, Some(at)) } else { files(left, None) + files(count - left, Some(at - left)) }
}

impl Oracle<Value> for Predicate<'_> {
    fn batch_width(&self) -> usize {
        self.width
    }

    fn first_failing(&mut self, candidates: &[Value]) -> Result<Option<usize>, ShrinkStopped> {
        if self.asked > MOST {
            return Err(ShrinkStopped);
        }
        let start = cpu_time();
        let found = candidates.iter().position(|candidate| {
            self.asked += 1;
            self.invalid += usize::from(find_violation(self.format, candidate).is_some());
            holds(self.format, candidate, self.fails)
        });
        self.answering += cpu_time() - start;
        let groups = candidates.chunks(self.width).count();
        let at = found.map(|at| at % self.width);
        self.files += found.map_or(groups, |found| found / self.width + files(self.width.min(candidates.len()), at));
        Ok(found)
    }
}

fn holds(format: &Format, value: &Value, fails: Fails) -> bool {
    let text = String::from_utf8_lossy(&print_value(format, value)).into_owned();
    fails(&mut Input::new(&text))
}

/// Returns the processor time of this thread.
#[cfg(unix)]
fn cpu_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or_default())
}

#[cfg(not(unix))]
fn cpu_time() -> Duration {
    Duration::ZERO
}

/// The options of a run.
struct Wanted {
    starts: usize,
    only: String,
    verbose: bool,
    /// Approximate maximum number of elements of a start.
    elements: usize,
    /// Whether to leave out one pass at a time instead.
    ablation: bool,
    /// Whether to measure on the largest inputs instead.
    huge: bool,
    /// The folder to which starts and results are written, for other tools.
    export: Option<PathBuf>,
    /// The task for which queries are answered instead of measuring, and whether only one.
    ask: Option<(String, bool)>,
}

impl Wanted {
    fn from_arguments() -> Wanted {
        let mut wanted = Wanted {
            starts: 20,
            only: String::new(),
            verbose: false,
            elements: 50_000,
            ablation: false,
            huge: false,
            export: None,
            ask: None,
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--quick" => wanted.starts = 5,
                "--starts" => wanted.starts = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(wanted.starts),
                "--only" => wanted.only = arguments.next().unwrap_or_default(),
                "--huge" => (wanted.huge, wanted.elements, wanted.starts) = (true, 2_000_000, 2),
                "--ablation" => wanted.ablation = true,
                "--verbose" => wanted.verbose = true,
                "--export" => wanted.export = arguments.next().map(PathBuf::from),
                "--serve" | "--predicate" => wanted.ask = arguments.next().map(|task| (task, argument != "--serve")),
                _ => {}
            }
        }
        wanted
    }
}

/// The results of all starts of a task.
#[derive(Default)]
struct Results {
    starts: usize,
    reached: usize,
    invalid: usize,
    /// The largest start and the largest result that is not minimal, in elements.
    largest: usize,
    worst: usize,
    asked: Vec<usize>,
    /// Number of files of the same search with many candidates per file.
    files: Vec<usize>,
    times: Vec<Duration>,
}

/// Number of candidates per file in the packed search.
const PACK: usize = 32;

fn main() -> std::io::Result<ExitCode> {
    let wanted = Wanted::from_arguments();
    if let Some((name, once)) = &wanted.ask {
        let mut all =
            [tasks::TASKS, blind::BLIND, fresh::FRESH, third::THIRD, fourth::FOURTH, huge::HUGE].into_iter().flatten();
        return match all.find(|task| task.name == name) {
            Some(task) if *once => ask::once(task),
            Some(task) => ask::serve(task).map(|()| ExitCode::SUCCESS),
            None => Ok(ExitCode::from(2)),
        };
    }
    if wanted.ablation {
        ablation::measure_passes(&wanted);
        return Ok(ExitCode::SUCCESS);
    }
    measure(&wanted)?;
    Ok(ExitCode::SUCCESS)
}

/// Measures all tasks and prints the results.
fn measure(wanted: &Wanted) -> std::io::Result<()> {
    let lists = [
        ("tasks for which shrinking was designed", tasks::TASKS),
        ("triggers for which it was not designed", blind::BLIND),
        ("further ones for which it was not designed", fresh::FRESH),
        ("eight more for which it was not designed", third::THIRD),
        ("forty kinds that were written last", fourth::FOURTH),
    ];
    let lists = if wanted.huge { vec![("the largest files", huge::HUGE)] } else { lists.to_vec() };
    for (title, tasks) in lists {
        println!("{title}\n");
        println!(
            "{:34} {:>7} {:>8} {:>9} {:>9} {:>7} {:>7} {:>7} {:>8} {:>8}  minimum",
            "", "starts", "up to", "reached", "elements", "queries", "max", "files", "CPU ms", "max"
        );
        let (mut whole, mut all, mut reached, mut started) = (0, 0, 0, 0);
        for task in tasks.iter().filter(|t| t.name.contains(&wanted.only)) {
            let (starts, results) = run(task, wanted);
            if let Some(folder) = &wanted.export {
                ask::export(folder, task, &starts, &results)?;
            }
            all += 1;
            whole += usize::from(results.starts > 0 && results.reached == results.starts);
            reached += results.reached;
            started += results.starts;
        }
        println!("\n{whole} of {all} tasks reach their minimum from all starts, {reached} of {started} starts do\n");
    }
    Ok(())
}

/// Shrinks all starts of a task. Returns the starts and the results.
fn run(task: &Task, wanted: &Wanted) -> (Vec<Value>, Results) {
    let mut results = Results::default();
    let Some(format) = parsed(task.format) else { return (Vec::new(), results) };
    let plan = GenerationPlan::new(&format);
    let starts = starts(task, &format, wanted);
    for start in &starts {
        results.starts += 1;
        results.largest = results.largest.max(start.element_count());
        let mut packed = task.predicate(&format, PACK);
        shrink_value(&plan, start.clone(), &mut packed);
        results.files.push(packed.files);
        let mut oracle = task.predicate(&format, 1);
        let before = cpu_time();
        let shrunk = shrink_value(&plan, start.clone(), &mut oracle);
        results.times.push((cpu_time() - before).saturating_sub(oracle.answering));
        results.asked.push(oracle.asked);
        results.invalid += oracle.invalid;
        let shown = String::from_utf8_lossy(&print_value(&format, &shrunk.value)).into_owned();
        if shown == task.minimum {
            results.reached += 1;
        } else {
            results.worst = results.worst.max(shrunk.value.element_count());
        }
        if wanted.verbose && shown != task.minimum {
            println!("    start {}: {:?} after {}", results.starts, &shown[..shown.len().min(60)], oracle.asked);
        }
    }
    results.show(task, &format, &plan);
    (starts, results)
}

impl Results {
    fn show(&mut self, task: &Task, format: &Format, plan: &GenerationPlan<'_>) {
        self.asked.sort_unstable();
        self.files.sort_unstable();
        self.times.sort_unstable();
        let minimum = read_input(format, task.minimum.as_bytes()).ok();
        let size = minimum.as_ref().map_or(0, Value::element_count);
        let worst = if self.reached == self.starts { size } else { self.worst };
        let milliseconds = |t: Option<&Duration>| t.map_or(0.0, |t| t.as_secs_f64() * 1e3);
        println!(
            "{:34} {:>7} {:>8} {:>9} {:>9} {:>7} {:>7} {:>7} {:>8.1} {:>8.1}  {}{}",
            task.name,
            self.starts,
            self.largest,
            format!("{}/{}", self.reached, self.starts),
            format!("{worst}/{size}"),
            self.asked.get(self.asked.len() / 2).copied().unwrap_or_default(),
            self.asked.last().copied().unwrap_or_default(),
            self.files.get(self.files.len() / 2).copied().unwrap_or_default(),
            milliseconds(self.times.get(self.times.len() / 2)),
            milliseconds(self.times.last()),
            minimum.map_or("is invalid", |minimum| proof(task, plan, &minimum)),
            if self.invalid > 0 { format!(", {} queries for invalid inputs", self.invalid) } else { String::new() },
        );
    }
}

/// Returns whether enumeration proves the minimum.
fn proof(task: &Task, plan: &GenerationPlan<'_>, minimum: &Value) -> &'static str {
    /// Maximum time of a proof.
    const MOST: Duration = Duration::from_millis(1500);
    if !holds(plan.format, minimum, task.fails) {
        return "does not fail";
    }
    let started = Instant::now();
    let over = || started.elapsed() > MOST;
    let measure = Measure::of_value(plan.format, minimum);
    let mut all = Enumerator::new(plan, measure.elements, &over);
    let smaller = all.by_ref().find(|value| holds(plan.format, value, task.fails));
    match smaller {
        Some(value) if Measure::of_value(plan.format, &value) < measure => "is not the smallest",
        Some(_) => "proved",
        None => "known",
    }
}

fn parsed(text: &str) -> Option<Format> {
    let source = SourceText::new("format", text);
    match Format::parse(&source) {
        Ok((format, _)) => Some(format),
        Err(problems) => {
            println!("{}", problems.first().map(|p| p.render_text(&source)).unwrap_or_default());
            None
        }
    }
}

/// Returns failing inputs, including inputs near the largest size that the format allows.
fn starts(task: &Task, format: &Format, wanted: &Wanted) -> Vec<Value> {
    let count = wanted.starts;
    /// Maximum number of inputs to draw per start.
    const TRIES: u64 = 60;
    let narrowed =
        if task.starts.is_empty() { task.format.to_owned() } else { format!("{}; {}", task.format, task.starts) };
    let Some(narrowed) = parsed(&narrowed) else { return Vec::new() };
    let plan = GenerationPlan::new(&narrowed);
    let failing = |seed: u64| {
        let growth = 100 - (seed % 5) as u32 * 8;
        let settings = GenerationSettings { growth, max_elements: wanted.elements, ..GenerationSettings::default() };
        let value = generate_value(&plan, &mut Choices::from_seed(seed, 1), &settings).ok()?.value;
        (find_violation(format, &value).is_none() && holds(format, &value, task.fails)).then_some(value)
    };
    (0..TRIES * count as u64).filter_map(failing).take(count).collect()
}
