//! `rebut doctor`: reports sandbox layers, compilers and engines on this machine.

use super::args::DoctorArgs;
use super::exit_status::ExitStatus;
use super::session::Session;
use rebut_diagnostics::{Error, Result, to_json};
use rebut_packages::SETTINGS_FILE;
use rebut_sandbox::SandboxLayer;
use rebut_toolchain::{CompileLimits, ToolchainReport};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The languages with fork servers, or the reason why there are none.
type ForkServerLanguages = std::result::Result<Vec<&'static str>, &'static str>;

/// The sandbox for compilers.
struct CompilerSandboxInfo {
    layers: Vec<SandboxLayer>,
    limits: CompileLimits,
}

pub(super) fn run_doctor(_: &DoctorArgs, session: &mut Session) -> Result<ExitStatus> {
    let layers = session.builder.sandbox_layers();
    let compilers = CompilerSandboxInfo {
        layers: session.builder.compiler_sandbox_layers(),
        limits: session.builder.compile_limits().clone(),
    };
    let toolchains = session.builder.toolchain_reports(&session.cancel)?;
    let servers = session.builder.fork_server_languages(&session.cancel);
    let text = if session.writes_events_to_stdout() {
        let mut report = to_report_json(&layers, &compilers, &toolchains, &servers, session.jobs);
        report["settings"] = json!(session.settings);
        to_json(&report).map_err(|e| Error::operating_error(format!("failed to write the report as JSON: {e}")))?
    } else {
        let settings = session.settings.as_ref().map_or_else(
            || format!("none; `{SETTINGS_FILE}` is looked for here, in parent folders, and in ~/.config/rebut"),
            |path| path.display().to_string(),
        );
        to_report_text(&layers, &compilers, &toolchains, &servers, session.jobs)
            + &format!("\ndefaults of options\n  {settings}\n")
    };
    session.write_stdout_text(&text)?;
    Ok(ExitStatus::Success)
}

fn to_report_text(
    layers: &[SandboxLayer],
    compilers: &CompilerSandboxInfo,
    toolchains: &[ToolchainReport],
    servers: &ForkServerLanguages,
    jobs: usize,
) -> String {
    let mut text = String::from("sandbox layers\n");
    write_layer_lines(&mut text, layers);
    text.push_str("\nsandbox of compilers\n");
    write_layer_lines(&mut text, &compilers.layers);
    let CompileLimits { cpu_time_ms, memory_bytes, output_bytes } = compilers.limits;
    let (seconds, memory, output) = (cpu_time_ms as f64 / 1000.0, memory_bytes >> 20, output_bytes >> 20);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "  limits   {seconds} s of processor time, {memory} MiB of memory, {output} MiB of files");
    let _ = writeln!(text, "\ncompilers and interpreters");
    for ToolchainReport { languages, command, version, is_sandboxed } in toolchains {
        let languages = languages.join(", ");
        let _ = match version {
            Ok(version) if !is_sandboxed => {
                writeln!(text, "  found    {languages}: {command} ({version}); a script, which runs WITHOUT a sandbox")
            }
            Ok(version) => writeln!(text, "  found    {languages}: {command} ({version})"),
            Err(why) => writeln!(text, "  missing  {languages}: {command}; {why}"),
        };
    }
    let _ = writeln!(text, "\nengines, {jobs} runs at a time\n  active   exec: a new process for each run");
    let _ = match servers {
        Ok(languages) => {
            writeln!(text, "  active   fork server: forked copies of loaded programs ({})", languages.join(", "))
        }
        Err(why) => writeln!(text, "  MISSING  fork server: forked copies of loaded programs; {why}"),
    };
    text
}

/// Appends a line for each layer.
fn write_layer_lines(text: &mut String, layers: &[SandboxLayer]) {
    // Writing to a string cannot fail.
    for SandboxLayer { name, purpose, state } in layers {
        let _ = match state {
            Ok(by) if by.is_empty() => writeln!(text, "  active   {name}: {purpose}"),
            Ok(by) => writeln!(text, "  active   {name}: {purpose} ({by})"),
            Err(why) => writeln!(text, "  MISSING  {name}: {purpose}; {why}"),
        };
    }
}

fn to_report_json(
    layers: &[SandboxLayer],
    compilers: &CompilerSandboxInfo,
    toolchains: &[ToolchainReport],
    servers: &ForkServerLanguages,
    jobs: usize,
) -> Value {
    let layer = |layer: &SandboxLayer| {
        json!({
            "name": layer.name,
            "purpose": layer.purpose,
            "active": layer.state.is_ok(),
            "note": layer.state.as_ref().unwrap_or_else(|why| why),
        })
    };
    let tool = |tool: &ToolchainReport| {
        json!({
            "languages": tool.languages,
            "command": tool.command,
            "version": tool.version.as_ref().ok(),
            "missing": tool.version.as_ref().err(),
            "sandboxed": tool.is_sandboxed,
        })
    };
    let layers: Vec<Value> = layers.iter().map(layer).collect();
    let compilers = json!({
        "layers": compilers.layers.iter().map(layer).collect::<Vec<Value>>(),
        "cpu_time_ms": compilers.limits.cpu_time_ms,
        "memory_bytes": compilers.limits.memory_bytes,
        "output_bytes": compilers.limits.output_bytes,
    });
    let tools: Vec<Value> = toolchains.iter().map(tool).collect();
    json!({ "layers": layers, "compilers": compilers, "tools": tools, "fork_servers": servers.as_ref().ok(), "jobs": jobs })
}
