//! Prints five valid inputs of a format: `cargo run -p rebut-format --example generate`.

#![allow(clippy::print_stdout, reason = "an example is a program of its own")]

use rebut_format::{Format, generate_input};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let format = Format::from_text("n; a[n] where 1 <= n <= 8; -9 <= a <= 9; distinct(a)")?;
    for seed in 0..5 {
        println!("{}", String::from_utf8(generate_input(&format, seed)?)?);
    }
    Ok(())
}
