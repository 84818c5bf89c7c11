//! Layouts of sample inputs as they occur in contests.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use super::{InferError, Inference, Sample, infer_format};
use rebut_diagnostics::SourceText;
use rebut_format::language::Format;
use rebut_format::read::read_input;
use rebut_format::validate::find_violation;

fn infer(inputs: &[&str], statement: Option<&str>) -> Inference {
    let samples: Vec<Sample> = inputs.iter().map(|input| Sample::new("sample", input.as_bytes())).collect();
    let found = infer_format(&samples, statement).unwrap();
    for text in std::iter::once(&found.text).chain(found.questions.iter().map(|question| &question.text)) {
        let (format, _) = Format::parse(&SourceText::new("inferred", text.as_bytes())).unwrap();
        for sample in &samples {
            let value =
                read_input(&format, &sample.to_bytes()).unwrap_or_else(|problem| panic!("{}\n{text}", problem.message));
            assert_eq!(find_violation(&format, &value), None, "{text}");
        }
    }
    found
}

/// Checks the layout that some inputs have, on one line.
#[track_caller]
fn check(inputs: &[&str], layout: &str) {
    let found = infer(inputs, None);
    assert_eq!(layout_of(&found.text), layout, "{found:#?}");
    assert!(found.questions.is_empty() && !found.is_cut_short, "{found:#?}");
}

/// Checks that a layout is a question, or the first one with a question.
#[track_caller]
fn check_question(inputs: &[&str], layouts: [&str; 2]) {
    let found = infer(inputs, None);
    let mut all = vec![layout_of(&found.text)];
    all.extend(found.questions.iter().map(|question| layout_of(&question.text)));
    assert!(layouts.iter().all(|layout| all.iter().any(|other| other == layout)), "{all:#?}");
}

fn layout_of(text: &str) -> String {
    text.lines().take_while(|line| *line != "where:").map(str::trim).collect::<Vec<_>>().join("; ")
}

#[test]
fn arrays_have_the_number_before_them_as_their_size() {
    check(&["5\n1 2 3 4 5\n", "2\n7 7\n"], "n; a[n]");
    check(&["5 3\n1 2 3 4 5\n", "2 9\n7 7\n"], "n x; a[n]");
    check(&["2 3\n1 2\n5 6 7\n", "3 1\n1 2 3\n4\n"], "n m; a[n]; b[m]");
}

#[test]
fn blocks_have_lines_of_any_form() {
    check(&["5 2\n1 2\n2 3\n", "4 3\n1 2\n3 1\n4 4\n"], "x n; repeat n:; u v");
    check(&["4\n1 2 5\n2 3 1\n4 1 7\n", "3\n1 2 9\n3 1 9\n"], "n; repeat n-1:; u v w");
    check(&["2\n3\n1 2 3\n1\n9\n", "1\n4\n1 2 2 1\n"], "t; cases t:; n; a[n]");
    check(&["2\n3 1 2 3\n1 9\n", "3\n4 1 2 2 1\n1 1\n2 5 5\n"], "n; repeat n:; m a[m]");
}

#[test]
fn boards_and_matrices_have_two_sizes() {
    check(&["2 3\n.#.\n##.\n", "3 1\n.\n#\n.\n"], "n m; grid[n][m]");
    check(&["2 3\n1 2 3\n4 5 6\n", "1 4\n9 9 9 9\n"], "n m; a[n][m]");
    check(&["3\nabc\nxyz\nooo\n", "2\nab\nxy\n"], "n; grid[n][n]");
    check(&["4\nabca\n", "2\nzz\n", "7\nabacaba\n"], "n; s[n]");
}

#[test]
fn lines_of_several_forms_are_alternatives() {
    let queries = "3\npush 5\npop\npush 2\n";
    check(&[queries, "4\npush 1\npush 2\npop\npop\n"], "n; repeat n:; either:; \"pop\"; \"push\" x");
    let updates = "5 3\n1 2 3 4 5\n1 2 7\n2 1\n1 4 4\n";
    check(&[updates, "2 2\n1 1\n2 2\n1 1 5\n"], "n m; a[n]; repeat m:; either:; 1 x y; 2 z");
}

#[test]
fn input_may_end_with_a_line_or_without_a_number() {
    check(&["1 2\n3 4\n5 6\n0 0\n", "9 9\n1 5\n0 0\n"], "repeat 1..100 until 0 0:; u v");
}

#[test]
fn empty_lines_are_before_test_cases() {
    let two = "2\n\n3\n1 2 3\n\n1\n9\n";
    check(&[two, "1\n\n2\n4 4\n"], "t; cases t:; \"\"; n; a[n]");
}

#[test]
fn ambiguous_samples_are_questions() {
    check_question(&["1\n5\n"], ["x; y", "n; a[n]"]);
    check_question(&["3 7 7 7 4\n", "2 1 2 9\n"], ["n a[n] x", "n x a[n]"]);
    check_question(&["3 3\n1 2 3\n4 5 6\n"], ["n m; a[n]; b[m]", "x n; a[n]; b[n]"]);
}

/// Checks that a remark mentions a text.
#[track_caller]
fn check_note(inputs: &[&str], statement: Option<&str>, text: &str) {
    let found = infer(inputs, statement);
    assert!(found.notes.iter().any(|note| note.contains(text)), "{found:#?}");
}

#[test]
fn sizes_with_one_value_are_remarked() {
    check_note(&["3\n1\n2\n4\n"], None, "only one value of `n`");
    check_note(&["3\n1 2 4\n", "3\n4 4 4\n"], None, "only one value of `n`");
    assert_eq!(infer(&["3\n1 2 4\n", "2\n4 4\n"], None).notes, Vec::<String>::new());
}

#[test]
fn lengths_and_forms_that_only_samples_support_are_remarked() {
    check_note(&["3\nA B C\n", "2\nQ A\n"], None, "words of one character for `");
    check_note(&["3\npush 5\npop\npush 2\n", "2\npush 1\npop\n"], None, "begin with `pop` or `push`");
}

#[test]
fn statement_gives_names_bounds_and_the_choice() {
    let statement = "The first line contains $t$ ($1 \\le t \\le 10^4$), the number of test cases. Each has two lines: $n$ \
                     ($1 \\le n \\le 2 \\cdot 10^5$), and $n$ integers $a_1, a_2, \\ldots, a_n$ ($-10^9 \\le a_i \\le 10^9$). The sum \
                     of $n$ over all test cases does not exceed $2 \\cdot 10^5$.";
    let found = infer(&["2\n3\n1 2 3\n1\n-4\n"], Some(statement));
    let expected = "t\ncases t:\n    n\n    a[n]\nwhere:\n    1 <= t <= 10^4\n    1 <= n <= 2*10^5\n    -10^9 <= a <= 10^9\n    \
                    sum(n) <= 2*10^5\n";
    assert_eq!(found.text, expected);
    assert_eq!((found.questions.len(), found.sampled_rules), (0, 0));
}

#[test]
fn bounds_that_a_sample_contradicts_are_left_out() {
    let found = infer(&["5\n1 2 3 4 50\n"], Some("n (1 <= n <= 9), then a_1, ..., a_n (1 <= a_i <= 9)"));
    assert!(!found.text.contains("a <= 9\n") && found.text.contains("1 <= n <= 9"), "{}", found.text);
}

#[test]
fn trees_and_permutations_are_recognized() {
    let found = infer(&["5\n1 2\n2 3\n3 4\n3 5\n", "3\n3 1\n2 3\n"], None);
    assert!(found.text.contains("edges (u, v) on 1..n: tree"), "{}", found.text);
    let found = infer(&["5\n3 1 2 5 4\n", "3\n2 3 1\n"], None);
    assert!(found.text.contains("a permutation of 1..n"), "{}", found.text);
}

#[test]
fn empty_samples_are_an_error() {
    assert_eq!(infer_format(&[Sample::new("1.in", b"\n")], None).unwrap_err(), InferError::NoSamples);
    assert_eq!(infer_format(&[], None).unwrap_err(), InferError::NoSamples);
}

#[test]
fn any_bytes_are_read_without_a_panic() {
    for bytes in [&b"\x00\xff"[..], b"1\n\n1\n", b"999999999999999999\n1\n", "é 1\n".as_bytes(), b"-1\n-1\n", b"\"\\\n"]
    {
        let _ = infer_format(&[Sample::new("any", bytes)], Some("1 ≤ n ≤ \\frac{$ <b"));
    }
}

#[test]
fn words_of_the_statement_give_types_and_ranges() {
    let statement = "The only line contains a string $s$ of digits. The length of $s$ is at least 1 and at most 50.";
    assert_eq!(
        infer(&["012\n", "77\n"], Some(statement)).text,
        "s\nwhere:\n    s over \"0-9\"\n    1 <= len(s) <= 50\n"
    );
    // A range without a name stays open.
    let statement = "The first line contains n, and the second line contains n integers, each between 1 and 15000.";
    let found = infer(&["3\n1 2 3\n", "2\n9 1\n"], Some(statement));
    assert_eq!(found.guessed_upper_bounds().as_deref(), Some("upper bounds: a? n?"));
}

#[test]
fn bounds_reach_the_fields_that_are_meant() {
    let cases: &[(&str, &str, &str)] = &[
        // The end of a range is a number that is read before.
        (
            "3\n1 3 2\n",
            "n, then n integers a_1, ..., a_n (1 <= a_i <= n). Here 1 <= n <= 1000, e.g. n = 3.",
            "    1 <= a <= n\n    1 <= n <= 1000\n",
        ),
    ];
    for (sample, statement, rules) in cases {
        let found = infer(&[sample], Some(statement)).text;
        assert!(found.contains(rules), "{statement}: {found}");
    }
}

#[test]
fn letters_are_those_of_the_statement_where_the_samples_agree() {
    let found = infer(&["2\nxo\n"], Some("n, then s. $s$ is a string of length n consisting of `o` and `x`.")).text;
    assert!(found.contains("s over \"ox\"\n"), "{found}");
    let found = infer(&["aAbB\n"], Some("A string s that consists of `a` and `b`.")).text;
    assert!(found.contains("s over \"a-zA-Z\"\n"), "{found}");
}

#[test]
fn terms_are_read_whole_or_not_at_all() {
    let bound = |term: &str| {
        let statement = format!("Two integers $n$ and $k$ ($1 \\le n \\le 50$, $1 \\le k \\le {term}$).");
        let found = infer(&["5 3\n", "7 2\n"], Some(&statement));
        let is_remarked = found.notes.iter().any(|note| note.contains("lack a condition"));
        (
            found
                .text
                .lines()
                .rev()
                .find(|line| line.contains("<= k") || line.contains("k <="))
                .unwrap()
                .trim()
                .to_owned(),
            is_remarked,
        )
    };
    for (term, rule) in
        [("2^{n-1}", "1 <= k <= 2^(n - 1)"), ("10^{9}", "1 <= k <= 10^9"), ("\\lfloor 2n \\rfloor", "1 <= k <= 2 * n")]
    {
        assert_eq!(bound(term), (rule.to_owned(), false), "{term}");
    }
    for term in ["n^{2/3}", "n!", "\\sqrt{n}", "\\binom{n}{2}", "\\lceil n/2 \\rceil", "\\log n", "10^{n-9}/2^{-1}"] {
        let (rule, is_remarked) = bound(term);
        assert!(is_remarked && rule.ends_with("k <= 10"), "{term}: {rule}");
    }
    let sums = |statement: &str| infer(&["2\n2 1\n1 3\n", "1\n1 1\n"], Some(statement)).text;
    let cases =
        "The first line has t ($1 \\le t \\le 9$), the number of test cases. Each has two integers $n$ and $k$. ";
    for (sentence, rule) in [
        ("The sum of $n$ over all test cases does not exceed $2000$.", Some("sum(n) <= 2000")),
        ("The sum of $n$ over all test cases with $k > 10$ does not exceed $1000$.", None),
        ("The sum of $n$ and the sum of $k$ do not exceed 2000 and 3000.", None),
    ] {
        let found = sums(&format!("{cases}{sentence}"));
        assert_eq!(found.lines().map(str::trim).find(|line| line.contains("sum(")), rule, "{found}");
    }
    // The smallest number of 128 bits.
    infer(&["1\n", "2\n"], Some("The line has n (-170141183460469231731687303715884105727 - 1 <= n)."));
}

#[test]
fn conditions_in_words_become_rules_or_remarks() {
    let cases: &[(&[&str], &str, &str)] = &[
        (&["3\n1 5 9\n"], "n, then n integers a_1, ..., a_n. All $a_i$ are distinct.", "distinct(a)"),
        (&["3\n1 1 9\n"], "n, then a_1, ..., a_n. The $a_i$ are in increasing order.", "nondecreasing(a)"),
        (&["3\n9 5 1\n"], "n, then a_1, ..., a_n. The $a_i$ are strictly decreasing.", "decreasing(a)"),
    ];
    for (samples, statement, rule) in cases {
        let found = infer(samples, Some(statement));
        assert!(found.text.lines().any(|line| line.trim() == *rule), "{statement}: {}", found.text);
        assert_eq!(found.notes.iter().find(|note| note.contains("condition")), None, "{statement}");
    }
    let russian = "В первой строке целые числа n и k (1 ≤ k ≤ n ≤ 100). Во второй строке n различных целых чисел \
                   a1, a2, …, an (1 ≤ ai ≤ 1000). Числа упорядочены по возрастанию.";
    check_rules(
        &["3 2\n1 5 9\n", "2 1\n3 4\n"],
        russian,
        "1 <= k <= n <= 100; 1 <= a <= 1000; distinct(a); nondecreasing(a)",
    );
    let korean = "첫째 줄에 정수 n (2 ≤ n ≤ 20)이 주어진다. 다음 n개의 줄에는 두 정수 u, v (1 ≤ u, v ≤ 9)가 주어진다. u와 v는 서로 다르다.";
    check_rules(&["2\n1 2\n2 3\n", "3\n1 2\n1 2\n9 3\n"], korean, "2 <= n <= 20; 1 <= u, v <= 9; u != v");
    // The samples contradict the first, and the second has no rule that is known.
    let missing = "the format may lack a condition of the statement: ";
    let text = "n, then a_1, ..., a_n. All $a_i$ are distinct. It is guaranteed that a solution exists.";
    let found = infer(&["3\n1 1 9\n"], Some(text));
    assert!(!found.text.contains("distinct"), "{}", found.text);
    let notes: Vec<&str> = found.notes.iter().filter_map(|note| note.strip_prefix(missing)).collect();
    assert_eq!(notes, ["All a_i are distinct.", "It is guaranteed that a solution exists."]);
    // About neighbors, and about what need not be.
    for sentence in [
        "No two adjacent numbers a_i are equal.",
        "No two neighbours among a_i are equal.",
        "It is not guaranteed that all a_i are distinct.",
        "The string of a_i is balanced.",
    ] {
        let found = infer(&["3\n1 5 9\n"], Some(&format!("n, then n integers a_1, ..., a_n. {sentence}")));
        assert!(!found.text.contains("distinct"), "{}", found.text);
        let notes: Vec<&str> = found.notes.iter().filter_map(|note| note.strip_prefix(missing)).collect();
        assert_eq!(notes, [sentence]);
    }
}

#[test]
fn only_the_beginning_of_a_long_statement_is_read() {
    let long = "The first line contains n (1 <= n <= 50). ".to_owned() + &"Many words follow here. ".repeat(10_000);
    check_note(&["5\n"], Some(&long), "only its first 5,000 words");
    assert!(infer(&["5\n"], Some(&long)).text.contains("1 <= n <= 50"));
}

#[test]
fn odd_statements_are_no_trouble() {
    let many = |text: &str| text.repeat(10_000);
    let huge = "9".repeat(38);
    let statements = [
        many("("),
        many("|"),
        many("-"),
        many("1+"),
        many("a, "),
        many("a <= "),
        format!("In the following format:\n\n{}", many("A_1 ")),
        format!("In the following format:\n\n{}", many("A_1 A_2 ... A_N\n:\n")),
        many("Input in the following format:\n\n"),
        many("^{"),
        "The first line contains n. The next line contains a[n".to_owned(),
        many("$"),
        many("\\newcommand{\\n}{\\n\\n} "),
        format!("\\newcommand{{\\n}}{{5}} $1 \\leq n \\neq \\n$ {}", many("\\n ")),
        format!("The first line contains n. The next {huge}n + {huge} lines contain {huge}(n + {huge}) integers."),
        format!("The first line contains $a_{{{huge}}}, \\dots, a_n$."),
        "The first line contains n. The next n lines contain n integers each. ".repeat(40),
        "\u{0}\u{7f}ß∑ ≤ ∞ \u{202e} lines".to_owned(),
    ];
    for statement in statements {
        for inputs in [&[][..], &["3\n1 2 3\n"]] {
            let samples: Vec<Sample> = inputs.iter().map(|input| Sample::new("1", input.as_bytes())).collect();
            if let Ok(found) = infer_format(&samples, Some(&statement)) {
                assert!(Format::parse(&SourceText::new("inferred", found.text.as_bytes())).is_ok(), "{}", found.text);
            }
        }
    }
}

/// Checks the rules that a statement gives for some inputs, on one line.
#[track_caller]
fn check_rules(inputs: &[&str], statement: &str, rules: &str) {
    let found = infer(inputs, Some(statement));
    let lines = found.text.lines().skip_while(|line| *line != "where:").skip(1);
    assert_eq!(lines.map(str::trim).collect::<Vec<_>>().join("; "), rules, "{found:#?}");
}

#[test]
fn bounds_of_subtasks_are_joined() {
    let statement = "Input\nThe first line contains $N$ and $M$ ($1 \\le N$). The second line contains a string $S$.\n\
                     Output\nOne number.\nScoring\n\\begin{tabular}{|l|l|}\n Group & Constraints \\\\ \\hline\n\
                     1 & $2 \\le N \\le 2, M \\le 100, |S| < 50$ \\\\ \\hline\n2 & $N \\le 1000, M \\le 50$, $|S| \\le 30$ \\\\\n\\end{tabular}";
    check_rules(
        &["2 3\nabcd\n", "7 1\nx\n"],
        statement,
        "1 <= N; N <= 1000; M <= 100; len(S) <= 49; S over \"a-z\"; 1 <= M, len(S)",
    );
    let rows = "# Input\nOne line with $n$.\n# Scoring\n| Group | Limits |\n|---|---|\n| 1 | $1 \\le n \\le 10$ |\n| 2 | $n \\le 99$ |\n";
    check_rules(&["5\n", "8\n"], rows, "1 <= n <= 99");
}

#[test]
fn one_contradicted_bound_leaves_the_others() {
    let found = infer(&["5 2\n"], Some("One line with $n$ and $m$ ($7 \\le n, m \\le 15$)."));
    assert!(found.text.contains("n <= 15") || found.text.contains("n, m <= 15"), "{found:#?}");
    assert!(found.notes.iter().any(|note| note.contains("`7 <= n`")), "{found:#?}");
}

#[test]
fn bounds_of_products_are_no_bounds_of_numbers() {
    let statement = "One line with $N$ and $M$ ($2 \\le N \\cdot M \\le 10^6$).";
    check_rules(&["2 2\n", "9 1\n"], statement, "2 <= N * M <= 10^6; 1 <= N, M <= 10");
    check_note(&["2 2\n", "9 1\n"], Some(statement), "no upper bound was found in the statement for `N` and `M`");
}

#[test]
fn bounds_without_a_name_are_taken_where_one_is_missing() {
    let statement = "One line with $N$ and $M$. In the only test, $N = 100$ and $M = 500$.";
    check_rules(&["4 5\n", "6 2\n"], statement, "N <= 100; M <= 500; 1 <= N, M");
}

#[test]
fn bounds_by_an_index_hold_at_each_place() {
    let array =
        "The first line contains $n$ ($1 \\le n \\le 100$). The second line contains $n$ integers $a_1, ..., a_n$ ";
    let samples = ["3\n1 2 1\n", "2\n1 1\n"];
    let by_place = "1 <= n <= 100; 1 <= a; a <= n; forall i in 1..n: a[i] <= i";
    check_rules(&samples, &format!("{array}($1 \\le a_i \\le i$)."), by_place);
    let parents = "The first line contains $n$ ($2 \\le n \\le 100$). The second line contains $p_2, ..., p_n$ ($1 \\le p_i < i$).";
    let by_place = "2 <= n <= 100; 1 <= p; p <= n; forall i in 2..n: p[i-1] < i";
    check_rules(&["3\n1 2\n", "5\n1 1 2 1\n"], parents, by_place);
    // About some elements only.
    for said in [
        "Find an index $i$ with $a_i > i$.",
        "Count those with $a_i <= i$.",
        "Count pairs with $i < j$, $a_i > a_j$.",
        "A fixed point has $a_i = i$.",
    ] {
        let found = infer(&["3\n1 1 1\n", "2\n1 1\n"], Some(&format!("{array}($1 \\le a_i \\le 100$). {said}")));
        assert_eq!(found.text, "n\na[n]\nwhere:\n    1 <= n <= 100\n    1 <= a <= 100\n");
    }
}

#[test]
fn blocks_may_be_empty_in_a_sample() {
    check(&["3 0\n", "2 2\na\npo\n", "5 5\njava\npy\njs\nrust\napl\n"], "x n; repeat n:; s");
}

#[test]
fn boards_may_be_followed_by_an_empty_block() {
    let full = "5\n7\n4\n.#...##\n###....\n..#.#..\n.......\n##.....\n1 2\n5 7\n1 1\n3 6\n";
    let found = infer(&[full, "3\n6\n0\n.#.#..\n######\n......\n"], None);
    assert_eq!(layout_of(&found.text), "n; m; k; grid[n][m]; repeat k:; u v", "{found:#?}");
}

#[test]
fn a_length_without_a_stated_bound_is_a_remark() {
    let lengths = |text: &str| {
        let notes = infer(&["abc\n", "de\n"], Some(text)).notes;
        notes.iter().any(|note| note.starts_with("no upper bound was found in the statement for `len(s)`"))
    };
    assert!(lengths("One line with a string $s$."));
    assert!(!lengths("One line with a string $s$ of at most 20 characters."));
}

#[test]
fn conditions_without_a_chain_are_remarks() {
    for sentence in [
        "Two integers $x$ and $y$, $(x, y) \\neq (0, 0)$, $0 \\le x, y \\le 9$.",
        "Two integers $x, y \\le 9$. Their total length is at most 4.",
        "Two integers $x$, $y$\n$x, y \\le 9$\nThe total length of all is at most 4.",
        "Two integers $x, y \\le 9$. The xor of $x$ and $y$ is 6.",
    ] {
        check_note(&["7 1\n", "2 4\n"], Some(sentence), "may lack a condition");
    }
}

#[test]
fn letters_are_guesses_unless_they_are_stated() {
    let check = |statement: &str, guesses: usize| {
        let found = infer(&["ab\n", "wxyz\n"], Some(&format!("A string $s$. $1 \\le |s| \\le 9$. {statement}")));
        assert_eq!(found.sampled_rules, guesses, "{found:#?}");
    };
    check("It is a word.", 1);
    check("The string consists of lowercase letters.", 0);
    let statement = "$t$ strings $s$ ($1 \\le t \\le 9$) of lowercase and uppercase letters. The sum of their lengths $|s|$ over all test cases does not exceed $99$.";
    let rules = "s over \"a-zA-Z\"; 1 <= t <= 9; len(s) <= 99; sum(len(s)) <= 99; 1 <= len(s)";
    check_rules(&["2\nab\ncde\n", "1\nx\n"], statement, rules);
}

#[test]
fn a_number_without_a_stated_bound_is_a_remark() {
    let found = infer(&["5 4\n"], Some("The input consists of two numbers $a$ and $b$ with $a \\le 10$."));
    assert!(found.notes.iter().any(|note| note.contains("no upper bound") && note.contains("`b`")), "{found:#?}");
}

#[test]
fn decimals_and_lengths_by_name_are_taken() {
    let statement = "The first line contains the real number $D$ and $N$ ($2 \\le D \\le 3$, \
                     $1 \\le N \\le 100$). The second line is a word $s$. The length of $s$ is at most $N$.";
    let rules = "D real, 2 <= D <= 3, 0..6 decimals; 1 <= N <= 100; len(s) <= N; s over \"a-z\"; 1 <= len(s)";
    check_rules(&["2.125 7\nabc\n", "3 5\nxy\n"], statement, rules);
    let statement = "One line with $N$ and $M$ ($1 \\le N \\le 20$, $0 \\le M \\le \\min(100, \\frac{n(n-1)}{2})$).";
    // The statement spells one name in two ways, so that one term of the bound is missing.
    check_note(&["3 2\n", "5 4\n"], Some(statement), "may lack a condition");
}

#[test]
fn words_that_come_again_are_cheap() {
    let samples = [
        "4 5 1\n2\n1 3 locked\n3 4 locked\n1 2 locked\n2 4 open\n2 3 open\n",
        "5 7 2\n3 4\n1 2 locked\n1 3 open\n2 3 locked\n1 5 locked\n2 4 locked\n5 4 locked\n5 4 open\n",
    ];
    let found = infer(&samples, None);
    assert_eq!(layout_of(&found.text), "x n m; a[m]; repeat n:; u v s", "{found:#?}");
}

#[test]
fn hostile_statements_neither_overflow_nor_take_long() {
    for text in [
        format!("an integer a{}", "[1]".repeat(100_000)),
        "\\frac{".repeat(20_000),
        "\\frac{1}{".repeat(20_000),
        "{".repeat(50_000),
        "\\newcommand{\\n}{".repeat(10_000),
        "$p \\le q$, $q \\le p$, ".repeat(2_000),
        format!("Scoring\n1 & {}", "n < 5, ".repeat(20_000)),
        format!("Input:\n{}", "line 1: `n`\n".repeat(2_000)),
        format!("Input:\n- line 1: `{}`", "n_1 ... nn ".repeat(2_000)),
        format!("Input:\n- line {}: `n`", "1 + ".repeat(5_000)),
        format!("Input:\n- line 1: `n`\n- lines 2 to {}: n", "N + ".repeat(5_000)),
        format!("## Task\n{}\n\n## Input\n- line 1: `n`\n- line 2: `A[0] ... A[n-1]`", "\n\n$n < 5$".repeat(3_000)),
        "line ".repeat(5_000),
        "og er eru sem Fyrsta lína inntaksins. ".repeat(2_000),
        "og er eru sem Á fyrstu ".repeat(2_000),
        "t.d.".repeat(5_000),
        "either `a` or `bc` or ".repeat(2_000),
        format!("integers {}", "x and ".repeat(5_000)),
        "integers x ( ".repeat(10_000),
        format!(
            "integers ${0}$ and $q$. integers $z$, ${0}$ and $y$",
            (1..800).map(|i| format!("x_{i}$, $")).collect::<String>()
        ),
        "integers $x_1$, $y_2$ and $z_3$ or $x_1$, $y_2$ and $w_3$. ".repeat(400),
        format!("Input\n$n$\nStory\n{}", "$x_1$ distinct integers $y_2$ of even $n$. ".repeat(3_000)),
        "one of ".repeat(5_000),
        "The string is one of:\n\n".repeat(1_000),
        format!("The string is one of:\n\n{}", "`ab`\n\n".repeat(3_000)),
        "$N \\leq 10^{10^".repeat(2_000),
        "\\ref[".repeat(5_000),
        "line 1".repeat(5_000),
        "$x \\leq ab$ ".repeat(5_000),
        format!("Input\n{}", "(".repeat(50_000)),
        format!("Input\nsubtask {}", "1".repeat(50_000)),
    ] {
        let found = infer(&["3\n1 2 3\n", "2\n5 5\n"], Some(&text));
        let layout = layout_of(&found.text);
        assert!(layout.contains('[') && layout.contains("; "), "{layout}: {}", &text[..20]);
    }
}

#[test]
fn lines_about_points_of_the_plane_are_no_subtasks() {
    let statement = "## Input\nThe first line has $n$ ($1 \\le n \\le 100$).\nEach of the next $n$ lines has 2 points: integers \
                     $x$ and $y$ ($0 \\le x, y \\le 9$).\n";
    check_rules(&["2\n1 2\n3 4\n", "1\n9 9\n"], statement, "1 <= n <= 100; 0 <= x, y <= 9");
}

#[test]
fn a_lower_bound_in_words_is_no_upper_bound() {
    let statement = "One line with a non-positive integer x, which must exceed -50.";
    let found = infer(&["-4\n", "0\n"], Some(statement));
    assert!(!found.text.contains("1 <=") && !found.text.contains("<= -50"), "{found:#?}");
}

#[test]
fn names_belong_to_the_lines_of_their_sentences() {
    let statement = "The first line contains $n$ and $m$ ($1 \\le n, m \\le 10$). Then come the starts. Each of the $m$ lines \
                     after them is a road $a, b, w$ ($0 \\le a, b < n$, $1 \\le w \\le 50$).";
    let found = infer(&["2 3\n5 7\n0 1 9\n1 0 8\n1 1 50\n", "3 2\n5 7 8\n2 1 3\n0 0 4\n"], Some(statement));
    assert_eq!(layout_of(&found.text), "n m; c[n]; repeat m:; a b w", "{found:#?}");
    let statement = "A single string comes first. Then follows an integer $N$, and then $N$ strings.";
    let found = infer(&["bo\n2\nal\nc\n", "e\n1\nhugo\n"], Some(statement));
    assert_eq!(layout_of(&found.text), "s; N; repeat N:; t", "{found:#?}");
}

#[test]
fn the_largest_of_several_bounds_holds() {
    let statement = "The first line has $q$ ($1 \\le q \\le 9$). Each of the next $q$ lines has two integers $t$ and $x$ \
                     ($1 \\le t \\le 2$). If $t = 1$, then $1 \\le x \\le 50$. If $t = 2$, then $1 \\le x \\le 10^6$.";
    let found = infer(&["2\n1 3\n2 7\n"], Some(statement));
    assert!(found.text.contains("1 <= x <= 10^6") && !found.text.contains("50"), "{found:#?}");
    assert!(found.notes.iter().any(|note| note.contains("several upper bounds of `x`")), "{found:#?}");
}

#[test]
fn limits_of_decimals_are_no_numbers() {
    let statement = "The first line has $n$ ($1 \\le n \\le 9$). Then $n$ lines with a real number $x$ ($0 \\le x \\le 10$), \
                     given with at most two digits after the decimal point, and an integer $y$ ($0 \\le y \\le 5$).";
    let found = infer(&["3\n1.5 1\n3 4\n2.5 0\n"], Some(statement));
    assert_eq!(layout_of(&found.text), "n; repeat n:; x y", "{found:#?}");
}

#[test]
fn ranges_of_things_are_not_those_of_numbers() {
    let team = "One integer $n$ ($1 \\le n \\le 9$). Then $n$ lines with an integer, the points of a team. Teams with less than \
                1000 points are out.";
    check_rules(&["2\n5\n7\n"], team, "1 <= n <= 9; 1 <= x <= 10");
    let friends =
        "One line with $n$ and $k$ ($1 \\le n \\le 9$). There are no more than 30 friends with more than 20 coins.";
    check_rules(&["4 2\n"], friends, "1 <= n <= 9; 1 <= k <= 10");
    let cases = "The input has several test cases (at most 20). Each has a line with $n$ ($1 \\le n \\le 9$), and a line with $n$ \
                 integers. The input is terminated by n = 0.";
    assert!(!infer(&["2\n5 6\n1\n3\n0\n"], Some(cases)).text.contains("20"));
}

#[test]
fn elements_in_order_are_not_compared_with_themselves() {
    let statement = "The first line contains $n$ ($2 \\le n \\le 9$). The second line contains $n$ decimal numbers $y_i$ with \
                     $-100 \\le y_1 < y_2 < \\dots < y_n \\le 100$ and at most 4 decimals.";
    let found = infer(&["2\n1.5 2.25\n", "3\n-1 0 7.5\n"], Some(statement));
    assert!(!found.text.contains("y < y"), "{found:#?}");
    assert!(found.text.contains("-100 <= y <= 100") && found.text.contains("increasing(y)"), "{found:#?}");
}

#[test]
fn permutations_need_support_beside_a_statement() {
    let sample = "4\n2 4 1 3\n";
    let silent = "The first line contains $n$. The second line contains $n$ integers $a_i$ ($1 \\le a_i \\le 99$).";
    let found = infer(&[sample, "3\n3 1 2\n"], Some(silent));
    assert!(!found.text.contains("permutation") && found.text.contains("a <= 99"), "{found:#?}");
    let found = infer(&[sample, "3\n3 1 2\n"], Some("The second of two lines is a permutation of length $n$."));
    assert!(found.text.contains("permutation"), "{found:#?}");
}

#[test]
fn decimals_that_nothing_limits_are_a_remark() {
    let statement = "One line with two real numbers $x$ and $y$ ($0 \\le x, y \\le 9$).";
    let found = infer(&["1.5 2\n", "0.25 1\n"], Some(statement));
    assert!(found.text.contains("0..6 decimals"), "{found:#?}");
    assert!(found.notes.iter().any(|note| note.starts_with("the number of decimals of `x`")), "{found:#?}");
    // All prices have two.
    let found = infer(&["1.50\n", "0.25\n"], Some("One line with a real number $x$ ($0 \\le x \\le 9$)."));
    assert!(found.text.contains("0..2 decimals"), "{found:#?}");
}

#[test]
fn one_range_is_that_of_all_names_before_it() {
    let statement = "One line with $n$ ($3 \\le n \\le 100$). The next line has the numbers $p$, $q$ and $r$, all distinct and in \
                     the range $1 \\ldots n$.";
    let found = infer(&["5\n1 3 2\n", "9\n8 1 4\n"], Some(statement));
    assert!(found.text.contains("1 <= p, q, r <= n\n"), "{found:#?}");
}

#[test]
fn permutations_are_the_lists_that_their_sentences_name() {
    let statement = "The first line has $n$ ($1 \\le n \\le 9$). The second line has a permutation $p$ of the numbers from 1 to $n$. The \
                     third line has $n$ integers $a_i$ ($1 \\le a_i \\le 9$).";
    let found = infer(&["3\n2 1 3\n3 1 2\n"], Some(statement));
    assert!(found.text.contains("p permutation of 1..n") && !found.text.contains("a permutation"), "{found:#?}");
}

#[test]
fn relations_that_hold_in_every_sample_are_guesses() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["4 3\n1 2\n2 3\n1 4\n", "5 3\n2 5\n1 3\n4 5\n"], &["u, v <= x", "u < v", "distinct((u, v))"]),
        (&["5\n1 4 9 20 31\n", "3\n2 5 8\n"], &["increasing(a)"]),
        (&["5\n9 4 31 20 1\n", "3\n8 5 2\n"], &["distinct(a)"]),
        (&["8\n1 2 1 2 2 1 1 2\n", "3\n2 2 1\n"], &["1 <= a <= 2"]),
        (&["5 2\n1 9 1 9 1\n", "3 3\n7 7 2\n"], &["x <= n"]),
    ];
    for (samples, guesses) in cases {
        let text = infer(samples, None).commented_text();
        let (_, guessed) = text.split_once("# guessed from the samples").unwrap();
        for guess in *guesses {
            assert!(guessed.lines().any(|line| line.trim() == *guess), "{guess}: {text}");
        }
        assert!(super::has_guesses(&text));
    }
    // A statement knows better, and a sample may contradict.
    let statement = "n, then n integers a_1, ..., a_n (1 <= n <= 50, 1 <= a_i <= 99).";
    let found = infer(&["5\n1 4 9 20 31\n", "3\n2 5 8\n"], Some(statement)).commented_text();
    assert!(!found.contains("increasing") && !super::has_guesses(&found), "{found}");
    assert!(!infer(&["5\n1 4 9 20 4\n", "3\n2 5 8\n"], None).text.contains("distinct"));
}

#[test]
fn lost_powers_are_restored_with_a_remark() {
    let pasted = "The first line contains n (1≤n≤2⋅105). The second line contains n integers a1,a2,…,an (−109≤ai≤109).";
    let found = infer(&["3\n1 2 500\n"], Some(pasted));
    assert!(found.text.contains("1 <= n <= 2*10^5") && found.text.contains("-10^9 <= a <= 10^9"), "{found:#?}");
    check_note(&["3\n1 2 500\n"], Some(pasted), "read `105` as 10^5 and `109` as 10^9");
    check_note(&["3\n1 2 500\n"], Some(pasted), "which confirms it");
}

#[test]
fn expressions_are_constraints_as_a_whole_or_remarks() {
    for (sample, statement, rule) in [
        ("3 4 5\n", "One line with a, b and c (1 ≤ a, b, c ≤ 99, a + b > c).", "a + b > c"),
        ("3 9\n", "One line with a and b (1 ≤ a, b ≤ 99, 2a ≤ b).", "2 * a <= b"),
        ("8 4\n", "One line with a and b (1 ≤ a, b ≤ 99, a mod b = 0).", "a % b = 0"),
        ("6\n", "One line with n (1 ≤ n ≤ 99). It is also guaranteed that n is even.", "n % 2 = 0"),
    ] {
        let found = infer(&[sample], Some(statement));
        assert!(found.text.lines().any(|line| line.trim() == rule), "{statement}: {found:#?}");
        assert!(!found.notes.iter().any(|note| note.contains("may lack")), "{found:#?}");
    }
    for (sample, statement) in [
        ("3 4\n", "One line with a and b (1 ≤ a, b ≤ 99). You may assume that the two do not overlap."),
        ("3\n2 3 4\n", "n, then n integers a1, a2, …, an (1 ≤ n ≤ 9, 1 ≤ ai ≤ 99). The first element is the smallest."),
        (
            "3 abz\n",
            "n and a string s (1 ≤ n ≤ 9, |s| ≤ 9) of lowercase letters. It starts with 'a' and ends with 'z'.",
        ),
        ("3 abz\n", "n and a string s (1 ≤ n ≤ 9, |s| ≤ 9) of lowercase letters. a and z appear exactly once each."),
        ("3\n1 2 3\n", "第一行 n，第二行 n 个整数 a1,a2,…,an（1≤n≤9，1≤ai≤99）。保证存在解。"),
        ("3\n1 5 9\n", "n, then n integers a1,a2,…,an (1≤n≤9, 1≤ai≤99). Also it is guaranteed that a1=1."),
        ("3 4\n", "One line with a and b (1 ≤ a, b ≤ 99, f(a) + b ≤ 7)."),
        // Elements at certain places, a second condition beside a comparison, and one beside a sum.
        ("2\n3 4\n", "$n$, then $a_1, ..., a_n$ ($1 \\le n, a_i \\le 99$), $a_n \\neq 7$."),
        ("3\n3 4 9\n", "$n$, then $a_1, ..., a_n$ ($1 \\le n, a_i \\le 99$), where $a_i \\ge i$."),
        ("3\n2 3 1\n", "n, then n integers a1, a2, …, an (1 ≤ n ≤ 9, 1 ≤ ai ≤ 99, ai ≠ i)."),
        // Samples contradict it.
        ("3\n3 3 9\n", "$n$, then $a_1, ..., a_n$ ($1 \\le n, a_i \\le 99$), where $a_i \\ne a_{i+1}$."),
        (
            "2\n1 2\n2 1\n",
            "$n$, then $n$ lines with $u$ and $v$ ($1 \\le n, u, v \\le 99$). Here $u \\ne v$ and all pairs are distinct.",
        ),
        ("2\n3 3\n", "$n$, then $a_1, ..., a_n$ ($1 \\le n, a_i \\le 99$), $a_i \\ne a_j$ for $i \\ne j$."),
        (
            "2\n3 5\n",
            "$n$, then $a_1, ..., a_n$ ($1 \\le n, a_i \\le 99$). The sum of $a_i$ is at most $500$, and it is even.",
        ),
    ] {
        check_note(&[sample], Some(statement), "may lack a condition of the statement");
        let found = infer(&[sample], Some(statement)).text;
        assert!(!["b <= 7", "a != 7", "a - a", ">= 1"].iter().any(|rule| found.contains(rule)), "{found}");
    }
}

#[test]
fn elements_beside_each_other_have_rules_for_all_places() {
    for (condition, rule) in [
        ("$a_i \\neq a_{i+1}$", "forall i in 1..n-1: a[i] != a[i+1]"),
        ("$a_{i-1} \\neq a_i$ for $2 \\le i \\le n$", "forall i in 2..n: a[i-1] != a[i]"),
        ("$a_{i+1} - a_i \\ge 1$", "forall i in 1..n-1: 1 <= a[i+1] - a[i]"),
        ("$|a_i - a_{i+1}| \\le 5$", "forall i in 1..n-1: abs(a[i] - a[i+1]) <= 5"),
        ("$a_i \\ne a_{i+1}$, so that no two neighbours are equal", "forall i in 1..n-1: a[i] != a[i+1]"),
        ("$a_i > a_{i-1}$", "increasing(a)"),
        ("ai ≠ ai+1", "forall i in 1..n-1: a[i] != a[i+1]"),
        ("ai+1 > ai", "increasing(a)"),
        ("|ai − ai+1| ≤ 5", "forall i in 1..n-1: abs(a[i] - a[i+1]) <= 5"),
    ] {
        let statement =
            format!("n, then n integers a1, a2, …, an (1 ≤ n ≤ 9, 1 ≤ ai ≤ 99). It is guaranteed that {condition}.");
        let found = infer(&["4\n1 2 4 9\n", "2\n3 4\n"], Some(&statement));
        assert!(found.text.lines().any(|line| line.trim() == rule), "{condition}: {found:#?}");
        assert!(!found.text.contains("distinct"), "{condition}: {found:#?}");
        assert!(!found.notes.iter().any(|note| note.contains("may lack")), "{found:#?}");
    }
}

#[test]
fn conditions_are_those_of_what_they_are_about() {
    let pairs = "$n$, then $n$ lines with $a_i$ and $b_i$ ($1 \\le n, a_i, b_i \\le 9$). If $i \\ne j$, then $a_i \\ne a_j$ or $b_i \\ne b_j$.";
    let found = infer(&["3\n1 4\n2 5\n3 6\n"], Some(pairs)).text;
    assert!(found.contains("distinct((a, b))") && !found.contains("distinct(a)"), "{found}");
    let sum = "$n$, then $a_1, ..., a_n$ ($1 \\le n \\le 9$, $1 \\le \\sum_{i=1}^{n} a_i \\le 500$, $0 \\le a_i$).";
    let found = infer(&["2\n3 4\n", "3\n0 0 7\n"], Some(sum)).text;
    assert!(found.contains("sum(a) <= 500") && !found.contains("a <= 500"), "{found}");
    let bullets = "- $1 \\le n \\le 2^{5}(=32)$\n- $0 \\le a_i, b_i < 7$\n\nOne line with $n$, $a_1, ..., a_n$ and $b_1, ..., b_n$.";
    let found = infer(&["2\n3 4\n5 6\n"], Some(bullets)).text;
    assert!(found.contains("0 <= a, b < 7"), "{found}");
    let graph = "$n$ and $m$, then $m$ lines with $a$ and $b$ ($2 \\le n, m \\le 9$, $1 \\le a, b \\le n$): the cities are connected by a road.";
    assert!(!infer(&["3 2\n1 2\n2 3\n"], Some(graph)).text.contains("edges"));
}

#[test]
fn kinds_of_lines_and_ends_of_inputs_are_no_accidents() {
    // Numbers of kinds have no gaps, and a last word ends the input if all samples share it.
    let queries = ["2 3\n1 2\n10 4 5\n1 1\n", "1 2\n1 1\n10 2 3\n"];
    assert!(
        infer_format(&queries.map(|query| Sample::new("1", query.as_bytes())), None)
            .is_ok_and(|found| !found.text.contains("either"))
    );
    let words = infer(&["2\nab\nc\n3\ntea\nsee\ngo\n"], None);
    assert!(!words.text.contains("until"), "{words:#?}");
}

#[test]
fn other_languages_are_read_by_their_phrases() {
    let chinese = "输入格式\n第一行一个整数 T，表示有 T 组测试数据。\n每组数据第一行一个整数 n，第二行 n 个互不相同的整数 a1,a2,…,an。\n数据范围\n\
                   对于 30% 的数据，n≤10。\n对于 100% 的数据，1≤T≤10，1≤n≤105，1≤ai≤109。\n所有数据的 n 之和不超过 2×105。";
    let found = infer(&["1\n3\n5 1 9\n"], Some(chinese)).text;
    for rule in ["cases T:", "1 <= n <= 10^5", "1 <= a <= 10^9", "sum(n) <= 2*10^5", "distinct(a)"] {
        assert!(found.contains(rule), "{rule}: {found}");
    }
    let spanish = "Dos enteros $n$ y $m$ ($1 \\le n \\le 10$, $1 \\le m \\le 20$).";
    let found = infer(&["3 4\n", "5 6\n"], Some(spanish)).text;
    assert!(found.starts_with("n m\n") && found.contains("1 <= m <= 20"), "{found}");
    let tree = "输入格式\n第一行 n（2≤n≤100）。接下来 n−1 行，每行两个整数 u,v。保证输入是一棵树。";
    assert!(infer(&["3\n1 2\n1 3\n", "2\n1 2\n"], Some(tree)).text.contains("edges (u, v) on 1..n: tree"));
}

#[test]
fn upper_bounds_that_only_samples_have_are_asked_for() {
    let asked = |inputs: &[&str], statement| infer(inputs, statement).guessed_upper_bounds();
    assert_eq!(asked(&["3\n1 2 3\n", "2\n1 2\n"], None).as_deref(), Some("upper bounds: a? n?"));
    let statement = Some("$n$ ($1 \\le n \\le 9$) and $a_1, \\ldots, a_n$ ($0 \\le a_i$)");
    assert_eq!(asked(&["3\n1 2 3\n", "2\n1 0\n"], statement).as_deref(), Some("upper bounds: a?"));
    let statement = Some("$n$ ($1 \\le n \\le 9$) and $a_1, \\ldots, a_n$ ($0 \\le a_i \\le 9$)");
    assert_eq!(asked(&["3\n1 2 3\n", "2\n1 0\n"], statement), None);
}

/// A block of one test case looks like its lines.
#[test]
fn only_test_case_of_a_sample_is_one_where_the_statement_says_so() {
    let statement = "The first line contains $T$, the number of test cases ($1 \\le T \\le 5$). Each test case begins with \
                     $N$ ($1 \\le N \\le 9$), and $N$ lines with two integers $x$ and $y$ ($1 \\le x, y \\le 9$) follow.";
    let found = infer(&["1\n3\n1 2\n2 3\n4 4\n"], Some(statement));
    let layout = found.text.split("where:").next().unwrap();
    assert_eq!(layout, "T\ncases T:\n    N\n    repeat N:\n        x y\n", "{found:?}");
}

#[test]
fn sentences_of_fresh_statements_are_rules() {
    let matrix = "$t$ test cases ($1 \\le t \\le 9$). The first line of each has two integers $n$ and $m$ ($1 \\le n, m \\le 9$). \
                  Each of the next $m$ lines has three integers $u_i$, $v_i$ and $w_i$ ($1 \\le u_i, v_i \\le n$, $1 \\le w_i \\le 7$).";
    let cases: [(&[&str], &str, &[&str]); 11] = [
        (
            &["1\n2 3\n1 1\n"],
            "$t$ test cases, each with two integers $n$ and $m$, then a line. Neither the sum of $n$ nor the sum of $m$ over all test cases exceeds $50$.",
            &["sum(n) <= 50"],
        ),
        (&["3\n1 0 1\n", "2\n0 0\n"], "$n$ and $a_1, ..., a_n$ ($a_i \\in \\{0, 1\\}$).", &["0 <= a <= 1"]),
        (&["500\n", "3\n"], "One integer z (0≤z<230).", &["0 <= z < 2^30"]),
        (
            &["5 2\n2 1 4\n1 3\n"],
            "$n$ and $m$ ($1 \\le n, m \\le 9$), then $m$ lines. Each begins with $k_i$ ($0 \\le k_i \\le n$). Then $k_i$ distinct integers follow.",
            &["distinct("],
        ),
        (
            &["4 3\n0 1\n2 3\n0 2\n"],
            "$n$ and $m$ ($1 \\le n, m \\le 9$), then $m$ lines with $u$ and $v$ ($0 \\le u, v \\le n - 1$). There is at most one edge between two vertices.",
            &["edges (u, v) on 0..n-1: simple"],
        ),
        (
            &["3\n", "7\n"],
            "The story has $n$, where $n$ is an odd number.\nInput\n$n$ ($1 \\le n \\le 9$)",
            &["n % 2 = 1"],
        ),
        (
            &["7 3\n1 2 3 4\n2 1 5\n1 1 1 9\n", "9 2\n2 2 2\n1 3 4 0\n"],
            "$n$ and $q$ ($1 \\le n, q \\le 9$). Each query is either `$1$ $l$ $r$ $x$` or `$2$ $l$ $r$` ($1 \\le l \\le r \\le n$, $0 \\le x \\le 9$).",
            &["1 l r x", "2 l r"],
        ),
        (&["3\n2 3\n1 2 3\n2 1 4\n1 2 5\n3 1\n1 3 3\n2 1\n2 1 1\n"], matrix, &["u v w"]),
        (&["5\n", "7\n"], "𝑋\nX is an integer between \n1\n1 and \n81\n81, inclusive.", &["1 <= X <= 81"]),
        (
            &["ab!\n"],
            "A string $s$ ($|s| \\le 9$). Each character is a small English letter, a digit, or one of characters: \"!\", \",\".",
            &["s over \"a-z0-9!,\""],
        ),
        (
            &["2\nip cc\n"],
            "- $1 \\le N \\le 100$\n- $|S| = |T| = N$\n- $S$ and $T$ are strings of lowercase letters.\n\nInput is given in the following format:\n\n> $N$\n> \n> $S$ $T$\n",
            &["len(S) = len(T) = N"],
        ),
    ];
    for (inputs, statement, rules) in cases {
        let found = infer(inputs, Some(statement)).text;
        for rule in rules {
            assert!(found.contains(rule), "{rule}: {found}");
        }
    }
}

#[test]
fn test_cases_of_a_statement_lead_the_search() {
    let statement = "The first line contains the number of test cases t (1 ≤ t ≤ 1000). The first line of each test case contains \
                     two integers n and q (2 ≤ n, q ≤ 100). The second line contains n-1 integers p_2, ..., p_n (1 ≤ p_i ≤ n). The \
                     third line contains a binary string s of length n. Each of the next q lines contains two integers u and v \
                     (1 ≤ u, v ≤ n).";
    let sample = "3\n4 2\n1 1 3\n0101\n1 2\n4 3\n2 1\n1\n10\n1 2\n5 3\n1 2 3 4\n11011\n1 2\n5 3\n4 4\n";
    let found = infer(&[sample], Some(statement)).text;
    assert_eq!(layout_of(&found), "t; cases t:; n q; p[n-1]; s[n]; repeat q:; u v", "{found}");
}
