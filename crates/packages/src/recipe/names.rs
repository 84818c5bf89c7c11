//! Checks of the texts of a recipe that need neither the format nor the programs: shapes, tests that are copied, conditions
//! and constraints.

use super::narrowed_format::find_syntax_problems;
use super::{RecipeGroup, RecipeTest, SpannedText, TestInputSource, TestSetRecipe};
use crate::finder_syntax::parse_expression;
use rebut_diagnostics::{Diagnostic, SourceText, suggestion_or};
use rebut_generators::{all_shapes, are_shapes_known};

/// Reports the texts that are wrong, whatever the format and the programs are.
pub(super) fn check_texts(recipe: &TestSetRecipe, problems: &mut Vec<Diagnostic>) {
    for group in &recipe.groups {
        problems.extend(find_syntax_problems(&group.restrictions, &recipe.source));
    }
    for (group, test) in recipe.all_tests() {
        let mut restrictions = test.restrictions.clone();
        match &test.input_source {
            TestInputSource::Shapes(shapes) => {
                problems.extend(shapes.iter().filter_map(|shape| find_unknown_shape(shape, &recipe.source)));
            }
            TestInputSource::Copy(words) => problems.extend(recipe.find_copied_test(group, test, words).err()),
            TestInputSource::Exhaustive(scope) => restrictions.constraints.extend(scope.iter().cloned()),
            _ => {}
        }
        problems.extend(find_syntax_problems(&restrictions, &recipe.source));
        problems.extend(test.find.as_ref().and_then(|find| {
            let problem = parse_expression(&find.text, None).err()?;
            Some(Diagnostic { span: find.part_span(&recipe.source, problem.span), ..problem })
        }));
    }
}

fn find_unknown_shape(shape: &SpannedText, source: &SourceText) -> Option<Diagnostic> {
    let message = format!("unknown shape `{}`", shape.text);
    let problem = Diagnostic::error("unknown-shape", shape.inner_span(source), message).with_caret("not known");
    let help = || suggestion_or(&shape.text, all_shapes().map(|shape| shape.name), "`rebut shapes` lists them");
    (!are_shapes_known(&shape.text)).then(|| problem.with_help(help()))
}

impl TestSetRecipe {
    /// Returns the place among all tests of the one that a test copies, by group and name or by group and number.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such test, or if it has no input of its own.
    pub fn find_copied_test(
        &self,
        group: &RecipeGroup,
        test: &RecipeTest,
        words: &SpannedText,
    ) -> Result<usize, Diagnostic> {
        let names = |g: &RecipeGroup, number: usize| -> Vec<String> {
            let name = g.tests[number].name.iter().map(|name| format!("{}/{name}", g.name));
            let own = g.tests[number].name.iter().filter(|_| g.name == group.name).cloned();
            name.chain([format!("{}/{}", g.name, number + 1)]).chain(own).collect()
        };
        let wrong = |message: String| Diagnostic::error("copy", words.inner_span(&self.source), message);
        let (mut at, mut known) = (0, Vec::new());
        for g in &self.groups {
            for number in 0..g.tests.len() {
                let is_itself = std::ptr::eq(&raw const g.tests[number], test);
                if names(g, number).contains(&words.text) && !is_itself {
                    return match &g.tests[number] {
                        found if matches!(found.input_source, TestInputSource::Copy(_)) => {
                            Err(wrong(format!("`{}` is a copy itself", words.text)))
                        }
                        found if found.is_candidate => {
                            Err(wrong(format!("`{}` has candidates, not tests", words.text)))
                        }
                        _ => Ok(at),
                    };
                }
                known.extend(names(g, number).into_iter().next().filter(|_| !is_itself));
                at += 1;
            }
        }
        let otherwise = "a test is named by its group and its name: `sample/1`";
        let help = suggestion_or(&words.text, known.iter().map(String::as_str), otherwise);
        Err(wrong(format!("no other test `{}` in this recipe", words.text)).with_help(help))
    }
}
