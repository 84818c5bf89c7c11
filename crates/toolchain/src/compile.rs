//! Compiles the sources of a program, or finds the result in the cache.

use super::built_program::BuiltProgram;
use super::compiler_failure::CompilerFailure;
use super::compiler_sandbox::{CompilerSandbox, configuring_variables, list_headers};
use super::fingerprint::{Fingerprint, join_fingerprints};
use super::fork_server::{CAN_RUN_IN_PLACE, WRAPPED_FUNCTIONS};
use super::java::JavaOutline;
use super::language::{ForkServerKind, PYTHON_CHECK, PYTHON_SYNTAX_CHECK, split_command, standard_flag};
use super::recorded_reads::{DEPENDENCIES_FILE, add_dependency, seal_build};
use super::sources::{COPIES_FOLDER, ProgramSources, data_files, missing_entry_point};
use super::toolchain::{PYTHON_MODULES_VARIABLE, Toolchain};
use super::{
    BuildVariant, CompileError, Language, LanguageTool, SourceOptions, command_line, fork_server, precompiled_header,
};
use crate::tuning::SANITIZER_STACK_BYTES;
use rebut_diagnostics::{Error, Result};
use rebut_sandbox::{CancelToken, ForkServerSpec, LaunchSpec, ReadablePaths, SandboxPolicy, StopReason, is_script};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

type CompileResult<T> = std::result::Result<T, CompileError>;

/// A failed compilation.
struct FailedAttempt {
    error: CompileError,
    /// True if compiling once more in another way is worthwhile: the compiler rejected the source.
    is_repeatable: bool,
}

impl From<Error> for FailedAttempt {
    fn from(error: Error) -> Self {
        FailedAttempt { error: error.into(), is_repeatable: false }
    }
}

/// Flags that depend on this machine; empty where a feature is missing.
#[derive(Clone, Default)]
struct CompileFlags {
    /// Flags that link statically.
    link: Vec<OsString>,
    /// Flags that turn the program into a fork server.
    fork_server: Vec<OsString>,
    /// The object that they link, if there is one.
    server_object: Option<ServerObject>,
    /// Flags that add the folder of a precompiled header.
    header: Vec<OsString>,
    /// The folder with what is linked into programs with counters, if they are wanted.
    counters: Option<PathBuf>,
    /// The language standard, empty if the language has none to choose.
    standard: &'static str,
}

/// The object that turns a program into a fork server.
#[derive(Clone)]
struct ServerObject {
    path: PathBuf,
    /// True if copies of the program can run it in place.
    runs_in_place: bool,
}

impl CompileFlags {
    /// Returns a word of a command with the folder of counters and that of the results filled in.
    fn expand_folders(&self, word: &str, folder: &Path) -> OsString {
        let word = expand_results(word, folder);
        match &self.counters {
            Some(counters) => word.replace("{counters}", &counters.display().to_string()).into(),
            None => word.into(),
        }
    }
}

/// The file in a build's folder that names an older standard, if the default one failed.
const OLDER_STANDARD_FILE: &str = "standard";

/// The folder in a build's folder with copies of the Java sources that a source needs in addition.
const NEIGHBOURS_FOLDER: &str = "neighbours";

/// Options of the sanitizers. Leaks are no fault in a contest; an abort (an assertion or an uncaught exception) must
/// report its location too.
const SANITIZER_ENVIRONMENT: &[(&str, &str)] = &[
    (
        "ASAN_OPTIONS",
        "detect_leaks=0:handle_abort=1:color=never:detect_stack_use_after_return=1:allocator_may_return_null=0",
    ),
    ("UBSAN_OPTIONS", "print_stacktrace=1:color=never"),
];

/// The compilation of a program.
pub(super) struct CompileJob<'a> {
    pub(super) toolchain: &'a Toolchain,
    pub(super) sources: ProgramSources,
    /// Include folders, as absolute paths, and chosen language standards.
    pub(super) options: SourceOptions,
    pub(super) variant: BuildVariant,
    /// True for the user's own tool, which its interpreter reads in place.
    pub(super) is_own_tool: bool,
    /// The file or class to start, if it is stated.
    pub(super) entry_point: Option<String>,
    /// The source, or the folder of sources, as the user named it.
    pub(super) shown: &'a Path,
    pub(super) cancel: &'a CancelToken,
}

impl CompileJob<'_> {
    /// Finds the program in the cache, or compiles it into the cache.
    ///
    /// # Errors
    ///
    /// See [`ProgramBuilder::compile`](super::ProgramBuilder::compile).
    pub(super) fn build_cached(mut self) -> CompileResult<BuiltProgram> {
        let template = &self.command_template()?;
        self.sources.add_named_files(&self.options.includes);
        let compiler = self.toolchain.find_tool(self.language().compiler, self.language().name, self.cancel)?;
        let standard = self.candidate_standards().first().copied().unwrap_or_default();
        let link = self.static_flags(template)?;
        let server_object = self.find_server_object(!link.is_empty());
        let fork_server = server_object.as_ref().map_or_else(Vec::new, |object| self.fork_server_flags(object));
        let counters = self.counters_folder()?;
        let flags = CompileFlags { link, fork_server, server_object, header: Vec::new(), counters, standard };
        let name = self.build_fingerprint(template, &compiler, &flags);
        let found = self.toolchain.program_cache().find_sealed(&name, &self.sources.folder);
        let from_cache = found.is_some();
        let (folder, reads, compile_time_us) = match found {
            Some((folder, reads)) => (folder, reads, 0),
            None => {
                let stage = self.toolchain.program_cache().create_staging()?;
                let flags = CompileFlags { header: self.header_flags(standard, &compiler), ..flags.clone() };
                let time_us = self.compile_with_fallback(stage.path(), template, &compiler, flags)?;
                let reads = seal_build(stage.path(), &self.sources.folder, |path| self.is_known_source(path))?;
                (self.toolchain.program_cache().store_build(stage, &name)?, reads, time_us)
            }
        };
        let launch_spec = self.launch_spec(&folder, flags.server_object.is_some_and(|object| object.runs_in_place))?;
        let language = Some(self.language());
        let older_standard = fs::read_to_string(folder.join(OLDER_STANDARD_FILE)).ok();
        let command = self.displayed_command(template, &flags.link, older_standard.as_deref().unwrap_or(standard));
        Ok(BuiltProgram {
            launch_spec,
            language,
            command: Some(command),
            compile_time_us,
            from_cache,
            older_standard,
            identity: Some(join_fingerprints(&name, &reads)),
            folder: Some(folder),
        })
    }

    fn command_template(&self) -> Result<Vec<&'static str>> {
        let language = self.language();
        let (command, missing) = match self.variant {
            BuildVariant::Judged => (Some(language.compile), ""),
            BuildVariant::Sanitized => (language.sanitize, "sanitizers are not available for"),
            BuildVariant::Counted => (language.count, "work is not counted in"),
        };
        let missing = || Error::usage_error(format!("{missing} {} programs", language.name));
        command.map(split_command).ok_or_else(missing)
    }

    /// Returns the folder with what is linked into programs with counters, if this is one.
    fn counters_folder(&self) -> CompileResult<Option<PathBuf>> {
        if self.variant != BuildVariant::Counted {
            return Ok(None);
        }
        let missing = || CompileError::Rejected {
            command: format!("{} counters.c", self.language().compiler.names[0]),
            text: "what counts the work of a program cannot be compiled".to_owned(),
        };
        self.toolchain.counters_folder(self.cancel).map(Some).ok_or_else(missing)
    }

    /// Returns the flags for static linking, if this variant is linked statically and the libraries are installed.
    fn static_flags(&self, template: &[&str]) -> Result<Vec<OsString>> {
        match template.contains(&"{static}") {
            true => self.toolchain.static_flags(self.language(), self.cancel),
            false => Ok(Vec::new()),
        }
    }

    /// Returns the object that turns the program into a fork server, if it can be compiled. Copies run it in place if the
    /// functions of the C library that it calls are in the program, and have not been replaced by those that count work.
    fn find_server_object(&self, is_static: bool) -> Option<ServerObject> {
        let (BuildVariant::Judged | BuildVariant::Counted, Some(ForkServerKind::LinkedObject(_))) =
            (self.variant, self.language().fork_server)
        else {
            return None;
        };
        let find = |runs_in_place| {
            let path = self.toolchain.fork_server_object(runs_in_place, self.cancel)?;
            Some(ServerObject { path, runs_in_place })
        };
        let can_run_in_place = CAN_RUN_IN_PLACE && is_static && self.variant == BuildVariant::Judged;
        can_run_in_place.then(|| find(true)).flatten().or_else(|| find(false))
    }

    /// Returns the flags that turn the program into a fork server. The object's path contains a hash of its contents, so
    /// a program that is linked with another version has another fingerprint.
    fn fork_server_flags(&self, object: &ServerObject) -> Vec<OsString> {
        let Some(ForkServerKind::LinkedObject(flags)) = self.language().fork_server else { return Vec::new() };
        let path = object.path.display().to_string();
        let functions = if object.runs_in_place { WRAPPED_FUNCTIONS } else { &[] };
        let wrap: String = functions.iter().map(|name| format!(",--wrap={name}")).collect();
        let flags = flags.split(' ').filter(|flag| !wrap.is_empty() || !flag.contains("{wrap}"));
        flags.map(|flag| flag.replace("{object}", &path).replace("{wrap}", &wrap).into()).collect()
    }

    /// Returns the flags through which the compiler finds a precompiled header, if the source begins with that header.
    fn header_flags(&self, standard: &str, compiler: &[OsString]) -> Vec<OsString> {
        let is_plain = self.variant == BuildVariant::Judged && !self.sources.is_folder;
        if !is_plain
            || !precompiled_header::starts_with_header(self.language(), self.sources.text())
            || precompiled_header::has_own_header(&self.options.includes)
        {
            return Vec::new();
        }
        let folder = self.toolchain.find_precompiled_header(self.language(), standard, compiler, self.cancel);
        folder.map_or_else(Vec::new, |folder| vec!["-I".into(), folder.into()])
    }

    fn build_fingerprint(&self, template: &[&str], compiler: &[OsString], flags: &CompileFlags) -> String {
        let mut fingerprint = Fingerprint::new();
        fingerprint.add_word(self.sources.main.as_os_str());
        fingerprint.add_part(&[u8::from(self.is_read_as_copy())]);
        template.iter().for_each(|word| fingerprint.add_part(word.as_bytes()));
        flags.link.iter().for_each(|word| fingerprint.add_word(word));
        // The folder of the cache does not count, so that users of a machine have the same fingerprints.
        let root = self.toolchain.build_cache().root_folder().display().to_string();
        for word in &flags.fork_server {
            fingerprint.add_part(word.to_string_lossy().replace(&root, "").as_bytes());
        }
        // Its name is a hash of its contents.
        flags.counters.iter().filter_map(|folder| folder.file_name()).for_each(|name| fingerprint.add_word(name));
        fingerprint.add_compiler(compiler);
        let interpreter = self.language().interpreter.map(|tool| self.find_tool_words(tool));
        interpreter.iter().flatten().for_each(|words| fingerprint.add_compiler(words));
        fingerprint.add_words(configuring_variables(self.toolchain.environment()));
        fingerprint.add_words(list_headers(self.toolchain.environment()).iter().map(|path| path.as_os_str()));
        self.candidate_standards().iter().for_each(|standard| fingerprint.add_part(standard.as_bytes()));
        self.entry_point.iter().for_each(|entry_point| fingerprint.add_part(entry_point.as_bytes()));
        if let Some(name) = self.options.modules.as_deref().and_then(Path::file_name) {
            fingerprint.add_part(b"modules");
            fingerprint.add_word(name);
        }
        fingerprint.add_files(&self.sources.files);
        // Folders count by their contents, so that another checkout has the same fingerprint.
        self.sources.headers.iter().for_each(|files| fingerprint.add_files(files));
        fingerprint.finish()
    }

    /// Returns the command of a tool of the language, or `None` if it is missing.
    fn find_tool_words(&self, tool: &'static LanguageTool) -> Option<Vec<OsString>> {
        self.toolchain.find_tool(tool, self.language().name, self.cancel).ok()
    }

    /// Returns true if a path that the compiler read is a file with its contents in the fingerprint.
    fn is_known_source(&self, path: &Path) -> bool {
        let is_own = |path: &Path| self.sources.files.contains_key(path.strip_prefix(".").unwrap_or(path));
        let own = path.strip_prefix(&self.sources.folder).unwrap_or(path);
        let mut headers = self.options.includes.iter().zip(&self.sources.headers);
        is_own(own)
            || headers.any(|(folder, files)| path.strip_prefix(folder).is_ok_and(|name| files.contains_key(name)))
    }

    /// Returns true if copies of the sources are read: by an interpreter, so that it sees nothing else beside them, or by a
    /// compiler that writes beside them.
    fn is_read_as_copy(&self) -> bool {
        let Language { run, compile, .. } = self.language();
        (run.contains("{source}") || compile.contains("{copy}")) && !self.is_own_tool
    }

    fn language(&self) -> &'static Language {
        self.sources.language
    }

    /// Returns the standards to try: the chosen one, or those of the language.
    fn candidate_standards(&self) -> Vec<&'static str> {
        match self.options.standard_for(self.language().name) {
            Some(chosen) => vec![chosen],
            None => self.language().standards.to_vec(),
        }
    }

    fn displayed_command(&self, template: &[&str], static_flags: &[OsString], standard: &str) -> String {
        let tool = self.toolchain.environment().get_variable(self.language().compiler.variable);
        let names = self.language().compiler.names;
        let found = names.iter().find(|name| self.toolchain.environment().find_executable(name).is_some());
        let stem = Path::new(self.shown.file_stem().unwrap_or_default()).display().to_string();
        let mut shown: Vec<String> = Vec::new();
        for word in template {
            match *word {
                "{tool}" => {
                    let tool = tool.map(|tool| tool.to_string_lossy().into_owned());
                    shown.push(tool.unwrap_or_else(|| found.unwrap_or(&names[0]).to_string()));
                    shown.extend(self.include_flags(self.shown).iter().map(|flag| flag.to_string_lossy().into_owned()));
                }
                "{static}" => shown.extend(static_flags.iter().map(|flag| flag.to_string_lossy().into_owned())),
                "{std}" => shown.push(standard_flag(standard)),
                // It does not change what the program means, and the user does not have the object.
                "{serve}" | "{reads}" | "{alone}" => {}
                PYTHON_CHECK => shown.push(PYTHON_SYNTAX_CHECK.to_owned()),
                "{source}" | "{copy}" if !self.sources.is_folder => shown.push(self.shown.display().to_string()),
                "{source}" | "{copy}" => shown
                    .extend(self.sources.compiled_files.iter().map(|name| self.shown.join(name).display().to_string())),
                _ => shown.push(word.replace("{program}", &stem).replace("{folder}", ".")),
            }
        }
        command_line::join_words(shown.iter().map(String::as_str))
    }

    /// Compiles with the first standard. If the compiler rejects the source for a reason that can depend on the
    /// standard, compiles with older ones, and stores the one that worked with the build.
    fn compile_with_fallback(
        &self,
        stage: &Path,
        template: &[&str],
        compiler: &[OsString],
        flags: CompileFlags,
    ) -> CompileResult<u64> {
        let attempt = |flags: CompileFlags| {
            let command = self.displayed_command(template, &flags.link, flags.standard);
            self.compile_with_speedups(stage, template, compiler, flags, &command)
        };
        let first = match attempt(flags.clone()) {
            Err(refused) if refused.may_depend_on_standard() => refused,
            result => return result.map_err(|refused| refused.error),
        };
        let older: Vec<&str> = self.candidate_standards().into_iter().skip(1).collect();
        let with_older = |standard| attempt(CompileFlags { header: Vec::new(), standard, ..flags.clone() });
        // If the newest and the oldest standard fail with the same error, it does not depend on the standard; most
        // often it is a typo.
        if let [_, .., oldest] = older[..]
            && with_older(oldest).is_err_and(|refused| refused.first_error() == first.first_error())
        {
            return Err(first.error);
        }
        for standard in older {
            match with_older(standard) {
                Ok(time_us) => {
                    let note = stage.join(OLDER_STANDARD_FILE);
                    fs::write(&note, standard).map_err(|cause| Error::io_error("write", &note, &cause))?;
                    return Ok(time_us);
                }
                Err(refused) if refused.is_repeatable => {}
                Err(refused) => return Err(refused.error),
            }
        }
        Err(first.error)
    }

    /// Compiles with all options that speed up compiling or running, and again without those that cause an error. An
    /// error with a precompiled header is reproduced without it, to get the compiler's usual messages.
    fn compile_with_speedups(
        &self,
        stage: &Path,
        template: &[&str],
        compiler: &[OsString],
        mut flags: CompileFlags,
        command: &str,
    ) -> std::result::Result<u64, FailedAttempt> {
        let mut result = self.compile_into(stage, template, compiler, &flags, command);
        if !flags.header.is_empty() && result.as_ref().is_err_and(|attempt| attempt.is_repeatable) {
            flags.header.clear();
            result = self.compile_into(stage, template, compiler, &flags, command);
        }
        if !flags.fork_server.is_empty() && result.as_ref().is_err_and(FailedAttempt::blames_fork_server) {
            flags.fork_server.clear();
            result = self.compile_into(stage, template, compiler, &flags, command);
        }
        // A Java source that compiles alone is not affected by a neighbour with the name of a library class.
        let has_neighbours = template.contains(&"{alone}") && !self.sources.is_folder && self.sources.files.len() > 1;
        if has_neighbours && result.as_ref().is_err_and(|attempt| attempt.is_repeatable) {
            self.sources.write_copies(&stage.join(NEIGHBOURS_FOLDER), |name| name != self.sources.main)?;
            result = self.compile_into(stage, template, compiler, &flags, command).or(result);
        }
        result
    }

    /// Compiles in the source's own folder under its bare name, so that neither messages nor the program depend on the
    /// folder's path. Returns the elapsed time in microseconds.
    fn compile_into(
        &self,
        stage: &Path,
        template: &[&str],
        compiler: &[OsString],
        flags: &CompileFlags,
        command: &str,
    ) -> std::result::Result<u64, FailedAttempt> {
        if let Some(name) = self.sources.compiled_files.iter().find(|name| is_options_file(name)) {
            return Err(FailedAttempt::rejected_name(command, name));
        }
        let copies = stage.join(COPIES_FOLDER);
        let directory = if self.is_read_as_copy() { &copies } else { &self.sources.folder };
        if self.is_read_as_copy() {
            self.sources.write_copies(&copies, |_| true)?;
        }
        let sources = self.source_arguments(stage)?;
        let mut words = Vec::new();
        for word in template {
            match *word {
                "{tool}" => {
                    words.extend_from_slice(compiler);
                    words.extend_from_slice(&flags.header);
                    words.extend(self.include_flags(Path::new(".")));
                }
                "{std}" => words.push(standard_flag(flags.standard).into()),
                "{static}" => words.extend_from_slice(&flags.link),
                "{serve}" => words.extend_from_slice(&flags.fork_server),
                "{source}" | "{copy}" => words.extend_from_slice(&sources),
                "{reads}" => words.extend(self.recording_flags(&stage.join(DEPENDENCIES_FILE))),
                "{alone}" => {
                    let neighbours = stage.join(NEIGHBOURS_FOLDER);
                    words.extend(["-cp".into(), stage.into(), "-sourcepath".into(), neighbours.into()]);
                }
                _ => words.push(flags.expand_folders(word, stage)),
            }
        }
        let sandbox = self.compiler_sandbox(stage, compiler, flags);
        let ended = self.toolchain.run_compiler(words, directory, &sandbox, self.cancel)?;
        if ended.exit.is_success() && ended.stop == StopReason::Ended {
            make_executable(&program_path(stage))?;
            self.remove_shadowed_copies(stage);
            // GCC does not list a precompiled header, nor the headers in it.
            if let Some(header) = flags.header.last() {
                add_dependency(stage, &precompiled_header::compiled_header_path(Path::new(header)))?;
            }
            return Ok(ended.wall_time_us);
        }
        let failure = CompilerFailure {
            process: &ended,
            command,
            folder: stage,
            limits: &self.toolchain.compile_limits.to_run_limits(),
            find_refused_paths: &|text| sandbox.find_refused_paths(text, directory),
        };
        let is_repeatable = failure.reached_limit()?.is_none();
        Err(FailedAttempt { error: failure.into_error()?, is_repeatable })
    }

    /// Returns the options that make the compiler write a file with what it read.
    fn recording_flags(&self, file: &Path) -> Vec<OsString> {
        match self.language().name {
            "Rust" => vec![format!("--emit=link,dep-info={}", file.display()).into()],
            // The folder of a tool can be large, and it is read in place.
            "Python" if self.is_own_tool => Vec::new(),
            "Python" => vec![file.into()],
            _ if self.sources.compiled_files.len() == 1 => vec!["-MD".into(), "-MF".into(), file.into()],
            // Each source would replace the file of the one before.
            _ => Vec::new(),
        }
    }

    /// Removes the copies of modules of a single source that have the name of an installed module: that one is meant.
    fn remove_shadowed_copies(&self, stage: &Path) {
        let list = stage.join(format!("{DEPENDENCIES_FILE}.shadowed"));
        let names = fs::read_to_string(&list).unwrap_or_default();
        let _ = fs::remove_file(&list);
        for name in names.lines().filter(|_| self.is_read_as_copy() && !self.sources.is_folder) {
            let copy = stage.join(COPIES_FOLDER).join(name);
            // It is either a file or a folder.
            let _ = fs::remove_file(copy.with_extension("py"));
            let _ = fs::remove_dir_all(copy);
        }
    }

    fn compiler_sandbox(&self, stage: &Path, compiler: &[OsString], flags: &CompileFlags) -> CompilerSandbox {
        let mut sandbox = CompilerSandbox::new(compiler, stage, self.toolchain.environment());
        sandbox.add_sources(&self.sources, &self.options.includes);
        sandbox.dependencies = Some(stage.join(DEPENDENCIES_FILE));
        self.options.modules.iter().for_each(|folder| sandbox.add_modules(folder));
        flags.header.last().into_iter().for_each(|folder| sandbox.add_file(Path::new(folder)));
        flags.counters.iter().for_each(|folder| sandbox.add_file(folder));
        if let (false, Some(object)) = (flags.fork_server.is_empty(), &flags.server_object) {
            sandbox.add_file(&object.path);
        }
        if self.language().name == "Go" {
            let cache = self.toolchain.go_cache();
            // If it cannot be created, Go reports that.
            let _ = fs::create_dir_all(&cache);
            sandbox.add_cache(&cache);
        }
        sandbox
    }

    /// Returns the names of the sources for the compiler. A Java source must be named after its public class; otherwise
    /// a copy with the right name is compiled.
    ///
    /// # Errors
    ///
    /// Returns an error if a copy cannot be written.
    fn source_arguments(&self, stage: &Path) -> Result<Vec<OsString>> {
        if self.language().name == "Java"
            && !self.sources.is_folder
            && let Some(public) = self
                .java_outline()
                .public_type()
                .filter(|public| self.sources.main.file_stem() != Some((*public).as_ref()))
        {
            let copy = stage.join(format!("{public}.java"));
            fs::write(&copy, self.sources.text()).map_err(|cause| Error::io_error("write", &copy, &cause))?;
            return Ok(vec![copy.into()]);
        }
        // A name must not look like an option.
        let is_plain = |name: &PathBuf| !name.as_os_str().as_encoded_bytes().starts_with(b"-");
        let to_argument = |name: &PathBuf| if is_plain(name) { name.into() } else { Path::new(".").join(name).into() };
        Ok(self.sources.compiled_files.iter().map(to_argument).collect())
    }

    /// Returns the `-I` flags for a C or C++ compiler: the program's own folder, for files in subfolders, and the
    /// include folders, with the folder of modules last.
    fn include_flags(&self, folder: &Path) -> Vec<OsString> {
        if !self.language().has_includes {
            return Vec::new();
        }
        // A header among the modules can include one next to the source.
        let beside = self.options.modules.as_ref().map(|_| Path::new("."));
        let own = self.sources.is_folder.then_some(folder).or(beside);
        let others = self.options.includes.iter().chain(&self.options.modules).map(PathBuf::as_path);
        let folders = own.into_iter().chain(others);
        folders.flat_map(|folder| ["-I".into(), folder.into()]).collect()
    }

    fn java_outline(&self) -> JavaOutline {
        JavaOutline::from_source(&String::from_utf8_lossy(self.sources.text()))
    }

    /// Returns how to run the program that was compiled into that folder.
    fn launch_spec(&self, folder: &Path, runs_in_place: bool) -> Result<LaunchSpec> {
        let mut words = Vec::new();
        for word in split_command(self.language().run) {
            match (word, self.language().interpreter) {
                ("{tool}", Some(tool)) => {
                    words.extend(self.toolchain.find_tool(tool, self.language().name, self.cancel)?)
                }
                ("{source}", _) if self.is_own_tool => words.push(self.sources.main_file().into()),
                ("{source}", _) => words.push(folder.join(COPIES_FOLDER).join(&self.sources.main).into()),
                ("{main}", _) => words.push(self.main_class(folder)?.into()),
                _ => words.push(expand_results(word, folder).into()),
            }
        }
        // Sanitizers reserve terabytes of address space.
        let limits_address_space = self.language().limits_address_space && self.variant != BuildVariant::Sanitized;
        let policy = self.sandbox_policy(folder, &words);
        let mut launch_spec = self.toolchain.launch_spec(words, limits_address_space);
        launch_spec.sandbox = policy;
        launch_spec.copies = self.is_read_as_copy().then(|| folder.join(COPIES_FOLDER));
        if self.sources.is_folder {
            launch_spec.own_files = data_files(&self.sources.files)?;
        }
        launch_spec.fork_server = self.fork_server_spec(&launch_spec.command, runs_in_place);
        if let (Some(modules), true) = (&self.options.modules, self.language().name == "Python") {
            launch_spec.environment.push((PYTHON_MODULES_VARIABLE.into(), modules.into()));
        }
        if self.variant == BuildVariant::Sanitized {
            launch_spec.stack_limit_bytes = SANITIZER_STACK_BYTES;
            let options = SANITIZER_ENVIRONMENT.iter();
            launch_spec.environment.extend(options.map(|(name, value)| (name.into(), value.into())));
        }
        if self.variant == BuildVariant::Counted {
            // The runtime of LLVM writes a profile at the end.
            launch_spec.environment.push(("LLVM_PROFILE_FILE".into(), "/dev/null".into()));
        }
        Ok(launch_spec)
    }

    /// Returns the sandbox policy of the program that was compiled into that folder. `None` if its interpreter is a
    /// wrapper script, because a script can need any file.
    fn sandbox_policy(&self, folder: &Path, words: &[OsString]) -> Option<SandboxPolicy> {
        let program = Path::new(words.first()?);
        let environment = self.toolchain.environment();
        let mut readable = ReadablePaths::default();
        readable.add_path(folder);
        readable.add_libraries(environment);
        if self.language().interpreter.is_some() {
            if is_script(program) {
                return None;
            }
            readable.add_tool(program, environment);
        }
        if self.language().run.contains("{source}") {
            self.options.modules.iter().for_each(|folder| readable.add_path(folder));
        }
        if self.language().fork_server == Some(ForkServerKind::InterpreterScript)
            && let Some(script) = self.toolchain.fork_server_script()
        {
            readable.add_path(&script);
            self.toolchain.in_place_library(self.cancel).iter().for_each(|library| readable.add_path(library));
        }
        if self.language().fork_server == Some(ForkServerKind::VirtualMachine) {
            self.toolchain.java_loop(self.cancel).iter().for_each(|folder| readable.add_path(folder));
        }
        // Sanitizers can start another program to look up line numbers.
        Some(readable.into_policy(self.variant == BuildVariant::Sanitized))
    }

    /// Returns how to start the program as a fork server, if that is possible.
    fn fork_server_spec(&self, words: &[OsString], runs_in_place: bool) -> Option<ForkServerSpec> {
        let kind = self.language().fork_server?;
        let spec = |command| ForkServerSpec {
            command,
            environment: Vec::new(),
            takes_variants: false,
            runs_in_place,
            forks: true,
            start_price: kind.start_price(),
        };
        match (self.variant, kind) {
            (BuildVariant::Sanitized, _) => None,
            (_, ForkServerKind::LinkedObject(_)) => {
                Some(ForkServerSpec { takes_variants: true, ..spec(words.to_vec()) })
            }
            (_, ForkServerKind::InterpreterScript) => {
                let (source, before) = words.split_last()?;
                let command = [before, &[self.toolchain.fork_server_script()?.into(), source.clone()]].concat();
                let library = self.toolchain.in_place_library(self.cancel);
                let runs_in_place = library.is_some();
                let environment = library.map(|library| ("LD_PRELOAD".into(), library.into())).into_iter().collect();
                Some(ForkServerSpec { environment, runs_in_place, ..spec(command) })
            }
            (_, ForkServerKind::VirtualMachine) => {
                let [before @ .., _, folder, main] = words else { return None };
                let class_path = self.toolchain.java_loop(self.cancel)?.into();
                let own = ["-XX:TieredStopAtLevel=1".into(), "-cp".into(), class_path, "InPlace".into()];
                let command = [before, &own, &[folder.clone(), main.clone()]].concat();
                Some(ForkServerSpec { runs_in_place: true, forks: false, ..spec(command) })
            }
        }
    }

    /// Returns the class to start: the one with a main method, or the only one.
    fn main_class(&self, folder: &Path) -> Result<String> {
        let only_class = || {
            let mut names: Vec<String> = fs::read_dir(folder)
                .ok()?
                .flatten()
                .filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".class")?.to_owned()))
                .filter(|name| !name.contains('$'))
                .collect();
            names.pop().filter(|_| names.is_empty())
        };
        if let Some(class) = &self.entry_point {
            let is_there = folder.join(class.replace('.', "/") + ".class").is_file();
            return if is_there { Ok(class.clone()) } else { Err(missing_entry_point(class, self.shown)) };
        }
        self.java_outline().main_class().or_else(only_class).ok_or_else(|| {
            Error::usage_error(format!("no class with a main method in `{}`", self.shown.display()))
                .with_help("add a `public static void main(String[] args)`")
        })
    }
}

/// Returns true if compilers take that name for a response file with options. A prefix would not help: drivers pass
/// names on to other tools.
fn is_options_file(name: &Path) -> bool {
    let starts = |name: &std::ffi::OsStr| name.as_encoded_bytes().starts_with(b"@");
    starts(name.as_os_str()) || name.file_name().is_some_and(starts)
}

impl FailedAttempt {
    /// Creates the error for a source with a name that cannot be passed to a compiler.
    fn rejected_name(command: &str, name: &Path) -> Self {
        let text = format!("`{}` begins with `@`, which compilers take for an options file\n", name.display());
        FailedAttempt { error: CompileError::Rejected { command: command.to_owned(), text }, is_repeatable: false }
    }

    /// Returns true if the compiler could accept the source under an older standard: there are errors, and none of them
    /// is a missing file or comes from the linker.
    fn may_depend_on_standard(&self) -> bool {
        let CompileError::Rejected { text, .. } = &self.error else { return false };
        self.is_repeatable
            && text.contains("error:")
            && !["fatal error:", "undefined reference", "ld returned"].iter().any(|other| text.contains(other))
    }

    /// Returns the first error in the compiler's messages, with its location.
    fn first_error(&self) -> Option<&str> {
        let CompileError::Rejected { text, .. } = &self.error else { return None };
        text.lines().find(|line| line.contains("error:"))
    }

    /// Returns true if the linked fork server caused the error.
    fn blames_fork_server(&self) -> bool {
        self.is_repeatable
            && matches!(&self.error, CompileError::Rejected { text, .. } if fork_server::mentions_fork_server(text))
    }
}

/// Makes a program executable, which linkers in the sandbox cannot do. Leaves anything but a regular file as it is.
#[cfg_attr(not(unix), allow(unused_variables, reason = "other systems have no executable permission"))]
fn make_executable(program: &Path) -> Result<()> {
    #[cfg(unix)]
    if fs::symlink_metadata(program).is_ok_and(|about| about.is_file()) {
        use std::os::unix::fs::PermissionsExt;
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(program, executable).map_err(|cause| Error::io_error("write", program, &cause))?;
    }
    Ok(())
}

/// Returns a word of a command with the folder of the results filled in.
fn expand_results(word: &str, folder: &Path) -> String {
    let path = |path: &Path| path.display().to_string();
    word.replace("{program}", &path(&program_path(folder))).replace("{folder}", &path(folder))
}

fn program_path(folder: &Path) -> PathBuf {
    folder.join("program")
}
