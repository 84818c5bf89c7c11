//! The seccomp filter of a sandbox: which system calls a program can make.
//!
//! The filter lists what is refused among the system calls that were reviewed, up to [`NEWEST_CALL`]: language runtimes
//! use surprising ones, and Landlock already confines files and connections. All newer numbers are refused
//! until they were reviewed; so are the numbers that no kernel had assigned by then. A refused call fails with `ENOSYS`,
//! which programs are prepared for because older kernels return it.
//!
//! The kernel runs a filter for every system call of the program. When a filter is installed, the kernel also
//! translates it in several passes and evaluates it once for every system call number. So the filter is a binary tree
//! of comparisons with short lists as leaves, in which consecutive numbers form one range: a list alone is slow to run,
//! and a tree alone is slow to translate.
//!
//! The filter is installed for each run, although a spawner could pass it on by inheritance: a spawner also starts the
//! user's own tools, which are not sandboxed, and itself needs some of the refused calls.
//!
//! A [fork server](super::super::fork_server) gets a filter of its own from its first instruction, and its forked
//! copies inherit it. It refuses the same calls. Forking a copy, and calls that are allowed only on the process itself,
//! are *notified*: the kernel holds the call until the spawner has answered. A filter knows neither which copies are
//! wanted nor which process IDs they get; a spawner knows both.

use libc::{c_long, sock_filter};
use std::ops::RangeInclusive;

/// Placeholder for the program's own process ID, which replaces it when it is known.
pub(super) const OWN_PID_PLACEHOLDER: u32 = 0x7fff_fff1;

/// How a system call of the tables below is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SyscallRule {
    /// It is refused.
    Refuse,
    /// Allowed if the first argument is the program's own process ID, or 0, which means the same.
    AllowOnSelf,
    /// Allowed for a new thread (`clone`). A forked copy of a fork server is notified, any other process is refused.
    AllowThreads,
    /// Allowed, but a forked copy of a fork server is notified (`clone`).
    NotifyCopies,
    /// Refused if it sets the parent-death signal to anything but `SIGKILL` (`prctl`).
    KeepDeathSignal,
    /// Refused unless the second argument is one of these numbers.
    AllowArguments(&'static [u32]),
    /// It does nothing, and reports success: Mono ends where it cannot set priorities of its threads.
    Pretend,
}

/// The flags of `clone` with which a fork server forks a copy: a child of its own parent.
const COPY_FLAGS: u32 = libc::CLONE_PARENT as u32 | libc::SIGCHLD as u32;

/// Requests of `fcntl` that are allowed: duplicates, flags, locks and sizes of pipes. Others choose the process to which a
/// file sends signals, watch folders, or seal and lease files.
const FCNTL_REQUESTS: &[u32] = &[0, 1, 2, 3, 4, 5, 6, 7, 9, 36, 37, 38, 1027, 1030, 1031, 1032, 1034];

/// Requests of `ioctl` that are allowed: `TCGETS`, `TIOCGPGRP`, `TIOCGWINSZ`, `FIONREAD`, `FIONBIO`, `FIONCLEX`,
/// `FIOCLEX` and `TCGETS2`, by which runtimes find out what their streams are, and `PAGEMAP_SCAN`, by which a program that
/// is run in place finds the pages that it has written to. Others change the metadata of files that are open for
/// reading only.
const IOCTL_REQUESTS: &[u32] = &[0x5401, 0x540f, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451, 0x802c_542a, 0xc060_6610];

/// The newest system call that was reviewed, `mseal` of Linux 6.10. New numbers are the same on all architectures.
const NEWEST_CALL: c_long = 462;

/// The numbers of system calls, by their names in C libraries.
macro_rules! numbers {
    ($($call:ident)*) => {{
        use libc::*;
        &[$($call),*]
    }};
}

/// Refused to every sandboxed program.
const REFUSED_CALLS: &[c_long] = numbers! {
    // Access to other processes.
    SYS_ptrace SYS_process_vm_readv SYS_process_vm_writev SYS_process_madvise SYS_process_mrelease SYS_kcmp
    SYS_migrate_pages SYS_move_pages SYS_pidfd_open SYS_pidfd_getfd SYS_perf_event_open
    // Signals.
    SYS_pidfd_send_signal
    // Mounts and namespaces.
    SYS_mount SYS_umount2 SYS_pivot_root SYS_chroot SYS_open_tree SYS_move_mount SYS_fsopen SYS_fsconfig SYS_fsmount
    SYS_fspick SYS_mount_setattr SYS_unshare SYS_setns SYS_swapon SYS_swapoff SYS_quotactl SYS_quotactl_fd STATMOUNT
    LISTMOUNT
    // Files and folders that Landlock denies: handles, and events about them.
    SYS_name_to_handle_at SYS_open_by_handle_at SYS_fanotify_init SYS_inotify_init1 SYS_inotify_add_watch
    // The kernel itself.
    SYS_bpf SYS_userfaultfd SYS_keyctl SYS_add_key SYS_request_key SYS_init_module SYS_finit_module
    SYS_delete_module SYS_kexec_load SYS_reboot SYS_syslog SYS_acct SYS_sethostname SYS_setdomainname
    SYS_settimeofday SYS_clock_settime SYS_adjtimex SYS_clock_adjtime SYS_vhangup LSM_SET_SELF_ATTR
    // All disks, and contexts of which the kernel has few.
    SYS_sync SYS_syncfs SYS_io_setup
    // A way around all of this: io_uring requests pass no filter.
    SYS_io_uring_setup SYS_io_uring_enter SYS_io_uring_register
    // Connections, and memory that outlives the process.
    SYS_socket SYS_socketpair SYS_shmget SYS_shmat SYS_shmctl SYS_msgget SYS_msgsnd SYS_msgrcv SYS_msgctl SYS_semget
    SYS_semop SYS_semtimedop SYS_semctl SYS_mq_open SYS_mq_unlink SYS_memfd_create SYS_memfd_secret
    // Priorities, privileges, and limits of other processes; its own limits it can only lower.
    SYS_setpriority SYS_ioprio_set SYS_sched_setattr SYS_setuid SYS_setgid SYS_setreuid
    SYS_setregid SYS_setresuid SYS_setresgid SYS_setfsuid SYS_setfsgid SYS_setgroups SYS_capset
    // File metadata, which Landlock does not cover.
    SYS_fchmod SYS_fchmodat FCHMODAT2 SYS_fchown SYS_fchownat SYS_utimensat SYS_setxattr SYS_lsetxattr SYS_fsetxattr
    SYS_removexattr SYS_lremovexattr SYS_fremovexattr
};

/// Allowed to a sandboxed program with certain arguments only.
const RESTRICTED_CALLS: &[(c_long, SyscallRule)] = &[
    (libc::SYS_kill, SyscallRule::AllowOnSelf),
    (libc::SYS_tkill, SyscallRule::AllowOnSelf),
    (libc::SYS_tgkill, SyscallRule::AllowOnSelf),
    (libc::SYS_rt_sigqueueinfo, SyscallRule::AllowOnSelf),
    (libc::SYS_rt_tgsigqueueinfo, SyscallRule::AllowOnSelf),
    (libc::SYS_fcntl, SyscallRule::AllowArguments(FCNTL_REQUESTS)),
    (libc::SYS_ioctl, SyscallRule::AllowArguments(IOCTL_REQUESTS)),
    // The program must die with its spawner.
    (libc::SYS_prctl, SyscallRule::KeepDeathSignal),
    (libc::SYS_prlimit64, SyscallRule::AllowOnSelf),
    (libc::SYS_sched_setparam, SyscallRule::AllowOnSelf),
    (libc::SYS_sched_setaffinity, SyscallRule::AllowOnSelf),
    (libc::SYS_sched_setscheduler, SyscallRule::Pretend),
];

/// Not yet named by C libraries. The numbers are the same on all architectures.
const FCHMODAT2: c_long = 452;
const STATMOUNT: c_long = 457;
const LISTMOUNT: c_long = 458;
const LSM_SET_SELF_ATTR: c_long = 460;

/// Refused to programs that must not start processes, except for new threads. The flags of `clone3` are in memory, where
/// a filter cannot look; C libraries then fall back to `clone`.
const PROCESS_CALLS: &[(c_long, SyscallRule)] =
    &[(libc::SYS_clone, SyscallRule::AllowThreads), (libc::SYS_clone3, SyscallRule::Refuse)];

/// Added for a fork server that is not sandboxed, or that forks copies which can start processes.
const COPY_CALLS: &[(c_long, SyscallRule)] = &[(libc::SYS_clone, SyscallRule::NotifyCopies)];

/// Refused to compilers. Their runtimes start processes through a socket pair, which cannot be refused; it must not
/// become a connection to anything else.
const CONNECTION_CALLS: &[(c_long, SyscallRule)] =
    &[(libc::SYS_connect, SyscallRule::Refuse), (libc::SYS_bind, SyscallRule::Refuse)];

/// System calls that only this architecture has.
#[cfg(target_arch = "x86_64")]
const LEGACY_REFUSED_CALLS: &[c_long] = numbers! {
    SYS_chmod SYS_chown SYS_lchown SYS_utime SYS_utimes SYS_futimesat SYS_iopl SYS_ioperm SYS_modify_ldt
    SYS_kexec_file_load SYS_inotify_init SYS_uselib SYS_sysfs
};
#[cfg(not(target_arch = "x86_64"))]
const LEGACY_REFUSED_CALLS: &[c_long] = &[];

#[cfg(target_arch = "x86_64")]
const LEGACY_PROCESS_CALLS: &[(c_long, SyscallRule)] =
    &[(libc::SYS_fork, SyscallRule::Refuse), (libc::SYS_vfork, SyscallRule::Refuse)];
#[cfg(not(target_arch = "x86_64"))]
const LEGACY_PROCESS_CALLS: &[(c_long, SyscallRule)] = &[];

/// Numbers that no kernel had assigned when the newest call was reviewed, but for probes in a program itself.
const UNASSIGNED_CALLS: RangeInclusive<c_long> = if cfg!(target_arch = "x86_64") { 335..=423 } else { 295..=423 };

/// The kernel's identifier of this architecture, or `None` if the filter does not support it.
pub(super) const AUDIT_ARCH: Option<u32> = if cfg!(target_arch = "x86_64") {
    Some(0xc000_003e)
} else if cfg!(target_arch = "aarch64") {
    Some(0xc000_00b7)
} else {
    None
};

// Offsets into `struct seccomp_data`.
const NUMBER_OFFSET: u32 = 0;
const ARCH_OFFSET: u32 = 4;

const fn argument_offset(index: u32) -> u32 {
    16 + 8 * index
}

const RETURN_ALLOW: sock_filter = return_action(libc::SECCOMP_RET_ALLOW);
const RETURN_NOTIFY: sock_filter = return_action(libc::SECCOMP_RET_USER_NOTIF);
const RETURN_REFUSE: sock_filter = return_action(libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32);
const RETURN_SUCCESS: sock_filter = return_action(libc::SECCOMP_RET_ERRNO);
const RETURN_KILL: sock_filter = return_action(libc::SECCOMP_RET_KILL_PROCESS);

const fn return_action(action: u32) -> sock_filter {
    sock_filter { code: (libc::BPF_RET | libc::BPF_K) as u16, jt: 0, jf: 0, k: action }
}

const fn load_word(at: u32) -> sock_filter {
    sock_filter { code: (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16, jt: 0, jf: 0, k: at }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum JumpTarget {
    /// The next instruction.
    Next,
    /// The upper half of a decision.
    UpperHalf(usize),
    /// The check of the arguments, shared by all system calls with the same rule.
    ArgumentCheck(usize),
    Allow,
    Notify,
    Refuse,
}

/// An instruction before the distances of jumps are known.
#[derive(Clone, Copy, Debug)]
enum FilterStep {
    /// A finished instruction.
    Instruction(sock_filter),
    /// Compares the loaded value.
    Jump { condition: u32, operand: u32, if_true: JumpTarget, if_false: JumpTarget },
    /// The target of a jump. Emits no instruction.
    Label(JumpTarget),
}

const fn jump_step(condition: u32, operand: u32, if_true: JumpTarget, if_false: JumpTarget) -> FilterStep {
    FilterStep::Jump { condition, operand, if_true, if_false }
}

/// The process that a filter is installed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FilterHolder {
    /// One run.
    Process,
    /// A fork server, and the forked copies that inherit its filter.
    Server,
}

/// Returns the rules of every sandboxed program, with the numbers that were not reviewed.
fn all_restricted_calls() -> Vec<(c_long, SyscallRule)> {
    let known = REFUSED_CALLS.iter().chain(LEGACY_REFUSED_CALLS).copied();
    let refused = known.chain(UNASSIGNED_CALLS).chain([NEWEST_CALL + 1]).map(|number| (number, SyscallRule::Refuse));
    RESTRICTED_CALLS.iter().copied().chain(refused).collect()
}

/// Returns the filter of a program, or `None` on an unsupported architecture.
pub(super) fn program_filter(has_processes: bool, holder: FilterHolder) -> Option<Vec<sock_filter>> {
    let mut rules = all_restricted_calls();
    if !has_processes {
        rules.extend_from_slice(PROCESS_CALLS);
        rules.extend_from_slice(LEGACY_PROCESS_CALLS);
    } else if holder == FilterHolder::Server {
        rules.extend_from_slice(COPY_CALLS);
    }
    assemble_filter(rules, holder)
}

/// Returns the filter of compilers, which start processes, or `None` on an unsupported architecture.
pub(super) fn compiler_filter() -> Option<Vec<sock_filter>> {
    let mut rules = all_restricted_calls();
    rules.extend_from_slice(CONNECTION_CALLS);
    rules.retain(|(number, _)| *number != libc::SYS_socketpair);
    assemble_filter(rules, FilterHolder::Process)
}

/// Returns the filter of a fork server that is not sandboxed: it refuses nothing, but forked copies are notified.
pub(super) fn fork_notify_filter() -> Option<Vec<sock_filter>> {
    assemble_filter(COPY_CALLS.to_vec(), FilterHolder::Server)
}

/// Assembles a filter of these rules, one for each number. Returns `None` on an unsupported architecture.
fn assemble_filter(mut rules: Vec<(c_long, SyscallRule)>, holder: FilterHolder) -> Option<Vec<sock_filter>> {
    let architecture = AUDIT_ARCH?;
    rules.sort_by_key(|(number, _)| *number);
    let mut draft = FilterAssembler { steps: Vec::new(), label_count: 0, argument_rules: Vec::new() };
    draft.steps.extend([
        FilterStep::Instruction(load_word(ARCH_OFFSET)),
        jump_step(libc::BPF_JEQ, architecture, JumpTarget::UpperHalf(0), JumpTarget::Next),
        // Other architectures have other system call numbers.
        FilterStep::Instruction(RETURN_KILL),
        FilterStep::Label(JumpTarget::UpperHalf(0)),
        FilterStep::Instruction(load_word(NUMBER_OFFSET)),
    ]);
    draft.emit_decision(&rules);
    draft.emit_argument_checks(holder);
    Some(draft.to_instructions())
}

/// A filter under construction.
struct FilterAssembler {
    steps: Vec<FilterStep>,
    /// Number of labels of upper halves, in addition to the architecture check's.
    label_count: usize,
    /// The distinct rules that check arguments.
    argument_rules: Vec<SyscallRule>,
}

impl FilterAssembler {
    /// Emits the decision between these rules for the loaded system call number. Every path through it ends in an
    /// action.
    fn emit_decision(&mut self, rules: &[(c_long, SyscallRule)]) {
        match rules {
            [] => self.steps.push(FilterStep::Instruction(RETURN_ALLOW)),
            [(number, rule)] if *rule != SyscallRule::Refuse || is_open_ended(*number) => {
                let condition = if is_open_ended(*number) { libc::BPF_JGE } else { libc::BPF_JEQ };
                let target = self.rule_target(*rule);
                self.steps.push(jump_step(condition, *number as u32, target, JumpTarget::Allow));
            }
            _ if fits_in_leaf(rules) => self.emit_leaf(rules),
            _ => {
                // Too many ranges for a leaf: halve the list, and jump to the upper half for numbers from its first on.
                let (lower, upper) = rules.split_at(rules.len() / 2);
                self.label_count += 1;
                let half = JumpTarget::UpperHalf(self.label_count);
                self.steps.push(jump_step(libc::BPF_JGE, upper[0].0 as u32, half, JumpTarget::Next));
                self.emit_decision(lower);
                self.steps.push(FilterStep::Label(half));
                self.emit_decision(upper);
            }
        }
    }

    fn rule_target(&mut self, rule: SyscallRule) -> JumpTarget {
        if rule == SyscallRule::Refuse {
            return JumpTarget::Refuse;
        }
        let index = self.argument_rules.iter().position(|known| *known == rule);
        JumpTarget::ArgumentCheck(index.unwrap_or_else(|| {
            self.argument_rules.push(rule);
            self.argument_rules.len() - 1
        }))
    }

    /// Compares with one range after the other, in ascending order.
    fn emit_leaf(&mut self, rules: &[(c_long, SyscallRule)]) {
        let ranges = number_ranges(rules);
        debug_assert!(ranges.is_sorted_by(|one, next| one.1 < next.0), "the rules are in the order of their numbers");
        for (at, (first, last)) in ranges.iter().enumerate() {
            let otherwise = if at + 1 == ranges.len() { JumpTarget::Allow } else { JumpTarget::Next };
            if first < last {
                // Above the range: continue with the next one. Within it: refuse. Below it: allow, because the ranges
                // ascend.
                self.label_count += 1;
                let beyond = if otherwise == JumpTarget::Allow {
                    JumpTarget::Allow
                } else {
                    JumpTarget::UpperHalf(self.label_count)
                };
                self.steps.push(jump_step(libc::BPF_JGE, last + 1, beyond, JumpTarget::Next));
                self.steps.push(jump_step(libc::BPF_JGE, *first, JumpTarget::Refuse, JumpTarget::Allow));
                self.steps.push(FilterStep::Label(JumpTarget::UpperHalf(self.label_count)));
            } else {
                self.steps.push(jump_step(libc::BPF_JEQ, *first, JumpTarget::Refuse, otherwise));
            }
        }
    }

    /// Emits the checks of arguments, and the actions that jumps lead to.
    fn emit_argument_checks(&mut self, holder: FilterHolder) {
        for (at, rule) in self.argument_rules.clone().into_iter().enumerate() {
            let argument = usize::from(matches!(rule, SyscallRule::AllowArguments(_))) as u32;
            self.steps.extend([
                FilterStep::Label(JumpTarget::ArgumentCheck(at)),
                FilterStep::Instruction(load_word(argument_offset(argument))),
            ]);
            self.emit_argument_check(rule, holder);
        }
        for (label, action) in [
            (JumpTarget::Allow, RETURN_ALLOW),
            (JumpTarget::Notify, RETURN_NOTIFY),
            (JumpTarget::Refuse, RETURN_REFUSE),
        ] {
            self.steps.extend([FilterStep::Label(label), FilterStep::Instruction(action)]);
        }
    }

    fn emit_argument_check(&mut self, rule: SyscallRule, holder: FilterHolder) {
        let (equal, some_of) = (libc::BPF_JEQ, libc::BPF_JSET);
        match (rule, holder) {
            (SyscallRule::Refuse, _) => {}
            (SyscallRule::Pretend, _) => self.steps.push(FilterStep::Instruction(RETURN_SUCCESS)),
            (SyscallRule::AllowOnSelf, FilterHolder::Process) => {
                self.steps.push(jump_step(equal, OWN_PID_PLACEHOLDER, JumpTarget::Allow, JumpTarget::Next));
                self.steps.push(jump_step(equal, 0, JumpTarget::Allow, JumpTarget::Refuse));
            }
            (SyscallRule::AllowOnSelf, FilterHolder::Server) => {
                self.steps.push(jump_step(equal, 0, JumpTarget::Allow, JumpTarget::Notify))
            }
            (SyscallRule::AllowThreads, _) => {
                let copy = if holder == FilterHolder::Server { JumpTarget::Notify } else { JumpTarget::Refuse };
                self.steps.push(jump_step(some_of, libc::CLONE_THREAD as u32, JumpTarget::Allow, JumpTarget::Next));
                self.steps.push(jump_step(equal, COPY_FLAGS, copy, JumpTarget::Refuse));
            }
            (SyscallRule::NotifyCopies, _) => {
                self.steps.push(jump_step(equal, COPY_FLAGS, JumpTarget::Notify, JumpTarget::Allow))
            }
            (SyscallRule::KeepDeathSignal, _) => {
                self.steps.push(jump_step(equal, libc::PR_SET_PDEATHSIG as u32, JumpTarget::Next, JumpTarget::Allow));
                self.steps.push(FilterStep::Instruction(load_word(argument_offset(1))));
                self.steps.push(jump_step(equal, libc::SIGKILL as u32, JumpTarget::Allow, JumpTarget::Refuse));
            }
            (SyscallRule::AllowArguments(numbers), _) => {
                self.steps.extend(
                    numbers.iter().map(|number| jump_step(equal, *number, JumpTarget::Allow, JumpTarget::Next)),
                );
                self.steps.push(FilterStep::Instruction(RETURN_REFUSE));
            }
        }
    }

    fn to_instructions(&self) -> Vec<sock_filter> {
        // First pass: the address of each label. Second pass: the instructions, with the distances of their jumps.
        let mut labels: Vec<(JumpTarget, usize)> = Vec::new();
        let mut count = 0;
        for step in &self.steps {
            match step {
                FilterStep::Label(label) => labels.push((*label, count)),
                _ => count += 1,
            }
        }
        // Jumps only go forward, and not too far for a byte: a test checks that.
        let distance = |from: usize, to: JumpTarget| {
            let target = labels.iter().find(|(label, at)| *label == to && *at > from).map_or(from + 1, |(_, at)| *at);
            (target - from - 1) as u8
        };
        let mut code = Vec::with_capacity(count);
        for step in &self.steps {
            let at = code.len();
            match *step {
                FilterStep::Instruction(instruction) => code.push(instruction),
                FilterStep::Jump { condition, operand, if_true, if_false } => code.push(sock_filter {
                    code: (libc::BPF_JMP | condition | libc::BPF_K) as u16,
                    jt: distance(at, if_true),
                    jf: distance(at, if_false),
                    k: operand,
                }),
                FilterStep::Label(_) => {}
            }
        }
        code
    }
}

/// Returns true if the rules form few ranges and depend on the number alone.
fn fits_in_leaf(rules: &[(c_long, SyscallRule)]) -> bool {
    const MAX_LEAF_RANGES: usize = 8;
    number_ranges(rules).len() <= MAX_LEAF_RANGES
        && rules.iter().all(|(number, rule)| *rule == SyscallRule::Refuse && !is_open_ended(*number))
}

/// Merges consecutive numbers of the rules into ranges: the first and the last number of each.
fn number_ranges(rules: &[(c_long, SyscallRule)]) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = Vec::new();
    for number in rules.iter().map(|(number, _)| *number as u32) {
        match found.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => found.push((number, number)),
        }
    }
    found
}

/// Returns true if a rule covers its number and all above, which include those of the x32 ABI.
fn is_open_ended(number: c_long) -> bool {
    number > NEWEST_CALL
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Evaluates the filter of a system call as the kernel does.
    fn evaluate_filter(filter: &[sock_filter], architecture: u32, number: c_long, arguments: [u64; 3]) -> u32 {
        let word = |at: u32| match at {
            NUMBER_OFFSET => number as u32,
            ARCH_OFFSET => architecture,
            _ => (arguments[(at as usize - 16) / 8] >> (at % 8 * 8)) as u32,
        };
        let (mut at, mut loaded) = (0, 0);
        loop {
            let sock_filter { code, jt, jf, k } = filter[at];
            let holds = match u32::from(code) & 0xf7 {
                code if code == libc::BPF_RET => return k,
                code if code == libc::BPF_LD | libc::BPF_ABS => {
                    loaded = word(k);
                    at += 1;
                    continue;
                }
                code if code == libc::BPF_JMP | libc::BPF_JEQ => loaded == k,
                code if code == libc::BPF_JMP | libc::BPF_JGE => loaded >= k,
                _ => loaded & k != 0,
            };
            at += 1 + usize::from(if holds { jt } else { jf });
        }
    }

    #[test]
    fn only_listed_calls_are_refused() {
        let (Some(architecture), Some(strict), Some(lax)) =
            (AUDIT_ARCH, program_filter(false, FilterHolder::Process), program_filter(true, FilterHolder::Process))
        else {
            return;
        };
        let run = |filter: &[sock_filter], number, arguments| evaluate_filter(filter, architecture, number, arguments);
        for number in [libc::SYS_read, libc::SYS_execve, libc::SYS_exit_group, libc::SYS_openat, libc::SYS_futex] {
            assert_eq!(run(&strict, number, [0; 3]), libc::SECCOMP_RET_ALLOW, "{number}");
        }
        for number in [libc::SYS_ptrace, libc::SYS_socket, libc::SYS_clone3, FCHMODAT2] {
            assert_eq!(run(&strict, number, [0; 3]), RETURN_REFUSE.k, "{number}");
        }
        let thread = libc::CLONE_THREAD as u64;
        assert_eq!(run(&strict, libc::SYS_clone, [thread, 0, 0]), libc::SECCOMP_RET_ALLOW);
        assert_eq!(run(&strict, libc::SYS_clone, [17, 0, 0]), RETURN_REFUSE.k);
        assert_eq!(run(&lax, libc::SYS_clone, [17, 0, 0]), libc::SECCOMP_RET_ALLOW);
        assert_eq!(run(&strict, libc::SYS_kill, [u64::from(OWN_PID_PLACEHOLDER), 9, 0]), libc::SECCOMP_RET_ALLOW);
        assert_eq!(run(&strict, libc::SYS_kill, [u64::MAX, 9, 0]), RETURN_REFUSE.k);
        assert_eq!(run(&strict, libc::SYS_prlimit64, [0, 7, 1]), libc::SECCOMP_RET_ALLOW);
        assert_eq!(run(&strict, libc::SYS_prlimit64, [1, 7, 1]), RETURN_REFUSE.k);
        assert_eq!(run(&strict, libc::SYS_prctl, [1, 0, 0]), RETURN_REFUSE.k);
        assert_eq!(run(&strict, libc::SYS_prctl, [1, 9, 0]), libc::SECCOMP_RET_ALLOW);
        for (number, allowed, refused) in [
            // Owners and leases of files, events of folders.
            (libc::SYS_fcntl, FCNTL_REQUESTS, &[8, 10, 15, 1024, 1026, 1033]),
            // Owners, attributes that are flags (twice), freezing a disk, a key press in a terminal.
            (libc::SYS_ioctl, IOCTL_REQUESTS, &[0x8901, 0x8902, 0x4008_6602, 0x401c_5820, 0xc004_5877, 0x5412]),
        ] {
            let run = |request: &u32| run(&strict, number, [0, u64::from(*request), 0]);
            assert!(allowed.iter().all(|request| run(request) == libc::SECCOMP_RET_ALLOW));
            assert!(refused.iter().all(|request| run(request) == RETURN_REFUSE.k));
        }
        assert_eq!(run(&strict, libc::SYS_prctl, [15, 0, 0]), libc::SECCOMP_RET_ALLOW);
        assert_eq!(evaluate_filter(&strict, architecture ^ 1, libc::SYS_read, [0; 3]), RETURN_KILL.k);
    }

    #[test]
    fn compilers_start_processes_and_have_no_connections() {
        let (Some(architecture), Some(filter)) = (AUDIT_ARCH, compiler_filter()) else { return };
        for number in [libc::SYS_clone, libc::SYS_clone3, libc::SYS_execve, libc::SYS_socketpair, libc::SYS_pipe2] {
            assert_eq!(evaluate_filter(&filter, architecture, number, [17, 0, 0]), libc::SECCOMP_RET_ALLOW, "{number}");
        }
        for number in [libc::SYS_socket, libc::SYS_connect, libc::SYS_bind, libc::SYS_ptrace, libc::SYS_fchmodat] {
            assert_eq!(evaluate_filter(&filter, architecture, number, [1, 0, 0]), RETURN_REFUSE.k, "{number}");
        }
        assert_eq!(
            evaluate_filter(&filter, architecture, libc::SYS_kill, [u64::from(OWN_PID_PLACEHOLDER) + 1, 9, 0]),
            RETURN_REFUSE.k
        );
    }

    #[test]
    fn every_rule_is_reached_and_no_jump_is_too_long() {
        let (Some(architecture), Some(strict)) = (AUDIT_ARCH, program_filter(false, FilterHolder::Process)) else {
            return;
        };
        let all = [&all_restricted_calls(), PROCESS_CALLS, LEGACY_PROCESS_CALLS].concat();
        for (number, rule) in &all {
            let arguments = if *rule == SyscallRule::KeepDeathSignal { [1; 3] } else { [u64::MAX; 3] };
            let arguments = if *rule == SyscallRule::AllowThreads { [2; 3] } else { arguments };
            let expected = if *rule == SyscallRule::Pretend { RETURN_SUCCESS.k } else { RETURN_REFUSE.k };
            assert_eq!(evaluate_filter(&strict, architecture, *number, arguments), expected, "{number}");
        }
        assert!(strict.len() < 250, "{}", strict.len());
    }

    /// The system calls that a program can make with any arguments, as first and last numbers. Each was
    /// reviewed: it reaches no file that Landlock denies, changes no metadata, and leaves nothing behind.
    #[cfg(target_arch = "x86_64")]
    const ALLOWED_CALLS: &[(u32, u32)] = &[
        (0, 15),
        (17, 28),
        (32, 40),
        (42, 52),
        (54, 61),
        (63, 63),
        (67, 67),
        (73, 89),
        (95, 100),
        (102, 102),
        (104, 104),
        (107, 112),
        (115, 115),
        (118, 118),
        (120, 121),
        (124, 125),
        (127, 128),
        (130, 131),
        (133, 133),
        (135, 138),
        (140, 140),
        (143, 143),
        (145, 152),
        (156, 158),
        (160, 160),
        (174, 174),
        (177, 178),
        (180, 187),
        (191, 196),
        (201, 202),
        (204, 205),
        (207, 219),
        (221, 226),
        (228, 233),
        (236, 239),
        (242, 245),
        (247, 247),
        (252, 252),
        (255, 255),
        (257, 259),
        (262, 267),
        (269, 271),
        (273, 278),
        (281, 293),
        (295, 296),
        (299, 299),
        (301, 301),
        (307, 307),
        (309, 309),
        (315, 318),
        (322, 322),
        (324, 334),
        (435, 437),
        (439, 439),
        (441, 441),
        (444, 446),
        (449, 451),
        (453, 456),
        (459, 459),
        (461, 462),
    ];

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn calls_that_were_not_reviewed_are_refused() {
        let numbers =
            |ranges: &[(u32, u32)]| -> Vec<u32> { ranges.iter().flat_map(|(first, last)| *first..=*last).collect() };
        let without = |refused: &[u32]| {
            let mut allowed = numbers(ALLOWED_CALLS);
            allowed.retain(|number| !refused.contains(number));
            allowed
        };
        for (filter, expected) in [
            (program_filter(true, FilterHolder::Process), without(&[])),
            // `fork`, `vfork` and `clone3`; `connect` and `bind`.
            (program_filter(false, FilterHolder::Process), without(&[57, 58, 435])),
            (program_filter(false, FilterHolder::Server), without(&[57, 58, 435])),
            (compiler_filter(), [without(&[42, 49]), vec![53]].concat()),
        ] {
            let (Some(architecture), Some(filter)) = (AUDIT_ARCH, filter) else { return };
            let run = |number: u32| evaluate_filter(&filter, architecture, number.into(), [u64::MAX; 3]);
            let ends = [1 << 16, 0x4000_0000, 0x7fff_ffff, u32::MAX];
            let allowed = (0..=600)
                .chain(ends)
                .filter(|number| run(*number) == libc::SECCOMP_RET_ALLOW)
                .collect::<BTreeSet<u32>>();
            assert_eq!(allowed, expected.into_iter().collect());
        }
    }

    /// A fork server can do no more than a run, except that its spawner decides about forked copies and about calls on
    /// the process itself.
    #[test]
    fn server_filter_refuses_the_same_and_notifies_the_spawner() {
        let filters = [FilterHolder::Process, FilterHolder::Server]
            .map(|holder| program_filter(false, holder).unwrap_or_default());
        let (Some(architecture), [run_filter, server]) = (AUDIT_ARCH, filters) else { return };
        let numbers = [
            0,
            1,
            2,
            9,
            15,
            0x5401,
            0x8901,
            u64::from(OWN_PID_PLACEHOLDER),
            libc::CLONE_THREAD as u64,
            u64::from(COPY_FLAGS),
        ];
        for number in 0..1000 {
            for arguments in numbers.iter().flat_map(|first| numbers.map(|second| [*first, second, 0])) {
                let expected = evaluate_filter(&run_filter, architecture, number, arguments);
                let rule = [RESTRICTED_CALLS, PROCESS_CALLS].concat().into_iter().find(|(known, _)| *known == number);
                let is_notified = match rule.map(|(_, rule)| rule) {
                    Some(SyscallRule::AllowOnSelf) => arguments[0] != 0,
                    Some(SyscallRule::AllowThreads) => arguments[0] == u64::from(COPY_FLAGS),
                    _ => false,
                };
                let expected = if is_notified { RETURN_NOTIFY.k } else { expected };
                assert_eq!(
                    evaluate_filter(&server, architecture, number, arguments),
                    expected,
                    "{number} {arguments:?}"
                );
            }
        }
    }

    #[test]
    fn filter_without_sandbox_notifies_only_of_copies() {
        let (Some(architecture), Some(copies)) = (AUDIT_ARCH, fork_notify_filter()) else { return };
        for number in 0..1000 {
            for first in [0, 17, u64::from(COPY_FLAGS), u64::from(COPY_FLAGS) | libc::CLONE_THREAD as u64] {
                let is_copy = number == libc::SYS_clone && first == u64::from(COPY_FLAGS);
                let expected = if is_copy { RETURN_NOTIFY.k } else { RETURN_ALLOW.k };
                assert_eq!(evaluate_filter(&copies, architecture, number, [first, 0, 0]), expected, "{number} {first}");
            }
        }
    }
}
