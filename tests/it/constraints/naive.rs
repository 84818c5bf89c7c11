//! What constraints mean, by docs/format.md and nothing else.

use super::layout::{Inst, Layout, Val};
use std::fmt;

/// An expression.
#[derive(Clone, Debug)]
pub(super) enum E {
    Num(i128),
    Letter(char),
    Name(String),
    Len(String),
    /// `x[i]`
    At(String, Vec<E>),
    Var(String),
    Op(char, Box<E>, Box<E>),
    /// `sum min max`
    Fold(&'static str, Box<E>),
    Count(Box<E>, Box<E>),
}

/// A formula.
#[derive(Clone, Debug)]
pub(super) enum F {
    Cmp(E, &'static str, E),
    Not(Box<F>),
    And(Box<F>, Box<F>),
    Or(Box<F>, Box<F>),
    Implies(Box<F>, Box<F>),
    /// `forall` if true, else `exists`
    Quant(bool, String, E, E, Box<F>),
}

/// A constraint.
#[derive(Clone, Debug)]
pub(super) enum R {
    Holds(F),
    TupleCmp(Vec<E>, bool, Vec<E>),
    Distinct(Vec<E>),
    DistinctTexts(String),
    Ordered(&'static str, E),
    Permutation(String, E, E),
    Symmetric(String),
    TextCmp(String, &'static str, &'static str),
}

impl fmt::Display for E {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            E::Num(number) => write!(f, "{number}"),
            E::Letter(letter) => write!(f, "'{letter}'"),
            E::Name(name) | E::Var(name) => write!(f, "{name}"),
            E::Len(name) => write!(f, "len({name})"),
            E::At(name, indices) => {
                write!(f, "{name}")?;
                indices.iter().try_for_each(|index| write!(f, "[{index}]"))
            }
            E::Op(sign, left, right) => write!(f, "({left} {sign} {right})"),
            E::Fold(fold, inner) => write!(f, "{fold}({inner})"),
            E::Count(inner, value) => write!(f, "count({inner}, {value})"),
        }
    }
}

impl fmt::Display for F {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            F::Cmp(left, sign, right) => write!(f, "{left} {sign} {right}"),
            F::Not(inner) => write!(f, "not ({inner})"),
            F::And(left, right) => write!(f, "(({left}) and ({right}))"),
            F::Or(left, right) => write!(f, "(({left}) or ({right}))"),
            F::Implies(left, right) => write!(f, "(({left}) => ({right}))"),
            F::Quant(all, name, first, last, body) => {
                write!(f, "({} {name} in {first}..{last}: {body})", if *all { "forall" } else { "exists" })
            }
        }
    }
}

fn list(parts: &[E]) -> String {
    let parts: Vec<String> = parts.iter().map(E::to_string).collect();
    if parts.len() == 1 { parts.concat() } else { format!("({})", parts.join(", ")) }
}

impl fmt::Display for R {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            R::Holds(F::Quant(all, name, first, last, body)) => {
                write!(f, "{} {name} in {first}..{last}: {body}", if *all { "forall" } else { "exists" })
            }
            R::Holds(formula) => write!(f, "{formula}"),
            R::TupleCmp(left, equal, right) => {
                write!(f, "{} {} {}", list(left), if *equal { "=" } else { "!=" }, list(right))
            }
            R::Distinct(parts) => write!(f, "distinct({})", list(parts)),
            R::DistinctTexts(name) => write!(f, "distinct({name})"),
            R::Ordered(order, expr) => write!(f, "{order}({expr})"),
            R::Permutation(name, first, last) => write!(f, "{name} permutation of {first}..{last}"),
            R::Symmetric(name) => write!(f, "symmetric({name})"),
            R::TextCmp(name, sign, text) => write!(f, "{name} {sign} \"{text}\""),
        }
    }
}

/// Why an expression has no value.
#[derive(Clone, Debug)]
pub(super) enum No {
    /// Absent, and how many quantifiers are around the one that picks it, itself included; 0 if none does.
    Absent(usize),
    Empty,
    Wrong,
}

/// What an expression comes to.
#[derive(Clone, Debug)]
enum Value {
    One(i128),
    Many(Vec<i128>),
}

type Res<T> = Result<T, No>;

/// An instance and those around it, the whole input first; and what quantifiers count.
#[derive(Clone)]
struct Place<'i> {
    chain: Vec<(usize, &'i Inst)>,
    vars: Vec<(String, i128)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Truth {
    True,
    False,
    Void(usize),
}

pub(super) struct Meaning<'l> {
    pub(super) layout: &'l Layout,
}

/// Refused: why.
pub(super) type Refusal = &'static str;

impl Meaning<'_> {
    fn block(&self, name: &str) -> usize {
        self.layout.fields[name].0
    }

    fn rank(&self, name: &str) -> usize {
        self.layout.fields[name].1
    }

    fn is_array(&self, e: &E) -> bool {
        match e {
            E::Name(name) => self.rank(name) > 0,
            E::Len(name) => self.rank(name) > 1,
            E::At(name, indices) => indices.len() < self.rank(name),
            E::Op(_, left, right) => self.is_array(left) || self.is_array(right),
            E::Num(_) | E::Letter(_) | E::Var(_) | E::Fold(..) | E::Count(..) => false,
        }
    }

    /// The deeper of two blocks, one of which must lie in the other.
    fn deeper(&self, one: usize, other: usize) -> Result<usize, Refusal> {
        match () {
            () if self.layout.is_within(one, other) => Ok(one),
            () if self.layout.is_within(other, one) => Ok(other),
            () => Err("two-blocks"),
        }
    }

    /// The block around what is taken together: around the innermost repetition, or the whole input.
    fn around(&self, block: usize) -> usize {
        self.layout.repetition(block).and_then(|block| self.layout.blocks[block].parent).unwrap_or(0)
    }

    /// The block for each of whose instances something is said.
    pub(super) fn home(&self, e: &E) -> Result<usize, Refusal> {
        match e {
            E::Num(_) | E::Letter(_) | E::Var(_) => Ok(0),
            E::Name(name) | E::Len(name) => Ok(self.block(name)),
            E::At(name, indices) => {
                let repeated = indices.len() > self.rank(name);
                if repeated && self.layout.repetition(self.block(name)).is_none() {
                    return Err("indices");
                }
                let own = if repeated { self.around(self.block(name)) } else { self.block(name) };
                indices.iter().try_fold(own, |home, index| self.deeper(home, self.home(index)?))
            }
            E::Op(_, left, right) => self.deeper(self.home(left)?, self.home(right)?),
            E::Fold(_, inner) | E::Count(inner, _) => {
                let home = self.home(inner)?;
                if self.is_array(inner) {
                    return Ok(home);
                }
                if home == 0 { Err("nothing-to-fold") } else { Ok(self.around(home)) }
            }
        }
    }

    fn home_of(&self, parts: &[&E]) -> Result<usize, Refusal> {
        parts.iter().try_fold(0, |home, part| self.deeper(home, self.home(part)?))
    }

    fn home_of_formula(&self, f: &F) -> Result<usize, Refusal> {
        match f {
            F::Cmp(left, _, right) => self.home_of(&[left, right]),
            F::Not(inner) => self.home_of_formula(inner),
            F::And(left, right) | F::Or(left, right) | F::Implies(left, right) => {
                self.deeper(self.home_of_formula(left)?, self.home_of_formula(right)?)
            }
            F::Quant(_, _, first, last, body) => {
                self.deeper(self.home_of(&[first, last])?, self.home_of_formula(body)?)
            }
        }
    }

    /// The block that a predicate takes together, or `None` for the elements of arrays.
    fn together(&self, parts: &[&E]) -> Result<Option<usize>, Refusal> {
        let deepest = self.home_of(parts)?;
        if parts.iter().any(|part| self.is_array(part)) {
            return Ok(None);
        }
        if self.layout.repetition(deepest).is_none() { Err("nothing-to-fold") } else { Ok(Some(deepest)) }
    }

    /// Whether an input satisfies a constraint.
    ///
    /// # Errors
    /// Returns why the constraint is refused.
    pub(super) fn holds(&self, rule: &R, input: &Inst) -> Result<bool, Refusal> {
        match rule {
            R::Holds(F::Cmp(left, sign, right)) if self.is_array(left) || self.is_array(right) => {
                let home = self.home_of(&[left, right])?;
                Ok(self.everywhere(input, home, |place| self.elementwise(left, sign, right, place)))
            }
            // Each part is as good as a constraint of its own.
            R::Holds(F::And(left, right)) => {
                let of = |part: &F| self.holds(&R::Holds(part.clone()), input);
                Ok(of(left)? & of(right)?)
            }
            R::Holds(formula) => {
                let home = self.home_of_formula(formula)?;
                Ok(self.everywhere(input, home, |place| self.judge(formula, place) != Truth::False))
            }
            R::TupleCmp(left, equal, right) => {
                let all: Vec<&E> = left.iter().chain(right).collect();
                let home = self.home_of(&all)?;
                Ok(self.everywhere(input, home, |place| match self.row(&all, place) {
                    Ok(row) => (row[..left.len()] == row[left.len()..]) == *equal,
                    Err(No::Wrong) => false,
                    Err(No::Absent(_) | No::Empty) => true,
                }))
            }
            R::Distinct(parts) => {
                let parts: Vec<&E> = parts.iter().collect();
                self.all_rows(&parts, input, |rows| (0..rows.len()).all(|i| (0..i).all(|j| rows[i] != rows[j])))
            }
            R::Ordered(order, expr) => {
                self.all_rows(&[expr], input, |rows| rows.windows(2).all(|pair| ordered(order, pair[0][0], pair[1][0])))
            }
            R::Permutation(name, first, last) => {
                let field = E::Name(name.clone());
                let bounds = [F::Cmp(first.clone(), "<=", field.clone()), F::Cmp(field.clone(), "<=", last.clone())];
                let all: Result<Vec<bool>, Refusal> =
                    bounds.into_iter().map(|f| self.holds(&R::Holds(f), input)).collect();
                Ok(all?.into_iter().all(|holds| holds) && self.holds(&R::Distinct(vec![field]), input)?)
            }
            R::DistinctTexts(_) | R::Symmetric(_) | R::TextCmp(..) => self.of_wholes(rule, input),
        }
    }

    fn of_wholes(&self, rule: &R, input: &Inst) -> Result<bool, Refusal> {
        match rule {
            R::DistinctTexts(name) => {
                let block = self.block(name);
                if self.rank(name) > 1 {
                    return Ok(self.everywhere(input, block, |place| {
                        let Some(Val::Rows(rows)) = field(place, block, name) else { return true };
                        (0..rows.len()).all(|i| (0..i).all(|j| rows[i] != rows[j]))
                    }));
                }
                if self.layout.repetition(block).is_none() {
                    return Ok(self.everywhere(input, block, |place| {
                        let letters = field(place, block, name).map(flat).unwrap_or_default();
                        (0..letters.len()).all(|i| !letters[..i].contains(&letters[i]))
                    }));
                }
                Ok(self.everywhere(input, self.around(block), |place| {
                    let mut found = Vec::new();
                    self.inside(place, block, &mut |inner| found.push(field(inner, block, name).cloned()));
                    (0..found.len()).all(|i| (0..i).all(|j| found[i] != found[j]))
                }))
            }
            R::Symmetric(name) => {
                let block = self.block(name);
                Ok(self.everywhere(input, block, |place| match field(place, block, name) {
                    Some(Val::Rows(rows)) => (0..rows.len()).all(|i| (0..i).all(|j| rows[i][j] == rows[j][i])),
                    _ => true,
                }))
            }
            R::TextCmp(name, sign, text) => {
                let block = self.block(name);
                let text: Vec<i128> = text.bytes().map(i128::from).collect();
                Ok(self.everywhere(input, block, |place| {
                    field(place, block, name).is_none_or(|value| compare(sign, &flat(value), &text))
                }))
            }
            _ => Ok(true),
        }
    }

    /// Whether something holds for all that is taken together, wherever it is.
    fn all_rows(&self, parts: &[&E], input: &Inst, holds: impl Fn(&[Vec<i128>]) -> bool) -> Result<bool, Refusal> {
        let together = self.together(parts)?;
        let home = match together {
            Some(deepest) => self.around(deepest),
            None => self.home_of(parts)?,
        };
        Ok(self.everywhere(input, home, |place| {
            let rows = match together {
                Some(deepest) => self.rows_of_instances(parts, deepest, place),
                None => self.rows_of_elements(parts, place),
            };
            match rows {
                Ok(rows) => holds(&rows),
                Err(No::Wrong) => false,
                Err(No::Absent(_) | No::Empty) => true,
            }
        }))
    }

    fn rows_of_instances(&self, parts: &[&E], deepest: usize, place: &Place<'_>) -> Res<Vec<Vec<i128>>> {
        let mut rows = Vec::new();
        let mut wrong = false;
        self.inside(place, deepest, &mut |inner| match self.row(parts, inner) {
            Ok(row) => rows.push(row),
            Err(No::Wrong) => wrong = true,
            Err(No::Absent(_) | No::Empty) => {}
        });
        if wrong { Err(No::Wrong) } else { Ok(rows) }
    }

    fn rows_of_elements(&self, parts: &[&E], place: &Place<'_>) -> Res<Vec<Vec<i128>>> {
        let columns = all(parts.iter().map(|part| self.value(part, place)))?;
        let count = columns.iter().find_map(|c| if let Value::Many(c) = c { Some(c.len()) } else { None });
        let at = |column: &Value, i: usize| match column {
            Value::One(number) => *number,
            Value::Many(numbers) => numbers[i],
        };
        Ok((0..count.unwrap_or(1)).map(|i| columns.iter().map(|column| at(column, i)).collect()).collect())
    }

    fn row(&self, parts: &[&E], place: &Place<'_>) -> Res<Vec<i128>> {
        all(parts.iter().map(|part| self.number(part, place)))
    }

    fn elementwise(&self, left: &E, sign: &str, right: &E, place: &Place<'_>) -> bool {
        match self.rows_of_elements(&[left, right], place) {
            Ok(rows) => rows.iter().all(|row| compare(sign, &row[0], &row[1])),
            Err(No::Wrong) => false,
            Err(No::Absent(_) | No::Empty) => true,
        }
    }

    /// Whether something holds at each instance of a block.
    fn everywhere(&self, input: &Inst, block: usize, holds: impl Fn(&Place<'_>) -> bool) -> bool {
        let root = Place { chain: vec![(0, input)], vars: Vec::new() };
        let mut all = true;
        self.inside(&root, block, &mut |place| all &= holds(place));
        all
    }

    /// Calls `visit` with each instance of a block within a place.
    fn inside<'i>(&self, place: &Place<'i>, block: usize, visit: &mut dyn FnMut(&Place<'i>)) {
        let (at, inst) = place.chain[place.chain.len() - 1];
        if at == block {
            return visit(place);
        }
        // The child on the way down to the block.
        let mut child = block;
        while self.layout.blocks[child].parent != Some(at) {
            let Some(parent) = self.layout.blocks[child].parent else {
                // The place lies further inside than the block.
                let mut outer = place.clone();
                outer.chain.pop();
                return self.inside(&outer, block, visit);
            };
            child = parent;
        }
        for inner in &inst.kids[&child] {
            let mut place = place.clone();
            place.chain.push((child, inner));
            self.inside(&place, block, visit);
        }
    }

    fn number(&self, e: &E, place: &Place<'_>) -> Res<i128> {
        match self.value(e, place)? {
            Value::One(number) => Ok(number),
            Value::Many(_) => Err(No::Wrong),
        }
    }

    fn value(&self, e: &E, place: &Place<'_>) -> Res<Value> {
        match e {
            E::Num(number) => Ok(Value::One(*number)),
            E::Letter(letter) => Ok(Value::One(i128::from(u32::from(*letter)))),
            E::Var(name) => Ok(Value::One(place.vars.iter().find(|(var, _)| var == name).ok_or(No::Wrong)?.1)),
            E::Name(name) => match field(place, self.block(name), name).ok_or(No::Wrong)? {
                Val::Number(number) => Ok(Value::One(*number)),
                value => Ok(Value::Many(flat(value))),
            },
            E::Len(name) => match field(place, self.block(name), name).ok_or(No::Wrong)? {
                Val::Row(row) => Ok(Value::One(row.len() as i128)),
                _ => Err(No::Wrong),
            },
            E::At(name, indices) => self.element(name, indices, place).map(Value::One),
            E::Op(sign, left, right) => {
                let sides = all([self.value(left, place), self.value(right, place)].into_iter())?;
                self.operate(*sign, &sides[0], &sides[1])
            }
            E::Fold(fold, inner) => {
                let numbers = self.folded(inner, place)?;
                Ok(Value::One(match *fold {
                    "sum" => numbers.iter().sum(),
                    "min" => numbers.iter().copied().min().ok_or(No::Empty)?,
                    _ => numbers.iter().copied().max().ok_or(No::Empty)?,
                }))
            }
            E::Count(inner, value) => {
                let value = self.number(value, place)?;
                Ok(Value::One(self.folded(inner, place)?.iter().filter(|n| **n == value).count() as i128))
            }
        }
    }

    /// All numbers that a fold runs over.
    fn folded(&self, inner: &E, place: &Place<'_>) -> Res<Vec<i128>> {
        if self.is_array(inner) {
            return match self.value(inner, place) {
                Ok(Value::Many(numbers)) => Ok(numbers),
                Ok(Value::One(number)) => Ok(vec![number]),
                Err(No::Absent(_)) => Ok(Vec::new()),
                Err(no) => Err(no),
            };
        }
        let deepest = self.home(inner).map_err(|_| No::Wrong)?;
        let mut holder = place.clone();
        while holder.chain[holder.chain.len() - 1].0 != self.around(deepest) {
            holder.chain.pop();
        }
        Ok(self.rows_of_instances(&[inner], deepest, &holder)?.into_iter().map(|row| row[0]).collect())
    }

    fn element(&self, name: &str, indices: &[E], place: &Place<'_>) -> Res<i128> {
        let (block, rank) = (self.block(name), self.rank(name));
        let numbers = all(indices.iter().map(|index| self.number(index, place)))?;
        let at = |list: usize, number: i128| match usize::try_from(number - 1) {
            Ok(index) if index < list => Ok(index),
            _ => Err(No::Wrong),
        };
        let (value, rest) = if indices.len() > rank {
            let mut holder = place.clone();
            while holder.chain[holder.chain.len() - 1].0 != self.around(block) {
                holder.chain.pop();
            }
            let repetition = self.layout.repetition(block).ok_or(No::Wrong)?;
            let list = &holder.chain[holder.chain.len() - 1].1.kids[&repetition];
            let inst = &list[at(list.len(), numbers[0])?];
            holder.chain.push((repetition, inst));
            let mut found = None;
            self.inside(&holder, block, &mut |inner| found = field(inner, block, name).cloned());
            let picked = || indices.iter().map(|index| picked_by(index, place)).max().unwrap_or(0);
            (found.ok_or_else(|| No::Absent(picked()))?, &numbers[1..])
        } else {
            (field(place, block, name).cloned().ok_or(No::Wrong)?, &numbers[..])
        };
        match (value, rest) {
            (Val::Number(number), []) => Ok(number),
            (Val::Row(row), [i]) => Ok(row[at(row.len(), *i)?]),
            (Val::Rows(rows), [i, j]) => {
                let row = &rows[at(rows.len(), *i)?];
                Ok(row[at(row.len(), *j)?])
            }
            _ => Err(No::Wrong),
        }
    }

    fn operate(&self, sign: char, left: &Value, right: &Value) -> Res<Value> {
        let one = |a: i128, b: i128| match sign {
            '+' => Ok(a + b),
            '-' => Ok(a - b),
            '*' => Ok(a * b),
            '/' if b == 0 => Err(No::Wrong),
            _ => Ok(a.div_euclid(b)),
        };
        match (left, right) {
            (Value::One(a), Value::One(b)) => one(*a, *b).map(Value::One),
            (Value::Many(a), Value::One(b)) => Ok(Value::Many(all(a.iter().map(|a| one(*a, *b)))?)),
            (Value::One(a), Value::Many(b)) => Ok(Value::Many(all(b.iter().map(|b| one(*a, *b)))?)),
            (Value::Many(a), Value::Many(b)) => Ok(Value::Many(all(a.iter().zip(b).map(|(a, b)| one(*a, *b)))?)),
        }
    }

    fn judge(&self, f: &F, place: &Place<'_>) -> Truth {
        match f {
            F::Cmp(left, sign, right) => match self.row(&[left, right], place) {
                Ok(row) if compare(sign, &row[0], &row[1]) => Truth::True,
                Ok(_) | Err(No::Wrong) => Truth::False,
                Err(No::Empty) => Truth::True,
                Err(No::Absent(level)) => Truth::Void(level),
            },
            F::Not(inner) => self.negated(inner, place),
            F::And(left, right) => joined([self.judge(left, place), self.judge(right, place)], Truth::False, None),
            F::Or(left, right) => joined([self.judge(left, place), self.judge(right, place)], Truth::True, None),
            F::Implies(left, right) => joined([self.negated(left, place), self.judge(right, place)], Truth::True, None),
            F::Quant(every, name, first, last, body) => {
                let decides = if *every { Truth::False } else { Truth::True };
                self.quantified(name, first, last, place, decides, &|inner| self.judge(body, inner))
            }
        }
    }

    /// `not` goes down to the signs, since the smallest of nothing makes each comparison true.
    fn negated(&self, f: &F, place: &Place<'_>) -> Truth {
        match f {
            F::Cmp(left, sign, right) => self.judge(&F::Cmp(left.clone(), opposite(sign), right.clone()), place),
            F::Not(inner) => self.judge(inner, place),
            F::And(left, right) => joined([self.negated(left, place), self.negated(right, place)], Truth::True, None),
            F::Or(left, right) => joined([self.negated(left, place), self.negated(right, place)], Truth::False, None),
            F::Implies(left, right) => {
                joined([self.judge(left, place), self.negated(right, place)], Truth::False, None)
            }
            F::Quant(every, name, first, last, body) => {
                let decides = if *every { Truth::True } else { Truth::False };
                self.quantified(name, first, last, place, decides, &|inner| self.negated(body, inner))
            }
        }
    }

    fn quantified(
        &self,
        name: &str,
        first: &E,
        last: &E,
        place: &Place<'_>,
        decides: Truth,
        body: &dyn Fn(&Place<'_>) -> Truth,
    ) -> Truth {
        let range = match self.row(&[first, last], place) {
            Ok(row) => row[0]..=row[1],
            Err(No::Absent(level)) => return Truth::Void(level),
            Err(No::Empty) => return Truth::Void(0),
            Err(No::Wrong) => return Truth::False,
        };
        let level = place.vars.len() + 1;
        let each: Vec<Truth> = range
            .map(|number| {
                let mut inner = place.clone();
                inner.vars.push((name.to_owned(), number));
                body(&inner)
            })
            .collect();
        joined(each, decides, Some(level))
    }
}

/// How many quantifiers are around the innermost one that an index counts with, itself included.
fn picked_by(index: &E, place: &Place<'_>) -> usize {
    match index {
        E::Var(name) => place.vars.iter().position(|(var, _)| var == name).map_or(0, |at| at + 1),
        E::Num(_) | E::Letter(_) | E::Name(_) | E::Len(_) => 0,
        E::At(_, indices) => indices.iter().map(|index| picked_by(index, place)).max().unwrap_or(0),
        E::Op(_, left, right) => picked_by(left, place).max(picked_by(right, place)),
        E::Fold(_, inner) => picked_by(inner, place),
        E::Count(inner, _) => picked_by(inner, place),
    }
}

fn joined(parts: impl IntoIterator<Item = Truth>, decides: Truth, passed_over: Option<usize>) -> Truth {
    let parts: Vec<Truth> = parts.into_iter().collect();
    if parts.contains(&decides) {
        return decides;
    }
    let voids = parts.iter().filter_map(|part| if let Truth::Void(level) = part { Some(*level) } else { None });
    match voids.filter(|level| Some(*level) != passed_over).min() {
        Some(level) => Truth::Void(level),
        None if decides == Truth::True => Truth::False,
        None => Truth::True,
    }
}

/// All values, or why there are not: absent before anything else, the outermost first.
fn all<T>(parts: impl Iterator<Item = Res<T>>) -> Res<Vec<T>> {
    let (mut found, mut why) = (Vec::new(), None);
    for part in parts {
        match (part, &why) {
            (Ok(value), _) => found.push(value),
            (Err(No::Absent(level)), Some(No::Absent(known))) => why = Some(No::Absent(level.min(*known))),
            (Err(no @ No::Absent(_)), _) => why = Some(no),
            (Err(no @ No::Wrong), None | Some(No::Empty)) => why = Some(no),
            (Err(no), None) => why = Some(no),
            (Err(_), Some(_)) => {}
        }
    }
    why.map_or(Ok(found), Err)
}

fn field<'i>(place: &Place<'i>, block: usize, name: &str) -> Option<&'i Val> {
    let (_, inst) = place.chain.iter().find(|(at, _)| *at == block)?;
    inst.fields.get(name)
}

fn flat(value: &Val) -> Vec<i128> {
    match value {
        Val::Number(number) => vec![*number],
        Val::Row(row) => row.clone(),
        Val::Rows(rows) => rows.concat(),
    }
}

fn compare<T: Ord>(sign: &str, left: &T, right: &T) -> bool {
    match sign {
        "<" => left < right,
        "<=" => left <= right,
        ">" => left > right,
        ">=" => left >= right,
        "=" => left == right,
        _ => left != right,
    }
}

fn ordered(order: &str, one: i128, next: i128) -> bool {
    match order {
        "sorted" | "nondecreasing" => one <= next,
        "increasing" => one < next,
        "decreasing" => one > next,
        _ => one >= next,
    }
}

fn opposite(sign: &str) -> &'static str {
    match sign {
        "<" => ">=",
        "<=" => ">",
        ">" => "<=",
        ">=" => "<",
        "=" => "!=",
        _ => "=",
    }
}
