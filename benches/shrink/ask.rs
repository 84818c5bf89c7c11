//! The predicates of the tasks for other tools: what they are asked is what rebut is asked.
//!
//! `--export` writes the files that the search begins with and what came of them, `--serve` answers one question after
//! the other, `--predicate` a single one with its exit status. What the format does not allow fails for nobody.

use crate::{Results, Task, holds, parsed};
use rebut::format::Format;
use rebut::print::print;
use rebut::read::read;
use rebut::validate::violation;
use rebut::value::{Measure, Value};
use std::fs;
use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::process::ExitCode;

/// What a predicate says of an input.
enum Answer {
    Invalid,
    Passes,
    Fails,
}

/// The answer to an input, and the input's measure if it has one.
fn answer(task: &Task, format: &Format, input: &[u8]) -> (Answer, Option<Measure>) {
    let Ok(value) = read(format, input) else { return (Answer::Invalid, None) };
    if violation(format, &value).is_some() {
        return (Answer::Invalid, None);
    }
    let fails = holds(format, &value, task.fails);
    (if fails { Answer::Fails } else { Answer::Passes }, Some(Measure::of(format, &value)))
}

/// Answers questions until there are no more: the length of an input in a line, then its bytes; back come a word, the
/// elements and their distance from the simplest.
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

/// Whether the input at stdin fails, as an exit status. Where `SHRINK_BENCH_ASKED` names a file, a letter for each
/// question is added to it.
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

/// Writes the starts of a task, and a line about what came of them.
pub(crate) fn export(folder: &Path, task: &Task, starts: &[Value], results: &Results) -> io::Result<()> {
    let Some(format) = parsed(task.format) else { return Ok(()) };
    fs::create_dir_all(folder)?;
    let mut tasks = fs::OpenOptions::new().create(true).append(true).open(folder.join("tasks.tsv"))?;
    let number = fs::read_to_string(folder.join("tasks.tsv"))?.lines().count();
    for (i, start) in starts.iter().enumerate() {
        fs::write(folder.join(format!("{number:02}-{i:02}.in")), print(&format, start))?;
    }
    let minimum = read(&format, task.minimum.as_bytes()).ok();
    let measure = minimum.map(|value| Measure::of(&format, &value));
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
