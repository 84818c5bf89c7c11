//! Chains, letters and decimals that a statement gives to the fields of a layout.

use crate::bound_terms::term_names;
use crate::cost::Observation;
use crate::layout::{FieldIndex, Node, fields_of};
use crate::rules::RuleMaker;
use crate::statement::{StatedLetters, Statement};
use rebut_format::syntax::{ComparisonChain, SyntaxTerm, SyntaxTermKind};

impl RuleMaker<'_> {
    /// Returns the comparison chains of a statement that only have fields of the layout. A chain with other names is
    /// split at them.
    pub(crate) fn stated_chains(&self, statement: &Statement) -> Vec<ComparisonChain> {
        let mut found: Vec<ComparisonChain> =
            statement.chains.iter().flat_map(|chain| self.known_parts(chain)).collect();
        found.retain(|chain| {
            !chain.signs.is_empty() && !is_constant(chain) && !is_fixed_number(chain) && !compares_with_itself(chain)
        });
        found.dedup();
        found.into_iter().map(|chain| self.without_absolute_values(chain)).collect()
    }

    /// Returns the parts of a chain that only have fields.
    fn known_parts(&self, chain: &ComparisonChain) -> Vec<ComparisonChain> {
        let mut found = Vec::new();
        let mut part: Option<ComparisonChain> = None;
        let signs = std::iter::once("").chain(chain.signs.iter().map(|(sign, _)| *sign));
        for (sign, list) in signs.zip(&chain.lists) {
            let mut known: Vec<SyntaxTerm> = list.iter().filter(|term| self.is_known(term)).cloned().collect();
            known.dedup();
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
        let number = |term: &SyntaxTerm| match &term.kind {
            SyntaxTermKind::Call(function, arguments) if function == "len" => {
                let SyntaxTermKind::Name(name) = &arguments.first()?.kind else { return None };
                (!self.fields[self.field_named(name)?].is_text()).then(|| SyntaxTerm::from_name(name.clone()))
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
    chain.lists.iter().flatten().all(|term| term_names(term).is_empty())
}

/// Returns true for `n = 3`: what a statement explains with an example or a subtask is no constraint.
fn is_fixed_number(chain: &ComparisonChain) -> bool {
    let is_number = |term: &SyntaxTerm| term.constant_value().is_some();
    let (numbers, others): (Vec<_>, Vec<_>) = chain.lists.iter().flatten().partition(|term| is_number(term));
    let are_equal = chain.signs.iter().all(|(sign, _)| *sign == "=");
    are_equal && !numbers.is_empty() && others.iter().all(|term| matches!(term.kind, SyntaxTermKind::Name(_)))
}

/// Returns true for `y < y`: `y_1 < y_2` is about the order of elements.
fn compares_with_itself(chain: &ComparisonChain) -> bool {
    let is_name = |term: &SyntaxTerm| matches!(term.kind, SyntaxTermKind::Name(_));
    let pairs = chain.lists.windows(2);
    pairs.into_iter().any(|pair| pair[0].iter().any(|term| is_name(term) && pair[1].contains(term)))
}

/// Returns the fields of a layout with the letters and the decimals that a statement gives them, unless samples have
/// others. Sentences that name no text are about all of them, if they agree. `names` are those of the fields.
pub(crate) fn with_stated_values(
    nodes: &[Node],
    fields: &[Observation],
    names: &[String],
    statement: &Statement,
) -> Vec<Observation> {
    let texts: Vec<FieldIndex> = fields_of(nodes).into_iter().filter(|field| fields[*field].is_text()).collect();
    let is_about = |stated: &StatedLetters, text: FieldIndex| stated.names.contains(&names[text]);
    let is_general = |stated: &&StatedLetters| !texts.iter().any(|text| is_about(stated, *text));
    let general: Vec<&StatedLetters> = statement.letters.iter().filter(is_general).collect();
    let agreed = general.first().filter(|first| general.iter().all(|other| other.letters == first.letters));
    let mut fields = fields.to_vec();
    for text in texts {
        let named = statement.letters.iter().find(|stated| is_about(stated, text));
        let Some(stated) = named.or(agreed.copied()) else { continue };
        let observed = &mut fields[text];
        if observed.letters.is_subset(&stated.letters) {
            observed.letters.extend(&stated.letters);
            observed.has_listed_letters = true;
        }
    }
    fields.iter_mut().for_each(|observed| observed.take_decimals(statement.decimals));
    fields
}
