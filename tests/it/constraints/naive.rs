//! The meaning of constraints according to docs/format.md, evaluated naively.

use super::layout::{FieldValue, Instance, Layout};
use std::fmt;

/// An expression.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    Num(i128),
    Letter(char),
    Name(String),
    Len(String),
    /// `x[i]`
    At(String, Vec<Expr>),
    Var(String),
    Op(char, Box<Expr>, Box<Expr>),
    /// `sum min max`
    Fold(&'static str, Box<Expr>),
    Count(Box<Expr>, Box<Expr>),
}

/// A formula.
#[derive(Clone, Debug)]
pub(super) enum Formula {
    Cmp(Expr, &'static str, Expr),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    /// `forall` if true, else `exists`
    Quant(bool, String, Expr, Expr, Box<Formula>),
}

/// A constraint.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    Holds(Formula),
    TupleCmp(Vec<Expr>, bool, Vec<Expr>),
    Distinct(Vec<Expr>),
    DistinctTexts(String),
    Ordered(&'static str, Expr),
    Permutation(String, Expr, Expr),
    Symmetric(String),
    TextCmp(String, &'static str, &'static str),
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Num(number) => write!(f, "{number}"),
            Expr::Letter(letter) => write!(f, "'{letter}'"),
            Expr::Name(name) | Expr::Var(name) => write!(f, "{name}"),
            Expr::Len(name) => write!(f, "len({name})"),
            Expr::At(name, indices) => {
                write!(f, "{name}")?;
                indices.iter().try_for_each(|index| write!(f, "[{index}]"))
            }
            Expr::Op(sign, left, right) => write!(f, "({left} {sign} {right})"),
            Expr::Fold(fold, inner) => write!(f, "{fold}({inner})"),
            Expr::Count(inner, value) => write!(f, "count({inner}, {value})"),
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Formula::Cmp(left, sign, right) => write!(f, "{left} {sign} {right}"),
            Formula::Not(inner) => write!(f, "not ({inner})"),
            Formula::And(left, right) => write!(f, "(({left}) and ({right}))"),
            Formula::Or(left, right) => write!(f, "(({left}) or ({right}))"),
            Formula::Implies(left, right) => write!(f, "(({left}) => ({right}))"),
            Formula::Quant(all, name, first, last, body) => {
                write!(f, "({} {name} in {first}..{last}: {body})", if *all { "forall" } else { "exists" })
            }
        }
    }
}

fn list(parts: &[Expr]) -> String {
    let parts: Vec<String> = parts.iter().map(Expr::to_string).collect();
    if parts.len() == 1 { parts.concat() } else { format!("({})", parts.join(", ")) }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::Holds(Formula::Quant(all, name, first, last, body)) => {
                write!(f, "{} {name} in {first}..{last}: {body}", if *all { "forall" } else { "exists" })
            }
            Rule::Holds(formula) => write!(f, "{formula}"),
            Rule::TupleCmp(left, equal, right) => {
                write!(f, "{} {} {}", list(left), if *equal { "=" } else { "!=" }, list(right))
            }
            Rule::Distinct(parts) => write!(f, "distinct({})", list(parts)),
            Rule::DistinctTexts(name) => write!(f, "distinct({name})"),
            Rule::Ordered(order, expr) => write!(f, "{order}({expr})"),
            Rule::Permutation(name, first, last) => write!(f, "{name} permutation of {first}..{last}"),
            Rule::Symmetric(name) => write!(f, "symmetric({name})"),
            Rule::TextCmp(name, sign, text) => write!(f, "{name} {sign} \"{text}\""),
        }
    }
}

/// The reason why an expression has no value.
#[derive(Clone, Debug)]
pub(super) enum NoValue {
    /// Absent, and the depth of the quantifier that selects it, counted from the outermost; 0 if no quantifier does.
    Absent(usize),
    Empty,
    Wrong,
}

/// The value of an expression.
#[derive(Clone, Debug)]
enum Value {
    One(i128),
    Many(Vec<i128>),
}

type Evaluated<T> = Result<T, NoValue>;

/// An instance, its ancestors from the whole input down, and the values of quantified variables.
#[derive(Clone)]
struct Place<'i> {
    chain: Vec<(usize, &'i Instance)>,
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

/// The reason why a constraint is refused.
pub(super) type Refusal = &'static str;

impl Meaning<'_> {
    fn block(&self, name: &str) -> usize {
        self.layout.fields[name].0
    }

    fn rank(&self, name: &str) -> usize {
        self.layout.fields[name].1
    }

    fn is_array(&self, e: &Expr) -> bool {
        match e {
            Expr::Name(name) => self.rank(name) > 0,
            Expr::Len(name) => self.rank(name) > 1,
            Expr::At(name, indices) => indices.len() < self.rank(name),
            Expr::Op(_, left, right) => self.is_array(left) || self.is_array(right),
            Expr::Num(_) | Expr::Letter(_) | Expr::Var(_) | Expr::Fold(..) | Expr::Count(..) => false,
        }
    }

    /// Returns the deeper of two blocks, one of which must lie in the other.
    fn deeper(&self, one: usize, other: usize) -> Result<usize, Refusal> {
        match () {
            () if self.layout.is_within(one, other) => Ok(one),
            () if self.layout.is_within(other, one) => Ok(other),
            () => Err("two-blocks"),
        }
    }

    /// Returns the block around a collection: that around the innermost repetition, or the whole input.
    fn block_around(&self, block: usize) -> usize {
        self.layout.repetition(block).and_then(|block| self.layout.blocks[block].parent).unwrap_or(0)
    }

    /// Returns the block that has an instance for each evaluation of the constraint.
    pub(super) fn evaluation_block(&self, e: &Expr) -> Result<usize, Refusal> {
        match e {
            Expr::Num(_) | Expr::Letter(_) | Expr::Var(_) => Ok(0),
            Expr::Name(name) | Expr::Len(name) => Ok(self.block(name)),
            Expr::At(name, indices) => {
                let repeated = indices.len() > self.rank(name);
                if repeated && self.layout.repetition(self.block(name)).is_none() {
                    return Err("indices");
                }
                let own = if repeated { self.block_around(self.block(name)) } else { self.block(name) };
                indices.iter().try_fold(own, |evaluation_block, index| {
                    self.deeper(evaluation_block, self.evaluation_block(index)?)
                })
            }
            Expr::Op(_, left, right) => self.deeper(self.evaluation_block(left)?, self.evaluation_block(right)?),
            Expr::Fold(_, inner) | Expr::Count(inner, _) => {
                let evaluation_block = self.evaluation_block(inner)?;
                if self.is_array(inner) {
                    return Ok(evaluation_block);
                }
                if evaluation_block == 0 { Err("nothing-to-fold") } else { Ok(self.block_around(evaluation_block)) }
            }
        }
    }

    fn evaluation_block_of(&self, parts: &[&Expr]) -> Result<usize, Refusal> {
        parts.iter().try_fold(0, |evaluation_block, part| self.deeper(evaluation_block, self.evaluation_block(part)?))
    }

    fn evaluation_block_of_formula(&self, f: &Formula) -> Result<usize, Refusal> {
        match f {
            Formula::Cmp(left, _, right) => self.evaluation_block_of(&[left, right]),
            Formula::Not(inner) => self.evaluation_block_of_formula(inner),
            Formula::And(left, right) | Formula::Or(left, right) | Formula::Implies(left, right) => {
                self.deeper(self.evaluation_block_of_formula(left)?, self.evaluation_block_of_formula(right)?)
            }
            Formula::Quant(_, _, first, last, body) => {
                self.deeper(self.evaluation_block_of(&[first, last])?, self.evaluation_block_of_formula(body)?)
            }
        }
    }

    /// Returns the block with instances that a predicate collects, or `None` for the elements of arrays.
    fn collecting_block(&self, parts: &[&Expr]) -> Result<Option<usize>, Refusal> {
        let deepest = self.evaluation_block_of(parts)?;
        if parts.iter().any(|part| self.is_array(part)) {
            return Ok(None);
        }
        if self.layout.repetition(deepest).is_none() { Err("nothing-to-fold") } else { Ok(Some(deepest)) }
    }

    /// Returns true if an input satisfies a constraint.
    ///
    /// # Errors
    ///
    /// Returns the reason if the constraint is refused.
    pub(super) fn holds(&self, rule: &Rule, input: &Instance) -> Result<bool, Refusal> {
        match rule {
            Rule::Holds(Formula::Cmp(left, sign, right)) if self.is_array(left) || self.is_array(right) => {
                let evaluation_block = self.evaluation_block_of(&[left, right])?;
                Ok(self.everywhere(input, evaluation_block, |place| self.elementwise(left, sign, right, place)))
            }
            // Each part is a constraint by itself.
            Rule::Holds(Formula::And(left, right)) => {
                let of = |part: &Formula| self.holds(&Rule::Holds(part.clone()), input);
                Ok(of(left)? & of(right)?)
            }
            Rule::Holds(formula) => {
                let evaluation_block = self.evaluation_block_of_formula(formula)?;
                Ok(self.everywhere(input, evaluation_block, |place| self.judge(formula, place) != Truth::False))
            }
            Rule::TupleCmp(left, equal, right) => {
                let all: Vec<&Expr> = left.iter().chain(right).collect();
                let evaluation_block = self.evaluation_block_of(&all)?;
                Ok(self.everywhere(input, evaluation_block, |place| match self.row(&all, place) {
                    Ok(row) => (row[..left.len()] == row[left.len()..]) == *equal,
                    Err(NoValue::Wrong) => false,
                    Err(NoValue::Absent(_) | NoValue::Empty) => true,
                }))
            }
            Rule::Distinct(parts) => {
                let parts: Vec<&Expr> = parts.iter().collect();
                self.all_rows(&parts, input, |rows| (0..rows.len()).all(|i| (0..i).all(|j| rows[i] != rows[j])))
            }
            Rule::Ordered(order, expr) => {
                self.all_rows(&[expr], input, |rows| rows.windows(2).all(|pair| ordered(order, pair[0][0], pair[1][0])))
            }
            Rule::Permutation(name, first, last) => {
                let field = Expr::Name(name.clone());
                let bounds =
                    [Formula::Cmp(first.clone(), "<=", field.clone()), Formula::Cmp(field.clone(), "<=", last.clone())];
                let all: Result<Vec<bool>, Refusal> =
                    bounds.into_iter().map(|f| self.holds(&Rule::Holds(f), input)).collect();
                Ok(all?.into_iter().all(|holds| holds) && self.holds(&Rule::Distinct(vec![field]), input)?)
            }
            Rule::DistinctTexts(_) | Rule::Symmetric(_) | Rule::TextCmp(..) => self.collections_hold(rule, input),
        }
    }

    fn collections_hold(&self, rule: &Rule, input: &Instance) -> Result<bool, Refusal> {
        match rule {
            Rule::DistinctTexts(name) => {
                let block = self.block(name);
                if self.rank(name) > 1 {
                    return Ok(self.everywhere(input, block, |place| {
                        let Some(FieldValue::Rows(rows)) = field(place, block, name) else { return true };
                        (0..rows.len()).all(|i| (0..i).all(|j| rows[i] != rows[j]))
                    }));
                }
                if self.layout.repetition(block).is_none() {
                    return Ok(self.everywhere(input, block, |place| {
                        let letters = field(place, block, name).map(flat).unwrap_or_default();
                        (0..letters.len()).all(|i| !letters[..i].contains(&letters[i]))
                    }));
                }
                Ok(self.everywhere(input, self.block_around(block), |place| {
                    let mut found = Vec::new();
                    self.inside(place, block, &mut |inner| found.push(field(inner, block, name).cloned()));
                    (0..found.len()).all(|i| (0..i).all(|j| found[i] != found[j]))
                }))
            }
            Rule::Symmetric(name) => {
                let block = self.block(name);
                Ok(self.everywhere(input, block, |place| match field(place, block, name) {
                    Some(FieldValue::Rows(rows)) => (0..rows.len()).all(|i| (0..i).all(|j| rows[i][j] == rows[j][i])),
                    _ => true,
                }))
            }
            Rule::TextCmp(name, sign, text) => {
                let block = self.block(name);
                let text: Vec<i128> = text.bytes().map(i128::from).collect();
                Ok(self.everywhere(input, block, |place| {
                    field(place, block, name).is_none_or(|value| compare(sign, &flat(value), &text))
                }))
            }
            _ => Ok(true),
        }
    }

    /// Returns true if a property holds for each collection of rows in the input.
    fn all_rows(
        &self,
        parts: &[&Expr],
        input: &Instance,
        holds: impl Fn(&[Vec<i128>]) -> bool,
    ) -> Result<bool, Refusal> {
        let collecting_block = self.collecting_block(parts)?;
        let evaluation_block = match collecting_block {
            Some(deepest) => self.block_around(deepest),
            None => self.evaluation_block_of(parts)?,
        };
        Ok(self.everywhere(input, evaluation_block, |place| {
            let rows = match collecting_block {
                Some(deepest) => self.rows_of_instances(parts, deepest, place),
                None => self.rows_of_elements(parts, place),
            };
            match rows {
                Ok(rows) => holds(&rows),
                Err(NoValue::Wrong) => false,
                Err(NoValue::Absent(_) | NoValue::Empty) => true,
            }
        }))
    }

    fn rows_of_instances(&self, parts: &[&Expr], deepest: usize, place: &Place<'_>) -> Evaluated<Vec<Vec<i128>>> {
        let mut rows = Vec::new();
        let mut wrong = false;
        self.inside(place, deepest, &mut |inner| match self.row(parts, inner) {
            Ok(row) => rows.push(row),
            Err(NoValue::Wrong) => wrong = true,
            Err(NoValue::Absent(_) | NoValue::Empty) => {}
        });
        if wrong { Err(NoValue::Wrong) } else { Ok(rows) }
    }

    fn rows_of_elements(&self, parts: &[&Expr], place: &Place<'_>) -> Evaluated<Vec<Vec<i128>>> {
        let columns = all(parts.iter().map(|part| self.value(part, place)))?;
        let count = columns.iter().find_map(|c| if let Value::Many(c) = c { Some(c.len()) } else { None });
        let at = |column: &Value, i: usize| match column {
            Value::One(number) => *number,
            Value::Many(numbers) => numbers[i],
        };
        Ok((0..count.unwrap_or(1)).map(|i| columns.iter().map(|column| at(column, i)).collect()).collect())
    }

    fn row(&self, parts: &[&Expr], place: &Place<'_>) -> Evaluated<Vec<i128>> {
        all(parts.iter().map(|part| self.number(part, place)))
    }

    fn elementwise(&self, left: &Expr, sign: &str, right: &Expr, place: &Place<'_>) -> bool {
        match self.rows_of_elements(&[left, right], place) {
            Ok(rows) => rows.iter().all(|row| compare(sign, &row[0], &row[1])),
            Err(NoValue::Wrong) => false,
            Err(NoValue::Absent(_) | NoValue::Empty) => true,
        }
    }

    /// Returns true if a property holds at each instance of a block.
    fn everywhere(&self, input: &Instance, block: usize, holds: impl Fn(&Place<'_>) -> bool) -> bool {
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
        // The child on the path to the block.
        let mut child = block;
        while self.layout.blocks[child].parent != Some(at) {
            let Some(parent) = self.layout.blocks[child].parent else {
                // The place lies deeper than the block.
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

    fn number(&self, e: &Expr, place: &Place<'_>) -> Evaluated<i128> {
        match self.value(e, place)? {
            Value::One(number) => Ok(number),
            Value::Many(_) => Err(NoValue::Wrong),
        }
    }

    fn value(&self, e: &Expr, place: &Place<'_>) -> Evaluated<Value> {
        match e {
            Expr::Num(number) => Ok(Value::One(*number)),
            Expr::Letter(letter) => Ok(Value::One(i128::from(u32::from(*letter)))),
            Expr::Var(name) => Ok(Value::One(place.vars.iter().find(|(var, _)| var == name).ok_or(NoValue::Wrong)?.1)),
            Expr::Name(name) => match field(place, self.block(name), name).ok_or(NoValue::Wrong)? {
                FieldValue::Number(number) => Ok(Value::One(*number)),
                value => Ok(Value::Many(flat(value))),
            },
            Expr::Len(name) => match field(place, self.block(name), name).ok_or(NoValue::Wrong)? {
                FieldValue::Row(row) => Ok(Value::One(row.len() as i128)),
                _ => Err(NoValue::Wrong),
            },
            Expr::At(name, indices) => self.element(name, indices, place).map(Value::One),
            Expr::Op(sign, left, right) => {
                let sides = all([self.value(left, place), self.value(right, place)].into_iter())?;
                self.operate(*sign, &sides[0], &sides[1])
            }
            Expr::Fold(fold, inner) => {
                let numbers = self.folded(inner, place)?;
                Ok(Value::One(match *fold {
                    "sum" => numbers.iter().sum(),
                    "min" => numbers.iter().copied().min().ok_or(NoValue::Empty)?,
                    _ => numbers.iter().copied().max().ok_or(NoValue::Empty)?,
                }))
            }
            Expr::Count(inner, value) => {
                let value = self.number(value, place)?;
                Ok(Value::One(self.folded(inner, place)?.iter().filter(|n| **n == value).count() as i128))
            }
        }
    }

    /// Returns all numbers that a fold runs over.
    fn folded(&self, inner: &Expr, place: &Place<'_>) -> Evaluated<Vec<i128>> {
        if self.is_array(inner) {
            return match self.value(inner, place) {
                Ok(Value::Many(numbers)) => Ok(numbers),
                Ok(Value::One(number)) => Ok(vec![number]),
                Err(NoValue::Absent(_)) => Ok(Vec::new()),
                Err(no) => Err(no),
            };
        }
        let deepest = self.evaluation_block(inner).map_err(|_| NoValue::Wrong)?;
        let mut holder = place.clone();
        while holder.chain[holder.chain.len() - 1].0 != self.block_around(deepest) {
            holder.chain.pop();
        }
        Ok(self.rows_of_instances(&[inner], deepest, &holder)?.into_iter().map(|row| row[0]).collect())
    }

    fn element(&self, name: &str, indices: &[Expr], place: &Place<'_>) -> Evaluated<i128> {
        let (block, rank) = (self.block(name), self.rank(name));
        let numbers = all(indices.iter().map(|index| self.number(index, place)))?;
        let at = |list: usize, number: i128| match usize::try_from(number - 1) {
            Ok(index) if index < list => Ok(index),
            _ => Err(NoValue::Wrong),
        };
        let (value, rest) = if indices.len() > rank {
            let mut holder = place.clone();
            while holder.chain[holder.chain.len() - 1].0 != self.block_around(block) {
                holder.chain.pop();
            }
            let repetition = self.layout.repetition(block).ok_or(NoValue::Wrong)?;
            let list = &holder.chain[holder.chain.len() - 1].1.kids[&repetition];
            let inst = &list[at(list.len(), numbers[0])?];
            holder.chain.push((repetition, inst));
            let mut found = None;
            self.inside(&holder, block, &mut |inner| found = field(inner, block, name).cloned());
            let picked = || indices.iter().map(|index| picked_by(index, place)).max().unwrap_or(0);
            (found.ok_or_else(|| NoValue::Absent(picked()))?, &numbers[1..])
        } else {
            (field(place, block, name).cloned().ok_or(NoValue::Wrong)?, &numbers[..])
        };
        match (value, rest) {
            (FieldValue::Number(number), []) => Ok(number),
            (FieldValue::Row(row), [i]) => Ok(row[at(row.len(), *i)?]),
            (FieldValue::Rows(rows), [i, j]) => {
                let row = &rows[at(rows.len(), *i)?];
                Ok(row[at(row.len(), *j)?])
            }
            _ => Err(NoValue::Wrong),
        }
    }

    fn operate(&self, sign: char, left: &Value, right: &Value) -> Evaluated<Value> {
        let one = |a: i128, b: i128| match sign {
            '+' => Ok(a + b),
            '-' => Ok(a - b),
            '*' => Ok(a * b),
            '/' if b == 0 => Err(NoValue::Wrong),
            _ => Ok(a.div_euclid(b)),
        };
        match (left, right) {
            (Value::One(a), Value::One(b)) => one(*a, *b).map(Value::One),
            (Value::Many(a), Value::One(b)) => Ok(Value::Many(all(a.iter().map(|a| one(*a, *b)))?)),
            (Value::One(a), Value::Many(b)) => Ok(Value::Many(all(b.iter().map(|b| one(*a, *b)))?)),
            (Value::Many(a), Value::Many(b)) => Ok(Value::Many(all(a.iter().zip(b).map(|(a, b)| one(*a, *b)))?)),
        }
    }

    fn judge(&self, f: &Formula, place: &Place<'_>) -> Truth {
        match f {
            Formula::Cmp(left, sign, right) => match self.row(&[left, right], place) {
                Ok(row) if compare(sign, &row[0], &row[1]) => Truth::True,
                Ok(_) | Err(NoValue::Wrong) => Truth::False,
                Err(NoValue::Empty) => Truth::True,
                Err(NoValue::Absent(level)) => Truth::Void(level),
            },
            Formula::Not(inner) => self.negated(inner, place),
            Formula::And(left, right) => {
                joined([self.judge(left, place), self.judge(right, place)], Truth::False, None)
            }
            Formula::Or(left, right) => joined([self.judge(left, place), self.judge(right, place)], Truth::True, None),
            Formula::Implies(left, right) => {
                joined([self.negated(left, place), self.judge(right, place)], Truth::True, None)
            }
            Formula::Quant(every, name, first, last, body) => {
                let decides = if *every { Truth::False } else { Truth::True };
                self.quantified(name, first, last, place, decides, &|inner| self.judge(body, inner))
            }
        }
    }

    /// `not` is pushed down to the signs because the smallest of nothing makes each comparison true.
    fn negated(&self, f: &Formula, place: &Place<'_>) -> Truth {
        match f {
            Formula::Cmp(left, sign, right) => {
                self.judge(&Formula::Cmp(left.clone(), opposite(sign), right.clone()), place)
            }
            Formula::Not(inner) => self.judge(inner, place),
            Formula::And(left, right) => {
                joined([self.negated(left, place), self.negated(right, place)], Truth::True, None)
            }
            Formula::Or(left, right) => {
                joined([self.negated(left, place), self.negated(right, place)], Truth::False, None)
            }
            Formula::Implies(left, right) => {
                joined([self.judge(left, place), self.negated(right, place)], Truth::False, None)
            }
            Formula::Quant(every, name, first, last, body) => {
                let decides = if *every { Truth::True } else { Truth::False };
                self.quantified(name, first, last, place, decides, &|inner| self.negated(body, inner))
            }
        }
    }

    fn quantified(
        &self,
        name: &str,
        first: &Expr,
        last: &Expr,
        place: &Place<'_>,
        decides: Truth,
        body: &dyn Fn(&Place<'_>) -> Truth,
    ) -> Truth {
        let range = match self.row(&[first, last], place) {
            Ok(row) => row[0]..=row[1],
            Err(NoValue::Absent(level)) => return Truth::Void(level),
            Err(NoValue::Empty) => return Truth::Void(0),
            Err(NoValue::Wrong) => return Truth::False,
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

/// Returns the depth of the innermost quantifier with a variable in an index, counted from the outermost.
fn picked_by(index: &Expr, place: &Place<'_>) -> usize {
    match index {
        Expr::Var(name) => place.vars.iter().position(|(var, _)| var == name).map_or(0, |at| at + 1),
        Expr::Num(_) | Expr::Letter(_) | Expr::Name(_) | Expr::Len(_) => 0,
        Expr::At(_, indices) => indices.iter().map(|index| picked_by(index, place)).max().unwrap_or(0),
        Expr::Op(_, left, right) => picked_by(left, place).max(picked_by(right, place)),
        Expr::Fold(_, inner) => picked_by(inner, place),
        Expr::Count(inner, _) => picked_by(inner, place),
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

/// Returns all values, or the reason for a missing one: absence first, the outermost before others.
fn all<T>(parts: impl Iterator<Item = Evaluated<T>>) -> Evaluated<Vec<T>> {
    let (mut found, mut why) = (Vec::new(), None);
    for part in parts {
        match (part, &why) {
            (Ok(value), _) => found.push(value),
            (Err(NoValue::Absent(level)), Some(NoValue::Absent(known))) => {
                why = Some(NoValue::Absent(level.min(*known)))
            }
            (Err(no @ NoValue::Absent(_)), _) => why = Some(no),
            (Err(no @ NoValue::Wrong), None | Some(NoValue::Empty)) => why = Some(no),
            (Err(no), None) => why = Some(no),
            (Err(_), Some(_)) => {}
        }
    }
    why.map_or(Ok(found), Err)
}

fn field<'i>(place: &Place<'i>, block: usize, name: &str) -> Option<&'i FieldValue> {
    let (_, inst) = place.chain.iter().find(|(at, _)| *at == block)?;
    inst.fields.get(name)
}

fn flat(value: &FieldValue) -> Vec<i128> {
    match value {
        FieldValue::Number(number) => vec![*number],
        FieldValue::Row(row) => row.clone(),
        FieldValue::Rows(rows) => rows.concat(),
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
