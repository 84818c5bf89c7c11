//! The report for the browser, as the program writes it and, if one is installed, as a browser shows it.

use crate::environment::{Folder, installed};
use crate::programs::{RIGHT_C, WRONG_C};
use rebut::report::{HtmlReport, finding_page};
use rebut_engine::event::{Event, EventSink, Finding};
use rebut_format::language::Format;
use rebut_packages::verdict::Verdict;
use sample_events::{HOSTILE, events_about, events_of_other_commands, finding_about};
use std::path::Path;
use std::process::Command;

#[path = "../../src/report/html/tests/sample_events.rs"]
mod sample_events;

/// A browser without a window.
const BROWSER: &str = "chromium-headless-shell";

/// A submission that prints markup, and is wrong.
const HOSTILE_C: &str = "#include <stdio.h>\nint main() { puts(\"</pre><script>document.title='owned'</script>\
                         <img src=http://localhost/x onerror=alert(1)>\\xe2\\x80\\xae\\x1b[31m\"); }\n";

/// A problem: print the largest number. It has wrong submissions.
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
    assert!(page.contains("<svg class=\"picture\"") && !page.contains("<img"), "{page}");
    assert!(!page.contains("<script"), "{page}");
    assert!(page.contains("Strength of the test set") && page.contains("<code>rebut strength p</code>"), "{page}");
    folder.rebut("verify p --no-probes --no-cache --html out/again.html").exits(0);
    assert_eq!(folder.read("out/again.html"), page, "there are no times in it");
    folder.rebut("verify p --no-probes --times --html out/times.html").exits(0);
    assert!(folder.read("out/times.html").contains("Slowest within it"));
    assert!(folder.read("out/times.html").contains(">slowest first</option>"), "rows can be sorted by time");
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
    let tree = check_console(page);
    assert!(tree.contains("<title>\u{2713} p - rebut</title>"), "{tree}");
    assert!(!tree.contains("<script") && !tree.contains("<img") && !tree.contains("\u{202e}"), "{tree}");
}

/// Opens a page in a browser, and checks that its console is empty: it reports each request and each script that the
/// policy of the page refuses, and each error. Returns the elements of the page; empty if no browser is installed.
fn check_console(page: &Path) -> String {
    if !installed(&[BROWSER]) {
        return String::new();
    }
    let mut browser = Command::new(BROWSER);
    browser.args(["--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"]);
    let ran = browser.arg(format!("file://{}", page.display())).output().unwrap();
    let messages = String::from_utf8_lossy(&ran.stderr);
    assert!(!messages.contains("CONSOLE"), "{messages}");
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

/// Returns the page of a report with these events.
fn page_of(events: &[Event]) -> String {
    let mut report = HtmlReport::default();
    report.show_times();
    events.iter().for_each(|event| report.take_event(event));
    report.to_html()
}

#[test]
fn hostile_text_does_nothing_in_a_browser() {
    if !installed(&[BROWSER]) {
        return;
    }
    let format = Format::from_text("b[1][52] where b over \"!-~\"").unwrap();
    let drawn = |verdict| {
        let mut found = finding_about(HOSTILE, verdict);
        (found.run.input, found.images) =
            (b"</text></svg><script>document.title='owned'</script>\n".to_vec(), Vec::new());
        found
    };
    let page = |found: &Finding| finding_page(found, Path::new(HOSTILE), Some(&format));
    // The parser recovers differently in each context, so the pages of the commands are apart.
    let mut pages = vec![page_of(&events_about(HOSTILE, 5)), page_of(&events_of_other_commands(HOSTILE))];
    pages.extend(Verdict::ALL.map(|verdict| page(&finding_about(HOSTILE, verdict))));
    pages.push(page(&drawn(Verdict::WrongAnswer)));
    let drawn = pages.last().unwrap();
    assert!(drawn.contains("<svg class=\"picture\""), "the input is drawn\n{drawn}");
    let folder = Folder::new();
    for (number, page) in pages.iter().enumerate() {
        let name = format!("{number}.html");
        folder.write(&name, page);
        let tree = check_console(&folder.path(&name));
        assert!(!tree.contains("<title>owned") && !tree.contains("<script"), "{tree}");
        let images = tree.matches("<img ").count();
        assert_eq!(tree.matches("<img class=\"drawn\" src=\"data:image/svg+xml;base64,").count(), images, "{tree}");
        assert!(!tree.contains(['\0', '\u{202e}', '\u{2066}', '\u{200b}', '\u{1b}']), "{tree}");
        assert!(tree.contains("</footer>"), "the page is complete\n{tree}");
    }
}

#[test]
fn page_shows_the_mutants_that_were_run_before() {
    if !installed(&["gcc", "g++"]) {
        return;
    }
    let folder = package().file("p/submissions/accepted/right.cpp", RIGHT_C);
    folder.rebut("strength p --mutants 4 --quiet").exits(0);
    folder.rebut("verify p --no-probes --quiet --html p.html").exits(0);
    let page = folder.read("p.html");
    assert!(page.contains("<h4>Mutants</h4>") && !page.contains("are shown here once"), "{page}");
    // The mutants were run on other tests than these.
    folder.write("p/data/secret/negative.in", "2\n-6 -3\n");
    folder.rebut("verify p --no-probes --quiet --html p.html").exits(0);
    assert!(folder.read("p.html").contains("<code>rebut strength p</code>"));
}

#[test]
fn page_of_a_finding_has_the_path_of_shrinking() {
    if !installed(&["gcc"]) {
        return;
    }
    let folder = package().file("large.in", "5\n-5 -3 -4 -8 -7\n");
    folder.rebut("shrink large.in wrong_answer/zero.c --problem p --certify 0s --jobs 1").exits(1);
    let page = folder.finding().read("finding.html");
    assert!(page.contains("Path of shrinking") && !page.contains("<script"), "{page}");
}

/// Draws the first number, and tries to run a script and to load a file.
const INPUT_VISUALIZER: &str = "import sys\nn = open(sys.argv[1]).read().split()[0]\nopen(sys.argv[2]).read()\n\
                                open('testcase.svg', 'w').write('<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" \
                                height=\"40\" onload=\"alert(1)\"><script>alert(2)</script><image href=\"http://localhost/x\"/>\
                                <text y=\"20\">n' + n + ' '.join(sys.argv[3:]) + '</text></svg>')\n";

/// Draws the first byte of the output.
const OUTPUT_VISUALIZER: &str = "import sys\nopen(sys.argv[3] + '/judgeimage.svg', 'w').write('<svg xmlns=\"\
                                 http://www.w3.org/2000/svg\"><text y=\"20\">' + sys.stdin.read(1) + '</text></svg>')\n";

#[test]
fn visualizers_of_a_package_are_used() {
    if !installed(&["gcc", "python3"]) {
        return;
    }
    let folder = package()
        .file("p/input_visualizer/draw.py", INPUT_VISUALIZER)
        .file("p/output_visualizer/draw.py", OUTPUT_VISUALIZER)
        .file("p/data/secret/test_group.yaml", "input_visualizer_args: [\", of\", secret]\n");
    let drawn = folder.rebut("show p p/data/secret/negative.in --svg -").exits(0).stdout;
    assert!(drawn.contains("n2, of secret</text>"), "{drawn}");
    folder.rebut("show p p/data/sample/1.in --svg a.png").exits(2).shows("draws `svg` files");
    folder.rebut("show p p/data/sample/1.in").exits(0).shows("4 -2  7");

    folder.rebut("verify p --no-probes --quiet --html p.html").exits(0);
    let page = folder.read("p.html");
    assert!(page.contains("<img class=\"drawn\" src=\"data:image/svg+xml;base64,"), "{page}");
    assert!(page.contains("Input, drawn by the package") && page.contains("Output, judgeimage, drawn"), "{page}");
    check_console(&folder.path("p.html"));

    folder.rebut("stress wrong_answer/zero.c --problem p --cases 200 --certify 0s --seed 1 --jobs 1").exits(1);
    assert!(folder.finding().read("finding.html").contains("Input, drawn by the package"));
    for (jobs, page) in [(1, "one.html"), (2, "two.html")] {
        let search = "stress wrong_answer/zero.c --problem p --cases 200 --certify 0s --seed 1 --no-save";
        folder.rebut(&format!("{search} --jobs {jobs} --html {page}")).exits(1);
    }
    assert_eq!(folder.read("one.html"), folder.read("two.html"));
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
