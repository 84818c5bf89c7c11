//! A program of the jury, and how it wants to be called.

use crate::campaign::bench::{Trial, judged};
use crate::diagnostic::{Error, Result};
use crate::run::{Cancel, Exit, Job, Limits, Luggage, Outcome, Program};
use crate::score::Given;
use crate::verdict::Verdict;
use rebut_checkers::{Convention, Judgement};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

/// The names of files in the folder of a run.
pub(super) const INPUT: &str = "input.txt";
pub(super) const ANSWER: &str = "answer.txt";
const OUTPUT: &str = "output.txt";
/// The file with the points of what is accepted.
pub(super) const SCORE: &str = "score.txt";
/// So much is read of a file with a number, in bytes.
const LONGEST_SCORE: usize = 200;
/// The folder into which a program of an ICPC package writes what it has to say.
pub(super) const FEEDBACK: &str = "feedback";

/// The same as an argument: it ends in a separator, so that the name of a file can be put behind it.
const FEEDBACK_ARGUMENT: &str = "feedback/";

/// What a program of the jury does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// It is asked about each output.
    Checks,
    /// It speaks with the submission.
    Interacts,
}

/// A program of the jury that judges submissions.
#[derive(Clone)]
pub struct JuryProgram {
    /// The program.
    pub program: Program,
    /// How it is called, and what its exit statuses mean.
    pub convention: Convention,
    /// Further arguments.
    pub arguments: Vec<String>,
    /// What it may use.
    pub limits: Limits,
    /// What it does.
    pub manner: Manner,
    /// How many times a submission may be run on a test case: 1 but in multi-pass problems.
    pub most_passes: u32,
    /// Whether it may give points: those of testlib by an exit status, all others in files.
    pub gives_points: bool,
    /// What decides how it behaves; none if nobody knows.
    pub identity: Option<String>,
    /// What it is called on the command line and in findings.
    pub name: String,
}

/// What it said after a run.
pub(super) struct Said {
    /// Whether the output is right.
    pub(super) judgement: Judgement,
    /// What it left in its folder, by the names within.
    pub(super) feedback: Vec<(String, Vec<u8>)>,
}

impl Said {
    /// What it said of the points, where it is the one that decided.
    pub(super) fn given(&self, verdict: Verdict) -> Given {
        let has_decided = matches!(
            (&self.judgement, verdict),
            (Judgement::Accepted, Verdict::Accepted) | (Judgement::Wrong(_), Verdict::WrongAnswer)
        );
        let text = |name: &str| {
            let (_, bytes) = self.feedback.iter().find(|(file, _)| has_decided && file == name)?;
            Some(String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST_SCORE)]).into_owned())
        };
        Given { score: text(SCORE), multiplier: text("score_multiplier.txt") }
    }
}

impl JuryProgram {
    /// What people call it: its file's name.
    pub fn title(&self) -> String {
        self.program.file_name()
    }

    pub(super) fn name(&self) -> String {
        self.name.clone()
    }

    /// What decides how it judges, as a word; none if nobody knows.
    pub fn identity(&self) -> Option<String> {
        let JuryProgram { convention, arguments, limits, manner, most_passes, gives_points, .. } = self;
        let rest = format!("{convention:?} {arguments:?} {limits:?} {manner:?} {most_passes} {gives_points}");
        Some(format!("{} {rest}", self.identity.as_ref()?))
    }

    /// What it takes along: the test case, and what it left in its folder in an earlier pass.
    ///
    /// # Errors
    /// If memory is short.
    pub(super) fn luggage(&self, input: &[u8], answer: &[u8], feedback: &[(String, Vec<u8>)]) -> Result<Luggage> {
        let luggage = Luggage::new().with_file(INPUT, input)?.with_file(ANSWER, answer)?;
        if self.convention == Convention::Testlib {
            return Ok(luggage);
        }
        let luggage = if feedback.is_empty() { luggage.with_folder(FEEDBACK)? } else { luggage };
        let luggage = feedback
            .iter()
            .try_fold(luggage, |luggage, (name, bytes)| luggage.with_file(&format!("{FEEDBACK}/{name}"), bytes))?;
        luggage.bringing(FEEDBACK)
    }

    /// Its arguments after a run of the submission; of an interactor those before it.
    pub(super) fn arguments(&self) -> Vec<OsString> {
        let further = self.arguments.iter().map(OsString::from);
        let files = match (self.convention, self.manner) {
            (Convention::Kattis, _) => [INPUT, ANSWER, FEEDBACK_ARGUMENT],
            (Convention::Testlib, _) => [INPUT, OUTPUT, ANSWER],
        };
        files.map(Luggage::place).into_iter().chain(further).collect()
    }

    /// Asks it about an output.
    ///
    /// # Errors
    /// If it cannot be run at all, or the work was interrupted.
    pub(super) fn check(
        &self,
        input: &[u8],
        answer: &[u8],
        output: &[u8],
        feedback: &[(String, Vec<u8>)],
        cancel: &Cancel,
    ) -> Result<Said> {
        let luggage = self.luggage(input, answer, feedback)?;
        let (luggage, stdin) = match self.convention {
            Convention::Kattis => (luggage, output),
            Convention::Testlib => (luggage.with_file(OUTPUT, output)?, &[][..]),
        };
        let arguments = self.arguments();
        let job = Job { input: stdin, args: &arguments, limits: &self.limits, luggage: Some(&luggage) };
        Ok(self.heard(self.program.run_job(&job, cancel)?))
    }

    /// Asks it about the sources of a submission, in a language and with an entry point.
    ///
    /// # Errors
    /// If it cannot be run at all, or the work was interrupted.
    pub fn examine(&self, sources: &[(String, Vec<u8>)], about: [&str; 2], cancel: &Cancel) -> Result<Trial> {
        let luggage = Luggage::new().with_folder(FEEDBACK)?.bringing(FEEDBACK)?;
        let mut files = sources.iter();
        let luggage = files.try_fold(luggage, |luggage, (name, bytes)| luggage.with_file(name, bytes))?;
        let further = self.arguments.iter().map(OsString::from);
        let mut arguments = about.map(OsString::from).to_vec();
        arguments.extend([Luggage::place(FEEDBACK_ARGUMENT)].into_iter().chain(further));
        let job = Job { input: b"", args: &arguments, limits: &self.limits, luggage: Some(&luggage) };
        let said = self.heard(self.program.run_job(&job, cancel)?);
        // The submission was not run: it took no time.
        let not_run = Outcome {
            exit: Exit::Code(0),
            limit: None,
            cpu_time_us: 0,
            wall_time_us: 0,
            memory_peak_bytes: 0,
            output: Vec::new(),
            stderr: Vec::new(),
            files: BTreeMap::new(),
        };
        let trial = judged(not_run, |_| said.judgement.clone());
        Ok(Trial { given: said.given(trial.verdict), ..trial })
    }

    /// Whether an ended run of it found against the submission.
    pub(super) fn refuses(&self, outcome: &Outcome) -> bool {
        matches!(super::spoken::judgement(self.convention, outcome), Judgement::Wrong(_))
    }

    /// What an ended run of it means.
    pub(super) fn heard(&self, outcome: Outcome) -> Said {
        if self.gives_points
            && let Some(said) = super::spoken::points(self.convention, &outcome)
        {
            return said;
        }
        let judgement = super::spoken::judgement(self.convention, &outcome);
        let within = |path: &Path| {
            let name = path.strip_prefix(FEEDBACK).ok()?.to_str()?;
            Some(name.to_owned())
        };
        let feedback = outcome.files.into_iter().filter_map(|(path, bytes)| Some((within(&path)?, bytes))).collect();
        Said { judgement, feedback }
    }

    /// An error for a jury's program that is asked for what it cannot do.
    ///
    /// # Errors
    /// A testlib program cannot have several passes.
    pub fn checked(self) -> Result<Self> {
        if self.convention == Convention::Testlib && self.most_passes > 1 {
            return Err(Error::usage(format!("`{}` is written with testlib, which knows no passes", self.name)));
        }
        Ok(self)
    }
}
