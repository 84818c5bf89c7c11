//! Statements: the sections that Polygon stores, joined in the order that judges expect.

use super::problem_xml::PolygonProblem;
use super::{PolygonPackage, language_code};
use crate::interop::imported_package::ImportedPackage;
use crate::interop::interop_error::InteropError;
use crate::interop::names::{file_extension, sanitize_name};
use std::fmt::Write as _;

/// Sections in order, with their headings.
const STATEMENT_SECTIONS: [(&str, &str); 5] =
    [("legend", ""), ("input", "Input"), ("output", "Output"), ("interaction", "Interaction"), ("notes", "Notes")];

/// Extensions of pictures in a statement.
const PICTURE_EXTENSIONS: [&str; 5] = ["png", "jpg", "jpeg", "pdf", "eps"];

/// Writes a statement for each language with a title and sections.
pub(super) fn write_statements(
    package: &PolygonPackage<'_>,
    titles: &[(String, String)],
    problem: &PolygonProblem,
    imported: &mut ImportedPackage,
) -> Result<(), InteropError> {
    for (language, _) in &problem.titles {
        let folder = format!("statement-sections/{language}");
        let Some((_, title)) = titles.iter().find(|(known, _)| *known == language_code(language)) else { continue };
        let section = |name: &str| package.source.get(&format!("{folder}/{name}.tex"));
        if section("legend").is_none() {
            imported.contents.add_note(format!("there is no statement in {language}: `{folder}` has no `legend.tex`"));
            continue;
        }
        let mut text = format!("\\problemname{{{title}}}\n");
        for (name, heading) in STATEMENT_SECTIONS {
            let Some(bytes) = section(name).filter(|bytes| !bytes.trim_ascii().is_empty()) else { continue };
            let body = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
            if !heading.is_empty() {
                let _ = write!(text, "\n\\section*{{{heading}}}\n");
            }
            let _ = write!(text, "\n{}\n", body.trim());
        }
        let name = format!("statement/problem.{}.tex", language_code(language));
        if imported.contents.files.get(&name).is_none() {
            imported.contents.add_file(&name, text)?;
        }
        let pictures =
            package.source.files_below(&folder).filter(|(path, _)| PICTURE_EXTENSIONS.contains(&file_extension(path)));
        for (path, bytes) in pictures.map(|(path, bytes)| (format!("statement/{}", sanitize_name(path)), bytes)) {
            if imported.contents.files.get(&path).is_none() {
                imported.contents.add_file(&path, bytes)?;
            }
        }
    }
    Ok(())
}
