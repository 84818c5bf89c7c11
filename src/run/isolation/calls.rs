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

/// Compares what was loaded, and skips so many instructions.
const fn jump(how: u32, with: u32, if_so: u8, if_not: u8) -> sock_filter {
    sock_filter { code: (libc::BPF_JMP | how | libc::BPF_K) as u16, jt: if_so, jf: if_not, k: with }
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
    rules.sort_by_key(|(number, _)| *number);
    let mut filter = vec![
        load(ARCHITECTURE_AT),
        jump(libc::BPF_JEQ, architecture, 1, 0),
        // System calls of another architecture have other numbers.
        KILL,
        load(NUMBER_AT),
    ];
    filter.extend(tree(&rules));
    Some(filter)
}

/// A decision between these rules, for a number that has been loaded. Every way through it ends in an answer.
fn tree(rules: &[(c_long, Rule)]) -> Vec<sock_filter> {
    let middle = rules.len() / 2;
    match rules {
        _ if is_leaf(rules) => leaf(rules),
        [(number, rule)] => {
            let body = body(*rule);
            let how = if is_last(*number) { libc::BPF_JGE } else { libc::BPF_JEQ };
            let mut code = vec![jump(how, *number as u32, 0, body.len() as u8)];
            code.extend(body);
            code.push(ALLOW);
            code
        }
        _ => {
            let (lower, upper) = (tree(&rules[..middle]), tree(&rules[middle..]));
            let mut code = vec![jump(libc::BPF_JGE, rules[middle].0 as u32, lower.len() as u8, 0)];
            code.extend(lower);
            code.extend(upper);
            code
        }
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

/// Compares with one stretch after the other, the lowest first.
fn leaf(rules: &[(c_long, Rule)]) -> Vec<sock_filter> {
    let stretches = stretches(rules);
    let length: usize = stretches.iter().map(|(first, last)| if first == last { 1 } else { 2 }).sum();
    let mut code = Vec::new();
    for (first, last) in stretches {
        if first < last {
            code.push(jump(libc::BPF_JGE, last + 1, 1, 0));
            let left = (length - code.len()) as u8;
            code.push(jump(libc::BPF_JGE, first, left, left - 1));
        } else {
            let left = (length - code.len()) as u8;
            code.push(jump(libc::BPF_JEQ, first, left, 0));
        }
    }
    code.extend([ALLOW, REFUSE]);
    code
}

/// Whether a rule is for its number and all above.
fn is_last(number: c_long) -> bool {
    number >= 0x4000_0000
}

fn body(rule: Rule) -> Vec<sock_filter> {
    match rule {
        Rule::Never => vec![REFUSE],
        Rule::ToItself => {
            vec![load(argument_at(0)), jump(libc::BPF_JEQ, OWN_PID, 1, 0), jump(libc::BPF_JEQ, 0, 0, 1), ALLOW, REFUSE]
        }
        Rule::WithBits(bits) => vec![load(argument_at(0)), jump(libc::BPF_JSET, bits, 0, 1), ALLOW, REFUSE],
        Rule::Unless(number) => vec![load(argument_at(0)), jump(libc::BPF_JEQ, number, 0, 1), REFUSE, ALLOW],
    }
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
    fn every_rule_is_reached_and_no_jump_is_too_long() {
        let (Some(architecture), Some(strict)) = (ARCHITECTURE, filter(false, Part::Whole)) else { return };
        let all = [REFUSED, OLD_REFUSED, PROCESSES, OLD_PROCESSES].concat();
        for (number, rule) in &all {
            let refused = run(&strict, architecture, *number, if *rule == Rule::Unless(1) { [1; 3] } else { [2; 3] });
            assert_eq!(refused, REFUSE.k, "{number}");
        }
        assert!(strict.len() < 250, "{}", strict.len());
        let parts = [Part::Early, Part::Late].map(|part| filter(false, part).unwrap_or_default());
        for number in 0..1000 {
            for arguments in [[0; 3], [1; 3], [u64::from(OWN_PID); 3], [libc::CLONE_THREAD as u64; 3]] {
                let answers = parts.each_ref().map(|part| run(part, architecture, number, arguments));
                let both = if answers.contains(&REFUSE.k) { REFUSE.k } else { ALLOW.k };
                assert_eq!(both, run(&strict, architecture, number, arguments), "{number} {arguments:?}");
            }
        }
        assert!(parts[1].len() * 3 < strict.len());
        let refused = (0..500).filter(|number| run(&strict, architecture, *number, [1; 3]) == REFUSE.k).count();
        assert_eq!(refused, all.iter().filter(|(number, _)| !is_last(*number)).count());
    }
}
