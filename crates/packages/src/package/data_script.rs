//! Scripts that make the test data of a package, which its repository does not contain.

use super::package_tree::PackageTree;

/// The recipe of BAPCtools. Its folder is not part of the tree, because nothing else in it is read.
const GENERATORS_YAML: &str = "generators/generators.yaml";

/// Folders in which packages keep such scripts.
const SCRIPT_FOLDERS: [&str; 2] = ["data", "data/secret"];

/// Returns how to make the test data, if a file seems to do that, judging by its name: `generators/generators.yaml`,
/// `data/generator.sh`, `data/gen.py`.
pub(super) fn describe_data_origin(tree: &PackageTree) -> Option<String> {
    if tree.absolute_path(GENERATORS_YAML).is_file() {
        return Some(format!("`{GENERATORS_YAML}` describes them, for `bt generate` of BAPCtools"));
    }
    let scripts = SCRIPT_FOLDERS.iter().flat_map(|folder| tree.children(folder)).filter(|item| {
        !item.is_folder && item.name.starts_with("gen") && matches!(item.extension(), "sh" | "py" | "dsl")
    });
    // A shell script starts the others.
    scripts.min_by_key(|item| item.extension() != "sh").map(|item| format!("`{}` seems to make them", item.path))
}
