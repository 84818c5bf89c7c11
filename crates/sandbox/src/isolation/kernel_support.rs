//! The sandbox features of the kernel.

/// How well seccomp filters work on this machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only Linux has them"))]
pub(crate) enum SeccompSupport {
    /// They work.
    Active,
    /// The kernel has none, or they are not allowed here.
    #[default]
    Missing,
    /// The kernel reports them, but the call that installs one never returns, so it must not be tried.
    Unresponsive,
}

/// Upper bounds on the kernel features that are used. They make this kernel behave like an older one, so that the
/// fallbacks can be tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelFeatureLimits {
    /// The Landlock ABI version, 0 for none. Linux 5.13 has version 1; version 6, in Linux 6.12, confines signals.
    pub landlock_version: u32,
    /// True if seccomp filters are used.
    pub has_filters: bool,
    /// True if a seccomp filter can hold a system call until another process has answered, as since Linux 5.5.
    pub has_notifications: bool,
    /// True if mount namespaces are used.
    pub has_namespaces: bool,
}

impl Default for KernelFeatureLimits {
    /// No bounds.
    fn default() -> Self {
        KernelFeatureLimits {
            landlock_version: u32::MAX,
            has_filters: true,
            has_notifications: true,
            has_namespaces: true,
        }
    }
}

/// The sandbox features of the kernel; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelSupport {
    /// The Landlock ABI version, 0 for none.
    pub landlock_version: u32,
    /// The state of seccomp filters.
    pub(crate) filters: SeccompSupport,
    /// True if a filter can hold a system call until another process has answered.
    pub has_notifications: bool,
    /// True if this user can make mount namespaces.
    pub has_namespaces: bool,
}

impl KernelSupport {
    /// Encodes the support as one word of a spawner's command line.
    #[cfg(target_os = "linux")]
    pub(crate) fn to_word(self) -> String {
        let filters = if self.filters == SeccompSupport::Active { "filters" } else { "none" };
        format!("{}-{filters}-{}", self.landlock_version, u8::from(self.has_namespaces))
    }

    /// Parses the result of [`to_word`](KernelSupport::to_word). Notifications are not part of it: a spawner does not
    /// need to know about them.
    #[cfg(target_os = "linux")]
    pub(crate) fn from_word(word: &str) -> Option<KernelSupport> {
        let (version, rest) = word.split_once('-')?;
        let (filters, namespaces) = rest.split_once('-')?;
        let filters = if filters == "filters" { SeccompSupport::Active } else { SeccompSupport::Missing };
        let landlock_version = version.parse().ok()?;
        Some(KernelSupport { landlock_version, filters, has_notifications: false, has_namespaces: namespaces == "1" })
    }

    /// Checks that fork servers can be kept from harming other runs: the kernel must ask before each forked copy. No
    /// version of Landlock replaces that, and with it Landlock is not needed.
    ///
    /// # Errors
    ///
    /// Returns the reason if they cannot.
    #[cfg(target_os = "linux")]
    pub(crate) fn can_hold_fork_servers(self) -> Result<(), &'static str> {
        match (self.filters, self.has_notifications) {
            (SeccompSupport::Active, true) => Ok(()),
            (SeccompSupport::Active, false) => {
                Err("the kernel has no seccomp notifications (Linux 5.5 has them), or something else listens to them")
            }
            (SeccompSupport::Missing | SeccompSupport::Unresponsive, _) => {
                Err("they need seccomp filters, which are missing here")
            }
        }
    }
}
