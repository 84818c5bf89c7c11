//! The files of a program: those that it sees, and those behind each key of a cache, a journal or a finding.
//!
//! A helper is reached in many ways; after a change of it, each command says what it would say with an empty cache.

use crate::environment::{Folder, installed};
use crate::programs::{FORMAT, RIGHT_C, WRONG_C};

/// A program with its answer in another file.
struct Helped {
    tools: &'static [&'static str],
    file: &'static str,
    text: &'static str,
    helper: &'static str,
    /// The text of the helper; `{}` stands for the number that the program prints.
    helper_text: &'static str,
}

const fn helped(
    tools: &'static [&'static str],
    [file, text]: [&'static str; 2],
    [helper, helper_text]: [&'static str; 2],
) -> Helped {
    Helped { tools, file, text, helper, helper_text }
}

const PY: &[&str] = &["python3"];
const CXX: &[&str] = &["g++"];

/// A language and a way in which a program reaches its helper, in each line.
const HELPED: &[Helped] = &[
    helped(
        CXX,
        ["a.cpp", "#include \"a.h\"\nint main() { puts(F); }\n"],
        ["a.h", "#include <cstdio>\n#define F \"{}\"\n"],
    ),
    helped(
        CXX,
        ["b.cpp", "#include <cstdio>\n#define H \"b.h\"\n#include H\nint main() { puts(F); }\n"],
        ["b.h", "#define F \"{}\"\n"],
    ),
    helped(
        CXX,
        ["c.cpp", "#include <cstdio>\n#define S(x) #x\n#define H(x) S(x.h)\n#include H(c)\nint main() { puts(F); }\n"],
        ["c.h", "#define F \"{}\"\n"],
    ),
    helped(
        CXX,
        ["d.cpp", "#include <cstdio>\n#include \"lib/d.h\"\nint main() { puts(F); }\n"],
        ["lib/d.h", "#define F \"{}\"\n"],
    ),
    helped(
        &["gcc"],
        ["e.c", "#include \"e_part.c\"\nint main() { puts(F); }\n"],
        ["e_part.c", "#include <stdio.h>\n#define F \"{}\"\n"],
    ),
    helped(
        &["rustc"],
        ["f.rs", "mod fh;\nfn main() { println!(\"{}\", fh::F); }\n"],
        ["fh.rs", "pub const F: u32 = {};\n"],
    ),
    helped(
        &["rustc"],
        ["g.rs", "fn main() { println!(\"{}\", include!(concat!(\"g\", \"h.rs\"))); }\n"],
        ["gh.rs", "{}\n"],
    ),
    helped(
        &["rustc"],
        ["h.rs", "#[path = \"sub/hh.rs\"]\nmod other;\nfn main() { println!(\"{}\", other::F); }\n"],
        ["sub/hh.rs", "pub const F: u32 = {};\n"],
    ),
    helped(PY, ["i.py", "import ih\nprint(ih.F)\n"], ["ih.py", "F = {}\n"]),
    helped(PY, ["j.py", "import importlib\nprint(importlib.import_module('jh').F)\n"], ["jh.py", "F = {}\n"]),
    helped(PY, ["k.py", "from pack import kh\nprint(kh.F)\n"], ["pack/kh.py", "F = {}\n"]),
    helped(
        PY,
        ["l.py", "import os\nexec(open(os.path.join(os.path.dirname(__file__), 'lh.py')).read())\nprint(F)\n"],
        ["lh.py", "F = {}\n"],
    ),
    helped(
        &["javac"],
        ["M.java", "public class M { public static void main(String[] a) { System.out.println(Mh.f()); } }\n"],
        ["Mh.java", "class Mh { static int f() { return {}; } }\n"],
    ),
    helped(&["node"], ["n.js", "console.log(require('./nh').f)\n"], ["nh.js", "exports.f = {}\n"]),
    helped(&["node"], ["o.mjs", "import { f } from './oh.mjs'\nconsole.log(f)\n"], ["oh.mjs", "export const f = {}\n"]),
    helped(&["node"], ["p.js", "console.log(require('./ph.json').f)\n"], ["ph.json", "{\"f\": {}}\n"]),
];

/// Returns the text of a helper with the number.
fn with_number(text: &str, number: u32) -> String {
    text.replace("{}", &number.to_string())
}

fn write_helpers<'a>(folder: &Folder, place: &str, programs: impl IntoIterator<Item = &'a Helped>, number: u32) {
    for program in programs {
        folder.write(&format!("{place}{}", program.helper), with_number(program.helper_text, number));
    }
}

/// A package with the answer 7.
fn package() -> Folder {
    Folder::new()
        .file("p/problem.yaml", "name: Seven\nlimits: {time_limit: 10}\n")
        .file("p/input.format", "n\nwhere:\n    1 <= n <= 3\n")
        .file("p/data/secret/1.in", "1\n")
        .file("p/data/secret/1.ans", "7\n")
}

#[test]
fn table_follows_every_file_that_a_program_reads() {
    let place = "p/submissions/accepted/";
    let folder = package();
    let is_there = |program: &&Helped| program.tools.iter().all(|tool| installed(&[tool]));
    let programs: Vec<&Helped> = HELPED.iter().filter(is_there).collect();
    programs.iter().for_each(|program| folder.write(&format!("{place}{}", program.file), program.text));
    // Helpers are no submissions.
    let chosen: String = programs.iter().map(|program| format!(" -s {}", program.file)).collect();
    let verify = |options: &str| folder.rebut(&format!("verify p --no-probes{chosen}{options}"));
    write_helpers(&folder, place, programs.iter().copied(), 7);
    verify("").exits(0);
    verify("").exits(0).shows(&format!("({} cached)", programs.len()));
    for program in &programs {
        write_helpers(&folder, place, [*program], 8);
        let ran = folder.rebut(&format!("verify p --no-probes -s {}", program.file));
        assert_eq!(ran.status, Some(1), "{} does not follow {}: {ran}", program.file, program.helper);
    }
    let fresh = verify(" --no-cache").exits(1);
    assert_eq!(fresh.stdout.matches("unexpected: wrong answer").count(), programs.len(), "{fresh}");
    write_helpers(&folder, place, programs.iter().copied(), 7);
    verify("").exits(0);
}

/// A C program and one in Python, with helpers by which they are right and wrong: the largest of some numbers.
const LARGEST: [[&str; 4]; 2] = [
    ["gcc", "sol.c", "#define H \"part.h\"\n#include H\n", "part.h"],
    ["python3", "sol.py", "import part\ninput()\nprint(part.largest(map(int, input().split())))\n", "part.py"],
];

/// Returns the texts of the right and the wrong helper.
fn helpers_of(file: &str) -> [&'static str; 2] {
    match file {
        "sol.c" => [RIGHT_C, WRONG_C],
        _ => ["largest = max\n", "def largest(a): return max(0, *a)\n"],
    }
}

/// Calls a test with a folder with a program and a function that makes its helper right or wrong.
fn for_each_program(check: impl Fn(&Folder, &str, &dyn Fn(&str, bool))) {
    for [tool, file, text, helper] in LARGEST {
        if installed(&[tool]) && installed(&["gcc"]) {
            let folder = Folder::new().file("brute.c", RIGHT_C).file(file, text);
            let write = |place: &str, is_right: bool| {
                folder.write(&format!("{place}{helper}"), helpers_of(file)[usize::from(!is_right)]);
            };
            write("", true);
            check(&folder, file, &write);
        }
    }
}

#[test]
fn search_and_replay_follow_the_helper() {
    for_each_program(|folder, file, write| {
        let search = format!("stress {file} --reference brute.c --input '{FORMAT}' --seed 1 --cases 300 --certify 0s");
        folder.rebut(&search).exits(0);
        write("", false);
        folder.rebut(&search).exits(1);
        folder.finding().replay().exits(1);
        write("", true);
        folder.finding().replay().exits(0);
        folder.rebut(&search).exits(0);
    });
}

#[test]
fn merge_refuses_results_of_another_helper() {
    for_each_program(|folder, file, write| {
        let search = format!(
            "stress {file} --reference brute.c --input 'n; a[n] where n=1; -9<=a<=9' --exhaustive --journal j --shard 1/1"
        );
        folder.rebut(&search).exits(0);
        folder.rebut("merge j").exits(0);
        write("", false);
        folder.rebut("merge j").exits(2);
    });
}

#[test]
fn build_and_strength_follow_the_helper() {
    for_each_program(|folder, file, write| {
        folder.write("p/problem.yaml", "name: Largest\nlimits: {time_limit: 10}\n");
        folder.write("p/input.format", FORMAT);
        folder.write("p/tests.toml", "[[test]]\ngroup = 'secret'\ntext = '''\n2\n-3 -5\n'''\n");
        folder.write("p/submissions/accepted/brute.c", RIGHT_C);
        folder.write(&format!("p/submissions/wrong_answer/{file}"), folder.read(file));
        write("p/submissions/wrong_answer/", false);
        folder.rebut("build p").exits(0);
        folder.rebut("strength p --mutants 0").shows(&format!("wrong_answer/{file} dies only"));
        write("p/submissions/wrong_answer/", true);
        folder.rebut("build p").exits(1);
        folder.rebut("strength p --mutants 0").shows(&format!("survives wrong_answer/{file}"));
    });
}

#[test]
fn neighbours_are_not_seen() {
    let folder = package().file("p/data/secret/1.in", "3\n").file("p/data/secret/1.ans", "3\n");
    let place = "p/submissions/accepted/";
    let java = "import java.util.*;\npublic class S { public static void main(String[] a) { System.out.println(new \
                Scanner(System.in).nextInt()); } }\n";
    for (tool, file, text, neighbour, other) in [
        (
            "python3",
            "s.py",
            "import heapq\nh = [int(input())]\nprint(heapq.heappop(h))\n",
            "heapq.py",
            "heappop = len\n",
        ),
        (
            "javac",
            "S.java",
            java,
            "Scanner.java",
            "class Scanner { Scanner(Object o) {} int nextInt() { return 1; } }\n",
        ),
        ("node", "s.js", "console.log(+require('fs').readFileSync(0))\n", "package.json", "{\"type\": \"module\"}\n"),
    ] {
        if !installed(&[tool]) {
            continue;
        }
        folder.write(&format!("{place}{file}"), text);
        folder.write(&format!("{place}{neighbour}"), other);
        folder.rebut(&format!("verify p --no-probes -s {file}")).exits(0);
    }
    if installed(&["python3"]) {
        // A folder is the program, with all its modules.
        folder.write("p/submissions/accepted/f/main.py", "import heapq\nprint(heapq.three)\n");
        folder.write("p/submissions/accepted/f/heapq.py", "three = 3\n");
        folder.rebut("verify p --no-probes -s f").exits(0);
    }
}

#[test]
fn damaged_program_in_the_cache_is_built_again() {
    let folder = package().file("p/submissions/accepted/a.c", "#include <stdio.h>\nint main() { puts(\"7\"); }\n");
    let cache = folder.path("cache");
    let run = || folder.typed("run a.c p --no-cache").variable("REBUT_CACHE", cache.display().to_string()).run();
    let verify = || folder.typed("verify p --no-probes").variable("REBUT_CACHE", cache.display().to_string()).run();
    run().exits(0);
    verify().exits(0);
    let programs = || walkdir::WalkDir::new(&cache).into_iter().flatten().filter(|file| file.file_name() == "program");
    let program = programs().next().unwrap().into_path();
    for damage in ["mode", "contents"] {
        match damage {
            "mode" => std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap(),
            _ => std::fs::write(&program, std::fs::read("/bin/true").unwrap()).unwrap(),
        }
        folder.write("p/data/secret/1.in", if damage == "mode" { "2\n" } else { "3\n" });
        verify().exits(0);
    }
}
