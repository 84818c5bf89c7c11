//! Wrong opinions of validators and checkers.

use crate::report::page::Page;
use crate::report::styled_line::{StyledLine, TextStyle};
use rebut_diagnostics::{count_with_noun, list_and};
use rebut_engine::event::{ProbeSummary, SmallOutputSummary, ValidatorExposure};

/// Returns a wrong opinion.
pub(crate) fn exposure_page<'a>(exposed: &ValidatorExposure) -> Page<'a> {
    let ValidatorExposure { validator, what, failure, is_refused, is_lenient, .. } = exposed;
    let names = exposed.listed_names();
    let head = match (failure, is_refused) {
        (None, false) => format!("`{validator}` accepts {names}: "),
        (None, true) => format!("`{validator}`, {names}: "),
        (Some(failure), _) => format!("`{validator}`: {failure}, given {names}: "),
    };
    let style = if failure.is_none() && !is_lenient { TextStyle::Failure } else { TextStyle::Warning };
    let word = if *is_lenient { "warning" } else { "exposed" };
    let mut page = Page::default();
    page.add_note(StyledLine::from_label(0, style, word, "  "), head + what);
    page
}

/// Returns how much was tried, and the number of wrong opinions.
pub(crate) fn probe_summary<'a>(probed: &ProbeSummary) -> Page<'a> {
    let mut page = Page::default();
    let what = [(probed.inputs, "input"), (probed.answers, "answer"), (probed.outputs, "output")];
    let what: Vec<String> = what.iter().filter(|(n, _)| *n > 0).map(|(n, noun)| count_with_noun(*n, noun)).collect();
    let (style, word, mut text) = match probed.exposed {
        0 if what.is_empty() => return page,
        0 => (TextStyle::Success, "OK", format!("validators and checker are right about {}", list_and(&what))),
        exposed => (
            TextStyle::Failure,
            "FAIL",
            format!("{} on {}", count_with_noun(exposed, "wrong decision"), list_and(&what)),
        ),
    };
    if probed.lenient > 0 {
        text.push_str(", except for the warnings above (errors with `--strict`)");
    }
    page.add_note(StyledLine::from_label(0, style, word, "  "), text);
    let SmallOutputSummary { cases, outputs, accepted, examples } = &probed.small_outputs;
    if *cases > 0 {
        let tried = format!("{} on {}", count_with_noun(*outputs, "small output"), count_with_noun(*cases, "input"));
        let some = list_and(examples);
        let (style, word, text) = if *accepted == 0 {
            (TextStyle::Success, "OK", format!("of {tried}, the checker accepts none but the answers"))
        } else if accepted == outputs {
            let text = format!("the checker accepts each of {tried}, such as {some}: does it refuse anything?");
            (TextStyle::Warning, "warning", text)
        } else {
            // A checker that ignores the answer cannot contradict itself.
            let text = format!("of {tried}, the checker accepts {accepted}: are {some} right?");
            (TextStyle::Dim, "look", text + " It does not contradict itself")
        };
        page.add_note(StyledLine::from_label(0, style, word, "  "), text);
    }
    page
}
