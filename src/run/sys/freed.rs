//! Where memory comes from, and what becomes of it when it is freed.

/// Lets the allocator keep freed memory, up to some, for what comes next.
///
/// Left to itself it gives every large piece back to the system at once, and asks for the next one: for each page of it
/// the system then steps in, which was a fourth of the time that a large input takes to make. Where the allocator is
/// another one nothing is changed.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// The largest that the allocator accepts: pieces from here on are the system's.
        const LARGE_BYTES: libc::c_int = 32 << 20;
        /// So much is kept at most.
        const KEPT_BYTES: libc::c_int = 64 << 20;
        // SAFETY: both calls only set numbers by which the allocator decides, which it does under its own lock.
        unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE_BYTES);
            libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT_BYTES);
        }
    }
}

/// Lets the next pieces of memory come from large pages, as far as the system has them, up to some.
///
/// A large input touches thousands of pages for the first time, and for each the system steps in: that was half of the time
/// that 200,000 edges take to make. Only for commands that make or read large inputs, for a large page is cleared whole
/// even where little of it is used. Where there is nothing like it nothing is changed.
pub fn use_large_pages() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// Less than what is kept of freed memory, or it would go back at once.
        const AHEAD_BYTES: usize = 48 << 20;
        const AHEAD: libc::c_int = AHEAD_BYTES as libc::c_int;
        const USUAL: libc::c_int = 128 << 10;
        /// More than is left from the start of the program, so that the allocator has to ask for more.
        const MORE_BYTES: usize = 1 << 20;
        const PAGE_BYTES: usize = 2 << 20;
        // SAFETY: the allocator is told to ask for more than it needs, and does so once; what it got lies before the end of
        // the heap. The advice changes how its pages are backed and nothing of what is in them; a system that knows no
        // such advice, or has the heap elsewhere, answers with an error.
        unsafe {
            libc::mallopt(libc::M_TOP_PAD, AHEAD);
            libc::free(std::hint::black_box(libc::malloc(MORE_BYTES)));
            libc::mallopt(libc::M_TOP_PAD, USUAL);
            let end = libc::sbrk(0) as usize / PAGE_BYTES * PAGE_BYTES;
            let start = end.saturating_sub(AHEAD_BYTES);
            libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE);
        }
    }
}
