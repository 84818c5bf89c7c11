//! Hostile programs, run as any submission is: none of them gets anywhere, leaves anything, or stops the harness.
//!
//! Each program in `testdata/attacks/` says in its first lines what it does, what it is expected to get, which layer
//! of protection it needs to be stopped, and whether it is to be run in a world of its own.
//!
//! Those named `server_*` attack fork servers, the runs of other programs, and batches. Each of them shares a spawner with an
//! innocent neighbour, whose verdict and output never change. They also say why the program is no longer copied, if so.

use crate::environment::{home, installed, skipped};
use rebut::judge::judge_outcome;
use rebut::run::{Builder, Cancel, Environment, KernelLimits, Limits, Outcome, Program, Variant};
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A hostile program, and what it says of itself.
struct Attack {
    path: PathBuf,
    expected: String,
    needs: Option<String>,
    note: Option<String>,
    /// Its limit on processor time, where the usual one decides on a machine whose disk is slow.
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

/// What an outcome amounts to, as the attacks spell it.
fn spelt(outcome: &Outcome) -> &'static str {
    match judge_outcome(outcome) {
        _ if outcome.is_idle() => "idle",
        Some(verdict) => verdict.code(),
        None => "ok",
    }
}

/// A harness, and what it must protect.
struct Scene {
    builder: Builder,
    cache: PathBuf,
    victim: TempDir,
    listener: TcpListener,
    missing: Vec<&'static str>,
}

impl Scene {
    /// A scene with a cache of its own: processes are told by it.
    fn new(name: &str) -> Scene {
        Scene::on(name, KernelLimits::default())
    }

    /// The same on an older kernel, or as if it were one.
    fn on(name: &str, kernel: KernelLimits) -> Scene {
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&cache).unwrap();
        let environment = Environment::capture().unwrap().with("REBUT_CACHE", &cache).with_kernel_limits(kernel);
        let builder = Builder::new(environment.with_spawner(env!("CARGO_BIN_EXE_rebut"))).unwrap();
        let victim = tempfile::tempdir().unwrap();
        fs::write(victim.path().join("answer.txt"), "42\n").unwrap();
        let missing =
            builder.layers().into_iter().filter(|layer| layer.state.is_err()).map(|layer| layer.name).collect();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        Scene { builder, cache, victim, listener, missing }
    }

    fn program(&self, path: &Path) -> Program {
        self.builder.compile(path, Variant::Judged, &Cancel::new()).unwrap_or_else(|error| panic!("{error}")).program
    }

    /// Runs a program by itself, or as a copy of one that is kept.
    fn run(&self, program: &Program, quickly: bool, limits: &Limits) -> Outcome {
        let run = if quickly { Program::run_quickly } else { Program::run };
        run(program, self.input().as_bytes(), &[], limits, &Cancel::new()).unwrap()
    }

    fn input(&self) -> String {
        let port = self.listener.local_addr().unwrap().port();
        format!("{} {} {port}\n", self.victim.path().display(), std::process::id())
    }

    /// Runs an attack and looks at what is left.
    fn survive(&self, attack: &Attack) {
        let name = attack.path.file_name().unwrap().to_string_lossy().into_owned();
        if let Some(layer) = attack.needs.as_deref().filter(|layer| self.missing.contains(layer)) {
            return skipped(&format!("{name}: there is no layer `{layer}` here"));
        }
        let program = self.program(&attack.path);
        // By both engines; and what the first has left must not help the second.
        for quickly in [false, true] {
            let cpu_time_limit_ms = attack.cpu_time_ms.unwrap_or(limits().cpu_time_limit_ms);
            let outcome = self.run(&program, quickly, &Limits { cpu_time_limit_ms, ..limits() });
            let output = String::from_utf8_lossy(&outcome.output).into_owned();
            let about = format!("{name}, quickly {quickly}: {:?} {:?} {output}", outcome.exit, outcome.limit);
            assert!(!output.contains("ESCAPED"), "{about}");
            assert!(!output.starts_with("42"), "{about}");
            assert_eq!(spelt(&outcome), attack.expected, "{about}\n{}", String::from_utf8_lossy(&outcome.stderr));
        }
        self.look_around(&name, &attack.path);
    }

    /// No process, no file, no connection is left, and the next program runs as if nothing had been.
    fn look_around(&self, name: &str, source: &Path) {
        // A program that is kept to be copied stands once among them, asleep.
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

    /// The names in the folder that the next program finds.
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

fn limits() -> Limits {
    Limits {
        wall_time_limit_ms: 1500,
        memory_limit_bytes: 128 << 20,
        output_limit_bytes: 1 << 20,
        ..Limits::with_cpu_time_ms(700)
    }
}

/// What processes execute that run something of this cache, or this source, sorted.
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

/// Runs attacks one after the other, in a scene of that name.
fn survive_all<'a>(name: &str, attacks: impl Iterator<Item = &'a Attack>) {
    let scene = Scene::new(name);
    for attack in attacks.filter(|attack| installed(tools_for(attack))) {
        scene.survive(attack);
    }
    if installed(&["gcc"]) && !scene.missing.contains(&"files") {
        let leftovers = scene.leftovers();
        let mut names: Vec<&str> = leftovers.lines().collect();
        names.sort_unstable();
        assert_eq!(names, [".", ".."]);
    }
    // With the harness goes everything.
    let Scene { builder, cache, .. } = scene;
    drop(builder);
    assert_eq!(processes(&cache, &cache), Vec::<String>::new());
}

/// Every other attack, so that two tests share the work.
fn survive_half(name: &str, first: usize) {
    let attacks = attacks();
    assert!(attacks.len() >= 32);
    let fit = attacks.iter().filter(|attack| !attack.is_alone && !attack.is_on_servers());
    survive_all(name, fit.skip(first).step_by(2));
}

#[test]
fn attacks_get_nowhere_1() {
    survive_half("attacks-1", 0);
}

#[test]
fn attacks_get_nowhere_2() {
    survive_half("attacks-2", 1);
}

#[test]
fn attacks_on_everybody_get_nowhere() {
    let world = ["--pid", "--fork", "--kill-child", "--mount-proc"];
    let is_possible = Command::new("unshare").args(world).arg("true").output().is_ok_and(|ran| ran.status.success());
    if !is_possible {
        let names = attacks().into_iter().filter(|attack| attack.is_alone);
        let names: Vec<String> = names.map(|attack| attack.path.file_name().unwrap().display().to_string()).collect();
        return skipped(&format!("no world of its own can be made here for {}", names.join(", ")));
    }
    let module = module_path!().split_once("::").map_or("", |(_, module)| module);
    let test = format!("{module}::alone_in_a_world");
    let mut command = Command::new("unshare");
    // At most 4 GiB for everybody in it.
    command.args(world).args(["prlimit", "--as=4294967296:4294967296", "--"]).arg(std::env::current_exe().unwrap());
    command.args(["--exact", &test, "--ignored", "--test-threads=1"]);
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && told.contains("1 passed"), "{told}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
#[ignore = "it could harm the machine, so it is run in a world of its own by `attacks_on_everybody_get_nowhere`"]
fn alone_in_a_world() {
    survive_all("attacks-alone", attacks().iter().filter(|attack| attack.is_alone));
}

/// Takes some time, of the clock and of the processor, so that others have some; and tells what it finds in its folder.
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

/// An innocent program that shares its spawner with attacks: nothing else runs at the same time, so there is one spawner.
struct Neighbour {
    program: Program,
    _folder: TempDir,
}

impl Neighbour {
    fn new(scene: &Scene) -> Neighbour {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("neighbour.c");
        fs::write(&path, NEIGHBOUR).unwrap();
        Neighbour { program: scene.program(&path), _folder: folder }
    }

    /// Runs it in all ways, and looks whether each run is as it always is.
    fn is_fine(&self, about: &str) {
        let (generous, cancel) = (Limits { wall_time_limit_ms: 60_000, ..limits() }, Cancel::new());
        let quickly = self.program.run_quickly(b"1", &[], &generous, &cancel).unwrap();
        let inputs: [&[u8]; 3] = [b"2", b"3", b"4"];
        let mut outcomes = vec![(1, quickly)];
        outcomes.extend((2..).zip(self.program.run_several(&inputs, &generous, &cancel).unwrap()));
        outcomes.push((5, self.program.run(b"5", &[], &generous, &cancel).unwrap()));
        assert!(outcomes.len() > 2, "{about}");
        for (number, outcome) in outcomes {
            assert_eq!((spelt(&outcome), outcome.limit), ("ok", None), "{about}: {outcome:?}");
            let told = format!("{}, and 2 names\n", 2 * number);
            assert_eq!(String::from_utf8_lossy(&outcome.output), told, "{about}");
            assert!(outcome.stderr.is_empty(), "{about}");
        }
        assert_eq!(self.program.refused_copies(), None, "{about}");
    }
}

impl Scene {
    /// Runs an attack on fork servers in all ways, with the neighbour between them.
    fn survive_beside(&self, attack: &Attack, neighbour: &Neighbour) {
        let (name, program) = (attack.name(), self.program(&attack.path));
        let input = self.input();
        neighbour.is_fine(&format!("before {name}"));
        // However busy the machine is, what loops is ended for its processor time.
        let (limits, cancel) = (Limits { wall_time_limit_ms: 60_000, ..limits() }, Cancel::new());
        let mut outcomes = vec![program.run_quickly(input.as_bytes(), &[], &limits, &cancel).unwrap()];
        neighbour.is_fine(&format!("beside a copy of {name}"));
        outcomes.extend(program.run_several(&[input.as_bytes(); 3], &limits, &cancel).unwrap());
        neighbour.is_fine(&format!("beside a batch of {name}"));
        for outcome in &outcomes {
            let output = String::from_utf8_lossy(&outcome.output);
            let about = format!("{name}: {:?} {:?} {output}", outcome.exit, outcome.limit);
            assert!(!output.contains("ESCAPED"), "{about}");
            assert!(attack.expected == "any" || spelt(outcome) == attack.expected, "{about}");
        }
        match (&attack.note, program.refused_copies()) {
            (None, reason) => assert_eq!(reason, None, "{name}"),
            // What is seen first of a server that harms itself may differ.
            (Some(expected), reason) if expected != "any" => {
                let reason = reason.unwrap_or_default();
                assert!(expected.split(" or ").any(|expected| expected == reason), "{name}: {reason}");
            }
            _ => {}
        }
        self.look_around(&name, &attack.path);
    }
}

/// Whether the fork servers of programs in C can be attacked here at all.
fn has_servers(scene: &Scene) -> bool {
    let servers = scene.builder.fork_servers(&Cancel::new());
    let is_there = servers.as_ref().is_ok_and(|languages| languages.contains(&"C"));
    if !is_there || scene.missing.contains(&"files") {
        skipped(&format!("no fork servers, or no protection of files: {servers:?}, {:?}", scene.missing));
    }
    is_there && !scene.missing.contains(&"files")
}

/// Every so many of the attacks on fork servers, so that several tests share the work.
fn survive_on_servers(name: &str, kernel: KernelLimits, is_wanted: impl Fn(usize, &Attack) -> bool) {
    if !installed(&["gcc"]) {
        return;
    }
    let scene = Scene::on(name, kernel);
    if !has_servers(&scene) {
        return;
    }
    let attacks: Vec<Attack> = attacks().into_iter().filter(Attack::is_on_servers).collect();
    assert!(attacks.len() >= 25);
    let neighbour = Neighbour::new(&scene);
    for (_, attack) in attacks.iter().enumerate().filter(|(at, attack)| is_wanted(*at, attack)) {
        scene.survive_beside(attack, &neighbour);
    }
    neighbour.is_fine("after all");
    let Scene { builder, cache, .. } = scene;
    drop((builder, neighbour));
    assert_eq!(processes(&cache, &cache), Vec::<String>::new());
}

#[test]
fn attacks_on_fork_servers_get_nowhere_1() {
    survive_on_servers("servers-1", KernelLimits::default(), |at, _| at % 2 == 0);
}

#[test]
fn attacks_on_fork_servers_get_nowhere_2() {
    survive_on_servers("servers-2", KernelLimits::default(), |at, _| at % 2 == 1);
}

/// Before Linux 6.12 Landlock lets signals pass.
#[test]
fn attacks_by_signals_get_nowhere_on_older_kernels() {
    let kernel = KernelLimits { landlock_version: 5, ..KernelLimits::default() };
    let is_wanted =
        |_, attack: &Attack| ["signal", "fork", "ranks", "impostor"].iter().any(|part| attack.name().contains(part));
    survive_on_servers("servers-old", kernel, is_wanted);
}

#[test]
fn fork_servers_are_off_where_the_kernel_cannot_hold_them() {
    if !installed(&["gcc"]) {
        return;
    }
    let kernels = [
        KernelLimits { has_notifications: false, ..KernelLimits::default() },
        KernelLimits { has_filters: false, ..KernelLimits::default() },
    ];
    for kernel in kernels {
        let scene = Scene::on("servers-off", kernel);
        assert!(scene.builder.fork_servers(&Cancel::new()).is_err_and(|why| why.contains("seccomp")));
        let program = scene.program(&home().join("testdata/attacks/server_loop.c"));
        assert!(!program.is_quick());
        assert_eq!(spelt(&scene.run(&program, true, &limits())), "ok");
    }
}

/// An executable without walls may start processes, but in its server they would be charged to other programs.
#[test]
fn processes_of_an_executables_server_are_ended() {
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
            "#include <pthread.h>\n#include <stdlib.h>\n#include <sys/wait.h>\n#include <unistd.h>\n
            __attribute__((constructor)) void start(void) {{ if (getenv(\"REBUT_FORK_SERVER\")) {{ {constructor} }} }}
            int main() {{ return 0; }}\n"
        );
        let (source, program) = (folder.path().join(format!("{name}.c")), folder.path().join(name));
        fs::write(&source, text).unwrap();
        let compiled = Command::new("gcc").arg("-o").args([&program, &source]).status();
        assert!(compiled.unwrap().success());
        let attack = scene.program(&program);
        assert!(attack.is_quick(), "{name}");
        for _ in 0..2 {
            assert_eq!(spelt(&scene.run(&attack, true, &limits())), "ok", "{name}");
            neighbour.is_fine(name);
        }
        assert_eq!(attack.refused_copies().as_deref(), Some(reason), "{name}");
        assert_eq!(processes(&program, &source), Vec::<String>::new(), "{name}");
    }
}
