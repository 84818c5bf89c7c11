//! What older judges keep beside `problem.yaml`: `domjudge-problem.ini` and `.timelimit`. What `problem.yaml` says wins.

use super::log::{Log, shown};
use super::settings::{self, Settings};
use super::tree::Tree;
use crate::diagnostic::Result;

const INI: &str = "domjudge-problem.ini";
const TIME_LIMIT: &str = ".timelimit";

/// Adds what the files say, if they are there.
///
/// # Errors
/// If one cannot be read.
pub(super) fn read(tree: &Tree, settings: &mut Settings, log: &mut Log) -> Result<()> {
    if let Some(text) = tree.text(INI, log)? {
        ini(&text, settings, log);
    }
    if let Some(text) = tree.text(TIME_LIMIT, log)? {
        time_limit(TIME_LIMIT, text.trim(), settings, log);
    }
    Ok(())
}

fn time_limit(place: &str, text: &str, settings: &mut Settings, log: &mut Log) {
    let Some(seconds) = text.parse::<f64>().ok().filter(|s| (0.001..=1e6).contains(s)) else {
        log.error(place, format!("`{}` is not a sensible number of seconds", shown(text)));
        return;
    };
    let found = settings::milliseconds(seconds);
    match settings.limits.cpu_time_ms {
        None => settings.limits.cpu_time_ms = Some(found),
        Some(stated) if stated != found => {
            log.note(place, &format!("the time limit of {found} ms is not obeyed: `problem.yaml` says {stated} ms"));
        }
        Some(_) => {}
    }
}

/// Lines `key = value`; sections and comments are passed over.
fn ini(text: &str, settings: &mut Settings, log: &mut Log) {
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with([';', '#', '[']) {
            continue;
        }
        let place = format!("{INI}:{}", number + 1);
        let Some((key, value)) = line.split_once('=') else {
            log.error(place, "has no `=`");
            continue;
        };
        let value = unquoted(value.trim());
        match key.trim() {
            "name" if settings.titles.is_empty() => {
                settings.titles.insert("en".to_owned(), value.to_owned());
            }
            "timelimit" => time_limit(&place, value, settings, log),
            "special_compare_args" if settings.validator_flags.is_empty() => {
                settings.validator_flags = value.split_whitespace().map(str::to_owned).collect();
            }
            key @ ("special_run" | "special_compare") if !value.is_empty() => {
                log.note(&place, &format!("`{key}` names a program of a judge's and is not obeyed"));
            }
            // How a contest shows the problem is nothing for a judge of test cases.
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
            key => log.note(&place, &format!("the key `{}` is unknown", shown(key))),
        }
    }
}

/// The text inside quotes; without them, up to a comment.
fn unquoted(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some((inside, _)) = value.strip_prefix(quote).and_then(|rest| rest.split_once(quote)) {
            return inside;
        }
    }
    value.split(';').next().unwrap_or_default().trim()
}
