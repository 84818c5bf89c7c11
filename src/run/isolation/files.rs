//! What a walled program can reach: Landlock. The only place that knows of that crate.

use super::{CompilerAccess, TOOLCHAIN_FOLDERS, Walls};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use std::ffi::{CStr, OsStr};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The system, which is read and executed. What is not there is passed over. Home folders, temporary folders and data
/// of services are not in it. Which processes there are can be seen in `/proc`; what is in them the kernel itself
/// shows no walled program.
const SYSTEM: &[&str] = &[
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

/// Devices that everybody writes to, and that are not changed by it.
const SINKS: &[&str] = &["/dev/full", "/dev/null", "/dev/zero"];

/// The device that compilers write to what is not wanted.
const NOTHING: &str = "/dev/null";

/// Configuration that compilers and the loaders of their libraries read.
const CONFIGURATION: &[&str] = &[
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/locale.alias",
    "/etc/pki/tls/openssl.cnf",
    "/etc/ssl/openssl.cnf",
];

/// Devices that are read.
const SPRINGS: &[&str] = &["/dev/random", "/dev/urandom"];

/// The newest interface that this was tested with.
const NEWEST: ABI = ABI::V7;

/// The interface of this version of the kernel's.
fn interface(version: u32) -> ABI {
    match version {
        0 => ABI::Unsupported,
        1 => ABI::V1,
        2 => ABI::V2,
        3 => ABI::V3,
        4 => ABI::V4,
        5 => ABI::V5,
        6 => ABI::V6,
        _ => NEWEST,
    }
}

/// The rules for these walls, where the working folder is this one; none on a kernel without Landlock.
///
/// # Errors
///
/// The machine refuses.
pub(super) fn rules(walls: &Walls, folder: &CStr, version: u32) -> io::Result<Option<OwnedFd>> {
    let abi = interface(version);
    if abi == ABI::Unsupported {
        return Ok(None);
    }
    let rules = create(walls, folder, abi).map_err(io::Error::other)?;
    Ok(rules.into())
}

fn create(walls: &Walls, folder: &CStr, abi: ABI) -> Result<RulesetCreated, RulesetError> {
    let mut rules =
        Ruleset::default().set_compatibility(CompatLevel::HardRequirement).handle_access(AccessFs::from_all(abi))?;
    if abi >= ABI::V4 {
        rules = rules.handle_access(AccessNet::from_all(abi))?;
    }
    if abi >= ABI::V6 {
        rules = rules.scope(Scope::from_all(abi))?;
    }
    // What of a right makes no sense for a file is left out there, and nothing else.
    let mut rules = rules.create()?.set_compatibility(CompatLevel::BestEffort);
    let read = AccessFs::from_read(abi);
    for path in outermost(if walls.compiler.is_some() { TOOLCHAIN_FOLDERS } else { SYSTEM }) {
        rules = allow(rules, &path, read, abi)?;
    }
    for path in &walls.readable {
        rules = allow(rules, spelt(path), read, abi)?;
    }
    for path in &walls.listable {
        rules = allow(rules, spelt(path), AccessFs::ReadDir.into(), abi)?;
    }
    let devices = AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::MakeSock | AccessFs::Execute;
    let work = AccessFs::from_all(abi) & !devices;
    rules = match &walls.compiler {
        Some(compiler) => allow_compiler(rules, compiler, work, abi)?,
        None => allow_devices(rules, abi)?,
    };
    allow(rules, spelt(folder), work, abi)
}

/// With what a compiler accesses. A device would be a source without an end.
fn allow_compiler(
    mut rules: RulesetCreated,
    compiler: &CompilerAccess,
    work: BitFlags<AccessFs>,
    abi: ABI,
) -> Result<RulesetCreated, RulesetError> {
    for path in &compiler.sources {
        rules = allow(rules, spelt(path), AccessFs::ReadFile | AccessFs::ReadDir, abi)?;
    }
    for path in compiler.caches.iter().chain([&compiler.results]) {
        rules = allow(rules, spelt(path), work, abi)?;
    }
    for path in CONFIGURATION {
        rules = allow(rules, Path::new(path), AccessFs::ReadFile | AccessFs::ReadDir, abi)?;
    }
    allow(rules, Path::new(NOTHING), AccessFs::ReadFile | AccessFs::WriteFile, abi)
}

/// With the devices that programs use.
fn allow_devices(mut rules: RulesetCreated, abi: ABI) -> Result<RulesetCreated, RulesetError> {
    for path in SINKS {
        rules = allow(rules, Path::new(path), AccessFs::ReadFile | AccessFs::WriteFile, abi)?;
    }
    for path in SPRINGS {
        rules = allow(rules, Path::new(path), AccessFs::ReadFile.into(), abi)?;
    }
    Ok(rules)
}

fn spelt(path: &CStr) -> &Path {
    Path::new(OsStr::from_bytes(path.to_bytes()))
}

/// Those of some folders that are there, without those that are links into others: each rule costs a little in each run.
fn outermost(folders: &[&str]) -> Vec<PathBuf> {
    let real: Vec<PathBuf> = folders.iter().filter_map(|path| std::fs::canonicalize(path).ok()).collect();
    let is_inside = |path: &PathBuf| real.iter().any(|other| other != path && path.starts_with(other));
    let mut outer: Vec<PathBuf> = real.iter().filter(|path| !is_inside(path)).cloned().collect();
    outer.sort();
    outer.dedup();
    outer
}

/// The rules with one more.
fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
    abi: ABI,
) -> Result<RulesetCreated, RulesetError> {
    let Ok(place) = PathFd::new(path) else { return Ok(rules) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(abi) };
    rules.add_rule(PathBeneath::new(place, access))
}
