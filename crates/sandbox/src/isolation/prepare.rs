//! Prepares a sandbox once, to be applied for each run.

use super::SandboxPolicy;
use super::kernel_support::{KernelSupport, SeccompSupport};
use super::landlock::{create_rules, list_visible_paths};
use super::seccomp::{FilterHolder, OWN_PID_PLACEHOLDER, compiler_filter, fork_notify_filter, program_filter};
use crate::sys::MountNamespace;
use libc::sock_filter;
use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};

/// A prepared sandbox, with the layers that the kernel supports.
#[derive(Debug)]
pub(crate) struct PreparedSandbox {
    /// The files that it sees, unless it sees all.
    pub(crate) namespace: Option<MountNamespace>,
    pub(crate) rules: Option<OwnedFd>,
    pub(crate) filter: Option<Vec<sock_filter>>,
    /// The seccomp filter of a fork server.
    pub(crate) server_filter: Option<Vec<sock_filter>>,
    /// The indexes of the filter's instructions that compare with the program's own process ID.
    pub(crate) own_pid_at: Vec<usize>,
}

/// Prepares the sandbox of programs that work in this folder, with the layers that the kernel supports.
///
/// # Errors
///
/// Returns an error if the operating system refuses.
pub(crate) fn prepare_sandbox(
    policy: &SandboxPolicy,
    folder: &CStr,
    kernel: KernelSupport,
) -> io::Result<PreparedSandbox> {
    let namespace = (kernel.has_namespaces && policy.compiler.is_none())
        .then(|| MountNamespace::create(&list_visible_paths(policy, folder)))
        .transpose()?;
    let root = namespace.as_ref().map(|namespace| namespace.root.as_fd());
    let rules = create_rules(policy, folder, root, kernel.landlock_version)?;
    let filter_for = |holder: FilterHolder| {
        program_filter(policy.has_processes, holder).filter(|_| kernel.filters == SeccompSupport::Active)
    };
    let filter = match policy.compiler {
        Some(_) => compiler_filter().filter(|_| kernel.filters == SeccompSupport::Active),
        None => filter_for(FilterHolder::Process),
    };
    let instructions = filter.iter().flatten().enumerate();
    let own_pid_at =
        instructions.filter(|(_, instruction)| instruction.k == OWN_PID_PLACEHOLDER).map(|(at, _)| at).collect();
    Ok(PreparedSandbox { namespace, rules, own_pid_at, server_filter: filter_for(FilterHolder::Server), filter })
}

/// Returns the seccomp filter of a fork server that is not sandboxed.
pub(crate) fn unsandboxed_server_filter() -> Option<Vec<sock_filter>> {
    fork_notify_filter()
}
