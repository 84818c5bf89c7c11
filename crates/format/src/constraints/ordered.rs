//! `sorted(a)`, `increasing(a)` and the like: consecutive numbers satisfy a comparison.

use super::{
    AggregateResult, BreachNames, BrokenConstraint, ColumnRule, ConstraintKind, ElementFreedom, KnownPrefix,
    holds_so_far, in_words, is_stable,
};
use crate::model::{
    BlockId, Comparison, ComparisonOperator, Expr, FieldId, FoldRange, Format, Interval, OrderConstraint,
};
use crate::value::{self, EvalError, ValueScope, visit_occurrences};

impl ConstraintKind for OrderConstraint {
    fn expressions(&self) -> Vec<&Expr> {
        vec![&self.expr]
    }

    fn range(&self) -> Option<FoldRange> {
        Some(self.over)
    }

    fn check<'f>(&'f self, scope: &ValueScope<'_>) -> Result<BrokenConstraint<'f>, EvalError> {
        in_words(self.find_disorder(scope))
    }

    fn is_countable(&self) -> bool {
        !matches!(self.over, FoldRange::Occurrences(_))
    }

    fn is_decided_by_expressions(&self) -> bool {
        true
    }

    fn may_still_hold(&self, home: BlockId, prefix: &dyn KnownPrefix) -> bool {
        let Some(scope) = prefix.scope_of(home) else { return true };
        !is_stable(std::iter::once(&self.expr), scope.format, prefix) || holds_so_far(self, scope)
    }

    fn column_rule(&self, block: BlockId) -> Option<ColumnRule<'_>> {
        match self.expr {
            Expr::Field(field) if self.over == FoldRange::Instances(block) => {
                Some(ColumnRule::Ordered(field, self.sign))
            }
            _ => None,
        }
    }

    fn element_freedom(&self, _: FieldId) -> ElementFreedom {
        match self.sign {
            ComparisonOperator::Less | ComparisonOperator::Greater => ElementFreedom::Unknown,
            _ => ElementFreedom::Ordered,
        }
    }

    fn breach_name(&self, names: &BreachNames<'_>) -> String {
        let order = match self.sign {
            ComparisonOperator::Less => "increasing",
            ComparisonOperator::Greater => "decreasing",
            ComparisonOperator::GreaterEqual => "nonincreasing",
            _ => "sorted",
        };
        format!("{}-not-{order}", names.expression_name(&self.expr, 0))
    }
}

impl Format {
    /// Returns the order in which a field's elements must be, if there is one.
    pub(crate) fn element_order(&self, field: FieldId) -> Option<ComparisonOperator> {
        let is_wanted =
            |order: &&OrderConstraint| order.over == FoldRange::Elements && order.expr == Expr::Field(field);
        self.constraints.iter().filter_map(|constraint| constraint.rule.order()).find(is_wanted).map(|order| order.sign)
    }
}

impl OrderConstraint {
    /// Returns the first number, by its index among all elements or instances, that does not satisfy the relation to
    /// the next.
    fn find_disorder(&self, scope: &ValueScope<'_>) -> AggregateResult {
        let mut numbers: Vec<(usize, i128)> = Vec::new();
        let mut known = Ok(());
        match self.over {
            FoldRange::Elements => match value::evaluate_elements(&self.expr, scope) {
                Ok(elements) => numbers.extend(elements.into_iter().enumerate()),
                Err(EvalError::Absent(_) | EvalError::Empty) => {}
                Err(unknown) => known = Err(unknown),
            },
            FoldRange::Instances(_) | FoldRange::Occurrences(_) => {
                let mut instance = 0;
                known = visit_occurrences(scope, self.over, &mut |_, scope| {
                    instance += 1;
                    match value::evaluate_number(&self.expr, scope) {
                        Ok(number) => numbers.push((instance - 1, number)),
                        Err(EvalError::Absent(_) | EvalError::Empty) => {}
                        Err(unknown) => return Err(unknown),
                    }
                    Ok(())
                });
            }
        }
        match numbers.windows(2).find(|pair| !self.sign.compare(&pair[0].1, &pair[1].1)) {
            Some(pair) => Ok(Some((Some(pair[1].0), format!("{} before {}", pair[0].1, pair[1].1)))),
            None => known.map(|()| None),
        }
    }

    /// Returns the limits of the order on the next instance of a block: it follows one with the number `before`, and
    /// leaves values of the range for the `after` instances that come later.
    pub(crate) fn instance_limits(&self, before: Option<i128>, range: Interval, after: i128) -> Vec<Comparison> {
        let compare = |sign, right| Comparison::new(self.expr.clone(), sign, Expr::Constant(right));
        let follows = before.map(|before| compare(self.sign.with_sides_swapped(), before));
        let leaves = match self.sign {
            ComparisonOperator::Less => Some(compare(ComparisonOperator::LessEqual, range.hi - after)),
            ComparisonOperator::Greater => Some(compare(ComparisonOperator::GreaterEqual, range.lo + after)),
            _ => None,
        };
        follows.into_iter().chain(leaves).collect()
    }
}
