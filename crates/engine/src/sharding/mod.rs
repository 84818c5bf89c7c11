//! One way to share work between machines.
//!
//! [`Work`] is cut into numbered blocks. The result of a block depends on the work and its number alone, so any machine can
//! run any block, and it does not show in the result where. [`SharedJournal::run_missing`] runs the blocks of a [`Shard`]
//! that the journal lacks, as after a kill; a conclusion is drawn from the blocks of all shards, of which some may be
//! damaged, missing, or different in two runs. A kind of work defines how a block is run, and what the
//! sequence of its blocks means.

mod block_plan;

pub use block_plan::{BlockPlan, Shard};

use crate::event::{ActivityEvent, EndReason, Event, EventSink, ShardFinished, SubmissionFailed};
use crate::tuning::POLL_INTERVALS;
use block_plan::describe_missing_blocks;
use rebut_diagnostics::{Error, ErrorKind, Result};
use rebut_packages::{BlockData, BlockReading, JournalManifest, JournalSet, JournalWriter};
use rebut_sandbox::CancelToken;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The help for a damaged block of another shard.
pub(crate) const RUN_SHARD_AGAIN: &str = "run its shard again";

/// Work that is cut into numbered blocks, which any machine can run in any order.
pub trait Work: Sync {
    /// The result of a block: the same in each run, unless a program is flaky.
    type Out: BlockData;
    /// The part of a result that differs from run to run, such as times.
    type Times: BlockData;
    /// The inputs of a block that are made in the order of the blocks, such as its part of an enumeration.
    type Task: Default;

    /// Whether blocks of other shards can make blocks of this one unnecessary.
    const DEPENDS_ON_OTHERS: bool = false;
    /// Verb and subject of the activity that counts the blocks, if there is one.
    const ACTIVITY: Option<[&'static str; 2]> = None;
    /// The help for a damaged block of the shard.
    const RUN_AGAIN: &'static str = "it is run again";

    /// Returns the number of blocks, if it is known before the last one is run.
    fn count_blocks(&self) -> Option<u64>;

    /// Returns the number of workers.
    fn jobs(&self) -> usize;

    /// Announces the blocks that will be run.
    fn expect_blocks(&self, _wanted: &WantedBlocks) {}

    /// Prepares the thread of a worker.
    fn begin_worker(&self, _number: usize) {}

    /// Begins a block. The numbers rise. Returns `None` if no more blocks are needed.
    ///
    /// # Errors
    /// Returns an error if the work was cancelled.
    fn begin_block(&self, _number: u64) -> Result<Option<Self::Task>> {
        Ok(Some(Self::Task::default()))
    }

    /// Runs a block. Returns `None` if it was cut off or is not needed any more.
    ///
    /// # Errors
    /// Returns an error if programs cannot be run, or if the work was cancelled.
    fn run_block(&self, number: u64, task: Self::Task) -> Result<Option<(Self::Out, Self::Times)>>;

    /// Checks that these can be results of a block: they may come from another machine.
    ///
    /// # Errors
    /// Returns what cannot be true.
    fn check_block(&self, _number: u64, _out: &Self::Out, _times: &Self::Times) -> std::result::Result<(), String> {
        Ok(())
    }

    /// Takes note of a block that was run. Returns true if no block after it is needed.
    fn note_block(&self, _out: &Self::Out) -> bool {
        false
    }

    /// Called at short intervals while workers run.
    fn watch_workers(&self, _sink: &mut dyn EventSink) {}

    /// Returns why the run of some blocks ended.
    fn end_reason(&self, was_interrupted: bool) -> EndReason {
        if was_interrupted { EndReason::Interrupted } else { EndReason::Done }
    }
}

/// How a command uses journals.
pub enum JournalUse {
    /// Runs the blocks of a shard that the journal in a folder lacks.
    Run {
        /// The folder.
        folder: PathBuf,
        /// The shard.
        shard: Shard,
    },
    /// Merges journals, and runs nothing.
    Merge(Arc<JournalSet>),
}

impl JournalUse {
    /// Returns a part of the manifest, if there is one already.
    pub fn recorded_part(&self, name: &str) -> Option<String> {
        match self {
            JournalUse::Run { folder, .. } => {
                JournalSet::open(std::slice::from_ref(folder)).ok()?.manifest().parts.get(name).cloned()
            }
            JournalUse::Merge(set) => set.manifest().parts.get(name).cloned(),
        }
    }

    /// Returns the length of blocks, which the manifest has as a part: that of the journals to be merged, or the stated one.
    pub fn block_length(&self, part: &str, stated: Option<u64>) -> Option<u64> {
        let length = match self {
            JournalUse::Run { .. } => stated,
            JournalUse::Merge(_) => self.recorded_part(part).and_then(|length| length.parse().ok()),
        };
        length.filter(|length| *length > 0)
    }

    /// Opens the journals of the work that `manifest` describes.
    ///
    /// # Errors
    /// Returns an error if they are of other work, or cannot be read or written.
    pub fn open(&self, manifest: &JournalManifest, cancel: &CancelToken) -> Result<SharedJournal> {
        let (set, run) = match self {
            JournalUse::Merge(set) => {
                set.manifest().require_same("the journal", manifest, "the command in this folder")?;
                (Arc::clone(set), None)
            }
            JournalUse::Run { folder, shard } => {
                let writer = JournalWriter::open(folder, manifest)?;
                let set = Arc::new(JournalSet::open(std::slice::from_ref(folder))?);
                (set, Some(ShardRun { shard: *shard, writer }))
            }
        };
        Ok(SharedJournal { set, run, first: 0, missing: Mutex::default(), cancel: cancel.clone() })
    }
}

/// The open journals of a command.
pub struct SharedJournal {
    set: Arc<JournalSet>,
    /// The shard that is run here; `None` if journals are merged.
    run: Option<ShardRun>,
    /// Number of blocks before those of the work, which are of another kind.
    first: u64,
    /// The numbers of the blocks that were needed and are missing.
    missing: Mutex<BTreeSet<u64>>,
    cancel: CancelToken,
}

/// A shard that is run here.
#[derive(Clone)]
struct ShardRun {
    shard: Shard,
    writer: JournalWriter,
}

/// How the run of a shard ended: the numbers of its blocks, as in [`ShardFinished`], and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShardEnd {
    pub(crate) blocks: u64,
    pub(crate) known: u64,
    pub(crate) run: u64,
    pub(crate) left: u64,
    /// [`EndReason::Done`] if no block is left.
    pub reason: EndReason,
}

/// How work ended that several machines share.
pub enum SharedEnd<T> {
    /// With its conclusion, from the blocks of all shards.
    Whole(T),
    /// With the blocks of one of several shards.
    Shard(EndReason),
}

impl ShardEnd {
    /// Adds blocks of another kind of work, which was run afterwards.
    pub fn add_work(&mut self, next: ShardEnd) {
        self.blocks += next.blocks;
        self.known += next.known;
        self.run += next.run;
        self.left += next.left;
        self.reason = next.reason;
    }
}

/// The blocks that will be run here.
#[derive(Clone, Debug)]
pub struct WantedBlocks {
    shard: Shard,
    /// Number of blocks before the first.
    first: u64,
    known: BTreeSet<u64>,
    /// The number after the last block.
    end: u64,
}

impl WantedBlocks {
    /// Returns true if a block will be run here.
    pub fn has_block(&self, number: u64) -> bool {
        number < self.end && self.shard.has_block(self.first + number) && !self.known.contains(&number)
    }
}

impl SharedJournal {
    /// Returns the same journals for work whose blocks come after `first` others.
    #[must_use]
    pub fn after_blocks(&self, first: u64) -> SharedJournal {
        let (set, run, cancel) = (Arc::clone(&self.set), self.run.clone(), self.cancel.clone());
        SharedJournal { set, run, first, missing: Mutex::default(), cancel }
    }

    /// Returns true if other machines run other shards.
    pub fn is_part(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.shard != Shard::WHOLE)
    }

    /// Returns true if a block belongs to the shard that is run here.
    pub(crate) fn has_block(&self, number: u64) -> bool {
        self.run.as_ref().is_some_and(|run| run.shard.has_block(self.first + number))
    }

    /// Returns the numbers of the blocks that have a file, in rising order.
    pub fn block_numbers(&self) -> impl Iterator<Item = u64> + '_ {
        self.set.block_numbers().filter_map(|number| number.checked_sub(self.first))
    }

    /// Same as [`read_runs`](Self::read_runs), to draw a conclusion: a block without a result counts as missing.
    ///
    /// # Errors
    /// Returns an error if the work was cancelled.
    pub(crate) fn read_block<R: BlockData, T: BlockData>(
        &self,
        number: u64,
        check: impl Fn(&R, &T) -> std::result::Result<(), String>,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<(R, T)>> {
        self.check_cancelled()?;
        let runs = self.read_runs(number, check, RUN_SHARD_AGAIN, sink);
        if runs.is_empty() {
            self.note_missing(number);
        }
        Ok(runs)
    }

    /// Returns the different results of a block that `check` permits. Warns of files that are damaged; `help` says what to do
    /// about them.
    pub(crate) fn read_runs<R: BlockData, T: BlockData>(
        &self,
        number: u64,
        check: impl Fn(&R, &T) -> std::result::Result<(), String>,
        help: &str,
        sink: &mut dyn EventSink,
    ) -> Vec<(R, T)> {
        let number = self.first + number;
        let BlockReading { mut runs, mut damages } = self.set.read_block(number);
        runs.retain(|(result, times)| {
            let checked = check(result, times);
            damages.extend(checked.as_ref().err().map(|problem| format!("block {}: {problem}", number + 1)));
            checked.is_ok()
        });
        for damage in damages {
            sink.warn_with_help(format!("the file of a block is damaged: {damage}"), help);
        }
        runs
    }

    /// Records that a block is missing on which the result depends.
    pub(crate) fn note_missing(&self, number: u64) {
        lock_mutex(&self.missing).insert(self.first + number);
    }

    /// Returns which blocks that were needed are missing, or `None` if none is. `count` is the number of blocks of the
    /// work, if it is known.
    pub fn describe_missing(&self, count: Option<u64>) -> Option<String> {
        describe_missing_blocks(&lock_mutex(&self.missing), count.map(|count| self.first + count))
    }

    /// Writes the file of a block.
    pub(crate) fn write_block<R: BlockData, T: BlockData>(&self, number: u64, result: R, times: T) -> Result<()> {
        self.run.as_ref().map_or(Ok(()), |run| run.writer.write_block(self.first + number, result, times))
    }

    /// Returns an error if the work was cancelled.
    pub(crate) fn check_cancelled(&self) -> Result<()> {
        if self.cancel.is_cancelled() { Err(Error::interrupted()) } else { Ok(()) }
    }

    /// Runs the blocks of the shard that the journal lacks. Does nothing if journals are merged.
    ///
    /// # Errors
    /// Returns an error if programs cannot be run, or if a block cannot be written. An interrupt is not an error, but an
    /// [`EndReason`].
    pub fn run_missing<W: Work>(&mut self, work: &W, sink: &mut dyn EventSink) -> Result<ShardEnd> {
        let Some(ShardRun { shard, writer }) = self.run.clone() else { return Ok(ShardEnd::default()) };
        let wanted = self.find_wanted(work, shard, sink);
        work.expect_blocks(&wanted);
        let known = wanted.known.iter().filter(|number| self.has_block(**number)).count() as u64;
        let wanted_numbers = || (0..wanted.end).filter(|number| wanted.has_block(*number));
        let expected = work.count_blocks().map(|_| wanted_numbers().count() as u64);
        let mut numbers = wanted_numbers();
        let run = BlockRun {
            journal: self,
            work,
            numbers: Mutex::new(Some(&mut numbers)),
            finished: AtomicU64::new(0),
            error: Mutex::default(),
        };
        run.run_workers(expected, sink);
        let (run, error) = (run.finished.into_inner(), run.error.into_inner().unwrap_or_else(PoisonError::into_inner));
        let was_interrupted = match error {
            Some((_, error)) if error.kind() == ErrorKind::Interrupted => true,
            Some((_, error)) => return Err(error),
            None => false,
        };
        let reason = work.end_reason(was_interrupted);
        let blocks = match work.count_blocks() {
            Some(count) => (0..count).filter(|number| self.has_block(*number)).count() as u64,
            // The number of blocks is known at the end.
            None => known + run + u64::from(reason != EndReason::Done),
        };
        // Blocks that cannot change the result are not run.
        let left = if reason == EndReason::Done { 0 } else { blocks - known - run };
        self.set = Arc::new(JournalSet::open(&[writer.folder().to_owned()])?);
        Ok(ShardEnd { blocks, known, run, left, reason })
    }

    /// Finds the blocks that will be run here, and takes note of those that were run before.
    fn find_wanted<W: Work>(&self, work: &W, shard: Shard, sink: &mut dyn EventSink) -> WantedBlocks {
        let count = work.count_blocks().unwrap_or(u64::MAX);
        let mut wanted = WantedBlocks { shard, first: self.first, known: BTreeSet::new(), end: count };
        let numbers = self.block_numbers().take_while(|number| *number < count);
        for number in numbers.filter(|number| W::DEPENDS_ON_OTHERS || self.has_block(*number)) {
            let help = if self.has_block(number) { W::RUN_AGAIN } else { RUN_SHARD_AGAIN };
            let runs = self.read_runs(number, |out, times| work.check_block(number, out, times), help, sink);
            if let Some((out, _)) = runs.first() {
                wanted.known.insert(number);
                if work.note_block(out) {
                    wanted.end = wanted.end.min(number);
                }
            }
        }
        wanted
    }

    /// Reports the end of a shard, unless this machine goes on with the conclusion: it has run all blocks, or merges
    /// journals. Returns the reason of the end in that case.
    pub fn report_shard(
        &self,
        end: ShardEnd,
        failures: Vec<SubmissionFailed>,
        sink: &mut dyn EventSink,
    ) -> Option<EndReason> {
        let ShardRun { shard, writer } = self.run.as_ref()?;
        let ShardEnd { blocks, known, run, left, reason } = end;
        if *shard == Shard::WHOLE && reason != EndReason::Interrupted {
            return None;
        }
        let (journal, shard, shards) = (writer.folder().to_owned(), shard.number, shard.count);
        sink.take_event(&Event::Shard(ShardFinished { journal, shard, shards, blocks, known, run, left, failures }));
        Some(reason)
    }
}

/// The state that the workers share.
struct BlockRun<'r, W> {
    journal: &'r SharedJournal,
    work: &'r W,
    /// The numbers of the blocks that are left, in rising order; `None` if no more are begun.
    numbers: Mutex<Option<&'r mut (dyn Iterator<Item = u64> + Send)>>,
    finished: AtomicU64,
    /// The error in the block with the lowest number.
    error: Mutex<Option<(u64, Error)>>,
}

impl<W: Work> BlockRun<'_, W> {
    /// Starts the workers, and shows their progress until they are done.
    fn run_workers(&self, expected: Option<u64>, sink: &mut dyn EventSink) {
        let activity = |[verb, subject]: [&'static str; 2]| ActivityEvent {
            of: expected,
            noun: "blocks",
            ..ActivityEvent::new(verb, subject)
        };
        let mut activity = W::ACTIVITY.map(activity);
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for number in 0..self.work.jobs().max(1) {
                let sender = sender.clone();
                scope.spawn(move || {
                    self.work.begin_worker(number);
                    self.run_worker(&sender);
                });
            }
            // The receiver ends with the last worker.
            drop(sender);
            loop {
                match receiver.recv_timeout(POLL_INTERVALS[0]) {
                    Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => {}
                    Ok(()) => {
                        if let Some(activity) = &mut activity {
                            activity.done += 1;
                            sink.take_event(&Event::Activity(activity.clone()));
                        }
                    }
                }
                self.work.watch_workers(sink);
            }
        });
    }

    /// Runs blocks until none is left that is needed.
    fn run_worker(&self, finished: &mpsc::Sender<()>) {
        while let Some((number, task)) = self.begin_block() {
            match self.work.run_block(number, task).and_then(|block| self.keep_block(number, block)) {
                Ok(true) => {
                    self.finished.fetch_add(1, Ordering::SeqCst);
                    // The receiver lives as long as the workers.
                    let _ = finished.send(());
                }
                Ok(false) => return,
                Err(error) => return self.stop_with_error(number, error),
            }
        }
    }

    fn begin_block(&self) -> Option<(u64, W::Task)> {
        let mut numbers = lock_mutex(&self.numbers);
        let number = numbers.as_mut()?.next()?;
        match self.work.begin_block(number) {
            Ok(task) => task.map(|task| (number, task)),
            Err(error) => {
                drop(numbers);
                self.stop_with_error(number, error);
                None
            }
        }
    }

    /// Writes a block, and begins no others if none after it is needed. Returns false if there is no result.
    fn keep_block(&self, number: u64, block: Option<(W::Out, W::Times)>) -> Result<bool> {
        let Some((out, times)) = block else { return Ok(false) };
        let is_end = self.work.note_block(&out);
        self.journal.write_block(number, out, times)?;
        if is_end {
            *lock_mutex(&self.numbers) = None;
        }
        Ok(true)
    }

    fn stop_with_error(&self, number: u64, error: Error) {
        *lock_mutex(&self.numbers) = None;
        let mut first = lock_mutex(&self.error);
        if first.as_ref().is_none_or(|(at, _)| number < *at) {
            *first = Some((number, error));
        }
    }
}

/// Locks a mutex, also after a panic of another worker, which ends the run.
pub(crate) fn lock_mutex<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use std::path::Path;

    /// Twelve blocks with the squares of their numbers, of which one can fail and one can end the work.
    #[derive(Default)]
    struct Squares {
        failing: Option<u64>,
        last: Option<u64>,
        begun: Mutex<Vec<u64>>,
    }

    impl Work for Squares {
        type Out = u64;
        type Times = ();
        type Task = ();

        const DEPENDS_ON_OTHERS: bool = true;

        fn count_blocks(&self) -> Option<u64> {
            Some(12)
        }

        fn jobs(&self) -> usize {
            3
        }

        fn run_block(&self, number: u64, (): ()) -> Result<Option<(u64, ())>> {
            lock_mutex(&self.begun).push(number);
            match self.failing {
                Some(failing) if failing == number => Err(Error::judge_error("this block fails")),
                _ => Ok(Some((number * number, ()))),
            }
        }

        fn check_block(&self, number: u64, out: &u64, (): &()) -> std::result::Result<(), String> {
            if *out == number * number { Ok(()) } else { Err("no square".to_owned()) }
        }

        fn note_block(&self, out: &u64) -> bool {
            self.last.is_some_and(|last| *out == last * last)
        }
    }

    #[derive(Default)]
    struct Warnings(Vec<String>);

    impl EventSink for Warnings {
        fn take_event(&mut self, event: &Event) {
            if let Event::Warning(warning) = event {
                self.0.push(warning.message.clone());
            }
        }
    }

    fn open(folder: &Path, number: u32, count: u32) -> SharedJournal {
        let journal = JournalUse::Run { folder: folder.to_owned(), shard: Shard { number, count } };
        journal.open(&JournalManifest::default(), &CancelToken::new()).unwrap()
    }

    /// Runs what a shard lacks, and returns its end with the numbers of the blocks that were begun.
    fn run(folder: &Path, shard: u32, work: &Squares) -> (Result<ShardEnd>, Vec<u64>) {
        let end = open(folder, shard, 2).run_missing(work, &mut Warnings::default());
        let mut begun = std::mem::take(&mut *lock_mutex(&work.begun));
        begun.sort_unstable();
        (end, begun)
    }

    #[test]
    fn shard_runs_what_its_journal_lacks() {
        let folder = tempfile::tempdir().unwrap();
        // After an error, no block is begun, and those that are finished are kept.
        let (failed, begun) = run(folder.path(), 1, &Squares { failing: Some(2), ..Squares::default() });
        assert!(failed.is_err() && begun.starts_with(&[0, 2]), "{begun:?}");
        let kept = open(folder.path(), 1, 2).block_numbers().count() as u64;
        let (end, begun) = run(folder.path(), 1, &Squares::default());
        let ShardEnd { blocks, known, run: ran, left, reason } = end.unwrap();
        assert_eq!((blocks, known, ran, left, reason), (6, kept, 6 - kept, 0, EndReason::Done));
        assert_eq!(begun.len() as u64, ran);
        // The other shard reads that the work ends with block 4, and runs what is before it.
        let (end, begun) = run(folder.path(), 2, &Squares { last: Some(4), ..Squares::default() });
        assert_eq!((end.unwrap().run, begun), (2, vec![1, 3]));
    }

    #[test]
    fn damaged_and_missing_blocks_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let work = Squares::default();
        run(folder.path(), 2, &work).0.unwrap();
        for number in [3, 4] {
            open(folder.path(), 1, 1).write_block(number, 7_u64, ()).unwrap();
        }
        let (journal, mut warnings) = (open(folder.path(), 1, 1), Warnings::default());
        let mut read = |number| {
            let check = |out: &u64, times: &()| work.check_block(number, out, times);
            journal.read_block(number, check, &mut warnings).unwrap().into_iter().map(|(out, ())| out).collect()
        };
        let runs: Vec<Vec<u64>> = (1..5).map(&mut read).collect();
        assert_eq!(runs, [vec![1], vec![], vec![9], vec![]]);
        assert_eq!(warnings.0, [4, 5].map(|block| format!("the file of a block is damaged: block {block}: no square")));
        let missing = journal.describe_missing(Some(12));
        assert_eq!(missing.as_deref(), Some("blocks 3 and 5 of 12 are missing from the journal"));
        assert_eq!(journal.after_blocks(3).block_numbers().collect::<Vec<u64>>(), [0, 1, 2, 4, 6, 8]);
    }
}
