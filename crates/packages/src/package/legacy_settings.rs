//! Settings of older judges beside `problem.yaml`: `domjudge-problem.ini` and `.timelimit`. `problem.yaml` takes
//! precedence.

use super::package_log::{PackageLog, shorten_for_message};
use super::package_tree::PackageTree;
use super::problem_yaml::{self, ProblemYaml};
use rebut_diagnostics::Result;

const DOMJUDGE_INI_FILE: &str = "domjudge-problem.ini";
const TIME_LIMIT_FILE: &str = ".timelimit";

/// Applies these files, if they exist.
///
/// # Errors
///
/// Returns an error if one cannot be read.
pub(super) fn read_legacy_settings(tree: &PackageTree, settings: &mut ProblemYaml, log: &mut PackageLog) -> Result<()> {
    if let Some(text) = tree.read_text(DOMJUDGE_INI_FILE, log)? {
        read_domjudge_ini(&text, settings, log);
    }
    if let Some(text) = tree.read_text(TIME_LIMIT_FILE, log)? {
        apply_time_limit(TIME_LIMIT_FILE, text.trim(), settings, log);
    }
    Ok(())
}

fn apply_time_limit(location: &str, text: &str, settings: &mut ProblemYaml, log: &mut PackageLog) {
    let Some(seconds) = text.parse::<f64>().ok().filter(|s| (0.001..=1e6).contains(s)) else {
        log.report_error(location, format!("`{}` is not a sensible number of seconds", shorten_for_message(text)));
        return;
    };
    let found = problem_yaml::seconds_to_ms(seconds);
    match settings.limits.cpu_time_ms {
        None => settings.limits.cpu_time_ms = Some(found),
        Some(stated) if stated != found => {
            log.add_note(
                location,
                &format!("the time limit of {found} ms is ignored: `problem.yaml` sets {stated} ms"),
            );
        }
        Some(_) => {}
    }
}

/// Reads lines of the form `key = value`. Sections and comments are skipped.
fn read_domjudge_ini(text: &str, settings: &mut ProblemYaml, log: &mut PackageLog) {
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with([';', '#', '[']) {
            continue;
        }
        let location = format!("{DOMJUDGE_INI_FILE}:{}", number + 1);
        let Some((key, value)) = line.split_once('=') else {
            log.report_error(location, "has no `=`");
            continue;
        };
        let value = unquote_ini_value(value.trim());
        match key.trim() {
            "name" if settings.titles.is_empty() => {
                settings.titles.insert("en".to_owned(), value.to_owned());
            }
            "timelimit" => apply_time_limit(&location, value, settings, log),
            "special_compare_args" if settings.validator_flags.is_empty() => {
                settings.validator_flags = value.split_whitespace().map(str::to_owned).collect();
            }
            key @ ("special_run" | "special_compare") if !value.is_empty() => {
                log.add_note(&location, &format!("`{key}` names a program of a judge and is ignored"));
            }
            // How a contest shows the problem is irrelevant here.
            "name"
            | "special_compare_args"
            | "special_run"
            | "special_compare"
            | "externalid"
            | "probid"
            | "allow_submit"
            | "allow_judge"
            | "points"
            | "color"
            | "short-name" => {}
            key => log.add_note(&location, &format!("the key `{}` is unknown", shorten_for_message(key))),
        }
    }
}

/// Returns the text inside quotes; without quotes, the text up to a comment.
fn unquote_ini_value(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some((inside, _)) = value.strip_prefix(quote).and_then(|rest| rest.split_once(quote)) {
            return inside;
        }
    }
    value.split(';').next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_unquoted_or_end_at_a_comment() {
        assert_eq!(unquote_ini_value("'a; b' ; c"), "a; b");
        assert_eq!(unquote_ini_value("\"it's\""), "it's");
        assert_eq!(unquote_ini_value("2.5 ; seconds"), "2.5");
        assert_eq!(unquote_ini_value(""), "");
    }
}
