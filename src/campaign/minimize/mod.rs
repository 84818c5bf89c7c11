//! Turns a failing input into a finding: confirms and minimizes it, proves that nothing smaller fails, and saves it.

mod conversation_search;
mod minimality_proof;
mod minimizer;
mod save_finding;
mod state_leak;

pub use minimality_proof::{CertifyResult, MinimalityProof};
pub use minimizer::{FailingInput, FindingOptions, Minimizer};
