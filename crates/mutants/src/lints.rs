//! Lints of jury programs: what makes a generator, a validator or a checker behave differently on another machine, or accept
//! more than it should. Few, each with a reason; a comment `rebut: allow NAME` on the line, or above it, silences one.

use super::SourceLanguage;
use super::source_tree::{SourceTree, parse_source};
use std::collections::BTreeSet;
use tree_sitter::Node;

/// The job of a jury program in its package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JuryRole {
    /// Writes test cases.
    Generator,
    /// Reads inputs or answers, and refuses invalid ones.
    Validator,
    /// Judges outputs, or talks to submissions.
    Checker,
}

/// A place in a jury program that is likely to be a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lint {
    /// Line, from 1.
    pub line: usize,
    /// Name of the rule, which silences it.
    pub name: &'static str,
    /// The reason.
    pub reason: &'static str,
}

/// A rule: its name, the reason, the programs that it is about, and the nodes that it finds.
struct LintRule {
    name: &'static str,
    reason: &'static str,
    roles: &'static [JuryRole],
    finds: fn(&SourceTree<'_>, Node<'_>, &SourceFacts<'_>) -> bool,
}

/// Names of a source, by how it declares and imports them.
#[derive(Default)]
struct SourceFacts<'s> {
    /// Variables and parameters of C++ that are real numbers wherever they are declared.
    reals: BTreeSet<&'s str>,
    /// Names of Python's module `random`, and of functions that are imported from it.
    random: [BTreeSet<&'s str>; 2],
    /// Whether a generator of Python is seeded with something.
    is_seeded: bool,
}

impl<'s> SourceFacts<'s> {
    fn new(tree: &SourceTree<'s>) -> SourceFacts<'s> {
        match tree.language {
            SourceLanguage::Cpp => SourceFacts { reals: real_variables(tree), ..SourceFacts::default() },
            SourceLanguage::Python => SourceFacts {
                random: random_imports(tree.source),
                is_seeded: tree.source.replace("seed()", "").contains("seed("),
                ..SourceFacts::default()
            },
            _ => SourceFacts::default(),
        }
    }
}

/// Returns the names that are declared as `double` or `float`, and nowhere as anything else.
fn real_variables<'s>(tree: &SourceTree<'s>) -> BTreeSet<&'s str> {
    let [mut reals, mut others] = [BTreeSet::new(), BTreeSet::new()];
    for node in tree.nodes().iter().filter(|node| matches!(node.kind(), "declaration" | "parameter_declaration")) {
        let names = if tree.field_text(*node, "type").split(' ').any(|word| matches!(word, "double" | "float")) {
            &mut reals
        } else {
            &mut others
        };
        for mut part in node.children_by_field_name("declarator", &mut node.walk()) {
            while let Some(inner) = part.child_by_field_name("declarator") {
                part = inner;
            }
            names.insert(tree.node_text(part));
        }
    }
    reals.difference(&others).copied().collect()
}

/// Returns the names of Python's module `random` in a source, and of the functions that it imports from there.
fn random_imports(source: &str) -> [BTreeSet<&str>; 2] {
    let (mut modules, mut functions) = (BTreeSet::from(["random"]), BTreeSet::new());
    for line in source.lines().map(str::trim) {
        modules.extend(line.strip_prefix("import random as "));
        let imported = line.strip_prefix("from random import ").unwrap_or_default().split(',');
        functions.extend(imported.filter_map(|name| name.split_whitespace().last()));
    }
    [modules, functions]
}

const ALL_ROLES: &[JuryRole] = &[JuryRole::Generator, JuryRole::Validator, JuryRole::Checker];

const LINT_RULES: [LintRule; 6] = [
    LintRule {
        name: "unseeded",
        reason: "each run or each system gives other numbers: use a generator that is seeded by an argument",
        roles: ALL_ROLES,
        finds: is_unseeded,
    },
    LintRule {
        name: "unbounded-read",
        reason: "without bounds or a pattern, it accepts whatever stands there",
        roles: &[JuryRole::Validator],
        finds: is_unbounded_read,
    },
    LintRule {
        name: "float-equality",
        reason: "real numbers that should be equal differ by rounding: compare with a tolerance",
        roles: &[JuryRole::Validator, JuryRole::Checker],
        finds: compares_real_numbers,
    },
    LintRule {
        name: "long",
        reason: "`long` has 32 bits on Windows, where Codeforces and Polygon run: write `long long`",
        roles: ALL_ROLES,
        finds: is_long,
    },
    LintRule {
        name: "system-format",
        reason: "`%I64d` is known on Windows only: write `%lld`",
        roles: ALL_ROLES,
        finds: has_windows_format,
    },
    LintRule {
        name: "endl",
        reason: "`endl` writes each line on its own, which makes large files slow: write `'\\n'`",
        roles: &[JuryRole::Generator],
        finds: is_endl_in_a_loop,
    },
];

/// Returns the lints of a program in C++ or Python, in the order of their lines; one for each rule and line. A source that
/// cannot be parsed in bounded time has none.
///
/// # Examples
///
/// ```
/// use rebut_mutants::{JuryRole, SourceLanguage, find_lints};
///
/// let source = "int main() {\n    srand(time(0));\n    int n = rand() % 10; // rebut: allow unseeded\n}\n";
/// let lints = find_lints(source, SourceLanguage::Cpp, JuryRole::Generator);
/// assert_eq!(lints.iter().map(|lint| (lint.line, lint.name)).collect::<Vec<_>>(), [(2, "unseeded")]);
/// ```
pub fn find_lints(source: &str, language: SourceLanguage, role: JuryRole) -> Vec<Lint> {
    let Some(syntax) = parse_source(source, language) else { return Vec::new() };
    let tree = SourceTree::new(source, language, &syntax);
    let facts = SourceFacts::new(&tree);
    let lines: Vec<&str> = source.lines().collect();
    let is_allowed = |line: usize, name: &str| {
        let wanted = format!("rebut: allow {name}");
        lines[line.saturating_sub(2)..line.min(lines.len())].iter().any(|line| line.contains(&wanted))
    };
    let mut found: Vec<Lint> = Vec::new();
    for node in tree.nodes().iter().copied().take_while(|_| !tree.is_exhausted()) {
        let line = node.start_position().row + 1;
        for rule in LINT_RULES.iter().filter(|rule| rule.roles.contains(&role)) {
            let lint = Lint { line, name: rule.name, reason: rule.reason };
            if (rule.finds)(&tree, node, &facts) && !found.contains(&lint) && !is_allowed(line, rule.name) {
                found.push(lint);
            }
        }
    }
    found.sort_by_key(|lint| lint.line);
    found
}

/// Returns true for `rand()`, `time(0)`, `random_device`, clocks, and in Python for `random.randint` without a seed.
fn is_unseeded(tree: &SourceTree<'_>, node: Node<'_>, facts: &SourceFacts<'_>) -> bool {
    match tree.language {
        SourceLanguage::Cpp => match tree.called_name(node) {
            // Testlib's classes have methods of these names.
            "rand" | "srand" | "random_shuffle" | "time" => !tree.field_text(node, "function").contains(['.', '>']),
            "now" => tree.field_text(node, "function").contains("_clock::"),
            _ => {
                node.kind().ends_with("identifier")
                    && node.child_count() == 0
                    && tree.node_text(node) == "random_device"
            }
        },
        SourceLanguage::Python => {
            let callee = tree.field_text(node, tree.dialect().callee);
            let (module, _) = callee.split_once('.').unwrap_or_default();
            let [modules, functions] = &facts.random;
            let draws = callee == "time.time" || modules.contains(module) || functions.contains(callee);
            let makes_generator = callee.ends_with("Random");
            node.kind() == tree.dialect().call && draws && !makes_generator && !facts.is_seeded
        }
        _ => false,
    }
}

/// Returns true for reads of testlib without arguments: `inf.readInt()`.
fn is_unbounded_read(tree: &SourceTree<'_>, node: Node<'_>, _: &SourceFacts<'_>) -> bool {
    const READS: [&str; 9] = [
        "readInt",
        "readInteger",
        "readLong",
        "readUnsignedLong",
        "readDouble",
        "readReal",
        "readToken",
        "readWord",
        "readLine",
    ];
    tree.language == SourceLanguage::Cpp
        && READS.contains(&tree.called_name(node))
        && tree.field_text(node, "function").starts_with("inf.")
        && tree.arguments_of(node).is_empty()
}

/// Returns true if a side of `==` or `!=` is a real number: a variable, or written as one.
fn compares_real_numbers(tree: &SourceTree<'_>, node: Node<'_>, facts: &SourceFacts<'_>) -> bool {
    let is_real = |side: Node<'_>| {
        const REAL_FUNCTIONS: [&str; 8] = ["fabs", "sqrt", "readDouble", "readReal", "atof", "stod", "strtod", "float"];
        let text = tree.node_text(side).trim_start_matches('-');
        let is_written = || text.contains('.') && text.parse::<f64>().is_ok();
        text.starts_with(|c: char| c.is_ascii_digit()) && is_written()
            || facts.reals.contains(text)
            || REAL_FUNCTIONS.contains(&tree.called_name(side))
    };
    let mut cursor = node.walk();
    matches!(node.kind(), "binary_expression" | "comparison_operator")
        && node.children(&mut cursor).any(|sign| matches!(sign.kind(), "==" | "!="))
        && node.children(&mut node.walk()).any(is_real)
}

fn is_long(tree: &SourceTree<'_>, node: Node<'_>, _: &SourceFacts<'_>) -> bool {
    let words: Vec<&str> = tree.node_text(node).split_whitespace().filter(|word| *word != "int").collect();
    node.kind() == "sized_type_specifier" && matches!(words[..], ["long"] | ["unsigned" | "signed", "long"])
}

fn has_windows_format(tree: &SourceTree<'_>, node: Node<'_>, _: &SourceFacts<'_>) -> bool {
    node.kind() == "string_literal" && tree.node_text(node).contains("%I64")
}

fn is_endl_in_a_loop(tree: &SourceTree<'_>, node: Node<'_>, _: &SourceFacts<'_>) -> bool {
    let is_endl = tree.language == SourceLanguage::Cpp && node.kind() == "identifier" && tree.node_text(node) == "endl";
    is_endl && tree.is_inside(node, tree.dialect().loops)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(source: &str, language: SourceLanguage, role: JuryRole) -> Vec<(usize, &'static str)> {
        find_lints(source, language, role).iter().map(|lint| (lint.line, lint.name)).collect()
    }

    #[test]
    fn each_rule_finds_its_mistake() {
        for (source, role, wanted) in [
            (
                "int main() {\n srand(time(0));\n int x = rand();\n}",
                JuryRole::Generator,
                vec![(2, "unseeded"), (3, "unseeded")],
            ),
            ("std::mt19937 rng(std::random_device{}());", JuryRole::Generator, vec![(1, "unseeded")]),
            (
                "mt19937 rng(chrono::steady_clock::now().time_since_epoch().count());",
                JuryRole::Generator,
                vec![(1, "unseeded")],
            ),
            ("int main() { int a = rnd.next(1, 5); shuffle(v.begin(), v.end()); }", JuryRole::Generator, vec![]),
            ("mt19937 rng(atoi(argv[1]));", JuryRole::Generator, vec![]),
            (
                "int main() {\n int n = inf.readInt();\n int m = inf.readInt(1, 5, \"m\");\n}",
                JuryRole::Validator,
                vec![(2, "unbounded-read")],
            ),
            ("int main() { int n = ouf.readInt(); }", JuryRole::Validator, vec![]),
            ("int main() { int n = inf.readInt(); }", JuryRole::Checker, vec![]),
            ("bool f(double x) { return x == 0.5; }", JuryRole::Checker, vec![(1, "float-equality")]),
            ("bool f(double x) { return x < 0.5 || n == 5; }", JuryRole::Checker, vec![]),
            ("bool f(double a, double b) { return a == b; }", JuryRole::Checker, vec![(1, "float-equality")]),
            (
                "bool f() { double x = 1, *p = &x;\n return fabs(y) == 0; }",
                JuryRole::Checker,
                vec![(2, "float-equality")],
            ),
            ("bool f(double a) { return a < 1; }\nbool g(int a) { return a == 1; }", JuryRole::Checker, vec![]),
            (
                "long x; unsigned long y;\nlong long z; unsigned long long w; long int v;",
                JuryRole::Checker,
                vec![(1, "long"), (2, "long")],
            ),
            ("void f() { printf(\"%I64d\", x); }", JuryRole::Checker, vec![(1, "system-format")]),
            ("void f() {\n for (;;)\n  cout << 1 << endl;\n cout << endl; }", JuryRole::Generator, vec![(3, "endl")]),
            ("// rebut: allow long\nlong x;\n", JuryRole::Checker, vec![]),
        ] {
            assert_eq!(names(source, SourceLanguage::Cpp, role), wanted, "{source}");
        }
        for (source, wanted) in [
            ("import random\nprint(random.randint(1, 5))\n", vec![(2, "unseeded")]),
            ("import random, sys\nrandom.seed(int(sys.argv[1]))\nprint(random.randint(1, 5))\n", vec![]),
            ("import random, sys\nr = random.Random(sys.argv[1])\nprint(r.randint(1, 5))\n", vec![]),
            ("print('random.randint(1, 5)')  # nothing is drawn\n", vec![]),
            (
                "from random import randint, shuffle as mix\nprint(randint(1, 5))\nmix(a)\n",
                vec![(2, "unseeded"), (3, "unseeded")],
            ),
            ("import random as R\nR.seed()\nprint(R.random())\n", vec![(2, "unseeded"), (3, "unseeded")]),
            ("from random import *\nseed(5)\nprint(randint(1, 5))\n", vec![]),
        ] {
            assert_eq!(names(source, SourceLanguage::Python, JuryRole::Generator), wanted, "{source}");
        }
    }
}
