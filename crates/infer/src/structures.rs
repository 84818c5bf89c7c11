//! The constraints on the structure of an input: permutations, trees and distinct elements. They are tried on
//! the samples.

use crate::bound_terms::{ComparedPair, compared_pairs, constant_bounds, term_elements, term_names};
use crate::layout::{FieldIndex, Part, Size, add_offset, lists_in, parts_of};
use crate::rules::RuleMaker;
use crate::statement::{StatedCondition, StatedOrder, Statement, split_step};
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
    /// Returns rules about the structure of an input: those that a statement mentions, and guesses with enough support.
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

    /// Returns `distinct(a)` or the like if a condition names one list or its size, or no field and there is only one list.
    fn list_rule(&self, predicate: &str, condition: &StatedCondition) -> Option<String> {
        let lists = self.list_fields();
        let names = |name: &String| condition.names.contains(name);
        let is_only = lists.len() == 1 && !self.names.iter().any(names);
        let is_listed = lists.iter().any(|field| names(&self.names[*field]));
        let arrays = parts_of(self.nodes).into_iter().filter(|part| matches!(part, Part::Array(..)));
        // In `n is the number of distinct integers`, the size is not before the word.
        let is_before = |size: &String| {
            let mut counts = [size.clone(), format!("{size}_i"), format!("{size}i")].into_iter();
            counts.any(|count| condition.sentence.contains(&format!(" {count} {predicate} ")))
        };
        let is_size = |part: &&Part| part.size().and_then(Size::field).is_some_and(|size| is_before(&self.names[size]));
        let sized: Vec<FieldIndex> = arrays.filter(is_size).map(Part::field).filter(|_| !is_listed).collect();
        let is_named = |field: &&FieldIndex| names(&self.names[**field]) || is_only || sized.contains(field);
        let named: Vec<&String> = lists.iter().filter(is_named).map(|field| &self.names[*field]).collect();
        if let [name] = named[..] { Some(format!("{predicate}({name})")) } else { None }
    }

    /// Returns `distinct((x, y))` if a condition is about the only lines of two numbers, `all points (x_i, y_i)`, and `x != y` if it
    /// names both numbers of a line.
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
        let (u, v) = (&self.names[u], &self.names[v]);
        let is_about_pairs = condition.is_about_points || condition.sentence.contains('(');
        Some(if is_about_pairs { format!("distinct(({u}, {v}))") } else { format!("{u} != {v}") })
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
        let range = |chain: &ComparisonChain| {
            let place = chain.lists.iter().rposition(|list| list.contains(&self.name_of(v)))?;
            let last = chain.lists.get(place + 1)?.first().filter(|last| self.is_known(last))?;
            let first = chain.lists.iter().position(|list| list.contains(&self.name_of(u)))?;
            Some(format!("{}..{last}", constant_bounds(chain, first).lo?))
        };
        let range = chains.iter().find_map(range)?;
        Some(format!("edges ({}, {}) on {range}: {property}", self.names[u], self.names[v]))
    }

    /// Returns rules for comparisons by places, `p_i <= i` and `a_i != a_{i+1}`, perhaps after a bound of all elements.
    pub(crate) fn placed_rules(&self, statement: &Statement) -> Vec<(Option<ComparisonChain>, SyntaxRule)> {
        let is_index = |name: &String| name == "i" && !self.names.contains(name);
        let lists = lists_in(self.nodes);
        let rule = |(mut left, sign, right): ComparedPair, is_range: bool| {
            // A comparison alone may be about the answer: `count the places with a_i <= i`. Of `2 * i`, the number of elements is no bound.
            let is_bounded = is_range && sign.starts_with('<') && !right.to_string().contains('*');
            let is_by_place = is_bounded && term_names(&right).iter().any(is_index);
            let mut of_all = None;
            if let (SyntaxTermKind::Name(name), true) = (&left.kind, is_by_place) {
                of_all = Some(left.clone());
                left = SyntaxTerm::new(SyntaxTermKind::Element(name.clone(), vec![SyntaxTerm::from_name("i")]));
            }
            let elements = [term_elements(&left), term_elements(&right)].concat();
            let is_listed = |fields: &[FieldIndex]| {
                elements.iter().all(|(name, _)| fields.iter().any(|field| self.names[*field] == *name))
            };
            let (size, _) = lists.iter().find(|(_, fields)| !elements.is_empty() && is_listed(fields))?;
            let begins_at_two = |(name, _): &(String, _)| {
                statement.names.iter().any(|stated| stated.name == *name && stated.begins_at_two)
            };
            let is_shifted = elements.iter().any(begins_at_two);
            let places: Option<Vec<_>> = elements.iter().map(|(_, place)| split_step(&place.to_string())).collect();
            let places = places.filter(|_| !is_shifted || of_all.is_some())?;
            let (variable, _) = places.first().filter(|(variable, _)| !self.names.contains(variable))?;
            let offsets = || places.iter().map(|(_, offset)| *offset);
            let shift = i128::from(is_shifted);
            let last = add_offset(size.to_term(|field| self.name_of(field)), shift - offsets().max()?);
            let first = shift + 1 - offsets().min()?;
            let left = if is_shifted { left.to_string().replace("[i]", "[i - 1]") } else { left.to_string() };
            let rule = parse_rule(&format!("forall {variable} in {first}..{last}: {left} {sign} {right}"))?;
            Some((of_all.map(|all| ComparisonChain::new(all).followed_by("<=", vec![last])), rule))
        };
        let of_chain = |chain: &ComparisonChain| {
            let is_range = chain.signs.len() > 1;
            compared_pairs(chain).into_iter().filter_map(|pair| rule(pair, is_range)).collect::<Vec<_>>()
        };
        statement.chains.iter().flat_map(of_chain).collect()
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

/// Returns the rule that a line below `where:` has.
fn parse_rule(text: &str) -> Option<SyntaxRule> {
    SyntaxTree::parse_leniently(&SourceText::new("rule", format!("where:\n    {text}\n").as_bytes())).rules.pop()
}
