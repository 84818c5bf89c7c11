//! Saves a finding in a folder: before it is shrunk, and again when it is complete.

use crate::event::{
    EventSink, Finding, FindingChoices, FindingImage, JudgeKind, NoSink, SanitizerFinding, SavedFinding,
};
use rebut_diagnostics::Result;
use rebut_packages::{FINDING_RECORD_VERSION, FindingFiles, FindingPages, FindingRecord};
use std::path::{Path, PathBuf};

/// Completes findings with what the search for them does not need. By default, that is nothing.
pub trait FindingTools {
    /// Renders the pages of a finding that is saved, given its folder.
    fn render_pages(&self, _finding: &Finding, _folder: &Path) -> FindingPages {
        FindingPages::default()
    }

    /// Runs the smallest crashing input once more with sanitizers. Returns `None` if the program cannot be built with them.
    fn run_with_sanitizers(&self, _source: &Path, _input: &[u8]) -> Option<SanitizerFinding> {
        None
    }

    /// Draws the input and the output of a finding, if the package has programs for that.
    fn draw_images(&self, _finding: &Finding) -> Vec<FindingImage> {
        Vec::new()
    }
}

impl FindingTools for NoSink {}

/// Saves the findings against one program.
pub(super) struct FindingSaver<'a> {
    /// Folder for findings, or `None` to save nothing.
    pub(super) findings: Option<&'a Path>,
    /// Renders the pages of a finding.
    pub(super) tools: &'a dyn FindingTools,
    /// The circumstances to be recorded. The rest is filled in from the finding.
    pub(super) record: FindingRecord,
    /// The source of the submission, or `None` if the reference failed.
    pub(super) source: Option<&'a Path>,
}

impl<'a> FindingSaver<'a> {
    /// Saves a finding before it is shrunk. An error is ignored, since it will occur and be reported again at the end.
    pub(super) fn save_before_shrinking(&self, finding: &Finding) -> Option<PathBuf> {
        self.write_finding_folder(self.findings?, finding).ok()
    }

    /// Replaces an earlier state of a saved finding.
    pub(super) fn replace_saved_finding(
        &self,
        saved: Option<PathBuf>,
        mut finding: Finding,
        sink: &mut dyn EventSink,
    ) -> Finding {
        let Some(folder) = saved else { return self.save_finding(finding, sink) };
        match self.replace_finding_folder(&folder, &finding) {
            Ok(folder) => {
                finding.saved = saved_in(&folder);
                finding
            }
            Err(_) => self.save_finding(finding, sink),
        }
    }

    /// Saves a finding in the findings folder, or in a temporary folder if that fails, so that it is never lost.
    pub(super) fn save_finding(&self, mut finding: Finding, sink: &mut dyn EventSink) -> Finding {
        let Some(parent) = self.findings else { return finding };
        for use_spare in [false, true] {
            let parent = if use_spare { rebut_packages::create_spare_folder() } else { Ok(parent.to_owned()) };
            match parent.and_then(|parent| self.write_finding_folder(&parent, &finding)) {
                Ok(folder) => {
                    finding.saved = saved_in(&folder);
                    break;
                }
                Err(error) => sink.warn_with_help(
                    format!("failed to save the finding: {error}"),
                    "choose another folder with `--findings DIR`",
                ),
            }
        }
        finding
    }

    fn write_finding_folder(&self, parent: &Path, finding: &Finding) -> Result<PathBuf> {
        let (files, pages) = self.finding_files(finding);
        rebut_packages::save_finding(parent, &finding_folder_name(finding), &files, &pages)
    }

    fn replace_finding_folder(&self, folder: &Path, finding: &Finding) -> Result<PathBuf> {
        let (files, pages) = self.finding_files(finding);
        rebut_packages::replace_finding(folder, &finding_folder_name(finding), &files, &pages)
    }

    /// Returns the files of a finding, and a function that renders its pages.
    fn finding_files<'f>(
        &'f self,
        finding: &'f Finding,
    ) -> (FindingFiles, impl Fn(&Path) -> FindingPages + use<'f, 'a>) {
        let files = FindingFiles {
            record: self.build_finding_record(finding),
            input: finding.run.input.clone(),
            original: finding.origin.original.clone(),
            answer: finding.run.answer.clone(),
            output: finding.run.output.clone(),
            stderr: finding.run.stderr.clone(),
            choices: finding
                .origin
                .choices
                .as_ref()
                .map_or_else(Vec::new, |choices| choices.request.clone().into_bytes()),
        };
        let pages = move |folder: &Path| {
            let placed = Finding { saved: saved_in(folder), ..finding.clone() };
            self.tools.render_pages(&placed, folder)
        };
        (files, pages)
    }

    fn build_finding_record(&self, finding: &Finding) -> FindingRecord {
        let absolute = |p: &Path| std::path::absolute(p).unwrap_or_else(|_| p.to_owned());
        FindingRecord {
            version: FINDING_RECORD_VERSION,
            culprit: if self.source.is_some() { "submission" } else { "reference" }.to_owned(),
            verdict: finding.failure.verdict.code().to_owned(),
            message: finding.failure.message.clone(),
            submission: self.source.map_or_else(|| self.record.submission.clone(), absolute),
            case: finding.origin.case,
            shape: finding.origin.shape.clone(),
            generator: finding.origin.choices.as_ref().map(FindingChoices::to_record),
            flaky: finding.failure.flaky,
            shrink_complete: finding.minimization.is_complete,
            certificate: finding.proof.certificate.clone(),
            ..self.record.clone()
        }
    }
}

/// Returns the suffix of the folder's name, such as `sub-wrong-answer`. It is safe in any shell.
fn finding_folder_name(finding: &Finding) -> String {
    let stem = Path::new(&finding.failure.submission)
        .file_stem()
        .map(|s| s.to_string_lossy().into_owned())
        .unwrap_or_default();
    let to_safe = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '.' { c } else { '-' };
    let stem: String = stem.chars().map(to_safe).take(40).collect();
    let verdict = if finding.is_confirmed() && finding.run.judged_by == JudgeKind::Expression {
        "found".to_owned()
    } else if finding.is_confirmed() {
        finding.failure.verdict.description().replace(' ', "-")
    } else {
        "unconfirmed".to_owned()
    };
    format!("{}-{verdict}", stem.trim_matches(['-', '.']))
}

fn saved_in(folder: &Path) -> SavedFinding {
    SavedFinding { folder: Some(folder.to_owned()), replay: Some(replay_command(folder)), shrink: None }
}

/// Returns the command that replays a finding, quoted where the shell needs it.
fn replay_command(folder: &Path) -> String {
    format!("rebut replay {}", quote_for_shell(&folder.to_string_lossy()))
}

/// Returns a word of a command line, quoted where the shell needs it.
pub fn quote_for_shell(word: &str) -> String {
    let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-+:@%,".contains(c));
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::FindingFailure;
    use rebut_packages::verdict::Verdict;

    #[test]
    fn commands_are_quoted_where_a_shell_needs_it() {
        assert_eq!(
            replay_command(Path::new("findings/001-a.b-wrong-answer")),
            "rebut replay findings/001-a.b-wrong-answer"
        );
        assert_eq!(replay_command(Path::new("my findings/1")), "rebut replay 'my findings/1'");
        assert_eq!(replay_command(Path::new("it's")), r"rebut replay 'it'\''s'");
    }

    #[test]
    fn folders_are_named_after_the_submission_and_the_verdict() {
        let named = |submission: &str, verdict| {
            finding_folder_name(&Finding::from_failure(FindingFailure::new(submission, verdict)))
        };
        assert_eq!(named("sub.cpp", Verdict::WrongAnswer), "sub-wrong-answer");
        assert_eq!(named("a/b c$d.py", Verdict::TimeLimit), "b-c-d-time-limit-exceeded");
        assert!(named(&"x".repeat(100), Verdict::RuntimeError).len() < 60);
    }
}
