//! `rebut format describe` on the formats of published problems. The descriptions of a dozen are files in
//! `testdata/describe`; `REBUT_UPDATE_GOLDEN=1` regenerates them, to be reviewed as a problem setter would read them.

use crate::environment::{Folder, home};
use rebut_diagnostics::SourceText;
use rebut_format::describe::{Markup, describe_format};
use rebut_format::language::{ConstraintRule, Expr, Format};
use std::path::PathBuf;

/// Formats of all kinds.
const SHOWN: &[&str] = &[
    "aizu-grl5a-diameter-of-a-tree",
    "atcoder-abc191d-circle-lattice-points",
    "atcoder-dp-u-grouping",
    "atcoder-practice2b-fenwick-tree",
    "codeforces-1005a-tanya-and-stairways",
    "codeforces-108a-palindromic-times",
    "codeforces-1249b2-books-exchange",
    "codeforces-1374c-move-brackets",
    "codeforces-707b-bakery",
    "cses-1193-labyrinth",
    "cses-1674-subordinates",
    "ioi-2011-race",
    "kattis-allpairspath-all-pairs-shortest-path",
    "kattis-cd-cd",
    "leetcode-57-insert-interval",
    "poj-1003-hangover",
    "uva-498-polly-the-polynomial",
];

fn formats() -> Vec<PathBuf> {
    let folder = home().join("testdata/formats/valid");
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

fn parse(path: &PathBuf) -> Format {
    let name = path.file_stem().unwrap().to_string_lossy();
    Format::parse(&SourceText::new(name, std::fs::read(path).unwrap())).unwrap().0
}

/// Returns true if a formula contains a name in one of its spellings.
fn shows(text: &str, name: &str) -> bool {
    let (letter, rest) = name.split_at(1);
    let forms =
        [format!("\\mathit{{{}}}", name.replace('_', "\\_")), format!("{letter}_{rest}"), format!("{letter}_{{{rest}")];
    let single = rest.is_empty()
        && text.split('$').skip(1).step_by(2).any(|formula| {
            formula.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == name || word.starts_with(name))
        });
    single || forms.iter().any(|form| text.contains(form.as_str()))
}

#[test]
fn every_field_is_named() {
    for path in formats() {
        let format = parse(&path);
        for markup in [Markup::Markdown, Markup::Latex] {
            let text = describe_format(&format, markup);
            for field in &format.fields {
                assert!(shows(&text, &field.name), "{} is not named in\n{text}", field.name);
            }
        }
    }
}

/// Returns the constants that bound a field and are written with plain digits.
fn plain_bounds(format: &Format) -> Vec<i128> {
    let direct = |e: &Expr| matches!(e, Expr::Field(_) | Expr::Length(_));
    let bound = |rule: &ConstraintRule| match rule {
        ConstraintRule::Compare(c) if c.decimals == 0 => match (&*c.left, &*c.right) {
            ([Expr::Constant(bound)], [other]) | ([other], [Expr::Constant(bound)]) if direct(other) => Some(*bound),
            _ => None,
        },
        _ => None,
    };
    let rules = format.constraints.iter().chain(format.subtasks.iter().flat_map(|s| &s.constraints)).map(|c| &c.rule);
    rules.filter_map(bound).filter(|bound| bound.abs() < 1000).collect()
}

#[test]
fn every_bound_is_stated() {
    for path in formats() {
        let format = parse(&path);
        let text = describe_format(&format, Markup::Markdown);
        let numbers: Vec<&str> = text.split(|c: char| !c.is_ascii_digit() && c != '-').collect();
        for bound in plain_bounds(&format) {
            assert!(numbers.contains(&bound.to_string().as_str()), "{bound} is not in\n{text}");
        }
    }
}

#[test]
fn every_text_is_well_formed() {
    for path in formats() {
        let format = parse(&path);
        let markdown = describe_format(&format, Markup::Markdown);
        let latex = describe_format(&format, Markup::Latex);
        for text in [&markdown, &latex] {
            for line in text.lines() {
                assert!(line.replace("\\$", "").matches('$').count() % 2 == 0, "an open formula: {line}");
                for wrong in ["  a", " .", " ,", "..", "$$", "()", ",,", " a integer"] {
                    let line = line.trim_start().replace("\\dots", "");
                    assert!(!prose(&line).contains(wrong), "`{wrong}` in {line}");
                }
            }
        }
        let opened = |what: &str| latex.matches(&format!("\\{what}{{")).count();
        assert_eq!(opened("begin"), opened("end"), "{latex}");
        assert!(brackets_match(&latex), "{latex}");
    }
}

/// Returns the text outside formulas and code.
fn prose(line: &str) -> String {
    let outside = |text: &str, mark: char| {
        text.split(mark).enumerate().map(|(i, part)| if i % 2 == 0 { part } else { "x" }).collect::<String>()
    };
    outside(&outside(line, '`'), '$')
}

fn brackets_match(text: &str) -> bool {
    let plain = text.replace("\\{", "").replace("\\}", "");
    plain.matches('{').count() == plain.matches('}').count()
}

#[test]
fn descriptions_match_their_golden_files() {
    let mut differences = Vec::new();
    for name in SHOWN {
        let format = parse(&home().join("testdata/formats/valid").join(name).with_extension("format"));
        for (markup, ending) in [(Markup::Markdown, "md"), (Markup::Latex, "tex")] {
            let path = home().join("testdata/describe").join(name).with_extension(ending);
            let now = describe_format(&format, markup);
            if std::env::var_os("REBUT_UPDATE_GOLDEN").is_some() {
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(&path, &now).unwrap();
            }
            if std::fs::read_to_string(&path).unwrap_or_default() != now {
                differences.push(format!("{} should be\n{now}", path.display()));
            }
        }
    }
    let all = differences.join("\n");
    assert!(all.is_empty(), "descriptions differ; REBUT_UPDATE_GOLDEN=1 writes them anew\n{all}");
}

#[test]
fn description_is_written_into_a_statement() {
    let statement = "Add them.\n\n% rebut:begin\n% rebut:end\n\n\\section*{Output}\n";
    let folder = Folder::new().file("p/input.format", "n; a[n] where 1 <= n <= 8; 1 <= a <= 9");
    folder.write("p/problem_statement/problem.en.tex", statement);
    folder.write("p/problem_statement/problem.md", "No marks.\n");
    let describe = "format describe p --into p/problem_statement/problem.en.tex";
    folder.rebut(&format!("{describe} --check")).exits(1).shows("not that of the format");
    assert_eq!(folder.read("p/problem_statement/problem.en.tex"), statement);
    folder.rebut(describe).exits(0);
    let text = folder.read("p/problem_statement/problem.en.tex");
    assert!(text.starts_with("Add them.\n\n% rebut:begin\n\\section*{Input}\n"), "{text}");
    assert!(text.ends_with("\n% rebut:end\n\n\\section*{Output}\n") && text.contains("1 \\le n \\le 8"), "{text}");
    folder.rebut(&format!("{describe} --check")).exits(0);
    folder.rebut(describe).exits(0);
    assert_eq!(folder.read("p/problem_statement/problem.en.tex"), text);
    let ran = folder.rebut("format describe p --into p/problem_statement/problem.md").exits(2);
    ran.shows("has no line with `rebut:begin`").shows("<!-- rebut:begin -->");
    // `verify` notices that the format has changed since.
    folder.write("p/input.format", "n; a[n] where 1 <= n <= 7; 1 <= a <= 9");
    folder.write("p/data/secret/1.in", "1\n1\n");
    folder.write("p/data/secret/1.ans", "1\n");
    let ran = folder.rebut("verify p --no-probes").exits(0);
    ran.shows("has other words between its marks than the format").shows("rebut format describe p --into p/problem");
}

#[test]
fn describe_accepts_files_and_texts() {
    let folder = Folder::new().file("a.format", "n\nwhere:\n    1 <= n <= 5\n");
    folder.rebut("format describe a.format").exits(0).shows("- $1 \\le n \\le 5$.");
    let latex = folder.rebut("format describe --latex --input 'n where 1<=n<=5' --where 'n <= 3'").exits(0);
    latex.shows_all(&["\\section*{Input}", "n \\le 3"]);
    folder.rebut("format describe a.format --latex --markdown").exits(2);
    folder.rebut("format describe none").exits(2);
}
