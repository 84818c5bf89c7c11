//! A few inputs of a format, with their pictures.

use crate::limits::{MAX_NODES, bound_steps, shown_input};
use rebut_diagnostics::group_thousands;
use rebut_format::enumerate::{Enumerator, element_count_range, try_count_inputs};
use rebut_format::generate::{GenerationError, GenerationPlan, GenerationSettings, generate_value};
use rebut_format::language::Format;
use rebut_format::picture::{Figure, draw_figure, figures_of_input, svg_shapes};
use rebut_format::print::print_value;
use rebut_format::value::Value;
use rebut_generators::Choices;
use serde::Serialize;
use std::sync::atomic::{AtomicU64, Ordering};

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

// The smallest inputs of a format.

/// Maximum number of sizes that are counted.
const MAX_SIZES: i128 = 12;

/// Maximum number of inputs that are listed.
const MAX_LISTED: usize = 12;

/// The number of inputs of each of the smallest sizes.
#[derive(Serialize)]
pub(crate) struct SmallestInputs {
    sizes: Vec<SizeCount>,
    /// Whether larger inputs were not counted.
    has_more: bool,
    /// The first inputs in the order of the search.
    first: Vec<FirstInput>,
}

/// Number of inputs of a size.
#[derive(Serialize)]
struct SizeCount {
    /// Number of numbers and characters.
    elements: i128,
    /// Number of inputs with so many elements, in groups of three digits.
    inputs: String,
}

/// An input and its size.
#[derive(Serialize)]
struct FirstInput {
    elements: usize,
    text: String,
}

/// Counts the smallest inputs, as far as the steps suffice, and lists the first of them.
pub(crate) fn count_smallest_inputs(format: &Format) -> SmallestInputs {
    let (sizes, has_more) = count_by_size(&bound_steps(format));
    SmallestInputs { sizes, has_more, first: list_first_inputs(&bound_steps(format)) }
}

fn count_by_size(format: &Format) -> (Vec<SizeCount>, bool) {
    let plan = GenerationPlan::new(format);
    let range = element_count_range(&plan);
    let nodes = AtomicU64::new(0);
    let stop = || is_spent(&nodes, format);
    let (mut sizes, mut total) = (Vec::new(), 0);
    for elements in range.lo.max(0)..=range.hi {
        let most = usize::try_from(elements).unwrap_or(usize::MAX);
        let counted = try_count_inputs(&plan, most, &stop).ok().flatten();
        let Some(counted) = counted.filter(|_| !stop() && (sizes.len() as i128) < MAX_SIZES) else {
            return (sizes, true);
        };
        if counted > total {
            sizes.push(SizeCount { elements, inputs: group_thousands(counted - total) });
            total = counted;
        }
    }
    (sizes, false)
}

/// Counts a visited node. Returns true if all nodes or steps are spent.
fn is_spent(nodes: &AtomicU64, format: &Format) -> bool {
    nodes.fetch_add(1, Ordering::Relaxed) > MAX_NODES || format.stop_token.is_stopped()
}

fn list_first_inputs(format: &Format) -> Vec<FirstInput> {
    let plan = GenerationPlan::new(format);
    let nodes = AtomicU64::new(0);
    let stop = || is_spent(&nodes, format);
    let first = Enumerator::new(&plan, usize::MAX, &stop)
        .take(MAX_LISTED)
        .map(|value| FirstInput { elements: value.element_count(), text: shown_input(&print_value(format, &value)) });
    first.collect()
}
