//! The examples of the libraries, which other programs can embed.

use crate::environment::{Folder, home, installed};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// The folder of the compiled examples. `cargo test --workspace` has compiled them already, and then they are only
/// looked at: selecting a single package would select other features, and compile its dependencies again.
static EXAMPLES: LazyLock<PathBuf> = LazyLock::new(|| {
    let arguments = ["build", "--offline", "--quiet", "--workspace", "--examples"];
    let status = Command::new(env!("CARGO")).args(arguments).current_dir(home()).status().unwrap();
    assert!(status.success(), "the examples do not compile");
    Path::new(env!("CARGO_BIN_EXE_rebut")).with_file_name("examples")
});

/// Runs an example on an input, and returns its output.
fn run_example(name: &str, argument: Option<&Path>, input: &[u8]) -> String {
    let mut command = Command::new(EXAMPLES.join(name));
    let mut child = command.args(argument).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{name}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn inputs_are_generated_in_five_lines() {
    let format = rebut_format::Format::from_text("n; a[n] where 1 <= n <= 8; -9 <= a <= 9; distinct(a)").unwrap();
    let printed = run_example("generate", None, b"");
    let inputs: Vec<&str> = printed.trim_end().split("\n\n").map(|input| input.trim_end_matches('\n')).collect();
    assert_eq!(inputs.len(), 5);
    for input in inputs {
        rebut_format::read::read_input(&format, format!("{input}\n").as_bytes()).unwrap();
    }
}

#[test]
fn an_input_is_shrunk_in_ten_lines() {
    assert_eq!(run_example("shrink", None, b""), "3\n1 1 0\n");
}

#[test]
fn a_program_is_run_within_limits_in_five_lines() {
    if !installed(&["g++"]) {
        return;
    }
    let source = "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }\n";
    let folder = Folder::new().file("sum.cpp", source);
    let printed = run_example("run", Some(&folder.path("sum.cpp")), b"1 2\n");
    assert!(printed.starts_with("Code(0)") && printed.ends_with("\n3\n"), "{printed}");
}
