//! The front end of testlib, with which most validators are written.
//!
//! `syntax` is the part of C++ that validators use. `lowering` follows the program from `main` on, with functions in
//! place of their calls, and turns its statements to steps; `loops` has its loops, `reads` what it reads, `values` its
//! expressions, `collections` its sets and marks, `graphs` union-find and searches.
//!
//! # Examples
//!
//! ```
//! use rebut_diagnostics::SourceText;
//!
//! let program = b"#include \"testlib.h\"
//! int main(int argc, char* argv[]) {
//!     registerValidation(argc, argv);
//!     int n = inf.readInt(1, 100, \"n\");
//!     inf.readEoln();
//!     inf.readInts(n, -9, 9, \"a\");
//!     inf.readEoln();
//!     inf.readEof();
//! }";
//! let found = rebut_import::testlib::convert_validator(&SourceText::new("validator.cpp", program.to_vec())).unwrap();
//! assert_eq!(found.text, "n\na[n]\nwhere:\n    1 <= n <= 100\n    -9 <= a <= 9\n");
//! assert!(found.exact);
//! ```

mod collections;
mod graphs;
mod loops;
mod lowering;
mod reads;
mod syntax;
mod values;

use crate::{Conversion, loss_comment, lossy_warning};
use rebut_diagnostics::{Diagnostic, SourceText, Span};
use rebut_format::language::{ComparisonOperator, ConstraintRule, Expr, Format, is_reserved_word};
use std::collections::BTreeMap;
use syntax::Program;

/// Maximum size of a source in bytes. Those of validators have some thousands.
const MAX_SOURCE_BYTES: usize = 64 << 10;

/// Converts a validator.
///
/// # Errors
///
/// Returns an error if the source has no function `main`, or is far too long for a validator.
pub fn convert_validator(source: &SourceText) -> Result<Conversion, Vec<Diagnostic>> {
    let refusal = |message: &str, caret: &str| {
        let start = Span::new(0, source.text.len().min(1));
        vec![Diagnostic::error("not-a-validator", start, message).with_caret(caret)]
    };
    if source.text.len() > MAX_SOURCE_BYTES {
        return Err(refusal("this is too long for a validator", &format!("at most {MAX_SOURCE_BYTES} bytes")));
    }
    let program = syntax::parse_program(&source.text).unwrap_or_default();
    let found = convert_program(&program, "", source);
    let (mut found, groups) =
        found.ok_or_else(|| refusal("this is no validator with testlib", "it has no function `main`"))?;
    let subtasks = convert_groups(&program, groups, &mut found, source);
    if !found.exact || !subtasks.is_empty() {
        found.text += if found.text.contains("\nwhere:\n") { "" } else { "where:\n" };
    }
    if !found.exact {
        // The validator still checks the rest.
        let file = source.name.rsplit('/').next().unwrap_or_default().replace(['\\', '"'], "");
        found.text += &format!("    validator \"{file}\"\n");
    }
    found.text += &subtasks;
    Ok(found)
}

/// Converts a program for tests of a group. Also returns the groups that it distinguishes, each with a place.
fn convert_program(
    program: &Program,
    group: &str,
    source: &SourceText,
) -> Option<(Conversion, BTreeMap<String, Span>)> {
    let lowered = lowering::lower_program(program, group)?;
    Some((crate::convert_steps(lowered.steps, lowered.warnings, lowered.labels, source), lowered.compared_groups))
}

// Groups of tests become subtasks: the constraints that the program has for a group, and not without one.

/// Maximum number of groups.
const MAX_GROUPS: usize = 30;

/// Returns the subtasks of groups. What they lack becomes a remark.
fn convert_groups(
    program: &Program,
    groups: BTreeMap<String, Span>,
    found: &mut Conversion,
    source: &SourceText,
) -> String {
    let mut groups: Vec<(String, Span)> = groups.into_iter().collect();
    groups.sort_by_key(|(_, span)| *span);
    let (mut names, mut subtasks, mut at) = (Vec::new(), String::new(), 0);
    while let Some((group, span)) = groups.get(at).cloned() {
        at += 1;
        let Some((own, inner)) = convert_program(program, &group, source) else { continue };
        let new: Vec<_> = inner.into_iter().filter(|one| groups.iter().all(|known| known.0 != one.0)).collect();
        groups.extend(new);
        let is_new = |remark: &Diagnostic| !found.warnings.contains(remark);
        let mut remarks: Vec<Diagnostic> = own.warnings.into_iter().filter(is_new).collect();
        let rules = if at > MAX_GROUPS { Err("is one of too many") } else { group_rules(&found.text, &own.text) };
        let rules = rules.unwrap_or_else(|why| {
            remarks.push(lossy_warning(span, &format!("the group `{group}` {why}"), "this group is left out"));
            Vec::new()
        });
        if !remarks.is_empty() {
            found.exact = false;
            let comments: Vec<String> = remarks.iter().map(|remark| loss_comment(remark, source)).collect();
            found.text = comments.concat() + &found.text;
            found.warnings.extend(remarks);
        }
        if !rules.is_empty() {
            let name = subtask_name(&group, &names);
            subtasks += &format!("    subtask {name}:\n{}", rules.concat());
            names.push(name);
        }
    }
    subtasks
}

/// Returns a name of a subtask: a number, or a name that no other has.
fn subtask_name(group: &str, taken: &[String]) -> String {
    let letters: String = group.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let is_number = letters.bytes().all(|byte| byte.is_ascii_digit());
    let begins_well = letters.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_reserved_word(&letters);
    let name = if is_number || begins_well { letters } else { format!("group_{letters}") };
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or(name)
}

/// Returns the constraints of the format of a group that the format of all tests lacks, a line each.
///
/// # Errors
/// Returns the reason if they are not all that distinguishes them.
fn group_rules(all: &str, own: &str) -> Result<Vec<String>, &'static str> {
    let parse = |text: &str| Format::parse(&SourceText::new("format", text)).map(|(format, _)| format).ok();
    let (Some(wide), Some(narrow)) = (parse(all), parse(own)) else { return Err("has no format") };
    let is_layout = |line: &&str| *line != "where:";
    let [wide_layout, own_layout] =
        [all, own].map(|text| text.lines().take_while(is_layout).filter(|line| !line.starts_with('#')));
    if !wide_layout.eq(own_layout) {
        return Err("has another layout");
    }
    if wide.fields.iter().zip(&narrow.fields).any(|(wide, own)| wide.range.intersect(own.range) != own.range) {
        return Err("allows more than tests without a group");
    }
    // Declared ranges are compared above, other constraints as they are.
    let is_range = |rule: &ConstraintRule| {
        let bound = rule.comparison().filter(|one| one.sign != ComparisonOperator::NotEqual);
        let Some(([left], [right])) = bound.map(|one| (&*one.left, &*one.right)) else { return false };
        let mut fields = 0;
        [left, right].into_iter().for_each(|side| side.visit_fields(&mut |_| fields += 1));
        fields == 1 && (matches!(left, Expr::Field(_)) || matches!(right, Expr::Field(_)))
    };
    let is_kept = |rule: &ConstraintRule| narrow.constraints.iter().any(|own| own.rule == *rule);
    if !wide.constraints.iter().all(|constraint| is_range(&constraint.rule) || is_kept(&constraint.rule)) {
        return Err("lacks a constraint of tests without a group");
    }
    let constants = |text: &str| -> Vec<(String, String)> {
        let lines = text.lines().filter_map(|line| line.trim().strip_prefix("let ")?.split_once(" = "));
        lines.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    };
    let known = constants(all);
    let changed: Vec<(String, String)> = constants(own).into_iter().filter(|one| !known.contains(one)).collect();
    let rules = own.lines().skip_while(|line| *line != "where:").skip(1).filter(|line| !line.starts_with("    let "));
    let rules = rules.map(|line| {
        let words = line.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_');
        let to_value = |word: &str| {
            let name = word.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
            let value = changed.iter().find(|(known, _)| known == name);
            value.map_or(word.to_owned(), |(_, value)| word.replacen(name, value, 1))
        };
        words.map(to_value).collect::<String>()
    });
    Ok(rules.filter(|rule| all.lines().all(|line| line != rule)).map(|rule| format!("    {rule}\n")).collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn convert(body: &str) -> Conversion {
        let head = "#include \"testlib.h\"\nint main(int argc, char* argv[]) {\n    registerValidation(argc, argv);\n";
        let text = format!("{head}{body}    inf.readEoln();\n    inf.readEof();\n}}\n");
        convert_validator(&SourceText::new("validator.cpp", text)).unwrap()
    }

    #[test]
    fn groups_are_subtasks() {
        let found = convert(
            "    int maxN = 200000;\n    if (validator.group() == \"1\") maxN = 100;\n    \
             else if (validator.group() == \"sub-2\") maxN = 5000;\n    int n = inf.readInt(1, maxN, \"n\");\n    \
             inf.readEoln();\n    vector<int> a = inf.readInts(n, 1, 9, \"a\");\n    string group = validator.group();\n    \
             ensuref(group != \"even\" || n % 2 == 0, \"even\");\n    if (group == \"sub-2\") {\n        \
             for (int i = 1; i < n; i++) ensuref(a[i - 1] <= a[i], \"sorted\");\n    }\n",
        );
        assert!(found.exact, "{}", found.text);
        let (format, subtasks) = found.text.split_once("    subtask 1:").unwrap();
        assert_eq!(format, "n\na[n]\nwhere:\n    let maxN = 200000\n    1 <= n <= maxN\n    1 <= a <= 9\n");
        let expected = "\n        1 <= n <= 100\n    subtask sub_2:\n        1 <= n <= 5000\n        sorted(a)\n    subtask even:\n        n % 2 = 0\n";
        assert_eq!(subtasks, expected);
        Format::parse(&SourceText::new("format", found.text.as_str())).unwrap();
    }

    #[test]
    fn long_conditions_and_functions_without_end_are_remarks() {
        for count in [30, 2000] {
            let test = "n == 1 || ".repeat(count);
            let found = convert(&format!("    int n = inf.readInt(1, 9, \"n\");\n    ensure({test}n == 2);\n"));
            assert_eq!(found.exact, count == 30, "{}", found.text);
        }
        let functions = "int f(int x) { return g(x) + 1; }\nint g(int x) { return f(x) + g(x); }\n";
        let body = "int n = inf.readInt(1, 9, \"n\"); ensure(f(n) == 2); inf.readEoln(); inf.readEof();";
        let source = SourceText::new("validator.cpp", format!("{functions}int main() {{ {body} }}\n"));
        assert!(!convert_validator(&source).unwrap().exact);
    }

    #[test]
    fn letters_of_texts_on_one_line_are_those_of_each() {
        let found = convert(
            "    int n = inf.readInt(1, 9, \"n\");\n    inf.readEoln();\n    for (int i = 0; i < n; i++) {\n        \
             string s = inf.readToken(\"[ab]{3}\", \"s\");\n        ensuref(s[1] == 'a', \"a\");\n        \
             if (i + 1 < n) inf.readSpace();\n    }\n",
        );
        assert!(found.exact && found.text.contains("    forall i in 1..n: s[i][2] = 'a'\n"), "{}", found.text);
    }

    #[test]
    fn each_group_is_a_subtask_or_a_remark() {
        let found = convert(
            "    const string SMALL = \"1-small\";\n    int n = inf.readInt(1, 90, \"n\");\n    \
             if (validator.group() == SMALL) ensuref(n <= 10, \"n\");\n    \
             if (validator.group() == \"sub-1\") ensuref(n <= 11, \"n\");\n    \
             if (validator.group() == \"sub_1\") ensuref(n <= 12, \"n\");\n    \
             if (validator.group() == \"where\") ensuref(n <= 13, \"n\");\n",
        );
        let names: Vec<&str> = found.text.lines().filter_map(|line| line.trim().strip_prefix("subtask ")).collect();
        assert_eq!(names, ["group_1_small:", "sub_1:", "sub_1_2:", "group_where:"]);
        Format::parse(&SourceText::new("format", found.text.as_str())).unwrap();
        for test in ["validator.group() != \"\"", "!g.empty()"] {
            let found = convert(&format!(
                "    string g = validator.group();\n    int n = inf.readInt(1, 90, \"n\");\n    \
                 if ({test}) ensuref(n <= atoi(g.c_str()), \"n\");\n"
            ));
            assert!(!found.exact && found.text.contains("it is as for tests without\n"), "{}", found.text);
        }
    }

    /// Checks that a body has a constraint and no remark, or a remark.
    fn check(body: &str, expected: Option<&str>) {
        let found = convert(body);
        match expected {
            Some(line) => assert!(found.exact && found.text.contains(&format!("    {line}\n")), "{body}{}", found.text),
            None => assert!(!found.exact, "{body}{}", found.text),
        }
        Format::parse(&SourceText::new("format", found.text.as_str())).unwrap();
    }

    /// Checks statements after a list has been read.
    fn check_list(statements: &str, expected: Option<&str>) {
        let read =
            "int n = inf.readInt(2, 90, \"n\"); inf.readEoln();\n    vector<int> a = inf.readInts(n, 1, 99, \"a\");";
        check(&format!("    {read}\n    {statements}\n"), expected);
    }

    #[test]
    fn only_whole_ranges_are_arrays() {
        check_list("ensuref(accumulate(a.begin(), a.end(), 0LL) <= 500);", Some("sum(a) <= 500"));
        check_list("ensuref(accumulate(a.begin(), a.begin() + n, 0) <= 500);", Some("sum(a) <= 500"));
        check_list("ensuref(accumulate(a.begin(), a.end(), 50) <= 500);", Some("sum(a) + 50 <= 500"));
        check_list("ensuref(accumulate(a.begin(), a.end(), 1, multiplies<int>()) <= 500);", None);
        check_list("ensuref(accumulate(a.begin(), a.begin() + 2, 0) <= 500);", None);
        check_list("ensuref(*max_element(a.begin(), a.end()) == 7);", Some("max(a) = 7"));
        check_list("ensuref(*max_element(a.begin(), a.begin() + 2) == 7);", None);
        check_list("ensuref(*max_element(a.begin(), a.end(), greater<int>()) == 7);", None);
        check_list("ensuref(count(a.begin(), a.end(), 7) == 1);", Some("count(a, 7) = 1"));
        check_list("ensuref(count(a.begin(), a.begin() + n / 2, 7) == 1);", None);
        check_list("ensuref(is_sorted(a.begin(), a.end()));", Some("sorted(a)"));
        check_list("ensuref(is_sorted(a.begin(), a.end(), greater<int>()));", None);
        check_list("ensuref(is_sorted(a.begin(), a.begin() + n / 2));", None);
        check_list("set<int> s(a.begin(), a.end()); ensuref(s.size() == n);", Some("distinct(a)"));
        check_list("set<int> s(a.begin(), a.begin() + n / 2); ensuref(s.size() == n);", None);
        check_list("multiset<int> s(a.begin(), a.end()); ensuref(s.size() == n);", None);
    }

    #[test]
    fn changed_arrays_are_forgotten() {
        let unique = "a.erase(unique(a.begin(), a.end()), a.end()); ensuref(a.size() == n);";
        check_list(&format!("sort(a.begin(), a.end()); {unique}"), Some("distinct(a)"));
        check_list(unique, None);
        check_list("sort(a.begin(), a.end()); a.erase(unique(a.begin(), a.end())); ensuref(a.size() == n);", None);
        check_list("a.erase(unique(a.begin(), a.end()), a.end()); ensuref(a[0] <= 5);", None);
        check_list(
            "sort(a.begin(), a.end()); a.pop_back(); for (int i = 1; i < n; i++) ensuref(a[i] != a[i - 1]);",
            None,
        );
        for change in [
            "a.erase(a.begin())",
            "a.pop_back()",
            "a.push_back(1)",
            "a.insert(a.begin(), 1)",
            "a.resize(3)",
            "a.clear()",
            "a.assign(3, 1)",
            "a.emplace_back(3)",
            "rotate(a.begin(), a.begin() + 1, a.end())",
            "nth_element(a.begin(), a.begin() + 1, a.end())",
            "fill(a.begin(), a.end(), 0)",
            "fill(a.begin(), a.end(), 1)",
            "iota(a.begin(), a.end(), 0)",
            "partial_sort(a.begin(), a.begin() + 1, a.end())",
            "shuffle(a.begin(), a.end(), rnd)",
            "reverse(a.begin(), a.end())",
            "sort(a.rbegin(), a.rend())",
            "sort(a.begin(), a.begin() + 2)",
            "sort(a.begin(), a.end(), [](int x, int y) { return x % 9 < y % 9; })",
            "sort(&a[0], &a[0] + n)",
            "vector<int> b(n); swap(a, b)",
            "bool next = next_permutation(a.begin(), a.end())",
            "change(a)",
            "change(a.data() + 1)",
        ] {
            check_list(&format!("{change}; ensuref(a[0] <= 5);"), None);
            check_list(&format!("for (int i = 0; i < n; i++) {{ ensuref(a[0] <= 5); {change}; }}"), None);
        }
        for change in ["pop_back()", "push_back(1)", "erase(a.begin())", "insert(a.begin(), 1)", "clear()"] {
            check_list(&format!("a.{change}; ensuref(a.size() > 3);"), None);
            let read = "string s = inf.readToken(\"[a-z]{1,9}\", \"s\")";
            check(&format!("    {read}; s.{change}; ensuref(s.size() > 3);\n"), None);
        }
        let kept = "char name[9]; for (int i = 0; i < n; i++) { sprintf(name, \"%d\", i + 1); ensuref(a[i] != 5); }";
        check_list(kept, Some("a != 5"));
        check_list("if (a[0] == 3) a.resize(3); ensuref(a.size() > 3);", None);
        check_list("for (int i = 0; i < 3; i++) a.push_back(i); ensuref(a.size() > 3);", None);
        let sorted = "sort(a.rbegin(), a.rend()); for (int i = 1; i < n; i++) ensuref(a[i] != a[i - 1]);";
        check_list(sorted, Some("distinct(a)"));
        check_list(&sorted.replace("rend()", "rend() - 1"), None);
    }

    #[test]
    fn distinct_values_are_new_before_they_are_put_in() {
        let each = |statements: &str| format!("map<int, int> c; for (int x : a) {{ {statements} }}");
        for (statements, is_exact) in [
            ("ensuref(c[x] < 1); c[x]++;", true),
            ("ensuref(c[x] == 0); c[x]++;", true),
            ("ensuref(!c.count(x)); c[x] = 1;", true),
            ("c[x]++; ensuref(c[x] <= 1);", true),
            ("c[x]++; ensuref(c[x] == 1);", true),
            ("c[x]++; ensuref(c[x] < 2);", true),
            ("ensuref(c[x] <= 1); c[x]++;", false),
            ("ensuref(c[x] < 2); c[x]++;", false),
            ("c[x]++; ensuref(c[x] < 1);", false),
            ("c[x] = 1; ensuref(c[x] == 1);", false),
            ("ensuref(!c.count(x - 1)); c[x] = 1;", false),
            ("ensuref(!c.count(n)); c[x] = 1;", false),
            ("if (x > 5) { ensuref(!c.count(x)); c[x] = 1; }", false),
        ] {
            check_list(&each(statements), is_exact.then_some("distinct(a)"));
        }
        check_list("set<int> s; for (int x : a) s.insert(x); ensuref(s.size() == n);", Some("distinct(a)"));
        check_list("set<int> s; for (int x : a) if (x > 5) s.insert(x); ensuref(s.size() == n);", None);
        let edges = |statements: &str| {
            let read = "int n = inf.readInt(1, 9, \"n\"); inf.readEoln(); set<pair<int, int>> s;\n    for (int i = 0; i < n; i++) {\n        \
                        int u = inf.readInt(1, n, \"u\"); inf.readSpace(); int w = inf.readInt(1, n, \"w\"); inf.readEoln();";
            format!("    {read}\n        {statements}\n    }}\n    inf.readInt(1, 9, \"k\");\n")
        };
        check(&edges("ensuref(!s.count({u, w})); s.insert({u, w});"), Some("distinct((u, w))"));
        check(&edges("ensuref(!s.count({w, u})); s.insert({u, w});"), None);
    }

    #[test]
    fn parameters_by_value_are_copies() {
        let program = |parameter: &str| {
            let read =
                "int n = inf.readInt(1, 9, \"n\"); inf.readEoln(); vector<int> a = inf.readInts(n, 1, 9, \"a\");";
            let text = format!(
                "void f(vector<int> b, int {parameter}) {{ sort(b.begin(), b.end()); m -= 2; ensuref(m != 1); }}\n\
                 int main() {{ {read} inf.readEoln(); f(a, n); ensuref(n != 5); ensuref(a[0] != 5); inf.readEof(); }}\n"
            );
            convert_validator(&SourceText::new("validator.cpp", text)).unwrap().text
        };
        let tail = |texts: [&str; 3]| texts.map(|text| format!("    {text}\n")).concat();
        let (value, reference) = (program("m"), program("&m"));
        assert!(value.ends_with(&tail(["n - 2 != 1", "n != 5", "a[1] != 5"])), "{value}");
        assert!(reference.ends_with(&tail(["n - 2 != 1", "n - 2 != 5", "a[1] != 5"])), "{reference}");
    }

    #[test]
    fn letters_are_counted_in_each_row() {
        let rows = "    int n = inf.readInt(1, 9, \"n\"); inf.readEoln();\n    for (int i = 0; i < n; i++) {\n        \
                    string s = inf.readToken(\"[.#]{5}\", \"s\"); inf.readEoln();\n        TEST\n    }\n    \
                    inf.readInt(1, 9, \"k\");\n";
        let counted = Some("forall i in 1..n: count(s[i], '#') >= 1");
        check(&rows.replace("TEST", "ensuref(count(s.begin(), s.end(), '#') >= 1);"), counted);
        let counter = "int c = 0; for (char x : s) if (x == '#') c++; ensuref(c >= 1);";
        check(&rows.replace("TEST", counter), counted);
    }

    #[test]
    fn zero_is_a_power_of_two_for_its_bits() {
        let body = "    int x = inf.readInt(LEAST, 100, \"x\");\n    ensuref((x & (x - 1)) == 0);\n";
        check(&body.replace("LEAST", "1"), Some("exists i in 0..6: x = 2^i"));
        check(&body.replace("LEAST", "0"), Some("(exists i in 0..6: x = 2^i) or x = 0"));
    }

    #[test]
    fn groups_that_are_wider_or_have_another_layout_are_remarks() {
        let found = convert("    int n = inf.readInt(1, validator.group() == \"big\" ? 100 : 10, \"n\");\n");
        assert!(found.warnings[0].message.ends_with("the group `big` allows more than tests without a group"));
        assert!(
            !found.exact && found.text.starts_with("# line 4: validator.group() == \"big\": this group is left out\n"),
            "{}",
            found.text
        );
        let found = convert(
            "    int n = inf.readInt(1, 9, \"n\");\n    inf.readSpace();\n    \
             int m = inf.readInt(1, validator.group() == \"2\" ? 5 : n, \"m\");\n",
        );
        let lacks = "the group `2` lacks a constraint of tests without a group";
        assert!(found.warnings[0].message.ends_with(lacks), "{:?}", found.warnings);
        let found = convert(
            "    int n = inf.readInt(1, 9, \"n\");\n    if (validator.group() == \"2\") ensure(n <= 5);\n    \
             else ensure(n != 3);\n",
        );
        assert!(found.warnings[0].message.ends_with(lacks), "{:?}", found.warnings);
        let found = convert(
            "    int n = inf.readInt(1, 10, \"n\");\n    if (validator.group() == \"two\") {\n        \
             inf.readSpace();\n        inf.readInt(1, 9, \"m\");\n    }\n",
        );
        assert!(found.warnings[0].message.ends_with("the group `two` has another layout"), "{:?}", found.warnings);
        assert!(!found.text.contains("subtask"), "{}", found.text);
    }
}
