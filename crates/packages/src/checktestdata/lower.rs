//! Lowering of strings and regular expressions, which can contain spaces and line feeds, to the tokens of lines.

use super::constants::ScriptConstants;
use super::patterns::{Pattern, PatternPiece};
use super::script::{Step, StepKind};
use super::term::{Term, Variable};
use rebut_diagnostics::Span;

/// Lowers the strings and expressions of all steps.
pub(super) fn lower_steps(steps: Vec<Step>, constants: &ScriptConstants) -> Vec<Step> {
    let lower = |steps: &mut Vec<Step>| *steps = lower_steps(std::mem::take(steps), constants);
    let mut found = Vec::new();
    for mut step in steps {
        match &mut step.kind {
            StepKind::Text(expr) => {
                let text = constants.evaluate_text(expr).ok_or("it contains a string that is not constant");
                found.extend(lower_pattern(text.map(|text| Pattern::from_literal(&text)), None, step.span));
                continue;
            }
            StepKind::Regex(expr, name) => {
                let pattern = parse_pattern(expr, constants);
                found.extend(lower_pattern(pattern, name.take(), step.span));
                continue;
            }
            StepKind::Loop(inner) => {
                lower(&mut inner.separator);
                lower(&mut inner.body);
            }
            StepKind::If { then, otherwise, .. } => {
                lower(then);
                lower(otherwise);
            }
            _ => {}
        }
        found.push(step);
    }
    found
}

fn parse_pattern(term: &Term, constants: &ScriptConstants) -> Result<Pattern, String> {
    let text = constants.evaluate_text(term).ok_or("it contains a regular expression that is not constant")?;
    Pattern::parse(&text).map_err(|why| format!("it contains an invalid regular expression: {why}"))
}

/// Splits a pattern into tokens, and the spaces and line feeds between them.
fn lower_pattern(pattern: Result<Pattern, impl Into<String>>, name: Option<Variable>, span: Span) -> Vec<Step> {
    let pieces = match pattern {
        Ok(pattern) => pattern.split_at_blanks(),
        Err(why) => return vec![Step { kind: StepKind::Inexpressible(why.into()), span }],
    };
    let is_single = pieces.len() == 1;
    let kind = |piece| match piece {
        PatternPiece::Space => Some(StepKind::Space),
        PatternPiece::Newline => Some(StepKind::Newline),
        PatternPiece::Token(token) => match token.enumerate_words(1).and_then(|mut words| words.pop()) {
            Some(text) if text.is_empty() => None,
            Some(text) if text.iter().all(u8::is_ascii_graphic) && (name.is_none() || !is_single) => {
                Some(StepKind::Literal(text))
            }
            _ => Some(StepKind::Token(token, name.clone().filter(|_| is_single))),
        },
    };
    let mut kinds: Vec<StepKind> = pieces.into_iter().filter_map(kind).collect();
    kinds.extend(name.clone().filter(|_| !is_single).map(StepKind::ForgetVariable));
    kinds.into_iter().map(|kind| Step { kind, span }).collect()
}
