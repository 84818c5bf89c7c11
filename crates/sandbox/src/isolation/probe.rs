//! Detects the sandbox layers of this machine. Each is probed, never inferred from a version.

#[cfg(target_os = "linux")]
use super::kernel_support::KernelFeatureLimits;
use super::kernel_support::{KernelSupport, SeccompSupport};
#[cfg(target_os = "linux")]
use crate::sys;

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

impl SandboxLayer {
    /// The name of the layer that hides files by a mount namespace, which many machines do not allow without root.
    pub const NAMESPACE: &'static str = "other files";
}

#[cfg(target_os = "linux")]
impl KernelSupport {
    /// Probes the kernel, up to these limits. Slow if filters are unresponsive, so call it once.
    pub(crate) fn detect_support(limits: KernelFeatureLimits) -> KernelSupport {
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
            has_namespaces: limits.has_namespaces && sys::has_mount_namespaces(),
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
pub fn sandbox_layers(has_spawner: bool, kernel: KernelSupport) -> Vec<SandboxLayer> {
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
        layer(SandboxLayer::NAMESPACE, "cannot even be asked for their sizes", within(namespace_state(kernel))),
        layer("network", "no connections", within(landlock(4).or(filters()))),
        layer("signals", "no signals to other processes", within(landlock(6).or(filters()))),
        layer("system calls", "no new processes, no access to other processes, no mounts", within(filters())),
    ]
}

/// Returns the layers of the sandbox around compilers, active or missing.
pub fn compiler_sandbox_layers(has_spawner: bool, kernel: KernelSupport) -> Vec<SandboxLayer> {
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

fn namespace_state(kernel: KernelSupport) -> Result<String, String> {
    let missing = || "this user cannot make mount namespaces".to_owned();
    if kernel.has_namespaces { Ok("mount namespace".to_owned()) } else { Err(missing()) }
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
        assert_eq!(missing(SeccompSupport::Active).is_some(), SeccompSupport::Active.to_layer_state().is_err());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn fork_servers_need_notifications_and_no_version_of_landlock() {
        for landlock_version in 0..=7 {
            let on = |filters, has_notifications| KernelSupport {
                landlock_version,
                filters,
                has_notifications,
                has_namespaces: has_notifications,
            };
            assert!(on(SeccompSupport::Active, true).can_hold_fork_servers().is_ok());
            for kernel in [
                on(SeccompSupport::Active, false),
                on(SeccompSupport::Missing, true),
                on(SeccompSupport::Unresponsive, true),
            ] {
                assert!(kernel.can_hold_fork_servers().is_err(), "{kernel:?}");
            }
            for has_namespaces in [false, true] {
                let kernel = KernelSupport { has_namespaces, ..on(SeccompSupport::Active, false) };
                assert_eq!(KernelSupport::from_word(&kernel.to_word()), Some(kernel));
            }
        }
        let nothing = KernelFeatureLimits {
            landlock_version: 0,
            has_filters: false,
            has_notifications: true,
            has_namespaces: false,
        };
        assert_eq!(KernelSupport::detect_support(nothing), KernelSupport::default());
    }
}
