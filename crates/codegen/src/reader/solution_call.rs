//! The call of the method that solves the problem, after its parameters have been read, and the output of its result in
//! the notation of LeetCode: `[[1,2],[3]]`.

use super::language::ReaderLanguage;
use crate::signature::{ParameterType, SolutionSignature};
use crate::source_writer::SourceWriter;

/// A source with `class Solution`.
#[derive(Clone, Copy, Debug)]
pub struct SolutionSource<'s> {
    /// The method to call.
    pub signature: &'s SolutionSignature,
    /// Name of the file, beside which the program will be: C++ includes it, and Python imports it.
    pub file_name: &'s str,
    /// The text, which a program in Java contains.
    pub text: &'s str,
}

const CPP_SHOW: &str = "
void show_result(bool value) { cout << (value ? \"true\" : \"false\"); }
void show_result(char value) { cout << '\"' << value << '\"'; }
void show_result(double value) { cout << fixed << setprecision(5) << (fabs(value) < 5e-6 ? 0 : value); }
void show_result(float value) { show_result(double(value)); }
void show_result(const string& value) { cout << '\"' << value << '\"'; }
template <class T> void show_result(const T& value) { cout << value; }
template <class T> void show_result(const vector<T>& values) {
    cout << '[';
    for (size_t at = 0; at < values.size(); at++) {
        if (at > 0) cout << ',';
        show_result(T(values[at]));
    }
    cout << ']';
}
";

const PYTHON_START: &str = "\
import bisect, builtins, collections, copy, datetime, functools, heapq, itertools, math, operator, random, re
import statistics, string, sys, typing

# Names that solutions use without importing them.
for module in (
    bisect, collections, copy, datetime, functools, heapq, itertools, math, operator, random, re, statistics, string,
    sys, typing,
):
    for name in [name for name in dir(module) if not name.startswith(\"_\") and not hasattr(builtins, name)]:
        setattr(builtins, name, getattr(module, name))
    setattr(builtins, module.__name__, module)

from {module} import Solution


def show_result(value):
    if isinstance(value, float):
        return f\"{value if abs(value) >= 5e-6 else 0:.5f}\"
    if isinstance(value, str):
        return f'\"{value}\"'
    if value is None or isinstance(value, bool):
        return {None: \"null\", False: \"false\", True: \"true\"}[value]
    if isinstance(value, int):
        return str(value)
    return \"[\" + \",\".join(map(show_result, value)) + \"]\"


";

const JAVA_SHOW: &str = "
    static String showResult(Object value) {
        if (value instanceof String || value instanceof Character) return \"\\\"\" + value + \"\\\"\";
        if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            return String.format(Locale.ROOT, \"%.5f\", Math.abs(number) < 5e-6 ? 0 : number);
        }
        if (value instanceof Collection) value = ((Collection<?>) value).toArray();
        if (value == null || !value.getClass().isArray()) return String.valueOf(value);
        StringJoiner all = new StringJoiner(\",\", \"[\", \"]\");
        for (int at = 0; at < java.lang.reflect.Array.getLength(value); at++) {
            all.add(showResult(java.lang.reflect.Array.get(value, at)));
        }
        return all.toString();
    }
";

impl SolutionSource<'_> {
    /// Returns a program that reads the parameters with what it needs for the call.
    pub(super) fn complete_program(&self, language: ReaderLanguage, program: &str) -> String {
        match language {
            ReaderLanguage::Python => {
                let module = self.file_name.trim_end_matches(".py");
                PYTHON_START.replace("{module}", module) + program
            }
            ReaderLanguage::Java => {
                let is_head = |line: &&str| line.starts_with("import ") || line.starts_with("package ");
                let (head, rest): (Vec<&str>, Vec<&str>) = self.text.lines().partition(is_head);
                let own = rest.join("\n").replace("public class Solution", "class Solution");
                let mut imports = "import java.util.*;\nimport java.util.stream.*;\n".to_owned();
                for line in head.iter().filter(|line| line.starts_with("import ")) {
                    imports += line;
                    imports.push('\n');
                }
                let program = program.replacen("import java.util.*;\n", &imports, 1);
                let program = program.replacen("class Main {\n", &format!("class Main {{{JAVA_SHOW}\n"), 1);
                format!("{}\n{}\n", program.replace("throws IOException", "throws Exception"), own.trim())
            }
            _ => {
                let namespace = "using namespace std;\n";
                let include = format!("{namespace}\n#include \"{}\"\n{CPP_SHOW}", self.file_name);
                program.replacen(namespace, &include, 1)
            }
        }
    }

    /// Writes the call, and prints the result. The variables have the names of the parameters in the program.
    ///
    /// # Errors
    /// Returns the parameter that the language has no conversion for.
    pub(super) fn write_call(
        &self,
        language: ReaderLanguage,
        variables: &[(String, usize)],
        out: &mut SourceWriter,
    ) -> Result<(), String> {
        let SolutionSignature { method, parameters, returns_nothing, .. } = self.signature;
        let mut arguments = Vec::new();
        for ((name, of_type), (variable, indices)) in parameters.iter().zip(variables) {
            let converted = language.convert_argument(variable, *indices, of_type).map_err(|()| name.clone())?;
            let Some((lines, changed)) = converted else {
                arguments.push(variable.clone());
                continue;
            };
            lines.into_iter().for_each(|line| out.add_line(line));
            arguments.push(changed);
        }
        let object = if language == ReaderLanguage::Java { "new Solution()" } else { "Solution()" };
        let call = format!("{object}.{method}({})", arguments.join(", "));
        let (mut result, end) = (call.clone(), if language == ReaderLanguage::Python { "" } else { ";" });
        if *returns_nothing {
            out.add_line(call + end);
            let is_list = |(_, of_type): &(String, ParameterType)| matches!(of_type, ParameterType::Sequence(..));
            result.clone_from(&arguments[parameters.iter().position(is_list).unwrap_or(0)]);
        }
        let is_real = self.signature.result == Some(ParameterType::Real);
        out.add_line(match language {
            ReaderLanguage::Python if is_real => format!("print(show_result(float({result})))"),
            ReaderLanguage::Python => format!("print(show_result({result}))"),
            ReaderLanguage::Java => format!("System.out.println(showResult({result}));"),
            _ => format!("show_result({result});"),
        });
        if language == ReaderLanguage::Cpp {
            out.add_line("cout << '\\n';");
        }
        Ok(())
    }
}

/// Statements that convert an argument, and the expression that it is then.
type ConvertedArgument = Option<(Vec<String>, String)>;

impl ReaderLanguage {
    /// Converts what was read to the type of a parameter; `None` if it has that type already.
    fn convert_argument(
        self,
        variable: &str,
        indices: usize,
        of_type: &ParameterType,
    ) -> Result<ConvertedArgument, ()> {
        let (inner, rank) = of_type.innermost();
        let changed = format!("{variable}_argument");
        match (self, inner, rank) {
            (ReaderLanguage::Python, ParameterType::Bool, _) => {
                let each = (0..rank).fold("bool(value)".to_owned(), |each, depth| {
                    let over = if depth + 1 == rank { variable } else { "row" };
                    let name = if depth == 0 { "value" } else { "row" };
                    format!("[{each} for {name} in {over}]")
                });
                let made = if rank == 0 { format!("bool({variable})") } else { each };
                Ok(Some((vec![format!("{variable} = {made}")], variable.to_owned())))
            }
            // The field decides whether a text is a word or a row of letters.
            (ReaderLanguage::Python, ParameterType::Letter | ParameterType::Text, 1 | 2) if indices < rank => {
                let letters =
                    if rank == 1 { format!("list({variable})") } else { format!("[list(row) for row in {variable}]") };
                Ok(Some((vec![format!("{variable} = {letters}")], variable.to_owned())))
            }
            (ReaderLanguage::Java, ..) => convert_in_java(variable, of_type, changed),
            (ReaderLanguage::Cpp, ParameterType::Letter, 0) => Ok(Some((Vec::new(), format!("{variable}[0]")))),
            (ReaderLanguage::Cpp, ParameterType::Letter | ParameterType::Bool, 1 | 2) => {
                let each = if *inner == ParameterType::Bool { "bool" } else { "char" };
                let lines = match rank {
                    1 => vec![format!("vector<{each}> {changed}({variable}.begin(), {variable}.end());")],
                    _ => vec![
                        format!("vector<vector<{each}>> {changed};"),
                        format!("for (auto& row : {variable}) {changed}.emplace_back(row.begin(), row.end());"),
                    ],
                };
                Ok(Some((lines, changed)))
            }
            _ => Ok(None),
        }
    }
}

/// Converts an array to a list, and texts to letters.
fn convert_in_java(variable: &str, of_type: &ParameterType, changed: String) -> Result<ConvertedArgument, ()> {
    let list = |values: String| format!("{values}.collect(Collectors.toList())");
    let row_to_list = |row: &str, inner: &ParameterType| match inner {
        ParameterType::Int | ParameterType::Long | ParameterType::Real => {
            Ok(list(format!("Arrays.stream({row}).boxed()")))
        }
        ParameterType::Text => Ok(list(format!("Arrays.stream({row})"))),
        _ => Err(()),
    };
    let made = match of_type {
        ParameterType::Bool => return Ok(Some((Vec::new(), format!("{variable} != 0")))),
        ParameterType::Letter => return Ok(Some((Vec::new(), format!("{variable}.charAt(0)")))),
        ParameterType::Sequence(each, is_list) => match (&**each, is_list) {
            (ParameterType::Letter, false) => format!("{variable}.toCharArray()"),
            (ParameterType::Sequence(inner, false), false) if **inner == ParameterType::Letter => {
                format!("Arrays.stream({variable}).map(String::toCharArray).toArray(char[][]::new)")
            }
            (ParameterType::Sequence(inner, true), true) => {
                list(format!("Arrays.stream({variable}).map(row -> {})", row_to_list("row", inner)?))
            }
            (ParameterType::Bool, false) => {
                let made = format!("boolean[] {changed} = new boolean[{variable}.length];");
                let each = format!("{changed}[at] = {variable}[at] != 0;");
                let filled = format!("for (int at = 0; at < {changed}.length; at++) {each}");
                return Ok(Some((vec![made, filled], changed)));
            }
            (ParameterType::Sequence(inner, false), false) if **inner != ParameterType::Bool => return Ok(None),
            (ParameterType::Bool | ParameterType::Letter | ParameterType::Sequence(..), _) => return Err(()),
            (inner, true) => row_to_list(variable, inner)?,
            (_, false) => return Ok(None),
        },
        _ => return Ok(None),
    };
    Ok(Some((vec![format!("var {changed} = {made};")], changed)))
}
