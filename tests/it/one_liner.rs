//! One command line with a submission and a slow solution: the first use of rebut.

use crate::environment::{Folder, installed};

const RIGHT: &str = "\
#include <iostream>
int main() {
    int n, x, best = -100;
    std::cin >> n;
    while (n-- && std::cin >> x) if (x > best) best = x;
    std::cout << best << '\\n';
}
";

const COMMAND: &str = "stress sol.cpp --reference brute.cpp --input 'n; a[n] where 1<=n<=8; -9<=a<=9'";

/// Creates a folder with only the two programs.
fn folder() -> Folder {
    Folder::new().file("sol.cpp", RIGHT.replace("-100", "0")).file("brute.cpp", RIGHT)
}

#[test]
fn smallest_input_is_found_and_saved() {
    if !installed(&["g++", "c++", "clang++"]) {
        return;
    }
    let folder = folder();
    let ran = folder.rebut(COMMAND).exits(1);
    ran.shows_all(&["FAIL  sol.cpp: wrong answer", "2 | -1", "1 ! -1", "seed ", "replay   rebut replay findings/"]);
    assert_eq!(folder.names("."), ["brute.cpp", "findings", "sol.cpp"]);

    let finding = folder.finding();
    assert_eq!(finding.name, "findings/0001-sol-wrong-answer");
    let files = ["README.md", "answer.txt", "finding.html", "finding.json", "input.txt", "original.txt", "output.txt"];
    assert_eq!(folder.names(&finding.name), files);
    assert_eq!(finding.read("input.txt"), "1\n-1\n");
    assert_eq!(finding.read("answer.txt"), "-1\n");
    assert_eq!(finding.read("output.txt"), "0\n");
    assert!(finding.read("README.md").contains("rebut replay findings/0001-sol-wrong-answer"));
}

#[test]
fn finding_replays_until_the_program_is_fixed() {
    if !installed(&["g++", "c++", "clang++"]) {
        return;
    }
    let folder = folder();
    folder.rebut(COMMAND).exits(1);
    folder.finding().replay().exits(1).shows("FAIL  sol.cpp: wrong answer");
    folder.write("sol.cpp", RIGHT);
    folder.finding().replay().exits(0).hides("FAIL");
    folder.rebut(&format!("{COMMAND} --cases 50")).exits(0).hides("FAIL");
}

#[test]
fn braces_group_blocks_on_one_line() {
    let bounds = "where 2<=n<=5; 1<=m,k,x<=3; 1<=u,v<=n";
    let folder = Folder::new();
    let unclear = format!("generate --input 'n m; repeat n-1: u v; repeat m: k x[k] {bounds}'");
    folder.rebut(&unclear).exits(2).shows_all(&[
        "does this belong to `repeat n-1`?",
        "`repeat n-1: { u v; repeat m: k x[k] }`",
        "`repeat n-1: { u v }; repeat m: k x[k]`",
    ]);
    let beside = format!("format explain --input 'n m; repeat n-1: {{ u v }}; repeat m: k x[k] {bounds}'");
    folder.rebut(&beside).exits(0).shows_all(&[
        "\n    repeat n-1",
        "\n        u v",
        "\n    repeat m",
        "\n        k x[k]",
    ]);
    let within = format!("format explain --input 'n m; repeat n-1: {{ u v; repeat m: k x[k] }} {bounds}'");
    folder.rebut(&within).exits(0).shows_all(&["\n        u v", "\n        repeat m", "\n            k x[k]"]);
}
