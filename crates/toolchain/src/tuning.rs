//! The constants that tune compilations, each with its reason.

use std::time::Duration;

/// Minimum number of programs for which the header is precompiled: it takes about 120 MB, and as much time as this many
/// programs save.
pub(crate) const MIN_HEADER_PROGRAMS: usize = 4;

/// The stack of a compiler's main thread; compilers ask for less themselves.
pub(crate) const COMPILER_STACK_BYTES: u64 = 256 << 20;

/// The stack of a program with sanitizers. It is large, because instrumented frames are large. Endless recursion must
/// overflow it, and be reported, before it reaches the memory limit.
pub(crate) const SANITIZER_STACK_BYTES: u64 = 512 << 20;

/// Minimum limit on the size of files of a program that counts its work, so that the counters can be collected.
pub(crate) const MIN_COUNTED_OUTPUT_BYTES: u64 = 4 << 20;

/// Maximum length of a compiler's messages that is kept: the beginning, where the first error is.
pub(crate) const MAX_COMPILER_TEXT_BYTES: u64 = 32 << 10;

/// With less free disk space than this, compilers fail in ways that do not look like it: their temporary files are a
/// few megabytes.
pub(crate) const MIN_FREE_SPACE_BYTES: u64 = 8 << 20;

/// Maximum number of refused paths that are named: the first ones show the cause.
pub(crate) const MAX_REFUSED_PATHS: usize = 5;

/// Minimum age of an unfinished build that is removed: longer than the moment between creating a folder and locking
/// it.
pub(crate) const MIN_ABANDONED_AGE: Duration = Duration::from_secs(60);

/// Maximum number of files that a source names: more than any contest program has.
pub(crate) const MAX_NAMED_FILES: usize = 1000;

/// Maximum total size of the files that a source names: a table of numbers can be large, a device is endless.
pub(crate) const MAX_NAMED_BYTES: u64 = 64 << 20;

/// Maximum number of files of a program that is a folder: any program for a contest has fewer.
pub(crate) const MAX_SOURCE_FILES: usize = 2000;

/// Maximum total size of the files of a program that is a folder: any program for a contest is smaller.
pub(crate) const MAX_SOURCE_BYTES: usize = 64 << 20;

/// Maximum depth of the folders of a program: Java packages have a few levels.
pub(crate) const MAX_SOURCE_DEPTH: usize = 32;

/// Maximum number of files of a program's folder that are attached to its runs: the rest is for those of test cases.
pub(crate) const MAX_DATA_FILES: usize = 40;
