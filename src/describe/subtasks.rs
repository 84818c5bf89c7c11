//! Subtasks as a table.

use super::markup::Piece;
use super::number::number;
use super::{Author, math};

impl Author<'_> {
    /// The table, if there are subtasks.
    pub(super) fn subtasks(&self) -> Option<Piece> {
        let subtasks = &self.format.subtasks;
        if subtasks.is_empty() {
            return None;
        }
        let scored = subtasks.iter().any(|s| s.points.is_some());
        let cell = |text: &str| text.to_owned();
        let heading = [Some(cell("Subtask")), scored.then(|| cell("Points")), Some(cell("Further constraints"))];
        let mut rows = vec![heading.into_iter().flatten().collect::<Vec<_>>()];
        for subtask in subtasks {
            let constraints = self.sentences(&subtask.constraints.iter().collect::<Vec<_>>());
            let said = if constraints.is_empty() { "None.".to_owned() } else { constraints.join(" ") };
            let points = subtask.points.map_or_else(|| cell("--"), |points| math(&number(points, 0)));
            let row = [Some(self.markup.plain(&subtask.name)), scored.then_some(points), Some(said)];
            rows.push(row.into_iter().flatten().collect());
        }
        Some(Piece::Table(rows))
    }
}
