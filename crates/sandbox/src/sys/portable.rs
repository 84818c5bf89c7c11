//! Starts a process on Unix systems other than Linux, through the standard library. Not tested.
//!
//! These systems have no parent-death signal: if rebut is killed outright, the processes it has started run on until
//! their processor time is used up.

use super::handle::to_stdio;
use super::{ChildProcess, ExecImage, ProcessStart, ResourceLimits, RunError, RunStage};
use rustix::process::{Pid, Resource, Rlimit};
use std::ffi::{CStr, OsStr};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

impl ChildProcess {
    /// Starts a process; returns when it has executed its program or failed to.
    ///
    /// # Errors
    ///
    /// Returns an error if the operating system refuses another process, or if the program cannot be executed.
    pub(crate) fn start(request: &ProcessStart<'_>) -> Result<ChildProcess, RunError> {
        let resources = request.resources;
        let mut command = build_command(request.image);
        let [input, output, error] = request.streams;
        command.stdin(to_stdio(input)?).stdout(to_stdio(output)?).stderr(to_stdio(error)?);
        // SAFETY: only plain system calls are made between fork and exec.
        unsafe { command.pre_exec(move || set_up_child(&resources)) };
        let child = command.spawn().map_err(|cause| RunError { stage: failed_stage(&cause), cause })?;
        match Pid::from_raw(child.id() as i32) {
            Some(pid) => Ok(ChildProcess::new(pid, None)),
            None => Err(RunError { stage: RunStage::Fork, cause: io::Error::other("no process") }),
        }
    }
}

fn failed_stage(cause: &io::Error) -> RunStage {
    match cause.raw_os_error() {
        Some(libc::EAGAIN | libc::ENOMEM | libc::EMFILE | libc::ENFILE) => RunStage::Fork,
        _ => RunStage::Execute,
    }
}

fn to_os_str(string: &CStr) -> &OsStr {
    OsStr::from_bytes(string.to_bytes())
}

fn build_command(image: &ExecImage) -> Command {
    let mut command = Command::new(to_os_str(&image.path));
    if let Some((name, arguments)) = image.argv.split_first() {
        command.arg0(to_os_str(name)).args(arguments.iter().map(|argument| to_os_str(argument)));
    }
    command.env_clear().current_dir(to_os_str(&image.directory));
    for variable in image.environment.iter() {
        let bytes = variable.to_bytes();
        if let Some(at) = bytes.iter().position(|&byte| byte == b'=') {
            command.env(OsStr::from_bytes(&bytes[..at]), OsStr::from_bytes(&bytes[at + 1..]));
        }
    }
    command
}

fn set_up_child(resources: &ResourceLimits) -> io::Result<()> {
    rustix::process::setsid()?;
    let wanted_limits = [
        (Resource::Stack, resources.stack_bytes),
        (Resource::Fsize, Some(resources.file_size_bytes)),
        (Resource::Cpu, Some(resources.cpu_time_s)),
        (Resource::Core, Some(0)),
    ];
    for (resource, wanted) in wanted_limits {
        let hard = rustix::process::getrlimit(resource).maximum;
        let limit = [wanted, hard].into_iter().flatten().min();
        // A system that does not support a limit, or wants it smaller, keeps its own.
        let _ = rustix::process::setrlimit(resource, Rlimit { current: limit, maximum: hard });
    }
    Ok(())
}
