//! `problem.xml`, asked node by node; what is missing or misspelt is told with its place.

use super::FILE;
use crate::exchange::flaw::{Flaw, shown};
use roxmltree::{Document, Node};

/// A node of the document.
#[derive(Clone, Copy)]
pub(super) struct Element<'d> {
    node: Node<'d, 'd>,
}

/// Parses the text and hands its first element to a reader: the tree lives no longer.
pub(super) fn read<T>(text: &str, reader: impl FnOnce(Element<'_>) -> Result<T, Flaw>) -> Result<T, Flaw> {
    let document = Document::parse(text).map_err(|e| {
        let at = e.pos();
        let words = e.to_string();
        let words = words.split(" at ").next().unwrap_or_default();
        Flaw::at(format!("{FILE}:{}:{}", at.row, at.col), format!("is not XML: {}", shown(words)))
    })?;
    let node = document.root_element();
    let root = Element { node };
    if !node.has_tag_name("problem") {
        return Err(root.flaw(format!("expected `<problem>`, and this is `<{}>`", shown(node.tag_name().name()))));
    }
    reader(root)
}

impl<'d> Element<'d> {
    /// Where it stands.
    pub(super) fn place(self) -> String {
        let at = self.node.document().text_pos_at(self.node.range().start);
        format!("{FILE}:{}:{}", at.row, at.col)
    }

    /// Something wrong here.
    pub(super) fn flaw(self, text: impl Into<String>) -> Flaw {
        Flaw::at(self.place(), text)
    }

    /// Its children of that name.
    pub(super) fn all(self, name: &'static str) -> impl Iterator<Item = Element<'d>> {
        self.node.children().filter(move |node| node.has_tag_name(name)).map(|node| Element { node })
    }

    /// All its children.
    pub(super) fn children(self) -> impl Iterator<Item = Element<'d>> {
        self.node.children().filter(|node| node.is_element()).map(|node| Element { node })
    }

    /// Its first child of that name.
    pub(super) fn find(self, name: &'static str) -> Option<Element<'d>> {
        self.all(name).next()
    }

    /// What lies at the end of these names.
    pub(super) fn path(self, names: &[&'static str]) -> Option<Element<'d>> {
        names.iter().try_fold(self, |at, name| at.find(name))
    }

    /// A child that has to be there.
    pub(super) fn child(self, name: &'static str) -> Result<Element<'d>, Flaw> {
        self.find(name).ok_or_else(|| self.flaw(format!("`<{}>` has no `<{name}>`", self.node.tag_name().name())))
    }

    /// An attribute, if it is there.
    pub(super) fn get(self, name: &str) -> Option<&'d str> {
        self.node.attribute(name)
    }

    /// An attribute that has to be there.
    pub(super) fn attribute(self, name: &str) -> Result<&'d str, Flaw> {
        self.get(name)
            .ok_or_else(|| self.flaw(format!("`<{}>` has no attribute `{name}`", self.node.tag_name().name())))
    }

    /// An attribute that is a path of the package.
    pub(super) fn file(self, name: &str) -> Result<String, Flaw> {
        let path = self.attribute(name)?.replace('\\', "/");
        crate::corpus::safe(&path).map_err(|words| self.flaw(format!("`{}`: {words}", shown(&path))))?;
        Ok(path)
    }

    /// Its text.
    pub(super) fn text(self) -> &'d str {
        self.node.text().unwrap_or_default().trim()
    }

    /// Its text as a whole number above 0.
    pub(super) fn number(self) -> Result<u64, Flaw> {
        let wrong = || self.flaw(format!("expected a whole number above 0, and this is `{}`", shown(self.text())));
        self.text().parse().ok().filter(|n| (1..1_u64 << 50).contains(n)).ok_or_else(wrong)
    }

    /// All its attributes, as `name=value`.
    pub(super) fn attributes(self) -> String {
        let all: Vec<String> = self.node.attributes().map(|a| format!("{}={}", a.name(), a.value())).collect();
        all.join(" ")
    }
}

/// The name of file `number` by a pattern such as `tests/%02d.a`.
pub(super) fn numbered(pattern: &str, number: usize) -> Option<String> {
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
    Some(path).filter(|path| crate::corpus::safe(path).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_paths() {
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
            assert_eq!(numbered(pattern, 7).as_deref(), expected, "{pattern}");
        }
    }
}
