//! Zip archives to files in memory and back. An archive is somebody else's: what it says of sizes, names and kinds is
//! not believed.

use crate::corpus::Bundle;
use std::io::{Cursor, Read as _, Write as _};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// The files of an archive.
///
/// # Errors
/// In words, with the member where it is one's fault: it leaves the folder, is a link or encrypted, or there are two of
/// one name; or the archive is none, or unpacks to too much.
pub(super) fn unpack(bytes: &[u8]) -> Result<Bundle, String> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|e| format!("is no zip archive: {}", words(&e)))?;
    if stated_members(bytes).is_some_and(|stated| stated != archive.len() % 0x1_0000) {
        return Err("is damaged, or has two members of one name".to_owned());
    }
    let mut bundle = Bundle::default();
    for at in 0..archive.len() {
        let member = archive.by_index(at).map_err(|e| format!("its member {} is damaged: {}", at + 1, words(&e)))?;
        let name = match std::str::from_utf8(member.name_raw()) {
            Ok(name) => name.to_owned(),
            Err(_) => {
                let name = crate::diagnostic::shorten(member.name_raw(), 120);
                return Err(format!("`{name}` has a name that is not UTF-8"));
            }
        };
        let wrong = |words: String| format!("`{}`: {words}", shown(&name));
        if name.ends_with('/') {
            crate::corpus::safe(name.trim_end_matches('/')).map_err(wrong)?;
            continue;
        }
        if member.is_symlink() {
            return Err(wrong("is a link".to_owned()));
        }
        // What is unpacked is counted, not what the archive says of it.
        let room = crate::corpus::MOST_BYTES;
        bundle.room_for(member.size()).map_err(wrong)?;
        let mut content = Vec::new();
        member.take(room + 1).read_to_end(&mut content).map_err(|e| wrong(format!("cannot be unpacked: {e}")))?;
        bundle.insert(&name, content).map_err(wrong)?;
    }
    Ok(bundle)
}

/// An archive of these files: the same files are the same bytes, whenever it is made.
///
/// # Errors
/// In words; in memory there is no cause for one but size.
pub(super) fn pack(bundle: &Bundle) -> Result<Vec<u8>, String> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(zip::DateTime::default())
        .unix_permissions(0o644);
    for (path, bytes) in bundle.iter() {
        writer.start_file(path, options).map_err(|e| words(&e))?;
        writer.write_all(bytes).map_err(|e| e.to_string())?;
    }
    writer.finish().map(Cursor::into_inner).map_err(|e| words(&e))
}

/// How many members the end of the archive speaks of: readers find fewer where two have one name.
fn stated_members(bytes: &[u8]) -> Option<usize> {
    const END: &[u8] = b"PK\x05\x06";
    let at = bytes.windows(END.len()).rposition(|window| window == END)?;
    let count = bytes.get(at + 10..at + 12)?;
    let count = usize::from(u16::from_le_bytes([count[0], count[1]]));
    // Of larger archives another record knows.
    (count != 0xffff).then_some(count)
}

fn words(error: &ZipError) -> String {
    error.to_string().to_lowercase()
}

fn shown(name: &str) -> String {
    crate::diagnostic::shorten(name.as_bytes(), 120)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked_and_packs_to_the_same_bytes() {
        let mut bundle = Bundle::default();
        bundle.insert("a/b.txt", b"x".repeat(10_000)).unwrap();
        bundle.insert("empty", Vec::new()).unwrap();
        let bytes = pack(&bundle).unwrap();
        assert!(bytes.len() < 1000);
        assert_eq!(unpack(&bytes).unwrap(), bundle);
        assert_eq!(pack(&bundle).unwrap(), bytes);
    }

    #[test]
    fn no_damage_makes_it_panic() {
        let mut bundle = Bundle::default();
        bundle.insert("a/b.txt", b"some text, and some more".to_vec()).unwrap();
        bundle.insert("c", b"d".to_vec()).unwrap();
        let bytes = pack(&bundle).unwrap();
        for at in 0..bytes.len() {
            for change in [0x01, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] ^= change;
                let _ = unpack(&damaged);
            }
            assert!(unpack(&bytes[..at]).is_err(), "{at}");
        }
    }
}
