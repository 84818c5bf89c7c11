//! The result of a piece of the work on a test set, as plain data.

use super::test_job::{InputFailure, NewInput};
use crate::event::BuildFlaw;
use serde::{Deserialize, Serialize};

/// The result of a piece of the work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuiltPiece {
    /// The inputs, with their answers.
    pub(super) inputs: Vec<PieceInput>,
    /// Why there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) failure: Option<InputFailure>,
}

impl BuiltPiece {
    /// Returns its inputs, or why there are none.
    pub(super) fn to_inputs(&self) -> Result<Vec<NewInput>, InputFailure> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let to_input = |one: &PieceInput| NewInput {
            bytes: one.input.to_vec(),
            ignores_seed: one.ignores_seed,
            shape: one.shape.clone(),
        };
        Ok(self.inputs.iter().map(to_input).collect())
    }
}

/// An input with its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PieceInput {
    pub(super) input: StoredBytes,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) ignores_seed: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) shape: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) answer: Option<StoredBytes>,
    /// Whether the format of the problem accepts it.
    pub(super) is_accepted: bool,
    pub(super) cases: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) flaws: Vec<BuildFlaw>,
}

/// The bytes of a file. Most files are texts, which are shorter in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum StoredBytes {
    Text(String),
    Bytes(Vec<u8>),
}

impl StoredBytes {
    pub(super) fn new(bytes: Vec<u8>) -> StoredBytes {
        String::from_utf8(bytes).map_or_else(|e| StoredBytes::Bytes(e.into_bytes()), StoredBytes::Text)
    }

    pub(super) fn to_vec(&self) -> Vec<u8> {
        match self {
            StoredBytes::Text(text) => text.clone().into_bytes(),
            StoredBytes::Bytes(bytes) => bytes.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn bytes_are_the_same_after_json() {
        for bytes in [b"3 5\n".to_vec(), vec![], vec![0, 10, 13, 34, 92], vec![0xff, 0xfe, 0], "é\u{7f}".into()] {
            let text = serde_json::to_string(&StoredBytes::new(bytes.clone())).unwrap();
            assert_eq!(serde_json::from_str::<StoredBytes>(&text).unwrap().to_vec(), bytes, "{text}");
        }
    }
}
