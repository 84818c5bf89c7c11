//! Zip archives from and to files in memory. Archives are untrusted: sizes, names and types in their headers are
//! verified.

use crate::Bundle;
use crate::package::shorten_for_message;
use std::io::{Cursor, Read as _, Write as _};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Number of bytes to which any archive can unpack, and for each of its bytes: test data has many equal lines.
const MIN_UNPACKED_BYTES: u64 = 128 << 20;
const UNPACKED_BYTES_PER_BYTE: u64 = 200;

/// Unpacks an archive.
///
/// # Errors
///
/// Returns a message if it is not a zip archive or unpacks to too much, or if a member leaves the folder, is a link,
/// is encrypted, or has the name of another.
pub(super) fn unpack_zip(bytes: &[u8]) -> Result<Bundle, String> {
    let mut archive =
        ZipArchive::new(Cursor::new(bytes)).map_err(|e| format!("is not a zip archive: {}", zip_error_text(&e)))?;
    if stated_member_count(bytes).is_some_and(|stated| stated != archive.len() % 0x1_0000) {
        return Err("is damaged, or has two members with the same name".to_owned());
    }
    let mut bundle = Bundle::default();
    let most = MIN_UNPACKED_BYTES.saturating_add(UNPACKED_BYTES_PER_BYTE * bytes.len() as u64);
    let mut left = most.min(crate::MAX_BUNDLE_BYTES);
    for at in 0..archive.len() {
        let member =
            archive.by_index(at).map_err(|e| format!("member {} is damaged: {}", at + 1, zip_error_text(&e)))?;
        let name = match std::str::from_utf8(member.name_raw()) {
            Ok(name) => name.to_owned(),
            Err(_) => {
                let name = rebut_diagnostics::shorten_text(member.name_raw(), 120);
                return Err(format!("`{name}` has a name that is not valid UTF-8"));
            }
        };
        let member_error = |problem: String| format!("`{}`: {problem}", shorten_for_message(&name));
        if name.ends_with('/') {
            crate::check_relative_path(name.trim_end_matches('/')).map_err(member_error)?;
            continue;
        }
        if member.is_symlink() {
            return Err(member_error("is a link".to_owned()));
        }
        // Count the unpacked bytes, whatever size the header states.
        bundle.check_capacity(member.size()).map_err(member_error)?;
        // Its size is allocated at once: a vector that grows takes up to twice as much.
        let mut content = Vec::with_capacity(member.size().min(left) as usize);
        member
            .take(left + 1)
            .read_to_end(&mut content)
            .map_err(|e| member_error(format!("cannot be unpacked: {e}")))?;
        let unpacked = content.len() as u64;
        left = left.checked_sub(unpacked).ok_or_else(|| {
            member_error(format!(
                "{} KiB unpack to more than {} MiB",
                bytes.len() >> 10,
                most.min(crate::MAX_BUNDLE_BYTES) >> 20
            ))
        })?;
        bundle.insert(&name, content).map_err(member_error)?;
    }
    Ok(bundle)
}

/// Packs files. The same files always give the same bytes.
///
/// # Errors
///
/// Returns a message if the files are too large.
pub(super) fn pack_zip(bundle: &Bundle) -> Result<Vec<u8>, String> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(zip::DateTime::default())
        .unix_permissions(0o644);
    for (path, bytes) in bundle.iter() {
        writer.start_file(path, options).map_err(|e| zip_error_text(&e))?;
        writer.write_all(bytes).map_err(|e| e.to_string())?;
    }
    writer.finish().map(Cursor::into_inner).map_err(|e| zip_error_text(&e))
}

/// Returns the number of members in the end record. The reader finds fewer if two have the same name.
fn stated_member_count(bytes: &[u8]) -> Option<usize> {
    const END_OF_CENTRAL_DIRECTORY: &[u8] = b"PK\x05\x06";
    let at = bytes.windows(END_OF_CENTRAL_DIRECTORY.len()).rposition(|window| window == END_OF_CENTRAL_DIRECTORY)?;
    let count = bytes.get(at + 10..at + 12)?;
    let count = usize::from(u16::from_le_bytes([count[0], count[1]]));
    // Larger archives use another record.
    (count != 0xffff).then_some(count)
}

fn zip_error_text(error: &ZipError) -> String {
    error.to_string().to_lowercase()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn packing_round_trips_and_is_deterministic() {
        let mut bundle = Bundle::default();
        bundle.insert("a/b.txt", b"x".repeat(10_000)).unwrap();
        bundle.insert("empty", Vec::new()).unwrap();
        let bytes = pack_zip(&bundle).unwrap();
        assert!(bytes.len() < 1000);
        assert_eq!(unpack_zip(&bytes).unwrap(), bundle);
        assert_eq!(pack_zip(&bundle).unwrap(), bytes);
    }

    #[test]
    fn archive_that_unpacks_to_far_more_is_refused() {
        let mut bundle = Bundle::default();
        for name in ["a", "b", "c"] {
            bundle.insert(name, vec![b'x'; 60 << 20]).unwrap();
        }
        let bytes = pack_zip(&bundle).unwrap();
        let refused = unpack_zip(&bytes).unwrap_err();
        assert!(refused.contains("`c`") && refused.contains("KiB unpack to more than"), "{refused}");
    }

    #[test]
    fn damaged_archives_do_not_panic() {
        let mut bundle = Bundle::default();
        bundle.insert("a/b.txt", b"some text, and some more".to_vec()).unwrap();
        bundle.insert("c", b"d".to_vec()).unwrap();
        let bytes = pack_zip(&bundle).unwrap();
        for at in 0..bytes.len() {
            for change in [0x01, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] ^= change;
                let _ = unpack_zip(&damaged);
            }
            assert!(unpack_zip(&bytes[..at]).is_err(), "{at}");
        }
    }
}
