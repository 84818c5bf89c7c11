//! A few inputs of a format, with their pictures.

use crate::limits::{bound_steps, shown_input};
use rebut_format::generate::{GenerationError, GenerationPlan, GenerationSettings, generate_value};
use rebut_format::language::Format;
use rebut_format::picture::{Figure, draw_figure, figures_of_input, svg_shapes};
use rebut_format::print::print_value;
use rebut_format::value::Value;
use rebut_generators::Choices;
use serde::Serialize;

/// Sizes of the inputs in percent of the largest.
const GROWTHS: [u32; 4] = [5, 20, 50, 100];
/// Approximate maximum number of elements of an input.
const MAX_ELEMENTS: usize = 40;
/// Maximum number of pictures of an input.
const MAX_PICTURES: usize = 8;

/// Inputs, from small to large.
#[derive(Serialize)]
pub(crate) struct SampleList {
    samples: Vec<Sample>,
}

/// An input, or why there is none.
#[derive(Serialize)]
struct Sample {
    text: Option<String>,
    error: Option<String>,
    pictures: Vec<Picture>,
}

/// A picture of a part of an input.
#[derive(Serialize)]
struct Picture {
    title: String,
    width: i32,
    height: i32,
    /// The contents of an element `svg`.
    shapes: String,
}

/// Generates inputs of increasing sizes.
pub(crate) fn generate_samples(format: &Format, seed: u64) -> SampleList {
    let samples = GROWTHS.into_iter().zip(0..).map(|(growth, number)| generate_sample(format, seed, number, growth));
    SampleList { samples: samples.collect() }
}

fn generate_sample(format: &Format, seed: u64, number: u64, growth: u32) -> Sample {
    match generate_bounded(&bound_steps(format), seed, number, growth) {
        Ok(value) => {
            let figures = figures_of_input(format, &value);
            let text = Some(shown_input(&print_value(format, &value)));
            Sample { text, error: None, pictures: figures.iter().take(MAX_PICTURES).map(draw_picture).collect() }
        }
        Err(error) => Sample { text: None, error: Some(error), pictures: Vec::new() },
    }
}

/// Generates an input within the steps of the format.
///
/// # Errors
/// Returns an error with the reason if there is no input.
fn generate_bounded(format: &Format, seed: u64, number: u64, growth: u32) -> Result<Value, String> {
    let settings = GenerationSettings { growth, max_elements: MAX_ELEMENTS, ..GenerationSettings::default() };
    match generate_value(&GenerationPlan::new(format), &mut Choices::from_seed(seed, number), &settings) {
        Ok(generated) => Ok(generated.value),
        Err(_) if format.stop_token.is_stopped() => Err("the constraints take too long to check here".to_owned()),
        Err(GenerationError { message, .. }) => Err(message),
    }
}

fn draw_picture(figure: &Figure) -> Picture {
    let drawing = draw_figure(figure);
    Picture { title: figure.title.clone(), width: drawing.width, height: drawing.height, shapes: svg_shapes(&drawing) }
}
