//! The context that all commands share: reports, compilers and cancellation.

use super::args::{CliCommand, GlobalArgs, HtmlArgs, ReportArgs};
use super::exit_status::ExitStatus;
use crate::report::{
    GithubReport, HackInput, HtmlReport, JsonReport, JunitReport, ReportOptions, TerminalReport, escape_lines,
    print_diagnostics, print_error,
};
use clap::ColorChoice;
use rebut_diagnostics::{Diagnostic, Error, Result, Severity, SourceText, to_millis};
use rebut_engine::event::{ActivityEvent, CommandSummary, EndReason, Event, EventSink};
use rebut_format::language::{Format, StopToken};
use rebut_packages::{JournalSet, Package, write_atomically};
use rebut_sandbox::{CancelToken, HostEnvironment, SandboxLayer};
use rebut_toolchain::{CompileLimits, ProgramBuilder, SourceOptions};
use std::fs::File;
use std::io::{Stderr, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Stdout, or stderr where stdout is taken by `--json -`.
type ResultStream = Box<dyn Write + Send>;

fn open_result_stream(is_stdout_taken: bool) -> ResultStream {
    if is_stdout_taken { Box::new(std::io::stderr()) } else { Box::new(std::io::stdout()) }
}

/// The state of one invocation: its reports, its compilers and its cancellation token.
pub(super) struct Session {
    /// Names of the files from which submissions and the reference read their input, and into which they write their output, if they use
    /// files.
    pub(super) file_names: Option<[String; 2]>,
    pub(super) jobs: usize,
    pub(super) cancel: CancelToken,
    pub(super) builder: Arc<ProgramBuilder>,
    pub(super) options: ReportOptions,
    /// The file with the defaults of options.
    pub(super) settings: Option<PathBuf>,
    /// The journals to be merged, if the command is that of a merge.
    pub(super) merged: Option<Arc<JournalSet>>,
    watchdog: Arc<Watchdog<ResultStream, Stderr>>,
    json: Option<JsonReport<ResultStream>>,
    json_path: Option<PathBuf>,
    junit: Option<(PathBuf, JunitReport)>,
    html: Option<(PathBuf, HtmlReport)>,
    github: Option<GithubReport<ResultStream>>,
    hack: Option<HackInput>,
    /// Whether the store that machines share has had a problem.
    has_lost_store: bool,
}

impl Session {
    /// Reads the environment, opens the reports and installs the signal handlers. Of `rebut hack`, standard output is for
    /// the input that was found, and everything else goes to standard error.
    pub(super) fn open_session(global: &GlobalArgs, command: &CliCommand, cancel: &CancelToken) -> Result<Session> {
        let prints_hack = matches!(command, CliCommand::Hack(_));
        listen_for_signals(cancel)?;
        let mut options = ReportOptions::from_environment();
        let is_stdout_taken = prints_hack || global.json.as_deref() == Some(Path::new("-"));
        if is_stdout_taken {
            options = options.all_to_stderr();
        }
        let colour = |detected| match global.color {
            ColorChoice::Auto => detected,
            ColorChoice::Always => true,
            ColorChoice::Never => false,
        };
        options.colour = colour(options.colour);
        options.colour_stderr = colour(options.colour_stderr);
        options.verbose = global.verbose;
        options.quiet = global.quiet;
        options.all_rows = global.all;
        options.diff_style = global.diff.into();
        let limits = CompileLimits::default();
        let mut builder = ProgramBuilder::new(capture_environment()?)?.with_compile_limits(CompileLimits {
            cpu_time_ms: to_millis(global.compile_time).max(1),
            memory_bytes: global.compile_memory << 20,
            ..limits
        });
        builder = builder.with_source_options(source_options_from_args(global)?);
        if command.ignores_cache() {
            builder.forget_programs()?;
        }
        if global.require_isolation {
            require_base_layers(&builder)?;
            builder = builder.with_required_sandbox();
        }
        let stream = open_result_stream(is_stdout_taken);
        let watched = Watchdog::new(TerminalReport::new(stream, std::io::stderr(), options.clone()));
        Watchdog::spawn_watcher(&watched, cancel.clone(), options.clone())?;
        Ok(Session {
            file_names: None,
            jobs: global.jobs.map_or_else(processor_count, usize::from),
            cancel: cancel.clone(),
            builder: Arc::new(builder),
            watchdog: watched,
            json: global.json.as_deref().map(open_json).transpose()?,
            json_path: global.json.clone(),
            options,
            settings: global.settings.clone(),
            merged: None,
            junit: None,
            html: None,
            github: None,
            hack: prints_hack.then(HackInput::default),
            has_lost_store: false,
        })
    }

    /// Returns an error if the user interrupted the command; results of pure computations that were cut short are then
    /// meaningless.
    pub(super) fn check_interrupted(&self) -> Result<()> {
        if self.cancel.is_cancelled() { Err(Error::interrupted()) } else { Ok(()) }
    }

    /// Loads the package in a folder, with its constants filled into its programs.
    pub(super) fn load_package(&self, folder: &Path) -> Result<Package> {
        self.load_package_without(folder, &|_| false)
    }

    /// Same as [`load_package`](Self::load_package), ignoring the files for which `is_left_out` returns true.
    pub(super) fn load_package_without(&self, folder: &Path, is_left_out: &dyn Fn(&str) -> bool) -> Result<Package> {
        Package::load_without(folder, is_left_out)?.with_program_copies(&self.builder.cache_folder().join("filled"))
    }

    /// Returns a token that stops pure computations when the command is interrupted.
    pub(super) fn stop_token(&self) -> StopToken {
        let cancel = self.cancel.clone();
        StopToken::from_condition(move || cancel.is_cancelled())
    }

    /// Sets the current activity, which is displayed when nothing else has been printed for a while.
    pub(super) fn begin_activity(&self, verb: &'static str, subject: impl Into<String>) {
        self.note_activity(&ActivityEvent::new(verb, subject));
    }

    /// Sets the current activity and displays it immediately. Used for long steps that precede the requested results.
    pub(super) fn announce_activity(&self, verb: &'static str, subject: impl Into<String>) {
        self.watchdog.lock_terminal().announce_activity(&ActivityEvent::new(verb, subject));
    }

    /// Ends the signs of life, because another process writes to the same terminal.
    pub(super) fn stop_heartbeat(&self) {
        self.watchdog.stop_watching();
    }

    /// Sets the current activity and its progress.
    pub(super) fn note_activity(&self, activity: &ActivityEvent) {
        self.watchdog.lock_terminal().set_activity(activity);
    }

    /// Records that there are now results to be saved, which extends the time allowed for shutting down after an
    /// interrupt.
    pub(super) fn keep_results(&self) {
        self.watchdog.extend_grace();
    }

    /// Returns true unless the store that machines share has had a problem.
    pub(super) fn uses_store(&self) -> bool {
        !self.has_lost_store
    }

    /// Warns once that the store that machines share is not used any more.
    pub(super) fn give_up_store(&mut self, problem: &str) {
        if !std::mem::replace(&mut self.has_lost_store, true) {
            self.warn(format!("the store of results {problem}, so this command goes on without it"));
        }
    }

    /// Makes the report include the time of each submission on each test case.
    pub(super) fn show_times(&mut self) {
        self.watchdog.lock_terminal().show_times();
        if let Some((_, html)) = &mut self.html {
            html.show_times();
        }
    }

    /// Makes the reports draw inputs according to this format.
    pub(super) fn set_board_format(&mut self, format: &Format) {
        self.watchdog.lock_terminal().set_format(format.clone());
        if let Some((_, html)) = &mut self.html {
            html.set_format(format);
        }
    }

    /// Opens the report as a page, if it is wanted.
    pub(super) fn open_html(&mut self, page: &HtmlArgs) {
        self.html = page.html.as_deref().map(|path| (path.to_owned(), HtmlReport::default()));
    }

    /// Returns true if a report shows the inputs on which submissions fail.
    pub(super) fn shows_counterexamples(&self) -> bool {
        self.html.is_some()
    }

    /// Opens the optional reports: JUnit XML, GitHub annotations and HTML.
    pub(super) fn open_reports(&mut self, reports: &ReportArgs) {
        let stream = open_result_stream(self.writes_events_to_stdout() || self.hack.is_some());
        self.junit = reports.junit.as_deref().map(|path| (path.to_owned(), JunitReport::default()));
        self.github = reports.github.then(|| GithubReport::new(stream));
        self.open_html(&reports.page);
    }

    /// Starts the section of a package or a search in the optional reports.
    fn begin_report_section(&mut self, name: &str, folder: &Path, is_verified_next: bool) {
        if let Some((_, junit)) = &mut self.junit {
            if is_verified_next { junit.begin_build_suite(name) } else { junit.begin_suite(name) }
        }
        if let Some(github) = &mut self.github {
            github.begin_package(name, folder);
        }
        if let Some((_, html)) = &mut self.html {
            if is_verified_next { html.begin_build_section(name) } else { html.begin_section(name) }
        }
    }

    /// Starts the section of a package in the optional reports. Its errors, and the verification that follows, belong to
    /// it.
    pub(super) fn begin_package_section(&mut self, folder: &Path) {
        self.begin_report_section(&package_name(folder), folder, true);
    }

    /// Starts the section of a command that searches, named after the problem as well if one is given.
    pub(super) fn begin_search_section(&mut self, command: &str, problem: Option<&Path>) {
        let name = problem.map_or(command.to_owned(), |folder| format!("{command} {}", package_name(folder)));
        self.begin_report_section(&name, problem.unwrap_or(Path::new("")), false);
    }

    /// Passes the place of a program's source to the reports that point to it.
    pub(super) fn locate_source(&mut self, name: &str, path: &Path) {
        if let Some(github) = &mut self.github {
            github.locate_source(name, path);
        }
    }

    /// Starts the section of a package on the page. Its notes, and the verification that follows, belong to it.
    pub(super) fn begin_page_section(&mut self, name: &str) {
        if let Some((_, html)) = &mut self.html {
            html.begin_build_section(name);
        }
    }

    /// Sets the names of the files for the input and the output of submissions, if two are given.
    pub(super) fn set_file_names(&mut self, names: Option<Vec<String>>) {
        self.file_names = names.and_then(|names| names.try_into().ok());
    }

    /// Emits the summary of a command that does not search, and returns its exit status.
    pub(super) fn emit_summary(&mut self, findings: usize, status: ExitStatus) -> ExitStatus {
        let reason = if status == ExitStatus::Interrupted { EndReason::Interrupted } else { EndReason::Done };
        let exit_status = status.exit_code();
        self.take_event(&Event::Summary(CommandSummary { reason, findings, exit_status, ..CommandSummary::default() }));
        status
    }

    /// Shows an error without ending the command.
    pub(super) fn show_error(&mut self, error: &Error) {
        if let Some((source, problems)) = error.diagnostics() {
            self.show_diagnostics(problems, source);
            for problem in problems.iter().filter(|problem| problem.severity == Severity::Error) {
                let place = source.describe_line(problem.span.start);
                // Not of texts that were given as options.
                let is_file = place.starts_with(&source.name) && Path::new(&source.name).is_file();
                let line = source.line_column(problem.span.start).0;
                let error = Error::usage_error(format!("{place}: {}", problem.message));
                let place = is_file.then_some((source.name.as_str(), line));
                self.report_error(&error.with_note(problem.render_text(source)), place);
            }
        }
        if error.message().is_empty() {
            return;
        }
        self.watchdog.lock_terminal().clear_live_block();
        let _ = print_error(&mut std::io::stderr(), error, &self.options);
        self.report_error(error, None);
    }

    /// Adds an error to the optional reports, with the file and the line that it is about.
    fn report_error(&mut self, error: &Error, place: Option<(&str, usize)>) {
        if let Some((_, junit)) = &mut self.junit {
            junit.add_error(error);
        }
        if let Some(github) = &mut self.github {
            github.report_error(error, place);
        }
        if let Some((_, html)) = &mut self.html {
            html.add_error(error);
        }
    }

    /// Writes the reports that are only written at the end: the JUnit file, the page and the GitHub step summary.
    fn finish_reports(&mut self) -> Result<()> {
        if let Some((path, junit)) = self.junit.take() {
            write_atomically(&path, junit.to_xml().as_bytes())?;
        }
        if let Some((path, html)) = self.html.take() {
            write_atomically(&path, html.to_html().as_bytes())?;
        }
        let summary = self.github.as_ref().map(|github| github.step_summary().to_owned()).unwrap_or_default();
        let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").map(PathBuf::from).filter(|_| !summary.is_empty())
        else {
            return Ok(());
        };
        let mut file =
            File::options().append(true).create(true).open(&path).map_err(|e| Error::io_error("open", &path, &e))?;
        file.write_all(summary.as_bytes()).map_err(|e| Error::io_error("write", &path, &e))
    }

    /// Prints diagnostics with excerpts of their source.
    pub(super) fn show_diagnostics(&mut self, problems: &[Diagnostic], source: &SourceText) {
        let options = &self.options;
        self.watchdog.lock_terminal().suspend_while(|| {
            // If stderr is closed, there is nothing left to do.
            let _ = print_diagnostics(&mut std::io::stderr(), problems, source, options);
        });
    }

    /// Returns true if events are written to stdout (`--json -`).
    pub(super) fn writes_events_to_stdout(&self) -> bool {
        self.json_path.as_deref() == Some(Path::new("-"))
    }

    /// Writes the requested output to stdout.
    pub(super) fn write_stdout(&mut self, bytes: &[u8]) -> Result<()> {
        let write = || {
            let mut out = std::io::stdout().lock();
            out.write_all(bytes).and_then(|()| out.flush())
        };
        match self.watchdog.lock_terminal().suspend_while(write) {
            // The reader closed the pipe, as `head` does: stop without an error message.
            Err(cause) if cause.kind() == std::io::ErrorKind::BrokenPipe => Err(Error::operating_error("")),
            result => result.map_err(|e| Error::io_error("write", Path::new("-"), &e)),
        }
    }

    /// Writes text for humans to stdout, with control characters (from programs, files and names) escaped.
    pub(super) fn write_stdout_text(&mut self, text: &str) -> Result<()> {
        self.write_stdout(escape_lines(text).as_bytes())
    }

    /// Writes the input that was found, if the command prints it.
    fn write_hack(&mut self) -> Result<()> {
        let input = self.hack.take().and_then(HackInput::into_bytes);
        input.map_or(Ok(()), |input| self.write_stdout(&input))
    }

    /// Finishes a command: shows its error, if any, writes the remaining reports and returns the exit status.
    pub(super) fn finish_command(mut self, result: Result<ExitStatus>) -> ExitStatus {
        self.watchdog.extend_grace();
        let status = match result {
            Ok(status) => status,
            Err(error) => {
                self.show_error(&error);
                ExitStatus::from_error(&error)
            }
        };
        if let Err(error) = self.write_hack().and_then(|()| self.finish_reports()) {
            self.show_error(&error);
            return status.max(ExitStatus::from_error(&error));
        }
        if let Some(error) = self.write_error() {
            let _ = print_error(&mut std::io::stderr(), &error, &self.options);
            return status.max(ExitStatus::from_error(&error));
        }
        status
    }

    /// Returns the first failure to write a report. A closed pipe is not a failure.
    fn write_error(&self) -> Option<Error> {
        let standard_output = || PathBuf::from("-");
        let json = self.json.as_ref().and_then(JsonReport::write_error);
        let json = json.map(|cause| (self.json_path.clone().unwrap_or_else(standard_output), cause));
        let terminal = self.watchdog.lock_terminal();
        let others = terminal.write_error().or_else(|| self.github.as_ref()?.write_error());
        let failures = json.into_iter().chain(others.map(|cause| (standard_output(), cause)));
        let mut failures = failures.filter(|(_, cause)| cause.kind() != std::io::ErrorKind::BrokenPipe);
        failures.next().map(|(path, cause)| Error::io_error("write", &path, cause))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.watchdog.stop_watching();
    }
}

impl EventSink for Session {
    fn take_event(&mut self, event: &Event) {
        self.watchdog.lock_terminal().take_event(event);
        if let Some(json) = &mut self.json {
            json.take_event(event);
        }
        if let Some((_, junit)) = &mut self.junit {
            junit.take_event(event);
        }
        if let Some(github) = &mut self.github {
            github.take_event(event);
        }
        if let Some((_, html)) = &mut self.html {
            html.take_event(event);
        }
        if let Some(hack) = &mut self.hack {
            hack.take_event(event);
        }
    }
}

/// Returns the name of the package in a folder.
fn package_name(folder: &Path) -> String {
    let path = folder.canonicalize().ok();
    path.as_deref().and_then(Path::file_name).unwrap_or(folder.as_os_str()).to_string_lossy().into_owned()
}

/// Shows an error that occurred before a session was opened.
pub(super) fn print_early_error(error: &Error) -> ExitStatus {
    let options = ReportOptions::from_environment();
    match error.diagnostics() {
        Some((source, problems)) => print_diagnostics(&mut std::io::stderr(), problems, source, &options),
        None => print_error(&mut std::io::stderr(), error, &options),
    }
    .unwrap_or_default();
    ExitStatus::from_error(error)
}

/// Returns an error if a sandbox layer is missing.
fn require_base_layers(builder: &ProgramBuilder) -> Result<()> {
    let layers = builder.sandbox_layers();
    // Many machines allow no namespaces without root; the other layers keep what is in the files.
    let required = layers.iter().filter(|layer| layer.name != SandboxLayer::NAMESPACE);
    let missing = required.filter_map(|layer| Some((layer.name, layer.state.as_ref().err()?)));
    let missing: Vec<String> = missing.map(|(name, why)| format!("{name} ({why})")).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Error::operating_error(format!(
        "`--require-isolation`: these sandbox layers are missing: {}",
        missing.join(", ")
    ))
    .with_help("`rebut doctor` lists the sandbox layers"))
}

/// Captures the environment, with this executable as the spawner of other programs.
fn capture_environment() -> Result<HostEnvironment> {
    // Refers to this very executable, even if its file is replaced in the meantime.
    const SELF_EXECUTABLE: &str = "/proc/self/exe";
    let environment = HostEnvironment::from_process()?;
    let is_known = std::fs::read_link(SELF_EXECUTABLE).is_ok();
    Ok(if is_known { environment.with_spawner(SELF_EXECUTABLE) } else { environment })
}

/// Returns the options for compiling sources that the command line gives.
fn source_options_from_args(global: &GlobalArgs) -> Result<SourceOptions> {
    if let Some(missing) = global.include.iter().find(|folder| !folder.is_dir()) {
        return Err(Error::usage_error(format!("`{}` is not a folder", missing.display()))
            .with_help("`--include` names a folder with headers"));
    }
    Ok(SourceOptions { includes: global.include.clone(), standards: global.std.clone(), ..SourceOptions::default() })
}

fn processor_count() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn open_json(path: &Path) -> Result<JsonReport<ResultStream>> {
    let stream: ResultStream = if path == Path::new("-") {
        Box::new(std::io::stdout())
    } else {
        Box::new(File::create(path).map_err(|e| Error::io_error("create", path, &e))?)
    };
    Ok(JsonReport::new(stream))
}

/// Installs the signal handlers. The first signal cancels the work, which then ends with everything found so far saved;
/// a second signal ends the process at once.
fn listen_for_signals(cancel: &CancelToken) -> Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;
    let hang_up: &[i32] = &[
        #[cfg(unix)]
        signal_hook::consts::SIGHUP,
    ];
    let status = i32::from(ExitStatus::Interrupted.exit_code());
    for signal in [SIGINT, SIGTERM].into_iter().chain(hang_up.iter().copied()) {
        // The order matters: the shutdown handler must see the flag as it was before this signal.
        flag::register_conditional_shutdown(signal, status, cancel.cancel_flag())
            .and_then(|_| flag::register(signal, cancel.cancel_flag()))
            .map_err(|e| Error::operating_error(format!("failed to listen for signals: {e}")))?;
    }
    Ok(())
}

// Ends an interrupted command that does not stop in time, and shows a heartbeat while the command is silent.
//
// Long operations poll the cancellation token that signals set, and stop cleanly. Some operations cannot be divided,
// such as reading a large file; so a separate thread ends the process if it takes too long to stop. The spawners then
// kill the programs they started, as if the process had been killed.

/// Interval between two polls.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Time a command without results has to stop after a signal.
const MAX_GRACE: Duration = Duration::from_millis(600);

/// Time a command with results to save has to stop. It needs far less unless the machine is overloaded.
const MAX_GRACE_WITH_RESULTS: Duration = Duration::from_secs(10);

/// State shared by a command and its watchdog thread.
pub(super) struct Watchdog<W: Write, E: Write> {
    terminal: Mutex<TerminalReport<W, E>>,
    /// True if there are results that an abrupt end would lose.
    has_results: AtomicBool,
    /// True if the command has finished.
    is_over: AtomicBool,
}

impl<W: Write + Send + 'static, E: Write + Send + 'static> Watchdog<W, E> {
    pub(super) fn new(terminal: TerminalReport<W, E>) -> Arc<Self> {
        let (has_results, is_over) = (AtomicBool::new(false), AtomicBool::new(false));
        Arc::new(Watchdog { terminal: Mutex::new(terminal), has_results, is_over })
    }

    /// Locks the terminal report.
    pub(super) fn lock_terminal(&self) -> MutexGuard<'_, TerminalReport<W, E>> {
        self.terminal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the command the extended time to save its results, from now on.
    pub(super) fn extend_grace(&self) {
        self.has_results.store(true, Ordering::SeqCst);
    }

    /// Stops the watchdog.
    pub(super) fn stop_watching(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }

    /// Starts the watchdog thread, which runs until the command ends.
    ///
    /// # Errors
    /// Returns an error if the thread cannot be started.
    pub(super) fn spawn_watcher(watched: &Arc<Self>, cancel: CancelToken, options: ReportOptions) -> Result<()> {
        let watched = Arc::downgrade(watched);
        let run = move || watch_until_over(&watched, &cancel, &options);
        let spawned = std::thread::Builder::new().name("watchdog".to_owned()).spawn(run);
        spawned.map(drop).map_err(|e| Error::operating_error(format!("failed to start a thread: {e}")))
    }
}

fn watch_until_over<W: Write + Send + 'static, E: Write + Send + 'static>(
    watched: &Weak<Watchdog<W, E>>,
    cancel: &CancelToken,
    options: &ReportOptions,
) {
    let mut asked = None;
    loop {
        std::thread::sleep(POLL_INTERVAL);
        let Some(watched) = watched.upgrade().filter(|watched| !watched.is_over.load(Ordering::SeqCst)) else { return };
        if !cancel.is_cancel_requested() {
            // If the lock is taken, the report is being written to, so no heartbeat is needed.
            if let Ok(mut terminal) = watched.terminal.try_lock() {
                terminal.show_heartbeat();
            }
            continue;
        }
        let asked = *asked.get_or_insert_with(Instant::now);
        let has_results = watched.has_results.load(Ordering::SeqCst);
        let grace = if has_results { MAX_GRACE_WITH_RESULTS } else { MAX_GRACE };
        if asked.elapsed() >= grace {
            if let Ok(mut terminal) = watched.terminal.try_lock() {
                terminal.clear_live_block();
            }
            let error = Error::interrupted();
            let error = if has_results { error.with_note(format!("it did not stop within {grace:?}")) } else { error };
            let _ = print_error(&mut std::io::stderr(), &error, options);
            signal_hook::low_level::exit(i32::from(ExitStatus::Interrupted.exit_code()));
        }
    }
}
