//! What the kernel offers.

use std::time::{Duration, Instant};

/// The version of the Landlock interface; none if there is no Landlock.
pub(in crate::run) fn landlock_version() -> Option<u32> {
    const ASK_FOR_VERSION: u32 = 1;
    let nothing = std::ptr::null::<libc::c_void>();
    // SAFETY: with this flag nothing is read through the pointer, which must be null.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, nothing, 0_usize, ASK_FOR_VERSION) };
    u32::try_from(version).ok().filter(|version| *version > 0)
}

/// How long putting up a filter may take: it takes microseconds, but the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether there are seccomp filters that can refuse a system call; none if the kernel does not answer.
///
/// The kernel is asked twice: whether it knows them, and, in a process that can be given up, for a filter that allows
/// everything. There are kernels that never return from that, and a process that waits inside of them cannot be killed.
pub(in crate::run) fn has_filters() -> Option<bool> {
    const ASK_FOR_ACTION: u32 = 2;
    let action: u32 = libc::SECCOMP_RET_ERRNO;
    // SAFETY: the pointer is valid for reading.
    let is_known = unsafe { libc::syscall(libc::SYS_seccomp, ASK_FOR_ACTION, 0_u32, &raw const action) == 0 };
    if is_known { in_child(put_up_filter, PATIENCE) } else { Some(false) }
}

/// Puts up a filter that allows everything. Says whether that was possible.
fn put_up_filter() -> bool {
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

/// Returns true if a system call can be held until another process lets it proceed, as fork servers need it. The kernel is
/// asked to do it: some before Linux 5.5 know half of it, and where somebody already listens it refuses.
pub(in crate::run) fn has_notifications() -> bool {
    in_child(hold_a_call, PATIENCE) == Some(true)
}

/// Has a child make a system call that a filter notifies of, and lets it proceed. Returns true if the child got its result.
fn hold_a_call() -> bool {
    const SET_FILTER: u32 = 1;
    let step = |code: u32, jf: u8, k: u32| libc::sock_filter { code: code as u16, jt: 0, jf, k };
    let mut filter = [
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0),
        step(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 1, libc::SYS_getppid as u32),
        step(libc::BPF_RET | libc::BPF_K, 0, libc::SECCOMP_RET_USER_NOTIF),
        step(libc::BPF_RET | libc::BPF_K, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    // SAFETY: plain system calls; the pointers are valid, and the kernel copies what they point to. The child leaves
    // without running anything of ours, and it cannot stay: its call fails when this process, the only listener, ends.
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
        let is_answered = pid > 0 && let_proceed(listener as i32);
        let mut status = 0;
        libc::close(listener as i32);
        pid > 0 && libc::waitpid(pid, &raw mut status, 0) == pid && is_answered && status == 0
    }
}

/// Waits for a notification, and lets its system call proceed. Returns false if that is not possible.
///
/// # Safety
///
/// The descriptor must be a listener's.
unsafe fn let_proceed(listener: i32) -> bool {
    const PATIENCE_MS: i32 = 1000;
    let mut wanted = libc::pollfd { fd: listener, events: libc::POLLIN, revents: 0 };
    // SAFETY: the pointers are valid, and zeros are a valid notification.
    unsafe {
        let mut notification: libc::seccomp_notif = std::mem::zeroed();
        if libc::poll(&raw mut wanted, 1, PATIENCE_MS) != 1
            || libc::ioctl(listener, libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut notification) != 0
        {
            return false;
        }
        let flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32;
        let answer = libc::seccomp_notif_resp { id: notification.id, val: 0, error: 0, flags };
        libc::ioctl(listener, libc::SECCOMP_IOCTL_NOTIF_SEND, &raw const answer) == 0
    }
}

/// What a process of its own finds out with plain system calls; none if it does not come back in time. Then it is left to
/// itself: it holds nothing of ours, and nobody waits for it.
fn in_child(question: fn() -> bool, patience: Duration) -> Option<bool> {
    // SAFETY: the child, which may be a copy of one of many threads, makes plain system calls only, and leaves without
    // running anything of ours.
    let pid = unsafe {
        let pid = libc::fork();
        if pid == 0 {
            // Should it stay for ever, nobody is to wait for the other end of something that it holds.
            libc::syscall(libc::SYS_close_range, 0_u32, u32::MAX, 0_u32);
            libc::_exit(if question() { 0 } else { 1 });
        }
        pid
    };
    if pid < 0 {
        // Who cannot have a process will be told so by the next one that is really needed.
        return Some(true);
    }
    let since = Instant::now();
    let mut pause = Duration::from_micros(50);
    while since.elapsed() < patience {
        let mut status = 0;
        // SAFETY: the pointer is valid for writing.
        match unsafe { libc::waitpid(pid, &raw mut status, libc::WNOHANG) } {
            0 => std::thread::sleep(pause),
            _ => return Some(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0),
        }
        pause = (pause * 2).min(Duration::from_millis(5));
    }
    // SAFETY: the number is still that of our child, since nobody has waited for it.
    unsafe { libc::kill(pid, libc::SIGKILL) };
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_that_does_not_come_back_is_given_up() {
        const LONG: Duration = Duration::from_secs(60);
        // SAFETY: nothing is passed to it.
        let never = || unsafe { libc::pause() == 0 };
        assert_eq!(in_child(never, Duration::from_millis(20)), None);
        assert_eq!(in_child(|| true, LONG), Some(true));
        assert_eq!(in_child(|| false, LONG), Some(false));
    }

    #[test]
    fn no_filter_is_put_up_around_us() {
        let before = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        has_filters();
        let after = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let filters = |text: &str| text.lines().find(|line| line.starts_with("Seccomp:")).map(str::to_owned);
        assert_eq!(filters(&before), filters(&after));
    }
}
