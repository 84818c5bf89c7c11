//! The formulas of a saved page: a rendered formula is a forest of elements, among which its TeX is kept.

/// Maximum number of elements without an end that are looked for: each takes the rest of the page.
const MAX_UNCLOSED: usize = 16;

/// Replaces the rendered formulas of a page by their TeX between dollars, and removes its scripts.
pub(super) fn restore_rendered(page: &str) -> String {
    let mut plain = String::with_capacity(page.len());
    let (mut rest, mut unclosed) = (page, 0);
    while let Some(at) = rest.find('<') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let element = Tag::at_start(rest).filter(|_| unclosed < MAX_UNCLOSED);
        // Other spans are read as they are.
        let is_formula = |class: &str| class.starts_with("katex") || class.starts_with("MathJax");
        let element = element.filter(|tag| tag.name != "span" || tag.attribute("class").is_some_and(is_formula));
        match element.map(|tag| (tag.element_length(rest), tag)) {
            Some((Some(length), tag)) => {
                plain.push_str(&tag.formula(&rest[tag.length..length]));
                rest = &rest[length..];
            }
            other => {
                unclosed += usize::from(other.is_some());
                plain.push('<');
                rest = &rest[1..];
            }
        }
    }
    plain + rest
}

/// The tag that opens an element.
struct Tag<'t> {
    name: &'t str,
    attributes: &'t str,
    /// Its length in bytes, with the brackets.
    length: usize,
}

impl<'t> Tag<'t> {
    /// Reads the opening tag at the beginning of a text. Quoted attributes may have brackets.
    fn at_start(text: &'t str) -> Option<Tag<'t>> {
        /// Maximum length of a tag.
        const MAX_LENGTH: usize = 50_000;
        let inside = text.strip_prefix('<')?;
        let name = &inside[..inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(inside.len())];
        let is_name = matches!(name, "span" | "math" | "script" | "style" | "mjx-container");
        // A text has many signs that are no tags.
        if !is_name {
            return None;
        }
        let mut is_quoted = false;
        let end = inside.bytes().take(MAX_LENGTH).position(|byte| {
            is_quoted ^= byte == b'"';
            byte == b'>' && !is_quoted
        });
        end.map(|end| Tag { name, attributes: &inside[name.len()..end], length: end + 2 })
    }

    fn attribute(&self, name: &str) -> Option<&'t str> {
        let (_, value) = self.attributes.split_once(&format!("{name}=\""))?;
        value.split('"').next()
    }

    /// Returns the length of the element that the tag opens.
    fn element_length(&self, text: &str) -> Option<usize> {
        let (opening, closing) = (format!("<{}", self.name), format!("</{}>", self.name));
        let (mut at, mut depth) = (self.length, 1);
        loop {
            let end = at + text[at..].find(&closing)?;
            depth += text[at..end].matches(&opening).count();
            at = end + closing.len();
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }

    /// Returns the formula of an element with what it contains.
    fn formula(&self, inside: &str) -> String {
        if self.name == "script" || self.name == "style" {
            let tex = inside.split("</script>").next().unwrap_or_default();
            let is_tex = self.attribute("type").is_some_and(|kind| kind.starts_with("math/tex"));
            return if is_tex { format!("${tex}$") } else { String::new() };
        }
        if let Some((_, annotation)) = inside.split_once("application/x-tex\">") {
            return format!("${}$", annotation.split("</annotation>").next().unwrap_or_default());
        }
        // The TeX of older versions comes in a script after the formula. MathML alone is not read.
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rendered_formulas_are_read_from_their_tex() {
        let katex = format!(
            "n <span class=\"katex\"><span class=\"katex-mathml\">{}<annotation encoding=\"application/x-tex\">n \\le 10^5</annotation></span><span class=\"katex-html\"><span>n</span></span></span>.",
            "<math><mi>n</mi></math>"
        );
        let mathjax = "<span class=\"MathJax_Preview\">x</span><span class=\"MathJax\" data-mathml=\"<math><mi>n</mi></math>\"><nobr><span>n</span></nobr></span><script type=\"math/tex\">n \\le 5</script>.";
        let assistive =
            "<mjx-container class=\"MathJax\"><mjx-math>x</mjx-math><math><mn>5</mn></math></mjx-container>.";
        for (page, expected) in [
            (katex.as_str(), "n $n \\le 10^5$."),
            (mathjax, "$n \\le 5$."),
            (assistive, "."),
            ("<script>var n = 5;</script><p>1 < n</p>", "<p>1 < n</p>"),
            ("<span class=\"katex\">n <b", "<span class=\"katex\">n <b"),
        ] {
            assert_eq!(restore_rendered(page), expected);
        }
    }

    #[test]
    fn unclosed_elements_take_no_time() {
        assert_eq!(restore_rendered(&"<math>".repeat(40_000)).len(), 240_000);
        assert!(
            restore_rendered(&format!("{}{}", "<math><mi>".repeat(9_000), "</math>".repeat(9_000))).len() < 200_000
        );
    }
}
