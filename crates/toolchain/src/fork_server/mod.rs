//! The code that turns programs into fork servers: a few lines of C that are linked into them (`linked.c`), or a script
//! that runs before a Python program (`warm.py`). The other side is the sandbox's.

use crate::compiler_sandbox::CompilerSandbox;
use crate::fingerprint::Fingerprint;
use crate::language::CC;
use crate::toolchain::Toolchain;
use rebut_sandbox::{CancelToken, ForkServerSpec};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The C source that is linked into programs and wraps `main`.
const LINKED_SOURCE: &str = include_str!("linked.c");

/// The script that runs before Python programs.
const PYTHON_SCRIPT: &str = include_str!("warm.py");

/// Returns true if a compiler's output mentions the linked code, which then is the cause of the error.
pub(crate) fn mentions_fork_server(text: &str) -> bool {
    ["__wrap_main", "__real_main", "fork_server.o"].iter().any(|name| text.contains(name))
}

impl Toolchain {
    /// Returns the object that turns a program into a fork server when it is linked in, or `None` if it cannot be
    /// compiled.
    pub(crate) fn fork_server_object(&self, cancel: &CancelToken) -> Option<PathBuf> {
        self.build_fork_server("fork_server.o", &["-c", "-fPIC"], cancel)
    }

    /// Returns how an executable that was not compiled by rebut becomes a fork server, or `None` if it cannot.
    pub(crate) fn preload_spec(&self, file: &Path, cancel: &CancelToken) -> Option<ForkServerSpec> {
        let library = self.build_fork_server("fork_server.so", &["-shared", "-fPIC", "-DPRELOADED"], cancel)?;
        let environment = vec![("LD_PRELOAD".into(), library.into())];
        Some(ForkServerSpec { command: vec![file.into()], environment, takes_variants: false })
    }

    /// Compiles the fork server, or finds it in the cache. Errors are not reported, because programs are only slower
    /// without it.
    fn build_fork_server(&self, name: &str, flags: &[&str], cancel: &CancelToken) -> Option<PathBuf> {
        self.check_fork_support().ok()?;
        let compiler = self.find_tool(&CC, "C", cancel).ok()?;
        let mut fingerprint = Fingerprint::new();
        fingerprint.add_part(LINKED_SOURCE.as_bytes());
        flags.iter().for_each(|flag| fingerprint.add_part(flag.as_bytes()));
        fingerprint.add_compiler(&compiler);
        let build = fingerprint.finish();
        if let Some(folder) = self.build_cache().find_build(&build) {
            return Some(folder.join(name));
        }
        let stage = self.build_cache().create_staging().ok()?;
        let source = stage.path().join("fork_server.c");
        fs::write(&source, LINKED_SOURCE).ok()?;
        let sandbox = CompilerSandbox::new(&compiler, stage.path(), self.environment());
        let mut command = compiler;
        command.extend(["-O2"].iter().chain(flags).map(OsString::from));
        command.extend(["-o".into(), stage.path().join(name).into(), source.into()]);
        let ended = self.run_compiler(command, stage.path(), &sandbox, cancel).ok()?;
        ended
            .exit
            .is_success()
            .then(|| self.build_cache().store_build(stage, &build).ok().map(|folder| folder.join(name)))?
    }

    /// Returns the script that turns Python programs into fork servers.
    pub(crate) fn fork_server_script(&self) -> Option<PathBuf> {
        let path = self.temporary_folder().join("warm.py");
        let is_there = path.exists() || fs::write(&path, PYTHON_SCRIPT).is_ok();
        (is_there && self.check_fork_support().is_ok()).then_some(path)
    }
}
