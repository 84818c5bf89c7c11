//! Tests of the operators on small sources, and of schemata as texts.

use super::*;

/// Returns the mutants of an operator as `original -> replacement`.
fn changes(source: &str, operator: MutationOperator) -> Vec<String> {
    changes_in(SourceLanguage::Cpp, source, operator)
}

/// Same, of a source in this language.
fn changes_in(language: SourceLanguage, source: &str, operator: MutationOperator) -> Vec<String> {
    let all = find_mutants(source, language).into_iter().filter(|mutant| mutant.operator == operator);
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
    assert_eq!(changes("double e() { return 1e-9; }", MutationOperator::Literal), ["1e-9 -> 1e-6", "1e-9 -> 1e-12"]);
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
    assert_eq!(changes(source, MutationOperator::Jump), ["continue; -> ", "continue; -> break;", " -> break;"]);
    assert_eq!(changes(source, MutationOperator::LoopBound), ["i < 9 -> i < 9 - 1"]);
    assert_eq!(changes(source, MutationOperator::Arithmetic), ["s += i -> s -= i"]);
}

#[test]
fn returns_without_a_value_are_left_out() {
    let of = |language, source| changes_in(language, source, MutationOperator::Jump);
    let cpp = "void f(int n) { if (n == 0) return; g(n); } int g() { return 1; }";
    assert_eq!(of(SourceLanguage::Cpp, cpp), ["return; -> "]);
    let rust = "fn f(n: i32) -> () { if n == 0 { return; } g(n); match n { 1 => return, _ => g(2) } }";
    assert_eq!(of(SourceLanguage::Rust, rust), ["return; -> "]);
    let python = "def f(n):\n    if n == 0:\n        return\n    g(n)\n    return 1\n";
    assert_eq!(of(SourceLanguage::Python, python), ["return -> "]);
    let mutants = find_mutants(python, SourceLanguage::Python);
    let left_out = mutants.iter().find(|mutant| mutant.operator == MutationOperator::Jump).expect("this mutant");
    assert!(left_out.mutate_source(python).contains("== 0:\n        pass\n"));
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
    assert!(find_mutants(source, SourceLanguage::Cpp).iter().all(|mutant| mutant.form == MutantForm::Declaration));
}

#[test]
fn any_text_is_parsed() {
    for text in ["", "}{", "int main( { if (", "\u{0}\u{ff}", "for (;;) a <", "if (a < 5"] {
        for language in [SourceLanguage::Cpp, SourceLanguage::Java, SourceLanguage::Python, SourceLanguage::Rust] {
            let mutants = find_mutants(text, language);
            mutants.iter().for_each(|mutant| assert!(!mutant.mutate_source(text).is_empty()));
            let numbered: Vec<(usize, &Mutant)> = (1..).zip(&mutants).collect();
            build_schema(text, language, &numbered);
        }
    }
}

#[test]
fn schema_chooses_by_number() {
    let source = "#include <cstdio>\nint f(int n) {\n    if (n < 2 + 1) return 0;\n    return n;\n}\n";
    let mutants = find_mutants(source, SourceLanguage::Cpp);
    let numbered: Vec<(usize, &Mutant)> = (1..).zip(&mutants).collect();
    let schema = build_schema(source, SourceLanguage::Cpp, &numbered).expect("a schema");
    let (head, code) = schema.split_once("#line 2\n").expect("the prelude");
    assert!(head.starts_with("#include <cstdio>\nstatic int rebut_mutant=0;"));
    let sum = "(rebut_mutant==5?(2 - 1):((rebut_mutant==3?(3):rebut_mutant==4?(1):(2)) \
               + (rebut_mutant==6?(2):rebut_mutant==7?(0):(1))))";
    let condition = format!("(rebut_mutant==1?(n <= 2 + 1):rebut_mutant==2?(false):(n < {sum}))");
    let line = format!("    if ({condition}) return (rebut_mutant==8?(1):rebut_mutant==9?((-1)):(0));");
    assert_eq!(code.lines().nth(1), Some(line.as_str()));
}

/// Returns the lines of the mutants of a source in C++ that can be chosen when `main` begins.
fn late_lines(source: &str) -> Vec<usize> {
    let mutants = find_mutants(source, SourceLanguage::Cpp);
    let numbered: Vec<(usize, &Mutant)> = (1..).zip(&mutants).collect();
    let late = late_mutants(source, SourceLanguage::Cpp, &numbered);
    let mut lines: Vec<usize> = late.into_iter().map(|number| mutants[number - 1].line).collect();
    lines.dedup();
    lines
}

#[test]
fn mutants_that_are_executed_before_main_are_not_chosen_later() {
    let function = "int f(int n) { return n + 1; }\n";
    let late = |head: &str| late_lines(&format!("{head}\n{function}")).contains(&2);
    assert!(late("int a[100], best = 7; const int n = 5; vector<int> v(100); int g(int n = f());"));
    assert!(late("struct Edge { int from, to; }; Edge edges[100]; vector<vector<Edge>> graph(100);"));
    assert!(late("struct Tree { int n; int sum() { return n + 1; } };"), "nothing of it is created");
    assert!(late("struct Edge { int n; bool operator<(const Edge& o) const { return n < o.n; } }; set<Edge> all;"));
    assert_eq!(late_lines("int f(int n);\nint a = 3;\nint main() { return a + 1; }"), [3], "not the 3");
    for early in [
        "int f(int n); int a = f(2);",
        "int a = []() { return 3; }();",
        "struct Tree { int n; Tree() { n = 1; } }; Tree tree;",
        "struct Tree { int n = 1; }; vector<Tree> trees(10);",
        "struct Tree { Tree() { n = 1; } int n; } tree;",
        "struct Tree { static inline int n = f(2); };",
        "struct Edge { int n; bool operator<(const Edge& o) const { return n < o.n; } }; set<Edge> all = {{1}, {2}};",
        "struct Part { Part() { n = 1; } int n; }; struct Tree { Part part; }; Tree tree;",
        "struct Part { Part() { n = 1; } int n; }; struct Tree : Part { int m; }; Tree tree;",
        "const int size = 5; struct Tree { Tree(int m) { n = m + 1; } int n; }; Tree tree(size);",
        "namespace a { struct Tree { Tree() { n = 1; } int n; }; Tree tree; }",
        "__attribute__((constructor)) void g() { f(2); }",
    ] {
        assert_eq!(late_lines(&format!("{early}\n{function}")), [0; 0], "{early}");
    }
}

#[test]
fn replaced_operators_keep_their_operands() {
    let source = "int f(int a, int b) { return a * b % 7; }";
    let mutants = find_mutants(source, SourceLanguage::Cpp);
    let sum = mutants.iter().find(|mutant| mutant.replacement == "a + b").map(|mutant| mutant.mutate_source(source));
    assert_eq!(sum.as_deref(), Some("int f(int a, int b) { return (a + b) % 7; }"));
}

#[test]
fn numbers_of_contests_have_their_own_mistakes() {
    let source = "int f() { return 1000000007 + 1000000; }";
    assert_eq!(
        changes(source, MutationOperator::Literal),
        [
            "1000000007 -> 1000000009",
            "1000000007 -> 1000000006",
            "1000000 -> 1000001",
            "1000000 -> 999999",
            "1000000 -> 100000"
        ]
    );
    assert_eq!(changes("long long f(int a) { return 1LL * a; }", MutationOperator::Type)[1..], ["1LL -> 1"]);
    let eps = "double e() { return 0.000001; }";
    assert_eq!(changes(eps, MutationOperator::Literal), ["0.000001 -> 0.001", "0.000001 -> 0.000000001"]);
}

#[test]
fn order_and_directions_are_wrong() {
    let source = "void f() { int d[] = {0, -1, 1}; sort(d, d + 3); }";
    assert_eq!(changes(source, MutationOperator::Direction), ["-1 -> 1", "1 -> -1"]);
    let sorted = changes(source, MutationOperator::SortOrder);
    assert!(sorted[0].starts_with("sort(d, d + 3) -> sort(d, d + 3, ["), "{sorted:?}");
    let python = "a = sorted(b)\nc.sort(reverse=True)\n";
    assert_eq!(
        changes_in(SourceLanguage::Python, python, MutationOperator::SortOrder),
        ["sorted(b) -> sorted(b, reverse=True)", "c.sort(reverse=True) -> c.sort()"]
    );
    let rust = "fn f(v: &mut Vec<i64>) { v.sort(); }";
    assert_eq!(
        changes_in(SourceLanguage::Rust, rust, MutationOperator::SortOrder),
        ["v.sort() -> v.sort_by(|rebut_a, rebut_b| rebut_b.cmp(rebut_a))"]
    );
}

#[test]
fn arrays_are_one_element_short() {
    let of = |language, source| changes_in(language, source, MutationOperator::Size);
    let cpp = "void f(int n) { vector<int> a(n), b(n + 1); int c[n]; a.resize(n); a.assign(b.begin(), b.end()); }";
    assert_eq!(of(SourceLanguage::Cpp, cpp), ["n -> n - 1", "n -> n - 1", "n -> n - 1"], "`n + 1` has a number");
    assert_eq!(of(SourceLanguage::Java, "class A { int[] a = new int[n]; }"), ["n -> n - 1"]);
    assert_eq!(of(SourceLanguage::Python, "a = [0] * n\nb = [0] * (n + 1)\n"), ["n -> n - 1"]);
    assert_eq!(of(SourceLanguage::Rust, "fn f() { let a = vec![0; n]; let b = vec![n, m]; }"), ["n -> n - 1"]);
}

#[test]
fn bounds_of_the_input_are_taken_for_each_other() {
    let source = "int a[200005], b[1003]; bool f(int m) { return m > 7; }";
    let mutants = find_mutants_within(source, SourceLanguage::Cpp, &[1, 7, 1000, 200_000]);
    let found: Vec<&str> = mutants.mutants.iter().map(|mutant| mutant.replacement.as_str()).collect();
    assert!(found.contains(&"1005"), "{found:?}");
    let plain = find_mutants(source, SourceLanguage::Cpp);
    assert_eq!(found.len(), plain.len() + 1, "1000 and 7 have no smaller bound of the size of an array: {found:?}");
}

#[test]
fn orders_of_comparators_are_reversed() {
    let of = |language, source| changes_in(language, source, MutationOperator::SortOrder);
    let rust = "fn f(v: &mut Vec<i64>) { v.sort_by(|a, b| b.cmp(a)); }";
    assert_eq!(of(SourceLanguage::Rust, rust), ["b.cmp(a) -> b.cmp(a).reverse()"]);
    let java = "class A { void f() { Arrays.sort(a, (x, y) -> x - y); b.sort((x, y) -> Long.compare(x, y)); } }";
    let reversed = of(SourceLanguage::Java, java);
    assert!(reversed.contains(&"x - y -> y - x".to_owned()), "{reversed:?}");
    assert!(reversed.contains(&"Long.compare(x, y) -> -Long.compare(x, y)".to_owned()), "{reversed:?}");
    let cpp = "void f() { priority_queue<int, vector<int>, greater<int>> q; sort(a, b, greater<int>()); }";
    assert_eq!(of(SourceLanguage::Cpp, cpp), ["greater -> less", "sort(a, b, greater<int>()) -> sort(a, b)"]);
    assert_eq!(of(SourceLanguage::Python, "a.sort(key=lambda x: -x)\n")[1..], ["-x -> x"]);
}

/// A program with a mistake of nearly every kind in Python.
const PYTHON: &str = "\
n, k = map(int, input().split())
best = 0
for i in range(1, n):
    count = 0
    while count < k <= n and i:
        count += 1
        if i % 2 == 0:
            continue
    count = 0
    best = max(best, i // k)
print(best)
";

#[test]
fn python_has_the_same_mistakes() {
    let changes = |operator| changes_in(SourceLanguage::Python, PYTHON, operator);
    assert_eq!(changes(MutationOperator::LoopBound), ["n -> n - 1", "n -> n + 1"]);
    let compared = ["count < k <= n -> count <= k <= n", "count < k <= n -> count < k < n", "i % 2 == 0 -> i % 2 != 0"];
    assert_eq!(changes(MutationOperator::Comparison), compared);
    assert_eq!(
        changes(MutationOperator::Term),
        ["count < k <= n and i -> count < k <= n", "count < k <= n and i -> i"]
    );
    assert_eq!(changes(MutationOperator::Guard), ["i % 2 == 0 -> False"]);
    assert_eq!(changes(MutationOperator::Reset), ["count = 0 -> "]);
    assert_eq!(
        changes(MutationOperator::Arithmetic),
        ["count += 1 -> count -= 1", "i % 2 -> i / 2", "i // k -> i / k"]
    );
    assert!(changes(MutationOperator::Name).contains(&"max(best, i // k) -> min(best, i // k)".to_owned()));
    assert!(changes(MutationOperator::Name).contains(&"k -> n".to_owned()));
    let mutants = find_mutants(PYTHON, SourceLanguage::Python);
    let mutated = |original: &str, replacement: &str| {
        let found = mutants.iter().find(|m| m.original_text(PYTHON) == original && m.replacement == replacement);
        found.map(|mutant| mutant.mutate_source(PYTHON)).expect("this mutant")
    };
    assert!(mutated("continue", "").contains("== 0:\n            pass\n"));
    assert!(mutated("", "\n    break").ends_with("best = max(best, i // k)\n    break\nprint(best)\n"));
    assert!(mutated("n", "n - 1").contains("range(1, (n - 1)):"));
}

/// A program in Java.
const JAVA: &str = "\
import java.util.*;
public class Main {
    static final int SIZE = 100;
    public static void main(String[] words) {
        int n = 5, m = SIZE;
        long sum = (long) n * m;
        for (int i = 0; i < n; i++) {
            if (i == 3) break;
            sum += Math.max(i, n);
        }
        Arrays.sort(new int[n + 1]);
        System.out.println(\"sum \" + sum);
    }
}
";

#[test]
fn java_chooses_in_one_program() {
    let changes = |operator| changes_in(SourceLanguage::Java, JAVA, operator);
    assert_eq!(changes(MutationOperator::Type), ["(long) n -> (int) (n)", "(long) n * m -> (int) ((long) n * m)"]);
    assert_eq!(changes(MutationOperator::Jump), ["break; -> ", "break; -> continue;", " -> break;"]);
    assert_eq!(changes(MutationOperator::SortOrder), ["Arrays.sort(new int[n + 1]); -> "]);
    assert_eq!(changes(MutationOperator::Guard), ["i == 3 -> false"]);
    assert!(
        ["n -> m", "Math.max(i, n) -> Math.min(i, n)"]
            .iter()
            .all(|change| changes(MutationOperator::Name).contains(&(*change).to_owned()))
    );
    assert!(!changes(MutationOperator::Arithmetic).iter().any(|change| change.contains("sum \"")), "texts are joined");
    let mutants = find_mutants(JAVA, SourceLanguage::Java);
    let numbered: Vec<(usize, &Mutant)> = (1..).zip(&mutants).collect();
    let schema = build_schema(JAVA, SourceLanguage::Java, &numbered).expect("a main method");
    assert!(schema.contains("main(String[] words) {RebutMutant.choose(words);\n"));
    assert!(schema.contains("static final int SIZE = 100;"), "fields are initialized before: {schema}");
    assert!(schema.contains("sum += (RebutMutant.number=="));
    assert!(build_schema("class Main {}", SourceLanguage::Java, &[]).is_none());
    assert_eq!(schema.lines().count(), JAVA.lines().count() + 2, "the class is behind all lines");
}

/// A program in Rust.
const RUST: &str = "\
fn main() {
    let n: usize = 5;
    let mut seen = vec![0; n + 16];
    let mut total = 0i64;
    for i in 0..n {
        let wide = i as i64 * 7;
        if wide < 3 && i != 0 { continue; }
        total += wide.max(2);
        seen[i] = 1;
    }
    match total { 3 => println!(\"three\"), _ => println!(\"{}\", total + 1) }
}
";

#[test]
fn rust_chooses_in_one_program() {
    let changes = |operator| changes_in(SourceLanguage::Rust, RUST, operator);
    assert_eq!(changes(MutationOperator::LoopBound), ["n -> n - 1", "n -> n + 1"]);
    assert_eq!(changes(MutationOperator::Type), ["i as i64 -> (i) as i32 as i64"]);
    assert!(changes(MutationOperator::Literal).contains(&"16 -> 8".to_owned()), "the size of an array");
    assert!(changes(MutationOperator::Name).contains(&"wide.max(2) -> wide.min(2)".to_owned()));
    let mutants = find_mutants(RUST, SourceLanguage::Rust);
    let numbered: Vec<(usize, &Mutant)> = (1..).zip(&mutants).collect();
    let schema = build_schema(RUST, SourceLanguage::Rust, &numbered).expect("a schema");
    let line = schema.lines().find(|line| line.contains("continue")).expect("the line");
    assert!(line.contains("if (if crate::rebut_mutant()=="), "{line}");
    assert!(line.contains("{break;}else {continue;}}"), "{line}");
    assert!(schema.contains("match total { 3 =>"), "a pattern is known to the compiler");
}

#[test]
fn fields_of_tuples_are_swapped_in_rust() {
    let source = "fn f(p: (i64, i64)) -> i64 { p.0 * 2 }";
    assert_eq!(changes_in(SourceLanguage::Rust, source, MutationOperator::Name), ["p.0 -> p.1"]);
}

/// Sources that were made to be slow are searched in part, or take no more steps than others.
#[test]
fn nested_and_repetitive_sources_are_bounded() {
    let nested = |open: &str, inner: &str, close: &str, depth: usize| {
        format!("int main(){{int n=1;{}{inner}{}}}", open.repeat(depth), close.repeat(depth))
    };
    let chain = |length| nested("if(n==1) n=2; else ", "n=3;", "", length);
    let found = find_mutants_within(&chain(200), SourceLanguage::Cpp, &[]);
    assert!(!found.is_cut_short && found.mutants.len() > 800, "{}", found.mutants.len());
    for (language, source) in [
        (SourceLanguage::Cpp, chain(6_000)),
        (SourceLanguage::Cpp, nested("n=(", "n", ");", 30_000)),
        (SourceLanguage::Cpp, nested("{", "n=3;", "}", 100_000)),
        (SourceLanguage::Cpp, nested("1+", "n", "", 60_000)),
        (SourceLanguage::Cpp, nested("n<", "n;", "", 60_000)),
        (SourceLanguage::Cpp, format!("int {}a;", "a=1,".repeat(30_000))),
        (SourceLanguage::Python, format!("a = 1{}\n", " < 1".repeat(30_000))),
        (SourceLanguage::Java, format!(" a+ a+{}", "#if 1\n".repeat(20_000))),
        (SourceLanguage::Rust, format!(" a+ a+{}", "#if 1\n".repeat(20_000))),
        (SourceLanguage::Cpp, "|a| int[] a=".repeat(10_000)),
        (SourceLanguage::Java, "{a;/*".repeat(20_000)),
        (SourceLanguage::Rust, "\"\"".repeat(60_000)),
        (SourceLanguage::Python, format!("for i in a:\n{}", " a = 1\n".repeat(18_000))),
    ] {
        let found = find_mutants_within(&source, language, &[]);
        assert!(found.is_cut_short, "{}...", &source[..40]);
        assert!(found.mutants.iter().map(|mutant| mutant.replacement.len()).sum::<usize>() < 100 << 20);
        let numbered: Vec<_> = (1..).zip(&found.mutants).take(100).collect();
        build_schema(&source, language, &numbered);
        late_mutants(&source, language, &numbered);
    }
}

#[test]
fn long_texts_and_comments_are_no_long_statements() {
    let text = "\"a\\\"b\"".repeat(10);
    let long = "x".repeat(9_000);
    let source =
        format!("// {long}\n/* {long} */ int main() {{ const char* s = \"{long}\"; int n = 1; return n + 2; }} {text}");
    let found = find_mutants_within(&source, SourceLanguage::Cpp, &[]);
    assert!(!found.is_cut_short && !found.mutants.is_empty());
}

/// The parser frees what is nested from the outside in, on the stack, of which threads have little.
#[test]
fn deeply_nested_sources_do_not_overflow_the_stack() {
    for (language, part) in [
        (SourceLanguage::Cpp, "{("),
        (SourceLanguage::Java, "{a["),
        (SourceLanguage::Rust, "{[("),
        (SourceLanguage::Python, "-"),
        (SourceLanguage::Python, "(["),
    ] {
        find_mutants_within(&part.repeat((60 << 10) / part.len()), language, &[]);
        find_mutants_within(&part.repeat((30 << 10) / part.len()), language, &[]);
    }
}

/// Returns a traced source without what is added before its code.
fn traced_code(source: &str) -> String {
    let traced = trace_source(source, SourceLanguage::Cpp, &Default::default()).map(|traced| traced.source);
    traced.map_or_else(String::new, |traced| traced.rsplit_once("#line 1\n").expect("its lines").1.to_owned())
}

#[test]
fn operands_are_traced_where_they_are_executed() {
    let body = |code: &str| format!("int f(int a, int b, char* s) {{ {code} }}");
    let traced = |code: &str| traced_code(&body(code)).replace("int f(int a, int b, char* s) ", "");
    assert_eq!(
        traced("return a % 7 == b;"),
        "{ return rebut_wrap(0,0,(rebut_wrap(1,2,(a)) % 7)) == rebut_wrap(0,1,(b)); }"
    );
    assert_eq!(traced("return a * b;"), "{ return rebut_wrap(0,3,(a * b)); }");
    assert_eq!(traced("a += b; return 'x' < a;"), "{ rebut_wrap(0,3,(a += b)); return 'x' < rebut_wrap(1,2,(a)); }");
    // Loops that count, neighbours, pointers and words tell nothing; sizes of arrays are the compiler's.
    for code in ["for (; a < b;) ;", "return a + 1;", "return s == NULL;", "int c[4 / 2]; static_assert(1 == 1);"] {
        assert_eq!(traced(code), "", "{code}");
    }
    assert_eq!(traced_code("const int N = 1 * 2 * M; int c[N == M];"), "");
    let excluded = [1].into();
    assert_eq!(trace_source(&body("return a == b;"), SourceLanguage::Cpp, &excluded), None);
}

#[test]
fn code_is_added_after_the_headers_and_the_conditions_around_them() {
    let source =
        "#include <a>\n#ifdef LOCAL\n# include \"b\"\n#else\n#endif\nint f(int a) { return a == 2; }\n#endif\n";
    let traced = trace_source(source, SourceLanguage::Cpp, &Default::default()).expect("a traced source").source;
    assert!(traced.starts_with("#include <a>\n#ifdef LOCAL\n# include \"b\"\n#else\n#endif\nstruct"), "{traced}");
    assert!(traced.contains("#line 6\nint f(int a) { return rebut_wrap(0,2,(a)) == 2; }\n"), "{traced}");
}

#[test]
fn traces_are_read_whole_or_not_at_all() {
    let source = "int f(int a, int b) { return 5 < a || a == b; }";
    let sites = trace_source(source, SourceLanguage::Cpp, &Default::default()).expect("a traced source").sites;
    let trace = read_trace(&sites, b"x\n\x01rebut-trace\n0 -3 0\n1 4 9\n\x01end 7\n").expect("a trace");
    let record = |site, left, right| TraceRecord { site, left, right };
    assert_eq!(trace, Trace { records: vec![record(0, 5, -3), record(1, 4, 9)], recorded: 7 });
    for output in [
        "x",
        "\n\x01rebut-trace\n0 1 2\n",
        "\n\x01rebut-trace\n9 1 2\n\x01end 7\n",
        "\n\x01rebut-trace\n0 1\n\x01end 7\n",
    ] {
        assert_eq!(read_trace(&sites, output.as_bytes()), None, "{output}");
    }
}
