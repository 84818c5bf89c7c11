//! The sections of a statement.

use super::chains::name_of_token;
use super::languages::find_language;
use super::markup::FORMULA;
use super::tokens::{Token, split_tokens};

/// The sections of a statement that the inference reads, in English words as far as they are known.
#[derive(Debug)]
pub(super) struct Sections {
    /// The sections about the input and then those about the constraints, or all of the text if it has no such
    /// headings. AtCoder has the constraints first, but names come in the order of the input.
    pub(super) input: String,
    /// The same in the words of the statement.
    pub(super) original: String,
    /// The sections about the points, which may have a table of subtasks.
    pub(super) scoring: String,
}

impl Sections {
    /// Splits the plain text of a statement.
    pub(super) fn split_statement(plain: &str) -> Sections {
        let language = find_language(plain);
        let translated = language.map(|language| language.translate_words(plain));
        let text = translated.as_deref().unwrap_or(plain);
        // The input and the constraints, each translated and as it is.
        let mut kept = [[String::new(), String::new()], [String::new(), String::new()]];
        let mut scoring = String::new();
        let (mut section, mut has_heading) = (Section::Other, false);
        for (line, original) in text.lines().zip(plain.lines()) {
            if let Some(next) = section_of_heading(line) {
                section = next;
                has_heading |= matches!(section, Section::Input | Section::Constraints);
                continue;
            }
            if section != Section::Other && (is_worth_points(line) || is_table_row(line)) {
                // A list or table of subtasks may be in any section.
                push_line(&mut scoring, line);
                continue;
            }
            let [translated, original_text] = match section {
                Section::Input => &mut kept[0],
                Section::Constraints => &mut kept[1],
                Section::Scoring => {
                    push_line(&mut scoring, line);
                    continue;
                }
                Section::Other => continue,
            };
            push_line(translated, line);
            push_line(original_text, original);
        }
        if !has_heading {
            if let Some(language) = language
                && let Some(passage) = language.input_passage(plain)
            {
                return Sections { input: language.translate_words(passage), original: passage.to_owned(), scoring };
            }
            return Sections { input: text.to_owned(), original: plain.to_owned(), scoring };
        }
        let [[input, original], [constraints, original_constraints]] = kept;
        Sections { input: input + "\n" + &constraints, original: original + "\n" + &original_constraints, scoring }
    }
}

/// Returns the rows of a table of subtasks: each begins with a number, perhaps behind a word such as `Group`, and may
/// go on in the lines after it.
pub(super) fn table_rows(scoring: &str) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for line in scoring.lines() {
        let starts = begins_row(line);
        match rows.last_mut() {
            Some(row) if !starts => row.extend(["\n", line]),
            _ if starts => rows.push(line.to_owned()),
            _ => {}
        }
    }
    rows
}

/// Words before the number of a subtask.
const SUBTASK_WORDS: &[&str] = &["subtask", "group", "testgroup", "test", "grupp", "deluppgift", "hópur"];

/// Returns true if a line has the number of points of a subtask: `[6 points] n < 10`. `The next line has 2 points` is no
/// such line.
fn is_worth_points(line: &str) -> bool {
    const POINTS: &[&str] = &["point", "points", "scoring", "poäng", "poeng", "stig"];
    /// Maximum number of characters of a number and its unit: hostile lines have many brackets.
    const MAX_DISTANCE: usize = 40;
    const WORTH: &[&str] = &["worth", "värd", "værd", "verd"];
    let lower = line.to_lowercase();
    let begins_with_points = |text: &str| {
        let near: String = text.chars().take(MAX_DISTANCE).collect();
        let number = near.trim_start();
        let after = number.trim_start_matches(|c: char| c.is_ascii_digit());
        // A formula ends behind the number.
        let word: String =
            after.chars().skip_while(|c| !c.is_alphanumeric()).take_while(|c| c.is_alphabetic()).collect();
        after.len() < number.len() && POINTS.contains(&word.as_str())
    };
    let begins = lower.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_numbered = SUBTASK_WORDS.iter().any(|word| begins.starts_with(word));
    let is_bracketed = || lower.match_indices(['[', '(', '{']).any(|(at, _)| begins_with_points(&lower[at + 1..]));
    let has_points = || {
        let mut digits = lower.char_indices().filter(|(_, c)| c.is_ascii_digit());
        digits.any(|(at, _)| begins_with_points(&lower[at..]))
    };
    (begins_with_points(begins)
        || is_bracketed()
        || (is_numbered || WORTH.iter().any(|word| lower.contains(word))) && has_points())
        && line.contains(['<', '=', '>', ':', ']', '}'])
}

/// Returns true for a row of a table with the number of a subtask, that of its points, and a bound.
fn is_table_row(line: &str) -> bool {
    let cells: Vec<&str> =
        line.split(['&', ';']).map(|cell| cell.trim_matches(|c: char| !c.is_alphanumeric())).collect();
    let is_number = |cell: &&str| !cell.is_empty() && cell.bytes().all(|byte| byte.is_ascii_digit());
    let numbers = cells.iter().skip_while(|cell| cell.is_empty()).take_while(|cell| is_number(cell)).count();
    numbers >= 2 && line.contains(['<', '=', '>'])
}

/// Returns true if a line begins with the number of a subtask and has another cell, or a colon, after it, or if it has
/// the number of its points.
fn begins_row(line: &str) -> bool {
    if is_worth_points(line) {
        return true;
    }
    let plain: String = line.chars().filter(|c| c.is_alphanumeric() || matches!(c, '&' | ';' | ':' | '(')).collect();
    let lower = plain.trim_start_matches(';').to_lowercase();
    let rest = SUBTASK_WORDS.iter().find_map(|word| lower.strip_prefix(word)).unwrap_or(&lower);
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    after.len() < rest.len() && after.starts_with(['&', ';', ':', '('])
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// A section of a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Input,
    Constraints,
    Scoring,
    Other,
}

/// Returns a line without the remark in parentheses at its end: `INPUT FORMAT (file cows.in):`.
fn without_remark(line: &str) -> &str {
    let remark = line.trim_end_matches(|c: char| c != ')' && !c.is_alphanumeric());
    remark.strip_suffix(')').and_then(|inside| inside.split_once('(')).map_or(line, |(before, _)| before)
}

fn section_of_heading(line: &str) -> Option<Section> {
    let words = without_remark(line).trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let words = words.strip_prefix("section").unwrap_or(&words).trim_matches(|c: char| !c.is_alphanumeric());
    let headings: [(&[&str], Section); 4] = [
        (INPUT_HEADINGS, Section::Input),
        (CONSTRAINT_HEADINGS, Section::Constraints),
        (SCORING_HEADINGS, Section::Scoring),
        (OTHER_HEADINGS, Section::Other),
    ];
    headings.into_iter().find(|(known, _)| known.contains(&words)).map(|(_, section)| section)
}

const INPUT_HEADINGS: &[&str] = &[
    "input",
    "input format",
    "input specification",
    "input section",
    "the input",
    "eingabe",
    "entrada",
    "entrée",
    "indata",
    "inddata",
    "indlæsning",
    "inndata",
    "inntak",
    "invoer",
    "wejście",
    "входные данные",
];

const CONSTRAINT_HEADINGS: &[&str] =
    &["constraints", "input constraints", "limits", "beschränkungen", "contraintes", "restricciones", "ограничения"];

const SCORING_HEADINGS: &[&str] = &[
    "scoring",
    "subtasks",
    "grading",
    "test groups",
    "points",
    "poängsättning",
    "stigagjöf",
    "subtareas",
    "sous-tâches",
    "подзадачи",
];

const OTHER_HEADINGS: &[&str] = &[
    "output",
    "output format",
    "output specification",
    "the output",
    "ausgabe",
    "salida",
    "saída",
    "sortie",
    "uitvoer",
    "wyjście",
    "udskrift",
    "uddata",
    "utdata",
    "úttak",
    "выходные данные",
    "sample",
    "samples",
    "example",
    "examples",
    "sample input",
    "sample input 1",
    "note",
    "notes",
    "explanation",
    "interaction",
    "the problem",
    "problem statement",
    "problem",
];

// The sentences of the plain text of a statement, with their words and names.

/// A sentence of a plain text.
#[derive(Debug)]
pub(super) struct Sentence {
    pub(super) text: String,
    /// The sentence as the statement has it, in its own language.
    pub(super) original: String,
    /// Its words in lower case, each between spaces.
    words: String,
}

impl Sentence {
    fn new(text: String, original: String) -> Sentence {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty());
        let words = words.fold(" ".to_owned(), |words, word| words + &word.to_lowercase() + " ");
        Sentence { text, original, words }
    }

    /// Returns true if the sentence has a phrase in lower case, of one word or several.
    pub(super) fn has_phrase(&self, phrase: &str) -> bool {
        self.words.contains(&format!(" {phrase} "))
    }

    pub(super) fn has_any(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.has_phrase(phrase))
    }

    /// Returns the fields that the sentence names. `tokens` are those of the whole text.
    pub(super) fn field_names(&self, tokens: &[Token]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for token in split_tokens(&self.text) {
            names.extend(name_of_token(&token, tokens).filter(|name| !names.contains(name)));
        }
        names
    }
}

/// Returns the sentences of a text, with those of the text that it is the translation of. A blank line ends one, too.
pub(super) fn split_sentences(text: &str, original: &str) -> Vec<Sentence> {
    let (sentences, originals) = (sentence_texts(text), sentence_texts(original));
    // If the translation is not sentence by sentence, its own words are shown.
    let originals = if originals.len() == sentences.len() { originals } else { sentences.clone() };
    sentences.into_iter().zip(originals).map(|(text, original)| Sentence::new(text, original)).collect()
}

fn sentence_texts(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for paragraph in text.split("\n\n") {
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        let ends = |word: &&str| {
            let word = word.trim_matches([')', '(', '"', '\'', '`', FORMULA]);
            // A point alone is a letter of a text.
            word.len() > 1 && word.ends_with(['.', '!', '?']) && !word.ends_with("i.e.") && !word.ends_with("e.g.")
        };
        found.extend(words.split_inclusive(ends).map(|sentence| sentence.join(" ")));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_found_in_several_languages() {
        let cases = [
            "A story\nInput\nn\nOutput\nm\nScoring\np\n",
            "En berättelse\n*{Indata}\nn\nUtdata\nraden är och innehåller\nPoängsättning\np\n",
            "STORY\nINPUT FORMAT (file n.in):\nn\nOUTPUT FORMAT (file n.out):\nm\n**Scoring (100 points)**\np\n",
            "Saga\n## Inntak\nn\n## Úttak\nm\n## Stigagjöf\np\n",
        ];
        for text in cases {
            let found = Sections::split_statement(text);
            assert_eq!((found.input.trim(), found.scoring.trim()), ("n", "p"), "{text}");
        }
    }

    #[test]
    fn rows_of_tables_begin_with_numbers() {
        let table = "Group & Points \\\n\u{1}1\u{1} & 5 & n < 3 \\\n{2} & 7\n & n < 9\n";
        assert_eq!(table_rows(table).len(), 2, "{:?}", table_rows(table));
        assert_eq!(table_rows(" ; 1 ; 2 ; \n ; --- ; \nSubtask 2: n < 5\nSubtask 3 (20 points)").len(), 3);
        let items = "In one test case worth 20 points, n = 4.\n[6 points] K = 1\nFor testfall worth 20 scoring n <= 9";
        assert_eq!(table_rows(items).len(), 3);
        assert_eq!(table_rows("Your score is the sum of 3 tests."), Vec::<String>::new());
    }

    #[test]
    fn subtasks_are_no_constraints() {
        let found = Sections::split_statement("Input\nn < 9\nLimits\nn > 0\nGroup 1: 7 points n = 1\n");
        assert_eq!((found.input.as_str(), found.scoring.as_str()), ("n < 9\n\nn > 0\n", "Group 1: 7 points n = 1\n"));
        let table = Sections::split_statement("Constraints\nn > 0\n\u{1}1\u{1} & 25 & \u{1}n < 5\u{1}\n");
        assert_eq!((table.input.trim(), table.scoring.trim()), ("n > 0", "\u{1}1\u{1} & 25 & \u{1}n < 5\u{1}"));
    }

    #[test]
    fn sentences_are_kept_in_their_words() {
        let found = Sections::split_statement("Indata\nRaden innehåller n och är kort.\nUtdata\nm");
        assert_eq!(found.original.trim(), "Raden innehåller n och är kort.");
        assert_eq!(found.input.trim(), "line contains n and is kort.");
    }
}
