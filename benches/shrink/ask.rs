//! The predicates of the tasks, for other tools: they are queried in the same way as by rebut.
//!
//! `--export` writes the starts of the search and its results, `--serve` answers queries one after the other,
//! `--predicate` answers a single one with its exit status. Inputs that the format does not allow never fail.

use crate::{Results, Task, holds, parsed};
use rebut_format::language::Format;
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::validate::find_violation;
use rebut_format::value::{Measure, Value};
use std::fs;
use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::process::ExitCode;

/// The result of a predicate on an input.
enum Answer {
    Invalid,
    Passes,
    Fails,
}

/// Returns the result for an input, and the input's measure if it is valid.
fn answer(task: &Task, format: &Format, input: &[u8]) -> (Answer, Option<Measure>) {
    let Ok(value) = read_input(format, input) else { return (Answer::Invalid, None) };
    if find_violation(format, &value).is_some() {
        return (Answer::Invalid, None);
    }
    let fails = holds(format, &value, task.fails);
    (if fails { Answer::Fails } else { Answer::Passes }, Some(Measure::of_value(format, &value)))
}

/// Answers queries until stdin ends. A query is a line with the length of the input, followed by its bytes; the answer
/// is a line with a word, the number of elements and their distance from the simplest values.
pub(crate) fn serve(task: &Task) -> io::Result<()> {
    let Some(format) = parsed(task.format) else { return Ok(()) };
    let (mut questions, mut answers) = (io::stdin().lock(), io::stdout().lock());
    let mut length = String::new();
    while questions.read_line(&mut length)? > 0 {
        let mut input = vec![0; length.trim().parse().unwrap_or(0)];
        questions.read_exact(&mut input)?;
        let (answer, measure) = answer(task, &format, &input);
        let word = match answer {
            Answer::Invalid => "invalid",
            Answer::Passes => "passes",
            Answer::Fails => "fails",
        };
        let (elements, distance) = measure.map_or((0, 0), |m| (m.elements, m.distance));
        writeln!(answers, "{word} {elements} {distance}")?;
        answers.flush()?;
        length.clear();
    }
    Ok(())
}

/// Judges the input on stdin and returns the result as an exit status. If `SHRINK_BENCH_ASKED` names a file, appends a
/// letter to it for each query.
pub(crate) fn once(task: &Task) -> io::Result<ExitCode> {
    let Some(format) = parsed(task.format) else { return Ok(ExitCode::from(2)) };
    let mut input = Vec::new();
    io::stdin().lock().read_to_end(&mut input)?;
    let (answer, _) = answer(task, &format, &input);
    let (letter, status) = match answer {
        Answer::Invalid => (b'i', 1),
        Answer::Passes => (b'p', 1),
        Answer::Fails => (b'f', 0),
    };
    if let Some(log) = std::env::var_os("SHRINK_BENCH_ASKED") {
        fs::OpenOptions::new().append(true).open(log)?.write_all(&[letter])?;
    }
    Ok(ExitCode::from(status))
}

/// Writes the starts of a task, and a line with its results.
pub(crate) fn export(folder: &Path, task: &Task, starts: &[Value], results: &Results) -> io::Result<()> {
    let Some(format) = parsed(task.format) else { return Ok(()) };
    fs::create_dir_all(folder)?;
    let mut tasks = fs::OpenOptions::new().create(true).append(true).open(folder.join("tasks.tsv"))?;
    let number = fs::read_to_string(folder.join("tasks.tsv"))?.lines().count();
    for (i, start) in starts.iter().enumerate() {
        fs::write(folder.join(format!("{number:02}-{i:02}.in")), print_value(&format, start))?;
    }
    let minimum = read_input(&format, task.minimum.as_bytes()).ok();
    let measure = minimum.map(|value| Measure::of_value(&format, &value));
    let (elements, distance) = measure.map_or((0, 0), |m| (m.elements, m.distance));
    writeln!(
        tasks,
        "{number:02}\t{}\t{elements}\t{distance}\t{}\t{}\t{}\t{:.3}",
        task.name,
        results.reached,
        results.starts,
        results.asked.get(results.asked.len() / 2).copied().unwrap_or_default(),
        results.times.get(results.times.len() / 2).map_or(0.0, |t| t.as_secs_f64() * 1e3),
    )?;
    fs::write(folder.join("bench"), std::env::current_exe()?.to_string_lossy().as_bytes())
}
