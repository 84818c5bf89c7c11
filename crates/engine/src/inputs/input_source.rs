//! The source of a search's inputs: a format, the enumeration of a format, or a generator program.

use super::case_packing::{can_pack_cases, count_cases, split_into_cases};
use super::exhaustive_inputs::{ExhaustiveInputs, every_input, smallest_inputs};
use super::generated_input::GeneratedInput;
use super::generator_program::GeneratorProgram;
use super::input_mixture::{InputKind, InputMixture};
use super::input_validator::{InputValidator, unmet_constraint_error};
use super::operand_guide::{OperandGuide, PrintedValue};
use crate::event::{SizeCeiling, WarningEvent};
use crate::tuning::{
    EXAMINED_SEEDS, FIRST_OF_EVERY_INPUT, GUIDED_FROM, MAX_GENERATION_FAILURES, MAX_GROWN_ELEMENTS,
    MAX_GUIDED_ELEMENTS, MAX_LARGE_INPUT_STEPS, MAX_REFUSED_INPUTS, MAX_SMALLEST_FILES, MAX_SMALLEST_STEPS,
    MIN_COUNTED_ELEMENTS, PACKED_SMALLEST_FILES, SMALL_INPUT_INTERVAL,
};
use rebut_diagnostics::{Diagnostic, Error, Result, SourceText};
use rebut_format::generate::{
    GenerationError, GenerationPlan, GenerationSettings, PrintedInput, ScratchBuffers, generate_printed,
    generate_value, merge_cases,
};
use rebut_format::language::Format;
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::shrink::DrawnInput;
use rebut_format::validate::{explain_violation, find_violation};
use rebut_format::value::Value;
use rebut_generators::{Choices, DrawRequest, are_shapes_known};
use rebut_sandbox::{CancelToken, RunJob, RunLimits};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Where inputs come from.
pub enum InputOrigin<'a> {
    /// Random inputs of a format.
    Format {
        /// Generation plan of the format.
        plan: GenerationPlan<'a>,
        /// Generation settings; the growth depends on the index.
        settings: GenerationSettings,
    },
    /// All inputs of a format, smallest first.
    Exhaustive {
        /// Generation plan of the format, for shrinking.
        plan: GenerationPlan<'a>,
        /// The enumeration.
        inputs: Box<ExhaustiveInputs<'a>>,
    },
    /// A program that takes a seed as its last argument and prints an input.
    Generator(GeneratorProgram),
}

/// A supply of valid inputs, each determined by the seed and its index.
pub struct InputSource<'a> {
    /// Where inputs come from.
    pub origin: InputOrigin<'a>,
    /// The smallest inputs, mixed into the first inputs of a search.
    smallest_inputs: Vec<GeneratedInput>,
    /// Whether these are all inputs, and no others come after them.
    has_every_input: bool,
    /// The kinds of inputs of a search. Without it, all are of the same kind.
    mixture: Option<InputMixture>,
    /// Growth up to which the sizes of random inputs are drawn from the first one on, between 0 and 100.
    pub initial_growth: u32,
    /// Generator programs named by the format.
    pub generators: Vec<GeneratorProgram>,
    /// Whether the format was inferred from samples.
    pub is_guessed: bool,
    /// Whether the format has constraints that its generators do not know of: what violates them is drawn from the format.
    pub is_narrowed: bool,
    /// Makes inputs that follow what submissions compute, if some do.
    pub guide: Option<OperandGuide>,
    /// Validators of the inputs.
    pub validators: Vec<InputValidator>,
    /// Limits on generators and validators.
    pub limits: RunLimits,
    /// Cancels running programs.
    pub cancel: CancelToken,
    /// Number of inputs that the validators accepted.
    accepted: AtomicU64,
    /// Number of inputs that the validators refused.
    refused: AtomicU64,
    /// Number of inputs that could not be generated.
    generation_failures: AtomicU64,
    /// Reason of the last generation failure.
    last_failure: Mutex<Option<GenerationError>>,
    /// Processor time of generators and validators, in microseconds.
    programs_cpu_time_us: AtomicU64,
}

/// A generator that takes its choices from rebut, and the draws of an input.
pub(crate) struct GeneratorDraws<'g> {
    /// The generator.
    pub(crate) generator: &'g GeneratorProgram,
    /// The input with its draws, or `None` if they do not make it again.
    pub(crate) input: Option<DrawnInput>,
}

impl<'a> InputSource<'a> {
    /// Creates a source of inputs.
    pub fn new(
        origin: InputOrigin<'a>,
        validators: Vec<InputValidator>,
        limits: RunLimits,
        cancel: CancelToken,
    ) -> Self {
        InputSource {
            origin,
            smallest_inputs: Vec::new(),
            has_every_input: false,
            mixture: None,
            initial_growth: 0,
            generators: Vec::new(),
            is_guessed: false,
            is_narrowed: false,
            guide: None,
            validators,
            limits,
            cancel,
            accepted: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            generation_failures: AtomicU64::new(0),
            last_failure: Mutex::new(None),
            programs_cpu_time_us: AtomicU64::new(0),
        }
    }

    /// Returns the format, unless inputs come from a generator program.
    pub fn input_format(&self) -> Option<&'a Format> {
        match &self.origin {
            InputOrigin::Format { plan, .. } | InputOrigin::Exhaustive { plan, .. } => Some(plan.format),
            InputOrigin::Generator(_) => None,
        }
    }

    /// Mixes the smallest inputs into the first ones, since most bugs show on a tiny input and there are few tiny
    /// inputs.
    #[must_use]
    pub fn with_smallest_inputs(mut self) -> Self {
        // With these limits, the enumeration takes a fraction of a second.
        if let InputOrigin::Format { plan, settings } = &self.origin
            && settings.shape.is_none()
        {
            let files = if can_pack_cases(plan.format) { PACKED_SMALLEST_FILES } else { MAX_SMALLEST_FILES };
            self.smallest_inputs = smallest_inputs(plan.format, files, MAX_SMALLEST_STEPS);
        }
        self
    }

    /// Replaces random inputs by all inputs of the format in a random order, if there are few of them.
    #[must_use]
    pub fn with_every_input(mut self, seed: u64) -> Self {
        if let InputOrigin::Format { plan, settings } = &self.origin
            && settings.shape.is_none()
            && let Some(every) = every_input(plan)
        {
            (self.smallest_inputs, self.has_every_input) = (every, true);
            // The ends of the list are the likeliest to show a mistake.
            let count = self.smallest_inputs.len();
            self.smallest_inputs[count.min(FIRST_OF_EVERY_INPUT)..].reverse();
            let rest = count.min(2 * FIRST_OF_EVERY_INPUT);
            Choices::from_seed(seed, 0).shuffle(&mut self.smallest_inputs[rest..]);
        }
        self
    }

    /// Mixes inputs of several kinds, as in a search, some with up to `max_elements` elements, or with as many as are
    /// reasonable if that is not set.
    #[must_use]
    pub fn with_mixture(mut self, max_elements: Option<usize>) -> Self {
        if let InputOrigin::Format { plan, .. } = &self.origin {
            self.mixture = Some(InputMixture::for_plan(plan, max_elements));
        }
        self
    }

    /// Replaces random inputs with an exhaustive enumeration.
    #[must_use]
    pub fn with_exhaustive_inputs(mut self, inputs: ExhaustiveInputs<'a>) -> Self {
        if let InputOrigin::Format { plan, .. } = self.origin {
            self.origin = InputOrigin::Exhaustive { plan, inputs: Box::new(inputs) };
        }
        self
    }

    /// Restarts an exhaustive source with another enumeration.
    pub(crate) fn replace_exhaustive_inputs(&mut self, enumeration: ExhaustiveInputs<'a>) {
        if let InputOrigin::Exhaustive { inputs, .. } = &mut self.origin {
            **inputs = enumeration;
        }
    }

    /// Returns the indices of the first `most` inputs of any size that the format allows, below a limit.
    pub(crate) fn large_indices(&self, limit: u64, most: usize) -> Vec<u64> {
        let Some(format) = self.input_format() else { return Vec::new() };
        (0..limit).filter(|index| self.input_kind(format, *index, None).is_large()).take(most).collect()
    }

    /// Returns true if this is an exhaustive enumeration.
    pub fn is_exhaustive(&self) -> bool {
        matches!(&self.origin, InputOrigin::Exhaustive { .. })
    }

    /// Returns the number of elements of the last input in a file of an exhaustive enumeration.
    pub fn last_input_elements(&self, index: u64) -> Option<usize> {
        if let InputOrigin::Exhaustive { inputs, .. } = &self.origin { inputs.last_input_elements(index) } else { None }
    }

    /// Returns the maximum size of most generated inputs, if the format allows larger ones.
    pub fn size_ceiling(&self) -> Option<SizeCeiling> {
        let InputOrigin::Format { plan, settings } = &self.origin else { return None };
        let (elements, possible) = (settings.max_elements, plan.max_elements());
        let of_case = plan.format.cases_block().is_some();
        let has_larger = self.mixture.is_some_and(|mixture| mixture.has_larger_inputs(elements));
        (possible > elements as i128).then_some(SizeCeiling { elements, possible, of_case, has_larger })
    }

    /// Makes an exhaustive enumeration forget the files that are not taken: those with an index for which `is_wanted` is
    /// false.
    pub fn keep_only(&self, is_wanted: Box<dyn Fn(u64) -> bool + Send>) {
        if let InputOrigin::Exhaustive { inputs, .. } = &self.origin {
            inputs.keep_only(is_wanted);
        }
    }

    /// Returns true if this is an exhaustive enumeration without a file at an index or later.
    pub(crate) fn ends_before(&self, index: u64) -> bool {
        matches!(&self.origin, InputOrigin::Exhaustive { inputs, .. } if inputs.ends_before(index))
    }

    /// Returns true if an index lies beyond the last input.
    pub fn is_past_end(&self, index: u64) -> bool {
        self.has_every_input && index >= self.smallest_inputs.len() as u64
            || matches!(&self.origin, InputOrigin::Exhaustive { inputs, .. } if inputs.is_past_end(index))
    }

    /// Returns the number of elements of the largest input in the list of those that come first.
    pub(crate) fn max_listed_elements(&self) -> usize {
        let elements = self.smallest_inputs.iter().filter_map(|input| input.value.as_ref()).map(Value::element_count);
        elements.max().unwrap_or(0)
    }

    /// Returns true if a search has run all inputs of the format after this number of inputs, or at its end.
    pub(crate) fn is_complete_after(&self, inputs: Option<u64>) -> bool {
        self.is_complete() && (!self.has_every_input || inputs.is_none_or(|inputs| self.is_past_end(inputs)))
    }

    /// Returns true if all inputs of the format are known: they are a list, or have been enumerated.
    pub fn is_complete(&self) -> bool {
        self.has_every_input || matches!(&self.origin, InputOrigin::Exhaustive { inputs, .. } if inputs.is_complete())
    }

    /// Returns the generation plan of the format, unless inputs come from a generator program.
    pub fn generation_plan(&self) -> Option<&GenerationPlan<'a>> {
        match &self.origin {
            InputOrigin::Format { plan, .. } | InputOrigin::Exhaustive { plan, .. } => Some(plan),
            InputOrigin::Generator(_) => None,
        }
    }

    /// Returns the number of inputs that the validators have refused.
    pub fn refused_count(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Returns true if a refusal of the input at an index is counted: the input is random.
    pub(crate) fn counts_refusal(&self, index: u64) -> bool {
        !self.is_exhaustive() && self.smallest_input_at(index).is_none()
    }

    /// Returns the input at an index, or `None` if the validators refuse it.
    ///
    /// # Errors
    /// Returns an error if the format's constraints cannot be satisfied, if a program fails, or if all inputs are
    /// refused.
    pub fn make_input(&self, seed: u64, index: u64) -> Result<Option<GeneratedInput>> {
        self.generate_input(seed, index, None)
    }

    /// Same, with a fixed growth between 0 and 100 instead of one that increases with the index.
    ///
    /// # Errors
    /// Same as [`make_input`](InputSource::make_input).
    pub fn make_input_of_growth(&self, seed: u64, index: u64, growth: u32) -> Result<Option<GeneratedInput>> {
        self.generate_input(seed, index, Some(growth))
    }

    /// Same as [`make_input`](InputSource::make_input), but omits the value if it can be restored later: values are
    /// large and rarely needed.
    ///
    /// # Errors
    /// Same as [`make_input`](InputSource::make_input).
    pub(crate) fn make_input_to_run(
        &self,
        seed: u64,
        index: u64,
        scratch: &mut ScratchBuffers,
    ) -> Result<Option<GeneratedInput>> {
        let Some((plan, settings)) = self.format_only_settings(seed, index) else {
            return self.make_input(seed, index);
        };
        let printed = self.with_prepared_choices(plan, settings, (seed, index), None, |plan, choices, settings| {
            generate_printed(plan, choices, settings, scratch)
        });
        let generated = match printed {
            Ok(PrintedInput { bytes, case_count: cases, shape }) => {
                Some(GeneratedInput { bytes, value: None, cases, shape })
            }
            Err(failure) => self.count_failure(plan.format, &failure)?,
        };
        self.count_input(generated)
    }

    /// Returns an input of [`make_input_to_run`](InputSource::make_input_to_run) with its value.
    pub(crate) fn restore_value(&self, mut generated: GeneratedInput, seed: u64, index: u64) -> GeneratedInput {
        self.restore_value_in_place(&mut generated, seed, index);
        generated
    }

    /// Same, in place.
    pub(crate) fn restore_value_in_place(&self, generated: &mut GeneratedInput, seed: u64, index: u64) {
        if generated.value.is_none()
            && self.format_only_settings(seed, index).is_some()
            && let Ok(Some(regenerated)) = self.make_input(seed, index)
        {
            *generated = regenerated;
        }
    }

    /// Returns the plan and the settings of an input that depends on nothing but the format, and is therefore
    /// reproducible.
    fn format_only_settings(&self, seed: u64, index: u64) -> Option<(&GenerationPlan<'a>, &GenerationSettings)> {
        self.format_settings(seed, index).filter(|_| self.validators.is_empty())
    }

    /// Returns the plan and the settings of an input that is drawn from the format.
    fn format_settings(&self, seed: u64, index: u64) -> Option<(&GenerationPlan<'a>, &GenerationSettings)> {
        let InputOrigin::Format { plan, settings } = &self.origin else { return None };
        let is_drawn = self.smallest_input_at(index).is_none()
            && self.guide_at(index).is_none()
            && self.format_generator(seed, index).is_none();
        is_drawn.then_some((plan, settings))
    }

    /// Returns the one of the smallest inputs to use at this index. Every fourth input is one of them until all are
    /// used. If these are all inputs, every input is.
    fn smallest_input_at(&self, index: u64) -> Option<&GeneratedInput> {
        let interval = if self.has_every_input { 1 } else { SMALL_INPUT_INTERVAL };
        let at = usize::try_from(index / interval).ok()?;
        self.smallest_inputs.get(at).filter(|_| index.is_multiple_of(interval))
    }

    fn generate_input(&self, seed: u64, index: u64, growth: Option<u32>) -> Result<Option<GeneratedInput>> {
        if let Some(small) = self.smallest_input_at(index).filter(|_| growth.is_none()) {
            return self.keep_valid_part(small.clone());
        }
        let generated = match &self.origin {
            InputOrigin::Exhaustive { inputs, .. } => {
                return inputs.take_file(index).map_or(Ok(None), |generated| self.keep_valid_part(generated));
            }
            InputOrigin::Format { plan, settings } if growth.is_none() && self.guide_at(index).is_some() => {
                self.make_guided(plan, settings, (seed, index))?
            }
            InputOrigin::Format { plan, settings } => {
                let request = self.generator_request(seed, index, growth);
                let program = self.format_generator(seed, index);
                let made =
                    program.map(|program| self.run_format_generator(plan.format, program, request)).transpose()?;
                match made.flatten() {
                    Some(generated) => Some(generated),
                    None => {
                        self.with_prepared_choices(plan, settings, (seed, index), growth, |plan, choices, settings| {
                            self.generate_from_format(plan, settings, choices)
                        })?
                    }
                }
            }
            InputOrigin::Generator(program) => {
                Some(self.run_generator(program, self.generator_request(seed, index, growth))?)
            }
        };
        self.count_input(generated)
    }

    /// Returns what guides inputs from [`GUIDED_FROM`] on: nothing where a run is expensive.
    fn active_guide(&self) -> Option<&OperandGuide> {
        self.guide.as_ref().filter(|_| self.initial_growth == 0)
    }

    /// Returns the guide if the input at an index follows what a submission computes.
    fn guide_at(&self, index: u64) -> Option<&OperandGuide> {
        self.active_guide().filter(|guide| guide.is_guided(index))
    }

    /// Returns true if inputs from this index on follow what submissions compute, and none before it does.
    pub(crate) fn begins_guiding_at(&self, index: u64) -> bool {
        index == GUIDED_FROM && self.active_guide().is_some()
    }

    /// Compiles what the input at an index may need to be guided, unless that was done before.
    pub(crate) fn prepare_guide(&self, index: u64) {
        if let Some(guide) = self.active_guide().filter(|_| index >= GUIDED_FROM) {
            guide.compile_sources();
        }
    }

    /// Returns how long a search has waited for the compiler: that is no time in which it could find anything.
    pub(crate) fn compile_time(&self) -> Duration {
        self.guide.as_ref().map_or(Duration::ZERO, OperandGuide::compile_time)
    }

    /// Makes an input, and changes it by what a submission computes on it.
    fn make_guided(
        &self,
        plan: &GenerationPlan<'_>,
        settings: &GenerationSettings,
        (seed, index): (u64, u64),
    ) -> Result<Option<GeneratedInput>> {
        let grows = OperandGuide::grows_size(index);
        // Where numbers are equal, it does not show which of them was compared; so only half of the others are plain.
        let kind =
            if grows || (index / 16).is_multiple_of(2) { InputKind::Growing } else { InputKind::Plain(index / 32) };
        let (mut choices, mut settings) = self.prepare_choices(settings, (seed, index), kind, grows.then_some(100));
        settings.max_cases = 1;
        settings.max_elements = settings.max_elements.min(if grows { MAX_GROWN_ELEMENTS } else { MAX_GUIDED_ELEMENTS });
        let made = self.generate_from_format(plan, &settings, &mut choices)?;
        let (Some(GeneratedInput { value: Some(value), bytes, .. }), Some(guide)) = (&made, self.guide_at(index))
        else {
            return Ok(made);
        };
        let start = PrintedValue { value: value.clone(), text: bytes.clone() };
        let guided = guide.change_input(plan, (start, grows), &mut choices, (&self.limits, &self.cancel))?;
        let Some((PrintedValue { value, text: bytes }, shape)) = guided else { return Ok(made) };
        if self.validator_refusal(&bytes)?.is_some() {
            return Ok(made);
        }
        let shape = shape.to_owned();
        Ok(Some(GeneratedInput { bytes, cases: count_cases(plan.format, &value), value: Some(value), shape }))
    }

    /// Draws an input of the kind and the shape of the one with this seed and index, of about this size. Each number
    /// gives another one. Returns `None` if inputs are not drawn from a format, or if none was found.
    pub(crate) fn redraw_input(&self, origin: (u64, u64), shape: &str, elements: usize, number: u64) -> Option<Value> {
        let InputOrigin::Format { plan, settings } = &self.origin else { return None };
        let (_, mut settings) =
            self.prepare_choices(settings, origin, self.input_kind(plan.format, origin.1, None), None);
        settings.shape = settings.shape.or_else(|| are_shapes_known(shape).then(|| shape.to_owned()));
        (settings.growth, settings.max_elements, settings.extreme) = (100, elements, None);
        generate_value(plan, &mut Choices::from_seed(!origin.0, number), &settings).ok().map(|drawn| drawn.value)
    }

    /// Returns the kind of the input at an index, unless its growth is given.
    fn input_kind(&self, format: &Format, index: u64, growth: Option<u32>) -> InputKind {
        let kind = |mixture: &InputMixture| mixture.kind_at(index, can_pack_cases(format), self.initial_growth > 0);
        self.mixture.as_ref().filter(|_| growth.is_none()).map_or(InputKind::Growing, kind)
    }

    /// Generates an input that is drawn from the format. Constraints can take quadratic time to check or more, so a large
    /// input is given up after a number of steps.
    fn with_prepared_choices<R>(
        &self,
        plan: &GenerationPlan<'_>,
        settings: &GenerationSettings,
        (seed, index): (u64, u64),
        growth: Option<u32>,
        generate: impl FnOnce(&GenerationPlan<'_>, &mut Choices, &GenerationSettings) -> R,
    ) -> R {
        let kind = self.input_kind(plan.format, index, growth);
        let (mut choices, settings) = self.prepare_choices(settings, (seed, index), kind, growth);
        if !kind.is_large() || plan.max_elements() < MIN_COUNTED_ELEMENTS {
            return generate(plan, &mut choices, &settings);
        }
        let stop_token = plan.format.stop_token.with_steps(MAX_LARGE_INPUT_STEPS);
        let format = Format { stop_token, ..plan.format.clone() };
        generate(&GenerationPlan::new(&format), &mut choices, &settings)
    }

    /// Returns the random choices and the settings of an input of a kind.
    fn prepare_choices(
        &self,
        settings: &GenerationSettings,
        (seed, index): (u64, u64),
        kind: InputKind,
        growth: Option<u32>,
    ) -> (Choices, GenerationSettings) {
        let mut choices = Choices::from_seed(seed, index);
        let (of_sizes, of_numbers) = self.draw_growth(&mut choices, index, kind.growth_rate());
        let mut settings = GenerationSettings {
            growth: growth.unwrap_or(of_sizes),
            number_growth: growth.is_none().then_some(of_numbers),
            ..settings.clone()
        };
        if let Some(mixture) = &self.mixture {
            mixture.adjust_settings(kind, &mut settings);
            settings.letters = kind.draw_letters(index, &settings.dictionary, &mut choices);
            // What was asked for by name stays as it is.
            settings.relates_parts = settings.shape.is_none() && growth.is_none() && InputKind::relates_parts(index);
        }
        (choices, settings)
    }

    /// Draws the growth of the sizes and of the numbers of an input. The first inputs are tiny, and the maximum growth
    /// increases with the index. Small inputs remain frequent, since they are cheap and most bugs show on them. In packed files,
    /// which hold many cases, the maximum increases faster; otherwise `rate` times as fast as usual, and that of the sizes
    /// begins with the initial growth.
    fn draw_growth(&self, choices: &mut Choices, index: u64, rate: u64) -> (u32, u32) {
        let is_packed = self.input_format().is_some_and(can_pack_cases);
        let (tiny_inputs, inputs_per_step) = if is_packed { (10, 1) } else { (100 / rate, 5 / rate) };
        let highest = (index.saturating_sub(tiny_inputs) / inputs_per_step).min(100);
        let initial = u64::from(self.initial_growth.min(100));
        let draw = |choices: &mut Choices, highest| u32::try_from(choices.draw_below(highest + 1)).unwrap_or(100);
        // The same draw, so that all others stay the same: only sizes depend on the initial growth.
        let of_sizes = (!is_packed && initial > highest).then(|| draw(&mut choices.clone(), initial));
        let of_numbers = draw(choices, highest);
        (of_sizes.unwrap_or(of_numbers), of_numbers)
    }

    /// Counts an input as accepted, or `None` as refused.
    fn count_input(&self, generated: Option<GeneratedInput>) -> Result<Option<GeneratedInput>> {
        if generated.is_none() {
            return self.count_refusal();
        }
        self.accepted.fetch_add(1, Ordering::Relaxed);
        Ok(generated)
    }

    /// Returns the part of an input that the validators accept. Refusals are not counted, since the input is not random
    /// and its refusal does not mean that random ones will be refused as well.
    fn keep_valid_part(&self, generated: GeneratedInput) -> Result<Option<GeneratedInput>> {
        let (Some(format), Some(value), false) = (self.input_format(), &generated.value, self.validators.is_empty())
        else {
            return Ok(Some(generated));
        };
        if self.validator_refusal(&generated.bytes)?.is_none() {
            return Ok(Some(generated));
        }
        let Some(value) = self.keep_accepted_cases(format, value)? else { return Ok(None) };
        let cases = if can_pack_cases(format) { count_cases(format, &value) } else { generated.cases };
        Ok(Some(GeneratedInput {
            bytes: print_value(format, &value),
            value: Some(value),
            cases,
            shape: generated.shape,
        }))
    }

    /// Counts a generation failure. An occasional failure only skips an input; it is an error if no input can be
    /// generated.
    fn count_failure(&self, format: &Format, failure: &GenerationError) -> Result<Option<GeneratedInput>> {
        if let Ok(mut last) = self.last_failure.lock()
            && (failure.constraint.is_some() || last.is_none())
        {
            *last = Some(failure.clone());
        }
        if self.cancel.is_cancelled() {
            return Err(Error::interrupted());
        }
        let failed = self.generation_failures.fetch_add(1, Ordering::Relaxed) + 1;
        if failed < MAX_GENERATION_FAILURES || self.accepted.load(Ordering::Relaxed) > 0 {
            return Ok(None);
        }
        Err(unmet_constraint_error(format, failure))
    }

    /// Returns the error for a search that gives up without a first input, or `None` if no generation failure was
    /// recorded.
    pub fn give_up_error(&self) -> Option<Error> {
        let failure = self.last_failure.lock().ok()?.clone();
        failure.zip(self.input_format()).map(|(failure, format)| unmet_constraint_error(format, &failure))
    }

    /// Counts a refused input. It is an error if the validators refuse all inputs.
    fn count_refusal(&self) -> Result<Option<GeneratedInput>> {
        let refused = self.refused.fetch_add(1, Ordering::Relaxed) + 1;
        if refused < MAX_REFUSED_INPUTS || self.accepted.load(Ordering::Relaxed) > 0 {
            return Ok(None);
        }
        Err(Error::usage_error(format!("the validators refused every input ({refused} of {refused})"))
            .with_help("add their constraints to the format, or use a generator that satisfies them"))
    }

    fn generate_from_format(
        &self,
        plan: &GenerationPlan<'_>,
        settings: &GenerationSettings,
        choices: &mut Choices,
    ) -> Result<Option<GeneratedInput>> {
        let generated = match generate_value(plan, choices, settings) {
            Ok(generated) => generated,
            Err(failure) => return self.count_failure(plan.format, &failure),
        };
        let bytes = print_value(plan.format, &generated.value);
        if self.validator_refusal(&bytes)?.is_none() {
            let cases = count_cases(plan.format, &generated.value);
            return Ok(Some(GeneratedInput { bytes, value: Some(generated.value), cases, shape: generated.shape }));
        }
        let kept = self.keep_accepted_cases(plan.format, &generated.value)?;
        Ok(kept.map(|value| GeneratedInput::from_value(plan.format, value, generated.shape)))
    }

    /// Returns those cases of a refused input that the validators accept individually. Otherwise one invalid case in a
    /// hundred would waste the other ninety-nine.
    fn keep_accepted_cases(&self, format: &Format, value: &Value) -> Result<Option<Value>> {
        let mut alone = split_into_cases(format, value);
        alone.retain(|case| find_violation(format, case).is_none());
        let refused = alone.len() == count_cases(format, value);
        let mut kept: Vec<Value> = Vec::new();
        self.bisect_accepted_cases(format, &alone, refused, &mut kept)?;
        let Some(merged) = merge_cases(format, &kept) else { return Ok(None) };
        let is_valid = find_violation(format, &merged).is_none()
            && self.validator_refusal(&print_value(format, &merged))?.is_none();
        Ok(is_valid.then_some(merged).or_else(|| kept.into_iter().next()))
    }

    /// Collects the accepted cases by bisection. `refused` means that the cases are known to be refused as a whole, so
    /// they need not be validated together.
    fn bisect_accepted_cases(
        &self,
        format: &Format,
        cases: &[Value],
        refused: bool,
        kept: &mut Vec<Value>,
    ) -> Result<()> {
        let validity = if refused { BatchValidity::Refused } else { self.validate_batch(format, cases)? };
        if validity == BatchValidity::Accepted {
            kept.extend_from_slice(cases);
            return Ok(());
        }
        if cases.len() < 2 {
            return Ok(());
        }
        let (left, right) = cases.split_at(cases.len() / 2);
        let before = kept.len();
        self.bisect_accepted_cases(format, left, false, kept)?;
        // If both halves together are refused and the left one is accepted, the right one is refused.
        let refused = validity == BatchValidity::Refused && kept.len() - before == left.len();
        self.bisect_accepted_cases(format, right, refused, kept)
    }

    fn validate_batch(&self, format: &Format, cases: &[Value]) -> Result<BatchValidity> {
        let merged = if let [only] = cases { Some(only.clone()) } else { merge_cases(format, cases) };
        let Some(merged) = merged.filter(|value| find_violation(format, value).is_none()) else {
            return Ok(BatchValidity::Invalid);
        };
        let refusal = self.validator_refusal(&print_value(format, &merged))?;
        Ok(if refusal.is_none() { BatchValidity::Accepted } else { BatchValidity::Refused })
    }

    /// Returns the seed of 31 bits, which every language can parse, and the growth for a generator program.
    fn generator_request(&self, seed: u64, index: u64, growth: Option<u32>) -> (u64, u32) {
        let mut choices = Choices::from_seed(seed, index);
        let seed = choices.draw_below(1 << 31);
        (seed, growth.unwrap_or_else(|| self.draw_growth(&mut choices, index, 1).0))
    }

    /// Returns the generator of the format that makes the input at an index, as one does in about one of three if the
    /// format names some. It mostly takes the place of tiny inputs and of related parts, so that the format's own shapes
    /// stay frequent at their usual sizes. The few large inputs are the format's own: a generator grows with the search
    /// only.
    fn format_generator(&self, seed: u64, index: u64) -> Option<&GeneratorProgram> {
        let InputOrigin::Format { plan, settings } = &self.origin else { return None };
        if self.generators.is_empty() {
            return None;
        }
        let kind = self.input_kind(plan.format, index, None);
        let is_free = settings.extreme.is_none() && settings.shape.is_none() && !kind.is_large();
        let is_replaced = matches!(kind, InputKind::Tiny(_)) || index % 16 == 5;
        let is_special = is_replaced || InputKind::relates_parts(index);
        let (part, whole) = match (&self.mixture, is_special) {
            (None, _) => (1, 3),
            (Some(_), true) => (3, 4),
            (Some(_), false) => (1, 16),
        };
        // Not the choices that inputs are drawn from: the growth of the others would hardly ever be above 63 of 100.
        let mut choices = Choices::from_seed(!seed, index);
        if is_free && choices.draw_chance(part, whole) { choices.pick_item(&self.generators) } else { None }
    }

    /// Returns the generator that made the input at an index, with its draws, if it takes them from rebut. There are none
    /// if it prints another text this time.
    ///
    /// # Errors
    /// Returns an error if the generator cannot be started.
    pub(crate) fn find_draws(&self, seed: u64, index: u64, text: &[u8]) -> Result<Option<GeneratorDraws<'_>>> {
        let generator = match &self.origin {
            InputOrigin::Generator(generator) => Some(generator),
            InputOrigin::Format { .. } if self.smallest_input_at(index).is_some() => None,
            InputOrigin::Format { .. } => self.format_generator(seed, index),
            InputOrigin::Exhaustive { .. } => None,
        };
        let Some(generator) = generator.filter(|generator| generator.takes_draws()) else { return Ok(None) };
        let (seed, growth) = self.generator_request(seed, index, None);
        let request = DrawRequest { seed: Some(seed), growth, draws: Vec::new() };
        let input = generator.run_with_draws(&request, &self.limits, &self.cancel)?;
        let input = input.filter(|input| input.text == text);
        // An input of a narrowed format may have been drawn from that instead.
        Ok((input.is_some() || !self.is_narrowed).then_some(GeneratorDraws { generator, input }))
    }

    /// Returns the generators of the format that take their choices from rebut.
    pub(crate) fn drawing_generators(&self) -> impl Iterator<Item = &GeneratorProgram> {
        // Its first run shows what a generator is.
        let run_once = |generator: &&GeneratorProgram| {
            generator.takes_draws() || generator.run_with_seed((0, 0), &self.limits, &self.cancel).is_ok()
        };
        self.generators.iter().filter(run_once).filter(|generator| generator.takes_draws())
    }

    /// Runs a generator of the format for a seed and a growth. Returns `None` if it prints what only the constraints
    /// refuse that narrow the format.
    fn run_format_generator(
        &self,
        format: &Format,
        program: &GeneratorProgram,
        request: (u64, u32),
    ) -> Result<Option<GeneratedInput>> {
        let generated = self.run_generator(program, request)?;
        let invalid = |problem: Diagnostic| {
            let source = SourceText::new("its output", generated.bytes.clone());
            let name = program.display_name();
            Error::judge_error(format!("the generator `{name}` printed an invalid input"))
                .with_note(problem.render_text(&source).trim_end())
        };
        let checked = read_input(format, &generated.bytes).and_then(|value| match find_violation(format, &value) {
            Some(broken) => Err(explain_violation(format, &value, &broken)),
            None => Ok(value),
        });
        match checked {
            Ok(value) => {
                let cases = count_cases(format, &value);
                Ok(Some(GeneratedInput { cases, value: Some(value), ..generated }))
            }
            Err(_) if self.is_narrowed => Ok(None),
            Err(problem) => Err(invalid(problem)),
        }
    }

    fn run_generator(&self, program: &GeneratorProgram, request: (u64, u32)) -> Result<GeneratedInput> {
        let argument = request.0;
        let outcome = program.run_with_seed(request, &self.limits, &self.cancel)?;
        self.programs_cpu_time_us.fetch_add(outcome.cpu_time_us, Ordering::Relaxed);
        let name = program.display_name();
        if !outcome.is_success() {
            let failure = crate::judge::describe_outcome(&outcome);
            return Err(Error::judge_error(format!("the generator `{name}` {failure} for seed {argument}"))
                .with_note(String::from_utf8_lossy(&outcome.stderr).into_owned()));
        }
        match self.validator_refusal(&outcome.output)? {
            None => Ok(GeneratedInput { bytes: outcome.output, value: None, cases: 1, shape: name.to_owned() }),
            Some(reason) => {
                Err(Error::judge_error(format!("the generator `{name}` printed an invalid input for seed {argument}"))
                    .with_note(reason))
            }
        }
    }

    /// Runs the generator programs with a few seeds, and returns warnings about those that ignore their seed, or print
    /// nothing or an incomplete line. One that fails is reported when its input is needed.
    ///
    /// # Errors
    /// Returns an error if a generator cannot be started.
    pub fn examine_generators(&self, seed: u64) -> Result<Vec<WarningEvent>> {
        let own = if let InputOrigin::Generator(program) = &self.origin { Some(program) } else { None };
        let mut warnings = Vec::new();
        for program in own.into_iter().chain(&self.generators) {
            let run = |index| {
                let request = self.generator_request(seed, index, Some(100));
                let outcome = program.run_with_seed(request, &self.limits, &self.cancel)?;
                Ok(outcome.is_success().then_some((request.0, outcome.output)))
            };
            if let Some(flaw) = find_seed_flaw(&run)? {
                let message = format!("the generator `{}` {flaw}", program.display_name());
                let help = "its last argument is the seed, of which all of its choices depend; and each line ends with a newline";
                warnings.push(WarningEvent::new(message, help));
            }
        }
        Ok(warnings)
    }

    /// Splits the cases of an input into two inputs. Returns `None` if it has only one case or a half is not a valid
    /// input.
    pub fn split_cases_in_half(&self, generated: &GeneratedInput) -> Option<[GeneratedInput; 2]> {
        let format = self.input_format()?;
        let value = generated.value.as_ref()?;
        let cases = split_into_cases(format, value);
        let (left, right) = cases.split_at(cases.len() / 2);
        let half = |cases: &[Value]| merge_into_input(format, cases, &generated.shape);
        Some([half(left)?, half(right)?])
    }

    /// Removes the cases that do not satisfy a condition from an input. Returns `None` if no case is left, or if the rest
    /// is not a valid input.
    pub(crate) fn retain_cases(
        &self,
        generated: GeneratedInput,
        is_kept: impl Fn(&Format, &Value) -> bool,
    ) -> Option<GeneratedInput> {
        let (Some(format), Some(value)) = (self.input_format(), &generated.value) else { return Some(generated) };
        let mut cases = split_into_cases(format, value);
        if cases.is_empty() {
            return is_kept(format, value).then_some(generated);
        }
        let count = cases.len();
        cases.retain(|case| is_kept(format, case));
        if cases.len() == count { Some(generated) } else { merge_into_input(format, &cases, &generated.shape) }
    }

    /// Returns the reason of the first validator that refuses an input, or `None` if all accept it.
    ///
    /// # Errors
    /// Returns an error if a validator fails.
    pub fn validator_refusal(&self, input: &[u8]) -> Result<Option<String>> {
        for validator in &self.validators {
            let (refusal, cpu_time_us) = validator.check_job(&RunJob::new(input, &self.limits), &self.cancel)?;
            self.programs_cpu_time_us.fetch_add(cpu_time_us, Ordering::Relaxed);
            if refusal.is_some() {
                return Ok(refusal);
            }
        }
        Ok(None)
    }

    /// Returns the processor time that generators and validators have used, in microseconds.
    pub fn programs_cpu_time_us(&self) -> u64 {
        self.programs_cpu_time_us.load(Ordering::Relaxed)
    }
}

/// Returns what is wrong with a generator, as the predicate of a sentence. `run` returns a seed and what it prints.
fn find_seed_flaw(run: &dyn Fn(u64) -> Result<Option<(u64, Vec<u8>)>>) -> Result<Option<String>> {
    let (Some((seed, first)), Some((_, again))) = (run(0)?, run(0)?) else { return Ok(None) };
    if first != again {
        return Ok(Some(format!(
            "ignores its seed: it prints another input for {seed} the second time, so findings cannot be repeated"
        )));
    }
    for index in 1..EXAMINED_SEEDS {
        if run(index)?.is_none_or(|(_, other)| other != first) {
            let is_incomplete = first.last().is_some_and(|last| *last != b'\n');
            return Ok(is_incomplete.then(|| "prints no newline at the end of its last line".to_owned()));
        }
    }
    let what = if first.trim_ascii().is_empty() { "nothing" } else { "the same input" };
    Ok(Some(format!("prints {what} for each of {EXAMINED_SEEDS} seeds")))
}

/// Merges some cases into one input. Returns `None` if it is not valid: a format can forbid so few cases.
fn merge_into_input(format: &Format, cases: &[Value], shape: &str) -> Option<GeneratedInput> {
    let value = merge_cases(format, cases).filter(|value| find_violation(format, value).is_none())?;
    Some(GeneratedInput::from_value(format, value, shape.to_owned()))
}

/// The result of validating several cases in one file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BatchValidity {
    Accepted,
    /// Refused by a validator.
    Refused,
    /// Violates the format itself.
    Invalid,
}
