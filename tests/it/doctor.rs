//! `rebut doctor` tells the truth about this machine.

use crate::environment::{Folder, installed};

#[test]
fn layers_and_compilers_are_told() {
    let ran =
        Folder::new().rebut("doctor").exits(0).shows_all(&["layers of protection", "limits", "spawner", "engine"]);
    if installed(&["python3"]) {
        ran.shows("Python 3");
    }
}

#[test]
fn a_missing_compiler_comes_with_its_remedy() {
    let ran = Folder::new().typed("doctor").variable("PATH", "/nowhere").run().exits(0);
    ran.shows("missing  Python: python3; install python3");
}

#[test]
fn as_json_it_says_the_same() {
    let ran = Folder::new().rebut("doctor --json -").exits(0);
    let told: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(
        told["layers"].as_array().unwrap().iter().any(|layer| layer["name"] == "limits" && layer["active"] == true)
    );
    assert_eq!(told["tools"].as_array().unwrap().len(), 8);
}

#[test]
fn what_is_required_is_there_or_said_to_be_missing() {
    let folder = Folder::new().file("a.format", "n\nwhere:\n    1 <= n <= 2\n");
    let all_active = !folder.rebut("doctor").stdout.contains("MISSING");
    let ran = folder.rebut("generate a.format --require-isolation");
    if all_active {
        ran.exits(0);
    } else {
        ran.exits(4).shows("isolation is required");
    }
}
