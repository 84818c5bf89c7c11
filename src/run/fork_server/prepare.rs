//! What makes fork servers of programs, made ready: an object to link, a library to preload, a script to stand before.

use super::{LINKED, WARM};
use crate::run::compiler_sandbox::CompilerSandbox;
use crate::run::exec::WarmRecipe;
use crate::run::fingerprint::Fingerprint;
use crate::run::language::CC;
use crate::run::{Builder, Cancel};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

impl Builder {
    /// What makes a fork server of a program that it is linked into; none if nothing compiles it.
    pub(in crate::run) fn fork_server_object(&self, cancel: &Cancel) -> Option<PathBuf> {
        self.fork_server("fork_server.o", &["-c", "-fPIC"], cancel)
    }

    /// How an executable that was not compiled here becomes a fork server.
    pub(in crate::run) fn preloaded(&self, file: &Path, cancel: &Cancel) -> Option<WarmRecipe> {
        let library = self.fork_server("fork_server.so", &["-shared", "-fPIC", "-DPRELOADED"], cancel)?;
        let environment = vec![("LD_PRELOAD".into(), library.into())];
        Some(WarmRecipe { words: vec![file.into()], environment })
    }

    /// Compiles the fork server, or finds it in the cache. Without it programs are only slower, so nothing is said.
    fn fork_server(&self, name: &str, flags: &[&str], cancel: &Cancel) -> Option<PathBuf> {
        self.can_copy().ok()?;
        let compiler = self.tool(&CC, "C", cancel).ok()?;
        let mut fingerprint = Fingerprint::new();
        fingerprint.add(LINKED.as_bytes());
        flags.iter().for_each(|flag| fingerprint.add(flag.as_bytes()));
        fingerprint.add_compiler(&compiler);
        let build = fingerprint.finish();
        if let Some(folder) = self.cache().find(&build) {
            return Some(folder.join(name));
        }
        let stage = self.cache().stage().ok()?;
        let source = stage.path().join("fork_server.c");
        fs::write(&source, LINKED).ok()?;
        let sandbox = CompilerSandbox::new(&compiler, stage.path(), self.environment());
        let mut words = compiler;
        words.extend(["-O2"].iter().chain(flags).map(OsString::from));
        words.extend(["-o".into(), stage.path().join(name).into(), source.into()]);
        let ended = self.run_compiler(words, stage.path(), &sandbox, cancel).ok()?;
        ended.exit.is_success().then(|| self.cache().keep(stage, &build).ok().map(|folder| folder.join(name)))?
    }

    /// The script that makes a fork server of Python programs.
    pub(in crate::run) fn warm_script(&self) -> Option<PathBuf> {
        let path = self.folder().join("warm.py");
        let is_there = path.exists() || fs::write(&path, WARM).is_ok();
        (is_there && self.can_copy().is_ok()).then_some(path)
    }
}
