//! The names of variables in a generated validator.

use super::helpers::helper_names;
use crate::names::{CPP_KEYWORDS, has_word};
use rebut_format::language::Format;

/// Names of the library and of testlib that validators need.
const OWN_NAMES: &str = "main std inf validator group argc argv min max string vector pair map set regex regex_match ensuref format abs \
    swap less less_equal greater greater_equal equal_to not_equal_to setTestCase registerValidation EOF NULL unix \
    linux stdin stdout errno tuple make_pair";

/// Returns the name of the variable of each field.
pub(super) fn variable_names(format: &Format) -> Vec<String> {
    format.fields.iter().map(|field| plain_name(&field.name)).collect()
}

/// Returns a name with a line at its end if it means something else.
pub(super) fn plain_name(name: &str) -> String {
    let is_reserved = has_word(CPP_KEYWORDS, name) || has_word(OWN_NAMES, name) || helper_names().any(|h| h == name);
    if is_reserved { format!("{name}_") } else { name.to_owned() }
}
