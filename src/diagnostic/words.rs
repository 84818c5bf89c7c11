//! Small pieces of grammar, so that messages read well for one and for many.

/// `1 case`, `2 cases`: the noun is given in the singular and takes an `s`.
pub fn numbered(count: usize, noun: &str) -> String {
    format!("{} {noun}{}", counted(count as u128), if count == 1 { "" } else { "s" })
}

/// A count with its thousands set apart: `12,480,211`.
pub fn counted(count: u128) -> String {
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

/// `a`, `a or b`, `a, b or c`.
pub fn list_or<S: AsRef<str>>(items: &[S]) -> String {
    listed(items, "or")
}

/// `a`, `a and b`, `a, b and c`.
pub fn list_and<S: AsRef<str>>(items: &[S]) -> String {
    listed(items, "and")
}

fn listed<S: AsRef<str>>(items: &[S], joint: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [head @ .., last] => {
            let head: Vec<&str> = head.iter().map(AsRef::as_ref).collect();
            format!("{} {joint} {}", head.join(", "), last.as_ref())
        }
    }
}

/// Text cut to at most `limit` characters, the cut marked by an ellipsis, control characters escaped.
pub fn shorten(text: &[u8], limit: usize) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grammar() {
        assert_eq!(numbered(1, "case"), "1 case");
        assert_eq!(numbered(12_480_211, "case"), "12,480,211 cases");
        assert_eq!(list_or(&["a", "b", "c"]), "a, b or c");
        assert_eq!(shorten(b"ab\ncd", 4), "ab\\nc…");
    }
}
