//! The fuzz targets: how a case is generated, and the invariants that hold for it.

use super::corpus::Corpus;
use super::mutate::{WORDS, mutated};
use rebut_checkers::{CHECKERS, Checker, DiffOptions, Judgement, TestlibChecker, diff_outputs};
use rebut_diagnostics::SourceText;
use rebut_format::generate::{GenerationPlan, GenerationSettings, generate_value};
use rebut_format::language::{FieldKind, Format, TokenPattern};
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::validate::{explain_violation, find_violation};
use rebut_generators::Choices;

/// The input of one execution.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// The index of the format or checker.
    pub(super) pick: usize,
    /// The texts, which are minimized when the case fails.
    pub(super) parts: Vec<Vec<u8>>,
}

/// How far an execution got, or the invariant that it broke.
pub(super) type Checked = Result<&'static str, String>;

/// A fuzz target.
pub(super) struct Target<'c> {
    pub(super) make: Box<dyn Fn(&mut Choices) -> Case + Sync + 'c>,
    pub(super) check: Box<dyn Fn(&Case) -> Checked + Sync + 'c>,
}

/// Returns the target with this name.
pub(super) fn target<'c>(name: &str, corpus: &'c Corpus) -> Target<'c> {
    match name {
        "format" => formats(corpus),
        "read" => reads(corpus),
        "checker" => checkers(corpus),
        "pattern" => patterns(),
        "generate" => generated(corpus),
        "package" => super::packages::packages(),
        "source" => super::hostile::sources(),
        "statement" => super::hostile::statements(),
        _ => {
            panic!("there is no target `{name}`: format, read, checker, pattern, generate, package, source, statement")
        }
    }
}

fn formats(corpus: &Corpus) -> Target<'_> {
    let make = |choices: &mut Choices| {
        let text = choices.pick_item(&corpus.texts).cloned().unwrap_or_default();
        Case { pick: 0, parts: vec![mutated(choices, &text, &corpus.texts, WORDS)] }
    };
    let check = |case: &Case| {
        let source = SourceText::new("format", case.parts[0].clone());
        let (class, problems) = match Format::parse(&source) {
            Ok((_, warnings)) => ("accepted", warnings),
            Err(problems) => ("refused", problems),
        };
        if class == "refused" && problems.is_empty() {
            return Err("it is refused without a word".to_owned());
        }
        for problem in problems {
            if problem.render_text(&source).is_empty() {
                return Err(format!("{problem:?} renders as nothing"));
            }
        }
        Ok(class)
    };
    Target { make: Box::new(make), check: Box::new(check) }
}

fn reads(corpus: &Corpus) -> Target<'_> {
    let make = |choices: &mut Choices| {
        let pick = choices.draw_index(corpus.formats.len());
        let own = &corpus.formats[pick].1;
        let from = if choices.draw_chance(1, 20) { &corpus.inputs } else { own };
        let text = choices.pick_item(from).cloned().unwrap_or_default();
        let others = if choices.draw_chance(1, 4) { &corpus.inputs } else { own };
        Case { pick, parts: vec![mutated(choices, &text, others, &[" ", "\n", "0", "1", "-", "  ", "0 0\n", "\r\n"])] }
    };
    let check = |case: &Case| read_back(&corpus.formats[case.pick].0, &case.parts[0]);
    Target { make: Box::new(make), check: Box::new(check) }
}

/// Reads, validates, explains and prints an input.
fn read_back(format: &Format, bytes: &[u8]) -> Checked {
    let source = SourceText::new("input", bytes);
    let value = match read_input(format, bytes) {
        Ok(value) => value,
        Err(problem) => {
            problem.render_text(&source);
            return Ok("refused by its form");
        }
    };
    let again = print_value(format, &value);
    if again != bytes && !has_free_spelling(format) {
        return Err(format!("it is printed as {:?}", String::from_utf8_lossy(&again)));
    }
    if again != bytes && read_input(format, &again).as_ref() != Ok(&value) {
        return Err(format!("{:?} is read as another value", String::from_utf8_lossy(&again)));
    }
    match find_violation(format, &value) {
        None => Ok("valid"),
        Some(broken) => {
            explain_violation(format, &value, &broken).render_text(&source);
            Ok("refused by a constraint")
        }
    }
}

/// Returns true if a number has several spellings.
fn has_free_spelling(format: &Format) -> bool {
    format.fields.iter().any(|f| matches!(f.kind, FieldKind::Real(d) if d.min != d.max))
}

/// Checkers that are not on the list.
const MORE_CHECKERS: &[&str] = &[
    "numbers:0",
    "icpc:case_sensitive,space_change_sensitive,float_tolerance=1e-6",
    "icpc:space_change_sensitive",
    "icpc:float_absolute_tolerance=0.5",
];

fn checkers(corpus: &Corpus) -> Target<'_> {
    const OWN: &[&str] = &[
        "YES",
        "no",
        "nan",
        "1e308",
        "-0.0",
        "1e-400",
        "\r\n",
        "\u{85}",
        "0x10",
        "1/0",
        "\u{1b}[31m",
        "\r",
        "\u{b}",
        "\u{feff}",
        "+5",
        "1e301",
        "Case 1: ",
        "Case 2: ",
        "Case",
        "2:",
        "-0",
        "9223372036854775808",
    ];
    let make = |choices: &mut Choices| {
        let answer = choices.pick_item(&corpus.inputs).cloned().unwrap_or_default();
        let answer = if choices.draw_chance(1, 3) { mutated(choices, &answer, &corpus.inputs, OWN) } else { answer };
        let output = mutated(choices, &answer, &corpus.inputs, OWN);
        Case { pick: choices.draw_index(CHECKERS.len() + MORE_CHECKERS.len()), parts: vec![answer, output] }
    };
    let check = |case: &Case| {
        let names: Vec<&str> = CHECKERS.iter().map(|info| info.name).chain(MORE_CHECKERS.iter().copied()).collect();
        let checker = Checker::parse(names[case.pick])?;
        let (answer, output) = (&case.parts[0], &case.parts[1]);
        let itself = checker.check(b"", answer, answer);
        if !itself.is_accepted() && !may_refuse_the_answer(&checker, &itself, answer) {
            return Err(format!("{} refuses the answer itself: {itself:?}", checker.name()));
        }
        match checker.check(b"", answer, output) {
            Judgement::Accepted => Ok("accepted"),
            Judgement::Failed(why) if why.is_empty() => Err("it fails without a word".to_owned()),
            Judgement::Failed(_) => Ok("failed"),
            Judgement::Wrong(wrong) if wrong.message.is_empty() || wrong.message.chars().any(char::is_control) => {
                Err(format!("its message is {:?}", wrong.message))
            }
            Judgement::Wrong(_) => {
                diff_outputs(answer, output, &checker, &DiffOptions::default());
                Ok("wrong")
            }
        }
    };
    Target { make: Box::new(make), check: Box::new(check) }
}

/// Returns true if a checker can refuse an answer as output: testlib's checkers demand a form and fail if it is
/// missing. Only those of one value read less of the answer than of the output.
fn may_refuse_the_answer(checker: &Checker, judgement: &Judgement, answer: &[u8]) -> bool {
    use TestlibChecker::*;
    let Checker::Testlib(testlib) = checker else { return false };
    match (testlib, judgement) {
        (_, Judgement::Failed(_)) => !matches!(testlib, Wcmp | Fcmp | Lcmp),
        (Acmp | Dcmp | Icmp | Pointscmp | Pointsinfo | Rcmp | Yesno, _) => true,
        _ => answer.starts_with("\u{feff}".as_bytes()),
    }
}

/// Expressions to start from.
const STARTS: &[&str] = &[
    "[1-3](\\+[1-3])*",
    "([01][0-9]|2[0-3]):[0-5][0-9]",
    "-?[1-9][0-9]*|0",
    "[A-Z][a-z]*(-[A-Z][a-z]*)*",
    "([A-Za-z0-9]+( +[A-Za-z0-9]+)*)?",
    "(ab)*c?",
    "a{2,5}b+",
    "\\w+\\.\\d{1,3}",
    "(a|b)*a(a|b)(a|b)",
    "[^ ]+",
];

/// Pieces of expressions.
const PARTS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "[^",
    "*",
    "+",
    "?",
    "{2}",
    "{1,3}",
    "{0,}",
    "|",
    "\\d",
    "\\w",
    "\\s",
    "\\b",
    ".",
    "^",
    "$",
    "(?i)",
    "(?:",
    "\\x41",
    "\\p{L}",
    "[a-z]",
    "[[:alpha:]]",
    "--",
    "&&",
    "\\",
    "-",
    "(?P<n>",
    "{9}",
];

fn patterns<'c>() -> Target<'c> {
    let make = |choices: &mut Choices| {
        let start = choices.pick_item(STARTS).map(|s| s.as_bytes().to_vec()).unwrap_or_default();
        let others: Vec<Vec<u8>> = STARTS.iter().map(|s| s.as_bytes().to_vec()).collect();
        let text = mutated(choices, &start, &others, PARTS);
        let seed = choices.draw_below(u64::MAX);
        Case { pick: seed as usize, parts: vec![text[..text.len().min(60)].to_vec()] }
    };
    Target { make: Box::new(make), check: Box::new(drawn_matches) }
}

/// Checks that drawn texts match, and that each possible length has one.
fn drawn_matches(case: &Case) -> Checked {
    let text = String::from_utf8_lossy(&case.parts[0]);
    let Ok(pattern) = TokenPattern::new(&text) else { return Ok("refused") };
    let mut choices = Choices::from_seed(case.pick as u64, 0);
    let lengths = pattern.possible_lengths(12);
    for (length, has) in lengths.iter().enumerate() {
        let drawn = pattern.draw_match(length, &mut |n| choices.draw_index(n));
        if drawn.is_some() != *has {
            return Err(format!("length {length}: {has}, but {drawn:?} is drawn"));
        }
        let Some(drawn) = drawn else { continue };
        let fits = drawn.len() == length && pattern.is_match(&drawn);
        if !fits || drawn.iter().any(|letter| !pattern.alphabet().contains(letter)) {
            return Err(format!("{:?} is drawn", String::from_utf8_lossy(&drawn)));
        }
        if length < pattern.min_length() || pattern.max_length().is_some_and(|most| length > most) {
            return Err(format!("length {length} is outside of its own bounds"));
        }
    }
    Ok("accepted")
}

/// Mutated formats that are still accepted: inputs generated from them are valid and read back.
fn generated(corpus: &Corpus) -> Target<'_> {
    let make = |choices: &mut Choices| {
        let text = choices.pick_item(&corpus.texts).cloned().unwrap_or_default();
        let text = mutated(choices, &text, &corpus.texts, WORDS);
        Case { pick: choices.draw_below(1 << 32) as usize, parts: vec![with_small_numbers(&text)] }
    };
    let check = |case: &Case| {
        let source = SourceText::new("format", case.parts[0].clone());
        let Ok((format, _)) = Format::parse(&source) else { return Ok("refused") };
        let settings = GenerationSettings {
            growth: 0,
            max_elements: 100,
            max_wasted_draws: 100_000,
            ..GenerationSettings::default()
        };
        let made =
            generate_value(&GenerationPlan::new(&format), &mut Choices::from_seed(case.pick as u64, 0), &settings);
        let Ok(made) = made else { return Ok("nothing found") };
        let bytes = print_value(&format, &made.value);
        match read_input(&format, &bytes) {
            Ok(value) if value == made.value => {}
            Ok(_) => return Err(format!("{:?} is read as another value", String::from_utf8_lossy(&bytes))),
            Err(problem) => return Err(problem.render_text(&SourceText::new("input", bytes))),
        }
        match find_violation(&format, &made.value) {
            None => Ok("valid"),
            Some(broken) => {
                Err(explain_violation(&format, &made.value, &broken).render_text(&SourceText::new("input", bytes)))
            }
        }
    };
    Target { make: Box::new(make), check: Box::new(check) }
}

/// Returns the format with numbers of at most two digits and without powers: huge or unsatisfiable formats take time
/// and memory and show no bugs.
fn with_small_numbers(text: &[u8]) -> Vec<u8> {
    let mut small: Vec<u8> = Vec::with_capacity(text.len());
    let mut digits = 0;
    for byte in text.iter().copied().filter(|b| *b != b'^') {
        if byte == b'e' && digits > 0 {
            continue;
        }
        digits = if byte.is_ascii_digit() { digits + 1 } else { 0 };
        if digits <= 2 {
            small.push(byte);
        }
    }
    small
}
