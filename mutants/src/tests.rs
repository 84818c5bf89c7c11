//! Tests of the operators on small sources, and of schemata as texts.

use super::*;

/// Returns the mutants of an operator as `original -> replacement`.
fn changes(source: &str, operator: MutationOperator) -> Vec<String> {
    let all = find_mutants(source).into_iter().filter(|mutant| mutant.operator == operator);
    all.map(|mutant| format!("{} -> {}", mutant.original_text(source), mutant.replacement)).collect()
}

#[test]
fn numbers_have_neighbours() {
    let source = "int f() { return 5 + 0LL; }";
    assert_eq!(changes(source, MutationOperator::Literal), ["5 -> 6", "5 -> 4", "0LL -> 1LL", "0LL -> (-1LL)"]);
    assert_eq!(
        changes("const int N = 100; int a[N + 7];", MutationOperator::Literal),
        ["100 -> 50", "100 -> 99", "7 -> 6"]
    );
    assert_eq!(changes("double e() { return 1e-9; }", MutationOperator::Literal), ["1e-9 -> 1e-8", "1e-9 -> 1e-10"]);
}

#[test]
fn comparisons_and_terms_change() {
    let source = "bool f(int a, int b) { return a < b && b != 0; }";
    assert_eq!(changes(source, MutationOperator::Comparison), ["a < b -> a <= b", "b != 0 -> b == 0"]);
    assert_eq!(
        changes(source, MutationOperator::Term),
        ["a < b && b != 0 -> bool(a < b)", "a < b && b != 0 -> bool(b != 0)"]
    );
    assert_eq!(changes(source, MutationOperator::Name), ["a -> b", "b -> a", "b -> a"]);
}

#[test]
fn special_cases_resets_and_jumps_are_left_out() {
    let source = "int main() { int s; for (int i = 0; i < 9; i++) { s = 0; if (i == 3) continue; s += i; } }";
    assert_eq!(changes(source, MutationOperator::Guard), ["i == 3 -> false"]);
    assert_eq!(changes(source, MutationOperator::Reset), ["s = 0; -> "]);
    assert_eq!(changes(source, MutationOperator::Jump), ["continue; -> "]);
    assert_eq!(changes(source, MutationOperator::LoopBound), ["i < 9 -> i < 9 - 1"]);
    assert_eq!(changes(source, MutationOperator::Arithmetic), ["s += i -> s -= i"]);
}

#[test]
fn types_become_narrower() {
    let source = "long long f(double x, unsigned long long y) { return x; }";
    assert_eq!(
        changes(source, MutationOperator::Type),
        ["long long -> int", "double -> float", "unsigned long long -> unsigned"]
    );
}

#[test]
fn preprocessor_and_templates_are_left_alone() {
    let source = "#include <bits/stdc++.h>\n#define N 5\nstd::array<int, 5> a;\n";
    assert_eq!(changes(source, MutationOperator::Literal), ["5 -> 4"], "the size of the array");
    assert!(find_mutants(source).iter().all(|mutant| mutant.form == MutantForm::Declaration));
}

#[test]
fn any_text_is_parsed() {
    for text in ["", "}{", "int main( { if (", "\u{0}\u{ff}", "for (;;) a <", "if (a < 5"] {
        for mutant in find_mutants(text) {
            mutant.mutate_source(text);
        }
    }
}

#[test]
fn schema_chooses_by_number() {
    let source = "#include <cstdio>\nint f(int n) {\n    if (n < 2 + 1) return 0;\n    return n;\n}\n";
    let mutants = find_mutants(source);
    let numbered: Vec<(usize, &Mutant)> = (1..).zip(&mutants).collect();
    let schema = build_schema(source, &numbered);
    let (head, code) = schema.split_once("#line 2\n").expect("the prelude");
    assert!(head.starts_with("#include <cstdio>\nstatic int rebut_mutant=0;"));
    let sum = "(rebut_mutant==5?(2 - 1):((rebut_mutant==3?(3):rebut_mutant==4?(1):(2)) \
               + (rebut_mutant==6?(2):rebut_mutant==7?(0):(1))))";
    let condition = format!("(rebut_mutant==1?(n <= 2 + 1):rebut_mutant==2?(false):(n < {sum}))");
    let line = format!("    if ({condition}) return (rebut_mutant==8?(1):rebut_mutant==9?((-1)):(0));");
    assert_eq!(code.lines().nth(1), Some(line.as_str()));
}

#[test]
fn replaced_operators_keep_their_operands() {
    let source = "int f(int a, int b) { return a * b % 7; }";
    let mutants = find_mutants(source);
    let sum = mutants.iter().find(|mutant| mutant.replacement == "a + b").map(|mutant| mutant.mutate_source(source));
    assert_eq!(sum.as_deref(), Some("int f(int a, int b) { return (a + b) % 7; }"));
}
