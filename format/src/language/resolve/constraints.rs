//! Resolution of constraints.

use super::Resolver;
use super::predicates::ORDER_PREDICATES;
use super::typed_expr::{TypedExpr, different_blocks_error, scale_to_decimals};
use crate::constraints::find_text_property;
use crate::language::syntax::{ComparisonChain, SyntaxFormula, SyntaxRule, SyntaxTerm, SyntaxTermKind};
use crate::model::{
    ArithmeticOperator, BlockId, Class, Comparison, ComparisonOperator, Constraint, ConstraintRule, DistinctConstraint,
    DistinctTextsConstraint, Expr, ExternalProgram, FieldDimension, FieldId, FoldRange, Formula, OrderConstraint,
    QuantifiedFormula, Subtask,
};
use rebut_diagnostics::{Diagnostic, Span, suggestion_for};

/// Returns one comparison per pair of terms for each neighbouring pair of lists, with the span for errors.
pub(super) fn comparison_pairs(chain: &ComparisonChain) -> Vec<(&SyntaxTerm, &'static str, &SyntaxTerm, Span)> {
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
    pub(super) fn resolve_rule(&mut self, rule: &SyntaxRule) -> Result<(), Diagnostic> {
        match rule {
            SyntaxRule::FieldKind { .. } | SyntaxRule::Let { .. } => Ok(()),
            SyntaxRule::Chain(chain) => self.push_chain(chain),
            SyntaxRule::Formula(formula, span) => self.resolve_statement(formula, *span),
            SyntaxRule::Predicate(term) => self.resolve_predicate(term),
            SyntaxRule::Edges { ends, vertices, properties, span } => {
                self.resolve_edges(ends, vertices, properties, *span)
            }
            SyntaxRule::Parents { name, children, vertices, properties, span } => {
                self.resolve_parents(name, children, vertices, properties, *span)
            }
            SyntaxRule::Permutation { names, values, span } => self.push_permutation(names, values, *span),
            SyntaxRule::Validator { command, span } => {
                self.format.validators.push(external_program("validator", command, *span)?);
                Ok(())
            }
            SyntaxRule::Generator { command, span } => {
                self.format.generators.push(external_program("generator", command, *span)?);
                Ok(())
            }
            SyntaxRule::Subtask { name, points, rules, span } => {
                self.resolve_subtask(name, points.as_ref(), rules.as_deref(), *span)
            }
        }
    }

    /// Splits a conjunction, so that plain comparisons in it bound their fields as if each were on its own line.
    fn resolve_statement(&mut self, formula: &SyntaxFormula, span: Span) -> Result<(), Diagnostic> {
        match formula {
            SyntaxFormula::Chain(chain) if !chain.signs.is_empty() => self.push_chain(chain),
            SyntaxFormula::All(parts) => parts.iter().try_for_each(|part| self.resolve_statement(part, span)),
            formula => {
                let mut terms = Vec::new();
                collect_terms(formula, &mut terms);
                self.for_each_alternative(&terms, span, &mut |resolver| resolver.push_formula(formula, span))
            }
        }
    }

    fn push_formula(&mut self, formula: &SyntaxFormula, span: Span) -> Result<(), Diagnostic> {
        let formula = self.resolve_formula(formula, true)?;
        match self.match_pairwise_distinct(&formula) {
            Some((field, over)) => self.push_distinct_texts(field, over, span),
            None => self.push_constraint(formula, span),
        }
    }

    /// Resolves a subtask; its constraints are kept separate until it is selected.
    fn resolve_subtask(
        &mut self,
        name: &str,
        points: Option<&SyntaxTerm>,
        rules: Option<&[SyntaxRule]>,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let Some(rules) = rules else { return self.select_subtask(name, span) };
        if let Some(earlier) = self.format.subtasks.iter().find(|s| s.name == name) {
            return Err(Diagnostic::error("subtask-twice", span, format!("there are two subtasks `{name}`"))
                .with_caret("the second one")
                .with_label(earlier.span, "the first one"));
        }
        let points = match points.map(|term| Ok((self.resolve_integer(term)?, term))).transpose()? {
            None => None,
            Some((Expr::Constant(points), _)) => Some(points),
            Some((_, term)) => {
                return Err(Diagnostic::error("not-constant", term.span, "points must be a number")
                    .with_caret("this depends on the input"));
            }
        };
        let before = self.format.constraints.len();
        for rule in rules {
            match rule {
                SyntaxRule::Chain(_)
                | SyntaxRule::Formula(..)
                | SyntaxRule::Predicate(_)
                | SyntaxRule::Edges { .. }
                | SyntaxRule::Parents { .. }
                | SyntaxRule::Permutation { .. } => {
                    self.resolve_rule(rule)?;
                }
                _ => {
                    return Err(Diagnostic::error("subtask-what", span, "a subtask can only add constraints")
                        .with_caret("this one contains something else"));
                }
            }
        }
        let constraints = self.format.constraints.split_off(before);
        self.format.subtasks.push(Subtask { name: name.to_owned(), points, constraints, span });
        Ok(())
    }

    fn select_subtask(&mut self, name: &str, span: Span) -> Result<(), Diagnostic> {
        let Some(subtask) = self.format.subtasks.iter().find(|s| s.name == name) else {
            let known: Vec<&str> = self.format.subtasks.iter().map(|s| s.name.as_str()).collect();
            let problem = Diagnostic::error("unknown-subtask", span, format!("there is no subtask `{name}`"));
            return Err(match suggestion_for(name, known.iter().copied()) {
                Some(help) => problem.with_caret("unknown").with_help(help),
                None if known.is_empty() => problem.with_caret("the format has no subtasks"),
                None => problem.with_caret(format!("there are: {}", known.join(", "))),
            });
        };
        self.format.constraints.extend(subtask.constraints.clone());
        Ok(())
    }

    fn push_chain(&mut self, chain: &ComparisonChain) -> Result<(), Diagnostic> {
        for (left, sign, right, span) in comparison_pairs(chain) {
            self.push_comparison(left, sign, right, span)?;
        }
        Ok(())
    }

    /// Adds a comparison, once for each alternative that has all its fields.
    pub(super) fn push_comparison(
        &mut self,
        left: &SyntaxTerm,
        sign: &str,
        right: &SyntaxTerm,
        span: Span,
    ) -> Result<(), Diagnostic> {
        self.for_each_alternative(&[left, right], span, &mut |resolver| {
            resolver.push_comparison_here(left, sign, right, span)
        })
    }

    fn push_comparison_here(
        &mut self,
        left: &SyntaxTerm,
        sign: &str,
        right: &SyntaxTerm,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let comparison = self.resolve_comparison(left, sign, right, span)?;
        let exprs = || comparison.left.iter().chain(&comparison.right);
        if exprs().any(contains_element) && !exprs().any(|e| self.is_array_expr(e)) {
            return self.push_constraint(Formula::Compare(comparison), span);
        }
        self.push_constraint(comparison, span)
    }

    /// Resolves a comparison of numbers or of tuples.
    pub(super) fn resolve_comparison(
        &self,
        left: &SyntaxTerm,
        sign: &str,
        right: &SyntaxTerm,
        span: Span,
    ) -> Result<Comparison, Diagnostic> {
        let sign = parse_operator(sign);
        let (left, right) = (tuple_parts(left), tuple_parts(right));
        if left.len() != right.len() {
            return Err(Diagnostic::error("tuple-length", span, "the two sides have different numbers of parts")
                .with_caret(format!("{} compared with {}", left.len(), right.len())));
        }
        let mut sides: Vec<(TypedExpr, TypedExpr)> = Vec::new();
        for (l, r) in left.iter().zip(right) {
            let (left_letter, right_letter) = (self.as_compared_letter(r, l), self.as_compared_letter(l, r));
            let (l, r) = (left_letter.as_ref().unwrap_or(l), right_letter.as_ref().unwrap_or(r));
            let vocabulary = self.word_field_of(l).or_else(|| self.word_field_of(r));
            let pair = match self.resolve_sequences(l, r, sign, span)? {
                Some(_) if left.len() > 1 => return Err(sequence_in_tuple_error(span)),
                Some(pair) => pair,
                None => (self.resolve_side(l, vocabulary)?, self.resolve_side(r, vocabulary)?),
            };
            self.check_same_words(&pair, sign, span)?;
            sides.push(pair);
        }
        if sides.len() > 1 && sides.iter().any(|(l, r)| self.is_array_expr(&l.expr) || self.is_array_expr(&r.expr)) {
            return Err(Diagnostic::error("tuple", span, "a tuple consists of single numbers")
                .with_caret("this array stands for several numbers")
                .with_help("to require distinct pairs: distinct((x, y))"));
        }
        if sides.len() > 1 && !matches!(sign, ComparisonOperator::Equal | ComparisonOperator::NotEqual) {
            return Err(Diagnostic::error("tuple", span, "tuples can only be compared with `=` and `!=`")
                .with_caret("this operator compares numbers"));
        }
        let decimals = sides.iter().map(|(l, r)| l.decimals.max(r.decimals)).max().unwrap_or(0);
        let mut comparison = Comparison { left: Vec::new(), sign, right: Vec::new(), decimals };
        for (l, r) in sides {
            comparison.left.push(scale_to_decimals(l, decimals, span)?);
            comparison.right.push(scale_to_decimals(r, decimals, span)?);
        }
        Ok(comparison)
    }

    /// Returns a one-character text as a letter if it is compared with a letter: `s[i] = "x"` means `s[i] = 'x'`.
    fn as_compared_letter(&self, element: &SyntaxTerm, text: &SyntaxTerm) -> Option<SyntaxTerm> {
        let SyntaxTermKind::Element(name, indices) = &element.kind else { return None };
        let field = self.lookup_field(name)?;
        let info = self.format.field(field);
        let picked = indices.len() - usize::from(self.format.is_repeated_text(field)).min(indices.len());
        info.alphabet().filter(|_| picked >= info.dimensions.len())?;
        Resolver::as_letter(text)
    }

    /// Returns the field that gives the meaning of a term's words.
    fn word_field_of(&self, term: &SyntaxTerm) -> Option<FieldId> {
        let (SyntaxTermKind::Name(name) | SyntaxTermKind::Element(name, _)) = &term.kind else { return None };
        self.lookup_field(name).filter(|f| self.format.field(*f).word_choices().is_some())
    }

    pub(super) fn check_same_words(
        &self,
        (left, right): &(TypedExpr, TypedExpr),
        sign: ComparisonOperator,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let words = |typed: &TypedExpr| typed.word_field.and_then(|f| self.format.field(f).word_choices());
        match (words(left), words(right)) {
            (None, None) => Ok(()),
            (Some(l), Some(r))
                if l == r && matches!(sign, ComparisonOperator::Equal | ComparisonOperator::NotEqual) =>
            {
                Ok(())
            }
            (Some(_), Some(_)) => Err(Diagnostic::error("words-as-numbers", span, "words have no order")
                .with_caret("expected `=` or `!=`, and words of the same choice")),
            _ => Err(Diagnostic::error("words-as-numbers", span, "a word is compared with a number")
                .with_caret("one side is a choice of words")
                .with_help("compare it with a word: `op = \"push\"`")),
        }
    }

    fn resolve_side(&self, part: &SyntaxTerm, vocabulary: Option<FieldId>) -> Result<TypedExpr, Diagnostic> {
        let typed = self.resolve_expr(part, vocabulary)?;
        match &typed.expr {
            Expr::Field(f) if self.format.field(*f).alphabet().is_some() => Err(Diagnostic::error(
                "text-as-number",
                part.span,
                "a text is not a number",
            )
            .with_caret("this is a text")
            .with_help(
                "compare it with a text, or use its length, `len(s)`, or the count of a letter, `count(s, 'x')`",
            )),
            _ => Ok(typed),
        }
    }

    /// Adds a predicate, once for each alternative if its arrays are shared by several.
    fn resolve_predicate(&mut self, term: &SyntaxTerm) -> Result<(), Diagnostic> {
        let SyntaxTermKind::Call(_, arguments) = &term.kind else { return Ok(()) };
        let parts: Vec<&SyntaxTerm> = arguments.iter().flat_map(tuple_parts).collect();
        match arguments.len() == 1 && parts.iter().any(|part| self.is_array_term(part)) {
            true => self.for_each_alternative(&parts, term.span, &mut |resolver| resolver.push_predicate(term)),
            false => self.push_predicate(term),
        }
    }

    fn push_predicate(&mut self, term: &SyntaxTerm) -> Result<(), Diagnostic> {
        let SyntaxTermKind::Call(name, arguments) = &term.kind else { return Ok(()) };
        if let Some((_, sign)) = ORDER_PREDICATES.iter().find(|(order, _)| order == name) {
            return self.push_ordered(*sign, arguments, term.span);
        }
        if let Some(property) = find_text_property(name) {
            return self.push_text_property(property, arguments, term.span);
        }
        if name == "symmetric" {
            return self.push_symmetric(arguments, term.span);
        }
        if name != "distinct" {
            self.resolve_expr(term, None)?;
            return Err(Diagnostic::error("not-a-constraint", term.span, "this is a number, not a constraint")
                .with_caret("expected a comparison")
                .with_help(format!("1 <= {} <= 100", self.format.source_text(term.span))));
        }
        if arguments.len() > 1 {
            for (i, left) in arguments.iter().enumerate() {
                for right in &arguments[i + 1..] {
                    self.push_comparison(left, "!=", right, term.span)?;
                }
            }
            return Ok(());
        }
        let Some(argument) = arguments.first() else {
            return Err(Diagnostic::error("arguments", term.span, "`distinct` needs an argument")
                .with_caret("expected a field"));
        };
        let expr = |part: &SyntaxTerm| self.resolve_repeated(part).map(|typed| typed.expr);
        let parts = tuple_parts(argument).iter().map(expr).collect::<Result<Vec<_>, _>>()?;
        if let [Expr::Field(field)] = parts[..]
            && let Some(over) = self.distinct_texts_range(field)
        {
            return self.push_distinct_texts(field, over, term.span);
        }
        for (part, expr) in tuple_parts(argument).iter().zip(&parts).filter(|_| parts.len() > 1) {
            if matches!(expr, Expr::Field(f) if self.format.field(*f).alphabet().is_some()) {
                return Err(Diagnostic::error("text-as-number", part.span, "a tuple consists of numbers and words")
                    .with_caret("this is a text")
                    .with_help("for texts alone use `distinct(name)`; declare a choice of words with `one of`"));
            }
        }
        let over = self.predicate_range(&parts, term.span)?;
        self.push_constraint(DistinctConstraint { parts, over }, term.span)
    }

    fn push_distinct_texts(&mut self, field: FieldId, over: FoldRange, span: Span) -> Result<(), Diagnostic> {
        let home = self.format.holder_block(over).unwrap_or(self.format.field(field).block);
        self.push_constraint_at(DistinctTextsConstraint { field, over }, home, span)
    }

    /// Returns the range over which texts are compared as a unit: several rows, or several repetitions.
    pub(super) fn distinct_texts_range(&self, field: FieldId) -> Option<FoldRange> {
        let info = self.format.field(field);
        info.alphabet()?;
        match (info.dimensions.len(), info.block) {
            (2.., _) => Some(FoldRange::Elements),
            // A text that occurs only once has no other to differ from, so `distinct` is about its letters.
            (_, block) => self.format.fold_range(block).filter(|_| self.format.repetition_of(block).is_some()),
        }
    }

    /// Returns an error if a predicate about several values runs over at most one.
    fn check_repeats(&self, over: FoldRange, field: FieldId, span: Span) -> Result<(), Diagnostic> {
        let FoldRange::Occurrences(occurrences) = over else { return Ok(()) };
        if self.format.repetition_of(occurrences.block).is_some() {
            return Ok(());
        }
        let name = &self.format.field(field).name;
        Err(Diagnostic::error("nothing-to-fold", span, format!("there is at most one `{name}`"))
            .with_caret("nothing repeats it or the blocks around it")
            .with_help("this constraint needs an array, or a field below `repeat` or `cases`"))
    }

    /// Returns the range that a predicate about several numbers runs over.
    fn predicate_range(&self, parts: &[Expr], span: Span) -> Result<FoldRange, Diagnostic> {
        if parts.iter().any(|p| self.is_array_expr(p)) {
            return Ok(FoldRange::Elements);
        }
        let block = parts.iter().filter_map(|p| self.deepest_block(p)).max();
        match block.and_then(|block| self.format.fold_range(block)) {
            Some(over) => {
                let mut fields = Vec::new();
                parts.iter().for_each(|part| part.visit_fields(&mut |field| fields.push(field)));
                fields.first().map_or(Ok(()), |field| self.check_repeats(over, *field, span))?;
                Ok(over)
            }
            None => Err(Diagnostic::error("nothing-to-fold", span, "this is a single value")
                .with_caret("expected an array, or a field of a repeated block")),
        }
    }

    fn push_ordered(
        &mut self,
        sign: ComparisonOperator,
        arguments: &[SyntaxTerm],
        span: Span,
    ) -> Result<(), Diagnostic> {
        let [argument] = arguments else {
            return Err(Diagnostic::error("arguments", span, "an order needs one array or repeated field")
                .with_caret(format!("{} given", arguments.len())));
        };
        let typed = self.resolve_repeated(argument)?;
        if typed.word_field.is_some() {
            return Err(
                Diagnostic::error("words-as-numbers", span, "words have no order").with_caret("expected numbers")
            );
        }
        let expr = typed.expr;
        let over = self.predicate_range(std::slice::from_ref(&expr), span)?;
        self.push_constraint(OrderConstraint { expr, sign, over }, span)
    }

    /// `symmetric(V)`: the elements below the diagonal equal those above it.
    fn push_symmetric(&mut self, arguments: &[SyntaxTerm], span: Span) -> Result<(), Diagnostic> {
        let wrong = || {
            Diagnostic::error("symmetric-what", span, "`symmetric` takes one square field")
                .with_caret("expected the name of a field such as `V[n][n]`")
        };
        let [argument] = arguments else { return Err(wrong()) };
        let Expr::Field(field) = self.resolve_expr(argument, None)?.expr else { return Err(wrong()) };
        let [FieldDimension::Size(rows), FieldDimension::Size(columns)] = &*self.format.field(field).dimensions else {
            return Err(wrong());
        };
        if rows != columns {
            return Err(wrong());
        }
        let at = |i, j| Expr::Element(field, vec![Expr::Variable(i), Expr::Variable(j)]);
        let same = Formula::Compare(Comparison::new(at(0, 1), ComparisonOperator::Equal, at(1, 0)));
        let before =
            Expr::Binary(ArithmeticOperator::Subtract, Box::new(Expr::Variable(0)), Box::new(Expr::Constant(1)));
        let quantified = |variable, name: &str, last, body| {
            Formula::ForAll(Box::new(QuantifiedFormula {
                variable,
                name: name.to_owned(),
                range: (Expr::Constant(1), last),
                body,
            }))
        };
        let formula = quantified(0, "i", rows.clone(), quantified(1, "j", before, same));
        self.push_constraint(formula, span)
    }

    /// `p permutation of 1..n`: each number exactly once, provided that there are as many elements as numbers.
    fn push_permutation(
        &mut self,
        names: &[SyntaxTerm],
        values: &(SyntaxTerm, SyntaxTerm),
        span: Span,
    ) -> Result<(), Diagnostic> {
        for end in [&values.0, &values.1] {
            self.resolve_integer(end)?;
        }
        for name in names {
            self.push_comparison(&values.0, "<=", name, span)?;
            self.push_comparison(name, "<=", &values.1, span)?;
            let parts = vec![self.resolve_repeated(name)?.expr];
            let over = self.predicate_range(&parts, span)?;
            self.push_constraint(DistinctConstraint { parts, over }, span)?;
        }
        Ok(())
    }

    /// Adds a constraint after checking that its fields have a common block and that its arrays have equal sizes.
    pub(super) fn push_constraint(&mut self, rule: impl Into<ConstraintRule>, span: Span) -> Result<(), Diagnostic> {
        let rule: ConstraintRule = rule.into();
        let mut home = BlockId(0);
        let mut dimensions: Option<&[FieldDimension]> = None;
        for expr in rule.expressions() {
            self.check_blocks_nest(expr, span)?;
            let block = self.deepest_block(expr).unwrap_or(BlockId(0));
            if !self.format.is_within(block, home) && !self.format.is_within(home, block) {
                return Err(different_blocks_error(span));
            }
            home = home.max(block);
            for array in self.array_dimensions(expr) {
                if *dimensions.get_or_insert(array) != array {
                    return Err(Diagnostic::error("sizes-differ", span, "these arrays have different sizes")
                        .with_caret("an elementwise comparison needs equal sizes"));
                }
            }
        }
        if let Some(over) = rule.kind().range() {
            home = self.format.holder_block(over).unwrap_or(home);
        }
        self.push_constraint_at(rule, home, span)
    }

    pub(super) fn push_constraint_at(
        &mut self,
        rule: impl Into<ConstraintRule>,
        home: BlockId,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let rule = rule.into();
        self.format.constraints.push(Constraint { rule, home_block: home, span, class: Class::Residual });
        Ok(())
    }
}

/// Collects the terms of a formula.
fn collect_terms<'f>(formula: &'f SyntaxFormula, found: &mut Vec<&'f SyntaxTerm>) {
    match formula {
        SyntaxFormula::Chain(chain) => found.extend(chain.lists.iter().flatten()),
        SyntaxFormula::All(parts) | SyntaxFormula::Any(parts) => {
            parts.iter().for_each(|part| collect_terms(part, found))
        }
        SyntaxFormula::Not(inner) => collect_terms(inner, found),
        SyntaxFormula::Implies(sides) => {
            collect_terms(&sides.0, found);
            collect_terms(&sides.1, found);
        }
        SyntaxFormula::Quantified { range, body, .. } => {
            found.extend([&range.0, &range.1]);
            collect_terms(body, found);
        }
    }
}

fn sequence_in_tuple_error(span: Span) -> Diagnostic {
    Diagnostic::error("tuple", span, "a tuple consists of single numbers")
        .with_caret("compare a whole text or array by itself")
}

fn external_program(what: &str, command: &str, span: Span) -> Result<ExternalProgram, Diagnostic> {
    if command.trim().is_empty() {
        return Err(Diagnostic::error("no-command", span, format!("the {what} has no command"))
            .with_caret("expected a source file or a command"));
    }
    Ok(ExternalProgram { command: command.to_owned(), span })
}

/// Returns the parts of a tuple, or the term itself if it is not a tuple.
fn tuple_parts(term: &SyntaxTerm) -> &[SyntaxTerm] {
    match &term.kind {
        SyntaxTermKind::Tuple(parts) => parts,
        _ => std::slice::from_ref(term),
    }
}

/// Returns true if an expression contains an element or a sequence, for which the ranges of whole fields mean nothing.
fn contains_element(expr: &Expr) -> bool {
    // The ranges of numbers do not apply to sequences.
    expr.any_part(&|part| matches!(part, Expr::Element(..) | Expr::Sequence(_) | Expr::TextLiteral(_)).then_some(true))
}

fn parse_operator(sign: &str) -> ComparisonOperator {
    match sign {
        "<" => ComparisonOperator::Less,
        "<=" => ComparisonOperator::LessEqual,
        ">" => ComparisonOperator::Greater,
        ">=" => ComparisonOperator::GreaterEqual,
        "=" => ComparisonOperator::Equal,
        _ => ComparisonOperator::NotEqual,
    }
}
