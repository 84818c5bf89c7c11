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
        let element = opening_tag(rest).filter(|_| unclosed < MAX_UNCLOSED);
        // Other spans are read as they are.
        let is_formula = |tag: &str| tag.contains("class=\"katex") || tag.contains("class=\"MathJax");
        let element = element.filter(|(name, tag)| *name != "span" || is_formula(tag));
        match element.map(|(name, tag)| (element_length(rest, name, tag.len()), name, tag)) {
            Some((Some(length), name, tag)) => {
                plain.push_str(&formula_of(name, tag, &rest[tag.len()..length]));
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

/// Returns the name and the opening tag of the element that a text begins with, of at most 50,000 bytes. Quotes may have brackets.
fn opening_tag(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('<')?;
    let name = &inside[..inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(inside.len())];
    // A text has many signs that are no tags.
    if !matches!(name, "span" | "math" | "script" | "style" | "mjx-container") {
        return None;
    }
    let mut is_quoted = false;
    let end = inside.bytes().take(50_000).position(|byte| {
        is_quoted ^= byte == b'"';
        byte == b'>' && !is_quoted
    });
    end.map(|end| (name, &text[..end + 2]))
}

/// Returns the length of the element with a name and an opening tag of a length.
fn element_length(text: &str, name: &str, tag: usize) -> Option<usize> {
    let (opening, closing) = (format!("<{name}"), format!("</{name}>"));
    let (mut at, mut depth) = (tag, 1);
    while depth > 0 {
        let end = at + text[at..].find(&closing)?;
        depth += text[at..end].matches(&opening).count();
        at = end + closing.len();
        depth -= 1;
    }
    Some(at)
}

/// Returns the formula of an element with what it contains.
fn formula_of(name: &str, tag: &str, inside: &str) -> String {
    let before = |end| inside.split(end).next().unwrap_or_default();
    // The TeX of older versions comes in a script after the formula. MathML alone is not read.
    match inside.split_once("application/x-tex\">") {
        _ if name == "script" && tag.contains("type=\"math/tex") => format!("${}$", before("</script>")),
        Some((_, annotation)) if !matches!(name, "script" | "style") => {
            format!("${}$", annotation.split("</annotation>").next().unwrap_or_default())
        }
        _ => String::new(),
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
