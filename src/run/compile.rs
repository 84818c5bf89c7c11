//! The sources of a program on their way through a compiler, or around it: from the cache.

use super::build::{Builder, Made, is_script};
use super::compiler_sandbox::CompilerSandbox;
use super::exec::{Recipe, WarmRecipe};
use super::fingerprint::Fingerprint;
use super::included::code_files;
use super::isolation::{Readable, Walls};
use super::java::Outline;
use super::language::ForkServer;
use super::rejection::Failure;
use super::sources::Sources;
use super::supervise::Stop;
use super::{Cancel, CompileError, Language, SourceOptions, Variant, fork_server, header, words};
use crate::diagnostic::{Error, Result};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

type Compilation<T> = std::result::Result<T, CompileError>;

/// A compilation that made no program.
struct Attempt {
    error: CompileError,
    /// Whether it is worth while to compile once more in another way: the compiler refused the source.
    is_repeatable: bool,
}

impl From<Error> for Attempt {
    fn from(error: Error) -> Self {
        Attempt { error: error.into(), is_repeatable: false }
    }
}

/// Options that depend on what there is on this machine; none where there is nothing.
#[derive(Clone, Default)]
struct Flags {
    /// For linking statically.
    link: Vec<OsString>,
    /// That make a fork server of it.
    serve: Vec<OsString>,
    /// By which a compiled header is found.
    header: Vec<OsString>,
    /// The standard of the language, empty where it has none to choose.
    standard: &'static str,
}

/// The file in a build's folder with the standard that the source was compiled by, where the usual one did not do.
const OLDER_STANDARD: &str = "standard";

/// Sources on their way to a program.
pub(super) struct Work<'a> {
    pub(super) builder: &'a Builder,
    pub(super) sources: Sources,
    /// Folders in which they find what they include, absolute paths, and standards that were chosen.
    pub(super) options: SourceOptions,
    pub(super) variant: Variant,
    /// The source, or the folder of sources, as the user named it.
    pub(super) shown: &'a Path,
    pub(super) cancel: &'a Cancel,
}

impl Work<'_> {
    /// Finds it in the cache, or compiles it into the cache.
    ///
    /// # Errors
    ///
    /// See [`Builder::compile`].
    pub(super) fn build(mut self) -> Compilation<Made> {
        let template = self.template()?;
        self.sources.find_included(&self.options.includes);
        let compiler = self.builder.tool(self.language().compiler, self.language().name, self.cancel)?;
        let standard = self.standards().first().copied().unwrap_or_default();
        let (link, serve) = (self.static_flags(template)?, self.serve_flags());
        let flags = Flags { link, serve, header: Vec::new(), standard };
        let name = self.fingerprint(template, &compiler, &flags);
        let found = self.builder.cache().find(&name).filter(|folder| self.is_whole(folder));
        let (folder, compile_time_us) = match &found {
            Some(folder) => (folder.clone(), 0),
            None => {
                self.builder.cache().discard(&name);
                let stage = self.builder.cache().stage()?;
                let flags = Flags { header: self.header_flags(standard, &compiler), ..flags.clone() };
                let time_us = self.compile_by_any_standard(stage.path(), template, &compiler, flags)?;
                (self.builder.cache().keep(stage, &name)?, time_us)
            }
        };
        let recipe = self.recipe(&folder)?;
        let language = Some(self.language());
        let older_standard = fs::read_to_string(folder.join(OLDER_STANDARD)).ok();
        let command = self.shown_command(template, &flags.link, older_standard.as_deref().unwrap_or(standard));
        Ok(Made {
            recipe,
            language,
            command: Some(command),
            compile_time_us,
            from_cache: found.is_some(),
            older_standard,
            identity: Some(name),
        })
    }

    fn template(&self) -> Result<&'static [&'static str]> {
        match self.variant {
            Variant::Judged => Ok(self.language().compile),
            Variant::Sanitized => self
                .language()
                .sanitize
                .ok_or_else(|| Error::usage(format!("there are no sanitizers for {} programs", self.language().name))),
        }
    }

    /// The flags for linking statically, if the compiler finds the libraries for it.
    fn static_flags(&self, template: &[&str]) -> Result<Vec<OsString>> {
        let Some(link) = self.language().static_link.filter(|_| template.contains(&"{static}")) else {
            return Ok(Vec::new());
        };
        let Ok(compiler) = self.builder.tool(link.asked, self.language().name, self.cancel) else {
            return Ok(Vec::new());
        };
        for library in link.libraries {
            let mut question = compiler.clone();
            question.push(format!("-print-file-name={library}").into());
            // A library that is not found is answered with its bare name.
            let answer = self.builder.ask(question, self.cancel)?;
            if !answer.is_some_and(|path| Path::new(&path).is_absolute()) {
                return Ok(Vec::new());
            }
        }
        Ok(link.flags.iter().map(OsString::from).collect())
    }

    /// The flags that make a fork server of the program, if there is a compiler for what is linked in. The name of the
    /// object is that of its contents, so a program that is linked with another one has another fingerprint.
    fn serve_flags(&self) -> Vec<OsString> {
        let (Variant::Judged, Some(ForkServer::Linked(flags))) = (self.variant, self.language().fork_server) else {
            return Vec::new();
        };
        let Some(object) = self.builder.fork_server_object(self.cancel) else { return Vec::new() };
        let object = object.display().to_string();
        flags.iter().map(|flag| flag.replace("{object}", &object).into()).collect()
    }

    /// The flags by which the compiler finds a header that it has compiled before, if the source begins with that.
    fn header_flags(&self, standard: &str, compiler: &[OsString]) -> Vec<OsString> {
        let is_plain = self.variant == Variant::Judged && self.sources.tree.is_none();
        if !is_plain || !header::begins(self.language(), &self.sources.text) || header::is_in(&self.options.includes) {
            return Vec::new();
        }
        let folder = self.builder.header(self.language(), standard, compiler, self.cancel);
        folder.map_or_else(Vec::new, |folder| vec!["-I".into(), folder.into()])
    }

    fn fingerprint(&self, template: &[&str], compiler: &[OsString], flags: &Flags) -> String {
        let mut fingerprint = Fingerprint::new();
        fingerprint.add_word(self.sources.main.as_os_str());
        template.iter().for_each(|word| fingerprint.add(word.as_bytes()));
        flags.link.iter().chain(&flags.serve).for_each(|word| fingerprint.add_word(word));
        fingerprint.add_compiler(compiler);
        self.standards().iter().for_each(|standard| fingerprint.add(standard.as_bytes()));
        fingerprint.add(&self.sources.text);
        // By what is in them, so that another checkout has the same build.
        for folder in self.options.includes.iter().filter(|_| self.language().includes) {
            fingerprint.add(b"include folder");
            fingerprint.add_included(&code_files(folder));
        }
        let files = self.sources.tree.iter().flat_map(|tree| &tree.files);
        for (name, text) in files {
            fingerprint.add_word(name.as_os_str());
            fingerprint.add(text);
        }
        fingerprint.add_included(&self.sources.included);
        fingerprint.finish()
    }

    fn language(&self) -> &'static Language {
        self.sources.language
    }

    /// Whether a cached build has what it needs: a crash of the machine can leave an empty file.
    fn is_whole(&self, folder: &Path) -> bool {
        !self.language().run.contains(&"{program}") || fs::metadata(program(folder)).is_ok_and(|file| file.len() > 0)
    }

    /// The standards to be tried: the one that was chosen, else those of the language.
    fn standards(&self) -> Vec<&'static str> {
        match self.options.standard(self.language().name) {
            Some(chosen) => vec![chosen],
            None => self.language().standards.to_vec(),
        }
    }

    fn shown_command(&self, template: &[&str], static_flags: &[OsString], standard: &str) -> String {
        let tool = self.builder.environment().get(self.language().compiler.variable);
        let names = self.language().compiler.names;
        let found = names.iter().find(|name| self.builder.environment().find(name).is_some());
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
                // It is nothing to the program's meaning, and nobody else has the object.
                "{serve}" => {}
                "{source}" if self.sources.tree.is_none() => shown.push(self.shown.display().to_string()),
                "{source}" => {
                    shown.extend(self.sources.together.iter().map(|name| self.shown.join(name).display().to_string()))
                }
                "{program}" => shown.push(stem.clone()),
                "{folder}" => shown.push(".".to_owned()),
                _ => shown.push((*word).to_owned()),
            }
        }
        words::join(shown.iter().map(String::as_str))
    }

    /// Compiles by the first standard; by older ones, where the compiler refuses the source under it for a reason that older
    /// standards may not have. Then the one that did is noted with the build.
    fn compile_by_any_standard(
        &self,
        stage: &Path,
        template: &[&str],
        compiler: &[OsString],
        flags: Flags,
    ) -> Compilation<u64> {
        let attempt = |flags: Flags| {
            let command = self.shown_command(template, &flags.link, flags.standard);
            self.compile_at_best(stage, template, compiler, flags, &command)
        };
        let first = match attempt(flags.clone()) {
            Err(refused) if refused.may_depend_on_standard() => refused,
            result => return result.map_err(|refused| refused.error),
        };
        let older: Vec<&str> = self.standards().into_iter().skip(1).collect();
        let by_older = |standard| attempt(Flags { header: Vec::new(), standard, ..flags.clone() });
        // What the newest and the oldest refuse for the same reason depends on none: most often it is a slip of the pen.
        if let [_, .., oldest] = older[..]
            && by_older(oldest).is_err_and(|refused| refused.first_error() == first.first_error())
        {
            return Err(first.error);
        }
        for standard in older {
            match by_older(standard) {
                Ok(time_us) => {
                    let note = stage.join(OLDER_STANDARD);
                    fs::write(&note, standard).map_err(|cause| Error::io("write", &note, &cause))?;
                    return Ok(time_us);
                }
                Err(refused) if refused.is_repeatable => {}
                Err(refused) => return Err(refused.error),
            }
        }
        Err(first.error)
    }

    /// Compiles with all that makes it quicker; without it, should just that be in the way. What is refused with a
    /// compiled header is refused once more without it, for the compiler's words.
    fn compile_at_best(
        &self,
        stage: &Path,
        template: &[&str],
        compiler: &[OsString],
        mut flags: Flags,
        command: &str,
    ) -> std::result::Result<u64, Attempt> {
        let mut result = self.compile_into(stage, template, compiler, &flags, command);
        if !flags.header.is_empty() && result.as_ref().is_err_and(|attempt| attempt.is_repeatable) {
            flags.header.clear();
            result = self.compile_into(stage, template, compiler, &flags, command);
        }
        if !flags.serve.is_empty() && result.as_ref().is_err_and(Attempt::blames_fork_server) {
            flags.serve.clear();
            result = self.compile_into(stage, template, compiler, &flags, command);
        }
        result
    }

    /// Compiles in the source's own folder under its bare name, so that neither messages nor what the compiler
    /// puts into the program depend on where the folder is. Returns the time it took in microseconds.
    fn compile_into(
        &self,
        stage: &Path,
        template: &[&str],
        compiler: &[OsString],
        flags: &Flags,
        command: &str,
    ) -> std::result::Result<u64, Attempt> {
        if let Some(name) = self.sources.together.iter().find(|name| is_options_file(name)) {
            return Err(Attempt::refusal(command, name));
        }
        let sources = self.source_words(stage)?;
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
                "{serve}" => words.extend_from_slice(&flags.serve),
                "{source}" => words.extend_from_slice(&sources),
                "{program}" => words.push(program(stage).into()),
                "{folder}" => words.push(stage.into()),
                _ => words.push(word.into()),
            }
        }
        let sandbox = self.sandbox(stage, compiler, flags);
        let ended = self.builder.run_compiler(words, &self.sources.folder, &sandbox, self.cancel)?;
        if ended.exit.is_success() && ended.stop == Stop::Ended {
            make_executable(&program(stage))?;
            return Ok(ended.wall_time_us);
        }
        let failure = Failure {
            ended: &ended,
            command,
            folder: stage,
            limits: &self.builder.compile_limits().of_run(),
            refused: &|text| sandbox.refused(text, &self.sources.folder),
        };
        let is_repeatable = failure.limit()?.is_none();
        Err(Attempt { error: failure.into_error()?, is_repeatable })
    }

    /// The sandbox of the compiler.
    fn sandbox(&self, stage: &Path, compiler: &[OsString], flags: &Flags) -> CompilerSandbox {
        let mut sandbox = CompilerSandbox::new(compiler, stage, self.builder.environment());
        sandbox.add_sources(&self.sources, &self.options.includes);
        flags.header.last().into_iter().for_each(|folder| sandbox.add_file(Path::new(folder)));
        if !flags.serve.is_empty()
            && let Some(object) = self.builder.fork_server_object(self.cancel)
        {
            sandbox.add_file(&object);
        }
        if self.language().name == "Go" {
            let cache = self.builder.go_cache();
            // Where it cannot be made, Go says so.
            let _ = fs::create_dir_all(&cache);
            sandbox.add_cache(&cache);
        }
        sandbox
    }

    /// The source's name for the compiler. A Java source must be named after its public class: one that is not
    /// is compiled from a copy that is.
    ///
    /// # Errors
    ///
    /// Returns an error if a copy cannot be written.
    fn source_words(&self, stage: &Path) -> Result<Vec<OsString>> {
        if self.language().name == "Java"
            && self.sources.tree.is_none()
            && let Some(public) =
                self.outline().public_type().filter(|public| self.sources.main.file_stem() != Some((*public).as_ref()))
        {
            let copy = stage.join(format!("{public}.java"));
            fs::write(&copy, &self.sources.text).map_err(|cause| Error::io("write", &copy, &cause))?;
            return Ok(vec![copy.into()]);
        }
        // A name must not look like an option.
        let is_plain = |name: &PathBuf| !name.as_os_str().as_encoded_bytes().starts_with(b"-");
        let word = |name: &PathBuf| if is_plain(name) { name.into() } else { Path::new(".").join(name).into() };
        Ok(self.sources.together.iter().map(word).collect())
    }

    /// What tells a compiler of C where to look for what is included: in the folder, for files that lie deeper in it, and
    /// wherever else there is something.
    fn include_flags(&self, folder: &Path) -> Vec<OsString> {
        if !self.language().includes {
            return Vec::new();
        }
        let own = self.sources.tree.as_ref().map(|_| folder);
        let folders = own.into_iter().chain(self.options.includes.iter().map(PathBuf::as_path));
        folders.flat_map(|folder| ["-I".into(), folder.into()]).collect()
    }

    fn outline(&self) -> Outline {
        Outline::of(&String::from_utf8_lossy(&self.sources.text))
    }

    /// How to run what was compiled into that folder.
    fn recipe(&self, folder: &Path) -> Result<Recipe> {
        let mut words = Vec::new();
        for word in self.language().run {
            match (*word, self.language().interpreter) {
                ("{tool}", Some(tool)) => words.extend(self.builder.tool(tool, self.language().name, self.cancel)?),
                ("{source}", _) => words.push(self.sources.file().into()),
                ("{program}", _) => words.push(program(folder).into()),
                ("{folder}", _) => words.push(folder.into()),
                ("{main}", _) => words.push(self.main_class(folder)?.into()),
                _ => words.push(word.into()),
            }
        }
        // Sanitizers reserve terabytes of address space.
        let limits_address_space = self.language().limits_address_space && self.variant == Variant::Judged;
        let walls = self.walls(folder, &words);
        let mut recipe = self.builder.recipe(words, limits_address_space);
        recipe.walls = walls;
        recipe.warm = self.warm(&recipe.words);
        if self.variant == Variant::Sanitized {
            recipe.stack_limit_bytes = super::sanitize::STACK_LIMIT_BYTES;
            let options = super::sanitize::ENVIRONMENT.iter();
            recipe.environment.extend(options.map(|(name, value)| (name.into(), value.into())));
        }
        Ok(recipe)
    }

    /// Walls around the program that was compiled into that folder and is run by these words. None if a script stands
    /// in for its interpreter: there is no telling what that needs.
    fn walls(&self, folder: &Path, words: &[OsString]) -> Option<Walls> {
        let program = Path::new(words.first()?);
        let environment = self.builder.environment();
        let mut readable = Readable::default();
        readable.add(folder);
        readable.add_libraries(environment);
        if self.language().interpreter.is_some() {
            if is_script(program) {
                return None;
            }
            readable.add_tool(program, environment);
        }
        if self.language().run.contains(&"{source}") {
            match self.sources.tree {
                Some(_) => readable.add(&self.sources.folder),
                None => readable.add_source(&self.sources.file()),
            }
        }
        if self.language().fork_server == Some(ForkServer::Script)
            && let Some(script) = self.builder.warm_script()
        {
            readable.add(&script);
        }
        // Sanitizers may ask another program which line it was.
        Some(readable.into_walls(self.variant == Variant::Sanitized))
    }

    /// How to start it as a fork server, where that is possible.
    fn warm(&self, words: &[OsString]) -> Option<WarmRecipe> {
        let words = match (self.variant, self.language().fork_server?) {
            (Variant::Sanitized, _) => return None,
            (Variant::Judged, ForkServer::Linked(_)) => words.to_vec(),
            (Variant::Judged, ForkServer::Script) => {
                let (source, before) = words.split_last()?;
                [before, &[self.builder.warm_script()?.into(), source.clone()]].concat()
            }
        };
        Some(WarmRecipe { words, environment: Vec::new() })
    }

    /// The class to start: from the source, or the only one that there is.
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
        self.outline().main_class().or_else(only_class).ok_or_else(|| {
            Error::usage(format!("no class with a main method in `{}`", self.shown.display()))
                .with_help("it needs a `public static void main(String[] args)`")
        })
    }
}

/// Returns true if compilers take that name for a file with options, wherever it stands: drivers hand names on as words.
fn is_options_file(name: &Path) -> bool {
    let starts = |name: &std::ffi::OsStr| name.as_encoded_bytes().starts_with(b"@");
    starts(name.as_os_str()) || name.file_name().is_some_and(starts)
}

impl Attempt {
    /// A source whose name no compiler may be given.
    fn refusal(command: &str, name: &Path) -> Self {
        let text = format!("`{}` begins with `@`: compilers take that for a file with options\n", name.display());
        Attempt { error: CompileError::Rejected { command: command.to_owned(), text }, is_repeatable: false }
    }

    /// Returns true if the compiler may accept the source under an older standard: it has errors, and none of them is a file
    /// that is not there, or is found only by the linker.
    fn may_depend_on_standard(&self) -> bool {
        let CompileError::Rejected { text, .. } = &self.error else { return false };
        self.is_repeatable
            && text.contains("error:")
            && !["fatal error:", "undefined reference", "ld returned"].iter().any(|other| text.contains(other))
    }

    /// The first error in the compiler's messages, with its place.
    fn first_error(&self) -> Option<&str> {
        let CompileError::Rejected { text, .. } = &self.error else { return None };
        text.lines().find(|line| line.contains("error:"))
    }

    /// Returns true if what makes a fork server of the program was in the way.
    fn blames_fork_server(&self) -> bool {
        self.is_repeatable && matches!(&self.error, CompileError::Rejected { text, .. } if fork_server::is_blamed(text))
    }
}

/// Makes a program executable: linkers in the sandbox cannot. What is no regular file stays as it is.
#[cfg_attr(not(unix), allow(unused_variables, reason = "no file is executable there, or each is"))]
fn make_executable(program: &Path) -> Result<()> {
    #[cfg(unix)]
    if fs::symlink_metadata(program).is_ok_and(|about| about.is_file()) {
        use std::os::unix::fs::PermissionsExt;
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(program, executable).map_err(|cause| Error::io("write", program, &cause))?;
    }
    Ok(())
}

/// The option of a compiler for a standard.
pub(super) fn standard_flag(standard: &str) -> String {
    format!("-std={standard}")
}

fn program(folder: &Path) -> PathBuf {
    folder.join("program")
}
