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
    /// Allowed if these bits of the first argument are not all clear.
    WithBits(u32),
    /// Refused if the first argument is this number.
    Unless(u32),
}

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
    // It dies when its spawner does.
    (libc::SYS_prctl, Rule::Unless(libc::PR_SET_PDEATHSIG as u32)),
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
    (libc::SYS_msgget, Rule::Never),
    (libc::SYS_semget, Rule::Never),
    (libc::SYS_mq_open, Rule::Never),
    (libc::SYS_memfd_create, Rule::Never),
    (libc::SYS_memfd_secret, Rule::Never),
    // Ranks and rights, and the limits of others; its own it can only lower.
    (libc::SYS_prlimit64, Rule::ToItself),
    (libc::SYS_setpriority, Rule::Never),
    (libc::SYS_ioprio_set, Rule::Never),
    (libc::SYS_sched_setscheduler, Rule::Never),
    (libc::SYS_sched_setattr, Rule::Never),
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
const PROCESSES: &[(c_long, Rule)] =
    &[(libc::SYS_clone, Rule::WithBits(libc::CLONE_THREAD as u32)), (libc::SYS_clone3, Rule::Never)];

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

/// Which rules a filter has. To put one up costs the more the longer it is, so what fork servers need not do
/// themselves is refused to them once, and only the rest to each copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// All.
    Whole,
    /// Those that a fork server can obey.
    Early,
    /// The others: it makes copies, and these have numbers of their own and set their own limits.
    Late,
}

impl Part {
    fn has(self, rule: Rule) -> bool {
        match self {
            Part::Whole => true,
            Part::Early => rule == Rule::Never,
            Part::Late => rule != Rule::Never,
        }
    }
}

/// The filter; none on architectures that it does not know.
pub(super) fn filter(has_processes: bool, part: Part) -> Option<Vec<sock_filter>> {
    let architecture = ARCHITECTURE?;
    let mut rules: Vec<(c_long, Rule)> = [REFUSED, OLD_REFUSED].concat();
    if !has_processes {
        rules.extend_from_slice(PROCESSES);
        rules.extend_from_slice(OLD_PROCESSES);
    }
    rules.retain(|(_, rule)| part.has(*rule));
    Some(assemble(architecture, rules))
}

/// The filter of compilers, which start processes; None on architectures that it does not know.
pub(super) fn compiler_filter() -> Option<Vec<sock_filter>> {
    let architecture = ARCHITECTURE?;
    let mut rules = [REFUSED, OLD_REFUSED, CONNECTIONS].concat();
    rules.retain(|(number, _)| *number != libc::SYS_socketpair);
    Some(assemble(architecture, rules))
}

/// A filter of these rules, one for each number.
fn assemble(architecture: u32, mut rules: Vec<(c_long, Rule)>) -> Vec<sock_filter> {
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
    draft.bodies();
    draft.assembled()
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

    /// What is asked of arguments, and the two answers.
    fn bodies(&mut self) {
        for (at, rule) in self.asked.iter().enumerate() {
            self.steps.extend([Step::Place(To::Body(at)), Step::Plain(load(argument_at(0)))]);
            match rule {
                Rule::Never => {}
                Rule::ToItself => self.steps.extend([
                    jump(libc::BPF_JEQ, OWN_PID, To::Allow, To::Next),
                    jump(libc::BPF_JEQ, 0, To::Allow, To::Refuse),
                ]),
                Rule::WithBits(bits) => self.steps.push(jump(libc::BPF_JSET, *bits, To::Allow, To::Refuse)),
                Rule::Unless(number) => self.steps.push(jump(libc::BPF_JEQ, *number, To::Refuse, To::Allow)),
            }
        }
        self.steps.extend([Step::Place(To::Allow), Step::Plain(ALLOW), Step::Place(To::Refuse), Step::Plain(REFUSE)]);
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
            (ARCHITECTURE, filter(false, Part::Whole), filter(true, Part::Whole))
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
        let (Some(architecture), Some(strict)) = (ARCHITECTURE, filter(false, Part::Whole)) else { return };
        let all = [REFUSED, OLD_REFUSED, PROCESSES, OLD_PROCESSES].concat();
        for (number, rule) in &all {
            let refused = run(&strict, architecture, *number, if *rule == Rule::Unless(1) { [1; 3] } else { [2; 3] });
            assert_eq!(refused, REFUSE.k, "{number}");
        }
        assert!(strict.len() < 160, "{}", strict.len());
        let parts = [Part::Early, Part::Late].map(|part| filter(false, part).unwrap_or_default());
        for number in 0..1000 {
            for arguments in [[0; 3], [1; 3], [u64::from(OWN_PID); 3], [libc::CLONE_THREAD as u64; 3]] {
                let answers = parts.each_ref().map(|part| run(part, architecture, number, arguments));
                let both = if answers.contains(&REFUSE.k) { REFUSE.k } else { ALLOW.k };
                assert_eq!(both, run(&strict, architecture, number, arguments), "{number} {arguments:?}");
            }
        }
        assert!(parts[1].len() < 36, "{}", parts[1].len());
        let refused = (0..500).filter(|number| run(&strict, architecture, *number, [1; 3]) == REFUSE.k).count();
        assert_eq!(refused, all.iter().filter(|(number, _)| !is_last(*number)).count());
    }
}
