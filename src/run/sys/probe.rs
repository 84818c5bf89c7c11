//! What the kernel offers.

/// The version of the Landlock interface; none if there is no Landlock.
pub(in crate::run) fn landlock_version() -> Option<u32> {
    const ASK_FOR_VERSION: u32 = 1;
    let nothing = std::ptr::null::<libc::c_void>();
    // SAFETY: with this flag nothing is read through the pointer, which must be null.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, nothing, 0_usize, ASK_FOR_VERSION) };
    u32::try_from(version).ok().filter(|version| *version > 0)
}

/// Whether there are seccomp filters that can refuse a system call.
pub(in crate::run) fn has_filters() -> bool {
    const ASK_FOR_ACTION: u32 = 2;
    let action: u32 = libc::SECCOMP_RET_ERRNO;
    // SAFETY: the pointer is valid for reading.
    unsafe { libc::syscall(libc::SYS_seccomp, ASK_FOR_ACTION, 0_u32, &raw const action) == 0 }
}
