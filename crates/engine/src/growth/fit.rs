//! Fits a law of growth to measured work.
//!
//! Counts are exact, so the law is recognized by its shape rather than by statistics: for each class `g` of growth, from
//! constant to exponential, the work is fitted by `a * g(n) + b * lower(n) + c` with coefficients that are not negative,
//! where `lower` is a term that such a program usually has as well. All sizes count alike: the squares of the relative
//! errors are minimized. Of the classes that fit about as well as the best one, the slowest growing wins.

use crate::tuning::{
    EQUAL_ERROR, EQUAL_ERROR_RATIO, MAX_BASE_OFFSET, MAX_DOUBLING_SIZE, MAX_SIZE_RATIO, MIN_FIT_POINTS,
    MIN_LEADING_SHARE,
};

/// The work at a size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GrowthPoint {
    pub(crate) size: f64,
    pub(crate) work: f64,
}

/// A class of growth: `n^power * log^logs n`, or `n^power * base^n`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum GrowthClass {
    /// A power of the size, times a power of its logarithm.
    Polynomial {
        /// Exponent of the size.
        power: f64,
        /// Exponent of its logarithm.
        logs: i32,
    },
    /// A power with the size as its exponent.
    Exponential {
        base: f64,
        /// Exponent of the size, as a factor: 0 or 1.
        power: i32,
    },
}

/// Work as a function of the size.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GrowthLaw {
    pub(crate) class: GrowthClass,
    /// Mean relative error of the fit, 0 to 1.
    pub(crate) error: f64,
    /// The exponent in doubling the size, `log2(work(2n) / work(n))`: the smallest and the largest in the upper half of
    /// the sizes.
    pub(crate) exponents: (f64, f64),
    coefficients: [f64; TERMS],
}

/// Number of terms of a fit.
const TERMS: usize = 3;

/// Polynomial classes, the slowest growing first.
const POLYNOMIALS: [(f64, i32); 12] = [
    (0.0, 0),
    (0.0, 1),
    (0.5, 0),
    (1.0, 0),
    (1.0, 1),
    (1.0, 2),
    (1.5, 0),
    (2.0, 0),
    (2.0, 1),
    (2.5, 0),
    (3.0, 0),
    (4.0, 0),
];

impl GrowthClass {
    fn leading_term(self, size: f64) -> f64 {
        match self {
            GrowthClass::Polynomial { power, logs } => libm::pow(size, power) * libm::pow(log2_of(size), logs.into()),
            GrowthClass::Exponential { base, power } => libm::pow(base, size) * libm::pow(size, power.into()),
        }
    }

    /// Returns a term of slower growth that programs of this class often have.
    fn lower_term(self, size: f64) -> f64 {
        match self {
            GrowthClass::Polynomial { power, logs } if logs > 0 && power > 0.0 => libm::pow(size, power),
            GrowthClass::Polynomial { power, .. } if power > 2.0 => size * size,
            GrowthClass::Polynomial { power, .. } if power > 1.0 => size,
            GrowthClass::Polynomial { .. } => 0.0,
            GrowthClass::Exponential { .. } => size,
        }
    }

    fn terms(self, size: f64) -> [f64; TERMS] {
        [self.leading_term(size), self.lower_term(size), 1.0]
    }
}

/// `n log n`, `n^1.5`, `2^n`.
impl std::fmt::Display for GrowthClass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (power, logs) = match *self {
            GrowthClass::Exponential { base, power } => {
                let factor = if power > 0 { "n " } else { "" };
                return write!(f, "{factor}{}^n", round_base(base));
            }
            GrowthClass::Polynomial { power, logs } => (power, logs),
        };
        let size = match power {
            0.0 => "",
            0.5 => "sqrt n",
            1.0 => "n",
            1.5 => "n sqrt n",
            2.0 => "n^2",
            2.5 => "n^2 sqrt n",
            3.0 => "n^3",
            _ => "n^4",
        };
        let log = match logs {
            0 => "",
            1 => "log n",
            _ => "log^2 n",
        };
        match (size, log) {
            ("", "") => f.write_str("constant"),
            (one, "") | ("", one) => f.write_str(one),
            (size, log) => write!(f, "{size} {log}"),
        }
    }
}

/// Rounds a base to one decimal, without a final zero.
fn round_base(base: f64) -> String {
    let text = format!("{base:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

impl GrowthLaw {
    /// Fits a law to measurements in the order of their sizes. Returns `None` if there are too few.
    pub(crate) fn fit_law(points: &[GrowthPoint]) -> Option<GrowthLaw> {
        let largest = points.last()?.size;
        let points: Vec<GrowthPoint> =
            points.iter().copied().filter(|p| p.size * MAX_SIZE_RATIO >= largest && p.work > 0.0).collect();
        if points.len() < MIN_FIT_POINTS {
            return None;
        }
        let exponents = doubling_exponents(&points);
        let classes = POLYNOMIALS.iter().map(|&(power, logs)| GrowthClass::Polynomial { power, logs });
        let fits: Vec<GrowthLaw> = classes
            .chain(exponential_classes(&points))
            .filter_map(|class| fit_class(class, &points, exponents))
            .collect();
        let best = fits.iter().map(|law| law.error).fold(f64::INFINITY, f64::min);
        let enough = (best * EQUAL_ERROR_RATIO).max(best + EQUAL_ERROR);
        fits.into_iter().find(|law| law.error <= enough)
    }

    pub(crate) fn work_at(&self, size: f64) -> f64 {
        self.class.terms(size).iter().zip(self.coefficients).map(|(term, coefficient)| term * coefficient).sum()
    }
}

fn log2_of(size: f64) -> f64 {
    libm::log2(size.max(1.0))
}

/// Returns the exponential classes near the last measurements, if the work grows so fast.
fn exponential_classes(points: &[GrowthPoint]) -> Vec<GrowthClass> {
    let (Some(middle), Some(last)) = (points.get(points.len() * 2 / 3), points.last()) else { return Vec::new() };
    let growth = log2_of(last.work / middle.work) / (last.size - middle.size).max(1.0);
    if growth * MAX_DOUBLING_SIZE < 1.0 {
        return Vec::new();
    }
    let base = libm::exp2(growth);
    let is_near_two = (base - 2.0).abs() <= MAX_BASE_OFFSET;
    let twos = [0, 1].map(|power| GrowthClass::Exponential { base: 2.0, power });
    let measured = GrowthClass::Exponential { base, power: 0 };
    twos.into_iter().filter(|_| is_near_two).chain([measured]).collect()
}

/// Fits the coefficients of a class. Returns `None` if its leading term does not lead.
fn fit_class(class: GrowthClass, points: &[GrowthPoint], exponents: (f64, f64)) -> Option<GrowthLaw> {
    let rows: Vec<[f64; TERMS]> =
        points.iter().map(|point| class.terms(point.size).map(|term| term / point.work)).collect();
    let is_constant = class == GrowthClass::Polynomial { power: 0.0, logs: 0 };
    let subsets: &[&[usize]] = if is_constant { &[&[0]] } else { &[&[0], &[0, 1], &[0, 2], &[0, 1, 2]] };
    let mut best: Option<([f64; TERMS], f64)> = None;
    for subset in subsets {
        let Some(coefficients) = solve_least_squares(&rows, subset) else { continue };
        if coefficients.iter().any(|coefficient| *coefficient < 0.0) {
            continue;
        }
        let error = relative_error(&rows, &coefficients);
        if best.is_none_or(|(_, known)| error < known) {
            best = Some((coefficients, error));
        }
    }
    let (coefficients, error) = best?;
    let law = GrowthLaw { class, error, exponents, coefficients };
    let last = points.last()?.size;
    let share = coefficients[0] * class.leading_term(last) / law.work_at(last);
    (share >= MIN_LEADING_SHARE).then_some(law)
}

/// Returns the root of the mean square of the relative errors.
fn relative_error(rows: &[[f64; TERMS]], coefficients: &[f64; TERMS]) -> f64 {
    let errors = rows.iter().map(|row| {
        let fitted: f64 = row.iter().zip(coefficients).map(|(term, coefficient)| term * coefficient).sum();
        (fitted - 1.0) * (fitted - 1.0)
    });
    libm::sqrt(errors.sum::<f64>() / rows.len() as f64)
}

/// Returns the coefficients of some terms with the least squares of `terms * coefficients - 1`; the others are 0. Returns
/// `None` if the terms depend on each other.
fn solve_least_squares(rows: &[[f64; TERMS]], terms: &[usize]) -> Option<[f64; TERMS]> {
    // Terms differ by many orders of magnitude, so each is scaled to 1.
    let mut scales = [0.0; TERMS];
    for &term in terms {
        scales[term] = libm::sqrt(rows.iter().map(|row| row[term] * row[term]).sum());
    }
    if terms.iter().any(|term| scales[*term] <= 0.0 || !scales[*term].is_finite()) {
        return None;
    }
    let product = |a: usize, b: usize| rows.iter().map(|row| row[a] * row[b]).sum::<f64>() / (scales[a] * scales[b]);
    let mut matrix: Vec<Vec<f64>> = terms
        .iter()
        .map(|&a| {
            let right = rows.iter().map(|row| row[a]).sum::<f64>() / scales[a];
            terms.iter().map(|&b| product(a, b)).chain([right]).collect()
        })
        .collect();
    let solution = eliminate(&mut matrix)?;
    let mut coefficients = [0.0; TERMS];
    terms.iter().zip(solution).for_each(|(&term, scaled)| coefficients[term] = scaled / scales[term]);
    Some(coefficients)
}

/// Solves a positive definite system of equations, given with its right side as the last column.
fn eliminate(matrix: &mut [Vec<f64>]) -> Option<Vec<f64>> {
    const MIN_PIVOT: f64 = 1e-12;
    let count = matrix.len();
    for pivot in 0..count {
        if matrix[pivot][pivot].abs() < MIN_PIVOT {
            return None;
        }
        let pivot_row = matrix[pivot].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(index, _)| *index != pivot) {
            let factor = row[pivot] / pivot_row[pivot];
            row.iter_mut().zip(&pivot_row).for_each(|(entry, above)| *entry -= factor * above);
        }
    }
    Some((0..count).map(|row| matrix[row][count] / matrix[row][row]).collect())
}

/// Returns the smallest and the largest `log2(work(2n) / work(n))` in the upper half of the sizes.
fn doubling_exponents(points: &[GrowthPoint]) -> (f64, f64) {
    let upper = &points[points.len() / 2..];
    let mut range = (f64::INFINITY, f64::NEG_INFINITY);
    for (index, from) in upper.iter().enumerate() {
        for to in &upper[index + 1..] {
            // Between sizes closer than this, a single step of the work matters.
            if to.size < from.size * 1.9 {
                continue;
            }
            let exponent = log2_of(to.work / from.work) / log2_of(to.size / from.size);
            range = (range.0.min(exponent), range.1.max(exponent));
        }
    }
    let whole = || {
        let (first, last) = (points.first(), points.last());
        first.zip(last).map_or(0.0, |(a, b)| log2_of(b.work / a.work) / log2_of(b.size / a.size).max(f64::MIN_POSITIVE))
    };
    if range.0 > range.1 { (whole(), whole()) } else { range }
}

#[cfg(test)]
#[allow(clippy::expect_used, clippy::type_complexity, reason = "a test may panic, and lists cases")]
mod tests {
    use super::*;

    /// Sizes from 16 on, each about 1.4 times the one before.
    fn geometric_sizes(most: f64) -> Vec<f64> {
        let all = (8..).map(|i| libm::round(libm::exp2(f64::from(i) / 2.0)));
        all.take_while(|size| *size <= most).collect()
    }

    fn class_of(sizes: &[f64], work: impl Fn(f64) -> f64) -> String {
        let points: Vec<GrowthPoint> = sizes.iter().map(|&size| GrowthPoint { size, work: work(size) }).collect();
        GrowthLaw::fit_law(&points).map_or_else(|| "none".to_owned(), |law| law.class.to_string())
    }

    #[test]
    fn classes_are_recognized_below_other_terms() {
        let log = libm::log2;
        let cases: [(&str, f64, fn(f64) -> f64); 10] = [
            ("constant", 1e5, |_| 500.0),
            ("log n", 1e5, |n| 40.0 + 7.0 * libm::log2(n)),
            ("sqrt n", 1e6, |n| 90.0 + 3.0 * libm::sqrt(n)),
            ("n", 1e5, |n| 300.0 + 5.0 * n),
            ("n log n", 1e5, |n| 200.0 + 9.0 * n + 1.3 * n * libm::log2(n)),
            ("n log^2 n", 1e5, |n| 200.0 + 5.0 * n + 0.5 * n * libm::log2(n) * libm::log2(n)),
            ("n sqrt n", 1e5, |n| 200.0 + 20.0 * n + n * libm::sqrt(n)),
            ("n^2", 1e4, |n| 1000.0 + 90.0 * n + 0.5 * n * (n - 1.0)),
            ("n^2 log n", 1e4, |n| 400.0 + 2.0 * n * n + 3.0 * n * n * libm::log2(n)),
            ("n^3", 500.0, |n| 100.0 + 10.0 * n * n + n * n * n / 6.0),
        ];
        for (expected, most, work) in cases {
            assert_eq!(class_of(&geometric_sizes(most), work), expected);
            // Work that varies by half a percent, as in random inputs.
            let noisy = |n: f64| work(n) * (1.0 + 0.005 * libm::sin(n * 12.9898 + log(n)));
            assert_eq!(class_of(&geometric_sizes(most), noisy), expected, "noisy");
        }
    }

    #[test]
    fn exponential_growth_is_recognized() {
        let sizes: Vec<f64> = (4..=22).map(f64::from).collect();
        assert_eq!(class_of(&sizes, |n| 200.0 + 3.0 * n + 5.0 * libm::exp2(n)), "2^n");
        assert_eq!(class_of(&sizes, |n| 200.0 + 9.0 * libm::pow(1.618, n)), "1.6^n");
        assert_eq!(class_of(&sizes, |n| 2000.0 + 5.0 * n * libm::exp2(n)), "n 2^n");
        assert_eq!(class_of(&sizes, |n| 200.0 + 9.0 * n * n), "n^2");
    }

    /// Counts of real programs, recorded by `rebut complexity`.
    const RECORDED: &str = include_str!("../../../../testdata/growth/recorded-counts.txt");

    #[test]
    fn laws_of_recorded_programs_are_found() {
        let mut wrong = Vec::new();
        let programs: Vec<&str> = RECORDED.lines().filter(|line| !line.starts_with('#')).collect();
        for program in &programs {
            let parts: Vec<&str> = program.split('|').map(str::trim).collect();
            let number = |text: &str| text.parse::<f64>().expect("a number");
            let samples = parts[2].split(' ').map(|sample| sample.split_once(':').expect("size:count"));
            let points: Vec<GrowthPoint> =
                samples.map(|(size, work)| GrowthPoint { size: number(size), work: number(work) }).collect();
            let law = GrowthLaw::fit_law(&points).expect("enough sizes");
            if law.class.to_string() != parts[1] {
                wrong.push(parts[0]);
            }
        }
        // The forty steps of a binary search are lost in what starting a program costs.
        assert_eq!((programs.len(), wrong), (31, vec!["log1"]));
    }

    #[test]
    fn law_predicts_larger_sizes() {
        let work = |n: f64| 1000.0 + 90.0 * n + 0.5 * n * n;
        let points: Vec<GrowthPoint> =
            geometric_sizes(3000.0).into_iter().map(|size| GrowthPoint { size, work: work(size) }).collect();
        let law = GrowthLaw::fit_law(&points).expect("enough sizes");
        assert!((law.work_at(200_000.0) / work(200_000.0) - 1.0).abs() < 1e-6);
        assert_eq!(law.class.to_string(), "n^2");
        assert!(law.exponents.0 > 1.6 && law.exponents.1 < 2.0, "{law:?}");
    }

    #[test]
    fn few_sizes_have_no_law() {
        assert_eq!(class_of(&[1.0, 2.0, 3.0, 4.0], |n| n), "none");
    }
}
