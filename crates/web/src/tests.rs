use super::answer_request;
use serde_json::{Value, json};

const ARRAY: &str = "n\na[n]\nwhere:\n    1 <= n <= 3\n    1 <= a <= 2\n    distinct(a)\n";

fn ask(request: &Value) -> Value {
    serde_json::from_str(&answer_request(&request.to_string())).unwrap()
}

#[test]
fn problems_have_ranges_in_utf16_units() {
    let answer = ask(&json!({"kind": "problems", "format": "# \u{1f600} é\nn\nwhere:\n    1 <= m <= 3\n"}));
    assert_eq!(answer["is_valid"], false);
    let problem = &answer["problems"][0];
    assert_eq!((&problem["code"], &problem["severity"]), (&json!("unknown-name"), &json!("error")));
    let place = &problem["place"];
    // The emoji has four bytes and two units, the accented letter two bytes and one unit.
    assert_eq!([&place["start"], &place["end"]], [25, 26]);
    assert_eq!([&place["line"], &place["column"]], [4, 10]);
}

#[test]
fn warnings_leave_a_format_valid() {
    // Only two of the three numbers that `n` allows can differ.
    let answer = ask(&json!({"kind": "problems", "format": ARRAY}));
    assert_eq!((&answer["is_valid"], &answer["problems"][0]["severity"]), (&json!(true), &json!("warning")));
}

#[test]
fn samples_depend_on_the_seed_and_have_pictures() {
    let samples =
        |seed: u64| ask(&json!({"kind": "samples", "format": "n; a[n] where n = 9; 1 <= a <= 99", "seed": seed}));
    assert_eq!(samples(1), samples(1));
    assert_ne!(samples(1), samples(2));
    let first = &samples(1)["samples"][0];
    assert!(first["text"].as_str().unwrap().starts_with("9\n"));
    let picture = &first["pictures"][0];
    assert_eq!(picture["title"], "a");
    assert!(picture["shapes"].as_str().unwrap().contains("<rect"));
}

#[test]
fn impossible_constraints_are_reported_in_place_of_samples() {
    let format = "n; a[n] where n = 5; 1 <= a <= 4; distinct(a)";
    let answer = ask(&json!({"kind": "samples", "format": format, "seed": 1}));
    assert!(answer["error"].is_string() || answer["samples"][0]["error"].is_string(), "{answer}");
}

#[test]
fn smallest_inputs_are_counted_by_size() {
    let answer = ask(&json!({"kind": "counts", "format": ARRAY}));
    assert_eq!(answer["sizes"], json!([{"elements": 2, "inputs": "2"}, {"elements": 3, "inputs": "2"}]));
    assert_eq!(answer["has_more"], false);
    let texts: Vec<&str> = answer["first"].as_array().unwrap().iter().map(|i| i["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["1\n1\n", "1\n2\n", "2\n1 2\n", "2\n2 1\n"]);
}

#[test]
fn counting_ends_where_the_steps_do() {
    let format = "n m; repeat m: u v where 1 <= n <= 10^5; 1 <= m <= 10^5; edges (u, v) on 1..n: simple, connected";
    let answer = ask(&json!({"kind": "counts", "format": format}));
    assert_eq!(answer["has_more"], true);
    assert!(!answer["sizes"].as_array().unwrap().is_empty());
}

#[test]
fn invalid_inputs_come_with_the_message_of_the_reader() {
    let answer = ask(&json!({"kind": "invalid-inputs", "format": ARRAY}));
    let inputs = answer["inputs"].as_array().unwrap();
    assert!(inputs.iter().any(|input| input["text"] == "2\n1 1\n" || input["text"] == "2\n2 2\n"), "{answer}");
    assert!(inputs.iter().any(|input| input["name"] == "crlf" && input["breaks_layout"] == true));
    assert!(inputs.iter().all(|input| !input["refusal"].as_str().unwrap().is_empty()));
}

#[test]
fn statement_is_markdown_or_latex() {
    let text = |latex: bool| ask(&json!({"kind": "statement", "format": ARRAY, "latex": latex}))["text"].clone();
    assert!(text(false).as_str().unwrap().contains("## Input"));
    assert!(text(true).as_str().unwrap().contains("\\section*{Input}"), "{}", text(true));
}

#[test]
fn format_is_inferred_with_names_and_bounds_of_the_statement() {
    let statement = "The first line has n (1 ≤ n ≤ 2⋅10^5), the second n integers a_1, ..., a_n (1 ≤ a_i ≤ 10^9).";
    let answer = ask(
        &json!({"kind": "inference", "statement": statement, "samples": ["4\n1 5 2 2\n", " ", "6\n3 1 4 1 5 9\n"]}),
    );
    assert_eq!(answer["text"], "n\na[n]\nwhere:\n    1 <= n <= 2*10^5\n    1 <= a <= 10^9\n");
    assert_eq!(answer["questions"], json!([]));
    let nothing = ask(&json!({"kind": "inference", "statement": "", "samples": []}));
    assert_eq!(nothing, json!({"error": "there is no sample input, or it is empty"}));
}

#[test]
fn a_block_of_names_needs_no_sample() {
    let statement =
        "The input is given in the following format:\n\nN\nA_1 A_2 ... A_N\n\n1 ≤ N ≤ 2⋅10^5, 1 ≤ A_i ≤ 10^9";
    let answer = ask(&json!({"kind": "inference", "statement": statement, "samples": []}));
    assert_eq!(answer["text"], "N\nA[N]\nwhere:\n    1 <= N <= 2*10^5\n    1 <= A <= 10^9\n");
    let vague = ask(&json!({"kind": "inference", "statement": "The input is a board.", "samples": []}));
    let error = "there is no sample input, and no block of names in the statement is understood";
    assert_eq!(vague, json!({ "error": error }));
}

#[test]
fn normal_form_is_that_of_the_formatter() {
    let answer = ask(&json!({"kind": "normal-form", "format": "n;a[n] where 1<=n<=8; 0<=a<=9"}));
    assert_eq!(answer["text"], "n\na[n]\nwhere:\n    1 <= n <= 8\n    0 <= a <= 9\n");
}

#[test]
fn anything_else_is_an_error_and_no_panic() {
    for request in ["", "{", "{\"kind\": \"rm\"}", "[]"] {
        let answer: Value = serde_json::from_str(&answer_request(request)).unwrap();
        assert!(answer["error"].is_string(), "{request}");
    }
    for kind in ["samples", "counts", "invalid-inputs", "statement", "normal-form"] {
        let answer = ask(&json!({"kind": kind, "format": "n where", "seed": 1, "latex": false}));
        assert_eq!(answer["error"], "the format has errors", "{kind}");
    }
}

/// Returns the examples of the page: names and formats.
fn page_examples() -> Vec<(String, String)> {
    let lines = include_str!("../../../docs/try/examples.js").lines().filter(|line| line.starts_with("  ["));
    lines.map(|line| serde_json::from_str(line.trim().trim_end_matches(',')).unwrap()).collect()
}

#[test]
fn examples_of_the_page_have_no_problems_and_all_answers() {
    let examples = page_examples();
    assert!(examples.len() > 5);
    for (name, format) in examples {
        let problems = ask(&json!({"kind": "problems", "format": format}));
        assert_eq!(problems, json!({"is_valid": true, "problems": []}), "{name}");
        assert_eq!(ask(&json!({"kind": "normal-form", "format": format}))["text"], format, "{name}");
        let samples = ask(&json!({"kind": "samples", "format": format, "seed": 1}));
        assert!(samples["samples"].as_array().unwrap().iter().all(|sample| sample["text"].is_string()), "{name}");
        assert_ne!(ask(&json!({"kind": "counts", "format": format}))["first"], json!([]), "{name}");
    }
}
