//! A package described in one text file: `=== path` and the file's text, or another kind of entry to create.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

/// Creates a package and returns the text of `=== expected`.
pub(crate) fn make(description: &str, folder: &Path) -> String {
    let mut expected = String::new();
    let (_, sections) = description.split_once("=== ").unwrap_or_default();
    for section in sections.split("\n=== ") {
        let (header, text) = section.split_once('\n').unwrap_or((section, ""));
        let text = if text.is_empty() { String::new() } else { format!("{}\n", text.trim_end_matches('\n')) };
        let words: Vec<&str> = header.split(' ').collect();
        match words[..] {
            ["expected"] => expected = text,
            ["folder", path] => fs::create_dir_all(folder.join(path)).unwrap(),
            ["link", path, target] => std::os::unix::fs::symlink(target, place(folder, path)).unwrap(),
            ["fifo", path] => {
                let path = place(folder, path);
                assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
            }
            ["large", path, bytes] => {
                let file = fs::File::create(place(folder, path)).unwrap();
                file.set_len(bytes.parse().unwrap()).unwrap();
            }
            ["bytes", path] => fs::write(place(folder, path), unescaped(text.trim_end())).unwrap(),
            ["deep", path, levels] => {
                let path = format!("{path}{}/x.in", "/d".repeat(levels.parse().unwrap()));
                fs::write(place(folder, &path), "").unwrap();
            }
            [path] => fs::write(place(folder, path), text).unwrap(),
            _ => panic!("what is `=== {header}`?"),
        }
    }
    expected
}

/// Returns the path of a file and creates its folder; `\n` and `\xff` stand for bytes.
fn place(folder: &Path, path: &str) -> std::path::PathBuf {
    let path = folder.join(OsString::from_vec(unescaped(path)));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    path
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if let Some(hex) = rest.strip_prefix("\\x") {
            bytes.push(u8::from_str_radix(&hex[..2], 16).unwrap());
            rest = &hex[2..];
        } else if let Some(behind) = rest.strip_prefix("\\n") {
            bytes.push(b'\n');
            rest = behind;
        } else {
            bytes.extend(letter.to_string().as_bytes());
            rest = &rest[letter.len_utf8()..];
        }
    }
    bytes
}
