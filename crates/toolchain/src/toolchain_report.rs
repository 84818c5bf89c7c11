//! Lists compilers and interpreters, for `rebut doctor`.

use super::ProgramBuilder;
use super::compiler_sandbox::can_be_sandboxed;
use super::language::{ForkServerKind, LANGUAGES, LanguageTool};
use rebut_diagnostics::Result;
use rebut_sandbox::{CancelToken, SandboxLayer, compiler_sandbox_layers, sandbox_layers};

/// A compiler or interpreter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolchainReport {
    /// The languages that need it.
    pub languages: Vec<&'static str>,
    /// The command that starts it.
    pub command: String,
    /// Its version, or the reason why it is missing.
    pub version: std::result::Result<String, String>,
    /// True if it can run in the sandbox; a wrapper script from outside the system cannot.
    pub is_sandboxed: bool,
}

impl ProgramBuilder {
    /// Returns the layers of the sandbox around programs, active or missing.
    pub fn sandbox_layers(&self) -> Vec<SandboxLayer> {
        sandbox_layers(self.toolchain().environment().spawner_program().is_some(), self.toolchain().kernel_support())
    }

    /// Returns the layers of the sandbox around compilers, active or missing.
    pub fn compiler_sandbox_layers(&self) -> Vec<SandboxLayer> {
        compiler_sandbox_layers(
            self.toolchain().environment().spawner_program().is_some(),
            self.toolchain().kernel_support(),
        )
    }

    /// Returns the languages with programs that can be fork servers on this machine.
    ///
    /// # Errors
    ///
    /// Returns the reason if fork servers are not supported.
    pub fn fork_server_languages(&self, cancel: &CancelToken) -> std::result::Result<Vec<&'static str>, &'static str> {
        self.toolchain().check_fork_support()?;
        let has_object = self.toolchain().fork_server_object(false, cancel).is_some();
        let can = |server: Option<ForkServerKind>| match server {
            Some(ForkServerKind::LinkedObject(_)) => has_object,
            Some(ForkServerKind::InterpreterScript) => true,
            Some(ForkServerKind::VirtualMachine) | None => false,
        };
        Ok(LANGUAGES.iter().filter(|language| can(language.fork_server)).map(|language| language.name).collect())
    }

    /// Returns every compiler and interpreter, found or missing.
    ///
    /// # Errors
    ///
    /// Returns `Interrupted` if cancelled.
    pub fn toolchain_reports(&self, cancel: &CancelToken) -> Result<Vec<ToolchainReport>> {
        let mut found: Vec<(&'static LanguageTool, Vec<&'static str>)> = Vec::new();
        for language in LANGUAGES {
            for tool in std::iter::once(language.compiler).chain(language.interpreter) {
                match found.iter_mut().find(|(known, _)| *known == tool) {
                    Some((_, languages)) if languages.contains(&language.name) => {}
                    Some((_, languages)) => languages.push(language.name),
                    None => found.push((tool, vec![language.name])),
                }
            }
        }
        found.into_iter().map(|(tool, languages)| self.inspect_tool(tool, languages, cancel)).collect()
    }

    fn inspect_tool(
        &self,
        tool: &'static LanguageTool,
        languages: Vec<&'static str>,
        cancel: &CancelToken,
    ) -> Result<ToolchainReport> {
        let words = match self.toolchain().find_tool(tool, languages[0], cancel) {
            Ok(words) => words,
            Err(error) => {
                let command = tool.names[0].to_owned();
                let why = error.help().map_or_else(|| error.message().to_owned(), str::to_owned);
                return Ok(ToolchainReport { languages, command, version: Err(why), is_sandboxed: false });
            }
        };
        let shown: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let is_sandboxed = can_be_sandboxed(&words);
        let first = self.toolchain().query_version(tool, words, cancel)?;
        let version = first.ok_or_else(|| "it does not report a version".to_owned());
        Ok(ToolchainReport { languages, command: shown.join(" "), version, is_sandboxed })
    }
}
