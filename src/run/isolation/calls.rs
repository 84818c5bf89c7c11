//! What a walled program can ask of the kernel: a seccomp filter.
//!
//! The filter names what is refused, not what is allowed: runtimes ask for surprising things, and the walls around
//! files and networks stand by themselves. What is refused is answered with "not implemented", for which programs are
//! prepared, since older kernels say it.
//!
//! A filter is run for every system call of the program, and the kernel runs it for every number there is when it is
//! put up, after translating it in several passes. So it is a tree of comparisons with short lists as leaves, in which
//! numbers that follow one another count as one: a list is long to run, and a tree alone long to translate.
//!
//! It is put up for each run, though a spawner could hand it down: a spawner also starts the user's own tools, which have
//! no walls, and itself needs some of what is refused.
//!
//! A [fork server](super::super::fork_server) gets a filter of its own from its first instruction, and its copies inherit
//! that. It refuses the same; but a copy of the server, and whatever is allowed to a process on itself alone, is *notified*:
//! the kernel holds the system call until the spawner has answered. A filter knows neither which copies are wanted nor the
//! numbers that they will have, and a spawner knows both.

use libc::{c_long, sock_filter};

/// The program's own number, to be put into the filter when it is known.
pub(super) const OWN_PID: u32 = 0x7fff_fff1;

/// What becomes of a system call in the tables below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// It is refused.
    Never,
    /// Allowed if the first argument is the program's own number, or 0, which stands for it.
    ToItself,
    /// Allowed for a new thread (`clone`). A copy of a fork server is notified, any other process is refused.
    Threads,
    /// Allowed, but a copy of a fork server is notified (`clone`).
    Copies,
    /// Refused where it changes the signal that comes at the spawner's death to anything but `SIGKILL` (`prctl`).
    DeathSignal,
    /// Refused if the second argument is one of these numbers.
    Except(&'static [u32]),
}

/// The flags of `clone` with which a fork server makes a copy: a child of its own parent.
const COPY: u32 = libc::CLONE_PARENT as u32 | libc::SIGCHLD as u32;

/// Requests of `fcntl` and `ioctl` that choose the process to which a file sends signals. Landlock looks at that only since
/// Linux 6.12.
const OWNER_BY_FCNTL: &[u32] = &[8, 15];
const OWNER_BY_IOCTL: &[u32] = &[0x8901, 0x8902];

/// Refused to every walled program.
const REFUSED: &[(c_long, Rule)] = &[
    // Looking into others, and taking things from them.
    (libc::SYS_ptrace, Rule::Never),
    (libc::SYS_process_vm_readv, Rule::Never),
    (libc::SYS_process_vm_writev, Rule::Never),
    (libc::SYS_process_madvise, Rule::Never),
    (libc::SYS_process_mrelease, Rule::Never),
    (libc::SYS_kcmp, Rule::Never),
    (libc::SYS_pidfd_open, Rule::Never),
    (libc::SYS_pidfd_getfd, Rule::Never),
    (libc::SYS_perf_event_open, Rule::Never),
    // Signals.
    (libc::SYS_kill, Rule::ToItself),
    (libc::SYS_tkill, Rule::ToItself),
    (libc::SYS_tgkill, Rule::ToItself),
    (libc::SYS_rt_sigqueueinfo, Rule::ToItself),
    (libc::SYS_rt_tgsigqueueinfo, Rule::ToItself),
    (libc::SYS_pidfd_send_signal, Rule::Never),
    (libc::SYS_fcntl, Rule::Except(OWNER_BY_FCNTL)),
    (libc::SYS_ioctl, Rule::Except(OWNER_BY_IOCTL)),
    // It dies when its spawner does.
    (libc::SYS_prctl, Rule::DeathSignal),
    // Mounts and namespaces.
    (libc::SYS_mount, Rule::Never),
    (libc::SYS_umount2, Rule::Never),
    (libc::SYS_pivot_root, Rule::Never),
    (libc::SYS_chroot, Rule::Never),
    (libc::SYS_open_tree, Rule::Never),
    (libc::SYS_move_mount, Rule::Never),
    (libc::SYS_fsopen, Rule::Never),
    (libc::SYS_fsconfig, Rule::Never),
    (libc::SYS_fsmount, Rule::Never),
    (libc::SYS_fspick, Rule::Never),
    (libc::SYS_mount_setattr, Rule::Never),
    (libc::SYS_unshare, Rule::Never),
    (libc::SYS_setns, Rule::Never),
    (libc::SYS_swapon, Rule::Never),
    (libc::SYS_swapoff, Rule::Never),
    (libc::SYS_quotactl, Rule::Never),
    (libc::SYS_open_by_handle_at, Rule::Never),
    (libc::SYS_fanotify_init, Rule::Never),
    // The kernel itself.
    (libc::SYS_bpf, Rule::Never),
    (libc::SYS_userfaultfd, Rule::Never),
    (libc::SYS_keyctl, Rule::Never),
    (libc::SYS_add_key, Rule::Never),
    (libc::SYS_request_key, Rule::Never),
    (libc::SYS_init_module, Rule::Never),
    (libc::SYS_finit_module, Rule::Never),
    (libc::SYS_delete_module, Rule::Never),
    (libc::SYS_kexec_load, Rule::Never),
    (libc::SYS_reboot, Rule::Never),
    (libc::SYS_syslog, Rule::Never),
    (libc::SYS_acct, Rule::Never),
    (libc::SYS_sethostname, Rule::Never),
    (libc::SYS_setdomainname, Rule::Never),
    (libc::SYS_settimeofday, Rule::Never),
    (libc::SYS_clock_settime, Rule::Never),
    (libc::SYS_adjtimex, Rule::Never),
    (libc::SYS_clock_adjtime, Rule::Never),
    // A way around all of this: requests that no filter sees.
    (libc::SYS_io_uring_setup, Rule::Never),
    (libc::SYS_io_uring_enter, Rule::Never),
    (libc::SYS_io_uring_register, Rule::Never),
    // Networks, and memory that belongs to nobody.
    (libc::SYS_socket, Rule::Never),
    (libc::SYS_socketpair, Rule::Never),
    (libc::SYS_shmget, Rule::Never),
    (libc::SYS_shmat, Rule::Never),
    (libc::SYS_shmctl, Rule::Never),
    (libc::SYS_msgget, Rule::Never),
    (libc::SYS_msgsnd, Rule::Never),
    (libc::SYS_msgrcv, Rule::Never),
    (libc::SYS_msgctl, Rule::Never),
    (libc::SYS_semget, Rule::Never),
    (libc::SYS_semop, Rule::Never),
    (libc::SYS_semtimedop, Rule::Never),
    (libc::SYS_semctl, Rule::Never),
    (libc::SYS_mq_open, Rule::Never),
    (libc::SYS_mq_unlink, Rule::Never),
    (libc::SYS_memfd_create, Rule::Never),
    (libc::SYS_memfd_secret, Rule::Never),
    // Ranks and rights, and the limits of others; its own it can only lower.
    (libc::SYS_prlimit64, Rule::ToItself),
    (libc::SYS_setpriority, Rule::Never),
    (libc::SYS_ioprio_set, Rule::Never),
    (libc::SYS_sched_setscheduler, Rule::Never),
    (libc::SYS_sched_setattr, Rule::Never),
    (libc::SYS_sched_setparam, Rule::ToItself),
    (libc::SYS_sched_setaffinity, Rule::ToItself),
    (libc::SYS_setuid, Rule::Never),
    (libc::SYS_setgid, Rule::Never),
    (libc::SYS_setreuid, Rule::Never),
    (libc::SYS_setregid, Rule::Never),
    (libc::SYS_setresuid, Rule::Never),
    (libc::SYS_setresgid, Rule::Never),
    (libc::SYS_setfsuid, Rule::Never),
    (libc::SYS_setfsgid, Rule::Never),
    (libc::SYS_setgroups, Rule::Never),
    (libc::SYS_capset, Rule::Never),
    // What files are like, of which the walls around files know nothing.
    (libc::SYS_fchmod, Rule::Never),
    (libc::SYS_fchmodat, Rule::Never),
    (FCHMODAT2, Rule::Never),
    (libc::SYS_fchown, Rule::Never),
    (libc::SYS_fchownat, Rule::Never),
    (libc::SYS_utimensat, Rule::Never),
    (libc::SYS_setxattr, Rule::Never),
    (libc::SYS_lsetxattr, Rule::Never),
    (libc::SYS_fsetxattr, Rule::Never),
    (libc::SYS_removexattr, Rule::Never),
    (libc::SYS_lremovexattr, Rule::Never),
    (libc::SYS_fremovexattr, Rule::Never),
];

/// Which C libraries do not name yet. It has the same number everywhere.
const FCHMODAT2: c_long = 452;

/// Refused to programs without processes of their own. What `clone3` is asked for is in memory, where a filter cannot
/// look; C libraries then use `clone`.
const PROCESSES: &[(c_long, Rule)] = &[(libc::SYS_clone, Rule::Threads), (libc::SYS_clone3, Rule::Never)];

/// What is notified where processes are allowed, or everything is.
const COPIES: &[(c_long, Rule)] = &[(libc::SYS_clone, Rule::Copies)];

/// Refused to compilers. Their runtimes start processes with the help of a pair of sockets, which cannot be refused; it must not
/// become a connection to anything else.
const CONNECTIONS: &[(c_long, Rule)] = &[(libc::SYS_connect, Rule::Never), (libc::SYS_bind, Rule::Never)];

/// What only this architecture has.
#[cfg(target_arch = "x86_64")]
const OLD_REFUSED: &[(c_long, Rule)] = &[
    (libc::SYS_chmod, Rule::Never),
    (libc::SYS_chown, Rule::Never),
    (libc::SYS_lchown, Rule::Never),
    (libc::SYS_utime, Rule::Never),
    (libc::SYS_utimes, Rule::Never),
    (libc::SYS_futimesat, Rule::Never),
    (libc::SYS_iopl, Rule::Never),
    (libc::SYS_ioperm, Rule::Never),
    (libc::SYS_modify_ldt, Rule::Never),
    (libc::SYS_kexec_file_load, Rule::Never),
    // Numbers from here on are those of another, rare set of system calls.
    (OTHER_SET, Rule::Never),
];
#[cfg(not(target_arch = "x86_64"))]
const OLD_REFUSED: &[(c_long, Rule)] = &[];

#[cfg(target_arch = "x86_64")]
const OLD_PROCESSES: &[(c_long, Rule)] = &[(libc::SYS_fork, Rule::Never), (libc::SYS_vfork, Rule::Never)];
#[cfg(not(target_arch = "x86_64"))]
const OLD_PROCESSES: &[(c_long, Rule)] = &[];

#[cfg(target_arch = "x86_64")]
const OTHER_SET: c_long = 0x4000_0000;

/// What the kernel calls this architecture; none if the filter does not know it.
pub(super) const ARCHITECTURE: Option<u32> = if cfg!(target_arch = "x86_64") {
    Some(0xc000_003e)
} else if cfg!(target_arch = "aarch64") {
    Some(0xc000_00b7)
} else {
    None
};

// Where the kernel puts what a filter may look at.
const NUMBER_AT: u32 = 0;
const ARCHITECTURE_AT: u32 = 4;

const fn argument_at(index: u32) -> u32 {
    16 + 8 * index
}

const ALLOW: sock_filter = answer(libc::SECCOMP_RET_ALLOW);
const NOTIFY: sock_filter = answer(libc::SECCOMP_RET_USER_NOTIF);
const REFUSE: sock_filter = answer(libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32);
const KILL: sock_filter = answer(libc::SECCOMP_RET_KILL_PROCESS);

const fn answer(action: u32) -> sock_filter {
    sock_filter { code: (libc::BPF_RET | libc::BPF_K) as u16, jt: 0, jf: 0, k: action }
}

const fn load(at: u32) -> sock_filter {
    sock_filter { code: (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16, jt: 0, jf: 0, k: at }
}

/// Where a jump goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum To {
    /// On to what follows it.
    Next,
    /// To the upper half of a decision.
    Upper(usize),
    /// To what is asked of the arguments, once for all system calls of which the same is asked.
    Body(usize),
    Allow,
    Notify,
    Refuse,
}

/// An instruction, before it is known how far its jumps go.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// As it is.
    Plain(sock_filter),
    /// Compares what was loaded.
    Jump { how: u32, with: u32, if_so: To, if_not: To },
    /// Where a jump to an upper half, or to a body, ends. No instruction.
    Place(To),
}

const fn jump(how: u32, with: u32, if_so: To, if_not: To) -> Step {
    Step::Jump { how, with, if_so, if_not }
}

/// The process that a filter is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// One run.
    Process,
    /// A fork server, and the copies that inherit its filter.
    Server,
}

/// The filter; none on architectures that it does not know.
pub(super) fn filter(has_processes: bool, holder: Holder) -> Option<Vec<sock_filter>> {
    let mut rules: Vec<(c_long, Rule)> = [REFUSED, OLD_REFUSED].concat();
    if !has_processes {
        rules.extend_from_slice(PROCESSES);
        rules.extend_from_slice(OLD_PROCESSES);
    } else if holder == Holder::Server {
        rules.extend_from_slice(COPIES);
    }
    assemble(rules, holder)
}

/// The filter of compilers, which start processes; None on architectures that it does not know.
pub(super) fn compiler_filter() -> Option<Vec<sock_filter>> {
    let mut rules = [REFUSED, OLD_REFUSED, CONNECTIONS].concat();
    rules.retain(|(number, _)| *number != libc::SYS_socketpair);
    assemble(rules, Holder::Process)
}

/// The filter of a fork server without walls: it refuses nothing, but its copies are notified.
pub(super) fn copies_filter() -> Option<Vec<sock_filter>> {
    assemble(COPIES.to_vec(), Holder::Server)
}

/// A filter of these rules, one for each number; None on architectures that it does not know.
fn assemble(mut rules: Vec<(c_long, Rule)>, holder: Holder) -> Option<Vec<sock_filter>> {
    let architecture = ARCHITECTURE?;
    rules.sort_by_key(|(number, _)| *number);
    let mut draft = Draft { steps: Vec::new(), halves: 0, asked: Vec::new() };
    draft.steps.extend([
        Step::Plain(load(ARCHITECTURE_AT)),
        jump(libc::BPF_JEQ, architecture, To::Upper(0), To::Next),
        // System calls of another architecture have other numbers.
        Step::Plain(KILL),
        Step::Place(To::Upper(0)),
        Step::Plain(load(NUMBER_AT)),
    ]);
    draft.decide(&rules);
    draft.bodies(holder);
    Some(draft.assembled())
}

/// A filter in the making.
struct Draft {
    steps: Vec<Step>,
    /// How many upper halves there are, beside that of the architecture.
    halves: usize,
    /// What is asked of arguments.
    asked: Vec<Rule>,
}

impl Draft {
    /// A decision between these rules, for a number that has been loaded. Every way through it ends in an answer.
    fn decide(&mut self, rules: &[(c_long, Rule)]) {
        match rules {
            [] => self.steps.push(Step::Plain(ALLOW)),
            [(number, rule)] if *rule != Rule::Never || is_last(*number) => {
                let how = if is_last(*number) { libc::BPF_JGE } else { libc::BPF_JEQ };
                let verdict = self.verdict(*rule);
                self.steps.push(jump(how, *number as u32, verdict, To::Allow));
            }
            _ if is_leaf(rules) => self.leaf(rules),
            _ => {
                let (lower, upper) = rules.split_at(rules.len() / 2);
                self.halves += 1;
                let half = To::Upper(self.halves);
                self.steps.push(jump(libc::BPF_JGE, upper[0].0 as u32, half, To::Next));
                self.decide(lower);
                self.steps.push(Step::Place(half));
                self.decide(upper);
            }
        }
    }

    /// Where a rule is decided.
    fn verdict(&mut self, rule: Rule) -> To {
        if rule == Rule::Never {
            return To::Refuse;
        }
        let known = self.asked.iter().position(|asked| *asked == rule);
        To::Body(known.unwrap_or_else(|| {
            self.asked.push(rule);
            self.asked.len() - 1
        }))
    }

    /// Compares with one stretch after the other, the lowest first.
    fn leaf(&mut self, rules: &[(c_long, Rule)]) {
        let stretches = stretches(rules);
        for (at, (first, last)) in stretches.iter().enumerate() {
            let otherwise = if at + 1 == stretches.len() { To::Allow } else { To::Next };
            if first < last {
                self.halves += 1;
                let beyond = if otherwise == To::Allow { To::Allow } else { To::Upper(self.halves) };
                self.steps.push(jump(libc::BPF_JGE, last + 1, beyond, To::Next));
                self.steps.push(jump(libc::BPF_JGE, *first, To::Refuse, To::Allow));
                self.steps.push(Step::Place(To::Upper(self.halves)));
            } else {
                self.steps.push(jump(libc::BPF_JEQ, *first, To::Refuse, otherwise));
            }
        }
    }

    /// What is asked of arguments, and the answers.
    fn bodies(&mut self, holder: Holder) {
        for (at, rule) in self.asked.clone().into_iter().enumerate() {
            let argument = usize::from(matches!(rule, Rule::Except(_))) as u32;
            self.steps.extend([Step::Place(To::Body(at)), Step::Plain(load(argument_at(argument)))]);
            self.body(rule, holder);
        }
        for (place, answer) in [(To::Allow, ALLOW), (To::Notify, NOTIFY), (To::Refuse, REFUSE)] {
            self.steps.extend([Step::Place(place), Step::Plain(answer)]);
        }
    }

    /// What is asked of an argument that has been loaded.
    fn body(&mut self, rule: Rule, holder: Holder) {
        let (equal, some_of) = (libc::BPF_JEQ, libc::BPF_JSET);
        match (rule, holder) {
            (Rule::Never, _) => {}
            (Rule::ToItself, Holder::Process) => {
                self.steps.push(jump(equal, OWN_PID, To::Allow, To::Next));
                self.steps.push(jump(equal, 0, To::Allow, To::Refuse));
            }
            (Rule::ToItself, Holder::Server) => self.steps.push(jump(equal, 0, To::Allow, To::Notify)),
            (Rule::Threads, _) => {
                let copy = if holder == Holder::Server { To::Notify } else { To::Refuse };
                self.steps.push(jump(some_of, libc::CLONE_THREAD as u32, To::Allow, To::Next));
                self.steps.push(jump(equal, COPY, copy, To::Refuse));
            }
            (Rule::Copies, _) => self.steps.push(jump(equal, COPY, To::Notify, To::Allow)),
            (Rule::DeathSignal, _) => {
                self.steps.push(jump(equal, libc::PR_SET_PDEATHSIG as u32, To::Next, To::Allow));
                self.steps.push(Step::Plain(load(argument_at(1))));
                self.steps.push(jump(equal, libc::SIGKILL as u32, To::Allow, To::Refuse));
            }
            (Rule::Except(numbers), _) => {
                self.steps.extend(numbers.iter().map(|number| jump(equal, *number, To::Refuse, To::Next)));
                self.steps.push(Step::Plain(ALLOW));
            }
        }
    }

    fn assembled(&self) -> Vec<sock_filter> {
        let mut places: Vec<(To, usize)> = Vec::new();
        let mut count = 0;
        for step in &self.steps {
            match step {
                Step::Place(place) => places.push((*place, count)),
                _ => count += 1,
            }
        }
        // Every place that is jumped to stands behind the jump, and not too far: there is a test for it.
        let distance = |from: usize, to: To| {
            let place = places.iter().find(|(place, at)| *place == to && *at > from).map_or(from + 1, |(_, at)| *at);
            (place - from - 1) as u8
        };
        let mut code = Vec::with_capacity(count);
        for step in &self.steps {
            let at = code.len();
            match *step {
                Step::Plain(instruction) => code.push(instruction),
                Step::Jump { how, with, if_so, if_not } => code.push(sock_filter {
                    code: (libc::BPF_JMP | how | libc::BPF_K) as u16,
                    jt: distance(at, if_so),
                    jf: distance(at, if_not),
                    k: with,
                }),
                Step::Place(_) => {}
            }
        }
        code
    }
}

/// Whether these are few stretches, and no more is to be known than the number.
fn is_leaf(rules: &[(c_long, Rule)]) -> bool {
    const MOST: usize = 8;
    stretches(rules).len() <= MOST && rules.iter().all(|(number, rule)| *rule == Rule::Never && !is_last(*number))
}

/// The numbers of rules, those that follow one another together: the first and the last.
fn stretches(rules: &[(c_long, Rule)]) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = Vec::new();
    for number in rules.iter().map(|(number, _)| *number as u32) {
        match found.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => found.push((number, number)),
        }
    }
    found
}

/// Whether a rule is for its number and all above.
fn is_last(number: c_long) -> bool {
    number >= 0x4000_0000
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the filter answers, as the kernel would run it: number, arguments and architecture.
    fn run(filter: &[sock_filter], architecture: u32, number: c_long, arguments: [u64; 3]) -> u32 {
        let word = |at: u32| match at {
            NUMBER_AT => number as u32,
            ARCHITECTURE_AT => architecture,
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
    fn only_what_is_named_is_refused() {
        let (Some(architecture), Some(strict), Some(lax)) =
            (ARCHITECTURE, filter(false, Holder::Process), filter(true, Holder::Process))
        else {
            return;
        };
        let ask = |filter: &[sock_filter], number, arguments| run(filter, architecture, number, arguments);
        for number in [libc::SYS_read, libc::SYS_execve, libc::SYS_exit_group, libc::SYS_openat, libc::SYS_futex] {
            assert_eq!(ask(&strict, number, [0; 3]), libc::SECCOMP_RET_ALLOW, "{number}");
        }
        for number in [libc::SYS_ptrace, libc::SYS_socket, libc::SYS_clone3, FCHMODAT2] {
            assert_eq!(ask(&strict, number, [0; 3]), REFUSE.k, "{number}");
        }
        let thread = libc::CLONE_THREAD as u64;
        assert_eq!(ask(&strict, libc::SYS_clone, [thread, 0, 0]), libc::SECCOMP_RET_ALLOW);
        assert_eq!(ask(&strict, libc::SYS_clone, [17, 0, 0]), REFUSE.k);
        assert_eq!(ask(&lax, libc::SYS_clone, [17, 0, 0]), libc::SECCOMP_RET_ALLOW);
        assert_eq!(ask(&strict, libc::SYS_kill, [u64::from(OWN_PID), 9, 0]), libc::SECCOMP_RET_ALLOW);
        assert_eq!(ask(&strict, libc::SYS_kill, [u64::MAX, 9, 0]), REFUSE.k);
        assert_eq!(ask(&strict, libc::SYS_prlimit64, [0, 7, 1]), libc::SECCOMP_RET_ALLOW);
        assert_eq!(ask(&strict, libc::SYS_prlimit64, [1, 7, 1]), REFUSE.k);
        assert_eq!(ask(&strict, libc::SYS_prctl, [1, 0, 0]), REFUSE.k);
        assert_eq!(ask(&strict, libc::SYS_prctl, [1, 9, 0]), libc::SECCOMP_RET_ALLOW);
        for (number, refused) in [(libc::SYS_fcntl, OWNER_BY_FCNTL), (libc::SYS_ioctl, OWNER_BY_IOCTL)] {
            assert_eq!(ask(&strict, number, [0, 3, 0]), libc::SECCOMP_RET_ALLOW);
            assert!(refused.iter().all(|request| ask(&strict, number, [0, u64::from(*request), 0]) == REFUSE.k));
        }
        assert_eq!(ask(&strict, libc::SYS_prctl, [15, 0, 0]), libc::SECCOMP_RET_ALLOW);
        assert_eq!(run(&strict, architecture ^ 1, libc::SYS_read, [0; 3]), KILL.k);
    }

    #[test]
    fn compilers_start_processes_and_have_no_connections() {
        let (Some(architecture), Some(filter)) = (ARCHITECTURE, compiler_filter()) else { return };
        for number in [libc::SYS_clone, libc::SYS_clone3, libc::SYS_execve, libc::SYS_socketpair, libc::SYS_pipe2] {
            assert_eq!(run(&filter, architecture, number, [17, 0, 0]), libc::SECCOMP_RET_ALLOW, "{number}");
        }
        for number in [libc::SYS_socket, libc::SYS_connect, libc::SYS_bind, libc::SYS_ptrace, libc::SYS_fchmodat] {
            assert_eq!(run(&filter, architecture, number, [1, 0, 0]), REFUSE.k, "{number}");
        }
        assert_eq!(run(&filter, architecture, libc::SYS_kill, [u64::from(OWN_PID) + 1, 9, 0]), REFUSE.k);
    }

    #[test]
    fn every_rule_is_reached_and_no_jump_is_too_long() {
        let (Some(architecture), Some(strict)) = (ARCHITECTURE, filter(false, Holder::Process)) else { return };
        let all = [REFUSED, OLD_REFUSED, PROCESSES, OLD_PROCESSES].concat();
        let refused_arguments = |rule: &Rule| match rule {
            Rule::Except(numbers) => [0, u64::from(numbers[0]), 0],
            Rule::DeathSignal => [1; 3],
            _ => [2; 3],
        };
        for (number, rule) in &all {
            let refused = run(&strict, architecture, *number, refused_arguments(rule));
            assert_eq!(refused, REFUSE.k, "{number}");
        }
        assert!(strict.len() < 180, "{}", strict.len());
        let refused = (0..500).filter(|number| run(&strict, architecture, *number, [1; 3]) == REFUSE.k).count();
        let excepted = all.iter().filter(|(_, rule)| matches!(rule, Rule::Except(_))).count();
        assert_eq!(refused + excepted, all.iter().filter(|(number, _)| !is_last(*number)).count());
    }

    /// A server can do no more than a run, but that its spawner decides on copies, and on what concerns a process itself.
    #[test]
    fn server_filter_refuses_the_same_and_notifies_the_spawner() {
        let filters = [Holder::Process, Holder::Server].map(|holder| filter(false, holder).unwrap_or_default());
        let (Some(architecture), [run_filter, server]) = (ARCHITECTURE, filters) else { return };
        let numbers = [0, 1, 2, 8, 9, 15, 0x8901, u64::from(OWN_PID), libc::CLONE_THREAD as u64, u64::from(COPY)];
        for number in 0..1000 {
            for arguments in numbers.iter().flat_map(|first| numbers.map(|second| [*first, second, 0])) {
                let expected = run(&run_filter, architecture, number, arguments);
                let rule = [REFUSED, PROCESSES].concat().into_iter().find(|(known, _)| *known == number);
                let is_notified = match rule.map(|(_, rule)| rule) {
                    Some(Rule::ToItself) => arguments[0] != 0,
                    Some(Rule::Threads) => arguments[0] == u64::from(COPY),
                    _ => false,
                };
                let expected = if is_notified { NOTIFY.k } else { expected };
                assert_eq!(run(&server, architecture, number, arguments), expected, "{number} {arguments:?}");
            }
        }
    }

    #[test]
    fn filter_without_walls_notifies_of_copies_alone() {
        let (Some(architecture), Some(copies)) = (ARCHITECTURE, copies_filter()) else { return };
        for number in 0..1000 {
            for first in [0, 17, u64::from(COPY), u64::from(COPY) | libc::CLONE_THREAD as u64] {
                let is_copy = number == libc::SYS_clone && first == u64::from(COPY);
                let expected = if is_copy { NOTIFY.k } else { ALLOW.k };
                assert_eq!(run(&copies, architecture, number, [first, 0, 0]), expected, "{number} {first}");
            }
        }
    }
}
