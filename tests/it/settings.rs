//! `rebut.toml`: defaults for options of the command line.

use crate::environment::{Folder, installed};
use crate::programs::{RIGHT_C, WRONG_C};

const SEARCH: &str = "stress sol.c --reference brute.c --input 'n; a[n] where 1<=n<=4; -9<=a<=9' --seed 1 --cases 50";

#[test]
fn nearest_file_sets_defaults_and_the_command_line_wins() {
    let folder = Folder::new().file("rebut.toml", "jobs = 2\nstd = ['c99']\n").file("inner/x", "");
    folder.rebut("doctor").exits(0).shows_all(&["2 runs at a time", "rebut.toml"]);
    folder.rebut("doctor --jobs 1").exits(0).shows("1 runs at a time");
    folder.rebut("stress --help").exits(0).shows("[default: 2]");
    let json: serde_json::Value = serde_json::from_str(&folder.rebut("doctor --json -").exits(0).stdout).unwrap();
    assert!(json["settings"].as_str().is_some_and(|path| path.ends_with("/rebut.toml")), "{json}");
    let own = Folder::new().file("rebut/rebut.toml", "jobs = 3\n");
    let doctor =
        |from: &Folder| from.typed("doctor").variable("XDG_CONFIG_HOME", own.path("").display().to_string()).run();
    doctor(&Folder::new()).exits(0).shows("3 runs at a time");
    doctor(&folder).exits(0).shows("2 runs at a time");
}

#[test]
fn file_beside_a_package_holds_for_it() {
    let folder = Folder::new().file("contest/sums/input.format", "n\nwhere:\n    1 <= n <= 9\n");
    folder.write("contest/rebut.toml", "jobs = 0\n");
    folder.rebut("generate contest/sums").exits(2).shows_all(&["contest/rebut.toml:1:8", "`jobs` cannot be `0`"]);
    folder.rebut("generate --input 'n where 1<=n<=9' --count 1").exits(0);
}

#[test]
fn mistakes_are_located() {
    let cases = [
        ("jbos = 3", "rebut.toml:1:1", "unknown field `jbos`"),
        ("jobs = 3\ntime-limit = '2 apples'", "rebut.toml:2:14", "`time-limit` cannot be `2 apples`"),
        ("include = ['/usr/include']", "rebut.toml:1:12", "is not a folder beside"),
        ("std = ['c++98x']", "rebut.toml:1:8", "`std` cannot be `c++98x`"),
    ];
    for (text, place, message) in cases {
        let folder = Folder::new().file("rebut.toml", text);
        folder.rebut("shapes").exits(2).shows_all(&[place, message]);
        folder.rebut("shapes --help").exits(0).shows("Usage");
    }
}

#[test]
fn limits_hold_without_a_package_only() {
    if !installed(&["gcc"]) {
        return;
    }
    let folder =
        Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C).file("rebut.toml", "memory-limit = 64\n");
    folder.rebut(SEARCH).exits(1);
    assert_eq!(folder.finding().record()["memory_limit_bytes"], 64 << 20);
    folder.write("p/problem.yaml", "name: p\nlimits:\n  memory: 128\n");
    folder.write("p/input.format", "n\na[n]\nwhere:\n    1 <= n <= 4\n    -9 <= a <= 9\n");
    folder.rebut(&SEARCH.replace("--input 'n; a[n] where 1<=n<=4; -9<=a<=9'", "--problem p --findings of-p")).exits(1);
    let record = folder.read(&format!("of-p/{}/finding.json", folder.names("of-p")[0]));
    assert!(record.contains(&format!("\"memory_limit_bytes\": {}", 128 << 20)), "{record}");
}

#[test]
fn judge_stands_for_its_options() {
    if !installed(&["gcc"]) {
        return;
    }
    let folder =
        Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C).file("rebut.toml", "memory-limit = 64\n");
    let memory = |options: &str, mib: u64| {
        folder.rebut(&format!("{SEARCH} {options} --findings of-{mib}")).exits(1);
        let record = folder.read(&format!("of-{mib}/{}/finding.json", folder.names(&format!("of-{mib}"))[0]));
        assert!(record.contains(&format!("\"memory_limit_bytes\": {}", mib << 20)), "{record}");
    };
    memory("--judge codeforces", 256);
    memory("--judge=atcoder", 1024);
    memory("--judge codeforces --memory-limit 100", 100);
    folder.write("rebut.toml", "judge = 'icpc'\n");
    memory("", 2048);
    folder.rebut(&format!("{SEARCH} --judge none")).exits(2).shows("codeforces");
    folder.write("rebut.toml", "judge = 'none'\n");
    folder.rebut("shapes").exits(2).shows("rebut.toml:1:9");
}
