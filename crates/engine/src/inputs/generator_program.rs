//! Generator programs: they are run with a seed as their last argument, and those that ask for it with a request for
//! draws on their standard input.
//!
//! Whether a generator takes its choices from rebut is found out by its first run: it then gets a request, and writes a
//! log if it knows what that is. All others get an empty input, as if there were no such protocol. The seed is part of the
//! request, so a generator that does not need it as an argument can be forked.

use rebut_diagnostics::{Error, Result};
use rebut_format::shrink::DrawnInput;
use rebut_generators::{DrawLog, DrawRequest, parse_draw_log};
use rebut_sandbox::{CancelToken, Program, RunLimits, RunOutcome};
use std::ffi::OsString;
use std::sync::{Mutex, PoisonError};

/// Maximum length of an error stream that is kept, which a longer log exceeds.
const MAX_LOG_BYTES: usize = 64 << 10;

/// A generator program.
pub struct GeneratorProgram {
    program: Program,
    /// Whether it takes its choices from rebut, which its first run shows.
    convention: Mutex<Option<DrawConvention>>,
}

/// How a generator makes its choices.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DrawConvention {
    /// It has random numbers of its own.
    SeedOnly,
    /// It takes its choices from rebut, and needs no seed as an argument.
    TakesDraws,
    /// It takes its choices from rebut, but fails without a seed as its last argument.
    TakesDrawsAndSeed,
}

impl DrawConvention {
    /// Returns the arguments of a run for a request: the seed, unless it is only needed in the request.
    fn seed_arguments(self, request: &DrawRequest) -> Vec<OsString> {
        match self {
            DrawConvention::TakesDraws => Vec::new(),
            _ => vec![OsString::from(request.seed.unwrap_or(0).to_string())],
        }
    }
}

impl GeneratorProgram {
    /// Creates a generator of which it is not yet known whether it takes its choices from rebut.
    pub fn new(program: Program) -> Self {
        GeneratorProgram { program, convention: Mutex::new(None) }
    }

    /// Returns its name for the user.
    pub fn display_name(&self) -> &str {
        self.program.display_name()
    }

    /// Returns true if it is known to take its choices from rebut.
    pub(crate) fn takes_draws(&self) -> bool {
        self.known_convention().is_some_and(|convention| convention != DrawConvention::SeedOnly)
    }

    fn known_convention(&self) -> Option<DrawConvention> {
        *self.convention.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs it for a seed, and a growth from 0 to 100.
    ///
    /// # Errors
    /// Returns an error if it cannot be started, or writes a malformed log.
    pub(crate) fn run_with_seed(
        &self,
        (seed, growth): (u64, u32),
        limits: &RunLimits,
        cancel: &CancelToken,
    ) -> Result<RunOutcome> {
        let request = DrawRequest { seed: Some(seed), growth, draws: Vec::new() };
        if self.known_convention().is_none() {
            let detected = self.detect_convention(&request, limits, cancel)?;
            *self.convention.lock().unwrap_or_else(PoisonError::into_inner) = Some(detected);
        }
        match self.takes_draws() {
            true => self.run_request(&request, false, limits, cancel),
            false => self.program.run(b"", &[OsString::from(seed.to_string())], limits, cancel),
        }
    }

    /// Finds out whether the generator writes a log: without a seed as an argument, or else with one.
    fn detect_convention(
        &self,
        request: &DrawRequest,
        limits: &RunLimits,
        cancel: &CancelToken,
    ) -> Result<DrawConvention> {
        for convention in [DrawConvention::TakesDraws, DrawConvention::TakesDrawsAndSeed] {
            let arguments = convention.seed_arguments(request);
            let outcome = self.program.run(request.to_line(true).as_bytes(), &arguments, limits, cancel)?;
            if self.parse_log(&outcome)? != DrawLog::Absent && (outcome.is_success() || !arguments.is_empty()) {
                return Ok(convention);
            }
        }
        Ok(DrawConvention::SeedOnly)
    }

    fn seed_arguments(&self, request: &DrawRequest) -> Vec<OsString> {
        self.known_convention().map_or_else(Vec::new, |convention| convention.seed_arguments(request))
    }

    /// Runs a generator that takes its choices from rebut.
    fn run_request(
        &self,
        request: &DrawRequest,
        is_logged: bool,
        limits: &RunLimits,
        cancel: &CancelToken,
    ) -> Result<RunOutcome> {
        let input = request.to_line(is_logged).into_bytes();
        let arguments = self.seed_arguments(request);
        match arguments.is_empty() {
            true => self.program.run_fast(&input, &[], limits, cancel),
            false => self.program.run(&input, &arguments, limits, cancel),
        }
    }

    /// Runs it for a request. Returns `None` if it fails, or makes its choices by itself.
    ///
    /// # Errors
    /// Returns an error if it cannot be started, or writes a malformed log.
    pub(crate) fn run_with_draws(
        &self,
        request: &DrawRequest,
        limits: &RunLimits,
        cancel: &CancelToken,
    ) -> Result<Option<DrawnInput>> {
        let outcome = self.run_request(request, true, limits, cancel)?;
        let draws = match self.parse_log(&outcome)? {
            DrawLog::Complete(draws) => Some(draws),
            DrawLog::TooLong => None,
            DrawLog::Absent => return Ok(None),
        };
        let (is_success, size) = (outcome.is_success(), outcome.output.len());
        Ok(is_success.then_some(DrawnInput { growth: request.growth, draws, text: outcome.output, size }))
    }

    /// Returns true if it prints a text for a request in a process of its own.
    pub(crate) fn prints_text(
        &self,
        request: &DrawRequest,
        text: &[u8],
        limits: &RunLimits,
        cancel: &CancelToken,
    ) -> bool {
        let arguments = self.seed_arguments(request);
        let outcome = self.program.run(request.to_line(false).as_bytes(), &arguments, limits, cancel);
        outcome.is_ok_and(|outcome| outcome.is_success() && outcome.output == text)
    }

    fn parse_log(&self, outcome: &RunOutcome) -> Result<DrawLog> {
        parse_draw_log(&outcome.stderr, MAX_LOG_BYTES).map_err(|line| {
            let name = self.program.display_name();
            Error::judge_error(format!("the generator `{name}` writes a malformed log of its draws: {line}"))
                .with_help("each line of the log is `~` and a number; the page on choices describes it")
        })
    }
}
