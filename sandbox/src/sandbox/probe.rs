//! Detects the sandbox layers of this machine. Each is probed, never inferred from a version.

/// A layer of the sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxLayer {
    /// Its name.
    pub name: &'static str,
    /// A short description of its guarantee.
    pub purpose: &'static str,
    /// If it is active, the version of its interface, or nothing; if it is missing, the reason.
    pub state: Result<String, String>,
}

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
}

impl Default for KernelFeatureLimits {
    /// No bounds.
    fn default() -> Self {
        KernelFeatureLimits { landlock_version: u32::MAX, has_filters: true, has_notifications: true }
    }
}

/// The sandbox features of the kernel; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct KernelSupport {
    /// The Landlock ABI version, 0 for none.
    pub(crate) landlock_version: u32,
    /// The state of seccomp filters.
    pub(crate) filters: SeccompSupport,
    /// True if a filter can hold a system call until another process has answered.
    pub(crate) has_notifications: bool,
}

impl KernelSupport {
    /// Probes the kernel, up to these limits. Slow if filters are unresponsive, so call it once.
    #[cfg(target_os = "linux")]
    pub(crate) fn detect_support(limits: KernelFeatureLimits) -> KernelSupport {
        use crate::sys;
        let filters = match limits.has_filters.then(sys::has_seccomp_filters) {
            Some(Some(true)) => SeccompSupport::Active,
            Some(None) => SeccompSupport::Unresponsive,
            None | Some(Some(false)) => SeccompSupport::Missing,
        };
        let can_hold = limits.has_notifications && filters == SeccompSupport::Active;
        KernelSupport {
            landlock_version: sys::landlock_version().unwrap_or(0).min(limits.landlock_version),
            filters,
            has_notifications: can_hold && sys::has_seccomp_notifications(),
        }
    }

    /// Encodes the support as one word of a spawner's command line.
    #[cfg(target_os = "linux")]
    pub(crate) fn to_word(self) -> String {
        let filters = if self.filters == SeccompSupport::Active { "filters" } else { "none" };
        format!("{}-{filters}", self.landlock_version)
    }

    /// Parses the result of [`to_word`](KernelSupport::to_word). Notifications are not part of it: a spawner does not
    /// need to know about them.
    #[cfg(target_os = "linux")]
    pub(crate) fn from_word(word: &str) -> Option<KernelSupport> {
        let (version, filters) = word.split_once('-')?;
        let filters = if filters == "filters" { SeccompSupport::Active } else { SeccompSupport::Missing };
        Some(KernelSupport { landlock_version: version.parse().ok()?, filters, has_notifications: false })
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

impl SeccompSupport {
    fn to_layer_state(self) -> Result<String, String> {
        match self {
            _ if !cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) => {
                Err("not on this architecture".to_owned())
            }
            SeccompSupport::Active => Ok("seccomp".to_owned()),
            SeccompSupport::Missing => {
                Err("the kernel has no seccomp filters, or they are not allowed here".to_owned())
            }
            SeccompSupport::Unresponsive => Err("installing a seccomp filter hangs in this kernel".to_owned()),
        }
    }
}

/// Returns all layers, active or missing. `has_spawner` is true if programs are started by spawners.
pub(crate) fn sandbox_layers(has_spawner: bool, kernel: KernelSupport) -> Vec<SandboxLayer> {
    let filters = || kernel.filters.to_layer_state();
    let landlock = |least| landlock_state(kernel.landlock_version, least);
    let layer = |name, purpose, state| SandboxLayer { name, purpose, state };
    let within = |state: Result<String, String>| {
        if has_spawner { state } else { Err("programs are started without a spawner".to_owned()) }
    };
    vec![
        layer("limits", "memory, stack, processor time, file size, no core dumps", limits_state()),
        layer("spawner", "no process outlives its run, even if rebut is killed", within(spawner_state())),
        layer("files", "reads the system, writes only a folder of its own", within(landlock(1))),
        layer("network", "no connections", within(landlock(4).or(filters()))),
        layer("signals", "no signals to other processes", within(landlock(6).or(filters()))),
        layer("system calls", "no new processes, no access to other processes, no mounts", within(filters())),
    ]
}

/// Returns the layers of the sandbox around compilers, active or missing.
pub(crate) fn compiler_sandbox_layers(has_spawner: bool, kernel: KernelSupport) -> Vec<SandboxLayer> {
    let within = |state: Result<String, String>| {
        if has_spawner { state } else { Err("compilers are started without a spawner".to_owned()) }
    };
    let filters = || within(kernel.filters.to_layer_state());
    let landlock = |least| landlock_state(kernel.landlock_version, least);
    let layer = |name, purpose, state| SandboxLayer { name, purpose, state };
    vec![
        layer("processes", "no process outlives a compiler", within(spawner_state())),
        layer("files", "reads its toolchain, the sources and `include/`, writes its results", within(landlock(1))),
        layer("network", "no connections", within(landlock(4)).or(filters())),
        layer("system calls", "no access to other processes, no mounts, no changes of permissions", filters()),
    ]
}

fn limits_state() -> Result<String, String> {
    if cfg!(unix) { Ok(String::new()) } else { Err("only the time limit works on this system".to_owned()) }
}

fn spawner_state() -> Result<String, String> {
    if cfg!(target_os = "linux") { Ok(String::new()) } else { Err("only on Linux".to_owned()) }
}

/// Returns the state of a layer that needs at least the given Landlock version.
fn landlock_state(version: u32, least: u32) -> Result<String, String> {
    match version {
        0 => Err("the kernel has no Landlock, or it is switched off".to_owned()),
        version if version >= least => Ok(format!("Landlock {version}")),
        version => Err(format!("the kernel has Landlock {version}, and this needs {least}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unresponsive_layer_is_missing_with_a_reason() {
        let missing = |filters| {
            let layers = sandbox_layers(true, KernelSupport { filters, ..KernelSupport::default() }).into_iter();
            layers.filter_map(|layer| Some((layer.name, layer.state.err()?))).find(|(name, _)| *name == "system calls")
        };
        assert!(missing(SeccompSupport::Unresponsive).is_some_and(|(_, why)| why.contains("hangs")));
        assert!(missing(SeccompSupport::Missing).is_some_and(|(_, why)| why.contains("no seccomp")));
        assert_eq!(missing(SeccompSupport::Active).is_some(), super::SeccompSupport::Active.to_layer_state().is_err());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn fork_servers_need_notifications_and_no_version_of_landlock() {
        for landlock_version in 0..=7 {
            let on = |filters, has_notifications| KernelSupport { landlock_version, filters, has_notifications };
            assert!(on(SeccompSupport::Active, true).can_hold_fork_servers().is_ok());
            for kernel in [
                on(SeccompSupport::Active, false),
                on(SeccompSupport::Missing, true),
                on(SeccompSupport::Unresponsive, true),
            ] {
                assert!(kernel.can_hold_fork_servers().is_err(), "{kernel:?}");
            }
            let kernel = on(SeccompSupport::Active, false);
            assert_eq!(KernelSupport::from_word(&kernel.to_word()), Some(kernel));
        }
        let nothing = KernelFeatureLimits { landlock_version: 0, has_filters: false, has_notifications: true };
        assert_eq!(KernelSupport::detect_support(nothing), KernelSupport::default());
    }
}
