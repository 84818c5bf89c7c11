//! The compilers and interpreters of this machine, and how they and the programs that they build are run.

use super::CompileLimits;
use super::cache::BuildCache;
use super::compiler_sandbox::{CompilerSandbox, MODULES_VARIABLE, can_be_sandboxed, compiler_environment};
use super::find_tool::find_tool;
use super::language::{Language, LanguageTool};
use crate::tuning::COMPILER_STACK_BYTES;
use rebut_diagnostics::{Error, Result};
use rebut_sandbox::{
    CancelToken, EndedProcess, HostEnvironment, KernelSupport, LaunchSpec, ProcessLauncher, ProcessRunner, RunJob,
    RunLimits, is_executable, is_script,
};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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

/// The trimmed output of a tool, or `None` if it failed.
type ToolAnswer = Option<String>;

/// An answer, once it is known. It is locked while the tool runs.
type AnswerCell = Arc<Mutex<Option<ToolAnswer>>>;

/// Finds tools and runs them, with a cache for what they build.
#[derive(Debug)]
pub(super) struct Toolchain {
    environment: HostEnvironment,
    cache: BuildCache,
    /// The cache of programs, if it is not the same.
    program_cache: Option<BuildCache>,
    folder: Arc<TempDir>,
    spawners: Arc<ProcessLauncher>,
    /// The answers of tools, by the command: each is queried once, also by threads that need it at the same time.
    answers: Mutex<BTreeMap<Vec<OsString>, AnswerCell>>,
    precompiled_header: PrecompiledHeader,
    pub(super) compile_limits: CompileLimits,
    /// Whether compilers that cannot be sandboxed are refused.
    pub(super) requires_sandbox: bool,
}

impl Toolchain {
    /// Creates a toolchain that finds compilers and its cache through this environment.
    ///
    /// # Errors
    ///
    /// Returns an `Operating` error if a temporary folder cannot be created.
    pub(super) fn new(environment: HostEnvironment) -> Result<Self> {
        let cache = BuildCache::open(&environment)?;
        let folder = TempDir::with_prefix("rebut-run-");
        let folder = folder.map_err(|cause| Error::io_error("make a folder in", &std::env::temp_dir(), &cause))?;
        let spawners =
            Arc::new(ProcessLauncher::new(environment.spawner_program(), folder.path(), environment.kernel_limits()));
        Ok(Toolchain {
            environment,
            cache,
            program_cache: None,
            folder: Arc::new(folder),
            spawners,
            answers: Mutex::default(),
            precompiled_header: PrecompiledHeader::default(),
            compile_limits: CompileLimits::default(),
            requires_sandbox: false,
        })
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
        let guards = [self.cache.temporary_guard(), self.program_cache().temporary_guard()];
        let folders = guards.into_iter().flatten().chain([Arc::clone(&self.folder)]).collect();
        LaunchSpec {
            command: words,
            environment,
            directory: folder.to_owned(),
            limits_address_space,
            stack_limit_bytes: u64::MAX,
            sandbox: None,
            spawners: Arc::clone(&self.spawners),
            own_files: None,
            fork_server: None,
            copies: None,
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

    pub(super) fn environment(&self) -> &HostEnvironment {
        &self.environment
    }

    pub(super) fn build_cache(&self) -> &BuildCache {
        &self.cache
    }

    pub(super) fn program_cache(&self) -> &BuildCache {
        self.program_cache.as_ref().unwrap_or(&self.cache)
    }

    /// Uses no program that was built before.
    ///
    /// # Errors
    ///
    /// Returns an `Operating` error if a temporary folder cannot be created.
    pub(super) fn forget_programs(&mut self) -> Result<()> {
        self.program_cache = Some(BuildCache::open_temporary()?);
        Ok(())
    }

    pub(super) fn precompiled_header(&self) -> &PrecompiledHeader {
        &self.precompiled_header
    }

    /// Returns the folder that is removed with the builder and its programs.
    pub(super) fn temporary_folder(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the command of a compiler or interpreter.
    pub(super) fn find_tool(
        &self,
        tool: &'static LanguageTool,
        language: &str,
        cancel: &CancelToken,
    ) -> Result<Vec<OsString>> {
        let found = find_tool(&self.environment, tool, language)?;
        self.resolve_interpreter(tool, found, cancel)
    }

    /// Returns the interpreter itself if the command is a wrapper script, as version managers install it.
    pub(super) fn resolve_interpreter(
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

    /// Queries a tool, or returns its earlier answer.
    pub(super) fn query_tool(&self, command: Vec<OsString>, cancel: &CancelToken) -> Result<ToolAnswer> {
        let cell = Arc::clone(lock_mutex(&self.answers).entry(command.clone()).or_default());
        let mut answer = lock_mutex(&cell);
        if answer.is_none() {
            let folder = self.folder.path();
            let ended = self.run_tool(command, folder, folder, cancel)?;
            let (output, messages) = ended.read_heads(4096)?;
            // Kotlin prints its version as a message, after a warning of its virtual machine.
            let text = if output.is_empty() { messages } else { output };
            *answer = Some(ended.exit.is_success().then(|| String::from_utf8_lossy(&text).trim().to_owned()));
        }
        Ok(answer.clone().flatten())
    }

    /// Returns the first line of the version of a tool, or `None` if it does not report one. `words` is its command.
    pub(super) fn query_version(
        &self,
        tool: &LanguageTool,
        mut words: Vec<OsString>,
        cancel: &CancelToken,
    ) -> Result<Option<String>> {
        words.push(tool.version_arg.into());
        let output = match self.query_tool(words, cancel) {
            Err(_) if !cancel.is_cancelled() => None,
            output => output?,
        };
        Ok(output.and_then(|text| text.lines().find(|line| !line.contains("warning")).map(str::to_owned)))
    }

    /// Returns the flags for static linking of a language, if the compiler finds the libraries for it.
    pub(super) fn static_flags(&self, language: &Language, cancel: &CancelToken) -> Result<Vec<OsString>> {
        let Some(link) = language.static_link else { return Ok(Vec::new()) };
        let Ok(compiler) = self.find_tool(link.probe_tool, language.name, cancel) else { return Ok(Vec::new()) };
        for library in link.libraries {
            let mut query = compiler.clone();
            query.push(format!("-print-file-name={library}").into());
            // For a missing library the compiler prints its bare name.
            let output = self.query_tool(query, cancel)?;
            if !output.is_some_and(|path| Path::new(&path).is_absolute()) {
                return Ok(Vec::new());
            }
        }
        Ok(link.flags.iter().map(OsString::from).collect())
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
        // GCC appends what it reads of several sources. It ignores the variable if there is an option for the same.
        if let Some(dependencies) = &sandbox.dependencies {
            environment = environment.with_variable("SUNPRO_DEPENDENCIES", dependencies);
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

/// Locks what is complete whenever the lock is free, even after a panic elsewhere.
pub(super) fn lock_mutex<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn sandbox_required_error(compiler: &[OsString]) -> Error {
    let shown = compiler.first().map(Path::new).unwrap_or(Path::new("")).display();
    Error::operating_error(format!("isolation is required, but `{shown}` is a script, which cannot be sandboxed"))
        .with_help("set the environment variable to the compiler that it starts, as in `CXX=/path/to/g++`")
}

// The state of the precompiled header.

/// The state of the precompiled header. Locked during its compilation, so that other threads wait for it.
#[derive(Debug, Default)]
pub(super) struct PrecompiledHeader(Mutex<HeaderState>);

#[derive(Debug, Default)]
pub(super) struct HeaderState {
    /// The include folders with the header, by fingerprint: one for each standard. `None` if it is not compiled yet.
    pub(super) folders: BTreeMap<String, Option<PathBuf>>,
    /// True if it is worth compiling: enough programs will use it.
    pub(super) may_compile: bool,
}

impl PrecompiledHeader {
    /// Allows the next thread that needs the header to compile it.
    pub(super) fn allow_compile(&self) {
        self.lock_state().may_compile = true;
    }

    pub(super) fn lock_state(&self) -> MutexGuard<'_, HeaderState> {
        lock_mutex(&self.0)
    }
}
