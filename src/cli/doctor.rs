//! `rebut doctor`: what protects this machine from programs, and what there is to run them with.

use super::args::Doctor;
use super::desk::Desk;
use super::exit::Status;
use crate::diagnostic::{Error, Result, to_json};
use crate::run::{Equipment, Layer};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The languages with fork servers, or why there are none.
type Servers = std::result::Result<Vec<&'static str>, &'static str>;

pub(super) fn run(_: &Doctor, desk: &mut Desk) -> Result<Status> {
    let layers = desk.builder.layers();
    let equipment = desk.builder.equipment(&desk.cancel)?;
    let servers = desk.builder.fork_servers(&desk.cancel);
    let text = if desk.tells_by_stdout() {
        let json = to_json(&as_json(&layers, &equipment, &servers, desk.jobs));
        json.map_err(|e| Error::operating(format!("failed to write what there is as JSON: {e}")))?
    } else {
        as_text(&layers, &equipment, &servers, desk.jobs)
    };
    desk.text(&text)?;
    Ok(Status::Fine)
}

fn as_text(layers: &[Layer], equipment: &[Equipment], servers: &Servers, jobs: usize) -> String {
    let mut text = String::from("layers of protection\n");
    // Writing to a text cannot fail.
    for Layer { name, purpose, state } in layers {
        let _ = match state {
            Ok(by) if by.is_empty() => writeln!(text, "  active   {name}: {purpose}"),
            Ok(by) => writeln!(text, "  active   {name}: {purpose} ({by})"),
            Err(why) => writeln!(text, "  MISSING  {name}: {purpose}; {why}"),
        };
    }
    let _ = writeln!(text, "\ncompilers and interpreters");
    for Equipment { languages, command, version } in equipment {
        let languages = languages.join(", ");
        let _ = match version {
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

fn as_json(layers: &[Layer], equipment: &[Equipment], servers: &Servers, jobs: usize) -> Value {
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
        })
    };
    let layers: Vec<Value> = layers.iter().map(layer).collect();
    let tools: Vec<Value> = equipment.iter().map(tool).collect();
    json!({ "layers": layers, "tools": tools, "fork_servers": servers.as_ref().ok(), "jobs": jobs })
}
