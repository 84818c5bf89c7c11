//! Lists the descendants of a process.

use crate::sys::read_at;
use std::collections::{HashMap, VecDeque};
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;

/// Returns every process below this one, the nearest first, except those in `spared` and their descendants. Processes
/// start and end meanwhile, so the result is a sample.
pub(super) fn descendants_except(spared: &[i32]) -> Vec<i32> {
    let is_wanted = |pid: &i32| !spared.contains(pid);
    if fs::exists(ChildList::LIST_PATH).unwrap_or(false) {
        collect_descendants(own_pid(), |pid| read_children(pid).into_iter().filter(is_wanted).collect())
    } else {
        // Not every kernel is built with lists of children, but each reports a process's parent.
        let by_parent = children_by_parent();
        collect_descendants(own_pid(), |pid| {
            by_parent.get(&pid).into_iter().flatten().copied().filter(is_wanted).collect()
        })
    }
}

/// Returns every process below this one, the nearest first; see [`descendants_except`].
pub(super) fn all_descendants() -> Vec<i32> {
    descendants_except(&[])
}

/// The children of this process, which has one thread: the kernel's list, opened once and read repeatedly.
#[derive(Debug)]
pub(crate) struct ChildList(Option<File>);

impl ChildList {
    const LIST_PATH: &str = "/proc/thread-self/children";

    /// Opens the list, if the kernel has one.
    pub(crate) fn new() -> Self {
        ChildList(File::open(Self::LIST_PATH).ok())
    }

    /// Returns the process IDs of the children. Where the kernel keeps lists of children, they are in the order in
    /// which they became children of this process.
    pub(crate) fn current_pids(&self) -> Vec<i32> {
        self.read_list().unwrap_or_else(|| children_by_parent().remove(&own_pid()).unwrap_or_default())
    }

    fn read_list(&self) -> Option<Vec<i32>> {
        /// The kernel generates the list page by page: a read that is much shorter is complete.
        const PAGE_BYTES: usize = 4096;
        let mut page = [0; PAGE_BYTES];
        match read_at(self.0.as_ref()?, &mut page, 0) {
            Ok(count) if count < PAGE_BYTES / 2 => std::str::from_utf8(&page[..count]).ok().map(parse_pids),
            _ => fs::read_to_string(Self::LIST_PATH).ok().map(|list| parse_pids(&list)),
        }
    }
}

/// Returns true if a process has children.
pub(crate) fn has_children(pid: i32) -> bool {
    if fs::exists(ChildList::LIST_PATH).unwrap_or(false) {
        !read_children(pid).is_empty()
    } else {
        children_by_parent().contains_key(&pid)
    }
}

/// Returns the number of threads of a process, or `None` if it is gone.
pub(crate) fn thread_count(pid: i32) -> Option<u64> {
    // A folder has one link for itself, one for its name, and one for each subfolder.
    Some(fs::metadata(format!("/proc/{pid}/task")).ok()?.nlink().saturating_sub(2))
}

/// Returns the number of open descriptors of a process, or `None` if that is not visible.
pub(crate) fn descriptor_count(pid: i32) -> Option<usize> {
    Some(fs::read_dir(format!("/proc/{pid}/fd")).ok()?.count())
}

fn own_pid() -> i32 {
    rustix::process::getpid().as_raw_nonzero().get()
}

fn collect_descendants(root: i32, children: impl Fn(i32) -> Vec<i32>) -> Vec<i32> {
    let mut found = Vec::new();
    let mut waiting = VecDeque::from([root]);
    while let Some(pid) = waiting.pop_front() {
        let children = children(pid);
        found.extend_from_slice(&children);
        waiting.extend(children);
    }
    found
}

/// Returns the children of all threads of a process.
fn read_children(pid: i32) -> Vec<i32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let lists = threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| parse_pids(&list)).collect()
}

fn parse_pids(list: &str) -> Vec<i32> {
    list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

/// Returns all processes, grouped by parent.
fn children_by_parent() -> HashMap<i32, Vec<i32>> {
    let mut found: HashMap<i32, Vec<i32>> = HashMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let pid = entry.file_name().to_str().and_then(|name| name.parse().ok());
        let Some(pid) = pid else { continue };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // The name can contain anything, so fields count from the last parenthesis.
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
    fn child_list_is_current() -> std::io::Result<()> {
        let list = ChildList::new();
        let has = |id: u32| list.current_pids().contains(&(id as i32));
        let mut sleeper = std::process::Command::new("sleep").arg("60").spawn()?;
        let living = [has(sleeper.id()), has(sleeper.id())];
        sleeper.kill()?;
        sleeper.wait()?;
        let gone = has(sleeper.id());
        assert_eq!((living, gone), ([true; 2], false));
        Ok(())
    }

    #[test]
    fn both_child_listings_agree() {
        let own = rustix::process::getpid().as_raw_nonzero().get();
        let parent = rustix::process::getppid().map_or(0, |pid| pid.as_raw_nonzero().get());
        assert!(children_by_parent().get(&parent).is_some_and(|pids| pids.contains(&own)));
        assert!(read_children(parent).contains(&own) || !fs::exists("/proc/thread-self/children").unwrap_or(false));
        let tree = HashMap::from([(1, vec![2, 3]), (3, vec![4]), (9, vec![5])]);
        assert_eq!(collect_descendants(1, |pid| tree.get(&pid).cloned().unwrap_or_default()), [2, 3, 4]);
    }
}
