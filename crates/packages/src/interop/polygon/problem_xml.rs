//! `problem.xml` as plain data.

use super::PROBLEM_XML_FILE;
use crate::interop::imported_package::{InteropError, shorten_for_message};
use roxmltree::{Document, Node};

#[derive(Debug)]
pub(super) struct PolygonProblem {
    pub(super) short_name: String,
    pub(super) url: String,
    /// Titles by Polygon's names of languages.
    pub(super) titles: Vec<(String, String)>,
    pub(super) time_limit_ms: u64,
    pub(super) memory_bytes: u64,
    pub(super) tests: Vec<PolygonTest>,
    pub(super) groups: Vec<PolygonGroup>,
    pub(super) checker: Option<PolygonJudge>,
    pub(super) validators: Vec<PolygonJudge>,
    pub(super) interactor: Option<PolygonSource>,
    pub(super) solutions: Vec<PolygonSolution>,
    /// Sources of generators and other programs.
    pub(super) executables: Vec<PolygonSource>,
    /// Stress tests, as text.
    pub(super) stresses: Vec<String>,
    /// Notes on settings that are ignored.
    pub(super) notes: Vec<String>,
}

/// A file, with the location that refers to it.
#[derive(Clone, Debug)]
pub(super) struct PolygonSource {
    pub(super) location: String,
    pub(super) path: String,
}

#[derive(Debug)]
pub(super) struct PolygonTest {
    pub(super) location: String,
    pub(super) input: String,
    pub(super) answer: String,
    /// Command that generates it; `None` for a manual test.
    pub(super) command: Option<String>,
    /// The file to use if the command writes several.
    pub(super) from_file: Option<String>,
    pub(super) is_sample: bool,
    pub(super) group: Option<String>,
    pub(super) points: f64,
}

/// A group of tests.
#[derive(Debug)]
pub(super) struct PolygonGroup {
    pub(super) name: String,
    /// Whether points are given for each test, not only for the complete group.
    pub(super) is_each_test: bool,
    pub(super) points: f64,
    /// Groups that must be passed first.
    pub(super) requires: Vec<String>,
}

/// A checker or validator with its tests.
#[derive(Debug)]
pub(super) struct PolygonJudge {
    pub(super) source: PolygonSource,
    pub(super) tests: Vec<PolygonJudgeTest>,
}

/// A test of a checker or validator, with the expected verdict.
#[derive(Debug)]
pub(super) struct PolygonJudgeTest {
    pub(super) location: String,
    pub(super) input: String,
    /// Output and answer, if a checker is tested.
    pub(super) output: Option<(String, String)>,
    pub(super) verdict: String,
    /// The group that the input belongs to.
    pub(super) group: Option<String>,
}

/// A solution with its expectations, overall and in groups.
#[derive(Debug)]
pub(super) struct PolygonSolution {
    pub(super) source: PolygonSource,
    pub(super) tag: String,
    /// Groups with the tag in each.
    pub(super) group_tags: Vec<(String, String)>,
}

/// Parses the file.
pub(super) fn parse_problem_xml(text: &str) -> Result<PolygonProblem, InteropError> {
    parse_xml(text, read_problem)
}

fn read_problem(root: XmlElement<'_>) -> Result<PolygonProblem, InteropError> {
    let mut notes = Vec::new();
    let set = read_test_set(root.required_child("judging")?, &mut notes)?;
    let assets = root.required_child("assets")?;
    let interactor = assets.first_child("interactor").map(read_source).transpose()?;
    let validators =
        assets.first_child("validators").into_iter().flat_map(|e| e.children_named("validator")).map(read_judge);
    let titles = root.first_child("names").into_iter().flat_map(|names| names.children_named("name"));
    let titles = titles.map(|name| {
        Ok((name.required_attribute("language")?.to_owned(), name.required_attribute("value")?.to_owned()))
    });
    let files = root.first_child("files");
    let executables =
        files.and_then(|f| f.first_child("executables")).into_iter().flat_map(|e| e.children_named("executable"));
    let stresses = root.descendant_at(&["stresses", "list"]).into_iter().flat_map(XmlElement::child_elements);
    Ok(PolygonProblem {
        short_name: root.optional_attribute("short-name").unwrap_or_default().to_owned(),
        url: root.optional_attribute("url").unwrap_or_default().to_owned(),
        titles: titles.collect::<Result<_, InteropError>>()?,
        time_limit_ms: set.required_child("time-limit")?.positive_integer()?,
        memory_bytes: set.required_child("memory-limit")?.positive_integer()?,
        tests: read_tests(set)?,
        groups: read_groups(set)?,
        checker: assets.first_child("checker").map(read_judge).transpose()?,
        validators: validators.collect::<Result<_, InteropError>>()?,
        interactor,
        solutions: read_solutions(assets)?,
        executables: executables.map(read_source).collect::<Result<_, InteropError>>()?,
        stresses: stresses
            .map(|stress| format!("{} {}", stress.attribute_list(), stress.text_content()).trim().to_owned())
            .collect(),
        notes,
    })
}

fn read_test_set<'d>(judging: XmlElement<'d>, notes: &mut Vec<String>) -> Result<XmlElement<'d>, InteropError> {
    let sets: Vec<XmlElement<'d>> = judging.children_named("testset").collect();
    let chosen = sets.iter().find(|set| set.optional_attribute("name") == Some("tests")).or(sets.first()).copied();
    let chosen = chosen.ok_or_else(|| judging.error_here("there is no `<testset>`"))?;
    for other in sets.iter().filter(|set| set.location() != chosen.location()) {
        notes.push(format!(
            "the test set `{}` is left out",
            shorten_for_message(other.optional_attribute("name").unwrap_or_default())
        ));
    }
    if ["input-file", "output-file"]
        .iter()
        .any(|name| judging.optional_attribute(name).is_some_and(|file| !file.is_empty()))
    {
        notes.push("solutions read and write files in Polygon, but use standard input and output here".to_owned());
    }
    if judging.optional_attribute("run-count").is_some_and(|count| count != "1") {
        notes.push("solutions are run several times in Polygon, but once here".to_owned());
    }
    Ok(chosen)
}

fn path_from_pattern(set: XmlElement<'_>, name: &'static str, number: usize) -> Result<String, InteropError> {
    let pattern = set.required_child(name)?;
    expand_path_pattern(pattern.text_content(), number).ok_or_else(|| {
        pattern.error_here(format!(
            "`{}` is not a pattern of paths in the package",
            shorten_for_message(pattern.text_content())
        ))
    })
}

fn read_tests(set: XmlElement<'_>) -> Result<Vec<PolygonTest>, InteropError> {
    let mut tests = Vec::new();
    for (at, test) in set.required_child("tests")?.children_named("test").enumerate() {
        let command = match test.required_attribute("method")? {
            "manual" => None,
            "generated" => Some(test.required_attribute("cmd")?.trim().to_owned()),
            other => return Err(test.error_here(format!("the method `{}` is unknown", shorten_for_message(other)))),
        };
        tests.push(PolygonTest {
            location: test.location(),
            input: path_from_pattern(set, "input-path-pattern", at + 1)?,
            answer: path_from_pattern(set, "answer-path-pattern", at + 1)?,
            command,
            from_file: test.optional_attribute("from-file").map(str::to_owned),
            is_sample: test.optional_attribute("sample") == Some("true"),
            group: test.optional_attribute("group").filter(|group| !group.is_empty()).map(str::to_owned),
            points: read_points(test)?,
        });
    }
    if tests.is_empty() {
        return Err(set.error_here("there are no tests"));
    }
    Ok(tests)
}

fn read_points(element: XmlElement<'_>) -> Result<f64, InteropError> {
    let Some(text) = element.optional_attribute("points") else { return Ok(0.0) };
    let invalid =
        || element.error_here(format!("`points` must be a number of at least 0, not `{}`", shorten_for_message(text)));
    text.parse().ok().filter(|points: &f64| (0.0..1e9).contains(points)).ok_or_else(invalid)
}

fn read_groups(set: XmlElement<'_>) -> Result<Vec<PolygonGroup>, InteropError> {
    let groups = set.first_child("groups").into_iter().flat_map(|groups| groups.children_named("group"));
    let group = |group: XmlElement<'_>| {
        Ok(PolygonGroup {
            name: group.required_attribute("name")?.to_owned(),
            is_each_test: group.optional_attribute("points-policy") == Some("each-test"),
            points: read_points(group)?,
            requires: read_dependencies(group)?,
        })
    };
    groups.map(group).collect()
}

fn read_dependencies(group: XmlElement<'_>) -> Result<Vec<String>, InteropError> {
    let all = group.first_child("dependencies").into_iter().flat_map(|all| all.children_named("dependency"));
    all.map(|dependency| Ok(dependency.required_attribute("group")?.to_owned())).collect()
}

fn read_source(element: XmlElement<'_>) -> Result<PolygonSource, InteropError> {
    let source = element.required_child("source")?;
    Ok(PolygonSource { location: source.location(), path: source.path_attribute("path")? })
}

fn read_judge(element: XmlElement<'_>) -> Result<PolygonJudge, InteropError> {
    Ok(PolygonJudge {
        source: read_source(element)?,
        tests: element.first_child("testset").map_or_else(|| Ok(Vec::new()), read_judge_tests)?,
    })
}

fn read_judge_tests(set: XmlElement<'_>) -> Result<Vec<PolygonJudgeTest>, InteropError> {
    let mut found = Vec::new();
    for (at, test) in set.first_child("tests").into_iter().flat_map(|tests| tests.children_named("test")).enumerate() {
        let output = match set.first_child("output-path-pattern") {
            Some(_) => {
                let output = path_from_pattern(set, "output-path-pattern", at + 1)?;
                Some((output, path_from_pattern(set, "answer-path-pattern", at + 1)?))
            }
            None => None,
        };
        found.push(PolygonJudgeTest {
            location: test.location(),
            input: path_from_pattern(set, "input-path-pattern", at + 1)?,
            output,
            verdict: test.required_attribute("verdict")?.to_ascii_lowercase().replace('_', "-"),
            group: test.optional_attribute("group").map(str::to_owned),
        });
    }
    Ok(found)
}

fn read_solutions(assets: XmlElement<'_>) -> Result<Vec<PolygonSolution>, InteropError> {
    let solutions =
        assets.first_child("solutions").into_iter().flat_map(|solutions| solutions.children_named("solution"));
    let solution = |solution: XmlElement<'_>| {
        let extra = solution.first_child("extra-tags").into_iter().flat_map(|tags| tags.children_named("extra-tag"));
        let extra = extra.filter_map(|tag| {
            Some((tag.optional_attribute("group")?.to_owned(), tag.optional_attribute("tag")?.to_owned()))
        });
        let tag = solution.required_attribute("tag")?.to_owned();
        Ok(PolygonSolution { source: read_source(solution)?, tag, group_tags: extra.collect() })
    };
    solutions.map(solution).collect()
}

// Typed access to `problem.xml`. Missing or invalid elements are reported with their position.

/// An element of the document.
#[derive(Clone, Copy)]
pub(super) struct XmlElement<'d> {
    node: Node<'d, 'd>,
}

/// Parses the text and calls `reader` with the root element.
pub(super) fn parse_xml<T>(
    text: &str,
    reader: impl FnOnce(XmlElement<'_>) -> Result<T, InteropError>,
) -> Result<T, InteropError> {
    let document = Document::parse(text).map_err(|e| {
        let at = e.pos();
        let message = e.to_string();
        let message = message.split(" at ").next().unwrap_or_default();
        InteropError::at_location(
            format!("{PROBLEM_XML_FILE}:{}:{}", at.row, at.col),
            format!("is not valid XML: {}", shorten_for_message(message)),
        )
    })?;
    let node = document.root_element();
    let root = XmlElement { node };
    if !node.has_tag_name("problem") {
        return Err(
            root.error_here(format!("expected `<problem>`, found `<{}>`", shorten_for_message(node.tag_name().name())))
        );
    }
    reader(root)
}

impl<'d> XmlElement<'d> {
    /// Returns the file name, line and column.
    pub(super) fn location(self) -> String {
        let at = self.node.document().text_pos_at(self.node.range().start);
        format!("{PROBLEM_XML_FILE}:{}:{}", at.row, at.col)
    }

    pub(super) fn error_here(self, text: impl Into<String>) -> InteropError {
        InteropError::at_location(self.location(), text)
    }

    /// Iterates over the children with this name.
    pub(super) fn children_named(self, name: &'static str) -> impl Iterator<Item = XmlElement<'d>> {
        self.node.children().filter(move |node| node.has_tag_name(name)).map(|node| XmlElement { node })
    }

    /// Iterates over all child elements.
    pub(super) fn child_elements(self) -> impl Iterator<Item = XmlElement<'d>> {
        self.node.children().filter(|node| node.is_element()).map(|node| XmlElement { node })
    }

    pub(super) fn first_child(self, name: &'static str) -> Option<XmlElement<'d>> {
        self.children_named(name).next()
    }

    /// Returns the first descendant at this path of names.
    pub(super) fn descendant_at(self, names: &[&'static str]) -> Option<XmlElement<'d>> {
        names.iter().try_fold(self, |at, name| at.first_child(name))
    }

    pub(super) fn required_child(self, name: &'static str) -> Result<XmlElement<'d>, InteropError> {
        self.first_child(name)
            .ok_or_else(|| self.error_here(format!("`<{}>` has no `<{name}>`", self.node.tag_name().name())))
    }

    /// Returns an attribute, if it exists.
    pub(super) fn optional_attribute(self, name: &str) -> Option<&'d str> {
        self.node.attribute(name)
    }

    pub(super) fn required_attribute(self, name: &str) -> Result<&'d str, InteropError> {
        self.optional_attribute(name)
            .ok_or_else(|| self.error_here(format!("`<{}>` has no attribute `{name}`", self.node.tag_name().name())))
    }

    pub(super) fn path_attribute(self, name: &str) -> Result<String, InteropError> {
        let path = self.required_attribute(name)?.replace('\\', "/");
        crate::check_relative_path(&path)
            .map_err(|problem| self.error_here(format!("`{}`: {problem}", shorten_for_message(&path))))?;
        Ok(path)
    }

    pub(super) fn text_content(self) -> &'d str {
        self.node.text().unwrap_or_default().trim()
    }

    /// Returns the text as a positive whole number.
    pub(super) fn positive_integer(self) -> Result<u64, InteropError> {
        let invalid = || {
            self.error_here(format!(
                "expected a positive whole number, found `{}`",
                shorten_for_message(self.text_content())
            ))
        };
        self.text_content().parse().ok().filter(|n| (1..1_u64 << 50).contains(n)).ok_or_else(invalid)
    }

    /// Formats all attributes as `name=value`.
    pub(super) fn attribute_list(self) -> String {
        let all: Vec<String> = self.node.attributes().map(|a| format!("{}={}", a.name(), a.value())).collect();
        all.join(" ")
    }
}

/// Expands a pattern such as `tests/%02d.a` for a number.
pub(super) fn expand_path_pattern(pattern: &str, number: usize) -> Option<String> {
    let (before, rest) = pattern.split_once('%')?;
    let (width, after) = rest.split_once('d')?;
    if after.contains('%') || width.len() > 3 || !width.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let digits: usize = width.parse().unwrap_or(0);
    let path = match width.starts_with('0') {
        true => format!("{before}{number:0digits$}{after}"),
        false => format!("{before}{number:digits$}{after}"),
    };
    Some(path).filter(|path| crate::check_relative_path(path).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_patterns_are_expanded() {
        for (pattern, expected) in [
            ("tests/%02d", Some("tests/07")),
            ("t%d.a", Some("t7.a")),
            ("%03d", Some("007")),
            ("tests/", None),
            ("%s", None),
            ("%d%d", None),
            ("../%d", None),
            ("%0999999d", None),
        ] {
            assert_eq!(expand_path_pattern(pattern, 7).as_deref(), expected, "{pattern}");
        }
    }
}
