//! Conversion of packages from and to other systems. It maps files in memory to files in memory ([`Bundle`]), and
//! reads and writes nothing else. Everything without a counterpart in the target is mentioned in a note, never
//! dropped silently.
//!
//! [`import_package`] reads packages of Polygon and problems of library-checker; [`export_package`] writes packages
//! for other judges. [`generate_python_validator`] translates a format for judges that do not know formats:
//!
//! ```
//! use rebut_diagnostics::SourceText;
//! use rebut_format::language::Format;
//! use rebut_packages::interop::generate_python_validator;
//!
//! let source = SourceText::new("input.format", "n; a[n] where 1 <= n <= 8; 0 <= a <= 9");
//! let (format, _) = Format::parse(&source).expect("a valid format");
//! let validator = generate_python_validator(&format);
//! assert!(validator.text.starts_with("#!/usr/bin/env python3\n"));
//! assert!(validator.left_out.is_empty());
//! ```

pub mod companion;
mod export;
mod imported_package;
mod include_resolver;
mod library_checker;
mod loose_folder;
mod polygon;
mod python_validator;
mod starter;
mod zip_archive;

use crate::Bundle;
pub use export::{COPIES_FOLDER, ExportFormat, ExportSource, export_package, export_to_polygon, polygon_group_name};
pub use imported_package::{ConvertedPackage, ImportedPackage, InteropError};
pub use loose_folder::import_loose_folder;
pub use python_validator::generate_python_validator;
pub use starter::{Starter, StarterDialect, StarterExample, StarterLanguage};

/// Unpacks a zip archive.
///
/// # Errors
///
/// Returns an error if it is not a zip archive, or has a member that cannot be in a package.
pub fn unpack_archive(bytes: &[u8]) -> Result<Bundle, InteropError> {
    zip_archive::unpack_zip(bytes).map_err(InteropError::new)
}

/// Packs files into a zip archive.
///
/// # Errors
///
/// Returns an error if the files are too large.
pub fn pack_archive(bundle: &Bundle) -> Result<Vec<u8>, InteropError> {
    zip_archive::pack_zip(bundle).map_err(InteropError::new)
}

/// Converts a Polygon package or a library-checker problem. `common` has the headers that library-checker shares
/// between problems. `id` is the name of the package's folder.
///
/// # Errors
///
/// Returns an error with a location if it is neither of them, or is broken.
pub fn import_package(source: &Bundle, common: &Bundle, id: &str) -> Result<ImportedPackage, InteropError> {
    let source = without_top_folder(source);
    if source.get(polygon::PROBLEM_XML_FILE).is_some() {
        return polygon::import_polygon(&source, id);
    }
    if source.get(library_checker::INFO_FILE).is_some() {
        return library_checker::import_library_checker(&source, common, id);
    }
    let text = format!("has neither `{}` nor `{}`", polygon::PROBLEM_XML_FILE, library_checker::INFO_FILE);
    Err(InteropError::new(text)
        .with_help("Polygon packages, library-checker problems and folders with `validator.cpp` can be imported"))
}

/// Returns true if a folder is a library-checker problem, which needs the shared headers as well.
pub fn needs_common_headers(source: &Bundle) -> bool {
    source.get(library_checker::INFO_FILE).is_some()
}

/// Removes the single top folder that archives often have.
fn without_top_folder(source: &Bundle) -> Bundle {
    let Some((folder, _)) = source.iter().next().and_then(|(path, _)| path.split_once('/')) else {
        return source.clone();
    };
    let mut inside = Bundle::default();
    for (path, bytes) in source.files_below(folder) {
        // A part of a bundle is always a valid bundle.
        let _ = inside.insert(path, bytes.to_vec());
    }
    if inside.len() == source.len() { inside } else { source.clone() }
}
