//! Solutions, by their tags. A tag holds for each test, as expectations of ours do.

use super::Package;
use super::descriptor::{Problem, Solution};
use crate::exchange::flaw::{Flaw, shown};
use crate::exchange::names::file_name;
use crate::exchange::sources;
use crate::exchange::target::{Imported, Submissions};
use std::collections::BTreeMap;

/// A tag: the folder of submissions that says the same, and what is permitted and required on each test case.
struct Tag {
    name: &'static str,
    folder: &'static str,
    permitted: &'static str,
    required: &'static str,
    /// Whether the folder is none that every judge knows.
    is_special: bool,
}

const fn tag(name: &'static str, folder: &'static str, permitted: &'static str, required: &'static str) -> Tag {
    Tag { name, folder, permitted, required, is_special: false }
}

/// All tags but `do-not-run`.
const TAGS: [Tag; 10] = [
    tag("main", "accepted", "AC", ""),
    tag("accepted", "accepted", "AC", ""),
    tag("rejected", "rejected", "AC, WA, TLE, RTE", "WA, TLE, RTE"),
    tag("wrong-answer", "wrong_answer", "AC, WA", "WA"),
    tag("presentation-error", "wrong_answer", "AC, WA", "WA"),
    tag("time-limit-exceeded", "time_limit_exceeded", "AC, TLE", "TLE"),
    tag("memory-limit-exceeded", "run_time_error", "AC, RTE", "RTE"),
    tag("failed", "run_time_error", "AC, RTE", "RTE"),
    tag("time-limit-exceeded-or-memory-limit-exceeded", "brute_force", "AC, TLE, RTE", "TLE, RTE"),
    Tag { is_special: true, ..tag("time-limit-exceeded-or-accepted", "slow_or_accepted", "AC, TLE", "") },
];

fn known(name: &str, solution: &Solution) -> Result<&'static Tag, Flaw> {
    let found = TAGS.iter().find(|tag| tag.name == name);
    found.ok_or_else(|| {
        let flaw = Flaw::at(&solution.source.place, format!("the tag `{}` is unknown", shown(name)));
        match crate::diagnostic::nearest(name, TAGS.iter().map(|tag| tag.name)) {
            Some(near) => flaw.with_help(format!("did you mean `{near}`?")),
            None => flaw,
        }
    })
}

/// Writes them, and what folders cannot say.
pub(super) fn write(
    package: &Package<'_>,
    problem: &Problem,
    folders: &BTreeMap<String, String>,
    made: &mut Imported,
) -> Result<(), Flaw> {
    let mut submissions = Submissions::default();
    // The model solution keeps its name, for the recipe asks for it.
    let mut ordered: Vec<&Solution> = problem.solutions.iter().collect();
    ordered.sort_by_key(|solution| solution.tag != "main");
    for solution in ordered {
        let file = file_name(&solution.source.path);
        if solution.tag == "do-not-run" {
            made.note(format!("`{}` is left out: it is tagged `do-not-run`", shown(file)));
            continue;
        }
        let tag = known(&solution.tag, solution)?;
        let whole = sources::whole(package, &solution.source.place, &solution.source.path)?;
        let name = submissions.add(tag.folder, file, whole, made)?;
        if tag.is_special {
            submissions.say(tag.folder, &expected(tag));
        }
        if tag.name == "main" {
            submissions.say(&name, &["model_solution: true".to_owned()]);
        }
        for (group, there) in &solution.extra {
            let Some(folder) = folders.get(group) else { continue };
            let lines = expected(known(there, solution)?);
            submissions.say(&name, &[format!("secret/{folder}: {{{}}}", lines.join(", "))]);
        }
    }
    match submissions.text() {
        Some(text) => made.add("submissions/submissions.yaml", text),
        None => Ok(()),
    }
}

/// What a tag expects of each test case, in YAML.
fn expected(tag: &Tag) -> Vec<String> {
    let mut lines = vec![format!("permitted: [{}]", tag.permitted)];
    if !tag.required.is_empty() {
        lines.push(format!("required: [{}]", tag.required));
    }
    lines
}
