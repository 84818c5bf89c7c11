//! The `rebut` program; everything is in the library.

fn main() -> rebut::cli::Status {
    rebut::cli::main()
}
