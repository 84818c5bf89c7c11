//! The constants that tune searches: how inputs are mixed, how long is searched, when a pass gives up. Each says its
//! unit and why it has its value. None changes what is true of a result, only how soon it is found.

use std::time::Duration;

// Generation of inputs

/// Approximate maximum number of numbers and characters of the large inputs: a file of a few megabytes.
pub(crate) const MAX_LARGE_ELEMENTS: usize = 1 << 20;

/// The `k`-th large input has the index `k * k * k` times this, plus one. So some are among the first inputs, and
/// they are few later: each can take as long as a thousand others.
pub(crate) const LARGE_INPUT_INTERVAL: u64 = 16;

/// Number of inputs between a large input and the one whose shapes are worst cases of algorithms.
pub(crate) const WORST_CASE_DISTANCE: u64 = 8;

/// Number of inputs between a large input with everything at its maximum and one of that size with free numbers.
pub(crate) const FREE_NUMBERS_DISTANCE: u64 = 4;

/// Factor between the sizes of the first large inputs. They begin small, since the reference may be slow.
pub(crate) const LARGE_INPUT_GROWTH: u32 = 32;

/// Inputs of full size, with numbers at the ends of their ranges, take one part in this many of the time of a search, as far as it
/// can be told from the number of their elements.
pub(crate) const SWEEP_SHARE: u64 = 10;

/// Minimum number of elements of an input of full size: smaller ones are drawn anyway.
pub(crate) const MIN_SWEPT_ELEMENTS: u64 = 64;

/// One input in this many, from this index on, follows what a submission computes: the build that records it takes about as long
/// as those before.
pub(crate) const GUIDED_INTERVAL: u64 = 8;
pub(crate) const GUIDED_FROM: u64 = 128;

/// The same from a later index on: a search that comes so far has cheap runs, beside which the work of guiding is large.
pub(crate) const SPARSE_GUIDED_INTERVAL: u64 = 64;
pub(crate) const SPARSELY_GUIDED_FROM: u64 = 2_048;

/// Maximum number of submissions that guide inputs: each is compiled once more.
pub(crate) const MAX_GUIDING_SOURCES: usize = 2;

/// Maximum number of builds of a submission that records its operands: each leaves out the lines that the compiler refused in
/// the ones before.
pub(crate) const MAX_TRACED_BUILDS: usize = 4;

/// Approximate maximum number of elements of an input that is changed so that operands meet, or so that a sum grows.
pub(crate) const MAX_GUIDED_ELEMENTS: usize = 1_000;
pub(crate) const MAX_GROWN_ELEMENTS: usize = 100;

/// Maximum number of changes of an input so that operands meet, and of those after which no other place of the submission is
/// reached: conditions that are nested deeper are rare.
pub(crate) const MAX_OPERAND_CHANGES: usize = 12;
pub(crate) const MAX_UNREWARDED_CHANGES: usize = 4;

/// Maximum number of parts of an input that move one after the other so that a sum or a product grows: with two runs for
/// each, it takes some milliseconds.
pub(crate) const MAX_GROWN_PARTS: usize = 32;

/// Number of recorded operands after which an input is changed no further: about a millisecond.
pub(crate) const MAX_RECORDED_OPERANDS: u64 = 100_000;

/// Number of elements whose generation and runs take as long as those of a tiny input.
pub(crate) const ELEMENTS_PER_RUN: u64 = 2_000;

/// The same where inputs have many cases, or where a run takes some milliseconds in any case.
pub(crate) const ELEMENTS_PER_EXPENSIVE_RUN: u64 = 40_000;

/// Maximum distances of the numbers from the simplest ones where all are small, in turn.
pub(crate) const SMALL_DISTANCES: [i128; 4] = [3, 1, 3, 12];

/// Maximum distance of the numbers from the simplest ones where each has a distance of its own. Mistakes that need numbers
/// of middle size at the same time show below it, and references that take exponential time still end.
pub(crate) const MAX_MODERATE_DISTANCE: i128 = 40;

/// Maximum number of values that all numbers of a plain input have together: relations between fields show with few.
pub(crate) const MAX_PLAIN_VALUES: u64 = 12;

/// Maximum number of letters that all texts of a plain input have together.
pub(crate) const MAX_PLAIN_LETTERS: u64 = 4;

/// One index in this many is for one of the smallest inputs until all are used: many wrong programs fail on one of
/// them.
pub(crate) const SMALL_INPUT_INTERVAL: u64 = 4;

/// Maximum number of inputs of a format of which a search runs every one: some seconds in a fork server.
pub(crate) const MAX_EVERY_INPUT: u128 = 20_000;

/// Maximum number of steps to find every input of such a format: less than a second.
pub(crate) const MAX_EVERY_INPUT_STEPS: u64 = 1_000_000;

/// Number of the smallest inputs, and of the largest ones, that come first where a search runs every input.
pub(crate) const FIRST_OF_EVERY_INPUT: usize = 8;

/// Maximum number of files of the smallest inputs, which come before random ones: some seconds of a search.
pub(crate) const MAX_SMALLEST_FILES: usize = 300;

/// Number of files with the smallest inputs as their cases, where a file can hold several.
pub(crate) const PACKED_SMALLEST_FILES: usize = 4;

/// Maximum number of steps to find the smallest inputs, so that the search begins at once.
pub(crate) const MAX_SMALLEST_STEPS: u64 = 30_000;

/// Number of seeds for which a generator is run, to find out whether it ignores them. One that prints one of two inputs
/// prints the same one with a probability of 1/128.
pub(crate) const EXAMINED_SEEDS: u64 = 8;

/// Number of generation failures after which the search gives up, if no input was generated before.
pub(crate) const MAX_GENERATION_FAILURES: u64 = 20;

/// Minimum number of elements of the largest inputs of a format for which the steps of their generation are counted.
pub(crate) const MIN_COUNTED_ELEMENTS: i128 = 5_000;

/// Maximum number of steps for the generation of a large input: about a quarter of a second.
pub(crate) const MAX_LARGE_INPUT_STEPS: u64 = 5_000_000;

/// Number of refused inputs after which the search gives up, if the validators accepted none.
pub(crate) const MAX_REFUSED_INPUTS: u64 = 500;

/// Maximum number of steps for checking constraints, so that the search begins soon.
pub(crate) const MAX_CONSTRAINT_STEPS: u64 = 10_000_000;

/// Maximum number of inputs in one file, as its cases: a run of so many takes about as long as starting a program.
pub(crate) const MAX_PACKED_INPUTS: usize = 512;

/// Initial number of inputs that a validator reads in one file. The number doubles while all are accepted, and halves
/// when a file is refused.
pub(crate) const INITIAL_VALIDATED_INPUTS: usize = 4;

/// Maximum number of inputs that a validator reads in one file: the inputs of a refused file are validated one by
/// one.
pub(crate) const MAX_VALIDATED_INPUTS: usize = 64;

/// Maximum number of constants of a source to keep. A source with more contains tables, which are useless as hints.
pub(crate) const MAX_SOURCE_CONSTANTS: usize = 64;

/// Smallest constant of a source that is a hint: random inputs have smaller numbers anyway.
pub(crate) const MIN_SOURCE_CONSTANT: i128 = 8;

/// Smallest constant of a source that is tried as a text of digits: random texts contain shorter ones.
pub(crate) const MIN_WORD_CONSTANT: i128 = 100;

/// Smallest prime constant of a source that may be the modulus of a hash of texts: for smaller ones, random texts collide.
pub(crate) const MIN_COLLISION_MODULUS: u64 = 1_000_000;

/// Maximum number of moduli for which texts with the same hash are made: each takes about a millisecond for each base.
pub(crate) const MAX_COLLISION_MODULI: usize = 2;

/// Maximum number of constants that are tried as the base of a hash, primes first.
pub(crate) const MAX_COLLISION_BASES: usize = 8;

/// Maximum number of bases for which texts collide together, with each modulus: the texts have ten letters more for each
/// base and modulus, and take some hundredths of a second.
pub(crate) const MAX_COMMON_BASES: usize = 2;

/// Maximum length in bytes of a word or a phrase of a source that is a hint: longer ones are messages.
pub(crate) const MAX_WORD_BYTES: usize = 40;

/// Maximum number of constraints, the last ones first, that are tried as the reason why no input is generated: each
/// trial takes as long as a failed generation.
pub(crate) const MAX_BLAMED_CONSTRAINTS: usize = 4;

// Runs

/// The part of a search's time that measuring the price of runs may take: one in this many.
pub(crate) const MEASURING_SHARE: u32 = 10;

/// Processor time of all programs on a tiny input, in microseconds, from which a run is expensive: there are at most a
/// hundred inputs in a second.
pub(crate) const EXPENSIVE_RUN_US: u64 = 10_000;

/// Processor time in microseconds above which a run is expensive, whatever a second one takes: starting a server takes less.
pub(crate) const CLEARLY_EXPENSIVE_RUN_US: u64 = 400_000;

/// Growths of the inputs that are tried as the first ones of a search, in rising order: about 90, 430 and 2,000 elements,
/// unless the user names another maximum.
pub(crate) const TRIED_GROWTHS: [u32; 3] = [40, 70, 100];

/// Maximum processor time on an input of such a growth, in percent of that on a tiny one.
pub(crate) const MAX_FILLED_PERCENT: u64 = 150;

/// Maximum number of inputs in a batch: handing over takes as long as ten small runs. More save little, and a worker must finish
/// a batch before the search ends.
pub(crate) const MAX_BATCH_INPUTS: u64 = 256;

/// Processor time of the programs in a batch above which the next one is smaller.
pub(crate) const MAX_BATCH_DURATION: Duration = Duration::from_millis(40);

/// A batch may take this many times that time, most of which programs can wait for a processor.
pub(crate) const BATCH_WAITING_FACTOR: u32 = 10;

/// Number of runs that confirm a finding, and later its smallest input.
pub const CONFIRMATION_RUNS: u32 = 3;

/// Maximum number of candidates of shrinking in one file. Those after the first failing one are run for nothing.
pub(crate) const MAX_BATCHED_CANDIDATES: usize = 32;

/// Number of files that fail although none of their cases fails alone, after which candidates are run alone.
pub(crate) const MAX_CONTRADICTIONS: u32 = 2;

/// Maximum number of runs of an input if its failure may be flaky. A failure with a probability of 3/10 per run is
/// missed by that many runs in one of 35 replays (0.7^10).
pub const MAX_REPLAY_RUNS: u32 = 10;

/// Time limit of a grader in milliseconds of processor time; a grader only adds up a few lines.
pub(crate) const MAX_GRADER_TIME_MS: u64 = 10_000;

// Searches

/// Maximum total size in bytes of the inputs that a worker generates in advance.
pub(crate) const MAX_SEARCH_BATCH_BYTES: usize = 1 << 20;

/// Maximum number of kinds of failure kept per submission with `--keep-going`: a report of more is not read.
pub(crate) const MAX_KINDS_PER_SUBMISSION: usize = 4;

/// Number of unconfirmed failures per submission after which further failures are retried only once.
pub(crate) const MAX_RETRIED_FAILURES: u64 = 8;

/// Number of inputs after which the search gives up if the reference was too slow on all of them.
pub(crate) const MAX_SLOW_INPUTS: u64 = 20;

/// A single input takes at most one part in this many of the time of a search.
pub(crate) const MAX_INPUT_SHARE: u32 = 5;

/// Minimum processor time limit of a reference: a virtual machine starts in it.
pub(crate) const MIN_REFERENCE_TIME: Duration = Duration::from_millis(500);

/// Processor time of the reference on an input, in microseconds, from which smaller inputs are recommended: in a minute, there
/// are a few hundred of them.
pub(crate) const SLOW_REFERENCE_US: u64 = 250_000;

/// One input of this many is run in a new process, before that index: a failure that has not occurred by then is rare. A
/// new process of a compiled program costs as much as four forks, and as a hundred runs in place. The intervals are multiplied by the price of a
/// new process of the program, which is 1 for compiled ones.
pub(crate) const EXACT_INTERVALS: [(u64, u64); 4] = [(256, 32), (2048, 128), (16_384, 512), (u64::MAX, 2048)];

/// Maximum of these products.
pub(crate) const MAX_EXACT_INTERVAL: u64 = 32_768;

/// Interval between two reports of progress: faster than anyone reads.
pub(crate) const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Minimum and maximum time between two looks at the reports of the workers.
pub(crate) const POLL_INTERVALS: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(25)];

/// The time between two looks is the time of the search so far divided by this, so that looking takes 3 % at most.
pub(crate) const RUN_TIME_PER_POLL: u32 = 32;

/// Additional time for the runs in progress at the end of a search that tested hardly anything, or is in the middle of a long run:
/// a program that hangs is stopped twice by the usual limits, and a checker once.
pub(crate) const MAX_LAST_RUNS: Duration = Duration::from_secs(15);

/// How much longer a search may last because it waits for the builds that record operands.
pub(crate) const MAX_GUIDE_COMPILATION: Duration = Duration::from_secs(60);

/// How long an input must have been run at the end of a search for its end to be waited for.
pub(crate) const LONG_RUN: Duration = Duration::from_secs(1);

/// Minimum duration in milliseconds of a search whose inputs are run with sanitizers at the end: they take a second to compile.
pub(crate) const MIN_SANITIZED_SEARCH_MS: u64 = 2_000;

/// The runs with sanitizers take one part in this many of the time of the search.
pub(crate) const SANITIZED_SHARE: u64 = 5;

/// Maximum number of inputs of full size, and of the first ones, that are run with sanitizers.
pub(crate) const MAX_SANITIZED_LARGE_INPUTS: usize = 16;
pub(crate) const MAX_SANITIZED_INPUTS: u64 = 256;

/// Minimum number of test cases of a conclusive search. If one input in ten shows a failure, this many random inputs
/// miss it in 4 of 100 searches (0.9^30).
pub const MIN_CONCLUSIVE_CASES: u64 = 30;

/// Maximum number of skipped inputs per tested one: if more are skipped, the tested ones are not representative.
pub(crate) const MAX_SKIPPED_PER_CASE: u64 = 9;

/// Maximum number of attempts to generate an input or a case of a test set, before its constraints are reported.
pub(crate) const MAX_DRAW_ATTEMPTS: u64 = 200;

/// Maximum number of attempts to generate an input or a case with a wanted answer. One that only one input in 500 has is
/// then missed with a probability of 2 %.
pub(crate) const MAX_ANSWER_ATTEMPTS: u64 = 2_000;

/// Number of attempts at an input with a wanted answer before a warning that the answer is rare.
pub(crate) const ATTEMPTS_BEFORE_WARNING: u64 = 100;

/// Where the cases of an input grow, each takes one part in this many of what the larger ones leave: there are cases
/// of all sizes.
pub(crate) const PART_OF_REST: u64 = 3;

/// Maximum number of inputs in a scope of a test set: some seconds of runs.
pub(crate) const MAX_SCOPE_INPUTS: usize = 200_000;

/// Maximum number of files for the inputs of a scope of a test set, since judges run each of them.
pub(crate) const MAX_SCOPE_FILES: usize = 200;

// Minimization

/// Number of random inputs below the result of shrinking that are drawn for each candidate that shrinking ran.
pub(crate) const DRAWS_PER_CANDIDATE: usize = 4;

/// Minimum number of random inputs that are drawn below a result.
pub(crate) const MIN_RANDOM_DRAWS: usize = 256;

/// Maximum number of random inputs that are drawn below a result: some seconds.
pub(crate) const MAX_RANDOM_DRAWS: usize = 20_000;

/// Growths of the inputs that generators draw below a result, in turn: the sides of boards are at most three above the
/// smallest at first, and at most a few times that.
pub(crate) const SMALL_GROWTHS: [u32; 4] = [0, 10, 20, 30];

/// The same in every other turn where the best input is large: it may need a table to overflow.
pub(crate) const LARGE_GROWTHS: [u32; 4] = [45, 60, 80, 100];

/// Number of elements from which an input is large: the boards of small growths have fewer.
pub(crate) const MIN_LARGE_ELEMENTS: usize = 200;

/// Number of inputs that generators draw before a failing input is shrunk, a few at a time: some tenths of a second.
pub(crate) const SAMPLED_INPUTS: u64 = 256;

/// Maximum number of cases of a failing input that are tried alone, since each takes a run. Of more, halves are left out.
pub(crate) const MAX_SAMPLED_CASES: usize = 100;

/// Minimum number of elements of a failing input of which smaller ones of its kind are drawn: the passes halve smaller ones as
/// fast.
pub(crate) const MIN_REDRAWN_ELEMENTS: usize = 1_000;

/// Number of elements of the smallest ones.
pub(crate) const LEAST_REDRAWN_ELEMENTS: usize = 16;

/// Maximum number of them: a few of each size.
pub(crate) const MAX_REDRAWN_INPUTS: u64 = 64;

/// Number of inputs that generators draw at a time: their cases are run together.
pub(crate) const SAMPLED_TOGETHER: u64 = 32;

/// Number of inputs each worker takes from the enumeration at a time: enough for one batch of forks.
pub(crate) const PROOF_INPUTS_PER_WORKER: usize = 64;

/// Maximum number of inputs with as many elements as the finding for which they are run first: they take a second or
/// two in new processes.
pub(crate) const MAX_SAME_SIZE_INPUTS: usize = 512;

/// Maximum number of inputs that are run for a shorter conversation: they take some seconds.
pub(crate) const MAX_CONVERSATION_INPUTS: usize = 512;

/// Number of inputs that each worker runs at a time in the search for a shorter conversation.
pub(crate) const CONVERSATIONS_PER_WORKER: usize = 4;

/// Maximum number of cases that are run individually: shrinking leaves two or three of a true leak.
pub(crate) const MAX_LEAK_CASES: usize = 12;

// Diagnosis of how programs read their input

/// Maximum size of the inputs to check in bytes, since each is run several times.
pub(crate) const MAX_FITTED_INPUT_BYTES: usize = 1 << 16;

/// Minimum number of inputs with an unread last token for a warning. On a few, a program can have good reasons to
/// stop early.
pub(crate) const MIN_UNREAD_INPUTS: usize = 4;

/// Maximum duration of the check whether inputs fit a program; a program that is being run then is still finished.
pub(crate) const MAX_INPUT_FIT_DURATION: Duration = Duration::from_secs(2);

/// Maximum processor time of a diagnostic run in milliseconds: it is only a hint in a report.
pub(crate) const MAX_DIAGNOSIS_TIME_MS: u64 = 1000;

/// Number of spaces in a padding: more than a program reads ahead.
pub(crate) const PADDING_BYTES: usize = 1 << 20;

/// Number of lines that are appended to an input: more than a program reads by mistake.
pub(crate) const EXTRA_LINES: usize = 4096;

/// Number of tokens in the `flood` output: more than any answer, and a second of work for a slow judge.
pub(crate) const FLOOD_TOKENS: usize = 1_000_000;

/// Maximum number of outputs that are tried on a checker beside an answer, and of those of a length: a second or two for a package
/// with a checker in C++.
pub(crate) const MAX_SMALL_OUTPUTS: usize = 300;
pub(crate) const MAX_OUTPUTS_OF_LENGTH: usize = 200;

/// Maximum number of accepted outputs that are tried as answers.
pub(crate) const MAX_SWAPPED_OUTPUTS: usize = 50;

/// Characters of a token that the description of a mutated output shows, and of a small output.
pub(crate) const MAX_SHOWN_TOKEN: usize = 20;
pub(crate) const MAX_SHOWN_TOKENS: usize = 40;

// Strength of test sets

/// Maximum number of schemata that are compiled for a submission: each is built without what the one before it could not
/// compile.
pub(crate) const MAX_SCHEMATA: usize = 6;

/// A mutant may take so many times as long as the original: it is slower in its schema, and may do more work without
/// being wrong.
pub(crate) const MUTANT_TIME_FACTOR: u64 = 10;

/// Mutants are run on tests in the order of their numbers, but for tests with larger inputs, in bytes, which come later.
pub(crate) const SMALL_INPUT_BYTES: usize = 16 << 10;

/// Processor time in milliseconds that every mutant may take, since short times are measured badly.
pub(crate) const MIN_MUTANT_TIME_MS: u64 = 200;

/// A program that so many more candidates kill than the selection demands tells nothing about which to select.
pub(crate) const SURPLUS_KILLS: usize = 15;

/// A program that runs out of time on so many candidates is given up: it would take most of the time.
pub(crate) const MAX_CANDIDATE_TIMEOUTS: usize = 3;

/// Maximum number of nodes of the search for a smallest selection.
pub(crate) const MAX_COVER_NODES: usize = 20_000;

/// Maximum number of pairs of a program and a test that kills it which the search looks at, once in each node, so that it
/// takes about a second.
pub(crate) const MAX_COVER_PAIRS: usize = 100_000_000;

/// Maximum number of constant answers, and of constant lines, that are tried as programs: the most common ones kill
/// the most.
pub(crate) const MAX_CONSTANT_ANSWERS: usize = 12;

/// Maximum size in bytes of a constant answer. A submission that prints a longer constant is not to be expected.
pub(crate) const MAX_CONSTANT_BYTES: usize = 2048;

/// Number of first tokens of the input that are printed, one by each program: sizes come first.
pub(crate) const ECHOED_TOKENS: usize = 4;

// Work by size

/// Size of what does not grow itself: large enough to be seen in the work, small beside what grows.
pub(crate) const BASE_SIZE: i128 = 32;

/// Smallest size of an input that is measured, if the format allows it: below it, the start of the program is all of
/// the work.
pub(crate) const MIN_GROWTH_SIZE: i128 = 16;

/// Ranges up to this size are measured step by step, and others by factors: what has so small a limit may be
/// exponential.
pub(crate) const MAX_STEPPED_SIZE: i128 = 64;

/// Maximum number of sizes and numbers that grow one at a time: each takes some seconds.
pub(crate) const MAX_GROWTH_VARIABLES: usize = 4;

/// A number with a smaller range hardly grows.
pub(crate) const MIN_GROWTH_RANGE: i128 = 12;

/// Minimum number of sizes for a fit: more than it has terms.
pub(crate) const MIN_FIT_POINTS: usize = 5;

/// Sizes below this part of the largest one are ignored: there, other terms are larger.
pub(crate) const MAX_SIZE_RATIO: f64 = 1024.0;

/// A class fits about as well as the best one if its error is at most this many times as large, or larger by
/// [`EQUAL_ERROR`].
pub(crate) const EQUAL_ERROR_RATIO: f64 = 1.3;

/// A difference of the relative errors of two fits that means nothing: work is counted to about this part.
pub(crate) const EQUAL_ERROR: f64 = 0.004;

/// Minimum share of the leading term in the work at the largest size: a smaller one may be noise.
pub(crate) const MIN_LEADING_SHARE: f64 = 0.15;

/// An exponential law must double the work at least once while the size grows by this many.
pub(crate) const MAX_DOUBLING_SIZE: f64 = 8.0;

/// Bases this close to 2 are tried as 2, and with the size as a factor.
pub(crate) const MAX_BASE_OFFSET: f64 = 0.2;

/// Work, in counted branches, after which no larger size is measured: a tenth of a second.
pub(crate) const MAX_WORK: u64 = 80_000_000;

/// The same for processor time in microseconds.
pub(crate) const MAX_GROWTH_TIME_US: u64 = 400_000;

/// Work up to which a size is used to compare shapes: small enough that the square of it still ends.
pub(crate) const MAX_SCREENING_WORK: u64 = 300_000;

/// The same for processor time in microseconds.
pub(crate) const MAX_SCREENING_TIME_US: u64 = 40_000;

/// Number of shapes for which all sizes are measured, in addition to ordinary inputs: each takes as long as these.
pub(crate) const MEASURED_SHAPES: usize = 2;

/// A shape is of interest if its work is this many times that of ordinary inputs, in percent.
pub(crate) const MIN_SHAPE_PERCENT: u64 = 130;

/// Maximum number of numbers and characters of an input: its file takes a few megabytes.
pub(crate) const MAX_GROWTH_ELEMENTS: usize = 2_000_000;

/// Number of sizes in a row for which no input is found before larger ones are given up.
pub(crate) const MAX_MISSING_SIZES: usize = 3;

/// Maximum number of steps of the generation of one input: about two seconds.
pub(crate) const MAX_GROWTH_STEPS: u64 = 50_000_000;

/// Processor time limit of a run in milliseconds: only a program far beyond [`MAX_WORK`] reaches it.
pub(crate) const GROWTH_RUN_LIMIT_MS: u64 = 2_000;
