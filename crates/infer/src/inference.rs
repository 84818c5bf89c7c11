//! The inferred format: the most likely layout, its constraints, and the questions that are left.

use crate::bound_terms::{ComparedPair, compared_pairs, has_element};
use crate::cost::Observation;
use crate::draft::FormatDraft;
use crate::layout::{Count, FieldIndex, Node, Part, Size, all_nodes, parts_of, size_fields};
use crate::naming::{assign_names, choose_names};
use crate::render::REPETITIONS;
use crate::rules::RuleMaker;
use crate::sample::{Sample, parse_integer};
use crate::search::{Candidate, complete_candidate, find_layouts};
use crate::state::SearchState;
use crate::stated_chains::{with_largest_bounds, with_stated_values};
use crate::statement::{StatedCondition, StatedLayout, Statement};
use rebut_diagnostics::{list_and, list_or};
use rebut_format::syntax::{ComparisonChain, SyntaxTerm, SyntaxTree};
use std::fmt;

/// How much longer the description of another layout must be for it not to be a question, in tenths of bits.
const CLEAR_DIFFERENCE: i64 = 50;

/// The same for a layout that fits the samples nearly as well, and that only a statement contradicts.
const CLEAR_BY_STATEMENT: i64 = 70;

/// Maximum number of questions.
const MAX_QUESTIONS: usize = 4;

/// Number of tokens of samples, the smallest first, that layouts are searched with. All samples are read by the result.
const MAX_SEARCHED_TOKENS: usize = 1_500;

/// Returns true if the text of a format has guesses, and still the comment about them.
pub fn has_guesses(format: &str) -> bool {
    format.lines().any(|line| line.trim_start().starts_with("# guessed "))
}

/// An inferred format.
#[derive(Clone, Debug)]
pub struct Inference {
    /// The text of the format. It accepts every sample.
    pub text: String,
    /// Other formats that are nearly as likely, the likeliest first.
    pub questions: Vec<Question>,
    /// The number of constraints at the end of the text that only the samples support, such as ranges of numbers.
    pub sampled_rules: usize,
    /// False if the layout is that of the statement alone.
    pub has_samples: bool,
    /// True if the search for layouts was cut short: another one may describe the samples better.
    pub is_cut_short: bool,
    /// Remarks for the user: open decisions, bounds that samples contradict, white space that was ignored.
    pub notes: Vec<String>,
}

impl Inference {
    /// Returns the text with a comment above guessed bounds, and above blocks with a guessed number of repetitions.
    pub fn commented_text(&self) -> String {
        let mut lines: Vec<String> = self.text.lines().map(str::to_owned).collect();
        let stated = lines.len().saturating_sub(self.sampled_rules);
        if stated < lines.len() {
            let origin = if self.has_samples { "from the" } else { "without" };
            let comment = format!("    # guessed {origin} samples: replace these by what the statement says");
            let missing = self.guessed_upper_bounds().map(|names| format!("    # {names}"));
            lines.splice(stated..stated, std::iter::once(comment).chain(missing));
        }
        let is_open = |line: &String| line.trim_start().starts_with(&format!("repeat {REPETITIONS} "));
        if let Some(at) = lines.iter().position(is_open) {
            let indentation = lines[at].len() - lines[at].trim_start().len();
            lines.insert(at, format!("{:indentation$}# guessed number of repetitions", ""));
        }
        lines.join("\n") + "\n"
    }

    /// Returns a question about the upper bounds that only the samples support: `upper bounds: a? n?`. Returns `None` if there are none.
    pub fn guessed_upper_bounds(&self) -> Option<String> {
        let stated = self.text.lines().count().saturating_sub(self.sampled_rules);
        let mut names: Vec<String> = Vec::new();
        for line in self.text.lines().skip(stated) {
            if let [.., bounded, _] = line.trim().split(" <= ").collect::<Vec<_>>()[..] {
                let bounded = bounded.split(", ").filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()));
                names.extend(bounded.map(|name| format!("{name}?")));
            }
        }
        names.sort_unstable();
        names.dedup();
        (!names.is_empty()).then(|| format!("upper bounds: {}", names.join(" ")))
    }
}

/// A format that fits the samples as well, but means something else.
#[derive(Clone, Debug)]
pub struct Question {
    /// The inferred layout and the other one, from the first line in which they differ.
    pub lines: (String, String),
    /// The text of the other format.
    pub text: String,
    /// The number of constraints at its end that only the samples support.
    pub sampled_rules: usize,
}

/// Why no format was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InferError {
    /// There are no samples, or all are empty.
    NoSamples,
    /// There are no samples, and the statement shows no block of names that is understood.
    NotDescribed,
    /// No layout that can be expressed fits all samples.
    NoLayout,
    /// The search for a layout was cut short before it found one.
    TooLong,
}

impl fmt::Display for InferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            InferError::NoSamples => "there is no sample input, or it is empty",
            InferError::NotDescribed => {
                "there is no sample input, and no block of names in the statement is understood"
            }
            InferError::NoLayout => "no simple layout fits all samples",
            InferError::TooLong => "the samples are too long or too irregular to search all layouts; try smaller ones",
        })
    }
}

impl std::error::Error for InferError {}

/// Infers the format of some inputs. A statement gives names, bounds and the choice among layouts; without samples, the layout.
///
/// # Errors
/// Returns an error if there is neither a sample nor a block of names, or if no layout fits all samples.
pub fn infer_format(samples: &[Sample], statement: Option<&str>) -> Result<Inference, InferError> {
    let statement = statement.map(Statement::parse);
    let statement = statement.as_ref();
    if samples.iter().all(|sample| sample.lines.is_empty()) {
        return infer_from_statement(statement.ok_or(InferError::NoSamples)?);
    }
    let searched = smallest_samples(samples);
    // A layout that the statement describes and that fits needs no search: no other would be a question.
    let described = statement.and_then(|statement| {
        let ranked = describe_layout(statement.layout.as_ref()?, &searched)?;
        choose_format(&[ranked], Some(statement), samples, false)
    });
    if let Some(found) = described {
        return Ok(found);
    }
    let listed = statement.map(|statement| &statement.line_lengths[..]).unwrap_or_default();
    let has_cases = statement.is_some_and(|statement| statement.mentions_kind("case"));
    let (mut candidates, is_cut_short) = find_layouts(&searched, listed, has_cases);
    if has_cases {
        candidates.extend(candidates.iter().filter_map(with_single_case).collect::<Vec<_>>());
    }
    let mut ranked: Vec<Candidate> =
        candidates.into_iter().map(|candidate| rank_candidate(candidate, statement)).collect();
    ranked.sort_by_key(|candidate| candidate.rank);
    let none = if is_cut_short { InferError::TooLong } else { InferError::NoLayout };
    choose_format(&ranked, statement, samples, is_cut_short).ok_or(none)
}

/// Returns the format of the likeliest layout that has one, with those that are nearly as likely as questions.
fn choose_format(
    ranked: &[Candidate],
    statement: Option<&Statement>,
    samples: &[Sample],
    is_cut_short: bool,
) -> Option<Inference> {
    let mut formats: Vec<RenderedFormat> = Vec::new();
    let mut best: Option<&Candidate> = None;
    for ranked in ranked {
        if best.is_some_and(|best| best.is_clearly_better_than(ranked)) || formats.len() > MAX_QUESTIONS {
            continue;
        }
        let Some(format) = render_format(ranked, statement, samples) else {
            continue;
        };
        best = best.or(Some(ranked));
        if formats.iter().all(|other| other.layout != format.layout) {
            formats.push(format);
        }
    }
    let mut formats = formats.into_iter();
    let best = formats.next()?;
    let questions = formats.map(|other| Question {
        lines: first_difference(&best.layout, &other.layout),
        text: other.text,
        sampled_rules: other.sampled_rules,
    });
    let mut notes = best.notes;
    notes.extend(respaced_note(samples));
    let tokens = samples.iter().flat_map(|sample| sample.lines.iter().flatten());
    let largest = tokens.filter_map(|token| parse_integer(token)).max();
    notes.extend(statement.map(|statement| statement_notes(statement, largest)).unwrap_or_default());
    Some(Inference {
        is_cut_short,
        questions: questions.collect(),
        text: best.text,
        sampled_rules: best.sampled_rules,
        has_samples: true,
        notes,
    })
}

/// Returns the format of the lines that a statement describes.
fn infer_from_statement(statement: &Statement) -> Result<Inference, InferError> {
    let ranked = statement.layout.as_ref().and_then(|layout| describe_layout(layout, &[]));
    let found = ranked.and_then(|ranked| choose_format(&[ranked], Some(statement), &[], false));
    let mut found = found.ok_or(InferError::NotDescribed)?;
    found.has_samples = false;
    found.notes.push("there is no sample: the layout is that of the statement, as far as it was understood".to_owned());
    Ok(found)
}

/// Returns the smallest samples, as many as the search can use.
fn smallest_samples(samples: &[Sample]) -> Vec<Sample> {
    let mut chosen: Vec<Sample> = samples.iter().filter(|sample| !sample.lines.is_empty()).cloned().collect();
    chosen.sort_by_key(Sample::token_count);
    let (mut total, mut fitting) = (0, 0);
    for sample in &chosen {
        total += sample.token_count();
        fitting += usize::from(total <= MAX_SEARCHED_TOKENS);
    }
    chosen.truncate(fitting.max(1));
    chosen
}

impl Candidate {
    /// Returns true if another layout is no question. One that only the statement contradicts must differ more.
    fn is_clearly_better_than(&self, other: &Candidate) -> bool {
        let in_samples = i64::from(other.cost) - i64::from(self.cost);
        let difference = if in_samples >= CLEAR_DIFFERENCE { CLEAR_DIFFERENCE } else { CLEAR_BY_STATEMENT };
        other.rank - self.rank >= difference
    }
}

/// Returns the layout with a block of test cases around all lines after the first one, if that is a number that is 1 in all samples.
fn with_single_case(candidate: &Candidate) -> Option<Candidate> {
    let [Node::Line(parts), rest @ ..] = &candidate.nodes[..] else { return None };
    let [Part::Token(cases)] = parts[..] else { return None };
    let is_one = candidate.fields[cases].range == Some((1, 1)) && !size_fields(rest).contains(&cases);
    let block = Node::Block { count: Count::Times(Size::from_field(cases)), body: rest.to_vec() };
    (is_one && rest.len() > 1)
        .then(|| Candidate { nodes: vec![candidate.nodes[0].clone(), block], ..candidate.clone() })
}

/// Gives a candidate the names that a statement has, and the rank among others that it supports.
fn rank_candidate(mut candidate: Candidate, statement: Option<&Statement>) -> Candidate {
    if let Some(statement) = statement.filter(|statement| !statement.names.is_empty()) {
        let (stated, score) = assign_names(&candidate.nodes, &candidate.fields, statement);
        candidate.rank -= i64::from(score);
        for (observed, name) in candidate.fields.iter_mut().zip(&stated) {
            observed.is_word |= name.as_ref().is_some_and(|name| statement.texts.contains(name));
        }
        candidate.stated = stated;
    }
    candidate
}

/// A format for a layout.
struct RenderedFormat {
    text: String,
    /// The lines of the layout.
    layout: Vec<String>,
    sampled_rules: usize,
    notes: Vec<String>,
}

/// Returns the format for a layout, or `None` if it does not accept all samples.
fn render_format(candidate: &Candidate, statement: Option<&Statement>, samples: &[Sample]) -> Option<RenderedFormat> {
    let Candidate { nodes, fields, stated, .. } = candidate;
    let names = choose_names(nodes, fields, stated);
    let valued = statement.map(|statement| with_stated_values(nodes, fields, &names, statement));
    let fields = valued.as_ref().unwrap_or(fields);
    let maker = RuleMaker { nodes, names: &names, fields, is_narrow: statement.is_none() };
    let layout = maker.render_layout();
    let mut draft = FormatDraft::new(&maker, &layout, samples);
    let contested = statement.and_then(|statement| add_stated_rules(&mut draft, &maker, statement));
    let [stated, guessed] = maker.structural_rules(statement);
    stated.into_iter().for_each(|rule| draft.try_rule(rule));
    draft.begin_guesses();
    guessed.into_iter().for_each(|rule| draft.try_rule(rule));
    statement.into_iter().for_each(|statement| draft.try_bounds(maker.loose_bounds(statement)));
    let unbounded = statement.and_then(|_| draft.unbounded_note());
    draft.try_guesses(maker.guesses());
    let (text, sampled_rules) = draft.complete_format()?;
    let missing = statement.map(|statement| missing_conditions(statement, &text, &draft, &maker)).unwrap_or_default();
    let of_statement = [unbounded, contested].into_iter().flatten();
    let doubts = list_doubts(nodes, fields, &names, statement).into_iter().chain(of_statement).collect();
    let notes = [doubts, draft.notes, missing].concat();
    let lines = SyntaxTree { layout, rules: Vec::new() }.to_string().lines().map(str::to_owned).collect();
    Some(RenderedFormat { text, layout: lines, sampled_rules, notes })
}

/// Adds the constraints of a statement to a draft, the surest first, and returns a remark about contested bounds.
fn add_stated_rules(draft: &mut FormatDraft<'_>, maker: &RuleMaker<'_>, statement: &Statement) -> Option<String> {
    let (chains, contested) = with_largest_bounds(&statement.chains, |term| maker.is_known(term));
    maker.stated_chains(&chains).into_iter().for_each(|chain| draft.try_chain(chain));
    maker.stated_sums(statement).into_iter().for_each(|rule| draft.try_rule(rule));
    for (of_all, of_places) in maker.placed_rules(statement) {
        of_all.into_iter().for_each(|chain| draft.try_chain(chain));
        draft.try_rule(of_places);
    }
    contested
}

/// Returns two layouts from the first line in which they differ, each on one line.
fn first_difference(best: &[String], other: &[String]) -> (String, String) {
    let at = best.iter().zip(other).take_while(|(a, b)| a == b).count();
    let rest = |lines: &[String]| match lines.get(at..) {
        None | Some([]) => "the end of the input".to_owned(),
        Some(lines) => lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join("; ").replace(":;", ":"),
    };
    (rest(best), rest(other))
}

/// Returns remarks about the conditions and comparisons of a statement that a format lacks.
fn missing_conditions(
    statement: &Statement,
    format: &str,
    draft: &FormatDraft<'_>,
    maker: &RuleMaker<'_>,
) -> Vec<String> {
    /// Maximum number of sentences that are shown.
    const MAX_SENTENCES: usize = 6;
    let rules: Vec<&str> = format.lines().skip_while(|line| *line != "where:").skip(1).collect();
    let pairs = draft.accepted_pairs();
    let is_stated = |pair: &ComparedPair| pairs.contains(pair) || draft.is_noted(pair);
    let sums = |condition: &StatedCondition| {
        let is_summed = |name: &String| rules.iter().any(|rule| rule.contains("sum(") && rule.contains(name.as_str()));
        condition.is_only_sum() && condition.names.iter().any(is_summed)
    };
    let is_missing = |condition: &&StatedCondition| {
        // A promise is about the input, whatever its names are but those of places: `for 2 <= i <= n`.
        let is_place = |term: &SyntaxTerm| maker.is_variable(&term.to_string());
        let is_about_input = |pair: &ComparedPair| {
            condition.has_kind("promise") && !is_place(&pair.0) && !is_place(&pair.2) || maker.is_compared(pair)
        };
        let has_chain = |chain: &ComparisonChain| {
            let pairs = compared_pairs(&maker.without_absolute_values(chain.clone()));
            // A comparison of elements by their places is a rule of its own.
            let is_rule = |(left, sign, right): &ComparedPair| {
                let is_placed = has_element(left) || has_element(right);
                let left = if is_placed { format!(":{left}") } else { "]".to_owned() };
                let placed = format!("{left}{sign}{right}").replace(' ', "");
                let mut rules = rules.iter().map(|rule| rule.replace(' ', ""));
                rules.any(|rule| rule.starts_with("forall") && rule.ends_with(&placed))
            };
            pairs.iter().all(|pair| is_stated(pair) || is_rule(pair) || !is_about_input(pair))
        };
        // A story that names no field is about something else: `only 6 distinct orientations`.
        let is_about_fields =
            !condition.is_aside || condition.names.iter().any(|name| maker.field_named(name).is_some());
        is_about_fields && !sums(condition) && !condition.is_expressed(&rules, has_chain)
    };
    let missing: Vec<&StatedCondition> = statement.conditions.iter().filter(is_missing).collect();
    let shown = missing.iter().take(MAX_SENTENCES).map(|condition| &condition.sentence);
    let mut notes: Vec<String> =
        shown.map(|sentence| format!("the format may lack a condition of the statement: {sentence}")).collect();
    let more = missing.len().saturating_sub(MAX_SENTENCES);
    notes.extend((more > 0).then(|| format!("the format may lack the conditions of {more} more sentences")));
    notes
}

/// Returns remarks about the reading of a statement. `largest` is the largest number of the samples.
fn statement_notes(statement: &Statement, largest: Option<i128>) -> Vec<String> {
    let long = "the statement is long: only its first 5,000 words and signs were read";
    let read: Vec<String> = statement.powers.iter().map(|(shown, power)| format!("`{shown}` as {power}")).collect();
    let is_confirmed = statement.powers.iter().any(|(shown, _)| parse_integer(shown) < largest);
    let confirmation = if is_confirmed { "; a sample has a larger number, which confirms it" } else { "" };
    let read_as = format!("the text has no powers, as if they were lost in copying: read {}", list_and(&read));
    let powers = (!read.is_empty()).then(|| read_as + confirmation);
    let mathml = "the formulas of the page are MathML, which is not read: paste its text instead";
    let unread = [(statement.is_cut_short, long), (statement.has_only_mathml, mathml)];
    unread.into_iter().filter(|(is_unread, _)| *is_unread).map(|(_, note)| note.to_owned()).chain(powers).collect()
}

fn respaced_note(samples: &[Sample]) -> Option<String> {
    let respaced = samples.iter().filter(|sample| sample.is_respaced).map(|sample| format!("`{}`", sample.name));
    let names = list_and(&respaced.collect::<Vec<_>>());
    (!names.is_empty()).then(|| format!("white space was ignored at the ends of lines or between tokens in {names}"))
}

/// Returns remarks about the parts of a layout that only few or equal samples support. `names` are those of the fields.
fn list_doubts(nodes: &[Node], fields: &[Observation], names: &[String], statement: Option<&Statement>) -> Vec<String> {
    let is_stated = |field: FieldIndex| {
        let is_number_of_cases = |stated: &Statement| field == 0 && stated.mentions_kind("case");
        statement.is_some_and(|stated| stated.has_size(&names[field]) || is_number_of_cases(stated))
    };
    let quoted = |is_doubtful: &dyn Fn(FieldIndex) -> bool| {
        let doubtful = (0..fields.len()).filter(|field| is_doubtful(*field)).map(|field| format!("`{}`", names[field]));
        list_and(&doubtful.collect::<Vec<_>>())
    };
    let sizes = size_fields(nodes);
    // The length of a text is that of a size, or taken from the samples.
    let is_sized = |field: FieldIndex| {
        parts_of(nodes)
            .into_iter()
            .any(|part| matches!(part, Part::Text(other, _) | Part::Phrase(other) if *other == field))
    };
    let forms =
        all_nodes(nodes).into_iter().flat_map(|node| if let Node::Either(forms) = node { &forms[..] } else { &[] });
    let tags: Vec<String> = forms.map(|form| format!("`{}`", form.tag)).collect();
    let doubts = [
        // Such a size may equal the number of lines or tokens by chance.
        (
            quoted(&|field| sizes.contains(&field) && fields[field].tokens.len() == 1 && !is_stated(field)),
            "the samples have only one value of NAMES, a size by chance perhaps: more samples would show it",
        ),
        (
            quoted(&|field| fields[field].is_letter() && !is_sized(field)),
            "the samples have only words of one character for NAMES: longer ones are not accepted",
        ),
        (
            quoted(&|field| fields[field].is_text() && fields[field].letters.is_empty()),
            "no sample shows which letters there are: the letters of NAMES are a guess",
        ),
        (quoted(&|field| fields[field].has_guessed_decimals), "the number of decimals of NAMES is a guess"),
        (list_or(&tags), "the samples have only lines that begin with NAMES: others are not accepted"),
    ];
    let doubts = doubts.into_iter().filter(|(names, _)| !names.is_empty());
    doubts.map(|(names, doubt)| doubt.replace("NAMES", &names)).collect()
}

/// Returns the layout that a statement shows if it fits all samples, of which there may be none. Its cost is zero.
fn describe_layout(shown: &StatedLayout, samples: &[Sample]) -> Option<Candidate> {
    let mut state = SearchState::new(samples);
    state.add_fields(shown.names.len());
    if !shown.nodes.iter().all(|node| state.push_node(node.clone(), samples)) || !state.is_complete(samples) {
        return None;
    }
    shown.words.iter().for_each(|field| state.fields[*field].is_word = true);
    let stated = shown.names.iter().cloned().map(Some).collect();
    Some(Candidate { rank: 0, stated, ..complete_candidate(state) })
}
