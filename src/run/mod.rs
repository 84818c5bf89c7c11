//! Compiles and runs programs: layer 3, and the only room that starts processes.
//!
//! A [`Builder`] turns a source file, an executable or a command line into a [`Program`]; a program is run on
//! the bytes of an input under [`Limits`], and the result is an [`Outcome`]. An outcome says how a process
//! ended. Whether its output is right is a checker's question, and what both mean together is `judge`'s.

mod cancel;
mod limits;
mod outcome;
mod program;
mod signal;

pub use cancel::Cancel;
pub use limits::Limits;
pub use outcome::{Exit, LimitHit, Outcome};
pub use program::{Job, Program, Runner};
pub use signal::{signal_name, signal_words};
