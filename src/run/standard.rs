//! The standards of C and C++ that a user can choose.

use crate::diagnostic::nearest;
use std::path::PathBuf;

/// A standard of C or C++, as compilers name it: `c++17`, `gnu11`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Standard(&'static str);

const OF_C: [&str; 12] =
    ["c89", "c90", "c99", "c11", "c17", "c23", "gnu89", "gnu90", "gnu99", "gnu11", "gnu17", "gnu23"];
const OF_CXX: [&str; 14] = [
    "c++98", "c++11", "c++14", "c++17", "c++20", "c++23", "c++26", "gnu++98", "gnu++11", "gnu++14", "gnu++17",
    "gnu++20", "gnu++23", "gnu++26",
];

impl Standard {
    /// Parses the name of a standard; `C++17` and `cpp17` are `c++17`.
    ///
    /// # Errors
    ///
    /// Returns a message with the nearest name if there is no such standard.
    pub fn parse(name: &str) -> Result<Standard, String> {
        let wanted = name.to_lowercase().replace("cpp", "c++");
        let known = || OF_CXX.into_iter().chain(OF_C);
        match known().find(|standard| *standard == wanted) {
            Some(found) => Ok(Standard(found)),
            None => {
                let near = nearest(&wanted, known()).unwrap_or("c++17");
                Err(format!("there is no standard `{name}` of C or C++: did you mean `{near}`?"))
            }
        }
    }

    /// The name, as compilers take it.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// Returns true if it is a standard of that language.
    fn is_of(self, language: &str) -> bool {
        match language {
            "C" => OF_C.contains(&self.0),
            "C++" => OF_CXX.contains(&self.0),
            _ => false,
        }
    }
}

/// How sources are compiled, beyond what their language says.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceOptions {
    /// Folders in which C and C++ sources find what they include.
    pub includes: Vec<PathBuf>,
    /// Standards that were chosen; of several for one language the first counts.
    pub standards: Vec<Standard>,
}

impl SourceOptions {
    /// The same, with what others say where these say nothing.
    #[must_use]
    pub(super) fn or(&self, others: &SourceOptions) -> SourceOptions {
        SourceOptions {
            includes: [self.includes.as_slice(), &others.includes].concat(),
            standards: [self.standards.as_slice(), &others.standards].concat(),
        }
    }

    /// Returns the standard that was chosen for a language. Returns None if none was.
    pub(super) fn standard(&self, language: &str) -> Option<&'static str> {
        self.standards.iter().find(|standard| standard.is_of(language)).map(|standard| standard.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standards_are_named_as_people_name_them() {
        let parsed = |name| Standard::parse(name).map(Standard::name);
        assert_eq!(parsed("c++17"), Ok("c++17"));
        assert_eq!(parsed("C++17"), Ok("c++17"));
        assert_eq!(parsed("gnu++14"), Ok("gnu++14"));
        assert_eq!(parsed("cpp20"), Ok("c++20"));
        assert_eq!(parsed("c11"), Ok("c11"));
        assert_eq!(parsed("c++1"), Err("there is no standard `c++1` of C or C++: did you mean `c++11`?".to_owned()));
    }

    #[test]
    fn a_standard_counts_for_its_own_language_and_the_first_one_wins() -> Result<(), String> {
        let standards = ["c++17", "c++14", "c11"].into_iter().map(Standard::parse).collect::<Result<_, _>>()?;
        let options = SourceOptions { standards, ..SourceOptions::default() };
        assert_eq!(options.standard("C++"), Some("c++17"));
        assert_eq!(options.standard("C"), Some("c11"));
        assert_eq!(options.standard("Rust"), None);
        assert_eq!(SourceOptions::default().or(&options).standard("C++"), Some("c++17"));
        Ok(())
    }
}
