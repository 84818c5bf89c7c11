//! Starting a process on Linux.
//!
//! `fork` copies the page tables of a process that may hold hundreds of megabytes; `vfork` lends them to the
//! child until it executes something else, and costs nothing. The standard library uses `vfork` only as long
//! as nothing is to be done between the two, but limits, a session and a death signal must be set exactly
//! there. So we call `clone` with the flags of `vfork`. The price is the rule that [`child`] obeys: it runs in
//! our memory while our thread stands still, so it may do nothing but plain system calls on what was prepared
//! before, allocate nothing, and panic never.

use super::{Child, Resources, RunError, Stage, Start};
use rustix::process::Pid;
use std::ffi::{CString, c_char, c_int, c_uint, c_ulong, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// Room for the few frames between `clone` and `execve`.
const CHILD_STACK_BYTES: usize = 64 * 1024;

/// The kernel's flag for `close_range`, which not every C library names.
const CLOSE_RANGE_CLOEXEC: c_uint = 4;

/// What the C library calls the number of a limit.
#[cfg(target_env = "gnu")]
type Resource = libc::__rlimit_resource_t;
#[cfg(not(target_env = "gnu"))]
type Resource = c_int;

/// All that the child needs, prepared before it exists, and the place where it leaves an error.
struct Setup {
    path: *const c_char,
    argv: Vec<*const c_char>,
    environment: Vec<*const c_char>,
    directory: *const c_char,
    streams: [c_int; 3],
    /// What the program finds as its descriptor 3; less than 0 for nothing.
    line: c_int,
    /// The message by which a fork server's listener is sent over the line.
    message: ListenerMessage,
    limits: Vec<(Resource, libc::rlimit)>,
    parent: libc::pid_t,
    walls: Option<Walls>,
    failure: Option<(Stage, c_int)>,
}

/// Walls in the terms of system calls.
struct Walls {
    /// Whether root's powers are given up.
    drops_capabilities: bool,
    rules: Option<c_int>,
    filter: Vec<libc::sock_filter>,
    own_pid_at: Vec<usize>,
}

/// One byte and one descriptor, as `sendmsg` wants them.
struct ListenerMessage {
    control: [u64; ListenerMessage::CONTROL_WORDS],
    byte: u8,
}

impl ListenerMessage {
    /// Room for a header and a descriptor, both aligned as words are.
    const CONTROL_WORDS: usize = (size_of::<libc::cmsghdr>() + size_of::<u64>()).div_ceil(size_of::<u64>());

    /// Sends a descriptor. Returns false if that is not possible.
    ///
    /// # Safety
    ///
    /// Only a plain system call is made, so this may be called in the child.
    unsafe fn send(&mut self, over: c_int, descriptor: c_int) -> bool {
        // SAFETY: the space is that of one header and one descriptor, and aligned for both; zeros are a valid `msghdr`.
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

/// Starts a process; returns when it has executed its program, or could not.
pub(super) fn start(what: &Start<'_>) -> Result<Child, RunError> {
    let mut setup = prepare(what);
    let mut stack = Vec::<MaybeUninit<u8>>::with_capacity(CHILD_STACK_BYTES);
    let mut pidfd: c_int = -1;
    // SAFETY: the end of the buffer, rounded down to the alignment a stack needs, is inside or at its end.
    let top = unsafe { stack.as_mut_ptr().add(CHILD_STACK_BYTES) };
    let top = top.wrapping_sub(top as usize % 16).cast::<c_void>();
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
    let mask = SignalMask::block_all();
    // SAFETY: `child` obeys the rule above. The stack, `setup` and `pidfd` outlive it, because with CLONE_VFORK
    // this call returns only after the child has left our memory.
    let pid = unsafe { libc::clone(child, top, flags, (&raw mut setup).cast(), &raw mut pidfd) };
    let error = io::Error::last_os_error();
    drop(mask);
    let Some(pid) = (pid > 0).then(|| Pid::from_raw(pid)).flatten() else {
        return Err(RunError { stage: Stage::Fork, cause: error });
    };
    // SAFETY: a descriptor other than -1 was made for us by the call, and nobody else knows it.
    let pidfd = (pidfd >= 0).then(|| unsafe { OwnedFd::from_raw_fd(pidfd) });
    let started = Child::new(pid, pidfd);
    match setup.failure {
        None => Ok(started),
        Some((stage, code)) => Err(RunError { stage, cause: io::Error::from_raw_os_error(code) }),
    }
}

fn prepare(what: &Start<'_>) -> Setup {
    Setup {
        path: what.image.path.as_ptr(),
        argv: pointers(&what.image.argv),
        environment: pointers(&what.image.environment),
        directory: what.image.directory.as_ptr(),
        streams: what.streams.map(|stream| stream.as_raw_fd()),
        line: what.server.map_or(-1, |server| server.line.as_raw_fd()),
        message: ListenerMessage { control: [0; ListenerMessage::CONTROL_WORDS], byte: 0 },
        limits: limits(&what.resources),
        parent: rustix::process::getpid().as_raw_nonzero().get(),
        walls: walls(what),
        failure: None,
    }
}

/// The walls, with the filter that the process is to have: a fork server has one even without walls.
fn walls(what: &Start<'_>) -> Option<Walls> {
    let (filter, own_pid_at) = match (what.server, what.walls) {
        (None, None) => return None,
        (Some(server), _) => (server.filter.to_vec(), Vec::new()),
        (None, Some(walls)) => (walls.filter.clone().unwrap_or_default(), walls.own_pid_at.clone()),
    };
    let rules = what.walls.and_then(|walls| walls.rules.as_ref()).map(AsRawFd::as_raw_fd);
    Some(Walls { drops_capabilities: what.walls.is_some(), rules, filter, own_pid_at })
}

/// A list that ends with a null pointer, as `execve` wants it.
fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([std::ptr::null()]).collect()
}

fn limits(resources: &Resources) -> Vec<(Resource, libc::rlimit)> {
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
    limits.extend(resources.open_files.map(|count| (libc::RLIMIT_NOFILE, both(count))));
    limits
}

/// What the new process does first, in our memory, on a stack of its own.
extern "C" fn child(setup: *mut c_void) -> c_int {
    // SAFETY: `start` passes a `Setup` that lives until we have left its memory, and touches it no more till then.
    let setup = unsafe { &mut *setup.cast::<Setup>() };
    // SAFETY: every pointer in `setup` is valid, every list ends with a null pointer.
    unsafe {
        if enter(setup) {
            libc::execve(setup.path, setup.argv.as_ptr(), setup.environment.as_ptr());
            setup.failure = Some((Stage::Execute, *libc::__errno_location()));
        } else {
            setup.failure = Some((Stage::Prepare, *libc::__errno_location()));
        }
    }
    127
}

/// Session, death signal, directory, streams, limits and signals. Says whether all of it was possible.
///
/// # Safety
///
/// The pointers in `setup` must be valid. Only plain system calls are allowed in here.
unsafe fn enter(setup: &mut Setup) -> bool {
    // SAFETY: plain system calls on valid pointers.
    unsafe {
        if libc::setsid() < 0 || !die_with_parent(setup.parent) || libc::chdir(setup.directory) < 0 {
            return false;
        }
        for (target, stream) in setup.streams.iter().enumerate() {
            if libc::dup2(*stream, target as c_int) < 0 {
                return false;
            }
        }
        if !keep_line(setup.line) {
            return false;
        }
        // Descriptors of ours are closed by `execve`; this is for what we were started with ourselves. Kernels
        // that do not know the call leave those open.
        let first: c_ulong = if setup.line < 0 { 3 } else { 4 };
        libc::syscall(libc::SYS_close_range, first, c_ulong::from(u32::MAX), CLOSE_RANGE_CLOEXEC);
        if setup.line >= 0 {
            lie_close_together();
        }
        setup.limits.iter().for_each(|(resource, wish)| limit(*resource, *wish));
        reset_signals();
        let line = setup.line;
        setup.walls.as_mut().is_none_or(|walls| put_up(walls, line, &mut setup.message))
    }
}

/// The memory of a fork server lies where it always does, and close together: so there are fewer tables of pages to be copied
/// with it. The places are the same for all its copies in any case; what runs in a process of its own has random ones. It is
/// only about speed, so nothing is said where it cannot be had.
///
/// # Safety
///
/// Must be called in the child, before it gives up root's powers.
unsafe fn lie_close_together() {
    const READ_SEARCH: c_int = 2;
    const LAST: c_int = 63;
    // SAFETY: plain system calls without pointers.
    unsafe {
        libc::personality(libc::ADDR_NO_RANDOMIZE as c_ulong);
        // The kernel forgets it where a program gets powers as it is executed. Root's would, and lose them in the same
        // moment, unless there are none to be got but the one that it keeps.
        for power in (0..=LAST).filter(|power| *power != READ_SEARCH) {
            if libc::prctl(libc::PR_CAPBSET_DROP, power, 0, 0, 0) != 0 {
                break;
            }
        }
    }
}

/// Puts up walls, the last thing before the program begins. Says whether that was possible. Where there is a line, the
/// listener of the filter is sent over it; this process loses it as it executes the program.
///
/// # Safety
///
/// Must be called in the child, after it has renounced new privileges.
unsafe fn put_up(walls: &mut Walls, line: c_int, message: &mut ListenerMessage) -> bool {
    const SET_FILTER: c_uint = 1;
    // Without it, kernels before 5.16 slow down the whole program.
    const SPECULATION_ALLOWED: c_uint = libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW as c_uint;
    const NEW_LISTENER: c_uint = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER as c_uint;
    // SAFETY: plain system calls on valid pointers; the filter outlives the call, which copies it.
    unsafe {
        if walls.drops_capabilities {
            drop_capabilities();
        }
        if let Some(rules) = walls.rules
            && libc::syscall(libc::SYS_landlock_restrict_self, rules, 0 as c_uint) != 0
        {
            return false;
        }
        let own = libc::getpid() as u32;
        if walls.filter.is_empty() {
            return true;
        }
        for at in &walls.own_pid_at {
            (*walls.filter.as_mut_ptr().add(*at)).k = own;
        }
        let program = libc::sock_fprog { len: walls.filter.len() as u16, filter: walls.filter.as_mut_ptr() };
        let flags = SPECULATION_ALLOWED | if line < 0 { 0 } else { NEW_LISTENER };
        let result = libc::syscall(libc::SYS_seccomp, SET_FILTER, flags, &raw const program) as c_int;
        match line {
            ..0 => result == 0,
            // The line has become number 3.
            _ => result >= 0 && message.send(3, result),
        }
    }
}

/// Root's powers are given up, but for reading what belongs to others; walls say what of that.
///
/// # Safety
///
/// Must be called in the child.
unsafe fn drop_capabilities() {
    const VERSION_3: u32 = 0x2008_0522;
    const READ_SEARCH: u32 = 1 << 2;
    let header = [VERSION_3, 0];
    let keep = |kept: u32| [kept, kept, 0, 0, 0, 0];
    let set = |kept: u32| {
        let data = keep(kept);
        // SAFETY: both arrays have the layout that the kernel reads: version and process; three words twice.
        unsafe { libc::syscall(libc::SYS_capset, header.as_ptr(), data.as_ptr()) == 0 }
    };
    // Whoever is not root has nothing to give up, and may not keep what he does not have.
    let _ = set(READ_SEARCH) || set(0);
}

/// Makes a descriptor, if it is one, number 3, to stay open. Says whether that was possible.
///
/// # Safety
///
/// Must be called in the child, when no stream is needed under another number than its own any more.
unsafe fn keep_line(line: c_int) -> bool {
    // SAFETY: plain system calls without pointers.
    unsafe {
        match line {
            ..0 => true,
            3 => libc::fcntl(3, libc::F_SETFD, 0) == 0,
            _ => libc::dup2(line, 3) == 3,
        }
    }
}

/// The kernel kills this process when the *thread* that started it ends: so a killed rebut leaves nobody
/// behind, and a thread of ours must outlive what it starts, which is so because it waits for it.
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

/// Sets a limit, or as much of it as we are allowed.
///
/// # Safety
///
/// Must be called in the child.
unsafe fn limit(resource: Resource, wish: libc::rlimit) {
    let mut now = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointers are valid.
    unsafe {
        if libc::getrlimit(resource, &raw mut now) == 0 {
            now.rlim_cur = wish.rlim_cur.min(now.rlim_max);
            now.rlim_max = wish.rlim_max.min(now.rlim_max);
            libc::setrlimit(resource, &raw const now);
        }
    }
}

/// Signals ignored or handled by us get their default meaning, then the mask is cleared. In this order: a
/// handler of ours must not run here, in memory that is not the child's.
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

/// While it lives, this thread receives no signals, so that no handler runs on the borrowed stack.
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
        // SAFETY: the set was filled by the same call.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.0, std::ptr::null_mut()) };
    }
}
