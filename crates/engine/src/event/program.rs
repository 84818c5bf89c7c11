//! The programs of a command.

use serde::Serialize;

/// The role of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ProgramRole {
    /// A submission under test.
    Submission,
    /// A reference: its outputs are the answers.
    Reference,
    /// A validator of inputs.
    Validator,
    /// A generator of inputs.
    Generator,
    /// A checker of outputs, or an interactor.
    Checker,
    /// A grader, which combines the results of the test cases and groups in a group.
    Grader,
    /// A visualizer: it draws inputs or outputs.
    Visualizer,
}

/// A program is ready to run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProgramCompiled {
    /// Name shown to the user.
    pub name: String,
    /// Its role.
    pub role: ProgramRole,
    /// Programming language, or `command`.
    pub language: String,
    /// Command line of the compiler; empty if nothing was compiled.
    pub command: String,
    /// Duration of the compilation in milliseconds.
    pub wall_time_ms: u64,
    /// Whether it was in the build cache.
    pub cached: bool,
}
