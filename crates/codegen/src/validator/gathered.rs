//! Variables that keep values of inner blocks for constraints of outer ones.

use super::code::Binding;
use super::generator::{Gather, GatherShape, GatherSource, Generator, Stop, no_counterpart};
use rebut_format::language::{ArithmeticOperator, BlockId, Comparison, Expr, FieldId, FoldKind, FoldRange};

impl Generator<'_> {
    /// Writes the declarations of variables with values of these blocks.
    pub(super) fn declare_gathered(&mut self, children: &[BlockId]) {
        let (holder, gathers) = (self.block, self.gathers.clone());
        for gather in gathers.iter().filter(|g| g.holder == holder && children.contains(&g.outermost)) {
            match &gather.source {
                GatherSource::Elements(field) => {
                    let line = format!("vector<{}> {};", self.field_type(*field), gather.name);
                    self.out.add_line(line);
                    if self.format.may_be_absent(*field) {
                        self.out.add_line(format!("vector<bool> has_{};", gather.name));
                    }
                }
                GatherSource::Values { parts, shape, .. } => {
                    let line = format!("{} {};", self.gathered_type(parts, *shape), gather.name);
                    self.out.add_line(line);
                }
            }
        }
    }

    fn gathered_type(&mut self, parts: &[Expr], shape: GatherShape) -> &'static str {
        match shape {
            GatherShape::Texts => "vector<string>",
            GatherShape::Pairs => "vector<pair<long long, long long>>",
            GatherShape::Tuples => "vector<vector<long long>>",
            GatherShape::Numbers if parts.iter().all(|part| Self::is_small(self.range_of(part))) => "vector<long long>",
            GatherShape::Numbers => {
                self.use_helper("Big");
                "vector<Big>"
            }
        }
    }

    /// Writes what begins a repetition for fields of it that may be absent.
    pub(super) fn begin_elements(&mut self, block: BlockId) {
        for gather in &self.gathers {
            let GatherSource::Elements(field) = gather.source else { continue };
            let own = self.format.field(field).block;
            if own != block && self.format.repetition_of(own) == Some(block) {
                self.out.add_line(format!("{}.emplace_back();", gather.name));
                self.out.add_line(format!("has_{}.push_back(false);", gather.name));
            }
        }
    }

    /// Writes the statements that keep values of a block at its end.
    pub(super) fn push_gathered(&mut self, block: BlockId) -> Result<(), Stop> {
        for gather in self.gathers.clone() {
            match &gather.source {
                GatherSource::Elements(field) if self.format.field(*field).block == block => {
                    let value = self.variable_of(*field)?;
                    let name = &gather.name;
                    if self.format.may_be_absent(*field) {
                        self.out.add_line(format!("{name}.back() = {value};"));
                        self.out.add_line(format!("has_{name}.back() = true;"));
                    } else {
                        self.out.add_line(format!("{name}.push_back({value});"));
                    }
                }
                GatherSource::Elements(_) => {}
                GatherSource::Values { block: source, parts, shape, when } => {
                    for (_, parts) in self.push_sites(*source, parts).into_iter().filter(|(site, _)| *site == block) {
                        let known = self.gathers.len();
                        match self.push_values(&gather, &parts, *shape, when) {
                            // The next pass knows what is missing.
                            Err(Stop::Later) if self.gathers.len() > known => {}
                            pushed => pushed?,
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn push_values(
        &mut self,
        gather: &Gather,
        parts: &[Expr],
        shape: GatherShape,
        when: &[Comparison],
    ) -> Result<(), Stop> {
        self.preludes.clear();
        self.variables.clear();
        self.element = None;
        let mut conditions = Vec::new();
        for comparison in when {
            conditions.push(self.comparison_code(comparison, true)?.text_within(Binding::And));
        }
        let mut texts = Vec::new();
        let is_text = shape == GatherShape::Texts;
        for part in parts {
            let code = match part {
                Expr::Field(field) if is_text => super::code::Code::from_text(self.variable_of(*field)?),
                _ => self.number_code(part)?,
            };
            if !code.guards.is_empty() {
                let line =
                    format!("ensuref({}, \"a value that a rule needs does not exist\");", code.guards.join(" && "));
                self.out.add_line(line);
            }
            conditions.extend(code.empty.iter().map(|condition| format!("!{condition}")));
            conditions.extend(code.absent.iter().map(super::code::Absence::negated));
            if !is_text && shape != GatherShape::Numbers && !Self::is_small(self.range_of(part)) {
                return no_counterpart("tuples of numbers of more than 64 bits");
            }
            texts.push(code.text);
        }
        for line in std::mem::take(&mut self.preludes) {
            self.out.add_line(line);
        }
        let value = if parts.len() == 1 { texts.concat() } else { format!("{{{}}}", texts.join(", ")) };
        let push = format!("{}.push_back({value});", gather.name);
        self.out.add_line(if conditions.is_empty() {
            push
        } else {
            format!("if ({}) {push}", conditions.join(" && "))
        });
        Ok(())
    }

    /// Returns the blocks that keep values at their ends, and the values there: a name of several alternatives is another
    /// field in each of them.
    fn push_sites(&self, block: BlockId, parts: &[Expr]) -> Vec<(BlockId, Vec<Expr>)> {
        let mut inside: Vec<BlockId> = Vec::new();
        let mut note = |field: FieldId| {
            let own = self.format.field(field).block;
            if own != block && self.format.is_within(own, block) && !inside.contains(&own) {
                inside.push(own);
            }
        };
        parts.iter().for_each(|part| {
            part.visit_parts(&mut |part| match part {
                Expr::Field(field) | Expr::Length(field) => {
                    note(*field);
                    true
                }
                Expr::Fold(..) if self.only_occurrence(part).is_some() => true,
                // A fold of an inner block keeps its own values.
                Expr::Fold(_, over, _) => over.outermost_block().is_none(),
                Expr::Element(field, indices) => {
                    if !self.format.indexes_repetitions(*field, indices) {
                        note(*field);
                    }
                    true
                }
                _ => true,
            });
        });
        if inside.is_empty() {
            return vec![(block, parts.to_vec())];
        }
        let resolved = |site: BlockId| {
            let parts: Option<Vec<Expr>> = parts.iter().map(|part| self.resolve_alternatives(part, site)).collect();
            parts.map(|parts| (site, parts))
        };
        inside.into_iter().filter_map(resolved).collect()
    }

    /// Returns an expression with the field of an alternative in place of the fields of all of them, or `None` if it has
    /// no value there.
    fn resolve_alternatives(&self, expr: &Expr, site: BlockId) -> Option<Expr> {
        match expr {
            Expr::Binary(ArithmeticOperator::OrElse, left, right) => {
                self.resolve_alternatives(left, site).or_else(|| self.resolve_alternatives(right, site))
            }
            Expr::Field(field) | Expr::Length(field) => {
                self.format.is_within(site, self.format.field(*field).block).then(|| expr.clone())
            }
            Expr::Fold(_, over, _) if over.outermost_block().is_some() => match self.only_occurrence(expr) {
                Some(inner) => self.resolve_alternatives(inner, site),
                None => Some(expr.clone()),
            },
            _ => expr.map_children(|child| self.resolve_alternatives(child, site)),
        }
    }

    /// Returns the value of an alternative or below a condition, which the language takes for the minimum of one value at
    /// most.
    fn only_occurrence<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        match expr {
            Expr::Fold(FoldKind::Min | FoldKind::Max, FoldRange::Occurrences(over), inner)
                if self.format.is_optional(over.outermost) && matches!(**inner, Expr::Field(_)) =>
            {
                Some(inner)
            }
            _ => None,
        }
    }
}
