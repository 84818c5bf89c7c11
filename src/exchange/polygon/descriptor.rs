//! What `problem.xml` says, as plain data.

use super::xml::{self, Element, numbered};
use crate::exchange::flaw::{Flaw, shown};

/// A problem of Polygon.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) short_name: String,
    pub(super) url: String,
    /// Titles by language, as Polygon names it.
    pub(super) titles: Vec<(String, String)>,
    pub(super) time_limit_ms: u64,
    pub(super) memory_bytes: u64,
    pub(super) tests: Vec<Test>,
    pub(super) groups: Vec<Group>,
    pub(super) checker: Option<Judge>,
    pub(super) validators: Vec<Judge>,
    pub(super) interactor: Option<Source>,
    pub(super) solutions: Vec<Solution>,
    /// Sources of programs that make tests, and of others.
    pub(super) executables: Vec<Source>,
    /// Stress runs, as the file describes them.
    pub(super) stresses: Vec<String>,
    /// What is read and not obeyed.
    pub(super) notes: Vec<String>,
}

/// A file that is named in a place.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) place: String,
    pub(super) path: String,
}

/// A test.
#[derive(Debug)]
pub(super) struct Test {
    pub(super) place: String,
    pub(super) input: String,
    pub(super) answer: String,
    /// The command that makes it; none if it is made by hand.
    pub(super) command: Option<String>,
    /// The file among several of its command's that it is.
    pub(super) from_file: Option<String>,
    pub(super) is_sample: bool,
    pub(super) group: Option<String>,
    pub(super) points: f64,
}

/// A group of tests.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) name: String,
    /// Whether each test has points of its own, not only the whole.
    pub(super) is_each_test: bool,
    pub(super) points: f64,
    /// The groups that have to be passed first.
    pub(super) requires: Vec<String>,
}

/// A checker or a validator, and what it is tried on.
#[derive(Debug)]
pub(super) struct Judge {
    pub(super) source: Source,
    pub(super) trials: Vec<Trial>,
}

/// What a checker or a validator has to say of some files.
#[derive(Debug)]
pub(super) struct Trial {
    pub(super) place: String,
    pub(super) input: String,
    /// Output and answer, for a checker.
    pub(super) output: Option<(String, String)>,
    pub(super) verdict: String,
}

/// A solution, with what is expected of it as a whole and in groups.
#[derive(Debug)]
pub(super) struct Solution {
    pub(super) source: Source,
    pub(super) tag: String,
    /// Groups, and the tag there.
    pub(super) extra: Vec<(String, String)>,
}

/// Reads the file.
pub(super) fn read(text: &str) -> Result<Problem, Flaw> {
    xml::read(text, problem)
}

fn problem(root: Element<'_>) -> Result<Problem, Flaw> {
    let mut notes = Vec::new();
    let set = test_set(root.child("judging")?, &mut notes)?;
    let assets = root.child("assets")?;
    let interactor = assets.find("interactor").map(source).transpose()?;
    let validators = assets.find("validators").into_iter().flat_map(|e| e.all("validator")).map(judge);
    let titles = root.find("names").into_iter().flat_map(|names| names.all("name"));
    let titles = titles.map(|name| Ok((name.attribute("language")?.to_owned(), name.attribute("value")?.to_owned())));
    let files = root.find("files");
    let executables = files.and_then(|f| f.find("executables")).into_iter().flat_map(|e| e.all("executable"));
    let stresses = root.path(&["stresses", "list"]).into_iter().flat_map(Element::children);
    Ok(Problem {
        short_name: root.get("short-name").unwrap_or_default().to_owned(),
        url: root.get("url").unwrap_or_default().to_owned(),
        titles: titles.collect::<Result<_, Flaw>>()?,
        time_limit_ms: set.child("time-limit")?.number()?,
        memory_bytes: set.child("memory-limit")?.number()?,
        tests: tests(set)?,
        groups: groups(set)?,
        checker: assets.find("checker").map(judge).transpose()?,
        validators: validators.collect::<Result<_, Flaw>>()?,
        interactor,
        solutions: solutions(assets)?,
        executables: executables.map(source).collect::<Result<_, Flaw>>()?,
        stresses: stresses
            .map(|stress| format!("{} {}", stress.attributes(), stress.text()).trim().to_owned())
            .collect(),
        notes,
    })
}

/// The set of tests that solutions are judged by.
fn test_set<'d>(judging: Element<'d>, notes: &mut Vec<String>) -> Result<Element<'d>, Flaw> {
    let sets: Vec<Element<'d>> = judging.all("testset").collect();
    let chosen = sets.iter().find(|set| set.get("name") == Some("tests")).or(sets.first()).copied();
    let chosen = chosen.ok_or_else(|| judging.flaw("there is no `<testset>`"))?;
    for other in sets.iter().filter(|set| set.place() != chosen.place()) {
        notes.push(format!("the set of tests `{}` is left out", shown(other.get("name").unwrap_or_default())));
    }
    if ["input-file", "output-file"].iter().any(|name| judging.get(name).is_some_and(|file| !file.is_empty())) {
        notes.push("solutions read and write files there, and the standard streams here".to_owned());
    }
    if judging.get("run-count").is_some_and(|count| count != "1") {
        notes.push("solutions are run several times there, and once here".to_owned());
    }
    Ok(chosen)
}

fn pattern(set: Element<'_>, name: &'static str, number: usize) -> Result<String, Flaw> {
    let pattern = set.child(name)?;
    numbered(pattern.text(), number)
        .ok_or_else(|| pattern.flaw(format!("`{}` is no pattern of paths in the package", shown(pattern.text()))))
}

fn tests(set: Element<'_>) -> Result<Vec<Test>, Flaw> {
    let mut tests = Vec::new();
    for (at, test) in set.child("tests")?.all("test").enumerate() {
        let command = match test.attribute("method")? {
            "manual" => None,
            "generated" => Some(test.attribute("cmd")?.trim().to_owned()),
            other => return Err(test.flaw(format!("the method `{}` is unknown", shown(other)))),
        };
        tests.push(Test {
            place: test.place(),
            input: pattern(set, "input-path-pattern", at + 1)?,
            answer: pattern(set, "answer-path-pattern", at + 1)?,
            command,
            from_file: test.get("from-file").map(str::to_owned),
            is_sample: test.get("sample") == Some("true"),
            group: test.get("group").filter(|group| !group.is_empty()).map(str::to_owned),
            points: points(test)?,
        });
    }
    if tests.is_empty() {
        return Err(set.flaw("there are no tests"));
    }
    Ok(tests)
}

fn points(element: Element<'_>) -> Result<f64, Flaw> {
    let Some(text) = element.get("points") else { return Ok(0.0) };
    let wrong = || element.flaw(format!("`points` should be a number from 0, and is `{}`", shown(text)));
    text.parse().ok().filter(|points: &f64| (0.0..1e9).contains(points)).ok_or_else(wrong)
}

fn groups(set: Element<'_>) -> Result<Vec<Group>, Flaw> {
    let groups = set.find("groups").into_iter().flat_map(|groups| groups.all("group"));
    let group = |group: Element<'_>| {
        Ok(Group {
            name: group.attribute("name")?.to_owned(),
            is_each_test: group.get("points-policy") == Some("each-test"),
            points: points(group)?,
            requires: dependencies(group)?,
        })
    };
    groups.map(group).collect()
}

fn dependencies(group: Element<'_>) -> Result<Vec<String>, Flaw> {
    let all = group.find("dependencies").into_iter().flat_map(|all| all.all("dependency"));
    all.map(|dependency| Ok(dependency.attribute("group")?.to_owned())).collect()
}

fn source(element: Element<'_>) -> Result<Source, Flaw> {
    let source = element.child("source")?;
    Ok(Source { place: source.place(), path: source.file("path")? })
}

fn judge(element: Element<'_>) -> Result<Judge, Flaw> {
    Ok(Judge { source: source(element)?, trials: element.find("testset").map_or_else(|| Ok(Vec::new()), trials)? })
}

fn trials(set: Element<'_>) -> Result<Vec<Trial>, Flaw> {
    let mut found = Vec::new();
    for (at, test) in set.find("tests").into_iter().flat_map(|tests| tests.all("test")).enumerate() {
        let output = match set.find("output-path-pattern") {
            Some(_) => {
                let output = pattern(set, "output-path-pattern", at + 1)?;
                Some((output, pattern(set, "answer-path-pattern", at + 1)?))
            }
            None => None,
        };
        found.push(Trial {
            place: test.place(),
            input: pattern(set, "input-path-pattern", at + 1)?,
            output,
            verdict: test.attribute("verdict")?.to_ascii_lowercase().replace('_', "-"),
        });
    }
    Ok(found)
}

fn solutions(assets: Element<'_>) -> Result<Vec<Solution>, Flaw> {
    let solutions = assets.find("solutions").into_iter().flat_map(|solutions| solutions.all("solution"));
    let solution = |solution: Element<'_>| {
        let extra = solution.find("extra-tags").into_iter().flat_map(|tags| tags.all("extra-tag"));
        let extra = extra.filter_map(|tag| Some((tag.get("group")?.to_owned(), tag.get("tag")?.to_owned())));
        let tag = solution.attribute("tag")?.to_owned();
        Ok(Solution { source: source(solution)?, tag, extra: extra.collect() })
    };
    solutions.map(solution).collect()
}
