//! Sources and statements of up to 1 MB that are nested or repeat themselves: nothing may take time in proportion to more
//! than their length.

use super::targets::Case;
use super::targets::Target;
use rebut_generators::Choices;
use rebut_infer::{Sample, infer_format};
use rebut_mutants::{SourceLanguage, build_schema, find_mutants_within, late_mutants};

/// Maximum length of a text in bytes.
const MAX_BYTES: usize = 1 << 20;

const SOURCE_PARTS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "a+",
    "a<",
    "a*",
    "n=(",
    "f(",
    "x.f().",
    "-",
    "!",
    "if(a<b)",
    "else ",
    "a=1,",
    "a=1;",
    "int a=1;",
    "for(;;){",
    "while(a)",
    "switch(a){case 1:",
    "struct A{",
    "template<",
    "A<",
    "int f(){",
    "\"",
    "/*",
    "#if 1\n",
    "vec![",
    "match a {",
    "fn f(){",
    "let a = 1;",
    "|a| ",
    "class A{",
    "int[] a=",
    "new int[",
    "a?b:",
    "lambda a: ",
    "for a in b:\n ",
    "if a:\n",
    "a = 1\n",
    " ",
    "\n",
    "return ",
    "&&",
    "::",
    "const ",
    "long long ",
];
const STATEMENT_PARTS: &[&str] = &[
    "$",
    "{",
    "}",
    "\\frac{",
    "\\le ",
    "1 <= ",
    "n",
    "a_",
    "_{",
    "^",
    "10^5",
    "<p>",
    "</p>",
    "<b>",
    "&lt;",
    "(",
    ")",
    "[",
    "- ",
    "* ",
    "| a ",
    "\n",
    "\n\n",
    "```\n",
    "## Input\n",
    "The first line contains ",
    "two integers ",
    "n integers ",
    "a_1, a_2, ",
    "..., ",
    "each of the next n lines ",
    "of the i-th ",
    "and ",
    ", ",
    ". ",
    "separated by spaces",
    "where ",
    "sum of ",
    "at most ",
    "\\min(",
    "1 \\leq i < j ",
    "string ",
    "\\newcommand{\\a}{",
    "\\a",
    "Line 2 + i: ",
    "x < y < ",
];
const LANGUAGES: [SourceLanguage; 4] =
    [SourceLanguage::Cpp, SourceLanguage::Java, SourceLanguage::Python, SourceLanguage::Rust];

/// Draws a text from parts, each some of which are repeated.
fn draw_text(choices: &mut Choices, parts: &[&str]) -> Vec<u8> {
    let mut text = String::new();
    for _ in 0..=choices.draw_index(6) {
        let some: Vec<&str> = (0..=choices.draw_index(4)).filter_map(|_| choices.pick_item(parts).copied()).collect();
        let times = 1 << choices.draw_index(20);
        text.push_str(&some.concat().repeat(times.min(MAX_BYTES / some.concat().len().max(1))));
    }
    text.truncate(MAX_BYTES);
    text.into_bytes()
}

/// Returns the target that mutates sources.
pub(super) fn sources<'c>() -> Target<'c> {
    let make = |choices: &mut Choices| {
        let pick = choices.draw_index(LANGUAGES.len());
        Case { pick, parts: vec![draw_text(choices, SOURCE_PARTS)] }
    };
    let check = |case: &Case| {
        let (source, language) = (String::from_utf8_lossy(&case.parts[0]), LANGUAGES[case.pick]);
        let found = find_mutants_within(&source, language, &[1, 100]);
        let numbered: Vec<_> = (1..).zip(&found.mutants).take(100).collect();
        build_schema(&source, language, &numbered);
        late_mutants(&source, language, &numbered);
        Ok(if found.is_cut_short { "in part" } else { "whole" })
    };
    Target { make: Box::new(make), check: Box::new(check) }
}

/// Returns the target that infers formats from statements, with and without a sample.
pub(super) fn statements<'c>() -> Target<'c> {
    let make =
        |choices: &mut Choices| Case { pick: choices.draw_index(2), parts: vec![draw_text(choices, STATEMENT_PARTS)] };
    let check = |case: &Case| {
        let samples = [Sample::new("1.in", b"3 2\n1 2 3\n4 5\n6 7\n")];
        let found = infer_format(&samples[..case.pick], Some(&String::from_utf8_lossy(&case.parts[0])));
        Ok(if found.is_ok() { "inferred" } else { "nothing found" })
    };
    Target { make: Box::new(make), check: Box::new(check) }
}
