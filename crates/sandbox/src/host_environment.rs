//! The host's environment variables, and the compilers found through them.

use super::command_line;
use super::language::LanguageTool;
use super::sandbox::KernelFeatureLimits;
use rebut_diagnostics::{Error, Result, list_or};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The environment, read once. No other module of `run` reads it.
#[derive(Clone, Debug, Default)]
pub struct HostEnvironment {
    variables: Vec<(OsString, OsString)>,
    current_folder: PathBuf,
    spawner_program: Option<PathBuf>,
    kernel_limits: KernelFeatureLimits,
}

impl HostEnvironment {
    /// Reads the environment of this process.
    ///
    /// # Errors
    ///
    /// Returns an `Operating` error if the current folder does not exist any more.
    pub fn from_process() -> Result<Self> {
        let folder = std::env::current_dir().map_err(|cause| Error::io_error("find", Path::new("."), &cause))?;
        Ok(HostEnvironment {
            variables: std::env::vars_os().collect(),
            current_folder: folder,
            ..HostEnvironment::default()
        })
    }

    /// Sets a variable.
    #[must_use]
    pub fn with_variable(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Sets the program that is executed as a spawner: one that calls [`serve_if_spawner`](super::serve_if_spawner)
    /// before anything else. Without it, programs are started directly, and processes that leave their process group
    /// escape.
    #[must_use]
    pub fn with_spawner(mut self, program: impl Into<PathBuf>) -> Self {
        self.spawner_program = Some(program.into());
        self
    }

    /// Limits the kernel features that are used, as if the kernel were an older one.
    #[must_use]
    pub fn with_kernel_limits(mut self, limits: KernelFeatureLimits) -> Self {
        self.kernel_limits = limits;
        self
    }

    /// Returns the upper bounds on the kernel features that are used.
    pub(super) fn kernel_limits(&self) -> KernelFeatureLimits {
        self.kernel_limits
    }

    /// Returns the program that is executed as a spawner, if any.
    pub(super) fn spawner_program(&self) -> Option<PathBuf> {
        self.spawner_program.clone()
    }

    /// Returns the value of a variable that is set and not empty.
    pub fn get_variable(&self, name: &str) -> Option<&OsStr> {
        let is_same = |known: &OsStr| if cfg!(windows) { known.eq_ignore_ascii_case(name) } else { known == name };
        let found = self.variables.iter().find(|(known, value)| is_same(known) && !value.is_empty());
        found.map(|(_, value)| value.as_os_str())
    }

    /// Keeps only the variables with names for which `is_kept` returns true.
    #[must_use]
    pub(super) fn retaining_variables(mut self, is_kept: impl Fn(&OsStr) -> bool) -> Self {
        self.variables.retain(|(name, _)| is_kept(name));
        self
    }

    /// Returns true if a folder contains the user's home or the current folder, or is the root.
    pub(super) fn contains_user_files(&self, folder: &Path) -> bool {
        let has_home = self.get_variable("HOME").is_some_and(|home| Path::new(home).starts_with(folder));
        has_home || self.current_folder.starts_with(folder) || folder.parent().is_none()
    }

    /// Returns all variables.
    pub(super) fn variables(&self) -> &[(OsString, OsString)] {
        &self.variables
    }

    /// Returns the current folder.
    pub(super) fn current_folder(&self) -> &Path {
        &self.current_folder
    }

    /// Returns the path of an executable file. Like a shell, looks in `PATH` if the name has no slash.
    pub(super) fn find_executable(&self, name: &str) -> Option<PathBuf> {
        if name.contains('/') {
            return Some(self.current_folder.join(name)).filter(|path| is_executable(path));
        }
        let paths = self.get_variable("PATH")?;
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        std::env::split_paths(paths)
            .map(|folder| self.current_folder.join(folder).join(&name))
            .find(|path| is_executable(path))
    }

    /// Returns a compiler or interpreter, with the arguments of an override.
    ///
    /// # Errors
    ///
    /// Returns an `Operating` error if it is not installed, or the program of the override does not exist.
    pub(super) fn find_tool(&self, tool: &LanguageTool, language: &str) -> Result<Vec<OsString>> {
        match self.get_variable(tool.variable) {
            Some(value) => self.resolve_override(tool, value),
            None => match tool.names.iter().find_map(|name| self.find_executable(name)) {
                Some(path) => Ok(vec![path.into()]),
                None => Err(missing_tool_error(tool, language)),
            },
        }
    }

    fn resolve_override(&self, tool: &LanguageTool, value: &OsStr) -> Result<Vec<OsString>> {
        let text = value.to_string_lossy();
        let words = command_line::split_words(&text)?;
        let path = self.find_executable(&words[0]).ok_or_else(|| {
            let variable = tool.variable;
            Error::operating_error(format!("cannot find `{}`, named by the environment variable {variable}", words[0]))
                .as_unsupported()
        })?;
        Ok(std::iter::once(path.into()).chain(words[1..].iter().map(OsString::from)).collect())
    }
}

fn missing_tool_error(tool: &LanguageTool, language: &str) -> Error {
    let names: Vec<String> = tool.names.iter().map(|name| format!("`{name}`")).collect();
    Error::operating_error(format!("cannot find {}, needed for {language} programs", list_or(&names)))
        .with_help(format!("install {}, or set the environment variable {} to its path", tool.packages, tool.variable))
        .as_unsupported()
}

#[cfg(unix)]
pub(super) fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
pub(super) fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// Returns true if a file begins with `#!`.
pub(super) fn is_script(path: &Path) -> bool {
    let mut start = [0; 2];
    fs::File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok()) && start == *b"#!"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    fn cpp_compiler() -> &'static LanguageTool {
        Language::from_path(Path::new("a.cpp"))
            .map_or_else(|| unreachable!("C++ is known"), |language| language.compiler)
    }

    fn tool_error(environment: &HostEnvironment) -> String {
        environment.find_tool(cpp_compiler(), "C++").err().map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn a_missing_compiler_is_named_with_its_remedy() {
        assert_eq!(
            tool_error(&HostEnvironment::default().with_variable("PATH", "/nowhere")),
            "cannot find `g++`, `c++` or `clang++`, needed for C++ programs\n\
             help: install g++ or clang, or set the environment variable CXX to its path"
        );
        assert_eq!(
            tool_error(
                &HostEnvironment::default().with_variable("PATH", "/bin").with_variable("CXX", "no-such-g++ -m32")
            ),
            "cannot find `no-such-g++`, named by the environment variable CXX"
        );
    }

    #[test]
    fn an_override_may_have_arguments() -> Result<()> {
        let environment =
            HostEnvironment::default().with_variable("PATH", "/usr/bin:/bin").with_variable("CXX", "sh -c 'a b'");
        let words = environment.find_tool(cpp_compiler(), "C++")?;
        assert!(Path::new(&words[0]).is_absolute());
        assert_eq!(words[1..], ["-c", "a b"]);
        Ok(())
    }
}
