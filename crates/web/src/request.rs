//! Requests of the page, and their answers.

use crate::limits::parse_bounded;
use crate::{inference, invalid_inputs, problems, samples};
use rebut_diagnostics::{SourceText, to_json};
use rebut_format::describe::{Markup, describe_format};
use rebut_format::language::{Format, format_source};
use serde::{Deserialize, Serialize};

/// A request about the text of a format, or for a format.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Request {
    /// All problems of a format, with their places.
    Problems {
        /// Text of the format.
        format: String,
    },
    /// A few inputs, from small to large, with their pictures.
    Samples {
        /// Text of the format.
        format: String,
        /// The same seed gives the same inputs.
        seed: u64,
    },
    /// The number of inputs of each of the smallest sizes, and the first of them.
    Counts {
        /// Text of the format.
        format: String,
    },
    /// Inputs that break one rule each.
    InvalidInputs {
        /// Text of the format.
        format: String,
    },
    /// The Input and Constraints sections of a statement.
    Statement {
        /// Text of the format.
        format: String,
        /// LaTeX instead of Markdown.
        latex: bool,
    },
    /// The format in its normal form.
    NormalForm {
        /// Text of the format.
        format: String,
    },
    /// A format for sample inputs.
    Inference {
        /// The Input section of the statement, in any markup, or nothing.
        statement: String,
        /// The sample inputs.
        samples: Vec<String>,
    },
}

#[derive(Serialize)]
struct TextAnswer {
    text: String,
}

/// Why there is no answer.
#[derive(Serialize)]
struct Failure {
    error: String,
}

/// Answers a request in JSON with JSON: an object, which has the field `error` if there is no answer.
pub fn answer_request(request: &str) -> String {
    let answer = serde_json::from_str(request).map_err(|error| error.to_string()).and_then(|request| answer(&request));
    answer.unwrap_or_else(|error| serialize(&Failure { error }).unwrap_or_default())
}

/// Returns the answer as JSON.
///
/// # Errors
/// Returns an error with the reason if there is no answer.
fn answer(request: &Request) -> Result<String, String> {
    match request {
        Request::Problems { format } => serialize(&problems::list_problems(format)),
        Request::Samples { format, seed } => serialize(&samples::generate_samples(&parse(format)?, *seed)),
        Request::Counts { format } => serialize(&samples::count_smallest_inputs(&parse(format)?)),
        Request::InvalidInputs { format } => serialize(&invalid_inputs::list_invalid_inputs(&parse(format)?)?),
        Request::Statement { format, latex } => {
            let markup = if *latex { Markup::Latex } else { Markup::Markdown };
            serialize(&TextAnswer { text: describe_format(&parse(format)?, markup) })
        }
        Request::NormalForm { format } => {
            let source = SourceText::new("format", format.as_bytes());
            let text = format_source(&source).map_err(|_| "the format has errors".to_owned())?;
            serialize(&TextAnswer { text })
        }
        Request::Inference { statement, samples } => serialize(&inference::infer_from_texts(statement, samples)?),
    }
}

fn parse(format: &str) -> Result<Format, String> {
    parse_bounded(format).ok_or_else(|| "the format has errors".to_owned())
}

fn serialize(answer: &impl Serialize) -> Result<String, String> {
    to_json(answer).map_err(|error| error.to_string())
}
