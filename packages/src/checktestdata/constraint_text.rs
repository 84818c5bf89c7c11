//! Rendering of symbolic terms and claims in the format language.

use super::draft::{ConversionDraft, DraftFieldKind, DraftLoopKind, DraftRule, DraftTextSize, LoopCount};
use super::field_names::FieldNames;
use super::symbolic::{DraftFieldId, DraftLoopId, SymbolicClaim, SymbolicTerm};

/// The rendered text, or the reason why something cannot be expressed.
pub(super) type ConstraintTextResult = Result<String, &'static str>;

/// Context for rendering a rule.
pub(super) struct ConstraintRenderer<'d> {
    pub(super) draft: &'d ConversionDraft,
    pub(super) names: &'d FieldNames<'d>,
    /// Enclosing loops.
    pub(super) loops: &'d [DraftLoopId],
    /// Loops bound by a quantifier, with its variable.
    quantifiers: Vec<(DraftLoopId, String)>,
}

const OUT_OF_SCOPE: &str = "it refers to values of a finished loop";

impl<'d> ConstraintRenderer<'d> {
    pub(super) fn new(draft: &'d ConversionDraft, names: &'d FieldNames<'d>, loops: &'d [DraftLoopId]) -> Self {
        ConstraintRenderer { draft, names, loops, quantifiers: Vec::new() }
    }

    /// Renders a rule with its conditions and quantifiers.
    pub(super) fn render_rule(&mut self, rule: &DraftRule, conditions: &[SymbolicClaim]) -> ConstraintTextResult {
        if conditions.is_empty()
            && rule.first_repetition == 1
            && let Some(claim) = self.to_elementwise(&rule.claim)
        {
            return self.render_claim(&claim, 0);
        }
        if matches!(rule.claim, SymbolicClaim::SimpleGraph(..)) && !conditions.is_empty() {
            return Err("a graph cannot depend on a condition");
        }
        let mut wanted: Vec<DraftLoopId> = Vec::new();
        let is_plain_comparison = conditions.is_empty() && matches!(rule.claim, SymbolicClaim::Compare(..));
        for claim in conditions.iter().chain([&rule.claim]) {
            if !is_plain_comparison {
                self.collect_array_loops(claim, &mut wanted);
            }
            self.collect_indexed_loops(claim, &mut wanted);
        }
        let mut heads = String::new();
        for over in rule.loops.iter().filter(|l| wanted.contains(l)) {
            let count = self.draft.loop_count(*over).ok_or("it refers to the counter of a loop without a count")?;
            let count = self.render_term(count, 0)?;
            let others: Vec<String> = self.quantifiers.iter().map(|(_, name)| name.clone()).collect();
            let name = self.names.quantifier_name(self.draft.loop_by_id(*over).counter.as_deref(), &others);
            let skips = rule.first_repetition == 2 || conditions.iter().any(|c| c.skips_first_repetition(*over));
            heads += &format!("forall {name} in {}..{count}: ", 1 + i128::from(skips));
            self.quantifiers.push((*over, name));
        }
        if wanted.iter().any(|l| !rule.loops.contains(l)) {
            return Err(OUT_OF_SCOPE);
        }
        let body = self.render_claim(&rule.claim, 0)?;
        let is_needed = |claim: &&SymbolicClaim| !wanted.iter().any(|over| claim.skips_first_repetition(*over));
        let conditions = conditions.iter().filter(is_needed);
        let premises: Vec<String> = conditions.map(|c| self.render_claim(c, 2)).collect::<Result<_, _>>()?;
        let arrow = if premises.is_empty() { String::new() } else { format!("{} => ", premises.join(" and ")) };
        Ok(format!("{heads}{arrow}{body}"))
    }

    /// Rewrites a comparison of arrays of the same size as an elementwise one, which needs no quantifier.
    fn to_elementwise(&self, claim: &SymbolicClaim) -> Option<SymbolicClaim> {
        let SymbolicClaim::Compare(..) = claim else { return None };
        let over = *self.loops.last()?;
        let count = self.draft.loop_count(over)?;
        let array = |id: &DraftFieldId| {
            let (last, outer) = self.draft.field_by_id(*id).loops.split_last()?;
            let inline = self.draft.loop_by_id(*last).kind == DraftLoopKind::Inline;
            let plain = self.draft.loop_count(*last) == Some(count) && outer == &self.loops[..self.loops.len() - 1];
            let number =
                matches!(self.draft.field_by_id(*id).kind, DraftFieldKind::Number { .. } | DraftFieldKind::Real { .. });
            (inline && plain && number && self.check_present(*id).is_ok())
                .then(|| self.draft.field_by_id(*id).name.clone())
        };
        let found = claim.replace_subterms(&|part| match part {
            SymbolicTerm::Element(id, places)
                if places.as_slice() == [SymbolicTerm::LoopIndex(over).add_constant(1)] =>
            {
                array(id).map(SymbolicTerm::BoundVariable)
            }
            SymbolicTerm::Field(id) if self.draft.field_by_id(*id).loops.last() == Some(&over) => {
                array(id).map(SymbolicTerm::BoundVariable)
            }
            _ => None,
        });
        let is_complete = !found.any_subterm(&|t| match t {
            SymbolicTerm::Element(..) | SymbolicTerm::LoopIndex(_) => true,
            SymbolicTerm::Field(id) => self.draft.field_by_id(*id).loops.contains(&over),
            _ => false,
        });
        (is_complete && found != *claim).then_some(found)
    }

    /// Collects the loops of arrays in a formula. Formulas are about single numbers, so a quantifier must run over
    /// each array.
    fn collect_array_loops(&self, claim: &SymbolicClaim, wanted: &mut Vec<DraftLoopId>) {
        claim.visit_subterms(&mut |part| {
            let SymbolicTerm::Field(field) = part else { return };
            for over in self.draft.field_dimensions(*field) {
                if self.loops.contains(&over) && !wanted.contains(&over) {
                    wanted.push(over);
                }
            }
        });
    }

    /// Collects the loops that need a quantifier: those with a counter that is used, and those inside them.
    fn collect_indexed_loops(&self, claim: &SymbolicClaim, wanted: &mut Vec<DraftLoopId>) {
        claim.visit_subterms(&mut |part| {
            if let SymbolicTerm::LoopIndex(id) = part
                && !wanted.contains(id)
            {
                wanted.push(*id);
            }
        });
        claim.visit_subterms(&mut |part| {
            let SymbolicTerm::Field(field) = part else { return };
            let loops = &self.draft.field_by_id(*field).loops;
            let first = loops.iter().position(|l| wanted.contains(l));
            for inner in first.map(|at| &loops[at..]).unwrap_or_default() {
                if self.loops.contains(inner) && !wanted.contains(inner) {
                    wanted.push(*inner);
                }
            }
        });
    }

    /// Renders a claim, in parentheses if it binds weaker than `level`: 1 for `or`, 2 for `and`, 3 for `not`.
    pub(super) fn render_claim(&mut self, claim: &SymbolicClaim, level: usize) -> ConstraintTextResult {
        let bracketed = |text: String, own_level: usize| if own_level < level { format!("({text})") } else { text };
        match claim {
            SymbolicClaim::Unknown(reason) => Err(reason),
            SymbolicClaim::Compare(sign, left, right) => self.render_comparison(sign, left, right),
            SymbolicClaim::All(parts) => {
                let parts: Vec<String> = parts.iter().map(|p| self.render_claim(p, 2)).collect::<Result<_, _>>()?;
                Ok(bracketed(parts.join(" and "), 2))
            }
            SymbolicClaim::Any(parts) => {
                let parts: Vec<String> = parts.iter().map(|p| self.render_claim(p, 2)).collect::<Result<_, _>>()?;
                Ok(bracketed(parts.join(" or "), 1))
            }
            SymbolicClaim::Not(inner) => match &**inner {
                SymbolicClaim::Contains(field, value) => self.render_membership(*field, value, "forall", "!="),
                inner => Ok(format!("not ({})", self.render_claim(inner, 0)?)),
            },
            SymbolicClaim::Distinct(over, terms) => self.render_distinct(*over, terms),
            SymbolicClaim::SimpleGraph(over, from, to) => self.render_simple_graph(*over, *from, *to),
            SymbolicClaim::Ordered(name, over, SymbolicTerm::Field(field))
                if self.draft.field_by_id(*field).loops.last() == Some(over) =>
            {
                Ok(format!("{name}({})", self.draft.field_by_id(*field).name))
            }
            SymbolicClaim::Ordered(..) => Err(OUT_OF_SCOPE),
            SymbolicClaim::Contains(field, value) => self.render_membership(*field, value, "exists", "="),
            SymbolicClaim::NewToArray(..) => Err("it refers to an array that is filled during the loop"),
        }
    }

    fn render_comparison(&mut self, sign: &str, left: &SymbolicTerm, right: &SymbolicTerm) -> ConstraintTextResult {
        self.check_comparable(left, right, sign)?;
        // A remainder is 0 independent of how division rounds.
        if let (SymbolicTerm::Binary('%', number, by), Some(0), true) =
            (left, right.constant_value(), matches!(sign, "=" | "!="))
            && by.constant_value().is_some_and(|n| n > 0)
        {
            return Ok(format!("{}%{} {sign} 0", self.render_term(number, 2)?, self.render_term(by, 3)?));
        }
        let (left, right) = (self.bind_loop_indices(left), self.bind_loop_indices(right));
        // Write `i - 1 = 0` as `i = 1`.
        let is_shifted = match &left {
            SymbolicTerm::Binary('-', base, one) => is_bound_variable(base) && one.constant_value() == Some(1),
            _ => false,
        };
        let (left, right) = if is_shifted { (left.add_constant(1), right.add_constant(1)) } else { (left, right) };
        Ok(format!("{} {sign} {}", self.render_term(&left, 0)?, self.render_term(&right, 0)?))
    }

    /// Replaces loop counters by the variables of their quantifiers.
    fn bind_loop_indices(&self, term: &SymbolicTerm) -> SymbolicTerm {
        term.replace_subterms(&|part| match part {
            SymbolicTerm::LoopIndex(id) => {
                let name = self.quantifiers.iter().find(|(over, _)| over == id);
                name.map(|(_, name)| SymbolicTerm::BoundVariable(name.clone()).add_constant(-1))
            }
            _ => None,
        })
    }

    /// Returns true if both sides are texts, each the only one with its name that is visible here.
    fn are_comparable_texts(&self, left: &SymbolicTerm, right: &SymbolicTerm) -> bool {
        let alone = |id: &DraftFieldId| {
            let field = self.draft.field_by_id(*id);
            let letters = matches!(field.kind, DraftFieldKind::Text { .. } | DraftFieldKind::Pattern { .. });
            letters && !field.loops.iter().any(|l| self.quantifiers.iter().any(|(over, _)| over == l)) && !field.is_row
        };
        let text = |term: &SymbolicTerm| match term {
            SymbolicTerm::Field(id) => self.draft.field_dimensions(*id).is_empty() && alone(id),
            SymbolicTerm::Text(_) => true,
            _ => false,
        };
        text(left) && text(right) && !matches!((left, right), (SymbolicTerm::Text(_), SymbolicTerm::Text(_)))
    }

    /// Checks the types of a comparison: numbers with numbers, words with words, and single texts with each other.
    fn check_comparable(&self, left: &SymbolicTerm, right: &SymbolicTerm, sign: &str) -> Result<(), &'static str> {
        if self.are_comparable_texts(left, right) {
            return Ok(());
        }
        for (side, other) in [(left, right), (right, left)] {
            let words = match side {
                SymbolicTerm::Text(_) => None,
                SymbolicTerm::Field(id) | SymbolicTerm::Element(id, _) => match &self.draft.field_by_id(*id).kind {
                    DraftFieldKind::Words(words) => Some(words),
                    DraftFieldKind::Text { .. } | DraftFieldKind::Pattern { .. } => {
                        return Err("texts cannot be compared");
                    }
                    _ => continue,
                },
                _ => continue,
            };
            let equal = matches!(sign, "=" | "!=");
            let fits = match (words, other) {
                (Some(words), SymbolicTerm::Text(text)) => words.contains(text),
                (Some(words), SymbolicTerm::Field(id) | SymbolicTerm::Element(id, _)) => {
                    matches!(&self.draft.field_by_id(*id).kind, DraftFieldKind::Words(others) if others == words)
                }
                (None, SymbolicTerm::Field(_) | SymbolicTerm::Element(..)) => true,
                _ => false,
            };
            if !equal || !fits {
                return Err("texts cannot be compared");
            }
        }
        Ok(())
    }

    fn render_distinct(&mut self, over: DraftLoopId, terms: &[SymbolicTerm]) -> ConstraintTextResult {
        let mut names = Vec::new();
        for term in terms {
            let SymbolicTerm::Field(id) = term else { return Err(OUT_OF_SCOPE) };
            let loops = &self.draft.field_by_id(*id).loops;
            let at = loops.iter().position(|l| *l == over).ok_or(OUT_OF_SCOPE)?;
            let inner = loops[at + 1..].iter().all(|l| self.draft.loop_by_id(*l).kind == DraftLoopKind::Inline);
            if !loops[..at].iter().all(|l| self.loops.contains(l)) || !inner {
                return Err(OUT_OF_SCOPE);
            }
            self.check_present(*id)?;
            let text = matches!(
                self.draft.field_by_id(*id).kind,
                DraftFieldKind::Text { .. } | DraftFieldKind::Pattern { .. }
            );
            if text && terms.len() > 1 {
                return Err("texts cannot be compared together with others");
            }
            names.push(self.draft.field_by_id(*id).name.clone());
        }
        let list = names.join(", ");
        Ok(if names.len() == 1 { format!("distinct({list})") } else { format!("distinct(({list}))") })
    }

    /// Renders edges: each instance of a block is an edge between vertices in the range of its ends.
    fn render_simple_graph(&mut self, over: DraftLoopId, from: DraftFieldId, to: DraftFieldId) -> ConstraintTextResult {
        let ends = [self.draft.field_by_id(from), self.draft.field_by_id(to)];
        let (DraftFieldKind::Number { min, max }, DraftFieldKind::Number { min: low, max: high }) =
            (&ends[0].kind, &ends[1].kind)
        else {
            return Err(OUT_OF_SCOPE);
        };
        let is_in_scope = |field: &super::draft::DraftField| {
            field
                .loops
                .split_last()
                .is_some_and(|(last, outer)| *last == over && outer.iter().all(|l| self.loops.contains(l)))
        };
        let block = self.draft.loop_by_id(over).kind == DraftLoopKind::Block;
        if min != low || max != high || !block || !ends.iter().all(|e| is_in_scope(e)) {
            return Err(OUT_OF_SCOPE);
        }
        self.check_present(from)?;
        let (first, second) = (ends[0].name.clone(), ends[1].name.clone());
        let (min, max) = (self.render_term(min, 0)?, self.render_term(max, 0)?);
        Ok(format!("edges ({first}, {second}) on {min}..{max}: simple"))
    }

    fn render_membership(
        &mut self,
        field: DraftFieldId,
        value: &SymbolicTerm,
        quantifier: &str,
        sign: &str,
    ) -> ConstraintTextResult {
        self.check_present(field)?;
        let loops = &self.draft.field_by_id(field).loops;
        let (over, outer) = loops.split_last().ok_or(OUT_OF_SCOPE)?;
        if !outer.iter().all(|l| self.loops.contains(l)) {
            return Err(OUT_OF_SCOPE);
        }
        let count = self.draft.loop_count(*over).ok_or("its length is unknown")?;
        let others: Vec<String> = self.quantifiers.iter().map(|(_, name)| name.clone()).collect();
        let name = self.names.quantifier_name(None, &others);
        let count = self.render_term(count, 0)?;
        let value = self.render_term(value, 0)?;
        Ok(format!("{quantifier} {name} in 1..{count}: {}[{name}] {sign} {value}", self.draft.field_by_id(field).name))
    }

    /// Checks that a field is part of the layout.
    fn check_present(&self, field: DraftFieldId) -> Result<(), &'static str> {
        if self.draft.field_by_id(field).dropped { Err("it refers to a line that cannot be expressed") } else { Ok(()) }
    }

    /// Renders a term, in parentheses if it binds weaker than `level`: 1 for sums, 2 for products, 3 for powers.
    pub(super) fn render_term(&mut self, term: &SymbolicTerm, level: usize) -> ConstraintTextResult {
        Ok(match term {
            SymbolicTerm::Number(number) if *number < 0 && level > 1 => format!("({number})"),
            SymbolicTerm::Number(number) => number.to_string(),
            SymbolicTerm::Decimal(text) | SymbolicTerm::BoundVariable(text) | SymbolicTerm::Constant(text, _) => {
                text.clone()
            }
            SymbolicTerm::Text(text) => quote_word(text)?,
            SymbolicTerm::Field(id) => self.render_field(*id)?,
            SymbolicTerm::Element(id, places) => self.render_element(*id, places)?,
            SymbolicTerm::Length(id) => self.render_length(*id, level)?,
            SymbolicTerm::Repetitions(id) => self.render_repetitions(*id)?,
            SymbolicTerm::LoopIndex(id) => match self.quantifiers.iter().find(|(over, _)| over == id) {
                Some((_, name)) => {
                    let shifted = SymbolicTerm::BoundVariable(name.clone()).add_constant(-1);
                    self.render_term(&shifted, level)?
                }
                None => return Err("it refers to the counter of a loop"),
            },
            SymbolicTerm::Minus(inner) => {
                let text = format!("-{}", self.render_term(inner, 3)?);
                if level > 1 { format!("({text})") } else { text }
            }
            SymbolicTerm::Binary(sign, left, right) => self.render_binary(*sign, left, right, level)?,
            SymbolicTerm::Fold(name, over, inner) => self.render_fold(name, *over, inner)?,
            SymbolicTerm::Count(_, field, value) => {
                self.check_present(*field)?;
                format!("count({}, {})", self.draft.field_by_id(*field).name, self.render_term(value, 0)?)
            }
            SymbolicTerm::LoopCarried(..) => return Err("it refers to a value that changes during a loop"),
            SymbolicTerm::Conditional(..) => return Err("it refers to a value that depends on a condition"),
            SymbolicTerm::Unknown(why) => return Err(why),
        })
    }

    fn render_binary(
        &mut self,
        sign: char,
        left: &SymbolicTerm,
        right: &SymbolicTerm,
        level: usize,
    ) -> ConstraintTextResult {
        // Combine the constants first, so that `(i - 1) + 1` becomes `i` again.
        if matches!(sign, '+' | '-') && left.any_subterm(&|t| matches!(t, SymbolicTerm::LoopIndex(_))) {
            let whole = SymbolicTerm::new_binary(sign, self.bind_loop_indices(left), self.bind_loop_indices(right));
            if !whole.any_subterm(&|t| matches!(t, SymbolicTerm::LoopIndex(_))) {
                return self.render_term(&whole, level);
            }
        }
        let real = |t: &SymbolicTerm| t.any_subterm(&|p| self.is_real(p));
        if matches!(sign, '/' | '%' | '^') && (real(left) || real(right)) {
            return Err("real numbers can only be added, subtracted and multiplied");
        }
        if matches!(sign, '/' | '%') {
            let whole = SymbolicTerm::Binary(sign, Box::new(left.clone()), Box::new(right.clone())).constant_value();
            if self.draft.value_range(left).0.is_none_or(|n| n < 0)
                || self.draft.value_range(right).0.is_none_or(|n| n <= 0)
            {
                let number = whole.ok_or("division of negative numbers rounds differently")?;
                return self.render_term(&SymbolicTerm::Number(number), level);
            }
        }
        let own = match sign {
            '+' | '-' => 1,
            '^' => 3,
            _ => 2,
        };
        let (left, right) = (self.render_term(left, own + usize::from(own == 3))?, self.render_term(right, own + 1)?);
        let text = if own == 1 { format!("{left} {sign} {right}") } else { format!("{left}{sign}{right}") };
        Ok(if own < level { format!("({text})") } else { text })
    }

    fn is_real(&self, term: &SymbolicTerm) -> bool {
        match term {
            SymbolicTerm::Decimal(_) => true,
            SymbolicTerm::Field(id) | SymbolicTerm::Element(id, _) => {
                matches!(self.draft.field_by_id(*id).kind, DraftFieldKind::Real { .. })
            }
            _ => false,
        }
    }

    fn render_field(&mut self, id: DraftFieldId) -> ConstraintTextResult {
        self.check_present(id)?;
        let field = self.draft.field_by_id(id);
        if !field.loops.iter().all(|l| self.loops.contains(l)) {
            return Err(OUT_OF_SCOPE);
        }
        let mut text = field.name.clone();
        for over in &field.loops {
            if let Some((_, name)) = self.quantifiers.iter().find(|(id, _)| id == over) {
                text += &format!("[{name}]");
            }
        }
        Ok(text)
    }

    fn render_element(&mut self, id: DraftFieldId, places: &[SymbolicTerm]) -> ConstraintTextResult {
        self.check_present(id)?;
        let field = self.draft.field_by_id(id);
        let outer = field.loops.len().checked_sub(places.len()).ok_or(OUT_OF_SCOPE)?;
        if !field.loops[..outer].iter().all(|l| self.loops.contains(l)) {
            return Err(OUT_OF_SCOPE);
        }
        let mut text = field.name.clone();
        for over in &field.loops[..outer] {
            if let Some((_, name)) = self.quantifiers.iter().find(|(id, _)| id == over) {
                text += &format!("[{name}]");
            }
        }
        for place in places {
            let place = self.render_term(place, 0)?;
            text += &format!("[{place}]");
        }
        Ok(text)
    }

    fn render_length(&mut self, id: DraftFieldId, level: usize) -> ConstraintTextResult {
        self.check_present(id)?;
        if let DraftFieldKind::Text { size: DraftTextSize::Exactly(size), .. } = &self.draft.field_by_id(id).kind {
            let size = size.clone();
            return self.render_term(&size, level);
        }
        let name = self.render_field(id)?;
        Ok(format!("len({name})"))
    }

    fn render_repetitions(&mut self, id: DraftLoopId) -> ConstraintTextResult {
        let list = self.draft.fields.iter().find(|f| f.loops.last() == Some(&id));
        match (self.draft.loop_by_id(id).kind, list) {
            (DraftLoopKind::Inline, Some(field)) if !field.dropped => Ok(format!("len({})", field.name)),
            _ => Err("it refers to the number of repetitions of a loop without a count"),
        }
    }

    fn render_fold(&mut self, name: &str, over: DraftLoopId, inner: &SymbolicTerm) -> ConstraintTextResult {
        let inner = self.replace_pure_loop(over, inner).unwrap_or_else(|| inner.clone());
        let (mut has_own, mut is_in_scope) = (false, true);
        inner.visit_subterms(&mut |part| {
            let SymbolicTerm::Field(id) = part else { return };
            let loops = &self.draft.field_by_id(*id).loops;
            let outer = loops.iter().all(|l| self.loops.contains(l));
            let last = loops.split_last().is_some_and(|(_, around)| around.iter().all(|l| self.loops.contains(l)));
            has_own |= !outer;
            is_in_scope &= outer || last;
        });
        let nested = matches!(inner, SymbolicTerm::Fold(..));
        if !(has_own && is_in_scope || nested) {
            return Err(OUT_OF_SCOPE);
        }
        let mut loops = self.loops.to_vec();
        loops.push(over);
        loops.extend(self.innermost_loops(&inner));
        let mut scope = ConstraintRenderer {
            draft: self.draft,
            names: self.names,
            loops: &loops,
            quantifiers: self.quantifiers.clone(),
        };
        let body = scope.render_term(&inner, 0)?;
        Ok(format!("{name}({body})"))
    }

    fn innermost_loops(&self, term: &SymbolicTerm) -> Vec<DraftLoopId> {
        let mut found = Vec::new();
        term.visit_subterms(&mut |part| {
            if let SymbolicTerm::Field(id) = part {
                found.extend(self.draft.field_by_id(*id).loops.last().copied());
            }
        });
        found
    }

    /// Replaces a loop that only aggregates what another loop has read by that loop.
    fn replace_pure_loop(&self, over: DraftLoopId, inner: &SymbolicTerm) -> Option<SymbolicTerm> {
        if self.draft.loop_by_id(over).kind != DraftLoopKind::Pure {
            return None;
        }
        let count = &self.draft.loop_by_id(over).count;
        let found = inner.replace_subterms(&|part| match part {
            SymbolicTerm::Element(id, places) => {
                let last = *self.draft.field_by_id(*id).loops.last()?;
                let same = self.draft.loop_by_id(last).count == *count && matches!(count, LoopCount::Times(_));
                let each = places.as_slice() == [SymbolicTerm::LoopIndex(over).add_constant(1)];
                (same && each).then_some(SymbolicTerm::Field(*id))
            }
            _ => None,
        });
        (!found.any_subterm(&|t| matches!(t, SymbolicTerm::LoopIndex(_) | SymbolicTerm::Element(..)))).then_some(found)
    }
}

/// Returns true if a term is the variable of a quantifier.
fn is_bound_variable(term: &SymbolicTerm) -> bool {
    matches!(term, SymbolicTerm::BoundVariable(_))
}

/// Quotes a text.
pub(super) fn quote_word(text: &[u8]) -> ConstraintTextResult {
    if text.is_empty() || !text.iter().all(u8::is_ascii_graphic) {
        return Err("words can only contain visible ASCII characters");
    }
    let mut found = String::from("\"");
    for byte in text {
        if b"\"\\".contains(byte) {
            found.push('\\');
        }
        found.push(char::from(*byte));
    }
    found.push('"');
    Ok(found)
}
