//! Permutations: in the model they are bounds and distinctness, all from one place of the text.

use super::{Author, math};
use crate::format::{Dimension, Expr, FieldId, Linear, Over, Rule, Sign, count_of_range};

impl<'f> Author<'f> {
    /// What is said of those arrays among the fields that are permutations; their constraints count as stated then.
    pub(super) fn permutations(&mut self, fields: &[FieldId]) -> Vec<String> {
        let mut found = Vec::new();
        for i in 0..self.format.constraints.len() {
            let Rule::Distinct(parts, Over::Elements) = &self.format.constraints[i].rule else { continue };
            let [Expr::Field(field)] = &**parts else { continue };
            if !fields.contains(field) {
                continue;
            }
            let Some((bounds, first, last)) = self.range_of_permutation(i, *field) else { continue };
            for constraint in bounds.into_iter().chain([i]) {
                self.stated[constraint] = true;
            }
            let (first, last) = (math(&self.maths.expr(first)), math(&self.maths.expr(last)));
            let name = math(&self.maths.name(*field));
            let subject = if fields.len() == 1 { String::new() } else { format!("{name} is ") };
            found.push(format!("{subject}a permutation of the integers from {first} to {last}"));
        }
        found
    }

    /// The two bounds that come from the same place as a distinctness, and what they are, if together they leave no
    /// number out.
    fn range_of_permutation(&self, distinct: usize, field: FieldId) -> Option<([usize; 2], &'f Expr, &'f Expr)> {
        let format = self.format;
        let constraints = &format.constraints;
        let [Dimension::Size(size)] = &*format.field(field).dimensions else { return None };
        let (mut first, mut last) = (None, None);
        for (i, constraint) in constraints.iter().enumerate().filter(|(_, c)| c.span == constraints[distinct].span) {
            let Rule::Compare(comparison) = &constraint.rule else { continue };
            let ([left], Sign::LessEqual, [right]) = (&*comparison.left, comparison.sign, &*comparison.right) else {
                continue;
            };
            if *right == Expr::Field(field) {
                first = Some((i, left));
            } else if *left == Expr::Field(field) {
                last = Some((i, right));
            }
        }
        let ((i, first), (j, last)) = (first?, last?);
        (Linear::of(size)? == count_of_range(first, last)?).then_some(([i, j], first, last))
    }
}
