//! Probes the features of the kernel.

use super::mount_namespace::can_mount;
use std::time::{Duration, Instant};

/// Returns the version of the Landlock ABI, or `None` if the kernel has no Landlock.
pub(crate) fn landlock_version() -> Option<u32> {
    const GET_VERSION_FLAG: u32 = 1;
    let nothing = std::ptr::null::<libc::c_void>();
    // SAFETY: with this flag nothing is read through the pointer, which must be null.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, nothing, 0_usize, GET_VERSION_FLAG) };
    u32::try_from(version).ok().filter(|version| *version > 0)
}

/// Maximum time for a probe. Installing a filter takes microseconds, but the machine can be busy.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);

/// Returns true if seccomp filters can refuse system calls, or `None` if the kernel does not respond.
///
/// There are two probes: whether the kernel knows the action, and whether a disposable process can install a filter
/// that allows everything. There are kernels that never return from that, and a process stuck inside them cannot be
/// killed.
pub(crate) fn has_seccomp_filters() -> Option<bool> {
    const GET_ACTION_AVAIL: u32 = 2;
    let action: u32 = libc::SECCOMP_RET_ERRNO;
    // SAFETY: the pointer is valid for reading.
    let is_known = unsafe { libc::syscall(libc::SYS_seccomp, GET_ACTION_AVAIL, 0_u32, &raw const action) == 0 };
    if is_known { run_in_child(install_allow_filter, PROBE_TIMEOUT) } else { Some(false) }
}

/// Installs a filter that allows everything. Returns false if that fails.
fn install_allow_filter() -> bool {
    const SET_FILTER: u32 = 1;
    let allow = (libc::BPF_RET | libc::BPF_K) as u16;
    let mut filter = libc::sock_filter { code: allow, jt: 0, jf: 0, k: libc::SECCOMP_RET_ALLOW };
    let program = libc::sock_fprog { len: 1, filter: &raw mut filter };
    // SAFETY: plain system calls; the pointers are valid, and the kernel copies what they point to.
    unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::syscall(libc::SYS_seccomp, SET_FILTER, 0_u32, &raw const program) == 0
    }
}

/// Returns true if a system call can be held until another process lets it proceed, as fork servers need it. The kernel
/// has to demonstrate it: some kernels before Linux 5.5 support only half of it, and a second listener is refused.
pub(crate) fn has_seccomp_notifications() -> bool {
    run_in_child(intercept_and_allow_call, PROBE_TIMEOUT) == Some(true)
}

/// Returns true if this user can make mount namespaces, as root or within a user namespace.
pub(crate) fn has_mount_namespaces() -> bool {
    run_in_child(can_mount, PROBE_TIMEOUT) == Some(true)
}

/// Makes a child call a system call that a filter holds, and lets it proceed. Returns true if the child got its result.
fn intercept_and_allow_call() -> bool {
    const SET_FILTER: u32 = 1;
    let step = |code: u32, jf: u8, k: u32| libc::sock_filter { code: code as u16, jt: 0, jf, k };
    let mut filter = [
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0),
        step(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 1, libc::SYS_getppid as u32),
        step(libc::BPF_RET | libc::BPF_K, 0, libc::SECCOMP_RET_USER_NOTIF),
        step(libc::BPF_RET | libc::BPF_K, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    // SAFETY: plain system calls; the pointers are valid, and the kernel copies what they point to. The child exits
    // without running any other code of this process. It cannot hang: its call fails when this process, the only
    // listener, ends.
    unsafe {
        if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 {
            return false;
        }
        let flag = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER as u32;
        let listener = libc::syscall(libc::SYS_seccomp, SET_FILTER, flag, &raw const program);
        let Ok(listener) = u32::try_from(listener) else { return false };
        let pid = libc::syscall(libc::SYS_clone, libc::SIGCHLD, 0, 0, 0, 0) as i32;
        if pid == 0 {
            libc::_exit(if libc::syscall(libc::SYS_getppid) > 0 { 0 } else { 1 });
        }
        let is_answered = pid > 0 && allow_notified_call(listener as i32);
        let mut status = 0;
        libc::close(listener as i32);
        pid > 0 && libc::waitpid(pid, &raw mut status, 0) == pid && is_answered && status == 0
    }
}

/// Waits for a notification and lets its system call proceed. Returns false if that fails.
///
/// # Safety
///
/// The descriptor must be a listener's.
unsafe fn allow_notified_call(listener: i32) -> bool {
    const NOTIFICATION_TIMEOUT_MS: i32 = 1000;
    let mut wanted = libc::pollfd { fd: listener, events: libc::POLLIN, revents: 0 };
    // SAFETY: the pointers are valid, and zeros are a valid notification.
    unsafe {
        let mut notification: libc::seccomp_notif = std::mem::zeroed();
        if libc::poll(&raw mut wanted, 1, NOTIFICATION_TIMEOUT_MS) != 1
            || libc::ioctl(listener, libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut notification) != 0
        {
            return false;
        }
        let flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32;
        let answer = libc::seccomp_notif_resp { id: notification.id, val: 0, error: 0, flags };
        libc::ioctl(listener, libc::SECCOMP_IOCTL_NOTIF_SEND, &raw const answer) == 0
    }
}

/// Runs a check that makes only plain system calls in a child process, and returns `None` if it does not finish in
/// time. Then the child is abandoned: it holds no descriptors, and is never waited for.
fn run_in_child(check: fn() -> bool, timeout: Duration) -> Option<bool> {
    // SAFETY: the child, which can be a copy of one of many threads, only makes plain system calls, and exits without
    // running any other code of this process.
    let pid = unsafe {
        let pid = libc::fork();
        if pid == 0 {
            // If it hangs for ever, no process must wait for the other end of a pipe that it holds.
            libc::syscall(libc::SYS_close_range, 0_u32, u32::MAX, 0_u32);
            libc::_exit(if check() { 0 } else { 1 });
        }
        pid
    };
    if pid < 0 {
        // If processes cannot be created, the next start that matters reports it.
        return Some(true);
    }
    let since = Instant::now();
    let mut pause = Duration::from_micros(50);
    while since.elapsed() < timeout {
        let mut status = 0;
        // SAFETY: the pointer is valid for writing.
        match unsafe { libc::waitpid(pid, &raw mut status, libc::WNOHANG) } {
            0 => std::thread::sleep(pause),
            _ => return Some(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0),
        }
        pause = (pause * 2).min(Duration::from_millis(5));
    }
    // SAFETY: the process ID is still that of the child, because it has not been waited for.
    unsafe { libc::kill(pid, libc::SIGKILL) };
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unresponsive_child_is_abandoned() {
        const LONG: Duration = Duration::from_secs(60);
        // SAFETY: nothing is passed to it.
        let never = || unsafe { libc::pause() == 0 };
        assert_eq!(run_in_child(never, Duration::from_millis(20)), None);
        assert_eq!(run_in_child(|| true, LONG), Some(true));
        assert_eq!(run_in_child(|| false, LONG), Some(false));
    }

    #[test]
    fn probing_installs_no_filter_in_this_process() {
        let before = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        has_seccomp_filters();
        let after = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let filters = |text: &str| text.lines().find(|line| line.starts_with("Seccomp:")).map(str::to_owned);
        assert_eq!(filters(&before), filters(&after));
    }
}
