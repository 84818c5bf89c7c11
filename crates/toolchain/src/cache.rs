//! The build cache, kept between invocations.
//!
//! Every build is a folder named by its fingerprint. It is created elsewhere and renamed into place, so another rebut
//! sees it complete or not at all, and of two processes that create the same build the first wins.

use super::recorded_reads::check_seal;
use crate::tuning::MIN_ABANDONED_AGE;
use rebut_diagnostics::{Error, Result};
use rebut_sandbox::HostEnvironment;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// Prefix of the names of unfinished builds.
const UNFINISHED_PREFIX: &str = "building-";

/// How much is kept. Builds that were used within the last hour are always kept, because they can be in use.
#[derive(Clone, Copy, Debug)]
struct CacheRetention {
    max_bytes: u64,
    max_unused: Duration,
    min_kept: Duration,
}

const DEFAULT_RETENTION: CacheRetention = CacheRetention {
    max_bytes: 1 << 30,
    max_unused: Duration::from_secs(30 * 24 * 3600),
    min_kept: Duration::from_secs(3600),
};

/// The folder of the build cache.
#[derive(Clone, Debug)]
pub(super) struct BuildCache {
    root: PathBuf,
    /// Set if it is a temporary folder, removed at exit.
    temporary: Option<Arc<TempDir>>,
}

impl BuildCache {
    /// Opens the first of these that is writable: `$REBUT_CACHE`, `$XDG_CACHE_HOME/rebut`, `~/.cache/rebut`, or a
    /// temporary folder.
    ///
    /// # Errors
    ///
    /// Returns an `Operating` error if not even a temporary folder can be created.
    pub(super) fn open(environment: &HostEnvironment) -> Result<Self> {
        let own = environment.get_variable("REBUT_CACHE").map(PathBuf::from);
        let xdg = environment.get_variable("XDG_CACHE_HOME").map(|folder| Path::new(folder).join("rebut"));
        let home = environment.get_variable("HOME").map(|folder| Path::new(folder).join(".cache/rebut"));
        let wanted = own.or(xdg).or(home).map(|root| environment.current_folder().join(root));
        match wanted.filter(|root| is_writable(root)) {
            Some(root) => {
                remove_abandoned_builds(&root, SystemTime::now());
                Ok(BuildCache { root, temporary: None })
            }
            None => Self::open_temporary(),
        }
    }

    /// Creates an empty cache in a temporary folder, removed at exit.
    ///
    /// # Errors
    ///
    /// Returns an `Operating` error if the folder cannot be created.
    pub(super) fn open_temporary() -> Result<Self> {
        let folder = TempDir::with_prefix("rebut-cache-");
        let folder = folder.map_err(|cause| Error::io_error("make a folder in", &std::env::temp_dir(), &cause))?;
        Ok(BuildCache { root: folder.path().to_owned(), temporary: Some(Arc::new(folder)) })
    }

    pub(super) fn root_folder(&self) -> &Path {
        &self.root
    }

    /// Returns a guard that keeps a temporary cache from being removed.
    pub(super) fn temporary_guard(&self) -> Option<Arc<TempDir>> {
        self.temporary.clone()
    }

    /// Returns the folder of a finished build, and marks it as used.
    pub(super) fn find_build(&self, name: &str) -> Option<PathBuf> {
        let folder = self.root.join(name);
        let opened = File::open(&folder).ok()?;
        // Only the order of eviction depends on this mark, so a failure to set it does not matter.
        let _ = opened.set_modified(SystemTime::now());
        Some(folder)
    }

    /// Returns the folder of a sealed build, with a hash of what its compiler read in that folder, if nothing of it has
    /// changed. Removes a build that has.
    pub(super) fn find_sealed(&self, name: &str, folder: &Path) -> Option<(PathBuf, String)> {
        let build = self.find_build(name)?;
        let reads = check_seal(&build, folder);
        if reads.is_none() {
            self.remove_build(name);
        }
        Some((build, reads?))
    }

    /// Creates a folder for a new build, which is removed unless it is [stored](BuildCache::store_build).
    ///
    /// # Errors
    ///
    /// Returns an `Operating` error if the folder cannot be created.
    pub(super) fn create_staging(&self) -> Result<StagingFolder> {
        let folder = TempDir::with_prefix_in(UNFINISHED_PREFIX, &self.root)
            .map_err(|cause| Error::io_error("make a folder in", &self.root, &cause))?;
        Ok(StagingFolder { _lock: lock_folder(folder.path()), folder })
    }

    /// Stores a finished build under this name, and evicts builds that are too old or exceed the size limit.
    ///
    /// # Errors
    ///
    /// Returns an `Operating` error if the folder cannot be moved into place.
    pub(super) fn store_build(&self, stage: StagingFolder, name: &str) -> Result<PathBuf> {
        let folder = self.root.join(name);
        let StagingFolder { folder: stage, _lock: lock } = stage;
        let stage = stage.keep();
        if let Err(cause) = fs::rename(&stage, &folder) {
            let _ = fs::remove_dir_all(&stage);
            // Another process finished the same build meanwhile; use that one.
            if !folder.is_dir() {
                return Err(Error::io_error("write", &folder, &cause));
            }
        }
        drop(lock);
        evict_builds(&self.root, DEFAULT_RETENTION, SystemTime::now());
        Ok(folder)
    }

    /// Removes a build that turned out to be damaged.
    pub(super) fn remove_build(&self, name: &str) {
        let _ = fs::remove_dir_all(self.root.join(name));
    }
}

/// A folder in which a build is being created. It is locked until then; the kernel releases the lock however the
/// process ends.
#[derive(Debug)]
pub(super) struct StagingFolder {
    folder: TempDir,
    /// Closed when the build is finished; `None` where folders cannot be locked.
    _lock: Option<File>,
}

impl StagingFolder {
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Locks a folder. Returns `None` if another process has locked it, or if it cannot be locked.
fn lock_folder(folder: &Path) -> Option<File> {
    let opened = File::open(folder).ok()?;
    opened.try_lock().ok()?;
    Some(opened)
}

/// Removes the unfinished builds of processes that were killed: those that no process has locked, and that are older
/// than the moment between creating a folder and locking it.
fn remove_abandoned_builds(root: &Path, now: SystemTime) {
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let is_unfinished = entry.file_name().to_str().is_some_and(|name| name.starts_with(UNFINISHED_PREFIX));
        let age = || entry.metadata().ok().and_then(|about| now.duration_since(about.modified().ok()?).ok());
        if is_unfinished && age().is_some_and(|age| age > MIN_ABANDONED_AGE) {
            let folder = entry.path();
            // Lock it during removal, so that only one of two processes removes it.
            if let Some(_lock) = lock_folder(&folder) {
                let _ = fs::remove_dir_all(&folder);
            }
        }
    }
}

fn is_writable(root: &Path) -> bool {
    fs::create_dir_all(root).is_ok() && TempDir::with_prefix_in(UNFINISHED_PREFIX, root).is_ok()
}

/// Evicts builds: first those unused for too long, then the least recently used ones until the rest fits. Builds that
/// cannot be read or removed are skipped.
fn evict_builds(root: &Path, retention: CacheRetention, now: SystemTime) {
    let mut builds = list_builds(root, now);
    builds.sort_by_key(|build| build.age);
    let mut kept_bytes = 0;
    for build in builds {
        kept_bytes += build.bytes;
        let unwanted = kept_bytes > retention.max_bytes || build.age > retention.max_unused;
        if unwanted && !build.unfinished && build.age > retention.min_kept {
            let _ = fs::remove_dir_all(&build.folder);
            kept_bytes -= build.bytes;
        }
    }
}

struct CachedBuild {
    folder: PathBuf,
    unfinished: bool,
    age: Duration,
    bytes: u64,
}

fn list_builds(root: &Path, now: SystemTime) -> Vec<CachedBuild> {
    let Ok(entries) = fs::read_dir(root) else { return Vec::new() };
    entries.flatten().filter_map(|entry| read_build(entry.path(), now)).collect()
}

/// Returns the build in a folder, or `None` for other entries.
fn read_build(folder: PathBuf, now: SystemTime) -> Option<CachedBuild> {
    let name = folder.file_name()?.to_str()?;
    let unfinished = name.starts_with(UNFINISHED_PREFIX);
    let finished = name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let modified = fs::metadata(&folder).ok()?.modified().ok()?;
    let age = now.duration_since(modified).unwrap_or_default();
    let bytes = folder_size_bytes(&folder);
    (finished || unfinished).then_some(CachedBuild { folder, unfinished, age, bytes })
}

/// Returns the total size of the readable files in a folder.
fn folder_size_bytes(folder: &Path) -> u64 {
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(folder) if folder.is_dir() => folder_size_bytes(&entry.path()),
        file => file.map_or(0, |file| file.len()),
    };
    fs::read_dir(folder).into_iter().flatten().flatten().map(size).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open_cache(folder: &Path) -> Result<BuildCache> {
        BuildCache::open(&HostEnvironment::default().with_variable("REBUT_CACHE", folder))
    }

    fn store_test_build(cache: &BuildCache, name: &str, bytes: usize) -> Result<PathBuf> {
        let stage = cache.create_staging()?;
        let file = stage.path().join("program");
        fs::write(&file, vec![0; bytes]).map_err(|cause| Error::io_error("write", &file, &cause))?;
        cache.store_build(stage, name)
    }

    fn build_name(digit: char) -> String {
        digit.to_string().repeat(32)
    }

    #[test]
    fn build_is_stored_completely_or_not_at_all() -> Result<()> {
        let folder = tempfile::tempdir().map_err(|cause| Error::io_error("make", Path::new("."), &cause))?;
        let cache = open_cache(folder.path())?;
        assert_eq!(cache.find_build(&build_name('a')), None);
        let stored = store_test_build(&cache, &build_name('a'), 3)?;
        assert_eq!(cache.find_build(&build_name('a')), Some(stored.clone()));
        assert_eq!(store_test_build(&cache, &build_name('a'), 5)?, stored);
        assert_eq!(fs::metadata(stored.join("program")).map(|file| file.len()).ok(), Some(3), "the first wins");
        assert_eq!(list_builds(folder.path(), SystemTime::now()).len(), 1, "nothing unfinished is left");
        Ok(())
    }

    #[test]
    fn abandoned_build_is_removed_and_one_in_progress_stays() -> Result<()> {
        let folder = tempfile::tempdir().map_err(|cause| Error::io_error("make", Path::new("."), &cause))?;
        let create_folder = |name: &str, age: u64| {
            let path = folder.path().join(name);
            assert!(fs::create_dir_all(path.join("inner")).is_ok() && fs::write(path.join("inner/x"), "x").is_ok());
            let modified = SystemTime::now() - Duration::from_secs(age);
            assert!(File::open(&path).is_ok_and(|file| file.set_modified(modified).is_ok()));
            path
        };
        let (old, new, other) =
            (create_folder("building-old", 300), create_folder("building-new", 0), create_folder("unfinished", 300));
        let first = open_cache(folder.path())?;
        assert_eq!([&old, &new, &other].map(|path| path.exists()), [false, true, true]);
        // A slow build is just as old, but its process is alive.
        let stage = first.create_staging()?;
        let long_ago = SystemTime::now() - Duration::from_secs(3000);
        assert!(File::open(stage.path()).is_ok_and(|file| file.set_modified(long_ago).is_ok()));
        let second = open_cache(folder.path())?;
        assert!(stage.path().exists());
        first.store_build(stage, &build_name('a'))?;
        assert!(second.find_build(&build_name('a')).is_some());
        Ok(())
    }

    #[test]
    fn a_cache_that_cannot_be_written_is_replaced_by_a_temporary_one() -> Result<()> {
        let file = tempfile::NamedTempFile::new().map_err(|cause| Error::io_error("make", Path::new("."), &cause))?;
        let cache = open_cache(&file.path().join("cache"))?;
        assert!(cache.temporary_guard().is_some());
        assert!(store_test_build(&cache, &build_name('a'), 1)?.is_dir());
        Ok(())
    }

    #[test]
    fn least_recently_used_builds_are_evicted_first() -> Result<()> {
        let folder = tempfile::tempdir().map_err(|cause| Error::io_error("make", Path::new("."), &cause))?;
        let cache = open_cache(folder.path())?;
        let now = SystemTime::now();
        for (digit, hours) in [('a', 0), ('b', 2), ('c', 3), ('d', 100)] {
            let stored = store_test_build(&cache, &build_name(digit), 1000)?;
            let used = now - Duration::from_secs(3600 * hours);
            assert!(File::open(stored).is_ok_and(|file| file.set_modified(used).is_ok()));
        }
        assert!(fs::create_dir(folder.path().join("go")).is_ok());
        let hour = Duration::from_secs(3600);
        let left = |bytes| {
            evict_builds(
                folder.path(),
                CacheRetention { max_bytes: bytes, max_unused: hour * 50, min_kept: hour },
                now,
            );
            "abcd".chars().filter(|digit| folder.path().join(build_name(*digit)).exists()).collect::<String>()
        };
        assert_eq!(left(1 << 30), "abc");
        assert_eq!(left(2500), "ab");
        assert_eq!(left(0), "a");
        assert!(folder.path().join("go").exists());
        Ok(())
    }
}
