//! Lowering of terms to the syntax tree of the format language.

use crate::draft::{Draft, DraftField, DraftRule, FieldContent, FieldNames, LoopCount, LoopKind, TextSize};
use crate::simplify::find_test_case_loop;
use crate::term::{FieldId, LoopId, Term};
use rebut_diagnostics::Span;
use rebut_format::language::ComparisonOperator;
use rebut_format::syntax::{ComparisonChain, SyntaxFormula, SyntaxProperty, SyntaxRule, SyntaxTerm, SyntaxTermKind};

/// A part of the syntax tree, or the reason why something cannot be expressed.
pub(crate) type Lowered<T> = Result<T, &'static str>;

/// Context for lowering a rule.
pub(crate) struct ConstraintLowering<'d> {
    pub(crate) draft: &'d Draft,
    pub(crate) names: &'d FieldNames,
    /// Enclosing loops.
    pub(crate) loops: &'d [LoopId],
    /// Loops bound by a quantifier, with its variable.
    quantifiers: Vec<(LoopId, String)>,
}

const OUT_OF_SCOPE: &str = "it refers to values of a finished loop";

impl<'d> ConstraintLowering<'d> {
    pub(crate) fn new(draft: &'d Draft, names: &'d FieldNames, loops: &'d [LoopId]) -> Self {
        ConstraintLowering { draft, names, loops, quantifiers: Vec::new() }
    }

    /// Lowers a rule with its conditions and quantifiers.
    pub(crate) fn lower_rule(&mut self, rule: &DraftRule, conditions: &[Term]) -> Lowered<SyntaxRule> {
        if conditions.is_empty()
            && rule.first_repetition == 1
            && let Some(claim) = self.to_elementwise(&rule.claim)
        {
            return self.lower_claim(&claim).map(rule_of_formula);
        }
        if let Term::EdgeGraph(over, from, to, property) = &rule.claim {
            return if conditions.is_empty() {
                self.lower_graph(*over, *from, *to, property)
            } else {
                Err("a graph cannot depend on a condition")
            };
        }
        let is_formula = !conditions.is_empty() || !matches!(rule.claim, Term::Compare(..));
        let claims: Vec<&Term> = conditions.iter().chain([&rule.claim]).collect();
        let wanted = self.quantified_loops(&claims, is_formula);
        let mut ranges = Vec::new();
        for over in rule.loops.iter().filter(|l| wanted.contains(l)) {
            let count = self.draft.loop_count(*over).ok_or("it refers to the counter of a loop without a count")?;
            let count = self.lower_term(count)?;
            let name = self.free_variable(self.draft[*over].counter.as_deref());
            let skips = rule.first_repetition == 2 || conditions.iter().any(|c| c.skips_first_repetition(*over));
            ranges.push((1 + i128::from(skips), count));
            self.quantifiers.push((*over, name));
        }
        if wanted.iter().any(|l| !rule.loops.contains(l)) {
            return Err(OUT_OF_SCOPE);
        }
        let mut formula = self.lower_claim(&rule.claim)?;
        let is_needed = |claim: &&Term| !wanted.iter().any(|over| claim.skips_first_repetition(*over));
        let conditions = conditions.iter().filter(is_needed);
        let mut premises = conditions.map(|c| self.lower_claim(c)).collect::<Lowered<Vec<_>>>()?;
        if let Some(only) = premises.pop() {
            let premise = if premises.is_empty() { only } else { SyntaxFormula::All([premises, vec![only]].concat()) };
            formula = SyntaxFormula::Implies(Box::new((premise, formula)));
        }
        for ((_, name), (first, count)) in self.quantifiers.iter().zip(ranges).rev() {
            formula = quantify(true, name, SyntaxTerm::from_number(first), count, formula);
        }
        Ok(rule_of_formula(formula))
    }

    /// Returns a name for the variable of a quantifier.
    fn free_variable(&self, wanted: Option<&str>) -> String {
        let others: Vec<String> = self.quantifiers.iter().map(|(_, name)| name.clone()).collect();
        self.names.quantifier_name(wanted, &others)
    }

    /// Rewrites a comparison of arrays of the same size as an elementwise one, which needs no quantifier.
    fn to_elementwise(&self, claim: &Term) -> Option<Term> {
        let Term::Compare(..) = claim else { return None };
        let over = *self.loops.last()?;
        let count = self.draft.loop_count(over)?;
        let array = |id: &FieldId| {
            let (last, outer) = self.draft[*id].loops.split_last()?;
            let inline = self.draft[*last].kind == LoopKind::Inline;
            let plain = self.draft.loop_count(*last) == Some(count) && outer == &self.loops[..self.loops.len() - 1];
            let number = matches!(self.draft[*id].kind, FieldContent::Number { .. });
            (inline && plain && number && self.check_present(*id).is_ok()).then(|| self.draft[*id].name.clone())
        };
        let found = claim.replace_subterms(&|part| match part {
            Term::Element(id, places) if places.as_slice() == [Term::LoopIndex(over).add_constant(1)] => {
                array(id).map(Term::BoundVariable)
            }
            Term::Field(id) if self.draft[*id].loops.last() == Some(&over) => array(id).map(Term::BoundVariable),
            _ => None,
        });
        let is_complete = !found.any_subterm(&|t| match t {
            Term::Element(..) | Term::LoopIndex(_) => true,
            Term::Field(id) => self.draft[*id].loops.contains(&over),
            _ => false,
        });
        (is_complete && found != *claim).then_some(found)
    }

    /// Returns the loops that need a quantifier in claims: those with a counter that is used, and those inside them. A
    /// formula is about single numbers, so that a quantifier must run over each of its arrays, too.
    fn quantified_loops(&self, claims: &[&Term], is_formula: bool) -> Vec<LoopId> {
        let (mut wanted, mut fields) = (Vec::new(), Vec::new());
        let cases = find_test_case_loop(self.draft);
        let mut collect = |part: &Term| match part {
            Term::LoopIndex(id) => wanted.push(*id),
            // In a repetition, the first index of a text selects the repetition.
            Term::Letter(text, _) => {
                if let Term::Field(field) = **text {
                    let repeats = |id: &&LoopId| self.draft[**id].kind == LoopKind::Block && Some(**id) != cases;
                    wanted.extend(self.draft[field].loops.iter().filter(repeats));
                }
            }
            Term::Field(field) => fields.push(*field),
            _ => {}
        };
        claims.iter().for_each(|claim| claim.visit_subterms(&mut collect));
        // Loops of quantifiers within the claims are bound there.
        let mut bound = Vec::new();
        claims.iter().for_each(|claim| {
            claim.visit_subterms(&mut |part| {
                if let Term::Quantified(_, over, _) = part {
                    bound.push(*over);
                }
            });
        });
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

    /// Lowers a claim.
    pub(crate) fn lower_claim(&self, claim: &Term) -> Lowered<SyntaxFormula> {
        let all = |parts: &[Term]| parts.iter().map(|p| self.lower_claim(p)).collect::<Lowered<_>>();
        match claim {
            Term::Unknown(reason) => Err(reason),
            Term::Compare(sign, left, right) => self.lower_comparison(*sign, left, right),
            Term::All(parts) => Ok(SyntaxFormula::All(all(parts)?)),
            Term::Any(parts) => Ok(SyntaxFormula::Any(all(parts)?)),
            Term::Not(inner) => match &**inner {
                Term::Contains(field, value) => {
                    self.lower_membership(*field, value, true, ComparisonOperator::NotEqual)
                }
                inner => Ok(SyntaxFormula::Not(Box::new(self.lower_claim(inner)?))),
            },
            Term::Distinct(over, terms) => self.lower_distinct(*over, terms),
            Term::EdgeGraph(..) => Err("a graph cannot be part of a condition"),
            Term::Call("prime", parts) => {
                let part = |part: &Term| self.lower_term(&self.bind_loop_indices(part));
                let parts = parts.iter().map(part).collect::<Lowered<Vec<_>>>()?;
                Ok(SyntaxFormula::Chain(ComparisonChain::new(SyntaxTerm::new_call("prime", parts))))
            }
            Term::IsPowerOfTwo(number) => {
                let most = self.draft.value_range(number).hi.max(1).ilog2();
                let variable = self.free_variable(None);
                let power = SyntaxTerm::from_number(2).into_operation("^", SyntaxTerm::from_name(&variable));
                let body = compare(self.lower_term(&self.bind_loop_indices(number))?, ComparisonOperator::Equal, power);
                let last = SyntaxTerm::from_number(i128::from(most));
                Ok(quantify(false, &variable, SyntaxTerm::from_number(0), last, body))
            }
            Term::Quantified(every, over, claim) => self.lower_quantified(*every, *over, claim),
            Term::Ordered(name, over, ordered) => match **ordered {
                Term::Field(field) if self.draft[field].loops.last() == Some(over) => {
                    Ok(predicate(name, SyntaxTerm::from_name(&self.draft[field].name)))
                }
                _ => Err(OUT_OF_SCOPE),
            },
            Term::Contains(field, value) => self.lower_membership(*field, value, false, ComparisonOperator::Equal),
            _ => Err("a value is not a condition"),
        }
    }

    fn lower_comparison(&self, sign: ComparisonOperator, left: &Term, right: &Term) -> Lowered<SyntaxFormula> {
        self.check_comparable(left, right, sign)?;
        // A remainder is 0 independent of how division rounds.
        if let (Term::Binary("%", number, by), Some(0), true) = (left, right.constant_value(), is_equality(sign))
            && by.constant_value().is_some_and(|n| n > 0)
        {
            let remainder = self.lower_term(number)?.into_operation("%", self.lower_term(by)?);
            return Ok(compare(remainder, sign, SyntaxTerm::from_number(0)));
        }
        let (left, right) = (self.bind_loop_indices(left), self.bind_loop_indices(right));
        // A letter is compared with a letter, not with a word.
        if let (Term::Letter(..), Term::Text(_)) | (Term::Text(_), Term::Letter(..)) = (&left, &right) {
            let side = |term: &Term| match term {
                Term::Text(_) => letter_term(term),
                term => self.lower_term(term),
            };
            return Ok(compare(side(&left)?, sign, side(&right)?));
        }
        // Write `i - 1 = 0` as `i = 1`.
        let is_shifted = matches!(left.split_offset(), (Some(Term::BoundVariable(_)), -1));
        let (left, right) = if is_shifted { (left.add_constant(1), right.add_constant(1)) } else { (left, right) };
        Ok(compare(self.lower_term(&left)?, sign, self.lower_term(&right)?))
    }

    /// Replaces loop counters by the variables of their quantifiers.
    fn bind_loop_indices(&self, term: &Term) -> Term {
        term.replace_subterms(&|part| match part {
            Term::LoopIndex(id) => {
                let name = self.quantifiers.iter().find(|(over, _)| over == id);
                name.map(|(_, name)| Term::BoundVariable(name.clone()).add_constant(-1))
            }
            _ => None,
        })
    }

    /// Returns true if both sides are texts, each the only one with its name that is visible here.
    fn are_comparable_texts(&self, left: &Term, right: &Term) -> bool {
        let alone = |id: &FieldId| {
            let field = &self.draft[*id];
            let letters = matches!(field.kind, FieldContent::Text { .. } | FieldContent::Pattern { .. });
            letters && !field.loops.iter().any(|l| self.quantifiers.iter().any(|(over, _)| over == l)) && !field.is_row
        };
        let text = |term: &Term| match term {
            Term::Field(id) => self.draft.field_dimensions(*id).is_empty() && alone(id),
            Term::Text(_) => true,
            _ => false,
        };
        text(left) && text(right) && !matches!((left, right), (Term::Text(_), Term::Text(_)))
    }

    /// Checks the types of a comparison: numbers with numbers, words with words, and single texts with each other.
    fn check_comparable(&self, left: &Term, right: &Term, sign: ComparisonOperator) -> Result<(), &'static str> {
        let is_letter = |term: &Term| match term {
            Term::Letter(..) => true,
            Term::Text(text) => text.len() == 1,
            _ => false,
        };
        let has_letter = [left, right].iter().any(|side| matches!(side, Term::Letter(..)));
        if self.are_comparable_texts(left, right) || has_letter && is_letter(left) && is_letter(right) {
            return Ok(());
        }
        if has_letter {
            return Err("letters can only be compared with letters");
        }
        for (side, other) in [(left, right), (right, left)] {
            let words = match side {
                Term::Text(_) => None,
                Term::Field(id) | Term::Element(id, _) => match &self.draft[*id].kind {
                    FieldContent::Words(words) => Some(words),
                    FieldContent::Text { .. } | FieldContent::Pattern { .. } => {
                        return Err("texts cannot be compared");
                    }
                    _ => continue,
                },
                _ => continue,
            };
            let equal = is_equality(sign);
            let fits = match (words, other) {
                (Some(words), Term::Text(text)) => words.contains(text),
                (Some(words), Term::Field(id) | Term::Element(id, _)) => {
                    matches!(&self.draft[*id].kind, FieldContent::Words(others) if others == words)
                }
                (None, Term::Field(_) | Term::Element(..)) => true,
                _ => false,
            };
            if !equal || !fits {
                return Err("texts cannot be compared");
            }
        }
        Ok(())
    }

    fn lower_distinct(&self, over: LoopId, terms: &[Term]) -> Lowered<SyntaxFormula> {
        let mut names = Vec::new();
        for term in terms {
            let Term::Field(id) = term else { return Err(OUT_OF_SCOPE) };
            let loops = &self.draft[*id].loops;
            let at = loops.iter().position(|l| *l == over).ok_or(OUT_OF_SCOPE)?;
            self.check_scope(&loops[..at])?;
            if loops[at + 1..].iter().any(|l| self.draft[*l].kind != LoopKind::Inline) {
                return Err(OUT_OF_SCOPE);
            }
            let name = self.field_name(*id)?;
            let text = matches!(self.draft[*id].kind, FieldContent::Text { .. } | FieldContent::Pattern { .. });
            if text && terms.len() > 1 {
                return Err("texts cannot be compared together with others");
            }
            names.push(name);
        }
        let compared = if names.len() == 1 { names.remove(0) } else { SyntaxTerm::new(SyntaxTermKind::Tuple(names)) };
        Ok(predicate("distinct", compared))
    }

    /// Lowers a condition on every repetition of a loop that has ended, or on one of them.
    fn lower_quantified(&self, every: bool, over: LoopId, claim: &Term) -> Lowered<SyntaxFormula> {
        let count = self.draft.loop_count(over).ok_or("its number of repetitions is unknown")?;
        let count = self.lower_term(count)?;
        let name = self.free_variable(self.draft[over].counter.as_deref());
        let loops = [self.loops, &[over]].concat();
        let mut quantifiers = self.quantifiers.clone();
        quantifiers.push((over, name.clone()));
        let inner = ConstraintLowering { loops: &loops, quantifiers, ..*self };
        Ok(quantify(every, &name, SyntaxTerm::from_number(1), count, inner.lower_claim(claim)?))
    }

    /// Lowers edges: each instance of a block is an edge between vertices in the range of its ends.
    fn lower_graph(&self, over: LoopId, from: FieldId, to: FieldId, property: &str) -> Lowered<SyntaxRule> {
        let ends = [&self.draft[from], &self.draft[to]];
        let (
            FieldContent::Number { min, max, decimals: None },
            FieldContent::Number { min: low, max: high, decimals: None },
        ) = (&ends[0].kind, &ends[1].kind)
        else {
            return Err(OUT_OF_SCOPE);
        };
        let is_in_scope = |field: &DraftField| {
            field
                .loops
                .split_last()
                .is_some_and(|(last, outer)| *last == over && outer.iter().all(|l| self.loops.contains(l)))
        };
        let block = self.draft[over].kind == LoopKind::Block;
        if min != low || max != high || !block || !ends.iter().all(|e| is_in_scope(e)) {
            return Err(OUT_OF_SCOPE);
        }
        self.check_present(from)?;
        let [first, second] = ends.map(|end| SyntaxTerm::from_name(&end.name));
        Ok(SyntaxRule::Edges {
            ends: Box::new((first, second)),
            vertices: Box::new((self.lower_term(min)?, self.lower_term(max)?)),
            condition: None,
            properties: vec![SyntaxProperty::new(property)],
            span: Span::default(),
        })
    }

    fn lower_membership(
        &self,
        field: FieldId,
        value: &Term,
        every: bool,
        sign: ComparisonOperator,
    ) -> Lowered<SyntaxFormula> {
        self.check_present(field)?;
        let DraftField { name, loops, .. } = &self.draft[field];
        let (over, outer) = loops.split_last().ok_or(OUT_OF_SCOPE)?;
        self.check_scope(outer)?;
        let count = self.draft.loop_count(*over).ok_or("its length is unknown")?;
        let variable = self.free_variable(None);
        let element = SyntaxTerm::new_element(name, vec![SyntaxTerm::from_name(&variable)]);
        let body = compare(element, sign, self.lower_term(value)?);
        Ok(quantify(every, &variable, SyntaxTerm::from_number(1), self.lower_term(count)?, body))
    }

    /// Checks that the values of these loops can be referred to.
    fn check_scope(&self, loops: &[LoopId]) -> Lowered<()> {
        if loops.iter().all(|l| self.loops.contains(l)) { Ok(()) } else { Err(OUT_OF_SCOPE) }
    }

    /// Returns the name of a field that is part of the layout.
    fn field_name(&self, field: FieldId) -> Lowered<SyntaxTerm> {
        self.check_present(field)?;
        Ok(SyntaxTerm::from_name(&self.draft[field].name))
    }

    /// Checks that a field is part of the layout.
    fn check_present(&self, field: FieldId) -> Result<(), &'static str> {
        if self.draft[field].dropped { Err("it refers to a line that cannot be expressed") } else { Ok(()) }
    }

    /// Lowers a term.
    pub(crate) fn lower_term(&self, term: &Term) -> Lowered<SyntaxTerm> {
        Ok(match term {
            Term::Number(number) => SyntaxTerm::from_number(*number),
            Term::Decimal(text) => decimal_term(text)?,
            Term::BoundVariable(name) | Term::Constant(name, _) => SyntaxTerm::from_name(name),
            Term::Text(text) => SyntaxTerm::new(SyntaxTermKind::Text(visible_word(text)?.to_vec())),
            Term::Field(id) => self.lower_element(*id, &[])?,
            Term::Element(id, places) => self.lower_element(*id, places)?,
            Term::Length(id) => match &self.draft[*id].kind {
                FieldContent::Text { size: TextSize::Exactly(size), .. } => {
                    self.check_present(*id)?;
                    self.lower_term(size)?
                }
                _ => SyntaxTerm::new_call("len", vec![self.lower_element(*id, &[])?]),
            },
            Term::Repetitions(id) => {
                let list = self.draft.fields.iter().find(|f| f.loops.last() == Some(id) && !f.dropped);
                let list = list.filter(|_| self.draft[*id].kind == LoopKind::Inline);
                let list = list.ok_or("it refers to the number of repetitions of a loop without a count")?;
                SyntaxTerm::new_call("len", vec![SyntaxTerm::from_name(&list.name)])
            }
            Term::LoopIndex(_) => match self.bind_loop_indices(term) {
                Term::LoopIndex(_) => return Err("it refers to the counter of a loop"),
                bound => self.lower_term(&bound)?,
            },
            Term::Minus(inner) => self.lower_term(inner)?.into_negated(),
            Term::Binary(sign, left, right) => self.lower_operation(sign, left, right)?,
            Term::Fold(name, over, inner) => self.lower_fold(name, *over, inner)?,
            Term::Count(over, field, value) => self.lower_count(*over, *field, value)?,
            Term::LetterCount(text, letter) => {
                SyntaxTerm::new_call("count", vec![self.lower_term(text)?, letter_term(letter)?])
            }
            Term::Letter(text, place) => {
                let place = self.lower_term(place)?;
                match self.lower_term(text)?.kind {
                    SyntaxTermKind::Name(name) => SyntaxTerm::new_element(name, vec![place]),
                    SyntaxTermKind::Element(name, mut indices) => {
                        indices.push(place);
                        SyntaxTerm::new_element(name, indices)
                    }
                    _ => return Err(OUT_OF_SCOPE),
                }
            }
            Term::Call(name, parts) => {
                let parts = parts.iter().map(|part| self.lower_term(part)).collect::<Lowered<Vec<_>>>()?;
                SyntaxTerm::new_call(*name, parts)
            }
            Term::LoopCarried(..) => return Err("it refers to a value that changes during a loop"),
            Term::Conditional(..) => return Err("it refers to a value that depends on a condition"),
            Term::Unknown(why) => return Err(why),
            _ => return Err("a condition is not a value"),
        })
    }

    fn lower_operation(&self, sign: &'static str, left: &Term, right: &Term) -> Lowered<SyntaxTerm> {
        // Combine the constants first, so that `(i - 1) + 1` becomes `i` again.
        if matches!(sign, "+" | "-") && left.any_subterm(&|t| matches!(t, Term::LoopIndex(_))) {
            let whole = Term::new_binary(sign, self.bind_loop_indices(left), self.bind_loop_indices(right));
            if !whole.any_subterm(&|t| matches!(t, Term::LoopIndex(_))) {
                return self.lower_term(&whole);
            }
        }
        if [left, right].iter().any(|side| matches!(side, Term::Text(_) | Term::Letter(..))) {
            return Err("letters are no numbers");
        }
        let real = |t: &Term| t.any_subterm(&|p| self.is_real(p));
        if matches!(sign, "/" | "%" | "^") && (real(left) || real(right)) {
            return Err("real numbers can only be added, subtracted and multiplied");
        }
        if matches!(sign, "/" | "%") {
            let whole = Term::Binary(sign, Box::new(left.clone()), Box::new(right.clone())).constant_value();
            if self.draft.value_range(left).lo < 0 || self.draft.value_range(right).lo <= 0 {
                let number = whole.ok_or("division of negative numbers rounds differently")?;
                return Ok(SyntaxTerm::from_number(number));
            }
        }
        Ok(self.lower_term(left)?.into_operation(sign, self.lower_term(right)?))
    }

    fn is_real(&self, term: &Term) -> bool {
        match term {
            Term::Decimal(_) => true,
            Term::Field(id) | Term::Element(id, _) => {
                matches!(self.draft[*id].kind, FieldContent::Number { decimals: Some(_), .. })
            }
            _ => false,
        }
    }

    /// Lowers a field, or an element of it at the given places of its last dimensions.
    fn lower_element(&self, id: FieldId, places: &[Term]) -> Lowered<SyntaxTerm> {
        self.check_present(id)?;
        let field = &self.draft[id];
        let outer = field.loops.len().checked_sub(places.len()).ok_or(OUT_OF_SCOPE)?;
        self.check_scope(&field.loops[..outer])?;
        let variable = |over| self.quantifiers.iter().find(|(id, _)| id == over).map(|(_, name)| name);
        let outer = field.loops[..outer].iter().filter_map(variable).map(|name| Ok(SyntaxTerm::from_name(name)));
        let indices = outer.chain(places.iter().map(|place| self.lower_term(place))).collect::<Lowered<_>>()?;
        Ok(SyntaxTerm::new_element(&field.name, indices))
    }

    /// Lowers how often a value is in a field: by its name for a constant, in the slice of all elements for another one.
    fn lower_count(&self, over: LoopId, field: FieldId, value: &Term) -> Lowered<SyntaxTerm> {
        let name = self.field_name(field)?;
        let wanted = self.lower_term(&self.bind_loop_indices(value))?;
        if matches!(value, Term::Text(_)) || value.constant_value().is_some() {
            return Ok(SyntaxTerm::new_call("count", vec![name, wanted]));
        }
        let DraftField { name, loops, .. } = &self.draft[field];
        if loops.last() != Some(&over) {
            return Err(OUT_OF_SCOPE);
        }
        self.check_scope(&loops[..loops.len() - 1])?;
        let count = self.draft.loop_count(over).ok_or("its length is unknown")?;
        let range = Box::new((SyntaxTerm::from_number(1), self.lower_term(count)?));
        let slice = SyntaxTerm::new(SyntaxTermKind::Slice(name.clone(), Vec::new(), range, Vec::new()));
        Ok(SyntaxTerm::new_call("count", vec![slice, wanted]))
    }

    fn lower_fold(&self, name: &str, over: LoopId, inner: &Term) -> Lowered<SyntaxTerm> {
        // The letters of all rows are those of the board.
        if let Term::Count(_, field, value) = inner
            && self.draft.field_dimensions(*field).contains(&self.own_loop(over, *field))
            && value.constant_value().is_some()
        {
            return Ok(SyntaxTerm::new_call("count", vec![self.field_name(*field)?, self.lower_term(value)?]));
        }
        if let Term::LetterCount(text, letter) = inner
            && let Some((field, 0)) = self.draft.whole_field(text)
            && self.draft.field_dimensions(field).contains(&self.own_loop(over, field))
        {
            return Ok(SyntaxTerm::new_call("count", vec![self.field_name(field)?, letter_term(letter)?]));
        }
        let inner = self.replace_pure_loop(over, inner).unwrap_or_else(|| inner.clone());
        let (mut has_own, mut is_in_scope) = (false, true);
        let mut loops = [self.loops, &[over]].concat();
        inner.visit_subterms(&mut |part| {
            let (Term::Field(id) | Term::Length(id)) = part else { return };
            let Some((last, around)) = self.draft[*id].loops.split_last() else { return };
            let outer = around.iter().all(|l| self.loops.contains(l));
            has_own |= !(outer && self.loops.contains(last));
            is_in_scope &= outer;
            loops.push(*last);
        });
        if !(has_own && is_in_scope || matches!(inner, Term::Fold(..))) {
            return Err(OUT_OF_SCOPE);
        }
        let scope = ConstraintLowering { loops: &loops, quantifiers: self.quantifiers.clone(), ..*self };
        Ok(SyntaxTerm::new_call(name, vec![scope.lower_term(&inner)?]))
    }

    /// Returns the loop of a field that another one goes over again.
    fn own_loop(&self, over: LoopId, field: FieldId) -> LoopId {
        let loops = &self.draft[field].loops;
        match loops.contains(&over) {
            true => over,
            false => loops.iter().copied().find(|own| self.draft.is_same_count(*own, over)).unwrap_or(over),
        }
    }

    /// Replaces a loop that only aggregates what another loop has read by that loop.
    fn replace_pure_loop(&self, over: LoopId, inner: &Term) -> Option<Term> {
        if self.draft[over].kind != LoopKind::Pure {
            return None;
        }
        let count = &self.draft[over].count;
        let found = inner.replace_subterms(&|part| match part {
            Term::Element(id, places) => {
                let last = *self.draft[*id].loops.last()?;
                let same = self.draft[last].count == *count && matches!(count, LoopCount::Times(_));
                let each = places.as_slice() == [Term::LoopIndex(over).add_constant(1)];
                (same && each).then_some(Term::Field(*id))
            }
            _ => None,
        });
        (!found.any_subterm(&|t| matches!(t, Term::LoopIndex(_) | Term::Element(..)))).then_some(found)
    }
}

fn is_equality(sign: ComparisonOperator) -> bool {
    matches!(sign, ComparisonOperator::Equal | ComparisonOperator::NotEqual)
}

fn compare(left: SyntaxTerm, sign: ComparisonOperator, right: SyntaxTerm) -> SyntaxFormula {
    SyntaxFormula::Chain(ComparisonChain::new(left).followed_by(sign.as_str(), vec![right]))
}

fn predicate(name: &str, argument: SyntaxTerm) -> SyntaxFormula {
    SyntaxFormula::Chain(ComparisonChain::new(SyntaxTerm::new_call(name, vec![argument])))
}

fn quantify(every: bool, name: &str, first: SyntaxTerm, last: SyntaxTerm, body: SyntaxFormula) -> SyntaxFormula {
    let range = Box::new((first, last));
    SyntaxFormula::Quantified { every, name: name.to_owned(), range, body: Box::new(body), span: Span::default() }
}

/// Returns a formula as a line of the where part.
fn rule_of_formula(formula: SyntaxFormula) -> SyntaxRule {
    match formula {
        SyntaxFormula::Chain(chain) if !chain.signs.is_empty() => SyntaxRule::Chain(chain),
        SyntaxFormula::Chain(mut chain) => SyntaxRule::Predicate(chain.lists.remove(0).remove(0)),
        formula => SyntaxRule::Formula(formula, Span::default()),
    }
}

/// Returns a letter in single quotes.
fn letter_term(term: &Term) -> Lowered<SyntaxTerm> {
    match term {
        Term::Text(text) if text.len() == 1 => Ok(SyntaxTerm::new(SyntaxTermKind::Letter(text[0]))),
        _ => Err("letters can only be compared with letters"),
    }
}

/// Returns a number with a decimal point.
fn decimal_term(text: &str) -> Lowered<SyntaxTerm> {
    let (sign, number) = text.strip_prefix('-').map_or((1, text), |number| (-1, number));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let places = u32::try_from(fraction.len()).unwrap_or(u32::MAX);
    let digits = format!("{whole}{fraction}").parse::<i128>();
    let digits = digits.map_err(|_| "numbers are limited to 10^36")?;
    let number = match places {
        0 => SyntaxTerm::from_number(digits),
        places => SyntaxTerm::new(SyntaxTermKind::Decimal(digits, places)),
    };
    Ok(if sign < 0 { number.into_negated() } else { number })
}

/// Checks that a text can be a word of the input.
pub(crate) fn visible_word(text: &[u8]) -> Lowered<&[u8]> {
    let is_visible = !text.is_empty() && text.iter().all(u8::is_ascii_graphic);
    if is_visible { Ok(text) } else { Err("words can only contain visible ASCII characters") }
}
