#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
use super::*;
use crate::generate::{GenerationSettings, generate_value};
use crate::language::Format;
use rebut_diagnostics::SourceText;
use std::collections::HashSet;

/// Formats with all kinds of parts.
const FORMATS: [&str; 14] = [
    "a b c where 1 <= a, b, c <= 10^9",
    "x y where x, y real, 0 <= x, y <= 100, 2 decimals",
    "n k; a[n]; b[n] where 1 <= k <= n <= 30; 1 <= a, b <= 1000",
    "n; a[n] where 1 <= n <= 30; 1 <= a <= 90; distinct(a); forall i in 1..n: a[i] <= 2*i + 30",
    "s; t where 1 <= len(s), len(t) <= 40; s over \"a-z\"; t over \"a-c\"",
    "n; s[n]; t[n] where 1 <= n <= 20; s, t over \"01\"",
    "r c; g[r][c] where 1 <= r, c <= 8; g over \".#\"",
    "n m; a[n][m] where 1 <= n, m <= 6; -5 <= a <= 5",
    "q; repeat q: op x where 1 <= q <= 40; 1 <= op <= 3; 1 <= x <= 10^9",
    "n; repeat n: l r where 1 <= n <= 30; 1 <= l <= r <= 100; distinct(l, r)",
    "q\nrepeat q:\n    op x\n    if op = \"add\": y\nwhere:\n    op one of \"add\", \"remove\"\n    1 <= q <= 20\n    1 <= x, y <= 9",
    "T; cases T: n; a[n]; s where 1 <= T <= 50; 1 <= n <= 20; 1 <= a <= 9; len(s) <= 9; s over \"ab\"; sum(n) <= 200; sum(len(s)) <= 100",
    "n m; repeat m: u v w where 2 <= n <= 12; n - 1 <= m <= 20; 1 <= w <= 99; edges (u, v) on 1..n: connected",
    "either:\n    \"1\" a[3]\n    \"2\" s\nwhere:\n    1 <= a <= 50\n    1 <= len(s) <= 8\n    s over \"xy\"",
];

fn parse(text: &str) -> Option<Format> {
    Format::parse(&SourceText::new("test", text)).ok().map(|(format, _)| format)
}

/// An input of which some parts are related.
struct RelatedInput {
    value: Value,
    relation: &'static str,
}

fn relate_copy(
    plan: &GenerationPlan<'_>,
    value: &Value,
    choices: &mut Choices,
    colliding_texts: &[[Vec<u8>; 2]],
) -> Option<RelatedInput> {
    let mut changed = value.clone();
    let relation = relate_parts(plan, &mut changed, choices, colliding_texts);
    assert_eq!(relation.is_none(), changed == *value, "an input without a relation stays as it is");
    relation.map(|relation| RelatedInput { value: changed, relation })
}

/// Returns the value at this stream before and after its parts were related.
fn relate_drawn(plan: &GenerationPlan<'_>, stream: u64) -> (Value, Option<RelatedInput>) {
    let mut choices = Choices::from_seed(7, stream);
    let settings = GenerationSettings { growth: 60, max_elements: 200, ..GenerationSettings::default() };
    let value = generate_value(plan, &mut choices, &settings).unwrap().value;
    let related = relate_copy(plan, &value, &mut choices, &[]);
    (value, related)
}

#[test]
fn related_inputs_are_valid_and_other_inputs() {
    let mut relations = HashSet::new();
    for text in FORMATS {
        let format = parse(text).unwrap_or_else(|| panic!("{text}"));
        let plan = GenerationPlan::new(&format);
        let mut changed = 0;
        for stream in 0..60 {
            let (value, Some(related)) = relate_drawn(&plan, stream) else { continue };
            assert_ne!(value, related.value, "{text}");
            assert_eq!(find_violation(&format, &related.value), None, "{text}");
            assert_eq!(read_input(&format, &print_value(&format, &related.value)).ok(), Some(related.value), "{text}");
            relations.insert(related.relation);
            changed += 1;
        }
        assert!(changed >= 20, "{text}: {changed} of 60");
    }
    assert_eq!(relations.len(), 4, "{relations:?}");
}

/// Returns in how many of 2,000 inputs of a format a condition on the input holds.
fn count_related(text: &str, holds: impl Fn(&[Value]) -> bool) -> usize {
    let format = parse(text).unwrap();
    let plan = GenerationPlan::new(&format);
    let related = (0..2000).filter_map(|stream| relate_drawn(&plan, stream).1);
    related.filter(|related| holds(related.value.root_slots())).count()
}

#[test]
fn numbers_are_computed_from_others() {
    let numbers = |slots: &[Value]| slots.iter().filter_map(Value::as_int).collect::<Vec<_>>();
    let three = "a b c where 1 <= a, b, c <= 10^9";
    let is_exact = |slots: &[Value]| matches!(*numbers(slots), [a, b, c] if a > 10 && b > 10 && a * b == c);
    assert!(count_related(three, is_exact) > 3);
    let is_square = |slots: &[Value]| matches!(*numbers(slots), [a, b, _] if a > 100 && b == a * a);
    assert!(count_related(three, is_square) > 3);
}

#[test]
fn texts_are_made_from_others() {
    let texts = |slots: &[Value]| {
        slots.iter().filter_map(|slot| if let Value::Text(text) = slot { Some(text.to_vec()) } else { None }).collect()
    };
    let text = "s; t where 1 <= len(s), len(t) <= 40; s over \"a-z\"; t over \"a-z\"";
    let contains = |slots: &[Value]| {
        let texts: Vec<Vec<u8>> = texts(slots);
        let [s, t] = &*texts else { return false };
        t.len() > 3 && s.len() > t.len() && s.windows(t.len()).any(|part| part == &**t)
    };
    assert!(count_related(text, contains) > 20);
}

#[test]
fn rows_repeat_and_continue_others() {
    let rows = |slots: &[Value]| {
        let list = slots.iter().find_map(|slot| if let Value::Instances(list) = slot { Some(list) } else { None });
        let pair = |row: &[Value]| Some((row[0].as_int()?, row[1].as_int()?));
        list.map(|list| list.iter().filter_map(pair).collect::<Vec<_>>()).unwrap_or_default()
    };
    let text = "n; repeat n: l r where 4 <= n <= 30; 1 <= l <= r <= 10^9";
    let touches = |slots: &[Value]| rows(slots).windows(2).filter(|pair| pair[1].0 == pair[0].1 + 1).count() > 1;
    assert!(count_related(text, touches) > 3);
    let is_column_constant = |slots: &[Value]| {
        let rows = rows(slots);
        rows.iter().all(|row| row.0 == rows[0].0) && rows.iter().any(|row| row.1 != rows[0].1)
    };
    assert!(count_related(text, is_column_constant) > 3);
}

#[test]
fn colliding_texts_stand_in_otherwise_equal_texts() {
    let pair = [b"abba".to_vec(), b"bbaa".to_vec()];
    let formats = [
        ("s; t where 1 <= len(s), len(t) <= 9; s, t over \"ab\"", 2),
        ("n; s[n]; t[n] where 1 <= n <= 9; s, t over \"ab\"", 2),
        ("n; words[n][] where 1 <= n <= 6; words over \"abc\"; 1 <= len(words) <= 9", 2),
        ("n; repeat n: s where 1 <= n <= 6; s over \"ab\"; 4 <= len(s) <= 9", 2),
        ("n; s[n] where 8 <= n <= 20; s over \"ab\"", 1),
    ];
    for (text, texts) in formats {
        let format = parse(text).unwrap();
        let plan = GenerationPlan::new(&format);
        let settings = GenerationSettings { growth: 60, max_elements: 200, ..GenerationSettings::default() };
        let collides = |stream: u64| {
            let mut choices = Choices::from_seed(7, stream);
            let value = generate_value(&plan, &mut choices, &settings).unwrap().value;
            let related = relate_copy(&plan, &value, &mut choices, std::slice::from_ref(&pair))?;
            let printed = print_value(&format, &related.value);
            assert_eq!(find_violation(&format, &related.value), None, "{text}");
            let has = |part: &[u8]| printed.windows(part.len()).any(|window| window == part);
            (related.relation == "same-hash" && has(&pair[0]) && has(&pair[1])).then_some(printed)
        };
        let found: Vec<Vec<u8>> = (0..400).filter_map(collides).collect();
        assert!(found.len() >= 8, "{text}: {}", found.len());
        let is_equal_otherwise = |input: &&Vec<u8>| {
            let lines: Vec<&[u8]> = input.split(|byte| *byte == b'\n').collect();
            let replaced = |line: &[u8]| String::from_utf8_lossy(line).replacen("abba", "bbaa", 1).into_bytes();
            lines.iter().any(|one| lines.iter().any(|other| one != other && replaced(one) == *other))
        };
        assert!(texts == 1 || found.iter().filter(is_equal_otherwise).count() >= 4, "{text}");
    }
}
