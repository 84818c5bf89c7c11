//! Starts a process on Linux.
//!
//! `fork` copies the page tables of a process that can hold hundreds of megabytes; `vfork` lends them to the child
//! until it executes another program, and costs nothing. The standard library uses `vfork` only if nothing has to be
//! done in between, but limits, a session and a death signal must be set exactly there. So this module calls `clone`
//! with the flags of `vfork`. The price is a rule for [`run_child`]: it runs in this process's memory while the calling
//! thread is suspended, so it must only make plain system calls on data that was prepared before, and must never
//! allocate or panic.

use super::{ChildProcess, MountNamespace, ProcessStart, ResourceLimits, RunError, RunStage};
use rustix::process::Pid;
use std::ffi::{CString, c_char, c_int, c_uint, c_ulong, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// Stack space for the few frames between `clone` and `execve`.
const CHILD_STACK_BYTES: usize = 64 * 1024;

/// The kernel's flag for `close_range`, which not every C library defines.
const CLOSE_RANGE_CLOEXEC: c_uint = 4;

/// The C library's type for a resource number.
#[cfg(target_env = "gnu")]
type RlimitResource = libc::__rlimit_resource_t;
#[cfg(not(target_env = "gnu"))]
type RlimitResource = c_int;

/// The data that the child needs, prepared before it exists, and a place for its error.
struct ChildSetup {
    path: *const c_char,
    argv: Vec<*const c_char>,
    environment: Vec<*const c_char>,
    directory: *const c_char,
    /// The namespaces that it enters, or -1.
    namespaces: [c_int; 2],
    streams: [c_int; 3],
    /// The socket that the program gets as descriptor 3, or -1.
    socket: c_int,
    /// The message that sends a fork server's listener over the socket.
    listener_message: ListenerMessage,
    limits: Vec<(RlimitResource, libc::rlimit)>,
    parent: libc::pid_t,
    sandbox: Option<ChildSandbox>,
    failure: Option<(RunStage, c_int)>,
}

/// A sandbox in terms of system calls.
struct ChildSandbox {
    /// True if root's capabilities are dropped.
    drops_capabilities: bool,
    rules: Option<c_int>,
    filter: Vec<libc::sock_filter>,
    own_pid_at: Vec<usize>,
}

/// One byte and one descriptor, in the layout of `sendmsg`.
struct ListenerMessage {
    control: [u64; ListenerMessage::CONTROL_WORDS],
    byte: u8,
}

impl ListenerMessage {
    /// Space for a header and a descriptor, both word-aligned.
    const CONTROL_WORDS: usize = (size_of::<libc::cmsghdr>() + size_of::<u64>()).div_ceil(size_of::<u64>());

    /// Sends a descriptor. Returns false if that fails.
    ///
    /// # Safety
    ///
    /// Makes only a plain system call, so it can be called in the child.
    unsafe fn send_descriptor(&mut self, over: c_int, descriptor: c_int) -> bool {
        // SAFETY: the buffer has the size of one header and one descriptor, and is aligned for both; zeros are a valid
        // `msghdr`.
        unsafe {
            let mut part = libc::iovec { iov_base: (&raw mut self.byte).cast(), iov_len: 1 };
            let mut message: libc::msghdr = std::mem::zeroed();
            (message.msg_iov, message.msg_iovlen) = (&raw mut part, 1);
            message.msg_control = self.control.as_mut_ptr().cast();
            message.msg_controllen = libc::CMSG_SPACE(size_of::<c_int>() as c_uint) as _;
            let header = libc::CMSG_FIRSTHDR(&raw const message);
            (*header).cmsg_level = libc::SOL_SOCKET;
            (*header).cmsg_type = libc::SCM_RIGHTS;
            (*header).cmsg_len = libc::CMSG_LEN(size_of::<c_int>() as c_uint) as _;
            libc::CMSG_DATA(header).cast::<c_int>().write_unaligned(descriptor);
            libc::sendmsg(over, &raw const message, libc::MSG_NOSIGNAL) == 1
        }
    }
}

impl ChildProcess {
    /// Starts a process; returns when it has executed its program or failed to.
    ///
    /// # Errors
    ///
    /// Returns an error if the operating system refuses another process, or if the program cannot be executed.
    pub(crate) fn start(request: &ProcessStart<'_>) -> Result<ChildProcess, RunError> {
        let mut setup = prepare_setup(request);
        let mut stack = Vec::<MaybeUninit<u8>>::with_capacity(CHILD_STACK_BYTES);
        let mut pidfd: c_int = -1;
        // SAFETY: the end of the buffer, rounded down to the stack alignment, is inside the buffer or at its end.
        let top = unsafe { stack.as_mut_ptr().add(CHILD_STACK_BYTES) };
        let top = top.wrapping_sub(top as usize % 16).cast::<c_void>();
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
        let mask = SignalMask::block_all();
        // SAFETY: `run_child` obeys the rule above. The stack, `setup` and `pidfd` outlive the child's use of them, because
        // with CLONE_VFORK this call returns only after the child has left this process's memory.
        let pid = unsafe { libc::clone(run_child, top, flags, (&raw mut setup).cast(), &raw mut pidfd) };
        let error = io::Error::last_os_error();
        drop(mask);
        let Some(pid) = (pid > 0).then(|| Pid::from_raw(pid)).flatten() else {
            return Err(RunError { stage: RunStage::Fork, cause: error });
        };
        // SAFETY: a descriptor other than -1 was created by the call and has no other owner.
        let pidfd = (pidfd >= 0).then(|| unsafe { OwnedFd::from_raw_fd(pidfd) });
        let started = ChildProcess::new(pid, pidfd);
        match setup.failure {
            None => Ok(started),
            Some((stage, code)) => Err(RunError { stage, cause: io::Error::from_raw_os_error(code) }),
        }
    }
}

fn prepare_setup(request: &ProcessStart<'_>) -> ChildSetup {
    ChildSetup {
        path: request.image.path.as_ptr(),
        argv: to_pointer_list(&request.image.argv),
        environment: to_pointer_list(&request.image.environment),
        directory: request.image.directory.as_ptr(),
        namespaces: request
            .sandbox
            .and_then(|sandbox| sandbox.namespace.as_ref())
            .map_or([-1; 2], MountNamespace::descriptors),
        streams: request.streams.map(|stream| stream.as_raw_fd()),
        socket: request.server.map_or(-1, |server| server.socket.as_raw_fd()),
        listener_message: ListenerMessage { control: [0; ListenerMessage::CONTROL_WORDS], byte: 0 },
        limits: to_rlimits(&request.resources),
        parent: rustix::process::getpid().as_raw_nonzero().get(),
        sandbox: to_child_sandbox(request),
        failure: None,
    }
}

/// Returns the sandbox with the filter that the process gets: a fork server has a filter even without a sandbox.
fn to_child_sandbox(request: &ProcessStart<'_>) -> Option<ChildSandbox> {
    let (filter, own_pid_at) = match (request.server, request.sandbox) {
        (None, None) => return None,
        (Some(server), _) => (server.filter.to_vec(), Vec::new()),
        (None, Some(sandbox)) => (sandbox.filter.clone().unwrap_or_default(), sandbox.own_pid_at.clone()),
    };
    let rules = request.sandbox.and_then(|sandbox| sandbox.rules.as_ref()).map(AsRawFd::as_raw_fd);
    Some(ChildSandbox { drops_capabilities: request.sandbox.is_some(), rules, filter, own_pid_at })
}

/// Returns a list that ends with a null pointer, as `execve` expects it.
fn to_pointer_list(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([std::ptr::null()]).collect()
}

fn to_rlimits(resources: &ResourceLimits) -> Vec<(RlimitResource, libc::rlimit)> {
    let both = |limit| libc::rlimit { rlim_cur: limit, rlim_max: limit };
    let mut limits = vec![
        (libc::RLIMIT_AS, both(resources.address_space_bytes.unwrap_or(libc::RLIM_INFINITY))),
        (libc::RLIMIT_STACK, both(resources.stack_bytes.unwrap_or(libc::RLIM_INFINITY))),
        (libc::RLIMIT_FSIZE, both(resources.file_size_bytes)),
        (
            libc::RLIMIT_CPU,
            libc::rlimit { rlim_cur: resources.cpu_time_s, rlim_max: resources.cpu_time_s.saturating_add(1) },
        ),
        (libc::RLIMIT_CORE, both(0)),
    ];
    limits.extend(resources.max_open_files.map(|count| (libc::RLIMIT_NOFILE, both(count))));
    limits
}

/// Runs first in the new process, in the parent's memory on a stack of its own.
extern "C" fn run_child(setup: *mut c_void) -> c_int {
    // SAFETY: `ChildProcess::start` passes a `ChildSetup` that lives until the child has left its memory, and does not touch it
    // meanwhile.
    let setup = unsafe { &mut *setup.cast::<ChildSetup>() };
    // SAFETY: every pointer in `setup` is valid, every list ends with a null pointer.
    unsafe {
        if set_up_child(setup) {
            libc::execve(setup.path, setup.argv.as_ptr(), setup.environment.as_ptr());
            setup.failure = Some((RunStage::Execute, *libc::__errno_location()));
        } else {
            setup.failure = Some((RunStage::Prepare, *libc::__errno_location()));
        }
    }
    127
}

/// Sets up namespaces, session, death signal, directory, streams, limits, signals and sandbox. Returns false if any of it fails.
///
/// # Safety
///
/// The pointers in `setup` must be valid. Only plain system calls are allowed in here.
unsafe fn set_up_child(setup: &mut ChildSetup) -> bool {
    // SAFETY: plain system calls on valid pointers.
    unsafe {
        // Before the death signal, which a change of the user namespace may clear.
        if setup.namespaces.iter().any(|namespace| *namespace >= 0 && libc::setns(*namespace, 0) != 0) {
            return false;
        }
        if libc::setsid() < 0 || !die_with_parent(setup.parent) || libc::chdir(setup.directory) < 0 {
            return false;
        }
        for (target, stream) in setup.streams.iter().enumerate() {
            if libc::dup2(*stream, target as c_int) < 0 {
                return false;
            }
        }
        if !keep_socket(setup.socket) {
            return false;
        }
        // rebut's own descriptors are close-on-exec; this closes those that rebut itself inherited. Kernels without the
        // call leave those open.
        let first: c_ulong = if setup.socket < 0 { 3 } else { 4 };
        libc::syscall(libc::SYS_close_range, first, c_ulong::from(u32::MAX), CLOSE_RANGE_CLOEXEC);
        if setup.socket >= 0 {
            disable_aslr();
        }
        setup.limits.iter().for_each(|(resource, wanted)| set_limit(*resource, *wanted));
        reset_signals();
        let socket = setup.socket;
        setup.sandbox.as_mut().is_none_or(|sandbox| apply_sandbox(sandbox, socket, &mut setup.listener_message))
    }
}

/// Disables address space randomization for a fork server. Its mappings then lie close together, so forking copies
/// fewer page tables. All its forked copies have the same addresses in any case; a process of its own has random ones.
/// This only improves speed, so failures are ignored.
///
/// # Safety
///
/// Must be called in the child, before it drops root's capabilities.
unsafe fn disable_aslr() {
    const CAP_DAC_READ_SEARCH: c_int = 2;
    const LAST_CAPABILITY: c_int = 63;
    // SAFETY: plain system calls without pointers.
    unsafe {
        libc::personality(libc::ADDR_NO_RANDOMIZE as c_ulong);
        // The kernel resets the personality if a program gains capabilities when it is executed. A program of root
        // would gain them, and lose them at once, unless the bounding set has none but the one that it keeps.
        for capability in (0..=LAST_CAPABILITY).filter(|capability| *capability != CAP_DAC_READ_SEARCH) {
            if libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 {
                break;
            }
        }
    }
}

/// Applies the sandbox, as the last step before the program starts. Returns false if that fails. If there is a socket,
/// the filter's listener is sent over it; this process loses it when it executes the program.
///
/// # Safety
///
/// Must be called in the child, after it has renounced new privileges.
unsafe fn apply_sandbox(sandbox: &mut ChildSandbox, socket: c_int, message: &mut ListenerMessage) -> bool {
    const SET_FILTER: c_uint = 1;
    // Without this flag, kernels before 5.16 slow down the whole program.
    const SPEC_ALLOW: c_uint = libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW as c_uint;
    const NEW_LISTENER: c_uint = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER as c_uint;
    // SAFETY: plain system calls on valid pointers; the kernel copies the filter during the call.
    unsafe {
        if sandbox.drops_capabilities {
            drop_capabilities();
        }
        if let Some(rules) = sandbox.rules
            && libc::syscall(libc::SYS_landlock_restrict_self, rules, 0 as c_uint) != 0
        {
            return false;
        }
        let own = libc::getpid() as u32;
        if sandbox.filter.is_empty() {
            return true;
        }
        for at in &sandbox.own_pid_at {
            (*sandbox.filter.as_mut_ptr().add(*at)).k = own;
        }
        let program = libc::sock_fprog { len: sandbox.filter.len() as u16, filter: sandbox.filter.as_mut_ptr() };
        let flags = SPEC_ALLOW | if socket < 0 { 0 } else { NEW_LISTENER };
        let result = libc::syscall(libc::SYS_seccomp, SET_FILTER, flags, &raw const program) as c_int;
        match socket {
            ..0 => result == 0,
            // The socket has become descriptor 3.
            _ => result >= 0 && message.send_descriptor(3, result),
        }
    }
}

/// Drops root's capabilities, except reading files of other users; Landlock decides which of those.
///
/// # Safety
///
/// Must be called in the child.
unsafe fn drop_capabilities() {
    const CAPABILITY_VERSION_3: u32 = 0x2008_0522;
    const CAP_DAC_READ_SEARCH: u32 = 1 << 2;
    let header = [CAPABILITY_VERSION_3, 0];
    let keep = |kept: u32| [kept, kept, 0, 0, 0, 0];
    let set = |kept: u32| {
        let data = keep(kept);
        // SAFETY: both arrays have the layout that the kernel reads: version and process; three words twice.
        unsafe { libc::syscall(libc::SYS_capset, header.as_ptr(), data.as_ptr()) == 0 }
    };
    // A process without root has no capabilities to drop, and cannot keep one that it does not have.
    let _ = set(CAP_DAC_READ_SEARCH) || set(0);
}

/// Duplicates a descriptor, if it is valid, as descriptor 3, which stays open. Returns false if that fails.
///
/// # Safety
///
/// Must be called in the child, after the streams have been duplicated to their final numbers.
unsafe fn keep_socket(socket: c_int) -> bool {
    // SAFETY: plain system calls without pointers.
    unsafe {
        match socket {
            ..0 => true,
            3 => libc::fcntl(3, libc::F_SETFD, 0) == 0,
            _ => libc::dup2(socket, 3) == 3,
        }
    }
}

/// Makes the kernel kill this process when the *thread* that started it ends. So killing rebut leaves no process
/// behind; and a thread must outlive the processes that it starts, which holds because it waits for them. Also
/// renounces new privileges.
///
/// # Safety
///
/// Must be called in the child.
unsafe fn die_with_parent(parent: libc::pid_t) -> bool {
    // SAFETY: plain system calls without pointers.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) == 0
            && libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::getppid() == parent
    }
}

/// Sets a limit, capped at this process's own hard limit.
///
/// # Safety
///
/// Must be called in the child.
unsafe fn set_limit(resource: RlimitResource, wanted: libc::rlimit) {
    let mut now = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointers are valid.
    unsafe {
        if libc::getrlimit(resource, &raw mut now) == 0 {
            now.rlim_cur = wanted.rlim_cur.min(now.rlim_max);
            now.rlim_max = wanted.rlim_max.min(now.rlim_max);
            libc::setrlimit(resource, &raw const now);
        }
    }
}

/// Restores the default action of all signals, then clears the signal mask. The order matters: a handler of the parent
/// must not run here, in the parent's memory.
///
/// # Safety
///
/// Must be called in the child, with all signals blocked.
unsafe fn reset_signals() {
    // SAFETY: zeros are a valid `sigaction` (the default action, an empty mask) and a valid empty `sigset_t`.
    unsafe {
        let default: libc::sigaction = std::mem::zeroed();
        for signal in 1..32 {
            libc::sigaction(signal, &raw const default, std::ptr::null_mut());
        }
        let none: libc::sigset_t = std::mem::zeroed();
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
    }
}

/// Blocks all signals in this thread while it lives, so that no handler runs on the borrowed stack.
struct SignalMask(libc::sigset_t);

impl SignalMask {
    fn block_all() -> Self {
        // SAFETY: both sets are valid for writing, and zeros are a valid set.
        unsafe {
            let mut all: libc::sigset_t = std::mem::zeroed();
            let mut before: libc::sigset_t = std::mem::zeroed();
            libc::sigfillset(&raw mut all);
            libc::pthread_sigmask(libc::SIG_BLOCK, &raw const all, &raw mut before);
            SignalMask(before)
        }
    }
}

impl Drop for SignalMask {
    fn drop(&mut self) {
        // SAFETY: the set was filled by `pthread_sigmask`.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.0, std::ptr::null_mut()) };
    }
}
