//! Inputs with damage that every validator has to see, whatever the problem.

/// A valid input, damaged in every way that there is, with a name and what is wrong. What a damage leaves as it is, is left
/// out; so is what may well be valid.
pub fn damaged(valid: &[u8]) -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let all = [
        ("empty", "there is nothing in it", Vec::new()),
        ("crlf", "its lines end in carriage returns", crlf(valid)),
        ("leading-zero", "a number begins with a zero", leading_zero(valid)),
        ("plus-sign", "a number begins with a plus sign", before_number(valid, b"+")),
        ("extra-space", "there are two spaces where one belongs", extra_space(valid)),
        ("leading-space", "there is a space before the first token", [b" ", valid].concat()),
        ("trailing-space", "there is a space at the end of the first line", trailing_space(valid)),
        ("no-newline", "the last line does not end", valid.strip_suffix(b"\n").unwrap_or(valid).to_vec()),
        ("empty-line", "there is an empty line at the end", [valid, b"\n"].concat()),
        ("trailing-garbage", "something follows the end", [valid, b"garbage\n"].concat()),
        ("cut", "its last line is missing", cut(valid)),
        ("nul", "there is a NUL byte at the end", [valid, b"\0"].concat()),
        ("not-utf8", "there are bytes that are no text", [valid, b"\xff\xfe\n"].concat()),
    ];
    all.into_iter().filter(|(_, _, bytes)| bytes != valid).collect()
}

fn crlf(text: &[u8]) -> Vec<u8> {
    text.iter().flat_map(|byte| if *byte == b'\n' { b"\r\n".to_vec() } else { vec![*byte] }).collect()
}

/// Where the first token begins that is a number.
fn first_number(text: &[u8]) -> Option<usize> {
    let is_space = |byte: &u8| byte.is_ascii_whitespace();
    let starts = (0..text.len()).filter(|i| !is_space(&text[*i]) && (*i == 0 || is_space(&text[i - 1])));
    let is_number = |start: &usize| {
        let token = text[*start..].split(is_space).next().unwrap_or_default();
        !token.is_empty() && token.iter().all(u8::is_ascii_digit)
    };
    starts.into_iter().find(is_number)
}

fn before_number(text: &[u8], what: &[u8]) -> Vec<u8> {
    match first_number(text) {
        Some(at) => [&text[..at], what, &text[at..]].concat(),
        None => text.to_vec(),
    }
}

/// A zero more before a number; where all tokens are of digits, it may be a text, and then nothing is wrong with it.
fn leading_zero(text: &[u8]) -> Vec<u8> {
    before_number(text, b"0")
}

fn extra_space(text: &[u8]) -> Vec<u8> {
    match text.iter().position(|byte| *byte == b' ') {
        Some(at) => [&text[..at], b" ", &text[at..]].concat(),
        None => text.to_vec(),
    }
}

fn trailing_space(text: &[u8]) -> Vec<u8> {
    match text.iter().position(|byte| *byte == b'\n') {
        Some(at) => [&text[..at], b" ", &text[at..]].concat(),
        None => text.to_vec(),
    }
}

fn cut(text: &[u8]) -> Vec<u8> {
    let body = text.strip_suffix(b"\n").unwrap_or(text);
    match body.iter().rposition(|byte| *byte == b'\n') {
        Some(at) => text[..=at].to_vec(),
        None => text.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(valid: &str, name: &str) -> Option<String> {
        let found = damaged(valid.as_bytes()).into_iter().find(|(known, _, _)| *known == name)?;
        Some(String::from_utf8_lossy(&found.2).into_owned())
    }

    #[test]
    fn each_damage_is_what_it_is_called() {
        let damage = |name| of("2 x\n-3 41\n", name).unwrap_or_default();
        assert_eq!(damage("crlf"), "2 x\r\n-3 41\r\n");
        assert_eq!(damage("leading-zero"), "02 x\n-3 41\n");
        assert_eq!(damage("extra-space"), "2  x\n-3 41\n");
        assert_eq!(damage("trailing-space"), "2 x \n-3 41\n");
        assert_eq!(damage("no-newline"), "2 x\n-3 41");
        assert_eq!(damage("cut"), "2 x\n");
    }

    #[test]
    fn what_would_change_nothing_is_no_damage() {
        assert_eq!(of("word\n", "leading-zero"), None);
        assert_eq!(of("word\n", "extra-space"), None);
        assert_eq!(of("word\n", "cut"), None);
        assert_eq!(of("", "empty"), None);
    }
}
