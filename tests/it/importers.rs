//! checktestdata scripts and testlib validators are converted to formats. The expected formats and warnings are files next
//! to them;
//! `REBUT_UPDATE_GOLDEN=1` regenerates them, to be reviewed in the change.

use crate::environment::Folder;
use crate::formats::{files, rendered, source};
use rebut_diagnostics::{Diagnostic, SourceText};
use rebut_format::generate::{GenerationPlan, GenerationSettings, generate_value};
use rebut_format::language::Format;
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::validate::find_violation;
use rebut_generators::Choices;
use rebut_import::Conversion;
use rebut_import::checktestdata::convert_script;
use rebut_import::testlib::convert_validator;
use std::path::{Path, PathBuf};

/// Scripts that cannot be converted without a loss.
const LOSSY: &[&str] = &["losses", "stairs", "clocks", "trails", "mirrors", "ferries", "parades"];

fn scripts() -> Vec<PathBuf> {
    [("ctd", "ctd"), ("validators", "cpp")].into_iter().flat_map(|(folder, kind)| files(folder, kind)).collect()
}

fn converted(source: &SourceText) -> Conversion {
    convert(source).unwrap_or_else(|problems| panic!("{}", rendered(&problems, source)))
}

fn convert(source: &SourceText) -> Result<Conversion, Vec<Diagnostic>> {
    if source.name.ends_with(".cpp") { convert_validator(source) } else { convert_script(source) }
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
        let text = std::fs::read(&path).unwrap();
        for at in (0..text.len()).step_by(11) {
            let change = CHANGES[at % CHANGES.len()];
            for cut in [0, 1, 7] {
                let mut changed = text[..at].to_vec();
                changed.extend_from_slice(change);
                changed.extend_from_slice(&text[(at + cut).min(text.len())..]);
                let kind = path.extension().unwrap().to_string_lossy();
                check_converter(&format!("changed.{kind}"), changed);
            }
        }
    }
}

/// Checks that a conversion is a format or a list of messages, each of which can be rendered.
fn check_converter(name: &str, text: Vec<u8>) {
    let source = SourceText::new(name, text);
    match convert(&source) {
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
        format!("int main() {{ {} }}", "if (x) ".repeat(50_000)),
        format!("int main() {{ int x = {}1; }}", "-(".repeat(50_000)),
        format!("int main() {{ {} }}", "for (int i = 0; i < 9; i++) { x += i; ".repeat(20_000)),
        format!("int f(int x) {{ {} }} int main() {{ f(1); f(2); }}", "f(x); f(x); ".repeat(20_000)),
        format!(
            "{} int main() {{ f9(); }}",
            (1..10).map(|i| format!("void f{i}() {{ {} }}", format!("f{}();", i - 1).repeat(9))).collect::<String>()
        ),
    ] {
        check_converter("deep.ctd", text.clone().into_bytes());
        check_converter("deep.cpp", text.into_bytes());
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

/// As much of testlib as the validators of these tests need.
pub(crate) const TESTLIB: &str = r#"
#include <cstdio>
#include <cstdlib>
#include <string>
#define ensuref(test, ...) ((test) ? void() : fail(__VA_ARGS__))
inline void fail(const char *, ...) { std::exit(3); }
inline void registerValidation(int, char **) {}
struct Stream {
    long long readInt(long long least, long long most, std::string = "") {
        std::string text;
        int next;
        while ((next = std::getchar()) == '-' || (next >= '0' && next <= '9')) text += char(next);
        if (next != EOF) std::ungetc(next, stdin);
        if (text.empty() || text.size() > 12) fail("");
        long long number = std::atoll(text.c_str());
        if (std::to_string(number) != text || number < least || number > most) fail("");
        return number;
    }
    void expect(int wanted) { if (std::getchar() != wanted) fail(""); }
    void readSpace() { expect(' '); }
    void readEoln() { expect('\n'); }
    void readEof() { expect(EOF); }
} inline inf;
"#;

/// A validator of up to six different digits.
pub(crate) const VALIDATOR: &str = "#include \"testlib.h\"\n#include <set>\nint main(int argc, char* argv[]) {\n    \
    registerValidation(argc, argv);\n    int n = inf.readInt(1, 6, \"n\");\n    inf.readEoln();\n    std::set<int> seen;\n    \
    for (int i = 0; i < n; i++) {\n        int a = inf.readInt(0, 9, \"a_i\");\n        \
    ensuref(seen.insert(a).second, \"twice\");\n        if (i + 1 < n) inf.readSpace(); else inf.readEoln();\n    }\n    \
    inf.readEof();\n}\n";

#[test]
fn validator_is_converted_and_tried() {
    let folder = Folder::new().file("v/validator.cpp", VALIDATOR).file("v/testlib.h", TESTLIB).file("1.in", "2\n3 4\n");
    let ran = folder.rebut("format from-testlib v/validator.cpp 1.in").exits(0);
    let format = "n\na[n]\nwhere:\n    1 <= n <= 6\n    0 <= a <= 9\n    distinct(a)\n";
    assert!(ran.stdout.ends_with(format), "{}", ran.stdout);
    assert!(
        ran.stdout.starts_with("# exact, as tried: it accepts 120 of 120 generated inputs, refuses "),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("the format accepts 1 of 1 given ones\n"), "{}", ran.stdout);
    // A claim under a condition is left to the validator.
    let lenient = VALIDATOR.replace("ensuref(seen", "if (argc > 9) ensuref(seen");
    let folder = folder.file("w/validator.cpp", lenient.as_str()).file("w/testlib.h", TESTLIB);
    let ran = folder.rebut("format from-testlib w/validator.cpp").exits(1);
    assert!(ran.stdout.contains("validator \"validator.cpp\""), "{}\n{}", ran.stdout, ran.stderr);
    // Without the header it is only converted.
    let folder = folder.file("x/validator.cpp", VALIDATOR);
    let ran = folder.rebut("format from-testlib x/validator.cpp").exits(0);
    assert!(ran.stdout.ends_with(format) && ran.stderr.contains("was not tried"), "{}\n{}", ran.stdout, ran.stderr);
}

/// `rebut import` puts each validator into a folder of its own.
#[test]
fn validator_in_a_folder_is_found() {
    let lenient = VALIDATOR.replace("ensuref(seen", "if (argc > 9) ensuref(seen");
    for (validator, place) in
        [(VALIDATOR, "input_validators/val/"), (&lenient, "input_validators/val/"), (&lenient, "input_validators/")]
    {
        let folder = Folder::new()
            .file(&format!("p/{place}val.cpp"), validator)
            .file("p/input_validators/testlib.h", TESTLIB)
            .file(&format!("p/{place}testlib.h"), TESTLIB)
            .file("p/problem.yaml", "problem_format_version: 2025-09\nname: Sum\n")
            .file("p/submissions/accepted/sum.py", "input()\nprint(sum(map(int, input().split())))\n")
            .file("wrong.py", "input()\na = list(map(int, input().split()))\nprint(sum(a) if a != sorted(a)[::-1] or len(a) < 2 else 0)\n");
        let ran = folder.rebut("stress wrong.py --problem p --no-save --seed 1 -t 20s").exits(1);
        assert!(ran.stdout.contains("1 | 2\n   2 | 1 0\n"), "{}", ran.stdout);
        let converted = folder.rebut(&format!("format from-testlib p/{place}"));
        assert!(converted.stdout.starts_with("# ") && converted.stdout.contains("a[n]\n"), "{}", converted.stderr);
    }
}

#[test]
fn folder_with_a_validator_is_a_problem() {
    let folder = Folder::new()
        .file("p/validator.cpp", VALIDATOR)
        .file("p/testlib.h", TESTLIB)
        .file("p/correct_sum.py", "input()\nprint(sum(map(int, input().split())))\n")
        .file("p/sample_1.in", "2\n3 4\n")
        .file("p/sample_1.out", "7\n")
        .file("wrong.py", "input()\na = list(map(int, input().split()))\nprint(sum(a) if a != sorted(a)[::-1] or len(a) < 2 else 0)\n");
    let ran = folder.rebut("stress wrong.py --problem p --no-save --seed 1 -t 20s").exits(1);
    assert!(ran.stdout.contains("1 | 2\n   2 | 1 0\n"), "{}", ran.stdout);
    // As a package, it has the format, the validator and its tests.
    folder.rebut("import p package").exits(0).shows("imported p: 1 test case, 1 submission");
    assert!(folder.read("package/input.format").contains("where:\n"), "{}", folder.read("package/input.format"));
    folder.rebut("build package").exits(0).shows("OK  accepted on 1 of 1 test case");
    assert_eq!(folder.read("package/data/sample/1_sample_1.ans"), "7\n");
    folder.rebut("import p package").exits(2).shows("`package` is not empty");
    let without = Folder::new().file("p/validator.cpp", VALIDATOR).file("p/testlib.h", TESTLIB);
    without.rebut("import p package").exits(2).shows("`p`: has no accepted solution: its name begins with `correct`");
}

#[test]
fn format_that_refuses_a_sample_is_not_derived() {
    // The importer does not evaluate this condition of the preprocessor.
    let misread = VALIDATOR
        .replace("(1, 6", "(1, MOST")
        .replace("int main", "#if 1 + 1 == 2\n#define MOST 6\n#else\n#define MOST 3\n#endif\nint main");
    let folder = Folder::new()
        .file("p/validator.cpp", misread.as_str())
        .file("p/correct.py", "print(input())\n")
        .file("p/sample_1.in", "5\n1 2 3 4 5\n");
    let ran = folder.rebut("stress correct.py --problem p --no-save").exits(2);
    assert!(ran.stderr.contains("no format was derived from `p/validator.cpp`"), "{}", ran.stderr);
}
