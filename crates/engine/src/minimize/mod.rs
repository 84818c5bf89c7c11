//! Turns a failing input into a finding: confirms and minimizes it, proves that nothing smaller fails, and saves it.

mod candidate_runs;
mod confirmation;
mod conversation_search;
mod describe_finding;
mod minimality_proof;
mod minimization_task;
mod minimizer;
mod proof_blocks;
mod random_search;
mod save_finding;
mod shrink_input;

pub use minimality_proof::{CertifyResult, MinimalityProof};
pub use minimization_task::FailingInput;
pub use minimizer::{FindingOptions, Minimizer};
pub use proof_blocks::ProofBlocks;
pub use save_finding::FindingTools;
pub use save_finding::quote_for_shell;
