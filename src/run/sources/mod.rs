//! What a program is made of: one source file, or a folder of several.
//!
//! Of a folder, the files tell the language, and which of them is started. C, C++, Java and Go sources are compiled
//! together; elsewhere the one that is started names the others. A folder with an executable `build` or `run` says
//! [itself](scripted) how it is built and run.

mod scripted;
mod tree;

pub(super) use scripted::{has_scripts, make};
pub(super) use tree::Tree;

use super::included::{IncludeScope, IncludedFile, find_included};
use super::java::Outline;
use super::{LANGUAGES, Language};
use crate::diagnostic::{Error, Result, list_and};
use std::fs;
use std::path::{Path, PathBuf};

/// The sources of one program.
pub(super) struct Sources {
    /// Their language.
    pub(super) language: &'static Language,
    /// The folder that they are compiled in, an absolute path.
    pub(super) folder: PathBuf,
    /// The one that is started, in that folder.
    pub(super) main: PathBuf,
    /// What is in it.
    pub(super) text: Vec<u8>,
    /// Those that are compiled together, in that folder.
    pub(super) together: Vec<PathBuf>,
    /// All files of the folder, if the program is the folder.
    pub(super) tree: Option<Tree>,
    /// Files that they include, where the language has that.
    pub(super) included: Vec<IncludedFile>,
}

impl Sources {
    /// A source file by itself.
    pub(super) fn of_file(language: &'static Language, file: &Path, text: Vec<u8>) -> Self {
        let main = PathBuf::from(file.file_name().unwrap_or_default());
        let folder = file.parent().unwrap_or(Path::new("/")).to_owned();
        Sources { language, folder, together: vec![main.clone()], main, text, tree: None, included: Vec::new() }
    }

    /// What is in a folder that the user knows by that name.
    ///
    /// # Errors
    ///
    /// `Usage`: no language, more than one, or no telling which file is started.
    pub(super) fn of_folder(folder: &Path, tree: Tree, shown: &Path) -> Result<Self> {
        let language = language(&tree, shown)?;
        let of_family = |path: &&PathBuf| Language::of(path).is_some_and(|one| is_compiled_by(one, language));
        let sources: Vec<PathBuf> = tree.files.keys().filter(of_family).cloned().collect();
        let main = main(language, &sources, &tree, shown)?;
        let text = tree.files[&main].clone();
        let together = if language.together { sources } else { vec![main.clone()] };
        Ok(Sources {
            language,
            folder: folder.to_owned(),
            main,
            text,
            together,
            tree: Some(tree),
            included: Vec::new(),
        })
    }

    /// Finds what they include, beside them and in these folders.
    pub(super) fn find_included(&mut self, folders: &[PathBuf]) {
        if self.language.includes {
            let scope = IncludeScope::new(&self.folder, self.tree.is_some(), folders);
            let files = self.together.iter().map(|name| self.folder.join(name));
            let read = |path: PathBuf| (path.clone(), fs::read(path).unwrap_or_default());
            self.included = find_included(&files.map(read).collect::<Vec<_>>(), &scope);
        }
    }

    /// The one that is started, an absolute path.
    pub(super) fn file(&self) -> PathBuf {
        self.folder.join(&self.main)
    }
}

/// Whether sources of a language go to the compiler of another: C++ compilers take C.
fn is_compiled_by(one: &Language, compiler: &Language) -> bool {
    one.name == compiler.name || (one.name, compiler.name) == ("C", "C++")
}

/// The language of the file that is named `main`, else the only one there is.
fn language(tree: &Tree, shown: &Path) -> Result<&'static Language> {
    let of = |is_wanted: &dyn Fn(&Path) -> bool| {
        let paths: Vec<&PathBuf> = tree.files.keys().filter(|path| is_wanted(path)).collect();
        let is_there = |language: &&Language| paths.iter().any(|path| Language::of(path) == Some(*language));
        let mut found: Vec<&'static Language> = LANGUAGES.iter().filter(is_there).collect();
        if found.iter().any(|language| language.name == "C++") {
            found.retain(|language| language.name != "C");
        }
        found
    };
    let (all, named) = (of(&|_| true), of(&is_named_main));
    // What is written in C has its `main` where it likes, and C++ may be beside it.
    match (all.as_slice(), named.as_slice()) {
        ([only], _) => Ok(only),
        (_, [only]) => Ok(all.iter().find(|one| is_compiled_by(only, one)).unwrap_or(only)),
        ([], _) => Err(Error::usage(format!("there is no source file in the folder `{}`", shown.display())).with_help(
            format!(
                "sources are named {}; or let the folder have an executable `build` or `run`",
                Language::all_extensions()
            ),
        )),
        _ => {
            let names: Vec<&str> = all.iter().map(|language| language.name).collect();
            let shown = shown.display();
            Err(Error::usage(format!(
                "cannot tell the language of `{shown}`: there are sources of {}",
                list_and(&names)
            ))
            .with_help("name the file that is to be started `main`"))
        }
    }
}

/// The file that is started: the one that is named so, else the only one, else the only one that looks so.
fn main(language: &Language, sources: &[PathBuf], tree: &Tree, shown: &Path) -> Result<PathBuf> {
    let starts = |path: &&PathBuf| can_start(language, &String::from_utf8_lossy(&tree.files[*path]));
    let named = sources.iter().filter(|path| is_named_main(path)).min_by_key(|path| path.components().count());
    let mut starting = sources.iter().filter(starts);
    let looks_so = starting.next().filter(|_| starting.next().is_none());
    // Where all are compiled together in one breath, the linker finds it.
    let is_told_by_linker = language.together && language.interpreter.is_none();
    let found = match sources {
        [only] => Some(only),
        [first, ..] => named.or(looks_so).or(is_told_by_linker.then_some(first)),
        [] => None,
    };
    found.cloned().ok_or_else(|| {
        Error::usage(format!("cannot tell which file of `{}` is to be started", shown.display()))
            .with_help(format!("name it `main.{}`", language.extensions[0]))
    })
}

fn is_named_main(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    ["main", "__main__"].contains(&stem.to_lowercase().as_str())
}

/// Whether a source looks as if a program could begin in it.
fn can_start(language: &Language, text: &str) -> bool {
    match language.name {
        "Java" => Outline::of(text).main_class().is_some(),
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

    fn check(files: &[(&str, &str)], expected: &str) {
        let files = files.iter().map(|(name, text)| (PathBuf::from(name), text.as_bytes().to_vec())).collect();
        let found = match Sources::of_folder(Path::new("/f"), Tree { files }, Path::new("f")) {
            Ok(Sources { language, main, together, .. }) => {
                format!("{} {} of {}", language.name, main.display(), together.len())
            }
            Err(error) => error.message().to_owned(),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn files_tell_the_language_and_the_one_that_is_started() {
        check(&[("a.cpp", ""), ("b.cc", "int main() {}"), ("c.h", ""), ("README", "")], "C++ b.cc of 2");
        check(&[("a.cpp", ""), ("sub/b.c", "")], "C++ a.cpp of 2");
        check(&[("main.c", ""), ("b.cpp", "")], "C++ main.c of 2");
        check(&[("a.py", ""), ("main.py", ""), ("main/x.py", "")], "Python main.py of 1");
        check(&[("a.py", "if __name__ == '__main__': f()"), ("b.py", "")], "Python a.py of 1");
        check(&[("a.py", ""), ("__main__.py", "")], "Python __main__.py of 1");
        check(&[("A.java", "class A {}"), ("B.java", "class B { void main() {} }")], "Java B.java of 2");
        check(&[("lib.rs", ""), ("x.rs", "fn main() {}")], "Rust x.rs of 1");
        check(&[("main.js", ""), ("gen.py", "")], "JavaScript main.js of 1");
    }

    #[test]
    fn what_cannot_be_told_is_asked_for() {
        check(&[("README.md", "")], "there is no source file in the folder `f`");
        check(&[("a.py", ""), ("b.cpp", "")], "cannot tell the language of `f`: there are sources of C++ and Python");
        check(&[("a.py", ""), ("b.py", "")], "cannot tell which file of `f` is to be started");
        check(&[("a.js", ""), ("b.js", "")], "cannot tell which file of `f` is to be started");
    }
}
