//! Constants of a package: `{{name}}` in its programs and descriptions.

use super::yaml_tree::{YamlKind, YamlNode, YamlReader};
use std::collections::BTreeMap;

/// Values of constants by the text between the braces: `name`, `name.value` or `name.variant`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constants(BTreeMap<String, String>);

impl Constants {
    /// Returns true if the package has no constants.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns a text with each `{{name}}` replaced. Undefined names are left as they are.
    pub fn substitute_constants(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find("{{") {
            let (before, after) = rest.split_at(at);
            out.push_str(before);
            let named = after[2..].split_once("}}").and_then(|(name, behind)| Some((self.0.get(name)?, behind)));
            match named {
                Some((value, behind)) => {
                    out.push_str(value);
                    rest = behind;
                }
                // Skip one brace only: in `{{{name}}`, the constant begins at the second.
                None => {
                    out.push('{');
                    rest = &after[1..];
                }
            }
        }
        out.push_str(rest);
        out
    }
}

/// Reads the map of constants.
pub(super) fn read_constants(node: &YamlNode, reader: &mut YamlReader<'_>) -> Constants {
    let mut constants = BTreeMap::new();
    for (key, value) in reader.read_map("constants", node) {
        if !is_constant_name(&key.name) {
            let text =
                format!("`{}` is not a valid name for a constant", super::package_log::shorten_for_message(&key.name));
            reader.report_error(key.position, text);
            reader.add_help("a name consists of letters, digits and `_` and does not start with a digit");
            continue;
        }
        let YamlKind::Map(variants) = &value.kind else {
            let Some(text) = reader.read_text(&key.name, value) else { continue };
            constants.insert(format!("{}.value", key.name), text.clone());
            constants.insert(key.name.clone(), text);
            continue;
        };
        if !variants.iter().any(|(variant, _)| variant.name == "value") {
            reader.report_error(key.position, format!("the constant `{}` has no `value`", key.name));
        }
        for (variant, value) in variants {
            let Some(text) = reader.read_text(&variant.name, value) else { continue };
            if variant.name == "value" {
                constants.insert(key.name.clone(), text.clone());
            }
            constants.insert(format!("{}.{}", key.name, variant.name), text);
        }
    }
    Constants(constants)
}

fn is_constant_name(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.chars().all(is_letter) && name.chars().next().is_some_and(|c| !c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_replaced_and_unknown_ones_stay() {
        let constants = Constants([("n".to_owned(), "5".to_owned()), ("n.tex".to_owned(), "$5$".to_owned())].into());
        for (text, wanted) in [
            ("{{n}} {{n.tex}}{{m}}", "5 $5${{m}}"),
            ("{{{n}}}", "{5}"),
            ("{{", "{{"),
            ("{{n}", "{{n}"),
            ("{{ n }}", "{{ n }}"),
            ("{{x {{n}}", "{{x 5"),
        ] {
            assert_eq!(constants.substitute_constants(text), wanted, "{text}");
        }
    }
}
