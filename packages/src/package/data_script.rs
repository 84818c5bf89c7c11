//! Scripts that make the test data of a package, which its repository does not contain.

use super::package_tree::PackageTree;

/// The recipe of BAPCtools. Its folder is not part of the tree, because nothing else in it is read.
const GENERATORS_YAML: &str = "generators/generators.yaml";

/// Folders in which packages keep such scripts.
const SCRIPT_FOLDERS: [&str; 2] = ["data", "data/secret"];

/// Returns the path of a file that makes the test data, judging by its name: `generators/generators.yaml`,
/// `data/generator.sh`, `data/gen.py`.
pub(super) fn find_data_script(tree: &PackageTree) -> Option<String> {
    if tree.absolute_path(GENERATORS_YAML).is_file() {
        return Some(GENERATORS_YAML.to_owned());
    }
    let scripts = SCRIPT_FOLDERS.iter().flat_map(|folder| tree.children(folder)).filter(|item| {
        !item.is_folder && item.name.starts_with("gen") && matches!(item.extension(), "sh" | "py" | "dsl")
    });
    // A shell script starts the others.
    scripts.min_by_key(|item| item.extension() != "sh").map(|item| item.path.clone())
}

/// Returns how to make the test data with a script that [`find_data_script`] found.
pub(super) fn describe_data_script(script: &str) -> String {
    match script {
        GENERATORS_YAML => format!("`{script}` describes them, for `bt generate` of BAPCtools"),
        _ => format!("`{script}` seems to make them"),
    }
}
