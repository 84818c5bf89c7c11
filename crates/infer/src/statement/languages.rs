//! Translates the words of statements that are in other languages, as far as the readers of sentences know them.
//!
//! The order of the words of Swedish, Danish, Norwegian and Icelandic is nearly that of English, so a translation word by
//! word is read as English is. Other words stay as they are.

use super::french::{FRENCH, FRENCH_MARKERS, FRENCH_ORDINALS};
use super::icelandic::{ICELANDIC, ICELANDIC_MARKERS, ICELANDIC_ORDINALS, ICELANDIC_PASSAGES};
use super::markup::FORMULA;
use super::passages::PassageWords;

/// Words of one language and what they mean.
pub(super) struct Language {
    /// Words that are frequent in the language and no words of English.
    markers: &'static [&'static str],
    /// Words and phrases in lower case, with their meanings.
    words: &'static [(&'static str, &'static str)],
    /// The endings of ordinals behind a formula: `$i$:te`.
    ordinals: &'static [&'static str],
    /// The sentences about the input, for statements without headings.
    passages: Option<PassageWords>,
}

const LANGUAGES: &[Language] = &[
    Language {
        markers: &["och", "är", "innehåller", "raden", "följande", "består", "följer", "heltal"],
        words: SWEDISH,
        ordinals: &[":te", ":de", ":e", ":a", ":t", "-te", "-de"],
        passages: None,
    },
    Language {
        markers: &["og", "er", "indeholder", "inneholder", "linje", "linjen", "linjer", "består"],
        words: DANISH_AND_NORWEGIAN,
        ordinals: &["'te", "'ende", "-te", "-ende", ":te"],
        passages: None,
    },
    Language {
        markers: ICELANDIC_MARKERS,
        words: ICELANDIC,
        ordinals: ICELANDIC_ORDINALS,
        passages: Some(ICELANDIC_PASSAGES),
    },
    Language { markers: FRENCH_MARKERS, words: FRENCH, ordinals: FRENCH_ORDINALS, passages: None },
];

/// Minimum number of different markers of a text in another language.
const MIN_MARKERS: usize = 3;
/// Maximum number of words of a phrase.
const MAX_PHRASE: usize = 4;

const SWEDISH: &[(&str, &str)] = &[
    ("alla", "all"),
    ("andra", "second"),
    ("anger", "denoting"),
    ("antal", "number"),
    ("antalet", "the number of"),
    ("att", "that"),
    ("av", "of"),
    ("bara", "only"),
    ("begränsningar", "constraints"),
    ("beskriver", "describes"),
    ("beskrivs", "is described"),
    ("bestå", "consist"),
    ("bestå av", "consist of"),
    ("bestående", "consisting"),
    ("består", "consists"),
    ("blankstegsseparerade", "space-separated"),
    ("bokstav", "letter"),
    ("bokstaven", "letter"),
    ("bokstäver", "letters"),
    ("bokstäverna", "letters"),
    ("börjar", "starts"),
    ("de", "the"),
    ("decimaler", "decimals"),
    ("decimaltal", "real number"),
    ("delpoäng", "scoring"),
    ("den", "the"),
    ("denna", "this"),
    ("dessa", "these"),
    ("det", "the"),
    ("det garanteras", "it is guaranteed"),
    ("det är garanterat", "it is guaranteed"),
    ("där", "where"),
    ("därefter", "then"),
    ("efter", "after"),
    ("eller", "or"),
    ("en", "a"),
    ("enda", "only"),
    ("endast", "only"),
    ("ensam", "single"),
    ("ensamt", "single"),
    ("enstaka", "single"),
    ("ett", "a"),
    ("ettor", "ones"),
    ("exempel", "example"),
    ("exempelindata", "sample input"),
    ("fall", "cases"),
    ("fem", "five"),
    ("femte", "fifth"),
    ("finns", "are"),
    ("fjärde", "fourth"),
    ("flyttal", "real number"),
    ("från", "from"),
    ("fyra", "four"),
    ("följande", "following"),
    ("följd", "sequence"),
    ("följden", "sequence"),
    ("följer", "follow"),
    ("följs", "is followed"),
    ("följs av", "is followed by"),
    ("följt", "followed"),
    ("följt av", "followed by"),
    ("för varje", "for each"),
    ("förklaring", "explanation"),
    ("första", "first"),
    ("garanterat", "guaranteed"),
    ("gemener", "lowercase letters"),
    ("givet", "given"),
    ("går från", "goes from"),
    ("hela", "whole"),
    ("heltal", "integers"),
    ("heltalen", "integers"),
    ("heltalet", "integer"),
    ("högst", "at most"),
    ("i", "in"),
    ("icke negativa", "non-negative"),
    ("icke-negativa", "non-negative"),
    ("icke-negativt", "non-negative"),
    ("ickenegativa", "non-negative"),
    ("indata", "input"),
    ("indataformat", "input format"),
    ("indatan", "input"),
    ("inga", "no"),
    ("ingen", "no"),
    ("inleds", "starts"),
    ("inmatning", "input"),
    ("inmatningen", "input"),
    ("innehålla", "contain"),
    ("innehåller", "contains"),
    ("inte", "not"),
    ("interaktion", "interaction"),
    ("intervallet", "range"),
    ("kommande", "following"),
    ("kommer", "will"),
    ("linje", "line"),
    ("längd", "length"),
    ("längden", "length"),
    ("längder", "lengths"),
    ("längre än", "longer than"),
    ("lång", "long"),
    ("långa", "long"),
    ("max", "at most"),
    ("maximalt", "at most"),
    ("med", "with"),
    ("mellan", "between"),
    ("mellanslag", "spaces"),
    ("mellanslagsseparerade", "space-separated"),
    ("miljard", "billion"),
    ("miljarder", "billion"),
    ("miljon", "million"),
    ("miljoner", "million"),
    ("mindre än", "less than"),
    ("minst", "at least"),
    ("namn", "names"),
    ("namnet", "name"),
    ("namnet på", "the name of"),
    ("nio", "nine"),
    ("nollor", "zeros"),
    ("nästa", "next"),
    ("nästföljande", "following"),
    ("och", "and"),
    ("olika", "distinct"),
    ("ord", "words"),
    ("orden", "words"),
    ("ordet", "word"),
    ("ordning", "order"),
    ("par", "pairs"),
    ("positiva", "positive"),
    ("positivt", "positive"),
    ("poäng", "scoring"),
    ("poängsättning", "scoring"),
    ("på", "on"),
    ("rad", "line"),
    ("rad för rad", "line by line"),
    ("raden", "line"),
    ("rader", "lines"),
    ("raderna", "lines"),
    ("reella", "real"),
    ("reellt", "real"),
    ("rutnät", "grid"),
    ("rutnätet", "grid"),
    ("samma", "same"),
    ("samt", "and"),
    ("samtliga", "all"),
    ("sedan", "then"),
    ("separerade", "separated"),
    ("separerat", "separated"),
    ("sex", "six"),
    ("siffra", "digit"),
    ("siffror", "digits"),
    ("sist", "last"),
    ("sista", "last"),
    ("sju", "seven"),
    ("sjätte", "sixth"),
    ("små bokstäver", "lowercase letters"),
    ("små bokstäverna", "lowercase letters"),
    ("som", "that"),
    ("som mest", "at most"),
    ("sorterad", "sorted"),
    ("sorterade", "sorted"),
    ("stora bokstäver", "uppercase letters"),
    ("stora bokstäverna", "uppercase letters"),
    ("storleken", "the size of"),
    ("sträng", "string"),
    ("strängar", "strings"),
    ("strängarna", "strings"),
    ("strängen", "string"),
    ("strängens", "string"),
    ("större än", "greater than"),
    ("summan", "the sum of"),
    ("summan av", "the sum of"),
    ("tal", "numbers"),
    ("talen", "numbers"),
    ("talet", "number"),
    ("tecken", "characters"),
    ("tecknen", "characters"),
    ("tecknet", "character"),
    ("testfall", "test case"),
    ("testfallen", "test cases"),
    ("testfallet", "test case"),
    ("till", "to"),
    ("till och med", "to"),
    ("tio", "ten"),
    ("tre", "three"),
    ("tredje", "third"),
    ("tusen", "thousand"),
    ("två", "two"),
    ("unika", "unique"),
    ("upp till", "up to"),
    ("ut", "out"),
    ("utdata", "output"),
    ("utmatning", "output"),
    ("vanliga", "usual"),
    ("var", "each"),
    ("var och en av", "each of"),
    ("vara", "be"),
    ("vardera", "each"),
    ("varje", "each"),
    ("varsin", "a"),
    ("varsitt", "a"),
    ("versaler", "uppercase letters"),
    ("vilken", "which"),
    ("vilket", "which"),
    ("växande", "increasing"),
    ("ytterligare", "additional"),
    ("är", "is"),
    ("åtta", "eight"),
    ("ökande", "increasing"),
    ("överskrider", "exceed"),
    ("överstiga", "exceed"),
    ("överstiger", "exceed"),
];

const DANISH_AND_NORWEGIAN: &[(&str, &str)] = &[
    ("af", "of"),
    ("alle", "all"),
    ("anden", "second"),
    ("andre", "second"),
    ("antal", "number"),
    ("antallet", "the number of"),
    ("antallet af", "the number of"),
    ("av", "of"),
    ("bedømmelse", "scoring"),
    ("begrensninger", "constraints"),
    ("begrænsninger", "constraints"),
    ("beskriver", "describes"),
    ("bestående", "consisting"),
    ("består", "consists"),
    ("bogstav", "letter"),
    ("bogstaver", "letters"),
    ("bokstav", "letter"),
    ("bokstaver", "letters"),
    ("cifre", "digits"),
    ("de", "the"),
    ("decimaler", "decimals"),
    ("den", "the"),
    ("derefter", "then"),
    ("deretter", "then"),
    ("desimaler", "decimals"),
    ("det", "the"),
    ("disse", "these"),
    ("eksempel", "example"),
    ("eksempler", "examples"),
    ("eller", "or"),
    ("en", "a"),
    ("eneste", "only"),
    ("er", "is"),
    ("et", "a"),
    ("ett", "a"),
    ("fem", "five"),
    ("femte", "fifth"),
    ("fire", "four"),
    ("fjerde", "fourth"),
    ("flyttall", "real number"),
    ("forklaring", "explanation"),
    ("forskellige", "distinct"),
    ("forskjellige", "distinct"),
    ("fra", "from"),
    ("fulgt", "followed"),
    ("fulgt af", "followed by"),
    ("fulgt av", "followed by"),
    ("følgende", "following"),
    ("følger", "follow"),
    ("første", "first"),
    ("garanteret", "guaranteed"),
    ("garantert", "guaranteed"),
    ("heltal", "integers"),
    ("heltall", "integers"),
    ("heltallene", "integers"),
    ("heltallet", "integer"),
    ("hver", "each"),
    ("hver af", "each of"),
    ("hver av", "each of"),
    ("hvert", "each"),
    ("hvor", "where"),
    ("højest", "at most"),
    ("højst", "at most"),
    ("høyst", "at most"),
    ("i", "in"),
    ("ikke", "not"),
    ("ikke-negative", "non-negative"),
    ("inddata", "input"),
    ("indeholder", "contains"),
    ("ingen", "no"),
    ("inndata", "input"),
    ("inneholder", "contains"),
    ("lengde", "length"),
    ("lengden", "length"),
    ("linje", "line"),
    ("linjen", "line"),
    ("linjene", "lines"),
    ("linjer", "lines"),
    ("linjerne", "lines"),
    ("længde", "length"),
    ("længden", "length"),
    ("maks", "at most"),
    ("maksimalt", "at most"),
    ("med", "with"),
    ("mellem", "between"),
    ("mellemrum", "spaces"),
    ("mellom", "between"),
    ("mellomrom", "spaces"),
    ("mindre end", "less than"),
    ("mindst", "at least"),
    ("minst", "at least"),
    ("neste", "next"),
    ("ni", "nine"),
    ("næste", "next"),
    ("og", "and"),
    ("op til", "up to"),
    ("opp til", "up to"),
    ("ord", "words"),
    ("otte", "eight"),
    ("par", "pairs"),
    ("poenggiving", "scoring"),
    ("poenggivning", "scoring"),
    ("pointgivning", "scoring"),
    ("positivt", "positive"),
    ("på", "on"),
    ("samme", "same"),
    ("samt", "and"),
    ("seks", "six"),
    ("separeret", "separated"),
    ("sidste", "last"),
    ("siffer", "digits"),
    ("siste", "last"),
    ("sjette", "sixth"),
    ("små bogstaver", "lowercase letters"),
    ("små bokstaver", "lowercase letters"),
    ("som", "that"),
    ("store bogstaver", "uppercase letters"),
    ("store bokstaver", "uppercase letters"),
    ("streng", "string"),
    ("strenge", "strings"),
    ("strengen", "string"),
    ("strenger", "strings"),
    ("summen af", "the sum of"),
    ("summen av", "the sum of"),
    ("syv", "seven"),
    ("så", "then"),
    ("tal", "numbers"),
    ("tall", "numbers"),
    ("tallene", "numbers"),
    ("tallet", "number"),
    ("tegn", "characters"),
    ("ti", "ten"),
    ("til", "to"),
    ("to", "two"),
    ("tre", "three"),
    ("tredje", "third"),
    ("uddata", "output"),
    ("unike", "unique"),
    ("unikke", "unique"),
    ("utdata", "output"),
    ("være", "be"),
    ("åtte", "eight"),
];

/// Returns the language of a text, unless it is English or not known.
pub(super) fn find_language(text: &str) -> Option<&'static Language> {
    let pieces = split_pieces(text);
    let words: Vec<String> =
        pieces.iter().filter(|piece| piece.is_word).map(|piece| piece.text.to_lowercase()).collect();
    let marked = |language: &Language| words.iter().filter(|word| language.markers.contains(&word.as_str())).count();
    // Other languages share single words.
    let different =
        |language: &Language| language.markers.iter().filter(|marker| words.iter().any(|word| word == *marker)).count();
    let language = LANGUAGES.iter().max_by_key(|language| (different(language), marked(language)))?;
    let english = words.iter().filter(|word| matches!(word.as_str(), "the" | "and" | "of")).count();
    (different(language) >= MIN_MARKERS && marked(language) >= english).then_some(language)
}

impl Language {
    /// Returns a plain text in English words. Each sentence of the text becomes one of the translation.
    pub(super) fn translate_words(&self, text: &str) -> String {
        let pieces = split_pieces(text);
        let mut translated = String::with_capacity(text.len());
        let mut at = 0;
        while let Some(piece) = pieces.get(at) {
            match meaning_at(&pieces, at, self) {
                Some((meaning, length)) => {
                    translated.push_str(meaning);
                    // Each line stays one.
                    translated.extend(pieces[at..at + length].iter().flat_map(|piece| piece.text.matches('\n')));
                    at += length;
                }
                None => {
                    translated.push_str(&translate_ordinal(piece, at, &pieces, self));
                    at += 1;
                }
            }
        }
        translated
    }

    /// Returns the part of a text without headings that is about the input.
    pub(super) fn input_passage<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.passages.as_ref()?.input_passage(text)
    }
}

/// A word of a text, or what is between two words.
struct Piece<'t> {
    text: &'t str,
    is_word: bool,
    /// True after the end of a formula.
    follows_formula: bool,
}

/// Splits a text into words and what is between them. A formula has no words.
fn split_pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let mut rest = text;
    let mut follows_formula = false;
    while let Some(first) = rest.chars().next() {
        let is_word = first.is_alphabetic();
        let is_joint = |c: char| c.is_alphanumeric() || c == '-';
        let length = if is_word {
            rest.find(|c: char| !is_joint(c)).unwrap_or(rest.len())
        } else if first == FORMULA {
            rest[1..].find(FORMULA).map_or(rest.len(), |end| end + 2)
        } else {
            rest.find(|c: char| c.is_alphabetic() || c == FORMULA).unwrap_or(rest.len())
        };
        pieces.push(Piece { text: &rest[..length], is_word, follows_formula });
        follows_formula = first == FORMULA;
        rest = &rest[length..];
    }
    pieces
}

/// Returns the meaning of the longest phrase that begins at a piece, and its number of pieces.
fn meaning_at(pieces: &[Piece<'_>], at: usize, language: &Language) -> Option<(&'static str, usize)> {
    (1..=MAX_PHRASE).rev().find_map(|words| {
        let phrase = pieces.get(at..at + 2 * words - 1)?;
        let is_phrase = phrase.iter().enumerate().all(|(place, piece)| match place % 2 {
            0 => piece.is_word,
            _ => piece.text.chars().all(char::is_whitespace),
        });
        let words: Vec<String> = phrase.iter().step_by(2).map(|piece| piece.text.to_lowercase()).collect();
        let wanted = words.join(" ");
        let known = language.words.iter().find(|(word, _)| is_phrase && *word == wanted);
        known.map(|(_, meaning)| (*meaning, phrase.len()))
    })
}

/// Returns a piece as it is, or `'th` for the ending of an ordinal behind a formula.
fn translate_ordinal(piece: &Piece<'_>, at: usize, pieces: &[Piece<'_>], language: &Language) -> String {
    let next = pieces.get(at + 1).filter(|next| next.is_word).map_or("", |next| next.text);
    let before = at.checked_sub(1).map(|before| &pieces[before]);
    let whole = format!("{}{next}", piece.text);
    if piece.follows_formula && !piece.is_word && language.ordinals.contains(&whole.as_str()) {
        return String::new();
    }
    let joined = before.filter(|before| before.follows_formula && !before.is_word);
    if joined.is_some_and(|joint| language.ordinals.contains(&format!("{}{}", joint.text, piece.text).as_str())) {
        return " th".to_owned();
    }
    piece.text.to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;

    fn translate_words(text: &str) -> Option<String> {
        Some(find_language(text)?.translate_words(text))
    }

    #[test]
    fn statements_in_scandinavian_languages_are_translated() {
        let cases = [
            (
                "Den första raden innehåller två heltal N och M. Därefter följer M rader, där den i raden är minst 1.",
                "the first line contains two integers N and M. then follow M lines, where the in line is at least 1.",
            ),
            (
                "Den första raden innehåller ett heltal och följs\nav en sträng av längd N.",
                "the first line contains a integers and is followed by\n a string of length N.",
            ),
            ("Den første linje indeholder to heltal og er kort.", "the first line contains two integers and is kort."),
        ];
        for (text, expected) in cases {
            assert_eq!(translate_words(text).unwrap(), expected, "{text}");
        }
        let ordinal = format!("Det {FORMULA}i{FORMULA}:te talet är och innehåller raden.");
        let expected = format!("the {FORMULA}i{FORMULA} th number is and contains line.");
        assert_eq!(translate_words(&ordinal).unwrap(), expected);
    }

    #[test]
    fn french_is_read_word_by_word() {
        let text = "La première ligne contient deux entiers n et m séparés par un espace. Les m lignes suivantes contiennent \
                    chacune un entier entre 1 et n.";
        let expected = "the first line contains two integers n and m separated by a space. the m following lines each \
                        contain a integer between 1 and n.";
        assert_eq!(translate_words(text).unwrap(), expected);
        // Few words of another language do not outweigh those of the text's own.
        let swedish = "Den första raden innehåller ett heltal och är kort. Du ska skriva ut la, le och du.";
        assert!(translate_words(swedish).unwrap().starts_with("the first line contains"));
    }

    #[test]
    fn icelandic_is_translated() {
        let cases = [
            (
                "Fyrsta lína inntaksins inniheldur tvær heiltölur, og næstu línur eru með einni heiltölu hver.",
                "first line of the input contains two integers, and next lines are with one integer each.",
            ),
            (
                "Inntak er ein lína með streng sem er í mesta lagi 9 stafir að lengd og inniheldur orðið.",
                "input is one line with a string that is at most 9 characters in length and contains word.",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(translate_words(text).unwrap(), expected, "{text}");
        }
        let ordinal = format!("Lína {FORMULA}i{FORMULA}-ta línan er og inniheldur.");
        assert_eq!(translate_words(&ordinal).unwrap(), format!("line {FORMULA}i{FORMULA} th line is and contains."));
    }

    #[test]
    fn english_stays_as_it_is() {
        for text in ["The first line contains n and m.", "Der er en linje", ""] {
            assert_eq!(translate_words(text), None, "{text}");
        }
    }

    #[test]
    fn tables_are_in_order() {
        for language in LANGUAGES {
            assert!(language.words.is_sorted_by(|a, b| a.0 < b.0));
        }
    }
}
