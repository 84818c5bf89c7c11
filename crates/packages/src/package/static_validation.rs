//! Static validation: the checks of submissions' sources that test groups require.

use super::group_scoring::GroupScoring;
use super::model::StaticCase;
use super::package_log::PackageLog;
use super::problem_yaml::ProblemYaml;

/// Returns the checks in the order of the groups. Contradictions are errors in the 2025-09 format.
pub(super) fn read_static_cases(
    settings: &ProblemYaml,
    has_program: bool,
    group_scorings: &[GroupScoring],
    log: &mut PackageLog,
) -> Vec<StaticCase> {
    let mut report = |location: &str, text: &str| log.report_contradiction(settings.dialect, location, text);
    if has_program && settings.problem_type.submit_answer {
        report("static_validator", "validates programs, but submissions are outputs in this problem");
    }
    for group in group_scorings {
        let points = &group.point_settings;
        if points.static_arguments.is_some() && points.static_score.is_none() {
            report(&group.location, "has `static_validator_args` but no `static_validation_score`");
        }
        let gives = points.static_score.is_some() && !points.static_is_pass_fail;
        if gives && !settings.problem_type.scoring {
            report(&group.location, "gives points for static validation, but the problem is not a scoring problem");
        } else if gives && points.is_pass_fail(&group.group) {
            report(&group.location, "gives points for static validation, but is `pass-fail`");
        } else if points.static_is_pass_fail && settings.problem_type.scoring && !points.is_pass_fail(&group.group) {
            report(&group.location, "gives no points for static validation, but is not `pass-fail`");
        }
    }
    let requiring: Vec<&GroupScoring> =
        group_scorings.iter().filter(|group| group.point_settings.static_score.is_some()).collect();
    if let (Some(first), false) = (requiring.first(), has_program) {
        report(&first.location, "requires static validation, but there is no `static_validator`");
        return Vec::new();
    }
    let case = |group: &&GroupScoring| StaticCase {
        group: group.group.clone(),
        arguments: group.point_settings.static_arguments.clone().unwrap_or_default(),
    };
    requiring.iter().map(case).collect()
}
