//! The mode of a judge program, and the files in its working folder.

/// Names of files in the working folder of a run.
pub(super) const INPUT_FILE: &str = "input.txt";

pub(super) const ANSWER_FILE: &str = "answer.txt";

pub(super) const OUTPUT_FILE: &str = "output.txt";

/// Feedback file with the score of an accepted submission.
pub(super) const SCORE_FILE: &str = "score.txt";

/// Maximum number of bytes read from a feedback file with a number.
pub(super) const MAX_SCORE_BYTES: usize = 200;

/// Folder for the feedback files of a judge program that follows the ICPC package format.
pub(super) const FEEDBACK_FOLDER: &str = "feedback";

/// Same as an argument. It ends in a separator, since some programs append the name of a file to it.
pub(super) const FEEDBACK_ARGUMENT: &str = "feedback/";

/// The mode in which a judge program works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgeMode {
    /// It judges the output after the submission has exited.
    Validator,
    /// It converses with the submission.
    Interactor,
}
