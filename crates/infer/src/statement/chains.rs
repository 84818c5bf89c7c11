//! Comparison chains in the tokens of a statement: `1 <= n, m <= 10^5`.

use super::phrases::phrase_end;
use super::tokens::{Token, is_word, is_word_at};
use crate::layout::add_offset;
use rebut_format::syntax::{ComparisonChain, SyntaxTerm, SyntaxTermKind};

/// Returns the name of the field that a name with subscript denotes, and whether it is an element of a sequence: `a_i`
/// is an element of `a`, but `x_1` a number of its own unless `x_n` or `x_i` make it a sequence, and so are `p_a` and `p_b`.
pub(super) fn field_name(name: &str, subscript: Option<&str>, tokens: &[Token]) -> (String, bool) {
    /// Letters that count elements.
    const INDICES: &[&str] = &["i", "j", "k", "l", "n", "m", "N", "M", "K", "T"];
    let clean = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    let Some(subscript) = subscript else { return (clean(name), false) };
    let is_label = |subscript: &str| {
        let is_number = subscript.bytes().all(|b| b.is_ascii_digit());
        let is_word = subscript.bytes().all(|b| b.is_ascii_alphabetic()) && !INDICES.contains(&subscript);
        !subscript.is_empty() && (is_number || is_word)
    };
    let is_element = |token: &Token| token.element().is_some_and(|(other, index)| other == name && !is_label(index));
    match is_label(subscript) && !tokens.iter().any(is_element) {
        true => (clean(name) + &clean(subscript), false),
        false => (clean(name), true),
    }
}

/// Returns the name of the field that a token denotes.
pub(super) fn name_of_token(token: &Token, tokens: &[Token]) -> Option<String> {
    let Token::Name { name, subscript } = token else { return None };
    Some(field_name(name, subscript.as_deref(), tokens).0).filter(|name| !name.is_empty())
}

/// Returns the comparisons in some tokens, each with both terms understood as a whole. `text` are the tokens of the whole text.
pub(super) fn find_chains(tokens: &[Token], text: &[Token]) -> Vec<ComparisonChain> {
    find_terms(tokens, text).into_iter().filter(|(_, is_open)| !is_open).map(|(chain, _)| chain).collect()
}

/// Returns true if some tokens have a comparison with a term that is not understood as a whole: `a + b! <= c`, `(x, y) != (0, 0)`.
pub(super) fn has_open_term(tokens: &[Token], text: &[Token]) -> bool {
    let found = find_terms(tokens, text);
    let read: usize = found.iter().filter(|(_, is_open)| !is_open).map(|(chain, _)| chain.signs.len()).sum();
    let is_operand = |token: Option<&Token>| match token {
        Some(Token::Sign(sign)) => matches!(sign, '(' | ')' | '|'),
        other => matches!(other, Some(Token::Name { .. } | Token::Number(_))),
    };
    let is_compared = |at: &usize| {
        matches!(tokens[*at], Token::Comparison(_))
            && is_operand(at.checked_sub(1).map(|before| &tokens[before]))
            && is_operand(tokens.get(at + 1))
    };
    found.iter().any(|(_, is_open)| *is_open) || (0..tokens.len()).filter(is_compared).count() > read
}

/// Returns the comparisons in some tokens, and whether the first or last term of each is a part of a longer one.
fn find_terms(tokens: &[Token], text: &[Token]) -> Vec<(ComparisonChain, bool)> {
    let is_joined = |token: Option<&Token>| match token {
        Some(Token::Sign('*' | '+' | '/' | '%' | '^' | '-' | '!')) => true,
        Some(Token::Word(word)) => matches!(word.as_str(), "mod" | "gcd" | "xor"),
        _ => false,
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let mut parser = TermParser::new(tokens, text, at);
        let chain = parser.read_chain();
        let end = parser.at.max(at + 1);
        let own = &tokens[at..end.min(tokens.len())];
        let is_stepwise = is_stepwise(own, text);
        let chain = match is_stepwise {
            true => TermParser { keeps_places: true, ..TermParser::new(tokens, text, at) }.read_chain(),
            false => chain,
        };
        let before = tokens[..at].last();
        let begins_inside = is_joined(before)
            || before == Some(&Token::Sign(')'))
            || tokens[..at].ends_with(&["sum", "of"].map(|word| Token::Word(word.to_owned())));
        // A dash may follow a formula, and `2^n` is compared with nothing that is read.
        let ends_inside = is_joined(tokens.get(end)) && tokens.get(end) != Some(&Token::Sign('-'))
            || matches!(tokens.get(end), Some(Token::Comparison(sign)) if *sign != "=");
        let is_open = begins_inside || ends_inside || !is_stepwise && is_about_places(own, text);
        found.extend(chain.map(|chain| (chain, is_open)));
        at = end;
    }
    found
}

/// Splits the index of an element beside a variable place: `i+1`.
pub(crate) fn split_step(index: &str) -> Option<(String, i128)> {
    let index = index.replace(' ', "");
    let end = index.find(['+', '-']).unwrap_or(index.len());
    let offset = if end == index.len() { Some(0) } else { index[end..].parse().ok() };
    let is_variable = matches!(&index[..end], "i" | "j" | "k" | "l");
    Some((index[..end].to_owned(), offset?)).filter(|(_, offset)| is_variable && (-9..=9).contains(offset))
}

/// Returns true for a comparison of elements at places beside each other, of which each is a sequence: `a_i != a_{i+1}`.
fn is_stepwise(tokens: &[Token], text: &[Token]) -> bool {
    let elements = tokens.iter().filter_map(Token::element);
    let mut steps: Vec<(String, i128)> = Vec::new();
    for (name, index) in elements {
        let Some(step) = split_step(index).filter(|_| field_name(name, Some(index), text).1) else { return false };
        steps.push(step);
    }
    let is_beside = |step: &(String, i128)| step.0 == steps[0].0 && step.1 != steps[0].1;
    steps.iter().all(|step| step.0 == steps[0].0) && steps.iter().any(is_beside)
}

/// Returns true for a comparison about elements at certain places, such as `a_1 = 0` or `a_i != i`: it holds for no others.
fn is_about_places(tokens: &[Token], text: &[Token]) -> bool {
    let element =
        |at: Option<usize>| tokens.get(at?)?.element().filter(|(name, index)| field_name(name, Some(index), text).1);
    let is_other = |token: &Token, name: &str, index: &str| {
        token.element().is_some_and(|(other, place)| other == name && place != index)
    };
    let is_place = |token: &Token| matches!(token.plain_text(), Some("i" | "j" | "k" | "l"));
    (0..tokens.len()).any(|at| {
        let mut beside = [at.checked_sub(1), Some(at + 1)].into_iter().filter_map(element);
        match tokens[at] {
            Token::Comparison("!=" | ">" | ">=") if tokens[at + 1..].iter().any(is_place) => {
                beside.any(|(_, index)| split_step(index).is_some())
            }
            Token::Comparison("=" | "!=") => {
                beside.any(|(_, index)| !index.split(',').all(|index| matches!(index.trim(), "i" | "j" | "k" | "l")))
            }
            Token::Sign('+' | '-' | '*') => {
                beside.any(|(name, index)| tokens.iter().any(|token| is_other(token, name, index)))
            }
            _ => false,
        }
    })
}

/// Returns the bounds of sums over all test cases, each with the term that is summed.
pub(super) fn find_sums(tokens: &[Token]) -> Vec<(SyntaxTerm, SyntaxTerm)> {
    /// Maximum number of tokens from the word to the term, and from there to the bound.
    const MAX_DISTANCE: [usize; 2] = [6, 24];
    let mut found: Vec<(SyntaxTerm, SyntaxTerm)> = Vec::new();
    // The place of a number that follows two sums: which of them it bounds is open.
    let mut disputed = None;
    for at in 0..tokens.len() {
        let Some(after) = phrase_end(tokens, at, "sum") else { continue };
        let is_name = |place: &usize| tokens.get(*place).is_some_and(|token| token.name().is_some());
        // In some languages, the word comes after the term.
        let before = (at.saturating_sub(2)..at).find(is_name);
        let next = (after..after + MAX_DISTANCE[0]).find(is_name);
        let is_behind = matches!(&tokens[at], Token::Word(word) if !word.is_ascii()) && before.is_some();
        let first = if is_behind { before } else { next };
        let Some(first) = first else { continue };
        let Some((term, end)) = TermParser::read_sum_at(tokens, first) else { continue };
        let is_number = |place: &usize| matches!(tokens.get(*place), Some(Token::Number(_)));
        let place = (end..end + MAX_DISTANCE[1]).find(is_number);
        let rest = end.max(after);
        let between = &tokens[rest.min(place.unwrap_or(rest))..place.unwrap_or(rest)];
        let other = (0..between.len()).find(|at| phrase_end(between, *at, "sum").is_some());
        let is_joint = |token: &Token| is_word(token, &["and", "nor", "the"]);
        let has_two = place.is_some_and(|place| is_word_at(tokens, place + 1, &["and"]));
        if other.is_some_and(|other| other == 0 || has_two || !between[..other].iter().all(is_joint)) {
            disputed = place;
        }
        // A number that something else is compared with is no bound.
        let is_bound = |place: usize| {
            let between = &tokens[rest.min(place)..place];
            let compared = between.iter().filter(|token| matches!(token, Token::Comparison(_))).count();
            compared == 0 || compared == 1 && matches!(between.last(), Some(Token::Comparison("<" | "<=")))
        };
        let place = place.filter(|place| disputed != Some(*place) && is_bound(*place));
        let bound = place.and_then(|place| TermParser::read_sum_at(tokens, place));
        let bound = bound.filter(|(bound, _)| bound.constant_value().is_some());
        found.extend(
            bound.map(|(bound, _)| (term.clone(), bound)).filter(|_| found.iter().all(|(known, _)| *known != term)),
        );
    }
    found
}

/// Returns the numbers of things in a text, `n` of `n integers`, and once for each mention those of `the next n lines`.
pub(super) fn stated_counts(tokens: &[Token]) -> [Vec<SyntaxTerm>; 2] {
    /// Maximum number of words between a number and its noun.
    const MAX_WORDS: usize = 3;
    let (mut counts, mut next): (Vec<SyntaxTerm>, Vec<SyntaxTerm>) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        let is_factor = matches!(tokens[at..], [Token::Number(_), Token::Name { .. } | Token::Sign('('), ..]);
        let Some((term, after)) = TermParser::read_sum_at(tokens, at + usize::from(is_factor)) else {
            at += 1;
            continue;
        };
        let term = match (&tokens[at], is_factor) {
            (Token::Number(factor), true) => SyntaxTerm::from_number(*factor).into_operation("*", term),
            _ => term,
        };
        let is_word = |place: &usize| matches!(tokens.get(*place), Some(Token::Word(_) | Token::Sign('-')));
        let mut words = (after..after + MAX_WORDS).take_while(is_word);
        let counts_things = words.any(|place| phrase_end(tokens, place, "thing").is_some());
        if counts_things && term.constant_value().is_none() {
            let is_next = at > 0 && phrase_end(tokens, at - 1, "next").is_some();
            next.extend((is_next && phrase_end(tokens, after, "line").is_some()).then(|| term.clone()));
            counts.extend((!counts.contains(&term)).then_some(term));
        }
        at = after;
    }
    [counts, next]
}

/// Reads terms from tokens.
pub(super) struct TermParser<'t> {
    tokens: &'t [Token],
    /// The tokens of the whole text, to distinguish sequences from single names.
    text: &'t [Token],
    at: usize,
    /// The position that no term goes beyond.
    end: usize,
    /// The number of brackets and signs around the current term.
    depth: usize,
    /// True if elements are read as `a[i]`, otherwise as `a`, which stands for all of them.
    keeps_places: bool,
}

/// Maximum number of brackets and signs around a term.
const MAX_DEPTH: usize = 16;

/// Maximum number of terms in a list, and of operations of one precedence.
const MAX_LISTED: usize = 24;

/// Maximum number of tokens of the terms that are read from one place.
const MAX_TERM_TOKENS: usize = 200;

impl TermParser<'_> {
    fn new<'t>(tokens: &'t [Token], text: &'t [Token], at: usize) -> TermParser<'t> {
        TermParser { tokens, text, at, end: at + MAX_TERM_TOKENS, depth: 0, keeps_places: false }
    }

    /// Reads something, or stays where it is.
    fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.at;
        let found = read(self);
        self.at = if found.is_some() { self.at } else { before };
        found
    }

    fn read_chain(&mut self) -> Option<ComparisonChain> {
        let mut chain = ComparisonChain::from_list(self.read_list(true)?);
        while let Some(Token::Comparison(sign)) = self.tokens.get(self.at) {
            // A third list ends the chain: `1 <= a, b <= n, a != b` has two chains, and so has `a != b, c <= n`.
            let is_bound = chain.signs.is_empty() && *sign != "!=";
            let list = self.attempt(|parser| {
                parser.at += 1;
                parser.read_list(is_bound)
            });
            let Some(list) = list else { break };
            chain = chain.followed_by(sign, list);
        }
        (!chain.signs.is_empty()).then_some(chain)
    }

    /// Reads the sum that begins at a token, and returns it with the position after it.
    pub(super) fn read_sum_at(tokens: &[Token], at: usize) -> Option<(SyntaxTerm, usize)> {
        let mut parser = TermParser::new(tokens, tokens, at);
        Some((parser.read_sum()?, parser.at))
    }

    /// Reads a list of terms, or a constant. If not `is_compared`, a term before a comparison begins another chain.
    fn read_list(&mut self, is_compared: bool) -> Option<Vec<SyntaxTerm>> {
        let mut list = vec![self.read_sum()?];
        let is_constant = |term: &SyntaxTerm| term.constant_value().is_some();
        while list.len() < MAX_LISTED && !list.last().is_some_and(is_constant) {
            let next = self.attempt(|parser| {
                let is_separated = parser.take_sign(',') | parser.take_word("and");
                let is_separated = is_separated | parser.take_word("and");
                // In `1 <= a, b, <= n`, the last comma is one too many.
                if is_separated && is_compared && matches!(parser.tokens.get(parser.at), Some(Token::Comparison(_))) {
                    return Some(None);
                }
                let term = is_separated.then(|| parser.read_sum()).flatten().filter(|term| !is_constant(term))?;
                let begins_chain = matches!(parser.tokens.get(parser.at), Some(Token::Comparison(_)));
                (is_compared || !begins_chain).then_some(Some(term))
            });
            let Some(Some(term)) = next else { break };
            list.push(term);
        }
        Some(list)
    }

    fn read_sum(&mut self) -> Option<SyntaxTerm> {
        self.read_operations(Self::read_product, |parser, _| match parser.take_sign('+') {
            true => Some("+"),
            false => parser.take_sign('-').then_some("-"),
        })
    }

    fn read_product(&mut self) -> Option<SyntaxTerm> {
        self.read_operations(Self::read_power, |parser, product| {
            if parser.take_sign('*') {
                Some("*")
            } else if parser.take_sign('%') || parser.take_word("mod") {
                Some("%")
            } else if parser.take_sign('/') {
                Some("/")
            } else {
                let is_bracket = matches!(parser.tokens.get(parser.at), Some(Token::Sign('(')));
                (is_bracket && is_operand(product)).then_some("*")
            }
        })
    }

    /// Reads operands with operators of one precedence between them. An operator without an operand is not read.
    fn read_operations(
        &mut self,
        read_operand: fn(&mut Self) -> Option<SyntaxTerm>,
        take_operator: fn(&mut Self, &SyntaxTerm) -> Option<&'static str>,
    ) -> Option<SyntaxTerm> {
        let mut term = read_operand(self)?;
        for _ in 0..MAX_LISTED {
            let next = self.attempt(|parser| Some((take_operator(parser, &term)?, read_operand(parser)?)));
            let Some((operator, operand)) = next else { break };
            term = term.into_operation(operator, operand);
        }
        Some(term)
    }

    fn read_power(&mut self) -> Option<SyntaxTerm> {
        if self.depth == MAX_DEPTH || self.at >= self.end {
            return None;
        }
        self.depth += 1;
        let power =
            if self.take_sign('-') { self.read_power().map(SyntaxTerm::into_negated) } else { self.read_raised() };
        self.depth -= 1;
        power
    }

    fn read_raised(&mut self) -> Option<SyntaxTerm> {
        let base = self.read_atom()?;
        if !self.take_sign('^') {
            return Some(base);
        }
        // A fraction is no number of a format, and a tower of powers is too large. Such a power stays unknown, so that no part of
        // it is taken for a bound.
        let is_fraction = self.take_sign('-');
        let exponent = self.read_atom();
        let is_tower = self.take_sign('^') && self.read_atom().is_some();
        let is_whole = |exponent: &SyntaxTerm| {
            exponent.constant_value().is_none_or(|value| value >= 0) && !exponent.to_string().contains(['/', '%'])
        };
        let exponent = exponent.filter(|exponent| !is_fraction && !is_tower && is_whole(exponent));
        Some(exponent.map_or_else(|| SyntaxTerm::from_name(""), |exponent| base.into_operation("^", exponent)))
    }

    fn read_atom(&mut self) -> Option<SyntaxTerm> {
        self.attempt(|parser| {
            let token = parser.tokens.get(parser.at)?;
            parser.at += 1;
            match token {
                Token::Number(number) => Some(SyntaxTerm::from_number(*number)),
                Token::Word(function) if matches!(function.as_str(), "min" | "max" | "gcd") => {
                    Some(SyntaxTerm::new_call(function.clone(), parser.read_arguments()?))
                }
                // The length of a text, and the sum of all elements, behind its limits: `1 <= length of s`, `\sum_{i=1}^n a_i`.
                Token::Word(word) if word == "length" && parser.take_word("of") => {
                    parser.tokens.get(parser.at)?.name()?;
                    Some(SyntaxTerm::new_call("len", vec![parser.read_atom()?]))
                }
                Token::Word(word) if word == "sum" && parser.take_word("of") => {
                    let is_element = |token: &Token| token.element().is_some();
                    let limits = parser.tokens[parser.at..].iter().take(9).position(is_element)?;
                    parser.at += limits;
                    Some(SyntaxTerm::new_call("sum", vec![parser.read_atom()?]))
                }
                Token::Name { name, subscript } => {
                    let (field, _) = field_name(name, subscript.as_deref(), parser.text);
                    let place = subscript.as_deref().filter(|_| parser.keeps_places).and_then(split_step);
                    let Some((variable, offset)) = place else { return Some(SyntaxTerm::from_name(field)) };
                    let place = add_offset(SyntaxTerm::from_name(variable), offset);
                    Some(SyntaxTerm::new(SyntaxTermKind::Element(field, vec![place])))
                }
                Token::Sign('(') => parser.read_sum().filter(|_| parser.take_sign(')')),
                Token::Sign('|') => {
                    let inside = parser.read_sum().filter(|_| parser.take_sign('|'))?;
                    let function = if is_operand(&inside) { "len" } else { "abs" };
                    Some(SyntaxTerm::new_call(function, vec![inside]))
                }
                _ => None,
            }
        })
    }

    /// Reads the arguments of a function. Braces around them are no tokens.
    fn read_arguments(&mut self) -> Option<Vec<SyntaxTerm>> {
        let is_bracketed = self.take_sign('(');
        let mut terms = vec![self.read_sum()?];
        while terms.len() < MAX_LISTED && self.take_sign(',') {
            terms.push(self.read_sum()?);
        }
        (terms.len() > 1 && (!is_bracketed || self.take_sign(')'))).then_some(terms)
    }

    fn take_sign(&mut self, sign: char) -> bool {
        let is_next = self.tokens.get(self.at) == Some(&Token::Sign(sign));
        self.at += usize::from(is_next);
        is_next
    }

    fn take_word(&mut self, word: &str) -> bool {
        let is_next = matches!(self.tokens.get(self.at), Some(Token::Word(next)) if next == word);
        self.at += usize::from(is_next);
        is_next
    }
}

/// Returns true for a name, before which a factor needs no sign.
fn is_operand(term: &SyntaxTerm) -> bool {
    matches!(term.kind, SyntaxTermKind::Name(_))
}
