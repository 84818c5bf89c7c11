//! How strong the test set of a package is: how many tests kill each of its wrong submissions, which trivial programs
//! and mutants of accepted submissions pass, how the answers are spread, which bounds no test reaches, and how few tests would kill as much.
//!
//! Everything is computed from the verdict table that [`verify_submissions`](super::verify::verify_submissions) fills;
//! [`measure_strength`] runs only the checker, on the outputs of trivial programs, and [`run_mutants`] the mutants.

mod candidates;
mod mutant_blocks;
mod mutation;
mod target_runs;
mod test_cover;
mod trivial_programs;

use super::judging::Judge;
use super::probes::{JudgeOpinion, OpinionCache, OutputProbe, collect_output_opinions};
use super::profile::{MAX_COMMON_ANSWERS, most_common_answers, shannon_entropy_bits};
use super::verify::{VerifiedCase, VerifyPlan, VerifyResult};
use crate::event::{
    GoalReached, Kill, ProgramKills, StrengthScore, SubmissionMutants, TestKills, TestSelection, TestSetStrength,
};
pub use candidates::{SelectedTests, SelectionPlan, input_bounds, select_tests};
pub use mutant_blocks::{MutantBlock, MutantBlockTimes, MutantBlocks, SchemaResult};
pub use mutation::{
    CompileMutant, MutantFate, MutatedSubmission, MutationPlan, digest_tests, run_mutants, survivors_of,
};
use rebut_diagnostics::Result;
use rebut_format::coverage::Coverage;
use rebut_format::language::Format;
use rebut_format::read::read_input;
use rebut_packages::read_file;
use rebut_packages::verdict::Verdict;
use std::collections::BTreeMap;
use std::sync::Arc;
pub use target_runs::WrongSubmission;
use test_cover::cover_programs;
use trivial_programs::{AnswerCounts, TrivialProgram};

/// The package to measure, and how.
pub struct StrengthPlan<'a> {
    /// The package as it was verified.
    pub package: &'a VerifyPlan<'a>,
    /// The verdict table.
    pub verified: &'a VerifyResult,
    /// The format of inputs, if it is known.
    pub format: Option<&'a Format>,
    /// Number of tests that kill each wrong program in the smallest selection, if the test set has so many.
    pub depth: usize,
    /// Minimum score in percent.
    pub min_percent: Option<f64>,
    /// Mutants of accepted submissions, and the tests that kill them.
    pub mutation: Vec<SubmissionMutants>,
    /// Cache of the opinions of the checker on the outputs of trivial programs.
    pub opinions: &'a dyn OpinionCache,
}

/// A wrong program and the indices of the tests that kill it.
struct WrongProgram {
    name: String,
    kills: Vec<(usize, Verdict)>,
}

/// Measures the strength of a test set.
///
/// # Errors
/// Returns an error if a file cannot be read, if a checker cannot be started, or if the work was cancelled.
pub fn measure_strength(plan: &StrengthPlan<'_>) -> Result<TestSetStrength> {
    let cases = &plan.package.cases;
    let (answers, goals) = read_tests(plan)?;
    let trivial = judge_trivial_programs(plan, answers.trivial_programs())?;
    let submissions = wrong_submissions(plan);
    let kills = submissions.iter().chain(&trivial).map(|program| program.kills.iter().map(|(test, _)| *test).collect());
    let kills: Vec<Vec<usize>> = kills.collect();
    Ok(TestSetStrength {
        problem: plan.package.problem.clone(),
        folder: plan.package.folder.clone(),
        submissions: describe_kills(submissions, cases),
        trivial: describe_kills(trivial, cases),
        mutation: plan.mutation.clone(),
        tests: count_kills(&kills, cases),
        different_answers: answers.answers.len() as u64,
        entropy_bits: shannon_entropy_bits(&answers.answers),
        most_common: most_common_answers(&answers.answers, MAX_COMMON_ANSWERS),
        goals,
        selection: choose_tests(&kills, cases, plan.depth),
        score: score_programs(plan, &kills),
        pictures: BTreeMap::new(),
    })
}

/// Returns the score, given the tests that kill each wrong program.
fn score_programs(plan: &StrengthPlan<'_>, kills: &[Vec<usize>]) -> StrengthScore {
    let mutants = plan.mutation.iter().map(SubmissionMutants::valid_count).sum::<usize>();
    let survivors = plan.mutation.iter().map(|one| one.survivors().count()).sum::<usize>();
    StrengthScore {
        killed: kills.iter().filter(|tests| !tests.is_empty()).count(),
        programs: kills.len(),
        mutants_killed: mutants - survivors,
        mutants,
        mutants_alike: plan.mutation.iter().map(SubmissionMutants::alike_count).sum(),
        min_percent: plan.min_percent,
    }
}

/// Reads the tests: counts their answers, and the coverage goals that they reach.
fn read_tests(plan: &StrengthPlan<'_>) -> Result<(AnswerCounts, Vec<GoalReached>)> {
    let mut answers = AnswerCounts::default();
    let mut coverage = plan.format.map(Coverage::new);
    for case in plan.package.cases.iter().filter(|case| case.examiner.is_none()) {
        answers.count_answer(&read_file(&case.answer)?);
        if let (Some(coverage), Some(format)) = (&mut coverage, plan.format)
            && let Ok(value) = read_input(format, &read_file(&case.input)?)
        {
            coverage.count_input(&value);
        }
    }
    Ok((answers, coverage.iter().flat_map(Coverage::goals).map(GoalReached::from_goal).collect()))
}

/// Returns the submissions that have to be rejected, with the tests that reject them. Those that do not compile are
/// left out.
fn wrong_submissions(plan: &StrengthPlan<'_>) -> Vec<WrongProgram> {
    let rows = plan.package.submissions.iter().zip(&plan.verified.rows);
    let wrong =
        rows.filter(|(submission, _)| submission.expected.expectation.is_rejected() && submission.program.is_ok());
    let to_program =
        |(submission, assessed): (&super::verify::VerifiedSubmission, &super::verify::SubmissionAssessment)| {
            let known = assessed.row.known_cells().map(|(test, cell)| (test, cell.verdict));
            let kills = known.filter(|(_, verdict)| verdict.is_rejection()).collect();
            WrongProgram { name: submission.name.clone(), kills }
        };
    wrong.map(to_program).collect()
}

/// Returns true if the judge judges outputs that no program printed.
fn judges_outputs(case: &VerifiedCase) -> bool {
    let needs_program = match &case.judge {
        Judge::Checker(_) | Judge::Finder(_) => false,
        Judge::Program(_) => case.judge.needs_no_answer(),
    };
    case.examiner.is_none() && !needs_program
}

/// Judges the outputs of trivial programs. They are left out if the submission has to talk to the judge.
fn judge_trivial_programs(plan: &StrengthPlan<'_>, programs: Vec<TrivialProgram>) -> Result<Vec<WrongProgram>> {
    let cases = &plan.package.cases;
    if !cases.iter().all(judges_outputs) {
        return Ok(Vec::new());
    }
    let new = |program: &TrivialProgram| WrongProgram { name: program.description(), kills: Vec::new() };
    let mut judged: Vec<WrongProgram> = programs.iter().map(new).collect();
    for (test, case) in cases.iter().enumerate() {
        let files = Arc::new((read_file(&case.input)?, read_file(&case.answer)?));
        let probe = |program: &TrivialProgram| OutputProbe {
            name: String::new(),
            what: String::new(),
            case: Arc::clone(&files),
            output: program.make_output(&files.0, &files.1),
            is_valid: None,
            cause: String::new(),
            is_lenient: false,
            judge: case.judge.clone(),
        };
        let probes: Vec<OutputProbe> = programs.iter().map(probe).collect();
        let opinions = collect_output_opinions(&probes, plan.package.jobs, plan.opinions, &plan.package.cancel)?;
        for (program, opinion) in judged.iter_mut().zip(opinions) {
            if opinion != JudgeOpinion::Accepted {
                program.kills.push((test, Verdict::WrongAnswer));
            }
        }
    }
    Ok(judged)
}

/// Returns the programs with the names of the tests that kill them, the least killed first.
fn describe_kills(programs: Vec<WrongProgram>, cases: &[VerifiedCase]) -> Vec<ProgramKills> {
    let to_kill = |(test, verdict): (usize, Verdict)| Kill { test_case: cases[test].name.clone(), verdict };
    let describe = |program: WrongProgram| ProgramKills {
        program: program.name,
        killed_by: program.kills.into_iter().map(to_kill).collect(),
    };
    let mut described: Vec<ProgramKills> = programs.into_iter().map(describe).collect();
    described.sort_by_key(|program| program.killed_by.len());
    described
}

/// Counts the programs that each test kills.
fn count_kills(kills: &[Vec<usize>], cases: &[VerifiedCase]) -> Vec<TestKills> {
    let mut tests: Vec<TestKills> =
        cases.iter().map(|case| TestKills { test_case: case.name.clone(), ..TestKills::default() }).collect();
    for by in kills {
        by.iter().for_each(|test| tests[*test].kills += 1);
        if let [alone] = by[..] {
            tests[alone].kills_alone += 1;
        }
    }
    tests
}

/// Returns the smallest selection of tests that is found. The samples are always kept, since the statement prints them.
fn choose_tests(kills: &[Vec<usize>], cases: &[VerifiedCase], depth: usize) -> TestSelection {
    let samples: Vec<usize> = (0..cases.len()).filter(|test| cases[*test].is_sample()).collect();
    let cover = cover_programs(kills, cases.len(), depth, &samples);
    let name = |test: usize| cases[test].name.clone();
    let redundant = (0..cases.len()).filter(|test| !cover.chosen.contains(test)).map(name).collect();
    let tests = cover.chosen.iter().map(|test| name(*test)).collect();
    TestSelection { depth, tests, redundant, lower_bound: cover.lower_bound }
}
