//! Drawing of matches of a regular expression, branch by branch.
//!
//! If every next character is drawn from all possible ones, short alternatives hardly ever come up: in
//! `pea|pan|[a-z]*` almost every letter leads away from `pea`. So the branches of the expression itself are drawn,
//! each with the same probability.

use regex_automata::util::syntax;
use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

/// A parsed regular expression.
#[derive(Clone, Debug)]
pub(super) struct RegexBranches {
    whole: Hir,
}

/// A text under construction.
struct BranchSampler<'p> {
    text: Vec<u8>,
    /// Approximate maximum length of the text, for repetitions without a limit of their own.
    wanted: usize,
    /// Picks one of a number of options.
    pick: &'p mut dyn FnMut(usize) -> usize,
}

impl RegexBranches {
    /// Parses an expression that is known to be valid. Returns `None` if `regex_syntax` does not accept it.
    pub(super) fn parse_regex(text: &str) -> Option<RegexBranches> {
        let config = syntax::Config::new().unicode(false).utf8(false);
        syntax::parse_with(text, &config).ok().map(|whole| RegexBranches { whole })
    }

    /// Draws a text by the branches. It may fail to match if the expression has look-around assertions.
    pub(super) fn sample_text(&self, wanted: usize, pick: &mut dyn FnMut(usize) -> usize) -> Vec<u8> {
        let mut draft = BranchSampler { text: Vec::new(), wanted, pick };
        draft.append_node(&self.whole);
        draft.text
    }
}

impl BranchSampler<'_> {
    fn append_node(&mut self, part: &Hir) {
        match part.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => self.text.extend_from_slice(&literal.0),
            HirKind::Class(class) => self.append_class_character(class),
            HirKind::Repetition(repetition) => self.append_repetition(repetition),
            HirKind::Capture(capture) => self.append_node(&capture.sub),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.append_node(part)),
            HirKind::Alternation(branches) => {
                let chosen = (self.pick)(branches.len());
                self.append_node(&branches[chosen.min(branches.len() - 1)]);
            }
        }
    }

    fn append_class_character(&mut self, class: &Class) {
        let visible = |range: (u32, u32)| range.0.max(u32::from(b' '))..=range.1.min(u32::from(b'~'));
        let letters: Vec<u8> = match class {
            Class::Bytes(bytes) => {
                bytes.iter().flat_map(|range| visible((range.start().into(), range.end().into()))).collect::<Vec<u32>>()
            }
            Class::Unicode(unicode) => {
                unicode.iter().flat_map(|range| visible((range.start().into(), range.end().into()))).collect()
            }
        }
        .into_iter()
        .filter_map(|letter| u8::try_from(letter).ok())
        .collect();
        if !letters.is_empty() {
            let chosen = (self.pick)(letters.len());
            self.text.push(letters[chosen.min(letters.len() - 1)]);
        }
    }

    fn append_repetition(&mut self, repetition: &Repetition) {
        let least = repetition.min as usize;
        let most = repetition.max.map_or(usize::MAX, |most| most as usize);
        let left = self.wanted.saturating_sub(self.text.len());
        let extra = most.saturating_sub(least).min(left);
        // The minimum and the maximum come up often.
        let more = match (self.pick)(4) {
            0 => 0,
            1 => extra,
            _ => (self.pick)(extra.saturating_add(1)).min(extra),
        };
        for done in 0..least.saturating_add(more) {
            if done >= least && self.text.len() >= self.wanted {
                break;
            }
            self.append_node(&repetition.sub);
        }
    }
}
