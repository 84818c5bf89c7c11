//! The contents or the form of a line of the input.

use super::StatementWriter;
use super::markup::typewriter_tex;
use crate::constraints::inline_math;
use crate::language::{Expr, FieldDimension, FieldId, LinePart, LineToken, LinearSum};
use rebut_diagnostics::list_and;

/// Returns the fields on a line.
pub(super) fn fields_on_line(parts: &[LinePart]) -> Vec<FieldId> {
    let field = |part: &LinePart| match part.token {
        LineToken::Field(field) => Some(field),
        LineToken::Literal(_) => None,
    };
    parts.iter().filter_map(field).collect()
}

/// Returns true if a line has literals or glued parts, so that its form must be shown.
fn has_form(parts: &[LinePart]) -> bool {
    parts.iter().any(|part| part.is_glued || matches!(part.token, LineToken::Literal(_)))
}

/// Returns true for `""`, which is an empty line.
fn is_empty_line(parts: &[LinePart]) -> bool {
    matches!(parts, [LinePart { token: LineToken::Literal(text), .. }] if text.is_empty())
}

impl StatementWriter<'_> {
    /// Returns `contains two integers $n$ and $m$ ($1 \le n, m \le 9$)`, or `has the form ...`.
    pub(super) fn line_predicate(&mut self, parts: &[LinePart], alone: bool) -> String {
        match has_form(parts) {
            true if is_empty_line(parts) => "is empty".to_owned(),
            true => format!("has the form {}", self.line_form(parts)),
            false => format!("contains {}", self.line_contents(parts, alone)),
        }
    }

    /// Returns the text for a line that is one of several alternatives.
    pub(super) fn alternative_text(&mut self, parts: &[LinePart]) -> String {
        if has_form(parts) { self.line_form(parts) } else { self.line_contents(parts, true) }
    }

    /// Returns the contents of a line of fields.
    fn line_contents(&mut self, parts: &[LinePart], alone: bool) -> String {
        let fields = fields_on_line(parts);
        let nouns = self.noun_phrases(&fields);
        let alone = alone && nouns.len() == 1;
        let phrases: Vec<String> = nouns.iter().map(|noun| noun.to_introduction(alone)).collect();
        let text = match &*phrases {
            [first, middle @ .., last] if !middle.is_empty() => {
                format!("{first}, then {}, and then {last}", middle.join(", then "))
            }
            [first, last] => format!("{first}, followed by {last}"),
            _ => phrases.concat(),
        };
        let bounds = self.state_bounds(&fields);
        text + &bounds
    }

    /// Returns the form of a line, and the meaning of the names in it.
    fn line_form(&mut self, parts: &[LinePart]) -> String {
        let mut look = String::new();
        for (i, part) in parts.iter().enumerate() {
            if i > 0 && !part.is_glued {
                look.push_str("\\ ");
            }
            match &part.token {
                LineToken::Literal(text) => look.push_str(&typewriter_tex(text)),
                LineToken::Field(field) => {
                    let info = self.format.field(*field);
                    let outer = info.dimensions.len() - usize::from(info.alphabet().is_some());
                    let text = match outer {
                        0 => self.tex.field_name(*field),
                        _ => self.list_elements(*field, outer).replace(", ", "\\ "),
                    };
                    look.push_str(&text);
                }
            }
        }
        let fields = fields_on_line(parts);
        let clauses: Vec<String> =
            self.noun_phrases(&fields).iter().map(super::noun_phrases::NounPhrase::to_clause).collect();
        let bounds = self.state_bounds(&fields);
        match clauses.is_empty() {
            true => inline_math(&look),
            false => format!("{}, where {}{bounds}", inline_math(&look), list_and(&clauses)),
        }
    }

    /// Returns a note on when a line is empty.
    pub(super) fn empty_line_note(&self, parts: &[LinePart]) -> Option<String> {
        let [LinePart { token: LineToken::Field(field), .. }] = parts else { return None };
        let info = self.format.field(*field);
        let Some(FieldDimension::Size(size)) = info.dimensions.first() else { return None };
        let linear = LinearSum::from_expr(size)?;
        let mut factors = linear.factors.iter();
        let (Some((sizing, 1)), None) = (factors.next(), factors.next()) else { return None };
        let least = self.format.field(*sizing).range.lo + linear.constant;
        (least <= 0).then(|| {
            format!(" If {}, this line is empty.", inline_math(&format!("{} = 0", self.tex.expression_tex(size))))
        })
    }
}

/// Returns true if an expression is the constant 1.
pub(super) fn is_constant_one(expr: &Expr) -> bool {
    *expr == Expr::Constant(1)
}
