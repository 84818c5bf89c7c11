//! Small pieces of grammar for messages.

/// Formats a count with its noun: `1 case`, `2 cases`. The noun is singular and must form its plural with `s`.
pub fn count_with_noun(count: usize, noun: &str) -> String {
    format!("{} {noun}{}", group_thousands(count as u128), if count == 1 { "" } else { "s" })
}

/// Formats a count with separators between groups of thousands: `12,480,211`.
pub fn group_thousands(count: u128) -> String {
    let digits = count.to_string();
    let mut grouped = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Joins items: `a`, `a or b`, `a, b or c`.
pub fn list_or<S: AsRef<str>>(items: &[S]) -> String {
    join_list(items, "or")
}

/// Joins items: `a`, `a and b`, `a, b and c`.
pub fn list_and<S: AsRef<str>>(items: &[S]) -> String {
    join_list(items, "and")
}

fn join_list<S: AsRef<str>>(items: &[S], joint: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [head @ .., last] => {
            let head: Vec<&str> = head.iter().map(AsRef::as_ref).collect();
            format!("{} {joint} {}", head.join(", "), last.as_ref())
        }
    }
}

/// Truncates text to at most `limit` characters with an ellipsis, and escapes control characters.
pub fn shorten_text(text: &[u8], limit: usize) -> String {
    let mut shown = String::new();
    for (i, letter) in String::from_utf8_lossy(text).chars().enumerate() {
        if i == limit {
            shown.push('…');
            break;
        }
        if letter.is_control() {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// Escapes the characters that begin or end elements, entities and attributes.
pub fn escape_markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns a duration in whole milliseconds.
pub fn to_millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_and_lists_are_worded() {
        assert_eq!(count_with_noun(1, "case"), "1 case");
        assert_eq!(count_with_noun(12_480_211, "case"), "12,480,211 cases");
        assert_eq!(list_or(&["a", "b", "c"]), "a, b or c");
        assert_eq!(shorten_text(b"ab\ncd", 4), "ab\\nc…");
    }
}
