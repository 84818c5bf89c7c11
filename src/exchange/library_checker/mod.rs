//! Problems of library-checker: a folder with `info.toml`, `gen/`, `sol/`, a checker and a verifier, and headers that all
//! problems share. Its tests are always made by a recipe.

mod info;

use super::flaw::{Flaw, shown};
use super::names::{file_name, plain, quoted, stem};
use super::sources::{self, Shelf};
use super::target::{Imported, Settings, Submissions};
use crate::corpus::Bundle;
use info::{Info, Param, Solution};
use std::borrow::Cow;
use std::fmt::Write as _;

/// The file that makes a folder such a problem.
pub(super) const FILE: &str = "info.toml";

/// The header of constants, made from the file.
const PARAMS: &str = "params.h";

/// The solution that answers are taken from.
const CORRECT: &str = "correct";

/// Makes a package of ours from such a problem.
pub(super) fn import(source: &Bundle, common: &Bundle, id: &str) -> Result<Imported, Flaw> {
    let text = std::str::from_utf8(source.get(FILE).unwrap_or_default());
    let info = info::read(text.map_err(|_| Flaw::at(FILE, "is not UTF-8"))?)?;
    let shelf = Files { source, common, params: params(&info)? };
    let mut made = Imported { title: info.title.clone(), needs_build: true, ..Imported::default() };
    let settings = Settings {
        titles: &[("en".to_owned(), info.title.clone())],
        types: &["pass-fail"],
        time_limit_ms: ((info.timelimit * 1000.0).round() as u64).max(1),
        memory_limit: None,
        source: Some(("library-checker", "https://judge.yosupo.jp")),
        identity: &["library-checker", id],
    };
    made.add("problem.yaml", settings.text())?;
    for (path, folder) in [(&info.checker, "output_validator"), (&info.verifier, "input_validators/verifier")] {
        sources::write(sources::whole(&shelf, FILE, path)?, folder, FILE, &mut made)?;
    }
    let reference = solutions(&shelf, &info, &mut made)?;
    let recipe = tests(&shelf, &info, &reference, &mut made)?;
    made.add("tests.toml", recipe)?;
    if let Some(task) = source.get("task.md") {
        made.add("statement/task.md", task)?;
        made.note("the statement is taken along as it is: its notation is library-checker's own");
    }
    Ok(made)
}

/// The problem's own files, those of all problems, and the header of constants.
struct Files<'s> {
    source: &'s Bundle,
    common: &'s Bundle,
    params: String,
}

impl Shelf for Files<'_> {
    fn source(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        if path == PARAMS {
            return Some(Cow::Borrowed(self.params.as_bytes()));
        }
        let common = || path.strip_prefix("common/").and_then(|path| self.common.get(path));
        self.source.get(path).or_else(common).map(Cow::Borrowed)
    }

    fn roots(&self) -> &[&str] {
        &["common"]
    }
}

/// The header of constants.
fn params(info: &Info) -> Result<String, Flaw> {
    let mut text = String::new();
    for (name, value) in &info.params {
        let is_name = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && !name.is_empty();
        if !is_name {
            return Err(Flaw::at(FILE, format!("`{}` is no name of a constant", shown(name))));
        }
        let _ = match value {
            Param::Whole(number) => writeln!(text, "#define {name} (long long){number}"),
            Param::Real(number) => writeln!(text, "#define {name} {number:?}"),
            Param::Text(words) => writeln!(text, "#define {name} {}", quoted(words)),
        };
    }
    Ok(text)
}

/// Writes the solutions; the result is the name of the one that answers are taken from.
fn solutions(shelf: &Files<'_>, info: &Info, made: &mut Imported) -> Result<String, Flaw> {
    let mut submissions = Submissions::default();
    let correct = ["cpp", "py"].map(|extension| format!("sol/{CORRECT}.{extension}"));
    let correct = correct.iter().find(|path| shelf.source.get(path).is_some());
    let correct = correct.ok_or_else(|| Flaw::new("the file `sol/correct.cpp` is missing"))?;
    let reference = submissions.add("accepted", file_name(correct), sources::whole(shelf, FILE, correct)?, made)?;
    submissions.say(&reference, &["model_solution: true".to_owned()]);
    for solution in info.solutions.iter().filter(|solution| stem(&solution.name) != CORRECT) {
        let (folder, lines) = expected(solution)?;
        let mut whole = sources::whole(shelf, FILE, &format!("sol/{}", solution.name))?;
        if solution.function {
            whole.extend(sources::whole(shelf, FILE, "grader/grader.cpp")?);
        }
        submissions.add(folder, &solution.name, whole, made)?;
        if !lines.is_empty() {
            submissions.say(folder, &lines);
        }
    }
    if let Some(text) = submissions.text() {
        made.add("submissions/submissions.yaml", text)?;
    }
    Ok(reference)
}

/// The folder that a solution belongs into, and what is to be said of a folder that not every judge knows.
fn expected(solution: &Solution) -> Result<(&'static str, Vec<String>), Flaw> {
    let special = |folder, verdicts: &str| Ok((folder, vec![format!("permitted: [{verdicts}]")]));
    match (solution.expect.as_deref(), solution.allow_tle, solution.allow_re, solution.wrong) {
        (Some("WA"), false, false, _) => Ok(("wrong_answer", Vec::new())),
        (Some("TLE"), _, false, _) => Ok(("time_limit_exceeded", Vec::new())),
        (Some("RE"), false, _, _) => Ok(("run_time_error", Vec::new())),
        (Some("WA" | "TLE" | "RE"), ..) | (None, _, _, true) => Ok(("rejected", Vec::new())),
        (None | Some("AC"), false, false, false) => Ok(("accepted", Vec::new())),
        (None | Some("AC"), true, false, false) => special("slow_or_accepted", "AC, TLE"),
        (None | Some("AC"), false, true, false) => special("crashing_or_accepted", "AC, RTE"),
        (None | Some("AC"), true, true, false) => special("slow_crashing_or_accepted", "AC, TLE, RTE"),
        (Some(other), ..) => Err(Flaw::at(FILE, format!("`expect` does not know `{}`", shown(other)))
            .with_help("it is `AC`, `WA`, `TLE` or `RE`")),
    }
}

/// Writes generators and files, and the recipe of the tests.
fn tests(shelf: &Files<'_>, info: &Info, reference: &str, made: &mut Imported) -> Result<String, Flaw> {
    let mut text = format!("reference = {}\n", quoted(reference));
    for tests in &info.tests {
        let is_generated = !tests.name.ends_with(".in");
        let stem = plain(stem(&tests.name));
        if is_generated {
            let path = format!("gen/{}", tests.name);
            sources::write(sources::whole(shelf, FILE, &path)?, "generators", FILE, made)?;
        }
        let group = if stem.starts_with("example") { "sample" } else { "secret" };
        for number in 0..tests.number {
            let name = format!("{stem}_{number:02}");
            let maker = if is_generated {
                format!("generator = {}", quoted(&format!("{stem} {number}")))
            } else {
                let path = format!("gen/{name}.in");
                let bytes = shelf.source.get(&path);
                let bytes = bytes.ok_or_else(|| Flaw::at(FILE, format!("the file `{}` is missing", shown(&path))))?;
                let target = format!("generators/manual/{name}.in");
                made.add(&target, bytes)?;
                format!("file = {}", quoted(&target))
            };
            let _ = write!(text, "\n[[test]]\ngroup = {}\nname = {}\n{maker}\n", quoted(group), quoted(&name));
            made.tests += 1;
        }
    }
    Ok(text)
}
