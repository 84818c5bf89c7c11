//! `rebut complexity`: measures how the cost of submissions grows with the sizes of their input.

use super::args::{ComplexityArgs, JudgeArgs};
use super::compile_programs::{compile_counted, display_file_name};
use super::exit_status::ExitStatus;
use super::problem_setup::{self, ProblemContext};
use super::session::Session;
use super::stress::require_known_shape;
use rebut_diagnostics::{Error, Result};
use rebut_engine::event::{ActivityEvent, Event, EventSink};
use rebut_engine::{GrowthPlan, GrowthSubmission, measure_growth};

pub(super) fn run_complexity(args: &ComplexityArgs, session: &mut Session) -> Result<ExitStatus> {
    session.open_html(&args.page);
    require_known_shape(args.shape.as_deref())?;
    if args.inputs.generator.is_some() {
        return Err(Error::usage_error("sizes are those of a format: a generator has none")
            .with_help("describe the input with `--format` or `--input`"));
    }
    let beside = args.submissions.first().map(std::path::PathBuf::as_path);
    session.begin_search_section("complexity", args.inputs.problem.as_deref());
    let problem = ProblemContext::load_problem(&args.inputs, beside, session)?;
    problem.require_inputs(&args.inputs)?;
    let format = problem.require_format("grow inputs of")?;
    let package = problem.package.as_ref();
    let judging = JudgeArgs { time_limit: args.time_limit, ..JudgeArgs::default() };
    let (limits, _) = problem_setup::choose_limits(&judging, package);
    let plan = GrowthPlan {
        format,
        seed: args.seed,
        shape: args.shape.clone(),
        time_limit_ms: limits.cpu_time_limit_ms,
        memory_limit_bytes: limits.memory_limit_bytes,
        cancel: session.cancel.clone(),
    };
    let mut status = ExitStatus::Success;
    for path in problem_setup::find_submissions(&args.submissions, package, session)? {
        let name = display_file_name(&path);
        let Some(program) = compile_counted(&path, &name, package, session)? else {
            status = ExitStatus::Found;
            continue;
        };
        let submission = GrowthSubmission { name, program };
        let report = measure_growth(&plan, &submission, &mut |axis| {
            session.note_activity(&ActivityEvent::new("Measuring", format!("{}, growing {axis}", submission.name)));
        })?;
        session.take_event(&Event::Growth(report));
    }
    Ok(session.emit_summary(0, status))
}
