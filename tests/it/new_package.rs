//! `rebut new`: packages that are green from the first command.

use crate::environment::{Folder, installed};

#[test]
fn new_package_passes_its_first_verify_and_build() {
    if !installed(&["g++"]) || !installed(&["python3"]) {
        return;
    }
    let folder = Folder::new();
    folder.rebut("new two-sum --as legacy").exits(0).shows_all(&["made two-sum", "next: rebut verify two-sum"]);
    folder.rebut("verify two-sum").exits(0).shows_all(&["largest.cpp", "starts_at_zero.cpp"]).hides("UNEXPECTED");
    folder.rebut("new --contest finals apples --language python").exits(0);
    assert_eq!(folder.read("finals/problems.yaml"), "- id: apples\n  label: A\n");
    folder.rebut("build finals/apples").exits(0);
    folder.rebut("new two-sum").exits(2).shows("`two-sum` exists already");
    folder.rebut("new 'a b'").exits(2).shows("is no name of a package");
}

#[test]
fn package_begins_with_a_format_of_your_own() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = Folder::new().file("sums.format", "n\na[n]\nwhere:\n    1 <= n <= 9\n    1 <= a <= 9\n");
    folder
        .rebut("new sums --format sums.format --language python")
        .exits(0)
        .shows("next: solve the problem in submissions/accepted, then rebut build sums");
    let started = folder.read("sums/submissions/accepted/right.py");
    assert!(started.contains("a = list(map(int, input().split()))"), "{started}");
    assert!(folder.read("sums/statement/problem.en.md").contains("All numbers are integers."));
    folder.write("sums/submissions/accepted/right.py", started.replace("# Solve the problem here.", "print(sum(a))"));
    folder.rebut("build sums").exits(0).shows("OK  accepted on 11 of 11 test cases");
    // A refused format leaves nothing behind.
    folder.write("glued.format", "x\":\"y where 1 <= x, y <= 5\n");
    folder.rebut("new c1 c2 --contest con --format glued.format").exits(2).shows("there is no reader");
    assert!(!folder.path("con").exists());
    folder.write("filtered.format", "x where 1 <= x <= 5; validator \"check.py\"\n");
    folder.rebut("new other --format filtered.format").exits(2).shows("`check.py`, which is not copied");
    folder.rebut("new other --format missing.format").exits(2).shows("missing.format");
    folder.rebut("new other --format sums.format --kind tree").exits(2).shows("cannot be used with");
}
