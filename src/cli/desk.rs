//! What every command works with: where its words go, and how it is told to stop.

use super::args::{Global, ReportArgs, When};
use super::exit::Status;
use super::watchdog::Watched;
use crate::campaign::{Activity, Event, Sink};
use crate::corpus::write_whole;
use crate::diagnostic::{Diagnostic, Error, Result, Source};
use crate::format::Format;
use crate::report::{Github, Json, Junit, Options, Terminal, print_diagnostics, print_error, visible_lines};
use crate::run::{Builder, Cancel, CompileLimits, Environment, SourceOptions};
use std::fs::File;
use std::io::{Stderr, Stdout, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Either stream of the process, or the error stream in place of the output.
pub(super) enum Stream {
    Out(Stdout),
    Err(Stderr),
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Stream::Out(stream) => stream.write(bytes),
            Stream::Err(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Stream::Out(stream) => stream.flush(),
            Stream::Err(stream) => stream.flush(),
        }
    }
}

/// The reports of a command, its compilers, and the switch that stops it.
pub(super) struct Desk {
    pub(super) jobs: usize,
    pub(super) cancel: Cancel,
    pub(super) builder: Arc<Builder>,
    pub(super) options: Options,
    watched: Arc<Watched<Stream, Stderr>>,
    json: Option<Json<Box<dyn Write + Send>>>,
    json_path: Option<PathBuf>,
    junit: Option<(PathBuf, Junit)>,
    github: Option<Github<Stream>>,
}

impl Desk {
    /// Reads the environment, opens the reports, and takes over the signals that ask to stop.
    pub(super) fn open(global: &Global, cancel: &Cancel) -> Result<Desk> {
        listen(cancel)?;
        let mut options = Options::detect();
        let to_stdout = global.json.as_deref() == Some(Path::new("-"));
        if to_stdout {
            options = options.all_to_stderr();
        }
        let colour = |detected| match global.color {
            When::Auto => detected,
            When::Always => true,
            When::Never => false,
        };
        options.colour = colour(options.colour);
        options.colour_stderr = colour(options.colour_stderr);
        options.verbose = global.verbose;
        options.quiet = global.quiet;
        options.all_rows = global.all;
        options.diff_style = global.diff.into();
        let limits = CompileLimits::default();
        let mut builder = Builder::new(environment()?)?.with_compile_limits(CompileLimits {
            cpu_time_ms: u64::try_from(global.compile_time.as_millis()).unwrap_or(u64::MAX).max(1),
            memory_bytes: global.compile_memory << 20,
            ..limits
        });
        builder = builder.with_source_options(source_options(global)?);
        if global.require_isolation {
            require_all(&builder)?;
            builder = builder.requiring_sandbox();
        }
        let stream = if to_stdout { Stream::Err(std::io::stderr()) } else { Stream::Out(std::io::stdout()) };
        let watched = Watched::new(Terminal::new(stream, std::io::stderr(), options.clone()));
        Watched::watch(&watched, cancel.clone(), options.clone())?;
        Ok(Desk {
            jobs: global.jobs.map_or_else(processors, usize::from),
            cancel: cancel.clone(),
            builder: Arc::new(builder),
            watched,
            json: global.json.as_deref().map(open_json).transpose()?,
            json_path: global.json.clone(),
            options,
            junit: None,
            github: None,
        })
    }

    /// Returns an error if the user asked to stop: what pure work has come to then means nothing.
    pub(super) fn check_interrupted(&self) -> Result<()> {
        if self.cancel.cancelled() { Err(Error::interrupted()) } else { Ok(()) }
    }

    /// Notes what is done from now on; it is shown where nothing else is for a while.
    pub(super) fn begin(&self, verb: &'static str, subject: impl Into<String>) {
        self.note(&Activity::new(verb, subject));
    }

    /// Shows at once what is done from now on: what takes long, and comes before the results that were asked for.
    pub(super) fn announce(&self, verb: &'static str, subject: impl Into<String>) {
        self.watched.terminal().announce(&Activity::new(verb, subject));
    }

    /// Notes what is done, and how far it is.
    pub(super) fn note(&self, activity: &Activity) {
        self.watched.terminal().note_activity(activity);
    }

    /// Notes that there are results now that must be saved when the user asks to stop.
    pub(super) fn keep_results(&self) {
        self.watched.keep_results();
    }

    /// Lets the report show the time of each submission on each test case.
    pub(super) fn show_times(&self) {
        self.watched.terminal().show_times();
    }

    /// Lets the report draw boards by this format.
    pub(super) fn know_format(&mut self, format: &Format) {
        self.watched.terminal().set_format(format.clone());
    }

    /// Opens further reports: a file for build servers, and annotations for a workflow.
    pub(super) fn report_to(&mut self, reports: &ReportArgs) {
        let stream =
            if self.tells_by_stdout() { Stream::Err(std::io::stderr()) } else { Stream::Out(std::io::stdout()) };
        self.junit = reports.junit.as_deref().map(|path| (path.to_owned(), Junit::default()));
        self.github = reports.github.then(|| Github::new(stream));
    }

    /// Notes for these reports what comes next: a package, or a search.
    pub(super) fn report_on(&mut self, name: &str, folder: &Path, is_verified_next: bool) {
        if let Some((_, junit)) = &mut self.junit {
            if is_verified_next { junit.open_to_be_verified(name) } else { junit.open(name) }
        }
        if let Some(github) = &mut self.github {
            github.open(name, folder);
        }
    }

    /// Shows an error that does not end the command.
    pub(super) fn show_error(&mut self, error: &Error) {
        if error.message().is_empty() {
            return;
        }
        self.watched.terminal().clear();
        let _ = print_error(&mut std::io::stderr(), error, &self.options);
        if let Some((_, junit)) = &mut self.junit {
            junit.broke(error);
        }
        if let Some(github) = &mut self.github {
            github.broke(error);
        }
    }

    /// Writes the reports that are written at the end.
    fn finish_reports(&mut self) -> Result<()> {
        if let Some((path, junit)) = self.junit.take() {
            let document = junit.document().map_err(|e| Error::io("write", &path, &e))?;
            write_whole(&path, &document)?;
        }
        let summary = self.github.as_ref().map(|github| github.summary().to_owned()).unwrap_or_default();
        let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").map(PathBuf::from).filter(|_| !summary.is_empty())
        else {
            return Ok(());
        };
        let mut file =
            File::options().append(true).create(true).open(&path).map_err(|e| Error::io("open", &path, &e))?;
        file.write_all(summary.as_bytes()).map_err(|e| Error::io("write", &path, &e))
    }

    /// Shows what is wrong with a text.
    pub(super) fn show(&mut self, problems: &[Diagnostic], source: &Source) {
        let options = &self.options;
        self.watched.terminal().aside(|| {
            // A closed error stream is nobody's to repair.
            let _ = print_diagnostics(&mut std::io::stderr(), problems, source, options);
        });
    }

    /// Whether the standard output is taken by events.
    pub(super) fn tells_by_stdout(&self) -> bool {
        self.json_path.as_deref() == Some(Path::new("-"))
    }

    /// Writes what the user asked for to the standard output.
    pub(super) fn data(&mut self, bytes: &[u8]) -> Result<()> {
        let write = || {
            let mut out = std::io::stdout().lock();
            out.write_all(bytes).and_then(|()| out.flush())
        };
        match self.watched.terminal().aside(write) {
            // Whoever reads has had enough: that is no mistake, only the end.
            Err(cause) if cause.kind() == std::io::ErrorKind::BrokenPipe => Err(Error::operating("")),
            result => result.map_err(|e| Error::io("write", Path::new("-"), &e)),
        }
    }

    /// Writes lines for people to the standard output, with what is in them of programs, files and names made visible.
    pub(super) fn text(&mut self, text: &str) -> Result<()> {
        self.data(visible_lines(text).as_bytes())
    }

    /// Ends a command: shows its error, if it has one, and tells the exit status.
    pub(super) fn close(mut self, result: Result<Status>) -> Status {
        self.watched.keep_results();
        let status = match result {
            Ok(status) => status,
            Err(error) => {
                self.show_error(&error);
                Status::of_error(&error)
            }
        };
        if let Err(error) = self.finish_reports() {
            self.show_error(&error);
            return status.max(Status::of_error(&error));
        }
        if let Some(error) = self.write_error() {
            let _ = print_error(&mut std::io::stderr(), &error, &self.options);
            return status.max(Status::of_error(&error));
        }
        status
    }

    /// Returns the first failure to write a report, but for that of a reader who has left: that is no mistake.
    fn write_error(&self) -> Option<Error> {
        let standard_output = || PathBuf::from("-");
        let json = self.json.as_ref().and_then(Json::write_error);
        let json = json.map(|cause| (self.json_path.clone().unwrap_or_else(standard_output), cause));
        let terminal = self.watched.terminal();
        let others = terminal.write_error().or_else(|| self.github.as_ref()?.write_error());
        let failures = json.into_iter().chain(others.map(|cause| (standard_output(), cause)));
        let mut failures = failures.filter(|(_, cause)| cause.kind() != std::io::ErrorKind::BrokenPipe);
        failures.next().map(|(path, cause)| Error::io("write", &path, cause))
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.watched.end();
    }
}

impl Sink for Desk {
    fn take(&mut self, event: &Event) {
        self.watched.terminal().take(event);
        if let Some(json) = &mut self.json {
            json.take(event);
        }
        if let Some((_, junit)) = &mut self.junit {
            junit.take(event);
        }
        if let Some(github) = &mut self.github {
            github.take(event);
        }
    }
}

/// Shows an error that came before there was a desk.
pub(super) fn complain(error: &Error) -> Status {
    let _ = print_error(&mut std::io::stderr(), error, &Options::detect());
    Status::of_error(error)
}

/// Fails if a layer of protection is missing.
fn require_all(builder: &Builder) -> Result<()> {
    let layers = builder.layers();
    let missing = layers.iter().filter_map(|layer| Some((layer.name, layer.state.as_ref().err()?)));
    let missing: Vec<String> = missing.map(|(name, why)| format!("{name} ({why})")).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Error::operating(format!("isolation is required, and these layers are missing: {}", missing.join(", ")))
        .with_help("`rebut doctor` tells which layers there are"))
}

/// The environment, with ourselves as the program that starts others.
fn environment() -> Result<Environment> {
    // The name under which the kernel knows this very program, even if its file is replaced meanwhile.
    const OURSELVES: &str = "/proc/self/exe";
    let environment = Environment::capture()?;
    let is_known = std::fs::read_link(OURSELVES).is_ok();
    Ok(if is_known { environment.with_spawner(OURSELVES) } else { environment })
}

/// How the command line wants sources to be compiled.
fn source_options(global: &Global) -> Result<SourceOptions> {
    if let Some(missing) = global.include.iter().find(|folder| !folder.is_dir()) {
        return Err(Error::usage(format!("`{}` is not a folder", missing.display()))
            .with_help("`--include` names a folder with headers"));
    }
    Ok(SourceOptions { includes: global.include.clone(), standards: global.std.clone() })
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn open_json(path: &Path) -> Result<Json<Box<dyn Write + Send>>> {
    let stream: Box<dyn Write + Send> = if path == Path::new("-") {
        Box::new(std::io::stdout())
    } else {
        Box::new(File::create(path).map_err(|e| Error::io("create", path, &e))?)
    };
    Ok(Json::new(stream))
}

/// The first request to stop lets work end in good order, with everything found so far saved; a second one ends the
/// process at once.
fn listen(cancel: &Cancel) -> Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;
    let hang_up: &[i32] = &[
        #[cfg(unix)]
        signal_hook::consts::SIGHUP,
    ];
    let status = i32::from(Status::Interrupted.code());
    for signal in [SIGINT, SIGTERM].into_iter().chain(hang_up.iter().copied()) {
        // In this order: the end is for those that come when the switch has been thrown.
        flag::register_conditional_shutdown(signal, status, cancel.switch())
            .and_then(|_| flag::register(signal, cancel.switch()))
            .map_err(|e| Error::operating(format!("failed to listen for signals: {e}")))?;
    }
    Ok(())
}
