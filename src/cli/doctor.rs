//! `rebut doctor`: what protects this machine from programs, and what there is to run them with.

use super::args::Doctor;
use super::desk::Desk;
use super::exit::Status;
use crate::diagnostic::{Error, Result, to_json};
use crate::run::{CompileLimits, Equipment, Layer};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The languages with fork servers, or why there are none.
type Servers = std::result::Result<Vec<&'static str>, &'static str>;

/// The sandbox of compilers.
struct Compilers {
    layers: Vec<Layer>,
    limits: CompileLimits,
}

pub(super) fn run(_: &Doctor, desk: &mut Desk) -> Result<Status> {
    let layers = desk.builder.layers();
    let compilers = Compilers { layers: desk.builder.compiler_layers(), limits: desk.builder.compile_limits().clone() };
    let equipment = desk.builder.equipment(&desk.cancel)?;
    let servers = desk.builder.fork_servers(&desk.cancel);
    let text = if desk.tells_by_stdout() {
        let json = to_json(&as_json(&layers, &compilers, &equipment, &servers, desk.jobs));
        json.map_err(|e| Error::operating(format!("failed to write what there is as JSON: {e}")))?
    } else {
        as_text(&layers, &compilers, &equipment, &servers, desk.jobs)
    };
    desk.text(&text)?;
    Ok(Status::Fine)
}

fn as_text(layers: &[Layer], compilers: &Compilers, equipment: &[Equipment], servers: &Servers, jobs: usize) -> String {
    let mut text = String::from("layers of protection\n");
    add_layers(&mut text, layers);
    text.push_str("\nsandbox of compilers\n");
    add_layers(&mut text, &compilers.layers);
    let CompileLimits { cpu_time_ms, memory_bytes, output_bytes } = compilers.limits;
    let (seconds, memory, output) = (cpu_time_ms as f64 / 1000.0, memory_bytes >> 20, output_bytes >> 20);
    // Writing to a text cannot fail.
    let _ = writeln!(text, "  limits   {seconds} s of processor time, {memory} MiB of memory, {output} MiB of files");
    let _ = writeln!(text, "\ncompilers and interpreters");
    for Equipment { languages, command, version, is_sandboxed } in equipment {
        let languages = languages.join(", ");
        let _ = match version {
            Ok(version) if !is_sandboxed => {
                writeln!(
                    text,
                    "  found    {languages}: {command} ({version}); it is a script and runs WITHOUT a sandbox"
                )
            }
            Ok(version) => writeln!(text, "  found    {languages}: {command} ({version})"),
            Err(why) => writeln!(text, "  missing  {languages}: {command}; {why}"),
        };
    }
    let _ = writeln!(text, "\nengines, {jobs} runs at a time\n  active   exec: a process of its own for each run");
    let _ = match servers {
        Ok(languages) => writeln!(text, "  active   fork server: copies of warm programs ({})", languages.join(", ")),
        Err(why) => writeln!(text, "  MISSING  fork server: copies of warm programs; {why}"),
    };
    text
}

/// Adds a line for each layer.
fn add_layers(text: &mut String, layers: &[Layer]) {
    // Writing to a text cannot fail.
    for Layer { name, purpose, state } in layers {
        let _ = match state {
            Ok(by) if by.is_empty() => writeln!(text, "  active   {name}: {purpose}"),
            Ok(by) => writeln!(text, "  active   {name}: {purpose} ({by})"),
            Err(why) => writeln!(text, "  MISSING  {name}: {purpose}; {why}"),
        };
    }
}

fn as_json(layers: &[Layer], compilers: &Compilers, equipment: &[Equipment], servers: &Servers, jobs: usize) -> Value {
    let layer = |layer: &Layer| {
        json!({
            "name": layer.name,
            "purpose": layer.purpose,
            "active": layer.state.is_ok(),
            "note": layer.state.as_ref().unwrap_or_else(|why| why),
        })
    };
    let tool = |tool: &Equipment| {
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
    let tools: Vec<Value> = equipment.iter().map(tool).collect();
    json!({ "layers": layers, "compilers": compilers, "tools": tools, "fork_servers": servers.as_ref().ok(), "jobs": jobs })
}
