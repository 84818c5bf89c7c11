//! Files that a package adds to each submission in a language: `include/<language>/`, or else `include/default/`.

use super::program_files::list_program_files;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Language codes and the extensions of their sources.
const LANGUAGE_EXTENSIONS: [(&str, &[&str]); 8] = [
    ("c", &["c"]),
    ("cpp", &["cc", "cpp", "cxx", "c++", "C"]),
    ("go", &["go"]),
    ("java", &["java"]),
    ("javascript", &["js"]),
    ("kotlin", &["kt"]),
    ("python3", &["py", "py3"]),
    ("rust", &["rs"]),
];

/// Returns the files of the submission at `path` together with the files added to it, by their paths below a folder
/// named like the submission. Returns `None` if nothing is added. The language is `stated`, or else found by the
/// extension.
pub(super) fn merge_include_files(
    path: &Path,
    stated: Option<&str>,
    own: &BTreeMap<PathBuf, PathBuf>,
    include: &[PathBuf],
) -> Option<BTreeMap<PathBuf, PathBuf>> {
    let name = PathBuf::from(path.file_name()?);
    // A program that cannot be compiled here is not copied, so that messages show its own path.
    let code_by_extension = own.keys().find_map(|file| language_code(file)).filter(|code| *code != "kotlin")?;
    let code = stated.unwrap_or(code_by_extension);
    let folder = [code, "default"].iter().find_map(|code| {
        let is_it = |folder: &&PathBuf| folder.ends_with(Path::new("include").join(code));
        include.iter().find(is_it)
    })?;
    let added = list_program_files(folder)?;
    let inside: Vec<(PathBuf, PathBuf)> =
        added.into_iter().map(|(file, path)| (file.components().skip(1).collect(), path)).collect();
    let has_main = inside.iter().any(|(file, _)| is_named_main(file));
    let mut all: BTreeMap<PathBuf, PathBuf> = match own.get(&name) {
        // For languages in which one file imports the others, make the submitted file the main one unless an added
        // file is.
        Some(path) => match name.extension().and_then(|ending| ending.to_str()) {
            Some("py" | "py3") if !has_main => BTreeMap::from([(name.join("__main__.py"), path.clone())]),
            Some("js") if !has_main => BTreeMap::from([(name.join("main.js"), path.clone())]),
            _ => BTreeMap::from([(name.join(&name), path.clone())]),
        },
        None => own.clone(),
    };
    all.extend(inside.into_iter().map(|(file, path)| (name.join(file), path)));
    Some(all)
}

/// Returns the language code of a source, by its extension.
pub fn language_code(file: &Path) -> Option<&'static str> {
    let ending = file.extension()?.to_str()?;
    LANGUAGE_EXTENSIONS.iter().find(|(_, endings)| endings.contains(&ending)).map(|(code, _)| *code)
}

pub(super) fn is_header(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ["h", "hh", "hpp"].iter().any(|known| ending == *known))
}

fn is_named_main(file: &Path) -> bool {
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    ["main", "__main__"].contains(&stem.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_known_by_extensions() {
        assert_eq!(language_code(Path::new("a/sub.cc")), Some("cpp"));
        assert_eq!(language_code(Path::new("sub.C")), Some("cpp"));
        assert_eq!(language_code(Path::new("sub.py")), Some("python3"));
        assert_eq!(language_code(Path::new("Makefile")), None);
    }

    #[test]
    fn headers_and_main_files_are_recognized() {
        assert!(is_header(Path::new("a.hpp")) && !is_header(Path::new("a.cpp")));
        assert!(is_named_main(Path::new("x/Main.java")) && is_named_main(Path::new("__main__.py")));
        assert!(!is_named_main(Path::new("domain.py")));
    }
}
