//! Comparisons made ready to be looked at very often.

use crate::format::{Comparison, Expr, Format, Rule, Sign};
use crate::value::{Scope, Sum};

/// A comparison of two sums of single numbers, or of two tuples of such.
///
/// It only tells what surely holds: whoever wants to know why something does not, or has something that is not known
/// yet, asks [`broken`](super::broken).
#[derive(Clone, Debug)]
pub struct Check {
    sign: Sign,
    left: Box<[Sum]>,
    right: Box<[Sum]>,
}

/// Longer tuples are rare.
const MOST_SUMS: usize = 4;

impl Check {
    /// A comparison as such a check; none if it speaks of anything else.
    pub fn of(comparison: &Comparison, format: &Format) -> Option<Check> {
        let sums = |side: &[Expr]| side.iter().map(|expr| Sum::of(expr, format)).collect::<Option<Box<[Sum]>>>();
        let check = Check { sign: comparison.sign, left: sums(&comparison.left)?, right: sums(&comparison.right)? };
        (check.left.len().max(check.right.len()) <= MOST_SUMS).then_some(check)
    }

    /// The same of a rule, if it is a comparison.
    pub fn of_rule(rule: &Rule, format: &Format) -> Option<Check> {
        match rule {
            Rule::Compare(comparison) => Check::of(comparison, format),
            _ => None,
        }
    }

    /// Whether it surely holds.
    pub fn holds(&self, scope: &Scope<'_>) -> bool {
        if let ([left], [right]) = (&*self.left, &*self.right) {
            let numbers = left.number(scope).zip(right.number(scope));
            return numbers.is_some_and(|(left, right)| self.sign.holds(&left, &right));
        }
        let (mut left, mut right) = ([0; MOST_SUMS], [0; MOST_SUMS]);
        let sides = tuple(&self.left, scope, &mut left).zip(tuple(&self.right, scope, &mut right));
        sides.is_some_and(|(left, right)| self.sign.holds(&left, &right))
    }
}

fn tuple<'n>(sums: &[Sum], scope: &Scope<'_>, numbers: &'n mut [i128; MOST_SUMS]) -> Option<&'n [i128]> {
    let numbers = numbers.get_mut(..sums.len())?;
    for (number, sum) in numbers.iter_mut().zip(sums) {
        *number = sum.number(scope)?;
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::diagnostic::Source;
    use crate::validate::broken;
    use crate::value::{Instances, Value};
    use rebut_generators::Choices;

    const FORMAT: &str = "n m; repeat n: u v; where 1<=n<=9; 1<=m<=9; u<=n; u-1<m+v; (u,v)!=(n,m); u=v; -u>=v-3-n; \
                          (u,v+1,m)!=(v,n-1,u); 2*u<=n; sum(u)<=9; u+v+n+m<9; u+v+n+m+u<9; \
                          0<=u,v<=10^36";

    #[test]
    fn says_what_a_look_at_the_comparison_says() {
        let (format, _) = Format::parse(&Source::new("test", FORMAT)).unwrap();
        let mut choices = Choices::fresh(1, 0);
        let mut checked = 0;
        for large in [0, 0, 0, 0, 0, 1, LARGE] {
            for _ in 0..500 {
                let mut int = || Value::Int(choices.range(0, 6) + large * choices.range(0, 1));
                let (lines, root) = (vec![int(), int()], [int(), int()]);
                let [n, m] = root;
                let value = Value::Block(vec![n, m, Value::Instances(Instances::of(2, vec![lines.clone()]))]);
                let whole = Scope::whole(&format, &value);
                for constraint in &format.constraints {
                    let inner = whole.inner(crate::format::BlockId(1), &lines);
                    let scope = if constraint.home.0 == 0 { &whole } else { &inner };
                    let Some(check) = Check::of_rule(&constraint.rule, &format) else { continue };
                    checked += 1;
                    let is_broken = broken(constraint, scope).is_some();
                    assert!(
                        check.holds(scope) != is_broken || large == LARGE && !is_broken,
                        "{constraint:?} {value:?}"
                    );
                }
            }
        }
        assert!(checked > 30_000);
        let ready = format.constraints.iter().filter(|c| Check::of_rule(&c.rule, &format).is_some());
        let not_ready = "the product, the sum over lines, the long one, the two large bounds";
        assert_eq!((ready.count(), format.constraints.len()), (13, 18), "all but {not_ready}");
    }

    /// Numbers for which the general way is left to be gone.
    const LARGE: i128 = crate::format::LARGEST / 4;
}
