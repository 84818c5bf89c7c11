//! The comparison chains of a statement that hold for the fields of a layout.

use crate::alphabet::{sized_texts, with_stated_letters};
use crate::bound_terms::{Renaming, chain_names, rename_chain};
use crate::cost::{Observation, StatedKind};
use crate::layout::{FieldIndex, Node, lines_of};
use crate::rules::{RuleMaker, sizes_of, texts_of};
use crate::statement::Statement;
use rebut_diagnostics::list_and;
use rebut_format::syntax::{ComparisonChain, SyntaxTerm, SyntaxTermKind};
use std::collections::BTreeSet;

impl RuleMaker<'_> {
    /// Returns the comparison chains of a statement that only have fields of the layout. A chain with other names is
    /// split at them. `stated` has the name of each field in the statement: where a later line uses a name again, the
    /// chains hold for its field, too, unless their other names show which line is meant.
    pub(crate) fn stated_chains(&self, statement: &Statement, stated: &[Option<String>]) -> Vec<ComparisonChain> {
        let chains: Vec<ComparisonChain> =
            statement.chains.iter().flat_map(|chain| self.enumerated_chains(chain)).collect();
        let renamings: Vec<Vec<Renaming>> = chains.iter().map(|chain| self.renamings(chain, stated)).collect();
        // A field that one chain alone is about does not have the ranges of earlier fields of that name.
        let is_clear = |renaming: &Renaming| renamings.iter().any(|versions| *versions == [renaming.clone()]);
        let mut found = Vec::new();
        for (chain, versions) in chains.iter().zip(&renamings) {
            let is_first = |at: usize| at == 0 || versions.len() == 1;
            let versions = versions.iter().enumerate().filter(|(at, renaming)| is_first(*at) || !is_clear(renaming));
            found.extend(versions.flat_map(|(_, renaming)| self.known_parts(&rename_chain(chain, renaming))));
        }
        for renaming in self.unbounded_fields(&found, stated) {
            let chains = statement.chains.iter().filter_map(|chain| chain_of_renamed(chain, &renaming));
            found.extend(chains.flat_map(|chain| self.known_parts(&chain)));
        }
        found.retain(|chain| {
            !chain.signs.is_empty() && !is_constant(chain) && !is_fixed_number(chain) && !compares_with_itself(chain)
        });
        found.dedup();
        found.into_iter().map(|chain| self.without_absolute_values(chain)).collect()
    }

    /// Returns the chains for `0 <= t_i <= 9` where `t` is no field, but `t0`, `t1` and `t2` are. In a chain with
    /// several such names, they have the same index.
    fn enumerated_chains(&self, chain: &ComparisonChain) -> Vec<ComparisonChain> {
        let indexed: Vec<String> =
            chain_names(chain).into_iter().filter(|name| !self.numbered_fields(name).is_empty()).collect();
        let Some(first) = indexed.first() else { return vec![chain.clone()] };
        let indices = self.numbered_fields(first);
        let version = |index: &&str| {
            let renaming = indexed.iter().map(|name| (name.clone(), format!("{name}{index}"))).collect();
            rename_chain(chain, &renaming)
        };
        indices.iter().map(version).collect()
    }

    /// Returns the indices of the fields `t0`, `t1` and so on, unless `t` is a field or there is only one of them.
    fn numbered_fields(&self, name: &str) -> Vec<&str> {
        if self.names.iter().any(|field| field == name) {
            return Vec::new();
        }
        let is_index = |rest: &&str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
        let index = |field| str::strip_prefix(field, name).filter(is_index);
        let indices: Vec<&str> = self.names.iter().map(String::as_str).filter_map(index).collect();
        if indices.len() > 1 { indices } else { Vec::new() }
    }

    /// Returns what the names of a chain may stand for: the fields of one line if that has the most of them, and
    /// otherwise those of each line.
    fn renamings(&self, chain: &ComparisonChain, stated: &[Option<String>]) -> Vec<Renaming> {
        let names = chain_names(chain);
        let is_stated = |field: &FieldIndex, name: &str| stated[*field].as_deref() == Some(name);
        let is_repeated = |name: &&String| (0..stated.len()).filter(|field| is_stated(field, name)).count() > 1;
        let repeated: Vec<&String> = names.iter().filter(is_repeated).collect();
        let mut found: Vec<(usize, Renaming)> = Vec::new();
        for line in lines_of(self.nodes) {
            let in_line = |name: &str| line.iter().find(|field| is_stated(field, name));
            let renaming: Option<Renaming> = repeated
                .iter()
                .map(|name| in_line(name).map(|field| ((*name).clone(), self.names[*field].clone())))
                .collect();
            let Some(renaming) = renaming.filter(|renaming| !renaming.is_empty()) else { continue };
            found.push((names.iter().filter(|name| in_line(name).is_some()).count(), renaming));
        }
        let most = found.iter().map(|(named, _)| *named).max().unwrap_or(0);
        found.retain(|(named, _)| *named == most);
        match found.is_empty() {
            true => vec![Vec::new()],
            false => found.into_iter().map(|(_, renaming)| renaming).collect(),
        }
    }

    /// Returns the fields with the name of an earlier one that no chain has.
    fn unbounded_fields(&self, chains: &[ComparisonChain], stated: &[Option<String>]) -> Vec<Renaming> {
        let bounded: Vec<String> = chains.iter().flat_map(chain_names).collect();
        let pairs = stated.iter().zip(self.names);
        let renamed = pairs.filter_map(|(stated, name)| Some((stated.clone()?, name.clone())));
        let is_unbounded = |(stated, name): &(String, String)| stated != name && !bounded.contains(name);
        renamed.filter(is_unbounded).map(|pair| vec![pair]).collect()
    }

    /// Returns a term if it only has fields. Of the smallest of several terms, those that do are left.
    fn known_term(&self, term: &SyntaxTerm) -> Option<SyntaxTerm> {
        if self.is_known(term) {
            return Some(term.clone());
        }
        let SyntaxTermKind::Call(function, terms) = &term.kind else { return None };
        let known: Vec<SyntaxTerm> = terms.iter().filter(|term| self.is_known(term)).cloned().collect();
        match (function.as_str(), &known[..]) {
            ("min", [only]) => Some(only.clone()),
            ("min", [_, ..]) => Some(SyntaxTerm::new_call("min", known)),
            _ => None,
        }
    }

    /// Returns the parts of a chain that only have fields.
    fn known_parts(&self, chain: &ComparisonChain) -> Vec<ComparisonChain> {
        let mut found = Vec::new();
        let mut part: Option<ComparisonChain> = None;
        let signs = std::iter::once("").chain(chain.signs.iter().map(|(sign, _)| *sign));
        for (sign, list) in signs.zip(&chain.lists) {
            let mut known: Vec<SyntaxTerm> = Vec::new();
            for term in list.iter().filter_map(|term| self.known_term(term)) {
                if !known.contains(&term) {
                    known.push(term);
                }
            }
            part = match (part.take(), known.is_empty()) {
                (Some(part), false) => Some(part.followed_by(sign, known)),
                (None, false) => Some(ComparisonChain::from_list(known)),
                // A variable such as `i` in `1 <= i < n` is no field.
                (complete, true) => {
                    found.extend(complete);
                    None
                }
            };
        }
        found.extend(part);
        found
    }

    /// Turns `|x|, |y| <= b` for numbers into `-b <= x, y <= b`. Of a text, `|s|` is the length.
    fn without_absolute_values(&self, chain: ComparisonChain) -> ComparisonChain {
        let texts = texts_of(self.nodes, self.fields);
        let number = |term: &SyntaxTerm| match &term.kind {
            SyntaxTermKind::Call(function, arguments) if function == "len" => {
                let SyntaxTermKind::Name(name) = &arguments.first()?.kind else { return None };
                let field = self.names.iter().position(|other| other == name)?;
                (!texts.contains(&field)).then(|| SyntaxTerm::from_name(name.clone()))
            }
            _ => None,
        };
        let ([terms, bound], [(sign @ ("<" | "<="), _)]) = (&chain.lists[..], &chain.signs[..]) else { return chain };
        let numbers: Option<Vec<SyntaxTerm>> = terms.iter().map(number).collect();
        match (numbers, &bound[..]) {
            (Some(numbers), [bound]) => ComparisonChain::from_list(vec![bound.clone().into_negated()])
                .followed_by(sign, numbers)
                .followed_by(sign, vec![bound.clone()]),
            _ => chain,
        }
    }
}

/// Returns true for a chain without a name: an example, such as `8 / 4 = 2`.
fn is_constant(chain: &ComparisonChain) -> bool {
    chain_names(chain).is_empty()
}

/// Returns true for `n = 3`: what a statement explains with an example or a subtask is no constraint.
fn is_fixed_number(chain: &ComparisonChain) -> bool {
    let is_name = |term: &SyntaxTerm| matches!(term.kind, SyntaxTermKind::Name(_));
    let is_number = |term: &SyntaxTerm| term.constant_value().is_some();
    let terms = || chain.lists.iter().flatten();
    let are_equal = chain.signs.iter().all(|(sign, _)| *sign == "=");
    are_equal && terms().any(is_number) && terms().all(|term| is_name(term) || is_number(term))
}

/// Returns true for `y < y`: `y_1 < y_2` is about the order of elements.
fn compares_with_itself(chain: &ComparisonChain) -> bool {
    let is_name = |term: &SyntaxTerm| matches!(term.kind, SyntaxTermKind::Name(_));
    let pairs = chain.lists.windows(2);
    pairs.into_iter().any(|pair| pair[0].iter().any(|term| is_name(term) && pair[1].contains(term)))
}

/// Returns a chain with other names, without the terms beside them, or `None` if it has none of these names.
fn chain_of_renamed(chain: &ComparisonChain, renaming: &Renaming) -> Option<ComparisonChain> {
    let mut renamed = rename_chain(chain, renaming);
    for (list, before) in renamed.lists.iter_mut().zip(&chain.lists) {
        if list != before {
            let mut unchanged = before.iter();
            list.retain(|term| unchanged.next() != Some(term));
        }
    }
    (renamed != *chain).then_some(renamed)
}

// The values that a statement gives to fields, beside their bounds: letters, lists of texts, digits and decimals.

/// Returns the fields of a layout with the facts of a statement about them. `names` are those of the fields.
pub(crate) fn with_stated_values(
    nodes: &[Node],
    fields: &[Observation],
    names: &[String],
    statement: Option<&Statement>,
) -> Vec<Observation> {
    let Some(statement) = statement else { return fields.to_vec() };
    let texts = texts_of(nodes, fields);
    let mut stated = with_stated_letters(fields, &texts, names, &statement.letters);
    take_quoted_letters(&mut stated, nodes, &statement.quoted_letters);
    take_huge_numbers(&mut stated, &sizes_of(nodes), names, statement);
    take_decimals(&mut stated, statement.decimals);
    stated
}

/// Gives maps, which have signs in the samples, the letters that the statement quotes, if they include those of the samples.
fn take_quoted_letters(fields: &mut [Observation], nodes: &[Node], quoted: &BTreeSet<char>) {
    /// Maximum number of letters of a map.
    const MAX_LETTERS: usize = 12;
    for text in sized_texts(nodes) {
        let observed = &mut fields[text];
        let has_signs = observed.letters.iter().any(char::is_ascii_punctuation);
        if has_signs
            && !observed.has_listed_letters
            && observed.letters.is_subset(quoted)
            && quoted.len() <= MAX_LETTERS
        {
            observed.letters.clone_from(quoted);
            observed.has_listed_letters = true;
        }
    }
}

/// Takes the numbers that are too large for a format for texts of digits. A size must be a number.
fn take_huge_numbers(fields: &mut [Observation], sizes: &[FieldIndex], names: &[String], statement: &Statement) {
    for (name, digits) in &statement.huge_numbers {
        let field = names.iter().position(|other| other == name);
        let field = field.filter(|field| !sizes.contains(field));
        field.into_iter().for_each(|field| fields[field].take_huge_digits(*digits));
    }
}

/// Gives real numbers the stated number of decimals, or a usual one.
fn take_decimals(fields: &mut [Observation], decimals: Option<usize>) {
    match decimals {
        Some(decimals) => {
            let reals = fields.iter_mut().filter(|observed| observed.is_real());
            reals.for_each(|observed| observed.take_kind(StatedKind::Real(Some(decimals))));
        }
        None => fields.iter_mut().for_each(Observation::guess_decimals),
    }
}

/// Returns a remark about numbers that are too large for a format: they are texts of digits if the statement names them.
pub(crate) fn huge_note(statement: &Statement, fields: &[Observation], names: &[String]) -> Option<String> {
    let texts = fields.iter().zip(names).filter(|(observed, _)| observed.huge_digits.is_some());
    let texts: Vec<String> = texts.map(|(_, name)| format!("`{name}`")).collect();
    (statement.has_huge_number || !texts.is_empty()).then(|| match texts.is_empty() {
        true => "the statement has a number of more than 36 digits: numbers of a format are smaller".to_owned(),
        false => format!(
            "{} may have more than 36 digits, so the format has a text of digits, with a bound of its length only",
            list_and(&texts)
        ),
    })
}
