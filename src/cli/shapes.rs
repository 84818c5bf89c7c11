//! `rebut shapes`: lists the shapes of generated inputs.

use super::exit_status::ExitStatus;
use super::session::Session;
use crate::report::wrap_plain_text;
use rebut_diagnostics::Result;
use rebut_generators::all_shapes;
use std::fmt::Write as _;

pub(super) fn run_shapes(session: &mut Session) -> Result<ExitStatus> {
    let widest = all_shapes().map(|s| s.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    let mut family = None;
    for shape in all_shapes() {
        if family != Some(shape.family) {
            let gap = if family.is_some() { "\n" } else { "" };
            family = Some(shape.family);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{gap}{}", shape.family.name());
        }
        let head = format!("  {:widest$}  ", shape.name);
        text.push_str(&wrap_plain_text(&head, shape.doc, session.options.width));
    }
    session.write_stdout(text.as_bytes())?;
    Ok(ExitStatus::Success)
}
