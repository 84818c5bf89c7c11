//! The signature of a method that solves a problem, as LeetCode has it: `class Solution` with one public method.
//!
//! Only the text is looked at: the public method that no other calls, except constructors and names that begin with an
//! underscore. Its parameters are the input, one after the other.

use crate::reader::ReaderLanguage;
use rebut_diagnostics::list_or;
use rebut_format::language::is_reserved_word;
use std::fmt::Write as _;

/// The class that holds the method.
const CLASS: &str = "class Solution";

/// Maximum number of methods that are looked at.
const MAX_METHODS: usize = 50;

/// Maximum nesting of types: results have three dimensions at most.
const MAX_NESTING: usize = 8;

/// Names for the first sizes of sequences.
const SIZE_NAMES: [&str; 5] = ["n", "m", "q", "h", "w"];

/// A method with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolutionSignature {
    /// Name of the method.
    pub method: String,
    /// Names and types of the parameters.
    pub parameters: Vec<(String, ParameterType)>,
    /// Whether it returns nothing: the result is then its first list, as it is after the call.
    pub returns_nothing: bool,
    /// The type of the result, if it is stated.
    pub result: Option<ParameterType>,
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
        ParameterType::parse_within(text, MAX_NESTING)
    }

    /// The same, with at most `depth` sequences and optional values around each other.
    fn parse_within(text: &str, depth: usize) -> Option<ParameterType> {
        let parse_inner = |text: &str| ParameterType::parse_within(text, depth.checked_sub(1)?);
        let text = text.trim().trim_matches(['&', '\'', '"']).trim();
        let text = ["const ", "final "].iter().fold(text, |text, word| text.strip_prefix(word).unwrap_or(text).trim());
        let text = text.strip_suffix("| None").unwrap_or(text).trim();
        if let Some(each) = text.strip_suffix("[]") {
            let is_boxed = ["Integer", "Long", "Double", "Boolean", "Character"].contains(&each.trim());
            let each = parse_inner(each).filter(|_| !is_boxed);
            return each.map(|each| ParameterType::Sequence(Box::new(each), false));
        }
        let open = text.find(['<', '[']).filter(|_| text.ends_with(['>', ']']));
        if let Some(open) = open {
            let inner = &text[open + 1..text.len() - 1];
            let is_list = match text[..open].trim() {
                "Optional" | "typing.Optional" => return parse_inner(inner),
                "vector" | "std::vector" | "list" => false,
                "List" | "typing.List" => text.ends_with('>'),
                _ => return None,
            };
            return Some(ParameterType::Sequence(Box::new(parse_inner(inner)?), is_list));
        }
        Some(match text {
            "int" | "Integer" => ParameterType::Int,
            "long" | "long long" | "Long" | "int64_t" => ParameterType::Long,
            "double" | "float" | "Double" | "Float" => ParameterType::Real,
            "bool" | "boolean" | "Boolean" => ParameterType::Bool,
            "char" | "Character" => ParameterType::Letter,
            "string" | "std::string" | "String" | "str" => ParameterType::Text,
            _ => return None,
        })
    }
}

/// A method in the text of a source.
#[derive(Clone, Copy, Debug)]
struct Declaration<'t> {
    name: &'t str,
    parameters: &'t str,
    result: &'t str,
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
        let is_python = language == ReaderLanguage::Python;
        let text = without_comments(text, language);
        let is_whole = |at: &usize| !text[at + CLASS.len()..].starts_with(is_name_letter);
        let from = text.match_indices(CLASS).map(|(at, _)| at).find(is_whole);
        let from = from.ok_or_else(|| format!("there is no `{CLASS}`"))? + CLASS.len();
        let (body, methods) = if is_python { python_methods(&text[from..]) } else { braced_methods(&text[from..]) };
        let method = choose_method(body, &methods)?;
        let mut parameters = Vec::new();
        for parameter in split_list(method.parameters) {
            let parameter = parameter.split('=').next().unwrap_or_default().trim();
            let (name, of_type) = match is_python {
                true if matches!(parameter, "self" | "*" | "/") => continue,
                true => parameter.split_once(':').unwrap_or((parameter, "")),
                false => {
                    let (of_type, name) = split_name(parameter);
                    (name, of_type)
                }
            };
            let known = ParameterType::parse(of_type).filter(|known| known.innermost().1 <= 2);
            let known = known.ok_or_else(|| match of_type.trim() {
                "" => format!("the parameter `{}` of `{}` has no type", name.trim(), method.name),
                other => format!("`{}`, the type of `{}`, has no layout", shorten(other), name.trim()),
            })?;
            // A letter is a text in Python; rows of them are boards more often than words.
            let known = match known.innermost() {
                (ParameterType::Text, 2) if is_python => known.with_letters(),
                _ => known,
            };
            parameters.push((name.trim().to_owned(), known));
        }
        if parameters.is_empty() {
            return Err(format!("`{}` has no parameters", method.name));
        }
        let result = match method.result.trim() {
            "" | "void" | "None" => None,
            result => {
                let known = ParameterType::parse(result);
                Some(known.ok_or_else(|| format!("`{}`, the type of the result, has no notation", shorten(result)))?)
            }
        };
        let returns_nothing = matches!(method.result.trim(), "void" | "None");
        Ok(SolutionSignature { method: method.name.to_owned(), parameters, returns_nothing, result })
    }

    /// Returns a format of the parameters, each after its sizes. The bounds are guesses, as a comment notes.
    pub fn to_format(&self) -> String {
        let numbered = (1..).map(|number| format!("n{number}"));
        let mut sizes = SIZE_NAMES.map(str::to_owned).into_iter().chain(numbered);
        let is_free = |size: &String| self.parameters.iter().all(|(name, _)| name != size);
        let mut take_size = || sizes.find(is_free).unwrap_or_default();
        let mut text = format!(
            "# From the signature of `{}`. The bounds are guesses: replace them by those of the statement.\n",
            self.method
        );
        if self.result.as_ref().is_some_and(|result| *result.innermost().0 == ParameterType::Real) {
            text += "# The result has real numbers: search with `--checker numbers:1e-5`.\n";
        }
        let mut bounds = String::new();
        for (name, of_type) in &self.parameters {
            let name = &field_name(name);
            let (inner, rank) = of_type.innermost();
            let sizes: Vec<String> = (0..rank).map(|_| take_size()).collect();
            // Writing to a string cannot fail.
            if rank > 0 {
                let _ = writeln!(text, "{}", sizes.join(" "));
                let _ = writeln!(bounds, "    1 <= {} <= 6", sizes.join(", "));
            }
            let shape: String = sizes.iter().map(|size| format!("[{size}]")).collect();
            let (free, bound) = match inner {
                ParameterType::Int | ParameterType::Long if rank == 0 => ("", format!("1 <= {name} <= 10")),
                ParameterType::Int | ParameterType::Long => ("", format!("-10 <= {name} <= 10")),
                ParameterType::Real => ("", format!("{name} real, 2 decimals\n    -10 <= {name} <= 10")),
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

/// Returns the beginning of a type, for a message.
fn shorten(of_type: &str) -> String {
    const MAX_SHOWN: usize = 40;
    let end = if of_type.chars().count() > MAX_SHOWN { "…" } else { "" };
    of_type.chars().take(MAX_SHOWN).collect::<String>() + end
}

/// Returns the name of the field for a parameter, which is another one if the format language gives it a meaning.
pub(crate) fn field_name(parameter: &str) -> String {
    if is_reserved_word(parameter) { format!("{parameter}_") } else { parameter.to_owned() }
}

/// Returns the text without comments and without the insides of quotes.
fn without_comments(text: &str, language: ReaderLanguage) -> String {
    let is_python = language == ReaderLanguage::Python;
    let (line, block) = if is_python { ("#", None) } else { ("//", Some("*/")) };
    let mut found = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['#', '/', '"', '\'']) {
        found.push_str(&rest[..at]);
        rest = &rest[at..];
        // In C++, a quote may separate digits.
        let is_quote = rest.starts_with('"') || rest.starts_with('\'') && !found.ends_with(is_name_letter);
        let length = match block {
            _ if rest.starts_with(line) => rest.find('\n').unwrap_or(rest.len()),
            Some(end) if rest.starts_with("/*") => rest.find(end).map_or(rest.len(), |at| at + end.len()),
            _ if is_quote => {
                found.push_str("\"\"");
                literal_length(rest, is_python)
            }
            _ => {
                found.push_str(&rest[..1]);
                1
            }
        };
        rest = &rest[length..];
    }
    found + rest
}

/// Returns the length of the text in quotes at the beginning, with its quotes. It ends with its line unless it has three quotes.
fn literal_length(text: &str, is_python: bool) -> usize {
    let triple = ["\"\"\"", "'''"].into_iter().find(|quotes| is_python && text.starts_with(quotes));
    if let Some(quotes) = triple {
        return text[3..].find(quotes).map_or(text.len(), |at| at + 6);
    }
    let quote = text.chars().next().unwrap_or_default();
    let mut is_escaped = false;
    let end = text.char_indices().skip(1).find(|(_, letter)| {
        let is_end = !is_escaped && (*letter == quote || *letter == '\n');
        is_escaped = !is_escaped && *letter == '\\';
        is_end
    });
    end.map_or(text.len(), |(at, letter)| at + usize::from(letter == quote))
}

fn is_name_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Returns the method that no other calls.
fn choose_method<'t>(body: &str, methods: &[Declaration<'t>]) -> Result<Declaration<'t>, String> {
    let is_called = |method: &Declaration<'_>| {
        let calls = body.match_indices(method.name).filter(|(at, name)| {
            let is_whole = !body[..*at].ends_with(is_name_letter);
            is_whole && body[at + name.len()..].trim_start().starts_with('(')
        });
        calls.take(2).count() > 1
    };
    let uncalled: Vec<&Declaration<'_>> = methods.iter().take(MAX_METHODS).filter(|one| !is_called(one)).collect();
    match (&*uncalled, methods) {
        ([only], _) => Ok(**only),
        ([], [only]) => Ok(*only),
        (_, []) => Err(format!("`{CLASS}` has no method with types of its parameters")),
        (several, _) => {
            let names = if several.is_empty() { methods.iter().take(MAX_METHODS).collect() } else { several.to_vec() };
            let names: Vec<String> = names.iter().map(|method| format!("`{}`", method.name)).collect();
            Err(format!("which of {} solves the problem? make the others private", list_or(&names)))
        }
    }
}

/// Returns the body of a class in Python, and its methods with types: lines with the indentation of the first.
fn python_methods(text: &str) -> (&str, Vec<Declaration<'_>>) {
    let body = text.split_once('\n').map_or("", |(_, body)| body);
    let is_inside = |line: &&str| line.trim().is_empty() || line.starts_with([' ', '\t']);
    let length: usize = body.split_inclusive('\n').take_while(is_inside).map(str::len).sum();
    let body = &body[..length];
    let mut methods = Vec::new();
    let (mut at, mut indent) = (0, None);
    for line in body.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let code = line.trim_start();
        let Some(declared) = code.strip_prefix("def ") else { continue };
        let depth = line.len() - code.len();
        if *indent.get_or_insert(depth) != depth {
            continue;
        }
        let rest = &body[start + line.len() - declared.len()..];
        let Some(open) = rest.find('(') else { continue };
        let Some(close) = matching_end(&rest[open..]).map(|close| open + close) else { break };
        let (name, parameters) = (rest[..open].trim(), &rest[open + 1..close]);
        let result = rest[close + 1..].split(':').next().unwrap_or_default().trim();
        let is_typed = |one: &&str| one.contains(':') || matches!(one.trim(), "self" | "*" | "/");
        if !name.starts_with('_') && split_list(parameters).iter().all(is_typed) {
            methods.push(Declaration { name, parameters, result: result.strip_prefix("->").unwrap_or(result).trim() });
        }
    }
    (body, methods)
}

/// Returns the body of a class in C++ or Java, and its methods: those that are public, unless none is.
fn braced_methods(text: &str) -> (&str, Vec<Declaration<'_>>) {
    let from = text.find('{').map_or(text.len(), |at| at + 1);
    let (mut depth, mut start, mut end) = (1_usize, from, text.len());
    let mut is_public = false;
    let (mut public, mut others) = (Vec::new(), Vec::new());
    for (at, letter) in text.char_indices().skip_while(|(at, _)| *at < from) {
        let head = &text[start.min(at)..at];
        match letter {
            '{' => {
                let declaration = read_declaration(head).filter(|_| depth == 1);
                if let Some((declaration, modifiers)) = declaration {
                    let is_open = is_public || modifiers.contains("public");
                    if is_open && !modifiers.contains("static") { &mut public } else { &mut others }.push(declaration);
                }
                depth += 1;
            }
            '}' => depth -= 1,
            ':' if depth == 1 && ["public", "private", "protected"].contains(&head.trim()) => {
                is_public = head.trim() == "public";
            }
            ';' => {}
            _ => continue,
        }
        start = at + 1;
        if depth == 0 {
            end = at;
            break;
        }
    }
    (&text[from..end], if public.is_empty() { others } else { public })
}

/// Reads what stands before the body of a method, and returns it with the words before its type.
fn read_declaration(head: &str) -> Option<(Declaration<'_>, &str)> {
    let open = head.find('(')?;
    let close = open + matching_end(&head[open..])?;
    let (result, name) = split_name(&head[..open]);
    let is_method = !result.is_empty()
        && !name.is_empty()
        && !name.starts_with('_')
        && !result.contains(['=', '(', ','])
        && !result.split(' ').any(|word| word == "operator" || word == "new");
    let mut own = result;
    while let Some((word, rest)) = own.split_once(char::is_whitespace) {
        let is_modifier = word.starts_with('@')
            || ["public", "private", "protected", "static", "final", "inline", "virtual", "const"].contains(&word);
        if !is_modifier {
            break;
        }
        own = rest.trim();
    }
    let is_constructor = matches!(own, "public" | "private" | "protected" | "explicit");
    let found = Declaration { name, parameters: &head[open + 1..close], result: own };
    (is_method && !is_constructor).then(|| (found, &result[..result.len() - own.len()]))
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
    let at = declaration.char_indices().rev().find(|(_, letter)| !is_name_letter(*letter));
    let at = at.map_or(0, |(at, letter)| at + letter.len_utf8());
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
    fn the_method_is_the_public_one_that_no_other_calls() {
        let method = |text: &str, language| SolutionSignature::find_method(text, language).map(|found| found.method);
        let cpp = "class SolutionBrute { public: int g(int b) { return b; } };\nclass Solution {\n    \
            struct P { int a; bool operator<(const P& o) const { return a < o.a; } };\n    \
            void dfs(vector<vector<char>>& grid, int i) { if (i) { dfs(grid, i - 1); } }\npublic:\n    \
            Solution() : x(3), y(4) {}\n    static bool cmp(const vector<int>& a, const vector<int>& b) { return a < b; }\n    \
            int islands(vector<vector<char>>& grid) { for (auto& row : grid) { dfs(grid, 0); } return 0; }\n    int x, y;\n};\n\
            int other(int z) { return z; }\n";
        assert_eq!(method(cpp, ReaderLanguage::Cpp), Ok("islands".to_owned()));
        let java = "public class Solution {\n    public Solution() {}\n    int foo(int z) { return z; }\n    \
            @Override\n    public int bar(final int[] nums) throws Exception { return foo(nums[0]); }\n}\n";
        assert_eq!(method(java, ReaderLanguage::Java), Ok("bar".to_owned()));
        let python = "class SolutionOld:\n    def g(self, b: int): pass\n\nclass Solution:\n    def __init__(self):\n        \
            def add(self, x): pass\n    @cache\n    def helper(self, i, j):\n        return 1\n    \
            def count(self, n: int) -> int:\n        return n\n    \
            def f(self, a: Optional[List[int]], *, k: int | None = 1) -> float:\n        return self.count(k)\n\n\
            def main(x: int): pass\n";
        assert_eq!(method(python, ReaderLanguage::Python), Ok("f".to_owned()));
        let two = "class Solution { public: int f(int a) { return 1; } int g(int a) { return 2; } };";
        let expected = "which of `f` or `g` solves the problem? make the others private";
        assert_eq!(method(two, ReaderLanguage::Cpp), Err(expected.to_owned()));
        let words = "class Solution { public: int f(int where, vector<int>& cases, vector<int>& n) { return 1; } };";
        let found = SolutionSignature::find_method(words, ReaderLanguage::Cpp).unwrap().to_format();
        assert!(found.contains("\nwhere_\nm\ncases_[m]\nq\nn[q]\n"), "{found}");
    }

    #[test]
    fn brackets_in_quotes_are_none() {
        let cpp = r#"class Solution {
            map<char, char> pairs{{')', '('}, {'\'', '{'}};
            string open = "({["; int big = 1'000;
        public:
            bool isValid(string s = "{") { return s != "}"; }
        };"#;
        let python = "class Solution:\n    '''def f(self, a: int):'''\n    def isValid(self, s: str) -> bool:\n        return s == \"# '\"\n";
        for (text, language) in [(cpp, ReaderLanguage::Cpp), (python, ReaderLanguage::Python)] {
            assert_eq!(find(text, language), ("isValid false".to_owned(), "s".to_owned()), "{text}");
        }
    }

    #[test]
    fn types_without_a_layout_are_refused() {
        let refused = |text: &str| SolutionSignature::find_method(text, ReaderLanguage::Cpp).unwrap_err();
        assert_eq!(refused("int main() {}"), "there is no `class Solution`");
        assert_eq!(refused("class Solution {\n"), "`class Solution` has no method with types of its parameters");
        let tree = "class Solution { public: int f(TreeNode* root) { return 1; } };";
        assert_eq!(refused(tree), "`TreeNode*`, the type of `root`, has no layout");
        let result = "class Solution { public: TreeNode* f(int a) { return 0; } };";
        assert_eq!(refused(result), "`TreeNode*`, the type of the result, has no notation");
        assert_eq!(refused("class Solution { public: int f() { return 1; } };"), "`f` has no parameters");
        let boxed = "class Solution { public: int f(Integer[] a) { return 1; } };";
        assert_eq!(refused(boxed), "`Integer[]`, the type of `a`, has no layout");
    }

    #[test]
    fn hostile_texts_take_linear_time() {
        for piece in ["class Solution", "def f(", "((", "f(a) ", "/*", "<", "x,", "\"", "' ", "'''"] {
            let text = format!("class Solution {{ {} ", piece.repeat(100_000));
            for language in [ReaderLanguage::Cpp, ReaderLanguage::Python, ReaderLanguage::Java] {
                let _ = SolutionSignature::find_method(&text, language);
            }
        }
        let nested = format!("{}int{}", "List[".repeat(100_000), "]".repeat(100_000));
        let text = format!("class Solution:\n    def f(self, a: {nested}) -> int:\n        return 1\n");
        let refused = SolutionSignature::find_method(&text, ReaderLanguage::Python).unwrap_err();
        assert!(refused.ends_with("the type of `a`, has no layout"));
    }
}
