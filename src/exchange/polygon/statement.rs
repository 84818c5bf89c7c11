//! Statements: the sections that Polygon keeps, put together as judges of packages expect them.

use super::descriptor::Problem;
use super::{Package, code};
use crate::exchange::flaw::Flaw;
use crate::exchange::names::{extension, plain};
use crate::exchange::target::Imported;
use std::fmt::Write as _;

/// Sections in their order, with the headings that they get.
const SECTIONS: [(&str, &str); 5] =
    [("legend", ""), ("input", "Input"), ("output", "Output"), ("interaction", "Interaction"), ("notes", "Notes")];

/// Pictures that a statement may show.
const PICTURES: [&str; 5] = ["png", "jpg", "jpeg", "pdf", "eps"];

/// Writes a statement for each title's language that has sections.
pub(super) fn write(
    package: &Package<'_>,
    titles: &[(String, String)],
    problem: &Problem,
    made: &mut Imported,
) -> Result<(), Flaw> {
    for (language, _) in &problem.titles {
        let folder = format!("statement-sections/{language}");
        let Some((_, title)) = titles.iter().find(|(known, _)| *known == code(language)) else { continue };
        let section = |name: &str| package.source.get(&format!("{folder}/{name}.tex"));
        if section("legend").is_none() {
            made.note(format!("there is no statement in {language}: `{folder}` has none"));
            continue;
        }
        let mut text = format!("\\problemname{{{title}}}\n");
        for (name, heading) in SECTIONS {
            let Some(bytes) = section(name).filter(|bytes| !bytes.trim_ascii().is_empty()) else { continue };
            let body = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
            if !heading.is_empty() {
                let _ = write!(text, "\n\\section*{{{heading}}}\n");
            }
            let _ = write!(text, "\n{}\n", body.trim());
        }
        let name = format!("statement/problem.{}.tex", code(language));
        if made.files.get(&name).is_none() {
            made.add(&name, text)?;
        }
        let pictures = package.source.below(&folder).filter(|(path, _)| PICTURES.contains(&extension(path)));
        for (path, bytes) in pictures.map(|(path, bytes)| (format!("statement/{}", plain(path)), bytes)) {
            if made.files.get(&path).is_none() {
                made.add(&path, bytes)?;
            }
        }
    }
    Ok(())
}
