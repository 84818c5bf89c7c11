//! The axes along which inputs of a format grow: its sizes, one at a time and all together, and its single numbers.

use crate::tuning::{
    BASE_SIZE, MAX_GROWTH_STEPS, MAX_GROWTH_VARIABLES, MAX_STEPPED_SIZE, MIN_GROWTH_RANGE, MIN_GROWTH_SIZE,
};
use rebut_format::generate::GenerationPlan;
use rebut_format::language::{Class, ComparisonOperator, Expr, FieldId, Format, Interval};
use rebut_generators::{largest_fibonacci_pair, largest_primes};

/// Sizes that grow together keep the ratio of their limits, if one limit is at most this many times the other.
const MAX_LIMIT_RATIO: i128 = 16;

/// Approximate maximum number of elements where cases of the largest size are repeated.
const MAX_REPEATED_ELEMENTS: i128 = 400_000;

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

/// How single numbers of an input that are no sizes are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NumberChoice {
    /// Those that do not grow are small.
    #[default]
    Small,
    /// Those that do not grow are as small as possible.
    Least,
    /// Those that do not grow are as large as possible.
    Large,
    /// Those that do not grow are half as large.
    Half,
    /// The largest prime up to there.
    Prime,
    /// The largest Fibonacci number up to there; of two numbers, the other one is the Fibonacci number before.
    Fibonacci,
}

impl NumberChoice {
    pub(crate) const ALL: [NumberChoice; 6] = [
        NumberChoice::Small,
        NumberChoice::Least,
        NumberChoice::Large,
        NumberChoice::Half,
        NumberChoice::Prime,
        NumberChoice::Fibonacci,
    ];

    /// Returns the number for a variable: `most` or one near it.
    fn number_up_to(self, most: i128, index: usize) -> i128 {
        match self {
            NumberChoice::Small | NumberChoice::Least | NumberChoice::Large => most,
            NumberChoice::Half => most / 2,
            NumberChoice::Prime => largest_primes(2, most, 1).first().copied().unwrap_or(most),
            NumberChoice::Fibonacci => {
                let (smaller, larger) = largest_fibonacci_pair(most);
                if index.is_multiple_of(2) { larger } else { smaller }
            }
        }
    }
}

/// A direction in which inputs grow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SizeAxis {
    /// The names of the numbers that grow: `n`, or `n = m` for both together.
    pub(crate) label: String,
    /// The sizes that the format allows.
    pub(crate) range: Interval,
    variables: Vec<SizeVariable>,
    /// Indices of the variables that grow.
    growing: Vec<usize>,
    /// Index of a variable that grows half as fast as the others.
    halved: Option<usize>,
    /// If set, the sum of this variable over all cases grows, and the number of cases with it.
    summed: Option<usize>,
    /// Number of cases with which inputs of the largest size are repeated.
    pub(crate) repetitions: i128,
}

impl SizeAxis {
    /// Returns the axes of a format: its sizes and single numbers one at a time, then all of them together.
    pub(crate) fn for_format(format: &Format) -> Vec<SizeAxis> {
        let variables = find_variables(format);
        let single = (0..variables.len()).map(|index| vec![index]);
        let together: Vec<usize> =
            (0..variables.len()).filter(|index| variables[*index].kind != VariableKind::Cases).collect();
        let together = (together.len() > 1).then_some(together);
        single.chain(together).map(|growing| SizeAxis::new(&variables, growing)).collect()
    }

    /// Returns the axes for the search for slow inputs: the same, the largest inputs with as many cases as are allowed, and
    /// sums over cases that grow, so that one case can be large and many are tiny.
    pub(crate) fn for_worst_cases(format: &Format) -> Vec<SizeAxis> {
        let mut axes = SizeAxis::for_format(format);
        let variables = find_variables(format);
        axes.extend(halved_axes(&variables));
        let Some(cases) = variables.iter().position(|variable| variable.kind == VariableKind::Cases) else {
            return axes;
        };
        let sums: Vec<(usize, i128)> =
            (0..variables.len()).filter_map(|index| Some((index, sum_limit(format, &variables[index])?))).collect();
        if sums.is_empty() {
            let most_cases = variables[cases].range.hi;
            for axis in axes.iter_mut().filter(|axis| !axis.growing.contains(&cases)) {
                let grows_size = axis.growing.iter().any(|index| variables[*index].kind == VariableKind::Size);
                let elements = if grows_size { axis.range.hi } else { 1 };
                axis.repetitions = most_cases.min(MAX_REPEATED_ELEMENTS / elements.max(1)).max(1);
            }
        }
        axes.extend(sums.into_iter().map(|(index, total)| {
            let axis = SizeAxis::new(&variables, vec![cases]);
            let label = format!("sum({})", variables[index].name);
            SizeAxis { label, range: Interval::new(2, total), summed: Some(index), ..axis }
        }));
        axes
    }

    fn new(variables: &[SizeVariable], growing: Vec<usize>) -> SizeAxis {
        let grown = || growing.iter().map(|index| &variables[*index]);
        let names: Vec<&str> = grown().map(|variable| variable.name.as_str()).collect();
        // Each stays at its own limit while others grow on.
        let range = grown().map(|variable| variable.range).reduce(|a, b| Interval::new(a.lo.max(b.lo), a.hi.max(b.hi)));
        let has_one_limit = grown().all(|variable| Some(variable.range.hi) == range.map(|range| range.hi));
        SizeAxis {
            label: names.join(if has_one_limit { " = " } else { ", " }),
            range: range.unwrap_or(Interval::new(0, 0)),
            variables: variables.to_vec(),
            growing,
            halved: None,
            summed: None,
            repetitions: 1,
        }
    }

    /// Returns true if the length of an input grows along this axis, and not only a number in it.
    pub(crate) fn grows_length(&self) -> bool {
        self.growing.iter().any(|index| self.variables[*index].kind != VariableKind::Number)
    }

    /// Returns the sizes to measure, ascending.
    pub(crate) fn sizes(&self) -> Vec<i128> {
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
    pub(crate) fn size_constraints(&self, size: i128, numbers: NumberChoice) -> Vec<String> {
        if let Some(summed) = self.summed {
            let (cases, bounded) = (&self.variables[self.growing[0]], &self.variables[summed]);
            let count = cases.range.clamp_value((size / 2).min(size / bounded.range.lo.max(1)));
            return vec![format!("{} = {count}", cases.name), format!("sum({}) <= {size}", bounded.name)];
        }
        let to_text = |(index, variable): (usize, &SizeVariable)| {
            format!("{} = {}", variable.name, variable.range.clamp_value(self.value_of(index, size, numbers)))
        };
        self.variables.iter().enumerate().map(to_text).collect()
    }

    /// Returns the value of a variable at a size, which can be out of its range.
    fn value_of(&self, index: usize, size: i128, numbers: NumberChoice) -> i128 {
        let variable = &self.variables[index];
        let grows_cases = self.growing.iter().any(|index| self.variables[*index].kind == VariableKind::Cases);
        match variable.kind {
            VariableKind::Number if self.growing.contains(&index) => {
                numbers.number_up_to(size.min(variable.range.hi), index)
            }
            VariableKind::Number if numbers == NumberChoice::Least => variable.range.lo,
            VariableKind::Number if numbers != NumberChoice::Small => numbers.number_up_to(variable.range.hi, index),
            _ if self.halved == Some(index) => self.proportional_size(variable, size) / 2,
            _ if self.growing.contains(&index) => self.proportional_size(variable, size),
            VariableKind::Cases if size >= self.range.hi => self.repetitions,
            VariableKind::Cases => 1,
            // Many cases are tiny.
            _ if grows_cases => variable.range.lo,
            _ => BASE_SIZE,
        }
    }

    /// Returns the size of a variable where the largest one has this size.
    fn proportional_size(&self, variable: &SizeVariable, size: i128) -> i128 {
        let (own, most) = (variable.range.hi, self.range.hi);
        let is_comparable = own > 0 && most / own <= MAX_LIMIT_RATIO;
        if is_comparable { size.saturating_mul(own) / most } else { size }
    }
}

/// Returns axes along which two sizes grow together, one of them half as fast: a pattern that is as long as the text is
/// compared at one place only.
fn halved_axes(variables: &[SizeVariable]) -> Vec<SizeAxis> {
    let is_size = |index: &usize| variables[*index].kind == VariableKind::Size;
    let sizes: Vec<usize> = (0..variables.len()).filter(is_size).collect();
    if sizes.len() != 2 {
        return Vec::new();
    }
    let to_axis = |index: &usize| {
        let axis = SizeAxis::new(variables, sizes.clone());
        let label = format!("{}, {} halved", axis.label, variables[*index].name);
        SizeAxis { label, halved: Some(*index), ..axis }
    };
    sizes.iter().map(to_axis).collect()
}

/// Returns the format with more constraints, if they are constraints of it.
pub(crate) fn narrow_format(format: &Format, constraints: &[String]) -> Option<Format> {
    let mut source = format.source.clone();
    for constraint in constraints {
        source.append_text("\nwhere:\n    ", "size", constraint);
    }
    let (mut narrowed, _) = Format::parse(&source).ok()?;
    narrowed.stop_token = format.stop_token.with_steps(MAX_GROWTH_STEPS);
    Some(narrowed)
}

/// Returns the limit of the format on the sum of a size over all cases, if it has one.
fn sum_limit(format: &Format, variable: &SizeVariable) -> Option<i128> {
    let name = variable.name.strip_prefix("len(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(&variable.name);
    let field = format.field_named(name)?;
    let budgets = format.constraints.iter().filter(|constraint| constraint.class == Class::Budget);
    let limits = budgets.filter_map(|constraint| {
        let comparison = constraint.rule.comparison()?;
        let ([left], [Expr::Constant(total)]) = (&comparison.left[..], &comparison.right[..]) else { return None };
        let is_limit = comparison.sign == ComparisonOperator::LessEqual && format.folds_field(left, field);
        is_limit.then_some(*total)
    });
    limits.min()
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
        assert_eq!(labels, ["n", "m", "k", "n, m, k"]);
        assert_eq!(all[0].size_constraints(500, NumberChoice::Small), ["n = 500", "m = 32", "k = 32"]);
        assert_eq!(all[3].size_constraints(500, NumberChoice::Small), ["n = 500", "m = 500", "k = 50"]);
        assert_eq!(all[0].range, Interval::new(1, 1000));
    }

    #[test]
    fn cases_are_one_or_many_and_tiny() {
        let all = axes("T; cases T: n; s where 1 <= T, n <= 1000; s over \"a-z\"; 1 <= len(s) <= 100");
        let labels: Vec<&str> = all.iter().map(|axis| axis.label.as_str()).collect();
        assert_eq!(labels, ["T", "len(s)", "n", "len(s), n"]);
        assert_eq!(all[0].size_constraints(700, NumberChoice::Small), ["T = 700", "len(s) = 1", "n = 1"]);
        assert_eq!(all[2].size_constraints(700, NumberChoice::Small), ["T = 1", "len(s) = 32", "n = 700"]);
    }

    #[test]
    fn worst_cases_have_large_numbers_many_cases_and_one_giant_case() {
        let format = |text: &str| Format::parse(&SourceText::new("format", text)).expect("a valid format").0;
        let repeated = SizeAxis::for_worst_cases(&format("T; cases T: x y where 1 <= T <= 100; 1 <= x, y <= 1000"));
        assert_eq!(repeated[1].size_constraints(1000, NumberChoice::Fibonacci), ["T = 100", "x = 610", "y = 987"]);
        assert_eq!(repeated[1].size_constraints(500, NumberChoice::Prime), ["T = 1", "x = 499", "y = 997"]);
        let text = "T; cases T: n; a[n] where 1 <= T <= 300; 1 <= n <= 1000; sum(n) <= 1000; 0 <= a <= 9";
        let summed = SizeAxis::for_worst_cases(&format(text)).pop().expect("an axis");
        assert_eq!(summed.label, "sum(n)");
        assert_eq!(summed.size_constraints(400, NumberChoice::Small), ["T = 200", "sum(n) <= 400"]);
        assert_eq!(summed.size_constraints(1000, NumberChoice::Small), ["T = 300", "sum(n) <= 1000"]);
    }

    #[test]
    fn one_of_two_sizes_is_halved_for_worst_cases_only() {
        let text = "s; t; k where s, t over \"a-z\"; 1 <= len(s), len(t) <= 1000; 1 <= k <= 99";
        let format = Format::parse(&SourceText::new("format", text)).expect("a valid format").0;
        let constraints_of = |axes: &[SizeAxis]| {
            axes.iter().map(|axis| axis.size_constraints(600, NumberChoice::Least)).collect::<Vec<_>>()
        };
        let halved = ["len(s) = 600", "len(t) = 300", "k = 1"].map(str::to_owned).to_vec();
        assert!(constraints_of(&SizeAxis::for_worst_cases(&format)).contains(&halved));
        assert!(!constraints_of(&SizeAxis::for_format(&format)).contains(&halved));
    }

    #[test]
    fn sizes_that_grow_together_keep_the_ratio_of_their_limits() {
        let all = axes("n m; a[n]; b[m] where 1 <= n <= 1000; 1 <= m <= 2000; 0 <= a, b <= 9");
        assert_eq!(all[2].label, "n, m");
        assert_eq!(all[2].size_constraints(500, NumberChoice::Small), ["n = 250", "m = 500"]);
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
