//! The constraints of an inferred format: those of the statement as far as they hold for the samples, and otherwise
//! ranges from the samples.

use crate::alphabet::letters_for;
use crate::layout::{Count, FieldIndex, Node, Part, Size, fields_of};
use crate::names::is_case_block;
use crate::observation::Observation;
use crate::statement::{StatedRange, Statement};
use rebut_diagnostics::Span;
use rebut_format::syntax::{ComparisonChain, SyntaxFieldKind, SyntaxRule, SyntaxTerm, SyntaxTermKind};

/// A side of a field's range that a rule states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RangeSide {
    Lower,
    Upper,
}

/// Makes the rules of a format.
pub(crate) struct RuleMaker<'a> {
    pub(crate) nodes: &'a [Node],
    pub(crate) names: &'a [String],
    pub(crate) fields: &'a [Observation],
    /// Whether ranges of the samples may be those of indices: `1..n`.
    pub(crate) has_indices: bool,
}

impl RuleMaker<'_> {
    pub(crate) fn name(&self, field: FieldIndex) -> SyntaxTerm {
        SyntaxTerm::from_name(self.names[field].clone())
    }

    /// Returns the types of all fields that are not whole numbers.
    pub(crate) fn field_kinds(&self) -> Vec<SyntaxRule> {
        let mut rules = Vec::new();
        let texts = texts_of(self.nodes, self.fields);
        for field in fields_of(self.nodes) {
            let observed = &self.fields[field];
            let kind = if texts.contains(&field) {
                self.text_kind(field)
            } else if observed.is_real() {
                let places = i128::try_from(observed.decimals).unwrap_or(0);
                let range = Box::new((SyntaxTerm::from_number(0), SyntaxTerm::from_number(places)));
                Some(SyntaxFieldKind::Real(range))
            } else {
                None
            };
            rules.extend(kind.map(|of| SyntaxRule::FieldKind { names: vec![self.name(field)], of }));
        }
        rules
    }

    fn text_kind(&self, field: FieldIndex) -> Option<SyntaxFieldKind> {
        let observed = &self.fields[field];
        if let Some(pattern) = glued_pattern(observed) {
            return Some(SyntaxFieldKind::Pattern(pattern, Span::default()));
        }
        let letters: usize = observed.count * observed.lengths.map_or(0, |(shortest, _)| shortest);
        if observed.letters.is_empty() {
            // There is no sample.
            return Some(SyntaxFieldKind::Letters(b"a-z".to_vec(), Span::default()));
        }
        Some(SyntaxFieldKind::Letters(letters_for(&observed.letters, letters), Span::default()))
    }

    /// Returns the comparison chains of a statement that only have fields of the layout. A chain with other names is
    /// split at them. `stated` has the name of each field in the statement: where a later line uses a name again, the
    /// chains hold for its field, too.
    pub(crate) fn stated_chains(&self, statement: &Statement, stated: &[Option<String>]) -> Vec<ComparisonChain> {
        let renamed = self.renamed_fields(stated);
        let mut chains: Vec<ComparisonChain> = statement.chains.clone();
        if !renamed.is_empty() {
            chains.extend(statement.chains.iter().filter_map(|chain| with_renamed_fields(chain, &renamed)));
        }
        let mut found: Vec<ComparisonChain> = chains.iter().flat_map(|chain| self.known_parts(chain)).collect();
        let mentions_field =
            |chain: &ComparisonChain| chain.lists.iter().flatten().any(|term| term.constant_value().is_none());
        found.retain(|chain| !chain.signs.is_empty() && mentions_field(chain));
        found.dedup();
        found.into_iter().map(|chain| self.without_absolute_values(chain)).collect()
    }

    /// Returns the fields that have another name than the statement has, because a field before them has it.
    fn renamed_fields(&self, stated: &[Option<String>]) -> Vec<(String, String)> {
        let pairs = stated.iter().zip(self.names);
        let renamed = pairs.filter_map(|(stated, name)| stated.as_ref().map(|stated| (stated.clone(), name.clone())));
        renamed.filter(|(stated, name)| stated != name && self.names.contains(stated)).collect()
    }

    /// Returns the parts of a chain that only have fields.
    fn known_parts(&self, chain: &ComparisonChain) -> Vec<ComparisonChain> {
        let mut found = Vec::new();
        let mut part: Option<ComparisonChain> = None;
        let signs = std::iter::once("").chain(chain.signs.iter().map(|(sign, _)| *sign));
        for (sign, list) in signs.zip(&chain.lists) {
            let known: Vec<SyntaxTerm> = list.iter().filter(|term| self.is_known(term)).cloned().collect();
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

    /// Returns chains for the ranges that a statement gives in words.
    pub(crate) fn ranges_in_words(&self, ranges: &[Option<StatedRange>]) -> Vec<ComparisonChain> {
        let texts = texts_of(self.nodes, self.fields);
        let chain = |(field, range): (FieldIndex, &Option<StatedRange>)| {
            let range = range.as_ref().filter(|range| range.is_length == texts.contains(&field))?;
            let is_usable = |end: &&SyntaxTerm| self.is_known(end);
            let (lo, hi) = (range.lo.as_ref().filter(is_usable), range.hi.as_ref().filter(is_usable));
            let term = match range.is_length {
                true if has_fixed_length(self.nodes, field, &self.fields[field]) => return None,
                true => SyntaxTerm::new_call("len", vec![self.name(field)]),
                false => self.name(field),
            };
            (lo.is_some() || hi.is_some()).then(|| range_chain(lo.cloned(), vec![term], hi.cloned()))
        };
        ranges.iter().enumerate().filter_map(chain).collect()
    }

    /// Returns true if all names in a term are fields.
    fn is_known(&self, term: &SyntaxTerm) -> bool {
        match &term.kind {
            SyntaxTermKind::Name(name) => self.names.contains(name),
            SyntaxTermKind::Negate(inner) => self.is_known(inner),
            SyntaxTermKind::Binary(_, left, right) => self.is_known(left) && self.is_known(right),
            SyntaxTermKind::Call(_, arguments) => arguments.iter().all(|term| self.is_known(term)),
            _ => true,
        }
    }

    /// Returns the bounds of sums over all test cases.
    pub(crate) fn stated_sums(&self, statement: &Statement) -> Vec<SyntaxRule> {
        let known = statement.sums.iter().filter(|(name, _)| self.names.contains(name) && is_case_block(self.nodes));
        known
            .map(|(name, bound)| {
                let sum = SyntaxTerm::new_call("sum", vec![SyntaxTerm::from_name(name.clone())]);
                SyntaxRule::Chain(ComparisonChain::new(sum).followed_by("<=", vec![bound.clone()]))
            })
            .collect()
    }

    /// Returns the sides of the ranges that a chain states, by the name of the field, or `len(s)` for lengths. Unless
    /// `by_fields`, only constants are bounds.
    pub(crate) fn stated_sides(chain: &ComparisonChain, by_fields: bool) -> Vec<(String, RangeSide)> {
        let is_bound = |at: usize| {
            let list = chain.lists.get(at);
            by_fields || list.is_some_and(|list| list.iter().all(|term| term.constant_value().is_some()))
        };
        let mut sides = Vec::new();
        for (at, list) in chain.lists.iter().enumerate() {
            for term in list {
                let name = match &term.kind {
                    SyntaxTermKind::Name(name) => name.clone(),
                    SyntaxTermKind::Call(function, arguments) if function == "len" => match arguments.first() {
                        Some(SyntaxTerm { kind: SyntaxTermKind::Name(name), .. }) => format!("len({name})"),
                        _ => continue,
                    },
                    _ => continue,
                };
                let previous = at.checked_sub(1).filter(|at| is_bound(*at));
                let before = previous.and_then(|at| chain.signs.get(at)).map(|(sign, _)| *sign);
                let after = chain.signs.get(at).filter(|_| is_bound(at + 1)).map(|(sign, _)| *sign);
                for (sign, is_before) in [(before, true), (after, false)] {
                    match (sign, is_before) {
                        (Some("<" | "<="), true) | (Some(">" | ">="), false) => {
                            sides.push((name.clone(), RangeSide::Lower))
                        }
                        (Some(">" | ">="), true) | (Some("<" | "<="), false) => {
                            sides.push((name.clone(), RangeSide::Upper))
                        }
                        _ => {}
                    }
                }
            }
        }
        sides
    }

    /// Returns ranges from the samples for whatever sides of ranges are not stated. Fields with equal ranges share a
    /// rule.
    pub(crate) fn sampled_ranges(&self, stated: &[(String, RangeSide)]) -> Vec<SyntaxRule> {
        let mut ranges: Vec<(Option<SyntaxTerm>, Vec<SyntaxTerm>, Option<SyntaxTerm>)> = Vec::new();
        let texts = texts_of(self.nodes, self.fields);
        for field in fields_of(self.nodes) {
            let is_stated = |name: &str, side| stated.iter().any(|(n, s)| n == name && *s == side);
            let mut add = |term: SyntaxTerm, name: &str, (lo, hi): (SyntaxTerm, SyntaxTerm)| {
                let lo = (!is_stated(name, RangeSide::Lower)).then_some(lo);
                let hi = (!is_stated(name, RangeSide::Upper)).then_some(hi);
                if lo.is_none() && hi.is_none() {
                    return;
                }
                match ranges.iter_mut().find(|(l, _, h)| *l == lo && *h == hi) {
                    Some((_, terms, _)) => terms.push(term),
                    None => ranges.push((lo, vec![term], hi)),
                }
            };
            let name = &self.names[field];
            if !texts.contains(&field) {
                add(self.name(field), name, self.number_range(field));
            }
            if let Some(range) = self.length_range(field, &texts) {
                let term = SyntaxTerm::new_call("len", vec![self.name(field)]);
                add(term, &format!("len({name})"), range);
            }
        }
        ranges.into_iter().map(|(lo, terms, hi)| SyntaxRule::Chain(range_chain(lo, terms, hi))).collect()
    }

    /// Returns the range of a number, wider than what the samples have.
    fn number_range(&self, field: FieldIndex) -> (SyntaxTerm, SyntaxTerm) {
        let (least, most) = self.fields[field].range.unwrap_or((0, 0));
        if let Some(range) = self.index_range(field, least, most) {
            return range;
        }
        let is_size = is_size_of(self.nodes, field);
        let below = if is_size { least_size(self.nodes, field) } else { 0 };
        let magnitude = power_of_ten(least.unsigned_abs().max(most.unsigned_abs()).max(10));
        let lo = if least < 0 {
            SyntaxTerm::new(SyntaxTermKind::Negate(Box::new(magnitude.clone())))
        } else {
            SyntaxTerm::from_number(if least == 0 { 0 } else { below.max(1) })
        };
        (lo, magnitude)
    }

    /// Returns the range `1..n` or `0..n-1` of a number that is the index of something of which there are `n`.
    fn index_range(&self, field: FieldIndex, least: i128, most: i128) -> Option<(SyntaxTerm, SyntaxTerm)> {
        /// Minimum number of observed numbers.
        const MIN_OBSERVED: usize = 4;
        let observed = &self.fields[field];
        let is_repeated = self.has_indices && repeated_fields(self.nodes).contains(&field);
        if !is_repeated || observed.count < MIN_OBSERVED || !observed.is_integer() || is_size_of(self.nodes, field) {
            return None;
        }
        let size = sizes_of(self.nodes).into_iter().filter(|size| *size < field).find(|size| {
            let range = self.fields[*size].range;
            range.is_some_and(|(_, n)| least >= 1 && most == n || least == 0 && most + 1 == n)
        })?;
        let name = self.name(size);
        Some(if least == 0 {
            (SyntaxTerm::from_number(0), name.into_operation("-", SyntaxTerm::from_number(1)))
        } else {
            (SyntaxTerm::from_number(1), name)
        })
    }

    /// Returns the range of a length that no size gives.
    fn length_range(&self, field: FieldIndex, texts: &[FieldIndex]) -> Option<(SyntaxTerm, SyntaxTerm)> {
        let observed = &self.fields[field];
        let (shortest, longest) = match observed.list_lengths {
            Some(lengths) => lengths,
            None if texts.contains(&field) && !has_fixed_length(self.nodes, field, observed) => {
                observed.lengths.unwrap_or((1, 1))
            }
            None => return None,
        };
        let lo = if shortest == 0 { 0 } else { 1 };
        Some((SyntaxTerm::from_number(lo), power_of_ten((longest as u128).max(10))))
    }
}

/// Returns a chain about the fields that a statement calls by the names of others, or `None` if it has none of these.
fn with_renamed_fields(chain: &ComparisonChain, renamed: &[(String, String)]) -> Option<ComparisonChain> {
    let mut changed = chain.clone();
    for (list, before) in changed.lists.iter_mut().zip(&chain.lists) {
        list.iter_mut().for_each(|term| rename_term(term, renamed));
        // The other terms of a list have their bounds already.
        if list != before {
            let mut unchanged = before.iter();
            list.retain(|term| unchanged.next() != Some(term));
        }
    }
    (changed != *chain).then_some(changed)
}

fn rename_term(term: &mut SyntaxTerm, renamed: &[(String, String)]) {
    match &mut term.kind {
        SyntaxTermKind::Name(name) => {
            if let Some((_, new)) = renamed.iter().find(|(stated, _)| stated == name) {
                new.clone_into(name);
            }
        }
        SyntaxTermKind::Negate(inner) => rename_term(inner, renamed),
        SyntaxTermKind::Binary(_, left, right) => {
            rename_term(left, renamed);
            rename_term(right, renamed);
        }
        SyntaxTermKind::Call(_, arguments) => arguments.iter_mut().for_each(|term| rename_term(term, renamed)),
        _ => {}
    }
}

/// Returns a chain with a list of terms between two bounds.
fn range_chain(lo: Option<SyntaxTerm>, terms: Vec<SyntaxTerm>, hi: Option<SyntaxTerm>) -> ComparisonChain {
    let mut chain = match lo {
        Some(lo) => ComparisonChain::new(lo).followed_by("<=", terms),
        None => ComparisonChain::from_list(terms),
    };
    if let Some(hi) = hi {
        chain = chain.followed_by("<=", vec![hi]);
    }
    chain
}

/// Returns the smallest power of ten that is not below a number: `10^k`, or the number itself up to 100.
fn power_of_ten(number: u128) -> SyntaxTerm {
    let mut exponent = 1;
    while exponent < 35 && 10u128.pow(exponent) < number {
        exponent += 1;
    }
    match exponent {
        1 => SyntaxTerm::from_number(10),
        2 => SyntaxTerm::from_number(100),
        _ => SyntaxTerm::from_number(10).into_operation("^", SyntaxTerm::from_number(exponent.into())),
    }
}

/// Returns the fields that are texts: those with a length, and those with tokens that are no numbers.
pub(crate) fn texts_of(nodes: &[Node], fields: &[Observation]) -> Vec<FieldIndex> {
    let mut texts: Vec<FieldIndex> = fields_of(nodes).into_iter().filter(|field| fields[*field].is_text()).collect();
    visit_parts(nodes, &mut |part, _| {
        if let Part::Text(field, _) | Part::Phrase(field) = part {
            texts.push(*field);
        }
    });
    texts
}

/// Calls a function for each part, and with whether it is repeated.
fn visit_parts(nodes: &[Node], visit: &mut dyn FnMut(&Part, bool)) {
    fn visit_inside(nodes: &[Node], is_repeated: bool, visit: &mut dyn FnMut(&Part, bool)) {
        for node in nodes {
            match node {
                Node::Line(parts) => parts.iter().for_each(|part| visit(part, is_repeated)),
                Node::Block { body, .. } => visit_inside(body, true, visit),
                Node::Tagged { forms, .. } => {
                    let fields = forms.iter().flat_map(|form| &form.fields);
                    fields.for_each(|field| visit(&Part::Token(*field), true));
                }
            }
        }
    }
    match nodes {
        [first, Node::Block { body, .. }] if is_case_block(nodes) => {
            visit_inside(std::slice::from_ref(first), false, visit);
            visit_inside(body, false, visit);
        }
        nodes => visit_inside(nodes, false, visit),
    }
}

/// Returns the fields with several values in a test case.
fn repeated_fields(nodes: &[Node]) -> Vec<FieldIndex> {
    let mut found = Vec::new();
    visit_parts(nodes, &mut |part, is_repeated| {
        let is_several = matches!(part, Part::Array(..) | Part::Group(..) | Part::List(_));
        if is_repeated || is_several {
            found.extend(part.fields());
        }
    });
    found
}

/// Returns the fields that sizes use.
pub(crate) fn sizes_of(nodes: &[Node]) -> Vec<FieldIndex> {
    let mut found = Vec::new();
    nodes.iter().for_each(|node| node.visit_sizes(&mut |size, _| found.extend(size.fields())));
    found
}

fn is_size_of(nodes: &[Node], field: FieldIndex) -> bool {
    sizes_of(nodes).contains(&field)
}

/// Returns the smallest value of a field for which all sizes that use it are at least zero.
fn least_size(nodes: &[Node], field: FieldIndex) -> i128 {
    let mut least = 0;
    nodes.iter().for_each(|node| {
        node.visit_sizes(&mut |size, _| {
            if let Size::Linear { field: other, offset, .. } = size
                && *other == field
            {
                least = least.max(-offset);
            }
        });
    });
    least
}

/// Returns true if the length of a text is given by a size, or is one character.
fn has_fixed_length(nodes: &[Node], field: FieldIndex, observed: &Observation) -> bool {
    let mut is_fixed = false;
    let mut is_phrase = false;
    visit_parts(nodes, &mut |part, _| {
        is_fixed |= matches!(part, Part::Text(other, _) if *other == field);
        is_phrase |= matches!(part, Part::Phrase(other) if *other == field);
    });
    is_fixed || !is_phrase && observed.lengths == Some((1, 1)) || glued_has_fixed_length(observed)
}

/// Returns true if a pattern determines the length.
fn glued_has_fixed_length(observed: &Observation) -> bool {
    glued_pattern(observed).is_some_and(|pattern| !pattern.contains('*'))
}

/// Returns a pattern for tokens that are numbers with the same signs between them, as in `12:30` or `(1,2)`.
fn glued_pattern(observed: &Observation) -> Option<String> {
    let tokens = observed.few_tokens(24)?;
    let is_glue = |c: char| c.is_ascii_punctuation();
    let skeleton = |token: &str| token.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    let first = skeleton(tokens.first()?);
    let is_glued =
        !first.is_empty() && first.chars().all(is_glue) && tokens.iter().all(|token| skeleton(token) == first);
    let has_numbers = tokens.iter().all(|token| token.split(is_glue).filter(|part| !part.is_empty()).count() >= 2);
    if !is_glued || !has_numbers || tokens.len() < 2 {
        return None;
    }
    let parts = |token: &str| token.split(is_glue).map(str::to_owned).collect::<Vec<String>>();
    let columns: Vec<Vec<String>> = tokens.iter().map(|token| parts(token)).collect();
    let mut pattern = String::new();
    for (at, glue) in first.chars().map(Some).chain([None]).enumerate() {
        let numbers: Vec<&String> = columns.iter().filter_map(|column| column.get(at)).collect();
        pattern.push_str(&number_pattern(&numbers));
        if let Some(glue) = glue {
            pattern.push('\\');
            pattern.push(glue);
        }
    }
    Some(pattern)
}

/// Returns a pattern for digits: of a fixed width if one has a leading zero.
fn number_pattern(numbers: &[&String]) -> String {
    let width = numbers.first().map_or(0, |number| number.len());
    let has_zero = numbers.iter().any(|number| number.len() > 1 && number.starts_with('0'));
    if width == 0 {
        String::new()
    } else if has_zero && numbers.iter().all(|number| number.len() == width) {
        format!("[0-9]{{{width}}}")
    } else {
        "(0|[1-9][0-9]*)".to_owned()
    }
}

/// Returns the largest number of repetitions of a block that the input ends.
pub(crate) fn most_repetitions(nodes: &[Node]) -> i128 {
    let is_open = |node: &Node| matches!(node, Node::Block { count: Count::UntilEof | Count::UntilLine(_), .. });
    if nodes.iter().any(is_open) { 100 } else { 0 }
}
