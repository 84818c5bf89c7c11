//! `rebut stress --watch` searches again when a source changes.

use crate::environment::{Folder, eventually};
use crate::programs::{FORMAT, RIGHT_C, WRONG_C};
use rustix::process::Signal;

#[test]
fn changed_source_is_searched_again() {
    let folder = Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C);
    let watch = format!("stress sol.c --reference brute.c --input '{FORMAT}' --seed 1 --cases 100 --watch");
    let running = folder.typed(&watch).start();
    eventually("the end of the first search", || running.stream("stderr").contains("Watching"));
    // Another mistake, in a file of another size, which no earlier test has compiled.
    let unique = folder.path("").display().to_string();
    folder.write("sol.c", format!("#include <stdio.h>\n// {unique}\nint main() {{ puts(\"no number\"); }}\n"));
    // While a finding is written, its folder has another name.
    eventually("a second finding", || folder.names("findings").iter().any(|name| name.starts_with("0002-")));
    running.signal(Signal::INT);
    running.finish().exits(130).shows("Changed  ./sol.c").shows("Compiled  sol.c");
}

#[test]
fn mistake_in_the_format_ends_a_search_but_not_the_watch() {
    let folder = Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C).file("input.format", "n; a[m]\n");
    let running = folder.typed("stress sol.c --seed 1 --cases 100 --watch --reference brute.c").start();
    eventually("a message", || running.stream("stderr").contains("error"));
    folder.write("input.format", "n\na[n]\nwhere:\n    1 <= n <= 8\n    -9 <= a <= 9\n");
    eventually("a finding", || folder.names("findings").len() == 1);
    running.signal(Signal::INT);
    running.finish().exits(130);
}
