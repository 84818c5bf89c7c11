//! The items of the Constraints section: a formula or a sentence for each line of the where part.

use super::markup::capitalize_first;
use super::tex::{TexWriter, sign_tex};
use super::{StatementWriter, inline_math};
use crate::syntax::{
    ComparisonChain, SyntaxFormula, SyntaxProperty, SyntaxRange, SyntaxRule, SyntaxTerm, SyntaxTermKind,
};
use rebut_diagnostics::{list_and, list_or};

/// The phrases for some properties of graphs.
const PROPERTY_TEXTS: [(&str, &str); 8] = [
    ("forest", "has no cycles"),
    ("acyclic", "has no cycles"),
    ("dag", "has no directed cycles"),
    ("simple", "has neither loops nor multiple edges"),
    ("loopless", "has no loops"),
    ("even", "has an even number of edges at each vertex"),
    ("eulerian", "is connected and has an even number of edges at each vertex"),
    ("regular", "has the same number of edges at each vertex"),
];

impl StatementWriter<'_> {
    /// Returns the sentences for these lines, each with its full stop.
    pub(super) fn write_rules(&self, rules: &[SyntaxRule]) -> Vec<String> {
        let texts = rules.iter().flat_map(|rule| self.rule_texts(rule));
        texts.map(|text| format!("{}.", capitalize_first(&text))).collect()
    }

    fn rule_texts(&self, rule: &SyntaxRule) -> Vec<String> {
        let tex = &self.tex;
        let one = match rule {
            SyntaxRule::Chain(chain) => self.chain_text(tex, chain),
            SyntaxRule::Formula(formula, _) => self.formula_text(tex, formula),
            SyntaxRule::Predicate(term) => self.predicate_text(tex, term),
            SyntaxRule::FieldKind { names, of } => return self.kind_texts(names, of),
            SyntaxRule::Let { name, value, .. } if self.tex.field(name).is_some() => {
                inline_math(&format!("{} = {}", self.tex.names.plain_name(name), tex.term_tex(value)))
            }
            SyntaxRule::Edges { ends, vertices, condition, properties, .. } => {
                let condition = condition.as_ref().map(|chain| format!(" with {}", inline_math(&tex.chain_tex(chain))));
                let edges = format!("the edges {}{}", self.edges_text(ends), condition.unwrap_or_default());
                self.graph_text(&format!("{edges} form a"), vertices, properties)
            }
            SyntaxRule::Parents { name, children, vertices, properties, .. } => {
                let parent = tex.term_tex(name);
                let index = tex.free_index(0);
                let child = match children.0.kind {
                    SyntaxTermKind::Number(1) => index,
                    SyntaxTermKind::Number(0) => format!("{index} - 1"),
                    SyntaxTermKind::Number(first) => format!("{index} + {}", first - 1),
                    _ => format!("{} - 1 + {index}", tex.term_tex(&children.0)),
                };
                let subject = format!("{} is the parent of the vertex {}", inline_math(&parent), inline_math(&child));
                self.graph_text(&format!("{subject} in a"), vertices, properties)
            }
            SyntaxRule::Polygon { corner, properties, .. } => self.polygon_text(corner, properties),
            SyntaxRule::Permutation { names, values, .. } => {
                let [first, last] = [&values.0, &values.1].map(|end| inline_math(&tex.term_tex(end)));
                subjects_text(
                    &names.iter().map(|name| tex.base_tex(name)).collect::<Vec<_>>(),
                    &format!("a permutation of the integers from {first} to {last}"),
                )
            }
            SyntaxRule::Validator { command, .. } => {
                let program = self.markup.format_code(command.as_bytes());
                format!("further conditions are checked by the validator {program}")
            }
            SyntaxRule::Let { .. } | SyntaxRule::Subtask { .. } | SyntaxRule::Generator { .. } => return Vec::new(),
        };
        vec![one]
    }

    fn chain_text(&self, tex: &TexWriter<'_>, chain: &ComparisonChain) -> String {
        if let ([left], []) = (&chain.lists[0][..], &chain.signs[..]) {
            return self.predicate_text(tex, left);
        }
        self.worded_chain(tex, chain).unwrap_or_else(|| inline_math(&tex.chain_tex(chain)))
    }

    /// Returns a comparison that most statements have in words: `the sum of $n$ over all test cases is at most $300$`,
    /// `` `S` occurs exactly once in $s$ ``, `$n$ is even`.
    fn worded_chain(&self, tex: &TexWriter<'_>, chain: &ComparisonChain) -> Option<String> {
        let ([left], [(sign, _)], [right]) = (&chain.lists[0][..], &chain.signs[..], &chain.lists.get(1)?[..]) else {
            return None;
        };
        let plain = |term: &SyntaxTerm| inline_math(&tex.term_tex(term));
        match &left.kind {
            SyntaxTermKind::Binary("%", number, by) => {
                let is_or_not = if *sign == "=" { "is" } else { "is not" };
                let subject = plain(number);
                match (&by.kind, &right.kind) {
                    _ if !matches!(*sign, "=" | "!=") => None,
                    (SyntaxTermKind::Number(2), SyntaxTermKind::Number(0)) => {
                        Some(format!("{subject} {is_or_not} even"))
                    }
                    (SyntaxTermKind::Number(2), SyntaxTermKind::Number(1)) => {
                        Some(format!("{subject} {is_or_not} odd"))
                    }
                    (_, SyntaxTermKind::Number(0)) => {
                        Some(format!("{subject} {is_or_not} a multiple of {}", plain(by)))
                    }
                    _ => None,
                }
            }
            SyntaxTermKind::Call(function, arguments) => {
                let bound = match *sign {
                    "=" => "exactly",
                    ">=" => "at least",
                    "<=" => "at most",
                    _ => return None,
                };
                match (function.as_str(), &arguments[..]) {
                    ("sum", [over]) => {
                        let all = self.all_instances(tex, over)?;
                        Some(format!("the sum of {} over {all} is {bound} {}", plain(over), plain(right)))
                    }
                    ("count", [over, value]) if !matches!(right.kind, SyntaxTermKind::Call(..)) => {
                        let place = match (self.all_instances(tex, over), &over.kind) {
                            (Some(all), _) => format!("as {} in {all}", plain(over)),
                            (None, SyntaxTermKind::Name(_) | SyntaxTermKind::Element(..)) => {
                                format!("in {}", inline_math(&tex.base_tex(over)))
                            }
                            _ => format!("among {}", inline_math(&tex.values_tex(over))),
                        };
                        let value = match &value.kind {
                            SyntaxTermKind::Letter(letter) => self.markup.format_code(&[*letter]),
                            SyntaxTermKind::Text(text) => self.markup.format_code(text),
                            _ => plain(value),
                        };
                        let times = match right.kind {
                            SyntaxTermKind::Number(1) => "once".to_owned(),
                            _ => format!("{} times", plain(right)),
                        };
                        Some(format!("{value} occurs {bound} {times} {place}"))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Returns `all test cases`, `all $m$ lines` for a value that is repeated as a whole, not element by element.
    fn all_instances(&self, tex: &TexWriter<'_>, over: &SyntaxTerm) -> Option<String> {
        let (field, dimensions) = tex.find_widest(over)?;
        let is_text = self.tex.names.format.field(field).alphabet().is_some();
        let (noun, count) = self.tex.names.find_repetition(field).filter(|_| dimensions == 0 && !is_text)?;
        match count.filter(|_| noun != "test cases") {
            Some(count) => Some(format!("all {} {noun}", inline_math(&tex.term_tex(count)))),
            None => Some(format!("all {noun}")),
        }
    }

    fn predicate_text(&self, tex: &TexWriter<'_>, term: &SyntaxTerm) -> String {
        let SyntaxTermKind::Call(name, arguments) = &term.kind else { return inline_math(&tex.term_tex(term)) };
        let Some((first, others)) = arguments.split_first() else { return name.clone() };
        let (values, base) = (inline_math(&tex.values_tex(first)), inline_math(&tex.base_tex(first)));
        let order = |sign: &str, word: &str| match tex.find_widest(first) {
            // A list reads best as a chain of comparisons.
            Some((_, 1)) if matches!(first.kind, SyntaxTermKind::Name(_)) => {
                values.replace(", ", &format!(" {} ", sign_tex(sign))).replace("\\dots", "\\cdots")
            }
            _ => format!("the sequence of all {} is {word}", inline_math(&tex.term_tex(first))),
        };
        match name.as_str() {
            "sorted" | "nondecreasing" => order("<=", "non-decreasing"),
            "increasing" => order("<", "strictly increasing"),
            "nonincreasing" => order(">=", "non-increasing"),
            "decreasing" => order(">", "strictly decreasing"),
            "distinct" if !others.is_empty() => {
                format!("{} are pairwise distinct", inline_math(&tex.list_terms(arguments)))
            }
            "distinct" => match tex.find_widest(first).and_then(|(field, _)| self.tex.names.find_repetition(field)) {
                Some((noun, _))
                    if values == inline_math(&tex.term_tex(first))
                        && !matches!(first.kind, SyntaxTermKind::Slice(..)) =>
                {
                    format!("no two {noun} have the same {values}")
                }
                _ => format!("{values} are pairwise distinct"),
            },
            "disjoint" => {
                let all: Vec<String> = arguments.iter().map(|argument| inline_math(&tex.base_tex(argument))).collect();
                format!("{} have no element in common", list_and(&all))
            }
            "symmetric" => {
                let [i, j] = [0, 1].map(|nth| tex.free_index(nth));
                let of = |one: &str, other: &str| format!("{}_{{{one},{other}}}", tex.base_tex(first));
                format!(
                    "{} for all {}",
                    inline_math(&format!("{} = {}", of(&i, &j), of(&j, &i))),
                    inline_math(&format!("{i}, {j}"))
                )
            }
            "balanced" => format!("{base} is a balanced bracket sequence"),
            "connected" => {
                let letters = match others.first().map(|letters| &letters.kind) {
                    Some(SyntaxTermKind::Text(letters)) => &letters[..],
                    _ => &[],
                };
                let letters: Vec<String> = letters.iter().map(|letter| self.markup.format_code(&[*letter])).collect();
                let steps = "by steps to the left, right, up and down";
                format!("the cells of {base} that are {} are connected {steps}", list_or(&letters))
            }
            "prime" => format!("{} is prime", inline_math(&tex.term_tex(first))),
            _ => inline_math(&tex.term_tex(term)),
        }
    }

    fn formula_text(&self, tex: &TexWriter<'_>, formula: &SyntaxFormula) -> String {
        let parts_text = |parts: &[SyntaxFormula]| -> Vec<String> {
            let part_text = |part: &SyntaxFormula| match part {
                SyntaxFormula::Chain(chain) => self.chain_text(tex, chain),
                part => format!("({})", self.formula_text(tex, part)),
            };
            parts.iter().map(part_text).collect()
        };
        match formula {
            SyntaxFormula::Chain(chain) => self.chain_text(tex, chain),
            SyntaxFormula::All(parts) => list_and(&parts_text(parts)),
            SyntaxFormula::Any(parts) => parts_text(parts).join(" or "),
            SyntaxFormula::Not(inner) => format!("it does not hold that {}", self.formula_text(tex, inner)),
            SyntaxFormula::Implies(sides) => {
                format!("if {}, then {}", self.formula_text(tex, &sides.0), self.formula_text(tex, &sides.1))
            }
            SyntaxFormula::Quantified { every: false, name, range, body, .. } => {
                let (first, last) = (tex.term_tex(&range.0), tex.term_tex(&range.1));
                let bounds = inline_math(&format!("{first} \\le {name} \\le {last}"));
                let body = self.formula_text(&tex.with_variable(name), body);
                format!("there is at least one {} with {bounds} such that {body}", inline_math(name))
            }
            SyntaxFormula::Quantified { every: true, name, range, body, .. } => {
                let (bounds, tex, body) = quantifier_bounds(tex, name, range, body);
                let body = self.formula_text(&tex, body);
                match body.starts_with("if ") || body.starts_with("for ") {
                    true => format!("for all {bounds}: {body}"),
                    false => format!("{body} for all {bounds}"),
                }
            }
        }
    }

    fn edges_text(&self, ends: &SyntaxRange) -> String {
        let tex = &self.tex;
        let pair = format!("({}, {})", tex.base_tex(&ends.0), tex.base_tex(&ends.1));
        match &ends.0.kind {
            SyntaxTermKind::Slice(_, _, lines, _) => {
                let [first, last] = [&lines.0, &lines.1].map(|end| inline_math(&tex.term_tex(end)));
                format!("{} number {first} to {last}", inline_math(&pair))
            }
            _ => inline_math(&pair),
        }
    }

    /// Returns `the edges $(u, v)$ form a graph with the vertices $1, \dots, n$ that is a tree`.
    fn graph_text(&self, subject: &str, vertices: &SyntaxRange, properties: &[SyntaxProperty]) -> String {
        let is_directed = properties
            .iter()
            .any(|property| matches!(property.word.as_str(), "directed" | "dag" | "strongly connected"));
        let range = format!("{}, \\dots, {}", self.tex.term_tex(&vertices.0), self.tex.term_tex(&vertices.1));
        let graph = if is_directed { "directed graph" } else { "graph" };
        let predicates: Vec<String> = properties.iter().filter_map(|property| self.property_text(property)).collect();
        let that = if predicates.is_empty() { "" } else { " that " };
        format!("{subject} {graph} with the vertices {}{that}{}", inline_math(&range), list_and(&predicates))
    }

    fn property_text(&self, property: &SyntaxProperty) -> Option<String> {
        let number = |term: &Option<SyntaxTerm>| {
            term.as_ref().map(|term| inline_math(&self.tex.term_tex(term))).unwrap_or_default()
        };
        let bound = number(&property.bound);
        Some(match property.word.as_str() {
            "directed" | "undirected" => return None,
            "regular" if property.bound.is_some() => format!("has {bound} edges at each vertex"),
            "degree" => format!("has at most {bound} edges at each vertex"),
            "depth" if property.least.is_some() => format!("has a depth from {} to {bound}", number(&property.least)),
            "depth" => format!("has depth at most {bound}"),
            "connected" | "strongly connected" | "bipartite" => format!("is {}", property.word),
            word => match PROPERTY_TEXTS.iter().find(|(known, _)| *known == word) {
                Some((_, text)) => (*text).to_owned(),
                None => format!("is a {word}"),
            },
        })
    }

    fn polygon_text(&self, corner: &SyntaxRange, properties: &[SyntaxProperty]) -> String {
        let has = |word: &str| properties.iter().any(|property| property.word == word);
        let kind = if has("convex") || has("strictly convex") { "convex" } else { "simple" };
        let order = match (has("clockwise"), has("counterclockwise")) {
            (true, _) => "in clockwise order",
            (_, true) => "in counterclockwise order",
            _ => "in order",
        };
        let strict = has("strictly convex") || has("no straight angles");
        let strict = if strict { "; no three consecutive ones are on a line" } else { "" };
        let points = format!("({}, {})", self.tex.term_tex(&corner.0), self.tex.term_tex(&corner.1));
        format!("the points {} are the corners of a {kind} polygon {order}{strict}", inline_math(&points))
    }
}

/// Returns `$X$ and $Y$ are each a real number`.
pub(super) fn subjects_text(names: &[String], kind: &str) -> String {
    let names: Vec<String> = names.iter().map(|name| inline_math(name)).collect();
    format!("{} {} {kind}", list_and(&names), if names.len() == 1 { "is" } else { "are each" })
}

/// Returns the range of nested quantifiers, as one chain where possible: $1 \le j < i \le n$.
fn quantifier_bounds<'f, 's>(
    tex: &TexWriter<'f>,
    i: &str,
    range: &SyntaxRange,
    body: &'s SyntaxFormula,
) -> (String, TexWriter<'f>, &'s SyntaxFormula) {
    let own = tex.with_variable(i);
    let (first, last) = (tex.term_tex(&range.0), tex.term_tex(&range.1));
    let bounds = format!("{first} \\le {i} \\le {last}");
    let SyntaxFormula::Quantified { every: true, name: j, range, body: inner, .. } = body else {
        return (inline_math(&bounds), own, body);
    };
    let (inner_first, inner_last) = (own.term_tex(&range.0), own.term_tex(&range.1));
    let chain = if inner_first == first && inner_last == format!("{i} - 1") {
        format!("{first} \\le {j} < {i} \\le {last}")
    } else if inner_first == format!("{i} + 1") && inner_last == last {
        format!("{first} \\le {i} < {j} \\le {last}")
    } else if inner_first == first && inner_last == last {
        format!("{first} \\le {i}, {j} \\le {last}")
    } else {
        format!("{bounds}, {inner_first} \\le {j} \\le {inner_last}")
    };
    (inline_math(&chain), own.with_variable(j), inner)
}
