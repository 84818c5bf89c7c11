//! Constraints as text of the format language. It has more parentheses than it needs: the format is parsed and printed
//! again.

use crate::draft::{Amount, Draft, DraftRule, FieldContent, FieldNames, LoopKind};
use crate::simplify::find_test_case_loop;
use crate::term::{FieldId, LoopId, Term};
use rebut_diagnostics::Span;
use rebut_format::language::ComparisonOperator::{self, Equal, NotEqual};

/// The text of a term, or the reason why it cannot be expressed.
pub(crate) type Lowered<T = String> = Result<T, &'static str>;

/// A line of the where part.
#[derive(Debug, PartialEq)]
pub(crate) struct ConstraintLine {
    pub(crate) text: String,
    /// The properties of a graph, of which the text has the edges.
    pub(crate) properties: Vec<&'static str>,
    /// The statement of the program.
    pub(crate) span: Span,
}

/// Context for lowering a rule.
#[derive(Clone)]
pub(crate) struct ConstraintLowering<'d> {
    draft: &'d Draft,
    names: &'d FieldNames,
    loops: Vec<LoopId>,
    /// Loops bound by a quantifier, with its variable.
    quantifiers: Vec<(LoopId, String)>,
}

const OUT_OF_SCOPE: &str = "it refers to values of a finished loop";

impl<'d> ConstraintLowering<'d> {
    pub(crate) fn new(draft: &'d Draft, names: &'d FieldNames, loops: &[LoopId]) -> Self {
        ConstraintLowering { draft, names, loops: loops.to_vec(), quantifiers: Vec::new() }
    }

    pub(crate) fn lower_rule(&mut self, rule: &DraftRule, conditions: &[Term]) -> Lowered<ConstraintLine> {
        let line = |text| ConstraintLine { text, properties: Vec::new(), span: rule.span };
        if conditions.is_empty()
            && let Some(claim) = self.to_elementwise(&rule.claim)
        {
            return self.lower_claim(&claim).map(line);
        }
        if let Term::EdgeGraph(over, from, to, property) = &rule.claim {
            if !conditions.is_empty() {
                return Err("a graph cannot depend on a condition");
            }
            let edges = self.lower_edges(*over, *from, *to)?;
            return Ok(ConstraintLine { properties: vec![*property], ..line(edges) });
        }
        let is_formula = !conditions.is_empty() || !matches!(rule.claim, Term::Compare(..));
        let claims: Vec<&Term> = conditions.iter().chain([&rule.claim]).collect();
        let wanted = self.quantified_loops(&claims, is_formula);
        let mut headers = Vec::new();
        for over in rule.loops.iter().filter(|l| wanted.contains(l)) {
            let (name, count) = self.bind_counter(*over)?;
            let skips = conditions.iter().any(|c| c.skips_first_repetition(*over));
            headers.push(format!("forall {name} in {}..{count}: ", if skips { 2 } else { 1 }));
        }
        if wanted.iter().any(|l| !rule.loops.contains(l)) {
            return Err(OUT_OF_SCOPE);
        }
        let is_needed = |claim: &&Term| !wanted.iter().any(|over| claim.skips_first_repetition(*over));
        let premises = self.join_claims(conditions.iter().filter(is_needed), true)?;
        let formula = match (premises.is_empty(), rule.claim.constant_truth()) {
            (false, Some(false)) => format!("not ({premises})"),
            (true, _) => self.lower_claim(&rule.claim)?,
            _ => format!("({premises}) => ({})", self.lower_claim(&rule.claim)?),
        };
        Ok(line(headers.concat() + &formula))
    }

    /// Lowers claims, and joins those that are not constant: all of them hold, or one of them.
    fn join_claims<'t>(&self, claims: impl IntoIterator<Item = &'t Term>, all: bool) -> Lowered {
        let claims = claims.into_iter().filter(|claim| claim.constant_truth() != Some(all));
        let claims = claims.map(|claim| Ok(format!("({})", self.lower_claim(claim)?)));
        Ok(claims.collect::<Lowered<Vec<_>>>()?.join(if all { " and " } else { " or " }))
    }

    /// Gives the counter of a loop to the variable of a quantifier. Returns the variable and its largest value.
    fn bind_counter(&mut self, over: LoopId) -> Lowered<(String, String)> {
        let count = self.draft.loop_count(over).ok_or("it refers to the counter of a loop without a count")?;
        let count = self.lower_term(count)?;
        let name = self.names.quantifier_name(self.draft[over].counter.as_deref(), &self.quantifiers);
        self.quantifiers.push((over, name.clone()));
        Ok((name, count))
    }

    /// Rewrites a comparison of arrays of the same size as an elementwise one, which needs no quantifier.
    fn to_elementwise(&self, claim: &Term) -> Option<Term> {
        let Term::Compare(..) = claim else { return None };
        let (over, outer) = self.loops.split_last()?;
        let count = self.draft.loop_count(*over)?;
        let each = [Term::LoopIndex(*over).add_constant(1)];
        let found = claim.replace_subterms(&|part| {
            let (id, places) = part.as_element()?;
            let (field, (last, around)) = (&self.draft[id], self.draft[id].loops.split_last()?);
            let is_own = if places.is_empty() { last == over } else { *places == each };
            let is_list = self.draft[*last].kind == LoopKind::Inline && self.draft.loop_count(*last) == Some(count);
            let is_number = matches!(field.kind, FieldContent::Number { .. }) && !field.dropped;
            (is_own && is_list && is_number && around == outer).then(|| Term::BoundVariable(field.name.clone()))
        });
        let is_complete = !found.subterms().any(|t| match t {
            Term::Element(..) | Term::LoopIndex(_) => true,
            Term::Field(id) => self.draft[*id].loops.contains(over),
            _ => false,
        });
        (is_complete && found != *claim).then_some(found)
    }

    /// Returns the loops that need a quantifier in claims: those with a counter that is used, and those inside them. A
    /// formula is about single numbers, so that a quantifier must run over each of its arrays, too.
    fn quantified_loops(&self, claims: &[&Term], is_formula: bool) -> Vec<LoopId> {
        let (mut wanted, mut fields, mut bound) = (Vec::new(), Vec::new(), Vec::new());
        let cases = find_test_case_loop(self.draft);
        for part in claims.iter().flat_map(|claim| claim.subterms()) {
            match part {
                Term::LoopIndex(id) => wanted.push(*id),
                // In a repetition, the first index of a text selects the repetition.
                Term::Letter(text, _) | Term::LetterCount(text, _) => {
                    if let Term::Field(field) = **text {
                        // The letters of all repetitions of a finished loop are counted together.
                        let is_open = |id: &LoopId| matches!(part, Term::Letter(..)) || self.loops.contains(id);
                        let repeats = |id: &&LoopId| Some(**id) != cases && is_open(id);
                        wanted.extend(self.draft[field].loops.iter().filter(repeats));
                    }
                }
                Term::Field(field) => fields.push(*field),
                // Loops of quantifiers within the claims are bound there.
                Term::Quantified(_, over, _) => bound.push(*over),
                _ => {}
            }
        }
        wanted.retain(|over| !bound.contains(over));
        fields.retain(|field| !self.draft[*field].loops.iter().any(|over| bound.contains(over)));
        for field in fields {
            let loops = &self.draft[field].loops;
            let first = loops.iter().position(|l| wanted.contains(l)).unwrap_or(loops.len());
            let dimensions = if is_formula { self.draft.field_dimensions(field) } else { Vec::new() };
            wanted.extend(loops[first..].iter().chain(&dimensions).filter(|l| self.loops.contains(l)));
        }
        wanted
    }

    pub(crate) fn lower_claim(&self, claim: &Term) -> Lowered {
        match claim {
            Term::Unknown(reason) => Err(reason),
            Term::Compare(sign, left, right) => self.lower_comparison(*sign, left, right),
            Term::All(parts) | Term::Any(parts) => {
                let text = self.join_claims(parts, matches!(claim, Term::All(_)))?;
                if text.is_empty() { Err("it does not depend on the input") } else { Ok(text) }
            }
            Term::Not(inner) => Ok(format!("not ({})", self.lower_claim(inner)?)),
            Term::Distinct(over, terms) => self.lower_distinct(*over, terms),
            Term::EdgeGraph(..) => Err("a graph cannot be part of a condition"),
            Term::Call("prime", _) => self.lower_term(&self.bind_loop_indices(claim)),
            Term::IsPowerOfTwo(number) => {
                let range = self.draft.value_range(number);
                let (most, variable) = (range.hi.max(1).ilog2(), self.names.quantifier_name(None, &self.quantifiers));
                let number = self.lower_term(&self.bind_loop_indices(number))?;
                let power = format!("exists {variable} in 0..{most}: {number} = 2^{variable}");
                Ok(if range.lo > 0 { power } else { format!("({power}) or {number} = 0") })
            }
            // A condition on every repetition of a loop that has ended, or on one of them.
            Term::Quantified(every, over, claim) => {
                let mut inner = self.clone();
                let (name, count) = inner.bind_counter(*over)?;
                inner.loops.push(*over);
                let word = if *every { "forall" } else { "exists" };
                Ok(format!("{word} {name} in 1..{count}: ({})", inner.lower_claim(claim)?))
            }
            Term::Ordered(name, over, ordered) => match **ordered {
                Term::Field(field) if self.draft[field].loops.last() == Some(over) => {
                    Ok(format!("{name}({})", self.draft[field].name))
                }
                _ => Err(OUT_OF_SCOPE),
            },
            _ => Err("a value is not a condition"),
        }
    }

    fn lower_comparison(&self, sign: ComparisonOperator, left: &Term, right: &Term) -> Lowered {
        let (left, right) = match (self.only_letter(left), self.only_letter(right)) {
            (Some(left), Some(right)) => (&{ left }, &{ right }),
            _ => (left, right),
        };
        // A remainder is 0 independent of how division rounds.
        if let (Term::Binary("%", number, by), Some(0), Equal | NotEqual) = (left, right.constant_value(), sign)
            && by.constant_value().is_some_and(|n| n > 0)
        {
            let (number, by) = (self.lower_term(number)?, self.lower_term(by)?);
            return Ok(format!("{number} % {by} {} 0", sign.as_str()));
        }
        let [left, right] = [left, right].map(|side| self.bind_loop_indices(side));
        // Write `i - 1 = 0` as `i = 1`.
        let is_shifted = matches!(left.split_offset(), (Some(Term::BoundVariable(_)), -1));
        let (left, right) = if is_shifted { (left.add_constant(1), right.add_constant(1)) } else { (left, right) };
        // A letter is compared with a letter, not with a word.
        let has_letter = [&left, &right].iter().any(|side| matches!(side, Term::Letter(..)));
        let side = |term: &Term| match term {
            Term::Text(_) if has_letter => letter_text(term),
            term => self.lower_term(term),
        };
        Ok(format!("{} {} {}", side(&left)?, sign.as_str(), side(&right)?))
    }

    /// Returns a text of a single letter as that letter.
    fn only_letter(&self, term: &Term) -> Option<Term> {
        let (id, _) = match term {
            Term::Text(text) if text.len() == 1 => return Some(term.clone()),
            Term::Letter(..) => return Some(term.clone()),
            term => term.as_element()?,
        };
        let is_single = |size: &Amount| *size == Amount::Exactly(Term::Number(1));
        let has_one = matches!(&self.draft[id].kind, FieldContent::Text { size, .. } if is_single(size));
        has_one.then(|| Term::Letter(Box::new(term.clone()), Box::new(Term::Number(1))))
    }

    /// Replaces loop counters by the variables of their quantifiers.
    fn bind_loop_indices(&self, term: &Term) -> Term {
        term.replace_subterms(&|part| {
            let Term::LoopIndex(id) = part else { return None };
            let (_, name) = self.quantifiers.iter().find(|(over, _)| over == id)?;
            Some(Term::BoundVariable(name.clone()).add_constant(-1))
        })
    }

    fn lower_distinct(&self, over: LoopId, terms: &[Term]) -> Lowered {
        let mut names = Vec::new();
        for term in terms {
            let Term::Field(id) = term else { return Err(OUT_OF_SCOPE) };
            let loops = &self.draft[*id].loops;
            let at = loops.iter().position(|l| *l == over).ok_or(OUT_OF_SCOPE)?;
            self.check_scope(&loops[..at])?;
            if loops[at + 1..].iter().any(|l| self.draft[*l].kind != LoopKind::Inline) {
                return Err(OUT_OF_SCOPE);
            }
            names.push(self.field_name(*id)?);
        }
        Ok(if let [name] = &names[..] {
            format!("distinct({name})")
        } else {
            format!("distinct(({}))", names.join(", "))
        })
    }

    /// Lowers edges: each instance of a block is an edge between vertices in the range of its ends.
    fn lower_edges(&self, over: LoopId, from: FieldId, to: FieldId) -> Lowered {
        let ends = [from, to].map(|id| match &self.draft[id].kind {
            FieldContent::Number { min, max, decimals: None } => Some((min, max)),
            _ => None,
        });
        let is_in_scope = |id: FieldId| match self.draft[id].loops.split_last() {
            Some((last, outer)) => *last == over && self.check_scope(outer).is_ok(),
            None => false,
        };
        let is_block = self.draft[over].kind == LoopKind::Block && is_in_scope(from) && is_in_scope(to);
        let Some((min, max)) = ends[0].filter(|_| is_block && ends[0] == ends[1]) else { return Err(OUT_OF_SCOPE) };
        let [first, second] = [self.field_name(from)?, self.field_name(to)?];
        Ok(format!("edges ({first}, {second}) on {}..{}", self.lower_term(min)?, self.lower_term(max)?))
    }

    /// Checks that the values of these loops can be referred to.
    fn check_scope(&self, loops: &[LoopId]) -> Lowered<()> {
        if loops.iter().all(|l| self.loops.contains(l)) { Ok(()) } else { Err(OUT_OF_SCOPE) }
    }

    /// Returns the name of a field if it is part of the layout.
    fn field_name(&self, field: FieldId) -> Lowered {
        let field = &self.draft[field];
        if field.dropped { Err("it refers to a line that cannot be expressed") } else { Ok(field.name.clone()) }
    }

    pub(crate) fn lower_term(&self, term: &Term) -> Lowered {
        Ok(match term {
            Term::Number(number) if *number < 0 => format!("({number})"),
            Term::Number(number) => number.to_string(),
            Term::Decimal(text) if text.replace(['-', '.'], "").parse::<i128>().is_err() => {
                return Err("numbers are limited to 10^36");
            }
            Term::Decimal(text) => format!("({text})"),
            Term::BoundVariable(name) | Term::Constant(name, _) => name.clone(),
            Term::Text(text) => quote_text(std::str::from_utf8(visible_word(text)?).unwrap_or_default()),
            Term::Field(id) => self.lower_element(*id, &[])?,
            Term::Element(id, places) => self.lower_element(*id, places)?,
            Term::Length(id) => match &self.draft[*id].kind {
                FieldContent::Text { size: Amount::Exactly(size), .. } => {
                    self.field_name(*id)?;
                    self.lower_term(size)?
                }
                _ => format!("len({})", self.lower_element(*id, &[])?),
            },
            Term::Repetitions(_) => return Err("it refers to the number of repetitions of a loop without a count"),
            Term::LoopIndex(_) => match self.bind_loop_indices(term) {
                Term::LoopIndex(_) => return Err("it refers to the counter of a loop"),
                bound => self.lower_term(&bound)?,
            },
            Term::Minus(inner) => format!("(-{})", self.lower_term(inner)?),
            Term::Binary(sign, left, right) => self.lower_operation(sign, left, right)?,
            Term::Fold(name, over, inner) => self.lower_fold(name, *over, inner)?,
            Term::Count(over, field, value) => self.lower_count(*over, *field, value)?,
            Term::LetterCount(text, letter) => format!("count({}, {})", self.lower_term(text)?, letter_text(letter)?),
            Term::Letter(text, place) => format!("{}[{}]", self.lower_term(text)?, self.lower_term(place)?),
            Term::Call(name, parts) => {
                let parts = parts.iter().map(|part| self.lower_term(part)).collect::<Lowered<Vec<_>>>()?;
                format!("{name}({})", parts.join(", "))
            }
            Term::LoopCarried(..) => return Err("it refers to a value that changes during a loop"),
            Term::Conditional(..) => return Err("it refers to a value that depends on a condition"),
            Term::Unknown(why) => return Err(why),
            _ => return Err("a condition is not a value"),
        })
    }

    fn lower_operation(&self, sign: &'static str, left: &Term, right: &Term) -> Lowered {
        // Combine the constants first, so that `(i - 1) + 1` becomes `i` again.
        if matches!(sign, "+" | "-") && left.subterms().any(|t| matches!(t, Term::LoopIndex(_))) {
            let whole = Term::new_binary(sign, self.bind_loop_indices(left), self.bind_loop_indices(right));
            if !whole.subterms().any(|t| matches!(t, Term::LoopIndex(_))) {
                return self.lower_term(&whole);
            }
        }
        let is_real = |part: &Term| match part.as_element() {
            Some((id, _)) => matches!(self.draft[id].kind, FieldContent::Number { decimals: Some(_), .. }),
            None => matches!(part, Term::Decimal(_)),
        };
        if matches!(sign, "/" | "%" | "^") && (left.subterms().any(is_real) || right.subterms().any(is_real)) {
            return Err("real numbers can only be added, subtracted and multiplied");
        }
        if matches!(sign, "/" | "%") && (self.draft.value_range(left).lo < 0 || self.draft.value_range(right).lo <= 0) {
            return Err("division of negative numbers rounds differently");
        }
        Ok(format!("({} {sign} {})", self.lower_term(left)?, self.lower_term(right)?))
    }

    /// Lowers a field, or an element of it at the given places of its last dimensions.
    fn lower_element(&self, id: FieldId, places: &[Term]) -> Lowered {
        let mut text = self.field_name(id)?;
        let loops = &self.draft[id].loops;
        let outer = &loops[..loops.len().checked_sub(places.len()).ok_or(OUT_OF_SCOPE)?];
        self.check_scope(outer)?;
        for over in outer {
            let quantifier = self.quantifiers.iter().find(|(id, _)| id == over);
            text += &quantifier.map(|(_, name)| format!("[{name}]")).unwrap_or_default();
        }
        for place in places {
            text += &format!("[{}]", self.lower_term(place)?);
        }
        Ok(text)
    }

    /// Lowers how often a value is in a field: by its name for a constant, in the slice of all elements for another one.
    fn lower_count(&self, over: LoopId, field: FieldId, value: &Term) -> Lowered {
        let name = self.field_name(field)?;
        let wanted = self.lower_term(&self.bind_loop_indices(value))?;
        if matches!(value, Term::Text(_)) || value.constant_value().is_some() {
            return Ok(format!("count({name}, {wanted})"));
        }
        let (last, outer) = self.draft[field].loops.split_last().ok_or(OUT_OF_SCOPE)?;
        self.check_scope(outer)?;
        let count = self.draft.loop_count(over).filter(|_| *last == over).ok_or(OUT_OF_SCOPE)?;
        Ok(format!("count({name}[1..{}], {wanted})", self.lower_term(count)?))
    }

    fn lower_fold(&self, name: &str, over: LoopId, inner: &Term) -> Lowered {
        // The letters of all rows are those of the board.
        let counted = match inner {
            Term::Count(_, field, value) if value.constant_value().is_some() => Some((*field, self.lower_term(value))),
            Term::LetterCount(text, letter) => match self.draft.whole_field(text) {
                Some((field, 0)) => Some((field, letter_text(letter))),
                _ => None,
            },
            _ => None,
        };
        if let Some((field, value)) = counted
            && self.draft.field_dimensions(field).contains(&over)
        {
            return Ok(format!("count({}, {})", self.field_name(field)?, value?));
        }
        let (mut has_own, mut is_in_scope) = (false, true);
        let mut scope = self.clone();
        scope.loops.push(over);
        for part in inner.subterms() {
            let (Term::Field(id) | Term::Length(id)) = part else { continue };
            let Some((last, outer)) = self.draft[*id].loops.split_last() else { continue };
            let is_outer = self.check_scope(outer).is_ok();
            has_own |= !(is_outer && self.loops.contains(last));
            is_in_scope &= is_outer;
            scope.loops.push(*last);
        }
        if !(has_own && is_in_scope || matches!(inner, Term::Fold(..))) {
            return Err(OUT_OF_SCOPE);
        }
        Ok(format!("{name}({})", scope.lower_term(inner)?))
    }
}

pub(crate) fn quote_text(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns a letter in single quotes.
fn letter_text(term: &Term) -> Lowered {
    match term {
        Term::Text(text) if text.len() == 1 => {
            let escape = if matches!(text[0], b'\'' | b'\\') { "\\" } else { "" };
            Ok(format!("'{escape}{}'", char::from(text[0])))
        }
        _ => Err("letters can only be compared with letters"),
    }
}

/// Checks that a text can be a word of the input.
pub(crate) fn visible_word(text: &[u8]) -> Lowered<&[u8]> {
    let is_visible = !text.is_empty() && text.iter().all(u8::is_ascii_graphic);
    if is_visible { Ok(text) } else { Err("words can only contain visible ASCII characters") }
}
