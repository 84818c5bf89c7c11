//! checktestdata scripts are converted to formats. The expected formats and warnings are files next to the scripts;
//! `REBUT_UPDATE_GOLDEN=1` regenerates them, to be reviewed in the change.

use crate::environment::Folder;
use rebut_diagnostics::{Diagnostic, SourceText};
use rebut_format::generate::{GenerationPlan, GenerationSettings, generate_value};
use rebut_format::language::Format;
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::validate::find_violation;
use rebut_generators::Choices;
use rebut_import::Conversion;
use rebut_import::checktestdata::convert_script;
use std::path::{Path, PathBuf};

/// Scripts that cannot be converted without a loss.
const LOSSY: &[&str] = &["losses", "stairs"];

fn scripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/ctd");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "ctd")).collect();
    found.sort();
    found
}

fn source(path: &Path) -> SourceText {
    SourceText::new(path.file_name().unwrap().to_string_lossy(), std::fs::read(path).unwrap())
}

fn rendered(problems: &[Diagnostic], source: &SourceText) -> String {
    problems.iter().map(|p| p.render_text(source)).collect::<Vec<_>>().join("\n")
}

fn converted(source: &SourceText) -> Conversion {
    convert_script(source).unwrap_or_else(|problems| panic!("{}", rendered(&problems, source)))
}

/// Compares a text with a file and returns their difference.
fn difference(path: &Path, text: &str) -> Option<String> {
    if std::env::var_os("REBUT_UPDATE_GOLDEN").is_some() {
        if text.is_empty() {
            let _ = std::fs::remove_file(path);
        } else {
            std::fs::write(path, text).unwrap();
        }
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    (expected != text).then(|| format!("{} should be\n{text}", path.display()))
}

#[test]
fn scripts_are_converted_to_their_golden_formats() {
    let mut differences = Vec::new();
    for path in scripts() {
        let source = source(&path);
        let found = converted(&source);
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert_eq!(found.exact, !LOSSY.contains(&name.as_str()), "{name}\n{}", rendered(&found.warnings, &source));
        differences.extend(difference(&path.with_extension("format"), &found.text));
        differences.extend(difference(&path.with_extension("txt"), &rendered(&found.warnings, &source)));
    }
    assert!(differences.is_empty(), "REBUT_UPDATE_GOLDEN=1 writes them anew\n{}", differences.join("\n"));
}

#[test]
fn converted_formats_generate_valid_inputs() {
    for path in scripts() {
        let text = converted(&source(&path)).text;
        let source = SourceText::new(path.with_extension("format").display().to_string(), text);
        let (format, _) = Format::parse(&source).unwrap_or_else(|p| panic!("{}", rendered(&p, &source)));
        let plan = GenerationPlan::new(&format);
        for seed in 0..20 {
            let growth = u32::try_from(seed * 5).unwrap();
            let settings = GenerationSettings { growth, max_elements: 500, ..GenerationSettings::default() };
            let made = generate_value(&plan, &mut Choices::from_seed(seed, 0), &settings);
            let value = made.unwrap_or_else(|f| panic!("{}", f.to_diagnostic().render_text(&source))).value;
            let bytes = print_value(&format, &value);
            assert!(find_violation(&format, &value).is_none(), "{}", String::from_utf8_lossy(&bytes));
            assert!(read_input(&format, &bytes).unwrap() == value, "{}", String::from_utf8_lossy(&bytes));
        }
    }
}

/// Scripts that look convertible, and the message about each.
const TRAPS: &[(&str, &str)] = &[
    ("INT(0,9,n) NEWLINE REP(n,NEWLINE) INT(0,9) END NEWLINE", "it has an empty line if there are no repetitions"),
    (
        "INT(1,9,t) NEWLINE REP(t) INT(1,9,n) NEWLINE REPI(i,n) INT(0,9,x[i]) NEWLINE END ASSERT(UNIQUE(x)) END",
        "without `UNSET`",
    ),
    ("STRING(\"yes\") NEWLINE", "the input is constant"),
    ("FLOATP(0,9,1,1,x,FIXED) NEWLINE ASSERT(x^2 <= 50)", "real numbers can only be added"),
    ("INT(-9,9,x) NEWLINE ASSERT(x / 2 == -3)", "rounds differently"),
    ("INT(0,9,x) NEWLINE ASSERT(1 == 2)", "it never holds"),
    ("INT(0,9)", "without a line feed"),
    ("WHILE(!ISEOF) INT(0,9) NEWLINE END", "the number of repetitions is unbounded"),
    ("INT(2,9,n) NEWLINE REPI(i,n) REGEX(\"[ab][ab]\",x[i]) NEWLINE END ASSERT(x[0] < x[1])", "texts cannot be"),
    ("INT(1,9,n) NEWLINE REPI(i,n) REP(i+1,SPACE) INT(0,9) END NEWLINE END", "the counter of another loop"),
    (
        "INT(0,9,n) NEWLINE IF(n>4) SET(k=1) ELSE SET(k=n) END REP(k,SPACE) INT(0,9) END NEWLINE",
        "depends on a condition",
    ),
];

#[test]
fn inexact_conversions_are_reported() {
    for (script, words) in TRAPS {
        let source = SourceText::new("trap.ctd", *script);
        let found = converted(&source);
        let messages = rendered(&found.warnings, &source);
        assert!(!found.exact && messages.contains(words), "{script}\n{messages}\n{}", found.text);
    }
}

#[test]
fn arbitrary_bytes_do_not_crash_the_converter() {
    const CHANGES: &[&[u8]] =
        &[b"", b"(", b")", b"END ", b"REP(", b"\"", b"\\", b"[", b"\xff", b"NEWLINE ", b"9", b"!"];
    for path in scripts() {
        let text = std::fs::read(path).unwrap();
        for at in (0..text.len()).step_by(3) {
            let change = CHANGES[at / 3 % CHANGES.len()];
            for cut in [0, 1, 7] {
                let mut changed = text[..at].to_vec();
                changed.extend_from_slice(change);
                changed.extend_from_slice(&text[(at + cut).min(text.len())..]);
                check_converter(changed);
            }
        }
    }
}

/// Checks that a conversion is a format or a list of messages, each of which can be rendered.
fn check_converter(text: Vec<u8>) {
    let source = SourceText::new("changed.ctd", text);
    match convert_script(&source) {
        Ok(found) => {
            rendered(&found.warnings, &source);
            let format = SourceText::new("changed.format", found.text);
            if let Err(problems) = Format::parse(&format) {
                rendered(&problems, &format);
            }
        }
        Err(problems) => assert!(!rendered(&problems, &source).is_empty()),
    }
}

#[test]
fn deep_and_endless_scripts_terminate() {
    for text in [
        "REP(2)".repeat(50_000),
        "IF(1==1)".repeat(50_000),
        "(".repeat(50_000),
        format!("REGEX(\"{}\")", "(".repeat(50_000)),
        format!("ASSERT(1=={})", "-".repeat(50_000)),
        "INT(0,3,a) IF(a==1) SPACE INT(0,3,b) ELSE SPACE INT(0,3,b) END IF(b==1) SPACE ELSE STRING(\"x\") END "
            .repeat(60),
        "END ".repeat(50_000),
        "@".repeat(50_000),
    ] {
        check_converter(text.into_bytes());
    }
}

#[test]
fn script_is_converted_on_the_command_line() {
    let script = "INT(1, 9, n) NEWLINE\nREP(n, SPACE) INT(1, n) END NEWLINE\nEOF\n";
    let folder = Folder::new().file("a.ctd", script);
    let ran = folder.rebut("format from-ctd a.ctd").exits(0);
    assert_eq!(ran.stdout, "n\na[n]\nwhere:\n    1 <= n <= 9\n    1 <= a <= n\n");
    assert_eq!(ran.stderr, "");
    folder.write("a.format", &ran.stdout);
    folder.rebut("generate a.format -n 3").exits(0);
    let ran = folder.typed("format from-ctd -").input(script).run().exits(0);
    assert!(ran.stdout.starts_with("n\n"), "{ran}");
}

#[test]
fn lost_constraints_are_reported_and_the_rest_is_printed() {
    let folder = Folder::new().file("a.ctd", "INT(1, 9, n) NEWLINE\nFLOAT(0, 1, x, FIXED) NEWLINE\n");
    let ran = folder.rebut("format from-ctd a.ctd").exits(1);
    assert!(ran.stderr.contains("a.ctd:2:1") && ran.stderr.contains("any number of decimals"), "{ran}");
    assert!(ran.stdout.contains("# line 2: ") && ran.stdout.contains("x real"), "{ran}");
}

#[test]
fn syntax_errors_are_located() {
    let folder = Folder::new().file("a.ctd", "INT(1, 9, n) NEWLINE\nREP(n) INT(1 9) NEWLINE\n");
    let ran = folder.rebut("format from-ctd a.ctd").exits(2);
    assert!(ran.stderr.contains("a.ctd:2:14") && ran.stderr.contains("has no `END`"), "{ran}");
    assert_eq!(ran.stdout, "");
    folder.rebut("format from-ctd missing.ctd").exits(2);
    folder.rebut("format").exits(2);
}
