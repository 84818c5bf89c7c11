//! Export of packages to the formats of other judges.

mod other_files;
mod polygon_package;
mod problem_yaml;
mod scoring;
mod submissions;
mod test_data;
mod validators;

use super::imported_package::{ConvertedPackage, InteropError};
use crate::{Bundle, Dialect, Package};
pub use polygon_package::{export_to_polygon, polygon_group_name};
use rebut_format::language::Format;

/// Target of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// Readers of the legacy format: Kattis, BAPCtools and others.
    Legacy,
    /// Readers of the 2025-09 format.
    V2025,
    /// DOMjudge: the legacy format with its own additions, and with test cases in two folders only.
    Domjudge,
}

const TESTLIB_HEADER: &str = "testlib.h";

/// The folder in an [`ExportSource`] with the programs that lie outside of the package.
pub const COPIES_FOLDER: &str = ".copies";

/// The input of an export.
pub struct ExportSource<'a> {
    /// The package.
    pub package: &'a Package,
    /// All files of its folder.
    pub files: &'a Bundle,
    /// Its format, if it has one.
    pub format: Option<&'a Format>,
}

/// A package that is being exported.
struct Export<'a> {
    source: &'a ExportSource<'a>,
    kind: ExportFormat,
    out: ConvertedPackage,
}

/// Exports a package.
///
/// # Errors
///
/// Returns an error if a test case has no answer or the package is too large.
pub fn export_package(source: &ExportSource<'_>, kind: ExportFormat) -> Result<ConvertedPackage, InteropError> {
    let mut export = Export { source, kind, out: ConvertedPackage::default() };
    problem_yaml::write_problem_yaml(&mut export)?;
    if kind == ExportFormat::Domjudge {
        export.out.add_file("domjudge-problem.ini", problem_yaml::domjudge_ini_text(source.package))?;
    } else if kind == ExportFormat::Legacy
        && let Some(ms) = source.package.limits.cpu_time_ms
    {
        export.out.add_file(".timelimit", format!("{}\n", crate::interop::imported_package::ms_to_seconds(ms)))?;
    }
    test_data::write_test_data(&mut export)?;
    validators::write_validators(&mut export)?;
    submissions::write_submissions(&mut export)?;
    other_files::write_statement(&mut export)?;
    other_files::copy_other_files(&mut export)?;
    Ok(export.out)
}

impl ExportFormat {
    fn is_legacy(self) -> bool {
        self != ExportFormat::V2025
    }

    /// Returns true if `problem.yaml` has the same keys in packages of this dialect and for this target.
    fn has_keys_of_dialect(self, dialect: Dialect) -> bool {
        self.is_legacy() == matches!(dialect, Dialect::Legacy | Dialect::LegacyIcpc)
    }

    /// Returns true if packages of this dialect need no conversion for this target.
    fn supports_dialect(self, dialect: Dialect) -> bool {
        match dialect {
            Dialect::Legacy | Dialect::LegacyIcpc => self.is_legacy(),
            Dialect::V2025 => self == ExportFormat::V2025,
            Dialect::Draft2023 => false,
        }
    }
}

impl ExportSource<'_> {
    /// Returns the path of a file or folder relative to the package.
    fn relative_path(&self, path: &std::path::Path) -> Option<String> {
        Some(path.strip_prefix(&self.package.folder).ok()?.to_str()?.to_owned())
    }

    /// Returns the header of testlib, if the package has one.
    fn testlib_header(&self) -> Option<&[u8]> {
        self.files
            .iter()
            .find(|(path, _)| super::imported_package::file_name(path) == TESTLIB_HEADER)
            .map(|(_, bytes)| bytes)
    }

    /// Returns the text of a file of the package.
    fn text(&self, path: &str) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.files.get(path).unwrap_or_default())
    }

    /// Returns the files of a program: the file itself, or all files of its folder.
    fn program_files(&self, path: &std::path::Path) -> Vec<(String, &[u8])> {
        let Some(path) = self.relative_path(path) else { return Vec::new() };
        let name = super::imported_package::file_name(&path).to_owned();
        match self.files.get(&path) {
            Some(bytes) => vec![(name, bytes)],
            None => self.files.files_below(&path).map(|(below, bytes)| (format!("{name}/{below}"), bytes)).collect(),
        }
    }
}
