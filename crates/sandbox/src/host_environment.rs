//! The host's environment variables.

use super::isolation::KernelFeatureLimits;
use rebut_diagnostics::{Error, Result};
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
    pub fn kernel_limits(&self) -> KernelFeatureLimits {
        self.kernel_limits
    }

    /// Returns the program that is executed as a spawner, if any.
    pub fn spawner_program(&self) -> Option<PathBuf> {
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
    pub fn retaining_variables(mut self, is_kept: impl Fn(&OsStr) -> bool) -> Self {
        self.variables.retain(|(name, _)| is_kept(name));
        self
    }

    /// Returns true if a folder contains the user's home or the current folder, or is the root.
    pub fn contains_user_files(&self, folder: &Path) -> bool {
        let has_home = self.get_variable("HOME").is_some_and(|home| Path::new(home).starts_with(folder));
        has_home || self.current_folder.starts_with(folder) || folder.parent().is_none()
    }

    /// Returns all variables.
    pub fn variables(&self) -> &[(OsString, OsString)] {
        &self.variables
    }

    /// Returns the current folder.
    pub fn current_folder(&self) -> &Path {
        &self.current_folder
    }

    /// Returns the path of an executable file. Like a shell, looks in `PATH` if the name has no slash.
    pub fn find_executable(&self, name: &str) -> Option<PathBuf> {
        if name.contains('/') {
            return Some(self.current_folder.join(name)).filter(|path| is_executable(path));
        }
        let paths = self.get_variable("PATH")?;
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        std::env::split_paths(paths)
            .map(|folder| self.current_folder.join(folder).join(&name))
            .find(|path| is_executable(path))
    }
}

/// Returns true if the user may execute a file, as far as its mode tells.
#[cfg(unix)]
pub fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

/// Returns true for files: other systems have no such mode.
#[cfg(not(unix))]
pub fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// Returns true if a file begins with `#!`.
pub fn is_script(path: &Path) -> bool {
    let mut start = [0; 2];
    fs::File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok()) && start == *b"#!"
}
