//! The engine of record: one process for each run.

use super::classify::{Facts, limit_hit};
use super::isolation::Walls;
use super::limits::MIB;
use super::luggage::Luggage;
use super::memory_file::MemoryFile;
use super::process::{self, Ended, Given, Streams};
use super::spawner::Spawners;
use super::supervise::{MemoryPeak, Order, Stop};
use super::sys::{Image, OwnedFd, Resources, RunError, Stage};
use super::{Cancel, Job, Limits, Outcome, Runner};
use crate::diagnostic::{Error, Result};
use std::ffi::{CString, OsStr, OsString};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;

/// How much of the error stream is kept.
const STDERR_KEPT_BYTES: u64 = 64 << 10;

/// Address space is not memory: libraries, guard pages and allocator reserves count too. A program gets this
/// much more of it than the memory limit; what it really touches is judged by its memory peak.
const ADDRESS_SPACE_SLACK_BYTES: u64 = 64 * MIB;

/// A walled program may open so many files at a time: each of them may be as large as an output.
const OPEN_FILES: u64 = 256;

/// A compiler reads many files side by side.
const COMPILER_OPEN_FILES: u64 = 4096;

/// How often a program is run again that took just a little too long; the shortest time counts.
const MORE_RUNS: u32 = 2;

/// Inputs of so many bytes together are sent with one order: larger ones are as well run one by one.
const MOST_BYTES_AT_ONCE: usize = 128 << 10;

/// Words in a command that the limits of a run decide.
const MEMORY_MIB: &str = "{memory_mib}";
const STACK_MIB: &str = "{stack_mib}";
const STACK_KIB: &str = "{stack_kib}";

/// What stays the same from run to run.
pub(super) struct Exec {
    image: Image,
    words: Vec<OsString>,
    limits_address_space: bool,
    stack_limit_bytes: u64,
    walls: Option<Arc<Walls>>,
    spawners: Arc<Spawners>,
    /// How to start it as a fork server, where it can be one.
    warm: Option<Warm>,
    /// Folders that must live as long as this can run: the working directory, a cache without a home.
    _folders: Vec<Arc<TempDir>>,
}

/// How to start a program: everything [`Exec`] needs, in plain types.
pub(super) struct Recipe {
    /// The program, an absolute path, and its arguments; may contain words that the limits decide.
    pub(super) words: Vec<OsString>,
    /// All of the environment.
    pub(super) environment: Vec<(OsString, OsString)>,
    /// Where it is started.
    pub(super) directory: OsString,
    /// Whether the memory limit can be enforced on the address space. Some runtimes reserve far more than they use.
    pub(super) limits_address_space: bool,
    /// The largest stack, where that is less than the memory limit.
    pub(super) stack_limit_bytes: u64,
    /// The walls around it; none for the user's own tools.
    pub(super) walls: Option<Walls>,
    /// What starts it.
    pub(super) spawners: Arc<Spawners>,
    /// How to start it as a fork server, where it can be one.
    pub(super) warm: Option<WarmRecipe>,
    /// Folders that must not be removed while it can run.
    pub(super) folders: Vec<Arc<TempDir>>,
}

/// How to start a program as a fork server.
pub(super) struct WarmRecipe {
    /// As [`Recipe::words`].
    pub(super) words: Vec<OsString>,
    /// What comes to its environment.
    pub(super) environment: Vec<(OsString, OsString)>,
}

impl Exec {
    /// An engine for that recipe.
    ///
    /// # Errors
    ///
    /// A word contains a NUL byte (`Usage`).
    pub(super) fn new(recipe: Recipe) -> Result<Self> {
        let image = Image {
            path: c_string(recipe.words.first().map_or(OsStr::new(""), OsString::as_os_str))?,
            argv: Vec::new(),
            environment: variables(&recipe.environment)?.into(),
            directory: c_string(&recipe.directory)?,
        };
        let Recipe { words, limits_address_space, stack_limit_bytes, walls, spawners, folders, .. } = recipe;
        let walls = walls.map(Arc::new);
        let warm = recipe.warm.filter(|_| spawners.can_copy().is_ok()).map(|warm| Warm::new(warm, &image));
        let warm = warm.transpose()?;
        Ok(Exec { image, words, limits_address_space, stack_limit_bytes, walls, spawners, warm, _folders: folders })
    }

    /// One run: by itself, or as a copy of a warm process.
    fn order(&self, job: &Job<'_>, warm: Option<&Warm>) -> Result<Order> {
        let (words, environment) = match warm {
            Some(warm) => (&warm.words, &warm.environment),
            None => (&self.words, &self.image.environment),
        };
        let own = words.iter().map(|word| c_string(&expand(word, job.limits)));
        let argv = own.chain(job.args.iter().map(|word| c_string(word))).collect::<Result<Vec<_>>>()?;
        let path = argv.first().cloned().unwrap_or_default();
        let image = Image { path, argv, environment: Arc::clone(environment), directory: self.image.directory.clone() };
        Ok(Order {
            image,
            resources: self.resources(job.limits),
            limits: job.limits.clone(),
            walls: self.walls.clone(),
            is_warm: warm.is_some(),
            luggage: job.luggage.map(Luggage::list),
        })
    }

    /// Where the address space is bounded, it bounds the stack too; a smaller bound on the stack alone would
    /// make deep recursion a crash, and one as large as the address space leaves none for the stacks of
    /// threads, each of which is as large by default.
    fn resources(&self, limits: &Limits) -> Resources {
        let stack = limits.memory_limit_bytes.min(self.stack_limit_bytes);
        let address_space = limits.memory_limit_bytes.saturating_add(ADDRESS_SPACE_SLACK_BYTES);
        Resources {
            address_space_bytes: self.limits_address_space.then_some(address_space),
            stack_bytes: (!self.limits_address_space).then_some(stack),
            file_size_bytes: limits.output_limit_bytes.saturating_add(1),
            cpu_time_s: limits.cpu_time_limit_ms.div_ceil(1000).saturating_add(1),
            open_files: self
                .walls
                .as_ref()
                .map(|walls| if walls.compiler.is_some() { COMPILER_OPEN_FILES } else { OPEN_FILES }),
        }
    }

    /// Runs the job and returns what the process left, without deciding what it means.
    ///
    /// # Errors
    ///
    /// See [`Runner::run`].
    pub(super) fn execute(&self, job: &Job<'_>, cancel: &Cancel) -> Result<Ended> {
        let given = Given { streams: Streams::Input(job.input), luggage: job.luggage };
        process::run(&self.spawners, &self.order(job, None)?, given, cancel)
    }
}

/// A program that can be a fork server.
struct Warm {
    words: Vec<OsString>,
    /// All of it.
    environment: Arc<Vec<CString>>,
    /// How often the machine refused a copy.
    failures: AtomicU32,
    /// Why it is not copied any more, once it has given a reason.
    refusal: Mutex<Option<String>>,
}

impl Warm {
    /// Maximum number of copies that the machine refuses before no more are tried.
    const MAX_FAILURES: u32 = 3;

    fn new(recipe: WarmRecipe, image: &Image) -> Result<Warm> {
        let environment = [image.environment.as_slice(), &variables(&recipe.environment)?].concat();
        Ok(Warm {
            words: recipe.words,
            environment: environment.into(),
            failures: AtomicU32::new(0),
            refusal: Mutex::default(),
        })
    }

    fn serves(&self) -> bool {
        self.failures.load(Ordering::Relaxed) < Self::MAX_FAILURES
    }

    /// Takes note that there was no copy. A program that cannot be copied is not tried again; of what the machine refused it
    /// may have more the next time.
    fn note_failure(&self, error: &RunError, cancel: &Cancel) {
        if cancel.cancelled() {
            return;
        }
        if error.stage == Stage::Copy && error.cause.raw_os_error().is_none() {
            self.give_up(error.cause.to_string());
        } else if self.failures.fetch_add(1, Ordering::Relaxed) + 1 >= Self::MAX_FAILURES {
            self.give_up(format!("the machine refuses to copy it ({})", error.cause));
        }
    }

    /// Keeps the first reason, and tries no more copies.
    fn give_up(&self, reason: String) {
        self.refusal().get_or_insert(reason);
        self.failures.store(Self::MAX_FAILURES, Ordering::Relaxed);
    }

    fn refusal(&self) -> MutexGuard<'_, Option<String>> {
        // What is stored is complete whenever the lock is free, even after a panic elsewhere.
        self.refusal.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Runner for Exec {
    fn run(&self, job: &Job<'_>, cancel: &Cancel) -> Result<Outcome> {
        let limits = job.limits.stretched();
        let stretched = Job { limits: &limits, ..*job };
        let mut best = self.execute(&stretched, cancel)?;
        for _ in 0..MORE_RUNS {
            if !is_close(&best, job.limits) {
                break;
            }
            let again = self.execute(&stretched, cancel)?;
            if again.cpu_time_us < best.cpu_time_us {
                best = again;
            }
        }
        outcome(best, job.limits)
    }

    fn run_quickly(&self, job: &Job<'_>, cancel: &Cancel) -> Result<Outcome> {
        // A server was started with its arguments, and its copies share a folder's place with it but nothing in it.
        let is_plain = job.args.is_empty() && job.luggage.is_none();
        let Some(warm) = self.warm.as_ref().filter(|warm| is_plain && warm.serves()) else {
            return self.run(job, cancel);
        };
        let given = Given { streams: Streams::Input(job.input), luggage: None };
        match process::attempt(&self.spawners, &self.order(job, Some(warm))?, given, cancel)? {
            Ok(ended) => outcome(ended, job.limits),
            Err(error) => {
                warm.note_failure(&error, cancel);
                self.run(job, cancel)
            }
        }
    }

    fn run_several(&self, inputs: &[&[u8]], limits: &Limits, cancel: &Cancel) -> Result<Vec<Outcome>> {
        let Some(warm) = self.warm.as_ref().filter(|warm| warm.serves()) else { return Ok(Vec::new()) };
        let order = self.order(&Job::new(b"", limits), Some(warm))?;
        let mut outcomes = Vec::new();
        loop {
            let few = first_together(&inputs[outcomes.len()..]);
            if few.len() < 2 {
                return Ok(outcomes);
            }
            let (ended, failure) = process::attempt_several(&self.spawners, &order, few, cancel)?;
            if let Some(error) = failure {
                warm.note_failure(&error, cancel);
            }
            let is_cut_short = ended.len() < few.len();
            for ended in ended {
                outcomes.push(outcome(ended, limits)?);
            }
            if is_cut_short {
                return Ok(outcomes);
            }
        }
    }

    fn run_noting_reads(&self, job: &Job<'_>, cancel: &Cancel) -> Result<Option<(Outcome, u64)>> {
        let input = MemoryFile::sealed(job.input)?;
        let given = Given { streams: Streams::File(&input), luggage: job.luggage };
        let ended = process::run(&self.spawners, &self.order(job, None)?, given, cancel)?;
        Ok(Some((outcome(ended, job.limits)?, input.position()?)))
    }

    fn converse(&self, job: &Job<'_>, pipes: [OwnedFd; 2], cancel: &Cancel) -> Result<Outcome> {
        let given = Given { streams: Streams::Pipes(pipes), luggage: job.luggage };
        let stretched = Job { limits: &job.limits.stretched(), ..*job };
        outcome(process::run(&self.spawners, &self.order(&stretched, None)?, given, cancel)?, job.limits)
    }

    fn is_quick(&self) -> bool {
        self.warm.as_ref().is_some_and(Warm::serves)
    }

    fn refused_copies(&self) -> Option<String> {
        self.warm.as_ref()?.refusal().clone()
    }
}

/// The first of some inputs, as many as are sent together.
fn first_together<'i, 'b>(inputs: &'i [&'b [u8]]) -> &'i [&'b [u8]] {
    let mut bytes = 0;
    let fits = |input: &&&[u8]| {
        bytes += input.len();
        bytes <= MOST_BYTES_AT_ONCE
    };
    &inputs[..inputs.iter().take_while(fits).count()]
}

/// Whether it ended by itself when its time was just over: then a busy machine may have been the reason.
fn is_close(ended: &Ended, limits: &Limits) -> bool {
    ended.stop == Stop::Ended && ended.cpu_time_us > limits.cpu_time_limit_ms.saturating_mul(1000)
}

fn outcome(ended: Ended, limits: &Limits) -> Result<Outcome> {
    let (output, out_bytes) = ended.stdout.head(limits.output_limit_bytes)?;
    let (stderr, err_bytes) = ended.stderr.tail(STDERR_KEPT_BYTES)?;
    let facts = Facts {
        stop: ended.stop,
        exit: ended.exit,
        cpu_time_us: ended.cpu_time_us,
        memory: ended.memory,
        written_bytes: if ended.brought.is_too_much { u64::MAX } else { out_bytes.max(err_bytes) },
        stderr: &stderr,
    };
    let (MemoryPeak::Known(memory_peak_bytes) | MemoryPeak::AtMost(memory_peak_bytes)) = ended.memory;
    Ok(Outcome {
        exit: ended.exit,
        limit: limit_hit(&facts, limits),
        cpu_time_us: ended.cpu_time_us,
        wall_time_us: ended.wall_time_us,
        memory_peak_bytes,
        output,
        stderr,
        files: ended.brought.files,
    })
}

/// Puts the limits into a word of a command. A runtime with a stack of its own gets half of the memory for it.
fn expand(word: &OsStr, limits: &Limits) -> OsString {
    let Some(text) = word.to_str().filter(|text| text.contains('{')) else {
        return word.to_owned();
    };
    let memory_mib = (limits.memory_limit_bytes / MIB).max(1);
    let stack_mib = (memory_mib / 2).clamp(1, 1000);
    let text = text.replace(MEMORY_MIB, &memory_mib.to_string());
    let text = text.replace(STACK_MIB, &stack_mib.to_string());
    text.replace(STACK_KIB, &(stack_mib * 1024).to_string()).into()
}

/// `NAME=value` of each variable.
fn variables(environment: &[(OsString, OsString)]) -> Result<Vec<CString>> {
    let variable = |(name, value): &(OsString, OsString)| c_string(&[name.as_os_str(), value].join(OsStr::new("=")));
    environment.iter().map(variable).collect()
}

fn c_string(word: &OsStr) -> Result<CString> {
    let refused = || Error::usage(format!("`{}` contains a NUL character", Path::new(word).display()));
    CString::new(word.as_encoded_bytes()).map_err(|_| refused())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_put_into_the_words_of_a_command() {
        let limits = Limits { memory_limit_bytes: 256 * MIB, ..Limits::default() };
        assert_eq!(expand(OsStr::new("-Xmx{memory_mib}m"), &limits), "-Xmx256m");
        assert_eq!(expand(OsStr::new("--stack-size={stack_kib}"), &limits), "--stack-size=131072");
        assert_eq!(expand(OsStr::new("{other}"), &limits), "{other}");
    }
}
