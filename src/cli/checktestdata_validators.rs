//! Checktestdata scripts of a package, read as formats: those among the input validators judge inputs like any other
//! validator.

use super::compile_programs::{display_file_name, is_checktestdata_script};
use super::session::Session;
use rebut_diagnostics::{Result, SourceText};
use rebut_engine::event::{Event, EventSink, WarningEvent};
use rebut_format::invalid;
use rebut_format::language::Format;
use rebut_packages::Package;
use rebut_packages::checktestdata;
use std::path::Path;

/// The checktestdata scripts of a package.
pub(super) struct ChecktestdataValidators {
    /// File names and formats of the scripts that a format expresses exactly.
    pub(super) formats: Vec<(String, Format)>,
    /// Whether there are others: what they would refuse is not known.
    pub(super) has_unsupported: bool,
}

impl ChecktestdataValidators {
    /// Reads the scripts among the input validators. A script that no format expresses exactly is skipped with a warning.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub(super) fn read(package: &Package, session: &mut Session) -> Result<ChecktestdataValidators> {
        let mut scripts = ChecktestdataValidators { formats: Vec::new(), has_unsupported: false };
        for path in package.input_validators.iter().filter(|path| is_checktestdata_script(path)) {
            if let Some(format) = read_script_format(path, session)? {
                scripts.formats.push((display_file_name(path), format));
            } else {
                scripts.has_unsupported = true;
                let message = format!("`{}` is not run: no format expresses the same", path.display());
                session.take_event(&Event::Warning(WarningEvent { message, help: None }));
            }
        }
        Ok(scripts)
    }

    /// Returns true if one of the scripts refuses an input.
    pub(super) fn refuses_input(&self, input: &[u8]) -> bool {
        self.formats.iter().any(|(_, format)| invalid::find_refusal(format, input).is_some())
    }
}

/// Reads a checktestdata script as a format, which is stopped together with the command. Returns `None` unless a format
/// expresses the script exactly.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub(super) fn read_script_format(path: &Path, session: &Session) -> Result<Option<Format>> {
    let Some(text) = convert_script_exactly(path)? else { return Ok(None) };
    let source = SourceText::new(path.display().to_string(), text);
    let parsed = Format::parse(&source).ok();
    Ok(parsed.map(|(format, _)| Format { stop_token: session.stop_token(), ..format }))
}

/// Returns the text of the format that expresses a checktestdata script exactly, or `None` if there is none.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub(super) fn convert_script_exactly(path: &Path) -> Result<Option<Vec<u8>>> {
    let script = SourceText::new(path.display().to_string(), rebut_packages::read_description(path)?);
    let converted = checktestdata::convert_script(&script).ok().filter(|found| found.exact);
    Ok(converted.map(|found| found.text.into_bytes()))
}
