//! Lowering of strings and regular expressions, which can contain spaces and line feeds, to the tokens of lines.

use super::constants::ScriptConstants;
use super::patterns::{Pattern, PatternPiece};
use super::script::{ScriptExpr, ScriptStep, ScriptStepKind, ScriptVariable};
use rebut_diagnostics::Span;

/// Lowers the strings and expressions of all steps.
pub(super) fn lower_steps(steps: Vec<ScriptStep>, constants: &ScriptConstants) -> Vec<ScriptStep> {
    let lower = |steps: &mut Vec<ScriptStep>| *steps = lower_steps(std::mem::take(steps), constants);
    let mut found = Vec::new();
    for mut step in steps {
        match &mut step.kind {
            ScriptStepKind::Text(expr) => {
                let text = constants.evaluate_text(expr).ok_or("it contains a string that is not constant");
                found.extend(lower_pattern(text.map(|text| Pattern::from_literal(&text)), None, step.span));
                continue;
            }
            ScriptStepKind::Regex(expr, name) => {
                let pattern = parse_pattern(expr, constants);
                found.extend(lower_pattern(pattern, name.take(), step.span));
                continue;
            }
            ScriptStepKind::Loop(inner) => {
                lower(&mut inner.separator);
                lower(&mut inner.body);
            }
            ScriptStepKind::If { then, otherwise, .. } => {
                lower(then);
                lower(otherwise);
            }
            _ => {}
        }
        found.push(step);
    }
    found
}

fn parse_pattern(expr: &ScriptExpr, constants: &ScriptConstants) -> Result<Pattern, String> {
    let text = constants.evaluate_text(expr).ok_or("it contains a regular expression that is not constant")?;
    Pattern::parse(&text).map_err(|why| format!("it contains an invalid regular expression: {why}"))
}

/// Splits a pattern into tokens, and the spaces and line feeds between them.
fn lower_pattern(
    pattern: Result<Pattern, impl Into<String>>,
    name: Option<ScriptVariable>,
    span: Span,
) -> Vec<ScriptStep> {
    let pieces = match pattern {
        Ok(pattern) => pattern.split_at_blanks(),
        Err(why) => return vec![ScriptStep { kind: ScriptStepKind::Inexpressible(why.into()), span }],
    };
    let is_single = pieces.len() == 1;
    let kind = |piece| match piece {
        PatternPiece::Space => Some(ScriptStepKind::Space),
        PatternPiece::Newline => Some(ScriptStepKind::Newline),
        PatternPiece::Token(token) => match token.enumerate_words(1).and_then(|mut words| words.pop()) {
            Some(text) if text.is_empty() => None,
            Some(text) if text.iter().all(u8::is_ascii_graphic) && (name.is_none() || !is_single) => {
                Some(ScriptStepKind::Literal(text))
            }
            _ => Some(ScriptStepKind::Token(token, name.clone().filter(|_| is_single))),
        },
    };
    let mut kinds: Vec<ScriptStepKind> = pieces.into_iter().filter_map(kind).collect();
    kinds.extend(name.clone().filter(|_| !is_single).map(ScriptStepKind::ForgetVariable));
    kinds.into_iter().map(|kind| ScriptStep { kind, span }).collect()
}
