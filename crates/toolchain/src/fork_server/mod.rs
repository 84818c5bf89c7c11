//! The code that turns programs into fork servers: C that is linked into them (`linked.c`, with `in_place.c` for those that
//! can be run in place), or a script that runs before a Python program (`warm.py`). The other side is the sandbox's.

use crate::compiler_sandbox::CompilerSandbox;
use crate::fingerprint::Fingerprint;
use crate::language::{CC, JAVAC, LanguageTool};
use crate::toolchain::Toolchain;
use rebut_sandbox::{CancelToken, ForkServerSpec};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The C source that is linked into programs, and runs before them.
const LINKED_SOURCE: &str = include_str!("linked.c");

/// The part of it for programs that can be run in place.
const IN_PLACE_SOURCE: &str = include_str!("in_place.c");

/// The functions of the libraries that the linked code replaces in programs that can be run in place: those that read, write,
/// exit, read clocks, and return random numbers.
pub(crate) const WRAPPED_FUNCTIONS: &[&str] = &[
    "read",
    "__read",
    "write",
    "__write",
    "writev",
    "__writev",
    "lseek",
    "__lseek",
    "lseek64",
    "__lseek64",
    "fstat",
    "fstat64",
    "__fstat64",
    "__fxstat",
    "__fxstat64",
    "_exit",
    "_Exit",
    "clock_gettime",
    "__clock_gettime",
    "gettimeofday",
    "time",
    "getrandom",
    "getentropy",
    "arc4random",
    "arc4random_buf",
    "arc4random_uniform",
    "_ZNSt13random_device9_M_getvalEv",
    "isatty",
    "sigaltstack",
    "munmap",
];

/// True on the systems that the part that runs in place is written for.
pub(crate) const CAN_RUN_IN_PLACE: bool = cfg!(all(target_os = "linux", target_arch = "x86_64"));

/// Flags of the compiler for the part that runs in place: it is called with the stack and the functions of the program,
/// which can have replaced those of the C library.
const IN_PLACE_FLAGS: &[&str] =
    &["-DIN_PLACE", "-fno-stack-protector", "-fno-builtin", "-fno-tree-loop-distribute-patterns"];

/// The class that runs Java programs in place.
const JAVA_SOURCE: &str = include_str!("InPlace.java");

/// The script that runs before Python programs.
const PYTHON_SCRIPT: &str = include_str!("warm.py");

/// Returns true if a compiler's output mentions the linked code, which then is the cause of the error.
pub(crate) fn mentions_fork_server(text: &str) -> bool {
    ["__wrap_", "__real_", "fork_server.o"].iter().any(|name| text.contains(name))
}

impl Toolchain {
    /// Returns the object that turns a program into a fork server when it is linked in, or `None` if it cannot be
    /// compiled.
    pub(crate) fn fork_server_object(&self, runs_in_place: bool, cancel: &CancelToken) -> Option<PathBuf> {
        let more = if runs_in_place { IN_PLACE_FLAGS } else { &[] };
        self.build_fork_server("fork_server.o", &[&["-c", "-fPIC"], more].concat(), cancel)
    }

    /// Returns the library with which an interpreter runs programs in place, or `None` if it cannot be compiled. It is
    /// a copy, since the names of libraries to load first cannot have spaces, as that of the cache can.
    pub(crate) fn in_place_library(&self, cancel: &CancelToken) -> Option<PathBuf> {
        let path = self.temporary_folder().join("in_place.so");
        if !CAN_RUN_IN_PLACE || path.display().to_string().contains([' ', ':']) {
            return None;
        }
        if !path.exists() {
            let flags = [&["-shared", "-fPIC", "-DLIBRARY"], IN_PLACE_FLAGS].concat();
            // Others never see a part of it.
            let copy = tempfile::NamedTempFile::new_in(self.temporary_folder()).ok()?;
            fs::copy(self.build_fork_server("in_place.so", &flags, cancel)?, copy.path()).ok()?;
            copy.persist(&path).ok()?;
        }
        Some(path)
    }

    /// Returns how an executable that was not compiled by rebut becomes a fork server, or `None` if it cannot.
    pub(crate) fn preload_spec(&self, file: &Path, cancel: &CancelToken) -> Option<ForkServerSpec> {
        let library = self.build_fork_server("fork_server.so", &["-shared", "-fPIC"], cancel)?;
        let environment = vec![("LD_PRELOAD".into(), library.into())];
        Some(ForkServerSpec {
            command: vec![file.into()],
            environment,
            takes_variants: false,
            runs_in_place: false,
            forks: true,
            start_price: 1,
        })
    }

    /// Returns the folder of the class that runs Java programs in place, or `None` if it cannot be compiled.
    pub(crate) fn java_loop(&self, cancel: &CancelToken) -> Option<PathBuf> {
        if !CAN_RUN_IN_PLACE {
            return None;
        }
        let sources = [("InPlace.java", JAVA_SOURCE)];
        self.build_helper((&JAVAC, "Java"), &sources, &["-proc:none"], cancel, |stage| {
            vec!["-d".into(), stage.into(), stage.join("InPlace.java").into()]
        })
    }

    /// Compiles the fork server, or finds it in the cache.
    fn build_fork_server(&self, name: &str, flags: &[&str], cancel: &CancelToken) -> Option<PathBuf> {
        let sources = [("fork_server.c", LINKED_SOURCE), ("in_place.c", IN_PLACE_SOURCE)];
        let folder = self.build_helper((&CC, "C"), &sources, &[&["-O2"], flags].concat(), cancel, |stage| {
            vec!["-o".into(), stage.join(name).into(), stage.join("fork_server.c").into()]
        });
        folder.map(|folder| folder.join(name))
    }

    /// Compiles code that is added to programs, or finds it in the cache, and returns its folder. Errors are not
    /// reported, because programs are only slower without it. `paths` returns the arguments with paths for a folder
    /// with the sources.
    fn build_helper(
        &self,
        (tool, language): (&'static LanguageTool, &str),
        sources: &[(&str, &str)],
        flags: &[&str],
        cancel: &CancelToken,
        paths: impl Fn(&Path) -> Vec<OsString>,
    ) -> Option<PathBuf> {
        self.check_fork_support().ok()?;
        let compiler = self.find_tool(tool, language, cancel).ok()?;
        let mut fingerprint = Fingerprint::new();
        sources.iter().for_each(|(_, text)| fingerprint.add_part(text.as_bytes()));
        flags.iter().for_each(|flag| fingerprint.add_part(flag.as_bytes()));
        fingerprint.add_compiler(&compiler);
        let build = fingerprint.finish();
        if let Some(folder) = self.build_cache().find_build(&build) {
            return Some(folder);
        }
        let stage = self.build_cache().create_staging().ok()?;
        for (name, text) in sources {
            fs::write(stage.path().join(name), text).ok()?;
        }
        let sandbox = CompilerSandbox::new(&compiler, stage.path(), self.environment());
        let mut command = compiler;
        command.extend(flags.iter().map(OsString::from));
        command.extend(paths(stage.path()));
        let ended = self.run_compiler(command, stage.path(), &sandbox, cancel).ok()?;
        ended.exit.is_success().then(|| self.build_cache().store_build(stage, &build).ok())?
    }

    /// Returns the script that turns Python programs into fork servers.
    pub(crate) fn fork_server_script(&self) -> Option<PathBuf> {
        let path = self.temporary_folder().join("warm.py");
        let is_there = path.exists() || fs::write(&path, PYTHON_SCRIPT).is_ok();
        (is_there && self.check_fork_support().is_ok()).then_some(path)
    }
}
