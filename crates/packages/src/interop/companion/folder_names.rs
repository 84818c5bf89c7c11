//! Names of folders from names of problems and contests.

/// Maximum length of a name.
const MAX_NAME: usize = 60;

/// Names that Windows reserves for devices.
const RESERVED: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// Returns the first of these texts that has a letter or a digit, as a name of a folder: lower-case letters and digits
/// in ASCII, joined by `-`. `None` if there is no such text.
pub(super) fn folder_name_from(texts: &[&str]) -> Option<String> {
    texts.iter().map(|text| plain_name(text)).find(|name| !name.is_empty())
}

fn plain_name(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            name.push(c.to_ascii_lowercase());
        } else if !name.is_empty() && !name.ends_with('-') && c != '\'' {
            name.push('-');
        }
        if name.len() >= MAX_NAME {
            break;
        }
    }
    name.truncate(name.trim_end_matches('-').len());
    if RESERVED.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit())) {
        name.push_str("-problem");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain() {
        for (text, name) in [
            ("G. Castle Defense", "g-castle-defense"),
            ("../../.ssh/authorized_keys", "ssh-authorized-keys"),
            ("C:\\Windows\\con", "c-windows-con"),
            ("CON", "con-problem"),
            ("lpt1", "lpt1-problem"),
            ("Bob's  \u{202e}\u{7}sum!", "bobs-sum"),
            ("-rf", "rf"),
            ("A - 与え", "a"),
            ("与え", ""),
        ] {
            assert_eq!(plain_name(text), name);
        }
        assert_eq!(plain_name(&"ab ".repeat(99)).len(), 59);
        assert_eq!(folder_name_from(&["与え", "Ataeru"]).as_deref(), Some("ataeru"));
        assert_eq!(folder_name_from(&["..", ""]), None);
    }
}
