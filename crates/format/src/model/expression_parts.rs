//! The parts of an expression: one traversal for every question about what occurs in it.
//!
//! [`Expr::children`] is the only place that lists which expressions an expression is made of. [`Expr::visit_parts`],
//! [`Expr::find_part`], [`Expr::any_part`] and [`Expr::all_parts`] follow from it. What combines the results of the
//! parts, such as evaluation and printing, recurses by itself.

use super::MAX_NUMBER;
use super::expression::{ArithmeticOperator, Expr, FoldKind, FoldRange, OptionalBlocks, SliceFold, SliceReduction};
use super::format::{FieldDimension, Format, InstanceCount};
use super::ids::{BlockId, FieldId};
use super::interval::{Interval, combine_intervals, fold_interval, function_range};
use std::ops::{ControlFlow, Range};

impl Expr {
    /// Joins two expressions by an operator.
    pub fn from_operands(left: Expr, operator: ArithmeticOperator, right: Expr) -> Expr {
        Expr::Binary(operator, Box::new(left), Box::new(right))
    }

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

// The range of an expression, computed from the ranges of its fields.
//
// It contains every value that the expression can take. This serves three purposes: to find the bounds of each field
// before anything runs, to find contradictions, and to find the values that remain possible for a number during
// generation once its neighbours are chosen: [`narrow_range`](super::narrow_range).

/// The knowledge about fields from which the range of an expression is computed.
pub trait RangeSource {
    /// Returns the format of the fields.
    fn format(&self) -> &Format;
    /// Returns the range of a number, or of every element of an array or text.
    fn value_range(&self, field: FieldId) -> Interval;
    /// Returns the range of a length that only the input determines.
    fn free_length_range(&self, field: FieldId) -> Interval;
    /// Returns the exact value of a fold or element if all of its operands are known.
    fn exact_value(&self, _expr: &Expr) -> Option<i128> {
        None
    }
    /// Returns the range of a fold if part of the folded data is known.
    fn fold_range(&self, fold: &Expr) -> Option<Interval> {
        self.exact_value(fold).map(Interval::from_value)
    }
}

/// The ranges that a format declares, independent of any input.
#[derive(Clone, Copy, Debug)]
pub struct DeclaredRanges<'a>(pub &'a Format);

impl RangeSource for DeclaredRanges<'_> {
    fn format(&self) -> &Format {
        self.0
    }

    fn value_range(&self, field: FieldId) -> Interval {
        self.0.field(field).range
    }

    fn free_length_range(&self, field: FieldId) -> Interval {
        self.0.field(field).length
    }
}

/// Returns the range of an expression.
pub fn evaluate_range(expr: &Expr, ranges: &impl RangeSource) -> Interval {
    match expr {
        Expr::Constant(value) => Interval::from_value(*value),
        Expr::Variable(_) | Expr::Sequence(_) | Expr::TextLiteral(_) => Interval::ALL,
        Expr::Field(field) => ranges.value_range(*field),
        Expr::Element(field, _) => {
            ranges.exact_value(expr).map_or_else(|| ranges.value_range(*field), Interval::from_value)
        }
        Expr::Length(field) => match ranges.format().field(*field).dimensions.last() {
            Some(FieldDimension::Size(size)) => evaluate_range(size, ranges),
            _ => ranges.free_length_range(*field),
        },
        Expr::Negate(inner) => evaluate_range(inner, ranges).negate_interval(),
        Expr::Call(function, inner) => function_range(*function, evaluate_range(inner, ranges)),
        Expr::Slice(slice) => {
            let counted = || slice_range(slice, ranges);
            ranges.exact_value(expr).map_or_else(counted, Interval::from_value)
        }
        Expr::Binary(operator, left, right) => {
            combine_intervals(*operator, evaluate_range(left, ranges), evaluate_range(right, ranges))
        }
        Expr::Fold(fold, over, inner) => match ranges.fold_range(expr) {
            Some(range) => range,
            None => {
                // Knowledge about a field of the current instance does not extend to its other occurrences.
                let each = match over {
                    FoldRange::Elements | FoldRange::Instances(_) => evaluate_range(inner, ranges),
                    FoldRange::Occurrences(_) => evaluate_range(inner, &DeclaredRanges(ranges.format())),
                };
                // The maximum of an empty array adds nothing to a sum.
                let instances = matches!(over, FoldRange::Instances(_) | FoldRange::Occurrences(_));
                let absent = instances && *fold == FoldKind::Sum && !is_never_empty(inner, ranges);
                let each = if absent { each.hull_with(Interval::from_value(0)) } else { each };
                fold_interval(*fold, folded_element_count(*over, inner, ranges), each)
            }
        },
    }
}

/// Returns the range of the fold of a slice, of which only the maximum length is known.
fn slice_range(slice: &SliceFold, ranges: &impl RangeSource) -> Interval {
    let (first, last) = (evaluate_range(&slice.range.0, ranges), evaluate_range(&slice.range.1, ranges));
    let longest = last.hi.saturating_sub(first.lo).saturating_add(1).clamp(0, MAX_NUMBER);
    let count = Interval::new(0, longest.min(slice_element_limit(&slice.each, ranges)));
    let each = evaluate_range(&slice.each, ranges);
    match slice.reduction {
        SliceReduction::Fold(fold) => fold_interval(fold, count, each),
        SliceReduction::Count(_) => count,
    }
}

/// Returns the maximum number of values of the element of a slice.
fn slice_element_limit(each: &Expr, ranges: &impl RangeSource) -> i128 {
    let Expr::Element(field, indices) = each else { return MAX_NUMBER };
    let format = ranges.format();
    let sliced = format.indexed_dimensions(*field, indices);
    let repetition = format.repetition_of(format.field(*field).block);
    let count = match (sliced, repetition) {
        (0, Some(block)) => instance_count_range(block, ranges),
        (0, None) => Interval::NATURAL,
        _ => element_count_of_dimensions(*field, sliced - 1..sliced, ranges),
    };
    count.hi.max(0)
}

/// Returns the range of the number of folded values.
fn folded_element_count(over: FoldRange, inner: &Expr, ranges: &impl RangeSource) -> Interval {
    match over {
        FoldRange::Instances(block) => instance_count_range(block, ranges),
        // Any repetition may lack it.
        FoldRange::Occurrences(OptionalBlocks { outermost, .. }) => {
            Interval::new(0, instance_count_range(outermost, ranges).hi)
        }
        FoldRange::Elements => {
            let count = |(field, dimensions)| element_count_of_dimensions(field, dimensions, ranges);
            first_array_dimensions(inner, ranges.format()).map_or(Interval::NATURAL, count)
        }
    }
}

/// Returns the range of the number of instances of a block per instance of its parent.
pub fn instance_count_range(block: BlockId, ranges: &impl RangeSource) -> Interval {
    match &ranges.format().block(block).count {
        InstanceCount::Times(count) => evaluate_range(count, ranges),
        InstanceCount::Conditional(_) | InstanceCount::Alternative => Interval::new(0, 1),
        InstanceCount::Until { range, .. } => *range,
    }
}

/// Returns the first array in an expression and the dimensions that the expression runs over.
fn first_array_dimensions(expr: &Expr, format: &Format) -> Option<(FieldId, Range<usize>)> {
    let rank = |field: &FieldId| format.field(*field).dimensions.len();
    expr.find_part(&mut |part| {
        let (field, dimensions) = match part {
            Expr::Field(field) => (*field, 0..rank(field)),
            Expr::Length(field) => (*field, 0..rank(field).saturating_sub(1)),
            Expr::Element(field, indices) => (*field, format.indexed_dimensions(*field, indices)..rank(field)),
            Expr::Negate(_) | Expr::Call(..) | Expr::Binary(..) => return ControlFlow::Continue(()),
            _ => return ControlFlow::Break(None),
        };
        ControlFlow::Break((!dimensions.is_empty()).then_some((field, dimensions)))
    })
}

/// Returns the range of the number of elements in the outer `rank` dimensions of a field.
pub fn element_count_range(field: FieldId, rank: usize, ranges: &impl RangeSource) -> Interval {
    element_count_of_dimensions(field, 0..rank, ranges)
}

fn element_count_of_dimensions(field: FieldId, which: Range<usize>, ranges: &impl RangeSource) -> Interval {
    let dimensions = &ranges.format().field(field).dimensions;
    let which = dimensions.iter().take(which.end).skip(which.start);
    which.fold(Interval::from_value(1), |product, dimension| {
        let size = match dimension {
            FieldDimension::Size(size) => evaluate_range(size, ranges),
            FieldDimension::Free => ranges.free_length_range(field),
        };
        combine_intervals(ArithmeticOperator::Multiply, product, size.intersect(Interval::NATURAL))
    })
}

/// Returns true if an expression is guaranteed to have a value: no array in it can be empty, and every minimum or
/// maximum has an operand.
pub(crate) fn is_never_empty(expr: &Expr, ranges: &impl RangeSource) -> bool {
    let format = ranges.format();
    let rank = |field: FieldId| format.field(field).dimensions.len();
    expr.all_parts(&|part| match part {
        Expr::Field(field) => Some(element_count_range(*field, rank(*field), ranges).lo >= 1),
        // The lengths of the rows, of which there may be none.
        Expr::Length(field) => Some(element_count_range(*field, rank(*field).saturating_sub(1), ranges).lo >= 1),
        // An empty text can be compared like any other.
        Expr::Sequence(_) => Some(true),
        Expr::Element(field, indices) => {
            let is_absent = format.indexes_repetitions(*field, indices) && format.may_be_absent(*field);
            let picked = format.indexed_dimensions(*field, indices);
            let is_empty = || {
                format.picks_row(*field, indices)
                    && element_count_of_dimensions(*field, picked..usize::MAX, ranges).lo < 1
            };
            (is_absent || is_empty()).then_some(false)
        }
        Expr::Fold(FoldKind::Sum | FoldKind::Count(_) | FoldKind::Size, ..) => Some(true),
        Expr::Fold(fold, ..) if fold.is_relational() => Some(true),
        Expr::Slice(slice) => Some(!matches!(slice.reduction, SliceReduction::Fold(FoldKind::Min | FoldKind::Max))),
        Expr::Fold(_, FoldRange::Instances(block), _) => Some(instance_count_range(*block, ranges).lo >= 1),
        Expr::Fold(_, FoldRange::Occurrences(_), _) => Some(false),
        _ => None,
    })
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
