//! Answers the requests on the standard input, a line each. The library in a browser gives the same answers.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example reads and prints")]

use std::io::BufRead as _;

fn main() -> std::io::Result<()> {
    for request in std::io::stdin().lock().lines() {
        println!("{}", rebut_web::answer_request(&request?));
    }
    Ok(())
}
