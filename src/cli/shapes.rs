//! `rebut shapes`: the shapes that inputs are made by.

use super::desk::Desk;
use super::exit::Status;
use crate::diagnostic::Result;
use rebut_generators::all_shapes;
use std::fmt::Write as _;

pub(super) fn run(desk: &mut Desk) -> Result<Status> {
    let widest = all_shapes().map(|s| s.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    let mut family = None;
    for shape in all_shapes() {
        if family != Some(shape.family) {
            let gap = if family.is_some() { "\n" } else { "" };
            family = Some(shape.family);
            // Writing to a text cannot fail.
            let _ = writeln!(text, "{gap}{}", shape.family.name());
        }
        let _ = writeln!(text, "  {:widest$}  {}", shape.name, shape.doc);
    }
    desk.data(text.as_bytes())?;
    Ok(Status::Fine)
}
