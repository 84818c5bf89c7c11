//! Turns a failing input into a finding: confirms and minimizes it, proves that nothing smaller fails, and saves it.

mod candidate_runs;
mod certification;
mod confirmation;
mod conversation_search;
mod describe_finding;
mod finding_hints;
mod first_failing_case;
mod minimality_proof;
mod minimization_result;
mod minimization_task;
mod minimizer;
mod proof_blocks;
mod random_search;
mod save_finding;
mod shrink_input;
mod shrink_path;
mod slow_finding;
mod state_leak;

pub use minimality_proof::{CertifyResult, MinimalityProof};
pub use minimization_task::FailingInput;
pub use minimizer::{FindingOptions, Minimizer};
pub use proof_blocks::{ProofBlocks, ProvedFinding};
pub use save_finding::quote_for_shell;
