//! What a line of the input contains, or which form it has.

use super::markup::typewriter;
use super::{Author, list_and, math};
use crate::format::{Dimension, Expr, FieldId, Linear, Part, Token};

/// The fields on a line.
pub(super) fn fields_of(parts: &[Part]) -> Vec<FieldId> {
    let field = |part: &Part| match part.token {
        Token::Field(field) => Some(field),
        Token::Literal(_) => None,
    };
    parts.iter().filter_map(field).collect()
}

/// Whether more than fields apart from each other stands on a line.
fn has_form(parts: &[Part]) -> bool {
    parts.iter().any(|part| part.glued || matches!(part.token, Token::Literal(_)))
}

impl Author<'_> {
    /// `contains two integers $n$ and $m$ ($1 \le n, m \le 9$)`, or `has the form ...`
    pub(super) fn says(&mut self, parts: &[Part], alone: bool) -> String {
        match has_form(parts) {
            true => format!("has the form {}", self.form(parts)),
            false => format!("contains {}", self.contents(parts, alone)),
        }
    }

    /// A line as one of several alternatives.
    pub(super) fn alternative(&mut self, parts: &[Part]) -> String {
        if has_form(parts) { self.form(parts) } else { self.contents(parts, true) }
    }

    /// What stands on a line of fields.
    fn contents(&mut self, parts: &[Part], alone: bool) -> String {
        let fields = fields_of(parts);
        let nouns = self.nouns(&fields);
        let alone = alone && nouns.len() == 1;
        let phrases: Vec<String> = nouns.iter().map(|noun| noun.contained(alone)).collect();
        let text = match &*phrases {
            [first, middle @ .., last] if !middle.is_empty() => {
                format!("{first}, then {}, and then {last}", middle.join(", then "))
            }
            [first, last] => format!("{first}, followed by {last}"),
            _ => phrases.concat(),
        };
        let bounds = self.bounds(&fields);
        text + &bounds
    }

    /// The look of a line, and what the names in it are.
    fn form(&mut self, parts: &[Part]) -> String {
        let mut look = String::new();
        for (i, part) in parts.iter().enumerate() {
            if i > 0 && !part.glued {
                look.push_str("\\ ");
            }
            match &part.token {
                Token::Literal(text) => look.push_str(&typewriter(text)),
                Token::Field(field) => {
                    let info = self.format.field(*field);
                    let outer = info.dimensions.len() - usize::from(info.letters().is_some());
                    let text = match outer {
                        0 => self.maths.name(*field),
                        _ => self.elements(*field, outer).replace(", ", "\\ "),
                    };
                    look.push_str(&text);
                }
            }
        }
        let fields = fields_of(parts);
        let clauses: Vec<String> = self.nouns(&fields).iter().map(super::nouns::Noun::clause).collect();
        let bounds = self.bounds(&fields);
        match clauses.is_empty() {
            true => math(&look),
            false => format!("{}, where {}{bounds}", math(&look), list_and(&clauses)),
        }
    }

    /// When a line holds nothing at all.
    pub(super) fn may_be_empty(&self, parts: &[Part]) -> Option<String> {
        let [Part { token: Token::Field(field), .. }] = parts else { return None };
        let info = self.format.field(*field);
        let Some(Dimension::Size(size)) = info.dimensions.first() else { return None };
        let linear = Linear::of(size)?;
        let mut factors = linear.factors.iter();
        let (Some((sizing, 1)), None) = (factors.next(), factors.next()) else { return None };
        let least = self.format.field(*sizing).range.lo + linear.constant;
        (least <= 0).then(|| format!(" If {}, this line is empty.", math(&format!("{} = 0", self.maths.expr(size)))))
    }
}

/// Whether an expression is always one.
pub(super) fn is_one(expr: &Expr) -> bool {
    *expr == Expr::Constant(1)
}
