//! Regular expressions of whole tokens: whether a text matches, which lengths there are, and how to draw one.
//!
//! An expression is compiled once, by a library, to an automaton without choices. All that is asked of it follows from
//! two small tables: where each state goes with each visible character, and in which states a text may end.

use super::branches::Branches;
use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::util::start::Config;
use regex_automata::util::syntax;
use regex_automata::{Anchored, MatchKind};
use std::collections::HashMap;
use std::sync::Arc;

/// A regular expression that a whole token matches.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// As the format writes it.
    pub text: String,
    automaton: Arc<Automaton>,
    branches: Option<Arc<Branches>>,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.text == other.text
    }
}

impl Eq for Pattern {}

/// The characters that tokens are made of: a space, and the visible ones.
const FIRST: u8 = b' ';
const LAST: u8 = b'~';
const CHARACTERS: usize = (LAST - FIRST) as usize + 1;

/// No expression of a statement needs more states; larger ones are refused before they take memory.
const MOST_STATES: usize = 4096;
const MOST_BYTES: usize = 4 << 20;
/// A repetition is written out before it is made an automaton: `a{2,1000000000}` would be a billion states.
const MOST_NFA_BYTES: usize = 1 << 20;

#[derive(Debug)]
struct Automaton {
    /// For each state the next one by character; [`DEAD`] if nothing can follow that ends.
    next: Vec<[u16; CHARACTERS]>,
    /// The same without the characters: the states that can come next, each once.
    follows: Vec<Vec<u16>>,
    /// Whether a text may end in the state. State 0 is the first.
    ends: Vec<bool>,
    /// The fewest characters from the state to an end.
    least: Vec<usize>,
    /// The characters that occur at all, in order.
    letters: Vec<u8>,
    /// The most characters of a match; none if there is no limit.
    most: Option<usize>,
}

const DEAD: u16 = u16::MAX;

impl Pattern {
    /// Compiles an expression.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn new(text: &str) -> Result<Pattern, String> {
        let automaton = Automaton::compile(text)?;
        if automaton.next.is_empty() {
            return Err("no text of visible characters matches it".to_owned());
        }
        let branches = Branches::of(text).map(Arc::new);
        Ok(Pattern { text: text.to_owned(), automaton: Arc::new(automaton), branches })
    }

    /// Whether the whole text matches.
    pub fn matches(&self, text: &[u8]) -> bool {
        let mut state = 0;
        for byte in text {
            state = self.automaton.step(state, *byte);
            if state == DEAD {
                return false;
            }
        }
        self.automaton.ends[usize::from(state)]
    }

    /// The characters that matching texts are made of, in their order.
    pub fn letters(&self) -> &[u8] {
        &self.automaton.letters
    }

    /// The characters that a match can begin with.
    pub fn first_letters(&self) -> impl Iterator<Item = u8> + '_ {
        let row = &self.automaton.next[0];
        (FIRST..=LAST).zip(row).filter(|(_, next)| **next != DEAD).map(|(letter, _)| letter)
    }

    /// The length of the shortest match.
    pub fn least_length(&self) -> usize {
        self.automaton.least[0]
    }

    /// The length of the longest match; none if there is no limit.
    pub fn most_length(&self) -> Option<usize> {
        self.automaton.most
    }

    /// Returns the number of states of its automaton: a match of some length is drawn by a table of so many for each character.
    pub fn state_count(&self) -> usize {
        self.automaton.next.len()
    }

    /// Which lengths up to `most` some match has.
    pub fn lengths(&self, most: usize) -> Vec<bool> {
        let mut states = vec![false; self.automaton.next.len()];
        states[0] = true;
        let mut found = Vec::with_capacity(most + 1);
        for _ in 0..=most {
            found.push(states.iter().zip(&self.automaton.ends).any(|(here, ends)| *here && *ends));
            states = self.automaton.after(&states);
        }
        found
    }

    /// A match by the branches of the expression, of about `wanted` characters where it leaves that open. None if what was
    /// drawn is no match.
    pub fn draw_branch(&self, wanted: usize, pick: &mut dyn FnMut(usize) -> usize) -> Option<Vec<u8>> {
        let text = self.branches.as_ref()?.draw(wanted, pick);
        self.matches(&text).then_some(text)
    }

    /// A match of exactly `length` characters: `pick` is given how many characters could come next and picks one of
    /// them. None if no match has that length.
    pub fn draw(&self, length: usize, pick: &mut dyn FnMut(usize) -> usize) -> Option<Vec<u8>> {
        let automaton = &*self.automaton;
        // reach[k][state]: whether an end is exactly k characters away.
        let mut reach: Vec<Vec<bool>> = vec![automaton.ends.clone()];
        for k in 0..length {
            let far = |row: &Vec<u16>| row.iter().any(|s| reach[k][usize::from(*s)]);
            let next = automaton.follows.iter().map(far).collect();
            reach.push(next);
        }
        if !reach[length][0] {
            return None;
        }
        let mut state = 0;
        let mut text = Vec::with_capacity(length);
        for left in (0..length).rev() {
            let fits = |s: &u16| *s != DEAD && reach[left][usize::from(*s)];
            let row = &automaton.next[usize::from(state)];
            let choices: Vec<usize> = (0..CHARACTERS).filter(|c| fits(&row[*c])).collect();
            let chosen = choices[pick(choices.len()).min(choices.len() - 1)];
            text.push(FIRST + chosen as u8);
            state = row[chosen];
        }
        Some(text)
    }
}

impl Automaton {
    fn compile(text: &str) -> Result<Automaton, String> {
        let config = dense::Config::new()
            .start_kind(StartKind::Anchored)
            .match_kind(MatchKind::All)
            .dfa_size_limit(Some(MOST_BYTES))
            .determinize_size_limit(Some(MOST_BYTES));
        let whole = format!("(?:{text})\\z");
        let dfa = dense::Builder::new()
            .configure(config)
            .thompson(thompson::Config::new().nfa_size_limit(Some(MOST_NFA_BYTES)))
            .syntax(syntax::Config::new().unicode(false).utf8(false))
            .build(&whole)
            .map_err(|error| first_line(&error))?;
        let start = dfa.start_state(&Config::new().anchored(Anchored::Yes)).map_err(|error| error.to_string())?;
        let mut table = Table { numbers: HashMap::new(), states: Vec::new() };
        table.number(start);
        let mut next: Vec<[u16; CHARACTERS]> = Vec::new();
        let mut ends = Vec::new();
        while next.len() < table.states.len() {
            if table.states.len() > MOST_STATES {
                return Err("it is too large".to_owned());
            }
            let state = table.states[next.len()];
            ends.push(dfa.is_match_state(dfa.next_eoi_state(state)));
            let mut row = [DEAD; CHARACTERS];
            for (place, byte) in row.iter_mut().zip(FIRST..=LAST) {
                let target = dfa.next_state(state, byte);
                if !dfa.is_dead_state(target) && !dfa.is_quit_state(target) {
                    *place = table.number(target);
                }
            }
            next.push(row);
        }
        Ok(Automaton::trimmed(next, ends))
    }

    /// Without the states from which no text ends.
    fn trimmed(mut next: Vec<[u16; CHARACTERS]>, ends: Vec<bool>) -> Automaton {
        let least = least_lengths(&next, &ends);
        let mut letters = Vec::new();
        for row in &mut next {
            for (place, byte) in row.iter_mut().zip(FIRST..=LAST) {
                if *place != DEAD && least[usize::from(*place)] == usize::MAX {
                    *place = DEAD;
                }
                if *place != DEAD && !letters.contains(&byte) {
                    letters.push(byte);
                }
            }
        }
        if least.first().is_none_or(|l| *l == usize::MAX) {
            return Automaton { next: Vec::new(), follows: Vec::new(), ends, least, letters, most: None };
        }
        letters.sort_unstable_by_key(|l| (order_of(*l), *l));
        let follows = next.iter().map(followers).collect();
        let mut automaton = Automaton { next, follows, ends, least, letters, most: None };
        automaton.most = automaton.longest();
        automaton
    }

    fn step(&self, state: u16, byte: u8) -> u16 {
        match byte {
            FIRST..=LAST => self.next[usize::from(state)][usize::from(byte - FIRST)],
            _ => DEAD,
        }
    }

    fn after(&self, states: &[bool]) -> Vec<bool> {
        let mut next = vec![false; states.len()];
        for (row, _) in self.follows.iter().zip(states).filter(|(_, here)| **here) {
            row.iter().for_each(|s| next[usize::from(*s)] = true);
        }
        next
    }

    /// Without a limit, some text is as long as there are states, and goes in a circle.
    fn longest(&self) -> Option<usize> {
        let mut states = vec![false; self.next.len()];
        states[0] = true;
        let mut longest = 0;
        for length in 0..=self.next.len() {
            if !states.contains(&true) {
                return Some(longest);
            }
            longest = length;
            states = self.after(&states);
        }
        None
    }
}

/// The states that a row leads to, each once.
fn followers(row: &[u16; CHARACTERS]) -> Vec<u16> {
    let mut found: Vec<u16> = row.iter().copied().filter(|s| *s != DEAD).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The library's states, numbered in the order in which they are met.
struct Table {
    numbers: HashMap<StateID, u16>,
    states: Vec<StateID>,
}

impl Table {
    fn number(&mut self, state: StateID) -> u16 {
        let fresh = self.states.len().min(usize::from(DEAD) - 1) as u16;
        let number = *self.numbers.entry(state).or_insert(fresh);
        if number == fresh && self.states.len() == usize::from(fresh) {
            self.states.push(state);
        }
        number
    }
}

/// For each state the fewest characters to an end; `usize::MAX` if there is none.
fn least_lengths(next: &[[u16; CHARACTERS]], ends: &[bool]) -> Vec<usize> {
    let mut least: Vec<usize> = ends.iter().map(|ends| if *ends { 0 } else { usize::MAX }).collect();
    loop {
        let mut changed = false;
        for state in (0..next.len()).rev() {
            let nearest = next[state].iter().filter(|s| **s != DEAD).map(|s| least[usize::from(*s)]).min();
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

/// Letters are simpler than digits, and those than signs; so `a` and `A` come first.
fn order_of(letter: u8) -> u8 {
    match letter {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    }
}

/// The library's message without the picture of the expression, which would show what was put around it.
fn first_line(error: &dense::BuildError) -> String {
    let mut text = String::new();
    let mut source: Option<&dyn std::error::Error> = Some(error);
    while let Some(inner) = source {
        text = inner.to_string();
        source = inner.source();
    }
    let said = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it cannot be compiled").trim();
    said.strip_prefix("error: ").unwrap_or(said).to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn whole_texts_match() {
        let time = Pattern::new("([01][0-9]|2[0-3]):[0-5][0-9]").unwrap();
        assert!(time.matches(b"23:59") && time.matches(b"00:00"));
        assert!(!time.matches(b"24:00") && !time.matches(b"23:59 ") && !time.matches(b"3:59"));
        assert_eq!((time.least_length(), time.most_length()), (5, Some(5)));
        let either = Pattern::new("a|ab|abc").unwrap();
        assert!(either.matches(b"a") && either.matches(b"ab") && either.matches(b"abc") && !either.matches(b""));
    }

    #[test]
    fn lengths_and_letters() {
        let pairs = Pattern::new("(ab)*c?").unwrap();
        assert_eq!(pairs.lengths(5), [true; 6]);
        let pairs = Pattern::new("(ab)*").unwrap();
        assert_eq!(pairs.lengths(4), [true, false, true, false, true]);
        assert_eq!(pairs.most_length(), None);
        assert_eq!(pairs.letters(), b"ab");
    }

    #[test]
    fn draws_only_matches_of_the_length() {
        let number = Pattern::new("-?[1-9][0-9]*|0").unwrap();
        for length in 1..6 {
            let mut seed = 7_usize;
            let mut pick = |n: usize| {
                seed = seed.wrapping_mul(25_214_903_917).wrapping_add(11);
                (seed >> 16) % n
            };
            for _ in 0..50 {
                let text = number.draw(length, &mut pick).unwrap();
                assert!(text.len() == length && number.matches(&text), "{}", String::from_utf8_lossy(&text));
            }
        }
        assert_eq!(Pattern::new("(ab)*").unwrap().draw(3, &mut |_| 0), None);
    }

    #[test]
    fn every_branch_is_drawn() {
        let pattern = Pattern::new("pea|pan|[a-z]*").unwrap();
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
        assert!(Pattern::new("(a").unwrap_err().contains("unclosed group"));
        assert!(Pattern::new("[^ -~]").is_err());
        assert!(Pattern::new("(a{1000}){1000}").is_err());
        assert!(Pattern::new("a{2,2147483647}b+").is_err());
    }
}
