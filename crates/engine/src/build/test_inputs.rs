//! Makes the inputs of a test set.

use super::answer_filter::RareAnswer;
use super::built_piece::BuiltPiece;
use super::test_job::{InputFailure, InputMethod, MakeError, NewInput, TestJob};
use super::{BuildPlan, drawn_inputs};
use crate::event::{BuildFlaw, BuildFlawKind, Event, EventSink};
use crate::parallel::{Progress, run_in_parallel_with_remarks};
use rebut_diagnostics::{ErrorKind, Result};
use rebut_packages::recipe::input_file_names;
use std::collections::{BTreeMap, BTreeSet};

/// An input of a test set, before it is checked.
#[derive(Clone, Debug)]
pub(super) struct TestInput {
    /// Index of its test job.
    pub(super) order: usize,
    /// Path relative to `data/`, without extension.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) key: String,
    /// Shape or source, as reported.
    pub(super) shape: String,
    /// The shape that formed it, if it was drawn in one piece.
    pub(super) drawn_shape: Option<String>,
    /// Whether it is from an earlier build.
    pub(super) is_reused: bool,
    /// Whether its generator prints the same input for another seed.
    pub(super) ignores_seed: bool,
}

/// A piece of the work on the inputs: one input, or all of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InputPiece {
    /// Index of the job.
    pub(super) order: usize,
    pub(super) index: usize,
}

/// The inputs made by one piece of work, with their keys, and whether each is reused.
pub(super) type JobInputs = std::result::Result<Vec<(NewInput, String, bool)>, InputFailure>;

/// Makes all inputs, or takes them from the pieces that other machines made; of candidates only those that are known to be
/// selected, if any are. Returns them with the flaws of those that could not be made. Calls `on_progress` with the number
/// of pieces done, their total and the sink, and warns once of each job whose answer is rare.
pub(super) fn make_inputs(
    plan: &BuildPlan<'_>,
    known: Option<&KnownSelection>,
    on_progress: &dyn Fn(usize, usize, &mut dyn EventSink),
    sink: &mut dyn EventSink,
) -> Result<(Vec<TestInput>, Vec<BuildFlaw>)> {
    let pieces = find_pieces(plan, known);
    let mut warned = BTreeSet::new();
    let parts = match plan.pieces {
        Some(built) => pieces.iter().zip(built).map(|(piece, built)| recall_piece(plan, *piece, built)).collect(),
        None => {
            let make =
                |i: usize, remark: &dyn Fn(_)| make_piece(plan, pieces[i], &|rare| remark((pieces[i].order, rare)));
            run_in_parallel_with_remarks(plan.jobs, pieces.len(), make, &mut |progress| match progress {
                Progress::Finished(done) => on_progress(done, pieces.len(), sink),
                Progress::Remark((order, rare)) => {
                    if warned.insert(order) {
                        sink.take_event(&Event::Warning(rare.warning(&plan.test_jobs[order].display_name())));
                    }
                }
            })?
        }
    };
    let mut inputs: Vec<Vec<(NewInput, String, bool)>> = plan.test_jobs.iter().map(|_| Vec::new()).collect();
    let mut flaws = Vec::new();
    for (InputPiece { order, .. }, part) in pieces.iter().zip(parts) {
        match part {
            Ok(part) => inputs[*order].extend(part),
            Err(InputFailure { kind, message, note }) => {
                flaws.push(
                    BuildFlaw::new(*order, &plan.test_jobs[*order].display_name(), kind, message).with_note(note),
                );
            }
        }
    }
    copy_inputs(plan, &mut inputs);
    flaws.dedup_by(|b, a| a.order == b.order && a.kind == b.kind && a.message == b.message);
    let named = inputs.into_iter().enumerate().flat_map(|(i, parts)| {
        let paths = known.and_then(|known| known.get(&i));
        name_inputs(&plan.test_jobs[i], i, parts, paths.map_or(&[][..], Vec::as_slice))
    });
    Ok((named.collect(), flaws))
}

/// Returns the pieces of the work on all inputs, in the order of the jobs; copies are none.
pub(super) fn find_pieces(plan: &BuildPlan<'_>, known: Option<&KnownSelection>) -> Vec<InputPiece> {
    plan.test_jobs.iter().enumerate().flat_map(|(order, job)| split_into_pieces(order, job, known)).collect()
}

/// Splits a job into pieces of work: one for each input if the number of inputs is known in advance.
fn split_into_pieces(order: usize, job: &TestJob, known: Option<&KnownSelection>) -> Vec<InputPiece> {
    let piece = |index: usize| InputPiece { order, index };
    if let Some(selected) = known.and_then(|known| known.get(&order)) {
        return selected.iter().map(|(index, _)| piece(*index)).collect();
    }
    match job.method {
        InputMethod::Copy(_) => Vec::new(),
        InputMethod::Exhaustive | InputMethod::Bytes(_) | InputMethod::Slow => vec![piece(0)],
        InputMethod::Draw(_) | InputMethod::Program { .. } => (0..job.count as usize).map(piece).collect(),
    }
}

/// Makes the copies, once the inputs that they copy exist.
fn copy_inputs(plan: &BuildPlan<'_>, inputs: &mut [Vec<(NewInput, String, bool)>]) {
    for (i, job) in plan.test_jobs.iter().enumerate() {
        if let InputMethod::Copy(original) = job.method {
            inputs[i] = inputs.get(original).cloned().unwrap_or_default();
            for (index, (_, key, _)) in inputs[i].iter_mut().enumerate() {
                *key = job.input_key(index);
            }
        }
    }
}

/// Names the inputs of a piece. The other pieces of its job are assumed to make an input each.
pub(super) fn name_piece(
    plan: &BuildPlan<'_>,
    InputPiece { order, index }: InputPiece,
    parts: Vec<(NewInput, String, bool)>,
) -> Vec<TestInput> {
    let job = &plan.test_jobs[order];
    match job.method {
        InputMethod::Draw(_) | InputMethod::Program { .. } => {
            let name = input_file_names(&job.stem, job.count as usize).into_iter().nth(index).unwrap_or_default();
            name_inputs(job, order, parts, &[(index, format!("{}/{name}", job.folder))])
        }
        _ => name_inputs(job, order, parts, &[]),
    }
}

/// Names the inputs of a job. Selected candidates keep their paths.
fn name_inputs(
    job: &TestJob,
    number: usize,
    parts: Vec<(NewInput, String, bool)>,
    selected: &[(usize, String)],
) -> Vec<TestInput> {
    let names = input_file_names(&job.stem, parts.len()).into_iter().map(|name| format!("{}/{name}", job.folder));
    let selected_at = |at: usize| selected.get(at).cloned();
    let inputs = names.zip(parts).enumerate().map(|(at, (name, (fresh, key, is_reused)))| TestInput {
        order: number,
        name: selected_at(at).map_or(name, |(_, path)| path),
        bytes: fresh.bytes,
        drawn_shape: fresh.shape,
        key,
        shape: job.input_shape(selected_at(at).map_or(at, |(index, _)| index)),
        is_reused,
        ignores_seed: fresh.ignores_seed,
    });
    inputs.collect()
}

/// Makes the input with the given index, or all inputs of a job, or reuses those on disk. Failures of the system and
/// interruptions are errors; failures that the recipe or a judge program is to blame for are flaws.
pub(super) fn make_piece(
    plan: &BuildPlan<'_>,
    InputPiece { order, index }: InputPiece,
    on_rare_answer: &dyn Fn(RareAnswer),
) -> Result<JobInputs> {
    let job = &plan.test_jobs[order];
    if !plan.rebuild_all
        && let Some(reused) = find_reusable_inputs(plan, job, index)
    {
        return Ok(Ok(reused));
    }
    let (judge_setup, single) = (&plan.judge_setup, |input| vec![input]);
    let made = match &job.method {
        InputMethod::Draw(drawn) => drawn_inputs::draw_input(plan, job, drawn, index, on_rare_answer).map(single),
        InputMethod::Exhaustive => drawn_inputs::enumerate_inputs(judge_setup, job),
        InputMethod::Program { program, arguments } => {
            drawn_inputs::generate_input(judge_setup, job, (program, arguments), index).map(single)
        }
        InputMethod::Bytes(bytes) => Ok(single(NewInput { bytes: bytes.clone(), ..NewInput::default() })),
        InputMethod::Copy(_) => Ok(Vec::new()),
        InputMethod::Slow => find_slow_inputs(plan, job),
    };
    match made {
        Err(MakeError::System(error)) if matches!(error.kind(), ErrorKind::Usage | ErrorKind::Judge) => {
            let kind =
                if error.kind() == ErrorKind::Judge { BuildFlawKind::Generator } else { BuildFlawKind::NotGenerated };
            Ok(Err(InputFailure::new(kind, error.message().to_owned(), error.note().unwrap_or_default().to_owned())))
        }
        Err(MakeError::System(error)) => Err(error),
        Err(MakeError::Flaw(flaw)) => Ok(Err(flaw)),
        Ok(files) => Ok(Ok(key_inputs(job, index, files))),
    }
}

/// Finds the inputs on which submissions do the most work.
fn find_slow_inputs(plan: &BuildPlan<'_>, job: &TestJob) -> std::result::Result<Vec<NewInput>, MakeError> {
    let found = plan.find_slow.map_or(Ok(Vec::new()), |find| find(job))?;
    if found.is_empty() {
        let message = "no submission that must be too slow does more work on some inputs than an accepted one";
        let note = "a submission must exceed the time limit, and its language must be C, C++ or Rust";
        return Err(InputFailure::new(BuildFlawKind::NotGenerated, message.to_owned(), note.to_owned()).into());
    }
    Ok(found.into_iter().map(|bytes| NewInput { bytes, ..NewInput::default() }).collect())
}

/// Returns the inputs of a piece that another machine made.
fn recall_piece(plan: &BuildPlan<'_>, InputPiece { order, index }: InputPiece, built: &BuiltPiece) -> JobInputs {
    let is_on_disk = |key: &str| !plan.rebuild_all && plan.set.find_built_bytes(key).is_some();
    let keyed = key_inputs(&plan.test_jobs[order], index, built.to_inputs()?).into_iter();
    Ok(keyed.map(|(input, key, _)| (input, key.clone(), is_on_disk(&key))).collect())
}

/// Returns the inputs that a piece made, with their keys.
fn key_inputs(job: &TestJob, index: usize, files: Vec<NewInput>) -> Vec<(NewInput, String, bool)> {
    match job.method {
        InputMethod::Exhaustive | InputMethod::Slow => key_files(job, files),
        _ => files.into_iter().map(|input| (input, job.input_key(index), false)).collect(),
    }
}

fn key_files(job: &TestJob, files: Vec<NewInput>) -> Vec<(NewInput, String, bool)> {
    let last = files.len().saturating_sub(1);
    let key = |i: usize| if i == last { job.last_input_key(i) } else { job.input_key(i) };
    files.into_iter().enumerate().map(|(i, fresh)| (fresh, key(i), false)).collect()
}

/// Returns the inputs that an earlier build made with the same key.
fn find_reusable_inputs(plan: &BuildPlan<'_>, job: &TestJob, index: usize) -> Option<Vec<(NewInput, String, bool)>> {
    let fresh = |bytes: Vec<u8>| NewInput { bytes, ..NewInput::default() };
    let find = |key: String| plan.set.find_built_bytes(&key).map(|bytes| (fresh(bytes), key, true));
    if !matches!(job.method, InputMethod::Exhaustive | InputMethod::Slow) {
        return find(job.input_key(index)).map(|one| vec![one]);
    }
    let mut files = Vec::new();
    loop {
        if let Some(last) = find(job.last_input_key(files.len())) {
            files.push(last);
            return Some(files);
        }
        files.push(find(job.input_key(files.len()))?);
    }
}

// The candidates that an earlier build selected.
//
// They are recorded by the lock file, since it has a key for each test. As long as the keys are those of the recipe and
// of the programs that the selection has to kill, nothing is selected anew, and the other candidates are not even made.

/// The candidates that an earlier build selected: their indices and paths by the index of their job.
pub(super) type KnownSelection = BTreeMap<usize, Vec<(usize, String)>>;

/// Returns the candidates that the lock file names, or `None` if it names none of them.
pub(super) fn find_known_selection(plan: &BuildPlan<'_>) -> Option<KnownSelection> {
    let jobs = plan.test_jobs.iter().enumerate().filter(|(_, job)| job.is_candidate);
    let known_inputs = |job: &TestJob| {
        let path = |index: usize| Some((index, plan.set.find_locked_input(&job.input_key(index))?.to_owned()));
        let mut known: Vec<(usize, String)> = (0..job.count as usize).filter_map(path).collect();
        known.sort_by(|a, b| a.1.cmp(&b.1));
        known
    };
    let known: KnownSelection = jobs.map(|(order, job)| (order, known_inputs(job))).collect();
    let is_known = !plan.rebuild_all && known.values().any(|inputs| !inputs.is_empty());
    is_known.then_some(known)
}
