//! Finished builds, kept between invocations.
//!
//! Every build is a folder named by its fingerprint. It is made elsewhere and moved into place whole, so
//! another rebut sees all of it or nothing, and of two that make the same one the first wins.

use super::Environment;
use crate::diagnostic::{Error, Result};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// The name of unfinished builds begins so.
const UNFINISHED: &str = "building-";

/// How much is kept. What was used within the last hour is kept in any case: it may be in use.
#[derive(Clone, Copy, Debug)]
struct Retention {
    bytes: u64,
    unused: Duration,
    recent: Duration,
}

const RETENTION: Retention =
    Retention { bytes: 1 << 30, unused: Duration::from_secs(30 * 24 * 3600), recent: Duration::from_secs(3600) };

/// The folder in which builds are kept.
#[derive(Clone, Debug)]
pub(super) struct BuildCache {
    root: PathBuf,
    /// Set if this is a folder of our own that goes when we do.
    temporary: Option<Arc<TempDir>>,
}

impl BuildCache {
    /// Opens the first of these that can be written: `$REBUT_CACHE`, `$XDG_CACHE_HOME/rebut`,
    /// `~/.cache/rebut`, or a temporary folder.
    ///
    /// # Errors
    ///
    /// `Operating`: not even a temporary folder can be made.
    pub(super) fn open(environment: &Environment) -> Result<Self> {
        let own = environment.get("REBUT_CACHE").map(PathBuf::from);
        let xdg = environment.get("XDG_CACHE_HOME").map(|folder| Path::new(folder).join("rebut"));
        let home = environment.get("HOME").map(|folder| Path::new(folder).join(".cache/rebut"));
        let wanted = own.or(xdg).or(home).map(|root| environment.folder().join(root));
        match wanted.filter(|root| is_writable(root)) {
            Some(root) => {
                remove_abandoned(&root, SystemTime::now());
                Ok(BuildCache { root, temporary: None })
            }
            None => {
                let folder = TempDir::with_prefix("rebut-cache-");
                let folder = folder.map_err(|cause| Error::io("make a folder in", &std::env::temp_dir(), &cause))?;
                Ok(BuildCache { root: folder.path().to_owned(), temporary: Some(Arc::new(folder)) })
            }
        }
    }

    /// Where it is.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// What must be kept alive for its builds to stay.
    pub(super) fn guard(&self) -> Option<Arc<TempDir>> {
        self.temporary.clone()
    }

    /// The folder of a finished build. Marks it as used.
    pub(super) fn find(&self, name: &str) -> Option<PathBuf> {
        let folder = self.root.join(name);
        let opened = File::open(&folder).ok()?;
        // Only the order of removal depends on this mark, so a failure to set it does not matter.
        let _ = opened.set_modified(SystemTime::now());
        Some(folder)
    }

    /// A folder in which a build can be made; it goes away unless it is [kept](BuildCache::keep).
    ///
    /// # Errors
    ///
    /// `Operating`: the folder cannot be made.
    pub(super) fn stage(&self) -> Result<Stage> {
        let folder = TempDir::with_prefix_in(UNFINISHED, &self.root)
            .map_err(|cause| Error::io("make a folder in", &self.root, &cause))?;
        Ok(Stage { _lock: lock(folder.path()), folder })
    }

    /// Keeps a finished build under this name, and removes what is too old or too much.
    ///
    /// # Errors
    ///
    /// `Operating`: the folder cannot be moved into place.
    pub(super) fn keep(&self, stage: Stage, name: &str) -> Result<PathBuf> {
        let folder = self.root.join(name);
        let Stage { folder: stage, _lock: lock } = stage;
        let stage = stage.keep();
        if let Err(cause) = fs::rename(&stage, &folder) {
            let _ = fs::remove_dir_all(&stage);
            // Somebody else made the same build meanwhile, which is as good as ours.
            if !folder.is_dir() {
                return Err(Error::io("write", &folder, &cause));
            }
        }
        drop(lock);
        evict(&self.root, RETENTION, SystemTime::now());
        Ok(folder)
    }

    /// Removes a build that turned out to be damaged.
    pub(super) fn discard(&self, name: &str) {
        let _ = fs::remove_dir_all(self.root.join(name));
    }
}

/// A folder in which a build is being made. As long as it is, the folder is locked: the kernel unlocks it however the process
/// ends.
#[derive(Debug)]
pub(super) struct Stage {
    folder: TempDir,
    /// Is closed when the build is finished; None where folders cannot be locked.
    _lock: Option<File>,
}

impl Stage {
    /// Returns where it is.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Locks a folder. Returns None if another process has locked it, or if that cannot be known.
fn lock(folder: &Path) -> Option<File> {
    let opened = File::open(folder).ok()?;
    opened.try_lock().ok()?;
    Some(opened)
}

/// Removes the folders of builds whose makers were killed: unfinished, locked by no process, and older than the instant
/// between the making of a folder and its lock.
fn remove_abandoned(root: &Path, now: SystemTime) {
    const NEWEST: Duration = Duration::from_secs(60);
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let is_unfinished = entry.file_name().to_str().is_some_and(|name| name.starts_with(UNFINISHED));
        let age = || entry.metadata().ok().and_then(|about| now.duration_since(about.modified().ok()?).ok());
        if is_unfinished && age().is_some_and(|age| age > NEWEST) {
            let folder = entry.path();
            // Locked while it is removed, so that of two processes that come upon it one leaves it alone.
            if let Some(_lock) = lock(&folder) {
                let _ = fs::remove_dir_all(&folder);
            }
        }
    }
}

fn is_writable(root: &Path) -> bool {
    fs::create_dir_all(root).is_ok() && TempDir::with_prefix_in(UNFINISHED, root).is_ok()
}

/// Removes builds: the unused ones, then the longest unused until the rest is small enough. Whatever cannot be
/// read or removed is left for another time.
fn evict(root: &Path, retention: Retention, now: SystemTime) {
    let mut builds = builds(root, now);
    builds.sort_by_key(|build| build.age);
    let mut kept_bytes = 0;
    for build in builds {
        kept_bytes += build.bytes;
        let unwanted = kept_bytes > retention.bytes || build.age > retention.unused;
        if unwanted && !build.unfinished && build.age > retention.recent {
            let _ = fs::remove_dir_all(&build.folder);
            kept_bytes -= build.bytes;
        }
    }
}

struct Build {
    folder: PathBuf,
    unfinished: bool,
    age: Duration,
    bytes: u64,
}

fn builds(root: &Path, now: SystemTime) -> Vec<Build> {
    let Ok(entries) = fs::read_dir(root) else { return Vec::new() };
    entries.flatten().filter_map(|entry| build(entry.path(), now)).collect()
}

/// The build in a folder, or `None` for whatever else lies there.
fn build(folder: PathBuf, now: SystemTime) -> Option<Build> {
    let name = folder.file_name()?.to_str()?;
    let unfinished = name.starts_with(UNFINISHED);
    let finished = name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let modified = fs::metadata(&folder).ok()?.modified().ok()?;
    let age = now.duration_since(modified).unwrap_or_default();
    let bytes = bytes_in(&folder);
    (finished || unfinished).then_some(Build { folder, unfinished, age, bytes })
}

/// The size of all files of a folder, as far as they can be seen.
fn bytes_in(folder: &Path) -> u64 {
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(folder) if folder.is_dir() => bytes_in(&entry.path()),
        file => file.map_or(0, |file| file.len()),
    };
    fs::read_dir(folder).into_iter().flatten().flatten().map(size).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(folder: &Path) -> Result<BuildCache> {
        BuildCache::open(&Environment::default().with("REBUT_CACHE", folder))
    }

    fn make(cache: &BuildCache, name: &str, bytes: usize) -> Result<PathBuf> {
        let stage = cache.stage()?;
        let file = stage.path().join("program");
        fs::write(&file, vec![0; bytes]).map_err(|cause| Error::io("write", &file, &cause))?;
        cache.keep(stage, name)
    }

    fn name(digit: char) -> String {
        digit.to_string().repeat(32)
    }

    #[test]
    fn a_build_is_there_whole_or_not_at_all() -> Result<()> {
        let folder = tempfile::tempdir().map_err(|cause| Error::io("make", Path::new("."), &cause))?;
        let cache = cache(folder.path())?;
        assert_eq!(cache.find(&name('a')), None);
        let made = make(&cache, &name('a'), 3)?;
        assert_eq!(cache.find(&name('a')), Some(made.clone()));
        assert_eq!(make(&cache, &name('a'), 5)?, made);
        assert_eq!(fs::metadata(made.join("program")).map(|file| file.len()).ok(), Some(3), "the first wins");
        assert_eq!(builds(folder.path(), SystemTime::now()).len(), 1, "nothing unfinished is left");
        Ok(())
    }

    #[test]
    fn what_a_killed_process_left_unfinished_is_removed_and_what_a_living_one_makes_stays() -> Result<()> {
        let folder = tempfile::tempdir().map_err(|cause| Error::io("make", Path::new("."), &cause))?;
        let make = |name: &str, age: u64| {
            let path = folder.path().join(name);
            assert!(fs::create_dir_all(path.join("inner")).is_ok() && fs::write(path.join("inner/x"), "x").is_ok());
            let made = SystemTime::now() - Duration::from_secs(age);
            assert!(File::open(&path).is_ok_and(|file| file.set_modified(made).is_ok()));
            path
        };
        let (old, new, other) = (make("building-old", 300), make("building-new", 0), make("unfinished", 300));
        let first = cache(folder.path())?;
        assert_eq!([&old, &new, &other].map(|path| path.exists()), [false, true, true]);
        // A build that takes long is as old, and its process lives.
        let stage = first.stage()?;
        let long_ago = SystemTime::now() - Duration::from_secs(3000);
        assert!(File::open(stage.path()).is_ok_and(|file| file.set_modified(long_ago).is_ok()));
        let second = cache(folder.path())?;
        assert!(stage.path().exists());
        first.keep(stage, &name('a'))?;
        assert!(second.find(&name('a')).is_some());
        Ok(())
    }

    #[test]
    fn a_cache_that_cannot_be_written_is_replaced_by_a_temporary_one() -> Result<()> {
        let file = tempfile::NamedTempFile::new().map_err(|cause| Error::io("make", Path::new("."), &cause))?;
        let cache = cache(&file.path().join("cache"))?;
        assert!(cache.guard().is_some());
        assert!(make(&cache, &name('a'), 1)?.is_dir());
        Ok(())
    }

    #[test]
    fn the_longest_unused_go_first_and_recent_ones_stay() -> Result<()> {
        let folder = tempfile::tempdir().map_err(|cause| Error::io("make", Path::new("."), &cause))?;
        let cache = cache(folder.path())?;
        let now = SystemTime::now();
        for (digit, hours) in [('a', 0), ('b', 2), ('c', 3), ('d', 100)] {
            let made = make(&cache, &name(digit), 1000)?;
            let used = now - Duration::from_secs(3600 * hours);
            assert!(File::open(made).is_ok_and(|file| file.set_modified(used).is_ok()));
        }
        assert!(fs::create_dir(folder.path().join("go")).is_ok());
        let hour = Duration::from_secs(3600);
        let left = |bytes| {
            evict(folder.path(), Retention { bytes, unused: hour * 50, recent: hour }, now);
            "abcd".chars().filter(|digit| folder.path().join(name(*digit)).exists()).collect::<String>()
        };
        assert_eq!(left(1 << 30), "abc");
        assert_eq!(left(2500), "ab");
        assert_eq!(left(0), "a");
        assert!(folder.path().join("go").exists());
        Ok(())
    }
}
