//! The report for the browser, as the program writes it and, if one is installed, as a browser shows it.

use crate::environment::{Folder, installed};
use crate::programs::{RIGHT_C, WRONG_C};
use std::path::Path;
use std::process::Command;

/// A browser without a window.
const BROWSER: &str = "chromium-headless-shell";

/// A submission that prints markup, and is wrong.
const HOSTILE_C: &str = "#include <stdio.h>\nint main() { puts(\"</pre><script>document.title='owned'</script>\
                         <img src=http://localhost/x onerror=alert(1)>\\xe2\\x80\\xae\\x1b[31m\"); }\n";

/// A problem whose answer is the largest number, with wrong submissions.
fn package() -> Folder {
    Folder::new()
        .file("p/problem.yaml", "name: Largest\n")
        .file("p/input.format", "n\na[n]\nwhere:\n    1 <= n <= 8\n    -9 <= a <= 9\n")
        .file("p/data/sample/1.in", "3\n4 -2 7\n")
        .file("p/data/sample/1.ans", "7\n")
        .file("p/data/secret/long_negative.in", "4\n-5 -3 -4 -8\n")
        .file("p/data/secret/long_negative.ans", "-3\n")
        .file("p/data/secret/negative.in", "2\n-5 -3\n")
        .file("p/data/secret/negative.ans", "-3\n")
        .file("p/submissions/accepted/right.c", RIGHT_C)
        .file("p/submissions/wrong_answer/zero.c", WRONG_C)
        .file("p/submissions/wrong_answer/<img src=x onerror=alert(1)>.c", HOSTILE_C)
}

#[test]
fn verify_writes_a_page_with_the_smallest_counterexamples() {
    if !installed(&["gcc"]) {
        return;
    }
    let folder = package();
    folder.rebut("verify p --no-probes --html out/p.html").exits(0);
    let page = folder.read("out/p.html");
    for part in ["3 submissions as expected", "href=\"#p1-s2\"", "<td class=\"W\">W</td>", "secret/negative"] {
        assert!(page.contains(part), "{part} in\n{page}");
    }
    assert!(page.contains("<pre class=\"listing\" tabindex=\"0\">2\n-5 -3\n</pre>"), "the smallest input\n{page}");
    assert!(page.contains("<svg class=\"picture\"") && !page.contains("<script") && !page.contains("<img"), "{page}");
    folder.rebut("verify p --no-probes --no-cache --html out/again.html").exits(0);
    assert_eq!(folder.read("out/again.html"), page, "there are no times in it");
    folder.rebut("verify p --no-probes --times --html out/times.html").exits(0);
    assert!(folder.read("out/times.html").contains("Slowest within it"));
    check_in_browser(&folder.path("out/times.html"));

    folder.rebut("verify p --no-probes --quiet --json before.json").exits(0);
    folder.write("p/submissions/wrong_answer/zero.c", RIGHT_C);
    folder.rebut("verify p --no-probes --quiet --json after.json").exits(1);
    let ran = folder.rebut("compare before.json after.json --html changes.html").exits(1);
    ran.shows_all(&[
        "result    wrong_answer/zero.c: WA as expected -> AC, not as expected",
        "secret/negative: WA -> AC",
    ]);
    assert!(folder.read("changes.html").contains("Verdicts that changed"));
    folder.rebut("compare before.json before.json").exits(0).shows("nothing changed");
}

/// Opens a page in a browser, and checks that nothing in it ran or was requested.
fn check_in_browser(page: &Path) {
    if !installed(&[BROWSER]) {
        return;
    }
    let mut browser = Command::new(BROWSER);
    browser.args(["--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"]);
    let ran = browser.arg(format!("file://{}", page.display())).output().unwrap();
    let (tree, messages) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(tree.contains("<title>\u{2713} p - rebut</title>"), "{tree}{messages}");
    assert!(!tree.contains("<script") && !tree.contains("<img") && !tree.contains("\u{202e}"), "{tree}");
    // The console reports each request and each script that the page's policy refuses.
    assert!(!messages.contains("CONSOLE"), "{messages}");
}

#[test]
fn inputs_are_drawn_as_characters_and_as_pictures() {
    let folder = Folder::new()
        .file("tree.format", "n\nrepeat n - 1:\n    u v\nwhere:\n    1 <= n <= 9\n    edges (u, v) on 1..n: tree\n")
        .file("1.in", "3\n1 2\n3 1\n")
        .file("2.in", "3\n1 2\n1 2\n");
    folder.rebut("show tree.format 1.in").exits(0).shows_all(&["tree", "3 vertices, 2 edges", "1 - 2, 3"]);
    let ran = folder.rebut("show tree.format 1.in --svg -").exits(0);
    assert!(ran.stdout.starts_with("<svg class=\"picture\"") && ran.stdout.matches("<circle").count() == 3, "{ran}");
    folder.rebut("show tree.format 2.in").exits(2).shows("not a valid input");
}
