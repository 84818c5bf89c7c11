//! `rebut format fmt`: a normal form with the same meaning. The formats of all published problems are tested as they
//! are and squeezed onto one line.

use crate::environment::{Folder, home};
use rebut_diagnostics::SourceText;
use rebut_format::generate::{GenerationPlan, GenerationSettings, generate_value};
use rebut_format::language::{Constraint, Format, format_source};
use rebut_format::print::print_value;
use rebut_format::syntax::SyntaxTree;
use rebut_generators::Choices;
use std::path::PathBuf;

fn formats() -> Vec<PathBuf> {
    let folder = home().join("testdata/formats/valid");
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

#[track_caller]
fn parse(text: &str) -> Format {
    Format::parse(&SourceText::new("f", text)).unwrap_or_else(|problems| panic!("{text}\n{problems:?}")).0
}

#[track_caller]
fn tidy(text: &str) -> String {
    format_source(&SourceText::new("f", text)).unwrap_or_else(|problems| panic!("{text}\n{problems:?}"))
}

/// Returns the meaning of a format: its model without source positions.
fn meaning(format: &Format) -> String {
    let rules = |constraints: &[Constraint]| {
        constraints.iter().map(|c| format!("{:?} {:?} {:?}\n", c.rule, c.home_block, c.class)).collect::<String>()
    };
    let fields = format
        .fields
        .iter()
        .map(|f| format!("{} {:?} {:?} {:?} {:?} {:?}\n", f.name, f.block, f.kind, f.dimensions, f.range, f.length));
    let blocks = format.blocks.iter().map(|b| format!("{:?} {:?} {:?} {:?}\n", b.parent, b.kind, b.count, b.items));
    let subtasks = format.subtasks.iter().map(|s| format!("{} {:?} {}\n", s.name, s.points, rules(&s.constraints)));
    let commands = format.validators.iter().chain(&format.generators).map(|e| e.command.clone() + "\n");
    let all: String = fields.chain(blocks).chain(subtasks).chain(commands).collect();
    all + &rules(&format.constraints)
}

/// Returns the same format with as few lines and spaces as possible: the constraints on one line, and the layout as
/// well if it has no blocks.
fn squeeze(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
    let at = lines.iter().position(|line| *line == "where:").unwrap();
    let rules: Vec<&str> = lines[at + 1..].iter().map(|line| line.trim()).collect();
    let rules = rules.join(";").replace(" <= ", "≤").replace(" != ", "≠").replace(", ", " , ");
    let layout = &lines[..at];
    match layout.iter().any(|line| line.ends_with(':')) {
        true => format!("{}\nwhere {rules}", layout.join("\n").replace("    ", "  ")),
        false => format!("{} where {rules}", layout.join(";")),
    }
}

#[track_caller]
fn check_same(written: &str, tidied: &str) {
    let (before, after) = (parse(written), parse(tidied));
    assert!(meaning(&before) == meaning(&after), "another meaning:\n{written}\n{tidied}");
    assert!(tidy(tidied) == tidied, "formatting again changes\n{tidied}");
    let settings = GenerationSettings { growth: 20, max_elements: 300, ..GenerationSettings::default() };
    let bytes = |format: &Format| {
        let made = generate_value(&GenerationPlan::new(format), &mut Choices::from_seed(7, 0), &settings);
        made.map_or_else(|_| Vec::new(), |made| print_value(format, &made.value))
    };
    assert!(bytes(&before) == bytes(&after), "other inputs:\n{written}\n{tidied}");
}

#[test]
fn normal_form_has_the_same_meaning() {
    for path in formats() {
        let written = std::fs::read_to_string(&path).unwrap();
        check_same(&written, &tidy(&written));
    }
}

#[test]
fn one_line_forms_are_split_again() {
    for path in formats() {
        let written = std::fs::read_to_string(&path).unwrap();
        // On one line, blocks of constraints cannot be separated from what follows.
        if written.contains("subtask") || written.contains("    if ") {
            continue;
        }
        let short = squeeze(&written);
        let tidied = tidy(&short);
        check_same(&short, &tidied);
        let without_comments: String =
            tidy(&written).lines().filter(|line| !line.starts_with('#')).map(|line| line.to_owned() + "\n").collect();
        assert_eq!(tidied, without_comments, "{short}");
    }
}

#[test]
fn published_formats_are_in_their_normal_form() {
    let broken: Vec<String> = formats()
        .iter()
        .filter(|path| {
            let written = std::fs::read_to_string(path).unwrap();
            tidy(&written) != written
        })
        .map(|path| path.display().to_string())
        .collect();
    assert!(broken.is_empty(), "`rebut format fmt` changes {broken:#?}");
}

#[test]
fn fmt_writes_checks_or_prints() {
    const LOOSE: &str = "n;a[n] where 1≤n≤9;0<=a<=9 # both\n";
    const TIDY: &str = "# both\nn\na[n]\nwhere:\n    1 <= n <= 9\n    0 <= a <= 9\n";
    let folder = Folder::new().file("a.format", LOOSE).file("b.format", TIDY);
    let checked = folder.rebut("format fmt --check a.format b.format").exits(1);
    assert_eq!(checked.stdout, "a.format\n");
    assert_eq!(folder.read("a.format"), LOOSE);
    assert_eq!(folder.rebut("format fmt --stdout a.format").exits(0).stdout, TIDY);
    assert_eq!(folder.read("a.format"), LOOSE);
    folder.rebut("format fmt a.format b.format").exits(0);
    assert_eq!(folder.read("a.format"), TIDY);
    folder.rebut("format fmt --check a.format b.format").exits(0);
}

#[test]
fn broken_format_is_left_alone() {
    const BROKEN: &str = "n\nwhere:\n  1<=m<=9\n";
    let folder = Folder::new().file("a.format", BROKEN).file("b.format", "n where 1<=n<=9\n");
    folder.rebut("format fmt a.format b.format").exits(2).shows_all(&["a.format:3:", "`m`"]);
    assert_eq!(folder.read("a.format"), BROKEN);
    assert_eq!(folder.read("b.format"), "n\nwhere:\n    1 <= n <= 9\n");
}

/// Returns a tree as text, without its locations.
fn without_locations(tree: &SyntaxTree) -> String {
    let text = format!("{tree:?}");
    let pieces = text.split("Span { ").map(|piece| match piece.split_once(" }") {
        Some((location, rest)) if location.starts_with("start: ") => rest,
        _ => piece,
    });
    pieces.collect()
}

#[test]
fn printed_syntax_trees_are_read_as_they_were() {
    for path in formats() {
        let text = std::fs::read_to_string(&path).unwrap();
        let read =
            |text: &str| SyntaxTree::parse(&SourceText::new("f", text)).unwrap_or_else(|p| panic!("{text}\n{p:?}"));
        let tree = read(&text);
        let printed = tree.to_string();
        let again = read(&printed);
        assert!(without_locations(&again) == without_locations(&tree), "{}\n{printed}", path.display());
        assert_eq!(again.to_string(), printed, "{}", path.display());
        assert_eq!(tidy(&printed), printed, "{}", path.display());
    }
}
