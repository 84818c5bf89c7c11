//! A format in the making: rules are added one by one, each only if the samples allow it.

use crate::rules::{BoundTerms, RangeSide, RuleMaker};
use crate::sample::Sample;
use rebut_diagnostics::SourceText;
use rebut_format::language::Format;
use rebut_format::read::read_input;
use rebut_format::syntax::{ComparisonChain, LayoutNode, SyntaxRule, SyntaxTree};
use rebut_format::validate::find_violation;

/// A format in the making.
pub(crate) struct FormatDraft<'a> {
    maker: &'a RuleMaker<'a>,
    layout: &'a [LayoutNode],
    samples: &'a [Sample],
    /// The types of the fields.
    kinds: Vec<SyntaxRule>,
    accepted: Vec<SyntaxRule>,
    /// The sides of ranges that the accepted rules state.
    sides: Vec<(String, RangeSide)>,
    /// Remarks about rules that the samples contradict.
    pub(crate) notes: Vec<String>,
}

/// A complete format.
pub(crate) struct DraftedFormat {
    pub(crate) text: String,
    /// Number of rules at its end that only the samples support.
    pub(crate) sampled_rules: usize,
}

impl<'a> FormatDraft<'a> {
    pub(crate) fn new(maker: &'a RuleMaker<'a>, layout: &'a [LayoutNode], samples: &'a [Sample]) -> FormatDraft<'a> {
        let kinds = maker.field_kinds();
        FormatDraft { maker, layout, samples, kinds, accepted: Vec::new(), sides: Vec::new(), notes: Vec::new() }
    }

    /// Adds a rule without bounds, if the samples satisfy it.
    pub(crate) fn try_rule(&mut self, rule: SyntaxRule) {
        self.try_with_sides(&rule, &[]);
    }

    /// Adds a chain, if the samples satisfy it.
    pub(crate) fn try_chain(&mut self, chain: ComparisonChain) {
        let sides = self.maker.stated_sides(&chain, BoundTerms::All);
        // A range that is stated twice is kept once: as a comparison rather than in words, and not for the subtasks that follow.
        if !sides.is_empty() && sides.iter().all(|side| self.sides.contains(side)) && is_constant_range(&chain) {
            return;
        }
        // A bound that is another number is not enough where that number is read later.
        let fewer = [BoundTerms::EarlierFields, BoundTerms::Constants].map(|by| self.maker.stated_sides(&chain, by));
        let rule = SyntaxRule::Chain(chain);
        let mut acceptance = self.try_with_sides(&rule, &sides);
        for sides in &fewer {
            if acceptance == Acceptance::Invalid {
                acceptance = self.try_with_sides(&rule, sides);
            }
        }
        if acceptance == Acceptance::Refused {
            let text = SyntaxTree { layout: Vec::new(), rules: vec![rule] }.to_string();
            let text = text.lines().last().unwrap_or_default().trim().to_owned();
            self.notes.push(format!("a sample contradicts `{text}`, so it was left out"));
        }
    }

    fn try_with_sides(&mut self, rule: &SyntaxRule, sides: &[(String, RangeSide)]) -> Acceptance {
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
        let rules = self.kinds.iter().chain(stated).cloned().chain(sampled).collect();
        SyntaxTree { layout: self.layout.to_vec(), rules }.to_string()
    }

    /// Returns the format with ranges from the samples for what is not stated, or `None` if it does not accept them.
    pub(crate) fn complete_format(&self) -> Option<DraftedFormat> {
        let sampled = self.maker.sampled_ranges(&self.sides);
        let sampled_rules = sampled.len();
        let text = self.text_with(&self.accepted, sampled);
        (accepts_samples(&text, self.samples) == Acceptance::Accepted).then_some(DraftedFormat { text, sampled_rules })
    }
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
