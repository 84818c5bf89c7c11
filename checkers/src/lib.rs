//! Checkers: is an output correct, given the input and the answer?
//!
//! The principal type is [`Checker`]. It is parsed from a name such as `tokens` or `numbers:1e-6`, and its
//! [`check`](Checker::check) compares an output with the answer and returns a [`Judgement`]. A stress test spends most
//! of its checks on accepted outputs, so acceptance is a single pass over both texts without allocation. The parts that
//! make a rejection readable (position, reason, hints) are computed afterwards, only for rejected outputs.
//!
//! A judgement is independent of how the program exited. A checker that cannot judge returns [`Judgement::Failed`]
//! instead of rejecting the output: an answer file with `nan` in it is a judge error.
//!
//! [`diff_outputs()`] shows the differences side by side. It compares by position, because that is how the checkers
//! compare; an alignment that maximises the common part pairs the `YES` of one case with the `YES` of another as soon
//! as lines repeat, and then reports differences that do not exist.
//!
//! [`ExitCodeConvention`] interprets the exit codes of checker programs. Running them is left to the caller: this crate
//! starts no process, opens no file and reads no clock.
//!
//! Three laws hold for any bytes, valid UTF-8 or not: a checker accepts the answer itself, unless it is a
//! [`TestlibChecker`] and the answer is malformed; a checker's name parses to that checker; and nothing panics.
//!
//! ```
//! use rebut_checkers::{Checker, Judgement};
//!
//! let checker = Checker::parse("tokens")?;
//! let judgement = checker.check(b"2\n5 3\n", b"3 5\n", b"5 3\n");
//! let Judgement::Wrong(mismatch) = judgement else { panic!("the numbers are in another order") };
//! assert_eq!(mismatch.message, "token 1: expected 3, found 5");
//! # Ok::<(), String>(())
//! ```

mod checker;
mod diff;
mod difference_names;
mod exact;
mod icpc;
mod judge_exit_code;
mod judgement;
mod lines;
mod number_parser;
mod numbers;
mod printable;
mod suggestion;
mod testlib;
mod token_comparison;
mod tokenizer;
mod tokens;
mod unordered_lines;

pub use checker::{CHECKERS, Checker, CheckerInfo};
pub use diff::{Diff, DiffMode, DiffOptions, DiffRow, DiffRowKind, DiffSegment, diff_outputs};
pub use icpc::IcpcFlags;
pub use judge_exit_code::ExitCodeConvention;
pub use judgement::{Judgement, Mismatch};
pub use suggestion::CheckerSuggestion;
pub use testlib::TestlibChecker;
