//! The folders of probes below `data/`.

/// The validators that the files of a folder are for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ProbeKind {
    /// `.in` only: input validators.
    Input,
    /// `.in`, `.ans` and `.out`: the output validator.
    Output,
    /// `.in` and `.ans`: answer validators, and the output validator with the answer as the output.
    Answer,
    /// Depends on the files of each probe (an older convention).
    ByFiles,
}

/// Folders below `data/`, in both spellings in use.
pub(super) const PROBE_FOLDERS: [(&str, ProbeKind, bool); 10] = [
    ("invalid_input", ProbeKind::Input, false),
    ("invalid_inputs", ProbeKind::Input, false),
    ("valid_input", ProbeKind::Input, true),
    ("valid_inputs", ProbeKind::Input, true),
    ("invalid_output", ProbeKind::Output, false),
    ("invalid_outputs", ProbeKind::Output, false),
    ("valid_output", ProbeKind::Output, true),
    ("valid_outputs", ProbeKind::Output, true),
    ("invalid_answer", ProbeKind::Answer, false),
    ("invalid_answers", ProbeKind::Answer, false),
];

/// The only such folder in older versions of BAPCtools.
pub(super) const BAD_FOLDER: (&str, ProbeKind, bool) = ("bad", ProbeKind::ByFiles, false);

/// Returns true for folders of probes below `data/`.
pub(super) fn is_probe_folder(name: &str) -> bool {
    PROBE_FOLDERS.iter().chain([&BAD_FOLDER]).any(|(folder, ..)| *folder == name)
}
