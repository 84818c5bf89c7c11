//! The tools that complete findings: pages, a run with sanitizers, and the pictures of the visualizers of a package.

use super::compile_programs;
use super::judges::validation_limits;
use super::problem_setup::ProblemContext;
use super::session::Session;
use crate::report::finding_pages;
use rebut_diagnostics::Result;
use rebut_engine::event::{
    EventSink, Finding, FindingImage, JudgeKind, KillingInput, ProgramRole, SanitizerFinding, TestSetStrength,
};
use rebut_engine::{FindingTools, Visualizers};
use rebut_format::language::Format;
use rebut_packages::verdict::Verdict;
use rebut_packages::{FindingPages, Package, VisualizerArguments};
use rebut_sandbox::{CancelToken, Program, RunLimits};
use rebut_toolchain::{ProgramBuilder, SanitizerResult, SourceOptions, run_with_sanitizers};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Completes the findings of a problem.
pub(super) struct ProblemTools<'a> {
    format: Option<&'a Format>,
    builder: Arc<ProgramBuilder>,
    /// Compile options of the package.
    options: SourceOptions,
    visualizers: Visualizers,
    cancel: CancelToken,
}

impl<'a> ProblemTools<'a> {
    /// Compiles the visualizers of the package, if it has some.
    pub(super) fn new(problem: &'a ProblemContext, session: &mut Session) -> ProblemTools<'a> {
        ProblemTools {
            format: problem.format.as_ref(),
            builder: session.builder.clone(),
            options: compile_programs::package_source_options(problem.package.as_ref()),
            visualizers: compile_visualizers(problem.package.as_ref(), session),
            cancel: session.cancel.clone(),
        }
    }
}

impl FindingTools for ProblemTools<'_> {
    fn render_pages(&self, finding: &Finding, folder: &Path) -> FindingPages {
        finding_pages(finding, folder, self.format)
    }

    fn run_with_sanitizers(&self, source: &Path, input: &[u8]) -> Option<SanitizerFinding> {
        let ran = run_with_sanitizers(&self.builder, source, &self.options, input, &self.cancel);
        let Ok(SanitizerResult::Fault(report)) = ran else {
            return None;
        };
        Some(SanitizerFinding {
            kind: report.kind,
            message: report.message,
            place: report.line.map(|line| (report.file, line)),
            function: report.function,
            source_line: report.source_line,
        })
    }

    fn draw_images(&self, finding: &Finding) -> Vec<FindingImage> {
        draw_finding(&self.visualizers, finding, None, &self.cancel).unwrap_or_default()
    }
}

/// Returns the visualizers of a package. One that does not compile is reported as a warning, and left out.
pub(super) fn compile_visualizers(package: Option<&Package>, session: &mut Session) -> Visualizers {
    let mut compile = |path: Option<&Path>| compile_visualizer(package, path?, session);
    Visualizers {
        input: compile(package.and_then(|package| package.input_visualizer.as_deref())),
        output: compile(package.and_then(|package| package.output_visualizer.as_deref())),
        limits: package.map_or_else(|| RunLimits::with_cpu_time_ms(1), validation_limits),
    }
}

fn compile_visualizer(package: Option<&Package>, path: &Path, session: &mut Session) -> Option<Program> {
    match compile_programs::compile_for(package, path, ProgramRole::Visualizer, session) {
        Ok(program) => Some(program),
        Err(error) => {
            let error = compile_programs::to_judge_error(error, &path.display().to_string());
            session.warn(format!("nothing is drawn by the package itself: {error}"));
            None
        }
    }
}

/// Returns the pictures of a finding; `arguments` are those of its test case. An output is drawn if it is wrong.
///
/// # Errors
/// Returns an error if a visualizer cannot be started, or if the work was cancelled.
pub(super) fn draw_finding(
    visualizers: &Visualizers,
    found: &Finding,
    arguments: Option<&VisualizerArguments>,
    cancel: &CancelToken,
) -> Result<Vec<FindingImage>> {
    let (run, none) = (&found.run, VisualizerArguments::default());
    let arguments = arguments.unwrap_or(&none);
    let mut images = visualizers.draw_input(&run.input, &run.answer, &arguments.input, cancel)?;
    if matches!(found.failure.verdict, Verdict::WrongAnswer | Verdict::PresentationError) {
        let output = if run.judged_by == JudgeKind::Conversation { &[][..] } else { &run.output };
        images.extend(visualizers.draw_output(&run.input, &run.answer, output, &arguments.output, cancel)?);
    }
    Ok(images)
}

/// Adds pictures of the inputs that kill survivors, if a report shows them, and if the package has a visualizer.
///
/// # Errors
/// Returns an error if the visualizer cannot be started, or if the work was cancelled.
pub(super) fn draw_killing_inputs(
    package: &Package,
    mut strength: TestSetStrength,
    session: &mut Session,
) -> Result<TestSetStrength> {
    let inputs = strength.killing_inputs();
    if inputs.is_empty() || package.input_visualizer.is_none() || !session.shows_counterexamples() {
        return Ok(strength);
    }
    let visualizers = compile_visualizers(Some(package), session);
    let mut pictures = BTreeMap::new();
    for KillingInput { input, answer, .. } in inputs.into_iter().take(KillingInput::MAX_SHOWN) {
        let drawn = visualizers.draw_input(input.as_bytes(), answer.as_bytes(), &[], &session.cancel)?;
        pictures.extend(drawn.into_iter().map(|image| (input.to_owned(), image)));
    }
    strength.pictures = pictures;
    Ok(strength)
}
