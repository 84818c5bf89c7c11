//! `distinct(a)`: all tuples of numbers are distinct, over the elements of arrays or over the instances of a block.

use super::matches::collect_texts;
use super::{
    AggregateResult, BreachNames, BrokenConstraint, ColumnRule, ConstraintKind, DistinctTuple, ElementFreedom,
    KnownPrefix, holds_so_far, in_words, is_stable,
};
use crate::model::{
    ArithmeticOperator, BlockId, Comparison, ComparisonOperator, ConstraintRule, DeclaredRanges, DistinctConstraint,
    DistinctTextsConstraint, Expr, FieldDimension, FieldId, FoldRange, Format, MAX_NUMBER, evaluate_range,
};
use crate::value::{self, EvalError, Value, ValueScope, both_values, visit_occurrences};
use rebut_diagnostics::shorten_text;
use rebut_generators::all_differ;
use std::borrow::Cow;
use std::collections::HashSet;

impl ConstraintKind for DistinctConstraint {
    fn expressions(&self) -> Vec<&Expr> {
        self.parts.iter().collect()
    }

    fn range(&self) -> Option<FoldRange> {
        Some(self.over)
    }

    /// There are at most as many elements as there are different values.
    fn narrowing_comparison(&self, format: &Format) -> Option<Cow<'_, Comparison>> {
        distinct_count_bound(format, &self.parts, self.over).map(Cow::Owned)
    }

    fn check<'f>(&'f self, scope: &ValueScope<'_>) -> Result<BrokenConstraint<'f>, EvalError> {
        in_words(match self.over {
            FoldRange::Elements => find_repeated_element(&self.parts, scope),
            FoldRange::Instances(_) | FoldRange::Occurrences(_) => {
                find_repeated_instance(&self.parts, self.over, scope)
            }
        })
    }

    fn is_countable(&self) -> bool {
        !matches!(self.over, FoldRange::Occurrences(_))
    }

    fn is_decided_by_expressions(&self) -> bool {
        true
    }

    fn may_still_hold(&self, home: BlockId, prefix: &dyn KnownPrefix) -> bool {
        let Some(scope) = prefix.scope_of(home) else { return true };
        !is_stable(self.parts.iter(), scope.format, prefix) || holds_so_far(self, scope)
    }

    fn is_costly(&self) -> bool {
        true
    }

    fn distinct_tuple(&self, _: &Format, block: BlockId) -> Option<DistinctTuple<'_>> {
        let is_tuple = self.over == FoldRange::Instances(block);
        is_tuple.then_some(DistinctTuple { parts: &self.parts, text: None })
    }

    fn column_rule(&self, block: BlockId) -> Option<ColumnRule<'_>> {
        let to_field = |part: &Expr| if let Expr::Field(field) = part { Some(*field) } else { None };
        let fields: Option<Vec<FieldId>> = self.parts.iter().map(to_field).collect();
        match &fields.filter(|_| self.over == FoldRange::Instances(block))?[..] {
            [field] => Some(ColumnRule::Distinct(*field)),
            fields => Some(ColumnRule::DistinctLines(fields.to_vec())),
        }
    }

    fn element_freedom(&self, _: FieldId) -> ElementFreedom {
        match (self.over, &self.parts[..]) {
            (FoldRange::Elements, [Expr::Field(_)]) => ElementFreedom::Distinct,
            _ => ElementFreedom::Unknown,
        }
    }

    fn breach_name(&self, names: &BreachNames<'_>) -> String {
        let parts: Vec<String> = self.parts.iter().map(|part| names.expression_name(part, 0)).collect();
        format!("{}-not-distinct", parts.join("-and-"))
    }
}

impl ConstraintRule {
    /// Returns the field of elements that the rule requires to be distinct, if it is about those of one array.
    pub(crate) fn distinct_elements(&self) -> Option<FieldId> {
        match self {
            ConstraintRule::Distinct(DistinctConstraint { parts, over: FoldRange::Elements }) => match parts[..] {
                [Expr::Field(field)] => Some(field),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Returns the bound on the number of distinct elements: at most as many as there are different values.
fn distinct_count_bound(format: &Format, parts: &[Expr], over: FoldRange) -> Option<Comparison> {
    let stated = DeclaredRanges(format);
    let width = |e: &Expr| {
        let range = evaluate_range(e, &stated);
        range.hi.saturating_sub(range.lo).saturating_add(1).min(MAX_NUMBER)
    };
    let values = parts.iter().map(width).fold(1_i128, i128::saturating_mul);
    let count = match (over, parts) {
        (FoldRange::Instances(block), _) => format.block(block).count.times_expr()?.clone(),
        // No number gives their count.
        (FoldRange::Occurrences(_), _) => return None,
        (FoldRange::Elements, [Expr::Field(field)]) => {
            let mut sizes = format.field(*field).dimensions.iter();
            let first = match sizes.next()? {
                FieldDimension::Size(size) => size.clone(),
                FieldDimension::Free => return None,
            };
            sizes.try_fold(first, |product, dimension| match dimension {
                FieldDimension::Size(size) => {
                    Some(Expr::Binary(ArithmeticOperator::Multiply, Box::new(product), Box::new(size.clone())))
                }
                FieldDimension::Free => None,
            })?
        }
        _ => return None,
    };
    Some(Comparison::new(count, ComparisonOperator::LessEqual, Expr::Constant(values.min(MAX_NUMBER))))
}

/// Returns the first row of elements that equals an earlier one. A column of a single number is repeated in every row.
fn find_repeated_element(parts: &[Expr], scope: &ValueScope<'_>) -> AggregateResult {
    let mut columns: Vec<Cow<'_, [i128]>> = Vec::with_capacity(parts.len());
    let mut known = Ok(());
    for part in parts {
        known = both_values(known, evaluate_column(part, scope).map(|column| columns.push(column))).map(|_| ());
    }
    match known {
        Ok(()) => {}
        // An absent part is absent in every row.
        Err(EvalError::Absent(_) | EvalError::Empty) => return Ok(None),
        Err(unknown) => return Err(unknown),
    }
    let arrays = parts.iter().zip(&columns).filter(|(part, _)| value::is_array_expr(part, scope));
    let count = arrays.map(|(_, column)| column.len()).max().unwrap_or(1);
    for (part, column) in parts.iter().zip(&mut columns) {
        match column.first().copied() {
            Some(single) if !value::is_array_expr(part, scope) => column.to_mut().resize(count, single),
            _ if column.len() == count => {}
            _ => return Err(EvalError::Missing),
        }
    }
    Ok(first_repeated_row(&columns, count))
}

fn evaluate_column<'v>(part: &Expr, scope: &ValueScope<'v>) -> Result<Cow<'v, [i128]>, EvalError> {
    let known = if let Expr::Field(field) = part { scope.field_value(*field) } else { None };
    match known {
        Some(Value::Ints(numbers)) => Ok(Cow::Borrowed(numbers)),
        _ => value::evaluate_elements(part, scope).map(Cow::Owned),
    }
}

/// Returns the first instance, by its number among all existing ones, with a row that equals an earlier one. Instances with
/// an absent part are skipped.
fn find_repeated_instance(parts: &[Expr], over: FoldRange, scope: &ValueScope<'_>) -> AggregateResult {
    let mut columns = vec![Vec::new(); parts.len()];
    // The number of the instance that each row is of.
    let mut instances = Vec::new();
    let mut instance = 0;
    let known = visit_occurrences(scope, over, &mut |_, scope| {
        instance += 1;
        let mut row = Ok(());
        for (part, column) in parts.iter().zip(&mut columns) {
            row = both_values(row, value::evaluate_number(part, scope).map(|number| column.push(number))).map(|_| ());
        }
        match row {
            Ok(()) => instances.push(instance - 1),
            Err(unknown) => {
                columns.iter_mut().for_each(|column| column.truncate(instances.len()));
                if !matches!(unknown, EvalError::Absent(_) | EvalError::Empty) {
                    return Err(unknown);
                }
            }
        }
        Ok(())
    });
    let columns: Vec<Cow<'_, [i128]>> = columns.into_iter().map(Cow::Owned).collect();
    match first_repeated_row(&columns, instances.len()) {
        Some((row, words)) => Ok(Some((row.map(|row| instances[row]), words))),
        None => known.map(|()| None),
    }
}

fn first_repeated_row(columns: &[Cow<'_, [i128]>], count: usize) -> Option<(Option<usize>, String)> {
    let row = |i: usize| columns.iter().map(|column| column[i]).collect::<Vec<i128>>();
    if pack_rows(columns, count).is_some_and(|(keys, span)| all_differ(&keys, span)) {
        return None;
    }
    let mut seen = HashSet::with_capacity(count);
    let at = (0..count).find(|i| !seen.insert(row(*i)))?;
    let text = row(at).iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    Some((Some(at), format!("{text} occurs twice")))
}

/// Packs each row into one number, and returns them with the largest possible number; `None` if the rows are too large
/// for that.
fn pack_rows(columns: &[Cow<'_, [i128]>], count: usize) -> Option<(Vec<u64>, u64)> {
    let (mut keys, mut top) = (vec![0; count], 0_u64);
    for column in columns {
        let (least, most) = value::min_and_max(column)?;
        let width = u64::try_from(most.abs_diff(least)).ok()?.checked_add(1)?;
        top = top.checked_mul(width)?.checked_add(width - 1)?;
        for (key, number) in keys.iter_mut().zip(column.iter()) {
            *key = *key * width + number.abs_diff(least) as u64;
        }
    }
    Some((keys, top))
}

// `distinct(s)` of texts: the rows of a field, or the texts of all instances of a block.

impl ConstraintKind for DistinctTextsConstraint {
    fn named_field(&self) -> Option<FieldId> {
        Some(self.field)
    }

    fn range(&self) -> Option<FoldRange> {
        Some(self.over)
    }

    fn check<'f>(&'f self, scope: &ValueScope<'_>) -> Result<BrokenConstraint<'f>, EvalError> {
        in_words(find_repeated_text(self.field, self.over, scope))
    }

    fn counts_texts(&self) -> bool {
        true
    }

    fn is_costly(&self) -> bool {
        true
    }

    fn distinct_tuple(&self, _: &Format, block: BlockId) -> Option<DistinctTuple<'_>> {
        let is_tuple = self.over == FoldRange::Instances(block);
        is_tuple.then_some(DistinctTuple { parts: &[], text: Some(self.field) })
    }

    fn breach_name(&self, names: &BreachNames<'_>) -> String {
        format!("{}-not-distinct", names.field_name(self.field))
    }
}

impl Format {
    /// Returns true if the rows of a text must be distinct.
    pub(crate) fn requires_distinct_rows(&self, field: FieldId) -> bool {
        let wanted = ConstraintRule::from(DistinctTextsConstraint { field, over: FoldRange::Elements });
        self.constraints.iter().map(|constraint| &constraint.rule).any(|rule| {
            *rule == wanted || rule.formula().is_some_and(|formula| formula.strictly_ordered_texts(self) == Some(field))
        })
    }
}

fn find_repeated_text(field: FieldId, over: FoldRange, scope: &ValueScope<'_>) -> AggregateResult {
    let mut texts: Vec<Cow<'_, [u8]>> = Vec::new();
    let known = match over {
        FoldRange::Elements => {
            let value = scope.field_value(field).ok_or(EvalError::Missing)?;
            texts.extend(collect_texts(value).into_iter().map(Cow::Borrowed));
            Ok(())
        }
        FoldRange::Instances(_) | FoldRange::Occurrences(_) => visit_occurrences(scope, over, &mut |_, scope| {
            let value = scope.field_value(field).ok_or(EvalError::Missing)?;
            texts.extend(collect_texts(value).into_iter().map(|text| Cow::Owned(text.to_vec())));
            Ok(())
        }),
    };
    let mut seen: HashSet<&[u8]> = HashSet::with_capacity(texts.len());
    match texts.iter().position(|text| !seen.insert(text)) {
        Some(at) => Ok(Some((Some(at), format!("`{}` occurs twice", shorten_text(&texts[at], 20))))),
        None => known.map(|()| None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_generators::Choices;

    #[test]
    fn the_first_row_that_repeats_is_found() {
        for seed in 0..3000 {
            let mut c = Choices::from_seed(seed, 0);
            let top = c.draw_log_range(1, 1 << 100);
            let (width, count) = (c.draw_range(1, 3) as usize, c.draw_range(0, 40) as usize);
            let column = |c: &mut Choices| (0..count).map(|_| c.draw_range(-top, top)).collect::<Vec<i128>>();
            let columns: Vec<Cow<'_, [i128]>> = (0..width).map(|_| Cow::Owned(column(&mut c))).collect();
            let row = |i: usize| columns.iter().map(|column| column[i]).collect::<Vec<i128>>();
            let expected = (0..count).find(|i| (0..*i).any(|j| row(j) == row(*i)));
            let found = first_repeated_row(&columns, count).and_then(|(at, _)| at);
            assert_eq!(found, expected, "{columns:?}");
        }
    }
}
