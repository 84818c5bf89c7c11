//! The sources of a program: one file, or a folder of several.
//!
//! The files of a folder determine its language, and which of them is the main file. C, C++, Java and Go sources are
//! compiled together; in other languages the main file names the others. A folder with an executable `build` or `run`
//! [defines itself](scripted) how it is built and run.

mod scripted;
mod tree;

use super::java::JavaOutline;
use super::named_files::{NamedFiles, find_named_files};
use super::{LANGUAGES, Language};
use rebut_diagnostics::{Error, Result, list_and};
pub(super) use scripted::{build_scripted, has_scripts};
use std::fs;
use std::path::{Path, PathBuf};
pub(super) use tree::{SourceTree, data_files};

/// The folder in a build's folder with copies of the sources that its interpreter reads.
pub(super) const COPIES_FOLDER: &str = "source";

pub(super) struct ProgramSources {
    pub(super) language: &'static Language,
    /// The folder that they are in, as an absolute path.
    pub(super) folder: PathBuf,
    /// The main file, relative to that folder.
    pub(super) main: PathBuf,
    /// The files that are compiled together, relative to that folder.
    pub(super) compiled_files: Vec<PathBuf>,
    /// True if the program is the whole folder.
    pub(super) is_folder: bool,
    /// All files of the program, relative to that folder: those of a folder, or a file and those that it names.
    pub(super) files: NamedFiles,
    /// The files that it names in each of the header folders.
    pub(super) headers: Vec<NamedFiles>,
}

impl ProgramSources {
    /// Creates the sources of a program that is a single file.
    pub(super) fn from_file(language: &'static Language, file: &Path, text: Vec<u8>) -> Self {
        let main = PathBuf::from(file.file_name().unwrap_or_default());
        let folder = file.parent().unwrap_or(Path::new("/")).to_owned();
        ProgramSources {
            language,
            folder,
            compiled_files: vec![main.clone()],
            is_folder: false,
            files: NamedFiles::from([(main.clone(), text)]),
            main,
            headers: Vec::new(),
        }
    }

    /// Finds the sources in a folder; `shown` is the user's name for it, and `entry_point` the file or class to start,
    /// if it is stated.
    ///
    /// # Errors
    ///
    /// Returns `Usage` if there is no language, more than one, or no unique main file.
    pub(super) fn from_folder(
        folder: &Path,
        tree: SourceTree,
        shown: &Path,
        entry_point: Option<&str>,
    ) -> Result<Self> {
        let stated = entry_point.and_then(|name| find_entry_point(&tree, name));
        let language = match &stated {
            Some((_, language)) => language,
            None => detect_language(&tree, shown)?,
        };
        let of_family = |path: &&PathBuf| Language::from_path(path).is_some_and(|one| is_compiled_by(one, language));
        let sources: Vec<PathBuf> = tree.files.keys().filter(of_family).cloned().collect();
        let main = match (stated, entry_point) {
            (Some((main, _)), _) => main,
            // The class of a Java program can be in any file, and programs with a linker have one entry point.
            (None, Some(name)) if language.interpreter.is_some() && !language.compiles_together => {
                return Err(missing_entry_point(name, shown));
            }
            _ => find_main_source(language, &sources, &tree, shown)?,
        };
        let together = if language.compiles_together { sources } else { vec![main.clone()] };
        Ok(ProgramSources {
            language,
            folder: folder.to_owned(),
            main,
            compiled_files: together,
            is_folder: true,
            files: tree.files,
            headers: Vec::new(),
        })
    }

    /// Adds the files that a single source names, and finds those in header folders.
    pub(super) fn add_named_files(&mut self, headers: &[PathBuf]) {
        let headers = if self.language.has_includes { headers } else { &[] };
        let (own, headers) = find_named_files(self.language, &self.folder, headers, &self.files);
        self.headers = headers;
        if !self.is_folder {
            self.files.extend(own);
        }
    }

    /// Returns the contents of the main file.
    pub(super) fn text(&self) -> &[u8] {
        self.files.get(&self.main).map_or(&[], Vec::as_slice)
    }

    /// Writes copies of all files into a folder.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be written.
    pub(super) fn write_copies(&self, folder: &Path, is_wanted: impl Fn(&Path) -> bool) -> Result<()> {
        for (name, text) in self.files.iter().filter(|(name, _)| is_wanted(name)) {
            let copy = folder.join(name);
            let written = fs::create_dir_all(copy.parent().unwrap_or(folder)).and_then(|()| fs::write(&copy, text));
            written.map_err(|cause| Error::io_error("write", &copy, &cause))?;
        }
        Ok(())
    }

    pub(super) fn main_file(&self) -> PathBuf {
        self.folder.join(&self.main)
    }
}

pub(super) fn missing_entry_point(name: &str, shown: &Path) -> Error {
    Error::usage_error(format!("`{}` has no entry point `{name}`", shown.display()))
}

/// Returns the file that an entry point names, and its language: the file itself, or that of a class in Java.
fn find_entry_point(tree: &SourceTree, entry_point: &str) -> Option<(PathBuf, &'static Language)> {
    let class_file = PathBuf::from(entry_point.replace('.', "/") + ".java");
    let mut names = tree.files.keys().filter(|name| **name == Path::new(entry_point) || **name == class_file);
    let name = names.next()?;
    Some((name.clone(), Language::from_path(name).filter(|language| language.interpreter.is_some())?))
}

/// Returns true if sources of a language go to the compiler of another: C++ compilers accept C.
fn is_compiled_by(language: &Language, compiler: &Language) -> bool {
    language.name == compiler.name || (language.name, compiler.name) == ("C", "C++")
}

/// Returns the language of the file named `main`, or else the only one.
fn detect_language(tree: &SourceTree, shown: &Path) -> Result<&'static Language> {
    let find_languages = |is_wanted: &dyn Fn(&Path) -> bool| {
        let paths: Vec<&PathBuf> = tree.files.keys().filter(|path| is_wanted(path)).collect();
        let is_there = |language: &&Language| paths.iter().any(|path| Language::from_path(path) == Some(*language));
        let mut found: Vec<&'static Language> = LANGUAGES.iter().filter(is_there).collect();
        if found.iter().any(|language| language.name == "C++") {
            found.retain(|language| language.name != "C");
        }
        found
    };
    let (all, named) = (find_languages(&|_| true), find_languages(&is_named_main));
    // A C program can have its `main` in any file, and C++ files can be next to it.
    match (all.as_slice(), named.as_slice()) {
        ([only], _) => Ok(only),
        (_, [only]) => Ok(all.iter().find(|one| is_compiled_by(only, one)).unwrap_or(only)),
        ([], _) => Err(Error::usage_error(format!("no source file in the folder `{}`", shown.display())).with_help(
            format!("name a source file {}, or add an executable `build` or `run` script", Language::all_extensions()),
        )),
        _ => {
            let names: Vec<&str> = all.iter().map(|language| language.name).collect();
            let shown = shown.display();
            Err(Error::usage_error(format!(
                "cannot tell the language of `{shown}`: there are sources of {}",
                list_and(&names)
            ))
            .with_help("name the main file `main`"))
        }
    }
}

/// Returns the main file: the one with that name, or else the only file, or else the only one with an entry point.
fn find_main_source(language: &Language, sources: &[PathBuf], tree: &SourceTree, shown: &Path) -> Result<PathBuf> {
    let starts = |path: &&PathBuf| has_entry_point(language, &String::from_utf8_lossy(&tree.files[*path]));
    let named = sources.iter().filter(|path| is_named_main(path)).min_by_key(|path| path.components().count());
    let mut starting = sources.iter().filter(starts);
    let only_entry = starting.next().filter(|_| starting.next().is_none());
    // In languages with a linker, the linker finds the entry point.
    let is_found_by_linker = language.compiles_together && language.interpreter.is_none();
    let found = match sources {
        [only] => Some(only),
        [first, ..] => named.or(only_entry).or(is_found_by_linker.then_some(first)),
        [] => None,
    };
    found.cloned().ok_or_else(|| {
        Error::usage_error(format!("cannot tell which file of `{}` is the main file", shown.display()))
            .with_help(format!("name it `main.{}`", language.extensions[0]))
    })
}

fn is_named_main(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    ["main", "__main__"].contains(&stem.to_lowercase().as_str())
}

/// Returns true if a source seems to contain the entry point of a program.
fn has_entry_point(language: &Language, text: &str) -> bool {
    match language.name {
        "Java" => JavaOutline::from_source(text).main_class().is_some(),
        "Rust" => text.contains("fn main("),
        "Python" => text.contains("__main__"),
        "C" | "C++" => text.contains("main("),
        "Go" => text.contains("func main("),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_folder(files: &[(&str, &str)], expected: &str) {
        let files = files.iter().map(|(name, text)| (PathBuf::from(name), text.as_bytes().to_vec())).collect();
        let found = match ProgramSources::from_folder(Path::new("/f"), SourceTree { files }, Path::new("f"), None) {
            Ok(ProgramSources { language, main, compiled_files: together, .. }) => {
                format!("{} {} of {}", language.name, main.display(), together.len())
            }
            Err(error) => error.message().to_owned(),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn language_and_main_source_are_detected() {
        check_folder(&[("a.cpp", ""), ("b.cc", "int main() {}"), ("c.h", ""), ("README", "")], "C++ b.cc of 2");
        check_folder(&[("a.cpp", ""), ("sub/b.c", "")], "C++ a.cpp of 2");
        check_folder(&[("main.c", ""), ("b.cpp", "")], "C++ main.c of 2");
        check_folder(&[("a.py", ""), ("main.py", ""), ("main/x.py", "")], "Python main.py of 1");
        check_folder(&[("a.py", "if __name__ == '__main__': f()"), ("b.py", "")], "Python a.py of 1");
        check_folder(&[("a.py", ""), ("__main__.py", "")], "Python __main__.py of 1");
        check_folder(&[("A.java", "class A {}"), ("B.java", "class B { void main() {} }")], "Java B.java of 2");
        check_folder(&[("lib.rs", ""), ("x.rs", "fn main() {}")], "Rust x.rs of 1");
        check_folder(&[("main.js", ""), ("gen.py", "")], "JavaScript main.js of 1");
    }

    #[test]
    fn entry_point_decides() {
        let check = |names: &[&str], entry_point: &str| {
            let files = names.iter().map(|name| (PathBuf::from(name), Vec::new())).collect();
            let sources =
                ProgramSources::from_folder(Path::new("/f"), SourceTree { files }, Path::new("f"), Some(entry_point));
            sources.map_or_else(|error| error.message().to_owned(), |sources| sources.main.display().to_string())
        };
        assert_eq!(check(&["main.py", "b.py"], "b.py"), "b.py");
        assert_eq!(check(&["main.py", "tool.js"], "tool.js"), "tool.js");
        assert_eq!(check(&["Main.java", "a/B.java"], "a.B"), "a/B.java");
        assert_eq!(check(&["main.py", "b.py"], "c.py"), "`f` has no entry point `c.py`");
        assert_eq!(check(&["main.cpp", "b.cpp"], "b.cpp"), "main.cpp");
    }

    #[test]
    fn ambiguous_folder_is_an_error() {
        check_folder(&[("README.md", "")], "no source file in the folder `f`");
        check_folder(
            &[("a.py", ""), ("b.cpp", "")],
            "cannot tell the language of `f`: there are sources of C++ and Python",
        );
        check_folder(&[("a.py", ""), ("b.py", "")], "cannot tell which file of `f` is the main file");
        check_folder(&[("a.js", ""), ("b.js", "")], "cannot tell which file of `f` is the main file");
    }
}
