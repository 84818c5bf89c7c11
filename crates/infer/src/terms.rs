//! The names in terms and chains of a format.

use rebut_format::syntax::{ComparisonChain, SyntaxTerm, SyntaxTermKind};

/// Names, each with the one that replaces it.
pub(crate) type Renaming = Vec<(String, String)>;

/// Returns the names in a chain, each once.
pub(crate) fn chain_names(chain: &ComparisonChain) -> Vec<String> {
    names_of(chain.lists.iter().flatten())
}

/// Returns the names in a term, each once.
pub(crate) fn term_names(term: &SyntaxTerm) -> Vec<String> {
    names_of(std::iter::once(term))
}

fn names_of<'t>(terms: impl Iterator<Item = &'t SyntaxTerm>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for term in terms {
        term.visit_terms(&mut |term| match &term.kind {
            SyntaxTermKind::Name(name) if !names.contains(name) => names.push(name.clone()),
            _ => {}
        });
    }
    names
}

/// Returns a chain with other names.
pub(crate) fn rename_chain(chain: &ComparisonChain, renaming: &Renaming) -> ComparisonChain {
    let mut renamed = chain.clone();
    renamed.lists.iter_mut().flatten().for_each(|term| rename_term(term, renaming));
    renamed
}

fn rename_term(term: &mut SyntaxTerm, renaming: &Renaming) {
    match &mut term.kind {
        SyntaxTermKind::Name(name) => {
            if let Some((_, new)) = renaming.iter().find(|(stated, _)| stated == name) {
                new.clone_into(name);
            }
        }
        SyntaxTermKind::Negate(inner) => rename_term(inner, renaming),
        SyntaxTermKind::Binary(_, left, right) => {
            rename_term(left, renaming);
            rename_term(right, renaming);
        }
        SyntaxTermKind::Call(_, arguments) => arguments.iter_mut().for_each(|term| rename_term(term, renaming)),
        _ => {}
    }
}
