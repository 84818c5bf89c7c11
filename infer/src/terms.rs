//! The names in terms and chains of a format.

use rebut_format::syntax::{ComparisonChain, SyntaxTerm, SyntaxTermKind};

/// Names, each with the one that replaces it.
pub(crate) type Renaming = Vec<(String, String)>;

/// Returns the names in a chain, each once.
pub(crate) fn chain_names(chain: &ComparisonChain) -> Vec<&String> {
    let mut names = Vec::new();
    chain.lists.iter().flatten().for_each(|term| collect_names(term, &mut names));
    names
}

/// Returns the names in a term, each once.
pub(crate) fn term_names(term: &SyntaxTerm) -> Vec<&String> {
    let mut names = Vec::new();
    collect_names(term, &mut names);
    names
}

fn collect_names<'t>(term: &'t SyntaxTerm, names: &mut Vec<&'t String>) {
    match &term.kind {
        SyntaxTermKind::Name(name) if !names.contains(&name) => names.push(name),
        SyntaxTermKind::Negate(inner) => collect_names(inner, names),
        SyntaxTermKind::Binary(_, left, right) => {
            collect_names(left, names);
            collect_names(right, names);
        }
        SyntaxTermKind::Call(_, arguments) => arguments.iter().for_each(|term| collect_names(term, names)),
        _ => {}
    }
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
