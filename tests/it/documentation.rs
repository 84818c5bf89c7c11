//! The reference of the format language: every format on the page parses, generates inputs that it accepts, and judges
//! the inputs below it as the page states.

use rebut_diagnostics::SourceText;
use rebut_format::generate::{GenerationPlan, GenerationSettings, generate_value};
use rebut_format::language::Format;
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::validate::find_violation;
use rebut_generators::Choices;
use std::path::Path;

/// A fenced block: its info string, the line that it starts on, and its text.
struct Fenced {
    mark: String,
    line: usize,
    text: String,
}

fn fenced(page: &str) -> Vec<Fenced> {
    let mut found: Vec<Fenced> = Vec::new();
    let mut open = false;
    for (i, line) in page.lines().enumerate() {
        if let Some(mark) = line.strip_prefix("```") {
            open = !open;
            if open {
                found.push(Fenced { mark: mark.to_owned(), line: i + 1, text: String::new() });
            }
        } else if let Some(block) = found.last_mut().filter(|_| open) {
            block.text.push_str(line);
            block.text.push('\n');
        }
    }
    found
}

fn page() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/format.md")).unwrap()
}

fn accepts(format: &Format, input: &[u8]) -> Result<(), String> {
    let value = read_input(format, input).map_err(|problem| problem.message)?;
    assert_eq!(print_value(format, &value), input, "what is read prints as it was");
    find_violation(format, &value).map_or(Ok(()), |broken| Err(format!("constraint {}", broken.constraint)))
}

#[test]
fn examples_of_the_format_page_work_as_documented() {
    let mut format: Option<Format> = None;
    let (mut formats, mut inputs) = (0, 0);
    for block in fenced(&page()) {
        let place = format!("docs/format.md:{}", block.line);
        match block.mark.as_str() {
            "format" => {
                let source = SourceText::new(&place, block.text.as_bytes());
                let (read, warnings) = Format::parse(&source).unwrap_or_else(|problems| {
                    panic!("{}", problems.iter().map(|p| p.render_text(&source)).collect::<String>())
                });
                assert!(warnings.is_empty(), "{place}: {warnings:?}");
                check_generation(&read, &place);
                format = Some(read);
                formats += 1;
            }
            "input" | "refused" => {
                let format = format.as_ref().expect("an input stands below its format");
                let judged = accepts(format, block.text.as_bytes());
                assert_eq!(judged.is_ok(), block.mark == "input", "{place}: {judged:?}");
                inputs += 1;
            }
            _ => {}
        }
    }
    assert!(formats >= 24 && inputs >= 20, "{formats} formats, {inputs} inputs");
}

/// Checks that generated inputs are accepted.
fn check_generation(format: &Format, place: &str) {
    let plan = GenerationPlan::new(format);
    for stream in 0..20 {
        let settings =
            GenerationSettings { growth: 5 * stream as u32, max_elements: 1000, ..GenerationSettings::default() };
        let mut choices = Choices::from_seed(7, stream);
        let made =
            generate_value(&plan, &mut choices, &settings).unwrap_or_else(|failure| panic!("{place}: {failure:?}"));
        let input = print_value(format, &made.value);
        accepts(format, &input).unwrap_or_else(|why| panic!("{place}: {why}\n{}", String::from_utf8_lossy(&input)));
    }
}

#[test]
fn keywords_are_documented() {
    let page = page();
    let words = rebut_format::language::vocabulary().map(|word| word.name);
    let missing: Vec<&str> = words.filter(|word| !page.contains(word)).collect();
    assert!(missing.is_empty(), "not on the page: {missing:?}");
}
