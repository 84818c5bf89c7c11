//! Builds what is linked into programs with counters.

use super::{REPORT_MARK, WORK_FILE};
use crate::CancelToken;
use crate::compiler_sandbox::CompilerSandbox;
use crate::fingerprint::Fingerprint;
use crate::language::CC;
use crate::toolchain::Toolchain;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

/// The C source that keeps the counters in a file.
const COUNTERS_SOURCE: &str = include_str!("counters.c");

/// The linker script that puts the counters of GCC next to each other.
const COUNTERS_SCRIPT: &str = include_str!("counters.ld");

/// Names of the object for programs with counters of GCC, of that for LLVM, and of the linker script.
pub(crate) const GCC_OBJECT: &str = "gcc_counters.o";
pub(crate) const LLVM_OBJECT: &str = "llvm_counters.o";
pub(crate) const SCRIPT: &str = "counters.ld";

impl Toolchain {
    /// Returns the folder with the objects and the linker script for programs with counters, or `None` if they cannot be
    /// compiled. Its path depends on their contents.
    pub(crate) fn counters_folder(&self, cancel: &CancelToken) -> Option<PathBuf> {
        let compiler = self.find_tool(&CC, "C", cancel).ok()?;
        let mut fingerprint = Fingerprint::new();
        [COUNTERS_SOURCE, COUNTERS_SCRIPT].iter().for_each(|text| fingerprint.add_part(text.as_bytes()));
        fingerprint.add_compiler(&compiler);
        let build = fingerprint.finish();
        if let Some(folder) = self.build_cache().find_build(&build) {
            return Some(folder);
        }
        let stage = self.build_cache().create_staging().ok()?;
        let source = stage.path().join("counters.c");
        fs::write(&source, COUNTERS_SOURCE).ok()?;
        fs::write(stage.path().join(SCRIPT), COUNTERS_SCRIPT).ok()?;
        let sandbox = CompilerSandbox::new(&compiler, stage.path(), self.environment());
        for (name, flags) in [(GCC_OBJECT, &[][..]), (LLVM_OBJECT, &["-DCOUNTERS_OF_LLVM"][..])] {
            let mut command = compiler.clone();
            command.extend(["-c", "-O2", "-fPIC", "-fno-builtin"].iter().chain(flags).map(OsString::from));
            command.push(format!("-DREBUT_WORK_FILE=\"{WORK_FILE}\"").into());
            command.push(format!("-DREBUT_WORK_MARK={REPORT_MARK}u").into());
            command.extend(["-o".into(), stage.path().join(name).into(), source.clone().into()]);
            let ended = self.run_compiler(command, stage.path(), &sandbox, cancel).ok()?;
            if !ended.exit.is_success() {
                return None;
            }
        }
        self.build_cache().store_build(stage, &build).ok()
    }
}
