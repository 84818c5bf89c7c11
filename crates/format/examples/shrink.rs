//! Shrinks an input on which a sorting network for five numbers is wrong:
//! `cargo run -p rebut-format --example shrink`.

#![allow(clippy::print_stdout, reason = "an example is a program of its own")]

use rebut_format::{Format, shrink_input};

/// Sorts by a single pass of swaps, which is not enough.
fn sort_badly(numbers: &mut [i64]) {
    for i in 1..numbers.len() {
        if numbers[i - 1] > numbers[i] {
            numbers.swap(i - 1, i);
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let format = Format::from_text("n; a[n] where 1 <= n <= 5; 0 <= a <= 100")?;
    let is_unsorted = |input: &[u8]| {
        let text = String::from_utf8_lossy(input);
        let mut numbers: Vec<i64> = text.split_whitespace().skip(1).filter_map(|word| word.parse().ok()).collect();
        sort_badly(&mut numbers);
        !numbers.is_sorted()
    };
    let smallest = shrink_input(&format, b"5\n71 30 55 18 2\n", is_unsorted).map_err(|problem| problem.message)?;
    print!("{}", String::from_utf8(smallest)?);
    Ok(())
}
