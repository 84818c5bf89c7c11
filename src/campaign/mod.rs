//! What the tool does with a format, programs and time: searches, shrinks, replays.
//!
//! Layer 5. A campaign emits [`Event`]s and never prints; it is told where findings go and how their page reads, and
//! knows neither terminals nor the command line.

mod accepted;
mod ahead;
mod answers;
mod bench;
mod build;
mod certify;
mod conclusion;
mod event;
mod every;
mod evidence;
mod exhaustive;
mod failure_hints;
mod fit;
mod hints;
mod hunt;
mod inputs;
mod leak;
mod pack;
mod packed_search;
mod parallel;
mod passed;
mod probe;
pub mod probes;
mod profile;
mod reading;
mod referee;
mod replay;
mod stress;
mod tally;
mod together;
pub mod verify;

pub use answers::{AnswerProbe, AnswerValidator, answer_opinions};
pub use bench::{Answer, Bench, Convention, Engine, Trial, Validator};
pub use build::{Accepted, Blame, BuildPlan, Drawn, Flaw, FlawKind, Made as MadeSet, Making, Order, Stated, build};
pub use certify::{Certified, Proof};
pub use conclusion::{CASES_MIN, Conclusion, too_little};
pub use event::{
    Activity, AnswerCount, Assessed, Building, Built, BuiltTest, Ceiling, Compiled, EVENT_VERSION, Enumerated, Event,
    Exposed, Failed, Found, Input, Judged, JudgedBy, Measured, Probed, Profile, Progress, Reach, Reached, Reason, Role,
    SanitizerNote, ShapeProfile, Shares, Shrinking, Sink, Stage, Started, Summary, TimeLimit, Unfinished, Validated,
    Verifying, Warning,
};
pub use every::Every;
pub use exhaustive::{Scope, search_exhaustively};
pub use failure_hints::failure_hints;
pub use fit::misfits;
pub use hints::{constants, sample_words, words};
pub use hunt::{Aims, Hunter, REPLAYS, Suspect, message};
pub use inputs::{Inputs, Made, Origin};
pub use passed::Passed;
pub use profile::profile;
pub use reading::explain_reading;
pub use referee::{JuryProgram, Manner, Referee, Sitting};
pub use replay::{CHANCES, Replayed, replay};
pub use stress::{Hit, SearchResult, StressPlan, Submission, explain_slow_reference, search};
