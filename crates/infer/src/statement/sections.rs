//! The sections of a statement, and its sentences.

use super::chains::name_of_token;
use super::markup::FORMULA;
use super::phrases::Words;
use super::subscripts::Sequence;
use super::tokens::Token;

/// The plain text of a statement by subject.
#[derive(Debug, Default)]
pub(super) struct Sections {
    /// The sections about the input, then those about the constraints, or all of a text without such headings.
    pub(super) whole: String,
    /// The sections, lines and sentences about a part of the points: some inputs have these bounds.
    pub(super) partial: String,
    /// The text before these sections.
    pub(super) story: String,
}

/// Splits the plain text of a statement.
pub(super) fn split_sections(plain: &str) -> Sections {
    let [mut input, mut constraints, mut scoring, mut story] = [const { String::new() }; 4];
    let (mut section, mut has_heading) = ("story", false);
    for line in plain.lines() {
        if let Some(next) = section_of_heading(line) {
            section = next;
            has_heading |= matches!(section, "input" | "constraints");
            continue;
        }
        let text = match section {
            "input" => &mut input,
            "constraints" => &mut constraints,
            // Of the groups, the last may have the bounds of all inputs.
            "scoring" if line.replace(['\\', ' ', FORMULA], "").contains("100%") => &mut constraints,
            "scoring" => &mut scoring,
            "story" => &mut story,
            _ => continue,
        };
        text.push_str(line);
        text.push('\n');
    }
    let all = if has_heading { input + "\n" + &constraints } else { plain.to_owned() + "\n" };
    let mut sections =
        if has_heading { Sections { partial: scoring, story, ..Sections::default() } } else { Sections::default() };
    for line in all.lines() {
        let is_partial = is_about_points(line);
        let sentences = line.split_inclusive(['。', '；', ';']).flat_map(|part| part.split_inclusive(". "));
        let (partial, whole): (Vec<&str>, Vec<&str>) =
            sentences.partition(|sentence| is_partial || is_about_share(sentence));
        for (text, sentences) in [(&mut sections.whole, whole), (&mut sections.partial, partial)] {
            let is_kept = !sentences.is_empty() || line.is_empty();
            text.extend(sentences.into_iter().chain(is_kept.then_some("\n")));
        }
    }
    sections
}

fn section_of_heading(line: &str) -> Option<&'static str> {
    /// Maximum number of characters of a heading.
    const MAX_LENGTH: usize = 60;
    let without_remark = line.split('(').next().unwrap_or_default();
    let line = without_remark.trim_matches(|c: char| !c.is_alphanumeric());
    let line = line.strip_prefix("section").unwrap_or(line);
    let is_short = line.chars().nth(MAX_LENGTH).is_none() && !line.is_empty();
    is_short.then(|| Words::new(line).kind_of_phrase(&["input", "constraints", "scoring", "story", "other"]))?
}

/// Signs of bounds, and those before them.
const BOUND_SIGNS: [char; 6] = ['<', '=', '>', ':', ']', '}'];

/// Returns true for a sentence with a bound that holds for a share of the inputs: `30% 的数据 n≤1000`, but not `a % 2 = 0`.
fn is_about_share(sentence: &str) -> bool {
    let plain = sentence.replace(['\\', FORMULA], "").replace(" %", "%");
    let is_share = |(at, _)| {
        let before = plain[..at].trim_end_matches(|c: char| c.is_ascii_digit());
        let is_number = !before.ends_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        is_number && plain[before.len()..at].parse().is_ok_and(|share: u8| share < 100)
    };
    plain.match_indices('%').any(is_share) && plain.contains(BOUND_SIGNS)
}

/// Returns true for a line with a bound for a part of the points, `[6 points] n < 10`, and for a row of a table of them.
fn is_about_points(line: &str) -> bool {
    let line = line.to_lowercase();
    let begins = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    let cells: Vec<&str> =
        line.split(['&', '|']).map(|cell| cell.trim_matches(|c: char| !c.is_alphanumeric())).collect();
    let is_row = cells.len() > 2
        && (line.contains('&') || line.trim_start().starts_with('|'))
        && cells
            .iter()
            .find(|cell| !cell.is_empty())
            .is_some_and(|cell| cell.bytes().all(|byte| byte.is_ascii_digit()));
    let words = Words::new(begins);
    let are_points =
        words.has_kind("points") && (begins.starts_with(|c: char| c.is_ascii_digit()) || words.has_kind("group"));
    (are_points || is_row) && line.contains(BOUND_SIGNS)
}

/// A sentence of a plain text.
#[derive(Debug)]
pub(super) struct Sentence {
    pub(super) text: String,
    pub(super) words: Words,
    pub(super) tokens: Vec<Token>,
}

impl Sentence {
    /// Returns the fields that the sentence names. `tokens` are those of the whole text.
    pub(super) fn field_names(&self, tokens: &[Token]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for token in &self.tokens {
            names.extend(name_of_token(token, tokens).filter(|name| !names.contains(name)));
        }
        names
    }
}

/// Returns the sentences of a text with these sequences. A blank line ends one, too.
pub(super) fn split_sentences(text: &str, sequences: &[Sequence]) -> Vec<Sentence> {
    let mut found = Vec::new();
    for paragraph in text.split("\n\n") {
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        let ends = |word: &&str| {
            let is_closing = word.starts_with(')');
            let word = word.trim_matches([')', '(', '"', '\'', '`', FORMULA]);
            // A point alone is a letter of a text, unless it follows a bracket of which the word before is separate.
            (word.len() > 1 || is_closing) && word.ends_with(['.', '!', '?', ';']) && !word.ends_with("..")
        };
        let texts = words.split_inclusive(ends).map(|sentence| sentence.join(" "));
        let tokens = |text: &str| super::split_names(text, sequences).0;
        found.extend(texts.map(|text| Sentence { words: Words::new(&text), tokens: tokens(&text), text }));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_found_in_several_languages() {
        for text in [
            "A story\nInput\nn\nOutput\nm\nScoring\np = 5\n",
            "故事\n【输入格式】\nn\n【输出格式】\nm\n子任务\np = 5\n",
            "STORY\nINPUT FORMAT (file n.in):\nn\nOUTPUT FORMAT (file n.out):\nm\n**Scoring (100 points)**\np = 5\n",
            "### Входные данные\nn\n### Выходные данные\nm\n### Подзадачи\np = 5\n",
        ] {
            let found = split_sections(text);
            assert_eq!((found.whole.trim(), found.partial.trim()), ("n", "p = 5"), "{text}");
            assert!(found.story.len() < "A story".len() + 2, "{text}");
        }
    }

    #[test]
    fn bounds_of_a_part_of_the_points_are_no_constraints() {
        for partial in [
            "Group 1: 7 points n = 1",
            "[6 points] K = 1",
            "对于 30% 的数据，n<=1000.",
            "\u{1}1\u{1} & 25 & \u{1}n < 5\u{1}",
        ] {
            let found = split_sections(&format!("Input\nn < 9\nLimits\nn > 0\n{partial}\n"));
            assert_eq!((found.whole.as_str(), found.partial.trim()), ("n < 9\n\nn > 0\n", partial));
        }
        let found = split_sections("Input\nn\n子任务\n对于 100% 的数据，n<=1000.\n");
        assert_eq!((found.whole.trim(), found.partial.trim()), ("n\n\n对于 100% 的数据，n<=1000.", ""));
        assert_eq!(split_sections("1 <= |s| <= 20\n").partial.trim(), "");
        let found = split_sections("For 50% of the tests, n <= 5. In all, n <= 9 and a % 2 = 0.\n");
        assert_eq!(
            (found.whole.trim(), found.partial.trim()),
            ("In all, n <= 9 and a % 2 = 0.", "For 50% of the tests, n <= 5.")
        );
    }

    #[test]
    fn sentences_end_after_brackets_on_lines_of_their_own() {
        let count = |text: &str| split_sentences(text, &[]).len();
        assert_eq!(count("Three integers (1 <= v <= 9\n). It is guaranteed that v grows."), 2);
        assert_eq!(count("Each character is 'x' or '.' in all cases."), 1);
    }
}
