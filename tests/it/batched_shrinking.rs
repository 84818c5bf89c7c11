//! The result of shrinking does not depend on the number of workers or on how many candidates share a file.

use crate::environment::Folder;

/// The question about an input of `int n, a[]`, its format, a failing input, and the shrunk input.
const TRIGGERS: &[(&str, &str, &str, &str)] = &[
    (
        "for (int i = 0; i + 1 < n; i++) for (int j = i + 1; j < n; j++) found |= a[i] == 7 && a[j] == 3;",
        "n; a[n] where 1<=n<=300; 0<=a<=99",
        "12\n9 7 5 5 81 7 3 20 3 4 7 1\n",
        "2\n7 3\n",
    ),
    (
        "for (int i = 0; i + 1 < n; i++) found |= a[i] > a[i + 1] + 5;",
        "n; a[n] where 1<=n<=300; 0<=a<=99",
        "9\n1 80 13 14 2 90 3 1 99\n",
        "2\n6 0\n",
    ),
    (
        "long s = 0; for (int i = 0; i < n; i++) s += a[i]; found = s >= 1000 && n >= 3;",
        "n; a[n] where 1<=n<=300; 0<=a<=999",
        "7\n500 300 200 900 1 1 17\n",
        "3\n0 1 999\n",
    ),
    (
        "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) found |= a[i] == a[j] && a[i] % 10 == 7;",
        "n; a[n] where 1<=n<=300; 0<=a<=99",
        "8\n17 4 9 87 17 3 3 87\n",
        // Only dividing both numbers by ten at once leads there.
        "2\n7 7\n",
    ),
    (
        "int odd = 0; for (int i = 0; i < n; i++) odd += a[i] % 2; found = odd % 2 && odd >= 5 && n > odd;",
        "n; a[n] where 1<=n<=300; 0<=a<=99",
        "11\n1 3 5 7 9 11 13 2 4 6 8\n",
        "6\n0 1 1 1 1 1\n",
    ),
];

/// Answers a question about each case or about the whole input. `lie` is a statement that changes the answer.
fn program(question: &str, cases: bool, lie: &str) -> String {
    let times = if cases { "scanf(\"%d\", &t);" } else { "" };
    format!(
        "#include <stdio.h>\nint t = 1, n, a[1000], served;\nint main() {{\n    {times}\n    while (t--) {{\n        \
         int found = 0;\n        scanf(\"%d\", &n);\n        for (int i = 0; i < n; i++) scanf(\"%d\", a + i);\n        \
         {question}\n        {lie}\n        served++;\n        puts(found ? \"YES\" : \"NO\");\n    }}\n}}\n"
    )
}

/// Returns the shrunk input and the numbers of accepted steps and tried candidates.
fn shrunk(question: &str, format: &str, input: &str, cases: bool, options: &str, lie: &str) -> (String, [u64; 2]) {
    let (format, input) = match cases {
        true => (format!("T; cases T: {format}; 1<=T<=50"), format!("1\n{input}")),
        false => (format.to_owned(), input.to_owned()),
    };
    let folder = Folder::new()
        .file("brute.c", program(question, cases, ""))
        .file("sol.c", program(question, cases, lie))
        .file("in", input);
    let shrink = format!("shrink in sol.c --input '{format}' --certify 0s --json - {options}");
    let ran = folder.rebut(&shrink).exits(1);
    let found = ran.stdout.lines().find(|line| line.contains("\"shrink_tried\"")).unwrap();
    let found: serde_json::Value = serde_json::from_str(found).unwrap();
    let number = |key: &str| found[key].as_u64().unwrap();
    (folder.finding().read("input.txt"), [number("shrink_steps"), number("shrink_tried")])
}

const ALWAYS: &str = "found = 0;";

#[test]
fn result_does_not_depend_on_workers_or_batches() {
    for (question, format, input, minimum) in TRIGGERS {
        for cases in [false, true] {
            let wanted = if cases { format!("1\n{minimum}") } else { (*minimum).to_owned() };
            let alone = shrunk(question, format, input, cases, "--jobs 1", ALWAYS);
            assert_eq!(alone.0, wanted, "{question}");
            for jobs in [2, 5] {
                let options = format!("--jobs {jobs}");
                assert_eq!(shrunk(question, format, input, cases, &options, ALWAYS), alone, "{jobs} jobs: {question}");
            }
        }
    }
}

#[test]
fn proved_minimum_does_not_depend_on_the_seed() {
    let (question, format, _, _) = TRIGGERS[3];
    let format = format!("T; cases T: {}; 1<=T<=50", format.replace("300", "4").replace("99", "30"));
    let minimum = |options: &str| {
        let folder =
            Folder::new().file("brute.c", program(question, true, "")).file("sol.c", program(question, true, ALWAYS));
        let stress = format!("stress sol.c --input '{format}' --certify 60s {options}");
        folder.rebut(&stress).exits(1).shows("smallest possible");
        folder.finding().read("input.txt")
    };
    for options in ["--seed 1 --jobs 1", "--seed 2 --jobs 2", "--seed 77 --jobs 5"] {
        assert_eq!(minimum(options), "1\n2\n7 7\n", "{options}");
    }
}

#[test]
fn failure_hidden_by_other_cases_is_searched_alone() {
    // It is wrong about the first case of a file alone: of many candidates in a file only the first would show it.
    for (question, format, input, minimum) in &TRIGGERS[..2] {
        let first = "if (!served) found = 0;";
        let (found, _) = shrunk(question, format, input, true, "--jobs 2", first);
        assert_eq!(found, format!("1\n{minimum}"), "{question}");
    }
}

#[test]
fn validator_checks_each_candidate() {
    // A validator forbids equal numbers, the format does not.
    let validator = "#include <stdio.h>\nint t, n, a[99];\nint main() {\n    \
                     for (scanf(\"%d\", &t); t-- && scanf(\"%d\", &n) == 1;)\n        \
                     for (int i = 0; i < n && scanf(\"%d\", a + i) == 1; i++)\n            \
                     for (int j = 0; j < i; j++) if (a[i] == a[j]) return 43;\n    return 42;\n}\n";
    let question = "for (int i = 0; i + 2 < n; i++) found |= a[i] > a[i + 1];";
    let folder = Folder::new()
        .file("brute.c", program(question, true, ""))
        .file("sol.c", program(question, true, ALWAYS))
        .file("distinct.c", validator)
        .file("in", "1\n9\n30 80 13 14 2 90 3 1 99\n");
    let format = "T; cases T: n; a[n] where 1<=T<=50; 1<=n<=30; 0<=a<=99";
    let validated = "--validator distinct.c --certify 0s";
    let shrink = format!("shrink in sol.c --input '{format}' {validated}");
    folder.rebut(&shrink).exits(1);
    assert_eq!(folder.finding().read("input.txt"), "1\n3\n1 0 2\n");
}
