//! Matches of a regular expression, drawn branch by branch.
//!
//! Where each next character is drawn from all that can come next, a text of few hardly ever comes: in `pea|pan|[a-z]*` nearly
//! every letter leads away from `pea`. So the branches of the expression itself are drawn, each as often as its neighbours.

use regex_automata::util::syntax;
use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

/// What an expression is made of.
#[derive(Clone, Debug)]
pub(super) struct Branches {
    whole: Hir,
}

/// A text in the making.
struct Draft<'p> {
    text: Vec<u8>,
    /// About how long it is to be at most, where a repetition has no limit of its own.
    wanted: usize,
    /// Picks one of so many.
    pick: &'p mut dyn FnMut(usize) -> usize,
}

impl Branches {
    /// Parses an expression, which is a valid one; None if the parser of branches knows better.
    pub(super) fn of(text: &str) -> Option<Branches> {
        let config = syntax::Config::new().unicode(false).utf8(false);
        syntax::parse_with(text, &config).ok().map(|whole| Branches { whole })
    }

    /// Draws a text by the branches. It may be no match where the expression looks around itself.
    pub(super) fn draw(&self, wanted: usize, pick: &mut dyn FnMut(usize) -> usize) -> Vec<u8> {
        let mut draft = Draft { text: Vec::new(), wanted, pick };
        draft.add(&self.whole);
        draft.text
    }
}

impl Draft<'_> {
    fn add(&mut self, part: &Hir) {
        match part.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => self.text.extend_from_slice(&literal.0),
            HirKind::Class(class) => self.add_one_of(class),
            HirKind::Repetition(repetition) => self.repeat(repetition),
            HirKind::Capture(capture) => self.add(&capture.sub),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.add(part)),
            HirKind::Alternation(branches) => {
                let chosen = (self.pick)(branches.len());
                self.add(&branches[chosen.min(branches.len() - 1)]);
            }
        }
    }

    fn add_one_of(&mut self, class: &Class) {
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

    fn repeat(&mut self, repetition: &Repetition) {
        let least = repetition.min as usize;
        let most = repetition.max.map_or(usize::MAX, |most| most as usize);
        let left = self.wanted.saturating_sub(self.text.len());
        let extra = most.saturating_sub(least).min(left);
        // Often as few as can be, or as many.
        let more = match (self.pick)(4) {
            0 => 0,
            1 => extra,
            _ => (self.pick)(extra.saturating_add(1)).min(extra),
        };
        for done in 0..least.saturating_add(more) {
            if done >= least && self.text.len() >= self.wanted {
                break;
            }
            self.add(&repetition.sub);
        }
    }
}
