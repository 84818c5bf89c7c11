//! The manifest of a journal: what the results of its blocks depend on.

use crate::stored_files::digest_parts;
use rebut_diagnostics::{Error, Result, to_json_pretty};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Current version of the journal's files.
pub const JOURNAL_VERSION: u32 = 1;

/// The name of the manifest's file.
pub(super) const MANIFEST_FILE: &str = "manifest.json";

/// The conditions of the results of all blocks. Journals are merged only if their manifests are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalManifest {
    /// Version of the journal's files.
    pub version: u32,
    /// Arguments of the command that makes the same plan again, without those that choose a shard or a report.
    pub arguments: Vec<String>,
    /// Everything else that a result depends on, by a name for people: settings, and digests of programs and formats.
    pub parts: BTreeMap<String, String>,
}

impl JournalManifest {
    /// Returns the digest of the manifest, which each block names.
    pub fn digest(&self) -> String {
        let mut parts: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let (version, count) = (self.version.to_string(), parts.len().to_string());
        parts.extend([version.as_str(), count.as_str()]);
        parts.extend(self.parts.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]));
        digest_parts(&parts)
    }

    /// Compares with another manifest. Both are named by the place they were found in.
    ///
    /// # Errors
    /// Returns an error with the differences, if there are some.
    pub fn require_same(&self, own_place: &str, other: &JournalManifest, place: &str) -> Result<()> {
        if self == other {
            return Ok(());
        }
        let names = self.parts.keys().chain(other.parts.keys());
        let names: std::collections::BTreeSet<&String> = names.collect();
        let show = |part: Option<&String>| part.map_or_else(|| "absent".to_owned(), |text| shorten_value(text));
        let mut differences: Vec<String> = names
            .into_iter()
            .filter(|name| self.parts.get(*name) != other.parts.get(*name))
            .map(|name| format!("{name}: {} / {}", show(self.parts.get(name)), show(other.parts.get(name))))
            .collect();
        if self.version != other.version {
            differences.insert(0, format!("version of the journal: {} / {}", self.version, other.version));
        }
        if self.arguments != other.arguments {
            let join = |arguments: &[String]| arguments.join(" ");
            differences.push(format!("arguments: {} / {}", join(&self.arguments), join(&other.arguments)));
        }
        Err(Error::usage_error(format!("{place} is of another search than {own_place}"))
            .with_note(format!("first that of {own_place}, then that of {place}\n{}", differences.join("\n")))
            .with_help(
                "blocks are merged only if programs, compilers, format, limits, seed and number of inputs are the same",
            ))
    }

    pub(super) fn to_text(&self) -> Result<String> {
        to_json_pretty(self).map_err(|e| Error::operating_error(e.to_string()))
    }

    /// Parses the file.
    ///
    /// # Errors
    /// Returns an error if it is damaged, or was written by a newer version. `place` names it.
    pub(super) fn parse(bytes: &[u8], place: &str) -> Result<JournalManifest> {
        let manifest: JournalManifest = serde_json::from_slice(bytes)
            .map_err(|e| Error::usage_error(format!("the manifest of {place} is damaged: {e}")))?;
        if manifest.version > JOURNAL_VERSION {
            return Err(Error::usage_error(format!(
                "{place} was written by a newer rebut (version {}, supported up to {JOURNAL_VERSION})",
                manifest.version
            )));
        }
        Ok(manifest)
    }
}

/// Shortens a digest or a long text.
fn shorten_value(text: &str) -> String {
    const MAX_VALUE_CHARS: usize = 80;
    const SHOWN_DIGEST_CHARS: usize = 12;
    let is_digest = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let shown = if is_digest { SHOWN_DIGEST_CHARS } else { MAX_VALUE_CHARS };
    if text.chars().count() <= shown {
        return text.to_owned();
    }
    let start: String = text.chars().take(shown).collect();
    format!("{start}...")
}
