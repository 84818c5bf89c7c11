//! The parts of a manifest that name the machine's compilers and interpreters.

use super::session::Session;
use rebut_diagnostics::Result;
use std::collections::BTreeMap;
use std::env::consts::{ARCH, OS};
use std::path::PathBuf;

/// Adds what decides how sources become programs: the compilers and interpreters of their languages, the flags that
/// only this machine gives them, and its kind of processor. Results of machines that differ in it are not merged.
///
/// # Errors
/// Returns an error if the work was cancelled.
pub(super) fn add_tool_parts(
    parts: &mut BTreeMap<String, String>,
    sources: &[PathBuf],
    session: &Session,
) -> Result<()> {
    parts.insert("processor".to_owned(), format!("{ARCH}, {OS}"));
    for tool in session.builder.identify_tools(sources, &session.cancel)? {
        let name = format!("{} for {}", tool.name, tool.language);
        parts.insert(name.clone(), tool.version);
        parts.insert(format!("{name}, file"), tool.digest);
        parts.insert(format!("{name}, flags of this machine"), tool.flags);
    }
    Ok(())
}
