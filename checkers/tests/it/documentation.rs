//! Runs the examples of the page about the checkers and compares the judgements.

use rebut_checkers::{CHECKERS, Checker, Judgement, TestlibChecker};

/// The text of the page.
const PAGE: &str = include_str!("../../../docs/checkers.md");

/// Returns the examples: the name of the checker, the line number, and the text between the fences.
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

/// Returns the judgement in the words of `rebut check`.
fn judgement_text(checker: &Checker, answer: &str, output: &str) -> String {
    match checker.check(b"", answer.as_bytes(), output.as_bytes()) {
        Judgement::Accepted => "accepted\n".to_owned(),
        Judgement::Wrong(mismatch) => format!("wrong answer: {}\n", mismatch.message),
        Judgement::Failed(reason) => format!("could not judge: {reason}\n"),
    }
}

#[test]
fn documented_examples_are_judged_as_documented() {
    let examples = examples();
    for (name, line, text) in &examples {
        let parts: Vec<&str> = text.split("---\n").collect();
        let [answer, output, expected] = parts[..] else { panic!("docs/checkers.md:{line}: {parts:?}") };
        assert_eq!(judgement_text(&Checker::parse(name).unwrap(), answer, output), expected, "docs/checkers.md:{line}");
    }
    for checker in TestlibChecker::ALL.map(TestlibChecker::name).into_iter().chain(["tokens", "lines", "exact", "icpc"])
    {
        assert!(examples.iter().any(|(name, _, _)| *name == checker), "no example of `{checker}`");
    }
}

#[test]
fn every_checker_name_is_documented() {
    for checker in CHECKERS {
        let words =
            checker.name.split([':', ',', '=']).filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
        let missing: Vec<&str> = words.filter(|word| !PAGE.contains(word)).collect();
        assert!(missing.is_empty(), "`{}`: {missing:?} is not on the page", checker.name);
    }
}
