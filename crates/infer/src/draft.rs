//! A format in the making: rules are added one by one, each only if the samples allow it.

use crate::bound_terms::{ComparedPair, compared_pairs};
use crate::rules::{RangeSide, RuleMaker, both_sides, bounded_quantity, range_chain};
use crate::sample::Sample;
use crate::stated_chains::OpenBound;
use rebut_diagnostics::{SourceText, list_and};
use rebut_format::language::Format;
use rebut_format::read::read_input;
use rebut_format::syntax::{ComparisonChain, LayoutNode, SyntaxRule, SyntaxTerm, SyntaxTree};
use rebut_format::validate::find_violation;

pub(crate) struct FormatDraft<'a> {
    maker: &'a RuleMaker<'a>,
    layout: &'a [LayoutNode],
    samples: &'a [Sample],
    /// The types of the fields, and those that are guesses.
    kinds: [Vec<SyntaxRule>; 2],
    accepted: Vec<SyntaxRule>,
    /// The sides of ranges that the accepted rules state.
    sides: Vec<(String, RangeSide)>,
    /// Number of accepted rules before the first guess.
    stated: usize,
    /// Remarks about rules that the samples contradict.
    pub(crate) notes: Vec<String>,
}

impl<'a> FormatDraft<'a> {
    pub(crate) fn new(maker: &'a RuleMaker<'a>, layout: &'a [LayoutNode], samples: &'a [Sample]) -> FormatDraft<'a> {
        let (kinds, accepted) = (maker.field_kinds(), Vec::new());
        FormatDraft { maker, layout, samples, kinds, accepted, sides: Vec::new(), stated: 0, notes: Vec::new() }
    }

    /// Adds a rule without bounds, if the samples satisfy it.
    pub(crate) fn try_rule(&mut self, rule: SyntaxRule) {
        // The numbers of a permutation and the ends of edges have the range of the rule.
        let fields = match &rule {
            SyntaxRule::Permutation { names, .. } => names.clone(),
            SyntaxRule::Edges { ends, .. } => vec![ends.0.clone(), ends.1.clone()],
            _ => Vec::new(),
        };
        let sides: Vec<(String, RangeSide)> = fields.iter().flat_map(|name| both_sides(&name.to_string())).collect();
        if self.try_with_sides(&rule, &sides) != Acceptance::Accepted && !sides.is_empty() {
            self.try_with_sides(&rule, &[]);
        }
    }

    /// Adds a chain, if the samples satisfy it.
    pub(crate) fn try_chain(&mut self, chain: ComparisonChain) {
        let sides = self.maker.stated_sides(&chain, |_, _| true);
        // A range that is stated twice is kept once: as a comparison rather than in words, and not for the subtasks that follow.
        if !sides.is_empty() && sides.iter().all(|side| self.sides.contains(side)) && is_constant_range(&chain) {
            return;
        }
        // A bound that is another number is not enough where that number is read later.
        let earlier = self.maker.stated_sides(&chain, |bound, field| self.maker.is_earlier(bound, field));
        let constant = self.maker.stated_sides(&chain, |bound, _| bound.constant_value().is_some());
        let rule = SyntaxRule::Chain(chain);
        let mut acceptance = Acceptance::Invalid;
        for sides in [sides, earlier, constant] {
            if acceptance == Acceptance::Invalid {
                acceptance = self.try_with_sides(&rule, &sides);
            }
        }
        if acceptance == Acceptance::Accepted {
            return;
        }
        let SyntaxRule::Chain(chain) = &rule else { return };
        let parts = smaller_chains(chain);
        if parts.is_empty() && acceptance == Acceptance::Refused {
            let text = SyntaxTree { layout: Vec::new(), rules: vec![rule] }.to_string();
            let text = text.lines().last().unwrap_or_default().trim().to_owned();
            self.notes.push(format!("a sample contradicts `{text}`, so it was left out"));
        }
        // Only one bound of several may be contradicted, or needs a number that is read later.
        parts.into_iter().for_each(|part| self.try_chain(part));
    }

    /// Adds the sides of ranges that no rule states yet, if the samples satisfy them.
    pub(crate) fn try_bounds(&mut self, bounds: Vec<OpenBound>) {
        for OpenBound { term, lo, hi } in bounds {
            let Some((_, name)) = bounded_quantity(&term) else { continue };
            for (lo, hi) in [(lo.as_ref(), hi.as_ref()), (lo.as_ref(), None), (None, hi.as_ref())] {
                let [lower, upper] = both_sides(&name);
                let lo = lo.filter(|_| !self.sides.contains(&lower)).map(|lo| (lo.clone(), lower));
                let hi = hi.filter(|_| !self.sides.contains(&upper)).map(|hi| (hi.clone(), upper));
                let sides: Vec<_> = lo.iter().chain(&hi).map(|(_, side)| side.clone()).collect();
                if !sides.is_empty() {
                    let chain = range_chain(lo.map(|(lo, _)| lo), vec![term.clone()], hi.map(|(hi, _)| hi));
                    self.try_with_sides(&SyntaxRule::Chain(chain), &sides);
                }
            }
        }
    }

    /// Makes guesses of all rules that are added from now on.
    pub(crate) fn begin_guesses(&mut self) {
        self.stated = self.accepted.len();
    }

    /// Adds the first relation of each group that the samples satisfy. A range that is stated needs no guess.
    pub(crate) fn try_guesses(&mut self, groups: Vec<Vec<SyntaxRule>>) {
        /// Maximum number of relations that are tried.
        const MAX_TRIED: usize = 60;
        let mut tried = 0;
        for group in groups {
            for rule in group {
                // Two numbers of the same line give each other no range.
                let is_range = |bound: &SyntaxTerm, field: &str| {
                    self.maker.is_earlier(bound, field) && self.maker.is_single(bound)
                };
                let sides = match &rule {
                    SyntaxRule::Chain(chain) => self.maker.stated_sides(chain, is_range),
                    _ => Vec::new(),
                };
                let is_stated = !sides.is_empty() && sides.iter().any(|side| self.sides.contains(side));
                tried += usize::from(!is_stated);
                if tried <= MAX_TRIED && !is_stated && self.try_with_sides(&rule, &sides) == Acceptance::Accepted {
                    break;
                }
            }
        }
    }

    /// Returns a remark about the numbers and lengths of which no rule states an upper bound.
    pub(crate) fn unbounded_note(&self) -> Option<String> {
        let mut open: Vec<String> = self.maker.quantities().into_iter().map(|(term, _)| term.to_string()).collect();
        open.sort_by_key(|name| name.starts_with("len("));
        open.retain(|name| !self.sides.contains(&(name.clone(), RangeSide::Upper)));
        let open: Vec<String> = open.into_iter().map(|name| format!("`{name}`")).collect();
        (!open.is_empty()).then(|| {
            format!("no upper bound was found in the statement for {}: that of the format is a guess", list_and(&open))
        })
    }

    /// Returns true if, by a remark, the samples contradict a comparison.
    pub(crate) fn is_noted(&self, (left, sign, right): &ComparedPair) -> bool {
        self.notes.iter().any(|note| note.contains(&format!("`{left} {sign} {right}`")))
    }

    /// Returns the pairs of terms that the accepted chains compare.
    pub(crate) fn accepted_pairs(&self) -> Vec<ComparedPair> {
        let pairs =
            |rule: &SyntaxRule| if let SyntaxRule::Chain(chain) = rule { compared_pairs(chain) } else { Vec::new() };
        self.accepted.iter().flat_map(pairs).collect()
    }

    fn try_with_sides(&mut self, rule: &SyntaxRule, sides: &[(String, RangeSide)]) -> Acceptance {
        if self.accepted.contains(rule) {
            return Acceptance::Accepted;
        }
        let stated = [&self.accepted[..], std::slice::from_ref(rule)].concat();
        let all_sides = [&self.sides[..], sides].concat();
        let text = self.text_with(&stated, self.maker.sampled_ranges(&all_sides));
        let acceptance = accepts_samples(&text, self.samples);
        if acceptance == Acceptance::Accepted {
            (self.accepted, self.sides) = (stated, all_sides);
        }
        acceptance
    }

    fn text_with(&self, stated: &[SyntaxRule], sampled: Vec<SyntaxRule>) -> String {
        let [known, guessed] = &self.kinds;
        let rules = [known, stated, guessed, &sampled].concat();
        SyntaxTree { layout: self.layout.to_vec(), rules }.to_string()
    }

    /// Returns the format with sampled ranges for what is not stated, and their number, unless it refuses the samples.
    pub(crate) fn complete_format(&self) -> Option<(String, usize)> {
        let sampled = self.maker.sampled_ranges(&self.sides);
        let guessed = self.accepted.len() - self.stated;
        let sampled_rules = guessed + self.kinds[1].len() + sampled.len();
        let text = self.text_with(&self.accepted, sampled);
        (accepts_samples(&text, self.samples) == Acceptance::Accepted).then_some((text, sampled_rules))
    }
}

/// Returns the comparisons of two lists that a longer chain consists of, or those of two terms of two longer lists.
fn smaller_chains(chain: &ComparisonChain) -> Vec<ComparisonChain> {
    let pairs = chain.lists.windows(2).zip(&chain.signs);
    if chain.signs.len() > 1 {
        return pairs
            .map(|(lists, (sign, _))| ComparisonChain::from_list(lists[0].clone()).followed_by(sign, lists[1].clone()))
            .collect();
    }
    let [left, right] = &chain.lists[..] else { return Vec::new() };
    let (Some((sign, _)), true) = (chain.signs.first(), left.len() + right.len() > 2) else { return Vec::new() };
    let pair = |(a, b): (&SyntaxTerm, &SyntaxTerm)| ComparisonChain::new(a.clone()).followed_by(sign, vec![b.clone()]);
    left.iter().flat_map(|a| right.iter().map(move |b| (a, b))).map(pair).collect()
}

/// Returns true for a chain of one list of terms between constants.
fn is_constant_range(chain: &ComparisonChain) -> bool {
    chain.lists.iter().filter(|list| list.iter().any(|term| term.constant_value().is_none())).count() == 1
}

/// Whether a format accepts all samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Acceptance {
    Accepted,
    /// A sample is no input of the format.
    Refused,
    /// The text is no format.
    Invalid,
}

fn accepts_samples(text: &str, samples: &[Sample]) -> Acceptance {
    let Ok((format, _)) = Format::parse(&SourceText::new("inferred", text.as_bytes())) else {
        return Acceptance::Invalid;
    };
    let is_accepted = samples.iter().filter(|sample| !sample.lines.is_empty()).all(|sample| {
        read_input(&format, &sample.to_bytes()).is_ok_and(|value| find_violation(&format, &value).is_none())
    });
    if is_accepted { Acceptance::Accepted } else { Acceptance::Refused }
}
