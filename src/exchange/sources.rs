//! A program's source with all that it includes, side by side in one folder: so it is compiled wherever it lies, by every
//! judge and with no options.

use super::flaw::{Flaw, shown};
use super::names::{extension, file_name, plain};
use super::target::Imported;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Where files are looked up.
pub(super) trait Shelf {
    /// The bytes of a source, with Unix line ends; none if it is not there.
    fn source(&self, path: &str) -> Option<Cow<'_, [u8]>>;

    /// Folders in which compilers look for what is included.
    fn roots(&self) -> &[&str];
}

/// A source, with what it includes: by their names in one folder.
pub(super) type Whole = BTreeMap<String, Vec<u8>>;

/// Gathers a program. Includes of files that are not on the shelf are the compiler's own affair, but for testlib.
pub(super) fn whole(shelf: &dyn Shelf, place: &str, path: &str) -> Result<Whole, Flaw> {
    let mut found = Whole::new();
    let mut origins: BTreeMap<String, String> = BTreeMap::new();
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        let name = plain(file_name(&path));
        if let Some(origin) = origins.get(&name) {
            if *origin != path {
                let text = format!("`{}` and `{}` would be one file", shown(origin), shown(&path));
                return Err(Flaw::at(place, text));
            }
            continue;
        }
        let missing = || Flaw::at(place, format!("the file `{}` is missing", shown(&path)));
        let bytes = shelf.source(&path).ok_or_else(missing)?;
        let bytes = if is_c(&path) { flattened(shelf, place, &path, &bytes, &mut open)? } else { bytes.into_owned() };
        found.insert(name.clone(), bytes);
        origins.insert(name, path);
    }
    Ok(found)
}

/// Writes a program into a folder that may have others in it, with which it may share headers.
pub(super) fn write(whole: Whole, folder: &str, place: &str, made: &mut Imported) -> Result<(), Flaw> {
    for (name, bytes) in whole {
        let path = format!("{folder}/{name}");
        match made.files.get(&path) {
            Some(known) if known == bytes.as_slice() => {}
            Some(_) => return Err(Flaw::at(place, format!("there are two files that would be `{}`", shown(&path)))),
            None => made.add(&path, bytes)?,
        }
    }
    Ok(())
}

fn is_c(path: &str) -> bool {
    matches!(extension(path), "c" | "cc" | "cpp" | "cxx" | "h" | "hh" | "hpp" | "inc" | "ipp")
}

/// A text whose includes name files beside it; those files are added to the open ones.
fn flattened(
    shelf: &dyn Shelf,
    place: &str,
    path: &str,
    bytes: &[u8],
    open: &mut Vec<String>,
) -> Result<Vec<u8>, Flaw> {
    let mut text = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        let Some((start, end)) = included(line) else {
            text.extend(line);
            continue;
        };
        let name = String::from_utf8_lossy(&line[start..end]).into_owned();
        let Some(target) = resolved(shelf, path, &name) else {
            if file_name(&name) == "testlib.h" {
                let words = format!("`{}` includes `testlib.h`, which the package does not have", shown(path));
                return Err(
                    Flaw::at(place, words).with_help("put `testlib.h` into the package: it is not part of rebut")
                );
            }
            text.extend(line);
            continue;
        };
        text.extend(&line[..start - 1]);
        text.extend(format!("\"{}\"", plain(file_name(&target))).bytes());
        text.extend(&line[end + 1..]);
        open.push(target);
    }
    Ok(text)
}

/// From where to where the name of an included file stands in a line, in either kind of brackets.
fn included(line: &[u8]) -> Option<(usize, usize)> {
    let skip = |at: usize| at + line[at..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    let hash = skip(0);
    // The last line of a file may be white space that nothing ends.
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

/// The file that an include means: beside the source, or in one of the roots.
fn resolved(shelf: &dyn Shelf, path: &str, name: &str) -> Option<String> {
    let own = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut folders = std::iter::once(own).chain(shelf.roots().iter().copied());
    folders.find_map(|folder| normal(folder, name).filter(|target| shelf.source(target).is_some()))
}

/// A path seen from a folder, without `.` and `..`; none if it leaves everything.
fn normal(folder: &str, path: &str) -> Option<String> {
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

    struct Files(BTreeMap<&'static str, &'static str>);

    impl Shelf for Files {
        fn source(&self, path: &str) -> Option<Cow<'_, [u8]>> {
            self.0.get(path).map(|text| Cow::Borrowed(text.as_bytes()))
        }

        fn roots(&self) -> &[&str] {
            &["common"]
        }
    }

    #[test]
    fn what_is_included_lies_beside() {
        let files = Files(BTreeMap::from([
            ("gen/a.cpp", "#include <vector>\n # include\t\"../lib/b.h\" // b\n#include \"c.h\"\nint main() {}\n"),
            ("lib/b.h", "#include \"../gen/a.cpp\"\n#include <c.h>"),
            ("common/c.h", "#"),
        ]));
        let found = whole(&files, "", "gen/a.cpp").unwrap();
        let text = |name: &str| String::from_utf8(found[name].clone()).unwrap();
        assert_eq!(text("a.cpp"), "#include <vector>\n # include\t\"b.h\" // b\n#include \"c.h\"\nint main() {}\n");
        assert_eq!(text("b.h"), "#include \"a.cpp\"\n#include \"c.h\"");
        assert_eq!((found.len(), text("c.h").as_str()), (3, "#"));
    }

    #[test]
    fn a_line_ends_wherever_it_likes() {
        let line = b" \t# include\t<a b.h> //";
        for end in 0..line.len() {
            let expected = (end > line.len() - 4).then_some((13, 18));
            assert_eq!(included(&line[..end]), expected, "{:?}", String::from_utf8_lossy(&line[..end]));
        }
    }

    #[test]
    fn testlib_has_to_be_there() {
        let files = Files(BTreeMap::from([("a.cpp", "#include \"testlib.h\"\n")]));
        let error = whole(&files, "x", "a.cpp").unwrap_err();
        assert!(error.into_error(std::path::Path::new("p")).message().contains("does not have"));
        assert_eq!(normal("a", "../../b"), None);
    }
}
