//! Packages of other systems become ours, and ours become theirs: files in memory to files in memory ([`Bundle`]), so
//! nothing is read or written beside them. What has no counterpart on the other side is told in a note, never dropped in
//! silence.

mod archive;
mod export;
mod flaw;
mod library_checker;
mod names;
mod polygon;
mod sources;
mod target;
mod validator;

pub use export::{Exported, Kind, Source as ExportSource, export};
pub use flaw::Flaw;
pub use target::Imported;
pub use validator::python_validator;

use crate::corpus::Bundle;

/// The files of a zip archive.
///
/// # Errors
/// If it is none, or has a member that no package can have.
pub fn unpack(bytes: &[u8]) -> Result<Bundle, Flaw> {
    archive::unpack(bytes).map_err(Flaw::new)
}

/// A zip archive of these files.
///
/// # Errors
/// If they are too large for one.
pub fn pack(bundle: &Bundle) -> Result<Vec<u8>, Flaw> {
    archive::pack(bundle).map_err(Flaw::new)
}

/// Makes a package of ours from one of Polygon or a problem of library-checker. `common` are the headers that the latter
/// keeps for all its problems. The package is asked for by `id`, its folder's name.
///
/// # Errors
/// If it is neither, or broken; with the place.
pub fn import(source: &Bundle, common: &Bundle, id: &str) -> Result<Imported, Flaw> {
    let source = lifted(source);
    if source.get(polygon::FILE).is_some() {
        return polygon::import(&source, id);
    }
    if source.get(library_checker::FILE).is_some() {
        return library_checker::import(&source, common, id);
    }
    let text = format!("has neither `{}` nor `{}`", polygon::FILE, library_checker::FILE);
    Err(Flaw::new(text).with_help("packages of Polygon and problems of library-checker can be imported"))
}

/// Whether a folder is a problem of library-checker: then the headers of all problems are wanted, too.
pub fn wants_common(source: &Bundle) -> bool {
    source.get(library_checker::FILE).is_some()
}

/// The same files without the folder that all of them lie in, as archives often have one.
fn lifted(source: &Bundle) -> Bundle {
    let Some((folder, _)) = source.iter().next().and_then(|(path, _)| path.split_once('/')) else {
        return source.clone();
    };
    let mut inside = Bundle::default();
    for (path, bytes) in source.below(folder) {
        // A part of a bundle is one.
        let _ = inside.insert(path, bytes.to_vec());
    }
    if inside.len() == source.len() { inside } else { source.clone() }
}
