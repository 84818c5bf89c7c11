//! What must be known of a Java source to compile and run it: the name its file must have, and the class to
//! start. A scan over words and braces, not a parser: it need not be right about programs that do not compile.

/// The top-level types of one source.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Outline {
    package: Option<String>,
    types: Vec<Type>,
}

#[derive(Debug, PartialEq, Eq)]
struct Type {
    name: String,
    public: bool,
    has_main: bool,
}

impl Outline {
    /// Of that source.
    pub(super) fn of(source: &str) -> Self {
        let words = words(&without_literals(source));
        let mut outline = Outline::default();
        let mut depth = 0_usize;
        for (i, word) in words.iter().enumerate() {
            let next = |ahead: usize| words.get(i + ahead).map_or("", String::as_str);
            match word.as_str() {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                "package" if depth == 0 => outline.package = Some(next(1).to_owned()),
                "class" | "interface" | "enum" | "record" if depth == 0 && is_name(next(1)) => {
                    let statement = words[..i].iter().rev().take_while(|word| !matches!(word.as_str(), ";" | "}"));
                    let public = statement.into_iter().any(|word| word == "public");
                    outline.types.push(Type { name: next(1).to_owned(), public, has_main: false });
                }
                "main" if depth == 1 && next(1) == "(" && i > 0 && words[i - 1] == "void" => {
                    outline.types.iter_mut().last().into_iter().for_each(|last| last.has_main = true);
                }
                _ => {}
            }
        }
        outline
    }

    /// The public type, after which the file must be named.
    pub(super) fn public_type(&self) -> Option<&str> {
        self.types.iter().find(|one| one.public).map(|one| one.name.as_str())
    }

    /// The full name of the class to start: the public one with a main method, else the first with one.
    pub(super) fn main_class(&self) -> Option<String> {
        let with_main = || self.types.iter().filter(|one| one.has_main);
        let chosen = with_main().find(|one| one.public).or_else(|| with_main().next())?;
        Some(match &self.package {
            Some(package) => format!("{package}.{}", chosen.name),
            None => chosen.name.clone(),
        })
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_' || letter == '$')
}

/// Names (with their dots) and single other characters.
fn words(text: &str) -> Vec<String> {
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

/// The source with each comment, string and character replaced by a space.
fn without_literals(source: &str) -> String {
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

/// The length of the comment or literal that begins here, 0 if none does.
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

    fn check(source: &str, public: Option<&str>, main: Option<&str>) {
        let outline = Outline::of(source);
        assert_eq!((outline.public_type(), outline.main_class().as_deref()), (public, main), "{source}");
    }

    #[test]
    fn finds_the_public_type_and_the_main_class() {
        check("public class Main { public static void main(String[] a) {} }", Some("Main"), Some("Main"));
        check("class A { int f() { return 1; } } class B { static void main (String... a) {} }", None, Some("B"));
        check(
            "package x.y; public final class C<T> { static class D {} public static void main(String[] a) {} }",
            Some("C"),
            Some("x.y.C"),
        );
        check("class A { static void main(String[] a) {} } public class B {}", Some("B"), Some("A"));
        check("record P(int x) {} enum E { U } interface I {}", None, None);
    }

    #[test]
    fn is_not_misled_by_literals() {
        let text = r#"// class X {
            /* public class Y { */ class Z { String s = "} class W {\" "; char c = '{', d = '\''; String t = """
              class V { """; public static void main(String[] a) { new Object() { void main() {} }; } }"#;
        check(text, None, Some("Z"));
    }

    #[test]
    fn any_text_has_an_outline() {
        for text in ["", "\"", "'", "\"\\", "/*", "//", "\"\"\"", "class", "class {", "}}}", "main(", "é'\\é"] {
            Outline::of(text);
        }
    }
}
