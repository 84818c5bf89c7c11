//! The standards of C and C++ that a user can choose.

use rebut_diagnostics::suggestion_or;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A standard of C or C++, by its compiler name: `c++17`, `gnu11`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LanguageStandard(&'static str);

const C_STANDARDS: [&str; 12] =
    ["c89", "c90", "c99", "c11", "c17", "c23", "gnu89", "gnu90", "gnu99", "gnu11", "gnu17", "gnu23"];
const CXX_STANDARDS: [&str; 14] = [
    "c++98", "c++11", "c++14", "c++17", "c++20", "c++23", "c++26", "gnu++98", "gnu++11", "gnu++14", "gnu++17",
    "gnu++20", "gnu++23", "gnu++26",
];

impl LanguageStandard {
    /// Parses the name of a standard; `C++17` and `cpp17` mean `c++17`.
    ///
    /// # Errors
    ///
    /// Returns a message with the most similar name if there is no such standard.
    pub fn parse(name: &str) -> Result<LanguageStandard, String> {
        let wanted = name.to_lowercase().replace("cpp", "c++");
        let known = || CXX_STANDARDS.into_iter().chain(C_STANDARDS);
        match known().find(|standard| *standard == wanted) {
            Some(found) => Ok(LanguageStandard(found)),
            None => {
                let help = suggestion_or(&wanted, known(), "the names are those of compilers, such as `c++17`");
                Err(format!("no standard `{name}` of C or C++: {help}"))
            }
        }
    }

    /// Returns the compiler's name of the standard.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// Returns true if it is a standard of that language.
    fn belongs_to(self, language: &str) -> bool {
        match language {
            "C" => C_STANDARDS.contains(&self.0),
            "C++" => CXX_STANDARDS.contains(&self.0),
            _ => false,
        }
    }
}

/// Compiler options in addition to those of the language.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceOptions {
    /// Include folders of C and C++ sources.
    pub includes: Vec<PathBuf>,
    /// Chosen standards; if there are several for one language, the first counts.
    pub standards: Vec<LanguageStandard>,
    /// A folder, named after its contents, with modules for several languages: headers for C and C++, modules for Python,
    /// and files that Rust sources include by `env!("REBUT_INCLUDE")`.
    pub modules: Option<PathBuf>,
    /// The file or class to start of each source for which it is stated.
    pub entry_points: BTreeMap<PathBuf, String>,
}

impl SourceOptions {
    /// Returns these options, followed by `others`.
    #[must_use]
    pub(super) fn with_fallback(&self, others: &SourceOptions) -> SourceOptions {
        SourceOptions {
            includes: [self.includes.as_slice(), &others.includes].concat(),
            standards: [self.standards.as_slice(), &others.standards].concat(),
            modules: others.modules.clone().or_else(|| self.modules.clone()),
            entry_points: others.entry_points.clone(),
        }
    }

    /// Returns the standard that was chosen for a language, or `None`.
    pub(super) fn standard_for(&self, language: &str) -> Option<&'static str> {
        self.standards.iter().find(|standard| standard.belongs_to(language)).map(|standard| standard.0)
    }
}

/// Returns the compiler flag for a standard.
pub(super) fn standard_flag(standard: &str) -> String {
    format!("-std={standard}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_spellings_of_standards_are_parsed() {
        let parsed = |name| LanguageStandard::parse(name).map(LanguageStandard::name);
        assert_eq!(parsed("c++17"), Ok("c++17"));
        assert_eq!(parsed("C++17"), Ok("c++17"));
        assert_eq!(parsed("gnu++14"), Ok("gnu++14"));
        assert_eq!(parsed("cpp20"), Ok("c++20"));
        assert_eq!(parsed("c11"), Ok("c11"));
        assert_eq!(parsed("c++1"), Err("no standard `c++1` of C or C++: did you mean `c++11`?".to_owned()));
        let help = "the names are those of compilers, such as `c++17`";
        assert_eq!(parsed("latest"), Err(format!("no standard `latest` of C or C++: {help}")));
    }

    #[test]
    fn a_standard_counts_for_its_own_language_and_the_first_one_wins() -> Result<(), String> {
        let standards = ["c++17", "c++14", "c11"].into_iter().map(LanguageStandard::parse).collect::<Result<_, _>>()?;
        let options = SourceOptions { standards, ..SourceOptions::default() };
        assert_eq!(options.standard_for("C++"), Some("c++17"));
        assert_eq!(options.standard_for("C"), Some("c11"));
        assert_eq!(options.standard_for("Rust"), None);
        assert_eq!(SourceOptions::default().with_fallback(&options).standard_for("C++"), Some("c++17"));
        Ok(())
    }
}
