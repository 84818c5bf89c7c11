//! JSON output without characters that could deceive a reader.

use serde::Serialize;

/// Serializes a value to JSON on one line, with `\u` escapes for characters that a terminal or an editor interprets
/// instead of showing them. Parsers read the same strings.
///
/// # Errors
/// Returns an error if the value cannot be serialized.
pub fn to_json(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(value).map(escape_hostile)
}

/// Like [`to_json`], indented.
///
/// # Errors
/// Returns an error if the value cannot be serialized.
pub fn to_json_pretty(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string_pretty(value).map(escape_hostile)
}

/// Escapes hostile characters; they occur only inside the strings of a JSON text.
fn escape_hostile(json: String) -> String {
    if !json.chars().any(is_hostile) {
        return json;
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    for letter in json.chars() {
        if is_hostile(letter) {
            let units = &mut [0; 2];
            escaped.extend(letter.encode_utf16(units).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            escaped.push(letter);
        }
    }
    escaped
}

/// Returns true for characters that are invisible, change the direction of text, or control a terminal. ASCII control
/// characters except DEL are escaped in all JSON already; the line ends of an indented text stay.
fn is_hostile(letter: char) -> bool {
    matches!(letter,
        '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_characters_are_escaped_and_nothing_is_lost() -> serde_json::Result<()> {
        let all: String = (0..=u32::from(char::MAX)).filter_map(char::from_u32).collect();
        for json in [to_json(&all)?, to_json_pretty(&vec![&all])?] {
            assert!(!json.chars().any(|c| is_hostile(c) || c < ' ' && c != '\n'));
        }
        assert_eq!(serde_json::from_str::<String>(&to_json(&all)?)?, all);
        assert_eq!(to_json(&"a\u{202e}b\u{9b}\u{e0001}\u{7}ü漢")?, r#""a\u202eb\u009b\udb40\udc01\u0007ü漢""#);
        Ok(())
    }
}
