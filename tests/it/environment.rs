//! A folder of its own for each test, and the real program in it.
//!
//! A test says what is in the folder, what is typed, and what is to be seen:
//! `Folder::new().file("a.format", "n").rebut("generate a.format").exits(2).shows("no bounds")`.
//! A program that hangs is killed after [`PATIENCE`] and fails its test, not the suite.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// No command of a test takes nearly as long; one that does has hung.
const PATIENCE: Duration = Duration::from_secs(180);

/// Whether one of these tools is here; says by name what is skipped if not.
pub(crate) fn installed(tools: &[&str]) -> bool {
    let found = tools.iter().any(|tool| find(tool).is_some());
    if !found {
        skipped(&format!("there is no {} here", tools.join(" or ")));
    }
    found
}

/// Says that a test, or a part of it, could not be done here, and why. The test runner hides what is printed, but not
/// what is written to the stream itself.
pub(crate) fn skipped(why: &str) {
    let thread = std::thread::current();
    let line = format!("skipped: {}: {why}\n", thread.name().unwrap_or("a test"));
    // Nobody reads along: then nobody misses it.
    let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
}

/// Where a program of that name is.
fn find(tool: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(tool)).find(|path| path.is_file())
}

/// The package's own folder.
pub(crate) fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder to work in, gone after the test.
pub(crate) struct Folder {
    folder: TempDir,
}

impl Folder {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        Folder { folder: tempfile::tempdir().unwrap() }
    }

    /// The same with one more file in it.
    pub(crate) fn file(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        self.write(name, text);
        self
    }

    /// Writes a file, and the folders above it.
    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Where a file is.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The same with one more script in it that can be executed.
    pub(crate) fn script(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        use std::os::unix::fs::PermissionsExt;
        self.write(name, text);
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    /// What is in a file.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// The names in a folder, sorted; none if it is not there.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path(folder)) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The only finding in `findings/`.
    pub(crate) fn finding(&self) -> Finding<'_> {
        let names = self.names("findings");
        assert_eq!(names.len(), 1, "{names:?}");
        Finding { folder: self, name: format!("findings/{}", names[0]) }
    }

    /// All findings in `findings/`.
    pub(crate) fn findings(&self) -> Vec<Finding<'_>> {
        let names = self.names("findings").into_iter();
        names.map(|name| Finding { folder: self, name: format!("findings/{name}") }).collect()
    }

    /// Runs rebut with these arguments, split at white space but for what stands in single quotes.
    pub(crate) fn rebut(&self, arguments: &str) -> Ran {
        self.typed(arguments).run()
    }

    /// The same, to be changed before it is run.
    pub(crate) fn typed(&self, arguments: &str) -> Typed<'_> {
        Typed { folder: self, arguments: words(arguments), variables: Vec::new(), input: None, wrapper: Vec::new() }
    }
}

/// The folder of a counterexample.
pub(crate) struct Finding<'f> {
    folder: &'f Folder,
    pub(crate) name: String,
}

impl Finding<'_> {
    /// What is in one of its files.
    pub(crate) fn read(&self, file: &str) -> String {
        self.folder.read(&format!("{}/{file}", self.name))
    }

    /// What `finding.json` says.
    pub(crate) fn record(&self) -> serde_json::Value {
        serde_json::from_str(&self.read("finding.json")).unwrap()
    }

    /// Runs it again.
    pub(crate) fn replay(&self) -> Ran {
        self.folder.rebut(&format!("replay {}", self.name))
    }
}

/// A command line, not yet run.
pub(crate) struct Typed<'f> {
    folder: &'f Folder,
    arguments: Vec<String>,
    variables: Vec<(&'static str, String)>,
    input: Option<Vec<u8>>,
    wrapper: Vec<String>,
}

impl Typed<'_> {
    /// With one more argument, taken as it is.
    pub(crate) fn argument(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// With more arguments, split as the others are.
    pub(crate) fn arguments(mut self, arguments: &str) -> Self {
        self.arguments.extend(words(arguments));
        self
    }

    /// With a variable of the environment.
    pub(crate) fn variable(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.variables.push((name, value.into()));
        self
    }

    /// With these bytes as the standard input.
    pub(crate) fn input(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.input = Some(bytes.as_ref().to_vec());
        self
    }

    /// Started by another program, which is given the whole command line as arguments.
    pub(crate) fn through(mut self, wrapper: &[&str]) -> Self {
        self.wrapper = wrapper.iter().map(|word| (*word).to_owned()).collect();
        self
    }

    /// Runs it to its end.
    pub(crate) fn run(self) -> Ran {
        self.start().finish()
    }

    /// Starts it. Its streams are files: they never fill up, whatever the test reads.
    pub(crate) fn start(self) -> Running {
        let streams = tempfile::tempdir().unwrap();
        let create = |name: &str| File::create(streams.path().join(name)).unwrap();
        let whole = self.wrapper.iter().map(String::as_str).chain([env!("CARGO_BIN_EXE_rebut")]);
        let mut words = whole.chain(self.arguments.iter().map(String::as_str));
        let mut command = Command::new(words.next().unwrap());
        command
            .args(words)
            .current_dir(self.folder.folder.path())
            .env("REBUT_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("rebut-cache"))
            .env("NO_COLOR", "1")
            .env_remove("COLUMNS")
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(self.stdin(streams.path()))
            .stdout(create("stdout"))
            .stderr(create("stderr"));
        Running { typed: self.arguments.join(" "), child: command.spawn().unwrap(), streams, started: Instant::now() }
    }

    fn stdin(&self, folder: &Path) -> Stdio {
        let Some(bytes) = &self.input else { return Stdio::null() };
        fs::write(folder.join("stdin"), bytes).unwrap();
        File::open(folder.join("stdin")).unwrap().into()
    }
}

/// A rebut that runs. It is killed if its test fails before it ends.
pub(crate) struct Running {
    typed: String,
    child: Child,
    streams: TempDir,
    started: Instant,
}

impl Running {
    /// Waits for its end.
    pub(crate) fn finish(mut self) -> Ran {
        let (status, memory_peak_kib) = self.wait();
        let [stdout, stderr] = ["stdout", "stderr"].map(|name| self.stream(name));
        Ran { typed: self.typed.clone(), status, stdout, stderr, memory_peak_kib }
    }

    /// The exit status, and the most memory that the process held.
    fn wait(&mut self) -> (Option<i32>, u64) {
        let mut peak_kib = 0;
        loop {
            peak_kib = peak_kib.max(self.memory_peak_kib());
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status.code(), peak_kib);
            }
            if self.started.elapsed() > PATIENCE {
                panic!("rebut {} does not end\n{}{}", self.typed, self.stream("stdout"), self.stream("stderr"));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The most resident memory that it held so far, as the kernel knows it; 0 where that cannot be read.
    fn memory_peak_kib(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
    }

    /// What it has written so far.
    pub(crate) fn stream(&self, name: &str) -> String {
        String::from_utf8_lossy(&fs::read(self.streams.path().join(name)).unwrap()).into_owned()
    }

    /// Sends it a signal, once it is ready for it: before that, a signal would just kill it.
    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let pid = rustix::process::Pid::from_child(&self.child);
        if signal != rustix::process::Signal::KILL {
            eventually("a handler", || catches(pid, signal));
        }
        rustix::process::kill_process(pid, signal).unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Of one that has ended there is nothing left to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A rebut that has run.
pub(crate) struct Ran {
    typed: String,
    /// Its exit status; none if a signal ended it.
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    memory_peak_kib: u64,
}

impl Ran {
    /// Requires that the process itself never held more memory than this.
    #[track_caller]
    pub(crate) fn holds_at_most_mib(self, most: u64) -> Self {
        assert!(self.memory_peak_kib <= most << 10, "{} MiB\n{self}", self.memory_peak_kib >> 10);
        self
    }

    /// Requires an exit status.
    #[track_caller]
    pub(crate) fn exits(self, status: i32) -> Self {
        assert_eq!(self.status, Some(status), "{self}");
        self
    }

    /// Requires a text, on either stream, wherever its lines are broken.
    #[track_caller]
    pub(crate) fn shows(self, text: &str) -> Self {
        let squeezed = [&self.stdout, &self.stderr].map(|stream| squeeze(stream));
        let is_there = squeezed.iter().any(|stream| stream.contains(&squeeze(text)));
        assert!(is_there, "no `{text}` in: {self}");
        self
    }

    /// Requires each of these texts.
    #[track_caller]
    pub(crate) fn shows_all(self, texts: &[&str]) -> Self {
        texts.iter().fold(self, |ran, text| ran.shows(text))
    }

    /// Requires that a text is nowhere.
    #[track_caller]
    pub(crate) fn hides(self, text: &str) -> Self {
        assert!(!self.stdout.contains(text) && !self.stderr.contains(text), "`{text}` in: {self}");
        self
    }
}

impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Ran { typed, status, stdout, stderr, .. } = self;
        write!(f, "rebut {typed}\n--- status {status:?}\n--- stdout\n{stdout}--- stderr\n{stderr}")
    }
}

/// Whether a process has a handler for a signal; that cannot be told everywhere.
fn catches(pid: rustix::process::Pid, signal: rustix::process::Signal) -> bool {
    let Ok(status) = fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero())) else { return true };
    let Some(caught) = status.lines().find_map(|line| line.strip_prefix("SigCgt:")) else { return true };
    u64::from_str_radix(caught.trim(), 16).unwrap() >> (signal.as_raw() - 1) & 1 == 1
}

/// Waits for something that is certain to come.
#[track_caller]
pub(crate) fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < PATIENCE, "it never came: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The same text with single blanks for all white space.
fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Words as a shell knows them, as far as tests need it.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in text.split('\'').enumerate() {
        if i % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}
