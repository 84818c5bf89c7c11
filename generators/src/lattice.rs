//! Short vectors of integer lattices: the reduction of Lenstra, Lenstra and Lovász.
//!
//! Vectors are exact. Only the quotients by which one is subtracted from another are computed in floating point, and they are
//! computed again until nothing changes, so that an error makes the reduction longer, but never its result wrong. Only
//! additions, multiplications and divisions are used, which all platforms round in the same way.

/// The part of the length of a vector that the next one must have left, when it is seen along those before. With 1, the
/// reduction might not end.
const LOVASZ_FACTOR: f64 = 0.99;

/// Maximum number of passes that make one vector shorter: each pass removes some fifty bits.
const MAX_PASSES: usize = 12;

/// Maximum number of steps of a reduction for each pair of vectors: some times as many as usual.
const STEPS_PER_PAIR: usize = 64;

/// A lattice, by linearly independent vectors of integers.
#[derive(Debug, Clone)]
pub(crate) struct Lattice {
    vectors: Vec<Vec<i128>>,
}

impl Lattice {
    /// Returns the lattice of all vectors with so many integers.
    pub(crate) fn of_all_vectors(dimension: usize) -> Lattice {
        let unit = |at: usize| (0..dimension).map(|i| i128::from(i == at)).collect();
        Lattice { vectors: (0..dimension).map(unit).collect() }
    }

    pub(crate) fn vectors(&self) -> &[Vec<i128>] {
        &self.vectors
    }

    /// Keeps the vectors with a product with `weights` that is divisible by a modulus, and makes the basis short. Returns `None` if the
    /// modulus is not a prime below 2^62, or if numbers become too large.
    pub(crate) fn restrict_to_multiples(self, weights: &[u64], modulus: u64) -> Option<Lattice> {
        if modulus >= 1 << 62 {
            return None;
        }
        let modulus = i128::from(modulus);
        let product = |vector: &Vec<i128>| {
            let terms = vector
                .iter()
                .zip(weights)
                .map(|(number, weight)| number.rem_euclid(modulus) * (i128::from(*weight) % modulus) % modulus);
            terms.fold(0, |sum, term| (sum + term) % modulus)
        };
        let products: Vec<i128> = self.vectors.iter().map(product).collect();
        let Some(first) = products.iter().position(|product| *product != 0) else { return Some(self) };
        let inverse = invert_modulo(products[first], modulus)?;
        let pivot = &self.vectors[first];
        let mut restricted = Reduction::new();
        restricted.insert_vector(multiply(pivot, modulus)?)?;
        for (at, vector) in self.vectors.iter().enumerate().filter(|(at, _)| *at != first) {
            let factor = products[at] * inverse % modulus;
            // Of the two factors that fit, the one nearer to zero.
            let factor = if factor > modulus / 2 { factor - modulus } else { factor };
            restricted.insert_vector(subtract(vector, factor, pivot)?)?;
        }
        Some(Lattice { vectors: restricted.vectors })
    }
}

/// A basis that is reduced while vectors are added to it.
struct Reduction {
    vectors: Vec<Vec<i128>>,
    /// The part of each vector that is orthogonal to those before it.
    orthogonal: Vec<Vec<f64>>,
    /// The squares of the lengths of these.
    squares: Vec<f64>,
    /// For each vector, its part along each of those before it, in lengths of their orthogonal parts.
    parts: Vec<Vec<f64>>,
}

impl Reduction {
    fn new() -> Reduction {
        Reduction { vectors: Vec::new(), orthogonal: Vec::new(), squares: Vec::new(), parts: Vec::new() }
    }

    /// Adds a vector, and makes the basis short again. Returns `None` if numbers become too large, or if it takes too long.
    fn insert_vector(&mut self, vector: Vec<i128>) -> Option<()> {
        let (count, dimension) = (self.vectors.len(), vector.len());
        self.vectors.push(vector);
        self.orthogonal.push(vec![0.0; dimension]);
        self.squares.push(0.0);
        self.parts.push(vec![0.0; count]);
        let mut at = count;
        for _ in 0..STEPS_PER_PAIR * (count + 1) * (count + 1) {
            if at > count {
                return Some(());
            }
            self.shorten_vector(at)?;
            if at == 0 || self.is_in_order(at) {
                at += 1;
                continue;
            }
            self.vectors.swap(at - 1, at);
            at -= 1;
        }
        None
    }

    /// Subtracts earlier vectors from one until it is short along each of them.
    fn shorten_vector(&mut self, at: usize) -> Option<()> {
        for _ in 0..MAX_PASSES {
            self.project_vector(at);
            let mut parts = self.parts[at].clone();
            let mut is_short = true;
            for earlier in (0..at).rev() {
                let quotient = parts[earlier].round();
                if quotient == 0.0 {
                    continue;
                }
                is_short = false;
                self.vectors[at] = subtract(&self.vectors[at], quotient as i128, &self.vectors[earlier])?;
                parts[earlier] -= quotient;
                for (part, of_earlier) in parts.iter_mut().zip(&self.parts[earlier]) {
                    *part -= quotient * of_earlier;
                }
            }
            if is_short {
                return Some(());
            }
        }
        self.project_vector(at);
        Some(())
    }

    /// Computes the parts of a vector along those before it, and the rest.
    fn project_vector(&mut self, at: usize) {
        let mut rest: Vec<f64> = self.vectors[at].iter().map(|number| *number as f64).collect();
        let mut parts = Vec::with_capacity(at);
        for earlier in 0..at {
            let along = &self.orthogonal[earlier];
            let product: f64 = rest.iter().zip(along).map(|(a, b)| a * b).sum();
            let part = product / self.squares[earlier];
            rest.iter_mut().zip(along).for_each(|(number, other)| *number -= part * other);
            parts.push(part);
        }
        self.squares[at] = rest.iter().map(|number| number * number).sum();
        (self.orthogonal[at], self.parts[at]) = (rest, parts);
    }

    /// Returns true if a vector need not be exchanged with the one before it.
    fn is_in_order(&self, at: usize) -> bool {
        let part = self.parts[at][at - 1];
        self.squares[at] >= (LOVASZ_FACTOR - part * part) * self.squares[at - 1]
    }
}

fn multiply(vector: &[i128], factor: i128) -> Option<Vec<i128>> {
    vector.iter().map(|number| number.checked_mul(factor)).collect()
}

/// Returns `vector - factor * other`.
fn subtract(vector: &[i128], factor: i128, other: &[i128]) -> Option<Vec<i128>> {
    let pairs = vector.iter().zip(other);
    pairs.map(|(number, other)| number.checked_sub(factor.checked_mul(*other)?)).collect()
}

/// Returns the inverse of a number below a modulus, if they have no common factor.
fn invert_modulo(number: i128, modulus: i128) -> Option<i128> {
    let ((mut old, mut rest), (mut before, mut inverse)) = ((modulus, number), (0, 1));
    while rest != 0 {
        let quotient = old / rest;
        (old, rest) = (rest, old - quotient * rest);
        (before, inverse) = (inverse, before - quotient * inverse);
    }
    (old == 1).then(|| before.rem_euclid(modulus))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// Returns the first powers of a base modulo a number.
    fn powers(base: u64, modulus: u64, count: usize) -> Vec<u64> {
        let times = |power: &u64| Some((u128::from(*power) * u128::from(base) % u128::from(modulus)) as u64);
        std::iter::successors(Some(1), times).take(count).collect()
    }

    #[test]
    fn inverses_multiply_to_one() {
        for number in 1..1009 {
            assert_eq!(invert_modulo(number, 1009).unwrap() * number % 1009, 1);
        }
        assert_eq!(invert_modulo(6, 9), None);
    }

    #[test]
    fn restricted_lattices_are_divisible_and_short() {
        let conditions = [(131, (1 << 61) - 1), (13_331, 1_000_000_007), (31, 998_244_353)];
        for count in 1..=conditions.len() {
            let mut lattice = Lattice::of_all_vectors(30);
            for (base, modulus) in &conditions[..count] {
                lattice = lattice.restrict_to_multiples(&powers(*base, *modulus, 30), *modulus).unwrap();
            }
            assert_eq!(lattice.vectors().len(), 30);
            for vector in lattice.vectors() {
                for (base, modulus) in &conditions[..count] {
                    let weights = powers(*base, *modulus, 30);
                    let sum: i128 =
                        vector.iter().zip(weights).map(|(number, weight)| number * i128::from(weight)).sum();
                    assert_eq!(sum % i128::from(*modulus), 0);
                }
            }
            let largest = lattice.vectors()[0].iter().map(|number| number.abs()).max().unwrap();
            assert!((1..=25).contains(&largest), "{count}: {largest}");
        }
    }
}
