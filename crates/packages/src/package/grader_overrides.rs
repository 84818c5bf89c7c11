//! Legacy grading settings of `problem.yaml`.

use super::yaml_tree::{YamlKey, YamlKind, YamlNode, YamlReader};

/// Legacy grading settings of `problem.yaml`, from before there were files for groups. They hold for all groups.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct GraderOverrides {
    pub(super) stops_on_reject: Option<bool>,
    pub(super) accept_score: Option<f64>,
    pub(super) reject_score: Option<f64>,
    pub(super) range: Option<(f64, f64)>,
}

/// Reads a legacy grading key of `problem.yaml`, from before there were files for groups. Returns true if it is one.
pub(super) fn read_grader_override(
    key: &YamlKey,
    value: &YamlNode,
    overrides: &mut GraderOverrides,
    reader: &mut YamlReader<'_>,
) -> bool {
    match (key.name.as_str(), &value.kind) {
        (_, YamlKind::Null) => {}
        ("accept_score", _) => overrides.accept_score = read_points("accept_score", value, reader),
        ("reject_score", _) => overrides.reject_score = read_points("reject_score", value, reader),
        ("range", _) => overrides.range = read_score_range(value, reader),
        ("on_reject", _) => {
            let choice = reader.read_choice("on_reject", value, &["first_error", "worst_error", "grade"]);
            overrides.stops_on_reject = match choice {
                Some("first_error") => Some(true),
                Some("grade") => Some(false),
                _ => None,
            };
        }
        _ => return false,
    }
    true
}

pub(super) fn read_points(key: &str, value: &YamlNode, reader: &mut YamlReader<'_>) -> Option<f64> {
    reader.read_number(key, value, -1e15, "a number of points")
}

/// Reads two numbers, the smaller first; either may be infinite.
pub(super) fn read_score_range(value: &YamlNode, reader: &mut YamlReader<'_>) -> Option<(f64, f64)> {
    let words = reader.read_words("range", value)?;
    let ends: Option<Vec<f64>> = words.iter().map(|word| word.parse().ok()).collect();
    match ends.as_deref() {
        Some([from, to]) if from <= to => Some((*from, *to)),
        _ => {
            let text = format!("`range` should be two numbers, the smaller first, and is {}", value.describe_value());
            reader.report_error(value.position, text);
            None
        }
    }
}
