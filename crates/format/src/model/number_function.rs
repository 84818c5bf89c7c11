//! Functions of one number.

/// A function of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberFunction {
    /// 1 if the number is prime, otherwise 0.
    Prime,
}

impl NumberFunction {
    /// Returns the value for a number.
    pub fn apply_to(self, number: i128) -> i128 {
        match self {
            NumberFunction::Prime => i128::from(is_prime(number)),
        }
    }

    /// Returns the name in a format's text.
    pub const fn name(self) -> &'static str {
        match self {
            NumberFunction::Prime => "prime",
        }
    }
}

/// Bases that tell every composite number below 3.3 * 10^24 from the primes.
///
/// Source: J. Sorenson and J. Webster, "Strong pseudoprimes to twelve prime bases", 2015.
const BASES: [u128; 13] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41];

/// The Miller-Rabin test. Above 3.3 * 10^24 no number is known that it calls prime by mistake.
fn is_prime(number: i128) -> bool {
    let Ok(number) = u128::try_from(number) else { return false };
    if number < 2 {
        return false;
    }
    if let Some(factor) = BASES.iter().find(|base| number.is_multiple_of(**base)) {
        return number == *factor;
    }
    let twos = (number - 1).trailing_zeros();
    let odd = (number - 1) >> twos;
    BASES.iter().all(|base| passes_round(number, *base, odd, twos))
}

/// Returns true if a base does not prove that `number = odd * 2^twos + 1` is composite.
fn passes_round(number: u128, base: u128, odd: u128, twos: u32) -> bool {
    let mut power = power_modulo(base, odd, number);
    if power == 1 || power == number - 1 {
        return true;
    }
    for _ in 1..twos {
        power = multiply_modulo(power, power, number);
        if power == number - 1 {
            return true;
        }
    }
    false
}

fn power_modulo(mut base: u128, mut exponent: u128, modulus: u128) -> u128 {
    let mut power = 1;
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = multiply_modulo(power, base, modulus);
        }
        base = multiply_modulo(base, base, modulus);
        exponent /= 2;
    }
    power
}

/// Multiplies two numbers below a modulus that is below 2^127, bit by bit if their product does not fit.
fn multiply_modulo(a: u128, b: u128, modulus: u128) -> u128 {
    if let Some(product) = a.checked_mul(b) {
        return product % modulus;
    }
    let (mut sum, mut term, mut rest) = (0, a, b);
    while rest > 0 {
        if rest % 2 == 1 {
            sum = (sum + term) % modulus;
        }
        term = term * 2 % modulus;
        rest /= 2;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_are_those_that_no_smaller_number_divides() {
        for number in -3..2000 {
            let is_prime_by_division = number >= 2 && (2..number).all(|divisor| number % divisor != 0);
            assert_eq!(is_prime(number), is_prime_by_division, "{number}");
        }
    }

    #[test]
    fn large_numbers_are_told_apart() {
        // The largest prime below 2^64, a strong pseudoprime to the first nine bases, a square, and two Mersenne numbers.
        for (number, expected) in [
            (18_446_744_073_709_551_557, true),
            (3_825_123_056_546_413_051, false),
            (999_999_937 * 999_999_937, false),
            ((1 << 89) - 1, true),
            ((1 << 83) - 1, false),
            (999_999_999_999_999_989, true),
        ] {
            assert_eq!(is_prime(number), expected, "{number}");
        }
    }
}
