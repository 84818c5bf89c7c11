//! Input formats of contest problems, and everything that follows from a format.
//!
//! A [`Format`] reads like the *Input* section of a problem statement. From it follow a reader and validator ([`read`],
//! [`validate`]), a generator ([`generate`]), an enumeration of all valid inputs, the smallest first ([`enumerate`]), a
//! shrinker whose candidates are all valid ([`shrink`]), the statement itself ([`describe`]), and pictures ([`picture`]). Everything here is
//! pure: the same arguments give the same result on each platform.
//!
//! ```
//! use rebut_format::{Format, generate_input};
//!
//! let format = Format::from_text("n; a[n] where 1 <= n <= 8; -9 <= a <= 9; distinct(a)")?;
//! for seed in 0..5 {
//!     println!("{}", String::from_utf8_lossy(&generate_input(&format, seed)?));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Guide
//!
//! - [`generate_input`] and [`shrink_input`] work with bytes, and are enough for tests of a program that reads such
//!   inputs.
//! - [`constraints`] has the kinds of constraints, each in a file of its own.
//! - [`language`] has the model of a format, and [`value`] the tree that an input is read to. All other modules work on
//!   these two.
//! - Nothing loops without a limit, and long work can be stopped from outside:
//!   [`StopToken`](language::StopToken).

pub mod constraints;
pub mod coverage;
pub mod describe;
pub mod enumerate;
pub mod explain;
pub mod generate;
mod inputs;
pub mod invalid;
pub mod language;
mod model;
pub mod picture;
pub mod print;
pub mod read;
pub mod shrink;
mod tuning;
pub mod validate;
pub mod value;

pub use inputs::{FormatError, generate_input, shrink_input};
pub use language::{Format, syntax};
