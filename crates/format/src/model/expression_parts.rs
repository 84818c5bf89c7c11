//! The parts of an expression: one traversal for every question about what occurs in it.
//!
//! [`Expr::children`] is the only place that lists which expressions an expression is made of. [`Expr::visit_parts`],
//! [`Expr::find_part`], [`Expr::any_part`] and [`Expr::all_parts`] follow from it. What combines the results of the
//! parts, such as evaluation and printing, recurses by itself.

use super::expression::{ArithmeticOperator, Expr, SliceFold, SliceReduction};
use super::ids::FieldId;
use std::ops::ControlFlow;

impl Expr {
    /// Returns the expressions that this one is directly made of, in the order of the text.
    pub fn children(&self) -> impl DoubleEndedIterator<Item = &Expr> {
        let none = [None; 4];
        let (indices, others): (&[Expr], [Option<&Expr>; 4]) = match self {
            Expr::Constant(_) | Expr::Field(_) | Expr::Length(_) | Expr::Variable(_) | Expr::TextLiteral(_) => {
                (&[], none)
            }
            Expr::Element(_, indices) => (indices, none),
            Expr::Negate(inner) | Expr::Call(_, inner) | Expr::Fold(_, _, inner) | Expr::Sequence(inner) => {
                (&[], [Some(inner), None, None, None])
            }
            Expr::Binary(_, left, right) => (&[], [Some(left), Some(right), None, None]),
            Expr::Slice(slice) => {
                let SliceFold { range: (first, last), each, .. } = &**slice;
                (&[], [Some(each), Some(first), Some(last), slice.wanted()])
            }
        };
        indices.iter().chain(others.into_iter().flatten())
    }

    /// Returns the same expression of other parts, or `None` if `map` returns `None` for one of the parts.
    pub fn map_children(&self, mut map: impl FnMut(&Expr) -> Option<Expr>) -> Option<Expr> {
        Some(match self {
            Expr::Constant(_) | Expr::Field(_) | Expr::Length(_) | Expr::Variable(_) | Expr::TextLiteral(_) => {
                self.clone()
            }
            Expr::Element(field, indices) => Expr::Element(*field, indices.iter().map(map).collect::<Option<_>>()?),
            Expr::Negate(inner) => Expr::Negate(Box::new(map(inner)?)),
            Expr::Call(function, inner) => Expr::Call(*function, Box::new(map(inner)?)),
            Expr::Binary(operator, left, right) => Expr::Binary(*operator, Box::new(map(left)?), Box::new(map(right)?)),
            Expr::Fold(fold, over, inner) => Expr::Fold(*fold, *over, Box::new(map(inner)?)),
            Expr::Slice(slice) => {
                let each = map(&slice.each)?;
                let range = (map(&slice.range.0)?, map(&slice.range.1)?);
                let reduction = match &slice.reduction {
                    SliceReduction::Count(wanted) => SliceReduction::Count(map(wanted)?),
                    fold @ SliceReduction::Fold(_) => fold.clone(),
                };
                Expr::Slice(Box::new(SliceFold { reduction, variable: slice.variable, range, each }))
            }
            Expr::Sequence(inner) => Expr::Sequence(Box::new(map(inner)?)),
        })
    }

    /// Calls `visit` with the expression and, as long as it returns true, with the parts inside, the outer ones first.
    pub fn visit_parts<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr) -> bool) {
        if visit(self) {
            self.children().for_each(|child| child.visit_parts(visit));
        }
    }

    /// Returns the first result in the expression. `decide` breaks with the result of a part, or with `None` if the
    /// part has none; otherwise the parts inside of it are searched.
    pub fn find_part<'e, T>(&'e self, decide: &mut dyn FnMut(&'e Expr) -> ControlFlow<Option<T>>) -> Option<T> {
        match decide(self) {
            ControlFlow::Break(result) => result,
            ControlFlow::Continue(()) => self.children().find_map(|child| child.find_part(decide)),
        }
    }

    /// Returns true if `decide` returns true for a part. Where it returns `None`, the parts inside decide.
    pub fn any_part(&self, decide: &dyn Fn(&Expr) -> Option<bool>) -> bool {
        decide(self).unwrap_or_else(|| self.children().any(|child| child.any_part(decide)))
    }

    /// Returns true if `decide` returns false for no part. Where it returns `None`, the parts inside decide.
    pub fn all_parts(&self, decide: &dyn Fn(&Expr) -> Option<bool>) -> bool {
        decide(self).unwrap_or_else(|| self.children().all(|child| child.all_parts(decide)))
    }

    /// Calls `visit` with each term of a sum, and true if it is subtracted. Returns `None` as soon as `visit` does.
    pub fn visit_terms(&self, visit: &mut dyn FnMut(&Expr, bool) -> Option<()>) -> Option<()> {
        self.visit_signed_terms(false, visit)
    }

    fn visit_signed_terms(&self, is_negative: bool, visit: &mut dyn FnMut(&Expr, bool) -> Option<()>) -> Option<()> {
        match self {
            Expr::Negate(inner) => inner.visit_signed_terms(!is_negative, visit),
            Expr::Binary(operator @ (ArithmeticOperator::Add | ArithmeticOperator::Subtract), left, right) => {
                left.visit_signed_terms(is_negative, visit)?;
                right.visit_signed_terms(is_negative != (*operator == ArithmeticOperator::Subtract), visit)
            }
            _ => visit(self, is_negative),
        }
    }

    /// Calls `visit` with each field in the expression.
    pub fn visit_fields(&self, visit: &mut dyn FnMut(FieldId)) {
        self.visit_parts(&mut |part| {
            if let Expr::Field(field) | Expr::Length(field) | Expr::Element(field, _) = part {
                visit(*field);
            }
            true
        });
    }

    /// Returns true if the field occurs in the expression.
    pub fn mentions_field(&self, field: FieldId) -> bool {
        self.any_part(&|part| match part {
            Expr::Field(own) | Expr::Length(own) | Expr::Element(own, _) if *own == field => Some(true),
            _ => None,
        })
    }

    /// Returns the number of the innermost quantifier variable in the expression, or `None` if it contains no
    /// variable. The variable of a slice is none of a quantifier.
    pub fn innermost_variable(&self) -> Option<usize> {
        let children = self.children().filter_map(Expr::innermost_variable);
        match self {
            Expr::Variable(variable) => Some(*variable),
            Expr::Slice(slice) => children.filter(|variable| *variable != slice.variable).max(),
            _ => children.max(),
        }
    }

    /// Returns true if the expression contains an indexed element or row.
    pub fn contains_element(&self) -> bool {
        self.any_part(&|part| matches!(part, Expr::Element(..)).then_some(true))
    }

    /// Returns true if the expression contains neither folds nor elements.
    pub fn is_plain(&self) -> bool {
        self.all_parts(&|part| match part {
            Expr::Element(..) | Expr::Fold(..) | Expr::Slice(_) | Expr::Sequence(_) | Expr::TextLiteral(_) => {
                Some(false)
            }
            _ => None,
        })
    }

    /// Returns true if the field, or an element of it, occurs within a fold: a bound on the fold is no bound on each
    /// value.
    pub fn folds_field(&self, field: FieldId) -> bool {
        self.any_part(&|part| match part {
            Expr::Element(..) | Expr::Fold(..) | Expr::Slice(_) | Expr::Sequence(_) => Some(part.mentions_field(field)),
            _ => None,
        })
    }

    /// Returns true if the expression contains a field shared by several alternatives.
    pub fn contains_alternatives(&self) -> bool {
        self.any_part(&|part| matches!(part, Expr::Binary(ArithmeticOperator::OrElse, ..)).then_some(true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{FoldKind, FoldRange};

    fn field(at: usize) -> Expr {
        Expr::Field(FieldId(at))
    }

    fn binary(operator: ArithmeticOperator, left: Expr, right: Expr) -> Expr {
        Expr::Binary(operator, Box::new(left), Box::new(right))
    }

    /// Returns `sum(x) - (-y[z] + 1)`.
    fn sample() -> Expr {
        let sum = Expr::Fold(FoldKind::Sum, FoldRange::Elements, Box::new(field(0)));
        let element = Expr::Negate(Box::new(Expr::Element(FieldId(1), vec![field(2)])));
        let right = binary(ArithmeticOperator::Add, element, Expr::Constant(1));
        binary(ArithmeticOperator::Subtract, sum, right)
    }

    #[test]
    fn parts_are_visited_in_the_order_of_the_text() {
        let mut fields = Vec::new();
        sample().visit_fields(&mut |field| fields.push(field.0));
        assert_eq!(fields, [0, 1, 2]);
        let expr = sample();
        let mut visited = 0;
        expr.visit_parts(&mut |part| {
            visited += 1;
            !matches!(part, Expr::Element(..) | Expr::Fold(..))
        });
        assert_eq!(visited, 6);
    }

    #[test]
    fn first_result_ends_a_search() {
        let expr = sample();
        let found = expr.find_part(&mut |part| match part {
            Expr::Fold(..) => ControlFlow::Break(None),
            Expr::Field(field) => ControlFlow::Break(Some(field.0)),
            _ => ControlFlow::Continue(()),
        });
        assert_eq!(found, Some(2));
        assert!(expr.contains_element() && !expr.is_plain() && !expr.contains_alternatives());
        assert!(expr.folds_field(FieldId(0)) && expr.folds_field(FieldId(2)) && !field(0).folds_field(FieldId(0)));
    }

    #[test]
    fn terms_of_a_sum_have_signs() {
        let mut signs = Vec::new();
        let all = sample().visit_terms(&mut |_, is_negative| {
            signs.push(is_negative);
            Some(())
        });
        assert_eq!((all, signs), (Some(()), vec![false, false, true]));
        assert_eq!(sample().visit_terms(&mut |_, _| None), None);
    }

    #[test]
    fn parts_of_an_expression_are_replaced() {
        let add_one = |part: &Expr| Some(binary(ArithmeticOperator::Add, part.clone(), Expr::Constant(1)));
        let expected = Expr::Negate(Box::new(binary(ArithmeticOperator::Add, field(0), Expr::Constant(1))));
        assert_eq!(Expr::Negate(Box::new(field(0))).map_children(add_one), Some(expected));
        assert_eq!(field(0).map_children(|_| None), Some(field(0)));
        assert_eq!(sample().map_children(|_| None), None);
    }
}
