//! Names of variables.

/// Returns the first of `base`, `base2`, `base3` and so on for which `is_free` is true.
pub(crate) fn free_name(base: &str, is_free: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{base}{number}"));
    std::iter::once(base.to_owned()).chain(numbered).find(|name| is_free(name)).unwrap_or_default()
}

/// Returns true if a list of words has this one.
pub(crate) fn has_word(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|known| known == word)
}

/// The keywords of C++.
pub(crate) const CPP_KEYWORDS: &str = "alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl const constexpr \
    continue decltype default delete do double else enum explicit export extern false float for friend goto if \
    inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public \
    register return short signed sizeof static struct switch template this throw true try typedef typeid typename \
    union unsigned using virtual void volatile while xor xor_eq";
