//! The outline of a Java source: the name that its file must have, and the class to start. It is found by scanning
//! tokens and braces, without a parser: it does not have to be right about programs that do not compile.

/// The top-level types of one source.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct JavaOutline {
    package: Option<String>,
    types: Vec<JavaType>,
}

#[derive(Debug, PartialEq, Eq)]
struct JavaType {
    name: String,
    public: bool,
    has_main: bool,
}

impl JavaOutline {
    pub(super) fn from_source(source: &str) -> Self {
        let words = split_tokens(&strip_literals(source));
        let mut outline = JavaOutline::default();
        let mut depth = 0_usize;
        for (i, word) in words.iter().enumerate() {
            let next = |ahead: usize| words.get(i + ahead).map_or("", String::as_str);
            match word.as_str() {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                "package" if depth == 0 => outline.package = Some(next(1).to_owned()),
                "class" | "interface" | "enum" | "record" if depth == 0 && is_identifier(next(1)) => {
                    let statement = words[..i].iter().rev().take_while(|word| !matches!(word.as_str(), ";" | "}"));
                    let public = statement.into_iter().any(|word| word == "public");
                    outline.types.push(JavaType { name: next(1).to_owned(), public, has_main: false });
                }
                "main" if depth == 1 && next(1) == "(" && i > 0 && words[i - 1] == "void" => {
                    outline.types.iter_mut().last().into_iter().for_each(|last| last.has_main = true);
                }
                _ => {}
            }
        }
        outline
    }

    /// Returns the public type, which determines the name of the file.
    pub(super) fn public_type(&self) -> Option<&str> {
        self.types.iter().find(|item| item.public).map(|item| item.name.as_str())
    }

    /// Returns the full name of the class to start: the public one with a main method, or else the first with one.
    pub(super) fn main_class(&self) -> Option<String> {
        let with_main = || self.types.iter().filter(|item| item.has_main);
        let chosen = with_main().find(|item| item.public).or_else(|| with_main().next())?;
        Some(match &self.package {
            Some(package) => format!("{package}.{}", chosen.name),
            None => chosen.name.clone(),
        })
    }
}

fn is_identifier(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_' || letter == '$')
}

/// Splits a source into names (with their dots) and other single characters.
fn split_tokens(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut in_name = false;
    for letter in text.chars() {
        let of_name = letter.is_alphanumeric() || matches!(letter, '_' | '$' | '.');
        match words.last_mut().filter(|_| in_name && of_name) {
            Some(word) => word.push(letter),
            None if letter.is_whitespace() => {}
            None => words.push(letter.to_string()),
        }
        in_name = of_name;
    }
    words
}

/// Replaces each comment, string and character literal of a source by a space.
fn strip_literals(source: &str) -> String {
    let mut kept = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(letter) = rest.chars().next() {
        let skipped = literal_len(rest);
        if skipped == 0 {
            kept.push(letter);
            rest = &rest[letter.len_utf8()..];
        } else {
            kept.push(' ');
            rest = &rest[skipped..];
        }
    }
    kept
}

/// Returns the length of the comment or literal that begins here, 0 if neither does.
fn literal_len(text: &str) -> usize {
    let closed = |open: usize, close: &str| text[open..].find(close).map_or(text.len(), |at| open + at + close.len());
    if text.starts_with("//") {
        text.find('\n').unwrap_or(text.len())
    } else if text.starts_with("/*") {
        closed(2, "*/")
    } else if text.starts_with("\"\"\"") {
        closed(3, "\"\"\"")
    } else if text.starts_with(['"', '\'']) {
        quoted_len(text)
    } else {
        0
    }
}

fn quoted_len(text: &str) -> usize {
    let mut letters = text.char_indices();
    let quote = letters.next().map(|(_, letter)| letter);
    while let Some((at, letter)) = letters.next() {
        if letter == '\\' {
            letters.next();
        } else if Some(letter) == quote || letter == '\n' {
            return at + letter.len_utf8();
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_outline(source: &str, public: Option<&str>, main: Option<&str>) {
        let outline = JavaOutline::from_source(source);
        assert_eq!((outline.public_type(), outline.main_class().as_deref()), (public, main), "{source}");
    }

    #[test]
    fn finds_the_public_type_and_the_main_class() {
        check_outline("public class Main { public static void main(String[] a) {} }", Some("Main"), Some("Main"));
        check_outline(
            "class A { int f() { return 1; } } class B { static void main (String... a) {} }",
            None,
            Some("B"),
        );
        check_outline(
            "package x.y; public final class C<T> { static class D {} public static void main(String[] a) {} }",
            Some("C"),
            Some("x.y.C"),
        );
        check_outline("class A { static void main(String[] a) {} } public class B {}", Some("B"), Some("A"));
        check_outline("record P(int x) {} enum E { U } interface I {}", None, None);
    }

    #[test]
    fn literals_are_ignored() {
        let text = r#"// class X {
            /* public class Y { */ class Z { String s = "} class W {\" "; char c = '{', d = '\''; String t = """
              class V { """; public static void main(String[] a) { new Object() { void main() {} }; } }"#;
        check_outline(text, None, Some("Z"));
    }

    #[test]
    fn any_text_has_an_outline() {
        for text in ["", "\"", "'", "\"\\", "/*", "//", "\"\"\"", "class", "class {", "}}}", "main(", "é'\\é"] {
            JavaOutline::from_source(text);
        }
    }
}
