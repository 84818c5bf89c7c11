//! Hostile programs, run as submissions: none of them escapes the sandbox, leaves anything behind or stops the harness.
//!
//! The first lines of each program in `testdata/attacks/` state what it does, its expected outcome, the sandbox layer
//! that is needed to stop it, and whether it is to be run in a PID namespace of its own.
//!
//! Programs named `server_*` attack fork servers, the runs of other programs, and batches. Each of them shares a
//! spawner with an innocent neighbour; its verdict and output must never change. Their `note:` is the reason for which
//! the program is no longer forked from a server.

use crate::environment::{home, installed, skipped};
use rebut_engine::judge::judge_outcome;
use rebut_sandbox::{CancelToken, HostEnvironment, KernelFeatureLimits, Program, RunLimits, RunOutcome};
use rebut_toolchain::{BuildVariant, ProgramBuilder};
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A hostile program and its description.
struct Attack {
    path: PathBuf,
    expected: String,
    needs: Option<String>,
    note: Option<String>,
    /// CPU time limit in milliseconds of a program that depends on the speed of the disk.
    cpu_time_ms: Option<u64>,
    is_alone: bool,
}

impl Attack {
    fn name(&self) -> String {
        self.path.file_name().unwrap().to_string_lossy().into_owned()
    }

    fn is_on_servers(&self) -> bool {
        self.name().starts_with("server_")
    }
}

fn attacks() -> Vec<Attack> {
    let entries = fs::read_dir(home().join("testdata/attacks")).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.extension().is_none_or(|end| end != "h")).collect();
    paths.sort();
    paths.into_iter().map(attack).collect()
}

fn attack(path: PathBuf) -> Attack {
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().map(|line| line.trim_start_matches(['/', '#', ' '])).take(6).collect();
    let value = |name: &str| lines.iter().find_map(|line| line.strip_prefix(name)).map(|value| value.trim().to_owned());
    assert!(value("attack:").is_some(), "{path:?} does not say what it does");
    let expected = value("expect:").unwrap_or_else(|| panic!("{path:?} expects nothing"));
    let (needs, note) = (value("needs:"), value("note:"));
    let cpu_time_ms = value("cpu time in ms:").map(|time| time.parse().unwrap());
    Attack { expected, needs, note, cpu_time_ms, is_alone: lines.contains(&"alone"), path }
}

/// Returns the short name of an outcome that the attacks use in their `expect:` lines.
fn outcome_name(outcome: &RunOutcome) -> &'static str {
    match judge_outcome(outcome) {
        _ if outcome.is_idle() => "idle",
        Some(verdict) => verdict.code(),
        None => "ok",
    }
}

/// A program builder and the resources that it has to protect.
struct Scene {
    builder: ProgramBuilder,
    cache: PathBuf,
    victim: TempDir,
    listener: TcpListener,
    missing: Vec<&'static str>,
}

impl Scene {
    /// Creates a scene with a cache of its own, which identifies its processes.
    fn new(name: &str) -> Scene {
        Scene::with_kernel(name, KernelFeatureLimits::default())
    }

    /// Creates a scene with the features of an older kernel.
    fn with_kernel(name: &str, kernel: KernelFeatureLimits) -> Scene {
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&cache).unwrap();
        let environment =
            HostEnvironment::from_process().unwrap().with_variable("REBUT_CACHE", &cache).with_kernel_limits(kernel);
        let builder = ProgramBuilder::new(environment.with_spawner(env!("CARGO_BIN_EXE_rebut"))).unwrap();
        let victim = tempfile::tempdir().unwrap();
        fs::write(victim.path().join("answer.txt"), "42\n").unwrap();
        let missing =
            builder.sandbox_layers().into_iter().filter(|layer| layer.state.is_err()).map(|layer| layer.name).collect();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        Scene { builder, cache, victim, listener, missing }
    }

    fn program(&self, path: &Path) -> Program {
        self.builder
            .compile(path, BuildVariant::Judged, &CancelToken::new())
            .unwrap_or_else(|error| panic!("{error}"))
            .program
    }

    /// Runs a program in a new process, or on the fast path.
    fn run(&self, program: &Program, quickly: bool, limits: &RunLimits) -> RunOutcome {
        let run = if quickly { Program::run_fast } else { Program::run };
        run(program, self.input().as_bytes(), &[], limits, &CancelToken::new()).unwrap()
    }

    fn input(&self) -> String {
        let port = self.listener.local_addr().unwrap().port();
        format!("{} {} {port}\n", self.victim.path().display(), std::process::id())
    }

    /// Runs an attack and checks that it has left nothing behind.
    fn run_attack(&self, attack: &Attack) {
        let name = attack.path.file_name().unwrap().to_string_lossy().into_owned();
        if let Some(layer) = attack.needs.as_deref().filter(|layer| self.missing.contains(layer)) {
            return skipped(&format!("{name}: there is no layer `{layer}` here"));
        }
        let program = self.program(&attack.path);
        // On both paths. The leftovers of the first run must not help the second.
        for quickly in [false, true] {
            let cpu_time_limit_ms = attack.cpu_time_ms.unwrap_or(limits().cpu_time_limit_ms);
            let outcome = self.run(&program, quickly, &RunLimits { cpu_time_limit_ms, ..limits() });
            let output = String::from_utf8_lossy(&outcome.output).into_owned();
            let about = format!("{name}, quickly {quickly}: {:?} {:?} {output}", outcome.exit, outcome.limit);
            assert!(!output.contains("ESCAPED"), "{about}");
            assert!(!output.starts_with("42"), "{about}");
            assert_eq!(
                outcome_name(&outcome),
                attack.expected,
                "{about}\n{}",
                String::from_utf8_lossy(&outcome.stderr)
            );
        }
        self.check_nothing_left(&name, &attack.path);
    }

    /// Checks that no process, file or connection is left, and that the next program finds an empty folder.
    fn check_nothing_left(&self, name: &str, source: &Path) {
        // The fork server of a program is one sleeping process.
        let mut processes = processes(&self.cache, source);
        let all = processes.len();
        processes.dedup();
        assert!(processes.len() == all, "{name}: it left processes {processes:?}");
        let entries = fs::read_dir(self.victim.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(entries.collect::<Vec<_>>(), ["answer.txt"], "{name}");
        let answer = self.victim.path().join("answer.txt");
        assert_eq!(fs::read_to_string(&answer).unwrap(), "42\n", "{name}");
        assert_ne!(fs::metadata(&answer).unwrap().permissions().mode() & 0o777, 0o777, "{name}");
        assert!(self.listener.accept().is_err(), "{name}: it connected");
        for place in ["/tmp", "/var/tmp", "/dev/shm", "/etc", "/usr"] {
            assert!(!Path::new(place).join("rebut-attack").exists(), "{name}: a file in {place}");
        }
    }

    /// Returns the names in the working folder of a new program.
    fn leftovers(&self) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("look.c");
        let text = "#include <dirent.h>\n#include <stdio.h>\nint main() { DIR *d = opendir(\".\"); struct dirent *e;
            while ((e = readdir(d))) puts(e->d_name); return 0; }";
        fs::write(&path, text).unwrap();
        let outcome = self.run(&self.program(&path), false, &limits());
        assert!(outcome.is_success(), "{outcome:?}");
        String::from_utf8(outcome.output).unwrap()
    }
}

fn limits() -> RunLimits {
    RunLimits {
        wall_time_limit_ms: 1000,
        memory_limit_bytes: 128 << 20,
        output_limit_bytes: 1 << 20,
        ..RunLimits::with_cpu_time_ms(350)
    }
}

/// Returns the sorted executables of processes that run a program of this cache or this source.
fn processes(cache: &Path, source: &Path) -> Vec<String> {
    let source = source.display().to_string();
    let what = |process: PathBuf| {
        let exe = fs::read_link(process.join("exe")).ok()?.display().to_string();
        let line = fs::read(process.join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).into_owned();
        (exe.starts_with(&*cache.to_string_lossy()) || line.contains(&source)).then(|| format!("{exe} {line}"))
    };
    let entries = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let mut found: Vec<String> = entries.filter_map(what).collect();
    found.sort();
    found
}

fn tools_for(attack: &Attack) -> &'static [&'static str] {
    match attack.path.extension().and_then(|end| end.to_str()) {
        Some("py") => &["python3"],
        Some("cpp") => &["g++"],
        _ => &["gcc"],
    }
}

/// Runs attacks one after the other in a scene with this name.
fn run_attacks<'a>(name: &str, attacks: impl Iterator<Item = &'a Attack>) {
    let scene = Scene::new(name);
    for attack in attacks.filter(|attack| installed(tools_for(attack))) {
        scene.run_attack(attack);
    }
    if installed(&["gcc"]) && !scene.missing.contains(&"files") {
        let leftovers = scene.leftovers();
        let mut names: Vec<&str> = leftovers.lines().collect();
        names.sort_unstable();
        assert_eq!(names, [".", ".."]);
    }
    // Every process ends with the builder.
    let Scene { builder, cache, .. } = scene;
    drop(builder);
    assert_eq!(processes(&cache, &cache), Vec::<String>::new());
}

/// Runs every second attack: two tests share the work.
fn run_every_second_attack(name: &str, first: usize) {
    let attacks = attacks();
    assert!(attacks.len() >= 32);
    let fit = attacks.iter().filter(|attack| !attack.is_alone && !attack.is_on_servers());
    run_attacks(name, fit.skip(first).step_by(2));
}

#[test]
fn attacks_are_contained_1() {
    run_every_second_attack("attacks-1", 0);
}

#[test]
fn attacks_are_contained_2() {
    run_every_second_attack("attacks-2", 1);
}

#[test]
fn attacks_on_all_processes_are_contained() {
    let world = ["--pid", "--fork", "--kill-child", "--mount-proc"];
    let is_possible = Command::new("unshare").args(world).arg("true").output().is_ok_and(|ran| ran.status.success());
    if !is_possible {
        let names = attacks().into_iter().filter(|attack| attack.is_alone);
        let names: Vec<String> = names.map(|attack| attack.path.file_name().unwrap().display().to_string()).collect();
        return skipped(&format!("no PID namespace can be created here for {}", names.join(", ")));
    }
    let module = module_path!().split_once("::").map_or("", |(_, module)| module);
    let test = format!("{module}::alone_in_a_namespace");
    let mut command = Command::new("unshare");
    // At most 4 GiB for all processes in it.
    command.args(world).args(["prlimit", "--as=4294967296:4294967296", "--"]).arg(std::env::current_exe().unwrap());
    command.args(["--exact", &test, "--ignored", "--test-threads=1"]);
    let output = command.output().unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && stdout.contains("1 passed"),
        "{stdout}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
#[ignore = "it could harm the machine, so it is run in a namespace of its own by `attacks_on_all_processes_are_contained`"]
fn alone_in_a_namespace() {
    run_attacks("attacks-alone", attacks().iter().filter(|attack| attack.is_alone));
}

/// Takes some time of both clocks, and prints what it finds in its folder.
const NEIGHBOUR: &str = "#include <dirent.h>\n#include <stdio.h>\n#include <unistd.h>\n
int main() {
    unsigned n, names = 0;
    if (scanf(\"%u\", &n) != 1) return 1;
    usleep(5000);
    for (volatile unsigned i = 0; i < 1000000; i++) {}
    usleep(5000);
    DIR *folder = opendir(\".\");
    while (folder && readdir(folder)) names++;
    printf(\"%u, and %u names\\n\", 2 * n, names);
}
";

/// Can be run in place.
const QUIET_NEIGHBOUR: &str = "#include <stdio.h>\n
int main() { unsigned n; if (scanf(\"%u\", &n) != 1) return 1; printf(\"%u, and 2 names\\n\", 2 * n); }\n";

/// Innocent programs that share their spawner with attacks. Nothing else runs at the same time, so there is one
/// spawner.
struct Neighbour {
    programs: [Program; 2],
    _folder: TempDir,
}

impl Neighbour {
    fn new(scene: &Scene) -> Neighbour {
        let folder = tempfile::tempdir().unwrap();
        let programs = [("neighbour.c", NEIGHBOUR), ("quiet.c", QUIET_NEIGHBOUR)].map(|(name, source)| {
            fs::write(folder.path().join(name), source).unwrap();
            scene.program(&folder.path().join(name))
        });
        Neighbour { programs, _folder: folder }
    }

    /// Runs them in each way and checks that their output is always the same.
    fn check_unharmed(&self, about: &str) {
        self.programs.iter().for_each(|program| check_program_unharmed(program, about));
    }
}

fn check_program_unharmed(program: &Program, about: &str) {
    let (generous, cancel) = (RunLimits { wall_time_limit_ms: 60_000, ..limits() }, CancelToken::new());
    let quickly = program.run_fast(b"1", &[], &generous, &cancel).unwrap();
    let inputs: [&[u8]; 3] = [b"2", b"3", b"4"];
    let mut outcomes = vec![(1, quickly)];
    outcomes.extend((2..).zip(program.run_batch(&inputs, &generous, &cancel).unwrap()));
    outcomes.push((4, program.run_fast(b"4", &[], &generous, &cancel).unwrap()));
    outcomes.push((5, program.run(b"5", &[], &generous, &cancel).unwrap()));
    assert!(outcomes.len() >= 2, "{about}");
    for (number, outcome) in outcomes {
        assert_eq!((outcome_name(&outcome), outcome.limit), ("ok", None), "{about}: {outcome:?}");
        let expected = format!("{}, and 2 names\n", 2 * number);
        assert_eq!(String::from_utf8_lossy(&outcome.output), expected, "{about}");
        assert!(outcome.stderr.is_empty(), "{about}");
    }
    assert_eq!(program.fast_path_refusal(), None, "{about}");
}

impl Scene {
    /// Runs an attack on fork servers in each way, and the neighbour in between.
    fn survive_with_neighbour(&self, attack: &Attack, neighbour: &Neighbour) {
        let (name, program) = (attack.name(), self.program(&attack.path));
        let input = self.input();
        neighbour.check_unharmed(&format!("before {name}"));
        // Loops are ended by the CPU time limit, even on a busy machine.
        let (limits, cancel) = (RunLimits { wall_time_limit_ms: 60_000, ..limits() }, CancelToken::new());
        let mut outcomes = vec![program.run_fast(input.as_bytes(), &[], &limits, &cancel).unwrap()];
        neighbour.check_unharmed(&format!("beside a copy of {name}"));
        outcomes.extend(program.run_batch(&[input.as_bytes(); 3], &limits, &cancel).unwrap());
        neighbour.check_unharmed(&format!("beside a batch of {name}"));
        for outcome in &outcomes {
            let output = String::from_utf8_lossy(&outcome.output);
            let about = format!("{name}: {:?} {:?} {output}", outcome.exit, outcome.limit);
            assert!(!output.contains("ESCAPED"), "{about}");
            assert!(attack.expected == "any" || outcome_name(outcome) == attack.expected, "{about}");
        }
        match (&attack.note, program.fast_path_refusal()) {
            (None, reason) => assert_eq!(reason, None, "{name}"),
            // A server that harms itself can be detected for several reasons.
            (Some(expected), reason) if expected != "any" => {
                let reason = reason.unwrap_or_default();
                assert!(expected.split(" or ").any(|expected| expected == reason), "{name}: {reason}");
            }
            _ => {}
        }
        self.check_nothing_left(&name, &attack.path);
    }
}

/// Returns true if fork servers of C programs are available and can be attacked.
fn has_servers(scene: &Scene) -> bool {
    let servers = scene.builder.fork_server_languages(&CancelToken::new());
    let is_there = servers.as_ref().is_ok_and(|languages| languages.contains(&"C"));
    if !is_there || scene.missing.contains(&"files") {
        skipped(&format!("no fork servers, or no protection of files: {servers:?}, {:?}", scene.missing));
    }
    is_there && !scene.missing.contains(&"files")
}

/// Runs a part of the attacks on fork servers: several tests share the work.
fn run_server_attacks(name: &str, kernel: KernelFeatureLimits, is_wanted: impl Fn(usize, &Attack) -> bool) {
    if !installed(&["gcc"]) {
        return;
    }
    let scene = Scene::with_kernel(name, kernel);
    if !has_servers(&scene) {
        return;
    }
    let attacks: Vec<Attack> = attacks().into_iter().filter(Attack::is_on_servers).collect();
    assert!(attacks.len() >= 25);
    let neighbour = Neighbour::new(&scene);
    for (_, attack) in attacks.iter().enumerate().filter(|(at, attack)| is_wanted(*at, attack)) {
        scene.survive_with_neighbour(attack, &neighbour);
    }
    neighbour.check_unharmed("after all");
    let Scene { builder, cache, .. } = scene;
    drop((builder, neighbour));
    assert_eq!(processes(&cache, &cache), Vec::<String>::new());
}

#[test]
fn attacks_on_fork_servers_are_contained_1() {
    run_server_attacks("servers-1", KernelFeatureLimits::default(), |at, _| at % 2 == 0);
}

#[test]
fn attacks_on_fork_servers_are_contained_2() {
    run_server_attacks("servers-2", KernelFeatureLimits::default(), |at, _| at % 2 == 1);
}

/// Before Linux 6.12 Landlock does not restrict signals.
#[test]
fn signal_attacks_are_contained_on_older_kernels() {
    let kernel = KernelFeatureLimits { landlock_version: 5, ..KernelFeatureLimits::default() };
    let is_wanted =
        |_, attack: &Attack| ["signal", "fork", "ranks", "impostor"].iter().any(|part| attack.name().contains(part));
    run_server_attacks("servers-old", kernel, is_wanted);
}

#[test]
fn fork_servers_are_off_without_seccomp() {
    if !installed(&["gcc"]) {
        return;
    }
    let kernels = [
        KernelFeatureLimits { has_notifications: false, ..KernelFeatureLimits::default() },
        KernelFeatureLimits { has_filters: false, ..KernelFeatureLimits::default() },
    ];
    for kernel in kernels {
        let scene = Scene::with_kernel("servers-off", kernel);
        assert!(scene.builder.fork_server_languages(&CancelToken::new()).is_err_and(|why| why.contains("seccomp")));
        let program = scene.program(&home().join("testdata/attacks/server_loop.c"));
        assert!(!program.has_fast_path());
        assert_eq!(outcome_name(&scene.run(&program, true, &limits())), "ok");
    }
}

/// An executable outside the sandbox can start processes, but in its fork server they would be charged to other
/// programs.
#[test]
fn processes_of_the_server_of_an_executable_are_killed() {
    let scene = Scene::new("servers-executable");
    if !installed(&["gcc"]) || !has_servers(&scene) {
        return;
    }
    let folder = tempfile::tempdir_in(&scene.cache).unwrap();
    let neighbour = Neighbour::new(&scene);
    for (name, constructor, reason) in [
        ("child", "if (fork() == 0) for (;;) {}", "it starts processes before `main`"),
        (
            "orphan",
            "if (fork() == 0) { setsid(); if (fork() == 0) for (;;) {} _exit(0); } wait(0);",
            "it starts processes before `main`",
        ),
        (
            "thread",
            "pthread_t t; pthread_create(&t, 0, (void *(*)(void *))pause, 0);",
            "it starts threads before `main`",
        ),
    ] {
        let text = format!(
            "#include <pthread.h>\n#include <string.h>\n#include <sys/wait.h>\n#include <unistd.h>\n
            static void start(int count, char **words, char **variables) {{
                while (*variables && strncmp(*variables, \"REBUT_FORK_SERVER=\", 18) != 0) variables++;
                if (*variables) {{ {constructor} }}
            }}
            // Before the constructors of libraries, so before the server.
            __attribute__((section(\".preinit_array\"), used)) static void (*first)(int, char **, char **) = start;
            int main() {{ return 0; }}\n"
        );
        let (source, program) = (folder.path().join(format!("{name}.c")), folder.path().join(name));
        fs::write(&source, text).unwrap();
        let compiled = Command::new("gcc").arg("-o").args([&program, &source]).status();
        assert!(compiled.unwrap().success());
        let attack = scene.program(&program);
        assert!(attack.has_fast_path(), "{name}");
        for _ in 0..2 {
            assert_eq!(outcome_name(&scene.run(&attack, true, &limits())), "ok", "{name}");
            neighbour.check_unharmed(name);
        }
        assert_eq!(attack.fast_path_refusal().as_deref(), Some(reason), "{name}");
        assert_eq!(processes(&program, &source), Vec::<String>::new(), "{name}");
    }
}
