//! The inferred format: the most likely layout, its constraints, and the questions that are left.

use crate::doubts::list_doubts;
use crate::names::{assign_names, choose_names};
use crate::render::LayoutRenderer;
use crate::rules::{RuleMaker, most_repetitions};
use crate::sample::Sample;
use crate::search::{Candidate, find_layouts};
use crate::statement::Statement;
use rebut_diagnostics::SourceText;
use rebut_format::language::Format;
use rebut_format::read::read_input;
use rebut_format::syntax::{SyntaxRule, SyntaxTree};
use rebut_format::validate::find_violation;
use std::fmt;

/// How much longer the description of another layout must be for it not to be a question, in tenths of bits.
const CLEAR_DIFFERENCE: i64 = 50;
/// The same for a layout that fits the samples nearly as well, and that only a statement contradicts.
const CLEAR_BY_STATEMENT: i64 = 70;
/// Maximum number of questions.
const MAX_QUESTIONS: usize = 4;
/// Number of tokens of samples, the smallest first, that layouts are searched with. All samples are read by the result.
const MAX_SEARCHED_TOKENS: usize = 1_500;
/// How much a point of the score of the names in a statement counts, in tenths of bits.
const SCORE_WEIGHT: i64 = 1;

/// An inferred format.
#[derive(Clone, Debug)]
pub struct Inference {
    /// The text of the format. It accepts every sample.
    pub text: String,
    /// Other formats that are nearly as likely, the likeliest first.
    pub questions: Vec<Question>,
    /// The number of constraints at the end of the text that only the samples support, such as ranges of numbers.
    pub sampled_rules: usize,
    /// True if the search for layouts was cut short: another one may describe the samples better.
    pub is_cut_short: bool,
    /// Remarks for the user: open decisions, bounds that the samples contradict, white space that was
    /// ignored.
    pub notes: Vec<String>,
}

impl Inference {
    /// Returns the text of the format with a comment above the bounds that only the samples support.
    pub fn commented_text(&self) -> String {
        let stated = self.text.lines().count().saturating_sub(self.sampled_rules);
        let mut text = String::new();
        for (at, line) in self.text.lines().enumerate() {
            if at == stated {
                text.push_str(
                    "    # ranges around the numbers of the samples: replace them by those of the statement\n",
                );
            }
            text.push_str(line);
            text.push('\n');
        }
        text
    }
}

/// A format that fits the samples as well, but means something else.
#[derive(Clone, Debug)]
pub struct Question {
    /// The inferred layout and the other one, from the first line in which they differ.
    pub lines: (String, String),
    /// The text of the other format.
    pub text: String,
}

/// Why no format was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InferError {
    /// There are no samples, or all are empty.
    NoSamples,
    /// No layout that can be expressed fits all samples.
    NoLayout,
}

impl fmt::Display for InferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            InferError::NoSamples => "there is no sample input, or it is empty",
            InferError::NoLayout => "no simple layout fits all samples",
        })
    }
}

impl std::error::Error for InferError {}

/// Infers the format of some inputs. A statement, of any markup, is used for names, bounds and the choice among layouts.
///
/// # Errors
/// Returns an error if there are no samples, or if no layout fits all of them.
pub fn infer_format(samples: &[Sample], statement: Option<&str>) -> Result<Inference, InferError> {
    if samples.iter().all(|sample| sample.lines.is_empty()) {
        return Err(InferError::NoSamples);
    }
    let statement = statement.map(Statement::parse);
    let searched = smallest_samples(samples);
    let layouts = find_layouts(&searched);
    let mut ranked: Vec<RankedCandidate> =
        layouts.candidates.into_iter().map(|candidate| rank_candidate(candidate, statement.as_ref())).collect();
    ranked.sort_by_key(|ranked| ranked.cost);
    let mut formats: Vec<RenderedFormat> = Vec::new();
    let mut best: Option<&RankedCandidate> = None;
    for ranked in &ranked {
        if best.is_some_and(|best| best.is_clearly_better_than(ranked)) || formats.len() > MAX_QUESTIONS {
            continue;
        }
        let Some(format) = render_format(&ranked.candidate, &ranked.stated, statement.as_ref(), samples) else {
            continue;
        };
        best = best.or(Some(ranked));
        if formats.iter().all(|other| other.layout != format.layout) {
            formats.push(format);
        }
    }
    let mut formats = formats.into_iter();
    let best = formats.next().ok_or(InferError::NoLayout)?;
    let questions =
        formats.map(|other| Question { lines: first_difference(&best.layout, &other.layout), text: other.text });
    let mut notes = best.notes;
    notes.extend(respaced_note(samples));
    if statement.is_some_and(|statement| statement.has_huge_number) {
        notes.push("the statement has a number of more than 36 digits: numbers of a format are smaller".to_owned());
    }
    Ok(Inference {
        is_cut_short: layouts.is_cut_short,
        questions: questions.collect(),
        text: best.text,
        sampled_rules: best.sampled_rules,
        notes,
    })
}

/// Returns the smallest samples, as many as the search can use.
fn smallest_samples(samples: &[Sample]) -> Vec<Sample> {
    let mut sorted: Vec<&Sample> = samples.iter().filter(|sample| !sample.lines.is_empty()).collect();
    sorted.sort_by_key(|sample| sample.token_count());
    let mut total = 0;
    let mut chosen = Vec::new();
    for sample in sorted {
        total += sample.token_count();
        if !chosen.is_empty() && total > MAX_SEARCHED_TOKENS {
            break;
        }
        chosen.push(sample.clone());
    }
    chosen
}

/// A candidate in the light of a statement.
struct RankedCandidate {
    /// Description length less what the statement supports, in tenths of bits.
    cost: i64,
    candidate: Candidate,
    /// The names that the statement has for the fields.
    stated: Vec<Option<String>>,
}

impl RankedCandidate {
    /// Returns true if another layout is so much less likely that it is no question. A layout that only the
    /// statement contradicts must differ more clearly, because statements are understood in part.
    fn is_clearly_better_than(&self, other: &RankedCandidate) -> bool {
        let in_samples = i64::from(other.candidate.cost) - i64::from(self.candidate.cost);
        let difference = if in_samples >= CLEAR_DIFFERENCE { CLEAR_DIFFERENCE } else { CLEAR_BY_STATEMENT };
        other.cost - self.cost >= difference
    }
}

fn rank_candidate(candidate: Candidate, statement: Option<&Statement>) -> RankedCandidate {
    let cost = i64::from(candidate.cost);
    match statement.filter(|statement| !statement.names.is_empty()) {
        Some(statement) => {
            let naming = assign_names(&candidate.nodes, &candidate.fields, statement);
            RankedCandidate { cost: cost - SCORE_WEIGHT * i64::from(naming.score), candidate, stated: naming.stated }
        }
        None => RankedCandidate { cost, stated: vec![None; candidate.fields.len()], candidate },
    }
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
fn render_format(
    candidate: &Candidate,
    stated: &[Option<String>],
    statement: Option<&Statement>,
    samples: &[Sample],
) -> Option<RenderedFormat> {
    let names = choose_names(&candidate.nodes, &candidate.fields, stated);
    let renderer = LayoutRenderer {
        names: &names,
        fields: &candidate.fields,
        most_repetitions: most_repetitions(&candidate.nodes),
    };
    let layout = renderer.render_layout(&candidate.nodes);
    let maker = RuleMaker { nodes: &candidate.nodes, names: &names, fields: &candidate.fields };
    let kinds = maker.field_kinds();
    let base = |stated: &[SyntaxRule], sampled: Vec<SyntaxRule>| {
        let rules = kinds.iter().chain(stated).cloned().chain(sampled).collect();
        SyntaxTree { layout: layout.clone(), rules }
    };
    let mut notes = list_doubts(&candidate.nodes, &candidate.fields, &names);
    let (mut accepted, mut sides): (Vec<SyntaxRule>, Vec<_>) = (Vec::new(), Vec::new());
    let mut wanted: Vec<(SyntaxRule, Vec<_>)> = Vec::new();
    if let Some(statement) = statement {
        let chains = maker.stated_chains(statement);
        wanted.extend(chains.into_iter().map(|chain| {
            let sides = RuleMaker::stated_sides(&chain);
            (SyntaxRule::Chain(chain), sides)
        }));
        wanted.extend(maker.stated_sums(statement).into_iter().map(|rule| (rule, Vec::new())));
    }
    wanted.extend(maker.structural_rules(statement).into_iter().map(|rule| (rule, Vec::new())));
    for (rule, rule_sides) in wanted {
        let (stated, all_sides) =
            ([&accepted[..], std::slice::from_ref(&rule)].concat(), [&sides[..], &rule_sides].concat());
        let tree = base(&stated, maker.sampled_ranges(&all_sides));
        match accepts_samples(&tree.to_string(), samples) {
            Acceptance::Accepted => (accepted, sides) = (stated, all_sides),
            Acceptance::Refused if matches!(rule, SyntaxRule::Chain(_)) => {
                let text = SyntaxTree { layout: Vec::new(), rules: vec![rule] }.to_string();
                let text = text.lines().last().unwrap_or_default().trim().to_owned();
                notes.push(format!("a sample contradicts `{text}`, so it was left out"));
            }
            _ => {}
        }
    }
    let sampled = maker.sampled_ranges(&sides);
    let sampled_rules = sampled.len();
    let text = base(&accepted, sampled).to_string();
    if accepts_samples(&text, samples) != Acceptance::Accepted {
        return None;
    }
    let lines = SyntaxTree { layout, rules: Vec::new() }.to_string().lines().map(str::to_owned).collect();
    Some(RenderedFormat { text, layout: lines, sampled_rules, notes })
}

/// Whether a format accepts all samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Acceptance {
    Accepted,
    /// A sample is no input of the format.
    Refused,
    /// The text is no format.
    Invalid,
}

fn accepts_samples(text: &str, samples: &[Sample]) -> Acceptance {
    let Ok((format, _)) = Format::parse(&SourceText::new("inferred", text.as_bytes())) else {
        return Acceptance::Invalid;
    };
    let is_accepted = samples.iter().filter(|sample| !sample.lines.is_empty()).all(|sample| {
        read_input(&format, &sample.to_bytes()).is_ok_and(|value| find_violation(&format, &value).is_none())
    });
    if is_accepted { Acceptance::Accepted } else { Acceptance::Refused }
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

fn respaced_note(samples: &[Sample]) -> Option<String> {
    let respaced: Vec<String> =
        samples.iter().filter(|sample| sample.is_respaced).map(|sample| format!("`{}`", sample.name)).collect();
    (!respaced.is_empty()).then(|| {
        format!(
            "white space was ignored at the ends of lines or between tokens in {}",
            rebut_diagnostics::list_and(&respaced)
        )
    })
}
