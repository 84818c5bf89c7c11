//! Typed access to `problem.xml`. Missing or invalid elements are reported with their position.

use super::PROBLEM_XML_FILE;
use crate::interop::interop_error::{InteropError, shorten_for_message};
use roxmltree::{Document, Node};

/// An element of the document.
#[derive(Clone, Copy)]
pub(super) struct XmlElement<'d> {
    node: Node<'d, 'd>,
}

/// Parses the text and calls `reader` with the root element.
pub(super) fn parse_xml<T>(
    text: &str,
    reader: impl FnOnce(XmlElement<'_>) -> Result<T, InteropError>,
) -> Result<T, InteropError> {
    let document = Document::parse(text).map_err(|e| {
        let at = e.pos();
        let message = e.to_string();
        let message = message.split(" at ").next().unwrap_or_default();
        InteropError::at_location(
            format!("{PROBLEM_XML_FILE}:{}:{}", at.row, at.col),
            format!("is not valid XML: {}", shorten_for_message(message)),
        )
    })?;
    let node = document.root_element();
    let root = XmlElement { node };
    if !node.has_tag_name("problem") {
        return Err(
            root.error_here(format!("expected `<problem>`, found `<{}>`", shorten_for_message(node.tag_name().name())))
        );
    }
    reader(root)
}

impl<'d> XmlElement<'d> {
    /// Returns the file name, line and column.
    pub(super) fn location(self) -> String {
        let at = self.node.document().text_pos_at(self.node.range().start);
        format!("{PROBLEM_XML_FILE}:{}:{}", at.row, at.col)
    }

    /// Creates an error at this element.
    pub(super) fn error_here(self, text: impl Into<String>) -> InteropError {
        InteropError::at_location(self.location(), text)
    }

    /// Iterates over the children with this name.
    pub(super) fn children_named(self, name: &'static str) -> impl Iterator<Item = XmlElement<'d>> {
        self.node.children().filter(move |node| node.has_tag_name(name)).map(|node| XmlElement { node })
    }

    /// Iterates over all child elements.
    pub(super) fn child_elements(self) -> impl Iterator<Item = XmlElement<'d>> {
        self.node.children().filter(|node| node.is_element()).map(|node| XmlElement { node })
    }

    /// Returns the first child with this name.
    pub(super) fn first_child(self, name: &'static str) -> Option<XmlElement<'d>> {
        self.children_named(name).next()
    }

    /// Returns the first descendant at this path of names.
    pub(super) fn descendant_at(self, names: &[&'static str]) -> Option<XmlElement<'d>> {
        names.iter().try_fold(self, |at, name| at.first_child(name))
    }

    /// Returns a child that has to exist.
    pub(super) fn required_child(self, name: &'static str) -> Result<XmlElement<'d>, InteropError> {
        self.first_child(name)
            .ok_or_else(|| self.error_here(format!("`<{}>` has no `<{name}>`", self.node.tag_name().name())))
    }

    /// Returns an attribute, if it exists.
    pub(super) fn optional_attribute(self, name: &str) -> Option<&'d str> {
        self.node.attribute(name)
    }

    /// Returns an attribute that has to exist.
    pub(super) fn required_attribute(self, name: &str) -> Result<&'d str, InteropError> {
        self.optional_attribute(name)
            .ok_or_else(|| self.error_here(format!("`<{}>` has no attribute `{name}`", self.node.tag_name().name())))
    }

    /// Returns an attribute that is a path in the package.
    pub(super) fn path_attribute(self, name: &str) -> Result<String, InteropError> {
        let path = self.required_attribute(name)?.replace('\\', "/");
        crate::check_relative_path(&path)
            .map_err(|problem| self.error_here(format!("`{}`: {problem}", shorten_for_message(&path))))?;
        Ok(path)
    }

    /// Returns the text of the element.
    pub(super) fn text_content(self) -> &'d str {
        self.node.text().unwrap_or_default().trim()
    }

    /// Returns the text as a positive whole number.
    pub(super) fn positive_integer(self) -> Result<u64, InteropError> {
        let invalid = || {
            self.error_here(format!(
                "expected a positive whole number, found `{}`",
                shorten_for_message(self.text_content())
            ))
        };
        self.text_content().parse().ok().filter(|n| (1..1_u64 << 50).contains(n)).ok_or_else(invalid)
    }

    /// Formats all attributes as `name=value`.
    pub(super) fn attribute_list(self) -> String {
        let all: Vec<String> = self.node.attributes().map(|a| format!("{}={}", a.name(), a.value())).collect();
        all.join(" ")
    }
}

/// Expands a pattern such as `tests/%02d.a` for a number.
pub(super) fn expand_path_pattern(pattern: &str, number: usize) -> Option<String> {
    let (before, rest) = pattern.split_once('%')?;
    let (width, after) = rest.split_once('d')?;
    if after.contains('%') || width.len() > 3 || !width.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let digits: usize = width.parse().unwrap_or(0);
    let path = match width.starts_with('0') {
        true => format!("{before}{number:0digits$}{after}"),
        false => format!("{before}{number:digits$}{after}"),
    };
    Some(path).filter(|path| crate::check_relative_path(path).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_patterns_are_expanded() {
        for (pattern, expected) in [
            ("tests/%02d", Some("tests/07")),
            ("t%d.a", Some("t7.a")),
            ("%03d", Some("007")),
            ("tests/", None),
            ("%s", None),
            ("%d%d", None),
            ("../%d", None),
            ("%0999999d", None),
        ] {
            assert_eq!(expand_path_pattern(pattern, 7).as_deref(), expected, "{pattern}");
        }
    }
}
