//! The examples of the libraries, which other programs can embed.

use crate::environment::{Folder, home, installed};
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Runs an example of a crate on an input, and returns its output.
fn run_example(package: &str, name: &str, argument: Option<&std::path::Path>, input: &[u8]) -> String {
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--offline", "--quiet", "--package", package, "--example", name, "--"]).args(argument);
    let piped = command.current_dir(home()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{package} {name}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn inputs_are_generated_in_five_lines() {
    let format = rebut_format::Format::from_text("n; a[n] where 1 <= n <= 8; -9 <= a <= 9; distinct(a)").unwrap();
    let printed = run_example("rebut-format", "generate", None, b"");
    let inputs: Vec<&str> = printed.trim_end().split("\n\n").map(|input| input.trim_end_matches('\n')).collect();
    assert_eq!(inputs.len(), 5);
    for input in inputs {
        rebut_format::read::read_input(&format, format!("{input}\n").as_bytes()).unwrap();
    }
}

#[test]
fn an_input_is_shrunk_in_ten_lines() {
    assert_eq!(run_example("rebut-format", "shrink", None, b""), "3\n1 1 0\n");
}

#[test]
fn a_program_is_run_within_limits_in_five_lines() {
    if !installed(&["g++"]) {
        return;
    }
    let source = "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }\n";
    let folder = Folder::new().file("sum.cpp", source);
    let printed = run_example("rebut-sandbox", "run", Some(&folder.path("sum.cpp")), b"1 2\n");
    assert!(printed.starts_with("Code(0)") && printed.ends_with("\n3\n"), "{printed}");
}
