//! The header that most submissions in C++ begin with, compiled once: reading it is two thirds of their compilation.
//!
//! GCC takes a precompiled header in place of the text where that is what a source includes first, and the options are the
//! same (gcc.gnu.org/onlinedocs/gcc/Precompiled-Headers.html). The program is the same, byte for byte, so its fingerprint does
//! not tell how it was compiled. What it does not fit, or who it does not fit, is compiled from the text.

use super::cache::BuildCache;
use super::compile::standard_flag;
use super::compiler_sandbox::CompilerSandbox;
use super::fingerprint::Fingerprint;
use super::{Builder, Cancel, Language};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The header.
const NAME: &str = "bits/stdc++.h";

/// Compiled it has about 120 MB, and takes as much time as this many programs save by it.
pub(super) const PAYS_FROM_PROGRAMS: usize = 4;
/// What the compiled headers of GCC begin with; those of others are not found by their folder.
const MAGIC: [u8; 4] = *b"gpch";

/// The file with what the header was made of, as a compiler writes it for `make`.
const PARTS: &str = "parts";
/// The file with the fingerprint of these.
const SEAL: &str = "seal";

/// What a builder knows of the compiled header. Locked while it is made, so that who wants it waits for it.
#[derive(Debug, Default)]
pub(super) struct Header(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// The folders to be searched for it, by fingerprint: one for each standard. None where there is none yet.
    folders: BTreeMap<String, Option<PathBuf>>,
    /// Whether it may be made: there are enough programs to come.
    pays: bool,
}

impl Header {
    /// Lets the next one who wants it make it.
    pub(super) fn let_make(&self) {
        self.state().pays = true;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a source in that language includes it first, with nothing but comments before: what is defined there could change
/// what the header means.
pub(super) fn begins(language: &Language, text: &[u8]) -> bool {
    let directive = |text: &[u8]| {
        let words = String::from_utf8_lossy(text.split(|b| *b == b'\n').next().unwrap_or_default()).into_owned();
        let name = words.strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start().strip_prefix('<')?;
        name.strip_prefix(NAME)?.strip_prefix('>').map(|_| ())
    };
    language.name == "C++" && directive(after_comments(text)).is_some()
}

/// The text without the white space and comments at its beginning; nothing if one of them does not end.
fn after_comments(mut text: &[u8]) -> &[u8] {
    loop {
        text = text.trim_ascii_start();
        let end = match text {
            // A backslash would go on with the comment in the next line.
            [b'/', b'/', ..] => text.iter().position(|b| matches!(b, b'\n' | b'\\')).filter(|end| text[*end] == b'\n'),
            [b'/', b'*', ..] => text[2..].windows(2).position(|pair| pair == b"*/").map(|end| end + 4),
            _ => return text,
        };
        text = end.map_or(&[], |end| &text[end..]);
    }
}

/// Whether one of these folders has a header of that name, which then is the one that is meant.
pub(super) fn is_in(folders: &[PathBuf]) -> bool {
    folders.iter().any(|folder| folder.join(NAME).exists())
}

impl Builder {
    /// The folder in which that compiler finds the compiled header, if it is there or is worth being made. Whatever is in
    /// the way of it only costs time, so nothing is said.
    pub(super) fn header(
        &self,
        language: &Language,
        standard: &str,
        compiler: &[OsString],
        cancel: &Cancel,
    ) -> Option<PathBuf> {
        let options = options(language, standard);
        let name = self.header_fingerprint(&options, compiler);
        let mut state = self.known_header().state();
        let known = state.folders.get(&name).cloned();
        if known.as_ref().is_none_or(|folder| folder.is_none() && state.pays) {
            let kept = kept(self.cache(), &name);
            let made = || state.pays.then(|| self.make_header(&options, compiler, &name, cancel)).flatten();
            let folder = kept.or_else(made).filter(|folder| has_magic(&compiled(folder)));
            state.pays = false;
            state.folders.insert(name, folder.clone());
            return folder;
        }
        known.flatten()
    }

    fn header_fingerprint(&self, options: &[String], compiler: &[OsString]) -> String {
        let mut fingerprint = Fingerprint::new();
        fingerprint.add(NAME.as_bytes());
        options.iter().for_each(|option| fingerprint.add(option.as_bytes()));
        fingerprint.add_compiler(compiler);
        // Where else compilers look for headers.
        for name in ["CPATH", "CPLUS_INCLUDE_PATH"] {
            fingerprint.add_word(self.environment().get(name).unwrap_or_default());
        }
        fingerprint.finish()
    }

    /// Compiles the header into the cache.
    fn make_header(&self, options: &[String], compiler: &[OsString], name: &str, cancel: &Cancel) -> Option<PathBuf> {
        self.cache().discard(name);
        let stage = self.cache().stage().ok()?;
        let file = stage.path().join(NAME);
        fs::create_dir_all(file.parent()?).ok()?;
        fs::write(&file, format!("#include_next <{NAME}>\n")).ok()?;
        let mut words = compiler.to_vec();
        words.extend(options.iter().map(OsString::from));
        let result = compiled(stage.path());
        words.extend(["-x", "c++-header", "-MD", "-MF", PARTS, "-o"].map(OsString::from));
        words.extend([result.clone().into(), NAME.into()]);
        let sandbox = CompilerSandbox::new(compiler, stage.path(), self.environment());
        let ended = self.run_compiler(words, stage.path(), &sandbox, cancel).ok()?;
        // That it cannot be compiled now, say for want of space, may pass.
        if cancel.cancelled() || !ended.exit.is_success() {
            return None;
        }
        // That of another compiler is of no use, and is kept without its contents, so that nobody makes it again.
        if !has_magic(&result) {
            let _ = fs::remove_file(&result);
        }
        fs::write(stage.path().join(SEAL), seal(stage.path())).ok()?;
        self.cache().keep(stage, name).ok()
    }
}

/// The options that decide how a source is read: the standard, and those without placeholders.
fn options(language: &Language, standard: &str) -> Vec<String> {
    let plain = language.compile.iter().filter(|word| !word.starts_with('{') && **word != "-o");
    plain.map(|word| (*word).to_owned()).chain([standard_flag(standard)]).collect()
}

/// Its folder in the cache, if the files that it was made of are what they were.
fn kept(cache: &BuildCache, name: &str) -> Option<PathBuf> {
    let folder = cache.find(name)?;
    fs::read_to_string(folder.join(SEAL)).is_ok_and(|known| known == seal(&folder)).then_some(folder)
}

/// The compiled header in a folder.
fn compiled(folder: &Path) -> PathBuf {
    folder.join(format!("{NAME}.gch"))
}

fn has_magic(file: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    fs::File::open(file).is_ok_and(|mut file| file.read_exact(&mut start).is_ok()) && start == MAGIC
}

/// The fingerprint of the files that a folder's header was made of.
fn seal(folder: &Path) -> String {
    let mut fingerprint = Fingerprint::new();
    let parts = fs::read_to_string(folder.join(PARTS)).unwrap_or_default();
    // Its own text has no folder before it.
    parts_of(&parts).iter().filter(|path| path.is_absolute()).for_each(|path| fingerprint.add_program(path));
    fingerprint.finish()
}

/// The files in a rule for `make`: `target: file file`, on several lines; what belongs to a name has a sign before it.
fn parts_of(rule: &str) -> Vec<PathBuf> {
    let (mut parts, mut part) = (Vec::new(), String::new());
    let mut letters = rule.split_once(": ").map_or("", |(_, files)| files).chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some('\n')) => {}
            ('\\', Some(' ' | '#')) | ('$', Some('$')) => part.extend(letters.next()),
            _ if letter.is_whitespace() => parts.push(std::mem::take(&mut part)),
            _ => part.push(letter),
        }
    }
    parts.push(part);
    parts.into_iter().filter(|part| !part.is_empty()).map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_comments_may_stand_before_it() {
        let is = |text: &str| Language::of(Path::new("a.cpp")).is_some_and(|cpp| begins(cpp, text.as_bytes()));
        for text in [
            "#include <bits/stdc++.h>",
            "#include<bits/stdc++.h>\r\nint main() {}",
            "\n  # include <bits/stdc++.h> // all\n",
            "// me\n/* #define X */ /**/\n#include <bits/stdc++.h>\n#define int long long\n",
        ] {
            assert!(is(text), "{text}");
        }
        for text in [
            "",
            "#include \"bits/stdc++.h\"",
            "#include <bits/stdc++.hpp>",
            "#include <vector>\n#include <bits/stdc++.h>",
            "#define int long long\n#include <bits/stdc++.h>",
            "#pragma GCC optimize(\"O3\")\n#include <bits/stdc++.h>",
            "// one line \\\n#include <bits/stdc++.h>",
            "/* #include <bits/stdc++.h>",
            "// #include <bits/stdc++.h>",
            "#includes <bits/stdc++.h>",
            "#\ninclude <bits/stdc++.h>",
        ] {
            assert!(!is(text), "{text}");
        }
    }

    #[test]
    fn the_parts_of_a_rule_are_told_apart() {
        let parts = parts_of("bits/stdc++.h.gch: bits/stdc++.h \\\n /usr/a\\ b/c.h /usr/d$$e \\\n /f\\#\n");
        let shown: Vec<_> = parts.iter().map(|path| path.display().to_string()).collect();
        assert_eq!(shown, ["bits/stdc++.h", "/usr/a b/c.h", "/usr/d$e", "/f#"]);
        assert_eq!(parts_of(""), Vec::<PathBuf>::new());
    }

    #[test]
    fn a_header_is_as_good_as_the_files_it_was_made_of() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let part = folder.path().join("a b.h");
        fs::write(&part, "1")?;
        let rule = format!("x.gch: x.h \\\n {}\n", part.display().to_string().replace(' ', "\\ "));
        fs::write(folder.path().join(PARTS), rule)?;
        let before = seal(folder.path());
        assert_eq!(before, seal(folder.path()));
        fs::write(&part, "12")?;
        assert_ne!(before, seal(folder.path()));
        Ok(())
    }
}
