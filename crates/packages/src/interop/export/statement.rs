//! The statement: the package's own, or a description of the input generated from its format.

use super::{ExportFormat, ExportSource};
use crate::interop::converted_package::ConvertedPackage;
use crate::interop::interop_error::InteropError;
use rebut_format::describe::{Markup, describe_format};

/// Folders of statements: the legacy one and the newer one.
const STATEMENT_FOLDERS: [&str; 2] = ["problem_statement", "statement"];

/// Writes the statement.
pub(super) fn write_statement(
    source: &ExportSource<'_>,
    kind: ExportFormat,
    exported: &mut ConvertedPackage,
) -> Result<(), InteropError> {
    let target = if kind.is_legacy() { STATEMENT_FOLDERS[0] } else { STATEMENT_FOLDERS[1] };
    let mut has_statement = false;
    for folder in STATEMENT_FOLDERS {
        for (path, bytes) in source.files.files_below(folder) {
            let path = format!("{target}/{}", if path == "problem.tex" { "problem.en.tex" } else { path });
            if exported.files.get(&path).is_none() {
                has_statement |= path.ends_with(".tex") || path.ends_with(".md");
                exported.add_file(&path, bytes)?;
            }
        }
    }
    if has_statement {
        return Ok(());
    }
    exported.add_note("there is no statement; a description of the input, generated from the format, is used instead");
    let title = source.package.titles.get("en").or(source.package.titles.values().next());
    let title = title.unwrap_or(&source.package.id);
    let body = source.format.map(|format| describe_format(format, Markup::Latex)).unwrap_or_default();
    // Remove characters that are special in TeX.
    let plain = title.replace(['\\', '{', '}', '$', '%', '#', '&', '_', '^', '~'], " ");
    exported.add_file(&format!("{target}/problem.en.tex"), format!("\\problemname{{{plain}}}\n\n{body}"))
}
