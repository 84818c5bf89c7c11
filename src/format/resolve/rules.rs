//! Constraints.

use super::Resolver;
use super::exprs::{Typed, scaled, two_blocks};
use crate::diagnostic::{Diagnostic, Span, nearest};
use crate::format::expr::{Expr, Operator, Over, Sign};
use crate::format::formula::{Comparison, Formula, Quantified};
use crate::format::model::{BlockId, Class, Constraint, Dimension, External, FieldId, Subtask};
use crate::format::rule::Rule;
use crate::format::syntax::{Chain, Term, TermKind, WrittenFormula, WrittenRule};
use rebut_generators::{BESPOKE, Bespoke};

/// Predicates about order, and the relation of each number to the next.
const ORDERS: &[(&str, Sign)] = &[
    ("sorted", Sign::LessEqual),
    ("increasing", Sign::Less),
    ("nondecreasing", Sign::LessEqual),
    ("decreasing", Sign::Greater),
    ("nonincreasing", Sign::GreaterEqual),
];

/// All predicates.
pub(super) const PREDICATES: &[&str] =
    &["distinct", "symmetric", "sorted", "increasing", "nondecreasing", "decreasing", "nonincreasing"];

pub(super) fn is_predicate(name: &str) -> bool {
    PREDICATES.contains(&name)
}

/// Each neighbouring pair of lists gives one comparison for each pair of terms; with the span that it is reported at.
pub(super) fn pairs_of(chain: &Chain) -> Vec<(&Term, &'static str, &Term, Span)> {
    let mut found = Vec::new();
    for (pair, (sign, _)) in chain.lists.windows(2).zip(&chain.signs) {
        for left in &pair[0] {
            for right in &pair[1] {
                let span = if chain.lists.len() == 2 { chain.span } else { left.span.to(right.span) };
                found.push((left, *sign, right, span));
            }
        }
    }
    found
}

impl Resolver<'_> {
    pub(super) fn rule(&mut self, rule: &WrittenRule) -> Result<(), Diagnostic> {
        match rule {
            WrittenRule::Made { .. } | WrittenRule::Let { .. } => Ok(()),
            WrittenRule::Chain(chain) => self.chain(chain),
            WrittenRule::Formula(formula, span) => self.stated(formula, *span),
            WrittenRule::Predicate(term) => self.predicate(term),
            WrittenRule::Edges { ends, vertices, adjectives, span } => self.edges(ends, vertices, adjectives, *span),
            WrittenRule::Parents { name, children, vertices, adjectives, span } => {
                self.parents(name, children, vertices, adjectives, *span)
            }
            WrittenRule::Permutation { names, values, span } => self.permutation(names, values, *span),
            WrittenRule::Validator { command, span } => {
                self.format.validators.push(external("validator", command, *span)?);
                Ok(())
            }
            WrittenRule::Generator { command, span } => {
                self.format.generators.push(external("generator", command, *span)?);
                Ok(())
            }
            WrittenRule::Shape { name, span } => {
                known_shape(name, *span)?;
                self.format.shapes.push(name.clone());
                Ok(())
            }
            WrittenRule::Subtask { name, points, rules, span } => {
                self.subtask(name, points.as_ref(), rules.as_deref(), *span)
            }
        }
    }

    /// Formulas joined by `and` are as good as one a line: so plain comparisons among them bound their fields.
    fn stated(&mut self, formula: &WrittenFormula, span: Span) -> Result<(), Diagnostic> {
        match formula {
            WrittenFormula::Chain(chain) if !chain.signs.is_empty() => self.chain(chain),
            WrittenFormula::All(parts) => parts.iter().try_for_each(|part| self.stated(part, span)),
            formula => {
                let mut terms = Vec::new();
                terms_of(formula, &mut terms);
                self.in_each_form(&terms, span, &mut |resolver| resolver.formula_here(formula, span))
            }
        }
    }

    fn formula_here(&mut self, formula: &WrittenFormula, span: Span) -> Result<(), Diagnostic> {
        let formula = self.formula(formula, true)?;
        match self.pairwise_different(&formula) {
            Some((field, over)) => self.push_texts(field, over, span),
            None => self.push(Rule::Formula(formula), span),
        }
    }

    /// A subtask's constraints stand apart until it is selected.
    fn subtask(
        &mut self,
        name: &str,
        points: Option<&Term>,
        rules: Option<&[WrittenRule]>,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let Some(rules) = rules else { return self.select(name, span) };
        if let Some(earlier) = self.format.subtasks.iter().find(|s| s.name == name) {
            return Err(Diagnostic::error("subtask-twice", span, format!("there are two subtasks `{name}`"))
                .caret("the second one")
                .label(earlier.span, "the first one"));
        }
        let points = match points.map(|term| Ok((self.whole(term)?, term))).transpose()? {
            None => None,
            Some((Expr::Constant(points), _)) => Some(points),
            Some((_, term)) => {
                return Err(Diagnostic::error("not-constant", term.span, "points are a number")
                    .caret("this depends on the input"));
            }
        };
        let before = self.format.constraints.len();
        for rule in rules {
            match rule {
                WrittenRule::Chain(_)
                | WrittenRule::Formula(..)
                | WrittenRule::Predicate(_)
                | WrittenRule::Edges { .. }
                | WrittenRule::Parents { .. }
                | WrittenRule::Permutation { .. } => {
                    self.rule(rule)?;
                }
                _ => {
                    return Err(Diagnostic::error(
                        "subtask-what",
                        span,
                        "a subtask adds constraints, and nothing else",
                    )
                    .caret("it holds something that is none"));
                }
            }
        }
        let constraints = self.format.constraints.split_off(before);
        self.format.subtasks.push(Subtask { name: name.to_owned(), points, constraints, span });
        Ok(())
    }

    fn select(&mut self, name: &str, span: Span) -> Result<(), Diagnostic> {
        let Some(subtask) = self.format.subtasks.iter().find(|s| s.name == name) else {
            let known: Vec<&str> = self.format.subtasks.iter().map(|s| s.name.as_str()).collect();
            let problem = Diagnostic::error("unknown-subtask", span, format!("there is no subtask `{name}`"));
            return Err(match nearest(name, known.iter().copied()) {
                Some(near) => problem.caret("unknown").help(format!("did you mean `{near}`?")),
                None if known.is_empty() => problem.caret("the format has no subtasks"),
                None => problem.caret(format!("there are: {}", known.join(", "))),
            });
        };
        self.format.constraints.extend(subtask.constraints.clone());
        Ok(())
    }

    fn chain(&mut self, chain: &Chain) -> Result<(), Diagnostic> {
        for (left, sign, right, span) in pairs_of(chain) {
            self.comparison(left, sign, right, span)?;
        }
        Ok(())
    }

    /// States a comparison, in each form where its fields stand.
    pub(super) fn comparison(&mut self, left: &Term, sign: &str, right: &Term, span: Span) -> Result<(), Diagnostic> {
        self.in_each_form(&[left, right], span, &mut |resolver| resolver.compare_here(left, sign, right, span))
    }

    fn compare_here(&mut self, left: &Term, sign: &str, right: &Term, span: Span) -> Result<(), Diagnostic> {
        let comparison = self.compared(left, sign, right, span)?;
        let exprs = || comparison.left.iter().chain(&comparison.right);
        if exprs().any(has_element) && !exprs().any(|e| self.array(e)) {
            return self.push(Rule::Formula(Formula::Compare(comparison)), span);
        }
        self.push(Rule::Compare(comparison), span)
    }

    /// A comparison of numbers, or of tuples of numbers.
    pub(super) fn compared(&self, left: &Term, sign: &str, right: &Term, span: Span) -> Result<Comparison, Diagnostic> {
        let sign = sign_of(sign);
        let (left, right) = (parts_of(left), parts_of(right));
        if left.len() != right.len() {
            return Err(Diagnostic::error("tuple-length", span, "the two sides have different numbers of parts")
                .caret(format!("{} compared with {}", left.len(), right.len())));
        }
        let mut sides: Vec<(Typed, Typed)> = Vec::new();
        for (l, r) in left.iter().zip(right) {
            let (left_letter, right_letter) = (self.letter_beside(r, l), self.letter_beside(l, r));
            let (l, r) = (left_letter.as_ref().unwrap_or(l), right_letter.as_ref().unwrap_or(r));
            let vocabulary = self.vocabulary(l).or_else(|| self.vocabulary(r));
            let pair = match self.wholes(l, r, sign, span)? {
                Some(_) if left.len() > 1 => return Err(whole_in_tuple(span)),
                Some(pair) => pair,
                None => (self.side(l, vocabulary)?, self.side(r, vocabulary)?),
            };
            self.same_words(&pair, sign, span)?;
            sides.push(pair);
        }
        if sides.len() > 1 && sides.iter().any(|(l, r)| self.array(&l.expr) || self.array(&r.expr)) {
            return Err(Diagnostic::error("tuple", span, "tuples are made of single numbers")
                .caret("an array stands for several")
                .help("to tell pairs of elements apart: distinct((x, y))"));
        }
        if sides.len() > 1 && !matches!(sign, Sign::Equal | Sign::NotEqual) {
            return Err(Diagnostic::error("tuple", span, "tuples are only compared with `=` and `!=`")
                .caret("this sign compares numbers"));
        }
        let decimals = sides.iter().map(|(l, r)| l.decimals.max(r.decimals)).max().unwrap_or(0);
        let mut comparison = Comparison { left: Vec::new(), sign, right: Vec::new(), decimals };
        for (l, r) in sides {
            comparison.left.push(scaled(l, decimals, span)?);
            comparison.right.push(scaled(r, decimals, span)?);
        }
        Ok(comparison)
    }

    /// A text of one character that is compared with a letter of a text: `s[i] = "x"` is as good as `s[i] = 'x'`.
    fn letter_beside(&self, element: &Term, text: &Term) -> Option<Term> {
        let TermKind::Element(name, indices) = &element.kind else { return None };
        let field = self.lookup(name)?;
        let info = self.format.field(field);
        let picked = indices.len() - usize::from(self.format.is_repeated_text(field)).min(indices.len());
        info.letters().filter(|_| picked >= info.dimensions.len())?;
        Resolver::as_letter(text)
    }

    /// The field whose words a term stands for.
    fn vocabulary(&self, term: &Term) -> Option<FieldId> {
        let (TermKind::Name(name) | TermKind::Element(name, _)) = &term.kind else { return None };
        self.lookup(name).filter(|f| self.format.field(*f).words().is_some())
    }

    pub(super) fn same_words(&self, (left, right): &(Typed, Typed), sign: Sign, span: Span) -> Result<(), Diagnostic> {
        let words = |typed: &Typed| typed.words.and_then(|f| self.format.field(f).words());
        match (words(left), words(right)) {
            (None, None) => Ok(()),
            (Some(l), Some(r)) if l == r && matches!(sign, Sign::Equal | Sign::NotEqual) => Ok(()),
            (Some(_), Some(_)) => Err(Diagnostic::error("words-as-numbers", span, "words are only equal or different")
                .caret("expected `=` or `!=`, and words of the same choice")),
            _ => Err(Diagnostic::error("words-as-numbers", span, "a word is compared with a number")
                .caret("one side is one of several words")
                .help("compare it with a word: `op = \"push\"`")),
        }
    }

    fn side(&self, part: &Term, vocabulary: Option<FieldId>) -> Result<Typed, Diagnostic> {
        let typed = self.typed(part, vocabulary)?;
        match &typed.expr {
            Expr::Field(f) if self.format.field(*f).letters().is_some() => {
                Err(Diagnostic::error("text-as-number", part.span, "a text is not a number")
                    .caret("made of characters")
                    .help("compare it with a text, its length, `len(s)`, or the number of a letter, `count(s, 'x')`"))
            }
            _ => Ok(typed),
        }
    }

    /// States a predicate; of arrays in several forms in each of them.
    fn predicate(&mut self, term: &Term) -> Result<(), Diagnostic> {
        let TermKind::Call(_, arguments) = &term.kind else { return Ok(()) };
        let parts: Vec<&Term> = arguments.iter().flat_map(parts_of).collect();
        match arguments.len() == 1 && parts.iter().any(|part| self.is_array_term(part)) {
            true => self.in_each_form(&parts, term.span, &mut |resolver| resolver.predicate_here(term)),
            false => self.predicate_here(term),
        }
    }

    fn predicate_here(&mut self, term: &Term) -> Result<(), Diagnostic> {
        let TermKind::Call(name, arguments) = &term.kind else { return Ok(()) };
        if let Some((_, sign)) = ORDERS.iter().find(|(order, _)| order == name) {
            return self.ordered(*sign, arguments, term.span);
        }
        if name == "symmetric" {
            return self.symmetric(arguments, term.span);
        }
        if name != "distinct" {
            self.typed(term, None)?;
            return Err(Diagnostic::error("not-a-constraint", term.span, "this is a number, not a constraint")
                .caret("compare it with something")
                .help(format!("1 <= {} <= 100", self.format.text(term.span))));
        }
        if arguments.len() > 1 {
            for (i, left) in arguments.iter().enumerate() {
                for right in &arguments[i + 1..] {
                    self.comparison(left, "!=", right, term.span)?;
                }
            }
            return Ok(());
        }
        let Some(argument) = arguments.first() else {
            return Err(Diagnostic::error("arguments", term.span, "`distinct` of what?").caret("expected a field"));
        };
        let expr = |part: &Term| self.repeated(part).map(|typed| typed.expr);
        let parts = parts_of(argument).iter().map(expr).collect::<Result<Vec<_>, _>>()?;
        if let [Expr::Field(field)] = parts[..]
            && let Some(over) = self.over_texts(field)
        {
            return self.push_texts(field, over, term.span);
        }
        for (part, expr) in parts_of(argument).iter().zip(&parts).filter(|_| parts.len() > 1) {
            if matches!(expr, Expr::Field(f) if self.format.field(*f).letters().is_some()) {
                return Err(Diagnostic::error("text-as-number", part.span, "a tuple is made of numbers and words")
                    .caret("a text, made of characters")
                    .help("a text alone can be told apart: `distinct(name)`; a choice of words is `one of` them"));
            }
        }
        let over = self.over(&parts, term.span)?;
        self.push(Rule::Distinct(parts, over), term.span)
    }

    fn push_texts(&mut self, field: FieldId, over: Over, span: Span) -> Result<(), Diagnostic> {
        let home = self.format.holder(over).unwrap_or(self.format.field(field).block);
        self.push_at(Rule::DistinctTexts(field, over), home, span)
    }

    /// Texts that differ as wholes: those of several rows, or of several repetitions.
    pub(super) fn over_texts(&self, field: FieldId) -> Option<Over> {
        let info = self.format.field(field);
        info.letters()?;
        match (info.dimensions.len(), info.block) {
            (2.., _) => Some(Over::Elements),
            // Of a text that there is but one of, the letters differ.
            (_, block) => self.format.over(block).filter(|_| self.format.repetition_of(block).is_some()),
        }
    }

    /// Returns an error if there is at most one of what a predicate about several runs over.
    fn repeats(&self, over: Over, field: FieldId, span: Span) -> Result<(), Diagnostic> {
        let Over::Occurrences(occurrences) = over else { return Ok(()) };
        if self.format.repetition_of(occurrences.block).is_some() {
            return Ok(());
        }
        let name = &self.format.field(field).name;
        Err(Diagnostic::error("nothing-to-fold", span, format!("there is at most one `{name}`"))
            .caret("a condition or a form is not repeated, and nothing around it is")
            .help("this asks for something only of an array, or of a field below `repeat` or `cases`"))
    }

    /// What a predicate about several numbers runs over.
    fn over(&self, parts: &[Expr], span: Span) -> Result<Over, Diagnostic> {
        if parts.iter().any(|p| self.array(p)) {
            return Ok(Over::Elements);
        }
        let block = parts.iter().filter_map(|p| self.deepest(p)).max();
        match block.and_then(|block| self.format.over(block)) {
            Some(over) => {
                let mut fields = Vec::new();
                parts.iter().for_each(|part| part.each_field(&mut |field| fields.push(field)));
                fields.first().map_or(Ok(()), |field| self.repeats(over, *field, span))?;
                Ok(over)
            }
            None => Err(Diagnostic::error("nothing-to-fold", span, "there is only one of this")
                .caret("expected an array, or a field of a repeated block")),
        }
    }

    fn ordered(&mut self, sign: Sign, arguments: &[Term], span: Span) -> Result<(), Diagnostic> {
        let [argument] = arguments else {
            return Err(Diagnostic::error("arguments", span, "an order is asked of one array or repeated field")
                .caret(format!("{} given", arguments.len())));
        };
        let typed = self.repeated(argument)?;
        if typed.words.is_some() {
            return Err(Diagnostic::error("words-as-numbers", span, "words have no order").caret("expected numbers"));
        }
        let expr = typed.expr;
        let over = self.over(std::slice::from_ref(&expr), span)?;
        self.push(Rule::Ordered(expr, sign, over), span)
    }

    /// `symmetric(V)`: below the diagonal what is above it.
    fn symmetric(&mut self, arguments: &[Term], span: Span) -> Result<(), Diagnostic> {
        let wrong = || {
            Diagnostic::error("symmetric-what", span, "`symmetric` takes one square field")
                .caret("expected the name of a field such as `V[n][n]`")
        };
        let [argument] = arguments else { return Err(wrong()) };
        let Expr::Field(field) = self.typed(argument, None)?.expr else { return Err(wrong()) };
        let [Dimension::Size(rows), Dimension::Size(columns)] = &*self.format.field(field).dimensions else {
            return Err(wrong());
        };
        if rows != columns {
            return Err(wrong());
        }
        let at = |i, j| Expr::Element(field, vec![Expr::Variable(i), Expr::Variable(j)]);
        let same = Formula::Compare(Comparison::new(at(0, 1), Sign::Equal, at(1, 0)));
        let before = Expr::Binary(Operator::Minus, Box::new(Expr::Variable(0)), Box::new(Expr::Constant(1)));
        let quantified = |variable, name: &str, last, body| {
            Formula::Each(Box::new(Quantified {
                variable,
                name: name.to_owned(),
                range: (Expr::Constant(1), last),
                body,
            }))
        };
        let formula = quantified(0, "i", rows.clone(), quantified(1, "j", before, same));
        self.push(Rule::Formula(formula), span)
    }

    /// `p permutation of 1..n`: each number once, if there are as many as numbers.
    fn permutation(&mut self, names: &[Term], values: &(Term, Term), span: Span) -> Result<(), Diagnostic> {
        for name in names {
            self.comparison(&values.0, "<=", name, span)?;
            self.comparison(name, "<=", &values.1, span)?;
            let parts = vec![self.repeated(name)?.expr];
            let over = self.over(&parts, span)?;
            self.push(Rule::Distinct(parts, over), span)?;
        }
        Ok(())
    }

    /// Adds a constraint after checking that its fields can be seen together and its arrays fit.
    pub(super) fn push(&mut self, rule: Rule, span: Span) -> Result<(), Diagnostic> {
        let mut home = BlockId(0);
        let mut dimensions: Option<&[Dimension]> = None;
        for expr in rule.exprs() {
            self.one_chain(expr, span)?;
            let block = self.deepest(expr).unwrap_or(BlockId(0));
            if !self.format.is_within(block, home) && !self.format.is_within(home, block) {
                return Err(two_blocks(span));
            }
            home = home.max(block);
            for array in self.arrays(expr) {
                if *dimensions.get_or_insert(array) != array {
                    return Err(Diagnostic::error("sizes-differ", span, "arrays of different sizes are compared")
                        .caret("element by element needs equal sizes"));
                }
            }
        }
        if let Rule::Distinct(_, over) | Rule::Ordered(_, _, over) = &rule {
            home = self.format.holder(*over).unwrap_or(home);
        }
        self.push_at(rule, home, span)
    }

    pub(super) fn push_at(&mut self, rule: Rule, home: BlockId, span: Span) -> Result<(), Diagnostic> {
        self.format.constraints.push(Constraint { rule, home, span, class: Class::Residual });
        Ok(())
    }
}

/// The terms of a formula.
fn terms_of<'f>(formula: &'f WrittenFormula, found: &mut Vec<&'f Term>) {
    match formula {
        WrittenFormula::Chain(chain) => found.extend(chain.lists.iter().flatten()),
        WrittenFormula::All(parts) | WrittenFormula::Any(parts) => parts.iter().for_each(|part| terms_of(part, found)),
        WrittenFormula::Not(inner) => terms_of(inner, found),
        WrittenFormula::Implies(sides) => {
            terms_of(&sides.0, found);
            terms_of(&sides.1, found);
        }
        WrittenFormula::Quantified { range, body, .. } => {
            found.extend([&range.0, &range.1]);
            terms_of(body, found);
        }
    }
}

/// A shape is named whole, or by its problem for all of that problem.
fn known_shape(name: &str, span: Span) -> Result<(), Diagnostic> {
    let known = |shape: &Bespoke| shape.name == name || shape.problem() == name;
    if BESPOKE.iter().any(known) {
        return Ok(());
    }
    let problem = Diagnostic::error("unknown-shape", span, format!("there is no bespoke shape `{name}`"));
    let names = BESPOKE.iter().flat_map(|shape| [shape.problem(), shape.name]);
    Err(match nearest(name, names) {
        Some(near) => problem.caret("unknown").help(format!("did you mean `{near}`?")),
        None => problem.caret("unknown").note("`rebut shapes` lists them under `problems`"),
    })
}

fn whole_in_tuple(span: Span) -> Diagnostic {
    Diagnostic::error("tuple", span, "tuples are made of single numbers")
        .caret("a text or an array as a whole is compared by itself")
}

fn external(what: &str, command: &str, span: Span) -> Result<External, Diagnostic> {
    if command.trim().is_empty() {
        return Err(Diagnostic::error("no-command", span, format!("the {what} has no command"))
            .caret("expected a source file or a command"));
    }
    Ok(External { command: command.to_owned(), span })
}

/// The parts of a tuple; a single term is its own only part.
fn parts_of(term: &Term) -> &[Term] {
    match &term.kind {
        TermKind::Tuple(parts) => parts,
        _ => std::slice::from_ref(term),
    }
}

/// Whether an expression speaks of one element: ranges of whole fields say nothing about it.
fn has_element(expr: &Expr) -> bool {
    match expr {
        // A whole is no number that ranges say anything about.
        Expr::Element(..) | Expr::Whole(_) | Expr::Letters(_) => true,
        Expr::Constant(_) | Expr::Field(_) | Expr::Length(_) | Expr::Variable(_) => false,
        Expr::Minus(inner) | Expr::Fold(_, _, inner) => has_element(inner),
        Expr::Binary(_, left, right) => has_element(left) || has_element(right),
    }
}

fn sign_of(sign: &str) -> Sign {
    match sign {
        "<" => Sign::Less,
        "<=" => Sign::LessEqual,
        ">" => Sign::Greater,
        ">=" => Sign::GreaterEqual,
        "=" => Sign::Equal,
        _ => Sign::NotEqual,
    }
}

/// No form has all of the fields that a constraint names.
pub(super) fn two_blocks_in_forms(span: Span) -> Diagnostic {
    Diagnostic::error("two-blocks", span, "these fields are in different forms")
        .caret("there is no form that has all of them")
        .help("fold one side: `sum`, `min`, `max`")
}
