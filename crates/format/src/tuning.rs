//! The constants that tune searches: when a pass of shrinking gives up, how much memory enumeration takes, how many
//! inputs are drawn. Each says its unit and why it has its value. Those of generation are in its folder.

// Ranges

/// Maximum number of bisection probes of the end of a range; beyond it the result is a safe overestimate.
pub(crate) const MAX_BISECTION_STEPS: u32 = 600;

/// Maximum number of narrowing rounds. Each round is sound by itself, so it is safe to stop at any of them.
pub(crate) const MAX_NARROWING_ROUNDS: usize = 32;

/// Maximum number of bounds that are tested for being reachable. Real formats have fewer, and each test narrows the
/// ranges by all constraints anew.
pub(crate) const MAX_BOUNDS_TESTED: usize = 64;

/// Maximum work of these tests together, in pairs of numbers of a constraint. Sums of many numbers leave time for fewer tests;
/// formats of statements need a hundredth of it.
pub(crate) const MAX_BOUND_TEST_WORK: usize = 4_000_000;

/// Number of values next to an unreachable bound that are tried one by one, as the unreachable values need not be
/// contiguous.
pub(crate) const MAX_LINEAR_PROBES: i128 = 64;

/// Maximum number of bounds that are combined to prove that a size is not negative; more are never needed in
/// practice.
pub(crate) const MAX_COMBINED_BOUNDS: usize = 3;

/// Maximum product of the numbers of fields and constraints up to which each range is narrowed by trial, where a
/// trial applies all constraints. Larger formats show their declared ranges.
pub(crate) const MAX_NARROWING_TRIALS: usize = 1 << 16;

// Constraints

/// Maximum number of steps (comparisons and iterations of quantifiers) per formula; more would take too long.
pub(crate) const MAX_FORMULA_STEPS: u64 = 400_000_000;

/// Number of steps of a formula between two checks of the stop token of the format: they take some microseconds.
pub(crate) const FORMULA_STEPS_PER_STOP_CHECK: u64 = 4096;

/// Minimum number of steps counted at the end of an evaluation: to count fewer would take as long as they do.
pub(crate) const MIN_COUNTED_STEPS: u64 = 64;

// Enumeration

/// Number of tree nodes that are looked at for each prefix, beside its own.
pub(crate) const NODES_PER_PREFIX: usize = 8;

/// Maximum number of tree nodes in memoized prefixes, some fifty megabytes. Beyond that, counting gets slower.
pub(crate) const MAX_KEPT_NODES: usize = 1_000_000;

/// Maximum number of tree nodes in the prefixes of unfinished tasks, some two hundred megabytes: an input of many
/// parts has as many unfinished tasks, each with a copy of the prefix.
pub(crate) const MAX_COUNTING_NODES: usize = 4_000_000;

/// Maximum width of a range for which bounds by distinct values are computed. In wider ranges, they hardly matter.
pub(crate) const MAX_DISTINCT_RANGE_WIDTH: i128 = 64;

/// Maximum number of rows of an array: a format may announce `10^18` empty ones.
pub(crate) const MAX_ROWS: usize = 1_000_000;

/// Maximum number of steps from one leaf to the next, including the tree nodes copied at forks: a thousand possibly
/// empty lines take two million.
pub(crate) const MAX_LAYOUT_STEPS: usize = 4_000_000;

/// Number of steps of the layout between two checks of the stop token of the format: they take some microseconds.
pub(crate) const LAYOUT_STEPS_PER_STOP_CHECK: usize = 4096;

/// Maximum number of terms of a relation. Larger ones would take longer to evaluate than they save.
pub(crate) const MAX_RELATION_TERMS: usize = 20_000;

/// Maximum number of iterations of quantifiers, nested ones included: most have a term, if any is worth its time.
pub(crate) const MAX_RELATION_ITERATIONS: usize = 2 * MAX_RELATION_TERMS;

/// Number of steps recorded for an iteration of a quantifier, beside one for a comparison of two numbers.
pub(crate) const STEPS_PER_ITERATION: usize = 8;

/// Maximum number of propagation rounds for one choice. Ranges that still narrow each other a little are left as they
/// are.
pub(crate) const MAX_RELATION_ROUNDS: usize = 4;

/// Maximum number of tree nodes in the prefixes that are followed side by side. Formats with many possibly empty
/// lines would need unbounded memory.
pub(crate) const MAX_FRONTIER_NODES: usize = 500_000;

/// Bounds are cached for prefixes with at most this many chosen leaves: there are few of them, and they take the
/// longest.
pub(crate) const MAX_CACHED_DEPTH: i128 = 2;

/// Maximum number of prefixes for which bounds are cached: some megabytes.
pub(crate) const MAX_CACHED_PREFIXES: usize = 10_000;

/// Maximum number of tree nodes in the prefixes of all search nodes. Each search node on the path to an input keeps
/// its own prefix, so inputs of some thousand elements reach this limit.
pub(crate) const MAX_SEARCH_NODES: usize = 12_000_000;

/// Maximum number of vertices for which bounds by connected graphs are computed. Larger graphs have too many edges to
/// be enumerated anyway.
pub(crate) const MAX_SPANNED_VERTICES: i128 = 256;

// Deletion

/// Maximum number of remaining elements for which pairs are tried: there are about a hundred.
pub(crate) const MAX_PAIRED: usize = 14;

/// Above this count, everything between the first and the last element is tried. Below it, the sweeps soon do the
/// same.
pub(crate) const MAX_UNTRIMMED_COUNT: usize = 4;

/// Number of rejections of single elements in a row after which quick ddmin gives up a sweep.
pub(crate) const MAX_QUICK_REJECTIONS: usize = 32;

/// Maximum number of elements for which large chunks are not tried: sweeps over single elements take few queries.
pub(crate) const MAX_SMALL_COUNT: usize = 64;

/// The smallest of the large chunks are the elements divided by this: smaller ones are left to the sweeps.
pub(crate) const MAX_CHUNKS: usize = 16;

/// Maximum length of chunks that are tried where a number of elements may have to keep its remainder: common moduli
/// are smaller.
pub(crate) const MAX_CHUNK_LENGTH: usize = 13;

/// Maximum length of an axis without parts in the value, since each step of ddmin lists the positions.
pub(crate) const MAX_ABSENT_PARTS: usize = 1_000_000;

/// Maximum number of axes that are shortened in pairs: the number of pairs is its square.
pub(crate) const MAX_PAIRED_AXES: usize = 8;

/// Maximum number of paths through a vertex that is bypassed: each becomes an edge, and more are no simplification.
pub(crate) const MAX_BYPASSED_PATHS: usize = 4;

// Values

/// Number of values next to the simplest that are tried one by one before bisecting: most minima are among them.
pub(crate) const MAX_NEAREST: i128 = 3;

/// Number of failing distances that show that a leaf is at a bound: fewer may depend on a remainder.
pub(crate) const MIN_BOUND_DISTANCES: usize = 4;

/// Number of values next to the simplest that are tried for a number that decides a condition: each changes the
/// structure.
pub(crate) const MAX_NEAREST_VALUES: i128 = 3;

/// Minimum distance for which moving single values may cost more than moving all values of an array.
pub(crate) const MIN_FAR_DISTANCE: i128 = 16;

/// Maximum number of different values of a field whose equal values are changed together.
pub(crate) const MAX_EQUALIZED_VALUES: usize = 12;

/// Maximum number of numbers of an input of which equal ones in several fields are changed together.
pub(crate) const MAX_TIED_LEAVES: usize = 48;

/// Maximum distance from which tied numbers move by single steps: often only single steps succeed.
pub(crate) const MAX_SMALL_GAP: i128 = 64;

/// Maximum number of different values that are exchanged in pairs: the number of pairs is half of its square.
pub(crate) const MAX_EXCHANGED_VALUES: usize = 6;

/// Maximum number of leaves away from their simplest whose gaps are closed. For more, moving single numbers takes
/// fewer queries.
pub(crate) const MAX_COMPACTED_LEAVES: usize = 16;

/// Maximum number of leaves, or groups of equal leaves, away from their simplest for which round values are tried.
pub(crate) const MAX_ROUNDED_LEAVES: usize = 8;

/// Maximum number of other values of its field that a leaf is moved towards.
pub(crate) const MAX_OTHERS: usize = 3;

/// Maximum size of a group of equal leaves: each of its candidates is a large input.
pub(crate) const MAX_GROUP: usize = 32;

/// Number of values that are tried one by one, shared by all leaves. Half as many for groups, since their leaves have
/// been tried alone.
pub(crate) const MAX_ONE_BY_ONE: i128 = 32;

/// Factors of distances are searched below this limit: larger ones are rarely a reason for a failure.
pub(crate) const MAX_FACTOR: i128 = 1 << 12;

/// Maximum number of candidates for which all values are tried: about as many as a pass over single values takes.
pub(crate) const MAX_EXHAUSTIVE_CANDIDATES: usize = 32;

/// Maximum number of leaves away from their simplest that are moved in pairs: the number of pairs is its square.
pub(crate) const MAX_PAIRED_LEAVES: usize = 12;

/// Minimum distance that one leaf takes over from another; smaller ones are left to single steps.
pub(crate) const MIN_TRADED_DISTANCE: i128 = 8;

/// Maximum number of values of a field, whose square is the number of candidates for a pair.
pub(crate) const MAX_PLACES: usize = 16;

/// Maximum number of values of a field away from their simplest that are placed anew in pairs.
pub(crate) const MAX_DISTANT: usize = 4;

/// Maximum number of parts of each dimension of an instance that replaces an alternative. A larger instance is no
/// simplification.
pub(crate) const MAX_INSTANCE_PARTS: usize = 64;

// Order and shape

/// Maximum number of parts of axes and lists that are reordered: the number of swaps is its square.
pub(crate) const MAX_REORDERED_PARTS: usize = 8;

/// Maximum number of elements of inputs that are reordered, since each swap is an input of its own.
pub(crate) const MAX_REORDERED_ELEMENTS: usize = 400;

/// Maximum number of positions whose orders are all tried: more have too many.
pub(crate) const MAX_ORDERED: usize = 5;

/// Maximum number of elements of arrays, and of cells of boards, that are reordered by rotations and swaps.
pub(crate) const MAX_SORTED_ELEMENTS: usize = 25;

/// Maximum number of cells of boards that are laid out in other shapes: such minima are small.
pub(crate) const MAX_RESHAPED_CELLS: usize = 12;

/// Maximum number of cells of boards that are transposed: each candidate is an input of its own.
pub(crate) const MAX_TRANSPOSED_CELLS: usize = 400;

/// Maximum number of cells of boards that are mirrored and turned: each candidate is an input of its own.
pub(crate) const MAX_TRANSFORMED_CELLS: usize = 400;

/// Maximum number of references into a board that are moved with it: more have too many subsets.
pub(crate) const MAX_TRANSFORMED_REFERENCES: usize = 3;

/// Maximum number of elements of inputs in which letters are placed in several ways.
pub(crate) const MAX_RELOCATED_ELEMENTS: usize = 64;

/// Number of ways in which letters are placed during repair.
pub(crate) const MAX_RELOCATIONS: u64 = 3;

// Draws and texts

/// Number of other inputs of the generator that are tried first, smaller ones before larger ones.
pub(crate) const MAX_SIBLINGS: u32 = 128;

/// Number of requests for which the generator is run at a time: enough for all workers, few enough to stop soon.
pub(crate) const BATCH_REQUESTS: usize = 16;

/// A draw is lowered to each number below this limit one by one, since failures need not be monotone.
pub(crate) const SMALL_DRAW_LIMIT: u64 = 8;

/// Maximum distance in the list of two draws that are changed together: related draws are near each other.
pub(crate) const MAX_DRAW_DISTANCE: usize = 8;

/// Number of draws at the front that are tried as the length of a list, and as pairs with any other draw.
pub(crate) const MAX_LEADING_DRAWS: usize = 48;

/// Maximum number of numbers of a text that are lowered as possible counts of deleted lines or tokens.
pub(crate) const MAX_LOWERED_COUNTS: usize = 3;

// The search for a smaller value

/// Number of elements after which a batch of candidates is run before more are built: hundreds of candidates of an
/// ordinary input, or two or three of a million numbers, which take 32 MB each.
pub(crate) const MAX_BATCH_ELEMENTS: usize = 1 << 21;

/// The same in bytes, for inputs without a format.
pub(crate) const MAX_BATCH_BYTES: usize = 1 << 25;

/// Maximum number of elements of a value that is kept from round to round: each copy takes as much memory as the best
/// value.
pub(crate) const MAX_KEPT_ELEMENTS: usize = 1 << 16;

/// Maximum number of elements of inputs for which passes are recorded: larger ones are too expensive to build again.
pub(crate) const MAX_RECORDED_ELEMENTS: usize = 4096;

/// Maximum work for running passes again: queries times elements.
pub(crate) const MAX_REPLAY_WORK: usize = 1 << 21;

/// Number of rejections in a row after which the next answer is assumed to be a rejection.
pub(crate) const MIN_REJECTIONS: usize = 4;

/// Number of random draws below a result whose inputs are run together.
pub(crate) const DRAWS_PER_QUERY: u64 = 32;

/// One in this many draws below a result is made where generators make others. It is odd, so that all kinds come in turn.
pub(crate) const DRAWS_BESIDE_OTHERS: usize = 5;

/// A draw that wastes more than this is given up: most inputs of this size are drawn at once.
pub(crate) const MAX_WASTED_DRAWS: u64 = 20_000;

// Invalid inputs

/// Maximum number of mutated values checked for one breach, weighted by their sizes.
pub(crate) const MAX_JUDGED_VALUES: usize = 20_000;

/// Maximum number of random mutations tried after the targeted ones fail.
pub(crate) const MAX_RANDOM_MUTATIONS: usize = 500;

/// Maximum number of inputs drawn from each negated format, since some violate other constraints as well.
pub(crate) const MAX_DRAWS_PER_FORMAT: u64 = 8;

/// Maximum number of nodes of a value that is mutated or shrunk: the cost of each step grows with the size.
pub(crate) const MAX_SHRUNK_NODES: usize = 300;

/// Maximum number of elements of a small input, which is drawn before larger ones.
pub(crate) const MAX_SMALL_ELEMENTS: i128 = 300;

/// Number of failed draws after which a negated format is assumed to have no inputs.
pub(crate) const MAX_FAILED_INPUTS: usize = 2;

/// Approximate number of draws for one breach, so that a constraint that cannot be violated alone does not stop the
/// rest.
pub(crate) const MAX_BREACH_DRAWS: u64 = 400_000;

/// Approximate number of draws for one breach that may violate certain other constraints as well.
pub(crate) const MAX_DRAWS_WITH_OTHERS: u64 = 60_000;

/// Maximum number of large inputs drawn from a negated format without success.
pub(crate) const MAX_LARGE_INPUTS: usize = 2;

/// Maximum number of candidates during the shrinking of an invalid input, which need not be minimal.
pub(crate) const MAX_SHRINK_CANDIDATES: usize = 4_000;

/// Maximum number of places of an input in which a mutation is tried: each is a copy of the whole input.
pub(crate) const MAX_OCCURRENCES: usize = 40;

/// Maximum number of tokens of a field in which a mutation is tried.
pub(crate) const MAX_MUTATED_CELLS: usize = 40;

/// Maximum number of copies of an instance that a mutation adds: some megabytes.
pub(crate) const MAX_INSTANCE_COPIES: usize = 200_000;

/// Maximum distances of numbers from the simplest, in turn, to which a negated format is limited: small inputs are
/// easier to read.
pub(crate) const NUMBER_TIERS: [i128; 2] = [6, 200];

/// Number of valid inputs drawn to be mutated.
pub(crate) const MAX_SEEDS: u64 = 24;

/// Maximum number of elements of a seed; larger ones are only used if there are no others.
pub(crate) const MAX_SEED_ELEMENTS: usize = 400;

/// Approximate number of wasted draws before an input is given up.
pub(crate) const MAX_FAILED_DRAWS: u64 = 20_000;

/// Maximum number of other values of an input that are tried in one place.
pub(crate) const MAX_OTHER_VALUES: usize = 12;

/// Maximum number of letters tried in one place.
pub(crate) const MAX_MUTATED_LETTERS: usize = 6;

/// Maximum length of a row after a mutation: a file of some megabytes.
pub(crate) const MAX_ROW_LENGTH: i128 = 2_000_000;
