//! Files that a package adds to each submission in a language: `include/<language>/`, or else `include/default/`.

use super::filled::files_of;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Codes of languages by the endings of their sources.
const LANGUAGES: [(&str, &[&str]); 8] = [
    ("c", &["c"]),
    ("cpp", &["cc", "cpp", "cxx", "c++", "C"]),
    ("go", &["go"]),
    ("java", &["java"]),
    ("javascript", &["js"]),
    ("kotlin", &["kt"]),
    ("python3", &["py", "py3"]),
    ("rust", &["rs"]),
];

/// The files of a submission at `path`, by their names below a folder that is called as it, with what is added to them;
/// none if nothing is. Its language is the one that is stated, or else what its files are called like.
pub(super) fn together(
    path: &Path,
    stated: Option<&str>,
    own: &BTreeMap<PathBuf, PathBuf>,
    include: &[PathBuf],
) -> Option<BTreeMap<PathBuf, PathBuf>> {
    let name = PathBuf::from(path.file_name()?);
    let code = stated.or_else(|| own.keys().find_map(|file| language_code(file)))?;
    let folder = [code, "default"].iter().find_map(|code| {
        let is_it = |folder: &&PathBuf| folder.ends_with(Path::new("include").join(code));
        include.iter().find(is_it)
    })?;
    let added = files_of(folder)?;
    let inside: Vec<(PathBuf, PathBuf)> =
        added.into_iter().map(|(file, path)| (file.components().skip(1).collect(), path)).collect();
    let has_main = inside.iter().any(|(file, _)| is_named_main(file));
    let mut all: BTreeMap<PathBuf, PathBuf> = match own.get(&name) {
        // Where one file names the others, the one that was handed in is started, if nothing that is added says so.
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

/// The code of the language of a source, by its ending.
pub fn language_code(file: &Path) -> Option<&'static str> {
    let ending = file.extension()?.to_str()?;
    LANGUAGES.iter().find(|(_, endings)| endings.contains(&ending)).map(|(code, _)| *code)
}

pub(super) fn is_header(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ["h", "hh", "hpp"].iter().any(|known| ending == *known))
}

fn is_named_main(file: &Path) -> bool {
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    ["main", "__main__"].contains(&stem.to_lowercase().as_str())
}
