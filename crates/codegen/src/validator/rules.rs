//! Constraints as statements.

use super::code::{Binding, Code, ValueKind, cpp_functor, cpp_sign, text_literal};
use super::generator::{GatherShape, GatherSource, Generator, Stop, Variable, no_counterpart};
use crate::source_writer::SourceWriter;
use rebut_format::language::{
    Comparison, ComparisonOperator, ConstraintRule, DistinctConstraint, DistinctTextsConstraint, EdgeSelection, Expr,
    FieldId, FoldRange, Formula, GraphConstraint, GraphEdges, GraphProperty, OptionalBlocks, OrderConstraint,
    PatternConstraint, PolygonConstraint, QuantifiedFormula, TextConstraint,
};
use rebut_generators::Turning;

/// Maximum length of texts that are matched by a regular expression: the library of C++ recurses for each character.
const MAX_MATCHED_LENGTH: i128 = 1000;

impl Generator<'_> {
    /// Returns the statements that check a rule; none if reading has checked it.
    pub(super) fn rule_statements(&mut self, rule: &ConstraintRule, message: &str) -> Result<SourceWriter, Stop> {
        self.preludes.clear();
        self.element = None;
        self.variables.clear();
        let mut lines = self.out.nested();
        match rule {
            ConstraintRule::Compare(comparison) => self.compare(comparison, message, &mut lines)?,
            ConstraintRule::Formula(formula) => self.formula_statement(formula, message, &mut lines)?,
            ConstraintRule::Distinct(distinct) => {
                let values = self.distinct_values(distinct)?;
                let condition = Code::from_call(self.use_helper("allDifferent"), &[&values]);
                ensure(&condition, message, &mut lines);
            }
            ConstraintRule::DistinctTexts(distinct) => {
                let values = self.distinct_texts(distinct)?;
                let condition = Code::from_call(self.use_helper("allDifferent"), &[&values]);
                ensure(&condition, message, &mut lines);
            }
            ConstraintRule::Ordered(order) => self.order(order, message, &mut lines)?,
            ConstraintRule::Graph(graph) => self.graph(graph, message, &mut lines)?,
            ConstraintRule::Polygon(polygon) => self.polygon(polygon, message, &mut lines)?,
            ConstraintRule::Text(property) => self.text_property(property, message, &mut lines)?,
            ConstraintRule::Matches(pattern) => self.pattern(pattern, message, &mut lines)?,
        }
        if self.preludes.is_empty() {
            return Ok(lines);
        }
        let mut whole = self.out.nested();
        whole.add_line("{");
        self.preludes.iter().for_each(|line| whole.add_line(format!("    {line}")));
        whole.append_deeper(&lines);
        whole.add_line("}");
        Ok(whole)
    }

    fn compare(&mut self, comparison: &Comparison, message: &str, lines: &mut SourceWriter) -> Result<(), Stop> {
        if self.is_certain(comparison) {
            return Ok(());
        }
        let arrays: Vec<Expr> =
            comparison.left.iter().chain(&comparison.right).filter_map(|side| self.first_array(side)).collect();
        if comparison.left.len() > 1 || arrays.is_empty() {
            let condition = self.comparison_code(comparison, true)?;
            ensure(&condition, message, lines);
            return Ok(());
        }
        let containers = arrays.iter().map(|array| self.container_code(array)).collect::<Result<Vec<Code>, Stop>>()?;
        if let [one, two] = &*containers
            && one.text != two.text
        {
            let sizes = [one, two].map(|code| format!("{}.size()", code.text));
            ensure(&Code::from_text(format!("{} == {}", sizes[0], sizes[1])), message, lines);
        }
        let Some(first) = containers.first() else { return no_counterpart("a comparison of nothing") };
        let index = self.local_name("k");
        self.element = Some(index.clone());
        let condition = self.comparison_code(comparison, true);
        self.element = None;
        let condition = condition?;
        if !first.guards.is_empty() || !first.absent.is_empty() {
            return no_counterpart("a comparison of the elements of a row that may not exist");
        }
        lines.open(format!("for (size_t {index} = 0; {index} < {}.size(); {index}++)", first.text));
        ensure(&condition, message, lines);
        lines.end_block();
        Ok(())
    }

    /// Returns true if reading a number or a text checks a comparison with a constant.
    fn is_certain(&self, comparison: &Comparison) -> bool {
        let (range, sign, bound) = match (&*comparison.left, &*comparison.right) {
            ([side], [Expr::Constant(bound)]) => (side, comparison.sign, *bound),
            ([Expr::Constant(bound)], [side]) => (side, comparison.sign.with_sides_swapped(), *bound),
            _ => return false,
        };
        let range = match range {
            Expr::Field(field) if self.format.field(*field).word_choices().is_none() => self.format.field(*field).range,
            Expr::Length(field) if self.format.field(*field).has_free_length() => self.format.field(*field).length,
            _ => return false,
        };
        match sign {
            ComparisonOperator::Equal => range.lo == bound && range.hi == bound,
            ComparisonOperator::NotEqual => !range.contains_value(bound),
            sign => sign.compare(&range.lo, &bound) && sign.compare(&range.hi, &bound),
        }
    }

    /// Returns the condition of a comparison of single values, tuples or wholes.
    pub(super) fn comparison_code(&mut self, comparison: &Comparison, void_is: bool) -> Result<Code, Stop> {
        Ok(self.comparison_parts(comparison)?.to_condition(void_is, None))
    }

    /// Returns the text of a comparison and the conditions under which it has a value.
    fn comparison_parts(&mut self, comparison: &Comparison) -> Result<Code, Stop> {
        let mut all = Code::default();
        let mut texts = Vec::new();
        let is_tuple = comparison.left.len() > 1;
        for (left, right) in comparison.left.iter().zip(&comparison.right) {
            let part = self.side_by_side(left, comparison.sign, right)?;
            all.add_conditions(&part);
            texts.push(if is_tuple { format!("({})", part.text) } else { part.text });
        }
        let joint = if comparison.sign == ComparisonOperator::NotEqual { " || " } else { " && " };
        if is_tuple && !matches!(comparison.sign, ComparisonOperator::Equal | ComparisonOperator::NotEqual) {
            return no_counterpart("an order of tuples");
        }
        all.text = texts.join(joint);
        let is_all = texts.len() == 1 || comparison.sign == ComparisonOperator::Equal;
        all.binding = match texts.len() {
            1 => Binding::Comparison,
            _ if is_all => Binding::And,
            _ => Binding::Or,
        };
        Ok(all)
    }

    fn side_by_side(&mut self, left: &Expr, sign: ComparisonOperator, right: &Expr) -> Result<Code, Stop> {
        let is_whole = |expr: &Expr| matches!(expr, Expr::Sequence(_) | Expr::TextLiteral(_));
        if is_whole(left) || is_whole(right) {
            let (a, b) = (self.whole(left)?, self.whole(right)?);
            return Ok(Code::from_operation(&a, cpp_sign(sign), &b));
        }
        let words = self.words_of(left).or_else(|| self.words_of(right));
        let (a, b) = match (left, right) {
            (Expr::Constant(value), other) => {
                let b = self.number_code(other)?;
                (self.constant_of(*value, b.kind, words.as_deref())?, b)
            }
            (other, Expr::Constant(value)) => {
                let a = self.number_code(other)?;
                let b = self.constant_of(*value, a.kind, words.as_deref())?;
                (a, b)
            }
            _ => (self.number_code(left)?, self.number_code(right)?),
        };
        if (a.kind == ValueKind::Word) != (b.kind == ValueKind::Word) {
            return no_counterpart("a comparison of a word with a number");
        }
        if a.kind == ValueKind::Word && self.words_of(left) != self.words_of(right) {
            let is_constant = |expr: &Expr| matches!(expr, Expr::Constant(_));
            if !is_constant(left) && !is_constant(right) {
                return no_counterpart("a comparison of words from different lists");
            }
        }
        if let (Expr::Call(..), Expr::Constant(value)) = (left, right)
            && matches!((sign, value), (ComparisonOperator::Equal, 0 | 1))
        {
            let text = format!("{}{}", if *value == 1 { "" } else { "!" }, a.text);
            return Ok(a.with_text(text));
        }
        Ok(Code::from_operation(&a, cpp_sign(sign), &b))
    }

    /// Returns the code of a text, an array or a row as a whole.
    fn whole(&mut self, expr: &Expr) -> Result<Code, Stop> {
        match expr {
            Expr::TextLiteral(text) => Ok(Code::from_text(format!("string({})", text_literal(text)))),
            Expr::Sequence(inner) => match &**inner {
                Expr::Field(field) if self.format.field(*field).dimensions.len() == 1 => self.container_code(inner),
                Expr::Element(field, indices) if self.format.picks_row(*field, indices) => self.container_code(inner),
                _ => no_counterpart("a whole of this form"),
            },
            _ => no_counterpart("a whole beside a number"),
        }
    }

    // Formulas.

    /// Writes a formula as statements; all of its parts must hold.
    fn formula_statement(&mut self, formula: &Formula, message: &str, lines: &mut SourceWriter) -> Result<(), Stop> {
        match formula {
            Formula::All(parts) => parts.iter().try_for_each(|part| self.formula_statement(part, message, lines)),
            Formula::ForAll(quantified) => {
                let (head, guards) = self.begin_quantifier(quantified)?;
                if !guards.is_empty() {
                    ensure(&Code::from_text(guards.join(" && ")), message, lines);
                }
                let mut inner = lines.nested();
                let body = self.formula_statement(&quantified.body, message, &mut inner);
                self.variables.pop();
                body?;
                let is_short = inner.line_count() == 1;
                lines.add_line(if is_short { head } else { head + " {" });
                lines.append_deeper(&inner);
                if !is_short {
                    lines.add_line("}");
                }
                Ok(())
            }
            _ => {
                let condition = self.formula_code(formula, true)?;
                ensure(&condition, message, lines);
                Ok(())
            }
        }
    }

    /// Returns the head of the loop of a quantifier, and the conditions under which its range has a value.
    fn begin_quantifier(&mut self, quantified: &QuantifiedFormula) -> Result<(String, Vec<String>), Stop> {
        if quantified.variable != self.variables.len() {
            return no_counterpart("quantifiers in this order");
        }
        let (first, last) = (self.number_code(&quantified.range.0)?, self.number_code(&quantified.range.1)?);
        let mut both = first.clone();
        both.add_conditions(&last);
        if !both.empty.is_empty() || !both.absent.is_empty() {
            return no_counterpart("a quantifier over a range that may not exist");
        }
        let name = self.local_name(&quantified.name);
        let head =
            format!("for (long long {name} = {}; {name} <= {}; {name}++)", first.text, last.text_within(Binding::Sum));
        self.variables.push(Variable { name, range: quantified.range.clone() });
        Ok((head, both.guards))
    }

    /// Returns the condition of a formula. A part that is void counts as `void_is`.
    fn formula_code(&mut self, formula: &Formula, void_is: bool) -> Result<Code, Stop> {
        match formula {
            Formula::Compare(comparison) => self.comparison_code(comparison, void_is),
            Formula::All(parts) | Formula::Any(parts) => {
                let joint = if matches!(formula, Formula::All(_)) { " && " } else { " || " };
                let neutral = if matches!(formula, Formula::All(_)) { "true" } else { "false" };
                let mut texts = Vec::new();
                for part in parts {
                    texts.push(self.formula_code(part, void_is)?.text_within(Binding::Comparison));
                }
                let text = if texts.is_empty() { neutral.to_owned() } else { texts.join(joint) };
                let binding = match (parts.len(), formula) {
                    (0, _) => Binding::Atom,
                    (_, Formula::All(_)) => Binding::And,
                    _ => Binding::Or,
                };
                Ok(Code { text, binding, ..Code::default() })
            }
            Formula::ForAll(quantified) | Formula::Exists(quantified) => {
                let is_for_all = matches!(formula, Formula::ForAll(_));
                let (head, guards) = self.begin_quantifier(quantified)?;
                let body = self.quantified_body(quantified, is_for_all, void_is);
                self.variables.pop();
                let (stop, end) = if is_for_all { ("false", "true") } else { ("true", "false") };
                let test = if is_for_all { format!("!({})", body?.text) } else { body?.text };
                let text = format!("[&] {{ {head} if ({test}) return {stop}; return {end}; }}()");
                let binding = if guards.is_empty() { Binding::Atom } else { Binding::And };
                let text = guards.into_iter().chain([text]).collect::<Vec<_>>().join(" && ");
                Ok(Code { text, binding, ..Code::default() })
            }
        }
    }

    /// Returns the condition of the body of a quantifier. A number for which it is void does not make `exists` true.
    fn quantified_body(
        &mut self,
        quantified: &QuantifiedFormula,
        is_for_all: bool,
        void_is: bool,
    ) -> Result<Code, Stop> {
        if is_for_all {
            if !void_is && self.may_be_void(&quantified.body) {
                return no_counterpart("quantifiers over values that may be absent");
            }
            return self.formula_code(&quantified.body, true);
        }
        if !self.may_be_void(&quantified.body) {
            return self.formula_code(&quantified.body, void_is);
        }
        let Formula::Compare(comparison) = &quantified.body else {
            return no_counterpart("`exists` over several comparisons of values that may be absent");
        };
        let parts = self.comparison_parts(comparison)?;
        Ok(parts.to_condition(void_is, Some(quantified.variable)))
    }

    fn may_be_void(&self, formula: &Formula) -> bool {
        let mut found = false;
        formula.visit_exprs(&mut |expr| {
            expr.visit_parts(&mut |part| {
                found |= matches!(part, Expr::Element(field, indices)
                    if self.format.indexes_repetitions(*field, indices) && self.format.may_be_absent(*field));
                true
            });
        });
        found
    }

    // Rules about many values.

    fn distinct_values(&mut self, distinct: &DistinctConstraint) -> Result<Code, Stop> {
        let is_word = distinct.parts.iter().any(|part| self.is_word(part));
        let block = match distinct.over {
            FoldRange::Elements => return self.distinct_elements(&distinct.parts),
            FoldRange::Instances(block) | FoldRange::Occurrences(OptionalBlocks { block, .. }) => block,
        };
        let shape = match distinct.parts.len() {
            1 if is_word => GatherShape::Texts,
            1 => GatherShape::Numbers,
            _ if is_word => return no_counterpart("tuples with words"),
            2 => GatherShape::Pairs,
            _ => GatherShape::Tuples,
        };
        let source = GatherSource::Values { block, parts: distinct.parts.clone(), shape, when: Vec::new() };
        Ok(Code::from_text(self.gather_values(source, distinct.over)?))
    }

    fn distinct_elements(&mut self, parts: &[Expr]) -> Result<Code, Stop> {
        if let [one] = parts {
            return self.plain_container(one);
        }
        let Some(first) = parts.iter().find_map(|part| self.first_array(part)) else {
            return no_counterpart("different tuples of single numbers");
        };
        let first = self.container_code(&first)?;
        let index = self.local_name("k");
        self.element = Some(index.clone());
        let each: Result<Vec<Code>, Stop> = parts.iter().map(|part| self.number_code(part)).collect();
        self.element = None;
        let each = each?;
        let mut all = first.clone();
        each.iter().for_each(|part| all.add_conditions(part));
        if !all.guards.is_empty() || !all.empty.is_empty() || !all.absent.is_empty() {
            return no_counterpart("different tuples of values that may not exist");
        }
        let texts: Vec<String> = each.iter().map(|part| part.text.clone()).collect();
        let tuple = if texts.len() == 2 {
            format!("make_pair({})", texts.join(", "))
        } else {
            format!("vector<long long>{{{}}}", texts.join(", "))
        };
        let size = format!("{}({})", self.use_helper("len"), first.text);
        Ok(Code::from_text(format!(
            "{}({size}, [&](long long {index}) {{ return {tuple}; }})",
            self.use_helper("collect")
        )))
    }

    /// Returns a container that certainly has a value.
    fn plain_container(&mut self, expr: &Expr) -> Result<Code, Stop> {
        let code = self.container_code(expr)?;
        if !code.guards.is_empty() || !code.empty.is_empty() || !code.absent.is_empty() {
            return no_counterpart("a row that may not exist");
        }
        Ok(code)
    }

    fn distinct_texts(&mut self, distinct: &DistinctTextsConstraint) -> Result<Code, Stop> {
        let field = distinct.field;
        match distinct.over {
            FoldRange::Elements => {
                let name = self.variable_of(field)?;
                match self.rank_of(field) {
                    0 | 1 => Ok(Code::from_text(name)),
                    _ => Ok(Code::from_text(format!("{}({name})", self.use_helper("flatTexts")))),
                }
            }
            FoldRange::Instances(block) | FoldRange::Occurrences(OptionalBlocks { block, .. }) => {
                if self.rank_of(field) > 0 {
                    return no_counterpart("different rows of several repetitions");
                }
                let parts = vec![Expr::Field(field)];
                let source = GatherSource::Values { block, parts, shape: GatherShape::Texts, when: Vec::new() };
                Ok(Code::from_text(self.gather_values(source, distinct.over)?))
            }
        }
    }

    fn order(&mut self, order: &OrderConstraint, message: &str, lines: &mut SourceWriter) -> Result<(), Stop> {
        if self.is_word(&order.expr) {
            return no_counterpart("an order of words");
        }
        let values = match order.over {
            FoldRange::Elements => self.plain_container(&order.expr)?,
            FoldRange::Instances(block) | FoldRange::Occurrences(OptionalBlocks { block, .. }) => {
                let parts = vec![order.expr.clone()];
                let source = GatherSource::Values { block, parts, shape: GatherShape::Numbers, when: Vec::new() };
                Code::from_text(self.gather_values(source, order.over)?)
            }
        };
        let functor = Code::from_text(cpp_functor(order.sign));
        ensure(&Code::from_call(self.use_helper("inOrder"), &[&values, &functor]), message, lines);
        Ok(())
    }

    fn graph(&mut self, graph: &GraphConstraint, message: &str, lines: &mut SourceWriter) -> Result<(), Stop> {
        let (first, last) = (self.number_code(&graph.vertices.0)?, self.number_code(&graph.vertices.1)?);
        let mut setup = Vec::new();
        let edges = self.edges(&graph.edges, &mut setup)?;
        let name = self.local_name("graph");
        self.use_helper("Graph");
        lines.add_line("{");
        let mut inner = lines.nested();
        setup.iter().for_each(|line| inner.add_line(line));
        inner.add_line(format!("Graph {name}({}, {}, {edges});", first.text, last.text));
        let is_directed = graph.properties.contains(&GraphProperty::Directed)
            || graph.properties.contains(&GraphProperty::StronglyConnected);
        let mut checks = vec!["hasVertices()".to_owned()];
        checks.extend(graph.properties.iter().filter_map(|property| graph_check(*property, is_directed)));
        if let Some((least, most)) = graph.depth_range() {
            let has_parents = matches!(graph.edges, GraphEdges::Parents { .. });
            checks.push(format!("hasDepth({least}, {most}, {has_parents})"));
        }
        for check in checks {
            let (call, rest) =
                check.split_once(' ').map_or((&*check, String::new()), |(call, rest)| (call, format!(" {rest}")));
            ensure(&Code::from_text(format!("{name}.{call}{rest}")), message, &mut inner);
        }
        lines.append_deeper(&inner);
        lines.add_line("}");
        Ok(())
    }

    /// Returns the variable with the edges of a graph; `setup` receives the lines that fill it.
    fn edges(&mut self, edges: &GraphEdges, setup: &mut Vec<String>) -> Result<String, Stop> {
        const PAIRS: &str = "vector<pair<long long, long long>>";
        let over = |block| FoldRange::Instances(block);
        let pair = |(one, two): (FieldId, FieldId)| vec![Expr::Field(one), Expr::Field(two)];
        match edges {
            GraphEdges::Lines { block, ends, selection } => {
                let when = match selection {
                    Some(EdgeSelection::When(comparisons)) => comparisons.clone(),
                    _ => Vec::new(),
                };
                let source =
                    GatherSource::Values { block: *block, parts: pair(*ends), shape: GatherShape::Pairs, when };
                let all = self.gather_values(source, over(*block))?;
                match selection {
                    None | Some(EdgeSelection::When(_)) => Ok(all),
                    Some(EdgeSelection::Slice(first, last)) => {
                        let (first, last) = (self.number_code(first)?, self.number_code(last)?);
                        let index = self.local_name("k");
                        let name = self.local_name("edges");
                        setup.push(format!("{PAIRS} {name};"));
                        setup.push(format!(
                            "for (long long {index} = {}; {index} <= {}; {index}++)",
                            first.text,
                            last.text_within(Binding::Sum)
                        ));
                        setup.push(format!(
                            "    if (1 <= {index} && {index} <= {}({all})) {name}.push_back({all}[{index} - 1]);",
                            self.use_helper("len")
                        ));
                        Ok(name)
                    }
                }
            }
            GraphEdges::Parents { field, block, first } => {
                let first = self.number_code(first)?;
                let parents = match block {
                    None => self.variable_of(*field)?,
                    Some(block) => {
                        let parts = vec![Expr::Field(*field)];
                        let source = GatherSource::Values {
                            block: *block,
                            parts,
                            shape: GatherShape::Numbers,
                            when: Vec::new(),
                        };
                        self.gather_values(source, over(*block))?
                    }
                };
                let (index, name) = (self.local_name("k"), self.local_name("edges"));
                setup.push(format!("{PAIRS} {name};"));
                setup.push(format!(
                    "for (size_t {index} = 0; {index} < {parents}.size(); {index}++) {name}.push_back({{{parents}[{index}], {} + (long long){index}}});",
                    first.operand()
                ));
                Ok(name)
            }
        }
    }

    fn polygon(&mut self, polygon: &PolygonConstraint, message: &str, lines: &mut SourceWriter) -> Result<(), Stop> {
        let shape = GatherShape::Pairs;
        let source =
            GatherSource::Values { block: polygon.block, parts: polygon.coordinates.to_vec(), shape, when: Vec::new() };
        let corners = self.gather_values(source, FoldRange::Instances(polygon.block))?;
        let most = PolygonConstraint::MAX_COORDINATE;
        for coordinate in &polygon.coordinates {
            let range = self.range_of(coordinate);
            if range.lo < -most || range.hi > most {
                return no_counterpart("coordinates of more than 10^18");
            }
        }
        self.use_helper("Polygon");
        let name = self.local_name("polygon");
        lines.add_line("{");
        let mut inner = lines.nested();
        inner.add_line(format!("Polygon {name} = {{{corners}}};"));
        let properties = &polygon.properties;
        let mut checks = vec!["isSimple()".to_owned()];
        checks.extend(properties.is_convex.then(|| "isConvex()".to_owned()));
        for check in checks {
            ensure(&Code::from_text(format!("{name}.{check}")), message, &mut inner);
        }
        if properties.no_straight_angles {
            ensure(&Code::from_text(format!("!{name}.hasStraightAngle()")), message, &mut inner);
        }
        if let Some(turning) = properties.turning {
            let sign = if turning == Turning::Clockwise { "<" } else { ">" };
            ensure(&Code::from_text(format!("{name}.orientation() {sign} 0")), message, &mut inner);
        }
        lines.append_deeper(&inner);
        lines.add_line("}");
        Ok(())
    }

    fn text_property(&mut self, rule: &TextConstraint, message: &str, lines: &mut SourceWriter) -> Result<(), Stop> {
        let name = self.variable_of(rule.field)?;
        let rank = self.rank_of(rule.field);
        match (rule.property.name(), rank) {
            ("balanced", 0) => {
                ensure(&Code::from_text(format!("{}({name})", self.use_helper("isBalanced"))), message, lines);
            }
            ("balanced", _) => {
                let each = self.local_name("text");
                lines.open(format!("for (const string& {each} : {}({name}))", self.use_helper("flatTexts")));
                ensure(&Code::from_text(format!("{}({each})", self.use_helper("isBalanced"))), message, lines);
                lines.end_block();
            }
            ("connected", 1 | 2) => {
                let letters = text_literal(&rule.letters);
                let helper = self.use_helper("isConnectedBoard");
                if rank == 1 {
                    ensure(&Code::from_text(format!("{helper}({name}, {letters})")), message, lines);
                } else {
                    let each = self.local_name("board");
                    lines.open(format!("for (const auto& {each} : {name})"));
                    ensure(&Code::from_text(format!("{helper}({each}, {letters})")), message, lines);
                    lines.end_block();
                }
            }
            (other, _) => return no_counterpart(format!("`{other}`")),
        }
        Ok(())
    }

    fn pattern(&mut self, rule: &PatternConstraint, message: &str, lines: &mut SourceWriter) -> Result<(), Stop> {
        let name = self.variable_of(rule.field)?;
        let info = self.format.field(rule.field);
        let longest = match info.dimensions.last() {
            Some(rebut_format::language::FieldDimension::Size(size)) => self.range_of(size).hi,
            _ => info.length.hi,
        };
        if longest > MAX_MATCHED_LENGTH {
            return no_counterpart(format!(
                "a regular expression for texts of more than {MAX_MATCHED_LENGTH} characters"
            ));
        }
        if !is_portable_pattern(&rule.pattern.text) {
            return no_counterpart("syntax that regular expressions of C++ do not have");
        }
        let expression = format!("regex({})", text_literal(rule.pattern.text.as_bytes()));
        if self.rank_of(rule.field) == 0 {
            ensure(&Code::from_text(format!("regex_match({name}, {expression})")), message, lines);
            return Ok(());
        }
        let each = self.local_name("text");
        lines.open(format!("for (const string& {each} : {}({name}))", self.use_helper("flatTexts")));
        ensure(&Code::from_text(format!("regex_match({each}, {expression})")), message, lines);
        lines.end_block();
        Ok(())
    }
}

/// Writes a check.
fn ensure(condition: &Code, message: &str, lines: &mut SourceWriter) {
    lines.add_line(format!("ensuref({}, {message});", condition.text));
}

/// Returns the call that checks a property of a graph, or `None` for one that is no condition.
fn graph_check(property: GraphProperty, is_directed: bool) -> Option<String> {
    Some(match property {
        // The depth is checked by one call, and directions are none.
        GraphProperty::Directed | GraphProperty::MinDepth(_) | GraphProperty::MaxDepth(_) => return None,
        GraphProperty::Simple => format!("isSimple({is_directed})"),
        GraphProperty::Loopless => "isLoopless()".to_owned(),
        GraphProperty::Connected => "isConnected()".to_owned(),
        GraphProperty::Acyclic if is_directed => "isAcyclic()".to_owned(),
        GraphProperty::Acyclic => "isForest()".to_owned(),
        GraphProperty::Bipartite => "isBipartite()".to_owned(),
        GraphProperty::Tree => "isTree()".to_owned(),
        GraphProperty::Path => "isPath()".to_owned(),
        GraphProperty::Star => "isStar()".to_owned(),
        GraphProperty::StronglyConnected => "isStronglyConnected()".to_owned(),
        GraphProperty::MaxDegree(most) => format!("maxDegree() <= {most}"),
        GraphProperty::EvenDegrees => "isEven()".to_owned(),
        GraphProperty::Regular => "isRegular()".to_owned(),
    })
}

/// Returns true if a regular expression means the same in C++: plain characters, classes, groups, repetitions and
/// alternatives.
fn is_portable_pattern(pattern: &str) -> bool {
    const UNPORTABLE: [&str; 15] =
        ["&&", "--", "~~", "||", "[[", "\\p", "\\P", "\\x", "\\u", "\\U", "\\z", "\\A", "\\Z", "++", "*+"];
    let has_flags = pattern.match_indices("(?").any(|(at, _)| !pattern[at..].starts_with("(?:"));
    let is_lazy = ["*?", "+?", "??", "}?", "}+", "?+", "[^", "\\b", "\\B"].iter().any(|part| pattern.contains(part));
    !has_flags && !is_lazy && pattern.is_ascii() && !UNPORTABLE.iter().any(|part| pattern.contains(part))
}
