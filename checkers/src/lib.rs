//! What is a right output? This crate answers with a [`Judgement`], from three texts and nothing else.
//!
//! The principal type is [`Checker`]: a value that is parsed from a name such as `tokens` or
//! `numbers:1e-6`, and whose [`check`](Checker::check) compares an output with the jury's answer. The
//! cheapest thing that a stress run does is also what it does most, so acceptance is a single walk over
//! both texts that allocates nothing. All that makes a refusal readable (the place, the reason, the hints)
//! is worked out afterwards, once, for the one output in millions that deserves it.
//!
//! A judgement says nothing about how a program ended, and a checker that cannot judge says so
//! ([`Judgement::Failed`]) instead of blaming the output: an answer file that holds `nan` is the jury's
//! mistake.
//!
//! [`diff()`] shows a refusal as lines side by side. It compares by position, because that is how the
//! checkers compare; an alignment that maximises what two texts have in common pairs the `YES` of one case
//! with the `YES` of another as soon as lines repeat, and then counts differences that nobody made.
//!
//! [`Convention`] translates the exit codes of checkers that are programs of their own. Running them is
//! somebody else's work: this crate starts no process, opens no file and reads no clock.
//!
//! Three laws hold for any bytes, valid UTF-8 or not: a checker accepts the answer itself, unless it is a
//! [`Testlib`] one and the answer is not of the form that it reads; a checker's name parses to that checker; nothing
//! panics.

mod checker;
mod compare;
mod diff;
mod difference;
mod exact;
mod exit;
mod hints;
mod icpc;
mod judgement;
mod lines;
mod nearest;
mod number;
mod numbers;
mod place;
mod show;
mod suggestion;
mod testlib;
mod text;
mod tokens;
mod unordered;

pub use checker::{CHECKERS, Checker, CheckerInfo};
pub use diff::{Diff, DiffOptions, Mode, Piece, Row, RowKind, diff};
pub use exit::Convention;
pub use icpc::Icpc;
pub use judgement::{Judgement, Mismatch};
pub use suggestion::Suggestion;
pub use testlib::Testlib;
