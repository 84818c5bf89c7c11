//! `distinct(s)` of texts: the rows of a field, or the texts of all instances of a block.

use super::matches::collect_texts;
use super::{
    AggregateResult, BreachNames, BrokenConstraint, ConstraintKind, DistinctTuple, Phrases, RulePart, in_words,
    inline_math,
};
use crate::model::{BlockId, ConstraintRule, DistinctTextsConstraint, Expr, FieldId, FoldRange, Format};
use crate::value::{EvalError, ValueScope, visit_occurrences};
use rebut_diagnostics::shorten_text;
use std::borrow::Cow;
use std::collections::HashSet;

impl ConstraintKind for DistinctTextsConstraint {
    fn named_field(&self) -> Option<FieldId> {
        Some(self.field)
    }

    fn range(&self) -> Option<FoldRange> {
        Some(self.over)
    }

    fn check<'f>(&'f self, scope: &ValueScope<'_>) -> Result<BrokenConstraint<'f>, EvalError> {
        in_words(find_repeated_text(self.field, self.over, scope))
    }

    fn counts_texts(&self) -> bool {
        true
    }

    fn is_costly(&self) -> bool {
        true
    }

    fn distinct_tuple(&self, block: BlockId) -> Option<DistinctTuple<'_>> {
        let is_tuple = self.over == FoldRange::Instances(block);
        is_tuple.then_some(DistinctTuple { parts: &[], text: Some(self.field) })
    }

    fn sentence(&self, phrases: &dyn Phrases, _: &str) -> String {
        let outer = phrases.format().field(self.field).dimensions.len() - 1;
        match self.over {
            FoldRange::Elements => {
                format!("The strings {} are pairwise distinct.", inline_math(&phrases.element_list(self.field, outer)))
            }
            FoldRange::Instances(_) | FoldRange::Occurrences(_) => {
                let name = phrases.field_tex(self.field);
                phrases.no_two_sentence(self.over, &[Expr::Field(self.field)], "string", &name)
            }
        }
    }

    fn exported_parts(&self) -> Vec<RulePart<'_>> {
        vec![RulePart::Word("distinct texts"), RulePart::Field(self.field), RulePart::Range(self.over)]
    }

    fn breach_name(&self, names: &BreachNames<'_>) -> String {
        format!("{}-not-distinct", names.field_name(self.field))
    }
}

impl Format {
    /// Returns true if the rows of a text must be distinct.
    pub(crate) fn requires_distinct_rows(&self, field: FieldId) -> bool {
        let wanted = ConstraintRule::from(DistinctTextsConstraint { field, over: FoldRange::Elements });
        self.constraints.iter().any(|constraint| constraint.rule == wanted)
    }
}

fn find_repeated_text(field: FieldId, over: FoldRange, scope: &ValueScope<'_>) -> AggregateResult {
    let mut texts: Vec<Cow<'_, [u8]>> = Vec::new();
    let known = match over {
        FoldRange::Elements => {
            let value = scope.field_value(field).ok_or(EvalError::Missing)?;
            texts.extend(collect_texts(value).into_iter().map(Cow::Borrowed));
            Ok(())
        }
        FoldRange::Instances(_) | FoldRange::Occurrences(_) => visit_occurrences(scope, over, &mut |_, scope| {
            let value = scope.field_value(field).ok_or(EvalError::Missing)?;
            texts.extend(collect_texts(value).into_iter().map(|text| Cow::Owned(text.to_vec())));
            Ok(())
        }),
    };
    let mut seen: HashSet<&[u8]> = HashSet::with_capacity(texts.len());
    match texts.iter().position(|text| !seen.insert(text)) {
        Some(at) => Ok(Some((Some(at), format!("`{}` occurs twice", shorten_text(&texts[at], 20))))),
        None => known.map(|()| None),
    }
}
