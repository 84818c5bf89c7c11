//! A syntax tree to the model: every name is looked up, every expression gets its shape.

use super::classify::classify;
use super::interval::Interval;
use super::model::{
    Adjective, Block, BlockId, BlockKind, Class, Comparison, Constraint, Count, Dimension, Expr, Field, FieldId, Fold,
    Format, GraphRule, Item, Kind, Operator, Over, Part, Rule, Sign, Token, Validator,
};
use super::syntax::{self, LayoutLine, PartKind, Term, TermKind, Tree, WrittenCount, WrittenRule};
use crate::diagnostic::{Diagnostic, Severity, Source, Span, list_or, nearest};

type Problems = Vec<Diagnostic>;

/// The functions of the language.
const FUNCTIONS: &[&str] = &["sum", "min", "max", "count", "len"];

/// Predicates about order, and the relation of each number to the next.
const ORDERS: &[(&str, Sign)] = &[
    ("sorted", Sign::LessEqual),
    ("increasing", Sign::Less),
    ("nondecreasing", Sign::LessEqual),
    ("decreasing", Sign::Greater),
    ("nonincreasing", Sign::GreaterEqual),
];

/// The words that describe a graph.
const ADJECTIVES: &[(&str, &[Adjective])] = &[
    ("tree", &[Adjective::Tree]),
    ("forest", &[Adjective::Acyclic]),
    ("acyclic", &[Adjective::Acyclic]),
    ("dag", &[Adjective::Directed, Adjective::Acyclic]),
    ("directed", &[Adjective::Directed]),
    ("undirected", &[]),
    ("simple", &[Adjective::Simple]),
    ("loopless", &[Adjective::Loopless]),
    ("connected", &[Adjective::Connected]),
    ("bipartite", &[Adjective::Bipartite]),
    ("path", &[Adjective::Path]),
    ("star", &[Adjective::Star]),
];

/// The model of a tree; none if nothing sensible can be made of it.
pub(super) fn resolve(tree: Tree, source: &Source, problems: &mut Problems) -> Option<Format> {
    let whole = problems.iter().all(|problem| problem.severity == Severity::Warning);
    let mut resolver = Resolver { format: empty(source), problems };
    resolver.texts(&tree.rules);
    resolver.layout(&tree.layout, BlockId(0));
    if resolver.format.fields.is_empty() {
        if resolver.problems.is_empty() {
            let end = source.text.len();
            let problem = Diagnostic::error("empty-format", Span::new(0, end.min(1)), "the format is empty");
            resolver.problems.push(problem.caret("expected the names of what the input's first line holds").help(
                "a format is the statement's Input section: `n`, then `a[n]`, then `where:` and its constraints",
            ));
        }
        return None;
    }
    for rule in &tree.rules {
        // What is missed may stand on a line that could not be read.
        let follows = |p: &Diagnostic| !whole && p.help.is_none() && ["unknown-name", "len-what"].contains(&p.code);
        if let Some(problem) = resolver.rule(rule).err().filter(|p| !follows(p)) {
            resolver.problems.push(problem);
        }
    }
    let mut format = resolver.format;
    // What is not understood cannot be weighed: a bound that is misspelt would be said to be missing, too.
    if problems.iter().any(|problem| problem.severity == Severity::Error) {
        return None;
    }
    classify(&mut format, problems);
    Some(format)
}

fn empty(source: &Source) -> Format {
    let whole = Block {
        parent: None,
        slot: 0,
        kind: BlockKind::Whole,
        count: Count::Times(Expr::Constant(1)),
        items: Vec::new(),
        slots: 0,
        span: Span::default(),
    };
    Format {
        source: source.clone(),
        blocks: vec![whole],
        fields: Vec::new(),
        constraints: Vec::new(),
        validators: Vec::new(),
        shapes: Vec::new(),
    }
}

/// A format in the making.
struct Resolver<'a> {
    format: Format,
    problems: &'a mut Problems,
}

impl Resolver<'_> {
    /// `over` decides what a field is made of, wherever it stands; so it is read first, into fields without a block.
    fn texts(&mut self, rules: &[WrittenRule]) {
        for rule in rules {
            let WrittenRule::Over { names, letters, letters_span } = rule else { continue };
            let letters = match alphabet(letters, *letters_span) {
                Ok(letters) => letters,
                Err(problem) => {
                    self.problems.push(problem);
                    vec![b'a']
                }
            };
            for term in names {
                let TermKind::Name(name) = &term.kind else {
                    self.problems.push(
                        Diagnostic::error("over-what", term.span, "`over` says what a field is made of")
                            .caret("expected the name of a field"),
                    );
                    continue;
                };
                self.declare_text(name, term.span, letters.clone());
            }
        }
    }

    fn declare_text(&mut self, name: &str, span: Span, letters: Vec<u8>) {
        if let Some(before) = self.format.field_named(name) {
            let earlier = self.format.field(before).span;
            self.problems.push(
                Diagnostic::error("over-twice", span, format!("the letters of `{name}` are given twice"))
                    .caret("given again here")
                    .label(earlier, "first given here"),
            );
            return;
        }
        let range = Interval::new(
            i128::from(letters.iter().copied().min().unwrap_or(0)),
            i128::from(letters.iter().copied().max().unwrap_or(0)),
        );
        self.format.fields.push(Field {
            name: name.to_owned(),
            span,
            block: BlockId(usize::MAX),
            slot: 0,
            kind: Kind::Text(letters),
            dimensions: Vec::new(),
            range,
            length: Interval::NATURAL,
        });
    }

    /// Declares all fields and blocks. The texts that `texts` found are taken over as their names appear.
    fn layout(&mut self, lines: &[LayoutLine], block: BlockId) {
        let texts = if block == BlockId(0) { std::mem::take(&mut self.format.fields) } else { Vec::new() };
        let mut texts: Vec<Option<Field>> = texts.into_iter().map(Some).collect();
        self.layout_lines(lines, block, &mut texts);
        for text in texts.into_iter().flatten() {
            let problem = self.unknown(&text.name, text.span);
            self.problems.push(problem);
        }
    }

    fn layout_lines(&mut self, lines: &[LayoutLine], block: BlockId, texts: &mut Vec<Option<Field>>) {
        for line in lines {
            match line {
                LayoutLine::Parts(parts) => self.line(parts, block, texts),
                LayoutLine::Block { kind, count, body, span } => {
                    let count = self.block_count(count, block, *span);
                    let child = self.open_block(block, *kind, count, *span);
                    self.format.blocks[block.0].items.push(Item::Block(child));
                    self.layout_lines(body, child, texts);
                }
                LayoutLine::Either { alternatives, span } => {
                    let blocks: Vec<BlockId> = alternatives
                        .iter()
                        .map(|lines| {
                            let child = self.open_block(block, BlockKind::Alternative, Count::Chosen, *span);
                            self.layout_lines(lines, child, texts);
                            child
                        })
                        .collect();
                    self.format.blocks[block.0].items.push(Item::Either(blocks));
                }
            }
        }
    }

    fn block_count(&mut self, written: &WrittenCount, block: BlockId, span: Span) -> Count {
        match written {
            WrittenCount::Times(term) => Count::Times(self.size(term, block)),
            WrittenCount::When(lists, signs) => Count::When(self.condition(lists, signs, block)),
            WrittenCount::Until { least, most, sentinel } => {
                let range = match (self.size(least, block), self.size(most, block)) {
                    (Expr::Constant(lo), Expr::Constant(hi)) if 0 <= lo && lo <= hi => Interval::new(lo, hi),
                    _ => {
                        self.problems.push(
                            Diagnostic::error("bad-size", span, "the bounds of a repetition are constants, in order")
                                .caret("expected a range such as 1..100"),
                        );
                        Interval::point(1)
                    }
                };
                Count::Until { range, sentinel: sentinel.clone() }
            }
        }
    }

    /// The comparisons of an `if`, on numbers that are read by then.
    fn condition(&mut self, lists: &[Vec<Term>], signs: &[&'static str], block: BlockId) -> Vec<Comparison> {
        let mut found = Vec::new();
        for (pair, sign) in lists.windows(2).zip(signs) {
            for (left, right) in pair[0].iter().flat_map(|l| pair[1].iter().map(move |r| (l, r))) {
                let sides = (vec![self.size(left, block)], vec![self.size(right, block)]);
                found.push(Comparison { left: sides.0, sign: sign_of(sign), right: sides.1 });
            }
        }
        found
    }

    fn open_block(&mut self, parent: BlockId, kind: BlockKind, count: Count, span: Span) -> BlockId {
        let id = BlockId(self.format.blocks.len());
        let holder = &mut self.format.blocks[parent.0];
        let slot = holder.slots;
        holder.slots += 1;
        self.format.blocks.push(Block { parent: Some(parent), slot, kind, count, items: Vec::new(), slots: 0, span });
        id
    }

    fn line(&mut self, parts: &[syntax::Part], block: BlockId, texts: &mut [Option<Field>]) {
        let mut line = Vec::new();
        for part in parts {
            let written = match &part.kind {
                PartKind::Literal(text) => {
                    line.push(Part { token: Token::Literal(text.clone()), glued: part.glued });
                    continue;
                }
                PartKind::Field(written) => written,
            };
            let id = self.field(written, block, texts);
            if self.format.field(id).dimensions.len() < 2 {
                line.push(Part { token: Token::Field(id), glued: part.glued });
                continue;
            }
            if parts.len() > 1 {
                self.problems.push(
                    Diagnostic::error("not-alone", written.span, "a field of several lines stands alone")
                        .caret(format!("`{}` takes a line for each row", written.name))
                        .help("give it a line of its own in the layout"),
                );
            }
            self.format.blocks[block.0].items.push(Item::Rows(id));
        }
        if !line.is_empty() {
            self.format.blocks[block.0].items.push(Item::Line(line));
        }
    }

    fn field(&mut self, written: &syntax::Field, block: BlockId, texts: &mut [Option<Field>]) -> FieldId {
        if let Some(before) = self.format.field_named(&written.name) {
            let earlier = self.format.field(before).span;
            self.problems.push(
                Diagnostic::error("declared-twice", written.span, format!("`{}` is in the layout twice", written.name))
                    .caret("a second field of the same name")
                    .help("a name stands for one field of the whole format: give this one another")
                    .label(earlier, "the first one"),
            );
        }
        let text = texts.iter_mut().find(|t| t.as_ref().is_some_and(|t| t.name == written.name)).and_then(Option::take);
        let mut dimensions: Vec<Dimension> = Vec::new();
        for size in &written.dimensions {
            dimensions.push(match size {
                Some(size) => Dimension::Size(self.size(size, block)),
                None => Dimension::Free,
            });
        }
        self.check_free(written, &mut dimensions, text.is_some());
        let slot = self.format.blocks[block.0].slots;
        self.format.blocks[block.0].slots += 1;
        let (kind, range) = text.map_or((Kind::Number, Interval::ALL), |t| (t.kind, t.range));
        let name = written.name.clone();
        let length = Interval::NATURAL;
        self.format.fields.push(Field { name, span: written.span, block, slot, kind, dimensions, range, length });
        FieldId(self.format.fields.len() - 1)
    }

    /// Only a text may have a length that nothing announces, and only as its last dimension.
    fn check_free(&mut self, written: &syntax::Field, dimensions: &mut Vec<Dimension>, text: bool) {
        if text && dimensions.is_empty() {
            dimensions.push(Dimension::Free);
        }
        let last = dimensions.len().saturating_sub(1);
        let misplaced = dimensions.iter().enumerate().any(|(i, d)| *d == Dimension::Free && !(text && i == last));
        if misplaced {
            let name = &written.name;
            self.problems.push(
                Diagnostic::error("free-length", written.span, format!("the length of `{name}` is not known"))
                    .caret("`[]` is for the characters of a text")
                    .help(format!("give its length, as in `{name}[n]`, or its letters, as in `{name} over \"a-z\"`")),
            );
        }
    }

    /// An expression that sizes something: all its fields must have been read by then.
    fn size(&mut self, term: &Term, block: BlockId) -> Expr {
        match self.expr(term) {
            Err(problem) => {
                let help = match &term.kind {
                    TermKind::Name(name) => {
                        Some(format!("a size is read before it is used: put `{name}` on a line above"))
                    }
                    _ => None,
                };
                let problem = match help {
                    Some(help) if problem.code == "unknown-name" && problem.help.is_none() => {
                        Diagnostic { message: problem.message.replace("in the layout", "above this"), ..problem }
                            .help(help)
                    }
                    _ => problem,
                };
                self.problems.push(problem);
                Expr::Constant(1)
            }
            Ok(expr) => {
                let mut outside = false;
                let mut array = false;
                expr.each_field(&mut |f| {
                    outside |= !self.format.is_within(block, self.format.field(f).block);
                    array |= !self.format.field(f).is_scalar();
                });
                if outside || array {
                    self.problems.push(
                        Diagnostic::error("bad-size", term.span, "this cannot size anything here").caret(if array {
                            "a size is a single number"
                        } else {
                            "this is inside another block"
                        }),
                    );
                    return Expr::Constant(1);
                }
                expr
            }
        }
    }

    fn unknown(&self, name: &str, span: Span) -> Diagnostic {
        let problem = Diagnostic::error("unknown-name", span, format!("there is no `{name}` in the layout"));
        let known = self.format.fields.iter().map(|f| f.name.as_str());
        let problem = problem.caret("not a field");
        let array = name.split_once('_').filter(|(array, _)| self.format.field_named(array).is_some());
        match (array, nearest(name, known)) {
            (Some((array, _)), _) => {
                problem.help(format!("what is said of an array holds for each element: write `{array}`"))
            }
            (None, Some(near)) => problem.help(format!("did you mean `{near}`?")),
            (None, None) => problem,
        }
    }

    fn expr(&self, term: &Term) -> Result<Expr, Diagnostic> {
        Ok(match &term.kind {
            TermKind::Number(number) => Expr::Constant(*number),
            TermKind::Letter(letter) => Expr::Constant(i128::from(*letter)),
            TermKind::Name(name) => {
                Expr::Field(self.format.field_named(name).ok_or_else(|| self.unknown(name, term.span))?)
            }
            TermKind::Minus(inner) => match self.expr(inner)? {
                Expr::Constant(value) => Expr::Constant(-value),
                inner => Expr::Minus(Box::new(inner)),
            },
            TermKind::Binary(sign, left, right) => self.binary(sign, left, right, term.span)?,
            TermKind::Call(name, arguments) => self.call(name, arguments, term.span)?,
            TermKind::Tuple(_) => {
                return Err(Diagnostic::error("tuple", term.span, "a tuple is not a number")
                    .caret("tuples are only compared with `=` and `!=`, or told apart with `distinct`"));
            }
        })
    }

    fn binary(&self, sign: &str, left: &Term, right: &Term, span: Span) -> Result<Expr, Diagnostic> {
        let operator = match sign {
            "+" => Operator::Plus,
            "-" => Operator::Minus,
            "*" => Operator::Times,
            "/" => Operator::Divide,
            "%" => Operator::Modulo,
            _ => Operator::Power,
        };
        let (left, right) = (self.expr(left)?, self.expr(right)?);
        let (Expr::Constant(a), Expr::Constant(b)) = (&left, &right) else {
            return Ok(Expr::Binary(operator, Box::new(left), Box::new(right)));
        };
        match super::operate(operator, *a, *b).filter(|v| v.abs() <= super::LARGEST) {
            Some(value) => Ok(Expr::Constant(value)),
            None => Err(Diagnostic::error("bad-arithmetic", span, "this has no value")
                .caret("too large, a division by zero, or a negative exponent")),
        }
    }

    fn call(&self, name: &str, arguments: &[Term], span: Span) -> Result<Expr, Diagnostic> {
        let one = |what: &str| match arguments {
            [one] => Ok(one),
            _ => Err(Diagnostic::error("arguments", span, format!("`{name}` takes {what}"))
                .caret(format!("{} given", arguments.len()))),
        };
        match name {
            "sum" => self.fold(Fold::Sum, one("one argument")?, span),
            "min" | "max" if arguments.len() > 1 => {
                Err(Diagnostic::error("arguments", span, format!("`{name}` folds one array or one repeated field"))
                    .caret("several arguments")
                    .help(if name == "max" {
                        "`x >= max(a, b)` is `x >= a, b`; the other way round it cannot be said"
                    } else {
                        "`x <= min(a, b)` is `x <= a, b`; the other way round it cannot be said"
                    }))
            }
            "min" => self.fold(Fold::Min, one("one argument")?, span),
            "max" => self.fold(Fold::Max, one("one argument")?, span),
            "len" => self.length(one("the name of a text or an array")?),
            "count" => self.count(arguments, span),
            _ if is_predicate(name) => {
                Err(Diagnostic::error("predicate", span, format!("`{name}(...)` is a constraint, not a number"))
                    .caret("it stands alone on its line"))
            }
            _ => {
                let problem = Diagnostic::error("unknown-function", span, format!("there is no function `{name}`"));
                let orders = ORDERS.iter().map(|(name, _)| *name);
                Err(match nearest(name, FUNCTIONS.iter().copied().chain(["distinct"]).chain(orders)) {
                    Some(near) => problem.caret("unknown").help(format!("did you mean `{near}`?")),
                    None => problem.caret("unknown").note(format!("expected {}", list_or(FUNCTIONS))),
                })
            }
        }
    }

    fn length(&self, term: &Term) -> Result<Expr, Diagnostic> {
        match self.expr(term)? {
            Expr::Field(field) if !self.format.field(field).is_scalar() => Ok(Expr::Length(field)),
            _ => Err(Diagnostic::error("len-what", term.span, "only a text or an array has a length")
                .caret("no letters are given for it, and no size")),
        }
    }

    fn count(&self, arguments: &[Term], span: Span) -> Result<Expr, Diagnostic> {
        let [what, value] = arguments else {
            return Err(Diagnostic::error("arguments", span, "`count` takes a field and what is counted")
                .caret(format!("{} given", arguments.len()))
                .help("count(board, 'S') = 1"));
        };
        match self.expr(value)? {
            Expr::Constant(number) => self.fold(Fold::Count(number), what, span),
            _ => Err(Diagnostic::error("count-what", value.span, "what is counted must be constant")
                .caret("expected a letter such as 'S', or a number")),
        }
    }

    fn fold(&self, fold: Fold, term: &Term, span: Span) -> Result<Expr, Diagnostic> {
        let inner = self.expr(term)?;
        self.one_chain(&inner, term.span)?;
        let letters = matches!(&inner, Expr::Field(f) if self.format.field(*f).letters().is_some());
        if letters != matches!(fold, Fold::Count(_)) && letters {
            return Err(Diagnostic::error("text-as-number", term.span, "a text has no numbers to fold")
                .caret("made of characters")
                .help("count(text, 'x') counts a character, len(text) is the length"));
        }
        let over = match self.array(&inner) {
            true => Over::Elements,
            false => match self.deepest(&inner) {
                Some(block) if block != BlockId(0) => Over::Instances(block),
                _ => {
                    return Err(Diagnostic::error("nothing-to-fold", span, "there is only one of this")
                        .caret("expected an array, or a field of a repeated block"));
                }
            },
        };
        Ok(Expr::Fold(fold, over, Box::new(inner)))
    }

    /// Whether the expression stands for several numbers.
    fn array(&self, expr: &Expr) -> bool {
        self.arrays(expr).next().is_some()
    }

    /// The dimensions of each array in the expression that is not folded away.
    fn arrays<'e>(&'e self, expr: &'e Expr) -> Box<dyn Iterator<Item = &'e [Dimension]> + 'e> {
        match expr {
            Expr::Constant(_) | Expr::Fold(..) => Box::new(std::iter::empty()),
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
    fn one_chain(&self, expr: &Expr, span: Span) -> Result<(), Diagnostic> {
        let Some(deepest) = self.deepest(expr) else { return Ok(()) };
        let mut apart = false;
        expr.each_field(&mut |f| {
            let block = self.format.field(f).block;
            apart |= !self.format.is_within(deepest, block) && !self.format.is_within(block, deepest);
        });
        if let Expr::Binary(_, left, right) = expr {
            self.one_chain(left, span)?;
            self.one_chain(right, span)?;
        }
        if !apart {
            return Ok(());
        }
        Err(Diagnostic::error("two-blocks", span, "these fields are in different blocks")
            .caret("there is no one place where both are known")
            .help("fold one side: `sum`, `min`, `max`"))
    }

    /// The innermost block that the expression speaks of, folds taken out.
    fn deepest(&self, expr: &Expr) -> Option<BlockId> {
        match expr {
            Expr::Constant(_) => None,
            Expr::Field(f) | Expr::Length(f) => Some(self.format.field(*f).block),
            Expr::Minus(inner) | Expr::Fold(_, Over::Elements, inner) => self.deepest(inner),
            Expr::Fold(_, Over::Instances(block), _) => self.format.block(*block).parent,
            Expr::Binary(_, left, right) => self.deepest(left).max(self.deepest(right)),
        }
    }

    fn rule(&mut self, rule: &WrittenRule) -> Result<(), Diagnostic> {
        match rule {
            WrittenRule::Over { .. } => Ok(()),
            WrittenRule::Chain { lists, signs, span } => self.chain(lists, signs, *span),
            WrittenRule::Predicate(term) => self.predicate(term),
            WrittenRule::Edges { ends, vertices, adjectives, span } => self.edges(ends, vertices, adjectives, *span),
            WrittenRule::Permutation { names, values, span } => self.permutation(names, values, *span),
            WrittenRule::Validator { command, span } => {
                if command.trim().is_empty() {
                    return Err(Diagnostic::error("no-command", *span, "the validator has no command")
                        .caret("expected a source file or a command"));
                }
                self.format.validators.push(Validator { command: command.clone(), span: *span });
                Ok(())
            }
            WrittenRule::Shape { name } => {
                self.format.shapes.push(name.clone());
                Ok(())
            }
        }
    }

    /// Each neighbouring pair of lists gives one comparison for each pair of terms.
    fn chain(&mut self, lists: &[Vec<Term>], signs: &[(&'static str, Span)], span: Span) -> Result<(), Diagnostic> {
        for (pair, (sign, _)) in lists.windows(2).zip(signs) {
            for left in &pair[0] {
                for right in &pair[1] {
                    let whole = if lists.len() == 2 { span } else { left.span.to(right.span) };
                    self.comparison(left, sign, right, whole)?;
                }
            }
        }
        Ok(())
    }

    fn comparison(&mut self, left: &Term, sign: &str, right: &Term, span: Span) -> Result<(), Diagnostic> {
        let sign = sign_of(sign);
        let sides = (self.side(left)?, self.side(right)?);
        if sides.0.len() > 1 && sides.0.iter().chain(&sides.1).any(|e| self.array(e)) {
            return Err(Diagnostic::error("tuple", span, "tuples are made of single numbers")
                .caret("an array stands for several")
                .help("to tell pairs of elements apart: distinct((x, y))"));
        }
        if sides.0.len() != sides.1.len() {
            return Err(Diagnostic::error("tuple-length", span, "the two sides have different numbers of parts")
                .caret(format!("{} compared with {}", sides.0.len(), sides.1.len())));
        }
        if sides.0.len() > 1 && !matches!(sign, Sign::Equal | Sign::NotEqual) {
            return Err(Diagnostic::error("tuple", span, "tuples are only compared with `=` and `!=`")
                .caret("this sign compares numbers"));
        }
        self.push(Rule::Compare(Comparison { left: sides.0, sign, right: sides.1 }), span)
    }

    fn side(&self, term: &Term) -> Result<Vec<Expr>, Diagnostic> {
        let parts = match &term.kind {
            TermKind::Tuple(parts) => parts.as_slice(),
            _ => std::slice::from_ref(term),
        };
        parts
            .iter()
            .map(|part| match self.expr(part)? {
                Expr::Field(f) if self.format.field(f).letters().is_some() => {
                    Err(Diagnostic::error("text-as-number", part.span, "a text is not a number")
                        .caret("made of characters")
                        .help("compare its length, `len(s)`, or the number of a letter, `count(s, 'x')`"))
                }
                expr => Ok(expr),
            })
            .collect()
    }

    fn predicate(&mut self, term: &Term) -> Result<(), Diagnostic> {
        let TermKind::Call(name, arguments) = &term.kind else { return Ok(()) };
        if let Some((_, sign)) = ORDERS.iter().find(|(order, _)| order == name) {
            return self.ordered(*sign, arguments, term.span);
        }
        if name != "distinct" {
            self.expr(term)?;
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
        let parts = match &argument.kind {
            TermKind::Tuple(parts) => parts.iter().map(|p| self.expr(p)).collect::<Result<Vec<_>, _>>()?,
            _ => vec![self.expr(argument)?],
        };
        let over = self.over(&parts, term.span)?;
        self.push(Rule::Distinct(parts, over), term.span)
    }

    /// What a predicate about several numbers runs over.
    fn over(&self, parts: &[Expr], span: Span) -> Result<Over, Diagnostic> {
        if parts.iter().any(|p| self.array(p)) {
            return Ok(Over::Elements);
        }
        match parts.iter().filter_map(|p| self.deepest(p)).max() {
            Some(block) if block != BlockId(0) => Ok(Over::Instances(block)),
            _ => Err(Diagnostic::error("nothing-to-fold", span, "there is only one of this")
                .caret("expected an array, or a field of a repeated block")),
        }
    }

    fn ordered(&mut self, sign: Sign, arguments: &[Term], span: Span) -> Result<(), Diagnostic> {
        let [argument] = arguments else {
            return Err(Diagnostic::error("arguments", span, "an order is asked of one array or repeated field")
                .caret(format!("{} given", arguments.len())));
        };
        let expr = self.expr(argument)?;
        let over = self.over(std::slice::from_ref(&expr), span)?;
        self.push(Rule::Ordered(expr, sign, over), span)
    }

    /// `p permutation of 1..n`: each number once, if there are as many as numbers.
    fn permutation(&mut self, names: &[Term], values: &(Term, Term), span: Span) -> Result<(), Diagnostic> {
        for name in names {
            self.comparison(&values.0, "<=", name, span)?;
            self.comparison(name, "<=", &values.1, span)?;
            let parts = vec![self.expr(name)?];
            let over = self.over(&parts, span)?;
            self.push(Rule::Distinct(parts, over), span)?;
        }
        Ok(())
    }

    fn edges(
        &mut self,
        ends: &(Term, Term),
        vertices: &(Term, Term),
        words: &[(String, Span)],
        span: Span,
    ) -> Result<(), Diagnostic> {
        let (Expr::Field(from), Expr::Field(to)) = (self.expr(&ends.0)?, self.expr(&ends.1)?) else {
            return Err(Diagnostic::error(
                "edge-ends",
                ends.0.span.to(ends.1.span),
                "the ends of an edge are two fields",
            )
            .caret("expected two names"));
        };
        let block = self.format.field(from).block;
        let scalars = [from, to].iter().all(|f| self.format.field(*f).is_scalar());
        let Some(home) = self.format.block(block).parent.filter(|_| scalars && self.format.field(to).block == block)
        else {
            return Err(Diagnostic::error("edge-ends", ends.0.span.to(ends.1.span), "edges are the lines of a block")
                .caret("expected two numbers of one repeated block")
                .help("give each edge a line: `repeat m:` and below it `u v`"));
        };
        let adjectives = adjectives(words)?;
        let vertices_of = (self.expr(&vertices.0)?, self.expr(&vertices.1)?);
        for end in [&ends.0, &ends.1] {
            self.comparison(&vertices.0, "<=", end, span)?;
            self.comparison(end, "<=", &vertices.1, span)?;
        }
        let rule = GraphRule { block, ends: (from, to), vertices: vertices_of, adjectives };
        for comparison in implied_counts(&rule, self.format.block(block).count.times()) {
            self.push(Rule::Compare(comparison), span)?;
        }
        self.push(Rule::Graph(rule), span)?;
        if let Some(last) = self.format.constraints.last_mut() {
            last.home = home;
        }
        Ok(())
    }

    /// Adds a constraint after checking that its fields can be seen together and its arrays fit.
    fn push(&mut self, rule: Rule, span: Span) -> Result<(), Diagnostic> {
        let mut home = BlockId(0);
        let mut dimensions: Option<&[Dimension]> = None;
        for expr in rule.exprs() {
            self.one_chain(expr, span)?;
            let block = self.deepest(expr).unwrap_or(BlockId(0));
            if !self.format.is_within(block, home) && !self.format.is_within(home, block) {
                return Err(Diagnostic::error("two-blocks", span, "these fields are in different blocks")
                    .caret("there is no one place where both are known")
                    .help("fold one side: `sum`, `min`, `max`"));
            }
            home = home.max(block);
            for array in self.arrays(expr) {
                if *dimensions.get_or_insert(array) != array {
                    return Err(Diagnostic::error("sizes-differ", span, "arrays of different sizes are compared")
                        .caret("element by element needs equal sizes"));
                }
            }
        }
        if let Rule::Distinct(_, Over::Instances(block)) | Rule::Ordered(_, _, Over::Instances(block)) = &rule {
            home = self.format.block(*block).parent.unwrap_or(BlockId(0));
        }
        self.format.constraints.push(Constraint { rule, home, span, class: Class::Residual });
        Ok(())
    }
}

fn is_predicate(name: &str) -> bool {
    name == "distinct" || ORDERS.iter().any(|(order, _)| *order == name)
}

fn adjectives(words: &[(String, Span)]) -> Result<Vec<Adjective>, Diagnostic> {
    let mut found = Vec::new();
    for (word, span) in words {
        let Some((_, meaning)) = ADJECTIVES.iter().find(|(name, _)| name == word) else {
            let names: Vec<&str> = ADJECTIVES.iter().map(|(name, _)| *name).collect();
            let problem = Diagnostic::error("adjective", *span, format!("no graph is `{word}`")).caret("unknown word");
            return Err(match nearest(word, names.iter().copied()) {
                Some(near) => problem.help(format!("did you mean `{near}`?")),
                None => problem.note(format!("expected {}", list_or(&names))),
            });
        };
        found.extend_from_slice(meaning);
    }
    Ok(found)
}

/// What a graph's adjectives say of the number of its edges, so that it is drawn, narrowed and checked like any other
/// bound.
fn implied_counts(rule: &GraphRule, count: Option<&Expr>) -> Vec<Comparison> {
    let Some(count) = count else { return Vec::new() };
    let binary = |operator, a: Expr, b: Expr| Expr::Binary(operator, Box::new(a), Box::new(b));
    let (first, last) = rule.vertices.clone();
    // One less than the number of vertices.
    let others = || match &first {
        Expr::Constant(0) => last.clone(),
        first => binary(Operator::Minus, last.clone(), first.clone()),
    };
    let vertices = || match &first {
        Expr::Constant(1) => last.clone(),
        _ => binary(Operator::Plus, others(), Expr::Constant(1)),
    };
    let compare = |sign, right| Comparison { left: vec![count.clone()], sign, right: vec![right] };
    let mut found = Vec::new();
    let directed = rule.is(Adjective::Directed);
    if rule.is(Adjective::Tree) {
        found.push(compare(Sign::Equal, others()));
    } else if rule.is(Adjective::Connected) {
        found.push(compare(Sign::GreaterEqual, others()));
    }
    if rule.is(Adjective::Acyclic) && !directed {
        found.push(compare(Sign::LessEqual, others()));
    }
    if rule.is(Adjective::Simple) {
        let pairs = binary(Operator::Times, vertices(), others());
        let halved = !directed || rule.is(Adjective::Acyclic);
        let most = if halved { binary(Operator::Divide, pairs, Expr::Constant(2)) } else { pairs };
        found.push(compare(Sign::LessEqual, most));
        if rule.is(Adjective::Bipartite) {
            let square = binary(Operator::Times, vertices(), vertices());
            let parts = if directed && !rule.is(Adjective::Acyclic) { 2 } else { 4 };
            found.push(compare(Sign::LessEqual, binary(Operator::Divide, square, Expr::Constant(parts))));
        }
    } else if rule.is(Adjective::Loopless) || rule.is(Adjective::Acyclic) || rule.is(Adjective::Bipartite) {
        // A single vertex can have no edge but a loop.
        found.push(compare(Sign::LessEqual, binary(Operator::Times, others(), Expr::Constant(10_i128.pow(18)))));
    }
    found
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

/// The letters that `over` names: single characters and ranges such as `a-z`. A `-` at either end, or after a
/// backslash, is itself.
fn alphabet(text: &[u8], span: Span) -> Result<Vec<u8>, Diagnostic> {
    let mut letters: Vec<u8> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let escaped = text[at] == b'\\' && text.get(at + 1) == Some(&b'-');
        let first = if escaped { b'-' } else { text[at] };
        at += 1 + usize::from(escaped);
        let mut last = first;
        if !escaped && text.get(at) == Some(&b'-') && at + 1 < text.len() {
            last = text[at + 1];
            at += 2;
        }
        if last < first {
            return Err(Diagnostic::error("letter-range", span, "a range of letters runs backwards")
                .caret(format!("`{}` comes after `{}`", first as char, last as char)));
        }
        letters.extend((first..=last).filter(|l| !letters.contains(l)).collect::<Vec<u8>>());
    }
    if letters.is_empty() {
        return Err(Diagnostic::error("no-letters", span, "there are no letters").caret("expected some, as in \"a-z\""));
    }
    match letters.iter().find(|l| !l.is_ascii_graphic()) {
        Some(_) => Err(Diagnostic::error("bad-letter", span, "letters are visible ASCII characters")
            .caret("white space and other characters separate tokens or take several bytes")),
        None => Ok(letters),
    }
}
