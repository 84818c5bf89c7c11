//! The problems in `examples/`, with which `rebut new --kind` begins a package.

use rebut_packages::interop::StarterExample;

macro_rules! file {
    ($kind:literal, $name:literal) => {
        include_str!(concat!("../../examples/", $kind, "/", $name))
    };
}

macro_rules! example {
    ($kind:literal) => {
        example!($kind, None, false)
    };
    ($kind:literal, checker) => {
        example!($kind, Some(file!($kind, "checker.py")), false)
    };
    ($kind:literal, interactor) => {
        example!($kind, Some(file!($kind, "interactor.py")), true)
    };
    ($kind:literal, $judge:expr, $is_interactive:literal) => {
        StarterExample {
            kind: $kind,
            format: file!($kind, "input.format"),
            right: file!($kind, "right.py"),
            wrong: Some(file!($kind, "wrong.py")),
            extension: "py",
            finding: Some(file!($kind, "finding.txt")),
            judge: $judge,
            is_interactive: $is_interactive,
        }
    };
}

/// All examples, the simplest first.
pub(super) const EXAMPLES: [StarterExample<'static>; 20] = [
    example!("array"),
    example!("queries"),
    example!("permutation"),
    example!("string"),
    example!("brackets"),
    example!("grid"),
    example!("tree"),
    example!("rooted-tree"),
    example!("weighted-tree"),
    example!("graph"),
    example!("weighted-graph"),
    example!("dag"),
    example!("bipartite"),
    example!("intervals"),
    example!("points"),
    example!("polygon"),
    example!("game"),
    example!("cases"),
    example!("interactive", interactor),
    example!("any-answer", checker),
];
