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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "there are none here"))]
pub(in crate::run) enum Filters {
    /// They work.
    Active,
    /// There are none.
    Missing,
    /// The kernel says that there are, but whoever puts one up never returns: nobody must try.
    Silent,
}

impl Filters {
    /// Finds out; takes long if they are silent, so this is to be asked once.
    #[cfg(target_os = "linux")]
    pub(in crate::run) fn ask() -> Filters {
        match crate::run::sys::has_filters() {
            Some(true) => Filters::Active,
            Some(false) => Filters::Missing,
            None => Filters::Silent,
        }
    }

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
pub(in crate::run) fn layers(has_spawner: bool, filters: Filters) -> Vec<Layer> {
    let filters = || filters.state();
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
pub(in crate::run) fn compiler_layers(has_spawner: bool, filters: Filters) -> Vec<Layer> {
    let within = |state: Result<String, String>| {
        if has_spawner { state } else { Err("compilers are started without a spawner here".to_owned()) }
    };
    let filters = || within(filters.state());
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
fn landlock(least: u32) -> Result<String, String> {
    match landlock_version() {
        Some(version) if version >= least => Ok(format!("Landlock {version}")),
        Some(version) => Err(format!("the kernel has Landlock {version}, and this needs {least}")),
        None => Err("the kernel has no Landlock, or it is switched off".to_owned()),
    }
}

/// The version of the kernel's Landlock interface.
#[cfg(target_os = "linux")]
pub(super) fn landlock_version() -> Option<u32> {
    crate::run::sys::landlock_version()
}

#[cfg(not(target_os = "linux"))]
fn landlock_version() -> Option<u32> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_answer_is_missing_and_says_why() {
        let missing = |filters| {
            let layers = layers(true, filters).into_iter();
            layers.filter_map(|layer| Some((layer.name, layer.state.err()?))).find(|(name, _)| *name == "system calls")
        };
        assert!(missing(Filters::Silent).is_some_and(|(_, why)| why.contains("does not come back")));
        assert!(missing(Filters::Missing).is_some_and(|(_, why)| why.contains("no seccomp")));
        assert_eq!(missing(Filters::Active).is_some(), super::Filters::Active.state().is_err());
    }
}
