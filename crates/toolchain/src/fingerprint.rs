//! Fingerprints of builds: short hashes of the inputs of a build.

use super::named_files::NamedFiles;
use sha2::{Digest, Sha256};
use std::ffi::{OsStr, OsString};
use std::io::Read as _;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Part of every fingerprint; must be changed when the contents of a build's folder change.
const FINGERPRINT_VERSION: &str = "rebut build 2";

/// Hashes parts. Each is preceded by its length, so that no two lists of parts collide.
pub(super) struct Fingerprint(Sha256);

impl Fingerprint {
    /// Creates a fingerprint that contains only its version.
    pub(super) fn new() -> Self {
        let mut fingerprint = Fingerprint(Sha256::new());
        fingerprint.add_part(FINGERPRINT_VERSION.as_bytes());
        fingerprint
    }

    pub(super) fn add_part(&mut self, part: &[u8]) {
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    pub(super) fn add_word(&mut self, word: &OsStr) {
        self.add_part(word.as_encoded_bytes());
    }

    pub(super) fn add_words<'a>(&mut self, words: impl IntoIterator<Item = &'a OsStr>) {
        words.into_iter().for_each(|word| self.add_word(word));
    }

    pub(super) fn add_compiler(&mut self, compiler: &[OsString]) {
        compiler.iter().for_each(|word| self.add_word(word));
        self.add_program(Path::new(&compiler[0]));
    }

    /// Adds a program by its resolved path, its size and its modification time, which change with an upgrade.
    pub(super) fn add_program(&mut self, path: &Path) {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        self.add_word(path.as_os_str());
        let Ok(metadata) = path.metadata() else { return };
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        self.add_part(&metadata.len().to_le_bytes());
        self.add_part(&modified.map_or(0, |time| time.as_nanos()).to_le_bytes());
    }

    pub(super) fn add_files(&mut self, files: &NamedFiles) {
        self.add_part(&files.len().to_le_bytes());
        for (name, text) in files {
            self.add_word(name.as_os_str());
            self.add_part(text);
        }
    }

    /// Returns the fingerprint as 32 hexadecimal digits.
    pub(super) fn finish(self) -> String {
        to_hexadecimal(&self.0.finalize()[..16])
    }
}

pub(super) fn join_fingerprints(one: &str, other: &str) -> String {
    let mut fingerprint = Fingerprint::new();
    [one, other].iter().for_each(|part| fingerprint.add_part(part.as_bytes()));
    fingerprint.finish()
}

fn to_hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the SHA-256 of a file in hexadecimal, without keeping it in memory.
pub(super) fn digest_file(path: &Path) -> std::io::Result<String> {
    let (mut file, mut hash, mut buffer) = (std::fs::File::open(path)?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            length => hash.update(&buffer[..length]),
        }
    }
    Ok(to_hexadecimal(&hash.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint_of(parts: &[&str]) -> String {
        let mut fingerprint = Fingerprint::new();
        parts.iter().for_each(|part| fingerprint.add_part(part.as_bytes()));
        fingerprint.finish()
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        assert_eq!(fingerprint_of(&["ab", "c"]), fingerprint_of(&["ab", "c"]));
        assert_ne!(fingerprint_of(&["ab", "c"]), fingerprint_of(&["a", "bc"]));
        assert_eq!(fingerprint_of(&[]).len(), 32);
    }
}
