//! Infers a format from the samples and the statement of problem packages, and reads their secret inputs with it.
//!
//!     cargo run --release -p rebut-infer --example accuracy -- PACKAGE...
//!
//! Prints a line for each package: whether all inputs in `data/secret` have the inferred layout, the number of
//! questions, whether one of them has it instead, and the time.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    clippy::print_stdout,
    reason = "a program for measurements"
)]

use rebut_diagnostics::{Diagnostic, SourceText};
use rebut_format::language::Format;
use rebut_format::read::read_input;
use rebut_format::syntax::{LayoutNode, SyntaxFieldKind, SyntaxPart, SyntaxPartKind, SyntaxRule, SyntaxTree};
use rebut_format::validate::find_violation;
use rebut_format::value::Value;
use rebut_infer::{Inference, Sample, infer_format};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Maximum number of bytes of a secret input that is read.
const MAX_BYTES: u64 = 1 << 15;

fn main() {
    for package in std::env::args().skip(1) {
        let folder = Path::new(&package);
        let samples: Vec<Sample> = inputs_in(&folder.join("data/sample"))
            .iter()
            .filter_map(|path| Some(Sample::new(path.display().to_string(), &fs::read(path).ok()?)))
            .collect();
        let statement = statement_of(folder);
        let secret = inputs_in(&folder.join("data/secret"));
        let mut runs: Vec<(&str, &[Sample], Option<&str>)> = vec![("samples", &samples, None)];
        if let Some(statement) = statement.as_deref() {
            runs.push(("statement", &samples, Some(statement)));
            runs.push(("statement alone", &[], Some(statement)));
        }
        for (origin, samples, statement) in runs {
            let started = Instant::now();
            let inference = infer_format(samples, statement);
            let millis = started.elapsed().as_millis();
            let line = match &inference {
                Ok(inference) => describe_inference(inference, &secret),
                Err(error) => format!("none ({error})"),
            };
            println!("{package}\t{origin}\t{} samples\t{line}\t{millis} ms", samples.len());
            if let (Ok(inference), true) = (&inference, std::env::var_os("SHOW").is_some()) {
                println!("{}", inference.text);
                inference.questions.iter().for_each(|question| println!("? {:?}", question.lines));
                inference.notes.iter().for_each(|note| println!("! {note}"));
            }
        }
    }
}

fn describe_inference(inference: &Inference, secret: &[PathBuf]) -> String {
    let is_right = reads_all(&inference.text, secret);
    let other = inference.questions.iter().any(|question| reads_all(&question.text, secret));
    let verdict = match (is_right, inference.questions.is_empty() && !inference.is_cut_short, other) {
        (true, true, _) => "right",
        (true, false, _) => "right+question",
        (false, _, true) => "asked",
        (false, false, false) => "wrong+question",
        (false, true, false) if !inference.notes.is_empty() => "wrong+note",
        (false, true, false) => "WRONG",
    };
    let (questions, notes) = (inference.questions.len(), inference.notes.len());
    let bounds = if accepts_all(&inference.text, secret) { "bounds fit" } else { "bounds do not fit" };
    format!("{verdict}\t{questions} questions\t{notes} notes\t{} inputs\t{bounds}", secret.len())
}

/// Returns true if a format accepts all inputs, with its bounds.
fn accepts_all(text: &str, inputs: &[PathBuf]) -> bool {
    let Ok((format, _)) = Format::parse(&SourceText::new("inferred", text.as_bytes())) else { return false };
    small_inputs(inputs).all(|(path, spellings)| {
        let violations: Option<Vec<String>> = spellings.iter().map(|bytes| violation_of(&format, bytes)).collect();
        if let (Some(violations), true) = (&violations, std::env::var_os("SHOW").is_some()) {
            let shown = violations.first().map(|first| first.chars().take(200).collect::<String>());
            println!("  {}: bounds: {}", path.display(), shown.unwrap_or_default());
        }
        violations.is_none()
    })
}

/// Returns why a format does not accept an input, or `None` if it does.
fn violation_of(format: &Format, bytes: &[u8]) -> Option<String> {
    match read_input(format, bytes) {
        Ok(value) => find_violation(format, &value).map(|violation| format!("{violation:?}")),
        Err(problem) => Some(problem.message),
    }
}

/// Reads the inputs that are small, each as it is and with single spaces and without empty lines at its end.
fn small_inputs(inputs: &[PathBuf]) -> impl Iterator<Item = (&PathBuf, [Vec<u8>; 2])> {
    inputs.iter().filter_map(|path| {
        let is_small = fs::metadata(path).is_ok_and(|data| data.len() <= MAX_BYTES);
        let bytes = is_small.then(|| fs::read(path).ok()).flatten()?;
        let respaced = Sample::new("secret", &bytes).to_bytes();
        Some((path, [bytes, respaced]))
    })
}

/// Reads an input in one of two spellings.
fn read_any(format: &Format, [bytes, respaced]: &[Vec<u8>; 2]) -> Result<Value, Diagnostic> {
    read_input(format, bytes).or_else(|_| read_input(format, respaced))
}

/// Returns true if a layout reads all inputs, whatever their numbers are.
fn reads_all(text: &str, inputs: &[PathBuf]) -> bool {
    let text = widen_bounds(text);
    let Ok((format, _)) = Format::parse(&SourceText::new("inferred", text.as_bytes())) else {
        println!("cannot be widened:\n{text}");
        return false;
    };
    small_inputs(inputs).all(|(path, spellings)| match read_any(&format, &spellings) {
        Ok(_) => true,
        Err(problem) => {
            if std::env::var_os("SHOW").is_some() {
                println!("  {}: {}", path.display(), problem.message);
            }
            false
        }
    })
}

/// Returns a format with the same layout and with the widest bounds.
fn widen_bounds(text: &str) -> String {
    let Ok(tree) = SyntaxTree::parse(&SourceText::new("inferred", text.as_bytes())) else { return String::new() };
    let mut texts: Vec<String> = Vec::new();
    let mut rules = String::new();
    for rule in &tree.rules {
        let SyntaxRule::FieldKind { names, of } = rule else { continue };
        for name in names.iter().filter_map(term_name) {
            match of {
                SyntaxFieldKind::Real(_) => {
                    rules += &format!("    {name} real, -10^15 <= {name} <= 10^15, 0..18 decimals\n");
                    texts.push(name.clone());
                }
                SyntaxFieldKind::Letters(letters, _) => {
                    let space = if letters.contains(&b' ') { " " } else { "" };
                    rules += &format!("    {name} over \"!-~{space}\"\n");
                }
                // A pattern may give the length that the wider one leaves open.
                _ => rules += &format!("    {name} matches \"[!-~]*\"\n    0 <= len({name}) <= 10^7\n"),
            }
            texts.push(name);
        }
    }
    let layout = SyntaxTree { layout: tree.layout.clone(), rules: Vec::new() }.to_string();
    let mut names: Vec<String> = Vec::new();
    field_names(&tree.layout, &mut names);
    for name in names.iter().filter(|name| !texts.contains(name)) {
        let is_size = layout.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word == name).count() > 1;
        let lo = if layout.contains(&format!("{name}-")) {
            "1"
        } else if is_size {
            "0"
        } else {
            "-10^30"
        };
        rules += &format!("    {lo} <= {name} <= 10^30\n");
    }
    for name in &names {
        for dimensions in [format!("{name}\n"), format!("{name} "), format!("{name}[]"), format!("{name}[")] {
            if layout.contains(&dimensions)
                && !rules.contains(&format!("len({name})"))
                && (text.contains(&format!("len({name})")) || text.contains(&format!("len({name},")))
            {
                rules += &format!("    0 <= len({name}) <= 10^7\n");
                break;
            }
        }
    }
    let lengths: Vec<&String> =
        names.iter().filter(|name| text.contains(", len(") && text.contains(&format!("len({name})"))).collect();
    for name in lengths {
        if !rules.contains(&format!("len({name})")) {
            rules += &format!("    0 <= len({name}) <= 10^7\n");
        }
    }
    layout.replace("1..100 until", "0..10^6 until") + "where:\n" + &rules
}

fn term_name(term: &rebut_format::syntax::SyntaxTerm) -> Option<String> {
    match &term.kind {
        rebut_format::syntax::SyntaxTermKind::Name(name) => Some(name.clone()),
        _ => None,
    }
}

/// Lists the names of the fields of a layout.
fn field_names(nodes: &[LayoutNode], names: &mut Vec<String>) {
    for node in nodes {
        match node {
            LayoutNode::Parts(parts) => part_names(parts, names),
            LayoutNode::Block { body, .. } => field_names(body, names),
            LayoutNode::Either { alternatives, .. } => alternatives.iter().for_each(|body| field_names(body, names)),
        }
    }
}

fn part_names(parts: &[SyntaxPart], names: &mut Vec<String>) {
    for part in parts {
        match &part.kind {
            SyntaxPartKind::Field(field) => names.push(field.name.clone()),
            SyntaxPartKind::Group { parts, .. } => part_names(parts, names),
            SyntaxPartKind::Literal(_) => {}
        }
    }
}

/// Returns the inputs below a folder, in order.
fn inputs_in(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(inputs_in(&path));
        } else if path.extension().is_some_and(|extension| extension == "in") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Returns the text of the English statement of a package.
fn statement_of(folder: &Path) -> Option<String> {
    let folders = ["problem_statement", "statement", "statements"].map(|name| folder.join(name));
    let mut found: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).ok())
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    found.retain(|path| {
        path.extension().is_some_and(|extension| extension == "tex" || extension == "md" || extension == "html")
    });
    // Beside the statement there may be slides and solutions.
    let is_statement = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem == "problem.en" || stem == "problem");
    let begins_with_problem =
        |path: &PathBuf| path.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with("problem"));
    found.sort_by_key(|path| {
        (!is_statement(path), !begins_with_problem(path), !path.to_string_lossy().contains(".en."))
    });
    fs::read_to_string(found.first()?).ok()
}
