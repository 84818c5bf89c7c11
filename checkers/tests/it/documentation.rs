//! The page about the checkers, run: every example on it is judged, and says what the page says.

use rebut_checkers::{CHECKERS, Checker, Judgement, Testlib};

/// The page.
const PAGE: &str = include_str!("../../../docs/checkers.md");

/// The examples: a checker's name, the line, and the text between the fences.
fn examples() -> Vec<(&'static str, usize, String)> {
    let mut found: Vec<(&str, usize, String)> = Vec::new();
    let mut is_open = false;
    for (i, line) in PAGE.lines().enumerate() {
        if let Some(name) = line.strip_prefix("```check ") {
            is_open = true;
            found.push((name, i + 1, String::new()));
        } else if line == "```" {
            is_open = false;
        } else if let Some((_, _, text)) = found.last_mut().filter(|_| is_open) {
            text.push_str(line);
            text.push('\n');
        }
    }
    found
}

/// What is said of an output, as `rebut check` says it.
fn told(checker: &Checker, answer: &str, output: &str) -> String {
    match checker.check(b"", answer.as_bytes(), output.as_bytes()) {
        Judgement::Accepted => "accepted\n".to_owned(),
        Judgement::Wrong(mismatch) => format!("wrong answer: {}\n", mismatch.message),
        Judgement::Failed(why) => format!("could not judge: {why}\n"),
    }
}

#[test]
fn every_example_is_judged_as_the_page_says() {
    let examples = examples();
    for (name, line, text) in &examples {
        let parts: Vec<&str> = text.split("---\n").collect();
        let [answer, output, expected] = parts[..] else { panic!("docs/checkers.md:{line}: {parts:?}") };
        assert_eq!(told(&Checker::parse(name).unwrap(), answer, output), expected, "docs/checkers.md:{line}");
    }
    for checker in Testlib::ALL.map(Testlib::name).into_iter().chain(["tokens", "lines", "exact", "icpc"]) {
        assert!(examples.iter().any(|(name, _, _)| *name == checker), "no example of `{checker}`");
    }
}

#[test]
fn every_name_is_on_the_page() {
    for checker in CHECKERS {
        let words =
            checker.name.split([':', ',', '=']).filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
        let missing: Vec<&str> = words.filter(|word| !PAGE.contains(word)).collect();
        assert!(missing.is_empty(), "`{}`: {missing:?} is not on the page", checker.name);
    }
}
