//! Tunes the C library's allocator.

/// Makes the allocator keep freed memory, up to a limit, for later allocations.
///
/// By default glibc returns every large block to the system at once and requests the next one; the page faults took a
/// quarter of the time for generating a large input. Has no effect on other allocators.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// The largest value that the allocator accepts: larger blocks come directly from the system.
        const MMAP_THRESHOLD_BYTES: libc::c_int = 32 << 20;
        /// Maximum amount of freed memory that is kept.
        const TRIM_THRESHOLD_BYTES: libc::c_int = 64 << 20;
        // SAFETY: both calls only set numbers by which the allocator decides, which it does under its own lock.
        unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, MMAP_THRESHOLD_BYTES);
            libc::mallopt(libc::M_TRIM_THRESHOLD, TRIM_THRESHOLD_BYTES);
        }
    }
}

/// Makes the next allocations use huge pages where the system has them, up to a limit.
///
/// Generating a large input touches thousands of pages for the first time, and the page faults took half of the time
/// for 200,000 edges. Only for commands that generate or read large inputs: a huge page is cleared as a whole even if
/// little of it is used. Has no effect on other allocators.
pub fn use_large_pages() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// Less than the amount of freed memory that is kept; otherwise it would be returned at once.
        const TOP_PAD_BYTES: usize = 48 << 20;
        const TOP_PAD: libc::c_int = TOP_PAD_BYTES as libc::c_int;
        const DEFAULT_TOP_PAD_BYTES: libc::c_int = 128 << 10;
        /// More than is left over from program start, so that the allocator has to grow the heap.
        const FIRST_ALLOCATION_BYTES: usize = 1 << 20;
        const LARGE_PAGE_BYTES: usize = 2 << 20;
        // SAFETY: The allocator is asked to grow the heap by more than it needs, once; the new memory lies before the
        // end of the heap. The advice changes how its pages are backed, not their contents. A system that does not
        // support the advice, or has the heap elsewhere, returns an error.
        unsafe {
            libc::mallopt(libc::M_TOP_PAD, TOP_PAD);
            libc::free(std::hint::black_box(libc::malloc(FIRST_ALLOCATION_BYTES)));
            libc::mallopt(libc::M_TOP_PAD, DEFAULT_TOP_PAD_BYTES);
            let end = libc::sbrk(0) as usize / LARGE_PAGE_BYTES * LARGE_PAGE_BYTES;
            let start = end.saturating_sub(TOP_PAD_BYTES);
            libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE);
        }
    }
}
