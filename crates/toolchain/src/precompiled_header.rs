//! Precompiles the header that most C++ submissions begin with: parsing it takes two thirds of their compilation.
//!
//! GCC uses a precompiled header in place of the text if a source includes it first, and if the options are the same
//! (gcc.gnu.org/onlinedocs/gcc/Precompiled-Headers.html). The resulting program is the same, byte for byte, so its
//! fingerprint does not depend on it. Sources and compilers that do not fit use the text of the header.

use super::compiler_sandbox::{CompilerSandbox, list_headers};
use super::fingerprint::Fingerprint;
use super::language::{split_command, standard_flag};
use super::recorded_reads::{DEPENDENCIES_FILE, seal_build};
use super::toolchain::{Toolchain, lock_mutex};
use super::{CompileError, CompiledProgram, Language, SourceOptions};
use rebut_sandbox::CancelToken;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

const HEADER_NAME: &str = "bits/stdc++.h";

/// The first bytes of GCC's precompiled headers. Other compilers do not find theirs through an include folder.
const GCH_MAGIC: [u8; 4] = *b"gpch";

/// Returns true if a source includes the header first, with only comments before it: macros defined there could change
/// the header's meaning.
pub(super) fn starts_with_header(language: &Language, text: &[u8]) -> bool {
    let directive = |text: &[u8]| {
        let words = String::from_utf8_lossy(text.split(|b| *b == b'\n').next().unwrap_or_default()).into_owned();
        let name = words.strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start().strip_prefix('<')?;
        name.strip_prefix(HEADER_NAME)?.strip_prefix('>').map(|_| ())
    };
    language.name == "C++" && directive(skip_comments(text)).is_some()
}

/// Skips white space and comments; returns nothing if a comment is not closed.
fn skip_comments(mut text: &[u8]) -> &[u8] {
    loop {
        text = text.trim_ascii_start();
        let end = match text {
            // A backslash would continue the comment on the next line.
            [b'/', b'/', ..] => text.iter().position(|b| matches!(b, b'\n' | b'\\')).filter(|end| text[*end] == b'\n'),
            [b'/', b'*', ..] => text[2..].windows(2).position(|pair| pair == b"*/").map(|end| end + 4),
            _ => return text,
        };
        text = end.map_or(&[], |end| &text[end..]);
    }
}

/// Returns true if one of these folders has a header of that name, which then is the one that is meant.
pub(super) fn has_own_header(folders: &[PathBuf]) -> bool {
    folders.iter().any(|folder| folder.join(HEADER_NAME).exists())
}

impl Toolchain {
    /// Returns the include folder with the precompiled header, if it exists or is worth compiling. Errors are not
    /// reported, because they only cost time.
    pub(super) fn find_precompiled_header(
        &self,
        language: &Language,
        standard: &str,
        compiler: &[OsString],
        cancel: &CancelToken,
    ) -> Option<PathBuf> {
        let options = header_options(language, standard);
        let name = self.header_fingerprint(&options, compiler);
        let mut state = self.precompiled_header().lock_state();
        let known = state.folders.get(&name).cloned();
        if known.as_ref().is_none_or(|folder| folder.is_none() && state.may_compile) {
            let kept = self.build_cache().find_sealed(&name, Path::new("/")).map(|(folder, _)| folder);
            let made = || state.may_compile.then(|| self.compile_header(&options, compiler, &name, cancel)).flatten();
            let folder = kept.or_else(made).filter(|folder| has_gch_magic(&compiled_header_path(folder)));
            state.may_compile = false;
            state.folders.insert(name, folder.clone());
            return folder;
        }
        known.flatten()
    }

    fn header_fingerprint(&self, options: &[String], compiler: &[OsString]) -> String {
        let mut fingerprint = Fingerprint::new();
        fingerprint.add_part(HEADER_NAME.as_bytes());
        options.iter().for_each(|option| fingerprint.add_part(option.as_bytes()));
        fingerprint.add_compiler(compiler);
        // Other folders in which compilers look for headers.
        for name in ["CPATH", "CPLUS_INCLUDE_PATH"] {
            fingerprint.add_word(self.environment().get_variable(name).unwrap_or_default());
        }
        fingerprint.add_words(list_headers(self.environment()).iter().map(|path| path.as_os_str()));
        fingerprint.finish()
    }

    /// Compiles the header into the cache.
    fn compile_header(
        &self,
        options: &[String],
        compiler: &[OsString],
        name: &str,
        cancel: &CancelToken,
    ) -> Option<PathBuf> {
        self.build_cache().remove_build(name);
        let stage = self.build_cache().create_staging().ok()?;
        let file = stage.path().join(HEADER_NAME);
        fs::create_dir_all(file.parent()?).ok()?;
        fs::write(&file, format!("#include_next <{HEADER_NAME}>\n")).ok()?;
        let mut words = compiler.to_vec();
        words.extend(options.iter().map(OsString::from));
        let result = compiled_header_path(stage.path());
        words.extend(["-x", "c++-header", "-MD", "-MF", DEPENDENCIES_FILE, "-o"].map(OsString::from));
        words.extend([result.clone().into(), HEADER_NAME.into()]);
        let sandbox = CompilerSandbox::new(compiler, stage.path(), self.environment());
        let ended = self.run_compiler(words, stage.path(), &sandbox, cancel).ok()?;
        // The reason for a failure, such as lack of space, can be temporary.
        if cancel.is_cancelled() || !ended.exit.is_success() {
            return None;
        }
        // Another compiler's result is useless. It is stored without its contents, so that it is not compiled again.
        if !has_gch_magic(&result) {
            let _ = fs::remove_file(&result);
        }
        // The only relative path is the source that includes the header.
        seal_build(stage.path(), stage.path(), Path::is_relative).ok()?;
        self.build_cache().store_build(stage, name).ok()
    }
}

/// Returns the options that affect how a source is parsed: the standard, and those without placeholders.
fn header_options(language: &Language, standard: &str) -> Vec<String> {
    let plain = split_command(language.compile).into_iter().filter(|word| !word.starts_with('{') && *word != "-o");
    plain.map(str::to_owned).chain([standard_flag(standard)]).collect()
}

pub(super) fn compiled_header_path(folder: &Path) -> PathBuf {
    folder.join(format!("{HEADER_NAME}.gch"))
}

fn has_gch_magic(file: &Path) -> bool {
    let mut start = [0; GCH_MAGIC.len()];
    fs::File::open(file).is_ok_and(|mut file| file.read_exact(&mut start).is_ok()) && start == GCH_MAGIC
}

// Programs that were compiled before they are needed.

/// Programs that were compiled ahead of time, by source and options.
#[derive(Debug, Default)]
pub(super) struct PrecompiledPrograms(Mutex<BTreeMap<CompileKey, Result<CompiledProgram, CompileError>>>);

pub(super) type CompileKey = (PathBuf, SourceOptions);

impl PrecompiledPrograms {
    /// Takes the result of compiling a source, once.
    pub(super) fn take_program(
        &self,
        source: &Path,
        options: &SourceOptions,
    ) -> Option<Result<CompiledProgram, CompileError>> {
        self.lock_programs().remove(&to_compile_key(source, options))
    }

    pub(super) fn lock_programs(&self) -> MutexGuard<'_, BTreeMap<CompileKey, Result<CompiledProgram, CompileError>>> {
        lock_mutex(&self.0)
    }
}

pub(super) fn to_compile_key(source: &Path, options: &SourceOptions) -> CompileKey {
    (source.to_owned(), options.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_comments_may_precede_the_header() {
        let is = |text: &str| {
            Language::from_path(Path::new("a.cpp")).is_some_and(|cpp| starts_with_header(cpp, text.as_bytes()))
        };
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
}
