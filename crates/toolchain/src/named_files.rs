//! Finds the files that belong to the program of a single source: those that it names, directly or through others.
//!
//! Only these are visible to its compiler and its interpreter, and a change of any of them changes the program's
//! fingerprint. Files are found by the names in the text, without a preprocessor or a parser, so a name in a comment
//! counts, too: a file too many only costs time, and one too few would hide a change. Further files that a compiler
//! reads are [recorded](super::recorded_reads).

use crate::Language;
use crate::tuning::{MAX_NAMED_BYTES, MAX_NAMED_FILES, MAX_SOURCE_DEPTH};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Extensions of C and C++ sources and headers. Test data and other files next to them have different ones.
const CODE_EXTENSIONS: &[&str] = &[
    "c", "cc", "cpp", "cxx", "c++", "C", "h", "hh", "hpp", "hxx", "h++", "H", "def", "i", "ii", "inc", "inl", "ipp",
    "tcc", "tpp", "txx",
];

/// Files with their contents, by their paths relative to a folder.
pub(super) type NamedFiles = BTreeMap<PathBuf, Vec<u8>>;

/// Returns true if a file has an extension of C or C++ code.
pub(super) fn is_code_file(path: &Path) -> bool {
    path.extension().unwrap_or_default().to_str().is_some_and(|extension| CODE_EXTENSIONS.contains(&extension))
}

/// Returns true if a file next to a source can belong to its program.
pub(super) fn is_related(language: &Language, path: &Path) -> bool {
    language.has_includes && is_code_file(path)
        || Language::from_path(path).is_some_and(|other| other.name == language.name)
        || language.name == "JavaScript" && path.extension().is_some_and(|extension| extension == "json")
}

/// Finds the files next to a source that it names, and those in header folders, by their paths in
/// each. `texts` are the sources.
pub(super) fn find_named_files(
    language: &Language,
    folder: &Path,
    headers: &[PathBuf],
    texts: &NamedFiles,
) -> (NamedFiles, Vec<NamedFiles>) {
    let related = |path: &Path| is_related(language, path);
    let mut places = vec![NamedPlace::open(folder, &related)];
    places.extend(headers.iter().map(|folder| NamedPlace::open(folder, &|_| true)));
    places[0].files.extend(texts.keys().map(|name| (name.clone(), Vec::new())));
    let mut mentions = Mentions::default();
    texts.values().for_each(|text| mentions.add_text(language, text));
    let mut left_bytes = MAX_NAMED_BYTES;
    loop {
        let found: Vec<Vec<u8>> =
            places.iter_mut().flat_map(|place| place.take_mentioned(&mentions, &mut left_bytes)).collect();
        if found.is_empty() {
            break;
        }
        found.iter().for_each(|text| mentions.add_text(language, text));
    }
    let mut own = places.remove(0).files;
    own.retain(|name, _| !texts.contains_key(name));
    (own, places.into_iter().map(|place| place.files).collect())
}

/// Returns the files next to a script, any of which it can start or read, up to the limits for named files.
pub(super) fn read_files_beside(script: &Path) -> NamedFiles {
    let mut place = NamedPlace::open(script.parent().unwrap_or(Path::new("")), &|_| true);
    let mut left_bytes = MAX_NAMED_BYTES;
    for name in std::mem::take(&mut place.entries) {
        place.read_named(&name, &mut left_bytes, &mut Vec::new());
    }
    place.files
}

/// The names in the texts of a program.
#[derive(Default)]
struct Mentions {
    names: HashSet<String>,
    /// Names of files without extensions, and of modules.
    stems: HashSet<String>,
    folders: HashSet<String>,
}

impl Mentions {
    fn add_text(&mut self, language: &Language, text: &[u8]) {
        let text = String::from_utf8_lossy(text);
        let is_delimiter = |letter: char| letter.is_whitespace() || "\"'`<>()[]{},;:=|&!?".contains(letter);
        text.split(is_delimiter).for_each(|path| self.add_path(language, path));
        // Names with spaces can only be in quotes.
        text.lines().flat_map(|line| line.split(['"', '\'', '<', '>'])).for_each(|path| self.add_path(language, path));
        let is_name = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
        let words = |text: &str| text.split(|c| !is_name(c)).map(str::to_owned).collect::<Vec<_>>();
        match language.name {
            "Python" => {
                let joined = text.replace("\\\n", " ").replace("\\\r\n", " ");
                joined.lines().filter(|line| line.contains("import")).for_each(|line| self.stems.extend(words(line)));
            }
            "Java" => self.stems.extend(words(&text)),
            "Rust" => {
                let words: Vec<&str> = text.split(|c| !is_name(c)).filter(|word| !word.is_empty()).collect();
                let modules = words.windows(2).filter(|pair| pair[0] == "mod").map(|pair| pair[1].to_owned());
                self.stems.extend(modules);
            }
            _ => {}
        }
    }

    fn add_path(&mut self, language: &Language, path: &str) {
        if path.is_empty() {
            return;
        }
        let mut parts = path.rsplit(['/', '\\']);
        self.names.extend(parts.next().map(str::to_owned));
        self.folders.extend(parts.map(str::to_owned));
        // `require('./helper')` finds `helper.js`.
        if language.name == "JavaScript" && path.contains('/') {
            self.stems.extend(path.rsplit('/').next().map(str::to_owned));
        }
    }

    fn contains_file(&self, name: &Path) -> bool {
        let has = |names: &HashSet<String>, name: Option<&std::ffi::OsStr>| {
            name.and_then(|name| name.to_str()).is_some_and(|name| names.contains(name))
        };
        has(&self.names, name.file_name()) || has(&self.stems, name.file_stem())
    }

    fn contains_folder(&self, name: &Path) -> bool {
        name.to_str().is_some_and(|name| self.folders.contains(name) || self.stems.contains(name))
    }
}

/// A folder in which named files are looked for.
struct NamedPlace<'a> {
    /// Its path with links resolved.
    root: PathBuf,
    is_wanted: &'a dyn Fn(&Path) -> bool,
    /// Entries of the folder that were not named yet.
    entries: BTreeSet<PathBuf>,
    files: NamedFiles,
}

impl<'a> NamedPlace<'a> {
    /// Lists a folder. One that cannot be read is empty.
    fn open(folder: &Path, is_wanted: &'a dyn Fn(&Path) -> bool) -> Self {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let root = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        let entries = list_names(&root).collect();
        NamedPlace { root, is_wanted, entries, files: NamedFiles::new() }
    }

    /// Reads the entries that were named since the last call. Returns their texts. A folder that is named counts with
    /// all wanted files in it.
    fn take_mentioned(&mut self, mentions: &Mentions, left_bytes: &mut u64) -> Vec<Vec<u8>> {
        let is_mentioned = |name: &PathBuf| mentions.contains_file(name) || mentions.contains_folder(name);
        let named: Vec<PathBuf> = self.entries.iter().filter(|name| is_mentioned(name)).cloned().collect();
        let mut texts = Vec::new();
        for name in named {
            self.entries.remove(&name);
            if self.root.join(&name).is_dir() {
                if mentions.contains_folder(&name) {
                    self.read_folder(&name, left_bytes, &mut texts);
                }
            } else if mentions.contains_file(&name) {
                self.read_named(&name, left_bytes, &mut texts);
            }
        }
        texts
    }

    fn read_folder(&mut self, name: &Path, left_bytes: &mut u64, texts: &mut Vec<Vec<u8>>) {
        let is_outside = !fs::canonicalize(self.root.join(name)).is_ok_and(|real| real.starts_with(&self.root));
        if is_outside || name.components().count() > MAX_SOURCE_DEPTH {
            return;
        }
        let mut inner: Vec<PathBuf> = list_names(&self.root.join(name)).map(|entry| name.join(entry)).collect();
        inner.sort();
        for entry in inner {
            match self.root.join(&entry).is_dir() {
                true => self.read_folder(&entry, left_bytes, texts),
                false => self.read_named(&entry, left_bytes, texts),
            }
        }
    }

    /// Reads a file, if it is a wanted one inside of the folder.
    fn read_named(&mut self, name: &Path, left_bytes: &mut u64, texts: &mut Vec<Vec<u8>>) {
        if self.files.contains_key(name) || self.files.len() == MAX_NAMED_FILES {
            return;
        }
        let Ok(real) = fs::canonicalize(self.root.join(name)) else { return };
        // Pipes and devices are not sources, and reading them would not end.
        let is_wanted = (self.is_wanted)(name) && (self.is_wanted)(&real);
        if !(is_wanted && real.starts_with(&self.root) && real.is_file()) {
            return;
        }
        if let Some(text) = read_at_most(&real, *left_bytes) {
            *left_bytes -= text.len() as u64;
            texts.push(text.clone());
            self.files.insert(name.to_owned(), text);
        }
    }
}

/// Returns the names in a folder, without hidden ones.
fn list_names(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| PathBuf::from(entry.file_name()))
        .filter(|name| !name.as_os_str().as_encoded_bytes().starts_with(b"."))
}

/// Reads a file. Returns `None` if it cannot be read, or is larger than the limit.
fn read_at_most(path: &Path, limit_bytes: u64) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    File::open(path).ok()?.take(limit_bytes + 1).read_to_end(&mut text).ok()?;
    (text.len() as u64 <= limit_bytes).then_some(text)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    /// Returns the names of the files that belong to a source, in a folder with files inside and outside of it.
    fn named_files(source: &str, text: &str) -> String {
        let outside = tempfile::tempdir().unwrap();
        let (own, include) = (outside.path().join("own"), outside.path().join("include"));
        for folder in [&own.join("deep"), &own.join("pack"), &include.join("lib")] {
            fs::create_dir_all(folder).unwrap();
        }
        let files = "secret.h own/b.inc own/1.ans own/id_rsa own/util.py own/heapq.py own/pack/x.py own/helper.rs \
                     own/Help.java own/nh.js own/t.json own/unused.h own/.hid.h include/far.h include/lib/list";
        files.split_whitespace().for_each(|name| fs::write(outside.path().join(name), "").unwrap());
        fs::write(own.join("a.h"), "#include \"deep/all.hpp\"\n#include \"a.h\"\n").unwrap();
        fs::write(own.join("deep/all.hpp"), "#include \"../b.inc\"\n").unwrap();
        std::os::unix::fs::symlink("../secret.h", own.join("link.h")).unwrap();
        std::os::unix::fs::symlink("1.ans", own.join("answer.h")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, own.join("pipe.h"), rustix::fs::Mode::RWXU).unwrap();
        let language = Language::from_path(Path::new(source)).unwrap();
        let texts = NamedFiles::from([(PathBuf::from(source), text.as_bytes().to_vec())]);
        let (files, headers) = find_named_files(language, &own, &[include], &texts);
        let names = files.keys().chain(headers.iter().flat_map(BTreeMap::keys)).map(|name| name.display().to_string());
        names.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn named_files_of_the_language_belong_to_a_source() {
        for (source, text, expected) in [
            ("s.cpp", "#include \"a.h\"\n#include <far.h>\n", "a.h b.inc deep/all.hpp far.h"),
            ("s.cpp", "#define H \"b.inc\"\n#include H\n", "b.inc"),
            ("s.cpp", "#include <lib/list>\n", "lib/list"),
            ("s.c", "%:include \"deep\\all.hpp\"", "b.inc deep/all.hpp"),
            ("s.cpp", "#if __has_include(\"unused.h\")\n", "unused.h"),
            ("s.cpp", "#include \"../secret.h\"\n#include \"link.h\"\n#include \"pipe.h\"\n#include \"/dev/zero\"", ""),
            ("s.cpp", "#include \"1.ans\"\n#include \"answer.h\"\n#include \"id_rsa\"\n#include \".hid.h\"\n", ""),
            ("s.py", "import util, heapq\n", "heapq.py util.py"),
            ("s.py", "from \\\n  pack.x import y\n", "pack/x.py"),
            ("s.py", "m = __import__('util')\n", "util.py"),
            ("s.py", "exec(open('util.py').read())\n", "util.py"),
            ("s.py", "util = 1\n", ""),
            ("s.rs", "mod helper; fn main() {}", "helper.rs"),
            ("s.rs", "let helper = include!(\"helper.rs\");", "helper.rs"),
            ("s.rs", "let helper = 1;", ""),
            ("S.java", "int x = Help.f();", "Help.java"),
            ("s.js", "require('./nh'); require(\"./t.json\")", "nh.js t.json"),
            ("s.mjs", "import x from './nh.js'", "nh.js"),
        ] {
            assert_eq!(named_files(source, text), expected, "{source} {text}");
        }
    }

    #[test]
    fn files_are_read_up_to_a_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.h");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read_at_most(&path, 5), Some(b"12345".to_vec()));
        assert_eq!(read_at_most(&path, 4), None);
        assert_eq!(read_at_most(Path::new("/dev/zero"), 1000), None);
    }
}
