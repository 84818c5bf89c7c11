//! The Landlock rules of a sandbox: which paths a program can reach. The only module that uses the `landlock` crate.

use super::{CompilerAccess, SandboxPolicy, TOOLCHAIN_FOLDERS};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use rustix::fs::{Mode, OFlags, openat};
use std::ffi::{CStr, OsStr};
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// System folders that a sandboxed program reads and executes; missing ones are skipped. Home folders, temporary
/// folders and service data are not among them. `/proc` shows which processes exist; the kernel itself keeps a
/// sandboxed program from looking into them.
const SYSTEM_FOLDERS: &[&str] = &[
    "/bin",
    "/etc",
    "/gnu/store",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/opt",
    "/proc",
    "/sbin",
    "/snap",
    "/sys",
    "/usr",
];

/// Devices that are safe to write to: writing leaves no trace.
const WRITABLE_DEVICES: &[&str] = &["/dev/full", "/dev/null", "/dev/zero"];

/// The device that compilers write unwanted output to.
const NULL_DEVICE: &str = "/dev/null";

/// Configuration that compilers and the dynamic loader read.
const CONFIGURATION_FILES: &[&str] = &[
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/locale.alias",
    "/etc/pki/tls/openssl.cnf",
    "/etc/ssl/openssl.cnf",
];

/// Read-only devices.
const READABLE_DEVICES: &[&str] = &["/dev/random", "/dev/urandom"];

/// The newest Landlock ABI that rebut was tested with.
const NEWEST_ABI: ABI = ABI::V7;

/// Returns the ABI for a version reported by the kernel.
fn abi_for_version(version: u32) -> ABI {
    match version {
        0 => ABI::Unsupported,
        1 => ABI::V1,
        2 => ABI::V2,
        3 => ABI::V3,
        4 => ABI::V4,
        5 => ABI::V5,
        6 => ABI::V6,
        _ => NEWEST_ABI,
    }
}

/// Returns the files and folders that exist for a program with the given working folder.
pub(super) fn list_visible_paths(policy: &SandboxPolicy, folder: &CStr) -> Vec<PathBuf> {
    let system = [SYSTEM_FOLDERS, WRITABLE_DEVICES, READABLE_DEVICES].concat();
    let own = policy.readable.iter().map(|path| to_path(path)).chain([to_path(folder)]);
    system.into_iter().map(Path::new).chain(own).map(Path::to_owned).collect()
}

/// Returns the rules of a sandbox with the given working folder, and with the root of its mount namespace if it has one, or `None` if the kernel has no Landlock.
///
/// # Errors
///
/// Returns an error if the operating system refuses.
pub(super) fn create_rules(
    policy: &SandboxPolicy,
    folder: &CStr,
    root: Option<BorrowedFd<'_>>,
    version: u32,
) -> io::Result<Option<OwnedFd>> {
    let abi = abi_for_version(version);
    if abi == ABI::Unsupported {
        return Ok(None);
    }
    let rules = build_ruleset(policy, folder, root, abi).map_err(io::Error::other)?;
    Ok(rules.into())
}

fn build_ruleset(
    policy: &SandboxPolicy,
    folder: &CStr,
    root: Option<BorrowedFd<'_>>,
    abi: ABI,
) -> Result<RulesetCreated, RulesetError> {
    let mut rules =
        Ruleset::default().set_compatibility(CompatLevel::HardRequirement).handle_access(AccessFs::from_all(abi))?;
    if abi >= ABI::V4 {
        rules = rules.handle_access(AccessNet::from_all(abi))?;
    }
    if abi >= ABI::V6 {
        rules = rules.scope(Scope::from_all(abi))?;
    }
    // Rights that make no sense for a file are dropped for files only.
    let mut rules = rules.create()?.set_compatibility(CompatLevel::BestEffort);
    let read = AccessFs::from_read(abi);
    for path in outermost_folders(if policy.compiler.is_some() { TOOLCHAIN_FOLDERS } else { SYSTEM_FOLDERS }) {
        rules = add_path_rule(rules, &path, read, abi)?;
    }
    for path in &policy.readable {
        rules = add_path_rule(rules, to_path(path), read, abi)?;
    }
    for path in &policy.listable {
        rules = match root.map(|root| open_in_namespace(root, to_path(path))) {
            // In a namespace, such a folder contains nothing but what is visible.
            Some(Ok(place)) => rules.add_rule(PathBeneath::new(place, AccessFs::ReadDir))?,
            Some(Err(_)) => rules,
            None => add_path_rule(rules, to_path(path), AccessFs::ReadDir.into(), abi)?,
        };
    }
    let devices = AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::MakeSock | AccessFs::Execute;
    let work = AccessFs::from_all(abi) & !devices;
    rules = match &policy.compiler {
        Some(compiler) => allow_compiler(rules, compiler, work, abi)?,
        None => allow_devices(rules, abi)?,
    };
    add_path_rule(rules, to_path(folder), work, abi)
}

/// Adds the paths that a compiler accesses. Devices are left out: a device would be an endless source file.
fn allow_compiler(
    mut rules: RulesetCreated,
    compiler: &CompilerAccess,
    work: BitFlags<AccessFs>,
    abi: ABI,
) -> Result<RulesetCreated, RulesetError> {
    for path in &compiler.sources {
        rules = add_path_rule(rules, to_path(path), AccessFs::ReadFile | AccessFs::ReadDir, abi)?;
    }
    for path in compiler.caches.iter().chain([&compiler.results]) {
        rules = add_path_rule(rules, to_path(path), work, abi)?;
    }
    for path in CONFIGURATION_FILES {
        rules = add_path_rule(rules, Path::new(path), AccessFs::ReadFile | AccessFs::ReadDir, abi)?;
    }
    add_path_rule(rules, Path::new(NULL_DEVICE), AccessFs::ReadFile | AccessFs::WriteFile, abi)
}

/// Adds the devices that programs use.
fn allow_devices(mut rules: RulesetCreated, abi: ABI) -> Result<RulesetCreated, RulesetError> {
    for path in WRITABLE_DEVICES {
        rules = add_path_rule(rules, Path::new(path), AccessFs::ReadFile | AccessFs::WriteFile, abi)?;
    }
    for path in READABLE_DEVICES {
        rules = add_path_rule(rules, Path::new(path), AccessFs::ReadFile.into(), abi)?;
    }
    Ok(rules)
}

fn to_path(path: &CStr) -> &Path {
    Path::new(OsStr::from_bytes(path.to_bytes()))
}

/// Returns the folders that exist, without those inside or linked into others of the list: each rule costs a little in
/// each run.
fn outermost_folders(folders: &[&str]) -> Vec<PathBuf> {
    let real: Vec<PathBuf> = folders.iter().filter_map(|path| std::fs::canonicalize(path).ok()).collect();
    let is_inside = |path: &PathBuf| real.iter().any(|other| other != path && path.starts_with(other));
    let mut outer: Vec<PathBuf> = real.iter().filter(|path| !is_inside(path)).cloned().collect();
    outer.sort();
    outer.dedup();
    outer
}

/// Opens a folder of a mount namespace that this process is not in.
fn open_in_namespace(root: BorrowedFd<'_>, path: &Path) -> rustix::io::Result<OwnedFd> {
    openat(
        root,
        path.strip_prefix("/").unwrap_or(path),
        OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC,
        Mode::empty(),
    )
}

/// Adds one rule; a path that cannot be opened is skipped.
fn add_path_rule(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
    abi: ABI,
) -> Result<RulesetCreated, RulesetError> {
    let Ok(place) = PathFd::new(path) else { return Ok(rules) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(abi) };
    rules.add_rule(PathBeneath::new(place, access))
}
