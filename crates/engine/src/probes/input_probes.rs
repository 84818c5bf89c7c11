//! Probes of input validators.

use super::{JudgeOpinion, ValidatorQuery, get_or_query};
use crate::inputs::InputValidator;
use crate::parallel::run_in_parallel;
use rebut_diagnostics::Result;
use rebut_packages::{digest_folder, read_run_files};
use rebut_sandbox::RunJob;
use std::ffi::OsString;
use std::path::PathBuf;

/// An input for probing validators.
pub struct InputProbe {
    /// Name.
    pub name: String,
    /// What is wrong with it, or where it comes from if it is valid.
    pub what: String,
    /// The input.
    pub bytes: Vec<u8>,
    /// Whether all validators must accept it; otherwise at least one must refuse it.
    pub is_valid: bool,
    /// The mistake of a validator that accepts it, such as a constraint that is not checked. Exposures with the same
    /// cause are merged.
    pub cause: String,
    /// Whether accepting it is only lenient.
    pub is_lenient: bool,
    /// Arguments for each validator.
    pub arguments: Vec<Vec<OsString>>,
    /// Folder with the files of its test case, if there is one.
    pub files: Option<PathBuf>,
}

/// Returns the opinions of the validators on each input, in the order of the validators.
///
/// # Errors
/// Returns an error if a validator cannot be started, or if the work was cancelled.
pub fn collect_input_opinions(
    query: &ValidatorQuery<'_, InputValidator>,
    probes: &[InputProbe],
) -> Result<Vec<Vec<JudgeOpinion>>> {
    let collect = |number: usize| {
        let probe = &probes[number];
        let validators = query.validators.iter().enumerate();
        validators
            .map(|(number, validator)| {
                let none = Vec::new();
                query_validator(query, validator, probe, probe.arguments.get(number).unwrap_or(&none))
            })
            .collect()
    };
    run_in_parallel(query.jobs, probes.len(), collect, &mut |_| ())
}

fn query_validator(
    query: &ValidatorQuery<'_, InputValidator>,
    validator: &InputValidator,
    probe: &InputProbe,
    args: &[OsString],
) -> Result<JudgeOpinion> {
    let (input, limits) = (&probe.bytes[..], &query.limits);
    let files = digest_folder(probe.files.as_deref())?;
    let words = format!("{:?} {args:?} {limits:?} {files}", validator.convention);
    let parts = validator.identity.as_ref().map(|identity| [identity.as_bytes(), words.as_bytes(), input]);
    let parts = parts.as_ref().map(|parts| &parts[..]);
    get_or_query(query.cache, parts, || {
        let files = read_run_files(probe.files.as_deref())?;
        let job = RunJob { input, args, limits, files: files.as_ref() };
        JudgeOpinion::from_answer(validator.check_job(&job, &query.cancel).map(|(refusal, _)| refusal))
    })
}
