//! Regular expressions that match whole tokens: matching, possible lengths, and drawing of matches.
//!
//! An expression is compiled once to a DFA by `regex_automata`. All operations use two small tables: the transitions
//! of each state by printable character, and the accepting states.

use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::util::start::Config;
use regex_automata::util::syntax;
use regex_automata::{Anchored, MatchKind};
use regex_syntax::hir::{Class, Hir, HirKind, Repetition};
use std::collections::HashMap;
use std::sync::Arc;

/// A regular expression that must match a whole token.
#[derive(Clone, Debug)]
pub struct TokenPattern {
    /// The expression as written in the format.
    pub text: String,
    automaton: Arc<PatternAutomaton>,
    branches: Option<Arc<RegexBranches>>,
}

impl PartialEq for TokenPattern {
    fn eq(&self, other: &TokenPattern) -> bool {
        self.text == other.text
    }
}

impl Eq for TokenPattern {}

/// The characters that tokens consist of: space and printable ASCII.
const FIRST_CHARACTER: u8 = b' ';

const LAST_CHARACTER: u8 = b'~';

const CHARACTER_COUNT: usize = (LAST_CHARACTER - FIRST_CHARACTER) as usize + 1;

/// Maximum number of DFA states. No statement's expression needs more; larger ones are rejected before they use
/// memory.
const MAX_STATES: usize = 4096;

const MAX_DFA_BYTES: usize = 4 << 20;

/// Repetitions are expanded before the automaton is built: `a{2,1000000000}` would be a billion states.
const MAX_NFA_BYTES: usize = 1 << 20;

#[derive(Debug)]
struct PatternAutomaton {
    /// The transitions of each state by character; [`DEAD_STATE`] if no match can follow.
    next: Vec<[u16; CHARACTER_COUNT]>,
    /// The distinct successors of each state.
    successors: Vec<Vec<u16>>,
    /// True for accepting states. State 0 is the start state.
    accepting: Vec<bool>,
    /// Minimum number of characters from each state to an accepting state.
    min_lengths: Vec<usize>,
    /// The characters that occur in matches, sorted.
    letters: Vec<u8>,
    /// Length of the longest match, or `None` if it is unbounded.
    max_length: Option<usize>,
}

const DEAD_STATE: u16 = u16::MAX;

impl TokenPattern {
    /// Compiles an expression.
    ///
    /// # Errors
    /// Returns the reason if the expression is invalid, too large or matches nothing.
    pub fn new(text: &str) -> Result<TokenPattern, String> {
        let automaton = PatternAutomaton::compile_pattern(text)?;
        if automaton.next.is_empty() {
            return Err("it matches no text of printable characters".to_owned());
        }
        let branches = RegexBranches::parse_regex(text).map(Arc::new);
        Ok(TokenPattern { text: text.to_owned(), automaton: Arc::new(automaton), branches })
    }

    /// Returns true if the whole text matches.
    pub fn is_match(&self, text: &[u8]) -> bool {
        let mut state = 0;
        for byte in text {
            state = self.automaton.next_state(state, *byte);
            if state == DEAD_STATE {
                return false;
            }
        }
        self.automaton.accepting[usize::from(state)]
    }

    /// Returns the characters that matching texts consist of, in order of simplicity.
    pub fn alphabet(&self) -> &[u8] {
        &self.automaton.letters
    }

    /// Returns the characters that a match can begin with.
    pub fn first_letters(&self) -> impl Iterator<Item = u8> + '_ {
        let row = &self.automaton.next[0];
        (FIRST_CHARACTER..=LAST_CHARACTER).zip(row).filter(|(_, next)| **next != DEAD_STATE).map(|(letter, _)| letter)
    }

    /// Returns the length of the shortest match.
    pub fn min_length(&self) -> usize {
        self.automaton.min_lengths[0]
    }

    /// Returns the length of the longest match, or `None` if it is unbounded.
    pub fn max_length(&self) -> Option<usize> {
        self.automaton.max_length
    }

    /// Returns the number of DFA states: drawing a match takes a table with as many entries per character.
    pub fn state_count(&self) -> usize {
        self.automaton.next.len()
    }

    /// Returns the flags of the lengths up to `most` that a match can have.
    pub fn possible_lengths(&self, most: usize) -> Vec<bool> {
        let mut states = vec![false; self.automaton.next.len()];
        states[0] = true;
        let mut found = Vec::with_capacity(most + 1);
        for _ in 0..=most {
            found.push(states.iter().zip(&self.automaton.accepting).any(|(here, ends)| *here && *ends));
            states = self.automaton.next_states(&states);
        }
        found
    }

    /// Draws a match branch by branch, of about `wanted` characters where the expression leaves the length open.
    /// Returns `None` if the drawn text does not match.
    pub fn draw_branch(&self, wanted: usize, pick: &mut dyn FnMut(usize) -> usize) -> Option<Vec<u8>> {
        let text = self.branches.as_ref()?.sample_text(wanted, pick);
        self.is_match(&text).then_some(text)
    }

    /// Draws a match of exactly `length` characters: `pick` receives the number of possible next characters and
    /// chooses one of them. Returns `None` if no match has that length.
    pub fn draw_match(&self, length: usize, pick: &mut dyn FnMut(usize) -> usize) -> Option<Vec<u8>> {
        let automaton = &*self.automaton;
        // reach[k][state]: true if an accepting state is exactly k characters away.
        let mut reach: Vec<Vec<bool>> = vec![automaton.accepting.clone()];
        for k in 0..length {
            let far = |row: &Vec<u16>| row.iter().any(|s| reach[k][usize::from(*s)]);
            let next = automaton.successors.iter().map(far).collect();
            reach.push(next);
        }
        if !reach[length][0] {
            return None;
        }
        let mut state = 0;
        let mut text = Vec::with_capacity(length);
        for left in (0..length).rev() {
            let fits = |s: &u16| *s != DEAD_STATE && reach[left][usize::from(*s)];
            let row = &automaton.next[usize::from(state)];
            let choices: Vec<usize> = (0..CHARACTER_COUNT).filter(|c| fits(&row[*c])).collect();
            let chosen = choices[pick(choices.len()).min(choices.len() - 1)];
            text.push(FIRST_CHARACTER + chosen as u8);
            state = row[chosen];
        }
        Some(text)
    }
}

impl PatternAutomaton {
    fn compile_pattern(text: &str) -> Result<PatternAutomaton, String> {
        let config = dense::Config::new()
            .start_kind(StartKind::Anchored)
            .match_kind(MatchKind::All)
            .dfa_size_limit(Some(MAX_DFA_BYTES))
            .determinize_size_limit(Some(MAX_DFA_BYTES));
        let whole = format!("(?:{text})\\z");
        let dfa = dense::Builder::new()
            .configure(config)
            .thompson(thompson::Config::new().nfa_size_limit(Some(MAX_NFA_BYTES)))
            .syntax(syntax::Config::new().unicode(false).utf8(false))
            .build(&whole)
            .map_err(|error| compile_error_message(&error))?;
        let start = dfa.start_state(&Config::new().anchored(Anchored::Yes)).map_err(|error| error.to_string())?;
        let mut table = StateNumbering { numbers: HashMap::new(), states: Vec::new() };
        table.number_of(start);
        let mut next: Vec<[u16; CHARACTER_COUNT]> = Vec::new();
        let mut ends = Vec::new();
        while next.len() < table.states.len() {
            if table.states.len() > MAX_STATES {
                return Err("it is too large".to_owned());
            }
            let state = table.states[next.len()];
            ends.push(dfa.is_match_state(dfa.next_eoi_state(state)));
            let mut row = [DEAD_STATE; CHARACTER_COUNT];
            for (place, byte) in row.iter_mut().zip(FIRST_CHARACTER..=LAST_CHARACTER) {
                let target = dfa.next_state(state, byte);
                if !dfa.is_dead_state(target) && !dfa.is_quit_state(target) {
                    *place = table.number_of(target);
                }
            }
            next.push(row);
        }
        Ok(PatternAutomaton::from_transitions(next, ends))
    }

    /// Builds the automaton without the states that cannot reach an accepting state.
    fn from_transitions(mut next: Vec<[u16; CHARACTER_COUNT]>, ends: Vec<bool>) -> PatternAutomaton {
        let least = distances_to_end(&next, &ends);
        let mut letters = Vec::new();
        for row in &mut next {
            for (place, byte) in row.iter_mut().zip(FIRST_CHARACTER..=LAST_CHARACTER) {
                if *place != DEAD_STATE && least[usize::from(*place)] == usize::MAX {
                    *place = DEAD_STATE;
                }
                if *place != DEAD_STATE && !letters.contains(&byte) {
                    letters.push(byte);
                }
            }
        }
        if least.first().is_none_or(|l| *l == usize::MAX) {
            return PatternAutomaton {
                next: Vec::new(),
                successors: Vec::new(),
                accepting: ends,
                min_lengths: least,
                letters,
                max_length: None,
            };
        }
        letters.sort_unstable_by_key(|l| (letter_rank(*l), *l));
        let follows = next.iter().map(successor_states).collect();
        let mut automaton = PatternAutomaton {
            next,
            successors: follows,
            accepting: ends,
            min_lengths: least,
            letters,
            max_length: None,
        };
        automaton.max_length = automaton.longest_match();
        automaton
    }

    fn next_state(&self, state: u16, byte: u8) -> u16 {
        match byte {
            FIRST_CHARACTER..=LAST_CHARACTER => self.next[usize::from(state)][usize::from(byte - FIRST_CHARACTER)],
            _ => DEAD_STATE,
        }
    }

    fn next_states(&self, states: &[bool]) -> Vec<bool> {
        let mut next = vec![false; states.len()];
        for (row, _) in self.successors.iter().zip(states).filter(|(_, here)| **here) {
            row.iter().for_each(|s| next[usize::from(*s)] = true);
        }
        next
    }

    /// Returns the length of the longest match, or `None` if a text can visit as many states as there are, and so
    /// contains a cycle.
    fn longest_match(&self) -> Option<usize> {
        let mut states = vec![false; self.next.len()];
        states[0] = true;
        let mut longest = 0;
        for length in 0..=self.next.len() {
            if !states.contains(&true) {
                return Some(longest);
            }
            longest = length;
            states = self.next_states(&states);
        }
        None
    }
}

fn successor_states(row: &[u16; CHARACTER_COUNT]) -> Vec<u16> {
    let mut found: Vec<u16> = row.iter().copied().filter(|s| *s != DEAD_STATE).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Numbers the library's states in order of discovery.
struct StateNumbering {
    numbers: HashMap<StateID, u16>,
    states: Vec<StateID>,
}

impl StateNumbering {
    fn number_of(&mut self, state: StateID) -> u16 {
        let fresh = self.states.len().min(usize::from(DEAD_STATE) - 1) as u16;
        let number = *self.numbers.entry(state).or_insert(fresh);
        if number == fresh && self.states.len() == usize::from(fresh) {
            self.states.push(state);
        }
        number
    }
}

/// Returns the minimum number of characters from each state to an accepting state, or `usize::MAX` if none is
/// reachable.
fn distances_to_end(next: &[[u16; CHARACTER_COUNT]], ends: &[bool]) -> Vec<usize> {
    let mut least: Vec<usize> = ends.iter().map(|ends| if *ends { 0 } else { usize::MAX }).collect();
    loop {
        let mut changed = false;
        for state in (0..next.len()).rev() {
            let nearest = next[state].iter().filter(|s| **s != DEAD_STATE).map(|s| least[usize::from(*s)]).min();
            let through = nearest.unwrap_or(usize::MAX).saturating_add(1);
            if through < least[state] {
                least[state] = through;
                changed = true;
            }
        }
        if !changed {
            return least;
        }
    }
}

/// Orders characters by simplicity: letters before digits before punctuation, so `a` and `A` come first.
fn letter_rank(letter: u8) -> u8 {
    match letter {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    }
}

/// Returns the library's message without its picture of the expression, which would show our wrapping of it.
fn compile_error_message(error: &dense::BuildError) -> String {
    let mut text = String::new();
    let mut source: Option<&dyn std::error::Error> = Some(error);
    while let Some(inner) = source {
        text = inner.to_string();
        source = inner.source();
    }
    let reason = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it cannot be compiled").trim();
    reason.strip_prefix("error: ").unwrap_or(reason).to_owned()
}

// Drawing of matches of a regular expression, branch by branch.
//
// If every next character is drawn from all possible ones, short alternatives hardly ever come up: in
// `pea|pan|[a-z]*` almost every letter leads away from `pea`. So the branches of the expression itself are drawn,
// each with the same probability.

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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn whole_texts_match() {
        let time = TokenPattern::new("([01][0-9]|2[0-3]):[0-5][0-9]").unwrap();
        assert!(time.is_match(b"23:59") && time.is_match(b"00:00"));
        assert!(!time.is_match(b"24:00") && !time.is_match(b"23:59 ") && !time.is_match(b"3:59"));
        assert_eq!((time.min_length(), time.max_length()), (5, Some(5)));
        let either = TokenPattern::new("a|ab|abc").unwrap();
        assert!(either.is_match(b"a") && either.is_match(b"ab") && either.is_match(b"abc") && !either.is_match(b""));
    }

    #[test]
    fn lengths_and_letters() {
        let pairs = TokenPattern::new("(ab)*c?").unwrap();
        assert_eq!(pairs.possible_lengths(5), [true; 6]);
        let pairs = TokenPattern::new("(ab)*").unwrap();
        assert_eq!(pairs.possible_lengths(4), [true, false, true, false, true]);
        assert_eq!(pairs.max_length(), None);
        assert_eq!(pairs.alphabet(), b"ab");
    }

    #[test]
    fn draws_only_matches_of_the_length() {
        let number = TokenPattern::new("-?[1-9][0-9]*|0").unwrap();
        for length in 1..6 {
            let mut seed = 7_usize;
            let mut pick = |n: usize| {
                seed = seed.wrapping_mul(25_214_903_917).wrapping_add(11);
                (seed >> 16) % n
            };
            for _ in 0..50 {
                let text = number.draw_match(length, &mut pick).unwrap();
                assert!(text.len() == length && number.is_match(&text), "{}", String::from_utf8_lossy(&text));
            }
        }
        assert_eq!(TokenPattern::new("(ab)*").unwrap().draw_match(3, &mut |_| 0), None);
    }

    #[test]
    fn every_branch_is_drawn() {
        let pattern = TokenPattern::new("pea|pan|[a-z]*").unwrap();
        let mut seed = 7_usize;
        let mut pick = |n: usize| {
            seed = seed.wrapping_mul(25_214_903_917).wrapping_add(11);
            (seed >> 16) % n
        };
        let drawn: Vec<Vec<u8>> = (0..60).filter_map(|_| pattern.draw_branch(6, &mut pick)).collect();
        assert!(drawn.len() == 60 && drawn.contains(&b"pea".to_vec()) && drawn.contains(&b"pan".to_vec()));
        assert!(drawn.iter().any(|text| text.len() > 3) && drawn.iter().all(|text| text.len() <= 6), "{drawn:?}");
    }

    #[test]
    fn bad_expressions_are_refused_in_words() {
        assert!(TokenPattern::new("(a").unwrap_err().contains("unclosed group"));
        assert!(TokenPattern::new("[^ -~]").is_err());
        assert!(TokenPattern::new("(a{1000}){1000}").is_err());
        assert!(TokenPattern::new("a{2,2147483647}b+").is_err());
    }
}
