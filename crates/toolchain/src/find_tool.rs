//! Compilers and interpreters, found through the environment.

use crate::command_line::split_words;
use crate::language::LanguageTool;
use rebut_diagnostics::{Error, Result, list_or};
use rebut_sandbox::HostEnvironment;
use std::ffi::{OsStr, OsString};

/// Returns a compiler or interpreter, with the arguments of an override.
///
/// # Errors
///
/// Returns an `Operating` error if it is not installed, or the program of the override does not exist.
pub(crate) fn find_tool(environment: &HostEnvironment, tool: &LanguageTool, language: &str) -> Result<Vec<OsString>> {
    match environment.get_variable(tool.variable) {
        Some(value) => resolve_override(environment, tool, value),
        None => match tool.names.iter().find_map(|name| environment.find_executable(name)) {
            Some(path) => Ok(vec![path.into()]),
            None => Err(missing_tool_error(tool, language)),
        },
    }
}

fn resolve_override(environment: &HostEnvironment, tool: &LanguageTool, value: &OsStr) -> Result<Vec<OsString>> {
    let text = value.to_string_lossy();
    let words = split_words(&text)?;
    let path = environment.find_executable(&words[0]).ok_or_else(|| {
        let variable = tool.variable;
        Error::operating_error(format!("cannot find `{}`, named by the environment variable {variable}", words[0]))
            .as_unsupported()
    })?;
    Ok(std::iter::once(path.into()).chain(words[1..].iter().map(OsString::from)).collect())
}

fn missing_tool_error(tool: &LanguageTool, language: &str) -> Error {
    let names: Vec<String> = tool.names.iter().map(|name| format!("`{name}`")).collect();
    Error::operating_error(format!("cannot find {}, needed for {language} programs", list_or(&names)))
        .with_help(format!("install {}, or set the environment variable {} to its path", tool.packages, tool.variable))
        .as_unsupported()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;
    use std::path::Path;

    fn cpp_compiler() -> &'static LanguageTool {
        Language::from_path(Path::new("a.cpp"))
            .map_or_else(|| unreachable!("C++ is known"), |language| language.compiler)
    }

    fn tool_error(environment: &HostEnvironment) -> String {
        find_tool(environment, cpp_compiler(), "C++").err().map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn a_missing_compiler_is_named_with_its_remedy() {
        assert_eq!(
            tool_error(&HostEnvironment::default().with_variable("PATH", "/nowhere")),
            "cannot find `g++`, `c++` or `clang++`, needed for C++ programs\n\
             help: install g++ or clang, or set the environment variable CXX to its path"
        );
        assert_eq!(
            tool_error(
                &HostEnvironment::default().with_variable("PATH", "/bin").with_variable("CXX", "no-such-g++ -m32")
            ),
            "cannot find `no-such-g++`, named by the environment variable CXX"
        );
    }

    #[test]
    fn an_override_may_have_arguments() -> Result<()> {
        let environment =
            HostEnvironment::default().with_variable("PATH", "/usr/bin:/bin").with_variable("CXX", "sh -c 'a b'");
        let words = find_tool(&environment, cpp_compiler(), "C++")?;
        assert!(Path::new(&words[0]).is_absolute());
        assert_eq!(words[1..], ["-c", "a b"]);
        Ok(())
    }
}
