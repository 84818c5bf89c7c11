//! Input formats of contest problems in a browser: problems as you type, samples and their pictures, the smallest
//! inputs, invalid inputs, the statement, and formats inferred from samples.
//!
//! [`answer_request`] is the only function: a [`Request`] and its answer are JSON, so that they can be sent to a worker
//! and back. On a target of WebAssembly, `bindings` exports it to JavaScript; all else is pure and runs anywhere.
//!
//! ```
//! let request = r#"{"kind": "statement", "format": "n; a[n] where 1 <= n <= 8; 0 <= a <= 9", "latex": false}"#;
//! assert!(rebut_web::answer_request(request).contains("All numbers are integers."));
//! ```

#[cfg(target_arch = "wasm32")]
mod bindings;
mod inference;
mod invalid_inputs;
mod limits;
mod problems;
mod request;
mod samples;

pub use request::{Request, answer_request};

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
