//! Starting a process on Unix systems other than Linux, through the standard library. Not tested.
//!
//! There is no death signal here: if rebut is killed outright, what it had started runs on until its
//! processor time is used up.

use super::handle::stdio;
use super::{Child, Image, Resources, RunError, Stage, Start};
use rustix::process::{Pid, Resource, Rlimit};
use std::ffi::{CStr, OsStr};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Starts a process; returns when it has executed its program, or could not.
pub(super) fn start(what: &Start<'_>) -> Result<Child, RunError> {
    let resources = what.resources;
    let mut command = command(what.image);
    let [input, output, error] = what.streams;
    command.stdin(stdio(input)?).stdout(stdio(output)?).stderr(stdio(error)?);
    // SAFETY: between fork and execute only plain system calls are made.
    unsafe { command.pre_exec(move || enter(&resources)) };
    let child = command.spawn().map_err(|cause| RunError { stage: stage(&cause), cause })?;
    match Pid::from_raw(child.id() as i32) {
        Some(pid) => Ok(Child::new(pid, None)),
        None => Err(RunError { stage: Stage::Fork, cause: io::Error::other("no process") }),
    }
}

fn stage(cause: &io::Error) -> Stage {
    match cause.raw_os_error() {
        Some(libc::EAGAIN | libc::ENOMEM | libc::EMFILE | libc::ENFILE) => Stage::Fork,
        _ => Stage::Execute,
    }
}

fn text(string: &CStr) -> &OsStr {
    OsStr::from_bytes(string.to_bytes())
}

fn command(image: &Image) -> Command {
    let mut command = Command::new(text(&image.path));
    if let Some((name, arguments)) = image.argv.split_first() {
        command.arg0(text(name)).args(arguments.iter().map(|argument| text(argument)));
    }
    command.env_clear().current_dir(text(&image.directory));
    for variable in image.environment.iter() {
        let bytes = variable.to_bytes();
        if let Some(at) = bytes.iter().position(|&byte| byte == b'=') {
            command.env(OsStr::from_bytes(&bytes[..at]), OsStr::from_bytes(&bytes[at + 1..]));
        }
    }
    command
}

fn enter(resources: &Resources) -> io::Result<()> {
    rustix::process::setsid()?;
    let wishes = [
        (Resource::Stack, resources.stack_bytes),
        (Resource::Fsize, Some(resources.file_size_bytes)),
        (Resource::Cpu, Some(resources.cpu_time_s)),
        (Resource::Core, Some(0)),
    ];
    for (resource, wish) in wishes {
        let hard = rustix::process::getrlimit(resource).maximum;
        let limit = [wish, hard].into_iter().flatten().min();
        // A system that does not know a limit, or wants it smaller, keeps its own.
        let _ = rustix::process::setrlimit(resource, Rlimit { current: limit, maximum: hard });
    }
    Ok(())
}
