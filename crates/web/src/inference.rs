//! Formats for samples and the Input section of a statement.

use rebut_infer::{Sample, infer_format};
use serde::Serialize;

/// Maximum number of bytes of all samples.
const MAX_SAMPLE_BYTES: usize = 64 << 10;

#[derive(Serialize)]
pub(crate) struct InferredFormat {
    text: String,
    questions: Vec<Question>,
    notes: Vec<String>,
}

/// A question that the samples leave.
#[derive(Serialize)]
struct Question {
    /// The layout of `text` in the answer, from the first line that differs.
    this: String,
    /// The other layout, from there.
    other: String,
    /// The format with the other layout.
    text: String,
}

/// Infers a format from samples, with the names and bounds of a statement, or from a statement with a block of names.
///
/// # Errors
/// Returns an error if there is neither, or if no layout fits all samples.
pub(crate) fn infer_from_texts(statement: &str, samples: &[String]) -> Result<InferredFormat, String> {
    if samples.iter().map(String::len).sum::<usize>() > MAX_SAMPLE_BYTES {
        return Err(format!("the samples are longer than {} KiB", MAX_SAMPLE_BYTES >> 10));
    }
    let given = samples.iter().filter(|text| !text.trim().is_empty()).zip(1..);
    let samples: Vec<Sample> =
        given.map(|(text, number)| Sample::new(format!("sample {number}"), text.as_bytes())).collect();
    let statement = Some(statement).filter(|text| !text.trim().is_empty());
    let found = infer_format(&samples, statement).map_err(|error| error.to_string())?;
    let mut notes = found.notes.clone();
    if found.is_cut_short {
        notes.push("the search was cut short: other layouts may fit as well".to_owned());
    }
    let text = found.commented_text();
    let questions = found.questions.into_iter().map(|question| Question {
        this: question.lines.0,
        other: question.lines.1,
        text: question.text,
    });
    Ok(InferredFormat { text, questions: questions.collect(), notes })
}
