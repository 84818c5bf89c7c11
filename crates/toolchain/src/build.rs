//! Turns a source file, an executable or a command into a program.

use super::built_program::BuiltProgram;
use super::compile::CompileJob;
use super::fingerprint::Fingerprint;
use super::language::{LANGUAGES, Language};
use super::named_files::read_files_beside;
use super::precompiled_header::PrecompiledPrograms;
use super::sources::{self, ProgramSources, SourceTree};
use super::toolchain::{PYTHON_MODULES_VARIABLE, Toolchain};
use super::{BuildVariant, CompileError, CompileLimits, CompiledProgram, SourceOptions, command_line};
use rebut_diagnostics::{Error, Result};
use rebut_sandbox::{CancelToken, HostEnvironment, LaunchSpec, is_executable};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Builds programs. A builder can be shared by any number of threads, and its cache by any number of rebut processes.
///
/// Programs built from sources run in an empty folder that belongs to their builder. Their environment consists of
/// `PATH` and `LD_LIBRARY_PATH` (through which interpreters and libraries are found), `LANG` (so that text is UTF-8
/// everywhere), `ONLINE_JUDGE` (as judges set it), and `HOME` and `TMPDIR`, which name the empty folder: so the user's
/// configuration can neither affect a verdict nor be damaged. Where programs are started by a spawner, each run is
/// [sandboxed](rebut_sandbox::SandboxLayer) and has an empty folder of its own.
#[derive(Debug)]
pub struct ProgramBuilder {
    toolchain: Toolchain,
    precompiled: PrecompiledPrograms,
    /// Options that precede those of each compilation.
    options: SourceOptions,
}

impl ProgramBuilder {
    /// Creates a builder that finds compilers and its cache through this environment.
    ///
    /// # Errors
    ///
    /// Returns an `Operating` error if a temporary folder cannot be created.
    pub fn new(environment: HostEnvironment) -> Result<Self> {
        Ok(ProgramBuilder {
            toolchain: Toolchain::new(environment)?,
            precompiled: PrecompiledPrograms::default(),
            options: SourceOptions::default(),
        })
    }

    /// Sets the limits of compilers.
    #[must_use]
    pub fn with_compile_limits(mut self, compile_limits: CompileLimits) -> Self {
        self.toolchain.compile_limits = compile_limits;
        self
    }

    /// Sets options that precede those of each compilation.
    #[must_use]
    pub fn with_source_options(self, options: SourceOptions) -> Self {
        ProgramBuilder { options, ..self }
    }

    /// Returns the header with this name in the folders that precede those of each compilation.
    pub fn find_header(&self, name: &str) -> Option<PathBuf> {
        let folders = self.options.includes.iter();
        folders
            .map(|folder| self.toolchain.environment().current_folder().join(folder).join(name))
            .find(|path| path.is_file())
    }

    /// Builds each program anew: none that was built before is used.
    ///
    /// # Errors
    ///
    /// Returns an `Operating` error if a temporary folder cannot be created.
    pub fn forget_programs(&mut self) -> Result<()> {
        self.toolchain.forget_programs()
    }

    /// Refuses to run compilers that cannot be sandboxed.
    #[must_use]
    pub fn with_required_sandbox(mut self) -> Self {
        self.toolchain.requires_sandbox = true;
        self
    }

    /// Returns these options, preceded by the builder's own.
    #[must_use]
    pub fn complete_options(&self, options: &SourceOptions) -> SourceOptions {
        self.options.with_fallback(options)
    }

    /// Returns the folder of the build cache.
    pub fn cache_folder(&self) -> &Path {
        self.toolchain.build_cache().root_folder()
    }

    /// Returns the limits of compilers.
    pub fn compile_limits(&self) -> &CompileLimits {
        &self.toolchain.compile_limits
    }

    /// Returns the compilers and interpreters.
    pub(super) fn toolchain(&self) -> &Toolchain {
        &self.toolchain
    }

    /// Returns the programs that were compiled ahead of time.
    pub(super) fn precompiled_programs(&self) -> &PrecompiledPrograms {
        &self.precompiled
    }

    /// Builds a program from a source file, recognized by its extension, from an executable file, or from a folder:
    /// from the sources in it, or from its executable `build` and `run` scripts.
    ///
    /// # Errors
    ///
    /// Returns [`CompileError::Rejected`] if the compiler rejects the program; otherwise `Usage` if the path does not
    /// exist, is of no known language or links to a file outside its folder, `Operating` if a compiler is missing or
    /// the operating system refuses, and `Interrupted` if cancelled.
    pub fn compile(
        &self,
        source: &Path,
        variant: BuildVariant,
        cancel: &CancelToken,
    ) -> std::result::Result<CompiledProgram, CompileError> {
        self.compile_with_includes(source, &[], variant, cancel)
    }

    /// Like [`compile`](ProgramBuilder::compile), with include folders for C and C++ sources, such as that of
    /// `testlib.h`.
    ///
    /// # Errors
    ///
    /// See [`compile`](ProgramBuilder::compile).
    pub fn compile_with_includes(
        &self,
        source: &Path,
        includes: &[&Path],
        variant: BuildVariant,
        cancel: &CancelToken,
    ) -> std::result::Result<CompiledProgram, CompileError> {
        let includes = includes.iter().map(|folder| (*folder).to_owned()).collect();
        self.compile_with_options(source, &SourceOptions { includes, ..SourceOptions::default() }, variant, cancel)
    }

    /// Like [`compile`](ProgramBuilder::compile), with all options.
    ///
    /// # Errors
    ///
    /// See [`compile`](ProgramBuilder::compile).
    pub fn compile_with_options(
        &self,
        source: &Path,
        options: &SourceOptions,
        variant: BuildVariant,
        cancel: &CancelToken,
    ) -> std::result::Result<CompiledProgram, CompileError> {
        if variant == BuildVariant::Judged
            && let Some(compiled) = self.precompiled.take_program(source, options)
        {
            return compiled;
        }
        let built = self.build_program(source, options, variant, false, cancel)?;
        Ok(built.into_compiled(source.display().to_string())?)
    }

    /// Returns a hash of the files that the compiler made of a program: equal for equal programs, even of different
    /// sources. Returns `None` if nothing was compiled, or if it is not in the cache any more.
    pub fn hash_compiled_files(&self, compiled: &CompiledProgram) -> Option<String> {
        let folder = compiled.build_folder.as_ref()?;
        let mut files: Vec<PathBuf> = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|file| {
            file.file_name().is_some_and(|name| name == "program") || file.extension().is_some_and(|end| end == "class")
        });
        files.sort();
        let mut fingerprint = Fingerprint::new();
        for file in &files {
            fingerprint.add_part(file.file_name()?.as_encoded_bytes());
            fingerprint.add_part(&fs::read(file).ok()?);
        }
        (!files.is_empty()).then(|| fingerprint.finish())
    }

    /// Builds a program from a command such as `python3 gen.py 5` or `gen.cpp 5`. If the first word is a source file,
    /// it is compiled. No shell is involved.
    ///
    /// A command is the user's own tool, so it runs in the current folder and without a sandbox.
    ///
    /// # Errors
    ///
    /// See [`compile`](ProgramBuilder::compile); also returns `Usage` if the command cannot be split into words or its
    /// program is not found.
    pub fn compile_command(
        &self,
        command: &str,
        cancel: &CancelToken,
    ) -> std::result::Result<CompiledProgram, CompileError> {
        self.compile_command_with_options(command, &SourceOptions::default(), cancel)
    }

    /// Like [`compile_command`](ProgramBuilder::compile_command), with options.
    ///
    /// # Errors
    ///
    /// See [`compile_command`](ProgramBuilder::compile_command).
    pub fn compile_command_with_options(
        &self,
        command: &str,
        options: &SourceOptions,
        cancel: &CancelToken,
    ) -> std::result::Result<CompiledProgram, CompileError> {
        let split = command_line::split_words(command)?;
        let file = self.toolchain.environment().current_folder().join(&split[0]);
        let is_source = file.is_file() && Language::from_path(&file).is_some();
        // The name of a program is looked up in PATH, even if there is such a folder.
        let is_folder = split[0].contains('/') && file.is_dir();
        let mut built = if is_source || is_folder {
            self.build_program(Path::new(&split[0]), options, BuildVariant::Judged, true, cancel)?
        } else {
            self.resolve_command(command, &split[0], options, cancel)?
        };
        let arguments = || split[1..].iter().map(OsString::from);
        built.launch_spec.command.extend(arguments());
        if let Some(server) = &mut built.launch_spec.fork_server {
            server.command.extend(arguments());
        }
        built.launch_spec.directory = self.toolchain.environment().current_folder().join(&options.run_folder).into();
        built.launch_spec.sandbox = None;
        // It can read anything.
        built.identity = None;
        Ok(built.into_compiled(command.to_owned())?)
    }

    fn build_program(
        &self,
        source: &Path,
        options: &SourceOptions,
        variant: BuildVariant,
        is_own_tool: bool,
        cancel: &CancelToken,
    ) -> std::result::Result<BuiltProgram, CompileError> {
        let file = self.toolchain.environment().current_folder().join(source);
        let mut options = self.options.with_fallback(options);
        options
            .includes
            .iter_mut()
            .for_each(|folder| *folder = self.toolchain.environment().current_folder().join(&*folder));
        let entry_point = options.entry_points.get(source).cloned();
        let compile = |sources, options| {
            let (toolchain, shown, entry_point) = (&self.toolchain, source, entry_point.clone());
            CompileJob { toolchain, sources, options, variant, is_own_tool, entry_point, shown, cancel }.build_cached()
        };
        if file.is_dir() {
            let tree = SourceTree::from_folder(&file, source)?;
            if sources::has_scripts(&file) {
                return sources::build_scripted(&self.toolchain, &file, &tree, source, cancel);
            }
            let sources = ProgramSources::from_folder(&file, tree, source, entry_point.as_deref())?;
            return compile(sources, options);
        }
        let text = fs::read(&file).map_err(|cause| Error::unreadable_file(source, &cause))?;
        match Language::from_path(&file) {
            Some(language) if language.is_older_version(&text) => {
                Err(Error::usage_error(format!("`{}` is in Python 2", source.display())).into())
            }
            Some(language) => {
                let sources = ProgramSources::from_file(language, &file, text);
                compile(sources, options).map_err(|error| match error {
                    CompileError::Rejected { text, .. } if language.is_older_version_by_messages(&text) => {
                        let line = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
                        let help = format!("Python 3 reports: {}", line.trim());
                        Error::usage_error(format!("`{}` is in Python 2", source.display())).with_help(help).into()
                    }
                    error => error,
                })
            }
            None if is_executable(&file) && !is_windows_program(&text) => {
                let fork_server = is_elf_file(&text).then(|| self.toolchain.preload_spec(&file, cancel)).flatten();
                let mut fingerprint = Fingerprint::new();
                fingerprint.add_part(&text);
                let built = BuiltProgram::from_spec(LaunchSpec {
                    fork_server,
                    ..self.toolchain.launch_spec(vec![file.into()], false)
                });
                // A script can start and read anything.
                let identity = is_elf_file(&text).then(|| fingerprint.finish());
                Ok(BuiltProgram { identity, ..built })
            }
            None => Err(unknown_language_error(source, &text).into()),
        }
    }

    /// Resolves a command, looking its program up as a shell would. It inherits the whole environment.
    fn resolve_command(
        &self,
        command: &str,
        name: &str,
        options: &SourceOptions,
        cancel: &CancelToken,
    ) -> Result<BuiltProgram> {
        let path = self.toolchain.environment().find_executable(name).ok_or_else(|| {
            Error::usage_error(format!("cannot find the program `{name}` of the command `{command}`"))
                .with_help("programs are looked up in PATH; write `./name` for a program in the current folder")
        })?;
        let tools = LANGUAGES.iter().filter_map(|language| language.interpreter);
        let tool = tools.into_iter().find(|tool| tool.names.contains(&name));
        let words = vec![path.into()];
        let words = tool.map_or(Ok(words.clone()), |tool| self.toolchain.resolve_interpreter(tool, words, cancel))?;
        let mut environment = self.toolchain.environment().clone();
        if let Some(modules) = &options.modules {
            let own = environment.get_variable(PYTHON_MODULES_VARIABLE).map(std::env::split_paths);
            let folders: Vec<PathBuf> = own.into_iter().flatten().chain([modules.clone()]).collect();
            if let Ok(joined) = std::env::join_paths(folders) {
                environment = environment.with_variable(PYTHON_MODULES_VARIABLE, joined);
            }
        }
        let environment = environment.variables().to_vec();
        Ok(BuiltProgram::from_spec(LaunchSpec { environment, ..self.toolchain.launch_spec(words, false) }))
    }
}

/// Returns the files that a program with a single source consists of, by their paths relative to its folder: the source
/// and the files that it names, or a script and the files next to it.
///
/// # Errors
///
/// Returns an error if the source cannot be read.
pub fn read_program_files(source: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let text = fs::read(source).map_err(|cause| Error::unreadable_file(source, &cause))?;
    let Some(language) = Language::from_path(source) else {
        let name = PathBuf::from(source.file_name().unwrap_or_default());
        let mut files = BTreeMap::from([(name, text)]);
        if files.values().any(|text| text.starts_with(b"#!")) {
            files.extend(read_files_beside(source));
        }
        return Ok(files);
    };
    let mut sources = ProgramSources::from_file(language, source, text);
    sources.add_named_files(&[]);
    Ok(sources.files)
}

fn unknown_language_error(source: &Path, text: &[u8]) -> Error {
    let shown = source.display();
    if text.starts_with(b"#!") {
        return Error::usage_error(format!("`{shown}` is a script, but not executable"))
            .with_help(format!("make it executable: `chmod +x {shown}`"));
    }
    if is_windows_program(text) {
        return Error::usage_error(format!("`{shown}` is a Windows program"));
    }
    Error::usage_error(format!("cannot tell the language of `{shown}`"))
        .with_help(format!("name it {}, or make it executable", Language::all_extensions()))
}

/// Returns true for a Windows executable on another system, which no kernel there runs, whatever its permissions.
fn is_windows_program(text: &[u8]) -> bool {
    cfg!(not(windows)) && text.starts_with(b"MZ") && text.contains(&0)
}

fn is_elf_file(text: &[u8]) -> bool {
    text.starts_with(b"\x7fELF")
}
