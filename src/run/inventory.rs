//! What is there to run programs with: for `rebut doctor`.

use super::compiler_sandbox::has_sandbox;
use super::isolation::{compiler_layers, layers};
use super::language::{ForkServer, LANGUAGES, Tool};
use super::{Builder, Cancel, Layer};
use crate::diagnostic::Result;
use std::ffi::OsString;

/// A compiler or interpreter, and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equipment {
    /// The languages that need it.
    pub languages: Vec<&'static str>,
    /// The command that starts it.
    pub command: String,
    /// What it says of its version; or why it is not there.
    pub version: std::result::Result<String, String>,
    /// Whether it runs in the sandbox where there is one: a script from outside the system does not.
    pub is_sandboxed: bool,
}

impl Builder {
    /// The layers of protection around programs, active or missing.
    pub fn layers(&self) -> Vec<Layer> {
        layers(self.environment().spawner().is_some(), self.kernel())
    }

    /// The layers of the sandbox around compilers, active or missing.
    pub fn compiler_layers(&self) -> Vec<Layer> {
        compiler_layers(self.environment().spawner().is_some(), self.kernel())
    }

    /// The languages whose programs can be fork servers here; or why there are none.
    ///
    /// # Errors
    ///
    /// In words.
    pub fn fork_servers(&self, cancel: &Cancel) -> std::result::Result<Vec<&'static str>, &'static str> {
        self.can_copy()?;
        let has_object = self.fork_server_object(cancel).is_some();
        let can = |server: Option<ForkServer>| match server {
            Some(ForkServer::Linked(_)) => has_object,
            Some(ForkServer::Script) => true,
            None => false,
        };
        Ok(LANGUAGES.iter().filter(|language| can(language.fork_server)).map(|language| language.name).collect())
    }

    /// Every compiler and interpreter, found or missing.
    ///
    /// # Errors
    ///
    /// `Interrupted` when cancelled.
    pub fn equipment(&self, cancel: &Cancel) -> Result<Vec<Equipment>> {
        let mut found: Vec<(&'static Tool, Vec<&'static str>)> = Vec::new();
        for language in LANGUAGES {
            for tool in std::iter::once(language.compiler).chain(language.interpreter) {
                match found.iter_mut().find(|(known, _)| *known == tool) {
                    Some((_, languages)) if languages.contains(&language.name) => {}
                    Some((_, languages)) => languages.push(language.name),
                    None => found.push((tool, vec![language.name])),
                }
            }
        }
        found.into_iter().map(|(tool, languages)| self.examine_tool(tool, languages, cancel)).collect()
    }

    fn examine_tool(&self, tool: &'static Tool, languages: Vec<&'static str>, cancel: &Cancel) -> Result<Equipment> {
        let words = match self.tool(tool, languages[0], cancel) {
            Ok(words) => words,
            Err(error) => {
                let command = tool.names[0].to_owned();
                let why = error.help().map_or_else(|| error.message().to_owned(), str::to_owned);
                return Ok(Equipment { languages, command, version: Err(why), is_sandboxed: false });
            }
        };
        let shown: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let is_sandboxed = has_sandbox(&words);
        let question = words.into_iter().chain([OsString::from(tool.version)]).collect();
        let answer = match self.ask(question, cancel) {
            Err(_) if !cancel.cancelled() => None,
            answer => answer?,
        };
        let first = answer.and_then(|text| text.lines().next().map(str::to_owned));
        let version = first.ok_or_else(|| "it does not tell its version".to_owned());
        Ok(Equipment { languages, command: shown.join(" "), version, is_sandboxed })
    }
}
