//! What of the surrounding system matters to us: the environment, and the compilers found in it.

use super::isolation::KernelLimits;
use super::language::Tool;
use super::words;
use crate::diagnostic::{Error, Result, list_or};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The environment, read once. Nothing else in this room looks at it.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    variables: Vec<(OsString, OsString)>,
    folder: PathBuf,
    spawner: Option<PathBuf>,
    kernel_limits: KernelLimits,
}

impl Environment {
    /// That of this process.
    ///
    /// # Errors
    ///
    /// `Operating`: the current folder is gone.
    pub fn capture() -> Result<Self> {
        let folder = std::env::current_dir().map_err(|cause| Error::io("find", Path::new("."), &cause))?;
        Ok(Environment { variables: std::env::vars_os().collect(), folder, ..Environment::default() })
    }

    /// The same with one variable changed.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.into(), value.into()));
        self
    }

    /// The same with a program that starts others for us: one that calls [`serve_if_asked`](super::serve_if_asked)
    /// before anything else. Without one we start programs ourselves, and what leaves its process group gets away.
    #[must_use]
    pub fn with_spawner(mut self, program: impl Into<PathBuf>) -> Self {
        self.spawner = Some(program.into());
        self
    }

    /// Returns the same with no more of the kernel's protection than this, as if it were an older one.
    #[must_use]
    pub fn with_kernel_limits(mut self, limits: KernelLimits) -> Self {
        self.kernel_limits = limits;
        self
    }

    /// Upper bounds on what is used of the kernel's protection.
    pub(super) fn kernel_limits(&self) -> KernelLimits {
        self.kernel_limits
    }

    /// The program that starts others for us, if there is one.
    pub(super) fn spawner(&self) -> Option<PathBuf> {
        self.spawner.clone()
    }

    /// The value of a variable that is set and not empty.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        let is_it = |known: &OsStr| if cfg!(windows) { known.eq_ignore_ascii_case(name) } else { known == name };
        let found = self.variables.iter().find(|(known, value)| is_it(known) && !value.is_empty());
        found.map(|(_, value)| value.as_os_str())
    }

    /// The same with those variables alone whose names are kept.
    #[must_use]
    pub(super) fn keeping(mut self, is_kept: impl Fn(&OsStr) -> bool) -> Self {
        self.variables.retain(|(name, _)| is_kept(name));
        self
    }

    /// Returns true if a folder is so far up that the user's own files are in it.
    pub(super) fn is_above_own_files(&self, folder: &Path) -> bool {
        let has_home = self.get("HOME").is_some_and(|home| Path::new(home).starts_with(folder));
        has_home || self.folder.starts_with(folder) || folder.parent().is_none()
    }

    /// All variables.
    pub(super) fn variables(&self) -> &[(OsString, OsString)] {
        &self.variables
    }

    /// The current folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path of an executable file: looked for in `PATH` if the name has no slash, as a shell does.
    pub(super) fn find(&self, name: &str) -> Option<PathBuf> {
        if name.contains('/') {
            return Some(self.folder.join(name)).filter(|path| is_executable(path));
        }
        let paths = self.get("PATH")?;
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        std::env::split_paths(paths).map(|folder| self.folder.join(folder).join(&name)).find(|path| is_executable(path))
    }

    /// A compiler or interpreter, with the arguments that an override gives it.
    ///
    /// # Errors
    ///
    /// `Operating`: it is not installed, or the override names something that is not there.
    pub(super) fn tool(&self, tool: &Tool, language: &str) -> Result<Vec<OsString>> {
        match self.get(tool.variable) {
            Some(value) => self.overridden(tool, value),
            None => match tool.names.iter().find_map(|name| self.find(name)) {
                Some(path) => Ok(vec![path.into()]),
                None => Err(missing(tool, language)),
            },
        }
    }

    fn overridden(&self, tool: &Tool, value: &OsStr) -> Result<Vec<OsString>> {
        let text = value.to_string_lossy();
        let words = words::split(&text)?;
        let path = self.find(&words[0]).ok_or_else(|| {
            let variable = tool.variable;
            Error::operating(format!("cannot find `{}`, which the environment variable {variable} names", words[0]))
                .as_unsupported()
        })?;
        Ok(std::iter::once(path.into()).chain(words[1..].iter().map(OsString::from)).collect())
    }
}

fn missing(tool: &Tool, language: &str) -> Error {
    let names: Vec<String> = tool.names.iter().map(|name| format!("`{name}`")).collect();
    Error::operating(format!("cannot find {}, needed for {language} programs", list_or(&names)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Language;

    fn cpp() -> &'static Tool {
        Language::of(Path::new("a.cpp")).map_or_else(|| unreachable!("C++ is known"), |language| language.compiler)
    }

    fn message(environment: &Environment) -> String {
        environment.tool(cpp(), "C++").err().map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn a_missing_compiler_is_named_with_its_remedy() {
        assert_eq!(
            message(&Environment::default().with("PATH", "/nowhere")),
            "cannot find `g++`, `c++` or `clang++`, needed for C++ programs\n\
             help: install g++ or clang, or set the environment variable CXX to its path"
        );
        assert_eq!(
            message(&Environment::default().with("PATH", "/bin").with("CXX", "no-such-g++ -m32")),
            "cannot find `no-such-g++`, which the environment variable CXX names"
        );
    }

    #[test]
    fn an_override_may_have_arguments() -> Result<()> {
        let environment = Environment::default().with("PATH", "/usr/bin:/bin").with("CXX", "sh -c 'a b'");
        let words = environment.tool(cpp(), "C++")?;
        assert!(Path::new(&words[0]).is_absolute());
        assert_eq!(words[1..], ["-c", "a b"]);
        Ok(())
    }
}
