//! Which layers there are on this machine. Each is asked for, never guessed from a version.

/// A layer of protection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// What it is.
    pub name: &'static str,
    /// What it does.
    pub purpose: &'static str,
    /// How it is there: the version of an interface, or nothing to say. Or else why it is not.
    pub state: Result<String, String>,
}

/// What there is of filters for system calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "there are none here"))]
pub(in crate::run) enum Filters {
    /// They work.
    Active,
    /// There are none.
    #[default]
    Missing,
    /// The kernel says that there are, but whoever puts one up never returns: nobody must try.
    Silent,
}

/// Upper bounds on what is used of the kernel's protection. They make this kernel do what an older one would, so that what
/// rebut does there can be tried here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelLimits {
    /// The version of the Landlock interface, 0 for none. Linux 5.13 has version 1; signals are confined from version 6, of
    /// Linux 6.12.
    pub landlock_version: u32,
    /// Whether there are seccomp filters.
    pub has_filters: bool,
    /// Whether a seccomp filter can hold a system call until another process has answered, as since Linux 5.5.
    pub has_notifications: bool,
}

impl Default for KernelLimits {
    /// There are none.
    fn default() -> Self {
        KernelLimits { landlock_version: u32::MAX, has_filters: true, has_notifications: true }
    }
}

/// What the kernel offers of protection; nothing by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::run) struct Kernel {
    /// The version of the Landlock interface, 0 for none.
    pub(in crate::run) landlock_version: u32,
    /// What there is of seccomp filters.
    pub(in crate::run) filters: Filters,
    /// Whether a filter can hold a system call until another process has answered.
    pub(in crate::run) has_notifications: bool,
}

impl Kernel {
    /// Finds out, up to these limits; takes long if filters are silent, so this is to be asked once.
    #[cfg(target_os = "linux")]
    pub(in crate::run) fn ask(limits: KernelLimits) -> Kernel {
        use crate::run::sys;
        let filters = match limits.has_filters.then(sys::has_filters) {
            Some(Some(true)) => Filters::Active,
            Some(None) => Filters::Silent,
            None | Some(Some(false)) => Filters::Missing,
        };
        let can_hold = limits.has_notifications && filters == Filters::Active;
        Kernel {
            landlock_version: sys::landlock_version().unwrap_or(0).min(limits.landlock_version),
            filters,
            has_notifications: can_hold && sys::has_notifications(),
        }
    }

    /// One word, for a spawner.
    #[cfg(target_os = "linux")]
    pub(in crate::run) fn spell(self) -> String {
        let filters = if self.filters == Filters::Active { "filters" } else { "none" };
        format!("{}-{filters}", self.landlock_version)
    }

    /// Parses what [`spell`](Kernel::spell) returned; a spawner need not know whether there are notifications.
    #[cfg(target_os = "linux")]
    pub(in crate::run) fn parse(word: &str) -> Option<Kernel> {
        let (version, filters) = word.split_once('-')?;
        let filters = if filters == "filters" { Filters::Active } else { Filters::Missing };
        Some(Kernel { landlock_version: version.parse().ok()?, filters, has_notifications: false })
    }

    /// Returns whether fork servers can be kept from harming other runs here: only if the kernel asks before each copy. No
    /// version of Landlock can do without, and none is needed beside it.
    ///
    /// # Errors
    ///
    /// Returns as an error why they cannot.
    #[cfg(target_os = "linux")]
    pub(in crate::run) fn can_hold_fork_servers(self) -> Result<(), &'static str> {
        match (self.filters, self.has_notifications) {
            (Filters::Active, true) => Ok(()),
            (Filters::Active, false) => {
                Err("the kernel has no seccomp notifications (Linux 5.5 has them), or something else listens to them")
            }
            (Filters::Missing | Filters::Silent, _) => Err("they need seccomp filters, which are missing here"),
        }
    }
}

impl Filters {
    fn state(self) -> Result<String, String> {
        match self {
            _ if !cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) => {
                Err("not on this architecture".to_owned())
            }
            Filters::Active => Ok("seccomp".to_owned()),
            Filters::Missing => Err("the kernel has no seccomp filters, or they are not allowed here".to_owned()),
            Filters::Silent => Err("the kernel does not come back from putting up a seccomp filter".to_owned()),
        }
    }
}

/// All layers, active or missing; `has_spawner` says whether programs are started by spawners.
pub(in crate::run) fn layers(has_spawner: bool, kernel: Kernel) -> Vec<Layer> {
    let filters = || kernel.filters.state();
    let landlock = |least| landlock(kernel.landlock_version, least);
    let layer = |name, purpose, state| Layer { name, purpose, state };
    let within = |state: Result<String, String>| {
        if has_spawner { state } else { Err("programs are started without a spawner here".to_owned()) }
    };
    vec![
        layer("limits", "memory, stack, processor time, file size, no core dumps", limits()),
        layer("spawner", "nothing is left of a program; rebut may be killed at any time", within(spawner())),
        layer("files", "reads the system, writes only a folder of its own", within(landlock(1))),
        layer("network", "no connections", within(landlock(4).or(filters()))),
        layer("signals", "no signals to others", within(landlock(6).or(filters()))),
        layer("system calls", "no new processes, no looking into others, no mounts", within(filters())),
    ]
}

/// The layers of the sandbox around compilers, active or missing.
pub(in crate::run) fn compiler_layers(has_spawner: bool, kernel: Kernel) -> Vec<Layer> {
    let within = |state: Result<String, String>| {
        if has_spawner { state } else { Err("compilers are started without a spawner here".to_owned()) }
    };
    let filters = || within(kernel.filters.state());
    let landlock = |least| landlock(kernel.landlock_version, least);
    let layer = |name, purpose, state| Layer { name, purpose, state };
    vec![
        layer("processes", "nothing is left of a compiler and what it starts", within(spawner())),
        layer("files", "reads its toolchain, the sources and `include/`, writes its results", within(landlock(1))),
        layer("network", "no connections", within(landlock(4)).or(filters())),
        layer("system calls", "no looking into others, no mounts, no changes of permissions", filters()),
    ]
}

fn limits() -> Result<String, String> {
    if cfg!(unix) { Ok(String::new()) } else { Err("only the wall clock, on this system".to_owned()) }
}

fn spawner() -> Result<String, String> {
    if cfg!(target_os = "linux") { Ok(String::new()) } else { Err("only on Linux".to_owned()) }
}

/// Landlock, if its interface is of that version or a later one.
fn landlock(version: u32, least: u32) -> Result<String, String> {
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
    fn what_does_not_answer_is_missing_and_says_why() {
        let missing = |filters| {
            let layers = layers(true, Kernel { filters, ..Kernel::default() }).into_iter();
            layers.filter_map(|layer| Some((layer.name, layer.state.err()?))).find(|(name, _)| *name == "system calls")
        };
        assert!(missing(Filters::Silent).is_some_and(|(_, why)| why.contains("does not come back")));
        assert!(missing(Filters::Missing).is_some_and(|(_, why)| why.contains("no seccomp")));
        assert_eq!(missing(Filters::Active).is_some(), super::Filters::Active.state().is_err());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn fork_servers_need_notifications_and_no_version_of_landlock() {
        for landlock_version in 0..=7 {
            let on = |filters, has_notifications| Kernel { landlock_version, filters, has_notifications };
            assert!(on(Filters::Active, true).can_hold_fork_servers().is_ok());
            for kernel in [on(Filters::Active, false), on(Filters::Missing, true), on(Filters::Silent, true)] {
                assert!(kernel.can_hold_fork_servers().is_err(), "{kernel:?}");
            }
            let kernel = on(Filters::Active, false);
            assert_eq!(Kernel::parse(&kernel.spell()), Some(kernel));
        }
        let nothing = KernelLimits { landlock_version: 0, has_filters: false, has_notifications: true };
        assert_eq!(Kernel::ask(nothing), Kernel::default());
    }
}
