//! Memory that this process shares with a program.

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use std::ffi::c_void;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// A file in memory. Its first bytes are mapped here. The program can change them at any time, unless it cannot write
/// to them, so they are only ever copied.
#[derive(Debug)]
pub(crate) struct SharedMemory {
    file: OwnedFd,
    start: *mut c_void,
    /// Number of bytes that are mapped.
    length: usize,
}

impl SharedMemory {
    /// Creates such a file of `file_bytes` zeros, of which the first `length` are mapped. Its size is fixed. If it
    /// `is_read_only`, only this process can write to it.
    ///
    /// # Errors
    ///
    /// Returns an error if the operating system is out of memory or descriptors, or does not support that.
    pub(crate) fn create(file_bytes: u64, length: usize, is_read_only: bool) -> io::Result<SharedMemory> {
        let file = memfd_create("rebut", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
        ftruncate(&file, file_bytes)?;
        let rights = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping at an address that the kernel chooses.
        let start = unsafe { mmap(std::ptr::null_mut(), length, rights, MapFlags::SHARED, &file, 0) }?;
        let memory = SharedMemory { file, start, length };
        let seals = SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
        let more = if is_read_only { SealFlags::FUTURE_WRITE } else { SealFlags::empty() };
        fcntl_add_seals(&memory.file, seals | more)?;
        Ok(memory)
    }

    /// Copies bytes to an offset.
    ///
    /// # Panics
    ///
    /// Panics if they do not fit into what is mapped.
    pub(crate) fn write_bytes(&mut self, at: usize, bytes: &[u8]) {
        assert!(at <= self.length && bytes.len() <= self.length - at, "the bytes fit into the shared memory");
        // SAFETY: the range is mapped, cannot be truncated because of the seals, and does not overlap other memory.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.start.cast::<u8>().add(at), bytes.len()) };
    }

    /// Copies `length` bytes from an offset.
    ///
    /// # Panics
    ///
    /// Panics if they are not all mapped.
    pub(crate) fn read_bytes(&self, at: usize, length: usize) -> Vec<u8> {
        assert!(at <= self.length && length <= self.length - at, "the bytes are in the shared memory");
        let mut bytes = Vec::with_capacity(length);
        // SAFETY: as above; the bytes are initialized by the copy, whatever the program does to them meanwhile.
        unsafe {
            std::ptr::copy_nonoverlapping(self.start.cast::<u8>().add(at), bytes.as_mut_ptr(), length);
            bytes.set_len(length);
        }
        bytes
    }
}

impl AsFd for SharedMemory {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        // SAFETY: the range was mapped by `create`, and no reference to it exists.
        let _ = unsafe { munmap(self.start, self.length) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::os::unix::fs::FileExt as _;

    #[test]
    fn only_its_owner_writes_to_read_only_memory() -> io::Result<()> {
        let mut memory = SharedMemory::create(8192, 4096, true)?;
        memory.write_bytes(10, b"abc");
        let other = File::from(memory.as_fd().try_clone_to_owned()?);
        let mut seen = [0; 3];
        other.read_exact_at(&mut seen, 10)?;
        assert_eq!((&seen, memory.read_bytes(10, 3).as_slice()), (b"abc", b"abc".as_slice()));
        assert!(other.write_at(b"x", 10).is_err() && other.set_len(1).is_err());
        // SAFETY: a new mapping, which is refused.
        let mapped = unsafe {
            mmap(std::ptr::null_mut(), 4096, ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED, &other, 0)
        };
        assert!(mapped.is_err());
        Ok(())
    }
}
