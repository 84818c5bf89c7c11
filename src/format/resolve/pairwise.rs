//! Formulas that say what `distinct` says: they are met by construction, too.

use super::Resolver;
use crate::format::expr::{Expr, Operator, Over, Sign};
use crate::format::formula::{Formula, Quantified};
use crate::format::model::{Count, Dimension, FieldId};

impl Resolver<'_> {
    /// Returns the texts of which `forall i in 1..n: forall j in i+1..n: w[i] != w[j]` says that no two are the same, and
    /// what they are spread over, if a formula is of that kind and `n` is how many there are.
    pub(super) fn pairwise_different(&self, formula: &Formula) -> Option<(FieldId, Over)> {
        let Formula::Each(outer) = formula else { return None };
        let Formula::Each(inner) = &outer.body else { return None };
        let Formula::Compare(comparison) = &inner.body else { return None };
        let ([Expr::Whole(left)], [Expr::Whole(right)]) = (&*comparison.left, &*comparison.right) else { return None };
        let (Expr::Element(field, one), Expr::Element(same, other)) = (&**left, &**right) else { return None };
        let ([Expr::Variable(one)], [Expr::Variable(other)]) = (&one[..], &other[..]) else { return None };
        let both =
            (*one, *other) == (outer.variable, inner.variable) || (*other, *one) == (outer.variable, inner.variable);
        if comparison.sign != Sign::NotEqual
            || field != same
            || !both
            || !all_pairs(outer, inner, self.how_many(*field)?)
        {
            return None;
        }
        let over = self.over_texts(*field)?;
        // Where some are absent, `x[i]` and `distinct` do not count alike.
        (!self.format.may_be_absent(*field)).then_some((*field, over))
    }

    /// Returns how many texts there are of a field, by its first dimension or by the repetitions around it.
    fn how_many(&self, field: FieldId) -> Option<&Expr> {
        let info = self.format.field(field);
        match &info.dimensions[..] {
            [Dimension::Size(rows), _] => Some(rows),
            [_] if self.format.is_repeated_text(field) => match &self.format.block(info.block).count {
                Count::Times(count) => Some(count),
                Count::When(_) | Count::Chosen | Count::Until { .. } => None,
            },
            _ => None,
        }
    }
}

/// Returns true if two quantifiers count through all pairs of numbers from 1 to `last`.
fn all_pairs(outer: &Quantified, inner: &Quantified, last: &Expr) -> bool {
    let one = Expr::Constant(1);
    let beside = |operator, of: &Expr| Expr::Binary(operator, Box::new(of.clone()), Box::new(one.clone()));
    let variable = Expr::Variable(outer.variable);
    let is_last = |expr: &Expr| expr == last || *expr == beside(Operator::Minus, last);
    let above = inner.range.0 == beside(Operator::Plus, &variable) && inner.range.1 == *last && is_last(&outer.range.1);
    let below = inner.range.0 == one && inner.range.1 == beside(Operator::Minus, &variable) && outer.range.1 == *last;
    let first = outer.range.0 == one || below && outer.range.0 == Expr::Constant(2);
    first && (above || below)
}
