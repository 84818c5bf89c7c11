//! The phrases of which kinds of constraints make the sentences of a statement.

use crate::model::{
    BlockId, Comparison, ComparisonOperator, Expr, FieldDimension, FieldId, FoldRange, Format, Formula,
};

/// The writer of a statement, which names the parts of a format.
pub(crate) trait Phrases {
    /// Returns the format of the statement.
    fn format(&self) -> &Format;

    /// Returns an expression in TeX.
    fn expression_tex(&self, expr: &Expr) -> String;

    /// Returns the name of a field in TeX.
    fn field_tex(&self, field: FieldId) -> String;

    /// Returns `a_1, a_2, \dots, a_n`.
    fn element_list(&self, field: FieldId, dimensions: usize) -> String;

    /// Returns characters of an input as code.
    fn code(&self, text: &[u8]) -> String;

    /// Returns the noun for an instance of a block, singular and plural: `test case`, `line`.
    fn block_noun(&self, block: BlockId) -> (&'static str, &'static str);

    /// Returns `all test cases`, `all $m$ lines`, `all $q$ lines that have $x$`.
    fn all_instances(&self, over: FoldRange, parts: &[Expr]) -> String;

    /// Returns ` that have $x$` if some repetitions lack the fields concerned.
    fn having(&self, over: FoldRange, parts: &[Expr]) -> String;

    /// Returns the sentence for a comparison.
    fn comparison_sentence(&self, comparison: &Comparison) -> String;

    /// Returns a formula as a sentence; `implies` if it was written as a condition with a consequence.
    fn formula_sentence(&self, formula: &Formula, implies: bool) -> String;
}

impl dyn Phrases + '_ {
    /// Returns the sentence that no two instances have the same `what`.
    pub(super) fn no_two_sentence(&self, over: FoldRange, parts: &[Expr], what: &str, name: &str) -> String {
        let Some(block) = over.outermost_block() else { return String::new() };
        let (_, many) = self.block_noun(block);
        format!("No two {many}{} have the same {what} {}.", self.having(over, parts), inline_math(name))
    }

    /// Returns true if a field is an array of one dimension and a known size.
    pub(super) fn is_one_row(&self, field: FieldId) -> bool {
        let info = self.format().field(field);
        info.alphabet().is_none()
            && matches!(&*info.dimensions, [FieldDimension::Size(size)] if *size != Expr::Constant(1))
    }
}

/// Formats a formula in a sentence.
pub(crate) fn inline_math(formula: &str) -> String {
    format!("${formula}$")
}

/// Returns an operator in TeX.
pub(crate) fn sign_tex(sign: ComparisonOperator) -> &'static str {
    match sign {
        ComparisonOperator::Less => "<",
        ComparisonOperator::LessEqual => "\\le",
        ComparisonOperator::Greater => ">",
        ComparisonOperator::GreaterEqual => "\\ge",
        ComparisonOperator::Equal => "=",
        ComparisonOperator::NotEqual => "\\ne",
    }
}
