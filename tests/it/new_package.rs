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
