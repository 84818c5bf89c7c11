//! From a source file, an executable or a command to a program.

use super::cache::BuildCache;
use super::compile::Work;
use super::compiler_sandbox::{CompilerSandbox, compiler_environment, has_sandbox};
use super::exec::{Exec, Recipe};
use super::fingerprint::Fingerprint;
use super::header::Header;
use super::isolation::Kernel;
use super::language::{LANGUAGES, Language, Tool};
use super::process::Ended;
use super::several::Prepared;
use super::sources::{self, Sources, Tree};
use super::spawner::Spawners;
use super::toolchain::is_executable;
use super::{
    Cancel, CompileError, CompileLimits, Compiled, Environment, Job, Limits, Program, SourceOptions, Variant, words,
};
use crate::diagnostic::{Error, Result};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tempfile::TempDir;

/// The limits of the user's own tools, such as the `build` of a package: what they do is their own affair, as long as it ends.
pub(super) const TOOL_LIMITS: Limits = Limits {
    cpu_time_limit_ms: 120_000,
    cpu_time_slack_ms: 30_000,
    wall_time_limit_ms: 900_000,
    memory_limit_bytes: u64::MAX,
    output_limit_bytes: 1 << 30,
};

/// The stack of a compiler's main thread: its own expectation of the source is less.
const COMPILER_STACK_BYTES: u64 = 256 << 20;

/// Makes programs. Any number of threads may use one, and any number of rebut processes the same cache.
///
/// Programs made from sources run in an empty folder that belongs to their builder, with an environment of
/// `PATH` and `LD_LIBRARY_PATH` (their interpreters and libraries are found through these), `LANG` (so that
/// text is UTF-8 everywhere), `ONLINE_JUDGE` (as judges set it), and `HOME` and `TMPDIR`, which name the empty folder: what the user has
/// configured can neither change a verdict nor be damaged. Where programs are started by a spawner, each run has
/// an empty folder of its own, and [walls](super::Layer) around it.
#[derive(Debug)]
pub struct Builder {
    environment: Environment,
    cache: BuildCache,
    folder: Arc<TempDir>,
    spawners: Arc<Spawners>,
    /// Tools that were looked for, by their variable.
    tools: Mutex<BTreeMap<&'static str, Vec<OsString>>>,
    header: Header,
    prepared: Prepared,
    compile_limits: CompileLimits,
    /// What goes before the options of each compilation.
    options: SourceOptions,
    requires_sandbox: bool,
}

impl Builder {
    /// A builder that finds compilers and its cache through this environment.
    ///
    /// # Errors
    ///
    /// `Operating`: no temporary folder can be made.
    pub fn new(environment: Environment) -> Result<Self> {
        let cache = BuildCache::open(&environment)?;
        let folder = TempDir::with_prefix("rebut-run-");
        let folder = folder.map_err(|cause| Error::io("make a folder in", &std::env::temp_dir(), &cause))?;
        let spawners = Arc::new(Spawners::new(environment.spawner(), folder.path(), environment.kernel_limits()));
        Ok(Builder {
            environment,
            cache,
            folder: Arc::new(folder),
            spawners,
            tools: Mutex::default(),
            header: Header::default(),
            prepared: Prepared::default(),
            compile_limits: CompileLimits::default(),
            options: SourceOptions::default(),
            requires_sandbox: false,
        })
    }

    /// The same with other limits for compilers.
    #[must_use]
    pub fn with_compile_limits(self, compile_limits: CompileLimits) -> Self {
        Builder { compile_limits, ..self }
    }

    /// The same with options that go before those of each compilation.
    #[must_use]
    pub fn with_source_options(self, options: SourceOptions) -> Self {
        Builder { options, ..self }
    }

    /// The same, refusing compilers that would run outside of the sandbox.
    #[must_use]
    pub fn requiring_sandbox(self) -> Self {
        Builder { requires_sandbox: true, ..self }
    }

    /// Returns these options behind those that go before them.
    #[must_use]
    pub fn complete_options(&self, options: &SourceOptions) -> SourceOptions {
        self.options.or(options)
    }

    /// Where builds are kept.
    pub fn cache_folder(&self) -> &Path {
        self.cache.root()
    }

    /// Makes a program of a source file, known by its extension, of an executable file, or of a folder: of the sources in
    /// it, or of its executable `build` and `run`.
    ///
    /// # Errors
    ///
    /// [`CompileError::Rejected`] if the compiler does not accept it. Else `Usage` for what is not there, is of no known
    /// language, or links to something outside its folder, `Operating` for a missing compiler and whatever the machine refuses,
    /// `Interrupted` when cancelled.
    pub fn compile(
        &self,
        source: &Path,
        variant: Variant,
        cancel: &Cancel,
    ) -> std::result::Result<Compiled, CompileError> {
        self.compile_including(source, &[], variant, cancel)
    }

    /// The same, with folders in which C and C++ sources find what they include: `testlib.h` may lie somewhere else.
    ///
    /// # Errors
    ///
    /// See [`compile`](Builder::compile).
    pub fn compile_including(
        &self,
        source: &Path,
        includes: &[&Path],
        variant: Variant,
        cancel: &Cancel,
    ) -> std::result::Result<Compiled, CompileError> {
        let includes = includes.iter().map(|folder| (*folder).to_owned()).collect();
        self.compile_with(source, &SourceOptions { includes, ..SourceOptions::default() }, variant, cancel)
    }

    /// The same with all options that there are.
    ///
    /// # Errors
    ///
    /// See [`compile`](Builder::compile).
    pub fn compile_with(
        &self,
        source: &Path,
        options: &SourceOptions,
        variant: Variant,
        cancel: &Cancel,
    ) -> std::result::Result<Compiled, CompileError> {
        if variant == Variant::Judged
            && let Some(prepared) = self.prepared.take(source, options)
        {
            return prepared;
        }
        let made = self.make(source, options, variant, cancel)?;
        Ok(made.into_compiled(source.display().to_string())?)
    }

    /// Makes a program of a command such as `python3 gen.py 5` or `gen.cpp 5`. If its first word is a source
    /// file, that is compiled. No shell is involved.
    ///
    /// A command is the user's own tool, so it runs in the current folder and without walls.
    ///
    /// # Errors
    ///
    /// See [`compile`](Builder::compile); further `Usage` if the command cannot be split into words, or its
    /// program is not found.
    pub fn command(&self, command: &str, cancel: &Cancel) -> std::result::Result<Compiled, CompileError> {
        let split = words::split(command)?;
        let file = self.environment.folder().join(&split[0]);
        let mut made = if file.is_file() && Language::of(&file).is_some() {
            self.make(Path::new(&split[0]), &SourceOptions::default(), Variant::Judged, cancel)?
        } else {
            self.found(command, &split[0], cancel)?
        };
        made.recipe.words.extend(split[1..].iter().map(OsString::from));
        made.recipe.directory = self.environment.folder().into();
        made.recipe.walls = None;
        Ok(made.into_compiled(command.to_owned())?)
    }

    fn make(
        &self,
        source: &Path,
        options: &SourceOptions,
        variant: Variant,
        cancel: &Cancel,
    ) -> std::result::Result<Made, CompileError> {
        let file = self.environment.folder().join(source);
        let mut options = self.options.or(options);
        options.includes.iter_mut().for_each(|folder| *folder = self.environment.folder().join(&*folder));
        if file.is_dir() {
            let tree = Tree::read(&file, source)?;
            if sources::has_scripts(&file) {
                return sources::make(self, &file, &tree, source, cancel);
            }
            let sources = Sources::of_folder(&file, tree, source)?;
            return Work { builder: self, sources, options, variant, shown: source, cancel }.build();
        }
        let text = fs::read(&file).map_err(|cause| Error::unreadable(source, &cause))?;
        match Language::of(&file) {
            Some(language) if language.is_older(&text) => {
                Err(Error::usage(format!("`{}` is in Python 2", source.display())).into())
            }
            Some(language) => {
                let sources = Sources::of_file(language, &file, text);
                Work { builder: self, sources, options, variant, shown: source, cancel }.build()
            }
            None if is_executable(&file) && !is_windows_program(&text) => {
                let warm = is_elf(&text).then(|| self.preloaded(&file, cancel)).flatten();
                let mut fingerprint = Fingerprint::new();
                fingerprint.add(&text);
                let made = Made::ready(Recipe { warm, ..self.recipe(vec![file.into()], false) });
                Ok(Made { identity: Some(fingerprint.finish()), ..made })
            }
            None => Err(unknown_language(source, &text).into()),
        }
    }

    /// A command whose program is found as a shell would find it. It keeps the whole environment.
    fn found(&self, command: &str, name: &str, cancel: &Cancel) -> Result<Made> {
        let path = self.environment.find(name).ok_or_else(|| {
            Error::usage(format!("cannot find the program `{name}` of the command `{command}`"))
                .with_help("it is looked for in the folders of PATH; write `./name` for one in the current folder")
        })?;
        let tools = LANGUAGES.iter().filter_map(|language| language.interpreter);
        let tool = tools.into_iter().find(|tool| tool.names.contains(&name));
        let words = vec![path.into()];
        let words = tool.map_or(Ok(words.clone()), |tool| self.interpreter(tool, words, cancel))?;
        let environment = self.environment.variables().to_vec();
        Ok(Made::ready(Recipe { environment, ..self.recipe(words, false) }))
    }

    /// How to run those words where and with what programs from sources are run.
    pub(super) fn recipe(&self, words: Vec<OsString>, limits_address_space: bool) -> Recipe {
        let folder = self.folder.path().as_os_str();
        let mut environment: Vec<(OsString, OsString)> = vec![
            ("LANG".into(), "C.UTF-8".into()),
            ("ONLINE_JUDGE".into(), "true".into()),
            ("HOME".into(), folder.to_owned()),
            ("TMPDIR".into(), folder.to_owned()),
        ];
        for name in ["PATH", "LD_LIBRARY_PATH"] {
            environment.extend(self.environment.get(name).map(|value| (name.into(), value.to_owned())));
        }
        let folders = [Some(Arc::clone(&self.folder)), self.cache.guard()].into_iter().flatten().collect();
        Recipe {
            words,
            environment,
            directory: folder.to_owned(),
            limits_address_space,
            stack_limit_bytes: u64::MAX,
            walls: None,
            spawners: Arc::clone(&self.spawners),
            warm: None,
            folders,
        }
    }

    /// Returns what the kernel offers of protection.
    pub(super) fn kernel(&self) -> Kernel {
        self.spawners.kernel()
    }

    /// Returns why there are no fork servers here.
    ///
    /// # Errors
    ///
    /// Returns the reason as an error.
    pub(super) fn can_copy(&self) -> std::result::Result<(), &'static str> {
        self.spawners.can_copy()
    }

    /// The environment.
    pub(super) fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Where builds are kept.
    pub(super) fn cache(&self) -> &BuildCache {
        &self.cache
    }

    /// Programs that were made before anybody asked for them.
    pub(super) fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    /// What is known of the compiled header.
    pub(super) fn known_header(&self) -> &Header {
        &self.header
    }

    /// The folder that goes when the builder and its programs do.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A compiler or interpreter as words, looked for once.
    pub(super) fn tool(&self, tool: &'static Tool, language: &str, cancel: &Cancel) -> Result<Vec<OsString>> {
        if let Some(words) = self.known_tools().get(tool.variable) {
            return Ok(words.clone());
        }
        let found = self.environment.tool(tool, language)?;
        let words = self.interpreter(tool, found, cancel)?;
        self.known_tools().insert(tool.variable, words.clone());
        Ok(words)
    }

    fn known_tools(&self) -> std::sync::MutexGuard<'_, BTreeMap<&'static str, Vec<OsString>>> {
        // What is stored is complete whenever the lock is free, even after a panic elsewhere.
        self.tools.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The interpreter itself where a script (as version managers install it) stands in for it.
    fn interpreter(&self, tool: &Tool, mut words: Vec<OsString>, cancel: &Cancel) -> Result<Vec<OsString>> {
        if !tool.whereabouts.is_empty() && is_script(Path::new(&words[0])) {
            let mut question = words.clone();
            question.extend(tool.whereabouts.iter().map(OsString::from));
            let answer = self.ask(question, cancel)?.filter(|path| is_executable(Path::new(path)));
            words[0] = answer.map_or_else(|| words[0].clone(), OsString::from);
        }
        Ok(words)
    }

    /// What a tool prints, without white space around it; `None` if it fails.
    pub(super) fn ask(&self, question: Vec<OsString>, cancel: &Cancel) -> Result<Option<String>> {
        let folder = self.folder.path();
        let ended = self.run_tool(question, folder, folder, cancel)?;
        let (answer, _) = ended.stdout.head(4096)?;
        Ok(ended.exit.is_success().then(|| String::from_utf8_lossy(&answer).trim().to_owned()))
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
        cancel: &Cancel,
    ) -> Result<Ended> {
        if self.requires_sandbox && !has_sandbox(&words) {
            return Err(outside_of_sandbox(&words));
        }
        let temporary = tempfile::tempdir_in(self.folder());
        let temporary = temporary.map_err(|cause| Error::io("make a folder in", self.folder(), &cause))?;
        let environment = compiler_environment(&self.environment, temporary.path()).with("GOCACHE", self.go_cache());
        let recipe = Recipe {
            environment: environment.variables().to_vec(),
            directory: directory.into(),
            walls: has_sandbox(&words).then(|| sandbox.walls()),
            stack_limit_bytes: COMPILER_STACK_BYTES,
            ..self.recipe(words, false)
        };
        Exec::new(recipe)?.execute(&Job::new(b"", &self.compile_limits.of_run()), cancel)
    }

    /// The folder in which Go keeps what it compiled of its own library.
    pub(super) fn go_cache(&self) -> PathBuf {
        self.cache.root().join("go")
    }

    /// The limits of compilers.
    pub fn compile_limits(&self) -> &CompileLimits {
        &self.compile_limits
    }

    /// Runs a tool of the user's, with the whole environment: it needs what it was installed with. What it leaves in its
    /// temporary folder goes with the build's.
    pub(super) fn run_tool(
        &self,
        words: Vec<OsString>,
        directory: &Path,
        temporary: &Path,
        cancel: &Cancel,
    ) -> Result<Ended> {
        let changed = (self.environment.clone())
            .with("LC_ALL", "C.UTF-8")
            .with("TMPDIR", temporary)
            .with("GO111MODULE", "off")
            .with("GOCACHE", self.go_cache());
        let recipe = Recipe {
            environment: changed.variables().to_vec(),
            directory: directory.into(),
            ..self.recipe(words, false)
        };
        Exec::new(recipe)?.execute(&Job::new(b"", &TOOL_LIMITS), cancel)
    }
}

/// A recipe, and where it comes from.
pub(super) struct Made {
    pub(super) recipe: Recipe,
    pub(super) language: Option<&'static Language>,
    pub(super) command: Option<String>,
    pub(super) compile_time_us: u64,
    pub(super) from_cache: bool,
    /// The older standard that it was compiled by, where the usual one did not do.
    pub(super) older_standard: Option<String>,
    /// The fingerprint of all that it was made of, where that is known.
    pub(super) identity: Option<String>,
}

impl Made {
    pub(super) fn ready(recipe: Recipe) -> Self {
        Made {
            recipe,
            language: None,
            command: None,
            compile_time_us: 0,
            from_cache: false,
            older_standard: None,
            identity: None,
        }
    }

    fn into_compiled(self, name: String) -> Result<Compiled> {
        let Made { recipe, language, command, compile_time_us, from_cache, older_standard, identity } = self;
        let program = Program::new(name, Exec::new(recipe)?);
        Ok(Compiled { program, language, command, compile_time_us, from_cache, older_standard, identity })
    }
}

fn outside_of_sandbox(compiler: &[OsString]) -> Error {
    let shown = compiler.first().map(Path::new).unwrap_or(Path::new("")).display();
    Error::operating(format!("isolation is required, and `{shown}` is a script, which has no sandbox"))
        .with_help("name the compiler that it starts in the environment, as in `CXX=/path/to/g++`")
}

fn unknown_language(source: &Path, text: &[u8]) -> Error {
    let shown = source.display();
    if text.starts_with(b"#!") {
        return Error::usage(format!("`{shown}` is a script, but not executable"))
            .with_help(format!("make it executable: `chmod +x {shown}`"));
    }
    if is_windows_program(text) {
        return Error::usage(format!("`{shown}` is a program for Windows"));
    }
    Error::usage(format!("cannot tell the language of `{shown}`"))
        .with_help(format!("name it {}, or make it executable", Language::all_extensions()))
}

/// Returns true for an executable of Windows, elsewhere: no kernel here runs it, whatever its permissions are.
fn is_windows_program(text: &[u8]) -> bool {
    cfg!(not(windows)) && text.starts_with(b"MZ") && text.contains(&0)
}

fn is_elf(text: &[u8]) -> bool {
    text.starts_with(b"\x7fELF")
}

pub(super) fn is_script(path: &Path) -> bool {
    let mut start = [0; 2];
    fs::File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok()) && start == *b"#!"
}
