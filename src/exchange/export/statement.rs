//! The statement: the package's own, or what its format says of inputs.

use super::{Exported, Kind, Source};
use crate::describe::{Markup, describe};
use crate::exchange::flaw::Flaw;

/// The folders that a statement lies in: the legacy one, and the newer.
const FOLDERS: [&str; 2] = ["problem_statement", "statement"];

/// Writes it.
pub(super) fn write(source: &Source<'_>, kind: Kind, made: &mut Exported) -> Result<(), Flaw> {
    let target = if kind.is_legacy() { FOLDERS[0] } else { FOLDERS[1] };
    let mut has_one = false;
    for folder in FOLDERS {
        for (path, bytes) in source.files.below(folder) {
            let path = format!("{target}/{}", if path == "problem.tex" { "problem.en.tex" } else { path });
            if made.files.get(&path).is_none() {
                has_one |= path.ends_with(".tex") || path.ends_with(".md");
                made.add(&path, bytes)?;
            }
        }
    }
    if has_one {
        return Ok(());
    }
    made.note("there is no statement; what the format says of inputs stands in its place");
    let title = source.package.titles.get("en").or(source.package.titles.values().next());
    let title = title.unwrap_or(&source.package.id);
    let body = source.format.map(|format| describe(format, Markup::Latex)).unwrap_or_default();
    // A title has no characters that mean something to TeX.
    let plain = title.replace(['\\', '{', '}', '$', '%', '#', '&', '_', '^', '~'], " ");
    made.add(&format!("{target}/problem.en.tex"), format!("\\problemname{{{plain}}}\n\n{body}"))
}
