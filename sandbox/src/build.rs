//! Turns a source file, an executable or a command into a program.

use super::batch::PrecompiledPrograms;
use super::cache::BuildCache;
use super::compile::CompileJob;
use super::compiler_sandbox::{CompilerSandbox, MODULES_VARIABLE, can_be_sandboxed, compiler_environment};
use super::fingerprint::Fingerprint;
use super::host_environment::is_executable;
use super::language::{LANGUAGES, Language, LanguageTool};
use super::precompiled_header::PrecompiledHeader;
use super::process::EndedProcess;
use super::process_runner::{LaunchSpec, ProcessRunner};
use super::sandbox::KernelSupport;
use super::sources::{self, ProgramSources, SourceTree};
use super::spawner::ProcessLauncher;
use super::{
    BuildVariant, CancelToken, CompileError, CompileLimits, CompiledProgram, HostEnvironment, Program, RunJob,
    RunLimits, SourceOptions, command_line,
};
use rebut_diagnostics::{Error, Result};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tempfile::TempDir;

/// Limits of the user's own tools, such as the `build` script of a package: so generous that only a tool that hangs
/// reaches them.
pub(super) const TOOL_LIMITS: RunLimits = RunLimits {
    cpu_time_limit_ms: 120_000,
    cpu_time_slack_ms: 30_000,
    wall_time_limit_ms: 900_000,
    memory_limit_bytes: u64::MAX,
    output_limit_bytes: 1 << 30,
};

/// The variable that lists folders in which Python looks for modules.
pub(super) const PYTHON_MODULES_VARIABLE: &str = "PYTHONPATH";

/// The stack of a compiler's main thread; compilers ask for less themselves.
const COMPILER_STACK_BYTES: u64 = 256 << 20;

/// Builds programs. A builder can be shared by any number of threads, and its cache by any number of rebut processes.
///
/// Programs built from sources run in an empty folder that belongs to their builder. Their environment consists of
/// `PATH` and `LD_LIBRARY_PATH` (through which interpreters and libraries are found), `LANG` (so that text is UTF-8
/// everywhere), `ONLINE_JUDGE` (as judges set it), and `HOME` and `TMPDIR`, which name the empty folder: so the user's
/// configuration can neither affect a verdict nor be damaged. Where programs are started by a spawner, each run is
/// [sandboxed](super::SandboxLayer) and has an empty folder of its own.
#[derive(Debug)]
pub struct ProgramBuilder {
    environment: HostEnvironment,
    cache: BuildCache,
    folder: Arc<TempDir>,
    spawners: Arc<ProcessLauncher>,
    /// Tools that were looked up, by their environment variable.
    tools: Mutex<BTreeMap<&'static str, Vec<OsString>>>,
    precompiled_header: PrecompiledHeader,
    precompiled: PrecompiledPrograms,
    compile_limits: CompileLimits,
    /// Options that precede those of each compilation.
    options: SourceOptions,
    requires_sandbox: bool,
}

impl ProgramBuilder {
    /// Creates a builder that finds compilers and its cache through this environment.
    ///
    /// # Errors
    ///
    /// Returns an `Operating` error if a temporary folder cannot be created.
    pub fn new(environment: HostEnvironment) -> Result<Self> {
        let cache = BuildCache::open(&environment)?;
        let folder = TempDir::with_prefix("rebut-run-");
        let folder = folder.map_err(|cause| Error::io_error("make a folder in", &std::env::temp_dir(), &cause))?;
        let spawners =
            Arc::new(ProcessLauncher::new(environment.spawner_program(), folder.path(), environment.kernel_limits()));
        Ok(ProgramBuilder {
            environment,
            cache,
            folder: Arc::new(folder),
            spawners,
            tools: Mutex::default(),
            precompiled_header: PrecompiledHeader::default(),
            precompiled: PrecompiledPrograms::default(),
            compile_limits: CompileLimits::default(),
            options: SourceOptions::default(),
            requires_sandbox: false,
        })
    }

    /// Sets the limits of compilers.
    #[must_use]
    pub fn with_compile_limits(self, compile_limits: CompileLimits) -> Self {
        ProgramBuilder { compile_limits, ..self }
    }

    /// Sets options that precede those of each compilation.
    #[must_use]
    pub fn with_source_options(self, options: SourceOptions) -> Self {
        ProgramBuilder { options, ..self }
    }

    /// Refuses to run compilers that cannot be sandboxed.
    #[must_use]
    pub fn with_required_sandbox(self) -> Self {
        ProgramBuilder { requires_sandbox: true, ..self }
    }

    /// Returns these options, preceded by the builder's own.
    #[must_use]
    pub fn complete_options(&self, options: &SourceOptions) -> SourceOptions {
        self.options.with_fallback(options)
    }

    /// Returns the folder of the build cache.
    pub fn cache_folder(&self) -> &Path {
        self.cache.root_folder()
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
        let built = self.build_program(source, options, variant, cancel)?;
        Ok(built.into_compiled(source.display().to_string())?)
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
        let file = self.environment.current_folder().join(&split[0]);
        let mut built = if file.is_file() && Language::from_path(&file).is_some() {
            self.build_program(Path::new(&split[0]), options, BuildVariant::Judged, cancel)?
        } else {
            self.resolve_command(command, &split[0], options, cancel)?
        };
        let arguments = || split[1..].iter().map(OsString::from);
        built.launch_spec.command.extend(arguments());
        if let Some(server) = &mut built.launch_spec.fork_server {
            server.command.extend(arguments());
        }
        built.launch_spec.directory = self.environment.current_folder().into();
        built.launch_spec.sandbox = None;
        Ok(built.into_compiled(command.to_owned())?)
    }

    fn build_program(
        &self,
        source: &Path,
        options: &SourceOptions,
        variant: BuildVariant,
        cancel: &CancelToken,
    ) -> std::result::Result<BuiltProgram, CompileError> {
        let file = self.environment.current_folder().join(source);
        let mut options = self.options.with_fallback(options);
        options.includes.iter_mut().for_each(|folder| *folder = self.environment.current_folder().join(&*folder));
        if file.is_dir() {
            let tree = SourceTree::from_folder(&file, source)?;
            if sources::has_scripts(&file) {
                return sources::build_scripted(self, &file, &tree, source, cancel);
            }
            let sources = ProgramSources::from_folder(&file, tree, source)?;
            return CompileJob { builder: self, sources, options, variant, shown: source, cancel }.build_cached();
        }
        let text = fs::read(&file).map_err(|cause| Error::unreadable_file(source, &cause))?;
        match Language::from_path(&file) {
            Some(language) if language.is_older_version(&text) => {
                Err(Error::usage_error(format!("`{}` is in Python 2", source.display())).into())
            }
            Some(language) => {
                let sources = ProgramSources::from_file(language, &file, text);
                let built =
                    CompileJob { builder: self, sources, options, variant, shown: source, cancel }.build_cached();
                built.map_err(|error| match error {
                    CompileError::Rejected { text, .. } if language.is_older_version_by_messages(&text) => {
                        let line = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
                        let help = format!("Python 3 reports: {}", line.trim());
                        Error::usage_error(format!("`{}` is in Python 2", source.display())).with_help(help).into()
                    }
                    error => error,
                })
            }
            None if is_executable(&file) && !is_windows_program(&text) => {
                let fork_server = is_elf_file(&text).then(|| self.preload_spec(&file, cancel)).flatten();
                let mut fingerprint = Fingerprint::new();
                fingerprint.add_part(&text);
                let built =
                    BuiltProgram::from_spec(LaunchSpec { fork_server, ..self.launch_spec(vec![file.into()], false) });
                Ok(BuiltProgram { identity: Some(fingerprint.finish()), ..built })
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
        let path = self.environment.find_executable(name).ok_or_else(|| {
            Error::usage_error(format!("cannot find the program `{name}` of the command `{command}`"))
                .with_help("programs are looked up in PATH; write `./name` for a program in the current folder")
        })?;
        let tools = LANGUAGES.iter().filter_map(|language| language.interpreter);
        let tool = tools.into_iter().find(|tool| tool.names.contains(&name));
        let words = vec![path.into()];
        let words = tool.map_or(Ok(words.clone()), |tool| self.resolve_interpreter(tool, words, cancel))?;
        let mut environment = self.environment.clone();
        if let Some(modules) = &options.modules {
            let own = environment.get_variable(PYTHON_MODULES_VARIABLE).map(std::env::split_paths);
            let folders: Vec<PathBuf> = own.into_iter().flatten().chain([modules.clone()]).collect();
            if let Ok(joined) = std::env::join_paths(folders) {
                environment = environment.with_variable(PYTHON_MODULES_VARIABLE, joined);
            }
        }
        let environment = environment.variables().to_vec();
        Ok(BuiltProgram::from_spec(LaunchSpec { environment, ..self.launch_spec(words, false) }))
    }

    /// Returns how to run a command in the folder and with the environment of programs built from sources.
    pub(super) fn launch_spec(&self, words: Vec<OsString>, limits_address_space: bool) -> LaunchSpec {
        let folder = self.folder.path().as_os_str();
        let mut environment: Vec<(OsString, OsString)> = vec![
            ("LANG".into(), "C.UTF-8".into()),
            ("ONLINE_JUDGE".into(), "true".into()),
            ("HOME".into(), folder.to_owned()),
            ("TMPDIR".into(), folder.to_owned()),
        ];
        for name in ["PATH", "LD_LIBRARY_PATH"] {
            environment.extend(self.environment.get_variable(name).map(|value| (name.into(), value.to_owned())));
        }
        let folders = [Some(Arc::clone(&self.folder)), self.cache.temporary_guard()].into_iter().flatten().collect();
        LaunchSpec {
            command: words,
            environment,
            directory: folder.to_owned(),
            limits_address_space,
            stack_limit_bytes: u64::MAX,
            sandbox: None,
            spawners: Arc::clone(&self.spawners),
            fork_server: None,
            kept_folders: folders,
        }
    }

    /// Returns the sandbox features of the kernel.
    pub(super) fn kernel_support(&self) -> KernelSupport {
        self.spawners.kernel_support()
    }

    /// Checks that fork servers are supported.
    ///
    /// # Errors
    ///
    /// Returns the reason if they are not.
    pub(super) fn check_fork_support(&self) -> std::result::Result<(), &'static str> {
        self.spawners.check_fork_support()
    }

    /// Returns the environment.
    pub(super) fn environment(&self) -> &HostEnvironment {
        &self.environment
    }

    /// Returns the build cache.
    pub(super) fn build_cache(&self) -> &BuildCache {
        &self.cache
    }

    /// Returns the programs that were compiled ahead of time.
    pub(super) fn precompiled_programs(&self) -> &PrecompiledPrograms {
        &self.precompiled
    }

    /// Returns the state of the precompiled header.
    pub(super) fn precompiled_header(&self) -> &PrecompiledHeader {
        &self.precompiled_header
    }

    /// Returns the folder that is removed with the builder and its programs.
    pub(super) fn temporary_folder(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the command of a compiler or interpreter, looked up once.
    pub(super) fn find_tool(
        &self,
        tool: &'static LanguageTool,
        language: &str,
        cancel: &CancelToken,
    ) -> Result<Vec<OsString>> {
        if let Some(words) = self.lock_tools().get(tool.variable) {
            return Ok(words.clone());
        }
        let found = self.environment.find_tool(tool, language)?;
        let words = self.resolve_interpreter(tool, found, cancel)?;
        self.lock_tools().insert(tool.variable, words.clone());
        Ok(words)
    }

    fn lock_tools(&self) -> std::sync::MutexGuard<'_, BTreeMap<&'static str, Vec<OsString>>> {
        // The stored map is complete whenever the lock is free, even after a panic elsewhere.
        self.tools.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the interpreter itself if the command is a wrapper script, as version managers install it.
    fn resolve_interpreter(
        &self,
        tool: &LanguageTool,
        mut words: Vec<OsString>,
        cancel: &CancelToken,
    ) -> Result<Vec<OsString>> {
        if !tool.path_query_args.is_empty() && is_script(Path::new(&words[0])) {
            let mut query = words.clone();
            query.extend(tool.path_query_args.iter().map(OsString::from));
            let output = self.query_tool(query, cancel)?.filter(|path| is_executable(Path::new(path)));
            words[0] = output.map_or_else(|| words[0].clone(), OsString::from);
        }
        Ok(words)
    }

    /// Returns the trimmed output of a tool, or `None` if it fails.
    pub(super) fn query_tool(&self, command: Vec<OsString>, cancel: &CancelToken) -> Result<Option<String>> {
        let folder = self.folder.path();
        let ended = self.run_tool(command, folder, folder, cancel)?;
        let (output, _) = ended.stdout.read_head(4096)?;
        Ok(ended.exit.is_success().then(|| String::from_utf8_lossy(&output).trim().to_owned()))
    }

    /// Runs a compiler in its sandbox, in the folder of the sources.
    ///
    /// # Errors
    ///
    /// Returns an error if the compiler cannot be started, or if the work was cancelled.
    pub(super) fn run_compiler(
        &self,
        words: Vec<OsString>,
        directory: &Path,
        sandbox: &CompilerSandbox,
        cancel: &CancelToken,
    ) -> Result<EndedProcess> {
        if self.requires_sandbox && !can_be_sandboxed(&words) {
            return Err(sandbox_required_error(&words));
        }
        let temporary = tempfile::tempdir_in(self.temporary_folder());
        let temporary =
            temporary.map_err(|cause| Error::io_error("make a folder in", self.temporary_folder(), &cause))?;
        let mut environment =
            compiler_environment(&self.environment, temporary.path()).with_variable("GOCACHE", self.go_cache());
        if let Some(modules) = sandbox.modules() {
            environment = environment.with_variable(MODULES_VARIABLE, modules);
        }
        let launch_spec = LaunchSpec {
            environment: environment.variables().to_vec(),
            directory: directory.into(),
            sandbox: can_be_sandboxed(&words).then(|| sandbox.to_policy()),
            stack_limit_bytes: COMPILER_STACK_BYTES,
            ..self.launch_spec(words, false)
        };
        ProcessRunner::new(launch_spec)?.execute_job(&RunJob::new(b"", &self.compile_limits.to_run_limits()), cancel)
    }

    /// Returns the folder in which Go caches its compiled standard library.
    pub(super) fn go_cache(&self) -> PathBuf {
        self.cache.root_folder().join("go")
    }

    /// Returns the limits of compilers.
    pub fn compile_limits(&self) -> &CompileLimits {
        &self.compile_limits
    }

    /// Runs a tool of the user with the whole environment, which its installation can depend on. Its temporary files
    /// are removed with the build's.
    pub(super) fn run_tool(
        &self,
        words: Vec<OsString>,
        directory: &Path,
        temporary: &Path,
        cancel: &CancelToken,
    ) -> Result<EndedProcess> {
        let changed = (self.environment.clone())
            .with_variable("LC_ALL", "C.UTF-8")
            .with_variable("TMPDIR", temporary)
            .with_variable("GO111MODULE", "off")
            .with_variable("GOCACHE", self.go_cache());
        let launch_spec = LaunchSpec {
            environment: changed.variables().to_vec(),
            directory: directory.into(),
            ..self.launch_spec(words, false)
        };
        ProcessRunner::new(launch_spec)?.execute_job(&RunJob::new(b"", &TOOL_LIMITS), cancel)
    }
}

/// A launch specification and the origin of the program.
pub(super) struct BuiltProgram {
    pub(super) launch_spec: LaunchSpec,
    pub(super) language: Option<&'static Language>,
    pub(super) command: Option<String>,
    pub(super) compile_time_us: u64,
    pub(super) from_cache: bool,
    /// The older language standard that it was compiled with, if the default one failed.
    pub(super) older_standard: Option<String>,
    /// The fingerprint of all inputs of the build, where it is known.
    pub(super) identity: Option<String>,
}

impl BuiltProgram {
    pub(super) fn from_spec(launch_spec: LaunchSpec) -> Self {
        BuiltProgram {
            launch_spec,
            language: None,
            command: None,
            compile_time_us: 0,
            from_cache: false,
            older_standard: None,
            identity: None,
        }
    }

    fn into_compiled(self, name: String) -> Result<CompiledProgram> {
        let BuiltProgram { launch_spec, language, command, compile_time_us, from_cache, older_standard, identity } =
            self;
        let program = Program::new(name, ProcessRunner::new(launch_spec)?);
        Ok(CompiledProgram {
            program,
            language,
            command,
            compile_time_us,
            is_from_cache: from_cache,
            older_standard,
            build_identity: identity,
        })
    }
}

fn sandbox_required_error(compiler: &[OsString]) -> Error {
    let shown = compiler.first().map(Path::new).unwrap_or(Path::new("")).display();
    Error::operating_error(format!("isolation is required, but `{shown}` is a script, which cannot be sandboxed"))
        .with_help("set the environment variable to the compiler that it starts, as in `CXX=/path/to/g++`")
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

pub(super) fn is_script(path: &Path) -> bool {
    let mut start = [0; 2];
    fs::File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok()) && start == *b"#!"
}
