//! A temporary folder for each test, and the real program in it.
//!
//! A test states the files in the folder, the command line and the expected output: `Folder::new().file("a.format",
//! "n").rebut("generate a.format").exits(2).shows("no bounds")`. A program that hangs is killed after [`PATIENCE`] and
//! fails its test, not the suite.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Timeout of a command. No command of a test takes nearly as long.
const PATIENCE: Duration = Duration::from_secs(180);

/// Returns true if one of these tools is installed, and prints which test is skipped if not.
pub(crate) fn installed(tools: &[&str]) -> bool {
    let found = tools.iter().any(|tool| find(tool).is_some());
    if !found {
        skipped(&format!("there is no {} here", tools.join(" or ")));
    }
    found
}

/// Prints that a test or a part of it is skipped, and why. The test runner captures `print!`, but not what is written
/// to the stream directly.
pub(crate) fn skipped(why: &str) {
    let thread = std::thread::current();
    let line = format!("skipped: {}: {why}\n", thread.name().unwrap_or("a test"));
    // A closed stream is ignored.
    let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
}

/// Returns the path of a program.
fn find(tool: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(tool)).find(|path| path.is_file())
}

/// Sets the permissions of a file or a folder to `rwxr-xr-x`.
pub(crate) fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The package's own folder.
pub(crate) fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A temporary folder, removed after the test.
pub(crate) struct Folder {
    folder: TempDir,
}

impl Folder {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        Folder { folder: tempfile::tempdir().unwrap() }
    }

    /// Adds a file.
    pub(crate) fn file(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        self.write(name, text);
        self
    }

    /// Writes a file, and creates the folders above it.
    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Returns the path of a file.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Adds an executable script.
    pub(crate) fn script(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        self.write(name, text);
        make_executable(&self.path(name));
        self
    }

    /// Returns the contents of a file.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// Returns the sorted names in a folder. A missing folder is empty.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path(folder)) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Returns the only finding in `findings/`.
    pub(crate) fn finding(&self) -> Finding<'_> {
        let names = self.names("findings");
        assert_eq!(names.len(), 1, "{names:?}");
        Finding { folder: self, name: format!("findings/{}", names[0]) }
    }

    /// Returns all findings in `findings/`.
    pub(crate) fn findings(&self) -> Vec<Finding<'_>> {
        let names = self.names("findings").into_iter();
        names.map(|name| Finding { folder: self, name: format!("findings/{name}") }).collect()
    }

    /// Runs rebut with these arguments, split at white space outside single quotes.
    pub(crate) fn rebut(&self, arguments: &str) -> Ran {
        self.typed(arguments).run()
    }

    /// Returns the command line, for further changes before it is run.
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
    /// Returns the contents of one of its files.
    pub(crate) fn read(&self, file: &str) -> String {
        self.folder.read(&format!("{}/{file}", self.name))
    }

    /// Returns the parsed `finding.json`.
    pub(crate) fn record(&self) -> serde_json::Value {
        serde_json::from_str(&self.read("finding.json")).unwrap()
    }

    /// Replays it.
    pub(crate) fn replay(&self) -> Ran {
        self.folder.rebut(&format!("replay {}", self.name))
    }
}

/// A command line that has not been run yet.
pub(crate) struct Typed<'f> {
    folder: &'f Folder,
    arguments: Vec<String>,
    variables: Vec<(&'static str, String)>,
    input: Option<Vec<u8>>,
    wrapper: Vec<String>,
}

impl Typed<'_> {
    /// Adds an argument verbatim.
    pub(crate) fn argument(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Adds arguments, split like the first ones.
    pub(crate) fn arguments(mut self, arguments: &str) -> Self {
        self.arguments.extend(words(arguments));
        self
    }

    /// Sets an environment variable.
    pub(crate) fn variable(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.variables.push((name, value.into()));
        self
    }

    /// Sets the standard input.
    pub(crate) fn input(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.input = Some(bytes.as_ref().to_vec());
        self
    }

    /// Starts it by another program, with the whole command line as its arguments.
    pub(crate) fn through(mut self, wrapper: &[&str]) -> Self {
        self.wrapper = wrapper.iter().map(|word| (*word).to_owned()).collect();
        self
    }

    /// Runs it to its end.
    pub(crate) fn run(self) -> Ran {
        self.start().finish()
    }

    /// Starts it. Its streams are files, so they never fill up.
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
            .env("XDG_CONFIG_HOME", "/nonexistent")
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

/// A running rebut. It is killed if its test fails before it ends.
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

    /// Returns the exit status and the memory peak of the process.
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

    /// Returns the peak of the resident memory so far, according to the kernel; 0 if it cannot be read.
    fn memory_peak_kib(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
    }

    /// Returns its output so far.
    pub(crate) fn stream(&self, name: &str) -> String {
        String::from_utf8_lossy(&fs::read(self.streams.path().join(name)).unwrap()).into_owned()
    }

    /// Sends it a signal once its handler is installed: before that, a signal would just kill it.
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
        // A process that has ended cannot be killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A rebut that has ended.
pub(crate) struct Ran {
    typed: String,
    /// Its exit status, or `None` if a signal killed it.
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    memory_peak_kib: u64,
}

impl Ran {
    /// Asserts the memory peak of the process.
    #[track_caller]
    pub(crate) fn holds_at_most_mib(self, most: u64) -> Self {
        assert!(self.memory_peak_kib <= most << 10, "{} MiB\n{self}", self.memory_peak_kib >> 10);
        self
    }

    /// Asserts the exit status.
    #[track_caller]
    pub(crate) fn exits(self, status: i32) -> Self {
        assert_eq!(self.status, Some(status), "{self}");
        self
    }

    /// Asserts that a text is on either stream, regardless of line breaks.
    #[track_caller]
    pub(crate) fn shows(self, text: &str) -> Self {
        let squeezed = [&self.stdout, &self.stderr].map(|stream| squeeze(stream));
        let is_there = squeezed.iter().any(|stream| stream.contains(&squeeze(text)));
        assert!(is_there, "no `{text}` in: {self}");
        self
    }

    /// Asserts that each of these texts is on either stream.
    #[track_caller]
    pub(crate) fn shows_all(self, texts: &[&str]) -> Self {
        texts.iter().fold(self, |ran, text| ran.shows(text))
    }

    /// Asserts that a text is on neither stream.
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

/// Returns true if a process has a handler for a signal, or if that is unknown on this system.
fn catches(pid: rustix::process::Pid, signal: rustix::process::Signal) -> bool {
    let Ok(status) = fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero())) else { return true };
    let Some(caught) = status.lines().find_map(|line| line.strip_prefix("SigCgt:")) else { return true };
    u64::from_str_radix(caught.trim(), 16).unwrap() >> (signal.as_raw() - 1) & 1 == 1
}

/// Waits for a condition that becomes true for certain.
#[track_caller]
pub(crate) fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < PATIENCE, "timed out waiting for {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Returns the text with each run of white space replaced by one space.
fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Splits a command line at white space outside single quotes.
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
