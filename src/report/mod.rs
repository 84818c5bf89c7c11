//! Everything that rebut says: layer 6, and the only room that prints.
//!
//! A report is a fold over a campaign's events. [`Terminal`] makes text for people of them, [`Json`] one object a
//! line for programs, and [`Tee`] gives the same events to several reports, so what they say cannot disagree. Whoever
//! cannot send events, because nothing runs yet, prints with [`print_diagnostics`] and [`print_error`].
//!
//! Two rules hold for all text. It is made of `Line`s, whose constructor replaces every control
//! character: no output of a program under test reaches the terminal as it is. And nothing here stops the work: a
//! closed pipe is remembered and asked for at the end, by [`Terminal::write_error`].

mod amounts;
mod board;
mod build;
mod compared;
mod conversation;
mod crash;
mod diagnostics;
mod failure;
mod finding_readme;
mod github;
mod heading;
mod heartbeat;
mod json;
mod junit;
mod layout;
mod line;
mod listing;
mod live;
mod matrix;
mod options;
mod pen;
mod profile;
mod progress;
mod summary;
mod tee;
mod terminal;
mod times;
mod tone;
mod visible;
mod window;

pub use diagnostics::{print_diagnostics, print_error};
pub use finding_readme::finding_readme;
pub use github::Github;
pub use json::Json;
pub use junit::Junit;
pub use options::{DiffStyle, Options};
pub use tee::Tee;
pub use terminal::Terminal;
pub use visible::visible_lines;

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
