//! Expressions: names, arithmetic with reals among whole numbers, and folds.

use super::Resolver;
use super::rules::is_predicate;
use crate::diagnostic::{Diagnostic, Span, list_or, nearest};
use crate::format::LARGEST;
use crate::format::expr::{Expr, Fold, Operator, Over};
use crate::format::interval::operate;
use crate::format::model::{BlockId, Dimension, FieldId, Kind};
use crate::format::syntax::{Term, TermKind};

/// The functions of the language.
const FUNCTIONS: &[&str] = &["sum", "min", "max", "count", "len", "abs", "whole"];

/// An expression, and how its numbers are to be understood.
pub(super) struct Typed {
    pub(super) expr: Expr,
    /// The numbers stand multiplied by this power of ten.
    pub(super) decimals: u32,
    /// The field whose words the numbers stand for.
    pub(super) words: Option<FieldId>,
}

impl Typed {
    pub(super) fn whole(expr: Expr) -> Typed {
        Typed { expr, decimals: 0, words: None }
    }
}

impl Resolver<'_> {
    /// An expression of whole numbers.
    pub(super) fn whole(&self, term: &Term) -> Result<Expr, Diagnostic> {
        let typed = self.typed(term, None)?;
        if typed.decimals > 0 {
            return Err(Diagnostic::error("not-whole", term.span, "a whole number is needed here")
                .caret("this has digits after the point"));
        }
        if typed.words.is_some() {
            return Err(words_as_numbers(term.span));
        }
        Ok(typed.expr)
    }

    /// An expression. A text in it is one of the words of the field `vocabulary`.
    pub(super) fn typed(&self, term: &Term, vocabulary: Option<FieldId>) -> Result<Typed, Diagnostic> {
        Ok(match &term.kind {
            TermKind::Number(number) => Typed::whole(Expr::Constant(*number)),
            TermKind::Decimal(number, decimals) => {
                Typed { expr: Expr::Constant(*number), decimals: *decimals, words: None }
            }
            TermKind::Letter(letter) => Typed::whole(Expr::Constant(i128::from(*letter))),
            TermKind::Text(text) => self.word(text, term.span, vocabulary)?,
            TermKind::Name(name) => self.name(name, term.span)?,
            TermKind::Element(name, indices) => self.element(name, indices, term.span)?,
            TermKind::Minus(inner) => {
                let inner = self.number(inner)?;
                let expr = match inner.expr {
                    Expr::Constant(value) => Expr::Constant(-value),
                    expr => Expr::Minus(Box::new(expr)),
                };
                Typed { expr, ..inner }
            }
            TermKind::Binary(sign, left, right) => self.binary(sign, left, right, term.span)?,
            TermKind::Call(name, arguments) => self.call(name, arguments, term.span)?,
            TermKind::Tuple(_) => {
                return Err(Diagnostic::error("tuple", term.span, "a tuple is not a number")
                    .caret("tuples are only compared with `=` and `!=`, or told apart with `distinct`"));
            }
        })
    }

    /// An expression that can be computed with.
    fn number(&self, term: &Term) -> Result<Typed, Diagnostic> {
        let typed = self.typed(term, None)?;
        if typed.words.is_some() { Err(words_as_numbers(term.span)) } else { Ok(typed) }
    }

    fn name(&self, name: &str, span: Span) -> Result<Typed, Diagnostic> {
        if let Some(variable) = self.variables.iter().rposition(|v| v == name) {
            return Ok(Typed::whole(Expr::Variable(variable)));
        }
        if let Some(field) = self.lookup(name) {
            return Ok(self.typed_field(field, Expr::Field(field)));
        }
        let Some(constant) = self.constants.iter().find(|c| c.name == name) else {
            return Err(self.unknown(name, span));
        };
        constant.used.set(true);
        Ok(Typed { expr: Expr::Constant(constant.value), decimals: constant.decimals, words: None })
    }

    pub(super) fn typed_field(&self, field: FieldId, expr: Expr) -> Typed {
        let info = self.format.field(field);
        let words = matches!(info.kind, Kind::Words(_)).then_some(field);
        Typed { expr, decimals: info.decimals().most, words }
    }

    fn word(&self, text: &[u8], span: Span, vocabulary: Option<FieldId>) -> Result<Typed, Diagnostic> {
        let shown = String::from_utf8_lossy(text);
        let Some((field, words)) = vocabulary.and_then(|f| Some((f, self.format.field(f).words()?))) else {
            return Err(Diagnostic::error("text-as-number", span, "a text is not a number")
                .caret("made of characters")
                .help(
                    "a letter stands in single quotes; a text is compared with a field that is `one of` some words",
                ));
        };
        let Some(number) = words.iter().position(|w| *w == shown.as_bytes()) else {
            let known: Vec<String> = words.iter().map(|w| String::from_utf8_lossy(w).into_owned()).collect();
            let name = &self.format.field(field).name;
            let problem = Diagnostic::error("unknown-word", span, format!("`{name}` is never \"{shown}\""));
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            return Err(match nearest(&shown, known.iter().copied()) {
                Some(near) => problem.caret("not one of its words").help(format!("did you mean \"{near}\"?")),
                None => problem.caret("not one of its words").note(format!("expected {}", list_or(&known))),
            });
        };
        Ok(Typed { expr: Expr::Constant(number as i128), decimals: 0, words: Some(field) })
    }

    /// `a[i]`, or of a field in a repeated block the one of the i-th repetition.
    fn element(&self, name: &str, indices: &[Term], span: Span) -> Result<Typed, Diagnostic> {
        let Some(field) = self.lookup(name) else { return Err(self.unknown(name, span)) };
        let rank = self.format.field(field).dimensions.len();
        let repeated = self.format.repetition_of(self.format.field(field).block).is_some();
        if indices.len() > rank && !(repeated && indices.len() == rank + 1) {
            let caret = match (rank, repeated) {
                (0, false) => "a single number has no index".to_owned(),
                (rank, false) => format!("it takes at most {rank}"),
                (rank, true) => format!("it takes {rank}, or {} with the number of the repetition", rank + 1),
            };
            let count = indices.len();
            let message = format!("`{name}` does not have {count} {}", if count == 1 { "index" } else { "indices" });
            return Err(Diagnostic::error("indices", span, message).caret(caret));
        }
        let whole = |index: &Term| self.whole(index).map_err(|problem| self.no_index(problem, name, index));
        let indices = indices.iter().map(whole).collect::<Result<Vec<Expr>, _>>()?;
        if let Some(array) = indices.iter().position(|i| self.array(i)) {
            return Err(Diagnostic::error("indices", span, "an index is a single number")
                .caret(format!("index {} stands for several", array + 1)));
        }
        let counts_letters = |index: &Expr| {
            index.innermost_variable().is_some_and(|i| self.counted_letters.get(i) == Some(&Some(field)))
        };
        if self.format.is_repeated_text(field) && matches!(&indices[..], [index] if counts_letters(index)) {
            return Err(self.not_a_letter(field, span));
        }
        let copies = self.copies(name);
        if copies.len() > 1 && self.format.counts_repetitions(field, &indices) {
            return self.element_in_forms(&copies, &indices, span);
        }
        Ok(self.typed_field(field, Expr::Element(field, indices)))
    }

    /// `word[i]` where a letter is meant: a text without brackets below `repeat` is picked by the number of its repetition.
    pub(super) fn not_a_letter(&self, field: FieldId, span: Span) -> Diagnostic {
        let name = &self.format.field(field).name;
        Diagnostic::error("not-a-letter", span, format!("`{name}[i]` is the `{name}` of the i-th repetition, not a letter"))
            .caret("a text as a whole")
            .help(format!(
                "its j-th letter is `{name}[i][j]`; if the layout has `{name}[]`, `{name}[i]` is the i-th letter in each repetition"
            ))
    }

    /// `1 <= a[i] <= 10`, with no `i` anywhere, is how statements speak of all elements.
    fn no_index(&self, problem: Diagnostic, name: &str, index: &Term) -> Diagnostic {
        match &index.kind {
            TermKind::Name(i) if problem.code == "unknown-name" => Diagnostic::error(
                "unknown-index",
                index.span,
                format!("nothing counts `{i}`"),
            )
            .caret("not a field, and no `forall` around")
            .help(format!(
                "what is said of an array holds for each element: write `{name}` without an index; or say `forall {i} in 1..n: ...`"
            )),
            _ => problem,
        }
    }

    fn binary(&self, sign: &str, left: &Term, right: &Term, span: Span) -> Result<Typed, Diagnostic> {
        let operator = match sign {
            "+" => Operator::Plus,
            "-" => Operator::Minus,
            "*" => Operator::Times,
            "/" => Operator::Divide,
            "%" => Operator::Modulo,
            _ => Operator::Power,
        };
        self.operation(operator, self.number(left)?, self.number(right)?, span)
    }

    fn operation(&self, operator: Operator, left: Typed, right: Typed, span: Span) -> Result<Typed, Diagnostic> {
        let reals = left.decimals + right.decimals > 0;
        let (left, right, decimals) = match operator {
            Operator::Divide | Operator::Modulo | Operator::Power if reals => {
                return Err(Diagnostic::error("real-arithmetic", span, "reals are added, subtracted and multiplied")
                    .caret("this has no exact result"));
            }
            Operator::Times => (left.expr, right.expr, left.decimals + right.decimals),
            _ => {
                let decimals = left.decimals.max(right.decimals);
                (scaled(left, decimals, span)?, scaled(right, decimals, span)?, decimals)
            }
        };
        let (Expr::Constant(a), Expr::Constant(b)) = (&left, &right) else {
            return Ok(Typed { expr: Expr::Binary(operator, Box::new(left), Box::new(right)), decimals, words: None });
        };
        match operate(operator, *a, *b).filter(|v| v.abs() <= LARGEST) {
            Some(value) => Ok(Typed { expr: Expr::Constant(value), decimals, words: None }),
            None => Err(Diagnostic::error("bad-arithmetic", span, "this has no value")
                .caret("too large, a division by zero, or a negative exponent")),
        }
    }

    fn call(&self, name: &str, arguments: &[Term], span: Span) -> Result<Typed, Diagnostic> {
        let one = |what: &str| match arguments {
            [one] => Ok(one),
            _ => Err(Diagnostic::error("arguments", span, format!("`{name}` takes {what}"))
                .caret(format!("{} given", arguments.len()))),
        };
        match name {
            "sum" => self.fold(Fold::Sum, one("one argument")?, span),
            "min" | "max" if arguments.len() > 1 => self.extreme(name == "max", arguments, span),
            "min" => self.fold(Fold::Min, one("one argument")?, span),
            "max" => self.fold(Fold::Max, one("one argument")?, span),
            "abs" => {
                let inner = self.number(one("one argument")?)?;
                let negative = Typed { expr: Expr::Minus(Box::new(inner.expr.clone())), ..inner };
                self.operation(Operator::Greatest, inner, negative, span)
            }
            "len" => self.length(one("the name of a text or an array")?),
            "count" => self.count(arguments, span),
            "whole" => Err(Diagnostic::error("whole-what", span, "a whole is not a number")
                .caret("it is only compared with another whole")),
            _ if is_predicate(name) => {
                Err(Diagnostic::error("predicate", span, format!("`{name}(...)` is a constraint, not a number"))
                    .caret("it stands alone on its line"))
            }
            _ => {
                let problem = Diagnostic::error("unknown-function", span, format!("there is no function `{name}`"));
                let predicates = super::rules::PREDICATES.iter().copied();
                Err(match nearest(name, FUNCTIONS.iter().copied().chain(predicates)) {
                    Some(near) => problem.caret("unknown").help(format!("did you mean `{near}`?")),
                    None => problem.caret("unknown").note(format!("expected {}", list_or(FUNCTIONS))),
                })
            }
        }
    }

    /// `min(a, b)`, `max(a, b, c)`: of several single numbers.
    fn extreme(&self, largest: bool, arguments: &[Term], span: Span) -> Result<Typed, Diagnostic> {
        let operator = if largest { Operator::Greatest } else { Operator::Least };
        let mut found: Option<Typed> = None;
        for argument in arguments {
            let next = self.number(argument)?;
            if self.array(&next.expr) {
                return Err(Diagnostic::error("arguments", argument.span, "of several, each is a single number")
                    .caret("this stands for several numbers"));
            }
            found = Some(match found {
                None => next,
                Some(before) => self.operation(operator, before, next, span)?,
            });
        }
        Ok(found.unwrap_or(Typed::whole(Expr::Constant(0))))
    }

    fn length(&self, term: &Term) -> Result<Typed, Diagnostic> {
        match self.typed(term, None)?.expr {
            Expr::Field(field) if !self.format.field(field).is_scalar() => Ok(Typed::whole(Expr::Length(field))),
            Expr::Element(field, indices) if self.arrays_left(field, &indices) == 1 => {
                let row = Box::new(Expr::Element(field, indices));
                Ok(Typed::whole(Expr::Fold(Fold::Size, Over::Elements, row)))
            }
            _ => Err(Diagnostic::error("len-what", term.span, "only a text or an array has a length")
                .caret("no letters are given for it, and no size")),
        }
    }

    /// How many dimensions the part of a field has that indices pick.
    fn arrays_left(&self, field: FieldId, indices: &[Expr]) -> usize {
        self.format.field(field).dimensions.len().saturating_sub(self.format.indexed_dimensions(field, indices))
    }

    /// A text of one character where a letter is expected.
    pub(super) fn as_letter(term: &Term) -> Option<Term> {
        let TermKind::Text(text) = &term.kind else { return None };
        let [letter] = text[..] else { return None };
        Some(Term { kind: TermKind::Letter(letter), span: term.span })
    }

    fn count(&self, arguments: &[Term], span: Span) -> Result<Typed, Diagnostic> {
        let [what, value] = arguments else {
            return Err(Diagnostic::error("arguments", span, "`count` takes a field and what is counted")
                .caret(format!("{} given", arguments.len()))
                .help("count(board, 'S') = 1"));
        };
        let counted = self.repeated(what)?;
        let made_of_letters = matches!(
            &counted.expr,
            Expr::Field(field) | Expr::Element(field, _) if self.format.field(*field).letters().is_some()
        );
        let letter = Resolver::as_letter(value).filter(|_| made_of_letters);
        let value = letter.as_ref().unwrap_or(value);
        if matches!(value.kind, TermKind::Text(_)) && made_of_letters {
            return Err(Diagnostic::error("count-what", value.span, "letters of a text are counted one at a time")
                .caret("not one character")
                .help("count(s, 'x')"));
        }
        if matches!(value.kind, TermKind::Letter(_)) && !made_of_letters {
            return Err(Diagnostic::error("count-what", value.span, "what is counted is no letter")
                .caret("a letter of no text")
                .help("numbers stand without quotes, words in double ones"));
        }
        let value_typed = self.typed(value, counted.words)?;
        let same_kind = counted.words.is_some() == value_typed.words.is_some();
        match scaled(value_typed, counted.decimals, value.span)? {
            Expr::Constant(number) if same_kind => self.fold(Fold::Count(number), what, span),
            _ => Err(Diagnostic::error("count-what", value.span, "what is counted must be constant")
                .caret("expected a letter such as 'S', a number, or a word in double quotes")),
        }
    }

    fn fold(&self, fold: Fold, term: &Term, span: Span) -> Result<Typed, Diagnostic> {
        let counting = matches!(fold, Fold::Count(_));
        let inner = self.repeated(term)?;
        if !counting && inner.words.is_some() {
            return Err(words_as_numbers(term.span));
        }
        let decimals = if counting { 0 } else { inner.decimals };
        let inner = inner.expr;
        self.one_chain(&inner, term.span)?;
        let text = |f: &FieldId| self.format.field(*f).letters().is_some();
        let letters = matches!(&inner, Expr::Field(f) | Expr::Element(f, _) if text(f));
        if letters && !counting {
            return Err(Diagnostic::error("text-as-number", term.span, "a text has no numbers to fold")
                .caret("made of characters")
                .help("count(text, 'x') counts a character, len(text) is the length"));
        }
        let over = match self.array(&inner) {
            true => Over::Elements,
            false => match self.deepest(&inner).and_then(|block| self.format.over(block)) {
                Some(over) => over,
                None if inner.has_forms() => {
                    return Ok(Typed { expr: super::forms::fold_forms(fold, inner), decimals, words: None });
                }
                None => {
                    return Err(Diagnostic::error("nothing-to-fold", span, "there is only one of this")
                        .caret("expected an array, or a field of a repeated block"));
                }
            },
        };
        Ok(Typed { expr: Expr::Fold(fold, over, Box::new(inner)), decimals, words: None })
    }

    /// Whether the expression stands for several numbers.
    pub(super) fn array(&self, expr: &Expr) -> bool {
        self.arrays(expr).next().is_some()
    }

    /// The dimensions of each array in the expression that is not folded away.
    pub(super) fn arrays<'e>(&'e self, expr: &'e Expr) -> Box<dyn Iterator<Item = &'e [Dimension]> + 'e> {
        match expr {
            Expr::Constant(_) | Expr::Fold(..) | Expr::Variable(_) | Expr::Whole(_) | Expr::Letters(_) => {
                Box::new(std::iter::empty())
            }
            Expr::Element(f, indices) => {
                let row = self.format.field(*f).dimensions.get(self.format.indexed_dimensions(*f, indices)..);
                Box::new(row.filter(|d| !d.is_empty()).into_iter())
            }
            Expr::Field(f) => Box::new(Some(&*self.format.field(*f).dimensions).filter(|d| !d.is_empty()).into_iter()),
            Expr::Length(f) => {
                let outer = self.format.field(*f).dimensions.split_last().map_or(&[][..], |(_, outer)| outer);
                Box::new(Some(outer).filter(|d| !d.is_empty()).into_iter())
            }
            Expr::Minus(inner) => self.arrays(inner),
            Expr::Binary(_, left, right) => Box::new(self.arrays(left).chain(self.arrays(right))),
        }
    }

    /// Whether all fields of an expression can be seen from one place: their blocks lie within each other.
    pub(super) fn one_chain(&self, expr: &Expr, span: Span) -> Result<(), Diagnostic> {
        if let Expr::Binary(_, left, right) = expr {
            self.one_chain(left, span)?;
            self.one_chain(right, span)?;
        }
        let Some(deepest) = self.deepest(expr) else { return Ok(()) };
        let mut apart = false;
        expr.each_field(&mut |f| {
            let block = self.format.field(f).block;
            apart |= !self.format.is_within(deepest, block) && !self.format.is_within(block, deepest);
        });
        if apart { Err(two_blocks(span)) } else { Ok(()) }
    }

    /// The innermost block that the expression speaks of, folds taken out.
    pub(super) fn deepest(&self, expr: &Expr) -> Option<BlockId> {
        match expr {
            Expr::Constant(_) | Expr::Variable(_) | Expr::Letters(_) => None,
            Expr::Field(f) | Expr::Length(f) => Some(self.format.field(*f).block),
            Expr::Element(f, indices) => {
                let block = self.format.field(*f).block;
                let home = match self.format.counts_repetitions(*f, indices) {
                    true => {
                        self.format.repetition_of(block).and_then(|repetition| self.format.block(repetition).parent)
                    }
                    false => Some(block),
                };
                indices.iter().map(|i| self.deepest(i)).fold(home, Ord::max)
            }
            Expr::Minus(inner) | Expr::Fold(_, Over::Elements, inner) | Expr::Whole(inner) => self.deepest(inner),
            Expr::Fold(_, over @ (Over::Instances(_) | Over::Occurrences(_)), _) => self.format.holder(*over),
            Expr::Binary(_, left, right) => self.deepest(left).max(self.deepest(right)),
        }
    }
}

/// The expression with its numbers multiplied by a larger power of ten.
pub(super) fn scaled(typed: Typed, decimals: u32, span: Span) -> Result<Expr, Diagnostic> {
    let Some(factor) = decimals.checked_sub(typed.decimals).and_then(|more| 10_i128.checked_pow(more)) else {
        return Err(Diagnostic::error(
            "bad-number",
            span,
            "this has more digits after the point than what it is compared with",
        )
        .caret(format!("at most {decimals}")));
    };
    if factor == 1 {
        return Ok(typed.expr);
    }
    match typed.expr {
        Expr::Constant(value) => match value.checked_mul(factor).filter(|v| v.abs() <= LARGEST) {
            Some(value) => Ok(Expr::Constant(value)),
            None => Err(Diagnostic::error("bad-number", span, "this number is too large")
                .caret("with the digits after the point, at most 36 digits")),
        },
        expr => Ok(Expr::Binary(Operator::Times, Box::new(expr), Box::new(Expr::Constant(factor)))),
    }
}

pub(super) fn two_blocks(span: Span) -> Diagnostic {
    Diagnostic::error("two-blocks", span, "these fields are in different blocks")
        .caret("there is no one place where both are known")
        .help("fold one side: `sum`, `min`, `max`")
}

fn words_as_numbers(span: Span) -> Diagnostic {
    Diagnostic::error("words-as-numbers", span, "words cannot be computed with")
        .caret("this is one of several words")
        .help("compare it with a word: `op = \"push\"`")
}
