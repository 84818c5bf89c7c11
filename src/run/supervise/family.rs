//! Who descends from a process.

use crate::run::sys::read_at;
use std::collections::{HashMap, VecDeque};
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;

/// Every process below this one, the nearest first, but those in `spared` and what descends from them. Processes come and
/// go while we look, so this is what was seen, not what is.
pub(super) fn descendants_but(spared: &[i32]) -> Vec<i32> {
    let is_wanted = |pid: &i32| !spared.contains(pid);
    if fs::exists(OwnChildren::LIST).unwrap_or(false) {
        below(own_id(), |pid| children(pid).into_iter().filter(is_wanted).collect())
    } else {
        // Not every kernel is built with lists of children; each can tell everybody's parent.
        let by_parent = by_parent();
        below(own_id(), |pid| by_parent.get(&pid).into_iter().flatten().copied().filter(is_wanted).collect())
    }
}

/// Every process below this one, the nearest first, see [`descendants_but`].
pub(super) fn descendants() -> Vec<i32> {
    descendants_but(&[])
}

/// The children of this process, which has one thread: the kernel's list of them, opened once and read again and again.
#[derive(Debug)]
pub(in crate::run) struct OwnChildren(Option<File>);

impl OwnChildren {
    const LIST: &str = "/proc/thread-self/children";

    /// The list, if the kernel keeps one.
    pub(in crate::run) fn new() -> Self {
        OwnChildren(File::open(Self::LIST).ok())
    }

    /// Returns their numbers, in the order in which they became ours where the kernel keeps lists of children.
    pub(in crate::run) fn now(&self) -> Vec<i32> {
        self.listed().unwrap_or_else(|| by_parent().remove(&own_id()).unwrap_or_default())
    }

    fn listed(&self) -> Option<Vec<i32>> {
        /// The kernel puts the list together page by page: what is far shorter is all of it.
        const PAGE_BYTES: usize = 4096;
        let mut page = [0; PAGE_BYTES];
        match read_at(self.0.as_ref()?, &mut page, 0) {
            Ok(count) if count < PAGE_BYTES / 2 => std::str::from_utf8(&page[..count]).ok().map(numbers),
            _ => fs::read_to_string(Self::LIST).ok().map(|list| numbers(&list)),
        }
    }
}

/// Returns true if a process has children.
pub(in crate::run) fn has_children(pid: i32) -> bool {
    if fs::exists(OwnChildren::LIST).unwrap_or(false) {
        !children(pid).is_empty()
    } else {
        by_parent().contains_key(&pid)
    }
}

/// Returns the number of threads of a process, or `None` if it is gone.
pub(in crate::run) fn thread_count(pid: i32) -> Option<u64> {
    // A folder has a link for itself, one for its name, and one for each folder in it.
    Some(fs::metadata(format!("/proc/{pid}/task")).ok()?.nlink().saturating_sub(2))
}

/// Returns the number of descriptors that a process has open, or `None` if it does not let that be seen.
pub(in crate::run) fn descriptor_count(pid: i32) -> Option<usize> {
    Some(fs::read_dir(format!("/proc/{pid}/fd")).ok()?.count())
}

fn own_id() -> i32 {
    rustix::process::getpid().as_raw_nonzero().get()
}

fn below(root: i32, children: impl Fn(i32) -> Vec<i32>) -> Vec<i32> {
    let mut found = Vec::new();
    let mut waiting = VecDeque::from([root]);
    while let Some(pid) = waiting.pop_front() {
        let children = children(pid);
        found.extend_from_slice(&children);
        waiting.extend(children);
    }
    found
}

/// The children of all threads of a process.
fn children(pid: i32) -> Vec<i32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let lists = threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| numbers(&list)).collect()
}

fn numbers(list: &str) -> Vec<i32> {
    list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

/// All processes by their parent.
fn by_parent() -> HashMap<i32, Vec<i32>> {
    let mut found: HashMap<i32, Vec<i32>> = HashMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let pid = entry.file_name().to_str().and_then(|name| name.parse().ok());
        let Some(pid) = pid else { continue };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // The name may contain anything, so what follows the last parenthesis counts.
        let parent = stat.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(1)?.parse().ok());
        if let Some(parent) = parent {
            found.entry(parent).or_default().push(pid);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_children_are_listed_as_they_are_now() -> std::io::Result<()> {
        let list = OwnChildren::new();
        let has = |id: u32| list.now().contains(&(id as i32));
        let mut sleeper = std::process::Command::new("sleep").arg("60").spawn()?;
        let living = [has(sleeper.id()), has(sleeper.id())];
        sleeper.kill()?;
        sleeper.wait()?;
        let gone = has(sleeper.id());
        assert_eq!((living, gone), ([true; 2], false));
        Ok(())
    }

    #[test]
    fn both_ways_see_the_same() {
        let own = rustix::process::getpid().as_raw_nonzero().get();
        let parent = rustix::process::getppid().map_or(0, |pid| pid.as_raw_nonzero().get());
        assert!(by_parent().get(&parent).is_some_and(|pids| pids.contains(&own)));
        assert!(children(parent).contains(&own) || !fs::exists("/proc/thread-self/children").unwrap_or(false));
        let tree = HashMap::from([(1, vec![2, 3]), (3, vec![4]), (9, vec![5])]);
        assert_eq!(below(1, |pid| tree.get(&pid).cloned().unwrap_or_default()), [2, 3, 4]);
    }
}
