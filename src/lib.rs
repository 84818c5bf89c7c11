//! rebut finds the smallest input that proves a contest submission wrong.
//!
//! The rooms are layers: each imports only from those below it. `ARCHITECTURE.md` is the map.

pub mod campaign;
pub mod cli;
pub mod corpus;
pub mod diagnostic;
pub mod format;
pub mod generate;
pub mod judge;
pub mod print;
pub mod read;
pub mod report;
pub mod run;
pub mod shrink;
pub mod validate;
pub mod value;
