//! Wrong opinions of validators and checkers.

use maud::{Markup, html};
use rebut_diagnostics::count_with_noun;
use rebut_engine::event::{ProbeSummary, ValidatorExposure};

/// Renders the wrong opinions, and how much was tried.
pub(super) fn render_exposures(exposures: &[ValidatorExposure], probed: Option<&ProbeSummary>, id: &str) -> Markup {
    if exposures.is_empty() && probed.is_none_or(|probed| probed.inputs + probed.answers + probed.outputs == 0) {
        return html! {};
    }
    html! {
        h3 id={ (id) "-opinions" } { "Validators and checker" }
        @if let Some(probed) = probed {
            p {
                "Tried on " (count_with_noun(probed.inputs, "input")) ", " (count_with_noun(probed.answers, "answer"))
                " and " (count_with_noun(probed.outputs, "output")) ": "
                (count_with_noun(probed.exposed, "wrong opinion")) ", " (probed.lenient) " only lenient."
            }
        }
        @if !exposures.is_empty() {
            ul.plain { @for exposed in exposures { li { (render_exposure(exposed)) } } }
        }
    }
}

fn render_exposure(exposed: &ValidatorExposure) -> Markup {
    let verb = if exposed.is_refused { "refuses" } else { "accepts" };
    html! {
        @if exposed.is_lenient { span.mark { "lenient" } } @else { span.mark.bad { "\u{2717} wrong" } }
        " " code { (exposed.validator) } " "
        @if let Some(failure) = &exposed.failure { (failure) } @else { (verb) " " (exposed.listed_names()) }
        ": " (exposed.what)
    }
}
