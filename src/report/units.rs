//! Formats quantities with units.

use rebut_diagnostics::{count_with_noun, group_thousands};
use rebut_engine::event::EnumerationSummary;
use rebut_packages::score::GroupScore;

/// `84 ms`, `0.8 s`, `60.0 s`, `3 min 5 s`, `2 h 14 min`.
pub(crate) fn format_duration(ms: u64) -> String {
    let seconds = ms / 1000;
    match ms {
        0..100 => format!("{ms} ms"),
        100..120_000 => format!("{}.{} s", seconds, ms % 1000 / 100),
        120_000..3_600_000 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// `20 of 100 points`, `7 points`, `no points`.
pub(crate) fn format_points(mark: &GroupScore) -> String {
    match (mark.score, mark.best) {
        (Some(score), Some(best)) => format!("{score} of {best} points"),
        (Some(1.0), None) => "1 point".to_owned(),
        (Some(score), None) => format!("{score} points"),
        (None, _) => "no points".to_owned(),
    }
}

/// `00:17`, `1:02:03`.
pub(crate) fn format_clock(ms: u64) -> String {
    let (hours, minutes, seconds) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
    if hours == 0 { format!("{minutes:02}:{seconds:02}") } else { format!("{hours}:{minutes:02}:{seconds:02}") }
}

/// `0.4 /s`, `57 /s`, `9.3 k/s`, `731 k/s`, `1.2 M/s`.
pub(crate) fn format_rate(count: u64, ms: u64) -> String {
    let tenths = u128::from(count) * 10_000 / u128::from(ms.max(1));
    let shown = |tenths: u128| match tenths {
        0..100 => format!("{}.{}", tenths / 10, tenths % 10),
        _ => (tenths / 10).to_string(),
    };
    match tenths {
        0..10_000 => format!("{} /s", shown(tenths)),
        10_000..10_000_000 => format!("{} k/s", shown(tenths / 1000)),
        _ => format!("{} M/s", shown(tenths / 1_000_000)),
    }
}

/// `0 bytes`, `1 byte`, `812 KiB`, `12.3 MiB`.
pub(crate) fn format_bytes(count: u64) -> String {
    const UNITS: [&str; 3] = ["KiB", "MiB", "GiB"];
    if count < 1024 {
        return format!("{count} byte{}", if count == 1 { "" } else { "s" });
    }
    let mut unit = 0;
    let mut scale: u64 = 1024;
    while unit + 1 < UNITS.len() && count / scale >= 1024 {
        unit += 1;
        scale *= 1024;
    }
    let tenths = u128::from(count) * 10 / u128::from(scale);
    match tenths {
        0..100 => format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit]),
        _ => format!("{} {}", tenths / 10, UNITS[unit]),
    }
}

/// `61%`. A small nonzero share is `<1%`, and one just below the total is `99%`.
pub(crate) fn format_share(part: u64, total: u64) -> String {
    let percent = (u128::from(part) * 200 + u128::from(total)) / (u128::from(total.max(1)) * 2);
    match percent {
        0 if part > 0 => "<1%".to_owned(),
        100.. if part < total => "99%".to_owned(),
        _ => format!("{percent}%"),
    }
}

/// Formats an amount of work with three digits: `4.31e9`.
pub(crate) fn format_work(work: f64) -> String {
    if work < 1e6 { group_thousands(work as u128) } else { format!("{work:.2e}") }
}

/// Formats a ratio with two significant digits, or as a whole number.
pub(crate) fn format_ratio(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.1}") } else { group_thousands(ratio as u128) }
}

/// `all 41,616 inputs with at most 5 elements`, `the first 10 inputs`.
pub(crate) fn describe_inputs(enumerated: &EnumerationSummary) -> String {
    let number = enumerated.inputs.map_or_else(|| format!("more than {}", group_thousands(u128::MAX)), group_thousands);
    let one = enumerated.inputs == Some(1);
    let which = match (enumerated.inputs, enumerated.complete) {
        (None, _) => "",
        (Some(0), true) => "no ",
        (Some(1), true) => "the only ",
        (Some(_), true) => "all ",
        (Some(_), false) => "the first ",
    };
    let number = if which == "no " || one { String::new() } else { format!("{number} ") };
    let elements = |most: usize| format!(" with at most {}", count_with_noun(most, "element"));
    let size = enumerated.max_elements.map(elements).unwrap_or_default();
    format!("{which}{number}input{}{size}", if one { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_counts_are_worded() {
        let words = |inputs, max_elements, complete| {
            super::describe_inputs(&EnumerationSummary { inputs, max_elements, complete, counted: true })
        };
        assert_eq!(words(Some(41_616), Some(5), true), "all 41,616 inputs with at most 5 elements");
        assert_eq!(words(Some(1), Some(1), true), "the only input with at most 1 element");
        assert_eq!(words(Some(0), Some(2), true), "no inputs with at most 2 elements");
        assert_eq!(words(Some(10), None, false), "the first 10 inputs");
        assert!(words(None, None, true).starts_with("more than 340,282,"));
    }

    #[test]
    fn durations_are_formatted_by_magnitude() {
        let shown = [0, 84, 100, 849, 60_000, 119_999, 185_000, 8_040_000].map(format_duration);
        assert_eq!(shown, ["0 ms", "84 ms", "0.1 s", "0.8 s", "60.0 s", "119.9 s", "3 min 5 s", "2 h 14 min"]);
        assert_eq!([17_900, 3_723_000].map(format_clock), ["00:17", "1:02:03"]);
    }

    #[test]
    fn rates_are_formatted_by_magnitude() {
        let shown = [(4, 10_000), (57, 1000), (9_300, 1000), (12_427_000, 17_000), (1_200_000, 1000), (5, 0)];
        assert_eq!(
            shown.map(|(n, ms)| format_rate(n, ms)),
            ["0.4 /s", "57 /s", "9.3 k/s", "731 k/s", "1.2 M/s", "5.0 k/s"]
        );
        assert_eq!(format_rate(u64::MAX, 1), "18446744073709551 M/s");
    }

    #[test]
    fn sizes_are_formatted_by_magnitude() {
        let shown = [0, 1, 1023, 1024, 812 << 10, 12_900_000, 3 << 40].map(format_bytes);
        assert_eq!(shown, ["0 bytes", "1 byte", "1023 bytes", "1.0 KiB", "812 KiB", "12 MiB", "3072 GiB"]);
    }

    #[test]
    fn shares_are_never_rounded_to_none_or_all() {
        let shown =
            [(0, 0), (1, 1000), (614, 1000), (999, 1000), (7, 7)].map(|(part, total)| format_share(part, total));
        assert_eq!(shown, ["0%", "<1%", "61%", "99%", "100%"]);
    }
}
