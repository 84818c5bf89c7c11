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

/// The sandbox layers, compilers and engines of this machine.
struct DoctorReport {
    layers: Vec<SandboxLayer>,
    compiler_layers: Vec<SandboxLayer>,
    compile_limits: CompileLimits,
    toolchains: Vec<ToolchainReport>,
    servers: ForkServerLanguages,
    jobs: usize,
}

pub(super) fn run_doctor(_: &DoctorArgs, session: &mut Session) -> Result<ExitStatus> {
    let report = DoctorReport {
        layers: session.builder.sandbox_layers(),
        compiler_layers: session.builder.compiler_sandbox_layers(),
        compile_limits: session.builder.compile_limits().clone(),
        toolchains: session.builder.toolchain_reports(&session.cancel)?,
        servers: session.builder.fork_server_languages(&session.cancel),
        jobs: session.jobs,
    };
    let text = if session.writes_events_to_stdout() {
        let mut report = report.to_report_json();
        report["settings"] = json!(session.settings);
        to_json(&report).map_err(|e| Error::operating_error(format!("failed to write the report as JSON: {e}")))?
    } else {
        let settings = session.settings.as_ref().map_or_else(
            || format!("none; `{SETTINGS_FILE}` is looked for here, in parent folders, and in ~/.config/rebut"),
            |path| path.display().to_string(),
        );
        report.to_report_text() + &format!("\ndefaults of options\n  {settings}\n")
    };
    session.write_stdout_text(&text)?;
    Ok(ExitStatus::Success)
}

impl DoctorReport {
    fn to_report_text(&self) -> String {
        let mut text = String::from("sandbox layers\n");
        write_layer_lines(&mut text, &self.layers);
        text.push_str("\nsandbox of compilers\n");
        write_layer_lines(&mut text, &self.compiler_layers);
        let CompileLimits { cpu_time_ms, memory_bytes, output_bytes } = self.compile_limits;
        let (seconds, memory, output) = (cpu_time_ms as f64 / 1000.0, memory_bytes >> 20, output_bytes >> 20);
        // Writing to a string cannot fail.
        let _ =
            writeln!(text, "  limits   {seconds} s of processor time, {memory} MiB of memory, {output} MiB of files");
        let _ = writeln!(text, "\ncompilers and interpreters");
        for ToolchainReport { languages, command, version, is_sandboxed } in &self.toolchains {
            let languages = languages.join(", ");
            let _ = match version {
                Ok(version) if !is_sandboxed => {
                    writeln!(
                        text,
                        "  found    {languages}: {command} ({version}); a script, which runs WITHOUT a sandbox"
                    )
                }
                Ok(version) => writeln!(text, "  found    {languages}: {command} ({version})"),
                Err(why) => writeln!(text, "  missing  {languages}: {command}; {why}"),
            };
        }
        let _ = writeln!(text, "\nengines, {} runs at a time\n  active   exec: a new process for each run", self.jobs);
        let _ = match &self.servers {
            Ok(languages) => {
                writeln!(text, "  active   fork server: forked copies of loaded programs ({})", languages.join(", "))
            }
            Err(why) => writeln!(text, "  MISSING  fork server: forked copies of loaded programs; {why}"),
        };
        text
    }

    fn to_report_json(&self) -> Value {
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
        let layers: Vec<Value> = self.layers.iter().map(layer).collect();
        let compilers = json!({
            "layers": self.compiler_layers.iter().map(layer).collect::<Vec<Value>>(),
            "cpu_time_ms": self.compile_limits.cpu_time_ms,
            "memory_bytes": self.compile_limits.memory_bytes,
            "output_bytes": self.compile_limits.output_bytes,
        });
        let tools: Vec<Value> = self.toolchains.iter().map(tool).collect();
        json!({ "layers": layers, "compilers": compilers, "tools": tools, "fork_servers": self.servers.as_ref().ok(), "jobs": self.jobs })
    }
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
