//! The axes along which inputs of a format grow: its sizes, one at a time and all together, and its single numbers.

use crate::campaign::tuning::{BASE_SIZE, MAX_GROWTH_VARIABLES, MAX_STEPPED_SIZE, MIN_GROWTH_RANGE, MIN_GROWTH_SIZE};
use rebut_format::generate::GenerationPlan;
use rebut_format::language::{FieldId, Format, Interval};

/// A number of the format that grows.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SizeVariable {
    /// The name of a field, or `len(s)`.
    name: String,
    range: Interval,
    kind: VariableKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VariableKind {
    /// The number of test cases.
    Cases,
    /// The size of something in a case.
    Size,
    /// Any other single number.
    Number,
}

/// A direction in which inputs grow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SizeAxis {
    /// The names of the numbers that grow: `n`, or `n = m` for both together.
    pub(super) label: String,
    /// The sizes that the format allows.
    pub(super) range: Interval,
    variables: Vec<SizeVariable>,
    /// Indices of the variables that grow.
    growing: Vec<usize>,
}

impl SizeAxis {
    /// Returns the axes of a format: its sizes and single numbers one at a time, then all of them together.
    pub(super) fn for_format(format: &Format) -> Vec<SizeAxis> {
        let variables = find_variables(format);
        let single = (0..variables.len()).map(|index| vec![index]);
        let together: Vec<usize> =
            (0..variables.len()).filter(|index| variables[*index].kind != VariableKind::Cases).collect();
        let together = (together.len() > 1).then_some(together);
        single.chain(together).map(|growing| SizeAxis::new(&variables, growing)).collect()
    }

    fn new(variables: &[SizeVariable], growing: Vec<usize>) -> SizeAxis {
        let grown = || growing.iter().map(|index| &variables[*index]);
        let names: Vec<&str> = grown().map(|variable| variable.name.as_str()).collect();
        // Each stays at its own limit while others grow on.
        let range = grown().map(|variable| variable.range).reduce(|a, b| Interval::new(a.lo.max(b.lo), a.hi.max(b.hi)));
        SizeAxis {
            label: names.join(" = "),
            range: range.unwrap_or(Interval::new(0, 0)),
            variables: variables.to_vec(),
            growing,
        }
    }

    /// Returns the sizes to measure, ascending.
    pub(super) fn sizes(&self) -> Vec<i128> {
        let (least, most) = (self.range.lo.max(1), self.range.hi);
        if most <= MAX_STEPPED_SIZE {
            return (least..=most).collect();
        }
        let mut sizes = Vec::new();
        let mut size = MIN_GROWTH_SIZE.max(least);
        while size < most {
            sizes.push(size);
            // About the square root of two.
            size = (size * 17 / 12).max(size + 1);
        }
        sizes.push(most);
        debug_assert!(sizes.is_sorted_by(|one, next| one < next), "each size is larger than the one before");
        sizes
    }

    /// Returns the constraints that give inputs this size.
    pub(super) fn size_constraints(&self, size: i128) -> Vec<String> {
        let grows_cases = self.growing.iter().any(|index| self.variables[*index].kind == VariableKind::Cases);
        let value = |index: usize, variable: &SizeVariable| match variable.kind {
            _ if self.growing.contains(&index) => size,
            VariableKind::Cases => 1,
            // Many cases are tiny.
            _ if grows_cases => variable.range.lo,
            _ => BASE_SIZE,
        };
        let to_text = |(index, variable): (usize, &SizeVariable)| {
            format!("{} = {}", variable.name, variable.range.clamp_value(value(index, variable)))
        };
        self.variables.iter().enumerate().map(to_text).collect()
    }
}

/// Finds the sizes and single numbers in the input and in a case of it, sizes first.
fn find_variables(format: &Format) -> Vec<SizeVariable> {
    let plan = GenerationPlan::new(format);
    let fields = (0..format.fields.len()).map(FieldId);
    let mut found: Vec<SizeVariable> = fields.filter_map(|field| to_variable(format, &plan, field)).collect();
    found.sort_by_key(|variable| variable.kind == VariableKind::Number);
    found.truncate(MAX_GROWTH_VARIABLES);
    found
}

fn to_variable(format: &Format, plan: &GenerationPlan<'_>, id: FieldId) -> Option<SizeVariable> {
    let field = format.field(id);
    let is_single = format.block(field.block).parent.is_none() || format.cases_block() == Some(field.block);
    if !is_single {
        return None;
    }
    let has_free_length = field.has_free_length() && field.dimensions.len() == 1;
    let (name, range, kind) = if has_free_length {
        (format!("len({})", field.name), field.length, VariableKind::Size)
    } else if field.is_scalar() && field.word_choices().is_none() {
        let kind = match plan.is_size(id) {
            _ if format.case_count() == Some(id) => VariableKind::Cases,
            true => VariableKind::Size,
            false => VariableKind::Number,
        };
        (field.name.clone(), field.range, kind)
    } else {
        return None;
    };
    let grows = range.lo >= 0 && range.hi.saturating_sub(range.lo) >= MIN_GROWTH_RANGE;
    grows.then_some(SizeVariable { name, range, kind })
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use rebut_diagnostics::SourceText;

    fn axes(text: &str) -> Vec<SizeAxis> {
        let (format, _) = Format::parse(&SourceText::new("format", text)).expect("a valid format");
        SizeAxis::for_format(&format)
    }

    #[test]
    fn each_size_grows_alone_and_all_together() {
        let all = axes("n m k; a[n]; b[m] where 1 <= n, m <= 1000; 1 <= k <= 50; 0 <= a, b <= 9");
        let labels: Vec<&str> = all.iter().map(|axis| axis.label.as_str()).collect();
        assert_eq!(labels, ["n", "m", "k", "n = m = k"]);
        assert_eq!(all[0].size_constraints(500), ["n = 500", "m = 32", "k = 32"]);
        assert_eq!(all[3].size_constraints(500), ["n = 500", "m = 500", "k = 50"]);
        assert_eq!(all[0].range, Interval::new(1, 1000));
    }

    #[test]
    fn cases_are_one_or_many_and_tiny() {
        let all = axes("T; cases T: n; s where 1 <= T, n <= 1000; s over \"a-z\"; 1 <= len(s) <= 100");
        let labels: Vec<&str> = all.iter().map(|axis| axis.label.as_str()).collect();
        assert_eq!(labels, ["T", "len(s)", "n", "len(s) = n"]);
        assert_eq!(all[0].size_constraints(700), ["T = 700", "len(s) = 1", "n = 1"]);
        assert_eq!(all[2].size_constraints(700), ["T = 1", "len(s) = 32", "n = 700"]);
    }

    #[test]
    fn sizes_grow_by_factors_and_small_ones_by_steps() {
        let most = |n: i128| axes(&format!("n; a[n] where 1 <= n <= {n}; 0 <= a <= 9")).remove(0).sizes();
        assert_eq!(most(20), (1..=20).collect::<Vec<i128>>());
        let large = most(200_000);
        assert!(large[0] == 16 && large.last() == Some(&200_000) && large.len() < 32, "{large:?}");
        assert!(large.windows(2).all(|pair| pair[0] < pair[1] && pair[1] <= pair[0] * 3 / 2));
    }
}
