//! Collects a program's source and everything it includes in one folder, so that every judge can compile it without
//! options.

use super::imported_package::{
    ImportedPackage, InteropError, ProgramFiles, file_extension, file_name, sanitize_name, shorten_for_message,
};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A collection of source files.
pub(super) trait SourceLookup {
    /// Returns the contents of a source with Unix line ends, or `None` if it does not exist.
    fn find_source(&self, path: &str) -> Option<Cow<'_, [u8]>>;

    /// Folders in which compilers look for included files.
    fn include_roots(&self) -> &[&str];
}

/// Collects the files of a program. Includes that are not found are left to the compiler, except for testlib.
pub(super) fn collect_program(
    sources: &dyn SourceLookup,
    location: &str,
    path: &str,
) -> Result<ProgramFiles, InteropError> {
    let mut found = ProgramFiles::new();
    let mut origins: BTreeMap<String, String> = BTreeMap::new();
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        let name = sanitize_name(file_name(&path));
        if let Some(origin) = origins.get(&name) {
            if *origin != path {
                let text = format!(
                    "`{}` and `{}` would have the same name",
                    shorten_for_message(origin),
                    shorten_for_message(&path)
                );
                return Err(InteropError::at_location(location, text));
            }
            continue;
        }
        let missing =
            || InteropError::at_location(location, format!("the file `{}` is missing", shorten_for_message(&path)));
        let bytes = sources.find_source(&path).ok_or_else(missing)?;
        let bytes = if is_c_source(&path) {
            flatten_includes(sources, location, &path, &bytes, &mut open)?
        } else {
            bytes.into_owned()
        };
        found.insert(name.clone(), bytes);
        origins.insert(name, path);
    }
    Ok(found)
}

/// Writes a program into a folder, which can contain other programs with the same headers.
pub(super) fn write_program(
    files: ProgramFiles,
    folder: &str,
    location: &str,
    imported: &mut ImportedPackage,
) -> Result<(), InteropError> {
    for (name, bytes) in files {
        let path = format!("{folder}/{name}");
        match imported.contents.files.get(&path) {
            Some(known) if known == bytes.as_slice() => {}
            Some(_) => {
                return Err(InteropError::at_location(
                    location,
                    format!("two different files would be named `{}`", shorten_for_message(&path)),
                ));
            }
            None => imported.add_file(&path, bytes)?,
        }
    }
    Ok(())
}

fn is_c_source(path: &str) -> bool {
    matches!(file_extension(path), "c" | "cc" | "cpp" | "cxx" | "h" | "hh" | "hpp" | "inc" | "ipp")
}

/// Rewrites includes to name files in the same folder, and adds those files to `open`.
fn flatten_includes(
    sources: &dyn SourceLookup,
    location: &str,
    path: &str,
    bytes: &[u8],
    open: &mut Vec<String>,
) -> Result<Vec<u8>, InteropError> {
    let mut text = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        let Some((start, end)) = find_include_name(line) else {
            text.extend(line);
            continue;
        };
        let name = String::from_utf8_lossy(&line[start..end]).into_owned();
        let Some(target) = resolve_include(sources, path, &name) else {
            if file_name(&name) == "testlib.h" {
                let message =
                    format!("`{}` includes `testlib.h`, which the package does not have", shorten_for_message(path));
                return Err(InteropError::at_location(location, message)
                    .with_help("add `testlib.h` to the package: it is not part of rebut"));
            }
            text.extend(line);
            continue;
        };
        text.extend(&line[..start - 1]);
        text.extend(format!("\"{}\"", sanitize_name(file_name(&target))).bytes());
        text.extend(&line[end + 1..]);
        open.push(target);
    }
    Ok(text)
}

/// Returns the range of an included file's name in a line, in either kind of brackets.
fn find_include_name(line: &[u8]) -> Option<(usize, usize)> {
    let skip = |at: usize| at + line[at..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    let hash = skip(0);
    // A file can end with a line of white space.
    let word = (line.get(hash) == Some(&b'#')).then(|| skip(hash + 1))?;
    let open = line[word..].starts_with(b"include").then(|| skip(word + b"include".len()))?;
    let close = match line.get(open)? {
        b'"' => b'"',
        b'<' => b'>',
        _ => return None,
    };
    let length = line[open + 1..].iter().position(|b| *b == close)?;
    Some((open + 1, open + 1 + length))
}

/// Finds an included file: next to the source, or in one of the include roots.
fn resolve_include(sources: &dyn SourceLookup, path: &str, name: &str) -> Option<String> {
    let source_folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut folders = std::iter::once(source_folder).chain(sources.include_roots().iter().copied());
    folders.find_map(|folder| normalize_path(folder, name).filter(|target| sources.find_source(target).is_some()))
}

/// Resolves a path relative to a folder, without `.` and `..`. Returns `None` if it leaves the package.
fn normalize_path(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    struct FakeSources(BTreeMap<&'static str, &'static str>);

    impl SourceLookup for FakeSources {
        fn find_source(&self, path: &str) -> Option<Cow<'_, [u8]>> {
            self.0.get(path).map(|text| Cow::Borrowed(text.as_bytes()))
        }

        fn include_roots(&self) -> &[&str] {
            &["common"]
        }
    }

    #[test]
    fn included_files_are_put_beside_the_source() {
        let files = FakeSources(BTreeMap::from([
            ("gen/a.cpp", "#include <vector>\n # include\t\"../lib/b.h\" // b\n#include \"c.h\"\nint main() {}\n"),
            ("lib/b.h", "#include \"../gen/a.cpp\"\n#include <c.h>"),
            ("common/c.h", "#"),
        ]));
        let found = collect_program(&files, "", "gen/a.cpp").unwrap();
        let text = |name: &str| String::from_utf8(found[name].clone()).unwrap();
        assert_eq!(text("a.cpp"), "#include <vector>\n # include\t\"b.h\" // b\n#include \"c.h\"\nint main() {}\n");
        assert_eq!(text("b.h"), "#include \"a.cpp\"\n#include \"c.h\"");
        assert_eq!((found.len(), text("c.h").as_str()), (3, "#"));
    }

    #[test]
    fn includes_in_truncated_lines_are_ignored() {
        let line = b" \t# include\t<a b.h> //";
        for end in 0..line.len() {
            let expected = (end > line.len() - 4).then_some((13, 18));
            assert_eq!(find_include_name(&line[..end]), expected, "{:?}", String::from_utf8_lossy(&line[..end]));
        }
    }

    #[test]
    fn missing_testlib_is_an_error() {
        let files = FakeSources(BTreeMap::from([("a.cpp", "#include \"testlib.h\"\n")]));
        let error = collect_program(&files, "x", "a.cpp").unwrap_err();
        assert!(error.into_error(std::path::Path::new("p")).message().contains("does not have"));
        assert_eq!(normalize_path("a", "../../b"), None);
    }
}
