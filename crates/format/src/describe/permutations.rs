//! Permutations: the model represents them as bounds and distinctness with the same span.

use super::StatementWriter;
use crate::constraints::inline_math;
use crate::language::{ComparisonOperator, Expr, FieldDimension, FieldId, LinearSum, count_of_range};

impl<'f> StatementWriter<'f> {
    /// Returns the texts for those arrays among the fields that are permutations, and marks their constraints as
    /// stated.
    pub(super) fn state_permutations(&mut self, fields: &[FieldId]) -> Vec<String> {
        let mut found = Vec::new();
        for i in 0..self.format.constraints.len() {
            let distinct = self.format.constraints[i].rule.distinct_elements();
            let Some(field) = distinct.filter(|field| fields.contains(field)) else { continue };
            let Some((bounds, first, last)) = self.permutation_range(i, field) else { continue };
            for constraint in bounds.into_iter().chain([i]) {
                self.stated[constraint] = true;
            }
            let (first, last) =
                (inline_math(&self.tex.expression_tex(first)), inline_math(&self.tex.expression_tex(last)));
            let name = inline_math(&self.tex.field_name(field));
            let subject = if fields.len() == 1 { String::new() } else { format!("{name} is ") };
            found.push(format!("{subject}a permutation of the integers from {first} to {last}"));
        }
        found
    }

    /// Returns the two bounds with the same span as a distinctness constraint, and their values, if together they form
    /// a permutation.
    fn permutation_range(&self, distinct: usize, field: FieldId) -> Option<([usize; 2], &'f Expr, &'f Expr)> {
        let format = self.format;
        let constraints = &format.constraints;
        let [FieldDimension::Size(size)] = &*format.field(field).dimensions else { return None };
        let (mut first, mut last) = (None, None);
        for (i, constraint) in constraints.iter().enumerate().filter(|(_, c)| c.span == constraints[distinct].span) {
            let Some(comparison) = constraint.rule.comparison() else { continue };
            let ([left], ComparisonOperator::LessEqual, [right]) =
                (&*comparison.left, comparison.sign, &*comparison.right)
            else {
                continue;
            };
            if *right == Expr::Field(field) {
                first = Some((i, left));
            } else if *left == Expr::Field(field) {
                last = Some((i, right));
            }
        }
        let ((i, first), (j, last)) = (first?, last?);
        (LinearSum::from_expr(size)? == count_of_range(first, last)?).then_some(([i, j], first, last))
    }
}
