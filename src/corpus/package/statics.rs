//! What groups ask of the static validator, the program that judges sources.

use super::grading::Marking;
use super::log::Log;
use super::model::StaticCase;
use super::settings::Settings;

/// The questions, in the order of the groups; what contradicts itself is a mistake in the newest version.
pub(super) fn read(settings: &Settings, has_program: bool, markings: &[Marking], log: &mut Log) -> Vec<StaticCase> {
    let mut tell = |place: &str, text: &str| log.contradiction(settings.dialect, place, text);
    if has_program && settings.judging.submit_answer {
        tell("static_validator", "judges programs, and a submission is an answer");
    }
    for marking in markings {
        let points = &marking.points;
        if points.static_arguments.is_some() && points.of_static.is_none() {
            tell(&marking.place, "has `static_validator_args`, and no `static_validation_score`");
        }
        let gives = points.of_static.is_some() && !points.static_is_pass_fail;
        if gives && !settings.judging.scoring {
            tell(&marking.place, "has points for the static validator, and the problem has none");
        } else if gives && points.is_pass_fail(&marking.group) {
            tell(&marking.place, "has points for the static validator, and is `pass-fail`");
        } else if points.static_is_pass_fail && settings.judging.scoring && !points.is_pass_fail(&marking.group) {
            tell(&marking.place, "has no points for the static validator, and is not `pass-fail`");
        }
    }
    let asking: Vec<&Marking> = markings.iter().filter(|marking| marking.points.of_static.is_some()).collect();
    if let (Some(first), false) = (asking.first(), has_program) {
        tell(&first.place, "asks the static validator, and there is none");
        return Vec::new();
    }
    let case = |marking: &&Marking| StaticCase {
        group: marking.group.clone(),
        arguments: marking.points.static_arguments.clone().unwrap_or_default(),
    };
    asking.iter().map(case).collect()
}
