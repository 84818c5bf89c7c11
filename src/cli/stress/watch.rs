//! `rebut stress --watch`: searches again whenever a source changes.
//!
//! Each search is a process of its own with the same arguments, so that it begins as if it had just been typed, and a
//! change in the middle of one can interrupt it.

use super::super::args::StressArgs;
use super::super::exit_status::ExitStatus;
use super::super::session::Session;
use rebut_diagnostics::{Result, count_with_noun};
use rebut_packages::FileStamps;
use rebut_sandbox::OwnProcess;
use rebut_toolchain::{LANGUAGES, split_words};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time between two checks of the files: short enough for a change to be noticed at once, and a check takes a fraction of
/// a millisecond.
const LOOK_INTERVAL: Duration = Duration::from_millis(200);

/// Extensions of files beside a submission from which `rebut stress` takes something, other than sources.
const OTHER_EXTENSIONS: [&str; 3] = ["format", "in", "ans"];

/// Searches until the user interrupts.
///
/// # Errors
/// Returns an error if rebut cannot be started again.
pub(in crate::cli) fn run_watch(args: &StressArgs, session: &mut Session) -> Result<ExitStatus> {
    let arguments = arguments_of_a_search(std::env::args_os().skip(1));
    session.stop_heartbeat();
    loop {
        // Before the search, so that a change during its first moments is seen.
        let stamps = look_at_files(args);
        let mut search = Some(OwnProcess::start(&arguments)?);
        let changed = wait_for_change(args, &stamps, &mut search, session)?;
        if let Some(search) = search {
            search.interrupt_and_wait()?;
        }
        let Some(changed) = changed else { return Ok(ExitStatus::Interrupted) };
        session.announce_activity("Changed", changed.display().to_string());
    }
}

/// Waits until a file has changed, and returns it; `None` if the user interrupts. Takes the search when it has ended.
fn wait_for_change(
    args: &StressArgs,
    stamps: &FileStamps,
    search: &mut Option<OwnProcess>,
    session: &Session,
) -> Result<Option<PathBuf>> {
    while !session.cancel.is_cancelled() {
        if let Some(running) = search
            && running.poll_exit_code()?.is_some()
        {
            *search = None;
            let files = count_with_noun(stamps.file_count(), "file");
            session.announce_activity("Watching", format!("{files} for changes   ^C ends"));
        }
        if let Some(changed) = stamps.first_change(&look_at_files(args)) {
            return Ok(Some(changed.to_owned()));
        }
        std::thread::sleep(LOOK_INTERVAL);
    }
    Ok(None)
}

/// Returns the arguments of each search: those of this run without `--watch`.
fn arguments_of_a_search(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    arguments.filter(|argument| argument != "--watch").collect()
}

/// Looks at all files that the search may read: those on the command line, the sources, formats and samples beside
/// submissions and in the working folder, and the package.
fn look_at_files(args: &StressArgs) -> FileStamps {
    let mut stamps = FileStamps::default();
    let (inputs, judging) = (&args.inputs, &args.judging);
    let named = [&inputs.format, &judging.reference, &judging.interactor].into_iter().flatten();
    for path in named.chain(&args.submissions) {
        stamps.add_file(path);
    }
    let commands = inputs.generator.iter().chain(&inputs.validator).chain(&judging.checker);
    for word in commands.filter_map(|command| split_words(command).ok()).flatten() {
        stamps.add_file(Path::new(&word));
    }
    let folders = args.submissions.iter().filter_map(|path| path.parent()).chain([Path::new("")]);
    for folder in folders {
        stamps.add_files_in(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }, is_source);
    }
    if let Some(package) = &inputs.problem {
        stamps.add_package(package);
    }
    stamps
}

fn is_source(path: &Path) -> bool {
    let Some(extension) = path.extension().and_then(|extension| extension.to_str()) else { return false };
    OTHER_EXTENSIONS.contains(&extension) || LANGUAGES.iter().any(|language| language.extensions.contains(&extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_search_has_the_other_arguments() {
        let typed = ["stress", "sol.py", "--watch", "--time", "5s"].into_iter().map(OsString::from);
        assert_eq!(arguments_of_a_search(typed), ["stress", "sol.py", "--time", "5s"]);
    }

    #[test]
    fn only_files_that_a_search_reads_are_watched() {
        let watched = ["sol.cpp", "brute.py", "input.format", "1.in", "notes.txt", "sol"].map(Path::new).map(is_source);
        assert_eq!(watched, [true, true, true, true, false, false]);
    }
}
