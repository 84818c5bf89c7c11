//! The identity of compilers and interpreters, by which those of two machines can be compared.

use super::ProgramBuilder;
use super::fingerprint::digest_file;
use super::language::{LANGUAGES, Language, LanguageTool};
use rebut_diagnostics::Result;
use rebut_sandbox::CancelToken;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A compiler or interpreter, as far as it decides what a program does. Two machines have the same one if these are
/// equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolIdentity {
    /// The language that needs it.
    pub language: &'static str,
    /// Its name, such as `g++`.
    pub name: &'static str,
    /// The first line of its version, or the reason why there is none.
    pub version: String,
    /// The arguments that it has on this machine alone: those of its environment variable, and those that link
    /// statically where the libraries are installed.
    pub flags: String,
    /// SHA-256 of its executable; empty if it is missing.
    pub digest: String,
}

impl ProgramBuilder {
    /// Returns the compilers and interpreters of sources, by language and name. A folder counts with all sources in it.
    ///
    /// # Errors
    ///
    /// Returns `Interrupted` if cancelled.
    pub fn identify_tools(&self, sources: &[PathBuf], cancel: &CancelToken) -> Result<Vec<ToolIdentity>> {
        let mut identities = Vec::new();
        for language in LANGUAGES.iter().filter(|language| sources.iter().any(|path| is_written_in(path, language))) {
            let interpreter = language.interpreter.filter(|tool| *tool != language.compiler);
            for tool in std::iter::once(language.compiler).chain(interpreter) {
                identities.push(self.identify_tool(language, tool, cancel)?);
            }
        }
        Ok(identities)
    }

    fn identify_tool(
        &self,
        language: &'static Language,
        tool: &'static LanguageTool,
        cancel: &CancelToken,
    ) -> Result<ToolIdentity> {
        let (name, language_name) = (tool.names[0], language.name);
        let words = match self.toolchain().find_tool(tool, language_name, cancel) {
            Ok(words) => words,
            Err(error) => {
                let (version, flags, digest) = (error.message().to_owned(), String::new(), String::new());
                return Ok(ToolIdentity { language: language_name, name, version, flags, digest });
            }
        };
        let mut flags: Vec<OsString> = words[1..].to_vec();
        if tool == language.compiler {
            flags.extend(self.toolchain().static_flags(language, cancel)?);
        }
        let flags: Vec<String> = flags.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let digest = digest_file(Path::new(&words[0])).unwrap_or_default();
        let version = self.toolchain().query_version(tool, words, cancel)?;
        let version = version.unwrap_or_else(|| "it does not report a version".to_owned());
        Ok(ToolIdentity { language: language_name, name, version, flags: flags.join(" "), digest })
    }
}

/// Returns true if a source is of a language, or a folder contains one that is.
fn is_written_in(source: &Path, language: &'static Language) -> bool {
    if !source.is_dir() {
        return Language::from_path(source) == Some(language);
    }
    let entries = std::fs::read_dir(source).into_iter().flatten().filter_map(std::result::Result::ok);
    entries.into_iter().any(|entry| is_written_in(&entry.path(), language))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_sandbox::HostEnvironment;

    #[test]
    fn tools_of_the_languages_in_use_are_identified() -> Result<()> {
        let folder = tempfile::tempdir().map_err(|e| rebut_diagnostics::Error::operating_error(e.to_string()))?;
        let compiler = folder.path().join("mycc");
        let write = |text: &str| std::fs::write(&compiler, text).is_ok();
        assert!(write("#!/bin/sh\necho mycc 1\n"));
        let executable = std::process::Command::new("chmod").arg("+x").arg(&compiler).status();
        assert!(executable.is_ok_and(|status| status.success()));
        let chosen = format!("{} -O3", compiler.display());
        let environment = HostEnvironment::from_process()?.with_variable("CC", &chosen);
        let identify = |sources: &[&str]| {
            let sources: Vec<PathBuf> = sources.iter().map(PathBuf::from).collect();
            ProgramBuilder::new(environment.clone())?.identify_tools(&sources, &CancelToken::new())
        };
        assert_eq!(identify(&["a.txt", "a"])?, []);
        let first = identify(&["a.c", "b.c", "a.txt"])?;
        assert_eq!(first.len(), 1);
        let first = &first[0];
        assert_eq!((first.language, first.name, first.version.as_str()), ("C", "gcc", "mycc 1"));
        assert!(first.flags.starts_with("-O3"), "{first:?}");
        // The same version, but another compiler.
        assert!(write("#!/bin/sh\necho mycc 1 # patched\n"));
        let second = &identify(&["a.c"])?[0];
        assert_eq!(second.version, first.version);
        assert_ne!(second.digest, first.digest);
        Ok(())
    }
}
