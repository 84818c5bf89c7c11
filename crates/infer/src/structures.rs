//! The constraints on the structure of an input: permutations, trees and distinct elements. They are tried on
//! the samples.

use crate::bound_terms::{ComparedPair, compared_pairs, term_elements, term_names};
use crate::layout::{FieldIndex, Size, add_offset, lists_in};
use crate::rules::RuleMaker;
use crate::statement::{StatedCondition, StatedOrder, Statement};
use rebut_diagnostics::SourceText;
use rebut_format::syntax::{ComparisonChain, SyntaxRule, SyntaxTerm, SyntaxTermKind, SyntaxTree};

/// Number of elements that support a permutation if there is no statement.
const SUPPORTING_ELEMENTS: usize = 6;

/// The same if there is a statement, and it does not mention one.
const CONVINCING_ELEMENTS: usize = 14;

/// The orders of elements that sentences name.
const ORDERS: &[&str] = &["increasing", "decreasing", "nondecreasing", "nonincreasing"];

/// Number of edges that support a tree that no statement mentions.
const SUPPORTING_EDGES: usize = 4;

impl RuleMaker<'_> {
    /// Returns rules about the structure of an input: those that a statement mentions, and guesses. Permutations and trees are guessed
    /// where enough numbers support them.
    pub(crate) fn structural_rules(&self, statement: Option<&Statement>) -> [Vec<SyntaxRule>; 2] {
        let (stated, guessed): (Vec<_>, Vec<_>) =
            self.permutations_and_trees(statement).into_iter().partition(|(_, is_stated)| *is_stated);
        let [mut rules, guessed] =
            [stated, guessed].map(|some| some.into_iter().map(|(rule, _)| rule).collect::<Vec<_>>());
        rules.extend(statement.into_iter().flat_map(|statement| self.ordered_lists(&statement.orders)));
        let conditions = statement.map(|statement| &statement.conditions[..]).unwrap_or_default();
        for condition in conditions.iter().filter(|condition| !condition.has_kind("exception") && !condition.is_aside) {
            let order = ORDERS.iter().find(|order| condition.has_kind(order));
            rules.extend(order.and_then(|order| self.list_rule(order, condition)));
            if condition.has_kind("distinct") {
                rules.extend(self.list_rule("distinct", condition).or_else(|| self.pair_rule(condition)));
            }
            if let (true, [name]) = (condition.has_kind("prime"), &condition.names[..]) {
                rules.extend(self.field_named(name).map(|_| format!("prime({name})")));
            }
            if let ([[u, v]], true) = (&self.line_pairs()[..], condition.has_kind("loopless")) {
                rules.push(format!("{} != {}", self.names[*u], self.names[*v]));
            }
            for (kind, rest) in [("even", 0), ("odd", 1)] {
                rules.extend(self.parity_rules(condition, kind, rest));
            }
            for property in ["simple", "connected", "acyclic"] {
                rules.extend(self.graph_rule(statement, condition, property));
            }
        }
        [rules, guessed].map(|rules| rules.iter().filter_map(|rule| parse_rule(rule)).collect())
    }

    /// Returns the permutations and trees, each with whether a statement mentions it.
    fn permutations_and_trees(&self, statement: Option<&Statement>) -> Vec<(String, bool)> {
        let mentions = |kind: &str| statement.is_some_and(|statement| statement.mentions_kind(kind));
        let supporting = match statement {
            Some(_) if !mentions("permutation") => CONVINCING_ELEMENTS,
            _ => SUPPORTING_ELEMENTS,
        };
        let is_only_list = self.list_fields().len() == 1;
        let is_called_permutation = |field: FieldIndex| {
            let conditions = statement.map(|statement| &statement.conditions[..]).unwrap_or_default();
            let mut permuted = conditions.iter().filter(|condition| condition.has_kind("permutation"));
            mentions("permutation")
                && (is_only_list || permuted.any(|condition| condition.names.contains(&self.names[field])))
        };
        let rule = |(size, fields): (&Size, Vec<FieldIndex>)| {
            let Size::Linear { factor: 1, field: count, offset } = size else { return None };
            let numbers = fields.iter().all(|field| self.fields[*field].is_integer());
            let observed: usize = fields.first().map_or(0, |field| self.fields[*field].count);
            let least = fields.iter().filter_map(|field| self.fields[*field].range).map(|(least, _)| least).min();
            let least = least.filter(|least| matches!(least, 0 | 1) && numbers)?;
            let range = format!("{least}..{}", add_offset(self.name_of(*count), least - 1));
            let name = |field: FieldIndex| &self.names[field];
            match (&fields[..], offset) {
                ([field], 0) if is_called_permutation(*field) || observed >= supporting => {
                    Some((format!("{} permutation of {range}", name(*field)), is_called_permutation(*field)))
                }
                ([u, v] | [u, v, _], -1) if mentions("tree") || observed >= SUPPORTING_EDGES => {
                    Some((format!("edges ({}, {}) on {range}: tree", name(*u), name(*v)), mentions("tree")))
                }
                _ => None,
            }
        };
        lists_in(self.nodes).into_iter().filter_map(rule).collect()
    }

    /// Returns the fields that are arrays, or columns of lines that are repeated.
    fn list_fields(&self) -> Vec<FieldIndex> {
        lists_in(self.nodes).into_iter().flat_map(|(_, fields)| fields).collect()
    }

    /// Returns the first two fields of lines of two or three that are repeated.
    pub(crate) fn line_pairs(&self) -> Vec<[FieldIndex; 2]> {
        let pair = |fields: Vec<FieldIndex>| match fields[..] {
            [u, v] | [u, v, _] => Some([u, v]),
            _ => None,
        };
        lists_in(self.nodes).into_iter().filter_map(|(_, fields)| pair(fields)).collect()
    }

    /// Returns a predicate about a list of elements, such as `distinct(a)`, if a condition names one list, or names no
    /// field and there is only one.
    fn list_rule(&self, predicate: &str, condition: &StatedCondition) -> Option<String> {
        let lists = self.list_fields();
        let names_field = condition.names.iter().any(|name| self.names.contains(name));
        let is_named = |name: &&String| condition.names.contains(name) || !names_field && lists.len() == 1;
        let named: Vec<&String> = lists.iter().map(|field| &self.names[*field]).filter(is_named).collect();
        if let [name] = named[..] { Some(format!("{predicate}({name})")) } else { None }
    }

    /// Returns `distinct((x, y))` if a condition is about the only lines of two numbers, `all points (x_i, y_i)`.
    fn pair_rule(&self, condition: &StatedCondition) -> Option<String> {
        let lists = self.list_fields();
        let named = lists.into_iter().filter(|field| condition.names.contains(&self.names[*field]));
        let named: Vec<FieldIndex> = named.collect();
        let pairs = self.line_pairs();
        let [u, v] = match (&named[..], &pairs[..]) {
            ([], [pair]) if condition.is_about_points && condition.names.is_empty() => *pair,
            ([u, v], _) => *pairs.iter().find(|pair| **pair == [*u, *v])?,
            _ => return None,
        };
        Some(format!("distinct(({}, {}))", self.names[u], self.names[v]))
    }

    /// Returns rules for numbers that are even or odd: `n % 2 = 0`.
    fn parity_rules(&self, condition: &StatedCondition, kind: &str, rest: i128) -> Vec<String> {
        let lists = self.list_fields();
        let is_list = |name: &&String| lists.iter().any(|field| self.names[*field] == **name);
        // Of `n even integers a_1, ..., a_n`, the elements are even. Beside a comparison, only one name is clear.
        let listed: Vec<&String> = condition.names.iter().filter(is_list).collect();
        let named = if listed.is_empty() { condition.names.iter().collect() } else { listed };
        let is_clear = condition.has_kind(kind) && (named.len() == 1 || condition.chains.is_empty());
        let is_number = |name: &&String| self.field_named(name).is_some_and(|field| !self.fields[field].is_text());
        let numbers = named.into_iter().filter(|name| is_clear && is_number(name));
        numbers.map(|name| format!("{name} % 2 = {rest}")).collect()
    }

    /// Returns `edges (u, v) on 1..n: connected` for the only lines of two numbers that a statement bounds by `n`.
    fn graph_rule(&self, statement: Option<&Statement>, condition: &StatedCondition, property: &str) -> Option<String> {
        let chains = &statement.filter(|_| condition.has_kind(property))?.chains;
        let [[u, v]] = self.line_pairs()[..] else { return None };
        let bound = |chain: &ComparisonChain| {
            let place = chain.lists.iter().rposition(|list| list.contains(&self.name_of(v)))?;
            match &chain.lists.get(place + 1)?[..] {
                [last] if matches!(last.kind, SyntaxTermKind::Name(_)) && self.is_known(last) => Some(last.clone()),
                _ => None,
            }
        };
        let last = chains.iter().find_map(bound)?;
        Some(format!("edges ({}, {}) on 1..{last}: {property}", self.names[u], self.names[v]))
    }

    /// Returns the bounds that a statement gives elements by their places, `p_i <= i`, each after the bound of all elements that follows.
    pub(crate) fn index_bounds(&self, statement: &Statement) -> Vec<(ComparisonChain, SyntaxRule)> {
        let is_index = |name: &String| name == "i" && !self.names.contains(name);
        // A comparison alone may be about the answer: `count the places with a_i <= i`.
        let ranges = statement.chains.iter().filter(|chain| chain.signs.len() > 1);
        let bounds = ranges.flat_map(compared_pairs).filter(|(_, sign, right)| {
            // Of `2 * i`, the number of elements is no bound.
            sign.starts_with('<') && term_names(right).iter().any(is_index) && !right.to_string().contains('*')
        });
        let lists = lists_in(self.nodes);
        let rules = |(left, sign, right): ComparedPair| {
            let name = left.to_string();
            let (size, _) = lists.iter().find(|(_, fields)| fields.iter().any(|field| self.names[*field] == name))?;
            let begins_at_two = statement.names.iter().any(|stated| stated.name == name && stated.begins_at_two);
            let (first, place) = if begins_at_two { (2, "i - 1") } else { (1, "i") };
            let last = add_offset(size.to_term(|field| self.name_of(field)), first - 1);
            let rule = parse_rule(&format!("forall i in {first}..{last}: {name}[{place}] {sign} {right}"))?;
            Some((ComparisonChain::new(left).followed_by("<=", vec![last]), rule))
        };
        bounds.filter_map(rules).collect()
    }

    /// Returns rules for comparisons of elements beside each other, `a_i != a_{i+1}`, each for all places that have them.
    pub(crate) fn step_rules(&self, statement: &Statement) -> Vec<SyntaxRule> {
        let lists = lists_in(self.nodes);
        let pairs = statement.chains.iter().flat_map(compared_pairs);
        let rule = |(left, sign, right): ComparedPair| {
            let elements = [term_elements(&left), term_elements(&right)].concat();
            let is_listed = |fields: &[FieldIndex]| {
                elements.iter().all(|(name, _)| fields.iter().any(|field| self.names[*field] == *name))
            };
            let (size, _) = lists.iter().find(|(_, fields)| !elements.is_empty() && is_listed(fields))?;
            let begins_at_one = |(name, _): &(String, _)| {
                !statement.names.iter().any(|stated| stated.name == *name && stated.begins_at_two)
            };
            let places: Option<Vec<(String, i128)>> = elements.iter().map(|(_, place)| split_place(place)).collect();
            let places = places.filter(|_| elements.iter().all(begins_at_one))?;
            let (variable, _) = places.first().filter(|(variable, _)| !self.names.contains(variable))?;
            let first = 1 - places.iter().map(|(_, offset)| *offset).min()?;
            let last =
                add_offset(size.to_term(|field| self.name_of(field)), -places.iter().map(|(_, offset)| *offset).max()?);
            parse_rule(&format!("forall {variable} in {first}..{last}: {left} {sign} {right}"))
        };
        pairs.filter_map(rule).collect()
    }

    /// Returns predicates such as `increasing(x)` and `distinct((u, v))` for the lists with elements that a statement compares.
    fn ordered_lists(&self, orders: &[StatedOrder]) -> Vec<String> {
        let lists = self.list_fields();
        let is_list = |name: &String| lists.iter().any(|field| self.names[*field] == *name);
        let known = orders.iter().filter(|order| order.names.iter().all(is_list));
        let rule = |StatedOrder { names, predicate }: &StatedOrder| match &names[..] {
            [name] => format!("{predicate}({name})"),
            names => format!("{predicate}(({}))", names.join(", ")),
        };
        known.map(rule).collect()
    }
}

/// Splits a place beside a variable one: `i + 1`.
fn split_place(place: &SyntaxTerm) -> Option<(String, i128)> {
    let (variable, offset) = match &place.kind {
        SyntaxTermKind::Binary(sign @ ("+" | "-"), variable, offset) => {
            let offset = offset.constant_value()?;
            (variable.to_string(), if *sign == "+" { offset } else { -offset })
        }
        _ => (place.to_string(), 0),
    };
    Some((variable, offset))
}

/// Returns the rule that a line below `where:` has.
fn parse_rule(text: &str) -> Option<SyntaxRule> {
    SyntaxTree::parse_leniently(&SourceText::new("rule", format!("where:\n    {text}\n").as_bytes())).rules.pop()
}
