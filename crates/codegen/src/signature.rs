//! The signature of a method that solves a problem, as LeetCode has it: `class Solution` with one public method.
//!
//! Only the text is looked at: the first method of the class, except constructors and names that begin with an
//! underscore. Its parameters are the input, one after the other.

use crate::reader::ReaderLanguage;
use std::fmt::Write as _;

/// The class that holds the method.
const CLASS: &str = "class Solution";

/// Names for the sizes of sequences.
const SIZE_NAMES: [&str; 8] = ["n", "m", "q", "h", "w", "n1", "n2", "n3"];

/// A method with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolutionSignature {
    /// Name of the method.
    pub method: String,
    /// Names and types of the parameters.
    pub parameters: Vec<(String, ParameterType)>,
    /// Whether it returns nothing: the result is what it makes of its first parameter.
    pub returns_nothing: bool,
}

/// The type of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterType {
    /// An integer of 32 bits, or in Python of any size.
    Int,
    /// An integer of 64 bits.
    Long,
    /// A floating-point number.
    Real,
    /// A truth value.
    Bool,
    /// A letter.
    Letter,
    /// A text.
    Text,
    /// A sequence; in Java, `true` for a `List` rather than an array.
    Sequence(Box<ParameterType>, bool),
}

impl ParameterType {
    /// Returns the type of the innermost elements, and the number of sequences around them.
    pub(crate) fn innermost(&self) -> (&ParameterType, usize) {
        match self {
            ParameterType::Sequence(each, _) => {
                let (inner, rank) = each.innermost();
                (inner, rank + 1)
            }
            plain => (plain, 0),
        }
    }

    /// Returns the sequences of this type with letters in them.
    fn with_letters(self) -> ParameterType {
        match self {
            ParameterType::Sequence(each, is_list) => ParameterType::Sequence(Box::new(each.with_letters()), is_list),
            _ => ParameterType::Letter,
        }
    }

    /// Parses a type as one of the languages writes it; references, constants and optional values are those themselves.
    fn parse(text: &str) -> Option<ParameterType> {
        let text = text.trim().trim_end_matches('&').trim();
        let text = text.strip_prefix("const ").unwrap_or(text).trim();
        if let Some(each) = text.strip_suffix("[]") {
            return ParameterType::parse(each).map(|each| ParameterType::Sequence(Box::new(each), false));
        }
        let open = text.find(['<', '[']).filter(|_| text.ends_with(['>', ']']));
        if let Some(open) = open {
            let is_list = match &text[..open] {
                "vector" | "std::vector" | "list" => false,
                "List" | "typing.List" => text.ends_with('>'),
                _ => return None,
            };
            let each = ParameterType::parse(&text[open + 1..text.len() - 1])?;
            return Some(ParameterType::Sequence(Box::new(each), is_list));
        }
        Some(match text {
            "int" | "Integer" => ParameterType::Int,
            "long" | "long long" | "Long" | "int64_t" => ParameterType::Long,
            "double" | "float" | "Double" => ParameterType::Real,
            "bool" | "boolean" | "Boolean" => ParameterType::Bool,
            "char" | "Character" => ParameterType::Letter,
            "string" | "std::string" | "String" | "str" => ParameterType::Text,
            _ => return None,
        })
    }
}

impl SolutionSignature {
    /// Finds the method of a source.
    ///
    /// # Errors
    /// Returns the reason if there is none, or if it has a parameter of another type: `TreeNode`.
    ///
    /// ```
    /// use rebut_codegen::{ReaderLanguage, SolutionSignature};
    ///
    /// let text = "class Solution:\n    def twoSum(self, nums: List[int], target: int) -> List[int]:\n        return []\n";
    /// let found = SolutionSignature::find_method(text, ReaderLanguage::Python).expect("a method");
    /// assert_eq!((found.method.as_str(), found.parameters.len()), ("twoSum", 2));
    /// ```
    pub fn find_method(text: &str, language: ReaderLanguage) -> Result<SolutionSignature, String> {
        let text = without_comments(text, language);
        let from = text.find(CLASS).ok_or_else(|| format!("there is no `{CLASS}`"))?;
        let body = &text[from + CLASS.len()..];
        let (head, parameters, result) =
            if language == ReaderLanguage::Python { find_def(body) } else { find_declaration(body) }
                .ok_or_else(|| format!("`{CLASS}` has no method with types of its parameters"))?;
        let (_, method) = split_name(head);
        let mut found = SolutionSignature {
            method: method.to_owned(),
            parameters: Vec::new(),
            returns_nothing: matches!(result.trim(), "void" | "None"),
        };
        for parameter in split_list(parameters) {
            let parameter = parameter.split('=').next().unwrap_or_default().trim();
            let (name, of_type) = match language {
                ReaderLanguage::Python if parameter == "self" => continue,
                ReaderLanguage::Python => parameter.split_once(':').unwrap_or((parameter, "")),
                _ => {
                    let (of_type, name) = split_name(parameter);
                    (name, of_type)
                }
            };
            let known = ParameterType::parse(of_type).filter(|known| known.innermost().1 <= 2);
            let known = known.ok_or_else(|| match of_type.trim() {
                "" => format!("the parameter `{}` of `{method}` has no type", name.trim()),
                other => format!("`{other}`, the type of `{}`, has no layout", name.trim()),
            })?;
            // A letter is a text in Python; rows of them are boards more often than words.
            let known = match known.innermost() {
                (ParameterType::Text, 2) if language == ReaderLanguage::Python => known.with_letters(),
                _ => known,
            };
            found.parameters.push((name.trim().to_owned(), known));
        }
        if found.parameters.is_empty() {
            return Err(format!("`{method}` has no parameters"));
        }
        Ok(found)
    }

    /// Returns a format of the parameters, each after its sizes. The bounds are guesses, as a comment notes.
    pub fn to_format(&self) -> String {
        let mut sizes = SIZE_NAMES.into_iter().filter(|size| self.parameters.iter().all(|(name, _)| name != size));
        let mut take_size = || sizes.next().unwrap_or("size");
        let mut text = format!(
            "# From the signature of `{}`. The bounds are guesses: replace them by those of the statement.\n",
            self.method
        );
        let mut bounds = String::new();
        for (name, of_type) in &self.parameters {
            let (inner, rank) = of_type.innermost();
            let sizes: Vec<&str> = (0..rank).map(|_| take_size()).collect();
            // Writing to a string cannot fail.
            if rank > 0 {
                let _ = writeln!(text, "{}", sizes.join(" "));
                let _ = writeln!(bounds, "    1 <= {} <= 6", sizes.join(", "));
            }
            let shape: String = sizes.iter().map(|size| format!("[{size}]")).collect();
            let (free, bound) = match inner {
                ParameterType::Int | ParameterType::Long if rank == 0 => ("", format!("1 <= {name} <= 10")),
                ParameterType::Int | ParameterType::Long => ("", format!("-10 <= {name} <= 10")),
                ParameterType::Real => ("", format!("-10.00 <= {name} <= 10.00")),
                ParameterType::Bool => ("", format!("0 <= {name} <= 1")),
                ParameterType::Text if rank > 0 => ("[]", format!("{name} over \"a-c\"\n    1 <= len({name}) <= 6")),
                ParameterType::Text => ("", format!("{name} over \"a-c\"\n    1 <= len({name}) <= 6")),
                ParameterType::Letter if rank > 0 => ("", format!("{name} over \"ab\"")),
                ParameterType::Letter => ("", format!("{name} over \"a-c\"\n    len({name}) = 1")),
                ParameterType::Sequence(..) => unreachable!("the innermost type is none"),
            };
            let _ = writeln!(text, "{name}{shape}{free}");
            let _ = writeln!(bounds, "    {bound}");
        }
        text + "where:\n" + &bounds
    }
}

/// Returns the text without comments, of the same length.
fn without_comments(text: &str, language: ReaderLanguage) -> String {
    let (line, block) = if language == ReaderLanguage::Python { ("#", None) } else { ("//", Some("*/")) };
    let mut found = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['#', '/']) {
        found.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match block {
            _ if rest.starts_with(line) => rest.find('\n').unwrap_or(rest.len()),
            Some(end) if rest.starts_with("/*") => rest.find(end).map_or(rest.len(), |at| at + end.len()),
            _ => {
                found.push_str(&rest[..1]);
                1
            }
        };
        rest = &rest[length..];
    }
    found + rest
}

/// Finds a method in Python: its name, its parameters and the type of its result.
fn find_def(body: &str) -> Option<(&str, &str, &str)> {
    let mut rest = body;
    loop {
        rest = &rest[rest.find("def ")? + "def ".len()..];
        let open = rest.find('(')?;
        let close = open + matching_end(&rest[open..])?;
        let (name, parameters) = (rest[..open].trim(), &rest[open + 1..close]);
        if !name.starts_with('_') && parameters.trim_start().starts_with("self") {
            let result = rest[close + 1..].split(':').next().unwrap_or_default();
            return Some((name, parameters, result.trim().trim_start_matches("->")));
        }
    }
}

/// Finds a method in C++ or Java: its name after its type, its parameters, and the type of its result.
fn find_declaration(body: &str) -> Option<(&str, &str, &str)> {
    let mut at = 0;
    loop {
        let open = at + body[at..].find('(')?;
        let close = open + matching_end(&body[open..])?;
        let begin = at + body[at..open].rfind(['{', '}', ';', ':']).map_or(0, |at| at + 1);
        let head = body[begin..open].trim();
        let (result, name) = split_name(head);
        let is_method = body[close + 1..].trim_start().starts_with(['{', 'c', 't'])
            && !result.is_empty()
            && !name.starts_with('_')
            && !head.contains('=');
        if is_method {
            let result = result.rsplit(' ').next().unwrap_or_default();
            return Some((head, &body[open + 1..close], result));
        }
        at = close + 1;
    }
}

/// Returns the place of the bracket that closes the one at the start.
fn matching_end(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Splits a declaration into its type and the name at its end.
fn split_name(declaration: &str) -> (&str, &str) {
    let declaration = declaration.trim();
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    let at = declaration.rfind(|letter: char| !is_letter(letter)).map_or(0, |at| at + 1);
    (declaration[..at].trim(), &declaration[at..])
}

/// Splits a list at its commas, but not inside of brackets.
fn split_list(list: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let parts = list.split(|letter: char| {
        match letter {
            '<' | '[' | '(' => depth += 1,
            '>' | ']' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    });
    parts.filter(|part| !part.trim().is_empty()).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    const PYTHON: &str = "# class Solution\nclass Solution:\n    def __init__(self):\n        pass\n\n    def place(\n        self, board: List[List[str]], words: list[str], k: int = 1,\n    ) -> None:\n        pass\n";
    const CPP: &str = "struct Node {};\nclass Solution {\n    int memo[9]; // f(int a) {\n    vector<int> seen = vector<int>(9);\npublic:\n    Solution() {}\n    int place(vector<vector<char>>& board, const vector<string> &words, long long k) {\n        return f(k);\n    }\n};\n";
    const JAVA: &str = "import java.util.*;\nclass Solution {\n    public void place(char[][] board, List<String> words, double k) { g(k); }\n}\n";

    fn find(text: &str, language: ReaderLanguage) -> (String, String) {
        let found = SolutionSignature::find_method(text, language).unwrap();
        let format = found.to_format();
        let layout = format.lines().skip(1).take_while(|line| *line != "where:").collect::<Vec<_>>().join("; ");
        (format!("{} {}", found.method, found.returns_nothing), layout)
    }

    #[test]
    fn methods_are_found_in_three_languages() {
        let layout = "n m; board[n][m]; q; words[q][]; k";
        for (text, language, method) in [
            (PYTHON, ReaderLanguage::Python, "place true"),
            (CPP, ReaderLanguage::Cpp, "place false"),
            (JAVA, ReaderLanguage::Java, "place true"),
        ] {
            assert_eq!(find(text, language), (method.to_owned(), layout.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_has_no_layout_is_said() {
        let refused = |text: &str| SolutionSignature::find_method(text, ReaderLanguage::Cpp).unwrap_err();
        assert_eq!(refused("int main() {}"), "there is no `class Solution`");
        assert_eq!(refused("class Solution {\n"), "`class Solution` has no method with types of its parameters");
        let tree = "class Solution { public: int f(TreeNode* root) { return 1; } };";
        assert_eq!(refused(tree), "`TreeNode*`, the type of `root`, has no layout");
        assert_eq!(refused("class Solution { public: int f() { return 1; } };"), "`f` has no parameters");
        let untyped = "class Solution:\n    def f(self, a):\n        pass\n";
        let refused = SolutionSignature::find_method(untyped, ReaderLanguage::Python).unwrap_err();
        assert_eq!(refused, "the parameter `a` of `f` has no type");
    }

    #[test]
    fn hostile_texts_take_linear_time() {
        for piece in ["class Solution", "def f(", "((", "f(a) ", "/*", "<", "x,"] {
            let text = format!("class Solution {{ {} ", piece.repeat(100_000));
            for language in [ReaderLanguage::Cpp, ReaderLanguage::Python, ReaderLanguage::Java] {
                let _ = SolutionSignature::find_method(&text, language);
            }
        }
    }
}
