//! The table of subtasks.

use super::StatementWriter;
use super::markup::MarkupBlock;
use super::tex_number::number_tex;
use crate::constraints::inline_math;

impl StatementWriter<'_> {
    /// Returns the table, if there are subtasks.
    pub(super) fn subtask_table(&self) -> Option<MarkupBlock> {
        let subtasks = &self.format.subtasks;
        if subtasks.is_empty() {
            return None;
        }
        let scored = subtasks.iter().any(|s| s.points.is_some());
        let cell = |text: &str| text.to_owned();
        let heading = [Some(cell("Subtask")), scored.then(|| cell("Points")), Some(cell("Further constraints"))];
        let mut rows = vec![heading.into_iter().flatten().collect::<Vec<_>>()];
        for subtask in subtasks {
            let constraints = self.write_sentences(&subtask.constraints.iter().collect::<Vec<_>>());
            let description = if constraints.is_empty() { "None.".to_owned() } else { constraints.join(" ") };
            let points = subtask.points.map_or_else(|| cell("--"), |points| inline_math(&number_tex(points, 0)));
            let row = [Some(self.markup.escape_text(&subtask.name)), scored.then_some(points), Some(description)];
            rows.push(row.into_iter().flatten().collect());
        }
        Some(MarkupBlock::Table(rows))
    }
}
