//! Comparisons compiled for frequent evaluation.

use crate::language::{Comparison, ComparisonOperator, ConstraintRule, Expr, Format};
use crate::value::{CompiledSum, ValueScope};

/// A comparison of two sums of single numbers, or of two tuples of such sums.
///
/// It only decides whether the comparison certainly holds. To find the reason of a violation, or to handle unknown
/// values, use [`check_constraint`](super::check_constraint).
#[derive(Clone, Debug)]
pub struct CompiledComparison {
    sign: ComparisonOperator,
    left: Box<[CompiledSum]>,
    right: Box<[CompiledSum]>,
}

/// Maximum number of sums in a tuple; longer tuples are rare.
const MAX_TUPLE_SUMS: usize = 4;

impl CompiledComparison {
    /// Compiles a comparison, or returns `None` if it is not of this form.
    pub fn from_comparison(comparison: &Comparison, format: &Format) -> Option<CompiledComparison> {
        let sums = |side: &[Expr]| {
            side.iter().map(|expr| CompiledSum::from_expr(expr, format)).collect::<Option<Box<[CompiledSum]>>>()
        };
        let check = CompiledComparison {
            sign: comparison.sign,
            left: sums(&comparison.left)?,
            right: sums(&comparison.right)?,
        };
        (check.left.len().max(check.right.len()) <= MAX_TUPLE_SUMS).then_some(check)
    }

    /// Compiles a rule, if it is a comparison of this form.
    pub fn from_rule(rule: &ConstraintRule, format: &Format) -> Option<CompiledComparison> {
        CompiledComparison::from_comparison(rule.comparison()?, format)
    }

    /// Returns true if the comparison certainly holds.
    pub fn certainly_holds(&self, scope: &ValueScope<'_>) -> bool {
        self.check_certainly(scope) == Some(true)
    }

    /// Returns whether the comparison holds, or `None` if that is not certain.
    pub(crate) fn check_certainly(&self, scope: &ValueScope<'_>) -> Option<bool> {
        if let ([left], [right]) = (&*self.left, &*self.right) {
            return Some(self.sign.compare(&left.evaluate_sum(scope)?, &right.evaluate_sum(scope)?));
        }
        let (mut left, mut right) = ([0; MAX_TUPLE_SUMS], [0; MAX_TUPLE_SUMS]);
        let left = evaluate_tuple(&self.left, scope, &mut left)?;
        Some(self.sign.compare(&left, &evaluate_tuple(&self.right, scope, &mut right)?))
    }
}

fn evaluate_tuple<'n>(
    sums: &[CompiledSum],
    scope: &ValueScope<'_>,
    numbers: &'n mut [i128; MAX_TUPLE_SUMS],
) -> Option<&'n [i128]> {
    let numbers = numbers.get_mut(..sums.len())?;
    for (number, sum) in numbers.iter_mut().zip(sums) {
        *number = sum.evaluate_sum(scope)?;
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::validate::check_constraint;
    use crate::value::{InstanceList, Value};
    use rebut_diagnostics::SourceText;
    use rebut_generators::Choices;

    const FORMAT: &str = "n m; repeat n: u v; where 1<=n<=9; 1<=m<=9; u<=n; u-1<m+v; (u,v)!=(n,m); u=v; -u>=v-3-n; \
                          (u,v+1,m)!=(v,n-1,u); 2*u<=n; sum(u)<=9; u+v+n+m<9; u+v+n+m+u<9; \
                          0<=u,v<=10^36";

    #[test]
    fn agrees_with_the_uncompiled_comparison() {
        let (format, _) = Format::parse(&SourceText::new("test", FORMAT)).unwrap();
        let mut choices = Choices::from_seed(1, 0);
        let mut checked = 0;
        for large in [0, 0, 0, 0, 0, 1, LARGE] {
            for _ in 0..500 {
                let mut int = || Value::Int(choices.draw_range(0, 6) + large * choices.draw_range(0, 1));
                let (lines, root) = (vec![int(), int()], [int(), int()]);
                let [n, m] = root;
                let value =
                    Value::Block(vec![n, m, Value::Instances(InstanceList::from_instances(2, vec![lines.clone()]))]);
                let whole = ValueScope::for_input(&format, &value);
                for constraint in &format.constraints {
                    let inner = whole.for_instance(crate::language::BlockId(1), &lines);
                    let scope = if constraint.home_block.0 == 0 { &whole } else { &inner };
                    let Some(check) = CompiledComparison::from_rule(&constraint.rule, &format) else { continue };
                    checked += 1;
                    let is_broken = check_constraint(constraint, scope).is_some();
                    assert_ne!(check.check_certainly(scope), Some(is_broken), "{constraint:?} {value:?}");
                    assert!(
                        check.certainly_holds(scope) != is_broken || large == LARGE && !is_broken,
                        "{constraint:?} {value:?}"
                    );
                }
            }
        }
        assert!(checked > 30_000);
        let ready = format.constraints.iter().filter(|c| CompiledComparison::from_rule(&c.rule, &format).is_some());
        let not_compiled = "the product, the sum over lines, the long one, the two large bounds";
        assert_eq!((ready.count(), format.constraints.len()), (13, 18), "all but {not_compiled}");
    }

    /// Numbers so large that the general evaluation is used.
    const LARGE: i128 = crate::language::MAX_NUMBER / 4;
}
