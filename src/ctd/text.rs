//! Terms and claims in the format language.

use super::draft::{Count, Draft, FieldKind, LoopKind, Rule, Size};
use super::names::Names;
use super::term::{Claim, FieldId, LoopId, Term};

/// Why something has no words, if it has none.
pub(super) type Said = Result<String, &'static str>;

/// What the names in a rule stand for.
pub(super) struct Scope<'d> {
    pub(super) draft: &'d Draft,
    pub(super) names: &'d Names<'d>,
    /// The loops around.
    pub(super) loops: &'d [LoopId],
    /// Those that a quantifier runs over, and its variable.
    quantified: Vec<(LoopId, String)>,
}

const ELSEWHERE: &str = "it speaks of repetitions that are over";

impl<'d> Scope<'d> {
    pub(super) fn new(draft: &'d Draft, names: &'d Names<'d>, loops: &'d [LoopId]) -> Self {
        Scope { draft, names, loops, quantified: Vec::new() }
    }

    /// A rule with its conditions and its quantifiers.
    pub(super) fn rule(&mut self, rule: &Rule, conditions: &[Claim]) -> Said {
        if conditions.is_empty()
            && rule.from == 1
            && let Some(claim) = self.elementwise(&rule.claim)
        {
            return self.claim(&claim, 0);
        }
        if matches!(rule.claim, Claim::Simple(..)) && !conditions.is_empty() {
            return Err("a graph cannot depend on a condition");
        }
        let mut wanted: Vec<LoopId> = Vec::new();
        let simple = conditions.is_empty() && matches!(rule.claim, Claim::Compare(..));
        for claim in conditions.iter().chain([&rule.claim]) {
            if !simple {
                self.elements(claim, &mut wanted);
            }
            self.indexed(claim, &mut wanted);
        }
        let mut heads = String::new();
        for over in rule.loops.iter().filter(|l| wanted.contains(l)) {
            let count = self.draft.times(*over).ok_or("it speaks of the number of a repetition without a count")?;
            let count = self.term(count, 0)?;
            let others: Vec<String> = self.quantified.iter().map(|(_, name)| name.clone()).collect();
            let name = self.names.quantified(self.draft.the_loop(*over).counter.as_deref(), &others);
            let skips = rule.from == 2 || conditions.iter().any(|c| c.skips_first(*over));
            heads += &format!("forall {name} in {}..{count}: ", 1 + i128::from(skips));
            self.quantified.push((*over, name));
        }
        if wanted.iter().any(|l| !rule.loops.contains(l)) {
            return Err(ELSEWHERE);
        }
        let said = self.claim(&rule.claim, 0)?;
        let said_already = |claim: &&Claim| !wanted.iter().any(|over| claim.skips_first(*over));
        let conditions = conditions.iter().filter(said_already);
        let under: Vec<String> = conditions.map(|c| self.claim(c, 2)).collect::<Result<_, _>>()?;
        let arrow = if under.is_empty() { String::new() } else { format!("{} => ", under.join(" and ")) };
        Ok(format!("{heads}{arrow}{said}"))
    }

    /// A comparison of arrays of one size, element by element: that needs no quantifier.
    fn elementwise(&self, claim: &Claim) -> Option<Claim> {
        let Claim::Compare(..) = claim else { return None };
        let over = *self.loops.last()?;
        let count = self.draft.times(over)?;
        let array = |id: &FieldId| {
            let (last, around) = self.draft.field(*id).loops.split_last()?;
            let inline = self.draft.the_loop(*last).kind == LoopKind::Inline;
            let plain = self.draft.times(*last) == Some(count) && around == &self.loops[..self.loops.len() - 1];
            let number = matches!(self.draft.field(*id).kind, FieldKind::Number { .. } | FieldKind::Real { .. });
            (inline && plain && number && self.present(*id).is_ok()).then(|| self.draft.field(*id).name.clone())
        };
        let found = claim.replaced(&|part| match part {
            Term::Element(id, places) if places.as_slice() == [Term::Index(over).plus(1)] => array(id).map(Term::Bound),
            Term::Field(id) if self.draft.field(*id).loops.last() == Some(&over) => array(id).map(Term::Bound),
            _ => None,
        });
        let done = !found.any(&|t| match t {
            Term::Element(..) | Term::Index(_) => true,
            Term::Field(id) => self.draft.field(*id).loops.contains(&over),
            _ => false,
        });
        (done && found != *claim).then_some(found)
    }

    /// A formula is about single numbers: where it speaks of an array, a quantifier must run over the array.
    fn elements(&self, claim: &Claim, wanted: &mut Vec<LoopId>) {
        claim.visit(&mut |part| {
            let Term::Field(field) = part else { return };
            for over in self.draft.dimensions(*field) {
                if self.loops.contains(&over) && !wanted.contains(&over) {
                    wanted.push(over);
                }
            }
        });
    }

    /// The loops that a quantifier must run over: those whose number is asked for, and those within them.
    fn indexed(&self, claim: &Claim, wanted: &mut Vec<LoopId>) {
        claim.visit(&mut |part| {
            if let Term::Index(id) = part
                && !wanted.contains(id)
            {
                wanted.push(*id);
            }
        });
        claim.visit(&mut |part| {
            let Term::Field(field) = part else { return };
            let loops = &self.draft.field(*field).loops;
            let first = loops.iter().position(|l| wanted.contains(l));
            for inner in first.map(|at| &loops[at..]).unwrap_or_default() {
                if self.loops.contains(inner) && !wanted.contains(inner) {
                    wanted.push(*inner);
                }
            }
        });
    }

    /// A claim; brackets around it if it binds weaker than `level`: 1 for `or`, 2 for `and`, 3 for `not`.
    pub(super) fn claim(&mut self, claim: &Claim, level: usize) -> Said {
        let bracketed = |text: String, own: usize| if own < level { format!("({text})") } else { text };
        match claim {
            Claim::Unknown(why) => Err(why),
            Claim::Compare(sign, left, right) => self.comparison(sign, left, right),
            Claim::All(parts) => {
                let said: Vec<String> = parts.iter().map(|p| self.claim(p, 2)).collect::<Result<_, _>>()?;
                Ok(bracketed(said.join(" and "), 2))
            }
            Claim::Any(parts) => {
                let said: Vec<String> = parts.iter().map(|p| self.claim(p, 2)).collect::<Result<_, _>>()?;
                Ok(bracketed(said.join(" or "), 1))
            }
            Claim::Not(inner) => match &**inner {
                Claim::Among(field, value) => self.among(*field, value, "forall", "!="),
                inner => Ok(format!("not ({})", self.claim(inner, 0)?)),
            },
            Claim::Distinct(over, terms) => self.distinct(*over, terms),
            Claim::Simple(over, from, to) => self.simple(*over, *from, *to),
            Claim::Ordered(name, over, Term::Field(field)) if self.draft.field(*field).loops.last() == Some(over) => {
                Ok(format!("{name}({})", self.draft.field(*field).name))
            }
            Claim::Ordered(..) => Err(ELSEWHERE),
            Claim::Among(field, value) => self.among(*field, value, "exists", "="),
            Claim::Fresh(..) => Err("an array that is filled on the way has no counterpart"),
        }
    }

    fn comparison(&mut self, sign: &str, left: &Term, right: &Term) -> Said {
        self.comparable(left, right, sign)?;
        // Whether something is left over is the same whichever way is rounded.
        if let (Term::Binary('%', number, by), Some(0), true) = (left, right.number(), matches!(sign, "=" | "!="))
            && by.number().is_some_and(|n| n > 0)
        {
            return Ok(format!("{}%{} {sign} 0", self.term(number, 2)?, self.term(by, 3)?));
        }
        let (left, right) = (self.bound(left), self.bound(right));
        // `i - 1 = 0` is `i = 1`.
        let before = matches!(&left, Term::Binary('-', base, one) if is_variable(base) && one.number() == Some(1));
        let (left, right) = if before { (left.plus(1), right.plus(1)) } else { (left, right) };
        Ok(format!("{} {sign} {}", self.term(&left, 0)?, self.term(&right, 0)?))
    }

    /// The same with the variables of the quantifiers in it.
    fn bound(&self, term: &Term) -> Term {
        term.replaced(&|part| match part {
            Term::Index(id) => {
                let name = self.quantified.iter().find(|(over, _)| over == id);
                name.map(|(_, name)| Term::Bound(name.clone()).plus(-1))
            }
            _ => None,
        })
    }

    /// Whether both sides are texts, each of which is the only one of its name that can be seen from here.
    fn are_texts(&self, left: &Term, right: &Term) -> bool {
        let alone = |id: &FieldId| {
            let field = self.draft.field(*id);
            let letters = matches!(field.kind, FieldKind::Text { .. } | FieldKind::Pattern { .. });
            letters && !field.loops.iter().any(|l| self.quantified.iter().any(|(over, _)| over == l)) && !field.is_row
        };
        let text = |term: &Term| match term {
            Term::Field(id) => self.draft.dimensions(*id).is_empty() && alone(id),
            Term::Text(_) => true,
            _ => false,
        };
        text(left) && text(right) && !matches!((left, right), (Term::Text(_), Term::Text(_)))
    }

    /// Numbers are compared with numbers, words with words, and one text with another.
    fn comparable(&self, left: &Term, right: &Term, sign: &str) -> Result<(), &'static str> {
        if self.are_texts(left, right) {
            return Ok(());
        }
        for (side, other) in [(left, right), (right, left)] {
            let words = match side {
                Term::Text(_) => None,
                Term::Field(id) | Term::Element(id, _) => match &self.draft.field(*id).kind {
                    FieldKind::Words(words) => Some(words),
                    FieldKind::Text { .. } | FieldKind::Pattern { .. } => return Err("texts cannot be compared"),
                    _ => continue,
                },
                _ => continue,
            };
            let equal = matches!(sign, "=" | "!=");
            let fits = match (words, other) {
                (Some(words), Term::Text(text)) => words.contains(text),
                (Some(words), Term::Field(id) | Term::Element(id, _)) => {
                    matches!(&self.draft.field(*id).kind, FieldKind::Words(others) if others == words)
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

    fn distinct(&mut self, over: LoopId, terms: &[Term]) -> Said {
        let mut names = Vec::new();
        for term in terms {
            let Term::Field(id) = term else { return Err(ELSEWHERE) };
            let loops = &self.draft.field(*id).loops;
            let at = loops.iter().position(|l| *l == over).ok_or(ELSEWHERE)?;
            let inner = loops[at + 1..].iter().all(|l| self.draft.the_loop(*l).kind == LoopKind::Inline);
            if !loops[..at].iter().all(|l| self.loops.contains(l)) || !inner {
                return Err(ELSEWHERE);
            }
            self.present(*id)?;
            let text = matches!(self.draft.field(*id).kind, FieldKind::Text { .. } | FieldKind::Pattern { .. });
            if text && terms.len() > 1 {
                return Err("texts cannot be compared together with others");
            }
            names.push(self.draft.field(*id).name.clone());
        }
        let list = names.join(", ");
        Ok(if names.len() == 1 { format!("distinct({list})") } else { format!("distinct(({list}))") })
    }

    /// The repetitions of a block are edges between the numbers that their ends can be.
    fn simple(&mut self, over: LoopId, from: FieldId, to: FieldId) -> Said {
        let ends = [self.draft.field(from), self.draft.field(to)];
        let (FieldKind::Number { least, most }, FieldKind::Number { least: low, most: high }) =
            (&ends[0].kind, &ends[1].kind)
        else {
            return Err(ELSEWHERE);
        };
        let around = |field: &super::draft::Field| {
            field
                .loops
                .split_last()
                .is_some_and(|(last, around)| *last == over && around.iter().all(|l| self.loops.contains(l)))
        };
        let block = self.draft.the_loop(over).kind == LoopKind::Block;
        if least != low || most != high || !block || !ends.iter().all(|e| around(e)) {
            return Err(ELSEWHERE);
        }
        self.present(from)?;
        let (first, second) = (ends[0].name.clone(), ends[1].name.clone());
        let (least, most) = (self.term(least, 0)?, self.term(most, 0)?);
        Ok(format!("edges ({first}, {second}) on {least}..{most}: simple"))
    }

    fn among(&mut self, field: FieldId, value: &Term, quantifier: &str, sign: &str) -> Said {
        self.present(field)?;
        let loops = &self.draft.field(field).loops;
        let (over, around) = loops.split_last().ok_or(ELSEWHERE)?;
        if !around.iter().all(|l| self.loops.contains(l)) {
            return Err(ELSEWHERE);
        }
        let count = self.draft.times(*over).ok_or("its length is not known")?;
        let others: Vec<String> = self.quantified.iter().map(|(_, name)| name.clone()).collect();
        let name = self.names.quantified(None, &others);
        let count = self.term(count, 0)?;
        let value = self.term(value, 0)?;
        Ok(format!("{quantifier} {name} in 1..{count}: {}[{name}] {sign} {value}", self.draft.field(field).name))
    }

    /// Whether a field is in the layout.
    fn present(&self, field: FieldId) -> Result<(), &'static str> {
        if self.draft.field(field).dropped { Err("it speaks of a line that cannot be expressed") } else { Ok(()) }
    }

    /// A term; brackets around it if it binds weaker than `level`: 1 for sums, 2 for products, 3 for powers.
    pub(super) fn term(&mut self, term: &Term, level: usize) -> Said {
        Ok(match term {
            Term::Number(number) if *number < 0 && level > 1 => format!("({number})"),
            Term::Number(number) => number.to_string(),
            Term::Decimal(text) | Term::Bound(text) | Term::Constant(text, _) => text.clone(),
            Term::Text(text) => quoted(text)?,
            Term::Field(id) => self.field(*id)?,
            Term::Element(id, places) => self.element(*id, places)?,
            Term::Length(id) => self.length(*id, level)?,
            Term::Repetitions(id) => self.repetitions(*id)?,
            Term::Index(id) => match self.quantified.iter().find(|(over, _)| over == id) {
                Some((_, name)) => {
                    let shifted = Term::Bound(name.clone()).plus(-1);
                    self.term(&shifted, level)?
                }
                None => return Err("it speaks of the number of a repetition"),
            },
            Term::Minus(inner) => {
                let text = format!("-{}", self.term(inner, 3)?);
                if level > 1 { format!("({text})") } else { text }
            }
            Term::Binary(sign, left, right) => self.binary(*sign, left, right, level)?,
            Term::Fold(name, over, inner) => self.fold(name, *over, inner)?,
            Term::Count(_, field, value) => {
                self.present(*field)?;
                format!("count({}, {})", self.draft.field(*field).name, self.term(value, 0)?)
            }
            Term::Carry(..) => return Err("it speaks of a value that changes on the way"),
            Term::Choice(..) => return Err("it speaks of a value that depends on a condition"),
            Term::Unknown(why) => return Err(why),
        })
    }

    fn binary(&mut self, sign: char, left: &Term, right: &Term, level: usize) -> Said {
        // Number by number, so that `(i - 1) + 1` is `i` again.
        if matches!(sign, '+' | '-') && left.any(&|t| matches!(t, Term::Index(_))) {
            let whole = Term::binary(sign, self.bound(left), self.bound(right));
            if !whole.any(&|t| matches!(t, Term::Index(_))) {
                return self.term(&whole, level);
            }
        }
        let real = |t: &Term| t.any(&|p| self.is_real(p));
        if matches!(sign, '/' | '%' | '^') && (real(left) || real(right)) {
            return Err("real numbers are added, subtracted and multiplied only");
        }
        if matches!(sign, '/' | '%') {
            let whole = Term::Binary(sign, Box::new(left.clone()), Box::new(right.clone())).number();
            if self.draft.hull(left).0.is_none_or(|n| n < 0) || self.draft.hull(right).0.is_none_or(|n| n <= 0) {
                let number = whole.ok_or("numbers that may be negative are divided in another way")?;
                return self.term(&Term::Number(number), level);
            }
        }
        let own = match sign {
            '+' | '-' => 1,
            '^' => 3,
            _ => 2,
        };
        let (left, right) = (self.term(left, own + usize::from(own == 3))?, self.term(right, own + 1)?);
        let text = if own == 1 { format!("{left} {sign} {right}") } else { format!("{left}{sign}{right}") };
        Ok(if own < level { format!("({text})") } else { text })
    }

    fn is_real(&self, term: &Term) -> bool {
        match term {
            Term::Decimal(_) => true,
            Term::Field(id) | Term::Element(id, _) => matches!(self.draft.field(*id).kind, FieldKind::Real { .. }),
            _ => false,
        }
    }

    fn field(&mut self, id: FieldId) -> Said {
        self.present(id)?;
        let field = self.draft.field(id);
        if !field.loops.iter().all(|l| self.loops.contains(l)) {
            return Err(ELSEWHERE);
        }
        let mut text = field.name.clone();
        for over in &field.loops {
            if let Some((_, name)) = self.quantified.iter().find(|(id, _)| id == over) {
                text += &format!("[{name}]");
            }
        }
        Ok(text)
    }

    fn element(&mut self, id: FieldId, places: &[Term]) -> Said {
        self.present(id)?;
        let field = self.draft.field(id);
        let around = field.loops.len().checked_sub(places.len()).ok_or(ELSEWHERE)?;
        if !field.loops[..around].iter().all(|l| self.loops.contains(l)) {
            return Err(ELSEWHERE);
        }
        let mut text = field.name.clone();
        for over in &field.loops[..around] {
            if let Some((_, name)) = self.quantified.iter().find(|(id, _)| id == over) {
                text += &format!("[{name}]");
            }
        }
        for place in places {
            let place = self.term(place, 0)?;
            text += &format!("[{place}]");
        }
        Ok(text)
    }

    fn length(&mut self, id: FieldId, level: usize) -> Said {
        self.present(id)?;
        if let FieldKind::Text { size: Size::Exactly(size), .. } = &self.draft.field(id).kind {
            let size = size.clone();
            return self.term(&size, level);
        }
        let name = self.field(id)?;
        Ok(format!("len({name})"))
    }

    fn repetitions(&mut self, id: LoopId) -> Said {
        let list = self.draft.fields.iter().find(|f| f.loops.last() == Some(&id));
        match (self.draft.the_loop(id).kind, list) {
            (LoopKind::Inline, Some(field)) if !field.dropped => Ok(format!("len({})", field.name)),
            _ => Err("it speaks of how often something is repeated that has no count"),
        }
    }

    fn fold(&mut self, name: &str, over: LoopId, inner: &Term) -> Said {
        let inner = self.unrolled(over, inner).unwrap_or_else(|| inner.clone());
        let (mut own, mut sound) = (false, true);
        inner.visit(&mut |part| {
            let Term::Field(id) = part else { return };
            let loops = &self.draft.field(*id).loops;
            let outer = loops.iter().all(|l| self.loops.contains(l));
            let last = loops.split_last().is_some_and(|(_, around)| around.iter().all(|l| self.loops.contains(l)));
            own |= !outer;
            sound &= outer || last;
        });
        let nested = matches!(inner, Term::Fold(..));
        if !(own && sound || nested) {
            return Err(ELSEWHERE);
        }
        let mut loops = self.loops.to_vec();
        loops.push(over);
        loops.extend(self.loops_of(&inner));
        let mut scope =
            Scope { draft: self.draft, names: self.names, loops: &loops, quantified: self.quantified.clone() };
        let said = scope.term(&inner, 0)?;
        Ok(format!("{name}({said})"))
    }

    fn loops_of(&self, term: &Term) -> Vec<LoopId> {
        let mut found = Vec::new();
        term.visit(&mut |part| {
            if let Term::Field(id) = part {
                found.extend(self.draft.field(*id).loops.last().copied());
            }
        });
        found
    }

    /// A loop that only adds up what another has read is the same as that one.
    fn unrolled(&self, over: LoopId, inner: &Term) -> Option<Term> {
        if self.draft.the_loop(over).kind != LoopKind::Pure {
            return None;
        }
        let count = &self.draft.the_loop(over).count;
        let found = inner.replaced(&|part| match part {
            Term::Element(id, places) => {
                let last = *self.draft.field(*id).loops.last()?;
                let same = self.draft.the_loop(last).count == *count && matches!(count, Count::Times(_));
                let each = places.as_slice() == [Term::Index(over).plus(1)];
                (same && each).then_some(Term::Field(*id))
            }
            _ => None,
        });
        (!found.any(&|t| matches!(t, Term::Index(_) | Term::Element(..)))).then_some(found)
    }
}

/// Whether a term is the variable of a quantifier.
fn is_variable(term: &Term) -> bool {
    matches!(term, Term::Bound(_))
}

/// A text between quotes.
pub(super) fn quoted(text: &[u8]) -> Said {
    if text.is_empty() || !text.iter().all(u8::is_ascii_graphic) {
        return Err("words are made of visible ASCII characters");
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
