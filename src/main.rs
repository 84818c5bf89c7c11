//! The `rebut` binary: a thin wrapper around [`rebut::cli::main`].

fn main() -> rebut::cli::ExitStatus {
    rebut::cli::main()
}
