//! Pictures that a package draws with programs of its own, as the ICPC package format describes them: one draws an input,
//! another the output of a submission. They are run within limits, like every program, and what they draw is a file that
//! is only looked at. A visualizer that fails draws nothing; that is no error.

use crate::event::FindingImage;
use rebut_diagnostics::Result;
use rebut_sandbox::{CancelToken, Program, RunFiles, RunJob, RunLimits};
use std::ffi::OsString;
use std::path::Path;

/// Names of files in the folder of a run.
const INPUT_FILE: &str = "input.txt";
const ANSWER_FILE: &str = "answer.txt";
/// The folder into which a visualizer of outputs draws.
const FEEDBACK_FOLDER: &str = "feedback";
/// The same as an argument, to which some programs append a name.
const FEEDBACK_ARGUMENT: &str = "feedback/";
/// Extensions of pictures.
const EXTENSIONS: [&str; 4] = ["svg", "png", "jpg", "jpeg"];
/// Maximum number of pictures of an output.
const MAX_IMAGES: usize = 4;
/// Maximum size in bytes of a picture.
const MAX_IMAGE_BYTES: usize = 1 << 18;

/// The visualizers of a package.
#[derive(Clone)]
pub struct Visualizers {
    /// Draws an input, given the files of the input and the answer.
    pub input: Option<Program>,
    /// Draws an output, given these files and a folder, and the output at its standard input.
    pub output: Option<Program>,
    /// Limits of both.
    pub limits: RunLimits,
}

impl Visualizers {
    /// Returns the pictures of an input: none without a visualizer, or if it draws none.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started, or if the work was cancelled.
    pub fn draw_input(
        &self,
        input: &[u8],
        answer: &[u8],
        further: &[String],
        cancel: &CancelToken,
    ) -> Result<Vec<FindingImage>> {
        let Some(program) = &self.input else { return Ok(Vec::new()) };
        let files = EXTENSIONS.iter().try_fold(test_case_files(input, answer)?, |files, extension| {
            files.with_collected(&format!("testcase.{extension}"))
        })?;
        let arguments = join_arguments(&[INPUT_FILE, ANSWER_FILE], further);
        let images = self.run_visualizer(program, &files, &arguments, b"", cancel)?;
        Ok(images
            .into_iter()
            .filter_map(|(_, bytes)| FindingImage::from_bytes(FindingImage::INPUT_TITLE, bytes))
            .take(1)
            .collect())
    }

    /// Returns the pictures of an output, those for the jury last: none without a visualizer, or if it draws none.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started, or if the work was cancelled.
    pub fn draw_output(
        &self,
        input: &[u8],
        answer: &[u8],
        output: &[u8],
        further: &[String],
        cancel: &CancelToken,
    ) -> Result<Vec<FindingImage>> {
        let Some(program) = &self.output else { return Ok(Vec::new()) };
        let files = test_case_files(input, answer)?.with_folder(FEEDBACK_FOLDER)?.with_collected(FEEDBACK_FOLDER)?;
        let arguments = join_arguments(&[INPUT_FILE, ANSWER_FILE, FEEDBACK_ARGUMENT], further);
        let images = self.run_visualizer(program, &files, &arguments, output, cancel)?;
        let is_image = |name: &str| name.starts_with("teamimage") || name.starts_with("judgeimage");
        let mut drawn: Vec<(String, Vec<u8>)> = images.into_iter().filter(|(name, _)| is_image(name)).collect();
        drawn.sort_by_key(|(name, _)| (name.starts_with("judgeimage"), name.clone()));
        let title = |name: &str| format!("Output, {}", name.rsplit_once('.').map_or(name, |(stem, _)| stem));
        let images = drawn.into_iter().filter_map(|(name, bytes)| FindingImage::from_bytes(&title(&name), bytes));
        Ok(images.take(MAX_IMAGES).collect())
    }

    /// Runs a visualizer, and returns the names and the contents of the files that it wrote.
    fn run_visualizer(
        &self,
        program: &Program,
        files: &RunFiles,
        arguments: &[OsString],
        stdin: &[u8],
        cancel: &CancelToken,
    ) -> Result<Vec<(String, Vec<u8>)>> {
        let job = RunJob { input: stdin, args: arguments, limits: &self.limits, files: Some(files) };
        let outcome = program.run_job(&job, cancel)?;
        let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let written = outcome.files.into_iter().filter(|(_, bytes)| bytes.len() <= MAX_IMAGE_BYTES);
        Ok(written.filter_map(|(path, bytes)| Some((name(&path)?, bytes))).collect())
    }
}

fn join_arguments(files: &[&str], further: &[String]) -> Vec<OsString> {
    files.iter().map(|name| RunFiles::path_argument(name)).chain(further.iter().map(OsString::from)).collect()
}

fn test_case_files(input: &[u8], answer: &[u8]) -> Result<RunFiles> {
    RunFiles::new().with_file(INPUT_FILE, input)?.with_file(ANSWER_FILE, answer)
}
