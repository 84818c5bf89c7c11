// The grammar of docs/reference/grammar.md for editors. Lines, indentation and the ends of lines are found by
// src/scanner.c. It accepts more than rebut does: rules are expressions of which editors need no more than the words.

/// <reference types="tree-sitter-cli/dsl" />
"use strict";

// How tightly operators bind, the loosest first.
const BINDING = { binder: 1, implies: 2, or: 3, and: 4, not: 5, comparison: 6, list: 7, range: 8, sum: 9, product: 10, minus: 11, power: 12, postfix: 13 };

const binary = ($, level, operators, associate = prec.left) =>
  associate(level, seq(field("left", $._expression), field("operator", operators), field("right", $._expression)));

module.exports = grammar({
  name: "rebut_format",

  externals: ($) => [$._line_end, $._indent, $._dedent, $._error_sentinel],
  extras: ($) => [/[\s\uFEFF]/, $.comment],
  word: ($) => $.identifier,

  rules: {
    format: ($) => seq(repeat($._item), repeat($.where_clause)),

    comment: () => /#[^\n]*/,
    _end: ($) => prec.right(choice($._line_end, seq(";", optional($._line_end)))),

    // The layout.
    _item: ($) => choice($.line, $.cases, $.repeat, $.condition, $.either, $.form),
    line: ($) => seq(repeat1($._part), $._end),
    form: ($) => seq(repeat1($._part), ":", $._layout),
    cases: ($) => seq("cases", field("count", $._expression), optional($.terminator), optional($.separator), ":", $._layout),
    repeat: ($) => seq("repeat", field("count", $._expression), optional($.terminator), optional($.separator), ":", $._layout),
    terminator: ($) => seq("until", choice("eof", repeat1(choice($.number, $.negative, $.text)))),
    separator: ($) => seq("separated", "by", repeat1(choice($.number, $.negative, $.text))),
    negative: ($) => seq(choice("-", "−"), $.number),
    condition: ($) => seq("if", field("condition", $._expression), ":", $._layout),
    either: ($) => seq("either", ":", $._layout),
    _layout: ($) => choice($.block, alias($.braced_block, $.block), $._item),
    block: ($) => seq($._indent, repeat1($._item), $._dedent),
    braced_block: ($) => seq("{", repeat($._item), "}", $._end),

    _part: ($) => choice($.field, $.group, $.number, $.negative, $.text),
    field: ($) => seq(field("name", $.identifier), repeat($.dimension)),
    group: ($) => seq("(", repeat1($._part), ")", repeat($.dimension)),
    dimension: ($) => seq("[", optional($._expression), "]"),

    // The rules.
    where_clause: ($) => seq("where", optional(":"), choice($.rules, repeat1($._rule))),
    rules: ($) => choice(seq($._indent, repeat1($._rule), $._dedent), seq("{", repeat($._rule), "}", $._end)),
    _rule: ($) => choice($.constraint, $.alphabet, $.choice, $.pattern, $.real, $.permutation, $.edges, $.polygon, $.parents, $.constant, $.subtask, $.program),
    constraint: ($) => seq($._expression, $._end),
    alphabet: ($) => seq($._expression, "over", $.text, $._end),
    choice: ($) => seq($._expression, "one", "of", $.text, repeat(seq(",", $.text)), $._end),
    pattern: ($) => seq($._expression, "matches", $.text, $._end),
    real: ($) => seq($._expression, "real", ",", $._expression, "decimals", $._end),
    permutation: ($) => seq($._expression, "permutation", "of", $._expression, $._end),
    edges: ($) => seq("edges", "(", $._expression, ")", "on", $._expression, optional(seq("if", $._expression)), optional($.properties), $._end),
    polygon: ($) => seq("polygon", "(", $._expression, ")", optional($.properties), $._end),
    parents: ($) => seq("parents", $._expression, "of", $._expression, "on", $._expression, optional($.properties), $._end),
    properties: ($) => seq(":", $.property, repeat(seq(",", $.property))),
    // A comma behind a bound begins the next property.
    property: ($) => prec(BINDING.list + 1, seq(repeat1($.identifier), optional(choice(seq($.number, optional(seq("..", $.number))), seq($._comparison_sign, $._expression))))),
    constant: ($) => seq("let", field("name", $.identifier), choice("=", "=="), $._expression, $._end),
    subtask: ($) => seq("subtask", field("name", choice($.identifier, $.number)), optional($.parentheses),
      choice($._end, seq(":", choice($._rule, seq($.rules, optional($._end)))))),
    program: ($) => seq(choice("validator", "generator"), $.text, $._end),

    // Formulas and terms.
    _expression: ($) => choice($.quantifier, $.implication, $.disjunction, $.conjunction, $.negation, $.comparison, $.list,
      $.range, $.sum, $.product, $.power, $.opposite, $.index, $.call, $.parentheses, $.number, $.letter, $.text, $.identifier),
    quantifier: ($) => prec.right(BINDING.binder, seq(
      choice(seq(choice("forall", "exists"), field("variable", $.identifier), "in", $._expression), seq("if", $._expression)),
      ":", choice($._expression, $.rules))),
    implication: ($) => binary($, BINDING.implies, choice("=>", "⇒"), prec.right),
    disjunction: ($) => binary($, BINDING.or, "or"),
    conjunction: ($) => binary($, BINDING.and, "and"),
    negation: ($) => prec(BINDING.not, seq("not", $._expression)),
    comparison: ($) => binary($, BINDING.comparison, $._comparison_sign),
    _comparison_sign: () => choice("<", "<=", "≤", ">", ">=", "≥", "=", "==", "!=", "<>", "≠"),
    list: ($) => binary($, BINDING.list, ","),
    range: ($) => binary($, BINDING.range, ".."),
    sum: ($) => binary($, BINDING.sum, choice("+", "-", "−")),
    product: ($) => binary($, BINDING.product, choice("*", "×", "·", "/", "%")),
    opposite: ($) => prec(BINDING.minus, seq(choice("-", "−"), $._expression)),
    power: ($) => binary($, BINDING.power, "^", prec.right),
    index: ($) => prec.left(BINDING.postfix, seq($._expression, "[", $._expression, "]")),
    call: ($) => prec(BINDING.postfix, seq(field("function", $.identifier), "(", $._expression, ")")),
    parentheses: ($) => seq("(", $._expression, ")"),

    identifier: () => /[A-Za-z_][A-Za-z0-9_]*/,
    number: () => /[0-9]+(\.[0-9]+)?([eE]-?[0-9]+)?/,
    text: () => /"(\\.|[^"\\\n])*"/,
    letter: () => /'(\\.|[^'\\\n])'/,
  },
});
