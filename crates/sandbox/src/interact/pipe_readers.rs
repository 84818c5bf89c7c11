//! Finds out whether the programs that read from a pipe wait for more input.

use crate::sys::OwnedFd;
use crate::tuning::ASLEEP_LOOKS;
use std::fs;
use std::path::{Path, PathBuf};

/// Parts of the names of the kernel's functions in which a thread waits for input: it reads a pipe, or polls.
const INPUT_WAITS: [&str; 4] = ["pipe_read", "pipe_wait", "poll", "select"];

/// The processes that have a pipe as their standard input.
#[derive(Default)]
pub(super) struct PipeReaders {
    threads: Vec<PathBuf>,
    /// Number of consecutive looks at which all of them slept.
    asleep_looks: u32,
}

#[derive(PartialEq, Eq)]
enum ThreadState {
    Running,
    Asleep,
    WaitsForInput,
}

impl PipeReaders {
    /// Returns true if the processes that read what is written to this end of a pipe wait for input, although everything
    /// that was written has been read. What a thread waits for is not always known, so those that sleep for long count,
    /// too, and so do those that cannot be found for long: one that ends is gone before its end of the pipe is closed.
    pub(super) fn wait_for_input(&mut self, sink: &OwnedFd) -> bool {
        if rustix::io::ioctl_fionread(sink).is_ok_and(|unread| unread > 0) {
            self.asleep_looks = 0;
            return false;
        }
        let mut states = self.thread_states();
        if states.is_empty() {
            // At the first look, the program may not have been started yet.
            self.threads = find_readers(sink);
            states = self.thread_states();
        }
        let are_asleep = states.iter().all(|state| *state != ThreadState::Running);
        self.asleep_looks = if are_asleep { self.asleep_looks + 1 } else { 0 };
        states.contains(&ThreadState::WaitsForInput)
            || self.asleep_looks > ASLEEP_LOOKS
            || !Path::new("/proc/self").exists()
    }

    fn thread_states(&self) -> Vec<ThreadState> {
        self.threads.iter().flat_map(|folder| list_folder(folder)).map(|thread| thread_state(&thread)).collect()
    }
}

/// Returns the folders of the threads of the processes that have the other end of a pipe as their standard input.
fn find_readers(sink: &OwnedFd) -> Vec<PathBuf> {
    let link = rustix::fs::fstat(sink).map(|about| PathBuf::from(format!("pipe:[{}]", about.st_ino)));
    let is_reader = |process: &PathBuf| fs::read_link(process.join("fd/0")).is_ok_and(|end| Ok(end) == link);
    list_folder(Path::new("/proc")).filter(is_reader).map(|process| process.join("task")).collect()
}

fn list_folder(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn thread_state(thread: &Path) -> ThreadState {
    let read = |name: &str| fs::read_to_string(thread.join(name)).unwrap_or_default();
    // The name before the state can contain anything.
    match read("stat").rsplit(") ").next() {
        Some(rest) if rest.starts_with(['R', 'D']) => ThreadState::Running,
        _ if INPUT_WAITS.iter().any(|name| read("wchan").contains(name)) => ThreadState::WaitsForInput,
        _ => ThreadState::Asleep,
    }
}
