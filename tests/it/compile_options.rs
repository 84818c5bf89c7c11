//! Sources are compiled as on online judges: `ONLINE_JUDGE` is defined, the language standard is an option, older
//! standards are tried, and headers are found in named folders.

use crate::environment::{Folder, installed};

const SEARCH: &str = "--input 'n where 1<=n<=8' --seed 1 --cases 40";

const RIGHT: &str = "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n << '\\n'; }\n";

/// A common idiom: files for local tests only.
const WITH_FILES: &str = "\
#include <cstdio>
#include <iostream>
using namespace std;
int main() {
#ifndef ONLINE_JUDGE
    freopen(\"input.txt\", \"r\", stdin);
    freopen(\"output.txt\", \"w\", stdout);
#endif
    int n;
    cin >> n;
    cout << n << endl;
}
";

/// `byte` is ambiguous since C++17.
const CXX14: &str = "\
#include <cstddef>
#include <iostream>
using namespace std;
typedef unsigned char byte;
byte last;
int main() { int n; cin >> n; last = n; cout << (int)last << '\\n'; }
";

/// `gets` was removed in C++14, `register` in C++17.
const CXX11: &str = "\
#include <cstdio>
#include <cstdlib>
char line[100];
int main() { register char *text = gets(line); printf(\"%d\\n\", atoi(text)); }
";

#[test]
fn online_judge_is_defined() {
    if !installed(&["g++"]) {
        return;
    }
    let folder = Folder::new().file("sol.cpp", WITH_FILES).file("brute.cpp", WITH_FILES);
    folder.rebut(&format!("stress sol.cpp --reference brute.cpp {SEARCH}")).exits(0).shows("40 cases");
}

#[test]
fn online_judge_is_in_the_environment_and_a_property_of_java() {
    let python = "import os, sys\nif not os.environ.get('ONLINE_JUDGE'):\n    sys.stdin = open('input.txt')\nprint(int(input()))\n";
    if installed(&["python3"]) {
        let folder = Folder::new().file("sol.py", python).file("brute.py", python);
        let search = SEARCH.replace("--cases 40", "--cases 5");
        folder.rebut(&format!("stress sol.py --reference brute.py {search}")).exits(0).shows("5 cases");
    }
    let java = "import java.util.*;\npublic class Main { public static void main(String[] a) throws Exception {\n\
                if (System.getProperty(\"ONLINE_JUDGE\") == null) System.setIn(new java.io.FileInputStream(\"input.txt\"));\n\
                System.out.println(new Scanner(System.in).nextInt()); } }\n";
    if installed(&["javac"]) {
        let folder = Folder::new().file("Main.java", java).file("brute.c", crate::programs::ECHO_C);
        folder
            .rebut("stress Main.java --input 'n where 1<=n<=8' --seed 1 --cases 3 --time-limit 10s")
            .exits(0)
            .shows("3 cases");
    }
}

#[test]
fn older_standard_is_tried_for_sources_that_need_it() {
    if !installed(&["g++"]) {
        return;
    }
    for (source, standard) in [(CXX14, "gnu++14"), (CXX11, "gnu++11")] {
        let folder = Folder::new().file("sol.cpp", source).file("brute.cpp", RIGHT);
        let search = format!("stress sol.cpp --reference brute.cpp {SEARCH}");
        let warning = format!("`sol.cpp` was compiled as {standard}: it does not compile with the default standard");
        let choice = format!("--std {}", standard.replace("gnu", "c"));
        folder.rebut(&search).exits(0).shows_all(&[&warning, &choice]);
        // The same from the cache.
        folder.rebut(&search).exits(0).shows(&warning);
        folder.rebut(&format!("{search} {choice}")).exits(0).hides("older standard");
        folder.rebut(&format!("{search} --std c++20")).exits(1).shows_all(&["compile error", "-std=c++20"]);
    }
}

#[test]
fn compile_error_is_that_of_the_default_standard() {
    if !installed(&["g++"]) {
        return;
    }
    let folder = Folder::new().file("sol.cpp", "int main() { return x; }\n").file("brute.cpp", RIGHT);
    let ran = folder.rebut(&format!("stress sol.cpp {SEARCH}")).exits(1);
    ran.shows_all(&["compile error", "-std=gnu++20", "not declared"]);
}

#[test]
fn unknown_standard_is_refused() {
    let folder = Folder::new();
    folder.rebut("stress sol.cpp --std c++1z7").exits(2).shows_all(&["--std", "c++17"]);
}

#[test]
fn command_line_overrides_the_standards_of_a_package() {
    if !installed(&["g++"]) {
        return;
    }
    let standard = "#include <cstdio>\nint main() { int n; scanf(\"%d\", &n); printf(\"%d\\n\", __cplusplus == 201402L ? n : 0); }\n";
    let folder = Folder::new()
        .file("p/problem.yaml", "name: Same\nstandards: [c++14, c11]\nlimits:\n    time_limit: 2\n")
        .file("p/data/secret/1.in", "3\n")
        .file("p/data/secret/1.ans", "3\n")
        .file("p/submissions/accepted/a.cpp", standard);
    folder.rebut("verify p --no-cache").exits(0).shows("accepted on 1 of 1");
    folder.rebut("verify p --no-cache --std c++17").exits(1);
    folder.write("p/problem.yaml", "name: Same\nstandards: c++15\n");
    folder.rebut("verify p").exits(2).shows_all(&["problem.yaml:2", "c++15", "did you mean"]);
}

/// There are enough sources for a precompiled header, under two standards: each is compiled with the header of its own.
#[test]
#[ignore = "nightly: many programs are compiled under two standards"]
fn precompiled_headers_are_separate_for_each_standard() {
    if !installed(&["g++"]) {
        return;
    }
    let source = |name: &str| {
        format!(
            "#include <bits/stdc++.h>\n// {name}\nint main() {{ int n; std::cin >> n; std::cout << (__cplusplus > 201500L ? n : 0) << '\\n'; }}\n"
        )
    };
    let names = ["a.cpp", "b.cpp", "c.cpp", "d.cpp"];
    let folder = names
        .iter()
        .fold(Folder::new().file("brute.c", crate::programs::ECHO_C), |folder, name| folder.file(name, source(name)));
    let search = format!("stress {} --reference brute.c --no-save {SEARCH}", names.join(" "));
    folder.rebut(&search).exits(0);
    folder.rebut(&format!("{search} --std c++14")).exits(1).shows("d.cpp: wrong answer");
    folder.rebut(&search).exits(0);
}

#[test]
fn headers_are_found_in_named_folders() {
    if !installed(&["g++"]) {
        return;
    }
    let source = "#include \"answer.h\"\n#include <cstdio>\nint main() { int n; scanf(\"%d\", &n); printf(\"%d\\n\", SAME(n)); }\n";
    let folder =
        Folder::new().file("sol.cpp", source).file("brute.cpp", RIGHT).file("lib/answer.h", "#define SAME(n) (n)\n");
    let search = format!("stress sol.cpp --reference brute.cpp {SEARCH}");
    folder.rebut(&search).exits(1).shows_all(&["answer.h", "--include DIR", "beside the source"]);
    folder.rebut(&format!("{search} --include lib")).exits(0);
    folder.rebut(&format!("{search} --include none")).exits(2).shows("`none` is not a folder");
}

/// A checker that needs testlib, which is missing.
#[test]
fn missing_testlib_is_explained() {
    if !installed(&["g++"]) {
        return;
    }
    let checker = "#include \"testlib.h\"\nint main(int argc, char* argv[]) { registerTestlibCmd(argc, argv); quitf(_ok, \"ok\"); }\n";
    let folder = Folder::new().file("sol.cpp", RIGHT).file("brute.cpp", RIGHT).file("check.cpp", checker);
    let search = format!("stress sol.cpp --reference brute.cpp --checker check.cpp {SEARCH}");
    let shown =
        ["check.cpp` does not compile", "testlib.h", "beside the source", "--include DIR", "MikeMirzayanov/testlib"];
    folder.rebut(&search).exits(3).shows_all(&shown);
    let testlib = "#pragma once\n#include <cstdlib>\nenum { _ok };\nstatic void registerTestlibCmd(int, char**) {}\n\
                   static void quitf(int status, const char*) { std::exit(status); }\n";
    folder.write("lib/testlib.h", testlib);
    folder.rebut(&format!("{search} --include lib")).exits(0);
    folder.write("testlib.h", testlib);
    folder.rebut(&search).exits(0);
}
